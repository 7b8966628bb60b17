// Loading PTX at run time, as the course's harnesses do; the same through the Driver API.
#include "check.cuh"
#include <cuda.h>
#include <string>

static const char ptx[] = R"(
.version 9.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 total = 11;
.visible .entry scale(.param .u64 data, .param .u32 factor)
{
    .reg .b64 %rd<4>;
    .reg .b32 %r<4>;
    ld.param.u64 %rd1, [data];
    ld.param.u32 %r1, [factor];
    mov.u32 %r2, %tid.x;
    cvta.to.global.u64 %rd1, %rd1;
    mul.wide.u32 %rd2, %r2, 4;
    add.u64 %rd3, %rd1, %rd2;
    ld.global.u32 %r3, [%rd3];
    mul.lo.u32 %r3, %r3, %r1;
    st.global.u32 [%rd3], %r3;
    ret;
}
.visible .entry idle()
{
    ret;
}
)";

template <typename F> static F *driver(const char *name)
{
    void *f = nullptr;
    cudaDriverEntryPointQueryResult found;
    OK(cudaGetDriverEntryPointByVersion(name, &f, 13000, cudaEnableDefault, &found));
    CHECK(found == cudaDriverEntryPointSuccess && f);
    return (F *)f;
}

int main(int argc, char **argv)
{
    cudaLibrary_t lib;
    cudaKernel_t k, all[4];
    unsigned count;
    OK(cudaLibraryLoadData(&lib, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
    OK(cudaLibraryGetKernelCount(&count, lib));
    CHECK(count == 2);
    OK(cudaLibraryEnumerateKernels(all, 4, lib));
    OK(cudaLibraryGetKernel(&k, lib, "scale"));
    CHECK(k == all[0] || k == all[1]);
    GIVES(cudaLibraryGetKernel(&k, lib, "nowhere"), cudaErrorSymbolNotFound);
    int h[32], *d;
    for (int i = 0; i < 32; i++)
        h[i] = i;
    OK(cudaMalloc(&d, sizeof h));
    OK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    int factor = 3;
    void *args[] = {&d, &factor};
    OK(cudaLaunchKernel(k, dim3(1), dim3(32), args, 0, 0));
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(16);
    OK(cudaLaunchKernelExC(&config, k, args));
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h[5] == 45 && h[31] == 93);
    void *global;
    size_t bytes;
    OK(cudaLibraryGetGlobal(&global, &bytes, lib, "total"));
    OK(cudaMemcpy(h, global, 4, cudaMemcpyDeviceToHost));
    CHECK(bytes == 4 && h[0] == 11);

    // the same kernel by the Driver API
    auto launch = driver<CUresult(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned,
                                  unsigned, unsigned, CUstream, void **, void **)>("cuLaunchKernel");
    auto sync = driver<CUresult(CUcontext)>("cuCtxSynchronize"); // as of 13.0: which context
    auto fill = driver<CUresult(CUdeviceptr, unsigned, size_t)>("cuMemsetD32");
    CHECK(fill((CUdeviceptr)d, 7, 32) == CUDA_SUCCESS);
    struct { int *d; int factor; } block = {d, 5};
    size_t size = sizeof(int *) + sizeof(int); // and no more: so wants a driver
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};
    CHECK(launch((CUfunction)k, 1, 1, 1, 32, 1, 1, 0, 0, nullptr, extra) == CUDA_SUCCESS);
    CHECK(sync(nullptr) == CUDA_SUCCESS);
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h[0] == 35 && h[31] == 35);
    CHECK(launch(nullptr, 1, 1, 1, 1, 1, 1, 0, 0, nullptr, nullptr) == CUDA_ERROR_INVALID_HANDLE);
    void *none = &none;
    cudaDriverEntryPointQueryResult found;
    OK(cudaGetDriverEntryPointByVersion("cuNoSuchThing", &none, 13000, cudaEnableDefault, &found));
    CHECK(found == cudaDriverEntryPointSymbolNotFound && !none);
    OK(cudaLibraryUnload(lib));
    GIVES(cudaLibraryUnload(lib), cudaErrorInvalidResourceHandle);
    (void)cudaGetLastError();

    // what cannot be loaded
    GIVES(cudaLibraryLoadFromFile(&lib, "/no/such/file.ptx", 0, 0, 0, 0, 0, 0),
          cudaErrorFileNotFound);
    OK(cudaLibraryLoadData(&lib, "this is no PTX", 0, 0, 0, 0, 0, 0)); // it is read late
    GIVES(cudaLibraryGetKernel(&k, lib, "f"), cudaErrorInvalidKernelImage);
    std::string later(ptx);
    later.replace(later.find("9.0"), 3, "99.0");
    OK(cudaLibraryLoadData(&lib, later.c_str(), 0, 0, 0, 0, 0, 0));
    GIVES(cudaLibraryGetKernel(&k, lib, "f"), cudaErrorUnsupportedPtxVersion);
    std::string target(ptx);
    target.replace(target.find("sm_75"), 5, "sm_120");
    OK(cudaLibraryLoadData(&lib, target.c_str(), 0, 0, 0, 0, 0, 0));
    GIVES(cudaLibraryGetKernel(&k, lib, "f"), cudaErrorNoKernelImageForDevice);
    OK(cudaFree(d));
    puts("libraries ok");
    return 0;
}
