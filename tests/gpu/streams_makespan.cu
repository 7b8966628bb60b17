// Makespans of small programs that use streams, by events: what softgpu's virtual time is measured against.
// The same binary runs on a real GPU and on softgpu:
//     nvcc -O2 -arch=sm_90 -cudart shared -o streams_makespan tests/gpu/streams_makespan.cu
//     ./streams_makespan 21            one line a program: its name, microseconds (median of 21 runs)
// tests/gpu/streams_h200.txt holds what an H200 gave, tests/gpu/test_makespan.sh compares.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define OK(call)                                                                                   \
    do {                                                                                           \
        cudaError_t e_ = (call);                                                                   \
        if (e_ != cudaSuccess) {                                                                   \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(e_));    \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

enum { KB = 1 << 10, MB = 1 << 20, STREAMS = 16 };
static const size_t WHOLE = 64 * MB;         // each way in the pipelines
static const int WORK_NS = 1200000;          // of all kernels of a pipeline together
static const int ALONE = 120 * KB;           // so much shared memory that an SM holds one block

// ---- kernels ----

// One chain of dependent fused multiply-adds a thread.
__global__ void chain(float *out, int n, float a, float b)
{
    float x = threadIdx.x;
    for (int i = 0; i < n; i += 32)
#pragma unroll
        for (int j = 0; j < 32; j++)
            x = x * a + b;
    if (x == 12345.678f)
        *out = x;
}

// Four chains a thread: with enough threads it keeps the schedulers busy.
__global__ void flops(float *out, int n, float a, float b)
{
    float x = threadIdx.x, y = x + 1, z = x + 2, w = x + 3;
    for (int i = 0; i < n; i += 32)
#pragma unroll
        for (int j = 0; j < 8; j++) {
            x = x * a + b;
            y = y * a + b;
            z = z * a + b;
            w = w * a + b;
        }
    if (x + y + z + w == 12345.678f)
        *out = x;
}

__global__ void scale(float *dst, const float *src, float a)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    dst[i] = a * src[i];
}

__global__ void touch(int *x) { x[threadIdx.x] += 1; }

// Takes so many clocks on every SM it gets.
__global__ void hold(long long clocks)
{
    long long start = clock64();
    while (clock64() - start < clocks)
        ;
}

// ---- the set-up ----

static cudaStream_t streams[STREAMS], free_streams[STREAMS]; // with the default stream; without
static cudaEvent_t start, stop, mark[STREAMS];
static float *pinned_in, *pinned_out, *dev_in, *dev_out, *sink;
static char *pageable_in, *pageable_out;
static int *ints, sms;
static long long clocks_per_us;

static void set_up()
{
    int khz;
    OK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    OK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
    clocks_per_us = khz / 1000;
    for (int i = 0; i < STREAMS; i++) {
        OK(cudaStreamCreate(&streams[i]));
        OK(cudaStreamCreateWithFlags(&free_streams[i], cudaStreamNonBlocking));
        OK(cudaEventCreateWithFlags(&mark[i], cudaEventDisableTiming));
    }
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&stop));
    OK(cudaMallocHost(&pinned_in, WHOLE));
    OK(cudaMallocHost(&pinned_out, WHOLE));
    OK(cudaMalloc(&dev_in, WHOLE));
    OK(cudaMalloc(&dev_out, WHOLE));
    OK(cudaMalloc(&sink, 4));
    OK(cudaMalloc(&ints, STREAMS * 128));
    pageable_in = (char *)malloc(16 * MB);
    pageable_out = (char *)malloc(16 * MB);
    memset(pinned_in, 1, WHOLE);
    memset(pinned_out, 1, WHOLE);
    memset(pageable_in, 1, 16 * MB);
    memset(pageable_out, 1, 16 * MB);
    OK(cudaMemset(dev_in, 0, WHOLE));
    OK(cudaMemset(dev_out, 0, WHOLE));
    OK(cudaMemset(ints, 0, STREAMS * 128));
    OK(cudaFuncSetAttribute(hold, cudaFuncAttributeMaxDynamicSharedMemorySize, ALONE));
    OK(cudaFuncSetAttribute(chain, cudaFuncAttributeMaxDynamicSharedMemorySize, ALONE));
}

// ---- the programs: each gets its streams and how many ----

typedef cudaStream_t *Streams;

static void copy_in(cudaStream_t s, size_t bytes, size_t at = 0)
{
    OK(cudaMemcpyAsync((char *)dev_in + at, (char *)pinned_in + at, bytes, cudaMemcpyHostToDevice, s));
}

static void copy_out(cudaStream_t s, size_t bytes, size_t at = 0)
{
    OK(cudaMemcpyAsync((char *)pinned_out + at, (char *)dev_out + at, bytes, cudaMemcpyDeviceToHost, s));
}

static void compute(cudaStream_t s, int parts)
{
    hold<<<sms, 32, ALONE, s>>>(clocks_per_us * (WORK_NS / 1000) / parts);
}

// Copy in, compute, copy out in as many parts as streams; a stream's work issued in one go …
static void deep(Streams s, int n)
{
    size_t part = WHOLE / n;
    for (int i = 0; i < n; i++) {
        copy_in(s[i], part, i * part);
        compute(s[i], n);
        copy_out(s[i], part, i * part);
    }
}

// … or first all copies in, then all kernels, then all copies out.
static void broad(Streams s, int n)
{
    size_t part = WHOLE / n;
    for (int i = 0; i < n; i++)
        copy_in(s[i], part, i * part);
    for (int i = 0; i < n; i++)
        compute(s[i], n);
    for (int i = 0; i < n; i++)
        copy_out(s[i], part, i * part);
}

// The same with a memory-bound kernel.
static void deep_scale(Streams s, int n)
{
    size_t part = WHOLE / n, count = part / sizeof(float);
    for (int i = 0; i < n; i++) {
        copy_in(s[i], part, i * part);
        scale<<<count / 256, 256, 0, s[i]>>>(dev_out + i * count, dev_in + i * count, 2.0f);
        copy_out(s[i], part, i * part);
    }
}

// A kernel in the default stream after each part: nothing overlaps.
static void deep_default(Streams s, int n)
{
    size_t part = WHOLE / n;
    for (int i = 0; i < n; i++) {
        copy_in(s[i], part, i * part);
        compute(s[i], n);
        copy_out(s[i], part, i * part);
        touch<<<1, 32>>>(ints);
    }
}

// Every copy goes through memory that is not page-locked.
static void deep_pageable(Streams s, int n)
{
    size_t part = 16 * MB / n;
    for (int i = 0; i < n; i++) {
        OK(cudaMemcpyAsync((char *)dev_in + i * part, pageable_in + i * part, part, cudaMemcpyHostToDevice, s[i]));
        hold<<<sms, 32, ALONE, s[i]>>>(clocks_per_us * 300 / n);
        OK(cudaMemcpyAsync(pageable_out + i * part, (char *)dev_out + i * part, part, cudaMemcpyDeviceToHost, s[i]));
    }
}

// Work goes to and fro between two streams, by events.
static void ping_pong(Streams s, int n)
{
    for (int i = 0; i < 20; i++) {
        touch<<<1, 32, 0, s[i % n]>>>(ints);
        OK(cudaEventRecord(mark[i % n], s[i % n]));
        OK(cudaStreamWaitEvent(s[(i + 1) % n], mark[i % n], 0));
    }
}

static void together(Streams s, int n) // both directions at once
{
    copy_in(s[0], WHOLE);
    copy_out(s[n - 1], WHOLE);
}

static void tiny(Streams s, int n)
{
    for (int i = 0; i < 1000; i++)
        touch<<<1, 32, 0, s[i % n]>>>(ints + 32 * (i % n));
}

static void small_chain(Streams s, int) // each waits for the one before
{
    for (int i = 0; i < 10; i++) {
        copy_in(s[0], 4 * KB);
        touch<<<1, 32, 0, s[0]>>>(ints);
        copy_out(s[0], 4 * KB);
    }
}

static void small_copies(Streams s, int n)
{
    for (int i = 0; i < 32; i++)
        copy_in(s[i % n], 64 * KB, i * 64 * KB);
}

static void long_chains(Streams s, int n) // one block each, one after the other or side by side
{
    for (int i = 0; i < 8; i++)
        chain<<<1, 32, 0, s[i % n]>>>(sink, 64 * KB, 0.5f, 0.25f);
}

static void halves(Streams s, int n) // each fills half of the SMs
{
    for (int i = 0; i < 4; i++)
        chain<<<sms / 2, 32, ALONE, s[i % n]>>>(sink, 32 * KB, 0.5f, 0.25f);
}

static void waves(Streams s, int) // two and a half rounds of blocks
{
    chain<<<sms * 5 / 2, 32, ALONE, s[0]>>>(sink, 16 * KB, 0.5f, 0.25f);
}

static void busy(Streams s, int n) // every scheduler has enough to do
{
    for (int i = 0; i < n; i++)
        flops<<<sms, 1024, 0, s[i]>>>(sink, 4 * KB, 0.5f, 0.25f);
}

static void quarter_busy(Streams s, int n)
{
    for (int i = 0; i < n; i++)
        flops<<<sms / 4, 1024, 0, s[i]>>>(sink, 8 * KB, 0.5f, 0.25f);
}

static void stream_through(Streams s, int n) // memory-bound
{
    size_t count = WHOLE / sizeof(float) / n;
    for (int i = 0; i < n; i++)
        scale<<<count / 256, 256, 0, s[i]>>>(dev_out + i * count, dev_in + i * count, 2.0f);
}

static void part_through(Streams s, int)
{
    scale<<<4 * MB / 1024, 256, 0, s[0]>>>(dev_out, dev_in, 2.0f);
}

static void device_copy(Streams s, int)
{
    OK(cudaMemcpyAsync(dev_out, dev_in, WHOLE, cudaMemcpyDeviceToDevice, s[0]));
}

static void fill(Streams s, int) { OK(cudaMemsetAsync(dev_out, 0, WHOLE, s[0])); }
static void in_64m(Streams s, int) { copy_in(s[0], WHOLE); }
static void in_1m(Streams s, int) { copy_in(s[0], MB); }
static void out_64m(Streams s, int) { copy_out(s[0], WHOLE); }
static void one_hold(Streams s, int) { hold<<<1, 32, 0, s[0]>>>(clocks_per_us * 200); }

static void pageable_in_16m(Streams s, int)
{
    OK(cudaMemcpyAsync(dev_in, pageable_in, 16 * MB, cudaMemcpyHostToDevice, s[0]));
}

static void pageable_out_16m(Streams s, int)
{
    OK(cudaMemcpyAsync(pageable_out, dev_out, 16 * MB, cudaMemcpyDeviceToHost, s[0]));
}

static void host_function(Streams s, int)
{
    for (int i = 0; i < 4; i++) {
        touch<<<1, 32, 0, s[0]>>>(ints);
        OK(cudaLaunchHostFunc(s[0], [](void *) {}, nullptr));
    }
}

static void waits_between(Streams s, int) // the host waits after each step
{
    for (int i = 0; i < 10; i++) {
        touch<<<1, 32, 0, s[0]>>>(ints);
        OK(cudaStreamSynchronize(s[0]));
    }
}

static const struct {
    const char *name;
    void (*run)(Streams s, int n);
    Streams streams;
    int n;
} programs[] = {
    {"in_64m", in_64m, streams, 1},
    {"in_1m", in_1m, streams, 1},
    {"out_64m", out_64m, streams, 1},
    {"both_ways", together, streams, 2},
    {"one_way_each", together, streams, 1},
    {"small_copies_1", small_copies, streams, 1},
    {"small_copies_4", small_copies, streams, 4},
    {"device_copy", device_copy, streams, 1},
    {"fill", fill, streams, 1},
    {"pageable_in_16m", pageable_in_16m, streams, 1},
    {"pageable_out_16m", pageable_out_16m, streams, 1},
    {"one_hold", one_hold, streams, 1},
    {"deep_1", deep, streams, 1},
    {"deep_2", deep, streams, 2},
    {"deep_4", deep, streams, 4},
    {"deep_8", deep, streams, 8},
    {"deep_16", deep, streams, 16},
    {"broad_1", broad, streams, 1},
    {"broad_2", broad, streams, 2},
    {"broad_4", broad, streams, 4},
    {"broad_8", broad, streams, 8},
    {"broad_16", broad, streams, 16},
    {"deep_scale_1", deep_scale, streams, 1},
    {"deep_scale_4", deep_scale, streams, 4},
    {"deep_default_4", deep_default, streams, 4},
    {"deep_default_free_4", deep_default, free_streams, 4},
    {"deep_pageable_1", deep_pageable, streams, 1},
    {"deep_pageable_4", deep_pageable, streams, 4},
    {"ping_pong", ping_pong, streams, 2},
    {"one_stream_events", ping_pong, streams, 1},
    {"tiny_1", tiny, streams, 1},
    {"tiny_4", tiny, streams, 4},
    {"small_chain", small_chain, streams, 1},
    {"long_chains_1", long_chains, streams, 1},
    {"long_chains_8", long_chains, streams, 8},
    {"halves_1", halves, streams, 1},
    {"halves_2", halves, streams, 2},
    {"halves_4", halves, streams, 4},
    {"waves", waves, streams, 1},
    {"busy_1", busy, streams, 1},
    {"busy_2", busy, streams, 2},
    {"quarter_busy_1", quarter_busy, streams, 1},
    {"quarter_busy_4", quarter_busy, streams, 4},
    {"stream_through_1", stream_through, streams, 1},
    {"stream_through_2", stream_through, streams, 2},
    {"part_through", part_through, streams, 1},
    {"host_function", host_function, streams, 1},
    {"waits_between", waits_between, streams, 1},
};

// From the first stream's start to when all streams are done.
static float makespan(void (*run)(Streams, int), Streams s, int n)
{
    float ms;
    OK(cudaDeviceSynchronize());
    OK(cudaEventRecord(start, s[0]));
    for (int i = 1; i < n; i++)
        OK(cudaStreamWaitEvent(s[i], start, 0));
    run(s, n);
    for (int i = 1; i < n; i++) {
        OK(cudaEventRecord(mark[i], s[i]));
        OK(cudaStreamWaitEvent(s[0], mark[i], 0));
    }
    OK(cudaEventRecord(stop, s[0]));
    OK(cudaDeviceSynchronize());
    OK(cudaEventElapsedTime(&ms, start, stop));
    return ms * 1000;
}

int main(int argc, char **argv)
{
    int runs = argc > 1 ? atoi(argv[1]) : 1;
    const char *only = argc > 2 ? argv[2] : nullptr;
    set_up();
    for (auto &p : programs) {
        if (only && strcmp(only, p.name))
            continue;
        std::vector<float> us;
        for (int i = 0; i < runs; i++)
            us.push_back(makespan(p.run, p.streams, p.n));
        std::sort(us.begin(), us.end());
        printf("%-20s %10.1f\n", p.name, us[us.size() / 2]);
    }
    return 0;
}
