/**
 * @file harness.c
 * lab02: messages between threads, blocks, and device and host; store buffering; flags of a grid;
 * litmus tests.
 *
 * Parameters: `part` 0 … 5 as in enum part, and `n` (elements of the message, pairs, or blocks).
 */
#include "harness.h"

#include <stdlib.h>
#include <time.h>

#include "litmus.h"
#include "outcomes.h"

enum part { PASS_BLOCK, PASS_DEVICE, PASS_HOST, STORE_BUFFER, NEIGHBOURS, PREDICT };

#define HOST_WAIT_S 1.0

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
    int raised;
    harness_download(&raised, flag, sizeof raised);
    raised = raised != 0;
    harness_result(h, "flag is up", RESULT_I32, &raised, 1);
}

/**
 * Polls the flag, with acquire, until it is up. After HOST_WAIT_S, which is long for a kernel of
 * microseconds, waits for the kernel instead: a slow machine is no mistake.
 */
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
    harness_synchronize();
    return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

/** Part C: the host reads while the kernel may still run. */
static void run_pass_host(struct harness *h, unsigned n)
{
    const int *in = harness_upload(h, "in", harness_input_i32(h, 0, n), n * sizeof(int));
    int *data, *flag;
    CUDA_CHECK(cudaHostAlloc((void **)&data, n * sizeof *data, cudaHostAllocMapped));
    CUDA_CHECK(cudaHostAlloc((void **)&flag, sizeof *flag, cudaHostAllocMapped));
    harness_name_memory(data, "data");
    harness_name_memory(flag, "flag");
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

/** What the executions of one pair can end with; see outcomes.h. */
struct endings {
    bool both_missed, first_missed, second_missed; /**< the last two: it alone saw nothing */
};

static struct endings endings_of_pair(void)
{
    struct outcomes all = outcomes_of("store_buffer");
    struct endings e = {0};
    for (size_t i = 0; i < all.count; i++) {
        bool first = all.words[i * all.width + 2] == 0, second = all.words[i * all.width + 3] == 0;
        e.both_missed |= first && second;
        e.first_missed |= first && !second;
        e.second_missed |= second && !first;
    }
    outcomes_free(&all);
    return e;
}

/**
 * Part D: `pairs` pairs of blocks, each of which writes its own token and reads the other's.
 * Counts the pairs in which both saw nothing, and the blocks that saw what nobody wrote. Under
 * --exhaustive, for one pair, all executions count, and there must be some in which one block sees nothing, and
 * some in which the other does: who waits for the other, or takes its token from elsewhere, has none.
 */
static void run_store_buffer(struct harness *h, unsigned pairs)
{
    unsigned blocks = 2 * pairs;
    struct random r = harness_random(h, 0);
    int *tokens = harness_malloc(blocks * sizeof *tokens);
    for (unsigned i = 0; i < blocks; i++)
        tokens[i] = 1 + (int)random_below(&r, 1000000);
    const int *in = harness_upload(h, "tokens", tokens, blocks * sizeof *tokens);
    int *flags = harness_zeros(h, "flags and seen", 2 * blocks * sizeof *flags);
    int *seen = flags + blocks;
    harness_launch(h, "store_buffer", (struct harness_launch){.blocks = blocks, .threads = 1},
                   HARNESS_ARGS(&in, &flags, &seen));
    int *got = harness_malloc(blocks * sizeof *got);
    harness_download(got, seen, blocks * sizeof *got);
    int both_missed = 0, invented = 0, nobody_waits = 1;
    for (unsigned i = 0; i < blocks; i++) {
        both_missed += i % 2 == 0 && got[i] == 0 && got[i + 1] == 0;
        invented += got[i] != 0 && got[i] != tokens[i ^ 1];
    }
    if (pairs == 1 && outcomes_wanted()) {
        struct endings e = endings_of_pair();
        both_missed = e.both_missed;
        nobody_waits = e.first_missed && e.second_missed;
    }
    harness_result(h, "pairs that both missed", RESULT_I32, &both_missed, 1);
    harness_result(h, "tokens that nobody wrote", RESULT_I32, &invented, 1);
    harness_result(h, "either block can be too early", RESULT_I32, &nobody_waits, 1);
    free(got);
    free(tokens);
}

/** Part E: each out[b] must be the sum of all blocks' numbers, each having gone through its block. */
static void run_neighbours(struct harness *h, unsigned blocks, unsigned threads)
{
    const int *in = harness_upload(h, "in", harness_input_i32(h, 0, blocks), blocks * sizeof(int));
    int *data = harness_alloc(h, "data", blocks * sizeof *data);
    int *flags = harness_zeros(h, "flags", blocks * sizeof *flags);
    int *out = harness_zeros(h, "out", blocks * sizeof *out);
    harness_launch(h, "neighbours", (struct harness_launch){.blocks = blocks, .threads = threads},
                   HARNESS_ARGS(&in, &data, &flags, &out));
    int *sums = harness_malloc(blocks * sizeof *sums);
    harness_download(sums, out, blocks * sizeof *sums);
    harness_result(h, "out", RESULT_I32, sums, blocks);
    free(sums);
}

// The rows of `predictions` in kernel.cu, in its order.
static const struct litmus litmus_tests[] = {
    {"mp", LITMUS_BLOCKS, "x = 1; y = 1 | a = y; b = x", {"00", "01", "10", "11"}},
    {"mp_release", LITMUS_BLOCKS, "x = 1; fence; y = 1 | a = y; b = x", {"00", "01", "10", "11"}},
    {"mp_acquire", LITMUS_BLOCKS, "x = 1; y = 1 | a = y; fence; b = x", {"00", "01", "10", "11"}},
    {"mp_fences",
     LITMUS_BLOCKS,
     "x = 1; fence; y = 1 | a = y; fence; b = x",
     {"00", "01", "10", "11"}},
    {"mp_block_fences",
     LITMUS_BLOCKS,
     "x = 1; fence_block; y = 1 | a = y; fence_block; b = x",
     {"00", "01", "10", "11"}},
    {"mp_warps",
     LITMUS_WARPS,
     "x = 1; fence_block; y = 1 | a = y; fence_block; b = x",
     {"00", "01", "10", "11"}},

    {"sb", LITMUS_BLOCKS, "x = 1; a = y | y = 1; b = x", {"00", "01", "10", "11"}},
    {"sb_acq_rel",
     LITMUS_BLOCKS,
     "x = 1; fence_acq_rel; a = y | y = 1; fence_acq_rel; b = x",
     {"00", "01", "10", "11"}},
    {"sb_one_fence", LITMUS_BLOCKS, "x = 1; fence; a = y | y = 1; b = x", {"00", "01", "10", "11"}},
    {"sb_fences",
     LITMUS_BLOCKS,
     "x = 1; fence; a = y | y = 1; fence; b = x",
     {"00", "01", "10", "11"}},
    {"sb_lanes", LITMUS_LANES, "x = 1; a = y | y = 1; b = x", {"00", "01", "10", "11"}},
    {"sb_syncwarp",
     LITMUS_LANES,
     "x = 1; syncwarp; a = y | y = 1; syncwarp; b = x",
     {"00", "01", "10", "11"}},

    {"co_read", LITMUS_BLOCKS, "x = 1 | a = x; b = x", {"00", "01", "10", "11"}},
    {"co_order",
     LITMUS_BLOCKS,
     "x = 1 | x = 2 | a = x; b = x | c = x; d = x",
     {"1122", "1212", "1221", "2121"}},

    {"wrc", LITMUS_BLOCKS, "x = 1 | a = x; y = 1 | b = y; c = x", {"010", "011", "110", "111"}},
    {"wrc_fences",
     LITMUS_BLOCKS,
     "x = 1 | a = x; fence; y = 1 | b = y; fence; c = x",
     {"010", "011", "110", "111"}},

    {"iriw",
     LITMUS_BLOCKS,
     "x = 1 | y = 1 | a = x; b = y | c = y; d = x",
     {"0000", "1010", "1011", "1111"}},
    {"iriw_acq_rel",
     LITMUS_BLOCKS,
     "x = 1 | y = 1 | a = x; fence_acq_rel; b = y | c = y; fence_acq_rel; d = x",
     {"0000", "1010", "1011", "1111"}},
    {"iriw_fences",
     LITMUS_BLOCKS,
     "x = 1 | y = 1 | a = x; fence; b = y | c = y; fence; d = x",
     {"0000", "1010", "1011", "1111"}},
};

#define LITMUS_TESTS (sizeof litmus_tests / sizeof litmus_tests[0])

/** Whether an execution ends with an outcome's digits in its registers. */
static bool litmus_reached(const struct litmus *t, const struct outcomes *all, const char *outcome)
{
    bool reached = false;
    for (size_t i = 0; i < all->count && !reached; i++) {
        const uint32_t *registers = all->words + i * all->width + LITMUS_MEMORY / 2;
        reached = true;
        for (int r = 0; r < litmus_registers(t); r++)
            reached &= registers[r] == (uint32_t)(outcome[r] - '0');
    }
    return reached;
}

/** What the model allows of a test's outcomes: 1 or 0 each. Only under --exhaustive. */
static void litmus_enumerate(struct harness *h, cudaLibrary_t library, const struct litmus *t,
                             int32_t *possible)
{
    int *memory = harness_zeros(h, "memory{x y z none a b c d}", LITMUS_MEMORY * sizeof *memory);
    struct harness_launch shape = litmus_shape(t);
    cudaKernel_t kernel;
    CUDA_CHECK(cudaLibraryGetKernel(&kernel, library, t->name));
    CUDA_CHECK(cudaLaunchKernel((const void *)kernel, (struct dim3){shape.blocks, 1, 1},
                                (struct dim3){shape.threads, 1, 1}, HARNESS_ARGS(&memory), 0, 0));
    harness_synchronize();
    struct outcomes all = outcomes_of(t->name);
    for (int i = 0; i < LITMUS_ASKED; i++)
        possible[i] = litmus_reached(t, &all, t->asked[i]);
    outcomes_free(&all);
}

/** What the kernel says of them: 1 for 'y', 0 for 'n', -1 for anything else. */
static void litmus_predicted(struct harness *h, unsigned row, int32_t *possible)
{
    int *device = harness_alloc(h, "possible", LITMUS_ASKED * sizeof *device);
    int said[LITMUS_ASKED];
    harness_launch(h, "predict", (struct harness_launch){.blocks = 1, .threads = LITMUS_ASKED},
                   HARNESS_ARGS(&row, &device));
    harness_download(said, device, sizeof said);
    for (int i = 0; i < LITMUS_ASKED; i++)
        possible[i] = said[i] == 'y' ? 1 : said[i] == 'n' ? 0 : -1;
}

/** For whoever looks at a test with softgpu --exhaustive. */
static void litmus_show(const struct litmus *t, const int32_t *is, const int32_t *said)
{
    static const char *const place[] = {"blocks", "warps", "lanes"};
    printf("%s (%s): %s\n", t->name, place[t->place], t->program);
    for (int i = 0; i < LITMUS_ASKED; i++)
        printf("  %.*s = %s %s; predicted: %s\n", litmus_registers(t), "abcd", t->asked[i],
               is[i] ? "can be" : "cannot be",
               said[i] < 0 ? "nothing"
               : said[i]   ? "can be"
                           : "cannot be");
}

/**
 * Part F: the tests whose name begins with the case's. Under --exhaustive, as the reference's run
 * is, the result is what the model allows, else what the kernel predicts.
 */
static void run_predict(struct harness *h)
{
    const char *group = harness_case(h);
    cudaLibrary_t library = NULL;
    if (outcomes_wanted()) {
        char *module = litmus_module(litmus_tests, LITMUS_TESTS);
        CUDA_CHECK(cudaLibraryLoadData(&library, module, NULL, NULL, 0, NULL, NULL, 0));
        free(module);
    }
    int32_t possible[LITMUS_TESTS][LITMUS_ASKED], said[LITMUS_ASKED], silent = 0;
    for (unsigned row = 0; row < LITMUS_TESTS; row++) {
        const struct litmus *t = &litmus_tests[row];
        if (strncmp(t->name, group, strlen(group)))
            continue;
        litmus_predicted(h, row, said);
        memcpy(possible[row], said, sizeof said);
        if (library) {
            litmus_enumerate(h, library, t, possible[row]);
            litmus_show(t, possible[row], said);
        }
        for (int i = 0; i < LITMUS_ASKED; i++)
            silent += possible[row][i] < 0;
    }
    // First of all, so that the answers show only to who has given some.
    harness_result(h, "outcomes without a prediction", RESULT_I32, &silent, 1);
    for (unsigned row = 0; row < LITMUS_TESTS; row++) {
        const struct litmus *t = &litmus_tests[row];
        for (int i = 0; i < LITMUS_ASKED && !strncmp(t->name, group, strlen(group)); i++) {
            char name[64];
            snprintf(name, sizeof name, "%s: %.*s = %s (1: can be, 0: cannot be)", t->name,
                     litmus_registers(t), "abcd", t->asked[i]);
            harness_result(h, name, RESULT_I32, &possible[row][i], 1);
        }
    }
    if (library)
        CUDA_CHECK(cudaLibraryUnload(library));
}

int main(int argc, char **argv)
{
    struct harness *h = harness_open(argc, argv);
    enum part part = (enum part)harness_param(h, "part");
    unsigned n = part == PREDICT ? 0 : (unsigned)harness_param(h, "n");
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
    case PREDICT:
        run_predict(h);
        break;
    default:
        harness_usage("no part %d", (int)part);
    }
    return harness_close(h);
}
