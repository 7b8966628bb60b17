/**
 * @file stages.h
 * The stages of decoding besides the instructions themselves, a file each.
 */
#ifndef SOFTGPU_DECODE_STAGES_H
#define SOFTGPU_DECODE_STAGES_H

#include "analyse/blocks.h"
#include "decode/decoder.h"

/** The slot of a constant of the given width. */
uint32_t constant_slot(struct decoder *d, unsigned width, uint64_t low, uint64_t high);
/** Makes the constant area. @return false with `diag` filled when it would be too large */
bool constants_write(struct decoder *d);

/** The function at hand, for analyse/; valid as long as `d` and its rows. */
struct flow_source parsed_flow(const struct decoder *d);
/** Linear scan: fills reg_offset and the function's frame_bytes and registers. */
void registers_assign(struct decoder *d, struct function_info *f);
/** Places .local variables, formal parameters and call parameters of one function. */
void locals_place(struct decoder *d, struct function_info *f);
/** Gives addresses to module variables and fills initial values. */
bool variables_place(struct decoder *d);
/** Call graph, then offsets of all .shared variables. */
bool shared_place(struct decoder *d);
/** Finds out which registers of the function at hand hold addresses made of one .shared variable. Its rows are known, and the layout. */
void base_variables_find(struct decoder *d);
/** Notes in `in` the variable that its address is made of, if that is known; `base`: of its address. */
void base_variable_note(const struct decoder *d, const struct ptx_operand *base, struct insn *in);
void base_variables_forget(struct decoder *d);
/** Keeps by which name the kernels that have several for their dynamic shared memory go there. All is decoded. */
void dynamic_names_keep(struct decoder *d);
/** Fills the site of every instruction. */
void sites_fill(struct decoder *d, struct function_info *f);
/** Makes relaxed the plain looks with which a library's compare-and-swap loops begin. All else is decoded. */
void library_looks_take(const struct decoder *d);
/** Gives atomics the numbers that a register before them was made of. All else is decoded. */
void atomic_numbers_take(const struct decoder *d);

#endif
