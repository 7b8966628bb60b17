// nvcc: -lcuda -w
// Queries and small calls of both APIs that few programs make: atomics over links, affinity, notices, dumps, requirements of arrays,
// batches of copies of boxes; one fact a line: the same program runs on a real GPU and on softgpu (small_facts.gpu.txt).
//
//   nvcc -cudart shared -lcuda -w -o small_facts small_facts.cu && ./small_facts
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <unistd.h>

#include "apart.cuh"

static const char *name_of(CUresult r)
{
    const char *name = "?";
    cuGetErrorName(r, &name);
    return name;
}
static const char *name_of(cudaError_t r) { return cudaGetErrorName(r); }

static void atomics()
{
    unsigned can[CU_ATOMIC_OPERATION_MAX + 1];
    CUatomicOperation all[CU_ATOMIC_OPERATION_MAX + 1];
    for (int i = 0; i <= CU_ATOMIC_OPERATION_MAX; i++)
        all[i] = (CUatomicOperation)i, can[i] = 777;
    TELL(cuDeviceGetHostAtomicCapabilities(can, all, CU_ATOMIC_OPERATION_MAX, 0));
    for (int i = 0; i < CU_ATOMIC_OPERATION_MAX; i++)
        printf("host atomics %d: %u\n", i, can[i]);
    TELL(cuDeviceGetHostAtomicCapabilities(can, all, CU_ATOMIC_OPERATION_MAX + 1, 0));
    TELL(cuDeviceGetHostAtomicCapabilities(can, all, 0, 0));
    TELL(cuDeviceGetHostAtomicCapabilities(NULL, all, 1, 0));
    TELL(cuDeviceGetHostAtomicCapabilities(can, NULL, 1, 0));
    TELL(cuDeviceGetHostAtomicCapabilities(can, all, 1, 99));
    TELL(cuDeviceGetP2PAtomicCapabilities(can, all, 1, 0, 0));
    TELL(cuDeviceGetP2PAtomicCapabilities(can, all, 1, 0, 99));
    TELL(cuDeviceGetP2PAtomicCapabilities(NULL, all, 1, 0, 0));
    TELL(cudaDeviceGetHostAtomicCapabilities(can, (cudaAtomicOperation *)all, 2, 0));
    TELL(cudaDeviceGetHostAtomicCapabilities(can, (cudaAtomicOperation *)all, 2, 99));
    TELL(cudaDeviceGetHostAtomicCapabilities(NULL, (cudaAtomicOperation *)all, 2, 0));
    TELL(cudaDeviceGetHostAtomicCapabilities(can, (cudaAtomicOperation *)all, 0, 0));
    TELL(cudaDeviceGetP2PAtomicCapabilities(can, (cudaAtomicOperation *)all, 2, 0, 0));
    TELL(cudaGetLastError());
    int v = -1;
    TELL(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED, 0));
    VALUE("native host atomics", v);
}

static void queries()
{
    int v = -1;
    char luid[8];
    unsigned mask = 77;
    TELL(cuDeviceGetExecAffinitySupport(&v, CU_EXEC_AFFINITY_TYPE_SM_COUNT, 0));
    VALUE("affinity", v);
    TELL(cuDeviceGetExecAffinitySupport(&v, (CUexecAffinityType)1, 0));
    TELL(cuDeviceGetExecAffinitySupport(NULL, CU_EXEC_AFFINITY_TYPE_SM_COUNT, 0));
    TELL(cuDeviceGetExecAffinitySupport(&v, CU_EXEC_AFFINITY_TYPE_SM_COUNT, 99));
    CUexecAffinityParam a = {};
    TELL(cuCtxGetExecAffinity(&a, CU_EXEC_AFFINITY_TYPE_SM_COUNT));
    VALUE("SMs", a.param.smCount.val);
    TELL(cuCtxGetExecAffinity(NULL, CU_EXEC_AFFINITY_TYPE_SM_COUNT));
    TELL(cuDeviceGetLuid(luid, &mask, 0));
    TELL(cuFlushGPUDirectRDMAWrites(CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX, CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER));
    TELL(cuFlushGPUDirectRDMAWrites(CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX, CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES));
    TELL(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice, cudaFlushGPUDirectRDMAWritesToOwner));
    for (CUdevice_attribute x : {CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK, CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH}) {
        v = -1;
        cuDeviceGetAttribute(&v, x, 0);
        printf("attribute %d: %d\n", x, v);
    }
    CUmemDecompressParams d = {};
    TELL(cuMemBatchDecompressAsync(&d, 1, 0, NULL, NULL));
}

static void ignore(CUasyncNotificationInfo *, void *, CUasyncCallbackHandle) {}

static void notifications()
{
    CUasyncCallbackHandle h = NULL, g = NULL;
    TELL(cuDeviceRegisterAsyncNotification(0, ignore, NULL, &h));
    TELL(cuDeviceRegisterAsyncNotification(0, ignore, NULL, &g));
    VALUE("two handles", h != g);
    TELL(cuDeviceRegisterAsyncNotification(99, ignore, NULL, &g));
    TELL(cuDeviceRegisterAsyncNotification(0, NULL, NULL, &g));
    TELL(cuDeviceUnregisterAsyncNotification(0, h));
    TELL(cuDeviceUnregisterAsyncNotification(0, NULL));
}

static void dumps()
{
    for (int i = 0; i <= CU_COREDUMP_MAX; i++)
        for (int global = 0; global < 2; global++) {
            char value[1024] = {};
            size_t size = 0;
            auto get = global ? cuCoredumpGetAttributeGlobal : cuCoredumpGetAttribute;
            auto set = global ? cuCoredumpSetAttributeGlobal : cuCoredumpSetAttribute;
            CUresult r = get((CUcoredumpSettings)i, NULL, &size);
            printf("dump attribute %d %s: %s, size %zu\n", i, global ? "global" : "context", name_of(r), size);
            size = i == CU_COREDUMP_FILE || i == CU_COREDUMP_PIPE ? sizeof value : i == CU_COREDUMP_GENERATION_FLAGS ? 4 : 1;
            r = get((CUcoredumpSettings)i, value, &size);
            printf("  value: %s, size %zu", name_of(r), size);
            if (i == CU_COREDUMP_FILE || i == CU_COREDUMP_PIPE)
                printf(" %.9s\n", value);
            else
                printf(" %d\n", *(int *)value);
            if (i == CU_COREDUMP_LIGHTWEIGHT || i == CU_COREDUMP_GENERATION_FLAGS) {
                *(int *)value = 1;
                printf("  set: %s", name_of(set((CUcoredumpSettings)i, value, &size)));
                *(int *)value = 0;
                r = get((CUcoredumpSettings)i, value, &size);
                printf(", then %s %d\n", name_of(r), *(int *)value);
                *(int *)value = 0;
                set((CUcoredumpSettings)i, value, &size);
            }
        }
}

static void arrays()
{
    CUDA_ARRAY3D_DESCRIPTOR d = {64, 48, 0, CU_AD_FORMAT_FLOAT, 1, 0};
    CUarray a, plane;
    CUmipmappedArray m;
    CUDA_ARRAY_MEMORY_REQUIREMENTS r = {};
    CUDA_ARRAY_SPARSE_PROPERTIES s = {};
    TELL(cuArray3DCreate(&a, &d));
    TELL(cuArrayGetMemoryRequirements(&r, a, 0));
    TELL(cuArrayGetSparseProperties(&s, a));
    TELL(cuArrayGetPlane(&plane, a, 0));
    TELL(cuMipmappedArrayCreate(&m, &d, 3));
    TELL(cuMipmappedArrayGetMemoryRequirements(&r, m, 0));
    TELL(cuMipmappedArrayGetSparseProperties(&s, m));
}

static void boxes()
{
    // Two boxes: a part of a pitched picture to another, and to an array and back.
    enum { W = 40, H = 12 };
    static unsigned char host[W * H], got[W * H];
    CUdeviceptr x, y;
    CUarray array;
    CUstream stream;
    CUDA_ARRAY3D_DESCRIPTOR d = {16, 8, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0};
    cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
    cuMemAlloc(&x, W * H);
    cuMemAlloc(&y, W * H);
    cuMemsetD8(y, 0, W * H);
    cuArray3DCreate(&array, &d);
    for (int i = 0; i < W * H; i++)
        host[i] = i * 7 + 1;
    cuMemcpyHtoD(x, host, sizeof host);
    auto pointer = [](CUdeviceptr p, size_t row, size_t rows) {
        CUmemcpy3DOperand o = {};
        o.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
        o.op.ptr.ptr = p;
        o.op.ptr.rowLength = row;
        o.op.ptr.layerHeight = rows;
        return o;
    };
    auto in_array = [&](size_t x, size_t y) {
        CUmemcpy3DOperand o = {};
        o.type = CU_MEMCPY_OPERAND_TYPE_ARRAY;
        o.op.array.array = array;
        o.op.array.offset = {x, y, 0};
        return o;
    };
    auto op = [](CUmemcpy3DOperand from, CUmemcpy3DOperand to, size_t w, size_t h, size_t d) {
        CUDA_MEMCPY3D_BATCH_OP o = {};
        o.src = from;
        o.dst = to;
        o.extent = {w, h, d};
        o.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
        return o;
    };
    auto show = [&](const char *what) {
        cuStreamSynchronize(stream);
        unsigned sum = 2166136261u;
        cuMemcpyDtoH(got, y, sizeof got);
        for (unsigned char v : got)
            sum = (sum ^ v) * 16777619u;
        printf("%s: %08x\n", what, sum);
        cuMemsetD8(y, 0, W * H);
    };
    CUDA_MEMCPY3D_BATCH_OP two[2] = {op(pointer(x + 3, W, H), pointer(y + 5, W, H), 10, 4, 1), op(pointer(x, W, 4), pointer(y + 20, W, 4), 8, 2, 3)};
    TELL(cuMemcpy3DBatchAsync(2, two, 0, stream));
    show("pointers");
    two[0] = op(pointer(x + 3, W, H), in_array(2, 1), 10, 4, 1);
    TELL(cuMemcpy3DBatchAsync(1, two, 0, stream));
    two[0] = op(in_array(2, 1), pointer(y, 0, 0), 10, 4, 1);
    TELL(cuMemcpy3DBatchAsync(1, two, 0, stream));
    show("an array and back, packed");
    TELL(cuMemcpy3DBatchAsync(0, two, 0, stream));
    TELL(cuMemcpy3DBatchAsync(1, NULL, 0, stream));
    TELL(cuMemcpy3DBatchAsync(1, two, 1, stream));
    TELL(cuMemcpy3DBatchAsync(1, two, 0, NULL));
    two[0].srcAccessOrder = (CUmemcpySrcAccessOrder)0;
    TELL(cuMemcpy3DBatchAsync(1, two, 0, stream));
    two[0] = op(pointer(x, 5, 4), pointer(y, W, 4), 8, 2, 1);
    TELL(cuMemcpy3DBatchAsync(1, two, 0, stream));
    two[0] = op(pointer(x, W, 1), pointer(y, W, 4), 8, 2, 1);
    TELL(cuMemcpy3DBatchAsync(1, two, 0, stream));
    two[0] = op(pointer(x, W, 4), pointer(y, W, 4), 0, 2, 1);
    TELL(cuMemcpy3DBatchAsync(1, two, 0, stream));
    two[0] = op(pointer(x, W, 4), pointer(y, W, 4), 8, 0, 1);
    TELL(cuMemcpy3DBatchAsync(1, two, 0, stream));
    two[0] = op(pointer(0, W, 4), pointer(y, W, 4), 8, 2, 1);
    TELL(cuMemcpy3DBatchAsync(1, two, 0, stream));
    two[0] = op(in_array(10, 1), pointer(y, W, 4), 10, 2, 1);
    TELL(cuMemcpy3DBatchAsync(1, two, 0, stream));
    two[0] = op(pointer(x, W, 4), pointer(y, W, 4), 8, 2, 1);
    two[0].src.type = (CUmemcpy3DOperandType)9;
    TELL(cuMemcpy3DBatchAsync(1, two, 0, stream));
    cuStreamSynchronize(stream);
    cudaMemcpy3DBatchOp r = {};
    r.src.type = r.dst.type = cudaMemcpyOperandTypePointer;
    r.src.op.ptr.ptr = (void *)x, r.src.op.ptr.rowLength = W, r.src.op.ptr.layerHeight = 4;
    r.dst.op.ptr.ptr = (void *)y, r.dst.op.ptr.rowLength = W, r.dst.op.ptr.layerHeight = 4;
    r.extent = {8, 2, 1};
    r.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    TELL(cudaMemcpy3DBatchAsync(1, &r, 0, (cudaStream_t)stream));
    show("the runtime's");
    TELL(cudaMemcpy3DBatchAsync(1, &r, 0, NULL));
    TELL(cudaMemcpy3DBatchAsync(1, &r, 1, (cudaStream_t)stream));
    TELL(cudaMemcpy3DBatchAsync(1, NULL, 0, (cudaStream_t)stream));
    cudaGetLastError();
    // In a capture.
    TELL(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    two[0] = op(pointer(x, W, 4), pointer(y, W, 4), 8, 2, 1);
    TELL(cuMemcpy3DBatchAsync(1, two, 0, stream));
    CUgraph graph = NULL;
    TELL(cuStreamEndCapture(stream, &graph));
    size_t nodes = 77;
    if (graph)
        cuGraphGetNodes(graph, NULL, &nodes);
    VALUE("nodes", nodes);
}

static void multi_device()
{
    CUstream s;
    cuStreamCreate(&s, CU_STREAM_NON_BLOCKING);
    CUmodule m;
    CUfunction k;
    cuModuleLoadData(&m, ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k() { ret; }\n");
    cuModuleGetFunction(&k, m, "k");
    CUDA_LAUNCH_PARAMS p = {};
    p.function = k;
    p.gridDimX = p.gridDimY = p.gridDimZ = 1;
    p.blockDimX = 32, p.blockDimY = p.blockDimZ = 1;
    p.hStream = s;
    TELL(cuLaunchCooperativeKernelMultiDevice(&p, 1, 0));
    TELL(cuLaunchCooperativeKernelMultiDevice(&p, 0, 0));
    TELL(cuLaunchCooperativeKernelMultiDevice(NULL, 1, 0));
    TELL(cuLaunchCooperativeKernelMultiDevice(&p, 1, 8));
    p.hStream = NULL;
    TELL(cuLaunchCooperativeKernelMultiDevice(&p, 1, 0));
    TELL(cuCtxSynchronize());
}

template <void (*section)()> static void set_up()
{
    CUcontext c;
    TELL(cuInit(0));
    TELL(cuDevicePrimaryCtxRetain(&c, 0));
    TELL(cuCtxSetCurrent(c));
    section();
}

int main()
{
    child(set_up<atomics>);
    child(set_up<queries>);
    child(set_up<notifications>);
    child(set_up<arrays>);
    child(set_up<boxes>);
    child(set_up<multi_device>);
    child(set_up<dumps>);
    return 0;
}
