/**
 * @file inline_known.c
 * See inline_known.h.
 */
#include "decode/inline_known.h"

#include "decode/inline_parts.h"

/* ---- Values ---- */

static uint64_t mask_of(enum ptx_type type)
{
    unsigned bytes = ptx_type_bytes(type);
    return type == PTX_PRED ? 1 : bytes >= 8 ? UINT64_MAX : (1ull << 8 * bytes) - 1;
}

static bool is_signed(enum ptx_type type)
{
    return type >= PTX_S8 && type <= PTX_S64;
}

static bool is_number_type(enum ptx_type type)
{
    return type >= PTX_PRED && type <= PTX_S64 && type != PTX_B128;
}

static bool is_integer(enum ptx_type type)
{
    return type > PTX_PRED && is_number_type(type);
}

/** The value as wide as the type says, its sign along. */
static int64_t as_type(uint64_t value, enum ptx_type type)
{
    unsigned spare = 64 - 8 * ptx_type_bytes(type);
    return is_signed(type) ? (int64_t)(value << spare) >> spare : (int64_t)(value & mask_of(type));
}

static int place_of(const struct known *k, int reg)
{
    for (int i = k->count - 1; i >= 0; i--)
        if (k->reg[i] == reg)
            return i;
    return -1;
}

bool known_value(const struct known *k, int reg, uint64_t *value)
{
    int at = place_of(k, reg);
    *value = at >= 0 ? k->value[at] : 0;
    return at >= 0;
}

static void forget(struct known *k, int reg)
{
    int at = place_of(k, reg);
    if (at < 0)
        return;
    k->count--;
    memmove(&k->reg[at], &k->reg[at + 1], (size_t)(k->count - at) * sizeof k->reg[0]);
    memmove(&k->value[at], &k->value[at + 1], (size_t)(k->count - at) * sizeof k->value[0]);
}

/** Of too many the oldest goes. */
static void know(struct known *k, int reg, uint64_t value)
{
    forget(k, reg);
    if (k->count == MOST_KNOWN)
        forget(k, k->reg[0]);
    k->reg[k->count] = reg;
    k->value[k->count++] = value;
}

/* ---- Instructions ---- */

/** A number, or a register that holds one. */
static bool operand_value(const struct known *k, const struct ptx_operand *o, uint64_t *value)
{
    *value = o->bits;
    if (o->negated || o->part)
        return false;
    return o->kind == OPERAND_INT || (o->kind == OPERAND_REG && known_value(k, o->reg, value));
}

static bool compares(const char *how, int64_t a, int64_t b, bool has_sign, bool *is)
{
    int order = has_sign ? (a > b) - (a < b) : ((uint64_t)a > (uint64_t)b) - ((uint64_t)a < (uint64_t)b);
    static const struct {
        const char *how;
        bool less, equal, more;
    } all[] = {{"eq", 0, 1, 0}, {"ne", 1, 0, 1}, {"lt", 1, 0, 0}, {"le", 1, 1, 0}, {"gt", 0, 0, 1}, {"ge", 0, 1, 1}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i].how, how)) {
            *is = order < 0 ? all[i].less : order ? all[i].more : all[i].equal;
            return true;
        }
    return false;
}

/** What it computes of numbers and of what is known. @return false: that is not known */
static bool result_of(const struct known *k, const struct ptx_instr *pi, uint64_t *value)
{
    enum ptx_type type = pi->modifier_count ? ptx_type_of(pi->modifiers[pi->modifier_count - 1]) : PTX_NONE;
    uint64_t a, b = 0;
    bool is = false;
    if (!is_number_type(type) || pi->operand_count < 2 || !operand_value(k, &pi->operands[1], &a))
        return false;
    if (pi->operand_count == 3 && !operand_value(k, &pi->operands[2], &b))
        return false;
    if (instr_is(pi, "mov") || instr_is(pi, "not"))
        *value = instr_is(pi, "not") ? ~a : type == PTX_PRED ? a != 0 : a;
    else if (instr_is(pi, "and") && pi->operand_count == 3)
        *value = a & b;
    else if (instr_is(pi, "cvt") && pi->operand_count == 2 && pi->modifier_count == 2 && is_integer(ptx_type_of(pi->modifiers[0])) && is_integer(type))
        *value = (uint64_t)as_type((uint64_t)as_type(a, type), ptx_type_of(pi->modifiers[0]));
    else if (instr_is(pi, "setp") && pi->operand_count == 3 && pi->modifier_count == 2 &&
             compares(pi->modifiers[0], as_type(a, type), as_type(b, type), is_signed(type), &is))
        *value = is;
    else
        return false;
    return true;
}

static void forget_results(struct known *k, const struct ptx_operand *o)
{
    if (o->kind == OPERAND_REG || o->part)
        forget(k, o->reg);
    for (int i = 0; o->element && o->kind != OPERAND_ADDRESS && i < o->count; i++)
        forget_results(k, &o->element[i]);
}

bool known_past(const struct ptx_function *f, struct known *k, const struct ptx_instr *pi)
{
    uint64_t value = 0;
    if (!pi->operand_count)
        return false;
    bool found = pi->guard < 0 && pi->operands[0].kind == OPERAND_REG && !pi->operands[0].part && result_of(k, pi, &value);
    if (!instr_only_reads(pi))
        forget_results(k, &pi->operands[0]);
    if (found)
        know(k, pi->operands[0].reg, value & mask_of(f->regs.data[pi->operands[0].reg].type));
    return found;
}
