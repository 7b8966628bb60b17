/**
 * @file sides.h
 * The side of a branch to which it leads: how far it goes, and who comes there.
 */
#ifndef SOFTGPU_ANALYSE_SIDES_H
#define SOFTGPU_ANALYSE_SIDES_H

#include "code/image.h"

/** Where both sides of the branch meet again: who does not take it goes round the other side by a branch of its own. NULL: there is no other side */
const struct insn *side_ends(const struct function *f, const struct insn *branch);

/** Others come to where the branch leads, too, from behind it, as where a loop is unrolled: up to where those may come without coming there. */
const struct insn *shared_side_ends(const struct function *f, const struct insn *branch);

/** Does who has not taken the branch come to `act` for another location, or behind another check, or not at all? */
bool others_come_elsewhere(const struct function *f, const struct insn *branch, const struct insn *check, const struct insn *act);

#endif
