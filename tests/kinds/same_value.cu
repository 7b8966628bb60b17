// same_value.cu: two streams, or two nodes of a graph, leave the same value. A warning where both only store; an error where one of
// them makes it of what it finds.
//
// case both_store expect=stream-race level=warning
// case both_store_in_turn expect=silent
// case updates_then_store expect=stream-race
// case updates_some_then_store expect=stream-race
// case updates_pairs_then_store expect=stream-race
// case updates_twice_then_store expect=stream-race
// case updates_in_turn expect=silent
// case tile_then_store expect=stream-race
// case volatile_then_store expect=stream-race
// case atomics_then_store expect=stream-race
// case or_then_store expect=stream-race level=warning
// case nodes_update_and_store expect=stream-race
// case nodes_store expect=stream-race level=warning
// case nodes_in_turn expect=silent
#include <cstring>
#include <cuda_runtime.h>

#define AT (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void store(int *x)
{
    x[AT] = 5;
}

__global__ void store_pairs(int2 *x)
{
    x[AT] = make_int2(5, 5);
}

__global__ void update(int *x)
{
    x[AT] += 5;
}

__global__ void update_pairs(int2 *x)
{
    int2 v = x[AT];
    x[AT] = make_int2(v.x + 5, v.y + 5);
}

__global__ void update_twice(int *x)
{
    x[AT] += 3;
    __syncthreads();
    x[AT] = 5;
}

__global__ void tile(int *x)
{
    __shared__ int s[64];
    s[threadIdx.x] = x[AT];
    __syncthreads();
    x[AT] = s[63 - threadIdx.x] + 5;
}

__global__ void update_volatile(volatile int *x)
{
    x[AT] = x[AT] + 5;
}

__global__ void add(int *x)
{
    atomicAdd(&x[AT], 5);
}

__global__ void set_bits(int *x)
{
    atomicOr(&x[AT], 5);
}

static void in_graph(int *x, bool updates, bool in_turn)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t first, second;
    void *args[] = {&x};
    cudaKernelNodeParams p = {};
    p.func = (void *)(updates ? update : store);
    p.gridDim = 2;
    p.blockDim = 64;
    p.kernelParams = args;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&first, graph, NULL, 0, &p);
    p.func = (void *)store;
    cudaGraphAddKernelNode(&second, graph, &first, in_turn, &p);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    cudaStream_t a, b;
    int *x;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaMalloc(&x, 1024);
    cudaMemset(x, 0, 1024);
    cudaDeviceSynchronize();
    if (!strncmp(name, "nodes", 5)) {
        in_graph(x, strcmp(name, "nodes_store"), !strcmp(name, "nodes_in_turn"));
    } else {
        cudaStream_t second = strstr(name, "in_turn") ? a : b;
        if (!strncmp(name, "both_store", 10))
            store<<<2, 64, 0, a>>>(x);
        else if (!strcmp(name, "updates_some_then_store"))
            update<<<1, 7, 0, a>>>(x);
        else if (!strcmp(name, "updates_pairs_then_store"))
            update_pairs<<<1, 64, 0, a>>>((int2 *)x);
        else if (!strcmp(name, "updates_twice_then_store"))
            update_twice<<<2, 64, 0, a>>>(x);
        else if (!strcmp(name, "tile_then_store"))
            tile<<<2, 64, 0, a>>>(x);
        else if (!strcmp(name, "volatile_then_store"))
            update_volatile<<<2, 64, 0, a>>>(x);
        else if (!strcmp(name, "atomics_then_store"))
            add<<<2, 64, 0, a>>>(x);
        else if (!strcmp(name, "or_then_store"))
            set_bits<<<2, 64, 0, a>>>(x);
        else
            update<<<2, 64, 0, a>>>(x);
        if (!strcmp(name, "updates_pairs_then_store"))
            store_pairs<<<1, 64, 0, second>>>((int2 *)x);
        else
            store<<<2, 64, 0, second>>>(x);
        cudaDeviceSynchronize();
    }
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaFree(x);
    return 0;
}
