// nvcc: -w
// Memory pools and batches of copies: what a pool holds and when it gives that back, pools on the host and who may use
// their memory, what a batch is refused for and which of its copies take place. One fact a line; the same program runs on a
// real GPU and on softgpu, and the two outputs are compared (pool_facts.gpu.txt). Each group is a process of its own.
//
//   nvcc -arch=compute_75 -cudart shared -o pool_facts pool_facts.cu && ./pool_facts
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

static void fact(const char *name, cudaError_t e)
{
    printf("%s: %s\n", name, cudaGetErrorName(e));
    cudaGetLastError();
    fflush(stdout);
}
static void fact(const char *name, long long v) { printf("%s: %lld\n", name, v), fflush(stdout); }
#define FACT(call) fact(#call, call)

__global__ void add_one(int *p) { *p += 1; }

static cudaStream_t stream()
{
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    return s;
}

/* ---- What a pool holds ---- */

static void holds(cudaMemPool_t p, const char *when)
{
    unsigned long long v[4] = {};
    const cudaMemPoolAttr of[] = {cudaMemPoolAttrReservedMemCurrent, cudaMemPoolAttrReservedMemHigh,
                                  cudaMemPoolAttrUsedMemCurrent, cudaMemPoolAttrUsedMemHigh};
    for (int i = 0; i < 4; i++)
        cudaMemPoolGetAttribute(p, of[i], &v[i]);
    printf("%s: reserved %llu, high %llu; used %llu, high %llu\n", when, v[0], v[1], v[2], v[3]);
    fflush(stdout);
}

static void threshold()
{
    cudaMemPool_t p;
    cudaStream_t s = stream();
    void *a, *b, *c;
    cudaDeviceGetDefaultMemPool(&p, 0);
    holds(p, "at first");
    cudaMallocAsync(&a, 1, s), holds(p, "a byte");
    cudaMallocAsync(&b, 1 << 20, s), holds(p, "and 1 MiB");
    cudaMallocAsync(&c, 33 << 20, s), holds(p, "and 33 MiB");
    cudaFreeAsync(b, s), holds(p, "1 MiB freed");
    cudaStreamSynchronize(s), holds(p, "the stream waited for");
    cudaFreeAsync(a, s), cudaFreeAsync(c, s), holds(p, "all freed");
    cudaEvent_t e;
    cudaEventCreate(&e), cudaEventRecord(e, s), holds(p, "an event recorded");
    cudaEventSynchronize(e), holds(p, "the event waited for");
    FACT(cudaMemPoolTrimTo(p, 0)), holds(p, "trimmed");
    cudaMallocAsync(&a, 5 << 20, s), cudaFreeAsync(a, s), cudaDeviceSynchronize(), holds(p, "the device waited for");
    unsigned long long all = ~0ull, none = 0, one = 1;
    FACT(cudaMemPoolSetAttribute(p, cudaMemPoolAttrReleaseThreshold, &all));
    cudaMallocAsync(&b, 3 << 20, s), cudaMallocAsync(&c, 70 << 20, s), holds(p, "3 and 70 MiB");
    cudaFreeAsync(b, s), cudaFreeAsync(c, s), cudaStreamSynchronize(s), holds(p, "kept below the threshold");
    FACT(cudaMemPoolTrimTo(p, 40 << 20)), holds(p, "trimmed to 40 MiB");
    FACT(cudaMemPoolTrimTo(p, 0)), holds(p, "trimmed to nothing");
    FACT(cudaMemPoolSetAttribute(p, cudaMemPoolAttrReservedMemHigh, &none)), holds(p, "high mark of what is reserved reset");
    FACT(cudaMemPoolSetAttribute(p, cudaMemPoolAttrUsedMemHigh, &one));
    FACT(cudaMemPoolSetAttribute(p, cudaMemPoolAttrUsedMemCurrent, &none));
    unsigned long long some = 40 << 20;
    FACT(cudaMemPoolSetAttribute(p, cudaMemPoolAttrReleaseThreshold, &some));
    cudaMallocAsync(&b, 100 << 20, s), cudaFreeAsync(b, s), cudaStreamSynchronize(s), holds(p, "above a threshold of 40 MiB");
    cudaMallocAsync(&b, 20 << 20, s), cudaFreeAsync(b, s), cudaStreamSynchronize(s), holds(p, "below a threshold of 40 MiB");
}

static void limited()
{
    cudaMemPool_t p;
    cudaStream_t s = stream();
    void *a, *b;
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    FACT(cudaMemPoolCreate(&p, &props)), holds(p, "a pool of one's own");
    cudaMallocFromPoolAsync(&a, 100, p, s), holds(p, "100 bytes");
    cudaMallocFromPoolAsync(&b, (2 << 20) + 1, p, s), holds(p, "and 2 MiB and a byte");
    FACT(cudaMemPoolTrimTo(p, 0)), holds(p, "trimmed while used");
    cudaFreeAsync(a, s), cudaFreeAsync(b, s), cudaStreamSynchronize(s), holds(p, "freed");
    FACT(cudaMemPoolDestroy(p));
    props.maxSize = 8 << 20;
    FACT(cudaMemPoolCreate(&p, &props));
    FACT(cudaMallocFromPoolAsync(&a, 6 << 20, p, s)), holds(p, "6 of 8 MiB");
    FACT(cudaMallocFromPoolAsync(&b, 6 << 20, p, s)), holds(p, "12 of 8 MiB");
    FACT(cudaMallocFromPoolAsync(&b, 30 << 20, p, s)), holds(p, "42 of 8 MiB");
    FACT(cudaMemPoolDestroy(p));
}

/* ---- Pools on the host ---- */

static void on_host()
{
    cudaMemPool_t p = nullptr, its = nullptr;
    cudaStream_t s = stream();
    int *a = nullptr, *d, got = 0;
    cudaMalloc(&d, 4);
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeHost;
    FACT(cudaMemPoolCreate(&p, &props));
    FACT(cudaMallocFromPoolAsync((void **)&a, 100, p, s));
    FACT(cudaStreamSynchronize(s));
    holds(p, "100 bytes on the host");
    cudaPointerAttributes at = {};
    FACT(cudaPointerGetAttributes(&at, a));
    fact("its type", at.type), fact("its device", at.device), fact("a host pointer", at.hostPointer != nullptr);
    fact("a device pointer", at.devicePointer != nullptr);
    memset(a, 0, 100);
    *a = 5;
    FACT(cudaMemcpyAsync(d, a, 4, cudaMemcpyDefault, s));
    FACT(cudaMemcpyAsync(&got, d, 4, cudaMemcpyDeviceToHost, s));
    cudaStreamSynchronize(s), fact("copied", got);
    cudaMemLocation device = {}, host = {};
    device.type = cudaMemLocationTypeDevice, host.type = cudaMemLocationTypeHost;
    cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    FACT(cudaMemPoolGetAccess(&flags, p, &device)), fact("the device's access", flags);
    flags = cudaMemAccessFlagsProtNone;
    FACT(cudaMemPoolGetAccess(&flags, p, &host)), fact("the host's access", flags);
    cudaMemAccessDesc may = {device, cudaMemAccessFlagsProtReadWrite}, no = {host, cudaMemAccessFlagsProtNone};
    FACT(cudaMemPoolSetAccess(p, &no, 1));
    FACT(cudaMemPoolSetAccess(p, &may, 1));
    FACT(cudaMemPoolGetAccess(&flags, p, &device)), fact("the device's access", flags);
    at = {};
    FACT(cudaPointerGetAttributes(&at, a));
    fact("a device pointer", at.devicePointer != nullptr);
    add_one<<<1, 1, 0, s>>>(a);
    FACT(cudaStreamSynchronize(s)), fact("a kernel added one", *a);
    FACT(cudaDeviceSetMemPool(0, p));
    FACT(cudaFreeAsync(a, s));
    FACT(cudaStreamSynchronize(s));
    FACT(cudaMemPoolDestroy(p));
    props.location.type = cudaMemLocationTypeHostNuma;
    FACT(cudaMemPoolCreate(&p, &props));
    FACT(cudaMallocFromPoolAsync((void **)&a, 100, p, s));
    FACT(cudaFree(a));
    props.location.id = 99;
    FACT(cudaMemPoolCreate(&p, &props));
    props.location.type = cudaMemLocationTypeHostNumaCurrent;
    props.location.id = 0;
    FACT(cudaMemPoolCreate(&p, &props));
    props.location.type = cudaMemLocationTypeHost;
    props.location.id = 7;
    FACT(cudaMemPoolCreate(&p, &props));
    FACT(cudaMemGetDefaultMemPool(&its, &host, cudaMemAllocationTypePinned));
    FACT(cudaMemGetMemPool(&its, &host, cudaMemAllocationTypePinned));
    FACT(cudaMallocFromPoolAsync((void **)&a, 64, its, s)), holds(its, "the host's default pool");
    FACT(cudaMemSetMemPool(&host, cudaMemAllocationTypePinned, its));
    FACT(cudaMemSetMemPool(&device, cudaMemAllocationTypePinned, its));
}

static void unreachable()
{
    cudaMemPool_t p = nullptr;
    cudaStream_t s = stream();
    int *a = nullptr;
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeHost;
    cudaMemPoolCreate(&p, &props);
    cudaMallocFromPoolAsync((void **)&a, 100, p, s);
    cudaStreamSynchronize(s);
    *a = 1;
    add_one<<<1, 1, 0, s>>>(a);
    fact("a kernel that has no access", cudaStreamSynchronize(s));
}

/* ---- Batches of copies ---- */

struct batch {
    void *to[2], *from[2];
    size_t bytes[2], first[2];
    cudaMemcpyAttributes as[2];
    size_t copies, attributes;
};

static char *a, *b, page[256], other[256];

static batch right()
{
    batch r = {{b, b + 100}, {a, a + 100}, {16, 16}, {0, 1}, {}, 2, 1};
    r.as[0].srcAccessOrder = r.as[1].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    return r;
}

static cudaError_t copy(batch &r, cudaStream_t s)
{
    return cudaMemcpyBatchAsync(r.to, (const void *const *)r.from, r.bytes, r.copies, r.as, r.first, r.attributes, s);
}

/** The error, and whether the batch's first copy took place. */
static void tried(const char *name, batch r, cudaStream_t s)
{
    cudaMemset(a, 1, 256), cudaMemset(b, 2, 256), cudaDeviceSynchronize();
    cudaError_t e = copy(r, s);
    cudaGetLastError();
    cudaDeviceSynchronize();
    char got = 0;
    cudaMemcpy(&got, b, 1, cudaMemcpyDeviceToHost);
    printf("%s: %s, %s\n", name, cudaGetErrorName(e), got == 1 ? "copied" : "not copied");
    fflush(stdout);
}

static void batches()
{
    cudaStream_t s = stream();
    cudaMalloc(&a, 256), cudaMalloc(&b, 256);
    batch r;
#define TRIED(name, change) (r = right(), change, tried(name, r, s))
    TRIED("right", 0);
    TRIED("two attributes", r.attributes = 2);
    TRIED("any order", r.as[0].srcAccessOrder = cudaMemcpySrcAccessOrderAny);
    TRIED("during the call", r.as[0].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall);
    TRIED("beside kernels", r.as[0].flags = cudaMemcpyFlagPreferOverlapWithCompute);
    TRIED("flag 2", r.as[0].flags = 2);
    TRIED("flag 64", r.as[0].flags = 64);
    TRIED("the second's flag 64", (r.attributes = 2, r.as[1].flags = 64));
    TRIED("order 0", r.as[0].srcAccessOrder = (cudaMemcpySrcAccessOrder)0);
    TRIED("order 77", r.as[0].srcAccessOrder = (cudaMemcpySrcAccessOrder)77);
    TRIED("the second's order 0", (r.attributes = 2, r.as[1].srcAccessOrder = (cudaMemcpySrcAccessOrder)0));
    TRIED("no attributes", r.attributes = 0);
    TRIED("first index 1", r.first[0] = 1);
    TRIED("indices equal", (r.attributes = 2, r.first[1] = 0));
    TRIED("index beyond", (r.attributes = 2, r.first[1] = 2));
    TRIED("more attributes than copies", (r.attributes = 2, r.copies = 1));
    TRIED("no copies", r.copies = 0);
    TRIED("first of 0 bytes", r.bytes[0] = 0);
    TRIED("second of 0 bytes", r.bytes[1] = 0);
    TRIED("second to nowhere", r.to[1] = nullptr);
    TRIED("second from nowhere", r.from[1] = nullptr);
    TRIED("second too long", r.bytes[1] = 1 << 30);
    TRIED("second's source too long", (r.from[1] = a + 250, r.bytes[1] = 1 << 30));
    TRIED("first too long", r.bytes[0] = 1 << 30);
    TRIED("from the page", (r.from[0] = page, r.from[1] = page + 100));
    TRIED("to the page", (r.to[0] = page, r.to[1] = page + 100));
    TRIED("page to page", (r.to[0] = page, r.to[1] = page + 100, r.from[0] = other, r.from[1] = other + 100));
    TRIED("overlapping itself", (r.to[1] = a + 8, r.from[1] = a));
    s = 0;
    TRIED("default stream", 0);
    s = cudaStreamLegacy;
    TRIED("legacy stream", 0);
    s = cudaStreamPerThread;
    TRIED("stream per thread", 0);
    s = stream();
    r = right();
    FACT(cudaMemcpyBatchAsync(nullptr, (const void *const *)r.from, r.bytes, 2, r.as, r.first, 1, s));
    FACT(cudaMemcpyBatchAsync(r.to, nullptr, r.bytes, 2, r.as, r.first, 1, s));
    FACT(cudaMemcpyBatchAsync(r.to, (const void *const *)r.from, nullptr, 2, r.as, r.first, 1, s));
    FACT(cudaMemcpyBatchAsync(r.to, (const void *const *)r.from, r.bytes, 2, nullptr, r.first, 1, s));
    FACT(cudaMemcpyBatchAsync(r.to, (const void *const *)r.from, r.bytes, 2, r.as, nullptr, 1, s));
    for (int i = 0; i < 4; i++) {
        const char *names[] = {"captured", "captured, order 0", "captured, second to nowhere", "captured, no copies"};
        cudaGraph_t g = nullptr;
        r = right();
        if (i == 1)
            r.as[0].srcAccessOrder = (cudaMemcpySrcAccessOrder)0;
        if (i == 2)
            r.to[1] = nullptr;
        if (i == 3)
            r.copies = 0;
        cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal);
        fact(names[i], copy(r, s));
        FACT(cudaStreamEndCapture(s, &g));
    }
}

/* ---- What atomics reach ---- */

static void atomics()
{
    int v = 7;
    FACT(cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrNativeAtomicSupported, 0, 0));
    FACT(cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrNativeAtomicSupported, 0, 7));
    unsigned may[3] = {7, 7, 7};
    cudaAtomicOperation of[] = {cudaAtomicOperationIntegerAdd, cudaAtomicOperationCAS, cudaAtomicOperationFloatAdd};
    FACT(cudaDeviceGetHostAtomicCapabilities(may, of, 0, 0));
    FACT(cudaDeviceGetHostAtomicCapabilities(nullptr, of, 1, 0));
    FACT(cudaDeviceGetHostAtomicCapabilities(may, nullptr, 1, 0));
    FACT(cudaDeviceGetHostAtomicCapabilities(may, of, 3, 7));
    FACT(cudaDeviceGetHostAtomicCapabilities(may, of, 3, 0));
    for (unsigned m : may)
        fact("the host's", m);
    cudaAtomicOperation unknown = (cudaAtomicOperation)77;
    FACT(cudaDeviceGetHostAtomicCapabilities(may, &unknown, 1, 0));
    FACT(cudaDeviceGetP2PAtomicCapabilities(may, of, 3, 0, 0));
    FACT(cudaDeviceGetP2PAtomicCapabilities(may, of, 3, 0, 7));
}

int main()
{
    void (*const groups[])() = {threshold, limited, on_host, unreachable, batches, atomics};
    const char *names[] = {"threshold", "limited", "on_host", "unreachable", "batches", "atomics"};
    for (int i = 0; i < 6; i++) {
        printf("== %s\n", names[i]);
        fflush(stdout);
        if (!fork()) {
            groups[i]();
            _exit(0);
        }
        int status;
        wait(&status);
        if (WIFSIGNALED(status))
            printf("signal %d\n", WTERMSIG(status));
    }
    return 0;
}
