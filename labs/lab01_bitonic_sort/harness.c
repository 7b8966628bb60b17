/**
 * @file harness.c
 * lab01: bitonic sort.
 *
 * Parameters: `part` 0 sorts each block's values (blocks, threads), 1 sorts blocks * threads values
 * by launches of sort_step, 2 sorts n values by launches of sort_any with `threads` a block, 3
 * sorts n values by launches of sort_tiles, merge_far and merge_near. For part 3 also: `merge` 1,
 * the tiles come sorted and are merged in pairs; `single` 1, each merge's first step is sort_any's;
 * `sizes` and `step`, all this for n, n + step, n + 2 step, … values.
 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>

enum part { SORT_BLOCK, SORT_STEP, SORT_ANY, SORT_TILES };

// As in kernel.cu: values in a tile, threads a block of part D.
#define TILE 8192u
#define TILE_THREADS 512u

/** The network's merges, k = 2, 4, 8, …, and in each its steps, j = k/2, k/4, …, 1. */
static void launch_network(struct harness *h, enum part part, int *values, unsigned n,
                           struct harness_launch shape)
{
    for (unsigned k = 2; k / 2 < n; k *= 2)
        for (unsigned j = k / 2; j > 0; j /= 2)
            if (part == SORT_STEP)
                harness_launch(h, "sort_step", shape, HARNESS_ARGS(&values, &j, &k));
            else
                harness_launch(h, "sort_any", shape, HARNESS_ARGS(&values, &n, &j, &k));
}

/**
 * The same merges with many steps a launch: eight while j is TILE or more, then the rest at once.
 * `single`: the first step of each by sort_any, the next eight by merge_far also where merge_near
 * could do them. `merge`: the tiles are sorted already, and only k = 2 TILE is to be done.
 */
static void launch_tiles(struct harness *h, int *values, unsigned n, bool single, bool merge)
{
    struct harness_launch tiles = {.blocks = n ? (n + TILE - 1) / TILE : 1,
                                   .threads = TILE_THREADS};
    unsigned least = single ? TILE / 2 : TILE, last = merge ? 2 * TILE : ~0u;
    if (!merge)
        harness_launch(h, "sort_tiles", tiles, HARNESS_ARGS(&values, &n));
    for (unsigned k = 2 * TILE; k / 2 < n && k <= last; k *= 2) {
        unsigned j = k / 2;
        if (single) {
            struct harness_launch step = {.blocks = (n + 255) / 256, .threads = 256};
            harness_launch(h, "sort_any", step, HARNESS_ARGS(&values, &n, &j, &k));
            j /= 2;
        }
        for (; j >= least; j >>= 8) {
            struct harness_launch far = {.blocks = (n + 2 * j - 1) / (2 * j) * (2 * j / TILE),
                                         .threads = TILE_THREADS};
            harness_launch(h, "merge_far", far, HARNESS_ARGS(&values, &n, &j, &k));
        }
        harness_launch(h, "merge_near", tiles, HARNESS_ARGS(&values, &n, &j));
    }
}

static int compare(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static void sort_tiles_here(int32_t *values, unsigned n)
{
    for (unsigned first = 0; first < n; first += TILE)
        qsort(values + first, n - first < TILE ? n - first : TILE, sizeof *values, compare);
}

static void sort_values(struct harness *h, enum part part, unsigned n, struct harness_launch shape,
                        const char *name)
{
    size_t bytes = n * sizeof(int);
    int32_t *in = harness_input_i32(h, n, n);
    bool merge = harness_param_or(h, "merge", 0) != 0;
    if (merge)
        sort_tiles_here(in, n);
    int *values = harness_upload(h, "values", in, bytes);
    if (part == SORT_BLOCK)
        harness_launch(h, "sort_block", shape, HARNESS_ARGS(&values));
    else if (part == SORT_TILES)
        launch_tiles(h, values, n, harness_param_or(h, "single", 0) != 0, merge);
    else
        launch_network(h, part, values, n, shape);
    int *sorted = harness_malloc(bytes);
    harness_download(sorted, values, bytes);
    harness_result(h, name, RESULT_I32, sorted, n);
    free(sorted);
}

int main(int argc, char **argv)
{
    struct harness *h = harness_open(argc, argv);
    enum part part = (enum part)harness_param(h, "part");
    struct harness_launch shape = {0};
    if (part != SORT_TILES)
        shape.threads = (unsigned)harness_param(h, "threads");
    if (part == SORT_BLOCK || part == SORT_STEP) {
        shape.blocks = (unsigned)harness_param(h, "blocks");
        sort_values(h, part, shape.blocks * shape.threads, shape, "values");
        return harness_close(h);
    }
    unsigned n = (unsigned)harness_param(h, "n");
    if (part == SORT_ANY)
        shape.blocks = n ? (n + shape.threads - 1) / shape.threads : 1;
    sort_values(h, part, n, shape, "values");
    unsigned sizes = (unsigned)harness_param_or(h, "sizes", 1);
    for (unsigned i = 1; i < sizes; i++) {
        char name[32];
        n += (unsigned)harness_param(h, "step");
        snprintf(name, sizeof name, "values_%u", n);
        sort_values(h, part, n, shape, name);
    }
    return harness_close(h);
}
