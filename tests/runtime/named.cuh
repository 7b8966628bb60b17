/**
 * @file named.cuh
 * What a call has answered, by its error's name; the Runtime API's last error is cleared. Behind <cuda.h> the Driver API's answers have one, too.
 */
#include <cuda_runtime.h>

static const char *name_of(cudaError_t e)
{
    cudaGetLastError();
    return cudaGetErrorName(e);
}

#ifdef CUDA_VERSION
static const char *name_of(CUresult r)
{
    const char *name = "no name";
    cuGetErrorName(r, &name);
    return name;
}
#endif
