/**
 * @file inline_known.c
 * See inline_known.h.
 */
#include "decode/inline_known.h"

#include <stdlib.h>

#include "decode/inline_parts.h"

#define MOST_TURNS 4 /* through the text, to know all that what is known makes known */

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
    bool always = at < 0 && k->always && k->always->is[reg];
    *value = at >= 0 ? k->value[at] : always ? k->always->value[reg] : 0;
    return at >= 0 || always;
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

/** What two numbers make, as wide as they come. @return false: it is something else */
static bool computes(const struct ptx_instr *pi, enum ptx_type type, uint64_t a, uint64_t b, uint64_t *value)
{
    bool whole = pi->modifier_count == 1, wide = pi->modifier_count == 2 && !strcmp(pi->modifiers[0], "wide");
    if (pi->operand_count != 3)
        return false;
    if (instr_is(pi, "mul") && (wide || (pi->modifier_count == 2 && !strcmp(pi->modifiers[0], "lo"))))
        *value = (uint64_t)as_type(a, type) * (uint64_t)as_type(b, type);
    else if (!whole)
        return false;
    else if (instr_is(pi, "and"))
        *value = a & b;
    else if (instr_is(pi, "or"))
        *value = a | b;
    else if (instr_is(pi, "xor"))
        *value = a ^ b;
    else if (instr_is(pi, "add") && is_integer(type))
        *value = a + b;
    else if (instr_is(pi, "sub") && is_integer(type))
        *value = a - b;
    else if (instr_is(pi, "shl"))
        *value = (uint32_t)b < 64 ? a << (uint32_t)b : 0;
    else
        return false;
    return true;
}

/** What it computes of numbers and of what is known. @return false: that is not known */
static bool result_of(const struct known *k, const struct ptx_instr *pi, uint64_t *value)
{
    enum ptx_type type = pi->modifier_count ? ptx_type_of(pi->modifiers[pi->modifier_count - 1]) : PTX_NONE;
    uint64_t a, b = 0;
    bool is = false;
    if (instr_is(pi, "selp") && pi->operand_count == 4 && operand_value(k, &pi->operands[3], &a))
        return is_number_type(type) && operand_value(k, &pi->operands[a ? 1 : 2], value);
    if (!is_number_type(type) || pi->operand_count < 2 || !operand_value(k, &pi->operands[1], &a))
        return false;
    if (pi->operand_count == 3 && !operand_value(k, &pi->operands[2], &b))
        return false;
    if (instr_is(pi, "mov") || instr_is(pi, "not"))
        *value = instr_is(pi, "not") ? ~a : type == PTX_PRED ? a != 0 : a;
    else if (computes(pi, type, a, b, value))
        return true;
    else if (instr_is(pi, "cvt") && pi->operand_count == 2 && pi->modifier_count == 2 && is_integer(ptx_type_of(pi->modifiers[0])) && is_integer(type))
        *value = (uint64_t)as_type((uint64_t)as_type(a, type), ptx_type_of(pi->modifiers[0]));
    else if (instr_is(pi, "setp") && pi->operand_count == 3 && pi->modifier_count == 2 &&
             compares(pi->modifiers[0], as_type(a, type), as_type(b, type), is_signed(type), &is))
        *value = is;
    else
        return false;
    return true;
}

/** The whole register that it writes, and writes always; -1: none. */
static int result_reg(const struct ptx_instr *pi)
{
    return pi->operand_count && pi->guard < 0 && pi->operands[0].kind == OPERAND_REG && !pi->operands[0].part ? pi->operands[0].reg : -1;
}

struct constants always_known(const struct ptx_function *f, const int *made)
{
    size_t count = (size_t)f->regs.count + 1;
    struct constants c = {calloc(count, sizeof *c.is), calloc(count, sizeof *c.value)};
    struct known k = {.always = &c};
    bool more = true;
    if (!c.is || !c.value)
        abort();
    for (int turn = 0; turn < MOST_TURNS && more; turn++) {
        more = false;
        for (int i = 0; i < f->instrs.count; i++) {
            const struct ptx_instr *pi = &f->instrs.data[i];
            int reg = result_reg(pi);
            uint64_t value = 0;
            if (reg < 0 || made[reg] != i || c.is[reg] || !result_of(&k, pi, &value))
                continue;
            c.value[reg] = value & mask_of(f->regs.data[reg].type);
            c.is[reg] = more = true;
        }
    }
    return c;
}

void always_known_free(struct constants *c)
{
    free(c->is);
    free(c->value);
}

void numbers_are_named(struct ptx_module *m, struct ptx_function *f, const int *made)
{
    struct constants c = always_known(f, made);
    for (int i = 0; i < f->instrs.count; i++) {
        struct ptx_instr *pi = &f->instrs.data[i];
        int reg = result_reg(pi);
        if (reg < 0 || made[reg] != i || !c.is[reg] || !is_integer(f->regs.data[reg].type) || (instr_is(pi, "mov") && pi->operands[1].kind == OPERAND_INT))
            continue;
        struct ptx_operand *operands = arena_alloc(&m->arena, 2 * sizeof *operands);
        operands[0] = pi->operands[0];
        operands[1] = (struct ptx_operand){.kind = OPERAND_INT, .bits = c.value[reg], .reg = -1, .variable = -1};
        pi->mnemonic = "mov";
        pi->modifiers = arena_alloc(&m->arena, sizeof *pi->modifiers);
        pi->modifiers[0] = ptx_type_name(f->regs.data[reg].type);
        pi->modifier_count = 1;
        pi->operands = operands;
        pi->operand_count = 2;
    }
    always_known_free(&c);
}

/* ---- Numbers that say what a predicate was ---- */

/** What a register holds by what a predicate was; `by` -1: that is not known. */
struct answer {
    int by;
    uint64_t value[2];
};

static struct answer answer_of(const struct ptx_function *f, const int *made, const struct answer *answers, int reg)
{
    bool asked = answers[reg].by < 0 && made[reg] >= 0 && f->regs.data[reg].type == PTX_PRED;
    return asked ? (struct answer){reg, {0, 1}} : answers[reg];
}

/** What it computes where that hangs on one predicate. */
static struct answer computed(const struct ptx_function *f, const int *made, const struct answer *answers, const struct constants *always, const struct ptx_instr *pi)
{
    struct known k[2] = {{.always = always}, {.always = always}};
    struct answer all = {-1, {0}};
    for (int n = 1; n < pi->operand_count; n++) {
        const struct ptx_operand *o = &pi->operands[n];
        struct answer one = o->kind == OPERAND_REG && !o->part ? answer_of(f, made, answers, o->reg) : (struct answer){-1, {0}};
        if (one.by < 0)
            continue;
        if (all.by >= 0 && all.by != one.by)
            return (struct answer){-1, {0}};
        all.by = one.by;
        for (int was = 0; was < 2; was++)
            know(&k[was], o->reg, one.value[was]);
    }
    for (int was = 0; was < 2 && all.by >= 0; was++)
        all.by = result_of(&k[was], pi, &all.value[was]) ? all.by : -1;
    return all;
}

static void ask_first(struct ptx_instr *pi, const struct answer *answers)
{
    const struct answer *a = pi->guard >= 0 ? &answers[pi->guard] : NULL;
    if (!a || a->by < 0)
        return;
    if (a->value[0] != a->value[1]) {
        pi->guard_negated ^= !a->value[1];
        pi->guard = a->by;
    } else if (a->value[0] == pi->guard_negated) {
        instruction_vanishes(pi);
    } else {
        pi->guard = -1;
    }
}

void answers_are_asked_once(struct ptx_function *f, const int *made)
{
    struct constants always = always_known(f, made);
    struct answer *answers = malloc(((size_t)f->regs.count + 1) * sizeof *answers);
    if (!answers)
        abort();
    for (int i = 0; i < f->regs.count; i++)
        answers[i].by = -1;
    for (int i = 0; i < f->instrs.count; i++) {
        const struct ptx_instr *pi = &f->instrs.data[i];
        int reg = result_reg(pi);
        if (reg < 0 || made[reg] != i || always.is[reg])
            continue;
        struct answer a = computed(f, made, answers, &always, pi);
        for (int was = 0; was < 2; was++)
            a.value[was] &= mask_of(f->regs.data[reg].type);
        answers[reg] = a;
    }
    for (int i = 0; i < f->instrs.count; i++)
        ask_first(&f->instrs.data[i], answers);
    always_known_free(&always);
    free(answers);
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
