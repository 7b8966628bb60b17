/**
 * @file recursion.c
 * See recursion.h.
 */
#include "execute/recursion.h"

#include "code/frame.h"
#include "execute/block.h"
#include "execute/engine.h"
#include "execute/worker.h"
#include "report/reporter.h"

/** A thread's stack at first, and at least. */
#define STACK_LEAST 1024u
/** What a call has of it beside its function's local variables: to come back, at least; and a good deal of what else it may have to keep. */
#define KEPT_LEAST 16u
#define KEPT_MUCH 64u

void machine_set_stack_limit(struct machine *m, uint64_t bytes)
{
    m->stack_limit = bytes;
}

/** The function whose frame lies there. */
static const struct function *function_of(const struct warp *w, uint32_t frame)
{
    int from = 0, to = w->activation_count - 1; /* offsets grow along the list */
    while (from < to) {
        int middle = (from + to + 1) / 2;
        if (w->activations[middle].offset <= frame)
            from = middle;
        else
            to = middle - 1;
    }
    return w->activations[from].function;
}

static uint64_t own_bytes(const struct function *f)
{
    return (f->local_end - f->local_first + 15) & ~15u;
}

/** The lane that has called most. */
static int deepest_lane(const struct warp *w)
{
    int deepest = __builtin_ctz(w->mask);
    for (int lane = deepest; lane < WARP_LANES; lane++)
        if (w->mask >> lane & 1 && w->local_top[lane] > w->local_top[deepest])
            deepest = lane;
    return deepest;
}

/** Calls from the first one of the same function on, with the one that follows, and what their local variables have; 0: there was none. */
static uint64_t calls_round(const struct warp *w, const struct function *callee, int lane, uint64_t *own)
{
    uint64_t calls = 1, bytes = own_bytes(callee), round = 0;
    *own = 0;
    for (uint32_t frame = w->frame_offset; frame; frame = ((const struct frame_header *)(w->file + frame))->caller_frame[lane]) {
        const struct function *f = function_of(w, frame);
        calls++;
        bytes += own_bytes(f);
        if (f == callee)
            round = calls, *own = bytes;
    }
    return round;
}

bool recursion_fits(struct warp *w, const struct function *callee, int *lane, struct fault *fault)
{
    struct machine *m = warp_machine(w);
    uint64_t limit = m->stack_limit > STACK_LEAST ? m->stack_limit : STACK_LEAST, own;
    *lane = deepest_lane(w);
    if (w->local_top[*lane] + callee->local_bytes + (uint64_t)w->activation_count * KEPT_MUCH <= limit)
        return true;
    uint64_t calls = calls_round(w, callee, *lane, &own);
    if (own + calls * KEPT_LEAST > limit) {
        *fault = (struct fault){.cause = CAUSE_STACK, .facts = {.number = calls, .size = limit, .offset = (int64_t)own, .text = callee->name}};
        return false;
    }
    if (own + calls * KEPT_MUCH > limit && m->checked)
        report_incomplete_once(m->reporter, INCOMPLETE_STACK);
    return true;
}
