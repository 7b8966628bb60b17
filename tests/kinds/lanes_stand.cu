// Lanes of a warp that wait at different lines: the finding says which stand where.
//
// case lanes_parted expect=deadlock says=lanes.16.to.31.are.at.line.19.and.lanes.0.to.15.at.line.16
// case lanes_left expect=deadlock says=lanes.4.to.31.have.left.the.kernel
// case lanes_all expect=deadlock level=error
// case lanes_answered expect=silent
#include <cstring>

#include "check.h"

#define go (*(volatile int *)(out + 40))

__global__ void parted(int *out)
{
    if (threadIdx.x % 32 < 16) {
        while (go != 1)
            ;
    } else {
        while (go != 2)
            ;
    }
    out[threadIdx.x] = go;
}

__global__ void left(int *out)
{
    if (threadIdx.x >= 4)
        return;
    while (go != 1)
        ;
    out[threadIdx.x] = go;
}

__global__ void all(int *out)
{
    while (go != 1)
        ;
    out[threadIdx.x] = go;
}

__global__ void answered(int *out)
{
    if (threadIdx.x == 0)
        go = 1;
    while (go != 1)
        ;
    out[threadIdx.x] = 1;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *out;
    CHECK(!cudaMalloc(&out, 64 * sizeof *out) && !cudaMemset(out, 0, 64 * sizeof *out));
    if (!strcmp(name, "lanes_parted"))
        parted<<<1, 32>>>(out);
    else if (!strcmp(name, "lanes_left"))
        left<<<1, 32>>>(out);
    else if (!strcmp(name, "lanes_all"))
        all<<<1, 32>>>(out);
    else
        answered<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
