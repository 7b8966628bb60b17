// nvcc: -std=c++17 -rdc=true -lcudadevrt -lcuda -w
// Events of whole contexts, captures beside them, and kernels that launch kernels in a green context; one fact a line: the same
// program runs on a real GPU and on softgpu, and the two outputs are compared (green_more_facts.gpu.txt).
//
//   nvcc -std=c++17 -arch=sm_90 -rdc=true -cudart shared -lcudadevrt -lcuda -o green_more_facts green_more_facts.cu && ./green_more_facts
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>
#include <set>
#include <unistd.h>
#include <vector>

static const char *name_of(CUresult r) { const char *s = "?"; cuGetErrorName(r, &s); return s; }
static void fact(const char *name, CUresult r) { printf("%s: %s\n", name, name_of(r)), fflush(stdout); }
static void fact(const char *name, cudaError_t r) { printf("%s: %s\n", name, cudaGetErrorName(r)), fflush(stdout); (void)cudaGetLastError(); }
static void fact(const char *name, long long v) { printf("%s: %lld\n", name, v), fflush(stdout); }
#define FACT(call) fact(#call, call)

#define SMS 32
static CUgreenCtx green, other;
static CUcontext primary, context, second;
static CUstream in_green, in_other, in_primary;
static volatile int *gate; // page-locked

__global__ void held(volatile int *gate, int turn) { while (*gate < turn); }
__global__ void nothing() {}
__global__ void where(unsigned *sm)
{
    unsigned id;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    if (threadIdx.x == 0)
        sm[blockIdx.x] = id;
}
__global__ void parent(unsigned *sm, int way)
{
    cudaStream_t s = nullptr;
    if (way == 1)
        s = cudaStreamFireAndForget;
    else if (way == 2)
        s = cudaStreamTailLaunch;
    else if (way == 3)
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    where<<<4096, 256, 0, s>>>(sm);
}

static int turn;
static void hold(CUstream s) { held<<<1, 1, 0, s>>>(gate, ++turn); }
static void release() { *gate = turn, cudaDeviceSynchronize(); }

/** Is it done, while something is held? */
static bool done(CUstream s)
{
    for (int i = 0; i < 60; i++, usleep(1000))
        if (!cuStreamQuery(s))
            return true;
    return false;
}

static CUresult polled(CUevent e)
{
    for (int i = 0; i < 60; i++, usleep(1000))
        if (!cuEventQuery(e))
            return CUDA_SUCCESS;
    return cuEventQuery(e);
}

static void records()
{
    CUevent ours, theirs, timed;
    FACT(cuEventCreate(&ours, CU_EVENT_DISABLE_TIMING));
    FACT(cuEventCreate(&timed, CU_EVENT_DEFAULT));
    FACT(cuCtxSetCurrent(context));
    FACT(cuEventCreate(&theirs, CU_EVENT_DISABLE_TIMING));
    FACT(cuCtxSetCurrent(primary));
    FACT(cuCtxRecordEvent(primary, ours));
    FACT(cuCtxRecordEvent(primary, theirs));
    FACT(cuCtxRecordEvent(primary, timed));
    FACT(cuCtxRecordEvent(context, ours));
    FACT(cuCtxRecordEvent(context, theirs));
    FACT(cuCtxRecordEvent(second, theirs));
    FACT(cuCtxRecordEvent(nullptr, ours));
    FACT(cuCtxRecordEvent(primary, nullptr));
    FACT(cuCtxRecordEvent(context, nullptr));
    FACT(cuGreenCtxRecordEvent(green, timed));
    FACT(cuGreenCtxRecordEvent(green, ours));
    FACT(cuGreenCtxRecordEvent(green, theirs));
    FACT(cuCtxWaitEvent(primary, ours));
    FACT(cuCtxWaitEvent(context, ours));
    FACT(cuCtxWaitEvent(context, theirs));
    FACT(cuCtxWaitEvent(nullptr, ours));
    FACT(cuCtxWaitEvent(primary, nullptr));
    FACT(cuCtxWaitEvent(context, nullptr));
    FACT(cuGreenCtxWaitEvent(green, nullptr));
    CUevent never;
    FACT(cuEventCreate(&never, CU_EVENT_DISABLE_TIMING));
    FACT(cuCtxWaitEvent(primary, never));
    FACT(cuCtxWaitEvent(context, never));
    FACT(cuCtxSetCurrent(context));
    FACT(cuCtxRecordEvent(primary, ours));
    FACT(cuCtxRecordEvent(context, theirs));
    FACT(cuCtxRecordEvent(second, theirs));
    FACT(cuCtxRecordEvent(primary, theirs));
    FACT(cuCtxWaitEvent(second, theirs));
    FACT(cuCtxSetCurrent(primary));
    FACT(cuCtxSynchronize());
    // what a record covers
    CUevent e;
    FACT(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    struct { const char *name; CUcontext current; CUstream stream; } places[] = {
        {"the primary context's stream", primary, in_primary}, {"its default stream", primary, nullptr},
        {"its thread's default stream", primary, CU_STREAM_PER_THREAD},
        {"a green context's stream", primary, in_green}, {"its default stream", context, nullptr}, {"another green context's stream", primary, in_other}};
    for (auto &p : places) {
        cuCtxSetCurrent(p.current);
        hold(p.stream);
        cuCtxSetCurrent(primary);
        CUresult r = cuCtxRecordEvent(primary, e);
        printf("held in %s: the primary context's record %s, %s\n", p.name, name_of(r), name_of(polled(e)));
        r = cuCtxRecordEvent(context, e);
        printf("held in %s: the green one's record %s, %s\n", p.name, name_of(r), name_of(polled(e)));
        release();
        FACT(cuEventQuery(e));
        FACT(cuCtxSynchronize());
    }
}

static void waits()
{
    for (int of_green = 0; of_green < 2; of_green++) {
        CUevent e;
        CUstream later, later_green;
        cuEventCreate(&e, CU_EVENT_DISABLE_TIMING);
        CUstream apart;
        cuStreamCreate(&apart, CU_STREAM_NON_BLOCKING);
        hold(apart);
        cuEventRecord(e, apart);
        fact("waits", cuCtxWaitEvent(of_green ? context : primary, e));
        cuStreamCreate(&later, CU_STREAM_NON_BLOCKING);
        cuGreenCtxStreamCreate(&later_green, green, CU_STREAM_NON_BLOCKING, 0);
        struct { const char *name; CUstream stream; } places[] = {
            {"primary", in_primary}, {"primary, made later", later}, {"its thread's default", CU_STREAM_PER_THREAD},
            {"green", in_green}, {"green, made later", later_green}, {"another green", in_other}};
        for (auto &p : places) {
            nothing<<<1, 1, 0, p.stream>>>();
            printf("%s waits, %s runs: %d\n", of_green ? "green" : "primary", p.name, (int)done(p.stream));
        }
        release();
    }
}

static const char *status_of(CUstream s)
{
    CUstreamCaptureStatus status;
    CUresult r = cuStreamIsCapturing(s, &status);
    return r ? name_of(r) : status == CU_STREAM_CAPTURE_STATUS_NONE ? "none" : status == CU_STREAM_CAPTURE_STATUS_ACTIVE ? "active" : "invalidated";
}

static void captures()
{
    struct { const char *name; CUstream stream; } places[] = {{"primary", in_primary}, {"green", in_green}, {"other", in_other}};
    for (auto &p : places)
        for (int call = 0; call < 7; call++) {
            CUevent e, inside;
            CUgraph graph = nullptr;
            CUresult r = CUDA_SUCCESS;
            cuEventCreate(&e, CU_EVENT_DISABLE_TIMING);
            cuEventCreate(&inside, CU_EVENT_DISABLE_TIMING);
            cuStreamBeginCapture(p.stream, CU_STREAM_CAPTURE_MODE_RELAXED);
            cuEventRecord(inside, p.stream);
            switch (call) {
            case 0: r = cuCtxRecordEvent(primary, e); break;
            case 1: r = cuCtxRecordEvent(context, e); break;
            case 2: r = cuGreenCtxRecordEvent(green, e); break;
            case 3: r = cuCtxWaitEvent(primary, e); break;
            case 4: r = cuCtxWaitEvent(context, e); break;
            case 5: r = cuGreenCtxWaitEvent(green, e); break;
            case 6: r = cuCtxWaitEvent(second, inside); break;
            }
            printf("%s captures, call %d: %s, %s", p.name, call, name_of(r), status_of(p.stream));
            r = cuStreamEndCapture(p.stream, &graph);
            printf(", %s\n", name_of(r));
            if (graph)
                cuGraphDestroy(graph);
        }
}

static void nested()
{
    unsigned *sm;
    FACT(cudaMalloc(&sm, 4096 * sizeof *sm));
    for (int way = 0; way < 4; way++)
        for (CUstream s : {in_green, in_primary}) {
            std::vector<unsigned> got(4096);
            parent<<<1, 1, 0, s>>>(sm, way);
            fact("launch", cudaGetLastError());
            fact("wait", cudaStreamSynchronize(s));
            fact("wait for all", cudaDeviceSynchronize());
            cudaMemcpy(got.data(), sm, 4096 * sizeof *sm, cudaMemcpyDeviceToHost);
            printf("way %d, %s: at most the part's SMs: %d\n", way, s == in_green ? "green" : "primary",
                   std::set<unsigned>(got.begin(), got.end()).size() <= SMS);
        }
    FACT(cudaFree(sm));
}

static CUgreenCtx create(CUdevResource *part)
{
    CUdevResourceDesc d;
    CUgreenCtx g;
    FACT(cuDevResourceGenerateDesc(&d, part, 1));
    FACT(cuGreenCtxCreate(&g, d, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    return g;
}

int main()
{
    CUdevResource whole, part[2];
    unsigned n = 2;
    cudaFree(nullptr);
    cudaFuncAttributes loaded; // a held kernel must not keep another from being loaded
    cudaFuncGetAttributes(&loaded, held), cudaFuncGetAttributes(&loaded, nothing), cudaFuncGetAttributes(&loaded, parent);
    cuCtxGetCurrent(&primary);
    FACT(cuDeviceGetDevResource(0, &whole, CU_DEV_RESOURCE_TYPE_SM));
    FACT(cuDevSmResourceSplitByCount(part, &n, &whole, nullptr, 0, SMS));
    green = create(&part[0]), other = create(&part[1]);
    FACT(cuCtxFromGreenCtx(&context, green));
    FACT(cuCtxFromGreenCtx(&second, other));
    FACT(cuGreenCtxStreamCreate(&in_green, green, CU_STREAM_NON_BLOCKING, 0));
    FACT(cuGreenCtxStreamCreate(&in_other, other, CU_STREAM_NON_BLOCKING, 0));
    FACT(cuStreamCreate(&in_primary, CU_STREAM_NON_BLOCKING));
    FACT(cudaHostAlloc((void **)&gate, sizeof *gate, 0));
    records();
    waits();
    captures();
    nested();
    FACT(cuGreenCtxDestroy(other));
    CUevent e;
    FACT(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    FACT(cuCtxRecordEvent(second, e));
    FACT(cuCtxWaitEvent(second, e));
    FACT(cudaDeviceSynchronize());
}
