/**
 * @file harness.c
 * @LAB@: TODO what is tested.
 *
 * Parameters: n, blocks, threads.
 */
#include "harness.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    struct harness *h = harness_open(argc, argv);
    unsigned n = (unsigned)harness_param(h, "n");
    unsigned blocks = (unsigned)harness_param(h, "blocks");
    unsigned threads = (unsigned)harness_param(h, "threads");

    const int *in = harness_upload(h, "in", harness_input_i32(h, 0, n), n * sizeof(int));
    int *out = harness_alloc(h, "out", n * sizeof *out);
    harness_launch(h, "doubled", (struct harness_launch){.blocks = blocks, .threads = threads},
                   HARNESS_ARGS(&in, &out, &n));
    int *values = harness_malloc(n * sizeof *values);
    harness_download(values, out, n * sizeof *values);
    harness_result(h, "out", RESULT_I32, values, n);
    free(values);
    return harness_close(h);
}
