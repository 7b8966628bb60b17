/**
 * @file reporter.c
 * Collects findings, counts repeats, and keeps the findings file true at every moment.
 *
 * A finding is appended to the file as soon as it is made, so that nothing is lost when the process is killed; reporter_flush()
 * rewrites the file with the final counts. Past options->max_findings distinct ones an error takes a warning's place, and an
 * `incomplete` line says once that some were left out. A line that cannot be written is told on stderr; then there is no closing record.
 */
#include "report/reporter.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options/options.h"
#include "report/json.h"
#include "report/mends.h"
#include "report/reporter_state.h"
#include "report/same_finding.h"
#include "report/words/words.h"

#define DEFAULT_MAX_FINDINGS 256

struct reporter *reporter_open(const struct options *options)
{
    struct reporter *r = calloc(1, sizeof *r);
    assert(r);
    pthread_mutex_init(&r->lock, NULL);
    r->seed = options->seed;
    r->max = options->max_findings ? options->max_findings : DEFAULT_MAX_FINDINGS;
    if (options->json_path) {
        r->path = strdup(options->json_path);
        r->closing = options->json_end;
        r->file = fopen(r->path, "w");
        if (!r->file)
            fprintf(stderr, "softgpu: cannot write findings to %s\n", r->path);
    }
    return r;
}

static void write_line(struct reporter *r, char *line)
{
    bool ok = line != NULL;
    if (r->file && line)
        ok = fputs(line, r->file) >= 0 && fputc('\n', r->file) != EOF && fflush(r->file) == 0;
    if (!ok && !r->lost)
        fprintf(stderr, "softgpu: findings are lost: cannot write to %s: %s\n",
                r->path ? r->path : "memory", strerror(errno));
    r->lost |= !ok;
    free(line);
}

/** Takes `line` over. */
static void add_line(struct reporter *r, char *line)
{
    assert(line);
    *LIST_PUSH(&r->lines) = line;
    write_line(r, strdup(line));
}

/** `kernel` NULL: it is about none; `what`: more to say, or "". */
static char *incomplete_line(enum incomplete_cause cause, const char *kernel, const char *what)
{
    char *line = NULL;
    const char *kind = finding_line_name(LINE_INCOMPLETE), *words = incomplete_words(cause);
    int length = kernel ? asprintf(&line, "{\"kind\":\"%s\",\"level\":\"info\",\"kernel\":\"%s\",\"message\":\"kernel %s: %s\"}", kind, kernel, kernel, words)
                        : asprintf(&line, "{\"kind\":\"%s\",\"level\":\"info\",\"message\":\"%s%s\"}", kind, words, what);
    return length < 0 ? NULL : line;
}

static void truncate_once(struct reporter *r)
{
    if (r->truncated)
        return;
    r->truncated = true;
    add_line(r, incomplete_line(INCOMPLETE_FINDINGS, NULL, ""));
}

void reporter_listen(struct reporter *r, void (*heard)(const struct finding *f))
{
    r->heard = heard;
}

void reporter_interrupt(struct reporter *r, void (*told)(const struct finding *f, const char *line))
{
    r->told = told;
}

static void tell(struct reporter *r, const struct finding *f)
{
    char *line = r->told ? finding_to_json(f, r->seed, 1) : NULL;
    if (line)
        r->told(f, line);
    free(line);
}

void entry_free(struct entry *e)
{
    for (int i = 0; i < e->finding.event_count; i++)
        free((char *)e->events[i].file);
    free(e->events);
    free(e->strings);
}

/** The same finding again: it is counted, and it takes the place of the first if it shows more, or is graver: what the first says may be what makes
 *  it less ("both write the same value"). */
static void repeat(struct reporter *r, struct entry *e, const struct finding *f)
{
    enum finding_level level = f->level > e->finding.level ? f->level : e->finding.level;
    e->count++;
    e->by_chance &= r->by_chance;
    bool graver = f->level > e->finding.level && !finding_phrase_doubts(&e->finding);
    if ((f->trail.shown && !e->finding.trail.shown) || finding_is_wider(f, &e->finding) || graver) {
        const struct finding was = e->finding;
        entry_free(e);
        *e = (struct entry){.finding = *f, .count = e->count, .by_chance = e->by_chance};
        e->strings = finding_own(&e->finding);
        mend_both(&e->finding, &was);
        tell(r, f);
    } else {
        mend_both(&e->finding, f);
    }
    e->finding.level = level;
    if (level == LEVEL_ERROR && finding_phrase_doubts(&e->finding))
        finding_phrase_bites(&e->finding); /* that is known of one of the two */
}

/** The list is full: the last entry that matters less than `f`, emptied; NULL if none does. */
static struct entry *displaced(struct reporter *r, const struct finding *f)
{
    for (int i = r->entries.count - 1; i >= 0; i--)
        if (r->entries.data[i].finding.level < f->level) {
            entry_free(&r->entries.data[i]);
            return &r->entries.data[i];
        }
    return NULL;
}

static void add(struct reporter *r, const struct finding *f)
{
    bool full = (uint64_t)r->entries.count >= r->max;
    struct entry *e = full ? displaced(r, f) : LIST_PUSH(&r->entries);
    if (full)
        truncate_once(r);
    if (!e)
        return;
    *e = (struct entry){.finding = *f, .count = 1, .by_chance = r->by_chance};
    e->strings = finding_own(&e->finding);
    write_line(r, finding_to_json(&e->finding, r->seed, e->count));
    if (r->heard)
        r->heard(f);
    tell(r, f);
}

void report_finding(struct reporter *r, struct finding *f)
{
    if (f->level == LEVEL_OF_KIND)
        f->level = finding_kinds[f->kind].level;
    finding_phrase(f);
    f->facts = (union finding_facts){0}; /* what they borrow ends with the call */
    pthread_mutex_lock(&r->lock);
    int i = 0;
    while (i < r->entries.count && !same_finding(&r->entries.data[i].finding, f))
        i++;
    if (!r->replay) {
        r->told_count++;
        r->conflicts += f->trail.known && !(f->kind == FIND_ORDERING && f->level == LEVEL_WARNING);
        i < r->entries.count ? repeat(r, &r->entries.data[i], f) : add(r, f);
    } else if (i < r->entries.count && same_trail(&r->entries.data[i].finding.trail, &f->trail)) {
        *LIST_PUSH(&r->recurred) = i;
    }
    pthread_mutex_unlock(&r->lock);
}

bool reporter_by_chance(struct reporter *r, bool on)
{
    bool was = r->by_chance;
    r->by_chance = on;
    return was;
}

uint64_t reporter_conflicts(const struct reporter *r)
{
    return r->conflicts;
}

uint64_t reporter_told(const struct reporter *r)
{
    return r->told_count;
}

int reporter_count(const struct reporter *r, enum finding_level level)
{
    int n = 0;
    for (int i = 0; i < r->entries.count; i++)
        n += r->entries.data[i].finding.level >= level && r->entries.data[i].count;
    return n;
}

void report_line(struct reporter *r, const char *json)
{
    pthread_mutex_lock(&r->lock);
    add_line(r, strdup(json));
    pthread_mutex_unlock(&r->lock);
}

static void add_incomplete(struct reporter *r, enum incomplete_cause cause, const char *kernel, const char *what)
{
    pthread_mutex_lock(&r->lock);
    r->told_count++;
    add_line(r, incomplete_line(cause, kernel, what));
    pthread_mutex_unlock(&r->lock);
}

void report_incomplete(struct reporter *r, enum incomplete_cause cause)
{
    add_incomplete(r, cause, NULL, "");
}

static void once(struct reporter *r, enum incomplete_cause cause, const char *kernel, const char *what)
{
    if (!r->incomplete_told[cause])
        add_incomplete(r, cause, kernel, what);
    r->incomplete_told[cause] = true;
}

void report_incomplete_of(struct reporter *r, enum incomplete_cause cause, const char *kernel)
{
    once(r, cause, kernel, "");
}

void report_incomplete_with(struct reporter *r, enum incomplete_cause cause, const char *what)
{
    once(r, cause, NULL, what);
}

void report_incomplete_once(struct reporter *r, enum incomplete_cause cause)
{
    report_incomplete_of(r, cause, NULL);
}

void reporter_flush(struct reporter *r)
{
    pthread_mutex_lock(&r->lock);
    if (r->file && fseek(r->file, 0, SEEK_SET) == 0) {
        compare_advice(r);
        for (int i = 0; i < r->entries.count; i++) {
            const struct entry *e = &r->entries.data[i];
            if (!e->count) /* reporter_unmark() */
                continue;
            write_line(r, finding_to_json(&e->finding, r->seed, e->count));
        }
        for (int i = 0; i < r->lines.count; i++)
            write_line(r, strdup(r->lines.data[i]));
        long end = ftell(r->file);
        if (end >= 0 && ftruncate(fileno(r->file), end) != 0)
            fprintf(stderr, "softgpu: cannot shorten %s\n", r->path);
    }
    pthread_mutex_unlock(&r->lock);
}

void reporter_detach(struct reporter *r)
{
    if (r->file)
        fclose(r->file); /* nothing is buffered */
    r->file = NULL;
    r->heard = NULL;
    r->told = NULL;
}

void reporter_end(struct reporter *r)
{
    reporter_flush(r);
    r->ended = true;
}

/** The last line: nothing is missing. */
static void write_end(struct reporter *r)
{
    if (r->ended && r->closing && r->file && !r->lost) {
        char line[128];
        snprintf(line, sizeof line,
                 "{\"kind\":\"%s\",\"level\":\"info\",\"lines\":%d,\"message\":\"the file is complete\"}",
                 finding_line_name(LINE_END), r->entries.count + r->lines.count);
        write_line(r, strdup(line));
    }
}

void reporter_close(struct reporter *r)
{
    if (!r)
        return;
    reporter_flush(r);
    write_end(r);
    if (r->file)
        fclose(r->file);
    for (int i = 0; i < r->entries.count; i++)
        entry_free(&r->entries.data[i]);
    for (int i = 0; i < r->lines.count; i++)
        free(r->lines.data[i]);
    LIST_FREE(&r->entries);
    LIST_FREE(&r->lines);
    LIST_FREE(&r->recurred);
    pthread_mutex_destroy(&r->lock);
    free(r->path);
    free(r);
}
