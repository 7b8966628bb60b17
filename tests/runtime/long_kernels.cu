// Two kernels of the same length, in two streams, longer than the clock waits to hear how long they are:
// both are told with all of their time. The second begins while a copy goes on.
#include "check.cuh"

__global__ void spend(unsigned *out, int rounds)
{
    unsigned x = threadIdx.x;
    for (int r = 0; r < rounds; r++)
        x = (x ^ x >> 16) * 0x7feb352du + r;
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

int main()
{
    const int blocks = 100, threads = 512, rounds = 12000;
    const size_t bytes = 8 << 20;
    cudaStream_t s[2];
    cudaEvent_t begin[2], end[2];
    unsigned *host, *dev, *out;
    float ms[2];
    OK(cudaMallocHost(&host, 2 * bytes));
    OK(cudaMalloc(&dev, 2 * bytes));
    OK(cudaMalloc(&out, 2 * blocks * threads * sizeof *out));
    memset(host, 0, 2 * bytes);
    for (int i = 0; i < 2; i++) {
        OK(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
        OK(cudaEventCreate(&begin[i]));
        OK(cudaEventCreate(&end[i]));
        OK(cudaMemcpyAsync((char *)dev + i * bytes, (char *)host + i * bytes, bytes,
                           cudaMemcpyHostToDevice, s[i]));
        OK(cudaEventRecord(begin[i], s[i]));
        spend<<<blocks, threads, 0, s[i]>>>(out + i * blocks * threads, rounds);
        OK(cudaEventRecord(end[i], s[i]));
        OK(cudaMemcpyAsync((char *)host + i * bytes, (char *)dev + i * bytes, bytes,
                           cudaMemcpyDeviceToHost, s[i]));
    }
    for (int i = 0; i < 2; i++) {
        OK(cudaStreamSynchronize(s[i]));
        OK(cudaEventElapsedTime(&ms[i], begin[i], end[i]));
    }
    printf("%.4f %.4f\n", ms[0], ms[1]);
    CHECK(ms[1] > 0.95f * ms[0] && ms[1] < 1.05f * ms[0]);
}
