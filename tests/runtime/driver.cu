// nvcc: -lcuda
// The Driver API: start-up, contexts, modules from PTX, launches, memory, streams, events; by itself, as its programs
// use it, and then beside the Runtime API on one device.
#include "driver.cuh"
#include <cstddef>
#include <cstdint>
#include <vector>

static const char ptx[] = R"(
.version 9.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 total = 11;
.visible .entry vec_add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .b64 %rd<8>;
    .reg .b32 %r<6>;
    .reg .f32 %f<4>;
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.u32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra done;
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [b];
    ld.param.u64 %rd3, [c];
    mul.wide.u32 %rd4, %r5, 4;
    add.u64 %rd5, %rd1, %rd4;
    add.u64 %rd6, %rd2, %rd4;
    add.u64 %rd7, %rd3, %rd4;
    ld.global.f32 %f1, [%rd5];
    ld.global.f32 %f2, [%rd6];
    add.f32 %f3, %f1, %f2;
    st.global.f32 [%rd7], %f3;
done:
    ret;
}
.visible .entry idle()
{
    ret;
}
)";

static const int N = 1000;
static CUcontext context;
static CUmodule module_;
static CUfunction add;

static void before_and_after_start()
{
    CUdevice d;
    CUcontext c;
    int count, version;
    DRIVER_GIVES(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
    DRIVER_GIVES(cuCtxGetCurrent(&c), CUDA_ERROR_NOT_INITIALIZED);
    CU(cuDriverGetVersion(&version));
    CHECK(version == 13000);
    DRIVER_GIVES(cuInit(1), CUDA_ERROR_INVALID_VALUE);
    CU(cuInit(0));
    CU(cuDeviceGetCount(&count));
    CHECK(count >= 1);
    DRIVER_GIVES(cuDeviceGet(&d, 64), CUDA_ERROR_INVALID_DEVICE);
    CU(cuDeviceGet(&d, 0));
    char name[64];
    CU(cuDeviceGetName(name, sizeof name, d));
    CHECK(*name);
    int warp, major, vmm;
    size_t bytes;
    CU(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, d));
    CU(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, d));
    CU(cuDeviceGetAttribute(&vmm, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, d));
    CU(cuDeviceTotalMem(&bytes, d));
    CHECK(warp == 32 && major >= 7 && vmm == 1 && bytes > 1u << 30);

    CUdeviceptr p;
    CU(cuCtxGetCurrent(&c));
    CHECK(c == NULL);
    DRIVER_GIVES(cuMemAlloc(&p, 16), CUDA_ERROR_INVALID_CONTEXT);
    DRIVER_GIVES(cuCtxPopCurrent(&c), CUDA_ERROR_INVALID_CONTEXT);
    CUmemoryPool pool; // whose settings need no context: as an H100 has it
    unsigned long long threshold = 1 << 20;
    CU(cuDeviceGetDefaultMemPool(&pool, d));
    CU(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
    CU(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
    CU(cuMemPoolTrimTo(pool, 0));
    DRIVER_GIVES(cuMemAllocAsync(&p, 16, 0), CUDA_ERROR_INVALID_CONTEXT);
    CU(cuCtxCreate(&context, NULL, 0, d));
    CU(cuCtxGetCurrent(&c));
    CHECK(c == context);
    CU(cuCtxPopCurrent(&c));
    CHECK(c == context);
    DRIVER_GIVES(cuMemAlloc(&p, 16), CUDA_ERROR_INVALID_CONTEXT);
    CU(cuCtxSetCurrent(context));
    CUdevice of;
    CU(cuCtxGetDevice(&of));
    CHECK(of == d);
    CUcontext primary;
    unsigned flags;
    int active;
    CU(cuDevicePrimaryCtxGetState(d, &flags, &active));
    CHECK(!active);
    CU(cuDevicePrimaryCtxRetain(&primary, d));
    CHECK(primary != context);
    CU(cuCtxPushCurrent(primary));
    CU(cuCtxPopCurrent(&c));
    CHECK(c == primary);
    CU(cuDevicePrimaryCtxRelease(d));
    DRIVER_GIVES(cuDevicePrimaryCtxRelease(d), CUDA_ERROR_INVALID_CONTEXT);
    CU(cuCtxGetCurrent(&c));
    CHECK(c == context);
}

static void modules()
{
    char log[512] = "untouched";
    CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_MAX_REGISTERS};
    void *values[] = {log, (void *)(uintptr_t)sizeof log, (void *)32};
    CUmodule broken;
    CUfunction f;
    DRIVER_GIVES(cuModuleLoadDataEx(&broken, ".version 9.0\n.target sm_75\n.entry f( { nonsense }", 3, names, values),
                 CUDA_ERROR_INVALID_PTX);
    CHECK(strstr(log, "3") && (uintptr_t)values[1] == strlen(log));
    values[1] = (void *)(uintptr_t)sizeof log;
    CU(cuModuleLoadDataEx(&module_, ptx, 3, names, values));
    CHECK(!*log && !values[1]);
    DRIVER_GIVES(cuModuleLoad(&broken, "/nowhere/at/all.ptx"), CUDA_ERROR_FILE_NOT_FOUND);
    DRIVER_GIVES(cuModuleGetFunction(&f, module_, "nowhere"), CUDA_ERROR_NOT_FOUND);
    CU(cuModuleGetFunction(&add, module_, "vec_add"));
    unsigned count;
    CU(cuModuleGetFunctionCount(&count, module_));
    CHECK(count == 2);
    const char *name;
    CU(cuFuncGetName(&name, add));
    CHECK(!strcmp(name, "vec_add"));
    size_t offset, size;
    CU(cuFuncGetParamInfo(add, 3, &offset, &size));
    CHECK(offset == 24 && size == 4);
    CUmodule of;
    CU(cuFuncGetModule(&of, add));
    CHECK(of == module_);
    int threads;
    CU(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, add));
    CHECK(threads == 1024);
    CUdeviceptr total;
    unsigned value;
    CU(cuModuleGetGlobal(&total, &size, module_, "total"));
    CU(cuMemcpyDtoH(&value, total, size));
    CHECK(size == 4 && value == 11);
    int grid, block;
    CU(cuOccupancyMaxPotentialBlockSize(&grid, &block, add, NULL, 0, 0));
    CHECK(block >= 32 && block <= 1024 && grid >= 1);
}

// c = a + b, by each way to launch; `c` is cleared before.
static void launches()
{
    std::vector<float> a(N), b(N), c(N);
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = 2 * i;
    }
    size_t bytes = N * sizeof(float);
    CUdeviceptr da, db, dc;
    DRIVER_GIVES(cuMemAlloc(&da, 0), CUDA_ERROR_INVALID_VALUE);
    CU(cuMemAlloc(&da, bytes));
    CU(cuMemAlloc(&db, bytes));
    CU(cuMemAlloc(&dc, bytes));
    CU(cuMemcpyHtoD(da, a.data(), bytes));
    CU(cuMemcpyHtoD(db, b.data(), bytes));
    CUstream s;
    CU(cuStreamCreate(&s, CU_STREAM_DEFAULT));
    int n = N;
    void *args[] = {&da, &db, &dc, &n};
    struct { CUdeviceptr a, b, c; int n; } packed = {da, db, dc, N};
    size_t size = offsetof(decltype(packed), n) + sizeof(int); // and no more
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    for (int way = 0; way < 5; way++) {
        CU(cuMemsetD32Async(dc, 0, N, s));
        CUlaunchConfig config = {};
        config.gridDimX = 8;
        config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
        config.blockDimX = 128;
        config.hStream = s;
        if (way == 0)
            CU(cuLaunchKernel(add, 8, 1, 1, 128, 1, 1, 0, s, args, NULL));
        else if (way == 1)
            CU(cuLaunchKernel(add, 8, 1, 1, 128, 1, 1, 0, s, NULL, extra));
        else if (way == 2)
            CU(cuLaunchKernelEx(&config, add, args, NULL));
        else if (way == 3)
            CU(cuLaunchKernelEx(&config, add, NULL, extra));
        else
            CU(cuLaunchCooperativeKernel(add, 8, 1, 1, 128, 1, 1, 0, s, args));
        CU(cuMemcpyDtoHAsync(c.data(), dc, bytes, s));
        CU(cuStreamSynchronize(s));
        for (int i = 0; i < N; i++)
            CHECK(c[i] == 3.0f * i);
    }
    DRIVER_GIVES(cuLaunchKernel(add, 1, 1, 1, 2048, 1, 1, 0, s, args, NULL), CUDA_ERROR_INVALID_VALUE);
    DRIVER_GIVES(cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, s, args, extra), CUDA_ERROR_INVALID_VALUE);
    size = sizeof packed;
    DRIVER_GIVES(cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, s, NULL, extra), CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
    DRIVER_GIVES(cuLaunchKernel(NULL, 1, 1, 1, 32, 1, 1, 0, s, args, NULL), CUDA_ERROR_INVALID_HANDLE);
    CU(cuMemFree(da));
    CU(cuMemFree(db));
    CU(cuMemFree(dc));
    CU(cuStreamDestroy(s));
}

static void fills_and_boxes()
{
    CUdeviceptr d;
    size_t pitch;
    CU(cuMemAllocPitch(&d, &pitch, 100, 8, 4));
    CHECK(pitch >= 100);
    CU(cuMemsetD2D8(d, pitch, 1, 100, 8));
    CU(cuMemsetD2D16(d + 2 * pitch, pitch, 0x0202, 50, 2));
    CU(cuMemsetD8(d + 7 * pitch, 9, 100));
    unsigned char h[8][100];
    CUDA_MEMCPY2D out = {};
    out.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    out.srcDevice = d;
    out.srcPitch = pitch;
    out.dstMemoryType = CU_MEMORYTYPE_HOST;
    out.dstHost = h;
    out.dstPitch = 100;
    out.WidthInBytes = 100;
    out.Height = 8;
    CU(cuMemcpy2D(&out));
    CHECK(h[0][0] == 1 && h[2][0] == 2 && h[3][99] == 2 && h[4][0] == 1 && h[7][99] == 9);
    out.srcXInBytes = 10;
    out.srcY = 6;
    out.WidthInBytes = 20;
    out.Height = 2;
    out.dstXInBytes = 50;
    CU(cuMemcpy2DUnaligned(&out));
    CHECK(h[0][49] == 1 && h[0][50] == 1 && h[1][50] == 9 && h[1][69] == 9 && h[1][70] == 1);
    CU(cuMemFree(d));

    // an array, and a part of it in three dimensions
    CUDA_ARRAY3D_DESCRIPTOR shape = {}, back;
    shape.Width = 8;
    shape.Height = 4;
    shape.Depth = 2;
    shape.Format = CU_AD_FORMAT_FLOAT;
    shape.NumChannels = 1;
    CUarray array;
    CU(cuArray3DCreate(&array, &shape));
    CU(cuArray3DGetDescriptor(&back, array));
    CHECK(back.Width == 8 && back.Depth == 2 && back.Format == CU_AD_FORMAT_FLOAT && back.NumChannels == 1);
    float from[2][4][8], to[2][8] = {};
    for (int i = 0; i < 64; i++)
        (&from[0][0][0])[i] = i;
    CUDA_MEMCPY3D box = {};
    box.srcMemoryType = CU_MEMORYTYPE_HOST;
    box.srcHost = from;
    box.srcPitch = 32;
    box.srcHeight = 4;
    box.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    box.dstArray = array;
    box.WidthInBytes = 32;
    box.Height = 4;
    box.Depth = 2;
    CU(cuMemcpy3D(&box));
    box = {};
    box.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    box.srcArray = array;
    box.srcXInBytes = 8;
    box.srcY = 1;
    box.srcZ = 1;
    box.dstMemoryType = CU_MEMORYTYPE_HOST;
    box.dstHost = to;
    box.dstPitch = 32;
    box.WidthInBytes = 12;
    box.Height = 2;
    box.Depth = 1;
    CU(cuMemcpy3D(&box));
    CHECK(to[0][0] == 42 && to[0][2] == 44 && to[0][3] == 0 && to[1][0] == 50);
    CU(cuArrayDestroy(array));
}

static void streams_and_events()
{
    CUstream s, t;
    CUevent e, f;
    CU(cuStreamCreate(&s, 0));
    CU(cuStreamCreateWithPriority(&t, CU_STREAM_NON_BLOCKING, 0));
    CU(cuEventCreate(&e, CU_EVENT_DEFAULT));
    CU(cuEventCreate(&f, CU_EVENT_DEFAULT));
    CUdeviceptr d;
    CU(cuMemAllocAsync(&d, 1 << 20, s));
    CU(cuEventRecord(e, s));
    CU(cuMemsetD32Async(d, 5, 1 << 18, s));
    CU(cuEventRecord(f, s));
    DRIVER_GIVES(cuStreamQuery(s), CUDA_ERROR_NOT_READY);
    CU(cuStreamWaitEvent(t, f, 0));
    std::vector<int> h(1 << 18);
    CU(cuMemcpyDtoHAsync(h.data(), d, 1 << 20, t));
    CU(cuLaunchHostFunc(t, [](void *p) { *(int *)p += 1; }, h.data()));
    CU(cuStreamSynchronize(t));
    CHECK(h[0] == 6 && h[h.size() - 1] == 5);
    float ms;
    CU(cuEventElapsedTime(&ms, e, f));
    CHECK(ms > 0);
    CUcontext of;
    CU(cuStreamGetCtx(s, &of));
    CHECK(of == context);
    CU(cuMemFreeAsync(d, t));
    CU(cuCtxSynchronize());
    CU(cuStreamDestroy(s));
    CU(cuStreamDestroy(t));
    CU(cuEventDestroy(e));
    CU(cuEventDestroy(f));
    DRIVER_GIVES(cuStreamSynchronize(s), CUDA_ERROR_INVALID_HANDLE);
}

static void host_memory_and_pointers()
{
    int *h;
    CUdeviceptr d, base;
    size_t bytes;
    CU(cuMemHostAlloc((void **)&h, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
    CU(cuMemHostGetDevicePointer(&d, h, 0));
    CU(cuMemsetD32(d, 3, 16));
    CU(cuCtxSynchronize());
    CHECK(h[15] == 3);
    unsigned type;
    CU(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, d));
    CHECK(type == CU_MEMORYTYPE_HOST);
    CU(cuMemFreeHost(h));
    CU(cuMemAlloc(&d, 1000));
    CU(cuMemGetAddressRange(&base, &bytes, d + 10));
    CHECK(base == d && bytes == 1000);
    CUpointer_attribute attrs[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_RANGE_SIZE,
                                   CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
    int ordinal = 7;
    void *data[] = {&type, &bytes, &ordinal};
    CU(cuPointerGetAttributes(3, attrs, data, d));
    CHECK(type == CU_MEMORYTYPE_DEVICE && bytes == 1000 && ordinal == 0);
    CU(cuPointerGetAttributes(3, attrs, data, (CUdeviceptr)(uintptr_t)&d));
    CHECK(type == 0 && bytes == 0);
    DRIVER_GIVES(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)&d),
                 CUDA_ERROR_INVALID_VALUE);
    CU(cuMemFree(d));
    DRIVER_GIVES(cuMemFree(d), CUDA_ERROR_INVALID_VALUE);
    int *m;
    CU(cuMemAllocManaged((CUdeviceptr *)&m, 64, CU_MEM_ATTACH_GLOBAL));
    m[0] = 4;
    CU(cuMemFree((CUdeviceptr)m));
}

static void names_and_lookup()
{
    const char *text;
    CU(cuGetErrorName(CUDA_ERROR_INVALID_CONTEXT, &text));
    CHECK(!strcmp(text, "CUDA_ERROR_INVALID_CONTEXT"));
    CU(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
    CHECK(!strcmp(text, "out of memory"));
    DRIVER_GIVES(cuGetErrorName((CUresult)12345, &text), CUDA_ERROR_INVALID_VALUE);
    CHECK(!text);
    void *f, *g;
    CUdriverProcAddressQueryResult found;
    CU(cuGetProcAddress("cuCtxCreate", &f, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &found));
    CU(cuGetProcAddress("cuCtxCreate", &g, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &found));
    CHECK(f != g && found == CU_GET_PROC_ADDRESS_SUCCESS);
    CU(cuGetProcAddress("cuStreamSynchronize", &f, 13000, CU_GET_PROC_ADDRESS_LEGACY_STREAM, NULL));
    CU(cuGetProcAddress("cuStreamSynchronize", &g, 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, NULL));
    CHECK(f != g);
    CU(cuGetProcAddress("cuGraphAddNode", &f, 11000, 0, &found));
    CHECK(!f && found == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    CU(cuGetProcAddress("cuNowhere", &f, 13000, 0, &found));
    CHECK(!f && found == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
}

__global__ void twice(int *p) { p[threadIdx.x] *= 2; }

// The Runtime API on the context that is current, with its streams, pointers and kernels.
static void beside_the_runtime()
{
    int *p, h[32];
    CUstream s;
    CU(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cudaMalloc(&p, sizeof h));
    CU(cuMemsetD32Async((CUdeviceptr)p, 21, 32, s));
    twice<<<1, 32, 0, s>>>(p);
    OK(cudaGetLastError());
    OK(cudaMemcpyAsync(h, p, sizeof h, cudaMemcpyDeviceToHost, s));
    CU(cuStreamSynchronize(s));
    CHECK(h[31] == 42);
    cudaFunction_t f;
    OK(cudaGetFuncBySymbol(&f, (const void *)twice));
    void *args[] = {&p};
    CU(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, s, args, NULL));
    OK(cudaMemcpyAsync(h, p, sizeof h, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    CHECK(h[0] == 84);
    DRIVER_GIVES(cuMemFree((CUdeviceptr)p + 4), CUDA_ERROR_INVALID_VALUE);
    OK(cudaGetLastError()); // the Driver API's errors are not the Runtime API's
    CU(cuMemFree((CUdeviceptr)p));
    OK(cudaStreamDestroy(s));
}

int main()
{
    before_and_after_start();
    modules();
    launches();
    fills_and_boxes();
    streams_and_events();
    host_memory_and_pointers();
    names_and_lookup();
    beside_the_runtime();
    CU(cuModuleUnload(module_));
    DRIVER_GIVES(cuModuleUnload(module_), CUDA_ERROR_INVALID_HANDLE);
    CU(cuCtxDestroy(context));
    DRIVER_GIVES(cuCtxDestroy(context), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    puts("driver ok");
}
