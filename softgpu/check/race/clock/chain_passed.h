/**
 * @file chain_passed.h
 * Private to the chains: all that contributions of a chain pass on, one after another. What is the same as what came before from the same fence is kept once.
 */
#ifndef SOFTGPU_CHECK_RACE_CLOCK_CHAIN_PASSED_H
#define SOFTGPU_CHECK_RACE_CLOCK_CHAIN_PASSED_H

#include "check/race/clock/release_chain.h"

/** One more reference to all that it names, and one less. */
void passed_ref(const struct passed *p);
void passed_drop(const struct passed *p);
/** Notes that contribution `by`, the last so far, passes that on, and takes over the references. @return false: it is nothing */
bool chain_pass(struct release_chain *m, int by, const struct passed *p);
/** The place in m->passed of contribution `from`, or of the first one after it that passes anything on; m->passed.count: there is none. */
int chain_passed_from(const struct release_chain *m, int from);

/** All of contributions [from, upto] that pass anything on, as `p`. */
#define FOR_PASSED(p, m, from, upto)                                                               \
    for (const struct passing *p = (m)->passed.data + chain_passed_from(m, from), *end = (m)->passed.data + (m)->passed.count; p < end && p->by <= (upto); p++)

/** Whose it is. */
static inline const struct contribution *chain_giver(const struct release_chain *m, const struct passing *p)
{
    return &m->from.data[p->by];
}

/** What it is. */
static inline const struct passed *chain_given(const struct release_chain *m, const struct passing *p)
{
    return &m->kept.data[p->what];
}

/** Of a contribution that passes something on: the one before it that is for its own threads too; -1: there is none. */
static inline int chain_before(const struct release_chain *m, int i, enum chain_near near)
{
    return m->passed.data[m->from.data[i].passed - 1].before[near];
}

#endif
