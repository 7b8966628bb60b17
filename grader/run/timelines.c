/**
 * @file timelines.c
 * Chrome trace JSON (softgpu/timeline/timeline_json.c) back into softgpu's timeline, and drawn by
 * softgpu's own pen; see timelines.h.
 */
#include "run/timelines.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/timeline.h"

#define MAX_BYTES (16u << 20)
#define MAX_EVENTS 50000
/** A picture that is larger is not kept. */
#define MAX_PICTURE (1u << 20)
enum { PID_STREAMS = 1 };

/** Strings are the JSON's. */
struct trace {
    json_t *json;
    struct timeline timeline;
};

static const char *text_of(const json_t *e, const char *key)
{
    const char *s = json_string_value(json_object_get(e, key));
    return s ? s : "";
}

/** Microseconds to nanoseconds; what is no time is 0. */
static uint64_t time_of(const json_t *e, const char *key)
{
    double us = json_number_value(json_object_get(e, key));
    return us > 0 && us < 1e12 ? (uint64_t)llround(us * 1000) : 0;
}

static uint64_t integer_of(const json_t *e, const char *key)
{
    json_int_t v = json_integer_value(json_object_get(e, key));
    return v > 0 ? (uint64_t)v : 0;
}

static void add_stream(struct timeline *t, const json_t *e)
{
    if (strcmp(text_of(e, "name"), "thread_name") || t->streams.count >= 4096)
        return;
    struct timeline_stream *s = LIST_PUSH(&t->streams);
    *s = (struct timeline_stream){.id = integer_of(e, "tid")};
    snprintf(s->name, sizeof s->name, "%s", text_of(json_object_get(e, "args"), "name"));
}

static void add_bar(struct timeline *t, const json_t *e)
{
    int kind = 0;
    const json_t *args = json_object_get(e, "args");
    while (kind < BAR_KIND_COUNT && strcmp(timeline_kind_name((enum bar_kind)kind), text_of(e, "cat")))
        kind++;
    if (kind == BAR_KIND_COUNT)
        return;
    struct timeline_bar *b = LIST_PUSH(&t->bars);
    *b = (struct timeline_bar){.op = integer_of(args, "op"), .kind = (enum bar_kind)kind,
                               .label = text_of(e, "name"), .stream = integer_of(e, "tid"),
                               .engine = timeline_engine_of((enum bar_kind)kind),
                               .graph = integer_of(args, "graph"),
                               .start_ns = time_of(e, "ts"), .bytes = integer_of(args, "bytes")};
    b->end_ns = b->start_ns + time_of(e, "dur");
    t->end_ns = b->end_ns > t->end_ns ? b->end_ns : t->end_ns;
    const char *file = text_of(args, "file");
    b->file = *file ? file : NULL;
    b->line = (int)integer_of(args, "line");
}

static enum wait_kind wait_kind_of(const char *name)
{
    int kind = 0;
    while (kind + 1 < WAIT_KIND_COUNT && strcmp(timeline_wait_name((enum wait_kind)kind), name))
        kind++;
    return (enum wait_kind)kind;
}

/** A flow's two events have one id; the start waits in `open` for its end. */
static void add_wait(struct timeline *t, const json_t *e, json_t *open)
{
    char id[32];
    snprintf(id, sizeof id, "%llu", (unsigned long long)integer_of(e, "id"));
    if (!strcmp(text_of(e, "ph"), "s")) {
        json_object_set(open, id, (json_t *)e);
        return;
    }
    const json_t *from = json_object_get(open, id);
    if (!from)
        return;
    *LIST_PUSH(&t->waits) = (struct timeline_wait){
        .kind = wait_kind_of(text_of(e, "cat")),
        .label = text_of(e, "name"), .from_stream = integer_of(from, "tid"),
        .to_stream = integer_of(e, "tid"), .from_ns = time_of(from, "ts"), .to_ns = time_of(e, "ts")};
}

/** Each race has an event on each of its operations; the first of them counts. */
static void add_race(struct timeline *t, const json_t *e)
{
    const json_t *args = json_object_get(e, "args");
    struct timeline_race r = {.first = integer_of(args, "first"), .second = integer_of(args, "second"),
                              .host_ns = time_of(e, "ts"), .message = text_of(args, "message"),
                              .object = text_of(args, "object")};
    for (int i = 0; i < t->races.count; i++)
        if (t->races.data[i].first == r.first && t->races.data[i].second == r.second)
            return;
    if (t->races.count < 256)
        *LIST_PUSH(&t->races) = r;
}

static int by_id(const void *a, const void *b)
{
    const struct timeline_stream *x = a, *y = b;
    return timeline_row_before(y->id, x->id) - timeline_row_before(x->id, y->id);
}

static int by_start(const void *a, const void *b)
{
    const struct timeline_bar *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->op > y->op) - (x->op < y->op);
}

static void trace_free(struct trace *t)
{
    LIST_FREE(&t->timeline.streams);
    LIST_FREE(&t->timeline.bars);
    LIST_FREE(&t->timeline.waits);
    LIST_FREE(&t->timeline.races);
    json_decref(t->json);
}

/** False where there is no trace with a bar. */
static bool trace_read(struct trace *t, const char *path)
{
    const char *why;
    size_t len, i;
    json_t *e, *open = json_object();
    char *text = text_read_file(path, MAX_BYTES, &len, &why);
    *t = (struct trace){.json = text ? json_loadb(text, len, 0, NULL) : NULL};
    free(text);
    t->timeline.device = text_of(json_object_get(t->json, "otherData"), "device");
    json_array_foreach(json_object_get(t->json, "traceEvents"), i, e) {
        const char *ph = text_of(e, "ph");
        t->timeline.cut |= i >= MAX_EVENTS;
        if (i >= MAX_EVENTS || integer_of(e, "pid") != PID_STREAMS)
            continue;
        if (!strcmp(ph, "M"))
            add_stream(&t->timeline, e);
        else if (!strcmp(ph, "X"))
            add_bar(&t->timeline, e);
        else if (!strcmp(ph, "s") || !strcmp(ph, "f"))
            add_wait(&t->timeline, e, open);
        else if (!strcmp(ph, "i"))
            add_race(&t->timeline, e);
    }
    json_decref(open);
    if (t->timeline.streams.count)
        qsort(t->timeline.streams.data, (size_t)t->timeline.streams.count,
              sizeof *t->timeline.streams.data, by_id);
    if (t->timeline.bars.count)
        qsort(t->timeline.bars.data, (size_t)t->timeline.bars.count, sizeof *t->timeline.bars.data,
              by_start);
    return t->timeline.bars.count && t->timeline.streams.count;
}

static char *draw(const struct trace *t, uint64_t end_ns, const char *title)
{
    char *svg = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&svg, &size);
    if (!f)
        abort();
    bool ok = timeline_write_svg(&t->timeline, end_ns, title, f);
    fclose(f);
    if (ok && size <= MAX_PICTURE)
        return svg;
    free(svg);
    return NULL;
}

void timelines_read(struct record_case *c, const struct run_pair *pair)
{
    if (c->hidden || (c->timeline && c->state != STATE_FAIL))
        return;
    struct trace student, reference;
    bool yours = trace_read(&student, pair->student_files->timeline);
    bool theirs = trace_read(&reference, pair->reference_files->timeline);
    uint64_t a = student.timeline.end_ns, b = reference.timeline.end_ns, end = a > b ? a : b;
    if (yours) {
        free(c->timeline);
        free(c->reference_timeline);
        c->timeline = draw(&student, end, "yours");
        c->reference_timeline = theirs ? draw(&reference, end, "the reference's") : NULL;
    }
    trace_free(&student);
    trace_free(&reference);
}
