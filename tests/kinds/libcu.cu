// The classes of libcu++ that synchronise, and cooperative groups, each rightly and wrongly used. What the
// library polls in there is its own affair: no finding is about it.
//
// arch compute_75 compute_90
//
// case atomic_message expect=silent
// case atomic_relaxed expect=missing-release
// case atomic_add_last expect=silent
// case atomic_add_relaxed expect=missing-release
// case ref_wait expect=silent
// case ref_wait_relaxed expect=missing-acquire
// case ref_notify_relaxed expect=missing-release
// case atomic_wait_shared expect=silent
// case atomic_wait_shared_relaxed expect=missing-release
// case flag_lock expect=silent
// case flag_lock_relaxed expect=missing-release
// case flag_wait expect=silent
// case flag_wait_relaxed expect=missing-acquire
// case semaphore expect=silent
// case semaphore_passed_by expect=data-race
// case semaphore_pool expect=silent
// case semaphore_pool_too_many expect=data-race
// case semaphore_never expect=deadlock
// case latch expect=silent
// case latch_passed_by expect=data-race also=missing-acquire
// case latch_never expect=deadlock
// case latch_blocks expect=silent
// case latch_blocks_passed_by expect=data-race also=missing-acquire
// case barrier expect=silent
// case barrier_arrive_only expect=data-race also=missing-acquire
// case barrier_drop expect=silent
// case barrier_drop_early expect=data-race also=missing-acquire
// case barrier_device expect=silent
// case barrier_device_arrive_only expect=data-race
// case pipeline expect=silent
// case pipeline_unawaited expect=data-race also=missing-acquire
// case pipeline_roles expect=silent
// case pipeline_roles_unawaited expect=data-race also=missing-acquire
// case pipeline_thread expect=silent
// case pipeline_thread_no_barrier expect=data-race
// case block_sync expect=silent
// case block_no_sync expect=data-race
// case block_arrive_wait expect=silent
// case block_arrive_only expect=data-race
// case tile_sync expect=silent
// case tile_no_sync expect=data-race
// case tile_across expect=data-race
// case coalesced_sync expect=silent
// case coalesced_no_sync expect=data-race
// case grid_sync expect=silent
// case grid_block_sync expect=data-race
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>

#include <cstdio>
#include <cstring>

#pragma nv_diag_suppress static_var_with_dynamic_init
namespace cg = cooperative_groups;

__device__ int data[4096];
__device__ cuda::atomic<int, cuda::thread_scope_device> word_a, word_b;
__device__ int plain_word;
__device__ cuda::std::atomic_flag lock_flag;
__device__ cuda::binary_semaphore<cuda::thread_scope_device> one(0);
__device__ cuda::counting_semaphore<cuda::thread_scope_device, 4> pool(1), pool_of_two(2);
using device_latch = cuda::latch<cuda::thread_scope_device>;
__device__ alignas(device_latch) char latch_room[sizeof(device_latch)];
__device__ cuda::barrier<cuda::thread_scope_device> device_barrier(4);

/* ---- atomic, atomic_ref, atomic_flag ---- */

__global__ void message(int *out, bool right)
{
    if (blockIdx.x == 0) {
        data[0] = 42; // atomic_relaxed
        if (right)
            word_a.store(1, cuda::memory_order_release);
        else
            word_a.store(1, cuda::memory_order_relaxed);
    } else {
        while (word_a.load(cuda::memory_order_acquire) == 0)
            ;
        out[0] = data[0];
    }
}

template <bool right>
__global__ void last(int *out)
{
    data[blockIdx.x] = blockIdx.x + 1; // atomic_add_relaxed
    int ticket = word_b.fetch_add(1, right ? cuda::memory_order_acq_rel : cuda::memory_order_acquire);
    if (ticket == gridDim.x - 1) {
        int sum = 0;
        for (int i = 0; i < gridDim.x; i++)
            sum += data[i];
        out[0] = sum;
    }
}

template <bool releases, bool acquires>
__global__ void wait_ref(int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(plain_word);
    if (blockIdx.x == 0) {
        data[0] = 42; // ref_wait_relaxed ref_notify_relaxed
        ready.store(1, releases ? cuda::memory_order_release : cuda::memory_order_relaxed);
        ready.notify_all();
    } else {
        ready.wait(0, acquires ? cuda::memory_order_acquire : cuda::memory_order_relaxed);
        out[blockIdx.x] = data[0];
    }
}

template <bool right>
__global__ void wait_shared(int *out)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> turn;
    __shared__ int s[64];
    if (threadIdx.x == 0)
        turn = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        s[0] = data[1] + 42; // atomic_wait_shared_relaxed
        turn.store(1, right ? cuda::memory_order_release : cuda::memory_order_relaxed);
        turn.notify_all();
    } else if (threadIdx.x >= 32) {
        turn.wait(0);
        out[threadIdx.x] = s[0];
    }
}

template <bool right>
__global__ void flag_guarded(int *out)
{
    while (lock_flag.test_and_set(cuda::std::memory_order_acquire))
        ;
    data[0] += 1; // flag_lock_relaxed
    lock_flag.clear(right ? cuda::std::memory_order_release : cuda::std::memory_order_relaxed);
    out[blockIdx.x] = 1;
}

template <bool right>
__global__ void flag_waits(int *out)
{
    if (blockIdx.x == 0) {
        data[0] = 42; // flag_wait_relaxed
        lock_flag.test_and_set(cuda::std::memory_order_release);
        lock_flag.notify_all();
    } else {
        lock_flag.wait(false, right ? cuda::std::memory_order_acquire : cuda::std::memory_order_relaxed);
        out[blockIdx.x] = data[0];
    }
}

/* ---- semaphore, latch ---- */

__global__ void semaphore(int *out, bool right)
{
    if (blockIdx.x == 0) {
        data[0] = 42; // semaphore_passed_by
        one.release();
    } else {
        if (right)
            one.acquire();
        out[0] = data[0];
    }
}

__global__ void taken_twice(int *out)
{
    pool.acquire();
    pool.acquire(); // semaphore_never
    out[0] = 1;
    pool.release();
}

template <bool right>
__global__ void guarded_by_pool(int *out)
{
    auto &p = right ? pool : pool_of_two;
    p.acquire();
    data[0] += 1; // semaphore_pool_too_many
    p.release();
    out[blockIdx.x] = 1;
}

__global__ void latched(int *out, bool right)
{
    using block_latch = cuda::latch<cuda::thread_scope_block>;
    __shared__ alignas(block_latch) char room[sizeof(block_latch)];
    __shared__ int s[64];
    auto &done = *reinterpret_cast<block_latch *>(room);
    if (threadIdx.x == 0)
        new (room) block_latch(64);
    __syncthreads();
    s[threadIdx.x] = threadIdx.x;
    done.count_down();
    if (right)
        done.wait();
    out[threadIdx.x] = s[threadIdx.x ^ 33]; // latch_passed_by
}

__global__ void make_latch(int count)
{
    new (latch_room) device_latch(count);
}

__global__ void latched_blocks(int *out, bool right)
{
    auto &all_blocks = *reinterpret_cast<device_latch *>(latch_room);
    data[blockIdx.x] = blockIdx.x + 1;
    if (right)
        all_blocks.arrive_and_wait();
    else
        all_blocks.count_down();
    out[blockIdx.x] = data[blockIdx.x ^ 1]; // latch_blocks_passed_by
}

/* ---- barrier ---- */

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void barred(int *out, bool right)
{
    __shared__ block_barrier bar;
    __shared__ int s[1024];
    int t = threadIdx.x;
    if (t == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    for (int round = 0; round < 3; round++) {
        s[t] = t + round;
        auto token = bar.arrive();
        if (right)
            bar.wait(std::move(token));
        out[t] = s[t ^ 33]; // barrier_arrive_only barrier_wide_arrive_only
        if (!right)
            bar.wait(std::move(token));
        bar.arrive_and_wait();
    }
}

__global__ void dropped(int *out, bool right)
{
    __shared__ block_barrier bar;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0)
        init(&bar, 64);
    __syncthreads();
    if (t >= 32) {
        if (right)
            s[t] = t;
        bar.arrive_and_drop();
        if (!right)
            s[t] = t; // barrier_drop_early
        return;
    }
    bar.arrive_and_wait();
    out[t] = s[t + 32];
    bar.arrive_and_wait();
}

__global__ void barred_device(int *out, bool right)
{
    data[blockIdx.x] = blockIdx.x + 1; // barrier_device_arrive_only
    auto token = device_barrier.arrive();
    if (right)
        device_barrier.wait(std::move(token));
    out[blockIdx.x] = data[blockIdx.x ^ 1];
}

/* ---- pipeline ---- */

__global__ void piped(int *out, const int *in, bool right)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int s[2][64];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int fetch = 0, k = 0; k < 4; k++) {
        for (; fetch < 4 && fetch < k + 2; fetch++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[fetch % 2], in + fetch * 64, sizeof(int) * 64, pipe);
            pipe.producer_commit();
        }
        if (right)
            pipe.consumer_wait();
        sum += s[k % 2][threadIdx.x ^ 33]; // pipeline_unawaited
        if (!right)
            pipe.consumer_wait();
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

__global__ void piped_roles(int *out, const int *in, bool right)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int s[2][32];
    auto block = cg::this_thread_block();
    auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, &state, role);
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        if (role == cuda::pipeline_role::producer) {
            pipe.producer_acquire();
            s[k % 2][threadIdx.x] = in[k * 32 + threadIdx.x];
            pipe.producer_commit();
        } else {
            if (right)
                pipe.consumer_wait();
            sum += s[k % 2][threadIdx.x ^ 33]; // pipeline_roles_unawaited
            if (!right)
                pipe.consumer_wait();
            pipe.consumer_release();
        }
    }
    out[threadIdx.x] = sum;
}

__global__ void piped_thread(int *out, const int *in, bool right)
{
    __shared__ int s[64];
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&s[threadIdx.x], &in[threadIdx.x], sizeof(int), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    if (right)
        __syncthreads();
    out[threadIdx.x] = s[threadIdx.x ^ 33]; // pipeline_thread_no_barrier
    pipe.consumer_release();
}

/* ---- cooperative groups ---- */

__global__ void block_group(int *out, bool right)
{
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    s[block.thread_rank()] = threadIdx.x;
    if (right)
        block.sync();
    out[threadIdx.x] = s[threadIdx.x ^ 33]; // block_no_sync
}

__global__ void block_split(int *out, bool right)
{
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    s[threadIdx.x] = threadIdx.x;
    auto token = block.barrier_arrive();
    if (right)
        block.barrier_wait(std::move(token));
    out[threadIdx.x] = s[threadIdx.x ^ 33]; // block_arrive_only
    if (!right)
        block.barrier_wait(std::move(token));
}

__global__ void tile_group(int *out, int across, bool right)
{
    __shared__ int s[64];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    s[threadIdx.x] = threadIdx.x; // tile_across
    if (right)
        tile.sync();
    out[threadIdx.x] = s[threadIdx.x ^ across]; // tile_no_sync
}

__global__ void coalesced_group(int *out, bool right)
{
    __shared__ int s[64];
    s[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x % 3 == 0) {
        auto some = cg::coalesced_threads();
        s[threadIdx.x / 32 * 32 + some.thread_rank()] = threadIdx.x;
        if (right)
            some.sync();
        out[threadIdx.x] = s[threadIdx.x / 32 * 32 + (some.thread_rank() + 1) % some.size()]; // coalesced_no_sync
    }
}

__global__ void whole_grid(int *out, bool right)
{
    for (int round = 0; round < 2; round++) {
        data[blockIdx.x * 64 + threadIdx.x] = round;
        if (right)
            cg::this_grid().sync();
        else
            cg::this_thread_block().sync();
        out[blockIdx.x * 64 + threadIdx.x] = data[(blockIdx.x ^ 1) * 64 + threadIdx.x]; // grid_block_sync
        cg::this_grid().sync();
    }
}

static bool is(const char *name, const char *prefix, bool *right)
{
    *right = !strcmp(name, prefix);
    return !strncmp(name, prefix, strlen(prefix));
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *out, *in;
    bool right;
    cudaMalloc(&out, 4096 * sizeof *out);
    cudaMalloc(&in, 4096 * sizeof *in);
    cudaMemset(in, 0, 4096 * sizeof *in);
    void *whole[] = {&out, &right};
    if (is(name, "atomic_add", &right)) {
        if (!strcmp(name, "atomic_add_last")) last<true><<<4, 1>>>(out); else last<false><<<4, 1>>>(out);
    } else if (is(name, "atomic_wait_shared", &right)) {
        if (right) wait_shared<true><<<1, 64>>>(out); else wait_shared<false><<<1, 64>>>(out);
    } else if (is(name, "atomic_message", &right) || is(name, "atomic_relaxed", &right)) {
        message<<<2, 1>>>(out, !strcmp(name, "atomic_message"));
    } else if (!strcmp(name, "ref_wait")) {
        wait_ref<true, true><<<4, 1>>>(out);
    } else if (!strcmp(name, "ref_wait_relaxed")) {
        wait_ref<true, false><<<4, 1>>>(out);
    } else if (!strcmp(name, "ref_notify_relaxed")) {
        wait_ref<false, true><<<4, 1>>>(out);
    } else if (is(name, "flag_lock", &right)) {
        if (right) flag_guarded<true><<<4, 1>>>(out); else flag_guarded<false><<<4, 1>>>(out);
    } else if (is(name, "flag_wait", &right)) {
        if (right) flag_waits<true><<<4, 1>>>(out); else flag_waits<false><<<4, 1>>>(out);
    } else if (!strcmp(name, "semaphore_never")) {
        taken_twice<<<1, 1>>>(out);
    } else if (!strcmp(name, "latch_never")) {
        make_latch<<<1, 1>>>(5);
        latched_blocks<<<4, 1>>>(out, true); // one too few
    } else if (is(name, "semaphore_pool", &right)) {
        if (right) guarded_by_pool<true><<<4, 1>>>(out); else guarded_by_pool<false><<<4, 1>>>(out);
    } else if (is(name, "semaphore", &right)) {
        semaphore<<<2, 1>>>(out, right);
    } else if (is(name, "latch_blocks", &right)) {
        make_latch<<<1, 1>>>(4);
        latched_blocks<<<4, 1>>>(out, right);
    } else if (is(name, "latch", &right)) {
        latched<<<1, 64>>>(out, right);
    } else if (is(name, "barrier_device", &right)) {
        barred_device<<<4, 1>>>(out, right);
    } else if (is(name, "barrier_drop", &right)) {
        dropped<<<1, 64>>>(out, right);
    } else if (is(name, "barrier_wide", &right)) {
        barred<<<1, 1024>>>(out, right);
    } else if (is(name, "barrier", &right)) {
        barred<<<1, 64>>>(out, right);
    } else if (is(name, "pipeline_thread", &right)) {
        piped_thread<<<1, 64>>>(out, in, right);
    } else if (is(name, "pipeline_roles", &right)) {
        piped_roles<<<1, 64>>>(out, in, right);
    } else if (is(name, "pipeline", &right)) {
        piped<<<1, 64>>>(out, in, right);
    } else if (is(name, "block_sync", &right) || is(name, "block_no_sync", &right)) {
        block_group<<<1, 64>>>(out, !strcmp(name, "block_sync"));
    } else if (is(name, "block_arrive", &right)) {
        block_split<<<1, 64>>>(out, !strcmp(name, "block_arrive_wait"));
    } else if (is(name, "tile", &right)) {
        tile_group<<<1, 64>>>(out, strcmp(name, "tile_across") ? 7 : 9, strcmp(name, "tile_no_sync"));
    } else if (is(name, "coalesced", &right)) {
        coalesced_group<<<1, 64>>>(out, !strcmp(name, "coalesced_sync"));
    } else if (!strcmp(name, "grid_sync") || !strcmp(name, "grid_block_sync")) {
        right = !strcmp(name, "grid_sync");
        cudaLaunchCooperativeKernel((const void *)whole_grid, dim3(4), dim3(64), whole, 0, 0);
    } else {
        fprintf(stderr, "no case %s\n", name);
        return 2;
    }
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess)
        printf("%s\n", cudaGetErrorString(e));
    cudaFree(out);
    cudaFree(in);
    return e != cudaSuccess && e != cudaErrorLaunchTimeout; // what a deadlock ends with
}
