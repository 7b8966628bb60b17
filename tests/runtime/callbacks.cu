// Host functions in streams: order, threads, waiting for them without a CUDA call.
#include "check.cuh"
#include <atomic>
#include <thread>
#include <unistd.h>

__global__ void fill(int *x, int v) { x[threadIdx.x] = v; }

static std::atomic<int> seen{0}, fired{0};
static std::thread::id host_thread;
static cudaError_t inner = cudaSuccess;
static int *mirror;

static void host_function(void *data)
{
    CHECK(std::this_thread::get_id() != host_thread);
    CHECK(mirror[5] == 42); // the copy before it is done
    seen = *(int *)data;
}

static void CUDART_CB callback(cudaStream_t, cudaError_t status, void *data)
{
    CHECK(status == cudaSuccess);
    int n;
    inner = cudaMalloc((void **)&n, 4); // CUDA calls are not permitted here
    fired += *(int *)data;
}

int main()
{
    host_thread = std::this_thread::get_id();
    cudaStream_t s;
    int *x, seven = 7, one = 1;
    OK(cudaStreamCreate(&s));
    OK(cudaMalloc(&x, 32 * 4));
    OK(cudaMallocHost(&mirror, 32 * 4));
    fill<<<1, 32, 0, s>>>(x, 42);
    OK(cudaMemcpyAsync(mirror, x, 32 * 4, cudaMemcpyDeviceToHost, s));
    OK(cudaLaunchHostFunc(s, host_function, &seven));
    OK(cudaStreamSynchronize(s));
    CHECK(seen == 7);

    // The device goes on while the host waits outside of CUDA.
    for (int i = 0; i < 10; i++) {
        fill<<<1, 32, 0, s>>>(x, i);
        OK(cudaStreamAddCallback(s, callback, &one, 0));
    }
    for (int i = 0; i < 5000 && fired != 10; i++)
        usleep(10000);
    CHECK(fired == 10);
    CHECK(inner == cudaErrorNotPermitted);

    // An unfinished host function keeps its stream waiting, and its stream only.
    static std::atomic<bool> go{false};
    cudaStream_t other;
    OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    OK(cudaLaunchHostFunc(s, [](void *) { while (!go) usleep(1000); }, nullptr));
    fill<<<1, 32, 0, s>>>(x, 1000);
    int *y;
    OK(cudaMalloc(&y, 128));
    fill<<<1, 32, 0, other>>>(y, 5);
    OK(cudaStreamSynchronize(other));
    GIVES(cudaStreamQuery(s), cudaErrorNotReady);
    go = true;
    OK(cudaStreamSynchronize(s));
    int got;
    OK(cudaMemcpy(&got, x, 4, cudaMemcpyDeviceToHost));
    CHECK(got == 1000);
    (void)cudaGetLastError();
    GIVES(cudaStreamAddCallback(s, callback, nullptr, 3), cudaErrorInvalidValue);
    GIVES(cudaLaunchHostFunc(s, nullptr, nullptr), cudaErrorInvalidValue);
    puts("callbacks ok");
    return 0;
}
