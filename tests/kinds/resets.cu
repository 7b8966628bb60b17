// What a program did before a reset of the device counts to its end, whatever it does after; so does a call that fails before
// the device is first used.
//
// also --remote
//
// case fault_kept expect=out-of-bounds
// case fault_and_on expect=out-of-bounds says=1073741824
// case fault_twice expect=out-of-bounds says=holds.64
// case no_fault expect=silent
// case race_and_on expect=data-race
// case no_race expect=silent
// case no_device expect=failed-call level=warning
// case no_device_and_on expect=failed-call level=warning
// case no_device_looked expect=silent
// case failed_after expect=failed-call level=warning
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__global__ void store(int *out, int at)
{
    out[at] = 1; // fault_kept fault_and_on fault_twice
}
__global__ void race(int *out)
{
    out[0] = (int)threadIdx.x; // race_and_on
}

static void go_on(int at)
{
    int *p;
    cudaMalloc(&p, 64);
    store<<<1, 1>>>(p, at);
    printf("%d\n", cudaDeviceSynchronize());
    cudaFree(p);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
#define CASE(n) else if (!strcmp(name, n))
    if (!*name)
        return 2;
    CASE("fault_kept") {
        go_on(1 << 28);
        cudaDeviceReset();
    }
    CASE("fault_and_on") {
        go_on(1 << 28);
        cudaDeviceReset();
        go_on(1);
    }
    CASE("fault_twice") {
        go_on(16);
        cudaDeviceReset();
        go_on(1);
        cudaDeviceReset();
        go_on(17);
        cudaDeviceReset();
    }
    CASE("no_fault") {
        go_on(15);
        cudaDeviceReset();
        go_on(1);
    }
    CASE("race_and_on") {
        int *p;
        cudaMalloc(&p, 64);
        race<<<1, 64>>>(p);
        cudaFree(p);
        cudaDeviceReset();
        go_on(1);
    }
    CASE("no_race") {
        int *p;
        cudaMalloc(&p, 64);
        race<<<1, 1>>>(p);
        cudaFree(p);
        cudaDeviceReset();
        go_on(1);
    }
    CASE("no_device") cudaSetDevice(99); // no_device
    CASE("no_device_and_on") {
        cudaSetDevice(99); // no_device_and_on
        go_on(1);
    }
    CASE("no_device_looked") {
        if (cudaSetDevice(99) != cudaSuccess)
            go_on(1);
    }
    CASE("failed_after") {
        go_on(1);
        cudaDeviceReset();
        cudaSetDevice(99); // failed_after
    }
    else return 2;
    return 0;
}
