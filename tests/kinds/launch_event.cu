// Events that a launch records at a point within its kernel (cudaLaunchAttributeProgrammaticEvent, LaunchCompletionEvent):
// whoever waits for one comes after all blocks' triggers, or beginnings, and not after what they store. A programmatic
// one lets a kernel behind it wait for the end by griddepcontrol.wait. Each mistake beside its right twin.
//
// arch compute_90
// also --remote
//
// case event_waits expect=silent
// case event_never_waits expect=stream-race says=triggered.it
// case event_reads_before_wait expect=stream-race says=cudaGridDependencySynchronize
// case event_at_start_waits expect=silent
// case event_at_start_never_waits expect=stream-race says=cudaGridDependencySynchronize
// case event_at_start_no_trigger expect=stream-race
// case event_no_trigger expect=silent
// case event_before_it expect=silent
// case event_copied expect=stream-race says=triggered.it
// case event_recorded_copied expect=silent
// case event_third_behind_waiting expect=silent
// case event_third_behind_idle expect=stream-race says=triggered.it
// case event_two expect=silent
// case event_two_one_unasked expect=stream-race
// case event_passed_on expect=silent
// case event_passed_on_idle expect=stream-race
// case event_host expect=stream-race says=the.host.waits.for
// case event_host_waits expect=silent
// case begun_waits expect=stream-race says=have.begun
// case begun_other_data expect=silent
// case begun_before_it expect=silent
// case begun_end expect=silent
// case begun_and_trigger expect=silent
// case captured_waits expect=silent
// case captured_never_waits expect=stream-race says=triggered.it
// case captured_at_start_waits expect=silent
// case captured_begun_waits expect=stream-race says=have.begun
// case captured_third_behind_waiting expect=silent
// case captured_third_behind_idle expect=stream-race
// case captured_recorded_again expect=silent
// case captured_copied expect=stream-race
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum { N = 64, BLOCKS = 4, BYTES = BLOCKS * N * sizeof(int) };

__device__ int index() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ void trigger() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }
__device__ void wait() { asm volatile("griddepcontrol.wait;" ::: "memory"); }

__global__ void first(int *x)
{
    trigger();
    x[index()] = index() + 1; // event_never_waits event_copied begun_waits
}

__global__ void first_quiet(int *x) { x[index()] = index() + 1; }

__global__ void waits(int *y, const volatile int *x)
{
    wait();
    y[index()] += 2 * x[index()];
}

__global__ void reads(int *y, const volatile int *x)
{
    y[index()] = 2 * x[index()];
}

__global__ void reads_before(int *y, const volatile int *x)
{
    int v = x[index()];
    wait();
    y[index()] = 2 * v;
}

__global__ void idle(int *y) { y[index()] = 1; }

static cudaEvent_t event, other;

template <typename... Formal, typename... Actual>
static void launch(cudaStream_t s, cudaLaunchAttribute *attributes, int count, void (*kernel)(Formal...), Actual... args)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = BLOCKS;
    config.blockDim = N;
    config.stream = s;
    config.attrs = attributes;
    config.numAttrs = count;
    cudaLaunchKernelEx(&config, kernel, Formal(args)...);
}

static cudaLaunchAttribute programmatic(cudaEvent_t e, bool at_start)
{
    cudaLaunchAttribute a = {};
    a.id = cudaLaunchAttributeProgrammaticEvent;
    a.val.programmaticEvent.event = e;
    a.val.programmaticEvent.triggerAtBlockStart = at_start;
    return a;
}

static cudaLaunchAttribute completion(cudaEvent_t e)
{
    cudaLaunchAttribute a = {};
    a.id = cudaLaunchAttributeLaunchCompletionEvent;
    a.val.launchCompletionEvent.event = e;
    return a;
}

// The same in a capture: edges of a graph.
static void captured(const char *how, cudaStream_t s, cudaStream_t t, int *a, int *b, int *c)
{
    auto is = [&](const char *name) { return !strcmp(how, name); };
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaLaunchAttribute one = is("captured_begun_waits") ? completion(event) : programmatic(event, is("captured_at_start_waits"));
    launch(s, &one, 1, first, a);
    if (is("captured_recorded_again"))
        cudaEventRecord(event, s);
    cudaStreamWaitEvent(t, event, 0);
    if (is("captured_copied"))
        cudaMemcpyAsync(b, a, BYTES, cudaMemcpyDeviceToDevice, t);
    else if (is("captured_never_waits") || is("captured_recorded_again"))
        reads<<<BLOCKS, N, 0, t>>>(b, a);
    else if (is("captured_third_behind_idle"))
        idle<<<BLOCKS, N, 0, t>>>(b);
    else
        waits<<<BLOCKS, N, 0, t>>>(b, a);
    if (is("captured_third_behind_idle") || is("captured_third_behind_waiting"))
        reads<<<BLOCKS, N, 0, t>>>(c, a);
    cudaEventRecord(other, t);
    cudaStreamWaitEvent(s, other, 0);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
}

int main(int argc, char **argv)
{
    auto is = [&](const char *name) { return argc > 1 && !strcmp(argv[1], name); };
    auto begins = [&](const char *name) { return argc > 1 && !strncmp(argv[1], name, strlen(name)); };
    cudaStream_t s, t, u;
    int *a, *b, *c, *d, *shown;
    for (cudaStream_t *p : {&s, &t, &u})
        cudaStreamCreateWithFlags(p, cudaStreamNonBlocking);
    for (int **p : {&a, &b, &c, &d}) {
        cudaMalloc(p, BYTES);
        cudaMemset(*p, 0, BYTES);
    }
    cudaHostAlloc(&shown, BYTES, cudaHostAllocMapped);
    memset(shown, 0, BYTES);
    cudaDeviceSynchronize();
    for (cudaEvent_t *e : {&event, &other})
        cudaEventCreateWithFlags(e, cudaEventDisableTiming);
    if (begins("captured")) {
        captured(argv[1], s, t, a, b, c);
        cudaError_t e = cudaDeviceSynchronize();
        for (int *p : {a, b, c, d})
            cudaFree(p);
        cudaFreeHost(shown);
        return e != cudaSuccess;
    }
    cudaLaunchAttribute one[2] = {begins("begun") && !is("begun_and_trigger") ? completion(event) : programmatic(event, begins("event_at_start")), completion(other)};
    auto produce = begins("event_no_trigger") || is("event_at_start_no_trigger") ? first_quiet : first;
    if (is("event_before_it") || is("begun_before_it"))
        idle<<<BLOCKS, N, 0, s>>>(c);
    launch(s, one, is("begun_and_trigger") ? 2 : 1, produce, begins("event_host") ? shown : a);
    if (is("event_recorded_copied") || is("begun_end"))
        cudaEventRecord(event, s);
    if (!begins("event_host"))
        cudaStreamWaitEvent(t, event, 0);
    if (is("event_waits") || is("event_at_start_waits") || is("begun_waits"))
        waits<<<BLOCKS, N, 0, t>>>(b, a);
    else if (is("event_never_waits") || begins("event_at_start") || is("event_no_trigger") || is("begun_end"))
        reads<<<BLOCKS, N, 0, t>>>(b, a);
    else if (is("event_reads_before_wait"))
        reads_before<<<BLOCKS, N, 0, t>>>(b, a);
    else if (is("event_before_it") || is("begun_before_it")) // what the first came after has ended when it begins
        reads<<<BLOCKS, N, 0, t>>>(b, c);
    else if (is("event_copied") || is("event_recorded_copied"))
        cudaMemcpyAsync(b, a, BYTES, cudaMemcpyDeviceToDevice, t);
    else if (is("event_third_behind_waiting")) {
        waits<<<BLOCKS, N, 0, t>>>(b, a);
        reads<<<BLOCKS, N, 0, t>>>(c, a);
    } else if (is("event_third_behind_idle")) {
        idle<<<BLOCKS, N, 0, t>>>(b);
        reads<<<BLOCKS, N, 0, t>>>(c, a);
    } else if (begins("event_two")) {
        cudaLaunchAttribute two[1] = {is("event_two") ? programmatic(other, false) : completion(other)};
        launch(u, two, 1, first, d);
        cudaStreamWaitEvent(t, other, 0);
        waits<<<BLOCKS, N, 0, t>>>(b, a);
        if (is("event_two"))
            waits<<<BLOCKS, N, 0, t>>>(b, d);
        else
            reads<<<BLOCKS, N, 0, t>>>(b, d);
    } else if (begins("event_passed_on")) { // an ordinary event behind the wait
        cudaEventRecord(other, t);
        cudaStreamWaitEvent(u, other, 0);
        if (is("event_passed_on"))
            waits<<<BLOCKS, N, 0, u>>>(b, a);
        else
            reads<<<BLOCKS, N, 0, u>>>(b, a);
    } else if (begins("event_host")) {
        cudaEventSynchronize(event);
        if (is("event_host_waits"))
            cudaStreamSynchronize(s);
        printf("%d\n", shown[N] == N + 1 || is("event_host")); // event_host
    } else if (is("begun_other_data"))
        idle<<<BLOCKS, N, 0, t>>>(b);
    else if (is("begun_and_trigger")) {
        waits<<<BLOCKS, N, 0, t>>>(b, a);
        cudaStreamWaitEvent(u, other, 0);
        idle<<<BLOCKS, N, 0, u>>>(d);
    }
    cudaError_t e = cudaDeviceSynchronize();
    if (e)
        printf("%s\n", cudaGetErrorString(e));
    for (int *p : {a, b, c, d})
        cudaFree(p);
    cudaFreeHost(shown);
    return e != cudaSuccess;
}
