// A work-stealing deque (as in tests/judge/deque.cu) with two thieves: where its owner lacks the fence between its write and its look at the other end, that is told. Where its
// thieves do, there are so many tasks that not all of its ways can be tried, and that is said.
//
// case owner_bare expect=ordering
// case owner_acquires expect=ordering
// case thieves_bare expect=silent incomplete=no.fence.sc
// case all_fence expect=silent complete
#include <cstring>
#include <cuda/atomic>
#include <cuda_runtime.h>

#include "check.h"

typedef cuda::atomic_ref<int, cuda::thread_scope_device> device_ref;
#define ORDER(o) cuda::memory_order_##o
#define FENCE(o) cuda::atomic_thread_fence(ORDER(o), cuda::thread_scope_device)

enum between { NOTHING, ACQ_REL, SEQ_CST };

template <between How> __device__ void fence()
{
    if (How == SEQ_CST)
        FENCE(seq_cst);
    else if (How == ACQ_REL)
        FENCE(acq_rel);
}

template <between Owner, between Thief> __global__ void steal(int *ends, int *tasks, int *done)
{
    device_ref top(ends[0]), bottom(ends[32]);
    if (blockIdx.x == 0) {
#pragma unroll
        for (int i = 0; i < 5; i++) {
            int b = bottom.load(ORDER(relaxed));
            device_ref(tasks[b & 7]).store(i, ORDER(relaxed));
            FENCE(release);
            bottom.store(b + 1, ORDER(relaxed));
        }
#pragma unroll
        for (int i = 0; i < 5; i++) {
            int b = bottom.load(ORDER(relaxed)) - 1;
            bottom.store(b, ORDER(relaxed));
            fence<Owner>();
            int t = top.load(ORDER(relaxed));
            bool mine = t <= b;
            int task = mine ? device_ref(tasks[b & 7]).load(ORDER(relaxed)) : 0;
            if (t == b)
                mine = top.compare_exchange_strong(t, t + 1, ORDER(seq_cst), ORDER(relaxed));
            if (t >= b)
                bottom.store(b + 1, ORDER(relaxed));
            if (mine)
                atomicAdd(&done[task & 7], 1);
        }
    } else {
#pragma unroll
        for (int i = 0; i < 3; i++) {
            int t = top.load(ORDER(acquire));
            fence<Thief>();
            if (t >= bottom.load(ORDER(acquire)))
                continue;
            int task = device_ref(tasks[t & 7]).load(ORDER(relaxed));
            if (top.compare_exchange_strong(t, t + 1, ORDER(seq_cst), ORDER(relaxed)))
                atomicAdd(&done[task & 7], 1);
        }
    }
}

int main(int n, char **argument)
{
    int *words;
    const char *name = n > 1 ? argument[1] : "";
    CHECK(cudaMalloc(&words, 128 * sizeof *words) == cudaSuccess && cudaMemset(words, 0, 128 * sizeof *words) == cudaSuccess);
    int *tasks = words + 64, *done = words + 96;
    if (!strcmp(name, "owner_bare"))
        steal<NOTHING, SEQ_CST><<<3, 1>>>(words, tasks, done);
    else if (!strcmp(name, "owner_acquires"))
        steal<ACQ_REL, SEQ_CST><<<3, 1>>>(words, tasks, done);
    else if (!strcmp(name, "thieves_bare"))
        steal<SEQ_CST, NOTHING><<<3, 1>>>(words, tasks, done);
    else if (!strcmp(name, "all_fence"))
        steal<SEQ_CST, SEQ_CST><<<3, 1>>>(words, tasks, done);
    CHECK(cudaDeviceSynchronize() == cudaSuccess && cudaFree(words) == cudaSuccess);
    return 0;
}
