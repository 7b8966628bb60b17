/**
 * @file indices.h
 * threadIdx, blockIdx, blockDim, gridDim, warpSize: PTX's special registers.
 */
#ifndef FENCEPOST_DEVICE_INDICES_H
#define FENCEPOST_DEVICE_INDICES_H

#define FENCEPOST_INDEX(name, reg, as_type)                                                        \
    struct fencepost_##name {                                                                      \
        __declspec(property(get = get_x)) unsigned x;                                              \
        __declspec(property(get = get_y)) unsigned y;                                              \
        __declspec(property(get = get_z)) unsigned z;                                              \
        static FENCEPOST_METHOD unsigned get_x() { return __nvvm_read_ptx_sreg_##reg##_x(); }      \
        static FENCEPOST_METHOD unsigned get_y() { return __nvvm_read_ptx_sreg_##reg##_y(); }      \
        static FENCEPOST_METHOD unsigned get_z() { return __nvvm_read_ptx_sreg_##reg##_z(); }      \
        FENCEPOST_METHOD operator as_type() const { return as_type{get_x(), get_y(), get_z()}; }   \
    };                                                                                             \
    extern const __device__ __attribute__((weak)) fencepost_##name name;

FENCEPOST_INDEX(threadIdx, tid, uint3)
FENCEPOST_INDEX(blockIdx, ctaid, uint3)
FENCEPOST_INDEX(blockDim, ntid, dim3)
FENCEPOST_INDEX(gridDim, nctaid, dim3)
#undef FENCEPOST_INDEX

__attribute__((device)) const int warpSize = 32;

#endif
