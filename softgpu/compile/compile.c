/**
 * @file compile.c
 * See compile.h: plan, text, machine code, and the entries that lead there. A thread does it, one function after another.
 */
#include "compile/compile.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/cache.h"
#include "compile/hot.h"
#include "compile/emit.h"
#include "compile/llvm.h"
#include "compile/object.h"
#include "compile/support.h"
#include "compile/translator.h"
#include "execute/bind.h"

/** One lock for all images: a function is compiled once, and an image goes when nobody looks at it. */
static pthread_mutex_t compiling = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER; /**< the queue, or what is done */

/** The code of an image's functions. */
struct compiled {
    struct compiled *next;      /**< of the image */
    struct function *function;
    struct compiled *queued;    /**< the next in the queue */
    struct plan plan;           /**< while it is being made */
    struct object_code *code;   /**< NULL: there is none yet, or it cannot be compiled */
    bool done;
    bool forgotten;             /**< the image has gone meanwhile */
    bool gently;                /**< nobody waits for it; atomic, for it is looked at without the lock */
    bool missed;                /**< it has been looked for in vain */
    bool looks;                 /**< only where it has been kept: it is not hot yet */
    char why[160];              /**< there is no code; "" where that has been told */
};

static struct compiled *queue;  /**< what the thread has to do, in order */
static struct compiled *made;   /**< what it does now */
static bool started;            /**< the thread */

/** A child of fork() compiles nothing: it has no such thread. */
static bool forked;
static void in_child(void)
{
    pthread_mutex_init(&compiling, NULL);
    pthread_cond_init(&changed, NULL);
    queue = NULL;
    forked = true;
}

static struct compiled *find(const struct function *f)
{
    for (struct compiled *c = f->image->compiled; c; c = c->next)
        if (c->function == f)
            return c;
    return NULL;
}

static void install(struct function *f, const struct plan *p, const struct object_code *code)
{
    struct image *im = p->f->image;
    uint32_t number = 0;
    machine_code_fn *run = (machine_code_fn *)(uintptr_t)object_run(code);
    if (!im->machine_code) {
        struct machine_code *table = calloc(im->code_count, sizeof *table);
        if (!table)
            abort();
        __atomic_store_n(&im->machine_code, table, __ATOMIC_RELEASE);
    }
    f->writes_first = plan_writes_first(p);
    for (int i = 0; i < p->count; i++) {
        uint32_t at = (uint32_t)(p->f->entry + i - im->code);
        if (!p->entry[i])
            continue;
        im->machine_code[at].entry = 2 * number++;
        __atomic_store_n(&im->machine_code[at].run, run, __ATOMIC_RELEASE);
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

/** With the lock: the function's text. @return NULL where there is none */
static char *begin(struct compiled *c, size_t *length)
{
    if (!plan_make(&c->plan, c->function)) {
        snprintf(c->why, sizeof c->why, "it is too large, copies by tensor maps, or has matrix products under the checks");
        return NULL;
    }
    char *text = emit_module(&c->plan, length);
    dump(text);
    return text;
}

/** One function, with the lock, which is let go while LLVM works. */
static void make(struct compiled *c)
{
    size_t length, bytes;
    char why[sizeof c->why] = "", *text = begin(c, &length);
    if (text) {
        pthread_mutex_unlock(&compiling);
        struct cache_key key = cache_key_of(text, length);
        void *object = cache_find(&key, &bytes);
        pthread_mutex_lock(&compiling);
        if (!object && !c->looks) {
            pthread_mutex_unlock(&compiling);
            object = translator_ask(text, length, &bytes, &c->gently, why, sizeof why);
            if (object)
                cache_keep(&key, object, bytes);
            pthread_mutex_lock(&compiling);
        }
        if (object && !c->forgotten)
            c->code = object_load(object, bytes, compiled_symbol, c->function, why, sizeof why);
        if (c->code) {
            install(c->function, &c->plan, c->code);
            hot_no_more(c->function);
        }
        plan_free(&c->plan);
        free(object);
        free(text);
        memcpy(c->why, why, sizeof why);
    }
}

/** The thread: it never ends. */
static void *work(void *unused)
{
    translator_begin(); /* or each function is told that there is none */
    pthread_mutex_lock(&compiling);
    for (;;) {
        while (!queue)
            pthread_cond_wait(&changed, &compiling);
        struct compiled *c = queue;
        queue = c->queued;
        made = c;
        if (!c->forgotten)
            make(c);
        made = NULL;
        if (c->looks && !c->code && !c->forgotten) {
            c->missed = true; /* until it is hot */
            pthread_cond_broadcast(&changed);
            continue;
        }
        c->done = true;
        pthread_cond_broadcast(&changed);
        if (c->forgotten)
            free(c);
    }
    return unused;
}

static void start_thread(void)
{
    sigset_t all, mask;
    pthread_attr_t attributes;
    pthread_t thread;
    if (started || pthread_attr_init(&attributes))
        return;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, (size_t)1 << 20);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &mask); /* the program's signals are for its own threads */
    started = pthread_create(&thread, &attributes, work, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    pthread_attr_destroy(&attributes);
}

int compile_threads(void)
{
    return __atomic_load_n(&started, __ATOMIC_RELAXED);
}

static void append(struct compiled *c)
{
    struct compiled **last = &queue;
    while (*last)
        last = &(*last)->queued;
    c->queued = NULL;
    *last = c;
    pthread_cond_broadcast(&changed);
}

/** Queues a function that has not been asked for before. With the lock. */
static struct compiled *enqueue(struct function *f, bool gently, bool looks)
{
    struct compiled *c = find(f);
    if (c && c->looks && !looks) { /* now it is wanted in any case */
        c->looks = false;
        c->gently = gently;
        if (c->missed)
            append(c);
        c->missed = false;
        return c;
    }
    if (c)
        return c;
    c = calloc(1, sizeof *c);
    if (!c)
        abort();
    *c = (struct compiled){.next = f->image->compiled, .function = f, .gently = gently, .looks = looks};
    f->image->compiled = c;
    if (!forked && !translator_gone())
        start_thread();
    if (forked || translator_gone() || !started) {
        c->done = true;
        snprintf(c->why, sizeof c->why, "LLVM is not at hand in this process");
        return c;
    }
    append(c);
    return c;
}

/** With the lock: it is waited for, and so is what comes first. */
static void hurry(struct compiled *c)
{
    __atomic_store_n(&c->gently, false, __ATOMIC_RELAXED);
    if (made)
        __atomic_store_n(&made->gently, false, __ATOMIC_RELAXED);
}

bool compile_function(struct function *f, char *why, size_t why_size)
{
    pthread_mutex_lock(&compiling);
    struct compiled *c = enqueue(f, false, false);
    hurry(c);
    while (!c->done && !forked)
        pthread_cond_wait(&changed, &compiling);
    bool done = c->code;
    snprintf(why, why_size, "%s", c->why);
    c->why[0] = 0;
    pthread_mutex_unlock(&compiling);
    return done;
}

void compile_later(struct function *f)
{
    pthread_mutex_lock(&compiling);
    enqueue(f, true, false);
    pthread_mutex_unlock(&compiling);
}

void compile_soon(struct function *f)
{
    pthread_mutex_lock(&compiling);
    struct compiled *c = find(f);
    if (c)
        hurry(c);
    pthread_mutex_unlock(&compiling);
}

void compile_if_kept(struct function *f)
{
    pthread_mutex_lock(&compiling);
    enqueue(f, true, true);
    pthread_mutex_unlock(&compiling);
}

static void forget(struct image *im)
{
    pthread_mutex_lock(&compiling);
    for (struct compiled *c = im->compiled, *next; c; c = next) {
        next = c->next;
        c->forgotten = true;
        object_free(c->code);
        if (c->done || c->missed)
            free(c); /* else the thread will */
    }
    im->compiled = NULL;
    free(im->machine_code);
    im->machine_code = NULL;
    pthread_mutex_unlock(&compiling);
}

static void begins(struct machine *m, struct function *kernel)
{
    char why[256] = "";
    hot_begins();
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
    if (o->counters || o->trace || o->engine == ENGINE_INTERPRET)
        return;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    static bool chosen;
    pthread_mutex_lock(&compiling);
    if (!chosen) /* and for good: the thread looks there without the lock */
        cache_use(o->cache);
    chosen = true;
    pthread_mutex_unlock(&compiling);
    machine_set_compiler(m, &compiler);
}
