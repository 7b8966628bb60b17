// nvcc: -std=c++20 -w
// What texture fetches give, one case a line: the same program runs on a real GPU and on softgpu, and the two
// outputs are compared (texture_facts.gpu.txt: recorded on the device named in its first line). Each line has the
// bits of the results at some 40 places that the case's number and name decide.
//
//   nvcc -arch=compute_75 -cudart shared -o texture_facts texture_facts.cu && ./texture_facts [PLACES [PATTERN]]
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define OK(call)                                                                                                       \
    do {                                                                                                               \
        cudaError_t e_ = (call);                                                                                       \
        if (e_ != cudaSuccess) {                                                                                       \
            printf("%s: %s gives %s\n", c.name, #call, cudaGetErrorName(e_));                                          \
            return;                                                                                                    \
        }                                                                                                              \
    } while (0)

enum Op {
    FETCH, T1, T1LOD, T1GRAD, T2, T2LOD, T2GRAD, GATHER0, GATHER1, GATHER2, GATHER3, T3, T3LOD, T3GRAD, A1, A1LOD, A1GRAD,
    A2, A2LOD, A2GRAD, CUBE, CUBELOD, CUBEGRAD, ACUBE, ACUBELOD
};
enum Where { LINEAR, PITCH, ARRAY };
enum Format { F32, F16, U8, S8, U16, S16, U32, S32 };
enum Values { RANDOM, STEPS, WIDE, COUNT };

struct Case {
    const char *name;
    Op op;
    Where where = ARRAY;
    Format format = F32;
    int channels = 1;
    int w = 8, h = 0, d = 0, levels = 0;
    unsigned flags = 0;
    Values values = RANDOM;
    bool linear = false, normalised = false, asFloat = false, srgb = false;
    cudaTextureAddressMode mode = cudaAddressModeClamp;
    float lo = -2, hi = 10;        // of coordinates
    bool mipLinear = false;
    float lodLo = -1, lodHi = 5, bias = 0, minClamp = 0, maxClamp = 100;
    bool seamless = false;
    float border[4] = {0, 0, 0, 0};
};

// A number that depends on both alone.
static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = a * 0x9e3779b97f4a7c15 + b * 0xbf58476d1ce4e5b9 + 0x94d049bb133111eb;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}
static float unit(uint64_t a, uint64_t b) { return (float)(mix(a, b) >> 40) / 16777216.0f; }

struct Place { float c[4], dx[4], dy[4], lod; };

static Place placeOf(const Case &c, int i)
{
    Place p = {};
    for (int k = 0; k < 4; k++) {
        float u = unit(i, 10 + k), range = c.hi - c.lo;
        p.c[k] = c.lo + range * u;
        if (i % 8 == 1) { // close to where texels meet, or on it
            float n = c.normalised ? (float)(k == 0 ? c.w : k == 1 ? c.h : c.d) : 1.0f;
            p.c[k] = rintf(p.c[k] * n * 2) / 2 / n;
            uint64_t r = mix(i, 20 + k) % 5;
            for (uint64_t s = 0; s < r; s++)
                p.c[k] = nextafterf(p.c[k], r & 1 ? 1e9f : -1e9f);
        }
        p.dx[k] = (unit(i, 30 + k) - 0.5f) * exp2f(8 * unit(i, 40) - 4) * (c.normalised ? 1.0f / 8 : 1.0f);
        p.dy[k] = (unit(i, 50 + k) - 0.5f) * exp2f(8 * unit(i, 60) - 4) * (c.normalised ? 1.0f / 8 : 1.0f);
    }
    p.lod = c.lodLo + (c.lodHi - c.lodLo) * unit(i, 70);
    if (i % 16 == 3)
        p.lod = rintf(p.lod);
    bool plain = c.op <= T2GRAD || (c.op >= T3 && c.op <= T3GRAD);
    static const float odd[] = {NAN, INFINITY, -INFINITY, -0.0f, 1e10f, -1e10f, 1e-40f, 16777216.0f, -1e-7f};
    if (plain && i < 9 && c.op != FETCH)
        p.c[0] = odd[i];
    return p;
}

template <class V> __device__ V at(Op op, cudaTextureObject_t t, const Place &p)
{
    float x = p.c[0], y = p.c[1], z = p.c[2];
    int l = (int)floorf(p.c[3]);
    switch (op) {
    case FETCH: return tex1Dfetch<V>(t, (int)floorf(x));
    case T1: return tex1D<V>(t, x);
    case T1LOD: return tex1DLod<V>(t, x, p.lod);
    case T1GRAD: return tex1DGrad<V>(t, x, p.dx[0], p.dy[0]);
    case T2: return tex2D<V>(t, x, y);
    case T2LOD: return tex2DLod<V>(t, x, y, p.lod);
    case T2GRAD: return tex2DGrad<V>(t, x, y, make_float2(p.dx[0], p.dx[1]), make_float2(p.dy[0], p.dy[1]));
    case GATHER0: return tex2Dgather<V>(t, x, y, 0);
    case GATHER1: return tex2Dgather<V>(t, x, y, 1);
    case GATHER2: return tex2Dgather<V>(t, x, y, 2);
    case GATHER3: return tex2Dgather<V>(t, x, y, 3);
    case T3: return tex3D<V>(t, x, y, z);
    case T3LOD: return tex3DLod<V>(t, x, y, z, p.lod);
    case T3GRAD:
        return tex3DGrad<V>(t, x, y, z, make_float4(p.dx[0], p.dx[1], p.dx[2], 0), make_float4(p.dy[0], p.dy[1], p.dy[2], 0));
    case A1: return tex1DLayered<V>(t, x, l);
    case A1LOD: return tex1DLayeredLod<V>(t, x, l, p.lod);
    case A1GRAD: return tex1DLayeredGrad<V>(t, x, l, p.dx[0], p.dy[0]);
    case A2: return tex2DLayered<V>(t, x, y, l);
    case A2LOD: return tex2DLayeredLod<V>(t, x, y, l, p.lod);
    case A2GRAD: return tex2DLayeredGrad<V>(t, x, y, l, make_float2(p.dx[0], p.dx[1]), make_float2(p.dy[0], p.dy[1]));
    case CUBE: return texCubemap<V>(t, x, y, z);
    case CUBELOD: return texCubemapLod<V>(t, x, y, z, p.lod);
    case CUBEGRAD:
        return texCubemapGrad<V>(t, x, y, z, make_float4(p.dx[0], p.dx[1], p.dx[2], 0), make_float4(p.dy[0], p.dy[1], p.dy[2], 0));
    case ACUBE: return texCubemapLayered<V>(t, x, y, z, l);
    default: return texCubemapLayeredLod<V>(t, x, y, z, l, p.lod);
    }
}

template <class V> __global__ void fetch(Op op, cudaTextureObject_t t, const Place *p, V *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = at<V>(op, t, p[i]);
}

static const int bytesOf[] = {4, 2, 1, 1, 2, 2, 4, 4};
static const cudaChannelFormatKind kindOf[] = {cudaChannelFormatKindFloat, cudaChannelFormatKindFloat,
    cudaChannelFormatKindUnsigned, cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned,
    cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindSigned};

static void fill(std::vector<uint8_t> &to, const Case &c, size_t elements, uint64_t seed)
{
    to.resize(elements * c.channels * bytesOf[c.format]);
    for (size_t i = 0; i < elements * c.channels; i++) {
        uint64_t r = mix(i, seed + 1000);
        if (c.format == F32) {
            float f = c.values == STEPS ? (float)(i / c.channels % 2) : unit(i, seed + 1000) * 2 - 1;
            if (c.values == WIDE)
                f = ldexpf(f, (int)(r % 40) - 20);
            memcpy(&to[i * 4], &f, 4);
        } else if (c.format == F16) { // finite
            uint16_t v = (uint16_t)(r & 0xbfff);
            memcpy(&to[i * 2], &v, 2);
        } else {
            if (c.values == STEPS)
                r = i / c.channels % 2 ? 0x7fffffff : 0;
            if (c.values == COUNT)
                r = i;
            memcpy(&to[i * bytesOf[c.format]], &r, bytesOf[c.format]);
        }
    }
}

static cudaChannelFormatDesc channelsOf(const Case &c)
{
    int b = bytesOf[c.format] * 8;
    return cudaCreateChannelDesc(b, c.channels > 1 ? b : 0, c.channels > 2 ? b : 0, c.channels > 3 ? b : 0, kindOf[c.format]);
}

static void fillArray(const Case &c, cudaArray_t array, uint64_t seed, cudaError_t &e)
{
    cudaExtent x;
    cudaChannelFormatDesc f;
    unsigned flags;
    cudaArrayGetInfo(&f, &x, &flags, array);
    if (!x.height) x.height = 1;
    if (!x.depth) x.depth = 1;
    std::vector<uint8_t> v;
    fill(v, c, x.width * x.height * x.depth, seed);
    cudaMemcpy3DParms p = {};
    size_t row = x.width * c.channels * bytesOf[c.format];
    p.srcPtr = make_cudaPitchedPtr(v.data(), row, x.width, x.height);
    p.dstArray = array;
    p.extent = x;
    p.kind = cudaMemcpyHostToDevice;
    e = cudaMemcpy3D(&p);
}

template <class V> static void show(const Case &c, cudaTextureObject_t t, const std::vector<Place> &places)
{
    int n = (int)places.size();
    Place *p;
    V *out;
    std::vector<V> got(n);
    OK(cudaMalloc(&p, n * sizeof *p));
    OK(cudaMalloc(&out, n * sizeof *out));
    OK(cudaMemcpy(p, places.data(), n * sizeof *p, cudaMemcpyHostToDevice));
    fetch<<<(n + 63) / 64, 64>>>(c.op, t, p, out, n);
    OK(cudaMemcpy(got.data(), out, n * sizeof *out, cudaMemcpyDeviceToHost));
    OK(cudaFree(p));
    OK(cudaFree(out));
    printf("%s:", c.name);
    bool gather = c.op >= GATHER0 && c.op <= GATHER3;
    for (int i = 0; i < n; i++) {
        uint32_t w[4];
        memcpy(w, &got[i], 16);
        for (int k = 0; k < (gather ? 4 : c.channels); k++)
            printf("%c%x", k ? ',' : ' ', w[k]);
    }
    printf("\n");
}

static void run(const Case &c, int n)
{
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaChannelFormatDesc f = channelsOf(c);
    cudaExtent extent = make_cudaExtent(c.w, c.h, c.d);
    std::vector<uint8_t> v;
    void *memory = nullptr;
    cudaArray_t array = nullptr;
    cudaMipmappedArray_t mip = nullptr;
    size_t element = c.channels * bytesOf[c.format];
    if (c.where == LINEAR) {
        fill(v, c, c.w, 0);
        OK(cudaMalloc(&memory, v.size()));
        OK(cudaMemcpy(memory, v.data(), v.size(), cudaMemcpyHostToDevice));
        r.resType = cudaResourceTypeLinear;
        r.res.linear.devPtr = memory;
        r.res.linear.desc = f;
        r.res.linear.sizeInBytes = v.size();
    } else if (c.where == PITCH) {
        fill(v, c, c.w * c.h, 0);
        size_t pitch;
        OK(cudaMallocPitch(&memory, &pitch, c.w * element, c.h));
        OK(cudaMemcpy2D(memory, pitch, v.data(), c.w * element, c.w * element, c.h, cudaMemcpyHostToDevice));
        r.resType = cudaResourceTypePitch2D;
        r.res.pitch2D.devPtr = memory;
        r.res.pitch2D.desc = f;
        r.res.pitch2D.width = c.w;
        r.res.pitch2D.height = c.h;
        r.res.pitch2D.pitchInBytes = pitch;
    } else if (c.levels) {
        OK(cudaMallocMipmappedArray(&mip, &f, extent, c.levels, c.flags));
        for (int l = 0; l < c.levels; l++) {
            cudaError_t e;
            OK(cudaGetMipmappedArrayLevel(&array, mip, l));
            fillArray(c, array, l, e);
            OK(e);
        }
        r.resType = cudaResourceTypeMipmappedArray;
        r.res.mipmap.mipmap = mip;
    } else {
        cudaError_t e;
        OK(cudaMalloc3DArray(&array, &f, extent, c.flags));
        fillArray(c, array, 0, e);
        OK(e);
        r.resType = cudaResourceTypeArray;
        r.res.array.array = array;
    }
    for (int k = 0; k < 3; k++)
        d.addressMode[k] = c.mode;
    d.filterMode = c.linear ? cudaFilterModeLinear : cudaFilterModePoint;
    d.readMode = c.asFloat ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    d.normalizedCoords = c.normalised;
    d.sRGB = c.srgb;
    d.mipmapFilterMode = c.mipLinear ? cudaFilterModeLinear : cudaFilterModePoint;
    d.mipmapLevelBias = c.bias;
    d.minMipmapLevelClamp = c.minClamp;
    d.maxMipmapLevelClamp = c.maxClamp;
    d.seamlessCubemap = c.seamless;
    memcpy(d.borderColor, c.border, sizeof c.border);
    cudaTextureObject_t t;
    OK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    std::vector<Place> places(n);
    for (int i = 0; i < n; i++)
        places[i] = placeOf(c, i);
    if (c.asFloat || c.format == F32 || c.format == F16)
        show<float4>(c, t, places);
    else if (c.format == S8 || c.format == S16 || c.format == S32)
        show<int4>(c, t, places);
    else
        show<uint4>(c, t, places);
    OK(cudaDestroyTextureObject(t));
    if (memory) OK(cudaFree(memory));
    if (mip) OK(cudaFreeMipmappedArray(mip));
    else if (array) OK(cudaFreeArray(array));
}

static std::vector<Case> cases()
{
    std::vector<Case> all;
    auto add = [&](Case c) { all.push_back(c); };
    static const cudaTextureAddressMode modes[] = {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror,
                                                   cudaAddressModeBorder};
    static const char *modeNames[] = {"wrap", "clamp", "mirror", "border"};
    static const char *formats[] = {"f32", "f16", "u8", "s8", "u16", "s16", "u32", "s32"};
    auto name = [](auto... parts) {
        static char room[64 * 1024];
        static size_t used;
        char *at = room + used;
        used += 1 + snprintf(at, 200, parts...);
        return (const char *)at;
    };
    add({.name = "1d weights", .op = T1, .values = STEPS, .linear = true});
    add({.name = "1d values", .op = T1, .linear = true});
    add({.name = "1d wide values", .op = T1, .values = WIDE, .linear = true});
    add({.name = "2d weights", .op = T2, .w = 2, .h = 2, .values = STEPS, .linear = true, .lo = -1, .hi = 3});
    add({.name = "2d values", .op = T2, .w = 8, .h = 8, .linear = true});
    add({.name = "2d wide values", .op = T2, .w = 8, .h = 8, .values = WIDE, .linear = true});
    add({.name = "3d values", .op = T3, .w = 4, .h = 4, .d = 4, .linear = true, .lo = -1, .hi = 5});
    add({.name = "3d point", .op = T3, .w = 4, .h = 4, .d = 4, .lo = -1, .hi = 5});
    for (int m = 0; m < 4; m++)
        for (int normal = 0; normal < 2; normal++)
            for (int linear = 0; linear < 2; linear++)
                for (int w : {8, 13}) {
                    Case c = {.name = name("1d of %d, %s%s%s", w, modeNames[m], normal ? ", normalised" : "", linear ? ", linear" : ""),
                              .op = T1, .w = w, .values = STEPS, .linear = linear != 0, .normalised = normal != 0, .mode = modes[m]};
                    c.lo = normal ? -2.5f : -3;
                    c.hi = normal ? 2.5f : w + 3.0f;
                    c.border[0] = 7;
                    if (!linear)
                        c.values = RANDOM;
                    add(c);
                }
    for (int m = 0; m < 4; m++) {
        Case c = {.name = name("2d of 5 by 12, %s, normalised, linear", modeNames[m]), .op = T2, .w = 5, .h = 12, .linear = true,
                  .normalised = true, .mode = modes[m], .lo = -1.5f, .hi = 2.5f};
        c.border[0] = 7;
        add(c);
    }
    for (int f = F16; f <= S16; f++)
        for (int linear = 0; linear < 2; linear++)
            for (int two = 0; two < 2; two++) {
                Case c = {.name = name("%dd of %s as float%s", two + 1, formats[f], linear ? ", linear" : ""), .op = two ? T2 : T1,
                          .format = (Format)f, .channels = two ? 4 : 1, .w = 8, .h = two ? 8 : 0, .linear = linear != 0,
                          .asFloat = f != F16};
                add(c);
            }
    for (int f = U8; f <= S32; f++)
        add({.name = name("2d of %s", formats[f]), .op = T2, .format = (Format)f, .channels = f % 2 ? 2 : 4, .w = 8, .h = 8});
    add({.name = "2d of u8, sRGB", .op = T2, .format = U8, .channels = 4, .w = 16, .h = 16, .asFloat = true, .srgb = true, .lo = 0, .hi = 16});
    add({.name = "2d of u8, sRGB, linear", .op = T2, .format = U8, .channels = 4, .w = 16, .h = 16, .linear = true, .asFloat = true,
         .srgb = true, .lo = 0, .hi = 16});
    add({.name = "1d of u8, sRGB, all", .op = T1, .format = U8, .w = 256, .values = COUNT, .asFloat = true, .srgb = true, .lo = 0, .hi = 256});
    add({.name = "1d of s8, all, linear", .op = T1, .format = S8, .w = 256, .values = COUNT, .linear = true, .asFloat = true, .lo = 0, .hi = 256});
    for (int ch = 1; ch <= 4; ch *= 2) {
        Case c = {.name = name("2d of %d u8, border", ch), .op = T2, .format = U8, .channels = ch, .w = 4, .h = 4, .mode = cudaAddressModeBorder};
        c.border[0] = 1, c.border[1] = 0.3f, c.border[2] = 300, c.border[3] = -1;
        add(c);
        c.name = name("2d of %d u8 as float, border", ch);
        c.asFloat = true;
        add(c);
        c.name = name("2d of %d u8 as float, border, linear", ch);
        c.linear = true;
        c.border[0] = 0.7f, c.border[2] = 1.5f;
        add(c);
    }
    Case u32b = {.name = "2d of u32, border", .op = T2, .format = U32, .channels = 4, .w = 4, .h = 4, .mode = cudaAddressModeBorder};
    u32b.border[0] = 1, u32b.border[1] = 0.3f, u32b.border[2] = 300, u32b.border[3] = -1;
    add(u32b);
    Case s16b = {.name = "2d of s16, border", .op = T2, .format = S16, .channels = 4, .w = 4, .h = 4, .mode = cudaAddressModeBorder};
    s16b.border[0] = 1, s16b.border[1] = 0.3f, s16b.border[2] = 70000, s16b.border[3] = -1;
    add(s16b);
    add({.name = "fetch of linear f32", .op = FETCH, .where = LINEAR, .w = 16, .lo = -3, .hi = 20});
    add({.name = "fetch of linear u8", .op = FETCH, .where = LINEAR, .format = U8, .channels = 4, .w = 16, .lo = -3, .hi = 20});
    add({.name = "fetch of linear u8 as float", .op = FETCH, .where = LINEAR, .format = U8, .channels = 4, .w = 16, .asFloat = true, .lo = -3, .hi = 20});
    for (int linear = 0; linear < 2; linear++)
        for (int m = 1; m < 4; m += 2)
            add({.name = name("pitch, %s%s", modeNames[m], linear ? ", linear" : ""), .op = T2, .where = PITCH, .w = 9, .h = 7, .linear = linear != 0, .mode = modes[m]});
    add({.name = "pitch, wrap, normalised, linear", .op = T2, .where = PITCH, .w = 9, .h = 7, .linear = true, .normalised = true,
         .mode = cudaAddressModeWrap, .lo = -2, .hi = 2});
    add({.name = "gather 0", .op = GATHER0, .channels = 4, .w = 8, .h = 8, .flags = cudaArrayTextureGather});
    add({.name = "gather 2", .op = GATHER2, .channels = 4, .w = 8, .h = 8, .flags = cudaArrayTextureGather});
    add({.name = "gather 1 of u8", .op = GATHER1, .format = U8, .channels = 4, .w = 8, .h = 8, .flags = cudaArrayTextureGather});
    add({.name = "gather 3 of u8 as float, normalised, wrap", .op = GATHER3, .format = U8, .channels = 4, .w = 8, .h = 8,
         .flags = cudaArrayTextureGather, .normalised = true, .asFloat = true, .mode = cudaAddressModeWrap, .lo = -2, .hi = 2});
    add({.name = "layered 1d", .op = A1, .w = 8, .d = 5, .flags = cudaArrayLayered});
    add({.name = "layered 1d, linear", .op = A1, .w = 8, .d = 5, .flags = cudaArrayLayered, .linear = true});
    add({.name = "layered 2d", .op = A2, .w = 8, .h = 8, .d = 5, .flags = cudaArrayLayered});
    add({.name = "layered 2d, linear", .op = A2, .w = 8, .h = 8, .d = 5, .flags = cudaArrayLayered, .linear = true});
    for (int s = 0; s < 4; s++)
        add({.name = name("cube%s%s", s & 1 ? ", linear" : "", s & 2 ? ", seamless" : ""), .op = CUBE, .w = 4, .h = 4, .d = 6,
             .flags = cudaArrayCubemap, .linear = (s & 1) != 0, .normalised = true, .lo = -1, .hi = 1, .seamless = (s & 2) != 0});
    add({.name = "layered cube, linear", .op = ACUBE, .w = 4, .h = 4, .d = 18, .flags = cudaArrayCubemap | cudaArrayLayered, .linear = true,
         .normalised = true, .lo = -2, .hi = 4});
    for (int s = 0; s < 4; s++) {
        Case c = {.name = name("2d levels%s%s", s & 1 ? ", linear" : "", s & 2 ? ", between levels" : ""), .op = T2LOD, .w = 16, .h = 16, .levels = 5,
                  .linear = (s & 1) != 0, .normalised = true, .lo = 0, .hi = 1, .mipLinear = (s & 2) != 0};
        add(c);
        c.name = name("2d gradients%s%s", s & 1 ? ", linear" : "", s & 2 ? ", between levels" : "");
        c.op = T2GRAD;
        add(c);
    }
    Case bias = {.name = "2d levels, bias and clamps", .op = T2LOD, .w = 16, .h = 8, .levels = 5, .linear = true, .normalised = true,
                 .lo = 0, .hi = 1, .mipLinear = true, .lodLo = -2, .lodHi = 6, .bias = 0.7f, .minClamp = 0.6f, .maxClamp = 3.3f};
    add(bias);
    bias.name = "2d gradients, bias and clamps";
    bias.op = T2GRAD;
    add(bias);
    add({.name = "1d weights between levels", .op = T1LOD, .w = 16, .levels = 5, .values = RANDOM, .linear = false, .normalised = true, .lo = 0, .hi = 1, .mipLinear = true});
    add({.name = "1d gradients", .op = T1GRAD, .w = 16, .levels = 5, .normalised = true, .lo = 0, .hi = 1, .mipLinear = true});
    add({.name = "2d without levels, level", .op = T2LOD, .w = 8, .h = 8, .linear = true});
    add({.name = "2d with levels, no level", .op = T2, .w = 16, .h = 16, .levels = 5, .linear = true, .normalised = true, .lo = 0, .hi = 1, .mipLinear = true});
    add({.name = "3d levels", .op = T3LOD, .w = 8, .h = 8, .d = 8, .levels = 4, .linear = true, .normalised = true, .lo = 0, .hi = 1, .mipLinear = true});
    add({.name = "3d gradients", .op = T3GRAD, .w = 8, .h = 8, .d = 8, .levels = 4, .normalised = true, .lo = 0, .hi = 1, .mipLinear = true});
    add({.name = "layered 1d levels", .op = A1LOD, .w = 16, .d = 3, .levels = 5, .flags = cudaArrayLayered, .normalised = true, .lo = 0, .hi = 2, .mipLinear = true});
    add({.name = "layered 2d levels", .op = A2LOD, .w = 16, .h = 16, .d = 3, .levels = 5, .flags = cudaArrayLayered, .linear = true, .normalised = true, .lo = 0, .hi = 2, .mipLinear = true});
    add({.name = "layered 2d gradients", .op = A2GRAD, .w = 16, .h = 16, .d = 3, .levels = 5, .flags = cudaArrayLayered, .normalised = true, .lo = 0, .hi = 2, .mipLinear = true});
    add({.name = "cube levels", .op = CUBELOD, .w = 8, .h = 8, .d = 6, .levels = 4, .flags = cudaArrayCubemap, .normalised = true, .lo = -1, .hi = 1, .mipLinear = true});
    add({.name = "cube gradients", .op = CUBEGRAD, .w = 8, .h = 8, .d = 6, .levels = 4, .flags = cudaArrayCubemap, .normalised = true, .lo = -1, .hi = 1, .mipLinear = true});
    add({.name = "layered cube levels", .op = ACUBELOD, .w = 8, .h = 8, .d = 12, .levels = 4, .flags = cudaArrayCubemap | cudaArrayLayered, .normalised = true, .lo = -1, .hi = 1, .mipLinear = true});
    return all;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 40;
    for (const Case &c : cases())
        if (argc < 3 || strstr(c.name, argv[2]))
            run(c, n);
    cudaError_t e = cudaDeviceSynchronize();
    printf("end: %s\n", cudaGetErrorName(e));
    return e != cudaSuccess;
}
