/**
 * @file inline_parts.h
 * What inline.c and its parts ask of an instruction as parsed, and offer each other.
 */
#ifndef SOFTGPU_DECODE_INLINE_PARTS_H
#define SOFTGPU_DECODE_INLINE_PARTS_H

#include <string.h>

#include "decode/decoder.h"
#include "parse/module.h"

static inline bool instr_is(const struct ptx_instr *pi, const char *mnemonic)
{
    return strcmp(pi->mnemonic, mnemonic) == 0;
}

/** Does it only copy to a register, or negate? */
static inline bool instr_copies(const struct ptx_instr *pi)
{
    return (instr_is(pi, "mov") || instr_is(pi, "not")) && pi->operand_count == 2 && pi->operands[0].kind == OPERAND_REG;
}

/** May the thread go on to the next one? */
static inline bool instr_falls(const struct ptx_instr *pi)
{
    return pi->guard >= 0 || !(instr_is(pi, "bra") || instr_is(pi, "brx") || instr_is(pi, "ret") || instr_is(pi, "exit"));
}

/** Is its first operand read, too? */
static inline bool instr_only_reads(const struct ptx_instr *pi)
{
    return instr_is(pi, "st") || instr_is(pi, "red");
}

/** Is it a short function that accesses memory by strong accesses, and in which no lanes meet? */
bool function_looks(const struct ptx_function *g);
/** Variables that only pass whole values to inlined bodies, and back, become registers. */
void slots_become_registers(struct ptx_module *m, struct ptx_function *f);
/** What local variables, and parameters, only hold becomes registers, but for what is inside what another one holds. @return has anything? */
bool places_become_registers(struct ptx_module *m, struct ptx_function *f);
/** Takes away what only code for debugging has; `first`: registers below it, and branches, are left as they are, unless it is 0. */
void function_tidy(struct ptx_module *m, struct ptx_function *f, int first);
/** What has been computed on the way, from what is there still, is copied from where that stands; `enters`: entered_of(). @return was there any? */
bool computed_again_is_copied(struct ptx_module *m, struct ptx_function *f, const bool *enters);
/** A branch round copies, and a few computations, becomes a choice. @return has any? */
bool branches_become_choices(struct ptx_module *m, struct ptx_function *f);
/** Branches lead where they end up. */
void branches_straighten(struct ptx_module *m, struct ptx_function *f);
/** A function's labels by name, each with its instruction. The caller frees the entries. */
struct name_table labels_of(const struct ptx_function *f);
/** By instruction, and one more: where its branch leads; -1: it is none, or leads nowhere. The caller frees it. */
int *branch_targets_of(const struct ptx_function *f);
/** A label of the instruction's, which is new. */
const char *label_here(struct ptx_module *m, struct ptx_function *f, int at);
/** Does it leave in its first operand, a whole register, a function of what it reads, which stays what it is, and nothing else? */
bool instr_can_be_had(const struct ptx_function *f, const struct ptx_instr *pi);
/** May an operand of it be the literal? Asked where it matters, and where every form takes one. */
bool instr_takes_literal(const struct ptx_instr *pi, const struct ptx_operand *literal);
/** May one register stand where one of the other type does? */
bool registers_alike(enum ptx_type a, enum ptx_type b);
/** What stays the same in all turns of a loop is made before it, and a copy is used under the name of what it was made of. @return has anything moved? */
bool invariants_move(struct ptx_module *m, struct ptx_function *f);
/** Has nvcc made it in haste? Then there are branches that lead to the very next instruction. */
bool module_in_haste(const struct ptx_module *m);
/** It is none any more; function_tidy() closes the gap. */
void instruction_vanishes(struct ptx_instr *pi);
/** By instruction, and one more: may a branch lead there? The caller frees it. */
bool *entered_of(const struct ptx_function *f);
/** So many numbers, and one more, that are all `value`. The caller frees them. */
int *numbers_new(int count, int value);
/** Notes at which instruction the operand's registers are written. */
void note_results(int *written, const struct ptx_operand *o, int at);
/** Counts the instruction's reads of each register: a copy's result is none, any other's is taken for one. */
void count_reads(const struct ptx_function *f, int *reads, const struct ptx_instr *pi);

#endif
