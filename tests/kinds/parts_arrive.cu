// parts_arrive.cu: a warp comes to a barrier with a count in two parts, the first of which only arrives and has left the kernel before the second
// comes. Each thread counts once.
//
// case in_two_parts expect=silent
// case second_elsewhere expect=deadlock
// case read_early expect=data-race
#include <cstring>
#include <cuda_runtime.h>

__device__ void arrive(int barrier) { asm volatile("barrier.arrive %0, 64;" ::"r"(barrier) : "memory"); }
__device__ void wait_for(int barrier) { asm volatile("barrier.sync %0, 64;" ::"r"(barrier) : "memory"); }

__global__ void hands_over(int *out, int second, bool early)
{
    __shared__ int s[32];
    unsigned t = threadIdx.x, lane = t % 32;
    if (t < 32) {
        s[lane] = t;
        if (lane < 19) {
            arrive(1);
            return;
        }
        if (second == 2) {
            wait_for(second); // second_elsewhere
            return;
        }
        arrive(1);
        return;
    }
    int found = early ? s[31 - lane] : 0; // read_early
    if (lane < 16)
        wait_for(1);
    else
        wait_for(1), found += 1;
    out[lane] = found + s[31 - lane];
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    hands_over<<<1, 64>>>(out, !strcmp(name, "second_elsewhere") ? 2 : 1, !strcmp(name, "read_early"));
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
