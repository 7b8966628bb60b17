/**
 * @file harness.c
 * lab04: a work queue in global memory.
 *
 * Parameters: `part` 0 work on a queue that the host filled, 1 filled by the kernel fill, 2 items
 * that add items; n (items, or ranges in part 2), blocks, threads; `spread`: item lengths are
 * 0 … spread, with `exact` 1 all spread, and with `heavy` every heavy-th item is 50 times as long;
 * `rounds` for part 1.
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

enum part { WORK, FILL_AND_WORK, SPLIT };

// As in kernel.cu.
struct item {
    unsigned slot, first, count;
};
struct queue {
    struct item *items;
    unsigned total, current;
};
struct growing_queue {
    struct item *items;
    unsigned *ready;
    unsigned capacity, head, tail, pending;
};

/** What there is to add up: item i is in[bounds[i]] … in[bounds[i + 1] - 1]. */
struct load {
    unsigned n, total;
    unsigned *bounds;
    const int *in;
};

static struct load make_load(struct harness *h, unsigned n)
{
    struct load l = {.n = n};
    uint64_t spread = (uint64_t)harness_param(h, "spread");
    unsigned heavy = (unsigned)harness_param_or(h, "heavy", 0);
    bool exact = harness_param_or(h, "exact", 0) != 0;
    struct random r = harness_random(h, 1);
    l.bounds = harness_malloc((n + 1) * sizeof *l.bounds);
    for (unsigned i = 0; i < n; i++) {
        l.bounds[i] = l.total;
        unsigned length = (unsigned)(exact ? spread : random_below(&r, spread + 1));
        l.total += heavy && i % heavy == 0 ? 50 * length : length;
    }
    l.bounds[n] = l.total;
    l.in = harness_upload(h, "in", harness_input_i32(h, 0, l.total), l.total * sizeof(int));
    return l;
}

static struct item *make_items(const struct load *l)
{
    struct item *items = harness_malloc(l->n * sizeof *items);
    for (unsigned i = 0; i < l->n; i++)
        items[i] = (struct item){i, l->bounds[i], l->bounds[i + 1] - l->bounds[i]};
    return items;
}

static void put_results(struct harness *h, const char *sums_name, const long long *sums,
                        const char *times_name, const unsigned *times, unsigned n)
{
    long long *host_sums = harness_malloc(n * sizeof *host_sums);
    unsigned *host_times = harness_malloc(n * sizeof *host_times);
    harness_download(host_sums, sums, n * sizeof *host_sums);
    harness_download(host_times, times, n * sizeof *host_times);
    harness_result(h, sums_name, RESULT_I64, host_sums, n);
    harness_result(h, times_name, RESULT_U32, host_times, n);
    free(host_sums);
    free(host_times);
}

/** Parts A and B: each item's sum, and how many times each item was worked on. */
static void run_queue(struct harness *h, enum part part, struct harness_launch shape, unsigned n)
{
    struct load l = make_load(h, n);
    struct item *host_items = make_items(&l);
    struct queue q = {.total = part == WORK ? n : 0};
    q.items = part == WORK ? harness_upload(h, "items", host_items, n * sizeof *host_items)
                           : harness_alloc(h, "items", n * sizeof *host_items);
    struct queue *queue = harness_upload(h, "queue", &q, sizeof q);
    unsigned *bounds = harness_upload(h, "bounds", l.bounds, (n + 1) * sizeof *l.bounds);
    unsigned rounds = (unsigned)harness_param_or(h, "rounds", 1);
    static const char *names[][2] = {{"sums", "times"}, {"sums_again", "times_again"}};
    if (rounds > 2)
        harness_usage("at most 2 rounds");
    for (unsigned round = 0; round < rounds; round++) {
        long long *sums = harness_zeros(h, "sums", n * sizeof *sums);
        unsigned *times = harness_zeros(h, "times", n * sizeof *times);
        if (part == FILL_AND_WORK) {
            harness_launch(h, "reset", (struct harness_launch){.blocks = 1, .threads = 1},
                           HARNESS_ARGS(&queue));
            harness_launch(h, "fill", shape, HARNESS_ARGS(&queue, &bounds, &n));
        }
        harness_launch(h, "work", shape, HARNESS_ARGS(&queue, &l.in, &sums, &times));
        put_results(h, names[round][0], sums, names[round][1], times, n);
    }
    free(host_items);
    free(l.bounds);
}

/** Part C: n ranges that are halved until they have at most 64 elements. Each range's sum, how many
 *  of its elements were added up, and how many items there were in the end. */
static void run_split(struct harness *h, struct harness_launch shape, unsigned n)
{
    struct load l = make_load(h, n);
    struct item *host_items = make_items(&l);
    // A range of c elements makes fewer than 2 * c items, and at least 1.
    struct growing_queue q = {.capacity = 2 * (l.total + n), .tail = n, .pending = n};
    struct item *items = harness_malloc(q.capacity * sizeof *items);
    unsigned *ready = harness_malloc(q.capacity * sizeof *ready);
    memset(items, 0, q.capacity * sizeof *items);
    memset(ready, 0, q.capacity * sizeof *ready);
    if (n)
        memcpy(items, host_items, n * sizeof *items);
    for (unsigned i = 0; i < n; i++)
        ready[i] = 1;
    q.items = harness_upload(h, "items", items, q.capacity * sizeof *items);
    q.ready = harness_upload(h, "ready", ready, q.capacity * sizeof *ready);
    struct growing_queue *queue = harness_upload(h, "queue", &q, sizeof q);
    long long *sums = harness_zeros(h, "sums", n * sizeof *sums);
    unsigned *elements = harness_zeros(h, "elements", n * sizeof *elements);
    harness_launch(h, "split", shape, HARNESS_ARGS(&queue, &l.in, &sums, &elements));
    put_results(h, "sums", sums, "elements", elements, n);
    harness_download(&q, queue, sizeof q);
    harness_result(h, "items", RESULT_U32, &q.tail, 1);
    free(items);
    free(ready);
    free(host_items);
    free(l.bounds);
}

int main(int argc, char **argv)
{
    struct harness *h = harness_open(argc, argv);
    enum part part = (enum part)harness_param(h, "part");
    unsigned n = (unsigned)harness_param(h, "n");
    struct harness_launch shape = {.blocks = (unsigned)harness_param(h, "blocks"),
                                   .threads = (unsigned)harness_param(h, "threads")};
    if (part == SPLIT)
        run_split(h, shape, n);
    else
        run_queue(h, part, shape, n);
    return harness_close(h);
}
