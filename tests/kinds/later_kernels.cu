// What came before a kernel that has begun may still conflict with what comes after neither: by the host, or from another stream.
//
// case host_stores_what_was_read expect=stream-race
// case host_stores_when_waited expect=silent
// case copied_to_what_was_used expect=stream-race
// case copied_when_used expect=silent
// case function_reads_beside_copy expect=stream-race
// case function_has_read expect=silent
// case function_reads_as_all_ends expect=silent
// case second_function_before_copy expect=stream-race
// case second_function_before_copy_known expect=silent
// case filled_loop_then_read expect=stream-race
// case filled_loop_then_written expect=stream-race
// case filled_gather_then_read expect=stream-race
// case filled_gather_then_written expect=stream-race
// case filled_rows_then_read expect=stream-race
// case filled_rows_then_written expect=stream-race
// case filled_often_then_gathered expect=stream-race
// case filled_after_loop_then_read expect=silent
// case filled_after_gather_then_written expect=silent
// case filled_after_rows_then_read expect=silent
// case filled_after_often_then_gathered expect=silent
// case taken_rows_then_read expect=stream-race
// case taken_gather_then_read expect=stream-race
// case taken_same_then_read expect=stream-race
// case taken_strongly_then_read expect=stream-race
// case taken_bytes_then_read expect=stream-race
// case taken_failing_swap expect=stream-race
// case taken_after_rows_then_read expect=silent
// case taken_after_gather_then_read expect=silent
// case taken_after_same_then_read expect=silent
// case taken_after_strongly_then_read expect=silent
// case taken_after_bytes_then_read expect=silent
// case taken_after_failing_swap expect=silent
// case taken_after_failing_swap_beside expect=silent options=--seed=6
// case taken_after_swap_made expect=stream-race
#include <atomic>
#include <cstring>
#include <cuda_runtime.h>
#include <unistd.h>

enum { N = 256 };

__global__ void add(unsigned *to, const unsigned *from, unsigned count)
{
    unsigned sum = 0;
    for (unsigned i = threadIdx.x; i < count; i += 32)
        sum += from[i];
    to[threadIdx.x] = sum; // copied_to_what_was_used
}

__global__ void gather(unsigned *to, const unsigned *from)
{
    to[threadIdx.x] = from[(threadIdx.x * 37 + 11) % N];
}
__global__ void rows(unsigned *to, const unsigned *from)
{
    to[threadIdx.x] = from[threadIdx.x];
}
__global__ void gather_few(unsigned *to, const unsigned *from)
{
    to[threadIdx.x] = from[(threadIdx.x * 37 + 11) % 100];
}
__global__ void touch(unsigned *at, unsigned *to)
{
    if (to)
        *to = *at;
    else
        *at = 1;
}

/** A launch reads all of `b`, a fill of its second half is to come in another stream, and a launch that comes after the first uses its first half only. */
static void fill_beside(const char *name, unsigned *a, unsigned *b, unsigned *c, cudaStream_t s, cudaStream_t alone, cudaEvent_t e)
{
    if (strstr(name, "loop"))
        add<<<1, 32, 0, s>>>(a, b, N);
    else if (strstr(name, "rows"))
        rows<<<1, N, 0, s>>>(a, b);
    else
        gather<<<1, N, 0, s>>>(a, b);
    cudaEventRecord(e, s);
    if (strstr(name, "filled_after"))
        cudaStreamWaitEvent(alone, e, 0);
    cudaMemsetAsync(b + N / 2, 0, N / 2 * sizeof *b, alone);
    cudaStreamSynchronize(s);
    for (int i = 0; strstr(name, "often") && i < 200; i++)
        gather_few<<<1, N, 0, s>>>(a, b);
    touch<<<1, 1, 0, s>>>(b, strstr(name, "written") ? nullptr : c);
}

__global__ void number(unsigned *at, bool bytes)
{
    if (bytes)
        ((unsigned char *)at)[threadIdx.x] = 1;
    else
        at[threadIdx.x] = threadIdx.x;
}
__global__ void look(unsigned *to, unsigned *at, bool strongly, bool swaps, unsigned more)
{
    unsigned found = swaps ? atomicCAS(&at[threadIdx.x], more + threadIdx.x, 0) : strongly ? *(volatile unsigned *)&at[threadIdx.x] : at[N / 2 + 1];
    to[threadIdx.x] = found;
}

/** A copy of the second half of `b` is to come; a launch writes all of it, and one that comes after this reads it. */
static void copy_beside(const char *name, unsigned *a, unsigned *b, unsigned *c, cudaStream_t s, cudaStream_t alone, cudaEvent_t e)
{
    bool after = strstr(name, "after"), bytes = strstr(name, "bytes"), same = strstr(name, "same");
    const unsigned *from = b + (bytes ? 0 : N / 2 + same);
    size_t size = same ? sizeof *b : N / 8 * sizeof *b;
    if (!after)
        cudaMemcpyAsync(c, from, size, cudaMemcpyDeviceToDevice, alone);
    number<<<1, N, 0, s>>>(b, bytes);
    cudaEventRecord(e, s);
    if (after) {
        cudaStreamWaitEvent(alone, e, 0);
        cudaMemcpyAsync(c, from, size, cudaMemcpyDeviceToDevice, alone);
    }
    if (strstr(name, "rows") || bytes)
        rows<<<1, N, 0, s>>>(a, b);
    else if (strstr(name, "gather"))
        gather<<<1, N, 0, s>>>(a, b);
    else
        look<<<1, N, 0, s>>>(a, b, strstr(name, "strongly"), strstr(name, "swap"), strstr(name, "made") ? 0 : N);
    cudaStreamSynchronize(s);
}

static volatile unsigned sink;

static void read_all(void *data)
{
    const volatile unsigned *at = (const volatile unsigned *)data;
    for (int i = 0; i < N; i++)
        sink = sink + at[i];
}

static std::atomic<bool> has_read;

static void read_long(void *data)
{
    for (int i = 0; i < 3000; i++) {
        sink = sink + *(const volatile unsigned *)data;
        usleep(100);
    }
    has_read = true;
}

static void write_some(void *data)
{
    *(volatile unsigned *)data = 1;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    unsigned *a, *b, *c, *pinned;
    cudaStream_t s, t, alone;
    cudaEvent_t e;
    cudaMalloc(&a, N * sizeof *a);
    cudaMalloc(&b, N * sizeof *b);
    cudaMalloc(&c, N * sizeof *c);
    cudaMallocHost(&pinned, N * sizeof *pinned);
    cudaMemset(a, 0, N * sizeof *a);
    cudaMemset(b, 0, N * sizeof *b);
    memset(pinned, 0, N * sizeof *pinned);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaStreamCreateWithFlags(&alone, cudaStreamNonBlocking);
    cudaEventCreate(&e);
    cudaDeviceSynchronize();
    if (strstr(name, "host_stores")) {
        add<<<1, 32, 0, s>>>(a, pinned, N);
        add<<<1, 32, 0, s>>>(b, a, 1);
        if (strstr(name, "waited"))
            cudaStreamSynchronize(s);
        ((volatile unsigned *)pinned)[200] = 1; // host_stores_what_was_read
    } else if (strstr(name, "as_all_ends")) { /* the memory is opened to the program again while the function is at it */
        cudaLaunchHostFunc(alone, read_long, pinned);
        while (!has_read) {
            add<<<1, 32, 0, s>>>(a, pinned, 1);
            cudaStreamSynchronize(s);
        }
    } else if (strstr(name, "second_function")) { /* two in a row, then a copy; another stream's function begins with the first of them */
        cudaLaunchHostFunc(0, read_all, pinned);
        cudaLaunchHostFunc(t, read_all, pinned);
        cudaLaunchHostFunc(t, read_all, pinned);
        cudaMemcpyAsync(pinned + 64, a, N, cudaMemcpyDeviceToHost, t);
        cudaEventRecord(e, t);
        if (strstr(name, "known"))
            cudaStreamWaitEvent(s, e, 0);
        cudaLaunchHostFunc(s, write_some, pinned + 64);
    } else if (!strncmp(name, "filled", 6)) {
        fill_beside(name, a, b, c, s, alone, e);
    } else if (!strncmp(name, "taken", 5)) {
        copy_beside(name, a, b, c, s, alone, e);
    } else if (strstr(name, "copied")) {
        add<<<1, 32, 0, alone>>>(a, b, 1);
        cudaMemcpyAsync(pinned, a, N, cudaMemcpyDeviceToHost, alone);
        cudaEventRecord(e, alone);
        if (strstr(name, "when_used"))
            cudaStreamWaitEvent(t, e, 0);
        add<<<1, 32, 0, t>>>(pinned + 32, pinned + 32, 32);
        add<<<1, 32>>>(c, b, 1);
    } else {
        cudaLaunchHostFunc(alone, read_all, pinned);
        if (strstr(name, "has_read"))
            cudaStreamSynchronize(alone);
        cudaMemcpy(pinned + 96, a, 4, cudaMemcpyDeviceToHost); // function_reads_beside_copy
    }
    cudaDeviceSynchronize();
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFreeHost(pinned), cudaEventDestroy(e);
    cudaStreamDestroy(s), cudaStreamDestroy(t), cudaStreamDestroy(alone);
    return 0;
}
