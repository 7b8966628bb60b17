// Memory that a kernel only reads, whole and written before, and who writes it all the same: in the launch through another argument, a table, a child or an
// index that leads there, or later from elsewhere. test_kinds.sh says what the list means.
//
// also --engine=compile
//
// case only_read expect=silent
// case passed_twice expect=data-race
// case passed_twice_own expect=silent
// case same_allocation expect=data-race
// case same_allocation_apart expect=silent
// case by_table expect=data-race
// case by_table_own expect=silent
// case by_index expect=data-race
// case by_index_own expect=silent
// case by_index_counted expect=data-race
// case by_index_added expect=data-race
// case by_index_added_own expect=silent
// case by_child expect=data-race
// case by_child_behind expect=silent
// case hole expect=uninitialized-read
// case no_hole expect=silent
// case hole_behind expect=silent
// case stream_behind expect=silent
// case stream_beside expect=stream-race
// case stream_before expect=stream-race
// case copy_beside expect=stream-race
// case copy_behind expect=silent
// case event_early expect=stream-race
// case event_late expect=silent
// case freed_beside expect=stream-race
// case graph_beside expect=stream-race
// case graph_behind expect=silent
// case cycle expect=deadlock
// case no_cycle expect=silent
// case outside expect=out-of-bounds
//
// nvcc: -rdc=true -lcudadevrt
#include "check.h"

#include <cstring>
#include <string>

#define THREADS 64
#define BLOCKS 4
#define N (THREADS * BLOCKS)

__global__ void reads(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int k = 0; k < N; k++)
        sum += in[(i + k) % N];
    out[i] = sum;
}

__global__ void shifts(const int *in, int *out, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[(i + by) % N] + 1;
}

__global__ void sets(int *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = 7;
}

__global__ void sets_by_table(const int *in, int **table, int *out, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
    table[0][(i + by) % N] = 3;
}

__global__ void sets_by_index(const int *in, int *out, long long away, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
    out[away + (i + by) % N] = 3;
}

__global__ void counts_before(const int *in, int *out, int *same, long long away)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    same[0] = i;
    out[i] = in[i];
    out[away + (i + 1) % N] = 3;
}

__global__ void adds_by_index(const int *in, int *out, long long away, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
    atomicAdd(&out[away + (i + by) % N], 1);
}

__global__ void launches(int *in, int *out, bool first)
{
    int i = threadIdx.x;
    if (!first && i == 0)
        sets<<<1, THREADS>>>(in);
    out[i] = in[i];
    __syncthreads();
    if (first && i == 0)
        sets<<<1, THREADS>>>(in);
}

__global__ void decides(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] > 3 ? 1 : 2;
}

__global__ void follows(const int *next, int *out)
{
    int at = threadIdx.x, steps = 0;
    while (at >= 0) {
        at = next[at];
        steps++;
    }
    out[threadIdx.x] = steps;
}

static int *in, *out, **table, host[N];
static cudaStream_t one, other;
static cudaEvent_t event;

static void make(int words)
{
    CHECK(!cudaMalloc(&in, words * sizeof *in) && !cudaMalloc(&out, 2 * N * sizeof *out));
    CHECK(!cudaMemset(in, 1, N * sizeof *in) && !cudaMemset(out, 0, N * sizeof *out));
    CHECK(!cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking) && !cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    CHECK(!cudaEventCreate(&event) && !cudaDeviceSynchronize());
}

static void in_one_launch(const std::string &what)
{
    long long away = in - out;
    bool own = what.find("_own") != std::string::npos;
    CHECK(!cudaMalloc(&table, sizeof in) && !cudaMemcpy(table, &in, sizeof in, cudaMemcpyHostToDevice));
    if (what == "only_read")
        reads<<<BLOCKS, THREADS>>>(in, out);
    else if (what == "passed_twice" || what == "passed_twice_own")
        shifts<<<BLOCKS, THREADS>>>(in, in, own ? 0 : 1);
    else if (what == "by_table" || what == "by_table_own")
        sets_by_table<<<BLOCKS, THREADS>>>(in, table, out, own ? 0 : 1);
    else if (what == "by_index" || what == "by_index_own")
        sets_by_index<<<BLOCKS, THREADS>>>(in, out, away, own ? 0 : 1);
    else if (what == "by_index_counted")
        counts_before<<<BLOCKS, THREADS>>>(in, out, (int *)table, away);
    else if (what == "by_index_added" || what == "by_index_added_own")
        adds_by_index<<<BLOCKS, THREADS>>>(in, out, away, own ? 0 : 1);
    else
        launches<<<1, THREADS>>>(in, out, what == "by_child_behind");
    CHECK(!cudaDeviceSynchronize());
}

static void in_streams(const std::string &what)
{
    bool behind = what.find("behind") != std::string::npos || what == "event_late";
    if (what == "stream_before") /* a warp's turn later or earlier: who comes first is not said */
        sets<<<BLOCKS, THREADS, 0, other>>>(in);
    if (what == "event_early")
        CHECK(!cudaEventRecord(event, one));
    reads<<<BLOCKS, THREADS, 0, one>>>(in, out);
    if (what == "event_late")
        CHECK(!cudaEventRecord(event, one));
    if (what.find("event") == 0)
        CHECK(!cudaEventSynchronize(event));
    else if (behind)
        CHECK(!cudaStreamSynchronize(one));
    if (what.find("copy") == 0)
        CHECK(!cudaMemcpyAsync(in, host, sizeof host, cudaMemcpyHostToDevice, other));
    else if (what.find("freed") == 0)
        CHECK(!cudaFreeAsync(in, other));
    else if (what != "stream_before")
        sets<<<BLOCKS, THREADS, 0, other>>>(in);
    CHECK(!cudaStreamSynchronize(other) && !cudaStreamSynchronize(one));
}

static void in_graph(bool behind)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(!cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal) && !cudaEventRecord(event, one));
    if (!behind)
        CHECK(!cudaStreamWaitEvent(other, event, 0));
    reads<<<BLOCKS, THREADS, 0, one>>>(in, out);
    if (behind)
        CHECK(!cudaEventRecord(event, one) && !cudaStreamWaitEvent(other, event, 0));
    sets<<<BLOCKS, THREADS, 0, other>>>(in);
    CHECK(!cudaEventRecord(event, other) && !cudaStreamWaitEvent(one, event, 0));
    CHECK(!cudaStreamEndCapture(one, &graph) && !cudaGraphInstantiate(&exec, graph, 0));
    CHECK(!cudaGraphLaunch(exec, one) && !cudaStreamSynchronize(one));
}

int main(int argc, char **argv)
{
    std::string what = argc > 1 ? argv[1] : "";
    make(what.find("hole") == 0 || what == "same_allocation" || what == "same_allocation_apart" ? 2 * N : N);
    if (what.find("stream") == 0 || what.find("copy") == 0 || what.find("event") == 0)
        in_streams(what);
    else if (what == "freed_beside") {
        int *pool;
        CHECK(!cudaFree(in) && !cudaMallocAsync(&pool, N * sizeof *pool, one) && !cudaMemsetAsync(pool, 1, N * sizeof *pool, one) && !cudaStreamSynchronize(one));
        in = pool;
        in_streams(what);
        in = NULL;
    } else if (what.find("graph") == 0)
        in_graph(what == "graph_behind");
    else if (what == "hole" || what == "hole_behind")
        decides<<<2 * BLOCKS, THREADS>>>(in, out, what == "hole" ? N + 1 : N);
    else if (what == "no_hole") {
        CHECK(!cudaMemset(in, 1, N * sizeof *in));
        decides<<<BLOCKS, THREADS>>>(in, out, N);
    } else if (what == "outside") {
        decides<<<2 * BLOCKS, THREADS>>>(in, out, N + 1);
        return cudaDeviceSynchronize(), 0;
    } else if (what.find("same_allocation") == 0) {
        CHECK(!cudaMemset(in + N, 0, N * sizeof *in));
        shifts<<<BLOCKS, THREADS>>>(what == "same_allocation" ? in + 1 : in + N, in, 0);
    } else if (what == "cycle" || what == "no_cycle") {
        for (int i = 0; i < N; i++)
            host[i] = i + 1 < N ? i + 1 : what == "cycle" ? 0 : -1;
        CHECK(!cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
        follows<<<1, THREADS>>>(in, out);
        if (what == "cycle")
            return cudaDeviceSynchronize(), 0;
    } else
        in_one_launch(what);
    CHECK(!cudaDeviceSynchronize() && !cudaFree(in) && !cudaFree(out) && !cudaFree(table));
    return 0;
}
