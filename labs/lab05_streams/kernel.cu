// lab05: copies and kernels side by side, with streams and events.
//
// Do the TODOs in order, delete each when it is done, and run ./grade lab05 after it. README.md has the background.
// This lab is host code: the functions at the bottom are called from C, by a program that makes the
// inputs and looks at what comes back. n is any number from 0 up; memory is counted in elements
// unless a name says bytes. Every function returns cudaSuccess, or the first error there was.

#include <cstddef>
#include <cstdlib>

#define BLOCKS 100
#define THREADS 512
#define TABLE 256 // entries of the table in parts E and G

// Leaves the function with the error of a CUDA call that failed. A launch returns nothing; its error
// comes from cudaGetLastError() after it.
#define TRY(call)                                                                                  \
    do {                                                                                           \
        cudaError_t status_ = (call);                                                              \
        if (status_ != cudaSuccess)                                                                \
            return status_;                                                                        \
    } while (0)

// ---- the kernels: given, and right. Launch them with BLOCKS blocks of THREADS threads. ----

// out[i] becomes a function of in[i] that takes time; out may be in.
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

// out[i] becomes in[i] changed by its entry in the table.
__global__ void translate(int *out, const int *in, size_t n, const unsigned *table)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        out[i] = in[i] ^ (int)table[(unsigned)in[i] % TABLE];
}

// out[i] is made of x[i] and of y from its other end: each element needs both arrays.
__global__ void combine(int *out, const int *x, const int *y, size_t n)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        out[i] = x[i] ^ (y[n - 1 - i] >> 1);
}

// ---- part A ----

// Memory of the host's for the arrays `in` and `out` of all parts but F.
extern "C" void *host_alloc(size_t bytes)
{
    // TODO 1 (part A): page-locked memory, so that a copy can go on while the host does. NULL when
    // there is none. host_free() has to match.
    return malloc(bytes);
}

extern "C" void host_free(void *p)
{
    free(p);
}

// out[i] = transform of in[i], in two streams: one for the first n / 2 elements, one for the rest.
// dev_in and dev_out are device memory for n elements each. `out` is complete on return.
extern "C" cudaError_t halves(int *out, const int *in, int *dev_out, int *dev_in, size_t n,
                              int rounds)
{
    // TODO 2 (part A): create two streams (cudaStreamNonBlocking). In each: copy in, transform, copy
    // out. Then wait for both, and destroy them, also when a call has failed on the way.
    return cudaErrorNotYetImplemented;
}

// ---- part B ----

// The same for `chunk` elements at a time (the last chunk may be shorter), in `streams` streams.
// Device memory is the function's own: room for 2 * chunk elements a stream, and free again on return.
extern "C" cudaError_t pipeline(int *out, const int *in, size_t n, int rounds, size_t chunk,
                                int streams)
{
    // TODO 3 (part B): which chunk goes into which stream, and into which piece of device memory?
    // When may a piece be used again? And what if there is not so much memory?
    return cudaErrorNotYetImplemented;
}

// ---- part C ----

// All in device memory: x and y are transformed in place, x in `stream` and y in `other`, and then
// combined into `out`, in `stream`. The caller has put work into `stream` that writes x and y, and
// will put work into it that reads out. Returns at once: the host waits for nothing.
extern "C" cudaError_t fork_join(int *out, int *x, int *y, size_t n, int rounds,
                                 cudaStream_t stream, cudaStream_t other)
{
    // TODO 4 (part C): two events. What must be recorded where, and after what? Who waits for it?
    return cudaErrorNotYetImplemented;
}

// ---- part D ----

// There is work in each of the `count` streams. Calls consume(i) once for each stream i whose work is
// done, and does not make one that is done wait for one that is not.
extern "C" cudaError_t consume_ready(const cudaStream_t *stream, int count, void (*consume)(int))
{
    // TODO 5 (part D): ask each stream in turn with cudaStreamQuery(). It has three kinds of answers.
    return cudaErrorNotYetImplemented;
}

// ---- part E ----

// out[i] = translate of in[i], `chunk` elements at a time, chunk c in stream c % streams, all in
// streams of the function's own. After the work of chunk c has been issued it calls library(c), which
// puts work into the default stream. The table is being filled by work in the default stream, too.
// dev_in and dev_out are device memory for n elements each. `out` is complete on return.
extern "C" cudaError_t beside_library(int *out, const int *in, int *dev_out, int *dev_in, size_t n,
                                      const unsigned *table, size_t chunk, int streams,
                                      void (*library)(size_t))
{
    // TODO 6 (part E): the library's work must not hold up the chunks, but they need the table.
    return cudaErrorNotYetImplemented;
}

// ---- part F ----

// As pipeline(), but `in` and `out` are ordinary memory, from malloc().
extern "C" cudaError_t from_pageable(int *out, int *in, size_t n, int rounds, size_t chunk,
                                     int streams)
{
    // TODO 7 (part F): page-lock what is there, for as long as it is needed; or go through
    // page-locked memory of your own.
    return cudaErrorNotYetImplemented;
}

// ---- part G ----

// out[i] = translate of in[i], by two host threads: each has a stream of its own and does one half in
// it. `table` (page-locked, TABLE entries) is copied to dev_table once, and both halves need it.
// dev_in and dev_out are device memory for n elements each. `out` is complete on return.
extern "C" cudaError_t two_threads(int *out, const int *in, const unsigned *table, int *dev_out,
                                   int *dev_in, unsigned *dev_table, size_t n)
{
    // TODO 8 (part G): std::thread (#include <thread>). One event orders the other thread's stream
    // after the copy of the table: who records it, and when may the other thread wait for it?
    return cudaErrorNotYetImplemented;
}
