// nvcc: -arch=compute_75 -w
// Facts about graph nodes whose parameters are read and set, in the graph and in what was instantiated from it; one a
// line: the same program runs on a real GPU and on softgpu, and the two outputs are compared (graph_set_facts.gpu.txt).
// Each section is a process of its own.
//
//   nvcc -arch=sm_90 -cudart shared -w -o graph_set_facts graph_set_facts.cu && ./graph_set_facts
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#include "apart.cuh"
#include "named.cuh"

__device__ int symbol[64];
__constant__ int steady[16];
__global__ void store(int *p, int v) { *p = v; }
__global__ void add(int *p, int v) { *p += v; }
__global__ void three(int *p, int v, int w) { *p = v + w; }
__global__ void gather(int *to) { for (int i = 0; i < 8; i++) to[i] = symbol[i] + 100 * steady[i]; }

static cudaStream_t s;
static int *a, *b, *managed;   // 4096 bytes each
static int host[1024], other_host[1024];
static cudaGraph_t g;
static cudaGraphNode_t n;
static cudaGraphExec_t e;

static void begin()
{
    cudaStreamCreate(&s);
    cudaMalloc(&a, 4096), cudaMalloc(&b, 4096), cudaMallocManaged(&managed, 4096);
    cudaMemset(a, 0, 4096), cudaMemset(b, 0, 4096), memset(managed, 0, 4096);
    for (int i = 0; i < 1024; i++) host[i] = i, other_host[i] = 5000 + i;
    cudaGraphCreate(&g, 0);
}

static void instantiate() { TELL(cudaGraphInstantiate(&e, g, 0)); }

static void go(const char *what, const int *from, int count)
{
    int back[16] = {};
    cudaError_t first = cudaGraphLaunch(e, s), second = cudaStreamSynchronize(s);
    cudaError_t third = cudaMemcpy(back, from, 4 * count, cudaMemcpyDefault);
    printf("%s: %s %s %s:", what, cudaGetErrorName(first), cudaGetErrorName(second), cudaGetErrorName(third));
    for (int i = 0; i < count; i++) printf(" %d", back[i]);
    printf("\n");
}

static cudaMemcpy3DParms boxes(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind)
{
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr((void *)from, from_pitch, width, height);
    p.dstPtr = make_cudaPitchedPtr(to, to_pitch, width, height);
    p.extent = make_cudaExtent(width, height, 1);
    p.kind = kind;
    return p;
}

static void show(const char *what, const cudaMemcpy3DParms &p)
{
    printf("%s: extent %zu %zu %zu, kind %d, pitches %zu %zu, xsize %zu %zu, from a %d host %d, to a %d b %d\n", what, p.extent.width, p.extent.height,
           p.extent.depth, (int)p.kind, p.srcPtr.pitch, p.dstPtr.pitch, p.srcPtr.xsize, p.dstPtr.xsize, p.srcPtr.ptr == a, p.srcPtr.ptr == host, p.dstPtr.ptr == a,
           p.dstPtr.ptr == b);
}

static void copies()
{
    puts("-- memcpy nodes");
    begin();
    cudaMemcpy3DParms p = boxes(a, 64, host, 128, 16, 4, cudaMemcpyHostToDevice), got;
    TELL(cudaGraphAddMemcpyNode(&n, g, nullptr, 0, &p));
    TELL(cudaGraphMemcpyNodeGetParams(n, &got));
    show("first", got);
    instantiate();
    go("boxes", a, 8);
    go("second row", a + 16, 4);
    TELL(cudaGraphMemcpyNodeSetParams1D(n, b, host, 32, cudaMemcpyHostToDevice));
    TELL(cudaGraphMemcpyNodeGetParams(n, &got));
    show("1D", got);
    TELL(cudaGraphMemcpyNodeSetParams1D(n, b, a, 32, cudaMemcpyDeviceToDevice));
    TELL(cudaGraphMemcpyNodeSetParams1D(n, b, a, 0, cudaMemcpyDeviceToDevice));
    TELL(cudaGraphMemcpyNodeSetParams1D(n, b, nullptr, 32, cudaMemcpyDeviceToDevice));
    TELL(cudaGraphMemcpyNodeSetParams1D(n, b, a, 8192, cudaMemcpyDeviceToDevice));
    TELL(cudaGraphMemcpyNodeSetParams1D(n, b, a, 32, (cudaMemcpyKind)9));
    TELL(cudaGraphMemcpyNodeSetParams1D(n, host, a, 32, cudaMemcpyHostToDevice));
    TELL(cudaGraphMemcpyNodeGetParams(n, &got));
    show("still", got);
    TELL(cudaGraphMemcpyNodeSetParams(n, nullptr));
    p = boxes(a, 8, host, 128, 16, 4, cudaMemcpyHostToDevice); // pitch less than the width
    TELL(cudaGraphMemcpyNodeSetParams(n, &p));
    p = boxes(a, 64, host, 128, 16, 4, cudaMemcpyHostToDevice);
    p.extent.depth = 0;
    TELL(cudaGraphMemcpyNodeSetParams(n, &p));
    TELL(cudaGraphMemcpyNodeSetParams(nullptr, &p));
    // What was instantiated: boxes, from the host to the device.
    p = boxes(a, 64, other_host, 128, 16, 4, cudaMemcpyHostToDevice);
    TELL(cudaGraphExecMemcpyNodeSetParams(e, n, &p));
    go("other host", a, 4);
    p = boxes(b, 64, a, 128, 16, 4, cudaMemcpyDeviceToDevice);
    TELL(cudaGraphExecMemcpyNodeSetParams(e, n, &p));
    p = boxes(managed, 64, other_host, 128, 16, 4, cudaMemcpyDefault);
    TELL(cudaGraphExecMemcpyNodeSetParams(e, n, &p));
    go("managed", managed, 4);
    p = boxes(a, 64, other_host + 64, 128, 16, 2, cudaMemcpyHostToDevice);
    TELL(cudaGraphExecMemcpyNodeSetParams(e, n, &p));
    go("two rows", a, 4);
    TELL(cudaGraphExecMemcpyNodeSetParams1D(e, n, b, host + 3, 16, cudaMemcpyHostToDevice));
    go("1D in place of boxes", b, 4);
    TELL(cudaGraphExecMemcpyNodeSetParams1D(e, n, b, host + 3, 0, cudaMemcpyHostToDevice));
    TELL(cudaGraphExecMemcpyNodeSetParamsToSymbol(e, n, symbol, host + 7, 16, 8, cudaMemcpyHostToDevice));
    cudaGetSymbolAddress((void **)&b, symbol);
    go("symbol", b, 6);
}

static void lines()
{
    puts("-- 1D and symbols");
    begin();
    cudaGraphNode_t to, from, kernel;
    TELL(cudaGraphAddMemcpyNodeToSymbol(&to, g, nullptr, 0, symbol, host, 32, 0, cudaMemcpyHostToDevice));
    TELL(cudaGraphAddMemcpyNodeToSymbol(&n, g, nullptr, 0, steady, host + 2, 32, 0, cudaMemcpyHostToDevice));
    cudaGraphNode_t both[2] = {to, n};
    void *args[] = {&a};
    cudaKernelNodeParams k = {};
    k.func = (void *)gather, k.gridDim = k.blockDim = dim3(1), k.kernelParams = args;
    TELL(cudaGraphAddKernelNode(&kernel, g, both, 2, &k));
    TELL(cudaGraphAddMemcpyNodeFromSymbol(&from, g, &kernel, 1, b, symbol, 16, 16, cudaMemcpyDeviceToDevice));
    instantiate();
    go("gathered", a, 8);
    go("fetched", b, 4);
    TELL(cudaGraphMemcpyNodeSetParamsToSymbol(to, symbol, host + 9, 32, 0, cudaMemcpyHostToDevice));
    TELL(cudaGraphMemcpyNodeSetParamsToSymbol(to, symbol, host + 9, 32, 240, cudaMemcpyHostToDevice));
    TELL(cudaGraphMemcpyNodeSetParamsToSymbol(to, (const void *)host, host + 9, 32, 0, cudaMemcpyHostToDevice));
    TELL(cudaGraphMemcpyNodeSetParamsFromSymbol(from, b, symbol, 16, 0, cudaMemcpyDeviceToDevice));
    TELL(cudaGraphMemcpyNodeSetParamsFromSymbol(from, b, symbol, 16, 250, cudaMemcpyDeviceToDevice));
    TELL(cudaGraphMemcpyNodeSetParamsFromSymbol(from, host, symbol, 16, 0, cudaMemcpyDeviceToDevice));
    go("as before", a, 4);
    TELL(cudaGraphExecMemcpyNodeSetParamsToSymbol(e, to, symbol, host + 9, 32, 0, cudaMemcpyHostToDevice));
    go("from 9", a, 4);
    TELL(cudaGraphExecMemcpyNodeSetParamsToSymbol(e, to, symbol, host + 9, 32, 240, cudaMemcpyHostToDevice));
    TELL(cudaGraphExecMemcpyNodeSetParamsToSymbol(e, to, symbol, a, 32, 0, cudaMemcpyDeviceToDevice));
    TELL(cudaGraphExecMemcpyNodeSetParamsFromSymbol(e, from, b, symbol, 16, 0, cudaMemcpyDeviceToDevice));
    go("fetched from 0", b, 4);
    TELL(cudaGraphExecMemcpyNodeSetParamsFromSymbol(e, from, host + 64, symbol, 16, 0, cudaMemcpyDeviceToHost));
    TELL(cudaGraphExecMemcpyNodeSetParams1D(e, from, b, a, 16, cudaMemcpyDeviceToDevice));
    go("fetched from a", b, 4);
    TELL(cudaGraphExecMemcpyNodeSetParams1D(e, kernel, b, a, 16, cudaMemcpyDeviceToDevice));
    TELL(cudaGraphExecMemcpyNodeSetParams1D(nullptr, from, b, a, 16, cudaMemcpyDeviceToDevice));
}

static void show(const char *what, const cudaMemsetParams &m)
{
    printf("%s: value %u, element %u, width %zu, height %zu, pitch %zu, at a %d b %d\n", what, m.value, m.elementSize, m.width, m.height, m.pitch, m.dst == a, m.dst == b);
}

static void fills()
{
    puts("-- memset nodes");
    begin();
    cudaMemsetParams m = {}, got;
    m.dst = a, m.elementSize = 4, m.value = 0x01020304, m.width = 8, m.height = 1;
    TELL(cudaGraphAddMemsetNode(&n, g, nullptr, 0, &m));
    TELL(cudaGraphMemsetNodeGetParams(n, &got));
    show("first", got);
    instantiate();
    go("words", a, 2);
    m.elementSize = 2, m.value = 0x12345;
    TELL(cudaGraphMemsetNodeSetParams(n, &m));
    m.value = 0x1234;
    TELL(cudaGraphMemsetNodeSetParams(n, &m));
    TELL(cudaGraphMemsetNodeGetParams(n, &got));
    show("halves", got);
    m.elementSize = 3;
    TELL(cudaGraphMemsetNodeSetParams(n, &m));
    m.elementSize = 8;
    TELL(cudaGraphMemsetNodeSetParams(n, &m));
    m.elementSize = 1, m.value = 0x101;
    TELL(cudaGraphMemsetNodeSetParams(n, &m));
    m.value = 7, m.width = 0;
    TELL(cudaGraphMemsetNodeSetParams(n, &m));
    m.width = 5, m.height = 0;
    TELL(cudaGraphMemsetNodeSetParams(n, &m));
    m.height = 3, m.pitch = 4;
    TELL(cudaGraphMemsetNodeSetParams(n, &m));
    m.pitch = 16;
    TELL(cudaGraphMemsetNodeSetParams(n, &m));
    m.dst = nullptr;
    TELL(cudaGraphMemsetNodeSetParams(n, &m));
    m.dst = host;
    TELL(cudaGraphMemsetNodeSetParams(n, &m));
    m.dst = (char *)a + 1, m.elementSize = 4, m.pitch = 64;
    TELL(cudaGraphMemsetNodeSetParams(n, &m));
    m.dst = a, m.width = 2000, m.height = 1;
    TELL(cudaGraphMemsetNodeSetParams(n, &m));
    m = {}, m.dst = a, m.elementSize = 4, m.value = 9, m.width = 4, m.height = 1;
    TELL(cudaGraphExecMemsetNodeSetParams(e, n, &m));
    go("nines", a, 5);
    m.width = 2, m.height = 2, m.pitch = 32;
    TELL(cudaGraphExecMemsetNodeSetParams(e, n, &m));
    m.width = 16, m.height = 1;
    TELL(cudaGraphExecMemsetNodeSetParams(e, n, &m));
    go("sixteen", a, 12);
    m.dst = b, m.width = 8;
    TELL(cudaGraphExecMemsetNodeSetParams(e, n, &m));
    m.dst = managed;
    TELL(cudaGraphExecMemsetNodeSetParams(e, n, &m));
    m.dst = a, m.elementSize = 1, m.value = 3;
    TELL(cudaGraphExecMemsetNodeSetParams(e, n, &m));
    go("bytes", a, 3);
    TELL(cudaGraphExecMemsetNodeSetParams(e, n, nullptr));
}

static int called;
static void call_one(void *p) { called += *(int *)p; }
static void call_ten(void *p) { called += 10 * *(int *)p; }

static void hosts()
{
    puts("-- host nodes");
    begin();
    static int one = 1, two = 2;
    cudaHostNodeParams h = {call_one, &one}, got;
    TELL(cudaGraphAddHostNode(&n, g, nullptr, 0, &h));
    TELL(cudaGraphHostNodeGetParams(n, &got));
    VALUE("the function", got.fn == call_one && got.userData == &one);
    instantiate();
    go("called", a, 1);
    VALUE("called", called);
    h = {call_ten, &two};
    TELL(cudaGraphHostNodeSetParams(n, &h));
    go("called", a, 1);
    VALUE("called", called);
    TELL(cudaGraphExecHostNodeSetParams(e, n, &h));
    go("called", a, 1);
    VALUE("called", called);
    h.fn = nullptr;
    TELL(cudaGraphHostNodeSetParams(n, &h));
    TELL(cudaGraphExecHostNodeSetParams(e, n, &h));
    TELL(cudaGraphHostNodeSetParams(n, nullptr));
    TELL(cudaGraphHostNodeGetParams(n, nullptr));
    TELL(cudaGraphKernelNodeGetParams(n, nullptr));
    cudaKernelNodeParams k;
    TELL(cudaGraphKernelNodeGetParams(n, &k));
    cudaMemsetParams m;
    TELL(cudaGraphMemsetNodeGetParams(n, &m));
    cudaEvent_t event;
    TELL(cudaGraphEventRecordNodeGetEvent(n, &event));
    TELL(cudaGraphEventWaitNodeGetEvent(n, &event));
    cudaGraph_t child;
    TELL(cudaGraphChildGraphNodeGetGraph(n, &child));
}

static void events()
{
    puts("-- event nodes");
    begin();
    cudaEvent_t first, second, gone;
    cudaEventCreate(&first), cudaEventCreate(&second), cudaEventCreateWithFlags(&gone, cudaEventDisableTiming);
    cudaGraphNode_t record, wait;
    TELL(cudaGraphAddEventRecordNode(&record, g, nullptr, 0, first));
    TELL(cudaGraphAddEventWaitNode(&wait, g, nullptr, 0, second));
    TELL(cudaGraphAddEventRecordNode(&n, g, nullptr, 0, nullptr));
    TELL(cudaGraphAddEventWaitNode(&n, g, nullptr, 0, nullptr));
    cudaEvent_t got = nullptr;
    TELL(cudaGraphEventRecordNodeGetEvent(record, &got));
    VALUE("first", got == first);
    TELL(cudaGraphEventWaitNodeGetEvent(wait, &got));
    VALUE("second", got == second);
    instantiate();
    go("events", a, 1);
    TELL(cudaEventQuery(first));
    TELL(cudaEventQuery(gone));
    float ms = -1;
    TELL(cudaEventElapsedTime(&ms, first, second));
    TELL(cudaGraphExecEventRecordNodeSetEvent(e, record, second));
    TELL(cudaGraphExecEventWaitNodeSetEvent(e, wait, first));
    TELL(cudaGraphExecEventRecordNodeSetEvent(e, wait, second));
    TELL(cudaGraphExecEventWaitNodeSetEvent(e, record, second));
    TELL(cudaGraphExecEventRecordNodeSetEvent(e, record, nullptr));
    TELL(cudaGraphExecEventWaitNodeSetEvent(e, wait, nullptr));
    go("events", a, 1);
    TELL(cudaEventElapsedTime(&ms, first, second));
    TELL(cudaGraphEventRecordNodeSetEvent(record, gone));
    TELL(cudaGraphEventRecordNodeGetEvent(record, &got));
    VALUE("the third", got == gone);
    TELL(cudaGraphEventWaitNodeSetEvent(wait, gone));
    TELL(cudaGraphEventRecordNodeSetEvent(record, nullptr));
    TELL(cudaGraphEventWaitNodeSetEvent(wait, nullptr));
    TELL(cudaGraphEventRecordNodeSetEvent(wait, gone));
    cudaEvent_t shared;
    TELL(cudaEventCreateWithFlags(&shared, cudaEventInterprocess | cudaEventDisableTiming));
    TELL(cudaGraphEventRecordNodeSetEvent(record, shared));
}

static void children()
{
    puts("-- child graphs");
    begin();
    cudaGraph_t inner, same, wider, got;
    cudaGraphCreate(&inner, 0), cudaGraphCreate(&same, 0), cudaGraphCreate(&wider, 0);
    int v = 5, w = 6;
    void *args[] = {&a, &v}, *more[] = {&b, &w};
    cudaKernelNodeParams k = {};
    k.func = (void *)store, k.gridDim = k.blockDim = dim3(1), k.kernelParams = args;
    cudaGraphNode_t i, j;
    cudaGraphAddKernelNode(&i, inner, nullptr, 0, &k);
    k.kernelParams = more;
    cudaGraphAddKernelNode(&j, same, nullptr, 0, &k);
    cudaGraphAddKernelNode(&j, wider, nullptr, 0, &k);
    cudaGraphAddKernelNode(&j, wider, nullptr, 0, &k);
    TELL(cudaGraphAddChildGraphNode(&n, g, nullptr, 0, inner));
    TELL(cudaGraphAddChildGraphNode(&j, g, nullptr, 0, nullptr));
    TELL(cudaGraphChildGraphNodeGetGraph(n, &got));
    VALUE("the same graph", got == inner);
    instantiate();
    go("five", a, 1);
    TELL(cudaGraphExecChildGraphNodeSetParams(e, n, same));
    go("six", b, 1);
    TELL(cudaGraphExecChildGraphNodeSetParams(e, n, wider));
    TELL(cudaGraphExecChildGraphNodeSetParams(e, n, nullptr));
    TELL(cudaGraphExecKernelNodeSetParams(e, i, &k));
    size_t count = 0;
    TELL(cudaGraphGetNodes(got, nullptr, &count));
    VALUE("nodes", count);
    cudaGraphNode_t inside;
    TELL(cudaGraphGetNodes(got, &inside, &count));
    int x = 77;
    void *last[] = {&a, &x};
    k.kernelParams = last;
    TELL(cudaGraphKernelNodeSetParams(inside, &k));
    TELL(cudaGraphExecKernelNodeSetParams(e, inside, &k));
    go("the child's node", a, 1);
    TELL(cudaGraphAddEmptyNode(&j, got, nullptr, 0));
    TELL(cudaGraphDestroyNode(inside));
    TELL(cudaGraphDestroy(got));
}

static void kernels()
{
    puts("-- kernel nodes");
    begin();
    int v = 1, w = 2;
    void *args[] = {&a, &v, &w};
    cudaKernelNodeParams k = {}, got;
    k.func = (void *)store, k.gridDim = k.blockDim = dim3(1), k.kernelParams = args;
    TELL(cudaGraphAddKernelNode(&n, g, nullptr, 0, &k));
    TELL(cudaGraphKernelNodeGetParams(n, &got));
    VALUE("the function", got.func == (void *)store);
    VALUE("its value", *(int *)got.kernelParams[1]);
    v = 3;
    VALUE("kept", *(int *)got.kernelParams[1]);
    instantiate();
    k.func = (void *)add;
    TELL(cudaGraphExecKernelNodeSetParams(e, n, &k));
    go("added", a, 1);
    go("added", a, 1);
    k.func = (void *)three;
    TELL(cudaGraphExecKernelNodeSetParams(e, n, &k));
    go("three", a, 1);
    k.gridDim = dim3(0);
    TELL(cudaGraphExecKernelNodeSetParams(e, n, &k));
    TELL(cudaGraphKernelNodeSetParams(n, &k));
    k.gridDim = dim3(1), k.blockDim = dim3(2048);
    TELL(cudaGraphExecKernelNodeSetParams(e, n, &k));
    TELL(cudaGraphKernelNodeSetParams(n, &k));
    k.blockDim = dim3(1), k.sharedMemBytes = 1 << 20;
    TELL(cudaGraphExecKernelNodeSetParams(e, n, &k));
    TELL(cudaGraphKernelNodeSetParams(n, &k));
    k.sharedMemBytes = 0, k.func = nullptr;
    TELL(cudaGraphExecKernelNodeSetParams(e, n, &k));
    k.func = (void *)host;
    TELL(cudaGraphExecKernelNodeSetParams(e, n, &k));
    TELL(cudaGraphKernelNodeSetParams(n, &k));
    k.func = (void *)store, k.kernelParams = nullptr;
    TELL(cudaGraphKernelNodeSetParams(n, &k));
    struct { int *p; int v; } raw = {b, 44};
    size_t size = 12;
    void *extra[] = {(void *)1 /* pointer */, &raw, (void *)2 /* size */, &size, nullptr};
    k.extra = extra;
    TELL(cudaGraphKernelNodeSetParams(n, &k));
    TELL(cudaGraphKernelNodeGetParams(n, &got));
    VALUE("parameters", got.kernelParams != nullptr);
    VALUE("extra", got.extra != nullptr);
    TELL(cudaGraphExecDestroy(e));
    instantiate();
    go("extra", b, 1);
}

static void general()
{
    puts("-- any node's parameters");
    begin();
    int v = 1, w = 2;
    void *args[] = {&a, &v, &w};
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeKernel;
    p.kernel.func = (void *)add, p.kernel.gridDim = p.kernel.blockDim = dim3(1), p.kernel.kernelParams = args;
    TELL(cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
    TELL(cudaGraphNodeSetParams(n, &p));
    instantiate();
    v = 5;
    TELL(cudaGraphExecNodeSetParams(e, n, &p));
    go("by the general call", a, 1);
    p.kernel.gridDim = dim3(0);
    TELL(cudaGraphNodeSetParams(n, &p));
    TELL(cudaGraphExecNodeSetParams(e, n, &p));
    p.kernel.gridDim = dim3(1);
    p.type = cudaGraphNodeTypeMemset;
    TELL(cudaGraphNodeSetParams(n, &p));
    TELL(cudaGraphExecNodeSetParams(e, n, &p));
    p.type = cudaGraphNodeTypeKernel, p.reserved0[0] = 1;
    TELL(cudaGraphNodeSetParams(n, &p));
    p.reserved0[0] = 0, p.reserved2 = 1;
    TELL(cudaGraphNodeSetParams(n, &p));
}

/** Of what was instantiated: which shapes of fills and copies may be put in place of which. */
static void shapes()
{
    puts("-- shapes that may change");
    begin();
    struct shape { const char *name; size_t width, height, pitch; } all[] = {
        {"8 words", 8, 1, 0}, {"16 words", 16, 1, 0}, {"4 x 2", 4, 2, 64}, {"4 x 2 at 128", 4, 2, 128}, {"8 x 2", 8, 2, 64}, {"4 x 3", 4, 3, 64}, {"8 words at 64", 8, 1, 64}, {"8 x 2, no gaps", 8, 2, 32}};
    for (const shape &from : all)
        for (const shape &to : all) {
            cudaGraph_t h;
            cudaGraphExec_t x;
            cudaGraphNode_t node;
            cudaMemsetParams m = {};
            cudaGraphCreate(&h, 0);
            m.dst = a, m.elementSize = 4, m.value = 1, m.width = from.width, m.height = from.height, m.pitch = from.pitch;
            cudaGraphAddMemsetNode(&node, h, nullptr, 0, &m);
            cudaGraphInstantiate(&x, h, 0);
            m.dst = b, m.value = 2, m.width = to.width, m.height = to.height, m.pitch = to.pitch;
            const char *fill = name_of(cudaGraphExecMemsetNodeSetParams(x, node, &m));
            cudaGraphMemsetNodeSetParams(node, &m);
            cudaGraphExecUpdateResultInfo info = {};
            const char *update = name_of(cudaGraphExecUpdate(x, h, &info));
            cudaGraphExecDestroy(x), cudaGraphDestroy(h), cudaGraphCreate(&h, 0);
            cudaMemcpy3DParms p = boxes(a, from.pitch ? from.pitch : from.width, host, from.pitch ? from.pitch : from.width, from.width, from.height, cudaMemcpyHostToDevice);
            cudaGraphAddMemcpyNode(&node, h, nullptr, 0, &p);
            cudaGraphInstantiate(&x, h, 0);
            p = boxes(b, to.pitch ? to.pitch : to.width, host, to.pitch ? to.pitch : to.width, to.width, to.height, cudaMemcpyHostToDevice);
            const char *copy = name_of(cudaGraphExecMemcpyNodeSetParams(x, node, &p));
            const char *line = name_of(cudaGraphExecMemcpyNodeSetParams1D(x, node, b, host, to.width, cudaMemcpyHostToDevice));
            cudaGraphMemcpyNodeSetParams(node, &p);
            const char *whole = name_of(cudaGraphExecUpdate(x, h, &info));
            cudaGraphExecDestroy(x), cudaGraphDestroy(h);
            printf("%s to %s: fill %s, by update %s; copy %s, as a line %s, by update %s\n", from.name, to.name, fill, update, copy, line, whole);
        }
}

/** Of what was instantiated: which places a copy may move to. */
static void places()
{
    puts("-- places that may change");
    begin();
    int *pinned, *mapped;
    cudaMallocHost(&pinned, 4096), cudaHostAlloc(&mapped, 4096, cudaHostAllocMapped);
    struct place { const char *name; void *at; } all[] = {{"device", a}, {"other device", b}, {"host", host}, {"pinned", pinned}, {"mapped", mapped}, {"managed", managed}};
    struct pair { const place *from, *to; } pairs[36];
    int count = 0;
    for (const place &from : all)
        for (const place &to : all)
            if (from.at != to.at)
                pairs[count++] = {&from, &to};
    /* A row for each copy: which others may take its place, in the rows' order, one by one and by a whole update. */
    for (int i = 0; i < count; i++) {
        char one[40] = {}, whole[40] = {};
        for (int k = 0; k < count; k++) {
            cudaGraph_t h;
            cudaGraphExec_t x;
            cudaGraphNode_t node;
            cudaGraphCreate(&h, 0);
            cudaGraphAddMemcpyNode1D(&node, h, nullptr, 0, pairs[i].to->at, pairs[i].from->at, 64, cudaMemcpyDefault);
            cudaGraphInstantiate(&x, h, 0);
            one[k] = cudaGraphExecMemcpyNodeSetParams1D(x, node, pairs[k].to->at, pairs[k].from->at, 64, cudaMemcpyDefault) ? '-' : '+';
            cudaGraphMemcpyNodeSetParams1D(node, pairs[k].to->at, pairs[k].from->at, 64, cudaMemcpyDefault);
            cudaGraphExecUpdateResultInfo info = {};
            whole[k] = cudaGraphExecUpdate(x, h, &info) ? '-' : '+';
            cudaGraphExecDestroy(x), cudaGraphDestroy(h);
        }
        cudaGetLastError();
        printf("from %s to %s: %s, by update %s\n", pairs[i].from->name, pairs[i].to->name, one, strcmp(one, whole) ? whole : "alike");
    }
    struct { const char *name; void *to, *from; cudaMemcpyKind kind; } said[] = {
        {"host to device", a, host, cudaMemcpyHostToDevice}, {"device to host", host, a, cudaMemcpyDeviceToHost},
        {"pinned to device", a, pinned, cudaMemcpyHostToDevice}, {"device to pinned", pinned, a, cudaMemcpyDeviceToHost},
        {"device to device", b, a, cudaMemcpyDeviceToDevice}, {"host to host", other_host, host, cudaMemcpyHostToHost},
        {"managed to device", a, managed, cudaMemcpyDeviceToDevice}, {"device to managed", managed, a, cudaMemcpyDeviceToDevice}};
    for (auto &is : said) {
        char row[16] = {};
        for (size_t k = 0; k < sizeof said / sizeof *said; k++) {
            cudaGraph_t h;
            cudaGraphExec_t x;
            cudaGraphNode_t node;
            cudaGraphCreate(&h, 0);
            cudaGraphAddMemcpyNode1D(&node, h, nullptr, 0, is.to, is.from, 64, is.kind);
            cudaGraphInstantiate(&x, h, 0);
            row[k] = cudaGraphExecMemcpyNodeSetParams1D(x, node, said[k].to, said[k].from, 64, said[k].kind) ? '-' : '+';
            cudaGraphExecDestroy(x), cudaGraphDestroy(h);
        }
        cudaGetLastError();
        printf("said %s: %s\n", is.name, row);
    }
    struct { const char *name; cudaMemcpyKind kind; } kinds[] = {{"host to device", cudaMemcpyHostToDevice}, {"device to host", cudaMemcpyDeviceToHost}, {"device to device", cudaMemcpyDeviceToDevice}, {"host to host", cudaMemcpyHostToHost}, {"default", cudaMemcpyDefault}};
    for (auto &k : kinds) {
        char row[40] = {};
        for (int i = 0; i < count; i++) {
            cudaGraph_t h;
            cudaGraphNode_t node;
            cudaGraphCreate(&h, 0);
            row[i] = cudaGraphAddMemcpyNode1D(&node, h, nullptr, 0, pairs[i].to->at, pairs[i].from->at, 64, k.kind) ? '-' : '+';
            cudaGraphDestroy(h);
        }
        cudaGetLastError();
        printf("%s: %s\n", k.name, row);
    }
    puts("-- of boxes and planes, what may change");
    cudaMemcpy3DParms p = boxes(a, 64, host, 64, 16, 2, cudaMemcpyHostToDevice);
    cudaGraphAddMemcpyNode(&n, g, nullptr, 0, &p);
    instantiate();
    cudaGraphExecUpdateResultInfo info = {};
    TELL(cudaGraphExecUpdate(e, g, &info));
    TELL(cudaGraphExecMemcpyNodeSetParams(e, n, &p));
    p = boxes(a, 64, other_host, 64, 16, 2, cudaMemcpyHostToDevice);
    TELL(cudaGraphMemcpyNodeSetParams(n, &p));
    TELL(cudaGraphExecUpdate(e, g, &info));
    cudaGraph_t h;
    cudaGraphCreate(&h, 0);
    cudaMemsetParams m = {};
    m.dst = a, m.elementSize = 4, m.value = 1, m.width = 8, m.height = 2, m.pitch = 64;
    TELL(cudaGraphAddMemsetNode(&n, h, nullptr, 0, &m));
    TELL(cudaGraphInstantiate(&e, h, 0));
    m.value = 2;
    TELL(cudaGraphExecMemsetNodeSetParams(e, n, &m));
    m.dst = b;
    TELL(cudaGraphExecMemsetNodeSetParams(e, n, &m));
    m.dst = managed;
    TELL(cudaGraphExecMemsetNodeSetParams(e, n, &m));
    m.elementSize = 1, m.width = 32;
    TELL(cudaGraphExecMemsetNodeSetParams(e, n, &m));
    m.width = 8;
    TELL(cudaGraphExecMemsetNodeSetParams(e, n, &m));
    m.elementSize = 4, m.height = 1;
    TELL(cudaGraphExecMemsetNodeSetParams(e, n, &m));
}

static void others()
{
    puts("-- of other graphs, and gone");
    begin();
    int v = 1;
    void *args[] = {&a, &v};
    cudaKernelNodeParams k = {};
    k.func = (void *)store, k.gridDim = k.blockDim = dim3(1), k.kernelParams = args;
    cudaGraphNode_t behind, stranger, copy;
    cudaGraphAddKernelNode(&n, g, nullptr, 0, &k);
    instantiate();
    TELL(cudaGraphAddKernelNode(&behind, g, &n, 1, &k));
    TELL(cudaGraphExecKernelNodeSetParams(e, behind, &k));
    cudaGraph_t h, clone;
    cudaGraphCreate(&h, 0);
    TELL(cudaGraphAddKernelNode(&stranger, h, &n, 1, &k));
    TELL(cudaGraphAddKernelNode(&stranger, h, nullptr, 0, &k));
    TELL(cudaGraphExecKernelNodeSetParams(e, stranger, &k));
    TELL(cudaGraphClone(&clone, g));
    TELL(cudaGraphNodeFindInClone(&copy, n, clone));
    TELL(cudaGraphExecKernelNodeSetParams(e, copy, &k));
    TELL(cudaGraphAddDependencies(g, &n, &stranger, nullptr, 1));
    TELL(cudaGraphAddDependencies(g, &n, &n, nullptr, 1));
    TELL(cudaGraphAddDependencies(g, &behind, &n, nullptr, 1));
    cudaGraphExec_t x;
    TELL(cudaGraphInstantiate(&x, g, 0));
    TELL(cudaGraphRemoveDependencies(g, &behind, &n, nullptr, 1));
    TELL(cudaGraphRemoveDependencies(g, &behind, &n, nullptr, 1));
    TELL(cudaGraphAddDependencies(g, &n, &behind, nullptr, 1));
    size_t edges = 0;
    TELL(cudaGraphGetEdges(g, nullptr, nullptr, nullptr, &edges));
    VALUE("edges", edges);
    cudaGraphExecUpdateResultInfo info = {};
    TELL(cudaGraphExecUpdate(e, g, &info));
    VALUE("result", info.result);
    TELL(cudaGraphExecUpdate(e, h, &info));
    VALUE("result", info.result);
    TELL(cudaGraphDestroyNode(behind));
    TELL(cudaGraphExecUpdate(e, g, &info));
    VALUE("result", info.result);
    k.func = (void *)add;
    TELL(cudaGraphKernelNodeSetParams(n, &k));
    TELL(cudaGraphExecUpdate(e, g, &info));
    VALUE("result", info.result);
    unsigned long long flags = 99;
    TELL(cudaGraphExecGetFlags(e, &flags));
    VALUE("flags", flags);
    TELL(cudaGraphInstantiateWithFlags(&x, g, cudaGraphInstantiateFlagUseNodePriority));
    TELL(cudaGraphExecGetFlags(x, &flags));
    VALUE("flags", flags);
    for (unsigned long long flag : {1, 2, 4, 5, 8, 9, 16, 1 << 12}) {
        flags = 99;
        const char *made = name_of(cudaGraphInstantiateWithFlags(&x, g, flag)), *asked = name_of(cudaGraphExecGetFlags(x, &flags));
        printf("flags %llu: %s, %s %llu\n", flag, made, asked, flags);
    }
    TELL(cudaGraphDebugDotPrint(g, "/no/such/folder/graph.dot", 0));
    TELL(cudaGraphDebugDotPrint(g, nullptr, 0));
    cudaGraphNodeType type;
    TELL(cudaGraphNodeGetType(nullptr, &type));
    TELL(cudaGraphNodeGetType(n, nullptr));
}

static void changed()
{
    puts("-- updates that change the shape or the kind");
    begin();
    cudaGraphExecUpdateResultInfo info = {};
    cudaGraph_t h;
    int v = 1;
    void *args[] = {&a, &v};
    cudaKernelNodeParams k = {};
    k.func = (void *)store, k.gridDim = k.blockDim = dim3(1), k.kernelParams = args;
    cudaMemsetParams m = {};
    m.dst = a, m.elementSize = 4, m.value = 1, m.width = 8, m.height = 1;
    cudaGraphNode_t x = nullptr, y = nullptr;
    auto update = [&](const char *what) {
        const char *name = name_of(cudaGraphExecUpdate(e, h, &info));
        printf("%s: %s, %d, the error's node %s\n", what, name, info.result,
               info.errorNode == nullptr ? "none" : info.errorNode == x ? "the first" : info.errorNode == y ? "the second" : "another");
    };
    cudaGraphAddKernelNode(&n, g, nullptr, 0, &k);
    cudaGraphAddMemsetNode(&x, g, &n, 1, &m);
    cudaGraphAddMemcpyNode1D(&x, g, &x, 1, b, a, 32, cudaMemcpyDeviceToDevice);
    instantiate();
    cudaGraphCreate(&h, 0);
    update("empty");
    cudaGraphAddKernelNode(&x, h, nullptr, 0, &k);
    cudaGraphAddMemsetNode(&y, h, &x, 1, &m);
    update("one less");
    cudaGraphNode_t z;
    cudaGraphAddMemcpyNode1D(&z, h, &y, 1, b, a, 32, cudaMemcpyDeviceToDevice);
    update("the same");
    cudaGraphMemcpyNodeSetParams1D(z, b, a, 16, cudaMemcpyDeviceToDevice);
    update("a shorter copy");
    cudaGraphMemcpyNodeSetParams1D(z, b, host, 16, cudaMemcpyHostToDevice);
    update("a copy from the host");
    cudaGraphMemcpyNodeSetParams1D(z, b, a, 32, cudaMemcpyDeviceToDevice);
    m.elementSize = 1;
    cudaGraphMemsetNodeSetParams(y, &m);
    update("fills of bytes");
    m.elementSize = 4, m.width = 4, m.height = 2, m.pitch = 64;
    cudaGraphMemsetNodeSetParams(y, &m);
    update("fills of boxes");
    m.width = 6, m.height = 1;
    cudaGraphMemsetNodeSetParams(y, &m);
    update("a shorter fill");
    k.func = (void *)gather;
    cudaGraphKernelNodeSetParams(x, &k);
    update("another kernel");
    k.blockDim = dim3(64);
    cudaGraphKernelNodeSetParams(x, &k);
    update("of more threads");
    cudaGraphDestroyNode(z);
    cudaGraphAddMemcpyNode1D(&z, h, &x, 1, b, a, 32, cudaMemcpyDeviceToDevice);
    update("other edges");
    cudaGraphDestroyNode(z);
    cudaGraphAddEmptyNode(&z, h, &y, 1);
    update("an empty node");
    go("last", a, 2);
}

int main()
{
    child(copies), child(lines), child(fills), child(hosts), child(events), child(children), child(kernels), child(general), child(shapes), child(places), child(others), child(changed);
    return 0;
}
