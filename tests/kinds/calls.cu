// What the program on the host does with the API: calls that fail unseen, device memory that it uses itself, work
// that it does not wait for.
//
// also --remote
//
// case copy_too_long expect=failed-call says=which.holds.128
// case copy_too_long_looked expect=silent
// case copy_too_long_fetched expect=silent
// case copy_too_long_peeked expect=silent
// case copy_too_long_passed_on expect=failed-call
// case copy_too_long_kept expect=silent
// case copy_fits expect=silent
// case copy_overlaps expect=data-race says=over.a.part.of.their.own.source
// case copy_overlaps_async expect=data-race
// case copy_overlaps_rows expect=data-race says=over.a.part.of.their.own.source
// case copy_rows_up expect=data-race
// case copy_rows_beside expect=silent
// case copy_rows_onto_themselves expect=silent
// case copy_rows_closer expect=data-race
// case copy_beside expect=silent
// case copy_heap expect=failed-call says=allocated.with.malloc
// case copy_heap_by_kernel expect=silent
// case copy_onto_itself expect=silent
// case elapsed_early expect=failed-call says=cudaEventSynchronize.with.the.later
// case elapsed_early_looked expect=silent
// case elapsed_waited expect=silent
// case read_too_long expect=failed-call says=reads.132.bytes
// case wrong_direction expect=failed-call says=destination
// case wrong_source expect=failed-call says=source
// case right_direction expect=silent
// case set_too_long expect=failed-call
// case freed_twice expect=failed-call says=freed.already
// case freed_twice_later expect=failed-call says=freed.already
// case freed_at_once_too expect=failed-call says=freed.already
// case freed_once expect=silent
// case freed_once_later expect=silent
// case freed_inside expect=failed-call
// case copy_freed expect=failed-call says=has.been.freed
// case too_many_threads expect=failed-call says=2048x1x1.threads
// case more_than_bounds expect=failed-call says=at.most.64.threads
// case as_many_as_bounds expect=silent
// case too_much_shared expect=failed-call says=at.most.49152.bytes
// case too_much_beside_its_own expect=failed-call says=at.most.49024.bytes
// case more_shared_allowed expect=silent
// case too_flat_a_grid expect=failed-call says=65535
// case too_many_together expect=failed-call says=at.most.264.blocks options=--device=h200
// case as_many_together expect=silent options=--device=h200
// case too_many_looked expect=silent
// case most_threads expect=silent
// case too_much_memory expect=failed-call
// case stream_twice expect=failed-call level=warning
// case symbol_too_long expect=failed-call says=which.holds.128
// case symbol_too_long_looked expect=silent
// case symbol_past_its_end expect=failed-call
// case symbol_read_too_long expect=failed-call says=reads.132.bytes
// case symbol_fits expect=silent
// case shape_between expect=failed-call
// case shape_between_looked expect=silent
// case pitch_too_small expect=failed-call
// case pitch_fits expect=silent
// case stream_gone expect=failed-call
// case graph_gone expect=failed-call
// case in_loop expect=failed-call
// case in_destructor expect=failed-call
// case host_reads expect=host-access status=139 says=alloc0
// case host_writes expect=host-access status=139
// case host_copies expect=host-access status=139
// case host_reads_managed expect=silent
// case ends_early expect=not-waited level=warning says=prints.is.lost
// case ends_early_stream expect=not-waited level=warning
// case ends_waited expect=silent
// case ends_by_event expect=silent
// case ends_by_copy expect=silent
// case ends_by_free expect=silent
// case ends_by_query expect=silent
// case ends_early_wrong expect=out-of-bounds also=not-waited says=its.errors.are.not.seen
// case ends_early_asserts expect=assert also=not-waited says=its.errors.are.not.seen
// case ends_early_traps expect=trap also=not-waited says=its.errors.are.not.seen
// case ends_waited_wrong expect=out-of-bounds
// case ends_waited_asserts expect=assert
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

enum { N = 32, BYTES = N * sizeof(int) };

__device__ int variable[N];
static volatile int blocks = 1;

__global__ void fill_variable()
{
    variable[threadIdx.x] = 1;
}
__global__ void fill(int *out)
{
    out[threadIdx.x] = (int)threadIdx.x; // ends_early_wrong
}

__global__ void fill_behind(int *out)
{
    out[threadIdx.x] = (int)threadIdx.x; // ends_waited_wrong
}

__global__ void fails(bool asserts)
{
    assert(!asserts); // ends_early_asserts ends_waited_asserts
    asm volatile("trap;"); // ends_early_traps
}

__global__ void __launch_bounds__(64) fill_bounded(int *out)
{
    if (threadIdx.x < N)
        out[threadIdx.x] = 1;
}

__global__ void fill_nothing(int *)
{
}

__global__ void fill_by_shared(int *out)
{
    __shared__ int own[N];
    own[threadIdx.x] = 1;
    out[threadIdx.x] = own[threadIdx.x];
}

static int *p, *q, host[4 * N];
static cudaStream_t stream;

static void together(int blocks)
{
    void *args[] = {&p};
    cudaLaunchCooperativeKernel((void *)fill_nothing, blocks, 1024, args, 0, stream); // too_many_together
}

static cudaError_t pass_on(void *to, const void *from, size_t bytes)
{
    return cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice); // copy_too_long_passed_on
}
struct owner {
    int *mine;
    ~owner()
    {
        cudaFree(mine); // in_destructor
    }
};

/** @return whether memory is still to be freed; that waits for kernels, too */
__global__ void take(char **at)
{
    *at = (char *)malloc(64);
    for (int i = 0; i < 64; i++)
        (*at)[i] = (char)i;
}
__global__ void give(char **at, char *to)
{
    for (int i = 0; i < 64; i++)
        to[i] = (*at)[i];
    free(*at);
}
static void elapsed(bool wait, bool look)
{
    cudaEvent_t from, to;
    float ms = 0;
    cudaEventCreate(&from), cudaEventCreate(&to);
    cudaEventRecord(from, stream);
    cudaMemsetAsync(p, 0, BYTES, stream);
    cudaEventRecord(to, stream);
    if (wait)
        cudaEventSynchronize(to);
    if (!look)
        cudaEventElapsedTime(&ms, from, to); // elapsed_early
    else if (cudaEventElapsedTime(&ms, from, to) != cudaErrorNotReady)
        exit(3);
    cudaEventSynchronize(to);
    cudaEventDestroy(from), cudaEventDestroy(to);
}
static int run(const char *name)
{
#define CASE(n) else if (!strcmp(name, n))
    if (!*name)
        return -1;
    CASE("copy_too_long") cudaMemcpy(p, host, BYTES + 4, cudaMemcpyHostToDevice); // copy_too_long
    CASE("copy_too_long_looked") {
        if (cudaMemcpy(p, host, BYTES + 4, cudaMemcpyHostToDevice) != cudaSuccess)
            puts("failed");
    }
    CASE("copy_too_long_fetched") {
        cudaMemcpy(p, host, BYTES + 4, cudaMemcpyHostToDevice);
        fill<<<1, N>>>(p);
        printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    }
    CASE("copy_too_long_peeked") {
        cudaMemcpy(p, host, BYTES + 4, cudaMemcpyHostToDevice);
        printf("%s\n", cudaGetErrorString(cudaPeekAtLastError()));
    }
    CASE("copy_too_long_passed_on") pass_on(p, host, BYTES + 4);
    CASE("copy_too_long_kept") {
        cudaError_t e = cudaMemcpy(p, host, BYTES + 4, cudaMemcpyHostToDevice);
        fill<<<1, N>>>(p);
        if (e)
            puts("failed");
    }
    CASE("copy_fits") cudaMemcpy(p, host, BYTES, cudaMemcpyHostToDevice);
    CASE("copy_overlaps") cudaMemcpy(p, (char *)p + 4, BYTES - 4, cudaMemcpyDeviceToDevice); // copy_overlaps
    CASE("copy_overlaps_rows") cudaMemcpy2DAsync((char *)p + 4, 32, p, 32, 12, 4, cudaMemcpyDeviceToDevice, 0); // copy_overlaps_rows
    CASE("copy_rows_up") cudaMemcpy2D((char *)p + 32, 32, p, 32, 32, 3, cudaMemcpyDeviceToDevice); // copy_rows_up
    CASE("copy_rows_beside") cudaMemcpy2D((char *)p + 16, 32, p, 32, 16, 4, cudaMemcpyDeviceToDevice);
    CASE("copy_rows_onto_themselves") cudaMemcpy2D(p, 32, p, 32, 16, 4, cudaMemcpyDeviceToDevice);
    CASE("copy_rows_closer") cudaMemcpy2D(p, 16, p, 32, 16, 4, cudaMemcpyDeviceToDevice); // copy_rows_closer
    CASE("copy_overlaps_async") {
        cudaMemcpyAsync((char *)p + 8, p, BYTES - 8, cudaMemcpyDeviceToDevice, stream);
        cudaStreamSynchronize(stream);
    }
    CASE("copy_heap") {
        char **at, *there;
        cudaMalloc(&at, sizeof *at);
        take<<<1, 1>>>(at);
        cudaMemcpy(&there, at, sizeof there, cudaMemcpyDeviceToHost);
        cudaMemcpy(host, there, 4, cudaMemcpyDeviceToHost); // copy_heap
        give<<<1, 1>>>(at, (char *)p);
        cudaDeviceSynchronize();
        cudaFree(at);
    }
    CASE("copy_heap_by_kernel") {
        char **at;
        cudaMalloc(&at, sizeof *at);
        take<<<1, 1>>>(at);
        give<<<1, 1>>>(at, (char *)p);
        cudaMemcpy(host, p, 4, cudaMemcpyDeviceToHost);
        cudaFree(at);
    }
    CASE("copy_beside") cudaMemcpy(p, (char *)p + BYTES / 2, BYTES / 2, cudaMemcpyDeviceToDevice);
    CASE("copy_onto_itself") cudaMemcpy(p, p, BYTES, cudaMemcpyDeviceToDevice);
    CASE("elapsed_early") elapsed(false, false);
    CASE("elapsed_early_looked") elapsed(false, true);
    CASE("elapsed_waited") elapsed(true, false);
    CASE("read_too_long") cudaMemcpy(host, p, BYTES + 4, cudaMemcpyDeviceToHost); // read_too_long
    CASE("wrong_direction") cudaMemcpy(host, p, BYTES, cudaMemcpyHostToDevice); // wrong_direction
    CASE("wrong_source") cudaMemcpy(p, host, BYTES, cudaMemcpyDeviceToHost); // wrong_source
    CASE("right_direction") cudaMemcpy(host, p, BYTES, cudaMemcpyDeviceToHost);
    CASE("set_too_long") cudaMemset(p, 0, BYTES + 1); // set_too_long
    CASE("freed_twice") {
        int *more;
        cudaMalloc(&more, BYTES);
        cudaFree(more);
        cudaFree(more); // freed_twice
    }
    CASE("freed_twice_later") {
        int *more;
        cudaMallocAsync(&more, BYTES, stream);
        cudaFreeAsync(more, stream);
        cudaFreeAsync(more, stream); // freed_twice_later
    }
    CASE("freed_at_once_too") {
        int *more;
        cudaMallocAsync(&more, BYTES, stream);
        cudaFreeAsync(more, stream);
        cudaFree(more); // freed_at_once_too
    }
    CASE("freed_once_later") {
        int *more;
        cudaMallocAsync(&more, BYTES, stream);
        cudaFreeAsync(more, stream);
        cudaStreamSynchronize(stream);
    }
    CASE("freed_once") {
        int *more;
        cudaMalloc(&more, BYTES);
        cudaFree(more);
    }
    CASE("freed_inside") cudaFree(p + 1); // freed_inside
    CASE("copy_freed") {
        int *more;
        cudaMalloc(&more, BYTES);
        cudaFree(more);
        cudaMemcpy(host, more, BYTES, cudaMemcpyDeviceToHost); // copy_freed
    }
    CASE("too_many_threads") fill<<<1, 2048>>>(p); // too_many_threads
    CASE("more_than_bounds") fill_bounded<<<1, 128>>>(p); // more_than_bounds
    CASE("as_many_as_bounds") fill_bounded<<<1, 64>>>(p);
    CASE("too_much_shared") fill<<<1, N, 50000>>>(p); // too_much_shared
    CASE("too_much_beside_its_own") fill_by_shared<<<1, N, 49152>>>(p); // too_much_beside_its_own
    CASE("more_shared_allowed") {
        cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 50000);
        fill<<<1, N, 50000>>>(p);
    }
    CASE("too_flat_a_grid") fill<<<dim3(1, 65536), N>>>(p); // too_flat_a_grid
    CASE("too_many_together") together(265);
    CASE("as_many_together") together(264);
    CASE("too_many_looked") {
        fill<<<1, 2048>>>(p);
        if (cudaGetLastError() != cudaSuccess)
            puts("failed");
    }
    CASE("most_threads") {
        int *more;
        cudaMalloc(&more, 1024 * sizeof(int));
        fill<<<1, 1024>>>(more);
        cudaFree(more);
    }
    CASE("too_much_memory") {
        void *all;
        cudaMalloc(&all, (size_t)1 << 50); // too_much_memory
    }
    CASE("stream_twice") cudaStreamSynchronize((cudaStream_t)host); // stream_twice
    CASE("symbol_too_long") cudaMemcpyToSymbol(variable, host, BYTES + 4); // symbol_too_long
    CASE("symbol_too_long_looked") {
        if (cudaMemcpyToSymbol(variable, host, BYTES + 4))
            puts("failed");
    }
    CASE("symbol_past_its_end") cudaMemcpyToSymbol(variable, host, 4, BYTES); // symbol_past_its_end
    CASE("symbol_read_too_long") cudaMemcpyFromSymbol(host, variable, BYTES + 4); // symbol_read_too_long
    CASE("symbol_fits") cudaMemcpyToSymbol(variable, host, 4, BYTES - 4);
    CASE("shape_between") { /* making a shape lies between the call and the next */
        cudaMemcpy(p, host, BYTES + 4, cudaMemcpyHostToDevice); // shape_between
        fill<<<dim3(1, blocks), dim3(N / blocks, blocks * 1)>>>(p);
    }
    CASE("shape_between_looked") {
        cudaError_t e = cudaMemcpy(p, host, BYTES + 4, cudaMemcpyHostToDevice);
        fill<<<dim3(1, blocks), dim3(N / blocks, blocks * 1)>>>(p);
        blocks = e;
    }
    CASE("pitch_too_small") cudaMemcpy2D(p, 4, host, 8, 8, 4, cudaMemcpyHostToDevice); // pitch_too_small
    CASE("pitch_fits") cudaMemcpy2D(p, 8, host, 8, 8, 4, cudaMemcpyHostToDevice);
    CASE("stream_gone") {
        cudaStream_t s;
        cudaStreamCreate(&s);
        cudaStreamDestroy(s);
        fill<<<1, N, 0, s>>>(p); // stream_gone
    }
    CASE("graph_gone") {
        cudaGraph_t g;
        cudaGraphExec_t x;
        cudaGraphCreate(&g, 0);
        cudaGraphInstantiate(&x, g, 0);
        cudaGraphExecDestroy(x);
        cudaGraphLaunch(x, 0); // graph_gone
        cudaGraphDestroy(g);
    }
    CASE("in_loop") {
        for (int i = 0; i < 2; i++)
            cudaMemcpy(p + i, host, BYTES, cudaMemcpyHostToDevice); // in_loop
    }
    CASE("in_destructor") {
        owner o = {p + 2};
        (void)o;
    }
    CASE("host_reads") printf("%d\n", p[3]); // host_reads
    CASE("host_writes") p[3] = 1; // host_writes
    CASE("host_copies") memcpy(host, p, BYTES); // host_copies
    CASE("host_reads_managed") {
        int *managed;
        cudaMallocManaged(&managed, BYTES);
        printf("%d\n", managed[3] = 4);
        cudaFree(managed);
    }
    CASE("ends_early") {
        cudaFree(p);
        cudaFree(q);
        fill_variable<<<1, N>>>(); // ends_early
        exit(0);
    }
    CASE("ends_early_stream") {
        cudaStream_t other;
        cudaStreamCreate(&other);
        cudaFree(p);
        cudaFree(q);
        fill_variable<<<1, N, 0, stream>>>(); // ends_early_stream
        cudaStreamSynchronize(other);
        exit(0);
    }
    CASE("ends_waited") {
        fill<<<1, N>>>(p);
        cudaDeviceSynchronize();
        cudaFree(p);
        cudaFree(q);
        exit(0);
    }
    CASE("ends_by_event") {
        cudaEvent_t done;
        cudaEventCreate(&done);
        fill<<<1, N>>>(p);
        cudaEventRecord(done);
        cudaEventSynchronize(done);
        cudaFreeAsync(p, 0);
        cudaFreeAsync(q, 0);
        exit(0);
    }
    CASE("ends_by_copy") {
        fill<<<1, N>>>(p);
        cudaMemcpy(host, p, BYTES, cudaMemcpyDeviceToHost);
    }
    CASE("ends_by_free") fill<<<1, N>>>(p);
    CASE("ends_by_query") {
        fill<<<1, N, 0, stream>>>(p);
        while (cudaStreamQuery(stream) == cudaErrorNotReady)
            ;
    }
    CASE("ends_early_wrong") {
        fill<<<1, N>>>(p + 1);
        exit(0);
    }
    CASE("ends_early_asserts") {
        fails<<<1, 1>>>(true);
        exit(0);
    }
    CASE("ends_early_traps") {
        fails<<<1, 1>>>(false);
        exit(0);
    }
    CASE("ends_waited_wrong") {
        fill_behind<<<1, N>>>(p + 1);
        cudaStreamSynchronize(0);
        exit(0);
    }
    CASE("ends_waited_asserts") {
        fails<<<1, 1>>>(true);
        cudaDeviceSynchronize();
        exit(0);
    }
    else return -1;
    return 1;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    cudaMalloc(&p, BYTES);
    cudaMalloc(&q, BYTES);
    cudaMemset(p, 0, BYTES);
    cudaStreamCreate(&stream);
    if (run(name) < 0)
        return 2;
    cudaStreamDestroy(stream);
    cudaFree(p);
    cudaFree(q);
    return 0;
}
