/**
 * @file vector_types.h
 * char1 to double4, dim3: C and C++. Alignment as the Programming Guide's table of vector types.
 */
#ifndef FENCEPOST_VECTOR_TYPES_H
#define FENCEPOST_VECTOR_TYPES_H

#define FENCEPOST_VECTORS(name, type, bytes)                                                       \
    struct name##1 {                                                                               \
        type x;                                                                                    \
    };                                                                                             \
    struct __attribute__((aligned(2 * (bytes)))) name##2 {                                         \
        type x, y;                                                                                 \
    };                                                                                             \
    struct name##3 {                                                                               \
        type x, y, z;                                                                              \
    };                                                                                             \
    struct __attribute__((aligned((bytes) < 4 ? 4 * (bytes) : 16))) name##4 {                      \
        type x, y, z, w;                                                                           \
    };                                                                                             \
    typedef struct name##1 name##1;                                                                \
    typedef struct name##2 name##2;                                                                \
    typedef struct name##3 name##3;                                                                \
    typedef struct name##4 name##4;

FENCEPOST_VECTORS(char, signed char, 1)
FENCEPOST_VECTORS(uchar, unsigned char, 1)
FENCEPOST_VECTORS(short, short, 2)
FENCEPOST_VECTORS(ushort, unsigned short, 2)
FENCEPOST_VECTORS(int, int, 4)
FENCEPOST_VECTORS(uint, unsigned, 4)
FENCEPOST_VECTORS(long, long, 8)
FENCEPOST_VECTORS(ulong, unsigned long, 8)
FENCEPOST_VECTORS(longlong, long long, 8)
FENCEPOST_VECTORS(ulonglong, unsigned long long, 8)
FENCEPOST_VECTORS(float, float, 4)
FENCEPOST_VECTORS(double, double, 8)
#undef FENCEPOST_VECTORS

struct dim3 {
    unsigned x, y, z;
#ifdef __CUDA__
    __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;

#ifdef __CUDA__
#define FENCEPOST_MAKE(name, type)                                                                 \
    FENCEPOST_BOTH name##1 make_##name##1(type x) { return name##1{x}; }                           \
    FENCEPOST_BOTH name##2 make_##name##2(type x, type y) { return name##2{x, y}; }                \
    FENCEPOST_BOTH name##3 make_##name##3(type x, type y, type z) { return name##3{x, y, z}; }     \
    FENCEPOST_BOTH name##4 make_##name##4(type x, type y, type z, type w) { return name##4{x, y, z, w}; }
FENCEPOST_MAKE(char, signed char)
FENCEPOST_MAKE(uchar, unsigned char)
FENCEPOST_MAKE(short, short)
FENCEPOST_MAKE(ushort, unsigned short)
FENCEPOST_MAKE(int, int)
FENCEPOST_MAKE(uint, unsigned)
FENCEPOST_MAKE(long, long)
FENCEPOST_MAKE(ulong, unsigned long)
FENCEPOST_MAKE(longlong, long long)
FENCEPOST_MAKE(ulonglong, unsigned long long)
FENCEPOST_MAKE(float, float)
FENCEPOST_MAKE(double, double)
#undef FENCEPOST_MAKE
#endif

#endif
