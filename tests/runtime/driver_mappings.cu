// nvcc: -lcuda
// The Driver API: mappings of physical memory are the process's. They and what they hold outlive the last context and a reset
// of the primary one (as the documentation has it, and an H200: this program runs there); with two devices, each is let to use them by itself.
#include "driver.cuh"

static CUmemAllocationProp prop;
static size_t part;

static CUmemAccessDesc access_of(int device, CUmemAccess_flags flags)
{
    CUmemAccessDesc a = {};
    a.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    a.location.id = device;
    a.flags = flags;
    return a;
}

static CUdeviceptr mapped(CUmemGenericAllocationHandle *m)
{
    CUdeviceptr p;
    CUmemAccessDesc access = access_of(0, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    CU(cuMemAddressReserve(&p, 2 * part, 0, 0, 0));
    CU(cuMemCreate(m, part, &prop, 0));
    CU(cuMemMap(p, part, 0, *m, 0));
    CU(cuMemSetAccess(p, part, &access, 1));
    return p;
}

static unsigned last_word(CUdeviceptr p)
{
    unsigned v = 0;
    CU(cuMemcpyDtoH(&v, p + part - 4, 4));
    return v;
}

static size_t used()
{
    size_t left, all;
    CU(cuMemGetInfo(&left, &all));
    return all - left;
}

static void outlive_contexts()
{
    CUcontext c;
    CUmemGenericAllocationHandle m, same;
    CUdeviceptr gone, other, before;
    CU(cuCtxCreate(&c, NULL, 0, 0));
    size_t empty = used();
    CU(cuMemAlloc(&before, 4096));
    CUdeviceptr p = mapped(&m);
    CU(cuMemsetD32(p, 77, part / 4));
    CU(cuMemAlloc(&gone, 4096));
    CU(cuCtxDestroy(c)); // the last one

    CU(cuCtxCreate(&c, NULL, 0, 0));
    CHECK(used() == empty + part);
    CHECK(last_word(p) == 77);
    DRIVER_GIVES(cuMemFree(gone), CUDA_ERROR_INVALID_VALUE);
    CU(cuMemAlloc(&other, 64 << 20)); // nobody else gets the reserved addresses
    CHECK(other + (64 << 20) <= p || other >= p + 2 * part);
    CU(cuMemRetainAllocationHandle(&same, (void *)p));
    CHECK(same == m);
    CU(cuMemRelease(same));
    CU(cuMemRelease(m)); // the mapping keeps it
    CHECK(last_word(p) == 77);
    CU(cuMemUnmap(p, part));
    CHECK(used() == empty + (64 << 20));
    CU(cuMemAddressFree(p, 2 * part));
    CU(cuMemFree(other));
    CU(cuCtxDestroy(c));
}

static void outlive_reset()
{
    CUcontext c;
    CUmemGenericAllocationHandle m;
    CU(cuDevicePrimaryCtxRetain(&c, 0));
    CU(cuCtxSetCurrent(c));
    CUdeviceptr p = mapped(&m);
    CU(cuMemsetD32(p, 5, part / 4));
    CU(cuDevicePrimaryCtxReset(0));
    CU(cuDevicePrimaryCtxRetain(&c, 0));
    CU(cuCtxSetCurrent(c));
    CHECK(last_word(p) == 5);
    CU(cuMemUnmap(p, part));
    CU(cuMemRelease(m));
    CU(cuMemAddressFree(p, 2 * part));
    CU(cuDevicePrimaryCtxRelease(0));
}

static void devices()
{
    int count;
    CU(cuDeviceGetCount(&count));
    if (count < 2)
        return;
    CUcontext first, second;
    CUmemGenericAllocationHandle m;
    unsigned long long flags;
    CU(cuCtxCreate(&first, NULL, 0, 0));
    CU(cuCtxCreate(&second, NULL, 0, 1));
    CUmemAccessDesc both[2] = {access_of(0, CU_MEM_ACCESS_FLAGS_PROT_READWRITE), access_of(1, CU_MEM_ACCESS_FLAGS_PROT_READWRITE)};
    CUmemAccessDesc none = access_of(0, CU_MEM_ACCESS_FLAGS_PROT_NONE), nowhere = access_of(count, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    CUdeviceptr p = mapped(&m);
    CU(cuMemGetAccess(&flags, &both[1].location, p));
    CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_NONE);
    DRIVER_GIVES(cuMemSetAccess(p, part, &nowhere, 1), CUDA_ERROR_INVALID_DEVICE);
    CU(cuMemSetAccess(p, part, both, 2));
    for (int d = 0; d < 2; d++) {
        CU(cuMemGetAccess(&flags, &both[d].location, p));
        CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    }
    CU(cuCtxSetCurrent(second));
    CU(cuMemsetD32(p, 9, part / 4));
    CHECK(last_word(p) == 9);
    CU(cuMemSetAccess(p, part, &none, 1)); // now the second has it alone
    CU(cuMemGetAccess(&flags, &none.location, p));
    CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_NONE);
    CHECK(last_word(p) == 9);
    CU(cuMemUnmap(p, part));
    CU(cuMemRelease(m));
    CU(cuMemAddressFree(p, 2 * part));
    CU(cuCtxDestroy(second));
    CU(cuCtxDestroy(first));
}

// A mapping that nobody ends is a leak, told at the program's end.
static void leave()
{
    CUcontext c;
    CUmemGenericAllocationHandle m;
    CU(cuCtxCreate(&c, NULL, 0, 0));
    mapped(&m);
    CU(cuMemRelease(m));
    CU(cuCtxDestroy(c));
}

int main(int argc, char **)
{
    CU(cuInit(0));
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CU(cuMemGetAllocationGranularity(&part, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    outlive_contexts();
    outlive_reset();
    devices();
    if (argc > 1)
        leave();
    printf("driver_mappings ok\n");
}
