/**
 * @file decode_operands.c
 * Operands as register offsets: registers, literals in the constant area, addresses of symbols.
 *
 * A register's width must be what the instruction reads, except where PTX lets it be wider (ld, st,
 * cvt): the _wide functions. Anything else fails, so that no handler ever reads beyond a register.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "decode/decode_operands.h"
#include "decode/decoder.h"
#include "decode/modifiers.h"
#include "decode/stages.h"

bool decode_fail(struct decoder *d, const char *format, ...)
{
    if (!d->error[0]) {
        va_list ap;
        va_start(ap, format);
        vsnprintf(d->error, sizeof d->error, format, ap);
        va_end(ap);
    }
    return false;
}

void *decoder_alloc(struct decoder *d, size_t count, size_t size)
{
    return arena_alloc(&d->im->arena, (count ? count : 1) * size);
}

unsigned width_of_type(enum ptx_type type)
{
    if (type == PTX_PRED)
        return WIDTH_PRED;
    unsigned bytes = ptx_type_bytes(type);
    return bytes < 2 ? 2 : bytes;
}

struct symbol operand_symbol(struct decoder *d, const struct ptx_operand *o)
{
    const struct function_info *f = d->info;
    struct symbol s = {SYMBOL_UNKNOWN, SPACE_GENERIC, 0, -1};

    if (o->variable >= 0) {
        const struct place *p = NULL;
        if (o->variable >= RETURN_BASE)
            p = o->variable - RETURN_BASE < f->source->returns.count
                    ? &f->returns[o->variable - RETURN_BASE] : NULL;
        else if (o->variable >= PARAM_BASE)
            p = o->variable - PARAM_BASE < f->source->params.count
                    ? &f->params[o->variable - PARAM_BASE] : NULL;
        else if (o->variable < f->source->variables.count)
            p = &f->variables[o->variable];
        if (p)
            s = (struct symbol){SYMBOL_VARIABLE, p->space, p->offset, -1};
    } else {
        int v = name_table_find(&d->variables, o->name);
        int fn = v < 0 ? name_table_find(&d->functions, o->name) : -1;
        if (v >= 0) {
            const struct image_variable *iv = &d->im->variables[v];
            uint64_t address = iv->address;
            if (iv->space == SPACE_SHARED && iv->bytes == 0)
                address = f->dynamic_base;
            s = (struct symbol){SYMBOL_VARIABLE, iv->space, address, -1};
        } else if (fn >= 0) {
            s = (struct symbol){SYMBOL_FUNCTION, SPACE_GENERIC,
                                d->im->functions[fn]->code_address, fn};
        }
    }
    s.address += (uint64_t)o->offset;
    return s;
}

bool symbol_is_local(const struct decoder *d, const struct ptx_operand *o)
{
    const struct ptx_function *f = d->info->source;
    return o->variable >= 0 && o->variable < f->variables.count && f->variables.data[o->variable].space == SPACE_LOCAL;
}

bool symbol_lies_in(struct decoder *d, const struct ptx_operand *o, enum ptx_space space)
{
    if (o->kind != OPERAND_SYMBOL || o->offset || operand_symbol(d, o).space == space)
        return true;
    return decode_fail(d, "%.80s does not lie in the state space that is named", o->name);
}

static const struct ptx_reg *register_of(struct decoder *d, const struct ptx_operand *o)
{
    const struct ptx_function *f = d->info->source;

    if (o->reg < 0 || o->reg >= f->regs.count)
        return NULL;
    return &f->regs.data[o->reg];
}

static const char *width_name(unsigned width)
{
    switch (width) {
    case WIDTH_PRED: return "a predicate";
    case 2: return "16 bits";
    case 4: return "32 bits";
    case 8: return "64 bits";
    default: return "128 bits";
    }
}

/** The register's offset, if its width lies in [least, most]. */
static bool register_operand(struct decoder *d, const struct ptx_operand *o, unsigned least,
                             unsigned most, uint32_t *reg, unsigned *width)
{
    const struct ptx_reg *r = register_of(d, o);

    if (!r)
        return decode_fail(d, "a register is expected");
    *width = width_of_type(r->type);
    bool wrong_kind = (*width == WIDTH_PRED) != (least == WIDTH_PRED);
    if (wrong_kind || *width < least || *width > most)
        return decode_fail(d, "register %.60s has %s, the instruction wants %s", r->name,
                           width_name(*width), width_name(least));
    if (o->negated)
        return decode_fail(d, "register %.60s cannot be negated here", r->name);
    *reg = d->info->reg_offset[o->reg];
    return true;
}

/** A literal as bits of the given width. */
static bool literal_bits(struct decoder *d, const struct ptx_operand *o, unsigned width,
                         uint64_t *bits)
{
    float f32;
    double f64;

    *bits = o->bits;
    if (o->kind == OPERAND_INT || (o->kind == OPERAND_FLOAT32 && width == 4) ||
        (o->kind == OPERAND_FLOAT64 && width == 8))
        return true;
    if (o->kind == OPERAND_FLOAT32 && width == 8) {
        uint32_t low = (uint32_t)o->bits;
        memcpy(&f32, &low, sizeof f32);
        f64 = f32;
        memcpy(bits, &f64, sizeof f64);
        return true;
    }
    if (o->kind == OPERAND_FLOAT64 && width == 4) {
        uint32_t low;
        memcpy(&f64, &o->bits, sizeof f64);
        f32 = (float)f64;
        memcpy(&low, &f32, sizeof low);
        *bits = low;
        return true;
    }
    return decode_fail(d, "a floating-point literal does not fit an operand of %s",
                       width_name(width));
}

static bool symbol_source(struct decoder *d, const struct ptx_operand *o, unsigned width,
                          uint32_t *reg)
{
    if (o->variable < 0 && strcmp(o->name, "WARP_SZ") == 0) {
        *reg = constant_slot(d, width, WARP_LANES, 0);
        return true;
    }
    struct symbol s = operand_symbol(d, o);
    if (s.kind == SYMBOL_UNKNOWN)
        return decode_fail(d, "unknown name %.80s", o->name);
    if (s.kind == SYMBOL_VARIABLE && s.space == SPACE_LOCAL && !d->info->function->is_entry)
        return decode_fail(d, "the address of %.80s is not a constant", o->name);
    if (width < 4 || (width == 4 && s.address > UINT32_MAX))
        return decode_fail(d, "the address of %.80s does not fit %s", o->name, width_name(width));
    *reg = constant_slot(d, width, s.address, 0);
    return true;
}

static bool source(struct decoder *d, const struct ptx_operand *o, unsigned least, unsigned most,
                   uint32_t *reg, unsigned *width)
{
    uint64_t bits;

    *width = least;
    switch (o->kind) {
    case OPERAND_REG:
        return register_operand(d, o, least, most, reg, width);
    case OPERAND_INT: case OPERAND_FLOAT32: case OPERAND_FLOAT64:
        if (!literal_bits(d, o, least, &bits))
            return false;
        *reg = constant_slot(d, least, bits, least == 16 && (int64_t)bits < 0 ? UINT64_MAX : 0);
        return true;
    case OPERAND_SYMBOL:
        return symbol_source(d, o, least, reg);
    case OPERAND_SPECIAL:
        return decode_fail(d, "special register %.60s is read by mov, and by cvt from u32, only", o->name);
    default:
        return decode_fail(d, "an operand of this kind is not supported here");
    }
}

bool operand_source(struct decoder *d, const struct ptx_operand *o, unsigned width, uint32_t *reg)
{
    unsigned actual;
    return source(d, o, width, width, reg, &actual);
}

bool operand_source_wide(struct decoder *d, const struct ptx_operand *o, unsigned least,
                         uint32_t *reg, unsigned *width)
{
    return source(d, o, least, 16, reg, width);
}

bool operand_pred(struct decoder *d, const struct ptx_operand *o, uint32_t *reg, bool *negated)
{
    struct ptx_operand plain = *o;

    plain.negated = false;
    *negated = o->negated;
    return operand_source(d, &plain, WIDTH_PRED, reg);
}

static bool target(struct decoder *d, const struct ptx_operand *o, unsigned least, unsigned most,
                   uint32_t *reg, unsigned *width)
{
    *width = least;
    if (o->kind == OPERAND_SINK) {
        *reg = REG_NONE;
        return true;
    }
    if (o->kind != OPERAND_REG)
        return decode_fail(d, "the destination must be a register");
    return register_operand(d, o, least, most, reg, width);
}

bool operand_target(struct decoder *d, const struct ptx_operand *o, unsigned width, uint32_t *reg)
{
    unsigned actual;
    return target(d, o, width, width, reg, &actual);
}

bool operand_result(struct decoder *d, const struct ptx_operand *o, unsigned width, uint32_t *reg)
{
    if (!operand_target(d, o, width, reg))
        return false;
    return *reg != REG_NONE || decode_fail(d, "the destination must be a register");
}

bool operand_target_wide(struct decoder *d, const struct ptx_operand *o, unsigned least,
                         uint32_t *reg, unsigned *width)
{
    return target(d, o, least, 16, reg, width);
}

bool operand_target_pair(struct decoder *d, const struct ptx_operand *o, unsigned width,
                         unsigned width2, uint32_t *reg, uint32_t *reg2)
{
    *reg2 = REG_NONE;
    if (o->kind != OPERAND_PAIR)
        return operand_target(d, o, width, reg);
    return o->count == 2 && operand_target(d, &o->element[0], width, reg) &&
           operand_target(d, &o->element[1], width2, reg2);
}

bool operand_literal(struct decoder *d, const struct ptx_operand *o, int64_t *value)
{
    if (o->kind != OPERAND_INT)
        return decode_fail(d, "an integer literal is expected");
    *value = (int64_t)o->bits;
    return true;
}

bool operand_count(struct decoder *d, const struct ptx_instr *pi, int least, int most)
{
    if (pi->operand_count >= least && pi->operand_count <= most)
        return true;
    return decode_fail(d, "%.40s takes %d to %d operands, not %d", pi->mnemonic, least, most,
                       pi->operand_count);
}

/** A literal integer is no operand of a floating-point instruction. */
bool operand_check_literal(struct decoder *d, const struct ptx_instr *pi,
                           const struct ptx_operand *o)
{
    const char *last = pi->modifier_count ? pi->modifiers[pi->modifier_count - 1] : "";
    bool real = strcmp(last, "f32") == 0 || strcmp(last, "f64") == 0;

    if (real && o->kind == OPERAND_INT && strcmp(pi->mnemonic, "selp") != 0 &&
        strcmp(pi->mnemonic, "slct") != 0)
        return decode_fail(d, "an integer literal is no operand of %.40s.%.20s", pi->mnemonic, last);
    return true;
}
