/**
 * @file harness.c
 * lab06: prefix sums in one pass.
 *
 * Parameters: `part` 0 scan_tiles, 1 chain, 2 reset and scan, 3 prefixes; n (elements; in part 3 tiles), threads;
 * `shared` (bytes of dynamic shared memory a block, so that few blocks fit); `sizes` for parts 0 to 2
 * (so many calls, each with an n of its own: four in a row from n on, then 128 more); `first` for part 1 (the first ticket: the
 * tiles before are somebody else's, and ready); `rounds` and `fewer` for part 2 (so many scans in a row in the same
 * memory, each of so many elements less than the one before); `late` 1 for part 2: tile 0 belongs to somebody
 * else, who tells its sum only when the words of all others say something; `first` and `every` for part 2: the tiles
 * before are somebody else's, every so many have a prefix, and the others never more than an aggregate; `every` for
 * part 3: every so many tiles there is a prefix (and one is tile 0's).
 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS 16 // as in kernel.cu
#define MAX_ROUNDS 4
#define MAX_SIZES 16 // five buffers each

enum part { TILES, CHAIN, SCAN, PREFIXES };

// What a tile's word says, in its upper half. As in kernel.cu.
enum state { NOTHING, AGGREGATE, PREFIX };

static unsigned tiles_of(unsigned n, unsigned threads)
{
    unsigned tile = threads * ITEMS;
    return n / tile + (n % tile != 0);
}

/** A grid of a block a tile; with nothing to scan there is one block all the same. */
static struct harness_launch shape_for(struct harness *h, unsigned tiles)
{
    return (struct harness_launch){.blocks = tiles ? tiles : 1,
                                   .threads = (unsigned)harness_param(h, "threads"),
                                   .shared = (size_t)harness_param_or(h, "shared", 0)};
}

/** Call `k` of several puts out `name`, or name_k. */
static void put_out(struct harness *h, const char *name, unsigned k, const unsigned *out,
                    size_t count)
{
    char numbered[32];
    snprintf(numbered, sizeof numbered, k ? "%s_%u" : "%s", name, k);
    unsigned *sums = harness_malloc(count * sizeof *sums);
    harness_download(sums, out, count * sizeof *sums);
    harness_result(h, numbered, RESULT_U32, sums, count);
    free(sums);
}

static void run_tiles(struct harness *h, unsigned n, unsigned k)
{
    int32_t *values = harness_input_i32(h, k, n);
    unsigned *in = harness_upload(h, "in", values, n * sizeof *in);
    unsigned *out = harness_alloc(h, "out", n * sizeof *out);
    struct harness_launch shape = shape_for(h, tiles_of(n, (unsigned)harness_param(h, "threads")));
    harness_launch(h, "scan_tiles", shape, HARNESS_ARGS(&in, &n, &out));
    put_out(h, "out", k, out, n);
}

/** From tile `first` on: somebody else has told the sums of those before. */
static void run_chain(struct harness *h, unsigned n, unsigned k)
{
    unsigned first = (unsigned)harness_param_or(h, "first", 0);
    unsigned tiles = tiles_of(n, (unsigned)harness_param(h, "threads"));
    struct harness_launch shape = shape_for(h, tiles);
    int32_t *values = harness_input_i32(h, k, n);
    unsigned *in = harness_upload(h, "in", values, n * sizeof *in);
    unsigned words = shape.blocks, skipped = first * shape.threads * ITEMS, sum = 0;
    if (first >= words)
        harness_usage("tile %u is none", first);
    unsigned *prefixes = harness_malloc(words * sizeof *prefixes);
    unsigned *flags = harness_malloc(words * sizeof *flags);
    for (unsigned i = 0; i < words; i++)
        prefixes[i] = 0, flags[i] = i < first;
    for (unsigned i = 0; i < skipped; i++)
        prefixes[i / (shape.threads * ITEMS)] = sum += (unsigned)values[i];
    unsigned *ticket = harness_upload(h, "ticket", &first, sizeof first);
    unsigned *prefix = harness_upload(h, "prefix", prefixes, words * sizeof *prefixes);
    unsigned *ready = harness_upload(h, "ready", flags, words * sizeof *flags);
    unsigned *out = harness_alloc(h, "out", n * sizeof *out);
    shape.blocks -= first;
    harness_launch(h, "chain", shape, HARNESS_ARGS(&in, &n, &ticket, &prefix, &ready, &out));
    put_out(h, "out", k, out + skipped, n - skipped);
    free(prefixes);
    free(flags);
}

/** One scan a round, none waited for. Nobody has promised what state and ticket are before reset. */
static void run_scan(struct harness *h, unsigned n, unsigned k)
{
    unsigned rounds = (unsigned)harness_param_or(h, "rounds", 1);
    unsigned fewer = (unsigned)harness_param_or(h, "fewer", 0);
    unsigned threads = (unsigned)harness_param(h, "threads");
    if (rounds > MAX_ROUNDS || (rounds > 1 && (rounds - 1) * fewer > n))
        harness_usage("at most %d rounds, and no fewer than 0 elements", MAX_ROUNDS);
    unsigned words = tiles_of(n, threads);
    words = words ? words : 1;
    unsigned long long *state = harness_alloc(h, "state", words * sizeof *state);
    unsigned *ticket = harness_alloc(h, "ticket", sizeof *ticket);
    unsigned *in[MAX_ROUNDS], *out[MAX_ROUNDS], counts[MAX_ROUNDS];
    for (unsigned r = 0; r < rounds; r++) {
        counts[r] = n - r * fewer;
        int32_t *values = harness_input_i32(h, k + r, counts[r]);
        in[r] = harness_upload(h, "in", values, counts[r] * sizeof *in[r]);
        out[r] = harness_alloc(h, "out", counts[r] * sizeof *out[r]);
    }
    for (unsigned r = 0; r < rounds; r++) {
        unsigned tiles = tiles_of(counts[r], threads);
        struct harness_launch shape = shape_for(h, tiles);
        tiles = shape.blocks;
        harness_launch(h, "reset", (struct harness_launch){.blocks = 2, .threads = 16},
                       HARNESS_ARGS(&ticket, &state, &tiles));
        harness_launch(h, "scan", shape,
                       HARNESS_ARGS(&in[r], &counts[r], &ticket, &state, &out[r]));
    }
    for (unsigned r = 0; r < rounds; r++)
        put_out(h, "out", k + r, out[r], counts[r]);
}

/**
 * The tile before all others, in a stream of its own: waits until each of the words 1 … tiles - 1 says something,
 * then tells its sum. (In PTX, since the harness is C.)
 */
static const char late_tile[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry late_tile(.param .u64 state, .param .u32 tiles, .param .u64 its)\n"
    "{\n"
    "    .reg .pred %p;\n    .reg .b32 %r<3>;\n    .reg .b64 %rd<5>;\n"
    "    ld.param.u64 %rd0, [state];\n"
    "    ld.param.u32 %r0, [tiles];\n"
    "    ld.param.u64 %rd1, [its];\n"
    "    mov.u32 %r1, 1;\n"
    "next:\n"
    "    mad.wide.u32 %rd2, %r1, 8, %rd0;\n"
    "wait:\n"
    "    ld.relaxed.gpu.global.u64 %rd3, [%rd2];\n"
    "    shr.u64 %rd4, %rd3, 32;\n"
    "    setp.eq.u64 %p, %rd4, 0;\n"
    "    @%p bra wait;\n"
    "    add.u32 %r1, %r1, 1;\n"
    "    setp.lt.u32 %p, %r1, %r0;\n"
    "    @%p bra next;\n"
    "    st.relaxed.gpu.global.u64 [%rd0], %rd1;\n"
    "    ret;\n"
    "}\n";

/** Puts tile 0, which tells the sum `its` so late, into a stream of its own. */
static cudaStream_t launch_late(unsigned long long *state, unsigned tiles, unsigned long long its)
{
    cudaLibrary_t library;
    cudaKernel_t kernel;
    cudaStream_t stream;
    CUDA_CHECK(cudaLibraryLoadData(&library, late_tile, NULL, NULL, 0, NULL, NULL, 0));
    CUDA_CHECK(cudaLibraryGetKernel(&kernel, library, "late_tile"));
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA_CHECK(cudaLaunchKernel((const void *)kernel, (struct dim3){1, 1, 1},
                                (struct dim3){1, 1, 1}, HARNESS_ARGS(&state, &tiles, &its), 0,
                                stream));
    return stream;
}

/** Part C with the first ticket 1: what comes out begins with tile 1. */
static void run_late(struct harness *h, unsigned n)
{
    unsigned threads = (unsigned)harness_param(h, "threads"), tiles = tiles_of(n, threads);
    unsigned tile = threads * ITEMS, sum = 0, first = 1;
    if (tiles < 2)
        harness_usage("two tiles at the least");
    struct harness_launch shape = shape_for(h, tiles - 1);
    int32_t *values = harness_input_i32(h, 0, n);
    for (unsigned i = 0; i < tile; i++)
        sum += (unsigned)values[i];
    unsigned *in = harness_upload(h, "in", values, n * sizeof *in);
    unsigned *ticket = harness_upload(h, "ticket", &first, sizeof first);
    unsigned long long *state = harness_zeros(h, "state", tiles * sizeof *state);
    unsigned *out = harness_alloc(h, "out", n * sizeof *out);
    CUDA_CHECK(cudaStreamCreateWithFlags(&shape.stream, cudaStreamNonBlocking));
    // A GPU loads a kernel when it is first asked about, and may wait for all others to end before: ask now.
    (void)harness_fit(h, "scan", shape);
    harness_synchronize(); // the copies, for streams that do not wait for the default stream
    cudaStream_t beside = launch_late(state, tiles, (unsigned long long)PREFIX << 32 | sum);
    harness_launch(h, "scan", shape, HARNESS_ARGS(&in, &n, &ticket, &state, &out));
    harness_synchronize();
    CUDA_CHECK(cudaStreamDestroy(shape.stream));
    CUDA_CHECK(cudaStreamDestroy(beside));
    put_out(h, "out", 0, out + tile, n - tile);
}

/** Parts C and D behind tiles of somebody else's, whose words stay as they are. */
static void run_behind(struct harness *h, unsigned n, unsigned first)
{
    unsigned threads = (unsigned)harness_param(h, "threads"), tiles = tiles_of(n, threads);
    unsigned every = (unsigned)harness_param(h, "every"), tile = threads * ITEMS;
    if (first >= tiles)
        harness_usage("tile %u is none", first);
    struct harness_launch shape = shape_for(h, tiles - first);
    int32_t *values = harness_input_i32(h, 0, n);
    unsigned long long *words = harness_malloc(tiles * sizeof *words);
    memset(words, 0, tiles * sizeof *words);
    for (unsigned t = 0, prefix = 0; t < first; t++) {
        unsigned sum = 0;
        for (unsigned i = 0; i < tile; i++)
            sum += (unsigned)values[(size_t)t * tile + i];
        prefix += sum;
        words[t] = t % every == 0 ? (unsigned long long)PREFIX << 32 | prefix
                                  : (unsigned long long)AGGREGATE << 32 | sum;
    }
    unsigned *in = harness_upload(h, "in", values, n * sizeof *in);
    unsigned *ticket = harness_upload(h, "ticket", &first, sizeof first);
    unsigned long long *state = harness_upload(h, "state", words, tiles * sizeof *words);
    unsigned *out = harness_alloc(h, "out", n * sizeof *out);
    harness_launch(h, "scan", shape, HARNESS_ARGS(&in, &n, &ticket, &state, &out));
    put_out(h, "out", 0, out + (size_t)first * tile, n - first * tile);
    free(words);
}

/** Part D: the words of a scan at some moment, and the sum before each tile. */
static void run_prefixes(struct harness *h, unsigned tiles)
{
    unsigned every = (unsigned)harness_param(h, "every");
    struct random r = harness_random(h, 1);
    unsigned long long *words = harness_malloc(tiles * sizeof *words);
    for (unsigned t = 0, prefix = 0; t < tiles; t++) {
        unsigned sum = (unsigned)random_below(&r, 1u << 31);
        prefix += sum;
        words[t] = t % every == 0 ? (unsigned long long)PREFIX << 32 | prefix
                                  : (unsigned long long)AGGREGATE << 32 | sum;
    }
    unsigned long long *state = harness_upload(h, "state", words, tiles * sizeof *words);
    unsigned *out = harness_alloc(h, "out", tiles * sizeof *out);
    harness_launch(h, "prefixes", (struct harness_launch){.blocks = tiles, .threads = 32},
                   HARNESS_ARGS(&state, &out));
    put_out(h, "before", 0, out, tiles);
    free(words);
}

int main(int argc, char **argv)
{
    struct harness *h = harness_open(argc, argv);
    enum part part = (enum part)harness_param(h, "part");
    unsigned sizes = (unsigned)harness_param_or(h, "sizes", 1);
    if (sizes > MAX_SIZES)
        harness_usage("at most %d sizes", MAX_SIZES);
    for (unsigned k = 0; k < sizes; k++) {
        unsigned n = (unsigned)harness_param(h, "n") + k / 4 * 128 + k % 4;
        if (part == TILES)
            run_tiles(h, n, k);
        else if (part == CHAIN)
            run_chain(h, n, k);
        else if (part == PREFIXES)
            run_prefixes(h, n);
        else if (harness_param_or(h, "late", 0))
            run_late(h, n);
        else if (harness_param_or(h, "first", 0))
            run_behind(h, n, (unsigned)harness_param(h, "first"));
        else
            run_scan(h, n, k);
    }
    return harness_close(h);
}
