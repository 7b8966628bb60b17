// nvcc: -arch=compute_90
// What tensor cores compute, to the last bit, and where the fragments of wmma lie. The same program runs on a real GPU
// and on softgpu, and the two outputs are compared (tensor_facts.gpu.txt: recorded on the device named in its first line).
//
//   nvcc -arch=sm_90 -cudart shared -o tensor_facts tensor_facts.cu && ./tensor_facts [DUMP]
//
// One line a form: a hash of the results for each style of operands (see element()). DUMP gets all of them.
#include "tensor_operands.h"

enum { TILES = 4, REGS = 32, A = 0, B = 8, C = 16, E = 24 };
static void fill_metadata(uint32_t *to, kind k)
{
    static const unsigned pairs[] = {4, 8, 9, 12, 13, 14}, ones[] = {4, 14};
    for (int i = 0; i < 32; i++) {
        to[i] = 0;
        for (int n = 0; n < 8; n++)
            to[i] |= (k == H ? pairs[below(6)] : ones[below(2)]) << 4 * n;
    }
}

// ---- mma.sync: every register of every lane is drawn

#define LIST1(x) "{" #x "0}"
#define LIST2(x) "{" #x "0," #x "1}"
#define LIST4(x) "{" #x "0," #x "1," #x "2," #x "3}"
#define LIST8(x) "{" #x "0," #x "1," #x "2," #x "3," #x "4," #x "5," #x "6," #x "7}"
#define LOAD4(x, o) "ld.global.v4.b32 {" #x "0," #x "1," #x "2," #x "3}, [%0+" #o "];"
#define LOAD4B(x, o) "ld.global.v4.b32 {" #x "4," #x "5," #x "6," #x "7}, [%0+" #o "];"
#define LOADS                                                                                                          \
    LOAD4(a, 0) LOAD4B(a, 16) LOAD4(b, 32) LOAD4B(b, 48) LOAD4(c, 64) LOAD4B(c, 80) LOAD4(d, 0) LOAD4B(d, 16)          \
    "ld.global.b32 e, [%0+96];"
#define STORES                                                                                                         \
    "st.global.v4.b32 [%1], {d0,d1,d2,d3}; st.global.v4.b32 [%1+16], {d4,d5,d6,d7};"
// Operands of a lane lie together: REGS words in, 8 out.
#define KERNEL(name, text)                                                                                             \
    __global__ void name(const uint32_t *in, uint32_t *out)                                                            \
    {                                                                                                                  \
        size_t at = blockIdx.x * 32 + threadIdx.x;                                                                     \
        asm volatile("{.reg .b32 a<8>, b<8>, c<8>, d<8>, e;" LOADS text ";" STORES "}" ::"l"(in + at * REGS),          \
                     "l"(out + at * 8)                                                                                 \
                     : "memory");                                                                                      \
    }
#define MMA(name, text, nd, na, nb, nc, ...)                                                                           \
    KERNEL(name, text " " LIST##nd(d) "," LIST##na(a) "," LIST##nb(b) "," LIST##nc(c))
#define SPARSE(name, text, nd, na, nb, nc, ka, kb, kc, selector, ke)                                                   \
    KERNEL(name, text " " LIST##nd(d) "," LIST##na(a) "," LIST##nb(b) "," LIST##nc(c) ", e, " selector)
#define LOAD64(x, n, o) "ld.global.b64 " #x #n ", [%0+" #o "];"
#define MMA64(name, text, nd, na, nb, nc)                                                                              \
    __global__ void name(const uint64_t *in, uint64_t *out)                                                            \
    {                                                                                                                  \
        size_t at = blockIdx.x * 32 + threadIdx.x;                                                                     \
        asm volatile("{.reg .f64 a<8>, b<4>, c<4>, d<4>;" LOAD64(a, 0, 0) LOAD64(a, 1, 8) LOAD64(a, 2, 16)             \
                     LOAD64(a, 3, 24) LOAD64(a, 4, 32) LOAD64(a, 5, 40) LOAD64(a, 6, 48) LOAD64(a, 7, 56)              \
                     LOAD64(b, 0, 64) LOAD64(b, 1, 72) LOAD64(b, 2, 80) LOAD64(b, 3, 88)                               \
                     LOAD64(c, 0, 96) LOAD64(c, 1, 104) LOAD64(c, 2, 112) LOAD64(c, 3, 120)                            \
                     LOAD64(d, 0, 0) LOAD64(d, 1, 0) LOAD64(d, 2, 0) LOAD64(d, 3, 0)                                   \
                     text " " LIST##nd(d) "," LIST##na(a) "," LIST##nb(b) "," LIST##nc(c) ";"                          \
                     "st.global.v2.b64 [%1], {d0,d1}; st.global.v2.b64 [%1+16], {d2,d3};}"                             \
                     ::"l"(in + at * 16), "l"(out + at * 4) : "memory");                                               \
    }
#include "tensor_forms.h"

static uint32_t *device_in, *device_out;
static uint32_t in[TILES][32][REGS], out[TILES][32][8];

// The registers that a form does not use hold zeros; those of d that it does not write give what a holds.
static void run(const char *name, void (*kernel)(const uint32_t *, uint32_t *), int nd, int na, int nb, int nc, kind ka, kind kb,
                kind kc, kind ke)
{
    state = hash_of(name, strlen(name));
    for (int style = 0; style < STYLES; style++) {
        memset(in, 0, sizeof in);
        for (auto &tile : in) {
            uint32_t e[32];
            fill_metadata(e, ke);
            for (int lane = 0; lane < 32; lane++) {
                fill(&tile[lane][A], na * 4, ka, style, false);
                fill(&tile[lane][B], nb * 4, kb, style, false);
                fill(&tile[lane][C], nc * 4, kc, style, true);
                tile[lane][E] = e[lane];
            }
        }
        check(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyDefault), name);
        kernel<<<TILES, 32>>>(device_in, device_out);
        check(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDefault), name);
        for (auto &tile : out)
            for (auto &lane : tile)
                memset(&lane[nd], 0, (8 - nd) * 4);
        say(name, style, out, sizeof out);
    }
    printf("\n");
}

static void run64(const char *name, void (*kernel)(const uint64_t *, uint64_t *), int nd, int na, int nb, int nc)
{
    uint64_t *x = (uint64_t *)in, *y = (uint64_t *)out;
    state = hash_of(name, strlen(name));
    for (int style = 0; style < STYLES; style++) {
        memset(in, 0, sizeof in);
        for (int i = 0; i < TILES * 32; i++) {
            fill(x + i * 16, na * 8, F64, style, false);
            fill(x + i * 16 + 8, nb * 8, F64, style, false);
            fill(x + i * 16 + 12, nc * 8, F64, style, true);
        }
        check(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyDefault), name);
        kernel<<<TILES, 32>>>((const uint64_t *)device_in, (uint64_t *)device_out);
        check(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDefault), name);
        for (int i = 0; i < TILES * 32; i++)
            memset(y + i * 4 + nd, 0, (4 - nd) * 8);
        say(name, style, out, sizeof out);
    }
    printf("\n");
}

// ---- wmma: matrices from memory, fragments as they lie in the registers, and the result in memory

#define WMMA(name, al, bl, cl, shape, between, ta, tb, tc, td, end, na, nb, nc, nd, lda, ldb, ldc)                     \
    __global__ void name(const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *stored, uint32_t *out)     \
    {                                                                                                                  \
        asm volatile("{.reg .b32 a<8>, b<8>, c<8>, d<8>;"                                                              \
                     "mov.b32 a0, 0; mov.b32 a1, 0; mov.b32 a2, 0; mov.b32 a3, 0;"                                     \
                     "mov.b32 a4, 0; mov.b32 a5, 0; mov.b32 a6, 0; mov.b32 a7, 0;"                                     \
                     "mov.b32 b0, 0; mov.b32 b1, 0; mov.b32 b2, 0; mov.b32 b3, 0;"                                     \
                     "mov.b32 b4, 0; mov.b32 b5, 0; mov.b32 b6, 0; mov.b32 b7, 0;"                                     \
                     "mov.b32 c0, 0; mov.b32 c1, 0; mov.b32 c2, 0; mov.b32 c3, 0;"                                     \
                     "mov.b32 c4, 0; mov.b32 c5, 0; mov.b32 c6, 0; mov.b32 c7, 0;"                                     \
                     "mov.b32 d0, 0; mov.b32 d1, 0; mov.b32 d2, 0; mov.b32 d3, 0;"                                     \
                     "mov.b32 d4, 0; mov.b32 d5, 0; mov.b32 d6, 0; mov.b32 d7, 0;"                                     \
                     "wmma.load.a.sync.aligned." al "." shape ".global." ta " " LIST##na(a) ", [%0], " #lda ";"        \
                     "wmma.load.b.sync.aligned." bl "." shape ".global." tb " " LIST##nb(b) ", [%1], " #ldb ";"        \
                     "wmma.load.c.sync.aligned." cl "." shape ".global." tc " " LIST##nc(c) ", [%2], " #ldc ";"        \
                     "wmma.mma." between "sync.aligned." al "." bl "." shape end " " LIST##nd(d) "," LIST##na(a) ","   \
                     LIST##nb(b) "," LIST##nc(c) ";"                                                                   \
                     "wmma.store.d.sync.aligned." cl "." shape ".global." td " [%3], " LIST##nd(d) ", " #ldc ";"       \
                     "st.global.v4.b32 [%4], {a0,a1,a2,a3}; st.global.v4.b32 [%4+16], {a4,a5,a6,a7};"                  \
                     "st.global.v4.b32 [%4+32], {b0,b1,b2,b3}; st.global.v4.b32 [%4+48], {b4,b5,b6,b7};"               \
                     "st.global.v4.b32 [%4+64], {c0,c1,c2,c3}; st.global.v4.b32 [%4+80], {c4,c5,c6,c7};"               \
                     "st.global.v4.b32 [%4+96], {d0,d1,d2,d3}; st.global.v4.b32 [%4+112], {d4,d5,d6,d7};}"             \
                     ::"l"(a), "l"(b), "l"(c), "l"(stored), "l"(out + threadIdx.x * 32) : "memory");                   \
    }
#define WMMA64(name, al, bl, cl, lda, ldb, ldc)                                                                        \
    __global__ void name(const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *stored, uint32_t *out)     \
    {                                                                                                                  \
        asm volatile("{.reg .f64 a<1>, b<1>, c<2>, d<2>;"                                                              \
                     "wmma.load.a.sync.aligned." al ".m8n8k4.global.f64 {a0}, [%0], " #lda ";"                         \
                     "wmma.load.b.sync.aligned." bl ".m8n8k4.global.f64 {b0}, [%1], " #ldb ";"                         \
                     "wmma.load.c.sync.aligned." cl ".m8n8k4.global.f64 {c0,c1}, [%2], " #ldc ";"                      \
                     "wmma.mma.sync.aligned." al "." bl ".m8n8k4.rn.f64.f64.f64.f64 {d0,d1}, {a0}, {b0}, {c0,c1};"     \
                     "wmma.store.d.sync.aligned." cl ".m8n8k4.global.f64 [%3], {d0,d1}, " #ldc ";"                     \
                     "st.global.b64 [%4], a0; st.global.b64 [%4+32], b0; st.global.v2.b64 [%4+64], {c0,c1};"           \
                     "st.global.v2.b64 [%4+96], {d0,d1};}"                                                             \
                     ::"l"(a), "l"(b), "l"(c), "l"(stored), "l"(out + threadIdx.x * 32) : "memory");                   \
    }
#include "tensor_wmma.h"

struct fragments { uint32_t a[2048], b[2048], c[2048], stored[2048], out[32][32]; };
static fragments host_wmma, *device_wmma;

// Style -1: every element is another, so that the registers say where it has gone to.
static void number_elements(uint32_t *to, kind k)
{
    for (unsigned i = 0; i < 2048; i++) {
        if (k == BITS)
            to[i] = (uint32_t)(i * 0x9e3779b1u);
        else if (bits_of(k) == 16)
            to[i] = (2 * i + 1) << 16 | 2 * i;
        else if (k == F64)
            to[i] = i & 1 ? 0x40000000 + i : i;
        else
            to[i] = i << 13;
    }
}

static void run_wmma(const char *name, void (*kernel)(const uint32_t *, const uint32_t *, const uint32_t *, uint32_t *, uint32_t *),
                     kind ka, kind kb, kind kc)
{
    fragments *h = &host_wmma, *d = device_wmma;
    state = hash_of(name, strlen(name));
    for (int style = -1; style < STYLES; style++) {
        memset(h, 0, sizeof *h);
        if (style < 0) {
            number_elements(h->a, ka);
            number_elements(h->b, kb);
            number_elements(h->c, kc);
        } else {
            fill(h->a, sizeof h->a, ka, style, false);
            fill(h->b, sizeof h->b, kb, style, false);
            fill(h->c, sizeof h->c, kc, style, true);
        }
        check(cudaMemcpy(d, h, sizeof *h, cudaMemcpyDefault), name);
        kernel<<<1, 32>>>(d->a, d->b, d->c, d->stored, d->out[0]);
        check(cudaMemcpy(h, d, sizeof *h, cudaMemcpyDefault), name);
        say(name, style + 1, h->stored, sizeof h->stored + sizeof h->out);
    }
    printf("\n");
}

// ---- ldmatrix, stmatrix, movmatrix

__global__ void matrices(uint32_t *out)
{
    __shared__ __align__(16) uint32_t tile[4][8][4], back[4][8][4];
    unsigned lane = threadIdx.x, at = 0;
    for (int i = 0; i < 4; i++)
        tile[i][lane / 4][lane % 4] = (2 * (i * 32 + lane) + 1) << 16 | 2 * (i * 32 + lane);
    __syncwarp();
    unsigned row = (unsigned)__cvta_generic_to_shared(&tile[lane / 8][lane % 8][0]);
    unsigned to = (unsigned)__cvta_generic_to_shared(&back[lane / 8][7 - lane % 8][0]);
    uint32_t r0 = 0, r1 = 0, r2 = 0, r3 = 0;
#define PUT(v) out[at++ * 32 + lane] = (v)
#define LDMATRIX(trans)                                                                                                \
    asm volatile("ldmatrix.sync.aligned.m8n8.x1" trans ".shared.b16 {%0}, [%1];" : "=r"(r0) : "r"(row) : "memory");    \
    PUT(r0);                                                                                                           \
    asm volatile("ldmatrix.sync.aligned.m8n8.x2" trans ".shared::cta.b16 {%0,%1}, [%2];"                               \
                 : "=r"(r0), "=r"(r1) : "r"(row) : "memory");                                                          \
    PUT(r0), PUT(r1);                                                                                                  \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4" trans ".b16 {%0,%1,%2,%3}, [%4];"                                     \
                 : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)                                                              \
                 : "l"(&tile[lane / 8][lane % 8][0])                                                                   \
                 : "memory");                                                                                          \
    PUT(r0), PUT(r1), PUT(r2), PUT(r3);
    LDMATRIX("")
    LDMATRIX(".trans")
    uint32_t m;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(m) : "r"(r1));
    PUT(m);
#define BACK                                                                                                           \
    __syncwarp();                                                                                                      \
    for (int i = 0; i < 4; i++)                                                                                        \
        PUT(back[i][lane / 4][lane % 4]);                                                                              \
    __syncwarp();                                                                                                      \
    for (int i = 0; i < 4; i++)                                                                                        \
        back[i][lane / 4][lane % 4] = 0;                                                                               \
    __syncwarp();
#define STMATRIX(trans)                                                                                                \
    BACK                                                                                                               \
    asm volatile("stmatrix.sync.aligned.m8n8.x1" trans ".shared.b16 [%1], {%0};" ::"r"(r0), "r"(to) : "memory");       \
    BACK                                                                                                               \
    asm volatile("stmatrix.sync.aligned.m8n8.x2" trans ".shared::cta.b16 [%2], {%0,%1};" ::"r"(r0), "r"(r1), "r"(to)   \
                 : "memory");                                                                                          \
    BACK                                                                                                               \
    asm volatile("stmatrix.sync.aligned.m8n8.x4" trans ".b16 [%4], {%0,%1,%2,%3};" ::"r"(r0), "r"(r1), "r"(r2),        \
                 "r"(r3), "l"(&back[lane / 8][7 - lane % 8][0])                                                        \
                 : "memory");                                                                                          \
    BACK
    for (int i = 0; i < 4; i++)
        back[i][lane / 4][lane % 4] = 0;
    STMATRIX("")
    STMATRIX(".trans")
}

static void run_matrices()
{
    static uint32_t host[64][32];
    check(cudaMemset(device_out, 0, sizeof host), "matrices");
    matrices<<<1, 32>>>(device_out);
    check(cudaMemcpy(host, device_out, sizeof host, cudaMemcpyDefault), "matrices");
    for (int i = 0; i < 48; i++)
        say("matrices", i, host[i], sizeof host[i]);
    printf("\n");
}

int main(int argc, char **argv)
{
    dump = argc > 1 ? fopen(argv[1], "wb") : NULL;
    check(cudaMalloc(&device_in, sizeof in), "malloc");
    check(cudaMalloc(&device_out, 2 * sizeof out), "malloc");
    check(cudaMalloc(&device_wmma, sizeof *device_wmma), "malloc");
#define MMA(name, text, nd, na, nb, nc, ka, kb, kc) run(#name, name, nd, na, nb, nc, ka, kb, kc, H);
#define SPARSE(name, text, nd, na, nb, nc, ka, kb, kc, selector, ke) run(#name, name, nd, na, nb, nc, ka, kb, kc, ke);
#define MMA64(name, text, nd, na, nb, nc) run64(#name, name, nd, na, nb, nc);
#include "tensor_forms.h"
#define WMMA(name, al, bl, cl, shape, between, ta, tb, tc, td, end, na, nb, nc, nd, lda, ldb, ldc)                     \
    run_wmma(#name, name, wmma_kind(ta), wmma_kind(tb), wmma_kind(tc));
#define WMMA64(name, ...) run_wmma(#name, name, F64, F64, F64);
    auto wmma_kind = [](const char *t) {
        return !strcmp(t, "f16") ? F16 : !strcmp(t, "bf16") ? BF16 : !strcmp(t, "tf32") ? TF32 : !strcmp(t, "f32") ? F32
               : !strcmp(t, "s32") ? S32 : BITS;
    };
#include "tensor_wmma.h"
    run_matrices();
    if (dump)
        fclose(dump);
    return 0;
}
