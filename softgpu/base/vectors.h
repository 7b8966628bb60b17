/**
 * @file vectors.h
 * Functions for processors that have what they ask for.
 */
#ifndef SOFTGPU_BASE_VECTORS_H
#define SOFTGPU_BASE_VECTORS_H

/** Of a function that uses these instructions. It is not made under the sanitizer of undefined behaviour: between that one's calls
 *  GCC 12 keeps a mask of 16 lanes as 16 bits and takes it back as 32. */
#define USES_VECTORS(features) __attribute__((target(features), no_sanitize("undefined")))

/** What the steps of a check may use (sixteen.h). */
enum vectors_level { VECTORS_NONE, VECTORS_AVX2, VECTORS_AVX512 };

/** What the processor has, or less where SOFTGPU_ISA says plain or avx2, for tests. */
enum vectors_level vectors_look(void);
/** 1 + that; 0: nobody has looked yet. */
extern int vectors_known;
static inline enum vectors_level vectors_level(void)
{
    int known = __atomic_load_n(&vectors_known, __ATOMIC_RELAXED);
    return known ? (enum vectors_level)(known - 1) : vectors_look();
}

/** Of a table that is made for each kind of processor with vectors, NAME_avx2 and NAME_avx512: this processor's; NULL: it goes lane by lane. */
#ifdef __x86_64__
#define VECTORS_OF(name)                                                                           \
    (vectors_level() == VECTORS_AVX512 ? &name##_avx512 : vectors_level() == VECTORS_AVX2 ? &name##_avx2 : NULL)
#else
#define VECTORS_OF(name) NULL
#endif

#endif
