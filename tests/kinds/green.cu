// green.cu: green contexts, which have part of the SMs and streams of their own.
//
// case green_event expect=silent
// case green_no_event expect=stream-race
// case green_default_streams_ordered expect=silent
// case green_default_streams expect=stream-race
// case green_record_all expect=silent
// case green_record_one expect=stream-race
// case green_wait_later_stream expect=silent
// case green_no_wait_later_stream expect=stream-race
// case green_context_record expect=silent
// case green_context_record_other expect=stream-race
// case green_context_wait expect=silent
// case green_context_wait_other expect=stream-race
// case green_context_wait_later expect=silent
// case green_record_orders_nobody expect=stream-race
// case green_wait_orders_nobody expect=stream-race
// case green_synchronize expect=silent
// case green_synchronize_other expect=stream-race
// case green_primary_synchronize expect=silent
// case green_full_part expect=silent
// case green_captured expect=silent
// case green_own_sms expect=silent
//
// nvcc: -lcuda
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda/atomic>

#define N 64
static CUcontext primary;
static CUgreenCtx green[2];
static CUcontext context[2];
static CUstream stream[2], second;
static int *data, *flag;

__global__ void fill(int *p, int v) { p[threadIdx.x] = v; }
__global__ void add(int *p, int v) { p[threadIdx.x] += v; } // green_no_event green_default_streams green_record_one green_no_wait_later_stream green_synchronize_other green_context_record_other green_context_wait_other green_record_orders_nobody green_wait_orders_nobody
// As many blocks as fit: all of its SMs are taken until the flag is set.
__global__ void await(int *flag)
{
    if (threadIdx.x == 0)
        while (cuda::atomic_ref<int, cuda::thread_scope_device>(*flag).load(cuda::memory_order_acquire) == 0)
            ;
}
__global__ void signal(int *flag) { cuda::atomic_ref<int, cuda::thread_scope_device>(*flag).store(1, cuda::memory_order_release); }
__global__ void which_sm(int *p, int limit)
{
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (threadIdx.x == 0 && sm >= limit)
        atomicAdd(p, 1);
}

static void check(CUresult r, int line)
{
    const char *name = "?";
    if (r && !cuGetErrorName(r, &name))
        fprintf(stderr, "line %d: %s\n", line, name), exit(2);
}
#define CHECK(call) check(call, __LINE__)

static void begin()
{
    CUdevResource all, part[2];
    CUdevResourceDesc d;
    unsigned n = 2;
    cudaFree(nullptr);
    CHECK(cuCtxGetCurrent(&primary));
    CHECK(cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM));
    CHECK(cuDevSmResourceSplitByCount(part, &n, &all, nullptr, 0, 16));
    for (int i = 0; i < 2; i++) {
        CHECK(cuDevResourceGenerateDesc(&d, &part[i], 1));
        CHECK(cuGreenCtxCreate(&green[i], d, 0, CU_GREEN_CTX_DEFAULT_STREAM));
        CHECK(cuCtxFromGreenCtx(&context[i], green[i]));
        CHECK(cuGreenCtxStreamCreate(&stream[i], green[i], CU_STREAM_NON_BLOCKING, 0));
    }
    CHECK(cuGreenCtxStreamCreate(&second, green[0], CU_STREAM_NON_BLOCKING, 0));
    cudaMalloc(&data, N * sizeof *data);
    cudaMalloc(&flag, sizeof *flag);
    cudaMemset(data, 0, N * sizeof *data);
    cudaMemset(flag, 0, sizeof *flag);
    cudaDeviceSynchronize();
}

int main(int argc, char **argv)
{
    auto is = [&](const char *name) { return argc > 1 && !strcmp(argv[1], name); };
    CUevent e;
    int got[N];
    begin();
    CHECK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    if (is("green_event") || is("green_no_event")) {
        fill<<<1, N, 0, stream[0]>>>(data, 1);
        CHECK(cuEventRecord(e, stream[0]));
        if (is("green_event"))
            CHECK(cuStreamWaitEvent(stream[1], e, 0));
        add<<<1, N, 0, stream[1]>>>(data, 2);
    } else if (is("green_default_streams") || is("green_default_streams_ordered")) { // one in each context
        CHECK(cuCtxSetCurrent(context[0]));
        fill<<<1, N>>>(data, 1);
        if (is("green_default_streams_ordered"))
            CHECK(cuCtxSynchronize());
        CHECK(cuCtxSetCurrent(context[1]));
        add<<<1, N>>>(data, 2);
        CHECK(cuCtxSetCurrent(primary));
    } else if (is("green_record_all") || is("green_record_one")) {
        fill<<<1, N, 0, second>>>(data, 1);
        CHECK(is("green_record_all") ? cuGreenCtxRecordEvent(green[0], e) : cuEventRecord(e, stream[0]));
        CHECK(cuStreamWaitEvent(stream[1], e, 0));
        add<<<1, N, 0, stream[1]>>>(data, 2);
    } else if (is("green_wait_later_stream") || is("green_no_wait_later_stream")) {
        CUstream later;
        fill<<<1, N, 0, stream[1]>>>(data, 1);
        CHECK(cuEventRecord(e, stream[1]));
        CHECK(is("green_wait_later_stream") ? cuGreenCtxWaitEvent(green[0], e) : cuStreamWaitEvent(stream[0], e, 0));
        CHECK(cuGreenCtxStreamCreate(&later, green[0], CU_STREAM_NON_BLOCKING, 0));
        add<<<1, N, 0, later>>>(data, 2);
    } else if (is("green_context_record") || is("green_context_record_other")) { // the primary context's: of green ones, too
        fill<<<1, N, 0, stream[0]>>>(data, 1);
        CHECK(cuCtxRecordEvent(is("green_context_record") ? primary : context[1], e));
        CHECK(cuStreamWaitEvent(stream[1], e, 0));
        add<<<1, N, 0, stream[1]>>>(data, 2);
    } else if (is("green_context_wait") || is("green_context_wait_other") || is("green_context_wait_later")) {
        fill<<<1, N, 0, stream[1]>>>(data, 1);
        CHECK(cuEventRecord(e, stream[1]));
        CHECK(cuCtxWaitEvent(is("green_context_wait_other") ? context[1] : primary, e));
        if (is("green_context_wait_later"))
            CHECK(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
        add<<<1, N, 0, is("green_context_wait_later") ? second : stream[0]>>>(data, 2);
    } else if (is("green_record_orders_nobody") || is("green_wait_orders_nobody")) { // two streams that the default stream orders
        CUstream one, two;
        CHECK(cuStreamCreate(&one, CU_STREAM_DEFAULT));
        CHECK(cuStreamCreate(&two, CU_STREAM_DEFAULT));
        CHECK(cuEventRecord(e, stream[1]));
        fill<<<1, N, 0, one>>>(data, 1);
        CHECK(is("green_record_orders_nobody") ? cuCtxRecordEvent(primary, e) : cuCtxWaitEvent(primary, e));
        add<<<1, N, 0, two>>>(data, 2);
    } else if (is("green_synchronize") || is("green_synchronize_other") || is("green_primary_synchronize")) {
        fill<<<1, N, 0, stream[0]>>>(data, 1);
        CHECK(cuCtxSetCurrent(is("green_synchronize") ? context[0] : is("green_synchronize_other") ? context[1] : primary));
        cudaDeviceSynchronize(); // of a green context: waits for that one's work alone
        CHECK(cuCtxSetCurrent(primary));
        add<<<1, N, 0, stream[1]>>>(data, 2);
    } else if (is("green_full_part")) {
        int blocks;
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, await, N, 0);
        fill<<<1, N, 0, stream[1]>>>(data, 3);
        CHECK(cuStreamSynchronize(stream[1]));
        await<<<16 * blocks + 1, N, 0, stream[0]>>>(flag); // one more than fits
        signal<<<1, 1, 0, stream[1]>>>(flag);
    } else if (is("green_captured")) { // a graph's kernels keep their stream's SMs
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        cudaStreamBeginCapture(stream[0], cudaStreamCaptureModeGlobal);
        which_sm<<<200, N, 0, stream[0]>>>(flag, 16);
        fill<<<1, N, 0, stream[0]>>>(data, 3);
        cudaStreamEndCapture(stream[0], &graph);
        cudaGraphInstantiate(&exec, graph, 0);
        cudaGraphLaunch(exec, stream[1]);
    } else if (is("green_own_sms")) {
        which_sm<<<200, N, 0, stream[0]>>>(flag, 16);
        fill<<<1, N, 0, stream[0]>>>(data, 3);
    }
    cudaDeviceSynchronize();
    cudaMemcpy(got, data, sizeof got, cudaMemcpyDeviceToHost);
    bool right = got[0] == 3;
    cudaMemcpy(got, flag, sizeof *flag, cudaMemcpyDeviceToHost);
    if (!is("green_full_part") && got[0])
        printf("%d blocks on SMs of others\n", got[0]), exit(3);
    if (!right)
        printf("not 3\n");
    cudaFree(data);
    cudaFree(flag);
    return 0;
}
