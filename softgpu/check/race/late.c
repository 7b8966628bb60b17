/**
 * @file late.c
 * See late.h.
 */
#include "check/race/late.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/acts.h"
#include "check/race/actor.h"
#include "check/race/belongs_told.h"
#include "check/race/counted_told.h"
#include "check/race/late_claims.h"
#include "check/race/late_looks.h"
#include "execute/finding_place.h"
#include "execute/machine.h"
#include "report/reporter.h"

/** Of all pairs of one function that the warp has executed, inlined or called. */
struct checked {
    const struct acts *acts;
    struct checked *next;
    struct read_by_lanes by[];
};

/** The pairs that may matter to a strong access; NULL: none. */
static const struct acts *acts_around(const struct warp *w, const struct insn *in)
{
    const struct function *f = function_around(w, in);
    const struct acts *acts = f ? acts_of(f) : NULL;
    return acts && acts->count ? acts : NULL;
}

static const struct acts *acts_for(const struct warp *w, const struct mem_access *a)
{
    return order_is_strong(&a->insn->mem) && access_is_shared(a) ? acts_around(w, a->insn) : NULL;
}

bool late_concerns(const struct warp *w, const struct insn *in)
{
    return acts_around(w, in) || counted_around(w, in) || belongs_around(w, in);
}

static struct read_by_lanes *checked_of(struct race *race, const struct warp *w, const struct acts *acts)
{
    struct block_state *bs = w->block->check[race->slot];
    struct warp_state *ws = &bs->warps[w->index];
    struct checked *c = ws->checked;
    while (c && c->acts != acts)
        c = c->next;
    if (c)
        return c->by;
    c = calloc(1, sizeof *c + (size_t)acts->count * sizeof *c->by);
    assert(c);
    c->acts = acts;
    c->next = ws->checked;
    ws->checked = c;
    return c->by;
}

void late_free(struct checked *c)
{
    while (c) {
        struct checked *next = c->next;
        free(c);
        c = next;
    }
}

/** A lane has read `value`, and changed nothing; or it has added, and left that. */
static void note(struct read_by_lanes *c, const struct warp *w, const struct acts *acts, const struct mem_access *a, int lane, uint64_t value, bool added)
{
    for (int i = 0; i < acts->count; i++)
        if (acts->list[i].check == a->insn && added == (acts->list[i].kind == ACT_RESETS)) {
            c[i].value[lane] = value;
            c[i].address[lane] = a->address[lane];
            c[i].other[lane] = added ? a->old[0][lane] : acts->list[i].early ? late_compared_with(w, &acts->list[i], lane) : 0;
            late_note_leaves(w, &acts->list[i], &c[i], lane);
            c[i].valid |= 1u << lane;
        }
}

/** Lanes look by another instruction where they have looked before they link: by that, then, they go. */
static void look_again(const struct acts *acts, struct read_by_lanes *c, const struct mem_access *a, uint32_t lanes)
{
    for (int i = 0; i < acts->count; i++)
        for (uint32_t m = (acts->list[i].links || acts->list[i].replaces) && acts->list[i].check != a->insn ? lanes & c[i].missed : 0; m; m &= m - 1)
            if (c[i].address[__builtin_ctz(m)] == a->address[__builtin_ctz(m)])
                c[i].missed &= ~(m & -m);
}

/** Would the comparison come out otherwise with what the location held before the update to `after`? The register that a maximum was compared with may
 *  hold something else by now: what is stored tells it. */
static bool turns(const struct warp *w, const struct act *act, int lane, const struct read_by_lanes *c, uint64_t before, uint64_t after)
{
    uint64_t other = act->early ? c->other[lane] : act->kind == ACT_PICKS ? after - act->more : late_compared_with(w, act, lane);
    return act_turns(act, act->check->mem.bytes == 8 ? other : (uint32_t)other, late_made(w, act, c, lane, c->value[lane]), late_made(w, act, c, lane, before));
}

/** Does the update go wrong? `before`, `after`: what the location holds. */
static bool is_late(const struct warp *w, const struct act *act, int lane, const struct read_by_lanes *c, uint64_t before, uint64_t after,
                    bool wrote)
{
    if (before == c->value[lane])
        return false;
    switch (act->kind) {
    case ACT_SWAPS:
        return !wrote;
    case ACT_STORES:
        return true;
    case ACT_TAKES:
        return (c->updated >> lane & 1) && (!act->replaces || after != before);
    case ACT_MOVES: /* bits that another has taken are taken twice; who adds what the other has left to be added, adds it twice; what others give or take is in either amount */
        if (insn_sets_bits(act->act))
            return act_bits_taken(act, late_made(w, act, c, lane, c->value[lane]), c->value[lane], before);
        return (c->updated >> lane & 1) && late_made(w, act, c, lane, c->value[lane]) != late_made(w, act, c, lane, before);
    case ACT_RESETS: /* where it puts back what it looks for it is a lock that is tried: who has added in between has not got it */
        return after != c->other[lane];
    case ACT_CLAIMS: /* who marks what another has marked alike does nothing, if nothing hangs on it: on a swap that is looked at something does */
        return (after != before || act->locks || act->counts || (c->updated >> lane & 1)) && turns(w, act, lane, c, before, after);
    default:
        return after != before && turns(w, act, lane, c, before, after);
    }
}

enum late_act act_is_late_as(const struct act *act)
{
    static const enum late_act late[] = {[ACT_STORES] = LATE_OVERWRITES, [ACT_SWAPS] = LATE_SWAP_FAILS,
                                         [ACT_ADDS] = LATE_CHECK_FAILS, [ACT_PICKS] = LATE_CHECK_FAILS,
                                         [ACT_CLAIMS] = LATE_CLAIM, [ACT_RESETS] = LATE_OVERWRITES,
                                         [ACT_MOVES] = LATE_CHECK_FAILS, [ACT_TAKES] = LATE_TAKES};
    return act->links ? LATE_LINKS : act->replaces ? LATE_EXCHANGES : late[act->kind];
}

bool act_is_error(const struct act *act)
{
    if (act->kind == ACT_CLAIMS) /* of several that claim, any may do */
        return act->locks;
    if (act->kind == ACT_MOVES && act->act->mem.type >= PTX_F16) /* a step towards something: the next one begins where this has led */
        return false;
    return !act->told && !act->jumps;
}

/** A lane changes a location, or tries to: what it has read there before is used up. */
static void act_on(struct race *race, const struct warp *w, const struct mem_access *a, const struct acts *acts,
                   struct read_by_lanes *c, int lane, uint64_t before, uint64_t after, bool wrote)
{
    for (int i = 0; i < acts->count; i++) {
        if (!(c[i].valid >> lane & 1) || c[i].address[lane] != a->address[lane])
            continue;
        c[i].valid &= ~(1u << lane);
        if (acts->list[i].act != a->insn)
            continue;
        const bool late = is_late(w, &acts->list[i], lane, &c[i], before, after, wrote), claims = acts->list[i].kind == ACT_CLAIMS && wrote;
        if (claims)
            claim_note(race, w, a, &acts->list[i], lane, c[i].value[lane], acts->list[i].early ? c[i].other[lane] : late_compared_with(w, &acts->list[i], lane), late);
        if (late)
            late_tell(race, w, lane, &(struct late_told){.act = &acts->list[i], .space = a->space, .address = a->address[lane],
                                                         .has_after = true, .after = after, .swapped = acts->list[i].kind == ACT_CLAIMS && (c[i].updated >> lane & 1), .over = c[i].over >> lane & 1,
                                                         .seen = acts->list[i].kind == ACT_RESETS ? c[i].other[lane] : c[i].value[lane]});
        else if (c[i].missed >> lane & 1)
            late_missed(race, w, lane, acts, i, &c[i], after);
    }
}

void late_load(struct race *race, const struct warp *w, const struct mem_access *a)
{
    counted_look(race, w, a, a->mask, false);
    claim_looked(race, w, a);
    const struct acts *acts = acts_for(w, a);
    struct read_by_lanes *c = acts ? checked_of(race, w, acts) : NULL;
    for (uint32_t m = c ? a->mask & ~a->older[0] : 0; m; m &= m - 1)
        note(c, w, acts, a, __builtin_ctz(m), a->value[0][__builtin_ctz(m)], false);
    if (c) {
        look_again(acts, c, a, a->mask);
        late_compare(race, w, a, acts, c, a->mask);
        late_look(race, w, a, acts, c, a->mask & ~a->older[0]);
    }
    for (int i = 0; c && i < acts->count; i++) /* what was read here before is no longer what the thread goes by */
        if (acts->list[i].check == a->insn)
            c[i].valid &= ~(a->mask & a->older[0]);
}

void late_store_ahead(struct race *race, const struct warp *w, const struct mem_access *a)
{
    claim_write_ahead(race, w, a);
    const struct acts *acts = acts_for(w, a);
    struct read_by_lanes *c = acts ? checked_of(race, w, acts) : NULL;
    for (int i = 0; c && i < acts->count; i++) {
        const struct act *act = &acts->list[i];
        if (act->act == a->insn && (act->kind == ACT_TAKES || act->kind == ACT_MOVES || act->kind == ACT_CLAIMS))
            late_note_updates(race, w, a, act, &c[i], a->mask & c[i].valid);
    }
}

void late_atomic_ahead(struct race *race, const struct warp *w, const struct mem_access *a)
{
    const struct acts *acts = a->insn->mem.atom == ATOM_ADD ? acts_for(w, a) : NULL;
    struct read_by_lanes *c = acts ? checked_of(race, w, acts) : NULL;
    uint32_t looks = 0;
    counted_look(race, w, a, a->mask, true);
    late_store_ahead(race, w, a);
    for (uint32_t m = c ? a->mask & ~a->older[0] : 0; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        bool changes = (a->wrote >> lane & 1) && a->old[0][lane] != a->value[0][lane];
        looks |= (uint32_t)!changes << lane;
    }
    for (uint32_t m = looks; m; m &= m - 1)
        note(c, w, acts, a, __builtin_ctz(m), a->old[0][__builtin_ctz(m)], false);
    if (looks) {
        look_again(acts, c, a, looks);
        late_look(race, w, a, acts, c, looks);
    }
}

void late_store(struct race *race, const struct warp *w, const struct mem_access *a)
{
    counted_write(race, w, a);
    belongs_write(race, w, a);
    const struct acts *acts = acts_for(w, a);
    struct read_by_lanes *c = acts ? checked_of(race, w, acts) : NULL;
    uint64_t newest[WARP_LANES] = {0};
    for (uint32_t m = c ? a->mask : 0; m; m &= m - 1) {
        int lane = __builtin_ctz(m), before = lane;
        memcpy(&newest[lane], a->host[lane], a->insn->mem.bytes < 8 ? a->insn->mem.bytes : 8);
        while (--before >= 0) /* lanes of one instruction write one after another */
            if ((a->mask >> before & 1) && a->address[before] == a->address[lane]) {
                newest[lane] = a->value[0][before];
                break;
            }
        act_on(race, w, a, acts, c, lane, newest[lane], a->value[0][lane], true);
    }
}

void late_atomic(struct race *race, const struct warp *w, const struct mem_access *a)
{
    counted_write(race, w, a);
    belongs_write(race, w, a);
    const struct acts *acts = acts_for(w, a);
    struct read_by_lanes *c = acts ? checked_of(race, w, acts) : NULL;
    for (uint32_t m = c ? a->mask : 0; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        uint64_t old = a->old[0][lane], now = a->value[0][lane];
        bool wrote = a->wrote >> lane & 1;
        if (a->older[0] >> lane & 1) { /* what it rests on is told as an order that does not exist */
            for (int i = 0; i < acts->count; i++)
                c[i].valid &= ~(1u << lane);
            continue;
        }
        act_on(race, w, a, acts, c, lane, old, wrote ? now : old, wrote);
        bool added = wrote && old != now;
        note(c, w, acts, a, lane, added ? now : old, added);
    }
}
