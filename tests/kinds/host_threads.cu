// Threads of the program that launch beside each other: in order where one waits for the other, by whatever means.
//
// case launch_beside expect=stream-race
// case beside_each_waits expect=stream-race
// case beside_apart expect=silent
// case joined expect=silent
// case by_condition expect=silent
// case by_atomic expect=silent
// case by_event expect=silent
// case many_joined expect=silent
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <cuda_runtime.h>
#include <mutex>
#include <thread>

#include "check.h"

enum { N = 64, BYTES = N * sizeof(int) };

static int *a, *b;
static cudaStream_t s, t;
static cudaEvent_t e;
static std::atomic<int> ready{0};

__global__ void fill(int *out)
{
    out[threadIdx.x] = (int)threadIdx.x;
}
__global__ void add(int *out, const int *in)
{
    out[threadIdx.x] += in[threadIdx.x];
}
static void write()
{
    fill<<<1, N, 0, s>>>(a);
    CHECK(!cudaStreamSynchronize(s));
}
static void read()
{
    add<<<1, N, 0, t>>>(b, a);
    CHECK(!cudaStreamSynchronize(t));
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    CHECK(!cudaMalloc(&a, BYTES) && !cudaMalloc(&b, BYTES) && !cudaMemset(a, 0, BYTES) && !cudaMemset(b, 0, BYTES));
    CHECK(!cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking) && !cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    CHECK(!cudaEventCreate(&e) && !cudaDeviceSynchronize());
#define CASE(n) else if (!strcmp(name, n))
    if (!*name)
        return 2;
    CASE("launch_beside") {
        std::thread x(write);
        add<<<1, N, 0, t>>>(b, a);
        x.join();
    }
    CASE("beside_each_waits") {
        std::thread x(write), y(read);
        x.join(), y.join();
    }
    CASE("beside_apart") {
        std::thread x(write), y([] {
            fill<<<1, N, 0, t>>>(b);
            CHECK(!cudaStreamSynchronize(t));
        });
        x.join(), y.join();
    }
    CASE("joined") {
        std::thread x(write);
        x.join();
        std::thread y(read);
        y.join();
    }
    CASE("by_condition") {
        std::mutex m;
        std::condition_variable c;
        bool there = false;
        std::thread y([&] {
            std::unique_lock<std::mutex> l(m);
            c.wait(l, [&] { return there; });
            read();
        });
        std::thread x([&] {
            write();
            std::lock_guard<std::mutex> l(m);
            there = true;
            c.notify_all();
        });
        x.join(), y.join();
    }
    CASE("by_atomic") {
        std::thread y([] {
            while (!ready)
                ;
            read();
        });
        std::thread x([] {
            write();
            ready = 1;
        });
        x.join(), y.join();
    }
    CASE("by_event") {
        std::thread y([] {
            while (!ready)
                ;
            CHECK(!cudaStreamWaitEvent(t, e, 0));
            read();
        });
        std::thread x([] {
            fill<<<1, N, 0, s>>>(a);
            CHECK(!cudaEventRecord(e, s));
            ready = 1;
            CHECK(!cudaStreamSynchronize(s));
        });
        x.join(), y.join();
    }
    CASE("many_joined") {
        for (int i = 0; i < 100; i++) {
            std::thread x(write);
            x.join();
            read();
        }
    }
    else return 2;
    CHECK(!cudaDeviceSynchronize());
    cudaFree(a), cudaFree(b), cudaEventDestroy(e), cudaStreamDestroy(s), cudaStreamDestroy(t);
    return 0;
}
