/**
 * @file llvm.c
 * See llvm.h. The prototypes are those of LLVM's C API (llvm-c/Core.h, IRReader.h, ExecutionEngine.h,
 * Transforms/PassBuilder.h), which it keeps stable.
 */
#include "compile/llvm.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

/** What the values become after the text is read: registers instead of memory, and nothing computed twice. */
#define PASSES                                                                                                         \
    "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,gvn,loop-mssa(licm),simplifycfg,instcombine<no-verify-fixpoint>,adce)"

struct mcjit_options {
    unsigned level;
    int code_model;
    int keep_frame_pointer, fast_selection;
    void *memory_manager;
};

/* name, result, arguments */
#define FUNCTIONS                                                                                                      \
    F(GetVersion, void, (unsigned *, unsigned *, unsigned *))                                                          \
    F(InitializeX86TargetInfo, void, (void))                                                                           \
    F(InitializeX86Target, void, (void))                                                                               \
    F(InitializeX86TargetMC, void, (void))                                                                             \
    F(InitializeX86AsmPrinter, void, (void))                                                                           \
    F(LinkInMCJIT, void, (void))                                                                                       \
    F(ContextCreate, void *, (void))                                                                                   \
    F(ContextDispose, void, (void *))                                                                                  \
    F(CreateMemoryBufferWithMemoryRangeCopy, void *, (const char *, size_t, const char *))                             \
    F(ParseIRInContext, int, (void *, void *, void **, char **))                                                       \
    F(DisposeModule, void, (void *))                                                                                   \
    F(DisposeMessage, void, (char *))                                                                                  \
    F(CreatePassBuilderOptions, void *, (void))                                                                        \
    F(DisposePassBuilderOptions, void, (void *))                                                                       \
    F(RunPasses, void *, (void *, const char *, void *, void *))                                                       \
    F(GetErrorMessage, char *, (void *))                                                                               \
    F(DisposeErrorMessage, void, (char *))                                                                             \
    F(CreateMCJITCompilerForModule, int, (void **, void *, struct mcjit_options *, size_t, char **))                   \
    F(GetFunctionAddress, uint64_t, (void *, const char *))                                                            \
    F(DisposeExecutionEngine, void, (void *))

static struct {
#define F(name, result, arguments) result(*name) arguments;
    FUNCTIONS
#undef F
} llvm;

struct llvm_code {
    void *context, *engine;
};

static pthread_once_t loading = PTHREAD_ONCE_INIT;
static bool available;
static char description[160];

/** A sandbox may forbid what machine code needs: then nobody should begin. */
static bool code_may_be_mapped(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return false;
    bool may = mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0;
    munmap(page, 4096);
    return may;
}

static bool memory_is_limited(void)
{
    struct rlimit space, data;
    return getrlimit(RLIMIT_AS, &space) || getrlimit(RLIMIT_DATA, &data) || space.rlim_cur != RLIM_INFINITY ||
           data.rlim_cur != RLIM_INFINITY;
}

static bool find_functions(void *library)
{
    const char *missing = NULL;
#define F(name, result, arguments)                                                                                     \
    *(void **)&llvm.name = dlsym(library, "LLVM" #name);                                                               \
    missing = llvm.name ? missing : "LLVM" #name;
    FUNCTIONS
#undef F
    if (missing)
        snprintf(description, sizeof description, "the LLVM library has no %s", missing);
    return !missing;
}

/** The process ends, and LLVM's own data with it: machine code is not given back any more. */
static bool ended;
static void at_end(void)
{
    ended = true;
}

static void load(void)
{
    static const char *const names[] = {"libLLVM.so.19.1", "libLLVM-19.so.1", "libLLVM-19.so"};
    void *library = NULL;
#ifdef __x86_64__
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
        snprintf(description, sizeof description, "this processor has no AVX2");
        return;
    }
    if (!code_may_be_mapped()) {
        snprintf(description, sizeof description, "this process may not map code");
        return;
    }
    if (memory_is_limited()) { /* LLVM ends a process that has no more */
        snprintf(description, sizeof description, "this process's memory is limited");
        return;
    }
    for (size_t i = 0; !library && i < sizeof names / sizeof names[0]; i++)
        library = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
#else
    snprintf(description, sizeof description, "machine code is made for x86-64 only");
    return;
#endif
    if (!library) {
        snprintf(description, sizeof description, "LLVM 19 is not installed (Debian: libllvm19)");
        return;
    }
    if (!find_functions(library))
        return;
    atexit(at_end);
    unsigned major, minor, patch;
    llvm.GetVersion(&major, &minor, &patch);
    llvm.InitializeX86TargetInfo();
    llvm.InitializeX86Target();
    llvm.InitializeX86TargetMC();
    llvm.InitializeX86AsmPrinter();
    llvm.LinkInMCJIT();
    snprintf(description, sizeof description, "LLVM %u.%u.%u, %s", major, minor, patch, llvm_wide() ? "AVX-512" : "AVX2");
    available = true;
}

bool llvm_wide(void)
{
#ifdef __x86_64__
    const char *level = getenv("SOFTGPU_ISA");
    return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512cd") && !(level && strcmp(level, "avx2") == 0);
#else
    return false;
#endif
}

bool llvm_available(void)
{
    pthread_once(&loading, load);
    return available;
}

const char *llvm_describe(void)
{
    pthread_once(&loading, load);
    return description;
}

/** The module's text as a module; the context owns it. */
static void *parse(void *context, const char *text, size_t length, char *why, size_t why_size)
{
    void *module = NULL;
    char *message = NULL;
    void *buffer = llvm.CreateMemoryBufferWithMemoryRangeCopy(text, length, "kernel");
    if (!llvm.ParseIRInContext(context, buffer, &module, &message))
        return module;
    snprintf(why, why_size, "%s", message ? message : "unreadable");
    llvm.DisposeMessage(message);
    return NULL;
}

static bool optimise(void *module, char *why, size_t why_size)
{
    void *options = llvm.CreatePassBuilderOptions();
    void *error = llvm.RunPasses(module, PASSES, NULL, options);
    llvm.DisposePassBuilderOptions(options);
    if (!error)
        return true;
    char *message = llvm.GetErrorMessage(error);
    snprintf(why, why_size, "%s", message);
    llvm.DisposeErrorMessage(message);
    return false;
}

struct llvm_code *llvm_compile(const char *text, size_t length, char *why, size_t why_size)
{
    if (!llvm_available()) {
        snprintf(why, why_size, "%s", description);
        return NULL;
    }
    void *context = llvm.ContextCreate(), *engine = NULL;
    void *module = parse(context, text, length, why, why_size);
    char *message = NULL;
    if (!module)
        goto failed;
    if (!optimise(module, why, why_size)) {
        llvm.DisposeModule(module);
        goto failed;
    }
    struct mcjit_options options = {.level = 2, .code_model = 1 /* JIT's default */};
    if (llvm.CreateMCJITCompilerForModule(&engine, module, &options, sizeof options, &message)) {
        snprintf(why, why_size, "%s", message ? message : "no compiler");
        llvm.DisposeMessage(message);
        goto failed;
    }
    struct llvm_code *code = malloc(sizeof *code);
    if (!code)
        abort();
    *code = (struct llvm_code){context, engine};
    return code;
failed:
    llvm.ContextDispose(context);
    return NULL;
}

void *llvm_function(struct llvm_code *code, const char *name)
{
    return (void *)(uintptr_t)llvm.GetFunctionAddress(code->engine, name);
}

void llvm_free(struct llvm_code *code)
{
    if (!code || ended)
        return;
    llvm.DisposeExecutionEngine(code->engine);
    llvm.ContextDispose(code->context);
    free(code);
}
