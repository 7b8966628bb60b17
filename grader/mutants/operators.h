/**
 * @file operators.h
 * The mutation operators: each deletes or weakens one statement of a PTX text.
 *
 * An operator makes at most one mutant of a statement, and always the same. docs/mutants.md says
 * what each one means for a student's program.
 */
#ifndef GRADER_MUTANTS_OPERATORS_H
#define GRADER_MUTANTS_OPERATORS_H

#include "mutants/ptx_text.h"

struct mutant {
    const char *operator; /**< its name; static */
    int statement;        /**< the index of the statement that is replaced */
    int number;           /**< 1-based among the mutants of its operator, function and place */
    int same;             /**< how many those are */
    char *replacement;    /**< PTX in place of that statement; "" deletes it */
};

struct mutant_list {
    struct mutant *list;
    int count;
};

/** All mutants of a text, in the order of its statements; mutants_free() is due. */
void mutants_make(struct mutant_list *out, const struct ptx_text *p);
void mutants_free(struct mutant_list *m);
/** The whole text with the mutation done; the caller frees. */
char *mutant_text(const struct ptx_text *p, const struct mutant *m);
/** Whether there is an operator of this name. */
bool mutant_operator_exists(const char *name);
/** Adds the names of all operators, separated by ", ". */
void mutant_operator_names(struct text *out);

#endif
