/**
 * @file libcuda.c
 * libcuda.so.1: each of the Driver API's symbols as a jump to the function of softgpu's libcudart.so.13 that stands
 * beside this library, so that programs which use both APIs, or either, have one device. Made from driver_api.def.
 *
 * A jump leaves no frame: the function sees the program's call, with its return address and arguments.
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/api_rows.h"

/* The jumps and where they go to, in the order of the rows. */
#if defined __x86_64__
#define JUMP(symbol) "jmp *target_" #symbol "(%rip)\n"
#elif defined __aarch64__
#define JUMP(symbol) "adrp x16, target_" #symbol "\nldr x16, [x16, :lo12:target_" #symbol "]\nbr x16\n"
#else
#error "libcuda.so.1 needs a jump for this processor"
#endif
#define ENTRY(symbol)                                                                              \
    __attribute__((visibility("hidden"))) void *target_##symbol;                                   \
    __asm__(".text\n.p2align 4\n.globl " #symbol "\n.type " #symbol ", %function\n" #symbol ":\n"  \
            JUMP(symbol) ".size " #symbol ", . - " #symbol "\n");
#define ENTRY_TWIN(symbol, twin, ...) ENTRY(twin)
#define DRIVER_API(symbol, name, since, twin, ...) ENTRY(symbol) TWIN_##twin(ENTRY_TWIN, symbol, )
#include "runtime/driver/driver_api.def"
#undef DRIVER_API

static const struct {
    const char *symbol;
    void **target;
} entries[] = {
#define TARGET(symbol) {#symbol, &target_##symbol},
#define TARGET_TWIN(symbol, twin, ...) TARGET(twin)
#define DRIVER_API(symbol, name, since, twin, ...) TARGET(symbol) TWIN_##twin(TARGET_TWIN, symbol, )
#include "runtime/driver/driver_api.def"
#undef DRIVER_API
};

static int is_missing(void)
{
    return 999; /* CUDA_ERROR_UNKNOWN: `connect` has said why */
}

/** softgpu's own, whatever else of that name the process may have. */
static void *open_beside(const char *name)
{
    char path[PATH_MAX];
    Dl_info here;
    if (!dladdr((void *)entries, &here) || !here.dli_fname)
        return NULL;
    const char *slash = strrchr(here.dli_fname, '/');
    int n = snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - here.dli_fname) + 1 : 0,
                     here.dli_fname, name);
    return n > 0 && (size_t)n < sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

__attribute__((constructor)) static void connect(void)
{
    void *library = open_beside("libcudart.so.13");
    void *(*find)(const char *) = NULL;
    void *symbol = library ? dlsym(library, "softgpu_driver_function") : NULL;
    memcpy(&find, &symbol, sizeof find);
    if (!find)
        fprintf(stderr, "softgpu: libcuda.so.1 needs softgpu's libcudart.so.13 beside it: %s\n",
                library ? "the one there is another" : dlerror());
    for (unsigned i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        void *function = find ? find(entries[i].symbol) : NULL;
        *entries[i].target = function ? function : (void *)is_missing;
    }
    open_beside("libnvJitLink.so.13"); /* so that who looks for NVIDIA's later finds this one */
}
