// Sums that all blocks add to by atomics, and that whole warps of all blocks then read at once, in turns: between a sum's atomics, its readers and
// the store that begins the next turn stands a barrier of the grid each. test_kinds.sh says what the list means.
//
// arch compute_75 compute_90
// case turns expect=silent
// case turns_float expect=silent
// case turns_bytes expect=silent
// case read_early expect=data-race
// case read_early_float expect=data-race
// case begun_early expect=data-race
// case begun_early_float expect=data-race
// case one_lane_late expect=data-race
// case pairs expect=silent
// case pairs_early expect=data-race
// case counted_plainly expect=data-race says=an.atomic.on.line nor=this_grid
// case counted_by_atomics expect=silent
// case to_and_fro expect=silent
// case to_and_fro_once expect=data-race says=this_grid\(\).sync\(\).after.line.112.and.before.line.110
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>
namespace cg = cooperative_groups;

#define BLOCKS 3
#define THREADS 64
#define TURNS 3

template <class T> struct sums {
    T sum, other;
};

template <class T> __global__ void add_in_turns(sums<T> *s, T *out)
{
    cg::grid_group grid = cg::this_grid();
    for (int turn = 0; turn < TURNS; turn++) {
        if (threadIdx.x % 32 == 0)
            atomicAdd(&s->sum, (T)1);
        grid.sync();
        out[grid.thread_rank()] = s->sum;
        grid.sync();
        if (grid.thread_rank() == 0)
            s->sum = 0;
        grid.sync();
    }
}

template <class T> __global__ void add_and_read(sums<T> *s, T *out)
{
    if (threadIdx.x % 32 == 0)
        atomicAdd(&s->sum, (T)1);
    __syncthreads();
    out[blockIdx.x * THREADS + threadIdx.x] = s->sum; // read_early read_early_float
}

template <class T> __global__ void begin_early(sums<T> *s, T *out)
{
    cg::grid_group grid = cg::this_grid();
    if (threadIdx.x % 32 == 0)
        atomicAdd(&s->sum, (T)1);
    grid.sync();
    out[grid.thread_rank()] = s->sum;
    if (grid.thread_rank() == 0)
        s->sum = 0; // begun_early begun_early_float
}

/* All lanes read at once; what one of them has read is overwritten without a barrier for that lane. */
__global__ void read_by_warp(sums<double> *s, double *out)
{
    if (threadIdx.x == 32)
        atomicAdd(&s->sum, 1.0);
    __syncthreads();
    if (threadIdx.x < 32)
        out[threadIdx.x] = s->sum;
    __syncwarp(0x0000ffffu << (threadIdx.x & 16));
    if (threadIdx.x == 0)
        s->sum = 2; // one_lane_late
}

/* Both sums by one load: the second is added to without a barrier in between. */
__global__ void read_pairs(sums<float> *s, float *out, bool early)
{
    if (threadIdx.x % 32 == 0)
        atomicAdd(&s->sum, 1.0f);
    if (!early && threadIdx.x == 33)
        atomicAdd(&s->other, 1.0f);
    __syncthreads();
    if (threadIdx.x < 32) {
        float2 both = *(float2 *)s;
        out[threadIdx.x] = both.x + both.y;
    }
    if (early && threadIdx.x == 33)
        atomicAdd(&s->other, 1.0f); // pairs_early
}

/* Counters of 4 bytes whose low bytes are read. */
__global__ void read_bytes(unsigned *sum, unsigned *out)
{
    cg::grid_group grid = cg::this_grid();
    atomicAdd(sum, 1u);
    grid.sync();
    out[grid.thread_rank()] = *(unsigned char *)sum;
}

/* From one array to the other and back: the next turn overwrites what this one reads. */
__global__ void to_and_fro(int *a, int *b, bool once)
{
    cg::grid_group grid = cg::this_grid();
    int i = (int)grid.thread_rank(), n = (int)grid.size();
    for (int turn = 0; turn < TURNS; turn++) {
        b[i] = a[i] + 1;
        grid.sync();
        a[i] = b[(i + 70) % n];
        if (!once)
            grid.sync();
    }
}

// All blocks count into the same places, behind a barrier of the grid.
__global__ void count(int *counts, bool plainly)
{
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank();
    counts[4 + i] = i;
    grid.sync();
    if (!plainly)
        atomicAdd(&counts[threadIdx.x % 4], counts[4 + (i + 1) % grid.size()]);
    else
        counts[threadIdx.x % 4] += counts[4 + (i + 1) % grid.size()]; // counted_plainly
}

template <class T> static bool run(const char *name, const char *tail)
{
    char full[64];
    sums<T> *s;
    T *out, got[BLOCKS * THREADS];
    void *args[] = {&s, &out};
    auto is = [&](const char *base) { return snprintf(full, sizeof full, "%s%s", base, tail) > 0 && !strcmp(name, full); };
    cudaMalloc(&s, sizeof *s);
    cudaMalloc(&out, sizeof got);
    cudaMemset(s, 0, sizeof *s);
    bool known = true, right = true;
    if (is("turns"))
        cudaLaunchCooperativeKernel((void *)add_in_turns<T>, BLOCKS, THREADS, args, 0, 0);
    else if (is("read_early"))
        add_and_read<T><<<BLOCKS, THREADS>>>(s, out);
    else if (is("begun_early"))
        cudaLaunchCooperativeKernel((void *)begin_early<T>, BLOCKS, THREADS, args, 0, 0);
    else
        known = false;
    if (known)
        cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; known && i < BLOCKS * THREADS && is("turns"); i++)
        right &= got[i] == BLOCKS * THREADS / 32;
    if (!right)
        puts("wrong sum");
    cudaFree(s);
    cudaFree(out);
    return known && right;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    double *out;
    sums<double> *s;
    cudaMalloc(&s, sizeof *s);
    cudaMalloc(&out, BLOCKS * THREADS * sizeof *out);
    cudaMemset(s, 0, sizeof *s);
    bool ok = true;
    if (!strcmp(name, "one_lane_late")) {
        read_by_warp<<<1, THREADS>>>(s, out);
    } else if (!strncmp(name, "pairs", 5)) {
        read_pairs<<<1, THREADS>>>((sums<float> *)s, (float *)out, !strcmp(name, "pairs_early"));
    } else if (!strncmp(name, "to_and_fro", 10)) {
        bool once = name[10];
        int *a = (int *)out, *b = a + BLOCKS * THREADS;
        void *args[] = {&a, &b, &once};
        cudaMemset(a, 0, BLOCKS * THREADS * sizeof *a);
        cudaLaunchCooperativeKernel((void *)to_and_fro, BLOCKS, THREADS, args, 0, 0);
    } else if (!strncmp(name, "counted", 7)) {
        bool plainly = !strcmp(name, "counted_plainly");
        int *counts = (int *)out;
        void *args[] = {&counts, &plainly};
        cudaMemset(counts, 0, 4 * sizeof *counts);
        cudaLaunchCooperativeKernel((void *)count, BLOCKS, 4, args, 0, 0);
    } else if (!strcmp(name, "turns_bytes")) {
        void *args[] = {&s, &out};
        cudaLaunchCooperativeKernel((void *)read_bytes, BLOCKS, THREADS, args, 0, 0);
    } else {
        ok = run<double>(name, "") || run<float>(name, "_float");
    }
    ok &= cudaDeviceSynchronize() == cudaSuccess;
    cudaFree(s);
    cudaFree(out);
    return !ok;
}
