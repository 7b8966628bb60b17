// Edges of graphs that begin at a kernel's triggers or beginnings (cudaGraphKernelNodePortProgrammatic, PortLaunchCompletion): the
// kernel behind one comes after the first one's end only by griddepcontrol.wait, if that. Each mistake beside its right twin.
//
// arch compute_90
// also --remote
//
// case edge_waits expect=silent
// case edge_never_waits expect=stream-race says=triggered.it
// case edge_default expect=silent
// case edge_begun_waits expect=silent
// case edge_begun_never_waits expect=stream-race says=cudaGridDependencySynchronize
// case edge_begun_only expect=stream-race says=have.begun
// case edge_other_data expect=silent
// case edge_third_behind_waiting expect=silent
// case edge_third_behind_idle expect=stream-race says=first.one.s.end
// case edge_before_it expect=silent
// case edge_no_trigger expect=silent
// case edge_behind_graph expect=silent
// case edge_other_graph expect=stream-race
// case edge_disabled expect=silent
// case edge_no_trigger_done expect=silent options=--seed=10
// case edge_trigger_done expect=stream-race
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum { N = 64, BLOCKS = 4, BYTES = BLOCKS * N * sizeof(int) };

__device__ int index() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ void trigger() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }
__device__ void wait() { asm volatile("griddepcontrol.wait;" ::: "memory"); }

__global__ void first(int *x, const int *)
{
    trigger();
    x[index()] = index() + 1; // edge_never_waits edge_begun_only
}

__global__ void first_quiet(int *x, const int *) { x[index()] = index() + 1; }

__global__ void waits(int *y, const int *x)
{
    wait();
    y[index()] = 2 * ((const volatile int *)x)[index()];
}

__global__ void reads(int *y, const int *x) { y[index()] = 2 * ((const volatile int *)x)[index()]; }

__global__ void idle(int *y, const int *) { y[index()] = 1; }

static cudaGraph_t graph;

static cudaGraphNode_t add(void (*kernel)(int *, const int *), int *y, int *x, const cudaGraphNode_t *before, int port, int type)
{
    cudaGraphNodeParams p = {};
    void *args[] = {&y, &x};
    p.type = cudaGraphNodeTypeKernel;
    p.kernel.func = (void *)kernel;
    p.kernel.gridDim = BLOCKS;
    p.kernel.blockDim = N;
    p.kernel.kernelParams = args;
    cudaGraphEdgeData data = {};
    data.from_port = port;
    data.type = type;
    cudaGraphNode_t node;
    if (cudaGraphAddNode(&node, graph, before, before ? &data : NULL, before != NULL, &p))
        printf("no node\n");
    return node;
}

int main(int argc, char **argv)
{
    auto is = [&](const char *name) { return argc > 1 && !strcmp(argv[1], name); };
    int *a, *b, *c;
    for (int **p : {&a, &b, &c}) {
        cudaMalloc(p, BYTES);
        cudaMemset(*p, 0, BYTES);
    }
    cudaDeviceSynchronize();
    enum { END = cudaGraphKernelNodePortDefault, TRIGGER = cudaGraphKernelNodePortProgrammatic, BEGUN = cudaGraphKernelNodePortLaunchCompletion };
    cudaGraphCreate(&graph, 0);
    cudaGraphNode_t root = NULL, one, two;
    if (is("edge_before_it"))
        root = add(idle, c, NULL, NULL, END, 0);
    one = add(is("edge_no_trigger") || is("edge_no_trigger_done") ? first_quiet : first, a, NULL, root ? &root : NULL, END, 0);
    if (is("edge_no_trigger_done") || is("edge_trigger_done")) { // chosen at the launch, when the first may have ended already
        cudaGraphConditionalHandle h;
        cudaGraphNodeParams p = {};
        cudaGraphConditionalHandleCreate(&h, graph, 0, cudaGraphCondAssignDefault);
        p.type = cudaGraphNodeTypeConditional;
        p.conditional.handle = h;
        p.conditional.type = cudaGraphCondTypeIf;
        p.conditional.size = 1;
        cudaGraphAddNode(&two, graph, NULL, NULL, 0, &p);
        add(reads, b, a, &one, TRIGGER, 1);
    } else if (is("edge_waits"))
        add(waits, b, a, &one, TRIGGER, 1);
    else if (is("edge_never_waits") || is("edge_no_trigger") || is("edge_disabled"))
        add(reads, b, a, &one, TRIGGER, 1);
    else if (is("edge_default"))
        add(reads, b, a, &one, END, 0);
    else if (is("edge_begun_waits"))
        add(waits, b, a, &one, BEGUN, 1);
    else if (is("edge_begun_never_waits"))
        add(reads, b, a, &one, BEGUN, 1);
    else if (is("edge_begun_only"))
        add(waits, b, a, &one, BEGUN, 0);
    else if (is("edge_before_it"))
        add(reads, b, c, &one, TRIGGER, 1);
    else {
        two = add(is("edge_third_behind_waiting") ? waits : idle, b, a, &one, TRIGGER, 1);
        if (is("edge_third_behind_waiting") || is("edge_third_behind_idle"))
            add(reads, c, a, &two, END, 0);
    }
    cudaStream_t s, t;
    cudaGraphExec_t exec;
    cudaEvent_t e;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEventCreate(&e);
    cudaGraphInstantiate(&exec, graph, 0);
    if (is("edge_disabled"))
        cudaGraphNodeSetEnabled(exec, one, 0);
    cudaGraphLaunch(exec, s);
    cudaEventRecord(e, s);
    if (is("edge_behind_graph")) // all of a graph has ended when it has
        cudaStreamWaitEvent(t, e, 0);
    if (is("edge_behind_graph") || is("edge_other_graph"))
        reads<<<BLOCKS, N, 0, t>>>(c, a);
    cudaError_t error = cudaDeviceSynchronize();
    if (error)
        printf("%s\n", cudaGetErrorString(error));
    for (int *p : {a, b, c})
        cudaFree(p);
    return error != cudaSuccess;
}
