/**
 * @file unheard.h
 * What threads are known not to have heard of. A read asks what its thread has heard of the word's last writes when it may be shown an older value, and again when
 * it is judged; a thread that polls asks the same at each look. As long as it has observed nothing new, the answer "of none" stays: what others had observed by a
 * moment is never more later.
 */
#ifndef SOFTGPU_CHECK_RACE_UNHEARD_H
#define SOFTGPU_CHECK_RACE_UNHEARD_H

#include <stdbool.h>

#include "check/race/order.h"

struct unheard_event {
    uint32_t agent, thread, time;
};

/** Who asks, and of what. All of it is compared, byte by byte: it has no gaps. */
struct unheard_question {
    uint64_t run;              /**< race->runs */
    struct places places;      /**< where writes are no signals */
    uint32_t agent, thread;
    uint32_t observed, by_all; /**< how often what it has observed has changed, and what its block has passed on */
    uint32_t only_heard, count; /**< so many events */
    struct unheard_event event[MAX_TARGETS];
    uint32_t end;              /**< 0 */
};

#define UNHEARD_KEPT 4096

/** All zero: nothing is known. */
struct unheard {
    struct unheard_question kept[UNHEARD_KEPT];
};

/** Is it known that nothing has been heard? */
bool unheard_knows(const struct unheard *u, const struct unheard_question *q);
/** Nothing has. */
void unheard_note(struct unheard *u, const struct unheard_question *q);

#endif
