// writers.cu: one line that all blocks write by: a value of their own, or one that is read there first.
//
// case stores expect=data-race says=let.only.one.thread.write.on.line
// case stores_of_one expect=silent
// case updates expect=data-race says=an.atomic.on.line.*between.a.plain.load.and.its.store.another.block
// case updates_by_atomic expect=silent
// case updates_in_two_lines expect=data-race says=an.atomic.on.lines
// case lock_given_back_plainly expect=data-race says=a.plain.store.what.line.[0-9]+.waits.for
// case lock_given_back expect=silent
// case one_line_two_roles expect=data-race says=a.launch.of.its.own
// case same_elements expect=data-race says=look.at.the.index
// case own_elements expect=silent
#include <cstring>
#include <cuda_runtime.h>

__global__ void all_store(int *x, bool one)
{
    if (!one || (blockIdx.x == 0 && threadIdx.x == 5))
        *x = threadIdx.x; // stores
}

__global__ void all_update(int *x)
{
    if (threadIdx.x == 0)
        *x += blockIdx.x; // updates
}

__global__ void update_in_two_lines(int *x)
{
    if (threadIdx.x == 0) {
        int old = x[0]; // updates_in_two_lines
        x[0] = old + 1;
    }
}

__global__ void under_lock(int *x, bool plainly)
{
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(&x[1], 0, 1) != 0) {
    }
    __threadfence();
    x[0] += 1; // lock_given_back_plainly
    __threadfence();
    if (plainly)
        x[1] = 0;
    else
        atomicExch(&x[1], 0);
}

#define ROLES(x) if (blockIdx.x == 0) x[0] = 1; else x[1] = x[0] + 1
__global__ void roles(int *x)
{
    if (threadIdx.x == 0)
        ROLES(x); // one_line_two_roles
}

__global__ void all_add(int *x)
{
    if (threadIdx.x == 0)
        atomicAdd(x, blockIdx.x);
}

__global__ void by_thread(int *x, bool own)
{
    x[threadIdx.x + (own ? blockIdx.x * blockDim.x : 0)] = blockIdx.x; // same_elements
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *x, got[64];
    cudaMalloc(&x, sizeof got);
    cudaMemset(x, 0, sizeof got);
    if (!strcmp(name, "stores") || !strcmp(name, "stores_of_one"))
        all_store<<<2, 32>>>(x, !strcmp(name, "stores_of_one"));
    else if (!strcmp(name, "updates"))
        all_update<<<2, 32>>>(x);
    else if (!strcmp(name, "updates_in_two_lines"))
        update_in_two_lines<<<2, 32>>>(x);
    else if (!strncmp(name, "lock_given_back", 15))
        under_lock<<<4, 32>>>(x, !strcmp(name, "lock_given_back_plainly"));
    else if (!strcmp(name, "one_line_two_roles"))
        roles<<<2, 32>>>(x);
    else if (!strcmp(name, "updates_by_atomic"))
        all_add<<<2, 32>>>(x);
    else
        by_thread<<<2, 32>>>(x, !strcmp(name, "own_elements"));
    cudaError_t done = cudaMemcpy(got, x, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return done != cudaSuccess;
}
