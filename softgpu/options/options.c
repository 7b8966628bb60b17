/**
 * @file options.c
 * The option table and its readers.
 */
#include "options/options.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Names of checkers, as in the list after --check. */
static const char *const checker_names[] = {
#define CHECKER(name, symbol) #name,
#include "options/check_names.def"
#undef CHECKER
};

/** Name of the i-th checker that `--check` knows, NULL past the last. */
static const char *checker_name_at(int i)
{
    return i < (int)(sizeof checker_names / sizeof checker_names[0]) ? checker_names[i] : NULL;
}

/** A number from 0 to `max`, decimal or 0x…. */
static bool read_number(const char *text, uint64_t max, uint64_t *value)
{
    char *end;
    errno = 0;
    if (*text == '-' || *text == '\0')
        return false;
    *value = strtoull(text, &end, 0);
    return errno == 0 && *end == '\0' && *value <= max;
}

/** "all", "none", or names of checkers separated by commas. */
static bool known_checks(const char *list)
{
    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',') {
        size_t len = strcspn(at, ",");
        bool known = (len == 3 && !strncmp(at, "all", 3)) || (len == 4 && !strncmp(at, "none", 4));
        for (int i = 0; !known && checker_name_at(i); i++)
            known = strlen(checker_name_at(i)) == len && !strncmp(at, checker_name_at(i), len);
        if (!known)
            return false;
    }
    return *list != '\0';
}

static bool set_check(struct options *o, const char *v)
{
    if (strlen(v) >= sizeof o->check_list || !known_checks(v))
        return false;
    snprintf(o->check_list, sizeof o->check_list, "%s", v);
    o->check = strcmp(v, "none") != 0;
    return true;
}

static bool set_seed(struct options *o, const char *v)
{
    return read_number(v, UINT64_MAX, &o->seed);
}

static bool set_schedules(struct options *o, const char *v)
{
    uint64_t n;
    if (!read_number(v, 100000, &n) || n == 0)
        return false;
    o->schedules = (int)n;
    return true;
}

static bool is_off(const char *v)
{
    return !strcmp(v, "0") || !strcmp(v, "no") || *v == '\0';
}

static bool set_exhaustive(struct options *o, const char *v)
{
    o->exhaustive = !is_off(v);
    return true;
}

static bool set_device(struct options *o, const char *v)
{
    o->device = device_model_find(v);
    return o->device != NULL;
}

static bool set_devices(struct options *o, const char *v)
{
    uint64_t n;
    if (!read_number(v, MAX_DEVICES, &n) || n == 0)
        return false;
    o->devices = (int)n;
    return true;
}

static bool set_json(struct options *o, const char *v)
{
    o->json_path = *v ? v : NULL;
    return true;
}

static bool set_json_end(struct options *o, const char *v)
{
    o->json_end = !is_off(v);
    return true;
}

static bool set_timeline(struct options *o, const char *v)
{
    o->timeline_path = *v ? v : NULL;
    return true;
}

static bool set_draw(struct options *o, const char *v)
{
    o->draw_path = *v ? v : NULL;
    return true;
}

static bool set_counters(struct options *o, const char *v)
{
    o->counters = !is_off(v);
    o->counters_path = o->counters && strcmp(v, "1") ? v : NULL;
    return true;
}

static bool set_threads(struct options *o, const char *v)
{
    uint64_t n;
    if (!read_number(v, 1024, &n))
        return false;
    o->threads = (int)n;
    return true;
}

static bool set_steps(struct options *o, const char *v)
{
    return read_number(v, UINT64_MAX, &o->step_limit);
}

static bool set_findings(struct options *o, const char *v)
{
    return read_number(v, 1 << 20, &o->max_findings);
}

static bool set_progress(struct options *o, const char *v)
{
    return read_number(v, 1000000, &o->progress);
}

static bool set_engine(struct options *o, const char *v)
{
    static const char *const names[] = {[ENGINE_AUTO] = "auto", [ENGINE_INTERPRET] = "interpret", [ENGINE_COMPILE] = "compile"};
    for (int i = 0; i <= ENGINE_COMPILE; i++)
        if (!strcmp(v, names[i])) {
            o->engine = (enum engine)i;
            return true;
        }
    return false;
}

static bool set_cache(struct options *o, const char *v)
{
    o->cache = *v ? v : NULL;
    return !*v || *v == '/' || !strcmp(v, "off");
}

static bool set_dump(struct options *o, const char *v)
{
    if (strcmp(v, "tokens") && strcmp(v, "module") && strcmp(v, "code") && strcmp(v, "trace"))
        return false;
    snprintf(o->dump, sizeof o->dump, "%s", v);
    o->trace = !strcmp(v, "trace");
    return true;
}

static const struct entry {
    struct option_row row;
    bool (*set)(struct options *o, const char *value);
    const char *allowed;
} table[] = {
    {{"--check", "SOFTGPU_CHECK", "LIST", "all, none, or checkers separated by commas"}, set_check,
     "all, none, or some of "
#define CHECKER(name, symbol) #name " "
#include "options/check_names.def"
#undef CHECKER
    },
    {{"--seed", "SOFTGPU_SEED", "N", "fixes every choice of a run"}, set_seed, "a number"},
    {{"--schedules", "SOFTGPU_SCHEDULES", "N",
      "runs of each launch, the first in natural order; unsaid: 3 for short ones"},
     set_schedules, "1 to 100000"},
    {{"--exhaustive", "SOFTGPU_EXHAUSTIVE", NULL, "run tiny kernels in every way the model allows"},
     set_exhaustive, ""},
    {{"--draw", "SOFTGPU_DRAW", "FILE", "with --exhaustive: draw an execution of each outcome; .html: a page"},
     set_draw, ""},
    {{"--device", "SOFTGPU_DEVICE", "NAME", "the device to play"}, set_device,
     "t4, a100, h100, h200, b200 or rtx5090"},
    {{"--devices", "SOFTGPU_DEVICES", "N", "how many such devices the program has, all linked to each other; unsaid: 1"},
     set_devices, "1 to 8"},
    {{"--json", "SOFTGPU_JSON", "FILE", "write the findings there, one JSON object a line"},
     set_json, ""},
    {{"--json-end", "SOFTGPU_JSON_END", NULL, "close that file with a record that says it is complete"},
     set_json_end, ""},
    {{"--timeline", "SOFTGPU_TIMELINE", "FILE", "write the streams' timeline there"}, set_timeline,
     ""},
    {{"--counters", "SOFTGPU_COUNTERS", NULL, "count memory traffic, bank conflicts, barriers"},
     set_counters, ""},
    {{"--engine", "SOFTGPU_ENGINE", "NAME", "without checks: interpret; compile; auto: what takes long"},
     set_engine, "auto, interpret or compile"},
    {{"--cache", "SOFTGPU_CACHE", "DIR", "where machine code is kept; off: nowhere"}, set_cache, "an absolute path, or off"},
    {{"--threads", "SOFTGPU_THREADS", "N", "host threads, with checks runs at once; 0 = all"}, set_threads,
     "0 to 1024"},
    {{"--step-limit", "SOFTGPU_STEP_LIMIT", "N", "warp instructions a launch may take; 0 = any; unsaid: 2^31 in checked runs"},
     set_steps, "a number"},
    {{"--max-findings", "SOFTGPU_MAX_FINDINGS", "N", "distinct findings kept"}, set_findings,
     "a number up to 1048576"},
    {{"--progress", "SOFTGPU_PROGRESS", "SECONDS", "tell a terminal how far a launch is that takes longer; unsaid: 3"},
     set_progress, "a number"},
    {{"--dump", "SOFTGPU_DUMP", "STAGE", "tokens, module, code or trace, on stderr"}, set_dump,
     "tokens, module, code or trace"},
};

#define ROWS ((int)(sizeof table / sizeof table[0]))

const struct option_row *option_row(int i)
{
    return i < ROWS ? &table[i].row : NULL;
}

void options_default(struct options *o)
{
    memset(o, 0, sizeof *o);
    o->device = device_model_at(0);
    o->devices = 1;
    o->seed = 1;
    o->engine = ENGINE_AUTO;
    o->progress = 3;
    o->step_limit = STEPS_UNSAID;
    snprintf(o->check_list, sizeof o->check_list, "none");
}

bool option_set(struct options *o, const char *flag, const char *value, char *error,
                size_t error_size)
{
    for (int i = 0; i < ROWS; i++) {
        if (strcmp(table[i].row.flag, flag))
            continue;
        if (table[i].set(o, value))
            return true;
        snprintf(error, error_size, "%s cannot be '%.60s': it takes %s", flag, value,
                 table[i].allowed);
        return false;
    }
    snprintf(error, error_size, "unknown option '%.60s'", flag);
    return false;
}

bool options_from_env(struct options *o, char *error, size_t error_size)
{
    options_default(o);
    for (int i = 0; i < ROWS; i++) {
        const char *value = getenv(table[i].row.variable);
        if (value && !table[i].set(o, value)) {
            snprintf(error, error_size, "%s cannot be '%.60s': it takes %s", table[i].row.variable,
                     value, table[i].allowed);
            return false;
        }
    }
    o->check |= o->exhaustive; // the explorer watches accesses, also where no checker is asked for
    return true;
}
