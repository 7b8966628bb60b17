// nvcc: -std=c++17 -arch=compute_90
// Calls whose parameters point to what the program has, or that give back what it then points to: with the device in a process of
// its own they are the same.
#include "check.cuh"

enum { N = 256 };

__global__ void fill(int *p, int v)
{
    p[threadIdx.x] = v;
}
__global__ void cluster_size(int *p)
{
    int size;
    asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(size));
    if (threadIdx.x == 0)
        p[blockIdx.x] = size;
}

static void clusters()
{
    int *p, of, h[8];
    OK(cudaMalloc(&p, sizeof h));
    cudaLaunchAttribute a = {};
    a.id = cudaLaunchAttributeClusterDimension;
    a.val.clusterDim = {4, 1, 1};
    cudaLaunchConfig_t c = {};
    c.gridDim = 8;
    c.blockDim = 32;
    c.attrs = &a;
    c.numAttrs = 1;
    OK(cudaLaunchKernelEx(&c, cluster_size, p));
    OK(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h[0] == 4 && h[7] == 4);
    OK(cudaOccupancyMaxActiveClusters(&of, cluster_size, &c));
    CHECK(of > 0);
    OK(cudaOccupancyMaxPotentialClusterSize(&of, cluster_size, &c));
    CHECK(of == 8);
    GIVES(cudaOccupancyMaxActiveClusters(nullptr, cluster_size, &c), cudaErrorInvalidValue);
    a.val.clusterDim = {3, 1, 1};
    GIVES(cudaLaunchKernelEx(&c, cluster_size, p), cudaErrorInvalidClusterSize);
    GIVES(cudaGetLastError(), cudaErrorInvalidClusterSize);
    OK(cudaFree(p));
}

static cudaGraphNode_t kernel(cudaGraph_t g, cudaGraphNode_t behind, int *p, int v)
{
    cudaKernelNodeParams k = {};
    void *args[] = {&p, &v};
    cudaGraphNode_t n;
    k.func = (void *)fill;
    k.gridDim = 1;
    k.blockDim = N;
    k.kernelParams = args;
    OK(cudaGraphAddKernelNode(&n, g, &behind, 1, &k));
    return n;
}

static void memory_nodes()
{
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphNode_t make, use, copy, give_back;
    cudaMemAccessDesc all = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
    cudaMemAllocNodeParams m = {}, told = {};
    static int h[N];
    void *address = nullptr;
    OK(cudaGraphCreate(&g, 0));
    m.poolProps.allocType = cudaMemAllocationTypePinned;
    m.poolProps.location = {cudaMemLocationTypeDevice, 0};
    m.accessDescs = &all;
    m.accessDescCount = 1;
    m.bytesize = sizeof h;
    OK(cudaGraphAddMemAllocNode(&make, g, nullptr, 0, &m));
    CHECK(m.dptr);
    use = kernel(g, make, (int *)m.dptr, 7);
    OK(cudaGraphAddMemcpyNode1D(&copy, g, &use, 1, h, m.dptr, sizeof h, cudaMemcpyDeviceToHost));
    OK(cudaGraphAddMemFreeNode(&give_back, g, &copy, 1, m.dptr));
    OK(cudaGraphMemAllocNodeGetParams(make, &told));
    CHECK(told.dptr == m.dptr && told.bytesize >= sizeof h);
    OK(cudaGraphMemFreeNodeGetParams(give_back, &address));
    CHECK(address == m.dptr);
    OK(cudaGraphInstantiate(&x, g, 0));
    for (int i = 0; i < 3; i++)
        OK(cudaGraphLaunch(x, 0));
    OK(cudaDeviceSynchronize());
    CHECK(h[0] == 7 && h[N - 1] == 7);
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(g));
}

static void questions()
{
    int *m, mostly = -1, place = -1;
    void *out[2] = {&mostly, &place};
    size_t bytes[2] = {sizeof mostly, sizeof place};
    cudaMemRangeAttribute asked[2] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributePreferredLocation};
    unsigned able[1] = {0};
    cudaAtomicOperation operation[1] = {cudaAtomicOperationIntegerAdd};
    cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    OK(cudaMallocManaged(&m, 4096));
    OK(cudaMemAdvise(m, 4096, cudaMemAdviseSetReadMostly, here));
    OK(cudaMemAdvise(m, 4096, cudaMemAdviseSetPreferredLocation, here));
    OK(cudaMemRangeGetAttributes(out, bytes, asked, 2, m, 4096));
    CHECK(mostly == 1 && place == 0);
    OK(cudaDeviceGetHostAtomicCapabilities(able, operation, 1, 0));
    OK(cudaFree(m));
}

int main()
{
    clusters();
    memory_nodes();
    questions();
    puts("pointed ok");
    return 0;
}
