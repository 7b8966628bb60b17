/**
 * @file alu.h
 * Arithmetic handlers, and how they are chosen.
 *
 * Handlers of plain arithmetic are stamped from the rows of decode/ops.def: those of V rows once for
 * each instruction set level of the host (vector_*.c), those of S rows once (scalar.c). All compute the
 * same bits. Handlers below are for decoded rows.
 */
#ifndef SOFTGPU_EXECUTE_ALU_ALU_H
#define SOFTGPU_EXECUTE_ALU_ALU_H

#include "decode/ops.h"

/** The handler of an arithmetic row, the best that this host can run. */
handler_fn alu_handler(enum op_row row);

/** Instruction set levels, for tests: 0 baseline, 1 AVX2, 2 AVX-512. */
#define ALU_LEVELS 3
/** The handler of a V row at one level; NULL where the host or the build has no such level. */
handler_fn alu_handler_at(enum op_row row, int level);

/*
 * insn->imm of handlers that write a predicate: what becomes of the comparison's result r before it
 * is stored. src[2] is the predicate operand c, dst2 (or REG_NONE) receives the negation's result.
 */
#define PRED_INVERT 1          /**< r := !r */
#define PRED_BOOL_SHIFT 1      /**< two bits: 0 none, 1 r and c, 2 r or c, 3 r xor c */
#define PRED_C_NEGATED 8       /**< !c */
#define PRED_TEST_SHIFT 8      /**< testp: enum numeric_test */

/** `dst` := predicate logic of src[0], src[1]; imm: low 3 bits 0 and, 1 or, 2 xor, 3 not, 4 mov;
 *  bits 4 and 5: src[0], src[1] negated. */
const struct insn *op_logic_pred(struct warp *w, const struct insn *in);

/** set: extra is a struct set_desc; the result is `true_bits` or 0, in mem.reg_bytes bytes. */
struct set_desc {
    struct insn compare;       /**< a setp into the frame's scratch predicate */
    uint32_t true_bits;
};
const struct insn *op_set(struct warp *w, const struct insn *in);

/** setp and set on f16x2, bf16x2, f16, bf16 (setp): extra is a struct half_compare. */
struct half_compare {
    uint8_t compare;           /**< enum numeric_compare */
    bool bfloat, ftz, pair;
    uint8_t boolean;           /**< as PRED_BOOL_SHIFT */
    bool c_negated;
};
const struct insn *op_setp_half(struct warp *w, const struct insn *in);
const struct insn *op_set_half_pair(struct warp *w, const struct insn *in);

/** lop3 with a predicate: dst (REG_NONE = sink) value, dst2 predicate (r != 0) op src[3];
 *  imm: lut, bits 8 and 9 the operation as PRED_BOOL_SHIFT, bit 10 src[3] negated. */
const struct insn *op_lop3_pred(struct warp *w, const struct insn *in);

/** SIMD video: dst := lanes of src[0] and src[1], with src[2] as addend; extra is a struct video. */
enum video_op { VIDEO_ADD, VIDEO_SUB, VIDEO_ABSDIFF, VIDEO_MIN, VIDEO_MAX, VIDEO_SET };
struct video {
    uint8_t operation, bits;       /**< enum video_op; bits of an element, 8 or 16 */
    uint8_t compare;               /**< VIDEO_SET: enum numeric_compare */
    bool d_signed, a_signed, b_signed, saturate, accumulate;
};
const struct insn *op_video(struct warp *w, const struct insn *in);

/** add, sub, mad with carry; dst2 is the carry predicate (0 bits: no carry). imm flags: */
#define CARRY_SUB 1
#define CARRY_IN 2
#define CARRY_OUT 4
#define CARRY_MAD 8            /**< the first addend is the product of src[0] and src[1] */
#define CARRY_HI 16            /**< its upper half */
#define CARRY_SIGNED 32
#define CARRY_64 64
const struct insn *op_carry(struct warp *w, const struct insn *in);

/** mov between a register and a vector: extra is a struct pack_desc. */
struct pack_desc {
    uint8_t count, element_bytes;
    uint32_t element[8];       /**< registers; REG_NONE = sink */
};
const struct insn *op_pack(struct warp *w, const struct insn *in);    /**< dst := {…} */
const struct insn *op_unpack(struct warp *w, const struct insn *in);  /**< {…} := src[0] */
const struct insn *op_mov_128(struct warp *w, const struct insn *in);

/** Any conversion: imm from cvt_imm(). */
const struct insn *op_cvt(struct warp *w, const struct insn *in);
/** cvt to a pair, of fp8 pairs, cvt.pack: extra is a struct cvt_desc. */
enum cvt_kind { CVT_PAIR, CVT_TO_FP8, CVT_FP8_OF_PAIR, CVT_PAIR_OF_FP8, CVT_PACK_INT };
struct cvt_desc {
    uint8_t kind, type, round, bits;
    bool relu, satfinite, is_signed;
};
const struct insn *op_cvt_special(struct warp *w, const struct insn *in);

/** Everything op_cvt needs, in one word. */
static inline uint64_t cvt_imm(enum ptx_type dst, enum ptx_type src, unsigned dst_bytes,
                               unsigned src_bytes, unsigned round, bool ftz, bool sat, bool relu,
                               bool satfinite)
{
    return (uint64_t)dst | (uint64_t)src << 8 | (uint64_t)dst_bytes << 16 |
           (uint64_t)src_bytes << 24 | (uint64_t)round << 32 | (uint64_t)ftz << 40 |
           (uint64_t)sat << 41 | (uint64_t)relu << 42 | (uint64_t)satfinite << 43;
}

/** isspacep: dst := (src[0] lies in the window of mem.space). */
const struct insn *op_isspacep(struct warp *w, const struct insn *in);

#endif
