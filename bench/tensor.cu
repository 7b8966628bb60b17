// How many multiply-adds a second tensor cores of each type reach: mma.sync and mma.sp alone, wmma with its loads, ldmatrix before mma.sync, wgmma.
//   nvcc -O3 -std=c++17 -arch=compute_90a -cudart shared -o tensor bench/tensor.cu
//   softgpu [OPTION]... ./tensor [PART OF A NAME [INSTRUCTIONS [BLOCKS OF ONE WARP]]]
// The second launch is timed, user CPU time of all threads; ns are of one turn of the loop.
#include <cstdio>
#include <cstdint>
#include <cstring>
#include <cstdlib>
#include <sys/resource.h>
#include <time.h>
#include <cuda_fp16.h>
#include <mma.h>
#define CK(x) do { cudaError_t e = (x); if (e) { printf("%s\n", cudaGetErrorString(e)); exit(1);} } while (0)
typedef void (*kern)(uint32_t *, int);
__device__ uint32_t rnd(uint32_t s) { return s * 2654435761u ^ s >> 7; }
__device__ uint32_t halves(uint32_t s) { return (rnd(s) & 0x83ff83ffu) | 0x38003800u; }   // +-[0.5,1) f16
__device__ uint32_t bhalves(uint32_t s) { return (rnd(s) & 0x807f807fu) | 0x3f003f00u; }
__device__ uint32_t singles(uint32_t s) { return (rnd(s) & 0x807fffffu) | 0x3f000000u; }
__device__ uint32_t bytes8(uint32_t s) { return (rnd(s) & 0x87878787u) | 0x30303030u; }
#define MMA4(NAME, SHAPE, GEN)                                                                   \
__global__ void NAME(uint32_t *out, int n) {                                                     \
    uint32_t a[4], b[2]; float d[4] = {0};                                                       \
    for (int i = 0; i < 4; i++) a[i] = GEN(threadIdx.x * 7 + i);                                 \
    for (int i = 0; i < 2; i++) b[i] = GEN(threadIdx.x * 13 + i + 99);                           \
    for (int i = 0; i < n; i++)                                                                  \
        asm volatile("mma.sync.aligned." SHAPE " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" \
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])); \
    out[blockIdx.x * blockDim.x + threadIdx.x] = __float_as_uint(d[0] + d[1] + d[2] + d[3]);      \
}
MMA4(f16_f32, "m16n8k16.row.col.f32.f16.f16.f32", halves)
MMA4(bf16_f32, "m16n8k16.row.col.f32.bf16.bf16.f32", bhalves)
MMA4(tf32_f32, "m16n8k8.row.col.f32.tf32.tf32.f32", singles)
#define MMAI(NAME, SHAPE)                                                                   \
__global__ void NAME(uint32_t *out, int n) {                                                     \
    uint32_t a[4], b[2]; int d[4] = {0};                                                       \
    for (int i = 0; i < 4; i++) a[i] = rnd(threadIdx.x * 7 + i);                                 \
    for (int i = 0; i < 2; i++) b[i] = rnd(threadIdx.x * 13 + i + 99);                           \
    for (int i = 0; i < n; i++)                                                                  \
        asm volatile("mma.sync.aligned." SHAPE " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" \
            : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])); \
    out[blockIdx.x * blockDim.x + threadIdx.x] = d[0] + d[1] + d[2] + d[3];      \
}
MMAI(s8_s32, "m16n8k32.row.col.s32.s8.s8.s32")
MMAI(s4_s32, "m16n8k64.row.col.s32.s4.s4.s32")
MMAI(b1_s32, "m16n8k256.row.col.s32.b1.b1.s32.and.popc")
MMA4(fp8_f32, "m16n8k32.row.col.f32.e4m3.e4m3.f32", bytes8)
__global__ void f16_f16(uint32_t *out, int n) {
    uint32_t a[4], b[2], d[2] = {0};
    for (int i = 0; i < 4; i++) a[i] = halves(threadIdx.x * 7 + i);
    for (int i = 0; i < 2; i++) b[i] = halves(threadIdx.x * 13 + i + 99);
    for (int i = 0; i < n; i++)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1},{%2,%3,%4,%5},{%6,%7},{%0,%1};"
            : "+r"(d[0]), "+r"(d[1]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    out[blockIdx.x * blockDim.x + threadIdx.x] = d[0] + d[1];
}
__global__ void f64_f64(uint32_t *out, int n) {
    double a = 0.5 + threadIdx.x * .01, b = 0.3 - threadIdx.x * .02, d0 = 0, d1 = 0;
    for (int i = 0; i < n; i++)
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};" : "+d"(d0), "+d"(d1) : "d"(a), "d"(b));
    out[blockIdx.x * blockDim.x + threadIdx.x] = (uint32_t)(d0 + d1);
}
#define SPARSE4(NAME, SHAPE, GEN)                                                                 \
__global__ void NAME(uint32_t *out, int n) {                                                     \
    uint32_t a[4], b[4]; float d[4] = {0};                                                       \
    for (int i = 0; i < 4; i++) a[i] = GEN(threadIdx.x * 7 + i), b[i] = GEN(threadIdx.x * 13 + i + 99); \
    for (int i = 0; i < n; i++)                                                                  \
        asm volatile("mma.sp::ordered_metadata.sync.aligned." SHAPE " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9,%10,%11},{%0,%1,%2,%3},%12,0;" \
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(0x9ee4d84eu)); \
    out[blockIdx.x * blockDim.x + threadIdx.x] = __float_as_uint(d[0] + d[1] + d[2] + d[3]);      \
}
SPARSE4(sparse_f16, "m16n8k32.row.col.f32.f16.f16.f32", halves)
SPARSE4(sparse_fp8, "m16n8k64.row.col.f32.e4m3.e4m3.f32", bytes8)
__global__ void wgmma_fp8(uint32_t *out, int n) {   // four warps, m64n64k32, from shared memory
#if __CUDA_ARCH_FEAT_SM90_ALL
    __shared__ __align__(128) uint32_t s[1024];
    for (int i = threadIdx.x; i < 1024; i += 128) s[i] = bytes8(i);
    __syncthreads();
    uint64_t at = (uint32_t)__cvta_generic_to_shared(s) >> 4 | 8ull << 16 | 16ull << 32;
    float d[32] = {0};
#define EIGHT(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
    for (int i = 0; i < n; i++)
        asm volatile("wgmma.fence.sync.aligned;\n"
            "wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e4m3 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31},%32,%33,1,1,1;\n"
            "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24) : "l"(at), "l"(at + 128));
    float sum = 0;
    for (int i = 0; i < 32; i++) sum += d[i];
    out[blockIdx.x * 32 + threadIdx.x % 32] = __float_as_uint(sum);
#endif
}
__global__ void wmma_f16(uint32_t *out, int n) {
    using namespace nvcuda;
    __shared__ __align__(32) half s[2][256];
    __shared__ float o[256];
    for (int i = threadIdx.x; i < 64; i += 32) ((uint4 *)s)[i] = make_uint4(halves(i), halves(i + 64), halves(i + 128), halves(i + 192));
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 0.f);
    for (int i = 0; i < n; i++) {
        wmma::load_matrix_sync(a, s[0], 16);
        wmma::load_matrix_sync(b, s[1], 16);
        wmma::mma_sync(c, a, b, c);
    }
    wmma::store_matrix_sync(o, c, 16, wmma::mem_row_major);
    __syncwarp();
    out[blockIdx.x * blockDim.x + threadIdx.x] = (uint32_t)o[threadIdx.x];
}
__global__ void ldm_f16(uint32_t *out, int n) {   // ldmatrix.x4, x2, then mma
    __shared__ __align__(16) half s[2][256];
    for (int i = threadIdx.x; i < 64; i += 32) ((uint4 *)s)[i] = make_uint4(halves(i), halves(i + 64), halves(i + 128), halves(i + 192));
    __syncthreads();
    uint32_t pa = (uint32_t)__cvta_generic_to_shared(&s[0][threadIdx.x % 16 * 16 + threadIdx.x / 16 * 8]);
    uint32_t pb = (uint32_t)__cvta_generic_to_shared(&s[1][threadIdx.x % 16 * 8]);
    float d[4] = {0}; uint32_t a[4], b[2];
    for (int i = 0; i < n; i++) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];" : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(pa));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1},[%2];" : "=r"(b[0]), "=r"(b[1]) : "r"(pb));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = (uint32_t)(d[0] + d[1] + d[2] + d[3]);
}
static double user() { struct rusage r; getrusage(RUSAGE_SELF, &r); return r.ru_utime.tv_sec + r.ru_utime.tv_usec * 1e-6; }
static double wall() { timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }
int main(int argc, char **argv) {
    struct { const char *name; kern k; double mac; int threads = 32; } all[] = {
        {"f16_f32", f16_f32, 2048}, {"f16_f16", f16_f16, 2048}, {"bf16_f32", bf16_f32, 2048}, {"tf32_f32", tf32_f32, 1024},
        {"f64", f64_f64, 256}, {"s8", s8_s32, 4096}, {"s4", s4_s32, 8192}, {"b1", b1_s32, 32768}, {"fp8_f32", fp8_f32, 4096},
        {"wmma_f16", wmma_f16, 4096}, {"ldm_f16", ldm_f16, 2048},
        {"sparse_f16", sparse_f16, 2048}, {"sparse_fp8", sparse_fp8, 4096}, {"wgmma_fp8", wgmma_fp8, 131072, 128} };   // what is stored of a sparse a counts
    const char *only = argc > 1 ? argv[1] : "";
    int n = argc > 2 ? atoi(argv[2]) : 500, grid = argc > 3 ? atoi(argv[3]) : 8;
    uint32_t *out; CK(cudaMalloc(&out, 4 * 32 * grid));
    for (auto &x : all) {
        if (*only && !strstr(x.name, only)) continue;
        x.k<<<grid, x.threads>>>(out, n); CK(cudaDeviceSynchronize());
        double u = user(), w = wall();
        x.k<<<grid, x.threads>>>(out, n); CK(cudaDeviceSynchronize());
        u = user() - u, w = wall() - w;
        double macs = x.mac * n * grid;
        printf("%-10s %8.2f M mac/s user  %8.2f wall   %.1f ns an instruction\n", x.name, macs / u * 1e-6, macs / w * 1e-6, u * 1e9 / n / grid);
    }
}
