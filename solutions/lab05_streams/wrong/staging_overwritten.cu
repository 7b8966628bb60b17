// verdict: stream-race @1 in pageable_odd
// The host fills a staging buffer again before it has waited for the copy out of it.

#include <cstddef>
#include <cstring>
#include <vector>

#define BLOCKS 100
#define THREADS 512

// Leaves the function with the error of a CUDA call that failed.
#define TRY(call)                                                                                  \
    do {                                                                                           \
        cudaError_t status_ = (call);                                                              \
        if (status_ != cudaSuccess)                                                                \
            return status_;                                                                        \
    } while (0)

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

extern "C" void *host_alloc(size_t bytes)
{
    void *p;
    return cudaMallocHost(&p, bytes) == cudaSuccess ? p : nullptr;
}

extern "C" void host_free(void *p)
{
    cudaFreeHost(p);
}

static cudaError_t create_streams(cudaStream_t *stream, int count)
{
    for (int i = 0; i < count; i++)
        TRY(cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking));
    return cudaSuccess;
}

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
    cudaStream_t stream[2] = {};
    size_t half = n / 2;
    cudaError_t status = create_streams(stream, 2);
    if (status == cudaSuccess)
        status = issue_transform(out, in, dev_out, dev_in, half, rounds, stream[0]);
    if (status == cudaSuccess)
        status = issue_transform(out + half, in + half, dev_out + half, dev_in + half, n - half,
                                 rounds, stream[1]);
    return finish_streams(stream, 2, status);
}

// One slot: a stream, device memory, page-locked memory, and the chunk that is on its way through.
struct slot {
    cudaStream_t stream;
    int *device, *staged; // 2 * chunk elements each: in, then out
    size_t at, count;
};

// Waits for the chunk in the slot and takes its results.
static cudaError_t take_out(slot &s, int *out, size_t chunk)
{
    TRY(cudaStreamSynchronize(s.stream));
    memcpy(out + s.at, s.staged + chunk, s.count * sizeof *out);
    s.count = 0;
    return cudaSuccess;
}

static cudaError_t issue_staged(std::vector<slot> &slots, int *out, const int *in, size_t n,
                                int rounds, size_t chunk)
{
    for (size_t c = 0, at = 0; at < n; c++, at += chunk) {
        slot &s = slots[c % slots.size()];
        size_t count = n - at < chunk ? n - at : chunk;
        memcpy(s.staged, in + at, count * sizeof *in); // @1
        TRY(take_out(s, out, chunk));
        s.at = at;
        s.count = count;
        TRY(issue_transform(s.staged + chunk, s.staged, s.device + chunk, s.device, s.count, rounds,
                            s.stream));
    }
    for (slot &s : slots)
        TRY(take_out(s, out, chunk));
    return cudaSuccess;
}

extern "C" cudaError_t from_pageable(int *out, int *in, size_t n, int rounds, size_t chunk,
                                     int streams)
{
    std::vector<slot> slots(streams);
    size_t bytes = 2 * chunk * sizeof(int);
    cudaError_t status = cudaSuccess;
    for (slot &s : slots) {
        if (status == cudaSuccess)
            status = create_streams(&s.stream, 1);
        if (status == cudaSuccess)
            status = cudaMalloc(&s.device, bytes);
        if (status == cudaSuccess)
            status = cudaMallocHost(&s.staged, bytes);
    }
    if (status == cudaSuccess)
        status = issue_staged(slots, out, in, n, rounds, chunk);
    for (slot &s : slots) {
        status = finish_streams(&s.stream, 1, status);
        cudaFree(s.device);
        cudaFreeHost(s.staged);
    }
    return status;
}

// The other parts are left out.
extern "C" cudaError_t pipeline(int *, const int *, size_t, int, size_t, int)
{
    return cudaErrorNotYetImplemented;
}

extern "C" cudaError_t fork_join(int *, int *, int *, size_t, int, cudaStream_t, cudaStream_t)
{
    return cudaErrorNotYetImplemented;
}

extern "C" cudaError_t consume_ready(const cudaStream_t *, int, void (*)(int))
{
    return cudaErrorNotYetImplemented;
}

extern "C" cudaError_t beside_library(int *, const int *, int *, int *, size_t, const unsigned *, size_t,
                                      int, void (*)(size_t))
{
    return cudaErrorNotYetImplemented;
}

extern "C" cudaError_t two_threads(int *, const int *, const unsigned *, int *, int *, unsigned *,
                                   size_t)
{
    return cudaErrorNotYetImplemented;
}
