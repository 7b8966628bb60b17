/**
 * @file decode_move.c
 * mov, cvta, isspacep: values and addresses from one place to another (PTX ISA 9.7.9).
 */
#include <string.h>

#include "code/descriptions.h"
#include "code/specials.h"
#include "decode/decode_operands.h"
#include "decode/decoder.h"
#include "decode/find_row.h"
#include "decode/modifiers.h"
#include "decode/stages.h"
#include "memory/windows.h"

static enum op_row move_row(unsigned width)
{
    switch (width) {
    case 2: return ROW_mov_16;
    case 4: return ROW_mov_32;
    case 8: return ROW_mov_64;
    default: return ROW_mov_128;
    }
}

/** `mov.b64 {%a, %b}, %c` and the other way round. `vector` has 2, 4 or 8 elements. */
static bool decode_pack(struct decoder *d, const struct ptx_operand *vector,
                        const struct ptx_operand *whole, unsigned bytes, bool unpack, struct insn *in)
{
    struct pack_desc *p = decoder_alloc(d, 1, sizeof *p);
    int n = vector->count;

    if ((n != 2 && n != 4 && n != 8) || bytes % (unsigned)n)
        return decode_fail(d, "a vector of %d elements does not make %u bytes", n, bytes);
    p->count = (uint8_t)n;
    p->element_bytes = (uint8_t)(bytes / (unsigned)n);
    unsigned width = p->element_bytes < 2 ? 2 : p->element_bytes;
    for (int i = 0; i < n; i++)
        if (unpack ? !operand_target(d, &vector->element[i], width, &p->element[i])
                   : !operand_source(d, &vector->element[i], width, &p->element[i]))
            return false;
    in->extra = p;
    in->mem.reg_bytes = (uint8_t)bytes;
    if (unpack) {
        insn_choose(in, ROW_unpack);
        return operand_source(d, whole, bytes, &in->src[0]);
    }
    insn_choose(in, ROW_pack);
    if (n == 2 && (bytes == 4 || bytes == 8)) {
        insn_choose(in, bytes == 4 ? ROW_pack_2x16 : ROW_pack_2x32);
        in->src[0] = p->element[0];
        in->src[1] = p->element[1];
    }
    return operand_result(d, whole, bytes, &in->dst);
}

static bool decode_mov_pred(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    bool negated;

    insn_choose(in, ROW_mov_pred);
    if (!operand_result(d, &pi->operands[0], WIDTH_PRED, &in->dst) ||
        !operand_pred(d, &pi->operands[1], &in->src[0], &negated))
        return false;
    in->imm = 4 | (negated ? 16 : 0);
    return true;
}

bool decode_special_register(struct decoder *d, const char *name, struct insn *in)
{
    enum op_row row = special_row(name, &in->imm);
    if (row == ROW_COUNT)
        return decode_fail(d, "special register %.60s is not supported", name);
    insn_choose(in, row);
    return true;
}

/** Most special registers have 32 bits; %gridid is read as 32 or 64. */
static bool special_has_width(struct decoder *d, const char *name, enum ptx_type type)
{
    unsigned width = width_of_type(type);
    bool wide = !strcmp(name, "%clock64") || !strcmp(name, "%globaltimer") || !strcmp(name, "%current_graph_exec") || strstr(name, "_64");
    bool has_halves = strncmp(name, "%tid.", 5) == 0 || strncmp(name, "%ntid.", 6) == 0 || strncmp(name, "%ctaid.", 7) == 0 || strncmp(name, "%nctaid.", 8) == 0 || strcmp(name, "%gridid") == 0;
    if (type == PTX_F32 || type == PTX_F64 || width == 16 || (width == 2 && !has_halves) || (wide != (width == 8) && strcmp(name, "%gridid") != 0 && type != PTX_PRED))
        return decode_fail(d, "%.60s is no register of .%s", name, ptx_type_name(type));
    return true;
}

static bool symbol_is_global(struct decoder *d, const struct ptx_operand *o)
{
    struct symbol s = operand_symbol(d, o);
    return s.kind == SYMBOL_VARIABLE && s.space == SPACE_GLOBAL;
}

bool decode_mov(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    enum ptx_type type = modifier_type(&m);

    if (pi->modifier_count == 2 && pi->operand_count == 2 && (!strcmp(pi->modifiers[0], "v2") || !strcmp(pi->modifiers[0], "v4")) &&
        pi->operands[0].kind == OPERAND_VECTOR && pi->operands[1].kind != OPERAND_VECTOR)
        return decode_fail(d, "one value for a vector reaches its first element only, on a GPU, too: name a value for each");
    if (type == PTX_NONE || ptx_type_bytes(type) < 2) {
        if (type != PTX_PRED)
            return decode_fail_form(d, pi);
    }
    if (!modifiers_end(d, &m) || !operand_count(d, pi, 2, 2))
        return false;
    const struct ptx_operand *to = &pi->operands[0], *from = &pi->operands[1];
    unsigned width = width_of_type(type);
    if (type == PTX_PRED && strcmp(from->kind == OPERAND_SPECIAL ? from->name : "", "%is_explicit_cluster"))
        return decode_mov_pred(d, pi, in);
    if (from->kind == OPERAND_SYMBOL && width == 4 && !from->offset && symbol_is_global(d, from))
        return decode_fail(d, "the address of %.80s has 64 bits", from->name);
    if ((to->kind == OPERAND_VECTOR || from->kind == OPERAND_VECTOR) && type > PTX_B128)
        return decode_fail(d, "a vector is packed into bits: mov.b%u", 8 * width);
    if (to->kind == OPERAND_VECTOR)
        return decode_pack(d, to, from, width, true, in);
    if (from->kind == OPERAND_VECTOR)
        return decode_pack(d, from, to, width, false, in);
    if (!operand_result(d, to, width, &in->dst))
        return false;
    in->mem.reg_bytes = (uint8_t)width;
    if (from->kind == OPERAND_SPECIAL)
        return special_has_width(d, from->name, type) && decode_special_register(d, from->name, in);
    if (from->kind == OPERAND_SYMBOL && !d->info->function->is_entry) {
        struct symbol s = operand_symbol(d, from);
        if (s.kind == SYMBOL_VARIABLE && s.space == SPACE_LOCAL) {
            in->imm = s.address;
            insn_choose(in, ROW_local_address);
            return width == 4 || width == 8 || decode_fail_form(d, pi);
        }
    }
    insn_choose(in, move_row(width));
    return operand_source(d, from, width, &in->src[0]);
}

/** Its address and those behind it lie where cvta says. */
static bool symbol_converts(struct decoder *d, const struct ptx_operand *o, enum ptx_space space)
{
    struct ptx_operand whole = *o;
    if (o->kind == OPERAND_SYMBOL && operand_symbol(d, o).kind != SYMBOL_VARIABLE)
        return true;
    whole.offset = 0;
    return symbol_lies_in(d, &whole, space);
}

bool decode_cvta(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    bool to = modifier_take(&m, "to");
    enum ptx_space space = modifier_space(&m);
    uint64_t window = generic_window(space);

    if (space == SPACE_PARAM && !d->info->function->is_entry)
        return decode_fail_form(d, pi);
    if (space == SPACE_GENERIC || modifier_type(&m) != PTX_U64)
        return decode_fail_form(d, pi);
    if (!modifiers_end(d, &m) || !operand_count(d, pi, 2, 2) || !(to ? symbol_lies_in(d, &pi->operands[1], space) : symbol_converts(d, &pi->operands[1], space)) ||
        !operand_result(d, &pi->operands[0], 8, &in->dst) ||
        !operand_source(d, &pi->operands[1], 8, &in->src[0]))
        return false;
    insn_choose(in, space == SPACE_LOCAL ? ROW_cvta_local : space == SPACE_SHARED ? ROW_cvta_shared : window ? ROW_cvta_window : ROW_mov_64);
    if (space == SPACE_LOCAL || space == SPACE_SHARED)
        in->imm = to;
    else if (window)
        in->src[1] = constant_slot(d, 8, to ? 0 - window : window, 0);
    return true;
}

bool decode_isspacep(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    enum ptx_space space = modifier_space(&m);

    if (space == SPACE_GENERIC)
        return decode_fail_form(d, pi);
    in->mem.space = (uint8_t)space;
    in->mem.cluster = strcmp(pi->modifiers[0], "shared::cluster") == 0;
    if (!modifiers_end(d, &m) || !operand_count(d, pi, 2, 2) || !operand_result(d, &pi->operands[0], WIDTH_PRED, &in->dst))
        return false;
    unsigned width = 8; /* of a generic address; one of .u32 is extended */
    bool given = pi->operands[1].kind == OPERAND_REG ? operand_source_wide(d, &pi->operands[1], 4, &in->src[0], &width)
                                                     : operand_source(d, &pi->operands[1], 8, &in->src[0]);
    in->mem.address_bytes = (uint8_t)width;
    return given && (width <= 8 || decode_fail(d, "an address has 32 or 64 bits"));
}
