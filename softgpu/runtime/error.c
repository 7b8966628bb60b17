/**
 * @file error.c
 * What a grid's end means to the host.
 */
#include "runtime/state/runtime.h"

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
    case GRID_NO_PEER:
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
