// nvcc: -default-stream per-thread
// Several host threads, each with the default stream of its own.
#include "check.cuh"
#include <thread>
#include <vector>

__global__ void work(int *x, int n, int v)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        x[i] = x[i] * 2 + v;
}

static void one_thread(int id)
{
    const int n = 2000;
    std::vector<int> h(n, id);
    int *d;
    OK(cudaMalloc(&d, n * 4));
    OK(cudaMemcpy(d, h.data(), n * 4, cudaMemcpyHostToDevice));
    for (int r = 0; r < 5; r++)
        work<<<1, 128>>>(d, n, id);
    OK(cudaStreamSynchronize(cudaStreamPerThread));
    OK(cudaMemcpy(h.data(), d, n * 4, cudaMemcpyDeviceToHost));
    for (int v : h)
        CHECK(v == id * 63);
    OK(cudaFree(d));
    // the last error is each thread's own
    CHECK(cudaGetLastError() == cudaSuccess);
    if (id == 2)
        GIVES(cudaSetDevice(99), cudaErrorInvalidDevice);
    CHECK(cudaPeekAtLastError() == (id == 2 ? cudaErrorInvalidDevice : cudaSuccess));
}

int main()
{
    for (int round = 0; round < 20; round++) { // which thread's wait ends first is chance
        std::vector<std::thread> threads;
        for (int i = 0; i < 8; i++)
            threads.emplace_back(one_thread, i);
        for (auto &t : threads)
            t.join();
    }
    CHECK(cudaGetLastError() == cudaSuccess);
    unsigned long long mine, legacy;
    OK(cudaStreamGetId(0, &mine));
    OK(cudaStreamGetId(cudaStreamLegacy, &legacy));
    CHECK(mine != legacy);
    puts("threads ok");
    return 0;
}
