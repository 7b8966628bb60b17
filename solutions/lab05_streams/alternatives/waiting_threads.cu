// A thread a stream waits for it, and says so; results are taken in that order.

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

// ---- the kernels, given: element i of the result is that of element i ----

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
    return cudaMallocHost(&p, bytes) == cudaSuccess ? p : nullptr;
}

extern "C" void host_free(void *p)
{
    cudaFreeHost(p);
}

// Non-blocking: work that someone else puts into the default stream does not get in between.
static cudaError_t create_streams(cudaStream_t *stream, int count)
{
    for (int i = 0; i < count; i++)
        TRY(cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking));
    return cudaSuccess;
}

// Waits for the streams that were created and destroys them. Returns the first error there has been,
// `status` included.
static cudaError_t finish_streams(cudaStream_t *stream, int count, cudaError_t status)
{
    for (int i = 0; i < count && stream[i]; i++) {
        cudaError_t e = cudaStreamSynchronize(stream[i]);
        if (status == cudaSuccess)
            status = e;
        cudaStreamDestroy(stream[i]);
    }
    return status;
}

// ---- parts A and B: copy in, transform, copy out ----

static cudaError_t issue_transform(int *out, const int *in, int *dev_out, int *dev_in, size_t n,
                                   int rounds, cudaStream_t stream)
{
    TRY(cudaMemcpyAsync(dev_in, in, n * sizeof *in, cudaMemcpyHostToDevice, stream));
    transform<<<BLOCKS, THREADS, 0, stream>>>(dev_out, dev_in, n, rounds);
    TRY(cudaGetLastError());
    return cudaMemcpyAsync(out, dev_out, n * sizeof *out, cudaMemcpyDeviceToHost, stream);
}

static cudaError_t issue_halves(int *out, const int *in, int *dev_out, int *dev_in, size_t n,
                                int rounds, const cudaStream_t *stream)
{
    for (int i = 0; i < 2; i++) {
        size_t first = i * (n / 2), count = i == 0 ? n / 2 : n - n / 2;
        TRY(issue_transform(out + first, in + first, dev_out + first, dev_in + first, count, rounds,
                            stream[i]));
    }
    return cudaSuccess;
}

extern "C" cudaError_t halves(int *out, const int *in, int *dev_out, int *dev_in, size_t n,
                              int rounds)
{
    cudaStream_t stream[2] = {};
    cudaError_t status = create_streams(stream, 2);
    if (status == cudaSuccess)
        status = issue_halves(out, in, dev_out, dev_in, n, rounds, stream);
    return finish_streams(stream, 2, status);
}

// Chunk c is the work of stream c % streams, in the piece of device memory that belongs to that
// stream: the next chunk there is behind this one in the same stream, so nothing is overwritten.
static cudaError_t issue_chunks(int *out, const int *in, int *device, size_t n, int rounds,
                                size_t chunk, const std::vector<cudaStream_t> &stream)
{
    size_t at = 0;
    for (size_t c = 0; at < n; c++, at += chunk) {
        size_t slot = c % stream.size(), count = n - at < chunk ? n - at : chunk;
        int *mine = device + 2 * chunk * slot;
        TRY(issue_transform(out + at, in + at, mine + chunk, mine, count, rounds, stream[slot]));
    }
    return cudaSuccess;
}

extern "C" cudaError_t pipeline(int *out, const int *in, size_t n, int rounds, size_t chunk,
                                int streams)
{
    std::vector<cudaStream_t> stream(streams);
    int *device = nullptr;
    TRY(cudaMalloc(&device, 2 * chunk * streams * sizeof *device));
    cudaError_t status = create_streams(stream.data(), streams);
    if (status == cudaSuccess)
        status = issue_chunks(out, in, device, n, rounds, chunk, stream);
    status = finish_streams(stream.data(), streams, status);
    cudaFree(device);
    return status;
}

// ---- part C: two streams of the caller's, ordered by events; the host does not wait ----

// What is put into `later` from now on waits for what is in `earlier` now.
static cudaError_t put_behind(cudaStream_t later, cudaStream_t earlier)
{
    cudaEvent_t event;
    TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    cudaError_t status = cudaEventRecord(event, earlier);
    if (status == cudaSuccess)
        status = cudaStreamWaitEvent(later, event);
    cudaEventDestroy(event); // lives on until it has happened
    return status;
}

extern "C" cudaError_t fork_join(int *out, int *x, int *y, size_t n, int rounds,
                                 cudaStream_t stream, cudaStream_t other)
{
    TRY(put_behind(other, stream));
    transform<<<BLOCKS, THREADS, 0, stream>>>(x, x, n, rounds);
    transform<<<BLOCKS, THREADS, 0, other>>>(y, y, n, rounds);
    TRY(put_behind(stream, other));
    combine<<<BLOCKS, THREADS, 0, stream>>>(out, x, y, n);
    return cudaGetLastError();
}

// ---- part D: whoever is done first is served first ----

extern "C" cudaError_t consume_ready(const cudaStream_t *stream, int count, void (*consume)(int))
{
    std::mutex lock;
    std::condition_variable more;
    std::vector<std::pair<int, cudaError_t>> done;
    std::vector<std::thread> waiting;
    for (int i = 0; i < count; i++)
        waiting.emplace_back([&, i] {
            cudaError_t status = cudaStreamSynchronize(stream[i]);
            std::lock_guard<std::mutex> held(lock);
            done.push_back({i, status});
            more.notify_one();
        });
    cudaError_t first = cudaSuccess;
    for (int k = 0; k < count; k++) {
        std::unique_lock<std::mutex> held(lock);
        more.wait(held, [&] { return (int)done.size() > k; });
        auto [which, status] = done[k];
        held.unlock();
        if (first == cudaSuccess && status == cudaSuccess)
            consume(which);
        else if (first == cudaSuccess)
            first = status;
    }
    for (std::thread &t : waiting)
        t.join();
    return first;
}

// ---- part E: beside a library that uses the default stream ----

static cudaError_t issue_translate(int *out, const int *in, int *dev_out, int *dev_in, size_t n,
                                   const unsigned *table, cudaStream_t stream)
{
    TRY(cudaMemcpyAsync(dev_in, in, n * sizeof *in, cudaMemcpyHostToDevice, stream));
    translate<<<BLOCKS, THREADS, 0, stream>>>(dev_out, dev_in, n, table);
    TRY(cudaGetLastError());
    return cudaMemcpyAsync(out, dev_out, n * sizeof *out, cudaMemcpyDeviceToHost, stream);
}

static cudaError_t issue_beside(int *out, const int *in, int *dev_out, int *dev_in, size_t n,
                                const unsigned *table, size_t chunk,
                                const std::vector<cudaStream_t> &stream, void (*library)(size_t))
{
    for (cudaStream_t s : stream)
        TRY(put_behind(s, cudaStreamLegacy)); // the table is on its way there
    size_t at = 0;
    for (size_t c = 0; at < n; c++, at += chunk) {
        size_t count = n - at < chunk ? n - at : chunk;
        TRY(issue_translate(out + at, in + at, dev_out + at, dev_in + at, count, table,
                            stream[c % stream.size()]));
        library(c);
    }
    return cudaSuccess;
}

extern "C" cudaError_t beside_library(int *out, const int *in, int *dev_out, int *dev_in, size_t n,
                                      const unsigned *table, size_t chunk, int streams,
                                      void (*library)(size_t))
{
    std::vector<cudaStream_t> stream(streams);
    cudaError_t status = create_streams(stream.data(), streams);
    if (status == cudaSuccess)
        status = issue_beside(out, in, dev_out, dev_in, n, table, chunk, stream, library);
    return finish_streams(stream.data(), streams, status);
}

// ---- part F: memory that is not page-locked ----

extern "C" cudaError_t from_pageable(int *out, int *in, size_t n, int rounds, size_t chunk,
                                     int streams)
{
    if (n == 0)
        return cudaSuccess;
    TRY(cudaHostRegister(in, n * sizeof *in, cudaHostRegisterDefault));
    cudaError_t status = cudaHostRegister(out, n * sizeof *out, cudaHostRegisterDefault);
    if (status == cudaSuccess) {
        status = pipeline(out, in, n, rounds, chunk, streams);
        cudaHostUnregister(out);
    }
    cudaHostUnregister(in);
    return status;
}

// ---- part G: two host threads ----

// One half, by the thread that calls it, in a stream of its own that starts behind `table_ready`.
static cudaError_t one_half(int *out, const int *in, int *dev_out, int *dev_in, size_t n,
                            const unsigned *dev_table, cudaEvent_t table_ready)
{
    cudaStream_t stream = nullptr;
    TRY(create_streams(&stream, 1));
    cudaError_t status = cudaStreamWaitEvent(stream, table_ready);
    if (status == cudaSuccess)
        status = issue_translate(out, in, dev_out, dev_in, n, dev_table, stream);
    return finish_streams(&stream, 1, status);
}

// The event is recorded before the second thread exists: a wait for an event that has not been
// recorded yet would be no wait at all.
static cudaError_t both_halves(int *out, const int *in, const unsigned *table, int *dev_out,
                               int *dev_in, unsigned *dev_table, size_t n, cudaStream_t stream,
                               cudaEvent_t table_ready)
{
    TRY(cudaMemcpyAsync(dev_table, table, TABLE * sizeof *table, cudaMemcpyHostToDevice, stream));
    TRY(cudaEventRecord(table_ready, stream));
    size_t half = n / 2;
    cudaError_t upper = cudaSuccess;
    std::thread thread([&] {
        upper = one_half(out + half, in + half, dev_out + half, dev_in + half, n - half, dev_table,
                         table_ready);
    });
    cudaError_t lower = one_half(out, in, dev_out, dev_in, half, dev_table, table_ready);
    thread.join();
    return lower != cudaSuccess ? lower : upper;
}

extern "C" cudaError_t two_threads(int *out, const int *in, const unsigned *table, int *dev_out,
                                   int *dev_in, unsigned *dev_table, size_t n)
{
    cudaStream_t stream = nullptr;
    cudaEvent_t table_ready;
    TRY(cudaEventCreateWithFlags(&table_ready, cudaEventDisableTiming));
    cudaError_t status = create_streams(&stream, 1);
    if (status == cudaSuccess)
        status = both_halves(out, in, table, dev_out, dev_in, dev_table, n, stream, table_ready);
    status = finish_streams(&stream, 1, status);
    cudaEventDestroy(table_ready);
    return status;
}
