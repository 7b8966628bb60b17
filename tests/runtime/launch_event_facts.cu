// nvcc: -arch=compute_90
// Facts about events that launches record and edges of graphs from a kernel's ports, one a line. The same program runs on a real GPU
// and on softgpu, and the two outputs are compared (launch_event_facts.gpu.txt).
//
//   nvcc -arch=sm_90 -cudart shared -o launch_event_facts launch_event_facts.cu && ./launch_event_facts
#include <cstdio>
#include <cstdlib>
#include <cstring>

static void fact(const char *name, cudaError_t e)
{
    printf("%s: %s\n", name, cudaGetErrorName(e));
    cudaGetLastError();
}
static void fact(const char *name, long long v) { printf("%s: %lld\n", name, v); }
#define FACT(call) fact(#call, call)

enum { BLOCKS = 2, THREADS = 32, ALL = BLOCKS * THREADS, POLLS = 1000000 };

// Counts the threads that have seen the second kernel's flag.
__global__ void first(volatile int *flag, int *seen, int triggers, int polls)
{
    if (triggers)
        asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    int i = 0;
    while (i < polls && !*flag)
        i++;
    atomicAdd(seen, i < polls);
}
__global__ void second(volatile int *flag) { *flag = 1; }

static int *flag, *seen;

static cudaEvent_t make(unsigned flags)
{
    cudaEvent_t e = NULL;
    cudaEventCreateWithFlags(&e, flags);
    return e;
}

static cudaLaunchAttribute attribute(int id, cudaEvent_t e, int flags = 0, int at_start = 0)
{
    cudaLaunchAttribute a = {};
    a.id = (cudaLaunchAttributeID)id;
    if (id == cudaLaunchAttributeProgrammaticEvent) {
        a.val.programmaticEvent.event = e;
        a.val.programmaticEvent.flags = flags;
        a.val.programmaticEvent.triggerAtBlockStart = at_start;
    } else {
        a.val.launchCompletionEvent.event = e;
        a.val.launchCompletionEvent.flags = flags;
    }
    return a;
}

static cudaError_t launch(cudaStream_t s, cudaLaunchAttribute a, int triggers, int polls)
{
    cudaLaunchConfig_t c = {};
    c.gridDim = BLOCKS;
    c.blockDim = THREADS;
    c.stream = s;
    c.attrs = &a;
    c.numAttrs = 1;
    return cudaLaunchKernelEx(&c, first, (volatile int *)flag, seen, triggers, polls);
}

static int count()
{
    int n;
    cudaDeviceSynchronize();
    cudaMemcpy(&n, seen, sizeof n, cudaMemcpyDeviceToHost);
    return n;
}

static void clear()
{
    cudaMemset(flag, 0, sizeof *flag);
    cudaMemset(seen, 0, sizeof *seen);
    cudaDeviceSynchronize();
}

// Did the first's threads see what the second, which waits for the event, stored? Once is enough.
static int met(int id, int triggers, int at_start)
{
    cudaStream_t s, t;
    cudaEvent_t e = make(cudaEventDisableTiming);
    int most = 0;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    for (int i = 0; i < 5; i++) {
        clear();
        launch(s, attribute(id, e, 0, at_start), triggers, POLLS);
        cudaStreamWaitEvent(t, e, 0);
        second<<<1, 1, 0, t>>>(flag);
        int n = count();
        most = n > most ? n : most;
    }
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
    cudaEventDestroy(e);
    return most == ALL;
}

static void launches(int id)
{
    cudaEvent_t plain = make(cudaEventDisableTiming), timed = make(cudaEventDefault), blocking = make(cudaEventDisableTiming | cudaEventBlockingSync),
                shared = make(cudaEventDisableTiming | cudaEventInterprocess);
    printf("-- attribute %d\n", id);
    clear();
    FACT(launch(0, attribute(id, NULL), 1, 0));
    FACT(launch(0, attribute(id, timed), 1, 0));
    FACT(launch(0, attribute(id, blocking), 1, 0));
    FACT(launch(0, attribute(id, shared), 1, 0));
    FACT(launch(0, attribute(id, plain, cudaEventRecordExternal), 1, 0));
    FACT(launch(0, attribute(id, plain, 2), 1, 0));
    FACT(launch(0, attribute(id, plain, 0, 5), 1, 0));
    FACT(launch(0, attribute(id, plain), 1, 0));
    FACT(cudaEventSynchronize(plain));
    FACT(cudaEventQuery(plain));
    cudaDeviceSynchronize();
}

static void attributes()
{
    cudaGraph_t g;
    cudaGraphNode_t n;
    int triggers = 1, polls = 0;
    void *args[] = {&flag, &seen, &triggers, &polls};
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeKernel;
    p.kernel.func = (void *)first;
    p.kernel.gridDim = p.kernel.blockDim = dim3(1);
    p.kernel.kernelParams = args;
    cudaLaunchAttribute a = {};
    cudaLaunchAttributeValue v;
    puts("-- other attributes");
    cudaGraphCreate(&g, 0);
    cudaGraphAddNode(&n, g, NULL, NULL, 0, &p);
    a.id = cudaLaunchAttributeDeviceUpdatableKernelNode;
    FACT(launch(0, a, 1, 0));
    FACT(cudaGraphKernelNodeSetAttribute(n, a.id, &a.val));
    a.val.deviceUpdatableKernelNode.deviceUpdatable = 1;
    FACT(launch(0, a, 1, 0));
    FACT(cudaGraphKernelNodeSetAttribute(n, a.id, &a.val));
    memset(&v, 0, sizeof v);
    FACT(cudaGraphKernelNodeGetAttribute(n, a.id, &v));
    FACT(v.deviceUpdatableKernelNode.deviceUpdatable);
    fact("a handle", v.deviceUpdatableKernelNode.devNode != NULL);
    a.val.deviceUpdatableKernelNode.deviceUpdatable = 0;
    FACT(cudaGraphKernelNodeSetAttribute(n, a.id, &a.val));
    FACT(cudaGraphDestroyNode(n));
    a.id = cudaLaunchAttributeNvlinkUtilCentricScheduling;
    a.val.nvlinkUtilCentricScheduling = 1;
    FACT(launch(0, a, 1, 0));
    cudaDeviceSynchronize();
    cudaGraphDestroy(g);
}

// ---- Edges of graphs ----

static cudaGraphEdgeData edge(int port, int type, int to = 0)
{
    cudaGraphEdgeData d = {};
    d.from_port = port;
    d.to_port = to;
    d.type = type;
    return d;
}

static int triggers = 1, no_polls = 0;

static cudaGraphNode_t kernel(cudaGraph_t g, int *polls)
{
    cudaGraphNode_t n = NULL;
    static int many = POLLS;
    void *args[] = {&flag, &seen, &triggers, polls ? polls : &many}, *flag_only[] = {&flag};
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeKernel;
    p.kernel.func = polls ? (void *)first : (void *)second;
    p.kernel.gridDim = p.kernel.blockDim = dim3(1);
    p.kernel.kernelParams = polls ? args : flag_only;
    cudaGraphAddNode(&n, g, NULL, NULL, 0, &p);
    return n;
}

static int met_in_graph(cudaGraphEdgeData data, int triggered)
{
    cudaGraph_t g;
    cudaGraphExec_t x;
    int polls = POLLS, most = 0;
    triggers = triggered;
    cudaGraphCreate(&g, 0);
    cudaGraphNode_t one = kernel(g, &polls), two = kernel(g, NULL);
    cudaGraphAddDependencies(g, &one, &two, &data, 1);
    cudaGraphInstantiate(&x, g, 0);
    for (int i = 0; i < 5; i++) {
        clear();
        cudaGraphLaunch(x, 0);
        int n = count();
        most = n > most ? n : most;
    }
    cudaGraphExecDestroy(x);
    cudaGraphDestroy(g);
    triggers = 1;
    return most;
}

static void edges()
{
    cudaGraph_t g, copy;
    cudaGraphNode_t from, to;
    cudaGraphNodeParams nothing = {};
    cudaGraphEdgeData whole = {}, got, trigger = edge(1, 1), begun = edge(2, 0), both = edge(2, 1);
    nothing.type = cudaGraphNodeTypeEmpty;
    puts("-- edges");
    cudaGraphCreate(&g, 0);
    cudaGraphNode_t one = kernel(g, &no_polls), two = kernel(g, &no_polls), none;
    cudaGraphAddNode(&none, g, NULL, NULL, 0, &nothing);
    for (int port = 0; port < 4; port++)
        for (int type = 0; type < 3; type++)
            for (int to_port = 0; to_port < 2; to_port++)
                for (int kind = 0; kind < 3; kind++) { // kernel to kernel, to nothing, nothing to kernel
                    cudaGraphEdgeData d = edge(port, type, to_port);
                    cudaGraphNode_t a = kind == 2 ? none : one, b = kind == 1 ? none : two;
                    cudaError_t e = cudaGraphAddDependencies(g, &a, &b, &d, 1);
                    printf("edge %d: port %d, type %d, to %d: %s", kind, port, type, to_port, cudaGetErrorName(e));
                    if (!e)
                        printf(", removed: %s", cudaGetErrorName(cudaGraphRemoveDependencies(g, &a, &b, &d, 1)));
                    puts("");
                    cudaGetLastError();
                }
    // Removed with other data than it was made with.
    cudaGraphEdgeData made[] = {whole, trigger, begun, both};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 5; k++) {
            cudaGraphAddDependencies(g, &one, &two, &made[i], 1);
            cudaError_t e = cudaGraphRemoveDependencies(g, &one, &two, k < 4 ? &made[k] : NULL, 1);
            printf("made as %d, removed as %d: %s\n", i, k, cudaGetErrorName(e));
            size_t left = 0;
            cudaGraphGetEdges(g, NULL, NULL, NULL, &left);
            fact("left", (long long)left);
            if (left)
                cudaGraphRemoveDependencies(g, &one, &two, &made[i], 1);
            cudaGetLastError();
        }
    // The same two nodes twice.
    cudaGraphAddDependencies(g, &one, &two, &trigger, 1);
    FACT(cudaGraphAddDependencies(g, &one, &two, &trigger, 1));
    FACT(cudaGraphAddDependencies(g, &one, &two, NULL, 1));
    FACT(cudaGraphAddDependencies(g, &one, &two, &begun, 1));
    size_t count = 9;
    cudaGraphNode_t f[9], t[9];
    cudaGraphEdgeData d[9];
    FACT(cudaGraphGetEdges(g, f, t, d, &count));
    fact("edges", (long long)count);
    for (size_t i = 0; i < count && i < 9; i++)
        printf("from port %d, type %d\n", d[i].from_port, d[i].type);
    for (size_t i = 0; i < count && i < 9; i++)
        cudaGraphRemoveDependencies(g, &f[i], &t[i], &d[i], 1);
    cudaGraphAddDependencies(g, &one, &two, &trigger, 1);
    FACT(cudaGraphClone(&copy, g));
    count = 1;
    FACT(cudaGraphGetEdges(g, &from, &to, &got, &count));
    FACT(cudaGraphGetEdges(copy, &from, &to, &got, &count));
    printf("from port %d, type %d\n", got.from_port, got.type);
    FACT(cudaGraphGetEdges(g, &from, &to, NULL, &count));
    FACT(cudaGraphGetEdges(g, NULL, NULL, NULL, &count));
    FACT(cudaGraphNodeGetDependencies(two, &from, NULL, &count));
    FACT(cudaGraphNodeGetDependencies(two, NULL, NULL, &count));
    FACT(cudaGraphNodeGetDependentNodes(one, &to, NULL, &count));
    FACT(cudaGraphNodeGetDependentNodes(one, &to, &got, &count));
    cudaGraphExec_t x;
    cudaGraphExecUpdateResultInfo why;
    FACT(cudaGraphInstantiate(&x, g, 0));
    FACT(cudaGraphExecUpdate(x, copy, &why));
    cudaGraphRemoveDependencies(g, &one, &two, &trigger, 1);
    cudaGraphAddDependencies(g, &one, &two, NULL, 1);
    FACT(cudaGraphExecUpdate(x, g, &why));
    FACT(why.result);
    cudaGraphExecDestroy(x);
    cudaGraphDestroy(copy);
    cudaGraphDestroy(g);
}

// ---- Captures ----

static void show(const char *what, cudaError_t e, size_t count, const cudaGraphEdgeData *d)
{
    printf("%s: %s, %zu", what, cudaGetErrorName(e), count);
    for (size_t i = 0; !e && i < count && d; i++)
        printf(" (from port %d, to %d, type %d)", d[i].from_port, d[i].to_port, d[i].type);
    puts("");
    cudaGetLastError();
}

static void captured(int id, int at_start, int behind)
{
    cudaStream_t s, t;
    cudaGraph_t g = NULL;
    cudaGraphNode_t from[4], to[4];
    const cudaGraphNode_t *tail;
    const cudaGraphEdgeData *data = NULL;
    cudaGraphEdgeData got[4];
    cudaStreamCaptureStatus status;
    cudaEvent_t e = make(cudaEventDisableTiming), back = make(cudaEventDisableTiming);
    size_t count = 0;
    printf("-- captured %d %d %d\n", id, at_start, behind);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    FACT(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    FACT(launch(s, attribute(id, e, 0, at_start), 1, 0));
    FACT(cudaStreamWaitEvent(t, e, 0));
    cudaError_t error = cudaStreamGetCaptureInfo(s, &status, NULL, NULL, &tail, &data, &count);
    show("the stream", error, count, data);
    error = cudaStreamGetCaptureInfo(t, &status, NULL, NULL, &tail, &data, &count);
    show("the other", error, count, data);
    error = cudaStreamGetCaptureInfo(t, &status, NULL, NULL, &tail, NULL, &count);
    show("without data", error, 0, NULL);
    if (behind == 0)
        second<<<1, 1, 0, t>>>(flag);
    else if (behind == 1)
        fact("a fill behind", cudaMemsetAsync(flag, 0, 4, t));
    else
        fact("an event behind", cudaEventRecord(back, t));
    fact("captured", cudaGetLastError());
    if (behind < 2)
        FACT(cudaEventRecord(back, t));
    FACT(cudaStreamWaitEvent(s, back, 0));
    FACT(cudaStreamEndCapture(s, &g));
    count = 4;
    if (g) {
        error = cudaGraphGetEdges(g, from, to, got, &count);
        show("edges", error, count, got);
        cudaGraphExec_t x = NULL;
        FACT(cudaGraphInstantiate(&x, g, 0));
        FACT(cudaGraphLaunch(x, 0));
        FACT(cudaDeviceSynchronize());
        cudaGraphExecDestroy(x);
        cudaGraphDestroy(g);
    }
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
}

// Launches with programmatic stream serialization.
static void serialized()
{
    cudaStream_t s;
    cudaGraph_t g = NULL;
    cudaGraphNode_t from[9], to[9], nodes[9];
    cudaGraphEdgeData got[9];
    size_t count = 9, many = 9;
    cudaLaunchAttribute a = {};
    puts("-- serialized");
    a.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    a.val.programmaticStreamSerializationAllowed = 1;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    FACT(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    FACT(launch(s, a, 1, 0));
    FACT(launch(s, a, 1, 0));
    FACT(cudaMemsetAsync(flag, 0, 4, s));
    FACT(launch(s, a, 1, 0));
    second<<<1, 1, 0, s>>>(flag);
    FACT(launch(s, a, 1, 0));
    FACT(cudaStreamEndCapture(s, &g));
    FACT(cudaGraphGetEdges(g, from, to, got, &count));
    FACT(cudaGraphGetNodes(g, nodes, &many));
    fact("edges", (long long)count);
    for (size_t i = 0; i < many; i++)
        for (size_t k = 0; k < many; k++)
            for (size_t e = 0; e < count; e++)
                if (from[e] == nodes[i] && to[e] == nodes[k])
                    printf("%zu -> %zu from port %d, type %d\n", i, k, got[e].from_port, got[e].type);
    cudaGraphExec_t x = NULL;
    FACT(cudaGraphInstantiate(&x, g, 0));
    FACT(cudaGraphLaunch(x, 0));
    FACT(cudaDeviceSynchronize());
    cudaGraphExecDestroy(x);
    cudaGraphDestroy(g);
    cudaStreamDestroy(s);
}

static void to_graph()
{
    cudaStream_t s;
    cudaGraph_t g;
    puts("-- into a graph");
    cudaGraphCreate(&g, 0);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaGraphNode_t one = kernel(g, &no_polls);
    for (int port = 0; port < 3; port++)
        for (int type = 0; type < 2; type++) {
            cudaGraphEdgeData d = edge(port, type);
            cudaGraph_t out = NULL;
            printf("port %d, type %d: %s\n", port, type,
                   cudaGetErrorName(cudaStreamBeginCaptureToGraph(s, g, &one, &d, 1, cudaStreamCaptureModeRelaxed)));
            second<<<1, 1, 0, s>>>(flag);
            FACT(cudaStreamEndCapture(s, &out));
            cudaGetLastError();
        }
    cudaGraphDestroy(g);
    cudaStreamDestroy(s);
    cudaDeviceSynchronize();
}

int main()
{
    enum { PROGRAMMATIC = cudaLaunchAttributeProgrammaticEvent, COMPLETION = cudaLaunchAttributeLaunchCompletionEvent };
    cudaMalloc(&flag, sizeof *flag);
    cudaMalloc(&seen, sizeof *seen);
    FACT(met(PROGRAMMATIC, 1, 0));
    FACT(met(PROGRAMMATIC, 0, 0));
    FACT(met(PROGRAMMATIC, 0, 1));
    FACT(met(COMPLETION, 0, 0));
    FACT(met_in_graph(edge(1, 1), 1));
    FACT(met_in_graph(edge(1, 1), 0));
    FACT(met_in_graph(edge(2, 1), 0));
    FACT(met_in_graph(edge(2, 0), 0));
    FACT(met_in_graph(edge(0, 0), 1));
    launches(PROGRAMMATIC);
    launches(COMPLETION);
    attributes();
    edges();
    for (int behind = 0; behind < 3; behind++) {
        captured(PROGRAMMATIC, 0, behind);
        captured(PROGRAMMATIC, 1, behind);
        captured(COMPLETION, 0, behind);
    }
    serialized();
    to_graph();
    return 0;
}
