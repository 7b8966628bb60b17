// Copies and fills whose memory was freed before they ran: nodes of graphs keep their addresses.
//
// case staged expect=use-after-free also=leak says=reads.alloc[0-9]+,.which.was.freed
// case staged_kept expect=silent
// case filled expect=use-after-free also=leak says=a.node.of.the.graph.that.line.[0-9]+.launches
// case filled_kept expect=silent
// case brought_back expect=use-after-free also=leak says=writes.to.alloc
// case brought_back_kept expect=silent
#include <cstring>
#include <cuda_runtime.h>

#include "check.h"

enum { BYTES = 256 };

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    const bool kept = strstr(name, "_kept"), filled = !strncmp(name, "filled", 6), back = !strncmp(name, "brought", 7);
    int *device, *host;
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    CHECK(!cudaMalloc(&device, BYTES) && !cudaMallocHost(&host, BYTES) && !cudaStreamCreate(&s));
    memset(host, 1, BYTES);
    CHECK(!cudaMemset(device, 0, BYTES) && !cudaDeviceSynchronize());
    CHECK(!cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    if (filled)
        CHECK(!cudaMemsetAsync(device, 0, BYTES, s)); // filled
    else if (back)
        CHECK(!cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, s)); // brought_back
    else
        CHECK(!cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, s)); // staged
    CHECK(!cudaStreamEndCapture(s, &graph) && !cudaGraphInstantiate(&ready, graph, 0));
    CHECK(!cudaGraphLaunch(ready, s) && !cudaStreamSynchronize(s));
    if (!kept)
        CHECK(!(filled ? cudaFree(device) : cudaFreeHost(host)));
    cudaGraphLaunch(ready, s);
    CHECK(!cudaStreamSynchronize(s) == kept);
    if (!kept)
        return 0;
    CHECK(!cudaGraphExecDestroy(ready) && !cudaGraphDestroy(graph) && !cudaStreamDestroy(s));
    CHECK(!cudaFree(device) && !cudaFreeHost(host));
    return 0;
}
