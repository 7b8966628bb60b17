/**
 * @file module.h
 * A PTX module as parsed: names, declarations and instructions, still in the terms of the text.
 *
 * The parser checks syntax, not meaning: an instruction is a mnemonic, its dotted modifiers in
 * order, and operands. What they mean is the operation table's business (code/ops.def).
 * Source: PTX ISA 9.0, chapters 4 (syntax), 5 (state spaces, types, variables), 11 (directives).
 *
 * Everything hangs off the module's arena; module_free() releases it all. Strings are
 * NUL-terminated and interned: equal names have equal pointers within one module.
 */
#ifndef SOFTGPU_PARSE_MODULE_H
#define SOFTGPU_PARSE_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/list.h"
#include "parse/types.h"

/** Where an instruction comes from (`.loc`). File 0 means unknown. */
struct ptx_loc {
    int file;             /**< index into module->files by `.file` number, 0 = none */
    int line, column;
    int inlined_at;       /**< index into module->locs of the call site, -1 = not inlined */
};

struct ptx_file {
    int number;
    const char *path;
};

/** One initialiser element: `count` is implied 1. */
struct ptx_init {
    const char *symbol;   /**< NULL for a number; else the address of this variable or function */
    bool generic;         /**< written `generic(symbol)` */
    uint64_t bits;        /**< the number as bits of the element type, or the symbol's addend */
    unsigned bytes;       /**< bytes this element fills */
    uint64_t mask_shift;  /**< for `mask(symbol)` byte initialisers: right shift in bits, else 0 */
};

/** A variable at module scope, in a function body, or a parameter. */
struct ptx_variable {
    const char *name;
    enum ptx_space space;
    enum ptx_type type;    /**< element type */
    unsigned vector;       /**< 1, 2 or 4 */
    unsigned align;        /**< bytes, never 0 */
    uint64_t bytes;        /**< total size; 0 for `.extern .shared x[]` */
    bool external, visible, weak, common, incomplete /**< declared `[]` */;
    bool managed;          /**< `.attribute(.managed)` */
    LIST(struct ptx_init) init; /**< in order; bytes after the last are zero */
    int line;              /**< PTX line */
    int scope;             /**< function-local: id of the `{}` scope that owns it, 0 = body */
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
    int reg;               /**< index into function->regs, for OPERAND_REG */
    int variable;          /**< OPERAND_SYMBOL: index into function->variables where the innermost
                                scope declares it, index into function->params + PARAM_BASE, into
                                returns + RETURN_BASE; else -1: module scope, label or function */
    int64_t offset;
    uint64_t bits;
    struct ptx_operand *element;
    int count;
    int column;
};

/** A declared register: one per name, ranges `%r<5>` expanded. */
struct ptx_reg {
    const char *name;
    enum ptx_type type;
    int scope;             /**< registers of inner `{}` scopes are distinct entries */
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
};

/** Names are distinct within a function: a label that repeats one of another `{}` scope is renamed
 *  to "name@scope", and its uses with it. */
struct ptx_label {
    const char *name;
    int instr;             /**< index of the instruction that follows it */
};

/** `.branchtargets` list or `.callprototype`, named by a label. */
struct ptx_prototype {
    const char *label;
    LIST(struct ptx_variable) params, returns;
};
struct ptx_branch_targets {
    const char *label;
    LIST(const char *) targets;
};

struct ptx_function {
    const char *name;
    bool is_entry, external, visible, weak, noreturn;
    bool has_body;
    LIST(struct ptx_variable) params, returns;
    LIST(struct ptx_variable) variables;   /**< .local, .shared, .param, .const in the body */
    LIST(struct ptx_reg) regs;
    LIST(struct ptx_instr) instrs;
    LIST(struct ptx_label) labels;
    LIST(struct ptx_prototype) prototypes;
    LIST(struct ptx_branch_targets) branch_targets;
    unsigned cluster[3], max_cluster; /**< .reqnctapercluster .maxclusterrank; 0 */
    bool explicit_cluster, blocks_are_clusters; /**< .explicitcluster, .blocksareclusters: the grid counts clusters */
    unsigned max_threads[3], req_threads[3], min_blocks; /**< .maxntid .reqntid .minnctapersm; 0 */
    int line;
};

struct ptx_module {
    struct arena arena;
    const char *name;      /**< for messages: a file's path or "fatbin" */
    const char *text;      /**< the caller's text, copied */
    size_t text_len;
    int version_major, version_minor;
    int target_sm;         /**< 75 for sm_75 */
    char target_suffix;    /**< 'a': for that device alone; 'f': for its family; 0 */
    bool debug;            /**< `.target …, debug` */
    int parts;             /**< modules that it was linked from; 1: none but itself */
    LIST(struct ptx_file) files;
    LIST(struct ptx_loc) locs;
    LIST(struct ptx_variable) variables;
    LIST(struct ptx_function) functions;   /**< declarations and definitions, in order */
};

/**
 * Parses PTX text. Hostile input is expected: every nesting and count is bounded.
 * @param text  not necessarily NUL-terminated; copied
 * @return the module, or NULL with `d` filled
 */
struct ptx_module *module_parse(const char *name, const char *text, size_t len, struct diag *d);
void module_free(struct ptx_module *m);

#endif
