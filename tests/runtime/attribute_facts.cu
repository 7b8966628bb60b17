// nvcc: -w
// Which attributes a launch, a stream and a graph's kernel node take, with which values. One fact a line; the same program runs on a real GPU
// and on softgpu, and the two outputs are compared (attribute_facts.gpu.txt).
//
//   nvcc -arch=compute_75 -cudart shared -o attribute_facts attribute_facts.cu && ./attribute_facts
#include <cstdio>
#include <cuda_runtime.h>

__global__ void nothing() {}

static cudaStream_t stream;

static void tried(const char *what, int id, const cudaLaunchAttributeValue &value)
{
    cudaLaunchConfig_t c = {};
    cudaLaunchAttribute a = {};
    a.id = (cudaLaunchAttributeID)id;
    a.val = value;
    c.gridDim = 8;
    c.blockDim = 64;
    c.stream = stream;
    c.attrs = &a;
    c.numAttrs = 1;
    cudaError_t launched = cudaLaunchKernelExC(&c, (const void *)nothing, NULL);
    cudaError_t set = cudaStreamSetAttribute(stream, a.id, &a.val);
    printf("%d %s: launch %s, stream %s\n", id, what, cudaGetErrorName(launched), cudaGetErrorName(set));
    cudaGetLastError();
    cudaDeviceSynchronize();
}
#define TRY(id, field, number)                                                                                                    \
    do {                                                                                                                          \
        cudaLaunchAttributeValue v = {};                                                                                          \
        char what[80];                                                                                                            \
        v.field = (decltype(v.field))(number);                                                                                    \
        snprintf(what, sizeof what, "%s = %d", #field, (int)(number));                                                            \
        tried(what, id, v);                                                                                                       \
    } while (0)

static void policies()
{
    static int *p;
    cudaMalloc(&p, 1 << 16);
    for (cudaAccessProperty miss : {cudaAccessPropertyStreaming, cudaAccessPropertyPersisting})
        for (int ratio : {0, 1, 2, -1}) {
            cudaLaunchAttributeValue v = {};
            char what[80];
            v.accessPolicyWindow = {p, 4096, (float)ratio, cudaAccessPropertyPersisting, miss};
            snprintf(what, sizeof what, "a window, hits %d, misses %d", ratio, (int)miss);
            tried(what, 1, v);
        }
    for (int policy : {0, 1, 2, 3, 9})
        TRY(3, syncPolicy, policy);
    for (int domain : {0, 1, 3, 4, 9}) {
        TRY(9, memSyncDomainMap.default_, domain);
        TRY(9, memSyncDomainMap.remote, domain);
    }
    for (int domain : {0, 1, 2, 5})
        TRY(10, memSyncDomain, domain);
    for (int percent : {0, 50, 100, 101, 200, -1})
        TRY(14, sharedMemCarveout, percent);
    for (int on : {0, 1, 2})
        TRY(16, nvlinkUtilCentricScheduling, on);
    for (int id : {15, 17, 18, 19})
        TRY(id, priority, 0);
}

static void priorities()
{
    for (int priority : {0, -2, -100, 100}) {
        cudaLaunchAttributeValue v = {};
        TRY(8, priority, priority);
        cudaStreamGetAttribute(stream, cudaLaunchAttributePriority, &v);
        printf("priority %d becomes %d\n", priority, v.priority);
    }
}

static void nodes()
{
    cudaGraph_t g;
    cudaGraphNode_t n;
    cudaKernelNodeParams p = {};
    p.func = (void *)nothing;
    p.gridDim = 8;
    p.blockDim = 64;
    cudaGraphCreate(&g, 0);
    cudaGraphAddKernelNode(&n, g, NULL, 0, &p);
    for (int id = 0; id < 20; id++) {
        cudaLaunchAttributeValue v = {};
        if (id == cudaLaunchAttributeClusterDimension)
            v.clusterDim.x = v.clusterDim.y = v.clusterDim.z = 1;
        cudaError_t got = cudaGraphKernelNodeGetAttribute(n, (cudaLaunchAttributeID)id, &v);
        cudaError_t set = cudaGraphKernelNodeSetAttribute(n, (cudaLaunchAttributeID)id, &v);
        printf("node %d: get %s, set %s\n", id, cudaGetErrorName(got), cudaGetErrorName(set));
        cudaGetLastError();
    }
}

int main()
{
    cudaStreamCreate(&stream);
    policies();
    priorities();
    nodes();
    cudaDeviceSynchronize();
}
