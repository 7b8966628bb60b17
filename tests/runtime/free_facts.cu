// Which calls that give memory back wait for a kernel that is still busy in a stream, and which find out that it used what they freed. One
// fact a line: the same program runs on a real GPU and on softgpu (free_facts.gpu.txt).
#include <cstdio>
#include <cuda_runtime.h>

#define BYTES (1 << 20)

static cudaStream_t stream;

__global__ void spin(long long cycles, int *at)
{
    long long from = clock64();
    while (clock64() - from < cycles) {
    }
    if (at)
        *at = 1;
}

static void busy(int *at) { spin<<<1, 1, 0, stream>>>(20000000, at); }

template <typename call> static void tell(const char *what, call freed)
{
    cudaDeviceSynchronize();
    busy(nullptr);
    int e = (int)freed();
    bool done = cudaStreamQuery(stream) != cudaErrorNotReady;
    printf("%s: %d, the stream is %s, then %d\n", what, e, done ? "done" : "busy", (int)cudaDeviceSynchronize());
}

int main()
{
    void *p, *locked, *managed, *pooled, *other, *array_of_host = nullptr;
    cudaArray_t array;
    cudaMipmappedArray_t mipmapped;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMalloc(&p, BYTES);
    cudaMallocHost(&locked, BYTES);
    cudaMallocManaged(&managed, BYTES);
    cudaMallocArray(&array, &format, 64, 64);
    cudaMallocMipmappedArray(&mipmapped, &format, make_cudaExtent(64, 64, 0), 2);
    cudaMallocAsync(&pooled, BYTES, stream);
    cudaMallocAsync(&other, BYTES, stream);
    spin<<<1, 1, 0, stream>>>(1, nullptr);
    tell("cudaFree of nothing", [&] { return cudaFree(array_of_host); });
    tell("cudaFree", [&] { return cudaFree(p); });
    tell("cudaFreeHost", [&] { return cudaFreeHost(locked); });
    tell("cudaFree, managed", [&] { return cudaFree(managed); });
    tell("cudaFreeArray", [&] { return cudaFreeArray(array); });
    tell("cudaFreeMipmappedArray", [&] { return cudaFreeMipmappedArray(mipmapped); });
    tell("cudaFree, a pool's", [&] { return cudaFree(pooled); });
    tell("cudaFreeAsync, a pool's", [&] { return cudaFreeAsync(other, stream); });
    cudaMalloc(&p, BYTES);
    tell("cudaFreeAsync, cudaMalloc's", [&] { return cudaFreeAsync(p, stream); });
    cudaEvent_t event;
    cudaEventCreate(&event);
    tell("cudaEventDestroy", [&] { return cudaEventDestroy(event); });
    cudaStream_t unused;
    cudaStreamCreate(&unused);
    tell("cudaStreamDestroy", [&] { return cudaStreamDestroy(unused); });
    cudaMallocAsync(&pooled, BYTES, stream);
    cudaDeviceSynchronize();
    busy((int *)pooled);
    cudaFree(pooled);
    printf("cudaFree, a pool's that the kernel stores to: then %d\n", (int)cudaDeviceSynchronize());
    return 0;
}
