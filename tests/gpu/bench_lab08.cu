/**
 * @file bench_lab08.cu
 * lab08's pipelines on a real GPU, in one run: beside the kernel without a pipeline, in the same shape and in the shape that suits it
 * best, and beside the same ring with libcu++'s cuda::pipeline, of a block and of a thread. Ratios are what counts.
 *
 *     nvcc -O3 -std=c++17 -arch=native -o bench_lab08 tests/gpu/bench_lab08.cu && ./bench_lab08 [MILLIONS…]
 *
 * Each figure is the median of 21 calls; before each the L2 cache is filled with something else. All results are compared.
 */
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <string>

#include "bench.h"

#include "../../solutions/lab08_pipeline/kernel.cu"

#pragma nv_diag_suppress static_var_with_dynamic_init // cuda::pipeline_shared_state
/** Part C's ring, kept by cuda::pipeline of the block. */
__global__ void block_pipeline(const unsigned *in, unsigned n, unsigned *out)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    unsigned tiles = tiles_of_block(n);
    for (unsigned k = 0; k < tiles + STAGES - 1; k++) {
        pipe.producer_acquire();
        if (k < tiles)
            cuda::memcpy_async(block, stage(k % STAGES), in + first_of(k),
                               cuda::aligned_size_t<16>(needed_by(n, k) * sizeof *in), pipe);
        pipe.producer_commit();
        if (k + 1 >= STAGES) {
            pipe.consumer_wait();
            filter_tile(stage((k + 1 - STAGES) % STAGES), n, k + 1 - STAGES, out);
            pipe.consumer_release();
        }
    }
}

/** The same, by cuda::pipeline of a thread and the block's barrier. */
__global__ void thread_pipeline(const unsigned *in, unsigned n, unsigned *out)
{
    auto pipe = cuda::make_pipeline();
    unsigned tiles = tiles_of_block(n);
    for (unsigned k = 0; k < tiles + STAGES - 1; k++) {
        if (k + 1 >= STAGES) {
            cuda::pipeline_consumer_wait_prior<STAGES - 2>(pipe);
            __syncthreads();
        }
        pipe.producer_acquire();
        for (unsigned i = 4 * threadIdx.x; k < tiles && i < needed_by(n, k); i += 4 * blockDim.x)
            cuda::memcpy_async(stage(k % STAGES) + i, in + first_of(k) + i,
                               cuda::aligned_size_t<16>(16), pipe);
        pipe.producer_commit();
        if (k + 1 >= STAGES) {
            filter_tile(stage((k + 1 - STAGES) % STAGES), n, k + 1 - STAGES, out);
            pipe.consumer_release();
        }
    }
}

__global__ void fill(unsigned *a, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        a[i] = scramble(i);
}

struct way {
    const char *name;
    void (*kernel)(const unsigned *, unsigned, unsigned *);
    bool stages_only;
};

static const way ways[] = {{"one stage", one_stage, true},          {"two stages", two_stages, true},
                           {"ring", ring, true},                    {"bulk", bulk, true},
                           {"bulk out", bulk_out, false},           {"cuda::pipeline, block", block_pipeline, true},
                           {"cuda::pipeline, thread", thread_pipeline, true}};
enum { WAYS = sizeof ways / sizeof *ways, RING = 2, BULK, BULK_OUT, BLOCK_PIPELINE, THREAD_PIPELINE };

__global__ void compare(const unsigned *a, const unsigned *b, unsigned n, unsigned *differ)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (a[i] != b[i])
            *differ = 1;
}

static bool same(const unsigned *a, const unsigned *b, unsigned n)
{
    unsigned *differ = device_array<unsigned>(1), found;
    CHECK(cudaMemset(differ, 0, sizeof found));
    compare<<<1024, 256>>>(a, b, n, differ);
    CHECK(cudaMemcpy(&found, differ, sizeof found, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(differ));
    return !found;
}

static size_t shared_bytes(const way &w, unsigned threads)
{
    size_t tile = (size_t)threads * ITEMS;
    return (STAGES * (tile + HALO) + (w.stages_only ? 0 : 2 * tile)) * sizeof(unsigned);
}

static void measure(unsigned n)
{
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    unsigned sms = (unsigned)device.multiProcessorCount, other_bytes = 256u << 20;
    unsigned *in = device_array<unsigned>(n + HALO), *out = device_array<unsigned>(n);
    unsigned *right = device_array<unsigned>(n), *other = device_array<unsigned>(other_bytes / 4);
    fill<<<1024, 256>>>(in, n + HALO);
    one_stage<<<sms, 256, shared_bytes(ways[0], 256)>>>(in, n, right);
    float best_plain = 1e9f, best[WAYS];
    std::fill(best, best + WAYS, 1e9f);
    for (unsigned threads : {128u, 256u, 512u}) {
        for (unsigned each : {1u, 2u, 4u, 8u, 16u}) {
            if (threads * each > 2048)
                continue;
            float ms[WAYS];
            for (int i = 0; i < WAYS; i++) {
                size_t shared = shared_bytes(ways[i], threads);
                CHECK(cudaFuncSetAttribute(ways[i].kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
                CHECK(cudaMemset(out, 0, n * sizeof *out));
                ms[i] = median_ms(21, [&] { CHECK(cudaMemset(other, 1, other_bytes)); },
                                  [&] { ways[i].kernel<<<sms * each, threads, shared>>>(in, n, out); });
                best[i] = std::min(best[i], ms[i]);
                if (!same(out, right, n)) {
                    std::printf("  %s, %u blocks of %u: results DIFFER\n", ways[i].name, sms * each, threads);
                    std::exit(1);
                }
            }
            best_plain = std::min(best_plain, ms[0]);
            std::printf("  %4u blocks of %3u:", sms * each, threads);
            for (int i = 0; i < WAYS; i++)
                std::printf("  %s %.3f ms", ways[i].name, ms[i]);
            float reference = std::min({ms[RING], ms[BULK], ms[BULK_OUT]});
            float library = std::min(ms[BLOCK_PIPELINE], ms[THREAD_PIPELINE]);
            std::printf("  one stage / best of ours %.2f  best of cuda::pipeline / best of ours %.2f\n", ms[0] / reference,
                        library / reference);
        }
    }
    std::printf("  best shape of each:");
    for (int i = 0; i < WAYS; i++)
        std::printf("  %s %.3f ms %.0f GB/s", ways[i].name, best[i], 8e-6 * n / best[i]);
    std::printf("  one stage / ring %.2f  / bulk %.2f  / bulk out %.2f  results equal\n", best_plain / best[RING],
                best_plain / best[BULK], best_plain / best[BULK_OUT]);
    for (unsigned *a : {in, out, right, other})
        CHECK(cudaFree(a));
}

int main(int argc, char **argv)
{
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    std::printf("%s\n", device.name);
    for (int i = 1; i < argc; i++)
        measure((unsigned)(std::stod(argv[i]) * 1e6) / 4 * 4);
    if (argc < 2)
        measure(1u << 26);
}
