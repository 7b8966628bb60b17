/**
 * @file operand_forms.c
 * Operands that no instruction takes, or few, as ptxas refuses them whatever the types (PTX ISA 5.4.2, 6.4): the bare address of a variable
 * where a register is meant, and vectors whose elements do not go together.
 */
#include <string.h>

#include "decode/decode_operands.h"
#include "decode/find_row.h"
#include "decode/modifiers.h"

/** Textures whose first coordinate is a layer, of a type of its own. (A surface's is not.) */
#define LAYERED "a1d.v4 a2d.v4 acube.v4 a1d.v2 a2d.v2 acube.v2"

/** What an element of a vector is, as far as that must be the same of all. Bits go with everything. */
enum element_kind { ANY_ELEMENT, INTEGER_ELEMENT, REAL_ELEMENT, HALVES_ELEMENT };

static enum element_kind kind_of_type(enum ptx_type t)
{
    if (t == PTX_F16X2)
        return HALVES_ELEMENT;
    if (t == PTX_F16 || t == PTX_F32 || t == PTX_F64)
        return REAL_ELEMENT;
    return t >= PTX_U8 && t <= PTX_S64 ? INTEGER_ELEMENT : ANY_ELEMENT;
}

/** The type of a register; PTX_NONE of any other operand. */
static enum ptx_type register_type(const struct decoder *d, const struct ptx_operand *o)
{
    const struct ptx_function *f = d->info->source;
    return o->kind == OPERAND_REG && o->reg >= 0 && o->reg < f->regs.count ? f->regs.data[o->reg].type : PTX_NONE;
}

static enum element_kind kind_of(const struct decoder *d, const struct ptx_operand *o)
{
    if (o->kind == OPERAND_INT)
        return INTEGER_ELEMENT;
    if (o->kind == OPERAND_FLOAT32 || o->kind == OPERAND_FLOAT64)
        return REAL_ELEMENT;
    return kind_of_type(register_type(d, o));
}

static bool is_warp_size(const struct ptx_operand *o)
{
    return o->kind == OPERAND_SYMBOL && o->variable < 0 && strcmp(o->name, "WARP_SZ") == 0;
}

static bool element_fits(struct decoder *d, const struct ptx_operand *o)
{
    switch (o->kind) {
    case OPERAND_VECTOR: case OPERAND_ADDRESS: case OPERAND_PAIR: case OPERAND_LIST:
        return decode_fail(d, "an element of a vector is a register or a literal");
    case OPERAND_SYMBOL:
        return is_warp_size(o) || decode_fail(d, "the address of %.80s is no element of a vector", o->name);
    default:
        return !o->negated || decode_fail(d, "an element of a vector has no sign");
    }
}

/** Registers of one width, and, from `from` on, no integer beside a float, or beside a pair of halves; something that is not thrown away, in an address nothing. */
static bool vector_agrees(struct decoder *d, const struct ptx_operand *v, int from, bool in_address)
{
    enum element_kind before = ANY_ELEMENT;
    enum ptx_type sized = PTX_NONE;
    int sinks = 0;

    for (int i = 0; i < v->count; i++) {
        const struct ptx_operand *o = &v->element[i];
        enum element_kind kind = kind_of(d, o);
        enum ptx_type type = register_type(d, o);
        sinks += o->kind == OPERAND_SINK;
        if (!element_fits(d, o))
            return false;
        if (o->kind == OPERAND_SINK && in_address)
            return decode_fail(d, "a sink has no value");
        if (kind && before && kind != before)
            return decode_fail(d, "an element of a vector is of another kind than the one before: integers, floats or .f16x2");
        before = i >= from ? kind : ANY_ELEMENT;
        if (type == PTX_NONE || type == PTX_PRED)
            continue;
        if (sized && ptx_type_bytes(type) != ptx_type_bytes(sized))
            return decode_fail(d, "the registers of a vector must have one width");
        sized = type;
    }
    return sinks < v->count || decode_fail(d, "a vector of sinks has no type");
}

/** Where a variable stands for its address: where addresses are made or followed, and as part of a constant, `name+4`. */
static bool takes_address(const struct ptx_instr *pi)
{
    static const char *const takers[] = {"mov", "mapa", "getctarank", "call", "bra", "brx"};
    for (size_t i = 0; i < sizeof takers / sizeof *takers; i++)
        if (strcmp(pi->mnemonic, takers[i]) == 0)
            return strcmp(takers[i], "mov") != 0 || !modifiers_one_of(pi, "f32 f64", NULL);
    return strcmp(pi->mnemonic, "cvta") == 0 && !modifiers_one_of(pi, "to", NULL);
}

/**
 * A global or generic address in a register of 32 bits makes the whole module one of 32 bits for ptxas, which there is not since CUDA 12. Copies and
 * matrices are not looked at.
 */
static bool address_is_wide(struct decoder *d, const struct ptx_instr *pi, const struct ptx_operand *o)
{
    static const char *const lookers[] = {"ld", "ldu", "st", "atom", "red", "prefetch", "prefetchu", "mbarrier", "discard", "applypriority"};
    enum ptx_type type = register_type(d, &o->element[0]);
    bool looks = false;
    for (size_t i = 0; i < sizeof lookers / sizeof *lookers; i++)
        looks |= strcmp(pi->mnemonic, lookers[i]) == 0;
    if (!looks || type == PTX_NONE || ptx_type_bytes(type) != 4 ||
        modifiers_one_of(pi, "async tensormap shared shared::cta shared::cluster local const param param::entry param::func", NULL))
        return true;
    return decode_fail(d, "a global or generic address has 64 bits, register %.60s has 32", o->element[0].name);
}

static bool form_fits(struct decoder *d, const struct ptx_instr *pi, const struct ptx_operand *o)
{
    switch (o->kind) {
    case OPERAND_SYMBOL:
        return o->part || o->offset || is_warp_size(o) || takes_address(pi) ||
               decode_fail(d, "the address of %.80s is no operand of %.20s: mov takes it into a register", o->name, pi->mnemonic);
    case OPERAND_VECTOR:
        if (strcmp(pi->mnemonic, "red") == 0 && modifiers_one_of(pi, "async", NULL))
            return decode_fail(d, "red.async takes no vector");
        return vector_agrees(d, o, 0, false);
    case OPERAND_PAIR:
        return form_fits(d, pi, &o->element[0]) && form_fits(d, pi, &o->element[1]);
    case OPERAND_ADDRESS:
        if (o->count == 1 && !address_is_wide(d, pi, o))
            return false;
        for (int i = 1; i < o->count; i++)
            if (o->element[i].kind == OPERAND_VECTOR ? !vector_agrees(d, &o->element[i], modifiers_one_of(pi, LAYERED, NULL) != NULL, true)
                                                     : !form_fits(d, pi, &o->element[i]))
                return false;
        return true;
    default:
        return true;
    }
}

bool operand_forms_fit(struct decoder *d, const struct ptx_instr *pi)
{
    for (int i = 0; i < pi->operand_count; i++)
        if (!form_fits(d, pi, &pi->operands[i]))
            return false;
    return true;
}
