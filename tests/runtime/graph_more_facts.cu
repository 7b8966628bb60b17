// nvcc: -arch=compute_90
// Facts about graphs' memory and conditional nodes and user objects, one a line, as facts.cu has them about the rest.
// The same program runs on a real GPU and on softgpu, and the two outputs are compared (graph_more_facts.gpu.txt).
//
//   nvcc -arch=sm_90 -cudart shared -o graph_more_facts graph_more_facts.cu && ./graph_more_facts
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

static void fact(const char *name, cudaError_t e)
{
    printf("%s: %s\n", name, cudaGetErrorName(e));
    cudaGetLastError();
}
static void fact(const char *name, long long v) { printf("%s: %lld\n", name, v); }
#define FACT(call) fact(#call, call)

__global__ void store(int *p, int v) { *p = v; }
__global__ void add(int *p, int v) { *p += v; }
__global__ void fetch(int *to, const int *from) { *to = *from; }

static cudaStream_t s, other;
static int *out; // managed

struct allocation {
    cudaGraphNode_t node;
    int *p;
};

static cudaMemAllocNodeParams wanted(size_t bytes)
{
    cudaMemAllocNodeParams p = {};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location = {cudaMemLocationTypeDevice, 0};
    p.bytesize = bytes;
    return p;
}

static allocation alloc(cudaGraph_t g, size_t bytes)
{
    cudaMemAllocNodeParams p = wanted(bytes);
    allocation a = {};
    cudaGraphAddMemAllocNode(&a.node, g, nullptr, 0, &p);
    a.p = (int *)p.dptr;
    return a;
}

static cudaGraphNode_t kernel(cudaGraph_t g, cudaGraphNode_t after, void *f, void **args)
{
    cudaKernelNodeParams p = {};
    p.func = f, p.gridDim = p.blockDim = dim3(1), p.kernelParams = args;
    cudaGraphNode_t n;
    cudaGraphAddKernelNode(&n, g, after ? &after : nullptr, after ? 1 : 0, &p);
    return n;
}

static cudaGraphNode_t stores(cudaGraph_t g, cudaGraphNode_t after, int *p, int v)
{
    void *args[] = {&p, &v};
    return kernel(g, after, (void *)store, args);
}

static long long used(cudaGraphMemAttributeType a)
{
    unsigned long long v = 0;
    cudaDeviceGetGraphMemAttribute(0, a, &v);
    return (long long)v;
}

static void tell(const char *when)
{
    printf("%s: used %lld high %lld, reserved %lld high %lld\n", when, used(cudaGraphMemAttrUsedMemCurrent),
           used(cudaGraphMemAttrUsedMemHigh), used(cudaGraphMemAttrReservedMemCurrent), used(cudaGraphMemAttrReservedMemHigh));
}

static void freed_inside()
{
    cudaGraph_t g, copy;
    cudaGraphExec_t x, second;
    cudaGraphNode_t f, n;
    cudaGraphCreate(&g, 0);
    allocation a = alloc(g, 1000);
    cudaGraphNode_t k = stores(g, a.node, a.p, 5);
    void *args[] = {&out, &a.p};
    k = kernel(g, k, (void *)fetch, args);
    FACT(cudaGraphAddMemFreeNode(&f, g, &k, 1, a.p));
    FACT(cudaGraphAddMemFreeNode(&n, g, &f, 1, a.p));
    FACT(cudaGraphAddMemFreeNode(&n, g, &f, 1, out));
    FACT(cudaGraphAddMemFreeNode(&n, g, &f, 1, a.p + 1));
    FACT(cudaGraphAddMemFreeNode(&n, g, &f, 1, nullptr));
    cudaMemAllocNodeParams p, none = wanted(0);
    FACT(cudaGraphAddMemAllocNode(&n, g, nullptr, 0, &none));
    none = wanted(64), none.poolProps.allocType = cudaMemAllocationTypeInvalid;
    FACT(cudaGraphAddMemAllocNode(&n, g, nullptr, 0, &none));
    none = wanted(64), none.poolProps.location.id = 99;
    FACT(cudaGraphAddMemAllocNode(&n, g, nullptr, 0, &none));
    FACT(cudaGraphMemAllocNodeGetParams(a.node, &p));
    fact("bytesize", (long long)p.bytesize);
    fact("same address", p.dptr == a.p);
    fact("location", p.poolProps.location.type * 100 + p.poolProps.location.id);
    void *freed;
    FACT(cudaGraphMemFreeNodeGetParams(f, &freed));
    fact("freed address", freed == a.p);
    FACT(cudaGraphMemFreeNodeGetParams(k, &freed));
    enum cudaGraphNodeType type;
    cudaGraphNodeGetType(a.node, &type), fact("type of an allocation", type);
    cudaGraphNodeGetType(f, &type), fact("type of a free", type);
    cudaPointerAttributes at;
    cudaError_t e = cudaPointerGetAttributes(&at, a.p);
    fact("attributes before a launch", e), fact("type before a launch", at.type);
    FACT(cudaGraphClone(&copy, g));
    FACT(cudaGraphDestroyNode(a.node));
    FACT(cudaGraphDestroyNode(f));
    FACT(cudaGraphRemoveDependencies(g, &a.node, &k, nullptr, 1));
    cudaGraph_t parent;
    cudaGraphCreate(&parent, 0);
    FACT(cudaGraphAddChildGraphNode(&n, parent, nullptr, 0, g));
    FACT(cudaGraphInstantiate(&x, g, 0));
    FACT(cudaGraphInstantiate(&second, g, 0));
    FACT(cudaFreeAsync(a.p, s));
    FACT(cudaFree(a.p));
    for (int i = 0; i < 3; i++)
        FACT(cudaGraphLaunch(x, s));
    FACT(cudaStreamSynchronize(s));
    fact("what was stored", *out);
    FACT(cudaGraphNodeSetEnabled(x, a.node, 0));
    FACT(cudaGraphNodeSetEnabled(x, f, 0));
    cudaGraphExecUpdateResultInfo info = {};
    FACT(cudaGraphExecUpdate(x, g, &info));
    fact("result of the update", info.result);
    FACT(cudaGraphExecDestroy(x));
    FACT(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    FACT(cudaGraphLaunch(x, s));
    FACT(cudaGraphLaunch(x, s));
    FACT(cudaStreamSynchronize(s));
    cudaGraphExecDestroy(x);
    FACT(cudaGraphDestroy(g));
}

static void kept()
{
    cudaGraph_t g, frees;
    cudaGraphExec_t x, y;
    cudaGraphNode_t n;
    cudaGraphCreate(&g, 0);
    allocation a = alloc(g, 100000);
    stores(g, a.node, a.p, 7);
    tell("nothing launched");
    FACT(cudaGraphInstantiate(&x, g, 0));
    tell("instantiated");
    FACT(cudaGraphLaunch(x, s));
    FACT(cudaStreamSynchronize(s));
    tell("launched");
    fetch<<<1, 1, 0, s>>>(out, a.p);
    cudaStreamSynchronize(s);
    fact("used outside", *out);
    FACT(cudaGraphLaunch(x, s));
    FACT(cudaDeviceGraphMemTrim(0));
    FACT(cudaFreeAsync(a.p, s));
    FACT(cudaFreeAsync(a.p, s));
    FACT(cudaGraphLaunch(x, s));
    FACT(cudaStreamSynchronize(s));
    FACT(cudaFree(a.p));
    tell("freed");
    FACT(cudaDeviceGraphMemTrim(0));
    fact("reserved after the trim", used(cudaGraphMemAttrReservedMemCurrent));
    FACT(cudaGraphLaunch(x, s));
    cudaGraphCreate(&frees, 0);
    FACT(cudaGraphAddMemFreeNode(&n, frees, nullptr, 0, a.p));
    FACT(cudaGraphInstantiate(&y, frees, 0));
    FACT(cudaGraphLaunch(y, s));
    FACT(cudaGraphLaunch(y, s));
    FACT(cudaGraphLaunch(x, s));
    FACT(cudaStreamSynchronize(s));
    FACT(cudaGraphExecDestroy(x));
    FACT(cudaGraphInstantiate(&x, g, 0));
    FACT(cudaGraphLaunch(x, s));
    FACT(cudaFreeAsync(a.p, s));
    FACT(cudaGraphExecDestroy(x));
    FACT(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    for (int i = 0; i < 3; i++)
        FACT(cudaGraphLaunch(x, s));
    FACT(cudaStreamSynchronize(s));
    fact("in use", used(cudaGraphMemAttrUsedMemCurrent) > 0);
    FACT(cudaGraphExecDestroy(x));
    fact("in use without its exec", used(cudaGraphMemAttrUsedMemCurrent) > 0);
    FACT(cudaGraphDestroy(g));
    fact("in use without its graph", used(cudaGraphMemAttrUsedMemCurrent) > 0);
    FACT(cudaFree(a.p));
    fact("in use in the end", used(cudaGraphMemAttrUsedMemCurrent) > 0);
    cudaGraphExecDestroy(y);
    cudaGraphDestroy(frees);
    unsigned long long zero = 0, one = 1;
    FACT(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &one));
    FACT(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
    fact("high after its reset", used(cudaGraphMemAttrUsedMemHigh));
}

static void captured()
{
    cudaGraph_t g = nullptr;
    cudaGraphExec_t x;
    int *p = nullptr, *q = nullptr, *outside;
    cudaMallocAsync(&outside, 64, s);
    cudaStreamSynchronize(s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    FACT(cudaMallocAsync(&p, 256, s));
    store<<<1, 1, 0, s>>>(p, 9);
    FACT(cudaMallocAsync(&q, 256, s));
    fact("two addresses", p && q && p != q);
    fetch<<<1, 1, 0, s>>>(out, p);
    FACT(cudaFreeAsync(p, s));
    FACT(cudaFreeAsync(q, s));
    FACT(cudaStreamEndCapture(s, &g));
    size_t count = 0;
    cudaGraphGetNodes(g, nullptr, &count);
    std::vector<cudaGraphNode_t> nodes(count);
    cudaGraphGetNodes(g, nodes.data(), &count);
    for (cudaGraphNode_t n : nodes) {
        enum cudaGraphNodeType t;
        cudaGraphNodeGetType(n, &t);
        fact("captured", t);
    }
    FACT(cudaGraphInstantiate(&x, g, 0));
    FACT(cudaGraphLaunch(x, s));
    FACT(cudaGraphLaunch(x, s));
    FACT(cudaStreamSynchronize(s));
    fact("what was stored", *out);
    cudaGraphExecDestroy(x);
    cudaGraphDestroy(g);
    g = nullptr;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
    FACT(cudaFreeAsync(outside, s));
    FACT(cudaStreamEndCapture(s, &g));
    g = nullptr;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
    FACT(cudaMallocAsync(&p, 256, s));
    FACT(cudaFreeAsync(p, other));
    FACT(cudaStreamEndCapture(s, &g));
    fact("a graph", g != nullptr);
    cudaFreeAsync(outside, s);
    cudaStreamSynchronize(s);
}

// ---- user objects ----

static int dropped[4];
static void drop(void *which) { __atomic_add_fetch(&dropped[(long)which], 1, __ATOMIC_SEQ_CST); }
static int gone(long which)
{
    for (int i = 0; i < 100 && !dropped[which]; i++)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return dropped[which];
}

static void objects()
{
    cudaUserObject_t o;
    FACT(cudaUserObjectCreate(&o, (void *)0L, drop, 0, cudaUserObjectNoDestructorSync));
    FACT(cudaUserObjectCreate(&o, (void *)0L, drop, 1, 0));
    FACT(cudaUserObjectCreate(&o, (void *)0L, nullptr, 1, cudaUserObjectNoDestructorSync));
    FACT(cudaUserObjectCreate(&o, (void *)0L, drop, 1, cudaUserObjectNoDestructorSync));
    FACT(cudaUserObjectRetain(o, 0));
    FACT(cudaUserObjectRetain(o, 2));
    FACT(cudaUserObjectRelease(o, 2));
    fact("alive", dropped[0] == 0);
    FACT(cudaUserObjectRelease(o, 1));
    fact("dropped", gone(0));
    cudaGraph_t g, copy;
    cudaGraphExec_t x;
    cudaGraphCreate(&g, 0);
    stores(g, nullptr, out, 1);
    cudaUserObjectCreate(&o, (void *)1L, drop, 1, cudaUserObjectNoDestructorSync);
    FACT(cudaGraphRetainUserObject(g, o, 1, 2));
    FACT(cudaGraphRetainUserObject(g, o, 1, cudaGraphUserObjectMove));
    FACT(cudaGraphClone(&copy, g));
    FACT(cudaGraphDestroy(g));
    fact("alive in the clone", dropped[1] == 0);
    FACT(cudaGraphInstantiate(&x, copy, 0));
    FACT(cudaGraphDestroy(copy));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    fact("alive in the exec", dropped[1] == 0);
    cudaGraphLaunch(x, s);
    FACT(cudaStreamSynchronize(s));
    FACT(cudaGraphExecDestroy(x));
    fact("dropped with the exec", gone(1));
    cudaGraphCreate(&g, 0);
    cudaUserObjectCreate(&o, (void *)2L, drop, 1, cudaUserObjectNoDestructorSync);
    FACT(cudaGraphRetainUserObject(g, o, 1, 0));
    FACT(cudaGraphReleaseUserObject(g, o, 1));
    fact("alive for its owner", dropped[2] == 0);
    FACT(cudaUserObjectRelease(o, 1));
    fact("dropped", gone(2));
    cudaGraphDestroy(g);
}

// ---- conditional nodes ----

__global__ void set(cudaGraphConditionalHandle h, unsigned v) { cudaGraphSetConditional(h, v); }
__global__ void down(cudaGraphConditionalHandle h, int *n) { cudaGraphSetConditional(h, --*n > 0); }

static cudaGraphNodeParams condition(cudaGraphConditionalHandle h, cudaGraphConditionalNodeType type, unsigned size)
{
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = h, p.conditional.type = type, p.conditional.size = size;
    return p;
}

static cudaGraphNode_t adds(cudaGraph_t g, cudaGraphNode_t after, int v)
{
    void *args[] = {&out, &v};
    return kernel(g, after, (void *)add, args);
}

// The condition is `value` (set by a kernel) or, negative, the default 1; bodies add 10, 200, 3000.
static void branch(const char *name, cudaGraphConditionalNodeType type, unsigned size, int value)
{
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphConditionalHandle h;
    cudaGraphNode_t n, k = nullptr;
    cudaGraphCreate(&g, 0);
    cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault);
    if (value >= 0) {
        unsigned v = value;
        void *args[] = {&h, &v};
        k = kernel(g, nullptr, (void *)set, args);
    }
    cudaGraphNodeParams p = condition(h, type, size);
    cudaError_t e = cudaGraphAddNode(&n, g, k ? &k : nullptr, nullptr, k ? 1 : 0, &p);
    *out = 0;
    int amounts[] = {10, 200, 3000};
    for (unsigned i = 0; !e && i < size; i++)
        adds(p.conditional.phGraph_out[i], nullptr, amounts[i]);
    adds(g, n, 1);
    if (!e)
        e = cudaGraphInstantiate(&x, g, 0);
    if (!e)
        e = cudaGraphLaunch(x, s);
    if (!e)
        e = cudaStreamSynchronize(s);
    fact(name, e);
    fact("sum", *out);
    cudaGraphExecDestroy(x);
    cudaGraphDestroy(g);
}

static void loop()
{
    cudaGraph_t g, copy, parent;
    cudaGraphExec_t x, second;
    cudaGraphConditionalHandle h;
    cudaGraphNode_t n, m;
    int *left;
    cudaMallocManaged(&left, 4);
    cudaGraphCreate(&g, 0);
    cudaGraphCreate(&parent, 0);
    FACT(cudaGraphConditionalHandleCreate(&h, g, 1, 2));
    FACT(cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams p = condition(h, cudaGraphCondTypeWhile, 2);
    FACT(cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
    p = condition(h, cudaGraphCondTypeIf, 3);
    FACT(cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
    p = condition(h, cudaGraphCondTypeSwitch, 0);
    FACT(cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
    p = condition(h, cudaGraphCondTypeWhile, 1);
    FACT(cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
    cudaGraphNodeParams again = condition(h, cudaGraphCondTypeWhile, 1);
    FACT(cudaGraphAddNode(&m, g, nullptr, nullptr, 0, &again));
    enum cudaGraphNodeType type;
    cudaGraphNodeGetType(n, &type), fact("type of a conditional node", type);
    cudaGraph_t body = p.conditional.phGraph_out[0];
    void *args[] = {&h, &left};
    cudaGraphNode_t k = kernel(body, adds(body, nullptr, 5), (void *)down, args);
    cudaGraphNodeParams host = {};
    host.type = cudaGraphNodeTypeHost, host.host.fn = [](void *) {};
    FACT(cudaGraphAddNode(&m, body, &k, nullptr, 1, &host));
    fact("with a host function", cudaGraphInstantiate(&x, g, 0));
    FACT(cudaGraphDestroyNode(m));
    FACT(cudaGraphClone(&copy, g));
    FACT(cudaGraphAddChildGraphNode(&m, parent, nullptr, 0, g));
    FACT(cudaGraphInstantiate(&x, g, 0));
    fact("a second one", cudaGraphInstantiate(&second, g, 0));
    for (int turns : {4, 1}) {
        *left = turns, *out = 0;
        FACT(cudaGraphLaunch(x, s));
        FACT(cudaStreamSynchronize(s));
        fact("turns", *out / 5);
    }
    cudaGraphExecUpdateResultInfo info = {};
    FACT(cudaGraphExecUpdate(x, g, &info));
    fact("result of the update", info.result);
    FACT(cudaGraphExecDestroy(x));
    FACT(cudaGraphDestroyNode(n));
    FACT(cudaGraphDestroy(g));
    cudaGraphDestroy(parent);
}

// Without a default the value stays from launch to launch.
static void kept_value()
{
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphConditionalHandle h;
    cudaGraphNode_t n;
    cudaGraphCreate(&g, 0);
    cudaGraphConditionalHandleCreate(&h, g, 1, 0);
    cudaGraphNodeParams p = condition(h, cudaGraphCondTypeIf, 2);
    FACT(cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
    unsigned one = 1;
    void *args[] = {&h, &one};
    adds(p.conditional.phGraph_out[0], nullptr, 10);
    kernel(p.conditional.phGraph_out[1], adds(p.conditional.phGraph_out[1], nullptr, 200), (void *)set, args);
    FACT(cudaGraphInstantiate(&x, g, 0));
    *out = 0;
    for (int i = 0; i < 3; i++) {
        FACT(cudaGraphLaunch(x, s));
        FACT(cudaStreamSynchronize(s));
        fact("sum", *out);
    }
    cudaGraphExecDestroy(x);
    cudaGraphDestroy(g);
}

int main(int argc, char **argv)
{
    setvbuf(stdout, nullptr, _IONBF, 0);
    int only = argc > 1 ? atoi(argv[1]) : 0, part = 0;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaMallocManaged(&out, 4096);
#define PART(call)                                                                                                     \
    if (++part == only || !only) {                                                                                     \
        printf("-- %s\n", #call);                                                                                      \
        fflush(stdout);                                                                                                \
        call;                                                                                                          \
    }
    PART(kept());
    PART(freed_inside());
    PART(captured());
    PART(objects());
    PART(loop());
    PART(kept_value());
    PART(branch("if", cudaGraphCondTypeIf, 1, 1));
    PART(branch("if not", cudaGraphCondTypeIf, 1, 0));
    PART(branch("if by default", cudaGraphCondTypeIf, 1, -1));
    PART(branch("if else", cudaGraphCondTypeIf, 2, 5));
    PART(branch("else", cudaGraphCondTypeIf, 2, 0));
    PART(branch("switch 0", cudaGraphCondTypeSwitch, 3, 0));
    PART(branch("switch 2", cudaGraphCondTypeSwitch, 3, 2));
    PART(branch("switch 3 of 3", cudaGraphCondTypeSwitch, 3, 3));
}
