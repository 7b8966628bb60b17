// Facts about stream capture and graphs, one a line, as facts.cu has them about the rest: the same program
// runs on a real GPU and on softgpu, and the two outputs are compared (graph_facts.gpu.txt). With a number only
// that part runs.
//
//   nvcc -arch=compute_75 -cudart shared -o graph_facts graph_facts.cu && ./graph_facts
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static void fact(const char *name, cudaError_t e) { printf("%s: %s\n", name, cudaGetErrorName(e)); }
static void fact(const char *name, long long v) { printf("%s: %lld\n", name, v); }
#define FACT(call) fact(#call, call)

__global__ void touch(int *p) { p[threadIdx.x] += 1; }
__global__ void store(int *p, int v) { *p = v; }
__device__ int variable[4];

static int *device, *pinned, pageable[64], *managed;
static cudaStream_t free_stream, other, blocking;
static cudaEvent_t old_event, never, mark, timed;
static cudaGraph_t small_graph;
static cudaGraphExec_t small_exec;

static void set_up()
{
    cudaMalloc(&device, 4096);
    cudaMallocHost(&pinned, 4096);
    cudaMallocManaged(&managed, 4096);
    cudaStreamCreateWithFlags(&free_stream, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaStreamCreate(&blocking);
    for (cudaEvent_t *e : {&old_event, &never, &mark, &timed})
        cudaEventCreate(e);
    cudaEventRecord(old_event, other);
    cudaEventRecord(timed, other);
    touch<<<1, 32>>>(device);
    store<<<1, 1>>>(device, 1);
    cudaGraphNode_t node;
    cudaGraphCreate(&small_graph, 0);
    cudaGraphAddEmptyNode(&node, small_graph, nullptr, 0);
    cudaGraphInstantiate(&small_exec, small_graph, 0);
    cudaDeviceSynchronize();
}

// ---- one call while a stream captures ----

struct attempt {
    const char *name;
    std::function<cudaError_t(cudaStream_t)> call; // gets the capturing stream
};
static void *fresh;
static float ms;

static cudaError_t launched() { return cudaGetLastError(); }

static const std::vector<attempt> attempts = {
    {"cudaMalloc", [](cudaStream_t) { return cudaMalloc(&fresh, 64); }},
    {"cudaFree", [](cudaStream_t) { return cudaFree(fresh); }},
    {"cudaMallocHost", [](cudaStream_t) { return cudaMallocHost(&fresh, 64); }},
    {"cudaFreeHost", [](cudaStream_t) { return cudaFreeHost(fresh); }},
    {"cudaHostAlloc", [](cudaStream_t) { void *p; return cudaHostAlloc(&p, 64, cudaHostAllocMapped); }},
    {"cudaHostRegister", [](cudaStream_t) { static char b[8192]; return cudaHostRegister(b, 8192, 0); }},
    {"cudaMallocManaged", [](cudaStream_t) { void *p; return cudaMallocManaged(&p, 64); }},
    {"cudaMallocAsync elsewhere", [](cudaStream_t) { return cudaMallocAsync(&fresh, 64, other); }},
    {"cudaFreeAsync elsewhere", [](cudaStream_t) { return cudaFreeAsync(fresh, other); }},
    {"cudaMemcpy page-locked", [](cudaStream_t) { return cudaMemcpy(device, pinned, 64, cudaMemcpyDefault); }},
    {"cudaMemcpy pageable", [](cudaStream_t) { return cudaMemcpy(device, pageable, 64, cudaMemcpyDefault); }},
    {"cudaMemcpy of nothing", [](cudaStream_t) { return cudaMemcpy(device, pinned, 0, cudaMemcpyDefault); }},
    {"cudaMemcpyAsync pageable in", [](cudaStream_t s) { return cudaMemcpyAsync(device, pageable, 64, cudaMemcpyDefault, s); }},
    {"cudaMemcpyAsync pageable out", [](cudaStream_t s) { return cudaMemcpyAsync(pageable, device, 64, cudaMemcpyDefault, s); }},
    {"cudaMemcpyAsync of nothing", [](cudaStream_t s) { return cudaMemcpyAsync(device, pinned, 0, cudaMemcpyDefault, s); }},
    {"cudaMemcpyAsync to NULL", [](cudaStream_t s) { return cudaMemcpyAsync(nullptr, pinned, 64, cudaMemcpyDefault, s); }},
    {"cudaMemcpyAsync elsewhere", [](cudaStream_t) { return cudaMemcpyAsync(device, pinned, 64, cudaMemcpyDefault, other); }},
    {"cudaMemcpyAsync in the default stream", [](cudaStream_t) { return cudaMemcpyAsync(device, pinned, 64, cudaMemcpyDefault, 0); }},
    {"cudaMemcpy2DAsync", [](cudaStream_t s) { return cudaMemcpy2DAsync(device, 64, pinned, 32, 16, 4, cudaMemcpyDefault, s); }},
    {"cudaMemset", [](cudaStream_t) { return cudaMemset(device, 0, 64); }},
    {"cudaMemsetAsync in the default stream", [](cudaStream_t) { return cudaMemsetAsync(device, 0, 64, 0); }},
    {"cudaMemsetAsync elsewhere", [](cudaStream_t) { return cudaMemsetAsync(device, 0, 64, other); }},
    {"launch", [](cudaStream_t s) { touch<<<1, 32, 0, s>>>(device); return launched(); }},
    {"launch of too many threads", [](cudaStream_t s) { touch<<<1, 2048, 0, s>>>(device); return launched(); }},
    {"launch in the default stream", [](cudaStream_t) { touch<<<1, 32>>>(device); return launched(); }},
    {"launch elsewhere", [](cudaStream_t) { touch<<<1, 32, 0, other>>>(device); return launched(); }},
    {"launch in a blocking stream", [](cudaStream_t) { touch<<<1, 32, 0, blocking>>>(device); return launched(); }},
    {"cudaStreamSynchronize", [](cudaStream_t s) { return cudaStreamSynchronize(s); }},
    {"cudaStreamSynchronize elsewhere", [](cudaStream_t) { return cudaStreamSynchronize(other); }},
    {"cudaStreamSynchronize of the default stream", [](cudaStream_t) { return cudaStreamSynchronize(0); }},
    {"cudaStreamQuery", [](cudaStream_t s) { return cudaStreamQuery(s); }},
    {"cudaStreamQuery elsewhere", [](cudaStream_t) { return cudaStreamQuery(other); }},
    {"cudaStreamQuery of the default stream", [](cudaStream_t) { return cudaStreamQuery(0); }},
    {"cudaDeviceSynchronize", [](cudaStream_t) { return cudaDeviceSynchronize(); }},
    {"cudaEventCreate", [](cudaStream_t) { cudaEvent_t e; return cudaEventCreate(&e); }},
    {"cudaEventDestroy", [](cudaStream_t) { cudaEvent_t e; cudaEventCreate(&e); return cudaEventDestroy(e); }},
    {"cudaEventQuery of an older record", [](cudaStream_t) { return cudaEventQuery(old_event); }},
    {"cudaEventSynchronize of an older record", [](cudaStream_t) { return cudaEventSynchronize(old_event); }},
    {"cudaEventElapsedTime of older records", [](cudaStream_t) { return cudaEventElapsedTime(&ms, old_event, timed); }},
    {"cudaEventRecord", [](cudaStream_t s) { return cudaEventRecord(mark, s); }},
    {"cudaEventRecord, then query", [](cudaStream_t s) { cudaEventRecord(mark, s); return cudaEventQuery(mark); }},
    {"cudaEventRecord, then synchronise", [](cudaStream_t s) { cudaEventRecord(mark, s); return cudaEventSynchronize(mark); }},
    {"cudaEventRecord, then elapsed time", [](cudaStream_t s) { cudaEventRecord(mark, s); return cudaEventElapsedTime(&ms, old_event, mark); }},
    {"cudaEventRecord, then again elsewhere, then query", [](cudaStream_t s) { cudaEventRecord(mark, s); cudaEventRecord(mark, other); return cudaEventQuery(mark); }},
    {"cudaEventRecord elsewhere", [](cudaStream_t) { return cudaEventRecord(mark, other); }},
    {"cudaEventRecord external", [](cudaStream_t s) { return cudaEventRecordWithFlags(mark, s, cudaEventRecordExternal); }},
    {"cudaEventRecord in the default stream", [](cudaStream_t) { return cudaEventRecord(mark, 0); }},
    {"cudaStreamWaitEvent for its own", [](cudaStream_t s) { cudaEventRecord(mark, s); return cudaStreamWaitEvent(s, mark, 0); }},
    {"cudaStreamWaitEvent for one never recorded", [](cudaStream_t s) { return cudaStreamWaitEvent(s, never, 0); }},
    {"cudaStreamWaitEvent for an older one", [](cudaStream_t s) { return cudaStreamWaitEvent(s, old_event, 0); }},
    {"cudaStreamWaitEvent for a newer one from elsewhere", [](cudaStream_t s) { cudaEventRecord(mark, other); return cudaStreamWaitEvent(s, mark, 0); }},
    {"cudaStreamWaitEvent external", [](cudaStream_t s) { return cudaStreamWaitEvent(s, old_event, cudaEventWaitExternal); }},
    {"cudaStreamWaitEvent external for its own", [](cudaStream_t s) { cudaEventRecord(mark, s); return cudaStreamWaitEvent(s, mark, cudaEventWaitExternal); }},
    {"another stream waits and is left unjoined", [](cudaStream_t s) { cudaEventRecord(mark, s); return cudaStreamWaitEvent(other, mark, 0); }},
    {"another stream waits, works, is left unjoined", [](cudaStream_t s) {
        cudaEventRecord(mark, s); cudaStreamWaitEvent(other, mark, 0); touch<<<1, 32, 0, other>>>(device); return launched(); }},
    {"another stream waits, works and is joined", [](cudaStream_t s) {
        cudaEventRecord(mark, s); cudaStreamWaitEvent(other, mark, 0); touch<<<1, 32, 0, other>>>(device);
        cudaEventRecord(mark, other); return cudaStreamWaitEvent(s, mark, 0); }},
    {"another stream is joined, then works on", [](cudaStream_t s) {
        cudaEventRecord(mark, s); cudaStreamWaitEvent(other, mark, 0); touch<<<1, 32, 0, other>>>(device);
        cudaEventRecord(mark, other); cudaStreamWaitEvent(s, mark, 0); touch<<<1, 32, 0, other>>>(device); return launched(); }},
    {"the default stream waits", [](cudaStream_t s) { cudaEventRecord(mark, s); return cudaStreamWaitEvent(0, mark, 0); }},
    {"end on a stream that joined", [](cudaStream_t s) {
        cudaGraph_t g; cudaEventRecord(mark, s); cudaStreamWaitEvent(other, mark, 0); return cudaStreamEndCapture(other, &g); }},
    {"end on a stream that does not capture", [](cudaStream_t) { cudaGraph_t g; return cudaStreamEndCapture(other, &g); }},
    {"end on another thread", [](cudaStream_t s) {
        cudaError_t e; std::thread([&] { cudaGraph_t g; e = cudaStreamEndCapture(s, &g); }).join(); return e; }},
    {"begin again", [](cudaStream_t s) { return cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); }},
    {"begin on the default stream", [](cudaStream_t) { return cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal); }},
    {"begin in mode 7", [](cudaStream_t) { return cudaStreamBeginCapture(other, (cudaStreamCaptureMode)7); }},
    {"two captures meet", [](cudaStream_t s) {
        cudaGraph_t g; cudaStreamBeginCapture(other, cudaStreamCaptureModeRelaxed); cudaEventRecord(mark, other);
        cudaError_t e = cudaStreamWaitEvent(s, mark, 0); fact("  the other one's end", cudaStreamEndCapture(other, &g)); return e; }},
    {"cudaStreamIsCapturing of the default stream", [](cudaStream_t) { cudaStreamCaptureStatus t; return cudaStreamIsCapturing(0, &t); }},
    {"cudaStreamIsCapturing elsewhere", [](cudaStream_t) { cudaStreamCaptureStatus t; return cudaStreamIsCapturing(other, &t); }},
    {"cudaStreamGetCaptureInfo of the default stream", [](cudaStream_t) { cudaStreamCaptureStatus t; return cudaStreamGetCaptureInfo(0, &t); }},
    {"cudaStreamUpdateCaptureDependencies to none", [](cudaStream_t s) {
        return cudaStreamUpdateCaptureDependencies(s, nullptr, nullptr, 0, cudaStreamSetCaptureDependencies); }},
    {"cudaStreamUpdateCaptureDependencies elsewhere", [](cudaStream_t) {
        return cudaStreamUpdateCaptureDependencies(other, nullptr, nullptr, 0, cudaStreamSetCaptureDependencies); }},
    {"cudaLaunchHostFunc", [](cudaStream_t s) { return cudaLaunchHostFunc(s, [](void *) {}, nullptr); }},
    {"cudaStreamAddCallback", [](cudaStream_t s) { return cudaStreamAddCallback(s, [](cudaStream_t, cudaError_t, void *) {}, nullptr, 0); }},
    {"cudaMemPrefetchAsync", [](cudaStream_t s) {
        cudaMemLocation l = {}; l.type = cudaMemLocationTypeDevice; return cudaMemPrefetchAsync(managed, 4096, l, 0, s); }},
    {"cudaStreamAttachMemAsync", [](cudaStream_t s) { return cudaStreamAttachMemAsync(s, managed); }},
    {"cudaMemcpyToSymbol", [](cudaStream_t) { return cudaMemcpyToSymbol(variable, pageable, 16); }},
    {"cudaMemcpyToSymbolAsync", [](cudaStream_t s) { return cudaMemcpyToSymbolAsync(variable, pinned, 16, 0, cudaMemcpyHostToDevice, s); }},
    {"cudaGetSymbolAddress", [](cudaStream_t) { void *p; return cudaGetSymbolAddress(&p, variable); }},
    {"cudaStreamCreate", [](cudaStream_t) { cudaStream_t t; return cudaStreamCreate(&t); }},
    {"cudaStreamDestroy elsewhere", [](cudaStream_t) { cudaStream_t t; cudaStreamCreate(&t); return cudaStreamDestroy(t); }},
    {"cudaStreamGetFlags", [](cudaStream_t s) { unsigned f; return cudaStreamGetFlags(s, &f); }},
    {"cudaStreamGetPriority", [](cudaStream_t s) { int p; return cudaStreamGetPriority(s, &p); }},
    {"cudaGetDevice", [](cudaStream_t) { int d; return cudaGetDevice(&d); }},
    {"cudaSetDevice", [](cudaStream_t) { return cudaSetDevice(0); }},
    {"cudaMemGetInfo", [](cudaStream_t) { size_t a, b; return cudaMemGetInfo(&a, &b); }},
    {"cudaPointerGetAttributes", [](cudaStream_t) { cudaPointerAttributes a; return cudaPointerGetAttributes(&a, device); }},
    {"cudaFuncGetAttributes", [](cudaStream_t) { cudaFuncAttributes a; return cudaFuncGetAttributes(&a, touch); }},
    {"cudaFuncSetAttribute", [](cudaStream_t) { return cudaFuncSetAttribute(touch, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024); }},
    {"cudaGetLastError", [](cudaStream_t) { return cudaGetLastError(); }},
    {"cudaGraphCreate", [](cudaStream_t) { cudaGraph_t g; return cudaGraphCreate(&g, 0); }},
    {"cudaGraphInstantiate", [](cudaStream_t) { cudaGraphExec_t e; return cudaGraphInstantiate(&e, small_graph, 0); }},
    {"cudaGraphLaunch", [](cudaStream_t s) { return cudaGraphLaunch(small_exec, s); }},
    {"cudaGraphLaunch elsewhere", [](cudaStream_t) { return cudaGraphLaunch(small_exec, other); }},
    {"cudaGraphUpload", [](cudaStream_t s) { return cudaGraphUpload(small_exec, s); }},
    {"cudaGraphUpload elsewhere", [](cudaStream_t) { return cudaGraphUpload(small_exec, other); }},
};

static const char *status_of(cudaStream_t s)
{
    static const char *const names[] = {"none", "active", "invalidated"};
    cudaStreamCaptureStatus status;
    cudaError_t e = cudaStreamIsCapturing(s, &status);
    return e ? cudaGetErrorName(e) : names[status];
}

static void each_attempt(const char *title, cudaStream_t s, cudaStreamCaptureMode mode, bool elsewhere)
{
    static const char *const types[] = {"kernel", "copy", "set", "host", "graph", "empty", "wait", "record"};
    for (const attempt &a : attempts) {
        cudaGraph_t graph = nullptr;
        if (!strncmp(a.name, "cudaFree", 8)) {
            if (!strcmp(a.name, "cudaFreeHost"))
                cudaMallocHost(&fresh, 64);
            else
                cudaMalloc(&fresh, 64);
        }
        if (!strcmp(a.name, "begin in mode 7") || (elsewhere && strstr(a.name, "end on")))
            if (elsewhere || mode)
                continue;
        cudaGetLastError();
        if (cudaStreamBeginCapture(s, mode) != cudaSuccess) {
            printf("%s, %s: no capture begins\n", title, a.name);
            continue;
        }
        touch<<<1, 32, 0, s>>>(device);
        cudaError_t e = cudaSuccess;
        if (elsewhere)
            std::thread([&] { e = a.call(s); }).join();
        else
            e = a.call(s);
        const char *status = status_of(s);
        cudaError_t last = cudaStreamEndCapture(s, &graph);
        printf("%s, %s: %s, %s, end %s", title, a.name, cudaGetErrorName(e), status, cudaGetErrorName(last));
        if (last == cudaSuccess && graph) {
            cudaGraphNode_t nodes[8];
            size_t count = 8, edges = 0;
            cudaGraphGetNodes(graph, nodes, &count);
            cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
            for (size_t i = 0; i < count && i < 8; i++) {
                cudaGraphNodeType type;
                cudaGraphNodeGetType(nodes[i], &type);
                printf("%s%s", i ? " " : ", ", type < 8 ? types[type] : "?");
            }
            printf(", %d edges", (int)edges);
            cudaGraphDestroy(graph);
        }
        printf(", graph %s, other stream %s\n", graph ? "there" : "NULL", status_of(other));
        cudaGetLastError();
        cudaEventRecord(mark, other);
        cudaDeviceSynchronize();
    }
}

// ---- graphs made by hand ----

static cudaKernelNodeParams kernel_of(void *kernel, int threads, void **args)
{
    cudaKernelNodeParams p = {};
    p.func = kernel;
    p.gridDim = dim3(1);
    p.blockDim = dim3(threads);
    p.kernelParams = args;
    return p;
}

static cudaMemsetParams set_of(void *dst, unsigned element, size_t width, size_t height, size_t pitch)
{
    cudaMemsetParams p = {};
    p.dst = dst;
    p.elementSize = element;
    p.width = width;
    p.height = height;
    p.pitch = pitch;
    return p;
}

static void nodes()
{
    cudaGraph_t g, bad;
    cudaGraphNode_t a, b, c, n;
    void *args[] = {&device};
    cudaKernelNodeParams k = kernel_of((void *)touch, 32, args), wide = kernel_of((void *)touch, 2048, args);
    cudaKernelNodeParams none = kernel_of(nullptr, 32, args), bare = kernel_of((void *)touch, 32, nullptr);
    FACT(cudaGraphCreate(&g, 0));
    fact("cudaGraphCreate with flags 1", cudaGraphCreate(&bad, 1));
    fact("cudaGraphCreate to NULL", cudaGraphCreate(nullptr, 0));
    fact("kernel node", cudaGraphAddKernelNode(&a, g, nullptr, 0, &k));
    fact("kernel node of 2048 threads", cudaGraphAddKernelNode(&n, g, nullptr, 0, &wide));
    fact("kernel node without a kernel", cudaGraphAddKernelNode(&n, g, nullptr, 0, &none));
    fact("kernel node without arguments", cudaGraphAddKernelNode(&n, g, nullptr, 0, &bare));
    fact("kernel node without parameters", cudaGraphAddKernelNode(&n, g, nullptr, 0, nullptr));
    fact("kernel node in no graph", cudaGraphAddKernelNode(&n, nullptr, nullptr, 0, &k));
    fact("kernel node to NULL", cudaGraphAddKernelNode(nullptr, g, nullptr, 0, &k));
    fact("empty node after a", cudaGraphAddEmptyNode(&b, g, &a, 1));
    cudaGraphNode_t twice[] = {a, a}, null_node[] = {nullptr};
    fact("empty node after a and a", cudaGraphAddEmptyNode(&n, g, twice, 2));
    fact("empty node after NULL", cudaGraphAddEmptyNode(&n, g, null_node, 1));
    fact("one dependency without a list", cudaGraphAddEmptyNode(&n, g, nullptr, 1));
    cudaGraphNode_t foreign;
    cudaGraph_t h;
    cudaGraphCreate(&h, 0);
    cudaGraphAddEmptyNode(&foreign, h, nullptr, 0);
    fact("empty node after another graph's", cudaGraphAddEmptyNode(&n, g, &foreign, 1));
    fact("edge from another graph's", cudaGraphAddDependencies(g, &foreign, &b, nullptr, 1));
    fact("copy node", cudaGraphAddMemcpyNode1D(&c, g, &b, 1, device, pinned, 64, cudaMemcpyDefault));
    fact("copy node of nothing", cudaGraphAddMemcpyNode1D(&n, g, &b, 1, device, pinned, 0, cudaMemcpyDefault));
    fact("copy node from NULL", cudaGraphAddMemcpyNode1D(&n, g, &b, 1, device, nullptr, 64, cudaMemcpyDefault));
    fact("copy node past the end", cudaGraphAddMemcpyNode1D(&n, g, &b, 1, device, pinned, 1 << 30, cudaMemcpyDefault));
    fact("copy node of pageable memory", cudaGraphAddMemcpyNode1D(&n, g, &b, 1, device, pageable, 64, cudaMemcpyDefault));
    fact("copy node of the wrong kind", cudaGraphAddMemcpyNode1D(&n, g, &b, 1, pageable, pageable + 8, 16, cudaMemcpyHostToDevice));
    fact("copy node of kind 9", cudaGraphAddMemcpyNode1D(&n, g, &b, 1, device, pinned, 64, (cudaMemcpyKind)9));
    fact("copy node on the host", cudaGraphAddMemcpyNode1D(&n, g, &b, 1, pinned, pinned + 64, 64, cudaMemcpyDefault));
    cudaMemsetParams set = set_of(device, 4, 16, 1, 0), three = set_of(device, 3, 16, 1, 0);
    cudaMemsetParams plane = set_of(device, 1, 16, 4, 64), narrow = set_of(device, 1, 16, 4, 8);
    cudaMemsetParams empty = set_of(device, 1, 0, 1, 0), flat = set_of(device, 1, 16, 0, 0);
    cudaMemsetParams host = set_of(pageable, 1, 16, 1, 0), odd = set_of((char *)device + 1, 4, 4, 1, 0);
    fact("set node", cudaGraphAddMemsetNode(&n, g, &b, 1, &set));
    fact("set node of 3 bytes", cudaGraphAddMemsetNode(&n, g, &b, 1, &three));
    fact("set node of a plane", cudaGraphAddMemsetNode(&n, g, &b, 1, &plane));
    fact("set node with a narrow pitch", cudaGraphAddMemsetNode(&n, g, &b, 1, &narrow));
    fact("set node of nothing", cudaGraphAddMemsetNode(&n, g, &b, 1, &empty));
    fact("set node of no rows", cudaGraphAddMemsetNode(&n, g, &b, 1, &flat));
    fact("set node of pageable memory", cudaGraphAddMemsetNode(&n, g, &b, 1, &host));
    fact("set node misaligned", cudaGraphAddMemsetNode(&n, g, &b, 1, &odd));
    cudaHostNodeParams call = {[](void *) {}, nullptr}, no_call = {nullptr, nullptr};
    fact("host node", cudaGraphAddHostNode(&n, g, &b, 1, &call));
    fact("host node without a function", cudaGraphAddHostNode(&n, g, &b, 1, &no_call));
    fact("record node", cudaGraphAddEventRecordNode(&n, g, &b, 1, mark));
    fact("record node of NULL", cudaGraphAddEventRecordNode(&n, g, &b, 1, nullptr));
    fact("wait node", cudaGraphAddEventWaitNode(&n, g, &b, 1, mark));
    fact("child node", cudaGraphAddChildGraphNode(&n, g, &b, 1, h));
    cudaGraph_t inside = nullptr;
    cudaGraphNode_t in_child;
    cudaGraphAddChildGraphNode(&n, g, nullptr, 0, h);
    fact("child's graph", cudaGraphChildGraphNodeGetGraph(n, &inside));
    fact("child's graph is the one given", inside == h);
    fact("node added to a child's graph", cudaGraphAddEmptyNode(&in_child, inside, nullptr, 0));
    // edges
    size_t count;
    fact("edge a to c", cudaGraphAddDependencies(g, &a, &c, nullptr, 1));
    fact("edge a to c again", cudaGraphAddDependencies(g, &a, &c, nullptr, 1));
    fact("edge c to c", cudaGraphAddDependencies(g, &c, &c, nullptr, 1));
    fact("edge c to a", cudaGraphAddDependencies(g, &c, &a, nullptr, 1));
    cudaGraphExec_t exec = nullptr;
    fact("instantiate with a cycle", cudaGraphInstantiate(&exec, g, 0));
    fact("exec there", exec != nullptr);
    fact("edge c to a removed", cudaGraphRemoveDependencies(g, &c, &a, nullptr, 1));
    fact("edge c to a removed again", cudaGraphRemoveDependencies(g, &c, &a, nullptr, 1));
    fact("edges of none", cudaGraphAddDependencies(g, nullptr, nullptr, nullptr, 0));
    FACT(cudaGraphGetNodes(g, nullptr, &count));
    fact("nodes", count);
    FACT(cudaGraphGetRootNodes(g, nullptr, &count));
    fact("roots", count);
    FACT(cudaGraphGetEdges(g, nullptr, nullptr, nullptr, &count));
    fact("edges", count);
    cudaGraphNode_t list[64];
    count = 2;
    FACT(cudaGraphGetNodes(g, list, &count));
    fact("count of two asked for", count);
    fact("first is a", list[0] == a);
    fact("second is b", list[1] == b);
    count = 64;
    list[63] = a;
    FACT(cudaGraphGetNodes(g, list, &count));
    fact("count of 64 asked for", count);
    fact("the rest is NULL", list[63] == nullptr);
    count = 64;
    FACT(cudaGraphNodeGetDependencies(c, list, nullptr, &count));
    fact("c depends on", count);
    fact("first of them is b", list[0] == b);
    count = 64;
    FACT(cudaGraphNodeGetDependentNodes(a, list, nullptr, &count));
    fact("on a depend", count);
    cudaGraphNodeType type;
    fact("type of NULL", cudaGraphNodeGetType(nullptr, &type));
    // parameters
    cudaKernelNodeParams got = {};
    FACT(cudaGraphKernelNodeGetParams(a, &got));
    fact("kernel is the one given", got.func == (void *)touch);
    fact("argument", got.kernelParams && *(int **)got.kernelParams[0] == device);
    fact("block", got.blockDim.x);
    fact("kernel's parameters of a copy", cudaGraphKernelNodeGetParams(c, &got));
    fact("kernel's parameters to NULL", cudaGraphKernelNodeGetParams(a, nullptr));
    void *store_args[] = {&device, &pageable};
    cudaKernelNodeParams s = kernel_of((void *)store, 1, store_args);
    fact("another kernel set", cudaGraphKernelNodeSetParams(a, &s));
    fact("the first kernel set", cudaGraphKernelNodeSetParams(a, &k));
    cudaMemcpy3DParms copy = {};
    FACT(cudaGraphMemcpyNodeGetParams(c, &copy));
    fact("destination is the one given", copy.dstPtr.ptr == device);
    fact("width", copy.extent.width);
    fact("height", copy.extent.height);
    fact("depth", copy.extent.depth);
    fact("kind", copy.kind);
    fact("pitch", copy.srcPtr.pitch);
    fact("xsize", copy.srcPtr.xsize);
    fact("ysize", copy.srcPtr.ysize);
    cudaMemsetParams got_set = {};
    cudaGraphAddMemsetNode(&n, g, nullptr, 0, &set);
    FACT(cudaGraphMemsetNodeGetParams(n, &got_set));
    fact("set's width", got_set.width);
    fact("set's element", got_set.elementSize);
    fact("set's pitch", got_set.pitch);
    fact("set's parameters of a kernel", cudaGraphMemsetNodeGetParams(a, &got_set));
    cudaEvent_t event;
    fact("event of a kernel node", cudaGraphEventRecordNodeGetEvent(a, &event));
    fact("node destroyed", cudaGraphDestroyNode(b));
    FACT(cudaGraphGetEdges(g, nullptr, nullptr, nullptr, &count));
    fact("edges then", count);
    fact("node NULL destroyed", cudaGraphDestroyNode(nullptr));
    FACT(cudaGraphDestroy(g));
    FACT(cudaGraphDestroy(h));
    fact("graph NULL destroyed", cudaGraphDestroy(nullptr));
    fact("exec NULL destroyed", cudaGraphExecDestroy(nullptr));
    fact("NULL instantiated", cudaGraphInstantiate(&exec, nullptr, 0));
}

// ---- copies of graphs, and changes to what has been instantiated ----

static void changes()
{
    cudaGraph_t g, copy, wider;
    cudaGraphNode_t a, b, in_copy, n;
    void *args[] = {&device};
    int value = 1;
    void *store_args[] = {&device, &value};
    cudaKernelNodeParams k = kernel_of((void *)touch, 32, args), s = kernel_of((void *)store, 1, store_args);
    cudaKernelNodeParams wide = kernel_of((void *)touch, 64, args), huge = kernel_of((void *)touch, 2048, args);
    cudaGraphCreate(&g, 0);
    cudaGraphAddKernelNode(&a, g, nullptr, 0, &k);
    cudaGraphAddMemcpyNode1D(&b, g, &a, 1, device, pinned, 64, cudaMemcpyHostToDevice);
    cudaGraphExec_t exec, empty_exec;
    FACT(cudaGraphInstantiate(&exec, g, 0));
    unsigned long long flags = 77;
    FACT(cudaGraphExecGetFlags(exec, &flags));
    fact("flags", flags);
    fact("instantiate with flags 64", cudaGraphInstantiate(&empty_exec, g, 64));
    FACT(cudaGraphClone(&copy, g));
    fact("found in its clone", cudaGraphNodeFindInClone(&in_copy, a, copy));
    fact("it is another one", in_copy != a);
    fact("found in what is no clone", cudaGraphNodeFindInClone(&n, a, g));
    fact("exec: block of 64", cudaGraphExecKernelNodeSetParams(exec, a, &wide));
    fact("exec: block of 2048", cudaGraphExecKernelNodeSetParams(exec, a, &huge));
    fact("exec: another kernel", cudaGraphExecKernelNodeSetParams(exec, a, &s));
    fact("exec: the clone's node", cudaGraphExecKernelNodeSetParams(exec, in_copy, &k));
    fact("exec: kernel's parameters for a copy", cudaGraphExecKernelNodeSetParams(exec, b, &k));
    fact("exec: copy elsewhere", cudaGraphExecMemcpyNodeSetParams1D(exec, b, device + 16, pinned, 64, cudaMemcpyHostToDevice));
    fact("exec: copy the other way", cudaGraphExecMemcpyNodeSetParams1D(exec, b, pinned, device, 64, cudaMemcpyDeviceToHost));
    fact("exec: copy of nothing", cudaGraphExecMemcpyNodeSetParams1D(exec, b, device, pinned, 0, cudaMemcpyHostToDevice));
    fact("exec: copy of pageable memory", cudaGraphExecMemcpyNodeSetParams1D(exec, b, device, pageable, 64, cudaMemcpyHostToDevice));
    unsigned enabled = 7;
    FACT(cudaGraphNodeGetEnabled(exec, a, &enabled));
    fact("enabled", enabled);
    FACT(cudaGraphNodeSetEnabled(exec, a, 0));
    fact("copy node disabled", cudaGraphNodeSetEnabled(exec, b, 0));
    FACT(cudaGraphLaunch(exec, other));
    FACT(cudaStreamSynchronize(other));
    // updates
    cudaGraphExecUpdateResultInfo info = {};
    fact("update by the same", cudaGraphExecUpdate(exec, g, &info));
    fact("its result", info.result);
    fact("update by the clone", cudaGraphExecUpdate(exec, copy, &info));
    fact("its result", info.result);
    cudaGraphKernelNodeSetParams(in_copy, &wide);
    fact("update by another block size", cudaGraphExecUpdate(exec, copy, &info));
    fact("its result", info.result);
    cudaGraphKernelNodeSetParams(in_copy, &s);
    fact("update by another kernel", cudaGraphExecUpdate(exec, copy, &info));
    fact("its result", info.result);
    cudaGraphClone(&wider, g);
    cudaGraphAddEmptyNode(&n, wider, nullptr, 0);
    info = {};
    fact("update with one node more", cudaGraphExecUpdate(exec, wider, &info));
    fact("its result", info.result);
    fact("its node is there", info.errorNode != nullptr);
    cudaGraph_t fewer, other_kind, no_edge;
    cudaGraphCreate(&fewer, 0);
    cudaGraphAddKernelNode(&n, fewer, nullptr, 0, &k);
    fact("update with one node less", cudaGraphExecUpdate(exec, fewer, &info));
    fact("its result", info.result);
    cudaGraphCreate(&other_kind, 0);
    cudaGraphAddKernelNode(&n, other_kind, nullptr, 0, &k);
    cudaGraphAddEmptyNode(&n, other_kind, &n, 1);
    fact("update with a node of another kind", cudaGraphExecUpdate(exec, other_kind, &info));
    fact("its result", info.result);
    fact("its node is that one", info.errorNode == n);
    cudaGraphCreate(&no_edge, 0);
    cudaGraphAddKernelNode(&n, no_edge, nullptr, 0, &k);
    cudaGraphAddMemcpyNode1D(&n, no_edge, nullptr, 0, device, pinned, 64, cudaMemcpyHostToDevice);
    fact("update without the edge", cudaGraphExecUpdate(exec, no_edge, &info));
    fact("its result", info.result);
    fact("its node is the copy", info.errorNode == n);
    fact("its from node is there", info.errorFromNode != nullptr);
    fact("exec after its graph", (cudaGraphDestroy(g), cudaGraphLaunch(exec, other)));
    FACT(cudaStreamSynchronize(other));
    cudaGraph_t empty;
    cudaGraphCreate(&empty, 0);
    fact("instantiate an empty graph", cudaGraphInstantiate(&empty_exec, empty, 0));
    fact("launch of it", cudaGraphLaunch(empty_exec, other));
    fact("launch in the default stream", cudaGraphLaunch(exec, 0));
    fact("upload", cudaGraphUpload(exec, other));
    cudaGraphInstantiateParams params = {};
    FACT(cudaGraphInstantiateWithParams(&empty_exec, fewer, &params));
    fact("result", params.result_out);
    fact("exec destroyed at work", (cudaGraphLaunch(exec, other), cudaGraphExecDestroy(exec)));
    FACT(cudaDeviceSynchronize());
}

// ---- what a capture makes ----

static void captured()
{
    cudaGraph_t g;
    cudaGraphNode_t n[8];
    size_t count = 8;
    int *src = pinned;
    cudaStreamBeginCapture(free_stream, cudaStreamCaptureModeGlobal);
    touch<<<1, 32, 0, free_stream>>>(device);
    cudaMemcpyAsync(pinned, device, 128, cudaMemcpyDeviceToHost, free_stream);
    cudaMemsetAsync(device, 5, 64, free_stream);
    cudaMemsetAsync(device, 5, 63, free_stream);
    cudaMemset2DAsync(device, 64, 5, 16, 4, free_stream);
    cudaStreamCaptureStatus status;
    unsigned long long id = 0;
    cudaGraph_t seen = nullptr;
    const cudaGraphNode_t *deps;
    size_t dep_count = 0;
    FACT(cudaStreamGetCaptureInfo(free_stream, &status, &id, &seen, &deps, nullptr, &dep_count));
    fact("status", status);
    fact("has an id", id != 0);
    fact("next one depends on", dep_count);
    fact("end", cudaStreamEndCapture(free_stream, &g));
    fact("graph seen during capture is the one got", seen == g);
    cudaGraphGetNodes(g, n, &count);
    fact("nodes", count);
    cudaKernelNodeParams k = {};
    FACT(cudaGraphKernelNodeGetParams(n[0], &k));
    fact("kernel is the one launched", k.func == (void *)touch);
    fact("argument", k.kernelParams && *(int **)k.kernelParams[0] == device);
    cudaMemcpy3DParms c = {};
    FACT(cudaGraphMemcpyNodeGetParams(n[1], &c));
    fact("source", c.srcPtr.ptr == device);
    fact("destination", c.dstPtr.ptr == src);
    fact("kind", c.kind);
    fact("width", c.extent.width);
    for (int i = 2; i < 5; i++) {
        cudaMemsetParams m = {};
        FACT(cudaGraphMemsetNodeGetParams(n[i], &m));
        printf("set %d: value %u, element %u, width %zu, height %zu, pitch %zu\n", i, m.value, m.elementSize, m.width,
               m.height, m.pitch);
    }
    cudaGraphDestroy(g);
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    FACT(cudaThreadExchangeStreamCaptureMode(&mode));
    fact("mode before", mode);
    FACT(cudaThreadExchangeStreamCaptureMode(&mode));
    fact("mode between", mode);
    mode = (cudaStreamCaptureMode)9;
    fact("mode 9", cudaThreadExchangeStreamCaptureMode(&mode));
    fact("begin on no stream", cudaStreamBeginCapture((cudaStream_t)cudaStreamLegacy, cudaStreamCaptureModeGlobal));
    fact("begin on the thread's own stream", cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal));
    fact("end there", cudaStreamEndCapture(cudaStreamPerThread, &g));
    fact("empty capture has a graph", g != nullptr);
    cudaStreamBeginCapture(free_stream, cudaStreamCaptureModeGlobal);
    cudaStreamSynchronize(free_stream);
    touch<<<1, 32, 0, free_stream>>>(device);
    fact("launch in an invalidated capture", launched());
    fact("record in an invalidated capture", cudaEventRecord(mark, free_stream));
    fact("host function in an invalidated capture", cudaLaunchHostFunc(free_stream, [](void *) {}, nullptr));
    fact("synchronise in an invalidated capture", cudaStreamSynchronize(free_stream));
    fact("end of it", cudaStreamEndCapture(free_stream, &g));
    fact("end again", cudaStreamEndCapture(free_stream, &g));
    // an event that was captured, after the end
    cudaStreamBeginCapture(free_stream, cudaStreamCaptureModeGlobal);
    cudaEventRecord(mark, free_stream);
    cudaStreamEndCapture(free_stream, &g);
    fact("query of an event recorded in a capture that has ended", cudaEventQuery(mark));
    fact("wait for it", cudaStreamWaitEvent(other, mark, 0));
    fact("synchronise with it", cudaEventSynchronize(mark));
    cudaStream_t dying;
    cudaStreamCreateWithFlags(&dying, cudaStreamNonBlocking);
    cudaStreamBeginCapture(dying, cudaStreamCaptureModeGlobal);
    fact("capturing stream destroyed", cudaStreamDestroy(dying));
    fact("cudaMalloc then", cudaMalloc(&fresh, 64));
    fact("device then", cudaDeviceSynchronize());
}

static void captures()
{
    each_attempt("non-blocking, global", free_stream, cudaStreamCaptureModeGlobal, false);
    each_attempt("non-blocking, relaxed", free_stream, cudaStreamCaptureModeRelaxed, false);
    each_attempt("blocking, global", blocking, cudaStreamCaptureModeGlobal, false);
    each_attempt("blocking, relaxed", blocking, cudaStreamCaptureModeRelaxed, false);
}

static void other_threads()
{
    each_attempt("another thread, global", free_stream, cudaStreamCaptureModeGlobal, true);
    each_attempt("another thread, thread-local", free_stream, cudaStreamCaptureModeThreadLocal, true);
}

int main(int argc, char **argv)
{
    int only = argc > 1 ? atoi(argv[1]) : -1, number = 0;
    for (auto part : {nodes, changes, captured, captures, other_threads}) {
        if (only == number++) {
            set_up();
            part();
        }
        if (only >= 0)
            continue;
        fflush(stdout);
        pid_t child = fork(); // a part that a driver does not survive ends alone
        if (child == 0) {
            setvbuf(stdout, nullptr, _IOLBF, 0);
            set_up();
            part();
            exit(0);
        }
        int status;
        waitpid(child, &status, 0);
        if (status)
            printf("a part ended with status %d\n", status);
    }
    return 0;
}
