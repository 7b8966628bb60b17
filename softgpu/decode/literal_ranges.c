/**
 * @file literal_ranges.c
 * Literals that an instruction's operand may be, where ptxas looks: what it refuses no driver loads. What comes in a register is the kernel's affair.
 */
#include <string.h>

#include "decode/decode_operands.h"
#include "decode/find_row.h"
#include "decode/modifiers.h"
#include "memory/layout.h"

/** An operand, counted from 0, of instructions that have the word `has` and not the word `lacks`; NULL asks for nothing. */
static const struct range {
    const char *mnemonic, *has, *lacks;
    int operand;
    int64_t least, most, step;
    bool literal; /**< it may be nothing else */
} ranges[] = {
    {"bfe", NULL, NULL, 2, 0, 255, 1, false},
    {"bfe", NULL, NULL, 3, 0, 255, 1, false},
    {"bfi", NULL, NULL, 3, 0, 255, 1, false},
    {"bfi", NULL, NULL, 4, 0, 255, 1, false},
    {"pmevent", NULL, "mask", 0, 0, 15, 1, true},
    {"pmevent", "mask", NULL, 0, 0, 65535, 1, true},
    {"cp", "bulk", "tensor prefetch commit_group wait_group", 2, 0, INT32_MAX, 16, false},
    {"cp", "prefetch", "tensor", 1, 0, INT32_MAX, 16, false},
    {"mbarrier", "parity", NULL, 2, 0, 1, 1, false},
    {"mbarrier", "arrive arrive_drop", "expect_tx", 2, 1, INT64_MAX, 1, false},
    {"tensormap", "elemtype", NULL, 1, 0, 12, 1, true},
    {"tensormap", "interleave_layout", NULL, 1, 0, 2, 1, true},
    {"tensormap", "swizzle_mode", NULL, 1, 0, 3, 1, true},
    {"tensormap", "fill_mode", NULL, 1, 0, 1, 1, true},
};

/** An integer that the text gives, also as WARP_SZ. */
static bool literal_of(const struct ptx_operand *o, int64_t *value)
{
    bool warp = o->kind == OPERAND_SYMBOL && o->variable < 0 && !o->part && strcmp(o->name, "WARP_SZ") == 0;
    *value = warp ? WARP_LANES : (int64_t)o->bits;
    return warp || o->kind == OPERAND_INT;
}

static bool is_asked(const struct range *r, const struct ptx_instr *pi)
{
    return strcmp(r->mnemonic, pi->mnemonic) == 0 && pi->operand_count > r->operand && (!r->has || modifiers_one_of(pi, r->has, NULL)) &&
           (!r->lacks || !modifiers_one_of(pi, r->lacks, NULL));
}

static bool in_range(struct decoder *d, const struct ptx_instr *pi, const struct range *r)
{
    int64_t value;
    if (!literal_of(&pi->operands[r->operand], &value))
        return !r->literal || decode_fail(d, "operand %d of %.20s is an integer literal", r->operand + 1, pi->mnemonic);
    if (value < r->least || value > r->most)
        return decode_fail(d, "operand %d of %.20s is %lld: it lies from %lld to %lld", r->operand + 1, pi->mnemonic, (long long)value, (long long)r->least,
                           (long long)r->most);
    return value % r->step == 0 || decode_fail(d, "operand %d of %.20s is %lld: it is a multiple of %lld", r->operand + 1, pi->mnemonic, (long long)value, (long long)r->step);
}

/** The part of a range that has a policy is not larger than the range. */
static bool policy_fits(struct decoder *d, const struct ptx_instr *pi)
{
    int64_t part, whole;
    if (strcmp(pi->mnemonic, "createpolicy") != 0 || pi->operand_count != 4 || !literal_of(&pi->operands[2], &part) || !literal_of(&pi->operands[3], &whole))
        return true;
    return (uint32_t)part <= (uint32_t)whole || decode_fail(d, "the primary size is larger than the whole");
}

bool literals_fit(struct decoder *d, const struct ptx_instr *pi)
{
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (is_asked(&ranges[i], pi) && !in_range(d, pi, &ranges[i]))
            return false;
    return policy_fits(d, pi);
}
