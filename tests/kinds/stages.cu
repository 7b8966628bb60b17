// A stage that is filled again before its readers are done: which of the two came too early, and so what mends.
//
// arch compute_90
//
// case rows_kept expect=silent
// case rows_copied_early expect=data-race says=reach.after.line.[0-9]+,.before.the.copy nor=wait.for.the.copy
// case tile_kept expect=silent
// case tile_stored_early expect=data-race says=__syncthreads...after.line.[0-9]+,.before.the.(loop|threads).come nor=between.line
// case ring_released expect=silent
// case ring_released_early expect=data-race says=arrive.at.the.barrier.*after.line.[0-9]+,.not.before|after.line.[0-9]+,.before.the.copy
// case ring_not_waited expect=data-race also=deadlock says=wait.for.the.copy|all.wait.at.that nor=not.before
// case roles_released expect=silent
// case roles_released_early expect=data-race says=not.before|after.line.[0-9]+,.before.the.copy
// case roles_not_waited expect=data-race also=deadlock says=wait.for.the.copy nor=not.before
// case roles_not_asked expect=data-race also=deadlock says=whoever.reads.it
#include <cstdint>
#include <cstring>
#include <cuda_runtime.h>
#include <mma.h>

enum { STAGES = 2, ROWS = 16, WIDTH = 8, N = 64, BYTES = N * sizeof(int), TURNS = 6 };
typedef unsigned long long bar_t;

__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void copy16(void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at(to)), "l"(from) : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
__device__ void wait_for_all() { asm volatile("cp.async.wait_all;" ::: "memory"); }
__device__ void init(bar_t *b, int n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(b)), "r"(n) : "memory"); }
__device__ void arrive(bar_t *b) { asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at(b)) : "memory"); }
__device__ void expect(bar_t *b, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(b)), "r"(bytes) : "memory");
}
__device__ void wait(bar_t *b, int parity)
{
    asm volatile("{\n.reg .pred p;\nW: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@!p bra W;\n}" ::"r"(at(b)),
                 "r"(parity) : "memory");
}
__device__ void bulk(void *to, const void *from, bar_t *b)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)),
                 "l"(from), "r"((int)BYTES), "r"(at(b)) : "memory");
}

// Rows of a matrix, copied by the block's first threads and loaded by both warps. The loop is unrolled.
template <bool KEPT> __global__ void rows(const short *in, unsigned *out)
{
    __shared__ alignas(16) short s[STAGES][ROWS][WIDTH];
    int t = threadIdx.x;
    unsigned a, b, sum = 0;
    auto fetch = [&](int k) {
        if (t < ROWS)
            copy16(s[k % STAGES][t], in + (k * ROWS + t) * WIDTH);
        commit();
    };
    fetch(0);
#pragma unroll
    for (int k = 0; k < TURNS; k++) {
        wait_for_all();
        __syncthreads();
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(at(s[k % STAGES][t % ROWS])));
        sum += a + b;
        if (KEPT)
            __syncthreads();
        if (k + 1 < TURNS)
            fetch(KEPT ? k + 1 : k + STAGES); // a stage too far: into the one that is read
    }
    out[t] = sum;
}

template <bool KEPT> __global__ void tile(const half *in, half *out)
{
    using namespace nvcuda::wmma;
    __shared__ half s[16 * 16];
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, col_major> b;
    fragment<accumulator, 16, 16, 16, half> c;
    fill_fragment(c, __float2half(0));
    for (int k = 0; k < TURNS; k++) {
        for (int i = threadIdx.x; i < 16 * 16; i += blockDim.x)
            s[i] = in[k * 16 * 16 + i];
        __syncthreads();
        load_matrix_sync(a, s, 16); // tile_stored_early
        load_matrix_sync(b, s, 16);
        mma_sync(c, a, b, c);
        if (KEPT)
            __syncthreads();
    }
    store_matrix_sync(out + threadIdx.x / 32 * 256, c, 16, mem_row_major);
}

enum what { RIGHT, EARLY, NOT_WAITED, NOT_ASKED };

// All threads read; one of them fills a stage again when all have said that they have read it.
template <what W> __global__ void ring(const int *in, int *out)
{
    __shared__ alignas(16) int s[STAGES][N];
    __shared__ bar_t full[STAGES], empty[STAGES];
    int t = threadIdx.x, sum = 0;
    if (t == 0)
        for (int i = 0; i < STAGES; i++) {
            init(&full[i], 1);
            init(&empty[i], N);
        }
    __syncthreads();
    auto fetch = [&](int k) {
        if (t || k >= TURNS)
            return;
        wait(&empty[k % STAGES], k / STAGES & 1 ^ 1);
        expect(&full[k % STAGES], BYTES);
        bulk(s[k % STAGES], in + k * N, &full[k % STAGES]);
    };
    fetch(0);
#pragma unroll 1
    for (int k = 0; k < TURNS; k++) {
        fetch(k + 1);
        if (W != NOT_WAITED)
            wait(&full[k % STAGES], k / STAGES & 1);
        if (W == EARLY)
            arrive(&empty[k % STAGES]);
        sum += s[k % STAGES][N - 1 - t]; // ring_released_early ring_not_waited
        if (W != EARLY)
            arrive(&empty[k % STAGES]);
    }
    if (W == NOT_WAITED)
        wait(&full[(TURNS - 1) % STAGES], (TURNS - 1) / STAGES & 1);
    out[t] = sum;
}

// One warp copies, others read.
template <what W> __global__ void roles(const int *in, int *out)
{
    __shared__ alignas(16) int s[STAGES][N];
    __shared__ bar_t full[STAGES], empty[STAGES];
    int t = threadIdx.x, sum = 0;
    if (t == 0)
        for (int i = 0; i < STAGES; i++) {
            init(&full[i], 1);
            init(&empty[i], N);
        }
    __syncthreads();
    if (t == N) {
        for (int k = 0; k < TURNS; k++) {
            if (W != NOT_ASKED)
                wait(&empty[k % STAGES], k / STAGES & 1 ^ 1);
            expect(&full[k % STAGES], BYTES);
            bulk(s[k % STAGES], in + k * N, &full[k % STAGES]);
        }
    } else if (t < N) {
        for (int k = 0; k < TURNS; k++) {
            if (W != NOT_WAITED)
                wait(&full[k % STAGES], k / STAGES & 1);
            if (W == EARLY)
                arrive(&empty[k % STAGES]);
            sum += s[k % STAGES][N - 1 - t]; // roles_released_early roles_not_waited
            if (W != EARLY)
                arrive(&empty[k % STAGES]);
        }
        out[t] = sum;
    }
}

static int *p, *q;

#define CASE(name) else if (!strcmp(way, name))
static bool run(const char *way)
{
    if (!*way) return false;
    CASE("rows_kept") rows<true><<<1, N>>>((short *)p, (unsigned *)q);
    CASE("rows_copied_early") rows<false><<<1, N>>>((short *)p, (unsigned *)q);
    CASE("tile_kept") tile<true><<<1, N>>>((half *)p, (half *)q);
    CASE("tile_stored_early") tile<false><<<1, N>>>((half *)p, (half *)q);
    CASE("ring_released") ring<RIGHT><<<1, N>>>(p, q);
    CASE("ring_released_early") ring<EARLY><<<1, N>>>(p, q);
    CASE("ring_not_waited") ring<NOT_WAITED><<<1, N>>>(p, q);
    CASE("roles_released") roles<RIGHT><<<1, N + 32>>>(p, q);
    CASE("roles_released_early") roles<EARLY><<<1, N + 32>>>(p, q);
    CASE("roles_not_waited") roles<NOT_WAITED><<<1, N + 32>>>(p, q);
    CASE("roles_not_asked") roles<NOT_ASKED><<<1, N + 32>>>(p, q);
    else return false;
    return true;
}

int main(int argc, char **argv)
{
    static int h[4096];
    for (int i = 0; i < 4096; i++)
        h[i] = i + 1;
    cudaMalloc(&p, sizeof h);
    cudaMalloc(&q, 4096);
    cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(q, 0, 4096);
    if (!run(argc > 1 ? argv[1] : ""))
        return 2;
    cudaDeviceSynchronize();
    cudaFree(p);
    cudaFree(q);
    return 0;
}
