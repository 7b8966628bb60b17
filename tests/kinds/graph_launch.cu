// Kernels that launch graphs: what comes before what.
// nvcc: -rdc=true -lcudadevrt
// arch compute_75 compute_90
// case before_launch expect=silent
// case after_launch expect=data-race says=cudaStreamGraphTailLaunch
// case reads_result expect=data-race says=cudaStreamGraphTailLaunch
// case barrier_before expect=silent
// case no_barrier expect=data-race
// case reads_in_tail expect=silent
// case writes_before_tail expect=silent
// case two_fired expect=data-race
// case two_tails expect=silent
// case fired_and_tail expect=silent
// case siblings_apart expect=data-race
// case siblings_before_own_tail expect=silent
// case rest_of_graph expect=data-race
// case tail_after_rest expect=silent
// case nodes_in_order expect=silent
// case nodes_apart expect=data-race
// case fill_and_copy expect=silent
// case fill_beside expect=data-race
// case itself expect=silent
// case itself_for_ever expect=step-limit options=--step-limit=2000
// case each_other_for_ever expect=step-limit options=--step-limit=2000
// case host_after expect=silent
// case not_for_device expect=out-of-bounds says=cudaGraphInstantiateFlagDeviceLaunch
#include <cstdio>
#include <cstring>

#define N 64
#define I threadIdx.x
#define FIRST if (threadIdx.x == 0)
__device__ int data[N], copy[N], rounds;
static cudaStream_t stream;

__global__ void doubles() { data[I] = data[I] * 2; }
__global__ void copies() { copy[I] = data[I]; }
__global__ void sets(int v) { data[I] = v; }

typedef cudaGraphExec_t graph;
#define FIRE cudaStreamGraphFireAndForget
#define TAIL cudaStreamGraphTailLaunch
#define SIBLING cudaStreamGraphFireAndForgetAsSibling

__global__ void before_launch(graph a, graph) { FIRST { for (int i = 0; i < N; i++) data[i] = i; cudaGraphLaunch(a, FIRE); } }
__global__ void after_launch(graph a, graph)
{
    FIRST {
        cudaGraphLaunch(a, FIRE);
        data[5] = 1; // after_launch
    }
}
__global__ void reads_result(graph a, graph)
{
    FIRST {
        cudaGraphLaunch(a, FIRE);
        copy[0] = data[5]; // reads_result
    }
}
__global__ void barrier_before(graph a, graph) { data[I] = I; __syncthreads(); FIRST cudaGraphLaunch(a, FIRE); }
__global__ void no_barrier(graph a, graph)
{
    data[I] = I; // no_barrier
    FIRST cudaGraphLaunch(a, FIRE);
}
__global__ void launches_tail(graph a, graph) { FIRST cudaGraphLaunch(a, TAIL); data[I] = I; }
__global__ void fires_both(graph a, graph b) { FIRST { cudaGraphLaunch(a, FIRE); cudaGraphLaunch(b, FIRE); } }
__global__ void tails_both(graph a, graph b) { FIRST { cudaGraphLaunch(a, TAIL); cudaGraphLaunch(b, TAIL); } }
__global__ void fires_and_tails(graph a, graph b) { FIRST { cudaGraphLaunch(b, TAIL); cudaGraphLaunch(a, FIRE); } }
__global__ void has_sibling(graph a, graph) { FIRST cudaGraphLaunch(a, SIBLING); }
__global__ void fires(graph a, graph) { FIRST cudaGraphLaunch(a, FIRE); }
__global__ void again(graph, graph)
{
    data[I] = data[I] + 1;
    __syncthreads();
    FIRST if (++rounds < 4) cudaGraphLaunch(cudaGetCurrentGraphExec(), TAIL);
}

__global__ void for_ever(graph, graph)
{
    FIRST cudaGraphLaunch(cudaGetCurrentGraphExec(), TAIL); // itself_for_ever
}

__device__ graph pair[2];
__global__ void for_ever_other(int which)
{
    FIRST cudaGraphLaunch(pair[which], SIBLING); // each_other_for_ever
}

template <typename F> static graph made(F f, unsigned long long flags = cudaGraphInstantiateFlagDeviceLaunch)
{
    cudaGraph_t g;
    graph x = nullptr;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    f();
    cudaStreamEndCapture(stream, &g);
    if (cudaGraphInstantiate(&x, g, flags))
        puts("no graph");
    cudaGraphUpload(x, stream);
    cudaGraphDestroy(g);
    return x;
}

static void launch(void (*kernel)(graph, graph), graph a, graph b = nullptr, unsigned long long flags = 0)
{
    graph x = made([&] { kernel<<<1, N, 0, stream>>>(a, b); }, flags);
    cudaGraphLaunch(x, stream);
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(x);
    cudaGraphExecDestroy(a);
    if (b)
        cudaGraphExecDestroy(b);
}

template <typename F> static graph forked(F left, F right)
{
    return made([&] {
        cudaStream_t other;
        cudaEvent_t begun, ended;
        cudaStreamCreate(&other);
        cudaEventCreate(&begun);
        cudaEventCreate(&ended);
        cudaEventRecord(begun, stream);
        cudaStreamWaitEvent(other, begun, 0);
        left(stream);
        right(other);
        cudaEventRecord(ended, other);
        cudaStreamWaitEvent(stream, ended, 0);
        cudaEventDestroy(begun);
        cudaEventDestroy(ended);
        cudaStreamDestroy(other);
    });
}

int main(int, char **argv)
{
    const char *what = argv[1];
    int *to, *from;
    int known[N] = {0};
    cudaStreamCreate(&stream);
    cudaMemcpyToSymbol(data, known, sizeof known);
    cudaMemcpyToSymbol(copy, known, sizeof known);
    cudaGetSymbolAddress((void **)&from, data);
    cudaGetSymbolAddress((void **)&to, copy);
    auto doubling = [&] { return made([&] { doubles<<<1, N, 0, stream>>>(); }); };
    auto copying = [&] { return made([&] { copies<<<1, N, 0, stream>>>(); }); };
#define CASE(name) else if (!strcmp(what, #name))
    if (0) ;
    CASE(before_launch) launch(before_launch, doubling());
    CASE(after_launch) launch(after_launch, doubling());
    CASE(reads_result) launch(reads_result, doubling());
    CASE(barrier_before) launch(barrier_before, doubling());
    CASE(no_barrier) launch(no_barrier, doubling());
    CASE(reads_in_tail) launch(fires_and_tails, doubling(), copying());
    CASE(writes_before_tail) launch(launches_tail, copying());
    CASE(two_fired) launch(fires_both, doubling(), copying());
    CASE(two_tails) launch(tails_both, doubling(), copying());
    CASE(fired_and_tail) launch(fires_and_tails, doubling(), doubling());
    CASE(siblings_apart) { // a tail's sibling is not what the next tail comes after
        graph d = doubling();
        launch(tails_both, made([&] { has_sibling<<<1, N, 0, stream>>>(d, nullptr); }), copying());
    }
    CASE(siblings_before_own_tail) { // what a fired graph has as its sibling belongs to the graph that fired it
        graph d = doubling();
        launch(fires_and_tails, made([&] { has_sibling<<<1, N, 0, stream>>>(d, nullptr); }), copying());
    }
    CASE(rest_of_graph) {
        graph d = doubling(), x = made([&] { fires<<<1, N, 0, stream>>>(d, nullptr); copies<<<1, N, 0, stream>>>(); }, 0);
        cudaGraphLaunch(x, stream);
    }
    CASE(tail_after_rest) {
        graph c = copying(), d = doubling(), x = made([&] { tails_both<<<1, N, 0, stream>>>(c, d); sets<<<1, N, 0, stream>>>(3); }, 0);
        cudaGraphLaunch(x, stream);
    }
    CASE(nodes_in_order) launch(fires, made([&] { doubles<<<1, N, 0, stream>>>(); copies<<<1, N, 0, stream>>>(); }));
    CASE(nodes_apart) launch(fires, forked(+[](cudaStream_t s) { doubles<<<1, N, 0, s>>>(); }, +[](cudaStream_t s) { copies<<<1, N, 0, s>>>(); }));
    CASE(fill_and_copy) launch(fires, made([&] {
        cudaMemsetAsync(from, 1, N * sizeof(int), stream);
        doubles<<<1, N, 0, stream>>>();
        cudaMemcpyAsync(to, from, N * sizeof(int), cudaMemcpyDeviceToDevice, stream);
    }));
    CASE(fill_beside) launch(after_launch, made([&] { cudaMemsetAsync(from, 1, N * sizeof(int), stream); }));
    CASE(itself) launch(again, doubling(), nullptr, cudaGraphInstantiateFlagDeviceLaunch);
    CASE(itself_for_ever) launch(for_ever, doubling(), nullptr, cudaGraphInstantiateFlagDeviceLaunch);
    CASE(each_other_for_ever) {
        graph both[2];
        for (int i = 0; i < 2; i++)
            both[i] = made([&] { for_ever_other<<<1, 1, 0, stream>>>(1 - i); });
        cudaMemcpyToSymbol(pair, both, sizeof both);
        cudaGraphLaunch(both[0], stream);
    }
    CASE(host_after) launch(fires, doubling());
    CASE(not_for_device) launch(fires, made([&] { doubles<<<1, N, 0, stream>>>(); }, 0));
    cudaStreamSynchronize(stream);
    int out[2][N];
    if (cudaMemcpyFromSymbol(out[0], data, sizeof out[0]) == cudaSuccess && cudaMemcpyFromSymbol(out[1], copy, sizeof out[1]) == cudaSuccess)
        printf("%s: data %d, copy %d\n", what, out[0][5], out[1][5]);
    return 0;
}
