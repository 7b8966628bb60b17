/**
 * @file harness.c
 * lab08: a filter over tiles in shared memory, and how tiles get there.
 *
 * Parameters: `part` 0 one_stage, 1 two_stages, 2 ring, 3 bulk, 4 bulk_out; n (results), blocks, threads; `sizes` (so many calls,
 * each with an n of its own: four in a row from n on, then 61 more).
 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>

// As in kernel.cu.
#define HALO 8
#define ITEMS 4
#define STAGES 4

#define MAX_SIZES 16 // two buffers each

enum part { ONE_STAGE, TWO_STAGES, RING, BULK, BULK_OUT, PARTS };

static const char *const kernels[PARTS] = {"one_stage", "two_stages", "ring", "bulk", "bulk_out"};

/** What a block has its stages in, and part E two tiles of results. */
static size_t shared_bytes(enum part part, unsigned threads)
{
    size_t tile = (size_t)threads * ITEMS;
    return (STAGES * (tile + HALO) + (part == BULK_OUT ? 2 * tile : 0)) * sizeof(unsigned);
}

static size_t rounded(size_t count)
{
    return (count + 3) / 4 * 4;
}

/** Call `k`: n results of n + HALO elements. Both arrays have room for a multiple of 4. */
static void run(struct harness *h, enum part part, unsigned n, unsigned k)
{
    char name[32];
    unsigned threads = (unsigned)harness_param(h, "threads");
    struct harness_launch shape = {.blocks = (unsigned)harness_param(h, "blocks"),
                                   .threads = threads,
                                   .shared = shared_bytes(part, threads)};
    size_t elements = rounded(n) + HALO;
    int32_t *values = harness_input_i32(h, k, elements);
    for (size_t i = n + HALO; i < elements; i++)
        values[i] = 0;
    unsigned *in = harness_upload(h, "in", values, elements * sizeof *in);
    unsigned *out = harness_alloc(h, "out", rounded(n) * sizeof *out);
    harness_launch(h, kernels[part], shape, HARNESS_ARGS(&in, &n, &out));
    unsigned *results = harness_malloc(n * sizeof *results);
    harness_download(results, out, n * sizeof *results);
    snprintf(name, sizeof name, k ? "out_%u" : "out", k);
    harness_result(h, name, RESULT_U32, results, n);
    free(results);
}

int main(int argc, char **argv)
{
    struct harness *h = harness_open(argc, argv);
    unsigned part = (unsigned)harness_param(h, "part");
    unsigned sizes = (unsigned)harness_param_or(h, "sizes", 1);
    if (part >= PARTS || sizes > MAX_SIZES)
        harness_usage("parts 0 to %d, and at most %d sizes", PARTS - 1, MAX_SIZES);
    for (unsigned k = 0; k < sizes; k++)
        run(h, (enum part)part, (unsigned)harness_param(h, "n") + k / 4 * 61 + k % 4, k);
    return harness_close(h);
}
