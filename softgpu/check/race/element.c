/**
 * @file element.c
 * From an element of an access to the shadow words that speak for it.
 */
#include "check/race/conflict.h"
#include "check/race/element.h"
#include "check/race/shadow/read_log.h"
#include "check/race/shadow/reader_group.h"

void settle_word(const struct actor *me, const struct mem_access *a, int lane, const struct shadow_word *c)
{
    if (c->flags & WORD_LOGGED)
        read_log_settle(a->allocation[lane]->shadow, floor_of(me, a), me->race->readers);
}

void check_before_split(const struct actor *me, const struct mem_access *a, int element, uint8_t flags, enum conflict kind, struct outcome *out)
{
    unsigned size = me->insn->mem.bytes;
    if (size >= 4)
        return;
    const struct shadow_word *c = word_at(me, a, me->lane, a->address[me->lane] + (uint64_t)element * size);
    if ((c->flags & WORD_SYNC) && c->write.agent >= floor_of(me, a))
        check_tips(me, c, flags, (uint8_t)(log2_of(size) << 4), kind, out);
}

int units_of(const struct actor *me, const struct mem_access *a, int lane, int element,
             struct unit *units)
{
    unsigned size = me->insn->mem.bytes;
    uint64_t address = a->address[lane] + (uint64_t)element * size;
    int n = 0;
    for (unsigned at = 0; at < size;) {
        struct shadow_word *c = word_at(me, a, lane, address + at);
        settle_word(me, a, lane, c);
        word_open_group(me->race->readers, c);
        if (size < 4)
            word_split(c);
        if (!(c->flags & WORD_SPLIT)) {
            units[n++] = (struct unit){c, 4, (uint8_t)at, (uint8_t)(at | log2_of(size) << 4)};
            at += 4;
            continue;
        }
        unsigned end = size < 4 ? at + size : at + 4;
        for (; at < end; at++) {
            struct shadow_word *byte = &c->bytes[(address + at) % 4];
            word_open_group(me->race->readers, byte);
            units[n++] = (struct unit){byte, 1, (uint8_t)at, (uint8_t)(at | log2_of(size) << 4)};
        }
    }
    return n;
}
