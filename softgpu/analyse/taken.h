/**
 * @file taken.h
 * A place whose content is read, and which is then emptied, or filled with something else, by another instruction: an exchange by hand.
 */
#ifndef SOFTGPU_ANALYSE_TAKEN_H
#define SOFTGPU_ANALYSE_TAKEN_H

#include "code/image.h"

/** Is it what a place holds that is empty, 0 or -1, that `in` puts there? Any other number is an update like others: which of them stays is the program's to say. */
bool is_emptied_by(const struct function *f, const struct insn *in, uint32_t operand);

/** Does the thread that puts there by `in` what is no number of the text, another thread another one, keep at some other place just what it has read? */
bool is_replaced_by(const struct function *f, const struct insn *check, const struct insn *in, uint32_t operand);

#endif
