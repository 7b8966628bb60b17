// Calls that fail for a reason that their error names: the finding says it, and what to do.
//
// also --remote
//
// case in_capture expect=failed-call level=warning says=not.permitted.while
// case before_capture expect=silent
// case lost_capture expect=failed-call level=warning says=first.call.that.failed
// case unjoined expect=failed-call level=warning says=has.not.come.back
// case joined expect=silent
// case through_default expect=failed-call says=legacy.default.stream
// case event_gone expect=failed-call level=warning says=has.been.destroyed
// case event_there expect=silent
// case by_name expect=failed-call says=not.its.name
// case by_variable expect=silent
// case registered_twice expect=failed-call level=warning says=registered.already
// case registered_once expect=silent
// case in_host_function expect=failed-call level=warning says=calls.no.CUDA.function
// case last_in_host_function expect=failed-call level=warning says=calls.no.CUDA.function
// case outside_host_function expect=silent
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#define CASE(name) if (!strcmp(argv[1], name))

enum { N = 32, BYTES = N * sizeof(int) };

__device__ int variable[N];
alignas(4096) static char page[4096];

__global__ void fill(int *out)
{
    out[threadIdx.x] = (int)threadIdx.x;
}

static void no_call(void *unused)
{
    (void)unused;
}

static void calls_back(void *event)
{
    cudaEventRecord((cudaEvent_t)event, 0); // in_host_function
}

/** The call is a jump there: it returns to no place of the program's. */
__attribute__((optimize("O2"))) static void calls_last(void *event) { cudaEventRecord((cudaEvent_t)event, 0); } // last_in_host_function

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    int *p, *more, host[N] = {0};
    cudaStream_t s, t;
    cudaEvent_t event;
    cudaGraph_t graph;
    cudaMalloc(&p, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&event);
    CASE("in_capture") {
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaMalloc(&more, BYTES); // in_capture
        if (cudaStreamEndCapture(s, &graph))
            puts("lost");
    }
    CASE("before_capture") {
        cudaMalloc(&more, BYTES);
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaStreamEndCapture(s, &graph);
        cudaGraphDestroy(graph);
        cudaFree(more);
    }
    CASE("lost_capture") {
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        if (cudaMalloc(&more, BYTES))
            puts("no memory");
        cudaStreamEndCapture(s, &graph); // lost_capture
    }
    if (!strcmp(argv[1], "unjoined") || !strcmp(argv[1], "joined")) {
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaEventRecord(event, s);
        cudaStreamWaitEvent(t, event, 0);
        fill<<<1, N, 0, t>>>(p);
        if (argv[1][0] == 'j') {
            cudaEventRecord(event, t);
            cudaStreamWaitEvent(s, event, 0);
        }
        cudaStreamEndCapture(s, &graph); // unjoined
        if (argv[1][0] == 'j')
            cudaGraphDestroy(graph);
    }
    CASE("through_default") {
        cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
        cudaMemsetAsync(p, 0, BYTES, 0); // through_default
        if (cudaStreamEndCapture(s, &graph))
            puts("lost");
    }
    CASE("event_gone") {
        cudaEvent_t gone;
        cudaEventCreate(&gone);
        cudaEventDestroy(gone);
        cudaEventRecord(gone, s); // event_gone
    }
    CASE("event_there") cudaEventRecord(event, s);
    CASE("by_name") cudaMemcpyToSymbol("variable", host, BYTES); // by_name
    CASE("by_variable") cudaMemcpyToSymbol(variable, host, BYTES);
    if (!strncmp(argv[1], "registered", 10)) {
        cudaHostRegister(page, sizeof page, 0);
        CASE("registered_twice") cudaHostRegister(page, sizeof page, 0); // registered_twice
        cudaHostUnregister(page);
    }
    CASE("in_host_function") cudaLaunchHostFunc(s, calls_back, event);
    CASE("last_in_host_function") cudaLaunchHostFunc(s, calls_last, event);
    CASE("outside_host_function") cudaLaunchHostFunc(s, no_call, NULL);
    cudaDeviceSynchronize();
    cudaEventDestroy(event);
    cudaStreamDestroy(t);
    cudaStreamDestroy(s);
    cudaFree(p);
    return 0;
}
