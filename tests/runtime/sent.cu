// Calls with texts and arrays, and code that the program loads itself: the same answers where the device is
// a process of its own.
#include "check.cuh"
#include <cstdint>
#include <cstring>
#include <string>
#include <unistd.h>

static std::string code(const char *parameters, const char *factor)
{
    return std::string(".version 9.0\n.target sm_75\n.address_size 64\n"
                       ".visible .global .align 4 .u32 total = 11;\n"
                       ".visible .entry scale(") + parameters + ")\n{\n"
           ".reg .b64 %rd<4>; .reg .b32 %r<4>;\n"
           "ld.param.u64 %rd1, [data];\n" + factor +
           "mov.u32 %r2, %tid.x;\ncvta.to.global.u64 %rd1, %rd1;\nmul.wide.u32 %rd2, %r2, 4;\n"
           "add.u64 %rd3, %rd1, %rd2;\nld.global.u32 %r3, [%rd3];\nmul.lo.u32 %r3, %r3, %r1;\n"
           "st.global.u32 [%rd3], %r3;\nret;\n}\n"
           ".visible .entry idle()\n{\nret;\n}\n";
}

static const std::string two = code(".param .u64 data, .param .u32 factor", "ld.param.u32 %r1, [factor];\n");
static const std::string one = code(".param .u64 data", "mov.u32 %r1, 7;\n");

static void libraries()
{
    cudaLibrary_t lib;
    cudaKernel_t k, all[4] = {};
    unsigned count;
    int *d, h[4] = {1, 2, 3, 4}, factor = 3, total = 0;
    void *args[] = {&d, &factor}, *global;
    size_t bytes;
    OK(cudaMalloc(&d, sizeof h));
    OK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    OK(cudaLibraryLoadData(&lib, two.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    OK(cudaLibraryGetKernelCount(&count, lib));
    CHECK(count == 2);
    OK(cudaLibraryEnumerateKernels(all, 4, lib));
    CHECK(all[0] && all[1] && !all[2] && !all[3]);
    OK(cudaLibraryEnumerateKernels(all, 0, lib));
    OK(cudaLibraryGetKernel(&k, lib, "scale"));
    CHECK(k == all[0] || k == all[1]);
    GIVES(cudaLibraryGetKernel(&k, lib, "nowhere"), cudaErrorSymbolNotFound);
    GIVES(cudaLibraryGetKernel(&k, lib, ""), cudaErrorSymbolNotFound);
    GIVES(cudaLibraryGetKernel(&k, lib, nullptr), cudaErrorInvalidValue);
    OK(cudaKernelSetAttributeForDevice(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024, 0));
    OK(cudaLaunchKernel(k, dim3(1), dim3(4), args, 0, 0));
    OK(cudaLibraryGetGlobal(&global, &bytes, lib, "total"));
    OK(cudaMemcpy(&total, global, sizeof total, cudaMemcpyDeviceToHost));
    CHECK(bytes == 4 && total == 11);
    GIVES(cudaLibraryGetGlobal(&global, &bytes, lib, "missing"), cudaErrorSymbolNotFound);
    OK(cudaLibraryUnload(lib));
    GIVES(cudaLibraryUnload(lib), cudaErrorInvalidResourceHandle);

    // From a file: a kernel with other parameters, whose handle may be the old one's.
    char path[] = "/tmp/softgpu_sent_XXXXXX";
    int file = mkstemp(path);
    CHECK(file >= 0 && write(file, one.data(), one.size()) == (ssize_t)one.size());
    close(file);
    OK(cudaLibraryLoadFromFile(&lib, path, nullptr, nullptr, 0, nullptr, nullptr, 0));
    unlink(path);
    OK(cudaLibraryGetKernel(&k, lib, "scale"));
    OK(cudaLaunchKernel(k, dim3(1), dim3(4), args, 0, 0));
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h[0] == 21 && h[3] == 84);
    OK(cudaLibraryUnload(lib));

    GIVES(cudaLibraryLoadFromFile(&lib, "/no/such/file.ptx", 0, 0, 0, 0, 0, 0), cudaErrorFileNotFound);
    OK(cudaLibraryLoadData(&lib, "this is no PTX", 0, 0, 0, 0, 0, 0)); // it is read late
    GIVES(cudaLibraryGetKernel(&k, lib, "scale"), cudaErrorInvalidKernelImage);
    OK(cudaLibraryUnload(lib));
    OK(cudaLibraryLoadData(&lib, "", 0, 0, 0, 0, 0, 0));
    GIVES(cudaLibraryGetKernel(&k, lib, "scale"), cudaErrorInvalidKernelImage);
    GIVES(cudaLibraryLoadData(&lib, nullptr, 0, 0, 0, 0, 0, 0), cudaErrorInvalidValue);
    OK(cudaLibraryLoadData(&lib, "\177ELF and machine code", 0, 0, 0, 0, 0, 0));
    GIVES(cudaLibraryGetKernel(&k, lib, "scale"), cudaErrorNoKernelImageForDevice);
    (void)cudaGetLastError();
    OK(cudaFree(d));
}

static void devices()
{
    char id[16] = "", small[8] = "";
    int device = 7, list[] = {0, 0}, none[] = {9};
    OK(cudaDeviceGetPCIBusId(id, sizeof id, 0));
    OK(cudaDeviceGetByPCIBusId(&device, id));
    CHECK(device == 0);
    GIVES(cudaDeviceGetPCIBusId(small, sizeof small, 0), cudaErrorInvalidValue);
    GIVES(cudaDeviceGetByPCIBusId(&device, nullptr), cudaErrorInvalidValue);
    GIVES(cudaDeviceGetByPCIBusId(&device, "ffff:ff:ff.0"), cudaErrorInvalidDevice);
    OK(cudaSetValidDevices(list, 2));
    GIVES(cudaSetValidDevices(none, 1), cudaErrorInvalidDevice);
    GIVES(cudaSetValidDevices(none, -1), cudaErrorInvalidValue);
    (void)cudaGetLastError();
}

static void memory()
{
    int *a, *b, *m, h[64];
    for (int i = 0; i < 64; i++)
        h[i] = i;
    OK(cudaMalloc(&a, sizeof h));
    OK(cudaMalloc(&b, sizeof h));
    OK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
    OK(cudaMemcpyPeer(b, 0, a, 0, sizeof h));
    memset(h, 0, sizeof h);
    OK(cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h[1] == 1 && h[63] == 63);
    GIVES(cudaMemcpyPeer(b, 1, a, 0, sizeof h), cudaErrorInvalidDevice);

    cudaMemPool_t pool;
    uint64_t keep = 0;
    int reuse = 5;
    cudaMemAccessDesc here = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite}, far = here;
    far.location.id = 3;
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    OK(cudaMemPoolSetAccess(pool, &here, 1));
    OK(cudaMemPoolSetAccess(pool, nullptr, 0));
    GIVES(cudaMemPoolSetAccess(pool, &far, 1), cudaErrorInvalidDevice);
    GIVES(cudaMemPoolSetAccess(pool, nullptr, 1), cudaErrorInvalidValue);
    uint64_t wanted = 1ull << 33;
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &wanted));
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    CHECK(keep == wanted);
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &reuse));
    CHECK(reuse == 0 || reuse == 1);

    OK(cudaMallocManaged(&m, sizeof h));
    void *pointers[] = {m};
    size_t sizes[] = {sizeof h}, firsts[] = {0};
    cudaMemLocation places[] = {{cudaMemLocationTypeDevice, 0}};
    GIVES(cudaMemPrefetchBatchAsync(pointers, sizes, 1, places, firsts, 1, 0, 0), cudaErrorInvalidValue); // the default stream
    OK(cudaMemPrefetchBatchAsync(pointers, sizes, 1, places, firsts, 1, 0, cudaStreamPerThread));
    OK(cudaDeviceSynchronize());
    OK(cudaFree(m));
    OK(cudaFree(a));
    OK(cudaFree(b));
    (void)cudaGetLastError();
}

// What an H200 answers where no graph has allocated: in a capture, too.
static void graph_memory()
{
    const cudaGraphMemAttributeType all[] = {cudaGraphMemAttrUsedMemCurrent, cudaGraphMemAttrUsedMemHigh,
                                             cudaGraphMemAttrReservedMemCurrent,
                                             cudaGraphMemAttrReservedMemHigh};
    const auto none = (cudaGraphMemAttributeType)4;
    uint64_t value;
    OK(cudaDeviceGraphMemTrim(0));
    GIVES(cudaDeviceGraphMemTrim(-1), cudaErrorInvalidDevice);
    GIVES(cudaDeviceGraphMemTrim(99), cudaErrorInvalidDevice);
    for (auto attribute : all) {
        bool high = attribute == all[1] || attribute == all[3];
        value = 77;
        OK(cudaDeviceGetGraphMemAttribute(0, attribute, &value));
        CHECK(value == 0);
        GIVES(cudaDeviceSetGraphMemAttribute(0, attribute, &value), high ? cudaSuccess : cudaErrorInvalidValue);
        value = 1;
        GIVES(cudaDeviceSetGraphMemAttribute(0, attribute, &value), cudaErrorInvalidValue);
    }
    value = 77;
    GIVES(cudaDeviceGetGraphMemAttribute(0, none, &value), cudaErrorInvalidValue);
    CHECK(value == 77);
    GIVES(cudaDeviceGetGraphMemAttribute(99, none, &value), cudaErrorInvalidDevice);
    GIVES(cudaDeviceGetGraphMemAttribute(0, all[0], nullptr), cudaErrorInvalidValue);
    GIVES(cudaDeviceSetGraphMemAttribute(0, all[1], nullptr), cudaErrorInvalidValue);
    GIVES(cudaDeviceSetGraphMemAttribute(99, none, &value), cudaErrorInvalidDevice);
    cudaStream_t s;
    cudaGraph_t g;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaDeviceGraphMemTrim(0));
    OK(cudaDeviceGetGraphMemAttribute(0, all[0], &value));
    OK(cudaDeviceSetGraphMemAttribute(0, all[1], &(value = 0)));
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphDestroy(g));
    OK(cudaStreamDestroy(s));
    (void)cudaGetLastError();
}

__global__ void named(float *x)
{
    *x = 1;
}

static void names()
{
    const char *a = nullptr, *b = nullptr;
    OK(cudaFuncGetName(&a, (const void *)named));
    OK(cudaFuncGetName(&b, (const void *)named));
    CHECK(a && a == b && !strcmp(a, "_Z5namedPf"));
    GIVES(cudaFuncGetName(nullptr, (const void *)named), cudaErrorInvalidValue);
    GIVES(cudaFuncGetName(&a, (const void *)"no kernel"), cudaErrorInvalidResourceHandle);
    CHECK(a == b);
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
// The old copies run on from row to row of an array.
static void runs_of_rows()
{
    cudaArray_t a;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<int>();
    cudaStream_t s;
    int in[32], out[32] = {}, *d;
    for (int i = 0; i < 32; i++)
        in[i] = i;
    OK(cudaStreamCreate(&s));
    OK(cudaMalloc(&d, sizeof in));
    OK(cudaMallocArray(&a, &f, 8, 4));
    OK(cudaMemcpyToArray(a, 0, 0, in, sizeof in, cudaMemcpyHostToDevice));
    OK(cudaMemcpyFromArray(out, a, 12, 1, 76, cudaMemcpyDeviceToHost)); // five, a row, six
    for (int i = 0; i < 32; i++)
        CHECK(out[i] == (i < 19 ? 11 + i : 0));
    OK(cudaMemcpyToArrayAsync(a, 28, 0, in, 12, cudaMemcpyHostToDevice, s)); // the last of a row, two of the next
    OK(cudaMemcpyFromArrayAsync(d, a, 24, 0, 24, cudaMemcpyDeviceToDevice, s));
    OK(cudaMemcpyAsync(out, d, 24, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    CHECK(out[0] == 6 && out[1] == 0 && out[2] == 1 && out[3] == 2 && out[4] == 10 && out[5] == 11);
    GIVES(cudaMemcpyToArray(a, 8, 3, in, 40, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    GIVES(cudaMemcpyToArray(nullptr, 0, 0, in, 4, cudaMemcpyHostToDevice), cudaErrorInvalidResourceHandle);
    OK(cudaFreeArray(a));
    OK(cudaFree(d));
    OK(cudaStreamDestroy(s));
}

int main()
{
    libraries();
    devices();
    memory();
    graph_memory();
    names();
    runs_of_rows();
    puts("sent ok");
    return 0;
}
