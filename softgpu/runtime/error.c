/**
 * @file error.c
 * What a grid's end means to the host, calls that are none here, and the last error, as each host thread sees it.
 */
#include "report/finding.h"
#include "report/reporter.h"
#include "runtime/state/entry.h"
#include "runtime/state/failure.h"
#include "runtime/state/host_thread.h"
#include "runtime/state/runtime.h"

cudaError_t runtime_unsupported(const char *what)
{
    runtime_say("%s is not supported by softgpu; it returns cudaErrorNotSupported", what);
    if (runtime.machine) {
        struct finding f = {.kind = FIND_UNSUPPORTED, .level = LEVEL_WARNING, .cause = CAUSE_UNKNOWN_CALL,
                            .facts.fault.text = what};
        report_finding(machine_reporter(runtime.machine), &f);
    }
    return cudaErrorNotSupported;
}

cudaError_t runtime_enter_faulty(void)
{
    cudaError_t e = runtime_enter();
    return e == runtime.sticky && runtime.machine ? cudaSuccess : e;
}

cudaError_t error_of_grid(enum grid_status status)
{
    switch (status) {
    case GRID_RUNNING:
    case GRID_DONE:
    case GRID_CANCELLED:
    case GRID_AGAIN:      /* nobody is shown such a run */
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

/* A fault stays for every other call; here it is told once, until a call meets it again. */
static cudaError_t last_error(const struct host_thread *t)
{
    return !t->last_error && !t->told_fault ? runtime.sticky : t->last_error;
}

cudaError_t cudaGetLastError(void)
{
    runtime_enter_light();
    struct host_thread *t = runtime_thread();
    failure_looked();
    cudaError_t e = last_error(t);
    t->told_fault = runtime.sticky != cudaSuccess;
    t->last_error = cudaSuccess;
    runtime_unlock();
    return e;
}

cudaError_t cudaPeekAtLastError(void)
{
    runtime_enter_light();
    struct host_thread *t = runtime_thread();
    failure_looked();
    cudaError_t e = last_error(t);
    runtime_unlock();
    return e;
}
