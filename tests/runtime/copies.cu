// Pitched and three-dimensional memory, fills, arrays, symbols; addresses and kinds that do not fit.
#include "check.cuh"
#include <vector>

__constant__ int coefficient[8];
__device__ int scratch[16] = {1, 2, 3};
__device__ double ratio = 0.5;

__global__ void use_symbols()
{
    scratch[threadIdx.x] = coefficient[threadIdx.x % 8] * 10 + (int)(ratio * 4);
}

__global__ void tag(char *base, size_t pitch, size_t slice, int w, int h)
{
    int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    if (x < w && y < h)
        ((int *)(base + z * slice + y * pitch))[x] = z * 10000 + y * 100 + x;
}

static void planes()
{
    const int w = 37, h = 11;
    char *d;
    size_t pitch;
    std::vector<int> host(w * h, -1), back(50 * h, -1);
    OK(cudaMallocPitch(&d, &pitch, w * 4, h));
    CHECK(pitch >= w * 4 && pitch % 32 == 0);
    OK(cudaMemset2D(d, pitch, 0x11, w * 4, h));
    tag<<<dim3(h - 1, 1), 64>>>(d, pitch, 0, w, h);
    OK(cudaMemcpy2D(host.data(), w * 4, d, pitch, w * 4, h, cudaMemcpyDeviceToHost));
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            CHECK(host[y * w + x] == (y == h - 1 ? 0x11111111 : y * 100 + x));
    // part of it, into wider rows
    OK(cudaMemcpy2D(back.data() + 3, 200, d + 8, pitch, 20, h, cudaMemcpyDeviceToHost));
    CHECK(back[2] == -1 && back[3] == 2 && back[7] == 6 && back[8] == -1 && back[53] == 102);
    GIVES(cudaMemcpy2D(back.data(), 8, d, pitch, 20, h, cudaMemcpyDeviceToHost),
          cudaErrorInvalidPitchValue);
    OK(cudaFree(d));
}

static void volumes()
{
    cudaExtent extent = make_cudaExtent(10 * 4, 6, 5);
    cudaPitchedPtr p;
    OK(cudaMalloc3D(&p, extent));
    OK(cudaMemset3D(p, 0xff, extent));
    tag<<<dim3(6, 4), 32>>>((char *)p.ptr, p.pitch, p.pitch * 6, 10, 6);
    std::vector<int> host(10 * 6 * 5, 7);
    cudaMemcpy3DParms c = {};
    c.srcPtr = p;
    c.dstPtr = make_cudaPitchedPtr(host.data(), 10 * 4, 10, 6);
    c.extent = extent;
    c.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3D(&c));
    CHECK(host[0] == 0 && host[60 + 10 + 3] == 10103 && host[3 * 60 + 59] == 30509);
    CHECK(host[4 * 60] == -1 && host[299] == -1);
    // a corner of it
    std::vector<int> small(2 * 2 * 2, 0);
    c.srcPos = make_cudaPos(4 * 4, 2, 1);
    c.dstPtr = make_cudaPitchedPtr(small.data(), 8, 2, 2);
    c.extent = make_cudaExtent(8, 2, 2);
    OK(cudaMemcpy3D(&c));
    CHECK(small[0] == 10204 && small[3] == 10305 && small[7] == 20305);
    OK(cudaFree(p.ptr));
}

static void arrays()
{
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float2>(), got;
    cudaArray_t a, b;
    float2 in[6][9], out[6][9];
    for (int y = 0; y < 6; y++)
        for (int x = 0; x < 9; x++)
            in[y][x] = make_float2(x, y);
    OK(cudaMallocArray(&a, &f, 9, 6));
    OK(cudaMallocArray(&b, &f, 9, 6));
    OK(cudaMemcpy2DToArray(a, 0, 0, in, sizeof in[0], sizeof in[0], 6, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, sizeof in[0], 6, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpy2DFromArray(out, sizeof out[0], b, 0, 0, sizeof in[0], 6, cudaMemcpyDeviceToHost));
    CHECK(!memcmp(in, out, sizeof in));
    GIVES(cudaMemcpy2DToArray(a, 8, 0, in, sizeof in[0], sizeof in[0], 6, cudaMemcpyHostToDevice),
          cudaErrorInvalidValue);
    cudaExtent extent;
    unsigned flags;
    OK(cudaArrayGetInfo(&got, &extent, &flags, a));
    CHECK(got.x == 32 && got.y == 32 && got.z == 0 && extent.width == 9 && extent.height == 6);
    OK(cudaFreeArray(a));
    OK(cudaFreeArray(b));
}

static void symbols()
{
    int c[8], back[16];
    for (int i = 0; i < 8; i++)
        c[i] = i + 1;
    OK(cudaMemcpyFromSymbol(back, scratch, 16 * 4));
    CHECK(back[0] == 1 && back[2] == 3 && back[3] == 0);
    OK(cudaMemcpyToSymbol(coefficient, c, sizeof c));
    double one = 1.0;
    OK(cudaMemcpyToSymbol(ratio, &one, sizeof one));
    use_symbols<<<1, 16>>>();
    OK(cudaMemcpyFromSymbol(back, scratch, 4 * 4, 3 * 4));
    CHECK(back[0] == 44 && back[3] == 74);
    void *p;
    size_t bytes;
    OK(cudaGetSymbolAddress(&p, scratch));
    OK(cudaGetSymbolSize(&bytes, scratch));
    CHECK(bytes == 64);
    OK(cudaMemcpy(back, p, 64, cudaMemcpyDeviceToHost));
    CHECK(back[15] == 84);
    GIVES(cudaMemcpyToSymbol(coefficient, c, 36), cudaErrorInvalidValue);
    GIVES(cudaMemcpyFromSymbol(back, &one, 4), cudaErrorInvalidSymbol);
}

static void wrong()
{
    int *d, h[4] = {1, 2, 3, 4};
    OK(cudaMalloc(&d, 16));
    GIVES(cudaMemcpy(d, h, 20, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    GIVES(cudaMemcpy(d, h, 16, (cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
    GIVES(cudaMemcpy(h, d, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    GIVES(cudaMemset(h, 0, 16), cudaErrorInvalidValue);
    GIVES(cudaMemset(d, 0, 17), cudaErrorInvalidValue);
    GIVES(cudaFree(h), cudaErrorInvalidValue);
    OK(cudaFree(nullptr));
    OK(cudaFree(d));
    GIVES(cudaFree(d), cudaErrorInvalidValue);
    GIVES(cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    GIVES(cudaMalloc((void **)&d, (size_t)1 << 50), cudaErrorMemoryAllocation);
    OK(cudaMalloc(&d, 0));
    CHECK(d == nullptr);
    CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
    CHECK(cudaGetLastError() == cudaSuccess);
    size_t avail, total, less;
    OK(cudaMemGetInfo(&avail, &total));
    OK(cudaMalloc(&d, 1 << 20));
    OK(cudaMemGetInfo(&less, &total));
    CHECK(less <= avail - (1 << 20) && avail <= total);
    OK(cudaFree(d));
}

int main()
{
    planes();
    volumes();
    arrays();
    symbols();
    wrong();
    puts("copies ok");
    return 0;
}
