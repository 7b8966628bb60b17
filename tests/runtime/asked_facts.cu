// nvcc: -std=c++17 -lcuda -w
// What calls that only ask give back, and a capture that ends without a place for its graph; one a line: the same
// program runs on a real GPU and on softgpu, and the two outputs are compared (asked_facts.gpu.txt).
//
//   nvcc -arch=compute_75 -cudart shared -lcuda -o asked_facts asked_facts.cu && ./asked_facts
#include <cstdio>
#include <cstring>
#include <cuda.h>

__global__ void k(int *p) { p[threadIdx.x] = 1; }

static void fact(const char *name, cudaError_t e) { printf("%s: %s\n", name, cudaGetErrorName(e)); (void)cudaGetLastError(); }
static const char *name_of(CUresult r) { const char *s = "?"; cuGetErrorName(r, &s); return s; }

/* ---- ranges of managed memory ---- */

static char *managed, *plain;
static const size_t PAGE = 1 << 16, BYTES = 4 * PAGE;

static cudaMemLocation at(cudaMemLocationType type, int id = 0) { cudaMemLocation l = {type, id}; return l; }
static const cudaMemLocation DEVICE = {cudaMemLocationTypeDevice, 0}, HOST = {cudaMemLocationTypeHost, 0};

static void range(const char *name, size_t from, size_t bytes)
{
    printf("range %s:", name);
    for (int a = cudaMemRangeAttributeReadMostly; a <= cudaMemRangeAttributeLastPrefetchLocationId; a++) {
        int v[3] = {77, 77, 77};
        cudaError_t e = cudaMemRangeGetAttribute(v, a == cudaMemRangeAttributeAccessedBy ? 12 : 4,
                                                 (cudaMemRangeAttribute)a, managed + from, bytes);
        // where there is no place of the kind that has numbers, its number means nothing
        int type = 0;
        if (a == cudaMemRangeAttributePreferredLocationId || a == cudaMemRangeAttributeLastPrefetchLocationId)
            cudaMemRangeGetAttribute(&type, 4, (cudaMemRangeAttribute)(a - 1), managed + from, bytes);
        else
            type = cudaMemLocationTypeDevice;
        if (e)
            printf(" %s", cudaGetErrorName(e));
        else if (a == cudaMemRangeAttributeAccessedBy)
            printf(" {%d %d %d}", v[0], v[1], v[2]);
        else
            printf(" %d", type == cudaMemLocationTypeDevice ? v[0] : 0);
    }
    printf("\n");
}

static void range_error(const char *name, size_t bytes, int attribute, const void *p, size_t count, void *data)
{
    fact(name, cudaMemRangeGetAttribute(data, bytes, (cudaMemRangeAttribute)attribute, p, count));
}

static void ranges()
{
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMallocManaged(&managed, BYTES);
    cudaMalloc(&plain, BYTES);
    range("fresh", 0, BYTES);
    cudaMemAdvise(managed, BYTES, cudaMemAdviseSetReadMostly, DEVICE);
    cudaMemAdvise(managed, PAGE, cudaMemAdviseSetPreferredLocation, DEVICE);
    cudaMemAdvise(managed, 2 * PAGE, cudaMemAdviseSetAccessedBy, DEVICE);
    cudaMemAdvise(managed, PAGE, cudaMemAdviseSetAccessedBy, HOST);
    range("all", 0, BYTES);
    range("first page", 0, PAGE);
    range("bytes of it", 5, 10);
    range("second page", PAGE, PAGE);
    range("two pages", 0, 2 * PAGE);
    cudaMemAdvise(managed, BYTES, cudaMemAdviseSetPreferredLocation, HOST);
    range("at the host", 0, BYTES);
    cudaMemAdvise(managed, PAGE, cudaMemAdviseUnsetReadMostly, DEVICE);
    cudaMemAdvise(managed, PAGE, cudaMemAdviseUnsetAccessedBy, DEVICE);
    cudaMemAdvise(managed, PAGE, cudaMemAdviseUnsetPreferredLocation, DEVICE);
    range("first page unset", 0, PAGE);
    range("the rest", PAGE, BYTES - PAGE);
    cudaMemPrefetchAsync(managed, 2 * PAGE, DEVICE, 0, s);
    range("prefetched, half", 0, 2 * PAGE);
    range("prefetched, all", 0, BYTES);
    cudaMemPrefetchAsync(managed, BYTES, HOST, 0, s);
    cudaStreamSynchronize(s);
    range("prefetched to the host", 0, BYTES);

    int v[4];
    range_error("range of no bytes", 4, cudaMemRangeAttributeReadMostly, managed, 0, v);
    range_error("range beyond", 4, cudaMemRangeAttributeReadMostly, managed, BYTES + (1 << 22), v);
    range_error("range not managed", 4, cudaMemRangeAttributeReadMostly, plain, PAGE, v);
    range_error("range of nothing", 4, cudaMemRangeAttributeReadMostly, nullptr, PAGE, v);
    range_error("range, 8 bytes", 8, cudaMemRangeAttributeReadMostly, managed, PAGE, v);
    range_error("range, no data", 4, cudaMemRangeAttributeReadMostly, managed, PAGE, nullptr);
    range_error("range, attribute 0", 4, 0, managed, PAGE, v);
    range_error("range, attribute 9", 4, 9, managed, PAGE, v);
    range_error("range, accessed by, 0 bytes", 0, cudaMemRangeAttributeAccessedBy, managed, PAGE, v);
    range_error("range, accessed by, 6 bytes", 6, cudaMemRangeAttributeAccessedBy, managed, PAGE, v);
    range_error("range, place, 8 bytes", 8, cudaMemRangeAttributePreferredLocation, managed, PAGE, v);

    int a = 7, b = 7;
    void *data[] = {&a, &b};
    size_t sizes[] = {4, 4}, wrong[] = {4, 5};
    cudaMemRangeAttribute which[] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributeLastPrefetchLocation};
    fact("ranges", cudaMemRangeGetAttributes(data, sizes, which, 2, managed + PAGE, PAGE));
    printf("ranges: %d %d\n", a, b);
    fact("ranges of none", cudaMemRangeGetAttributes(data, sizes, which, 0, managed, PAGE));
    fact("ranges, a wrong size", cudaMemRangeGetAttributes(data, wrong, which, 2, managed, PAGE));
    a = 7;
    printf("driver: %s", name_of(cuMemRangeGetAttribute(&a, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, (CUdeviceptr)managed + PAGE, PAGE)));
    printf(" %d\n", a);
    printf("driver, attribute 9: %s\n", name_of(cuMemRangeGetAttribute(&a, 4, (CUmem_range_attribute)9, (CUdeviceptr)managed, PAGE)));
    cudaFree(managed);
    cudaFree(plain);
    cudaStreamDestroy(s);
}

/* ---- a capture's end without a place for its graph ---- */

static void ends()
{
    cudaStream_t s;
    cudaGraph_t g;
    size_t nodes = 9;
    int *p;
    cudaMalloc(&p, 128);
    cudaStreamCreate(&s);
    cudaGraphCreate(&g, 0);
    fact("capture to a graph", cudaStreamBeginCaptureToGraph(s, g, nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed));
    k<<<1, 32, 0, s>>>(p);
    fact("its end, no place", cudaStreamEndCapture(s, nullptr));
    cudaStreamCaptureStatus status;
    cudaStreamIsCapturing(s, &status);
    cudaGraphGetNodes(g, nullptr, &nodes);
    printf("status %d, nodes %zu\n", status, nodes);
    fact("a capture", cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    k<<<1, 32, 0, s>>>(p);
    fact("its end, no place", cudaStreamEndCapture(s, nullptr));
    cudaStreamIsCapturing(s, &status);
    printf("status %d\n", status);
    if (status != cudaStreamCaptureStatusNone) {
        cudaGraph_t own;
        fact("its end", cudaStreamEndCapture(s, &own));
        cudaGraphDestroy(own);
    }
    fact("no capture, no place", cudaStreamEndCapture(s, nullptr));
    cudaGraphDestroy(g);
    cudaStreamDestroy(s);
    cudaFree(p);
}

/* ---- the Driver API's own ways to ask ---- */

static void textures()
{
    CUarray a;
    CUDA_ARRAY_DESCRIPTOR d = {};
    d.Format = CU_AD_FORMAT_UNSIGNED_INT8;
    d.NumChannels = 4;
    d.Width = 64;
    d.Height = 4;
    printf("array: %s\n", name_of(cuArrayCreate(&a, &d)));
    CUDA_RESOURCE_DESC r = {}, r2;
    r.resType = CU_RESOURCE_TYPE_ARRAY;
    r.res.array.hArray = a;
    CUDA_TEXTURE_DESC t = {}, t2;
    t.addressMode[1] = CU_TR_ADDRESS_MODE_MIRROR;
    t.filterMode = CU_TR_FILTER_MODE_LINEAR;
    t.flags = CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB;
    t.mipmapLevelBias = .5f;
    CUtexObject o, whole;
    printf("texture: %s\n", name_of(cuTexObjectCreate(&o, &r, &t, nullptr)));
    memset(&r2, 0xee, sizeof r2);
    printf("resource: %s", name_of(cuTexObjectGetResourceDesc(&r2, o)));
    printf(" %d %d %u\n", r2.resType, r2.res.array.hArray == a, r2.flags);
    memset(&t2, 0xee, sizeof t2);
    printf("sampler: %s", name_of(cuTexObjectGetTextureDesc(&t2, o)));
    printf(" %d %d %d %d %x %g\n", t2.addressMode[0], t2.addressMode[1], t2.filterMode, t2.mipmapFilterMode, t2.flags, t2.mipmapLevelBias);
    CUDA_RESOURCE_VIEW_DESC view;
    printf("view: %s\n", name_of(cuTexObjectGetResourceViewDesc(&view, o)));
    t.flags = CU_TRSF_READ_AS_INTEGER;
    t.filterMode = CU_TR_FILTER_MODE_POINT;
    printf("integers: %s\n", name_of(cuTexObjectCreate(&whole, &r, &t, nullptr)));
    printf("sampler: %s", name_of(cuTexObjectGetTextureDesc(&t2, whole)));
    printf(" %x\n", t2.flags);
    printf("no place: %s\n", name_of(cuTexObjectGetTextureDesc(nullptr, whole)));
    cuTexObjectDestroy(whole);
    cuTexObjectDestroy(o);

    CUdeviceptr p;
    size_t pitch;
    cuMemAllocPitch(&p, &pitch, 64, 8, 4);
    r = {};
    r.resType = CU_RESOURCE_TYPE_PITCH2D;
    r.res.pitch2D = {p, CU_AD_FORMAT_HALF, 2, 16, 8, pitch};
    t = {};
    printf("pitched: %s\n", name_of(cuTexObjectCreate(&o, &r, &t, nullptr)));
    memset(&r2, 0xee, sizeof r2);
    printf("resource: %s", name_of(cuTexObjectGetResourceDesc(&r2, o)));
    printf(" %d %d %x %u %zu %zu %d\n", r2.resType, r2.res.pitch2D.devPtr == p, r2.res.pitch2D.format, r2.res.pitch2D.numChannels,
           r2.res.pitch2D.width, r2.res.pitch2D.height, r2.res.pitch2D.pitchInBytes == pitch);
    cuTexObjectDestroy(o);
    r.resType = CU_RESOURCE_TYPE_LINEAR;
    r.res.linear = {p, CU_AD_FORMAT_SIGNED_INT32, 1, 256};
    printf("linear: %s\n", name_of(cuTexObjectCreate(&o, &r, &t, nullptr)));
    memset(&r2, 0xee, sizeof r2);
    printf("resource: %s", name_of(cuTexObjectGetResourceDesc(&r2, o)));
    printf(" %d %d %x %u %zu\n", r2.resType, r2.res.linear.devPtr == p, r2.res.linear.format, r2.res.linear.numChannels, r2.res.linear.sizeInBytes);
    printf("sampler: %s", name_of(cuTexObjectGetTextureDesc(&t2, o)));
    printf(" %x\n", t2.flags);
    cuTexObjectDestroy(o);
    cuMemFree(p);
    cuArrayDestroy(a);

    CUDA_ARRAY3D_DESCRIPTOR d3 = {};
    d3.Format = CU_AD_FORMAT_FLOAT;
    d3.NumChannels = 1;
    d3.Width = d3.Height = 8;
    d3.Flags = CUDA_ARRAY3D_SURFACE_LDST;
    cuArray3DCreate(&a, &d3);
    r = {};
    r.resType = CU_RESOURCE_TYPE_ARRAY;
    r.res.array.hArray = a;
    printf("surface: %s\n", name_of(cuSurfObjectCreate(&o, &r)));
    memset(&r2, 0xee, sizeof r2);
    printf("resource: %s", name_of(cuSurfObjectGetResourceDesc(&r2, o)));
    printf(" %d %d\n", r2.resType, r2.res.array.hArray == a);
    cuSurfObjectDestroy(o);
    cuArrayDestroy(a);
    size_t width;
    CUresult e = cuDeviceGetTexture1DLinearMaxWidth(&width, CU_AD_FORMAT_FLOAT, 4, 0);
    printf("width: %s %zu\n", name_of(e), width);
    e = cuDeviceGetTexture1DLinearMaxWidth(&width, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0);
    printf("width: %s %zu\n", name_of(e), width);
    printf("width of 3: %s\n", name_of(cuDeviceGetTexture1DLinearMaxWidth(&width, CU_AD_FORMAT_FLOAT, 3, 0)));
}

static void clusters()
{
    CUfunction f;
    cudaGetFuncBySymbol(&f, (const void *)k);
    CUlaunchConfig c = {};
    c.gridDimX = 64;
    c.gridDimY = c.gridDimZ = c.blockDimY = c.blockDimZ = 1;
    c.blockDimX = 128;
    int n = 0;
    CUresult e = cuOccupancyMaxPotentialClusterSize(&n, f, &c);
    printf("largest cluster: %s %d\n", name_of(e), n);
    CUlaunchAttribute size[1];
    size[0].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    size[0].value.clusterDim = {2, 1, 1};
    c.attrs = size;
    c.numAttrs = 1;
    e = cuOccupancyMaxActiveClusters(&n, f, &c);
    printf("clusters: %s, some %d\n", name_of(e), n > 0);
    size[0].value.clusterDim = {3, 5, 1};
    printf("a shape that does not fit: %s\n", name_of(cuOccupancyMaxActiveClusters(&n, f, &c)));
    printf("no place: %s\n", name_of(cuOccupancyMaxActiveClusters(nullptr, f, &c)));
    printf("no shape: %s\n", name_of(cuOccupancyMaxPotentialClusterSize(&n, f, nullptr)));
}

int main()
{
    cudaFree(nullptr);
    ranges();
    ends();
    textures();
    clusters();
    printf("end: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
