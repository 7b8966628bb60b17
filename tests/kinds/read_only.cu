// Memory that is read by ld.global.nc or as a texture: nobody may write it while the kernel runs. Who had done so before it began, in order, did not, however
// much else was under way in other streams; who does it meanwhile does, even where other loads would come after it.
//
// also --remote
//
// case by_kernel expect=silent
// case by_kernel_event expect=silent
// case by_texture expect=silent
// case by_host_before expect=silent
// case by_copy expect=silent
// case in_graph expect=silent
// case legacy expect=silent
// case beside expect=stream-race nor=cudaGridDependencySynchronize
// case beside_texture expect=stream-race
// case signalled expect=silent
// case signalled_read_only expect=data-race says=while.that.kernel.runs nor=cudaGridDependencySynchronize
// case own_launch expect=data-race says=read-only
// case own_thread expect=data-race says=read-only
// case own_thread_atomic expect=data-race says=read-only
// case own_thread_fenced expect=data-race says=read-only
// case own_thread_reads_first expect=silent
// case own_thread_elsewhere expect=silent
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

#define N 64

__global__ void writes(int *to) { to[threadIdx.x] = threadIdx.x; }
__global__ void busy(int *to) { to[threadIdx.x]++; }
__global__ void copies(int *to, const int *__restrict__ from) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void fetches(int *to, cudaTextureObject_t from) { to[threadIdx.x] = tex1Dfetch<int>(from, threadIdx.x); }
__global__ void own(int *to, int *p)
{
    p[threadIdx.x] = 1;
    __syncthreads();
    to[threadIdx.x] = __ldg(p + (threadIdx.x + 1) % N);
}
enum { STORES, ADDS, FENCES, READS_FIRST, ELSEWHERE };
__global__ void own_thread(int *to, int *p, int how)
{
    int i = threadIdx.x, v = how == READS_FIRST ? __ldg(p + i) : 0;
    if (how == ADDS)
        atomicAdd(p + i, 1);
    else
        p[how == ELSEWHERE ? i + N / 2 : i] = i;
    if (how == FENCES) {
        __threadfence();
        __syncthreads();
    }
    to[i] = how == READS_FIRST ? v : __ldg(p + i);
}
__global__ void tells(int *data, int *flag)
{
    data[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicExch(flag, 1);
    }
}
__global__ void hears(int *to, const int *data, int *flag, bool read_only)
{
    if (threadIdx.x == 0) {
        while (!atomicAdd(flag, 0))
            ;
        __threadfence();
    }
    __syncthreads();
    to[threadIdx.x] = read_only ? __ldg(data + threadIdx.x) : data[threadIdx.x];
}

static bool is(const char *asked, const char *name) { return !strcmp(asked, name); }

static cudaTextureObject_t texture_of(int *memory)
{
    cudaResourceDesc what = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    what.resType = cudaResourceTypeLinear;
    what.res.linear.devPtr = memory;
    what.res.linear.desc = cudaCreateChannelDesc<int>();
    what.res.linear.sizeInBytes = N * sizeof(int);
    how.readMode = cudaReadModeElementType;
    cudaCreateTextureObject(&texture, &what, &how, nullptr);
    return texture;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *data, *out, *other, *flag, *managed, host[N];
    cudaStream_t s, u;
    cudaEvent_t event;
    for (int **p : {&data, &out, &other, &flag}) {
        cudaMalloc(p, N * sizeof(int));
        cudaMemset(*p, 0, N * sizeof(int));
    }
    cudaMallocManaged(&managed, N * sizeof(int));
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&u, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    cudaTextureObject_t texture = texture_of(data);
    cudaDeviceSynchronize();
    const bool own_too = strstr(name, "own_") == name && !is(name, "own_launch");
    const bool beside = is(name, "beside") || is(name, "beside_texture");
    if (is(name, "by_kernel") || is(name, "by_texture")) {
        writes<<<1, N, 0, s>>>(data);
        busy<<<1, N, 0, u>>>(other);
        if (is(name, "by_texture"))
            fetches<<<1, N, 0, s>>>(out, texture);
        else
            copies<<<1, N, 0, s>>>(out, data);
    } else if (is(name, "by_kernel_event")) {
        busy<<<1, N, 0, u>>>(other);
        writes<<<1, N, 0, s>>>(data);
        cudaEventRecord(event, s);
        cudaStreamWaitEvent(u, event);
        copies<<<1, N, 0, u>>>(out, data);
    } else if (is(name, "by_host_before")) {
        busy<<<1, N, 0, u>>>(other);
        cudaDeviceSynchronize();
        for (int i = 0; i < N; i++)
            managed[i] = i;
        busy<<<1, N, 0, u>>>(other);
        copies<<<1, N, 0, s>>>(out, managed);
    } else if (is(name, "by_copy")) {
        for (int i = 0; i < N; i++)
            managed[i] = i;
        cudaMemcpyAsync(data, managed, sizeof host, cudaMemcpyDefault, s);
        busy<<<1, N, 0, u>>>(other);
        copies<<<1, N, 0, s>>>(out, data);
    } else if (is(name, "in_graph")) {
        cudaGraph_t graph;
        cudaGraphExec_t instance;
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaEventRecord(event, s);
        cudaStreamWaitEvent(u, event);
        writes<<<1, N, 0, s>>>(data);
        busy<<<1, N, 0, u>>>(other);
        copies<<<1, N, 0, s>>>(out, data);
        cudaEventRecord(event, u);
        cudaStreamWaitEvent(s, event);
        cudaStreamEndCapture(s, &graph);
        cudaGraphInstantiate(&instance, graph, 0);
        cudaGraphLaunch(instance, s);
    } else if (is(name, "legacy")) {
        writes<<<1, N>>>(data);
        busy<<<1, N, 0, u>>>(other);
        copies<<<1, N>>>(out, data);
    } else if (beside) {
        writes<<<1, N, 0, u>>>(data);
        if (is(name, "beside"))
            copies<<<1, N, 0, s>>>(out, data);
        else
            fetches<<<1, N, 0, s>>>(out, texture);
    } else if (is(name, "signalled") || is(name, "signalled_read_only")) {
        tells<<<1, N, 0, u>>>(data, flag);
        hears<<<1, N, 0, s>>>(out, data, flag, is(name, "signalled_read_only"));
    } else if (is(name, "own_launch")) {
        own<<<1, N>>>(out, data);
    } else if (own_too) {
        int how = is(name, "own_thread_atomic")        ? ADDS
                  : is(name, "own_thread_fenced")      ? FENCES
                  : is(name, "own_thread_reads_first") ? READS_FIRST
                  : is(name, "own_thread_elsewhere")   ? ELSEWHERE
                                                       : STORES;
        own_thread<<<1, N / 2>>>(out, data, how);
    } else {
        return 2;
    }
    cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    bool right = true;
    for (int i = 0; i < N && !beside && !is(name, "own_launch") && !own_too; i++)
        right &= host[i] == i;
    for (int *p : {data, out, other, flag, managed})
        cudaFree(p);
    cudaDestroyTextureObject(texture);
    cudaEventDestroy(event);
    cudaStreamDestroy(s);
    cudaStreamDestroy(u);
    return right ? 0 : 1;
}
