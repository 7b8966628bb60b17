/**
 * @file equivalents.h
 * solutions/LAB/equivalent.txt: mutants that no test can catch, each with the reason.
 *
 *     OPERATOR PLACE  REASON
 *         (more of the reason on indented lines)
 *
 * PLACE is LINE, KERNEL:LINE or KERNEL:CALLER:LINE, the last for what was inlined into line CALLER;
 * with #N, only the N-th mutant there; or *, and the operator's mutants are left out: what it changes is not what the
 * lab is about. '#' starts a comment line.
 */
#ifndef GRADER_MUTANTS_EQUIVALENTS_H
#define GRADER_MUTANTS_EQUIVALENTS_H

#include "mutants/operators.h"

struct equivalent {
    char *operator, *kernel; /**< kernel NULL: any */
    int caller, line, number; /**< caller -1, number 0: any */
    bool all;                 /**< the operator's mutants are left out */
    int at;                   /**< line of the file */
    char *reason;
    int matched;              /**< how many mutants it covered */
};

struct equivalents {
    struct equivalent *list;
    int count;
};

/** Reads the file; one that does not exist is empty. False with `t` naming its line. equivalents_free()
 *  is due either way. */
bool equivalents_read(struct equivalents *e, const char *path, const char *shown, struct trouble *t);
void equivalents_free(struct equivalents *e);
/** The entry that covers a mutant, counted in it; NULL if none. */
const struct equivalent *equivalents_find(struct equivalents *e, const struct ptx_text *p,
                                          const struct mutant *m);
/** Whether the mutants of an operator are left out; counted like the others. */
bool equivalents_leave_out(struct equivalents *e, const char *operator);

#endif
