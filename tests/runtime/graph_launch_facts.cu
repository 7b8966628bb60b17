// nvcc: -rdc=true -arch=compute_90 -lcudadevrt
// What graphs that kernels launch do, as an H200 does it: what may be in them, errors, order, limits. One fact a line.
#include <cstdio>
#include <cstdlib>

#define MANY 300
__device__ int result[MANY + 16];
__device__ int total;
__device__ int room[64];

__global__ void append(int digit) { total = total * 10 + digit; }
__global__ void add(int v) { atomicAdd(&total, v); }
__global__ void nests() { add<<<1, 1>>>(1); }
__global__ void wait_then_append(int digit)
{
    long long from = clock64();
    while (clock64() - from < 300000)
        ;
    total = total * 10 + digit;
}
struct list { cudaGraphExec_t g[4]; };

// 'f' fires, 't' tails, 's' fires as a sibling, 'o' to the null stream, 'F' and 'T' to the streams of kernels' launches, 'x' to no stream.
struct orders { char what[12]; };
__global__ void launch(list l, orders o, int digit, int at)
{
    if (digit)
        total = total * 10 + digit;
    for (int i = 0; o.what[2 * i]; i++) {
        cudaGraphExec_t g = l.g[o.what[2 * i + 1] - '0'];
        cudaStream_t s = 0;
        switch (o.what[2 * i]) {
        case 'f': s = cudaStreamGraphFireAndForget; break;
        case 't': s = cudaStreamGraphTailLaunch; break;
        case 's': s = cudaStreamGraphFireAndForgetAsSibling; break;
        case 'F': s = cudaStreamFireAndForget; break;
        case 'T': s = cudaStreamTailLaunch; break;
        case 'x': s = (cudaStream_t)0x0400000000000000; break;
        }
        result[at + i] = (int)cudaGraphLaunch(g, s);
    }
}

__global__ void again(int times)
{
    if (++total < times)
        result[0] = (int)cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}
__global__ void twice_again(int times)
{
    if (++total < times) {
        result[0] = (int)cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
        result[1] = (int)cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
    }
}
__global__ void fires_itself()
{
    total++;
    result[0] = (int)cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphFireAndForget);
}
__device__ cudaGraphExec_t seen;
__global__ void current(int at, cudaGraphExec_t expected)
{
    seen = cudaGetCurrentGraphExec();
    result[at] = seen == nullptr ? 0 : seen == expected ? 1 : 2;
}
__global__ void launch_all(cudaGraphExec_t *g, int n, cudaStream_t s)
{
    for (int i = 0; i < n; i++)
        result[i] = (int)cudaGraphLaunch(g[i], s);
}

static cudaStream_t stream;

template <typename F> static cudaGraph_t graph_of(F f)
{
    cudaGraph_t g;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    f();
    cudaStreamEndCapture(stream, &g);
    return g;
}
static cudaGraphExec_t made(cudaGraph_t g, unsigned long long flags)
{
    cudaGraphExec_t x = nullptr;
    cudaError_t e = cudaGraphInstantiate(&x, g, flags);
    if (e)
        printf("(instantiate: %d) ", e);
    return x;
}
static cudaGraphExec_t uploaded(cudaGraph_t g)
{
    cudaGraphExec_t x = made(g, cudaGraphInstantiateFlagDeviceLaunch);
    cudaError_t e = cudaGraphUpload(x, stream);
    if (e)
        printf("(upload: %d) ", e);
    cudaStreamSynchronize(stream);
    return x;
}
static cudaGraphExec_t appends(int digit) { return uploaded(graph_of([&] { append<<<1, 1, 0, stream>>>(digit); })); }
static cudaGraphExec_t late(int digit) { return uploaded(graph_of([&] { wait_then_append<<<1, 1, 0, stream>>>(digit); })); }
static orders o(const char *s) { orders r = {}; snprintf(r.what, sizeof r.what, "%s", s); return r; }

static void begin()
{
    static int zero[MANY + 16];
    for (int &z : zero) z = -1;
    cudaMemcpyToSymbol(result, zero, sizeof zero);
    int none = 0;
    cudaMemcpyToSymbol(total, &none, sizeof none);
}
static void end(const char *what, int n)
{
    cudaError_t e = cudaDeviceSynchronize();
    int r[MANY + 16], t = -1;
    printf("%s: %s", what, cudaGetErrorName(e));
    cudaMemcpyFromSymbol(r, result, sizeof r);
    cudaMemcpyFromSymbol(&t, total, sizeof t);
    for (int i = 0; i < n; i++)
        printf(" %d", r[i]);
    printf(", total %d\n", t);
    fflush(stdout);
}

// A graph of one kernel that gives these orders, launched by the host.
static void from_host_graph(const char *name, list l, const char *orders_, int n, unsigned long long flags = 0)
{
    cudaGraphExec_t x = made(graph_of([&] { launch<<<1, 1, 0, stream>>>(l, o(orders_), 1, 0); }), flags);
    begin();
    cudaGraphLaunch(x, stream);
    end(name, n);
}

static void may_hold(const char *what, cudaGraph_t g, unsigned long long flags = 0)
{
    cudaGraphExec_t x = nullptr;
    cudaGraphInstantiateParams p = {};
    p.flags = cudaGraphInstantiateFlagDeviceLaunch | flags;
    p.uploadStream = stream;
    cudaError_t e = cudaGraphInstantiateWithParams(&x, g, &p);
    printf("may hold %s: %d, result %d, node %s\n", what, e, p.result_out, p.errNode_out ? "told" : "not told");
    cudaGetLastError();
    fflush(stdout);
}

static void contents()
{
    static int pageable[4];
    int *pinned, *memory;
    cudaEvent_t e;
    cudaMallocHost(&pinned, 64);
    cudaGetSymbolAddress((void **)&memory, room);
    cudaEventCreate(&e);
    cudaGraph_t none, child = graph_of([&] { add<<<1, 1, 0, stream>>>(1); });
    cudaGraphCreate(&none, 0);
    may_hold("nothing", none);
    may_hold("a kernel", child);
    may_hold("a kernel that launches kernels", graph_of([&] { nests<<<1, 1, 0, stream>>>(); }));
    may_hold("a fill", graph_of([&] { cudaMemsetAsync(memory, 1, 16, stream); }));
    may_hold("a copy on the device", graph_of([&] { cudaMemcpyAsync(memory + 4, memory, 16, cudaMemcpyDeviceToDevice, stream); }));
    may_hold("a copy from page-locked memory", graph_of([&] { cudaMemcpyAsync(memory, pinned, 16, cudaMemcpyHostToDevice, stream); }));
    may_hold("a copy from pageable memory", graph_of([&] { cudaMemcpyAsync(memory, pageable, 16, cudaMemcpyHostToDevice, stream); }));
    may_hold("a host function", graph_of([&] { cudaLaunchHostFunc(stream, [](void *) {}, nullptr); }));
    cudaGraph_t g;
    cudaGraphNode_t n;
    cudaGraphCreate(&g, 0);
    cudaGraphAddEmptyNode(&n, g, nullptr, 0);
    may_hold("an empty node", g);
    cudaGraphCreate(&g, 0);
    cudaGraphAddEventRecordNode(&n, g, nullptr, 0, e);
    may_hold("an event's record", g);
    cudaGraphCreate(&g, 0);
    cudaGraphAddChildGraphNode(&n, g, nullptr, 0, child);
    may_hold("a child graph", g);
    may_hold("an allocation", graph_of([&] { void *p; cudaMallocAsync(&p, 64, stream); cudaFreeAsync(p, stream); }));
    cudaGraphCreate(&g, 0);
    cudaGraphConditionalHandle h;
    cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault);
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = h;
    p.conditional.type = cudaGraphCondTypeIf;
    p.conditional.size = 1;
    printf("add: %d\n", cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
    may_hold("a condition", g);
    may_hold("a kernel, with automatic frees", child, cudaGraphInstantiateFlagAutoFreeOnLaunch);
    may_hold("a kernel, with priorities", child, cudaGraphInstantiateFlagUseNodePriority);
    may_hold("a kernel, with upload", child, cudaGraphInstantiateFlagUpload);
    may_hold("a kernel, once more", child);
}

static void limits(const char *what, int n, cudaStream_t s, int shown)
{
    cudaGraphExec_t *all;
    cudaMallocManaged(&all, n * sizeof *all);
    for (int i = 0; i < n; i++)
        all[i] = uploaded(graph_of([&] { add<<<1, 1, 0, stream>>>(1); }));
    cudaGraphExec_t x = made(graph_of([&] { launch_all<<<1, 1, 0, stream>>>(all, n, s); }), 0);
    for (int turn = 0; turn < 2; turn++) {
        begin();
        cudaGraphLaunch(x, stream);
        cudaError_t e = cudaDeviceSynchronize();
        int r[MANY], good = 0, other = 0, t;
        cudaMemcpyFromSymbol(r, result, n * sizeof(int));
        cudaMemcpyFromSymbol(&t, total, sizeof t);
        for (int i = 0; i < n; i++)
            r[i] ? other = r[i] : good++;
        printf("%s: %s %d good, else %d, total %d\n", what, cudaGetErrorName(e), good, other, t);
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    contents();
    cudaGraphExec_t two = appends(2), three = appends(3), four = appends(4), late2 = late(2);
    list l = {{two, three, four, late2}};

    begin();
    launch<<<1, 1, 0, stream>>>(l, o("f0"), 1, 0);
    printf("launched in no graph: %s\n", cudaGetErrorName(cudaGetLastError()));
    end("from no graph", 1);
    from_host_graph("fired", l, "f0", 1);
    from_host_graph("tail", l, "t0", 1);
    from_host_graph("sibling", l, "s0", 1);
    from_host_graph("null stream", l, "o0", 1);
    from_host_graph("kernels' fire and forget", l, "F0", 1);
    from_host_graph("kernels' tail", l, "T0", 1);
    from_host_graph("no stream", l, "x0", 1);
    from_host_graph("no graph", {{nullptr}}, "f0", 1);
    from_host_graph("tails in order", l, "t1t0t2", 3);
    from_host_graph("tail after what was fired", l, "t1f3", 2);
    from_host_graph("the same one fired twice", l, "f3f3", 2);
    from_host_graph("the same one as a tail twice", l, "t3t3", 2);
    from_host_graph("fired and then as a tail", l, "f3t3", 2);
    cudaGraphExec_t fresh = made(graph_of([&] { append<<<1, 1, 0, stream>>>(5); }), cudaGraphInstantiateFlagDeviceLaunch);
    from_host_graph("not uploaded", {{fresh}}, "f0", 1);
    cudaGraphLaunch(fresh, stream);
    cudaStreamSynchronize(stream);
    from_host_graph("launched by the host before", {{fresh}}, "f0", 1);
    from_host_graph("from a device graph", l, "f0", 1, cudaGraphInstantiateFlagDeviceLaunch);
    from_host_graph("tail from a device graph", l, "t0", 1, cudaGraphInstantiateFlagDeviceLaunch);

    {   // depth-first: 1 tails A and B; A (2) tails 3; B is 4
        cudaGraphExec_t a = uploaded(graph_of([&] { launch<<<1, 1, 0, stream>>>(l, o("t1"), 2, 4); }));
        from_host_graph("a tail's tail", {{a, four}}, "t0t1", 5);
        // 1 fires A, and tails 4; A (2) tails 3 / fires / is sibling to the late one
        cudaGraphExec_t b = uploaded(graph_of([&] { launch<<<1, 1, 0, stream>>>(l, o("s3"), 5, 4); }));
        from_host_graph("a fired one's tail", {{a, four}}, "f0t1", 5);
        from_host_graph("a fired one's sibling", {{b, four}}, "f0t1", 5);
        from_host_graph("a tail's sibling", {{b, four}}, "t0t1", 5);
        from_host_graph("not thrice at once", {{a, four}}, "f0f0t1", 5);
    }
    for (int device = 0; device < 2; device++) {
        cudaGraphExec_t x = made(graph_of([&] { again<<<1, 1, 0, stream>>>(5); }), device ? cudaGraphInstantiateFlagDeviceLaunch : 0);
        begin();
        cudaGraphLaunch(x, stream);
        end(device ? "itself as a tail" : "itself, not for the device", 1);
    }
    cudaGraphExec_t x = made(graph_of([&] { twice_again<<<1, 1, 0, stream>>>(3); }), cudaGraphInstantiateFlagDeviceLaunch);
    begin();
    cudaGraphLaunch(x, stream);
    end("itself as a tail twice", 2);
    x = made(graph_of([&] { fires_itself<<<1, 1, 0, stream>>>(); }), cudaGraphInstantiateFlagDeviceLaunch);
    begin();
    cudaGraphLaunch(x, stream);
    end("itself fired", 1);

    begin();
    current<<<1, 1, 0, stream>>>(0, nullptr);
    printf("current graph in no graph: %s\n", cudaGetErrorName(cudaGetLastError()));
    cudaStreamSynchronize(stream);
    cudaGraph_t g = graph_of([&] { current<<<1, 1, 0, stream>>>(1, nullptr); });
    cudaGraphLaunch(made(g, 0), stream);
    cudaStreamSynchronize(stream);
    cudaGraphLaunch(made(g, cudaGraphInstantiateFlagDeviceLaunch), stream);
    cudaStreamSynchronize(stream);
    end("current graph of a kernel, of a graph, (1) 2 of a graph for the device", 2);

    {   // more than one kernel: the tail comes after all of the graph
        x = made(graph_of([&] { launch<<<1, 1, 0, stream>>>(l, o("t0"), 1, 0); wait_then_append<<<1, 1, 0, stream>>>(3); }), 0);
        begin();
        cudaGraphLaunch(x, stream);
        append<<<1, 1, 0, stream>>>(4);
        end("a tail after the rest of the graph, and before what the stream has next", 1);
        x = made(graph_of([&] { launch<<<1, 1, 0, stream>>>(l, o("f3"), 1, 0); append<<<1, 1, 0, stream>>>(4); }), 0);
        begin();
        cudaGraphLaunch(x, stream);
        append<<<1, 1, 0, stream>>>(5);
        end("fired beside the rest of the graph, and before what the stream has next", 1);
    }
    {   // a change is seen after the next upload
        cudaGraphNode_t n;
        size_t one = 1;
        g = graph_of([&] { append<<<1, 1, 0, stream>>>(6); });
        cudaGraphGetNodes(g, &n, &one);
        cudaGraphExec_t c = uploaded(g);
        cudaKernelNodeParams p;
        cudaGraphKernelNodeGetParams(n, &p);
        int seven = 7;
        void *arguments[] = {&seven};
        p.kernelParams = arguments;
        printf("change: %d\n", cudaGraphExecKernelNodeSetParams(c, n, &p));
        from_host_graph("changed, not uploaded", {{c}}, "f0", 1);
        cudaGraphUpload(c, stream);
        cudaStreamSynchronize(stream);
        from_host_graph("changed and uploaded", {{c}}, "f0", 1);
        printf("off: %d\n", cudaGraphNodeSetEnabled(c, n, 0));
        from_host_graph("off, not uploaded", {{c}}, "f0", 1);
        cudaGraphUpload(c, stream);
        from_host_graph("off and uploaded", {{c}}, "f0", 1);
        unsigned long long flags = 0;
        cudaGraphExecGetFlags(c, &flags);
        printf("flags: %llu\n", flags);
    }
    limits("200 fired", 200, cudaStreamGraphFireAndForget, 0);
    limits("300 tails", 300, cudaStreamGraphTailLaunch, 0);
    limits("200 siblings", 200, cudaStreamGraphFireAndForgetAsSibling, 0);
    cudaGraphExec_t plain = made(graph_of([&] { append<<<1, 1, 0, stream>>>(5); }), 0);
    cudaGraphUpload(plain, stream);
    from_host_graph("not for the device", {{plain}}, "f0", 1);
    return 0;
}
