/**
 * @file qualifiers.h
 * __global__ and its like, as clang's attributes.
 */
#ifndef FENCEPOST_DEVICE_QUALIFIERS_H
#define FENCEPOST_DEVICE_QUALIFIERS_H

/* By this programs know a compiler for CUDA. */
#define __CUDACC__ 1

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))
#define __restrict__ __restrict
#define __grid_constant__
#define __cluster_dims__(...) _Pragma("GCC error \"__cluster_dims__: clang has it not; launch by cudaLaunchKernelEx(), or make setup CC_CUDA=nvcc\"")
#define CUDARTAPI
#define CUDART_CB
#if !__has_feature(cuda_noinline_keyword)
#define __noinline__ __attribute__((noinline))
#endif

/* A function of these headers: always inlined, and its instructions have the line of the call. */
#define FENCEPOST_DEVICE static __device__ __inline__ __attribute__((always_inline, nodebug))
#define FENCEPOST_BOTH static __host__ __device__ __inline__ __attribute__((always_inline, nodebug))
#define FENCEPOST_METHOD __device__ __attribute__((always_inline, nodebug))

#endif
