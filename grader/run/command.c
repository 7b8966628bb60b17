/**
 * @file command.c
 * Putting a harness's command together; see command.h.
 *
 * The device is chosen by library path alone: with softgpu's folder in LD_LIBRARY_PATH the
 * harness's libcudart.so.13 is softgpu, without it the real runtime.
 */
#include "run/command.h"

#include <inttypes.h>
#include <stdlib.h>

#define MAX_WORDS 96

struct words {
    char **list;
    int count;
};

static void add(struct words *w, char *word)
{
    if (w->count + 1 >= MAX_WORDS)
        abort();
    w->list[w->count++] = word;
}

static char **make_argv(const struct command *c, const struct case_runner *r,
                        const struct command_choice *choice)
{
    const struct spec_case *k = choice->spec_case;
    struct words w = {text_zalloc(MAX_WORDS, sizeof(char *)), 0};
    const char *code = choice->reference ? r->build->reference : r->build->student;
    if (r->spec->code == SPEC_HOST) {
        add(&w, text_dup(code));
    } else {
        add(&w, text_dup(r->build->harness));
        add(&w, text_dup("--kernel"));
        add(&w, text_dup(code));
    }
    add(&w, text_dup("--case"));
    add(&w, text_dup(k->name));
    add(&w, text_dup("--seed"));
    add(&w, text_format("%" PRIu64, choice->input_seed));
    add(&w, text_dup("--output"));
    add(&w, text_dup(c->files.result));
    if (k->distribution) {
        add(&w, text_dup("--distribution"));
        add(&w, text_dup(k->distribution));
    }
    for (unsigned i = 0; i < k->params_count; i++) {
        add(&w, text_dup("--param"));
        add(&w, text_format("%s=%" PRId64, k->params[i].name, k->params[i].value));
    }
    return w.list;
}

static char **make_env(const struct command *c, const struct case_runner *r,
                       const struct command_choice *choice)
{
    struct words w = {text_zalloc(MAX_WORDS, sizeof(char *)), 0};
    unsigned asked = (unsigned)r->options->schedules;
    unsigned schedules = asked ? asked : choice->spec_case->schedules;
    add(&w, text_dup("PATH=/usr/bin:/bin"));
    add(&w, text_dup("LC_ALL=C"));
    add(&w, text_format("HOME=%s", c->files.folder));
    add(&w, text_format("TMPDIR=%s", c->files.folder));
    add(&w, text_format("LD_LIBRARY_PATH=%s", r->build->library));
    if (r->options->device == DEVICE_GPU) {
        add(&w, text_dup("CUDA_CACHE_DISABLE=1")); /* what one run compiles no other must see */
        return w.list;
    }
    add(&w, text_format("SOFTGPU_CHECK=%s", choice->reference ? "none" : "all"));
    add(&w, text_format("SOFTGPU_SEED=%" PRIu64, choice->device_seed));
    add(&w, text_format("SOFTGPU_STEP_LIMIT=%" PRIu64,
                        spec_case_limits(r->spec, choice->spec_case).steps));
    if (choice->reference && choice->spec_case->exhaustive) {
        add(&w, text_dup("SOFTGPU_EXHAUSTIVE=1"));
        add(&w, text_format("SOFTGPU_JSON=%s", c->files.findings)); /* where the harness reads them */
    }
    if (!choice->reference) {
        add(&w, text_format("SOFTGPU_JSON=%s", c->files.findings));
        add(&w, text_format("SOFTGPU_SCHEDULES=%u", schedules));
    }
    add(&w, text_format("SOFTGPU_COUNTERS=%s", c->files.counters));
    return w.list;
}

void command_make(struct command *c, const struct case_runner *r,
                  const struct command_choice *choice)
{
    struct spec_limits l = spec_case_limits(r->spec, choice->spec_case);
    char *folder = text_format("%s/run%d", r->scratch, choice->number);
    if (!text_make_dirs(folder))
        abort();
    c->files = (struct run_files){
        .folder = folder,
        .result = text_format("%s/result", folder),
        .findings = text_format("%s/findings.jsonl", folder),
        .counters = text_format("%s/counters.json", folder),
    };
    c->limits = (struct child_limits){
        .seconds = (double)l.seconds,
        .cpu_seconds = 2 * l.seconds,
        .memory_mib = l.bytes,
        .file_kib = l.result,
        .output_kib = l.output,
        .processes = 64,
    };
    /* Of the two only what runs: a student's code must not find the reference. */
    c->view = (struct sandbox_view){
        .read = {choice->reference ? r->build->reference : r->build->student, r->build->library,
                 r->spec->code == SPEC_HOST ? NULL : r->build->harness},
        .write = {folder},
        .gpu = r->options->device == DEVICE_GPU};
    c->argv = make_argv(c, r, choice);
    c->env = make_env(c, r, choice);
}

static void free_words(char **list)
{
    for (int i = 0; list && list[i]; i++)
        free(list[i]);
    free(list);
}

void command_free(struct command *c)
{
    free_words(c->argv);
    free_words(c->env);
    free(c->files.folder);
    free(c->files.result);
    free(c->files.findings);
    free(c->files.counters);
    *c = (struct command){0};
}
