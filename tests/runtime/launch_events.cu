// nvcc: -arch=compute_90
// Events that a launch records, and edges of graphs from such points of a kernel: who waits for one begins while the kernel still
// runs; which events and edges there may be. What
// an H200 says of the calls is in launch_event_facts.gpu.txt.
#include "check.cuh"

enum { BLOCKS = 2, THREADS = 32, POLLS = 2000 };

// Counts the threads that have seen the second kernel's flag.
__global__ void first(volatile int *flag, int *seen, int triggers)
{
    if (triggers)
        asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    int i = 0;
    while (i < POLLS && !*flag)
        i++;
    atomicAdd(seen, i < POLLS);
}

__global__ void second(volatile int *flag) { *flag = 1; }

static cudaEvent_t make(unsigned flags)
{
    cudaEvent_t e;
    OK(cudaEventCreateWithFlags(&e, flags));
    return e;
}

static cudaLaunchAttribute attribute(cudaLaunchAttributeID id, cudaEvent_t e, int flags = 0, int at_start = 0)
{
    cudaLaunchAttribute a = {};
    a.id = id;
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

static int *flag, *seen;

static cudaError_t launch(cudaStream_t s, cudaLaunchAttribute a, int triggers)
{
    cudaLaunchConfig_t c = {};
    c.gridDim = BLOCKS;
    c.blockDim = THREADS;
    c.stream = s;
    c.attrs = &a;
    c.numAttrs = 1;
    return cudaLaunchKernelEx(&c, first, (volatile int *)flag, seen, triggers);
}

// How many threads of the first saw what the second, which waits for the event, stored.
static int met(cudaLaunchAttribute a, cudaEvent_t e, int triggers)
{
    cudaStream_t s, t;
    int n;
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    OK(cudaMemset(flag, 0, sizeof *flag));
    OK(cudaMemset(seen, 0, sizeof *seen));
    OK(cudaDeviceSynchronize());
    OK(launch(s, a, triggers));
    OK(cudaStreamWaitEvent(t, e, 0));
    second<<<1, 1, 0, t>>>(flag);
    OK(cudaEventSynchronize(e));
    OK(cudaEventQuery(e));
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(&n, seen, sizeof n, cudaMemcpyDeviceToHost));
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(t));
    return n;
}

static void errors(cudaLaunchAttributeID id)
{
    cudaEvent_t plain = make(cudaEventDisableTiming);
    GIVES(launch(0, attribute(id, NULL), 1), cudaErrorInvalidResourceHandle);
    GIVES(launch(0, attribute(id, make(cudaEventDefault)), 1), cudaErrorNotSupported);
    GIVES(launch(0, attribute(id, make(cudaEventDisableTiming | cudaEventInterprocess)), 1), cudaErrorNotSupported);
    GIVES(launch(0, attribute(id, plain, cudaEventRecordExternal), 1), cudaErrorIllegalState);
    GIVES(cudaGetLastError(), cudaErrorIllegalState);
    OK(launch(0, attribute(id, plain), 1));
    OK(cudaEventSynchronize(plain));
    OK(cudaEventDestroy(plain));
}

// ---- Edges of graphs ----

static cudaGraphEdgeData edge(int port, int type)
{
    cudaGraphEdgeData d = {};
    d.from_port = port;
    d.type = type;
    return d;
}

static cudaGraphNodeParams kernel_node(void *function, void **args)
{
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeKernel;
    p.kernel.func = function;
    p.kernel.gridDim = p.kernel.blockDim = dim3(1);
    p.kernel.kernelParams = args;
    return p;
}

// How many threads of the first saw what the second stored, with this edge between them.
static int met_in_graph(cudaGraphEdgeData data, int triggers)
{
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphNode_t one, two;
    int n;
    void *args[] = {&flag, &seen, &triggers};
    cudaGraphNodeParams p = kernel_node((void *)first, args), q = kernel_node((void *)second, args);
    OK(cudaMemset(flag, 0, sizeof *flag));
    OK(cudaMemset(seen, 0, sizeof *seen));
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddNode(&one, g, NULL, NULL, 0, &p));
    OK(cudaGraphAddNode(&two, g, &one, &data, 1, &q));
    OK(cudaGraphInstantiate(&x, g, 0));
    OK(cudaGraphLaunch(x, 0));
    OK(cudaStreamSynchronize(0));
    OK(cudaMemcpy(&n, seen, sizeof n, cudaMemcpyDeviceToHost));
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(g));
    return n;
}

static void edges()
{
    cudaGraph_t g, copy;
    cudaGraphNode_t one, two, none, from, to;
    int triggers = 1;
    void *args[] = {&flag, &seen, &triggers};
    cudaGraphNodeParams p = kernel_node((void *)first, args), nothing = {};
    nothing.type = cudaGraphNodeTypeEmpty;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddNode(&one, g, NULL, NULL, 0, &p));
    OK(cudaGraphAddNode(&two, g, NULL, NULL, 0, &p));
    OK(cudaGraphAddNode(&none, g, NULL, NULL, 0, &nothing));
    cudaGraphEdgeData trigger = edge(cudaGraphKernelNodePortProgrammatic, cudaGraphDependencyTypeProgrammatic), whole = {}, got;
    cudaGraphEdgeData begun = edge(cudaGraphKernelNodePortLaunchCompletion, cudaGraphDependencyTypeDefault);
    for (cudaGraphEdgeData wrong : {edge(cudaGraphKernelNodePortDefault, cudaGraphDependencyTypeProgrammatic),
                                    edge(cudaGraphKernelNodePortProgrammatic, cudaGraphDependencyTypeDefault), edge(3, 1), edge(0, 2)})
        GIVES(cudaGraphAddDependencies(g, &one, &two, &wrong, 1), cudaErrorInvalidValue);
    GIVES(cudaGraphAddDependencies(g, &none, &two, &begun, 1), cudaErrorInvalidValue); // only kernels have ports
    GIVES(cudaGraphAddDependencies(g, &one, &none, &trigger, 1), cudaErrorInvalidValue); // and can wait
    GIVES(cudaGraphAddNode(&from, g, &one, &trigger, 1, &nothing), cudaErrorInvalidValue);
    OK(cudaGraphAddDependencies(g, &one, &none, &begun, 1));
    OK(cudaGraphRemoveDependencies(g, &one, &none, &whole, 1)); // whatever data are named
    GIVES(cudaGraphRemoveDependencies(g, &one, &none, &begun, 1), cudaErrorInvalidValue);
    OK(cudaGraphAddDependencies(g, &one, &two, &trigger, 1));
    OK(cudaGraphClone(&copy, g));
    for (cudaGraph_t of : {g, copy}) {
        size_t count = 1;
        OK(cudaGraphGetEdges(of, &from, &to, &got, &count));
        CHECK(count == 1 && !memcmp(&got, &trigger, sizeof got));
        GIVES(cudaGraphGetEdges(of, &from, &to, NULL, &count), cudaErrorLossyQuery);
        OK(cudaGraphGetEdges(of, NULL, NULL, NULL, &count));
        CHECK(count == 1);
    }
    size_t count = 1;
    OK(cudaGraphNodeGetDependencies(two, &from, &got, &count));
    CHECK(from == one && !memcmp(&got, &trigger, sizeof got));
    GIVES(cudaGraphNodeGetDependencies(two, &from, NULL, &count), cudaErrorLossyQuery);
    OK(cudaGraphNodeGetDependentNodes(one, &to, &got, &count));
    CHECK(to == two && !memcmp(&got, &trigger, sizeof got));
    GIVES(cudaGraphNodeGetDependentNodes(one, &to, NULL, &count), cudaErrorLossyQuery);
    cudaGraphExec_t x; // an edge of another kind is another graph
    cudaGraphExecUpdateResultInfo why;
    OK(cudaGraphInstantiate(&x, g, 0));
    OK(cudaGraphExecUpdate(x, copy, &why));
    OK(cudaGraphRemoveDependencies(g, &one, &two, &trigger, 1));
    OK(cudaGraphAddDependencies(g, &one, &two, NULL, 1));
    GIVES(cudaGraphExecUpdate(x, g, &why), cudaErrorGraphExecUpdateFailure);
    CHECK(why.result == cudaGraphExecUpdateErrorTopologyChanged);
    OK(cudaGraphDestroy(copy));
    OK(cudaGraphDestroy(g));
}

// ---- Captures ----

// The edge that a captured launch with this attribute and a wait for its event make.
static void captured(cudaLaunchAttribute a, cudaEvent_t e, cudaGraphEdgeData want)
{
    cudaStream_t s, t;
    cudaGraph_t g;
    cudaGraphNode_t from, to;
    const cudaGraphNode_t *tail;
    const cudaGraphEdgeData *data;
    cudaGraphEdgeData got;
    cudaStreamCaptureStatus status;
    cudaEvent_t back = make(cudaEventDisableTiming);
    size_t count = 1;
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(launch(s, a, 1));
    OK(cudaStreamWaitEvent(t, e, 0));
    OK(cudaStreamGetCaptureInfo(s, &status, NULL, NULL, &tail, NULL, &count));
    OK(cudaStreamGetCaptureInfo(t, &status, NULL, NULL, &tail, &data, &count));
    CHECK(count == 1 && !memcmp(data, &want, sizeof want));
    GIVES(cudaStreamGetCaptureInfo(t, &status, NULL, NULL, &tail, NULL, &count), cudaErrorLossyQuery);
    second<<<1, 1, 0, t>>>(flag);
    OK(cudaEventRecord(back, t));
    OK(cudaStreamWaitEvent(s, back, 0));
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphGetEdges(g, &from, &to, &got, &count));
    CHECK(count == 1 && !memcmp(&got, &want, sizeof got));
    OK(cudaGraphDestroy(g));

    OK(cudaGraphCreate(&g, 0)); // and one that is said
    int triggers = 1;
    void *args[] = {&flag, &seen, &triggers};
    cudaGraphNodeParams p = kernel_node((void *)first, args);
    cudaGraphEdgeData wrong = edge(0, 1);
    OK(cudaGraphAddNode(&from, g, NULL, NULL, 0, &p));
    GIVES(cudaStreamBeginCaptureToGraph(s, g, &from, &wrong, 1, cudaStreamCaptureModeGlobal), cudaErrorInvalidValue);
    OK(cudaStreamBeginCaptureToGraph(s, g, &from, &want, 1, cudaStreamCaptureModeGlobal));
    second<<<1, 1, 0, s>>>(flag);
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphGetEdges(g, &from, &to, &got, &count));
    CHECK(count == 1 && !memcmp(&got, &want, sizeof got));
    OK(cudaGraphDestroy(g));
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(t));
}

// Only graphs have nodes that kernels update (node_update.cu); to say that a node is none is fine. What only tunes speed is taken.
static void other_attributes()
{
    cudaGraph_t g;
    cudaGraphNode_t n;
    int triggers = 1;
    void *args[] = {&flag, &seen, &triggers};
    cudaGraphNodeParams p = kernel_node((void *)first, args);
    cudaLaunchAttribute a = {};
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p));
    a.id = cudaLaunchAttributeDeviceUpdatableKernelNode;
    OK(cudaGraphKernelNodeSetAttribute(n, a.id, &a.val));
    GIVES(launch(0, a, 1), cudaErrorNotSupported);
    a.val.deviceUpdatableKernelNode.deviceUpdatable = 1;
    GIVES(launch(0, a, 1), cudaErrorNotSupported);
    GIVES(cudaGetLastError(), cudaErrorNotSupported);
    OK(cudaGraphDestroy(g));
    a.id = cudaLaunchAttributeNvlinkUtilCentricScheduling;
    a.val.nvlinkUtilCentricScheduling = 1;
    OK(launch(0, a, 1));
    OK(cudaDeviceSynchronize());
}

int main()
{
    OK(cudaMalloc(&flag, sizeof *flag));
    OK(cudaMalloc(&seen, sizeof *seen));
    cudaEvent_t e = make(cudaEventDisableTiming);
    enum { ALL = BLOCKS * THREADS };
    CHECK(met(attribute(cudaLaunchAttributeProgrammaticEvent, e), e, 1) == ALL);
    CHECK(met(attribute(cudaLaunchAttributeProgrammaticEvent, e), e, 0) == 0);
    CHECK(met(attribute(cudaLaunchAttributeProgrammaticEvent, e, 0, 1), e, 0) == ALL);
    CHECK(met(attribute(cudaLaunchAttributeLaunchCompletionEvent, e), e, 0) == ALL);
    CHECK(met_in_graph(edge(cudaGraphKernelNodePortProgrammatic, 1), 1) == 1);
    CHECK(met_in_graph(edge(cudaGraphKernelNodePortProgrammatic, 1), 0) == 0);
    CHECK(met_in_graph(edge(cudaGraphKernelNodePortLaunchCompletion, 1), 0) == 1);
    CHECK(met_in_graph(edge(cudaGraphKernelNodePortLaunchCompletion, 0), 0) == 1);
    CHECK(met_in_graph(edge(cudaGraphKernelNodePortDefault, 0), 1) == 0);
    edges();
    other_attributes();
    captured(attribute(cudaLaunchAttributeProgrammaticEvent, e), e, edge(cudaGraphKernelNodePortProgrammatic, 1));
    captured(attribute(cudaLaunchAttributeProgrammaticEvent, e, 0, 1), e, edge(cudaGraphKernelNodePortLaunchCompletion, 1));
    captured(attribute(cudaLaunchAttributeLaunchCompletionEvent, e), e, edge(cudaGraphKernelNodePortLaunchCompletion, 0));
    errors(cudaLaunchAttributeProgrammaticEvent);
    errors(cudaLaunchAttributeLaunchCompletionEvent);
    printf("launch_events ok\n");
}
