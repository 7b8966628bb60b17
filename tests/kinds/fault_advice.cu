// What a fault's finding advises, by what the kernel and its launch are like.
//
// case extern_without_bytes expect=out-of-bounds says=blocks,.threads,.bytes
// case extern_too_small expect=out-of-bounds says=gives.64
// case fixed_too_small expect=out-of-bounds says=largest.block
// case heap_is_full expect=out-of-bounds says=cudaLimitMallocHeapSize
// case null_argument expect=out-of-bounds says=which.pointer.line
// case deep_recursion expect=out-of-bounds says=cudaLimitStackSize
// case recursion_beyond expect=out-of-bounds says=has.1024.bytes
// case recursion_within expect=silent
// case recursion_doubted expect=silent incomplete=cudaLimitStackSize
// case recursion_given_room expect=silent
// case recursion_by_turns expect=out-of-bounds says=has.1024.bytes
// case odd_address expect=misaligned says=multiple.of.its.size
// case past_heap expect=out-of-bounds says=look.at.the.index
// case heap_after_free expect=use-after-free says=after.its.last.use
// case heap_freed_twice expect=use-after-free says=once
// case past_local expect=out-of-bounds says=size.of.the.array
// case extern_with_bytes expect=silent
// case heap_has_room expect=silent
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define CASE(name) if (!strcmp(argv[1], name))

enum { N = 32 };

__global__ void extern_array(int *out)
{
    extern __shared__ int shared[];
    shared[threadIdx.x] = (int)threadIdx.x; // extern_without_bytes extern_too_small
    __syncthreads();
    out[threadIdx.x] = shared[N - 1 - threadIdx.x];
}

__global__ void fixed_array(int *out)
{
    __shared__ int shared[N / 2];
    shared[threadIdx.x] = (int)threadIdx.x; // fixed_too_small
    __syncthreads();
    out[threadIdx.x] = shared[threadIdx.x / 2];
}

__global__ void fills_heap(int *out, int pieces, size_t bytes)
{
    for (int i = 0; i < pieces; i++) {
        int *p = (int *)malloc(bytes);
        p[0] = i; // heap_is_full
        out[i % N] = p[0];
        if (bytes < 4096)
            free(p);
    }
}

__global__ void store(int *out)
{
    out[threadIdx.x] = 1; // null_argument
}

__device__ int deeper(int n, volatile int *p)
{
    volatile int own[64];
    own[n & 63] = n;
    return n == 0 ? 0 : deeper(n - 1, p) + own[n & 63] + *p; // deep_recursion recursion_beyond
}
__global__ void recurses(int *out, int n)
{
    out[0] = deeper(n, out + 1);
}

__device__ int odd_turn(int n, volatile int *p);
__device__ __noinline__ int even_turn(int n, volatile int *p)
{
    volatile int own[64];
    own[n & 63] = n;
    return n == 0 ? 0 : odd_turn(n - 1, p) + own[n & 63] + *p;
}
__device__ __noinline__ int odd_turn(int n, volatile int *p)
{
    volatile int own[64];
    own[n & 63] = n;
    return n == 0 ? 0 : even_turn(n - 1, p) + own[n & 63] - *p; // recursion_by_turns
}
__global__ void takes_turns(int *out, int n)
{
    out[0] = even_turn(n, out + 1);
}

__global__ void store_odd(char *out)
{
    *(int *)(out + 1) = 1; // odd_address
}

__global__ void heap(int *out, int how)
{
    int *p = (int *)malloc(16);
    p[0] = 1;
    if (how == 0)
        p[4] = 1; // past_heap
    free(p);
    if (how == 1)
        out[0] = p[0]; // heap_after_free
    if (how == 2)
        free(p); // heap_freed_twice
}

__global__ void past_local(int *out, int n)
{
    volatile int own[4];
    for (int i = 0; i <= n; i++)
        own[i] = i; // past_local
    out[0] = own[out[1] & 3];
}

int main(int argc, char **argv)
{
    int *p, *none = NULL;
    if (argc < 2)
        return 2;
    cudaMalloc(&p, N * sizeof *p);
    cudaMemset(p, 0, N * sizeof *p);
    CASE("extern_without_bytes") extern_array<<<1, N>>>(p);
    CASE("extern_too_small") extern_array<<<1, N, 64>>>(p);
    CASE("extern_with_bytes") extern_array<<<1, N, N * sizeof(int)>>>(p);
    CASE("fixed_too_small") fixed_array<<<1, N>>>(p);
    CASE("heap_is_full") fills_heap<<<1, 1>>>(p, 20, 1 << 20);
    CASE("heap_has_room") fills_heap<<<1, 1>>>(p, 20, 1 << 10);
    CASE("null_argument") store<<<1, N>>>(none);
    CASE("deep_recursion") recurses<<<1, 1>>>(p, 100000);
    CASE("recursion_beyond") recurses<<<1, 1>>>(p, 3);
    CASE("recursion_within") recurses<<<1, 1>>>(p, 1);
    CASE("recursion_doubted") {
        cudaDeviceSetLimit(cudaLimitStackSize, 272 * 11);
        recurses<<<1, 1>>>(p, 10);
    }
    CASE("recursion_given_room") {
        cudaDeviceSetLimit(cudaLimitStackSize, 65536);
        recurses<<<1, 1>>>(p, 100);
    }
    CASE("recursion_by_turns") takes_turns<<<1, 1>>>(p, 5);
    CASE("odd_address") store_odd<<<1, 1>>>((char *)p);
    CASE("past_heap") heap<<<1, 1>>>(p, 0);
    CASE("heap_after_free") heap<<<1, 1>>>(p, 1);
    CASE("heap_freed_twice") heap<<<1, 1>>>(p, 2);
    CASE("past_local") past_local<<<1, 1>>>(p, 4);
    cudaDeviceSynchronize();
    cudaFree(p);
    return 0;
}
