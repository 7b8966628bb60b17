/**
 * @file call_types.h
 * What a call may give for a parameter, and take as a result.
 */
#ifndef SOFTGPU_DECODE_CALL_TYPES_H
#define SOFTGPU_DECODE_CALL_TYPES_H

#include "parse/module.h"

/** Is this operand of a call in `f` of the type, size and alignment of the parameter that it stands for? */
bool call_operand_fits(const struct ptx_function *f, const struct ptx_operand *o, const struct ptx_variable *formal);
/** The function has this prototype of another one's, too, under a label of its own. */
void call_prototype_copy(struct ptx_function *f, const struct ptx_prototype *from, const char *label);

#endif
