// Many small launches: what a program's launches are looked into by beside their runs, they share. A loop of launches leaves half of it to others, and
// says nothing where there is no more for it; a launch unlike all before for which nothing is left is told (incomplete).
//
// case many_alike expect=silent complete
// case many_unlike expect=silent incomplete=handed.*used.up
// case wrong_behind_alike expect=data-race
// case right_behind_alike expect=silent complete
// case one_alone expect=deadlock complete
#include <cstring>
#include <cuda_runtime.h>

#include "check.h"

/** Block 0 hands a number on, in so many steps. */
__global__ void handed(volatile int *flag, int *data, int to, int steps)
{
    if (blockIdx.x == 0) {
        int sum = to;
        for (int i = 0; i < steps; i++)
            sum = sum * 3 + i;
        *data = sum;
        __threadfence();
        *flag = to;
    } else {
        while (*flag != to)
            ;
        __threadfence();
        data[1] = *data;
    }
}

/** Each says that it comes, and goes in if the other has not said so: both may, without a fence between. */
__global__ void both(volatile int *flag, int *data, bool fences)
{
    flag[blockIdx.x] = 1;
    if (fences)
        __threadfence();
    if (flag[1 - blockIdx.x] == 0)
        *data = (int)blockIdx.x;
}

/** Two locks, taken in either order: runs that wait for ever take many instructions. */
__global__ void crossed(int *lock, bool cross)
{
    int first = cross && blockIdx.x ? 1 : 0, second = 1 - first;
    if (threadIdx.x)
        return;
    while (atomicCAS(&lock[first], 0, 1))
        ;
    for (int k = 0; k < 20; k++)
        atomicAdd(&lock[2], 1);
    while (atomicCAS(&lock[second], 0, 1))
        ;
    __threadfence();
    atomicExch(&lock[second], 0);
    atomicExch(&lock[first], 0);
}

int main(int n, char **argument)
{
    int *flag, *data;
    const char *name = n > 1 ? argument[1] : "";
    bool unlike = !strcmp(name, "many_unlike");
    if (!strcmp(name, "one_alone")) {
        CHECK(cudaMalloc(&flag, 12) == cudaSuccess && cudaMemset(flag, 0, 12) == cudaSuccess);
        crossed<<<2, 1>>>(flag, true);
        cudaDeviceSynchronize();
        return 0;
    }
    CHECK(cudaMalloc(&flag, 8) == cudaSuccess && cudaMalloc(&data, 8) == cudaSuccess);
    CHECK(cudaMemset(flag, 0, 8) == cudaSuccess && cudaMemset(data, 0, 8) == cudaSuccess);
    for (int i = 1; i <= 150; i++)
        handed<<<2, 1>>>(flag, data, i, unlike ? i : 1);
    CHECK(cudaMemset(flag, 0, 8) == cudaSuccess);
    if (!strcmp(name, "wrong_behind_alike"))
        both<<<2, 1>>>(flag, data, false);
    if (!strcmp(name, "right_behind_alike"))
        both<<<2, 1>>>(flag, data, true);
    CHECK(cudaDeviceSynchronize() == cudaSuccess && cudaFree(flag) == cudaSuccess && cudaFree(data) == cudaSuccess);
    return 0;
}
