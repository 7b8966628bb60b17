// nvcc: -gencode arch=compute_90a,code=compute_90a
// What wgmma computes, to the last bit, and where it finds its matrices in shared memory. The same program runs on a real
// GPU and on softgpu, and the two outputs are compared (wgmma_facts.gpu.txt: recorded on the device named in its first line).
//
//   nvcc -gencode arch=compute_90a,code=sm_90a -cudart shared -o wgmma_facts wgmma_facts.cu && ./wgmma_facts [DUMP]
//
// One line a form and layout: a hash of the results for each style of operands (tensor_operands.h).
#include "tensor_operands.h"

enum { WORDS = 12288, B_AT = 16384, THREADS = 128 };   // shared memory; bytes before b
enum layouts { ALONG_K, ALONG_M, ONE };

__device__ uint64_t descriptor(const void *shared, uint64_t rest)
{
    return rest + (((uint32_t)__cvta_generic_to_shared(shared) & 0x3ffff) >> 4);
}

#define R10(x) x "0," x "1," x "2," x "3," x "4," x "5," x "6," x "7," x "8," x "9"
#define LIST2 "d0,d1"
#define LIST4 "d0,d1,d2,d3"
#define LIST6 "d0,d1,d2,d3,d4,d5"
#define LIST16 R10("d") ",d10,d11,d12,d13,d14,d15"
#define LIST128                                                                                                        \
    R10("d") "," R10("d1") "," R10("d2") "," R10("d3") "," R10("d4") "," R10("d5") "," R10("d6") "," R10("d7") "," R10("d8") \
             "," R10("d9") "," R10("d10") "," R10("d11") ",d120,d121,d122,d123,d124,d125,d126,d127"
// The first four registers begin with what is drawn for them; then the product is added twice, b by another descriptor.
#define KERNEL(name, text, nd, tail, a)                                                                                \
    __global__ void name(const uint32_t *in, uint64_t da, uint64_t db, uint32_t *out)                                  \
    {                                                                                                                  \
        __shared__ __align__(1024) uint32_t s[WORDS];                                                                  \
        for (int i = threadIdx.x; i < WORDS; i += THREADS)                                                             \
            s[i] = in[i];                                                                                              \
        asm volatile("fence.proxy.async;" ::: "memory");                                                               \
        __syncthreads();                                                                                               \
        const uint32_t *mine = in + WORDS + threadIdx.x * 8;                                                           \
        asm volatile("{.reg .b32 d<128>, a<4>; .reg .pred p; setp.ne.u32 p, 1, 0;"                                     \
                     "ld.global.v4.b32 {d0,d1,d2,d3}, [%2]; ld.global.v4.b32 {a0,a1,a2,a3}, [%2+16];"                  \
                     "mov.b32 d4, 0; mov.b32 d5, 0; mov.b32 d6, 0; mov.b32 d7, 0; mov.b32 d8, 0; mov.b32 d9, 0;"       \
                     "mov.b32 d10, 0; mov.b32 d11, 0; mov.b32 d12, 0; mov.b32 d13, 0; mov.b32 d14, 0; mov.b32 d15, 0;" \
                     "wgmma.fence.sync.aligned;"                                                                       \
                     "wgmma.mma_async.sync.aligned." text " {" LIST##nd "}, " a ", %1, p" tail ";"                     \
                     "wgmma.mma_async.sync.aligned." text " {" LIST##nd "}, " a ", %4, p" tail ";"                     \
                     "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"                               \
                     "st.global.v4.b32 [%3], {d0,d1,d2,d3}; st.global.v4.b32 [%3+16], {d4,d5,d6,d7};"                  \
                     "st.global.v4.b32 [%3+32], {d8,d9,d10,d11}; st.global.v4.b32 [%3+48], {d12,d13,d14,d15};}"        \
                     ::"l"(descriptor(s, da)), "l"(descriptor(s + B_AT / 4, db)), "l"(mine), "l"(out + threadIdx.x * 16), \
                     "l"(descriptor(s + B_AT / 4 + 1024, db))                                                          \
                     : "memory");                                                                                      \
    }
#define WIDE(name, text, tail)                                                                                         \
    __global__ void name(const uint32_t *in, uint64_t da, uint64_t db, uint32_t *out)                                  \
    {                                                                                                                  \
        __shared__ __align__(1024) uint32_t s[WORDS];                                                                  \
        for (int i = threadIdx.x; i < WORDS; i += THREADS)                                                             \
            s[i] = in[i];                                                                                              \
        asm volatile("fence.proxy.async;" ::: "memory");                                                               \
        __syncthreads();                                                                                               \
        asm volatile("{.reg .b32 d<128>; .reg .pred p, q; setp.ne.u32 p, 1, 0; setp.ne.u32 q, 0, 0;"                   \
                     "wgmma.fence.sync.aligned;"                                                                       \
                     "wgmma.mma_async.sync.aligned." text " {" LIST128 "}, %0, %1, q" tail ";"                         \
                     "wgmma.mma_async.sync.aligned." text " {" LIST128 "}, %0, %1, p" tail ";"                         \
                     "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"                               \
                     "st.global.v4.b32 [%2], {d0,d1,d2,d3}; st.global.v4.b32 [%2+16], {d30,d37,d58,d63};"              \
                     "st.global.v4.b32 [%2+32], {d64,d77,d80,d91}; st.global.v4.b32 [%2+48], {d100,d111,d122,d127};}"  \
                     ::"l"(descriptor(s, da)), "l"(descriptor(s + B_AT / 4, db)), "l"(out + threadIdx.x * 16)          \
                     : "memory");                                                                                      \
    }
#define FORM(name, text, nd, tail, ...) FORM##nd(name, text, nd, tail)
#define FORM2(name, text, nd, tail) KERNEL(name, text, 2, tail, "%0")
#define FORM4(name, text, nd, tail) KERNEL(name, text, 4, tail, "%0")
#define FORM6(name, text, nd, tail) KERNEL(name, text, 6, tail, "%0")
#define FORM16(name, text, nd, tail) KERNEL(name, text, 16, tail, "%0")
#define FORM128(name, text, nd, tail) WIDE(name, text, tail)
#define REGISTERS(name, text, nd, tail, ...) KERNEL(name, text, nd, tail, "{a0,a1,a2,a3}")
#include "wgmma_forms.h"

static uint64_t layout(unsigned swizzle, unsigned leading, unsigned stride, unsigned offset, unsigned base)
{
    return (uint64_t)swizzle << 62 | (uint64_t)base << 49 | (uint64_t)(stride >> 4) << 32 | (uint64_t)(leading >> 4) << 16 |
           offset >> 4;
}

static uint32_t in[WORDS + THREADS * 8], out[THREADS * 16], *device_in, *device_out;

static void run(const char *name, void (*kernel)(const uint32_t *, uint64_t, uint64_t, uint32_t *), unsigned nd, kind ka, kind kb,
                kind kd, unsigned way, uint64_t da, uint64_t db, int styles)
{
    char line[64];
    snprintf(line, sizeof line, "%s layout %u", name, way);
    state = hash_of(line, strlen(line));
    for (int style = 0; style < styles; style++) {
        fill(in, B_AT, ka, style, false);
        fill(in + B_AT / 4, sizeof in - B_AT, kb, style, false);
        for (int t = 0; t < THREADS; t++) {
            fill(in + WORDS + t * 8, 16, kd, style, true);
            fill(in + WORDS + t * 8 + 4, 16, ka, style, false);
        }
        check(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyDefault), name);
        kernel<<<1, THREADS>>>(device_in, da, db, device_out);
        check(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDefault), name);
        for (int t = 0; t < THREADS && nd < 16; t++)
            memset(&out[t * 16 + nd], 0, (16 - nd) * 4);
        say(line, style, out, sizeof out);
    }
    printf("\n");
}

// Swizzles: 0 none, 1 of 128 bytes, 2 of 64, 3 of 32.
static void run_all(const char *name, void (*kernel)(const uint32_t *, uint64_t, uint64_t, uint32_t *), unsigned nd, kind ka, kind kb,
                    kind kd, layouts ways)
{
    if (ways == ONE) {
        run(name, kernel, nd, ka, kb, kd, 0, layout(1, 0, 1024, 0, 0), layout(1, 0, nd == 128 ? 512 : 1024, 0, 0), STYLES);
        return;
    }
    const uint64_t along_k[] = {
        layout(0, 128, 256, 0, 0), layout(0, 1024, 128, 0, 0), layout(0, 144, 512, 48, 0), layout(3, 16, 256, 0, 0),
        layout(3, 0, 288, 32, 0), layout(2, 16, 512, 0, 0), layout(2, 256, 512, 32, 0), layout(1, 16, 1024, 0, 0),
        layout(1, 0, 1024, 32, 0), layout(1, 16, 1024, 96, 0), layout(1, 16, 768, 0, 0), layout(1, 16, 1024, 128, 1),
        layout(1, 16, 1024, 384, 3), layout(2, 16, 512, 128, 1)};
    const uint64_t along_m[] = {
        layout(0, 128, 256, 0, 0), layout(0, 1024, 128, 0, 0), layout(0, 128, 512, 48, 0), layout(3, 512, 256, 0, 0),
        layout(3, 256, 1024, 0, 0), layout(2, 1024, 512, 0, 0), layout(2, 512, 2048, 0, 0), layout(1, 2048, 1024, 0, 0),
        layout(1, 1024, 2048, 0, 0), layout(1, 512, 1024, 1024, 0), layout(2, 1024, 512, 512, 0), layout(3, 128, 256, 256, 0)};
    unsigned count = ways == ALONG_K ? sizeof along_k / 8 : sizeof along_m / 8;
    for (unsigned i = 0; i < count; i++)
        run(name, kernel, nd, ka, kb, kd, i, ways == ALONG_K ? along_k[i] : along_m[i], ways == ALONG_K ? along_k[(i + 3) % 11] : along_m[(i + 5) % 12], 1);
}

int main(int argc, char **argv)
{
    dump = argc > 1 ? fopen(argv[1], "wb") : NULL;
    check(cudaMalloc(&device_in, sizeof in), "malloc");
    check(cudaMalloc(&device_out, sizeof out), "malloc");
#define FORM(name, text, nd, tail, ka, kb, kd, ways) run_all(#name, name, nd, ka, kb, kd, ways);
#define REGISTERS(name, text, nd, tail, ka, kb, kd, ways) run_all(#name, name, nd, ka, kb, kd, ways);
#include "wgmma_forms.h"
    if (dump)
        fclose(dump);
    return 0;
}
