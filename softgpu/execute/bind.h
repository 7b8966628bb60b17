/**
 * @file bind.h
 * From what an instruction is to the function that runs it.
 */
#ifndef SOFTGPU_EXECUTE_BIND_H
#define SOFTGPU_EXECUTE_BIND_H

#include "code/image.h"

/**
 * Chooses the handler of every instruction: once, before the image runs.
 * @param checked  choose the observed variants of memory operations
 */
void image_bind(struct image *im, bool checked);
/** The handler that runs an instruction, whatever insn->run leads to. */
handler_fn bind_handler(const struct insn *in);
/** From now on the instruction is run by `enter`, where compiled code begins. Others may be running it. */
void bind_entry(struct insn *in, handler_fn enter);

#endif
