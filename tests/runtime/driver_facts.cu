// nvcc: -lcuda
// What the Driver API answers in corners: one line each, the same on a GPU (driver_facts.gpu.txt) and on softgpu.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda.h>

static const char *name_of(CUresult r)
{
    const char *name = "?";
    cuGetErrorName(r, &name);
    return name;
}
#define TELL(call) printf("%s: %s\n", #call, name_of(call))
#define VALUE(what, value) printf("%s: %lld\n", what, (long long)(value))

static const char ptx[] = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .global .align 4 .u32 g;\n"
                          ".visible .entry k(.param .u64 p) { ret; }\n"
                          ".visible .entry bounded(.param .u64 p) .maxntid 64, 1, 1 { ret; }\n";

static void before()
{
    int n;
    CUcontext c;
    CUdevice d;
    TELL(cuDeviceGetCount(&n));
    TELL(cuCtxGetCurrent(&c));
    TELL(cuDeviceGet(&d, 0));
    TELL(cuInit(1));
    TELL(cuInit(0));
    TELL(cuDeviceGet(&d, -1));
    TELL(cuDeviceGet(&d, 64));
    TELL(cuDeviceGet(NULL, 0));
    TELL(cuDeviceGetCount(NULL));
    CUdeviceptr p;
    TELL(cuMemAlloc(&p, 16));
    TELL(cuCtxSynchronize());
    TELL(cuCtxPopCurrent(&c));
    TELL(cuCtxGetDevice(&d));
    TELL(cuCtxSetCurrent(NULL));
    TELL(cuDevicePrimaryCtxRelease(0));
    unsigned flags = 77;
    int active = 77;
    TELL(cuDevicePrimaryCtxGetState(0, &flags, &active));
    VALUE("flags", flags);
    VALUE("active", active);
}

static void contexts()
{
    CUcontext a, b, c;
    unsigned version, flags;
    TELL(cuCtxCreate(&a, NULL, 0, 0));
    TELL(cuCtxGetApiVersion(a, &version));
    VALUE("version", version);
    TELL(cuCtxGetFlags(&flags));
    VALUE("flags", flags);
    TELL(cuCtxCreate(&b, NULL, 0xffff, 0));
    TELL(cuCtxCreate(&b, NULL, CU_CTX_SCHED_BLOCKING_SYNC, 0));
    TELL(cuCtxGetFlags(&flags));
    VALUE("flags", flags);
    TELL(cuCtxPopCurrent(NULL));
    TELL(cuCtxGetCurrent(&c));
    VALUE("current is the first", c == a);
    TELL(cuCtxDestroy(b));
    TELL(cuCtxDestroy(NULL));
    CUmoduleLoadingMode mode;
    TELL(cuModuleGetLoadingMode(&mode));
    int least, greatest;
    TELL(cuCtxGetStreamPriorityRange(&least, &greatest));
    VALUE("least", least);
    VALUE("greatest", greatest);
    TELL(cuDevicePrimaryCtxRetain(&c, 0));
    VALUE("primary is the first", c == a);
    TELL(cuDevicePrimaryCtxRelease(0));
    TELL(cuDevicePrimaryCtxRelease(0));
}

static void modules(CUfunction *k, CUfunction *bounded)
{
    CUmodule m, bad;
    CUfunction f;
    CUdeviceptr p;
    size_t bytes;
    int value;
    TELL(cuModuleLoadData(&m, ptx));
    TELL(cuModuleLoadData(&bad, ".version 7.0\n.target sm_75\n.address_size 64\n.entry x( {"));
    TELL(cuModuleLoadData(&bad, "no ptx at all"));
    TELL(cuModuleLoadData(&bad, NULL));
    TELL(cuModuleLoad(&bad, "/nowhere/at/all"));
    TELL(cuModuleGetFunction(&f, m, "nowhere"));
    TELL(cuModuleGetFunction(&f, m, ""));
    TELL(cuModuleGetFunction(&f, m, "g"));
    TELL(cuModuleGetGlobal(&p, &bytes, m, "k"));
    TELL(cuModuleGetGlobal(&p, &bytes, m, "g"));
    VALUE("bytes", bytes);
    TELL(cuModuleGetGlobal(NULL, NULL, m, "g"));
    TELL(cuModuleGetFunction(k, m, "k"));
    TELL(cuModuleGetFunction(bounded, m, "bounded"));
    TELL(cuFuncGetAttribute(&value, (CUfunction_attribute)99, *k));
    TELL(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, *bounded));
    VALUE("threads", value);
    TELL(cuFuncSetAttribute(*k, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20));
    size_t offset, size;
    TELL(cuFuncGetParamInfo(*k, 1, &offset, &size));
    CUlinkState link;
    void *code;
    TELL(cuLinkCreate(0, NULL, NULL, &link));
    TELL(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)"nonsense", 9, "x", 0, NULL, NULL));
    TELL(cuLinkDestroy(link));
    TELL(cuLinkCreate(0, NULL, NULL, &link));
    TELL(cuLinkComplete(link, &code, &bytes));
    TELL(cuLinkDestroy(link));
}

static void launches(CUfunction k, CUfunction bounded)
{
    CUdeviceptr p = 0;
    void *args[] = {&p};
    size_t size = 8, small = 4;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &p, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    void *short_extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &p, CU_LAUNCH_PARAM_BUFFER_SIZE, &small,
                           CU_LAUNCH_PARAM_END};
    TELL(cuLaunchKernel(k, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL));
    TELL(cuLaunchKernel(k, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, extra));
    TELL(cuLaunchKernel(k, 1, 1, 1, 32, 1, 1, 0, NULL, args, extra));
    TELL(cuLaunchKernel(k, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, short_extra));
    TELL(cuLaunchKernel(NULL, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL));
    TELL(cuLaunchKernel(k, 0, 1, 1, 32, 1, 1, 0, NULL, args, NULL));
    TELL(cuLaunchKernel(k, 1, 1, 1, 2048, 1, 1, 0, NULL, args, NULL));
    TELL(cuLaunchKernel(k, 1, 70000, 1, 32, 1, 1, 0, NULL, args, NULL));
    TELL(cuLaunchKernel(k, 1, 1, 1, 32, 1, 1, 1 << 20, NULL, args, NULL));
    TELL(cuLaunchKernel(bounded, 1, 1, 1, 128, 1, 1, 0, NULL, args, NULL));
    TELL(cuLaunchCooperativeKernel(k, 1 << 20, 1, 1, 1024, 1, 1, 0, NULL, args));
    TELL(cuLaunchKernelEx(NULL, k, args, NULL));
    TELL(cuCtxSynchronize());
}

static void memory()
{
    CUdeviceptr p, q;
    size_t bytes, pitch;
    char h[256];
    unsigned type;
    TELL(cuMemAlloc(&p, 0));
    TELL(cuMemAlloc(NULL, 16));
    TELL(cuMemAlloc(&p, 1ull << 50));
    TELL(cuMemAlloc(&p, 100));
    TELL(cuMemFree(0));
    TELL(cuMemFree(p + 4));
    TELL(cuMemcpyHtoD(p, h, 0));
    TELL(cuMemcpyHtoD(0, h, 16));
    TELL(cuMemcpyDtoD(p, p + 8, 8));
    TELL(cuMemsetD32(p + 1, 0, 1));
    TELL(cuMemsetD16(p + 1, 0, 1));
    TELL(cuMemsetD8(p, 0, 0));
    TELL(cuMemsetD2D32(p, 3, 0, 2, 2));
    TELL(cuMemAllocPitch(&q, &pitch, 10, 10, 3));
    TELL(cuMemGetAddressRange(&q, &bytes, p + 5));
    VALUE("bytes", bytes);
    VALUE("begins there", q == p);
    TELL(cuMemGetAddressRange(&q, &bytes, (CUdeviceptr)(uintptr_t)h));
    TELL(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)h));
    TELL(cuPointerGetAttribute(NULL, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
    TELL(cuMemHostGetDevicePointer(&q, h, 0));
    TELL(cuMemFreeHost(h));
    TELL(cuMemHostUnregister(h));
    TELL(cuMemHostAlloc((void **)&q, 0, 0));
    TELL(cuMemAllocManaged(&q, 16, 0));
    TELL(cuMemAllocManaged(&q, 0, CU_MEM_ATTACH_GLOBAL));
    TELL(cuMemFree(p));
    CUDA_ARRAY_DESCRIPTOR shape = {8, 8, CU_AD_FORMAT_FLOAT, 3};
    CUarray a;
    TELL(cuArrayCreate(&a, &shape));
    shape = {0, 8, CU_AD_FORMAT_FLOAT, 1};
    TELL(cuArrayCreate(&a, &shape));
    TELL(cuMemcpy2D(NULL));
}

static void virtual_memory()
{
    CUmemAllocationProp prop = {};
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    size_t part, recommended;
    TELL(cuMemGetAllocationGranularity(&part, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    VALUE("minimum", part);
    TELL(cuMemGetAllocationGranularity(&recommended, &prop, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
    VALUE("recommended", recommended);
    CUdeviceptr p;
    CUmemGenericAllocationHandle m;
    CUmemAccessDesc access = {prop.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    unsigned long long flags;
    TELL(cuMemAddressReserve(&p, part + 1, 0, 0, 0));
    TELL(cuMemAddressReserve(&p, 0, 0, 0, 0));
    TELL(cuMemAddressReserve(&p, part, 3, 0, 0));
    TELL(cuMemAddressReserve(&p, 4 * part, 0, 0, 0));
    TELL(cuMemCreate(&m, part + 1, &prop, 0));
    TELL(cuMemCreate(&m, part, &prop, 1));
    TELL(cuMemCreate(&m, 2 * part, &prop, 0));
    TELL(cuMemMap(p, part, 0, m, 0));
    TELL(cuMemMap(p, part, part, m, 0));
    TELL(cuMemMap(p + 1, 2 * part, 0, m, 0));
    TELL(cuMemMap(p, 2 * part, 0, m, 1));
    TELL(cuMemMap(p, 2 * part, 0, m, 0));
    TELL(cuMemMap(p, 2 * part, 0, m, 0));
    TELL(cuMemSetAccess(p, 4 * part, &access, 1));
    TELL(cuMemSetAccess(p, part, &access, 1));
    TELL(cuMemSetAccess(p, 2 * part, &access, 1));
    TELL(cuMemSetAccess(p, 2 * part, &access, 0));
    TELL(cuMemGetAccess(&flags, &prop.location, p));
    VALUE("flags", flags);
    TELL(cuMemRelease(m));
    TELL(cuMemsetD8(p, 1, 2 * part));
    TELL(cuMemAddressFree(p, 4 * part));
    TELL(cuMemUnmap(p, part));
    TELL(cuMemUnmap(p, 2 * part));
    TELL(cuMemUnmap(p, 2 * part));
    TELL(cuMemAddressFree(p, part));
    TELL(cuMemAddressFree(p, 4 * part));
}

static void lookups()
{
    void *f = NULL, *g = NULL;
    CUdriverProcAddressQueryResult found;
    TELL(cuGetProcAddress("cuCtxSynchronize", &f, 12000, 0, &found));
    TELL(cuGetProcAddress("cuCtxSynchronize", &g, 13000, 0, &found));
    VALUE("another one for 13.0", f != g);
    TELL(cuGetProcAddress("cuNowhere", &f, 13000, 0, &found));
    VALUE("found", found);
    TELL(cuGetProcAddress("cuNowhere", &f, 13000, 0, NULL));
    TELL(cuGetProcAddress("cuGraphAddNode", &f, 11000, 0, &found));
    VALUE("found", found);
    TELL(cuGetProcAddress("cuMemAlloc_v2", &f, 13000, 0, &found));
    VALUE("found", found);
    TELL(cuGetProcAddress("cuInit", &f, 13000, 8, &found));
    TELL(cuGetProcAddress("cuInit", &f, 0, 0, &found));
    TELL(cuGetProcAddress("", &f, 13000, 0, &found));
    const char *text;
    TELL(cuGetErrorName((CUresult)12345, &text));
    VALUE("no name", text == NULL);
    TELL(cuGetErrorString((CUresult)12345, &text));
    VALUE("no text", text == NULL);
}

static void events()
{
    CUevent a, b;
    float ms;
    TELL(cuEventCreate(&a, 99));
    TELL(cuEventCreate(&a, 0));
    TELL(cuEventCreate(&b, CU_EVENT_DISABLE_TIMING));
    TELL(cuEventElapsedTime(&ms, a, a));
    TELL(cuEventRecord(a, NULL));
    TELL(cuEventRecord(b, NULL));
    TELL(cuCtxSynchronize());
    TELL(cuEventElapsedTime(&ms, a, b));
    TELL(cuEventQuery(b));
    CUstream s;
    TELL(cuStreamCreate(&s, 99));
    TELL(cuStreamWaitEvent(NULL, NULL, 0));
    TELL(cuEventRecord(NULL, NULL));
}

int main()
{
    CUfunction k, bounded;
    before();
    contexts();
    modules(&k, &bounded);
    launches(k, bounded);
    memory();
    virtual_memory();
    lookups();
    events();
}
