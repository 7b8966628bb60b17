/**
 * @file program.c
 * Host-code labs: kernel.cu → object → program, by nvcc and the linker, both in the sandbox; see
 * build.h.
 *
 * The program is the lab's harness with the student's functions in it. It is linked with the shared
 * runtime and no rpath, so that the library path alone picks the device, as for all harnesses.
 */
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build/assembly.h"
#include "build/compile.h"

#define LINKER "/usr/bin/g++"
#define FAST_LINKER "/usr/bin/ld.gold" /* a third of the other's time; what it refuses the other one links, or says why not */
#define MAX_SHOWN 3
/* Of the host's code alone. Four fifths of -O2's time, and what is done by -O2 only is nothing that a lab's host functions wait for. */
#define HOST_LEVEL "-O1"
/* Lines, as -g has them, and nothing of variables: a fifth of the host's compiler's time. And calls before each access of the host's: the harness library
 * has them (common/host_race.h). */
#define HOST_OPTIONS "-g1,-gstatement-frontiers,-fsanitize=thread,--param=tsan-instrument-func-entry-exit=0,-Wno-tsan"

/** What a linker's line says, from its first word that counts; NULL if it is no such line. */
static const char *link_complaint(const char *line)
{
    static const char *const words[] = {"undefined reference to ", "multiple definition of "};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const char *at = strstr(line, words[i]);
        if (at)
            return at;
    }
    return NULL;
}

/** The lab's function that a complaint "undefined reference to `NAME'" is about; NULL if none. */
static const struct spec_kernel *missing_function(const struct spec *s, const char *complaint)
{
    const char *name = strpbrk(complaint, "`'\"");
    for (unsigned i = 0; name && !strncmp(complaint, "undefined", 9) && i < s->functions_count; i++) {
        size_t len = strlen(s->functions[i].name);
        if (!strncmp(name + 1, s->functions[i].name, len) && strchr("'\"", name[1 + len]))
            return &s->functions[i];
    }
    return NULL;
}

/** The linker's words for a student; the caller frees. "" where there are none that we know. */
static char *link_errors(const struct spec *s, const char *output, const char *shown)
{
    struct text out = {0};
    int count = 0;
    for (const char *line = output; *line && count < MAX_SHOWN;) {
        size_t len = strcspn(line, "\n");
        char *copy = text_format("%.*s", (int)len, line);
        const char *complaint = link_complaint(copy);
        const struct spec_kernel *f = complaint ? missing_function(s, complaint) : NULL;
        if (f) { /* all else follows from it */
            text_free(&out);
            text_printf(&out, "%s: defines no function %s; it must have\n    extern \"C\" %s", shown,
                        f->name, f->signature);
            count = MAX_SHOWN;
        } else if (complaint && !strstr(text_str(&out), complaint)) {
            text_printf(&out, "%s%s: %s", count++ ? "\n" : "", shown, complaint);
        }
        free(copy);
        line += len + (line[len] == '\n');
    }
    char *all = text_dup(text_str(&out));
    text_clean(all);
    text_free(&out);
    return all;
}

/** In what nvcc's steps have left in the folder: "tmpxft_…_kernel.ptx". */
static char *object_assembly_errors(const struct kit *k, const struct program_parts *p, const char *text, const char *shown, const char *folder, struct trouble *t)
{
    char *pattern = text_format("%s/tmpxft_*_kernel.ptx", folder), *told = NULL;
    glob_t found;
    if (glob(pattern, 0, NULL, &found) == 0)
        told = assembly_errors(k, p->spec->arch, strrchr(found.gl_pathv[0], '/') + 1, text, shown, folder, t);
    globfree(&found);
    free(pattern);
    return told;
}

static bool compile_object(const struct kit *k, const struct program_parts *p, const char *text,
                           const char *shown, const char *folder, char **errors, struct trouble *t)
{
    char *arch = text_format("-arch=%s", p->spec->arch), *object = text_format("%s/kernel.o", folder);
    char *argv[] = {k->nvcc, "-c", HOST_LEVEL, "-lineinfo", "-cudart", "shared", "-Xcompiler", HOST_OPTIONS,
                    arch, "-o", "kernel.o", "kernel.cu", NULL};
    struct child c = {0};
    bool made = compile_source(text, folder, t);
    bool ok = made && compile_with_nvcc(&c, k, argv, text, folder, object, t);
    if (made && !ok && c.end != CHILD_NOT_STARTED)
        *errors = compile_failure(&c, text, shown);
    if (ok)
        *errors = object_assembly_errors(k, p, text, shown, folder, t);
    child_clear(&c);
    free(object);
    free(arch);
    return ok && !*errors;
}

/** Links; at first by the fast linker, where there is one. */
static bool run_linker(struct child *c, const struct kit *k, const struct program_parts *p, const char *object, const char *folder, bool fast, struct trouble *t)
{
    const char *inputs[] = {object, p->harness, p->common, p->library, NULL};
    char *argv[] = {LINKER, "-pthread", "-fno-use-linker-plugin", "-o", "program", (char *)object, p->harness, p->common,
                    p->library, "-ldl", "-lm", fast ? (char *)"-fuse-ld=gold" : NULL, NULL};
    if (compile_step(c, k, argv, folder, inputs, t) || !fast)
        return c->end == CHILD_EXITED && c->code == 0;
    child_clear(c);
    return run_linker(c, k, p, object, folder, false, t);
}

char *link_program(const struct kit *k, const struct program_parts *p, const char *object,
                   const char *shown, const char *folder, char **errors, struct trouble *t)
{
    char *program = text_format("%s/program", folder);
    struct child c = {0};
    bool made = text_make_dirs(folder);
    if (!made)
        trouble_set(t, "cannot write to %s: %s", folder, strerror(errno));
    bool ok = made && run_linker(&c, k, p, object, folder, access(FAST_LINKER, X_OK) == 0, t) && access(program, X_OK) == 0;
    if (made && !ok && c.end != CHILD_NOT_STARTED) {
        *errors = link_errors(p->spec, text_str(&c.err), shown);
        if (!**errors) {
            free(*errors);
            *errors = compile_failure(&c, "", shown);
        }
    }
    child_clear(&c);
    if (!ok) {
        free(program);
        program = NULL;
    }
    return program;
}

char *compile_program(const struct kit *k, const struct program_parts *p, const char *text,
                      const char *shown, const char *folder, char **errors, struct trouble *t)
{
    char *object = text_format("%s/kernel.o", folder), *program = NULL;
    if (compile_object(k, p, text, shown, folder, errors, t) &&
        compile_confine_object(k, p->spec, folder, shown, errors, t))
        program = link_program(k, p, object, shown, folder, errors, t);
    free(object);
    return program;
}
