// Addresses that the program has reserved and mapped (cuMemMap), and what is missing before a kernel may use them.
//
// nvcc: -lcuda
//
// case no_access expect=out-of-bounds says=mapped..cuMemMap.,.and.which.no.device.has.been.given.access.to
// case access_given expect=silent
// case no_access_beside expect=out-of-bounds says=cuMemSetAccess...before.the.launch
// case access_taken expect=out-of-bounds says=cuMemSetAccess...before.the.launch
// case not_mapped expect=out-of-bounds says=reserved,.and.nothing.is.mapped.there
// case past_mapping expect=out-of-bounds says=look.at.the.index
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

#include "check.h"

__global__ void use(int *p)
{
    p[threadIdx.x] = 1; // no_access no_access_beside access_taken not_mapped past_mapping
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    CUmemAllocationProp prop = {};
    CUmemGenericAllocationHandle memory;
    CUdeviceptr p, at;
    size_t bytes;
    CHECK(!cudaFree(0));
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CHECK(!cuMemGetAllocationGranularity(&bytes, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    CHECK(!cuMemCreate(&memory, bytes, &prop, 0) && !cuMemAddressReserve(&p, 2 * bytes, 0, 0, 0));
    CUmemAccessDesc access = {prop.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE}, none = {prop.location, CU_MEM_ACCESS_FLAGS_PROT_NONE};
    const bool past = !strcmp(name, "past_mapping"), beside = !strcmp(name, "no_access_beside"), mapped = strcmp(name, "not_mapped");
    if (mapped)
        CHECK(!cuMemMap(p, bytes, 0, memory, 0));
    if (past || beside || !strncmp(name, "access", 6))
        CHECK(!cuMemSetAccess(p, bytes, &access, 1));
    if (beside)
        CHECK(!cuMemMap(p + bytes, bytes, 0, memory, 0)); // the same memory again, next to what is allowed
    if (!strcmp(name, "access_taken"))
        CHECK(!cuMemSetAccess(p, bytes, &none, 1));
    at = past || beside ? p + bytes : p;
    use<<<1, 32>>>((int *)at);
    bool ok = !cudaDeviceSynchronize();
    CHECK(ok == !strcmp(name, "access_given"));
    if (!ok)
        return 0;
    CHECK(!cuMemUnmap(p, bytes) && !cuMemRelease(memory) && !cuMemAddressFree(p, 2 * bytes));
    return 0;
}
