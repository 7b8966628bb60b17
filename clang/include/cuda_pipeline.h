/**
 * @file cuda_pipeline.h
 * The primitives of asynchronous copies (Programming Guide, "Pipeline Primitives"): cp.async from compute_80 on.
 *
 * Before that a copy is an ordinary load and store, and there is nothing to wait for. nvcc loads by ld.global.nc there.
 */
#ifndef FENCEPOST_CUDA_PIPELINE_H
#define FENCEPOST_CUDA_PIPELINE_H

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

FENCEPOST_DEVICE void __pipeline_memcpy_async(void *shared, const void *global, size_t size, size_t zfill = 0)
{
    unsigned to = (unsigned)__cvta_generic_to_shared(shared), source = (unsigned)(size - zfill);
    size_t from = __cvta_generic_to_global(global);
    if (size == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(to), "l"(from), "r"(source) : "memory");
    else if (size == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" : : "r"(to), "l"(from), "r"(source) : "memory");
    else if (size == 4)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" : : "r"(to), "l"(from), "r"(source) : "memory");
    else
        __trap();
}
FENCEPOST_DEVICE void __pipeline_commit() { asm volatile("cp.async.commit_group;" : : : "memory"); }
/* The number of groups is part of the instruction; eight are as many as CUDA's own has. */
FENCEPOST_DEVICE void __pipeline_wait_prior(size_t prior)
{
#define FENCEPOST_PRIOR(n) case n: asm volatile("cp.async.wait_group " #n ";" : : : "memory"); break;
    switch (prior) {
    FENCEPOST_PRIOR(0)
    FENCEPOST_PRIOR(1)
    FENCEPOST_PRIOR(2)
    FENCEPOST_PRIOR(3)
    FENCEPOST_PRIOR(4)
    FENCEPOST_PRIOR(5)
    FENCEPOST_PRIOR(6)
    FENCEPOST_PRIOR(7)
    default: asm volatile("cp.async.wait_group 8;" : : : "memory");
    }
#undef FENCEPOST_PRIOR
}

#else

FENCEPOST_DEVICE void __pipeline_memcpy_async(void *shared, const void *global, size_t size, size_t zfill = 0)
{
    char *to = (char *)shared;
    if (size == 16 && !zfill) {
        *(uint4 *)to = __ldg((const uint4 *)global);
    } else {
        for (size_t i = 0; i < size; i += 4)
            *(unsigned *)(to + i) = i + 4 <= size - zfill ? __ldg((const unsigned *)((const char *)global + i)) : 0;
    }
}
FENCEPOST_DEVICE void __pipeline_commit() {}
FENCEPOST_DEVICE void __pipeline_wait_prior(size_t) {}

#endif

#endif
