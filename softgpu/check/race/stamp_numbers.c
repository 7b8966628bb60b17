/**
 * @file stamp_numbers.c
 * See stamps.h: accesses to which nothing refers any more lose their numbers, and the others begin anew with the first.
 */
#include <assert.h>
#include <stdlib.h>

#include "check/race/stamps.h"

/** Where a strong store since the last barrier is a word's last write: the stamps of those before. @return how many */
static int pasts_of(const struct stamps *st, uint32_t word, uint32_t *past[1 + MAX_PAST])
{
    const uint32_t stamp = st->write[word];
    const struct stamped *s = &st->accesses.data[stamp == STAMP_OPENED ? 0 : stamp >> STAMP_LANES];
    int count = 0;
    if (stamp < st->before || !s->strong || is_of_atomic(s))
        return 0;
    past[count++] = &st->past[word];
    for (int i = 0; st->pasts && i < st->pasts[word].count; i++)
        past[count++] = &st->pasts[word].stamp[i];
    return count;
}

/** Marks what accesses that are marked keep; these came before them. */
static void mark_earlier(const struct stamps *st, uint32_t *number)
{
    for (uint32_t i = (uint32_t)st->accesses.count; i-- > st->before >> STAMP_LANES;) {
        uint32_t kept = number[i] ? st->accesses.data[i].earlier : 0;
        for (uint32_t lane = 0; kept && lane < WARP_LANES; lane++)
            number[st->earlier.data[kept].stamp[lane] >> STAMP_LANES] = 1;
    }
}

static uint32_t renumbered(const uint32_t *number, uint32_t stamp)
{
    return stamp == STAMP_OPENED ? stamp : number[stamp >> STAMP_LANES] << STAMP_LANES | stamp % WARP_LANES;
}

void stamps_renumber(struct block_state *bs)
{
    struct stamps *st = bs->stamps;
    uint32_t count = 1, words = 2 * bs->shared_words, *past[1 + MAX_PAST]; /* `read` lies behind `write` */
    uint32_t *number = calloc((size_t)st->accesses.count + 1, sizeof *number);
    assert(number);
    for (uint32_t i = 0; i < words; i++)
        if (st->write[i] != STAMP_OPENED)
            number[st->write[i] >> STAMP_LANES] = 1;
    for (uint32_t i = 0; i < bs->shared_words; i++)
        for (int k = pasts_of(st, i, past); k > 0; k--)
            number[*past[k - 1] >> STAMP_LANES] = 1;
    mark_earlier(st, number);
    for (int i = 1; i <= st->accesses.count; i++) {
        if (i == (int)(st->before >> STAMP_LANES))
            st->before = count << STAMP_LANES;
        if (i == st->accesses.count || !number[i])
            continue;
        number[i] = count;
        st->accesses.data[count++] = st->accesses.data[i];
    }
    number[0] = 0;
    for (uint32_t i = 0; i < words; i++)
        st->write[i] = renumbered(number, st->write[i]);
    for (uint32_t i = 0; i < bs->shared_words; i++)
        for (int k = pasts_of(st, i, past); k > 0; k--)
            *past[k - 1] = renumbered(number, *past[k - 1]);
    for (int i = 0; i < st->earlier.count; i++)
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            st->earlier.data[i].stamp[lane] = renumbered(number, st->earlier.data[i].stamp[lane]);
    st->accesses.count = st->written = (int)count;
    st->looked = st->before;
    free(number);
}
