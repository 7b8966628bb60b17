/**
 * @file timeline.c
 * Collects the run in virtual time for `--timeline`: bars, waits, races (timeline.h), and hands
 * them to the writer that the file's name asks for.
 */
#include <errno.h>
#include <string.h>

#include "report/call_site.h"
#include "report/finding.h"
#include "runtime/record.h"
#include "runtime/timeline.h"

/** Bars and waits kept; a longer run is cut, and says so. */
#define MAX_BARS 200000
#define MAX_RACES 256

static struct timeline timeline;

static bool wanted(void)
{
    return runtime.options.timeline_path != NULL;
}

static char *copy_text(const char *text)
{
    char *copy = text ? strdup(text) : NULL;
    if (text && !copy)
        abort();
    return copy;
}

/* @return whether operations of this kind take time, and so have a bar */
static bool kind_of(const struct operation *op, enum bar_kind *kind)
{
    static const enum bar_kind copies[] = {BAR_COPY_H2D, BAR_COPY_D2H, BAR_COPY_D2D, BAR_COPY_H2H};
    switch (op->kind) {
    case OP_KERNEL:
        *kind = BAR_KERNEL;
        return true;
    case OP_COPY:
        *kind = copies[op->copy.path];
        return true;
    case OP_SET:
        *kind = BAR_SET;
        return true;
    case OP_HOST:
        *kind = BAR_HOST_FUNCTION;
        return true;
    default:
        return false;
    }
}

void timeline_add(const struct operation *op)
{
    enum bar_kind kind;
    if (!wanted() || !kind_of(op, &kind))
        return;
    if (timeline.bars.count >= MAX_BARS) {
        timeline.cut = true;
        return;
    }
    struct timeline_bar *b = LIST_PUSH(&timeline.bars);
    *b = (struct timeline_bar){
        .op = op->number, .kind = kind, .engine = timeline_engine_of(kind),
        .stream = op->by.stream,
        .label = copy_text(kind == BAR_KERNEL ? op->kernel->name : op->name),
        .issued_ns = op->ready_ns, .start_ns = op->start_ns, .end_ns = op->end_ns};
    const struct call_site *site = call_site(op->by.call, false);
    b->file = site->file;
    b->line = site->line;
    if (op->kind == OP_COPY)
        b->bytes = (uint64_t)op->copy.width * op->copy.height * op->copy.depth;
    else if (op->kind == OP_SET)
        b->bytes = (uint64_t)op->set.width * op->set.height * op->set.depth;
}

void timeline_finding(const struct finding *f)
{
    if (!wanted() || f->kind != FIND_STREAM_RACE || timeline.races.count >= MAX_RACES)
        return;
    *LIST_PUSH(&timeline.races) = (struct timeline_race){
        .first = f->ops[0], .second = f->ops[1], .host_ns = runtime.host_ns,
        .message = copy_text(f->message), .object = copy_text(f->object)};
}

/* ---- for the writers ---- */

static int by_start(const void *a, const void *b)
{
    const struct timeline_bar *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->op > y->op) - (x->op < y->op);
}

static int by_end(const void *a, const void *b)
{
    const struct timeline_wait *x = a, *y = b;
    if (x->to_ns != y->to_ns)
        return x->to_ns < y->to_ns ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static int by_id(const void *a, const void *b)
{
    const struct timeline_stream *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static void add_stream(uint64_t id)
{
    for (int i = 0; i < timeline.streams.count; i++)
        if (timeline.streams.data[i].id == id)
            return;
    struct timeline_stream *s = LIST_PUSH(&timeline.streams);
    *s = (struct timeline_stream){.id = id};
    stream_words(id, s->name, sizeof s->name);
    if (id < 2)
        memmove(s->name, s->name + 4, strlen(s->name + 4) + 1); /* without the article */
}

static void settle(void)
{
    timeline.device = runtime.device->name;
    for (int i = 0; i < timeline.bars.count; i++) {
        const struct timeline_bar *b = &timeline.bars.data[i];
        if (b->end_ns > timeline.end_ns)
            timeline.end_ns = b->end_ns;
        if (!i || b->stream != b[-1].stream)
            add_stream(b->stream);
    }
    if (timeline.streams.count)
        qsort(timeline.streams.data, (size_t)timeline.streams.count,
              sizeof *timeline.streams.data, by_id);
    if (timeline.bars.count)
        qsort(timeline.bars.data, (size_t)timeline.bars.count, sizeof *timeline.bars.data,
              by_start);
    if (timeline.waits.count)
        qsort(timeline.waits.data, (size_t)timeline.waits.count, sizeof *timeline.waits.data,
              by_end);
}

void timeline_write(void)
{
    const char *path = runtime.options.timeline_path;
    if (!path)
        return;
    settle();
    FILE *f = fopen(path, "w");
    size_t len = strlen(path);
    bool svg = len > 4 && !strcmp(path + len - 4, ".svg");
    bool written = f && (svg ? timeline_write_svg(&timeline, 0, program_invocation_short_name, f)
                             : timeline_write_json(&timeline, f));
    if ((f && fclose(f) != 0) || !written)
        runtime_say("cannot write the timeline to %s: %s", path, strerror(errno));
    if (timeline.cut)
        runtime_say("the timeline ends after %d operations", MAX_BARS);
}
