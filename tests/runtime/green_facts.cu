// nvcc: -std=c++17 -lcuda -w
// Green contexts: parts of a device's SMs; one fact a line: the same program runs on a real GPU and on softgpu, and the
// two outputs are compared (green_facts.gpu.txt).
//
//   nvcc -std=c++17 -arch=compute_90 -cudart shared -lcuda -o green_facts green_facts.cu && ./green_facts
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <set>
#include <vector>

static const char *name_of(CUresult r) { const char *s = "?"; cuGetErrorName(r, &s); return s; }
static void fact(const char *name, CUresult r) { printf("%s: %s\n", name, name_of(r)), fflush(stdout); }
static void fact(const char *name, cudaError_t r) { printf("%s: %s\n", name, cudaGetErrorName(r)), fflush(stdout); (void)cudaGetLastError(); }
static void fact(const char *name, long long v) { printf("%s: %lld\n", name, v), fflush(stdout); }
#define FACT(call) fact(#call, call)

__global__ void where(unsigned *sm)
{
    unsigned id;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    if (threadIdx.x == 0)
        sm[blockIdx.x] = id;
}
__global__ void count(int *n) { atomicAdd(n, 1); }

static CUdevResource whole, groups[64], rest;
static CUgreenCtx green;
static CUcontext primary, context;

static void split(unsigned least, unsigned wanted, unsigned flags = 0)
{
    unsigned n = wanted;
    memset(&rest, 0, sizeof rest);
    memset(groups, 0, sizeof groups);
    CUresult r = cuDevSmResourceSplitByCount(groups, &n, &whole, &rest, flags, least);
    printf("split into %u of %u, flags %u: %s", wanted, least, flags, name_of(r));
    if (!r)
        printf(", %u of %u, rest %u (type %d)", n, n ? groups[0].sm.smCount : 0, rest.sm.smCount, (int)rest.type);
    printf("\n");
}

static void resources()
{
    unsigned n = 1;
    CUdevResourceDesc d = nullptr;
    CUdevResource none;
    memset(&none, 0, sizeof none);
    FACT(cuDeviceGetDevResource(0, &whole, CU_DEV_RESOURCE_TYPE_SM));
    fact("SMs", (long long)whole.sm.smCount);
    fact("type", (long long)whole.type);
    FACT(cuDeviceGetDevResource(0, &none, CU_DEV_RESOURCE_TYPE_INVALID));
    FACT(cuDeviceGetDevResource(0, nullptr, CU_DEV_RESOURCE_TYPE_SM));
    FACT(cuDeviceGetDevResource(9, &none, CU_DEV_RESOURCE_TYPE_SM));
    FACT(cuCtxGetDevResource(primary, &none, CU_DEV_RESOURCE_TYPE_SM));
    fact("SMs of the primary context", (long long)none.sm.smCount);
    FACT(cuCtxGetDevResource(nullptr, &none, CU_DEV_RESOURCE_TYPE_SM));
    for (unsigned least : {0u, 1u, 2u, 3u, 4u, 7u, 8u, 9u, 16u, 17u, 24u, 32u, 64u, 66u, 100u, 128u, 132u, 133u, 200u})
        split(least, 1);
    for (unsigned wanted : {2u, 3u, 4u, 16u, 17u, 64u})
        split(8, wanted);
    split(60, 2);
    split(60, 3);
    for (unsigned flags : {1u, 2u, 3u, 4u})
        split(3, 2, flags), split(20, 64, flags);
    FACT(cuDevSmResourceSplitByCount(nullptr, &n, &whole, nullptr, 0, 16));
    fact("groups of 16 that there can be", (long long)n);
    n = 3;
    FACT(cuDevSmResourceSplitByCount(nullptr, &n, &whole, nullptr, 0, 16));
    fact("asked with 3", (long long)n);
    n = 0;
    FACT(cuDevSmResourceSplitByCount(groups, &n, &whole, nullptr, 0, 16));
    FACT(cuDevSmResourceSplitByCount(groups, nullptr, &whole, nullptr, 0, 16));
    n = 1;
    FACT(cuDevSmResourceSplitByCount(groups, &n, nullptr, nullptr, 0, 16));
    memset(&none, 0, sizeof none);
    FACT(cuDevSmResourceSplitByCount(groups, &n, &none, nullptr, 0, 16));
    n = 1;
    FACT(cuDevSmResourceSplitByCount(groups, &n, &whole, &rest, 0, 32));
    n = 2;
    CUdevResource again[2], left;
    memset(&left, 0, sizeof left);
    CUresult r = cuDevSmResourceSplitByCount(again, &n, &groups[0], &left, 0, 8);
    printf("a group of 32 split again: %s\n", name_of(r));
    memset(&left, 0, sizeof left);
    n = 1;
    r = cuDevSmResourceSplitByCount(again, &n, &rest, &left, 0, 8);
    printf("the rest split: %s\n", name_of(r));
    FACT(cuDevResourceGenerateDesc(nullptr, &whole, 1));
    FACT(cuDevResourceGenerateDesc(&d, nullptr, 1));
    FACT(cuDevResourceGenerateDesc(&d, &none, 1));
    FACT(cuDevResourceGenerateDesc(&d, &rest, 1));
    FACT(cuGreenCtxCreate(&green, d, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    FACT(cuGreenCtxGetDevResource(green, &left, CU_DEV_RESOURCE_TYPE_SM));
    fact("SMs of the rest", (long long)left.sm.smCount);
    FACT(cuGreenCtxDestroy(green));
    FACT(cuDevResourceGenerateDesc(&d, &whole, 1));
    FACT(cuGreenCtxCreate(&green, d, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    FACT(cuGreenCtxGetDevResource(green, &left, CU_DEV_RESOURCE_TYPE_SM));
    fact("SMs of all", (long long)left.sm.smCount);
    FACT(cuGreenCtxDestroy(green));
    split(8, 3);
    CUdevResource both[2] = {groups[0], groups[2]};
    FACT(cuDevResourceGenerateDesc(&d, both, 2));
    FACT(cuGreenCtxCreate(&green, d, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    FACT(cuGreenCtxGetDevResource(green, &left, CU_DEV_RESOURCE_TYPE_SM));
    fact("SMs of two groups", (long long)left.sm.smCount);
    FACT(cuGreenCtxDestroy(green));
    both[1] = both[0];
    FACT(cuDevResourceGenerateDesc(&d, both, 2));
    both[1] = whole;
    FACT(cuDevResourceGenerateDesc(&d, both, 2));
}

static void contexts()
{
    CUdevResourceDesc d = nullptr;
    CUdevResource r;
    unsigned flags = 99;
    unsigned long long id = 0, other = 0;
    CUdevice device = 9;
    CUcontext now = nullptr;
    FACT(cuDevResourceGenerateDesc(&d, &groups[0], 1));
    FACT(cuGreenCtxCreate(nullptr, d, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    FACT(cuGreenCtxCreate(&green, nullptr, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    FACT(cuGreenCtxCreate(&green, d, 0, 0));
    FACT(cuGreenCtxCreate(&green, d, 0, 2));
    FACT(cuGreenCtxCreate(&green, d, 9, CU_GREEN_CTX_DEFAULT_STREAM));
    FACT(cuGreenCtxCreate(&green, d, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    FACT(cuGreenCtxGetDevResource(green, &r, CU_DEV_RESOURCE_TYPE_SM));
    fact("its SMs", (long long)r.sm.smCount);
    FACT(cuGreenCtxGetDevResource(nullptr, &r, CU_DEV_RESOURCE_TYPE_SM));
    FACT(cuGreenCtxGetDevResource(green, &r, CU_DEV_RESOURCE_TYPE_INVALID));
    FACT(cuCtxFromGreenCtx(nullptr, green));
    FACT(cuCtxFromGreenCtx(&context, nullptr));
    FACT(cuCtxFromGreenCtx(&context, green));
    fact("the context is the primary one", context == primary);
    FACT(cuCtxGetDevResource(context, &r, CU_DEV_RESOURCE_TYPE_SM));
    fact("SMs of its context", (long long)r.sm.smCount);
    FACT(cuCtxGetCurrent(&now));
    fact("the primary one is current still", now == primary);
    FACT(cuCtxSetCurrent(context));
    FACT(cuCtxGetDevice(&device));
    fact("device", (long long)device);
    FACT(cuCtxGetFlags(&flags));
    fact("flags", (long long)flags);
    FACT(cuCtxGetId(context, &id));
    FACT(cuCtxGetId(primary, &other));
    fact("ids differ", id != other);
    FACT(cuCtxDestroy(context));
    int n = 0;
    FACT(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    fact("the device's SMs there", (long long)n);
    cudaDeviceProp p;
    FACT(cudaGetDeviceProperties(&p, 0));
    fact("and by its properties", (long long)p.multiProcessorCount);
    FACT(cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, 0));
    fact("and by the runtime's attribute", (long long)n);
}

static void streams()
{
    CUstream s = nullptr, ordinary;
    CUgreenCtx its = nullptr;
    CUcontext of = nullptr;
    CUevent e;
    unsigned flags = 99, *sm;
    int *n, value = 0, per = 0, priority = 99;
    const int BLOCKS = 4096;
    FACT(cuGreenCtxStreamCreate(&s, green, 0, 0));
    FACT(cuGreenCtxStreamCreate(&s, green, 7, 0));
    FACT(cuGreenCtxStreamCreate(&s, nullptr, CU_STREAM_NON_BLOCKING, 0));
    FACT(cuGreenCtxStreamCreate(nullptr, green, CU_STREAM_NON_BLOCKING, 0));
    FACT(cuGreenCtxStreamCreate(&s, green, CU_STREAM_NON_BLOCKING, -100));
    FACT(cuStreamGetPriority(s, &priority));
    fact("priority", (long long)priority);
    FACT(cuGreenCtxStreamCreate(&s, green, CU_STREAM_NON_BLOCKING, 0));
    FACT(cuStreamGetFlags(s, &flags));
    fact("flags", (long long)flags);
    FACT(cuStreamGetGreenCtx(s, &its));
    fact("the stream's green context", its == green);
    FACT(cuStreamGetCtx(s, &of));
    fact("the stream's context is the green one's", of == context);
    FACT(cuCtxSetCurrent(primary));
    FACT(cuStreamCreate(&ordinary, CU_STREAM_NON_BLOCKING));
    its = green;
    FACT(cuStreamGetGreenCtx(ordinary, &its));
    fact("an ordinary stream has none", its == nullptr);
    FACT(cudaMalloc(&sm, BLOCKS * sizeof *sm));
    FACT(cudaMalloc(&n, sizeof *n));
    FACT(cudaMemset(n, 0, sizeof *n));
    where<<<BLOCKS, 256, 0, s>>>(sm);
    FACT(cudaGetLastError());
    FACT(cudaStreamSynchronize(s));
    std::vector<unsigned> got(BLOCKS);
    FACT(cudaMemcpy(got.data(), sm, BLOCKS * sizeof *sm, cudaMemcpyDeviceToHost));
    fact("SMs used by 4096 blocks in it, at most its own", std::set<unsigned>(got.begin(), got.end()).size() <= 32);
    FACT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, count, 1024, 0));
    void *arguments[] = {&n};
    for (int blocks : {32 * per, 32 * per + 1, 132 * per, 132 * per + 1}) {
        printf("%d blocks that wait for each other: %s\n", blocks,
               cudaGetErrorName(cudaLaunchCooperativeKernel((const void *)count, dim3(blocks), dim3(1024), arguments, 0, (cudaStream_t)s)));
        (void)cudaGetLastError();
    }
    FACT(cudaStreamSynchronize(s));
    FACT(cudaMemcpy(&value, n, sizeof value, cudaMemcpyDeviceToHost));
    fact("threads that ran", (long long)value);
    FACT(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    FACT(cuEventRecord(e, s));
    FACT(cuGreenCtxRecordEvent(green, e));
    FACT(cuGreenCtxWaitEvent(green, e));
    FACT(cuGreenCtxRecordEvent(green, nullptr));
    FACT(cuGreenCtxRecordEvent(nullptr, e));
    FACT(cuGreenCtxWaitEvent(nullptr, e));
    FACT(cuCtxSetCurrent(context));
    FACT(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    FACT(cuGreenCtxRecordEvent(green, e));
    FACT(cuGreenCtxWaitEvent(green, e));
    FACT(cuStreamWaitEvent(ordinary, e, 0));
    FACT(cuEventSynchronize(e));
    FACT(cuCtxSynchronize());
    count<<<1, 32>>>(n);
    FACT(cudaGetLastError());
    FACT(cudaDeviceSynchronize());
    FACT(cudaMemcpy(&value, n, sizeof value, cudaMemcpyDeviceToHost));
    fact("threads that ran", (long long)value);
    FACT(cudaLaunchCooperativeKernel((const void *)count, dim3(132 * per), dim3(1024), arguments, 0, (cudaStream_t)0));
    FACT(cudaLaunchCooperativeKernel((const void *)count, dim3(32 * per), dim3(1024), arguments, 0, (cudaStream_t)0));
    FACT(cudaDeviceSynchronize());
    int *m;
    FACT(cudaMalloc(&m, 64));
    FACT(cuCtxSetCurrent(primary));
    FACT(cudaMemset(m, 0, 64));
    FACT(cudaDeviceSynchronize());
    FACT(cuStreamDestroy(s));
    FACT(cuGreenCtxDestroy(nullptr));
    FACT(cuGreenCtxDestroy(green));
    FACT(cudaMemset(m, 0, 64));
    FACT(cudaDeviceSynchronize());
    FACT(cudaFree(m));
}

int main()
{
    cudaFree(nullptr);
    cuCtxGetCurrent(&primary);
    resources();
    unsigned n = 1;
    cuDevSmResourceSplitByCount(groups, &n, &whole, &rest, 0, 32);
    contexts();
    streams();
}
