// nvcc: -lcuda
// Options of the just-in-time compiler with code that the program loads itself: the most registers of a kernel that says nothing of
// them, in PTX and in a fat binary, by both APIs, and the log of what is wrong. With an argument the device is in a process of its own:
// there is no Driver API there, and the reason stands on stderr alone.
#include <cstdint>
#include <cuda.h>
#include <string>

#include "check.cuh"

static std::string many() // 100 values at once, in kernels of which one has a bound of its own
{
    std::string text = ".version 9.0\n.target sm_75\n.address_size 64\n";
    for (const char *kernel : {"none(.param .u64 p) {", "own(.param .u64 p) .maxnreg 48 {"}) {
        text += std::string(".visible .entry ") + kernel + " .reg .b32 %r<100>; .reg .b64 %a; ld.param.u64 %a, [p];\n";
        for (int i = 0; i < 100; i++)
            text += "ld.volatile.u32 %r" + std::to_string(i) + ", [%a];\n";
        for (int i = 0; i < 100; i++)
            text += "st.volatile.u32 [%a], %r" + std::to_string(i) + ";\n";
        text += "ret; }\n";
    }
    return text;
}

static std::string fat_binary(std::string ptx) // one entry, as it is
{
    ptx.resize((ptx.size() + 8) / 8 * 8);
    std::string b(16 + 0x40, '\0');
    auto put = [&](size_t at, uint64_t v, size_t bytes) { b.replace(at, bytes, (const char *)&v, bytes); };
    put(0, 0xba55ed50, 4), put(4, 1, 2), put(6, 16, 2), put(8, 0x40 + ptx.size(), 8);
    put(16, 1, 2), put(16 + 4, 0x40, 4), put(16 + 8, ptx.size(), 8), put(16 + 0x1a, 9, 2), put(16 + 0x1c, 75, 4), put(16 + 0x28, 0x11, 8);
    return b + ptx;
}

static int registers(cudaLibrary_t lib, const char *name)
{
    cudaKernel_t k;
    cudaFuncAttributes f;
    OK(cudaLibraryGetKernel(&k, lib, name));
    OK(cudaFuncGetAttributes(&f, (const void *)k));
    return f.numRegs;
}

static void bounds(const void *code)
{
    cudaLibrary_t lib;
    enum cudaJitOption option = cudaJitMaxRegisters;
    OK(cudaLibraryLoadData(&lib, code, nullptr, nullptr, 0, nullptr, nullptr, 0));
    CHECK(registers(lib, "none") >= 64 && registers(lib, "own") == 48);
    OK(cudaLibraryUnload(lib));
    for (long most : {8, 38, 57}) {
        void *value = (void *)most;
        OK(cudaLibraryLoadData(&lib, code, &option, &value, 1, nullptr, nullptr, 0));
        CHECK(registers(lib, "none") == (most < 24 ? 24 : most) && registers(lib, "own") == 48);
        OK(cudaLibraryUnload(lib));
    }
    OK(cudaLibraryLoadData(&lib, code, nullptr, nullptr, 0, nullptr, nullptr, 0)); // the bound was that call's
    CHECK(registers(lib, "none") >= 64);
    OK(cudaLibraryUnload(lib));
    void *zero = nullptr;
    GIVES(cudaLibraryLoadData(&lib, code, &option, &zero, 1, nullptr, nullptr, 0), cudaErrorInvalidValue);
    GIVES(cudaLibraryLoadData(&lib, code, &option, nullptr, 1, nullptr, nullptr, 0), cudaErrorInvalidValue);
}

static void log_of(const char *code, bool apart)
{
    char log[256] = "untouched";
    cudaLibrary_t lib;
    enum cudaJitOption options[] = {cudaJitErrorLogBuffer, cudaJitErrorLogBufferSizeBytes};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    cudaKernel_t kernel;
    OK(cudaLibraryLoadData(&lib, ".version 9.0\n.target sm_75\n.entry f( { nonsense }", options, values, 2, nullptr, nullptr, 0));
    GIVES(cudaLibraryGetKernel(&kernel, lib, "f"), cudaErrorInvalidPtx); // it is told when something of it is asked for
    OK(cudaLibraryUnload(lib));
    CHECK((uintptr_t)values[1] == strlen(log) && !*log == apart);
    CHECK(apart || strstr(log, "3"));
    values[1] = (void *)(uintptr_t)sizeof log;
    OK(cudaLibraryLoadData(&lib, code, options, values, 2, nullptr, nullptr, 0));
    CHECK(!*log && !values[1]);
    OK(cudaLibraryUnload(lib));
}

static void driver_bounds(const void *code)
{
    CUmodule m;
    CUfunction f;
    int n;
    CUjit_option option = CU_JIT_MAX_REGISTERS;
    void *value = (void *)38;
    CHECK(cuModuleLoadDataEx(&m, code, 1, &option, &value) == CUDA_SUCCESS && cuModuleGetFunction(&f, m, "none") == CUDA_SUCCESS);
    CHECK(cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_NUM_REGS, f) == CUDA_SUCCESS && n == 38);
    CHECK(cuModuleUnload(m) == CUDA_SUCCESS);
}

int main(int argc, char **argv)
{
    std::string ptx = many(), packed = fat_binary(ptx);
    OK(cudaFree(0));
    bounds(ptx.c_str());
    bounds(packed.data());
    log_of(ptx.c_str(), argc > 1);
    if (argc == 1) {
        driver_bounds(ptx.c_str());
        driver_bounds(packed.data());
    }
    puts("jit_options ok");
    return 0;
}
