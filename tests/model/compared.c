/**
 * @file compared.c
 * See compared.h.
 */
#include "compared.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check/checkers.h"
#include "execute/grid_life.h"
#include "execute/machine.h"
#include "model/verdict.h"
#include "options/options.h"
#include "report/reporter.h"
#include "rerun/rerun.h"
#include "sequential.h"

#include <jansson.h>

#define SEEDS 2
#define MAX_OUTCOMES (1 << 18)
#define SHOWN compared_setting("MODEL_SHOWN", 4)         /* of the kernels that fail */

long compared_setting(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

/* ---- What the model says ---- */

struct judged {
    const struct litmus *litmus;
    bool races;
};

static void look_for_races(void *self, const struct model_outcome *o)
{
    struct judged *j = self;
    struct model_pair pair;
    j->races |= execution_races(o->execution, o->relations, &pair);
}

static bool races(struct litmus *l)
{
    struct judged j = {.litmus = l};
    struct model_program p = litmus_program(l);
    model_enumerate(&p, &(struct model_limits){0}, look_for_races, &j);
    return j.races;
}

/** Lines of `all` that are not in `some`. */
static bool has_more(const char *all, const char *some)
{
    char copy[MAX_OUTCOMES], line[128], *save = NULL;
    char among[MAX_OUTCOMES + 2];
    snprintf(copy, sizeof copy, "%s", all);
    snprintf(among, sizeof among, "\n%s\n", some);
    for (char *s = strtok_r(copy, "\n", &save); s; s = strtok_r(NULL, "\n", &save)) {
        snprintf(line, sizeof line, "\n%s\n", s);
        if (!strstr(among, line))
            return true;
    }
    return false;
}

/* ---- Kernels on softgpu ---- */

/** A machine, with the memory that kernels use. */
struct device {
    struct options options;
    struct machine *machine;
    struct image *image;
    uint64_t op, params[2];
    uint8_t *host[2];
    int file;                     /**< what --exhaustive writes; -1: nothing */
};

static void open_device(struct device *d, bool exhaustive)
{
    static char path[64];
    memset(d, 0, sizeof *d);
    options_default(&d->options);
    d->options.check = true;    /* someone watches accesses */
    d->options.exhaustive = exhaustive;
    d->options.max_findings = 1000000;
    strcpy(d->options.check_list, exhaustive ? "deadlock" : "race,deadlock");
    d->file = -1;
    if (exhaustive) {
        d->file = memfd_create("findings", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", d->file);
        d->options.json_path = path;
    }
    d->options.out = stdout;
    if (!exhaustive)
        d->options.json_path = getenv("MODEL_JSON");
    d->machine = machine_create(&d->options);
    checkers_open(d->machine);
    for (int i = 0; i < 2; i++) {
        struct allocation *a = memory_alloc(machine_memory(d->machine), 4 * LITMUS_REGISTERS, 0, ALLOC_DEVICE, NULL);
        a->number = i;
        d->params[i] = a->base;
        d->host[i] = a->host;
    }
}

static void close_device(struct device *d)
{
    machine_destroy(d->machine);
    if (d->file >= 0)
        close(d->file);
}

static void load(struct device *d, const char *ptx)
{
    struct diag diag = {0};
    d->image = machine_load(d->machine, "kernels", ptx, strlen(ptx), &diag);
    if (!d->image) {
        fprintf(stderr, "line %d: %s\n", diag.line, diag.message);
        abort();
    }
}

/** Launches a kernel on zeroed memory, behind all that was launched before. */
static void launch(struct device *d, const char *name, const struct litmus *l, enum litmus_layout layout)
{
    struct op_set before = {.floor = ++d->op};
    struct grid_config c = {.kernel = image_function(d->image, name), .grid = {1, 1, 1}, .block = {1, 1, 1},
                            .params = d->params, .op = d->op, .before = &before};
    litmus_shape(l, layout, &c.grid[0], &c.block[0]);
    for (int i = 0; i < 3 && l->cluster_blocks > 1; i++)
        c.cluster[i] = i ? 1 : (uint32_t)l->cluster_blocks;
    for (int i = 0; i < 2; i++)
        memset(d->host[i], 0, 4 * LITMUS_REGISTERS);
    struct rerun *r = rerun_open(&d->options);
    grid_destroy(rerun_launch(r, d->machine, &c));
    rerun_close(r);
}

static uint64_t word(const json_t *memory, const char *object, int at)
{
    return (uint64_t)json_integer_value(json_array_get(json_object_get(memory, object), (size_t)at)) & UINT32_MAX;
}

/** The outcomes that --exhaustive tells, written as litmus.h does; false if it was not complete. */
static bool exhaustive_outcomes(struct device *d, const char *name, const struct litmus *l, enum litmus_layout layout,
                                char *out, size_t size)
{
    static char text[1 << 24];
    struct litmus_lines lines = {0};
    off_t from = lseek(d->file, 0, SEEK_END);
    bool complete = true;
    int keep = dup(1), none = open("/dev/null", O_WRONLY);
    fflush(stdout);
    dup2(none, 1);    /* the tables */
    launch(d, name, l, layout);
    fflush(stdout);
    dup2(keep, 1);
    close(keep);
    close(none);
    ssize_t n = pread(d->file, text, sizeof text - 1, from);
    text[n > 0 ? n : 0] = 0;
    char *save = NULL;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        json_t *j = json_loads(line, 0, NULL);
        const char *kind = json_string_value(json_object_get(j, "kind"));
        complete &= kind && strcmp(kind, "incomplete") != 0;
        uint64_t final[MODEL_LOCATIONS] = {0};
        for (int i = 0; i < LITMUS_REGISTERS + 4; i++)
            final[i] = i < 4 ? word(json_object_get(j, "memory"), "alloc0", i)
                             : word(json_object_get(j, "memory"), "alloc1", i - 4);
        if (kind && !strcmp(kind, "outcome"))
            litmus_add(&lines, l, final, json_is_true(json_object_get(j, "hangs")));
        json_decref(j);
    }
    litmus_lines_write(&lines, out, size);
    return complete;
}

/* ---- The comparison ---- */

/** The first lines of `all` that are not in `some`. */
static void show_more(const char *all, const char *some, const char *how)
{
    char copy[MAX_OUTCOMES], *save = NULL;
    int shown = 0;
    snprintf(copy, sizeof copy, "%s", all);
    for (char *s = strtok_r(copy, "\n", &save); s && shown < 6; s = strtok_r(NULL, "\n", &save))
        if (has_more(s, some))
            shown += fprintf(stderr, "  %s: %s\n", how, s) > 0;
}

static void fail(const struct compared_kernel *k, struct compared_counts *counts, const char *what, const char *expected, const char *got)
{
    if (counts->failed++ < SHOWN) {
        fprintf(stderr, "\n%s (%s): %s\n%s\n", k->name, k->layout == LITMUS_LANES ? "lanes" : "warps", what, k->text);
        show_more(expected, got, "only the first has");
        show_more(got, expected, "only the second has");
    }
}

static void compare(struct compared_kernel *k, struct device *ordinary, struct device *all, struct compared_counts *counts)
{
    static char model[MAX_OUTCOMES], exhaustive[MAX_OUTCOMES], sequential[MAX_OUTCOMES];
    if (litmus_outcomes(&k->litmus, model, sizeof model) < 0) {
        fail(k, counts, "the model is not complete", "", "");
        return;
    }
    bool complete = exhaustive_outcomes(all, k->name, &k->litmus, k->layout, exhaustive, sizeof exhaustive);
    if (!complete || strcmp(model, exhaustive))
        fail(k, counts, complete ? "the model and --exhaustive differ" : "--exhaustive is not complete", model, exhaustive);
    sequential_outcomes(&k->litmus, sequential, sizeof sequential);
    if (has_more(sequential, model))
        fail(k, counts, "an interleaving that the model does not have", model, sequential);
    bool racy = races(&k->litmus), hangs = strstr(model, "hangs"), odd = has_more(model, sequential);
    racy || odd || hangs ? counts->told++ : counts->silent++;
    for (long seed = 1; seed <= compared_setting("MODEL_SEEDS", SEEDS); seed++) {
        struct reporter *r = machine_reporter(ordinary->machine);
        uint64_t before = reporter_conflicts(r), before_told = reporter_told(r);
        int told = reporter_count(r, LEVEL_WARNING);
        ordinary->options.seed = (uint64_t)seed;
        launch(ordinary, k->name, &k->litmus, k->layout);
        bool found = reporter_conflicts(r) > before, warned = reporter_count(r, LEVEL_WARNING) > told;
        bool right = !racy && !odd && !hangs;
        found |= hangs && reporter_told(r) > before_told;
        if (right ? found || warned : !found) {
            fail(k, counts, found ? "told off, though it is right" : right ? "warned, though it is right" : racy ? "a race is not told" :
                 odd ? "an order is not told" : "an endless wait is not told",
                 model, sequential);
            break;
        }
    }
}

static char *module_of(struct compared_kernel *kernels, int count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    fputs(LITMUS_PTX_HEADER, out);
    for (int i = 0; i < count; i++)
        litmus_ptx(out, &kernels[i].litmus, kernels[i].layout, kernels[i].name);
    fclose(out);
    return text;
}

void compared_all(struct compared_kernel *kernels, int count, struct compared_counts *counts)
{
    struct device ordinary, all;
    char *ptx = module_of(kernels, count);
    open_device(&ordinary, false);
    open_device(&all, true);
    load(&ordinary, ptx);
    load(&all, ptx);
    for (int i = 0; i < count; i++)
        compare(&kernels[i], &ordinary, &all, counts);
    close_device(&ordinary);
    close_device(&all);
    free(ptx);
}

