// nvcc: -lcuda -ldl
// What NVRTC compiles at run time, through the Driver API: CUDA C++ to PTX to a launch. NVRTC needs no GPU; where its
// library is not there, the program says so and ends well. With "race" the kernel races, at a line of its own; with "cubin" it is
// machine code, which does not load; with "given" it is asked for, and the softgpu command has NVRTC give PTX in its stead.
#include "driver.cuh"
#include <dlfcn.h>
#include <string>

typedef struct nvrtc_program *program;
static int (*create)(program *, const char *, const char *, int, const char *const *, const char *const *);
static int (*compile)(program, int, const char *const *);
static int (*ptx_size)(program, size_t *);
static int (*ptx_of)(program, char *);
static int (*cubin_size)(program, size_t *);
static int (*cubin_of)(program, char *);
static int (*log_size)(program, size_t *);
static int (*log_of)(program, char *);

static const char right[] = R"(
template <typename T> __device__ T warp_sum(T v)
{
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    return v;
}
extern "C" __global__ void sums(const float *in, float *out, int n)
{
    __shared__ float part[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = warp_sum(i < n ? in[i] : 0.0f);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    SYNC
    if (threadIdx.x < 32) {
        v = warp_sum(threadIdx.x < 8 ? part[threadIdx.x] : 0.0f);
        if (threadIdx.x == 0)
            atomicAdd(out, v);
    }
}
)";

static bool load()
{
    void *lib = dlopen("libnvrtc.so.13", RTLD_NOW);
    if (!lib)
        return false;
    *(void **)&create = dlsym(lib, "nvrtcCreateProgram");
    *(void **)&compile = dlsym(lib, "nvrtcCompileProgram");
    *(void **)&ptx_size = dlsym(lib, "nvrtcGetPTXSize");
    *(void **)&ptx_of = dlsym(lib, "nvrtcGetPTX");
    *(void **)&cubin_size = dlsym(lib, "nvrtcGetCUBINSize");
    *(void **)&cubin_of = dlsym(lib, "nvrtcGetCUBIN");
    *(void **)&log_size = dlsym(lib, "nvrtcGetProgramLogSize");
    *(void **)&log_of = dlsym(lib, "nvrtcGetProgramLog");
    return true;
}

// Machine code alone: the driver has no kernel for this device, and softgpu says what to do.
static void load_cubin(program p)
{
    size_t n;
    CUcontext context;
    CUmodule module;
    CHECK(cubin_size(p, &n) == 0 && n);
    std::string cubin(n, 0);
    CHECK(cubin_of(p, &cubin[0]) == 0);
    CU(cuInit(0));
    CU(cuDevicePrimaryCtxRetain(&context, 0));
    CU(cuCtxSetCurrent(context));
    DRIVER_GIVES(cuModuleLoadData(&module, cubin.data()), CUDA_ERROR_NO_BINARY_FOR_GPU);
    CUlinkState link;
    CU(cuLinkCreate(0, NULL, NULL, &link));
    DRIVER_GIVES(cuLinkAddData(link, CU_JIT_INPUT_CUBIN, &cubin[0], n, "sums", 0, NULL, NULL), CUDA_ERROR_NOT_SUPPORTED);
    CU(cuLinkDestroy(link));
    CU(cuDevicePrimaryCtxRelease(0));
    puts("nvrtc cubin ok");
}

int main(int argc, char **argv)
{
    if (!load()) {
        puts("skip nvrtc: no libnvrtc.so.13");
        return 0;
    }
    program p;
    bool is_cubin = argc > 1 && !strcmp(argv[1], "cubin");
    CHECK(create(&p, right, "sums.cu", 0, NULL, NULL) == 0);
    bool given = argc > 1 && !strcmp(argv[1], "given"), races = argc > 1 && !given;
    const char *options[] = {is_cubin || given ? "-arch=sm_90" : "-arch=compute_75", "-lineinfo", races ? "-DSYNC=" : "-DSYNC=__syncthreads();"};
    if (compile(p, 3, options) != 0) {
        size_t n;
        log_size(p, &n);
        std::string log(n, 0);
        log_of(p, &log[0]);
        fputs(log.c_str(), stderr);
        return 1;
    }
    if (is_cubin) {
        load_cubin(p);
        return 0;
    }
    size_t n;
    CHECK((given ? cubin_size : ptx_size)(p, &n) == 0);
    std::string ptx(n, 0);
    CHECK((given ? cubin_of : ptx_of)(p, &ptx[0]) == 0);

    CUcontext context;
    CUmodule module;
    CUfunction f;
    CUdeviceptr in, out;
    CU(cuInit(0));
    CU(cuDevicePrimaryCtxRetain(&context, 0));
    CU(cuCtxSetCurrent(context));
    if (given) { // a linker takes it for machine code, too
        CUlinkState link;
        void *linked;
        CU(cuLinkCreate(0, NULL, NULL, &link));
        CU(cuLinkAddData(link, CU_JIT_INPUT_CUBIN, &ptx[0], n, "sums", 0, NULL, NULL));
        CU(cuLinkComplete(link, &linked, NULL));
        CU(cuModuleLoadData(&module, linked));
        CU(cuModuleUnload(module));
        CU(cuLinkDestroy(link));
    }
    CU(cuModuleLoadData(&module, ptx.c_str()));
    CU(cuModuleGetFunction(&f, module, "sums"));
    int count = 1000;
    static float h[1000];
    float sum = 0;
    for (int i = 0; i < count; i++)
        h[i] = 1;
    CU(cuMemAlloc(&in, sizeof h));
    CU(cuMemAlloc(&out, 4));
    CU(cuMemcpyHtoD(in, h, sizeof h));
    CU(cuMemsetD32(out, 0, 1));
    void *args[] = {&in, &out, &count};
    CU(cuLaunchKernel(f, 4, 1, 1, 256, 1, 1, 0, NULL, args, NULL));
    CU(cuMemcpyDtoH(&sum, out, 4));
    CHECK(races || sum == 1000);
    CU(cuMemFree(in));
    CU(cuMemFree(out));
    CU(cuModuleUnload(module));
    CU(cuDevicePrimaryCtxRelease(0));
    puts("nvrtc ok");
}
