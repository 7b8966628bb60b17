// nvcc: -lcuda
// The Driver API of a program that does not call cuInit(), since the Runtime API does; and physical memory, which is of a device
// and not of a context.
#include "driver.cuh"
#include <cstring>

int main(int argc, char **argv)
{
    CUdevice d = -1;
    int count = 0, value = 0, active = 0;
    unsigned flags;
    DRIVER_GIVES(cuDeviceGetCount(&value), CUDA_ERROR_NOT_INITIALIZED);
    OK(cudaGetDeviceCount(&count));
    CU(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 0));
    CU(cuDevicePrimaryCtxGetState(0, &flags, &active));
    CHECK(value == 1 && !active);
    for (int attribute = 1; attribute < CU_DEVICE_ATTRIBUTE_MAX; attribute++) // all that have a name
        CU(cuDeviceGetAttribute(&value, (CUdevice_attribute)attribute, 0));
    DRIVER_GIVES(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAX, 0), CUDA_ERROR_INVALID_VALUE);

    CUmemAllocationProp prop;
    CUmemGenericAllocationHandle m;
    size_t part = 0;
    memset(&prop, 0, sizeof prop);
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    int descriptor = -1;
    CU(cuMemGetAllocationGranularity(&part, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    CU(cuMemCreate(&m, part, &prop, 0));
    CU(cuMemExportToShareableHandle(&descriptor, m, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    CHECK(descriptor >= 0);
    CU(cuMemRelease(m));

    OK(cudaSetDevice(0));
    CU(cuCtxGetDevice(&d));
    CHECK(d == 0);
    CU(cuDevicePrimaryCtxGetState(0, &flags, &active));
    CHECK(active);
    return 0;
}
