// Vectors in shared memory that a copy or another thread has written and that halves of a warp then read together; the names of variables of kernels
// whose own names are long; waits at a barrier in shared memory. test_kinds.sh says what the list means.
//
// arch compute_80 compute_90
// case rows expect=silent
// case rows_early expect=data-race says=.tile
// case rows_again expect=silent
// case rows_again_early expect=data-race says=.tile
// case rows_last_lane expect=data-race says=.tile
// case stored expect=silent
// case stored_early expect=data-race says=.tile
// case waits expect=silent
// case waits_not expect=data-race says=.value
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>
#include <cuda/barrier>

#define THREADS 64

enum what { RIGHT, EARLY, AGAIN, AGAIN_EARLY, LAST_LANE };

template <what W, class Long> __global__ void half_warps_read_the_rows_that_asynchronous_copies_brought(const float4 *in, float *out, Long)
{
    __shared__ float4 tile[THREADS];
    unsigned place = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);
    float sum = 0;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;\n\tcp.async.wait_all;" ::"r"(place), "l"(in + threadIdx.x) : "memory");
    if (W != EARLY)
        __syncthreads();
    for (int i = 0; i < 4; i++) {
        float4 v = tile[(threadIdx.x / 16 + i * 16) % THREADS]; // rows_early
        sum += v.x + v.y + v.z + v.w;
    }
    if (W == AGAIN)
        __syncthreads();
    if ((W == AGAIN || W == AGAIN_EARLY) && threadIdx.x < 4)
        tile[threadIdx.x] = make_float4(0, 0, 0, 0); // rows_again_early
    if (W == LAST_LANE) { // all but the last lane of a warp come before the store
        if (threadIdx.x % 32 != 31)
            __syncwarp(0x7fffffff);
        if (threadIdx.x == 0)
            tile[1].w = 0; // rows_last_lane
    }
    out[threadIdx.x] = sum;
}

template <bool EARLY_READ, class Long> __global__ void half_warps_read_the_rows_that_other_threads_have_stored_before(float *out, Long)
{
    __shared__ float4 tile[4];
    if (threadIdx.x < 4)
        tile[threadIdx.x] = make_float4(1, 2, 3, threadIdx.x);
    if (!EARLY_READ)
        __syncthreads();
    float4 v = tile[threadIdx.x / 16]; // stored_early
    out[threadIdx.x] = v.x + v.w;
}

// Two phases of a barrier for all; in the second case nobody waits for the first.
template <bool WAITS, class Long> __global__ void all_threads_wait_at_a_barrier_object_and_look_at_what_came_before_it(float *out, Long)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ alignas(barrier) char gate[sizeof(barrier)];
    __shared__ float value[2];
    barrier *b = (barrier *)gate;
    if (threadIdx.x == 0)
        init(b, THREADS);
    __syncthreads();
    if (threadIdx.x / 2 == 20)
        value[threadIdx.x % 2] = threadIdx.x;
    if (WAITS)
        b->arrive_and_wait();
    else
        (void)b->arrive();
    out[threadIdx.x] = value[(threadIdx.x + 1) % 2]; // waits_not
    b->arrive_and_wait();
}

struct a_type_whose_name_makes_the_kernels_names_longer_than_findings_keep {};

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    float4 *in;
    float *out;
    a_type_whose_name_makes_the_kernels_names_longer_than_findings_keep t;
    cudaMalloc(&in, THREADS * sizeof *in);
    cudaMalloc(&out, THREADS * sizeof *out);
    cudaMemset(in, 0, THREADS * sizeof *in);
    if (!strcmp(name, "rows"))
        half_warps_read_the_rows_that_asynchronous_copies_brought<RIGHT><<<1, THREADS>>>(in, out, t);
    if (!strcmp(name, "rows_early"))
        half_warps_read_the_rows_that_asynchronous_copies_brought<EARLY><<<1, THREADS>>>(in, out, t);
    if (!strcmp(name, "rows_again"))
        half_warps_read_the_rows_that_asynchronous_copies_brought<AGAIN><<<1, THREADS>>>(in, out, t);
    if (!strcmp(name, "rows_again_early"))
        half_warps_read_the_rows_that_asynchronous_copies_brought<AGAIN_EARLY><<<1, THREADS>>>(in, out, t);
    if (!strcmp(name, "rows_last_lane"))
        half_warps_read_the_rows_that_asynchronous_copies_brought<LAST_LANE><<<1, THREADS>>>(in, out, t);
    if (!strcmp(name, "stored"))
        half_warps_read_the_rows_that_other_threads_have_stored_before<false><<<1, THREADS>>>(out, t);
    if (!strcmp(name, "stored_early"))
        half_warps_read_the_rows_that_other_threads_have_stored_before<true><<<1, THREADS>>>(out, t);
    if (!strcmp(name, "waits"))
        all_threads_wait_at_a_barrier_object_and_look_at_what_came_before_it<true><<<1, THREADS>>>(out, t);
    if (!strcmp(name, "waits_not"))
        all_threads_wait_at_a_barrier_object_and_look_at_what_came_before_it<false><<<1, THREADS>>>(out, t);
    cudaError_t e = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return e != cudaSuccess;
}
