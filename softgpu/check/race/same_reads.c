/**
 * @file same_reads.c
 * See same_reads.h.
 */
#include "check/race/same_reads.h"

#include "check/race/conflict.h"
#include "check/race/element.h"
#include "check/race/joining.h"
#include "check/race/shadow/reader_group.h"

/** Lanes remember to have read a word. One by one they would be the same group in the end. */
static void remember_lanes(struct actor *me, const struct mem_access *a, struct shadow_word *c, uint64_t address, uint32_t lanes,
                           uint8_t unit)
{
    if (joins_group(me, c, lanes, 0, unit)) {
        join_group(me, c);
        return;
    }
    uint32_t first = word_has_group(c) ? 0 : lanes & -lanes; /* it may take another reader's place */
    if (first)
        remember_plain_read(me, a, c, address, first, 0, unit);
    if (lanes & ~first)
        remember_plain_read(me, a, c, address, lanes & ~first, 0, unit);
}

/** Is the word's last write ordered before each of the lanes? The actor's lane is the first of them, and stays so. */
static bool is_before_all(struct actor *me, const struct epoch *e, uint32_t lanes)
{
    uint32_t m = lanes;
    if (e->agent == me->agent && e->time <= me->bs->uniform && !me->bs->any_left)
        return true;
    for (; m; m &= m - 1) {
        actor_set_lane(me, __builtin_ctz(m));
        if (!epoch_ordered(me, e))
            break;
    }
    actor_set_lane(me, __builtin_ctz(lanes));
    return !m;
}

bool same_words_load(struct actor *me, const struct mem_access *a, uint32_t lanes, uint32_t floor)
{
    const struct mem_desc *mem = &a->insn->mem;
    unsigned bytes = (unsigned)mem->bytes * mem->count;
    actor_set_lane(me, __builtin_ctz(lanes));
    uint64_t address = a->address[me->lane];
    for (unsigned at = 0; at < bytes; at += 4) {
        const struct shadow_word *c = word_at(me, a, me->lane, address + at);
        if ((c->flags & (WORD_SPLIT | WORD_SYNC)) || (c->write.agent >= floor && !is_before_all(me, &c->write, lanes)))
            return false;
    }
    for (unsigned at = 0; at < bytes; at += 4) {
        struct shadow_word *c = word_at(me, a, me->lane, address + at);
        go_on_logging(me, a, c, floor);
        refresh(c, floor, settled_for(me, a->space));
        remember_lanes(me, a, c, address + at, lanes, (uint8_t)(at % mem->bytes | log2_of(mem->bytes) << 4));
    }
    return true;
}

/** Is this the place for a look at each lane first? Other plain reads are remembered more cheaply, but for those of less than a word, which part it: in
 *  global memory ranges tell of them. */
static bool is_for_elements(const struct actor *me, const struct mem_access *a)
{
    return (a->space == SPACE_SHARED && a->insn->mem.bytes < 4) || (word_at(me, a, me->lane, a->address[me->lane])->flags & WORD_SYNC);
}

/** Lanes that have nothing to report remember to have read it. The first may take another reader's place; in a set all are one element. */
static void remember_elements(struct actor *me, struct shadow_word *c, uint32_t lanes, uint8_t flags, uint8_t unit)
{
    uint32_t first = c->read.flags & EPOCH_LIST && c->read.agent ? 0 : lanes & -lanes;
    if (first)
        remember_read(me, c, first, flags, unit, 0);
    if (lanes & ~first)
        remember_read(me, c, lanes & ~first, flags, unit, 0);
}

bool same_elements_load(struct actor *me, const struct mem_access *a, uint32_t lanes, uint32_t floor)
{
    struct unit units[MAX_ELEMENTS][16];
    int count = a->insn->mem.count, n[MAX_ELEMENTS];
    uint8_t flags = flags_of(&a->insn->mem, false);
    struct outcome out = {0};
    if (a->insn->mem.order != ORDER_WEAK || (lanes & (lanes - 1)) == 0)
        return false;
    actor_set_lane(me, __builtin_ctz(lanes));
    if (!is_for_elements(me, a))
        return false;
    for (int e = 0; e < count; e++) {
        for (uint32_t m = a->insn->mem.bytes < 4 ? lanes : 0; m; m &= m - 1) {
            actor_set_lane(me, __builtin_ctz(m));
            check_before_split(me, a, e, flags, WRITE_THEN_READ, &out);
        }
        if (out.conflict)
            return false;
        n[e] = units_of(me, a, me->lane, e, units[e]);
        for (int i = 0; i < n[e]; i++)
            refresh(units[e][i].word, floor, settled_for(me, a->space));
    }
    for (uint32_t m = lanes; m && !out.conflict; m &= m - 1) {
        actor_set_lane(me, __builtin_ctz(m));
        for (int e = 0; e < count; e++)
            for (int i = 0; i < n[e]; i++) {
                check_write(me, units[e][i].word, flags, units[e][i].code, WRITE_THEN_READ, &out);
                check_tips(me, units[e][i].word, flags, units[e][i].code, WRITE_THEN_READ, &out);
            }
    }
    actor_set_lane(me, __builtin_ctz(lanes));
    for (int e = 0; e < count && !out.conflict; e++)
        for (int i = 0; i < n[e]; i++)
            remember_elements(me, units[e][i].word, lanes, flags, units[e][i].code);
    return !out.conflict;
}
