// cuda::atomic_ref of one byte and of two, which the library makes of wider atomics: the object is what counts.
//
// case bytes_counted expect=silent
// case bytes_counted_block expect=data-race
// case bytes_at_end expect=silent
// case bytes_behind_end expect=out-of-bounds also=failed-call
// case bytes_beside expect=silent
// case bytes_plainly expect=data-race
// case shorts_counted expect=silent
// case shorts_counted_block expect=data-race
// case shorts_plainly expect=data-race
// case bytes_passed_on expect=silent
// case bytes_passed_relaxed expect=missing-release
// case shorts_passed_on expect=silent
// case bytes_shared expect=silent
// case bytes_shared_plainly expect=data-race also=missing-release
// arch compute_75 compute_90
#include <cstring>
#include <cuda/atomic>

#include "check.h"

template <class T, cuda::thread_scope S = cuda::thread_scope_device> using ref = cuda::atomic_ref<T, S>;
static constexpr auto relaxed = cuda::memory_order_relaxed;

template <class T, cuda::thread_scope S> __global__ void count(T *at, int n, T *seen)
{
    ref<T, S> mine(at[(threadIdx.x + 1) % n]);
    mine.fetch_add(1, relaxed); // bytes_counted_block shorts_counted_block
    T was = mine.load(relaxed);
    while (!mine.compare_exchange_weak(was, was + 1, relaxed)) {
    }
    if (threadIdx.x == 0)
        ref<T, S>(at[0]).store(T(100), relaxed);
    seen[blockIdx.x * blockDim.x + threadIdx.x] = was;
}

template <class T, bool ALSO> __global__ void beside(T *at)
{
    if (threadIdx.x % 2)
        ref<T>(at[threadIdx.x - (ALSO && threadIdx.x == 33)]).fetch_max(T(threadIdx.x), relaxed);
    else
        at[threadIdx.x] = T(threadIdx.x); // bytes_plainly shorts_plainly
}

template <class T> __global__ void pass_on(T *flag, int *data, cuda::memory_order order)
{
    ref<T> ready(flag[3]);
    if (blockIdx.x == 0) {
        data[0] = 7; // bytes_passed_relaxed
        if (order == relaxed)
            ready.store(T(1), relaxed);
        else
            ready.store(T(1), cuda::memory_order_release);
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0) {
        }
        data[1] = data[0];
    }
}

template <bool ALSO> __global__ void in_shared(char *out)
{
    __shared__ char marks[67];
    for (int i = threadIdx.x; i < 67; i += blockDim.x)
        marks[i] = 0;
    __syncthreads();
    if (ALSO && threadIdx.x == 40)
        marks[5] = 3; // bytes_shared_plainly
    ref<char, cuda::thread_scope_block> mine(marks[threadIdx.x / 4 + 50]), other(marks[threadIdx.x % 6]);
    mine.fetch_add(1, relaxed);
    other.fetch_add(2, relaxed);
    __syncthreads();
    for (int i = threadIdx.x; i < 67; i += blockDim.x)
        out[i] = marks[i];
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    const bool block = strstr(name, "_block"), plainly = strstr(name, "_plainly"), behind = !strcmp(name, "bytes_behind_end");
    char *bytes, *seen, host[128] = {};
    short *shorts;
    int *data;
    CHECK(!cudaMalloc(&bytes, 67) && !cudaMalloc(&seen, 1024) && !cudaMalloc(&shorts, 134) && !cudaMalloc(&data, 8));
    CHECK(!cudaMemset(bytes, 0, 67) && !cudaMemset(shorts, 0, 134) && !cudaMemset(data, 0, 8));
    if (strstr(name, "_counted") || strstr(name, "_end")) {
        const int n = strstr(name, "_end") ? 67 + behind : 5;
        if (name[0] == 's')
            block ? count<short, cuda::thread_scope_block><<<2, 32>>>(shorts, n, (short *)seen)
                  : count<short, cuda::thread_scope_device><<<2, 32>>>(shorts, n, (short *)seen);
        else
            block ? count<char, cuda::thread_scope_block><<<2, 32>>>(bytes, n, seen) : count<char, cuda::thread_scope_device><<<1, 68>>>(bytes, n, seen);
    } else if (strstr(name, "_beside") || plainly) {
        if (!strncmp(name, "bytes_shared", 12))
            plainly ? in_shared<true><<<1, 64>>>(bytes) : in_shared<false><<<1, 64>>>(bytes);
        else if (name[0] == 's')
            beside<short, true><<<1, 64>>>(shorts);
        else
            plainly ? beside<char, true><<<1, 64>>>(bytes) : beside<char, false><<<1, 64>>>(bytes);
    } else if (!strcmp(name, "bytes_shared")) {
        in_shared<false><<<1, 64>>>(bytes);
    } else if (name[0] == 's') {
        pass_on<<<2, 1>>>(shorts, data, cuda::memory_order_release);
    } else {
        pass_on<<<2, 1>>>(bytes, data, strstr(name, "_relaxed") ? relaxed : cuda::memory_order_release);
    }
    if (behind)
        return cudaDeviceSynchronize() == cudaSuccess;
    CHECK(!cudaDeviceSynchronize());
    CHECK(!cudaMemcpy(host, bytes, 67, cudaMemcpyDeviceToHost));
    if (!strcmp(name, "bytes_beside"))
        for (int i = 0; i < 64; i++)
            CHECK(host[i] == i);
    if (!strcmp(name, "bytes_counted"))
        CHECK(host[1] == 28 && host[2] == 28 && host[3] == 28 && host[4] == 26);
    if (!strcmp(name, "bytes_shared"))
        CHECK(host[0] == 22 && host[5] == 20 && host[50] == 4 && host[65] == 4 && host[66] == 0);
    CHECK(!cudaFree(bytes) && !cudaFree(seen) && !cudaFree(shorts) && !cudaFree(data));
    return 0;
}
