/**
 * @file harness.c
 * lab00: the warm-up sums.
 *
 * Parameters: n, blocks, threads, and `part`: 0 launches block_sum, 1 grid_sum, 2 partial_sums
 * twice, the second time with one block over the first one's results.
 */
#include "harness.h"

#include <stdlib.h>

enum part { BLOCK_SUM, GRID_SUM, TWO_LAUNCHES };

int main(int argc, char **argv)
{
    struct harness *h = harness_open(argc, argv);
    unsigned n = (unsigned)harness_param(h, "n");
    unsigned blocks = (unsigned)harness_param(h, "blocks");
    unsigned threads = (unsigned)harness_param(h, "threads");
    enum part part = (enum part)harness_param(h, "part");

    const int *in = harness_upload(h, "in", harness_input_i32(h, 0, n), n * sizeof(int));
    int *partial = harness_alloc(h, "partial", blocks * sizeof *partial);
    int *out = part == GRID_SUM ? harness_zeros(h, "out", sizeof *out)
                                : harness_alloc(h, "out", sizeof *out);
    struct harness_launch shape = {.blocks = blocks, .threads = threads};
    switch (part) {
    case BLOCK_SUM:
        harness_launch(h, "block_sum", shape, HARNESS_ARGS(&in, &n, &out));
        break;
    case GRID_SUM:
        harness_launch(h, "grid_sum", shape, HARNESS_ARGS(&in, &n, &out));
        break;
    case TWO_LAUNCHES:
        harness_launch(h, "partial_sums", shape, HARNESS_ARGS(&in, &n, &partial));
        harness_launch(h, "partial_sums", (struct harness_launch){.blocks = 1, .threads = threads},
                       HARNESS_ARGS(&partial, &blocks, &out));
        break;
    default:
        harness_usage("no part %d", (int)part);
    }
    int sum;
    harness_download(&sum, out, sizeof sum);
    harness_result(h, "sum", RESULT_I32, &sum, 1);
    if (part == TWO_LAUNCHES) {
        int *sums = harness_malloc(blocks * sizeof *sums);
        harness_download(sums, partial, blocks * sizeof *sums);
        harness_result(h, "partial", RESULT_I32, sums, blocks);
        free(sums);
    }
    return harness_close(h);
}
