// Which asynchronous copies and fills of mapped, page-locked and pageable memory return only when they, and all before them in their stream,
// are done: a kernel is still busy in the stream when the call is made. One fact a line: the same program runs on a real GPU and on softgpu
// (host_copy_facts.gpu.txt).
//
// nvcc: -lcuda
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

#define BYTES (1 << 20)

__global__ void spin(long long cycles)
{
    long long from = clock64();
    while (clock64() - from < cycles) {
    }
}

static void *mapped, *mapped_too, *locked, *device, *pageable, *pageable_too;
static cudaStream_t stream;

static CUdeviceptr at(void *p) { return (CUdeviceptr)p; }

template <typename call> static void tell(const char *what, call made)
{
    cudaDeviceSynchronize();
    spin<<<1, 1, 0, stream>>>(20000000);
    int e = (int)made();
    bool busy = cudaStreamQuery(stream) == cudaErrorNotReady;
    printf("%s: %d, the stream is %s\n", what, e, busy ? "busy" : "done");
}

static void copy(const char *what, void *to, void *from, size_t bytes, cudaMemcpyKind kind)
{
    tell(what, [=] { return cudaMemcpyAsync(to, from, bytes, kind, stream); });
}

static void runtime()
{
    copy("cudaMemcpyAsync to device, locked to mapped", mapped, locked, 4096, cudaMemcpyHostToDevice);
    copy("cudaMemcpyAsync host to host, locked to mapped", mapped, locked, 4096, cudaMemcpyHostToHost);
    copy("cudaMemcpyAsync default, locked to mapped", mapped, locked, 4096, cudaMemcpyDefault);
    copy("cudaMemcpyAsync host to host, locked to pageable", pageable, locked, 4096, cudaMemcpyHostToHost);
    copy("cudaMemcpyAsync host to host, pageable to pageable", pageable, pageable_too, 4096, cudaMemcpyHostToHost);
    copy("cudaMemcpyAsync host to host, pageable to locked", locked, pageable, 4096, cudaMemcpyHostToHost);
    copy("cudaMemcpyAsync default, pageable to pageable", pageable, pageable_too, 4096, cudaMemcpyDefault);
    copy("cudaMemcpyAsync device to device, mapped to mapped", mapped, mapped_too, 4096, cudaMemcpyDeviceToDevice);
    copy("cudaMemcpyAsync to device, locked to device", device, locked, 4096, cudaMemcpyHostToDevice);
    copy("cudaMemcpyAsync to device, pageable to device", device, pageable, 4096, cudaMemcpyHostToDevice);
    copy("cudaMemcpyAsync to device, much, pageable to device", device, pageable, BYTES, cudaMemcpyHostToDevice);
    copy("cudaMemcpyAsync to host, device to locked", locked, device, 4096, cudaMemcpyDeviceToHost);
    copy("cudaMemcpyAsync to host, device to pageable", pageable, device, 4096, cudaMemcpyDeviceToHost);
    tell("cudaMemsetAsync, mapped", [] { return cudaMemsetAsync(mapped, 1, 4096, stream); });
    tell("cudaMemset2DAsync, mapped", [] { return cudaMemset2DAsync(mapped, 64, 1, 32, 64, stream); });
    tell("cudaMemcpy2DAsync, locked to mapped", [] { return cudaMemcpy2DAsync(mapped, 64, locked, 64, 32, 64, cudaMemcpyHostToDevice, stream); });
}

static void driver()
{
    tell("cuMemcpyHtoDAsync, locked to mapped", [] { return cuMemcpyHtoDAsync(at(mapped), locked, 4096, stream); });
    tell("cuMemcpyHtoDAsync, much, locked to mapped", [] { return cuMemcpyHtoDAsync(at(mapped), locked, BYTES, stream); });
    tell("cuMemcpyHtoDAsync, pageable to mapped", [] { return cuMemcpyHtoDAsync(at(mapped), pageable, 4096, stream); });
    tell("cuMemcpyDtoDAsync, mapped to mapped", [] { return cuMemcpyDtoDAsync(at(mapped), at(mapped_too), 4096, stream); });
    tell("cuMemcpyDtoDAsync, mapped to device", [] { return cuMemcpyDtoDAsync(at(device), at(mapped), 4096, stream); });
    tell("cuMemcpyDtoDAsync, device to mapped", [] { return cuMemcpyDtoDAsync(at(mapped), at(device), 4096, stream); });
    tell("cuMemcpyDtoHAsync, mapped to locked", [] { return cuMemcpyDtoHAsync(locked, at(mapped), 4096, stream); });
    tell("cuMemcpyAsync, mapped to mapped", [] { return cuMemcpyAsync(at(mapped), at(mapped_too), 4096, stream); });
    tell("cuMemsetD8Async, mapped", [] { return cuMemsetD8Async(at(mapped), 1, 4096, stream); });
}

int main()
{
    cudaHostAlloc(&mapped, BYTES, cudaHostAllocMapped);
    cudaHostAlloc(&mapped_too, BYTES, cudaHostAllocMapped);
    cudaMallocHost(&locked, BYTES);
    cudaMalloc(&device, BYTES);
    pageable = malloc(BYTES), pageable_too = malloc(BYTES);
    for (void *p : {mapped, mapped_too, locked, pageable, pageable_too})
        memset(p, 1, BYTES);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMemset(device, 0, BYTES);
    runtime();
    driver();
    cudaDeviceSynchronize();
    free(pageable), free(pageable_too);
    return 0;
}
