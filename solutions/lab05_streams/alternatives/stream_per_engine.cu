// A stream for each engine instead of one for each chunk: copies in, kernels and copies out have a
// stream each, and events hand a chunk on from one to the next, and a piece of memory back.
// In part G each half has a thread of its own, and the main thread brings the table.

#include <cstddef>
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

// ---- parts A and B ----

// What is put into `later` from now on waits for what is in `earlier` now.
static cudaError_t put_behind(cudaStream_t later, cudaStream_t earlier)
{
    cudaEvent_t event;
    TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    cudaError_t status = cudaEventRecord(event, earlier);
    if (status == cudaSuccess)
        status = cudaStreamWaitEvent(later, event);
    cudaEventDestroy(event);
    return status;
}

static cudaError_t issue_halves(int *out, const int *in, int *dev_out, int *dev_in, size_t n,
                                int rounds, const cudaStream_t *stream)
{
    size_t half = n / 2;
    // The lower half goes in, then the upper; the copy out of the lower runs beside the upper's kernel.
    TRY(cudaMemcpyAsync(dev_in, in, half * sizeof *in, cudaMemcpyHostToDevice, stream[0]));
    transform<<<BLOCKS, THREADS, 0, stream[0]>>>(dev_out, dev_in, half, rounds);
    TRY(cudaMemcpyAsync(dev_in + half, in + half, (n - half) * sizeof *in, cudaMemcpyHostToDevice,
                        stream[1]));
    transform<<<BLOCKS, THREADS, 0, stream[1]>>>(dev_out + half, dev_in + half, n - half, rounds);
    TRY(cudaGetLastError());
    TRY(cudaMemcpyAsync(out, dev_out, half * sizeof *out, cudaMemcpyDeviceToHost, stream[0]));
    return cudaMemcpyAsync(out + half, dev_out + half, (n - half) * sizeof *out,
                           cudaMemcpyDeviceToHost, stream[1]);
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

enum { IN, COMPUTE, OUT, ENGINES };

// Chunk c uses piece c % pieces. It may come in when chunk c - pieces has left: `left[piece]` is
// recorded when that one's copy out has been issued. An event that was never recorded holds up nobody.
static cudaError_t issue_by_engine(int *out, const int *in, int *device, size_t n, int rounds,
                                   size_t chunk, const cudaStream_t *stream,
                                   const std::vector<cudaEvent_t> &left)
{
    for (size_t c = 0, at = 0; at < n; c++, at += chunk) {
        size_t piece = c % left.size(), count = n - at < chunk ? n - at : chunk;
        int *mine = device + 2 * chunk * piece;
        TRY(cudaStreamWaitEvent(stream[IN], left[piece]));
        TRY(cudaMemcpyAsync(mine, in + at, count * sizeof *in, cudaMemcpyHostToDevice, stream[IN]));
        TRY(put_behind(stream[COMPUTE], stream[IN]));
        transform<<<BLOCKS, THREADS, 0, stream[COMPUTE]>>>(mine + chunk, mine, count, rounds);
        TRY(cudaGetLastError());
        TRY(put_behind(stream[OUT], stream[COMPUTE]));
        TRY(cudaMemcpyAsync(out + at, mine + chunk, count * sizeof *out, cudaMemcpyDeviceToHost,
                            stream[OUT]));
        TRY(cudaEventRecord(left[piece], stream[OUT]));
    }
    return cudaSuccess;
}

extern "C" cudaError_t pipeline(int *out, const int *in, size_t n, int rounds, size_t chunk,
                                int pieces)
{
    cudaStream_t stream[ENGINES] = {};
    std::vector<cudaEvent_t> left(pieces);
    int *device = nullptr;
    TRY(cudaMalloc(&device, 2 * chunk * pieces * sizeof *device));
    cudaError_t status = create_streams(stream, ENGINES);
    for (int i = 0; i < pieces && status == cudaSuccess; i++)
        status = cudaEventCreateWithFlags(&left[i], cudaEventDisableTiming);
    if (status == cudaSuccess)
        status = issue_by_engine(out, in, device, n, rounds, chunk, stream, left);
    status = finish_streams(stream, ENGINES, status);
    for (cudaEvent_t event : left)
        if (event)
            cudaEventDestroy(event);
    cudaFree(device);
    return status;
}

// ---- part C ----

// The combining is done behind `other`, and `stream` is put behind that.
extern "C" cudaError_t fork_join(int *out, int *x, int *y, size_t n, int rounds,
                                 cudaStream_t stream, cudaStream_t other)
{
    TRY(put_behind(other, stream));
    transform<<<BLOCKS, THREADS, 0, other>>>(y, y, n, rounds);
    transform<<<BLOCKS, THREADS, 0, stream>>>(x, x, n, rounds);
    TRY(put_behind(other, stream));
    combine<<<BLOCKS, THREADS, 0, other>>>(out, x, y, n);
    TRY(cudaGetLastError());
    return put_behind(stream, other);
}

// ---- part D: whoever is done first is served first ----

extern "C" cudaError_t consume_ready(const cudaStream_t *stream, int count, void (*consume)(int))
{
    std::vector<bool> served(count);
    for (int left = count; left > 0;)
        for (int i = 0; i < count; i++) {
            if (served[i])
                continue;
            cudaError_t status = cudaStreamQuery(stream[i]);
            if (status == cudaErrorNotReady)
                continue;
            TRY(status);
            consume(i);
            served[i] = true;
            left--;
        }
    return cudaSuccess;
}

// ---- part E: chunks go round by themselves ----

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

// ---- part G ----

static cudaError_t one_half(int *out, const int *in, int *dev_out, int *dev_in, size_t n,
                            const unsigned *dev_table, cudaStream_t table)
{
    cudaStream_t stream = nullptr;
    TRY(create_streams(&stream, 1));
    cudaError_t status = put_behind(stream, table); // the copy was issued before this thread began
    if (status == cudaSuccess)
        status = issue_translate(out, in, dev_out, dev_in, n, dev_table, stream);
    return finish_streams(&stream, 1, status);
}

extern "C" cudaError_t two_threads(int *out, const int *in, const unsigned *table, int *dev_out,
                                   int *dev_in, unsigned *dev_table, size_t n)
{
    cudaStream_t stream = nullptr;
    size_t half = n / 2;
    cudaError_t result[2] = {};
    TRY(create_streams(&stream, 1));
    cudaError_t status = cudaMemcpyAsync(dev_table, table, TABLE * sizeof *table,
                                         cudaMemcpyHostToDevice, stream);
    if (status == cudaSuccess) {
        std::thread lower([&] {
            result[0] = one_half(out, in, dev_out, dev_in, half, dev_table, stream);
        });
        std::thread upper([&] {
            result[1] = one_half(out + half, in + half, dev_out + half, dev_in + half, n - half,
                                 dev_table, stream);
        });
        lower.join();
        upper.join();
    }
    status = finish_streams(&stream, 1, status);
    return status != cudaSuccess ? status : result[0] != cudaSuccess ? result[0] : result[1];
}
