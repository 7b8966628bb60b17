/**
 * @file static_runtime.c
 * Programs as plain nvcc builds them, with the CUDA runtime linked in statically: `softgpu PROGRAM` preloads this
 * library, and before the program's own code runs each of the runtime's functions in it becomes ours.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/redirect.h"
#include "runtime/forms/static_runtime.h"

static void *self;

static void *ours(const char *name)
{
    return strncmp(name, "cuda", 4) && strncmp(name, "__cuda", 6) ? NULL : dlsym(self, name);
}

__attribute__((constructor)) static void redirect(void)
{
    Dl_info here;
    if (!getenv(STATIC_RUNTIME_VARIABLE))
        return;
    /* Not for what the program starts. */
    const char *before = getenv(STATIC_RUNTIME_VARIABLE);
    if (*before)
        setenv("LD_PRELOAD", before, 1);
    else
        unsetenv("LD_PRELOAD");
    unsetenv(STATIC_RUNTIME_VARIABLE);
    if (dladdr((void *)ours, &here) && here.dli_fname)
        self = dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    if (!self || !redirect_program(ours))
        fputs("softgpu: the program's CUDA runtime could not be replaced: build it with nvcc -cudart shared\n", stderr);
}
