// Orders of which one half is missing, in threads that come to the data only by a rare way: no run goes it, the enumeration of a small launch does. What
// is missing is told all the same, by what the execution's threads have seen of each other.
#include <cuda/atomic>
#include "judge.cuh"

typedef cuda::atomic_ref<unsigned, cuda::thread_scope_device> counter;

/** flag[0] counts to 6; x[0] is stored before it comes to 3. */
#define COUNTS(order)                                                                                                          \
    do {                                                                                                                       \
        counter(flag[0]).store(1, cuda::memory_order_relaxed);                                                                 \
        counter(flag[0]).store(2, cuda::memory_order_relaxed);                                                                 \
        x[0] = 11;                                                                                                               \
        counter(flag[0]).store(3, order);                                                                                      \
        counter(flag[0]).store(4, cuda::memory_order_relaxed);                                                                 \
        counter(flag[0]).store(5, cuda::memory_order_relaxed);                                                                 \
        counter(flag[0]).store(6, cuda::memory_order_relaxed);                                                                 \
    } while (0)

/** Has the reader found 1, 3 and 5? */
#define FOUND(order)                                                                                                           \
    (counter(flag[0]).load(cuda::memory_order_relaxed) == 1 && counter(flag[0]).load(order) == 3 &&                            \
     counter(flag[0]).load(cuda::memory_order_relaxed) == 5)

// case: rare_right grid=2 block=1 expect=silent
KERNEL(rare_right)
{
    if (BID == 0)
        COUNTS(cuda::memory_order_release);
    else if (FOUND(cuda::memory_order_acquire))
        y[0] = x[0];
}

// case: rare_unacquired grid=2 block=1 expect=missing-acquire
KERNEL(rare_unacquired)
{
    if (BID == 0)
        COUNTS(cuda::memory_order_release);
    else if (FOUND(cuda::memory_order_relaxed))
        y[0] = x[0];
}

// case: rare_unreleased grid=2 block=1 expect=missing-release
KERNEL(rare_unreleased)
{
    if (BID == 0)
        COUNTS(cuda::memory_order_relaxed);
    else if (FOUND(cuda::memory_order_acquire))
        y[0] = x[0];
}

// Neither half: the writer's is named, as in a run.
// case: rare_neither grid=2 block=1 expect=missing-release
KERNEL(rare_neither)
{
    if (BID == 0)
        COUNTS(cuda::memory_order_relaxed);
    else if (FOUND(cuda::memory_order_relaxed))
        y[0] = x[0];
}

// Nobody has seen a signal: the reader reads whatever it found.
// case: rare_unseen grid=2 block=1 expect=data-race
KERNEL(rare_unseen)
{
    if (BID == 0)
        COUNTS(cuda::memory_order_release);
    else if (counter(flag[0]).load(cuda::memory_order_relaxed) == 1 && counter(flag[0]).load(cuda::memory_order_relaxed) == 2 &&
             counter(flag[0]).load(cuda::memory_order_acquire) == 2)
        y[0] = x[0];
}

/** x[0] is read before flag[0] says so, and written by who has found that. */
#define HANDED_BACK(release, acquire)                                                                                          \
    if (BID == 0) {                                                                                                            \
        y[0] = x[0];                                                                                                           \
        counter(flag[0]).store(1, release);                                                                                    \
        counter(flag[0]).store(2, cuda::memory_order_relaxed);                                                                 \
        counter(flag[0]).store(3, cuda::memory_order_relaxed);                                                                 \
        counter(flag[0]).store(4, cuda::memory_order_relaxed);                                                                 \
        counter(flag[0]).store(5, cuda::memory_order_relaxed);                                                                 \
    } else if (counter(flag[0]).load(acquire) == 1 && counter(flag[0]).load(cuda::memory_order_relaxed) == 3 &&                \
               counter(flag[0]).load(cuda::memory_order_relaxed) == 4) {                                                       \
        x[0] = 5;                                                                                                              \
    }

// case: rare_back_right grid=2 block=1 expect=silent
KERNEL(rare_back_right)
{
    HANDED_BACK(cuda::memory_order_release, cuda::memory_order_acquire)
}

// case: rare_back_unacquired grid=2 block=1 expect=missing-acquire
KERNEL(rare_back_unacquired)
{
    HANDED_BACK(cuda::memory_order_release, cuda::memory_order_relaxed)
}

// case: rare_back_unreleased grid=2 block=1 expect=missing-release
KERNEL(rare_back_unreleased)
{
    HANDED_BACK(cuda::memory_order_relaxed, cuda::memory_order_acquire)
}
