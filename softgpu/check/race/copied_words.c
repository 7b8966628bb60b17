/**
 * @file copied_words.c
 * See copied_words.h.
 */
#include "check/race/copied_words.h"

#include <string.h>

#include "check/race/element.h"
#include "check/race/stamp_steps.h"

bool copied_put(const struct actor *me, const struct copy_side *to)
{
    struct block_state *bs = me->bs;
    uint32_t lane = (uint32_t)me->lane, first = (uint32_t)to->address[lane] / 4, end = first + to->bytes[lane] / 4;
    if (bs->stamps)
        bs->stamps->copies = me->as_agent;
    if (!stamps_begin_access(bs) || to->owner != bs->block || to->bytes[lane] % 4 || to->address[lane] % 4)
        return false;
    for (uint32_t i = first; i < end; i++)
        if (!is_behind_all(me, i, lane))
            return false;
    for (uint32_t i = first; i < end; i++) {
        struct shadow_word *c = stamps_open(bs, i);
        uint8_t flags = epochs_were_read(&c->write, &c->read, me->as_agent);
        word_clear(c);
        c->write = (struct epoch){.agent = me->as_agent, .time = me->as_time, .site = to->at->site, .thread = (uint16_t)me->thread,
                                  .flags = flags, .unit = PLAIN_WORD};
        c->flags = WORD_OLD;
        memcpy(&c->old, to->host[lane] + 4 * (i - first), 4);
    }
    return true;
}
