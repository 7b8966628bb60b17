/**
 * @file where.c
 * Who stands where: threads in groups, call stacks, registers; and one word for the whole state.
 */
#include <dlfcn.h>
#include <execinfo.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "code/frame.h"
#include "debug/agent/state.h"
#include "debug/talk.h"
#include "host/call_site.h"
#include "parse/module.h"
#include "report/words/words.h"

/** Groups and frames that one answer tells of. */
#define MAX_TOLD 512
#define MAX_FRAMES 64

static const struct block *block_at(uint64_t index)
{
    const struct block *b;
    bool stuck;
    for (int i = 0; agent.grid && machine_resident(agent.machine, i, &b, &stuck); i++)
        if (b && b->grid == agent.grid && b->index == index)
            return b;
    return NULL;
}

/** The warp's running group, whose fields are in the warp, is in an instruction right now. */
static bool is_running(const struct warp *w, const struct group *g)
{
    return agent.insn && w == agent.warp && w->current >= 0 && g == &w->groups[w->current];
}

static void stand(struct standing *s, const struct warp *w, const struct group *g, int lane)
{
    bool running = is_running(w, g);
    *s = (struct standing){.warp = w, .lane = lane, .at = running ? agent.insn : group_stands_at(g),
                           .frame = running ? w->frame_offset : g->frame, .mask = running ? w->mask : g->mask,
                           .state = running ? GROUP_READY : g->state};
}

bool where_is(struct thread_at t, struct standing *s)
{
    const struct block *b = block_at(t.block);
    if (!b || t.thread >= b->grid->threads_per_block)
        return false;
    const struct warp *w = &b->warps[t.thread / WARP_LANES];
    int lane = (int)(t.thread % WARP_LANES);
    for (int i = 0; i < w->group_count && (w->live >> lane & 1); i++)
        if ((is_running(w, &w->groups[i]) ? w->mask : w->groups[i].mask) >> lane & 1) {
            stand(s, w, &w->groups[i], lane);
            return true;
        }
    return false;
}

static json_t *place_json(const struct image *im, const struct insn *in)
{
    const struct site *s = insn_site(im, in);
    const struct function *f = image_function_at(im, in);
    char name[256] = "?";
    if (f)
        put_plain(name, sizeof name, f->name);
    const char *line = "";
    int length = im->module ? module_line(im->module, s->ptx_line, &line) : 0;
    json_t *text = json_stringn(line, (size_t)length); /* NULL: not UTF-8 */
    json_t *m = json_pack("{s:i,s:i,s:s,s:o}", "line", s->line, "ptx", s->ptx_line, "function", name, "text",
                          text ? text : json_string(""));
    if (s->file)
        json_object_set_new(m, "file", json_string(s->file));
    return m;
}

/* ---- Threads ---- */

static const char *state_word(int state)
{
    static const char *const words[] = {[GROUP_READY] = "can run", [GROUP_AT_BARRIER] = "at a barrier",
                                        [GROUP_AT_ALIGNED] = "at its cluster's barrier",
                                        [GROUP_AT_CLUSTER] = "at its cluster's barrier",
                                        [GROUP_AT_WARP_SYNC] = "waits for its warp", [GROUP_SLEEPING] = "sleeps",
                                        [GROUP_AT_GRID] = "waits for another grid",
                                        [GROUP_ENDLESS] = "in an endless loop"};
    return words[state];
}

static void tell_groups(json_t *list, const struct block *b)
{
    for (int i = 0; i < b->warp_count; i++) {
        const struct warp *w = &b->warps[i];
        for (int k = 0; k < w->group_count && json_array_size(list) < MAX_TOLD; k++) {
            struct standing s;
            stand(&s, w, &w->groups[k], __builtin_ctz(w->groups[k].mask));
            json_t *m = place_json(b->grid->config.kernel->image, s.at);
            json_object_set_new(m, "block", json_integer((json_int_t)b->index));
            json_object_set_new(m, "warp", json_integer(i));
            json_object_set_new(m, "mask", json_integer(s.mask));
            json_object_set_new(m, "state", json_string(state_word(s.state)));
            json_array_append_new(list, m);
        }
    }
}

static bool is_wanted(const json_t *wanted, uint64_t block)
{
    size_t i;
    json_t *m;
    json_array_foreach(wanted, i, m)
        if ((uint64_t)json_integer_value(m) == block)
            return true;
    return false;
}

json_t *where_threads(const json_t *wanted)
{
    json_t *list = json_array();
    const struct block *b;
    bool stuck;
    int started = 0, waiting = 0;
    for (int round = 0; round < 2; round++) /* the blocks that are asked for come first */
        for (int i = 0; agent.grid && machine_resident(agent.machine, i, &b, &stuck); i++) {
            started += !round && b && b->grid == agent.grid;
            waiting += !round && !b;
            if (b && b->grid == agent.grid && is_wanted(wanted, b->index) == !round)
                tell_groups(list, b);
        }
    json_t *m = json_pack("{s:o,s:i,s:i,s:o}", "groups", list, "running", started, "waiting", waiting, "run",
                          where_run());
    return m;
}

json_t *where_run(void)
{
    const struct grid *g = agent.grid;
    json_t *m = json_pack("{s:s,s:I,s:I}", "words", agent.run_words, "number", (json_int_t)agent.runs, "at",
                          (json_int_t)agent.count);
    char name[256];
    if (!g)
        return m;
    put_plain(name, sizeof name, g->config.kernel->name);
    json_object_set_new(m, "kernel", json_string(name));
    json_object_set_new(m, "blocks", json_integer((json_int_t)g->blocks));
    json_object_set_new(m, "finished", json_integer((json_int_t)g->finished));
    json_object_set_new(m, "grid", json_pack("[i,i,i]", g->config.grid[0], g->config.grid[1], g->config.grid[2]));
    json_object_set_new(m, "shape", json_pack("[i,i,i]", g->config.block[0], g->config.block[1], g->config.block[2]));
    return m;
}

/* ---- Frames ---- */

/** Its caller. @return false at the kernel */
static bool go_up(struct standing *s)
{
    const struct frame_header *h = (const struct frame_header *)(s->warp->file + s->frame);
    if (s->frame == 0)
        return false;
    s->at = h->return_pc[s->lane] - 1; /* the call itself */
    s->frame = h->caller_frame[s->lane];
    return true;
}

bool where_frame(struct thread_at t, int frame, struct standing *s)
{
    if (!where_is(t, s))
        return false;
    while (frame-- > 0)
        if (!go_up(s))
            return false;
    return true;
}

json_t *where_stack(struct thread_at t)
{
    json_t *list = json_array();
    struct standing s;
    if (!where_is(t, &s)) {
        json_decref(list);
        return json_pack("{s:s}", "error", "this thread is not there: it has not begun, or has left the kernel");
    }
    const char *state = state_word(s.state);
    uint32_t mask = s.mask;
    do
        json_array_append_new(list, place_json(s.warp->block->grid->config.kernel->image, s.at));
    while (json_array_size(list) < MAX_FRAMES && go_up(&s));
    return json_pack("{s:o,s:s,s:I}", "frames", list, "state", state, "mask", (json_int_t)mask);
}

json_t *where_host(void)
{
    void *addresses[MAX_FRAMES + 1] = {(void *)agent.call}; /* what was issued there may run much later */
    json_t *list = json_array();
    int n = backtrace(addresses + 1, MAX_FRAMES) + 1;
    for (int i = agent.call ? 0 : 1; i < n; i++) {
        const struct call_site *c = call_site(addresses[i], false);
        Dl_info info;
        if (!c->file || !c->line) /* softgpu's own, and the system's */
            continue;
        const char *name = dladdr(addresses[i], &info) && info.dli_sname ? info.dli_sname : "the program";
        json_array_append_new(list, json_pack("{s:s,s:s,s:i}", "function", name, "file", c->file, "line", c->line));
    }
    return json_pack("{s:o}", "frames", list);
}

json_t *where_base(struct thread_at t)
{
    struct standing s;
    if (!where_is(t, &s))
        return json_pack("{s:s}", "error", "this thread is not there");
    const struct site *site = insn_site(s.warp->block->grid->config.kernel->image, s.at);
    json_t *m = json_pack("{s:I,s:I,s:i,s:i,s:I}", "run", (json_int_t)agent.runs, "block", (json_int_t)t.block,
                          "thread", (int)t.thread, "line", site->line, "depth", (json_int_t)s.frame);
    if (site->file)
        json_object_set_new(m, "file", json_string(site->file));
    return m;
}

json_t *where_registers(struct thread_at t, int frame)
{
    struct standing s;
    if (!where_frame(t, frame, &s))
        return json_pack("{s:s}", "error", "this thread is not there");
    const struct function *f = image_function_at(s.warp->block->grid->config.kernel->image, s.at);
    json_t *list = json_array();
    uint32_t at = (uint32_t)(s.at - f->entry);
    for (int i = 0; f->source && f->spans && i < f->source->regs.count && json_array_size(list) < MAX_TOLD * 4; i++) {
        const struct register_span *r = &f->spans[i];
        if (r->offset == REG_NONE || r->from >= at || r->to < at)
            continue;
        const struct ptx_reg *reg = &f->source->regs.data[i];
        unsigned bytes = reg->type == PTX_PRED ? 1 : ptx_type_bytes(reg->type);
        bytes = bytes == 1 && reg->type != PTX_PRED ? 2 : bytes;
        uint64_t v = warp_lane_word(s.warp->file + s.frame + r->offset, bytes, s.lane);
        json_array_append_new(list, json_pack("{s:s,s:s,s:I}", "name", reg->name, "type", ptx_type_name(reg->type),
                                              "value", (json_int_t)v));
    }
    return json_pack("{s:o}", "registers", list);
}

/* ---- The state ---- */

static uint64_t add_bytes(uint64_t h, const void *bytes, uint64_t count)
{
    const uint8_t *at = bytes;
    uint64_t word;
    for (; count >= 8; count -= 8, at += 8) {
        memcpy(&word, at, 8);
        h = mix_in(h, word);
    }
    for (; count; count--)
        h = mix_in(h, *at++);
    return h;
}

static void add_allocation(void *self, struct allocation *a)
{
    uint64_t *h = self;
    *h = mix_in(*h, a->base + a->freed);
    if (!a->freed)
        *h = add_bytes(*h, a->host, a->bytes);
}

static uint64_t add_warp(uint64_t h, const struct warp *w)
{
    h = mix_in(mix_in(h, w->live), w->instructions);
    for (int i = 0; i < w->group_count; i++) {
        struct standing s;
        stand(&s, w, &w->groups[i], 0);
        h = mix_in(mix_in(h, s.at->site), mix_in(s.mask, mix_in(s.frame, (uint64_t)s.state)));
    }
    const struct function *kernel = w->block->grid->config.kernel;
    h = add_bytes(h, w->file + sizeof(struct frame_header), kernel->frame_bytes - sizeof(struct frame_header));
    return w->local ? add_bytes(h, w->local, (uint64_t)w->local_stride * WARP_LANES) : h;
}

uint64_t where_digest(void)
{
    uint64_t h = mix_in(MIX_STEP, agent.count);
    const struct block *b;
    bool stuck;
    memory_each(machine_memory(agent.machine), add_allocation, &h);
    for (int i = 0; machine_resident(agent.machine, i, &b, &stuck); i++) {
        h = mix_in(h, stuck);
        for (int k = 0; b && k < b->warp_count; k++)
            h = add_warp(h, &b->warps[k]);
        if (b)
            h = add_bytes(mix_in(h, b->index), b->shared, b->shared_bytes);
    }
    return h >> 1;
}
