// Breadth-first: all copies in, then all kernels, then all copies out, a round of streams at a time.
// Part D asks events; in part E one event serves all streams; in part G both halves are done by new
// threads, and the one that copies the table tells the other when its event is recorded.

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#define BLOCKS 100
#define THREADS 512
#define TABLE 256

// Leaves the function with the error of a CUDA call that failed.
#define TRY(call)                                                                                  \
    do {                                                                                           \
        cudaError_t status_ = (call);                                                              \
        if (status_ != cudaSuccess)                                                                \
            return status_;                                                                        \
    } while (0)

// ---- the kernels, given ----

__global__ void transform(int *out, const int *in, size_t n, int rounds)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        unsigned x = in[i];
        for (int r = 1; r <= rounds; r++) {
            x = (x ^ x >> 16) * 0x7feb352du;
            x = (x ^ x >> 15) * 0x846ca68bu + r;
        }
        out[i] = (int)x;
    }
}

__global__ void translate(int *out, const int *in, size_t n, const unsigned *table)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        out[i] = in[i] ^ (int)table[(unsigned)in[i] % TABLE];
}

__global__ void combine(int *out, const int *x, const int *y, size_t n)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        out[i] = x[i] ^ (y[n - 1 - i] >> 1);
}

// ---- page-locked memory, streams ----

extern "C" void *host_alloc(size_t bytes)
{
    void *p;
    return cudaHostAlloc(&p, bytes, cudaHostAllocPortable) == cudaSuccess ? p : nullptr;
}

extern "C" void host_free(void *p)
{
    cudaFreeHost(p);
}

// Streams that are waited for and destroyed when they go out of scope, whatever happened before.
struct streams {
    std::vector<cudaStream_t> list;

    cudaError_t create(int count)
    {
        for (int i = 0; i < count; i++) {
            cudaStream_t s;
            TRY(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
            list.push_back(s);
        }
        return cudaSuccess;
    }

    cudaError_t wait()
    {
        for (cudaStream_t s : list)
            TRY(cudaStreamSynchronize(s));
        return cudaSuccess;
    }

    ~streams()
    {
        for (cudaStream_t s : list) {
            cudaStreamSynchronize(s);
            cudaStreamDestroy(s);
        }
    }
};

// ---- parts A and B ----

struct piece {
    size_t at, count;
    int *dev_in, *dev_out;
    cudaStream_t stream;
};

static cudaError_t in_three_loops(int *out, const int *in, const std::vector<piece> &round, int rounds)
{
    for (const piece &p : round)
        TRY(cudaMemcpyAsync(p.dev_in, in + p.at, p.count * sizeof *in, cudaMemcpyHostToDevice,
                            p.stream));
    for (const piece &p : round) {
        transform<<<BLOCKS, THREADS, 0, p.stream>>>(p.dev_out, p.dev_in, p.count, rounds);
        TRY(cudaGetLastError());
    }
    for (const piece &p : round)
        TRY(cudaMemcpyAsync(out + p.at, p.dev_out, p.count * sizeof *out, cudaMemcpyDeviceToHost,
                            p.stream));
    return cudaSuccess;
}

extern "C" cudaError_t halves(int *out, const int *in, int *dev_out, int *dev_in, size_t n,
                              int rounds)
{
    streams two;
    size_t half = n / 2;
    TRY(two.create(2));
    TRY(in_three_loops(out, in,
                       {{0, half, dev_in, dev_out, two.list[0]},
                        {half, n - half, dev_in + half, dev_out + half, two.list[1]}},
                       rounds));
    return two.wait();
}

static cudaError_t issue_rounds(int *out, const int *in, int *device, size_t n, int rounds,
                                size_t chunk, streams &all)
{
    for (size_t at = 0; at < n;) {
        std::vector<piece> round;
        for (size_t slot = 0; slot < all.list.size() && at < n; slot++, at += chunk) {
            int *mine = device + 2 * chunk * slot;
            round.push_back({at, n - at < chunk ? n - at : chunk, mine, mine + chunk,
                             all.list[slot]});
        }
        TRY(in_three_loops(out, in, round, rounds));
    }
    return all.wait();
}

extern "C" cudaError_t pipeline(int *out, const int *in, size_t n, int rounds, size_t chunk,
                                int count)
{
    int *device;
    TRY(cudaMalloc(&device, 2 * chunk * count * sizeof *device));
    cudaError_t status;
    {
        streams all;
        status = all.create(count);
        if (status == cudaSuccess)
            status = issue_rounds(out, in, device, n, rounds, chunk, all);
    }
    cudaFree(device);
    return status;
}

// ---- part C ----

extern "C" cudaError_t fork_join(int *out, int *x, int *y, size_t n, int rounds,
                                 cudaStream_t stream, cudaStream_t other)
{
    cudaEvent_t filled, transformed;
    TRY(cudaEventCreate(&filled));
    TRY(cudaEventCreate(&transformed));
    TRY(cudaEventRecord(filled, stream));
    TRY(cudaStreamWaitEvent(other, filled, 0));
    transform<<<BLOCKS, THREADS, 0, other>>>(y, y, n, rounds);
    TRY(cudaEventRecord(transformed, other));
    transform<<<BLOCKS, THREADS, 0, stream>>>(x, x, n, rounds);
    TRY(cudaStreamWaitEvent(stream, transformed, 0));
    combine<<<BLOCKS, THREADS, 0, stream>>>(out, x, y, n);
    TRY(cudaGetLastError());
    TRY(cudaEventDestroy(filled));
    return cudaEventDestroy(transformed);
}

// ---- part D ----

static cudaError_t consume_done(std::vector<cudaEvent_t> &done, const cudaStream_t *stream,
                                void (*consume)(int))
{
    int count = (int)done.size();
    for (int i = 0; i < count; i++) {
        TRY(cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming));
        TRY(cudaEventRecord(done[i], stream[i]));
    }
    for (int left = count, i = 0; left > 0; i = (i + 1) % count) {
        if (!done[i])
            continue;
        cudaError_t status = cudaEventQuery(done[i]);
        if (status == cudaErrorNotReady)
            continue;
        TRY(status);
        consume(i);
        TRY(cudaEventDestroy(done[i]));
        done[i] = nullptr;
        left--;
    }
    return cudaSuccess;
}

extern "C" cudaError_t consume_ready(const cudaStream_t *stream, int count, void (*consume)(int))
{
    std::vector<cudaEvent_t> done(count);
    cudaError_t status = consume_done(done, stream, consume);
    for (cudaEvent_t event : done)
        if (event)
            cudaEventDestroy(event);
    return status;
}

// ---- part E ----

static cudaError_t issue_translate(int *out, const int *in, int *dev_out, int *dev_in, size_t n,
                                   const unsigned *table, cudaStream_t stream)
{
    TRY(cudaMemcpyAsync(dev_in, in, n * sizeof *in, cudaMemcpyHostToDevice, stream));
    translate<<<BLOCKS, THREADS, 0, stream>>>(dev_out, dev_in, n, table);
    TRY(cudaGetLastError());
    return cudaMemcpyAsync(out, dev_out, n * sizeof *out, cudaMemcpyDeviceToHost, stream);
}

extern "C" cudaError_t beside_library(int *out, const int *in, int *dev_out, int *dev_in, size_t n,
                                      const unsigned *table, size_t chunk, int count,
                                      void (*library)(size_t))
{
    streams all;
    cudaEvent_t filled;
    TRY(all.create(count));
    TRY(cudaEventCreateWithFlags(&filled, cudaEventDisableTiming));
    TRY(cudaEventRecord(filled, 0));
    for (cudaStream_t s : all.list)
        TRY(cudaStreamWaitEvent(s, filled, 0));
    TRY(cudaEventDestroy(filled));
    for (size_t c = 0; c * chunk < n; c++) {
        size_t at = c * chunk;
        TRY(issue_translate(out + at, in + at, dev_out + at, dev_in + at,
                            n - at < chunk ? n - at : chunk, table, all.list[c % count]));
        library(c);
    }
    return all.wait();
}

// ---- part F ----

extern "C" cudaError_t from_pageable(int *out, int *in, size_t n, int rounds, size_t chunk,
                                     int count)
{
    if (n == 0)
        return cudaSuccess;
    TRY(cudaHostRegister(in, n * sizeof *in, cudaHostRegisterDefault));
    TRY(cudaHostRegister(out, n * sizeof *out, cudaHostRegisterDefault));
    cudaError_t status = pipeline(out, in, n, rounds, chunk, count);
    TRY(cudaHostUnregister(out));
    TRY(cudaHostUnregister(in));
    return status;
}

// ---- part G ----

// What the two threads share: an event, and whether it has been recorded yet.
struct meeting {
    std::mutex mutex;
    std::condition_variable changed;
    bool recorded = false;
    cudaEvent_t table_ready;
};

static cudaError_t lower_half(int *out, const int *in, const unsigned *table, int *dev_out,
                              int *dev_in, unsigned *dev_table, size_t n, meeting &m)
{
    streams mine;
    cudaError_t status = mine.create(1);
    if (status == cudaSuccess)
        status = cudaMemcpyAsync(dev_table, table, TABLE * sizeof *table, cudaMemcpyHostToDevice,
                                 mine.list[0]);
    if (status == cudaSuccess)
        status = cudaEventRecord(m.table_ready, mine.list[0]);
    {
        std::lock_guard<std::mutex> lock(m.mutex);
        m.recorded = true;
    }
    m.changed.notify_one();
    TRY(status);
    TRY(issue_translate(out, in, dev_out, dev_in, n, dev_table, mine.list[0]));
    return mine.wait();
}

static cudaError_t upper_half(int *out, const int *in, int *dev_out, int *dev_in, size_t n,
                              const unsigned *dev_table, meeting &m)
{
    streams mine;
    TRY(mine.create(1));
    {
        std::unique_lock<std::mutex> lock(m.mutex);
        m.changed.wait(lock, [&] { return m.recorded; });
    }
    TRY(cudaStreamWaitEvent(mine.list[0], m.table_ready, 0));
    TRY(issue_translate(out, in, dev_out, dev_in, n, dev_table, mine.list[0]));
    return mine.wait();
}

extern "C" cudaError_t two_threads(int *out, const int *in, const unsigned *table, int *dev_out,
                                   int *dev_in, unsigned *dev_table, size_t n)
{
    meeting m;
    size_t half = n / 2;
    cudaError_t lower, upper;
    TRY(cudaEventCreateWithFlags(&m.table_ready, cudaEventDisableTiming));
    std::thread first([&] {
        lower = lower_half(out, in, table, dev_out, dev_in, dev_table, half, m);
    });
    std::thread second([&] {
        upper = upper_half(out + half, in + half, dev_out + half, dev_in + half, n - half,
                           dev_table, m);
    });
    first.join();
    second.join();
    TRY(cudaEventDestroy(m.table_ready));
    return lower != cudaSuccess ? lower : upper;
}
