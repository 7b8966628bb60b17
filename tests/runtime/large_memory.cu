// Programs that ask for as much memory as there is: from 2^45 bytes on half as much, until they get some. That takes no memory of the host's.
#include "check.cuh"

__global__ void mark(char *p, size_t bytes)
{
    p[0] = 1;
    p[bytes / 2] = 2;
    p[bytes - 1] = p[0] + p[bytes / 2];
}

static long residentMegabytes()
{
    long all = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    CHECK(f && fscanf(f, "%ld %ld", &all, &resident) == 2);
    fclose(f);
    return resident / 256;
}

enum Kind { DEVICE, MANAGED, ORDERED, LOCKED };

static cudaError_t ask(Kind kind, char **p, size_t bytes)
{
    switch (kind) {
    case DEVICE: return cudaMalloc(p, bytes);
    case MANAGED: return cudaMallocManaged(p, bytes);
    case ORDERED: return cudaMallocAsync(p, bytes, 0);
    default: return cudaMallocHost(p, bytes);
    }
}

static void free(Kind kind, char *p)
{
    OK(kind == LOCKED ? cudaFreeHost(p) : kind == ORDERED ? cudaFreeAsync(p, 0) : cudaFree(p));
    OK(cudaDeviceSynchronize());
}

static void halve(Kind kind, const char *name)
{
    size_t bytes = (size_t)1 << 45, device = 0, free_ = 0;
    char *p = nullptr, last = 0;
    long before = residentMegabytes();
    OK(cudaMemGetInfo(&free_, &device));
    while (ask(kind, &p, bytes) != cudaSuccess) {
        GIVES(cudaGetLastError(), cudaErrorMemoryAllocation);
        bytes /= 2;
        CHECK(bytes);
    }
    CHECK(kind == LOCKED || (bytes <= device && bytes > device / 4));
    mark<<<1, 1>>>(p, bytes);
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(&last, p + bytes - 1, 1, cudaMemcpyDefault));
    CHECK(last == 3);
    if (kind == MANAGED || kind == LOCKED) {
        CHECK(p[bytes / 2] == 2);
        p[5] = 4;
    }
    CHECK(residentMegabytes() - before < 512);
    free(kind, p);
    printf("%s: done\n", name);
}

int main()
{
    halve(DEVICE, "device");
    halve(MANAGED, "managed");
    halve(ORDERED, "stream-ordered");
    halve(LOCKED, "page-locked");
    return 0;
}
