/**
 * @file could.c
 * What the thread that is looked at could read where it stands.
 */
#include <string.h>

#include "check/checkers.h"
#include "check/race/readable.h"
#include "debug/agent/value.h"

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

static json_t *tell(const struct readable *r, const struct image *im, const struct type *t)
{
    char text[64] = "";
    struct value x = {.type = t, .bits = r->value};
    if (t->kind == TYPE_UNSIGNED && t->bytes >= 4) /* nvcc's loads have no sign; findings show them so, too */
        x.type = t = type_named(t->bytes == 8 ? "long" : "int");
    if (t->kind == TYPE_SIGNED && t->bytes < 8) {
        unsigned shift = 64 - 8 * (unsigned)t->bytes;
        x.bits = (uint64_t)((int64_t)(r->value << shift) >> shift);
    }
    value_write(&x, text, sizeof text);
    json_t *m = json_pack("{s:s,s:b}", "value", text, "written", r->written);
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

json_t *could_read(struct thread_at t)
{
    struct standing s;
    struct mem_access a = {0};
    struct readables r;
    struct race *race = observers_find(machine_observers(agent.machine), &race_checker);
    if (!where_is(t, &s))
        return json_pack("{s:s}", "error", "this thread is not there");
    if (insn_class(s.at) != INSN_LOAD || s.at->mem.bytes > 8)
        return json_pack("{s:s}", "error", "this thread does not stand before a load: step to one (si)");
    if (!race || !agent.history || !describe(&s, &a))
        return json_pack("{s:s}", "error", "this load reads no global or shared memory that is watched");
    race_readable(race, agent.history, s.warp, &a, s.lane, &r);
    const struct image *im = s.warp->block->grid->config.kernel->image;
    json_t *list = json_array(), *m = json_pack("{s:o,s:b,s:b}", "could", list, "more", r.more, "gaps", r.gaps);
    for (int i = 0; i < r.count; i++)
        json_array_append_new(list, tell(&r.at[i], im, type_of_ptx((enum ptx_type)s.at->mem.type)));
    return m;
}
