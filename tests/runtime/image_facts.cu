// nvcc: -arch=sm_90
// What PTX is told of textures and surfaces beside their texels: txq, suq, istypep, and a value to compare depths with, through objects of every
// kind. Recorded on an H200: image_facts.gpu.txt. The other queries of PTX are not here: a kernel that has one of them is not loaded there
// (cudaErrorNotSupported, cudaErrorSymbolNotFound).
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#define TXQ(name, i) asm volatile("txq." #name ".b32 %0, [%1];" : "=r"(out[i]) : "l"(t))
#define LEVEL(name, i) asm volatile("txq.level." #name ".b32 %0, [%1], %2;" : "=r"(out[i]) : "l"(t), "r"(lod))
#define SUQ(name, i) asm volatile("suq." #name ".b32 %0, [%1];" : "=r"(out[i]) : "l"(t))
#define IS(type, i)                                                                                                                                        \
    asm volatile("{ .reg .pred p; istypep." #type " p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(out[i]) : "l"(t))

__global__ void texture(unsigned long long t, unsigned *out)
{
    TXQ(width, 0); TXQ(height, 1); TXQ(depth, 2);
    IS(texref, 3); IS(surfref, 4); IS(samplerref, 5);
    for (int lod = -1; lod < 6; lod++) {
        out += lod < 0 ? 6 : 3;
        LEVEL(width, 0); LEVEL(height, 1); LEVEL(depth, 2);
    }
}
__global__ void surface(unsigned long long t, unsigned *out)
{
    SUQ(width, 0); SUQ(height, 1); SUQ(depth, 2);
    IS(texref, 3); IS(surfref, 4); IS(samplerref, 5);
}
// The same place without a depth, with one, and gathered.
__global__ void compared(unsigned long long t, float *out)
{
    float x = threadIdx.x * 0.5f, d = -1 + 0.5f * threadIdx.y, a[4], b[4], c[4];
    asm volatile("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];" : "=f"(a[0]), "=f"(a[1]), "=f"(a[2]), "=f"(a[3]) : "l"(t), "f"(x), "f"(0.75f));
    asm volatile("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}], %7;" : "=f"(b[0]), "=f"(b[1]), "=f"(b[2]), "=f"(b[3]) : "l"(t), "f"(x), "f"(0.75f), "f"(d));
    asm volatile("{ .reg .b32 z; mov.b32 z, 1; tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}], {z, z}, %7; }"
                 : "=f"(c[0]), "=f"(c[1]), "=f"(c[2]), "=f"(c[3]) : "l"(t), "f"(x), "f"(0.75f), "f"(d));
    out += (threadIdx.y * blockDim.x + threadIdx.x) * 12;
    for (int i = 0; i < 4; i++)
        out[i] = a[i], out[4 + i] = b[i], out[8 + i] = c[i];
}
__global__ void line(unsigned long long t, float *out)
{
    float x = threadIdx.x * 0.5f;
    asm volatile("tex.1d.v4.f32.f32 {%0, %1, %2, %3}, [%4, %5];" : "=f"(out[0]), "=f"(out[1]), "=f"(out[2]), "=f"(out[3]) : "l"(t), "f"(x));
}
static unsigned *words;
static void say(const char *what, cudaError_t e)
{
    if (e != cudaSuccess)
        printf("  %s: %s\n", what, cudaGetErrorName(e));
    (void)cudaGetLastError();
}
static void three(const char *what, const unsigned *w)
{
    printf("  %s: %u %u %u\n", what, w[0], w[1], w[2]);
}
static void ask(const char *name, cudaResourceDesc r, bool normalised, const cudaResourceViewDesc *view)
{
    cudaTextureDesc d;
    cudaTextureObject_t t = 0;
    char what[20];
    memset(&d, 0, sizeof d);
    d.normalizedCoords = normalised;
    d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = cudaAddressModeClamp;
    printf("%s\n", name);
    cudaError_t e = cudaCreateTextureObject(&t, &r, &d, view);
    say("texture", e);
    if (e == cudaSuccess) {
        cudaMemset(words, 0xcc, 4096);
        texture<<<1, 1>>>(t, words);
        say("run", cudaDeviceSynchronize());
        three("txq", words);
        three("istypep", words + 3);
        for (int l = -1; l < 6; l++) {
            snprintf(what, sizeof what, "txq.level %d", l);
            three(what, words + 6 + 3 * (l + 1));
        }
        cudaDestroyTextureObject(t);
    }
    if (r.resType != cudaResourceTypeArray)
        return;
    e = cudaCreateSurfaceObject(&t, &r);
    say("surface", e);
    if (e == cudaSuccess) {
        surface<<<1, 1>>>(t, words);
        say("run", cudaDeviceSynchronize());
        three("suq", words);
        three("istypep", words + 3);
        cudaDestroySurfaceObject(t);
    }
}
static void array(const char *name, cudaChannelFormatDesc f, size_t w, size_t h, size_t d, unsigned flags, bool normalised)
{
    cudaArray_t a;
    cudaResourceDesc r;
    memset(&r, 0, sizeof r);
    cudaError_t e = cudaMalloc3DArray(&a, &f, make_cudaExtent(w, h, d), flags | cudaArraySurfaceLoadStore);
    say(name, e);
    if (e != cudaSuccess)
        return;
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    ask(name, r, normalised, nullptr);
    cudaFreeArray(a);
}
static void mipmapped(const char *name, size_t w, size_t h, size_t d, unsigned levels, unsigned flags)
{
    cudaMipmappedArray_t m;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaResourceDesc r;
    cudaResourceViewDesc v;
    memset(&r, 0, sizeof r);
    memset(&v, 0, sizeof v);
    cudaError_t e = cudaMallocMipmappedArray(&m, &f, make_cudaExtent(w, h, d), levels, flags | cudaArraySurfaceLoadStore);
    say(name, e);
    if (e != cudaSuccess)
        return;
    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = m;
    ask(name, r, true, nullptr);
    v.format = cudaResViewFormatFloat1;
    v.width = w, v.height = h, v.depth = d, v.firstMipmapLevel = 1, v.lastMipmapLevel = 2;
    v.lastLayer = flags & cudaArrayLayered && d ? (unsigned)d - 1 : 0;
    ask(" its levels 1 and 2", r, true, &v);
    for (unsigned l = 0; l < levels; l++) {
        cudaArray_t a;
        cudaResourceDesc one;
        memset(&one, 0, sizeof one);
        say("level", cudaGetMipmappedArrayLevel(&a, m, l));
        one.resType = cudaResourceTypeArray;
        one.res.array.array = a;
        ask(" a level", one, flags & cudaArrayCubemap, nullptr);
    }
    cudaFreeMipmappedArray(m);
}
static void depths(cudaTextureFilterMode filter)
{
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaArray_t a;
    cudaResourceDesc r;
    cudaTextureDesc d;
    cudaTextureObject_t t;
    float data[8], *out = (float *)words;
    for (int i = 0; i < 8; i++)
        data[i] = i / 8.f;
    memset(&r, 0, sizeof r);
    memset(&d, 0, sizeof d);
    cudaMallocArray(&a, &f, 4, 2);
    cudaMemcpy2DToArray(a, 0, 0, data, 16, 16, 2, cudaMemcpyHostToDevice);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    d.filterMode = filter;
    d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
    say("texture", cudaCreateTextureObject(&t, &r, &d, nullptr));
    compared<<<1, dim3(8, 6)>>>(t, out);
    say("run", cudaDeviceSynchronize());
    for (int i = 0; i < 48; i++) {
        bool same = !memcmp(out + 12 * i, out + 12 * i + 4, 16);
        printf("  %g %g: %s", out[12 * i], out[12 * i + 8], same ? "the same\n" : "another\n");
    }
    cudaDestroyTextureObject(t);
    cudaFreeArray(a);
    cudaMallocArray(&a, &f, 8);
    cudaMemcpy2DToArray(a, 0, 0, data, 32, 32, 1, cudaMemcpyHostToDevice);
    r.res.array.array = a;
    say("texture", cudaCreateTextureObject(&t, &r, &d, nullptr));
    line<<<1, 1>>>(t, out);
    say("run", cudaDeviceSynchronize());
    printf("  a line: %g %g %g %g\n", out[0], out[1], out[2], out[3]);
    cudaDestroyTextureObject(t);
    cudaFreeArray(a);
}
int main()
{
    cudaChannelFormatDesc f32 = cudaCreateChannelDesc<float>(), u8x4 = cudaCreateChannelDesc<uchar4>(), s16x2 = cudaCreateChannelDesc<short2>();
    void *p;
    size_t pitch;
    cudaResourceDesc r;
    cudaMallocManaged(&words, 4096);
    memset(&r, 0, sizeof r);
    cudaMalloc(&p, 1 << 16);
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = p;
    r.res.linear.desc = f32;
    r.res.linear.sizeInBytes = 4 * 1000;
    ask("linear, 1000 float", r, false, nullptr);
    r.res.linear.desc = u8x4;
    r.res.linear.sizeInBytes = 310;
    ask("linear, 310 bytes of uchar4", r, false, nullptr);
    cudaMallocPitch(&p, &pitch, 4 * 37, 23);
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = p;
    r.res.pitch2D.desc = f32;
    r.res.pitch2D.width = 37;
    r.res.pitch2D.height = 23;
    r.res.pitch2D.pitchInBytes = pitch;
    ask("pitch, 37 x 23 float", r, false, nullptr);
    array("1d, 37 float", f32, 37, 0, 0, 0, false);
    array("1d, 37 uchar4", u8x4, 37, 0, 0, 0, false);
    array("2d, 37 x 23 float", f32, 37, 23, 0, 0, false);
    array("2d, 37 x 23 short2, normalised", s16x2, 37, 23, 0, 0, true);
    array("3d, 37 x 23 x 5 float", f32, 37, 23, 5, 0, false);
    array("a1d, 37, 6 layers", f32, 37, 0, 6, cudaArrayLayered, false);
    array("a2d, 37 x 23, 6 layers", f32, 37, 23, 6, cudaArrayLayered, false);
    array("cube, 24", f32, 24, 24, 6, cudaArrayCubemap, true);
    array("acube, 24, 2", f32, 24, 24, 12, cudaArrayCubemap | cudaArrayLayered, true);
    mipmapped("mipmapped 1d, 37, 4 levels", 37, 0, 0, 4, 0);
    mipmapped("mipmapped 2d, 37 x 5, 6 levels", 37, 5, 0, 6, 0);
    mipmapped("mipmapped 3d, 37 x 23 x 9, 4 levels", 37, 23, 9, 4, 0);
    mipmapped("mipmapped a1d, 37, 6 layers, 4 levels", 37, 0, 6, 4, cudaArrayLayered);
    mipmapped("mipmapped a2d, 37 x 23, 5 layers, 4 levels", 37, 23, 5, 4, cudaArrayLayered);
    mipmapped("mipmapped cube, 24, 4 levels", 24, 24, 6, 4, cudaArrayCubemap);
    printf("depths, point\n");
    depths(cudaFilterModePoint);
    printf("depths, linear\n");
    depths(cudaFilterModeLinear);
    return 0;
}
