// Asynchronous copies from and to pageable memory: documented as possibly synchronous, so the host has not waited for
// them when the call returns.
//
// case source_reused expect=not-waited level=warning says=changed.or.freed
// case source_reused_waited expect=silent
// case source_kept expect=silent
// case source_by_cudamemcpy expect=silent
// case source_freed expect=not-waited level=warning
// case source_in_place expect=silent
// case source_in_place_changed expect=not-waited level=warning
// case source_by_function expect=silent
// case source_other expect=silent
// case source_freed_waited expect=silent
// case source_of_graph_reused expect=not-waited level=warning says=changed.or.freed
// case source_of_graph_reused_waited expect=silent
// case source_of_graph_in_place expect=silent
// case source_of_graph_by_function expect=silent
// case source_of_graph_written_before expect=silent
// case source_of_graph_twice expect=not-waited level=warning
// case result_not_waited expect=not-waited level=warning says=pageable.memory
// case result_waited expect=silent
// case result_by_event expect=silent
// case result_by_query expect=silent
// case result_by_next_copy expect=silent
// case result_freed_waited expect=silent
// case result_destroyed_waited expect=silent
// case result_by_function expect=silent
// case result_by_cudamemcpy expect=silent
// case result_asserted expect=not-waited level=warning status=134
// case result_aborted expect=not-waited level=warning status=134
// case result_abort_handled expect=not-waited level=warning status=134
// case result_abort_survived expect=silent
// case result_thrown expect=not-waited level=warning status=134
// case result_of_graph_asserted expect=not-waited level=warning status=134
// case result_of_graph_not_waited expect=not-waited level=warning says=pageable.memory
// case result_of_graph_waited expect=silent
// case result_waited_asserted expect=silent
// case within_host_read expect=silent
// case within_host_changed expect=silent
// case within_host_pageable expect=silent
// case from_managed_read expect=stream-race
// case result_of_two_streams expect=stream-race also=not-waited says=use.the.same.host.memory
// case result_of_two_streams_waited expect=silent
#include <cassert>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

enum { N = 64, BYTES = N * sizeof(int) };

__global__ void add(int *out)
{
    out[threadIdx.x] += 1;
}

static int *host, *device, *pinned, *managed;
static cudaStream_t stream;

/** Part of a graph: of `host` to the device, back again, or what a function does to it. */
enum part { TO_DEVICE, ADD, TO_HOST, FUNCTION };

/** Launches a graph of these parts, each after the one before. Its launch has done everything when it returns (tests/runtime/graph_pageable_facts.cu), but
 *  the documentation promises nothing of the kind. */
static void launch(int count, const enum part *parts)
{
    static cudaGraphExec_t exec;
    cudaGraph_t graph;
    cudaGraphNode_t node, before;
    void *args[] = {&device};
    cudaKernelNodeParams kernel = {};
    cudaHostNodeParams function = {[](void *) { host[3] = 5; }, NULL};
    kernel.func = (void *)add, kernel.gridDim = 1, kernel.blockDim = N, kernel.kernelParams = args;
    if (!exec) {
        cudaGraphCreate(&graph, 0);
        for (int i = 0; i < count; i++, before = node) {
            if (parts[i] == TO_DEVICE)
                cudaGraphAddMemcpyNode1D(&node, graph, &before, i != 0, device, host, BYTES, cudaMemcpyHostToDevice); // to the device
            else if (parts[i] == ADD)
                cudaGraphAddKernelNode(&node, graph, &before, i != 0, &kernel);
            else if (parts[i] == TO_HOST)
                cudaGraphAddMemcpyNode1D(&node, graph, &before, i != 0, host, device, BYTES, cudaMemcpyDeviceToHost); // to the host
            else
                cudaGraphAddHostNode(&node, graph, &before, i != 0, &function);
        }
        cudaGraphInstantiate(&exec, graph, 0);
    }
    cudaGraphLaunch(exec, stream);
}

static int run(const char *name)
{
    static const enum part there[] = {TO_DEVICE, ADD}, and_back[] = {TO_DEVICE, ADD, TO_HOST}, changed[] = {TO_DEVICE, FUNCTION},
                           round[] = {TO_HOST, TO_DEVICE, ADD}, back[] = {ADD, TO_HOST};
#define CASE(n) else if (!strcmp(name, n))
    if (!*name)
        return 2;
    CASE("source_reused") {
        cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, stream); // source_reused
        memset(host, 1, BYTES);
        add<<<1, N, 0, stream>>>(device);
        cudaStreamSynchronize(stream);
    }
    CASE("source_reused_waited") {
        cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, stream);
        cudaStreamSynchronize(stream);
        memset(host, 1, BYTES);
        add<<<1, N, 0, stream>>>(device);
        cudaStreamSynchronize(stream);
    }
    CASE("source_kept") {
        cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, stream);
        add<<<1, N, 0, stream>>>(device);
        cudaStreamSynchronize(stream);
        memset(host, 1, BYTES);
    }
    CASE("source_by_cudamemcpy") {
        cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice);
        memset(host, 1, BYTES);
        add<<<1, N, 0, stream>>>(device);
        cudaStreamSynchronize(stream);
    }
    CASE("source_freed") {
        int *scratch = (int *)malloc(BYTES);
        memcpy(scratch, host, BYTES);
        cudaMemcpyAsync(device, scratch, BYTES, cudaMemcpyHostToDevice, stream); // source_freed
        memset(scratch, 1, BYTES);
        free(scratch);
        cudaStreamSynchronize(stream);
    }
    CASE("source_freed_waited") {
        int *scratch = (int *)malloc(BYTES);
        memcpy(scratch, host, BYTES);
        cudaMemcpyAsync(device, scratch, BYTES, cudaMemcpyHostToDevice, stream);
        cudaStreamSynchronize(stream);
        memset(scratch, 1, BYTES);
        free(scratch);
    }
    CASE("source_in_place") { // the results come back to where the input was
        cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, stream);
        add<<<1, N, 0, stream>>>(device);
        cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
        return host[3] != 1;
    }
    CASE("source_in_place_changed") {
        cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, stream); // source_in_place_changed
        host[3] = 5;
        add<<<1, N, 0, stream>>>(device);
        cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
    }
    CASE("source_by_function") { // what the stream itself does comes after the copy
        cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, stream);
        cudaLaunchHostFunc(stream, [](void *) { host[3] = 5; }, NULL);
        cudaStreamSynchronize(stream);
    }
    CASE("source_other") {
        cudaMemcpyAsync(device, host, BYTES / 2, cudaMemcpyHostToDevice, stream);
        memset(host + N / 2, 1, BYTES / 2);
        cudaStreamSynchronize(stream);
    }
    CASE("source_of_graph_reused") {
        launch(2, there);
        memset(host, 1, BYTES);
        cudaStreamSynchronize(stream);
    }
    CASE("source_of_graph_reused_waited") {
        launch(2, there);
        cudaStreamSynchronize(stream);
        memset(host, 1, BYTES);
        launch(2, there);
        cudaStreamSynchronize(stream);
    }
    CASE("source_of_graph_in_place") {
        launch(3, and_back);
        launch(3, and_back);
        cudaStreamSynchronize(stream);
        return host[3] != 2;
    }
    CASE("source_of_graph_by_function") {
        launch(2, changed);
        cudaStreamSynchronize(stream);
    }
    CASE("source_of_graph_written_before") {
        host[3] = 7;
        launch(3, round);
        cudaStreamSynchronize(stream);
        return host[3];
    }
    CASE("source_of_graph_twice") {
        int result[N];
        launch(2, there);
        host[3] = 20;
        launch(2, there);
        cudaMemcpy(result, device, BYTES, cudaMemcpyDeviceToHost);
        return result[3] != 21;
    }
    CASE("result_not_waited") {
        add<<<1, N, 0, stream>>>(device);
        cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, stream); // result_not_waited
        return host[3] != 1;
    }
    CASE("result_waited") {
        add<<<1, N, 0, stream>>>(device);
        cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
        return host[3] != 1;
    }
    CASE("result_by_event") {
        cudaEvent_t done;
        cudaEventCreate(&done);
        cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, stream);
        cudaEventRecord(done, stream);
        cudaEventSynchronize(done);
        cudaEventDestroy(done);
    }
    CASE("result_by_query") {
        cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, stream);
        while (cudaStreamQuery(stream) == cudaErrorNotReady)
            ;
    }
    CASE("result_by_next_copy") {
        cudaMemcpyAsync(host, device, BYTES / 2, cudaMemcpyDeviceToHost, stream);
        cudaMemcpyAsync(host + N / 2, device + N / 2, BYTES / 2, cudaMemcpyDeviceToHost, stream);
        cudaDeviceSynchronize();
    }
    CASE("result_freed_waited") { // freeing something else comes between
        int *scratch;
        cudaMalloc(&scratch, BYTES);
        cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, stream);
        cudaFree(scratch);
        cudaStreamSynchronize(stream);
        return host[3];
    }
    CASE("result_destroyed_waited") {
        int *scratch;
        cudaStream_t own;
        cudaStreamCreate(&own);
        cudaMalloc(&scratch, BYTES);
        cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, own);
        cudaFree(scratch);
        cudaStreamDestroy(own);
        cudaDeviceSynchronize();
        return host[3];
    }
    CASE("result_by_function") {
        static volatile int done;
        cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, stream);
        cudaLaunchHostFunc(stream, [](void *) { __atomic_store_n(&done, 1, __ATOMIC_RELEASE); }, NULL);
        while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE))
            ;
        return host[3];
    }
    CASE("result_by_cudamemcpy") {
        cudaMemcpyAsync(host, device, BYTES / 2, cudaMemcpyDeviceToHost, stream);
        cudaMemcpy(host + N / 2, device + N / 2, BYTES / 2, cudaMemcpyDeviceToHost);
    }
    CASE("result_asserted") { // what a program that ends like this has not waited for is told, too
        cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, stream); // result_asserted
        assert(host[3] == 99);
    }
    CASE("result_aborted") {
        cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, stream); // result_aborted
        abort();
    }
    CASE("result_abort_handled") { // the handler comes back, and so the program ends
        signal(SIGABRT, [](int) {});
        cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, stream); // result_abort_handled
        abort();
    }
    CASE("result_abort_survived") { // LLVM's way out of what it gives up
        static jmp_buf out;
        memset(host, 1, BYTES);
        signal(SIGABRT, [](int) { longjmp(out, 1); });
        cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, stream);
        if (!setjmp(out))
            abort();
        cudaStreamSynchronize(stream);
        if (host[3] != 0)
            return 1;
    }
    CASE("result_thrown") {
        cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, stream); // result_thrown
        throw 1;
    }
    CASE("result_of_graph_asserted") {
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        cudaGraphNode_t node;
        cudaGraphCreate(&graph, 0);
        cudaGraphAddMemcpyNode1D(&node, graph, NULL, 0, host, device, BYTES, cudaMemcpyDeviceToHost); // result_of_graph_asserted
        cudaGraphInstantiate(&exec, graph, 0);
        cudaGraphLaunch(exec, stream);
        assert(host[3] == 99);
    }
    CASE("result_of_graph_not_waited") {
        launch(2, back);
        return host[3] != 1;
    }
    CASE("result_of_graph_waited") {
        launch(2, back);
        cudaStreamSynchronize(stream);
        return host[3] != 1;
    }
    CASE("result_waited_asserted") {
        cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
        assert(host[3] == 0);
    }
    /* From host memory to host memory the call returns when all is done (Runtime API, "API synchronization behavior"). */
    CASE("within_host_read") {
        cudaMemcpyAsync(pinned + N, pinned, BYTES, cudaMemcpyHostToHost, stream);
        host[0] = pinned[N];
    }
    CASE("within_host_changed") {
        cudaMemcpyAsync(pinned + N, pinned, BYTES, cudaMemcpyDefault, stream);
        pinned[0] = 5;
        cudaStreamSynchronize(stream);
    }
    CASE("within_host_pageable") {
        cudaMemcpyAsync(host, pinned, BYTES, cudaMemcpyHostToHost, stream);
        pinned[1] = host[0];
    }
    CASE("from_managed_read") {
        cudaMemcpyAsync(pinned, managed, BYTES, cudaMemcpyDefault, stream);
        host[0] = pinned[0]; // from_managed_read
    }
    CASE("result_of_two_streams") { // whichever comes last stays; no allocation of the device's is meant
        cudaStream_t own;
        cudaStreamCreate(&own);
        cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, own); // result_of_two_streams
        cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, stream);
        cudaDeviceSynchronize();
        cudaStreamDestroy(own);
    }
    CASE("result_of_two_streams_waited") {
        cudaStream_t own;
        cudaStreamCreate(&own);
        cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, own);
        cudaStreamSynchronize(own);
        cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
        cudaStreamDestroy(own);
    }
    else return 2;
    return 0;
}

int main(int argc, char **argv)
{
    host = (int *)calloc(N, sizeof(int));
    cudaMalloc(&device, BYTES);
    cudaMemset(device, 0, BYTES);
    cudaStreamCreate(&stream);
    bool shares = argc > 1 && (!strncmp(argv[1], "within_", 7) || !strncmp(argv[1], "from_managed", 12));
    if (shares) {
        cudaMallocHost(&pinned, 2 * BYTES);
        cudaMallocManaged(&managed, BYTES);
        memset(pinned, 0, 2 * BYTES);
        memset(managed, 0, BYTES);
    }
    int status = run(argc > 1 ? argv[1] : "");
    cudaStreamDestroy(stream);
    cudaFree(device);
    if (shares)
        cudaFreeHost(pinned), cudaFree(managed);
    free(host);
    return status;
}
