/**
 * @file compile.c
 * Running nvcc, or what stands in for it (clang/bin/nvcc): fixed arguments, clean environment, limits; see build.h and compile.h.
 *
 * The environment is made here, not inherited: nvcc honours NVCC_APPEND_FLAGS and friends, which
 * could weaken the grade (attacks.md, case 17).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build/assembly.h"
#include "build/compile.h"
#include "build/headers.h"
#include "build/kept.h"
#include "build/steps.h"

#define COMPILE_SECONDS 60
#define COMPILE_MIB 2048
#define MAX_OUTPUT_KIB (16u << 10)
#define MAX_ERRORS 3
#define MAX_ARGUMENTS 32

/** Why a compile that neither worked nor gave an error message stopped. */
static char *stopped(const struct child *c, const char *shown)
{
    switch (c->end) {
    case CHILD_TIME_LIMIT:
        return text_format("%s: compile timeout: nvcc was not done after %d s", shown,
                           COMPILE_SECONDS);
    case CHILD_MEMORY_LIMIT:
        return text_format("%s: nvcc needed more than %d MiB of memory", shown, COMPILE_MIB);
    case CHILD_PROCESS_LIMIT:
        return text_format("%s: nvcc started too many processes", shown);
    case CHILD_DISK_LIMIT:
    case CHILD_OUTPUT_LIMIT:
        return text_format("%s: nvcc printed too much, or made a file of more than %u MiB", shown,
                           MAX_OUTPUT_KIB >> 10);
    default:
        return NULL;
    }
}

char *compile_failure(const struct child *c, const char *text, const char *shown)
{
    char *why = stopped(c, shown);
    if (why)
        return why;
    why = compile_errors(text_str(&c->err), text, shown, MAX_ERRORS);
    if (*why)
        return why;
    free(why);
    /* A tool of nvcc's died of a limit, or its words are none that we know: show their end. */
    const char *all = text_str(&c->err);
    size_t len = strlen(all);
    why = text_format("%s: nvcc failed: %s", shown, len > 600 ? all + len - 600 : all);
    text_clean(why);
    return why;
}

static bool step_of(struct child *c, const struct kit *k, char *const *argv, const char *folder,
                    const char *const *inputs, unsigned file_kib, bool quick, struct trouble *t)
{
    char *bin = kit_tools(k);
    char *toolkit = text_format("%.*s", (int)(strrchr(bin, '/') - bin), bin);
    char *path = text_format("PATH=%s:/usr/bin:/bin", bin), *home = text_format("HOME=%s", folder);
    char *temp = text_format("TMPDIR=%s", folder);
    char *env[] = {path, home, temp, "LC_ALL=C", NULL};
    struct sandbox_view view = {.read = {toolkit}, .write = {folder}};
    struct sandboxed box;
    for (int i = 0; inputs && inputs[i] && i + 2 < SANDBOX_MAX_PATHS; i++)
        view.read[i + 1] = inputs[i];
    *c = (struct child){.argv = argv, .env = env, .folder = folder, .disk = folder, .quick = quick,
                        .limits = {COMPILE_SECONDS, COMPILE_SECONDS, COMPILE_MIB, file_kib,
                                   256, 64, 16 * file_kib}};
    sandbox_enter(&box, &view, c);
    child_run(c);
    sandbox_leave(&box);
    if (c->end == CHILD_NOT_STARTED)
        trouble_set(t, "cannot start %s: %s", argv[0], strerror(c->code));
    free(bin);
    free(toolkit);
    free(path);
    free(home);
    free(temp);
    return c->end == CHILD_EXITED && c->code == 0;
}

bool compile_step(struct child *c, const struct kit *k, char *const *argv, const char *folder,
                  const char *const *inputs, struct trouble *t)
{
    return step_of(c, k, argv, folder, inputs, MAX_OUTPUT_KIB, true, t);
}

bool compile_source(const char *text, const char *folder, struct trouble *t)
{
    char *source = text_format("%s/kernel.cu", folder);
    bool ok = text_make_dirs(folder) && text_write_file(source, text, strlen(text));
    if (!ok)
        trouble_set(t, "cannot write to %s: %s", folder, strerror(errno));
    free(source);
    return ok;
}

/** How a head is made: as the file that it is of is compiled. */
struct making {
    const struct kit *k;
    char *const *argv;
    char *steps;
    const char *folder;
};

/** `argv` behind the words for its steps. */
static void put_words(char **words, char *steps, char *how, char *first, char *second, char *const *argv)
{
    int n = 0;
    words[n++] = steps;
    words[n++] = (char *)STEPS_WORD;
    words[n++] = how;
    if (first)
        words[n++] = first;
    if (second)
        words[n++] = second;
    for (int i = 0; i < MAX_ARGUMENTS && argv[i]; i++)
        words[n++] = argv[i];
}

/** In a folder and a sandbox of its own: nothing of the submission is there but the names of the headers. */
static bool make_head(void *ctx, const char *head)
{
    struct making *m = ctx;
    const char *inputs[] = {m->steps, NULL};
    char *folder = text_format("%s/head", m->folder), *words[MAX_ARGUMENTS + 6] = {NULL};
    struct child c = {0};
    struct trouble t = {0};
    put_words(words, m->steps, (char *)STEPS_MAKE, NULL, NULL, m->argv);
    bool ok = compile_source(head, folder, &t) && step_of(&c, m->k, words, folder, inputs, HEADERS_MAX_FILE >> 10, false, &t);
    child_clear(&c);
    free(folder);
    return ok;
}

/** nvcc, or its steps side by side. */
static bool run_nvcc(struct child *c, const struct kit *k, char *const *argv, const char *text, const char *folder, struct trouble *t)
{
    char *steps = steps_program(k), *words[MAX_ARGUMENTS + 6] = {NULL};
    if (!steps)
        return step_of(c, k, argv, folder, NULL, MAX_OUTPUT_KIB, false, t);
    struct making making = {k, argv, steps, folder};
    char *headers = headers_find(k, argv, text, folder, make_head, &making);
    const char *inputs[] = {steps, headers, NULL};
    put_words(words, steps, (char *)STEPS_TELL, headers ? (char *)STEPS_HEADERS : NULL, headers, argv);
    bool ok = step_of(c, k, words, folder, inputs, MAX_OUTPUT_KIB, false, t);
    c->argv = argv; /* `words` ends here */
    free(headers);
    free(steps);
    return ok;
}

bool compile_with_nvcc(struct child *c, const struct kit *k, char *const *argv, const char *text, const char *folder,
                       const char *product, struct trouble *t)
{
    if (kept_take(k, argv, text, product))
        return true;
    if (!run_nvcc(c, k, argv, text, folder, t) || access(product, R_OK) != 0)
        return false;
    kept_give(k, argv, text, product);
    return true;
}

char *compile_kernel(const struct kit *k, const char *arch, const char *text, const char *shown,
                     const char *folder, char **errors, struct trouble *t)
{
    char *ptx = text_format("%s/kernel.ptx", folder), *arch_flag = text_format("-arch=%s", arch);
    char *argv[] = {k->nvcc, "-ptx", "-lineinfo", arch_flag, "-o", "kernel.ptx", "kernel.cu", NULL};
    struct child c = {0};
    bool made = compile_source(text, folder, t);
    bool ok = made && compile_with_nvcc(&c, k, argv, text, folder, ptx, t);
    if (made && !ok && c.end != CHILD_NOT_STARTED)
        *errors = compile_failure(&c, text, shown);
    if (ok)
        *errors = assembly_errors(k, arch, "kernel.ptx", text, shown, folder, t);
    child_clear(&c);
    free(arch_flag);
    if (!ok || *errors) {
        free(ptx);
        ptx = NULL;
    }
    return ptx;
}

char *compile_version(const struct kit *k)
{
    char *argv[] = {k->nvcc, "--version", NULL}, *env[] = {"LC_ALL=C", NULL};
    struct child c = {.argv = argv, .env = env, .limits = {10, 10, 1024, 1024, 16, 16}};
    child_run(&c);
    const char *release = strstr(text_str(&c.out), "release "), *clang = strstr(text_str(&c.out), "clang version ");
    const char *v = release ? strstr(release, ", V") : NULL;
    char *version = v       ? text_format("%.*s", (int)strcspn(v + 3, " \n"), v + 3)
                    : clang ? text_format("clang %.*s", (int)strcspn(clang + 14, "\n"), clang + 14)
                            : text_dup("unknown");
    text_clean(version);
    child_clear(&c);
    return version;
}
