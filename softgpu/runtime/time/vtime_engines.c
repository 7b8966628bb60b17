/**
 * @file vtime_engines.c
 * Each device's engines in virtual time: two copy engines, one a direction, each with one copy at a
 * time; the SMs, which kernels share; and a place for what uses neither (events, host functions).
 *
 * Everything on an engine gets on at a rate of 0 to 1. Kernels take room on the SMs in the order in
 * which they became ready, urgent streams first: one that finds no room waits, one that finds less
 * than its blocks could fill goes slower. Those whose issue slots or memory traffic together exceed
 * what there is slow down, each by how much it depends on them. The two directions of the link
 * disturb each other a little.
 */
#include <math.h>

#include "runtime/state/operation.h"
#include "runtime/state/runtime.h"

#define NEVER UINT64_MAX
/** Below this an operation has ended: rates are fractions. */
#define NOTHING_LEFT_NS 0.01

LIST_TYPE(operations, struct operation *);

/** Copies to other devices have the engine of those to the host. */
static struct engines {
    struct operations copies[2];   /**< by direction, in order; the first one runs */
    struct operations grids;       /**< kernels, fills and copies within the device */
} engines[MAX_DEVICES];
static struct operations others;

#define FOR_DEVICES(e) for (struct engines *e = engines; e < engines + MAX_DEVICES; e++)

static bool runs_on_sms(const struct operation *op)
{
    return op->kind == OP_KERNEL || op->kind == OP_SET ||
           (op->kind == OP_COPY && op->copy.path == COPY_D2D);
}

static int priority_of(const struct operation *op)
{
    return op->priority;
}

/* ---- rates ---- */

static void set_copy_rates(struct engines *e)
{
    double rate = e->copies[0].count && e->copies[1].count ? runtime.device->timing->link_duplex : 1;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < e->copies[i].count; j++)
            e->copies[i].data[j]->time.work.rate = j ? 0 : rate;
}

static void set_grid_rates(struct engines *e)
{
    struct operations grids = e->grids;
    double room = 1, issue = 0, memory = 0;
    for (int i = 0; i < grids.count; i++) {
        struct work *k = &grids.data[i]->time.work;
        double got = k->share < room ? k->share : room;
        k->rate = k->share > 0 ? got / k->share : 1;
        if (k->rate < 1e-6)
            k->rate = 0;
        room -= got;
        issue += k->rate * k->issue;
        memory += k->rate * k->memory;
    }
    for (int i = 0; i < grids.count; i++) {
        struct work *k = &grids.data[i]->time.work;
        double stretch = fmax(1, fmax(k->issue * issue, k->memory * memory));
        k->rate /= stretch;
    }
}

static void begin_those_that_run(uint64_t now, struct operation **list, int count)
{
    for (int i = 0; i < count; i++)
        if (list[i]->time.work.rate > 0 && list[i]->time.start_ns == NEVER)
            list[i]->time.start_ns = now;
}

static void settle(uint64_t now)
{
    FOR_DEVICES(e)
    {
        set_copy_rates(e);
        set_grid_rates(e);
        for (int i = 0; i < 2; i++)
            begin_those_that_run(now, e->copies[i].data, e->copies[i].count);
        begin_those_that_run(now, e->grids.data, e->grids.count);
    }
    begin_those_that_run(now, others.data, others.count);
}

/* ---- coming and going ---- */

static void insert_grid(struct operations *grids, struct operation *op)
{
    *LIST_PUSH(grids) = op;
    int i = grids->count - 1; /* one that has begun keeps its place */
    while (i > 0 && grids->data[i - 1]->time.start_ns == NEVER &&
           priority_of(grids->data[i - 1]) > priority_of(op)) {
        grids->data[i] = grids->data[i - 1];
        i--;
    }
    grids->data[i] = op;
}

void engines_enter(struct operation *op)
{
    struct work *k = &op->time.work;
    struct engines *e = &engines[op->device];
    work_measure(op);
    k->left_ns = k->known ? k->alone_ns : INFINITY;
    k->rate = 1;
    op->time.start_ns = NEVER;
    op->time.state = TIME_ENGINE;
    if (runs_on_sms(op))
        insert_grid(&e->grids, op);
    else if (op->kind == OP_COPY && op->copy.path != COPY_H2H)
        *LIST_PUSH(&e->copies[op->copy.path == COPY_H2D ? COPY_H2D : COPY_D2H]) = op;
    else
        *LIST_PUSH(&others) = op;
    settle(op->time.ready_ns);
}

static uint64_t end_of(const struct operation *op, uint64_t now)
{
    const struct work *k = &op->time.work;
    if (k->rate <= 0 || !isfinite(k->left_ns))
        return NEVER;
    return k->left_ns <= NOTHING_LEFT_NS ? now : now + (uint64_t)ceil(k->left_ns / k->rate);
}

static uint64_t next_of(struct operation *const *list, int count, uint64_t now, uint64_t best)
{
    for (int i = 0; i < count; i++) {
        uint64_t end = end_of(list[i], now);
        best = end < best ? end : best;
    }
    return best;
}

uint64_t engines_next(uint64_t now)
{
    uint64_t best = NEVER;
    FOR_DEVICES(e)
    {
        for (int i = 0; i < 2; i++)
            best = next_of(e->copies[i].data, e->copies[i].count ? 1 : 0, now, best);
        best = next_of(e->grids.data, e->grids.count, now, best);
    }
    return next_of(others.data, others.count, now, best);
}

static void advance_list(struct operation *const *list, int count, uint64_t ns)
{
    for (int i = 0; i < count; i++) {
        struct work *k = &list[i]->time.work;
        k->left_ns -= k->rate * (double)ns;
        if (k->left_ns < 0)
            k->left_ns = 0;
    }
}

void engines_advance(uint64_t ns)
{
    FOR_DEVICES(e)
    {
        for (int i = 0; i < 2; i++)
            advance_list(e->copies[i].data, e->copies[i].count, ns);
        advance_list(e->grids.data, e->grids.count, ns);
    }
    advance_list(others.data, others.count, ns);
}

/* The first of a list that has nothing left to do. */
static struct operation *take_ended(struct operation **list, int *count, int among)
{
    for (int i = 0; i < *count && i < among; i++) {
        struct operation *op = list[i];
        if (op->time.start_ns == NEVER || op->time.work.left_ns > NOTHING_LEFT_NS)
            continue;
        for (int j = i + 1; j < *count; j++)
            list[j - 1] = list[j];
        --*count;
        return op;
    }
    return NULL;
}

struct operation *engines_leave(uint64_t now)
{
    struct operation *op = NULL;
    FOR_DEVICES(e)
    {
        for (int i = 0; i < 2 && !op; i++)
            op = take_ended(e->copies[i].data, &e->copies[i].count, 1);
        if (!op)
            op = take_ended(e->grids.data, &e->grids.count, e->grids.count);
    }
    if (!op)
        op = take_ended(others.data, &others.count, others.count);
    if (op)
        settle(now);
    return op;
}

/* ---- what is not known yet ---- */

struct operation *engines_unknown(void)
{
    FOR_DEVICES(e)
        for (int i = 0; i < e->grids.count; i++)
            if (!e->grids.data[i]->time.work.known)
                return e->grids.data[i];
    for (int i = 0; i < others.count; i++)
        if (!isfinite(others.data[i]->time.work.left_ns))
            return others.data[i];
    return NULL;
}

void engines_known(struct operation *op, uint64_t now, uint64_t not_before)
{
    struct work *k = &op->time.work;
    if (op->time.state != TIME_ENGINE || isfinite(k->left_ns))
        return;
    double done = op->time.start_ns == NEVER ? 0 : (double)(now - op->time.start_ns);
    double left = k->alone_ns - done, held = not_before > now ? (double)(not_before - now) : 0;
    k->left_ns = fmax(left, held);
    settle(now);
}

static void clear_list(struct operation **list, int *count, void (*drop)(struct operation *op))
{
    while (*count)
        drop(list[--*count]);
}

void engines_clear(void (*drop)(struct operation *op))
{
    FOR_DEVICES(e)
    {
        for (int i = 0; i < 2; i++)
            clear_list(e->copies[i].data, &e->copies[i].count, drop);
        clear_list(e->grids.data, &e->grids.count, drop);
    }
    clear_list(others.data, &others.count, drop);
}
