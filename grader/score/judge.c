/**
 * @file judge.c
 * The rules of a verdict; see judge.h. In order: what cannot be judged, then how the run ended, then
 * its result against the reference's, then the findings.
 */
#include "score/judge.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compare/compare.h"
#include "run/executions.h"
#include "run/findings.h"

enum harness_exit { HARNESS_OK = 0, HARNESS_CUDA_ERROR = 3 }; /* common/harness.h */

#define MAX_DETAIL 2000

/** The last line that a run printed on stderr and that is no continuation (indented), cleaned; ""
 *  if none. The caller frees. */
static char *last_line(const struct text *err)
{
    const char *last = "", *s = text_str(err);
    while (*s) {
        if (*s != ' ' && *s != '\t' && *s != '\n')
            last = s;
        s += strcspn(s, "\n");
        s += *s == '\n';
    }
    size_t n = strcspn(last, "\n");
    char *line = text_format("%.*s", n > 300 ? 300 : (int)n, last);
    text_clean(line);
    return line;
}

/** The device's process of a host-code lab must have ended as it should: its program cannot make it do
 *  otherwise, but for a limit, which counts as the program's own, and a kernel that does not end, for which it does
 *  not wait long (SIGALRM). NULL, or what happened. */
static char *device_trouble(const struct child *program)
{
    const struct child *c = program->companion;
    if (!c || child_broke_limit(c) || (c->end == CHILD_EXITED && c->code == 0) ||
        (c->end == CHILD_SIGNALLED && c->code == SIGALRM))
        return NULL;
    char *said = last_line(&c->err);
    char *why = text_format("the device's process %s %d%s%s",
                            c->end == CHILD_EXITED      ? "ended with status"
                            : c->end == CHILD_SIGNALLED ? "ended by signal"
                                                        : "could not be started: error",
                            c->code, *said ? ": " : "", said);
    free(said);
    return why;
}

static void keep_detail(struct record_case *c, const struct text *err)
{
    size_t len = err->len;
    if (!len || c->detail)
        return;
    c->detail = text_dup(text_str(err) + (len > MAX_DETAIL ? len - MAX_DETAIL : 0));
    text_clean(c->detail);
}

/** @param fault  of the kit: the student gets no score, and not none of the points */
static bool unjudged(struct record_case *c, bool fault, char *message)
{
    c->state = STATE_UNJUDGED;
    c->verdict = VERDICT_NONE;
    c->kit_fault = fault;
    free(c->message);
    c->message = message;
    return false;
}

/** How a run ended, in words; NULL if it ended by itself with status 0. */
static char *ending(const struct child *c, const struct spec_limits *l, enum verdict *verdict)
{
    *verdict = VERDICT_NO_RESULT;
    switch (c->end) {
    case CHILD_TIME_LIMIT:
        *verdict = VERDICT_TIME_LIMIT;
        return text_format("stopped: still running after %.0f s%s", c->limits.seconds,
                           c->busy > c->limits.seconds / 10
                               ? ": too slow to be judged, or a loop that never ends"
                           : c->waited > c->limits.seconds
                               ? ", most of the time without a processor: the machine is busy; grade it again later"
                           : c->companion ? ": your function waited on the host for what did not come"
                                          : ", in which it did nothing: what does it wait for?");
    case CHILD_MEMORY_LIMIT:
        *verdict = VERDICT_MEMORY_LIMIT;
        return text_format("stopped: it used more than %u MiB of memory", l->bytes);
    case CHILD_OUTPUT_LIMIT:
        *verdict = VERDICT_OUTPUT_LIMIT;
        return text_format("stopped: it wrote more than %u KiB (a printf in a kernel is done by each thread that comes there)",
                           l->output);
    case CHILD_PROCESS_LIMIT:
        *verdict = VERDICT_MEMORY_LIMIT;
        return text_dup("stopped: it started too many processes");
    case CHILD_DISK_LIMIT:
        *verdict = VERDICT_OUTPUT_LIMIT;
        return text_dup("stopped: it filled its folder");
    case CHILD_SIGNALLED:
        return text_format("ended by signal %d (%s)", c->code, strsignal(c->code));
    case CHILD_NOT_STARTED:
        return text_format("could not be started: %s", strerror(c->code));
    case CHILD_EXITED:
        break;
    }
    if (c->code == HARNESS_OK)
        return NULL;
    char *said = last_line(&c->err), *why;
    if (c->code == HARNESS_CUDA_ERROR)
        *verdict = VERDICT_CUDA_ERROR;
    why = *said ? text_dup(said) : text_format("ended with status %d and no word", c->code);
    free(said);
    return why;
}

/** Whether the way in which a run ended can be held against the student's code. In a kernel lab the
 *  harness is the grader's own: its usage errors and crashes are ours, or softgpu's. In a host-code
 *  lab the student's code is in the process, and the reference has come through the same harness. */
static bool is_students(const struct child *c, const struct spec *s)
{
    if (s->code == SPEC_HOST)
        return c->end != CHILD_NOT_STARTED;
    return child_broke_limit(c) ||
           (c->end == CHILD_EXITED && (c->code == HARNESS_OK || c->code == HARNESS_CUDA_ERROR));
}

/** NULL if the two results match; else what differs, and `verdict`. */
static char *compare_files(const struct judge *j, const struct run_pair *p,
                           const struct spec_limits *l, enum verdict *verdict, char **trouble)
{
    struct result_file expected = {0}, got = {0};
    size_t max = (size_t)l->result << 10;
    char *differs = NULL;
    const char *why = result_file_open(&expected, p->reference_files->result, max);
    if (why) {
        *trouble = text_format("the reference's result file %s", why);
    } else if ((why = result_file_open(&got, p->student_files->result, max))) {
        *verdict = VERDICT_NO_RESULT;
        differs = access(p->student_files->result, F_OK) == 0
                      ? text_format("no complete result: the result file %s", why)
                      : text_dup("the program ended before its results were there");
    } else {
        *verdict = VERDICT_WRONG_RESULT;
        differs = compare_results(j->spec, p->spec, &expected, &got);
    }
    result_file_close(&expected);
    result_file_close(&got);
    return differs;
}

/** Credit in percent of a case whose result is right and whose only errors have reduced credit. */
static int reduced_credit(const struct spec *s, const struct record_case *c)
{
    int credit = 100;
    for (int i = 0; i < c->findings_count; i++) {
        int percent = c->findings[i].level == RECORD_ERROR
                          ? s->credit.percent[c->findings[i].kind] : 100;
        credit = percent < credit ? percent : credit;
    }
    return credit;
}

/** Puts a run's findings into the record. Warnings of several runs are kept once a pair of lines. */
static void merge_findings(struct record_case *c, struct findings *f)
{
    for (int i = 0; i < f->count; i++) {
        struct record_finding *new = &f->list[i];
        bool known = false;
        for (int k = 0; k < c->findings_count; k++) {
            const struct record_finding *old = &c->findings[k];
            known |= old->kind == new->kind && old->accesses[0].line == new->accesses[0].line &&
                     old->accesses[1].line == new->accesses[1].line;
        }
        c->findings = realloc(c->findings, (size_t)(c->findings_count + 1) * sizeof *c->findings);
        if (!c->findings)
            abort();
        /* An error goes before the warnings of earlier runs. */
        int at = new->level == RECORD_ERROR ? 0 : c->findings_count;
        while (new->level == RECORD_ERROR && at < c->findings_count &&
               c->findings[at].level == RECORD_ERROR)
            at++;
        if (known && new->level == RECORD_WARNING) {
            record_finding_free(new);
            continue;
        }
        memmove(&c->findings[at + 1], &c->findings[at],
                (size_t)(c->findings_count - at) * sizeof *c->findings);
        c->findings[at] = *new;
        c->findings_count++;
    }
    f->count = 0;
}

static bool failed(const struct judge *j, struct record_case *c, char *message,
                   enum verdict verdict, bool result_right)
{
    c->state = STATE_FAIL;
    c->message = message;
    c->verdict = verdict;
    if (c->findings_count && c->findings[0].level == RECORD_ERROR) {
        c->verdict = c->findings[0].kind;
        /* The CUDA error is only how the finding reached the host; `detail` has its words. */
        if (verdict == VERDICT_CUDA_ERROR) {
            free(c->message);
            c->message = NULL;
        }
    }
    if (result_right)
        c->earned = c->points * reduced_credit(j->spec, c) / 100;
    return false;
}

/* Nothing of the two below may be better than failing: a submission can bring it about, by an instruction
 * that softgpu does not know, a full disk, a device's process that it ended. */

/** Why a run without an error finding says nothing about the code; NULL if it does. */
static char *blindness(const struct findings *f, const char *unreadable, const char *device)
{
    return unreadable       ? text_dup(unreadable)
           : f->unsupported ? text_format("softgpu cannot run this: %s", f->unsupported)
           : device         ? text_dup(device)
                            : NULL;
}

/** Why a right result without an error finding is not clean for all that; NULL if it is. */
static char *doubt(const struct findings *f)
{
    return f->incomplete  ? text_format("softgpu did not judge all of it: %s", f->incomplete)
           : !f->complete ? text_dup("softgpu's findings file lacks its closing record: findings may be "
                                     "lost (is the disk full?)")
                          : NULL;
}

/** The line of the spec that the harness's complaint is most likely about. */
static size_t line_to_blame(const struct spec_case *k, const char *why)
{
    size_t line = strstr(why, "distribution") ? k->distribution_line : k->params_line;
    return line ? line : k->line;
}

/** What the kit itself could not do, which no submission can bring about; NULL if all is well. */
static char *kit_trouble(const struct judge *j, const struct run_pair *p, const struct spec_limits *l)
{
    enum verdict verdict;
    if (p->student->end == CHILD_NOT_STARTED)
        return ending(p->student, l, &verdict);
    char *device = device_trouble(p->reference), *why = device ? NULL : ending(p->reference, l, &verdict);
    if (!why)
        return device;
    keep_detail(p->record, &p->reference->err);
    char *message = text_format("the reference did not finish: %s (%s:%zu, case %s)", why,
                                j->spec->shown, line_to_blame(p->spec, why), p->spec->name);
    free(why);
    return message;
}

/** With the execution that a prediction says there is not, where it is one. */
static char *explained(const struct run_pair *p, char *differs)
{
    char *why = p->spec->exhaustive == SPEC_REFERENCE ? executions_explain(p->reference_files->findings, differs) : NULL;
    char *both = why ? text_format("%s. %s", differs, why) : NULL;
    if (both)
        free(differs);
    free(why);
    return both ? both : differs;
}

/** Compares the results of a run that ended well. @param unsure  what speaks against passing, or NULL */
static bool judge_result(const struct judge *j, const struct run_pair *p, const struct spec_limits *l,
                         bool errors, const char *unsure)
{
    enum verdict verdict = VERDICT_NONE;
    char *trouble = NULL, *differs = compare_files(j, p, l, &verdict, &trouble);
    if (trouble)
        return unjudged(p->record, true, trouble);
    if (differs)
        return failed(j, p->record, explained(p, differs), verdict, false);
    if (errors)
        return failed(j, p->record, text_dup("right this time, but nothing ensures it"), VERDICT_NONE, true);
    if (unsure)
        return unjudged(p->record, false, text_dup(unsure));
    p->record->runs_passed++;
    return true;
}

static void keep_details(struct record_case *c, const struct child *student)
{
    keep_detail(c, &student->err);
    keep_detail(c, &student->out);
    if (student->companion) {
        keep_detail(c, &student->companion->err);
        keep_detail(c, &student->companion->out);
    }
}

bool judge_pair(const struct judge *j, const struct run_pair *p)
{
    struct record_case *c = p->record;
    struct spec_limits l = spec_case_limits(j->spec, p->spec);
    enum verdict verdict = VERDICT_NONE;
    struct findings f;
    struct trouble t = {0};
    const char *shown = strrchr(j->build->file, '/') ? strrchr(j->build->file, '/') + 1
                                                     : j->build->file;
    c->seconds = p->student->seconds > c->seconds ? p->student->seconds : c->seconds;
    char *why = kit_trouble(j, p, &l);
    if (why)
        return unjudged(c, true, why);
    keep_details(c, p->student);
    bool readable = findings_read(&f, p->student_files->findings, j->spec, j->build->source, shown,
                                  &t);
    char *device = device_trouble(p->student), *unsure = j->on_gpu ? NULL : doubt(&f);
    char *blind = f.errors ? NULL : blindness(&f, readable ? NULL : t.what, device);
    bool errors = f.errors > 0, open = false;
    merge_findings(c, &f);
    findings_free(&f);
    why = blind ? NULL : ending(p->student, &l, &verdict);
    if (why && !errors && !is_students(p->student, j->spec)) {
        blind = text_format("the harness %s", why);
        free(why);
    }
    if (blind)
        unjudged(c, false, blind);
    else if (why)
        failed(j, c, why, verdict, false);
    else
        open = judge_result(j, p, &l, errors, unsure);
    free(device);
    free(unsure);
    return open;
}
