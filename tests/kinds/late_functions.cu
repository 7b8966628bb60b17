// Two devices' kernels ask the host, which looks for both before it answers. One of them comes behind a host function: while that runs, neither the host, which looks
// at one place, nor the other device's kernel, which looks at another, waits in vain.
//
// also --remote
//
// case comes_late expect=silent options=--devices=2
// case comes_at_once expect=silent options=--devices=2
// case never_comes expect=deadlock options=--devices=2
#include <cstring>
#include <ctime>
#include <cuda_runtime.h>

#include "check.h"

enum { ASKED, ANSWERED = 2, LATE_MS = 400, VAIN_MS = 3000 };

__global__ void ask(int *desk, int who, int *out)
{
    __threadfence_system();
    *(volatile int *)&desk[ASKED + who] = 1;
    while (*(volatile int *)&desk[ANSWERED] == 0) { // never_comes
    }
    __threadfence_system();
    *out = 1;
}

static double now_ms()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void late(void *)
{
    timespec pause = {0, LATE_MS * 1000000};
    nanosleep(&pause, nullptr);
}

int main(int argc, char **argv)
{
    int *desk, *out[2];
    cudaStream_t s[2];
    CHECK(argc == 2 && !cudaMallocHost(&desk, 16 * sizeof *desk));
    memset(desk, 0, 16 * sizeof *desk);
    for (int d = 0; d < 2; d++)
        CHECK(!cudaSetDevice(d) && !cudaStreamCreateWithFlags(&s[d], cudaStreamNonBlocking) && !cudaMalloc(&out[d], sizeof(int)));
    bool never = !strcmp(argv[1], "never_comes");
    if (strcmp(argv[1], "comes_at_once"))
        CHECK(!cudaLaunchHostFunc(s[1], late, nullptr));
    for (int d = 0; d < (never ? 1 : 2); d++) {
        CHECK(!cudaSetDevice(d));
        ask<<<1, 1, 0, s[d]>>>(desk, d, out[d]);
    }
    volatile int *words = desk;
    double since = now_ms();
    for (int d = 0; d < 2; d++)
        while (words[ASKED + d] == 0 && (!never || now_ms() - since < VAIN_MS)) {
        }
    words[ANSWERED] = 1;
    bool failed = false;
    for (int d = 0; d < 2; d++)
        failed |= cudaSetDevice(d) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess;
    CHECK(failed == never);
    for (int d = 0; d < 2; d++)
        CHECK(never || (!cudaSetDevice(d) && !cudaFree(out[d]) && !cudaStreamDestroy(s[d])));
    CHECK(never || !cudaFreeHost(desk));
    return 0;
}
