/**
 * @file could.c
 * What the thread that is looked at could read where it stands: of what has been written so far, and, by running on from
 * there, of what comes later in the run.
 */
#include <string.h>

#include "check/checkers.h"
#include "check/race/later.h"
#include "check/race/readable.h"
#include "debug/agent/value.h"
#include "debug/talk.h"

/** The one lane's access, as the checkers would be shown it. @return false: it is none of global or shared memory */
static bool describe(const struct standing *s, struct mem_access *a)
{
    const struct insn *in = s->at;
    uint32_t reg = in->src[0];
    const void *from = reg == REG_NONE     ? NULL
                       : reg & CONST_BIT   ? s->warp->constants + (reg & ~CONST_BIT)
                                           : s->warp->file + s->frame + reg;
    uint64_t address = insn_address(in, from, s->lane);
    enum ptx_space space = in->mem.space ? (enum ptx_space)in->mem.space : generic_resolve(&address);
    a->insn = in;
    a->mask = 1u << s->lane;
    a->space = (uint8_t)space;
    a->address[s->lane] = address;
    if (space == SPACE_SHARED && address + in->mem.bytes <= s->warp->block->shared_bytes) {
        a->host[s->lane] = s->warp->block->shared + address;
        return true;
    }
    struct memory *m = machine_memory(agent.machine);
    a->allocation[s->lane] = memory_find(m, address);
    a->host[s->lane] = memory_translate(m, address, in->mem.bytes);
    return space == SPACE_GLOBAL && a->host[s->lane] && a->allocation[s->lane] && !a->allocation[s->lane]->freed;
}

static void add_place(json_t *m, const char *key, const struct image *im, uint32_t site)
{
    if (site && site < im->site_count && im->sites[site].file) {
        json_object_set_new(m, key, json_integer(im->sites[site].line));
        json_object_set_new(m, "file", json_string(im->sites[site].file));
    }
}

/** What the reader is told of each cause: why an older value than this may be read, or may not. */
static const char *const words[] = {
    [READ_ORDERED] = "the write is ordered before this read",
    [READ_SEEN] = "the write has been read already, by this thread or by one that is ordered before this read",
    [READ_NO_ACQUIRE] = "the writer's signal has been seen, but the read that saw it does not acquire: a fence after that read "
                        "would leave the newest alone",
    [READ_NO_RELEASE] = "the writer's signal has been seen, but it does not release the write: a fence before the signal would "
                        "leave the newest alone",
    [READ_UNORDERED] = "nothing orders the write before this read: its thread has given no signal that was seen"};

static json_t *tell_value(uint64_t value, const struct type *t)
{
    char text[64] = "";
    struct value x = {.type = t, .bits = value};
    if (t->kind == TYPE_UNSIGNED && t->bytes >= 4) /* nvcc's loads have no sign; findings show them so, too */
        x.type = t = type_named(t->bytes == 8 ? "long" : "int");
    if (t->kind == TYPE_SIGNED && t->bytes < 8) {
        unsigned shift = 64 - 8 * (unsigned)t->bytes;
        x.bits = (uint64_t)((int64_t)(value << shift) >> shift);
    }
    value_write(&x, text, sizeof text);
    return json_string(text);
}

static json_t *tell(const struct readable *r, const struct image *im, const struct type *t)
{
    json_t *m = json_pack("{s:o,s:b}", "value", tell_value(r->value, t), "written", r->written);
    add_place(m, "via", im, r->via);
    add_place(m, "signal", im, r->signal);
    if (!r->written)
        return m;
    json_object_set_new(m, "block", json_integer((json_int_t)r->block));
    json_object_set_new(m, "thread", json_integer(r->thread));
    add_place(m, "line", im, r->site);
    json_object_set_new(m, "why", json_string(words[r->cause]));
    json_object_set_new(m, "last", json_boolean(r->cause == READ_ORDERED || r->cause == READ_SEEN));
    return m;
}

/** The load that the thread stands before. @return why it is none that can be asked about; NULL: all is filled in */
static const char *find_load(struct thread_at t, struct standing *s, struct mem_access *a, struct race **race)
{
    if (!where_is(t, s))
        return "this thread is not there";
    if (insn_class(s->at) != INSN_LOAD || s->at->mem.bytes > 8)
        return "this thread does not stand before a load: step to one (si)";
    *race = observers_find(machine_observers(agent.machine), &race_checker);
    if (!*race || !agent.history || !describe(s, a))
        return "this load reads no global or shared memory that is watched";
    return NULL;
}

json_t *could_read(struct thread_at t)
{
    struct standing s;
    struct mem_access a = {0};
    struct readables r;
    struct race *race;
    const char *error = find_load(t, &s, &a, &race);
    if (error)
        return json_pack("{s:s}", "error", error);
    race_readable(race, agent.history, s.warp, &a, s.lane, &r);
    const struct image *im = s.warp->block->grid->config.kernel->image;
    json_t *list = json_array(), *m = json_pack("{s:o,s:b,s:b}", "could", list, "more", r.more, "gaps", r.gaps);
    for (int i = 0; i < r.count; i++)
        json_array_append_new(list, tell(&r.at[i], im, type_of_ptx((enum ptx_type)s.at->mem.type)));
    return m;
}

/* ---- What comes later ---- */

/** Why a later write is allowed, and what would put it behind the load. */
static const char *const later_words[] = {
    [READ_NO_ACQUIRE] = "its thread has seen a signal that this one gives after the load, but the read that saw it does not acquire: a "
                        "fence after that read would rule it out, and it is none if what it writes depends on what is loaded here",
    [READ_NO_RELEASE] = "its thread has seen a signal that this one gives after the load, but the signal does not release: a fence "
                        "before the signal would rule it out, and it is none if what it writes depends on what is loaded here",
    [READ_UNORDERED] = "nothing orders this load before it: a barrier between the two, or a release behind the load that the writer "
                       "acquires before it writes, would rule it out"};

/** The load that is looked ahead from. */
static struct {
    struct later *later;
    const struct type *type;
    const struct image *image;
} ahead;

void ahead_begin(const json_t *order)
{
    struct thread_at t = {(uint64_t)talk_number(order, "block", 0), (uint32_t)talk_number(order, "thread", 0)};
    struct standing s;
    struct mem_access a = {0};
    struct race *race;
    later_free(ahead.later);
    ahead.later = NULL;
    if (!order || find_load(t, &s, &a, &race))
        return;
    ahead.later = later_new(race, s.warp, &a, s.lane);
    ahead.type = type_of_ptx((enum ptx_type)s.at->mem.type);
    ahead.image = s.warp->block->grid->config.kernel->image;
}

struct later *ahead_looks(void)
{
    return ahead.later;
}

static json_t *tell_later(const struct later_write *w)
{
    json_t *m = json_pack("{s:o,s:I,s:i,s:s}", "value", tell_value(w->value, ahead.type), "block", (json_int_t)w->block, "thread",
                          (int)w->thread, "why", later_words[w->cause]);
    add_place(m, "line", w->image, w->site);
    add_place(m, "signal", ahead.image, w->signal);
    add_place(m, "via", w->image, w->via);
    return m;
}

json_t *ahead_tell(bool whole)
{
    const struct later_writes *f = later_found(ahead.later);
    json_t *list = json_array();
    for (int i = 0; i < f->count; i++)
        json_array_append_new(list, tell_later(&f->at[i]));
    return json_pack("{s:o,s:b,s:b,s:b,s:I}", "later", list, "more", f->more, "gaps", f->gaps, "whole", whole, "behind",
                     (json_int_t)f->behind);
}
