// nvcc: -arch=compute_80
// Surfaces through registers wider than an element, as ptxas takes them: what is loaded is extended with zeros, of what is stored the lower bits count.
// (The machine code is that of an access with a conversion before or behind it.)
#include "check.cuh"
#include <cstdint>

static cudaSurfaceObject_t surface(cudaChannelFormatDesc f, size_t w, cudaArray_t *a)
{
    cudaResourceDesc r = {};
    cudaSurfaceObject_t s;
    OK(cudaMallocArray(a, &f, w, 0, cudaArraySurfaceLoadStore));
    r.resType = cudaResourceTypeArray;
    r.res.array.array = *a;
    OK(cudaCreateSurfaceObject(&s, &r));
    return s;
}

__global__ void words(cudaSurfaceObject_t s, uint64_t *out)
{
    uint64_t x = threadIdx.x, lower, pair;
    uint32_t at = threadIdx.x * 4, byte, half;
    asm volatile("sust.b.1d.b32.clamp [%0, {%1}], %2;" ::"l"(s), "r"(at), "l"(0x1234567800000000 | 0xfedcba80 + x) : "memory");
    asm volatile("suld.b.1d.b32.clamp %0, [%1, {%2}];" : "=l"(lower) : "l"(s), "r"(at) : "memory");
    asm volatile("suld.b.1d.b8.clamp %0, [%1, {%2}];" : "=r"(byte) : "l"(s), "r"(at) : "memory");
    asm volatile("suld.b.1d.b16.clamp %0, [%1, {%2}];" : "=r"(half) : "l"(s), "r"(at) : "memory");
    asm volatile("sust.b.1d.b8.clamp [%0, {%1}], %2;" ::"l"(s), "r"(at + 3), "r"(0xabcdef77) : "memory");
    asm volatile("sured.b.add.1d.u32.clamp [%0, {%1}], %2;" ::"l"(s), "r"(at), "l"(0xffffffff00000000 | 0x100) : "memory");
    asm volatile("suld.b.1d.b32.clamp %0, [%1, {%2}];" : "=l"(pair) : "l"(s), "r"(at) : "memory");
    out[x] = lower;
    out[32 + x] = byte;
    out[64 + x] = half;
    out[96 + x] = pair;
}

__global__ void vectors(cudaSurfaceObject_t s, uint64_t *out)
{
    uint64_t a, b;
    asm volatile("sust.b.1d.v2.b16.clamp [%0, {%1}], {%2, %3};" ::"l"(s), "r"(threadIdx.x * 4), "r"(0x70001 + threadIdx.x), "r"(0x9fffe) : "memory");
    asm volatile("suld.b.1d.v2.b16.clamp {%0, %1}, [%2, {%3}];" : "=l"(a), "=l"(b) : "l"(s), "r"(threadIdx.x * 4) : "memory");
    out[threadIdx.x] = a << 32 | b;
    asm volatile("sust.p.1d.b32.clamp [%0, {%1}], %2;" ::"l"(s), "r"(threadIdx.x), "l"(0xffff00000000ull | threadIdx.x) : "memory");
    asm volatile("suld.b.1d.b32.clamp %0, [%1, {%2}];" : "=l"(a) : "l"(s), "r"(threadIdx.x * 4) : "memory");
    out[32 + threadIdx.x] = a;
}

int main()
{
    uint64_t *out;
    cudaArray_t a;
    OK(cudaMallocManaged(&out, 128 * sizeof *out));
    cudaSurfaceObject_t s = surface(cudaCreateChannelDesc<unsigned>(), 32, &a);
    words<<<1, 32>>>(s, out);
    OK(cudaDeviceSynchronize());
    for (uint64_t i = 0; i < 32; i++)
        CHECK(out[i] == 0xfedcba80 + i && out[32 + i] == 0x80 + i && out[64 + i] == 0xba80 + i && out[96 + i] == 0x77dcbb80 + i);
    OK(cudaDestroySurfaceObject(s));
    OK(cudaFreeArray(a));
    s = surface(cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindUnsigned), 32, &a);
    vectors<<<1, 32>>>(s, out);
    OK(cudaDeviceSynchronize());
    for (uint64_t i = 0; i < 32; i++)
        CHECK(out[i] == ((i + 1) << 32 | 0xfffe) && out[32 + i] == i);
    OK(cudaDestroySurfaceObject(s));
    OK(cudaFreeArray(a));
    OK(cudaFree(out));
    return 0;
}
