/**
 * @file chain_passed.h
 * Private to release_chain.c and chain_host.c: all that contributions of a chain pass on, one after another.
 */
#ifndef SOFTGPU_CHECK_RACE_CLOCK_CHAIN_PASSED_H
#define SOFTGPU_CHECK_RACE_CLOCK_CHAIN_PASSED_H

#include "check/race/clock/release_chain.h"

/** All that contributions [from, upto] pass on, as `p`. */
#define FOR_PASSED(p, m, from, upto)                                                               \
    for (const struct passed *p = chain_passed_from(m, from), *end = (m)->passed.data + (m)->passed.count; p < end && p->by <= (upto); p++)

/** Whose it is. */
static inline const struct contribution *chain_giver(const struct release_chain *m, const struct passed *p)
{
    return &m->from.data[p->by];
}

#endif
