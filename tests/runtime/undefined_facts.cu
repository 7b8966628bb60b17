// nvcc: -arch=compute_90a -w
// What a GPU does where PTX leaves it undefined: a tensor map acquired where there is none, mbarrier.inval where there is no mbarrier. One fact
// a line: the same program runs on a real GPU and on softgpu without checks (undefined_facts.gpu.txt).
//
//   nvcc -arch=sm_90a -cudart shared -w -o undefined_facts undefined_facts.cu && ./undefined_facts
#include <cstdio>
#include <cuda_runtime.h>

__global__ void acquire(const void *map, int *out)
{
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
    *out = 7;
}

__global__ void acquire_shared(int *out)
{
    __shared__ alignas(128) char s[128];
    s[0] = 0;
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(s) : "memory");
    *out = 7;
}

enum { TWICE, NEVER, WRITTEN_SINCE };

__global__ void invalidate(int which, int *out)
{
    __shared__ unsigned long long b;
    unsigned at = (unsigned)__cvta_generic_to_shared(&b);
    b = 12345;
    if (which != NEVER)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;\n mbarrier.inval.shared.b64 [%0];" ::"r"(at) : "memory");
    if (which == WRITTEN_SINCE)
        b = 12345;
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at) : "memory");
    *out = which == TWICE ? 7 : (int)b; // what an mbarrier's bytes are is the GPU's own affair
}

static void fact(const char *what, int *out)
{
    int got = 0;
    cudaError_t e = cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
    printf("%s: %s, %d\n", what, cudaGetErrorName(e), got);
    cudaMemset(out, 0, sizeof got);
}

int main()
{
    int *out;
    char *freed;
    cudaMalloc(&out, sizeof *out);
    cudaMalloc(&freed, 1 << 26);
    cudaFree(freed);
    acquire<<<1, 1>>>(NULL, out);
    fact("acquire at null", out);
    acquire<<<1, 1>>>((void *)128, out);
    fact("acquire at 128", out);
    acquire<<<1, 1>>>((void *)(1ull << 20), out);
    fact("acquire where no memory is", out);
    acquire<<<1, 1>>>(freed, out);
    fact("acquire in freed memory", out);
    acquire<<<1, 1>>>(out, out);
    fact("acquire of four bytes that are no map", out);
    acquire_shared<<<1, 1>>>(out);
    fact("acquire in shared memory", out);
    invalidate<<<1, 1>>>(TWICE, out);
    fact("inval twice", out);
    invalidate<<<1, 1>>>(NEVER, out);
    fact("inval of what was never initialised", out);
    invalidate<<<1, 1>>>(WRITTEN_SINCE, out);
    fact("inval of what was written since", out);
    return 0;
}
