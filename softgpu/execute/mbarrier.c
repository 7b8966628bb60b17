/**
 * @file mbarrier.c
 * Barrier objects in shared memory (PTX ISA 9.7.13.15). The block keeps their state; the object's own bytes hold
 * a picture of it, so that an object that was never initialised, or was written over, is told from a sound one.
 */
#include "code/descriptions.h"
#include "execute/access.h"
#include "execute/async_copy.h"
#include "execute/engine.h"
#include "execute/fault.h"
#include "execute/in_flight.h"
#include "execute/worker.h"

#define MOST_ARRIVALS ((1u << 20) - 1)
#define MOST_BYTES ((1 << 20) - 1)
#define FIELD ((1u << 20) - 1)

/** What the object's bytes hold. */
static uint64_t picture(const struct mbarrier *b)
{
    return (b->pending & FIELD) | (uint64_t)(b->expected & FIELD) << 20 | (uint64_t)(b->tx & 0x1fffff) << 40 |
           (b->phase & 1) << 61 | 1ull << 62;
}

/** The state that an arrival returns: arrivals pending before it, and the phase. */
static uint64_t state_of(const struct mbarrier *b)
{
    return (b->pending & FIELD) | b->phase << 20;
}

static bool refuse(struct warp *w, const struct insn *in, int lane, enum finding_cause cause, uint32_t offset,
                   uint64_t number, uint64_t size)
{
    fault_at(w, in, lane, &(struct fault){.cause = cause, .space = SPACE_SHARED, .address = offset,
                                          .facts = {.number = number, .size = size}});
    return false;
}

/**
 * Without checks a wait passes by what the object was before mbarrier.inval, as an H200's does (four tries each of test_wait and
 * try_wait): there a thread that is late to look goes on. With checks that is a misuse, since nothing promises it.
 */
static bool still_passes(const struct warp *w, const struct insn *in, const struct mbarrier *b, uint64_t held)
{
    bool waits = insn_row(in) == ROW_mbar_test_wait || insn_row(in) == ROW_mbar_try_wait;
    return waits && !b->valid && (!held || held == picture(b)) && !warp_machine(w)->checked;
}

/** The object at a place in shared memory; NULL after a fault. */
static struct mbarrier *object_at(struct warp *w, const struct insn *in, int lane, const struct place *p)
{
    uint64_t held;
    memcpy(&held, p->host, sizeof held);
    struct mbarrier *b = block_mbarrier(p->owner, p->address);
    if (b && ((b->valid && held == picture(b)) || still_passes(w, in, b, held)))
        return b;
    refuse(w, in, lane, !b ? CAUSE_MBARRIER_NONE : !b->valid ? CAUSE_MBARRIER_GONE : CAUSE_MBARRIER_OVERWRITTEN,
           (uint32_t)p->address, 0, 0);
    return NULL;
}

/** Ends the phase if nothing is missing any more. @return whether it did */
static bool settle(struct mbarrier *b)
{
    if (b->pending || b->tx)
        return false;
    b->phase++;
    b->pending = b->expected;
    return true;
}

static uint32_t operand(const struct warp *w, uint32_t reg, int lane, uint32_t otherwise)
{
    return reg == REG_NONE ? otherwise : ((const uint32_t *)warp_reg(w, reg))[lane];
}

/** @return false after a fault; `again`: there is one already */
static bool init(struct warp *w, const struct insn *in, int lane, const struct place *p, struct mbarrier **out, bool *again)
{
    uint64_t held;
    memcpy(&held, p->host, sizeof held);
    uint32_t count = operand(w, in->src[1], lane, 0);
    if (!count || count > MOST_ARRIVALS)
        return refuse(w, in, lane, CAUSE_MBARRIER_COUNT, (uint32_t)p->address, count, MOST_ARRIVALS);
    struct mbarrier *b = block_mbarrier(p->owner, p->address);
    *again = b && b->valid && held == picture(b);
    uint64_t earlier = b ? b->earlier + b->phase : 0;
    if (!b)
        b = LIST_PUSH(&p->owner->mbarriers);
    *b = (struct mbarrier){.offset = (uint32_t)p->address, .valid = true, .expected = count, .pending = count, .earlier = earlier};
    *out = b;
    return true;
}

/** `add` bytes more, or fewer, are to come. */
static bool add_tx(struct warp *w, const struct insn *in, int lane, struct mbarrier *b, int64_t add)
{
    if (b->tx + add > MOST_BYTES || b->tx + add < -MOST_BYTES)
        return refuse(w, in, lane, CAUSE_MBARRIER_BYTES, b->offset, (uint64_t)(b->tx + add), MOST_BYTES);
    b->tx += (int32_t)add;
    return true;
}

static bool arrive(struct warp *w, const struct insn *in, int lane, struct mbarrier *b, uint32_t count, bool drop)
{
    const struct mbarrier_desc *x = in->extra;
    if (x->expects && !add_tx(w, in, lane, b, operand(w, in->src[2], lane, 0)))
        return false;
    if (!count || count > b->pending)
        return refuse(w, in, lane, CAUSE_MBARRIER_ARRIVALS, b->offset, count, b->pending);
    if (x->no_complete && count == b->pending && !b->tx)
        return refuse(w, in, lane, CAUSE_MBARRIER_COMPLETES, b->offset, count, b->pending);
    if (in->dst != REG_NONE)
        ((uint64_t *)warp_reg(w, in->dst))[lane] = state_of(b);
    b->pending -= count;
    b->expected -= drop ? count : 0;
    return true;
}

/** Is the phase complete that the lane asks for? A state is of this phase or the one before; where the object is as its picture shows it
 *  (take_up()) both are known by their parity. */
static bool is_past(const struct warp *w, const struct insn *in, int lane, const struct mbarrier *b)
{
    const struct mbarrier_desc *x = in->extra;
    if (x->parity)
        return (b->phase & 1) != (((const uint32_t *)warp_reg(w, in->src[1]))[lane] & 1);
    return (((const uint64_t *)warp_reg(w, in->src[1]))[lane] >> 20) != b->phase;
}

static void put_passes(struct warp *w, const struct insn *in, int lane, bool passes)
{
    if (in->dst != REG_NONE) {
        uint32_t *p = warp_reg(w, in->dst);
        *p = passes ? *p | 1u << lane : *p & ~(1u << lane);
    }
    w->polled |= !passes;
}

/** With checks, mbarrier.inval of what has been invalidated, and not been used since: a GPU goes on (libcu++'s pipelines do it, at quit() and at
 *  their end), and nothing changes. NULL: it is something else. */
static struct mbarrier *gone_once_more(struct warp *w, const struct insn *in, int lane, const struct place *p)
{
    uint64_t held;
    memcpy(&held, p->host, sizeof held);
    struct mbarrier *b = insn_row(in) == ROW_mbar_inval ? block_mbarrier(p->owner, p->address) : NULL;
    if (!b || b->valid || held)
        return NULL;
    fault_note(w, in, lane, &(struct fault){.cause = CAUSE_MBARRIER_GONE_TWICE, .space = SPACE_SHARED, .address = p->address});
    return b;
}

/** mbarrier.inval where there is no object, without checks: an H100 changes nothing and goes on, whatever lies there (tests/runtime/undefined_facts.cu). */
static bool invalidates_nothing(const struct warp *w, const struct insn *in, const struct place *p)
{
    const struct mbarrier *b = insn_row(in) == ROW_mbar_inval ? block_mbarrier(p->owner, p->address) : NULL;
    return insn_row(in) == ROW_mbar_inval && !warp_machine(w)->checked && !(b && b->valid);
}

/** Carries out one lane's operation. @return false after a fault */
static bool operate(struct warp *w, const struct insn *in, int lane, const struct place *p, struct mbarrier_event *e)
{
    static const uint8_t kinds[ROW_COUNT] = {
        [ROW_mbar_init] = MBARRIER_INIT, [ROW_mbar_inval] = MBARRIER_INVAL, [ROW_mbar_arrive] = MBARRIER_ARRIVE,
        [ROW_mbar_arrive_drop] = MBARRIER_ARRIVE, [ROW_mbar_expect_tx] = MBARRIER_TX,
        [ROW_mbar_complete_tx] = MBARRIER_TX, [ROW_mbar_test_wait] = MBARRIER_WAIT,
        [ROW_mbar_try_wait] = MBARRIER_WAIT, [ROW_cp_mbarrier] = MBARRIER_COPIES};
    const struct mbarrier_desc *x = in->extra;
    enum op_row row = insn_row(in);
    struct mbarrier *b = gone_once_more(w, in, lane, p);
    bool fine = true;
    if (row == ROW_mbar_init ? !init(w, in, lane, p, &b, &e->again) : !b && !(b = object_at(w, in, lane, p)))
        return false;
    switch (row) {
    case ROW_mbar_init:
        break;
    case ROW_mbar_inval:
        b->valid = false;
        break;
    case ROW_mbar_expect_tx:
        fine = add_tx(w, in, lane, b, operand(w, in->src[2], lane, 0));
        break;
    case ROW_mbar_complete_tx:
        fine = add_tx(w, in, lane, b, -(int64_t)operand(w, in->src[2], lane, 0));
        break;
    case ROW_mbar_test_wait:
    case ROW_mbar_try_wait:
        e->passes = is_past(w, in, lane, b);
        put_passes(w, in, lane, e->passes);
        break;
    case ROW_cp_mbarrier: /* without .noinc one arrival more is expected in this phase, which is this one */
        fine = !x->noinc || arrive(w, in, lane, b, 1, false);
        break;
    default:
        fine = arrive(w, in, lane, b, operand(w, in->src[1], lane, 1), row == ROW_mbar_arrive_drop);
    }
    e->kind = kinds[row];
    e->lane = lane;
    e->barrier = b;
    e->relaxed = x->relaxed;
    e->scope = (enum mem_scope)x->scope;
    e->completes = fine && e->kind != MBARRIER_INIT && e->kind != MBARRIER_WAIT && b->valid && settle(b);
    return fine;
}

static void count_flight(struct warp *w, const struct insn *in, const struct mbarrier_event *e, uint32_t bytes)
{
    const struct mbarrier *b = e->barrier;
    uint64_t phase = b->phase - e->completes;
    if (!warp_machine(w)->options.counters)
        return;
    if (e->kind == MBARRIER_BULK)
        flight_bulk(w, in, e->lane, b->offset, phase, bytes);
    else if (e->kind == MBARRIER_COPIES)
        flight_give(w, in, e->lane, b->offset, phase);
    else if (e->kind == MBARRIER_WAIT && e->passes)
        flight_land(w, in, e->lane, b->offset, b->phase);
}

/* ---- A thread that runs alone (grid_config.lone): what the object holds is chosen, by the order in which threads come to it */

static bool is_alone(const struct warp *w)
{
    return w->block->grid->config.lone && warp_machine(w)->chooser.how->rmw_read;
}

/** Writes, whatever the object held? Every other operation reads it. */
static bool writes_blindly(const struct insn *in)
{
    return insn_row(in) == ROW_mbar_init || insn_row(in) == ROW_mbar_inval;
}

/** The block's object becomes what its bytes show. */
static void show(const struct place *p, uint64_t held)
{
    struct mbarrier *b = block_mbarrier(p->owner, p->address);
    bool valid = held >> 62 & 1;
    if (!b && !valid)
        return;
    if (!b)
        b = LIST_PUSH(&p->owner->mbarriers);
    *b = (struct mbarrier){.offset = (uint32_t)p->address, .valid = valid, .pending = held & FIELD, .expected = held >> 20 & FIELD,
                           .tx = (int32_t)((int64_t)(held << 3) >> 43), .phase = held >> 61 & 1};
}

/** @return false: the run is of no more use */
static bool take_up(struct warp *w, const struct element_of_access *at, const struct place *p)
{
    struct machine *m = warp_machine(w);
    uint64_t held;
    if (!is_alone(w) || writes_blindly(at->access->insn))
        return true;
    memcpy(&held, p->host, sizeof held);
    bool goes_on = m->chooser.how->rmw_read(m->chooser.self, w, at, &held);
    if (!goes_on)
        grid_cut(w->block->grid);
    memcpy(p->host, &held, sizeof held);
    show(p, held);
    return goes_on;
}

static void put_down(struct warp *w, int lane, bool waits, uint64_t held)
{
    struct machine *m = warp_machine(w);
    struct mem_access *a = &w->worker->access;
    const struct element_of_access at = {a, lane, 0};
    uint32_t hidden[MAX_ELEMENTS] = {0};
    bool stays = true;
    a->value[0][lane] = held;
    bool goes_on = writes_blindly(a->insn) ? m->chooser.how->store(m->chooser.self, w, a, hidden)
                                           : m->chooser.how->rmw_write(m->chooser.self, w, &at, !waits, held, &stays);
    if (!goes_on)
        grid_cut(w->block->grid);
}

/** Tells those who watch, and draws the object anew. */
static void finish(struct warp *w, const struct mbarrier_event *e, uint8_t *host)
{
    uint64_t held = e->kind == MBARRIER_INVAL ? 0 : picture(e->barrier);
    OBSERVE(&warp_machine(w)->observers, mbarrier, w, e);
    if (is_alone(w))
        put_down(w, e->lane, e->kind == MBARRIER_WAIT, held);
    memcpy(host, &held, sizeof held);
}

static bool place_object(struct warp *w, const struct insn *in, int lane, uint64_t address, struct place *p)
{
    struct mem_access *a = &w->worker->access;
    if (!access_place(w, in, lane, address, 8, true, p))
        return false;
    if (p->space != SPACE_SHARED) {
        fault_at(w, in, lane, &(struct fault){.cause = CAUSE_MBARRIER_SPACE});
        return false;
    }
    a->owner = p->owner;
    a->address[lane] = p->address;
    a->host[lane] = p->host;
    a->allocation[lane] = NULL;
    return true;
}

bool mbarrier_complete_bytes(struct warp *w, const struct insn *in, const struct insn *at, int lane, uint64_t address, uint32_t bytes)
{
    struct mem_access *a = worker_access(w->worker, at);
    struct place p;
    a->mask = 1u << lane;
    a->space = SPACE_SHARED;
    struct mbarrier *b = place_object(w, at, lane, address, &p) ? object_at(w, at, lane, &p) : NULL;
    if (!b || !add_tx(w, at, lane, b, -(int64_t)bytes))
        return false;
    struct mbarrier_event e = {.kind = MBARRIER_BULK, .access = a, .lane = lane, .same = 1u << lane, .barrier = b};
    e.completes = settle(b);
    a->value[0][lane] = b->phase;
    count_flight(w, in, &e, bytes);
    finish(w, &e, p.host);
    return true;
}

const struct insn *op_mbarrier(struct warp *w, const struct insn *in)
{
    struct mem_access *a = worker_access(w->worker, in);
    a->mask = w->mask;
    a->space = SPACE_SHARED;
    uint64_t address[WARP_LANES], apart = 0;
    FOR_LANES(lane, w->mask)
    {
        address[lane] = lane_address(w, in, (int)lane);
        apart |= address[lane] ^ address[__builtin_ctz(w->mask)];
    }
    FOR_LANES(lane, w->mask)
    {
        struct place p;
        struct mbarrier_event e = {.access = a, .same = (apart ? 1u : w->mask >> lane) << lane};
        if (!place_object(w, in, (int)lane, address[lane], &p))
            return NULL;
        if (!take_up(w, &(struct element_of_access){a, (int)lane, 0}, &p))
            return in + 1;
        if (invalidates_nothing(w, in, &p))
            continue;
        if (!operate(w, in, (int)lane, &p, &e))
            return NULL;
        a->value[0][lane] = e.kind == MBARRIER_INVAL ? 0 : e.barrier->phase;
        count_flight(w, in, &e, 0);
        finish(w, &e, p.host);
    }
    end_hopeless(warp_machine(w), w);
    return in + 1;
}

const struct insn *op_mbar_pending(struct warp *w, const struct insn *in)
{
    const uint64_t *state = warp_reg(w, in->src[0]);
    uint32_t *count = in->dst == REG_NONE ? NULL : warp_reg(w, in->dst);
    FOR_LANES(lane, count ? w->mask : 0)
    {
        count[lane] = (uint32_t)(state[lane] & FIELD);
    }
    return in + 1;
}
