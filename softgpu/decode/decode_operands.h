/**
 * @file decode_operands.h
 * Operands of the text as register offsets, and what a symbol stands for.
 */
#ifndef SOFTGPU_DECODE_DECODE_OPERANDS_H
#define SOFTGPU_DECODE_DECODE_OPERANDS_H

#include "decode/decoder.h"

/** Width of a register slot: 1 stands for a predicate, else bytes 2, 4, 8 or 16. */
#define WIDTH_PRED 1
unsigned width_of_type(enum ptx_type type);

/** A source of exactly `width`: register, literal or a symbol's address. */
bool operand_source(struct decoder *d, const struct ptx_operand *o, unsigned width, uint32_t *reg);
/** A source register of any width from `least` up, or a literal of width `least`. */
bool operand_source_wide(struct decoder *d, const struct ptx_operand *o, unsigned least,
                         uint32_t *reg, unsigned *width);
/** Is an operand, a register or a literal, of a type that may stand for the wanted one? PTX_NONE wants an integer. (operand_types.c) */
bool operand_is(struct decoder *d, const struct ptx_operand *o, enum ptx_type wanted);
/** The same of a vector's elements, where one of bits lets all pass; `integers_too`: integers for floats, too. */
bool vector_is(struct decoder *d, const struct ptx_operand *o, enum ptx_type wanted, bool integers_too);
/** The same of a register, or a vector of them, that holds part of a matrix. */
bool fragment_is(struct decoder *d, const struct ptx_operand *o, enum ptx_type wanted);
/** May a register be an address? One of floats may not (operand_types.c). */
bool register_addresses(struct decoder *d, const struct ptx_operand *o);
/** A predicate source, `!p` allowed. */
bool operand_pred(struct decoder *d, const struct ptx_operand *o, uint32_t *reg, bool *negated);
/** A destination register; REG_NONE for `_`. */
bool operand_target(struct decoder *d, const struct ptx_operand *o, unsigned width, uint32_t *reg);
/** A destination that must be a register. */
bool operand_result(struct decoder *d, const struct ptx_operand *o, unsigned width, uint32_t *reg);
bool operand_target_wide(struct decoder *d, const struct ptx_operand *o, unsigned least,
                         uint32_t *reg, unsigned *width);
/** `d` or `d|p`: the second is REG_NONE where absent. */
bool operand_target_pair(struct decoder *d, const struct ptx_operand *o, unsigned width,
                         unsigned width2, uint32_t *reg, uint32_t *reg2);
/** Fails for a literal integer where the instruction's last type is a real one. */
bool operand_check_literal(struct decoder *d, const struct ptx_instr *pi,
                           const struct ptx_operand *o);
/** A literal integer. */
bool operand_literal(struct decoder *d, const struct ptx_operand *o, int64_t *value);
/** `[base + offset]`: fills mem.space, mem.address_bytes, src[0], offset. (decode_memory.c) */
bool decode_address(struct decoder *d, const struct ptx_operand *o, struct insn *in);
/** The modifiers of enum atom_op, in its order. */
#define ATOM_NAMES "add min max inc dec and or xor exch cas"
/** Can elements of this type be reduced so, each by an atomic? (decode_memory.c) */
bool atom_reduces(int op, enum ptx_type t);
/** Instruction has between `least` and `most` operands. */
bool operand_count(struct decoder *d, const struct ptx_instr *pi, int least, int most);

/** Records that no row knows these modifiers. @return false */
bool decode_fail_form(struct decoder *d, const struct ptx_instr *pi);

/** What a symbol stands for. */
struct symbol {
    enum { SYMBOL_UNKNOWN, SYMBOL_VARIABLE, SYMBOL_FUNCTION } kind;
    enum ptx_space space;         /**< of a variable; LOCAL: relative to local_base */
    uint64_t address;
    int function;
};
struct symbol operand_symbol(struct decoder *d, const struct ptx_operand *o);
/** Was it declared in local memory? Arguments and results of calls lie there, too, but were not. */
bool symbol_is_local(const struct decoder *d, const struct ptx_operand *o);
/** If the operand is a variable: does it lie there? */
bool symbol_lies_in(struct decoder *d, const struct ptx_operand *o, enum ptx_space space);

/** Makes `in` the move from a special register to in->dst, of in->mem.reg_bytes. @return false, told, if there is none of the name (decode_move.c) */
bool decode_special_register(struct decoder *d, const char *name, struct insn *in);

#endif
