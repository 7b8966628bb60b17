/**
 * @file busy.c
 * How long the run took in virtual time, and how long each of the device's parts was at work: the two
 * directions of copying and the SMs. What runs at the same time on one part counts once.
 */
#include <stdlib.h>

#include "runtime/time/record.h"

struct span {
    uint64_t start, end;
};
enum part { COPY_IN, COPY_OUT, KERNELS, OTHER, PARTS };

static LIST(struct span) spans[PARTS];

static enum part part_of(const struct operation *op)
{
    if (op->kind == OP_KERNEL)
        return KERNELS;
    if (op->kind == OP_COPY && op->copy.path == COPY_H2D)
        return COPY_IN;
    if (op->kind == OP_COPY && (op->copy.path == COPY_D2H || op->copy.path == COPY_PEER))
        return COPY_OUT;
    return OTHER;
}

void busy_add(const struct operation *op)
{
    if (op->kind == OP_KERNEL || op->kind == OP_COPY || op->kind == OP_SET)
        *LIST_PUSH(&spans[part_of(op)]) = (struct span){op->time.start_ns, op->time.end_ns};
}

static int by_start(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

/** Length of the union of a part's spans. */
static uint64_t covered(enum part part)
{
    uint64_t sum = 0, until = 0;
    if (spans[part].count)
        qsort(spans[part].data, (size_t)spans[part].count, sizeof(struct span), by_start);
    for (int i = 0; i < spans[part].count; i++) {
        struct span s = spans[part].data[i];
        s.start = s.start < until ? until : s.start;
        if (s.end > s.start) {
            sum += s.end - s.start;
            until = s.end;
        }
    }
    return sum;
}

struct busy busy_times(void)
{
    uint64_t first = UINT64_MAX, last = 0;
    for (int p = 0; p < PARTS; p++)
        for (int i = 0; i < spans[p].count; i++) {
            first = spans[p].data[i].start < first ? spans[p].data[i].start : first;
            last = spans[p].data[i].end > last ? spans[p].data[i].end : last;
        }
    struct busy b = {last > first ? last - first : 0, covered(COPY_IN), covered(COPY_OUT),
                     covered(KERNELS), 0};
    b.bound_ns = b.copy_in_ns > b.copy_out_ns ? b.copy_in_ns : b.copy_out_ns;
    b.bound_ns = b.kernel_ns > b.bound_ns ? b.kernel_ns : b.bound_ns;
    return b;
}
