// Copies from pageable memory: the call returns when the bytes are staged, and they may arrive later (CUDA
// Runtime API, "API synchronization behavior"; tests/gpu/pageable_reach.cu sees it on a GPU).
//
// also --remote
//
// case memcpy_apart expect=stream-race
// case memcpy_apart_waited expect=silent
// case memcpy_device_waited expect=silent
// case memcpy_blocking expect=silent
// case memcpy_same expect=silent
// case memcpy_pinned expect=silent
// case memcpy_managed expect=silent
// case plane_apart expect=stream-race
// case symbol_apart expect=stream-race
// case symbol_blocking expect=silent
// case async_other expect=stream-race
// case async_other_event expect=silent
// case async_same expect=silent
// case async_queried expect=silent
// case over_older expect=stream-race
// case behind_work expect=silent
// case back_unwaited expect=stream-race
// case back_waited expect=silent
// case chunks expect=silent
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

enum { N = 64, BYTES = N * sizeof(int) };

__device__ int symbol[N];

__global__ void copy(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x];
}
__global__ void copy_symbol(int *out)
{
    out[threadIdx.x] = symbol[threadIdx.x];
}
__global__ void wait_for(int *out, volatile int *flag)
{
    while (!*flag)
        ;
    *out = 1;
}

static int *host, *pinned, *device, *managed, *out;
static cudaStream_t blocking, apart, other;

/** What arrived must be what the source held at the call. */
static int check(void)
{
    int got[N];
    if (cudaDeviceSynchronize() != cudaSuccess ||
        cudaMemcpy(got, out, BYTES, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 3;
    for (int i = 0; i < N; i++)
        if (got[i] != i)
            return 4;
    return 0;
}

static int run(const char *name)
{
#define CASE(n) else if (!strcmp(name, n))
    if (!*name)
        return 2;
    CASE("memcpy_apart") {
        cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice); // memcpy_apart
        copy<<<1, N, 0, apart>>>(out, device);
        cudaDeviceSynchronize();
        return 0;
    }
    CASE("memcpy_apart_waited") {
        cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice);
        cudaStreamSynchronize(cudaStreamLegacy);
        copy<<<1, N, 0, apart>>>(out, device);
    }
    CASE("memcpy_device_waited") {
        cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice);
        cudaDeviceSynchronize();
        copy<<<1, N, 0, apart>>>(out, device);
    }
    CASE("memcpy_blocking") {
        cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice);
        copy<<<1, N, 0, blocking>>>(out, device);
    }
    CASE("memcpy_same") {
        cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice);
        copy<<<1, N>>>(out, device);
    }
    CASE("memcpy_pinned") {
        cudaMemcpy(device, pinned, BYTES, cudaMemcpyHostToDevice);
        copy<<<1, N, 0, apart>>>(out, device);
    }
    CASE("memcpy_managed") {
        cudaMemcpy(managed, host, BYTES, cudaMemcpyHostToDevice);
        copy<<<1, N, 0, apart>>>(out, managed);
    }
    CASE("plane_apart") {
        cudaMemcpy2D(device, 32, host, 16, 16, 8, cudaMemcpyHostToDevice); // plane_apart
        copy<<<1, N, 0, apart>>>(out, device);
        cudaDeviceSynchronize();
        return 0;
    }
    CASE("symbol_apart") {
        cudaMemcpyToSymbol(symbol, host, BYTES);
        copy_symbol<<<1, N, 0, apart>>>(out);
        cudaDeviceSynchronize();
        return 0;
    }
    CASE("symbol_blocking") {
        cudaMemcpyToSymbol(symbol, host, BYTES);
        copy_symbol<<<1, N, 0, blocking>>>(out);
    }
    CASE("async_other") {
        cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, blocking); // async_other
        copy<<<1, N, 0, other>>>(out, device);
        cudaDeviceSynchronize();
        return 0;
    }
    CASE("async_other_event") {
        cudaEvent_t copied;
        cudaEventCreate(&copied);
        cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, blocking);
        cudaEventRecord(copied, blocking);
        cudaStreamWaitEvent(other, copied, 0);
        copy<<<1, N, 0, other>>>(out, device);
        cudaEventDestroy(copied);
    }
    CASE("async_same") {
        cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, apart);
        copy<<<1, N, 0, apart>>>(out, device);
    }
    CASE("async_queried") {
        cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, blocking);
        while (cudaStreamQuery(blocking) == cudaErrorNotReady)
            ;
        copy<<<1, N, 0, other>>>(out, device);
    }
    CASE("over_older") {
        copy<<<1, N, 0, apart>>>(out, device);
        cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice); // over_older
        cudaDeviceSynchronize();
        return 0;
    }
    CASE("behind_work") {      // the call does not wait for a kernel that waits for the host
        int *done = (int *)managed;
        wait_for<<<1, 1, 0, apart>>>(done, pinned);
        cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, apart);
        __atomic_store_n(pinned, 1, __ATOMIC_RELEASE);
        copy<<<1, N, 0, apart>>>(out, device);
    }
    CASE("back_unwaited") {    // the other direction, too, may return before the bytes are there
        int back[N];
        cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, apart); // back_unwaited
        cudaMemcpyAsync(back, device, BYTES, cudaMemcpyDeviceToHost, apart);
        copy<<<1, N, 0, other>>>(out, device);
        cudaDeviceSynchronize();
        return 0;
    }
    CASE("chunks") {           // each stream has its own part of both arrays
        for (int i = 0; i < 4; i++) {
            cudaStream_t s = i & 1 ? other : apart;
            int *mine = device + N / 2 * (i & 1), *part = host + N / 4 * i;
            cudaMemcpyAsync(mine, part, BYTES / 4, cudaMemcpyHostToDevice, s);
            copy<<<1, N / 4, 0, s>>>(out + N / 4 * i, mine);
            cudaMemcpyAsync(part, out + N / 4 * i, BYTES / 4, cudaMemcpyDeviceToHost, s);
        }
    }
    CASE("back_waited") {
        int back[N];
        cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, apart);
        cudaMemcpyAsync(back, device, BYTES, cudaMemcpyDeviceToHost, apart);
        cudaStreamSynchronize(apart);
        if (memcmp(back, host, BYTES))
            return 5;
        copy<<<1, N, 0, other>>>(out, device);
    }
    else return 2;
    return check();
}

int main(int argc, char **argv)
{
    host = (int *)malloc(BYTES);
    cudaMallocHost(&pinned, BYTES);
    cudaMalloc(&device, 8 * 32);
    cudaMalloc(&out, BYTES);
    cudaMallocManaged(&managed, BYTES);
    cudaMemset(device, 0, 8 * 32);
    cudaMemset(out, 0, BYTES);
    for (int i = 0; i < N; i++)
        host[i] = i;
    memcpy(pinned, host, BYTES);
    cudaStreamCreate(&blocking);
    cudaStreamCreate(&other);
    cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    int status = run(argc > 1 ? argv[1] : "");
    cudaDeviceSynchronize();
    cudaStreamDestroy(blocking);
    cudaStreamDestroy(other);
    cudaStreamDestroy(apart);
    cudaFree(device);
    cudaFree(out);
    cudaFree(managed);
    cudaFreeHost(pinned);
    free(host);
    return status;
}
