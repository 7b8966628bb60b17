// Facts to be recorded on a GPU: a graph with copies to and from the host's pageable memory. Has its launch done them when it returns, and
// does destroying the executable graph wait for it? A kernel that takes long comes first. tests/runtime/graph_pageable_facts.gpu.txt holds a
// GPU's answers.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

enum { N = 64, BYTES = N * sizeof(int) };

__global__ void late(int *out, const int *in, long long clocks)
{
    for (long long begin = clock64(); clock64() - begin < clocks;)
        ;
    out[threadIdx.x] = in[threadIdx.x] + 1;
}

static int *device_in, *device_out;

/** A copy to `in` (NULL: none), the kernel, a copy to `out`; all in a line. */
static cudaGraphExec_t line_of(int *in, int *out)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t first, kernel, last;
    long long clocks = 200000000;
    void *args[] = {&device_out, &device_in, &clocks};
    cudaKernelNodeParams p = {};
    p.func = (void *)late, p.gridDim = 1, p.blockDim = N, p.kernelParams = args;
    cudaGraphCreate(&graph, 0);
    if (in)
        cudaGraphAddMemcpyNode1D(&first, graph, NULL, 0, device_in, in, BYTES, cudaMemcpyHostToDevice);
    cudaGraphAddKernelNode(&kernel, graph, &first, in ? 1 : 0, &p);
    cudaGraphAddMemcpyNode1D(&last, graph, &kernel, 1, out, device_out, BYTES, cudaMemcpyDeviceToHost);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphDestroy(graph);
    return exec;
}

static const char *said(cudaStream_t s)
{
    return cudaStreamQuery(s) == cudaSuccess ? "done" : "not done";
}

int main()
{
    int *host = (int *)calloc(N, sizeof(int)), *result = (int *)calloc(N, sizeof(int));
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMalloc(&device_in, BYTES);
    cudaMalloc(&device_out, BYTES);
    cudaMemset(device_in, 0, BYTES);
    cudaDeviceSynchronize();

    cudaGraphExec_t exec = line_of(NULL, result);
    cudaGraphLaunch(exec, s);
    printf("result after the launch: %d\n", *(volatile int *)result);
    printf("stream after the launch: %s\n", said(s));
    cudaGraphExecDestroy(exec);
    printf("result after the destruction: %d\n", *(volatile int *)result);
    printf("stream after the destruction: %s\n", said(s));
    cudaStreamSynchronize(s);
    printf("result after the wait: %d\n", result[0]);

    exec = line_of(host, result);
    host[0] = 10;
    cudaGraphLaunch(exec, s);
    host[0] = 20; // the launch may have read it, or not yet
    cudaGraphLaunch(exec, s);
    host[0] = 30;
    cudaStreamSynchronize(s);
    printf("result of a source changed after each of two launches: %d\n", result[0]);
    cudaGraphExecDestroy(exec);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    return 0;
}
