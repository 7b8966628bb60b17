// Copies and barriers as libcu++ and cooperative groups write them: each mistake beside its right twin.
//
// arch compute_90 compute_80
//
// case each_copies expect=silent
// case each_copies_unwaited expect=data-race
// case group_copies expect=silent
// case group_copies_one_reads_early expect=data-race
// case other_barrier expect=silent
// case other_barrier_waited expect=data-race
// case first_phase_twice expect=silent
// case first_phase_again expect=data-race also=deadlock
// case stages_turn expect=silent
// case stages_released_early expect=data-race
// case own_pipeline expect=silent
// case own_pipeline_no_barrier expect=data-race
// case own_pipeline_one_prior expect=data-race
// case group_wait expect=silent
// case group_wait_not expect=data-race
// case group_wait_prior expect=silent
// case group_wait_prior_too_many expect=data-race
// case made_before_use expect=silent
// case made_while_used expect=data-race also=mbarrier-misuse
// case one_drops expect=silent
// case one_never_arrives expect=deadlock
// case counted_right expect=silent
// case counted_too_low expect=deadlock
// case handed_over expect=silent
// case handed_over_by_one_lane expect=data-race
// case handed_back expect=silent
// case handed_back_not_waited expect=data-race
// case source_written_after expect=silent
// case source_written_before expect=data-race
// case roles expect=silent
// case roles_consumer_late expect=data-race
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstring>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_runtime.h>
#include <utility>

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;
enum { N = 64, ROUNDS = 4 };
typedef cuda::barrier<cuda::thread_scope_block> bar_t;

#define CASES(X) \
    X(each_copies) X(each_copies_unwaited) X(group_copies) X(group_copies_one_reads_early) X(other_barrier) X(other_barrier_waited) \
    X(first_phase_twice) X(first_phase_again) X(stages_turn) X(stages_released_early) X(stages_not_acquired) X(own_pipeline) \
    X(own_pipeline_no_barrier) X(own_pipeline_one_prior) X(group_wait) X(group_wait_not) X(group_wait_prior) X(group_wait_prior_too_many) \
    X(made_before_use) X(made_while_used) X(one_drops) X(one_never_arrives) X(counted_right) X(counted_too_low) X(handed_over) \
    X(handed_over_by_one_lane) X(handed_back) X(handed_back_not_waited) X(source_written_after) X(source_written_before) X(roles) \
    X(roles_consumer_late)
#define ENUM(x) x,
#define NAME(x) #x,
enum what { CASES(ENUM) COUNT };
static const char *const names[] = {CASES(NAME)};

template <what W> __global__ void kernel(int *in, int *out)
{
    __shared__ __align__(16) int s[2][N];
    __shared__ bar_t bar[2];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        init(&bar[0], W == counted_too_low ? 32 : W == handed_over_by_one_lane ? 33 : W == handed_over || W == handed_back || W == handed_back_not_waited ? 64 : N);
        init(&bar[1], N);
    }
    if (W != made_while_used)
        __syncthreads();

    if constexpr (W == each_copies || W == each_copies_unwaited) {
        cuda::memcpy_async(&s[0][t], &in[t], sizeof(int), bar[0]);
        auto token = bar[0].arrive();
        if (W == each_copies)
            bar[0].wait(std::move(token));
        sum = s[0][N - 1 - t]; // each_copies_unwaited
    }
    if constexpr (W == group_copies || W == group_copies_one_reads_early) {
        cuda::memcpy_async(block, s[0], in, cuda::aligned_size_t<16>(sizeof s[0]), bar[0]);
        auto token = bar[0].arrive();
        if (W == group_copies_one_reads_early && t == 9)
            sum = s[0][t]; // group_copies_one_reads_early
        bar[0].wait(std::move(token));
        sum += s[0][N - 1 - t];
    }
    if constexpr (W == other_barrier || W == other_barrier_waited) {
        cuda::memcpy_async(&s[0][t], &in[t], sizeof(int), bar[0]);
        auto first = bar[0].arrive();
        auto second = bar[1].arrive();
        if (W == other_barrier)
            bar[0].wait(std::move(first));
        bar[1].wait(std::move(second));
        sum = s[0][N - 1 - t]; // other_barrier_waited
    }
    if constexpr (W == first_phase_twice || W == first_phase_again) {
        for (int i = 0; i < 2; i++) {
            cuda::memcpy_async(&s[i][t], &in[i * N + t], sizeof(int), bar[0]);
            (void)bar[0].arrive();
            bar[0].wait_parity(W == first_phase_twice ? i : 0);
            sum += s[i][N - 1 - t]; // first_phase_again
        }
    }
    if constexpr (W == stages_turn || W == stages_released_early || W == stages_not_acquired) {
        auto pipe = cuda::make_pipeline(block, &state);
        for (int i = 0; i < ROUNDS + 1; i++) {
            if (i < ROUNDS) {
                pipe.producer_acquire();
                cuda::memcpy_async(block, s[i % 2], in + i * N, sizeof s[0], pipe);
                pipe.producer_commit();
            }
            if (i == 0)
                continue;
            pipe.consumer_wait();
            if (W == stages_released_early)
                pipe.consumer_release();
            sum += s[(i - 1) % 2][N - 1 - t]; // stages_released_early
            if (W != stages_released_early)
                pipe.consumer_release();
        }
    }
    if constexpr (W == own_pipeline || W == own_pipeline_no_barrier || W == own_pipeline_one_prior) {
        auto pipe = cuda::make_pipeline();
        for (int i = 0; i < 2; i++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s[i][t], &in[i * N + t], sizeof(int), pipe);
            pipe.producer_commit();
        }
        if (W == own_pipeline_one_prior)
            cuda::pipeline_consumer_wait_prior<1>(pipe);
        else
            cuda::pipeline_consumer_wait_prior<0>(pipe);
        if (W != own_pipeline_no_barrier)
            __syncthreads();
        sum = s[1][N - 1 - t]; // own_pipeline_no_barrier own_pipeline_one_prior
    }
    if constexpr (W == group_wait || W == group_wait_not) {
        cg::memcpy_async(block, s[0], in, sizeof s[0]);
        if (W == group_wait)
            cg::wait(block);
        else
            block.sync();
        sum = s[0][N - 1 - t]; // group_wait_not
    }
    if constexpr (W == group_wait_prior || W == group_wait_prior_too_many) {
        cg::memcpy_async(block, s[0], in, sizeof s[0]);
        cg::memcpy_async(block, s[1], in + N, sizeof s[1]);
        cg::wait_prior<1>(block);
        sum = s[W == group_wait_prior ? 0 : 1][N - 1 - t]; // group_wait_prior_too_many
        cg::wait(block);
    }
    if constexpr (W == made_before_use || W == made_while_used)
        bar[0].arrive_and_wait(); // made_while_used
    if constexpr (W == one_drops || W == one_never_arrives) {
        for (int i = 0; i < 3; i++) {
            if (i == 1 && t == 5) {
                if (W == one_drops)
                    bar[0].arrive_and_drop();
                break;
            }
            bar[0].arrive_and_wait();
        }
    }
    if constexpr (W == counted_right || W == counted_too_low) {
        (void)bar[0].arrive();
        bar[0].wait_parity(0);
    }
    if constexpr (W == handed_over || W == handed_over_by_one_lane) { // the first warp fills, the second reads
        if (t < 32) {
            s[0][t] = in[t];
            if (W == handed_over || t == 0)
                (void)bar[0].arrive();
        } else {
            bar[0].arrive_and_wait();
            sum = s[0][t - 32]; // handed_over_by_one_lane
        }
    }
    if constexpr (W == handed_back || W == handed_back_not_waited) { // the second warp reads before the first one fills again
        if (t < 32) {
            s[0][t] = in[t];
            (void)bar[0].arrive();
            auto token = bar[1].arrive();
            if (W == handed_back)
                bar[1].wait(std::move(token));
            s[0][t] = 7;
        } else {
            bar[0].arrive_and_wait();
            sum = s[0][t - 32]; // handed_back_not_waited
            (void)bar[1].arrive();
        }
    }
    if constexpr (W == source_written_after || W == source_written_before) {
        cuda::memcpy_async(&s[0][t], &in[t], sizeof(int), bar[0]);
        auto token = bar[0].arrive();
        if (W == source_written_before)
            in[t] = 5; // source_written_before
        bar[0].wait(std::move(token));
        if (W == source_written_after)
            in[t] = 5;
        sum = s[0][t];
    }
    if constexpr (W == roles || W == roles_consumer_late) {
        auto role = t < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
        auto pipe = cuda::make_pipeline(block, &state, role);
        if (t < 32)
            for (int i = 0; i < ROUNDS; i++) {
                pipe.producer_acquire();
                cuda::memcpy_async(&s[i % 2][2 * t], &in[i * N + 2 * t], 2 * sizeof(int), pipe);
                pipe.producer_commit();
            }
        else
            for (int i = 0, kept = 0; i < ROUNDS; i++) {
                pipe.consumer_wait();
                kept = s[i % 2][2 * (63 - t)];
                pipe.consumer_release();
                if (W == roles_consumer_late)
                    kept += s[i % 2][2 * (63 - t) + 1]; // roles_consumer_late
                sum += kept;
            }
    }
    out[t] = sum;
}

typedef void (*kernel_t)(int *, int *);
template <int W> static kernel_t pick(int which)
{
    return W == which ? kernel<(what)W> : pick<W + 1>(which);
}
template <> kernel_t pick<COUNT>(int) { return nullptr; }

int main(int argc, char **argv)
{
    int *in, *out, which = 0;
    while (which < COUNT && (argc < 2 || strcmp(argv[1], names[which])))
        which++;
    if (which == COUNT)
        return 2;
    cudaMalloc(&in, ROUNDS * N * sizeof(int));
    cudaMalloc(&out, N * sizeof(int));
    cudaMemset(in, 1, ROUNDS * N * sizeof(int));
    pick<0>(which)<<<1, N>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
