/**
 * @file atomics.h
 * atomicAdd() and its family: relaxed, at device scope; _block and _system at theirs.
 */
#ifndef FENCEPOST_DEVICE_ATOMICS_H
#define FENCEPOST_DEVICE_ATOMICS_H

#define FENCEPOST_ONE(name, scope, op, ptx, type, reg)                                             \
    FENCEPOST_DEVICE type name(type *at, type value)                                               \
    {                                                                                              \
        type old;                                                                                  \
        asm volatile("atom" scope "." op "." ptx " %0, [%1], %2;"                                  \
                     : "=" reg(old) : "l"(at), reg(value) : "memory");                             \
        return old;                                                                                \
    }
#define FENCEPOST_EACH_SCOPE(name, op, ptx, type, reg)                                             \
    FENCEPOST_ONE(name, "", op, ptx, type, reg)                                                    \
    FENCEPOST_ONE(name##_block, ".cta", op, ptx, type, reg)                                        \
    FENCEPOST_ONE(name##_system, ".sys", op, ptx, type, reg)

#define FENCEPOST_32(name, op, s, u)                                                               \
    FENCEPOST_EACH_SCOPE(name, op, s "32", int, "r")                                               \
    FENCEPOST_EACH_SCOPE(name, op, u "32", unsigned, "r")
#define FENCEPOST_64(name, op, s, u)                                                               \
    FENCEPOST_EACH_SCOPE(name, op, u "64", unsigned long long, "l")

FENCEPOST_32(atomicAdd, "add", "u", "u")
FENCEPOST_64(atomicAdd, "add", "u", "u")
FENCEPOST_EACH_SCOPE(atomicAdd, "add", "f32", float, "f")
FENCEPOST_EACH_SCOPE(atomicAdd, "add", "f64", double, "d")
FENCEPOST_32(atomicExch, "exch", "b", "b")
FENCEPOST_64(atomicExch, "exch", "b", "b")
FENCEPOST_EACH_SCOPE(atomicExch, "exch", "b32", float, "f")
FENCEPOST_32(atomicMin, "min", "s", "u")
FENCEPOST_64(atomicMin, "min", "s", "u")
FENCEPOST_EACH_SCOPE(atomicMin, "min", "s64", long long, "l")
FENCEPOST_32(atomicMax, "max", "s", "u")
FENCEPOST_64(atomicMax, "max", "s", "u")
FENCEPOST_EACH_SCOPE(atomicMax, "max", "s64", long long, "l")
FENCEPOST_32(atomicAnd, "and", "b", "b")
FENCEPOST_64(atomicAnd, "and", "b", "b")
FENCEPOST_32(atomicOr, "or", "b", "b")
FENCEPOST_64(atomicOr, "or", "b", "b")
FENCEPOST_32(atomicXor, "xor", "b", "b")
FENCEPOST_64(atomicXor, "xor", "b", "b")
FENCEPOST_EACH_SCOPE(atomicInc, "inc", "u32", unsigned, "r")
FENCEPOST_EACH_SCOPE(atomicDec, "dec", "u32", unsigned, "r")

/* PTX has no subtraction: the negated value is added. */
#define FENCEPOST_SUB(suffix)                                                                      \
    FENCEPOST_DEVICE int atomicSub##suffix(int *at, int value)                                     \
    {                                                                                              \
        return atomicAdd##suffix(at, (int)(0u - (unsigned)value));                                 \
    }                                                                                              \
    FENCEPOST_DEVICE unsigned atomicSub##suffix(unsigned *at, unsigned value)                      \
    {                                                                                              \
        return atomicAdd##suffix(at, 0u - value);                                                  \
    }
FENCEPOST_SUB()
FENCEPOST_SUB(_block)
FENCEPOST_SUB(_system)

#define FENCEPOST_CAS(name, scope, bits, type, reg)                                                \
    FENCEPOST_DEVICE type name(type *at, type expected, type value)                                \
    {                                                                                              \
        type old;                                                                                  \
        asm volatile("atom" scope ".cas." bits " %0, [%1], %2, %3;"                                \
                     : "=" reg(old) : "l"(at), reg(expected), reg(value) : "memory");              \
        return old;                                                                                \
    }
#define FENCEPOST_CAS_SCOPES(bits, type, reg)                                                      \
    FENCEPOST_CAS(atomicCAS, "", bits, type, reg)                                                  \
    FENCEPOST_CAS(atomicCAS_block, ".cta", bits, type, reg)                                        \
    FENCEPOST_CAS(atomicCAS_system, ".sys", bits, type, reg)
FENCEPOST_CAS_SCOPES("b32", int, "r")
FENCEPOST_CAS_SCOPES("b32", unsigned, "r")
FENCEPOST_CAS_SCOPES("b64", unsigned long long, "l")
FENCEPOST_CAS_SCOPES("b16", unsigned short, "h")

#undef FENCEPOST_CAS_SCOPES
#undef FENCEPOST_CAS
#undef FENCEPOST_SUB
#undef FENCEPOST_64
#undef FENCEPOST_32
#undef FENCEPOST_EACH_SCOPE
#undef FENCEPOST_ONE

#endif
