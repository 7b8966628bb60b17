// Small launches of which not every execution can be tried: races, and waits without end, that some interleaving of the threads has.
#include "judge.cuh"

typedef unsigned long long u64;

/* A stack of the blocks' own nodes: head (node, and above it a tag) in flag[0] and flag[1], next of node b in flag[64 + b]. Each block pushes
   a node and takes one, twice; what it has taken is its own. */
#define CAS64(how, p, was, v)                                                                                                              \
    ({                                                                                                                                     \
        u64 old_;                                                                                                                          \
        asm volatile("atom." how ".cas.b64 %0, [%1], %2, %3;" : "=l"(old_) : "l"(p), "l"(was), "l"(v) : "memory");                         \
        old_;                                                                                                                              \
    })
#define LD64(how, p)                                                                                                                       \
    ({                                                                                                                                     \
        u64 got_;                                                                                                                          \
        asm volatile("ld." how ".u64 %0, [%1];" : "=l"(got_) : "l"(p) : "memory");                                                         \
        got_;                                                                                                                              \
    })
__device__ __forceinline__ void stack(int *x, int *y, unsigned *flag, u64 tag)
{
    u64 *head = (u64 *)flag;
    unsigned node = BID + 1;
    for (int k = 0; k < 2; k++) {
        x[node] = 7 + node;
        u64 was = LD64("relaxed.gpu", head), old;
        for (;; was = old) {
            ST("relaxed.gpu", &flag[64 + node], (unsigned)was);
            old = CAS64("release.gpu", head, was, node | ((was + tag) & ~0xffffffffull));
            if (old == was)
                break;
        }
        for (;;) {
            was = LD64("acquire.gpu", head);
            if (!(unsigned)was)
                continue;
            unsigned next = LD("relaxed.gpu", &flag[64 + (unsigned)was]);
            if (CAS64("acquire.gpu", head, was, next | ((was + tag) & ~0xffffffffull)) == was)
                break;
        }
        node = (unsigned)was;
        y[4 * BID + k] = x[node];
    }
}

// case: stack_tagged grid=3 block=1 expect=silent
KERNEL(stack_tagged)
{
    stack(x, y, flag, 1ull << 32);
}

// One block reads a head and what follows it; others take both nodes, and push the first again: the swap finds the old head.
// case: stack_untagged grid=3 block=1 expect=data-race|missing-acquire|missing-release also=*
KERNEL(stack_untagged)
{
    stack(x, y, flag, 0);
}

/* Blocks add under a lock; then one waits until it is woken, by the one that sees that it sleeps. */
#define ADD_LOCKED(times)                                                                                                                  \
    for (int k = 0; k < (times); k++) {                                                                                                    \
        while (ATOM_EXCH("acquire.gpu", flag, 1))                                                                                          \
            ;                                                                                                                              \
        x[0]++;                                                                                                                            \
        ST("release.gpu", flag, 0);                                                                                                        \
    }

// case: sleeps_right grid=3 block=1 expect=silent
KERNEL(sleeps_right)
{
    unsigned *sleeps = flag + 32, *work = flag + 64, *woken = flag + 96;
    ADD_LOCKED(3)
    if (BID == 0) {
        ATOM_EXCH("acq_rel.gpu", sleeps, 1);
        if (!ATOM_ADD("acq_rel.gpu", work, 0))
            while (!LD("acquire.gpu", woken))
                ;
    } else if (BID == 1) {
        ATOM_EXCH("acq_rel.gpu", work, 1);
        __threadfence();
        if (LD("acquire.gpu", sleeps))
            ST("release.gpu", woken, 1);
    }
}

// A look that adds 0 by its text is a write as well: who swaps behind it has heard of it. As text and as an operand.
#define LOOKS_BY_ADDING_0(how, fence)                                                                                                      \
    unsigned *sleeps = flag + 32, *work = flag + 64, *woken = flag + 96, there;                                                            \
    ADD_LOCKED(3)                                                                                                                          \
    if (BID == 0) {                                                                                                                        \
        ATOM_EXCH(how, sleeps, 1);                                                                                                         \
        fence;                                                                                                                             \
        asm volatile("atom.add." how ".u32 %0, [%1], 0;" : "=r"(there) : "l"(work) : "memory");                                            \
        if (!there)                                                                                                                        \
            while (!LD("acquire.gpu", woken))                                                                                              \
                ;                                                                                                                          \
    } else if (BID == 1) {                                                                                                                 \
        ATOM_EXCH(how, work, 1);                                                                                                           \
        fence;                                                                                                                             \
        if (LD("acquire.gpu", sleeps))                                                                                                     \
            ST("release.gpu", woken, 1);                                                                                                   \
    }

// case: sleeps_adding_0 grid=3 block=1 expect=silent
KERNEL(sleeps_adding_0)
{
    LOOKS_BY_ADDING_0("acq_rel.gpu", (void)0)
}

// case: sleeps_adding_0_fenced grid=3 block=1 expect=silent
KERNEL(sleeps_adding_0_fenced)
{
    LOOKS_BY_ADDING_0("relaxed.gpu", FENCE("acq_rel.gpu"))
}

// case: sleeps_adding_0_relaxed grid=3 block=1 expect=deadlock also=ordering
KERNEL(sleeps_adding_0_relaxed)
{
    LOOKS_BY_ADDING_0("relaxed.gpu", (void)0)
}

// It looks before it says that it sleeps.
// case: sleeps_too_late grid=3 block=1 expect=deadlock
KERNEL(sleeps_too_late)
{
    unsigned *sleeps = flag + 32, *work = flag + 64, *woken = flag + 96;
    ADD_LOCKED(3)
    if (BID == 0) {
        if (!ATOM_ADD("acq_rel.gpu", work, 0)) {
            ATOM_EXCH("acq_rel.gpu", sleeps, 1);
            while (!LD("acquire.gpu", woken))
                ;
        }
    } else if (BID == 1) {
        ATOM_EXCH("acq_rel.gpu", work, 1);
        __threadfence();
        if (LD("acquire.gpu", sleeps))
            ST("release.gpu", woken, 1);
    }
}

// Much work of each thread's own, and then each stores and looks at what the other has stored: both may look too early, however long they have worked.
#define WORK_THEN_LOOK(between)                        \
    unsigned h = BID;                                  \
    for (int i = 0; i < 2000; i++)                     \
        h = h * 1664525u + 1013904223u;                \
    VOL(flag[BID]) = 1;                                \
    between;                                           \
    if (VOL(flag[1 - BID]) == 0)                       \
        atomicAdd(x, 1);                               \
    y[BID] = (int)h

// case: worked_long_then_looked grid=2 block=1 expect=ordering
KERNEL(worked_long_then_looked)
{
    WORK_THEN_LOOK((void)0);
}

// case: worked_long_then_fenced grid=2 block=1 expect=silent
KERNEL(worked_long_then_fenced)
{
    WORK_THEN_LOOK(__threadfence());
}

/* Three threads, two of them of one block, which a barrier lets go on (one that counts warps, too); one of them changes a number until it has, so that executions are many. Between
   any two accesses of a thread stands `fence`. */
#define ATOM(how, op, p, v)                                                                                                                \
    ({                                                                                                                                     \
        unsigned old_;                                                                                                                     \
        asm volatile("atom." how ".global." op " %0, [%1], %2;" : "=r"(old_) : "l"(p), "r"(v) : "memory");                                 \
        old_;                                                                                                                              \
    })
#define COUNTED_STEPS(meet, one, fence)                                                                                                    \
    __syncthreads();                                                                                                                       \
    unsigned *a = flag, *b = flag + 32;                                                                                                    \
    if (BID == 0) {                                                                                                                        \
        if (TID == 0) {                                                                                                                    \
            ST("release.gpu", a, 2);                                                                                                       \
            fence;                                                                                                                         \
            ST("relaxed.gpu", a, 3);                                                                                                       \
            fence;                                                                                                                         \
        } else if (TID == 32) {                                                                                                            \
            asm volatile("red.relaxed.gpu.global.and.b32 [%0], 3;" ::"l"(b) : "memory");                                                   \
            FENCE(one);                                                                                                                   \
        }                                                                                                                                  \
        meet;                                                                                                                              \
        if (TID == 0) {                                                                                                                    \
            unsigned r0 = VOL(*a);                                                                                                         \
            fence;                                                                                                                         \
            VOL(*a) = 1;                                                                                                                   \
            fence;                                                                                                                         \
            y[1] = (int)ATOM("release.gpu", "and.b32", b, 2);                                                                              \
            y[0] = (int)r0;                                                                                                                \
        } else if (TID == 32) {                                                                                                            \
            ST("release.gpu", a, 1);                                                                                                       \
        }                                                                                                                                  \
    } else if (TID == 0) {                                                                                                                 \
        unsigned was;                                                                                                                      \
        ST("release.gpu", a, 2);                                                                                                           \
        fence;                                                                                                                             \
        unsigned r0 = ATOM_CAS("acq_rel.gpu", b, 0, 3);                                                                                     \
        fence;                                                                                                                             \
        unsigned r1 = ATOM("release.gpu", "min.u32", a, 1);                                                                                 \
        fence;                                                                                                                             \
        do                                                                                                                                 \
            was = LD("relaxed.gpu", b);                                                                                                    \
        while (ATOM_CAS("acquire.gpu", b, was, was + 1) != was);                                                                           \
        fence;                                                                                                                             \
        y[5] = (int)VOL(*a);                                                                                                                 \
        y[2] = (int)r0, y[3] = (int)r1, y[4] = (int)was;                                                                                                              \
    }

// case: counted_steps grid=2 block=64 expect=ordering
KERNEL(counted_steps)
{
    COUNTED_STEPS(BAR_SYNC(1, 64), "acq_rel.gpu", (void)0)
}

// case: counted_steps_fenced grid=2 block=64 expect=silent
KERNEL(counted_steps_fenced)
{
    COUNTED_STEPS(BAR_SYNC(1, 64), "sc.gpu", FENCE("sc.gpu"))
}

// case: met_steps grid=2 block=64 expect=ordering
KERNEL(met_steps)
{
    COUNTED_STEPS(__syncthreads(), "acq_rel.gpu", (void)0)
}

// case: met_steps_fenced grid=2 block=64 expect=silent
KERNEL(met_steps_fenced)
{
    COUNTED_STEPS(__syncthreads(), "sc.gpu", FENCE("sc.gpu"))
}
