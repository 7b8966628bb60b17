/**
 * @file random_text.h
 * Between the files that write a random kernel's text.
 */
#ifndef TESTS_RANDOM_TEXT_H
#define TESTS_RANDOM_TEXT_H

#include "random_kernel.h"

/** The text that grows, and the next numbers of registers and labels. */
struct text {
    FILE *out;
    const struct random_kernel *k;
    int r, d, p, h, label;
    int loop;             /**< the label of the loop that is open; 0: none */
    int locked;           /**< where who does not take the lock goes on; 0: none */
};

/** A register of 32 bits that is new. */
static inline int new_word(struct text *t)
{
    return ++t->r;
}

/** The predicate that says that the thread takes part, as far as the guard says. */
int random_guard(struct text *t, const struct step *s);
/** Skips to a label who is of another block, or not taken by the guard. @return the label; 0: all take part */
int random_skip(struct text *t, const struct step *s);
/** The scope of the GPU or, not `wide`, of the block, in one of its words. */
const char *random_scope(const struct text *t, const struct step *s, bool wide);
/** Writes the address into `out`, as an operand. */
void random_address(struct text *t, const struct step *s, char *out, size_t size);

/** A copy, and the steps of random_signals(). */
void random_copy_text(struct text *t, const struct step *s);
void random_signal_text(struct text *t, const struct step *s);
/** What must be before them: mbarriers that know how many arrive. */
void random_met_text(struct text *t);

#endif
