/**
 * @file vtime_work.c
 * How long an operation takes with its engine to itself.
 *
 * A kernel: whichever is longest of what its SMs can issue, what the memory can move, what one
 * warp's instructions and loads take one after another, and what its blocks saw pass on the clock.
 */
#include <math.h>

#include "execute/sm_part.h"
#include "runtime/state/operation.h"
#include "runtime/state/runtime.h"

/** Warp instructions an SM issues in one clock (four schedulers since Volta). */
#define ISSUE_PER_CLOCK 4.0
/** Copies within the host, by its processor: a typical figure. */
#define HOST_COPY_GBS 10.0

static double longest(double a, double b)
{
    return a > b ? a : b;
}

static double clocks_to_ns(double clocks)
{
    return clocks * 1e6 / runtime.device->sm_clock_khz;
}

static void measure_kernel(struct operation *op)
{
    const struct device_model *d = runtime.device;
    const struct device_timing *t = d->timing;
    const struct grid *g = op->grid;
    struct work *k = &op->time.work;
    int fit = machine_occupancy(runtime.machine, op->config.kernel, (int)g->threads_per_block,
                                op->config.dynamic_shared);
    int own = sm_part_count(op->config.part, d->sms);
    double blocks = (double)g->blocks, room = (double)(fit > 0 ? fit : 1) * own;
    double warps = blocks * g->warps_per_block, instructions = (double)g->instructions;
    double rounds = blocks / room, sms = blocks < own ? blocks : own;
    if (rounds < 8) /* few and all alike: the last one counts in full */
        rounds = ceil(rounds);
    double issue = clocks_to_ns(instructions / (sms * ISSUE_PER_CLOCK));
    double warp = (instructions * t->issue_clocks + (double)g->loads * t->load_clocks) / warps;
    double alone = clocks_to_ns(rounds * warp + (rounds - 1) * t->block_clocks);
    double memory = (double)g->moved / (d->memory_gbs * t->memory_reach);
    alone = longest(longest(alone, issue), longest(memory, clocks_to_ns((double)g->waited_clocks)));
    k->alone_ns = alone > 1 ? alone : 1;
    k->share = (blocks < room ? blocks / room : 1) * own / d->sms;
    k->issue = issue * sms / d->sms / k->alone_ns;
    k->memory = memory / k->alone_ns;
}

static void measure_copy(struct operation *op)
{
    const struct device_model *d = runtime.device;
    const struct device_timing *t = d->timing;
    struct work *k = &op->time.work;
    double bytes = (double)op->copy.width * (double)op->copy.height * (double)op->copy.depth;
    enum copy_path path = op->copy.path;
    if (path == COPY_PEER) {
        k->alone_ns = t->peer_setup_us * 1000 + bytes / d->peer_gbs;
    } else if (path == COPY_H2H) {
        k->alone_ns = bytes / HOST_COPY_GBS;
    } else if (path == COPY_D2D) {
        k->alone_ns = 2 * bytes / (d->memory_gbs * t->memory_reach);
        k->memory = 1;
    } else {
        double reach = op->copy.pageable ? t->pageable_reach : 1;
        k->alone_ns = t->copy_setup_us[path] * 1000 + bytes / (d->link_gbs[path] * reach);
    }
}

void work_measure(struct operation *op)
{
    const struct device_model *d = runtime.device;
    struct work *k = &op->time.work;
    if (k->known)
        return;
    switch (op->kind) {
    case OP_KERNEL:
        if (!op->grid || op->grid->status == GRID_RUNNING)
            return; /* what it has done so far says nothing of the whole */
        measure_kernel(op);
        break;
    case OP_COPY:
        measure_copy(op);
        break;
    case OP_SET:
        k->alone_ns = (double)op->set.width * (double)op->set.height * (double)op->set.depth /
                      (d->memory_gbs * d->timing->memory_reach);
        k->memory = 1;
        break;
    case OP_HOST:
        if (op->state != OP_DONE)
            return; /* it may wait for what the host does next */
        k->alone_ns = d->timing->host_function_us * 1000;
        break;
    case OP_VALUE:
        if (op->state != OP_DONE)
            return; /* it waits for whoever writes the value */
        k->alone_ns = op->time.mark_us * 1000;
        break;
    default:
        k->alone_ns = op->time.mark_us * 1000;
    }
    k->known = true;
}
