// nvcc: -std=c++17 -arch=compute_90
// Facts about thread block clusters, one a line: launches that are refused, special registers, occupancy, accesses
// that no block answers. The same program runs on a real GPU and on softgpu without checks, and the two outputs are
// compared (cluster_facts.gpu.txt: recorded on the device named in its first line).
//
//   nvcc -std=c++17 -arch=sm_90 -cudart shared -o cluster_facts cluster_facts.cu && ./cluster_facts
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>
namespace cg = cooperative_groups;

static void fact(const char *name, cudaError_t e) { printf("%s: %s\n", name, cudaGetErrorName(e)); }

__global__ void nothing() {}
__global__ void __cluster_dims__(2, 1, 1) pairs(int *out)
{
    out[blockIdx.x] = (int)cg::this_cluster().block_rank() + 10 * (int)cg::this_cluster().num_blocks();
}
__global__ void __cluster_dims__(2, 2, 1) squares() {}
__global__ void __launch_bounds__(128, 1, 4) bounded() {}
__global__ void __launch_bounds__(1024) wide() {}
__global__ void __block_size__((64, 1, 1), (2, 1, 1)) counted(int *out)
{
    if (!threadIdx.x && !blockIdx.x)
        out[0] = (int)gridDim.x, out[1] = (int)blockDim.x;
}

struct attributes {
    cudaLaunchAttribute list[4];
    unsigned count = 0;
    attributes &cluster(unsigned x, unsigned y = 1, unsigned z = 1)
    {
        list[count].id = cudaLaunchAttributeClusterDimension;
        list[count].val.clusterDim = {x, y, z};
        count++;
        return *this;
    }
    attributes &policy(cudaClusterSchedulingPolicy p)
    {
        list[count].id = cudaLaunchAttributeClusterSchedulingPolicyPreference;
        list[count++].val.clusterSchedulingPolicyPreference = p;
        return *this;
    }
    attributes &preferred(unsigned x)
    {
        list[count].id = cudaLaunchAttributePreferredClusterDimension;
        list[count].val.preferredClusterDim = {x, 1, 1};
        count++;
        return *this;
    }
    attributes &cooperative()
    {
        list[count].id = cudaLaunchAttributeCooperative;
        list[count++].val.cooperative = 1;
        return *this;
    }
};

template <typename... A>
static cudaError_t launch(void (*k)(A...), dim3 grid, dim3 block, attributes a, size_t shared = 0, A... args)
{
    cudaLaunchConfig_t c = {};
    c.gridDim = grid;
    c.blockDim = block;
    c.dynamicSmemBytes = shared;
    c.attrs = a.list;
    c.numAttrs = a.count;
    cudaError_t e = cudaLaunchKernelEx(&c, k, args...);
    (void)cudaGetLastError();
    cudaError_t f = cudaDeviceSynchronize();
    return e ? e : f;
}

static void launches()
{
    fact("grid of 3, clusters of 2", launch(nothing, 3, 32, attributes().cluster(2)));
    fact("grid of 4, clusters of 2", launch(nothing, 4, 32, attributes().cluster(2)));
    fact("grid of 6, clusters of 3", launch(nothing, 6, 32, attributes().cluster(3)));
    fact("grid of 2 x 3, clusters of 2 x 2", launch(nothing, dim3(2, 3), 32, attributes().cluster(2, 2)));
    fact("grid of 8, clusters of 8", launch(nothing, 8, 32, attributes().cluster(8)));
    fact("grid of 9, clusters of 9", launch(nothing, 9, 32, attributes().cluster(9)));
    fact("grid of 16, clusters of 16", launch(nothing, 16, 32, attributes().cluster(16)));
    fact("grid of 4 x 4, clusters of 4 x 4", launch(nothing, dim3(4, 4), 32, attributes().cluster(4, 4)));
    fact("grid of 7 x 1 x 1, clusters of 7", launch(nothing, 7, 32, attributes().cluster(7)));
    fact("clusters of 0", launch(nothing, 4, 32, attributes().cluster(0)));
    fact("clusters of 0 x 0 x 0", launch(nothing, 4, 32, attributes().cluster(0, 0, 0)));
    fact("clusters of 2 x 0 x 1", launch(nothing, 4, 32, attributes().cluster(2, 0, 1)));
    fact("clusters of 1", launch(nothing, 5, 32, attributes().cluster(1)));
    fact("clusters of 2, cooperative", launch(nothing, 4, 32, attributes().cluster(2).cooperative()));
    fact("clusters of 2, spread", launch(nothing, 4, 32, attributes().cluster(2).policy(cudaClusterSchedulingPolicySpread)));
    fact("policy without clusters", launch(nothing, 4, 32, attributes().policy(cudaClusterSchedulingPolicyLoadBalancing)));
    fact("policy of 9", launch(nothing, 4, 32, attributes().cluster(2).policy((cudaClusterSchedulingPolicy)9)));
    fact("clusters of 2, rather of 4", launch(nothing, 8, 32, attributes().cluster(2).preferred(4)));
    fact("clusters rather of 4", launch(nothing, 8, 32, attributes().preferred(4)));
    fact("bounded to 4, clusters of 4", launch(bounded, 8, 32, attributes().cluster(4)));
    fact("bounded to 4, clusters of 8", launch(bounded, 8, 32, attributes().cluster(8)));
    fact("bounded to 4, no clusters", launch(bounded, 8, 32, attributes()));
    fact("clusters of 8 of 1024 threads", launch(wide, 8, 1024, attributes().cluster(8)));
    fact("non-portable sizes", cudaFuncSetAttribute(nothing, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    fact("grid of 16, clusters of 16, allowed", launch(nothing, 16, 32, attributes().cluster(16)));
    fact("grid of 9, clusters of 9, allowed", launch(nothing, 9, 32, attributes().cluster(9)));
    fact("grid of 17, clusters of 17, allowed", launch(nothing, 17, 32, attributes().cluster(17)));
    fact("grid of 32, clusters of 32, allowed", launch(nothing, 32, 32, attributes().cluster(32)));
    fact("non-portable of 2", cudaFuncSetAttribute(nothing, cudaFuncAttributeNonPortableClusterSizeAllowed, 2));
    fact("non-portable of -1", cudaFuncSetAttribute(nothing, cudaFuncAttributeNonPortableClusterSizeAllowed, -1));
}

static void required()
{
    int *out, v[8];
    cudaMalloc(&out, sizeof v);
    cudaMemset(out, 0xff, sizeof v);
    pairs<<<3, 32>>>(out);
    fact("pairs, grid of 3", cudaGetLastError());
    pairs<<<4, 32>>>(out);
    fact("pairs, grid of 4", cudaGetLastError());
    fact("pairs, ended", cudaDeviceSynchronize());
    cudaMemcpy(v, out, sizeof v, cudaMemcpyDeviceToHost);
    printf("pairs, ranks: %d %d %d %d %d\n", v[0], v[1], v[2], v[3], v[4]);
    fact("pairs, clusters of 2", launch(pairs, 4, 32, attributes().cluster(2), 0, out));
    fact("pairs, clusters of 4", launch(pairs, 4, 32, attributes().cluster(4), 0, out));
    fact("pairs, clusters of 1", launch(pairs, 4, 32, attributes().cluster(1), 0, out));
    fact("squares, grid of 4", launch(squares, 4, 32, attributes()));
    fact("squares, grid of 2 x 2", launch(squares, dim3(2, 2), 32, attributes()));
    counted<<<4, 64>>>(out);
    fact("blocks counted as clusters, 64 threads", cudaGetLastError());
    fact("blocks counted as clusters, ended", cudaDeviceSynchronize());
    cudaMemcpy(v, out, sizeof v, cudaMemcpyDeviceToHost);
    printf("blocks counted as clusters: %d blocks of %d\n", v[0], v[1]);
}

static void show(const char *name, const void *k)
{
    cudaFuncAttributes a;
    fact(name, cudaFuncGetAttributes(&a, k));
    printf("%s: must be set %d, required %d %d %d, policy %d, non-portable %d\n", name, a.clusterDimMustBeSet,
           a.requiredClusterWidth, a.requiredClusterHeight, a.requiredClusterDepth, a.clusterSchedulingPolicyPreference,
           a.nonPortableClusterSizeAllowed);
}

static void attributes_of()
{
    int v;
    cudaDeviceGetAttribute(&v, cudaDevAttrClusterLaunch, 0);
    printf("device can launch clusters: %d\n", v);
    show("attributes of nothing", (const void *)nothing);
    show("attributes of pairs", (const void *)pairs);
    show("attributes of squares", (const void *)squares);
    show("attributes of bounded", (const void *)bounded);
    fact("set policy", cudaFuncSetAttribute(nothing, cudaFuncAttributeClusterSchedulingPolicyPreference, cudaClusterSchedulingPolicySpread));
    fact("set policy of 7", cudaFuncSetAttribute(nothing, cudaFuncAttributeClusterSchedulingPolicyPreference, 7));
    fact("set non-portable", cudaFuncSetAttribute(nothing, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    fact("set must be set", cudaFuncSetAttribute(nothing, cudaFuncAttributeClusterDimMustBeSet, 1));
    show("attributes of nothing, set", (const void *)nothing);
    fact("set width", cudaFuncSetAttribute(bounded, cudaFuncAttributeRequiredClusterWidth, 2));
    fact("set height", cudaFuncSetAttribute(bounded, cudaFuncAttributeRequiredClusterHeight, 2));
    fact("set depth", cudaFuncSetAttribute(bounded, cudaFuncAttributeRequiredClusterDepth, 1));
    show("attributes of bounded, set", (const void *)bounded);
    fact("bounded, set, grid of 3 x 2", launch(bounded, dim3(3, 2), 32, attributes()));
    fact("bounded, set, grid of 4 x 2", launch(bounded, dim3(4, 2), 32, attributes()));
    fact("set width of pairs", cudaFuncSetAttribute(pairs, cudaFuncAttributeRequiredClusterWidth, 4));
}

__device__ unsigned sreg(int which)
{
    unsigned v = 0;
    switch (which) {
#define SREG(n, name) case n: asm volatile("mov.u32 %0, %%" name ";" : "=r"(v)); break;
    SREG(0, "ctaid.x") SREG(1, "ctaid.y") SREG(2, "ctaid.z")
    SREG(3, "clusterid.x") SREG(4, "clusterid.y") SREG(5, "clusterid.z")
    SREG(6, "nclusterid.x") SREG(7, "nclusterid.y") SREG(8, "nclusterid.z")
    SREG(9, "cluster_ctaid.x") SREG(10, "cluster_ctaid.y") SREG(11, "cluster_ctaid.z")
    SREG(12, "cluster_nctaid.x") SREG(13, "cluster_nctaid.y") SREG(14, "cluster_nctaid.z")
    SREG(15, "cluster_ctarank") SREG(16, "cluster_nctarank")
    default: {
        int p;
        asm volatile("{.reg .pred p; mov.pred p, %%is_explicit_cluster; selp.s32 %0, 1, 0, p;}" : "=r"(p));
        v = (unsigned)p;
    }
    }
    return v;
}

__global__ void registers(unsigned *out)
{
    unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    for (int i = 0; i < 18; i++)
        out[block * 18 + i] = sreg(i);
}

static void show_registers(const char *name, dim3 grid, attributes a)
{
    unsigned *out, v[64 * 18], n = grid.x * grid.y * grid.z;
    cudaMalloc(&out, sizeof v);
    fact(name, launch(registers, grid, 1, a, 0, out));
    cudaMemcpy(v, out, n * 18 * 4, cudaMemcpyDeviceToHost);
    for (unsigned b = 0; b < n; b++) {
        printf("%s, block %u:", name, b);
        for (int i = 0; i < 18; i++)
            printf(" %u", v[b * 18 + i]);
        printf("\n");
    }
}

static void special_registers()
{
    show_registers("no clusters", dim3(2, 2), attributes());
    show_registers("clusters of 1 x 1 x 1", dim3(2, 2), attributes().cluster(1));
    show_registers("clusters of 2 x 1 x 2", dim3(4, 2, 2), attributes().cluster(2, 1, 2));
    show_registers("clusters of 1 x 3 x 1", dim3(2, 6), attributes().cluster(1, 3));
}

__global__ void spaces(unsigned *out)
{
    __shared__ unsigned s[4];
    auto c = cg::this_cluster();
    unsigned rank = c.block_rank(), *peer = c.map_shared_rank(s, rank ^ 1), *own = c.map_shared_rank(s, rank), n = 0;
    unsigned v[16];
#define IS(space, p)                                                                                              \
    {                                                                                                             \
        int r;                                                                                                    \
        asm volatile("{.reg .pred p; isspacep." space " p, %1; selp.s32 %0, 1, 0, p;}" : "=r"(r) : "l"(p));       \
        v[n++] = r;                                                                                               \
    }
    IS("shared", s) IS("shared::cta", s) IS("shared::cluster", s)
    IS("shared", peer) IS("shared::cta", peer) IS("shared::cluster", peer)
    IS("shared::cta", own) IS("shared::cluster", own) IS("global", peer) IS("shared::cluster", out)
    v[n++] = own == s;
    v[n++] = c.query_shared_rank(peer);
    v[n++] = c.query_shared_rank(s);
    s[0] = 100 + rank;
    c.sync();
    unsigned a32 = (unsigned)__cvta_generic_to_shared(s), m32, r32, got;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(m32) : "r"(a32), "r"(rank ^ 1));
    asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(r32) : "r"(m32));
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(got) : "r"(m32) : "memory");
    v[n++] = r32;
    v[n++] = got;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(got) : "r"(a32) : "memory");
    v[n++] = got;
    c.sync();
    for (unsigned i = 0; i < n; i++)
        out[blockIdx.x * 16 + i] = v[i];
}

static void show_spaces()
{
    unsigned *out, v[32];
    cudaMalloc(&out, sizeof v);
    fact("state spaces", launch(spaces, 2, 1, attributes().cluster(2), 0, out));
    cudaMemcpy(v, out, sizeof v, cudaMemcpyDeviceToHost);
    for (int b = 0; b < 2; b++) {
        printf("state spaces, block %d:", b);
        for (int i = 0; i < 16; i++)
            printf(" %u", v[b * 16 + i]);
        printf("\n");
    }
}

static void occupancy_of(const char *name, void (*k)(), int threads, size_t shared)
{
    for (unsigned size : {1u, 2u, 3u, 4u, 8u, 16u}) {
        cudaLaunchConfig_t c = {};
        attributes a = attributes().cluster(size);
        int n = -1;
        c.gridDim = size * 4;
        c.blockDim = threads;
        c.dynamicSmemBytes = shared;
        c.attrs = a.list;
        c.numAttrs = a.count;
        cudaError_t e = cudaOccupancyMaxActiveClusters(&n, k, &c);
        printf("%s, %d threads, %zu bytes, clusters of %u: %s %d\n", name, threads, shared, size, cudaGetErrorName(e), n);
    }
    cudaLaunchConfig_t c = {};
    int n = -1;
    c.gridDim = 64;
    c.blockDim = threads;
    c.dynamicSmemBytes = shared;
    cudaError_t e = cudaOccupancyMaxPotentialClusterSize(&n, k, &c);
    printf("%s, %d threads, %zu bytes, largest cluster: %s %d\n", name, threads, shared, cudaGetErrorName(e), n);
    (void)cudaGetLastError();
}

static void occupancy()
{
    cudaFuncSetAttribute(wide, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10);
    cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10);
    cudaFuncSetAttribute(nothing, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    for (int threads : {32, 256, 1024})
        for (size_t shared : {0, 48 << 10, 100 << 10, 227 << 10}) {
            occupancy_of("portable", wide, threads, shared);
            occupancy_of("any size", nothing, threads, shared);
        }
    occupancy_of("bounded to 4", bounded, 128, 0);
    occupancy_of("squares", squares, 128, 0);
}

// Accesses that no block answers.
__global__ void stray(int how, int *out)
{
    __shared__ int s[4];
    auto c = cg::this_cluster();
    unsigned rank = c.block_rank();
    s[threadIdx.x] = 5 + rank;
    c.sync();
    if (how == 0) { // the peer has left
        if (rank == 1)
            return;
        for (long long t = clock64(); clock64() - t < 2000000;)
            ;
        out[0] = *(volatile int *)c.map_shared_rank(s, 1);
    } else if (how == 1) { // no such block
        int *p = c.map_shared_rank(s, 2);
        out[0] = *(volatile int *)p;
    } else if (how == 2) { // far past the end of the peer's
        int *p = c.map_shared_rank(s, rank ^ 1);
        out[0] = *(volatile int *)(p + (200 << 10) / 4);
    } else if (how == 3) { // a block that leaves is not waited for
        if (rank == 1)
            return;
        c.sync();
        out[0] = 77;
    } else if (how == 4) { // its own, by its own rank
        if (rank == 0)
            out[0] = *(volatile int *)c.map_shared_rank(s, 0);
    } else if (how == 5) { // some threads of a block leave
        if (threadIdx.x & 1)
            return;
        c.sync();
        out[0] = 78;
    } else if (how == 6) { // a store where the peer has left
        if (rank == 1)
            return;
        for (long long t = clock64(); clock64() - t < 2000000;)
            ;
        *(volatile int *)c.map_shared_rank(s, 1) = 1;
        out[0] = 79;
    }
}

static void stray_of(int how)
{
    static const char *const names[] = {"load where the peer has left", "load from a block that is not", "load far past the peer's end",
                                        "barrier without a block that left", "load from itself", "barrier without threads that left", "store where the peer has left"};
    int *out, v = -1;
    cudaMalloc(&out, 4);
    cudaError_t e = launch(stray, 2, 4, attributes().cluster(2), 0, how, out);
    if (!e)
        cudaMemcpy(&v, out, 4, cudaMemcpyDeviceToHost);
    printf("%s: %s %d\n", names[how], cudaGetErrorName(e), v);
}

__global__ void addresses(unsigned long long *out)
{
    __shared__ int s[4];
    auto c = cg::this_cluster();
    unsigned m32, a32 = (unsigned)__cvta_generic_to_shared(s);
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(m32) : "r"(a32), "r"(1));
    out[blockIdx.x * 4] = (unsigned long long)s;
    out[blockIdx.x * 4 + 1] = (unsigned long long)c.map_shared_rank(s, 1);
    out[blockIdx.x * 4 + 2] = a32;
    out[blockIdx.x * 4 + 3] = m32;
}

// In a process of its own each: an error may end what the device can do for it.
static void apart(void (*f)(int), int i)
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        alarm(20);
        f(i);
        fflush(stdout);
        _exit(0);
    }
    int status;
    waitpid(pid, &status, 0);
    if (status)
        printf("ended with %x\n", status);
}

int main(int argc, char **argv)
{
    static void (*const all[])() = {launches, required, attributes_of, special_registers, show_spaces, occupancy};
    for (int i = 0; i < 6; i++)
        apart([](int n) { all[n](); }, i);
    for (int i = 0; i < 7; i++)
        apart(stray_of, i);
    if (argc > 1) // of this machine only
        apart([](int) {
            unsigned long long *out, v[16];
            cudaMalloc(&out, sizeof v);
            launch(addresses, 4, 1, attributes().cluster(4), 0, out);
            cudaMemcpy(v, out, sizeof v, cudaMemcpyDeviceToHost);
            for (int i = 0; i < 16; i++)
                printf("%llx%c", v[i], i % 4 == 3 ? '\n' : ' ');
        }, 0);
}
