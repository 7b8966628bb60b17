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

// What a launch writes a later one reads: the texture path of one may miss it.
__global__ void put(cudaSurfaceObject_t s)
{
    uint64_t x = threadIdx.x;
    asm volatile("sust.b.1d.b32.clamp [%0, {%1}], %2;" ::"l"(s), "r"(threadIdx.x * 4), "l"(0x1234567800000000 | 0xfedcba80 + x) : "memory");
}
__global__ void get(cudaSurfaceObject_t s, uint64_t *out)
{
    uint64_t word;
    uint32_t at = threadIdx.x * 4, byte, half;
    asm volatile("suld.b.1d.b32.clamp %0, [%1, {%2}];" : "=l"(word) : "l"(s), "r"(at) : "memory");
    asm volatile("suld.b.1d.b8.clamp %0, [%1, {%2}];" : "=r"(byte) : "l"(s), "r"(at) : "memory");
    asm volatile("suld.b.1d.b16.clamp %0, [%1, {%2}];" : "=r"(half) : "l"(s), "r"(at) : "memory");
    out[threadIdx.x] = word;
    out[32 + threadIdx.x] = byte;
    out[64 + threadIdx.x] = half;
}
__global__ void put_byte(cudaSurfaceObject_t s)
{
    asm volatile("sust.b.1d.b8.clamp [%0, {%1}], %2;" ::"l"(s), "r"(threadIdx.x * 4 + 3), "r"(0xabcdef77) : "memory");
}
__global__ void add(cudaSurfaceObject_t s)
{
    asm volatile("sured.b.add.1d.u32.clamp [%0, {%1}], %2;" ::"l"(s), "r"(threadIdx.x * 4), "l"(0xffffffff00000000 | 0x100) : "memory");
}
__global__ void put_pair(cudaSurfaceObject_t s)
{
    asm volatile("sust.b.1d.v2.b16.clamp [%0, {%1}], {%2, %3};" ::"l"(s), "r"(threadIdx.x * 4), "r"(0x70001 + threadIdx.x), "r"(0x9fffe) : "memory");
}
__global__ void get_pair(cudaSurfaceObject_t s, uint64_t *out)
{
    uint64_t a, b;
    asm volatile("suld.b.1d.v2.b16.clamp {%0, %1}, [%2, {%3}];" : "=l"(a), "=l"(b) : "l"(s), "r"(threadIdx.x * 4) : "memory");
    out[threadIdx.x] = a << 32 | b;
}
__global__ void put_formatted(cudaSurfaceObject_t s)
{
    asm volatile("sust.p.1d.b32.clamp [%0, {%1}], %2;" ::"l"(s), "r"(threadIdx.x), "l"(0xffff00000000ull | threadIdx.x) : "memory");
}

int main()
{
    uint64_t *out;
    cudaArray_t a;
    OK(cudaMallocManaged(&out, 128 * sizeof *out));
    cudaSurfaceObject_t s = surface(cudaCreateChannelDesc<unsigned>(), 32, &a);
    put<<<1, 32>>>(s);
    get<<<1, 32>>>(s, out);
    OK(cudaDeviceSynchronize());
    for (uint64_t i = 0; i < 32; i++)
        CHECK(out[i] == 0xfedcba80 + i && out[32 + i] == 0x80 + i && out[64 + i] == 0xba80 + i);
    put_byte<<<1, 32>>>(s);
    add<<<1, 32>>>(s);
    get<<<1, 32>>>(s, out);
    OK(cudaDeviceSynchronize());
    for (uint64_t i = 0; i < 32; i++)
        CHECK(out[i] == 0x77dcbb80 + i);
    OK(cudaDestroySurfaceObject(s));
    OK(cudaFreeArray(a));
    s = surface(cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindUnsigned), 32, &a);
    put_pair<<<1, 32>>>(s);
    get_pair<<<1, 32>>>(s, out);
    OK(cudaDeviceSynchronize());
    for (uint64_t i = 0; i < 32; i++)
        CHECK(out[i] == ((i + 1) << 32 | 0xfffe));
    put_formatted<<<1, 32>>>(s);
    get_pair<<<1, 32>>>(s, out);
    OK(cudaDeviceSynchronize());
    for (uint64_t i = 0; i < 32; i++)
        CHECK(out[i] == i << 32);
    OK(cudaDestroySurfaceObject(s));
    OK(cudaFreeArray(a));
    OK(cudaFree(out));
    return 0;
}
