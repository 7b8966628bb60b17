// barrier_places.cu: where a barrier is advised that some threads would not come to, or that would not do for all blocks. The lines are the
// text's own: keep them.
//
// case swap_in_loop expect=data-race says=after.the.branch.that.begins.on.line.18,.reached.by.all.threads,.before.the.loop.comes.to.line.19.again
// case swap_in_loop_waits expect=silent
// case once_inside expect=data-race says=outside.of.the.branch.that.begins.on.line.34
// case once_inside_waits expect=silent
// case one_block expect=data-race says=__syncthreads\(\).*line.48
// case two_blocks expect=data-race says=if.two.blocks.are.meant
// case two_blocks_apart expect=silent
#include <cstring>
#include <cuda_runtime.h>

// Whole warps go one way or the other: none is seen to part.
__global__ void swaps(int *out, int turns, bool waits)
{
    for (int d = turns; d >= 32; d /= 2) {
        if ((threadIdx.x & d) == 0) {
            int a = out[threadIdx.x], b = out[threadIdx.x + d];
            if (a > b) {
                out[threadIdx.x] = b; // swap_in_loop
                out[threadIdx.x + d] = a;
            }
        }
        if (waits)
            __syncthreads();
    }
}

__global__ void inside(int *out, bool waits)
{
    __shared__ int s[128];
    s[threadIdx.x] = 1, __syncthreads();
    if (threadIdx.x < 64) {
        s[threadIdx.x] = 2 * threadIdx.x;
        if (waits)
            asm volatile("bar.sync 1, 64;" ::: "memory");
        out[threadIdx.x] = s[63 - threadIdx.x]; // once_inside
    }
    __syncthreads();
}

// Threads read their neighbours', the last one of a block the next block's.
__global__ void neighbours(int *to, int *from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    from[i] = i;
    to[i] = from[(i + 33) % n]; // one_block two_blocks
}

int main(int argc, char **argv)
{
    int *out, *to, values[512];
    const char *name = argc > 1 ? argv[1] : "";
    bool waits = strstr(name, "_waits");
    cudaMalloc(&out, sizeof values);
    cudaMalloc(&to, sizeof values);
    for (int i = 0; i < 512; i++)
        values[i] = 512 - i;
    cudaMemcpy(out, values, sizeof values, cudaMemcpyHostToDevice);
    if (strstr(name, "swap"))
        swaps<<<1, 256>>>(out, 128, waits);
    else if (strstr(name, "once"))
        inside<<<1, 128>>>(out, waits);
    else if (!strcmp(name, "two_blocks_apart"))
        cudaMemcpy(to, out, sizeof values, cudaMemcpyDeviceToDevice);
    else
        neighbours<<<1 + !strcmp(name, "two_blocks"), 64>>>(to, out, strcmp(name, "two_blocks") ? 64 : 128);
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(to);
}
