/**
 * @file accesses.c
 * Each access against the shadow words it touches, lane by lane and element by element; the common case, plain
 * words with everything in sight plainly ordered, is handled here.
 */
#include "check/race/accesses.h"
#include "check/race/chained_atomics.h"
#include "check/race/clusters.h"
#include "check/race/element.h"
#include "check/race/hidden_atomics.h"
#include "check/race/joining.h"
#include "check/race/looked.h"
#include "check/race/order.h"
#include "check/race/overlooked.h"
#include "check/race/plain_words.h"
#include "check/race/part_rows.h"
#include "check/race/range_reads.h"
#include "check/race/same_reads.h"
#include "check/race/whole_rows.h"
#include "check/race/shadow/read_log.h"
#include "check/race/shadow/read_ranges.h"
#include "check/race/shadow/reader_group.h"
#include "execute/plain_access.h"
#include "memory/memory.h"

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
    for (int l = 0; l < WARP_LANES; l++)
        group |= (uint32_t)((a->address[l] == address) & (me->ws->time[l] == time)) << l;
    return group & left;
}

/** group_of() where the shape is known. */
static uint32_t group_in(const struct actor *me, const struct mem_access *a, uint32_t left, enum shape shape)
{
    uint32_t first = left & -left;
    switch (shape) {
    case SHAPE_ONE_WORD:
        return left;
    case SHAPE_PAIRS:
        return (first | first << HALF | first >> HALF) & left;
    case SHAPE_HALVES:
        return left & (first < 1u << HALF ? HALF_LANES : ~HALF_LANES);
    case SHAPE_APART:
        return first;
    default:
        return group_of(me, a, left);
    }
}

/** Lanes that read one word at one time join those that have read it so far, where that is all there is to do. @return false: look
 *  closer; nothing has changed then */
static inline bool joins_at_once(struct actor *me, const struct mem_access *a, uint32_t lanes)
{
    int first = __builtin_ctz(lanes);
    if (a->space != SPACE_SHARED || a->insn->mem.order == ORDER_NC || (lanes & (lanes - 1)) == 0)
        return false;
    actor_set_lane(me, first);
    struct shadow_word *c = shared_word(me->home, a->address[first] / 4);
    const struct epoch *e = &c->write;
    if ((c->flags & WORD_SPLIT) || !epoch_is_behind_barrier(me, e) || me->bs->any_left ||
        !joins_group(me, c, lanes, flags_of(&a->insn->mem, false), PLAIN_WORD))
        return false;
    join_group(me, c);
    return true;
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
    go_on_logging(me, a, c, floor_of(me, a));
    refresh(c, floor_of(me, a), settled_for(me, a->space));
    bool settled = epoch_is_behind_barrier(me, &c->write) && !me->bs->any_left && mem->order != ORDER_NC;
    for (uint32_t m = c->write.agent && !settled ? lanes : 0; m; m &= m - 1) {
        actor_set_lane(me, __builtin_ctz(m));
        if (!epoch_ordered(me, &c->write) || mem->order == ORDER_NC)
            return false;
    }
    if ((c->flags & WORD_SYNC) && (order_is_strong(mem) || c->sync->tips || !chain_is_behind_block(me, c)))
        return false;
    uint8_t flags = flags_of(mem, false);
    if (joins_group(me, c, lanes, flags, PLAIN_WORD)) {
        join_group(me, c);
    } else if (order_is_strong(mem)) {
        settle_word(me, a, first, c);
        remember_read(me, c, lanes, flags, PLAIN_WORD, 0);
    } else {
        actor_set_lane(me, first);
        remember_plain_read(me, a, c, a->address[first], lanes, flags, PLAIN_WORD);
    }
    return true;
}

/* ---- The common case: one plain word a lane, everything in sight plainly ordered ---- */

static bool is_words(const struct mem_desc *mem)
{
    return mem->bytes >= 4 && mem->order == ORDER_WEAK;
}

/** Who else has read the words does not matter to a lane that reads them, but has to be remembered. */
static bool load_words(const struct actor *me, const struct mem_access *a, uint32_t floor)
{
    const struct mem_desc *mem = &a->insn->mem;
    const struct sight s = sight_of(me);
    for (unsigned at = 0; at < (unsigned)mem->bytes * mem->count; at += 4) {
        struct shadow_word *c = word_at(me, a, me->lane, a->address[me->lane] + at);
        go_on_logging(me, a, c, floor);
        if (!is_written_in_sight(&s, c, me->thread, floor, settled_for(me, a->space)))
            return false;
        remember_plain_read(me, a, c, a->address[me->lane] + at, 1u << me->lane, 0,
                            (uint8_t)(at % mem->bytes | log2_of(mem->bytes) << 4));
    }
    return true;
}

static bool store_words(const struct actor *me, const struct mem_access *a, uint32_t floor)
{
    const struct mem_desc *mem = &a->insn->mem;
    const struct sight s = sight_of(me);
    for (unsigned at = 0; at < (unsigned)mem->bytes * mem->count; at += 4) {
        struct shadow_word *c = word_at(me, a, me->lane, a->address[me->lane] + at);
        uint32_t before;
        settle_word(me, a, me->lane, c);
        if (!is_written_in_sight(&s, c, me->thread, floor, UINT32_MAX) || (c->read.agent && !are_readers_in_sight(&s, &c->read, me->thread)))
            return false;
        memcpy(&before, a->host[me->lane] + at, sizeof before);
        word_keep_one(c);
        uint8_t flags = epochs_were_read(&c->write, &c->read, me->agent);
        c->read.agent = 0;
        remember_write(me, c, flags, (uint8_t)(at % mem->bytes | log2_of(mem->bytes) << 4), before);
    }
    return true;
}

void note_written_to(const struct actor *me, struct allocation *al)
{
    struct shadow *s = shadow_of(al);
    read_ranges_settle(s, me->bs->floor, me->race->readers);
    shadow_wrote(s, me->agent);
}

/** For the quick look of older.c, and the end of ranges. */
static void note_written(const struct actor *me, const struct mem_access *a)
{
    const struct allocation *last = NULL;
    if (a->space == SPACE_SHARED) {
        me->home->shared_written = true;
        return;
    }
    for (uint32_t m = a->even ? 1 : a->mask; m; m &= m - 1) {
        struct allocation *al = a->allocation[__builtin_ctz(m)];
        if (al != last)
            note_written_to(me, al);
        last = al;
    }
}

/** Every lane, where it is another block's shared memory. */
static void check_begun(struct actor *me, const struct mem_access *a)
{
    for (uint32_t m = me->home != me->bs ? a->mask : 0; m; m &= m - 1) {
        actor_set_lane(me, __builtin_ctz(m));
        clusters_check_begun(me, a);
    }
}

/** Do several lanes seem to read one word, and others another, in shared memory? */
static bool may_be_shared_out(const struct mem_access *a)
{
    return a->space == SPACE_SHARED && a->mask == UINT32_MAX &&
           (a->address[0] == a->address[HALF] || (a->address[0] == a->address[1] && a->address[HALF] == a->address[HALF + 1]));
}

/** The lanes `left`, which read no whole rows, and not all of them one word. `shape`: as far as it is known. */
static void load_rest(struct actor *me, const struct mem_access *a, uint32_t left, enum shape shape, uint32_t floor)
{
    bool grouped = can_be_grouped(&a->insn->mem), words = is_words(&a->insn->mem), plain = words && grouped, weak = a->insn->mem.order == ORDER_WEAK;
    if (left && (left &= ~even_load(me, a, left, floor)))
        left &= ~range_load(me, a, left, floor);
    if (grouped && left == UINT32_MAX && a->space == SPACE_GLOBAL && shape == SHAPE_UNKNOWN) {
        shape = shape_of(me, a);
        left &= ~rows_join(me, a, shape, floor);
    }
    if (grouped && may_be_shared_out(a)) {
        shape = shape_of(me, a);
        left &= ~shared_join(me, a, shape, floor);
    }
    while (left) {
        uint32_t group;
        if (shape >= SHAPE_PAIRS && grouped && joins_at_once(me, a, group = group_in(me, a, left, shape))) {
            left &= ~group;
            continue;
        }
        if (plain && !(left = plain_loads(me, a, left, floor)))
            return;
        int lane = __builtin_ctz(left);
        if (grouped && shape == SHAPE_UNKNOWN)
            shape = shape_of(me, a);
        group = grouped ? group_in(me, a, left, shape) : 0;
        if (group && load_group(me, a, group)) {
            left &= ~group;
            continue;
        }
        actor_set_lane(me, lane);
        if ((words && load_words(me, a, floor)) || range_load_lane(me, a, lane, floor)) {
            left &= left - 1;
            continue;
        }
        if (weak && !grouped)
            group = group_of(me, a, left);
        if (weak && ((words && !grouped && same_words_load(me, a, group, floor)) || same_elements_load(me, a, group, floor))) {
            left &= ~group;
            continue;
        }
        actor_set_lane(me, lane);
        left &= left - 1;
        if (bytes_load(me, a, floor) < a->insn->mem.count)
            load_elements(me, a);
    }
}

/** A load that is no turn of a loop (range_turn()), or is not known to be one yet: who asks that a second time is told that it has been. */
static void load_once(struct actor *me, const struct mem_access *a, uint32_t floor)
{
    uint32_t left = a->space != SPACE_SHARED ? a->mask : words_a_lane(&a->insn->mem) > 1 ? stamps_load_words(me, a) : stamps_load_strong(me, a);
    if (left != a->mask) {
        if (left)
            load_rest(me, a, left, SHAPE_UNKNOWN, floor);
        return;
    }
    bool grouped = can_be_grouped(&a->insn->mem), words = is_words(&a->insn->mem), plain = words && grouped;
    bool one_word = a->address[__builtin_ctz(a->mask)] == a->address[31 - __builtin_clz(a->mask)];
    enum shape shape = one_word ? shape_of(me, a) : SHAPE_UNKNOWN;
    uint32_t group = one_word && grouped ? group_in(me, a, a->mask, shape) : 0;
    if (group == a->mask && load_group(me, a, group))
        return;
    if (shape == SHAPE_ONE_WORD && words && !grouped && same_words_load(me, a, a->mask, floor))
        return;
    if (shape == SHAPE_ONE_WORD && same_elements_load(me, a, a->mask, floor))
        return;
    load_rest(me, a, plain ? a->mask & ~rows_load(me, a, floor) : a->mask, shape, floor);
}

void access_load(struct race *race, const struct warp *w, const struct mem_access *a)
{
    if (!access_is_shared(a) || is_idle_again(race, w, a) || is_overlooked(race, w, a->insn))
        return;
    struct actor me;
    struct reads_together together;
    actor_begin(&me, race, w, a);
    reads_together_begin(&me, a, &together);
    check_begun(&me, a);
    if (!range_turn(&me, a, floor_of(&me, a)))
        load_once(&me, a, floor_of(&me, a));
    reads_together_end(&me);
    look_ends(&me, a);
}

/** Do several lanes read one word? As far as a look at some of them tells. */
static bool may_read_together(const struct plain_access *p)
{
    if (p->mask & (p->mask - 1) && p->at[__builtin_ctz(p->mask)] == p->at[31 - __builtin_clz(p->mask)])
        return true;
    return p->space == SPACE_SHARED && p->mask == UINT32_MAX &&
           (p->at[0] == p->at[HALF] || (p->at[0] == p->at[1] && p->at[HALF] == p->at[HALF + 1]));
}

void access_plain_load(struct race *race, const struct warp *w, struct plain_access *p)
{
    struct actor me;
    actor_begin_plain(&me, race, w, p->insn);
    uint32_t left, floor = floor_in(&me, p->space);
    if (p->space == SPACE_GLOBAL && range_plain_turn(&me, p, floor))
        return;
    if (p->insn->mem.order == ORDER_NC) {
        load_once(&me, plain_full(w, p), floor);
        return;
    }
    if (p->shape != PLAIN_ROW && (p->more || may_read_together(p))) {
        bool is_shared = p->space == SPACE_SHARED;
        if (is_shared && stamps_join(&me, p))
            return;
        left = is_shared && !p->more ? stamps_load(&me, p) : p->mask;
        if (left == p->mask && (!is_shared || plain_join(&me, p, floor) != p->mask))
            load_once(&me, plain_full(w, p), floor);
        else if (left != p->mask && left)
            load_rest(&me, plain_full(w, p), left, SHAPE_UNKNOWN, floor);
        return;
    }
    if (p->space == SPACE_SHARED)
        left = (left = stamps_load(&me, p)) ? shared_loads(&me, p, left, floor) : 0;
    else
        left = (left = p->mask & ~plain_rows_load(&me, p, floor)) && (left = part_loads(&me, p, left, floor)) ? range_plain_load(&me, p, left, floor) : 0;
    if (left)
        load_rest(&me, plain_full(w, p), left, SHAPE_UNKNOWN, floor);
}

/** The lanes `left`, which fill no whole rows. */
static void store_rest(struct actor *me, const struct mem_access *a, uint32_t left, uint32_t floor)
{
    bool words = is_words(&a->insn->mem), plain = words && can_be_grouped(&a->insn->mem);
    for (; left; left &= left - 1) {
        if (plain && !(left = plain_stores(me, a, left, floor)))
            return;
        actor_set_lane(me, __builtin_ctz(left));
        if (words && store_words(me, a, floor))
            continue;
        for (int e = bytes_store(me, a, floor); e < a->insn->mem.count; e++)
            store_element(me, a, e);
    }
}

void access_store(struct race *race, const struct warp *w, const struct mem_access *a)
{
    if (!access_is_shared(a) || is_overlooked(race, w, a->insn))
        return;
    struct actor me;
    actor_begin(&me, race, w, a);
    check_begun(&me, a);
    bool plain = is_words(&a->insn->mem) && can_be_grouped(&a->insn->mem);
    uint32_t floor = floor_of(&me, a);
    note_written(&me, a);
    uint32_t left = a->mask & ~(plain ? rows_store(&me, a, floor) : even_store(&me, a, floor));
    if (a->space == SPACE_SHARED && words_a_lane(&a->insn->mem) > 1)
        left = stamps_store_words(&me, a);
    else if (a->space == SPACE_SHARED && order_is_strong(&a->insn->mem))
        left = stamps_store_strong(&me, a);
    store_rest(&me, a, left, floor);
}

void access_plain_store(struct race *race, const struct warp *w, struct plain_access *p)
{
    struct actor me;
    actor_begin_plain(&me, race, w, p->insn);
    uint32_t left, floor = floor_in(&me, p->space);
    if (p->space == SPACE_SHARED) {
        me.home->shared_written = true;
        left = (left = stamps_store(&me, p)) ? shared_stores(&me, p, left, floor) : 0;
    } else {
        note_written_to(&me, p->allocation);
        left = (left = p->mask & ~plain_rows_store(&me, p, floor)) ? part_stores(&me, p, left, floor) : 0;
    }
    if (left)
        store_rest(&me, plain_full(w, p), left, floor);
}

void access_atomic(struct race *race, const struct warp *w, const struct mem_access *a)
{
    if (access_is_shared(a))
        access_atomics(race, w, a, a->mask);
}

void access_atomics(struct race *race, const struct warp *w, const struct mem_access *a, uint32_t lanes)
{
    struct actor me;
    actor_begin(&me, race, w, a);
    bool returns = a->insn->dst != REG_NONE && !race->agents.data[me.agent].launch->deaf; /* what nobody uses is no signal */
    check_begun(&me, a);
    note_written(&me, a);
    atomics_fetch_ahead(&me, a, lanes);
    struct chained chained;
    struct reads_together together; /* of lanes that only read: compare-and-swaps that fail */
    chained_begin(&chained, &me, floor_of(&me, a), returns);
    reads_together_begin(&me, a, &together);
    for (uint32_t m = lanes; m; m &= m - 1) {
        actor_set_lane(&me, __builtin_ctz(m));
        if (chained.may && chained_atomic(&chained, &me, a))
            continue;
        for (int e = 0; e < a->insn->mem.count; e++)
            atomic_element(&me, a, e, returns);
    }
    reads_together_end(&me);
}
