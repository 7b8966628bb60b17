/**
 * @file harness.c
 * lab07: barriers for the whole grid.
 *
 * Parameters: `part` 0 meet, 1 turns, 2 jacobi, 3 jacobi_cooperative; blocks, threads; `launches` and `fewer` (so many
 * launches in a row with one barrier that is zeroed only once, each of so many blocks less than the one before);
 * `rounds` for part 1; w, h, steps for parts 2 and 3; `fit` for part 2 (so many blocks are sure to run at the same time;
 * the device may make it less) and `shared` (bytes of dynamic shared memory a block, so that few blocks fit).
 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LAUNCHES 4

enum part { MEET, TURNS, JACOBI, COOPERATIVE };

static const char *const kernels[] = {"meet", "turns", "jacobi", "jacobi_cooperative"};

/** Launch `k` of several puts out `name`, or name_k. */
static void put_out(struct harness *h, const char *name, unsigned k, const int *device,
                    size_t count)
{
    char numbered[32];
    snprintf(numbered, sizeof numbered, k ? "%s_%u" : "%s", name, k);
    int *values = harness_malloc(count * sizeof *values);
    harness_download(values, device, count * sizeof *values);
    harness_result(h, numbered, RESULT_I32, values, count);
    free(values);
}

/** Parts A and B: everybody writes, all wait, everybody reads what a thread of the next block wrote. */
static void run_slots(struct harness *h, enum part part, struct harness_launch shape)
{
    unsigned launches = (unsigned)harness_param_or(h, "launches", 1);
    unsigned fewer = (unsigned)harness_param_or(h, "fewer", 0);
    unsigned rounds = (unsigned)harness_param_or(h, "rounds", 1);
    size_t count = (size_t)shape.blocks * shape.threads;
    unsigned *barrier = harness_zeros(h, "barrier", 4 * sizeof *barrier);
    int *in[MAX_LAUNCHES], *out[MAX_LAUNCHES], *slots[MAX_LAUNCHES];
    for (unsigned k = 0; k < launches; k++) {
        in[k] = harness_upload(h, "in", harness_input_i32(h, k, count), count * sizeof *in[k]);
        slots[k] = harness_zeros(h, "slots", count * sizeof *slots[k]);
        out[k] = harness_alloc(h, "out", count * sizeof *out[k]);
    }
    for (unsigned k = 0; k < launches; k++, shape.blocks -= fewer) {
        if (part == MEET)
            harness_launch(h, kernels[part], shape,
                           HARNESS_ARGS(&in[k], &slots[k], &barrier, &out[k]));
        else
            harness_launch(h, kernels[part], shape,
                           HARNESS_ARGS(&in[k], &slots[k], &barrier, &rounds, &out[k]));
    }
    for (unsigned k = 0; k < launches; k++, count -= fewer * shape.threads) {
        put_out(h, "out", k, out[k], count);
        put_out(h, "slots", k, slots[k], count); // written by everybody, and not only for show
    }
}

/** Cells of a size that four of them add up to an int. */
static int32_t *make_cells(struct harness *h, unsigned k, size_t count)
{
    int32_t *cells = harness_input_i32(h, k, count);
    for (size_t i = 0; i < count; i++)
        cells[i] %= 1 << 24;
    return cells;
}

/** Parts C and D: both arrays, of which the number of steps tells what they hold. */
static void run_jacobi(struct harness *h, enum part part, struct harness_launch shape)
{
    unsigned launches = (unsigned)harness_param_or(h, "launches", 1);
    unsigned fewer = (unsigned)harness_param_or(h, "fewer", 0);
    unsigned w = (unsigned)harness_param(h, "w"), height = (unsigned)harness_param(h, "h");
    unsigned steps = (unsigned)harness_param(h, "steps");
    size_t count = (size_t)w * height;
    unsigned *barrier = part == JACOBI ? harness_zeros(h, "barrier", 4 * sizeof *barrier) : NULL;
    int *a[MAX_LAUNCHES], *b[MAX_LAUNCHES];
    unsigned fit = (unsigned)harness_param_or(h, "fit", shape.blocks);
    unsigned most = harness_fit(h, kernels[part], shape);
    fit = fit < most ? fit : most;
    for (unsigned k = 0; k < launches; k++) {
        int32_t *cells = make_cells(h, k, count);
        a[k] = harness_upload(h, "a", cells, count * sizeof *cells);
        for (unsigned y = 1; y + 1 < height; y++) // b has the border, and nothing else yet
            for (unsigned x = 1; x + 1 < w; x++)
                cells[(size_t)y * w + x] = -1;
        b[k] = harness_upload(h, "b", cells, count * sizeof *cells);
    }
    for (unsigned k = 0; k < launches; k++, shape.blocks -= fewer) {
        if (part == JACOBI) {
            harness_launch(h, kernels[part], shape,
                           HARNESS_ARGS(&a[k], &b[k], &w, &height, &steps, &fit, &barrier));
        } else {
            shape.cooperative = true;
            shape.blocks = shape.blocks < most ? shape.blocks : most;
            harness_launch(h, kernels[part], shape,
                           HARNESS_ARGS(&a[k], &b[k], &w, &height, &steps));
        }
    }
    for (unsigned k = 0; k < launches; k++) {
        put_out(h, "a", k, a[k], count);
        put_out(h, "b", k, b[k], count);
    }
}

int main(int argc, char **argv)
{
    struct harness *h = harness_open(argc, argv);
    enum part part = (enum part)harness_param(h, "part");
    struct harness_launch shape = {.blocks = (unsigned)harness_param(h, "blocks"),
                                   .threads = (unsigned)harness_param(h, "threads"),
                                   .shared = (size_t)harness_param_or(h, "shared", 0)};
    unsigned launches = (unsigned)harness_param_or(h, "launches", 1);
    if (launches > MAX_LAUNCHES ||
        (launches - 1) * (uint64_t)harness_param_or(h, "fewer", 0) >= shape.blocks)
        harness_usage("at most %d launches, of at least one block", MAX_LAUNCHES);
    if (part == MEET || part == TURNS)
        run_slots(h, part, shape);
    else
        run_jacobi(h, part, shape);
    return harness_close(h);
}
