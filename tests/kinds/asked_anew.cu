// Events that are recorded anew before each query: the host gets its answer all the same, and the device has had its time.
// case recorded_anew expect=silent
// case recorded_anew_used expect=stream-race
#include <cstring>

#include "check.h"

__global__ void count(int *n)
{
    for (int i = 0; i < 1000; i++)
        atomicAdd(n, 1);
}

int main(int argc, char **argv)
{
    bool early = argc > 1 && !strcmp(argv[1], "recorded_anew_used");
    int *n, *got;
    cudaStream_t s;
    cudaEvent_t e;
    CHECK(!cudaMalloc(&n, sizeof *n));
    CHECK(!cudaMallocHost(&got, sizeof *got));
    CHECK(!cudaMemset(n, 0, sizeof *n));
    CHECK(!cudaStreamCreate(&s));
    CHECK(!cudaEventCreate(&e));
    count<<<4, 32, 0, s>>>(n);
    CHECK(!cudaMemcpyAsync(got, n, sizeof *n, cudaMemcpyDeviceToHost, s));
    if (early)
        printf("%d\n", *got); // recorded_anew_used
    cudaError_t r;
    do {
        CHECK(!cudaEventRecord(e, s));
        r = cudaEventQuery(e);
    } while (r == cudaErrorNotReady);
    CHECK(!r);
    printf("%d\n", *got);
    CHECK(early || *got == 4 * 32 * 1000);
    CHECK(!cudaFree(n));
    CHECK(!cudaFreeHost(got));
}
