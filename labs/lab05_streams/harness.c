/**
 * @file harness.c
 * lab05: streams. The student's functions are linked with this file, which calls them.
 *
 * Parameters: `part` (1 = A … 7 = G, 8 = B where there is no room, 9 = F where copies to the
 * host bring other numbers), n (left out: 0, 1, 31, 32 and 33, one after the other), and where the part has them `chunk`, `streams`, `rounds`; `fail`: of the
 * function's copies the one that fails, in one of three calls (part 4: any, and one stream answers with an error); `delay_us`:
 * so much longer it takes to record an event, for who relies on a sleep of his own.
 *
 * Results are read as soon as a function says that they are there. The device is given nothing to
 * do but what the student's functions ask for, where time is judged.
 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gate.h"
#include "job.h"
#include "watch.h"

#define TABLE 256
#define MAX_STREAMS 64

// What kernel.cu defines; README.md says what each is to do.
void *host_alloc(size_t bytes);
void host_free(void *p);
cudaError_t halves(int *out, const int *in, int *dev_out, int *dev_in, size_t n, int rounds);
cudaError_t pipeline(int *out, const int *in, size_t n, int rounds, size_t chunk, int streams);
cudaError_t fork_join(int *out, int *x, int *y, size_t n, int rounds, cudaStream_t stream,
                      cudaStream_t other);
cudaError_t consume_ready(const cudaStream_t *stream, int count, void (*consume)(int));
cudaError_t beside_library(int *out, const int *in, int *dev_out, int *dev_in, size_t n,
                           const unsigned *table, size_t chunk, int streams,
                           void (*library)(size_t));
cudaError_t from_pageable(int *out, int *in, size_t n, int rounds, size_t chunk, int streams);
cudaError_t two_threads(int *out, const int *in, const unsigned *table, int *dev_out, int *dev_in,
                        unsigned *dev_table, size_t n);

// ---- the parts ----

static void run_halves(struct job *j)
{
    int *dev_in = harness_alloc(j->h, "dev_in", j->bytes);
    int *dev_out = harness_alloc(j->h, "dev_out", j->bytes);
    prepare(j, false);
    watch_output(j);
    begin(j);
    add_status(j, "halves", halves(j->out, j->in, dev_out, dev_in, j->n, j->rounds));
    add_in_streams(j);
    add_side_by_side(j, j->n, 2);
    add_output(j);
    release(j, false);
}

static void run_pipeline(struct job *j)
{
    prepare(j, false);
    watch_output(j);
    begin(j);
    add_status(j, "pipeline", pipeline(j->out, j->in, j->n, j->rounds, j->chunk, j->streams));
    add_in_streams(j);
    add_side_by_side(j, (j->n + j->chunk - 1) / j->chunk, j->streams);
    add_few(j, 2 * j->chunk * (size_t)j->streams * sizeof(int));
    add_output(j);
    add_kept(j);
    release(j, false);
}

/** Chunks that no device has room for: the function must say so and touch nothing. */
static void run_too_large(struct job *j)
{
    prepare(j, false);
    begin(j);
    add_status(j, "pipeline",
               pipeline(j->out, j->in, (size_t)1 << 44, j->rounds, (size_t)1 << 44, 1));
    add_output(j);
    add_kept(j);
    release(j, false);
}

/** All inputs come through `stream`, behind a gate that opens when the function has returned. */
static void run_fork_join(struct job *j)
{
    struct gate gate = GATE_INITIALIZER;
    cudaStream_t stream, other;
    size_t n = j->n;
    int *x = harness_alloc(j->h, "x", j->bytes), *y = harness_alloc(j->h, "y", j->bytes);
    int *out = harness_alloc(j->h, "out", j->bytes), *y_in = allocate(j->bytes);
    prepare(j, false);
    memcpy(y_in, harness_input_i32(j->h, 1, n), j->bytes);
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA_CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    harness_name_stream(stream, "stream");
    harness_name_stream(other, "other");
    CUDA_CHECK(cudaLaunchHostFunc(stream, gate_wait, &gate));
    CUDA_CHECK(cudaMemcpyAsync(x, j->in, j->bytes, cudaMemcpyHostToDevice, stream));
    CUDA_CHECK(cudaMemcpyAsync(y, y_in, j->bytes, cudaMemcpyHostToDevice, stream));
    begin(j);
    watch.other = j->streams == 1 ? NULL : other;
    add_status(j, "fork_join",
               fork_join(out, x, y, n, j->rounds, stream, j->streams == 1 ? stream : other));
    int32_t waited = !gate_open(&gate), beside = watch.other_launches > 0;
    if (n > 0 && watch.other)
        add(j, "a kernel in the other stream", RESULT_I32, &beside, 1);
    CUDA_CHECK(cudaMemcpyAsync(j->out, out, j->bytes, cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    add(j, WAITED, RESULT_I32, &waited, 1);
    add_output(j);
    CUDA_CHECK(cudaStreamDestroy(stream));
    CUDA_CHECK(cudaStreamDestroy(other));
    release(j, false);
    host_free(y_in);
}

// consume() takes no argument but the number, so what it needs is here. One run a process.
static struct {
    struct job *job;
    struct gate gate;
    size_t first[MAX_STREAMS + 1];
    int slow, count, calls, failed;
    bool took_failed;
    int32_t order[2 * MAX_STREAMS], *taken;
} serving;

/** Called by the student's function: takes a stream's results, in the order in which it comes. */
static void consume(int which)
{
    serving.took_failed |= which == serving.failed;
    if (which < 0 || which >= serving.count || serving.calls == 2 * MAX_STREAMS)
        harness_usage("consume(%d): there are streams 0 to %d, each to be consumed once", which,
                      serving.count - 1);
    size_t first = serving.first[which], count = serving.first[which + 1] - first;
    memcpy(serving.taken + first, serving.job->out + first, count * sizeof(int));
    serving.order[serving.calls++] = which == serving.slow;
    if (serving.calls == serving.count - 1)
        gate_open(&serving.gate);
}

/** One stream is held up until all others have been consumed; the seed says which. With one stream
 *  (`slow` -1) none is. */
static void run_consume(struct job *j)
{
    struct random r = harness_random(j->h, 7);
    cudaStream_t stream[MAX_STREAMS];
    int *device = harness_alloc(j->h, "device", j->bytes);
    prepare(j, false);
    serving.job = j;
    serving.calls = 0;
    serving.gate = GATE_INITIALIZER;
    serving.count = j->streams;
    // In the middle, so that neither waiting from the front nor from the back gets by.
    serving.slow =
        j->streams > 2 ? 1 + (int)random_below(&r, (uint64_t)j->streams - 2) : j->streams - 2;
    serving.taken = harness_malloc(j->bytes);
    memset(serving.taken, 0x5a, j->bytes);
    for (int i = 0; i <= j->streams; i++)
        serving.first[i] = j->n * (size_t)i / (size_t)j->streams;
    for (int i = 0; i < j->streams; i++) {
        size_t first = serving.first[i], bytes = (serving.first[i + 1] - first) * sizeof(int);
        CUDA_CHECK(cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking));
        harness_name_stream(stream[i], "stream[%d]", i);
        if (i == serving.slow)
            CUDA_CHECK(cudaLaunchHostFunc(stream[i], gate_wait, &serving.gate));
        CUDA_CHECK(cudaMemcpyAsync(device + first, j->in + first, bytes, cudaMemcpyHostToDevice,
                                   stream[i]));
        CUDA_CHECK(cudaMemcpyAsync(j->out + first, device + first, bytes, cudaMemcpyDeviceToHost,
                                   stream[i]));
    }
    begin(j);
    serving.took_failed = false;
    serving.failed = j->fail ? (serving.slow + 1) % j->streams : -1;
    watch.failed = j->fail ? stream[serving.failed] : NULL;
    add_status(j, "consume_ready", consume_ready(stream, j->streams, consume));
    int32_t waited = !gate_open(&serving.gate) && serving.slow >= 0;
    if (j->fail) {
        int32_t took = serving.took_failed;
        /* Who leaves with an error may wait before; the next call is judged anew. */
        gate_given_up = false;
        add(j, "consumed what had failed (1: yes)", RESULT_I32, &took, 1);
    } else {
        add(j, WAITED, RESULT_I32, &waited, 1);
        add(j, "the slow one's turn", RESULT_I32, serving.order, (size_t)serving.calls);
        add(j, "out", RESULT_I32, serving.taken, j->n);
    }
    harness_synchronize();
    for (int i = 0; i < j->streams; i++)
        CUDA_CHECK(cudaStreamDestroy(stream[i]));
    free(serving.taken);
    release(j, false);
}

/** A look-up table in page-locked memory. */
static unsigned *make_table(struct job *j)
{
    struct random r = harness_random(j->h, 9);
    unsigned *table;
    CUDA_CHECK(cudaMallocHost((void **)&table, TABLE * sizeof *table));
    harness_name_memory(table, "table");
    for (int i = 0; i < TABLE; i++)
        table[i] = (unsigned)random_u64(&r);
    return table;
}

static void *library_memory;
/** The library's calls, and those that came out of turn: before their chunk's kernel and copy out. */
static int32_t library_calls, library_early;

/** Some library's work, which it puts into the default stream as libraries do. */
static void library_call(size_t chunk)
{
    int issued = watch.launches < watch.copies_out ? watch.launches : watch.copies_out;
    library_early += chunk != (size_t)library_calls || issued < library_calls + 1;
    library_calls++;
    CUDA_CHECK(cudaMemsetAsync(library_memory, (int)chunk, 1024, cudaStreamLegacy));
}

/** The table is still on its way, in the default stream, when the function is called. */
static void run_beside_library(struct job *j)
{
    int *dev_in = harness_alloc(j->h, "dev_in", j->bytes);
    int *dev_out = harness_alloc(j->h, "dev_out", j->bytes);
    unsigned *dev_table = harness_alloc(j->h, "table", TABLE * sizeof *dev_table);
    unsigned *table = make_table(j);
    prepare(j, false);
    library_memory = harness_alloc(j->h, "library", 1024);
    CUDA_CHECK(cudaMemcpyAsync(dev_table, table, TABLE * sizeof *table, cudaMemcpyHostToDevice,
                               cudaStreamLegacy));
    library_calls = library_early = 0;
    watch_output(j);
    begin(j);
    add_status(j, "beside_library",
               beside_library(j->out, j->in, dev_out, dev_in, j->n, dev_table, j->chunk, j->streams,
                              library_call));
    if (!j->fail) {
        add(j, "calls of library()", RESULT_I32, &library_calls, 1);
        add(j, "calls of library() before their chunk", RESULT_I32, &library_early, 1);
    }
    add_output(j);
    release(j, false);
    CUDA_CHECK(cudaFreeHost(table));
}

static void run_from_pageable(struct job *j)
{
    prepare(j, true);
    begin(j);
    watch_know(j->in, j->n);
    add_status(j, "from_pageable",
               from_pageable(j->out, j->in, j->n, j->rounds, j->chunk, j->streams));
    int32_t early = watch.early_unregisters;
    add(j, "unregistered while copies were under way", RESULT_I32, &early, 1);
    add_whose_input(j);
    add_output(j);
    add_kept(j);
    release(j, true);
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/** from_pageable() once more, but each copy to the host brings random numbers of ours: what is then in `out`
 *  came by copies, or is the host's own. */
static void run_given(struct job *j)
{
    size_t count = j->n + 2 * j->chunk * (size_t)j->streams, bytes = count * sizeof(uint32_t);
    struct random r = harness_random(j->h, 13);
    uint32_t *number = harness_malloc(bytes), *given = harness_alloc(j->h, "given", bytes);
    for (size_t i = 0; i < count; i++)
        number[i] = (uint32_t)random_u64(&r);
    CUDA_CHECK(cudaMemcpy(given, number, bytes, cudaMemcpyHostToDevice));
    harness_synchronize(); // the bytes of pageable memory may arrive after the call
    qsort(number, count, sizeof *number, by_value);
    prepare(j, true);
    begin(j);
    watch.given = (const char *)given;
    watch.given_bytes = bytes;
    add_status(j, "from_pageable",
               from_pageable(j->out, j->in, j->n, j->rounds, j->chunk, j->streams));
    int32_t by_host = 0;
    for (size_t i = 0; watch.gave && i < j->n; i++)
        by_host += !bsearch(j->out + i, number, count, sizeof *number, by_value);
    add(j, "elements of out that no copy brought", RESULT_I32, &by_host, 1);
    release(j, true);
    free(number);
}

static void run_two_threads(struct job *j)
{
    int *dev_in = harness_alloc(j->h, "dev_in", j->bytes);
    int *dev_out = harness_alloc(j->h, "dev_out", j->bytes);
    unsigned *dev_table = harness_alloc(j->h, "table", TABLE * sizeof *dev_table);
    unsigned *table = make_table(j);
    prepare(j, false);
    j->table = table;
    j->table_bytes = TABLE * sizeof *table;
    watch_output(j);
    begin(j);
    watch.delay_us = j->delay_us;
    bool shared = j->n > 1 && !j->fail;
    halves_watch(shared ? watch.call : 0);
    add_status(j, "two_threads",
               two_threads(j->out, j->in, table, dev_out, dev_in, dev_table, j->n));
    int32_t both = watch.threads >= 2, quarter = halves_shared(j->bytes),
            at_once = !halves_state.alone;
    int32_t apart = halves_apart(), tables = halves_state.tables, by_event = halves_state.waits > 0;
    halves_watch(0);
    if (shared) {
        add(j, "both host threads issue copies or kernels", RESULT_I32, &both, 1);
        add(j, "each brings a quarter of out, or more", RESULT_I32, &quarter, 1);
        add(j, "both are at work before one has done its half", RESULT_I32, &at_once, 1);
        add(j, "each in a stream of its own", RESULT_I32, &apart, 1);
        add(j, "copies of the table", RESULT_I32, &tables, 1);
        add(j, "a stream waits for an event", RESULT_I32, &by_event, 1);
    }
    add_output(j);
    release(j, false);
    CUDA_CHECK(cudaFreeHost(table));
}

static void run_part(struct job *j, unsigned part)
{
    static void (*const parts[])(struct job *) = {
        run_halves,        run_pipeline,    run_fork_join, run_consume, run_beside_library,
        run_from_pageable, run_two_threads, run_too_large, run_given,
    };
    if (part < 1 || part > sizeof parts / sizeof parts[0])
        harness_usage("there is no part %u", part);
    j->bytes = j->n * sizeof(int);
    parts[part - 1](j);
}

/** Three calls alike, of which the seed says one whose copy fails: neither shape nor number tells which. */
static void run_failing(struct job *j, unsigned part)
{
    static const char *const names[] = {", call 1", ", call 2", ", call 3"};
    struct random r = harness_random(j->h, 11);
    unsigned failing = (unsigned)random_below(&r, 3);
    for (unsigned i = 0; i < 3; i++) {
        struct job call = *j;
        call.about = names[i];
        call.fail = i == failing ? j->fail : 0;
        run_part(&call, part);
    }
}

int main(int argc, char **argv)
{
    /* A kernel that is loaded at its first launch may wait for the device, and a gate would not open. */
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    static const unsigned small[] = {0, 1, 31, 32, 33};
    struct harness *h = harness_open(argc, argv);
    unsigned part = (unsigned)harness_param(h, "part");
    int64_t n = harness_param_or(h, "n", -1);
    struct job j = {.h = h,
                    .about = "",
                    .n = (size_t)n,
                    .chunk = (size_t)harness_param_or(h, "chunk", 1),
                    .streams = (int)harness_param_or(h, "streams", 2),
                    .rounds = (int)harness_param_or(h, "rounds", 3),
                    .fail = (int)harness_param_or(h, "fail", 0),
                    .delay_us = (unsigned)harness_param_or(h, "delay_us", 0)};
    if (j.streams < 1 || j.streams > MAX_STREAMS || j.chunk < 1)
        harness_usage("chunks of %zu in %d streams: there is no such case", j.chunk, j.streams);
    for (unsigned i = 0; n < 0 && i < sizeof small / sizeof small[0]; i++) {
        char about[16];
        snprintf(about, sizeof about, ", n = %u", small[i]);
        j.about = about;
        j.n = small[i];
        run_part(&j, part);
    }
    if (n >= 0 && j.fail)
        run_failing(&j, part);
    else if (n >= 0)
        run_part(&j, part);
    return harness_close(h);
}
