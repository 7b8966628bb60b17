// values.cu: streams that wait for values in memory and write them (cuStreamWaitValue32 and its like).
//
// case value_orders expect=silent
// case value_missing expect=stream-race
// case value_many expect=silent incomplete=remembered
// case value_many_missing expect=stream-race
// case value_wrong_word expect=stream-race
// case value_batch expect=silent
// case value_batch_early expect=stream-race
// case value_never expect=deadlock status=86 says=nothing.that.has.been.issued
// case value_written_by_host expect=silent
// case value_from_kernel expect=silent incomplete=releases
// case value_from_later_kernel expect=silent
// case value_from_other_kernel expect=stream-race
// case value_seen_early expect=stream-race
// case value_seen_early_ordered expect=silent
// case value_stale expect=stream-race
// case value_set_back expect=silent
// case value_filled_back expect=silent
// case value_from_plain_store expect=stream-race
// case value_to_kernel expect=silent incomplete=acquires
// case value_beside_copy expect=stream-race
// case value_read_plainly expect=stream-race
// case value_read_plainly_first expect=stream-race
// case value_read_strongly expect=silent
// case value_host_polls expect=silent
// case value_in_graph expect=silent
// case value_node expect=silent
// case value_node_missing expect=stream-race
//
// nvcc: -lcuda
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda/atomic>
#include <thread>

#define N 64
static CUstream a, b;
static int *data;
static unsigned *flag, *pinned;

__global__ void fill(int *p, int v) { p[threadIdx.x] = v; }
__global__ void add(int *p, int v) { p[threadIdx.x] += v; }
__global__ void signal_after(int *p, unsigned *flag)
{
    p[threadIdx.x] = 3;
    __syncthreads();
    if (threadIdx.x == 0)
        cuda::atomic_ref<unsigned, cuda::thread_scope_system>(*flag).store(1, cuda::memory_order_release);
}
__global__ void only_signal(unsigned *flag)
{
    __threadfence_system();
    *(volatile unsigned *)flag = 1;
}
__global__ void plain_signal(int *p, unsigned *flag)
{
    p[threadIdx.x] = 3;
    __syncthreads();
    if (threadIdx.x == 0)
        *flag = 1; // value_from_plain_store
}
__global__ void await(int *p, unsigned *flag)
{
    if (threadIdx.x == 0)
        while (cuda::atomic_ref<unsigned, cuda::thread_scope_system>(*flag).load(cuda::memory_order_acquire) == 0)
            ;
    __syncthreads();
    p[threadIdx.x] += 1;
}
/** Some threads read the word as a signal, and some plainly, or all as a signal. */
__global__ void read_both(int *p, unsigned *flag, bool first, bool plainly)
{
    bool plain = plainly && (blockIdx.x == 0) == first;
    unsigned v;
    if (plain)
        v = *flag; // value_read_plainly value_read_plainly_first
    else
        v = *(volatile unsigned *)flag;
    p[blockIdx.x * blockDim.x + threadIdx.x] = (int)v & 4;
}

static void check(CUresult r)
{
    if (r) {
        const char *name = "?";
        cuGetErrorName(r, &name);
        fprintf(stderr, "%s\n", name);
        exit(2);
    }
}
static CUdeviceptr at(unsigned *p) { return (CUdeviceptr)(uintptr_t)p; }
// Everything has been waited for; the first word is `v`.
static void holds(int v)
{
    int got[N];
    check(cuStreamSynchronize(a));
    check(cuStreamSynchronize(b));
    cudaMemcpy(got, data, sizeof got, cudaMemcpyDeviceToHost);
    if (got[0] != v)
        printf("%d, not %d\n", got[0], v), exit(3);
}

static void see_later(unsigned value)
{
    check(cuStreamWriteValue32(a, at(flag), 1, 0));
    fill<<<1, N, 0, a>>>(data, 3);
    check(cuStreamWriteValue32(a, at(flag), 2, 0));
    check(cuStreamWaitValue32(b, at(flag), value, CU_STREAM_WAIT_VALUE_GEQ));
    add<<<1, N, 0, b>>>(data, 1);
    cudaDeviceSynchronize();
}

enum back { STALE, SET_BACK, FILLED_BACK };

static void after(CUstream second, CUstream first, CUevent e)
{
    check(cuEventRecord(e, first));
    check(cuStreamWaitEvent(second, e, 0));
}

/** One stream fills, the other adds, twice. */
static void twice(enum back how)
{
    CUevent e;
    check(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    for (int turn = 0; turn < 2; turn++) {
        fill<<<1, N, 0, a>>>(data, 3);
        check(cuStreamWriteValue32(a, at(flag), 1, 0));
        check(cuStreamWaitValue32(b, at(flag), 1, CU_STREAM_WAIT_VALUE_EQ));
        add<<<1, N, 0, b>>>(data, 1);
        if (how == SET_BACK)
            check(cuStreamWriteValue32(b, at(flag), 0, 0));
        after(a, b, e);
        if (how == FILLED_BACK) {
            check(cuMemsetD32Async(at(flag), 0, 1, a));
            after(b, a, e);
        }
    }
    cudaDeviceSynchronize();
    check(cuEventDestroy(e));
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
#define CASE(n) else if (!strcmp(name, n))
    cudaMalloc(&data, N * sizeof *data);
    cudaMalloc(&flag, 4096);
    cudaMallocHost(&pinned, 4096);
    pinned[0] = 0;
    cudaMemset(data, 0, N * sizeof *data);
    cudaMemset(flag, 0, 4096);
    cudaDeviceSynchronize();
    check(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    check(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    if (!*name)
        return 1;
    CASE("value_orders") {
        check(cuStreamWaitValue32(b, at(flag), 1, CU_STREAM_WAIT_VALUE_EQ));
        add<<<1, N, 0, b>>>(data, 1);
        fill<<<1, N, 0, a>>>(data, 5);
        check(cuStreamWriteValue32(a, at(flag), 1, 0));
        holds(6);
    }
    CASE("value_missing") {
        add<<<1, N, 0, b>>>(data, 1);
        fill<<<1, N, 0, a>>>(data, 5);
        check(cuStreamWriteValue32(a, at(flag), 1, 0));
        cudaDeviceSynchronize();
    }
    CASE("value_many") { // more words are written than are remembered
        unsigned *many;
        cudaMalloc(&many, 5000 * sizeof *many);
        cudaMemset(many, 0, 5000 * sizeof *many);
        cudaDeviceSynchronize();
        check(cuStreamWaitValue32(b, at(many + 4999), 1, CU_STREAM_WAIT_VALUE_EQ));
        add<<<1, N, 0, b>>>(data, 1);
        fill<<<1, N, 0, a>>>(data, 5);
        for (int i = 0; i < 5000; i++)
            check(cuStreamWriteValue32(a, at(many + i), 1, 0));
        holds(6);
        cudaFree(many);
    }
    CASE("value_many_missing") { // as many as are remembered; the wait is for a word that is written too early
        unsigned *many;
        cudaMalloc(&many, 5000 * sizeof *many);
        cudaMemset(many, 0, 5000 * sizeof *many);
        cudaDeviceSynchronize();
        check(cuStreamWaitValue32(b, at(many), 1, CU_STREAM_WAIT_VALUE_EQ));
        add<<<1, N, 0, b>>>(data, 1);
        for (int i = 0; i < 4000; i++)
            check(cuStreamWriteValue32(a, at(many + i), 1, 0));
        fill<<<1, N, 0, a>>>(data, 5);
        check(cuStreamWriteValue32(a, at(many + 4000), 1, 0));
        cudaDeviceSynchronize();
        cudaFree(many);
    }
    CASE("value_wrong_word") { // the wait finds its value before anybody has written
        check(cuStreamWaitValue32(b, at(flag + 1), 0, CU_STREAM_WAIT_VALUE_EQ));
        add<<<1, N, 0, b>>>(data, 1);
        fill<<<1, N, 0, a>>>(data, 5);
        check(cuStreamWriteValue32(a, at(flag), 1, 0));
        cudaDeviceSynchronize();
    }
    CASE("value_batch") {
        CUstreamBatchMemOpParams p[3];
        memset(p, 0, sizeof p);
        p[0].operation = CU_STREAM_MEM_OP_WAIT_VALUE_64;
        p[0].waitValue.address = at(flag), p[0].waitValue.value64 = 7, p[0].waitValue.flags = CU_STREAM_WAIT_VALUE_GEQ;
        p[1].operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
        p[1].waitValue.address = at(flag + 2), p[1].waitValue.value = 4, p[1].waitValue.flags = CU_STREAM_WAIT_VALUE_AND;
        p[2].operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
        p[2].writeValue.address = at(flag + 3), p[2].writeValue.value = 9;
        check(cuStreamBatchMemOp(b, 2, p, 0));
        add<<<1, N, 0, b>>>(data, 1);
        check(cuStreamBatchMemOp(b, 1, p + 2, 0));
        fill<<<1, N, 0, a>>>(data, 5);
        check(cuStreamWriteValue32(a, at(flag + 2), 6, 0));
        check(cuStreamWriteValue64(a, at(flag), 8, 0));
        check(cuStreamWaitValue32(a, at(flag + 3), 9, CU_STREAM_WAIT_VALUE_EQ));
        add<<<1, N, 0, a>>>(data, 1);
        holds(7);
    }
    CASE("value_batch_early") { // it signals before it adds
        check(cuStreamWriteValue32(b, at(flag), 1, 0));
        add<<<1, N, 0, b>>>(data, 1);
        check(cuStreamWaitValue32(a, at(flag), 1, CU_STREAM_WAIT_VALUE_EQ));
        add<<<1, N, 0, a>>>(data, 1);
        cudaDeviceSynchronize();
    }
    CASE("value_never") {
        check(cuStreamWaitValue32(b, at(flag), 1, CU_STREAM_WAIT_VALUE_GEQ)); // value_never
        add<<<1, N, 0, b>>>(data, 1);
        CUresult r = cuStreamSynchronize(b);
        return r == CUDA_ERROR_LAUNCH_TIMEOUT ? 0 : 4;
    }
    CASE("value_written_by_host") {
        check(cuStreamWaitValue32(b, at(pinned), 1, CU_STREAM_WAIT_VALUE_EQ));
        add<<<1, N, 0, b>>>(data, 1);
        std::thread other([] { *(volatile unsigned *)pinned = 1; });
        holds(1);
        other.join();
    }
    CASE("value_from_kernel") {
        check(cuStreamWaitValue32(b, at(flag), 1, CU_STREAM_WAIT_VALUE_EQ));
        add<<<1, N, 0, b>>>(data, 1);
        signal_after<<<1, N, 0, a>>>(data, flag);
        holds(4);
    }
    CASE("value_from_later_kernel") { // what is before it in its stream is done, too
        fill<<<1, N, 0, a>>>(data, 3);
        only_signal<<<1, 1, 0, a>>>(flag);
        check(cuStreamWaitValue32(b, at(flag), 1, CU_STREAM_WAIT_VALUE_EQ));
        add<<<1, N, 0, b>>>(data, 1);
        holds(4);
    }
    CASE("value_from_other_kernel") {
        cudaStream_t c;
        cudaStreamCreateWithFlags(&c, cudaStreamNonBlocking);
        fill<<<1, N, 0, c>>>(data, 3);
        only_signal<<<1, 1, 0, a>>>(flag);
        check(cuStreamWaitValue32(b, at(flag), 1, CU_STREAM_WAIT_VALUE_EQ));
        add<<<1, N, 0, b>>>(data, 1);
        cudaDeviceSynchronize();
        cudaStreamDestroy(c);
    }
    CASE("value_seen_early") { // the wait may end with the first write
        see_later(1);
    }
    CASE("value_seen_early_ordered") {
        see_later(2);
    }
    CASE("value_stale") { // the second wait may end with the first write
        twice(STALE);
    }
    CASE("value_set_back") {
        twice(SET_BACK);
    }
    CASE("value_filled_back") {
        twice(FILLED_BACK);
    }
    CASE("value_from_plain_store") {
        check(cuStreamWaitValue32(b, at(flag), 1, CU_STREAM_WAIT_VALUE_EQ));
        plain_signal<<<1, N, 0, a>>>(data, flag);
        cudaDeviceSynchronize();
    }
    CASE("value_to_kernel") {
        await<<<1, N, 0, b>>>(data, flag);
        fill<<<1, N, 0, a>>>(data, 5);
        check(cuStreamWriteValue32(a, at(flag), 1, 0));
        holds(6);
    }
    CASE("value_beside_copy") {
        unsigned one = 1;
        check(cuStreamWaitValue32(b, at(flag), 1, CU_STREAM_WAIT_VALUE_EQ));
        cudaMemcpyAsync(flag, &one, sizeof one, cudaMemcpyHostToDevice, a); // value_beside_copy
        cudaDeviceSynchronize();
    }
    if (!strncmp(name, "value_read_", 11)) {
        read_both<<<2, N / 2, 0, b>>>(data, flag, strstr(name, "first") != NULL, strcmp(name, "value_read_strongly") != 0);
        fill<<<1, 1, 0, a>>>((int *)flag + 8, 0); // so they have read before the stream writes
        check(cuStreamSynchronize(a));
        check(cuStreamWriteValue32(a, at(flag), 1, 0));
        holds(0);
    }
    CASE("value_host_polls") {
        static int *out;
        cudaMallocHost(&out, N * sizeof *out);
        fill<<<1, N, 0, a>>>(out, 5);
        check(cuStreamWriteValue32(a, at(pinned), 1, 0));
        while (*(volatile unsigned *)pinned == 0)
            ;
        int seen = *(volatile int *)out;
        check(cuStreamSynchronize(a));
        cudaFreeHost(out);
        if (seen != 5)
            return 5;
    }
    CASE("value_in_graph") {
        CUgraph g;
        CUgraphExec x;
        check(cuStreamBeginCapture(b, CU_STREAM_CAPTURE_MODE_RELAXED));
        check(cuStreamWaitValue32(b, at(flag), 1, CU_STREAM_WAIT_VALUE_EQ));
        add<<<1, N, 0, b>>>(data, 1);
        check(cuStreamWriteValue32(b, at(flag), 0, 0));
        check(cuStreamEndCapture(b, &g));
        check(cuGraphInstantiate(&x, g, 0));
        for (int i = 0; i < 2; i++) {
            check(cuGraphLaunch(x, b));
            fill<<<1, N, 0, a>>>(data, 5);
            check(cuStreamWriteValue32(a, at(flag), 1, 0));
            check(cuStreamWaitValue32(a, at(flag), 0, CU_STREAM_WAIT_VALUE_EQ));
        }
        holds(6);
    }
    if (!strncmp(name, "value_node", 10)) { // a node made by hand, as which the graph waits, or does not wait
        bool waits = !strcmp(name, "value_node");
        CUgraph g;
        CUgraphExec x;
        CUgraphNode wait, more;
        CUstreamBatchMemOpParams ops[2] = {};
        CUDA_BATCH_MEM_OP_NODE_PARAMS p = {};
        CUcontext c;
        check(cuCtxGetCurrent(&c));
        ops[0].waitValue = {CU_STREAM_MEM_OP_WAIT_VALUE_32, at(flag), {7}, CU_STREAM_WAIT_VALUE_EQ, 0};
        ops[1].writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_32, at(flag + 1), {2}, 0, 0};
        p.count = 2;
        p.paramArray = ops;
        check(cuGraphCreate(&g, 0));
        if (cuGraphAddBatchMemOpNode(&wait, g, nullptr, 0, &p) != CUDA_ERROR_INVALID_VALUE)
            exit(1); // no context
        p.ctx = c;
        check(cuGraphAddBatchMemOpNode(&wait, g, nullptr, 0, &p));
        ops[0].waitValue.value = 1;
        check(cuGraphBatchMemOpNodeSetParams(wait, &p));
        check(cuGraphBatchMemOpNodeGetParams(wait, &p));
        if (p.count != 2 || p.paramArray == ops || p.paramArray[0].waitValue.value != 1)
            exit(1);
        void *args[2];
        int v = 1;
        args[0] = &data;
        args[1] = &v;
        cudaKernelNodeParams k = {};
        k.func = (void *)add;
        k.gridDim = 1;
        k.blockDim = N;
        k.kernelParams = args;
        if (cudaGraphAddKernelNode(&more, g, &wait, 1, &k))
            exit(1);
        check(cuGraphInstantiate(&x, g, 0));
        if (!waits) {
            p.paramArray = ops;
            p.count = 1;
            if (cuGraphExecBatchMemOpNodeSetParams(x, wait, &p) != CUDA_ERROR_INVALID_VALUE)
                exit(1);
            p.count = 2;
            ops[0].waitValue.value = 0;
            ops[0].waitValue.address = at(flag + 3); // which nobody writes
            check(cuGraphExecBatchMemOpNodeSetParams(x, wait, &p));
        }
        check(cuGraphLaunch(x, b));
        fill<<<1, N, 0, a>>>(data, 5);
        check(cuStreamWriteValue32(a, at(flag), 1, 0));
        if (waits)
            holds(6);
    }
    cudaFree(data);
    cudaFree(flag);
    return 0;
}
