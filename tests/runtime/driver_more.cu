// nvcc: -lcuda
// The Driver API: virtual memory, graphs, the linker, and symbols of earlier versions.
#include "driver.cuh"
#include <cstdint>
#include <vector>

static const char ptx[] = R"(
.version 8.0
.target sm_75
.address_size 64
.visible .entry grow(.param .u64 data, .param .u32 n, .param .u32 by)
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

static CUfunction grow;

static void launch(CUdeviceptr p, unsigned n, unsigned by)
{
    void *args[] = {&p, &n, &by};
    CU(cuLaunchKernel(grow, (n + 255) / 256, 1, 1, 256, 1, 1, 0, NULL, args, NULL));
}

static void linker()
{
    CUlinkState link;
    CUmodule module;
    void *code;
    size_t bytes;
    char log[256];
    CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    CU(cuLinkCreate(2, names, values, &link));
    CU(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)ptx, sizeof ptx, "grow.ptx", 0, NULL, NULL));
    CU(cuLinkComplete(link, &code, &bytes));
    CHECK(bytes > 0);
    CU(cuModuleLoadData(&module, code));
    CU(cuLinkDestroy(link));
    CU(cuModuleGetFunction(&grow, module, "grow"));

    values[1] = (void *)(uintptr_t)sizeof log; // it has become the log's length
    CU(cuLinkCreate(2, names, values, &link));
    DRIVER_GIVES(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)"no ptx", 7, "x", 0, NULL, NULL),
                 CUDA_ERROR_INVALID_IMAGE);
    CHECK(strlen(log) > 0);
    CU(cuLinkDestroy(link));
}

// Two pieces, of which one calls the other; without that one it is missing.
static void link_two()
{
#define PIECE ".version 8.0\n.target sm_75\n.address_size 64\n"
    static char caller[] = PIECE ".extern .func (.param .b32 r) seven ();\n.visible .entry k(.param .u64 p) {\n"
                                 ".reg .b64 %a; .reg .b32 %v; ld.param.u64 %a, [p]; .param .b32 r; call (r), seven;\n"
                                 "ld.param.b32 %v, [r]; st.global.u32 [%a], %v; ret; }\n";
    static char callee[] = PIECE ".visible .func (.param .b32 r) seven () { st.param.b32 [r], 7; ret; }\n";
    CUlinkState link;
    CUmodule module;
    CUfunction k;
    CUdeviceptr p;
    void *code, *args[] = {&p};
    int v = 0;
    CU(cuLinkCreate(0, NULL, NULL, &link));
    CU(cuLinkAddData(link, CU_JIT_INPUT_PTX, caller, sizeof caller, "caller", 0, NULL, NULL));
    CU(cuLinkAddData(link, CU_JIT_INPUT_PTX, callee, sizeof callee, "callee", 0, NULL, NULL));
    CU(cuLinkComplete(link, &code, NULL));
    CU(cuModuleLoadData(&module, code));
    CU(cuLinkDestroy(link));
    CU(cuModuleGetFunction(&k, module, "k"));
    CU(cuMemAlloc(&p, sizeof v));
    CU(cuLaunchKernel(k, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    CU(cuMemcpyDtoH(&v, p, sizeof v));
    CHECK(v == 7);
    CU(cuMemFree(p));
    CU(cuModuleUnload(module));

    char log[256] = "";
    CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    CU(cuLinkCreate(2, names, values, &link));
    CU(cuLinkAddData(link, CU_JIT_INPUT_PTX, caller, sizeof caller, "caller", 0, NULL, NULL));
    CHECK(cuLinkComplete(link, &code, NULL) != CUDA_SUCCESS);
    CHECK(strstr(log, "seven"));
    CU(cuLinkDestroy(link));
}

// A vector that grows where it is, as the samples do it: addresses for four parts, memory for one after another.
static void growing_vector()
{
    CUmemAllocationProp prop = {};
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    size_t part;
    CU(cuMemGetAllocationGranularity(&part, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    CHECK(part >= 4096 && (part & (part - 1)) == 0);
    CUdeviceptr p;
    size_t free_before, free_now, total;
    CU(cuMemGetInfo(&free_before, &total));
    DRIVER_GIVES(cuMemAddressReserve(&p, part + 1, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
    CU(cuMemAddressReserve(&p, 4 * part, 0, 0, 0));
    CUmemAccessDesc access = {prop.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    DRIVER_GIVES(cuMemSetAccess(p, part, &access, 1), CUDA_ERROR_INVALID_VALUE);
    CUmemGenericAllocationHandle memory[2];
    unsigned n = part / 4;
    std::vector<int> h(2 * n, 7);
    for (int i = 0; i < 2; i++) {
        CU(cuMemCreate(&memory[i], part, &prop, 0));
        DRIVER_GIVES(cuMemcpyHtoD(p + i * part, h.data(), part), CUDA_ERROR_INVALID_VALUE);
        CU(cuMemMap(p + i * part, part, 0, memory[i], 0));
        DRIVER_GIVES(cuMemMap(p + i * part, part, 0, memory[i], 0), CUDA_ERROR_INVALID_VALUE);
        CU(cuMemSetAccess(p + i * part, part, &access, 1));
        CU(cuMemRelease(memory[i])); // it lives as long as it is mapped
        if (i == 0) {
            CU(cuMemcpyHtoD(p, h.data(), part));
            launch(p, n, 1);
        }
    }
    CU(cuMemGetInfo(&free_now, &total));
    CHECK(free_before - free_now == 2 * part);
    CU(cuMemsetD32(p + part, 20, n));
    launch(p, 2 * n, 1); // over both parts
    CU(cuMemcpyDtoH(h.data(), p, 2 * part));
    CHECK(h[0] == 9 && h[n - 1] == 9 && h[n] == 21 && h[2 * n - 1] == 21);
    CU(cuMemsetD32(p, 1, 2 * n));
    CU(cuMemcpyDtoH(h.data(), p + part / 2, part));
    CHECK(h[0] == 1 && h[n - 1] == 1);
    unsigned long long flags;
    CU(cuMemGetAccess(&flags, &prop.location, p));
    CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    DRIVER_GIVES(cuMemAddressFree(p, 4 * part), CUDA_ERROR_INVALID_VALUE);

    // the first part's memory to another address: it keeps what it holds
    CUmemGenericAllocationHandle first;
    CU(cuMemRetainAllocationHandle(&first, (void *)p));
    CU(cuMemsetD32(p, 33, n));
    CU(cuMemUnmap(p, 2 * part));
    DRIVER_GIVES(cuMemcpyDtoH(h.data(), p, 4), CUDA_ERROR_INVALID_VALUE);
    CU(cuMemMap(p + 3 * part, part, 0, first, 0));
    CU(cuMemSetAccess(p + 3 * part, part, &access, 1));
    launch(p + 3 * part, n, 1);
    CU(cuMemcpyDtoH(h.data(), p + 3 * part, part));
    CHECK(h[0] == 34 && h[n - 1] == 34);
    CU(cuMemUnmap(p + 3 * part, part));
    CU(cuMemRelease(first));
    DRIVER_GIVES(cuMemRelease(first), CUDA_ERROR_INVALID_VALUE);
    CU(cuMemAddressFree(p, 4 * part));
    CU(cuMemGetInfo(&free_now, &total));
    CHECK(free_before == free_now);
}

static void graphs()
{
    CUdeviceptr d;
    const unsigned n = 1000;
    std::vector<int> h(n);
    CU(cuMemAlloc(&d, n * 4));
    CUgraph graph, child;
    CUgraphNode fill, kernel, copy, host, again;
    CU(cuGraphCreate(&graph, 0));
    CUDA_MEMSET_NODE_PARAMS set = {d, 0, 5, 4, n, 1};
    CUcontext context;
    CU(cuCtxGetCurrent(&context));
    CU(cuGraphAddMemsetNode(&fill, graph, NULL, 0, &set, context));
    unsigned by = 2, count = n;
    void *args[] = {&d, &count, &by};
    CUDA_KERNEL_NODE_PARAMS run = {};
    run.func = grow;
    run.gridDimX = 4;
    run.gridDimY = run.gridDimZ = run.blockDimY = run.blockDimZ = 1;
    run.blockDimX = 256;
    run.kernelParams = args;
    CU(cuGraphAddKernelNode(&kernel, graph, &fill, 1, &run));
    CUDA_MEMCPY3D out = {}, told;
    out.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    out.srcDevice = d;
    out.dstMemoryType = CU_MEMORYTYPE_HOST;
    out.dstHost = h.data();
    out.WidthInBytes = n * 4;
    out.Height = out.Depth = 1;
    CU(cuGraphAddMemcpyNode(&copy, graph, &kernel, 1, &out, context));
    CU(cuGraphMemcpyNodeGetParams(copy, &told));
    CHECK(told.srcDevice == d && told.dstHost == h.data() && told.WidthInBytes == n * 4);
    CUDA_HOST_NODE_PARAMS call = {};
    call.fn = [](void *p) { *(int *)p *= 10; };
    call.userData = h.data();
    CU(cuGraphAddHostNode(&host, graph, &copy, 1, &call));
    size_t nodes = 0, edges = 0;
    CU(cuGraphGetNodes(graph, NULL, &nodes));
    CU(cuGraphGetEdges(graph, NULL, NULL, NULL, &edges));
    CHECK(nodes == 4 && edges == 3);
    CUDA_KERNEL_NODE_PARAMS back;
    CU(cuGraphKernelNodeGetParams(kernel, &back));
    CHECK(back.func == grow && back.gridDimX == 4 && *(unsigned *)back.kernelParams[2] == 2);

    CUgraphExec exec;
    CUstream s;
    CU(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    CU(cuGraphInstantiate(&exec, graph, 0));
    CU(cuGraphLaunch(exec, s));
    CU(cuStreamSynchronize(s));
    CHECK(h[0] == 70 && h[n - 1] == 7);
    by = 4;
    CU(cuGraphExecKernelNodeSetParams(exec, kernel, &run));
    CU(cuGraphLaunch(exec, s));
    CU(cuStreamSynchronize(s));
    CHECK(h[0] == 90 && h[n - 1] == 9);
    CU(cuGraphExecDestroy(exec));

    // captured, then a child of another graph, by a node of any kind
    CU(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    CU(cuMemsetD32Async(d, 1, n, s));
    CU(cuLaunchKernel(grow, 4, 1, 1, 256, 1, 1, 0, s, args, NULL));
    CU(cuMemcpyDtoHAsync(h.data(), d, n * 4, s));
    CUgraph captured, outer;
    CU(cuStreamEndCapture(s, &captured));
    CU(cuGraphCreate(&outer, 0));
    CUgraphNodeParams any = {};
    any.type = CU_GRAPH_NODE_TYPE_GRAPH;
    any.graph.graph = captured;
    CU(cuGraphAddNode(&again, outer, NULL, NULL, 0, &any));
    CU(cuGraphChildGraphNodeGetGraph(again, &child));
    CUgraphNodeType type;
    CU(cuGraphNodeGetType(again, &type));
    CHECK(type == CU_GRAPH_NODE_TYPE_GRAPH && child);
    CU(cuGraphInstantiate(&exec, outer, 0));
    CU(cuGraphLaunch(exec, s));
    CU(cuStreamSynchronize(s));
    CHECK(h[0] == 5 && h[n - 1] == 5);
    CU(cuGraphExecDestroy(exec));
    CU(cuGraphDestroy(outer));
    CU(cuGraphDestroy(captured));
    CU(cuGraphDestroy(graph));
    CU(cuStreamDestroy(s));
    CU(cuMemFree(d));
}

__global__ void fetch(CUtexObject line, CUtexObject plane, CUsurfObject out, float *to)
{
    to[0] = tex1Dfetch<float>(line, 3);
    to[1] = tex2D<float>(plane, 1.0f, 0.5f); // between two elements
    to[2] = tex2D<float>(plane, 2.5f, 1.5f);
    surf2Dwrite(9.0f, out, 4, 0);
}

// Bytes read as fractions of 255, an array with linear filtering, the same array as a surface.
static void textures()
{
    CUdeviceptr bytes, to;
    unsigned char h[4] = {0, 51, 102, 255};
    CU(cuMemAlloc(&bytes, 512));
    CU(cuMemAlloc(&to, 12));
    CU(cuMemcpyHtoD(bytes, h, 4));
    CUDA_RESOURCE_DESC linear = {}, array = {};
    linear.resType = CU_RESOURCE_TYPE_LINEAR;
    linear.res.linear.devPtr = bytes;
    linear.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT8;
    linear.res.linear.numChannels = 1;
    linear.res.linear.sizeInBytes = 4;
    CUDA_TEXTURE_DESC how = {};
    CUtexObject line, plane;
    CU(cuTexObjectCreate(&line, &linear, &how, NULL));
    CUDA_ARRAY3D_DESCRIPTOR shape = {4, 2, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST};
    CUarray a;
    CU(cuArray3DCreate(&a, &shape));
    float from[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}}, got[3];
    CUDA_MEMCPY2D in = {};
    in.srcMemoryType = CU_MEMORYTYPE_HOST;
    in.srcHost = from;
    in.srcPitch = 16;
    in.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    in.dstArray = a;
    in.WidthInBytes = 16;
    in.Height = 2;
    CU(cuMemcpy2D(&in));
    array.resType = CU_RESOURCE_TYPE_ARRAY;
    array.res.array.hArray = a;
    how.filterMode = CU_TR_FILTER_MODE_LINEAR;
    how.addressMode[0] = how.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
    CU(cuTexObjectCreate(&plane, &array, &how, NULL));
    CUsurfObject out;
    DRIVER_GIVES(cuSurfObjectCreate(&out, NULL), CUDA_ERROR_INVALID_VALUE);
    CU(cuSurfObjectCreate(&out, &array));
    fetch<<<1, 1>>>(line, plane, out, (float *)to);
    CU(cuMemcpyDtoH(got, to, 12));
    CHECK(got[0] == 1.0f && got[1] == 1.5f && got[2] == 7.0f);
    CU(cuMemcpyAtoH(got, a, 4, 4));
    CHECK(got[0] == 9.0f);
    CU(cuTexObjectDestroy(line));
    CU(cuTexObjectDestroy(plane));
    CU(cuSurfObjectDestroy(out));
    CU(cuArrayDestroy(a));
    CU(cuMemFree(bytes));
    CU(cuMemFree(to));
}

template <typename F> static F *of_version(const char *name, int version)
{
    void *f = NULL;
    CU(cuGetProcAddress(name, &f, version, CU_GET_PROC_ADDRESS_DEFAULT, NULL));
    return (F *)f;
}

// What a program built with CUDA 11.4 gets for the same names.
static void earlier_versions()
{
    CUgraph graph;
    CUgraphNode a, b, from, to;
    CUgraphExec exec;
    size_t edges = 1;
    CU(cuGraphCreate(&graph, 0));
    CU(cuGraphAddEmptyNode(&a, graph, NULL, 0));
    CU(cuGraphAddEmptyNode(&b, graph, NULL, 0));
    auto depend = of_version<CUresult(CUgraph, const CUgraphNode *, const CUgraphNode *, size_t)>(
        "cuGraphAddDependencies", 11040);
    CU(depend(graph, &a, &b, 1));
    auto list = of_version<CUresult(CUgraph, CUgraphNode *, CUgraphNode *, size_t *)>("cuGraphGetEdges", 11040);
    CU(list(graph, &from, &to, &edges));
    CHECK(edges == 1 && from == a && to == b);
    char log[8] = "log";
    auto make = of_version<CUresult(CUgraphExec *, CUgraph, CUgraphNode *, char *, size_t)>("cuGraphInstantiate",
                                                                                          11020);
    CU(make(&exec, graph, &a, log, sizeof log));
    CHECK(!a && !*log);
    CU(cuGraphExecDestroy(exec));
    CU(cuGraphDestroy(graph));
    auto create = of_version<CUresult(CUcontext *, unsigned, CUdevice)>("cuCtxCreate", 11020);
    CUcontext c;
    CU(create(&c, 0, 0));
    CU(cuCtxDestroy(c));
}

int main()
{
    CUcontext context;
    CU(cuInit(0));
    CU(cuDevicePrimaryCtxRetain(&context, 0));
    CU(cuCtxSetCurrent(context));
    linker();
    link_two();
    growing_vector();
    graphs();
    textures();
    earlier_versions();
    CU(cuDevicePrimaryCtxRelease(0));
    puts("driver_more ok");
}
