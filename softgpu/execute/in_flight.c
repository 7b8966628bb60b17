/**
 * @file in_flight.c
 * How much a block has in flight. By Little's law that, over the latency, is the bandwidth which it can have: a pipeline
 * that is one is told from one that waits for each copy at once.
 *
 * The average is over a warp's instructions, for the copies that its own lanes have issued; the block has the sum of
 * its warps'.
 */
#include "code/descriptions.h"
#include "execute/engine.h"
#include "execute/in_flight.h"

/** A copy that tells a barrier. */
struct told {
    uint32_t barrier;
    int thread;                     /**< that issued it */
    uint64_t phase, bytes;
};

struct flights {
    int warp_count;
    struct warp_flight {
        uint64_t bytes;             /**< under way now */
        uint64_t area;              /**< bytes times instructions, up to `since` */
        uint64_t since;             /**< the warp's instructions at the last change */
    } *warps;
    struct lane_flight {
        uint64_t open;              /**< bytes of no group yet */
        LIST(uint64_t) groups;      /**< bytes of each, the oldest first */
    } *lanes;
    LIST(struct told) told;
};

static struct flights *flights_of(struct block *b)
{
    struct flights *f = b->flights;
    if (f)
        return f;
    f = b->flights = calloc(1, sizeof *f);
    if (!f)
        abort();
    f->warp_count = b->warp_count;
    f->warps = calloc((size_t)b->warp_count, sizeof *f->warps);
    f->lanes = calloc((size_t)b->warp_count * WARP_LANES, sizeof *f->lanes);
    if (!f->warps || !f->lanes)
        abort();
    return f;
}

static struct lane_flight *lane_of(const struct warp *w, int lane)
{
    return &flights_of(w->block)->lanes[w->index * WARP_LANES + lane];
}

/** The running warp, which stands at `in`, has so many bytes more under way, or fewer. */
static void change(struct warp *w, const struct insn *in, int64_t bytes)
{
    struct warp_flight *f = &flights_of(w->block)->warps[w->index];
    uint64_t now = w->instructions + (in > w->run_start ? (uint64_t)(in - w->run_start) : 0);
    f->area += f->bytes * (now - f->since);
    f->since = now;
    f->bytes += (uint64_t)bytes;
}

void flight_copy(struct warp *w, const struct insn *in, int lane, uint32_t bytes)
{
    lane_of(w, lane)->open += bytes;
    change(w, in, bytes);
}

void flight_commit(struct warp *w, int lane)
{
    struct lane_flight *l = lane_of(w, lane);
    *LIST_PUSH(&l->groups) = l->open;
    l->open = 0;
}

void flight_wait(struct warp *w, const struct insn *in, int lane, uint64_t left)
{
    struct lane_flight *l = lane_of(w, lane);
    uint64_t landed = 0;
    int keep = left == COPY_WAIT_ALL ? 0 : left < (uint64_t)l->groups.count ? (int)left : l->groups.count;
    int done = l->groups.count - keep;
    for (int i = 0; i < done; i++)
        landed += l->groups.data[i];
    for (int i = 0; i < keep; i++)
        l->groups.data[i] = l->groups.data[done + i];
    l->groups.count = keep;
    if (left == COPY_WAIT_ALL) {
        landed += l->open;
        l->open = 0;
    }
    change(w, in, -(int64_t)landed);
}

void flight_land(struct warp *w, const struct insn *in, int lane, uint32_t barrier, uint64_t phases)
{
    struct flights *f = w->block->flights;
    int keep = 0;
    for (int i = 0; f && i < f->told.count; i++) {
        struct told t = f->told.data[i];
        if (t.thread == w->index * WARP_LANES + lane && t.barrier == barrier && t.phase < phases)
            change(w, in, -(int64_t)t.bytes);
        else
            f->told.data[keep++] = t;
    }
    if (f)
        f->told.count = keep;
}

/** Whoever uses the barrier again knows that its earlier phases are over: a thread that only asks for copies. */
static void tell(struct warp *w, const struct insn *in, int lane, uint32_t barrier, uint64_t phase, uint64_t bytes)
{
    flight_land(w, in, lane, barrier, phase);
    if (bytes)
        *LIST_PUSH(&flights_of(w->block)->told) =
            (struct told){.barrier = barrier, .thread = w->index * WARP_LANES + lane, .phase = phase, .bytes = bytes};
}

void flight_give(struct warp *w, const struct insn *in, int lane, uint32_t barrier, uint64_t phase)
{
    struct lane_flight *l = lane_of(w, lane);
    uint64_t bytes = l->open;
    for (int i = 0; i < l->groups.count; i++)
        bytes += l->groups.data[i];
    l->groups.count = 0;
    l->open = 0;
    tell(w, in, lane, barrier, phase, bytes);
}

void flight_bulk(struct warp *w, const struct insn *in, int lane, uint32_t barrier, uint64_t phase, uint32_t bytes)
{
    change(w, in, bytes);
    tell(w, in, lane, barrier, phase, bytes);
}

uint64_t flight_end(struct block *b)
{
    const struct flights *f = b->flights;
    uint64_t average = 0;
    for (int i = 0; f && i < f->warp_count; i++) {
        uint64_t all = b->warps[i].instructions, since = f->warps[i].since < all ? f->warps[i].since : all;
        average += all ? (f->warps[i].area + f->warps[i].bytes * (all - since)) / all : 0;
    }
    flight_drop(b);
    return average;
}

void flight_drop(struct block *b)
{
    struct flights *f = b->flights;
    if (!f)
        return;
    for (int i = 0; i < f->warp_count * WARP_LANES; i++)
        LIST_FREE(&f->lanes[i].groups);
    LIST_FREE(&f->told);
    free(f->warps);
    free(f->lanes);
    free(f);
    b->flights = NULL;
}
