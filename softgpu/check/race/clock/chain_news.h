/**
 * @file chain_news.h
 * Private to release_chain.c: contributions that pass on to their device what it has not got in the chain from the same fence. A thread that polls by
 * atomics passes on the same each time, and of very many that do nobody goes through more than one contribution of each.
 */
#ifndef SOFTGPU_CHECK_RACE_CLOCK_CHAIN_NEWS_H
#define SOFTGPU_CHECK_RACE_CLOCK_CHAIN_NEWS_H

#include "check/race/clock/release_chain.h"

/** Contribution `by`, the last so far, passes something on: is it one? */
void chain_note_news(struct release_chain *m, int by);
/** The place in m->news of contribution `from`, or of the first one after it that is there; m->news.count: there is none. */
int chain_news_from(const struct release_chain *m, int from);

/** The one at that place. */
static inline const struct passing *chain_news_at(const struct release_chain *m, int place)
{
    return &m->passed.data[m->news.data[place].at];
}

/** The places of all from contribution `from` to `upto`. */
#define FOR_NEWS(i, m, from, upto) for (int i = chain_news_from(m, from); i < (m)->news.count && (m)->news.data[i].by <= (upto); i++)

#endif
