/**
 * @file vtime.c
 * Virtual time: when each operation starts and ends on the modelled device, in nanoseconds.
 *
 * Deterministic: real time plays no part. The host's clock advances a little with each API call
 * and jumps to the end of what it waits for. Copies occupy a copy engine of their direction;
 * kernels share the SMs, each by the fraction of the device that its blocks can fill.
 */
#include "runtime/operation.h"

/** What one API call costs the host. */
#define CALL_NS 1000
/** Warp instructions an SM issues in one clock (four schedulers since Volta). */
#define ISSUE_PER_CLOCK 4.0
#define MAX_CONCURRENT 128

static uint64_t copy_free[2];  /**< when the engine of each direction is free again */
static struct { uint64_t end; double share; } residents[MAX_CONCURRENT];
static int resident_count;

void vtime_reset(void)
{
    copy_free[0] = copy_free[1] = 0;
    resident_count = 0;
}

void vtime_call(void)
{
    runtime.host_ns += CALL_NS;
}

static uint64_t nanoseconds(double bytes, double gb_per_s)
{
    return gb_per_s > 0 ? (uint64_t)(bytes / gb_per_s) : 0;
}

/* Earliest time from `ready` at which the device has room for `share` more. Forgets kernels that
 * ended before. */
static uint64_t room_for(double share, uint64_t ready)
{
    for (;;) {
        double used = 0;
        uint64_t next = UINT64_MAX;
        for (int i = 0; i < resident_count; i++)
            if (residents[i].end > ready) {
                used += residents[i].share;
                if (residents[i].end < next)
                    next = residents[i].end;
            }
        if (next == UINT64_MAX || used + share <= 1.0 + 1e-9)
            return ready;
        ready = next;
    }
}

static void occupy(double share, uint64_t end)
{
    int oldest = 0;
    if (resident_count < MAX_CONCURRENT) {
        oldest = resident_count++;
    } else {
        for (int i = 1; i < resident_count; i++)
            if (residents[i].end < residents[oldest].end)
                oldest = i;
    }
    residents[oldest].end = end;
    residents[oldest].share = share;
}

static void place_kernel(struct operation *op)
{
    const struct device_model *d = runtime.device;
    uint64_t latency = (uint64_t)(d->launch_latency_us * 1000);
    double share = 0, instructions = 0, bytes = 0;
    if (op->grid) {
        const struct grid *g = op->grid;
        int fit = machine_occupancy(runtime.machine, op->config.kernel, (int)g->threads_per_block,
                                    op->config.dynamic_shared);
        share = (double)g->blocks / ((double)(fit > 0 ? fit : 1) * d->sms);
        instructions = (double)g->instructions;
        bytes = (double)g->counters[COUNT_GLOBAL_BYTES];
    }
    if (share > 1)
        share = 1;
    /* A grid that fills only part of the device has only that part's issue slots. */
    double sms = d->sms * (share > 0 ? share : 1);
    if (sms < 1)
        sms = 1;
    double clocks = instructions / (sms * ISSUE_PER_CLOCK);
    double busy = clocks * 1e6 / d->sm_clock_khz;
    uint64_t moving = nanoseconds(bytes, d->memory_gbs);
    op->start_ns = room_for(share, op->ready_ns + latency);
    op->end_ns = op->start_ns + (uint64_t)(busy > (double)moving ? busy : (double)moving);
    occupy(share, op->end_ns);
}

static void place_copy(struct operation *op)
{
    const struct device_model *d = runtime.device;
    double bytes = (double)op->copy.width * (double)op->copy.height * (double)op->copy.depth;
    uint64_t latency = (uint64_t)(d->copy_latency_us * 1000), *engine = NULL, duration;
    if (op->copy.path == COPY_D2D)
        duration = nanoseconds(2 * bytes, d->memory_gbs);
    else
        duration = nanoseconds(bytes, d->link_gbs[op->copy.path == COPY_D2H]);
    if (op->copy.path != COPY_D2D)
        engine = &copy_free[d->copy_engines > 1 && op->copy.path == COPY_D2H];
    op->start_ns = engine && *engine > op->ready_ns ? *engine : op->ready_ns;
    op->end_ns = op->start_ns + latency + duration;
    if (engine)
        *engine = op->end_ns;
}

void vtime_place(struct operation *op)
{
    op->start_ns = op->end_ns = op->ready_ns;
    if (op->status != cudaSuccess)
        return;
    if (op->kind == OP_KERNEL)
        place_kernel(op);
    else if (op->kind == OP_COPY)
        place_copy(op);
    else if (op->kind == OP_SET)
        op->end_ns += nanoseconds((double)op->set.width * (double)op->set.height *
                                      (double)op->set.depth, runtime.device->memory_gbs) +
                      (uint64_t)(runtime.device->launch_latency_us * 1000);
}
