// nvcc: -lcuda
// The Driver API: libraries and kernels, the linker's files, launch attributes, occupancy, pools, asynchronous copies and
// fills, nodes of graphs that are looked at and changed, and what is asked of devices, contexts and streams.
#include "driver.cuh"
#include <cstdint>
#include <cudaProfiler.h>
#include <unistd.h>
#include <vector>

static const char ptx[] = R"(
.version 8.0
.target sm_75
.address_size 64
.visible .global .align 4 .b32 counter = 7;
.visible .entry add(.param .u64 data, .param .u32 n, .param .u32 by)
{
    .reg .pred %p<2>;
    .reg .b64 %rd<4>;
    .reg .b32 %r<8>;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u32 %r5, [n];
    setp.ge.u32 %p1, %r4, %r5;
    @%p1 bra done;
    ld.param.u64 %rd1, [data];
    ld.param.u32 %r6, [by];
    mul.wide.u32 %rd2, %r4, 4;
    add.u64 %rd3, %rd1, %rd2;
    ld.global.u32 %r7, [%rd3];
    add.u32 %r7, %r7, %r6;
    st.global.u32 [%rd3], %r7;
done:
    ret;
}
)";

enum { N = 1000 };
static CUfunction add;
static CUdeviceptr data;
static CUstream stream;

/** All of `data` holds this. */
static bool holds(unsigned want)
{
    std::vector<unsigned> got(N);
    CU(cuStreamSynchronize(stream));
    CU(cuMemcpyDtoH(got.data(), data, N * 4));
    for (unsigned v : got)
        if (v != want)
            return false;
    return true;
}

static void libraries()
{
    CUlibrary library, again;
    CUkernel kernel, list[2];
    CUmodule module;
    CUdeviceptr p;
    const char *name = NULL;
    size_t bytes = 0, offset = 0, size = 0;
    unsigned count = 0;
    int value = 0;
    CU(cuLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
    CU(cuLibraryGetKernelCount(&count, library));
    CU(cuLibraryEnumerateKernels(list, 2, library));
    CU(cuLibraryGetKernel(&kernel, library, "add"));
    CHECK(count == 1 && list[0] == kernel);
    DRIVER_GIVES(cuLibraryGetKernel(&kernel, library, "nothing"), CUDA_ERROR_NOT_FOUND);
    CU(cuKernelGetName(&name, kernel));
    CHECK(!strcmp(name, "add"));
    CU(cuKernelGetLibrary(&again, kernel));
    CHECK(again == library);
    CU(cuKernelGetFunction(&add, kernel));
    CU(cuKernelGetParamInfo(kernel, 1, &offset, &size));
    CHECK(offset == 8 && size == 4);
    CU(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
    CHECK(value == 1024);
    CU(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536, kernel, 0));
    CU(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, kernel, 0));
    CHECK(value == 65536);
    CU(cuKernelSetCacheConfig(kernel, CU_FUNC_CACHE_PREFER_L1, 0));
    CU(cuLibraryGetGlobal(&p, &bytes, library, "counter"));
    CU(cuMemcpyDtoH(&value, p, 4));
    CHECK(bytes == 4 && value == 7);
    CU(cuLibraryGetModule(&module, library));
    CUfunction listed[2];
    CU(cuModuleGetFunctionCount(&count, module));
    CU(cuModuleEnumerateFunctions(listed, 2, module));
    CHECK(count == 1 && listed[0] == add);
    CUfunctionLoadingState state;
    CU(cuFuncLoad(add));
    CU(cuFuncIsLoaded(&state, add));
    CHECK(state == CU_FUNCTION_LOADING_STATE_LOADED);
    CU(cuFuncSetCacheConfig(add, CU_FUNC_CACHE_PREFER_SHARED));
    CU(cuLibraryLoadData(&again, ptx, NULL, NULL, 0, NULL, NULL, 0));
    CU(cuLibraryUnload(again));
}

static void linked_file()
{
    char name[] = "/tmp/driver_rest_XXXXXX";
    int fd = mkstemp(name);
    CHECK(fd >= 0 && write(fd, ptx, sizeof ptx - 1) == sizeof ptx - 1);
    CUlinkState link;
    CUmodule module;
    CUfunction function;
    void *code;
    size_t bytes;
    CU(cuLinkCreate(0, NULL, NULL, &link));
    CU(cuLinkAddFile(link, CU_JIT_INPUT_PTX, name, 0, NULL, NULL));
    DRIVER_GIVES(cuLinkAddFile(link, CU_JIT_INPUT_PTX, "/nowhere/at/all.ptx", 0, NULL, NULL), CUDA_ERROR_FILE_NOT_FOUND);
    CU(cuLinkComplete(link, &code, &bytes));
    CU(cuModuleLoadFatBinary(&module, code));
    CU(cuLinkDestroy(link));
    CU(cuModuleGetFunction(&function, module, "add"));
    CU(cuModuleUnload(module));
    CUlibrary library;
    CU(cuLibraryLoadFromFile(&library, name, NULL, NULL, 0, NULL, NULL, 0));
    CU(cuLibraryUnload(library));
    close(fd);
    unlink(name);
}

/** Each attribute that a launch may have. */
static void launches()
{
    unsigned n = N, by = 1, want = 0;
    void *args[] = {&data, &n, &by};
    std::vector<CUlaunchAttribute> all;
    auto with = [&](CUlaunchAttributeID id) {
        all.push_back({});
        all.back().id = id;
        return &all.back().value;
    };
    with(CU_LAUNCH_ATTRIBUTE_IGNORE);
    with(CU_LAUNCH_ATTRIBUTE_COOPERATIVE)->cooperative = 1;
    with(CU_LAUNCH_ATTRIBUTE_PRIORITY)->priority = -1;
    with(CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN)->memSyncDomain = CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT;
    with(CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP)->memSyncDomainMap = {0, 0};
    with(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)->programmaticStreamSerializationAllowed = 1;
    CUlaunchAttributeValue *window = with(CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW);
    window->accessPolicyWindow.base_ptr = (void *)data;
    window->accessPolicyWindow.num_bytes = N * 4;
    window->accessPolicyWindow.hitRatio = 1;
    window->accessPolicyWindow.hitProp = CU_ACCESS_PROPERTY_PERSISTING;
    window->accessPolicyWindow.missProp = CU_ACCESS_PROPERTY_STREAMING;
    CUlaunchAttributeValue *cluster = with(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
    cluster->clusterDim = {2, 1, 1};
    with(CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE)->clusterSchedulingPolicyPreference =
        CU_CLUSTER_SCHEDULING_POLICY_SPREAD;
    with(CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)->sharedMemCarveout = 50;
    CU(cuMemsetD32Async(data, 0, N, stream));
    for (CUlaunchAttribute &one : all) {
        CUlaunchConfig config = {4, 1, 1, 256, 1, 1, 0, stream, &one, 1};
        CUresult r = cuLaunchKernelEx(&config, add, args, NULL);
        if (r) {
            fprintf(stderr, "attribute %d: %s\n", (int)one.id, driver_error(r));
            exit(1);
        }
        CHECK(holds(++want));
    }
    for (CUlaunchAttributeID id : {CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT, CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT}) {
        CUlaunchAttribute event = {};
        event.id = id;
        CU(cuEventCreate(&event.value.launchCompletionEvent.event, CU_EVENT_DISABLE_TIMING));
        CUlaunchConfig config = {4, 1, 1, 256, 1, 1, 0, stream, &event, 1};
        CU(cuLaunchKernelEx(&config, add, args, NULL));
        CU(cuEventSynchronize(event.value.launchCompletionEvent.event));
        CHECK(holds(++want));
        CU(cuEventDestroy(event.value.launchCompletionEvent.event));
    }
    CHECK(holds(want));
}

static size_t no_shared(int) { return 0; }

static void occupancy()
{
    int blocks = 0, least = 0, size = 0;
    size_t bytes = 0;
    CU(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0));
    CHECK(blocks == 8);
    CU(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, add, 1024, 0, CU_OCCUPANCY_DEFAULT));
    CHECK(blocks == 2);
    CU(cuOccupancyMaxPotentialBlockSize(&least, &size, add, no_shared, 0, 0));
    CHECK(size == 1024 && least == 2 * 132);
    CU(cuOccupancyMaxPotentialBlockSizeWithFlags(&least, &size, add, no_shared, 0, 128, CU_OCCUPANCY_DEFAULT));
    CHECK(size == 128);
    CU(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, add, 2, 256));
    CHECK(bytes == 65536); // what the function is let to use, above
    CU(cuFuncSetAttribute(add, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 227 << 10));
    CU(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, add, 2, 256));
    CHECK(bytes > 64 << 10 && bytes < 128 << 10);
    DRIVER_GIVES(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, add, 3, 1024), CUDA_ERROR_INVALID_VALUE);
}

static void pools()
{
    CUmemPoolProps props;
    CUmemoryPool pool, other;
    CUdeviceptr p;
    cuuint64_t most = 0;
    memset(&props, 0, sizeof props);
    props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CU(cuMemPoolCreate(&pool, &props));
    most = 1 << 20;
    CU(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &most));
    most = 0;
    CU(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &most));
    CHECK(most == 1 << 20);
    CU(cuMemAllocFromPoolAsync(&p, N * 4, pool, stream));
    CU(cuMemsetD32Async(p, 5, N, stream));
    CU(cuMemcpyDtoDAsync(data, p, N * 4, stream));
    CU(cuMemFreeAsync(p, stream));
    CHECK(holds(5));
    CU(cuMemPoolTrimTo(pool, 0));
    CU(cuDeviceGetDefaultMemPool(&other, 0));
    CU(cuDeviceSetMemPool(0, pool));
    CUmemoryPool now;
    CU(cuDeviceGetMemPool(&now, 0));
    CHECK(now == pool && other != pool);
    CU(cuDeviceSetMemPool(0, other));
    CU(cuMemPoolDestroy(pool));
}

static void copies()
{
    std::vector<unsigned char> bytes(N * 4, 3);
    unsigned *host;
    CUdeviceptr pitched;
    size_t pitch;
    CU(cuMemHostAlloc((void **)&host, N * 4, 0));
    for (int i = 0; i < N; i++)
        host[i] = 11;
    CU(cuMemcpyHtoDAsync(data, host, N * 4, stream));
    CHECK(holds(11));
    CU(cuMemsetD8Async(data, 1, N * 4, stream));
    CHECK(holds(0x01010101));
    CU(cuMemsetD16Async(data, 2, N * 2, stream));
    CHECK(holds(0x00020002));
    CU(cuMemAllocPitch(&pitched, &pitch, 100, 40, 4));
    CU(cuMemsetD2D8Async(pitched, pitch, 9, 100, 40, stream));
    CUDA_MEMCPY2D c;
    memset(&c, 0, sizeof c);
    c.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    c.srcDevice = pitched;
    c.srcPitch = pitch;
    c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    c.dstDevice = data;
    c.dstPitch = 100;
    c.WidthInBytes = 100;
    c.Height = 40;
    CU(cuMemcpy2DAsync(&c, stream));
    CHECK(holds(0x09090909));
    CU(cuMemcpyAsync(data, (CUdeviceptr)host, N * 4, stream));
    CHECK(holds(11));
    CU(cuMemcpy((CUdeviceptr)host, data, N * 4));
    unsigned flags = 99;
    CU(cuMemHostGetFlags(&flags, host));
    CU(cuMemHostRegister(bytes.data(), bytes.size(), 0));
    CU(cuMemcpyHtoDAsync(data, bytes.data(), N * 4, stream));
    CHECK(holds(0x03030303));
    CU(cuMemHostUnregister(bytes.data()));
    CU(cuMemFree(pitched));
    CU(cuMemFreeHost(host));
}

static void graphs()
{
    CUgraph graph, clone;
    CUgraphNode kernel, fill, twin, nodes[4];
    CUgraphExec exec;
    CUcontext context;
    size_t count = 4;
    unsigned n = N, by = 3, enabled = 0;
    void *args[] = {&data, &n, &by};
    CUDA_KERNEL_NODE_PARAMS k;
    CUDA_MEMSET_NODE_PARAMS f;
    CU(cuCtxGetCurrent(&context));
    memset(&k, 0, sizeof k);
    memset(&f, 0, sizeof f);
    k.func = add;
    k.gridDimX = 4;
    k.blockDimX = 256;
    k.gridDimY = k.gridDimZ = k.blockDimY = k.blockDimZ = 1;
    k.kernelParams = args;
    f.dst = data;
    f.elementSize = 4;
    f.width = N;
    f.height = 1;
    f.value = 20;
    CU(cuGraphCreate(&graph, 0));
    CU(cuGraphAddMemsetNode(&fill, graph, NULL, 0, &f, context));
    CU(cuGraphAddKernelNode(&kernel, graph, NULL, 0, &k));
    CU(cuGraphAddDependencies(graph, &fill, &kernel, NULL, 1));
    CU(cuGraphGetRootNodes(graph, nodes, &count));
    CHECK(count == 1 && nodes[0] == fill);
    count = 4;
    CU(cuGraphNodeGetDependencies(kernel, nodes, NULL, &count));
    CHECK(count == 1 && nodes[0] == fill);
    count = 4;
    CU(cuGraphNodeGetDependentNodes(fill, nodes, NULL, &count));
    CHECK(count == 1 && nodes[0] == kernel);
    CU(cuGraphClone(&clone, graph));
    CU(cuGraphNodeFindInClone(&twin, kernel, clone));
    CU(cuGraphInstantiate(&exec, graph, 0));
    CU(cuGraphUpload(exec, stream));
    CU(cuGraphLaunch(exec, stream));
    CHECK(holds(23));
    by = 4;
    CU(cuGraphExecKernelNodeSetParams(exec, kernel, &k));
    CU(cuGraphNodeSetEnabled(exec, fill, 0));
    CU(cuGraphNodeGetEnabled(exec, fill, &enabled));
    CU(cuGraphLaunch(exec, stream));
    CHECK(holds(27) && !enabled);
    CU(cuGraphNodeSetEnabled(exec, fill, 1));
    f.value = 100;
    CU(cuGraphExecMemsetNodeSetParams(exec, fill, &f, context));
    CU(cuGraphLaunch(exec, stream));
    CHECK(holds(104));
    CUgraphExecUpdateResultInfo info;
    CU(cuGraphExecUpdate(exec, clone, &info));
    CU(cuGraphLaunch(exec, stream));
    CHECK(holds(23) && info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS);
    CU(cuGraphRemoveDependencies(graph, &fill, &kernel, NULL, 1));
    CU(cuGraphDestroyNode(kernel));
    CU(cuGraphExecDestroy(exec));
    CU(cuGraphDestroy(clone));
    CU(cuGraphDestroy(graph));
}

static void asked()
{
    size_t limit = 0;
    unsigned long long id = 0;
    CUdevice d = -1;
    char text[32];
    int major = 0, minor = 0;
    CU(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 1 << 20));
    CU(cuCtxGetLimit(&limit, CU_LIMIT_PRINTF_FIFO_SIZE));
    CHECK(limit >= 1 << 20);
    CU(cuDeviceComputeCapability(&major, &minor, 0));
    CHECK(major == 9 && minor == 0);
    CU(cuDeviceGetPCIBusId(text, sizeof text, 0));
    CU(cuDeviceGetByPCIBusId(&d, text));
    CHECK(d == 0);
    CU(cuStreamGetId(stream, &id));
    d = -1;
    CU(cuStreamGetDevice(stream, &d));
    CHECK(id && d == 0);
    CU(cuProfilerStart());
    CU(cuProfilerStop());
}

int main(int argc, char **argv)
{
    CUdevice d;
    CUcontext context;
    CU(cuInit(0));
    d = 77;
    CHECK(cuDeviceGet(&d, 64) == CUDA_ERROR_INVALID_DEVICE && cuDeviceGet(&d, -1) == CUDA_ERROR_INVALID_DEVICE && d == 77); /* as an H100's driver leaves it */
    CU(cuDeviceGet(&d, 0));
    CU(cuDevicePrimaryCtxRetain(&context, d));
    CU(cuCtxSetCurrent(context));
    CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CU(cuMemAlloc(&data, N * 4));
    libraries();
    linked_file();
    launches();
    occupancy();
    pools();
    copies();
    graphs();
    asked();
    CU(cuMemFree(data));
    CU(cuStreamDestroy(stream));
    CU(cuDevicePrimaryCtxRelease(d));
    return 0;
}
