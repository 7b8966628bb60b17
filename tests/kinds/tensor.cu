// Matrices in the registers of a warp: wmma, mma.sync, ldmatrix, stmatrix. Each mistake beside its right twin.
//
// arch compute_90
//
// case wmma_right expect=silent
// case half_a_warp expect=warp-mask says=all.32.threads
// case some_leave expect=warp-mask says=all.32.threads
// case warps_leave expect=silent
// case apart expect=warp-mask also=deadlock says=same.one.together
// case by_warp expect=silent
// case another_address expect=warp-mask says=different.addresses
// case rows_of_one_value expect=data-race level=warning
// case rows_of_two_values expect=data-race
// case rows_apart expect=silent
// case tile_waited expect=silent
// case tile_not_waited expect=data-race
// case tile_not_waited expect=data-race options=--schedules=24
// case tiles_overlap expect=data-race
// case tiles_apart expect=silent
// case past_the_end expect=out-of-bounds
// case wide_stride expect=out-of-bounds
// case rows_synced expect=silent
// case rows_not_synced expect=data-race
// case rows_odd expect=misaligned says=16
// case rows_stored_synced expect=silent
// case rows_stored_not_synced expect=data-race
// case rows_replaced_synced expect=silent
// case rows_replaced_not_synced expect=data-race options=--schedules=1
// case matrix_replaced_synced expect=silent
// case matrix_replaced_not_synced expect=data-race options=--schedules=1
// case undefined_row expect=uninitialized-read
// case undefined_row_unused expect=silent
// case undefined_loaded expect=uninitialized-read
// case undefined_moved expect=uninitialized-read
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <mma.h>
using namespace nvcuda;

typedef wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> FragmentA;
typedef wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> FragmentB;
typedef wmma::fragment<wmma::accumulator, 16, 16, 16, float> FragmentC;

__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void multiply(const half *a, const half *b, float *c)
{
    FragmentA fa;
    FragmentB fb;
    FragmentC fc;
    wmma::fill_fragment(fc, 0.0f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

__device__ void mma(float d[4], const uint32_t a[4], const uint32_t b[2])
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ void load4(uint32_t r[4], const void *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at(row)) : "memory");
}

__device__ void store2(void *row, uint32_t x, uint32_t y)
{
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1,%2};" ::"r"(at(row)), "r"(x), "r"(y) : "memory");
}

/** Two lanes give each row. The second one's matrix holds the same or, in one of its last elements, another value. */
__device__ void rows_twice(float *c, unsigned apart, bool same)
{
    __shared__ alignas(16) uint16_t tile[32 * 8];
    uint32_t x = 0x20001 * (threadIdx.x % 4 + 1);
    store2(tile + (threadIdx.x % (8 + apart)) * 8, x, same || threadIdx.x != 31 ? x : 77); // rows_of_one_value rows_of_two_values
    __syncthreads();
    c[threadIdx.x] = tile[threadIdx.x];
}
__global__ void rows_of_one_value(const half *a, const half *b, float *c) { rows_twice(c, 0, true); }
__global__ void rows_of_two_values(const half *a, const half *b, float *c) { rows_twice(c, 0, false); }
__global__ void rows_apart(const half *a, const half *b, float *c) { rows_twice(c, 8, false); }

__global__ void wmma_right(const half *a, const half *b, float *c) { multiply(a, b, c); }

__global__ void half_a_warp(const half *a, const half *b, float *c)
{
    FragmentA f;
    wmma::load_matrix_sync(f, a, 16); // half_a_warp
    if (threadIdx.x == 0)
        c[0] = (float)f.x[0];
}

__global__ void some_leave(const half *a, const half *b, float *c)
{
    if (threadIdx.x > 27)
        return;
    FragmentA f;
    wmma::load_matrix_sync(f, a, 16); // some_leave
    if (threadIdx.x == 0)
        c[0] = (float)f.x[0];
}

__global__ void warps_leave(const half *a, const half *b, float *c)
{
    if (threadIdx.x < 32)
        multiply(a, b, c);
}

__global__ void apart(const half *a, const half *b, float *c)
{
    float d[4] = {0};
    uint32_t x[4] = {1, 2, 3, 4};
    if (threadIdx.x & 1)
        mma(d, x, x); // apart
    else
        mma(d, x, x + 2);
    c[threadIdx.x] = d[0];
}

__global__ void by_warp(const half *a, const half *b, float *c)
{
    float d[4] = {0};
    uint32_t x[4] = {1, 2, 3, 4};
    if (threadIdx.x < 32)
        mma(d, x, x);
    else
        mma(d, x, x + 2);
    c[threadIdx.x] = d[0];
}

__global__ void another_address(const half *a, const half *b, float *c)
{
    FragmentA f;
    wmma::load_matrix_sync(f, a + threadIdx.x * 2, 16); // another_address
    if (threadIdx.x == 0)
        c[0] = (float)f.x[0];
}

template <bool WAITS>
__device__ void tile(const half *a, const half *b, float *c)
{
    __shared__ __align__(32) half s[256], t[256];
    for (int i = threadIdx.x; i < 256; i += 64) {
        s[255 - i] = a[255 - i];
        t[i] = b[i];
    }
    if (WAITS)
        __syncthreads();
    if (threadIdx.x < 32)
        multiply(s, t, c);
}
__global__ void tile_waited(const half *a, const half *b, float *c) { tile<true>(a, b, c); }
__global__ void tile_not_waited(const half *a, const half *b, float *c) { tile<false>(a, b, c); }

__global__ void tiles_overlap(const half *a, const half *b, float *c) { multiply(a, b, c + threadIdx.x / 32 * 128); }
__global__ void tiles_apart(const half *a, const half *b, float *c) { multiply(a, b, c + threadIdx.x / 32 * 256); }

__global__ void past_the_end(const half *a, const half *b, float *c)
{
    multiply(a + 512 - 128, b, c);
}

__global__ void wide_stride(const half *a, const half *b, float *c)
{
    FragmentC f;
    wmma::fill_fragment(f, 1.0f);
    wmma::store_matrix_sync(c, f, 64, wmma::mem_row_major); // wide_stride
}

// Each lane writes a row that another lane reads.
template <bool SYNCS>
__device__ void rows(const half *a, float *c)
{
    __shared__ __align__(16) half s[32][8];
    for (int i = 0; i < 8; i++)
        s[31 - threadIdx.x][i] = a[i];
    if (SYNCS)
        __syncwarp();
    uint32_t r[4];
    load4(r, s[threadIdx.x]);
    c[threadIdx.x] = r[0] + r[1] + r[2] + r[3];
}
__global__ void rows_synced(const half *a, const half *b, float *c) { rows<true>(a, c); }
__global__ void rows_not_synced(const half *a, const half *b, float *c) { rows<false>(a, c); }

__global__ void rows_odd(const half *a, const half *b, float *c)
{
    __shared__ __align__(16) half s[33][8];
    for (int i = threadIdx.x; i < 33 * 8; i += 32)
        s[i / 8][i % 8] = a[i];
    __syncwarp();
    uint32_t r[4];
    load4(r, &s[threadIdx.x][4]); // rows_odd
    c[threadIdx.x] = r[0] + r[1] + r[2] + r[3];
}

template <bool SYNCS>
__device__ void rows_stored(float *c)
{
    __shared__ __align__(16) uint32_t s[16][4];
    store2(s[threadIdx.x % 16], threadIdx.x, threadIdx.x + 100);
    if (SYNCS)
        __syncwarp();
    c[threadIdx.x] = s[15 - threadIdx.x % 16][threadIdx.x / 16];
}
__global__ void rows_stored_synced(const half *a, const half *b, float *c) { rows_stored<true>(c); }
__global__ void rows_stored_not_synced(const half *a, const half *b, float *c) { rows_stored<false>(c); }

// What one warp loads behind a barrier, as often as it likes, another warp replaces: as words, or as a matrix.
template <bool SYNCS, bool MATRIX>
__device__ void replaced(float *c)
{
    __shared__ __align__(16) uint32_t s[32][4];
    for (int i = 0; i < 2; i++)
        s[threadIdx.x % 32][threadIdx.x / 32 * 2 + i] = i;
    __syncthreads();
    uint32_t r[4] = {0}, sum = 0;
    if (threadIdx.x < 32)
        for (int i = 0; i < 3; i++) {
            load4(r, s[threadIdx.x]);
            sum += r[0] + r[1] + r[2] + r[3];
        }
    if (SYNCS)
        __syncthreads();
    if (threadIdx.x >= 32) {
        if (MATRIX)
            store2(s[threadIdx.x % 16], threadIdx.x, threadIdx.x + 100);
        else
            s[threadIdx.x % 32][1] = threadIdx.x;
    }
    c[threadIdx.x] = sum;
}
__global__ void rows_replaced_synced(const half *a, const half *b, float *c) { replaced<true, false>(c); }
__global__ void rows_replaced_not_synced(const half *a, const half *b, float *c) { replaced<false, false>(c); }
__global__ void matrix_replaced_synced(const half *a, const half *b, float *c) { replaced<true, true>(c); }
__global__ void matrix_replaced_not_synced(const half *a, const half *b, float *c) { replaced<false, true>(c); }

// The last row of a was never written: so the last row of the product is undefined, and no other.
__device__ void undefined(const half *b, float d[4])
{
    __shared__ __align__(16) half s[16][16];
    if (threadIdx.x < 15)
        for (int i = 0; i < 16; i++)
            s[threadIdx.x][i] = b[i];
    __syncwarp();
    uint32_t a[4], x[2] = {0x3c003c00, 0x3c003c00};
    load4(a, &s[threadIdx.x % 16][threadIdx.x / 16 * 8]); // undefined_row
    mma(d, a, x);
}

__global__ void undefined_row(const half *a, const half *b, float *c)
{
    float d[4] = {0};
    undefined(b, d);
    c[threadIdx.x] = d[0];
    c[32 + threadIdx.x] = d[2];
}

__global__ void undefined_row_unused(const half *a, const half *b, float *c)
{
    float d[4] = {0};
    undefined(b, d);
    c[threadIdx.x] = d[0] + d[1];
    if (threadIdx.x < 28)
        c[32 + threadIdx.x] = d[2];
}

__global__ void undefined_loaded(const half *a, const half *b, float *c)
{
    __shared__ __align__(32) half s[256];
    for (int i = threadIdx.x; i < 255; i += 32)
        s[i] = a[i];
    __syncwarp();
    FragmentA fa;
    FragmentB fb;
    FragmentC fc;
    wmma::fill_fragment(fc, 0.0f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, s, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

__global__ void undefined_moved(const half *a, const half *b, float *c)
{
    __shared__ uint32_t s[32];
    if (threadIdx.x < 30)
        s[threadIdx.x] = threadIdx.x;
    __syncwarp();
    uint32_t r = s[threadIdx.x];
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(r));
    c[threadIdx.x] = (float)((r >> 16) + 1);
}

int main(int argc, char **argv)
{
    half *a, *b;
    float *c;
    const char *name = argc > 1 ? argv[1] : "";
    cudaMalloc(&a, 512 * sizeof *a);
    cudaMalloc(&b, 256 * sizeof *b);
    cudaMalloc(&c, 512 * sizeof *c);
    static half host[512];
    for (int i = 0; i < 512; i++)
        host[i] = (half)(i % 37);
    cudaMemcpy(a, host, 512 * sizeof *a, cudaMemcpyHostToDevice);
    cudaMemcpy(b, host, 256 * sizeof *b, cudaMemcpyHostToDevice);
    cudaMemset(c, 0, 512 * sizeof *c);
#define CASE(kernel, threads)                                                                                          \
    if (!strcmp(name, #kernel))                                                                                        \
    kernel<<<1, threads>>>(a, b, c)
    CASE(wmma_right, 32);
    CASE(half_a_warp, 16);
    CASE(some_leave, 32);
    CASE(warps_leave, 64);
    CASE(apart, 32);
    CASE(by_warp, 64);
    CASE(another_address, 32);
    CASE(rows_of_one_value, 32);
    CASE(rows_of_two_values, 32);
    CASE(rows_apart, 32);
    CASE(tile_waited, 64);
    CASE(tile_not_waited, 64);
    CASE(tiles_overlap, 64);
    CASE(tiles_apart, 64);
    CASE(past_the_end, 32);
    CASE(wide_stride, 32);
    CASE(rows_synced, 32);
    CASE(rows_not_synced, 32);
    CASE(rows_odd, 32);
    CASE(rows_stored_synced, 32);
    CASE(rows_stored_not_synced, 32);
    CASE(rows_replaced_synced, 64);
    CASE(rows_replaced_not_synced, 64);
    CASE(matrix_replaced_synced, 64);
    CASE(matrix_replaced_not_synced, 64);
    CASE(undefined_row, 32);
    CASE(undefined_row_unused, 32);
    CASE(undefined_loaded, 32);
    CASE(undefined_moved, 32);
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess)
        printf("%s\n", cudaGetErrorString(e));
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    return 0;
}
