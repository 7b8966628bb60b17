/**
 * @file late_looks.c
 * See late_looks.h.
 */
#include "check/race/late_looks.h"

#include "analyse/flow.h"
#include "analyse/paths.h"
#include "check/race/clock/chain_moments.h"
#include "check/race/element.h"
#include "check/race/late.h"
#include "check/race/late_claims.h"
#include "check/race/older_read.h"
#include "check/race/order.h"
#include "check/race/block_phases.h"
#include "check/race/stamp_steps.h"
#include "execute/finding_place.h"
#include "execute/lane_values.h"
#include "execute/machine.h"
#include "report/reporter.h"

/** What the lane's register holds that goes with what is checked. */
static uint64_t register_of(const struct warp *w, const struct act *act, uint32_t reg, int lane)
{
    return reg_read(w, reg, act->check->mem.bytes == 8 ? 8 : 4, lane);
}

uint64_t late_compared_with(const struct warp *w, const struct act *act, int lane)
{
    return (act->made.steps && act->kind != ACT_MOVES) || !act->compare ? 0 : register_of(w, act, act->compare->src[!act->side], lane);
}

static const char *op_of(const struct insn *in)
{
    return insn_class(in) == INSN_ATOMIC ? "atomic" : insn_class(in) == INSN_LOAD ? "load" : "store";
}

void late_tell(struct race *race, const struct warp *w, int lane, const struct late_told *t)
{
    enum finding_level level = act_is_error(t->act) || t->swapped ? LEVEL_ERROR : LEVEL_WARNING;
    struct finding f = {.kind = FIND_ORDERING, .level = level, .cause = CAUSE_ACTED_LATE, .access_count = 2,
                        .kernel = w->block->grid->config.kernel->name};
    const struct insn *in[2] = {t->act->check, t->act->act};
    f.facts.race = (struct race_facts){.late = t->over ? LATE_CLAIM_OVER : act_is_late_as(t->act), .picks = t->act->kind == ACT_PICKS, .told = t->act->told, .jumps = t->act->jumps,
                                       .may = t->may, .same_block = true, .same_warp = true};
    finding_place(&f, race->machine, w->block, t->space, t->address);
    for (int i = 0; i < 2; i++) {
        const struct agent *of = t->thread ? &race->agents.data[t->thread->agent] : NULL;
        if (of)
            finding_access_at(&f.accesses[i], &of->launch->grid, of->block, t->thread->thread, in[i], op_of(in[i]));
        else
            finding_access_fill(&f.accesses[i], w, lane, in[i], op_of(in[i]));
    }
    f.accesses[0].has_value = true;
    f.accesses[0].value = t->seen;
    f.accesses[1].has_value = t->has_after;
    f.accesses[1].value = t->after;
    report_finding(machine_reporter(race->machine), &f);
}

/** Lanes of one warp: may they have met since that write? */
typedef bool met_fn(const struct actor *me, uint32_t site);

static bool is_of_other_phase(const struct actor *me, uint32_t site)
{
    return phase_of_write(me, site) == PHASE_APART;
}

static bool ends_alone(const struct insn *in, const void *context)
{
    enum insn_class c = insn_class(in);
    (void)context;
    return c == INSN_BARRIER || c == INSN_MEETING || c == INSN_TENSOR || c == INSN_CALL;
}

/** Does the way from the write lead here only by a place where they meet? From the other side of a branch it does not lead here at all. */
static bool has_met(const struct actor *me, uint32_t site)
{
    const struct image *im = actor_image(me);
    const struct insn *write = image_site_insn(im, site);
    const struct function *f = write ? image_function_at(im, me->insn) : NULL;
    return !f || !flow_holds(f, write) || (path_find(f, write, me->insn, NULL, NULL) != PATH_NONE && path_find(f, write, me->insn, ends_alone, NULL) == PATH_NONE);
}

/** Could the lane have come to its look before this write? */
static bool could_come_before(const struct actor *me, const struct shadow_word *c, const struct past *write, uint64_t place, met_fn *met)
{
    const struct epoch *e = &write->write;
    const struct race *race = me->race;
    if (e->agent < me->bs->floor || !(e->flags & EPOCH_STRONG) || race->agents.data[e->agent].launch != race->agents.data[me->agent].launch ||
        (e->agent == me->agent && e->thread / WARP_LANES == me->thread / WARP_LANES && met(me, e->site)))
        return false;
    return may_miss(me, c, write) && !epoch_signalled(me, e, chain_moment(write->chain, write->upto), (struct places){place, place});
}

/** A look of the lane's. */
struct checking {
    const struct warp *warp;
    const struct act *act;
    const struct read_by_lanes *by;
    int lane;
};

bool late_comes_before_last(const struct actor *me, const struct mem_access *a, struct shadow_word *c)
{
    refresh(c, floor_of(me, a), settled_for(me, a->space));
    if ((c->flags & WORD_SPLIT) || !(c->flags & WORD_SYNC))
        return false;
    struct past write = {.write = c->write, .chain = c->sync->chain, .upto = c->sync->upto, .seq = c->sync->seq};
    return could_come_before(me, c, &write, element_place(me, a, me->lane, 0), has_met);
}

/** Is it an update of another's that this pair's act spoils? Taken by hand, what an atomic has left in between is lost, but for a bell that is rung
 *  (an exchange); an amount is spoilt by another such amount, what is exchanged by hand by another such exchange. */
static bool is_spoilt(const struct warp *w, const struct act *act, const struct epoch *write)
{
    const struct insn *in = write->agent ? image_site_insn(w->block->grid->config.kernel->image, write->site) : NULL;
    bool by_exchange;
    if (act->kind == ACT_CLAIMS)
        return in && insn_takes(w, in, &by_exchange);
    return in && (act->kind == ACT_MOVES || act->replaces ? in == act->act : insn_class(in) == INSN_ATOMIC && in->mem.atom != ATOM_EXCH);
}

/** A claim over what another has exchanged, and goes by? */
static bool is_claimed_over(const struct warp *w, const struct act *act, const struct epoch *write)
{
    const struct insn *in = act->kind == ACT_CLAIMS && write->agent ? image_site_insn(w->block->grid->config.kernel->image, write->site) : NULL;
    bool by_exchange = false;
    return in && insn_takes(w, in, &by_exchange) && by_exchange;
}

/** Lanes of one instruction come one after another: does a lane before this one update the same place by it? */
static bool is_behind_lane(const struct mem_access *a, int lane)
{
    for (uint32_t m = a->mask & ((1u << lane) - 1); m; m &= m - 1)
        if (a->address[__builtin_ctz(m)] == a->address[lane])
            return true;
    return false;
}

void late_note_updates(struct race *race, const struct warp *w, const struct mem_access *a, const struct act *act, struct read_by_lanes *c, uint32_t lanes)
{
    struct actor me = actor_at(race, w, a);
    struct unit units[16];
    c->updated &= ~a->mask;
    c->over &= ~a->mask;
    for (uint32_t m = lanes; m; m &= m - 1) {
        actor_set_lane(&me, __builtin_ctz(m));
        bool behind = is_behind_lane(a, me.lane);
        if (!behind && newest_value(a, me.lane, 0) == c->value[me.lane]) /* nobody has updated what it has found */
            continue;
        units_of(&me, a, me.lane, 0, units);
        struct shadow_word *word = units[0].word;
        refresh(word, floor_of(&me, a), settled_for(&me, a->space));
        bool over = !behind && is_claimed_over(w, act, &word->write);
        bool spoilt = over ? newest_value(a, me.lane, 0) != a->value[0][me.lane] : !(behind && act->kind == ACT_CLAIMS) && is_spoilt(w, act, &word->write);
        c->over |= (uint32_t)over << me.lane;
        c->updated |= (uint32_t)(spoilt || (behind && (act->kind == ACT_MOVES || act->replaces))) << me.lane;
    }
}

static bool leads_to_act(const struct checking *l, uint64_t other, uint64_t value)
{
    uint64_t decides = l->act->kind == ACT_MOVES ? value : late_made(l->warp, l->act, l->by, l->lane, value);
    return l->act->way == ACT_ALWAYS || act_holds(l->act, other, decides) == (l->act->way == ACT_IF);
}

/** Is it wrong that another, by this write, has updated between the two? */
static bool is_wrong_to_be_late(const struct warp *w, const struct act *act, const struct epoch *write)
{
    return (act->kind == ACT_TAKES && is_spoilt(w, act, write)) || (act->kind == ACT_MOVES && insn_sets_bits(act->act)) || act->kind == ACT_PICKS || act->kind == ACT_STORES || act->kind == ACT_SWAPS || act->locks;
}

static uint64_t cut(const struct act *act, uint64_t value)
{
    return act->check->mem.bytes == 8 ? value : (uint32_t)value;
}

/** What stands there is `now`. Would the lane be wrong to act where it does not? */
static bool is_wrong_to_act(const struct warp *w, const struct act *act, int lane, uint64_t other, uint64_t now)
{
    switch (act->kind) {
    case ACT_PICKS:
        return cut(act, other + act->more) != now;
    case ACT_CLAIMS: /* who marks what another has marked alike does nothing, if nothing hangs on it */
        return act->locks || act->counts || (act->stored != REG_NONE && register_of(w, act, act->stored, lane) != now);
    default:
        return act->kind == ACT_ADDS || act->kind == ACT_STORES;
    }
}

/** The lane compares what it has read with `other`. Would it have been wrong to act by what stood there before? @return which of those; -1: none */
static int wrong_by(const struct warp *w, const struct act *act, const struct read_by_lanes *c, int lane, uint64_t other)
{
    uint64_t now = cut(act, c->value[lane]);
    const struct checking look = {w, act, c, lane};
    bool acts = leads_to_act(&look, other, now), picks = act->kind == ACT_PICKS;
    int end = acts && picks && c->sooners[lane] ? 1 : c->sooners[lane];
    if (acts ? !is_wrong_to_be_late(w, act, &c->writer[lane]) : !is_wrong_to_act(w, act, lane, other, now))
        return -1;
    for (int i = 0; i < end; i++) {
        bool differs = act->locks && acts ? i && !leads_to_act(&look, other, c->sooner[i - 1][lane]) /* it was held in between */
                       : act->kind == ACT_MOVES ? act_bits_taken(act, late_made(w, act, c, lane, c->sooner[i][lane]), c->sooner[i][lane], now)
                                                : cut(act, c->sooner[i][lane]) != now;
        if (differs && leads_to_act(&look, other, c->sooner[i][lane]))
            return i;
    }
    return -1;
}

static void be_wrong_by(struct race *race, const struct warp *w, int lane, const struct act *act, struct read_by_lanes *c, uint64_t other, int which)
{
    c->instead[lane] = c->sooner[which][lane];
    if (leads_to_act(&(struct checking){w, act, c, lane}, other, cut(act, c->value[lane]))) {
        c->missed |= 1u << lane; /* it will act now, too */
        return;
    }
    c->told = true;
    late_tell(race, w, lane, &(struct late_told){.act = act, .space = c->space, .address = c->address[lane], .seen = c->instead[lane], .may = true,
                                                 .swapped = act->kind == ACT_CLAIMS && is_spoilt(w, act, &c->writer[lane]),
                                                     .over = is_claimed_over(w, act, &c->writer[lane]), .has_after = act->kind == ACT_PICKS, .after = cut(act, other + act->more)});
}

/** How many of the last `most` writes could the lane have come before? */
static int writes_behind(const struct actor *me, const struct mem_access *a, const struct shadow_word *c, int most)
{
    const struct sync *s = c->sync;
    uint64_t place = element_place(me, a, me->lane, 0);
    struct past write = {.write = c->write, .chain = s->chain, .upto = s->upto, .seq = s->seq};
    int n = 0;
    while (n < most && could_come_before(me, c, &write, place, is_of_other_phase))
        write = s->past[s->pasts - ++n];
    return n;
}

/** Has what the look has returned been linked there, by hand, too? Whoever links a node where another one has just been linked could as well have come to what
 *  stood there before. */
static bool is_linked_by_hand(const struct warp *w, const struct acts *acts, const struct epoch *write)
{
    const struct insn *in = write->agent ? image_site_insn(w->block->grid->config.kernel->image, write->site) : NULL;
    for (int i = 0; in && i < acts->count; i++)
        if ((acts->list[i].links || acts->list[i].replaces) && acts->list[i].act == in)
            return true;
    return false;
}

/** Of a location that others have written strongly in this launch. */
static void look_of(struct actor *me, const struct mem_access *a, const struct acts *acts, const struct act *act, struct read_by_lanes *c)
{
    struct unit units[16];
    int lane = me->lane, which = -1;
    c->sooners[lane] = 0;
    c->missed &= ~(1u << lane);
    if (a->space == SPACE_SHARED && stamp_is_behind(me, a->address[lane] / 4, (uint32_t)lane)) /* the look could not have come sooner */
        return;
    units_of(me, a, lane, 0, units);
    struct shadow_word *word = units[0].word;
    refresh(word, floor_of(me, a), settled_for(me, a->space));
    if ((word->flags & WORD_SPLIT) || !(word->flags & WORD_SYNC))
        return;
    int n = word->sync->pasts;
    for (int i = 0; i < n; i++)
        c->sooner[i][lane] = word->sync->past[n - 1 - i].value;
    c->sooners[lane] = (uint8_t)n;
    c->writer[lane] = word->write;
    c->space = a->space;
    if (act->way == ACT_PERHAPS) {
        if (n && c->sooner[0][lane] != c->value[lane] && is_linked_by_hand(me->warp, acts, &c->writer[lane]) && writes_behind(me, a, word, 1)) {
            c->instead[lane] = c->sooner[0][lane];
            c->missed |= 1u << lane;
        }
        return;
    }
    uint64_t other = act->early ? late_compared_with(me->warp, act, lane) : 0;
    if (!act->compared)
        n = 1 + (which = wrong_by(me->warp, act, c, lane, other));
    c->sooners[lane] = (uint8_t)writes_behind(me, a, word, n);
    if (which >= 0 && c->sooners[lane] == n)
        be_wrong_by(me->race, me->warp, lane, act, c, other, which);
}

/** Can it be told how the lane goes on with another value? */
static bool is_asked(const struct act *act)
{
    if (act->way == ACT_PERHAPS)
        return act->links || act->replaces;
    if (act->kind == ACT_MOVES)
        return insn_sets_bits(act->act) && made_is_early(&act->made) && (act->way == ACT_ALWAYS || act->early);
    return made_is_early(&act->made) && (act->way == ACT_ALWAYS || act->early || act->compared || act->made.steps);
}

void late_look(struct race *race, const struct warp *w, const struct mem_access *a, const struct acts *acts, struct read_by_lanes *c, uint32_t lanes)
{
    struct actor me = actor_at(race, w, a);
    for (int i = 0; i < acts->count; i++) {
        const struct act *act = &acts->list[i];
        if (act->check != a->insn || c[i].told || !is_asked(act))
            continue;
        for (uint32_t m = lanes; m; m &= m - 1) {
            actor_set_lane(&me, __builtin_ctz(m));
            look_of(&me, a, acts, act, &c[i]);
        }
    }
}

void late_compare(struct race *race, const struct warp *w, const struct mem_access *a, const struct acts *acts, struct read_by_lanes *c, uint32_t lanes)
{
    for (int i = 0; i < acts->count; i++) {
        const struct act *act = &acts->list[i];
        bool is = act->compared == a->insn && act->way != ACT_PERHAPS && !c[i].told;
        for (uint32_t m = is ? lanes & c[i].valid : 0; m; m &= m - 1) {
            int lane = __builtin_ctz(m), which = wrong_by(w, act, &c[i], lane, cut(act, a->value[0][lane]));
            if (which >= 0)
                be_wrong_by(race, w, lane, act, &c[i], cut(act, a->value[0][lane]), which);
        }
    }
}

/** Has the write that the look has returned been made by hand, too, and would it overwrite what is better? The lane could have come between. */
static const struct act *overwrites_better(const struct warp *w, const struct acts *acts, const struct read_by_lanes *c, int lane, uint64_t after)
{
    const struct insn *in = image_site_insn(w->block->grid->config.kernel->image, c->writer[lane].site);
    for (int i = 0; i < acts->count; i++) {
        const struct act *other = &acts->list[i];
        uint64_t compared = cut(other, c->value[lane] - other->more);
        if (other->act == in && other->kind == ACT_PICKS && after != cut(other, c->value[lane]) && act_turns(other, compared, c->instead[lane], after))
            return other;
    }
    return NULL;
}

void late_missed(struct race *race, const struct warp *w, int lane, const struct acts *acts, int pair, struct read_by_lanes *c, uint64_t after)
{
    struct late_told t = {.act = &acts->list[pair], .space = c->space, .address = c->address[lane], .seen = c->instead[lane], .may = true};
    if (t.act->kind == ACT_PICKS) {
        t.act = overwrites_better(w, acts, c, lane, after);
        t.thread = &c->writer[lane];
    } else if (cut(t.act, after) == cut(t.act, c->value[lane])) { /* it changes nothing: perhaps it would not then, either */
        t.act = NULL;
    }
    c->missed &= ~(1u << lane);
    c->told |= t.act != NULL;
    if (t.act)
        late_tell(race, w, lane, &t);
}
