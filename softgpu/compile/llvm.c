/**
 * @file llvm.c
 * See llvm.h. The prototypes are those of LLVM's C API (llvm-c/Core.h, IRReader.h, TargetMachine.h,
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

/** What the values become after the text is read: registers instead of memory, and nothing computed twice. */
#define PASSES                                                                                                         \
    "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,gvn,loop-mssa(licm),simplifycfg,instcombine<no-verify-fixpoint>,adce,sink)"

/* name, result, arguments */
#define FUNCTIONS                                                                                                      \
    F(GetVersion, void, (unsigned *, unsigned *, unsigned *))                                                          \
    F(InitializeX86TargetInfo, void, (void))                                                                           \
    F(InitializeX86Target, void, (void))                                                                               \
    F(InitializeX86TargetMC, void, (void))                                                                             \
    F(InitializeX86AsmPrinter, void, (void))                                                                           \
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
    F(GetTargetFromTriple, int, (const char *, void **, char **))                                                      \
    F(CreateTargetMachine, void *, (void *, const char *, const char *, const char *, int, int, int))                  \
    F(DisposeTargetMachine, void, (void *))                                                                            \
    F(CreateTargetDataLayout, void *, (void *))                                                                        \
    F(DisposeTargetData, void, (void *))                                                                               \
    F(SetModuleDataLayout, void, (void *, void *))                                                                     \
    F(SetTarget, void, (void *, const char *))                                                                         \
    F(TargetMachineEmitToMemoryBuffer, int, (void *, void *, int, char **, void **))                                   \
    F(GetBufferStart, const char *, (void *))                                                                          \
    F(GetBufferSize, size_t, (void *))                                                                                 \
    F(DisposeMemoryBuffer, void, (void *))

static struct {
#define F(name, result, arguments) result(*name) arguments;
    FUNCTIONS
#undef F
} llvm;

static pthread_once_t loading = PTHREAD_ONCE_INIT;
static bool available;
static char description[160];

static const struct {
    const char *name, *words, *processor;
} levels[] = {[LEVEL_PLAIN] = {"plain", "plain x86-64", "x86-64"}, [LEVEL_AVX2] = {"avx2", "AVX2", "x86-64-v3"},
              [LEVEL_AVX512] = {"avx512", "AVX-512", "x86-64-v4"}};

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

static void load(void)
{
    static const char *const names[] = {"libLLVM.so.19.1", "libLLVM-19.so.1", "libLLVM-19.so"};
    void *library = NULL;
#ifdef __x86_64__
    if (!code_may_be_mapped()) {
        snprintf(description, sizeof description, "this process may not map code");
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
    unsigned major, minor, patch;
    llvm.GetVersion(&major, &minor, &patch);
    llvm.InitializeX86TargetInfo();
    llvm.InitializeX86Target();
    llvm.InitializeX86TargetMC();
    llvm.InitializeX86AsmPrinter();
    snprintf(description, sizeof description, "LLVM %u.%u.%u, %s", major, minor, patch, levels[llvm_level()].words);
    available = true;
}

enum llvm_level llvm_level(void)
{
#ifdef __x86_64__
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2") &&
                __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("f16c") && __builtin_cpu_supports("movbe");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512cd");
    enum llvm_level most = avx512 ? LEVEL_AVX512 : avx2 ? LEVEL_AVX2 : LEVEL_PLAIN;
    const char *said = getenv("SOFTGPU_ISA");
    for (enum llvm_level l = LEVEL_PLAIN; said && l < most; l++)
        if (!strcmp(said, levels[l].name))
            return l;
    return most;
#else
    return LEVEL_PLAIN;
#endif
}

bool llvm_gathers(void)
{
#ifdef __x86_64__
    const char *said = getenv("SOFTGPU_GATHER");
    bool soon = __builtin_cpu_supports("avx512fp16") || (__builtin_cpu_is("amd") && __builtin_cpu_supports("avx512vp2intersect"));
    return llvm_level() == LEVEL_AVX512 && soon && !(said && !strcmp(said, "0"));
#else
    return false;
#endif
}

bool llvm_adds_by_lanes(void)
{
#ifdef __x86_64__
    return !__builtin_cpu_supports("avx512fp16"); /* those that have it gather sooner than they load by themselves */
#else
    return false;
#endif
}

const char *llvm_level_name(enum llvm_level level)
{
    return levels[level].name;
}

const char *llvm_passes(void)
{
    return PASSES;
}

const char *llvm_level_processor(enum llvm_level level)
{
    return levels[level].processor;
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

/** Code that may lie anywhere, everything of it within 2 GB: what object.c can place. */
static void *target_machine(char *why, size_t why_size)
{
    static const char triple[] = "x86_64-unknown-linux-gnu";
    enum { LEVEL_DEFAULT = 2, RELOCATION_PIC = 2, MODEL_SMALL = 3 };
    void *target = NULL, *machine = NULL;
    char *message = NULL;
    if (!llvm.GetTargetFromTriple(triple, &target, &message))
        machine = llvm.CreateTargetMachine(target, triple, levels[llvm_level()].processor, "", LEVEL_DEFAULT,
                                           RELOCATION_PIC, MODEL_SMALL);
    if (!machine)
        snprintf(why, why_size, "%s", message ? message : "LLVM does not know this processor");
    if (message)
        llvm.DisposeMessage(message);
    return machine;
}

/** The module as an object file; NULL after a failure. */
static void *to_object(void *machine, void *module, size_t *bytes, char *why, size_t why_size)
{
    enum { OBJECT_FILE = 1 };
    void *buffer = NULL, *object = NULL;
    char *message = NULL;
    if (llvm.TargetMachineEmitToMemoryBuffer(machine, module, OBJECT_FILE, &message, &buffer)) {
        snprintf(why, why_size, "%s", message ? message : "no code");
        llvm.DisposeMessage(message);
        return NULL;
    }
    *bytes = llvm.GetBufferSize(buffer);
    object = malloc(*bytes);
    if (!object)
        abort();
    memcpy(object, llvm.GetBufferStart(buffer), *bytes);
    llvm.DisposeMemoryBuffer(buffer);
    return object;
}

void *llvm_object(const char *text, size_t length, size_t *bytes, char *why, size_t why_size)
{
    if (!llvm_available()) {
        snprintf(why, why_size, "%s", description);
        return NULL;
    }
    void *machine = target_machine(why, why_size), *object = NULL;
    if (!machine)
        return NULL;
    void *context = llvm.ContextCreate(), *module = parse(context, text, length, why, why_size);
    if (module) {
        void *layout = llvm.CreateTargetDataLayout(machine);
        llvm.SetTarget(module, "x86_64-unknown-linux-gnu");
        llvm.SetModuleDataLayout(module, layout);
        llvm.DisposeTargetData(layout);
        if (optimise(module, why, why_size))
            object = to_object(machine, module, bytes, why, why_size);
        llvm.DisposeModule(module);
    }
    llvm.ContextDispose(context);
    llvm.DisposeTargetMachine(machine);
    return object;
}
