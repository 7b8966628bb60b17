// nvcc: -lcuda
// The Driver API with two devices (softgpu --devices 2): a context each, whose device calls work for, and copies between
// them. With one device there is nothing to do.
#include "driver.cuh"

int main()
{
    CUcontext a, b;
    CUdeviceptr p, q;
    CUdevice device;
    int count, of, h[256];
    CU(cuInit(0));
    CU(cuDeviceGetCount(&count));
    if (count < 2) {
        puts("driver_devices: one device");
        return 0;
    }
    CU(cuCtxCreate(&a, NULL, 0, 0));
    CU(cuMemAlloc(&p, sizeof h));
    CU(cuMemsetD32(p, 7, 256));
    CU(cuCtxSynchronize());
    CU(cuCtxCreate(&b, NULL, 0, 1));
    CU(cuCtxGetDevice(&device));
    CHECK(device == 1);
    CU(cuMemAlloc(&q, sizeof h));
    CU(cuPointerGetAttribute(&of, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, q));
    CHECK(of == 1);
    CU(cuMemcpyPeer(q, b, p, a, sizeof h));
    CU(cuCtxSynchronize());
    CU(cuMemcpyDtoH(h, q, sizeof h));
    CHECK(h[0] == 7 && h[255] == 7);
    CU(cuCtxEnablePeerAccess(a, 0));
    DRIVER_GIVES(cuCtxEnablePeerAccess(a, 0), CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    CU(cuMemFree(q));
    // Code that is wrong is wrong on each device, whichever was current when it was opened.
    CUlibrary wrong;
    CUkernel kernel;
    size_t bytes;
    CU(cuCtxPopCurrent(NULL));
    CU(cuLibraryLoadData(&wrong, ".version 7.0\n.target sm_70\n.entry f( { nonsense }", NULL, NULL, 0, NULL, NULL, 0));
    CU(cuCtxPushCurrent(b));
    DRIVER_GIVES(cuLibraryGetKernel(&kernel, wrong, "f"), CUDA_ERROR_INVALID_PTX);
    DRIVER_GIVES(cuLibraryGetGlobal(&q, &bytes, wrong, "f"), CUDA_ERROR_INVALID_PTX);
    CU(cuLibraryUnload(wrong));
    CU(cuCtxPopCurrent(NULL));
    CU(cuCtxGetDevice(&device));
    CHECK(device == 0);
    CU(cuMemFree(p));
    CU(cuCtxDestroy(b));
    CU(cuCtxDestroy(a));
    puts("driver_devices ok");
}
