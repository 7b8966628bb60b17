/**
 * @file compile.c
 * See compile.h: plan, text, machine code, and the entries that lead there.
 */
#include "compile/compile.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/hot.h"
#include "compile/emit.h"
#include "compile/llvm.h"
#include "compile/support.h"
#include "execute/bind.h"

/** One lock for all images: a function is compiled once, and an image goes when nothing of it is being compiled. */
static pthread_mutex_t compiling = PTHREAD_MUTEX_INITIALIZER;

/** A child of fork() compiles nothing: LLVM's locks may be those of a thread that is not there. */
static bool forked;
static void in_child(void)
{
    pthread_mutex_init(&compiling, NULL);
    forked = true;
}

/** The code of an image's functions. */
struct compiled {
    struct compiled *next;
    const struct function *function;
    struct llvm_code *code;     /**< NULL: it cannot be compiled */
};

static struct compiled *find(const struct function *f)
{
    for (struct compiled *c = f->image->compiled; c; c = c->next)
        if (c->function == f)
            return c;
    return NULL;
}

static void install(const struct plan *p, struct llvm_code *code)
{
    struct image *im = p->f->image;
    uint32_t number = 0;
    machine_code_fn *run = (machine_code_fn *)(uintptr_t)llvm_function(code, "run");
    if (!run)
        return;
    if (!im->machine_code) {
        struct machine_code *table = calloc(im->code_count, sizeof *table);
        if (!table)
            abort();
        __atomic_store_n(&im->machine_code, table, __ATOMIC_RELEASE);
    }
    for (int i = 0; i < p->count; i++) {
        uint32_t at = (uint32_t)(p->f->entry + i - im->code);
        if (!p->entry[i])
            continue;
        im->machine_code[at] = (struct machine_code){run, 2 * number++};
        bind_entry(&im->code[at], compiled_enter);
    }
}

/** For those who look at the compiler: the text, where SOFTGPU_DUMP_LLVM names a file. */
static void dump(const char *text)
{
    const char *path = getenv("SOFTGPU_DUMP_LLVM");
    FILE *out = path ? fopen(path, "w") : NULL;
    if (out) {
        fputs(text, out);
        fclose(out);
    }
}

static struct llvm_code *compile(const struct function *f, char *why, size_t why_size)
{
    struct plan p;
    if (!plan_make(&p, f)) {
        snprintf(why, why_size, "it is too large, or copies by tensor maps");
        return NULL;
    }
    size_t length;
    char *text = emit_module(&p, &length);
    dump(text);
    struct llvm_code *code = llvm_compile(text, length, why, why_size);
    if (code)
        install(&p, code);
    free(text);
    plan_free(&p);
    return code;
}

bool compile_function(struct function *f, char *why, size_t why_size)
{
    pthread_mutex_lock(&compiling);
    struct compiled *c = find(f);
    if (!c) {
        c = calloc(1, sizeof *c);
        if (!c)
            abort();
        *c = (struct compiled){f->image->compiled, f, NULL};
        if (llvm_available() && !forked)
            c->code = compile(f, why, why_size);
        else
            snprintf(why, why_size, "%s", llvm_describe());
        f->image->compiled = c;
    }
    bool done = c->code;
    pthread_mutex_unlock(&compiling);
    return done;
}

static void forget(struct image *im)
{
    pthread_mutex_lock(&compiling);
    for (struct compiled *c = im->compiled, *next; c; c = next) {
        next = c->next;
        if (!forked)
            llvm_free(c->code);
        free(c);
    }
    im->compiled = NULL;
    free(im->machine_code);
    im->machine_code = NULL;
    pthread_mutex_unlock(&compiling);
}

static void begins(struct machine *m, struct function *kernel)
{
    char why[256] = "";
    if (machine_options(m)->engine == ENGINE_COMPILE && !compile_function(kernel, why, sizeof why) && why[0])
        fprintf(stderr, "softgpu: %s is interpreted: %s\n", kernel->name, why);
}

static void ran(struct machine *m, struct function *kernel, uint64_t instructions)
{
    if (machine_options(m)->engine == ENGINE_AUTO)
        hot_ran(kernel, instructions);
}

const char *compile_describe(void)
{
    return llvm_describe();
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}

void compile_attach(struct machine *m)
{
    static const struct compiler compiler = {.begins = begins, .ran = ran, .forget = forget};
    const struct options *o = machine_options(m);
    if (o->check || o->counters || o->trace || o->engine == ENGINE_INTERPRET)
        return;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    machine_set_compiler(m, &compiler);
}
