/**
 * @file harness.c
 * lab10: bugs that shipped. Each case calls one exhibit's function, and hands over what it has written.
 *
 * Parameters: `exhibit` (1 = A … 18 = R, the rows of `exhibits`), n; `calls` (in a row, each with its own
 * input) and `less` (so many elements each call has less than the one before: loops end in other places);
 * `pageable` 1 (memory of the host's is ordinary memory); `test` (so many calls, each compared
 * with expected.h, and told: the test that the exhibit passed when it shipped).
 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expected.h"

#define MEMORY 8192 /* words that an exhibit has for its own use */

// What kernel.cu defines; README.md says what each is to do.
typedef void exhibit_function(int *out, const int *in, int *memory, int n);
exhibit_function last_block, semaphore, signed_off, one_buffer, next_tile, all_voted, some_warps,
    looking_back, all_lanes, in_lockstep, last_time, relaxed_flag, whose_word, on_its_way,
    handed_back, another_stream, launched_early, another_way;

static const struct exhibit {
    const char *name;
    exhibit_function *function;
    void (*expect)(int *out, const int *in, int n);
    int per_element, per_32, fixed; /**< ints in `out`: n * per_element + n / 32 * per_32 + fixed */
    int clean;                      /**< so many words of `memory` are 0 at first; 0: all */
    int counts;                     /**< so many words of `memory` are a result, too */
    bool on_host, any_order; /**< `out` leads to the host's memory; holds its values in any order */
    bool mostly_odd;         /**< of its input three in four are, so that rows fill up fast */
} exhibits[] = {
#define EXHIBIT(name, expect, ...)                                                                 \
    {                                                                                              \
#name, name, expect, __VA_ARGS__                                                           \
    }
    EXHIBIT(last_block, expect_sum, .fixed = 1, .clean = 1),
    EXHIBIT(semaphore, expect_columns, .fixed = 128),
    EXHIBIT(signed_off, expect_bins, .fixed = 64),
    EXHIBIT(one_buffer, expect_below_maximum, .per_element = 1),
    EXHIBIT(next_tile, expect_turned_tiles, .per_element = 1),
    EXHIBIT(all_voted, expect_odd, .per_element = 1, .counts = 8, .mostly_odd = true),
    EXHIBIT(some_warps, expect_turned_chunks, .per_element = 1),
    EXHIBIT(looking_back, expect_scan, .per_element = 1),
    EXHIBIT(all_lanes, expect_above, .per_element = 1, .counts = 1, .any_order = true),
    EXHIBIT(in_lockstep, expect_warps, .per_32 = 1),
    EXHIBIT(last_time, expect_most, .fixed = 3),
    EXHIBIT(relaxed_flag, expect_all_reduced, .per_element = 1),
    EXHIBIT(whose_word, expect_bits, .per_32 = 1, .fixed = 2),
    EXHIBIT(on_its_way, expect_squares, .per_element = 1, .fixed = 1, .on_host = true),
    EXHIBIT(handed_back, expect_two_steps, .per_element = 2, .on_host = true),
    EXHIBIT(another_stream, expect_sum, .fixed = 1, .on_host = true),
    EXHIBIT(launched_early, expect_sum_added, .per_element = 1),
    EXHIBIT(another_way, expect_turned_rows, .per_element = 1),
};

/** One call: what goes in, and where the results are. */
struct call {
    const struct exhibit *e;
    int n, size;
    const int32_t *input;
    int *in, *out, *memory, *got; /**< got: `size` ints, then `counts` */
};

/** The host's memory comes clean; page-locked, unless pageable memory is asked for. */
static int *host_memory(size_t bytes, bool pageable)
{
    void *p = NULL;
    if (pageable)
        p = harness_malloc(bytes);
    else
        CUDA_CHECK(cudaMallocHost(&p, bytes));
    return memset(p, 0, bytes);
}

static void make_call(struct harness *h, struct call *c, uint64_t purpose)
{
    size_t bytes = (size_t)c->size * sizeof(int);
    int32_t *input = harness_input_i32(h, purpose, (size_t)c->n);
    for (int i = 0; i < c->n && c->e->mostly_odd; i++)
        input[i] |= input[i] >> 1 & 1;
    c->input = input;
    c->in = harness_upload(h, "in", c->input, (size_t)c->n * sizeof *c->in);
    c->out = c->e->on_host ? host_memory(bytes, harness_param_or(h, "pageable", 0))
                           : harness_zeros(h, "out", bytes);
    harness_name_memory(c->out, "out");
    c->got = harness_malloc(bytes + (size_t)c->e->counts * sizeof(int));
    harness_synchronize(); // all of `in` is there, for any stream
}

static void take(struct call *c)
{
    if (c->e->on_host)
        memcpy(c->got, c->out, (size_t)c->size * sizeof(int));
    else
        harness_download(c->got, c->out, (size_t)c->size * sizeof(int));
    if (c->e->counts)
        harness_download(c->got + c->size, c->memory, (size_t)c->e->counts * sizeof(int));
}

static void clear(struct call *c)
{
    size_t bytes = (size_t)c->size * sizeof(int);
    if (c->e->on_host)
        memset(c->out, 0, bytes);
    else
        CUDA_CHECK(cudaMemset(c->out, 0, bytes));
    harness_synchronize();
}

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/** The test that shipped. */
static void test(struct call *c, int times)
{
    size_t count = (size_t)c->size + (size_t)c->e->counts;
    int *expected = harness_malloc(count * sizeof *expected), right = 0;
    memset(expected, 0, count * sizeof *expected);
    c->e->expect(expected, c->input, c->n);
    for (int t = 0; t < times; t++) {
        clear(c);
        c->e->function(c->out, c->in, c->memory, c->n);
        CUDA_CHECK(cudaGetLastError());
        harness_synchronize();
        take(c);
        if (c->e->any_order && c->got[c->size] >= 0 && c->got[c->size] <= c->size)
            qsort(c->got, (size_t)c->got[c->size], sizeof *c->got, ascending);
        right += !memcmp(c->got, expected, count * sizeof *expected);
    }
    printf("%s: %d of %d calls right\n", c->e->name, right, times);
    free(expected);
}

static void add_results(struct harness *h, struct call *c, int number)
{
    char name[40];
    take(c);
    snprintf(name, sizeof name, number ? "out of call %d" : "out", number + 1);
    harness_result(h, name, RESULT_I32, c->got, (size_t)c->size);
    if (c->e->counts)
        harness_result(h, "counts", RESULT_I32, c->got + c->size, (size_t)c->e->counts);
    if (c->e->on_host && !harness_param_or(h, "pageable", 0))
        CUDA_CHECK(cudaFreeHost(c->out));
    else if (c->e->on_host)
        free(c->out);
    free(c->got);
}

int main(int argc, char **argv)
{
    struct harness *h = harness_open(argc, argv);
    int n = (int)harness_param(h, "n"), calls = (int)harness_param_or(h, "calls", 1);
    int times = (int)harness_param_or(h, "test", 0), less = (int)harness_param_or(h, "less", 0);
    unsigned number = (unsigned)harness_param(h, "exhibit");
    if (number < 1 || number > sizeof exhibits / sizeof exhibits[0] || n < 1 || calls < 1 ||
        calls > 8)
        harness_usage("exhibit %u, n = %d, %d calls: there is no such case", number, n, calls);
    const struct exhibit *e = &exhibits[number - 1];
    int *memory = harness_alloc(h, "memory", MEMORY * sizeof *memory);
    CUDA_CHECK(cudaMemset(memory, 0, (e->clean ? (size_t)e->clean : MEMORY) * sizeof *memory));
    struct call call[8];
    for (int c = 0; c < calls; c++, n -= less) {
        if (n < 1)
            harness_usage("call %d has no elements left", c + 1);
        int size = n * e->per_element + n / 32 * e->per_32 + e->fixed;
        call[c] = (struct call){.e = e, .n = n, .size = size, .memory = memory};
        make_call(h, &call[c], (uint64_t)c);
    }
    for (int c = 0; c < calls && !times; c++) {
        e->function(call[c].out, call[c].in, memory, call[c].n);
        CUDA_CHECK(cudaGetLastError());
    }
    if (times)
        test(&call[0], times);
    harness_synchronize();
    for (int c = 0; c < calls; c++)
        add_results(h, &call[c], c);
    return harness_close(h);
}
