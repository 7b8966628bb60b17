// Host functions that are in order with others by the host alone: what one knows of other streams is what it comes after, and what the
// host has waited for while it ran.
//
// also --remote
//
// case gate_opened_later expect=silent
// case gate_reads expect=silent
// case gate_reads_early expect=stream-race
// case gate_event expect=silent
// case no_gate expect=stream-race
// case other_stream expect=stream-race
// case other_stream_event expect=silent
// case other_stream_waited expect=silent
// case same_stream expect=silent
// case callback_other_stream expect=stream-race
// case two_behind expect=stream-race
// case host_polls expect=silent
// case behind_function expect=stream-race
// case behind_function_waited expect=silent
// case kernel_behind_function expect=stream-race
// case stored_behind_function expect=stream-race
// case before_function expect=stream-race
// case function_behind_function expect=stream-race
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#include "check.h"

enum { N = 64, BYTES = N * sizeof(int) };

static int *pinned;
static std::atomic<int> is_open{0};
static volatile int sink;

__global__ void fill(int *out)
{
    out[threadIdx.x] = (int)threadIdx.x;
}
__global__ void add(int *out, const int *in)
{
    out[threadIdx.x] += in[threadIdx.x];
}
static void nothing(void *)
{
}
static void gate(void *)
{
    while (!is_open)
        ;
}
static void gate_and_read(void *)
{
    gate(nullptr);
    sink = pinned[3];
}
static void gate_and_read_early(void *)
{
    sink = pinned[3]; // gate_reads_early
    gate(nullptr);
}
static void read_pinned(void *)
{
    sink = pinned[3];
}
static void callback(cudaStream_t, cudaError_t, void *)
{
    sink = pinned[3]; // callback_other_stream
}
static void open_gate(void *)
{
    is_open = 1;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *a, *b;
    cudaStream_t s, t;
    cudaEvent_t e;
    CHECK(!cudaMalloc(&a, BYTES) && !cudaMalloc(&b, BYTES) && !cudaMallocHost(&pinned, BYTES) && !cudaMemset(b, 0, BYTES));
    memset(pinned, 0, BYTES);
    CHECK(!cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking) && !cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    CHECK(!cudaEventCreate(&e) && !cudaDeviceSynchronize());
    auto result = [&] {
        fill<<<1, N, 0, s>>>(a);
        CHECK(!cudaMemcpyAsync(pinned, a, BYTES, cudaMemcpyDeviceToHost, s));
    };
#define CASE(n) else if (!strcmp(name, n))
    if (!*name)
        return 2;
    CASE("gate_opened_later") {
        CHECK(!cudaLaunchHostFunc(t, gate, nullptr));
        add<<<1, N, 0, t>>>(b, a);
        result();
        CHECK(!cudaStreamSynchronize(s));
        is_open = 1;
    }
    CASE("gate_reads") {
        CHECK(!cudaLaunchHostFunc(t, gate_and_read, nullptr));
        result();
        CHECK(!cudaStreamSynchronize(s));
        is_open = 1;
    }
    CASE("gate_reads_early") {
        CHECK(!cudaLaunchHostFunc(t, gate_and_read_early, nullptr));
        result();
        CHECK(!cudaStreamSynchronize(s));
        is_open = 1;
    }
    CASE("gate_event") {
        CHECK(!cudaLaunchHostFunc(t, gate, nullptr) && !cudaEventRecord(e, t));
        result();
        CHECK(!cudaStreamSynchronize(s));
        is_open = 1;
        CHECK(!cudaEventSynchronize(e));
        sink = pinned[3];
    }
    CASE("no_gate") {
        CHECK(!cudaLaunchHostFunc(t, nothing, nullptr));
        add<<<1, N, 0, t>>>(b, a);
        result();
        CHECK(!cudaStreamSynchronize(s));
    }
    CASE("other_stream") {
        result();
        CHECK(!cudaLaunchHostFunc(t, read_pinned, nullptr));
        CHECK(!cudaStreamSynchronize(s));
    }
    CASE("other_stream_event") {
        result();
        CHECK(!cudaEventRecord(e, s) && !cudaStreamWaitEvent(t, e, 0) && !cudaLaunchHostFunc(t, read_pinned, nullptr));
        CHECK(!cudaStreamSynchronize(s));
    }
    CASE("other_stream_waited") {
        result();
        CHECK(!cudaStreamSynchronize(s) && !cudaLaunchHostFunc(t, read_pinned, nullptr));
    }
    CASE("same_stream") {
        result();
        CHECK(!cudaLaunchHostFunc(s, read_pinned, nullptr));
    }
    CASE("callback_other_stream") {
        result();
        CHECK(!cudaStreamAddCallback(t, callback, nullptr, 0));
        CHECK(!cudaStreamSynchronize(s));
    }
    CASE("two_behind") { // the second, behind a kernel, begins when the host has waited for the copy
        result();
        fill<<<1, N, 0, t>>>(b);
        CHECK(!cudaLaunchHostFunc(t, nothing, nullptr) && !cudaLaunchHostFunc(t, read_pinned, nullptr));
        CHECK(!cudaStreamSynchronize(s));
    }
    CASE("host_polls") {
        result();
        CHECK(!cudaLaunchHostFunc(s, open_gate, nullptr));
        while (!is_open)
            ;
        add<<<1, N, 0, t>>>(b, a);
        sink = pinned[3];
    }
    CASE("behind_function") {
        CHECK(!cudaLaunchHostFunc(s, nothing, nullptr));
        result();
        sink = pinned[3]; // behind_function
    }
    CASE("behind_function_waited") {
        CHECK(!cudaLaunchHostFunc(s, nothing, nullptr));
        result();
        CHECK(!cudaStreamSynchronize(s));
        sink = pinned[3];
    }
    CASE("kernel_behind_function") {
        CHECK(!cudaLaunchHostFunc(s, nothing, nullptr));
        fill<<<1, N, 0, s>>>(pinned);
        sink = pinned[3]; // kernel_behind_function
    }
    CASE("stored_behind_function") {
        CHECK(!cudaLaunchHostFunc(s, nothing, nullptr));
        add<<<1, N, 0, s>>>(b, pinned);
        pinned[3] = 4; // stored_behind_function
    }
    CASE("before_function") { // that the function has begun, or ended, tells the host nothing
        result();
        CHECK(!cudaLaunchHostFunc(s, nothing, nullptr));
        fill<<<1, N, 0, s>>>(b);
        sink = pinned[3]; // before_function
    }
    CASE("function_behind_function") { // the first holds up what the second is compared with
        CHECK(!cudaLaunchHostFunc(s, nothing, nullptr));
        result();
        CHECK(!cudaLaunchHostFunc(t, read_pinned, nullptr));
        CHECK(!cudaStreamSynchronize(s));
    }
    else return 2;
    CHECK(!cudaDeviceSynchronize());
    cudaFree(a), cudaFree(b), cudaFreeHost(pinned), cudaEventDestroy(e);
    cudaStreamDestroy(s), cudaStreamDestroy(t);
    return 0;
}
