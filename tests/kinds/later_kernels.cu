// What came before a kernel that has begun may still conflict with what comes after neither: by the host, or from another stream.
//
// case host_stores_what_was_read expect=stream-race
// case host_stores_when_waited expect=silent
// case copied_to_what_was_used expect=stream-race
// case copied_when_used expect=silent
// case function_reads_beside_copy expect=stream-race
// case function_has_read expect=silent
#include <cstring>
#include <cuda_runtime.h>

enum { N = 256 };

__global__ void add(unsigned *to, const unsigned *from, unsigned count)
{
    unsigned sum = 0;
    for (unsigned i = threadIdx.x; i < count; i += 32)
        sum += from[i];
    to[threadIdx.x] = sum; // copied_to_what_was_used
}

static volatile unsigned sink;

static void read_all(void *data)
{
    const volatile unsigned *at = (const volatile unsigned *)data;
    for (int i = 0; i < N; i++)
        sink = sink + at[i];
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    unsigned *a, *b, *c, *pinned;
    cudaStream_t s, t, alone;
    cudaEvent_t e;
    cudaMalloc(&a, N * sizeof *a);
    cudaMalloc(&b, N * sizeof *b);
    cudaMalloc(&c, N * sizeof *c);
    cudaMallocHost(&pinned, N * sizeof *pinned);
    cudaMemset(a, 0, N * sizeof *a);
    cudaMemset(b, 0, N * sizeof *b);
    memset(pinned, 0, N * sizeof *pinned);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaStreamCreateWithFlags(&alone, cudaStreamNonBlocking);
    cudaEventCreate(&e);
    cudaDeviceSynchronize();
    if (strstr(name, "host_stores")) {
        add<<<1, 32, 0, s>>>(a, pinned, N);
        add<<<1, 32, 0, s>>>(b, a, 1);
        if (strstr(name, "waited"))
            cudaStreamSynchronize(s);
        ((volatile unsigned *)pinned)[200] = 1; // host_stores_what_was_read
    } else if (strstr(name, "copied")) {
        add<<<1, 32, 0, alone>>>(a, b, 1);
        cudaMemcpyAsync(pinned, a, N, cudaMemcpyDeviceToHost, alone);
        cudaEventRecord(e, alone);
        if (strstr(name, "when_used"))
            cudaStreamWaitEvent(t, e, 0);
        add<<<1, 32, 0, t>>>(pinned + 32, pinned + 32, 32);
        add<<<1, 32>>>(c, b, 1);
    } else {
        cudaLaunchHostFunc(alone, read_all, pinned);
        if (strstr(name, "has_read"))
            cudaStreamSynchronize(alone);
        cudaMemcpy(pinned + 96, a, 4, cudaMemcpyDeviceToHost); // function_reads_beside_copy
    }
    cudaDeviceSynchronize();
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFreeHost(pinned), cudaEventDestroy(e);
    cudaStreamDestroy(s), cudaStreamDestroy(t), cudaStreamDestroy(alone);
    return 0;
}
