/**
 * @file definedness.c
 * Which bytes hold something, by definition (happens_before.h): as accesses do not conflict, the threads can go one after another from
 * barrier to barrier.
 */
#include "happens_before.h"

#include <stdlib.h>
#include <string.h>

/** Memory, a byte for each byte: does it hold something? */
struct known {
    uint8_t global[GLOBAL_ARRAYS][GLOBAL_BYTES], shared[SHARED_ARRAYS][SHARED_BYTES];
};

/** @return whether all that it reads holds something, or of what an atomic adds to at least a part does: 16 bits of a word are added to so */
static bool access_defined(struct known *m, const struct random_kernel *k, const struct step *s, uint32_t block, uint32_t thread, uint32_t turn)
{
    uint8_t *at = s->shared ? m->shared[s->array] : m->global[s->array];
    bool all = true, some = false;
    if (!step_taken(k, s, block, thread))
        return true;
    at += step_place(k, s, block, thread, turn);
    for (unsigned i = 0; i < s->unit * s->count; i++)
        if (s->act == ACT_STORE)
            at[i] = true;
        else if (s->act == ACT_ADD || i % s->unit < 4) { /* of elements of 8 bytes that are loaded the first four are summed up */
            all &= at[i], some |= at[i];
            if (s->act == ACT_ADD)
                at[i] = all; /* a carry goes on */
        }
    return all || (s->act == ACT_ADD && some);
}

/** A thread's steps from one barrier of any kind to the next, beginning at `*at` in turn `*turn`. */
static bool walk_on(struct known *m, const struct random_kernel *k, uint32_t block, uint32_t thread, int *at, uint32_t *turn)
{
    bool all = true;
    for (; *at < k->count; ++*at) {
        const struct step *s = &k->step[*at];
        if (s->act == ACT_BARRIER || s->act == ACT_WARP_BARRIER) {
            ++*at;
            return all;
        }
        if (s->act <= ACT_ADD)
            all &= access_defined(m, k, s, block, thread, *turn);
        if (s->act == ACT_LOOP_END) {
            int loop = *at;
            while (k->step[loop].act != ACT_LOOP)
                loop--;
            if (++*turn < k->step[loop].turns)
                *at = loop;
            else
                *turn = 0;
        }
    }
    return all;
}

bool sums_undefined(const struct random_kernel *k, const struct range_access *cleared)
{
    struct known *m = calloc(1, sizeof *m);
    bool all = true;
    if (!m)
        abort();
    for (int i = 0; i < GLOBAL_ARRAYS; i++)
        memset(m->global[i] + cleared[i].from, true, cleared[i].bytes);
    for (uint32_t block = 0; block < k->blocks; block++) {
        memset(m->shared, !k->unwritten, sizeof m->shared);
        uint32_t turn = 0, next_turn = 0;
        for (int at = 0, next = 0; at < k->count; at = next, turn = next_turn)
            for (uint32_t t = 0; t < k->threads; t++) {
                next = at, next_turn = turn;
                all &= walk_on(m, k, block, t, &next, &next_turn);
            }
    }
    free(m);
    return !all;
}
