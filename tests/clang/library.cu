// cuda::barrier, cuda::pipeline, cuda::latch, cuda::counting_semaphore, atomics of small objects: what a run prints, with any compiler.
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cstdio>
#include <new>

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
using device_barrier = cuda::barrier<cuda::thread_scope_device>;

#define THREADS 64

#pragma nv_diag_suppress static_var_with_dynamic_init

// A block's barrier, in one piece, in two, by parity, and with one thread less.
__global__ void by_block(unsigned *out)
{
    __shared__ block_barrier meet;
    __shared__ unsigned seen[THREADS];
    unsigned i = threadIdx.x;
    if (i == 0)
        init(&meet, blockDim.x);
    __syncthreads();
    seen[i] = i;
    meet.arrive_and_wait();
    unsigned v = seen[(i + 5) % THREADS];
    auto token = meet.arrive();
    v += 100;
    meet.wait(static_cast<block_barrier::arrival_token &&>(token));
    seen[i] = v;
    (void)meet.arrive();
    meet.wait_parity(0);
    v += seen[(i + 9) % THREADS];
    meet.arrive_and_wait();
    if (i == 7) {
        meet.arrive_and_drop();
    } else {
        seen[i] = v;
        meet.arrive_and_wait();
        v += seen[i == 6 ? 8 : (i + 1) % THREADS];
        meet.arrive_and_wait();
    }
    out[i] = v;
}

// All of a grid's blocks, by a barrier in global memory.
__global__ void by_device(device_barrier *meet, unsigned *out, unsigned *slots)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    for (unsigned round = 0; round < 3; round++) {
        slots[i] = i + round;
        __syncthreads();
        if (threadIdx.x == 0)
            meet->arrive_and_wait();
        __syncthreads();
        out[i] += slots[n - 1 - i];
        __syncthreads();
        if (threadIdx.x == 0)
            meet->arrive_and_wait();
        __syncthreads();
    }
}

__global__ void prepare(device_barrier *meet, unsigned expected) { init(meet, expected); }

// Copies that a barrier counts.
__global__ void copies(const unsigned *in, unsigned *out)
{
    __shared__ block_barrier there;
    __shared__ __align__(16) unsigned copy[4 * THREADS];
    unsigned i = threadIdx.x;
    auto block = cg::this_thread_block();
    if (i == 0)
        init(&there, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(block, copy, in, sizeof(unsigned) * 3 * THREADS, there);
    cuda::memcpy_async(copy + 3 * THREADS + i, in + 3 * THREADS + i, sizeof(unsigned), there);
    there.arrive_and_wait();
    out[i] = copy[4 * THREADS - 1 - i] + copy[i];
    there.arrive_and_wait();
    cuda::memcpy_async(block, copy, in + 4, cuda::aligned_size_t<16>(sizeof(unsigned) * 2 * THREADS), there);
    there.arrive_and_wait();
    out[i] += copy[2 * THREADS - 1 - i];
}

// A pipeline of each kind: of a thread, of a block all of whose threads copy and compute, of one that has two kinds of thread.
__global__ void pipelines(const unsigned *in, unsigned *out)
{
    constexpr auto scope = cuda::thread_scope_block;
    __shared__ cuda::pipeline_shared_state<scope, 2> one, two, three;
    __shared__ __align__(16) unsigned stage[3][THREADS];
    unsigned i = threadIdx.x, sum = 0;
    auto block = cg::this_thread_block();
    {
        cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
        for (unsigned k = 0; k < 2; k++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&stage[k][i], in + k * THREADS + i, sizeof(unsigned), pipe);
            pipe.producer_commit();
        }
        for (unsigned k = 0; k < 2; k++) {
            pipe.consumer_wait();
            __syncthreads();
            sum = sum * 3 + stage[k][THREADS - 1 - i];
            pipe.consumer_release();
        }
        __syncthreads();
    }
    {
        auto pipe = cuda::make_pipeline(block, &one);
        for (unsigned k = 0; k < 5; k++) {
            if (k == 0) {
                pipe.producer_acquire();
                cuda::memcpy_async(block, stage[0], in, sizeof stage[0], pipe);
                pipe.producer_commit();
            }
            if (k + 1 < 5) {
                pipe.producer_acquire();
                cuda::memcpy_async(block, stage[(k + 1) % 2], in + (k + 1) * THREADS / 4, cuda::aligned_size_t<16>(sizeof stage[0]), pipe);
                pipe.producer_commit();
            }
            pipe.consumer_wait();
            sum = sum * 3 + stage[k % 2][THREADS - 1 - i];
            pipe.consumer_release();
        }
    }
    __syncthreads();
    for (int kind = 0; kind < 2; kind++) {
        bool producer = i < 32;
        auto use = [&](auto &pipe) {
            for (unsigned k = 0; k < 5; k++)
                if (producer) {
                    pipe.producer_acquire();
                    for (unsigned j = i; j < THREADS; j += 32)
                        cuda::memcpy_async(&stage[k % 2][j], in + k * THREADS / 4 + j, sizeof(unsigned), pipe);
                    pipe.producer_commit();
                } else {
                    pipe.consumer_wait();
                    sum = sum * 3 + stage[k % 2][THREADS - 1 - i] + stage[k % 2][i];
                    pipe.consumer_release();
                }
        };
        if (kind == 0) {
            auto pipe = cuda::make_pipeline(block, &two, producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
            use(pipe);
        } else {
            auto pipe = cuda::make_pipeline(block, &three, size_t(32));
            use(pipe);
        }
        __syncthreads();
    }
    out[i] = sum;
}

using latch = cuda::latch<cuda::thread_scope_device>;
using semaphore = cuda::counting_semaphore<cuda::thread_scope_device>;
__device__ cuda::atomic<bool, cuda::thread_scope_device> flag;
__device__ cuda::atomic<unsigned char, cuda::thread_scope_device> bytes[4];
__device__ cuda::atomic<short, cuda::thread_scope_device> halves[2];
__device__ cuda::atomic<int, cuda::thread_scope_device> inside, most, turn;

__global__ void prepare_small(latch *begin, semaphore *places)
{
    new (begin) latch(4);
    new (places) semaphore(2);
}

// Blocks of one thread.
__global__ void small(latch *begin, semaphore *places, unsigned char *byte, unsigned *out)
{
    unsigned b = blockIdx.x;
    out[4 + b] = b;
    begin->arrive_and_wait();
    out[b] = out[4 + (b + 1) % 4];
    places->acquire();
    most.fetch_max(inside.fetch_add(1) + 1);
    inside.fetch_sub(1);
    places->release();
    bytes[b].store(b + 250, cuda::memory_order_relaxed);
    bytes[b].fetch_add(10);
    bytes[b].fetch_xor(3);
    bytes[b] += 1;
    halves[b / 2].fetch_sub(300);
    halves[b / 2].fetch_max(-500);
    short expected = 7;
    out[b] += 10 * halves[b / 2].compare_exchange_strong(expected, 1) + 100 * bytes[b].exchange(7);
    if (b == 0) {
        out[8] = 77;
        flag.store(true, cuda::memory_order_release);
        flag.notify_all();
    } else {
        flag.wait(false, cuda::memory_order_acquire);
        out[b] += 100000 * out[8];
    }
    cuda::atomic_ref<unsigned char, cuda::thread_scope_device> mine(byte[b]), all(byte[4]); // one word: its loads and stores must be of one size
    mine.store(3 + b, cuda::memory_order_relaxed);
    mine.fetch_add(254, cuda::memory_order_relaxed);
    out[b] += mine.exchange(9) + mine.fetch_or(2);
    all.fetch_add(65);
    while (turn.load(cuda::memory_order_acquire) != (int)b) {
    }
    turn.store(b + 1, cuda::memory_order_release);
    turn.wait((int)b);
    if (b == 3)
        out[9] = 1000 * all.fetch_xor(1) + (halves[0].load() == halves[1].load()) + 2 * (most.load() <= 2) + 4 * flag.load() + 8 * (bytes[2].load() == 7);
}

static unsigned host[1024];

static void told(const char *name, unsigned *out, unsigned n)
{
    cudaError_t error = cudaDeviceSynchronize();
    unsigned sum = 0;
    if (error)
        printf("%s: %s\n", name, cudaGetErrorString(error));
    cudaMemcpy(host, out, n * sizeof *host, cudaMemcpyDeviceToHost);
    cudaMemset(out, 0, sizeof host);
    for (unsigned i = 0; i < n; i++)
        sum = sum * 33 + host[i];
    printf("%s %08x\n", name, sum);
}

int main()
{
    unsigned *in, *out, *slots;
    device_barrier *meet;
    for (unsigned i = 0; i < 1024; i++)
        host[i] = i * i + 1;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&slots, sizeof host);
    cudaMalloc(&meet, sizeof *meet);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof host);
    by_block<<<1, THREADS>>>(out);
    told("by_block", out, THREADS);
    prepare<<<1, 1>>>(meet, 4);
    by_device<<<4, 32>>>(meet, out, slots);
    told("by_device", out, 128);
    copies<<<1, THREADS>>>(in, out);
    told("copies", out, THREADS);
    pipelines<<<1, THREADS>>>(in, out);
    told("pipelines", out, THREADS);
    prepare_small<<<1, 1>>>((latch *)in, (semaphore *)(in + 2));
    cudaMemset(slots, 0, 8);
    small<<<4, 1>>>((latch *)in, (semaphore *)(in + 2), (unsigned char *)slots, out);
    told("small", out, 10);
    cudaFree(in);
    cudaFree(out);
    cudaFree(slots);
    cudaFree(meet);
}
