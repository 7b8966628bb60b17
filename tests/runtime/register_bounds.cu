// nvcc: -maxrregcount=40
// What nvcc is told of registers counts where the binary's PTX is compiled: its option for kernels that say nothing, and a kernel's own
// bounds, which win. The numbers are ptxas 13.0's for sm_90 (-Xptxas -v), but that ours may need fewer where nothing bounds them.
#include <cuda_runtime.h>

#include "check.cuh"

#define BODY                                                      \
    float a[64], s = 0;                                           \
    for (int i = 0; i < 64; i++) a[i] = p[i * 1024 + threadIdx.x]; \
    for (int i = 0; i < 64; i++) s += a[i] * a[63 - i];           \
    for (int i = 0; i < 64; i++) p[i * 1024 + threadIdx.x] = a[i] * s;

__global__ void nothing(float *p) { BODY }
__global__ void __launch_bounds__(256) threads(float *p) { BODY }
__global__ void __launch_bounds__(256, 4) blocks(float *p) { BODY }
__global__ void __launch_bounds__(1024, 2) two_blocks(float *p) { BODY }
__global__ void __maxnreg__(32) own(float *p) { BODY }

static int registers(void (*kernel)(float *))
{
    cudaFuncAttributes f;
    OK(cudaFuncGetAttributes(&f, kernel));
    return f.numRegs;
}

static int fit(void (*kernel)(float *), int threads)
{
    int n;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel, threads, 0));
    return n;
}

int main()
{
    CHECK(registers(nothing) == 40 && registers(own) == 32);
    CHECK(registers(threads) > 64 && registers(blocks) == 64 && registers(two_blocks) == 32);
    CHECK(fit(nothing, 256) == 6 && fit(threads, 256) == 3 && fit(blocks, 256) == 4 && fit(two_blocks, 1024) == 2);
    puts("register_bounds ok");
    return 0;
}
