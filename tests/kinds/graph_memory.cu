// Graphs' memory and conditional nodes: memory that a node allocates, used before, beside and after its allocation and
// its free, in the graph and outside; bodies of conditional nodes and what runs beside them. Each mistake beside its
// right twin.
//
// case freed_inside expect=silent
// case free_beside expect=stream-race
// case use_beside_allocation expect=stream-race also=leak
// case used_after_free expect=use-after-free
// case launched_again expect=silent
// case kept expect=silent
// case kept_elsewhere expect=stream-race also=leak
// case kept_event expect=silent
// case freed_outside expect=use-after-free
// case freed_outside_early expect=stream-race
// case freed_by_graph expect=silent
// case captured expect=silent
// case captured_copies expect=silent
// case captured_copy_beside expect=stream-race also=leak
// case not_yet_there expect=failed-call also=leak
// case captured_beside expect=stream-race also=leak
// case captured_free_beside expect=stream-race
// case auto_free expect=silent also=leak
// case branch expect=silent
// case branch_beside expect=stream-race
// case loop expect=silent
// case loop_beside expect=stream-race
// case loop_within expect=stream-race
// case loop_without_end expect=step-limit options=--step-limit=5000 says=cudaGraphSetConditional
// case result_after expect=silent
// case result_elsewhere expect=stream-race
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum { N = 32, BYTES = N * sizeof(int) };

__global__ void fill(int *x, int v) { x[threadIdx.x] = v; }
__global__ void add(int *to, const int *from) { to[threadIdx.x] += from[threadIdx.x]; }
__global__ void set(cudaGraphConditionalHandle h, unsigned v) { cudaGraphSetConditional(h, v); }
__global__ void down(cudaGraphConditionalHandle h, int *left) { cudaGraphSetConditional(h, --*left > 0); }

static int *out, *memory, *left;
static cudaStream_t s, t;
static cudaEvent_t event;
static cudaGraph_t graph;
static cudaGraphExec_t exec;
static cudaGraphNode_t allocation;

static cudaGraphNode_t kernel(cudaGraph_t g, void *f, void **args, unsigned threads, cudaGraphNode_t after)
{
    cudaKernelNodeParams p = {};
    p.func = f, p.gridDim = dim3(1), p.blockDim = dim3(threads), p.kernelParams = args;
    cudaGraphNode_t n;
    cudaGraphAddKernelNode(&n, g, after ? &after : nullptr, after != nullptr, &p);
    return n;
}

static cudaGraphNode_t fills(cudaGraph_t g, int *x, int v, cudaGraphNode_t after)
{
    void *args[] = {&x, &v};
    return kernel(g, (void *)fill, args, N, after);
}

static cudaGraphNode_t adds(cudaGraph_t g, int *to, int *from, cudaGraphNode_t after)
{
    void *args[] = {&to, &from};
    return kernel(g, (void *)add, args, N, after);
}

static void allocates()
{
    cudaMemAllocNodeParams p = {};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = BYTES;
    cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &p);
    memory = (int *)p.dptr;
}

static cudaGraphNode_t frees(cudaGraphNode_t after)
{
    cudaGraphNode_t n;
    cudaGraphAddMemFreeNode(&n, graph, &after, 1, memory);
    return n;
}

static void go(unsigned flags = 0)
{
    cudaGraphInstantiate(&exec, graph, flags);
    cudaGraphLaunch(exec, s);
}

// An allocation that stays, filled.
static void keep(unsigned flags = 0)
{
    allocates();
    fills(graph, memory, 3, allocation);
    go(flags);
}

static void follow(cudaStream_t from, cudaStream_t to)
{
    cudaEventRecord(event, from);
    cudaStreamWaitEvent(to, event, 0);
}

static void begin() { cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); }
static void end() { cudaStreamEndCapture(s, &graph); }

// A conditional node after a kernel that sets its value; the first body is the result.
static cudaGraph_t condition(cudaGraphConditionalNodeType type, cudaGraphConditionalHandle *h, cudaGraphNode_t *n,
                             cudaGraph_t *other = nullptr)
{
    cudaGraphConditionalHandleCreate(h, graph, 1, cudaGraphCondAssignDefault);
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = *h, p.conditional.type = type, p.conditional.size = other ? 2 : 1;
    unsigned one = 1;
    void *args[] = {h, &one};
    cudaGraphNode_t before = kernel(graph, (void *)set, args, 1, nullptr);
    cudaGraphAddNode(n, graph, &before, nullptr, 1, &p); // loop_without_end
    if (other)
        *other = p.conditional.phGraph_out[1];
    return p.conditional.phGraph_out[0];
}

// Three turns of a loop whose body adds to `out`.
static cudaGraphNode_t loops()
{
    cudaMalloc(&left, sizeof *left);
    int three = 3;
    cudaMemcpy(left, &three, sizeof three, cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    cudaGraphConditionalHandle h;
    cudaGraphNode_t n;
    cudaGraph_t body = condition(cudaGraphCondTypeWhile, &h, &n);
    void *args[] = {&h, &left};
    kernel(body, (void *)down, args, 1, adds(body, out, out + N, nullptr));
    return n;
}

static bool run(const char *name)
{
#define CASE(n) else if (!strcmp(name, n))
    cudaGraphConditionalHandle h;
    cudaGraphNode_t n;
    if (!*name)
        return false;
    CASE("loop_without_end") {
        cudaGraph_t body = condition(cudaGraphCondTypeWhile, &h, &n);
        fills(body, out, 3, nullptr);
        go();
    }
    CASE("freed_inside") {
        allocates();
        frees(adds(graph, out, memory, fills(graph, memory, 3, allocation)));
        go();
    }
    CASE("free_beside") {
        allocates();
        fills(graph, memory, 3, allocation);
        frees(allocation);
        go();
    }
    CASE("use_beside_allocation") {
        allocates();
        fills(graph, memory, 3, nullptr);
        go();
    }
    CASE("used_after_free") {
        allocates();
        adds(graph, out, memory, frees(fills(graph, memory, 3, allocation)));
        go();
    }
    CASE("launched_again") {
        allocates();
        frees(adds(graph, out, memory, fills(graph, memory, 3, allocation)));
        go();
        for (int i = 0; i < 3; i++)
            cudaGraphLaunch(exec, i % 2 ? s : t);
    }
    CASE("kept") {
        keep();
        add<<<1, N, 0, s>>>(out, memory);
        cudaFreeAsync(memory, s);
    }
    CASE("kept_elsewhere") {
        keep();
        fill<<<1, N, 0, t>>>(memory, 4);
    }
    CASE("kept_event") {
        keep();
        follow(s, t);
        add<<<1, N, 0, t>>>(out, memory);
        cudaFreeAsync(memory, t);
    }
    CASE("freed_outside") {
        keep();
        cudaFreeAsync(memory, s);
        add<<<1, N, 0, s>>>(out, memory);
    }
    CASE("freed_outside_early") {
        keep();
        cudaFreeAsync(memory, t);
    }
    CASE("freed_by_graph") {
        keep();
        cudaGraphCreate(&graph, 0);
        cudaGraphAddMemFreeNode(&n, graph, nullptr, 0, memory);
        go();
    }
    CASE("captured") {
        begin();
        cudaMallocAsync(&memory, BYTES, s);
        fill<<<1, N, 0, s>>>(memory, 3);
        follow(s, t);
        add<<<1, N, 0, t>>>(out, memory);
        follow(t, s);
        cudaFreeAsync(memory, s);
        end();
        go();
        cudaGraphLaunch(exec, s);
    }
    CASE("captured_copies") { // into memory of the graph's, within it, and out of it
        begin();
        cudaMallocAsync(&memory, BYTES, s);
        cudaMemcpyAsync(memory, out, BYTES, cudaMemcpyDefault, s);
        cudaMemsetAsync(memory, 0, BYTES / 2, s);
        cudaMemcpyAsync(out, memory, BYTES, cudaMemcpyDeviceToDevice, s);
        cudaFreeAsync(memory, s);
        end();
        go();
        cudaGraphLaunch(exec, s);
    }
    CASE("captured_copy_beside") {
        begin();
        follow(s, t);
        cudaMallocAsync(&memory, BYTES, s);
        cudaMemsetAsync(memory, 0, BYTES, t);
        follow(t, s);
        end();
        go();
    }
    CASE("not_yet_there") { // no launch has allocated it
        begin();
        cudaMallocAsync(&memory, BYTES, s);
        end();
        cudaMemcpy(out, memory, BYTES, cudaMemcpyDeviceToDevice); // not_yet_there
    }
    CASE("captured_beside") {
        begin();
        follow(s, t);
        cudaMallocAsync(&memory, BYTES, s);
        fill<<<1, N, 0, t>>>(memory, 3);
        follow(t, s);
        end();
        go();
    }
    CASE("captured_free_beside") {
        begin();
        cudaMallocAsync(&memory, BYTES, s);
        follow(s, t);
        fill<<<1, N, 0, t>>>(memory, 3);
        cudaFreeAsync(memory, s);
        follow(t, s);
        end();
        go();
    }
    CASE("auto_free") {
        keep(cudaGraphInstantiateFlagAutoFreeOnLaunch);
        for (int i = 0; i < 2; i++)
            cudaGraphLaunch(exec, s);
    }
    CASE("branch") {
        cudaGraph_t other, first = condition(cudaGraphCondTypeIf, &h, &n, &other);
        fills(first, out, 1, nullptr);
        fills(other, out, 2, nullptr);
        fills(graph, out, 3, n);
        go();
    }
    CASE("branch_beside") {
        fills(condition(cudaGraphCondTypeIf, &h, &n), out, 1, nullptr);
        fills(graph, out, 3, nullptr);
        go();
    }
    CASE("loop") {
        fills(graph, out, 3, loops());
        go();
        cudaGraphLaunch(exec, s);
    }
    CASE("loop_beside") {
        loops();
        fills(graph, out, 3, nullptr);
        go();
    }
    CASE("loop_within") {
        cudaGraph_t body = condition(cudaGraphCondTypeIf, &h, &n);
        fills(body, out, 1, nullptr);
        fills(body, out, 2, nullptr);
        go();
    }
    CASE("result_after") {
        loops();
        go();
        add<<<1, N, 0, s>>>(out + N, out);
    }
    CASE("result_elsewhere") {
        loops();
        go();
        add<<<1, N, 0, t>>>(out + N, out);
    }
    else {
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaMalloc(&out, 2 * BYTES);
    cudaMemset(out, 0, 2 * BYTES);
    cudaDeviceSynchronize();
    cudaGraphCreate(&graph, 0);
    bool known = argc > 1 && run(argv[1]);
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(left);
    return !known;
}
