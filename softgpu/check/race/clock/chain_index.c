/**
 * @file chain_index.c
 * See chain_index.h.
 */
#include "check/race/clock/chain_index.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mix.h"

/** Where the index keeps a key, or would. */
static uint32_t index_slot(const struct chain_index *x, uint64_t key)
{
    uint32_t h = (uint32_t)mix64(key) & x->mask;
    while (x->at[h].key && x->at[h].key != key)
        h = (h + 1) & x->mask;
    return h;
}

int chain_index_get(const struct chain_index *x, uint64_t key)
{
    uint32_t h = x->count ? index_slot(x, key) : 0;
    return x->count && x->at[h].key ? x->at[h].value : -1;
}

void chain_index_put(struct chain_index *x, uint64_t key, int value)
{
    if (x->count * 2 >= x->mask) {
        struct chain_index wide = {.mask = x->mask ? x->mask * 2 + 1 : 7, .count = x->count};
        wide.at = calloc((size_t)wide.mask + 1, sizeof *wide.at);
        assert(wide.at);
        for (uint32_t i = 0; x->at && i <= x->mask; i++)
            if (x->at[i].key)
                wide.at[index_slot(&wide, x->at[i].key)] = x->at[i];
        free(x->at);
        *x = wide;
    }
    uint32_t h = index_slot(x, key);
    x->count += !x->at[h].key;
    x->at[h].key = key;
    x->at[h].value = value;
}
