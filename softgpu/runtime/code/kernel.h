/**
 * @file kernel.h
 * Kernels and variables of the program's modules, by handle, host function or symbol.
 */
#ifndef SOFTGPU_RUNTIME_CODE_KERNEL_H
#define SOFTGPU_RUNTIME_CODE_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "options/options.h"
#include "runtime/api.h"

struct library;
struct function;

/** A kernel handle: what cudaKernel_t and cudaFunction_t point to. */
struct kernel {
    struct library *library;
    char *name;
    const void *host_function;     /**< the stub's address; NULL for cudaLibraryGetKernel */
    struct function *function;     /**< of the device that the present call works for: kernel_resolve() */
    struct function *functions[MAX_DEVICES]; /**< of each; NULL until the library's module is loaded there */
    int max_dynamic_shared;        /**< cudaFuncAttributeMaxDynamicSharedMemorySize, -1 = unset */
    int preferred_carveout;        /**< percent, -1 = default */
    bool any_cluster;              /**< cudaFuncAttributeNonPortableClusterSizeAllowed */
    int cluster_policy;            /**< enum cudaClusterSchedulingPolicy: without effect */
    struct kept_launch *kept;      /**< driver_kept.c; NULL: nothing */
    unsigned cluster[3];           /**< cudaFuncAttributeRequiredClusterWidth, …; 0 = unset */
};

/** The kernel that a host function or handle names; its code may not be loaded yet. */
cudaError_t kernel_find(const void *handle, struct kernel **out);
/** As kernel_find(), with `function` set: loads the code on the calling thread's device on first use. */
cudaError_t kernel_resolve(const void *handle, struct kernel **out);
void libraries_reset(void);

/** A variable by its host address (`__cudaRegisterVar`). */
cudaError_t symbol_resolve(const void *symbol, uint64_t *address, size_t *bytes);

#endif
