// Batches that copy from the host's pageable memory.
//
// case during_call expect=silent
// case in_stream expect=not-waited says=in.stream.order
// case in_stream_unchanged expect=silent
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#include "check.h"

enum { N = 2000, BYTES = N * sizeof(int) };

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *device, local[N] = {9}, back;
    cudaStream_t s;
    CHECK(!cudaMalloc(&device, BYTES) && !cudaStreamCreate(&s));
    void *to = device;
    const void *from = local;
    size_t bytes = BYTES, first = 0;
    cudaMemcpyAttributes how = {};
    how.srcAccessOrder = !strcmp(name, "during_call") ? cudaMemcpySrcAccessOrderDuringApiCall : cudaMemcpySrcAccessOrderStream;
    CHECK(!cudaMemcpyBatchAsync(&to, &from, &bytes, 1, &how, &first, 1, s)); // in_stream
    if (strcmp(name, "in_stream_unchanged"))
        local[0] = 8;
    CHECK(!cudaStreamSynchronize(s));
    CHECK(!cudaMemcpy(&back, device, 4, cudaMemcpyDeviceToHost));
    CHECK(!strcmp(name, "in_stream") || back == 9);
    cudaFree(device);
    return 0;
}
