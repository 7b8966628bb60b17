/**
 * @file late_claims.c
 * See late_claims.h.
 */
#include "check/race/late_claims.h"

#include <assert.h>
#include <stdlib.h>

#include "analyse/loops.h"
#include "analyse/looked_at.h"
#include "base/mix.h"
#include "check/race/element.h"
#include "check/race/late_looks.h"
#include "check/race/older_read.h"
#include "check/race/order.h"
#include "execute/atomic_compute.h"
#include "execute/lane_ahead.h"
#include "execute/lane_values.h"

#define PLACES_KEPT 4096   /* one pushes out the other */
#define MOST_ASKED 64

struct claim {
    uint64_t place, run, seen, other, left;
    struct epoch by, last;           /**< by others that had seen the same and came later, too: the last of them */
    const struct act *act;           /**< NULL: nobody has claimed */
    bool told;
    int asked;                       /**< of looks that have returned it, how they would go on otherwise */
};

struct claims_kept {
    struct claim places[PLACES_KEPT];
};

void claims_free(struct race *race)
{
    free(race->claims);
}

static struct claim *claim_at(struct claims_kept *k, uint64_t place)
{
    return &k->places[mix64(place) % PLACES_KEPT];
}

bool insn_takes(const struct warp *w, const struct insn *in, bool *by_exchange)
{
    const struct function *f = in ? image_function_at(w->block->grid->config.kernel->image, in) : NULL;
    *by_exchange = f && insn_class(in) == INSN_ATOMIC && in->mem.atom == ATOM_EXCH && order_is_strong(&in->mem);
    return *by_exchange ? result_is_looked_at(f, in) : insn_claims_by_swap(f, in);
}

void claim_note(struct race *race, const struct warp *w, const struct mem_access *a, const struct act *act, int lane, uint64_t seen, uint64_t other, bool late)
{
    struct actor me = actor_at(race, w, a);
    if (!race->claims)
        race->claims = calloc(1, sizeof *race->claims);
    assert(race->claims);
    actor_set_lane(&me, lane);
    uint64_t place = place_of(&me, (enum ptx_space)a->space, a->address[lane]);
    struct claim *c = claim_at(race->claims, place);
    struct epoch now = epoch_of(&me, 0, 0);
    if (!late)
        *c = (struct claim){.place = place, .run = race->runs, .seen = seen, .other = other, .left = a->value[0][lane], .by = now, .last = now, .act = act};
    else if (c->act == act && c->place == place && c->run == race->runs && c->seen == seen && c->other == other)
        c->last = now;
}

/** Would it have found there what the look has found? *puts: what it would have left. */
static bool comes_between(const struct warp *w, const struct mem_access *a, const struct claim *c, int lane, uint64_t *puts)
{
    const struct insn *in = a->insn;
    uint32_t operand = insn_class(in) == INSN_ATOMIC ? element_operand(in, 0) : REG_NONE;
    *puts = a->value[0][lane];
    if (insn_class(in) == INSN_STORE || in->mem.atom == ATOM_EXCH)
        return true;
    if (in->dst == operand || (in->mem.atom == ATOM_CAS && (in->dst == in->src[2] || reg_read(w, operand, in->mem.bytes, lane) != c->seen)))
        return false;
    *puts = in->mem.atom == ATOM_CAS ? reg_read(w, in->src[2], in->mem.bytes, lane) : atomic_compute(&in->mem, c->seen, reg_read(w, operand, in->mem.bytes, lane), true);
    return true;
}

/** Would it overwrite what it finds there, and the claim then overwrite that? */
static bool is_claimed_twice(const struct claim *c, uint64_t puts)
{
    const struct act *act = c->act;
    uint64_t cut = act->check->mem.bytes == 8 ? puts : (uint32_t)puts;
    return (cut != c->left || act->locks || act->counts) && act_turns(act, c->other, c->seen, cut);
}

/** The claim that is the last write of the lane's location, if the lane could have come there before it; NULL: there is none. */
static struct claim *claim_missed(struct actor *me, const struct mem_access *a)
{
    struct unit units[16];
    uint64_t place = element_place(me, a, me->lane, 0);
    struct claim *c = claim_at(me->race->claims, place);
    if (!c->act || c->told || c->run != me->race->runs || c->place != place || c->act->act->mem.bytes != a->insn->mem.bytes)
        return NULL;
    units_of(me, a, me->lane, 0, units);
    struct shadow_word *word = units[0].word;
    const struct epoch *last = &word->write;
    bool is_last = last->agent == c->last.agent && last->thread == c->last.thread && last->site == c->last.site;
    return is_last && late_comes_before_last(me, a, word) && !epoch_ordered(me, &c->by) ? c : NULL;
}

static void tell(const struct actor *me, const struct mem_access *a, struct claim *c, bool by_exchange, bool takes)
{
    c->told = true;
    late_tell(me->race, me->warp, me->lane, &(struct late_told){.act = c->act, .space = a->space, .address = a->address[me->lane], .seen = c->seen, .may = true,
                                                                .swapped = takes, .over = by_exchange, .thread = &c->by});
}

/** Is the word's last write none of this launch, the lane's own, or one that it knows of? */
static bool is_word_settled(struct actor *me, const struct mem_access *a, uint64_t address)
{
    const struct shadow_word *c = word_at(me, a, me->lane, address);
    if (c->flags & WORD_SPLIT)
        return false;
    if (c->write.agent < floor_of(me, a) || (c->write.agent == me->agent && c->write.thread == me->thread) || epoch_ordered(me, &c->write))
        return true;
    if (!(c->flags & WORD_SYNC))
        return false;
    struct past write = {.write = c->write, .chain = c->sync->chain, .upto = c->sync->upto, .seq = c->sync->seq};
    return !may_miss(me, c, &write);
}

/** Does the look at a place of the same memory get what it would have got before the claim, too? */
static bool is_settled(struct actor *me, const struct mem_access *a, const struct ahead_look *look)
{
    const struct allocation *al = a->space == SPACE_SHARED ? NULL : a->allocation[me->lane];
    unsigned bytes = look->in->mem.bytes;
    bool settled = bytes >= 4 && (al ? look->address >= al->base && look->address - al->base + bytes <= al->bytes : look->in->mem.space == SPACE_SHARED);
    for (unsigned at = 0; at < bytes && settled; at += 4)
        settled = is_word_settled(me, a, look->address + at);
    return settled;
}

/** Had the lane come there before the claim, would it have gone on, looking at nothing that may have been different then, to a claim of its own? */
static bool would_claim(struct actor *me, const struct mem_access *a, const struct claim *c)
{
    struct lane_ahead ahead;
    uint64_t puts;
    bool would = lane_goes_to_store(me->warp, a->insn, me->lane, c->seen, &ahead, &puts) && is_claimed_twice(c, puts);
    for (int i = 0; i < ahead.looks && would; i++)
        would = ahead.look[i].address == a->address[me->lane] || is_settled(me, a, &ahead.look[i]);
    return would;
}

static void look_at_claim(struct actor *me, const struct mem_access *a)
{
    struct ahead_swap s;
    const struct warp *w = me->warp;
    struct claim *c = claim_missed(me, a);
    if (!c || c->asked++ >= MOST_ASKED)
        return;
    bool swaps = lane_goes_to_swap(w, a->insn, me->lane, c->seen, &s) && s.host == a->host[me->lane] && s.expects == c->seen &&
                 insn_claims_by_swap(image_function_at(w->block->grid->config.kernel->image, s.in), s.in) && act_turns(c->act, c->other, c->seen, s.puts);
    if (swaps || would_claim(me, a, c))
        tell(me, a, c, false, swaps);
}

void claim_write_ahead(struct race *race, const struct warp *w, const struct mem_access *a)
{
    const struct insn *in = a->insn;
    bool by_exchange = false;
    if (!race->claims || in->mem.count != 1 || !order_is_strong(&in->mem) || !access_is_shared(a))
        return;
    const struct function *f = image_function_at(w->block->grid->config.kernel->image, in);
    bool looks = !f || insn_only_reads(f, in), takes = insn_class(in) == INSN_ATOMIC && insn_takes(w, in, &by_exchange);
    struct actor me = actor_at(race, w, a);
    for (uint32_t m = a->mask & ~a->older[0]; m; m &= m - 1) {
        uint64_t puts;
        actor_set_lane(&me, __builtin_ctz(m));
        struct claim *c = looks ? NULL : claim_missed(&me, a);
        if (looks)
            look_at_claim(&me, a);
        else if (c && comes_between(w, a, c, me.lane, &puts) && (takes ? (!by_exchange || puts != c->left) && act_turns(c->act, c->other, c->seen, puts) : is_claimed_twice(c, puts)))
            tell(&me, a, c, by_exchange, takes); /* who marks alike loses nothing */
    }
}

void claim_looked(struct race *race, const struct warp *w, const struct mem_access *a)
{
    const struct mem_desc *d = &a->insn->mem;
    if (!race->claims || d->count != 1 || !order_is_strong(d) || !access_is_shared(a))
        return;
    struct actor me = actor_at(race, w, a);
    for (uint32_t m = a->mask & ~a->older[0]; m; m &= m - 1) {
        actor_set_lane(&me, __builtin_ctz(m));
        look_at_claim(&me, a);
    }
}
