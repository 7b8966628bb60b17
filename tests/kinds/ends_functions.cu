// Host functions that the program's end finds still to be run: nobody has waited for them. Kernels that do not come after one are run and judged all the same.
// case waits_not expect=not-waited level=warning says=host.function.of.cudaLaunchHostFunc
// case waits expect=silent
// case waits_by_event expect=silent
// case waits_by_query expect=silent
// case waits_for_another expect=not-waited level=warning
// case calls_back expect=not-waited level=warning says=cudaStreamAddCallback
// case calls_back_waited expect=silent
// case exits expect=not-waited level=warning
// case in_graph expect=not-waited level=warning
// case in_graph_waited expect=silent
// case node expect=not-waited level=warning says=host.function.of.cudaGraphLaunch
// case node_waited expect=silent
// case tells expect=silent
// case tells_condition expect=silent
// case beside_wrong expect=out-of-bounds also=not-waited
// case beside_right expect=not-waited level=warning
// case before_wrong expect=out-of-bounds also=not-waited
// case behind expect=not-waited level=warning says=Kernel
// case freed expect=silent
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <mutex>

static std::atomic<int> told;
static std::mutex mutex;
static std::condition_variable changed;
static int result;

static void CUDART_CB compute(void *to) { *(int *)to = 7; }
static void CUDART_CB called_back(cudaStream_t, cudaError_t, void *to) { *(int *)to = 7; }
static void CUDART_CB tell(void *to)
{
    *(int *)to = 7;
    told = 1;
}
static void CUDART_CB tell_condition(void *to)
{
    std::lock_guard<std::mutex> hold(mutex);
    *(int *)to = 7;
    changed.notify_one();
}

__device__ int memory[32];
__global__ void fill(int *p, int n) { p[blockIdx.x * blockDim.x + threadIdx.x] = n; } // beside_wrong before_wrong

static void launch_graph(cudaStream_t s, bool node)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    if (node) {
        cudaGraphNode_t added;
        cudaHostNodeParams params = {compute, &result};
        cudaGraphCreate(&graph, 0);
        cudaGraphAddHostNode(&added, graph, NULL, 0, &params);
    } else {
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaLaunchHostFunc(s, compute, &result);
        cudaStreamEndCapture(s, &graph);
    }
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    cudaGraphExecDestroy(exec), cudaGraphDestroy(graph);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    auto is = [&](const char *word) { return strcmp(name, word) == 0; };
    auto begins = [&](const char *word) { return strncmp(name, word, strlen(word)) == 0; };
    static int *p;
    static cudaStream_t s, other;
    static cudaEvent_t e;
    is("freed") ? (void)cudaMalloc(&p, 128) : (void)cudaGetSymbolAddress((void **)&p, memory);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaEventCreate(&e);
    if (begins("beside"))
        fill<<<is("beside_wrong") ? 2 : 1, 32, 0, other>>>(p, 1);
    if (begins("before"))
        fill<<<2, 32, 0, s>>>(p, 1);
    if (begins("calls_back"))
        cudaStreamAddCallback(s, called_back, &result, 0);
    else if (begins("in_graph") || begins("node"))
        launch_graph(s, begins("node"));
    else
        cudaLaunchHostFunc(s, is("tells") ? tell : is("tells_condition") ? tell_condition : compute, &result);
    if (is("behind"))
        fill<<<1, 32, 0, s>>>(p, 1);
    if (is("waits") || is("calls_back_waited") || is("in_graph_waited") || is("node_waited"))
        cudaStreamSynchronize(s);
    if (is("waits_by_event"))
        cudaEventRecord(e, s), cudaEventSynchronize(e);
    if (is("waits_for_another"))
        cudaStreamSynchronize(other);
    while (is("waits_by_query") && cudaStreamQuery(s) == cudaErrorNotReady)
        ;
    while (is("tells") && told == 0)
        ;
    if (is("tells_condition")) {
        std::unique_lock<std::mutex> hold(mutex);
        changed.wait(hold, [] { return result == 7; });
    }
    if (is("freed"))
        cudaFree(p);
    if (is("exits"))
        exit(0);
    return 0;
}
