/**
 * @file accesses.c
 * Each access against the shadow words it touches, lane by lane and element by element; the common case, plain
 * words with everything in sight plainly ordered, is handled here.
 */
#include "check/race/accesses.h"
#include "check/race/element.h"
#include "check/race/order.h"

#define PLAIN_WORD 0x20   /* struct epoch's `unit` of a whole 4-byte access */

/* ---- Warps ---- */

/** May lanes that read one word at one time be taken together? */
static bool can_be_grouped(const struct mem_desc *mem)
{
    return mem->count == 1 && mem->bytes == 4;
}

/** The lanes among `left` that read what the first of them reads, at its time. */
static uint32_t group_of(const struct actor *me, const struct mem_access *a, uint32_t left)
{
    int first = __builtin_ctz(left);
    uint64_t address = a->address[first];
    uint32_t time = me->ws->time[first], group = 0;
    for (uint32_t m = left; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        if (a->address[l] == address && me->ws->time[l] == time)
            group |= 1u << l;
    }
    return group;
}

/** Lanes that read one word at one time: one element of a set of readers stands for them. @return false: look
 *  closer, at each of them */
static bool load_group(struct actor *me, const struct mem_access *a, uint32_t lanes)
{
    const struct mem_desc *mem = &a->insn->mem;
    int first = __builtin_ctz(lanes);
    if ((lanes & (lanes - 1)) == 0)
        return false;
    actor_set_lane(me, first);
    struct shadow_word *c = word_at(me, a, first, a->address[first]);
    if (c->flags & WORD_SPLIT)
        return false;
    refresh(c, floor_of(me, a));
    for (uint32_t m = c->write.agent ? lanes : 0; m; m &= m - 1) {
        actor_set_lane(me, __builtin_ctz(m));
        if (!epoch_ordered(me, &c->write) || mem->order == ORDER_NC)
            return false;
    }
    if ((c->flags & WORD_SYNC) && (order_is_strong(mem) || c->sync->tips))
        return false;
    remember_read(me, c, lanes, flags_of(mem, false), (uint8_t)(log2_of(4) << 4), 0);
    return true;
}

/* ---- The common case: one plain word a lane, everything in sight plainly ordered ---- */

static bool is_plain_word(const struct mem_desc *mem)
{
    return mem->count == 1 && mem->bytes == 4 && mem->order == ORDER_WEAK;
}

/** Ordered by the block's or the warp's last barrier; false means: look closer. */
static inline bool plainly_ordered(const struct actor *me, const struct epoch *e)
{
    return e->agent == me->agent && !me->bs->any_left &&
           (e->thread == me->thread || e->time <= me->bs->uniform ||
            (e->thread / WARP_LANES == me->thread / WARP_LANES &&
             e->time <= me->ws->warp_uniform));
}

/** The shadow word if its state can be handled here: a whole word with no strong accesses. */
static inline struct shadow_word *plain_word(const struct actor *me, const struct mem_access *a, int lane,
                                      uint32_t floor)
{
    struct shadow_word *c = word_at(me, a, lane, a->address[lane]);
    if (c->flags & (WORD_SPLIT | WORD_SYNC))
        return NULL;
    if (c->write.agent < floor) {
        c->write.agent = 0;
        c->flags = 0;
    } else if (!plainly_ordered(me, &c->write)) {
        return NULL;
    }
    if (c->read.agent < floor)
        c->read.agent = 0;
    else if ((c->read.flags & EPOCH_LIST) || !plainly_ordered(me, &c->read))
        return NULL;
    return c;
}

static bool load_plain(const struct actor *me, const struct mem_access *a, uint32_t floor)
{
    struct shadow_word *c = plain_word(me, a, me->lane, floor);
    if (!c || (c->read.agent && c->read.flags))
        return false;
    c->read = epoch_of(me, 0, PLAIN_WORD);
    return true;
}

static bool store_plain(const struct actor *me, const struct mem_access *a, uint32_t floor)
{
    struct shadow_word *c = plain_word(me, a, me->lane, floor);
    uint32_t before;
    if (!c)
        return false;
    memcpy(&before, a->host[me->lane], sizeof before);
    c->read.agent = 0;
    remember_write(me, c, 0, PLAIN_WORD, before);
    return true;
}

/** For the quick look of older.c. */
static void note_written(const struct actor *me, const struct mem_access *a)
{
    const struct allocation *last = NULL;
    if (a->space == SPACE_SHARED) {
        me->bs->shared_written = true;
        return;
    }
    for (uint32_t m = a->mask; m; m &= m - 1) {
        struct allocation *al = a->allocation[__builtin_ctz(m)];
        if (al == last)
            continue;
        last = al;
        if (!al->shadow)
            al->shadow = shadow_new(al->bytes + 8);
        shadow_wrote(al->shadow, me->agent);
    }
}

void access_load(struct race *race, const struct warp *w, const struct mem_access *a)
{
    if (!access_is_shared(a))
        return;
    struct actor me = actor_of(race, w, a->insn);
    bool plain = is_plain_word(&a->insn->mem), grouped = can_be_grouped(&a->insn->mem);
    uint32_t floor = floor_of(&me, a), group = grouped ? group_of(&me, a, a->mask) : 0;
    if (group == a->mask && load_group(&me, a, group))
        return;
    for (uint32_t left = a->mask; left;) {
        int lane = __builtin_ctz(left);
        actor_set_lane(&me, lane);
        if (plain && load_plain(&me, a, floor)) {
            left &= left - 1;
            continue;
        }
        group = grouped ? group_of(&me, a, left) : 0;
        if (group && load_group(&me, a, group)) {
            left &= ~group;
            continue;
        }
        actor_set_lane(&me, lane);
        for (int e = 0; e < a->insn->mem.count; e++)
            load_element(&me, a, e);
        left &= left - 1;
    }
}

void access_store(struct race *race, const struct warp *w, const struct mem_access *a)
{
    if (!access_is_shared(a))
        return;
    struct actor me = actor_of(race, w, a->insn);
    bool plain = is_plain_word(&a->insn->mem);
    uint32_t floor = floor_of(&me, a);
    note_written(&me, a);
    for (uint32_t m = a->mask; m; m &= m - 1) {
        actor_set_lane(&me, __builtin_ctz(m));
        if (plain && store_plain(&me, a, floor))
            continue;
        for (int e = 0; e < a->insn->mem.count; e++)
            store_element(&me, a, e);
    }
}

void access_atomic(struct race *race, const struct warp *w, const struct mem_access *a)
{
    if (!access_is_shared(a))
        return;
    struct actor me = actor_of(race, w, a->insn);
    bool returns = a->insn->dst != REG_NONE;
    note_written(&me, a);
    for (uint32_t m = a->mask; m; m &= m - 1) {
        actor_set_lane(&me, __builtin_ctz(m));
        for (int e = 0; e < a->insn->mem.count; e++)
            atomic_element(&me, a, e, returns);
    }
}
