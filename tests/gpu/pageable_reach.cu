// When does a copy from pageable memory reach the device? The documentation ("API synchronization behavior")
// says that such a call returns once the bytes are staged, and that they may not have arrived. Here a
// kernel in a stream that nothing orders after the copy counts the words that it finds old.
//     nvcc -O2 -arch=native -o pageable_reach tests/gpu/pageable_reach.cu && ./pageable_reach
// One line a form and size: runs in which some word was old, and the median microseconds that the host
// spent in the call. tests/gpu/pageable_h200.txt holds what an H200 gave.
#include <chrono>
#include <cstring>

#include "bench.h"

__global__ void count_old(const unsigned *data, size_t words, unsigned now, unsigned *old)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < words; i += step)
        if (__ldcv(data + words - 1 - i) != now)
            atomicAdd(old, 1);
}

__global__ void busy(long long ns)
{
    unsigned long long start, at;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(at));
    while ((long long)(at - start) < ns);
}

enum form { COPY, ASYNC, COPY_BEHIND_WORK, ASYNC_BEHIND_WORK, FORMS };
static const char *const form_name[FORMS] = {"cudaMemcpy", "cudaMemcpyAsync", "cudaMemcpy behind 1 ms of work",
                                             "cudaMemcpyAsync behind 1 ms of work"};

int main()
{
    const size_t sizes[] = {4, 4 << 10, 32 << 10, 64 << 10, (64 << 10) + 4, 256 << 10, 1 << 20, 2 << 20, 4 << 20, 8 << 20,
                            16 << 20};
    const size_t most = 16 << 20;
    const int runs = 400;
    unsigned *device = device_array<unsigned>(most / 4), *old = nullptr;
    CHECK(cudaMallocHost(&old, 4));
    std::vector<unsigned> host(most / 4);
    cudaStream_t first, second;
    CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    unsigned now = 0;
    for (int form = 0; form < FORMS; form++)
        for (size_t bytes : sizes) {
            std::vector<double> us;
            int stale = 0;
            for (int run = 0; run < runs; run++) {
                std::fill(host.begin(), host.begin() + bytes / 4, ++now);
                *old = 0;
                CHECK(cudaDeviceSynchronize());
                if (form == COPY_BEHIND_WORK)
                    busy<<<1, 1>>>(1000000);
                if (form == ASYNC_BEHIND_WORK)
                    busy<<<1, 1, 0, first>>>(1000000);
                auto start = std::chrono::steady_clock::now();
                if (form == COPY || form == COPY_BEHIND_WORK)
                    CHECK(cudaMemcpy(device, host.data(), bytes, cudaMemcpyHostToDevice));
                else
                    CHECK(cudaMemcpyAsync(device, host.data(), bytes, cudaMemcpyHostToDevice, first));
                auto stop = std::chrono::steady_clock::now();
                count_old<<<128, 256, 0, second>>>(device, bytes / 4, now, old);
                std::fill(host.begin(), host.begin() + bytes / 4, 0u); // the call has read its source
                CHECK(cudaStreamSynchronize(second));
                stale += *old != 0;
                us.push_back(std::chrono::duration<double, std::micro>(stop - start).count());
                CHECK(cudaDeviceSynchronize());
                unsigned last;
                CHECK(cudaMemcpy(&last, device + bytes / 4 - 1, 4, cudaMemcpyDeviceToHost));
                if (last != now)
                    return std::printf("the copy took a later value of its source\n"), 1;
            }
            std::sort(us.begin(), us.end());
            std::printf("%-36s %9zu bytes: old in %3d of %d runs, call %.1f us\n", form_name[form], bytes, stale,
                        runs, us[us.size() / 2]);
        }
    return 0;
}
