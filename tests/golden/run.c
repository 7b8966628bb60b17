/**
 * @file run.c
 * Golden cases of the executor: each NAME.ptx runs as NAME.expect beside it says, and must end and
 * leave memory as written there. Every case runs plain, observed, and in random and priority
 * schedules under several seeds: the outcome must be the same.
 */
#include <assert.h>
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "execute/grid_life.h"
#include "execute/machine.h"
#include "options/options.h"
#include "golden/case.h"
#include "report/finding.h"

/** One way to run a case. */
struct mode {
    const char *name;
    bool check;
    enum schedule_kind schedule;
    uint64_t seed;
    int threads;
    enum engine engine;
};

static const struct mode modes[] = {
    {"fast", false, SCHEDULE_NATURAL, 0, 1, ENGINE_INTERPRET},
    {"compiled", false, SCHEDULE_NATURAL, 0, 1, ENGINE_COMPILE}, /* after the one whose counts it must have */
    {"threads", false, SCHEDULE_NATURAL, 0, 4, ENGINE_COMPILE},
    {"observed", true, SCHEDULE_NATURAL, 0, 1, ENGINE_INTERPRET},
    {"random 1", true, SCHEDULE_RANDOM, 1, 1, ENGINE_INTERPRET}, {"random 2", true, SCHEDULE_RANDOM, 2, 1, ENGINE_INTERPRET},
    {"random 3", true, SCHEDULE_RANDOM, 3, 1, ENGINE_INTERPRET}, {"pct 1", true, SCHEDULE_PCT, 1, 1, ENGINE_INTERPRET},
    {"pct 2", true, SCHEDULE_PCT, 2, 1, ENGINE_INTERPRET},       {"pct 3", true, SCHEDULE_PCT, 3, 1, ENGINE_INTERPRET},
};

static bool complain(const struct test_case *c, const struct mode *m, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool complain(const struct test_case *c, const struct mode *m, const char *format, ...)
{
    va_list args;
    printf("%s (%s): ", c->name, m->name);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    return false;
}

static void make_buffers(struct test_case *c, struct machine *machine)
{
    for (int i = 0; i < c->buffer_count; i++) {
        struct buffer *b = &c->buffers[i];
        unsigned bytes = ptx_type_bytes(b->type);
        b->allocation =
            memory_alloc(machine_memory(machine), b->count * bytes, 0, ALLOC_DEVICE, NULL);
        assert(b->allocation);
        for (uint64_t j = 0; j < b->count; j++)
            memcpy(b->allocation->host + j * bytes, &b->initial[j], bytes);
    }
}

static void make_params(const struct test_case *c, const struct function *f, uint8_t params[4096])
{
    memset(params, 0, 4096);
    for (int i = 0; i < c->arg_count && i < f->param_count; i++) {
        uint64_t v = c->args[i].buffer >= 0 ? c->buffers[c->args[i].buffer].allocation->base
                                            : c->args[i].value;
        memcpy(params + f->params[i].offset, &v, f->params[i].bytes < 8 ? f->params[i].bytes : 8);
    }
}

static bool check_buffers(const struct test_case *c, const struct mode *m)
{
    for (int i = 0; i < c->buffer_count; i++) {
        const struct buffer *b = &c->buffers[i];
        unsigned bytes = ptx_type_bytes(b->type);
        for (uint64_t j = 0; j < b->expected_count; j++) {
            uint64_t v = 0;
            memcpy(&v, b->allocation->host + j * bytes, bytes);
            if (v != b->expected[j])
                return complain(c, m, "%s[%llu] is 0x%llx, expected 0x%llx", b->name,
                                (unsigned long long)j, (unsigned long long)v,
                                (unsigned long long)b->expected[j]);
        }
    }
    return true;
}

static bool check_findings(const struct test_case *c, const struct mode *m, const char *path)
{
    char want[96];
    size_t len = 0;
    char *text = read_file(path, &len);
    snprintf(want, sizeof want, "\"%s\"", c->finding);
    bool found = text && strstr(text, want);
    free(text);
    return !c->finding[0] || found || complain(c, m, "no finding %s", c->finding);
}

static bool check_end(const struct test_case *c, const struct mode *m, const struct grid *g)
{
    if (g->status != c->status)
        return complain(c, m, "ended %s: %s", status_names[g->status], grid_fault_message(g));
    if (!strstr(grid_fault_message(g), c->fault))
        return complain(c, m, "fault is: %s", grid_fault_message(g));
    for (int i = 0; m->check && m->schedule == SCHEDULE_NATURAL && i < c->counter_count; i++)
        if (g->counters[c->counters[i].counter] != c->counters[i].value)
            return complain(c, m, "counter %d is %llu", c->counters[i].counter,
                            (unsigned long long)g->counters[c->counters[i].counter]);
    return true;
}

/** Machine code must cost what the interpreter's run costs, to the last instruction. */
static bool check_cost(struct test_case *c, const struct mode *m, const struct grid *g)
{
    uint64_t cost[4] = {g->instructions, g->lane_instructions, g->loads, g->moved};
    if (m->check || m->threads > 1)
        return true;
    if (m->engine == ENGINE_INTERPRET)
        memcpy(c->cost, cost, sizeof cost);
    for (int i = 0; i < 4; i++)
        if (cost[i] != c->cost[i])
            return complain(c, m, "cost %d is %llu, interpreted %llu", i, (unsigned long long)cost[i],
                            (unsigned long long)c->cost[i]);
    return true;
}

static bool launch(struct test_case *c, const struct mode *m, struct machine *machine,
                   struct image *im)
{
    uint8_t params[4096];
    struct function *f = image_function(im, c->kernel);
    if (!f || f->param_bytes > sizeof params)
        return complain(c, m, "no kernel %s", c->kernel);
    make_buffers(c, machine);
    make_params(c, f, params);
    struct grid_config config = {.kernel = f, .dynamic_shared = c->shared, .params = params,
                                 .cooperative = c->cooperative, .op = 1};
    memcpy(config.grid, c->grid, sizeof c->grid);
    memcpy(config.cluster, c->cluster, sizeof c->cluster);
    memcpy(config.block, c->block, sizeof c->block);
    machine_set_schedule(machine, m->schedule, m->seed);
    struct grid *g = grid_start(machine, &config);
    while (g->status == GRID_RUNNING)
        if (machine_step(machine, 100000) == STEP_STUCK)
            grid_abort(g, GRID_DEADLOCK);
    bool ok = check_end(c, m, g) && check_buffers(c, m) && check_cost(c, m, g);
    grid_destroy(g);
    return ok;
}

static bool run_mode(struct test_case *c, const struct mode *m, const char *ptx, size_t len)
{
    char *text = NULL, path[] = "/tmp/golden-XXXXXX";
    size_t text_len = 0;
    struct diag d = {0};
    int fd = mkstemp(path);
    assert(fd >= 0);
    FILE *out = open_memstream(&text, &text_len);
    struct options o = {.device = c->device, .check = m->check, .check_list = "none",
                        .counters = m->check, .engine = m->engine, .seed = m->seed, .schedules = 1,
                        .threads = m->threads, .step_limit = c->steps, .json_path = path,
                        .max_findings = 100, .out = out};
    struct machine *machine = machine_create(&o);
    compile_attach(machine);
    struct image *im = machine_load(machine, c->name, ptx, len, &d);
    bool ok = im ? launch(c, m, machine, im) : complain(c, m, "line %d: %s", d.line, d.message);
    machine_destroy(machine);
    fclose(out);
    ok = ok && check_findings(c, m, path);
    if (ok && strcmp(text, c->out) != 0)
        ok = complain(c, m, "printed \"%s\"", text);
    free(text);
    fclose(fdopen(fd, "r"));
    remove(path);
    return ok;
}

/** Runs every case in the folder; arguments pick some by a part of their name. */
int main(int argc, char **argv)
{
    const char *folder = getenv("GOLDEN") ? getenv("GOLDEN") : "tests/golden";
    char pattern[512];
    int passed = 0, failed = 0;
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/*.expect", folder);
    if (glob(pattern, 0, NULL, &found) != 0) {
        fprintf(stderr, "no cases in %s\n", folder);
        return 2;
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct test_case *c = malloc(sizeof *c);
        size_t len;
        read_case(c, found.gl_pathv[i]);
        char path[160];
        snprintf(path, sizeof path, "%.140s.ptx", c->name);
        char *ptx = read_file(path, &len);
        bool wanted = argc < 2;
        for (int a = 1; a < argc; a++)
            wanted |= strstr(c->name, argv[a]) != NULL;
        for (size_t m = 0; ptx && wanted && m < sizeof modes / sizeof *modes; m++)
            if (!c->natural_only || modes[m].schedule == SCHEDULE_NATURAL)
                run_mode(c, &modes[m], ptx, len) ? passed++ : failed++;
        if (!ptx) {
            printf("%s: no .ptx beside it\n", c->name);
            failed++;
        }
        for (int b = 0; b < c->buffer_count; b++) {
            free(c->buffers[b].initial);
            free(c->buffers[b].expected);
        }
        free(ptx);
        free(c);
    }
    globfree(&found);
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0 || passed == 0;
}
