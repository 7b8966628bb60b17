/**
 * @file operand_types.c
 * Registers and literals of a type that the instruction does not take (PTX ISA 9.4): ptxas refuses an integer's instruction on a register of floats,
 * and the other way round, whatever nvcc lets through in `asm`. Widths are looked at where an operand becomes a register's place.
 */
#include <string.h>

#include "decode/decode_operands.h"
#include "decode/find_row.h"
#include "decode/modifiers.h"

/** What operands are, by a letter each; the last but one stands for all that follow if the last is '*'. */
static const struct shape {
    const char *mnemonics;
    int types;            /**< as many types as the instruction has; -1: whatever it has */
    const char *operands; /**< '0' to '3': of its first to fourth type; 'i': an integer; '-': not looked at */
} shapes[] = {
    {"add sub addc subc mul mad madc fma div rem abs neg min max sad and or xor not cnot brev", 1, "0*"},
    {"rcp sqrt rsqrt sin cos lg2 ex2 tanh copysign mov mul24 mad24 lop3 prmt fns cvta", 1, "0*"},
    {"shl shr szext mapa", 1, "00i"},
    {"bfe", 1, "00i*"},
    {"bfi shf", 1, "000i*"},
    {"popc clz bfind", 1, "i0"},
    {"dp4a dp2a", -1, "i00i"},
    {"bmsk redux bar nanosleep elect getctarank alloca stacksave stackrestore", -1, "i*"},
    {"isspacep", -1, "-i"},
    {"tensormap", 1, "-00"},
    {"match", 1, "i0i"},
    {"shfl", 1, "0000i"},
    {"vote", 1, "--i"},
    {"setp testp", 1, "-00"},
    {"selp", 1, "000"},
    {"set cvt", 2, "011"},
    {"slct", 2, "0001"},
    {"ld ldu", 1, "0-i"}, /* a cache policy comes last */
    {"st red", 1, "-0i"},
    {"atom", 1, "0-0i"}, /* of cas three, and no cache policy behind them */
    {"cp barrier mbarrier vadd vsub vabsdiff vmin vmax vshl vshr vmad vset vadd2 vadd4 vsub2 vsub4 vavrg2 vavrg4 vabsdiff2 vabsdiff4 vmin2 vmin4 vmax2 vmax4 vset2 vset4", -1, "i*"},
};

/** cvt.pack: numbers, and what they are packed before. */
static const struct shape packed = {"cvt", -1, "iii0"};

static bool in_words(const char *word, const char *words)
{
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

static const struct shape *shape_of(const char *mnemonic)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (in_words(mnemonic, shapes[i].mnemonics))
            return &shapes[i];
    return NULL;
}

/** Pairs of integers are pairs of halves here: in registers of bits or of .f16x2, and no literals. */
static enum ptx_type type_of(const char *name)
{
    return strcmp(name, "u16x2") == 0 || strcmp(name, "s16x2") == 0 ? PTX_F16X2 : ptx_type_of(name);
}

/** The types among the modifiers, in order. @return how many; four are kept */
static int types_of(const struct ptx_instr *pi, enum ptx_type types[4])
{
    int count = 0;
    for (int i = 0; i < pi->modifier_count; i++) {
        enum ptx_type type = type_of(pi->modifiers[i]);
        if (type != PTX_NONE && count < 4)
            types[count] = type;
        count += type != PTX_NONE;
    }
    return count;
}

static bool is_integer(enum ptx_type t)
{
    return t >= PTX_U8 && t <= PTX_S64;
}

static bool is_bits(enum ptx_type t)
{
    return t >= PTX_B8 && t <= PTX_B128;
}

static bool is_real(enum ptx_type t)
{
    return t == PTX_F16 || t == PTX_F32 || t == PTX_F64;
}

/** PTX_NONE as `wanted` is a number of threads, bits or the like. ptxas does not mind integers as `element` of a vector of floats. */
static bool register_fits(enum ptx_type wanted, enum ptx_type has, bool element)
{
    if (has == PTX_PRED || wanted == PTX_PRED)
        return true;
    if (wanted == PTX_NONE)
        return !is_real(has) && has != PTX_F16X2;
    if (ptx_type_bytes(wanted) == 2 && ptx_type_bytes(has) == 1)
        return false;
    if (is_bits(wanted))
        return true;
    if (is_integer(wanted))
        return !is_real(has);
    if (wanted == PTX_BF16 || wanted == PTX_BF16X2 || wanted == PTX_TF32)
        return is_bits(has) && ptx_type_bytes(has) == ptx_type_bytes(wanted);
    return is_bits(has) || has == wanted || (element && is_real(wanted) && is_integer(has) && ptx_type_bytes(has) == ptx_type_bytes(wanted));
}

static bool literal_fits(enum ptx_type wanted, enum ptx_operand_kind kind)
{
    if (wanted == PTX_PRED)
        return true;
    if (wanted == PTX_F16X2 || wanted == PTX_BF16X2 || wanted == PTX_TF32)
        return false;
    if (wanted == PTX_NONE || is_integer(wanted) || !is_bits(wanted))
        return (kind == OPERAND_INT) == (wanted == PTX_NONE || is_integer(wanted));
    return kind == OPERAND_INT || ptx_type_bytes(wanted) == (kind == OPERAND_FLOAT32 ? 4 : 8);
}

static const char *words_of(enum ptx_type wanted)
{
    return wanted == PTX_NONE ? "u32" : ptx_type_name(wanted);
}

static bool holds(const struct ptx_function *f, const struct ptx_operand *v, bool (*of_type)(enum ptx_type))
{
    for (int i = 0; v->kind == OPERAND_VECTOR && i < v->count; i++) {
        const struct ptx_operand *o = &v->element[i];
        if (o->kind == OPERAND_REG && o->reg >= 0 && o->reg < f->regs.count && of_type(f->regs.data[o->reg].type))
            return true;
    }
    return false;
}

static bool is_wide_bits(enum ptx_type t)
{
    return is_bits(t) && t != PTX_B8;
}

/** An element that is of bits lets all others of its vector be whatever they are; bytes are looked at, as they may be too short. */
static bool holds_bits(const struct ptx_function *f, const struct ptx_operand *v)
{
    return holds(f, v, is_wide_bits);
}

static bool operand_fits(struct decoder *d, const struct ptx_operand *o, enum ptx_type wanted, bool element)
{
    const struct ptx_function *f = d->info->source;

    switch (o->kind) {
    case OPERAND_REG:
        return o->reg < 0 || o->reg >= f->regs.count || register_fits(wanted, f->regs.data[o->reg].type, element) ||
               decode_fail(d, "register %.60s is .%s, which is no operand of .%s of %.20s", o->name, ptx_type_name(f->regs.data[o->reg].type), words_of(wanted), d->instr->mnemonic);
    case OPERAND_INT: case OPERAND_FLOAT32: case OPERAND_FLOAT64:
        return literal_fits(wanted, o->kind) ||
               decode_fail(d, "%s literal is no operand of .%s of %.20s", o->kind == OPERAND_INT ? "an integer" : "a floating-point", words_of(wanted), d->instr->mnemonic);
    case OPERAND_SYMBOL: /* an address, or WARP_SZ */
        return o->part || literal_fits(wanted, OPERAND_INT) || decode_fail(d, "an address is no operand of .%s of %.20s", words_of(wanted), d->instr->mnemonic);
    case OPERAND_PAIR:
        return operand_fits(d, &o->element[0], wanted, false);
    case OPERAND_VECTOR:
        for (int i = 0; i < o->count && strcmp(d->instr->mnemonic, "mov") != 0 && !holds_bits(f, o); i++)
            if (!operand_fits(d, &o->element[i], wanted, true))
                return false;
        return true;
    default:
        return true;
    }
}

bool operand_is(struct decoder *d, const struct ptx_operand *o, enum ptx_type wanted)
{
    return operand_fits(d, o, wanted, false);
}

bool vector_is(struct decoder *d, const struct ptx_operand *o, enum ptx_type wanted, bool integers_too)
{
    if (o->kind != OPERAND_VECTOR)
        return operand_fits(d, o, wanted, false);
    for (int i = 0; i < o->count && !holds_bits(d->info->source, o); i++)
        if (!operand_fits(d, &o->element[i], wanted, integers_too))
            return false;
    return true;
}

/** A matrix takes fewer literals: of floats those of their own bits, unless one beside them is a register; of halves and small integers none. */
static bool fragment_literal_fits(enum ptx_type wanted, enum ptx_operand_kind kind, bool beside_real)
{
    switch (wanted) {
    case PTX_NONE: return kind == OPERAND_INT;
    case PTX_F32: case PTX_B32: return kind == OPERAND_FLOAT32 || (kind == OPERAND_FLOAT64 && beside_real);
    case PTX_F64: return kind != OPERAND_INT;
    default: return wanted == PTX_B64;
    }
}

bool fragment_is(struct decoder *d, const struct ptx_operand *o, enum ptx_type wanted)
{
    const struct ptx_function *f = d->info->source;
    bool vector = o->kind == OPERAND_VECTOR, beside_real = holds(f, o, is_real);
    for (int i = 0; i < (vector ? o->count : 1) && !holds_bits(f, o); i++) {
        const struct ptx_operand *element = vector ? &o->element[i] : o;
        bool literal = element->kind == OPERAND_INT || element->kind == OPERAND_FLOAT32 || element->kind == OPERAND_FLOAT64;
        if (literal && !fragment_literal_fits(wanted, element->kind, beside_real))
            return decode_fail(d, "a literal of this kind is no element of this matrix");
        if (!literal && !operand_fits(d, element, wanted, false))
            return false;
    }
    return true;
}

bool register_addresses(struct decoder *d, const struct ptx_operand *o)
{
    enum ptx_type type = d->info->source->regs.data[o->reg].type;
    return (!is_real(type) && type != PTX_F16X2) || decode_fail(d, "register %.60s is .%s: an address is an integer", o->name, ptx_type_name(type));
}

/** Other conversions take wider registers than their types; those from and to .bf16 do not. */
static bool widths_fit(struct decoder *d, const struct ptx_instr *pi, const enum ptx_type types[4])
{
    const struct ptx_function *f = d->info->source;
    if (strcmp(pi->mnemonic, "cvt") != 0 || (types[0] != PTX_BF16 && types[1] != PTX_BF16))
        return true;
    for (int i = 0; i < 2 && i < pi->operand_count; i++) {
        const struct ptx_operand *o = &pi->operands[i];
        if (o->kind == OPERAND_REG && o->reg >= 0 && o->reg < f->regs.count && ptx_type_bytes(f->regs.data[o->reg].type) != ptx_type_bytes(types[i]))
            return decode_fail(d, "register %.60s is wider than .%s, which cvt with .bf16 does not take", o->name, ptx_type_name(types[i]));
    }
    return true;
}

bool operand_types_fit(struct decoder *d, const struct ptx_instr *pi)
{
    enum ptx_type types[4] = {PTX_NONE, PTX_NONE, PTX_NONE, PTX_NONE};
    const struct shape *s = shape_of(pi->mnemonic);

    if (strcmp(pi->mnemonic, "cvt") == 0 && modifiers_one_of(pi, "pack", NULL))
        s = &packed, types[0] = PTX_B32;
    else if (!s || (types_of(pi, types) != s->types && s->types >= 0))
        return true;
    if (!widths_fit(d, pi, types))
        return false;
    const char *at = strcmp(pi->mnemonic, "atom") == 0 && modifiers_one_of(pi, "cas", NULL) ? "0-0*" : s->operands;
    for (int i = 0; i < pi->operand_count && *at; i++) {
        if (*at != '-' && !operand_fits(d, &pi->operands[i], *at == 'i' ? PTX_NONE : types[*at - '0'], false))
            return false;
        at += at[1] != '*';
    }
    return true;
}
