/**
 * @file put_off.c
 * Additions to sets of readers that nobody has asked for yet. Most sets are never looked at: the word's next writer is another launch's, and
 * comes after all of them. So a set is what it was and what came, until somebody walks through it.
 */
#include <assert.h>
#include <stdlib.h>

#include "check/race/shadow/reader_store.h"

#define MOVED UINT32_MAX   /* in place of `set`: `result` is the new number */

bool set_is_put_off(uint32_t set)
{
    return (set & (BRANCH | PUT_OFF)) == PUT_OFF;
}

static struct put_off *at(const struct readers *rs, uint32_t set)
{
    return &rs->put_off[set & ~PUT_OFF];
}

/** Would the addition leave the set, which is put off, as it is, for its own last one has those lanes? */
static bool is_there(const struct put_off *last, const struct put_off *p)
{
    const struct reader *a = &last->element, *b = &p->element;
    return !last->warps && !p->warps && a->agent == b->agent && a->warp == b->warp && !(b->mask & ~a->mask) && reader_mergeable(a, b);
}

static uint32_t put(struct readers *rs, uint32_t set, const struct put_off *p)
{
    if (rs->put_off_count == rs->put_off_cap) {
        rs->put_off_cap *= 2;
        rs->put_off = reader_store_checked(realloc(rs->put_off, rs->put_off_cap * sizeof *rs->put_off));
    }
    struct put_off *own = &rs->put_off[rs->put_off_count];
    *own = *p;
    own->set = set;
    own->result = 0;
    own->element.rest = set_is_put_off(set) ? at(rs, set)->element.rest + 1 : 1;
    return rs->put_off_count++ | PUT_OFF;
}

uint32_t readers_put_off(struct readers *rs, uint32_t set, const struct put_off *p)
{
    if (set_is_put_off(set)) {
        const struct put_off *last = at(rs, set);
        if (is_there(last, p))
            return set;
        if (last->result || last->element.rest == PUT_OFF_MOST)
            set = readers_made(rs, set);
    }
    return rs->put_off_count < MAX_KEPT ? put(rs, set, p) : readers_make(rs, set, p);
}

uint32_t readers_made(struct readers *rs, uint32_t set)
{
    for (; set_is_put_off(set) && !at(rs, set)->result; set = at(rs, set)->set)
        *LIST_PUSH(&rs->waiting) = set;
    if (set_is_put_off(set))
        set = at(rs, set)->result;
    while (rs->waiting.count) {
        struct put_off *p = at(rs, rs->waiting.data[--rs->waiting.count]);
        set = p->result = readers_make(rs, set, p);
    }
    return set;
}

uint32_t readers_keep_put_off(struct readers *rs, uint32_t set)
{
    for (; set_is_put_off(set) && !at(rs->old, set)->result; set = at(rs->old, set)->set)
        *LIST_PUSH(&rs->waiting) = set;
    struct put_off *known = set_is_put_off(set) ? at(rs->old, set) : NULL;
    uint32_t kept = !known ? readers_keep(rs, set) : known->set == MOVED ? known->result : readers_keep(rs, known->result);
    if (known) {
        known->set = MOVED;
        known->result = kept;
    }
    while (rs->waiting.count) {
        struct put_off *p = at(rs->old, rs->waiting.data[--rs->waiting.count]);
        p->result = kept = put(rs, kept, p);
        p->set = MOVED;
    }
    return kept;
}
