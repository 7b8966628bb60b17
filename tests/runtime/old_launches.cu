// nvcc: -lcuda -w
// A program of the time before CUDA 4: shapes and parameters are set one by one, then cuLaunchGrid(). What a function keeps, what
// cuLaunchKernel() changes of it, two functions that keep their own; and cuLaunchCooperativeKernelMultiDevice() over all devices there are.
#include <cstdint>
#include <cstring>
#include <cuda.h>

#include "check.cuh"

#define DO(call) CHECK((call) == CUDA_SUCCESS)

static const char ptx[] = R"(.version 7.0
.target sm_75
.address_size 64
.extern .shared .align 4 .b8 dynamic[];
.visible .entry tell(.param .u64 out, .param .u32 a, .param .f32 b, .param .align 4 .b8 c[12])
{
    .reg .u64 %d<3>;
    .reg .u32 %r<9>;
    .reg .pred %p;
    ld.param.u64 %d1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    or.b32 %r3, %r1, %r2;
    mov.u32 %r2, %ctaid.y;
    or.b32 %r3, %r3, %r2;
    mov.u32 %r2, %tid.y;
    or.b32 %r3, %r3, %r2;
    mov.u32 %r2, %tid.z;
    or.b32 %r3, %r3, %r2;
    setp.ne.u32 %p, %r3, 0;
    @%p bra done;
    mov.u32 %r1, %ntid.x;
    st.global.u32 [%d1], %r1;
    mov.u32 %r1, %ntid.y;
    st.global.u32 [%d1+4], %r1;
    mov.u32 %r1, %ntid.z;
    st.global.u32 [%d1+8], %r1;
    mov.u32 %r1, %nctaid.x;
    st.global.u32 [%d1+12], %r1;
    mov.u32 %r1, %nctaid.y;
    st.global.u32 [%d1+16], %r1;
    mov.u32 %r1, %dynamic_smem_size;
    st.global.u32 [%d1+20], %r1;
    ld.param.u32 %r1, [a];
    st.global.u32 [%d1+24], %r1;
    ld.param.u32 %r1, [b];
    st.global.u32 [%d1+28], %r1;
    ld.param.u32 %r1, [c];
    st.global.u32 [%d1+32], %r1;
    ld.param.u32 %r1, [c+8];
    st.global.u32 [%d1+36], %r1;
done:
    ret;
}
.visible .entry scale(.param .u64 data, .param .u32 by)
{
    .reg .u64 %d<3>;
    .reg .u32 %r<6>;
    ld.param.u64 %d1, [data];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r1, %r1, %r2, %r3;
    mul.wide.u32 %d2, %r1, 4;
    add.u64 %d1, %d1, %d2;
    ld.global.u32 %r4, [%d1];
    ld.param.u32 %r5, [by];
    mul.lo.u32 %r4, %r4, %r5;
    st.global.u32 [%d1], %r4;
    ret;
}
)";

static CUdeviceptr out;

static void told(unsigned bx, unsigned by, unsigned bz, unsigned gx, unsigned gy, unsigned shared, unsigned a, float b, int c0, int c2)
{
    unsigned got[10], bits;
    DO(cuMemcpyDtoH(got, out, sizeof got));
    memcpy(&bits, &b, 4);
    const unsigned want[10] = {bx, by, bz, gx, gy, shared, a, bits, (unsigned)c0, (unsigned)c2};
    for (int i = 0; i < 10; i++)
        CHECK(got[i] == want[i]);
    DO(cuMemsetD8(out, 0xee, sizeof got));
}

static void kept(CUfunction tell, CUfunction scale)
{
    int three[3] = {7, 8, 9};
    unsigned data[64];
    CUdeviceptr numbers;
    CUstream s;
    DO(cuMemAlloc(&out, 64));
    DO(cuParamSetSize(tell, 28));
    DO(cuParamSetv(tell, 0, &out, 8));
    DO(cuParamSeti(tell, 8, 0x1234));
    DO(cuParamSetf(tell, 12, 1.5f));
    DO(cuParamSetv(tell, 16, three, 12));
    DO(cuLaunch(tell));
    told(1, 1, 1, 1, 1, 0, 0x1234, 1.5f, 7, 9);
    DO(cuFuncSetBlockShape(tell, 8, 4, 2));
    DO(cuLaunchGrid(tell, 3, 5));
    told(8, 4, 2, 3, 5, 0, 0x1234, 1.5f, 7, 9);

    // Another function, and the first one keeps what it has.
    for (unsigned i = 0; i < 64; i++)
        data[i] = i;
    DO(cuMemAlloc(&numbers, sizeof data));
    DO(cuMemcpyHtoD(numbers, data, sizeof data));
    DO(cuFuncSetBlockShape(scale, 16, 1, 1));
    DO(cuParamSetSize(scale, 12));
    DO(cuParamSetv(scale, 0, &numbers, 8));
    DO(cuParamSeti(scale, 8, 3));
    DO(cuLaunchGrid(scale, 4, 1));
    DO(cuParamSeti(scale, 8, 5));
    DO(cuLaunchGrid(scale, 4, 1));
    DO(cuMemcpyDtoH(data, numbers, sizeof data));
    for (unsigned i = 0; i < 64; i++)
        CHECK(data[i] == i * 15);

    DO(cuFuncSetSharedSize(tell, 4000));
    DO(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    DO(cuStreamSynchronize(NULL));
    DO(cuParamSeti(tell, 8, 0x777));
    DO(cuLaunchGridAsync(tell, 2, 1, s));
    DO(cuParamSeti(tell, 8, 1)); // the launch has its own copy
    DO(cuStreamSynchronize(s));
    told(8, 4, 2, 2, 1, 4000, 0x777, 1.5f, 7, 9);

    // A launch of today is what the function keeps from then on.
    int a = 5;
    float b = 2;
    void *args[] = {&out, &a, &b, three};
    DO(cuLaunchKernel(tell, 1, 1, 1, 32, 1, 1, 16, NULL, args, NULL));
    told(32, 1, 1, 1, 1, 16, 5, 2, 7, 9);
    DO(cuLaunchGrid(tell, 2, 2));
    told(32, 1, 1, 2, 2, 16, 5, 2, 7, 9);
    CHECK(cuLaunchGrid(tell, 0, 1) == CUDA_ERROR_INVALID_VALUE);
    DO(cuStreamDestroy(s));
    DO(cuMemFree(numbers));
    DO(cuMemFree(out));
}

/** Each device's part of the numbers is multiplied in its own stream; all begin together, and without flags end so. */
static void together(unsigned flags)
{
    int count, by = 7;
    CUDA_LAUNCH_PARAMS list[8] = {};
    CUdeviceptr memory[8];
    CUcontext context[8];
    CUmodule module;
    void *args[8][2];
    unsigned data[64];
    for (unsigned i = 0; i < 64; i++)
        data[i] = i;
    DO(cuDeviceGetCount(&count));
    for (int d = 0; d < count; d++) {
        DO(cuDevicePrimaryCtxRetain(&context[d], d));
        DO(cuCtxSetCurrent(context[d]));
        DO(cuModuleLoadData(&module, ptx));
        DO(cuModuleGetFunction(&list[d].function, module, "scale"));
        DO(cuStreamCreate(&list[d].hStream, CU_STREAM_NON_BLOCKING));
        DO(cuMemAlloc(&memory[d], sizeof data));
        DO(cuMemcpyHtoD(memory[d], data, sizeof data));
        DO(cuStreamSynchronize(NULL));
        args[d][0] = &memory[d];
        args[d][1] = &by;
        list[d].kernelParams = args[d];
        list[d].gridDimX = 4, list[d].gridDimY = list[d].gridDimZ = 1;
        list[d].blockDimX = 16, list[d].blockDimY = list[d].blockDimZ = 1;
    }
    DO(cuLaunchCooperativeKernelMultiDevice(list, count, flags));
    // Any of the streams knows that all kernels have ended.
    DO(cuStreamSynchronize(list[0].hStream));
    for (int d = 0; d < count; d++) {
        DO(cuCtxSetCurrent(context[d]));
        DO(cuMemcpyDtoH(data, memory[d], sizeof data));
        for (unsigned i = 0; i < 64; i++)
            CHECK(data[i] == i * 7 || flags);
        DO(cuMemFree(memory[d]));
        DO(cuStreamDestroy(list[d].hStream));
    }
    if (count > 1) {
        list[1].gridDimX = 5;
        CHECK(cuLaunchCooperativeKernelMultiDevice(list, 2, 0) != CUDA_SUCCESS);
    }
}

int main(int argc, char **)
{
    CUcontext c;
    CUmodule m;
    CUfunction tell, scale;
    DO(cuInit(0));
    DO(cuDevicePrimaryCtxRetain(&c, 0));
    DO(cuCtxSetCurrent(c));
    DO(cuModuleLoadData(&m, ptx));
    DO(cuModuleGetFunction(&tell, m, "tell"));
    DO(cuModuleGetFunction(&scale, m, "scale"));
    kept(tell, scale);
    DO(cuModuleUnload(m));
    together(argc > 1 ? CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_POST_LAUNCH_SYNC : 0);
    puts("old_launches ok");
    return 0;
}
