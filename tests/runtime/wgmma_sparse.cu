// nvcc: -gencode arch=compute_90a,code=compute_90a
// Products of a sparse matrix by wgmma.mma_async.sp: of four elements of a row (of two of 32 bits) two (one) are stored, and the metadata
// say which. Small integers, so that every result is exact; a from shared memory and from registers, either selector. The
// lanes that the selector leaves out hold metadata of nonsense.
#include <cstdint>
#include <cuda_runtime.h>

#include "check.cuh"

enum form { HALVES, HALVES_IN_REGISTERS, HALVES_OTHERS, TF32, BYTES, BYTES_IN_REGISTERS, FP8, FORMS };
enum { M = 64, N = 8, LINE_A = 32, LINE_B = 64 }; // bytes of a line that are stored

__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// Core matrices of eight lines by 16 bytes: a's side by side 1024 bytes apart, b's 128.
__device__ uint64_t descriptor(const void *p, uint64_t leading, uint64_t stride)
{
    return (at(p) & 0x3ffff) >> 4 | leading / 16 << 16 | stride / 16 << 32;
}

#define PRODUCT(shape, a, tail)                                                                                        \
    asm volatile("{.reg .pred p; setp.ne.u32 p, 1, 0; wgmma.fence.sync.aligned;"                                       \
                 "wgmma.mma_async.sp.sync.aligned." shape " {%0,%1,%2,%3}, " a ", %5, %6, " tail ";"                   \
                 "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;}"                                  \
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                                                      \
                 : "l"(da), "l"(db), "r"(metadata), "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]) : "memory")
#define MEMORY "%4"
#define REGISTERS "{%7,%8,%9,%10}"

template <form F> __global__ void multiply(const unsigned char *a, const unsigned char *b, const uint32_t *e, uint32_t *out)
{
    __shared__ __align__(128) unsigned char sa[M * LINE_A], sb[N * LINE_B];
    for (int i = threadIdx.x; i < M * LINE_A; i += 128) {
        int line = i / LINE_A, byte = i % LINE_A;
        sa[line / 8 * 128 + line % 8 * 16 + byte / 16 * 1024 + byte % 16] = a[i];
    }
    for (int i = threadIdx.x; i < N * LINE_B; i += 128)
        sb[i / LINE_B * 16 + i % LINE_B / 16 * 128 + i % 16] = b[i];
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    uint64_t da = descriptor(sa, 1024, 128), db = descriptor(sb, 128, 512);
    uint32_t metadata = e[threadIdx.x], d[4] = {0, 0, 0, 0}, x[4];
    int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, word = threadIdx.x % 4;
    for (int r = 0; r < 4; r++)
        x[r] = ((const uint32_t *)a)[(row + r % 2 * 8) * (LINE_A / 4) + word + r / 2 * 4];
    if (F == HALVES)
        PRODUCT("m64n8k32.f32.f16.f16", MEMORY, "0, p, 1, 1, 0, 0");
    else if (F == HALVES_OTHERS)
        PRODUCT("m64n8k32.f32.f16.f16", MEMORY, "1, p, 1, 1, 0, 0");
    else if (F == HALVES_IN_REGISTERS)
        PRODUCT("m64n8k32.f32.f16.f16", REGISTERS, "0, p, 1, 1, 0");
    else if (F == TF32)
        PRODUCT("m64n8k16.f32.tf32.tf32", MEMORY, "1, p, 1, 1");
    else if (F == BYTES)
        PRODUCT("m64n8k64.s32.s8.s8", MEMORY, "0, p");
    else if (F == BYTES_IN_REGISTERS)
        PRODUCT("m64n8k64.s32.s8.s8", REGISTERS, "0, p");
    else
        PRODUCT("m64n8k64.f32.e4m3.e4m3", MEMORY, "0, p, 1, 1");
    for (int i = 0; i < 4; i++)
        out[(row + i / 2 * 8) * N + word * 2 + i % 2] = d[i];
}

static int bytes_of(form f) { return f <= HALVES_OTHERS ? 2 : f == TF32 ? 4 : 1; }
static int b_of(int k, int j) { return (k * 5 + j * 3) % 7 - 3; }
static int a_of(int i, int s) { return (i * 3 + s * 7) % 5 - 2; }

// Of four units along k (two bytes each, halves of a tf32 pair, or bytes) the two that a row stores.
static int first_of(int i, int group) { return (i * 7 + group * 3) % 3; }
static int second_of(int i, int group) { return first_of(i, group) + 1 + (i + group) % (3 - first_of(i, group)); }

// Where the row's stored element `s` stands along k.
static int place_of(form f, int i, int s)
{
    if (f == TF32)
        return s * 2 + (i + s) % 2;
    return s / 2 * 4 + (s % 2 ? second_of(i, s / 2) : first_of(i, s / 2));
}

static uint32_t nibble_of(form f, int i, int group)
{
    if (f == TF32)
        return (i + group) % 2 ? 0xe : 0x4;
    return first_of(i, group) | second_of(i, group) << 2;
}

// The metadata of a thread: a row's sixteen bits, or 32 where elements are bytes, by four bits a group along k.
static uint32_t metadata_of(form f, int thread)
{
    int lane = thread % 32, row = thread / 32 * 16 + lane / 4, selector = f == HALVES_OTHERS || f == TF32;
    uint32_t v = 0;
    if (bytes_of(f) > 1) {
        if (lane / 2 % 2 != selector)
            return 0x5a17c39bu * (thread + 1);
        for (int g = 0; g < 8; g++)
            v |= nibble_of(f, row + g / 4 * 8, lane % 2 * 4 + g % 4) << 4 * g;
    } else {
        for (int g = 0; g < 8; g++)
            v |= nibble_of(f, row + lane % 2 * 8, lane / 2 % 2 * 8 + g) << 4 * g;
    }
    return v;
}

static void put(form f, unsigned char *line, int i, int value)
{
    static const unsigned char e4m3[] = {0x00, 0x38, 0x40, 0x44};
    static const unsigned short half[] = {0x0000, 0x3c00, 0x4000, 0x4200};
    int m = abs(value);
    float real = (float)value;
    unsigned short h = (unsigned short)(half[m] | (value < 0 ? 0x8000 : 0));
    if (bytes_of(f) == 2)
        memcpy(line + i * 2, &h, 2);
    else if (f == TF32)
        memcpy(line + i * 4, &real, 4);
    else
        line[i] = f == FP8 ? (unsigned char)(e4m3[m] | (value < 0 ? 0x80 : 0)) : (unsigned char)value;
}

static void run(form f, void (*kernel)(const unsigned char *, const unsigned char *, const uint32_t *, uint32_t *))
{
    static unsigned char a[M * LINE_A], b[N * LINE_B];
    static uint32_t e[128], out[M * N];
    unsigned char *da, *db;
    uint32_t *de, *dout;
    int stored = LINE_A / bytes_of(f), along = LINE_B / bytes_of(f);
    for (int i = 0; i < M * stored; i++)
        put(f, a + i / stored * LINE_A, i % stored, a_of(i / stored, i % stored));
    for (int i = 0; i < N * along; i++)
        put(f, b + i / along * LINE_B, i % along, b_of(i % along, i / along));
    for (int i = 0; i < 128; i++)
        e[i] = metadata_of(f, i);
    OK(cudaMalloc(&da, sizeof a));
    OK(cudaMalloc(&db, sizeof b));
    OK(cudaMalloc(&de, sizeof e));
    OK(cudaMalloc(&dout, sizeof out));
    OK(cudaMemcpy(da, a, sizeof a, cudaMemcpyDefault));
    OK(cudaMemcpy(db, b, sizeof b, cudaMemcpyDefault));
    OK(cudaMemcpy(de, e, sizeof e, cudaMemcpyDefault));
    kernel<<<1, 128>>>(da, db, de, dout);
    OK(cudaMemcpy(out, dout, sizeof out, cudaMemcpyDefault));
    for (int i = 0; i < M * N; i++) {
        int sum = 0;
        float real;
        memcpy(&real, &out[i], sizeof real);
        for (int s = 0; s < stored; s++)
            sum += a_of(i / N, s) * b_of(place_of(f, i / N, s), i % N);
        int got = f == BYTES || f == BYTES_IN_REGISTERS ? (int)out[i] : (int)real;
        if (got != sum) {
            printf("form %d: d[%d][%d] is %d, not %d\n", f, i / N, i % N, got, sum);
            exit(1);
        }
    }
    OK(cudaFree(da));
    OK(cudaFree(db));
    OK(cudaFree(de));
    OK(cudaFree(dout));
}

int main()
{
    run(HALVES, multiply<HALVES>);
    run(HALVES_IN_REGISTERS, multiply<HALVES_IN_REGISTERS>);
    run(HALVES_OTHERS, multiply<HALVES_OTHERS>);
    run(TF32, multiply<TF32>);
    run(BYTES, multiply<BYTES>);
    run(BYTES_IN_REGISTERS, multiply<BYTES_IN_REGISTERS>);
    run(FP8, multiply<FP8>);
    printf("wgmma_sparse ok\n");
    return 0;
}
