// Facts about the runtime's behaviour, one a line: the same program runs on a real GPU and on softgpu,
// and the two outputs are compared (facts.gpu.txt: recorded on the device named in its first line).
//
//   nvcc -arch=compute_75 -cudart shared -o facts facts.cu && ./facts
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

static void fact(const char *name, cudaError_t e) { printf("%s: %s\n", name, cudaGetErrorName(e)); }
static void fact(const char *name, long long v) { printf("%s: %lld\n", name, v); }
#define FACT(call) fact(#call, call)
// The error of the call, then what it leaves as last error.
#define LEAVES(name, call)                                                                         \
    do {                                                                                           \
        (void)cudaGetLastError();                                                                  \
        cudaError_t e_ = (call);                                                                   \
        printf("%s: %s, leaves %s\n", name, cudaGetErrorName(e_),                                  \
               cudaGetErrorName(cudaGetLastError()));                                              \
    } while (0)

__global__ void nothing() {}
__global__ void __launch_bounds__(64) bounded() {}
__global__ void store(int *p, int v) { *p = v; }
__global__ void wide(char *p) { *(long long *)(p + 4) = 1; }
__global__ void claim(int n) { assert(n < 3); }
__global__ void stop() { __trap(); }
__global__ void bad_shared(int i) { __shared__ int s[4]; s[i] = 1; *(volatile int *)&s[i]; }
__global__ void spin(long long n)
{
    long long from = clock64();
    while (clock64() - from < n) {
    }
}
__global__ void shared_4k(float *x)
{
    __shared__ float s[1024];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[1023 - threadIdx.x];
}
__device__ int variable[4];
__constant__ int constant[4];

static cudaError_t launched() { return cudaGetLastError(); }

static void launches()
{
    nothing<<<0, 1>>>(); fact("grid 0", launched());
    nothing<<<1, 0>>>(); fact("block 0", launched());
    nothing<<<1, 1025>>>(); fact("block 1025", launched());
    nothing<<<1, dim3(1, 1, 65)>>>(); fact("block z 65", launched());
    nothing<<<dim3(1, 65536), 1>>>(); fact("grid y 65536", launched());
    nothing<<<1, 1, 48 * 1024 + 1>>>(); fact("48 KiB + 1 of dynamic shared memory", launched());
    nothing<<<1, 1, 1 << 20>>>(); fact("1 MiB of dynamic shared memory", launched());
    bounded<<<1, 65>>>(); fact("65 threads with launch bounds 64", launched());
    bounded<<<1, 96>>>(); fact("96 threads with launch bounds 64", launched());
    fact("synchronise after those", cudaDeviceSynchronize());
    int local;
    LEAVES("launch of no kernel", cudaLaunchKernel(&local, dim3(1), dim3(1), nullptr, 0, 0));
    LEAVES("launch of NULL", cudaLaunchKernel(nullptr, dim3(1), dim3(1), nullptr, 0, 0));
    cudaFuncAttributes a;
    LEAVES("attributes of no kernel", cudaFuncGetAttributes(&a, &local));
    FACT(cudaFuncGetAttributes(&a, shared_4k));
    fact("sharedSizeBytes", a.sharedSizeBytes);
    fact("maxThreadsPerBlock", a.maxThreadsPerBlock);
    fact("maxDynamicSharedSizeBytes", a.maxDynamicSharedSizeBytes);
    fact("preferredShmemCarveout", a.preferredShmemCarveout);
    fact("ptxVersion", a.ptxVersion);
    fact("binaryVersion", a.binaryVersion);
    FACT(cudaFuncGetAttributes(&a, bounded));
    fact("maxThreadsPerBlock with launch bounds 64", a.maxThreadsPerBlock);
    int optin;
    cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    const auto dynamic = cudaFuncAttributeMaxDynamicSharedMemorySize;
    LEAVES("dynamic shared memory up to the opt-in", cudaFuncSetAttribute(nothing, dynamic, optin));
    LEAVES("one byte more", cudaFuncSetAttribute(nothing, dynamic, optin + 1));
    LEAVES("with 4 KiB static", cudaFuncSetAttribute(shared_4k, dynamic, optin - 4095));
    LEAVES("carveout 101", cudaFuncSetAttribute(
                               nothing, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    nothing<<<1, 1, 100 * 1024>>>(); fact("then 100 KiB of dynamic shared memory", launched());
    cudaDeviceSynchronize();
    for (int threads : {1, 32, 64, 128, 256, 512, 1024}) {
        int blocks;
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, shared_4k, threads, 0);
        printf("occupancy, 4 KiB shared, %d threads: %d\n", threads, blocks);
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, shared_4k, threads, 40000);
        printf("occupancy, 4 KiB + 40000 shared, %d threads: %d\n", threads, blocks);
    }
    int blocks;
    LEAVES("occupancy of 1025 threads",
           cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 1025, 0));
    LEAVES("occupancy of 0 threads",
           cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 0, 0));
    size_t room;
    cudaOccupancyAvailableDynamicSMemPerBlock(&room, shared_4k, 2, 128);
    fact("dynamic shared memory left for 2 blocks", room);
    cudaOccupancyAvailableDynamicSMemPerBlock(&room, nothing, 4, 128);
    fact("dynamic shared memory left for 4 blocks", room);
    void *none[] = {nullptr};
    LEAVES("cooperative, too many blocks",
           cudaLaunchCooperativeKernel(nothing, dim3(100000), dim3(1024), none, 0, 0));
}

static void memory()
{
    char *d, *d2, *pinned, *managed, *p, host[64] = {};
    cudaMalloc(&d, 1000);
    cudaMalloc(&d2, 1000);
    cudaMallocHost(&pinned, 1000);
    cudaMallocManaged(&managed, 1000);
    fact("cudaMalloc's alignment is at least 256", (size_t)d % 256 == 0 && (size_t)d2 % 256 == 0);
    p = (char *)1;
    LEAVES("cudaMalloc of 0 bytes", cudaMalloc(&p, 0));
    fact("gives NULL", p == nullptr);
    LEAVES("cudaMalloc of 2^50 bytes", cudaMalloc(&p, (size_t)1 << 50));
    LEAVES("cudaMalloc to NULL", cudaMalloc((void **)nullptr, 4));
    LEAVES("cudaMallocHost of 0 bytes", cudaMallocHost(&p, 0));
    LEAVES("cudaMallocManaged of 0 bytes", cudaMallocManaged(&p, 0));
    LEAVES("cudaMallocManaged, flags 9", cudaMallocManaged(&p, 4, 9));
    LEAVES("cudaHostAlloc, flags 99", cudaHostAlloc(&p, 4, 99));
    LEAVES("cudaFree of host memory", cudaFree(host));
    LEAVES("cudaFree inside an allocation", cudaFree(d + 8));
    LEAVES("cudaFree of page-locked memory", cudaFree(pinned));
    LEAVES("cudaFreeHost of device memory", cudaFreeHost(d));
    LEAVES("cudaFreeHost of host memory", cudaFreeHost(host));
    LEAVES("copy, host to device, past the end",
           cudaMemcpy(d, std::vector<char>(5000000).data(), 5000000, cudaMemcpyHostToDevice));
    LEAVES("copy, kind 9", cudaMemcpy(d, host, 4, (cudaMemcpyKind)9));
    LEAVES("copy to device, from device memory", cudaMemcpy(d, d2, 64, cudaMemcpyHostToDevice));
    LEAVES("copy to device, to host memory", cudaMemcpy(host, host + 32, 4, cudaMemcpyHostToDevice));
    LEAVES("copy to host, from host memory", cudaMemcpy(host, host + 32, 4, cudaMemcpyDeviceToHost));
    LEAVES("copy to host, to device memory", cudaMemcpy(d, d2, 4, cudaMemcpyDeviceToHost));
    LEAVES("copy in the device, host memory", cudaMemcpy(d, host, 4, cudaMemcpyDeviceToDevice));
    LEAVES("copy in the device, page-locked", cudaMemcpy(d, pinned, 4, cudaMemcpyDeviceToDevice));
    LEAVES("copy to device, from managed", cudaMemcpy(d, managed, 4, cudaMemcpyHostToDevice));
    LEAVES("copy in the host, device memory", cudaMemcpy(host, d, 4, cudaMemcpyHostToHost));
    LEAVES("copy by default, host and host", cudaMemcpy(host, host + 32, 4, cudaMemcpyDefault));
    LEAVES("copy of 0 bytes to NULL", cudaMemcpy(nullptr, host, 0, cudaMemcpyHostToDevice));
    LEAVES("copy of 4 bytes to NULL", cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice));
    LEAVES("copy 2D, width over pitch", cudaMemcpy2D(d, 4, host, 8, 8, 2, cudaMemcpyHostToDevice));
    LEAVES("copy 2D, height 0", cudaMemcpy2D(d, 8, host, 8, 8, 0, cudaMemcpyHostToDevice));
    LEAVES("memset of host memory", cudaMemset(host, 0, 4));
    LEAVES("memset of page-locked memory", cudaMemset(pinned, 0, 4));
    LEAVES("memset of managed memory", cudaMemset(managed, 0, 4));
    LEAVES("memset past the end", cudaMemset(d, 0, 1 << 28));
    LEAVES("memset 2D, width over pitch", cudaMemset2D(d, 4, 0, 8, 2));
    cudaPointerAttributes a;
    struct { const char *name; void *p; } places[] = {
        {"host", host}, {"device", d}, {"page-locked", pinned}, {"managed", managed}, {"NULL", nullptr}};
    for (auto &x : places) {
        cudaError_t e = cudaPointerGetAttributes(&a, x.p);
        printf("attributes of %s memory: %s type %d device %d, device pointer %s, host pointer %s\n",
               x.name, cudaGetErrorName(e), a.type, a.device,
               a.devicePointer == x.p ? "same" : a.devicePointer ? "other" : "NULL",
               a.hostPointer == x.p ? "same" : a.hostPointer ? "other" : "NULL");
    }
    unsigned flags = 0;
    FACT(cudaHostGetFlags(&flags, pinned));
    fact("flags of cudaMallocHost", flags);
    LEAVES("flags of host memory", cudaHostGetFlags(&flags, host));
    void *dev;
    LEAVES("device pointer of host memory", cudaHostGetDevicePointer(&dev, host, 0));
    LEAVES("device pointer, flags 1", cudaHostGetDevicePointer(&dev, pinned, 1));
    std::vector<char> v(100000);
    LEAVES("register", cudaHostRegister(v.data(), v.size(), 0));
    LEAVES("register again", cudaHostRegister(v.data(), v.size(), 0));
    LEAVES("unregister", cudaHostUnregister(v.data()));
    LEAVES("unregister again", cudaHostUnregister(v.data()));
    LEAVES("register NULL", cudaHostRegister(nullptr, 4, 0));
    LEAVES("unregister cudaMallocHost's", cudaHostUnregister(pinned));
    for (size_t width : {1, 31, 32, 33, 256, 511, 512, 513, 1000}) {
        size_t pitch;
        cudaMallocPitch(&p, &pitch, width, 3);
        printf("pitch for %zu bytes: %zu\n", width, pitch);
    }
    cudaPitchedPtr pp;
    cudaMalloc3D(&pp, make_cudaExtent(100, 7, 3));
    printf("3D of 100 x 7 x 3: pitch %zu xsize %zu ysize %zu\n", pp.pitch, pp.xsize, pp.ysize);
    cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    LEAVES("prefetch of device memory", cudaMemPrefetchAsync(d, 1000, here, 0, 0));
    LEAVES("advise on device memory", cudaMemAdvise(d, 1000, cudaMemAdviseSetReadMostly, here));
    LEAVES("prefetch of managed memory", cudaMemPrefetchAsync(managed, 1000, here, 0, 0));
    LEAVES("advise on managed memory", cudaMemAdvise(managed, 1000, cudaMemAdviseSetReadMostly, here));
    LEAVES("symbol address of a local", cudaGetSymbolAddress(&dev, host));
    LEAVES("symbol address of NULL", cudaGetSymbolAddress(&dev, (const void *)nullptr));
    int x[8] = {};
    LEAVES("to symbol, past its end", cudaMemcpyToSymbol(constant, x, 20));
    LEAVES("to symbol, device to host", cudaMemcpyToSymbol(variable, x, 4, 0, cudaMemcpyDeviceToHost));
    LEAVES("from symbol, host to device",
           cudaMemcpyFromSymbol(x, variable, 4, 0, cudaMemcpyHostToDevice));
    FACT(cudaFree(d));
    LEAVES("freed twice", cudaFree(d));
    LEAVES("copy from freed memory", cudaMemcpy(host, d, 4, cudaMemcpyDeviceToHost));
    int *q;
    LEAVES("malloc async", cudaMallocAsync(&q, 4, 0));
    LEAVES("free async", cudaFreeAsync(q, 0));
    LEAVES("free async again", cudaFreeAsync(q, 0));
    LEAVES("malloc async of 0 bytes", cudaMallocAsync(&q, 0, 0));
    LEAVES("free async of NULL", cudaFreeAsync(nullptr, 0));
}

static void streams()
{
    cudaStream_t s, t;
    cudaEvent_t a, b, silent;
    float ms;
    int least, greatest;
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    fact("least priority", least);
    fact("greatest priority", greatest);
    LEAVES("stream with flags 77", cudaStreamCreateWithFlags(&s, 77));
    LEAVES("stream to NULL", cudaStreamCreate(nullptr));
    LEAVES("stream with priority 100", cudaStreamCreateWithPriority(&t, 0, 100));
    int priority;
    cudaStreamGetPriority(t, &priority);
    fact("has priority", priority);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    LEAVES("event with flags 99", cudaEventCreateWithFlags(&a, 99));
    LEAVES("interprocess event with timing", cudaEventCreateWithFlags(&a, cudaEventInterprocess));
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    cudaEventCreateWithFlags(&silent, cudaEventDisableTiming);
    LEAVES("query of an event never recorded", cudaEventQuery(a));
    LEAVES("synchronise with it", cudaEventSynchronize(a));
    LEAVES("wait for it", cudaStreamWaitEvent(s, a, 0));
    LEAVES("time between events never recorded", cudaEventElapsedTime(&ms, a, b));
    cudaEventRecord(a, s);
    spin<<<1, 1, 0, s>>>(400000000);
    cudaEventRecord(b, s);
    cudaEventRecord(silent, s);
    LEAVES("query of a busy stream", cudaStreamQuery(s));
    LEAVES("query of a busy event", cudaEventQuery(b));
    LEAVES("time to a busy event", cudaEventElapsedTime(&ms, a, b));
    LEAVES("query of an idle stream", cudaStreamQuery(t));
    cudaStreamSynchronize(s);
    LEAVES("time", cudaEventElapsedTime(&ms, a, b));
    fact("is positive", ms > 0);
    LEAVES("time backwards", cudaEventElapsedTime(&ms, b, a));
    fact("is negative", ms < 0);
    LEAVES("time of an event without timing", cudaEventElapsedTime(&ms, a, silent));
    LEAVES("event of NULL recorded", cudaEventRecord(nullptr, s));
    LEAVES("event NULL destroyed", cudaEventDestroy(nullptr));
    LEAVES("default stream destroyed", cudaStreamDestroy(nullptr));
    LEAVES("callback NULL", cudaStreamAddCallback(s, nullptr, nullptr, 0));
    LEAVES("host function NULL", cudaLaunchHostFunc(s, nullptr, nullptr));
    static cudaError_t inside = cudaSuccess, light = cudaSuccess;
    cudaLaunchHostFunc(s, [](void *) {
        void *p;
        int n;
        inside = cudaMalloc(&p, 4);
        light = cudaGetDevice(&n);
    }, nullptr);
    cudaStreamSynchronize(s);
    fact("cudaMalloc in a host function", inside);
    fact("cudaGetDevice in a host function", light);
    (void)cudaGetLastError();
}

static void device()
{
    int n;
    cudaDeviceProp p;
    size_t v;
    LEAVES("set device 99", cudaSetDevice(99));
    LEAVES("set device -1", cudaSetDevice(-1));
    LEAVES("properties of device 99", cudaGetDeviceProperties(&p, 99));
    LEAVES("attribute 9999", cudaDeviceGetAttribute(&n, (cudaDeviceAttr)9999, 0));
    LEAVES("limit 99", cudaDeviceGetLimit(&v, (cudaLimit)99));
    for (int i = 0; i <= 6; i++) {
        cudaError_t e = cudaDeviceGetLimit(&v, (cudaLimit)i);
        printf("limit %d: %s %zu\n", i, cudaGetErrorName(e), e ? (size_t)0 : v);
    }
    unsigned flags;
    cudaGetDeviceFlags(&flags);
    fact("device flags", flags);
    LEAVES("set device flags 999", cudaSetDeviceFlags(999));
    LEAVES("peer access to oneself", cudaDeviceEnablePeerAccess(0, 0));
    LEAVES("can access oneself", cudaDeviceCanAccessPeer(&n, 0, 0));
    LEAVES("disable peer access to oneself", cudaDeviceDisablePeerAccess(0));
    char id[32];
    LEAVES("bus id in 4 bytes", cudaDeviceGetPCIBusId(id, 4, 0));
    void *f;
    cudaDriverEntryPointQueryResult found;
    LEAVES("entry point of nothing",
           cudaGetDriverEntryPointByVersion("cuNoSuchThing", &f, 13000, 0, &found));
    fact("found", found);
    cudaLibrary_t lib;
    LEAVES("library from a missing file",
           cudaLibraryLoadFromFile(&lib, "/no/such/file", 0, 0, 0, 0, 0, 0));
    LEAVES("library of words", cudaLibraryLoadData(&lib, "this is no PTX", 0, 0, 0, 0, 0, 0));
    const char *ptx = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k() { ret; }\n";
    LEAVES("library", cudaLibraryLoadData(&lib, ptx, 0, 0, 0, 0, 0, 0));
    cudaKernel_t k;
    LEAVES("kernel missing", cudaLibraryGetKernel(&k, lib, "nowhere"));
    LEAVES("global missing", cudaLibraryGetGlobal(&f, &v, lib, "nowhere"));
    LEAVES("kernel", cudaLibraryGetKernel(&k, lib, "k"));
    LEAVES("unload", cudaLibraryUnload(lib));
    const char *later = ".version 99.0\n.target sm_75\n.address_size 64\n.visible .entry k() { ret; }\n";
    LEAVES("library of a later PTX version", cudaLibraryLoadData(&lib, later, 0, 0, 0, 0, 0, 0));
    const char *target = ".version 9.0\n.target sm_120\n.address_size 64\n.visible .entry k() { ret; }\n";
    LEAVES("library for a later device", cudaLibraryLoadData(&lib, target, 0, 0, 0, 0, 0, 0));
    const char *wrong = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k() { bogus; }\n";
    LEAVES("library with an unknown instruction", cudaLibraryLoadData(&lib, wrong, 0, 0, 0, 0, 0, 0));
}

static void fault(const char *name, void (*launch)())
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        static volatile cudaError_t told = cudaErrorUnknown;
        void *p;
        freopen("/dev/null", "w", stderr);
        cudaFree(nullptr);
        launch();
        cudaStreamAddCallback(0, [](cudaStream_t, cudaError_t e, void *) { told = e; }, nullptr, 0);
        printf("%s: at once %s", name, cudaGetErrorName(cudaPeekAtLastError()));
        printf(", synchronise %s", cudaGetErrorName(cudaDeviceSynchronize()));
        printf(", cudaMalloc %s", cudaGetErrorName(cudaMalloc(&p, 4)));
        printf(", last error %s", cudaGetErrorName(cudaGetLastError()));
        printf(" then %s", cudaGetErrorName(cudaGetLastError()));
        nothing<<<1, 1>>>();
        printf(", launch %s", cudaGetErrorName(cudaPeekAtLastError()));
        for (int i = 0; i < 6000 && told == cudaErrorUnknown; i++)
            usleep(10000);
        printf(", callback told %s", cudaGetErrorName(told));
        printf(", reset %s", cudaGetErrorName(cudaDeviceReset()));
        printf(", last error %s", cudaGetErrorName(cudaGetLastError()));
        printf(", cudaMalloc %s\n", cudaGetErrorName(cudaMalloc(&p, 4)));
        fflush(stdout);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status))
        printf("%s: the process died\n", name);
}

static void properties()
{
    for (int i = 1; i < 148; i++) {
        int v = 0;
        cudaError_t e = cudaDeviceGetAttribute(&v, (cudaDeviceAttr)i, 0);
        printf("attribute %d: %s %d\n", i, cudaGetErrorName(e), e ? 0 : v);
    }
    (void)cudaGetLastError();
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    printf("name: %s\n", p.name);
}

int main(int argc, char **argv)
{
    // Faults first: no process may be forked once CUDA is in use.
    fault("store to 16", [] { store<<<1, 1>>>((int *)16, 1); });
    fault("store far past an allocation", [] {
        char *p;
        cudaMalloc(&p, 4);
        store<<<1, 1>>>((int *)(p + (1ll << 40)), 1);
    });
    fault("misaligned", [] {
        char *p;
        cudaMalloc(&p, 64);
        wide<<<1, 1>>>(p);
    });
    fault("assert", [] { claim<<<2, 4>>>(3); });
    fault("trap", [] { stop<<<1, 1>>>(); });
    fault("shared memory far past its end", [] { bad_shared<<<1, 1>>>(1 << 22); });
    launches();
    memory();
    streams();
    device();
    if (argc < 2 || strcmp(argv[1], "--no-properties"))
        properties();
    for (int i = 0; i < 1000; i++) {
        const char *name = cudaGetErrorName((cudaError_t)i);
        if (strncmp(name, "unrecognized", 12))
            printf("error %d: %s: %s\n", i, name, cudaGetErrorString((cudaError_t)i));
    }
    return 0;
}
