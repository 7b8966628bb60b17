/**
 * @file error.c
 * Error codes: names, texts, and what a grid's end means to the host.
 */
#include "runtime/runtime.h"

static const struct {
    int code;
    const char *name, *text;
} errors[] = {
#define ERROR(code, name, text) {code, #name, text},
#include "runtime/errors.def"
#undef ERROR
};

static const char unknown[] = "unrecognized error code";

static int find(cudaError_t e)
{
    for (unsigned i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i].code == (int)e)
            return (int)i;
    return -1;
}

const char *cudaGetErrorName(cudaError_t e)
{
    int i = find(e);
    return i < 0 ? unknown : errors[i].name;
}

const char *cudaGetErrorString(cudaError_t e)
{
    int i = find(e);
    return i < 0 ? unknown : errors[i].text;
}

cudaError_t error_of_grid(enum grid_status status)
{
    switch (status) {
    case GRID_RUNNING:
    case GRID_DONE:
    case GRID_CANCELLED:
        return cudaSuccess;
    case GRID_ILLEGAL_ADDRESS:
        return cudaErrorIllegalAddress;
    case GRID_MISALIGNED:
        return cudaErrorMisalignedAddress;
    case GRID_ASSERT:
        return cudaErrorAssert;
    case GRID_TRAP:
    case GRID_STACK_OVERFLOW:
        return cudaErrorLaunchFailure;
    case GRID_ILLEGAL_INSTRUCTION:
        return cudaErrorIllegalInstruction;
    case GRID_DEADLOCK:   /* a real device would hang until the watchdog ends the kernel */
    case GRID_STEP_LIMIT:
        return cudaErrorLaunchTimeout;
    case GRID_UNSUPPORTED:
        return cudaErrorNotSupported;
    }
    return cudaErrorUnknown;
}
