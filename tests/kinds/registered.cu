// Copies from and to memory that the host has page-locked itself (cudaHostRegister).
// nvcc: -lcuda
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
// case behind_copy expect=stream-race says=has.changed.before
// case behind_kernel expect=stream-race says=has.changed.before
// case behind_kernel_later expect=stream-race says=has.changed.before
// case behind_other_stream expect=stream-race says=has.changed.before
// case behind_kernel_waited expect=silent
// case behind_kernel_unchanged expect=silent
// case behind_writer expect=silent
// case behind_hidden_writer expect=silent
// case behind_copy_there expect=silent
// case behind_poll expect=silent
// case behind_function expect=silent
// case behind_value expect=silent
// case ring expect=silent
// case ring_too_short expect=stream-race
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
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
__global__ void wait_for(volatile int *flag)
{
    while (!*flag)
        ;
}
__global__ void add_behind(int **p)
{
    for (int i = (int)threadIdx.x; i < N; i += 32)
        (*p)[i]++;
}
static void set(void *p)
{
    ((int *)p)[0] = 4;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *d, *d2, back, *flag;
    cudaStream_t s, other;
    cudaEvent_t done, filled[2];
    CHECK(!cudaMalloc(&d2, BYTES) && !cudaMemset(d2, 0, BYTES) && !cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    CHECK(!cudaEventCreate(&filled[0]) && !cudaEventCreate(&filled[1]));
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
    CASE("behind_copy") {
        CHECK(!cudaMemcpyAsync(d2, d, BYTES, cudaMemcpyDeviceToDevice, s));
        up();
        h[5] = 9;
    }
    CASE("behind_kernel") {
        add<<<1, 32, 0, s>>>(d);
        up();
        h[5] = 9;
    }
    CASE("behind_kernel_later") {
        add<<<1, 32, 0, s>>>(d);
        up();
        CHECK(!cudaEventRecord(done, s));
        add<<<1, 32, 0, s>>>(d);
        h[5] = 9;
    }
    CASE("behind_other_stream") {
        add<<<1, 32, 0, other>>>(d);
        CHECK(!cudaEventRecord(done, other) && !cudaStreamWaitEvent(s, done, 0));
        up();
        h[5] = 9;
    }
    CASE("behind_kernel_waited") {
        add<<<1, 32, 0, s>>>(d);
        up();
        CHECK(!cudaStreamSynchronize(s));
        h[5] = 9;
    }
    CASE("behind_kernel_unchanged") {
        add<<<1, 32, 0, s>>>(d);
        up();
        add<<<1, 32, 0, s>>>(d);
        CHECK(!cudaStreamSynchronize(s) && h[5] == 0);
    }
    CASE("behind_writer") {
        add<<<1, 32, 0, s>>>(h);
        up();
        add<<<1, 32, 0, s>>>(d);
        CHECK(!cudaStreamSynchronize(s) && h[5] == 1);
    }
    CASE("behind_hidden_writer") {
        int **at, *address = h;
        CHECK(!cudaMalloc(&at, sizeof *at) && !cudaMemcpy(at, &address, sizeof address, cudaMemcpyHostToDevice) && !cudaDeviceSynchronize());
        add_behind<<<1, 32, 0, s>>>(at);
        up();
        add<<<1, 32, 0, s>>>(d);
        CHECK(!cudaStreamSynchronize(s) && h[5] == 1 && !cudaFree(at));
    }
    CASE("behind_copy_there") {
        CHECK(!cudaMemsetAsync(d2, 1, BYTES, s) && !cudaMemcpyAsync(h, d2, BYTES, cudaMemcpyDeviceToHost, s));
        up();
        add<<<1, 32, 0, s>>>(d);
        CHECK(!cudaStreamSynchronize(s) && h[5] == 0x01010101);
    }
    CASE("behind_poll") {
        wait_for<<<1, 1, 0, s>>>(flag);
        up();
        h[5] = 9;
        *(volatile int *)flag = 1;
        CHECK(!cudaStreamSynchronize(s));
    }
    CASE("behind_function") {
        add<<<1, 32, 0, s>>>(d);
        CHECK(!cudaLaunchHostFunc(s, set, h));
        up();
        CHECK(!cudaStreamSynchronize(s) && h[0] == 4);
    }
    CASE("behind_value") {
        CUdeviceptr word = (CUdeviceptr)d2;
        CHECK(!cuStreamWaitValue32(s, word, 1, CU_STREAM_WAIT_VALUE_EQ));
        up();
        h[5] = 9;
        CHECK(!cuStreamWriteValue32(other, word, 1, 0));
        CHECK(!cudaStreamSynchronize(s));
    }
    CASE("ring") {
        for (int i = 0; i < 6; i++) {
            CHECK(i < 2 || !cudaEventSynchronize(filled[i % 2]));
            for (int j = 0; j < N / 2; j++)
                h[i % 2 * (N / 2) + j] = i;
            CHECK(!cudaMemcpyAsync(d, h + i % 2 * (N / 2), BYTES / 2, cudaMemcpyHostToDevice, s));
            CHECK(!cudaEventRecord(filled[i % 2], s));
            add<<<1, 32, 0, s>>>(d);
        }
    }
    CASE("ring_too_short") {
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < N / 2; j++)
                h[i % 2 * (N / 2) + j] = i;
            CHECK(!cudaMemcpyAsync(d, h + i % 2 * (N / 2), BYTES / 2, cudaMemcpyHostToDevice, s)); // ring_too_short
            CHECK(!cudaEventRecord(filled[i % 2], s));
            add<<<1, 32, 0, s>>>(d);
        }
    }
    else return 2;
    CHECK(!cudaDeviceSynchronize() && !cudaHostUnregister(h));
    cudaFree(d), cudaFree(d2), cudaFreeHost(flag);
    return 0;
}
