/**
 * @file integer.h
 * Bits of integers; min and max of whatever two numbers.
 */
#ifndef FENCEPOST_DEVICE_INTEGER_H
#define FENCEPOST_DEVICE_INTEGER_H

FENCEPOST_DEVICE int __popc(unsigned v) { return __builtin_popcount(v); }
FENCEPOST_DEVICE int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
FENCEPOST_DEVICE int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
FENCEPOST_DEVICE int __clzll(long long v) { return v ? __builtin_clzll((unsigned long long)v) : 64; }
FENCEPOST_DEVICE int __ffs(int v) { return v ? __builtin_ctz((unsigned)v) + 1 : 0; }
FENCEPOST_DEVICE int __ffsll(long long v) { return v ? __builtin_ctzll((unsigned long long)v) + 1 : 0; }
FENCEPOST_DEVICE unsigned __brev(unsigned v) { return __builtin_bitreverse32(v); }
FENCEPOST_DEVICE unsigned long long __brevll(unsigned long long v) { return __builtin_bitreverse64(v); }
FENCEPOST_DEVICE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
FENCEPOST_DEVICE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
FENCEPOST_DEVICE long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
FENCEPOST_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
FENCEPOST_DEVICE int __mul24(int a, int b) { return (int)((unsigned)(a << 8 >> 8) * (unsigned)(b << 8 >> 8)); }
FENCEPOST_DEVICE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
FENCEPOST_DEVICE unsigned __byte_perm(unsigned a, unsigned b, unsigned s)
{
    unsigned v;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(v) : "r"(a), "r"(b), "r"(s));
    return v;
}
FENCEPOST_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
FENCEPOST_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}

/* Reinterpreted bits. */
#define FENCEPOST_BITS(name, to, from)                                                             \
    FENCEPOST_DEVICE to name(from v)                                                               \
    {                                                                                              \
        to bits;                                                                                   \
        static_assert(sizeof(to) == sizeof(from), "");                                             \
        __builtin_memcpy(&bits, &v, sizeof v);                                                     \
        return bits;                                                                               \
    }
FENCEPOST_BITS(__float_as_int, int, float)
FENCEPOST_BITS(__float_as_uint, unsigned, float)
FENCEPOST_BITS(__int_as_float, float, int)
FENCEPOST_BITS(__uint_as_float, float, unsigned)
FENCEPOST_BITS(__double_as_longlong, long long, double)
FENCEPOST_BITS(__longlong_as_double, double, long long)
#undef FENCEPOST_BITS

/* The usual conversions, as CUDA's overloads have them: min(-1, 2u) compares unsigned numbers. */
#define FENCEPOST_EITHER(T, U)                                                                     \
    typename std::enable_if<std::is_arithmetic<T>::value && std::is_arithmetic<U>::value, typename std::common_type<T, U>::type>::type
template <class T, class U> FENCEPOST_BOTH constexpr FENCEPOST_EITHER(T, U) min(T a, U b)
{
    typedef typename std::common_type<T, U>::type V;
    return std::is_floating_point<V>::value ? ((V)a <= (V)b || b != b ? (V)a : (V)b) : ((V)b < (V)a ? (V)b : (V)a);
}
template <class T, class U> FENCEPOST_BOTH constexpr FENCEPOST_EITHER(T, U) max(T a, U b)
{
    typedef typename std::common_type<T, U>::type V;
    return std::is_floating_point<V>::value ? ((V)a >= (V)b || b != b ? (V)a : (V)b) : ((V)a < (V)b ? (V)b : (V)a);
}
#undef FENCEPOST_EITHER

FENCEPOST_DEVICE int abs(int v) { return v < 0 ? -v : v; }
FENCEPOST_DEVICE long labs(long v) { return v < 0 ? -v : v; }
FENCEPOST_DEVICE long long llabs(long long v) { return v < 0 ? -v : v; }

#endif
