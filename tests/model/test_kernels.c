/**
 * @file test_kernels.c
 * Three answers about one random small kernel: the model of its litmus text, `--exhaustive` on its PTX, and the
 * findings of ordinary runs.
 *
 * The first two have the same outcomes. A kernel with an outcome that no interleaving has, or with a race in some
 * execution, gets a finding under every seed; one without either gets none. MODEL_KERNELS=N tries N kernels,
 * MODEL_FIRST=N begins at the N-th, MODEL_SEEDS=N runs each under N seeds.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mix.h"
#include "check/checkers.h"
#include "execute/grid_life.h"
#include "execute/machine.h"
#include "litmus_ptx.h"
#include "model/verdict.h"
#include "options/options.h"
#include "report/reporter.h"
#include "rerun/rerun.h"
#include "sequential.h"
#include "unit.h"

#include <jansson.h>

#define KERNELS 240
#define BATCH 60
#define SEEDS 2
#define MAX_TEXT 1024
#define MAX_OUTCOMES (1 << 18)
#define SHOWN setting("MODEL_SHOWN", 4)         /* of the kernels that fail */

static long setting(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

/* ---- Random programs ---- */

static uint64_t state;

static int draw(int below)
{
    state += MIX_STEP;
    return (int)(mix64(state) % (uint64_t)below);
}

static const char *pick(const char *const *words)
{
    int n = 0;
    while (words[n])
        n++;
    return words[draw(n)];
}

struct writing {
    char *text;
    size_t size, used;
    int registers, locations;
    bool barriers;
};

#define PUT(w, ...) ((w)->used += (size_t)snprintf((w)->text + (w)->used, (w)->size - (w)->used, __VA_ARGS__))

static void put_statement(struct writing *w, int *own, int left)
{
    static const char *const reads[] = {"weak", "rlx.cta", "rlx.gpu", "acq.gpu", "rlx.sys", "rlx.gpu", NULL};
    static const char *const writes[] = {"weak", "rlx.cta", "rlx.gpu", "rel.gpu", "rlx.sys", "rlx.gpu", NULL};
    static const char *const atomics[] = {"rlx.cta", "rlx.gpu", "acq.gpu", "rel.gpu", "acq_rel.gpu", "rlx.gpu", NULL};
    static const char *const fences[] = {"sc.gpu", "sc.gpu", "sc.cta", "acq_rel.gpu", "acq_rel.cta", NULL};
    char x = (char)('x' + draw(w->locations)), into = (char)('a' + w->registers);
    bool full = *own == 2 || w->registers == LITMUS_REGISTERS;
    int kind = draw(full ? 5 : 10);
    if (kind == 0 && left > 0 && *own && draw(2)) {
        PUT(w, "if %c 1", into - 1);
    } else if (kind == 0) {
        PUT(w, "F %s", pick(fences));
    } else if (kind == 1) {
        PUT(w, "red %c %d %s", x, 1 + draw(2), draw(2) ? "rlx.gpu" : "rel.gpu");
    } else if (kind <= 4) {
        if (*own && draw(3) == 0)
            PUT(w, "W %c %c %s", x, into - 1, pick(writes));
        else
            PUT(w, "W %c %d %s", x, 1 + draw(2), pick(writes));
    } else {
        if (kind <= 7)
            PUT(w, "R %c %c %s", x, into, pick(reads));
        else if (kind == 8)
            PUT(w, "add %c %d %c %s", x, draw(2), into, pick(atomics));
        else if (draw(2))
            PUT(w, "xchg %c %d %c %s", x, draw(3), into, pick(atomics));
        else
            PUT(w, "cas %c %d 2 %c %s", x, draw(2), into, pick(atomics));
        w->registers++;
        ++*own;
    }
}

static void random_program(char *text, size_t size, enum litmus_layout *layout)
{
    static const char *const places[] = {"", "", "B 0 0 1 1: ", "B 0 0 0 0: ", "B 0 1 1 0: ", NULL};
    struct writing w = {.text = text, .size = size, .locations = 1 + draw(3)};
    int threads = 2 + (draw(3) == 0) + (draw(8) == 0);
    const char *place = pick(places);
    w.barriers = !strncmp(place, "B 0 0 0", 7) && draw(2);
    *layout = w.barriers || draw(2) ? LITMUS_WARPS : LITMUS_LANES;
    PUT(&w, "%.*s%s", place[0] ? 1 + 2 * threads : 0, place, place[0] ? ": " : "");
    for (int t = 0; t < threads; t++) {
        int statements = 1 + draw(6 - threads), own = 0, barrier = w.barriers ? draw(statements + 1) : -1;
        PUT(&w, "%s", t ? " | " : "");
        for (int i = 0; i < statements; i++) {
            PUT(&w, "%s", i ? "; " : "");
            if (i == barrier)
                PUT(&w, "bar 0; ");
            put_statement(&w, &own, i == barrier - 1 ? 0 : statements - 1 - i);
        }
        if (barrier == statements)
            PUT(&w, "; bar 0");
    }
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
    strcpy(d->options.check_list, exhaustive ? "none" : "race");
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
    if (!exhaustive)
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
    static char text[1 << 22];
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

struct kernel {
    char text[MAX_TEXT], name[32];
    struct litmus litmus;
    enum litmus_layout layout;
};

static int failures;

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

static void fail(const struct kernel *k, const char *what, const char *expected, const char *got)
{
    if (failures++ < SHOWN) {
        fprintf(stderr, "\n%s (%s): %s\n%s\n", k->name, k->layout == LITMUS_LANES ? "lanes" : "warps", what, k->text);
        show_more(expected, got, "only the first has");
        show_more(got, expected, "only the second has");
    }
}

struct counts {
    int silent, told;
};

static void compare(struct kernel *k, struct device *ordinary, struct device *all, struct counts *counts)
{
    static char model[MAX_OUTCOMES], exhaustive[MAX_OUTCOMES], sequential[MAX_OUTCOMES];
    if (litmus_outcomes(&k->litmus, model, sizeof model) < 0) {
        fail(k, "the model is not complete", "", "");
        return;
    }
    bool complete = exhaustive_outcomes(all, k->name, &k->litmus, k->layout, exhaustive, sizeof exhaustive);
    if (!complete || strcmp(model, exhaustive))
        fail(k, complete ? "the model and --exhaustive differ" : "--exhaustive is not complete", model, exhaustive);
    sequential_outcomes(&k->litmus, sequential, sizeof sequential);
    if (has_more(sequential, model))
        fail(k, "an interleaving that the model does not have", model, sequential);
    bool racy = races(&k->litmus), odd = has_more(model, sequential);
    racy || odd ? counts->told++ : counts->silent++;
    for (long seed = 1; seed <= setting("MODEL_SEEDS", SEEDS); seed++) {
        struct reporter *r = machine_reporter(ordinary->machine);
        uint64_t before = reporter_conflicts(r);
        ordinary->options.seed = (uint64_t)seed;
        launch(ordinary, k->name, &k->litmus, k->layout);
        bool found = reporter_conflicts(r) > before;
        if (found != (racy || odd)) {
            fail(k, found ? "told off, though it is right" : racy ? "a race is not told" : "an order is not told", model,
                 sequential);
            break;
        }
    }
}

static char *module_of(struct kernel *kernels, int count)
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

static void make_kernel(struct kernel *k, long number)
{
    state = (uint64_t)number << 24;
    random_program(k->text, sizeof k->text, &k->layout);
    litmus_parse(&k->litmus, k->text);
    snprintf(k->name, sizeof k->name, "k%ld", number);
}

/** One module of kernels. */
static void compare_all(struct kernel *kernels, int count, struct counts *counts)
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

static void test_kernels(void)
{
    static struct kernel kernels[BATCH];
    long count = setting("MODEL_KERNELS", KERNELS), first = setting("MODEL_FIRST", 0);
    struct counts counts = {0};
    for (long done = 0; done < count; done += BATCH) {
        int n = count - done < BATCH ? (int)(count - done) : BATCH;
        for (int i = 0; i < n; i++)
            make_kernel(&kernels[i], first + done + i);
        compare_all(kernels, n, &counts);
    }
    fprintf(stderr, "%d kernels to be told, %d right ones; %d failures\n", counts.told, counts.silent, failures);
    CU_ASSERT_EQUAL(failures, 0);
    CU_ASSERT(counts.told >= count / 8 && counts.silent >= count / 8);
}

/** Kernels that were once judged wrongly: searches that were cut short, blocks with idle warps (missed); signals that
 *  nobody can tell from what was there before (told off). */
static void test_found(void)
{
    static const long numbers[] = {1000, 1181, 1221, 1293, 1553, 1582, 1589, 1731, 2482, 6354};
    static struct kernel kernels[BATCH];
    struct counts counts = {0};
    int n = (int)(sizeof numbers / sizeof numbers[0]);
    failures = 0;
    for (int i = 0; i < n; i++)
        make_kernel(&kernels[i], numbers[i]);
    compare_all(kernels, n, &counts);
    CU_ASSERT_EQUAL(failures, 0);
    CU_ASSERT_EQUAL(counts.told, 7);
    CU_ASSERT_EQUAL(counts.silent, 3);
}

UNIT_MAIN("model: kernels", {"random kernels", test_kernels}, {"found before", test_found})
