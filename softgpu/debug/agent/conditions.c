/**
 * @file conditions.c
 * Where a run stops: breakpoints, data watches, the step of one thread.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/agent/state.h"
#include "debug/talk.h"
#include "host/call_site.h"

/* ---- Reading the order ---- */

static char *copy_text(const json_t *m, const char *key)
{
    const char *text = talk_text(m, key, NULL);
    return text ? strdup(text) : NULL;
}

static void forget(struct conditions *c)
{
    for (int i = 0; i < c->breaks.count; i++) {
        free(c->breaks.data[i].file);
        free(c->breaks.data[i].function);
        free(c->breaks.data[i].condition);
    }
    LIST_FREE(&c->breaks);
    LIST_FREE(&c->watches);
    free(c->step.file);
    json_decref(c->last);
    *c = (struct conditions){.until = UINT64_MAX};
}

static void read_break(struct conditions *c, const json_t *m)
{
    struct breakpoint b = {.id = (int)talk_number(m, "id", 0), .file = copy_text(m, "file"),
                           .asked = (int)talk_number(m, "line", 0), .function = copy_text(m, "function"),
                           .block = talk_number(m, "block", -1), .thread = talk_number(m, "thread", -1),
                           .warp = talk_number(m, "warp", -1), .condition = copy_text(m, "condition")};
    if (!b.file && !b.function)
        b.function = strdup("");
    b.line = b.asked;
    *LIST_PUSH(&c->breaks) = b;
}

static void read_watch(struct conditions *c, const json_t *m)
{
    *LIST_PUSH(&c->watches) = (struct data_watch){
        .id = (int)talk_number(m, "id", 0), .shared = talk_true(m, "shared"),
        .owner = (uint64_t)talk_number(m, "owner", 0), .address = (uint64_t)talk_number(m, "address", 0),
        .bytes = (uint64_t)talk_number(m, "bytes", 4), .reads = talk_true(m, "reads"), .writes = talk_true(m, "writes"),
        .block = talk_number(m, "block", -1), .thread = talk_number(m, "thread", -1),
        .site = talk_number(m, "site", -1)};
}

static void read_step(struct step *s, const json_t *m)
{
    static const char *const kinds[] = {"", "instruction", "line", "over", "out"};
    const char *kind = talk_text(m, "kind", "");
    for (int i = 1; i < 5; i++)
        if (!strcmp(kind, kinds[i]))
            s->kind = (enum step_kind)i;
    s->run = (uint64_t)talk_number(m, "run", 0);
    s->thread = (struct thread_at){(uint64_t)talk_number(m, "block", 0), (uint32_t)talk_number(m, "thread", 0)};
    s->line = (int)talk_number(m, "line", 0);
    s->file = copy_text(m, "file");
    s->depth = (uint32_t)talk_number(m, "depth", 0);
    s->any_before = talk_true(m, "fresh"); /* a scan from the thread's first instruction on */
}

void conditions_read(struct conditions *c, const json_t *order)
{
    size_t i;
    json_t *m;
    forget(c);
    c->scan = talk_true(order, "scan");
    c->here = talk_true(order, "here");
    c->until = (uint64_t)talk_number(order, "until", -1);
    c->findings = talk_true(order, "findings");
    c->launches = talk_true(order, "launches");
    c->barriers = talk_true(order, "barriers");
    c->host = talk_true(order, "host");
    json_array_foreach(json_object_get(order, "breaks"), i, m)
        read_break(c, m);
    json_array_foreach(json_object_get(order, "watches"), i, m)
        read_watch(c, m);
    if (json_object_get(order, "step"))
        read_step(&c->step, json_object_get(order, "step"));
    struct standing there;
    c->step.whole = c->scan && c->step.kind != STEP_NONE && c->step.run == agent.runs && !where_is(c->step.thread, &there);
    c->step.any_before |= c->step.whole;
    place_breaks(c);
}

json_t *conditions_places(const json_t *breaks)
{
    struct conditions c = {0};
    json_t *list = json_array(), *m;
    size_t i;
    json_array_foreach(breaks, i, m)
        read_break(&c, m);
    for (int k = 0; k < c.breaks.count; k++)
        json_array_append_new(list, place_break(&c.breaks.data[k]));
    forget(&c);
    return json_pack("{s:o}", "places", list);
}

/* ---- Breakpoints ---- */

/** The lanes of the group that a breakpoint is to stop. While a thread steps, that one: else a step would end wherever another of
 *  the hundreds of warps comes by. */
static uint32_t lanes_to_stop(const struct conditions *c, const struct warp *w)
{
    const struct step *s = &c->step;
    if (s->kind == STEP_NONE || c->scan)
        return w->mask;
    bool mine = agent.runs == s->run && w->block->index == s->thread.block && w->index == (int)(s->thread.thread / WARP_LANES);
    return mine ? w->mask & 1u << s->thread.thread % WARP_LANES : 0;
}

/** The lowest lane of the group for which the breakpoint holds; -1 if none. */
static int lane_for(const struct conditions *c, const struct breakpoint *b, const struct warp *w)
{
    if ((b->block >= 0 && (uint64_t)b->block != w->block->index) || (b->warp >= 0 && b->warp != w->index))
        return -1;
    for (uint32_t m = lanes_to_stop(c, w); m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        struct thread_at t = {w->block->index, (uint32_t)(w->index * WARP_LANES + lane)};
        if ((b->thread < 0 || b->thread == t.thread) && (!b->condition || values_hold(t, b->condition)))
            return lane;
    }
    return -1;
}

static void name_thread(struct stop *stop, const struct warp *w, int lane)
{
    stop->has_thread = true;
    stop->thread = (struct thread_at){w->block->index, (uint32_t)(w->index * WARP_LANES + lane)};
}

static bool at_break(const struct conditions *c, const struct warp *w, const struct insn *in, struct stop *stop)
{
    const struct image *im = w->block->grid->config.kernel->image;
    const struct marks *m = marks_of(im);
    uint8_t flag = m->flags[in - im->code];
    int from = flag == 255 ? 0 : flag - 1, to = flag == 255 ? c->breaks.count : flag;
    if (!flag)
        return false;
    for (int i = from; i < to; i++) {
        const struct breakpoint *b = &c->breaks.data[i];
        if (flag == 255 && b->file && (insn_site(im, in)->line != b->line || !path_ends(insn_site(im, in)->file, b->file)))
            continue;
        int lane = lane_for(c, b, w);
        if (lane < 0)
            continue;
        *stop = (struct stop){.reason = "breakpoint", .id = b->id};
        name_thread(stop, w, lane);
        return true;
    }
    return false;
}

/* ---- The step of one thread ---- */

static bool same_file(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

/** Forwards: has it come to where the step ends? */
static bool step_ends(const struct step *s, const struct site *site, uint32_t depth)
{
    switch (s->kind) {
    case STEP_INSTRUCTION:
        return true;
    case STEP_OUT:
        return depth < s->depth;
    case STEP_OVER:
        if (depth > s->depth)
            return false;
        break;
    default:
        break;
    }
    return depth != s->depth || (site->line && (site->line != s->line || !same_file(site->file, s->file)));
}

/** Backwards: is this the first instruction of a line that it came to? */
static bool step_begins(struct step *s, const struct site *site, uint32_t depth)
{
    if (s->kind == STEP_INSTRUCTION)
        return true;
    if (s->kind == STEP_OUT)
        return depth < s->depth;
    if (s->kind == STEP_OVER && depth > s->depth)
        return false;
    if (!site->line)
        return false;
    bool new_line = !s->any_before || site->line != s->line_before || !same_file(site->file, s->file_before);
    bool known = s->any_before;
    s->any_before = true;
    s->line_before = site->line;
    s->file_before = site->file;
    return new_line && known;
}

static bool at_step(struct conditions *c, const struct warp *w, const struct insn *in, struct stop *stop)
{
    struct step *s = &c->step;
    int lane = (int)(s->thread.thread % WARP_LANES);
    if (agent.runs != s->run || w->block->index != s->thread.block || w->index != (int)(s->thread.thread / WARP_LANES) ||
        !(w->mask >> lane & 1))
        return false;
    const struct site *site = insn_site(w->block->grid->config.kernel->image, in);
    if (!(c->scan ? step_begins(s, site, w->frame_offset) : step_ends(s, site, w->frame_offset)))
        return false;
    *stop = (struct stop){.reason = "step"};
    name_thread(stop, w, lane);
    return true;
}

int conditions_call(const struct conditions *c, const void *call)
{
    const struct call_site *at = c->breaks.count && call ? call_site(call, false) : NULL;
    for (int i = 0; at && at->file && i < c->breaks.count; i++)
        if (c->breaks.data[i].file && c->breaks.data[i].line == at->line && path_ends(at->file, c->breaks.data[i].file))
            return c->breaks.data[i].id;
    return -1;
}

/** The launch as a whole: asked for, or its line of the program. */
static bool at_launch(const struct conditions *c, const struct warp *w, struct stop *stop)
{
    int id = conditions_call(c, w->block->grid->config.by.call);
    if (id < 0 && !c->launches)
        return false;
    *stop = (struct stop){.reason = id < 0 ? "launch" : "breakpoint", .id = id};
    name_thread(stop, w, __builtin_ctz(w->mask));
    return true;
}

bool conditions_meet(struct conditions *c, const struct warp *w, const struct insn *in, struct stop *stop)
{
    if (agent.count == agent.begin && at_launch(c, w, stop))
        return true;
    return (c->breaks.count && at_break(c, w, in, stop)) || (c->step.kind != STEP_NONE && at_step(c, w, in, stop));
}

/* ---- Data watches ---- */

static bool touches(const struct data_watch *d, const struct warp *w, const struct mem_access *a, int lane)
{
    uint64_t bytes = (uint64_t)a->insn->mem.bytes * a->insn->mem.count;
    uint64_t thread = (uint64_t)w->index * WARP_LANES + (uint64_t)lane;
    return (d->block < 0 || (uint64_t)d->block == w->block->index) && (d->thread < 0 || (uint64_t)d->thread == thread) &&
           a->address[lane] < d->address + d->bytes && d->address < a->address[lane] + bytes;
}

bool conditions_touch(const struct conditions *c, const struct warp *w, const struct mem_access *a, bool reads,
                      bool writes, struct stop *stop)
{
    for (int i = 0; i < c->watches.count; i++) {
        const struct data_watch *d = &c->watches.data[i];
        bool here = d->shared ? a->space == SPACE_SHARED && d->owner == w->block->index
                              : a->space == SPACE_GLOBAL || a->space == SPACE_CONST;
        if (!here || !((d->reads && reads) || (d->writes && writes)) || (d->site >= 0 && d->site != a->insn->site))
            continue;
        for (uint32_t m = a->mask; m; m &= m - 1) {
            int lane = __builtin_ctz(m);
            if (!touches(d, w, a, lane))
                continue;
            *stop = (struct stop){.reason = "watch", .id = d->id};
            name_thread(stop, w, lane);
            snprintf(stop->text, sizeof stop->text, "%s", reads && writes ? "atomic" : writes ? "store" : "load");
            return true;
        }
    }
    return false;
}
