// nvcc: -w
// Calls in odd states: nothing where something is wanted, sizes of 0, what is gone already, what belongs to before a
// reset, everything after a fault. One fact a line; the same program runs on a real GPU and on softgpu, and the two
// outputs are compared (odd_facts.gpu.txt). Each group is a process of its own, so that what one breaks harms no other.
//
//   nvcc -arch=compute_75 -cudart shared -o odd_facts odd_facts.cu && ./odd_facts
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

static void fact(const char *name, cudaError_t e)
{
    cudaError_t left = cudaGetLastError();
    printf("%s: %s", name, cudaGetErrorName(e));
    if (left != e)
        printf(", leaves %s", cudaGetErrorName(left));
    printf("\n");
    fflush(stdout);
}
static void fact(const char *name, long long v) { printf("%s: %lld\n", name, v), fflush(stdout); }
#define FACT(call) fact(#call, call)

__global__ void nothing() {}
__global__ void __launch_bounds__(64) bounded() {}
__global__ void store(int *p, int v) { *p = v; }
__global__ void stop() { __trap(); }
__device__ int variable[4];
static void host_function(void *) {}

static void none()
{
    int *p = (int *)1, v = 0;
    size_t n = 0;
    cudaStream_t s;
    cudaEvent_t e;
    float ms;
    char h[16];
    cudaDeviceProp prop;
    cudaFuncAttributes a;
    cudaPointerAttributes pa;
    FACT(cudaMalloc(&p, 16));
    FACT(cudaFree(nullptr));
    FACT(cudaFreeHost(nullptr));
    FACT(cudaFreeArray(nullptr));
    FACT(cudaFreeMipmappedArray(nullptr));
    FACT(cudaMallocHost((void **)nullptr, 16));
    FACT(cudaHostAlloc((void **)nullptr, 16, 0));
    FACT(cudaMallocManaged((void **)nullptr, 16));
    FACT(cudaMallocPitch((void **)nullptr, &n, 16, 16));
    FACT(cudaMallocAsync((void **)nullptr, 16, 0));
    FACT(cudaMemcpy(p, h, 0, cudaMemcpyHostToDevice));
    FACT(cudaMemcpy(p, nullptr, 4, cudaMemcpyHostToDevice));
    FACT(cudaMemcpy(nullptr, p, 4, cudaMemcpyDeviceToHost));
    FACT(cudaMemcpyAsync(nullptr, nullptr, 0, cudaMemcpyDefault, 0));
    FACT(cudaMemset(nullptr, 0, 0));
    FACT(cudaMemset(nullptr, 0, 4));
    FACT(cudaMemset(p, 0, 0));
    FACT(cudaMemset2D(p, 16, 0, 0, 1));
    FACT(cudaMemset2D(p, 16, 0, 4, 0));
    FACT(cudaMemcpy2D(p, 16, h, 16, 0, 1, cudaMemcpyHostToDevice));
    FACT(cudaMemcpyToSymbol(variable, h, 0));
    FACT(cudaMemcpyToSymbol(variable, h, 4, 14));
    FACT(cudaMemcpyFromSymbol(nullptr, variable, 4));
    FACT(cudaMemcpyPeer(p, 0, p + 1, 0, 4));
    FACT(cudaMemcpyPeer(p, 0, p + 1, 7, 4));
    FACT(cudaMemGetInfo(nullptr, &n));
    FACT(cudaMemGetInfo(nullptr, nullptr));
    FACT(cudaPointerGetAttributes(nullptr, p));
    FACT(cudaPointerGetAttributes(&pa, (char *)p + 5));
    FACT(cudaHostGetFlags(nullptr, h));
    FACT(cudaHostRegister(h, 0, 0));
    FACT(cudaHostUnregister(nullptr));
    FACT(cudaGetSymbolSize(&n, nullptr));
    FACT(cudaGetDevice(nullptr));
    FACT(cudaGetDeviceCount(nullptr));
    FACT(cudaGetDeviceFlags(nullptr));
    FACT(cudaGetDeviceProperties(nullptr, 0));
    FACT(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
    FACT(cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
    FACT(cudaDeviceSetLimit(cudaLimitStackSize, 0));
    FACT(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 0));
    FACT(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 0));
    FACT(cudaDeviceSetLimit((cudaLimit)99, 1));
    FACT(cudaDeviceSetCacheConfig((cudaFuncCache)9));
    FACT(cudaDeviceGetCacheConfig(nullptr));
    FACT(cudaDeviceGetStreamPriorityRange(nullptr, nullptr));
    FACT(cudaDeviceGetPCIBusId(nullptr, 20, 0));
    FACT(cudaDeviceGetByPCIBusId(&v, "nonsense"));
    FACT(cudaDeviceGetByPCIBusId(&v, nullptr));
    FACT(cudaDeviceCanAccessPeer(&v, 0, 9));
    FACT(cudaDeviceEnablePeerAccess(9, 0));
    FACT(cudaChooseDevice(nullptr, &prop));
    FACT(cudaDriverGetVersion(nullptr));
    FACT(cudaRuntimeGetVersion(nullptr));
    FACT(cudaInitDevice(9, 0, 0));
    FACT(cudaStreamGetFlags(0, nullptr));
    FACT(cudaStreamGetPriority(0, nullptr));
    FACT(cudaStreamGetPriority(0, &v));
    unsigned flags = 99;
    FACT(cudaStreamGetFlags(0, &flags));
    fact("flags of the default stream", (long long)flags);
    FACT(cudaStreamGetFlags(cudaStreamPerThread, &flags));
    fact("flags of the thread's", (long long)flags);
    FACT(cudaStreamDestroy(cudaStreamLegacy));
    FACT(cudaStreamDestroy(cudaStreamPerThread));
    FACT(cudaStreamWaitEvent(0, nullptr, 0));
    FACT(cudaStreamQuery(0));
    FACT(cudaStreamAttachMemAsync(0, nullptr, 0, cudaMemAttachGlobal));
    FACT(cudaStreamAttachMemAsync(0, p, 0, cudaMemAttachGlobal));
    FACT(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
    FACT(cudaStreamIsCapturing(0, nullptr));
    FACT(cudaEventCreate(nullptr));
    FACT(cudaEventQuery(nullptr));
    FACT(cudaEventSynchronize(nullptr));
    FACT(cudaEventElapsedTime(&ms, nullptr, nullptr));
    FACT(cudaEventCreate(&e));
    FACT(cudaEventElapsedTime(nullptr, e, e));
    FACT(cudaEventRecord(e, 0));
    FACT(cudaEventRecordWithFlags(e, 0, 99));
    FACT(cudaEventSynchronize(e));
    FACT(cudaEventElapsedTime(nullptr, e, e));
    FACT(cudaEventElapsedTime(&ms, e, nullptr));
    FACT(cudaEventElapsedTime(&ms, e, e));
    fact("and that is 0", ms == 0);
    FACT(cudaStreamWaitEvent(0, e, 99));
    FACT(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    FACT(cudaStreamCopyAttributes(s, s));
    cudaStreamAttrValue attribute;
    memset(&attribute, 0, sizeof attribute);
    FACT(cudaStreamGetAttribute(s, (cudaStreamAttrID)99, &attribute));
    FACT(cudaStreamSetAttribute(s, (cudaStreamAttrID)99, &attribute));
    FACT(cudaFuncGetAttributes(nullptr, nothing));
    FACT(cudaFuncGetAttributes(&a, (const void *)host_function));
    FACT(cudaFuncSetAttribute(nothing, (cudaFuncAttribute)99, 1));
    FACT(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    FACT(cudaFuncSetAttribute(nothing, cudaFuncAttributePreferredSharedMemoryCarveout, -2));
    FACT(cudaFuncSetCacheConfig(nothing, (cudaFuncCache)9));
    FACT(cudaFuncSetCacheConfig((const void *)host_function, cudaFuncCachePreferL1));
    FACT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, nothing, 32, 0));
    FACT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&v, nothing, -1, 0));
    FACT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&v, (const void *)host_function, 32, 0));
    FACT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&v, nothing, 32, 1 << 20));
    fact("blocks", v);
    FACT(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&v, nothing, 32, 0, 99));
    FACT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&v, bounded, 65, 0));
    fact("blocks", v);
    FACT(cudaLaunchKernel((const void *)host_function, dim3(1), dim3(1), nullptr, 0, 0));
    FACT(cudaLaunchKernel((const void *)nothing, dim3(1), dim3(0), nullptr, 0, 0));
    FACT(cudaLaunchKernel((const void *)nothing, dim3(1), dim3(1), nullptr, 0, 0));
    FACT(cudaLaunchCooperativeKernel((const void *)nothing, dim3(0), dim3(1), nullptr, 0, 0));
    FACT(cudaLaunchHostFunc(0, host_function, nullptr));
    FACT(cudaCtxResetPersistingL2Cache());
    FACT(cudaDeviceSynchronize());
}

static void arrays()
{
    cudaArray_t array = nullptr;
    cudaChannelFormatDesc d = cudaCreateChannelDesc<float>(), odd = cudaCreateChannelDesc(8, 16, 0, 0, cudaChannelFormatKindUnsigned),
                          three = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
    cudaExtent none = make_cudaExtent(0, 0, 0), huge = make_cudaExtent(1 << 20, 1 << 20, 0);
    cudaPitchedPtr pp;
    cudaTextureObject_t t = 0;
    cudaResourceDesc r;
    cudaTextureDesc td;
    memset(&r, 0, sizeof r);
    memset(&td, 0, sizeof td);
    FACT(cudaMalloc3D(&pp, none));
    fact("and that is NULL", pp.ptr == nullptr);
    FACT(cudaMallocArray(&array, &d, 0, 0));
    FACT(cudaMallocArray(nullptr, &d, 4, 4));
    FACT(cudaMallocArray(&array, nullptr, 4, 4));
    FACT(cudaMallocArray(&array, &odd, 4, 4));
    FACT(cudaMallocArray(&array, &three, 4, 4));
    FACT(cudaMalloc3DArray(&array, &d, huge));
    FACT(cudaMalloc3DArray(&array, &d, none));
    FACT(cudaMallocArray(&array, &d, 4, 4));
    FACT(cudaArrayGetInfo(nullptr, nullptr, nullptr, nullptr));
    FACT(cudaGetChannelDesc(nullptr, array));
    float h[16];
    FACT(cudaMemcpy2DToArray(array, 0, 0, h, 16, 17, 1, cudaMemcpyHostToDevice));
    FACT(cudaMemcpy2DToArray(array, 4, 0, h, 16, 16, 1, cudaMemcpyHostToDevice));
    FACT(cudaMemcpy2DToArray(array, 0, 0, h, 16, 0, 1, cudaMemcpyHostToDevice));
    FACT(cudaMemcpy2DToArray(array, 0, 0, h, 8, 16, 1, cudaMemcpyHostToDevice));
    FACT(cudaMemcpy2DToArray(array, 0, 0, nullptr, 16, 16, 1, cudaMemcpyHostToDevice));
    FACT(cudaMemcpy2DToArray(nullptr, 0, 0, h, 16, 16, 1, cudaMemcpyHostToDevice));
    FACT(cudaMemcpy3D(nullptr));
    cudaMemcpy3DParms parameters = {0};
    FACT(cudaMemcpy3D(&parameters));
    FACT(cudaCreateTextureObject(&t, &r, &td, nullptr));
    FACT(cudaCreateTextureObject(nullptr, &r, &td, nullptr));
    FACT(cudaCreateTextureObject(&t, nullptr, &td, nullptr));
    FACT(cudaDestroyTextureObject(0));
    FACT(cudaDestroySurfaceObject(0));
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    FACT(cudaCreateTextureObject(&t, &r, &td, nullptr));
    FACT(cudaCreateSurfaceObject(&t, &r));
    FACT(cudaFreeArray(array));
}

static void pools()
{
    cudaMemPool_t pool = nullptr;
    cudaMemPoolProps props;
    void *p = nullptr;
    unsigned long long n = 0;
    memset(&props, 0, sizeof props);
    FACT(cudaMemPoolCreate(&pool, nullptr));
    FACT(cudaMemPoolCreate(&pool, &props));
    props.allocType = cudaMemAllocationTypePinned;
    FACT(cudaMemPoolCreate(&pool, &props));
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = 9;
    FACT(cudaMemPoolCreate(&pool, &props));
    props.location.id = 0;
    FACT(cudaMemPoolCreate(nullptr, &props));
    FACT(cudaMemPoolCreate(&pool, &props));
    FACT(cudaMallocFromPoolAsync(&p, 0, pool, 0));
    FACT(cudaMallocFromPoolAsync(&p, 16, nullptr, 0));
    FACT(cudaMallocFromPoolAsync(nullptr, 16, pool, 0));
    FACT(cudaMallocFromPoolAsync(&p, 1ull << 50, pool, 0));
    FACT(cudaMallocFromPoolAsync(&p, 16, pool, 0));
    FACT(cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)99, &n));
    FACT(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &n));
    FACT(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &n));
    n = 5;
    FACT(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &n));
    FACT(cudaMemPoolTrimTo(nullptr, 0));
    FACT(cudaMemPoolTrimTo(pool, 0));
    FACT(cudaMemPoolSetAccess(pool, nullptr, 0));
    FACT(cudaDeviceSetMemPool(0, nullptr));
    FACT(cudaDeviceGetDefaultMemPool(nullptr, 0));
    FACT(cudaDeviceGetMemPool(&pool, 9));
    FACT(cudaFree(p));
    FACT(cudaMemPoolDestroy(nullptr));
    cudaMemPool_t its;
    FACT(cudaDeviceGetDefaultMemPool(&its, 0));
    FACT(cudaMemPoolDestroy(its));
}

static void graphs()
{
    cudaGraph_t g, other;
    cudaGraphExec_t x;
    cudaGraphNode_t n = nullptr, m;
    size_t count = 0;
    FACT(cudaGraphCreate(nullptr, 0));
    FACT(cudaGraphCreate(&g, 1));
    FACT(cudaGraphCreate(&g, 0));
    FACT(cudaGraphCreate(&other, 0));
    FACT(cudaGraphDestroy(nullptr));
    FACT(cudaGraphExecDestroy(nullptr));
    FACT(cudaGraphLaunch(nullptr, 0));
    FACT(cudaGraphAddEmptyNode(nullptr, g, nullptr, 0));
    FACT(cudaGraphAddEmptyNode(&n, nullptr, nullptr, 0));
    FACT(cudaGraphAddEmptyNode(&n, g, nullptr, 1));
    FACT(cudaGraphAddEmptyNode(&n, g, nullptr, 0));
    FACT(cudaGraphAddEmptyNode(&m, other, &n, 1));
    FACT(cudaGraphAddKernelNode(&m, g, nullptr, 0, nullptr));
    FACT(cudaGraphGetNodes(g, nullptr, nullptr));
    FACT(cudaGraphGetNodes(g, nullptr, &count));
    fact("nodes", (long long)count);
    FACT(cudaGraphNodeGetType(nullptr, nullptr));
    FACT(cudaGraphNodeGetType(n, nullptr));
    FACT(cudaGraphDestroyNode(nullptr));
    FACT(cudaGraphClone(nullptr, g));
    FACT(cudaGraphInstantiate(nullptr, g, 0));
    FACT(cudaGraphInstantiate(&x, nullptr, 0));
    FACT(cudaGraphInstantiate(&x, g, 0x1000));
    FACT(cudaGraphInstantiate(&x, g, 0));
    FACT(cudaGraphUpload(nullptr, 0));
    FACT(cudaGraphDestroy(g));
    FACT(cudaGraphLaunch(x, 0));
    FACT(cudaDeviceSynchronize());
    FACT(cudaGraphExecDestroy(x));
}

// What is gone, as far as a real driver does not follow the stale handle (streams, events, arrays: it crashes).
static void graph_twice() { cudaGraph_t g; cudaGraphCreate(&g, 0); FACT(cudaGraphDestroy(g)); FACT(cudaGraphDestroy(g)); }
static void exec_twice()
{
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphCreate(&g, 0);
    cudaGraphInstantiate(&x, g, 0);
    FACT(cudaGraphExecDestroy(x));
    FACT(cudaGraphExecDestroy(x));
}
static void pool_twice()
{
    cudaMemPool_t pool;
    cudaMemPoolProps props;
    memset(&props, 0, sizeof props);
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    cudaMemPoolCreate(&pool, &props);
    FACT(cudaMemPoolDestroy(pool));
    FACT(cudaMemPoolDestroy(pool));
}
static void texture_twice()
{
    cudaTextureObject_t t;
    cudaResourceDesc r;
    cudaTextureDesc td;
    void *p;
    memset(&r, 0, sizeof r);
    memset(&td, 0, sizeof td);
    cudaMalloc(&p, 1024);
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = p;
    r.res.linear.desc = cudaCreateChannelDesc<float>();
    r.res.linear.sizeInBytes = 1024;
    FACT(cudaCreateTextureObject(&t, &r, &td, nullptr));
    FACT(cudaDestroyTextureObject(t));
    FACT(cudaDestroyTextureObject(t));
}
static void host_twice() { void *p; cudaMallocHost(&p, 16); FACT(cudaFreeHost(p)); FACT(cudaFreeHost(p)); }
static void managed_twice() { void *p; cudaMallocManaged(&p, 16); FACT(cudaFree(p)); FACT(cudaFree(p)); }
static void kinds()
{
    void *managed, *host, *device;
    cudaMallocManaged(&managed, 64);
    cudaMallocHost(&host, 64);
    cudaMalloc(&device, 64);
    FACT(cudaFreeHost(managed));
    FACT(cudaFreeAsync(host, 0));
    FACT(cudaFreeAsync(managed, 0));
    FACT(cudaFreeAsync((char *)device + 16, 0));
    FACT(cudaFreeAsync(device, 0));
    FACT(cudaDeviceSynchronize());
    FACT(cudaFree(device));
    FACT(cudaHostUnregister(host));
    FACT(cudaHostRegister(host, 64, 0));
    FACT(cudaFreeHost((char *)host + 16));
    FACT(cudaMemPrefetchAsync(managed, 0, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, 0));
    FACT(cudaMemPrefetchAsync(managed, 128 << 20, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, 0));
    FACT(cudaMemPrefetchAsync(managed, 64, cudaMemLocation{cudaMemLocationTypeDevice, 9}, 0, 0));
}

// What a reset leaves.
static void reset_memory() { int *p; cudaMalloc(&p, 16); cudaDeviceReset(); FACT(cudaMemset(p, 0, 16)); FACT(cudaFree(p)); }
static void reset_host() { int *p; cudaMallocHost(&p, 16); cudaDeviceReset(); FACT(cudaFreeHost(p)); }
static void reset_rest()
{
    int v = 7, back = 0;
    size_t limit = 0;
    FACT(cudaMemcpyToSymbol(variable, &v, 4));
    FACT(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20));
    FACT(cudaDeviceReset());
    FACT(cudaDeviceReset());
    FACT(cudaMemcpyFromSymbol(&back, variable, 4));
    fact("a variable after a reset", back);
    FACT(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    fact("the heap's size after a reset", (long long)limit);
    nothing<<<1, 1>>>();
    FACT(cudaDeviceSynchronize());
}

// After a fault.
static void sticky()
{
    int *p, *q, v;
    size_t n;
    void *h;
    cudaStream_t s, t;
    cudaEvent_t e, f;
    cudaGraph_t g;
    cudaFuncAttributes a;
    cudaPointerAttributes pa;
    cudaDeviceProp prop;
    float ms;
    cudaMalloc(&p, 16);
    cudaMallocHost(&h, 16);
    cudaStreamCreate(&s);
    cudaEventCreate(&e);
    stop<<<1, 1>>>();
    FACT(cudaDeviceSynchronize());
    FACT(cudaPeekAtLastError());
    FACT(cudaGetLastError());
    FACT(cudaDeviceSynchronize());
    FACT(cudaMalloc(&q, 16));
    FACT(cudaMallocHost(&h, 16));
    FACT(cudaMallocManaged(&q, 16));
    FACT(cudaMallocAsync(&q, 16, s));
    FACT(cudaMemset(p, 0, 4));
    FACT(cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost));
    FACT(cudaMemcpyToSymbol(variable, &v, 4));
    FACT(cudaMemGetInfo(&n, &n));
    FACT(cudaPointerGetAttributes(&pa, p));
    FACT(cudaStreamCreate(&t));
    FACT(cudaStreamQuery(s));
    FACT(cudaStreamSynchronize(s));
    FACT(cudaStreamWaitEvent(s, e, 0));
    FACT(cudaEventCreate(&f));
    FACT(cudaEventRecord(e, s));
    FACT(cudaEventQuery(e));
    FACT(cudaEventSynchronize(e));
    FACT(cudaEventElapsedTime(&ms, e, e));
    FACT(cudaLaunchHostFunc(s, host_function, nullptr));
    FACT(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    FACT(cudaGraphCreate(&g, 0));
    FACT(cudaFuncGetAttributes(&a, nothing));
    FACT(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
    FACT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&v, nothing, 32, 0));
    FACT(cudaDeviceGetLimit(&n, cudaLimitStackSize));
    FACT(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
    FACT(cudaGetDevice(&v));
    FACT(cudaGetDeviceCount(&v));
    FACT(cudaSetDevice(0));
    FACT(cudaGetDeviceProperties(&prop, 0));
    FACT(cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 0));
    FACT(cudaDriverGetVersion(&v));
    FACT(cudaRuntimeGetVersion(&v));
    FACT(cudaDeviceCanAccessPeer(&v, 0, 0));
    FACT(cudaGetSymbolAddress((void **)&q, variable));
    nothing<<<1, 1>>>();
    fact("a launch", cudaPeekAtLastError());
    FACT(cudaEventDestroy(e));
    FACT(cudaStreamDestroy(s));
    FACT(cudaFree(p));
    FACT(cudaFree(nullptr));
    FACT(cudaFreeHost(h));
}

static void group(const char *name, void (*run)())
{
    printf("== %s\n", name);
    fflush(stdout);
    pid_t pid = fork();
    int status = 0;
    if (pid == 0) {
        run();
        fflush(stdout);
        _exit(0);
    }
    waitpid(pid, &status, 0);
    if (WIFSIGNALED(status))
        printf("ends by a signal\n");
}
#define GROUP(f) group(#f, f)

int main()
{
    GROUP(none);
    GROUP(arrays);
    GROUP(pools);
    GROUP(graphs);
    GROUP(kinds);
    GROUP(graph_twice);
    GROUP(exec_twice);
    GROUP(pool_twice);
    GROUP(texture_twice);
    GROUP(host_twice);
    GROUP(managed_twice);
    GROUP(reset_memory);
    GROUP(reset_host);
    GROUP(reset_rest);
    GROUP(sticky);
}
