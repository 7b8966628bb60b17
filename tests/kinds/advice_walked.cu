// What is advised where no run shows the race, and only the walk over all executions does.
//
// case buffered expect=data-race says=lets.both.come.to.lines.[0-9]+.and.[0-9]+,.in.some.executions.*__threadfence..
// case buffered_fenced expect=silent
// case buffered_mixed expect=data-race says=line.[0-9]+.is.plain,.line.[0-9]+.atomic.or.volatile
// case buffered_strong expect=silent
#include <cstring>
#include <cuda_runtime.h>

#include "check.h"

#define VOL(x) (*(volatile int *)&(x))

// Each stores what it has looked at after the other's: without fences both may find what the other stores then.
template <bool fenced, bool first_strong, bool second_strong>
__global__ void buffered(int *flag, int *x)
{
    int seen = 0;
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0)
            seen = VOL(flag[1]);
        __syncthreads();
        if (fenced)
            __threadfence();
        if (threadIdx.x == 1)
            VOL(flag[0]) = 1;
        if (seen && first_strong)
            VOL(x[0]) = 1; // buffered_mixed
        else if (seen)
            x[0] = 1; // buffered
    } else if (threadIdx.x == 0) {
        seen = VOL(flag[0]);
        if (fenced)
            __threadfence();
        VOL(flag[1]) = seen;
        if (seen && second_strong)
            VOL(x[0]) = 2;
        else if (seen)
            x[0] = 2; // buffered buffered_mixed
    }
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *flag, *x;
    CHECK(!cudaMalloc(&flag, 8) && !cudaMemset(flag, 0, 8) && !cudaMalloc(&x, 4) && !cudaMemset(x, 0, 4));
    auto kernel = !strcmp(name, "buffered")         ? buffered<false, false, false>
                  : !strcmp(name, "buffered_fenced") ? buffered<true, false, false>
                  : !strcmp(name, "buffered_mixed")  ? buffered<false, true, false>
                                                     : buffered<true, true, true>;
    kernel<<<2, 2>>>(flag, x);
    CHECK(!cudaDeviceSynchronize());
    cudaFree(flag);
    cudaFree(x);
    return 0;
}
