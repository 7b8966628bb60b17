/**
 * @file bench_lab04.cu
 * lab04's queue on a real GPU: beside its bound, static assignment, and one block an item, which
 * the hardware's scheduler shares out.
 *
 *     nvcc -O3 -std=c++17 -arch=native -o bench_lab04 tests/gpu/bench_lab04.cu
 *     ./bench_lab04 [ITEMS [LENGTH]]     needs 17 GB on the GPU with the default
 *
 * An item is a piece of an array of ints to add up; all ways use the reference's process(). The
 * bound is the larger of two times, both measured: the longest item alone on the GPU, and the same
 * total dealt out evenly, which is total work / SMs (and memory, which the SMs share). Each way is
 * timed in three launch shapes, all of which fill the SMs; ratios are between each way's best.
 * Figures are medians of 9 calls. All sums must agree, and each item must have been worked on once.
 */
#include "bench.h"

#include "../../solutions/lab04_work_queue/kernel.cu"

__device__ void work_on(const item &it, const int *in, long long *sums, unsigned *times)
{
    process(it, in, &sums[it.slot]);
    if (threadIdx.x == 0)
        atomicAdd(&times[it.slot], 1);
}

// Block b takes items b, b + gridDim.x, …
__global__ void work_static(queue *q, const int *in, long long *sums, unsigned *times)
{
    for (unsigned i = blockIdx.x; i < q->total; i += gridDim.x)
        work_on(q->items[i], in, sums, times);
}

__global__ void work_block_an_item(queue *q, const int *in, long long *sums, unsigned *times)
{
    work_on(q->items[blockIdx.x], in, sums, times);
}

// The queue, but each thread adds to the item's sum by itself.
__global__ void work_thread_atomics(queue *q, const int *in, long long *sums, unsigned *times)
{
    for (item it = fetch(q); it.slot != NO_SLOT; it = fetch(q)) {
        long long mine = 0;
        for (unsigned i = threadIdx.x; i < it.count; i += blockDim.x)
            mine += in[it.first + i];
        atomicAdd((unsigned long long *)&sums[it.slot], (unsigned long long)mine);
        if (threadIdx.x == 0)
            atomicAdd(&times[it.slot], 1);
    }
}

// The same elements, an equal share for each block.
__global__ void work_even(const int *in, unsigned total, long long *sum)
{
    unsigned first = (unsigned long long)total * blockIdx.x / gridDim.x;
    unsigned last = (unsigned long long)total * (blockIdx.x + 1) / gridDim.x;
    process(item{0, first, last - first}, in, sum);
}

__global__ void fill(int *in, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        in[i] = (int)(scramble(i) % 2001) - 1000;
}

enum way { QUEUE, STATIC, BLOCK_AN_ITEM, THREAD_ATOMICS, EVEN, LONGEST, WAYS };
static const char *const names[] = {"queue", "static", "block an item", "queue, an atomic a thread",
                                    "even",  "longest"};

struct load {
    std::vector<item> items;
    unsigned total, longest;
};

/** n items of length/2 … 3/2 length, every `period`-th `factor` times as long. */
static load make_load(unsigned n, unsigned length, unsigned period, unsigned factor)
{
    load l = {{}, 0, 0};
    for (unsigned i = 0; i < n; i++) {
        unsigned count = length / 2 + scramble(i) % length;
        count *= i % period == 0 ? factor : 1;
        l.items.push_back(item{i, l.total, count});
        l.total += count;
        if (count > l.items[l.longest].count)
            l.longest = i;
    }
    return l;
}

struct bench {
    load l;
    int *in;
    item *items;
    queue *all, *longest;
    long long *sums;
    unsigned *times;
};

static queue *make_queue(item *items, unsigned total)
{
    queue host = {items, total, 0}, *q = device_array<queue>(1);
    CHECK(cudaMemcpy(q, &host, sizeof host, cudaMemcpyHostToDevice));
    return q;
}

static void call(const bench &b, int who, unsigned blocks, unsigned threads)
{
    switch (who) {
    case QUEUE:
        work<<<blocks, threads>>>(b.all, b.in, b.sums, b.times);
        break;
    case STATIC:
        work_static<<<blocks, threads>>>(b.all, b.in, b.sums, b.times);
        break;
    case BLOCK_AN_ITEM:
        work_block_an_item<<<b.l.items.size(), threads>>>(b.all, b.in, b.sums, b.times);
        break;
    case THREAD_ATOMICS:
        work_thread_atomics<<<blocks, threads>>>(b.all, b.in, b.sums, b.times);
        break;
    case EVEN:
        work_even<<<blocks, threads>>>(b.in, b.l.total, b.sums);
        break;
    default:
        work_static<<<1, threads>>>(b.longest, b.in, b.sums, b.times);
    }
}

static void prepare(const bench &b)
{
    unsigned current = 0;
    CHECK(cudaMemcpy(&b.all->current, &current, sizeof current, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(b.sums, 0, b.l.items.size() * sizeof *b.sums));
    CHECK(cudaMemset(b.times, 0, b.l.items.size() * sizeof *b.times));
}

/** Ends the program unless `who` left the right sums. */
static void check(const bench &b, int who, std::vector<long long> &expected)
{
    size_t n = b.l.items.size();
    std::vector<long long> sums(n);
    std::vector<unsigned> times(n);
    CHECK(cudaMemcpy(sums.data(), b.sums, n * sizeof sums[0], cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(times.data(), b.times, n * sizeof times[0], cudaMemcpyDeviceToHost));
    if (expected.empty())
        expected = sums;
    bool once = std::count(times.begin(), times.end(), 1u) == (long)n;
    if (who <= THREAD_ATOMICS && (sums != expected || !once)) {
        std::printf("%s: wrong sums\n", names[who]);
        std::exit(1);
    }
}

static void run(const char *title, unsigned n, unsigned length, unsigned period, unsigned factor)
{
    static const struct {
        unsigned per_sm, threads;
    } shapes[] = {{2, 1024}, {4, 512}, {8, 256}};
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    unsigned sms = device.multiProcessorCount;
    bench b = {};
    b.l = make_load(n, length, period, factor);
    b.in = device_array<int>(b.l.total);
    fill<<<1024, 256>>>(b.in, b.l.total);
    b.items = device_array<item>(n);
    CHECK(cudaMemcpy(b.items, b.l.items.data(), n * sizeof(item), cudaMemcpyHostToDevice));
    b.all = make_queue(b.items, n);
    b.longest = make_queue(b.items + b.l.longest, 1);
    b.sums = device_array<long long>(n);
    b.times = device_array<unsigned>(n);

    std::printf("%s: %u items, %u M ints\n", title, n, b.l.total / 1000000);
    float best[WAYS];
    std::fill(best, best + WAYS, 1e30f);
    std::vector<long long> expected;
    for (auto shape : shapes) {
        unsigned blocks = sms * shape.per_sm;
        std::printf("  %4u blocks of %4u", blocks, shape.threads);
        for (int who = 0; who < WAYS; who++) {
            float ms = median_ms(
                9, [&] { prepare(b); }, [&] { call(b, who, blocks, shape.threads); });
            check(b, who, expected);
            best[who] = std::min(best[who], ms);
            std::printf("  %s %.4f ms", names[who], ms);
        }
        std::printf("\n");
    }
    float bound = std::max(best[EVEN], best[LONGEST]);
    std::printf(
        "  best of each: queue / bound %.3f  static / queue %.2f  block an item / queue %.3f\n",
        best[QUEUE] / bound, best[STATIC] / best[QUEUE], best[BLOCK_AN_ITEM] / best[QUEUE]);
    for (void *p : {(void *)b.in, (void *)b.items, (void *)b.all, (void *)b.longest, (void *)b.sums,
                    (void *)b.times})
        CHECK(cudaFree(p));
}

int main(int argc, char **argv)
{
    unsigned n = argc > 1 ? (unsigned)std::atoi(argv[1]) : 50688;
    unsigned length = argc > 2 ? (unsigned)std::atoi(argv[2]) : 16384;
    run("uneven, every 12th 50 times as long", n, length, 12, 50);
    run("random lengths", 2 * n, length, 1, 1);
}
