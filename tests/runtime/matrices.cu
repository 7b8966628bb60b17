// nvcc: -arch=compute_90
// Matrices between memory and registers: wmma.load and wmma.store of all layouts and some strides, ldmatrix, stmatrix, in global and shared memory
// and by generic addresses. What is printed is the same with checks, where each lane's element is told, and without, where all go at once.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "check.cuh"

using namespace nvcuda;

__device__ unsigned mixed(unsigned h, unsigned v) { return (h ^ v) * 2654435761u + (h >> 15); }

template <class F> __device__ unsigned hash_of(const F &f)
{
    unsigned h = 1;
    for (int i = 0; i < f.num_elements; i++) {
        double v = (double)(float)f.x[i];
        h = mixed(mixed(h, __double2loint(v)), __double2hiint(v));
    }
    return h;
}

template <class F, class T> __device__ unsigned loaded(const T *m, int stride)
{
    F f;
    wmma::load_matrix_sync(f, m, stride);
    return hash_of(f);
}

template <class T, class D, int M, int N, int K> __device__ unsigned all_layouts(const T *m, D *out, int stride, wmma::layout_t layout)
{
    unsigned h = loaded<wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major>>(m, stride);
    h = mixed(h, loaded<wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::col_major>>(m, stride));
    h = mixed(h, loaded<wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::row_major>>(m, stride));
    h = mixed(h, loaded<wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::col_major>>(m, stride));
    wmma::fragment<wmma::accumulator, M, N, K, D> c;
    wmma::load_matrix_sync(c, out, stride, layout);
    for (int i = 0; i < c.num_elements; i++)
        c.x[i] = (D)((float)c.x[i] + (float)(threadIdx.x + i));
    wmma::store_matrix_sync(out, c, stride, layout);
    return mixed(h, hash_of(c));
}

template <class T, class D, int M, int N, int K> __global__ void layouts(T *m, D *out, unsigned *result, int stride)
{
    __shared__ __align__(32) T s[64 * 48];
    __shared__ __align__(32) D d[64 * 48];
    for (int i = threadIdx.x; i < 64 * 48; i += 32) {
        m[i] = s[i] = (T)(float)(i * 37 % 101);
        out[i] = d[i] = (D)(float)(i * 53 % 97);
    }
    __syncwarp();
    unsigned h = all_layouts<T, D, M, N, K>(m, out, stride, wmma::mem_row_major);
    __syncwarp();
    h = mixed(h, all_layouts<T, D, M, N, K>(s, d, stride, wmma::mem_col_major));
    __syncwarp();
    for (int i = threadIdx.x; i < 64 * 48; i += 32)
        h = mixed(mixed(h, (unsigned)(float)out[i]), (unsigned)(float)d[i]);
    result[threadIdx.x] = h;
}

#define LDMATRIX(form, n)                                                                          \
    asm volatile("ldmatrix.sync.aligned.m8n8." form ".shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(from)); \
    for (int i = 0; i < 4; i++)                                                                    \
        h = mixed(h, r[i]);

__global__ void rows(unsigned *result)
{
    __shared__ __align__(16) unsigned s[32 * 12], t[32 * 12];
    unsigned r[4], h = 1;
    for (int i = threadIdx.x; i < 32 * 12; i += 32) {
        s[i] = i * 2654435761u;
        t[i] = 0;
    }
    __syncwarp();
    unsigned from = (unsigned)__cvta_generic_to_shared(s + threadIdx.x * 12), to = (unsigned)__cvta_generic_to_shared(t + (31 - threadIdx.x) * 12);
    LDMATRIX("x4", 4)
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" : : "r"(to), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
    LDMATRIX("x4.trans", 4)
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1,%2};" : : "r"(to + 16), "r"(r[0]), "r"(r[1]) : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.b16 {%0,%1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "l"(s + threadIdx.x * 12));
    h = mixed(mixed(h, r[0]), r[1]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(from + 16));
    h = mixed(h, r[0]);
    __syncwarp();
    for (int i = threadIdx.x; i < 32 * 12; i += 32)
        h = mixed(h, t[i]);
    result[threadIdx.x] = h;
}

static unsigned *result;

static void print(const char *name)
{
    unsigned h = 0;
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++)
        h = h * 31 + result[i];
    printf("%s: %08x\n", name, h);
}

template <class T, class D, int M, int N, int K> static void run(const char *name)
{
    T *m;
    D *out;
    OK(cudaMalloc(&m, 64 * 48 * sizeof(T)));
    OK(cudaMalloc(&out, 64 * 48 * sizeof(D)));
    for (int stride : {32, 48}) {
        layouts<T, D, M, N, K><<<1, 32>>>(m, out, result, stride);
        print(name);
    }
    OK(cudaFree(m));
    OK(cudaFree(out));
}

int main()
{
    OK(cudaMallocManaged(&result, 32 * sizeof *result));
    run<half, float, 16, 16, 16>("f16 m16n16k16");
    run<half, half, 16, 16, 16>("f16 m16n16k16, sums of f16");
    run<half, float, 32, 8, 16>("f16 m32n8k16");
    run<half, half, 8, 32, 16>("f16 m8n32k16");
    run<__nv_bfloat16, float, 16, 16, 16>("bf16 m16n16k16");
    run<__nv_bfloat16, float, 8, 32, 16>("bf16 m8n32k16");
    run<signed char, int, 16, 16, 16>("s8 m16n16k16");
    run<unsigned char, int, 32, 8, 16>("u8 m32n8k16");
    run<signed char, int, 8, 32, 16>("s8 m8n32k16");
    run<double, double, 8, 8, 4>("f64 m8n8k4");
    rows<<<1, 32>>>(result);
    print("ldmatrix, stmatrix");
    OK(cudaFree(result));
    return 0;
}
