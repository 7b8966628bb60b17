/**
 * @file chain_late.c
 * See chain_late.h.
 */
#include "check/race/clock/chain_late.h"

#include <assert.h>
#include <stdlib.h>

#include "check/race/clock/chain_news.h"

#define KEPT 16

/** What the first so many of the chain's `news` give, joined; of 0: nothing is kept there. */
struct chain_late {
    int sc_count[KEPT], acquired_count[KEPT];
    struct vector_clock *sc[KEPT];
    struct knowledge *acquired[KEPT];
    unsigned next_sc, next_acquired; /**< the place that is taken next */
};

void chain_late_drop(struct chain_late *l)
{
    for (int i = 0; l && i < KEPT; i++) {
        clock_drop(l->sc[i]);
        knowledge_drop(l->acquired[i]);
    }
    free(l);
}

static struct chain_late *late_of(struct release_chain *m)
{
    if (!m->late)
        m->late = calloc(1, sizeof *m->late);
    assert(m->late);
    return m->late;
}

/** The place of the most that is no more than `most`; -1: there is none. */
static int find(const int count[KEPT], int most)
{
    int best = -1;
    for (int i = 0; i < KEPT; i++)
        if (count[i] && count[i] <= most && (best < 0 || count[i] > count[best]))
            best = i;
    return best;
}

/** How many of the chain's news come from contributions up to `upto`. */
static int news_upto(const struct release_chain *m, int upto)
{
    return chain_news_from(m, upto + 1);
}

void chain_acquire_late(struct release_chain *m, int upto, struct knowledge **dst)
{
    struct chain_late *l = late_of(m);
    int count = news_upto(m, upto), best = find(l->acquired_count, count), from = best < 0 ? 0 : l->acquired_count[best];
    struct knowledge *k = best < 0 ? NULL : knowledge_ref(l->acquired[best]);
    for (int i = from; i < count; i++)
        chain_give_device(m, chain_news_at(m, i), &k);
    if (from < count) {
        unsigned to = l->next_acquired++ % KEPT;
        knowledge_drop(l->acquired[to]);
        l->acquired[to] = knowledge_ref(k);
        l->acquired_count[to] = count;
    }
    knowledge_join(dst, k);
    knowledge_drop(k);
}

void chain_sc_late(struct release_chain *m, int upto, struct vector_clock **dst)
{
    struct chain_late *l = late_of(m);
    int count = news_upto(m, upto), best = find(l->sc_count, count), from = best < 0 ? 0 : l->sc_count[best];
    struct vector_clock *v = best < 0 ? NULL : clock_ref(l->sc[best]);
    for (int i = from; i < count; i++)
        chain_give_sc(m, chain_news_at(m, i), &v);
    if (from < count) {
        unsigned to = l->next_sc++ % KEPT;
        clock_drop(l->sc[to]);
        l->sc[to] = clock_ref(v);
        l->sc_count[to] = count;
    }
    clock_join(dst, v);
    clock_drop(v);
}
