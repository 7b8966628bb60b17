/**
 * @file bench_lab07.cu
 * lab07's barrier by hand beside cooperative groups' grid.sync() on a real GPU, in one run: bare barriers, and the persistent
 * Jacobi kernels on them, with a launch a step for comparison. Ratios are what counts.
 *
 *     nvcc -O3 -std=c++17 -arch=native -o bench_lab07 tests/gpu/bench_lab07.cu && ./bench_lab07
 *
 * All are launched cooperatively with as many blocks as fit, or fewer; each figure is the median of 21 calls.
 */
#include "bench.h"

#include "../../solutions/lab07_grid_barrier/kernel.cu"

#define BARRIERS 1000

__global__ void by_hand(grid_barrier *b)
{
    for (int i = 0; i < BARRIERS; i++)
        grid_sync(b, gridDim.x, blockIdx.x);
}

__global__ void by_groups()
{
    for (int i = 0; i < BARRIERS; i++)
        cooperative_groups::this_grid().sync();
}

__global__ void single_step(const int *from, int *to, unsigned w, unsigned h)
{
    one_step(from, to, w, h, blockIdx.x, gridDim.x);
}

__global__ void fill(int *a, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        a[i] = (int)(scramble(i) >> 8);
}

static void launch(const void *kernel, unsigned blocks, unsigned threads, void **args)
{
    CHECK(cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads), args, 0, 0));
}

static void barriers(grid_barrier *b, unsigned blocks, unsigned threads)
{
    void *args[] = {&b};
    float hand = median_ms(21, [] {}, [&] { launch((const void *)by_hand, blocks, threads, args); });
    float groups =
        median_ms(21, [] {}, [&] { launch((const void *)by_groups, blocks, threads, nullptr); });
    std::printf("  %4u blocks of %4u: by hand %.3f us a barrier, grid.sync() %.3f us, by hand / grid.sync() %.2f\n",
                blocks, threads, hand * 1e3 / BARRIERS, groups * 1e3 / BARRIERS, hand / groups);
}

static bool same(const int *a, const int *b, size_t n)
{
    std::vector<int> x(n), y(n);
    CHECK(cudaMemcpy(x.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(y.data(), b, n * sizeof(int), cudaMemcpyDeviceToHost));
    return x == y;
}

static void solver(grid_barrier *barrier, unsigned w, unsigned h, unsigned steps, unsigned blocks, unsigned threads)
{
    size_t n = (size_t)w * h;
    int *a[3], *b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = device_array<int>(n);
        b[i] = device_array<int>(n);
    }
    float ms[3];
    for (int i = 0; i < 3; i++) {
        auto prepare = [&] {
            fill<<<1024, 256>>>(a[i], (unsigned)n);
            CHECK(cudaMemcpyAsync(b[i], a[i], n * sizeof(int), cudaMemcpyDeviceToDevice));
        };
        unsigned fit = blocks;
        void *hand[] = {&a[i], &b[i], &w, &h, &steps, &fit, &barrier};
        void *groups[] = {&a[i], &b[i], &w, &h, &steps};
        ms[i] = median_ms(21, prepare, [&] {
            if (i == 0)
                launch((const void *)jacobi, blocks, threads, hand);
            else if (i == 1)
                launch((const void *)jacobi_cooperative, blocks, threads, groups);
            else
                for (unsigned s = 0; s < steps; s++)
                    single_step<<<blocks, threads>>>(s % 2 ? b[i] : a[i], s % 2 ? a[i] : b[i], w, h);
        });
    }
    bool equal = same(a[0], a[1], n) && same(a[0], a[2], n) && same(b[0], b[1], n) && same(b[0], b[2], n);
    std::printf("  %u by %u cells, %u steps, %u blocks of %u: by hand %.3f ms, grid.sync() %.3f ms, a launch a step %.3f ms, "
                "by hand / grid.sync() %.2f  cells %s\n",
                w, h, steps, blocks, threads, ms[0], ms[1], ms[2], ms[0] / ms[1], equal ? "equal" : "DIFFER");
    for (int i = 0; i < 3; i++) {
        CHECK(cudaFree(a[i]));
        CHECK(cudaFree(b[i]));
    }
    if (!equal)
        std::exit(1);
}

int main()
{
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    std::printf("%s\n", device.name);
    unsigned sms = (unsigned)device.multiProcessorCount;
    grid_barrier *b = device_array<grid_barrier>(1);
    CHECK(cudaMemset(b, 0, sizeof *b));
    for (unsigned threads : {64u, 256u, 1024u})
        for (unsigned each : {1u, 2u})
            barriers(b, sms * each, threads);
    for (unsigned size : {256u, 1024u, 4096u})
        solver(b, size, size, 200, sms * 2, 512);
    CHECK(cudaFree(b));
}
