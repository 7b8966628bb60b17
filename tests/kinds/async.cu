// Asynchronous copies into shared memory, and barriers there: each mistake beside its right twin.
//
// arch compute_90
//
// case copy_waited expect=silent
// case copy_not_waited expect=data-race says=wait.for.the.copy
// case copy_shared_with_barrier expect=silent
// case copy_shared_no_barrier expect=data-race says=the.wait..then.a.barrier
// case copy_shared_no_wait expect=data-race says=wait.for.the.copy
// case copy_groups expect=silent
// case copy_one_group_too_few expect=data-race
// case copy_never_committed expect=data-race
// case stage_reused expect=silent
// case stage_reused_early expect=data-race says=a.barrier.that.all.threads.reach.after.line
// case ring_right expect=silent
// case ring_asks_early expect=data-race says=before.the.copy.of.line.[0-9]+.is.issued
// case ring_waits_late expect=data-race says=wait.for.the.copy
// case source_kept expect=silent
// case source_overwritten expect=data-race
// case fill_with_zeros expect=silent
// case copies_arrive expect=silent
// case copies_arrive_unwaited expect=data-race
// case copies_arrive_at_other expect=data-race
// case bar_right expect=silent
// case bar_phases expect=silent
// case bar_not_waited expect=data-race
// case bar_wrong_parity expect=data-race also=deadlock
// case bar_lanes_one_arrives expect=data-race
// case bar_lanes_meet_one_arrives expect=silent
// case bar_relaxed expect=data-race
// case bar_relaxed_fences expect=silent
// case bar_init_unordered expect=data-race also=mbarrier-misuse
// case bar_never_init expect=mbarrier-misuse says=nobody.has.initialised
// case bar_after_inval expect=mbarrier-misuse says=after.it.was.invalidated
// case bar_inval_twice expect=mbarrier-misuse level=warning says=once.more
// case bar_inval_each_time expect=silent
// case bar_inval_of_data expect=mbarrier-misuse says=after.it.was.invalidated
// case bar_overwritten expect=mbarrier-misuse says=written.over
// case bar_too_many expect=mbarrier-misuse says=expects.only
// case bar_too_few expect=deadlock says=1.arrival.and.0.bytes.are.missing|a.phase.of
// case bar_init_again expect=mbarrier-misuse level=warning says=one.already
// case bar_one_drops expect=silent
// case bar_never_drops expect=deadlock full
// case bar_other_phase expect=deadlock full
#include <cstdint>
#include <cstring>
#include <cuda_runtime.h>

enum { N = 64 };
typedef unsigned long long bar_t;

__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void copy4(void *to, const void *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(to)), "l"(from) : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int LEFT> __device__ void wait_group() { asm volatile("cp.async.wait_group %0;" ::"n"(LEFT) : "memory"); }
__device__ void wait_all() { asm volatile("cp.async.wait_all;" ::: "memory"); }
__device__ void copies_arrive(bar_t *b)
{
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at(b)) : "memory");
}
__device__ void init(bar_t *b, int n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(b)), "r"(n) : "memory"); }
__device__ void inval(bar_t *b) { asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at(b)) : "memory"); }
__device__ void arrive(bar_t *b)
{
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at(b)) : "memory");
}
__device__ void arrive_twice(bar_t *b)
{
    asm volatile("mbarrier.arrive.shared.b64 _, [%0], 2;" ::"r"(at(b)) : "memory");
}
__device__ void arrive_drop(bar_t *b)
{
    asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];" ::"r"(at(b)) : "memory");
}
__device__ void arrive_relaxed(bar_t *b)
{
    asm volatile("mbarrier.arrive.relaxed.cta.shared.b64 _, [%0];" ::"r"(at(b)) : "memory");
}
__device__ void wait(bar_t *b, unsigned parity)
{
    asm volatile("{\n.reg .pred p;\nW: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@!p bra W;\n}" ::"r"(at(b)),
                 "r"(parity) : "memory");
}
__device__ void wait_relaxed(bar_t *b, unsigned parity)
{
    asm volatile("{\n.reg .pred p;\nW: mbarrier.test_wait.parity.relaxed.cta.shared.b64 p, [%0], %1;\n@!p bra W;\n}" ::"r"(at(b)),
                 "r"(parity) : "memory");
}

enum what {
    copy_waited, copy_not_waited, copy_shared_with_barrier, copy_shared_no_barrier, copy_shared_no_wait, copy_groups,
    copy_one_group_too_few, copy_never_committed, stage_reused, stage_reused_early, ring_right, ring_asks_early,
    ring_waits_late, source_kept, source_overwritten,
    fill_with_zeros, copies_arrive_, copies_arrive_unwaited, copies_arrive_at_other, bar_right, bar_phases, bar_not_waited,
    bar_wrong_parity, bar_lanes_one_arrives, bar_lanes_meet_one_arrives, bar_relaxed, bar_relaxed_fences, bar_init_unordered,
    bar_never_init, bar_after_inval, bar_overwritten, bar_too_many, bar_too_few, bar_one_drops, bar_never_drops,
    bar_other_phase, bar_init_again, bar_inval_twice, bar_inval_each_time, bar_inval_of_data, COUNT
};
static const char *const names[COUNT] = {
    "copy_waited", "copy_not_waited", "copy_shared_with_barrier", "copy_shared_no_barrier", "copy_shared_no_wait",
    "copy_groups", "copy_one_group_too_few", "copy_never_committed", "stage_reused", "stage_reused_early", "ring_right",
    "ring_asks_early", "ring_waits_late", "source_kept",
    "source_overwritten", "fill_with_zeros", "copies_arrive", "copies_arrive_unwaited", "copies_arrive_at_other", "bar_right",
    "bar_phases", "bar_not_waited", "bar_wrong_parity", "bar_lanes_one_arrives", "bar_lanes_meet_one_arrives", "bar_relaxed",
    "bar_relaxed_fences", "bar_init_unordered", "bar_never_init", "bar_after_inval", "bar_overwritten", "bar_too_many",
    "bar_too_few", "bar_one_drops", "bar_never_drops", "bar_other_phase",
    "bar_init_again", "bar_inval_twice", "bar_inval_each_time", "bar_inval_of_data"};

template <what W> __global__ void copies(int *in, int *out)
{
    __shared__ int s[3][N];
    int t = threadIdx.x, sum = 0;
    if constexpr (W == copy_waited || W == copy_not_waited) {
        copy4(&s[0][t], &in[t]);
        commit();
        if (W == copy_waited)
            wait_group<0>();
        sum = s[0][t];
    } else if constexpr (W == copy_shared_with_barrier || W == copy_shared_no_barrier || W == copy_shared_no_wait) {
        copy4(&s[0][t], &in[t]);
        commit();
        if (W != copy_shared_no_wait)
            wait_group<0>();
        if (W != copy_shared_no_barrier)
            __syncthreads();
        sum = s[0][N - 1 - t]; // copy_shared_no_barrier
    } else if constexpr (W == copy_groups || W == copy_one_group_too_few || W == copy_never_committed) {
        for (int i = 0; i < 3; i++) {
            copy4(&s[i][t], &in[i * N + t]);
            if (W != copy_never_committed)
                commit();
        }
        if (W == copy_groups)
            wait_group<1>();
        else
            wait_group<W == copy_never_committed ? 0 : 2>();
        sum = s[1][t] + s[0][t];
        wait_all();
        sum += W == copy_groups ? s[2][t] : 0;
    } else if constexpr (W == stage_reused || W == stage_reused_early) {
        for (int i = 0; i < 3; i++) {
            copy4(&s[0][t], &in[i * N + t]);
            commit();
            wait_group<0>();
            __syncthreads();
            sum += s[0][N - 1 - t];
            if (W == stage_reused)
                __syncthreads();
        }
    } else if constexpr (W == ring_right || W == ring_asks_early || W == ring_waits_late) {
        copy4(&s[0][t], &in[t]);
        commit();
        for (int i = 0; i < 6; i++) {
            if (W == ring_asks_early) {
                copy4(&s[(i + 1) % 2][t], &in[(i + 1) % 3 * N + t]);
                commit();
            }
            wait_group<W == ring_right ? 0 : 1>();
            __syncthreads();
            if (W != ring_asks_early) {
                copy4(&s[(i + 1) % 2][t], &in[(i + 1) % 3 * N + t]);
                commit();
            }
            sum += s[i % 2][N - 1 - t];
        }
        wait_group<0>();
    } else if constexpr (W == source_kept || W == source_overwritten) {
        copy4(&s[0][t], &in[t]);
        if (W == source_kept)
            wait_all();
        in[t] = 5; // source_overwritten
        wait_all();
        sum = s[0][t];
    } else if constexpr (W == fill_with_zeros) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at(&s[0][t])), "l"(&in[t < N / 2 ? t : 0]),
                     "r"(t < N / 2 ? 4 : 0) : "memory");
        wait_all();
        __syncthreads();
        sum = s[0][N - 1 - t];
    }
    out[t] = sum;
}

template <what W> __global__ void barriers(int *in, int *out)
{
    __shared__ int s[N];
    __shared__ bar_t b[2];
    int t = threadIdx.x, sum = 0;
    int expected = W == bar_too_many ? N - 1 : W == bar_too_few ? N + 1
                 : W == bar_lanes_one_arrives || W == bar_lanes_meet_one_arrives ? 1 : N;
    if (t == 0 && W != bar_never_init) {
        init(&b[0], expected);
        init(&b[1], N);
    }
    if (W != bar_init_unordered)
        __syncthreads();
    if constexpr (W == copies_arrive_ || W == copies_arrive_unwaited || W == copies_arrive_at_other) {
        copy4(&s[t], &in[t]);
        copies_arrive(&b[0]);
        arrive(&b[1]);
        if (W != copies_arrive_unwaited)
            wait(&b[W == copies_arrive_at_other], 0);
        sum = s[N - 1 - t];
    } else if constexpr (W == bar_right || W == bar_not_waited || W == bar_wrong_parity || W == bar_init_unordered ||
                         W == bar_too_few || W == bar_too_many || W == bar_never_init || W == bar_other_phase) {
        s[t] = t;
        if (W == bar_too_many)
            arrive_twice(&b[0]); // 2 of 63, and 2 of 1 in the end
        else
            arrive(&b[0]);
        if (W != bar_not_waited)
            wait(&b[0], W == bar_wrong_parity);
        if (W == bar_other_phase)
            wait(&b[0], 1);
        sum = s[N - 1 - t]; // bar_not_waited bar_wrong_parity
    } else if constexpr (W == bar_phases) {
        for (int i = 0; i < 4; i++) {
            s[t] = i;
            arrive(&b[0]);
            wait(&b[0], i & 1);
            sum += s[N - 1 - t];
            arrive(&b[1]);
            wait(&b[1], i & 1);
        }
    } else if constexpr (W == bar_lanes_one_arrives || W == bar_lanes_meet_one_arrives) {
        if (t < 32) {
            s[t] = t; // bar_lanes_one_arrives
            if (W == bar_lanes_meet_one_arrives)
                __syncwarp();
            if (t == 0)
                arrive(&b[0]);
        } else {
            wait(&b[0], 0);
            sum = s[t - 32];
        }
    } else if constexpr (W == bar_relaxed || W == bar_relaxed_fences) {
        s[t] = t;
        if (W == bar_relaxed_fences)
            __threadfence_block();
        arrive_relaxed(&b[0]);
        wait_relaxed(&b[0], 0);
        if (W == bar_relaxed_fences)
            __threadfence_block();
        sum = s[N - 1 - t]; // bar_relaxed
    } else if constexpr (W == bar_after_inval) {
        arrive(&b[0]);
        wait(&b[0], 0);
        __syncthreads();
        if (t == 0)
            inval(&b[0]);
        __syncthreads();
        arrive(&b[0]);
    } else if constexpr (W == bar_inval_twice || W == bar_inval_each_time || W == bar_inval_of_data) { // as libcu++'s pipelines: quit() and ~
        for (int turn = 0; turn < 2; turn++) {
            s[t] = t + turn;
            arrive(&b[0]);
            wait(&b[0], 0);
            sum += s[N - 1 - t];
            __syncthreads();
            if (t == 0) {
                inval(&b[0]);
                if (W == bar_inval_of_data)
                    b[0] = 12345;
                if (W != bar_inval_each_time)
                    inval(&b[0]); // bar_inval_twice bar_inval_of_data
                init(&b[0], N);
            }
            __syncthreads();
        }
    } else if constexpr (W == bar_init_again) {
        arrive(&b[0]);
        wait(&b[0], 0);
        __syncthreads();
        if (t == 0)
            init(&b[0], N);
        __syncthreads();
        arrive(&b[0]);
        wait(&b[0], 0);
    } else if constexpr (W == bar_overwritten) {
        if (t == 0)
            b[0] = 7;
        __syncthreads();
        arrive(&b[0]);
    } else if constexpr (W == bar_one_drops || W == bar_never_drops) {
        for (int i = 0; i < 3; i++) {
            if (i == 1 && t == 5) { // leaves after the first phase
                if (W == bar_one_drops)
                    arrive_drop(&b[0]);
                break;
            }
            arrive(&b[0]);
            wait(&b[0], i & 1);
        }
    }
    out[t] = sum;
}

typedef void (*kernel)(int *, int *);
template <int W> static kernel pick(int which)
{
    if (W == which)
        return W < copies_arrive_ ? copies<(what)W> : barriers<(what)W>;
    return pick<W + 1>(which);
}
template <> kernel pick<COUNT>(int) { return nullptr; }

int main(int argc, char **argv)
{
    int *in, *out, which = 0;
    while (which < COUNT && (argc < 2 || strcmp(argv[1], names[which])))
        which++;
    if (which == COUNT)
        return 2;
    cudaMalloc(&in, 3 * N * sizeof(int));
    cudaMalloc(&out, N * sizeof(int));
    cudaMemset(in, 1, 3 * N * sizeof(int));
    pick<0>(which)<<<1, N>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
