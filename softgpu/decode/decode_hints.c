/**
 * @file decode_hints.c
 * Hints to the caches: prefetch, prefetchu, applypriority, createpolicy (PTX ISA 9.7.9.15, 9.7.9.16, 9.7.9.18). They change no result; what is
 * refused is what ptxas refuses.
 */
#include <string.h>

#include "decode/decode_operands.h"
#include "decode/find_row.h"
#include "decode/modifiers.h"
#include "decode/stages.h"

/** The level, if it may stand with the space: prefetch fetches tensor maps, too. */
static bool take_level(struct modifiers *m, enum ptx_space space)
{
    enum { TENSOR_MAP = 4 };
    bool fetches = strcmp(m->pi->mnemonic, "prefetch") == 0, uniform = strcmp(m->pi->mnemonic, "prefetchu") == 0;
    int level = modifier_of(m, fetches ? "L1 L2 L2::evict_last L2::evict_normal tensormap" : uniform ? "L1" : "L2::evict_normal");
    if (level == TENSOR_MAP)
        return space == SPACE_GENERIC || space == SPACE_CONST || space == SPACE_PARAM;
    return level >= 0 && (space == SPACE_GENERIC || (space == SPACE_GLOBAL && !uniform) || (space == SPACE_LOCAL && fetches));
}

/** Of variables only those in global memory are where a generic address says. */
static bool is_generic(struct decoder *d, const struct ptx_operand *o)
{
    const struct ptx_operand *base = o->kind == OPERAND_ADDRESS && o->count == 1 ? &o->element[0] : NULL;
    return !base || base->kind != OPERAND_SYMBOL || operand_symbol(d, base).space == SPACE_GLOBAL;
}

bool decode_prefetch(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct insn scratch = *in;
    struct modifiers m = {pi, 0};
    enum ptx_space space = modifier_space(&m);
    bool sized = strcmp(pi->mnemonic, "applypriority") == 0;
    int64_t bytes = 128;

    scratch.mem.space = (uint8_t)space;
    if (strcmp(pi->mnemonic, "prefetchu") == 0 && pi->operand_count == 1 && !is_generic(d, &pi->operands[0]))
        return decode_fail(d, "prefetchu takes a generic address");
    if (!take_level(&m, space))
        return decode_fail_form(d, pi);
    return modifiers_end(d, &m) && operand_count(d, pi, 1 + sized, 1 + sized) && (!sized || operand_literal(d, &pi->operands[1], &bytes)) &&
           (bytes == 128 || decode_fail(d, "%.20s is of 128 bytes", pi->mnemonic)) && decode_address(d, &pi->operands[0], &scratch);
}

/** A source that no result depends on. */
static bool takes(struct decoder *d, const struct ptx_operand *o, unsigned width, enum ptx_type type)
{
    uint32_t ignored;
    return operand_source(d, o, width, &ignored) && operand_is(d, o, type);
}

static bool policy_operands(struct decoder *d, const struct ptx_instr *pi, int kind, enum ptx_space space, const struct insn *in)
{
    enum { FRACTION, RANGE, CONVERSION };
    struct insn scratch = *in;

    if (kind == CONVERSION)
        return operand_count(d, pi, 2, 2) && takes(d, &pi->operands[1], 8, PTX_U64);
    if (kind == FRACTION)
        return operand_count(d, pi, 1, 2) && (pi->operand_count == 1 || takes(d, &pi->operands[1], 4, PTX_F32));
    scratch.mem.space = (uint8_t)space;
    return operand_count(d, pi, 4, 4) && decode_address(d, &pi->operands[1], &scratch) && takes(d, &pi->operands[2], 4, PTX_U32) &&
           takes(d, &pi->operands[3], 4, PTX_U32);
}

/** The policy is a constant. */
bool decode_createpolicy(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    int kind = modifier_of(&m, "fractional range cvt");
    enum ptx_space space = kind == 1 ? modifier_space(&m) : SPACE_GENERIC;

    if (kind < 0 || (space != SPACE_GENERIC && space != SPACE_GLOBAL) ||
        modifier_of(&m, kind == 2 ? "L2" : "L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged") < 0)
        return decode_fail_form(d, pi);
    if (kind != 2)
        modifier_of(&m, "L2::evict_first L2::evict_unchanged");
    if (!modifier_take(&m, "b64"))
        return decode_fail_form(d, pi);
    insn_choose(in, ROW_mov_64);
    in->src[0] = constant_slot(d, 8, 0, 0);
    return modifiers_end(d, &m) && policy_operands(d, pi, kind, space, in) && operand_result(d, &pi->operands[0], 8, &in->dst) &&
           operand_is(d, &pi->operands[0], PTX_U64);
}
