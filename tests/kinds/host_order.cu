// Data that is strong itself, between the host and a kernel that it has not waited for: no race, and no order either, unless the kernel's half
// fences.
//
// also --remote
//
// case counted expect=ordering level=warning
// case counted_fenced expect=silent
// case stored expect=ordering level=warning says=__threadfence_system\(\).after.line
// case stored_fenced expect=silent
// case stored_device_fence expect=ordering level=warning
// case unchanged expect=silent
// case swept expect=silent
// case swept_backwards expect=ordering level=warning
// case two_flags expect=silent
// case received expect=ordering level=warning says=host.s.signal
// case received_fenced expect=silent
// case received_both_polled expect=silent
#include <cstring>
#include <cuda_runtime.h>

#define VOL(p) (*(volatile int *)(p))
enum { DATA, FLAG = 32, OTHER = 48 };

__global__ void count(int *words, int fence, int by)
{
    atomicAdd_system(&words[DATA], by); // counted
    if (fence)
        __threadfence_system();
    VOL(&words[FLAG]) = 1;
}
__global__ void store(int *words, int fence, int value)
{
    VOL(&words[DATA]) = value; // stored
    if (fence == 1)
        __threadfence_system();
    if (fence == 2)
        __threadfence();
    VOL(&words[FLAG]) = 1;
}
__global__ void tell_both(int *words)
{
    VOL(&words[OTHER]) = 1;
    VOL(&words[FLAG]) = 1;
}
__global__ void receive(int *words, int fence)
{
    while (VOL(&words[FLAG]) == 0)
        ;
    if (fence)
        __threadfence_system();
    words[OTHER] = VOL(&words[DATA]); // received
}
__global__ void receive_both(int *words)
{
    while (VOL(&words[FLAG]) == 0)
        ;
    while (VOL(&words[DATA]) == 0)
        ;
}

static int *words;
static volatile int sink;

static int peek(int at)
{
    return __atomic_load_n(&words[at], __ATOMIC_ACQUIRE);
}
static void await_then_read(void)
{
    while (peek(FLAG) == 0)
        ;
    sink = peek(DATA);
}
static void write_then_signal(void)
{
    __atomic_store_n(&words[DATA], 5, __ATOMIC_RELAXED);
    __atomic_store_n(&words[FLAG], 1, __ATOMIC_RELEASE);
}

static bool run(const char *name)
{
#define CASE(n) else if (!strcmp(name, n))
    if (!*name)
        return false;
    CASE("counted") count<<<1, 1>>>(words, 0, 3), await_then_read();
    CASE("counted_fenced") count<<<1, 1>>>(words, 1, 3), await_then_read();
    CASE("unchanged") count<<<1, 1>>>(words, 0, 0), await_then_read();
    CASE("stored") store<<<1, 1>>>(words, 0, 7), await_then_read();
    CASE("stored_fenced") store<<<1, 1>>>(words, 1, 7), await_then_read();
    CASE("stored_device_fence") store<<<1, 1>>>(words, 2, 7), await_then_read();
    CASE("swept") { // both are looked at until both are there
        tell_both<<<1, 1>>>(words);
        bool one = false, other = false;
        while (!one || !other)
            other = peek(OTHER), one = peek(FLAG);
    }
    CASE("swept_backwards") { // that it would look again is not seen
        tell_both<<<1, 1>>>(words);
        bool one = false, other = false;
        while (!one || !other)
            one = peek(FLAG), other = peek(OTHER);
    }
    CASE("two_flags") {
        tell_both<<<1, 1>>>(words);
        while (peek(OTHER) == 0)
            ;
        while (peek(FLAG) == 0)
            ;
    }
    CASE("received") receive<<<1, 1>>>(words, 0), write_then_signal();
    CASE("received_fenced") receive<<<1, 1>>>(words, 1), write_then_signal();
    CASE("received_both_polled") receive_both<<<1, 1>>>(words), write_then_signal();
    else return false;
    return true;
}

int main(int argc, char **argv)
{
    cudaHostAlloc(&words, 256, cudaHostAllocMapped);
    memset(words, 0, 256);
    if (!run(argc > 1 ? argv[1] : ""))
        return 2;
    cudaError_t e = cudaDeviceSynchronize();
    cudaFreeHost(words);
    return e != cudaSuccess;
}
