/**
 * @file ptx_text.h
 * PTX as a list of statements with their places in the source: all that a mutation needs to know.
 *
 * Nothing is understood beyond "guard, opcode, operands" and `.loc`, so any PTX that nvcc writes can
 * be mutated, also instructions that softgpu does not know. The statements point into `text`.
 */
#ifndef GRADER_MUTANTS_PTX_TEXT_H
#define GRADER_MUTANTS_PTX_TEXT_H

#include "base/text.h"

/** Where a statement comes from. */
struct ptx_place {
    int line;   /**< of kernel.cu; 0: unknown */
    int caller; /**< the line of the kernel into which `line` was inlined; 0: not inlined */
};

struct ptx_statement {
    size_t start, end;   /**< bytes of `text`, end after the ';' */
    int ptx_line;        /**< 1-based */
    int function;        /**< index into `functions`; -1: outside of any */
    bool label;          /**< "NAME:" rather than an instruction */
    struct ptx_place place;
};

struct ptx_text {
    const char *text;
    char **functions;
    int functions_count;
    struct ptx_statement *list;
    int count;
};

#define PTX_OPERANDS 8

/** A statement taken apart; all strings are copies in `buffer`. */
struct ptx_instruction {
    const char *guard;  /**< "@%p1", "@!%p1" or "" */
    const char *opcode; /**< "atom.global.add.u32"; of a label its name */
    const char *operand[PTX_OPERANDS];
    int operands;
    char buffer[512];
};

/** Splits a PTX text, which must outlive `p`. ptx_text_free() is due. */
void ptx_text_split(struct ptx_text *p, const char *text);
void ptx_text_free(struct ptx_text *p);

/** Takes statement `i` apart; false if it is too long or has too many operands for any that we mutate. */
bool ptx_instruction_read(struct ptx_instruction *in, const struct ptx_text *p, int i);
/** Whether an opcode has a modifier: ptx_has("ld.volatile.u32", ".volatile"). */
bool ptx_has(const char *opcode, const char *modifier);
/** The opcode's first word is `name`. */
bool ptx_is(const char *opcode, const char *name);
/** `opcode` with `modifier` replaced; the caller frees. */
char *ptx_replace(const char *opcode, const char *modifier, const char *by);

#endif
