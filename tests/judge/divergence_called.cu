// divergence_called.cu: barriers in functions that are called, as all are in a debug build: a place in a branch is one, wherever the
// branch is and wherever the barrier.
#include "judge.cuh"

#include <cooperative_groups.h>

static __device__ __noinline__ int shared_step(int *s, int t)
{
    s[t] = t;
    __syncthreads();
    return s[t];
}

// case: called_by_some grid=1 block=64 expect=barrier-divergence
KERNEL(called_by_some)
{
    __shared__ int s[64];
    int v = 0;
    if (TID % 3)
        v = shared_step(s, TID);
    y[TID] = v;
}

// case: called_by_all grid=1 block=64 n=5 expect=silent
KERNEL(called_by_all)
{
    __shared__ int s[64];
    int v = 0;
    if (n > 3)
        v = shared_step(s, TID);
    y[TID] = v;
}

// case: called_by_a_warp grid=1 block=64 expect=barrier-divergence:warning
KERNEL(called_by_a_warp)
{
    __shared__ int s[64];
    int v = 0;
    if (TID < 32)
        v = shared_step(s, TID);
    y[TID] = v;
}

// The others leave.
// case: called_by_the_rest grid=1 block=64 expect=silent
KERNEL(called_by_the_rest)
{
    __shared__ int s[64];
    if (TID >= 20)
        return;
    y[TID] = shared_step(s, TID);
}

// case: called_in_uneven_turns grid=1 block=32 expect=barrier-divergence also=deadlock
KERNEL(called_in_uneven_turns)
{
    __shared__ int s[32];
    int v = 0;
    for (unsigned i = 0; i < 2 + TID % 2; i++)
        v += shared_step(s, TID);
    y[TID] = v;
}

// case: called_in_even_turns grid=1 block=32 n=3 expect=silent
KERNEL(called_in_even_turns)
{
    __shared__ int s[32];
    int v = 0;
    for (int i = 0; i < n; i++)
        v += shared_step(s, TID);
    y[TID] = v;
}

static __device__ __noinline__ int branch_inside(int *s, int t, int m)
{
    if (t % m) {
        s[t] = t;
        __syncthreads();
    } else {
        s[t] = 3;
    }
    return s[t];
}

// case: called_branches grid=1 block=32 n=3 expect=barrier-divergence
KERNEL(called_branches)
{
    __shared__ int s[32];
    y[TID] = branch_inside(s, TID, n);
}

// case: called_branches_alike grid=1 block=32 n=1000 expect=silent
KERNEL(called_branches_alike)
{
    __shared__ int s[33];
    y[TID] = branch_inside(s, TID + 1, n);
}

// It leaves the function, not the kernel.
static __device__ __noinline__ void returns_early(int *s, int t, int n)
{
    if (t >= n)
        return;
    s[t] = t;
    __syncthreads();
    s[t] += 1;
}

// case: called_returns_early grid=1 block=32 n=20 expect=barrier-divergence
KERNEL(called_returns_early)
{
    __shared__ int s[32];
    s[TID] = 0;
    returns_early(s, TID, n);
    y[TID] = s[TID];
}

// case: called_returns_never grid=1 block=32 n=32 expect=silent
KERNEL(called_returns_never)
{
    __shared__ int s[32];
    s[TID] = 0;
    returns_early(s, TID, n);
    y[TID] = s[TID];
}

// … where nothing comes behind, it is the same.
// case: called_returns_last grid=1 block=32 n=20 expect=silent
KERNEL(called_returns_last)
{
    __shared__ int s[32];
    s[TID] = 0;
    returns_early(s, TID, n);
}

static __device__ __noinline__ int deep(int *s, int t)
{
    return shared_step(s, t) + 1;
}

// case: called_deep_by_some grid=1 block=32 expect=barrier-divergence
KERNEL(called_deep_by_some)
{
    __shared__ int s[32];
    int v = 0;
    if (TID < 9)
        v = deep(s, TID);
    y[TID] = v;
}

static __device__ __noinline__ void group_waits(void)
{
    cooperative_groups::this_thread_block().sync();
}

// sync() of a group may be called from several places; who calls it nowhere is missing.
// case: group_called_by_some grid=1 block=32 expect=barrier-divergence:warning
KERNEL(group_called_by_some)
{
    if (TID < 9)
        group_waits();
    y[TID] = 1;
}

// case: group_called_from_both grid=1 block=32 expect=silent
KERNEL(group_called_from_both)
{
    if (TID < 9) {
        x[TID] = 2;
        group_waits();
    } else {
        x[TID] = TID;
        group_waits();
        y[TID] = 5;
    }
    y[TID + 32] = x[(TID + 7) % 32];
}
