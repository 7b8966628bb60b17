/**
 * @file stamped_earlier.c
 * See stamps.h: what a read's words were read by before. Where a block reads much between two barriers (a table by threads that each want another of its words)
 * that is thinned out: of a thread's reads of a word only the last counts, as with readers in sets (PRUNE_OLDER).
 */
#include <assert.h>
#include <stdlib.h>

#include "check/race/stamps.h"

#define FEW_EARLIER (1 << 13)  /* reads between two barriers of the block that keep earlier ones, before they are thinned out: 1 MB; */
#define MOST_EARLIER (1 << 16) /* … and where most of them have to stay, at most */
#define MAX_THREADS 1024

/** Whose reads of a word have been met, from the last one on: of words, and of halves of eight bytes. */
struct met {
    uint64_t threads[3][MAX_THREADS / 64]; /**< weak, weak of eight bytes, strong */
    uint8_t strong;                        /**< epoch flags of the strong ones; 0: there was none */
};

/** Is it the last of its thread's reads of its kind of the word? Who reads together with others, by an atomic, or by another kind of strong access than those behind it, stays. */
static bool is_last(struct met *met, const struct stamps *st, uint32_t stamp)
{
    const struct stamped *s = &st->accesses.data[stamp >> STAMP_LANES];
    if (s->together || (s->strong && met->strong && s->strong != met->strong) || is_of_atomic(s))
        return true;
    if (s->strong)
        met->strong = s->strong;
    uint32_t thread = (uint32_t)s->warp * WARP_LANES + stamp % WARP_LANES;
    uint64_t *of = &met->threads[s->strong ? 2 : s->wide][thread / 64], bit = 1ull << thread % 64;
    bool last = !(*of & bit);
    *of |= bit;
    return last;
}

/** Where it stands what a read keeps; NULL: it keeps nothing. */
static uint32_t *kept_at(const struct stamps *st, uint32_t stamp)
{
    const struct stamped *s = &st->accesses.data[stamp >> STAMP_LANES];
    return s->earlier ? &st->earlier.data[s->earlier].stamp[stamp % WARP_LANES] : NULL;
}

/** Leaves out of a word's reads, of which `stamp` is the last, those that others make superfluous, and marks what the rest needs. */
static void thin_word(const struct stamps *st, uint32_t stamp, uint8_t *needed)
{
    struct met met = {0};
    is_last(&met, st, stamp);
    for (uint32_t *next; (next = kept_at(st, stamp)); stamp = *next) {
        while (*next >= st->before && !is_last(&met, st, *next)) {
            const uint32_t *further = kept_at(st, *next);
            *next = further ? *further : 0;
        }
        if (*next < st->before)
            return;
        needed[st->accesses.data[stamp >> STAMP_LANES].earlier] = 1;
    }
}

static void thin(struct stamps *st)
{
    uint32_t count = 1, words = (uint32_t)(st->old - st->read);
    uint8_t *needed = calloc((size_t)st->earlier.count, 1);
    uint32_t *number = calloc((size_t)st->earlier.count, sizeof *number);
    assert(needed && number);
    for (uint32_t i = 0; i < words; i++)
        if (st->read[i] >= st->before && st->read[i] != STAMP_OPENED)
            thin_word(st, st->read[i], needed);
    for (int i = 1; i < st->earlier.count; i++)
        if (needed[i]) {
            st->earlier.data[count] = st->earlier.data[i];
            number[i] = count++;
        }
    for (int i = (int)(st->before >> STAMP_LANES); i < st->accesses.count; i++)
        st->accesses.data[i].earlier = number[st->accesses.data[i].earlier];
    st->earlier.count = (int)count;
    free(needed);
    free(number);
}

uint32_t stamps_keep_earlier(struct stamps *st, uint32_t number)
{
    if (!st->earlier.count)
        *LIST_PUSH(&st->earlier) = (struct earlier_reads){0};
    if (st->room < FEW_EARLIER)
        st->room = FEW_EARLIER;
    if (st->earlier.count > st->room && st->full != st->before) {
        thin(st);
        if (st->earlier.count > st->room / 2 && st->room < MOST_EARLIER)
            st->room *= 2;
        else if (st->earlier.count > st->room / 4 * 3) /* not for each of the next ones again */
            st->full = st->before;
    }
    if (st->earlier.count > st->room)
        return 0;
    *LIST_PUSH(&st->earlier) = (struct earlier_reads){0};
    return st->accesses.data[number].earlier = (uint32_t)st->earlier.count - 1;
}
