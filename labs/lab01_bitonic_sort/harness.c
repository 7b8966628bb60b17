/**
 * @file harness.c
 * lab01: bitonic sort.
 *
 * Parameters: `part` 0 sorts each block's values (blocks, threads), 1 sorts blocks * threads values
 * by launches of sort_step, 2 sorts n values by launches of sort_any with `threads` a block.
 */
#include "harness.h"

#include <stdlib.h>

enum part { SORT_BLOCK, SORT_STEP, SORT_ANY };

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

int main(int argc, char **argv)
{
    struct harness *h = harness_open(argc, argv);
    enum part part = (enum part)harness_param(h, "part");
    struct harness_launch shape = {.threads = (unsigned)harness_param(h, "threads")};
    unsigned n;
    if (part == SORT_ANY) {
        n = (unsigned)harness_param(h, "n");
        shape.blocks = n ? (n + shape.threads - 1) / shape.threads : 1;
    } else {
        shape.blocks = (unsigned)harness_param(h, "blocks");
        n = shape.blocks * shape.threads;
    }

    size_t bytes = n * sizeof(int);
    int *values = harness_upload(h, "values", harness_input_i32(h, 0, n), bytes);
    if (part == SORT_BLOCK)
        harness_launch(h, "sort_block", shape, HARNESS_ARGS(&values));
    else
        launch_network(h, part, values, n, shape);
    int *sorted = harness_malloc(bytes);
    harness_download(sorted, values, bytes);
    harness_result(h, "values", RESULT_I32, sorted, n);
    free(sorted);
    return harness_close(h);
}
