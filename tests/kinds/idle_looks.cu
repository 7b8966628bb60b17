// A strong look whose value nobody uses is nothing to anybody: that it may be older is no finding. Where the value is kept, or decides, it is one; and so is
// what comes behind an idle look at a signal, which makes nobody wait.
//
// case idle_look expect=silent
// case kept_look expect=ordering
// case idle_signal expect=ordering level=warning
// case idle_signal_read expect=silent
#include <cstring>
#include <cuda_runtime.h>

#include "check.h"

#define VOL(x) (*(volatile int *)&(x))

__device__ int relaxed(int *p)
{
    int v;
    asm volatile("ld.relaxed.gpu.global.b32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ int acquire(int *p)
{
    int v;
    asm volatile("atom.acquire.gpu.global.add.s32 %0, [%1], 0;" : "=r"(v) : "l"(p) : "memory");
    return v;
}

__device__ void send(int *data, int *flag)
{
    VOL(data[0]) = 42;
    asm volatile("st.release.gpu.global.b32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
}

template <bool KEPT> __global__ void looks(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        send(data, flag);
        return;
    }
    int first = relaxed(flag);
    int look = VOL(data[0]); // kept_look
    if (KEPT)
        out[2] = look;
    if (acquire(flag))
        out[0] = VOL(data[0]);
    out[1] = first;
}

/** The look decides nothing: who comes by it may find the data, or not. */
template <bool READ> __global__ void idle_signal(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        send(data, flag);
        return;
    }
    int look = READ ? acquire(flag) : relaxed(flag);
    if (READ ? look : true)
        out[0] = VOL(data[0]) + (READ ? 0 : relaxed(flag)); // idle_signal
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *words;
    CHECK(!cudaMalloc(&words, 512) && !cudaMemset(words, 0, 512));
    if (!strcmp(name, "idle_look"))
        looks<false><<<2, 1>>>(words, words + 32, words + 64);
    else if (!strcmp(name, "kept_look"))
        looks<true><<<2, 1>>>(words, words + 32, words + 64);
    else if (!strcmp(name, "idle_signal"))
        idle_signal<false><<<2, 1>>>(words, words + 32, words + 64);
    else
        idle_signal<true><<<2, 1>>>(words, words + 32, words + 64);
    CHECK(!cudaDeviceSynchronize() && !cudaFree(words));
    return 0;
}
