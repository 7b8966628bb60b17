// conditions.cu: a loop goes on by what one thread changes at its end, and no barrier stands behind that. The compiler takes the next turn's look
// in front of the branch of that thread, or beside it. And one line on which threads go different ways. The lines are the text's own: keep them.
//
// case counted_down expect=data-race also=barrier-divergence says=after.the.branch.that.begins.on.line.23,.reached.by.all.threads,.before.the.loop.comes.to.line.20.again
// case counted_down_waits expect=silent
// case new_count expect=data-race also=missing-release says=after.the.branch.that.begins.on.line.39,.reached.by.all.threads,.before.the.loop.comes.to.line.35.again
// case new_count_waits expect=silent
// case one_line expect=data-race says=between.what.line.58.does.in.some.threads.and.what.it.does.in.others
// case one_line_apart expect=silent
#include <cstring>
#include <cuda_runtime.h>

template <bool waits> __global__ void count_down(int *out)
{
    __shared__ int left;
    int turns = 0;
    if (threadIdx.x == 0)
        left = 3;
    __syncthreads();
    while (left > 0) {
        turns++;
        __syncthreads();
        if (threadIdx.x == 0)
            left = left - 1; // counted_down
        if (waits) __syncthreads();
    }
    out[threadIdx.x] = turns;
}

template <bool waits> __global__ void levels(int *from, int *to)
{
    __shared__ int count, next;
    if (threadIdx.x == 0) count = 8, next = 0;
    __syncthreads();
    while (count > 0) {
        if (threadIdx.x < count)
            to[atomicAdd(&next, 1)] = from[threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0) {
            count = next - 1; // new_count
            next = 0;
        }
        if (waits) __syncthreads();
        int *swap = from;
        from = to, to = swap;
    }
}

struct Fields {
    unsigned a : 5, b : 11;
    unsigned : 0;
    unsigned c : 5;
};

// One line for all, on which threads go different ways.
__global__ void fields(Fields *f, bool other_word)
{
    if (threadIdx.x == 0) f->a = 3; else if (threadIdx.x == 32 && other_word) f->c = 4; else if (threadIdx.x == 32) f->b = 4; // one_line
}

int main(int argc, char **argv)
{
    int *out;
    const char *name = argc > 1 ? argv[1] : "";
    bool waits = strstr(name, "_waits"), counts = strstr(name, "counted_down");
    cudaMalloc(&out, 1024);
    cudaMemset(out, 0, 1024);
    if (strstr(name, "one_line"))
        fields<<<1, 64>>>((Fields *)out, strstr(name, "_apart"));
    else if (counts)
        waits ? count_down<true><<<1, 64>>>(out) : count_down<false><<<1, 64>>>(out);
    else
        waits ? levels<true><<<1, 64>>>(out, out + 128) : levels<false><<<1, 64>>>(out, out + 128);
    cudaError_t end = cudaDeviceSynchronize();
    cudaFree(out);
    return end != cudaSuccess;
}
