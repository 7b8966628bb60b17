/**
 * @file timeline.c
 * The run in virtual time, as Chrome trace JSON (opens in Perfetto and chrome://tracing): one row
 * a stream, one bar an operation, times in microseconds.
 */
#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "runtime/record.h"

/** Bars kept; a longer run is cut, and says so. */
#define MAX_BARS 200000

struct bar {
    char *label;
    const char *category;
    uint64_t op, stream, start_ns, end_ns, bytes;
};
static LIST(struct bar) bars;

static const char *category_of(const struct operation *op)
{
    static const char *const paths[] = {"host to device", "device to host", "device to device",
                                        "host to host"};
    switch (op->kind) {
    case OP_KERNEL:
        return "kernel";
    case OP_COPY:
        return paths[op->copy.path];
    case OP_SET:
        return "memset";
    case OP_HOST:
        return "host function";
    default:
        return NULL; /* takes no time */
    }
}

void timeline_add(const struct operation *op)
{
    const char *category = runtime.options.timeline_path ? category_of(op) : NULL;
    if (!category || bars.count >= MAX_BARS || !op->stream)
        return;
    struct bar *b = LIST_PUSH(&bars);
    *b = (struct bar){.label = strdup(op->kind == OP_KERNEL ? op->kernel->name : op->name),
                      .category = category, .op = op->number, .stream = op->stream->id,
                      .start_ns = op->start_ns, .end_ns = op->end_ns};
    if (!b->label)
        abort();
    if (op->kind == OP_COPY)
        b->bytes = (uint64_t)op->copy.width * op->copy.height * op->copy.depth;
}

static json_t *bar_json(const struct bar *b)
{
    json_t *args = json_pack("{s:I}", "op", (json_int_t)b->op);
    if (b->bytes)
        json_object_set_new(args, "bytes", json_integer((json_int_t)b->bytes));
    return json_pack("{s:s, s:s, s:s, s:i, s:I, s:f, s:f, s:o}", "name", b->label, "cat",
                     b->category, "ph", "X", "pid", 1, "tid", (json_int_t)b->stream, "ts",
                     (double)b->start_ns * 1e-3, "dur",
                     (double)(b->end_ns - b->start_ns) * 1e-3, "args", args);
}

static void name_streams(json_t *events)
{
    uint64_t last = 0;
    for (int i = 0; i < bars.count; i++)
        last = bars.data[i].stream > last ? bars.data[i].stream : last;
    for (uint64_t id = 1; id <= last && id <= 4096; id++) {
        char name[48];
        snprintf(name, sizeof name, id == 1 ? "default stream" : "stream %llu",
                 (unsigned long long)id - 1);
        json_array_append_new(events, json_pack("{s:s, s:s, s:i, s:I, s:{s:s}}", "name",
                                                "thread_name", "ph", "M", "pid", 1, "tid",
                                                (json_int_t)id, "args", "name", name));
    }
}

void timeline_write(void)
{
    const char *path = runtime.options.timeline_path;
    if (!path)
        return;
    json_t *events = json_array();
    name_streams(events);
    for (int i = 0; i < bars.count; i++)
        json_array_append_new(events, bar_json(&bars.data[i]));
    json_t *o = json_pack("{s:o, s:s, s:{s:s}}", "traceEvents", events, "displayTimeUnit", "ms",
                          "otherData", "device", runtime.device->name);
    if (json_dump_file(o, path, JSON_INDENT(1)) != 0)
        runtime_say("cannot write the timeline to %s: %s", path, strerror(errno));
    if (bars.count == MAX_BARS)
        runtime_say("the timeline ends after %d operations", MAX_BARS);
    json_decref(o);
}
