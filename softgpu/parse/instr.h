/**
 * @file instr.h
 * An instruction as parsed: a mnemonic, its dotted modifiers in order, operands, where it comes from. What they mean is
 * the operation table's business (code/ops.def). Strings belong to the module (module.h).
 */
#ifndef SOFTGPU_PARSE_INSTR_H
#define SOFTGPU_PARSE_INSTR_H

#include <stdbool.h>
#include <stdint.h>

/** Where an instruction comes from (`.loc`). File 0 means unknown. */
struct ptx_loc {
    int file;             /**< index into module->files by `.file` number, 0 = none */
    int line, column;
    int inlined_at;       /**< index into module->locs of the call site, -1 = not inlined */
    const char *function; /**< whose call was inlined at loading (decode/inline.h); NULL: none */
};

enum ptx_operand_kind {
    OPERAND_REG,      /**< `name` is a register declared in the function (its index in `reg`) */
    OPERAND_SPECIAL,  /**< `name` is a special register, e.g. "%tid.x" */
    OPERAND_INT,      /**< `bits` holds a 64-bit integer (negative ones sign-extended) */
    OPERAND_FLOAT32,  /**< `bits` holds the 32 bits of 0f… */
    OPERAND_FLOAT64,  /**< `bits` holds the 64 bits of 0d… or of a decimal floating literal */
    OPERAND_SYMBOL,   /**< `name` + `offset`: a variable, function or label not in brackets */
    OPERAND_ADDRESS,  /**< `[base + offset]`: `element[0]` is the base (REG, SYMBOL or INT) */
    OPERAND_VECTOR,   /**< `{a, b, …}`: `element[0..count)` */
    OPERAND_PAIR,     /**< `a|b`: element[0], element[1] */
    OPERAND_SINK,     /**< `_` */
    OPERAND_LIST,     /**< `(a, b)` of a call: returns or arguments */
};

#define PARAM_BASE 1000000
#define RETURN_BASE 2000000

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negated;          /**< `!p` on a predicate, or `-` before a register */
    const char *name;
    const char *part;      /**< "b0" of a register's part `%r1.b0`, which is an OPERAND_SYMBOL by that name; else NULL */
    int reg;               /**< index into function->regs, for OPERAND_REG and a register's part */
    int variable;          /**< OPERAND_SYMBOL: index into function->variables where the innermost
                                scope declares it, index into function->params + PARAM_BASE, into
                                returns + RETURN_BASE; else -1: module scope, label or function */
    int64_t offset;
    uint64_t bits;
    struct ptx_operand *element;
    int count;
    int column;
};

struct ptx_instr {
    const char *mnemonic;      /**< "add", "ld", "bar", … ; "" for a bare label at the end */
    const char **modifiers;    /**< dotted parts after it, without dots, in order: "global","u32" */
    int modifier_count;
    struct ptx_operand *operands;
    int operand_count;
    int guard;                 /**< register index of `@p`, or -1 */
    bool guard_negated;
    int loc;                   /**< index into module->locs, -1 = none */
    int line;                  /**< PTX line, 1-based */
    int column;
    int narrow;                /**< of a compare-and-swap: so many bytes has what it stands for (decode/small_objects.h); 0: it is itself */
};

#endif
