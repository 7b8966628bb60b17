// Each device has its own copy of a variable.
//
// also --remote
//
// case own expect=silent options=--devices=2
// case peers expect=peer-access options=--devices=2 status=1
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__device__ int variable;

__global__ void set(int value)
{
    variable = value;
}
__global__ void set_at(int *at, int value)
{
    *at = value; // peers
}

int main(int argc, char **argv)
{
    int value[2] = {0, 0}, *first;
    cudaGetSymbolAddress((void **)&first, variable);
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        if (argc > 1 && !strcmp(argv[1], "peers"))
            set_at<<<1, 1>>>(first, d + 5);
        else
            set<<<1, 1>>>(d + 5);
    }
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        if (cudaMemcpyFromSymbol(&value[d], variable, sizeof *value) != cudaSuccess)
            return 1;
    }
    printf("%d %d\n", value[0], value[1]);
    return value[0] != 5 || value[1] != 6;
}
