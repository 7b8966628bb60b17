/**
 * @file watch.h
 * What the student's functions of lab05 ask of CUDA, seen from the harness: it defines some calls itself, counts,
 * and goes on into the library. Nothing else is changed, but for calls that a case lets fail, and that copies into `out`
 * arrive at a twin of it, which the host's own stores do not reach: a result is what copies have brought.
 *
 * Each wrapper of a call that findings name ends in a tail call, so that softgpu still sees the student's line as the caller's. A program
 * could get round all this; what it computes and how it is ordered is judged elsewhere.
 */
#ifndef LAB05_WATCH_H
#define LAB05_WATCH_H

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "halves.h"
#include "harness.h"

/** Asks after a stream that has failed; whoever goes on has not looked at the answer. */
#define MAX_ASKED 10000

static struct {
    bool on;                       /**< a function of the student's runs */
    int call;                      /**< which one: threads are counted anew in each */
    int streams_made, streams_left, events_left;
    int launches, default_launches, copies, copies_out, threads;
    size_t most_bytes;             /**< of device memory in use, seen at launches */
    bool watch_memory, pooled;     /**< pooled: memory that comes and goes in a stream's order */
    int fail_copy;                 /**< the copy that fails, from 1; 0: none */
    cudaStream_t failed;           /**< the stream that answers with an error; NULL: none */
    int asked;
    cudaStream_t streams[64];      /**< that a copy was put into */
    int copying;                   /**< how many those have been */
    cudaStream_t other;            /**< a stream that the function was given to use beside one */
    int other_launches;            /**< in it */
    int early_unregisters;         /**< of memory while copies were under way */
    unsigned delay_us;             /**< that an event's record takes longer */
    char *out, *arrived;           /**< of `bytes` each; copies into `out` go to `arrived`. NULL: no such pair */
    const char *in, *table;        /**< where copies to the device may come from; `in` NULL: from anywhere */
    size_t bytes, table_bytes;
    size_t foreign_bytes;          /**< that copies took to the device from elsewhere */
    unsigned char *known;          /**< the input's values (watch_know()), where any memory may bring them; else NULL */
    const char *given;             /**< on the device: what copies to the host bring instead; NULL: nothing else */
    size_t given_bytes;
    bool gave;                     /**< at least one did */
} watch;

static void watch_add(int *counter, int n)
{
    if (watch.on)
        __atomic_add_fetch(counter, n, __ATOMIC_RELAXED);
}

/** The library's own entry point. */
static void *watch_real(const char *name)
{
    void *p = dlsym(RTLD_NEXT, name);
    if (!p) {
        fprintf(stderr, "harness: the CUDA runtime has no %s\n", name);
        exit(4);
    }
    return p;
}

/** `name` as a function of the wrapper's type. */
#define REAL(name) ((__typeof__(&name))watch_real(#name))
/** Sibling calls also where the harness is built without optimisation: the caller stays the student's. */
#define WATCHED __attribute__((optimize("O2", "no-stack-protector")))

static void watch_thread(void)
{
    static __thread int counted;
    if (watch.on && counted != watch.call) {
        counted = watch.call;
        watch_add(&watch.threads, 1);
    }
}

/** Is the device softgpu? A real GPU's driver takes memory for itself as it goes: what is used says nothing there. */
static bool on_softgpu(void)
{
    return dlsym(RTLD_DEFAULT, "softgpu_version") != NULL;
}

static void watch_memory(void)
{
    size_t left, all;
    if (watch.on && on_softgpu() && watch.watch_memory && REAL(cudaMemGetInfo)(&left, &all) == cudaSuccess &&
        all - left > watch.most_bytes)
        watch.most_bytes = all - left;
}

WATCHED cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t s)
{
    watch.pooled = true;
    return REAL(cudaMallocAsync)(p, bytes, s);
}

/** Findings number the student's own streams from 1 in each call. */
static cudaError_t watch_stream(cudaStream_t s, cudaError_t status)
{
    if (!watch.on || status != cudaSuccess)
        return status;
    int number = __atomic_add_fetch(&watch.streams_made, 1, __ATOMIC_RELAXED);
    watch_add(&watch.streams_left, 1);
    harness_name_stream(s, "stream %d", number);
    return status;
}

cudaError_t cudaStreamCreate(cudaStream_t *s)
{
    cudaError_t status = REAL(cudaStreamCreate)(s);
    return watch_stream(s ? *s : NULL, status);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags)
{
    cudaError_t status = REAL(cudaStreamCreateWithFlags)(s, flags);
    return watch_stream(s ? *s : NULL, status);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned flags, int priority)
{
    cudaError_t status = REAL(cudaStreamCreateWithPriority)(s, flags, priority);
    return watch_stream(s ? *s : NULL, status);
}

WATCHED cudaError_t cudaStreamDestroy(cudaStream_t s)
{
    watch_add(&watch.streams_left, -1);
    for (int i = 0; watch.on && i < 64; i++)
        if (watch.streams[i] == s)
            watch.streams[i] = NULL;
    return REAL(cudaStreamDestroy)(s);
}

WATCHED cudaError_t cudaEventCreate(cudaEvent_t *e)
{
    watch_add(&watch.events_left, 1);
    return REAL(cudaEventCreate)(e);
}

WATCHED cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned flags)
{
    watch_add(&watch.events_left, 1);
    return REAL(cudaEventCreateWithFlags)(e, flags);
}

WATCHED cudaError_t cudaEventDestroy(cudaEvent_t e)
{
    watch_add(&watch.events_left, -1);
    return REAL(cudaEventDestroy)(e);
}

WATCHED cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s)
{
    if (watch.on && watch.delay_us)
        usleep(watch.delay_us);
    if (watch.on && watch.failed && s == watch.failed)
        return cudaErrorLaunchFailure;
    return REAL(cudaEventRecord)(e, s);
}

/** Does a copy of this kind go to the host? With cudaMemcpyDefault the address says so. */
static bool watch_is_out(const void *dst, enum cudaMemcpyKind kind)
{
    struct cudaPointerAttributes a;
    if (!watch.on || kind != cudaMemcpyDefault)
        return kind == cudaMemcpyDeviceToHost;
    return REAL(cudaPointerGetAttributes)(&a, dst) == cudaSuccess && a.type != cudaMemoryTypeDevice;
}

static bool watch_within(const void *p, const char *base, size_t bytes)
{
    return base && (const char *)p >= base && (const char *)p < base + bytes;
}

static bool watch_on_device(const void *p)
{
    struct cudaPointerAttributes a;
    return REAL(cudaPointerGetAttributes)(&a, p) == cudaSuccess && a.type == cudaMemoryTypeDevice;
}

/** Where a copy from `src` goes. */
static void *watch_to(void *dst, const void *src)
{
    if (!watch.on || !watch_within(dst, watch.out, watch.bytes) || !watch_on_device(src))
        return dst;
    return watch.arrived + ((char *)dst - watch.out);
}

/** A bit for each hash of a value: one that was put in is always found, of others a few. */
#define KNOWN_BITS 24

static bool watch_known(const char *p, bool put)
{
    unsigned value;
    memcpy(&value, p, sizeof value);
    unsigned hash = value * 0x9e3779b1u >> (32 - KNOWN_BITS);
    if (put)
        watch.known[hash / 8] |= (unsigned char)(1u << hash % 8);
    return watch.known[hash / 8] >> hash % 8 & 1;
}

/** From now on copies to the device may come from any memory, but are to bring values of `in`. */
static void watch_know(const int *in, size_t n)
{
    static unsigned char known[1u << (KNOWN_BITS - 3)];
    memset(known, 0, sizeof known);
    watch.known = known;
    for (size_t i = 0; i < n; i++)
        watch_known((const char *)(in + i), true);
}

/** Notes what a copy takes to the device that is no value of the input. */
static void watch_values(const char *src, size_t bytes)
{
    size_t unknown = 0;
    for (size_t at = 0; at + sizeof(int) <= bytes; at += sizeof(int))
        unknown += !watch_known(src + at, false);
    __atomic_add_fetch(&watch.foreign_bytes, unknown * sizeof(int), __ATOMIC_RELAXED);
}

/** Where a copy to the device comes from. What copies have brought is where they brought it. Notes what is
 *  neither that nor input nor table. */
static const void *watch_from(const void *dst, const void *src, size_t bytes)
{
    if (!watch.on || (!watch.in && !watch.known) || !watch_on_device(dst) || watch_on_device(src))
        return src;
    if (watch.known) {
        watch_values(src, bytes);
        return src;
    }
    if (watch_within(src, watch.out, watch.bytes))
        return watch.arrived + ((const char *)src - watch.out);
    if (!watch_within(src, watch.in, watch.bytes) && !watch_within(src, watch.table, watch.table_bytes))
        __atomic_add_fetch(&watch.foreign_bytes, bytes, __ATOMIC_RELAXED);
    return src;
}

/** What a copy of `bytes` from the device to the host brings: where numbers are given that no host can know, those. */
static const void *watch_brings(const void *dst, const void *src, size_t bytes)
{
    if (!watch.on || !watch.given || bytes > watch.given_bytes || watch_on_device(dst) || !watch_on_device(src))
        return src;
    watch.gave = true;
    return watch.given;
}

/** Where a copy of `bytes` comes from, of which the last lies `span` bytes behind the first, or less. */
static const void *watch_source(const void *dst, const void *src, size_t bytes, size_t span)
{
    return watch_brings(dst, watch_from(dst, src, bytes), span);
}

/** Notes whose half a copy belongs to; `waits`: the call returns when it is over. */
static void watch_half(const void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t s, bool waits)
{
    if (!watch.on || !halves_state.call) /* asking for attributes takes time */
        return;
    if (watch_is_out(dst, kind))
        halves_bring(bytes, s, s == cudaStreamPerThread);
    else if (watch_on_device(dst) && watch_within(src, watch.table, watch.table_bytes))
        halves_count(&halves_state.tables);
    else if (watch_on_device(dst))
        halves_begin();
    if (waits)
        halves_wait();
}

/** Notes a copy. @return the kind to go on with: one that there is not, where the copy is to fail */
static enum cudaMemcpyKind watch_copy(const void *dst, enum cudaMemcpyKind kind, cudaStream_t s)
{
    watch_thread();
    int number = watch.on ? __atomic_add_fetch(&watch.copies, 1, __ATOMIC_RELAXED) : 0;
    watch_add(&watch.copies_out, watch_is_out(dst, kind));
    for (int i = 0; watch.on && s && i < 64 && watch.streams[i] != s; i++)
        if (!watch.streams[i]) {
            watch.streams[i] = s;
            watch.copying++;
            break;
        }
    return number && number == watch.fail_copy ? (enum cudaMemcpyKind)77 : kind;
}

WATCHED cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes,
                                    enum cudaMemcpyKind kind, cudaStream_t s)
{
    watch_half(dst, src, bytes, kind, s, false);
    return REAL(cudaMemcpyAsync)(watch_to(dst, src), watch_source(dst, src, bytes, bytes), bytes, watch_copy(dst, kind, s), s);
}

WATCHED cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
    watch_half(dst, src, bytes, kind, NULL, true);
    return REAL(cudaMemcpy)(watch_to(dst, src), watch_source(dst, src, bytes, bytes), bytes, watch_copy(dst, kind, NULL));
}

WATCHED cudaError_t cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                                      size_t height, enum cudaMemcpyKind kind, cudaStream_t s)
{
    watch_half(dst, src, width * height, kind, s, false);
    const void *from = watch_source(dst, src, width * height, src_pitch * height);
    return REAL(cudaMemcpy2DAsync)(watch_to(dst, src), dst_pitch, from, src_pitch, width, height, watch_copy(dst, kind, s), s);
}

WATCHED cudaError_t cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                                 size_t height, enum cudaMemcpyKind kind)
{
    watch_half(dst, src, width * height, kind, NULL, true);
    const void *from = watch_source(dst, src, width * height, src_pitch * height);
    return REAL(cudaMemcpy2D)(watch_to(dst, src), dst_pitch, from, src_pitch, width, height, watch_copy(dst, kind, NULL));
}

static void watch_launch(cudaStream_t s)
{
    watch_thread();
    halves_begin();
    watch_memory();
    watch_add(&watch.launches, 1);
    watch_add(&watch.default_launches, !s || s == cudaStreamLegacy);
    watch_add(&watch.other_launches, s && s == watch.other);
}

/** What <<<>>> becomes. */
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, struct dim3 grid, struct dim3 block,
                               void **args, size_t shared, cudaStream_t s);
WATCHED cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, struct dim3 grid, struct dim3 block,
                                       void **args, size_t shared, cudaStream_t s)
{
    watch_launch(s);
    return REAL(__cudaLaunchKernel)(kernel, grid, block, args, shared, s);
}

WATCHED cudaError_t cudaLaunchKernel(const void *kernel, struct dim3 grid, struct dim3 block,
                                     void **args, size_t shared, cudaStream_t s)
{
    watch_launch(s);
    return REAL(cudaLaunchKernel)(kernel, grid, block, args, shared, s);
}

WATCHED cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned flags)
{
    halves_count(&halves_state.waits);
    return REAL(cudaStreamWaitEvent)(s, e, flags);
}

WATCHED cudaError_t cudaStreamSynchronize(cudaStream_t s)
{
    halves_wait();
    return watch.on && watch.failed && s == watch.failed ? cudaErrorLaunchFailure : REAL(cudaStreamSynchronize)(s);
}

WATCHED cudaError_t cudaDeviceSynchronize(void)
{
    halves_wait();
    return REAL(cudaDeviceSynchronize)();
}

WATCHED cudaError_t cudaEventSynchronize(cudaEvent_t e)
{
    halves_wait();
    return REAL(cudaEventSynchronize)(e);
}

WATCHED cudaError_t cudaEventQuery(cudaEvent_t e)
{
    halves_wait();
    return REAL(cudaEventQuery)(e);
}

WATCHED cudaError_t cudaStreamQuery(cudaStream_t s)
{
    halves_wait();
    if (!watch.on || !watch.failed || s != watch.failed)
        return REAL(cudaStreamQuery)(s);
    if (++watch.asked > MAX_ASKED) {
        fprintf(stderr, "a stream answered with an error, and was asked %d times more\n", MAX_ASKED);
        exit(3);
    }
    return cudaErrorLaunchFailure;
}

WATCHED cudaError_t cudaHostUnregister(void *p)
{
    bool early = false;
    for (int i = 0; watch.on && i < 64; i++)
        early |= watch.streams[i] && REAL(cudaStreamQuery)(watch.streams[i]) == cudaErrorNotReady;
    watch_add(&watch.early_unregisters, early);
    return REAL(cudaHostUnregister)(p);
}

#endif
