/**
 * @file timeline_record.c
 * Collects the run in virtual time for `--timeline`: bars, waits, races (timeline.h), and hands
 * them to the writer that the file's name asks for.
 */
#include <errno.h>
#include <string.h>

#include "host/call_site.h"
#include "report/finding.h"
#include "runtime/code/kernel.h"
#include "runtime/state/host_thread.h"
#include "runtime/state/runtime.h"
#include "runtime/time/record.h"
#include "timeline/timeline.h"

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
    static const enum bar_kind copies[] = {BAR_COPY_H2D, BAR_COPY_D2H, BAR_COPY_D2D, BAR_COPY_H2H, BAR_COPY_PEER};
    static const enum bar_kind kinds[] = {
        [OP_KERNEL] = BAR_KERNEL, [OP_SET] = BAR_SET, [OP_HOST] = BAR_HOST_FUNCTION};
    if (op->kind == OP_MARK || op->kind == OP_FREE || op->kind == OP_ALLOC || op->kind == OP_VALUE)
        return false;
    *kind = op->kind == OP_COPY ? copies[op->copy.path] : kinds[op->kind];
    return true;
}

void timeline_add(const struct operation *op)
{
    enum bar_kind kind;
    if (!wanted() || op->status != cudaSuccess || !kind_of(op, &kind))
        return;
    if (timeline.bars.count >= MAX_BARS) {
        timeline.cut = true;
        return;
    }
    struct timeline_bar *b = LIST_PUSH(&timeline.bars);
    *b = (struct timeline_bar){
        .op = op->number, .kind = kind, .engine = op->time.engine, .device = op->device,
        .stream = timeline_row(op->by.stream, op->by.branch), .graph = op->by.graph,
        .label = copy_text(kind == BAR_KERNEL ? op->kernel->name : op->name),
        .issued_ns = op->time.issued_ns, .start_ns = op->time.start_ns,
        .end_ns = op->time.end_ns, .share = op->time.work.share};
    const struct call_site *site = call_site(op->by.call, false);
    b->file = site->file;
    b->line = site->line;
    if (op->kind == OP_COPY)
        b->bytes = (uint64_t)op->copy.width * op->copy.height * op->copy.depth;
    else if (op->kind == OP_SET)
        b->bytes = (uint64_t)op->set.width * op->set.height * op->set.depth;
}

struct timeline_wait *timeline_wait(enum wait_kind kind, const char *call, uint64_t from,
                                    uint64_t to, const void *at)
{
    static struct timeline_wait none;
    if (!wanted() || !from || timeline.waits.count >= MAX_BARS)
        return &none;
    const struct call_site *site = call_site(at, false);
    struct timeline_wait *w = LIST_PUSH(&timeline.waits);
    *w = (struct timeline_wait){.kind = kind, .label = copy_text(call), .from = from, .to = to,
                                .file = site->file, .line = site->line};
    return w;
}

void timeline_call(const char *call, uint64_t from_ns, const struct operation *op)
{
    const void *at = runtime_thread()->call;
    if (!wanted() || timeline.bars.count >= MAX_BARS ||
        (op && (op->time.state != TIME_ENDED || op->time.end_ns <= from_ns)))
        return;
    const struct call_site *site = call_site(at, false);
    *LIST_PUSH(&timeline.bars) = (struct timeline_bar){
        .kind = BAR_CALL, .label = copy_text(call), .issued_ns = from_ns, .start_ns = from_ns,
        .end_ns = runtime.host_ns, .file = site->file, .line = site->line};
    if (op)
        timeline_wait(WAIT_HOST, call, op->bar_op, 0, at)->to_ns = runtime.host_ns;
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
    return timeline_row_before(y->id, x->id) - timeline_row_before(x->id, y->id);
}

/* Operation numbers to bars, once bars do not move any more. */
static int *bar_index;
static uint64_t bar_index_size;

static void index_bars(void)
{
    for (int i = 0; i < timeline.bars.count; i++)
        if (timeline.bars.data[i].op >= bar_index_size)
            bar_index_size = timeline.bars.data[i].op + 1;
    bar_index = calloc(bar_index_size + 1, sizeof *bar_index);
    if (!bar_index)
        abort();
    for (int i = 0; i < timeline.bars.count; i++)
        bar_index[timeline.bars.data[i].op] = i + 1;
}

static const struct timeline_bar *bar_of(uint64_t op)
{
    return op && op < bar_index_size && bar_index[op] ? &timeline.bars.data[bar_index[op] - 1] : NULL;
}

static void add_stream(uint64_t id)
{
    for (int i = 0; i < timeline.streams.count; i++)
        if (timeline.streams.data[i].id == id)
            return;
    struct timeline_stream *s = LIST_PUSH(&timeline.streams);
    *s = (struct timeline_stream){.id = id};
    char stream[64];
    stream_words(timeline_stream_of(id), stream, sizeof stream);
    const char *name = strncmp(stream, "the ", 4) ? stream : stream + 4; /* without the article */
    if (timeline_branch_of(id))
        snprintf(s->name, sizeof s->name, "%.40s, branch %u", name, timeline_branch_of(id) + 1);
    else
        snprintf(s->name, sizeof s->name, "%s", name);
}

/* Where its two ends are; false if one has no bar, or another wait for the same is the later one. */
static bool place_wait(struct timeline_wait *w)
{
    const struct timeline_bar *from = bar_of(w->from), *to = bar_of(w->to);
    if (!from || (w->to && !to))
        return false;
    w->from_stream = from->stream;
    w->from_ns = from->end_ns;
    if (to) {
        w->to_stream = to->stream;
        w->to_ns = to->start_ns;
    }
    return true;
}

static void settle_waits(void)
{
    int kept = 0;
    index_bars();
    for (int i = 0; i < timeline.waits.count; i++) {
        struct timeline_wait w = timeline.waits.data[i];
        if (!place_wait(&w))
            continue;
        /* Of the streams that the default stream's rule waits for, the last one counts. */
        struct timeline_wait *last = kept ? &timeline.waits.data[kept - 1] : NULL;
        if (last && w.kind == WAIT_DEFAULT_STREAM && last->kind == w.kind && last->to == w.to) {
            if (w.from_ns > last->from_ns)
                *last = w;
            continue;
        }
        timeline.waits.data[kept++] = w;
    }
    timeline.waits.count = kept;
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
    settle_waits();
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
