/*
 * The CUDA side of `make bench`: tasks.h says how it is called, bench.h what it prints.
 */
#define KERNEL __global__ void
#define GLOBAL
#define SHARED __shared__
#define BARRIER() __syncthreads()
#define DIMENSION(v, d) ((int)((d) ? v.y : v.x))
#define TID(d) DIMENSION(threadIdx, d)
#define BLOCK(d) DIMENSION(blockIdx, d)
#define BLOCK_SIZE(d) DIMENSION(blockDim, d)
#define BLOCKS(d) DIMENSION(gridDim, d)
#define ADD_SHARED(p) atomicAdd(p, 1)
#define ADD_GLOBAL(p, v) atomicAdd(p, v)
#define RSQRT(x) rsqrtf(x)
#define EXP(x) expf(x)
#define LOG(x) logf(x)
#define SQRT(x) sqrtf(x)
#define ABS(x) fabsf(x)
#include "kernels.cl"

#include "tasks.h"

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t e_ = (call);                                                                   \
        if (e_ != cudaSuccess) {                                                                   \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e_));                            \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static const void *const functions[WORKS] = {
    (const void *)sum, (const void *)sort, (const void *)matmul, (const void *)transpose, (const void *)histogram,
    (const void *)scan, (const void *)mandelbrot, (const void *)nbody, (const void *)spmv, (const void *)blackscholes};

int main(int argc, char **argv)
{
    struct run r = run_make(argc, argv);
    void *device[MAX_BUFFERS], *arguments[MAX_BUFFERS + 1];
    for (int i = 0; i < r.buffers; i++) {
        CHECK(cudaMalloc(&device[i], 4 * r.buffer[i].words));
        arguments[i] = &device[i];
        if (!r.buffer[i].in)
            CHECK(cudaMemset(device[i], 0, 4 * r.buffer[i].words));
    }
    arguments[r.buffers] = &r.n;
    for (int l = 0; l < LAUNCHES; l++) {
        for (int i = 0; i < r.buffers; i++)
            if (r.buffer[i].in)
                CHECK(cudaMemcpy(device[i], r.buffer[i].in, 4 * r.buffer[i].words, cudaMemcpyHostToDevice));
        CHECK(cudaDeviceSynchronize());
        task_start(&r.task, l);
        CHECK(cudaLaunchKernel(functions[r.work], dim3(r.blocks[0], r.blocks[1]), dim3(r.threads[0], r.threads[1]),
                               arguments, 0, 0));
        CHECK(cudaDeviceSynchronize());
        task_stop(&r.task, l);
    }
    const struct buffer *b = &r.buffer[r.result];
    int *result = (int *)words_new(b->words);
    CHECK(cudaMemcpy(result, device[r.result], 4 * b->words, cudaMemcpyDeviceToHost));
    for (int i = 0; i < r.buffers; i++)
        CHECK(cudaFree(device[i]));
    return task_report(&r.task, result_is_right(&r, result));
}
