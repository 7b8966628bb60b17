/**
 * @file call_types.c
 * Arguments and results of a call against the callee's parameters, or those of the prototype (PTX ISA 7.1, 9.7.12): of one size,
 * and integers, floats or bits alike, as ptxas wants them. A driver takes no module with another call.
 */
#include "decode/call_types.h"

static bool is_bits(enum ptx_type t)
{
    return t >= PTX_B8 && t <= PTX_B128;
}

static bool is_integer(enum ptx_type t)
{
    return t >= PTX_U8 && t <= PTX_S64;
}

/** Arrays of integers are of one sign, too; two halves pass for any word, but are no array's. */
static bool types_fit(enum ptx_type a, enum ptx_type b, bool array)
{
    if (ptx_type_bytes(a) != ptx_type_bytes(b))
        return false;
    return a == b || is_bits(a) || is_bits(b) || (!array && is_integer(a) && is_integer(b)) || (!array && (a == PTX_F16X2 || b == PTX_F16X2));
}

static bool is_array(const struct ptx_variable *v)
{
    return v->bytes != (uint64_t)ptx_type_bytes(v->type) * v->vector;
}

static bool variable_fits(const struct ptx_variable *v, const struct ptx_variable *formal)
{
    bool array = is_array(v) || is_array(formal);
    return v->align == formal->align && (v->bytes == formal->bytes || formal->incomplete) && types_fit(v->type, formal->type, array);
}

bool call_operand_fits(const struct ptx_function *f, const struct ptx_operand *o, const struct ptx_variable *formal)
{
    if (is_array(formal) && (o->kind == OPERAND_REG || o->kind == OPERAND_INT || o->kind == OPERAND_FLOAT32 || o->kind == OPERAND_FLOAT64))
        return false;
    switch (o->kind) {
    case OPERAND_SYMBOL:
        return o->variable < 0 || o->variable >= f->variables.count || variable_fits(&f->variables.data[o->variable], formal);
    case OPERAND_REG:
        return o->reg < 0 || o->reg >= f->regs.count || types_fit(f->regs.data[o->reg].type, formal->type, false);
    case OPERAND_INT:
        return is_bits(formal->type) || is_integer(formal->type);
    case OPERAND_FLOAT32: case OPERAND_FLOAT64:
        return !is_integer(formal->type);
    default:
        return true;
    }
}

void call_prototype_copy(struct ptx_function *f, const struct ptx_prototype *from, const char *label)
{
    struct ptx_prototype *to = LIST_PUSH(&f->prototypes);
    *to = (struct ptx_prototype){.label = label};
    for (int i = 0; i < from->params.count; i++)
        *LIST_PUSH(&to->params) = from->params.data[i];
    for (int i = 0; i < from->returns.count; i++)
        *LIST_PUSH(&to->returns) = from->returns.data[i];
}
