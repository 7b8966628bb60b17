/**
 * @file reporter.c
 * Collects findings, counts repeats, and keeps the findings file true at every moment.
 *
 * A finding is appended to the file as soon as it is made, so that nothing is lost when the process
 * is killed; reporter_flush() rewrites the file with the final counts. The number of distinct
 * findings is bounded by options->max_findings: past it a `truncated` line says so once.
 */
#include "report/finding.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/list.h"
#include "execute/machine.h"
#include "report/json.h"

#define DEFAULT_MAX_FINDINGS 256

struct entry {
    struct finding finding;
    char *strings;         /**< owns the copies that `finding` points to */
    uint64_t count;
};

struct reporter {
    pthread_mutex_t lock;
    char *path;
    FILE *file;
    uint64_t seed;
    uint64_t max;
    bool truncated;
    LIST(struct entry) entries;
    LIST(char *) lines;    /**< raw lines, in order of arrival */
};

struct reporter *reporter_open(const struct options *options)
{
    struct reporter *r = calloc(1, sizeof *r);
    assert(r);
    pthread_mutex_init(&r->lock, NULL);
    r->seed = options->seed;
    r->max = options->max_findings ? options->max_findings : DEFAULT_MAX_FINDINGS;
    if (options->json_path) {
        r->path = strdup(options->json_path);
        r->file = fopen(r->path, "w");
        if (!r->file)
            fprintf(stderr, "softgpu: cannot write findings to %s\n", r->path);
    }
    return r;
}

static bool same_line(const struct finding_access *a, const struct finding_access *b)
{
    if ((a->file == NULL) != (b->file == NULL) || a->line != b->line)
        return false;
    if (!a->file)
        return a->ptx_line == b->ptx_line;
    return strcmp(a->file, b->file) == 0;
}

/** The same pair of lines in either order is the same finding. */
static bool same_finding(const struct finding *a, const struct finding *b)
{
    if (a->kind != b->kind || a->access_count != b->access_count)
        return false;
    if ((a->kernel == NULL) != (b->kernel == NULL) ||
        (a->kernel && strcmp(a->kernel, b->kernel) != 0))
        return false;
    switch (a->access_count) {
    case 0:
        return strcmp(a->message, b->message) == 0;
    case 1:
        return same_line(&a->accesses[0], &b->accesses[0]);
    default:
        return (same_line(&a->accesses[0], &b->accesses[0]) &&
                same_line(&a->accesses[1], &b->accesses[1])) ||
               (same_line(&a->accesses[0], &b->accesses[1]) &&
                same_line(&a->accesses[1], &b->accesses[0]));
    }
}

/** Copies the strings that a finding borrows, so that it outlives the image it speaks of. */
static void own_strings(struct entry *e)
{
    struct finding *f = &e->finding;
    const char **borrowed[] = {&f->kernel,           &f->space,           &f->accesses[0].op,
                               &f->accesses[0].file, &f->accesses[1].op, &f->accesses[1].file};
    size_t n = sizeof borrowed / sizeof borrowed[0], bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += *borrowed[i] ? strlen(*borrowed[i]) + 1 : 0;
    char *at = e->strings = malloc(bytes ? bytes : 1);
    assert(at);
    for (size_t i = 0; i < n; i++) {
        if (!*borrowed[i])
            continue;
        size_t len = strlen(*borrowed[i]) + 1;
        memcpy(at, *borrowed[i], len);
        *borrowed[i] = at;
        at += len;
    }
}

static void write_line(struct reporter *r, char *line)
{
    if (r->file && line) {
        fputs(line, r->file);
        fputc('\n', r->file);
        fflush(r->file);
    }
    free(line);
}

static void truncate_once(struct reporter *r)
{
    if (r->truncated)
        return;
    r->truncated = true;
    char *line = strdup("{\"kind\":\"incomplete\",\"level\":\"info\",\"message\":"
                        "\"more findings were made than are kept; the first are listed\"}");
    assert(line);
    *LIST_PUSH(&r->lines) = line;
    write_line(r, strdup(line));
}

void report_finding(struct reporter *r, const struct finding *f)
{
    pthread_mutex_lock(&r->lock);
    for (int i = 0; i < r->entries.count; i++) {
        struct entry *e = &r->entries.data[i];
        if (!same_finding(&e->finding, f))
            continue;
        e->count++;
        if (f->level > e->finding.level)
            e->finding.level = f->level;
        goto done;
    }
    if ((uint64_t)r->entries.count >= r->max) {
        truncate_once(r);
        goto done;
    }
    struct entry *e = LIST_PUSH(&r->entries);
    e->finding = *f;
    e->count = 1;
    own_strings(e);
    write_line(r, finding_to_json(&e->finding, r->seed, e->count));
done:
    pthread_mutex_unlock(&r->lock);
}

int reporter_count(const struct reporter *r, enum finding_level level)
{
    int n = 0;
    for (int i = 0; i < r->entries.count; i++)
        n += r->entries.data[i].finding.level >= level;
    return n;
}

void report_line(struct reporter *r, const char *json)
{
    pthread_mutex_lock(&r->lock);
    char *copy = strdup(json);
    assert(copy);
    *LIST_PUSH(&r->lines) = copy;
    write_line(r, strdup(json));
    pthread_mutex_unlock(&r->lock);
}

void reporter_flush(struct reporter *r)
{
    pthread_mutex_lock(&r->lock);
    if (r->file && fseek(r->file, 0, SEEK_SET) == 0) {
        for (int i = 0; i < r->entries.count; i++) {
            const struct entry *e = &r->entries.data[i];
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

void reporter_close(struct reporter *r)
{
    if (!r)
        return;
    reporter_flush(r);
    if (r->file)
        fclose(r->file);
    for (int i = 0; i < r->entries.count; i++)
        free(r->entries.data[i].strings);
    for (int i = 0; i < r->lines.count; i++)
        free(r->lines.data[i]);
    LIST_FREE(&r->entries);
    LIST_FREE(&r->lines);
    pthread_mutex_destroy(&r->lock);
    free(r->path);
    free(r);
}
