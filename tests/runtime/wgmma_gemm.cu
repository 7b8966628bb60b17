// nvcc: -gencode arch=compute_90a,code=compute_90a
// A product of halves by wgmma: tiles of 64 by 64 by 64 in shared memory, in the canonical layouts with the swizzle of 128
// bytes and without one, two stages; a from shared memory or from registers. Integers, so that every result is exact.
#include <cuda_fp16.h>

#include "check.cuh"

enum { M = 128, N = 128, K = 192, TILE = 64 };

__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// Bytes from the tile's start to an element: 64 halves a line, with or without the swizzle.
__host__ __device__ static unsigned place(int line, int k, bool swizzle)
{
    if (!swizzle) /* core matrices of 8 lines by 16 bytes; leading 1024, stride 128 */
        return line / 8 * 128 + line % 8 * 16 + k / 8 * 1024 + k % 8 * 2;
    return line * 128 + ((k / 8 ^ line % 8) * 16) + k % 8 * 2;
}

__device__ unsigned long long descriptor(const void *tile, int k, bool swizzle)
{
    unsigned start = at(tile) + (swizzle ? k * 2 : k / 8 * 1024);
    unsigned long long rest = swizzle ? 1ull << 62 | 1024ull / 16 << 32 : 128ull / 16 << 32 | 1024ull / 16 << 16;
    return rest | (start & 0x3ffff) >> 4;
}

#define D8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
#define LIST                                                                                                           \
    "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,"   \
    "%30,%31}"
__device__ void product(float d[32], unsigned long long a, unsigned long long b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " LIST ", %32, %33, 1, 1, 1, 0, 0;"
                 : D8(0), D8(8), D8(16), D8(24) : "l"(a), "l"(b) : "memory");
}
__device__ void product(float d[32], const unsigned a[4], unsigned long long b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " LIST ", {%32,%33,%34,%35}, %36, 1, 1, 1, 0;"
                 : D8(0), D8(8), D8(16), D8(24) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b) : "memory");
}

template <bool SWIZZLE, bool REGISTERS>
__global__ void __launch_bounds__(128, 1) gemm(const half *a, const half *b, float *c)
{
    __shared__ __align__(1024) unsigned char sa[2][TILE * 128], sb[2][TILE * 128];
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float d[32] = {0};
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    for (int k0 = 0; k0 < K; k0 += TILE) {
        int stage = k0 / TILE % 2;
        for (int i = threadIdx.x; i < TILE * TILE; i += 128) {
            int line = i / TILE, k = i % TILE;
            *(half *)(sa[stage] + place(line, k, SWIZZLE)) = a[(row + line) * K + k0 + k];
            *(half *)(sb[stage] + place(line, k, SWIZZLE)) = b[(column + line) * K + k0 + k];
        }
        asm volatile("fence.proxy.async;" ::: "memory");
        __syncthreads();
        unsigned x[4][4];
        if (REGISTERS)
            for (int k = 0; k < 4; k++)
                for (int r = 0; r < 4; r++)
                    x[k][r] = *(unsigned *)(sa[stage] + place(warp * 16 + lane / 4 + r % 2 * 8, k * 16 + lane % 4 * 2 + r / 2 * 8, SWIZZLE));
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        for (int k = 0; k < 4; k++) {
            if (REGISTERS)
                product(d, x[k], descriptor(sb[stage], k * 16, SWIZZLE));
            else
                product(d, descriptor(sa[stage], k * 16, SWIZZLE), descriptor(sb[stage], k * 16, SWIZZLE));
        }
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    }
    for (int i = 0; i < 32; i++)
        c[(row + warp * 16 + lane / 4 + i / 2 % 2 * 8) * N + column + i / 4 * 8 + lane % 4 * 2 + i % 2] = d[i];
}

static int a_of(int i, int k) { return (i * 3 + k * 5) % 7 - 3; }
static int b_of(int k, int j) { return (k * 2 + j * 11) % 9 - 4; }

int main()
{
    static half a[M * K], b[N * K];
    static float c[M * N];
    half *da, *db;
    float *dc;
    for (int i = 0; i < M * K; i++)
        a[i] = (half)(float)a_of(i / K, i % K);
    for (int i = 0; i < N * K; i++)
        b[i] = (half)(float)b_of(i % K, i / K);
    OK(cudaMalloc(&da, sizeof a));
    OK(cudaMalloc(&db, sizeof b));
    OK(cudaMalloc(&dc, sizeof c));
    OK(cudaMemcpy(da, a, sizeof a, cudaMemcpyDefault));
    OK(cudaMemcpy(db, b, sizeof b, cudaMemcpyDefault));
    for (int way = 0; way < 3; way++) {
        auto kernel = way == 0 ? gemm<false, false> : way == 1 ? gemm<true, false> : gemm<true, true>;
        OK(cudaMemset(dc, 0, sizeof c));
        kernel<<<dim3(N / TILE, M / TILE), 128>>>(da, db, dc);
        OK(cudaMemcpy(c, dc, sizeof c, cudaMemcpyDefault));
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                int sum = 0;
                for (int k = 0; k < K; k++)
                    sum += a_of(i, k) * b_of(k, j);
                if (c[i * N + j] != sum) {
                    printf("way %d: c[%d][%d] is %g, not %d\n", way, i, j, c[i * N + j], sum);
                    return 1;
                }
            }
    }
    OK(cudaFree(da));
    OK(cudaFree(db));
    OK(cudaFree(dc));
    printf("wgmma_gemm ok\n");
    return 0;
}
