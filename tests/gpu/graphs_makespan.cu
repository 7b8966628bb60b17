// Makespans of small graphs, by events, and what the calls cost: streams_makespan.cu's companion.
//     nvcc -O2 -arch=sm_90 -cudart shared -o graphs_makespan tests/gpu/graphs_makespan.cu
//     ./graphs_makespan 21            one line a program: its name, microseconds (median of 21 runs)
//     ./graphs_makespan 21 calls      what calls take on the host
// tests/gpu/graphs_h200.txt holds what an H200 gave, tests/gpu/test_makespan.sh compares.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define OK(call)                                                                                   \
    do {                                                                                           \
        cudaError_t e_ = (call);                                                                   \
        if (e_ != cudaSuccess) {                                                                   \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(e_));    \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

enum { KB = 1 << 10, MB = 1 << 20, STREAMS = 8 };
static const size_t WHOLE = 64 * MB;
static const int ALONE = 120 * KB; // so much shared memory that an SM holds one block

__global__ void touch(int *x) { x[threadIdx.x] += 1; }

__global__ void scale(float *dst, const float *src, float a)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    dst[i] = a * src[i];
}

// Takes so many clocks on every SM it gets.
__global__ void hold(long long clocks)
{
    long long start = clock64();
    while (clock64() - start < clocks)
        ;
}

static cudaStream_t streams[STREAMS];
static cudaEvent_t start, stop, mark[STREAMS];
static float *pinned_in, *pinned_out, *dev_in, *dev_out;
static int *ints, sms;
static long long clocks_per_us;

static void set_up()
{
    int khz;
    OK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    OK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
    clocks_per_us = khz / 1000;
    for (int i = 0; i < STREAMS; i++) {
        OK(cudaStreamCreate(&streams[i]));
        OK(cudaEventCreateWithFlags(&mark[i], cudaEventDisableTiming));
    }
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&stop));
    OK(cudaMallocHost(&pinned_in, WHOLE));
    OK(cudaMallocHost(&pinned_out, WHOLE));
    OK(cudaMalloc(&dev_in, WHOLE));
    OK(cudaMalloc(&dev_out, WHOLE));
    OK(cudaMalloc(&ints, STREAMS * 128));
    memset(pinned_in, 1, WHOLE);
    memset(pinned_out, 1, WHOLE);
    OK(cudaMemset(dev_in, 0, WHOLE));
    OK(cudaMemset(dev_out, 0, WHOLE));
    OK(cudaMemset(ints, 0, STREAMS * 128));
    OK(cudaFuncSetAttribute(hold, cudaFuncAttributeMaxDynamicSharedMemorySize, ALONE));
    touch<<<1, 32>>>(ints);
    scale<<<1, 32>>>(dev_out, dev_in, 1.0f);
    hold<<<1, 32, ALONE>>>(1);
    OK(cudaDeviceSynchronize());
}

// ---- what is captured: on streams[0], with n as the programs say ----

static void fork_to(int n)
{
    OK(cudaEventRecord(mark[0], streams[0]));
    for (int i = 1; i < n; i++)
        OK(cudaStreamWaitEvent(streams[i], mark[0], 0));
}

static void join_from(int n)
{
    for (int i = 1; i < n; i++) {
        OK(cudaEventRecord(mark[i], streams[i]));
        OK(cudaStreamWaitEvent(streams[0], mark[i], 0));
    }
}

static void chain(int n) // kernels one after another
{
    for (int i = 0; i < n; i++)
        touch<<<1, 32, 0, streams[0]>>>(ints);
}

static void long_chain(int n) // of 10 us each
{
    for (int i = 0; i < n; i++)
        hold<<<1, 32, 0, streams[0]>>>(clocks_per_us * 10);
}

static void diamond(int) // 20, then 50 beside 100, then 20
{
    hold<<<1, 32, 0, streams[0]>>>(clocks_per_us * 20);
    fork_to(2);
    hold<<<1, 32, 0, streams[0]>>>(clocks_per_us * 50);
    hold<<<1, 32, 0, streams[1]>>>(clocks_per_us * 100);
    join_from(2);
    hold<<<1, 32, 0, streams[0]>>>(clocks_per_us * 20);
}

static void wide(int n)
{
    fork_to(n);
    for (int i = 0; i < n; i++)
        hold<<<1, 32, 0, streams[i]>>>(clocks_per_us * 50);
    join_from(n);
}

static void ladder(int n) // small kernels to and fro between two branches
{
    for (int i = 0; i < n; i++) {
        fork_to(2);
        touch<<<1, 32, 0, streams[0]>>>(ints);
        touch<<<1, 32, 0, streams[1]>>>(ints + 32);
        join_from(2);
    }
}

static void copies(int n)
{
    for (int i = 0; i < n; i++)
        OK(cudaMemcpyAsync(dev_in, pinned_in, 4 * KB, cudaMemcpyHostToDevice, streams[0]));
}

static void small_chain(int n)
{
    for (int i = 0; i < n; i++) {
        OK(cudaMemcpyAsync(dev_in, pinned_in, 4 * KB, cudaMemcpyHostToDevice, streams[0]));
        touch<<<1, 32, 0, streams[0]>>>(ints);
        OK(cudaMemcpyAsync(pinned_out, dev_out, 4 * KB, cudaMemcpyDeviceToHost, streams[0]));
    }
}

static void sets(int n)
{
    for (int i = 0; i < n; i++)
        OK(cudaMemsetAsync(dev_out, 0, 4 * KB, streams[0]));
}

static void pipeline(int n)
{
    size_t part = WHOLE / n, count = part / sizeof(float);
    fork_to(n);
    for (int i = 0; i < n; i++) {
        OK(cudaMemcpyAsync(dev_in + i * count, pinned_in + i * count, part, cudaMemcpyHostToDevice, streams[i]));
        scale<<<count / 256, 256, 0, streams[i]>>>(dev_out + i * count, dev_in + i * count, 2.0f);
        OK(cudaMemcpyAsync(pinned_out + i * count, dev_out + i * count, part, cudaMemcpyDeviceToHost, streams[i]));
    }
    join_from(n);
}

static void host_functions(int n)
{
    for (int i = 0; i < n; i++) {
        touch<<<1, 32, 0, streams[0]>>>(ints);
        OK(cudaLaunchHostFunc(streams[0], [](void *) {}, nullptr));
    }
}

// ---- how it is launched ----

enum way { PLAIN, ONCE, TEN_TIMES, TWO_STREAMS, TWO_EXECS };

struct program {
    const char *name;
    void (*make)(int n);
    int n;
    way how;
};
static const program programs[] = {
    {"plain_chain_20", chain, 20, PLAIN},
    {"graph_chain_1", chain, 1, ONCE},
    {"graph_chain_20", chain, 20, ONCE},
    {"graph_chain_200", chain, 200, ONCE},
    {"plain_long_20", long_chain, 20, PLAIN},
    {"graph_long_20", long_chain, 20, ONCE},
    {"plain_diamond", diamond, 1, PLAIN},
    {"graph_diamond", diamond, 1, ONCE},
    {"graph_wide_8", wide, 8, ONCE},
    {"plain_ladder_20", ladder, 20, PLAIN},
    {"graph_ladder_20", ladder, 20, ONCE},
    {"plain_copies_20", copies, 20, PLAIN},
    {"graph_copies_20", copies, 20, ONCE},
    {"plain_small_10", small_chain, 10, PLAIN},
    {"graph_small_10", small_chain, 10, ONCE},
    {"plain_sets_20", sets, 20, PLAIN},
    {"graph_sets_20", sets, 20, ONCE},
    {"graph_pipeline_1", pipeline, 1, ONCE},
    {"graph_pipeline_4", pipeline, 4, ONCE},
    {"graph_host_4", host_functions, 4, ONCE},
    {"ten_launches_of_1", chain, 1, TEN_TIMES},
    {"ten_launches_of_20", chain, 20, TEN_TIMES},
    {"ten_diamonds", diamond, 1, TEN_TIMES},
    {"same_exec_two_streams", long_chain, 10, TWO_STREAMS},
    {"two_execs_two_streams", long_chain, 10, TWO_EXECS},
};

static cudaGraphExec_t instantiate(void (*make)(int), int n)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal));
    make(n);
    OK(cudaStreamEndCapture(streams[0], &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphDestroy(graph));
    OK(cudaGraphUpload(exec, streams[0]));
    return exec;
}

static void run(const program &p, cudaGraphExec_t *exec)
{
    if (p.how == PLAIN)
        p.make(p.n);
    else if (p.how == ONCE)
        OK(cudaGraphLaunch(exec[0], streams[0]));
    else if (p.how == TEN_TIMES)
        for (int i = 0; i < 10; i++)
            OK(cudaGraphLaunch(exec[0], streams[0]));
    else {
        fork_to(2);
        OK(cudaGraphLaunch(exec[0], streams[0]));
        OK(cudaGraphLaunch(exec[p.how == TWO_EXECS], streams[1]));
        join_from(2);
    }
}

static float makespan(const program &p, cudaGraphExec_t *exec)
{
    float ms;
    OK(cudaDeviceSynchronize());
    OK(cudaEventRecord(start, streams[0]));
    run(p, exec);
    OK(cudaEventRecord(stop, streams[0]));
    OK(cudaDeviceSynchronize());
    OK(cudaEventElapsedTime(&ms, start, stop));
    return ms * 1000;
}

// ---- what calls take ----

template <typename Call> static double call_us(int runs, Call call)
{
    std::vector<double> us;
    for (int i = 0; i < runs; i++) {
        OK(cudaDeviceSynchronize());
        auto from = std::chrono::steady_clock::now();
        call();
        us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - from).count());
    }
    std::sort(us.begin(), us.end());
    return us[us.size() / 2];
}

static void calls(int runs)
{
    for (int n : {1, 10, 100, 1000}) {
        cudaGraphExec_t e = instantiate(chain, n);
        printf("call_launch_chain_%-4d %8.2f\n", n, call_us(runs, [&] { OK(cudaGraphLaunch(e, streams[0])); }));
        printf("launch_and_wait_%-7d %8.2f\n", n, call_us(runs, [&] {
            OK(cudaGraphLaunch(e, streams[0]));
            OK(cudaStreamSynchronize(streams[0]));
        }));
    }
    for (int n : {2, 8}) {
        cudaGraphExec_t e = instantiate(wide, n);
        printf("call_launch_wide_%-5d %8.2f\n", n, call_us(runs, [&] { OK(cudaGraphLaunch(e, streams[0])); }));
    }
    for (int n : {10, 100}) {
        cudaGraphExec_t e = instantiate(ladder, n), c = instantiate(copies, n);
        printf("call_launch_ladder_%-3d %8.2f\n", n, call_us(runs, [&] { OK(cudaGraphLaunch(e, streams[0])); }));
        printf("call_launch_copies_%-3d %8.2f\n", n, call_us(runs, [&] { OK(cudaGraphLaunch(c, streams[0])); }));
    }
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal));
    chain(100);
    OK(cudaStreamEndCapture(streams[0], &graph));
    printf("instantiate_100        %8.2f\n", call_us(runs, [&] { OK(cudaGraphInstantiate(&exec, graph, 0)); }));
    printf("capture_100            %8.2f\n", call_us(runs, [&] {
        OK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal));
        chain(100);
        OK(cudaStreamEndCapture(streams[0], &graph));
    }));
}

int main(int argc, char **argv)
{
    int runs = argc > 1 ? atoi(argv[1]) : 1;
    const char *only = argc > 2 ? argv[2] : nullptr;
    set_up();
    if (only && !strcmp(only, "calls")) {
        calls(runs);
        return 0;
    }
    for (auto &p : programs) {
        if (only && strcmp(only, p.name))
            continue;
        cudaGraphExec_t exec[2] = {};
        for (int i = 0; i < 2 && p.how != PLAIN; i++)
            exec[i] = instantiate(p.make, p.n);
        std::vector<float> us;
        for (int i = 0; i < runs; i++)
            us.push_back(makespan(p, exec));
        std::sort(us.begin(), us.end());
        printf("%-22s %10.1f\n", p.name, us[us.size() / 2]);
    }
    return 0;
}
