// Kernel nodes that kernels update: an update is a store to what the node's next launch reads.
// nvcc: -rdc=true -lcudadevrt
// arch compute_90
// case before expect=silent
// case beside expect=stream-race
// case behind expect=silent
// case behind_other_launch expect=stream-race
// case itself expect=silent
// case same_stream expect=silent
// case other_stream expect=stream-race
// case other_stream_event expect=silent
// case two_threads expect=data-race
// case two_threads_barrier expect=silent
// case two_parameters expect=silent
// case grid_and_parameter expect=silent
// case two_batches expect=data-race
// case host_sets_beside expect=stream-race
// case host_sets_behind expect=silent
// case other_node expect=silent
// case disabled expect=silent
// case wild_value expect=out-of-bounds
// case trigger_edge expect=silent incomplete=programmatic.edge
// case begun_edge expect=stream-race
// case fired expect=silent incomplete=update
#include <cstdio>
#include <cstring>

typedef cudaGraphDeviceNode_t handle;
__device__ int result[4];

__global__ void target(int a, int b) { if (blockIdx.x == 0) { result[0] = a; result[1] = b; } }
__global__ void plain() { result[2] = 1; }
__global__ void sets(handle n, int v) { cudaGraphKernelNodeSetParam(n, 0, v); }
__global__ void sets_and_triggers(handle n, int v)
{
    cudaGraphKernelNodeSetParam(n, 0, v);
    __threadfence();
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}
__global__ void both(handle n) { if (threadIdx.x < 2) cudaGraphKernelNodeSetParam(n, 0, (int)threadIdx.x); }
__global__ void both_in_turn(handle n)
{
    if (threadIdx.x == 40)
        cudaGraphKernelNodeSetParam(n, 0, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        cudaGraphKernelNodeSetParam(n, 0, 2);
}
__global__ void each(handle n) { cudaGraphKernelNodeSetParam(n, threadIdx.x * sizeof(int), (int)threadIdx.x); }
__global__ void grid_and_parameter(handle n)
{
    if (threadIdx.x == 0)
        cudaGraphKernelNodeSetParam(n, 4, 7);
    else
        cudaGraphKernelNodeSetGridDim(n, dim3(3));
}
__global__ void batches(handle n)
{
    alignas(8) char raw[sizeof(cudaGraphKernelNodeUpdate)];
    cudaGraphKernelNodeUpdate *u = (cudaGraphKernelNodeUpdate *)raw;
    u->node = n;
    u->field = cudaGraphKernelNodeFieldEnabled;
    u->updateData.isEnabled = threadIdx.x;
    cudaGraphKernelNodeUpdatesApply(u, 1);
}
__global__ void off(handle n) { cudaGraphKernelNodeSetEnabled(n, false); }
__global__ void wild(handle n, const int *v) { cudaGraphKernelNodeSetParam(n, 0, v, sizeof *v); }
__global__ void own(int a, handle n) { result[0] = a; cudaGraphKernelNodeSetParam(n, 0, a + 1); }
__global__ void fires(cudaGraphExec_t x, handle n)
{
    cudaGraphKernelNodeSetParam(n, 0, 5);
    cudaGraphLaunch(x, cudaStreamGraphFireAndForget);
}

static cudaGraph_t graph;
static cudaGraphExec_t exec;
static handle updatable;
static cudaStream_t one, two;

static cudaGraphNode_t add(cudaGraph_t g, void *f, void **args, cudaGraphNode_t after = NULL, unsigned threads = 1)
{
    cudaGraphNode_t n;
    cudaKernelNodeParams p = {};
    p.func = f;
    p.gridDim = 1;
    p.blockDim = threads;
    p.kernelParams = args;
    cudaGraphAddKernelNode(&n, g, after ? &after : NULL, after != NULL, &p);
    return n;
}
static handle make_updatable(cudaGraphNode_t n)
{
    cudaLaunchAttributeValue v = {};
    v.deviceUpdatableKernelNode.deviceUpdatable = 1;
    cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeDeviceUpdatableKernelNode, &v);
    return v.deviceUpdatableKernelNode.devNode;
}
static cudaGraphNode_t add_target()
{
    int a = 1, b = 2;
    void *args[] = {&a, &b};
    cudaGraphNode_t t = add(graph, (void *)target, args);
    updatable = make_updatable(t);
    return t;
}
static cudaGraphNode_t add_setter(int v, cudaGraphNode_t after = NULL)
{
    void *args[] = {&updatable, &v};
    return add(graph, (void *)sets, args, after);
}
static void go(int times = 1, unsigned flags = 0)
{
    cudaGraphInstantiate(&exec, graph, flags);
    cudaGraphUpload(exec, one);
    for (int i = 0; i < times; i++)
        cudaGraphLaunch(exec, one);
}

static void edge(int port)
{
    cudaGraphNode_t t = add_target();
    int v = 5;
    void *args[] = {&updatable, &v};
    cudaGraphNode_t u = add(graph, (void *)sets_and_triggers, args);
    cudaGraphEdgeData d = {};
    d.from_port = port;
    d.type = cudaGraphDependencyTypeProgrammatic;
    cudaGraphAddDependencies(graph, &u, &t, &d, 1);
    go();
}

int main(int, char **argv)
{
    const char *what = argv[1];
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaGraphCreate(&graph, 0);
    cudaEvent_t event;
    cudaEventCreate(&event);
#define CASE(name) else if (!strcmp(what, #name))
    if (0) ;
    CASE(before) {
        cudaGraphNode_t t = add_target(), u = add_setter(5);
        cudaGraphAddDependencies(graph, &u, &t, NULL, 1);
        go(2);
    }
    CASE(beside) { add_target(); add_setter(5); go(); }
    CASE(trigger_edge) edge(cudaGraphKernelNodePortProgrammatic);
    CASE(begun_edge) edge(cudaGraphKernelNodePortLaunchCompletion); // its blocks have begun, no more
    CASE(behind) { add_setter(5, add_target()); go(3); }
    CASE(behind_other_launch) { // another graph's launch updates what this one's reads
        add_target();
        go();
        sets<<<1, 1, 0, two>>>(updatable, 3);
        cudaGraphLaunch(exec, one);
    }
    CASE(itself) {
        int a = 1;
        void *args[] = {&a, &updatable};
        cudaGraphNode_t t = add(graph, (void *)own, args);
        updatable = make_updatable(t);
        cudaKernelNodeParams p;
        cudaGraphKernelNodeGetParams(t, &p);
        p.kernelParams = args;
        cudaGraphKernelNodeSetParams(t, &p);
        go(3);
    }
    CASE(same_stream) { add_target(); go(); sets<<<1, 1, 0, one>>>(updatable, 3); cudaGraphLaunch(exec, one); }
    CASE(other_stream) {
        add_target();
        go();
        cudaStreamSynchronize(one);
        sets<<<1, 1, 0, two>>>(updatable, 3);
        cudaGraphLaunch(exec, one);
    }
    CASE(other_stream_event) {
        add_target();
        go();
        cudaStreamSynchronize(one);
        sets<<<1, 1, 0, two>>>(updatable, 3);
        cudaEventRecord(event, two);
        cudaStreamWaitEvent(one, event, 0);
        cudaGraphLaunch(exec, one);
    }
    CASE(two_threads) { add_target(); go(); both<<<1, 32, 0, one>>>(updatable); }
    CASE(two_threads_barrier) { add_target(); go(); both_in_turn<<<1, 64, 0, one>>>(updatable); }
    CASE(two_parameters) { add_target(); go(); each<<<1, 2, 0, one>>>(updatable); cudaGraphLaunch(exec, one); }
    CASE(grid_and_parameter) { add_target(); go(); grid_and_parameter<<<1, 2, 0, one>>>(updatable); cudaGraphLaunch(exec, one); }
    CASE(two_batches) { add_target(); go(); batches<<<1, 2, 0, one>>>(updatable); }
    CASE(host_sets_beside) { // what the host says is stored when the graph is launched
        cudaGraphNode_t t = add_target();
        go();
        cudaStreamSynchronize(one);
        cudaGraphNodeSetEnabled(exec, t, 0);
        sets<<<1, 1, 0, two>>>(updatable, 3);
        cudaGraphLaunch(exec, one);
    }
    CASE(host_sets_behind) {
        cudaGraphNode_t t = add_target();
        go();
        sets<<<1, 1, 0, one>>>(updatable, 3);
        cudaGraphNodeSetEnabled(exec, t, 0);
        cudaGraphLaunch(exec, one);
    }
    CASE(other_node) { // two nodes' updates have nothing to do with each other
        cudaGraphNode_t beside = add_target(), t = add_target(), u = add_setter(4);
        cudaGraphAddDependencies(graph, &u, &t, NULL, 1);
        cudaGraphAddDependencies(graph, &beside, &t, NULL, 1);
        go();
    }
    CASE(disabled) {
        cudaGraphNode_t t = add_target();
        void *args[] = {&updatable};
        cudaGraphNode_t u = add(graph, (void *)off, args);
        cudaGraphAddDependencies(graph, &u, &t, NULL, 1);
        go(2);
    }
    CASE(wild_value) {
        int *v;
        cudaMalloc(&v, 4);
        add_target();
        go();
        wild<<<1, 1, 0, one>>>(updatable, v + 1);
    }
    CASE(fired) {
        cudaGraph_t outer;
        cudaGraphExec_t x;
        add_target();
        cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch);
        cudaGraphUpload(exec, one);
        cudaGraphCreate(&outer, 0);
        void *args[] = {&exec, &updatable};
        add(outer, (void *)fires, args);
        cudaGraphInstantiate(&x, outer, cudaGraphInstantiateFlagDeviceLaunch);
        cudaGraphLaunch(x, one);
    }
    cudaStreamSynchronize(one);
    cudaStreamSynchronize(two);
    cudaDeviceSynchronize();
}
