/**
 * @file process.h
 * Time, traps, and what the device's driver provides: printf, malloc, assert.
 */
#ifndef FENCEPOST_DEVICE_PROCESS_H
#define FENCEPOST_DEVICE_PROCESS_H

FENCEPOST_DEVICE long long clock64()
{
    long long t;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t) : : "memory");
    return t;
}
FENCEPOST_DEVICE int clock() { return (int)clock64(); }
FENCEPOST_DEVICE unsigned long long __globaltimer()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t) : : "memory");
    return t;
}
FENCEPOST_DEVICE void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" : : "r"(ns) : "memory"); }
FENCEPOST_DEVICE void __trap() { asm volatile("trap;"); }
FENCEPOST_DEVICE void __brkpt() { asm volatile("brkpt;"); }

/* clang makes vprintf() of it, with the arguments in local memory, as nvcc does. */
extern "C" __device__ int printf(const char *, ...);
extern "C" __device__ void *malloc(size_t);
extern "C" __device__ void free(void *);
extern "C" __device__ void *memcpy(void *, const void *, size_t);
extern "C" __device__ void *memmove(void *, const void *, size_t);
extern "C" __device__ void *memset(void *, int, size_t);
extern "C" __device__ void __assertfail(const char *condition, const char *file, unsigned line, const char *function,
                                        size_t char_bytes) __attribute__((noreturn));
/* What assert() calls, in <assert.h> of glibc. */
extern "C" __device__ inline __attribute__((always_inline, nodebug, noreturn)) void
__assert_fail(const char *condition, const char *file, unsigned line, const char *function) noexcept
{
    __assertfail(condition, file, line, function, sizeof(char));
}

/* new and delete, as malloc() and free(). clang has a header with the same, which the kit's driver does not take. */
#include <new>
#ifndef __CLANG_CUDA_WRAPPERS_NEW
#define FENCEPOST_NEW __device__ inline __attribute__((always_inline, nodebug))
FENCEPOST_NEW void *operator new(size_t, void *at) noexcept { return at; }
FENCEPOST_NEW void *operator new[](size_t, void *at) noexcept { return at; }
FENCEPOST_NEW void operator delete(void *, void *) noexcept {}
FENCEPOST_NEW void operator delete[](void *, void *) noexcept {}
FENCEPOST_NEW void *operator new(size_t bytes) { return malloc(bytes); }
FENCEPOST_NEW void *operator new[](size_t bytes) { return malloc(bytes); }
FENCEPOST_NEW void operator delete(void *p) noexcept { free(p); }
FENCEPOST_NEW void operator delete[](void *p) noexcept { free(p); }
FENCEPOST_NEW void operator delete(void *p, size_t) noexcept { free(p); }
FENCEPOST_NEW void operator delete[](void *p, size_t) noexcept { free(p); }
#undef FENCEPOST_NEW
#endif

#endif
