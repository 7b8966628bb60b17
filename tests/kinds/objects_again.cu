// Bulk copies that tell one mbarrier: who has waited for a phase knows of those before it, as long as the object is the same. Each mistake beside its
// right twin.
//
// arch compute_90
//
// case last_waited expect=silent
// case not_yet expect=data-race
// case begun_again expect=data-race
// case begun_behind expect=silent
// case long_ring expect=silent
// case long_ring_released expect=data-race
#include <cstring>
#include <cuda/ptx>

#include "check.h"

#define N 64
#define BYTES (N * (int)sizeof(int))
#define TILES 6000

namespace ptx = cuda::ptx;
enum what { LAST, NOT_YET, AGAIN, BEHIND };
static const char *const names[] = {"last_waited", "not_yet", "begun_again", "begun_behind", "long_ring", "long_ring_released"};

__device__ void wait(uint64_t *b, unsigned parity)
{
    while (!ptx::mbarrier_try_wait_parity(b, parity))
        ;
}

__device__ void fetch(int *to, const int *from, uint64_t *b)
{
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, b, BYTES);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, BYTES, b); // not_yet, begun_again
}

/** Two copies, a phase each. LAST: only thread 0, which issues them, waits for the first. NOT_YET: nobody waits for the second.
 *  AGAIN: nobody waits for the first, and another object begins where its barrier was; BEHIND: somebody has. */
template <what W> __global__ void two(const int *in, int *out)
{
    __shared__ alignas(16) int s[2][N];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&full, 1);
        fetch(s[0], in, &full);
        if (W != AGAIN)
            wait(&full, 0);
        if (W == AGAIN || W == BEHIND) {
            asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"((unsigned)__cvta_generic_to_shared(&full)) : "memory");
            ptx::mbarrier_init(&full, 1);
        }
        fetch(s[1], in + N, &full);
    }
    __syncthreads();
    if (W != NOT_YET)
        wait(&full, W == LAST);
    out[t] = s[0][N - 1 - t] + (W == NOT_YET ? s[1][t] : 0); // not_yet, begun_again
}

/** A block of a warp that copies and two that read, for long. */
template <bool EARLY> __global__ void ring(const int *in, int *out)
{
    __shared__ alignas(16) int s[2][N];
    __shared__ uint64_t full[2], empty[2];
    int t = threadIdx.x, sum = 0;
    if (t == 0)
        for (int i = 0; i < 2; i++) {
            ptx::mbarrier_init(&full[i], 1);
            ptx::mbarrier_init(&empty[i], N);
        }
    __syncthreads();
    for (int k = 0; k < TILES; k++) {
        int stage = k & 1, phase = k >> 1 & 1;
        if (t == N) {
            wait(&empty[stage], phase ^ 1);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[stage], BYTES);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s[stage], in, BYTES, &full[stage]); // long_ring_released
        }
        if (t < N) {
            wait(&full[stage], phase);
            bool early = EARLY && k == TILES - 3;
            if (early)
                ptx::mbarrier_arrive(&empty[stage]);
            sum += s[stage][N - 1 - t]; // long_ring_released
            if (!early)
                ptx::mbarrier_arrive(&empty[stage]);
        }
    }
    if (t < N)
        out[t] = sum;
}

int main(int argc, char **argv)
{
    int *in, *out, which = 0;
    while (argc < 2 || strcmp(argv[1], names[which]))
        which++;
    CHECK(!cudaMalloc(&in, 2 * BYTES) && !cudaMalloc(&out, BYTES) && !cudaMemset(in, 0, 2 * BYTES));
    if (which > BEHIND)
        (which == BEHIND + 1 ? ring<false> : ring<true>)<<<1, N + 32>>>(in, out);
    else
        (which == LAST ? two<LAST> : which == NOT_YET ? two<NOT_YET> : which == AGAIN ? two<AGAIN> : two<BEHIND>)<<<1, N>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
