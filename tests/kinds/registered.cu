// Copies from and to memory that the host has page-locked itself (cudaHostRegister).
//
// case changed expect=stream-race says=has.changed.before
// case changed_later expect=stream-race says=has.changed.before
// case changed_behind_event expect=silent
// case changed_behind_query expect=silent
// case unchanged expect=silent
// case there_and_back expect=silent
// case kernel_behind expect=silent
// case function_before expect=silent
// case function_behind expect=silent
// case by_flag expect=silent
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#include "check.h"

enum { N = 1000, BYTES = N * sizeof(int) };

static int h[N];

__global__ void add(int *p)
{
    for (int i = (int)threadIdx.x; i < N; i += 32)
        p[i]++;
}
__global__ void raise(volatile int *flag)
{
    *flag = 1;
}
static void set(void *p)
{
    ((int *)p)[0] = 4;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *d, back, *flag;
    cudaStream_t s;
    cudaEvent_t done;
    CHECK(!cudaMalloc(&d, BYTES) && !cudaMemset(d, 0, BYTES) && !cudaHostRegister(h, BYTES, 0) && !cudaMallocHost(&flag, 4));
    CHECK(!cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking) && !cudaEventCreate(&done) && !cudaDeviceSynchronize());
    *flag = 0;
    auto up = [&] { CHECK(!cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, s)); }; // changed changed_later
#define CASE(n) else if (!strcmp(name, n))
    if (!*name)
        return 2;
    CASE("changed") {
        up();
        h[5] = 9;
    }
    CASE("changed_later") {
        up();
        CHECK(!cudaEventRecord(done, s));
        h[5] = 9;
    }
    CASE("changed_behind_event") {
        up();
        CHECK(!cudaEventRecord(done, s) && !cudaEventSynchronize(done));
        h[5] = 9;
    }
    CASE("changed_behind_query") {
        up();
        while (cudaStreamQuery(s) == cudaErrorNotReady)
            ;
        h[5] = 9;
    }
    CASE("unchanged") {
        up();
        CHECK(h[5] == 0);
    }
    CASE("there_and_back") {
        up();
        add<<<1, 32, 0, s>>>(d);
        CHECK(!cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, s));
        CHECK(!cudaStreamSynchronize(s) && h[5] == 1);
    }
    CASE("kernel_behind") {
        up();
        add<<<1, 32, 0, s>>>(h);
        CHECK(!cudaStreamSynchronize(s) && h[5] == 1);
    }
    CASE("function_before") {
        CHECK(!cudaLaunchHostFunc(s, set, h));
        up();
        CHECK(!cudaStreamSynchronize(s) && !cudaMemcpy(&back, d, 4, cudaMemcpyDeviceToHost) && back == 4);
    }
    CASE("function_behind") {
        up();
        CHECK(!cudaLaunchHostFunc(s, set, h));
        CHECK(!cudaStreamSynchronize(s) && !cudaMemcpy(&back, d, 4, cudaMemcpyDeviceToHost) && back == 0);
    }
    CASE("by_flag") {
        up();
        raise<<<1, 1, 0, s>>>(flag);
        while (!*(volatile int *)flag)
            ;
        h[5] = 9;
    }
    else return 2;
    CHECK(!cudaDeviceSynchronize() && !cudaHostUnregister(h));
    cudaFree(d), cudaFreeHost(flag);
    return 0;
}
