// nvcc: -gencode arch=compute_100f,code=compute_100f -gencode arch=compute_120f,code=compute_120f
// What nvcc 13 makes of ordinary code for compute capability 10 and 12: loads and stores of 256 bits, pairs of
// f32, numbers of four and six bits, minima clamped at zero. Run on `--device b200` and `rtx5090`.
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include "check.cuh"

struct alignas(32) eight { float v[8]; };

__global__ void wide(const eight *__restrict__ a, eight *b, longlong4_32a *c)
{
    int i = threadIdx.x;
    eight x = a[i];
    for (int k = 0; k < 8; k++)
        x.v[k] += k;
    b[i] = x;
    longlong4_32a z = c[i];
    z.x += z.w;
    c[i] = z;
}

__global__ void pairs(float2 *a, const float2 *b)
{
    int i = threadIdx.x;
    a[i] = __fmul2_ru(__fadd2_rz(__ffma2_rn(a[i], b[i], b[i]), a[i]), b[i]);
}

__host__ __device__ unsigned clamped(int a, int b)
{
    unsigned s = __vimax_s32_relu(a, b) ^ __vimin_s32_relu(a, b);
    return s ^ __vimin_s16x2_relu(a, b) ^ __vimax_s16x2_relu(a, b) ^ __viaddmax_s32_relu(a, b, -5);
}

__global__ void minima(const int *a, unsigned *out)
{
    out[threadIdx.x] = clamped(a[threadIdx.x], a[threadIdx.x + 1]);
}

struct small { unsigned short e2m1, e2m3, e3m2, up, down; unsigned back[4]; };

static __host__ __device__ unsigned both(__half2_raw h) { return h.x | (unsigned)h.y << 16; }

// On the host the headers compute this themselves, on the device it is an instruction each.
__host__ __device__ small converted(float2 x)
{
    small s;
    s.e2m1 = __nv_cvt_float2_to_fp4x2(x, __NV_E2M1, cudaRoundNearest);
    s.e2m3 = __nv_cvt_float2_to_fp6x2(x, __NV_E2M3, cudaRoundNearest);
    s.e3m2 = __nv_cvt_float2_to_fp6x2(x, __NV_E3M2, cudaRoundNearest);
    s.up = __nv_cvt_float2_to_e8m0x2(x, __NV_SATFINITE, cudaRoundPosInf);
    s.down = __nv_cvt_float2_to_e8m0x2(x, __NV_NOSAT, cudaRoundZero);
    s.back[0] = both(__nv_cvt_fp4x2_to_halfraw2((unsigned char)s.e2m1, __NV_E2M1));
    s.back[1] = both(__nv_cvt_fp6x2_to_halfraw2(s.e2m3, __NV_E2M3));
    s.back[2] = both(__nv_cvt_fp6x2_to_halfraw2(s.e3m2, __NV_E3M2));
    __nv_bfloat162_raw b = __nv_cvt_e8m0x2_to_bf162raw(s.up);
    s.back[3] = b.x | (unsigned)b.y << 16;
    return s;
}

__global__ void convert(const float2 *in, small *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = converted(in[blockIdx.x * blockDim.x + threadIdx.x]);
}

template <class T> static T *managed(int n)
{
    T *p;
    OK(cudaMallocManaged(&p, n * sizeof *p));
    memset(p, 0, n * sizeof *p);
    return p;
}

static unsigned next(unsigned *state)
{
    return *state = *state * 1664525u + 1013904223u;
}

int main()
{
    cudaDeviceProp p;
    OK(cudaGetDeviceProperties(&p, 0));
    CHECK(p.major == 10 || p.major == 12);
    eight *a = managed<eight>(32), *b = managed<eight>(32);
    auto *c = managed<longlong4_32a>(32);
    for (int i = 0; i < 32; i++) {
        for (int k = 0; k < 8; k++)
            a[i].v[k] = 100 * i;
        c[i].x = i, c[i].w = 1000;
    }
    wide<<<1, 32>>>(a, b, c);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++) {
        CHECK(b[i].v[0] == 100 * i && b[i].v[7] == 100 * i + 7);
        CHECK(c[i].x == i + 1000 && c[i].w == 1000);
    }

    const int n = 4096;
    unsigned state = 1;
    float2 *x = managed<float2>(n);
    for (int i = 0; i < n; i++)
        for (float *f : {&x[i].x, &x[i].y}) {
            unsigned bits = next(&state);
            if (i % 2) // near what the small formats hold
                bits = (bits & 0x807fffff) | (120 + (bits >> 8) % 16) << 23;
            memcpy(f, &bits, 4);
        }
    small *s = managed<small>(n);
    convert<<<n / 128, 128>>>(x, s);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
        small want = converted(x[i]);
        CHECK(want.e2m1 == s[i].e2m1 && want.e2m3 == s[i].e2m3 && want.e3m2 == s[i].e3m2);
        CHECK(want.up == s[i].up && want.down == s[i].down);
        for (int k = 0; k < 4; k++)
            CHECK(want.back[k] == s[i].back[k]);
    }

    float2 *f = managed<float2>(32), *g = managed<float2>(32);
    for (int i = 0; i < 32; i++)
        f[i] = {(float)i, -2}, g[i] = {2, i / 4.0f};
    pairs<<<1, 32>>>(f, g);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++)
        CHECK(f[i].x == (i * 2 + 2 + i) * 2 && f[i].y == (-2 * (i / 4.0f) + i / 4.0f - 2) * (i / 4.0f));

    int *m = managed<int>(33);
    unsigned *r = managed<unsigned>(32);
    for (int i = 0; i < 33; i++)
        m[i] = (int)next(&state);
    minima<<<1, 32>>>(m, r);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++)
        CHECK(r[i] == clamped(m[i], m[i + 1]));
    puts("blackwell: ok");
}
