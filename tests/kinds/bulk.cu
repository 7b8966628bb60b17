// Bulk copies between global and shared memory, with an mbarrier or bulk groups, and the fence between plain
// accesses and what such copies read: each mistake beside its right twin.
//
// arch compute_90
//
// case load_waited expect=silent
// case load_not_waited expect=data-race says=wait.for.the.copy
// case load_other_barrier expect=data-race
// case load_expects_too_little expect=deadlock full
// case load_expects_too_much expect=deadlock
// case ring expect=silent
// case ring_no_empty expect=data-race also=deadlock
// case source_read_first expect=data-race
// case source_read_released expect=silent
// case store_waited expect=silent
// case store_no_fence expect=data-race says=fence.proxy.async
// case store_fence_by_issuer expect=silent
// case store_fence_by_one expect=data-race says=fence.proxy.async
// case store_fence_beside expect=data-race says=fence.proxy.async
// case store_fence_between expect=silent
// case store_no_barrier expect=data-race says=a.barrier..or.an.mbarrier.*.after.line.[0-9]+,.before.the.copy.of.line
// case store_copied expect=silent
// case store_copied_no_fence expect=data-race says=fence.proxy.async
// case store_reused expect=silent
// case store_reused_early expect=data-race
// case store_read_back expect=silent
// case store_read_back_early expect=data-race
// case store_then_leave expect=silent
// case store_left_unread expect=use-after-free says=the.block.may.end
// case store_left_uncommitted expect=use-after-free
// case store_then_trap expect=trap
// case sum_of_blocks expect=silent
// case sum_and_plain expect=data-race
// case store_by_turns expect=silent
// case store_in_place expect=data-race says=a.barrier.that.all.threads.reach.before.they.come.round.to.line
// case wrong_size expect=misaligned says=multiple.of.16
// case past_the_end expect=out-of-bounds
// case chained expect=silent
// case tensor_waited expect=silent
// case tensor_not_waited expect=data-race says=wait.for.the.copy
// case tensor_stored expect=silent
// case tensor_stored_no_fence expect=data-race says=fence.proxy.async
// case tensor_no_map expect=trap says=there.is.none
// case tensor_from_before expect=silent
// case tensor_from_odd expect=misaligned says=multiple.of.16
// case tensor_past_end expect=silent
// case tensor_stored_odd expect=misaligned says=multiple.of.16
// case tensor_stored_before expect=out-of-bounds says=only.a.load.may
#include <cstdint>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

enum { N = 64, BYTES = N * sizeof(int), TILES = 6 };
typedef unsigned long long bar_t;

__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init(bar_t *b, int n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(b)), "r"(n) : "memory"); }
__device__ void arrive(bar_t *b) { asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at(b)) : "memory"); }
__device__ void expect(bar_t *b, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(b)), "r"(bytes) : "memory");
}
__device__ void wait(bar_t *b, unsigned parity)
{
    asm volatile("{\n.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra W;\n}" ::"r"(at(b)),
                 "r"(parity) : "memory");
}
__device__ void load(void *to, const void *from, int bytes, bar_t *b)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)),
                 "l"(from), "r"(bytes), "r"(at(b)) : "memory");
}
__device__ void store(void *to, const void *from, int bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(at(from)), "r"(bytes)
                 : "memory");
}
__device__ void add(void *to, const void *from, int bytes)
{
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" ::"l"(to), "r"(at(from)),
                 "r"(bytes) : "memory");
}
__device__ void commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
__device__ void wait_group() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }
__device__ void wait_group_read() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
__device__ void fence_proxy() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

enum what {
    load_waited, load_not_waited, load_other_barrier, load_expects_too_little, load_expects_too_much, ring, ring_no_empty,
    source_read_first, source_read_released, store_waited, store_no_fence, store_fence_by_issuer, store_fence_by_one, store_fence_beside, store_fence_between,
    store_no_barrier, store_copied, store_copied_no_fence, store_reused, store_reused_early, store_read_back,
    store_read_back_early, store_then_leave, store_left_unread, store_left_uncommitted, store_then_trap, sum_of_blocks, sum_and_plain, store_by_turns, store_in_place, wrong_size, past_the_end, chained, COUNT,
    tensor_waited, tensor_not_waited, tensor_stored, tensor_stored_no_fence, tensor_no_map,
    tensor_from_before, tensor_from_odd, tensor_past_end, tensor_stored_odd, tensor_stored_before
};
static const char *const names[COUNT] = {
    "load_waited", "load_not_waited", "load_other_barrier", "load_expects_too_little", "load_expects_too_much", "ring",
    "ring_no_empty", "source_read_first", "source_read_released", "store_waited", "store_no_fence", "store_fence_by_issuer", "store_fence_by_one", "store_fence_beside",
    "store_fence_between", "store_no_barrier", "store_copied", "store_copied_no_fence", "store_reused",
    "store_reused_early", "store_read_back", "store_read_back_early", "store_then_leave", "store_left_unread", "store_left_uncommitted", "store_then_trap", "sum_of_blocks", "sum_and_plain",
    "store_by_turns", "store_in_place", "wrong_size", "past_the_end", "chained"};

template <what W> __device__ int loads(const int *in)
{
    __shared__ alignas(16) int s[2][N];
    __shared__ bar_t full[2], empty[2], other;
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 2; i++) {
            init(&full[i], 1);
            init(&empty[i], N);
        }
        init(&other, N);
    }
    __syncthreads();
    if constexpr (W == ring || W == ring_no_empty) {
        for (int i = 0; i < TILES; i++) {
            if (t == 0) {
                if (W == ring && i >= 2)
                    wait(&empty[i % 2], (i / 2 - 1) & 1);
                expect(&full[i % 2], BYTES);
                load(s[i % 2], in + i * N, BYTES, &full[i % 2]);
            }
            wait(&full[i % 2], i / 2 & 1);
            sum += s[i % 2][N - 1 - t];
            if (W == ring)
                arrive(&empty[i % 2]);
        }
        return sum;
    }
    if (t == 0) {
        expect(&full[0], W == load_expects_too_little ? BYTES / 2 : W == load_expects_too_much ? 2 * BYTES : BYTES);
        load(s[0], in, W == wrong_size ? 24 : BYTES, &full[0]);
        if (W == past_the_end)
            load(s[1], in + TILES * N - N / 2, BYTES, &full[0]);
    }
    if (W == load_other_barrier) {
        arrive(&other);
        wait(&other, 0);
    } else if (W != load_not_waited) {
        wait(&full[0], 0);
    }
    sum = s[0][N - 1 - t]; // load_not_waited load_other_barrier
    return sum;
}

/** Who waits for a copy has not heard of what its thread has read before there, by itself. */
template <what W> __device__ int sources(int *in)
{
    __shared__ alignas(16) int s[N];
    __shared__ bar_t full;
    int sum = 0;
    if (threadIdx.x == 0)
        init(&full, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = in[0]; // source_read_first
        if (W == source_read_released)
            expect(&full, BYTES);
        else
            asm volatile("mbarrier.arrive.expect_tx.relaxed.cta.shared::cta.b64 _, [%0], %1;" ::"r"(at(&full)), "r"(BYTES) : "memory");
        load(s, in, BYTES, &full);
    }
    if (threadIdx.x == 32) {
        wait(&full, 0);
        in[0] = s[0]; // source_read_first
    }
    return sum;
}

template <what W> __device__ void stores(int *out)
{
    __shared__ alignas(16) int s[N];
    int t = threadIdx.x;
    const bool by_one = W == store_fence_by_one || W == store_fence_beside || W == store_fence_between;
    if (W == store_copied || W == store_copied_no_fence) { // cp.async is no copy of the async proxy
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\ncp.async.wait_all;" ::"r"(at(&s[t])), "l"(&out[N + t]) : "memory"); // store_copied_no_fence
        __syncthreads();
    } else {
        s[t] = t; // store_no_fence store_fence_by_one store_fence_beside
    }
    if (W != store_no_fence && W != store_copied_no_fence && W != store_fence_by_issuer && !by_one)
        fence_proxy();
    if (W == store_fence_by_one && t == 0) // for its own store: those of others come by the barrier alone
        fence_proxy();
    if (W != store_no_barrier)
        __syncthreads();
    if ((W == store_fence_beside || W == store_fence_between) && t == 1) // for all stores, and only for copies after it
        fence_proxy();
    if (W == store_fence_between)
        __syncthreads();
    if (t == 0) {
        if (W == store_fence_by_issuer)
            fence_proxy();
        if (W == sum_of_blocks || W == sum_and_plain)
            add(out, s, BYTES);
        else
            store(out, s, BYTES);
        if (W != store_left_uncommitted)
            commit();
        if (W == store_then_trap)
            __trap(); // store_then_trap
        if (W == store_waited || W == store_read_back)
            wait_group();
        else if (W != store_reused_early && W != store_read_back_early && W != store_left_unread)
            wait_group_read();
    }
    __syncthreads();
    if (W == store_reused || W == store_reused_early)
        s[t] = 7; // store_reused_early
    if (W == store_read_back || W == store_read_back_early)
        out[N + t] = out[t]; // store_read_back_early
    if (W == sum_and_plain && blockIdx.x == 1)
        out[t] += 1; // sum_and_plain
    if (t == 0 && (W == store_reused_early || W == store_read_back_early))
        wait_group();
}

/** Two places by turns, and a wait for the copy before; in one place that wait comes too late. */
template <what W> __device__ void rounds(int *out)
{
    __shared__ alignas(16) int s[2][N];
    int t = threadIdx.x;
#pragma unroll 1
    for (int k = 0; k < TILES; k++) {
        int *at = s[W == store_by_turns ? k % 2 : 0];
        at[t] = k; // store_in_place
        fence_proxy();
        if (t == 0)
            wait_group();
        __syncthreads();
        if (t == 0) {
            __nanosleep(2000); // the others are round before it is asked for
            store(out, at, BYTES);
            commit();
        }
    }
    if (t == 0)
        wait_group();
}

template <what W> __global__ void run(int *in, int *out)
{
    if constexpr (W == chained) { // what one bulk copy brought, another takes away
        __shared__ alignas(16) int s[N];
        __shared__ bar_t full;
        if (threadIdx.x == 0) {
            init(&full, 1);
            expect(&full, BYTES);
            load(s, in, BYTES, &full);
            wait(&full, 0);
            store(out, s, BYTES);
            commit();
            wait_group();
        }
    } else if constexpr (W == source_read_first || W == source_read_released) {
        out[threadIdx.x] = sources<W>(in);
    } else if constexpr (W >= store_waited && W <= sum_and_plain) {
        stores<W>(out);
    } else if constexpr (W == store_by_turns || W == store_in_place) {
        rounds<W>(out);
    } else {
        out[threadIdx.x] = loads<W>(in);
    }
}

/** A box of 8 by 8 numbers, there and, stored, back. */
__global__ void boxes(const __grid_constant__ CUtensorMap map, int which, int *out)
{
    __shared__ alignas(128) int s[N];
    __shared__ bar_t full;
    int t = threadIdx.x;
    // Rows begin at multiples of 16 bytes, and only a load begins before the tensor.
    bool odd = which == tensor_from_odd || which == tensor_stored_odd, past = which == tensor_past_end;
    int x = odd ? 1 : past ? 4 : which == tensor_from_before ? -4 : 0;
    int y = past ? 6 : which == tensor_from_before || which == tensor_stored_before ? -1 : 0;
    if (which == tensor_stored || which == tensor_stored_no_fence || past || which >= tensor_stored_odd) {
        s[t] = t; // tensor_stored_no_fence
        if (which != tensor_stored_no_fence)
            fence_proxy();
        __syncthreads();
        if (t == 0) {
            asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(&map),
                         "r"(at(s)), "r"(x), "r"(y) : "memory");
            commit();
            wait_group();
        }
        return;
    }
    if (t == 0) {
        init(&full, 1);
        expect(&full, BYTES);
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(
                         at(s)), "l"(&map), "r"(at(&full)), "r"(x), "r"(y) : "memory");
    }
    __syncthreads();
    if (which != tensor_not_waited)
        wait(&full, 0);
    out[t] = s[N - 1 - t]; // tensor_not_waited
}

static void run_boxes(const char *name, int *in, int *out)
{
    static const char *const boxes_names[] = {"tensor_waited", "tensor_not_waited", "tensor_stored", "tensor_stored_no_fence",
                                              "tensor_no_map", "tensor_from_before", "tensor_from_odd", "tensor_past_end",
                                              "tensor_stored_odd", "tensor_stored_before"};
    int which = 0;
    while (strcmp(name, boxes_names[which]))
        which++;
    alignas(64) CUtensorMap map = {};
    decltype(&cuTensorMapEncodeTiled) encode;
    cudaDriverEntryPointQueryResult found;
    cuuint64_t sizes[] = {8, 8}, strides[] = {32};
    cuuint32_t box[] = {8, 8}, steps[] = {1, 1};
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault, &found);
    if (tensor_waited + which != tensor_no_map)
        encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, in, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
               CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    boxes<<<1, N>>>(map, tensor_waited + which, out);
}

typedef void (*kernel)(int *, int *);
template <int W> static kernel pick(int which)
{
    return W == which ? run<(what)W> : pick<W + 1>(which);
}
template <> kernel pick<COUNT>(int) { return nullptr; }

int main(int argc, char **argv)
{
    int *in, *out, which = 0;
    while (which < COUNT && (argc < 2 || strcmp(argv[1], names[which])))
        which++;
    cudaMalloc(&in, TILES * BYTES);
    cudaMalloc(&out, 2 * BYTES);
    cudaMemset(in, 1, TILES * BYTES);
    cudaMemset(out, 0, 2 * BYTES);
    if (which == COUNT && argc > 1)
        run_boxes(argv[1], in, out);
    else
        pick<0>(which)<<<which == sum_of_blocks || which == sum_and_plain ? 2 : 1, N>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
