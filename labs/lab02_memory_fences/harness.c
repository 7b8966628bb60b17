/**
 * @file harness.c
 * lab02: messages between threads, blocks, and device and host; store buffering; flags of a grid.
 *
 * Parameters: `part` 0 … 4 as in enum part, and `n` (elements of the message, pairs, or blocks).
 */
#include "harness.h"

#include <stdlib.h>
#include <time.h>

enum part { PASS_BLOCK, PASS_DEVICE, PASS_HOST, STORE_BUFFER, NEIGHBOURS };

#define HOST_WAIT_S 5.0

/** Parts A and B: `out` must be what `in` was, having gone through `data`. */
static void run_pass(struct harness *h, enum part part, unsigned n)
{
    const int *in = harness_upload(h, "in", harness_input_i32(h, 0, n), n * sizeof(int));
    int *data = harness_alloc(h, "data", n * sizeof *data);
    int *flag = harness_zeros(h, "flag", sizeof *flag);
    int *out = harness_alloc(h, "out", n * sizeof *out);
    struct harness_launch shape = {.blocks = part == PASS_BLOCK ? 1 : 2, .threads = 64};
    harness_launch(h, part == PASS_BLOCK ? "pass_block" : "pass_device", shape,
                   HARNESS_ARGS(&in, &n, &data, &flag, &out));
    int *received = harness_malloc(n * sizeof *received);
    harness_download(received, out, n * sizeof *received);
    harness_result(h, "out", RESULT_I32, received, n);
    free(received);
}

/** Polls the flag, with acquire, until it is up or HOST_WAIT_S have gone by. */
static bool wait_for(const int *flag)
{
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        if (__atomic_load_n(flag, __ATOMIC_ACQUIRE))
            return true;
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((double)(now.tv_sec - start.tv_sec) < HOST_WAIT_S);
    return false;
}

/** Part C: the host reads while the kernel may still run. */
static void run_pass_host(struct harness *h, unsigned n)
{
    const int *in = harness_upload(h, "in", harness_input_i32(h, 0, n), n * sizeof(int));
    int *data, *flag;
    CUDA_CHECK(cudaHostAlloc((void **)&data, n * sizeof *data, cudaHostAllocMapped));
    CUDA_CHECK(cudaHostAlloc((void **)&flag, sizeof *flag, cudaHostAllocMapped));
    for (unsigned i = 0; i < n; i++)
        data[i] = (int)0xbaadf00d;
    *flag = 0;
    int *device_data, *device_flag;
    CUDA_CHECK(cudaHostGetDevicePointer((void **)&device_data, data, 0));
    CUDA_CHECK(cudaHostGetDevicePointer((void **)&device_flag, flag, 0));
    harness_launch(h, "pass_host", (struct harness_launch){.blocks = 1, .threads = 64},
                   HARNESS_ARGS(&in, &n, &device_data, &device_flag));
    int up = wait_for(flag);
    harness_result(h, "flag", RESULT_I32, &up, 1);
    harness_result(h, "data", RESULT_I32, data, n);
    harness_synchronize();
    CUDA_CHECK(cudaFreeHost(data));
    CUDA_CHECK(cudaFreeHost(flag));
}

/**
 * Part D: `pairs` pairs of blocks, each of which writes its own token and reads the other's.
 * Counts the pairs in which both saw nothing, and the blocks that saw what nobody wrote.
 */
static void run_store_buffer(struct harness *h, unsigned pairs)
{
    unsigned blocks = 2 * pairs;
    struct random r = harness_random(h, 0);
    int *tokens = harness_malloc(blocks * sizeof *tokens);
    for (unsigned i = 0; i < blocks; i++)
        tokens[i] = 1 + (int)random_below(&r, 1000000);
    const int *in = harness_upload(h, "tokens", tokens, blocks * sizeof *tokens);
    int *flags = harness_zeros(h, "flags", blocks * sizeof *flags);
    int *seen = harness_alloc(h, "seen", blocks * sizeof *seen);
    harness_launch(h, "store_buffer", (struct harness_launch){.blocks = blocks, .threads = 1},
                   HARNESS_ARGS(&in, &flags, &seen));
    int *got = harness_malloc(blocks * sizeof *got);
    harness_download(got, seen, blocks * sizeof *got);
    int both_missed = 0, invented = 0;
    for (unsigned i = 0; i < blocks; i++) {
        both_missed += i % 2 == 0 && got[i] == 0 && got[i + 1] == 0;
        invented += got[i] != 0 && got[i] != tokens[i ^ 1];
    }
    harness_result(h, "both_missed", RESULT_I32, &both_missed, 1);
    harness_result(h, "invented", RESULT_I32, &invented, 1);
    free(got);
    free(tokens);
}

/** Part E: out[b] must be in[b] + in[b + 1], the latter having gone through the other block. */
static void run_neighbours(struct harness *h, unsigned blocks, unsigned threads)
{
    const int *in = harness_upload(h, "in", harness_input_i32(h, 0, blocks), blocks * sizeof(int));
    int *data = harness_alloc(h, "data", blocks * sizeof *data);
    int *flags = harness_zeros(h, "flags", blocks * sizeof *flags);
    int *out = harness_alloc(h, "out", blocks * sizeof *out);
    harness_launch(h, "neighbours", (struct harness_launch){.blocks = blocks, .threads = threads},
                   HARNESS_ARGS(&in, &data, &flags, &out));
    int *sums = harness_malloc(blocks * sizeof *sums);
    harness_download(sums, out, blocks * sizeof *sums);
    harness_result(h, "out", RESULT_I32, sums, blocks);
    free(sums);
}

int main(int argc, char **argv)
{
    struct harness *h = harness_open(argc, argv);
    unsigned n = (unsigned)harness_param(h, "n");
    enum part part = (enum part)harness_param(h, "part");
    switch (part) {
    case PASS_BLOCK:
    case PASS_DEVICE:
        run_pass(h, part, n);
        break;
    case PASS_HOST:
        run_pass_host(h, n);
        break;
    case STORE_BUFFER:
        run_store_buffer(h, n);
        break;
    case NEIGHBOURS:
        run_neighbours(h, n, (unsigned)harness_param(h, "threads"));
        break;
    default:
        harness_usage("no part %d", (int)part);
    }
    return harness_close(h);
}
