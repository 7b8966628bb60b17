/**
 * @file debug_case.c
 * See debug_case.h.
 */
#include "course/debug_case.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "build/build.h"
#include "course/progress.h"
#include "grade.h"
#include "run/command.h"
#include "score/score.h"

#define MOST_PTX (64u << 20)
#define MOST_WORDS 200

/** The case's place in the record, which a grade of this lab has filled or `empty` has not. */
static const struct record_case *choose(const struct record *last, const struct record *empty, const char *only)
{
    const struct record *r = last ? last : empty;
    if (only)
        return record_find(empty, only);
    for (int p = 0; p < r->parts_count; p++)
        for (int i = 0; i < r->parts[p].cases_count; i++)
            if (r->parts[p].cases[i].state == STATE_FAIL)
                return &r->parts[p].cases[i];
    return r->parts_count && r->parts[0].cases_count ? &r->parts[0].cases[0] : NULL;
}

static const struct spec_case *spec_of(const struct spec *s, const char *name)
{
    for (unsigned p = 0; p < s->parts_count; p++)
        for (unsigned i = 0; i < s->parts[p].cases_count; i++)
            if (!strcmp(s->parts[p].cases[i].name, name))
                return &s->parts[p].cases[i];
    return NULL;
}

/** The grader compiles a copy: the lines that the debugger shows are those of the student's file. */
static bool name_source(const char *ptx, const char *source)
{
    const char *why;
    size_t len;
    char *text = text_read_file(ptx, MOST_PTX, &len, &why), *full = realpath(source, NULL);
    char *end = text ? strstr(text, "/kernel.cu\"") : NULL;
    char *begin = end;
    while (begin && begin > text && begin[-1] != '"' && begin[-1] != '\n')
        begin--;
    bool ok = begin && begin > text && begin[-1] == '"' && full;
    if (ok) {
        struct text out = {0};
        text_printf(&out, "%.*s%s%s", (int)(begin - text), text, full, end + strlen("/kernel.cu"));
        ok = text_write_file(ptx, out.data, out.len);
        text_free(&out);
    }
    free(text);
    free(full);
    return ok;
}

/** softgpu's options of the case; results and findings go where the grade's would, and are not looked at. */
static void become(const struct kit *k, const struct command *c)
{
    char *commands = getenv("FENCEPOST_COMMANDS");
    char *argv[MOST_WORDS] = {text_format("%s/bin/softgpu", k->build), commands || isatty(0) ? "debug" : "--debug"};
    int n = 2;
    if (commands) {
        argv[n++] = "-x";
        argv[n++] = commands;
    }
    for (int i = 0; c->argv[i] && n + 1 < MOST_WORDS; i++)
        argv[n++] = c->argv[i];
    for (int i = 0; c->env[i]; i++)
        if (!strncmp(c->env[i], "SOFTGPU_", 8) && strncmp(c->env[i], "SOFTGPU_COUNTERS=", 17) &&
            strncmp(c->env[i], "SOFTGPU_TIMELINE=", 17) && strncmp(c->env[i], "SOFTGPU_SCHEDULES=0", 19))
            putenv(c->env[i]);
    execv(argv[0], argv);
    fprintf(stderr, "grade: cannot run %s: %s\n", argv[0], strerror(errno));
    _exit(2);
}

static int run(const struct kit *k, const struct command *c)
{
    int status;
    signal(SIGINT, SIG_IGN); /* the debugger's */
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        signal(SIGINT, SIG_DFL);
        become(k, c);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return 2;
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

/** Builds the student's file and runs the case. */
static int start(const struct kit *k, const struct options *o, const char *lab, const struct spec *s,
                 const struct spec_case *which, uint32_t seed, struct trouble *t)
{
    struct build b = {0};
    int status = 2;
    char *scratch = kit_scratch(k, t), *source = o->file ? text_dup(o->file)
                                                         : kit_path(k, "%s/%s/kernel.cu", o->solution ? "solutions" : "labs", lab);
    if (scratch && build_lab(&b, k, s, lab, o, scratch, t)) {
        if (b.compile_error) {
            fprintf(stderr, "%s\n", b.compile_error);
        } else {
            free(b.server); /* the program has its device in its own process */
            b.server = NULL;
            free(b.library);
            b.library = text_format("%s/lib", k->build);
            if (s->code != SPEC_HOST && !name_source(b.student, source))
                fprintf(stderr, "grade: the source's lines will not be shown\n");
            uint64_t input = cases_input_seed(seed, which->name, 0);
            struct case_runner runner = {.spec = s, .build = &b, .options = o, .scratch = scratch, .seed = seed};
            struct command_choice choice = {.spec_case = which, .input_seed = input, .device_seed = text_mix(input)};
            struct command c;
            command_make(&c, &runner, &choice);
            fprintf(stderr, "%s, case %s, seed %08x\n", lab, which->name, seed);
            status = run(k, &c);
            command_free(&c);
        }
    }
    if (scratch)
        text_remove_tree(scratch);
    free(scratch);
    free(source);
    build_free(&b);
    return status;
}

int debug_case(const struct kit *k, const struct options *o, const char *word, struct trouble *t)
{
    const char *lab = kit_find_lab(k, word, t);
    struct spec *s = lab ? grade_spec(k, lab, t) : NULL;
    if (!s)
        return 2;
    struct record *last = progress_load(k, lab), *empty = score_start(s, lab);
    const struct record_case *c = choose(last, empty, o->only);
    const struct spec_case *which = c ? spec_of(s, c->name) : NULL;
    int status = 2;
    if (which)
        status = start(k, o, lab, s, which, o->has_seed ? o->seed : last ? last->seed : 1, t);
    else
        trouble_set(t, "%s has no case \"%.40s\"", lab, o->only ? o->only : "");
    record_free(last);
    record_free(empty);
    spec_free(s);
    return status;
}
