/**
 * @file harness.c
 * lab04: a work queue in global memory.
 *
 * Parameters: `part` 0 work on a queue that the host filled, 1 filled by the kernel fill, 2 items
 * that add items; n (items, or ranges in part 2), blocks, threads; `spread`: item lengths are
 * 0 … spread, with `exact` 1 all spread, and with `heavy` every heavy-th item is 50 times as long;
 * `rounds` for part 1; `beside` 1 for part 0: two queues of the same items, worked on at the same time;
 * `late` 1 for part 2: the ranges come while split runs, and are pending before.
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

enum part { WORK, FILL_AND_WORK, SPLIT };

// As in kernel.cu; softgpu's findings speak of the fields.
#define ITEMS "items{slot first count}"
#define QUEUE "queue{items:8 total current}"
#define GROWING_QUEUE "queue{items:8 ready:8 capacity head tail pending}"
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
        if (n == 1 && length < spread / 4) /* one alone is a long one, that can be shared out */
            length += (unsigned)spread / 4;
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

static struct queue *make_queue(struct harness *h, const struct item *items, unsigned n,
                                bool filled)
{
    struct queue q = {.total = filled ? n : 0};
    q.items = filled ? harness_upload(h, ITEMS, items, n * sizeof *items)
                     : harness_alloc(h, ITEMS, n * sizeof *items);
    return harness_upload(h, QUEUE, &q, sizeof q);
}

static const char *const result_names[][3] = {{"sums", "times", "total"},
                                              {"sums_again", "times_again", "total_again"}};

/** Part A, two queues at the same time. */
static void run_beside(struct harness *h, struct harness_launch shape, unsigned n)
{
    struct load l = make_load(h, n);
    struct item *host_items = make_items(&l);
    struct queue *queues[2];
    long long *sums[2];
    unsigned *times[2];
    cudaStream_t streams[2];
    for (int i = 0; i < 2; i++) {
        queues[i] = make_queue(h, host_items, n, true);
        sums[i] = harness_zeros(h, "sums", n * sizeof *sums[i]);
        times[i] = harness_zeros(h, "times", n * sizeof *times[i]);
        CUDA_CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    }
    harness_synchronize(); // the copies, for streams that do not wait for the default stream
    for (int i = 0; i < 2; i++) {
        shape.stream = streams[i];
        harness_launch(h, "work", shape, HARNESS_ARGS(&queues[i], &l.in, &sums[i], &times[i]));
    }
    harness_synchronize();
    for (int i = 0; i < 2; i++) {
        CUDA_CHECK(cudaStreamDestroy(streams[i]));
        put_results(h, result_names[i][0], sums[i], result_names[i][1], times[i], n);
    }
    free(host_items);
    free(l.bounds);
}

/** Parts A and B: each item's sum, and how many times each item was worked on; in part B how many there were. */
static void run_queue(struct harness *h, enum part part, struct harness_launch shape, unsigned n)
{
    struct load l = make_load(h, n);
    struct item *host_items = make_items(&l);
    struct queue *queue = make_queue(h, host_items, n, part == WORK);
    unsigned *bounds = harness_upload(h, "bounds", l.bounds, (n + 1) * sizeof *l.bounds);
    unsigned rounds = (unsigned)harness_param_or(h, "rounds", 1);
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
        put_results(h, result_names[round][0], sums, result_names[round][1], times, n);
        if (part == FILL_AND_WORK) {
            struct queue q;
            harness_download(&q, queue, sizeof q);
            harness_result(h, result_names[round][2], RESULT_U32, &q.total, 1);
        }
    }
    free(host_items);
    free(l.bounds);
}

/**
 * Adds one item to a growing queue some time after it was launched: somebody who has counted it as pending and
 * takes long to make it. (In PTX, since the harness is C: a loop of volatile loads, then push() by the book.)
 */
static const char late_push[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry late_push(.param .u64 queue, .param .u32 slot, .param .u32 first,\n"
    "                          .param .u32 count)\n"
    "{\n"
    "    .reg .pred %p;\n    .reg .b32 %r<8>;\n    .reg .b64 %rd<6>;\n"
    "    ld.param.u64 %rd0, [queue];\n"
    "    ld.param.u32 %r0, [slot];\n    ld.param.u32 %r1, [first];\n"
    "    ld.param.u32 %r2, [count];\n"
    "    mov.u32 %r3, 0;\n"
    "wait:\n"
    "    ld.volatile.global.u32 %r4, [%rd0+28];\n" // pending
    "    add.u32 %r3, %r3, 1;\n"
    "    setp.lt.u32 %p, %r3, 2000;\n"
    "    @%p bra wait;\n"
    "    atom.global.add.u32 %r5, [%rd0+24], 1;\n" // tail
    "    ld.global.u64 %rd1, [%rd0];\n"            // items
    "    ld.global.u64 %rd2, [%rd0+8];\n"          // ready
    "    mad.wide.u32 %rd1, %r5, 12, %rd1;\n"
    "    mad.wide.u32 %rd2, %r5, 4, %rd2;\n"
    "    st.global.u32 [%rd1], %r0;\n"
    "    st.global.u32 [%rd1+4], %r1;\n"
    "    st.global.u32 [%rd1+8], %r2;\n"
    "    fence.sc.gpu;\n"
    "    mov.u32 %r6, 1;\n"
    "    st.volatile.global.u32 [%rd2], %r6;\n"
    "    ret;\n"
    "}\n";

/** Puts one late item a range into a stream of its own, beside which split is to run. */
static cudaStream_t launch_late(struct growing_queue *queue, const struct item *items, unsigned n)
{
    cudaLibrary_t library;
    cudaKernel_t kernel;
    cudaStream_t stream;
    CUDA_CHECK(cudaLibraryLoadData(&library, late_push, NULL, NULL, 0, NULL, NULL, 0));
    CUDA_CHECK(cudaLibraryGetKernel(&kernel, library, "late_push"));
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (unsigned i = 0; i < n; i++) {
        struct item it = items[i];
        CUDA_CHECK(
            cudaLaunchKernel((const void *)kernel, (struct dim3){1, 1, 1}, (struct dim3){1, 1, 1},
                             HARNESS_ARGS(&queue, &it.slot, &it.first, &it.count), 0, stream));
    }
    return stream;
}

/** Part C: n ranges that are halved until they have at most 64 elements. Each range's sum, how many
 *  of its elements were added up, and how many items there were in the end. */
static void run_split(struct harness *h, struct harness_launch shape, unsigned n)
{
    struct load l = make_load(h, n);
    struct item *host_items = make_items(&l);
    // A range of c elements makes fewer than 2 * c items, and at least 1.
    bool late = harness_param_or(h, "late", 0) != 0;
    unsigned there = late ? 0 : n; // at the start
    struct growing_queue q = {.capacity = 2 * (l.total + n), .tail = there, .pending = n};
    struct item *items = harness_malloc(q.capacity * sizeof *items);
    unsigned *ready = harness_malloc(q.capacity * sizeof *ready);
    memset(items, 0, q.capacity * sizeof *items);
    memset(ready, 0, q.capacity * sizeof *ready);
    if (there)
        memcpy(items, host_items, there * sizeof *items);
    for (unsigned i = 0; i < there; i++)
        ready[i] = 1;
    q.items = harness_upload(h, ITEMS, items, q.capacity * sizeof *items);
    q.ready = harness_upload(h, "ready", ready, q.capacity * sizeof *ready);
    struct growing_queue *queue = harness_upload(h, GROWING_QUEUE, &q, sizeof q);
    long long *sums = harness_zeros(h, "sums", n * sizeof *sums);
    unsigned *elements = harness_zeros(h, "elements", n * sizeof *elements);
    harness_synchronize(); // the copies, for streams that do not wait for the default stream
    cudaStream_t beside = late ? launch_late(queue, host_items, n) : NULL;
    if (late)
        CUDA_CHECK(cudaStreamCreateWithFlags(&shape.stream, cudaStreamNonBlocking));
    harness_launch(h, "split", shape, HARNESS_ARGS(&queue, &l.in, &sums, &elements));
    harness_synchronize();
    if (late) {
        CUDA_CHECK(cudaStreamDestroy(shape.stream));
        CUDA_CHECK(cudaStreamDestroy(beside));
    }
    put_results(h, "sums", sums, "elements", elements, n);
    harness_download(&q, queue, sizeof q);
    harness_result(h, ITEMS, RESULT_U32, &q.tail, 1);
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
    else if (harness_param_or(h, "beside", 0))
        run_beside(h, shape, n);
    else
        run_queue(h, part, shape, n);
    return harness_close(h);
}
