// nvcc: -g
// CUDA graphs and stream capture: what launches compute, how they are ordered, what calls return. The same on a
// real GPU:  nvcc -arch=compute_75 -cudart shared -o graphs tests/runtime/graphs.cu && ./graphs
#include <cstdint>
#include <thread>
#include <vector>

#include "check.cuh"

__global__ void add(int *x, int v) { x[threadIdx.x] += v; }
__global__ void scale(int *x, int v) { x[threadIdx.x] *= v; }
__global__ void sum(int *to, const int *p, const int *q) { to[threadIdx.x] = p[threadIdx.x] + q[threadIdx.x]; }
__global__ void hold(long long clocks)
{
    long long from = clock64();
    while (clock64() - from < clocks)
        ;
}
__device__ int variable[32];

static int *a, *b, *c, *pinned;
static cudaStream_t s, t, u;
static cudaEvent_t e, f, start, stop;

static int value(const int *device, int at = 3)
{
    int v;
    OK(cudaMemcpy(&v, device + at, sizeof v, cudaMemcpyDeviceToHost));
    return v;
}

static void clear()
{
    for (int *p : {a, b, c})
        OK(cudaMemset(p, 0, 128));
    memset(pinned, 0, 128);
    OK(cudaDeviceSynchronize());
}

static cudaGraphExec_t instantiate(cudaGraph_t g)
{
    cudaGraphExec_t x;
    OK(cudaGraphInstantiate(&x, g, 0));
    return x;
}

static void run(cudaGraphExec_t x, cudaStream_t in = s)
{
    OK(cudaGraphLaunch(x, in));
    OK(cudaStreamSynchronize(in));
}

static void run_once(cudaGraph_t g)
{
    cudaGraphExec_t x = instantiate(g);
    OK(cudaGraphDestroy(g));
    run(x);
    OK(cudaGraphExecDestroy(x));
}

static void follow(cudaStream_t from, cudaStream_t to, cudaEvent_t event)
{
    OK(cudaEventRecord(event, from));
    OK(cudaStreamWaitEvent(to, event, 0));
}

static void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) { OK(cudaStreamBeginCapture(s, mode)); }

static cudaGraph_t end()
{
    cudaGraph_t g;
    OK(cudaStreamEndCapture(s, &g));
    CHECK(g);
    return g;
}

static size_t nodes_of(cudaGraph_t g)
{
    size_t n;
    OK(cudaGraphGetNodes(g, nullptr, &n));
    return n;
}

static size_t edges_of(cudaGraph_t g)
{
    size_t n;
    OK(cudaGraphGetEdges(g, nullptr, nullptr, nullptr, &n));
    return n;
}

// ---- capture ----

static void capture_runs_nothing()
{
    clear();
    begin();
    add<<<1, 32, 0, s>>>(a, 1);
    OK(cudaMemcpyAsync(pinned, a, 128, cudaMemcpyDeviceToHost, s));
    cudaStreamCaptureStatus status;
    OK(cudaStreamIsCapturing(s, &status));
    CHECK(status == cudaStreamCaptureStatusActive);
    OK(cudaStreamIsCapturing(t, &status));
    CHECK(status == cudaStreamCaptureStatusNone);
    cudaGraph_t g = end();
    OK(cudaStreamIsCapturing(s, &status));
    CHECK(status == cudaStreamCaptureStatusNone);
    OK(cudaDeviceSynchronize());
    CHECK(pinned[3] == 0 && nodes_of(g) == 2 && edges_of(g) == 1);
    cudaGraphExec_t x = instantiate(g);
    for (int i = 1; i <= 5; i++) {
        run(x);
        CHECK(pinned[3] == i);
    }
    OK(cudaGraphDestroy(g));
    run(x);
    CHECK(pinned[3] == 6);
    OK(cudaGraphExecDestroy(x));
}

static void fork_and_join()
{
    clear();
    begin();
    add<<<1, 32, 0, s>>>(a, 2);
    follow(s, t, e);
    add<<<1, 32, 0, s>>>(b, 3);
    OK(cudaMemcpyAsync(c, a, 128, cudaMemcpyDeviceToDevice, t));
    cudaStreamCaptureStatus status;
    OK(cudaStreamIsCapturing(t, &status));
    CHECK(status == cudaStreamCaptureStatusActive);
    follow(t, s, f);
    sum<<<1, 32, 0, s>>>(a, b, c);
    cudaGraph_t g = end();
    CHECK(nodes_of(g) == 4 && edges_of(g) == 4);
    run_once(g);
    CHECK(value(a) == 5);
}

static void capture_info()
{
    begin();
    add<<<1, 32, 0, s>>>(a, 1);
    cudaStreamCaptureStatus status;
    unsigned long long id, again;
    cudaGraph_t seen;
    const cudaGraphNode_t *deps;
    size_t count;
    OK(cudaStreamGetCaptureInfo(s, &status, &id, &seen, &deps, nullptr, &count));
    CHECK(status == cudaStreamCaptureStatusActive && count == 1);
    cudaGraphNode_t mine, last = deps[0];
    OK(cudaGraphAddEmptyNode(&mine, seen, &last, 1)); // nodes of one's own within the capture
    OK(cudaStreamUpdateCaptureDependencies(s, &mine, nullptr, 1, cudaStreamSetCaptureDependencies));
    add<<<1, 32, 0, s>>>(a, 1);
    OK(cudaStreamGetCaptureInfo(s, &status, &again, nullptr, nullptr, nullptr, nullptr));
    CHECK(id == again);
    cudaGraph_t g = end();
    CHECK(g == seen && nodes_of(g) == 3 && edges_of(g) == 2);
    OK(cudaGraphDestroy(g));
    OK(cudaStreamGetCaptureInfo(s, &status, &id, nullptr, nullptr, nullptr, nullptr));
    CHECK(status == cudaStreamCaptureStatusNone);
}

// What is forbidden ends the capture.
static void lost(cudaError_t got, cudaError_t expected, int line)
{
    cudaGraph_t g = (cudaGraph_t)&line;
    if (got != expected) {
        fprintf(stderr, "line %d: %s, not %s\n", line, cudaGetErrorName(got), cudaGetErrorName(expected));
        exit(1);
    }
    cudaStreamCaptureStatus status;
    OK(cudaStreamIsCapturing(s, &status));
    CHECK(status == cudaStreamCaptureStatusInvalidated);
    GIVES(cudaStreamEndCapture(s, &g), cudaErrorStreamCaptureInvalidated);
    CHECK(g == nullptr);
    (void)cudaGetLastError();
}
#define LOSES(call, error) (begin(), lost(call, error, __LINE__))

static void forbidden()
{
    cudaGraph_t g;
    void *p;
    cudaStream_t blocking;
    OK(cudaStreamCreate(&blocking));
    OK(cudaEventRecord(e, t));
    OK(cudaGraphCreate(&g, 0));
    cudaGraphExec_t idle = instantiate(g);
    LOSES(cudaStreamSynchronize(s), cudaErrorStreamCaptureUnsupported);
    LOSES(cudaStreamQuery(s), cudaErrorStreamCaptureUnsupported);
    LOSES(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
    LOSES(cudaMalloc(&p, 64), cudaErrorStreamCaptureUnsupported);
    LOSES(cudaStreamWaitEvent(s, e, 0), cudaErrorStreamCaptureIsolation);
    begin();
    follow(s, t, f);
    add<<<1, 32, 0, t>>>(a, 1);
    GIVES(cudaStreamEndCapture(s, &g), cudaErrorStreamCaptureUnjoined);
    CHECK(g == nullptr);
    begin();
    follow(s, t, f);
    GIVES(cudaStreamEndCapture(t, &g), cudaErrorStreamCaptureUnmatched);
    (void)cudaStreamEndCapture(s, &g);
    GIVES(cudaStreamEndCapture(s, &g), cudaErrorIllegalState);
    begin();
    cudaError_t elsewhere;
    std::thread([&] { elsewhere = cudaStreamEndCapture(s, &g); }).join();
    CHECK(elsewhere == cudaErrorStreamCaptureWrongThread);
    (void)cudaStreamEndCapture(s, &g);
    LOSES(cudaGraphLaunch(idle, s), cudaErrorStreamCaptureUnsupported);
    LOSES(cudaStreamSynchronize(t), cudaErrorStreamCaptureUnsupported); // another stream's end is not seen, either
    GIVES(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
    // the default stream waits for this one, which is capturing
    OK(cudaStreamBeginCapture(blocking, cudaStreamCaptureModeRelaxed));
    add<<<1, 32>>>(a, 1);
    GIVES(cudaGetLastError(), cudaErrorStreamCaptureImplicit);
    GIVES(cudaStreamEndCapture(blocking, &g), cudaErrorStreamCaptureInvalidated);
    OK(cudaStreamDestroy(blocking));
    (void)cudaGetLastError();
    OK(cudaDeviceSynchronize());
}

static void allowed()
{
    void *p;
    begin(cudaStreamCaptureModeRelaxed);
    OK(cudaMalloc(&p, 64));
    OK(cudaFree(p));
    OK(cudaGraphDestroy(end()));
    begin();
    add<<<1, 32, 0, t>>>(b, 1); // another stream works on
    OK(cudaEventRecord(e, t));
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    OK(cudaThreadExchangeStreamCaptureMode(&mode));
    CHECK(mode == cudaStreamCaptureModeGlobal);
    OK(cudaMalloc(&p, 64));
    OK(cudaThreadExchangeStreamCaptureMode(&mode));
    CHECK(mode == cudaStreamCaptureModeRelaxed);
    OK(cudaGraphDestroy(end()));
    OK(cudaFree(p));
    begin(cudaStreamCaptureModeThreadLocal);
    cudaError_t elsewhere;
    std::thread([&] { elsewhere = cudaMalloc(&p, 64); }).join();
    OK(elsewhere);
    OK(cudaGraphDestroy(end()));
    OK(cudaFree(p));
}

// A thread's own stream dies with it, and so does the capture that began there: nobody else is held up by it.
static void captures_and_ends()
{
    cudaError_t began = cudaErrorUnknown;
    int *p = nullptr;
    std::thread([&] { began = cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal); }).join();
    OK(began);
    OK(cudaMalloc(&p, 64));
    OK(cudaFree(p));
}

static void pageable()
{
    static int in[32], out[32];
    clear();
    in[3] = 1;
    begin();
    OK(cudaMemcpyAsync(a, in, 128, cudaMemcpyHostToDevice, s));
    add<<<1, 32, 0, s>>>(a, 10);
    OK(cudaMemcpyAsync(out, a, 128, cudaMemcpyDeviceToHost, s));
    cudaGraphExec_t x = instantiate(end());
    CHECK(out[3] == 0);
    for (int i = 2; i < 4; i++) { // what is there at the launch counts
        in[3] = i;
        run(x);
        CHECK(out[3] == 10 + i);
    }
}

// ---- graphs by hand ----

static cudaKernelNodeParams kernel_of(void *kernel, void **args)
{
    cudaKernelNodeParams p = {};
    p.func = kernel;
    p.gridDim = dim3(1);
    p.blockDim = dim3(32);
    p.kernelParams = args;
    return p;
}

static cudaGraphNode_t kernel_node(cudaGraph_t g, void *kernel, int *x, int v, std::vector<cudaGraphNode_t> after = {})
{
    void *args[] = {&x, &v};
    cudaKernelNodeParams p = kernel_of(kernel, args);
    cudaGraphNode_t n;
    OK(cudaGraphAddKernelNode(&n, g, after.data(), after.size(), &p));
    return n;
}

static void by_hand()
{
    clear();
    cudaGraph_t g;
    cudaGraphNode_t n[8];
    OK(cudaGraphCreate(&g, 0));
    for (int i = 0; i < 32; i++)
        pinned[i] = 4;
    OK(cudaGraphAddMemcpyNode1D(&n[0], g, nullptr, 0, a, pinned, 128, cudaMemcpyHostToDevice));
    cudaMemsetParams set = {b, 0, 5, 4, 32, 1};
    OK(cudaGraphAddMemsetNode(&n[1], g, nullptr, 0, &set));
    n[2] = kernel_node(g, (void *)scale, a, 3, {n[0]});
    void *args[] = {&c, &a, &b};
    cudaKernelNodeParams p = kernel_of((void *)sum, args);
    OK(cudaGraphAddKernelNode(&n[3], g, &n[1], 2, &p));
    OK(cudaGraphAddMemcpyNodeToSymbol(&n[4], g, &n[3], 1, variable, c, 128, 0, cudaMemcpyDeviceToDevice));
    OK(cudaGraphAddMemcpyNodeFromSymbol(&n[5], g, &n[4], 1, pinned, variable, 64, 64, cudaMemcpyDeviceToHost));
    static int called;
    cudaHostNodeParams call = {[](void *v) { called += *(int *)v == 17 ? 1 : 100; }, &pinned[0]};
    OK(cudaGraphAddHostNode(&n[6], g, &n[5], 1, &call));
    cudaGraphNodeParams any = {};
    any.type = cudaGraphNodeTypeEmpty;
    OK(cudaGraphAddNode(&n[7], g, &n[6], nullptr, 1, &any));
    CHECK(nodes_of(g) == 8 && edges_of(g) == 7);
    cudaGraphNode_t roots[4];
    size_t count = 4;
    OK(cudaGraphGetRootNodes(g, roots, &count));
    CHECK(count == 2);
    cudaGraphNodeType type;
    OK(cudaGraphNodeGetType(n[6], &type));
    CHECK(type == cudaGraphNodeTypeHost);
    cudaKernelNodeParams got;
    OK(cudaGraphKernelNodeGetParams(n[2], &got));
    CHECK(got.blockDim.x == 32 && *(int *)got.kernelParams[1] == 3);
    run_once(g);
    CHECK(called == 1 && value(c) == 17 && pinned[0] == 17 && pinned[15] == 17);
}

static void edges()
{
    clear();
    cudaGraph_t g;
    cudaGraphNode_t n[3];
    size_t count = 3;
    OK(cudaGraphCreate(&g, 0));
    n[0] = kernel_node(g, (void *)scale, a, 3);
    n[1] = kernel_node(g, (void *)add, a, 2);
    OK(cudaGraphAddDependencies(g, &n[1], &n[0], nullptr, 1));
    GIVES(cudaGraphAddDependencies(g, &n[1], &n[0], nullptr, 1), cudaErrorInvalidValue);
    OK(cudaGraphNodeGetDependencies(n[0], n + 2, nullptr, &(count = 1)));
    CHECK(count == 1 && n[2] == n[1]);
    run(instantiate(g));
    CHECK(value(a) == 6);
    OK(cudaGraphRemoveDependencies(g, &n[1], &n[0], nullptr, 1));
    OK(cudaGraphAddDependencies(g, &n[0], &n[1], nullptr, 1));
    run(instantiate(g));
    CHECK(value(a) == 20);
    OK(cudaGraphDestroyNode(n[0]));
    CHECK(nodes_of(g) == 1 && edges_of(g) == 0);
    run_once(g);
    CHECK(value(a) == 22);
}

static void children_and_clones()
{
    clear();
    cudaGraph_t g, child, copy, inside;
    cudaGraphNode_t n, found;
    OK(cudaGraphCreate(&child, 0));
    kernel_node(child, (void *)scale, a, 3, {kernel_node(child, (void *)add, a, 1)});
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddChildGraphNode(&n, g, nullptr, 0, child));
    OK(cudaGraphDestroy(child)); // the node has its own
    OK(cudaGraphChildGraphNodeGetGraph(n, &inside));
    CHECK(nodes_of(inside) == 2);
    n = kernel_node(g, (void *)add, a, 10, {n});
    OK(cudaGraphClone(&copy, g));
    OK(cudaGraphNodeFindInClone(&found, n, copy));
    CHECK(found != n);
    int *x = a, v = 20;
    void *args[] = {&x, &v};
    cudaKernelNodeParams p = kernel_of((void *)add, args);
    OK(cudaGraphKernelNodeSetParams(found, &p));
    run_once(g);
    CHECK(value(a) == 13);
    run_once(copy);
    CHECK(value(a) == 62);
}

static void updates()
{
    clear();
    cudaGraph_t g, h;
    OK(cudaGraphCreate(&g, 0));
    cudaGraphNode_t n = kernel_node(g, (void *)add, a, 1), m;
    OK(cudaGraphAddMemcpyNode1D(&m, g, &n, 1, pinned, a, 128, cudaMemcpyDeviceToHost));
    cudaGraphExec_t x = instantiate(g);
    int *to = a, v = 7;
    void *args[] = {&to, &v};
    cudaKernelNodeParams p = kernel_of((void *)add, args);
    OK(cudaGraphExecKernelNodeSetParams(x, n, &p));
    v = 100; // the arguments were copied
    run(x);
    CHECK(pinned[3] == 7);
    OK(cudaGraphExecMemcpyNodeSetParams1D(x, m, pinned, b, 128, cudaMemcpyDeviceToHost));
    run(x);
    CHECK(pinned[3] == 0 && value(a) == 14);
    cudaGraphExecUpdateResultInfo info;
    OK(cudaGraphExecUpdate(x, g, &info));
    CHECK(info.result == cudaGraphExecUpdateSuccess);
    run(x);
    CHECK(pinned[3] == 15);
    OK(cudaGraphCreate(&h, 0));
    kernel_node(h, (void *)add, a, 1);
    GIVES(cudaGraphExecUpdate(x, h, &info), cudaErrorGraphExecUpdateFailure);
    CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged);
    (void)cudaGetLastError();
    OK(cudaGraphNodeSetEnabled(x, n, 0));
    run(x);
    CHECK(pinned[3] == 15);
    for (cudaGraph_t each : {g, h})
        OK(cudaGraphDestroy(each));
    OK(cudaGraphExecDestroy(x));
}

static void circle()
{
    cudaGraph_t g;
    OK(cudaGraphCreate(&g, 0));
    cudaGraphNode_t n = kernel_node(g, (void *)add, a, 1), m = kernel_node(g, (void *)add, a, 1, {n});
    cudaGraphExec_t x;
    cudaError_t edge = cudaGraphAddDependencies(g, &m, &n, nullptr, 1);
    CHECK(edge || cudaGraphInstantiate(&x, g, 0) != cudaSuccess);
    OK(cudaGraphDestroy(g));
    (void)cudaGetLastError();
}

// What a graph cannot hold on softgpu is said to be so, and ends a capture (a real GPU has all of it).
static void not_there()
{
    void *p;
    begin();
    cudaError_t e = cudaMallocAsync(&p, 64, s);
    cudaGraph_t g;
    if (e == cudaErrorNotSupported)
        GIVES(cudaStreamEndCapture(s, &g), cudaErrorStreamCaptureInvalidated);
    else
        OK(cudaStreamEndCapture(s, &g));
    (void)cudaGetLastError();
}

// ---- order and time ----

static void events_in_graphs()
{
    clear();
    cudaGraph_t g;
    cudaGraphNode_t n[3];
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddEventWaitNode(&n[0], g, nullptr, 0, e));
    n[1] = kernel_node(g, (void *)scale, a, 3, {n[0]});
    OK(cudaGraphAddEventRecordNode(&n[2], g, &n[1], 1, f));
    cudaEvent_t event;
    OK(cudaGraphEventRecordNodeGetEvent(n[2], &event));
    CHECK(event == f);
    cudaGraphExec_t x = instantiate(g);
    hold<<<1, 1, 0, t>>>(1000000);
    add<<<1, 32, 0, t>>>(a, 2);
    OK(cudaEventRecord(e, t));
    OK(cudaGraphLaunch(x, s));
    OK(cudaStreamWaitEvent(u, f, 0));
    add<<<1, 32, 0, u>>>(a, 1);
    OK(cudaStreamSynchronize(u));
    CHECK(value(a) == 7);
    OK(cudaDeviceSynchronize());
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(g));
}

static float ms_of(void (*work)())
{
    float ms;
    work();
    OK(cudaDeviceSynchronize());
    OK(cudaEventRecord(start, s));
    work();
    OK(cudaEventRecord(stop, s));
    OK(cudaDeviceSynchronize());
    OK(cudaEventElapsedTime(&ms, start, stop));
    return ms;
}

static cudaGraphExec_t diamond, many;
static long long clocks_per_ms;

static void time()
{
    int khz;
    OK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
    clocks_per_ms = khz;
    begin();
    hold<<<1, 1, 0, s>>>(clocks_per_ms);
    follow(s, t, e);
    hold<<<1, 1, 0, s>>>(clocks_per_ms * 2);
    hold<<<1, 1, 0, t>>>(clocks_per_ms * 4);
    follow(t, s, f);
    hold<<<1, 1, 0, s>>>(clocks_per_ms);
    diamond = instantiate(end());
    float longest = ms_of([] { OK(cudaGraphLaunch(diamond, s)); });
    float sum_of_all = ms_of([] {
        for (int ms : {1, 2, 4, 1})
            hold<<<1, 1, 0, s>>>(clocks_per_ms * ms);
    });
    // 6 and 8 on a device whose clock runs at the rate that it states
    CHECK(longest < sum_of_all * 0.85 && longest > sum_of_all * 0.6);
    float twice = ms_of([] { // one instantiated graph: one after the other
        OK(cudaEventRecord(e, s));
        OK(cudaStreamWaitEvent(t, e, 0));
        OK(cudaGraphLaunch(diamond, s));
        OK(cudaGraphLaunch(diamond, t));
        follow(t, s, f);
    });
    CHECK(twice > longest * 1.8 && twice < longest * 2.2);
    begin();
    for (int i = 0; i < 200; i++)
        add<<<1, 32, 0, s>>>(a, 1);
    many = instantiate(end());
    float graph = ms_of([] { OK(cudaGraphLaunch(many, s)); });
    float launches = ms_of([] {
        for (int i = 0; i < 200; i++)
            add<<<1, 32, 0, s>>>(a, 1);
    });
    CHECK(graph < launches);
    OK(cudaGraphExecDestroy(diamond));
    OK(cudaGraphExecDestroy(many));
}

/* What only a launch in a stream may have, or this device has not, is refused (attribute_facts.cu). */
static void attributes()
{
    cudaGraph_t g;
    cudaGraphNode_t n;
    cudaKernelNodeParams p = {};
    int by = 1;
    void *args[] = {&a, &by};
    p.func = (void *)add;
    p.gridDim = p.blockDim = 1;
    p.kernelParams = args;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddKernelNode(&n, g, NULL, 0, &p));
    for (int i = 1; i < 20; i++) {
        cudaLaunchAttributeValue v = {};
        if (i == cudaLaunchAttributeClusterDimension)
            v.clusterDim.x = v.clusterDim.y = v.clusterDim.z = 1;
        bool others = i == cudaLaunchAttributeSynchronizationPolicy || i == cudaLaunchAttributeProgrammaticStreamSerialization ||
                      i == cudaLaunchAttributeProgrammaticEvent || i == cudaLaunchAttributeLaunchCompletionEvent;
        bool there = i <= cudaLaunchAttributeNvlinkUtilCentricScheduling && i != 15 && i != cudaLaunchAttributePreferredClusterDimension;
        GIVES(cudaGraphKernelNodeSetAttribute(n, (cudaLaunchAttributeID)i, &v), there && !others ? cudaSuccess : cudaErrorInvalidValue);
        there &= i != cudaLaunchAttributeNvlinkUtilCentricScheduling;
        GIVES(cudaGraphKernelNodeGetAttribute(n, (cudaLaunchAttributeID)i, &v), there && !others ? cudaSuccess : cudaErrorInvalidValue);
    }
    OK(cudaGraphDestroy(g));
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

int main()
{
    for (int **p : {&a, &b, &c})
        OK(cudaMalloc(p, 128));
    OK(cudaMallocHost(&pinned, 128));
    for (cudaStream_t *p : {&s, &t, &u})
        OK(cudaStreamCreateWithFlags(p, cudaStreamNonBlocking));
    for (cudaEvent_t *p : {&e, &f, &start, &stop})
        OK(cudaEventCreate(p));
    for (auto part : {capture_runs_nothing, fork_and_join, capture_info, forbidden, allowed, captures_and_ends, pageable, by_hand, edges,
                      children_and_clones, updates, circle, not_there, events_in_graphs, attributes, time})
        part();
    OK(cudaDeviceSynchronize());
    for (int *p : {a, b, c})
        OK(cudaFree(p));
    OK(cudaFreeHost(pinned));
    puts("graphs: all as it should be");
    return 0;
}
