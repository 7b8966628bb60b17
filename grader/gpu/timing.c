/**
 * @file timing.c
 * See timing.h.
 */
#include "gpu/timing.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "run/command.h"

#define WARM_UP 2 /* common/timing.c: rounds that are compared, but not timed */
#define MAX_TIMES (1u << 20)
#define FIRST_NUMBER 10000 /* of these runs' folders */

/** One of a session's processes. */
struct process {
    struct command command;
    struct child child;
    double us[2][101]; /**< by kernel (0) or reference (1) and round */
};

static void run(struct process *p, const struct case_runner *r, const struct command_choice *choice)
{
    struct sandboxed box;
    command_make(&p->command, r, choice);
    p->child = (struct child){.argv = p->command.argv,
                              .env = p->command.env,
                              .folder = p->command.files.folder,
                              .limits = p->command.limits};
    sandbox_enter(&box, &p->command.view, &p->child);
    child_run(&p->child);
    sandbox_leave(&box);
}

static void release(struct process *p)
{
    text_remove_tree(p->command.files.folder);
    command_free(&p->command);
    child_clear(&p->child);
}

/** Why a process gave no times, malloced; NULL if it ended as it should. */
static char *ending(const struct process *p)
{
    const struct child *c = &p->child;
    if (c->end == CHILD_EXITED && c->code == 0)
        return NULL;
    if (c->end == CHILD_TIME_LIMIT)
        return text_dup("the timed runs were not done in time");
    if (child_broke_limit(c))
        return text_dup("the timed runs broke a limit of memory or output");
    char *said = text_format("the timed runs ended early: %.300s", text_str(&c->err));
    text_clean(said);
    said[strcspn(said, "\n")] = 0;
    return said;
}

/** Every round once for each kernel, and nothing else. */
static bool read_times(struct process *p, unsigned rounds, bool both)
{
    const char *why;
    size_t len;
    char *text = text_read_file(p->command.times, MAX_TIMES, &len, &why);
    json_t *j = text ? json_loadb(text, len, 0, NULL) : NULL;
    const json_t *list = json_object_get(j, "times");
    bool ok = json_array_size(list) == rounds * (both ? 2u : 1u);
    memset(p->us, 0, sizeof p->us);
    for (size_t i = 0; ok && i < json_array_size(list); i++) {
        const char *which = NULL;
        int round = -1;
        double us = 0;
        ok = json_unpack(json_array_get(list, i), "{s:i, s:s, s:F}", "round", &round, "which",
                         &which, "us", &us) == 0 &&
             round >= 0 && round < (int)rounds && us > 0;
        double *at = ok ? &p->us[!strcmp(which, "reference")][round] : NULL;
        ok = ok && *at == 0;
        if (ok)
            *at = us;
    }
    json_decref(j);
    free(text);
    return ok;
}

/** One round's result of a process against the lone reference's, by the lab's rule; NULL if they
 *  match. `trouble` is set where the lone reference's cannot be read. */
static char *compare_round(const struct case_runner *r, const struct spec_case *c,
                           const struct process *alone, const struct process *p, unsigned round,
                           const char *which, char **trouble)
{
    struct result_file expected = {0}, got = {0};
    size_t max = (size_t)spec_case_limits(r->spec, c).result << 10;
    char *e = text_format("%s.%u.kernel", alone->command.files.result, round);
    char *g = text_format("%s.%u.%s", p->command.files.result, round, which);
    char *differs = NULL;
    const char *why = result_file_open(&expected, e, max);
    if (why)
        *trouble = text_format("the reference's result file %s", why);
    else if ((why = result_file_open(&got, g, max)))
        differs = text_format("its result file %s", why);
    else
        differs = compare_results(r->spec, c, &expected, &got);
    result_file_close(&expected);
    result_file_close(&got);
    free(e);
    free(g);
    return differs;
}

/** All results of a session, also of the rounds that are not timed. */
static enum timing_result compare_all(const struct case_runner *r, const struct spec_case *c,
                                      unsigned rounds, const struct process *joint,
                                      const struct process *alone, char **message)
{
    for (unsigned i = 0; i < rounds + WARM_UP; i++) {
        char *trouble = NULL, *why = compare_round(r, c, alone, joint, i, "kernel", &trouble);
        if (trouble) {
            *message = trouble;
            return TIMING_FAILED;
        }
        if (why) {
            *message = text_format("wrong while it was timed (round %u): %s", i, why);
            free(why);
            return TIMING_WRONG;
        }
        why = compare_round(r, c, alone, joint, i, "reference", &trouble);
        free(trouble);
        if (why) {
            *message =
                text_format("the reference was wrong beside this kernel (round %u): %s", i, why);
            free(why);
            return TIMING_FAILED;
        }
    }
    return TIMING_DONE;
}

static void keep(struct timing *m, unsigned rounds, const struct process *joint,
                 const struct process *alone)
{
    for (unsigned i = 0; i < rounds; i++, m->count++) {
        m->student[m->count] = joint->us[0][i];
        m->reference[m->count] = joint->us[1][i];
        m->ratio[m->count] = joint->us[0][i] / joint->us[1][i];
        m->alone[m->count] = alone->us[0][i];
    }
    m->sessions++;
}

enum timing_result timing_session(struct timing *m, const struct case_runner *r,
                                  const struct spec_performance *p, char **message)
{
    struct process joint = {0}, alone = {0};
    const struct spec_case *c = spec_find_case(r->spec, p->case_name);
    uint64_t seed = cases_input_seed(r->seed, p->title, (unsigned)m->sessions);
    struct command_choice choice = {
        .spec_case = c, .input_seed = seed, .speed = p, .number = FIRST_NUMBER + 2 * m->sessions};
    enum timing_result result = TIMING_FAILED;
    run(&joint, r, &choice);
    choice.reference = true;
    choice.number++;
    run(&alone, r, &choice);
    struct gpu_about about = {0};
    bool known = gpu_read_about(&about, alone.command.files.about);
    char *why = ending(&alone), *student = ending(&joint);
    free(about.name);
    m->bandwidth = about.bandwidth;
    if (why || !known || !read_times(&alone, p->rounds, false)) {
        *message =
            text_format("the reference could not be timed: %s", why ? why : "it left no times");
    } else if (student) {
        *message = text_dup(student);
        result =
            joint.child.end == CHILD_EXITED && joint.child.code != 3 ? TIMING_FAILED : TIMING_WRONG;
    } else if (!read_times(&joint, p->rounds, true)) {
        *message = text_dup("the timed runs left no times");
    } else {
        result = compare_all(r, c, p->rounds, &joint, &alone, message);
    }
    if (result == TIMING_DONE)
        keep(m, p->rounds, &joint, &alone);
    free(why);
    free(student);
    release(&joint);
    release(&alone);
    return result;
}

static double median(const double *values, int count)
{
    double copy[TIMING_MAX_SAMPLES];
    memcpy(copy, values, (size_t)count * sizeof *copy);
    return statistics_median(copy, count).median;
}

struct speed_measured timing_summary(const struct timing *m, const struct spec *s,
                                     const struct spec_performance *p)
{
    double ratios[TIMING_MAX_SAMPLES];
    double elements = (double)spec_performance_param(s, p, p->elements, NULL);
    memcpy(ratios, m->ratio, (size_t)m->count * sizeof *ratios);
    return (struct speed_measured){
        .ratio = statistics_median(ratios, m->count),
        .student = median(m->student, m->count),
        .reference = median(m->reference, m->count),
        .alone = median(m->alone, m->count),
        .floor = m->bandwidth > 0 ? elements * p->bytes_per_element / m->bandwidth * 1e6 : 0,
    };
}
