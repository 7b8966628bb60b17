/**
 * @file ops.h
 * The operation table: every PTX instruction form that softgpu knows, one row each (ops.def), and what
 * each of them is to those who look at programs: its class, how definedness flows through it, what it
 * keeps beside its registers.
 *
 * The text's row is found by mnemonic and modifiers (decode/find_row.c); the row of a decoded instruction,
 * insn->op, is the one that was chosen in the end, which may be a hidden one.
 *
 * A pattern is a list of modifiers in the order of the text, separated by spaces: alternatives are
 * written `u32|s32`, and `?` marks one that may be absent. For X rows it is documentation.
 */
#ifndef SOFTGPU_CODE_OPS_H
#define SOFTGPU_CODE_OPS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/** Types of arithmetic operands; a register must have exactly this width. */
enum operand_class { CLASS_none, CLASS_pred, CLASS_u16, CLASS_s16, CLASS_u32, CLASS_s32, CLASS_u64,
                     CLASS_s64, CLASS_u128 };

/** What an instruction does. From INSN_SWITCH on, some of a group's lanes may stop or go elsewhere. */
enum insn_class {
    INSN_COMPUTE,      /**< from registers to registers */
    INSN_LOAD, INSN_STORE, INSN_ATOMIC,
    INSN_FENCE,
    INSN_COPY,         /**< cp.async and what commits and waits for such copies */
    INSN_MBARRIER,     /**< a barrier object in shared memory */
    INSN_IMAGE,        /**< reads or writes texels through a texture or surface object */
    INSN_STACK,        /**< alloca, stacksave, stackrestore */
    INSN_HINT,         /**< changes nothing: prefetch, pmevent, … */
    INSN_BRANCH,       /**< bra: insn->target; parts its group itself */
    INSN_SWITCH,       /**< brx: a struct branch_table */
    INSN_CALL, INSN_RETURN,
    INSN_EXIT,         /**< of the thread; `ret` of a kernel as well */
    INSN_TRAP,         /**< trap, brkpt: the grid ends */
    INSN_BARRIER,      /**< of the block: sync, arrive, red */
    INSN_MEETING,      /**< of lanes of the warp: bar.warp.sync, shfl, vote, match, redux, elect */
    INSN_TENSOR,       /**< of the whole warp: matrices in its lanes' registers */
    INSN_SLEEP,
    INSN_GRID,         /**< griddepcontrol: waits for, or lets begin, another grid */
    INSN_UNSUPPORTED,  /**< cannot be executed: insn->extra says why */
};

/** What becomes of undefined bytes in the sources. */
enum definedness {
    DEFINED_COMPUTES,     /**< any undefined byte makes a result that is derived from it */
    DEFINED_NONE,         /**< the result is defined, or comes from elsewhere (memory) */
    DEFINED_COPIES,       /**< the bytes stay the same bytes, perhaps in another order */
    DEFINED_CHOOSES,      /**< copies src[0] or src[1], as the predicate src[2] says */
    DEFINED_MASKS,        /**< `and`: zero bytes of the other source define the result */
    DEFINED_FALSE_DECIDES, DEFINED_TRUE_DECIDES, /**< of predicates: copies, but where the other one makes the result so */
    DEFINED_SHIFTS_UP, DEFINED_SHIFTS_DOWN,  /**< src[0] by src[1] bits */
    DEFINED_PACKS, DEFINED_UNPACKS,          /**< a register and the elements of a struct pack_desc */
    DEFINED_LANES,        /**< copies or combines other lanes' src[0], once these have met */
};

/** What insn->extra holds. */
enum insn_extra {
    EXTRA_NONE,        /**< nothing, or a description without operands */
    EXTRA_ELEMENTS,    /**< of a vector access: registers, element_target() and its neighbours */
    EXTRA_CALL,        /**< struct call_desc */
    EXTRA_TABLE,       /**< struct branch_table */
    EXTRA_PACK,        /**< struct pack_desc, read */
    EXTRA_UNPACK,      /**< struct pack_desc, written */
    EXTRA_COMPARE,     /**< struct set_desc */
    EXTRA_TENSOR,      /**< struct tensor_desc */
    EXTRA_IMAGE,       /**< struct image_desc */
    EXTRA_COPY,        /**< struct copy_desc */
    EXTRA_MESSAGE,     /**< const char *: why it is unsupported */
};

#define OP_ORDERED 1   /**< the result depends on clocks or on which blocks ran before */
#define OP_CONVERGED 2 /**< the result depends on which lanes run together */
#define OP_ARRIVES 8   /**< a barrier that does not wait */
#define OP_CLUSTER 16  /**< a barrier of all blocks of a cluster */
#define OP_CARRY 4     /**< dst2 is the carry flag: read and written as CARRY_IN, CARRY_OUT in imm say */

/*
 * What arithmetic rows find in insn->imm: the modifiers that the text gave. The low four bits are
 * enum numeric_rounding.
 */
#define MODE_ROUND 0x0f
#define MODE_FTZ 0x10
#define MODE_SAT 0x20
#define MODE_RELU 0x40
#define MODE_NAN 0x80
#define MODE_XORSIGN 0x100
#define MODE_ABS 0x200
#define MODE_OOB 0x400

struct op_info {
    const char *mnemonic;     /**< NULL: a hidden row */
    const char *pattern;
    bool plain;               /**< arithmetic: stamped from the row's expression */
    bool vector;              /**< plain, and its handler exists at every instruction set level */
    bool defines;             /**< the first operand of the text is written */
    uint8_t insn_class;       /**< enum insn_class */
    uint8_t defined;            /**< enum definedness */
    uint8_t extra;            /**< enum insn_extra */
    uint8_t flags;            /**< OP_ bits */
    uint8_t dst;              /**< enum operand_class; CLASS_none where the row does not tell */
    uint8_t src[4];
    uint8_t sources;
    const char *section;      /**< of the PTX ISA */
    const char *test;         /**< that covers the row */
};

/** Row numbers. */
enum op_row {
#define V1(id, ...) ROW_##id,
#define V2(id, ...) ROW_##id,
#define V3(id, ...) ROW_##id,
#define V4(id, ...) ROW_##id,
#define S1(id, ...) ROW_##id,
#define S2(id, ...) ROW_##id,
#define S3(id, ...) ROW_##id,
#define X(id, ...) ROW_##id,
#define H(id, ...) ROW_##id,
#include "code/ops.def"
    ROW_COUNT
};

extern const struct op_info op_table[ROW_COUNT];

/** Bytes of an operand of this type; 1 for a predicate, 0 for CLASS_none. */
static inline unsigned operand_class_bytes(enum operand_class c)
{
    static const uint8_t bytes[] = {
        [CLASS_pred] = 1, [CLASS_u16] = 2, [CLASS_s16] = 2, [CLASS_u32] = 4,
        [CLASS_s32] = 4, [CLASS_u64] = 8, [CLASS_s64] = 8, [CLASS_u128] = 16,
    };
    return bytes[c];
}

/** Writes docs/ptx_support.md. */
void ops_document(FILE *out);

#endif
