// one_place.cu: many threads store to one place. A warning where all store the same value, of whatever size; what a thread may read there
// behind its own store is that store's value or a later one's, never what was there before.
//
// case word expect=data-race level=warning
// case long_word expect=data-race level=warning
// case long_word_volatile expect=silent
// case long_words_differ expect=data-race
// case pair_differs expect=data-race
// case bytes expect=data-race level=warning
// case read_behind expect=data-race
// case long_read_behind expect=data-race
// case shared_read_behind expect=data-race
// case volatile_read_behind expect=silent
// case read_behind_same expect=data-race
#include <cstring>
#include <cuda_runtime.h>

enum { THREADS = 64, FIRST = 7, FAR = 1 << 28 };

template <class T> __global__ void store(T *p, long long value, int differs)
{
    *p = (T)(value + differs * (threadIdx.x == 9));
}

__global__ void pair(int2 *p)
{
    *p = make_int2(FIRST, FIRST + (threadIdx.x == 9));
}

// Zero, which was there before, cannot be read: it would lead out of bounds.
template <class T, bool SHARED> __global__ void behind(T *global, int *out, int differs)
{
    __shared__ T inside;
    T *p = SHARED ? &inside : global;
    if (SHARED && threadIdx.x == 0)
        *p = 0;
    if (SHARED)
        __syncthreads();
    *p = (T)(FIRST + differs * threadIdx.x);
    asm volatile("" ::: "memory");
    int seen = (int)*p;
    out[seen ? threadIdx.x : FAR] = 1;
}

int main(int, char **argv)
{
    auto is = [&](const char *name) { return !strcmp(argv[1], name); };
    long long *p;
    int *out;
    cudaMalloc(&p, sizeof *p);
    cudaMemset(p, 0, sizeof *p);
    cudaMalloc(&out, THREADS * sizeof *out);
    if (is("word"))
        store<<<1, THREADS>>>((int *)p, FIRST, 0);
    else if (is("long_word") || is("long_words_differ"))
        store<<<2, THREADS>>>(p, 1ll << 40, is("long_words_differ"));
    else if (is("long_word_volatile"))
        store<<<2, THREADS>>>((volatile long long *)p, FIRST, 0);
    else if (is("pair_differs"))
        pair<<<1, THREADS>>>((int2 *)p);
    else if (is("bytes"))
        store<<<1, THREADS>>>((char *)p, FIRST, 0);
    else if (is("read_behind") || is("read_behind_same"))
        behind<int, false><<<1, THREADS>>>((int *)p, out, is("read_behind"));
    else if (is("long_read_behind"))
        behind<long long, false><<<1, THREADS>>>(p, out, 1);
    else if (is("shared_read_behind"))
        behind<int, true><<<1, THREADS>>>(nullptr, out, 1);
    else if (is("volatile_read_behind"))
        behind<volatile int, false><<<1, THREADS>>>((volatile int *)p, out, 1);
    cudaDeviceSynchronize();
    cudaFree(p);
    cudaFree(out);
    return 0;
}
