/**
 * @file job.h
 * One call of a student's function: the host's arrays before it, and what is told of it after.
 */
#ifndef LAB05_JOB_H
#define LAB05_JOB_H

#include "harness.h"
#include "host_race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "watch.h"

#define PAGE 4096

void *host_alloc(size_t bytes); // the student's, as the functions in harness.c
void host_free(void *p);

/** A result's name: 0 is as it must be. */
#define WAITED "your function waited on the host; must return at once"
#define FOREIGN "the device got other data than in (1: yes)"
/** What host_race.h finds: a flag that is volatile, say, and no std::atomic. */
#define UNORDERED "two host threads use the same memory, unordered"

struct job {
    struct harness *h;
    const char *about; /**< put behind the names of results */
    size_t n, bytes, chunk;
    int rounds, streams;
    int *in, *out;
    int *arrived;      /**< what copies into `out` have brought; NULL: `out` itself is looked at */
    const void *table;
    size_t table_bytes;
    bool locked;       /**< `arrived` is page-locked */
    int fail;          /**< of the student's copies, the one that fails; 0: none */
    int64_t used;      /**< device memory before */
    unsigned delay_us; /**< that it takes to record an event */
};

/** Memory from the student's host_alloc(). */
static void *allocate(size_t bytes)
{
    void *p = host_alloc(bytes ? bytes : 1);
    if (!p)
        harness_usage("host_alloc(%zu) gave no memory", bytes);
    return p;
}

/** Ordinary memory in pages that nothing else uses: page-locking knows whole pages only. */
static void *allocate_pages(size_t bytes)
{
    void *p = aligned_alloc(PAGE, (bytes / PAGE + 1) * PAGE);
    if (!p)
        harness_usage("no memory for %zu bytes", bytes);
    return p;
}

/** The host's two arrays; `out` holds what a result cannot be by accident. */
static void prepare(struct job *j, bool pageable)
{
    j->in = pageable ? allocate_pages(j->bytes) : allocate(j->bytes);
    j->out = pageable ? allocate_pages(j->bytes) : allocate(j->bytes);
    memcpy(j->in, harness_input_i32(j->h, 0, j->n), j->bytes);
    memset(j->out, 0x5a, j->bytes);
}

static void add(struct job *j, const char *name, enum result_type type, const void *data,
                size_t count)
{
    char full[64];
    snprintf(full, sizeof full, "%s%s", name, j->about);
    harness_result(j->h, full, type, data, count);
}

/** Bytes of device memory in use; on a real GPU 0. */
static int64_t memory_used(void)
{
    size_t left, all;
    if (!on_softgpu())
        return 0;
    CUDA_CHECK(cudaMemGetInfo(&left, &all));
    return (int64_t)(all - left);
}

/** For a function whose results the device computes and copies bring: `out` gets a twin, page-locked if it is. */
static void watch_output(struct job *j)
{
    struct cudaPointerAttributes a;
    bool locked = REAL(cudaPointerGetAttributes)(&a, j->out) == cudaSuccess && a.type == cudaMemoryTypeHost;
    (void)cudaGetLastError();
    size_t bytes = j->bytes ? j->bytes : 1;
    if (locked)
        CUDA_CHECK(cudaMallocHost((void **)&j->arrived, bytes));
    else
        j->arrived = harness_malloc(bytes);
    memset(j->arrived, 0x5a, j->bytes);
    j->locked = locked;
}

/** Before a function of the student's: from now on its calls are counted. */
static void begin(struct job *j)
{
    static int calls;
    memset(&watch, 0, sizeof watch);
    watch.call = ++calls;
    watch.fail_copy = j->fail;
    watch.watch_memory = j->n < 100000;
    if (j->arrived) {
        watch.out = (char *)j->out;
        watch.arrived = (char *)j->arrived;
        watch.in = (const char *)j->in;
        watch.table = j->table;
        watch.bytes = j->bytes;
        watch.table_bytes = j->table_bytes;
    }
    j->used = memory_used();
    watch.most_bytes = (size_t)j->used;
    watch.on = true;
    host_race_begin();
}

/** The error that a function returned, and what it has left behind. The error is then forgotten, where it
 *  can be. */
static void add_status(struct job *j, const char *function, cudaError_t status)
{
    watch.on = false;
    int32_t unordered = host_race_end() > 0;
    if (status == cudaErrorNotYetImplemented) {
        fprintf(stderr, "%s() is still to be written\n", function);
        exit(HARNESS_CUDA_ERROR);
    }
    int32_t code = j->fail ? status != cudaSuccess : (int32_t)status;
    add(j, j->fail ? "a call failed: returned an error (1: yes)" : "returned error", RESULT_I32,
        &code, 1);
    int32_t left[] = {watch.streams_left, watch.events_left};
    add(j, "streams not destroyed", RESULT_I32, &left[0], 1);
    add(j, "events not destroyed", RESULT_I32, &left[1], 1);
    add(j, UNORDERED, RESULT_I32, &unordered, 1);
    (void)cudaGetLastError();
}

/** What a function that is to give its memory back has kept. */
static void add_kept(struct job *j)
{
    int64_t kept = memory_used() - j->used;
    add(j, "bytes of device memory not freed", RESULT_I64, &kept, 1);
}

/** Who made the results: the host may neither write them nor send them there and back. */
static void add_whose(struct job *j)
{
    const int untouched = 0x5a5a5a5a;
    int32_t by_host = 0, foreign = watch.foreign_bytes > j->bytes / 4;
    for (size_t i = 0; i < j->n; i++) /* the results first: the host's accesses beside unfinished work are followed up to a number */
        by_host += j->arrived[i] == untouched && j->out[i] != untouched;
    int32_t changed = memcmp(j->in, harness_input_i32(j->h, 0, j->n), j->bytes) != 0;
    add(j, "elements of out that the host wrote, not a copy", RESULT_I32, &by_host, 1);
    add(j, "the host changed in (1: yes)", RESULT_I32, &changed, 1);
    add(j, FOREIGN, RESULT_I32, &foreign, 1);
}

/** For a function that may stage its input: what it took to the device is the input, but for the rest of a
 *  piece that is taken whole. To be called before add_output(). */
static void add_whose_input(struct job *j)
{
    size_t rest = (size_t)j->streams * j->chunk * sizeof(int);
    int32_t foreign = watch.foreign_bytes > j->bytes / 4 + rest;
    if (!j->fail)
        add(j, FOREIGN, RESULT_I32, &foreign, 1);
}

static void add_output(struct job *j)
{
    if (j->fail)
        return; // nobody has promised anything
    if (j->arrived)
        add_whose(j);
    add(j, "out", RESULT_I32, j->arrived ? j->arrived : j->out, j->n);
}

static void release(struct job *j, bool pageable)
{
    harness_synchronize();
    if (j->arrived && j->locked)
        CUDA_CHECK(cudaFreeHost(j->arrived));
    else
        free(j->arrived);
    j->arrived = NULL;
    (pageable ? free : host_free)(j->in);
    (pageable ? free : host_free)(j->out);
}

/** Kernels that were put into the default stream, which waits for all others. */
static void add_in_streams(struct job *j)
{
    int32_t kernels = watch.default_launches;
    add(j, "kernels in the default stream", RESULT_I32, &kernels, 1);
}

/** Copies of `pieces` pieces of work were put into as many streams, if so many were asked for: two at least. */
static void add_side_by_side(struct job *j, size_t pieces, int streams)
{
    int32_t many = watch.copying >= 2;
    if (pieces >= 2 && streams >= 2 && !j->fail)
        add(j, "copies in two streams or more", RESULT_I32, &many, 1);
}

/** A few streams go round, and so do a few pieces of memory: not one for each chunk. Some more are allowed, a
 *  stream for each engine, say. */
static void add_few(struct job *j, size_t bytes)
{
    int32_t many = watch.streams_made > j->streams + 3;
    int32_t much = !watch.pooled && watch.most_bytes - (size_t)j->used > bytes + bytes / 4 + PAGE;
    add(j, "more streams than asked for (1: yes)", RESULT_I32, &many, 1);
    add(j, "more device memory than asked for (1: yes)", RESULT_I32, &much, 1);
}

#endif
