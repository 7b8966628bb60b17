// Each host thread's own default stream (cudaStreamPerThread) in part G; streams of ordinary kind where
// nothing comes in between; registered memory instead of allocated; a copy of each chunk's own rather
// than a ring in part E.

#include <cstddef>
#include <cstdlib>
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

// Ordinary memory, page-locked afterwards: whole pages, which nothing else may share.
extern "C" void *host_alloc(size_t bytes)
{
    void *p = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    if (p && cudaHostRegister(p, bytes, cudaHostRegisterDefault) == cudaSuccess)
        return p;
    free(p);
    return nullptr;
}

extern "C" void host_free(void *p)
{
    cudaHostUnregister(p);
    free(p);
}

// Ordinary streams: they do not wait for each other. They would wait for the default stream.
static cudaError_t create_streams(std::vector<cudaStream_t> &stream, unsigned flags)
{
    for (cudaStream_t &s : stream)
        TRY(cudaStreamCreateWithFlags(&s, flags));
    return cudaSuccess;
}

static cudaError_t finish_streams(std::vector<cudaStream_t> &stream, cudaError_t status)
{
    cudaError_t waited = cudaDeviceSynchronize();
    for (cudaStream_t s : stream)
        if (s)
            cudaStreamDestroy(s);
    return status != cudaSuccess ? status : waited;
}

// ---- parts A and B ----

static cudaError_t issue_transform(int *out, const int *in, int *dev_out, int *dev_in, size_t n,
                                   int rounds, cudaStream_t stream)
{
    TRY(cudaMemcpyAsync(dev_in, in, n * sizeof *in, cudaMemcpyHostToDevice, stream));
    transform<<<BLOCKS, THREADS, 0, stream>>>(dev_out, dev_in, n, rounds);
    TRY(cudaGetLastError());
    return cudaMemcpyAsync(out, dev_out, n * sizeof *out, cudaMemcpyDeviceToHost, stream);
}

extern "C" cudaError_t halves(int *out, const int *in, int *dev_out, int *dev_in, size_t n,
                              int rounds)
{
    std::vector<cudaStream_t> stream(2);
    size_t middle = n - n / 2;
    cudaError_t status = create_streams(stream, cudaStreamDefault);
    if (status == cudaSuccess)
        status = issue_transform(out + middle, in + middle, dev_out + middle, dev_in + middle,
                                 n - middle, rounds, stream[1]);
    if (status == cudaSuccess)
        status = issue_transform(out, in, dev_out, dev_in, middle, rounds, stream[0]);
    return finish_streams(stream, status);
}

// In place: a chunk needs one piece of memory, not two.
extern "C" cudaError_t pipeline(int *out, const int *in, size_t n, int rounds, size_t chunk,
                                int streams)
{
    std::vector<cudaStream_t> stream(streams);
    std::vector<int *> piece(streams);
    cudaError_t status = create_streams(stream, cudaStreamDefault);
    for (int i = 0; i < streams && status == cudaSuccess; i++)
        status = cudaMalloc(&piece[i], chunk * sizeof(int));
    for (size_t c = 0; c * chunk < n && status == cudaSuccess; c++) {
        size_t at = c * chunk, count = n - at < chunk ? n - at : chunk;
        int *mine = piece[c % streams];
        status = issue_transform(out + at, in + at, mine, mine, count, rounds, stream[c % streams]);
    }
    status = finish_streams(stream, status);
    for (int *p : piece)
        cudaFree(p);
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

// ---- part D ----

// The slow ones are asked less and less: what is done moves to the front and is dropped.
extern "C" cudaError_t consume_ready(const cudaStream_t *stream, int count, void (*consume)(int))
{
    std::vector<int> waiting;
    for (int i = 0; i < count; i++)
        waiting.push_back(i);
    while (!waiting.empty()) {
        int which = waiting.front();
        waiting.erase(waiting.begin());
        cudaError_t status = cudaStreamQuery(stream[which]);
        if (status == cudaErrorNotReady)
            waiting.push_back(which);
        else if (status == cudaSuccess)
            consume(which);
        else
            return status;
    }
    return cudaSuccess;
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

// The first stream waits for the table, and the others for the first.
extern "C" cudaError_t beside_library(int *out, const int *in, int *dev_out, int *dev_in, size_t n,
                                      const unsigned *table, size_t chunk, int streams,
                                      void (*library)(size_t))
{
    std::vector<cudaStream_t> stream(streams);
    cudaError_t status = create_streams(stream, cudaStreamNonBlocking);
    for (int i = 0; i < streams && status == cudaSuccess; i++)
        status = put_behind(stream[i], i ? stream[0] : cudaStreamLegacy);
    for (size_t c = 0; c * chunk < n && status == cudaSuccess; c++) {
        size_t at = c * chunk;
        status = issue_translate(out + at, in + at, dev_out + at, dev_in + at,
                                 n - at < chunk ? n - at : chunk, table, stream[c % streams]);
        if (status == cudaSuccess)
            library(c);
    }
    return finish_streams(stream, status);
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

// In cudaStreamPerThread, which is another stream in each thread and is nobody's to destroy.
static cudaError_t one_half(int *out, const int *in, int *dev_out, int *dev_in, size_t n,
                            const unsigned *dev_table, cudaEvent_t table_ready)
{
    TRY(cudaStreamWaitEvent(cudaStreamPerThread, table_ready));
    cudaError_t status = issue_translate(out, in, dev_out, dev_in, n, dev_table,
                                         cudaStreamPerThread);
    cudaError_t waited = cudaStreamSynchronize(cudaStreamPerThread);
    return status != cudaSuccess ? status : waited;
}

extern "C" cudaError_t two_threads(int *out, const int *in, const unsigned *table, int *dev_out,
                                   int *dev_in, unsigned *dev_table, size_t n)
{
    cudaEvent_t table_ready;
    size_t half = n / 2;
    cudaError_t upper = cudaSuccess;
    TRY(cudaEventCreateWithFlags(&table_ready, cudaEventDisableTiming));
    TRY(cudaMemcpyAsync(dev_table, table, TABLE * sizeof *table, cudaMemcpyHostToDevice,
                        cudaStreamPerThread));
    TRY(cudaEventRecord(table_ready, cudaStreamPerThread));
    std::thread thread([&] {
        upper = one_half(out + half, in + half, dev_out + half, dev_in + half, n - half, dev_table,
                         table_ready);
    });
    cudaError_t lower = one_half(out, in, dev_out, dev_in, half, dev_table, table_ready);
    thread.join();
    TRY(cudaEventDestroy(table_ready));
    return lower != cudaSuccess ? lower : upper;
}
