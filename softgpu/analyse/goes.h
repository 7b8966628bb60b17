/**
 * @file goes.h
 * Where that goes which was read: to elsewhere in memory, or into what is then put in its place.
 */
#ifndef SOFTGPU_ANALYSE_GOES_H
#define SOFTGPU_ANALYSE_GOES_H

#include "analyse/carried.h"
#include "code/image.h"

/** The next instruction behind `in` that puts what `check` has read, or without `copies` also what is made of it, at some other place. `kept`: what is carried, up to
 *  `in`; carried_result() at first. NULL: there is none. In the order of the text. */
const struct insn *value_kept_next(const struct function *f, const struct insn *check, const struct insn *in, struct carried *kept, bool copies);

/** Does what `check` has read go on to elsewhere, not only decide? Followed in the order of the text. */
bool value_goes_elsewhere(const struct function *f, const struct insn *check);

/** Is what was read made into the address of another access: a link that is followed? In the order of the text. */
bool value_leads_on(const struct function *f, const struct insn *read);

/** `act` stores at the place that `check` has read. Does that lead to what was read, or what was read to it? So it is where a node is pushed on a list, or behind its last
 *  one: what was read is stored where the node lies that is then the head, or the node is stored where what was read leads. Followed in the order of the text, also behind `act`. */
bool value_is_linked(const struct function *f, const struct insn *check, const struct insn *act);

#endif
