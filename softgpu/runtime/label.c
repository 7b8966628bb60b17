/**
 * @file label.c
 * What a program calls its memory, for findings: `dlsym(RTLD_DEFAULT, "softgpu_name_allocation")`. The
 * course's harnesses give their buffers the names that the handout's kernels have for them.
 */
#include "runtime/runtime.h"

__attribute__((visibility("default"))) cudaError_t softgpu_name_allocation(const void *p,
                                                                           const char *name);

cudaError_t softgpu_name_allocation(const void *p, const char *name)
{
    API_ENTER();
    memory_label(machine_memory(runtime.machine), (uint64_t)(uintptr_t)p, name);
    API_RETURN(cudaSuccess);
}
