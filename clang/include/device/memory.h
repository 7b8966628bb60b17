/**
 * @file memory.h
 * Loads and stores with a cache hint, addresses of a space, prefetches none.
 *
 * The hint is part of the instruction: ld.global.nc (__ldg) is a load outside the memory model's order, and softgpu tells
 * a store beside it.
 */
#ifndef FENCEPOST_DEVICE_MEMORY_H
#define FENCEPOST_DEVICE_MEMORY_H

FENCEPOST_DEVICE size_t __cvta_generic_to_shared(const void *p)
{
    return (size_t)(__attribute__((address_space(3))) const void *)p;
}
FENCEPOST_DEVICE size_t __cvta_generic_to_global(const void *p)
{
    return (size_t)(__attribute__((address_space(1))) const void *)p;
}

/* Which space a generic address is in. */
FENCEPOST_DEVICE unsigned __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
FENCEPOST_DEVICE unsigned __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
FENCEPOST_DEVICE unsigned __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
FENCEPOST_DEVICE unsigned __isLocal(const void *p) { return __nvvm_isspacep_local(p); }

#define FENCEPOST_LOAD(name, hint, type, ptx, reg)                                                 \
    FENCEPOST_DEVICE type name(const type *p)                                                      \
    {                                                                                              \
        type v;                                                                                    \
        asm volatile("ld.global." hint "." ptx " %0, [%1];"                                        \
                     : "=" reg(v) : "l"(__cvta_generic_to_global(p)) : "memory");                  \
        return v;                                                                                  \
    }
#define FENCEPOST_LOAD2(name, hint, type, ptx, reg)                                                \
    FENCEPOST_DEVICE type name(const type *p)                                                      \
    {                                                                                              \
        type v;                                                                                    \
        asm volatile("ld.global." hint ".v2." ptx " {%0, %1}, [%2];"                               \
                     : "=" reg(v.x), "=" reg(v.y) : "l"(__cvta_generic_to_global(p)) : "memory");  \
        return v;                                                                                  \
    }
#define FENCEPOST_LOAD4(name, hint, type, ptx, reg)                                                \
    FENCEPOST_DEVICE type name(const type *p)                                                      \
    {                                                                                              \
        type v;                                                                                    \
        asm volatile("ld.global." hint ".v4." ptx " {%0, %1, %2, %3}, [%4];"                       \
                     : "=" reg(v.x), "=" reg(v.y), "=" reg(v.z), "=" reg(v.w)                      \
                     : "l"(__cvta_generic_to_global(p)) : "memory");                               \
        return v;                                                                                  \
    }
#define FENCEPOST_STORE(name, hint, type, ptx, reg)                                                \
    FENCEPOST_DEVICE void name(type *p, type v)                                                    \
    {                                                                                              \
        asm volatile("st.global." hint "." ptx " [%0], %1;"                                        \
                     : : "l"(__cvta_generic_to_global(p)), reg(v) : "memory");                     \
    }
#define FENCEPOST_STORE2(name, hint, type, ptx, reg)                                               \
    FENCEPOST_DEVICE void name(type *p, type v)                                                    \
    {                                                                                              \
        asm volatile("st.global." hint ".v2." ptx " [%0], {%1, %2};"                               \
                     : : "l"(__cvta_generic_to_global(p)), reg(v.x), reg(v.y) : "memory");         \
    }
#define FENCEPOST_STORE4(name, hint, type, ptx, reg)                                               \
    FENCEPOST_DEVICE void name(type *p, type v)                                                    \
    {                                                                                              \
        asm volatile("st.global." hint ".v4." ptx " [%0], {%1, %2, %3, %4};"                       \
                     : : "l"(__cvta_generic_to_global(p)), reg(v.x), reg(v.y), reg(v.z), reg(v.w) : "memory"); \
    }
#define FENCEPOST_TYPES(one, two, four, name, hint)                                                \
    one(name, hint, short, "s16", "h")                                                             \
    one(name, hint, unsigned short, "u16", "h")                                                    \
    one(name, hint, int, "s32", "r")                                                               \
    one(name, hint, unsigned, "u32", "r")                                                          \
    one(name, hint, long, "s64", "l")                                                              \
    one(name, hint, unsigned long, "u64", "l")                                                     \
    one(name, hint, long long, "s64", "l")                                                         \
    one(name, hint, unsigned long long, "u64", "l")                                                \
    one(name, hint, float, "f32", "f")                                                             \
    one(name, hint, double, "f64", "d")                                                            \
    two(name, hint, int2, "s32", "r")                                                              \
    two(name, hint, uint2, "u32", "r")                                                             \
    two(name, hint, float2, "f32", "f")                                                            \
    two(name, hint, double2, "f64", "d")                                                           \
    two(name, hint, ulonglong2, "u64", "l")                                                        \
    four(name, hint, int4, "s32", "r")                                                             \
    four(name, hint, uint4, "u32", "r")                                                            \
    four(name, hint, float4, "f32", "f")

FENCEPOST_TYPES(FENCEPOST_LOAD, FENCEPOST_LOAD2, FENCEPOST_LOAD4, __ldg, "nc")
FENCEPOST_TYPES(FENCEPOST_LOAD, FENCEPOST_LOAD2, FENCEPOST_LOAD4, __ldcg, "cg")
FENCEPOST_TYPES(FENCEPOST_LOAD, FENCEPOST_LOAD2, FENCEPOST_LOAD4, __ldca, "ca")
FENCEPOST_TYPES(FENCEPOST_LOAD, FENCEPOST_LOAD2, FENCEPOST_LOAD4, __ldcs, "cs")
FENCEPOST_TYPES(FENCEPOST_LOAD, FENCEPOST_LOAD2, FENCEPOST_LOAD4, __ldlu, "lu")
FENCEPOST_TYPES(FENCEPOST_LOAD, FENCEPOST_LOAD2, FENCEPOST_LOAD4, __ldcv, "cv")
FENCEPOST_TYPES(FENCEPOST_STORE, FENCEPOST_STORE2, FENCEPOST_STORE4, __stwb, "wb")
FENCEPOST_TYPES(FENCEPOST_STORE, FENCEPOST_STORE2, FENCEPOST_STORE4, __stcg, "cg")
FENCEPOST_TYPES(FENCEPOST_STORE, FENCEPOST_STORE2, FENCEPOST_STORE4, __stcs, "cs")
FENCEPOST_TYPES(FENCEPOST_STORE, FENCEPOST_STORE2, FENCEPOST_STORE4, __stwt, "wt")

#undef FENCEPOST_TYPES
#undef FENCEPOST_STORE4
#undef FENCEPOST_STORE2
#undef FENCEPOST_STORE
#undef FENCEPOST_LOAD4
#undef FENCEPOST_LOAD2
#undef FENCEPOST_LOAD

#endif
