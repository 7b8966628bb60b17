/**
 * @file harness.c
 * lab03: a sum in one launch.
 *
 * Parameters: n, blocks, threads; `offset` (elements skipped at the front, so that `in` need not be
 * aligned to more than an int); `rounds` (calls of `sum` in a row, 0 = only `block_sums`); `sizes`
 * (that many block sizes, from `threads` up, one call each; with rounds 0, of `block_sums`); `fewer`
 * (each launch of `sum` has so many blocks less than the one before); `stale` 1 (`partial` holds what
 * somebody has left there, else zeros); `beside` 1 (the calls of `sum` run at the same time, each with memory of its own).
 */
#include "harness.h"

#include <stdlib.h>

#define MAX_ROUNDS 40

struct shape {
    unsigned n, blocks, threads, offset, fewer;
    bool stale, beside;
};

/** Uploads a round's input; each round has its own, so that stale partial sums show. */
static const int *upload_input(struct harness *h, const struct shape *s, unsigned round)
{
    size_t count = (size_t)s->n + s->offset;
    int32_t *values = harness_input_i32(h, round, count);
    int32_t *device = harness_upload(h, "in", values, count * sizeof *values);
    return device + s->offset;
}

/** Part A: every block's partial sum is an output, for each of `sizes` block sizes. */
static void run_block_sums(struct harness *h, const struct shape *s, unsigned sizes)
{
    const int *in = upload_input(h, s, 0);
    unsigned n = s->n;
    size_t count = (size_t)s->blocks * sizes;
    long long *partial = harness_alloc(h, "partial", count * sizeof *partial);
    for (unsigned i = 0; i < sizes; i++) {
        long long *mine = partial + (size_t)i * s->blocks;
        harness_launch(h, "block_sums",
                       (struct harness_launch){.blocks = s->blocks, .threads = s->threads + i},
                       HARNESS_ARGS(&in, &n, &mine));
    }
    long long *sums = harness_malloc(count * sizeof *sums);
    harness_download(sums, partial, count * sizeof *sums);
    harness_result(h, "partial", RESULT_I64, sums, count);
    free(sums);
}

/** Nobody has promised what the partial sums are before a launch. Zeros let one that was not seen read as
 *  one that is missing. */
static long long *make_partial(struct harness *h, const struct shape *s)
{
    struct random r = harness_random(h, 1000);
    size_t bytes = s->blocks * sizeof(long long);
    if (!s->stale)
        return harness_zeros(h, "partial", bytes);
    long long *old = harness_malloc(bytes);
    for (unsigned i = 0; i < s->blocks; i++)
        old[i] = 1 + (long long)random_below(&r, 1000000);
    long long *partial = harness_upload(h, "partial", old, bytes);
    free(old);
    return partial;
}

/** What a call of `sum` gets. */
struct call {
    const int *in;
    long long *partial, *out;
    unsigned *counter;
    cudaStream_t stream;
};

/** Calls one after another share partial sums and a counter that is zeroed only once. */
static void make_calls(struct harness *h, const struct shape *s, unsigned rounds,
                       struct call calls[MAX_ROUNDS])
{
    long long *out = harness_alloc(h, "out", rounds * sizeof *out);
    for (unsigned i = 0; i < rounds; i++) {
        calls[i] = (struct call){.in = upload_input(h, s, i), .out = out + i};
        if (i > 0 && !s->beside) {
            calls[i].partial = calls[0].partial;
            calls[i].counter = calls[0].counter;
            continue;
        }
        calls[i].partial = make_partial(h, s);
        calls[i].counter = harness_zeros(h, "counter", sizeof *calls[i].counter);
        if (s->beside)
            CUDA_CHECK(cudaStreamCreateWithFlags(&calls[i].stream, cudaStreamNonBlocking));
    }
    if (s->beside)
        harness_synchronize(); /* the copies: no stream waits for the default one */
}

/** Parts B to D: one launch a round, none waited for. */
static void run_sum(struct harness *h, const struct shape *s, unsigned rounds, bool grow)
{
    struct call calls[MAX_ROUNDS];
    make_calls(h, s, rounds, calls);
    for (unsigned i = 0; i < rounds; i++) {
        unsigned n = s->n;
        harness_launch(
            h, "sum",
            (struct harness_launch){.blocks = s->blocks - i * s->fewer,
                                    .threads = s->threads + (grow ? i : 0),
                                    .stream = calls[i].stream},
            HARNESS_ARGS(&calls[i].in, &n, &calls[i].partial, &calls[i].counter, &calls[i].out));
    }
    if (s->beside)
        harness_synchronize();
    for (unsigned i = 0; s->beside && i < rounds; i++)
        CUDA_CHECK(cudaStreamDestroy(calls[i].stream));
    const long long *out = calls[0].out;
    long long sums[MAX_ROUNDS];
    harness_download(sums, out, rounds * sizeof *sums);
    harness_result(h, "sum", RESULT_I64, sums, rounds);
}

int main(int argc, char **argv)
{
    struct harness *h = harness_open(argc, argv);
    struct shape s = {
        .n = (unsigned)harness_param(h, "n"),
        .blocks = (unsigned)harness_param(h, "blocks"),
        .threads = (unsigned)harness_param(h, "threads"),
        .offset = (unsigned)harness_param_or(h, "offset", 0),
        .fewer = (unsigned)harness_param_or(h, "fewer", 0),
        .stale = harness_param_or(h, "stale", 0) != 0,
        .beside = harness_param_or(h, "beside", 0) != 0,
    };
    unsigned sizes = (unsigned)harness_param_or(h, "sizes", 1);
    unsigned rounds = (unsigned)harness_param_or(h, "rounds", sizes);
    if (rounds > MAX_ROUNDS || sizes > MAX_ROUNDS)
        harness_usage("at most %d rounds or sizes", MAX_ROUNDS);
    if (s.fewer && rounds && (rounds - 1) * s.fewer >= s.blocks)
        harness_usage("no block is left in launch %u", rounds);
    if (rounds == 0)
        run_block_sums(h, &s, sizes);
    else
        run_sum(h, &s, rounds, sizes > 1);
    return harness_close(h);
}
