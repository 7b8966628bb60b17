// Programmatic dependent launch: the second kernel may begin before the first has ended, and only its wait orders
// it after what the first writes and reads. Each mistake beside its right twin.
//
// arch compute_90
// also --remote
//
// case pdl_waits expect=silent
// case pdl_never_waits expect=stream-race says=cudaGridDependencySynchronize
// case pdl_reads_before_wait expect=stream-race says=has.triggered|have.triggered
// case pdl_trigger_before_stores expect=silent
// case pdl_trigger_behind_stores expect=silent
// case pdl_trigger_for_stores expect=stream-race says=cudaGridDependencySynchronize
// case pdl_own_part_first expect=silent
// case pdl_writes_before_wait expect=stream-race
// case pdl_writes_after_wait expect=silent
// case pdl_one_thread_waits expect=stream-race
// case pdl_one_thread_waits_barrier expect=silent
// case pdl_no_trigger expect=silent
// case pdl_not_allowed expect=silent
// case pdl_chain expect=silent
// case pdl_chain_broken expect=stream-race says=in.each.kernel.between
// case pdl_trigger_behind_wait expect=silent
// case pdl_trigger_behind_wait_never expect=silent
// case pdl_trigger_behind_wait_next expect=stream-race says=cudaGridDependencySynchronize
// case pdl_trigger_before_wait expect=stream-race says=in.kernel.never_waits nor=has.not.waited
// case pdl_trigger_behind_barrier expect=silent
// case pdl_trigger_beside_wait expect=stream-race
// case pdl_trigger_one_block_waits expect=silent
// case pdl_trigger_long_chain expect=silent
// case pdl_plain_third expect=silent
// case pdl_copied expect=silent
// case pdl_beside_event expect=silent
// case pdl_cluster expect=silent
// case pdl_cluster_apart expect=stream-race
//
// The same in a capture, whose graph is launched.
//
// case pdl_waits args=captured expect=silent
// case pdl_never_waits args=captured expect=stream-race says=cudaGridDependencySynchronize
// case pdl_reads_before_wait args=captured expect=stream-race says=has.triggered|have.triggered
// case pdl_trigger_before_stores args=captured expect=silent
// case pdl_trigger_behind_stores args=captured expect=silent
// case pdl_trigger_for_stores args=captured expect=stream-race says=cudaGridDependencySynchronize
// case pdl_own_part_first args=captured expect=silent
// case pdl_writes_before_wait args=captured expect=stream-race
// case pdl_writes_after_wait args=captured expect=silent
// case pdl_one_thread_waits args=captured expect=stream-race
// case pdl_one_thread_waits_barrier args=captured expect=silent
// case pdl_no_trigger args=captured expect=silent
// case pdl_not_allowed args=captured expect=silent
// case pdl_chain args=captured expect=silent
// case pdl_chain_broken args=captured expect=stream-race
// case pdl_trigger_behind_wait args=captured expect=silent
// case pdl_trigger_behind_wait_never args=captured expect=silent
// case pdl_trigger_behind_wait_next args=captured expect=stream-race
// case pdl_trigger_before_wait args=captured expect=stream-race
// case pdl_trigger_behind_barrier args=captured expect=silent
// case pdl_trigger_beside_wait args=captured expect=stream-race
// case pdl_trigger_one_block_waits args=captured expect=silent
// case pdl_trigger_long_chain args=captured expect=silent
// case pdl_plain_third args=captured expect=silent
// case pdl_copied args=captured expect=silent
// case pdl_cluster args=captured expect=silent
// case pdl_cluster_apart args=captured expect=stream-race
// case pdl_captured_joined args=captured expect=silent incomplete=graph
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum { N = 128, BLOCKS = 4, BYTES = BLOCKS * N * sizeof(int) };

__device__ int index() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ void trigger() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }
__device__ void wait() { asm volatile("griddepcontrol.wait;" ::: "memory"); }

__global__ void first(int *x)
{
    trigger();
    x[index()] = index() + 1; // pdl_never_waits pdl_reads_before_wait
}

// The trigger lets the next kernel begin and says nothing of what is stored, before it or behind it.
__global__ void stores_then_triggers(int *x)
{
    x[index()] = index() + 1; // pdl_trigger_for_stores
    trigger();
}

__global__ void first_quiet(int *x) { x[index()] = index() + 1; }

__global__ void first_reads(const volatile int *x, int *sum)
{
    trigger();
    sum[index()] = x[index()]; // pdl_writes_before_wait
}

__global__ void waits(int *y, const int *x)
{
    wait();
    y[index()] = 2 * x[index()];
}

__global__ void never_waits(int *y, const volatile int *x)
{
    y[index()] = 2 * x[index()];
}

__global__ void reads_before(int *y, const volatile int *x)
{
    int v = x[index()];
    wait();
    y[index()] = 2 * v;
}

__global__ void own_part_first(int *y, const int *x)
{
    y[index()] = 5; // its own
    wait();
    y[index()] += 2 * x[index()];
}

__global__ void writes_before(int *x)
{
    x[index()] = 9;
    wait();
}

__global__ void writes_after(int *x)
{
    wait();
    x[index()] = 9;
}

__global__ void one_waits(int *y, const volatile int *x, int with_barrier)
{
    if (threadIdx.x == 0)
        wait();
    if (with_barrier)
        __syncthreads();
    y[index()] = 2 * x[index()]; // pdl_one_thread_waits
}

__global__ void waits_and_triggers(int *y, const int *x)
{
    trigger();
    wait();
    y[index()] = 2 * x[index()];
}

/* Its blocks let the next one begin when the first has ended, so that all of the next comes after the first. Only one block need do so. */
__global__ void waits_then_triggers(int *y, const int *x, int blocks)
{
    if (blockIdx.x < blocks)
        wait();
    trigger();
    wait();
    y[index()] = 2 * x[index()]; // pdl_trigger_behind_wait_next
}

/* The first thread of a block that triggers speaks for it. */
__global__ void one_waits_then_trigger(int *y, int with_barrier)
{
    if (threadIdx.x == N - 1)
        wait();
    if (with_barrier)
        __syncthreads();
    trigger();
    y[index()] = 1;
}

__global__ void only_triggers(int *y)
{
    trigger();
    y[index()] = 1;
}

/* One block of a cluster waits; the cluster's barrier passes that on to the other one. */
__global__ void __cluster_dims__(2, 1, 1) cluster_waits(int *y, const volatile int *x, int with_barrier)
{
    if (blockIdx.x % 2 == 0)
        wait();
    if (with_barrier)
        asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    y[index()] = 2 * x[index()]; // pdl_cluster_apart
}

/* The first is one of clusters, too. */
__global__ void __cluster_dims__(2, 1, 1) first_of_clusters(int *x)
{
    trigger();
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    x[index()] = index() + 1;
}

static int *a, *b, *c, *zero;

template <typename... Formal, typename... Actual>
static void dependent(cudaStream_t s, bool allowed, void (*kernel)(Formal...), Actual... args)
{
    cudaLaunchAttribute attributes[2] = {};
    cudaLaunchConfig_t config = {};
    attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[0].val.programmaticStreamSerializationAllowed = allowed;
    attributes[1].id = cudaLaunchAttributeClusterSchedulingPolicyPreference; // only tunes
    attributes[1].val.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicySpread;
    config.gridDim = BLOCKS;
    config.blockDim = N;
    config.stream = s;
    config.attrs = attributes;
    config.numAttrs = 2;
    cudaLaunchKernelEx(&config, kernel, Formal(args)...);
}

int main(int argc, char **argv)
{
    auto is = [&](const char *name) { return argc > 1 && !strcmp(argv[1], name); };
    cudaStream_t s;
    cudaStreamCreate(&s);
    for (int **p : {&a, &b, &c, &zero}) {
        cudaMalloc(p, BYTES);
        cudaMemset(*p, 0, BYTES);
    }
    cudaDeviceSynchronize();
    bool captured = argc > 2;
    if (captured)
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    if (is("pdl_writes_before_wait") || is("pdl_writes_after_wait")) {
        first_reads<<<BLOCKS, N, 0, s>>>(a, c);
        dependent(s, true, is("pdl_writes_before_wait") ? writes_before : writes_after, a);
    } else if (is("pdl_captured_joined")) { // behind two nodes
        cudaStream_t t;
        cudaEvent_t e, f;
        cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
        cudaEventCreate(&e);
        cudaEventCreate(&f);
        cudaEventRecord(e, s);
        cudaStreamWaitEvent(t, e, 0);
        first<<<BLOCKS, N, 0, s>>>(a);
        first<<<BLOCKS, N, 0, t>>>(c);
        cudaEventRecord(f, t);
        cudaStreamWaitEvent(s, f, 0);
        dependent(s, true, waits, b, a);
    } else {
        if (is("pdl_cluster"))
            first_of_clusters<<<BLOCKS, N, 0, s>>>(a);
        else if (is("pdl_no_trigger"))
            first_quiet<<<BLOCKS, N, 0, s>>>(a);
        else if (is("pdl_trigger_behind_stores") || is("pdl_trigger_for_stores"))
            stores_then_triggers<<<BLOCKS, N, 0, s>>>(a);
        else
            first<<<BLOCKS, N, 0, s>>>(a);
        if (is("pdl_waits") || is("pdl_trigger_before_stores") || is("pdl_trigger_behind_stores"))
            dependent(s, true, waits, b, a);
        else if (is("pdl_never_waits") || is("pdl_no_trigger") || is("pdl_trigger_for_stores"))
            dependent(s, true, never_waits, b, a);
        else if (is("pdl_not_allowed"))
            dependent(s, false, never_waits, b, a);
        else if (is("pdl_reads_before_wait"))
            dependent(s, true, reads_before, b, a);
        else if (is("pdl_own_part_first"))
            dependent(s, true, own_part_first, b, a);
        else if (is("pdl_one_thread_waits") || is("pdl_one_thread_waits_barrier"))
            dependent(s, true, one_waits, b, a, is("pdl_one_thread_waits_barrier"));
        else if (is("pdl_cluster") || is("pdl_cluster_apart"))
            dependent(s, true, cluster_waits, b, a, is("pdl_cluster"));
        else if (is("pdl_chain")) {
            dependent(s, true, waits_and_triggers, b, a);
            dependent(s, true, waits, c, b);
            dependent(s, true, waits, zero, a);
        } else if (is("pdl_chain_broken")) { // the kernel between does not wait: the third's wait is not for the first
            dependent(s, true, only_triggers, b);
            dependent(s, true, waits, c, a);
        } else if (is("pdl_trigger_behind_wait") || is("pdl_trigger_one_block_waits")) {
            dependent(s, true, waits_then_triggers, b, a, is("pdl_trigger_behind_wait") ? BLOCKS : 1);
            dependent(s, true, reads_before, c, a);
        } else if (is("pdl_trigger_behind_wait_never") || is("pdl_trigger_behind_wait_next")) {
            dependent(s, true, waits_then_triggers, b, a, BLOCKS);
            dependent(s, true, never_waits, c, is("pdl_trigger_behind_wait_never") ? a : b);
        } else if (is("pdl_trigger_before_wait")) {
            dependent(s, true, waits_and_triggers, b, a);
            dependent(s, true, never_waits, c, a);
        } else if (is("pdl_trigger_behind_barrier") || is("pdl_trigger_beside_wait")) {
            dependent(s, true, one_waits_then_trigger, b, is("pdl_trigger_behind_barrier"));
            dependent(s, true, never_waits, c, a);
        } else if (is("pdl_trigger_long_chain")) { // the one before the last has not waited, and began behind the first, too
            dependent(s, true, waits_then_triggers, b, a, BLOCKS);
            dependent(s, true, only_triggers, c);
            dependent(s, true, never_waits, zero, a);
        } else if (is("pdl_plain_third")) {
            dependent(s, true, only_triggers, b);
            never_waits<<<BLOCKS, N, 0, s>>>(c, a);
        } else if (is("pdl_copied")) {
            dependent(s, true, waits, b, a);
            cudaMemcpyAsync(c, a, BYTES, cudaMemcpyDeviceToDevice, s);
            dependent(s, true, never_waits, zero, c); // behind a copy there is nothing to run beside
        } else if (is("pdl_beside_event")) {
            cudaStream_t t;
            cudaEvent_t e;
            cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
            cudaEventCreate(&e);
            dependent(s, true, waits, b, a);
            cudaEventRecord(e, s);
            cudaStreamWaitEvent(t, e, 0);
            never_waits<<<BLOCKS, N, 0, t>>>(c, a);
            cudaStreamSynchronize(t);
        }
    }
    if (captured) {
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        cudaStreamEndCapture(s, &graph);
        cudaGraphInstantiate(&exec, graph, 0);
        cudaGraphLaunch(exec, s);
        cudaStreamSynchronize(s);
    }
    cudaError_t e = cudaDeviceSynchronize();
    if (e)
        printf("%s\n", cudaGetErrorString(e));
    for (int *p : {a, b, c, zero})
        cudaFree(p);
    return e != cudaSuccess;
}
