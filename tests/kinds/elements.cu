// Instructions on elements: an undefined half, or operand of a pair, makes one element of the result undefined, and not what is beside it.
//
// arch compute_90
// nvcc: -w
//
// case low_of_pair expect=silent
// case high_of_pair expect=uninitialized-read says=has.not.set
// case low_byte expect=silent
// case high_byte expect=uninitialized-read says=has.not.set
// case low_of_bytes expect=silent
// case high_of_bytes expect=uninitialized-read says=has.not.set
// case low_half expect=silent
// case high_half expect=uninitialized-read says=has.not.set
// case low_sum expect=silent
// case high_sum expect=uninitialized-read says=has.not.set
// case low_integer expect=silent
// case high_integer expect=uninitialized-read says=has.not.set
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

/** What an operand that only the upper element comes from leaves: nobody sets `u`, which nvcc does not know. */
#define UNSET(TYPE, CONSTRAINT, u) TYPE u; asm volatile("" : "+" CONSTRAINT(u))

__global__ void pair(uint16_t *out, float x, bool high)
{
    UNSET(float, "f", u);
    uint32_t d;
    asm volatile("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(u), "f"(x));
    out[threadIdx.x] = high ? d >> 16 : d; // high_of_pair
}

__global__ void byte(uint8_t *out, float x, bool high)
{
    UNSET(float, "f", u);
    uint16_t d;
    asm volatile("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(d) : "f"(u), "f"(x));
    out[threadIdx.x] = high ? d >> 8 : d; // high_byte
}

__global__ void bytes(uint8_t *out, int x, bool high)
{
    UNSET(int, "r", u);
    uint32_t d;
    asm volatile("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(u), "r"(x), "r"(0));
    out[threadIdx.x] = high ? d >> 8 : d; // high_of_bytes
}

/** Two halves, of which nobody has set the upper one. */
__device__ uint32_t in_part(uint16_t x)
{
    UNSET(uint16_t, "h", u);
    uint32_t d;
    asm volatile("mov.b32 %0, {%1, %2};" : "=r"(d) : "h"(x), "h"(u));
    return d;
}

__global__ void half(uint8_t *out, uint16_t x, bool high)
{
    uint16_t d;
    asm volatile("cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;" : "=h"(d) : "r"(in_part(x)));
    out[threadIdx.x] = high ? d >> 8 : d; // high_half
}

__global__ void sum(uint16_t *out, uint16_t x, bool high)
{
    uint32_t d;
    asm volatile("fma.rn.f16x2 %0, %1, %1, %2;" : "=r"(d) : "r"(in_part(x)), "r"(0x3c003c00));
    out[threadIdx.x] = high ? d >> 16 : d; // high_sum
}

__global__ void integer(uint16_t *out, uint16_t x, bool high)
{
    uint32_t d;
    asm volatile("max.s16x2 %0, %1, %2;" : "=r"(d) : "r"(in_part(x)), "r"(0x10001));
    out[threadIdx.x] = high ? d >> 16 : d; // high_integer
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    bool high = !strncmp(name, "high", 4);
    const char *what = strchr(name, '_');
    void *out;
    uint16_t got[32];
    cudaMalloc(&out, sizeof got);
    cudaMemset(out, 0, sizeof got);
    if (!what)
        return 1;
    if (!strcmp(what, "_of_pair"))
        pair<<<1, 32>>>((uint16_t *)out, 2, high);
    else if (!strcmp(what, "_byte"))
        byte<<<1, 32>>>((uint8_t *)out, 2, high);
    else if (!strcmp(what, "_of_bytes"))
        bytes<<<1, 32>>>((uint8_t *)out, 7, high);
    else if (!strcmp(what, "_half"))
        half<<<1, 32>>>((uint8_t *)out, 0x4000, high);
    else if (!strcmp(what, "_sum"))
        sum<<<1, 32>>>((uint16_t *)out, 0x4000, high);
    else
        integer<<<1, 32>>>((uint16_t *)out, 5, high);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(out);
    puts(cudaGetErrorString(cudaGetLastError()));
}
