/**
 * @file timeline_json.c
 * The timeline as Chrome trace JSON, which Perfetto and chrome://tracing open. Process 1 has a row
 * a stream, process 2 a row an engine; a wait is a flow arrow, a race an instant event on each of
 * its two operations. Times are microseconds.
 */
#include <jansson.h>

#include "timeline/timeline.h"

enum { PID_STREAMS = 1, PID_ENGINES = 2 };
#define DEVICES 8

static void name_row(json_t *events, const char *what, int pid, uint64_t tid, const char *name)
{
    json_array_append_new(events, json_pack("{s:s, s:s, s:i, s:I, s:{s:s}}", "name", what, "ph", "M",
                                            "pid", pid, "tid", (json_int_t)tid, "args", "name",
                                            name));
}

static void name_rows(json_t *events, const struct timeline *t)
{
    bool used[DEVICES][ENGINE_COUNT] = {{0}};
    name_row(events, "process_name", PID_STREAMS, 0, "streams");
    name_row(events, "process_name", PID_ENGINES, 0, "engines");
    for (int i = 0; i < t->streams.count; i++)
        name_row(events, "thread_name", PID_STREAMS, t->streams.data[i].id, t->streams.data[i].name);
    for (int i = 0; i < t->bars.count; i++)
        used[t->bars.data[i].device % DEVICES][t->bars.data[i].engine] = true;
    for (int i = 0; i < DEVICES * ENGINE_COUNT; i++) {
        int device = i / ENGINE_COUNT, e = i % ENGINE_COUNT;
        char name[64];
        if (!used[device][e] || e == ENGINE_NONE)
            continue;
        snprintf(name, sizeof name, device ? "%s of device %d" : "%s", timeline_engine_name((enum timeline_engine)e), device);
        name_row(events, "thread_name", PID_ENGINES, (uint64_t)i, name);
    }
}

static json_t *event(const char *name, const char *category, const char *phase, int pid,
                     uint64_t tid, uint64_t ns)
{
    return json_pack("{s:s, s:s, s:s, s:i, s:I, s:f}", "name", name, "cat", category, "ph", phase,
                     "pid", pid, "tid", (json_int_t)tid, "ts", (double)ns * 1e-3);
}

static void set_line(json_t *args, const char *file, int line)
{
    if (!file)
        return;
    json_object_set_new(args, "file", json_string(file));
    json_object_set_new(args, "line", json_integer(line));
}

static void write_bar(json_t *events, const struct timeline_bar *b, int pid, uint64_t tid)
{
    json_t *args = json_object();
    json_t *e = event(b->label, timeline_kind_name(b->kind), "X", pid, tid, b->start_ns);
    json_object_set_new(e, "dur", json_real((double)(b->end_ns - b->start_ns) * 1e-3));
    if (b->op)
        json_object_set_new(args, "op", json_integer((json_int_t)b->op));
    json_object_set_new(args, "stream", json_integer((json_int_t)timeline_stream_of(b->stream)));
    if (b->graph)
        json_object_set_new(args, "graph", json_integer((json_int_t)b->graph));
    json_object_set_new(args, "issued", json_real((double)b->issued_ns * 1e-3));
    if (b->bytes)
        json_object_set_new(args, "bytes", json_integer((json_int_t)b->bytes));
    if (b->share > 0)
        json_object_set_new(args, "share", json_real(b->share));
    set_line(args, b->file, b->line);
    json_object_set_new(e, "args", args);
    json_array_append_new(events, e);
}

/* A flow's ends bind to the bars that they lie on; a bar's end is no longer on it. */
static void write_wait(json_t *events, const struct timeline_wait *w, int number)
{
    json_t *from = event(w->label, timeline_wait_name(w->kind), "s", PID_STREAMS, w->from_stream,
                         w->from_ns ? w->from_ns - 1 : 0);
    json_t *to = event(w->label, timeline_wait_name(w->kind), "f", PID_STREAMS, w->to_stream, w->to_ns);
    json_t *args = json_pack("{s:I, s:I}", "from", (json_int_t)w->from, "to", (json_int_t)w->to);
    set_line(args, w->file, w->line);
    json_object_set_new(from, "id", json_integer(number));
    json_object_set_new(to, "id", json_integer(number));
    json_object_set_new(to, "bp", json_string("e"));
    json_object_set_new(to, "args", args);
    json_array_append_new(events, from);
    json_array_append_new(events, to);
}

static void write_race(json_t *events, const struct timeline *t, const struct timeline_race *r)
{
    const uint64_t ops[2] = {r->first, r->second};
    for (int i = 0; i < 2; i++) {
        const struct timeline_bar *b = timeline_find(t, ops[i]);
        if (ops[i] && !b)
            continue;
        json_t *e = event("race", "race", "i", PID_STREAMS, b ? b->stream : 0,
                          b ? b->start_ns : r->host_ns);
        json_object_set_new(e, "s", json_string("t"));
        json_object_set_new(e, "args",
                            json_pack("{s:I, s:I, s:s, s:s}", "first", (json_int_t)r->first,
                                      "second", (json_int_t)r->second, "object", r->object,
                                      "message", r->message));
        json_array_append_new(events, e);
    }
}

bool timeline_write_json(const struct timeline *t, FILE *f)
{
    json_t *events = json_array();
    name_rows(events, t);
    for (int i = 0; i < t->bars.count; i++) {
        const struct timeline_bar *b = &t->bars.data[i];
        write_bar(events, b, PID_STREAMS, b->stream);
        if (b->engine != ENGINE_NONE)
            write_bar(events, b, PID_ENGINES, (uint64_t)(b->device % DEVICES * ENGINE_COUNT + (int)b->engine));
    }
    for (int i = 0; i < t->waits.count; i++)
        write_wait(events, &t->waits.data[i], i + 1);
    for (int i = 0; i < t->races.count; i++)
        write_race(events, t, &t->races.data[i]);
    json_t *o = json_pack("{s:o, s:s, s:{s:s}}", "traceEvents", events, "displayTimeUnit", "ms",
                          "otherData", "device", t->device);
    bool written = json_dumpf(o, f, JSON_INDENT(1)) == 0;
    json_decref(o);
    return written;
}
