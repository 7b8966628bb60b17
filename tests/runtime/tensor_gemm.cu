// nvcc: -arch=compute_90
// Products of matrices as programs write them: nvcuda::wmma in half, bf16, tf32, int8 and double, and tiles in shared
// memory that ldmatrix takes to mma.sync, with an epilogue by stmatrix. Operands are small integers, so that every result is exact.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
#include <type_traits>

#include "check.cuh"
using namespace nvcuda;

enum { M = 64, N = 48, K = 64 };

template <class T> __host__ __device__ T make(int v) { return (T)(float)v; }
template <> __host__ __device__ signed char make<signed char>(int v) { return (signed char)v; }
static int a_of(int i, int k) { return (i * 3 + k * 5) % 7 - 3; }
static int b_of(int k, int j) { return (k * 2 + j * 11) % 9 - 4; }

// One warp a tile, straight from global memory; b lies by columns.
template <class In, class Fragment, class Out, int TM, int TN, int TK>
__global__ void gemm(const In *a, const In *b, Out *c)
{
    int row = blockIdx.y * TM, column = blockIdx.x * TN;
    wmma::fragment<wmma::matrix_a, TM, TN, TK, Fragment, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, TM, TN, TK, Fragment, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, TM, TN, TK, Out> fc;
    wmma::fill_fragment(fc, (Out)0);
    for (int k = 0; k < K; k += TK) {
        wmma::load_matrix_sync(fa, a + row * K + k, K);
        wmma::load_matrix_sync(fb, b + column * K + k, K);
        if constexpr (std::is_same<Fragment, wmma::precision::tf32>::value) {
            for (int i = 0; i < fa.num_elements; i++)
                fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
            for (int i = 0; i < fb.num_elements; i++)
                fb.x[i] = wmma::__float_to_tf32(fb.x[i]);
        }
        wmma::mma_sync(fc, fa, fb, fc);
    }
    for (int i = 0; i < fc.num_elements; i++)
        fc.x[i] = fc.x[i] * (Out)2;
    wmma::store_matrix_sync(c + row * N + column, fc, N, wmma::mem_row_major);
}

// Four warps a block of 32 by 16, tiles of k in shared memory with rows of 24 halves, two stages.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__global__ void tiled(const half *a, const half *b, half *c)
{
    __shared__ __align__(16) half sa[2][32][24], sb[2][16][24], out[32][16];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = warp / 2 * 16, column = warp % 2 * 8;
    float d[4] = {0, 0, 0, 0};
    auto fetch = [&](int stage, int k) {
        for (int i = threadIdx.x; i < 32 * 16; i += 128)
            sa[stage][i / 16][i % 16] = a[(blockIdx.y * 32 + i / 16) * K + k + i % 16];
        for (int i = threadIdx.x; i < 16 * 16; i += 128)
            sb[stage][i / 16][i % 16] = b[(blockIdx.x * 16 + i / 16) * K + k + i % 16];
    };
    fetch(0, 0);
    for (int k = 0; k < K; k += 16) {
        int stage = k / 16 % 2;
        __syncthreads();
        if (k + 16 < K)
            fetch(!stage, k + 16);
        unsigned x[4], y[2];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                     : "r"(at(&sa[stage][row + lane % 16][lane / 16 * 8])));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(y[0]), "=r"(y[1])
                     : "r"(at(&sb[stage][column + lane % 8][lane / 8 % 2 * 8])));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    }
    half2 low = __floats2half2_rn(2 * d[0], 2 * d[1]), high = __floats2half2_rn(2 * d[2], 2 * d[3]);
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1,%2};" ::"r"(at(&out[row + lane % 16][column])),
                 "r"(*(unsigned *)&low), "r"(*(unsigned *)&high) : "memory");
    __syncthreads();
    for (int i = threadIdx.x; i < 32 * 16; i += 128)
        c[(blockIdx.y * 32 + i / 16) * N + blockIdx.x * 16 + i % 16] = out[i / 16][i % 16];
}

template <class In, class Out, class Launch>
static void run(const char *name, Launch launch)
{
    static In a[M * K], b[N * K];
    static Out c[M * N];
    In *da, *db;
    Out *dc;
    for (int i = 0; i < M * K; i++)
        a[i] = make<In>(a_of(i / K, i % K));
    for (int i = 0; i < N * K; i++)
        b[i] = make<In>(b_of(i % K, i / K));
    OK(cudaMalloc(&da, sizeof a));
    OK(cudaMalloc(&db, sizeof b));
    OK(cudaMalloc(&dc, sizeof c));
    OK(cudaMemcpy(da, a, sizeof a, cudaMemcpyDefault));
    OK(cudaMemcpy(db, b, sizeof b, cudaMemcpyDefault));
    launch(da, db, dc);
    OK(cudaMemcpy(c, dc, sizeof c, cudaMemcpyDefault));
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            int sum = 0;
            for (int k = 0; k < K; k++)
                sum += a_of(i, k) * b_of(k, j);
            if ((double)c[i * N + j] != 2 * sum) {
                printf("%s: c[%d][%d] is %g, not %d\n", name, i, j, (double)c[i * N + j], 2 * sum);
                exit(1);
            }
        }
    OK(cudaFree(da));
    OK(cudaFree(db));
    OK(cudaFree(dc));
}

int main()
{
    typedef signed char s8;
    typedef __nv_bfloat16 bf16;
    run<half, float>("half", [](half *a, half *b, float *c) {
        gemm<half, half, float, 16, 16, 16><<<dim3(N / 16, M / 16), 32>>>(a, b, c);
    });
    run<half, half>("half to half", [](half *a, half *b, half *c) {
        gemm<half, half, half, 32, 8, 16><<<dim3(N / 8, M / 32), 32>>>(a, b, c);
    });
    run<bf16, float>("bf16", [](bf16 *a, bf16 *b, float *c) {
        gemm<bf16, bf16, float, 32, 8, 16><<<dim3(N / 8, M / 32), 32>>>(a, b, c);
    });
    run<float, float>("tf32", [](float *a, float *b, float *c) {
        gemm<float, wmma::precision::tf32, float, 16, 16, 8><<<dim3(N / 16, M / 16), 32>>>(a, b, c);
    });
    run<s8, int>("int8", [](s8 *a, s8 *b, int *c) {
        gemm<s8, s8, int, 16, 16, 16><<<dim3(N / 16, M / 16), 32>>>(a, b, c);
    });
    run<double, double>("double", [](double *a, double *b, double *c) {
        gemm<double, double, double, 8, 8, 4><<<dim3(N / 8, M / 8), 32>>>(a, b, c);
    });
    run<half, half>("ldmatrix", [](half *a, half *b, half *c) { tiled<<<dim3(N / 16, M / 32), 128>>>(a, b, c); });
    printf("tensor_gemm ok\n");
    return 0;
}
