/**
 * @file bits.c
 * Fields of a few bits. Writing one is a load, `and`, `or` and a store of all the bytes that hold it: bits that nothing has
 * written go round and are written back beside the field. So where bits of a byte differ, they are followed one by one, through
 * what compilers make fields of (bit_rules.c).
 *
 * Memory: a byte that counts as undefined may have bits that hold something; these stand in a table, which most programs
 * leave empty. It names memory by numbers that are never used again.
 */
#include <stdlib.h>

#include "base/mix.h"
#include "check/uninit/uninit.h"

struct part {
    uint64_t where, at;       /* `where` 0: a free place */
    uint8_t defined;          /* its bits that hold something */
};

static struct part *part_find(const struct parts *p, uint64_t where, uint64_t at)
{
    uint64_t i = mix64(mix_in(where, at));
    for (;; i++) {
        struct part *q = &p->at[i & (p->size - 1)];
        if (!q->where || (q->where == where && q->at == at))
            return q;
    }
}

static void grow(struct parts *p)
{
    struct parts old = *p;
    p->size = old.size ? 2 * old.size : 256;
    p->at = calloc(p->size, sizeof *p->at);
    if (!p->at)
        abort();
    for (uint64_t i = 0; i < old.size; i++)
        if (old.at[i].where)
            *part_find(p, old.at[i].where, old.at[i].at) = old.at[i];
    free(old.at);
}

/** What a lane's access names: the memory, and in *at its first byte there. 0: none that is followed. */
static uint64_t memory_of(const struct uninit *u, const struct warp *w, const struct mem_access *a, int lane, uint64_t *at)
{
    const struct block *b = a->space == SPACE_SHARED && a->owner ? a->owner : w->block;
    uint64_t block = taint_of(u, &b->warps[0])->block;
    *at = a->address[lane];
    switch (a->space) {
    case SPACE_LOCAL: return block << 12 | (uint64_t)w->index << 7 | (uint64_t)lane << 2 | 1;
    case SPACE_SHARED: return block << 12 | 2;
    case SPACE_GLOBAL:
        *at -= a->allocation[lane]->base;
        return (uint64_t)a->allocation[lane]->id << 12 | 3;
    default: return 0;
    }
}

uint64_t bits_missing(const struct uninit *u, const struct warp *w, const struct mem_access *a, int lane, unsigned from, uint8_t bytes)
{
    uint64_t at, where = u->parts.count ? memory_of(u, w, a, lane, &at) : 0, missing = bits_of_bytes(bytes);
    for (unsigned b = 0; where && b < 8; b++)
        if (bytes >> b & 1)
            missing &= ~((uint64_t)part_find(&u->parts, where, at + from + b)->defined << 8 * b);
    return missing;
}

void bits_store(struct uninit *u, const struct warp *w, const struct mem_access *a, int lane, unsigned from, uint8_t bytes, uint64_t missing)
{
    uint64_t at, where;
    if (!u->parts.count && missing == bits_of_bytes(bytes))
        return;
    where = memory_of(u, w, a, lane, &at);
    for (unsigned b = 0; where && b < 8; b++) {
        if (!(bytes >> b & 1))
            continue;
        if (2 * u->parts.count >= u->parts.size)
            grow(&u->parts);
        struct part *p = part_find(&u->parts, where, at + from + b);
        uint8_t defined = (uint8_t) ~(missing >> 8 * b);
        u->parts.count += !p->where && defined;
        if (p->where || defined)
            *p = (struct part){where, at + from + b, defined};
    }
}
