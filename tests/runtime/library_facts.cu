// nvcc: -lcuda -w
// Facts about code that a program loads as a library or a module, batches of calls on managed memory, boxes of memory,
// and what functions and streams say of themselves; one a line: the same program runs on a real GPU and on softgpu
// (library_facts.gpu.txt). Each section is a process of its own.
//
//   nvcc -arch=compute_75 -cudart shared -lcuda -w -o library_facts library_facts.cu && ./library_facts
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

#include "apart.cuh"
#include "named.cuh"

static const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                           ".visible .global .align 4 .u32 count[4] = {1, 2, 3, 4};\n"
                           ".visible .const .align 4 .u32 fixed = 9;\n"
                           ".visible .entry first(.param .u64 to, .param .u32 v)\n{\n.reg .b64 %rd<3>; .reg .b32 %r<3>;\n"
                           "ld.param.u64 %rd1, [to]; ld.param.u32 %r1, [v]; cvta.to.global.u64 %rd2, %rd1;\n"
                           "ld.global.u32 %r2, [count+4]; add.u32 %r1, %r1, %r2; st.global.u32 [%rd2], %r1; ret;\n}\n"
                           ".visible .entry second(.param .u64 to)\n{\n.reg .b64 %rd<3>; .reg .b32 %r<3>;\n"
                           "ld.param.u64 %rd1, [to]; cvta.to.global.u64 %rd2, %rd1; ld.const.u32 %r1, [fixed];\n"
                           "st.global.u32 [%rd2], %r1; ret;\n}\n";
static const char broken[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry first()\n{\n  mov.u32 %r1, 3;\n  ret;\n}\n";
static const char newer[] = ".version 19.9\n.target sm_70\n.address_size 64\n.visible .entry first()\n{\nret;\n}\n";
static const char missing[] = ".version 7.0\n.target sm_70\n.address_size 64\n.extern .func other();\n.visible .entry first()\n{\ncall other; ret;\n}\n";

__global__ void named(int *p, short s, double d, char c) { *p = s + (int)d + c; }
__global__ void plain(int *p) { *p = 3; }
static __device__ int place[16];

static void libraries()
{
    puts("-- libraries");
    cudaLibrary_t lib = nullptr, two;
    cudaKernel_t first, second;
    int *p, back = 0;
    TELL(cudaLibraryLoadData(&lib, text, nullptr, nullptr, 0, nullptr, nullptr, 0));
    TELL(cudaLibraryLoadData(&two, broken, nullptr, nullptr, 0, nullptr, nullptr, 0));
    TELL(cudaLibraryLoadData(&two, newer, nullptr, nullptr, 0, nullptr, nullptr, 0));
    TELL(cudaLibraryLoadData(&two, "no code at all", nullptr, nullptr, 0, nullptr, nullptr, 0));
    TELL(cudaLibraryLoadData(&two, "", nullptr, nullptr, 0, nullptr, nullptr, 0));
    TELL(cudaLibraryLoadData(&two, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
    TELL(cudaLibraryLoadFromFile(&two, "/no/such/file", nullptr, nullptr, 0, nullptr, nullptr, 0));
    unsigned count = 99;
    TELL(cudaLibraryGetKernelCount(&count, lib));
    VALUE("kernels", count);
    cudaKernel_t all[4] = {};
    TELL(cudaLibraryEnumerateKernels(all, 1, lib));
    TELL(cudaLibraryEnumerateKernels(all, 4, lib));
    VALUE("all given", all[0] && all[1] && !all[2]);
    TELL(cudaLibraryEnumerateKernels(all, 0, lib));
    TELL(cudaLibraryGetKernel(&first, lib, "first"));
    TELL(cudaLibraryGetKernel(&second, lib, "none"));
    TELL(cudaLibraryGetKernel(&second, lib, nullptr));
    TELL(cudaLibraryGetKernel(&second, lib, "second"));
    void *global = nullptr;
    size_t bytes = 0;
    TELL(cudaLibraryGetGlobal(&global, &bytes, lib, "count"));
    VALUE("bytes", bytes);
    TELL(cudaLibraryGetGlobal(&global, &bytes, lib, "fixed"));
    VALUE("bytes", bytes);
    TELL(cudaLibraryGetGlobal(&global, &bytes, lib, "none"));
    TELL(cudaLibraryGetGlobal(nullptr, nullptr, lib, "count"));
    TELL(cudaLibraryGetManaged(&global, &bytes, lib, "count"));
    cudaMalloc(&p, 64);
    int v = 10;
    void *args[] = {&p, &v};
    TELL(cudaLaunchKernel((void *)first, dim3(1), dim3(1), args, 0, 0));
    TELL(cudaMemcpy(&back, p, 4, cudaMemcpyDefault));
    VALUE("first", back);
    TELL(cudaLaunchKernel((void *)second, dim3(1), dim3(1), args, 0, 0));
    TELL(cudaMemcpy(&back, p, 4, cudaMemcpyDefault));
    VALUE("second", back);
    cudaFuncAttributes a = {};
    TELL(cudaFuncGetAttributes(&a, (void *)first));
    VALUE("threads", a.maxThreadsPerBlock);
    const char *name = nullptr;
    TELL(cudaFuncGetName(&name, (void *)first));
    printf("name: %s\n", name ? name : "none");
    int most = 0;
    TELL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, (void *)first, 1024, 0));
    VALUE("blocks", most);
    TELL(cudaFuncSetAttribute((void *)first, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    TELL(cudaKernelSetAttributeForDevice(first, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536, 0));
    TELL(cudaKernelSetAttributeForDevice(first, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 24, 0));
    TELL(cudaKernelSetAttributeForDevice(first, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536, 7));
    TELL(cudaLibraryUnload(lib));
    TELL(cudaLaunchKernel((void *)plain, dim3(1), dim3(1), args, 0, 0));
    TELL(cudaDeviceSynchronize());
}

/** Libraries are read when they are needed: which call says that one is broken? */
static void late()
{
    puts("-- libraries that cannot be loaded");
    struct { const char *name, *code; } all[] = {{"broken", broken}, {"newer", newer}, {"missing", missing}, {"no code", "no code at all"}, {"nothing", ""}};
    for (auto &l : all) {
        cudaLibrary_t lib = nullptr;
        cudaKernel_t k;
        unsigned count = 99;
        void *at;
        size_t bytes;
        printf("%s\n", l.name);
        TELL(cudaLibraryLoadData(&lib, l.code, nullptr, nullptr, 0, nullptr, nullptr, 0));
        if (lib) {
            TELL(cudaLibraryGetKernelCount(&count, lib));
            VALUE("kernels", count);
            TELL(cudaLibraryEnumerateKernels(&k, 1, lib));
            TELL(cudaLibraryGetGlobal(&at, &bytes, lib, "count"));
            TELL(cudaLibraryGetKernel(&k, lib, "first"));
            TELL(cudaLibraryGetKernel(&k, lib, "none"));
            TELL(cudaLibraryUnload(lib));
        }
        CUlibrary dl = nullptr;
        CUkernel dk;
        CUmodule m;
        CUfunction f;
        CUdeviceptr d;
        TELL(cuLibraryLoadData(&dl, l.code, nullptr, nullptr, 0, nullptr, nullptr, 0));
        if (dl) {
            TELL(cuLibraryGetKernelCount(&count, dl));
            TELL(cuLibraryGetModule(&m, dl));
            CUresult r = cuLibraryGetKernel(&dk, dl, "first");
            printf("kernel: %s\n", name_of(r));
            if (!r)
                TELL(cuKernelGetFunction(&f, dk));
            TELL(cuLibraryGetGlobal(&d, &bytes, dl, "count"));
            TELL(cuLibraryUnload(dl));
        }
    }
}

static void modules()
{
    puts("-- modules");
    cudaFree(0);
    CUmodule m, two;
    CUfunction f;
    CUdeviceptr at;
    size_t bytes;
    char info[512] = {}, error[512] = {};
    TELL(cuModuleLoadData(&m, text));
    TELL(cuModuleLoadData(&two, broken));
    TELL(cuModuleLoadData(&two, newer));
    TELL(cuModuleLoadData(&two, missing));
    TELL(cuModuleLoadData(&two, "no code at all"));
    TELL(cuModuleLoadData(&two, nullptr));
    TELL(cuModuleLoadData(nullptr, text));
    TELL(cuModuleLoad(&two, "/no/such/file"));
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {error, (void *)sizeof error, info, (void *)sizeof info};
    TELL(cuModuleLoadDataEx(&two, broken, 4, options, values));
    VALUE("errors told", error[0] != 0);
    VALUE("size asked back", (size_t)values[1] > 0 && (size_t)values[1] < sizeof error);
    CUjit_option odd[] = {(CUjit_option)4711};
    void *nothing[] = {nullptr};
    TELL(cuModuleLoadDataEx(&two, text, 1, odd, nothing));
    CUjit_option level[] = {CU_JIT_OPTIMIZATION_LEVEL};
    void *nine[] = {(void *)9};
    TELL(cuModuleLoadDataEx(&two, text, 1, level, nine));
    CUjit_option most[] = {CU_JIT_MAX_REGISTERS};
    void *registers[] = {(void *)32};
    TELL(cuModuleLoadDataEx(&two, text, 1, most, registers));
    unsigned count = 0;
    TELL(cuModuleGetFunctionCount(&count, m));
    VALUE("functions", count);
    CUfunction list[4] = {};
    TELL(cuModuleEnumerateFunctions(list, 4, m));
    VALUE("both", list[0] && list[1] && !list[2]);
    TELL(cuModuleGetFunction(&f, m, "none"));
    TELL(cuModuleGetFunction(&f, m, nullptr));
    TELL(cuModuleGetFunction(&f, m, "first"));
    TELL(cuModuleGetGlobal(&at, &bytes, m, "count"));
    VALUE("bytes", bytes);
    TELL(cuModuleGetGlobal(&at, nullptr, m, "count"));
    TELL(cuModuleGetGlobal(nullptr, &bytes, m, "count"));
    TELL(cuModuleGetGlobal(nullptr, nullptr, m, "count"));
    TELL(cuModuleGetGlobal(&at, &bytes, m, "first"));
    CUmodule owner;
    TELL(cuFuncGetModule(&owner, f));
    VALUE("the module", owner == m);
    const char *name;
    TELL(cuFuncGetName(&name, f));
    printf("name: %s\n", name);
    size_t offset, size;
    TELL(cuFuncGetParamInfo(f, 0, &offset, &size));
    printf("%zu %zu\n", offset, size);
    TELL(cuFuncGetParamInfo(f, 1, &offset, &size));
    printf("%zu %zu\n", offset, size);
    TELL(cuFuncGetParamInfo(f, 2, &offset, &size));
    CUfunctionLoadingState state;
    TELL(cuFuncIsLoaded(&state, f));
    TELL(cuFuncLoad(f));
    TELL(cuFuncIsLoaded(&state, f));
    VALUE("loaded", state);
    CUmoduleLoadingMode mode;
    TELL(cuModuleGetLoadingMode(&mode));
    int v = 0;
    for (int i = 0; i <= 16; i++) {
        CUresult r = cuFuncGetAttribute(&v, (CUfunction_attribute)i, f);
        bool same = i != 3 && i != 4 && i != 5 && i != 6 && i != 7; /* what the compiler of the day decides */
        printf("attribute %d: %s %d\n", i, name_of(r), same && r == CUDA_SUCCESS ? v : 0);
    }
    TELL(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NUM_REGS, 32));
    TELL(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 101));
    TELL(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, -2));
    TELL(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50));
    TELL(cuFuncSetCacheConfig(f, (CUfunc_cache)9));
    TELL(cuFuncSetCacheConfig(f, CU_FUNC_CACHE_PREFER_L1));
    TELL(cuModuleUnload(m));
    TELL(cuModuleUnload(nullptr));
    CUlibrary lib;
    CUkernel k;
    TELL(cuLibraryLoadData(&lib, missing, nullptr, nullptr, 0, nullptr, nullptr, 0));
    TELL(cuLibraryLoadData(&lib, text, nullptr, nullptr, 0, nullptr, nullptr, 0));
    TELL(cuLibraryGetModule(&m, lib));
    TELL(cuLibraryGetKernel(&k, lib, "first"));
    TELL(cuKernelGetFunction(&f, k));
    TELL(cuKernelGetName(&name, k));
    printf("name: %s\n", name);
    CUlibrary back;
    TELL(cuKernelGetLibrary(&back, k));
    VALUE("the library", back == lib);
    TELL(cuKernelGetParamInfo(k, 1, &offset, &size));
    printf("%zu %zu\n", offset, size);
    TELL(cuKernelGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, k, 0));
    VALUE("dynamic", v);
    TELL(cuKernelGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, k, 9));
    TELL(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 24, k, 0));
    TELL(cuLibraryGetManaged(&at, &bytes, lib, "count"));
    TELL(cuLibraryUnload(lib));
}

static void linked()
{
    puts("-- linking");
    cudaFree(0);
    CUlinkState link;
    void *out = nullptr;
    size_t bytes = 0;
    static const char other[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .func other()\n{\nret;\n}\n";
    TELL(cuLinkCreate(0, nullptr, nullptr, &link));
    TELL(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)missing, sizeof missing, "missing", 0, nullptr, nullptr));
    TELL(cuLinkComplete(link, &out, &bytes));
    TELL(cuLinkDestroy(link));
    TELL(cuLinkCreate(0, nullptr, nullptr, &link));
    TELL(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)missing, sizeof missing, nullptr, 0, nullptr, nullptr));
    TELL(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)other, sizeof other, "other", 0, nullptr, nullptr));
    TELL(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)broken, sizeof broken, "broken", 0, nullptr, nullptr));
    TELL(cuLinkAddData(link, CU_JIT_INPUT_PTX, nullptr, 10, "null", 0, nullptr, nullptr));
    TELL(cuLinkAddFile(link, CU_JIT_INPUT_PTX, "/no/such/file", 0, nullptr, nullptr));
    TELL(cuLinkComplete(link, &out, &bytes));
    CUmodule m;
    if (out)
        TELL(cuModuleLoadData(&m, out));
    TELL(cuLinkDestroy(link));
    TELL(cuLinkCreate(0, nullptr, nullptr, &link));
    TELL(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)text, sizeof text, "one", 0, nullptr, nullptr));
    TELL(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)text, sizeof text, "again", 0, nullptr, nullptr));
    TELL(cuLinkComplete(link, &out, &bytes));
    TELL(cuLinkDestroy(link));
    TELL(cuLinkCreate(0, nullptr, nullptr, &link));
    out = nullptr;
    TELL(cuLinkComplete(link, &out, &bytes));
    VALUE("something", out != nullptr);
    TELL(cuLinkDestroy(link));
    TELL(cuLinkCreate(0, nullptr, nullptr, nullptr));
}

static void batches()
{
    puts("-- batches on managed memory");
    cudaStream_t s;
    cudaStreamCreate(&s);
    char *m, *d;
    cudaMallocManaged(&m, 1 << 22), cudaMalloc(&d, 1 << 20);
    memset(m, 1, 1 << 22);
    void *at[2] = {m, m + (1 << 21)}, *bad[1] = {d}, *none[1] = {nullptr};
    size_t size[2] = {1 << 21, 1 << 21}, zero[2] = {0, 1 << 21};
    cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, cpu = {cudaMemLocationTypeHost, 0}, nowhere = {cudaMemLocationTypeDevice, 77};
    size_t index[2] = {0, 1}, wrong[2] = {1, 1};
    cudaMemLocation places[2] = {device, cpu};
    TELL(cudaMemPrefetchBatchAsync(at, size, 2, places, index, 2, 0, s));
    TELL(cudaMemPrefetchBatchAsync(at, size, 2, &device, index, 1, 0, s));
    TELL(cudaMemPrefetchBatchAsync(at, size, 2, places, wrong, 2, 0, s));
    TELL(cudaMemPrefetchBatchAsync(at, size, 2, &nowhere, index, 1, 0, s));
    TELL(cudaMemPrefetchBatchAsync(at, zero, 2, &device, index, 1, 0, s));
    TELL(cudaMemPrefetchBatchAsync(at, size, 0, &device, index, 1, 0, s));
    TELL(cudaMemPrefetchBatchAsync(at, size, 2, &device, index, 0, 0, s));
    TELL(cudaMemPrefetchBatchAsync(at, size, 2, &device, index, 1, 5, s));
    TELL(cudaMemPrefetchBatchAsync(bad, size, 1, &device, index, 1, 0, s));
    TELL(cudaMemPrefetchBatchAsync(none, size, 1, &device, index, 1, 0, s));
    TELL(cudaMemPrefetchBatchAsync(at, size, 2, &device, index, 1, 0, 0));
    TELL(cudaStreamSynchronize(s));
    TELL(cudaMemDiscardBatchAsync(at, size, 2, 0, s));
    TELL(cudaMemDiscardBatchAsync(at, zero, 2, 0, s));
    TELL(cudaMemDiscardBatchAsync(at, size, 2, 0, 0));
    TELL(cudaMemDiscardBatchAsync(at, size, 2, 0, cudaStreamLegacy));
    TELL(cudaMemDiscardBatchAsync(at, size, 2, 0, cudaStreamPerThread));
    TELL(cudaMemDiscardBatchAsync(at, size, 2, 1, s));
    TELL(cudaMemDiscardBatchAsync(none, size, 1, 0, s));
    size_t late_first[2] = {1, 2}, first_twice[2] = {0, 0}, beyond[2] = {0, 2};
    TELL(cudaMemPrefetchBatchAsync(at, size, 2, places, late_first, 2, 0, s));
    TELL(cudaMemPrefetchBatchAsync(at, size, 2, places, first_twice, 2, 0, s));
    TELL(cudaMemPrefetchBatchAsync(at, size, 2, places, beyond, 2, 0, s));
    TELL(cudaMemPrefetchBatchAsync(at, size, 1, places, index, 2, 0, s));
    TELL(cudaMemPrefetchBatchAsync(at, size, 2, &device, index, 1, 0, cudaStreamPerThread));
    TELL(cudaMemPrefetchBatchAsync(at, size, 2, &nowhere, index, 1, 0, s));
    cudaMemLocation numa = {cudaMemLocationTypeHostNuma, 0}, none_such = {cudaMemLocationTypeInvalid, 0}, current = {cudaMemLocationTypeHostNumaCurrent, 0};
    TELL(cudaMemPrefetchBatchAsync(at, size, 2, &numa, index, 1, 0, s));
    TELL(cudaMemPrefetchBatchAsync(at, size, 2, &none_such, index, 1, 0, s));
    TELL(cudaMemPrefetchBatchAsync(at, size, 2, &current, index, 1, 0, s));
    TELL(cudaMemPrefetchAsync(m, 1 << 20, nowhere, 0, s));
    TELL(cudaMemPrefetchAsync(m, 1 << 20, none_such, 0, s));
    TELL(cudaMemPrefetchAsync(m, 1 << 20, device, 0, 0));
    TELL(cudaMemAdvise(m, 1 << 20, cudaMemAdviseSetAccessedBy, nowhere));
    TELL(cudaMemAdvise(m, 1 << 20, cudaMemAdviseUnsetAccessedBy, nowhere));
    TELL(cudaMemAdvise(m, 1 << 20, cudaMemAdviseSetReadMostly, nowhere));
    TELL(cudaMemAdvise(m, 1 << 20, cudaMemAdviseSetPreferredLocation, none_such));
    TELL(cudaMemDiscardBatchAsync(bad, size, 1, 0, s));
    TELL(cudaMemDiscardBatchAsync(at, size, 0, 0, s));
    TELL(cudaMemDiscardAndPrefetchBatchAsync(at, size, 2, &device, index, 1, 0, s));
    TELL(cudaMemDiscardAndPrefetchBatchAsync(at, size, 2, &device, index, 1, 0, 0));
    TELL(cudaStreamSynchronize(s));
    TELL(cudaMemPrefetchAsync(m, 1 << 20, device, 0, s));
    TELL(cudaMemPrefetchAsync(m, 0, device, 0, s));
    TELL(cudaMemPrefetchAsync(m, 1 << 23, device, 0, s));
    TELL(cudaMemPrefetchAsync(m + 100, 100, cpu, 0, s));
    TELL(cudaMemPrefetchAsync(d, 1 << 20, device, 0, s));
    TELL(cudaMemPrefetchAsync(m, 1 << 20, device, 1, s));
    TELL(cudaMemAdvise(m, 1 << 20, cudaMemAdviseSetReadMostly, device));
    TELL(cudaMemAdvise(m, 0, cudaMemAdviseSetReadMostly, device));
    TELL(cudaMemAdvise(m, 1 << 20, (cudaMemoryAdvise)99, device));
    TELL(cudaMemAdvise(d, 1 << 20, cudaMemAdviseSetReadMostly, device));
    TELL(cudaMemAdvise(m, 1 << 20, cudaMemAdviseSetPreferredLocation, nowhere));
    TELL(cudaStreamSynchronize(s));
}

static void boxes()
{
    puts("-- boxes");
    cudaPitchedPtr p;
    cudaExtent e = make_cudaExtent(20, 3, 2);
    TELL(cudaMalloc3D(&p, e));
    VALUE("pitch", p.pitch);
    VALUE("xsize", p.xsize);
    VALUE("ysize", p.ysize);
    static unsigned char host[8192];
    TELL(cudaMemset3D(p, 7, e));
    TELL(cudaMemset3D(p, 7, make_cudaExtent(0, 3, 2)));
    TELL(cudaMemset3D(p, 7, make_cudaExtent(20, 3, 0)));
    TELL(cudaMemset3D(p, 7, make_cudaExtent(p.pitch + 1, 3, 2)));
    TELL(cudaMemset3D(p, 7, make_cudaExtent(20, 3, 2000)));
    for (size_t w : {20, 21, 512, 513})
        for (size_t h : {3, 4, 6})
            for (size_t d : {1, 2, 3})
                printf("memset %zu %zu %zu: %s\n", w, h, d, name_of(cudaMemset3D(p, 7, make_cudaExtent(w, h, d))));
    p.xsize = 30, p.ysize = 4;
    for (size_t w : {30, 31})
        for (size_t h : {4, 5})
            printf("of 30 x 4, memset %zu %zu: %s\n", w, h, name_of(cudaMemset3D(p, 7, make_cudaExtent(w, h, 1))));
    p.xsize = 0, p.ysize = 0;
    TELL(cudaMemset3D(p, 7, make_cudaExtent(20, 3, 1)));
    TELL(cudaMemset3D(p, 7, e));
    p.xsize = 20, p.ysize = 3;
    TELL(cudaMemset3D(p, 7, make_cudaExtent(p.pitch, 3, 2)));
    TELL(cudaMemset3DAsync(p, 9, make_cudaExtent(4, 2, 1), 0));
    cudaMemcpy3DParms c = {};
    c.srcPtr = p, c.dstPtr = make_cudaPitchedPtr(host, 32, 32, 3), c.extent = e, c.kind = cudaMemcpyDeviceToHost;
    TELL(cudaMemcpy3D(&c));
    printf("%d %d %d %d, %d %d\n", host[0], host[4], host[32], host[64], host[96], host[20]);
    c.extent.width = 33;
    TELL(cudaMemcpy3D(&c));
    c.extent = make_cudaExtent(0, 3, 2);
    TELL(cudaMemcpy3D(&c));
    c.extent = e, c.srcPos = make_cudaPos(4, 1, 1);
    c.extent = make_cudaExtent(8, 2, 1);
    TELL(cudaMemcpy3DAsync(&c, 0));
    TELL(cudaStreamSynchronize(0));
    printf("%d %d %d\n", host[0], host[8], host[32]);
    c.srcPos = make_cudaPos(0, 0, 0), c.kind = cudaMemcpyHostToDevice;
    TELL(cudaMemcpy3D(&c));
    c.kind = cudaMemcpyDefault;
    TELL(cudaMemcpy3D(&c));
    cudaArray_t array;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<int>();
    TELL(cudaMalloc3DArray(&array, &f, make_cudaExtent(8, 4, 2)));
    c.dstPtr = {}, c.dstArray = array, c.extent = make_cudaExtent(5, 3, 2), c.kind = cudaMemcpyDeviceToDevice;
    TELL(cudaMemcpy3D(&c));
    c.dstPtr = make_cudaPitchedPtr(host, 32, 32, 3);
    TELL(cudaMemcpy3D(&c));
    c.dstPtr = {}, c.extent.width = 9;
    TELL(cudaMemcpy3D(&c));
    c = {};
    c.srcArray = array, c.dstPtr = make_cudaPitchedPtr(host, 64, 64, 4), c.extent = make_cudaExtent(5, 3, 2), c.kind = cudaMemcpyDeviceToHost;
    TELL(cudaMemcpy3DAsync(&c, 0));
    TELL(cudaDeviceSynchronize());
    printf("%d %d %d\n", host[0], host[19], host[64]);
    TELL(cudaMemcpy2D(host, 4, p.ptr, p.pitch, 8, 2, cudaMemcpyDeviceToHost));
    TELL(cudaMemcpy2D(host, 8, p.ptr, 4, 8, 2, cudaMemcpyDeviceToHost));
    TELL(cudaMemcpy2D(host, 8, p.ptr, p.pitch, 0, 2, cudaMemcpyDeviceToHost));
    TELL(cudaMemcpy2D(host, 8, p.ptr, p.pitch, 8, 0, cudaMemcpyDeviceToHost));
    TELL(cudaMemcpy2D(host, 8, p.ptr, p.pitch, 8, 700, cudaMemcpyDeviceToHost));
    TELL(cudaMemset2D(p.ptr, p.pitch, 1, p.pitch + 1, 2));
    TELL(cudaMemset2D(p.ptr, 0, 1, 4, 1));
    TELL(cudaMemset2D(p.ptr, 0, 1, 4, 2));
    TELL(cudaMemset(p.ptr, 300, 4));
    TELL(cudaMemset(p.ptr, 1, 0));
    TELL(cudaMemset(nullptr, 1, 0));
    TELL(cudaMemset(nullptr, 1, 4));
    TELL(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
    TELL(cudaMemcpy(host, p.ptr, 0, (cudaMemcpyKind)9));
    TELL(cudaMemcpy(host, p.ptr, 4, (cudaMemcpyKind)9));
    TELL(cudaMemcpyToSymbol(place, host, 64));
    TELL(cudaMemcpyToSymbol(place, host, 65));
    TELL(cudaMemcpyToSymbol(place, host, 4, 61));
    TELL(cudaMemcpyToSymbol(place, host, 0, 64));
    TELL(cudaMemcpyFromSymbolAsync(host, place, 64, 0, cudaMemcpyDeviceToHost, 0));
    TELL(cudaMemcpyFromSymbolAsync(host, place, 64, 1, cudaMemcpyDeviceToHost, 0));
    TELL(cudaMemcpyFromSymbol(host, place, 64, 0, cudaMemcpyHostToDevice));
    TELL(cudaDeviceSynchronize());
}

static void functions()
{
    puts("-- functions and streams");
    const char *name = nullptr;
    TELL(cudaFuncGetName(&name, (void *)named));
    printf("name: %s\n", name ? name : "none");
    TELL(cudaFuncGetName(&name, nullptr));
    TELL(cudaFuncGetName(&name, (void *)place));
    size_t offset = 0, size = 0;
    for (int i = 0; i < 5; i++) {
        cudaError_t r = cudaFuncGetParamInfo((void *)named, i, &offset, &size);
        printf("parameter %d: %s %zu %zu\n", i, name_of(r), offset, size);
    }
    TELL(cudaFuncGetParamInfo((void *)named, 0, nullptr, nullptr));
    TELL(cudaFuncGetParamInfo((void *)named, 0, &offset, nullptr));
    cudaStream_t s, t;
    int low = 5, high = 5, priority = 9;
    TELL(cudaDeviceGetStreamPriorityRange(&low, &high));
    printf("%d %d\n", low, high);
    TELL(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, high - 100));
    TELL(cudaStreamGetPriority(s, &priority));
    VALUE("priority", priority);
    TELL(cudaStreamCreateWithPriority(&t, cudaStreamDefault, 3));
    TELL(cudaStreamGetPriority(t, &priority));
    VALUE("priority", priority);
    TELL(cudaStreamCreateWithPriority(&t, 77, 0));
    TELL(cudaStreamCreateWithFlags(&t, 77));
    unsigned long long id = 0, again = 0;
    TELL(cudaStreamGetId(s, &id));
    TELL(cudaStreamGetId(s, &again));
    VALUE("the same", id == again);
    TELL(cudaStreamGetId(0, &again));
    VALUE("others differ", id != again);
    TELL(cudaStreamGetId(cudaStreamPerThread, &again));
    TELL(cudaStreamGetId(s, nullptr));
    size_t most = 0;
    TELL(cudaOccupancyAvailableDynamicSMemPerBlock(&most, (void *)plain, 2, 256));
    VALUE("bytes", most);
    TELL(cudaOccupancyAvailableDynamicSMemPerBlock(&most, (void *)plain, 0, 256));
    TELL(cudaOccupancyAvailableDynamicSMemPerBlock(&most, (void *)plain, 2, 2000));
    TELL(cudaOccupancyAvailableDynamicSMemPerBlock(&most, (void *)plain, 64, 1024));
    int blocks = 0, size1 = 0;
    TELL(cudaOccupancyMaxPotentialBlockSize(&blocks, &size1, plain, 0, 0));
    VALUE("size", size1);
    TELL(cudaOccupancyMaxPotentialBlockSize(&blocks, &size1, plain, 0, 100));
    VALUE("size", size1);
    TELL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (void *)plain, 0, 0));
    TELL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (void *)plain, 33, 0));
    VALUE("blocks", blocks);
    TELL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (void *)plain, 33, 1 << 20));
    VALUE("blocks", blocks);
    TELL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (void *)plain, 5000, 0));
    VALUE("blocks", blocks);
    cudaKernel_t k;
    TELL(cudaGetKernel(&k, (void *)named));
    TELL(cudaGetKernel(&k, (void *)place));
    void *fn = nullptr;
    cudaDriverEntryPointQueryResult q;
    TELL(cudaGetDriverEntryPointByVersion("cuMemAlloc", &fn, 13000, cudaEnableDefault, &q));
    VALUE("found", q);
    TELL(cudaGetDriverEntryPointByVersion("cuNoSuchCall", &fn, 13000, cudaEnableDefault, &q));
    VALUE("found", q);
    VALUE("nothing", fn == nullptr);
    TELL(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &fn, 11000, cudaEnableDefault, &q));
    VALUE("found", q);
    TELL(cudaGetDriverEntryPointByVersion("cuMemAlloc", &fn, 99000, cudaEnableDefault, &q));
    printf("%s, %s\n", cudaGetErrorName((cudaError_t)12345), cudaGetErrorString((cudaError_t)12345));
    printf("%s, %s\n", cudaGetErrorName(cudaErrorUnknown), cudaGetErrorString(cudaErrorUnknown));
}

static void limits()
{
    puts("-- limits of launches");
    int *p, v = 0;
    cudaMalloc(&p, 64);
    void *args[] = {&p};
    const dim3 grids[] = {{1, 1, 1}, {0, 1, 1}, {1, 65536, 1}, {1, 1, 65536}, {2147483647u, 1, 1}, {2147483648u, 1, 1}, {1, 65535, 1}};
    for (dim3 g : grids)
        if (g.x < 2147483647u)
            printf("grid %u %u %u: %s\n", g.x, g.y, g.z, name_of(cudaLaunchKernel((void *)plain, g, dim3(1), args, 0, 0)));
    printf("grid %u: %s\n", 2147483648u, name_of(cudaLaunchKernel((void *)plain, dim3(2147483648u), dim3(1), args, 0, 0)));
    const dim3 sizes[] = {{1025, 1, 1}, {1024, 1, 1}, {1, 1, 65}, {1, 1, 64}, {0, 1, 1}, {32, 33, 1}, {1, 1024, 1}};
    for (dim3 b : sizes)
        printf("block %u %u %u: %s\n", b.x, b.y, b.z, name_of(cudaLaunchKernel((void *)plain, dim3(1), b, args, 0, 0)));
    for (int bytes : {49152, 49153, 232448, 232449})
        printf("dynamic %d: %s\n", bytes, name_of(cudaLaunchKernel((void *)plain, dim3(1), dim3(1), args, bytes, 0)));
    TELL(cudaFuncSetAttribute((void *)plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
    TELL(cudaFuncSetAttribute((void *)plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449));
    TELL(cudaFuncSetAttribute((void *)plain, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    printf("dynamic 232448: %s\n", name_of(cudaLaunchKernel((void *)plain, dim3(1), dim3(1), args, 232448, 0)));
    TELL(cudaFuncSetAttribute((void *)plain, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    TELL(cudaFuncSetAttribute((void *)plain, (cudaFuncAttribute)99, 1));
    TELL(cudaFuncSetAttribute(nullptr, cudaFuncAttributePreferredSharedMemoryCarveout, 1));
    TELL(cudaLaunchKernel(nullptr, dim3(1), dim3(1), args, 0, 0));
    TELL(cudaLaunchKernel((void *)place, dim3(1), dim3(1), args, 0, 0));
    TELL(cudaLaunchCooperativeKernel((void *)plain, dim3(1 << 20), dim3(1024), args, 0, 0));
    TELL(cudaLaunchHostFunc(0, nullptr, nullptr));
    TELL(cudaStreamAddCallback(0, nullptr, nullptr, 0));
    cudaLaunchConfig_t c = {};
    c.gridDim = dim3(1), c.blockDim = dim3(1);
    cudaLaunchAttribute a[2] = {};
    c.attrs = a, c.numAttrs = 1;
    a[0].id = cudaLaunchAttributeIgnore;
    TELL(cudaLaunchKernelExC(&c, (void *)plain, args));
    a[0].id = (cudaLaunchAttributeID)99;
    TELL(cudaLaunchKernelExC(&c, (void *)plain, args));
    a[0].id = cudaLaunchAttributeCooperative, a[0].val.cooperative = 5;
    TELL(cudaLaunchKernelExC(&c, (void *)plain, args));
    a[0].id = cudaLaunchAttributePriority, a[0].val.priority = -100;
    TELL(cudaLaunchKernelExC(&c, (void *)plain, args));
    a[0].id = cudaLaunchAttributeClusterDimension, a[0].val.clusterDim = {2, 1, 1};
    TELL(cudaLaunchKernelExC(&c, (void *)plain, args));
    a[0].val.clusterDim = {0, 1, 1};
    TELL(cudaLaunchKernelExC(&c, (void *)plain, args));
    a[0].id = cudaLaunchAttributeSynchronizationPolicy, a[0].val.syncPolicy = (cudaSynchronizationPolicy)77;
    TELL(cudaLaunchKernelExC(&c, (void *)plain, args));
    c.attrs = nullptr;
    TELL(cudaLaunchKernelExC(&c, (void *)plain, args));
    TELL(cudaDeviceSynchronize());
    TELL(cudaMemcpy(&v, p, 4, cudaMemcpyDefault));
    VALUE("v", v);
}

int main()
{
    child(libraries), child(late), child(modules), child(linked), child(batches), child(boxes), child(functions), child(limits);
    return 0;
}
