// What the host sees of bad launches and of kernels that fail. Each fault has a process of its own.
#include "check.cuh"
#include <cassert>
#include <sys/wait.h>
#include <unistd.h>

__global__ void nothing() {}
__global__ void store(int *p, int v) { *p = v; }
__global__ void wide(char *p) { *(long long *)(p + 4) = 1; }
__global__ void claim(int n) { assert(n < 3); }
__global__ void stop() { __trap(); }
__global__ void forever(volatile int *p)
{
    while (*p == 0) {
    }
}
__global__ void __launch_bounds__(64) bounded() {}

static void bad_launches()
{
    nothing<<<0, 1>>>();
    CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaSuccess);
    nothing<<<1, 1025>>>();
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    nothing<<<1, dim3(1, 1, 65)>>>();
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    nothing<<<dim3(1, 65536), 1>>>();
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    nothing<<<1, 1, 49 * 1024>>>();
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    OK(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 60 * 1024));
    nothing<<<1, 1, 60 * 1024>>>();
    CHECK(cudaGetLastError() == cudaSuccess);
    bounded<<<1, 128>>>();
    CHECK(cudaGetLastError() != cudaSuccess);
    nothing<<<1, 1, 0, (cudaStream_t)0x1234>>>();
    CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
    int local;
    void *none[1] = {nullptr};
    GIVES(cudaLaunchKernel((const void *)&local, dim3(1), dim3(1), none, 0, 0),
          cudaErrorInvalidResourceHandle);
    (void)cudaGetLastError();
    OK(cudaDeviceSynchronize()); // none of it stays
    int *d, got = 0;
    OK(cudaMalloc(&d, 4));
    store<<<1, 1>>>(d, 9);
    OK(cudaMemcpy(&got, d, 4, cudaMemcpyDeviceToHost));
    CHECK(got == 9);
}

// A fault shows at the next synchronisation, and in every call after it until a reset.
static void expect(cudaError_t error)
{
    OK(cudaPeekAtLastError());
    GIVES(cudaDeviceSynchronize(), error);
    int *p;
    GIVES(cudaMalloc(&p, 4), error);
    GIVES(cudaGetLastError(), error);
    OK(cudaGetLastError()); // told once, until a call meets the fault again
    nothing<<<1, 1>>>();
    GIVES(cudaPeekAtLastError(), error);
    int count;
    OK(cudaGetDeviceCount(&count));
    OK(cudaDeviceReset());
    OK(cudaMalloc(&p, 4));
    store<<<1, 1>>>(p, 1);
    OK(cudaDeviceSynchronize());
}

static void in_child(void (*test)())
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        freopen("/dev/null", "w", stderr);
        test();
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main()
{
    in_child(bad_launches);
    in_child([] { store<<<1, 1>>>((int *)16, 1); expect(cudaErrorIllegalAddress); });
    in_child([] {
        int *p;
        OK(cudaMalloc(&p, 4));
        store<<<1, 1>>>(p + 100, 1);
        expect(cudaErrorIllegalAddress);
    });
    in_child([] {
        char *p;
        OK(cudaMalloc(&p, 64));
        wide<<<1, 1>>>(p);
        expect(cudaErrorMisalignedAddress);
    });
    in_child([] { store<<<1, 1>>>((int *)18, 1); expect(cudaErrorMisalignedAddress); });
    in_child([] {
        char *p;
        OK(cudaMalloc(&p, 4));
        store<<<1, 1>>>((int *)(p + 402), 1); // neither in anything nor aligned: that comes first
        expect(cudaErrorMisalignedAddress);
    });
    in_child([] { claim<<<2, 4>>>(3); expect(cudaErrorAssert); });
    in_child([] { stop<<<1, 1>>>(); expect(cudaErrorLaunchFailure); });
    in_child([] {
        setenv("SOFTGPU_STEP_LIMIT", "200000", 1);
        int *p;
        OK(cudaMalloc(&p, 4));
        OK(cudaMemset(p, 0, 4));
        forever<<<1, 32>>>(p);
        expect(cudaErrorLaunchTimeout);
    });
    CHECK(!strcmp(cudaGetErrorString(cudaErrorIllegalAddress),
                  "an illegal memory access was encountered"));
    CHECK(!strcmp(cudaGetErrorName(cudaErrorAssert), "cudaErrorAssert"));
    CHECK(!strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code"));
    puts("faults ok");
    return 0;
}
