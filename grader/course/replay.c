/**
 * @file replay.c
 * See replay.h.
 */
#include "course/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grade.h"
#include "record/record_json.h"
#include "report/report.h"

#define MAX_RECORD (16u << 20)

static struct record *read_record(const char *path, struct trouble *t)
{
    const char *why;
    size_t len;
    char *json = text_read_file(path, MAX_RECORD, &len, &why);
    if (!json) {
        trouble_set(t, "--replay %s: %s", path, why);
        trouble_todo(t, "allowed: LAB --replay SEED/CASE, or a record made with --format json");
        return NULL;
    }
    struct record *r = record_from_json(json, len, t);
    free(json);
    return r;
}

/** Says which tools are others than then: a difference may come from them. */
static void note_changes(const struct record *old, const struct record *new)
{
    const struct {
        const char *what;
        uint64_t then, now;
    } rows[] = {{"the spec", old->spec_hash, new->spec_hash},
                {"the reference", old->reference_hash, new->reference_hash},
                {"the harness", old->harness_hash, new->harness_hash},
                {"softgpu", old->softgpu_hash, new->softgpu_hash}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].then != rows[i].now)
            printf("Since then %s has changed.\n", rows[i].what);
}

/** Prints the cases that came out differently; how many. */
static int differences(const struct record *old, const struct record *new)
{
    int count = 0;
    for (int p = 0; p < new->parts_count; p++)
        for (int i = 0; i < new->parts[p].cases_count; i++) {
            const struct record_case *b = &new->parts[p].cases[i];
            const struct record_case *a = record_find(old, b->id); /* a hidden case has no other name */
            if (a && a->state == b->state && a->verdict == b->verdict && a->earned == b->earned)
                continue;
            printf("%s was %s %s, is %s %s\n", b->id, a ? record_state_name(a->state) : "absent",
                   a ? verdict_name(a->verdict) : "", record_state_name(b->state),
                   verdict_name(b->verdict));
            count++;
        }
    return count + (old->verdict != new->verdict);
}

static int compare(const struct options *o, const struct record *old, const struct record *new,
                   struct trouble *t)
{
    report_writer *write = report_find(o->format, t);
    struct report_style style = {report_color(o->color, o->output), o->verbose, 0,
                                 report_columns(o->output)};
    struct text out = {0};
    if (!write)
        return 2;
    write(&out, new, &style);
    bool ok = report_emit(&out, o->output, t);
    text_free(&out);
    if (ok && !strcmp(o->format, "text")) {
        note_changes(old, new);
        puts(differences(old, new) ? "Not the recorded verdict." : "The recorded verdict again.");
    }
    return ok ? record_exit(new) : 2;
}

int replay_record(const struct kit *k, const struct options *o, struct trouble *t)
{
    struct options again = *o;
    struct record *new = NULL, *old = read_record(o->replay, t);
    int status = 2;
    if (!old)
        return 2;
    const char *lab = kit_find_lab(k, old->folder, t);
    char *own = text_format("labs/%s/kernel.cu", old->folder);
    char *solution = text_format("solutions/%s/kernel.cu", old->folder);
    again.seed = old->seed;
    again.has_seed = true;
    again.schedules = old->schedules;
    if (!old->gpu && o->device == DEVICE_AUTO)
        again.device = DEVICE_SOFTGPU;
    again.solution = !strcmp(old->file, solution);
    if (!o->file && strcmp(old->file, own) && !again.solution)
        again.file = old->file;
    new = lab ? grade_lab(k, &again, lab, t) : NULL;
    if (new && new->source_hash != old->source_hash)
        trouble_set(t, "%s is not the file that was graded then", new->file);
    else if (new)
        status = compare(o, old, new, t);
    free(own);
    free(solution);
    record_free(new);
    record_free(old);
    return status;
}
