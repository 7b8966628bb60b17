/**
 * @file chained_atomics.c
 * See chained_atomics.h. Each condition here leaves out a step of atomic_element() that would find nothing to do.
 */
#include "check/race/chained_atomics.h"

#include "check/race/accesses.h"
#include "check/race/shadow/row_atomics.h"
#include "check/race/sync.h"
#include "execute/plain_access.h"

#define HALF 16
_Static_assert(HALF == ROW_WORDS, "half a warp fills a row");

bool chained_unheard(const struct actor *me)
{
    const struct mem_desc *mem = &me->insn->mem;
    enum mem_order order = (enum mem_order)mem->order;
    return me->race->agents.data[me->agent].launch->hears_none && !me->race->several && !me->race->atomics_older && !me->bs->cluster &&
           !order_acquires(order) && !order_releases(order) && !knowledge_has_fences(me->bs->base) && !me->ws->lanes;
}

void chained_begin(struct chained *c, const struct actor *me, uint32_t floor, bool returns)
{
    const struct mem_desc *mem = &me->insn->mem;
    enum mem_order order = (enum mem_order)mem->order;
    c->may = mem->count == 1 && mem->bytes == 4 && !me->race->several && !me->race->atomics_older && me->home == me->bs && !me->bs->cluster &&
             !order_acquires(order) && !order_releases(order) && !knowledge_has_fences(me->bs->base);
    if (!c->may)
        return;
    c->returns = returns;
    c->flags = flags_of(mem, true);
    c->floor = floor;
    c->contribution = (struct contribution){.agent = me->agent, .uniform = me->bs->uniform, .warp_uniform = me->ws->warp_uniform,
                                            .site = me->insn->site, .on = device_of(me->race, me->agent), .reach = reach_of(order_scope(mem))};
}

/** Is the word's last write an atomic of this kind, morally strong with the present one, and nothing else remembered that it could conflict with
 *  or learn from? */
static bool goes_on(const struct chained *c, const struct actor *me, const struct shadow_word *w)
{
    const struct sync *s = w->sync;
    if (!(w->flags & WORD_SYNC) || (w->flags & (WORD_SPLIT | WORD_LOGGED)) || w->write.agent < c->floor || !w->write.agent || (w->write.flags & ~(EPOCH_READ | EPOCH_KEPT)) != c->flags ||
        w->write.unit != PLAIN_WORD || w->read.agent >= c->floor)
        return false;
    if (!s->chain || s->tips || s->read_sc || s->read_sc_sys || s->chain->any_sc || s->chain->narrow || s->chain->carriers.count)
        return false;
    return c->contribution.reach >= REACH_DEVICE && (w->write.agent == me->agent || !agent_is_host(me->race, w->write.agent));
}

bool chained_atomic(const struct chained *c, struct actor *me, const struct mem_access *a)
{
    struct shadow_word *w = word_at(me, a, me->lane, a->address[me->lane]);
    if (!goes_on(c, me, w) || !(a->wrote >> me->lane & 1) || !lane_passes_nothing(actor_lane(me)))
        return false;
    struct sync *s = w->sync;
    uint64_t before = a->old[0][me->lane];
    if (c->returns)
        sync_observe(me, s->chain, s->upto, &me->insn->mem);
    struct contribution own = c->contribution;
    own.thread = (uint16_t)me->thread;
    own.time = me->time;
    own.unseen = a->value[0][me->lane] == before;
    word_goes_on(w, &own, c->flags | (atomic_adds(me->insn) ? EPOCH_READ : 0), ++me->race->moment, before);
    signals_note(&me->race->agents.data[me->agent].signals, s->chain->place, &own, me->race->asks_signals);
    me->time = lane_goes_on(me->ws, me->lane);
    return true;
}

/* ---- Rows of a half warp each ---- */

/** The row that the half warp from `lane` on fills; NULL: it fills none. All its lanes are at one time. */
static struct shadow_row *row_of(const struct actor *me, const struct plain_access *p, int lane)
{
    uint32_t at = p->at[lane], time = me->ws->time[lane], times = 0;
    if (at % ROW_BYTES || at + ROW_BYTES > p->allocation->bytes)
        return NULL;
    for (int i = 0; !me->ws->one_time && i < HALF; i++)
        times |= me->ws->time[lane + i] ^ time;
    return times ? NULL : shadow_row_at(shadow_of(p->allocation), at);
}

/** chained_atomic() of half a warp at once, put down for the words of its row to be told. @return false: nothing has been done */
static bool row_goes_on(const struct chained *c, struct actor *me, const struct plain_access *p, int lane)
{
    struct shadow_row *row = row_of(me, p, lane);
    if (!row || !row->owes || c->contribution.reach < REACH_DEVICE || row->atomics->flags != c->flags || row->atomics->last < c->floor)
        return false;
    struct row_atomic *u = row_atomics_add(row);
    actor_set_lane(me, lane);
    u->by = c->contribution;
    u->by.thread = (uint16_t)me->thread;
    u->by.time = me->time;
    u->flags = c->flags | (atomic_adds(me->insn) ? EPOCH_READ : 0);
    u->moment = me->race->moment;
    u->unseen = 0;
    memcpy(u->before, p->old + lane, sizeof u->before);
    for (int i = 0; i < HALF; i++) {
        u->unseen |= (uint16_t)((p->old[lane + i] == p->value[lane + i]) << i);
        me->ws->time[lane + i]++;
    }
    me->ws->one_time = false;
    me->race->moment += HALF;
    row->atomics->last = me->agent;
    const uint64_t place = p->base + p->at[lane];
    signals_note_row(&me->race->agents.data[me->agent].signals, place, place + 4 * (HALF - 1), &u->by);
    return true;
}

void access_plain_atomics(struct race *race, const struct warp *w, struct plain_access *p, uint32_t lanes)
{
    struct actor me;
    struct chained c = {.may = false};
    actor_begin_plain(&me, race, w, p->insn);
    if (p->space == SPACE_GLOBAL && lanes == UINT32_MAX && (p->shape == PLAIN_ROW || p->shape == PLAIN_ROWS) && !me.ws->lanes)
        chained_begin(&c, &me, floor_in(&me, p->space), p->insn->dst != REG_NONE && !race->agents.data[me.agent].launch->deaf);
    if (!c.may || c.returns) {
        access_atomics(race, w, plain_full(w, p), lanes);
        return;
    }
    note_written_to(&me, p->allocation);
    uint32_t left = !row_goes_on(&c, &me, p, 0) ? UINT32_MAX : !row_goes_on(&c, &me, p, HALF) ? UINT32_MAX << HALF : 0;
    if (!left)
        return;
    for (int lane = 0; lane < WARP_LANES; lane += HALF) {
        struct shadow_row *row = left >> lane & 1 ? row_of(&me, p, lane) : NULL;
        if (row && row->owes)
            row_atomics_over(row, c.floor);
    }
    access_atomics(race, w, plain_full(w, p), left);
    for (int lane = 0; lane < WARP_LANES; lane += HALF) {
        struct shadow_row *row = left >> lane & 1 ? row_of(&me, p, lane) : NULL;
        if (row)
            row_atomics_begin(row);
    }
}

bool atomic_adds(const struct insn *in)
{
    enum atom_op op = (enum atom_op)in->mem.atom;
    return op == ATOM_ADD || op == ATOM_INC || op == ATOM_DEC || op == ATOM_XOR;
}

bool atomic_tells(const struct launch *launch, const struct insn *in)
{
    return atomic_adds(in) || (in->dst != REG_NONE && !launch->deaf);
}
