/**
 * @file descriptions.h
 * What an instruction keeps in insn->imm and insn->extra, by operation: decode/ writes it, execute/ runs
 * by it, and operands.c knows which of it are registers.
 */
#ifndef SOFTGPU_CODE_DESCRIPTIONS_H
#define SOFTGPU_CODE_DESCRIPTIONS_H

#include "code/insn.h"

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

/** fence: imm is this where it is one of mbarrier.init, which orders nothing else. */
#define FENCE_OF_INITS 0x100

/** set: extra is a struct set_desc; the result is `true_bits` or 0, in mem.reg_bytes bytes. */
struct set_desc {
    struct insn compare;       /**< a setp into the frame's scratch predicate */
    uint32_t true_bits;
};

/** setp and set on f16x2, bf16x2, f16, bf16 (setp): extra is a struct half_compare. */
struct half_compare {
    uint8_t compare;           /**< enum numeric_compare */
    bool bfloat, ftz, pair;
    uint8_t boolean;           /**< as PRED_BOOL_SHIFT */
    bool c_negated;
};

/** lop3 with a predicate: dst (REG_NONE = sink) value, dst2 predicate (r != 0) op src[3];
 *  imm: lut, bits 8 and 9 the operation as PRED_BOOL_SHIFT, bit 10 src[3] negated. */

/** Video: dst := parts of src[0] and src[1], with src[2] as addend or what stays; extra is a struct video. */
enum video_op {
    VIDEO_ADD, VIDEO_SUB, VIDEO_ABSDIFF, VIDEO_MIN, VIDEO_MAX, VIDEO_AVRG, VIDEO_SET, VIDEO_SHL, VIDEO_SHR, VIDEO_MAD
};
enum video_second { VIDEO_MERGE, VIDEO_PLUS, VIDEO_LESSER, VIDEO_GREATER }; /**< what is done with src[2] */
struct video_source {
    uint8_t bits;                  /**< of an element: 8, 16 or 32 */
    uint8_t pick[4];               /**< the source of each element: the how manieth of src[1]:src[0] */
    bool is_signed, negated;
};
struct video {
    uint8_t operation, second;     /**< enum video_op, enum video_second */
    uint8_t compare;               /**< VIDEO_SET: enum numeric_compare */
    uint8_t scale;                 /**< VIDEO_MAD: bits that are shifted out */
    uint8_t bits, count, first;    /**< of the result: bits of an element, how many are computed, which is the first */
    uint8_t mask;                  /**< the elements that are written, or added */
    bool is_signed, saturate, wrap, plus_one, c_negated;
    struct video_source a, b;
};

/** add, sub, mad with carry; dst2 is the carry predicate (0 bits: no carry). imm flags: */
#define CARRY_SUB 1
#define CARRY_IN 2
#define CARRY_OUT 4
#define CARRY_MAD 8            /**< the first addend is the product of src[0] and src[1] */
#define CARRY_HI 16            /**< its upper half */
#define CARRY_SIGNED 32
#define CARRY_64 64

/** mov between a register and a vector: extra is a struct pack_desc. */
struct pack_desc {
    uint8_t count, element_bytes;
    uint32_t element[8];       /**< registers; REG_NONE = sink */
};

/** cvt to a pair, of pairs of small formats, cvt.pack: extra is a struct cvt_desc. */
enum cvt_kind { CVT_PAIR, CVT_TO_SMALL, CVT_SMALL_OF_PAIR, CVT_PAIR_OF_SMALL, CVT_PACK_INT };
struct cvt_desc {
    uint8_t kind, type, round, bits;
    bool relu, satfinite, is_signed;
};

/** imm of any other conversion that has no row of its own. */
static inline uint64_t cvt_imm(enum ptx_type dst, enum ptx_type src, unsigned dst_bytes,
                               unsigned src_bytes, unsigned round, bool ftz, bool sat, bool relu,
                               bool satfinite)
{
    return (uint64_t)dst | (uint64_t)src << 8 | (uint64_t)dst_bytes << 16 |
           (uint64_t)src_bytes << 24 | (uint64_t)round << 32 | (uint64_t)ftz << 40 |
           (uint64_t)sat << 41 | (uint64_t)relu << 42 | (uint64_t)satfinite << 43;
}

/** cp.async: extra is a struct copy_desc; src[0] and src[1] are the addresses' registers, as in `to` and `from`. */
struct copy_desc {
    struct insn to, from;      /**< each with the address and the space of one side, and mem.bytes as a whole */
    uint32_t size;             /**< register of the bytes that are copied, the rest being zero; REG_NONE: all */
    uint32_t ignore;           /**< predicate: copy nothing, only zeros; REG_NONE: never */
    bool ignore_negated;
    /* cp.async.bulk and cp.reduce.async.bulk: `size` is not REG_NONE; to.mem.type and to.mem.atom if it reduces */
    struct insn barrier;       /**< the mbarrier that is told of the bytes, as of an operation there */
    /* cp.async.bulk.tensor: `size` is REG_NONE; the side in global memory has no address of its own */
    struct insn map;           /**< the tensor map's address */
    uint8_t rank;
    uint32_t coordinate[5];    /**< registers */
    uint32_t offset[3];        /**< im2col loads: registers of what is added to the coordinates of a picture, rank - 2 of them */
    uint32_t multicast;        /**< register of the blocks of the cluster that it goes to, a bit each; REG_NONE: as the address says */
    uint32_t byte_mask;        /**< cp.async.bulk.cp_mask: register of which bytes of each 16 go over, a bit each; REG_NONE: all */
    uint32_t value[4];         /**< st.async, red.async: registers of what is stored, to.mem.count of them */
    bool im2col;               /**< a load's `.im2col`, a store's `.im2col_no_offs` */
    bool grouped;              /**< no mbarrier: part of a bulk group */
    bool reduces;
};
/** fence.proxy.async: imm is for which state spaces. */
#define PROXY_GLOBAL 1
#define PROXY_SHARED 2

#define COPY_WAIT_READ (1ull << 63) /**< cp.async.bulk.wait_group.read, with how many groups may be left */

/** tensormap.replace: mem and src[0] are the map's address, src[1] the new value, of mem.reg_bytes bytes; extra is a struct
 *  map_desc. tensormap.cp_fenceproxy: extra is a struct copy_desc with `to` and `from`. */
enum map_field {
    MAP_GLOBAL_ADDRESS, MAP_RANK, MAP_BOX_DIM, MAP_GLOBAL_DIM, MAP_GLOBAL_STRIDE, MAP_ELEMENT_STRIDE,
    MAP_ELEMTYPE, MAP_INTERLEAVE_LAYOUT, MAP_SWIZZLE_MODE, MAP_FILL_MODE,
};
struct map_desc {
    enum map_field field;
    unsigned ord;              /**< the dimension, of MAP_BOX_DIM to MAP_ELEMENT_STRIDE; strides are counted from the second on */
};

/** cp.async.wait_group: imm is how many groups may be left; this: all copies are waited for. */
#define COPY_WAIT_ALL UINT64_MAX

/** mbarrier: mem and src[0] are the address, src[1] the count, bytes, parity or state, src[2] bytes that are
 *  expected; dst a state or a predicate; extra is a struct mbarrier_desc. */
struct mbarrier_desc {
    bool expects;              /**< .expect_tx: src[2] */
    bool no_complete, parity, relaxed, noinc;
    uint8_t scope;             /**< enum mem_scope; SCOPE_NONE: not written */
};

#endif
