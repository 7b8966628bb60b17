/**
 * @file same_reads.h
 * Loads by which several lanes read the same at one time, of more than plain words of four bytes: taken together, for what is
 * remembered of each lane by itself is the same set of readers in the end.
 */
#ifndef SOFTGPU_CHECK_RACE_SAME_READS_H
#define SOFTGPU_CHECK_RACE_SAME_READS_H

#include "check/race/actor.h"
#include "check/race/shadow/read_log.h"
#include "memory/memory.h"

/** Before a plain read of a word that is logged: it may stay so, or the log is settled. */
static inline void go_on_logging(const struct actor *me, const struct mem_access *a, const struct shadow_word *c, uint32_t floor)
{
    if (c->flags & WORD_LOGGED)
        read_log_go_on(a->allocation[me->lane]->shadow, floor, me->race->readers);
}

/** Plain words whose last writes are ordered before all of `lanes`. @return false: look closer; nothing is remembered then */
bool same_words_load(struct actor *me, const struct mem_access *a, uint32_t lanes, uint32_t floor);
/** A weak load of several lanes from where there were strong writes: each lane is judged, and one element of a set of readers stands for all.
 *  @return false: it is none, or somebody has something to report: lane by lane; nothing is remembered then */
bool same_elements_load(struct actor *me, const struct mem_access *a, uint32_t lanes, uint32_t floor);

#endif
