// A node is pushed on a list, or behind its last one, by a look and a store: nodes that others push in between hang on nothing any more.
#include <cuda/atomic>
#include "judge.cuh"

#define ME ((int)GID + 1)

struct node {
    int value;
    node *next;
};
using device_int = cuda::atomic_ref<int, cuda::thread_scope_device>;

// case: pushed_exch grid=64 block=32 expect=ordering:error@1@2
KERNEL(pushed_exch)
{
    int old = VOL_INT(x[0]); // @1
    y[ME] = old;
    atomicExch(&x[0], ME); // @2
}

// case: pushed_store grid=64 block=32 expect=ordering:error@1@2
KERNEL(pushed_store)
{
    int old = VOL_INT(x[0]); // @1
    y[ME] = old;
    VOL_INT(x[0]) = ME; // @2
}

// What the exchange returns is linked: nobody walks the list before the launch ends.
// case: pushed_right grid=64 block=32 expect=silent
KERNEL(pushed_right)
{
    y[ME] = atomicExch(&x[0], ME);
}

// case: pushed_swap grid=64 block=32 expect=silent
KERNEL(pushed_swap)
{
    int old = VOL_INT(x[0]), was;
    do {
        y[ME] = old;
        was = old;
        old = atomicCAS(&x[0], was, ME);
    } while (old != was);
}

// Lists of a hash table.
// case: pushed_bucket grid=64 block=32 expect=ordering:error@1@2
KERNEL(pushed_bucket)
{
    int *b = &x[GID % 7];
    y[ME] = LD("relaxed.gpu", b); // @1
    ST("relaxed.gpu", b, ME); // @2
}

// case: pushed_own_bucket grid=64 block=32 expect=silent
KERNEL(pushed_own_bucket)
{
    int *b = &x[GID];
    y[ME] = LD("relaxed.gpu", b);
    ST("relaxed.gpu", b, ME);
}

// By address.
// case: pushed_pointer grid=64 block=32 expect=ordering:error@1@2
KERNEL(pushed_pointer)
{
    node *pool = (node *)y + 1, *volatile *head = (node *volatile *)x, *me = pool + GID;
    me->value = GID;
    me->next = *head; // @1
    *head = me; // @2
}

// Nodes of a pool.
// case: pushed_allocated grid=16 block=32 expect=ordering:error
KERNEL(pushed_allocated)
{
    int i = atomicAdd(&x[1], 1);
    node *pool = (node *)y, *volatile *head = (node *volatile *)&x[16];
    node *me = &pool[i];
    me->value = GID;
    me->next = *head;
    *head = me;
}

// case: pushed_allocated_index grid=16 block=32 expect=ordering:error
KERNEL(pushed_allocated_index)
{
    int i = atomicAdd(&x[1], 1);
    y[2 * i] = GID;
    y[2 * i + 1] = atomicAdd(&x[0], 0);
    atomicExch(&x[0], i);
}

// Value and link are stored together.
// case: pushed_vector grid=16 block=32 expect=ordering:error
KERNEL(pushed_vector)
{
    int i = atomicAdd(&x[1], 1);
    ((int2 *)y)[i] = make_int2(GID, VOL_INT(x[0]));
    VOL_INT(x[0]) = i;
}

// The node is a loop's counter.
// case: pushed_stride grid=16 block=32 n=2000 expect=ordering:error@1@2
KERNEL(pushed_stride)
{
    for (int i = GID; i < n; i += BLOCK * GRID) {
        int h = (i * 7) % 13;
        int old = VOL_INT(x[h]); // @1
        y[i] = old;
        atomicExch(&x[h], i); // @2
    }
}

// case: pushed_stride_right grid=16 block=32 n=2000 expect=silent
KERNEL(pushed_stride_right)
{
    for (int i = GID; i < n; i += BLOCK * GRID) {
        int h = (i * 7) % 13;
        y[i] = atomicExch(&x[h], i);
    }
}

// case: pushed_ref grid=16 block=32 n=2000 expect=ordering:error@1@2
KERNEL(pushed_ref)
{
    for (int i = GID; i < n; i += BLOCK * GRID) {
        device_int h(x[i % 5]);
        y[i] = h.load(cuda::memory_order_relaxed); // @1
        h.store(i + 1, cuda::memory_order_relaxed); // @2
    }
}

// Ordered, and yet two steps.
// case: pushed_ref_release grid=16 block=32 n=2000 expect=ordering:error
KERNEL(pushed_ref_release)
{
    for (int i = GID; i < n; i += BLOCK * GRID) {
        device_int h(x[i % 5]);
        y[i] = h.load(cuda::memory_order_acquire);
        h.store(i + 1, cuda::memory_order_release);
    }
}

// case: pushed_nil grid=16 block=32 expect=ordering:error
KERNEL(pushed_nil)
{
    int old = VOL_INT(x[GID % 3]);
    if (old != 0)
        y[ME] = old;
    VOL_INT(x[GID % 3]) = ME;
}

// Linked behind it.
// case: pushed_after grid=64 block=32 expect=ordering:error@1@2
KERNEL(pushed_after)
{
    int old = VOL_INT(x[0]); // @1
    VOL_INT(x[0]) = ME; // @2
    y[ME] = old;
}

// Behind the last one.
// case: pushed_tail grid=64 block=32 expect=ordering:error@1@2
KERNEL(pushed_tail)
{
    int old = atomicAdd(&x[0], 0); // @1
    VOL_INT(y[old]) = ME;
    atomicExch(&x[0], ME); // @2
}

// case: pushed_tail_relaxed grid=16 block=32 expect=ordering:error@1@2
KERNEL(pushed_tail_relaxed)
{
    int old = LD("relaxed.gpu", &x[0]); // @1
    ST("relaxed.gpu", &x[0], ME); // @2
    ST("relaxed.gpu", &y[old], ME);
}

// case: pushed_tail_right grid=64 block=32 expect=silent
KERNEL(pushed_tail_right)
{
    int old = atomicExch(&x[0], ME);
    VOL_INT(y[old]) = ME;
}

// Who finds that another has come in between links that one.
// case: pushed_put_right grid=64 block=32 expect=silent
KERNEL(pushed_put_right)
{
    int old = VOL_INT(x[0]);
    y[ME] = old;
    int was = atomicExch(&x[0], ME);
    if (was != old)
        y[ME] = was;
}

// One after another.
// case: pushed_in_lock grid=16 block=32 expect=silent
KERNEL(pushed_in_lock)
{
    for (int lane = 0; lane < 32; lane++)
        if (TID == lane) {
            while (atomicCAS(&flag[0], 0, 1));
            __threadfence();
            int old = VOL_INT(x[0]);
            y[ME] = old;
            VOL_INT(x[0]) = ME;
            __threadfence();
            atomicExch(&flag[0], 0);
        }
}

// case: pushed_block_own grid=16 block=32 expect=silent
KERNEL(pushed_block_own)
{
    if (TID == 0) {
        for (int i = 0; i < 10; i++) {
            int old = VOL_INT(x[BID]);
            y[BID * 10 + i] = old;
            VOL_INT(x[BID]) = BID * 10 + i;
        }
    }
}

// case: pushed_barriers grid=1 block=64 expect=silent
KERNEL(pushed_barriers)
{
    for (int t = 0; t < 64; t++) {
        if (TID == t) {
            int old = VOL_INT(x[0]);
            y[ME] = old;
            VOL_INT(x[0]) = ME;
        }
        __syncthreads();
    }
}

// case: pushed_shared grid=4 block=64 expect=ordering:error
KERNEL(pushed_shared)
{
    __shared__ int head, next[64];
    if (TID == 0) head = -1;
    __syncthreads();
    int old = VOL_INT(head);
    next[TID] = old;
    atomicExch(&head, (int)TID);
    __syncthreads();
    y[GID] = next[TID];
}

// case: pushed_shared_right grid=4 block=64 expect=silent
KERNEL(pushed_shared_right)
{
    __shared__ int head, next[64];
    if (TID == 0) head = -1;
    __syncthreads();
    next[TID] = atomicExch(&head, (int)TID);
    __syncthreads();
    y[GID] = next[TID];
}

// What was read is only noted: nothing leads there.
// who came before me, only noted: last writer wins, nothing else hangs on it
// case: pushed_note grid=16 block=32 expect=silent
KERNEL(pushed_note)
{
    int old = VOL_INT(x[0]);
    y[GID] = old > 0;
    VOL_INT(x[0]) = 1;
}
