// Streams and events: order within, between and around them; queries; times.
#include "check.cuh"
#define N 4096

__global__ void step(int *x, int mul, int plus)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = x[i] * mul + plus;
}

static void pipelines()
{
    const int k = 4;
    cudaStream_t s[k];
    int *host, *dev;
    OK(cudaMallocHost(&host, k * N * sizeof(int)));
    OK(cudaMalloc(&dev, k * N * sizeof(int)));
    for (int i = 0; i < k * N; i++)
        host[i] = i;
    for (int i = 0; i < k; i++) {
        OK(cudaStreamCreate(&s[i]));
        OK(cudaMemcpyAsync(dev + i * N, host + i * N, N * 4, cudaMemcpyHostToDevice, s[i]));
        step<<<N / 256, 256, 0, s[i]>>>(dev + i * N, 2, i);
        OK(cudaMemcpyAsync(host + i * N, dev + i * N, N * 4, cudaMemcpyDeviceToHost, s[i]));
    }
    for (int i = 0; i < k; i++) {
        OK(cudaStreamSynchronize(s[i]));
        for (int j = 0; j < N; j++)
            CHECK(host[i * N + j] == 2 * (i * N + j) + i);
        OK(cudaStreamDestroy(s[i]));
    }
    OK(cudaFreeHost(host));
    OK(cudaFree(dev));
}

static void across_events()
{
    cudaStream_t a, b;
    cudaEvent_t done;
    int *x, got[256];
    OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    OK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    OK(cudaEventQuery(done)); // never recorded: nothing to wait for
    OK(cudaMalloc(&x, sizeof got));
    OK(cudaMemsetAsync(x, 0, sizeof got, a));
    for (int i = 0; i < 5; i++) {
        step<<<1, 256, 0, a>>>(x, 3, 1);
        OK(cudaEventRecord(done, a));
        OK(cudaStreamWaitEvent(b, done, 0));
        step<<<1, 256, 0, b>>>(x, 1, 5);
        OK(cudaEventRecord(done, b));
        OK(cudaStreamWaitEvent(a, done, 0));
    }
    OK(cudaMemcpyAsync(got, x, sizeof got, cudaMemcpyDeviceToHost, a));
    OK(cudaStreamSynchronize(a));
    int want = 0;
    for (int i = 0; i < 5; i++)
        want = want * 3 + 1 + 5;
    CHECK(got[0] == want && got[255] == want);
    float ms;
    GIVES(cudaEventElapsedTime(&ms, done, done), cudaErrorInvalidResourceHandle);
    OK(cudaEventDestroy(done));
    OK(cudaStreamDestroy(a));
    OK(cudaStreamDestroy(b));
    OK(cudaFree(x));
}

// The legacy default stream waits for blocking streams, and they for it.
static void default_stream()
{
    cudaStream_t s;
    int *x, got;
    OK(cudaStreamCreate(&s));
    OK(cudaMalloc(&x, 256 * 4));
    OK(cudaMemset(x, 0, 256 * 4));
    step<<<1, 256, 0, s>>>(x, 1, 2);
    step<<<1, 256>>>(x, 10, 0);
    step<<<1, 256, 0, s>>>(x, 1, 3);
    OK(cudaMemcpy(&got, x, 4, cudaMemcpyDeviceToHost));
    CHECK(got == 23);
    OK(cudaStreamDestroy(s));
    OK(cudaFree(x));
}

static void queries_and_times()
{
    cudaStream_t s;
    cudaEvent_t start, stop, never;
    int *x, *host;
    const size_t bytes = 16 << 20;
    float ms = -1;
    OK(cudaStreamCreate(&s));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&stop));
    OK(cudaEventCreate(&never));
    OK(cudaMalloc(&x, bytes));
    OK(cudaMallocHost(&host, bytes));
    memset(host, 1, bytes);
    GIVES(cudaEventElapsedTime(&ms, start, stop), cudaErrorInvalidResourceHandle);
    (void)cudaGetLastError();
    OK(cudaEventRecord(start, s));
    OK(cudaMemcpyAsync(x, host, bytes, cudaMemcpyHostToDevice, s));
    step<<<bytes / 4 / 256, 256, 0, s>>>(x, 1, 1);
    OK(cudaEventRecord(stop, s));
    cudaError_t e;
    long polls = 0;
    while ((e = cudaEventQuery(stop)) == cudaErrorNotReady)
        polls++;
    OK(e);
    OK(cudaStreamQuery(s));
    (void)cudaGetLastError(); // "not ready" may have been noted
    OK(cudaEventElapsedTime(&ms, start, stop));
    CHECK(ms > 0.05f && ms < 1000); // 16 MiB over a link
    OK(cudaEventElapsedTime(&ms, start, start));
    CHECK(ms == 0);
    GIVES(cudaEventElapsedTime(&ms, start, never), cudaErrorInvalidResourceHandle);
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(stop));
    OK(cudaEventDestroy(never));
    GIVES(cudaEventDestroy(stop), cudaErrorInvalidResourceHandle);
    OK(cudaStreamDestroy(s));
    GIVES(cudaStreamSynchronize(s), cudaErrorInvalidResourceHandle);
    OK(cudaFree(x));
    OK(cudaFreeHost(host));
}

// Copies in two directions and a kernel overlap: less time than one after the other.
static void overlap()
{
    const int bytes = 8 << 20;
    char *up, *down, *a, *b;
    cudaStream_t s[2];
    cudaEvent_t from, to, mid;
    float together, apart;
    OK(cudaMallocHost(&up, bytes));
    OK(cudaMallocHost(&down, bytes));
    OK(cudaMalloc(&a, bytes));
    OK(cudaMalloc(&b, bytes));
    OK(cudaMemset(b, 0, bytes));
    memset(up, 0, bytes);
    for (int i = 0; i < 2; i++)
        OK(cudaStreamCreate(&s[i]));
    OK(cudaEventCreate(&from));
    OK(cudaEventCreate(&mid));
    OK(cudaEventCreate(&to));
    for (int serial = 0; serial < 2; serial++) {
        OK(cudaDeviceSynchronize());
        OK(cudaEventRecord(from, s[0]));
        OK(cudaStreamWaitEvent(s[1], from, 0));
        OK(cudaMemcpyAsync(a, up, bytes, cudaMemcpyHostToDevice, s[0]));
        OK(cudaMemcpyAsync(down, b, bytes, cudaMemcpyDeviceToHost, s[serial ? 0 : 1]));
        OK(cudaEventRecord(mid, s[1]));
        OK(cudaStreamWaitEvent(s[0], mid, 0));
        OK(cudaEventRecord(to, s[0]));
        OK(cudaDeviceSynchronize());
        OK(cudaEventElapsedTime(serial ? &apart : &together, from, to));
    }
    CHECK(together < 0.75f * apart);
    for (int i = 0; i < 2; i++)
        OK(cudaStreamDestroy(s[i]));
    OK(cudaFree(a));
    OK(cudaFree(b));
    OK(cudaFreeHost(up));
    OK(cudaFreeHost(down));
    OK(cudaEventDestroy(from));
    OK(cudaEventDestroy(mid));
    OK(cudaEventDestroy(to));
}

static void properties()
{
    int least, greatest, priority;
    unsigned flags;
    unsigned long long id, other;
    cudaStream_t s;
    OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(least == 0 && greatest < 0);
    OK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, greatest - 10));
    OK(cudaStreamGetPriority(s, &priority));
    CHECK(priority == greatest);
    OK(cudaStreamGetFlags(s, &flags));
    CHECK(flags == cudaStreamNonBlocking);
    OK(cudaStreamGetId(s, &id));
    OK(cudaStreamGetId(0, &other));
    CHECK(id != other);
    GIVES(cudaStreamCreateWithFlags(&s, 77), cudaErrorInvalidValue);
    GIVES(cudaStreamSynchronize((cudaStream_t)&least), cudaErrorInvalidResourceHandle);
    OK(cudaStreamDestroy(s));
}

int main()
{
    pipelines();
    across_events();
    default_stream();
    queries_and_times();
    overlap();
    properties();
    puts("streams ok");
    return 0;
}
