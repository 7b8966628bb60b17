/**
 * @file barrier_advice.h
 * Where a barrier is missing between two accesses of one block. Private to advice.c.
 */
#ifndef SOFTGPU_CHECK_RACE_BARRIER_ADVICE_H
#define SOFTGPU_CHECK_RACE_BARRIER_ADVICE_H

#include "check/race/explain.h"
#include "report/finding.h"

/** What to try, and the lines that it is said with. */
static inline void advise(struct finding *f, enum race_advice what, int first, int second)
{
    f->facts.race.advice = what;
    f->facts.race.lines[0] = first;
    f->facts.race.lines[1] = second;
}

/** Against a race of two threads of a block. */
void advise_barrier(struct finding *f, const struct actor *me, const struct conflict_info *info);

/** The same of two of which all that is known is that the first comes before, by the way through the code: outside of the branches in which they stand. */
void advise_ahead(struct finding *f, const struct image *im, const struct insn *first, const struct insn *then);

/** The same, where the one looks at the condition of a loop which the other changes in that turn. @return false if it is not so */
bool advise_look(struct finding *f, const struct actor *me, const struct conflict_info *info);

/** All threads write on one line, by `writes`: by one of them only, unless an atomic has told each where. */
void advise_writer(struct finding *f, const struct image *im, const struct insn *writes, int line);

#endif
