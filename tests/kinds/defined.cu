// Ways of writing device memory: what they have written is not taken for undefined when it is copied back; and the ends of
// programs that have waited for their work.
//
// also --remote
//
// case array_unwritten expect=uninitialized-read level=warning
// case pool_reused expect=silent
// case pool_reused_unwritten expect=uninitialized-read level=warning
// case box expect=silent
// case symbol expect=silent
// case atomics expect=silent
// case halves expect=silent
// case memset_rows expect=silent
// case graph expect=silent
// case union_members expect=silent
// case decided_by_and expect=silent
// case decided_by_or expect=silent
// case decided_by_nobody expect=uninitialized-read
// case managed_half expect=uninitialized-read level=warning
// case managed_whole expect=silent
// case in_place expect=silent
// case from_kernel_heap expect=silent
// case ends_reset expect=silent
// case ends_copy_in expect=silent
// case ends_thread expect=silent
// case ends_per_stream_copy expect=silent
// case ends_memset expect=silent
// case ends_graph expect=silent
// case ends_graph_unwaited expect=not-waited level=warning
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <thread>

enum { N = 128, BYTES = N * sizeof(int) };

__device__ int variable[N];
static int *p, *q, host[2 * N];

/* within && (last || value < 5), without a branch: the value counts only where the others leave it to it. */
__device__ int choose(int value, int within, int last)
{
    int r;
    asm volatile("{.reg .pred a, b, c;\n"
                 "setp.ne.s32 a, %2, 0;\n"
                 "setp.ne.s32 b, %3, 0;\n"
                 "setp.lt.s32 c, %1, 5;\n"
                 "or.pred c, c, b;\n"
                 "and.pred c, a, c;\n"
                 "selp.s32 %0, 1, 0, c;}"
                 : "=r"(r)
                 : "r"(value), "r"(within), "r"(last));
    return r;
}
__global__ void past_the_end(int *out, int within, int last)
{
    __shared__ volatile int some[2 * N];
    some[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int value = some[N + threadIdx.x]; // decided_by_nobody
    out[threadIdx.x] = choose(value, within, last);
}

__global__ void fill(int *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 1;
}
__global__ void exchange(int *out)
{
    atomicExch(out + threadIdx.x, 1);
    atomicAdd(out + threadIdx.x, 1);
}
__global__ void fill_halves(__half *out)
{
    out[threadIdx.x] = __float2half(1);
}
__global__ void fill_box(cudaPitchedPtr box)
{
    ((int *)((char *)box.ptr + threadIdx.x / 4 * box.pitch))[threadIdx.x % 4] = 1;
}
union either {
    double d;
    char c;
    int i[2];
};
__global__ void fill_unions(either *out)
{
    either e;
    if (threadIdx.x & 1)
        e.d = 1;
    else
        e.i[0] = 1, e.i[1] = 2;
    out[threadIdx.x] = e;
}
__global__ void add(int *data)
{
    data[threadIdx.x] += 1;
}
__global__ void by_heap(int *out)
{
    int *mine = (int *)malloc(2 * sizeof(int));
    if (!mine)
        return;
    mine[0] = mine[1] = (int)threadIdx.x;
    out[threadIdx.x] = mine[0] + mine[1];
    free(mine);
}
__global__ void fill_variable()
{
    variable[threadIdx.x] = 1;
}

static void back(const void *from, size_t bytes)
{
    cudaMemcpy(host, from, bytes, cudaMemcpyDeviceToHost);
}

static void graph(bool wait)
{
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t e;
    cudaStreamCreate(&s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    fill_variable<<<1, N, 0, s>>>();
    fill<<<1, N, 0, s>>>(p, N); // ends_graph_unwaited
    cudaMemcpyAsync(host, p, BYTES, cudaMemcpyDeviceToHost, s);
    cudaStreamEndCapture(s, &g);
    cudaGraphInstantiate(&e, g, 0);
    cudaGraphLaunch(e, s);
    if (wait)
        cudaStreamSynchronize(s);
}

static bool run(const char *name)
{
#define CASE(n) else if (!strcmp(name, n))
    if (!*name)
        return false;
    CASE("array_unwritten") {
        cudaArray_t array;
        cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
        cudaMallocArray(&array, &format, 16, 8);
        cudaMemcpy2DFromArray(host, 64, array, 0, 0, 64, 8, cudaMemcpyDeviceToHost);
        cudaFreeArray(array);
    }
    CASE("pool_reused") {
        for (int i = 0; i < 3; i++) {
            int *own;
            cudaMallocAsync(&own, BYTES, 0);
            fill<<<1, N>>>(own, N);
            cudaMemcpyAsync(host, own, BYTES, cudaMemcpyDeviceToHost, 0);
            cudaFreeAsync(own, 0);
            cudaStreamSynchronize(0);
        }
    }
    CASE("pool_reused_unwritten") {
        for (int i = 0; i < 2; i++) {
            int *own;
            cudaMallocAsync(&own, BYTES, 0);
            if (i == 0)
                fill<<<1, N>>>(own, N);
            cudaMemcpyAsync(host, own, BYTES, cudaMemcpyDeviceToHost, 0);
            cudaFreeAsync(own, 0);
            cudaStreamSynchronize(0);
        }
    }
    CASE("box") {
        cudaPitchedPtr box;
        cudaMalloc3D(&box, make_cudaExtent(16, 4, 2));
        fill_box<<<1, 32>>>(box);
        cudaMemcpy3DParms all = {};
        all.srcPtr = box;
        all.dstPtr = make_cudaPitchedPtr(host, 16, 16, 4);
        all.extent = make_cudaExtent(16, 4, 2);
        all.kind = cudaMemcpyDeviceToHost;
        cudaMemcpy3D(&all);
        cudaFree(box.ptr);
    }
    CASE("symbol") {
        fill_variable<<<1, N / 2>>>();
        cudaMemcpyFromSymbol(host, variable, BYTES);
    }
    CASE("atomics") {
        cudaMemset(p, 0, BYTES);
        exchange<<<1, N>>>(p);
        back(p, BYTES);
    }
    CASE("halves") {
        fill_halves<<<1, N>>>((__half *)p);
        back(p, N * sizeof(__half));
    }
    CASE("memset_rows") {
        size_t pitch;
        char *rows;
        cudaMallocPitch(&rows, &pitch, 24, 4);
        cudaMemset2D(rows, pitch, 0, 24, 4);
        cudaMemcpy2D(host, 24, rows, pitch, 24, 4, cudaMemcpyDeviceToHost);
        cudaFree(rows);
    }
    CASE("graph") graph(true);
    CASE("union_members") {
        fill_unions<<<1, 32>>>((either *)p);
        back(p, 32 * sizeof(either));
    }
    else if (!strncmp(name, "managed_", 8)) {
        int *managed, sum = 0;
        cudaMallocManaged(&managed, BYTES);
        fill<<<1, N>>>(managed, strcmp(name, "managed_half") ? N : N / 2);
        cudaDeviceSynchronize();
        for (int i = 0; i < N; i++)
            sum += managed[i];
        cudaMemcpy(host, managed, BYTES, cudaMemcpyDeviceToHost);
        cudaFree(managed);
        printf("%d\n", sum);
    }
    CASE("in_place") {
        cudaMemcpy(p, host, BYTES / 2, cudaMemcpyHostToDevice);
        for (int i = 0; i < 3; i++)
            add<<<1, N / 2>>>(p);
        back(p, BYTES / 2);
    }
    CASE("from_kernel_heap") {
        by_heap<<<1, N>>>(p);
        back(p, BYTES);
    }
    CASE("decided_by_and") {
        past_the_end<<<1, N>>>(p, 0, 0);
        back(p, BYTES);
    }
    CASE("decided_by_or") {
        past_the_end<<<1, N>>>(p, 1, 1);
        back(p, BYTES);
    }
    CASE("decided_by_nobody") past_the_end<<<1, N>>>(p, 1, 0);
    CASE("ends_reset") {
        fill_variable<<<1, N>>>();
        cudaFreeAsync(p, 0);
        cudaFreeAsync(q, 0);
        cudaDeviceReset();
        exit(0);
    }
    CASE("ends_copy_in") {
        fill<<<1, N>>>(p, N);
        cudaMemcpy(q, host, BYTES, cudaMemcpyHostToDevice);
        exit((cudaFreeAsync(p, 0), cudaFreeAsync(q, 0), 0));
    }
    CASE("ends_thread") {
        std::thread([] {
            fill<<<1, N>>>(p, N);
            cudaDeviceSynchronize();
        }).join();
        exit((cudaFreeAsync(p, 0), cudaFreeAsync(q, 0), 0));
    }
    CASE("ends_per_stream_copy") {
        cudaStream_t s;
        int *pinned;
        cudaStreamCreate(&s);
        cudaMallocHost(&pinned, BYTES);
        fill<<<1, N, 0, s>>>(p, N);
        cudaMemcpyAsync(pinned, p, BYTES, cudaMemcpyDeviceToHost, s);
        cudaStreamSynchronize(s);
        cudaFreeHost(pinned);
        exit((cudaFreeAsync(p, 0), cudaFreeAsync(q, 0), 0));
    }
    CASE("ends_memset") {
        cudaMemset(p, 0, BYTES);
        exit((cudaFreeAsync(p, 0), cudaFreeAsync(q, 0), 0));
    }
    CASE("ends_graph") {
        graph(true);
        exit((cudaFreeAsync(p, 0), cudaFreeAsync(q, 0), 0));
    }
    CASE("ends_graph_unwaited") {
        graph(false);
        exit((cudaFreeAsync(p, 0), cudaFreeAsync(q, 0), 0));
    }
    else return false;
    return true;
}

int main(int argc, char **argv)
{
    cudaMalloc(&p, BYTES);
    cudaMalloc(&q, BYTES);
    if (!run(argc > 1 ? argv[1] : ""))
        return 2;
    cudaDeviceSynchronize();
    cudaFree(p);
    cudaFree(q);
    return 0;
}
