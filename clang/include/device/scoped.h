/**
 * @file scoped.h
 * Atomics with an order and a scope: what nvcc's __nv_atomic_*() and <cuda/atomic> are made of.
 *
 * Sequentially consistent is fence.sc before an acquire: PTX has no access of that order. Order and scope are constants
 * after inlining, so that one instruction is left of each switch.
 */
#ifndef FENCEPOST_DEVICE_SCOPED_H
#define FENCEPOST_DEVICE_SCOPED_H

enum {
    __NV_ATOMIC_RELAXED,
    __NV_ATOMIC_CONSUME,
    __NV_ATOMIC_ACQUIRE,
    __NV_ATOMIC_RELEASE,
    __NV_ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST
};
enum {
    __NV_THREAD_SCOPE_THREAD,
    __NV_THREAD_SCOPE_BLOCK,
    __NV_THREAD_SCOPE_CLUSTER,
    __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM
};

/* One instruction, `before` SCOPE `after`; what follows are its operands. A thread's own scope is its block's in PTX, and
   a cluster's the device's, which holds more. */
#define FENCEPOST_SCOPES(scope, before, after, ...)                                                \
    switch (scope) {                                                                               \
    case __NV_THREAD_SCOPE_THREAD:                                                                 \
    case __NV_THREAD_SCOPE_BLOCK: asm volatile(before ".cta" after __VA_ARGS__ : "memory"); break; \
    case __NV_THREAD_SCOPE_CLUSTER:                                                                \
    case __NV_THREAD_SCOPE_DEVICE: asm volatile(before ".gpu" after __VA_ARGS__ : "memory"); break; \
    default: asm volatile(before ".sys" after __VA_ARGS__ : "memory");                             \
    }

FENCEPOST_DEVICE void __nv_atomic_thread_fence(int order, int scope)
{
    if (order == __NV_ATOMIC_SEQ_CST)
        FENCEPOST_SCOPES(scope, "fence.sc", ";", : :)
    else if (order != __NV_ATOMIC_RELAXED)
        FENCEPOST_SCOPES(scope, "fence.acq_rel", ";", : :)
}

/* An access that reads, that writes, that does both: `before` ORDER SCOPE `after`. */
#define FENCEPOST_READS(order, scope, before, after, ...)                                          \
    if (order == __NV_ATOMIC_RELAXED)                                                              \
        FENCEPOST_SCOPES(scope, before ".relaxed", after, __VA_ARGS__)                             \
    else                                                                                           \
        FENCEPOST_SCOPES(scope, before ".acquire", after, __VA_ARGS__)
#define FENCEPOST_WRITES(order, scope, before, after, ...)                                         \
    if (order == __NV_ATOMIC_RELEASE || order == __NV_ATOMIC_ACQ_REL)                              \
        FENCEPOST_SCOPES(scope, before ".release", after, __VA_ARGS__)                             \
    else                                                                                           \
        FENCEPOST_SCOPES(scope, before ".relaxed", after, __VA_ARGS__)
#define FENCEPOST_BOTH_WAYS(order, scope, before, after, ...)                                      \
    if (order == __NV_ATOMIC_ACQ_REL)                                                              \
        FENCEPOST_SCOPES(scope, before ".acq_rel", after, __VA_ARGS__)                             \
    else if (order == __NV_ATOMIC_RELEASE)                                                         \
        FENCEPOST_SCOPES(scope, before ".release", after, __VA_ARGS__)                             \
    else                                                                                           \
        FENCEPOST_READS(order, scope, before, after, __VA_ARGS__)
#define FENCEPOST_FENCE_FIRST(order, scope)                                                        \
    if (order == __NV_ATOMIC_SEQ_CST)                                                              \
        __nv_atomic_thread_fence(order, scope);

#define FENCEPOST_EXCHANGE(name, ptx, type, reg)                                                   \
    FENCEPOST_DEVICE type name(type *p, type v, int order, int scope)                              \
    {                                                                                              \
        type old;                                                                                  \
        FENCEPOST_FENCE_FIRST(order, scope)                                                        \
        FENCEPOST_BOTH_WAYS(order, scope, "atom", "." ptx " %0, [%1], %2;", : "=" reg(old) : "l"(p), reg(v)) \
        return old;                                                                                \
    }
#define FENCEPOST_ACCESSES(bits, type, reg)                                                        \
    FENCEPOST_DEVICE type fencepost_load(const type *p, int order, int scope)                      \
    {                                                                                              \
        type v;                                                                                    \
        FENCEPOST_FENCE_FIRST(order, scope)                                                        \
        FENCEPOST_READS(order, scope, "ld", "." bits " %0, [%1];", : "=" reg(v) : "l"(p))          \
        return v;                                                                                  \
    }                                                                                              \
    FENCEPOST_DEVICE void fencepost_store(type *p, type v, int order, int scope)                   \
    {                                                                                              \
        FENCEPOST_FENCE_FIRST(order, scope)                                                        \
        FENCEPOST_WRITES(order, scope, "st", "." bits " [%0], %1;", : : "l"(p), reg(v))            \
    }                                                                                              \
    FENCEPOST_DEVICE type fencepost_cas(type *p, type expected, type v, int order, int scope)      \
    {                                                                                              \
        type old;                                                                                  \
        FENCEPOST_FENCE_FIRST(order, scope)                                                        \
        FENCEPOST_BOTH_WAYS(order, scope, "atom", ".cas." bits " %0, [%1], %2, %3;",               \
                            : "=" reg(old) : "l"(p), reg(expected), reg(v))                        \
        return old;                                                                                \
    }                                                                                              \
    FENCEPOST_EXCHANGE(fencepost_exch, "exch." bits, type, reg)                                    \
    FENCEPOST_EXCHANGE(fencepost_and, "and." bits, type, reg)                                      \
    FENCEPOST_EXCHANGE(fencepost_or, "or." bits, type, reg)                                        \
    FENCEPOST_EXCHANGE(fencepost_xor, "xor." bits, type, reg)
FENCEPOST_ACCESSES("b32", unsigned, "r")
FENCEPOST_ACCESSES("b64", unsigned long long, "l")
FENCEPOST_EXCHANGE(fencepost_add, "add.u32", int, "r")
FENCEPOST_EXCHANGE(fencepost_add, "add.u32", unsigned, "r")
FENCEPOST_EXCHANGE(fencepost_add, "add.u64", long long, "l")
FENCEPOST_EXCHANGE(fencepost_add, "add.u64", unsigned long long, "l")
FENCEPOST_EXCHANGE(fencepost_add, "add.u64", long, "l")
FENCEPOST_EXCHANGE(fencepost_add, "add.u64", unsigned long, "l")
FENCEPOST_EXCHANGE(fencepost_add, "add.f32", float, "f")
FENCEPOST_EXCHANGE(fencepost_add, "add.f64", double, "d")
#define FENCEPOST_ORDERED(op)                                                                      \
    FENCEPOST_EXCHANGE(fencepost_##op, #op ".s32", int, "r")                                       \
    FENCEPOST_EXCHANGE(fencepost_##op, #op ".u32", unsigned, "r")                                  \
    FENCEPOST_EXCHANGE(fencepost_##op, #op ".s64", long long, "l")                                 \
    FENCEPOST_EXCHANGE(fencepost_##op, #op ".u64", unsigned long long, "l")                        \
    FENCEPOST_EXCHANGE(fencepost_##op, #op ".s64", long, "l")                                      \
    FENCEPOST_EXCHANGE(fencepost_##op, #op ".u64", unsigned long, "l")
FENCEPOST_ORDERED(min)
FENCEPOST_ORDERED(max)

/** The word that an object is accessed as: 1 and 2 bytes are part of one of 4. */
template <class T> struct fencepost_word {
    static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                  "the kit's headers for clang have atomics of 1, 2, 4 and 8 bytes");
    typedef typename std::conditional<sizeof(T) <= 4, unsigned, unsigned long long>::type type;
};
#define FENCEPOST_WORD(T, p) ((typename fencepost_word<T>::type *)((size_t)(p) & ~(size_t)(sizeof(typename fencepost_word<T>::type) - 1)))
template <class T> FENCEPOST_DEVICE typename fencepost_word<T>::type fencepost_bits(T v)
{
    typename fencepost_word<T>::type bits = 0;
    __builtin_memcpy(&bits, &v, sizeof v);
    return bits;
}
template <class T> FENCEPOST_DEVICE T fencepost_value(typename fencepost_word<T>::type bits)
{
    T v;
    __builtin_memcpy(&v, &bits, sizeof v);
    return v;
}

/* Objects of 1 and 2 bytes: what writes is a loop that compares and swaps the word, as nvcc's; loads are of the word, too, for
   accesses of other sizes would race with it. */
#define FENCEPOST_SMALL(T) (sizeof(T) < 4)
template <class T> FENCEPOST_DEVICE unsigned fencepost_shift(const T *p) { return ((size_t)p & (4 - sizeof(T))) * 8; }
template <class T> FENCEPOST_DEVICE T fencepost_load_small(const T *p, int order, int scope)
{
    return fencepost_value<T>(fencepost_load(FENCEPOST_WORD(T, p), order, scope) >> fencepost_shift(p));
}
/** Puts change(old value) there, and returns the old value. */
template <class T, class Change> FENCEPOST_DEVICE T fencepost_change_small(T *p, int order, int scope, Change change)
{
    unsigned *word = FENCEPOST_WORD(T, p), shift = fencepost_shift(p), mask = (sizeof(T) == 1 ? 0xff : 0xffff) << shift;
    FENCEPOST_FENCE_FIRST(order, scope)
    unsigned seen = fencepost_load(word, __NV_ATOMIC_RELAXED, scope), now;
    for (;; seen = now) {
        T old = fencepost_value<T>(seen >> shift);
        unsigned next = (seen & ~mask) | fencepost_bits<T>(change(old)) << shift;
        now = fencepost_cas(word, seen, next, order == __NV_ATOMIC_SEQ_CST ? __NV_ATOMIC_ACQUIRE : order, scope);
        if (now == seen)
            return old;
    }
}

/* nvcc's own; an argument of another arithmetic type becomes the object's, as there. */
#define FENCEPOST_SAME typename std::enable_if<true, T>::type

template <class T> FENCEPOST_DEVICE T __nv_atomic_load_n(const T *p, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    if constexpr (FENCEPOST_SMALL(T))
        return fencepost_load_small(p, order, scope);
    else
        return fencepost_value<T>(fencepost_load(FENCEPOST_WORD(T, p), order, scope));
}
template <class T>
FENCEPOST_DEVICE void __nv_atomic_store_n(T *p, FENCEPOST_SAME v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    if constexpr (FENCEPOST_SMALL(T))
        fencepost_change_small(p, order, scope, [=](T) { return v; });
    else
        fencepost_store(FENCEPOST_WORD(T, p), fencepost_bits<T>(v), order, scope);
}
template <class T>
FENCEPOST_DEVICE T __nv_atomic_exchange_n(T *p, FENCEPOST_SAME v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    if constexpr (FENCEPOST_SMALL(T))
        return fencepost_change_small(p, order, scope, [=](T) { return v; });
    else
        return fencepost_value<T>(fencepost_exch(FENCEPOST_WORD(T, p), fencepost_bits<T>(v), order, scope));
}
template <class T>
FENCEPOST_DEVICE bool __nv_atomic_compare_exchange_n(T *p, T *expected, FENCEPOST_SAME v, bool, int order, int failure,
                                                     int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    T old;
    order = order > failure ? order : failure;
    if constexpr (FENCEPOST_SMALL(T))
        old = fencepost_change_small(p, order, scope, [=](T now) {
            return fencepost_bits<T>(now) == fencepost_bits<T>(*expected) ? (T)v : now;
        });
    else
        old = fencepost_value<T>(fencepost_cas(FENCEPOST_WORD(T, p), fencepost_bits<T>(*expected), fencepost_bits<T>(v), order, scope));
    bool same = fencepost_bits<T>(old) == fencepost_bits<T>(*expected);
    if (!same)
        *expected = old;
    return same;
}
#define FENCEPOST_FETCH(op, arguments, small)                                                      \
    template <class T>                                                                             \
    FENCEPOST_DEVICE T __nv_atomic_fetch_##op(T *p, FENCEPOST_SAME v, int order,                   \
                                              int scope = __NV_THREAD_SCOPE_SYSTEM)                \
    {                                                                                              \
        if constexpr (FENCEPOST_SMALL(T))                                                          \
            return fencepost_change_small(p, order, scope, [=](T old) { return (T)(small); });     \
        else                                                                                       \
            return (T)fencepost_##op(arguments, order, scope);                                     \
    }
#define FENCEPOST_VALUES p, v
#define FENCEPOST_WORDS_OF FENCEPOST_WORD(T, p), fencepost_bits<T>(v)
FENCEPOST_FETCH(add, FENCEPOST_VALUES, old + v)
FENCEPOST_FETCH(min, FENCEPOST_VALUES, old < v ? old : v)
FENCEPOST_FETCH(max, FENCEPOST_VALUES, old > v ? old : v)
FENCEPOST_FETCH(and, FENCEPOST_WORDS_OF, old & v)
FENCEPOST_FETCH(or, FENCEPOST_WORDS_OF, old | v)
FENCEPOST_FETCH(xor, FENCEPOST_WORDS_OF, old ^ v)
template <class T>
FENCEPOST_DEVICE T __nv_atomic_fetch_sub(T *p, FENCEPOST_SAME v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    return __nv_atomic_fetch_add(p, (T)(0 - v), order, scope);
}

#undef FENCEPOST_VALUES
#undef FENCEPOST_WORDS_OF
#undef FENCEPOST_FETCH
#undef FENCEPOST_ORDERED
#undef FENCEPOST_ACCESSES
#undef FENCEPOST_EXCHANGE

#endif
