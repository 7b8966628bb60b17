// nvcc: -std=c++20 -w
// What the calls about arrays, textures and surfaces give, and what surface accesses do, one a line: the same program
// runs on a real GPU and on softgpu, and the two outputs are compared (texture_calls_facts.gpu.txt).
//
//   nvcc -arch=compute_75 -cudart shared -o texture_calls_facts texture_calls_facts.cu && ./texture_calls_facts
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

static void fact(const char *name, cudaError_t e) { printf("%s: %s\n", name, cudaGetErrorName(e)); (void)cudaGetLastError(); }
#define FACT(name, call) fact(name, call)

static cudaChannelFormatDesc channels(int bits, int n, cudaChannelFormatKind k)
{
    return cudaCreateChannelDesc(bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0, k);
}
static const cudaChannelFormatDesc F32 = {32, 0, 0, 0, cudaChannelFormatKindFloat};
static const cudaChannelFormatDesc U8 = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};
static const cudaChannelFormatDesc U8x4 = {8, 8, 8, 8, cudaChannelFormatKindUnsigned};
static const cudaChannelFormatDesc S32 = {32, 0, 0, 0, cudaChannelFormatKindSigned};

static cudaArray_t array(cudaChannelFormatDesc f, size_t w, size_t h, size_t d = 0, unsigned flags = 0)
{
    cudaArray_t a = nullptr;
    if (cudaMalloc3DArray(&a, &f, make_cudaExtent(w, h, d), flags) != cudaSuccess)
        (void)cudaGetLastError();
    return a;
}
static cudaResourceDesc of(cudaArray_t a)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    return r;
}

/* ---- arrays ---- */

static void madeArray(const char *name, cudaChannelFormatDesc f, size_t w, size_t h, size_t d, unsigned flags)
{
    cudaArray_t a = nullptr;
    cudaError_t e = cudaMalloc3DArray(&a, &f, make_cudaExtent(w, h, d), flags);
    printf("array %s: %s", name, cudaGetErrorName(e));
    (void)cudaGetLastError();
    if (e == cudaSuccess) {
        cudaChannelFormatDesc g;
        cudaExtent x;
        unsigned fl;
        cudaArrayMemoryRequirements m = {};
        e = cudaArrayGetInfo(&g, &x, &fl, a);
        printf(", %zu %zu %zu, flags %u, %d %d %d %d kind %d", x.width, x.height, x.depth, fl, g.x, g.y, g.z, g.w, g.f);
        e = cudaArrayGetMemoryRequirements(&m, a, 0);
        printf(", requirements %s", cudaGetErrorName(e));
        cudaArraySparseProperties s;
        printf(", sparse %s", cudaGetErrorName(cudaArrayGetSparseProperties(&s, a)));
        cudaArray_t plane;
        printf(", plane %s", cudaGetErrorName(cudaArrayGetPlane(&plane, a, 0)));
        (void)cudaGetLastError();
        cudaFreeArray(a);
    }
    printf("\n");
}

static void arrays()
{
    madeArray("1d", F32, 5, 0, 0, 0);
    madeArray("2d", F32, 5, 6, 0, 0);
    madeArray("3d", F32, 5, 6, 7, 0);
    madeArray("no width", F32, 0, 6, 0, 0);
    madeArray("depth without height", F32, 5, 0, 3, 0);
    madeArray("layered 1d", F32, 5, 0, 3, cudaArrayLayered);
    madeArray("layered 2d", F32, 5, 6, 3, cudaArrayLayered);
    madeArray("layered without layers", F32, 5, 6, 0, cudaArrayLayered);
    madeArray("cube", F32, 4, 4, 6, cudaArrayCubemap);
    madeArray("cube of 5 faces", F32, 4, 4, 5, cudaArrayCubemap);
    madeArray("cube not square", F32, 4, 5, 6, cudaArrayCubemap);
    madeArray("layered cube", F32, 4, 4, 12, cudaArrayCubemap | cudaArrayLayered);
    madeArray("layered cube of 13", F32, 4, 4, 13, cudaArrayCubemap | cudaArrayLayered);
    madeArray("gather", F32, 5, 6, 0, cudaArrayTextureGather);
    madeArray("gather 3d", F32, 5, 6, 7, cudaArrayTextureGather);
    madeArray("gather 1d", F32, 5, 0, 0, cudaArrayTextureGather);
    madeArray("surface", F32, 5, 6, 0, cudaArraySurfaceLoadStore);
    madeArray("unknown flag", F32, 5, 6, 0, 0x1000);
    madeArray("of 3 channels", channels(8, 3, cudaChannelFormatKindUnsigned), 5, 6, 0, 0);
    madeArray("of 2 shorts", channels(16, 2, cudaChannelFormatKindSigned), 5, 6, 0, 0);
    madeArray("of halves", channels(16, 1, cudaChannelFormatKindFloat), 5, 6, 0, 0);
    madeArray("of float8", channels(8, 1, cudaChannelFormatKindFloat), 5, 6, 0, 0);
    madeArray("of 64 bits", channels(64, 1, cudaChannelFormatKindSigned), 5, 6, 0, 0);
    madeArray("of different widths", cudaCreateChannelDesc(8, 16, 0, 0, cudaChannelFormatKindUnsigned), 5, 6, 0, 0);
    madeArray("of no kind", channels(32, 1, cudaChannelFormatKindNone), 5, 6, 0, 0);
    madeArray("1d of 131072", U8, 131072, 0, 0, 0);
    madeArray("1d of 131073", U8, 131073, 0, 0, 0);
    madeArray("2d of 131072 by 1", U8, 131072, 1, 0, 0);
    madeArray("2d of 131073 by 1", U8, 131073, 1, 0, 0);
    madeArray("2d of 1 by 65536", U8, 1, 65536, 0, 0);
    madeArray("2d of 1 by 65537", U8, 1, 65537, 0, 0);
    madeArray("3d of 16384 deep", U8, 1, 1, 16384, 0);
    madeArray("3d of 16385 deep", U8, 1, 1, 16385, 0);
    madeArray("2048 layers", U8, 1, 1, 2048, cudaArrayLayered);
    madeArray("2049 layers", U8, 1, 1, 2049, cudaArrayLayered);
    madeArray("1d surface of 32768", U8, 32768, 0, 0, cudaArraySurfaceLoadStore);
    madeArray("1d surface of 32769", U8, 32769, 0, 0, cudaArraySurfaceLoadStore);
    cudaArray_t a = array(F32, 4, 4);
    FACT("free array", cudaFreeArray(a));
    FACT("free no array", cudaFreeArray(nullptr));
    FACT("info of NULL", cudaArrayGetInfo(nullptr, nullptr, nullptr, nullptr));
    FACT("free mipmapped NULL", cudaFreeMipmappedArray(nullptr));
    cudaChannelFormatDesc f = F32;
    for (int levels : {0, 1, 3, 4, 5, 9}) {
        cudaMipmappedArray_t m = nullptr;
        cudaError_t e = cudaMallocMipmappedArray(&m, &f, make_cudaExtent(13, 7, 0), levels, 0);
        printf("13 by 7 with %d levels: %s", levels, cudaGetErrorName(e));
        (void)cudaGetLastError();
        for (unsigned l = 0; l < 6 && e == cudaSuccess; l++) {
            cudaArray_t at = nullptr;
            cudaExtent x = {};
            unsigned fl = 0;
            cudaError_t g = cudaGetMipmappedArrayLevel(&at, m, l);
            if (g == cudaSuccess)
                cudaArrayGetInfo(&f, &x, &fl, at);
            printf(", %s %zu %zu %zu", cudaGetErrorName(g), x.width, x.height, x.depth);
            (void)cudaGetLastError();
        }
        printf("\n");
        if (m) {
            cudaArray_t at;
            if (cudaGetMipmappedArrayLevel(&at, m, 0) == cudaSuccess)
                fact("free a level", cudaFreeArray(at));
            fact("free levels", cudaFreeMipmappedArray(m));
        }
    }
    cudaMipmappedArray_t m = nullptr;
    FACT("levels of a cube", cudaMallocMipmappedArray(&m, &f, make_cudaExtent(8, 8, 6), 4, cudaArrayCubemap));
    cudaArray_t at;
    cudaExtent x = {};
    if (cudaGetMipmappedArrayLevel(&at, m, 2) == cudaSuccess) {
        cudaArrayGetInfo(&f, &x, nullptr, at);
        printf("its level 2: %zu %zu %zu\n", x.width, x.height, x.depth);
    }
    f = F32;
    FACT("levels of a 3d", cudaMallocMipmappedArray(&m, &f, make_cudaExtent(8, 4, 2), 4, 0));
    if (cudaGetMipmappedArrayLevel(&at, m, 2) == cudaSuccess) {
        cudaArrayGetInfo(&f, &x, nullptr, at);
        printf("its level 2: %zu %zu %zu\n", x.width, x.height, x.depth);
    }
    FACT("levels of a layered 2d", cudaMallocMipmappedArray(&m, &f, make_cudaExtent(8, 4, 3), 4, cudaArrayLayered));
    if (cudaGetMipmappedArrayLevel(&at, m, 2) == cudaSuccess) {
        cudaArrayGetInfo(&f, &x, nullptr, at);
        printf("its level 2: %zu %zu %zu\n", x.width, x.height, x.depth);
    }
    for (int n = 1; n <= 4; n *= 2)
        for (int bits = 8; bits <= 32; bits *= 2) {
            size_t width = 0;
            f = channels(bits, n, cudaChannelFormatKindUnsigned);
            cudaError_t e = cudaDeviceGetTexture1DLinearMaxWidth(&width, &f, 0);
            printf("linear width of %d times %d bits: %s %zu\n", n, bits, cudaGetErrorName(e), width);
        }
    FACT("linear width, NULL", cudaDeviceGetTexture1DLinearMaxWidth(nullptr, &f, 0));
}

/* ---- copies ---- */

static void copies()
{
    cudaArray_t a = array(F32, 8, 4), b = array(U8x4, 8, 4), c = array(F32, 16, 0);
    float v[64], w[64];
    for (int i = 0; i < 64; i++)
        v[i] = (float)i;
    FACT("to array", cudaMemcpy2DToArray(a, 0, 0, v, 32, 32, 4, cudaMemcpyHostToDevice));
    FACT("too wide", cudaMemcpy2DToArray(a, 4, 0, v, 32, 32, 4, cudaMemcpyHostToDevice));
    FACT("too high", cudaMemcpy2DToArray(a, 0, 1, v, 32, 32, 4, cudaMemcpyHostToDevice));
    FACT("pitch below width", cudaMemcpy2DToArray(a, 0, 0, v, 16, 32, 4, cudaMemcpyHostToDevice));
    FACT("half an element", cudaMemcpy2DToArray(a, 2, 0, v, 32, 4, 1, cudaMemcpyHostToDevice));
    FACT("wrong direction", cudaMemcpy2DToArray(a, 0, 0, v, 32, 32, 4, cudaMemcpyDeviceToHost));
    FACT("default direction", cudaMemcpy2DToArray(a, 0, 0, v, 32, 32, 4, cudaMemcpyDefault));
    FACT("no array", cudaMemcpy2DToArray(nullptr, 0, 0, v, 32, 32, 4, cudaMemcpyHostToDevice));
    FACT("nothing", cudaMemcpy2DToArray(a, 0, 0, v, 32, 0, 0, cudaMemcpyHostToDevice));
    FACT("between arrays of other formats", cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, 32, 4, cudaMemcpyDeviceToDevice));
    FACT("to 1d array", cudaMemcpy2DToArray(c, 0, 0, v, 64, 64, 1, cudaMemcpyHostToDevice));
    FACT("to 1d array, two rows", cudaMemcpy2DToArray(c, 0, 0, v, 64, 64, 2, cudaMemcpyHostToDevice));
#pragma nv_diag_suppress 1444
    FACT("old form, two rows and a half", cudaMemcpyToArray(a, 0, 0, v, 80, cudaMemcpyHostToDevice));
    FACT("old form, from the middle of a row", cudaMemcpyToArray(a, 8, 1, v, 40, cudaMemcpyHostToDevice));
    FACT("old form back", cudaMemcpyFromArray(w, a, 0, 0, 128, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        printf("%s%g", i ? " " : "contents: ", w[i]);
    printf("\n");
    memset(w, 0, sizeof w);
    FACT("old form from the middle", cudaMemcpyFromArray(w, a, 8, 1, 40, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 12; i++)
        printf("%s%g", i ? " " : "contents: ", w[i]);
    printf("\n");
    FACT("old form past the end", cudaMemcpyFromArray(w, a, 8, 3, 40, cudaMemcpyDeviceToHost));
    FACT("old form between arrays", cudaMemcpyArrayToArray(b, 4, 1, a, 8, 1, 40, cudaMemcpyDeviceToDevice));
    cudaMemcpy3DParms p = {};
    p.srcArray = a;
    p.dstArray = b;
    p.extent = make_cudaExtent(8, 4, 1);
    p.kind = cudaMemcpyDeviceToDevice;
    FACT("3d between arrays", cudaMemcpy3D(&p));
    p.extent = make_cudaExtent(8, 4, 0);
    FACT("3d of no depth", cudaMemcpy3D(&p));
    p.extent = make_cudaExtent(9, 4, 1);
    FACT("3d too wide", cudaMemcpy3D(&p));
    cudaArray_t d = array(channels(8, 2, cudaChannelFormatKindUnsigned), 8, 4);
    p.extent = make_cudaExtent(8, 4, 1);
    p.dstArray = d;
    FACT("3d between elements of other sizes", cudaMemcpy3D(&p));
    p.dstArray = nullptr;
    FACT("3d to nowhere", cudaMemcpy3D(&p));
}

/* ---- objects ---- */

static cudaError_t texture(cudaResourceDesc r, cudaTextureDesc d, const cudaResourceViewDesc *v = nullptr)
{
    cudaTextureObject_t t = 0;
    cudaError_t e = cudaCreateTextureObject(&t, &r, &d, v);
    if (e == cudaSuccess)
        cudaDestroyTextureObject(t);
    return e;
}

static void objects()
{
    cudaTextureDesc plain = {}, linear = {}, asFloat = {}, both = {};
    linear.filterMode = cudaFilterModeLinear;
    asFloat.readMode = cudaReadModeNormalizedFloat;
    both.filterMode = cudaFilterModeLinear;
    both.readMode = cudaReadModeNormalizedFloat;
    cudaResourceDesc f = of(array(F32, 8, 8)), i = of(array(S32, 8, 8)), u = of(array(U8x4, 8, 8));
    cudaResourceDesc h = of(array(channels(16, 1, cudaChannelFormatKindFloat), 8, 8)), none = {};
    FACT("float, point", texture(f, plain));
    FACT("float, linear", texture(f, linear));
    FACT("float, as float", texture(f, asFloat));
    FACT("int, point", texture(i, plain));
    FACT("int, linear", texture(i, linear));
    FACT("int, as float", texture(i, asFloat));
    FACT("u8, linear", texture(u, linear));
    FACT("u8, as float", texture(u, asFloat));
    FACT("u8, as float, linear", texture(u, both));
    FACT("half, linear", texture(h, linear));
    FACT("half, as float", texture(h, asFloat));
    cudaTextureDesc wrap = plain;
    wrap.addressMode[0] = cudaAddressModeWrap;
    FACT("wrap without normalised coordinates", texture(f, wrap));
    cudaTextureDesc bad = plain;
    bad.addressMode[1] = (cudaTextureAddressMode)7;
    FACT("address mode 7", texture(f, bad));
    bad = plain, bad.filterMode = (cudaTextureFilterMode)2;
    FACT("filter mode 2", texture(f, bad));
    bad = plain, bad.readMode = (cudaTextureReadMode)2;
    FACT("read mode 2", texture(f, bad));
    bad = plain, bad.maxAnisotropy = 4;
    FACT("anisotropy 4", texture(f, bad));
    bad = plain, bad.sRGB = 1;
    FACT("sRGB of floats", texture(f, bad));
    FACT("sRGB of u8 as they are", texture(u, bad));
    FACT("no resource", texture(none, plain));
    none.resType = (cudaResourceType)9;
    FACT("resource type 9", texture(none, plain));
    cudaTextureObject_t t;
    FACT("no place for the object", cudaCreateTextureObject(nullptr, &f, &plain, nullptr));
    FACT("no resource description", cudaCreateTextureObject(&t, nullptr, &plain, nullptr));
    FACT("no texture description", cudaCreateTextureObject(&t, &f, nullptr, nullptr));
    char *m;
    cudaMalloc(&m, 1 << 16);
    cudaResourceDesc l = {};
    l.resType = cudaResourceTypeLinear;
    l.res.linear.devPtr = m;
    l.res.linear.desc = F32;
    l.res.linear.sizeInBytes = 1024;
    FACT("linear memory", texture(l, plain));
    FACT("linear memory, linear filter", texture(l, linear));
    bad = plain, bad.normalizedCoords = 1;
    FACT("linear memory, normalised", texture(l, bad));
    FACT("linear memory, wrap", texture(l, wrap));
    for (int by : {4, 16, 32, 64, 256, 512}) {
        l.res.linear.devPtr = m + by;
        printf("linear memory at %d: %s\n", by, cudaGetErrorName(texture(l, plain)));
        (void)cudaGetLastError();
    }
    l.res.linear.devPtr = m;
    l.res.linear.sizeInBytes = 0;
    FACT("linear memory of no bytes", texture(l, plain));
    l.res.linear.sizeInBytes = 6;
    FACT("linear memory of 6 bytes", texture(l, plain));
    l.res.linear.sizeInBytes = 1ull << 33;
    FACT("linear memory, more than there is", texture(l, plain));
    l.res.linear.sizeInBytes = 1024;
    l.res.linear.devPtr = nullptr;
    FACT("linear memory, NULL", texture(l, plain));
    static char host[4096] __attribute__((aligned(512)));
    l.res.linear.devPtr = host;
    FACT("linear memory of the host's", texture(l, plain));
    l.res.linear.devPtr = m;
    l.res.linear.desc = channels(8, 3, cudaChannelFormatKindUnsigned);
    FACT("linear memory of 3 channels", texture(l, plain));
    cudaResourceDesc p = {};
    p.resType = cudaResourceTypePitch2D;
    p.res.pitch2D.devPtr = m;
    p.res.pitch2D.desc = F32;
    p.res.pitch2D.width = 8;
    p.res.pitch2D.height = 8;
    for (int pitch : {32, 36, 64, 16, 512}) {
        p.res.pitch2D.pitchInBytes = pitch;
        printf("pitch of %d: %s\n", pitch, cudaGetErrorName(texture(p, plain)));
        (void)cudaGetLastError();
    }
    for (int by : {4, 16, 32, 64, 256, 512}) {
        p.res.pitch2D.devPtr = m + by;
        printf("pitched memory at %d: %s\n", by, cudaGetErrorName(texture(p, plain)));
        (void)cudaGetLastError();
    }
    p.res.pitch2D.devPtr = m;
    FACT("pitched memory, linear", texture(p, linear));
    p.res.pitch2D.height = 0;
    FACT("pitched memory of no rows", texture(p, plain));
    p.res.pitch2D.height = 70000;
    FACT("pitched memory of 70000 rows", texture(p, plain));
    cudaResourceViewDesc v = {};
    v.format = cudaResViewFormatUnsignedInt1;
    v.width = 8, v.height = 8;
    FACT("view of float as unsigned", texture(f, plain, &v));
    v.format = cudaResViewFormatUnsignedChar4;
    FACT("view of float as 4 u8", texture(f, plain, &v));
    v.width = 4;
    FACT("narrower view", texture(f, plain, &v));
    v.width = 8;
    FACT("view of linear memory", (l.res.linear.desc = F32, texture(l, plain, &v)));
    cudaResourceDesc gotR;
    cudaTextureDesc gotD;
    cudaResourceViewDesc gotV;
    linear.borderColor[1] = 3;
    FACT("create", cudaCreateTextureObject(&t, &f, &linear, nullptr));
    FACT("resource of it", cudaGetTextureObjectResourceDesc(&gotR, t));
    printf("is the same: %d\n", gotR.resType == f.resType && gotR.res.array.array == f.res.array.array);
    FACT("texture of it", cudaGetTextureObjectTextureDesc(&gotD, t));
    printf("is: %d %d %d %g %g\n", gotD.filterMode, gotD.readMode, gotD.normalizedCoords, gotD.borderColor[1], gotD.maxMipmapLevelClamp);
    FACT("view of it", cudaGetTextureObjectResourceViewDesc(&gotV, t));
    FACT("destroy", cudaDestroyTextureObject(t));
    FACT("resource of a destroyed one", cudaGetTextureObjectResourceDesc(&gotR, t));
    FACT("destroy again", cudaDestroyTextureObject(t));
    FACT("destroy 0", cudaDestroyTextureObject(0));
    FACT("destroy 12345", cudaDestroyTextureObject(12345));
    cudaSurfaceObject_t s;
    cudaResourceDesc sf = of(array(F32, 8, 8, 0, cudaArraySurfaceLoadStore));
    FACT("surface of an array without the flag", cudaCreateSurfaceObject(&s, &f));
    FACT("surface of linear memory", cudaCreateSurfaceObject(&s, &l));
    FACT("surface", cudaCreateSurfaceObject(&s, &sf));
    FACT("resource of the surface", cudaGetSurfaceObjectResourceDesc(&gotR, s));
    FACT("destroy surface", cudaDestroySurfaceObject(s));
    FACT("destroy surface again", cudaDestroySurfaceObject(s));
    FACT("destroy surface 0", cudaDestroySurfaceObject(0));
    FACT("resource of a destroyed surface", cudaGetSurfaceObjectResourceDesc(&gotR, s));
}

/* ---- surfaces ---- */

template <class T> __global__ void readSurface(cudaSurfaceObject_t s, int x, int y, cudaSurfaceBoundaryMode mode)
{
    T v;
    if (mode == cudaBoundaryModeZero) v = surf2Dread<T>(s, x, y, cudaBoundaryModeZero);
    else if (mode == cudaBoundaryModeClamp) v = surf2Dread<T>(s, x, y, cudaBoundaryModeClamp);
    else v = surf2Dread<T>(s, x, y, cudaBoundaryModeTrap);
    printf("  read %d %d: %x\n", x, y, (unsigned)v);
}
template <class T> __global__ void writeSurface(cudaSurfaceObject_t s, int x, int y, T v, cudaSurfaceBoundaryMode mode)
{
    if (mode == cudaBoundaryModeZero) surf2Dwrite(v, s, x, y, cudaBoundaryModeZero);
    else if (mode == cudaBoundaryModeClamp) surf2Dwrite(v, s, x, y, cudaBoundaryModeClamp);
    else surf2Dwrite(v, s, x, y, cudaBoundaryModeTrap);
}
__global__ void formatted(cudaSurfaceObject_t s, int x, int y, float a, float b, float c, float d)
{
    asm volatile("sust.p.2d.v4.b32.clamp [%0, {%1, %2}], {%3, %4, %5, %6};" ::"l"(s), "r"(x), "r"(y), "f"(a), "f"(b), "f"(c), "f"(d));
}
__global__ void reduceAdd(cudaSurfaceObject_t s, int x, int y, int v)
{
    asm volatile("sured.b.add.2d.u32.trap [%0, {%1, %2}], %3;" ::"l"(s), "r"(x), "r"(y), "r"(v));
}
__global__ void reducePixel(cudaSurfaceObject_t s, int x, int y, int v)
{
    asm volatile("sured.p.add.2d.b32.clamp [%0, {%1, %2}], %3;" ::"l"(s), "r"(x), "r"(y), "r"(v));
}
__global__ void readTexture(cudaTextureObject_t t, float x, float y)
{
    float4 f = tex2D<float4>(t, x, y);
    uint4 u = tex2D<uint4>(t, x, y);
    printf("  as float %x %x %x %x, as unsigned %x %x %x %x\n", __float_as_uint(f.x), __float_as_uint(f.y), __float_as_uint(f.z),
           __float_as_uint(f.w), u.x, u.y, u.z, u.w);
}

// Those that may end the context are run in a process of their own, after the others.
static bool ending;
template <class F> static void apart(bool ends, const char *name, F f)
{
    if (ends != ending)
        return;
    fflush(stdout);
    pid_t p = ends ? fork() : 0;
    if (!p) {
        (void)cudaGetLastError();
        f();
        cudaError_t launch = cudaGetLastError(), e = cudaDeviceSynchronize();
        printf("%s: %s%s%s\n", name, cudaGetErrorName(e), launch && launch != e ? ", launch " : "", launch && launch != e ? cudaGetErrorName(launch) : "");
        fflush(stdout);
        if (ends)
            _exit(0);
    } else {
        waitpid(p, nullptr, 0);
    }
}

static cudaSurfaceObject_t surface(cudaArray_t a)
{
    cudaSurfaceObject_t s = 0;
    cudaResourceDesc r = of(a);
    if (cudaCreateSurfaceObject(&s, &r) != cudaSuccess)
        printf("no surface: %s\n", cudaGetErrorName(cudaGetLastError()));
    return s;
}
static cudaArray_t bytes(cudaChannelFormatDesc f, int w, int h, int first = 1)
{
    cudaArray_t a = array(f, w, h, 0, cudaArraySurfaceLoadStore);
    unsigned char v[4096];
    int size = (f.x + f.y + f.z + f.w) / 8 * w;
    for (int i = 0; i < size * h; i++)
        v[i] = (unsigned char)(i + first);
    cudaMemcpy2DToArray(a, 0, 0, v, size, size, h, cudaMemcpyHostToDevice);
    return a;
}
static void contents(cudaArray_t a)
{
    cudaChannelFormatDesc f;
    cudaExtent x;
    unsigned flags;
    unsigned char v[4096];
    cudaArrayGetInfo(&f, &x, &flags, a);
    size_t size = (f.x + f.y + f.z + f.w) / 8 * x.width;
    if (cudaMemcpy2DFromArray(v, size, a, 0, 0, size, x.height ? x.height : 1, cudaMemcpyDeviceToHost) != cudaSuccess)
        return;
    printf("  holds");
    for (size_t i = 0; i < size * x.height; i++)
        printf("%s%02x", i % size ? "" : " ", v[i]);
    printf("\n");
}

static void surfaces()
{
    static const char *names[] = {"zero", "clamp", "trap"};
    static const int places[][3] = {{0, 0}, {12, 3}, {16, 0, 1}, {0, 4, 1}, {-4, 0, 1}, {0, -1, 1}, {-100, 100, 1}, {2, 1, 2}, {13, 1, 2}};
    for (int m = 0; m < 3; m++)
        for (auto &p : places) {
            char name[100];
            bool ends = p[2] == 2 || (p[2] == 1 && m == 2);
            snprintf(name, sizeof name, "surface %s read at %d %d", names[m], p[0], p[1]);
            apart(ends, name, [&] { readSurface<unsigned><<<1, 1>>>(surface(bytes(F32, 4, 4)), p[0], p[1], m == 2 ? cudaBoundaryModeTrap : m ? cudaBoundaryModeClamp : cudaBoundaryModeZero); });
            snprintf(name, sizeof name, "surface %s write at %d %d", names[m], p[0], p[1]);
            apart(ends, name, [&] {
                cudaArray_t a = bytes(F32, 4, 4);
                writeSurface<unsigned><<<1, 1>>>(surface(a), p[0], p[1], 0xaabbccddu, m == 2 ? cudaBoundaryModeTrap : m ? cudaBoundaryModeClamp : cudaBoundaryModeZero);
                contents(a);
            });
        }
    apart(false, "surface of 4 u8 read as u8", [&] { readSurface<unsigned char><<<1, 1>>>(surface(bytes(U8x4, 4, 4)), 5, 1, cudaBoundaryModeTrap); });
    apart(false, "surface of 4 u8 read as u8, last", [&] { readSurface<unsigned char><<<1, 1>>>(surface(bytes(U8x4, 4, 4)), 15, 1, cudaBoundaryModeTrap); });
    apart(true, "surface of 4 u8 read as u8, past", [&] { readSurface<unsigned char><<<1, 1>>>(surface(bytes(U8x4, 4, 4)), 16, 1, cudaBoundaryModeTrap); });
    apart(true, "surface of u8 read as unsigned", [&] { readSurface<unsigned><<<1, 1>>>(surface(bytes(U8, 16, 4)), 4, 1, cudaBoundaryModeTrap); });
    apart(true, "surface of u8 read as unsigned, at 15", [&] { readSurface<unsigned><<<1, 1>>>(surface(bytes(U8, 16, 4)), 15, 1, cudaBoundaryModeTrap); });
    apart(true, "surface of u8 read as unsigned long, last", [&] { readSurface<long long><<<1, 1>>>(surface(bytes(U8, 16, 4)), 12, 1, cudaBoundaryModeTrap); });
    apart(true, "surface of float read as u16", [&] { readSurface<unsigned short><<<1, 1>>>(surface(bytes(F32, 4, 4)), 6, 1, cudaBoundaryModeTrap); });
    cudaChannelFormatDesc all[] = {F32, U8x4, S32, channels(16, 2, cudaChannelFormatKindUnsigned), channels(8, 4, cudaChannelFormatKindSigned),
                                   channels(16, 4, cudaChannelFormatKindFloat)};
    for (auto &f : all) {
        char name[100];
        snprintf(name, sizeof name, "formatted store to %d bits of kind %d", f.x, f.f);
        apart(false, name, [&] {
            cudaArray_t a = bytes(f, 4, 1);
            formatted<<<1, 1>>>(surface(a), 1, 0, 0.5f, -2.25f, 300.75f, 1e10f);
            contents(a);
        });
        snprintf(name, sizeof name, "formatted store of small integers to %d bits of kind %d", f.x, f.f);
        apart(false, name, [&] {
            cudaArray_t a = bytes(f, 4, 1);
            auto bits = [](unsigned v) { float x; memcpy(&x, &v, 4); return x; };
            formatted<<<1, 1>>>(surface(a), 1, 0, bits(5), bits(~0u), bits(1000), bits(0x80000000u));
            formatted<<<1, 1>>>(surface(a), 9, 0, bits(5), bits(6), bits(7), bits(8));
            contents(a);
        });
        snprintf(name, sizeof name, "texture of %d bits of kind %d read otherwise", f.x, f.f);
        apart(false, name, [&] {
            cudaTextureObject_t t = 0;
            cudaResourceDesc r = of(bytes(f, 4, 1, 0x38));
            cudaTextureDesc d = {};
            cudaCreateTextureObject(&t, &r, &d, nullptr);
            readTexture<<<1, 1>>>(t, 1, 0);
        });
    }
    apart(false, "reduction", [&] { cudaArray_t a = bytes(S32, 4, 2); reduceAdd<<<1, 3>>>(surface(a), 4, 1, 5); contents(a); });
    apart(false, "reduction by element", [&] { cudaArray_t a = bytes(S32, 4, 2); reducePixel<<<1, 3>>>(surface(a), 2, 1, 5); contents(a); });
    apart(true, "reduction outside", [&] { cudaArray_t a = bytes(S32, 4, 2); reduceAdd<<<1, 3>>>(surface(a), 16, 1, 5); contents(a); });
}

int main()
{
    if (fork() == 0) {
        arrays();
        copies();
        objects();
        fflush(stdout);
        _exit(0);
    }
    wait(nullptr);
    if (fork() == 0) {
        surfaces();
        fflush(stdout);
        _exit(0);
    }
    wait(nullptr);
    ending = true;
    surfaces();
    return 0;
}
