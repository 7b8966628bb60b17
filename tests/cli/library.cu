// Mistakes that show within library code: in a header's function that was inlined, and in a kernel that the library
// brings. Each has its line marked; tests/cli/test_library.sh looks for what is said of it.
#include <cstring>
#include <cub/block/block_reduce.cuh>
#include <cub/device/device_for.cuh>
#include <cub/device/device_reduce.cuh>
#include <thrust/execution_policy.h>
#include <thrust/transform.h>

__global__ void late(const int *in, int *out)
{
    using reduce = cub::BlockReduce<int, 128>;
    __shared__ reduce::TempStorage room;
    int sum = in[threadIdx.x];
    for (int turn = 0; turn < 2; turn++)
        sum = reduce(room).Sum(sum + turn); // REUSED
    if (threadIdx.x == 0)
        *out = sum;
}

static void twice(int *p, int n, int by)
{
    thrust::transform(thrust::device, p, p + n, p + by, [] __device__(int x) { return 2 * x; }); // GIVEN
}

struct add_up {
    int *sum;
    __device__ void operator()(int i) { *sum += i; } // OWN
};

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "";
    int *p, *q;
    if (cudaMalloc(&p, 4000) || cudaMalloc(&q, 4000) || cudaMemset(p, 0, 4000))
        return 1;
    if (!strcmp(which, "inlined"))
        late<<<1, 128>>>(p, q);
    if (!strcmp(which, "overlapping"))
        twice(p, 900, 1);
    if (!strcmp(which, "apart"))
        twice(p, 500, 500);
    if (!strcmp(which, "own") && cub::DeviceFor::Bulk(1000, add_up{p}))
        return 1;
    if (!strcmp(which, "unwritten")) {
        size_t bytes = 0;
        char *room;
        cub::DeviceReduce::Sum(nullptr, bytes, q, p, 1000);
        if (cudaMalloc(&room, bytes) || cub::DeviceReduce::Sum(room, bytes, q, p, 1000)) // SUM
            return 1;
        cudaFree(room);
    }
    cudaDeviceSynchronize();
    cudaFree(p);
    cudaFree(q);
    return 0;
}
