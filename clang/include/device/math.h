/**
 * @file math.h
 * Arithmetic of floating-point numbers that is one PTX instruction or a few.
 *
 * clang has no library of device functions without NVIDIA's; sin, exp and the like come from device/elementary.h.
 */
#ifndef FENCEPOST_DEVICE_MATH_H
#define FENCEPOST_DEVICE_MATH_H

#define FENCEPOST_UNARY(name, type, reg, ptx)                                                      \
    FENCEPOST_DEVICE type name(type v)                                                             \
    {                                                                                              \
        type r;                                                                                    \
        asm(ptx " %0, %1;" : "=" reg(r) : reg(v));                                                 \
        return r;                                                                                  \
    }
#define FENCEPOST_BINARY(name, type, reg, ptx)                                                     \
    FENCEPOST_DEVICE type name(type a, type b)                                                     \
    {                                                                                              \
        type r;                                                                                    \
        asm(ptx " %0, %1, %2;" : "=" reg(r) : reg(a), reg(b));                                     \
        return r;                                                                                  \
    }
#define FENCEPOST_TERNARY(name, type, reg, ptx)                                                    \
    FENCEPOST_DEVICE type name(type a, type b, type c)                                             \
    {                                                                                              \
        type r;                                                                                    \
        asm(ptx " %0, %1, %2, %3;" : "=" reg(r) : reg(a), reg(b), reg(c));                         \
        return r;                                                                                  \
    }
/* The function for float, for double, and float's under double's name, as C++ overloads it. */
#define FENCEPOST_EACH(kind, name, op)                                                             \
    kind(name##f, float, "f", op ".f32")                                                           \
    kind(name, float, "f", op ".f32")                                                              \
    kind(name, double, "d", op ".f64")
#define FENCEPOST_ROUND(name, op)                                                                  \
    FENCEPOST_UNARY(name##f, float, "f", op ".f32.f32")                                            \
    FENCEPOST_UNARY(name, float, "f", op ".f32.f32")                                               \
    FENCEPOST_UNARY(name, double, "d", op ".f64.f64")

FENCEPOST_EACH(FENCEPOST_UNARY, fabs, "abs")
FENCEPOST_EACH(FENCEPOST_UNARY, sqrt, "sqrt.rn")
FENCEPOST_ROUND(floor, "cvt.rmi")
FENCEPOST_ROUND(ceil, "cvt.rpi")
FENCEPOST_ROUND(trunc, "cvt.rzi")
FENCEPOST_ROUND(rint, "cvt.rni")
FENCEPOST_ROUND(nearbyint, "cvt.rni")
FENCEPOST_EACH(FENCEPOST_BINARY, fmin, "min")
FENCEPOST_EACH(FENCEPOST_BINARY, fmax, "max")
FENCEPOST_EACH(FENCEPOST_TERNARY, fma, "fma.rn")

FENCEPOST_DEVICE float rsqrtf(float v) { return (float)(1.0 / sqrt((double)v)); }
FENCEPOST_DEVICE double rsqrt(double v) { return 1.0 / sqrt(v); }
FENCEPOST_DEVICE float abs(float v) { return fabsf(v); }
FENCEPOST_DEVICE double abs(double v) { return fabs(v); }
FENCEPOST_DEVICE float copysignf(float a, float b) { return __builtin_copysignf(a, b); }
FENCEPOST_DEVICE double copysign(double a, double b) { return __builtin_copysign(a, b); }
FENCEPOST_DEVICE float roundf(float v) { return truncf(v + copysignf(0.49999997f, v)); }
FENCEPOST_DEVICE double round(double v) { return trunc(v + copysign(0.49999999999999994, v)); }

/* The fast ones, which PTX has itself. */
FENCEPOST_UNARY(__sinf, float, "f", "sin.approx.f32")
FENCEPOST_UNARY(__cosf, float, "f", "cos.approx.f32")
FENCEPOST_UNARY(fencepost_ex2, float, "f", "ex2.approx.f32")
FENCEPOST_UNARY(fencepost_lg2, float, "f", "lg2.approx.f32")
FENCEPOST_UNARY(__frcp_rn, float, "f", "rcp.rn.f32")
FENCEPOST_UNARY(__fsqrt_rn, float, "f", "sqrt.rn.f32")
FENCEPOST_BINARY(__fadd_rn, float, "f", "add.rn.f32")
FENCEPOST_BINARY(__fsub_rn, float, "f", "sub.rn.f32")
FENCEPOST_BINARY(__fmul_rn, float, "f", "mul.rn.f32")
FENCEPOST_BINARY(__fdiv_rn, float, "f", "div.rn.f32")
FENCEPOST_TERNARY(__fmaf_rn, float, "f", "fma.rn.f32")
FENCEPOST_BINARY(__fdividef, float, "f", "div.approx.f32")
FENCEPOST_BINARY(__dadd_rn, double, "d", "add.rn.f64")
FENCEPOST_BINARY(__dmul_rn, double, "d", "mul.rn.f64")
FENCEPOST_DEVICE float __expf(float v) { return fencepost_ex2(v * 1.4426950408889634f); }
FENCEPOST_DEVICE float __exp2f(float v) { return fencepost_ex2(v); }
FENCEPOST_DEVICE float __log2f(float v) { return fencepost_lg2(v); }
FENCEPOST_DEVICE float __logf(float v) { return fencepost_lg2(v) * 0.6931471805599453f; }
FENCEPOST_DEVICE float __powf(float a, float b) { return fencepost_ex2(b * fencepost_lg2(a)); }

#define FENCEPOST_CONVERT(name, from, fr, to, tr, ptx)                                             \
    FENCEPOST_DEVICE to name(from v)                                                               \
    {                                                                                              \
        to r;                                                                                      \
        asm("cvt." ptx " %0, %1;" : "=" tr(r) : fr(v));                                            \
        return r;                                                                                  \
    }
FENCEPOST_CONVERT(__float2int_rn, float, "f", int, "r", "rni.s32.f32")
FENCEPOST_CONVERT(__float2int_rz, float, "f", int, "r", "rzi.s32.f32")
FENCEPOST_CONVERT(__float2int_rd, float, "f", int, "r", "rmi.s32.f32")
FENCEPOST_CONVERT(__float2int_ru, float, "f", int, "r", "rpi.s32.f32")
FENCEPOST_CONVERT(__float2uint_rn, float, "f", unsigned, "r", "rni.u32.f32")
FENCEPOST_CONVERT(__float2uint_rz, float, "f", unsigned, "r", "rzi.u32.f32")
FENCEPOST_CONVERT(__int2float_rn, int, "r", float, "f", "rn.f32.s32")
FENCEPOST_CONVERT(__uint2float_rn, unsigned, "r", float, "f", "rn.f32.u32")
FENCEPOST_CONVERT(__double2int_rn, double, "d", int, "r", "rni.s32.f64")
FENCEPOST_CONVERT(__double2int_rz, double, "d", int, "r", "rzi.s32.f64")
FENCEPOST_CONVERT(__double2float_rn, double, "d", float, "f", "rn.f32.f64")

#undef FENCEPOST_CONVERT
#undef FENCEPOST_ROUND
#undef FENCEPOST_EACH
#undef FENCEPOST_TERNARY
#undef FENCEPOST_BINARY
#undef FENCEPOST_UNARY

#endif
