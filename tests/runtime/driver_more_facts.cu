// nvcc: -lcuda -w
// Facts about the Driver API's older and smaller calls: fills and copies in all their forms, arrays,
// objects that a graph owns, attributes of streams, advice about memory, pools; one a line: the same program runs on a
// real GPU and on softgpu (driver_more_facts.gpu.txt). Each section is a process of its own.
//
//   nvcc -arch=compute_75 -cudart shared -lcuda -w -o driver_more_facts driver_more_facts.cu && ./driver_more_facts
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cudaProfiler.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

#include "apart.cuh"
#include "named.cuh"

static CUcontext context;
static CUdevice device;
static void begin(const char *section)
{
    printf("-- %s\n", section);
    cuInit(0);
    cuDeviceGet(&device, 0);
    cuDevicePrimaryCtxRetain(&context, device);
    cuCtxSetCurrent(context);
}

static void show(const char *what, const void *bytes, size_t n)
{
    printf("%s:", what);
    for (size_t i = 0; i < n; i++)
        printf(" %02x", ((const unsigned char *)bytes)[i]);
    puts("");
}
static void show_device(const char *what, CUdeviceptr d, size_t n)
{
    unsigned char bytes[256] = {};
    if (cuMemcpyDtoH(bytes, d, n))
        printf("%s: no copy\n", what);
    else
        show(what, bytes, n);
}

static void fills()
{
    begin("fills");
    CUdeviceptr d;
    cuMemAlloc(&d, 256);
    TELL(cuMemsetD8(d, 0x11, 32));
    TELL(cuMemsetD16(d + 2, 0x2233, 3));
    TELL(cuMemsetD16(d + 1, 0x2233, 3));
    TELL(cuMemsetD32(d + 8, 0x44556677, 2));
    TELL(cuMemsetD32(d + 2, 0x44556677, 2));
    TELL(cuMemsetD32(d, 1, 65));
    TELL(cuMemsetD8(d, 1, 0));
    TELL(cuMemsetD8(0, 1, 0));
    TELL(cuMemsetD8(0, 1, 1));
    TELL(cuMemsetD8(d + 256, 1, 0));
    TELL(cuMemsetD8(d + 255, 1, 2));
    show_device("after", d, 32);
    TELL(cuMemsetD2D8(d, 8, 0x99, 4, 4));
    TELL(cuMemsetD2D8(d, 4, 0x98, 5, 2));
    TELL(cuMemsetD2D8(d, 0, 0x97, 4, 1));
    TELL(cuMemsetD2D8(d, 0, 0x96, 4, 2));
    TELL(cuMemsetD2D8(d, 8, 0x95, 0, 2));
    TELL(cuMemsetD2D8(d, 8, 0x95, 2, 0));
    show_device("after", d, 32);
    TELL(cuMemsetD2D16(d + 1, 8, 0xabcd, 2, 2));
    TELL(cuMemsetD2D16(d, 7, 0xabcd, 2, 2));
    TELL(cuMemsetD2D16(d, 6, 0xabcd, 2, 2));
    TELL(cuMemsetD2D32(d, 6, 0xabcdef01, 1, 2));
    TELL(cuMemsetD2D32(d, 12, 0xabcdef01, 2, 2));
    TELL(cuMemsetD2D32(d, 64, 1, 16, 5));
    show_device("after", d, 32);
    TELL(cuMemsetD8Async(d, 5, 4, 0));
    TELL(cuMemsetD16Async(d + 4, 6, 2, CU_STREAM_PER_THREAD));
    TELL(cuMemsetD32Async(d + 8, 7, 2, CU_STREAM_LEGACY));
    TELL(cuMemsetD2D32Async(d + 16, 8, 8, 1, 2, 0));
    TELL(cuCtxSynchronize());
    show_device("after", d, 32);
    unsigned char host[16] = {};
    TELL(cuMemsetD8((CUdeviceptr)host, 1, 16));
    void *pinned;
    TELL(cuMemAllocHost(&pinned, 64));
    TELL(cuMemsetD8((CUdeviceptr)pinned, 9, 4));
    show("pinned", pinned, 1);
    TELL(cuMemFreeHost(pinned));
    TELL(cuMemFreeHost(pinned));
    TELL(cuMemFree(d + 4));
    TELL(cuMemFree(0));
    TELL(cuMemFree(d));
    TELL(cuMemFree(d));
}

static void copies()
{
    begin("copies");
    CUdeviceptr d, e;
    unsigned char host[64], back[64] = {};
    for (int i = 0; i < 64; i++)
        host[i] = i;
    cuMemAlloc(&d, 64), cuMemAlloc(&e, 64);
    TELL(cuMemcpyHtoD(d, host, 64));
    TELL(cuMemcpyHtoD(d, host, 65));
    TELL(cuMemcpyHtoD(d, NULL, 4));
    TELL(cuMemcpyHtoD(d, NULL, 0));
    TELL(cuMemcpyHtoD(0, host, 0));
    TELL(cuMemcpyHtoD((CUdeviceptr)host, host, 4));
    TELL(cuMemcpyDtoH(back, (CUdeviceptr)host, 4));
    TELL(cuMemcpyDtoH((void *)e, d, 8));
    TELL(cuMemcpyDtoD(e, d, 16));
    TELL(cuMemcpyDtoD(e, d, 65));
    TELL(cuMemcpyDtoD((CUdeviceptr)back, d, 8));
    TELL(cuMemcpyDtoD(d + 4, d, 8));
    TELL(cuMemcpy(e + 16, d, 8));
    TELL(cuMemcpy((CUdeviceptr)back, d, 8));
    TELL(cuMemcpy((CUdeviceptr)back, (CUdeviceptr)host, 8));
    TELL(cuMemcpyAsync(e, d, 8, CU_STREAM_PER_THREAD));
    TELL(cuMemcpyPeer(e, context, d, context, 8));
    TELL(cuMemcpyPeer(e, NULL, d, context, 8));
    TELL(cuMemcpyPeerAsync(e, context, d, context, 8, 0));
    TELL(cuCtxSynchronize());
    show_device("e", e, 24);
    CUDA_MEMCPY2D c = {};
    c.srcMemoryType = CU_MEMORYTYPE_HOST, c.srcHost = host, c.srcPitch = 8;
    c.dstMemoryType = CU_MEMORYTYPE_DEVICE, c.dstDevice = e, c.dstPitch = 16;
    c.WidthInBytes = 4, c.Height = 4;
    TELL(cuMemcpy2D(&c));
    c.srcXInBytes = 1, c.srcY = 1, c.dstXInBytes = 2, c.dstY = 1, c.Height = 2;
    TELL(cuMemcpy2D(&c));
    show_device("e", e, 48);
    c.srcPitch = 3;
    TELL(cuMemcpy2D(&c));
    TELL(cuMemcpy2DUnaligned(&c));
    c.srcPitch = 0;
    TELL(cuMemcpy2D(&c));
    c.srcPitch = 8, c.Height = 0;
    TELL(cuMemcpy2D(&c));
    c.Height = 2, c.WidthInBytes = 0;
    TELL(cuMemcpy2D(&c));
    c.WidthInBytes = 4, c.srcMemoryType = (CUmemorytype)0;
    TELL(cuMemcpy2D(&c));
    c.srcMemoryType = (CUmemorytype)9;
    TELL(cuMemcpy2D(&c));
    c.srcMemoryType = CU_MEMORYTYPE_ARRAY, c.srcArray = NULL;
    TELL(cuMemcpy2D(&c));
    c.srcMemoryType = CU_MEMORYTYPE_UNIFIED, c.srcDevice = d, c.srcXInBytes = 0, c.srcY = 0;
    TELL(cuMemcpy2D(&c));
    c.dstDevice = e + 40;
    TELL(cuMemcpy2D(&c));
    TELL(cuMemcpy2D(NULL));
    TELL(cuMemcpy2DAsync(NULL, 0));
    CUDA_MEMCPY3D t = {};
    TELL(cuMemcpy3D(&t));
    t.srcMemoryType = CU_MEMORYTYPE_HOST, t.srcHost = host, t.srcPitch = 4, t.srcHeight = 2;
    t.dstMemoryType = CU_MEMORYTYPE_DEVICE, t.dstDevice = e, t.dstPitch = 4, t.dstHeight = 3;
    t.WidthInBytes = 4, t.Height = 2, t.Depth = 2;
    TELL(cuMemcpy3D(&t));
    show_device("e", e, 24);
    t.srcHeight = 1;
    TELL(cuMemcpy3D(&t));
    t.srcHeight = 0;
    TELL(cuMemcpy3D(&t));
    t.srcHeight = 2, t.srcLOD = 1;
    TELL(cuMemcpy3D(&t));
    t.srcLOD = 0, t.reserved0 = host;
    TELL(cuMemcpy3D(&t));
    t.reserved0 = NULL, t.Depth = 0;
    TELL(cuMemcpy3D(&t));
    t.Depth = 1, t.srcHeight = 1;
    TELL(cuMemcpy3D(&t));
    t.dstHeight = 1;
    TELL(cuMemcpy3D(&t));
    t.srcHeight = 2, t.dstHeight = 3, t.srcZ = 1;
    TELL(cuMemcpy3D(&t));
    t.srcHeight = 1;
    TELL(cuMemcpy3D(&t));
    t.srcHeight = 0, t.srcZ = 0, t.srcY = 1, t.Depth = 2;
    TELL(cuMemcpy3D(&t));
    t.srcY = 0, t.Depth = 0, t.srcHeight = 2;
    TELL(cuMemcpy3DAsync(&t, 0));
    CUDA_MEMCPY3D_PEER q = {};
    q.srcMemoryType = CU_MEMORYTYPE_DEVICE, q.srcDevice = d, q.srcPitch = 4, q.srcHeight = 2, q.srcContext = context;
    q.dstMemoryType = CU_MEMORYTYPE_DEVICE, q.dstDevice = e, q.dstPitch = 4, q.dstHeight = 2, q.dstContext = context;
    q.WidthInBytes = 4, q.Height = 2, q.Depth = 2;
    TELL(cuMemcpy3DPeer(&q));
    q.srcContext = NULL;
    TELL(cuMemcpy3DPeer(&q));
    TELL(cuMemcpy3DPeerAsync(&q, 0));
}

static void arrays()
{
    begin("arrays");
    unsigned char host[64], back[64] = {};
    for (int i = 0; i < 64; i++)
        host[i] = i + 1;
    CUdeviceptr d;
    cuMemAlloc(&d, 64);
    CUarray a, b, none = NULL;
    CUDA_ARRAY_DESCRIPTOR line = {16, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1}, plane = {8, 4, CU_AD_FORMAT_UNSIGNED_INT8, 2}, got = {};
    TELL(cuArrayCreate(&a, &line));
    TELL(cuArrayCreate(&b, &plane));
    TELL(cuArrayGetDescriptor(&got, b));
    printf("%zu %zu %x %u\n", got.Width, got.Height, got.Format, got.NumChannels);
    TELL(cuArrayGetDescriptor(&got, none));
    TELL(cuMemcpyHtoA(a, 0, host, 16));
    TELL(cuMemcpyHtoA(a, 8, host, 9));
    TELL(cuMemcpyHtoA(b, 0, host, 64));
    TELL(cuMemcpyHtoA(none, 0, host, 4));
    TELL(cuMemcpyAtoH(back, a, 4, 8));
    show("back", back, 8);
    TELL(cuMemcpyAtoH(back, b, 0, 8));
    TELL(cuMemcpyDtoA(a, 2, d, 4));
    TELL(cuMemcpyAtoD(d, a, 0, 16));
    TELL(cuMemcpyAtoA(a, 0, a, 8, 8));
    TELL(cuMemcpyHtoAAsync(a, 0, host, 8, 0));
    TELL(cuMemcpyAtoHAsync(back, a, 0, 8, 0));
    TELL(cuCtxSynchronize());
    show("back", back, 8);
    CUarray_st *bad;
    CUDA_ARRAY_DESCRIPTOR w = line;
    w.Width = 0;
    TELL(cuArrayCreate(&bad, &w));
    w.Width = 16, w.NumChannels = 3;
    TELL(cuArrayCreate(&bad, &w));
    w.NumChannels = 1, w.Format = (CUarray_format)0x7;
    TELL(cuArrayCreate(&bad, &w));
    w = line, w.Width = 1 << 20;
    TELL(cuArrayCreate(&bad, &w));
    TELL(cuArrayCreate(NULL, &line));
    TELL(cuArrayCreate(&bad, NULL));
    CUDA_ARRAY3D_DESCRIPTOR box = {4, 4, 3, CU_AD_FORMAT_FLOAT, 1, 0}, box_got = {};
    CUarray c;
    TELL(cuArray3DCreate(&c, &box));
    TELL(cuArray3DGetDescriptor(&box_got, c));
    printf("%zu %zu %zu %x %u %u\n", box_got.Width, box_got.Height, box_got.Depth, box_got.Format, box_got.NumChannels, box_got.Flags);
    TELL(cuArray3DGetDescriptor(&box_got, a));
    printf("%zu %zu %zu %x %u %u\n", box_got.Width, box_got.Height, box_got.Depth, box_got.Format, box_got.NumChannels, box_got.Flags);
    TELL(cuArrayGetDescriptor(&got, c));
    box.Flags = CUDA_ARRAY3D_LAYERED;
    TELL(cuArray3DCreate(&c, &box));
    box.Height = 0;
    TELL(cuArray3DCreate(&c, &box));
    box.Flags = CUDA_ARRAY3D_CUBEMAP, box.Height = 4, box.Depth = 6;
    TELL(cuArray3DCreate(&c, &box));
    box.Depth = 5;
    TELL(cuArray3DCreate(&c, &box));
    box.Depth = 12;
    TELL(cuArray3DCreate(&c, &box));
    box.Flags |= CUDA_ARRAY3D_LAYERED;
    TELL(cuArray3DCreate(&c, &box));
    box.Height = 3;
    TELL(cuArray3DCreate(&c, &box));
    box.Height = 4, box.Flags = 0x400;
    TELL(cuArray3DCreate(&c, &box));
    CUarray part;
    TELL(cuArrayGetPlane(&part, a, 0));
    TELL(cuArrayGetPlane(&part, a, 1));
    CUDA_ARRAY_MEMORY_REQUIREMENTS need = {};
    TELL(cuArrayGetMemoryRequirements(&need, a, device));
    CUDA_ARRAY_SPARSE_PROPERTIES sparse = {};
    TELL(cuArrayGetSparseProperties(&sparse, a));
    CUmipmappedArray m;
    CUDA_ARRAY3D_DESCRIPTOR top = {8, 8, 0, CU_AD_FORMAT_FLOAT, 1, 0};
    TELL(cuMipmappedArrayCreate(&m, &top, 4));
    CUarray level;
    TELL(cuMipmappedArrayGetLevel(&level, m, 2));
    TELL(cuArrayGetDescriptor(&got, level));
    printf("%zu %zu\n", got.Width, got.Height);
    TELL(cuMipmappedArrayGetLevel(&level, m, 4));
    TELL(cuArrayDestroy(level));
    TELL(cuMipmappedArrayGetMemoryRequirements(&need, m, device));
    TELL(cuMipmappedArrayDestroy(m));
    TELL(cuMipmappedArrayCreate(&m, &top, 0));
    TELL(cuMipmappedArrayCreate(&m, &top, 9));
    TELL(cuArrayDestroy(a));
    TELL(cuArrayDestroy(none));
}

static int freed;
static void let_go(void *unused) { freed++; }

static void objects()
{
    begin("objects");
    CUuserObject o, none;
    CUgraph g;
    cuGraphCreate(&g, 0);
    TELL(cuUserObjectCreate(&o, NULL, let_go, 2, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    TELL(cuUserObjectCreate(&none, NULL, let_go, 0, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    TELL(cuUserObjectCreate(&none, NULL, let_go, 1, 0));
    TELL(cuUserObjectCreate(&none, NULL, let_go, 1, 3));
    TELL(cuUserObjectCreate(&none, NULL, NULL, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    TELL(cuUserObjectCreate(NULL, NULL, let_go, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    TELL(cuUserObjectRetain(o, 1));
    TELL(cuUserObjectRetain(o, 0));
    TELL(cuUserObjectRetain(NULL, 1));
    TELL(cuGraphRetainUserObject(g, o, 1, CU_GRAPH_USER_OBJECT_MOVE));
    TELL(cuGraphRetainUserObject(g, o, 0, CU_GRAPH_USER_OBJECT_MOVE));
    TELL(cuGraphRetainUserObject(g, o, 1, 5));
    TELL(cuGraphRetainUserObject(NULL, o, 1, 0));
    TELL(cuGraphReleaseUserObject(g, o, 1));
    TELL(cuGraphReleaseUserObject(g, o, 1));
    printf("freed %d\n", freed);
    TELL(cuUserObjectRelease(o, 2));
    usleep(300000); /* what lets go is a thread's */
    printf("freed %d\n", freed);
    TELL(cuGraphDestroy(g));
}

static void streams()
{
    begin("streams");
    CUstream s, t, u;
    CUevent e;
    TELL(cuStreamCreate(&s, 0));
    TELL(cuStreamCreate(&t, CU_STREAM_NON_BLOCKING));
    TELL(cuStreamCreate(&u, 2));
    TELL(cuStreamCreate(NULL, 0));
    TELL(cuStreamCreateWithPriority(&u, 0, -3));
    int priority = 99, low = 99, high = 99;
    TELL(cuStreamGetPriority(u, &priority));
    printf("%d\n", priority);
    TELL(cuStreamCreateWithPriority(&u, CU_STREAM_NON_BLOCKING, -100));
    TELL(cuStreamGetPriority(u, &priority));
    printf("%d\n", priority);
    TELL(cuStreamCreateWithPriority(&u, 0, 7));
    TELL(cuStreamGetPriority(u, &priority));
    printf("%d\n", priority);
    TELL(cuStreamGetPriority(0, &priority));
    TELL(cuStreamGetPriority(s, NULL));
    TELL(cuCtxGetStreamPriorityRange(&low, &high));
    printf("%d %d\n", low, high);
    TELL(cuCtxGetStreamPriorityRange(NULL, &high));
    unsigned flags = 99;
    TELL(cuStreamGetFlags(t, &flags));
    printf("%u\n", flags);
    TELL(cuStreamGetFlags(0, &flags));
    printf("%u\n", flags);
    TELL(cuStreamGetFlags(CU_STREAM_PER_THREAD, &flags));
    printf("%u\n", flags);
    unsigned long long id = 0;
    TELL(cuStreamGetId(s, &id));
    TELL(cuStreamGetId(0, &id));
    TELL(cuStreamGetId(s, NULL));
    CUcontext c = NULL;
    TELL(cuStreamGetCtx(s, &c));
    printf("same %d\n", c == context);
    TELL(cuStreamGetCtx(0, &c));
    printf("same %d\n", c == context);
    CUdevice of = -1;
    TELL(cuStreamGetDevice(s, &of));
    printf("%d\n", of);
    CUstreamAttrValue v = {};
    TELL(cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v));
    printf("%d\n", v.syncPolicy);
    v.syncPolicy = CU_SYNC_POLICY_YIELD;
    TELL(cuStreamSetAttribute(s, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v));
    v.syncPolicy = (CUsynchronizationPolicy)9;
    TELL(cuStreamSetAttribute(s, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v));
    TELL(cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v));
    printf("%d\n", v.syncPolicy);
    TELL(cuStreamCopyAttributes(t, s));
    TELL(cuStreamGetAttribute(t, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v));
    printf("%d\n", v.syncPolicy);
    TELL(cuStreamCopyAttributes(t, NULL));
    v.priority = -2;
    TELL(cuStreamSetAttribute(s, CU_STREAM_ATTRIBUTE_PRIORITY, &v));
    TELL(cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_PRIORITY, &v));
    printf("%d\n", v.priority);
    TELL(cuStreamGetAttribute(s, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &v));
    TELL(cuStreamSetAttribute(s, (CUstreamAttrID)99, &v));
    memset(&v, 0, sizeof v);
    TELL(cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN, &v));
    printf("%d\n", v.memSyncDomain);
    TELL(cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, &v));
    printf("%d %d\n", v.memSyncDomainMap.default_, v.memSyncDomainMap.remote);
    TELL(cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW, &v));
    printf("%p %zu %g %d %d\n", v.accessPolicyWindow.base_ptr, v.accessPolicyWindow.num_bytes, v.accessPolicyWindow.hitRatio,
           v.accessPolicyWindow.hitProp, v.accessPolicyWindow.missProp);
    TELL(cuEventCreate(&e, 0));
    TELL(cuEventCreate(&e, 8));
    TELL(cuEventCreate(&e, CU_EVENT_INTERPROCESS));
    TELL(cuEventCreate(&e, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
    TELL(cuEventRecordWithFlags(e, s, CU_EVENT_RECORD_EXTERNAL));
    TELL(cuEventRecordWithFlags(e, s, 2));
    TELL(cuEventRecord(NULL, s));
    TELL(cuEventSynchronize(NULL));
    TELL(cuStreamWaitEvent(s, e, 0));
    TELL(cuStreamWaitEvent(s, e, 2));
    TELL(cuStreamWaitEvent(s, NULL, 0));
    TELL(cuStreamAddCallback(s, NULL, NULL, 0));
    TELL(cuStreamAttachMemAsync(s, 0, 0, CU_MEM_ATTACH_GLOBAL));
    CUdeviceptr m;
    TELL(cuMemAllocManaged(&m, 4096, CU_MEM_ATTACH_HOST));
    TELL(cuMemAllocManaged(&m, 4096, 0));
    TELL(cuMemAllocManaged(&m, 4096, CU_MEM_ATTACH_SINGLE));
    TELL(cuMemAllocManaged(&m, 0, CU_MEM_ATTACH_GLOBAL));
    TELL(cuMemAllocManaged(&m, 4096, CU_MEM_ATTACH_GLOBAL));
    TELL(cuStreamAttachMemAsync(s, m, 0, CU_MEM_ATTACH_SINGLE));
    TELL(cuStreamAttachMemAsync(s, m, 4096, CU_MEM_ATTACH_HOST));
    TELL(cuStreamAttachMemAsync(s, m, 16, CU_MEM_ATTACH_HOST));
    TELL(cuStreamAttachMemAsync(s, m + 16, 0, CU_MEM_ATTACH_HOST));
    TELL(cuStreamAttachMemAsync(s, m, 0, 3));
    TELL(cuStreamAttachMemAsync(0, m, 0, CU_MEM_ATTACH_SINGLE));
    TELL(cuStreamDestroy(s));
    TELL(cuStreamDestroy(0));
    TELL(cuStreamDestroy(CU_STREAM_PER_THREAD));
}

static void advice()
{
    begin("advice");
    CUdeviceptr m, d;
    cuMemAllocManaged(&m, 65536, CU_MEM_ATTACH_GLOBAL);
    cuMemAlloc(&d, 65536);
    CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0}, host = {CU_MEM_LOCATION_TYPE_HOST, 0}, far = {CU_MEM_LOCATION_TYPE_DEVICE, 9},
                  odd = {(CUmemLocationType)77, 0}, numa = {CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, 0};
    TELL(cuMemAdvise(m, 65536, CU_MEM_ADVISE_SET_READ_MOSTLY, here));
    TELL(cuMemAdvise(m, 65536, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, here));
    TELL(cuMemAdvise(m, 65536, CU_MEM_ADVISE_SET_ACCESSED_BY, host));
    TELL(cuMemAdvise(m, 65536, CU_MEM_ADVISE_SET_ACCESSED_BY, far));
    TELL(cuMemAdvise(m, 65536, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, odd));
    TELL(cuMemAdvise(m, 65536, CU_MEM_ADVISE_SET_ACCESSED_BY, numa));
    TELL(cuMemAdvise(m, 65537, CU_MEM_ADVISE_SET_READ_MOSTLY, here));
    TELL(cuMemAdvise(m, 0, CU_MEM_ADVISE_SET_READ_MOSTLY, here));
    TELL(cuMemAdvise(d, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, here));
    TELL(cuMemAdvise(m, 4096, (CUmem_advise)99, here));
    int value = 77;
    TELL(cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, m, 65536));
    printf("%d\n", value);
    TELL(cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, m, 65536));
    printf("%d\n", value);
    TELL(cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, m, 65536));
    printf("%d\n", value);
    TELL(cuMemRangeGetAttribute(&value, 8, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, m, 65536));
    TELL(cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, d, 4096));
    TELL(cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, m, 0));
    int by[3] = {77, 77, 77};
    TELL(cuMemRangeGetAttribute(by, sizeof by, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, m, 65536));
    printf("%d %d %d\n", by[0], by[1], by[2]);
    TELL(cuMemRangeGetAttribute(by, 6, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, m, 65536));
    TELL(cuMemAdvise(m, 4096, CU_MEM_ADVISE_UNSET_READ_MOSTLY, here));
    TELL(cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, m, 65536));
    printf("%d\n", value);
    TELL(cuMemPrefetchAsync(m, 65536, host, 0, 0));
    TELL(cuMemPrefetchAsync(m, 65536, here, 1, 0));
    TELL(cuMemPrefetchAsync(m, 65536, far, 0, 0));
    TELL(cuMemPrefetchAsync(d, 65536, here, 0, 0));
    TELL(cuMemPrefetchAsync(m, 0, here, 0, 0));
    TELL(cuMemPrefetchAsync(m + 1, 65535, here, 0, 0));
    TELL(cuMemPrefetchAsync(m, 65537, here, 0, 0));
    TELL(cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, m, 65536));
    printf("%d\n", value);
    int truth = 1;
    TELL(cuPointerSetAttribute(&truth, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, d));
    TELL(cuPointerSetAttribute(&truth, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, m));
    TELL(cuPointerSetAttribute(&truth, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, (CUdeviceptr)&truth));
    TELL(cuPointerSetAttribute(&truth, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, d));
    CUdeviceptr base = 0;
    size_t size = 0;
    TELL(cuMemGetAddressRange(&base, &size, d + 100));
    printf("%d %zu\n", base == d, size);
    TELL(cuMemGetAddressRange(NULL, &size, d));
    TELL(cuMemGetAddressRange(&base, NULL, d));
    TELL(cuMemGetAddressRange(NULL, NULL, d));
    TELL(cuMemGetAddressRange(&base, &size, (CUdeviceptr)&truth));
    size_t pitch = 0;
    CUdeviceptr pitched;
    TELL(cuMemAllocPitch(&pitched, &pitch, 100, 4, 4));
    printf("%zu\n", pitch);
    TELL(cuMemAllocPitch(&pitched, &pitch, 100, 4, 3));
    TELL(cuMemAllocPitch(&pitched, &pitch, 0, 4, 4));
    TELL(cuMemAllocPitch(&pitched, &pitch, 100, 0, 4));
    TELL(cuMemAlloc(&pitched, 0));
    TELL(cuMemAlloc(NULL, 16));
    TELL(cuMemAlloc(&pitched, 1ull << 50));
}

static void settings()
{
    begin("settings");
    CUfunc_cache cache;
    CUsharedconfig banks;
    TELL(cuCtxGetCacheConfig(&cache));
    printf("%d\n", cache);
    TELL(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
    TELL(cuCtxGetCacheConfig(&cache));
    printf("%d\n", cache);
    TELL(cuCtxSetCacheConfig((CUfunc_cache)8));
    TELL(cuCtxGetSharedMemConfig(&banks));
    printf("%d\n", banks);
    TELL(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE));
    TELL(cuCtxGetSharedMemConfig(&banks));
    printf("%d\n", banks);
    TELL(cuCtxResetPersistingL2Cache());
    unsigned flags = 99, version = 0;
    TELL(cuCtxGetFlags(&flags));
    printf("%u\n", flags);
    TELL(cuCtxSetFlags(CU_CTX_SCHED_YIELD));
    TELL(cuCtxGetFlags(&flags));
    printf("%u\n", flags);
    TELL(cuCtxSetFlags(0x1000));
    TELL(cuCtxGetApiVersion(context, &version));
    printf("%u\n", version);
    TELL(cuCtxGetApiVersion(NULL, &version));
    CUdevice of = -1;
    TELL(cuCtxGetDevice(&of));
    printf("%d\n", of);
    unsigned long long id = 0;
    TELL(cuCtxGetId(context, &id));
    TELL(cuCtxGetId(NULL, &id));
    TELL(cuCtxGetId((CUcontext)0x10, NULL));
    int active = -1;
    TELL(cuDevicePrimaryCtxGetState(device, &flags, &active));
    printf("%u %d\n", flags, active);
    TELL(cuDevicePrimaryCtxSetFlags(device, CU_CTX_SCHED_SPIN));
    TELL(cuDevicePrimaryCtxSetFlags(device, 0x4000));
    TELL(cuDevicePrimaryCtxSetFlags(7, 0));
    TELL(cuDevicePrimaryCtxGetState(device, &flags, &active));
    printf("%u %d\n", flags, active);
    TELL(cuCtxGetFlags(&flags));
    printf("%u\n", flags);
    TELL(cudaGetDeviceFlags(&flags));
    printf("%u\n", flags);
    TELL(cudaSetDeviceFlags(cudaDeviceScheduleYield));
    TELL(cudaGetDeviceFlags(&flags));
    printf("%u\n", flags);
    TELL(cuCtxGetFlags(&flags));
    printf("%u\n", flags);
    CUcontext own;
    TELL(cuCtxCreate(&own, NULL, CU_CTX_SCHED_SPIN, device));
    TELL(cuCtxSetFlags(CU_CTX_LMEM_RESIZE_TO_MAX));
    TELL(cuCtxGetFlags(&flags));
    printf("%u\n", flags);
    TELL(cuCtxSetFlags(CU_CTX_SCHED_YIELD | CU_CTX_MAP_HOST));
    TELL(cuCtxGetFlags(&flags));
    printf("%u\n", flags);
    TELL(cuCtxDestroy(own));
    int can = -1;
    TELL(cuDeviceCanAccessPeer(&can, 0, 0));
    printf("%d\n", can);
    TELL(cuDeviceCanAccessPeer(&can, 0, 5));
    TELL(cuDeviceGetP2PAttribute(&can, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0));
    TELL(cuCtxEnablePeerAccess(context, 0));
    TELL(cuCtxDisablePeerAccess(context));
    size_t n = 99;
    TELL(cuDeviceTotalMem(NULL, device));
    TELL(cuDeviceTotalMem(&n, 9));
    cuuint64_t used = 99;
    TELL(cuDeviceGetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
    printf("%llu\n", (unsigned long long)used);
    TELL(cuDeviceSetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &used));
    used = 0;
    TELL(cuDeviceSetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &used));
    TELL(cuDeviceSetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
    TELL(cuDeviceGraphMemTrim(device));
    TELL(cuDeviceGraphMemTrim(5));
    CUdevprop p = {};
    TELL(cuDeviceGetProperties(&p, device));
    printf("%d %d %d %d %d %d %d %d\n", p.maxThreadsPerBlock, p.maxThreadsDim[2], p.maxGridSize[1], p.sharedMemPerBlock, p.totalConstantMemory,
           p.SIMDWidth, p.regsPerBlock, p.textureAlign);
    CUexecAffinityParam affinity = {};
    TELL(cuCtxGetExecAffinity(&affinity, CU_EXEC_AFFINITY_TYPE_SM_COUNT));
    int ok = -1;
    TELL(cuDeviceGetExecAffinitySupport(&ok, CU_EXEC_AFFINITY_TYPE_SM_COUNT, device));
    printf("%d\n", ok);
    TELL(cuCtxAttach(&context, 0));
    TELL(cuCtxDetach(context));
    TELL(cuProfilerStart());
    TELL(cuProfilerStop());
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    TELL(cuThreadExchangeStreamCaptureMode(&mode));
    printf("%d\n", mode);
    mode = (CUstreamCaptureMode)7;
    TELL(cuThreadExchangeStreamCaptureMode(&mode));
}

static void pools()
{
    begin("pools");
    CUmemoryPool pool, got, own;
    CUdeviceptr a;
    CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0}, host = {CU_MEM_LOCATION_TYPE_HOST, 0};
    TELL(cuDeviceGetDefaultMemPool(&pool, device));
    TELL(cuDeviceGetMemPool(&got, device));
    printf("same %d\n", pool == got);
    TELL(cuDeviceGetDefaultMemPool(NULL, device));
    TELL(cuDeviceGetMemPool(&got, 7));
    TELL(cuMemGetDefaultMemPool(&got, &here, CU_MEM_ALLOCATION_TYPE_PINNED));
    printf("same %d\n", pool == got);
    TELL(cuMemGetMemPool(&got, &here, CU_MEM_ALLOCATION_TYPE_PINNED));
    TELL(cuMemGetMemPool(&got, &here, (CUmemAllocationType)0x77));
    CUmemPoolProps props = {};
    TELL(cuMemPoolCreate(&own, &props));
    props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    TELL(cuMemPoolCreate(&own, &props));
    props.location = here;
    TELL(cuMemPoolCreate(&own, &props));
    TELL(cuMemSetMemPool(&here, CU_MEM_ALLOCATION_TYPE_PINNED, own));
    TELL(cuDeviceGetMemPool(&got, device));
    printf("same %d\n", own == got);
    TELL(cuMemSetMemPool(&host, CU_MEM_ALLOCATION_TYPE_PINNED, own));
    TELL(cuMemAllocFromPoolAsync(&a, 1000, own, 0));
    TELL(cuMemAllocFromPoolAsync(&a, 0, own, 0));
    TELL(cuMemAllocFromPoolAsync(&a, 1000, NULL, 0));
    TELL(cuMemAllocAsync(&a, 0, 0));
    TELL(cuMemAllocAsync(&a, 1000, 0));
    TELL(cuMemFreeAsync(a, 0));
    TELL(cuMemFreeAsync(a, 0));
    TELL(cuMemFreeAsync(0, 0));
    CUmemAccess_flags access;
    TELL(cuMemPoolGetAccess(&access, own, &here));
    printf("%d\n", access);
    TELL(cuMemPoolGetAccess(&access, own, &host));
    CUmemAccessDesc d = {here, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    TELL(cuMemPoolSetAccess(own, &d, 1));
    d.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    TELL(cuMemPoolSetAccess(own, &d, 1));
    d.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
    TELL(cuMemPoolSetAccess(own, &d, 1));
    TELL(cuMemPoolSetAccess(own, NULL, 0));
    cuuint64_t v = 99;
    int on = 9;
    TELL(cuMemPoolGetAttribute(own, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &v));
    printf("%llu\n", (unsigned long long)v);
    TELL(cuMemPoolGetAttribute(own, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &on));
    printf("%d\n", on);
    TELL(cuMemPoolGetAttribute(own, (CUmemPool_attribute)77, &v));
    TELL(cuMemPoolSetAttribute(own, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &v));
    TELL(cuMemPoolTrimTo(own, 0));
    TELL(cuMemPoolTrimTo(NULL, 0));
    CUmemPoolPtrExportData data;
    TELL(cuMemPoolExportPointer(&data, a));
    int fd = -1;
    TELL(cuMemPoolExportToShareableHandle(&fd, own, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    TELL(cuMemPoolImportFromShareableHandle(&got, NULL, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    TELL(cuMemPoolDestroy(pool));
    TELL(cuMemPoolDestroy(own));
    TELL(cuMemPoolDestroy(own));
    TELL(cuDeviceGetMemPool(&got, device));
    printf("same %d\n", pool == got);
}

static void logs()
{
    begin("logs");
    static char text[4096];
    size_t size = sizeof text;
    unsigned at = 99;
    TELL(cuLogsCurrent(&at, 0));
    TELL(cuLogsCurrent(NULL, 0));
    TELL(cuLogsCurrent(&at, 1));
    TELL(cuLogsDumpToMemory(NULL, text, &size, 0));
    size = 0;
    TELL(cuLogsDumpToMemory(NULL, text, &size, 0));
    TELL(cuLogsDumpToMemory(NULL, NULL, &size, 0));
    TELL(cuLogsDumpToMemory(NULL, text, NULL, 0));
    TELL(cuLogsDumpToFile(NULL, "/no/such/folder/file", 0));
    TELL(cuLogsDumpToFile(NULL, NULL, 0));
    TELL(cuLogsRegisterCallback(NULL, NULL, NULL));
    TELL(cuLogsUnregisterCallback(NULL));
    TELL(cudaLogsCurrent(NULL, 0));
    TELL(cudaProfilerStart());
    TELL(cudaProfilerStop());
    cudaGraph_t g;
    cudaGraphNode_t n, k;
    TELL(cudaGraphCreate(&g, 0));
    TELL(cudaGraphAddEmptyNode(&n, g, NULL, 0));
    TELL(cudaGraphKernelNodeCopyAttributes(n, n));
    cudaAsyncCallbackHandle_t handle = NULL;
    TELL(cudaDeviceRegisterAsyncNotification(0, NULL, NULL, &handle));
    TELL(cudaDeviceUnregisterAsyncNotification(0, NULL));
}

int main()
{
    child(fills), child(copies), child(arrays), child(objects), child(streams), child(advice), child(settings), child(pools),
        child(logs);
    return 0;
}
