// nvcc: -arch=compute_75 -rdc=true -lcudadevrt
// Kernel nodes that kernels update: what the host may do with them (the manual's rules), and loops of updates.
#include <cstdio>
#include <cstdlib>

#define MUST(call, want)                                                                                       \
    do {                                                                                                       \
        cudaError_t e_ = (call);                                                                               \
        if (e_ != (want)) {                                                                                    \
            printf("%s:%d: %s, not %s\n", __FILE__, __LINE__, cudaGetErrorName(e_), cudaGetErrorName(want));   \
            exit(1);                                                                                           \
        }                                                                                                      \
        cudaGetLastError();                                                                                    \
    } while (0)
#define OK(call) MUST(call, cudaSuccess)
#define IS(value, want)                                                                                        \
    do {                                                                                                       \
        long long v_ = (long long)(value);                                                                     \
        if (v_ != (want)) {                                                                                    \
            printf("%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #value, v_, (long long)(want));        \
            exit(1);                                                                                           \
        }                                                                                                      \
    } while (0)

struct big { char c; double d[3]; };
__global__ void sum(int *out, big b, int n) { if (threadIdx.x == 0) atomicAdd(out, (int)b.d[2] + n); }
// Halves the grid and doubles n until one block is left, then turns the node off.
__global__ void halve(cudaGraphDeviceNode_t node, int *round)
{
    int r = ++*round;
    big b = {'x', {0, 0, (double)r}};
    if (r > 3) {
        cudaGraphKernelNodeSetEnabled(node, false);
        return;
    }
    cudaGraphKernelNodeSetGridDim(node, dim3(8 >> r));
    cudaGraphKernelNodeSetParam(node, 8, b);
    cudaGraphKernelNodeSetParam(node, 40, 1 << r);
}

static cudaGraphNode_t add(cudaGraph_t g, const void *f, void **args, unsigned blocks, const cudaGraphNode_t *after = NULL)
{
    cudaGraphNode_t n;
    cudaKernelNodeParams p = {};
    p.func = (void *)f;
    p.gridDim = blocks;
    p.blockDim = 32;
    p.kernelParams = args;
    OK(cudaGraphAddKernelNode(&n, g, after, after != NULL, &p));
    return n;
}
static cudaError_t set(cudaGraphNode_t n, int on, cudaLaunchAttributeValue *v)
{
    *v = cudaLaunchAttributeValue{};
    v->deviceUpdatableKernelNode.deviceUpdatable = on;
    return cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeDeviceUpdatableKernelNode, v);
}

int main()
{
    cudaGraph_t g, h, copy;
    cudaGraphExec_t x, y;
    cudaLaunchAttributeValue v, w;
    cudaGraphExecUpdateResultInfo why;
    int *out, *round, got, n = 5;
    big b = {'x', {1, 2, 3}};
    OK(cudaMalloc(&out, 4));
    OK(cudaMalloc(&round, 4));
    OK(cudaMemset(out, 0, 4));
    OK(cudaMemset(round, 0, 4));
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphCreate(&h, 0));
    void *args[] = {&out, &b, &n};
    cudaGraphNode_t t = add(g, (const void *)sum, args, 8), plain = add(g, (const void *)sum, args, 1), other = add(h, (const void *)sum, args, 8), child;
    add(h, (const void *)sum, args, 1);
    OK(set(t, 0, &v));
    MUST(set(t, 2, &v), cudaErrorInvalidValue);
    OK(set(t, 1, &v));
    OK(set(t, 1, &w));
    IS(v.deviceUpdatableKernelNode.devNode != NULL, 1);
    IS(v.deviceUpdatableKernelNode.devNode == w.deviceUpdatableKernelNode.devNode, 1);
    MUST(set(t, 0, &w), cudaErrorNotSupported);
    OK(cudaGraphKernelNodeGetAttribute(plain, cudaLaunchAttributeDeviceUpdatableKernelNode, &w));
    IS(w.deviceUpdatableKernelNode.deviceUpdatable, 0);
    MUST(cudaGraphKernelNodeCopyAttributes(plain, t), cudaErrorNotSupported);
    MUST(cudaGraphKernelNodeCopyAttributes(t, plain), cudaErrorNotSupported);
    MUST(cudaGraphDestroyNode(t), cudaErrorNotSupported);
    OK(cudaGraphDestroyNode(plain));
    MUST(cudaGraphClone(&copy, g), cudaErrorNotSupported);
    MUST(cudaGraphAddChildGraphNode(&child, h, NULL, 0, g), cudaErrorNotSupported);
    OK(cudaGraphInstantiate(&y, h, 0));
    cudaGraphDeviceNode_t d = v.deviceUpdatableKernelNode.devNode;
    void *updating[] = {&d, &round};
    cudaKernelNodeParams p = {};
    p.func = (void *)halve;
    p.gridDim = p.blockDim = 1;
    p.kernelParams = updating;
    cudaGraphNode_t first;
    OK(cudaGraphAddKernelNode(&first, g, NULL, 0, &p));
    OK(cudaGraphAddDependencies(g, &first, &t, NULL, 1));
    OK(cudaGraphInstantiate(&x, g, 0));
    MUST(cudaGraphInstantiate(&y, g, 0), cudaErrorNotSupported);
    MUST(cudaGraphExecUpdate(x, g, &why), cudaErrorGraphExecUpdateFailure);
    IS(why.result, cudaGraphExecUpdateErrorNotSupported);
    MUST(cudaGraphExecUpdate(y, g, &why), cudaErrorGraphExecUpdateFailure);
    OK(cudaGraphUpload(x, 0));
    for (int i = 0; i < 5; i++)
        OK(cudaGraphLaunch(x, 0));
    OK(cudaMemcpy(&got, out, 4, cudaMemcpyDeviceToHost));
    IS(got, 4 * (1 + 2) + 2 * (2 + 4) + 1 * (3 + 8));
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphInstantiate(&x, g, 0));
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(g));
    (void)other;
    puts("ok");
    return 0;
}
