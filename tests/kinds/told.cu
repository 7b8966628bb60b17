// Blocks that tell each other by one thread each, and waits that nobody ends: which advice, and where it must be another.
//
// case told_right expect=silent
// case no_barrier_before expect=data-race says=__syncthreads...after.line.[0-9]+,.reached.by.all.threads,.before.a.thread.signals.for.the.block
// case no_barrier_behind expect=data-race says=__syncthreads...before.line.[0-9]+,.reached.by.all.threads:.another.thread.of.this.block.comes.after
// case neither_barrier expect=data-race says=before.line.[0-9]+,
// case not_told expect=data-race says=a.launch.of.its.own.for.line
// case told_before expect=data-race says=a.signal.after.line.[0-9]+,.behind.a.fence
// case after_branch expect=data-race says=__syncthreads.*after.the.branch.that.begins.on.line.[0-9]+,.reached.by.all.threads,.before.line
// case after_branch_waits expect=silent
// case together expect=silent
// case not_together expect=data-race says=this_grid...sync...after.line.[0-9]+.and.before.line|this_grid...sync...between
// case block_of_many expect=data-race says=if.other.blocks.use.it,.too,.a.barrier.of.the.whole.grid
// case block_alone expect=data-race says=reached.by.all.threads.[,}]
// case one_has_left expect=deadlock says=who.is.to.change.alloc2.*A.block.that.has.ended..1.of.2.have.
// case nobody_has_left expect=deadlock says=All.that.still.run.wait
// case host_waits expect=deadlock says=if.the.host.is.to.write.there
#include <cooperative_groups.h>
#include <cstring>
#include <cuda_runtime.h>

#define VOL(p) (*(volatile unsigned *)(p))

__device__ void wait_for_all(unsigned *count, unsigned upto, bool before, bool behind)
{
    if (before)
        __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (VOL(count) < upto)
            ;
        __threadfence();
    }
    if (behind)
        __syncthreads();
}

__device__ int *partner(int *slots)
{
    return slots + (1 - blockIdx.x) * blockDim.x + blockDim.x - 1 - threadIdx.x;
}

__global__ void swap(int *slots, unsigned *count, int *out, bool before, bool behind)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    slots[i] = i;
    wait_for_all(count, 2, before, behind);
    out[i] = *partner(slots);
}

// They have met, but before they wrote.
__global__ void swap_unmet(int *slots, unsigned *count, int *out, bool meet)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (meet)
        wait_for_all(count, 2, true, true);
    slots[i] = i;
    __syncthreads();
    out[i] = *partner(slots);
}

__global__ void swap_together(int *slots, unsigned *count, int *out, bool meet)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    slots[i] = i;
    if (meet)
        cooperative_groups::this_grid().sync();
    out[i] = *partner(slots);
}

__global__ void turn(int *slots, int *out)
{
    int first = blockIdx.x * blockDim.x;
    slots[first + threadIdx.x] = 1;
    out[first + threadIdx.x] = slots[first + blockDim.x - 1 - threadIdx.x];
}

// One for all: the read is behind the branch, and not in it.
__global__ void one_for_all(int *out, bool barrier)
{
    __shared__ int word;
    if (threadIdx.x == 0) {
        __nanosleep(2000); // the others are there first
        word = out[0]; // after_branch
    }
    if (barrier)
        __syncthreads();
    out[threadIdx.x + 64] = word;
}

__global__ void wait_for(unsigned *word, bool leave)
{
    if (leave && blockIdx.x == 1)
        return;
    while (VOL(word) == 0) // one_has_left nobody_has_left host_waits
        ;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *slots, *out;
    unsigned *count, *word;
    cudaMalloc(&slots, 512);
    cudaMalloc(&out, 512);
    cudaMalloc(&count, 4);
    cudaHostAlloc(&word, 4, cudaHostAllocMapped);
    *word = 0;
    cudaMemset(count, 0, 4);
    cudaMemset(slots, 0, 512);
    bool meet = strcmp(name, "not_together") && strcmp(name, "not_told");
    if (!strcmp(name, "told_right"))
        swap<<<2, 64>>>(slots, count, out, true, true);
    else if (!strcmp(name, "no_barrier_before"))
        swap<<<2, 64>>>(slots, count, out, false, true);
    else if (!strcmp(name, "no_barrier_behind"))
        swap<<<2, 64>>>(slots, count, out, true, false);
    else if (!strcmp(name, "neither_barrier"))
        swap<<<2, 64>>>(slots, count, out, false, false);
    else if (!strcmp(name, "not_told") || !strcmp(name, "told_before"))
        swap_unmet<<<2, 64>>>(slots, count, out, meet);
    else if (strstr(name, "together")) {
        void *args[] = {&slots, &count, &out, &meet};
        cudaLaunchCooperativeKernel(swap_together, dim3(2), dim3(64), args, 0, nullptr);
    } else if (!strcmp(name, "block_of_many") || !strcmp(name, "block_alone"))
        turn<<<strcmp(name, "block_alone") ? 2 : 1, 64>>>(slots, out);
    else if (strstr(name, "after_branch"))
        one_for_all<<<1, 64>>>(slots, strcmp(name, "after_branch"));
    else if (strstr(name, "has_left"))
        wait_for<<<2, 1>>>(count, !strcmp(name, "one_has_left"));
    else if (!strcmp(name, "host_waits"))
        wait_for<<<1, 1>>>(word, false);
    else
        return 2;
    cudaDeviceSynchronize(); // where a wait had no end: with an error that the finding explains
    cudaFree(slots), cudaFree(out), cudaFree(count), cudaFreeHost(word);
    return 0;
}
