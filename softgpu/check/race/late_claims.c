/**
 * @file late_claims.c
 * See late_claims.h.
 */
#include "check/race/late_claims.h"

#include <assert.h>
#include <stdlib.h>

#include "analyse/looked_at.h"
#include "base/mix.h"
#include "check/race/element.h"
#include "check/race/late_looks.h"
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

/** Would it have found there what the look has found, and left what the claim does not hold by? */
static bool comes_between(const struct warp *w, const struct mem_access *a, const struct claim *c, int lane, bool by_exchange)
{
    unsigned bytes = a->insn->mem.bytes;
    uint64_t puts = a->value[0][lane];
    if (!by_exchange) {
        const struct insn *in = a->insn;
        if (in->dst == in->src[1] || in->dst == in->src[2] || reg_read(w, in->src[1], bytes, lane) != c->seen)
            return false;
        puts = reg_read(w, in->src[2], bytes, lane);
    }
    return (!by_exchange || puts != c->left) && act_turns(c->act, c->other, c->seen, puts); /* who marks alike loses nothing */
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

static void tell(const struct actor *me, const struct mem_access *a, struct claim *c, bool by_exchange)
{
    c->told = true;
    late_tell(me->race, me->warp, me->lane, &(struct late_told){.act = c->act, .space = a->space, .address = a->address[me->lane], .seen = c->seen, .may = true,
                                                                .swapped = true, .over = by_exchange, .thread = &c->by});
}

void claim_atomic_ahead(struct race *race, const struct warp *w, const struct mem_access *a)
{
    bool by_exchange;
    if (!race->claims || a->insn->mem.count != 1 || !order_is_strong(&a->insn->mem) || !access_is_shared(a) || !insn_takes(w, a->insn, &by_exchange))
        return;
    struct actor me = actor_at(race, w, a);
    for (uint32_t m = a->mask & ~a->older[0]; m; m &= m - 1) {
        actor_set_lane(&me, __builtin_ctz(m));
        struct claim *c = claim_missed(&me, a);
        if (c && comes_between(w, a, c, me.lane, by_exchange))
            tell(&me, a, c, by_exchange);
    }
}

void claim_looked(struct race *race, const struct warp *w, const struct mem_access *a)
{
    const struct mem_desc *d = &a->insn->mem;
    if (!race->claims || d->count != 1 || !order_is_strong(d) || !access_is_shared(a))
        return;
    struct actor me = actor_at(race, w, a);
    for (uint32_t m = a->mask & ~a->older[0]; m; m &= m - 1) {
        struct ahead_swap s;
        actor_set_lane(&me, __builtin_ctz(m));
        struct claim *c = claim_missed(&me, a);
        if (c && c->asked++ < MOST_ASKED && lane_goes_to_swap(w, a->insn, me.lane, c->seen, &s) && s.host == a->host[me.lane] && s.expects == c->seen &&
            insn_claims_by_swap(image_function_at(w->block->grid->config.kernel->image, s.in), s.in) && act_turns(c->act, c->other, c->seen, s.puts))
            tell(&me, a, c, false);
    }
}
