// nvcc: -lcuda
// Facts about virtual memory that is exported, one a line, as facts.cu has them about the rest. The same
// program runs on a real GPU and on softgpu, and the two outputs are compared (share_facts.gpu.txt).
//
//   nvcc -arch=sm_90 -cudart shared -o share_facts share_facts.cu -lcuda && ./share_facts
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <unistd.h>

static void fact(const char *name, CUresult e)
{
    const char *word = "?";
    cuGetErrorName(e, &word);
    printf("%s: %s\n", name, word);
}
static void fact(const char *name, long long v) { printf("%s: %lld\n", name, v); }
#define FACT(call) fact(#call, call)

__global__ void add(int *p, int v) { *p += v; }
static CUmemAllocationProp prop(int type)
{
    CUmemAllocationProp p;
    memset(&p, 0, sizeof p);
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p.requestedHandleTypes = (CUmemAllocationHandleType)type;
    return p;
}

static CUdeviceptr mapped(CUmemGenericAllocationHandle h, size_t bytes)
{
    CUdeviceptr at = 0;
    CUmemAccessDesc a;
    memset(&a, 0, sizeof a);
    a.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    a.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    FACT(cuMemAddressReserve(&at, bytes, 0, 0, 0));
    FACT(cuMemMap(at, bytes, 0, h, 0));
    FACT(cuMemSetAccess(at, bytes, &a, 1));
    return at;
}

static void exported()
{
    CUmemGenericAllocationHandle plain, h, in, third;
    CUmemAllocationProp p = prop(CU_MEM_HANDLE_TYPE_NONE), q = prop(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR), got;
    size_t bytes = 2 << 20;
    int fd = -1, second = -1, v = 0;
    FACT(cuMemCreate(&plain, bytes, &p, 0));
    FACT(cuMemExportToShareableHandle(&fd, plain, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    FACT(cuMemCreate(&h, bytes, &q, 0));
    FACT(cuMemExportToShareableHandle(&fd, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 1));
    FACT(cuMemExportToShareableHandle(&fd, h, CU_MEM_HANDLE_TYPE_WIN32, 0));
    FACT(cuMemExportToShareableHandle(nullptr, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    FACT(cuMemExportToShareableHandle(&fd, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    fact("a descriptor", fd >= 0);
    FACT(cuMemExportToShareableHandle(&second, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    fact("another one", second >= 0 && second != fd);
    FACT(cuMemImportFromShareableHandle(&in, (void *)(intptr_t)-1, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    FACT(cuMemImportFromShareableHandle(&in, (void *)(intptr_t)0, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    FACT(cuMemImportFromShareableHandle(&in, (void *)(intptr_t)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    fact("the same handle", in == h);
    close(fd);
    FACT(cuMemImportFromShareableHandle(&third, (void *)(intptr_t)second, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    FACT(cuMemGetAllocationPropertiesFromHandle(&got, in));
    fact("handle types", got.requestedHandleTypes);
    CUdeviceptr a = mapped(h, bytes), b = mapped(in, bytes);
    FACT(cuMemsetD32(a, 5, 16));
    add<<<1, 1>>>((int *)b, 2);
    FACT(cuMemcpyDtoH(&v, a, 4));
    fact("it holds", v);
    FACT(cuMemRelease(h));
    FACT(cuMemUnmap(a, bytes));
    FACT(cuMemcpyDtoH(&v, b, 4));
    fact("it holds", v);
    FACT(cuMemUnmap(b, bytes));
    FACT(cuMemRelease(in));
    FACT(cuMemRelease(third));
    FACT(cuMemImportFromShareableHandle(&third, (void *)(intptr_t)second, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
}

int main()
{
    CUcontext c;
    setvbuf(stdout, nullptr, _IONBF, 0);
    alarm(60);
    cuInit(0);
    cuDevicePrimaryCtxRetain(&c, 0);
    cuCtxSetCurrent(c);
    exported();
}
