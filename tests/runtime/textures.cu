// nvcc: -arch=compute_80
// Textures, surfaces and arrays as programs use them: each result is checked against the host's.
#include "check.cuh"
#include <cmath>
#include <vector>

enum { W = 37, H = 23, D = 5 };

static cudaArray_t array(cudaChannelFormatDesc f, size_t w, size_t h, size_t d = 0, unsigned flags = 0)
{
    cudaArray_t a;
    OK(cudaMalloc3DArray(&a, &f, make_cudaExtent(w, h, d), flags));
    return a;
}
static cudaResourceDesc of(cudaArray_t a)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    return r;
}
static void fill(cudaArray_t a, const void *from, size_t element, size_t w, size_t h, size_t d)
{
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(const_cast<void *>(from), w * element, w, h);
    p.dstArray = a;
    p.extent = make_cudaExtent(w, h, d);
    p.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&p));
}
static cudaTextureObject_t texture(cudaResourceDesc r, cudaTextureDesc d = {})
{
    cudaTextureObject_t t;
    OK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    return t;
}
template <class T> struct Device {
    T *p;
    size_t n;
    explicit Device(size_t n) : n(n) { OK(cudaMalloc(&p, n * sizeof(T))); }
    ~Device() { OK(cudaFree(p)); }
    std::vector<T> get() const
    {
        std::vector<T> v(n);
        OK(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
        return v;
    }
};
static std::vector<float> ramp(size_t n)
{
    std::vector<float> v(n);
    for (size_t i = 0; i < n; i++)
        v[i] = (float)(i * 7 % 101);
    return v;
}

// The programming guide's own: an image turned about its middle.
__global__ void turn(float *out, cudaTextureObject_t t, int w, int h, float angle)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    float u = x / (float)w - 0.5f, v = y / (float)h - 0.5f;
    out[y * w + x] = tex2D<float>(t, u * cosf(angle) - v * sinf(angle) + 0.5f, v * cosf(angle) + u * sinf(angle) + 0.5f);
}
static void rotation()
{
    std::vector<float> in = ramp(W * H);
    cudaArray_t a = array(cudaCreateChannelDesc<float>(), W, H);
    OK(cudaMemcpy2DToArray(a, 0, 0, in.data(), W * 4, W * 4, H, cudaMemcpyHostToDevice));
    cudaTextureDesc d = {};
    d.addressMode[0] = d.addressMode[1] = cudaAddressModeWrap;
    d.filterMode = cudaFilterModeLinear;
    d.normalizedCoords = 1;
    cudaTextureObject_t t = texture(of(a), d);
    Device<float> out(W * H);
    turn<<<dim3(3, 2), dim3(16, 16)>>>(out.p, t, W, H, 0);
    std::vector<float> got = out.get();
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) { // half a texel up and left: the mean of four
            auto at = [&](int i, int j) { return in[(j + H) % H * W + (i + W) % W]; };
            float mean = (at(x, y) + at(x - 1, y) + at(x, y - 1) + at(x - 1, y - 1)) / 4;
            CHECK(fabsf(got[y * W + x] - mean) <= 1);
        }
    turn<<<dim3(3, 2), dim3(16, 16)>>>(out.p, t, W, H, 0.5f);
    OK(cudaDeviceSynchronize());
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(a));
}

__global__ void writeSurface(cudaSurfaceObject_t s)
{
    int x = threadIdx.x, y = blockIdx.x;
    surf2Dwrite(make_uchar4(x, y, x + y, 255), s, x * 4, y);
}
__global__ void readSurface(cudaSurfaceObject_t s, cudaTextureObject_t t, int *wrong)
{
    int x = threadIdx.x, y = blockIdx.x;
    uchar4 a = surf2Dread<uchar4>(s, x * 4, y), b = tex2D<uchar4>(t, x, y);
    uchar4 outside = surf2Dread<uchar4>(s, -4, y, cudaBoundaryModeZero), edge = surf2Dread<uchar4>(s, 4000, y, cudaBoundaryModeClamp);
    if (a.x != x || a.y != y || a.z != x + y || a.w != 255 || b.x != a.x || b.z != a.z || outside.w || edge.x != W - 1)
        atomicAdd(wrong, 1);
}
__global__ void countUp(cudaSurfaceObject_t s)
{
    asm volatile("sured.b.add.2d.u32.trap [%0, {%1, %2}], %3;" ::"l"(s), "r"(4), "r"(1), "r"(threadIdx.x) : "memory");
    asm volatile("sured.b.max.2d.s32.clamp [%0, {%1, %2}], %3;" ::"l"(s), "r"(8), "r"(1), "r"(threadIdx.x) : "memory");
    asm volatile("sust.p.2d.b32.trap [%0, {%1, %2}], {%3};" ::"l"(s), "r"(threadIdx.x % 4), "r"(0), "r"(7) : "memory");
}
/* 64 bits at once: of -1 and a thread's number, with and without a sign. */
__global__ void extremes(cudaSurfaceObject_t s)
{
    long long v = (long long)threadIdx.x - 1;
    asm volatile("sured.b.min.1d.s64.trap [%0, %1], %2;" ::"l"(s), "r"(0), "l"(v) : "memory");
    asm volatile("sured.b.max.1d.s64.trap [%0, %1], %2;" ::"l"(s), "r"(8), "l"(v) : "memory");
    asm volatile("sured.b.min.1d.u64.trap [%0, %1], %2;" ::"l"(s), "r"(16), "l"(v) : "memory");
    asm volatile("sured.b.max.1d.u64.trap [%0, %1], %2;" ::"l"(s), "r"(24), "l"(v) : "memory");
}
static void wideReductions()
{
    cudaArray_t a = array(cudaCreateChannelDesc<int2>(), 4, 0, 0, cudaArraySurfaceLoadStore);
    long long got[4] = {1, 1, 1LL << 40, 1};
    cudaResourceDesc r = of(a);
    cudaSurfaceObject_t s;
    OK(cudaMemcpy2DToArray(a, 0, 0, got, 32, 32, 1, cudaMemcpyHostToDevice));
    OK(cudaCreateSurfaceObject(&s, &r));
    extremes<<<1, 4>>>(s);
    OK(cudaMemcpy2DFromArray(got, 32, a, 0, 0, 32, 1, cudaMemcpyDeviceToHost));
    CHECK(got[0] == -1 && got[1] == 2 && got[2] == 0 && got[3] == -1);
    OK(cudaDestroySurfaceObject(s));
    OK(cudaFreeArray(a));
}
static void surfaces()
{
    cudaArray_t a = array(cudaCreateChannelDesc<uchar4>(), W, H, 0, cudaArraySurfaceLoadStore);
    cudaResourceDesc r = of(a);
    cudaSurfaceObject_t s;
    OK(cudaCreateSurfaceObject(&s, &r));
    cudaTextureObject_t t = texture(r);
    Device<int> wrong(1);
    OK(cudaMemset(wrong.p, 0, 4));
    writeSurface<<<H, W>>>(s);
    readSurface<<<H, W>>>(s, t, wrong.p);
    CHECK(wrong.get()[0] == 0);
    OK(cudaDestroySurfaceObject(s));
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(a));
    a = array(cudaCreateChannelDesc<int>(), 4, 2, 0, cudaArraySurfaceLoadStore);
    int zero[8] = {}, got[8];
    fill(a, zero, 4, 4, 2, 1);
    r = of(a);
    OK(cudaCreateSurfaceObject(&s, &r));
    countUp<<<1, 4>>>(s);
    OK(cudaMemcpy2DFromArray(got, 16, a, 0, 0, 16, 2, cudaMemcpyDeviceToHost));
    CHECK(got[0] == 7 && got[3] == 7 && got[5] == 6 && got[6] == 3 && got[4] == 0);
    OK(cudaDestroySurfaceObject(s));
    OK(cudaFreeArray(a));
}

template <class F> __global__ void each(float *out, F f) { out[blockIdx.x * blockDim.x + threadIdx.x] = f(threadIdx.x, blockIdx.x); }

struct In3d { cudaTextureObject_t t; __device__ float operator()(int x, int z) const { return tex3D<float>(t, x + 0.5f, 1.5f, z + 1.0f); } };
struct Layer { cudaTextureObject_t t; __device__ float operator()(int x, int l) const { return tex2DLayered<float>(t, x, 2, l); } };
struct Line { cudaTextureObject_t t; __device__ float operator()(int x, int l) const { return tex1DLayered<float>(t, x, l); } };
struct Face {
    cudaTextureObject_t t;
    __device__ float operator()(int i, int f) const
    {
        float s = f % 2 ? -1.f : 1.f, u = i % 2 ? 0.5f : -0.5f;
        return f < 2 ? texCubemap<float>(t, s, u, u) : f < 4 ? texCubemap<float>(t, u, s, u) : texCubemap<float>(t, u, u, s);
    }
};
struct Level { cudaTextureObject_t t; __device__ float operator()(int x, int l) const { return tex2DLod<float>(t, (x + 0.5f) / 4, 0.5f, l); } };
struct Steep { cudaTextureObject_t t; __device__ float operator()(int x, int l) const { return tex2DGrad<float>(t, 0.4f, 0.4f, make_float2((1 << l) / 8.0f, 0), make_float2(0, 0)); } };
struct Linear { cudaTextureObject_t t; __device__ float operator()(int x, int y) const { return tex1Dfetch<float>(t, y * W + x); } };
struct Pitched { cudaTextureObject_t t; __device__ float operator()(int x, int y) const { return tex2D<float>(t, x, y); } };
struct Gathered { cudaTextureObject_t t; __device__ float operator()(int x, int y) const { float4 g = tex2Dgather<float4>(t, x + 1, y + 1, 0); return g.x + g.y + g.z + g.w; } };
struct Resident { cudaTextureObject_t t; __device__ float operator()(int x, int y) const { bool is; float v = tex2D<float>(t, x, y, &is); return is ? v : -1; } };
struct Fraction { cudaTextureObject_t t; __device__ float operator()(int x, int y) const { return tex2D<float>(t, x, y); } };

template <class F> static std::vector<float> run(F f, int blocks, int threads)
{
    Device<float> out(blocks * threads);
    each<<<blocks, threads>>>(out.p, f);
    return out.get();
}

static void volumes()
{
    std::vector<float> in = ramp(W * H * 6);
    cudaTextureDesc linear = {};
    linear.filterMode = cudaFilterModeLinear;
    for (int i = 0; i < 3; i++)
        linear.addressMode[i] = cudaAddressModeClamp;
    cudaArray_t a = array(cudaCreateChannelDesc<float>(), W, H, D);
    fill(a, in.data(), 4, W, H, D);
    cudaTextureObject_t t = texture(of(a), linear);
    std::vector<float> got = run(In3d{t}, D - 1, W);
    for (int z = 0; z < D - 1; z++)
        for (int x = 0; x < W; x++)
            CHECK(got[z * W + x] == (in[(z * H + 1) * W + x] + in[((z + 1) * H + 1) * W + x]) / 2);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(a));
    a = array(cudaCreateChannelDesc<float>(), W, H, D, cudaArrayLayered);
    fill(a, in.data(), 4, W, H, D);
    t = texture(of(a));
    got = run(Layer{t}, D, W);
    for (int i = 0; i < D * W; i++)
        CHECK(got[i] == in[(i / W * H + 2) * W + i % W]);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(a));
    a = array(cudaCreateChannelDesc<float>(), W, 0, D, cudaArrayLayered);
    fill(a, in.data(), 4, W, 1, D);
    t = texture(of(a));
    got = run(Line{t}, D, W);
    for (int i = 0; i < D * W; i++)
        CHECK(got[i] == in[i]);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(a));
    float faces[24];
    for (int i = 0; i < 24; i++)
        faces[i] = (float)i;
    a = array(cudaCreateChannelDesc<float>(), 2, 2, 6, cudaArrayCubemap);
    fill(a, faces, 4, 2, 2, 6);
    cudaTextureDesc normalised = {};
    normalised.normalizedCoords = 1;
    t = texture(of(a), normalised);
    got = run(Face{t}, 6, 2);
    static const float expected[12] = {3, 0, 6, 5, 8, 11, 14, 13, 18, 17, 23, 20};
    for (int i = 0; i < 12; i++)
        CHECK((int)got[i] / 4 == i / 2 && got[i] == expected[i]);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(a));
}

static void levels()
{
    cudaMipmappedArray_t m;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    OK(cudaMallocMipmappedArray(&m, &f, make_cudaExtent(8, 8, 0), 4, cudaArraySurfaceLoadStore));
    for (int l = 0; l < 4; l++) {
        cudaArray_t a;
        OK(cudaGetMipmappedArrayLevel(&a, m, l));
        std::vector<float> v(64 >> 2 * l, (float)(l + 1));
        fill(a, v.data(), 4, 8 >> l, 8 >> l, 1);
    }
    cudaArray_t none;
    GIVES(cudaGetMipmappedArrayLevel(&none, m, 4), cudaErrorInvalidValue);
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = m;
    cudaTextureDesc d = {};
    d.normalizedCoords = 1;
    d.filterMode = d.mipmapFilterMode = cudaFilterModeLinear;
    d.maxMipmapLevelClamp = 3;
    cudaTextureObject_t t = texture(r, d);
    std::vector<float> got = run(Level{t}, 5, 4), steep = run(Steep{t}, 4, 1);
    for (int i = 0; i < 20; i++)
        CHECK(got[i] == (float)(i / 4 < 3 ? i / 4 + 1 : 4));
    for (int l = 0; l < 4; l++)
        CHECK(steep[l] == (float)(l + 1));
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeMipmappedArray(m));
}

static void linearMemory()
{
    std::vector<float> in = ramp(W * H);
    Device<float> flat(W * H);
    OK(cudaMemcpy(flat.p, in.data(), W * H * 4, cudaMemcpyHostToDevice));
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = flat.p;
    r.res.linear.desc = cudaCreateChannelDesc<float>();
    r.res.linear.sizeInBytes = W * H * 4;
    cudaTextureObject_t t = texture(r);
    CHECK(run(Linear{t}, H, W) == in);
    OK(cudaDestroyTextureObject(t));
    float *p;
    size_t pitch;
    OK(cudaMallocPitch(&p, &pitch, W * 4, H));
    OK(cudaMemcpy2D(p, pitch, in.data(), W * 4, W * 4, H, cudaMemcpyHostToDevice));
    r = {};
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = p;
    r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    r.res.pitch2D.width = W;
    r.res.pitch2D.height = H;
    r.res.pitch2D.pitchInBytes = pitch;
    t = texture(r);
    CHECK(run(Pitched{t}, H, W) == in);
    CHECK(run(Resident{t}, H, W) == in);
    cudaResourceDesc back;
    OK(cudaGetTextureObjectResourceDesc(&back, t));
    CHECK(back.res.pitch2D.devPtr == p && back.res.pitch2D.width == W);
    OK(cudaDestroyTextureObject(t));
    GIVES(cudaGetTextureObjectResourceDesc(&back, t), cudaErrorInvalidValue);
    OK(cudaFree(p));
    cudaArray_t a = array(cudaCreateChannelDesc<float>(), W, H, 0, cudaArrayTextureGather);
    fill(a, in.data(), 4, W, H, 1);
    t = texture(of(a));
    std::vector<float> got = run(Gathered{t}, H - 1, W - 1);
    for (int y = 0; y < H - 1; y++)
        for (int x = 0; x < W - 1; x++)
            CHECK(got[y * (W - 1) + x] == in[y * W + x] + in[y * W + x + 1] + in[(y + 1) * W + x] + in[(y + 1) * W + x + 1]);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(a));
}

static void fractions()
{
    short in[4] = {-32768, -32767, 0, 32767};
    cudaArray_t a = array(cudaCreateChannelDesc<short>(), 4, 1);
    fill(a, in, 2, 4, 1, 1);
    cudaTextureDesc d = {};
    d.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t t = texture(of(a), d);
    std::vector<float> got = run(Fraction{t}, 1, 4);
    CHECK(got[0] == -1 && got[1] == -1 && got[2] == 0 && got[3] == 1);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(a));
}

// Copies between arrays, and the old forms, which run on from row to row.
static void copies()
{
    std::vector<float> in = ramp(W * H), out(W * H);
    cudaArray_t a = array(cudaCreateChannelDesc<float>(), W, H), b = array(cudaCreateChannelDesc<float>(), W, H);
    cudaStream_t s;
    OK(cudaStreamCreate(&s));
    OK(cudaMemcpy2DToArrayAsync(a, 0, 0, in.data(), W * 4, W * 4, H, cudaMemcpyHostToDevice, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, W * 4, H, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpy2DFromArray(out.data(), W * 4, b, 0, 0, W * 4, H, cudaMemcpyDeviceToHost));
    CHECK(out == in);
    cudaExtent e;
    cudaChannelFormatDesc f;
    unsigned flags;
    OK(cudaArrayGetInfo(&f, &e, &flags, a));
    CHECK(e.width == W && e.height == H && e.depth == 0 && f.x == 32 && f.f == cudaChannelFormatKindFloat);
    GIVES(cudaMemcpy2DToArray(a, 4, 0, in.data(), W * 4, W * 4, H, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    OK(cudaStreamDestroy(s));
    OK(cudaFreeArray(a));
    OK(cudaFreeArray(b));
}

// Results as pairs of halves: each is what the float rounds to, beyond the range of halves, too; of one channel the rest is 0.
__global__ void pairs(cudaTextureObject_t t, int channels, int *wrong)
{
    float x = threadIdx.x * 0.37f, y = threadIdx.y * 0.41f, a, b, c, d;
    unsigned low, high, first, second;
    asm volatile("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "f"(x), "f"(y));
    asm volatile("tex.2d.v2.f16x2.f32 {%0, %1}, [%2, {%3, %4}];" : "=r"(low), "=r"(high) : "l"(t), "f"(x), "f"(y));
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(first) : "f"(b), "f"(a));
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(second) : "f"(d), "f"(c));
    if (low != first || high != second || (channels == 1 && (low >> 16 || high)))
        atomicAdd(wrong, 1);
}
static void halves()
{
    for (int channels : {1, 4})
        for (cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
            std::vector<float> in = ramp(8 * 8 * channels);
            for (size_t i = 0; i < in.size(); i++)
                in[i] = i % 3 ? in[i] * -1237.7f : in[i] / 7;
            cudaArray_t a = array(channels == 1 ? cudaCreateChannelDesc<float>() : cudaCreateChannelDesc<float4>(), 8, 8);
            OK(cudaMemcpy2DToArray(a, 0, 0, in.data(), 32 * channels, 32 * channels, 8, cudaMemcpyHostToDevice));
            cudaTextureDesc d = {};
            d.filterMode = filter;
            cudaTextureObject_t t = texture(of(a), d);
            Device<int> wrong(1);
            OK(cudaMemset(wrong.p, 0, 4));
            pairs<<<1, dim3(16, 16)>>>(t, channels, wrong.p);
            CHECK(wrong.get()[0] == 0);
            OK(cudaDestroyTextureObject(t));
            OK(cudaFreeArray(a));
        }
}

int main()
{
    rotation();
    halves();
    surfaces();
    wideReductions();
    volumes();
    levels();
    linearMemory();
    fractions();
    copies();
    printf("textures ok\n");
    return 0;
}
