/**
 * @file mbarrier.h
 * What cuda::barrier and cuda::pipeline need of PTX's mbarriers, which are there from compute_80 on.
 */
#ifndef FENCEPOST_GROUPS_MBARRIER_H
#define FENCEPOST_GROUPS_MBARRIER_H

FENCEPOST_DEVICE unsigned fencepost_at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

FENCEPOST_DEVICE bool fencepost_mbarrier_at(const void *p) { return __isShared(p); }
FENCEPOST_DEVICE void fencepost_mbarrier_init(void *b, unsigned expected)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" : : "r"(fencepost_at(b)), "r"(expected) : "memory");
}
FENCEPOST_DEVICE void fencepost_mbarrier_end(void *b)
{
    asm volatile("mbarrier.inval.shared.b64 [%0];" : : "r"(fencepost_at(b)) : "memory");
}
FENCEPOST_DEVICE unsigned long long fencepost_mbarrier_arrive(void *b, unsigned threads)
{
    unsigned long long phase;
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;" : "=l"(phase) : "r"(fencepost_at(b)), "r"(threads) : "memory");
#else
    if (threads > 1)
        asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;"
                     : "=l"(phase) : "r"(fencepost_at(b)), "r"(threads - 1) : "memory");
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(phase) : "r"(fencepost_at(b)) : "memory");
#endif
    return phase;
}
FENCEPOST_DEVICE void fencepost_mbarrier_drop(void *b)
{
    asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];" : : "r"(fencepost_at(b)) : "memory");
}
/* The calling thread's copies so far are one more arrival. */
FENCEPOST_DEVICE void fencepost_mbarrier_copies(void *b)
{
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" : : "r"(fencepost_at(b)) : "memory");
}
#if __CUDA_ARCH__ >= 900
#define FENCEPOST_LOOK "mbarrier.try_wait"
#else
#define FENCEPOST_LOOK "mbarrier.test_wait"
#endif
FENCEPOST_DEVICE bool fencepost_mbarrier_over(const void *b, unsigned long long phase)
{
    int over;
    asm volatile("{ .reg .pred %%p1; " FENCEPOST_LOOK ".shared.b64 %%p1, [%1], %2; selp.b32 %0, 1, 0, %%p1; }"
                 : "=r"(over) : "r"(fencepost_at(b)), "l"(phase) : "memory");
    return over;
}
FENCEPOST_DEVICE bool fencepost_mbarrier_parity_over(const void *b, unsigned parity)
{
    int over;
    asm volatile("{ .reg .pred %%p1; " FENCEPOST_LOOK ".parity.shared.b64 %%p1, [%1], %2; selp.b32 %0, 1, 0, %%p1; }"
                 : "=r"(over) : "r"(fencepost_at(b)), "r"(parity) : "memory");
    return over;
}
#undef FENCEPOST_LOOK

#else

FENCEPOST_DEVICE bool fencepost_mbarrier_at(const void *) { return false; }
FENCEPOST_DEVICE void fencepost_mbarrier_init(void *, unsigned) {}
FENCEPOST_DEVICE void fencepost_mbarrier_end(void *) {}
FENCEPOST_DEVICE unsigned long long fencepost_mbarrier_arrive(void *, unsigned) { return 0; }
FENCEPOST_DEVICE void fencepost_mbarrier_drop(void *) {}
FENCEPOST_DEVICE void fencepost_mbarrier_copies(void *) {}
FENCEPOST_DEVICE bool fencepost_mbarrier_over(const void *, unsigned long long) { return true; }
FENCEPOST_DEVICE bool fencepost_mbarrier_parity_over(const void *, unsigned) { return true; }

#endif

#endif
