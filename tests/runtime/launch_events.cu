// nvcc: -arch=compute_90
// Events that a launch records: who waits for one begins while the kernel still runs, and which events it may be. Which
// errors the calls give is the documentation's word, not recorded on a GPU.
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
    GIVES(launch(0, attribute(id, make(cudaEventDefault)), 1), cudaErrorInvalidValue);
    GIVES(launch(0, attribute(id, make(cudaEventDisableTiming | cudaEventInterprocess)), 1), cudaErrorInvalidValue);
    GIVES(launch(0, attribute(id, plain, cudaEventRecordExternal), 1), cudaErrorInvalidValue);
    GIVES(cudaGetLastError(), cudaErrorInvalidValue);
    OK(launch(0, attribute(id, plain), 1));
    OK(cudaEventSynchronize(plain));
    OK(cudaEventDestroy(plain));
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
    errors(cudaLaunchAttributeProgrammaticEvent);
    errors(cudaLaunchAttributeLaunchCompletionEvent);
    printf("launch_events ok\n");
}
