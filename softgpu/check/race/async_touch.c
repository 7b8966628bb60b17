/**
 * @file async_touch.c
 * What asynchronous copies read and write, against the shadow words.
 */
#include "check/race/async_touch.h"

#include "check/race/accesses.h"
#include "check/race/clusters.h"
#include "check/race/element.h"
#include "check/race/explain.h"
#include "check/race/host.h"
#include "check/race/range_reads.h"
#include "check/race/shadow/read_ranges.h"
#include "memory/memory.h"

static bool is_fenced(const struct actor *me, const struct knowledge *const know[2], const struct epoch *e, enum knowledge_part part)
{
    bool fenced = false;
    for (int k = 0; k < 2; k++)
        fenced |= know[k] && clock_covers(me->race, know[k]->part[part], e->agent, e->thread, e->time);
    return fenced;
}

/** A plain store that the bulk copy reads, and that only base causality puts before it. */
static void check_proxy(const struct actor *me, const struct mem_access *a, int element)
{
    struct unit unit[16];
    const struct lane_state *ls = actor_lane(me);
    const struct knowledge *know[2] = {me->bs->base, ls ? ls->extra : NULL};
    int n = units_of(me, a, me->lane, element, unit);
    for (int i = 0; i < n; i++) {
        const struct epoch *e = &unit[i].word->write;
        const struct agent *writer = &me->race->agents.data[e->agent];
        if (!e->agent || writer->bulk || writer->launch != me->race->agents.data[me->agent].launch ||
            !epoch_ordered(me, e))
            continue;
        bool global = a->space != SPACE_SHARED;
        if (is_fenced(me, know, e, global ? KNOW_PROXY_GLOBAL : KNOW_PROXY_SHARED))
            continue;
        uint64_t now = newest_value(a, me->lane, element);
        struct conflict_info info = {.conflict = WRITE_THEN_READ, .other = e, .space = (enum ptx_space)a->space,
                                     .address = a->address[me->lane] + (uint64_t)element * me->insn->mem.bytes,
                                     .has_value = true, .now = now, .before = now, .proxy_only = true,
                                     .proxy_elsewhere = is_fenced(me, know, e, global ? KNOW_PROXY_SHARED : KNOW_PROXY_GLOBAL)};
        explain(me, &info);
        return;
    }
}

static void touch_element(struct actor *me, struct mem_access *a, int element, enum touch how)
{
    int l = me->lane;
    switch (how) {
    case TOUCH_READ:
        load_element(me, a, element);
        if (me->as_agent && me->race->agents.data[me->as_agent].bulk)
            check_proxy(me, a, element);
        break;
    case TOUCH_MAP:
        load_element(me, a, element);
        break;
    case TOUCH_WRITE:
        store_element(me, a, element);
        break;
    case TOUCH_UPDATE:
        a->old[0][l] = newest_value(a, l, element);
        a->wrote = a->mask;
        atomic_element(me, a, element, false);
    }
}

/** Elements of one side, of whole words, or of the size that an atomic has, or a byte. */
static void touch(struct actor *me, struct mem_access *a, const struct copy_side *side, const struct copy_side *from, uint32_t at,
                  uint32_t count, enum touch how)
{
    uint32_t size = me->insn->mem.bytes;
    int l = me->lane;
    a->insn = me->insn;
    a->mask = 1u << l;
    a->space = side->space;
    a->owner = side->owner ? side->owner : me->bs->block;
    a->address[l] = side->address[l] + at;
    a->host[l] = side->host[l] + at;
    a->allocation[l] = side->allocation[l];
    if (!access_is_shared(a))
        return;
    me->home = a->space == SPACE_SHARED ? a->owner->check[me->race->slot] : me->bs;
    if (at == 0)
        clusters_check_begun(me, a);
    for (uint32_t e = 0; e < count; e++) {
        uint32_t begin = at + e * size, left = from->bytes[l] > begin ? from->bytes[l] - begin : 0;
        a->value[e][l] = 0;
        if (left)
            memcpy(&a->value[e][l], from->host[l] + begin, left < size ? left : size);
    }
    host_check_access(me->race, me->warp, a, how == TOUCH_WRITE || how == TOUCH_UPDATE ? a->mask : 0);
    for (uint32_t e = 0; e < count; e++)
        touch_element(me, a, (int)e, how);
}

void touch_side(struct actor *me, struct mem_access *scratch, const struct copy_side *side, const struct copy_side *from,
                enum touch how)
{
    const struct insn *whole = me->insn;
    struct insn piece = *side->at;
    uint32_t bytes = side->bytes[me->lane], update = ptx_type_bytes((enum ptx_type)piece.mem.type);
    me->insn = &piece;
    if (how == TOUCH_UPDATE) {
        piece.mem.order = ORDER_RELAXED;
        piece.mem.scope = SCOPE_GPU;
    }
    for (uint32_t at = 0; at < bytes;) {
        bool word = bytes - at >= 4 && !((side->address[me->lane] + at) & 3);
        uint32_t words = (bytes - at) / 4;
        piece.mem.bytes = (uint8_t)(how == TOUCH_UPDATE ? update : word ? 4 : 1);
        piece.mem.count = (uint8_t)(how == TOUCH_UPDATE || !word ? 1 : words < 4 ? words : 4);
        touch(me, scratch, side, from, at, piece.mem.count, how);
        at += (uint32_t)piece.mem.bytes * piece.mem.count;
    }
    me->insn = whole;
}

uint32_t touch_source(const struct actor *me, struct mem_access *scratch, const struct copy_side *from, uint32_t lanes)
{
    struct actor reader = *me;
    struct insn whole = *from->at;
    unsigned bytes = from->bytes[__builtin_ctz(lanes)];
    if (from->space != SPACE_GLOBAL || bytes < 4 || bytes > 16 || (bytes & (bytes - 1)))
        return 0;
    for (uint32_t m = lanes; m; m &= m - 1)
        if (from->bytes[__builtin_ctz(m)] != bytes || from->address[__builtin_ctz(m)] % 4)
            return 0;
    whole.mem.bytes = 4;
    whole.mem.count = (uint8_t)(bytes / 4);
    reader.insn = scratch->insn = &whole;
    scratch->mask = lanes;
    scratch->space = from->space;
    scratch->owner = NULL;
    scratch->row = scratch->even = false;
    memcpy(scratch->address, from->address, sizeof from->address);
    memcpy(scratch->host, from->host, sizeof from->host);
    memcpy(scratch->allocation, from->allocation, sizeof from->allocation);
    uint32_t done = range_copy(&reader, scratch, reader.bs->floor);
    scratch->mask = done;
    if (done)
        host_check_access(me->race, me->warp, scratch, 0);
    return done;
}

void access_copy_writes(struct block_state *bs, const struct copy_side *to, uint32_t agent, int lane)
{
    if (to->space == SPACE_SHARED) {
        ((struct block_state *)(to->owner ? to->owner : bs->block)->check[bs->race->slot])->shared_written = true;
        return;
    }
    struct shadow *s = shadow_of(to->allocation[lane]);
    read_ranges_settle(s, bs->floor, bs->race->readers);
    shadow_wrote(s, agent);
}
