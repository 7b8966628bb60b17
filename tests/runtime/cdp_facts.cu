// nvcc: -rdc=true -arch=compute_90 -lcudadevrt
// What launches from the device do, as an H200 does it: errors, limits, streams, order. One fact a line.
#include <cstdio>
#include <cstdlib>

__device__ int result[64];
__device__ int total;

__global__ void add(int v) { atomicAdd(&total, v); }
__global__ void put(int at, int v) { result[at] = v; }
__global__ void append(int digit) { total = total * 10 + digit; }
__global__ void __launch_bounds__(64) bounded(int v) { atomicAdd(&total, v); }
struct large { int v[512]; };
__global__ void takes_large(large l) { int s = 0; for (int i = 0; i < 512; i++) s += l.v[i]; total = s; }
__global__ void uses_shared(int n)
{
    extern __shared__ char bytes[];
    bytes[n - 1] = 1;
    atomicAdd(&total, (int)bytes[n - 1]);
}
struct three { char c; double d; short s; };
__global__ void aligned(char a, double b, short c, three t) { total = (int)(a * 1000 + b * 100 + c * 10 + t.c + t.d + t.s); }

// Each writes result[]; the host prints it.
#define ERROR(i) result[i] = (int)cudaGetLastError()
__global__ void shapes()
{
    add<<<1, 1>>>(1); ERROR(0);
    add<<<1, 1025>>>(1); ERROR(1);
    add<<<0, 1>>>(1); ERROR(2);
    add<<<1, 0>>>(1); ERROR(3);
    add<<<dim3(1, 70000), 1>>>(1); ERROR(4);
    add<<<1, dim3(1, 1, 65)>>>(1); ERROR(5);
    bounded<<<1, 128>>>(1); ERROR(6);
    uses_shared<<<1, 1, 48 * 1024>>>(48 * 1024); ERROR(7);
    uses_shared<<<1, 1, 100 * 1024>>>(100 * 1024); ERROR(8);
    uses_shared<<<1, 1, 300 * 1024>>>(1); ERROR(9);
    ERROR(10);
    add<<<1, 1025>>>(1);
    result[11] = (int)cudaPeekAtLastError();
    add<<<1, 1>>>(1);
    result[12] = (int)cudaPeekAtLastError();
    result[13] = (int)cudaGetLastError();
    result[14] = (int)cudaGetLastError();
}

__global__ void error_of_another_thread()
{
    if (threadIdx.x == 0)
        add<<<1, 1025>>>(1);
    __syncthreads();
    result[threadIdx.x] = (int)cudaGetLastError();
}

__global__ void streams()
{
    cudaStream_t s = nullptr, t = nullptr;
    cudaEvent_t e = nullptr;
    result[0] = cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    result[1] = s != nullptr;
    result[2] = cudaStreamCreateWithFlags(&t, cudaStreamDefault);
    result[3] = cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    result[4] = cudaEventRecord(e, s);
    result[5] = cudaStreamWaitEvent(s, e, 0);
    result[6] = cudaEventRecord(e, cudaStreamTailLaunch);
    result[7] = cudaEventRecord(e, cudaStreamFireAndForget);
    result[8] = cudaStreamWaitEvent(cudaStreamTailLaunch, e, 0);
    result[9] = cudaStreamWaitEvent(cudaStreamFireAndForget, e, 0);
    result[10] = cudaStreamWaitEvent(nullptr, e, 0);
    result[11] = cudaEventRecord(e, nullptr);
    result[12] = cudaEventDestroy(e);
    result[13] = cudaStreamDestroy(s);
    result[14] = cudaEventCreateWithFlags(&e, cudaEventDefault);
    result[15] = cudaGetLastError();
}

__global__ void attributes()
{
    int v = -1;
    size_t n = 0;
    cudaFuncAttributes a;
    result[0] = cudaDeviceGetAttribute(&v, cudaDevAttrMultiProcessorCount, 0), result[1] = v;
    result[2] = cudaDeviceGetAttribute(&v, cudaDevAttrMaxThreadsPerBlock, 0), result[3] = v;
    result[4] = cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 0), result[5] = v;
    result[6] = cudaDeviceGetAttribute(&v, cudaDevAttrMaxThreadsPerBlock, 7);
    result[7] = cudaGetDevice(&v), result[8] = v;
    result[9] = cudaGetDeviceCount(&v), result[10] = v;
    result[11] = cudaDeviceGetLimit(&n, cudaLimitDevRuntimePendingLaunchCount), result[12] = (int)n;
    result[13] = cudaDeviceGetLimit(&n, cudaLimitMallocHeapSize), result[14] = (int)n;
    result[15] = cudaFuncGetAttributes(&a, bounded), result[16] = a.maxThreadsPerBlock, result[17] = (int)a.sharedSizeBytes;
    result[18] = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&v, add, 1024, 0), result[19] = v;
    result[20] = cudaRuntimeGetVersion(&v), result[21] = v;
    cudaGetLastError();
}

__global__ void in_order() // of one stream
{
    for (int i = 1; i <= 5; i++)
        append<<<1, 1>>>(i);
}

__global__ void in_order_of_block() // of the block's NULL stream, whichever thread launches
{
    for (int i = 0; i < 4; i++) {
        if (threadIdx.x == i)
            append<<<1, 1>>>(i + 1);
        __syncthreads();
    }
}

__global__ void two_streams()
{
    cudaStream_t s, t;
    cudaEvent_t e;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    append<<<1, 1, 0, s>>>(1);
    append<<<1, 1, 0, s>>>(2);
    cudaEventRecord(e, s);
    cudaStreamWaitEvent(t, e, 0);
    append<<<1, 1, 0, t>>>(3);
    append<<<1, 1, 0, t>>>(4);
    cudaEventDestroy(e);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
}

__global__ void spin_append(int digit)
{
    for (long long t = clock64(); clock64() - t < 100000;)
        ;
    total = total * 10 + digit;
}

__global__ void tails() // after all else, in order
{
    append<<<1, 1, 0, cudaStreamTailLaunch>>>(3);
    append<<<1, 1, 0, cudaStreamTailLaunch>>>(4);
    spin_append<<<1, 1, 0, cudaStreamFireAndForget>>>(1);
}

__global__ void tail_of_tail(int n)
{
    total = total * 10 + n;
    if (n < 5)
        tail_of_tail<<<1, 1, 0, cudaStreamTailLaunch>>>(n + 1);
}

__global__ void nested_tail()
{
    append<<<1, 1, 0, cudaStreamTailLaunch>>>(4);
    tail_of_tail<<<1, 1>>>(3);
}

__global__ void deeper(int n)
{
    total = n;
    deeper<<<1, 1>>>(n + 1);
    int e = (int)cudaGetLastError();
    if (e)
        result[0] = e, result[1] = n;
}

__global__ void deeper_tails(int n)
{
    total = n;
    if (n == 100)
        return;
    deeper_tails<<<1, 1, 0, cudaStreamTailLaunch>>>(n + 1);
    int e = (int)cudaGetLastError();
    if (e)
        result[0] = e, result[1] = n;
}

__global__ void many(int n)
{
    int failed = 0, error = 0;
    for (int i = 0; i < n; i++) {
        add<<<1, 1, 0, cudaStreamFireAndForget>>>(1);
        int e = (int)cudaGetLastError();
        failed += e != 0;
        error = e ? e : error;
    }
    result[0] = error;
    result[1] = failed;
}

__global__ void many_threads()
{
    add<<<1, 1>>>(1);
    int e = (int)cudaGetLastError();
    if (e)
        result[0] = e, atomicAdd(&result[1], 1);
}

__device__ int source[4] = {1, 2, 3, 4}, target[4];
__global__ void copies()
{
    result[0] = cudaMemcpyAsync(target, source, sizeof source, cudaMemcpyDeviceToDevice);
    result[1] = cudaMemsetAsync(target, 0, 4);
    result[2] = cudaMemcpyAsync(target, source, 4, cudaMemcpyHostToDevice);
    void *p = nullptr;
    result[3] = cudaMalloc(&p, 16);
    result[4] = p != nullptr;
    result[5] = cudaFree(p);
    result[6] = cudaGetLastError();
}

__global__ void large_parameter()
{
    large l;
    for (int i = 0; i < 512; i++)
        l.v[i] = i;
    takes_large<<<1, 1>>>(l);
    result[0] = (int)cudaGetLastError();
}

__global__ void alignments()
{
    three t = {1, 2, 3};
    aligned<<<1, 1>>>(1, 2.0, 3, t);
}

__global__ void bad_child() { *(volatile int *)16 = 1; }
__global__ void parent_of_bad() { bad_child<<<1, 1>>>(); }

static void show(const char *name, int numbers)
{
    cudaError_t e = cudaDeviceSynchronize();
    int r[64], t;
    printf("%s: %s", name, cudaGetErrorName(e));
    if (!e) {
        cudaMemcpyFromSymbol(r, result, sizeof r);
        cudaMemcpyFromSymbol(&t, total, sizeof t);
        for (int i = 0; i < numbers; i++)
            printf(" %d", r[i]);
        printf(", total %d", t);
    }
    puts("");
    fflush(stdout);
    int zero[64] = {0};
    cudaMemcpyToSymbol(result, zero, sizeof zero);
    cudaMemcpyToSymbol(total, zero, sizeof t);
}

int main()
{
    shapes<<<1, 1>>>(); show("shapes", 15);
    error_of_another_thread<<<1, 4>>>(); show("error of another thread", 4);
    streams<<<1, 1>>>(); show("streams", 16);
    attributes<<<1, 1>>>(); show("attributes", 22);
    in_order<<<1, 1>>>(); show("in order", 0);
    in_order_of_block<<<1, 4>>>(); show("in order of the block", 0);
    two_streams<<<1, 1>>>(); show("two streams and an event", 0);
    tails<<<1, 1>>>(); show("tail launches", 0);
    tail_of_tail<<<1, 1>>>(1); show("tail of a tail", 0);
    nested_tail<<<1, 1>>>(); show("tail behind a child's tails", 0);
    deeper<<<1, 1>>>(1); show("depth", 2);
    deeper_tails<<<1, 1>>>(1); show("depth of tails", 2);
    many<<<1, 1>>>(1000); show("1000 launches", 2);
    many<<<1, 1>>>(5000); show("5000 launches", 2);
    many_threads<<<20, 256>>>(); show("5120 threads that launch", 2);
    cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 8192);
    many_threads<<<20, 256>>>(); show("5120 threads with a limit of 8192", 2);
    copies<<<1, 1>>>(); show("copies", 7);
    int t[4];
    cudaMemcpyFromSymbol(t, target, sizeof t);
    printf("copied: %d %d %d %d\n", t[0], t[1], t[2], t[3]);
    large_parameter<<<1, 1>>>(); show("2 KiB of parameters", 1);
    alignments<<<1, 1>>>(); show("alignments", 0);
    cudaFuncSetAttribute(uses_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024);
    shapes<<<1, 1>>>(); show("shapes with 100 KiB allowed", 15);
    parent_of_bad<<<1, 1>>>(); show("a child's fault", 0);
    return 0;
}
