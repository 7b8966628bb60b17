/**
 * @file uses.h
 * Who reads and who writes a register, in the whole function. Registers share slots: a slot's readers are
 * those of every register that lives there at some time.
 */
#ifndef SOFTGPU_ANALYSE_USES_H
#define SOFTGPU_ANALYSE_USES_H

#include "code/image.h"

/** Instructions, counted from function->entry, in order of the text. */
struct insn_list {
    const int *at;
    int count;
};

/** @param reg  an offset in the frame. A guard reads; a guarded write reads nothing. */
struct insn_list register_readers(const struct function *f, uint32_t reg);
struct insn_list register_writers(const struct function *f, uint32_t reg);

#endif
