// nvcc: -lcuda -Xcompiler -Wno-deprecated-declarations -w
// Calls of the Driver API before CUDA 4: block shapes and parameters that a function keeps, cuLaunchGrid; one fact a line: the same program runs on a real GPU and on softgpu (old_calls_facts.gpu.txt).
//
//   nvcc -cudart shared -lcuda -w -o old_calls_facts old_calls_facts.cu && ./old_calls_facts
#include <cstdio>
#include <cstring>
#include <cuda.h>

#include "apart.cuh"

static const char *name_of(CUresult r)
{
    const char *name = "?";
    cuGetErrorName(r, &name);
    return name;
}

static const char ptx[] = R"(.version 7.0
.target sm_75
.address_size 64
.extern .shared .align 4 .b8 dynamic[];
.visible .entry k(.param .u64 out, .param .u32 a, .param .f32 b, .param .align 4 .b8 c[12])
{
    .reg .u64 %d<3>;
    .reg .u32 %r<9>;
    ld.param.u64 %d1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    or.b32 %r3, %r1, %r2;
    mov.u32 %r2, %ctaid.y;
    or.b32 %r3, %r3, %r2;
    mov.u32 %r2, %tid.y;
    or.b32 %r3, %r3, %r2;
    .reg .pred %p;
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
)";

static CUdeviceptr out;

/** Nothing said of shape, size and parameters: one thread, and zeros. */
static void nothing_kept()
{
    CUmodule m;
    CUfunction k, fresh;
    TELL(cuModuleLoadData(&m, ptx));
    TELL(cuModuleGetFunction(&k, m, "k"));
    TELL(cuModuleGetFunction(&fresh, m, "k"));
    VALUE("same handle", k == fresh);
    TELL(cuLaunch(k));
    TELL(cuCtxSynchronize());
}

static void wrong_launches()
{
    CUmodule m;
    CUfunction k;
    char big[8192] = {0};
    TELL(cuModuleLoadData(&m, ptx));
    TELL(cuModuleGetFunction(&k, m, "k"));
    TELL(cuFuncSetBlockShape(k, 0, 1, 1));
    TELL(cuFuncSetBlockShape(k, 32, 0, 1));
    TELL(cuFuncSetBlockShape(k, -1, 1, 1));
    TELL(cuFuncSetBlockShape(k, 1024, 1, 1));
    TELL(cuFuncSetBlockShape(k, 1025, 1, 1));
    TELL(cuFuncSetBlockShape(k, 32, 64, 1));
    TELL(cuFuncSetBlockShape(k, 1, 1, 65));
    TELL(cuFuncSetBlockShape(NULL, 32, 1, 1));
    TELL(cuFuncSetSharedSize(k, 49152));
    TELL(cuFuncSetSharedSize(k, 49153));
    TELL(cuFuncSetSharedSize(k, 1 << 20));
    TELL(cuFuncSetSharedSize(k, 0));
    TELL(cuFuncSetSharedSize(NULL, 0));
    TELL(cuParamSetSize(k, 0));
    TELL(cuParamSetSize(k, 27));
    TELL(cuParamSetSize(k, 29));
    TELL(cuParamSetSize(k, 4096));
    TELL(cuParamSetSize(k, 4097));
    TELL(cuParamSetSize(NULL, 8));
    TELL(cuParamSeti(k, 2, 1));
    TELL(cuParamSeti(k, 24, 1));
    TELL(cuParamSeti(k, 28, 1));
    TELL(cuParamSeti(k, 4092, 1));
    TELL(cuParamSeti(k, 4096, 1));
    TELL(cuParamSeti(NULL, 0, 1));
    TELL(cuParamSetf(k, 4096, 1));
    TELL(cuParamSetv(k, 0, NULL, 8));
    TELL(cuParamSetv(k, 0, big, 0));
    TELL(cuParamSetv(k, 1, big, 3));
    TELL(cuParamSetv(k, 0, big, 4096));
    TELL(cuParamSetv(k, 0, big, 4097));
    TELL(cuParamSetv(k, 0, big, 8192));
    TELL(cuParamSetv(k, 0, &out, 8));
    TELL(cuFuncSetBlockShape(k, 32, 1, 1));
    TELL(cuParamSetSize(k, 0));
    TELL(cuLaunchGrid(k, 1, 1)); // the pointer is beyond the size
    TELL(cuCtxSynchronize());
}

template <void (*section)()> static void set_up()
{
    CUcontext c;
    TELL(cuInit(0));
    TELL(cuDevicePrimaryCtxRetain(&c, 0));
    TELL(cuCtxSetCurrent(c));
    TELL(cuMemAlloc(&out, 4096));
    section();
}

int main()
{
    child(set_up<nothing_kept>);
    child(set_up<wrong_launches>);
    return 0;
}
