/**
 * @file command.c
 * Putting a harness's command together; see command.h.
 *
 * The device is chosen by library path alone: with softgpu's folder in LD_LIBRARY_PATH the
 * harness's libcudart.so.13 is softgpu, with the toolkit's the real runtime.
 */
#include "run/command.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX_WORDS 192
#define DEVICE_END_SECONDS 5 /* beyond its program's time, to write what it found */
#define DRIVER_SECONDS 30
#define DRIVER_MIB 4096
#define TIMING_SECONDS 240
#define FOLDER_KIB (64u << 10) /* of a run's folder, beside its results */

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

uint64_t cases_input_seed(uint32_t seed, const char *case_name, unsigned repetition)
{
    uint64_t name = text_hash(TEXT_HASH_START, case_name, strlen(case_name));
    return text_mix(text_mix(seed ^ name) + repetition);
}

/** Parameters of the case; of what is timed, its own come first. */
static void add_params(struct words *w, const struct command_choice *choice)
{
    const struct spec_performance *p = choice->speed;
    for (unsigned i = 0; p && i < p->params_count; i++) {
        add(w, text_dup("--param"));
        add(w, text_format("%s=%" PRId64, p->params[i].name, p->params[i].value));
    }
    for (unsigned i = 0; i < choice->spec_case->params_count; i++) {
        const struct spec_param *param = &choice->spec_case->params[i];
        bool given = false;
        for (unsigned k = 0; p && k < p->params_count; k++)
            given |= !strcmp(p->params[k].name, param->name);
        if (given)
            continue;
        add(w, text_dup("--param"));
        add(w, text_format("%s=%" PRId64, param->name, param->value));
    }
}

static void add_timing(struct words *w, const struct command *c, const struct case_runner *r,
                       const struct command_choice *choice)
{
    add(w, text_dup("--rounds"));
    add(w, text_format("%u", choice->speed->rounds));
    add(w, text_dup("--times"));
    add(w, text_dup(c->times));
    if (choice->reference)
        return;
    add(w, text_dup("--reference"));
    add(w, text_dup(r->build->reference));
}

/** What runs: the lab's original where the case is about that. */
static const char *code_of(const struct case_runner *r, const struct command_choice *choice)
{
    return choice->spec_case->places ? r->build->original
           : choice->reference       ? r->build->reference
                                     : r->build->student;
}

/** Is nothing of what runs the student's? */
static bool is_kits(const struct command_choice *choice)
{
    return choice->reference || choice->spec_case->places;
}

static char **make_argv(const struct command *c, const struct case_runner *r,
                        const struct command_choice *choice)
{
    const struct spec_case *k = choice->spec_case;
    struct words w = {text_zalloc(MAX_WORDS, sizeof(char *)), 0};
    const char *code = code_of(r, choice);
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
    add_params(&w, choice);
    if (r->gpu) {
        add(&w, text_dup("--about"));
        add(&w, text_dup(c->files.about));
    }
    if (choice->speed)
        add_timing(&w, c, r, choice);
    return w.list;
}

static struct words start_env(const char *folder)
{
    struct words w = {text_zalloc(MAX_WORDS, sizeof(char *)), 0};
    add(&w, text_dup("PATH=/usr/bin:/bin"));
    add(&w, text_dup("LC_ALL=C"));
    add(&w, text_format("HOME=%s", folder));
    add(&w, text_format("TMPDIR=%s", folder));
    add(&w, text_dup("SOFTGPU_CACHE=off")); /* nothing that a submission has had part in is kept for others */
    return w;
}

/** How many schedules are tried. What a lab requires may show in none but several: never fewer than it says there. */
static unsigned schedules_of(const struct case_runner *r, const struct spec_case *k)
{
    unsigned asked = (unsigned)r->options->schedules, own = k->schedules;
    for (unsigned i = 0; i < r->spec->properties_count; i++)
        if (asked && asked < own && !strcmp(r->spec->properties[i].case_name, k->name))
            asked = own;
    return asked ? asked : own;
}

/** What softgpu is to do, for whichever process it runs in. */
static void add_softgpu(struct words *w, const struct command *c, const struct case_runner *r,
                        const struct command_choice *choice)
{
    add(w, text_format("SOFTGPU_CHECK=%s", choice->reference ? "none" : "all"));
    add(w, text_format("SOFTGPU_SEED=%" PRIu64, choice->device_seed));
    if (r->spec->devices > 1)
        add(w, text_format("SOFTGPU_DEVICES=%d", r->spec->devices));
    add(w, text_format("SOFTGPU_STEP_LIMIT=%" PRIu64,
                       spec_case_limits(r->spec, choice->spec_case).steps));
    enum spec_exhaustive exhaustive = choice->spec_case->exhaustive;
    if (exhaustive == SPEC_BOTH || (exhaustive == SPEC_REFERENCE && choice->reference)) {
        add(w, text_dup("SOFTGPU_EXHAUSTIVE=1"));
        if (choice->reference) /* where the harness reads the outcomes */
            add(w, text_format("SOFTGPU_JSON=%s", c->files.findings));
    }
    if (!choice->reference) {
        add(w, text_format("SOFTGPU_JSON=%s", c->files.findings));
        add(w, text_dup("SOFTGPU_JSON_END=1"));
        add(w, text_format("SOFTGPU_SCHEDULES=%u", schedules_of(r, choice->spec_case)));
    }
    add(w, text_format("SOFTGPU_COUNTERS=%s", c->files.counters));
    if (r->build->ptx && !choice->reference)
        add(w, text_format("SOFTGPU_PTX=%s", r->build->ptx));
    if (r->spec->code == SPEC_HOST)
        add(w, text_format("SOFTGPU_TIMELINE=%s", c->files.timeline));
}

static char **make_env(const struct command *c, const struct case_runner *r,
                       const struct command_choice *choice)
{
    struct words w = start_env(c->files.folder);
    if (r->gpu) {
        add(&w, text_format("LD_LIBRARY_PATH=%s", r->gpu->search));
        add(&w, text_dup("CUDA_CACHE_DISABLE=1")); /* what one run compiles no other must see */
        add(&w, text_dup("CUDA_MODULE_LOADING=EAGER")); /* nothing is loaded while time runs */
        add(&w, text_dup("SOFTGPU_CHECK=none")); /* where softgpu stands in for a GPU */
        return w.list;
    }
    add(&w, text_format("LD_LIBRARY_PATH=%s", choice->reference && choice->together ? r->build->own_library : r->build->library));
    if (!c->device.folder)
        add_softgpu(&w, c, r, choice);
    else if (!choice->devices)
        add(&w, text_format("SOFTGPU_REMOTE=%d", c->device.sockets[0]));
    return w.list;
}

/** The process that plays the device for a program that is not trusted. */
static void make_device(struct command *c, const struct case_runner *r,
                        const struct command_choice *choice)
{
    const char *program = code_of(r, choice);
    struct words argv = {text_zalloc(MAX_WORDS, sizeof(char *)), 0};
    struct words env = start_env(c->device.folder);
    add(&argv, text_dup(r->build->server));
    add(&argv, text_dup("--serve"));
    add(&argv, text_format("%d,%d", c->device.sockets[1], c->device.lifeline[0]));
    add(&argv, text_dup(program));
    add_softgpu(&env, c, r, choice);
    c->device.argv = argv.list;
    c->device.env = env.list;
    c->device.limits = c->limits;
    c->device.limits.seconds += DEVICE_END_SECONDS;
    c->device.limits.processes = 512; /* threads count: one for each of the program's */
    /* Memory that both have is made of files; what it writes is bounded by its own rules. */
    if (c->device.limits.file_kib < c->limits.memory_mib << 10)
        c->device.limits.file_kib = c->limits.memory_mib << 10;
    c->device.view = (struct sandbox_view){.read = {r->build->server, program, choice->reference ? NULL : r->build->ptx},
                                           .write = {c->device.folder},
                                           .own = is_kits(choice)};
}

bool command_connect(int sockets[2], int lifeline[2])
{
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0 && pipe2(lifeline, O_CLOEXEC) == 0;
}

/** The program's folder, and the device's beside it if it has a process of its own. */
static void make_folders(struct command *c, const struct case_runner *r, const struct command_choice *choice)
{
    char *folder = text_format("%s/%s%d", choice->together ? choice->together : r->scratch, r->gpu ? "gpu" : "run", choice->number);
    bool ok = text_make_dirs(folder);
    c->files.folder = folder;
    if (choice->devices) {
        c->device.folder = text_format("%s/run%d", choice->devices, choice->number);
        ok = ok && text_make_dirs(c->device.folder);
    } else if (r->build->server && !r->gpu && !choice->together) {
        c->device.folder = text_format("%s.device", folder);
        ok = ok && text_make_dirs(c->device.folder) && command_connect(c->device.sockets, c->device.lifeline);
    }
    if (!ok)
        abort();
}

/** The driver takes its own time and memory, beyond what a lab's limits are about. */
static void widen_for_gpu(struct child_limits *l, bool timed)
{
    l->seconds += timed ? TIMING_SECONDS : DRIVER_SECONDS;
    l->cpu_seconds += timed ? TIMING_SECONDS : DRIVER_SECONDS;
    l->memory_mib += DRIVER_MIB;
}

/** More schedules than the spec asks for take that much more time. */
static unsigned times_schedules(const struct case_runner *r, const struct spec_case *k)
{
    unsigned asked = (unsigned)r->options->schedules, own = k->schedules ? k->schedules : 1;
    return asked > own && !r->gpu ? (asked + own - 1) / own : 1;
}

void command_make(struct command *c, const struct case_runner *r,
                  const struct command_choice *choice)
{
    struct spec_limits l = spec_case_limits(r->spec, choice->spec_case);
    *c = (struct command){0};
    make_folders(c, r, choice);
    char *folder = c->files.folder;
    const char *of_softgpu = c->device.folder ? c->device.folder : folder;
    c->files = (struct run_files){
        .folder = folder,
        .result = text_format("%s/result", folder),
        .findings = text_format("%s/findings.jsonl", of_softgpu),
        .counters = text_format("%s/counters.json", of_softgpu),
        .timeline = text_format("%s/timeline.json", of_softgpu),
        .about = text_format("%s/about.json", folder),
    };
    c->times = text_format("%s/times.json", folder);
    c->limits = (struct child_limits){
        .seconds = (double)l.seconds * times_schedules(r, choice->spec_case),
        .cpu_seconds = 2 * l.seconds * times_schedules(r, choice->spec_case),
        .memory_mib = l.bytes,
        .file_kib = l.result,
        .output_kib = l.output,
        .processes = 64,
        .disk_kib = l.result * (choice->speed ? 4 * choice->speed->rounds : 4) + FOLDER_KIB,
    };
    if (r->gpu)
        widen_for_gpu(&c->limits, choice->speed != NULL);
    /* Of the two only what runs: a student's code must not find the reference. */
    c->view = (struct sandbox_view){
        .read = {code_of(r, choice)},
        .write = {folder},
        .gpu = r->gpu != NULL,
        .untrusted = r->spec->code == SPEC_HOST && !r->gpu,
        .own = is_kits(choice)};
    int n = 1;
    if (r->spec->code != SPEC_HOST)
        c->view.read[n++] = r->build->harness;
    if (choice->speed && !choice->reference)
        c->view.read[n++] = r->build->reference; /* no host code of a student's runs there */
    if (!r->gpu)
        c->view.read[n++] = r->build->library;
    for (int i = 0; r->gpu && r->gpu->folders[i]; i++)
        c->view.read[n++] = r->gpu->folders[i];
    c->argv = make_argv(c, r, choice);
    c->env = make_env(c, r, choice);
    if (c->device.folder)
        make_device(c, r, choice);
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
    free_words(c->device.argv);
    free_words(c->device.env);
    free(c->device.folder);
    free(c->files.folder);
    free(c->files.result);
    free(c->files.findings);
    free(c->files.counters);
    free(c->files.timeline);
    free(c->files.about);
    free(c->times);
    *c = (struct command){0};
}
