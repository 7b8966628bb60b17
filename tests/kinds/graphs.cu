// Graphs: two nodes that use one memory without a path between them, and what is launched, read or reused
// beside a graph that has not been waited for. Each mistake beside its right twin.
//
// also --remote
//
// case edge expect=silent
// case no_edge expect=stream-race says=no.path.of.dependencies
// case edge_removed expect=stream-race
// case set_and_copy expect=silent
// case set_beside_copy expect=stream-race
// case readers expect=silent
// case halves expect=silent
// case child_after expect=silent
// case child_beside expect=stream-race
// case within_child expect=stream-race
// case cloned expect=silent
// case copied_arguments expect=silent
// case forked expect=silent
// case fork_too_early expect=stream-race says=cudaEventRecord.in.stream.1.after.line.[0-9]+,.and.cudaStreamWaitEvent.in.stream.2
// case joined expect=silent
// case join_too_late expect=stream-race
// case captured_copy expect=silent
// case captured_copy_beside expect=stream-race says=stream.2.did.not.wait.for.an.event.of.stream.1
// case own_capture expect=silent
// case waited expect=silent
// case result_too_early expect=stream-race
// case event_waited expect=silent
// case wrong_stream_waited expect=stream-race
// case source_later expect=silent
// case source_reused expect=stream-race says=nothing.has.waited.for.it
// case host_function_after expect=silent
// case host_function_beside expect=stream-race says=cudaGraphAddDependencies.from.the.node
// case next_in_stream expect=silent
// case other_stream_waits expect=silent
// case other_stream expect=stream-race says=cudaStreamWaitEvent.in.stream.2
// case same_exec expect=silent
// case execs_in_order expect=silent
// case two_execs expect=stream-race says=in.the.graph.that.stream.2.runs
// case record_node expect=silent
// case record_node_early expect=stream-race says=the.node.that.records.the.event
// case wait_node expect=silent
// case no_wait_node expect=stream-race
// case changed expect=silent
// case changed_to_one_buffer expect=stream-race
// case updated expect=silent
// case updated_to_one_buffer expect=stream-race
// case disabled expect=silent
// case enabled_again expect=stream-race
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__global__ void fill(int *x, int v) { x[threadIdx.x] = v; }
__global__ void add(int *to, const int *from) { to[threadIdx.x] += from[threadIdx.x]; }

static int *a, *b, *c, *pinned;
static volatile int sink;
static cudaStream_t s, t;
static cudaEvent_t fork_event, join_event;
static cudaGraph_t graph;
static cudaGraphExec_t exec, second;
static cudaGraphNode_t node[4];

// ---- nodes by hand ----

static cudaKernelNodeParams fill_of(int **x, int *v)
{
    static void *args[16][2];
    static int next;
    void **mine = args[next++ % 16];
    mine[0] = x;
    mine[1] = v;
    cudaKernelNodeParams p = {};
    p.func = (void *)fill;
    p.gridDim = dim3(1);
    p.blockDim = dim3(32);
    p.kernelParams = mine;
    return p;
}

static cudaKernelNodeParams add_of(int **to, int **from)
{
    cudaKernelNodeParams p = fill_of(to, (int *)from);
    p.func = (void *)add;
    return p;
}

static cudaGraphNode_t fill_node(cudaGraph_t g, int *x, int v, cudaGraphNode_t after = nullptr)
{
    cudaGraphNode_t n;
    cudaKernelNodeParams p = fill_of(&x, &v);
    cudaGraphAddKernelNode(&n, g, after ? &after : nullptr, after != nullptr, &p);
    return n;
}

static cudaGraphNode_t add_node(cudaGraph_t g, int *to, int *from, cudaGraphNode_t after = nullptr)
{
    cudaGraphNode_t n;
    cudaKernelNodeParams p = add_of(&to, &from);
    cudaGraphAddKernelNode(&n, g, after ? &after : nullptr, after != nullptr, &p);
    return n;
}

static void go(cudaStream_t in = s)
{
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, in);
}

static void begin() { cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); }
static void end() { cudaStreamEndCapture(s, &graph); }

static void follow(cudaStream_t from, cudaStream_t to, cudaEvent_t event)
{
    cudaEventRecord(event, from);
    cudaStreamWaitEvent(to, event, 0);
}

// What two graphs that write `a` look like when they run beside each other.
static void two_graphs()
{
    cudaGraph_t other;
    fill_node(graph, a, 1);
    cudaGraphCreate(&other, 0);
    fill_node(other, a, 2);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphInstantiate(&second, other, 0);
    cudaGraphLaunch(exec, s);
}

// The graph of one copy out into page-locked memory.
static void result_graph()
{
    begin();
    fill<<<1, 32, 0, s>>>(a, 1);
    cudaMemcpyAsync(pinned, a, 128, cudaMemcpyDeviceToHost, s); // result_too_early
    end();
    go();
}

static void read_pinned(void *) { sink = pinned[3]; }

#define CASE(name) else if (!strcmp(which, name))

static bool by_hand(const char *which)
{
    if (!*which)
        return false;
    CASE("edge") {
        node[0] = fill_node(graph, a, 1);
        add_node(graph, b, a, node[0]);
        go();
    }
    CASE("no_edge") {
        fill_node(graph, a, 1);
        add_node(graph, b, a);
        go();
    }
    CASE("edge_removed") {
        node[0] = fill_node(graph, a, 1);
        node[1] = add_node(graph, b, a, node[0]);
        cudaGraphRemoveDependencies(graph, node, node + 1, nullptr, 1);
        go();
    }
    CASE("set_and_copy") {
        cudaMemsetParams p = {a, 0, 0, 4, 32, 1};
        cudaGraphAddMemsetNode(node, graph, nullptr, 0, &p);
        cudaGraphAddMemcpyNode1D(node + 1, graph, node, 1, b, a, 128, cudaMemcpyDefault);
        go();
    }
    CASE("set_beside_copy") {
        cudaMemsetParams p = {a, 0, 0, 4, 32, 1};
        cudaGraphAddMemsetNode(node, graph, nullptr, 0, &p);
        cudaGraphAddMemcpyNode1D(node + 1, graph, nullptr, 0, b, a, 128, cudaMemcpyDefault); // set_beside_copy
        go();
    }
    CASE("readers") {
        node[0] = fill_node(graph, a, 1);
        add_node(graph, b, a, node[0]);
        add_node(graph, c, a, node[0]);
        go();
    }
    CASE("halves") {
        fill_node(graph, a, 1);
        fill_node(graph, a + 32, 2);
        go();
    }
    CASE("child_after") {
        cudaGraph_t child;
        cudaGraphCreate(&child, 0);
        fill_node(child, a, 1);
        cudaGraphAddChildGraphNode(node, graph, nullptr, 0, child);
        add_node(graph, b, a, node[0]);
        go();
    }
    CASE("child_beside") {
        cudaGraph_t child;
        cudaGraphCreate(&child, 0);
        fill_node(child, a, 1);
        cudaGraphAddChildGraphNode(node, graph, nullptr, 0, child);
        add_node(graph, b, a);
        go();
    }
    CASE("within_child") {
        cudaGraph_t child;
        cudaGraphCreate(&child, 0);
        fill_node(child, a, 1);
        fill_node(child, a, 2);
        cudaGraphAddChildGraphNode(node, graph, nullptr, 0, child);
        go();
    }
    CASE("cloned") {
        cudaGraph_t copy;
        node[0] = fill_node(graph, a, 1);
        add_node(graph, b, a, node[0]);
        cudaGraphClone(&copy, graph);
        cudaGraphDestroy(graph);
        graph = copy;
        go();
    }
    CASE("copied_arguments") { // they are what they were when the node was made
        int *x = a, v = 1;
        cudaKernelNodeParams p = fill_of(&x, &v);
        cudaGraphAddKernelNode(node, graph, nullptr, 0, &p);
        x = b;
        fill_node(graph, b, 2);
        go();
    }
    else return false;
    return true;
}

static bool by_capture(const char *which)
{
    if (!*which)
        return false;
    CASE("forked") {
        begin();
        fill<<<1, 32, 0, s>>>(a, 1);
        follow(s, t, fork_event);
        add<<<1, 32, 0, t>>>(b, a);
        follow(t, s, join_event);
        end();
        go();
    }
    CASE("fork_too_early") {
        begin();
        follow(s, t, fork_event);
        fill<<<1, 32, 0, s>>>(a, 1);
        add<<<1, 32, 0, t>>>(b, a);
        follow(t, s, join_event);
        end();
        go();
    }
    CASE("joined") {
        begin();
        follow(s, t, fork_event);
        fill<<<1, 32, 0, t>>>(a, 1);
        fill<<<1, 32, 0, s>>>(b, 1);
        follow(t, s, join_event);
        add<<<1, 32, 0, s>>>(b, a);
        end();
        go();
    }
    CASE("join_too_late") {
        begin();
        follow(s, t, fork_event);
        fill<<<1, 32, 0, t>>>(a, 1);
        fill<<<1, 32, 0, s>>>(b, 1);
        add<<<1, 32, 0, s>>>(b, a);
        follow(t, s, join_event);
        end();
        go();
    }
    CASE("captured_copy") {
        begin();
        fill<<<1, 32, 0, s>>>(a, 1);
        follow(s, t, fork_event);
        cudaMemcpyAsync(b, a, 128, cudaMemcpyDeviceToDevice, t);
        follow(t, s, join_event);
        end();
        go();
    }
    CASE("captured_copy_beside") {
        begin();
        follow(s, t, fork_event);
        fill<<<1, 32, 0, s>>>(a, 1);
        cudaMemcpyAsync(b, a, 128, cudaMemcpyDeviceToDevice, t); // captured_copy_beside
        follow(t, s, join_event);
        end();
        go();
    }
    CASE("own_capture") { // what was in the stream before the capture is not in the graph, but before it
        fill<<<1, 32, 0, s>>>(a, 1);
        begin();
        add<<<1, 32, 0, s>>>(b, a);
        end();
        go();
    }
    CASE("waited") {
        result_graph();
        cudaStreamSynchronize(s);
        sink = pinned[3];
    }
    CASE("result_too_early") {
        result_graph();
        sink = pinned[3];
    }
    CASE("event_waited") {
        result_graph();
        cudaEventRecord(join_event, s);
        cudaEventSynchronize(join_event);
        sink = pinned[3];
    }
    CASE("wrong_stream_waited") {
        result_graph();
        cudaStreamSynchronize(t);
        sink = pinned[3]; // wrong_stream_waited
    }
    CASE("source_later") {
        cudaGraphAddMemcpyNode1D(node, graph, nullptr, 0, a, pinned, 128, cudaMemcpyDefault);
        go();
        cudaStreamSynchronize(s);
        pinned[3] = 7;
    }
    CASE("source_reused") {
        cudaGraphAddMemcpyNode1D(node, graph, nullptr, 0, a, pinned, 128, cudaMemcpyDefault);
        go();
        pinned[3] = 7; // source_reused
    }
    CASE("host_function_after") {
        cudaHostNodeParams p = {read_pinned, nullptr};
        cudaGraphAddMemcpyNode1D(node, graph, nullptr, 0, pinned, a, 128, cudaMemcpyDefault);
        cudaGraphAddHostNode(node + 1, graph, node, 1, &p);
        go();
    }
    CASE("host_function_beside") {
        cudaHostNodeParams p = {read_pinned, nullptr};
        cudaGraphAddMemcpyNode1D(node, graph, nullptr, 0, pinned, a, 128, cudaMemcpyDefault);
        cudaGraphAddHostNode(node + 1, graph, nullptr, 0, &p);
        go();
    }
    else return false;
    return true;
}

static bool beside(const char *which)
{
    if (!*which)
        return false;
    CASE("next_in_stream") {
        fill_node(graph, a, 1);
        go();
        add<<<1, 32, 0, s>>>(b, a);
    }
    CASE("other_stream_waits") {
        fill_node(graph, a, 1);
        go();
        follow(s, t, join_event);
        add<<<1, 32, 0, t>>>(b, a);
    }
    CASE("other_stream") {
        fill_node(graph, a, 1);
        go();
        add<<<1, 32, 0, t>>>(b, a);
    }
    CASE("same_exec") { // one instantiated graph runs once at a time
        fill_node(graph, a, 1);
        go();
        cudaGraphLaunch(exec, t);
    }
    CASE("execs_in_order") {
        two_graphs();
        follow(s, t, join_event);
        cudaGraphLaunch(second, t);
    }
    CASE("two_execs") {
        two_graphs();
        cudaGraphLaunch(second, t);
    }
    CASE("record_node") {
        node[0] = fill_node(graph, a, 1);
        cudaGraphAddEventRecordNode(node + 1, graph, node, 1, join_event);
        go();
        cudaStreamWaitEvent(t, join_event, 0);
        add<<<1, 32, 0, t>>>(b, a);
    }
    CASE("record_node_early") {
        node[0] = fill_node(graph, a, 1);
        cudaGraphAddEventRecordNode(node + 1, graph, nullptr, 0, join_event);
        go();
        cudaStreamWaitEvent(t, join_event, 0);
        add<<<1, 32, 0, t>>>(b, a);
    }
    CASE("wait_node") {
        fill<<<1, 32, 0, t>>>(a, 1);
        cudaEventRecord(join_event, t);
        cudaGraphAddEventWaitNode(node, graph, nullptr, 0, join_event);
        add_node(graph, b, a, node[0]);
        go();
    }
    CASE("no_wait_node") {
        fill<<<1, 32, 0, t>>>(a, 1);
        cudaEventRecord(join_event, t);
        add_node(graph, b, a);
        go();
    }
    else return false;
    return true;
}

// Two nodes that nothing orders, on buffers of their own.
static void apart()
{
    node[0] = fill_node(graph, a, 1);
    node[1] = fill_node(graph, b, 2);
    cudaGraphInstantiate(&exec, graph, 0);
}

static bool changed(const char *which)
{
    int v = 3;
    if (!*which)
        return false;
    CASE("changed") {
        apart();
        cudaKernelNodeParams p = fill_of(&c, &v);
        cudaGraphExecKernelNodeSetParams(exec, node[1], &p);
        cudaGraphLaunch(exec, s);
    }
    CASE("changed_to_one_buffer") {
        apart();
        cudaKernelNodeParams p = fill_of(&a, &v);
        cudaGraphExecKernelNodeSetParams(exec, node[1], &p);
        cudaGraphLaunch(exec, s);
    }
    CASE("updated") {
        apart();
        cudaGraphExecUpdateResultInfo info;
        cudaKernelNodeParams p = fill_of(&c, &v);
        cudaGraphKernelNodeSetParams(node[1], &p);
        cudaGraphExecUpdate(exec, graph, &info);
        cudaGraphLaunch(exec, s);
    }
    CASE("updated_to_one_buffer") {
        apart();
        cudaGraphExecUpdateResultInfo info;
        cudaKernelNodeParams p = fill_of(&a, &v);
        cudaGraphKernelNodeSetParams(node[1], &p);
        cudaGraphExecUpdate(exec, graph, &info);
        cudaGraphLaunch(exec, s);
    }
    CASE("disabled") {
        node[0] = fill_node(graph, a, 1);
        fill_node(graph, a, 2);
        cudaGraphInstantiate(&exec, graph, 0);
        cudaGraphNodeSetEnabled(exec, node[0], 0);
        cudaGraphLaunch(exec, s);
    }
    CASE("enabled_again") {
        node[0] = fill_node(graph, a, 1);
        fill_node(graph, a, 2);
        cudaGraphInstantiate(&exec, graph, 0);
        cudaGraphNodeSetEnabled(exec, node[0], 0);
        cudaGraphLaunch(exec, s);
        cudaGraphNodeSetEnabled(exec, node[0], 1);
        cudaGraphLaunch(exec, s);
    }
    else return false;
    return true;
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "";
    for (int **p : {&a, &b, &c}) {
        cudaMalloc(p, 256);
        cudaMemset(*p, 0, 256);
    }
    cudaMallocHost(&pinned, 256);
    memset(pinned, 0, 256);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEventCreate(&fork_event);
    cudaEventCreate(&join_event);
    cudaGraphCreate(&graph, 0);
    cudaDeviceSynchronize();
    if (!by_hand(which) && !by_capture(which) && !beside(which) && !changed(which))
        return 2;
    cudaError_t e = cudaDeviceSynchronize();
    for (int *p : {a, b, c})
        cudaFree(p);
    cudaFreeHost(pinned);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    return e != cudaSuccess || cudaGetLastError() != cudaSuccess;
}
