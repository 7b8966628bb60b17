// nvcc: -arch=compute_90
// A thread that looks at a barrier in shared memory after another one has invalidated it: a misuse with checks (tests/kinds/async.cu),
// but a GPU lets it pass, and so does a run without checks.
#include "check.cuh"

__global__ void late(int *passed)
{
    __shared__ unsigned long long bar;
    unsigned at = (unsigned)__cvta_generic_to_shared(&bar);
    unsigned long long token;
    int first = 0, second = 0;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(blockDim.x) : "memory");
    __syncthreads();
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(token) : "r"(at) : "memory");
    __syncthreads();
    if (threadIdx.x == 0)
        asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(at) : "memory");
    __syncthreads();
    asm volatile("{ .reg .pred p; mbarrier.try_wait.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                 : "=r"(first) : "r"(at), "l"(token) : "memory");
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                 : "=r"(second) : "r"(at), "l"(token) : "memory");
    passed[threadIdx.x] = first + second;
}

int main()
{
    int *d, h[64];
    OK(cudaMalloc(&d, sizeof h));
    late<<<1, 64>>>(d);
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        CHECK(h[i] == 2);
    puts("late_wait ok");
    return 0;
}
