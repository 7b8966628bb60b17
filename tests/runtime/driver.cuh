// driver.cuh: what the test programs of the Driver API share.
#pragma once
#include "check.cuh"
#include <cuda.h>

inline const char *driver_error(CUresult r)
{
    const char *name = "?";
    cuGetErrorName(r, &name);
    return name;
}

// The call returns exactly this code.
#define DRIVER_GIVES(call, code)                                                                   \
    do {                                                                                           \
        CUresult got_ = (call);                                                                    \
        if (got_ != (code)) {                                                                      \
            fprintf(stderr, "%s:%d: %s gives %s, not %s\n", __FILE__, __LINE__, #call,             \
                    driver_error(got_), #code);                                                    \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define CU(call) DRIVER_GIVES(call, CUDA_SUCCESS)
