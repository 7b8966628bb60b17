// A kernel reads what an operation of another stream is to write, and nothing lets it wait. Whether it finds that memory empty is luck: the one
// finding is the race, not that nothing has written there.
//
// case copy_unwaited expect=stream-race says=cudaMemcpyAsync
// case copy_waited expect=silent
// case copy_unwaited_lines expect=stream-race
// case copy_waited_lines expect=silent
// case fill_unwaited expect=stream-race says=cudaMemsetAsync
// case fill_waited expect=silent
// case kernel_unwaited expect=stream-race says=[Kk]ernel.fill
// case kernel_waited expect=silent
// case copy_issued_later expect=stream-race
// case copy_elsewhere expect=uninitialized-read
// case copy_of_all expect=silent
#include <cstring>
#include <cuda_runtime.h>

#include "check.h"

enum { N = 32 };

__global__ void fill(int *to)
{
    to[threadIdx.x] = threadIdx.x;
    to[threadIdx.x + N] = threadIdx.x;
}

__global__ void branches(const int *in, int *out)
{
    if (in[threadIdx.x] > 3) // copy_elsewhere
        out[threadIdx.x] = 1;
}

__global__ void branches_on_each(const int *in, int *out)
{
    if (in[threadIdx.x] > 3)
        out[threadIdx.x] = 1;
    if (in[threadIdx.x + N] > 5)
        out[threadIdx.x] += 2;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    bool waits = strstr(name, "waited") && !strstr(name, "unwaited");
    int *in, *out, *host;
    cudaStream_t first, second;
    cudaEvent_t done;
    CHECK(!cudaMalloc(&in, 2 * N * sizeof *in) && !cudaMalloc(&out, N * sizeof *out) && !cudaMallocHost(&host, 2 * N * sizeof *host));
    CHECK(!cudaMemset(out, 0, N * sizeof *out) && !cudaDeviceSynchronize());
    memset(host, 0, 2 * N * sizeof *host);
    CHECK(!cudaStreamCreate(&first) && !cudaStreamCreate(&second) && !cudaEventCreate(&done));
    if (!strcmp(name, "copy_issued_later"))
        branches<<<1, N, 0, second>>>(in, out);
    if (!strcmp(name, "copy_elsewhere"))
        cudaMemcpyAsync(in + N, host, N * sizeof *in, cudaMemcpyHostToDevice, first);
    else if (!strncmp(name, "copy", 4))
        cudaMemcpyAsync(in, host, 2 * N * sizeof *in, cudaMemcpyHostToDevice, strcmp(name, "copy_of_all") ? first : second);
    else if (!strncmp(name, "fill", 4))
        cudaMemsetAsync(in, 0, 2 * N * sizeof *in, first);
    else
        fill<<<1, N, 0, first>>>(in);
    if (waits)
        CHECK(!cudaEventRecord(done, first) && !cudaStreamWaitEvent(second, done, 0));
    if (strstr(name, "lines"))
        branches_on_each<<<1, N, 0, second>>>(in, out);
    else if (strcmp(name, "copy_issued_later"))
        branches<<<1, N, 0, second>>>(in, out);
    CHECK(!cudaDeviceSynchronize());
    cudaFree(in), cudaFree(out), cudaFreeHost(host), cudaStreamDestroy(first), cudaStreamDestroy(second), cudaEventDestroy(done);
    return 0;
}
