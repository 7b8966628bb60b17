/**
 * @file test_bit_rules.c
 * What bit_rules.c says of an instruction's undefined bits, against the instruction itself: five bits of its sources may be either way, each
 * of the warp's 32 lanes has one of the ways, and a bit of the result is undefined where the lanes' results differ in it.
 */
#include <stdlib.h>
#include <string.h>

#include "../unit.h"
#include "check/uninit/bit_rules.h"
#include "check/uninit/elements.h"
#include "execute/alu/alu.h"
#include "execute/lane_values.h"

#define SLOT 256      /* bytes of a register of 64 bits */
#define SOURCES 4
#define UNKNOWN 5
#define TRIALS 3000

enum promise {
    EXACT,   /* undefined are just the bits that differ */
    SAFE,    /* no bit that differs is missing */
};

struct trial {
    struct warp warp;
    struct insn insn;
    struct warp_taint taints;
    uint8_t frame[(SOURCES + 1) * SLOT] __attribute__((aligned(64)));
    uint64_t bits[SOURCES][WARP_LANES];
};

static uint64_t state = 1;

static uint64_t draw(void)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return state >> 33 ^ state << 20;
}

/** Few bits, many, a run of them, or all at random. */
static uint64_t draw_value(void)
{
    switch (draw() % 5) {
    case 0: return draw() & 0x3f;
    case 1: return ~(draw() & 0x3f);
    case 2: return low_bits(draw() % 64) << draw() % 64;
    case 3: return draw() & draw() & draw();
    default: return draw();
    }
}

static unsigned source_bits(const struct trial *t, unsigned source)
{
    return 8 * operand_class_bytes((enum operand_class)t->insn.op->src[source]);
}

static void set_up(struct trial *t, enum op_row row)
{
    memset(t, 0, sizeof *t);
    t->insn.op = &op_table[row];
    t->insn.run = alu_handler(row);
    t->insn.guard = REG_NONE;
    t->insn.dst2 = REG_NONE;
    t->insn.dst = SOURCES * SLOT;
    for (unsigned i = 0; i < 4; i++)
        t->insn.src[i] = i < t->insn.op->sources ? i * SLOT : REG_NONE;
    t->insn.imm = row == ROW_lop3_lut ? draw() & 0xff : 0;
    t->warp.frame = t->frame;
    t->warp.mask = UINT32_MAX;
    t->taints.count = (SOURCES + 1) * SLOT / 64;
    t->taints.slots = calloc(t->taints.count, sizeof *t->taints.slots);
    for (unsigned i = 0; i < SOURCES; i++)
        t->taints.slots[i * SLOT / 64].bits = t->bits[i];
}

/** Draws the sources, with UNKNOWN bits that differ from lane to lane in all their ways; those behind `undefined_sources` have none: they say places. */
static void draw_sources(struct trial *t, unsigned undefined_sources)
{
    uint64_t unknown[SOURCES] = {0}, value[SOURCES];
    unsigned where[UNKNOWN][2];
    for (unsigned i = 0; i < t->insn.op->sources; i++)
        value[i] = i < undefined_sources ? draw_value() : draw() % 80;
    if (t->insn.op->dst == CLASS_pred && draw() % 2)
        value[1] = value[0];
    for (unsigned k = 0; k < UNKNOWN; k++) {
        where[k][0] = (unsigned)(draw() % undefined_sources);
        where[k][1] = (unsigned)(draw() % source_bits(t, where[k][0]));
        unknown[where[k][0]] |= 1ull << where[k][1];
    }
    for (unsigned i = 0; i < t->insn.op->sources; i++)
        for (int l = 0; l < WARP_LANES; l++) {
            uint64_t v = value[i];
            for (unsigned k = 0; k < UNKNOWN; k++)
                if (where[k][0] == i)
                    v = l >> k & 1 ? v | 1ull << where[k][1] : v & ~(1ull << where[k][1]);
            reg_write(&t->warp, t->insn.src[i], source_bits(t, i) / 8, l, v);
            struct taint *of = &t->taints.slots[i * SLOT / 64];
            taint_set_bits(of, l, unknown[i]);
            of->lanes = unknown[i] ? UINT32_MAX : 0;
        }
}

/** The bits in which the lanes' results differ. */
static uint64_t differing(struct trial *t)
{
    uint64_t any = 0, first = 0;
    t->insn.run(&t->warp, &t->insn);
    if (t->insn.op->dst == CLASS_pred) {
        uint32_t p;
        memcpy(&p, warp_reg(&t->warp, t->insn.dst), sizeof p);
        return p != 0 && p != UINT32_MAX;
    }
    for (int l = 0; l < WARP_LANES; l++) {
        uint64_t v = reg_read(&t->warp, t->insn.dst, operand_class_bytes((enum operand_class)t->insn.op->dst), l);
        first = l ? first : v;
        any |= v ^ first;
    }
    return any;
}

/** What the rule says for the lane: of all sources together. */
static bool told(struct trial *t, int lane, uint64_t *undefined, bool *same)
{
    *undefined = 0;
    *same = true;
    for (unsigned i = 0; i < t->insn.op->sources; i++) {
        bool kept;
        uint64_t bits = t->taints.slots[i * SLOT / 64].lanes ? taint_bits(&t->taints.slots[i * SLOT / 64], lane) : 0;
        if (!bits)
            continue;
        if (!bits_pass(&t->warp, &t->taints, &t->insn, i, lane, &bits, &kept))
            return false;
        *undefined |= bits;
        *same = *same && kept;
    }
    return true;
}

/** Of a sum or `xor`: are the undefined bits of each lane's result those of a source, as they were? */
static bool are_as_they_were(const struct trial *t)
{
    uint64_t altered = 0;
    unsigned bytes = source_bits(t, 0) / 8;
    for (unsigned i = 0; i < 2; i++) {
        const struct taint *of = &t->taints.slots[i * SLOT / 64];
        for (int l = 0; l < WARP_LANES; l++)
            altered |= of->lanes ? (reg_read(&t->warp, t->insn.dst, bytes, l) ^ reg_read(&t->warp, t->insn.src[i], bytes, l)) & taint_bits(of, l) : 0;
    }
    return !altered;
}

static bool may_keep_bits(enum op_row row)
{
    return (row >= ROW_add_16 && row <= ROW_add_64) || (row >= ROW_sub_16 && row <= ROW_sub_64) || (row >= ROW_xor_16 && row <= ROW_xor_64);
}

static void check_row(enum op_row row, unsigned undefined_sources, enum promise promise)
{
    static struct trial t;
    int wrong = 0, differs = 0, kept = 0;
    for (int n = 0; n < TRIALS; n++) {
        uint64_t undefined;
        bool same;
        set_up(&t, row);
        draw_sources(&t, undefined_sources);
        int lane = (int)(draw() % WARP_LANES);
        bool known = told(&t, lane, &undefined, &same);
        uint64_t truth = differing(&t);
        differs += truth != 0;
        bool predicate = t.insn.op->dst == CLASS_pred; /* told only where it is decided */
        bool right = predicate ? known == !truth : known && (promise == EXACT ? undefined == truth : !(truth & ~undefined));
        if (may_keep_bits(row) && same)
            right = right && are_as_they_were(&t);
        kept += may_keep_bits(row) && same && undefined;
        if (!right && !wrong++)
            fprintf(stderr, "row %d, sources of lane %d: %llx %llx %llx: told %d %llx, differ %llx\n", (int)row, lane,
                    (unsigned long long)reg_read(&t.warp, 0, 8, lane), (unsigned long long)reg_read(&t.warp, SLOT, 8, lane),
                    (unsigned long long)reg_read(&t.warp, 2 * SLOT, 8, lane), known, (unsigned long long)undefined, (unsigned long long)truth);
        free(t.taints.slots);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(differs > 10);
    CU_ASSERT(!may_keep_bits(row) || kept > 10);
}

static void combinations(void)
{
    static const enum op_row rows[] = {ROW_and_16, ROW_and_32, ROW_and_64, ROW_or_16, ROW_or_32, ROW_or_64, ROW_xor_16, ROW_xor_32, ROW_xor_64};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(rows[i], 2, EXACT);
    check_row(ROW_not_16, 1, EXACT);
    check_row(ROW_not_32, 1, EXACT);
    check_row(ROW_not_64, 1, EXACT);
    check_row(ROW_lop3_lut, 3, EXACT);
}

static void sums(void)
{
    static const enum op_row rows[] = {ROW_add_16, ROW_add_32, ROW_add_64, ROW_sub_16, ROW_sub_32, ROW_sub_64};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(rows[i], 2, EXACT);
    check_row(ROW_neg_s16, 1, EXACT);
    check_row(ROW_neg_s32, 1, EXACT);
    check_row(ROW_neg_s64, 1, EXACT);
}

static void products(void)
{
    static const enum op_row two[] = {ROW_mul_lo_16, ROW_mul_lo_32, ROW_mul_lo_64, ROW_mul_wide_u16, ROW_mul_wide_s16, ROW_mul_wide_u32, ROW_mul_wide_s32};
    static const enum op_row three[] = {ROW_mad_lo_16, ROW_mad_lo_32, ROW_mad_lo_64, ROW_mad_wide_u16, ROW_mad_wide_s16, ROW_mad_wide_u32, ROW_mad_wide_s32};
    for (unsigned i = 0; i < sizeof two / sizeof *two; i++)
        check_row(two[i], 2, SAFE);
    for (unsigned i = 0; i < sizeof three / sizeof *three; i++)
        check_row(three[i], 3, SAFE);
}

static void places(void)
{
    static const enum op_row shifts[] = {ROW_shl_16, ROW_shl_32, ROW_shl_64, ROW_shr_u16, ROW_shr_s16, ROW_shr_u32, ROW_shr_s32, ROW_shr_u64, ROW_shr_s64,
                                         ROW_bfe_u32, ROW_bfe_s32, ROW_bfe_u64, ROW_bfe_s64, ROW_brev_32, ROW_brev_64};
    static const enum op_row of_two[] = {ROW_shf_l_clamp, ROW_shf_l_wrap, ROW_shf_r_clamp, ROW_shf_r_wrap, ROW_prmt, ROW_prmt_f4e, ROW_prmt_b4e,
                                         ROW_prmt_rc8, ROW_prmt_ecl, ROW_prmt_ecr, ROW_prmt_rc16};
    for (unsigned i = 0; i < sizeof shifts / sizeof *shifts; i++)
        check_row(shifts[i], 1, EXACT);
    for (unsigned i = 0; i < sizeof of_two / sizeof *of_two; i++)
        check_row(of_two[i], 2, EXACT);
    check_row(ROW_bfi_32, 2, EXACT);
    check_row(ROW_bfi_64, 2, EXACT);
    for (int row = ROW_ext_u8_16_16; row <= ROW_ext_s32_64_64; row++)
        check_row((enum op_row)row, 1, EXACT);
    for (int row = ROW_mov_16; row <= ROW_mov_64; row++)
        check_row((enum op_row)row, 1, EXACT);
}

static void comparisons(void)
{
    for (int row = ROW_is_eq_16; row <= ROW_is_lt_s64; row++)
        check_row((enum op_row)row, 2, EXACT);
}

UNIT_MAIN("bit rules", {"and, or, xor", combinations}, {"sums", sums}, {"products", products}, {"bits at other places", places},
          {"comparisons", comparisons})
