// A kernel's fault that the program reckons with: ends with 0 where the runtime told it of one. The first argument says
// which; "none" is no fault, "unread" a trap whose error nobody reads, "forever" a loop.
#include <cassert>
#include <cstdio>
#include <cstring>

__global__ void claim(int n)
{
    assert(n < 3);
}

__global__ void stop(bool yes)
{
    if (yes)
        __trap();
}

__global__ void store(int *p, long long i)
{
    p[i] = 1;
}

__global__ void forever(volatile int *p)
{
    while (p[0] >= 0)
        p[1]++;
}

int main(int, char **argv)
{
    int *p;
    const char *which = argv[1];
    cudaMalloc(&p, 64);
    cudaMemset(p, 0, 64);
    if (!strcmp(which, "assert"))
        claim<<<1, 4>>>(3);
    else if (!strcmp(which, "bounds"))
        store<<<1, 1>>>(p, 1ll << 40);
    else if (!strcmp(which, "forever"))
        forever<<<1, 1>>>(p);
    else
        stop<<<1, 1>>>(strcmp(which, "none"));
    if (!strcmp(which, "unread"))
        return 0;
    cudaError_t e = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorName(e));
    if (!e)
        cudaFree(p);
    return e == cudaSuccess && strcmp(which, "none") ? 1 : 0;
}
