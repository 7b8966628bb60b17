// Textures and surfaces: each mistake beside its right twin.
//
// also --remote
//
// case fetch_after_launch expect=silent
// case fetch_own_store expect=data-race says=through.a.texture.or.a.surface
// case fetch_others_store expect=data-race says=through.a.texture.or.a.surface
// case store_after_fetch expect=silent
// case store_after_fetch_unordered expect=data-race
// case store_after_pixels expect=silent
// case store_after_pixels_unordered expect=data-race
// case store_after_shared_pixels expect=silent
// case store_after_shared_pixels_unordered expect=data-race
// case surface_next_launch expect=silent
// case surface_read_own expect=data-race says=even.of.its.own.thread
// case surface_read_then_write expect=silent
// case surface_written_twice expect=data-race says=both.write
// case surface_fetched expect=data-race says=launch.of.its.own,.behind.the.one.that.writes nor=flag
// case surface_reduced expect=silent
// case array_filled expect=silent
// case array_never_filled expect=uninitialized-read
// case array_never_filled_filtered expect=uninitialized-read
// case surface_inside expect=silent
// case surface_outside expect=out-of-bounds says=at.y.8
// case surface_outside_clamped expect=silent
// case surface_misaligned expect=misaligned
// case object_lives expect=silent
// case object_destroyed expect=texture-misuse says=after.it.was.destroyed
// case object_of_nothing expect=texture-misuse says=was.never.made
// case object_destroyed_behind expect=silent
// case array_freed expect=use-after-free
// case wrong_shape expect=texture-misuse says=look.at.which.object
// case wrong_type expect=texture-misuse says=whole.numbers
// case wrong_function expect=texture-misuse says=tex1Dfetch
// case surface_for_texture expect=texture-misuse says=for.a.texture
// case two_streams expect=silent
// case two_streams_unordered expect=stream-race
// case copy_beside expect=stream-race
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum { N = 8, M = N * N };

__global__ void fetchLinear(float *out, cudaTextureObject_t t) { out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); }
__global__ void storeThenFetch(float *out, float *data, cudaTextureObject_t t)
{
    data[threadIdx.x] = 1;
    out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); // fetch_own_store
}
__global__ void storeThenFetchOther(float *out, float *data, cudaTextureObject_t t)
{
    data[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = tex1Dfetch<float>(t, M - 1 - threadIdx.x); // fetch_others_store
}
__global__ void fetchThenStore(float *data, cudaTextureObject_t t, bool waits)
{
    float v = tex1Dfetch<float>(t, M - 1 - threadIdx.x);
    if (waits)
        __syncthreads();
    data[threadIdx.x] = v + 1; // store_after_fetch_unordered
}
// Texels of bytes, each by `by` neighbouring threads.
__global__ void pixelsThenStore(float *data, cudaTextureObject_t t, int by, bool waits)
{
    uchar4 v = tex1Dfetch<uchar4>(t, M - 1 - threadIdx.x / by * 5 % M);
    if (waits)
        __syncthreads();
    data[threadIdx.x] = v.x + v.w; // store_after_pixels_unordered store_after_shared_pixels_unordered
}
__global__ void writeSurface(cudaSurfaceObject_t s) { surf2Dwrite((float)threadIdx.x, s, threadIdx.x % N * 4, threadIdx.x / N); }
__global__ void fetchArray(float *out, cudaTextureObject_t t) { out[threadIdx.x] = tex2D<float>(t, threadIdx.x % N + 0.25f, threadIdx.x / N + 0.25f); } // two_streams_unordered
__global__ void fetchCells(float *out, cudaTextureObject_t t)
{
    float v = tex2D<float>(t, threadIdx.x % N + 0.25f, threadIdx.x / N + 0.25f);
    out[threadIdx.x] = v; // array_never_filled_filtered
}
__global__ void fetchSum(float *out, cudaTextureObject_t t)
{
    float v = tex2D<float>(t, threadIdx.x % N, threadIdx.x / N);
    out[threadIdx.x] = v * 2; // array_never_filled
}
__global__ void writeThenRead(float *out, cudaSurfaceObject_t s)
{
    surf2Dwrite(1.0f, s, threadIdx.x % N * 4, threadIdx.x / N);
    out[threadIdx.x] = surf2Dread<float>(s, threadIdx.x % N * 4, threadIdx.x / N); // surface_read_own
}
__global__ void readThenWrite(cudaSurfaceObject_t s)
{
    float v = surf2Dread<float>(s, threadIdx.x % N * 4, threadIdx.x / N);
    surf2Dwrite(v + 1, s, threadIdx.x % N * 4, threadIdx.x / N);
}
__global__ void writeOne(cudaSurfaceObject_t s) { surf2Dwrite((float)threadIdx.x, s, 0, 0); } // surface_written_twice
__global__ void writeThenFetch(float *out, cudaSurfaceObject_t s, cudaTextureObject_t t)
{
    surf2Dwrite(1.0f, s, threadIdx.x % N * 4, threadIdx.x / N);
    __syncthreads();
    out[threadIdx.x] = tex2D<float>(t, threadIdx.x / N, threadIdx.x % N); // surface_fetched
}
__global__ void reduceOne(cudaSurfaceObject_t s)
{
    asm volatile("sured.b.add.2d.u32.trap [%0, {%1, %2}], %3;" ::"l"(s), "r"(0), "r"(0), "r"(1) : "memory");
}
__global__ void writeAt(cudaSurfaceObject_t s, int x, int y) { surf2Dwrite(1.0f, s, x, y); } // surface_outside // surface_misaligned
__global__ void writeClamped(cudaSurfaceObject_t s, int x, int y) { surf2Dwrite(1.0f, s, x, y, cudaBoundaryModeClamp); }
__global__ void fetchLine(float *out, cudaTextureObject_t t) { *out = tex1D<float>(t, 1); } // wrong_shape // wrong_function
__global__ void fetchWhole(unsigned *out, cudaTextureObject_t t) { *out = tex2D<unsigned>(t, 1, 1); } // wrong_type

static cudaArray_t array(bool filled)
{
    cudaArray_t a;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    static float zero[M];
    cudaMallocArray(&a, &f, N, N, cudaArraySurfaceLoadStore);
    if (filled)
        cudaMemcpy2DToArray(a, 0, 0, zero, N * 4, N * 4, N, cudaMemcpyHostToDevice);
    return a;
}
static cudaResourceDesc of(cudaArray_t a)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    return r;
}
static cudaTextureObject_t texture(cudaResourceDesc r, cudaTextureFilterMode filter = cudaFilterModePoint)
{
    cudaTextureObject_t t = 0;
    cudaTextureDesc d = {};
    d.filterMode = filter;
    cudaCreateTextureObject(&t, &r, &d, nullptr);
    return t;
}
static cudaSurfaceObject_t surface(cudaArray_t a)
{
    cudaSurfaceObject_t s = 0;
    cudaResourceDesc r = of(a);
    cudaCreateSurfaceObject(&s, &r);
    return s;
}
template <class T> static cudaTextureObject_t linear(float *p)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = p;
    r.res.linear.desc = cudaCreateChannelDesc<T>();
    r.res.linear.sizeInBytes = M * 4;
    return texture(r);
}

int main(int, char **argv)
{
    auto is = [&](const char *name) { return !strcmp(argv[1], name); };
    float *out, *data, host[M];
    cudaMalloc(&out, M * 4);
    cudaMalloc(&data, M * 4);
    cudaMemset(data, 0, M * 4);
    bool empty = !strncmp(argv[1], "array_never", 11);
    cudaArray_t a = array(!empty);
    cudaTextureObject_t l = linear<float>(data), pixels = linear<uchar4>(data), t = texture(of(a), is("array_never_filled_filtered") ? cudaFilterModeLinear : cudaFilterModePoint);
    cudaSurfaceObject_t s = surface(a);
    cudaStream_t one, two;
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    if (is("fetch_after_launch"))
        fetchThenStore<<<1, M>>>(data, l, true), fetchLinear<<<1, M>>>(out, l);
    else if (is("fetch_own_store"))
        storeThenFetch<<<1, M>>>(out, data, l);
    else if (is("fetch_others_store"))
        storeThenFetchOther<<<1, M>>>(out, data, l);
    else if (is("store_after_fetch") || is("store_after_fetch_unordered"))
        fetchThenStore<<<1, M>>>(data, l, is("store_after_fetch"));
    else if (is("store_after_pixels") || is("store_after_pixels_unordered"))
        pixelsThenStore<<<1, M>>>(data, pixels, 1, is("store_after_pixels"));
    else if (is("store_after_shared_pixels") || is("store_after_shared_pixels_unordered"))
        pixelsThenStore<<<1, M>>>(data, pixels, 3, is("store_after_shared_pixels"));
    else if (is("surface_next_launch"))
        writeSurface<<<1, M>>>(s), readThenWrite<<<1, M>>>(s), fetchArray<<<1, M>>>(out, t);
    else if (is("surface_read_own"))
        writeThenRead<<<1, M>>>(out, s);
    else if (is("surface_read_then_write"))
        readThenWrite<<<1, M>>>(s);
    else if (is("surface_written_twice"))
        writeOne<<<1, M>>>(s);
    else if (is("surface_fetched"))
        writeThenFetch<<<1, M>>>(out, s, t);
    else if (is("surface_reduced"))
        reduceOne<<<4, M>>>(s);
    else if (is("array_filled"))
        fetchSum<<<1, M>>>(out, t);
    else if (is("array_never_filled"))
        fetchSum<<<1, M>>>(out, t);
    else if (is("array_never_filled_filtered"))
        fetchCells<<<1, M>>>(out, t);
    else if (is("surface_inside"))
        writeAt<<<1, 1>>>(s, 28, 7);
    else if (is("surface_outside"))
        writeAt<<<1, 1>>>(s, 0, 8);
    else if (is("surface_outside_clamped"))
        writeClamped<<<1, 1>>>(s, -4, 8);
    else if (is("surface_misaligned"))
        writeAt<<<1, 1>>>(s, 2, 0);
    else if (is("object_lives"))
        fetchArray<<<1, M>>>(out, t);
    else if (is("object_destroyed"))
        cudaDestroyTextureObject(t), fetchArray<<<1, M>>>(out, t);
    else if (is("object_of_nothing"))
        fetchArray<<<1, M>>>(out, 12345);
    else if (is("object_destroyed_behind"))
        fetchArray<<<1, M>>>(out, t), cudaDestroyTextureObject(t);
    else if (is("array_freed"))
        cudaFreeArray(a), fetchArray<<<1, M>>>(out, t), a = array(true);
    else if (is("wrong_shape"))
        fetchLine<<<1, 1>>>(out, t);
    else if (is("wrong_type"))
        fetchWhole<<<1, 1>>>((unsigned *)out, t);
    else if (is("wrong_function"))
        fetchLine<<<1, 1>>>(out, l);
    else if (is("surface_for_texture"))
        fetchArray<<<1, M>>>(out, s);
    else if (is("two_streams") || is("two_streams_unordered")) {
        writeSurface<<<1, M, 0, one>>>(s);
        if (is("two_streams"))
            cudaStreamSynchronize(one);
        fetchArray<<<1, M, 0, two>>>(out, t);
        cudaDeviceSynchronize();
    } else if (is("copy_beside")) {
        float *pinned;
        cudaMallocHost(&pinned, M * 4);
        memset(pinned, 0, M * 4);
        cudaDeviceSynchronize();
        cudaMemcpy2DToArrayAsync(a, 0, 0, pinned, N * 4, N * 4, N, cudaMemcpyHostToDevice, one);
        fetchArray<<<1, M, 0, two>>>(out, t);
        cudaDeviceSynchronize();
        cudaFreeHost(pinned);
    }
    cudaError_t e = cudaDeviceSynchronize();
    if (e == cudaSuccess)
        cudaMemcpy2DFromArray(host, N * 4, a, 0, 0, N * 4, empty ? 0 : N, cudaMemcpyDeviceToHost);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    cudaFreeArray(a);
    cudaFree(out);
    cudaFree(data);
    return 0;
}
