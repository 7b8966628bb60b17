/**
 * @file judge.cuh
 * What the cases of the pair suite share: one kernel signature, names for places in the grid, and
 * PTX operations that CUDA C++ has no spelling for.
 *
 * Everything that touches memory is a macro, so that its source line is the line of its use.
 */
#ifndef TESTS_JUDGE_CUH
#define TESTS_JUDGE_CUH

/** x, y, flag: 65,536 zeroed words each; n: the case line's n, else the number of threads. */
#define KERNEL(name) extern "C" __global__ void name(int *x, int *y, unsigned *flag, int n)

#define TID threadIdx.x
#define BID blockIdx.x
#define BLOCK blockDim.x
#define GRID gridDim.x
#define GID (blockIdx.x * blockDim.x + threadIdx.x)

/** A word as volatile, which PTX takes as relaxed at system scope. */
#define VOL(place) (*(volatile unsigned *)&(place))
#define VOL_INT(place) (*(volatile int *)&(place))

/** Loads, stores and read-modify-writes with stated semantics, such as LD("acquire.gpu", &word). */
#define LD(how, p)                                                                                 \
    ({                                                                                             \
        unsigned got_;                                                                             \
        asm volatile("ld." how ".u32 %0, [%1];" : "=r"(got_) : "l"(p) : "memory");                 \
        got_;                                                                                      \
    })
#define ST(how, p, v) asm volatile("st." how ".u32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define ATOM_ADD(how, p, v)                                                                        \
    ({                                                                                             \
        unsigned old_;                                                                             \
        asm volatile("atom.add." how ".u32 %0, [%1], %2;"                                          \
                     : "=r"(old_) : "l"(p), "r"(v) : "memory");                                    \
        old_;                                                                                      \
    })
#define ATOM_EXCH(how, p, v)                                                                       \
    ({                                                                                             \
        unsigned old_;                                                                             \
        asm volatile("atom." how ".exch.b32 %0, [%1], %2;"                                         \
                     : "=r"(old_) : "l"(p), "r"(v) : "memory");                                    \
        old_;                                                                                      \
    })
#define ATOM_CAS(how, p, was, v)                                                                   \
    ({                                                                                             \
        unsigned old_;                                                                             \
        asm volatile("atom." how ".cas.b32 %0, [%1], %2, %3;"                                      \
                     : "=r"(old_) : "l"(p), "r"(was), "r"(v) : "memory");                          \
        old_;                                                                                      \
    })
#define RED_ADD(how, p, v) asm volatile("red." how ".add.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define FENCE(how) asm volatile("fence." how ";" ::: "memory")
#define TRAP() asm volatile("trap;")

/** Named barriers: `count` threads complete one. */
#define BAR_SYNC(id, count) asm volatile("bar.sync %0, %1;" ::"n"(id), "n"(count) : "memory")
#define BAR_ARRIVE(id, count) asm volatile("bar.arrive %0, %1;" ::"n"(id), "n"(count) : "memory")

#endif
