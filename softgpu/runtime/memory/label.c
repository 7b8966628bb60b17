/**
 * @file label.c
 * What a program calls its memory, for findings: `dlsym(RTLD_DEFAULT, "softgpu_name_allocation")`. The
 * course's harnesses give their buffers the names that the handout's kernels have for them.
 */
#include "runtime/state/runtime.h"

__attribute__((visibility("default"))) void softgpu_name_allocation(const void *p, const char *name);

/** No call of CUDA's: it takes no virtual time. */
void softgpu_name_allocation(const void *p, const char *name)
{
    runtime_lock();
    if (runtime.machine)
        memory_label(machine_memory(runtime.machine), (uint64_t)(uintptr_t)p, name);
    runtime_unlock();
}
