/**
 * @file libaudit.c
 * libsoftgpu_audit.so: what plain nvcc builds has the CUDA runtime linked in statically, a program as well as a shared
 * library or a Python module. The dynamic linker tells an auditing library (LD_AUDIT, rtld-audit(7)) of each object
 * between mapping it and running any of its code; there each function of such a runtime becomes a jump to ours.
 *
 * NVRTC's library is told of here, too (give_ptx()).
 *
 * libcudart.so.13 is loaded at the first call, not before: a program that never makes one has nothing of softgpu but this.
 * An auditing library is a world of its own, with its own libc: libcudart.so.13 goes to the program's (LM_ID_BASE).
 */
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libaudit/redirect.h"

#define EXPORTED __attribute__((visibility("default")))
/** How NVIDIA's runtime names its own symbols, where it is linked in. */
#define MARK "libcudart_static_"
#define MAX_FUNCTIONS 1024
/** `push imm32`, `jmp *0(%rip)` and the address, rounded up. */
#define STUB 32

static char *names[MAX_FUNCTIONS];
static void *functions[MAX_FUNCTIONS];
static int count;
static uint8_t *stubs;

/** The libcudart.so.13 beside this library. */
static const char *runtime_path(void)
{
    static char path[PATH_MAX];
    Dl_info here;
    if (!dladdr((void *)runtime_path, &here) || !here.dli_fname)
        return "";
    const char *slash = strrchr(here.dli_fname, '/');
    int length = slash ? (int)(slash - here.dli_fname) + 1 : 0;
    int written = snprintf(path, sizeof path, "%.*slibcudart.so.13", length, here.dli_fname);
    return written > 0 && (size_t)written < sizeof path ? path : "";
}

static void take_name(const char *name)
{
    bool cuda = !strncmp(name, "cuda", 4) || !strncmp(name, "__cuda", 6);
    if (cuda && count < MAX_FUNCTIONS && (names[count] = strdup(name)))
        count++;
}

static _Noreturn void give_up(const char *why)
{
    fprintf(stderr, "softgpu: cannot replace the CUDA runtime that the program carries: %s\n", why ? why : "no memory");
    _exit(127);
}

/** The function with that number, for its stub. Several threads may find the same. */
__attribute__((used)) static void *first_call(uint64_t number)
{
    void *found = __atomic_load_n(&functions[number], __ATOMIC_ACQUIRE);
    if (found)
        return found;
    void *library = dlmopen(LM_ID_BASE, runtime_path(), RTLD_NOW);
    found = library ? dlsym(library, names[number]) : NULL;
    if (!found)
        give_up(dlerror());
    __atomic_store_n(&functions[number], found, __ATOMIC_RELEASE);
    return found;
}

#if defined __x86_64__
/* A stub comes here with its number above the return address. All that a call can pass is kept. */
__attribute__((naked)) static void through_stub(void)
{
    __asm__("push %rax\n push %rdi\n push %rsi\n push %rdx\n push %rcx\n push %r8\n push %r9\n"
            "sub $136, %rsp\n"
            "movups %xmm0, (%rsp)\n movups %xmm1, 16(%rsp)\n movups %xmm2, 32(%rsp)\n movups %xmm3, 48(%rsp)\n"
            "movups %xmm4, 64(%rsp)\n movups %xmm5, 80(%rsp)\n movups %xmm6, 96(%rsp)\n movups %xmm7, 112(%rsp)\n"
            "mov 192(%rsp), %rdi\n"
            "call first_call\n"
            "mov %rax, %r11\n"
            "movups (%rsp), %xmm0\n movups 16(%rsp), %xmm1\n movups 32(%rsp), %xmm2\n movups 48(%rsp), %xmm3\n"
            "movups 64(%rsp), %xmm4\n movups 80(%rsp), %xmm5\n movups 96(%rsp), %xmm6\n movups 112(%rsp), %xmm7\n"
            "add $136, %rsp\n"
            "pop %r9\n pop %r8\n pop %rcx\n pop %rdx\n pop %rsi\n pop %rdi\n pop %rax\n"
            "add $8, %rsp\n"
            "jmp *%r11\n");
}

static void write_stub(uint8_t *at, uint32_t number)
{
    static const uint8_t jump[] = {0xff, 0x25, 0, 0, 0, 0};
    void *to = (void *)through_stub;
    at[0] = 0x68;
    memcpy(at + 1, &number, sizeof number);
    memcpy(at + 5, jump, sizeof jump);
    memcpy(at + 11, &to, sizeof to);
}

static bool make_stubs(void)
{
    if (!redirect_names(runtime_path(), take_name) || !count)
        return false;
    size_t bytes = (size_t)count * STUB;
    void *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return false;
    for (int i = 0; i < count; i++)
        write_stub((uint8_t *)page + (size_t)i * STUB, (uint32_t)i);
    stubs = mprotect(page, bytes, PROT_READ | PROT_EXEC) == 0 ? page : NULL;
    return stubs;
}
#else
static bool make_stubs(void)
{
    return false;
}
#endif

/** Our function for a name, by its stub. Made when the first object that wants one comes. */
static void *ours(const char *name)
{
    if (!stubs && !make_stubs())
        return NULL;
    for (int i = 0; i < count; i++)
        if (!strcmp(names[i], name))
            return stubs + (size_t)i * STUB;
    return NULL;
}

EXPORTED unsigned la_version(unsigned version)
{
    return version < LAV_CURRENT ? version : LAV_CURRENT;
}

/** Who names the runtime's shared library gets the one beside this, also from a folder of its own, which goes before
 *  LD_LIBRARY_PATH: PyTorch's libraries have theirs. */
EXPORTED char *la_objsearch(const char *name, uintptr_t *cookie, unsigned flag)
{
    (void)cookie, (void)flag;
    const char *slash = strrchr(name, '/');
    bool runtime = !strcmp(slash ? slash + 1 : name, "libcudart.so.13");
    return runtime && *runtime_path() ? (char *)runtime_path() : (char *)name;
}

/** NVRTC makes PTX also where it is asked for machine code, which cannot run: who takes that gets the PTX, and hands it to the
 *  driver in its stead. */
static void give_ptx(const char *path, uint64_t bias)
{
    static const struct redirect_pair pairs[] = {{"nvrtcGetCUBIN", "nvrtcGetPTX"}, {"nvrtcGetCUBINSize", "nvrtcGetPTXSize"}};
    const char *slash = strrchr(path, '/');
    if (!strncmp(slash ? slash + 1 : path, "libnvrtc.", strlen("libnvrtc.")))
        redirect_within(path, bias, pairs, 2);
}

/* The linker does this for one object at a time. */
EXPORTED unsigned la_objopen(struct link_map *map, Lmid_t world, uintptr_t *cookie)
{
    const char *path = map->l_name && *map->l_name ? map->l_name : "/proc/self/exe";
    (void)cookie;
    if (world == LM_ID_BASE)
        give_ptx(path, map->l_addr);
    if (world == LM_ID_BASE && redirect_object(path, map->l_addr, MARK, ours) < 0)
        fprintf(stderr, "softgpu: the CUDA runtime in %s could not be replaced: build it with nvcc -cudart shared\n", path);
    return 0;
}
