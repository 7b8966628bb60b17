/**
 * @file registers.c
 * Register assignment by linear scan over the intervals of analyse/liveness.h.
 *
 * PTX has as many registers as it likes, each assigned once or a few times. A warp's frame holds 32
 * lanes of each, so sharing slots keeps frames small enough for the first-level cache. Slots are
 * shared within a width only: a register then never overlaps another in part, which the arithmetic
 * handlers rely on.
 */
#include <stdlib.h>

#include "analyse/liveness.h"
#include "code/frame.h"
#include "decode/decode_operands.h"
#include "decode/decoder.h"
#include "decode/find_row.h"
#include "decode/stages.h"

/* Linear scan: slots in use as a heap by end position. */
struct busy {
    uint32_t end, slot;
};

static void heap_push(struct busy *heap, int *n, struct busy b)
{
    int i = (*n)++;
    for (; i > 0 && heap[(i - 1) / 2].end > b.end; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = b;
}

static struct busy heap_pop(struct busy *heap, int *n)
{
    struct busy top = heap[0], last = heap[--*n];
    int i = 0;
    for (int child; (child = 2 * i + 1) < *n; i = child) {
        if (child + 1 < *n && heap[child + 1].end < heap[child].end)
            child++;
        if (heap[child].end >= last.end)
            break;
        heap[i] = heap[child];
    }
    heap[i] = last;
    return top;
}

/** The registers that are used, by where they start, then by number: starts are few, so they are counted. @return how many; `order` has room for all */
static int order_by_start(const struct interval *live, int regs, int *order)
{
    uint32_t last = 0;
    int count = 0;
    for (int r = 0; r < regs; r++)
        if (live[r].start != UINT32_MAX && live[r].start > last)
            last = live[r].start;
    int *from = calloc((size_t)last + 2, sizeof *from);
    if (!from)
        abort();
    for (int r = 0; r < regs; r++)
        if (live[r].start != UINT32_MAX) {
            from[live[r].start + 1]++;
            count++;
        }
    for (uint32_t s = 0; s < last; s++)
        from[s + 1] += from[s];
    for (int r = 0; r < regs; r++)
        if (live[r].start != UINT32_MAX)
            order[from[live[r].start]++] = r;
    free(from);
    return count;
}

/** Gives the registers of one width their slots, from `base` on. @return slots used */
static uint32_t scan_width(struct function_info *f, const struct interval *live,
                           const int *order, int count, unsigned width, uint64_t base)
{
    struct busy *heap = calloc((size_t)count + 1, sizeof *heap);
    uint32_t slots = 0, bytes = width == WIDTH_PRED ? FLAG_BYTES : width * WARP_LANES;
    int n = 0;

    if (!heap)
        abort();
    for (int i = 0; i < count; i++) {
        int reg = order[i];
        uint32_t slot;
        if (width_of_type(f->source->regs.data[reg].type) != width)
            continue;
        if (n && heap[0].end < live[reg].start)
            slot = heap_pop(heap, &n).slot;
        else
            slot = slots++;
        heap_push(heap, &n, (struct busy){live[reg].end, slot});
        uint64_t offset = base + (uint64_t)slot * bytes;
        f->reg_offset[reg] = offset < CONST_BIT ? (uint32_t)offset : 0;
    }
    free(heap);
    return slots;
}

static bool uses_row(const struct decoder *d, const struct function_info *f, decode_fn decode)
{
    for (int i = 0; i < f->source->instrs.count; i++)
        if (d->rows[i] && decode_functions[d->rows[i] - op_table] == decode)
            return true;
    return false;
}

/**
 * What ptxas might use, for occupancy: it allocates in eights, and keeps within what a block of
 * `.maxntid` threads may have, and within `.maxnreg`; without these, we assume it finds a way to let 1024 threads run.
 */
static uint32_t estimate_registers(const struct function_info *f, uint64_t words)
{
    const struct ptx_function *pf = f->source;
    uint64_t threads = 1;

    for (int i = 0; i < 3; i++) {
        unsigned most = pf->req_threads[i] ? pf->req_threads[i] : pf->max_threads[i];
        threads *= most && most <= 1024 ? most : 1;
    }
    bool known = pf->req_threads[0] || pf->max_threads[0];
    uint64_t cap = 65536 / (known && threads <= 1024 ? (threads + 31) / 32 * 32 : 1024) & ~7ull;
    cap = cap < 255 ? cap : 255;
    if (pf->max_registers) /* which is not rounded, and may let a thread of a small block have more */
        cap = known && cap < pf->max_registers ? cap : pf->max_registers;
    words = align_up(words < 16 ? 16 : words, 8);
    return (uint32_t)(words < cap ? words : cap);
}

static void assign(struct decoder *d, struct function_info *f, const struct interval *live)
{
    static const unsigned widths[] = {WIDTH_PRED, 4, 8, 2, 16};
    int regs = f->source->regs.count;
    int *order = calloc((size_t)regs + 1, sizeof *order);
    uint64_t offset = sizeof(struct frame_header);
    uint64_t words = 0;   /* 32-bit registers that a lane needs */

    if (!order)
        abort();
    int count = order_by_start(live, regs, order);
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        f->function->width_from[i] = offset < CONST_BIT ? (uint32_t)offset : UINT32_MAX;
        uint32_t slots = scan_width(f, live, order, count, widths[i], offset);
        offset += (uint64_t)slots * (widths[i] == WIDTH_PRED ? FLAG_BYTES : widths[i] * WARP_LANES);
        words += widths[i] >= 4 ? slots * (widths[i] / 4) : widths[i] == 2 ? (slots + 1) / 2 : 0;
    }
    if (uses_row(d, f, decode_carry) && offset < CONST_BIT)
        f->carry = (uint32_t)offset, offset += FLAG_BYTES;
    if (uses_row(d, f, decode_set) && offset < CONST_BIT)
        f->scratch = (uint32_t)offset, offset += FLAG_BYTES;
    f->function->frame_bytes = offset < CONST_BIT ? (uint32_t)offset : UINT32_MAX;
    f->function->registers = estimate_registers(f, words);
    free(order);
}

/** For those who look at registers by name. */
static void keep_spans(const struct decoder *d, struct function_info *f, const struct interval *live)
{
    int regs = f->source->regs.count;
    struct register_span *spans = arena_alloc(&d->im->arena, ((size_t)regs + 1) * sizeof *spans);
    for (int r = 0; r < regs; r++)
        spans[r] = (struct register_span){f->reg_offset[r], live[r].start / 2, live[r].end / 2};
    f->function->spans = spans;
}

/** For those who ask what a thread's registers hold before it has written them. */
static void keep_unset(const struct decoder *d, struct function_info *f, const struct interval *live)
{
    int regs = f->source->regs.count, count = 0;
    uint32_t *unset = arena_alloc(&d->im->arena, ((size_t)regs + 1) * sizeof *unset);
    for (int r = 0; f->function->is_entry && r < regs; r++)
        if (live[r].unset && f->reg_offset[r] != REG_NONE)
            unset[count++] = f->reg_offset[r];
    f->function->unset = unset;
    f->function->unset_count = count;
}

void registers_assign(struct decoder *d, struct function_info *f)
{
    int regs = f->source->regs.count;
    struct interval *live = calloc((size_t)regs + 1, sizeof *live);

    if (!live)
        abort();
    f->reg_offset = decoder_alloc(d, (size_t)regs, sizeof *f->reg_offset);
    for (int r = 0; r < regs; r++)
        f->reg_offset[r] = REG_NONE;
    f->carry = f->scratch = REG_NONE;
    struct flow_source source = parsed_flow(d);
    liveness_intervals(&source, live);
    assign(d, f, live);
    keep_spans(d, f, live);
    keep_unset(d, f, live);
    free(live);
}
