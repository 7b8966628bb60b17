/**
 * @file decode_image.c
 * Textures and surfaces through objects (PTX ISA 9.7.10, 9.7.11): the forms that nvcc makes of CUDA's functions, and their
 * siblings. References (.texref, .samplerref, .surfref) are refused where they are declared.
 */
#include "code/image_descriptions.h"
#include "decode/decode_operands.h"
#include "decode/find_row.h"
#include "decode/modifiers.h"
#include "decode/stages.h"

#define GEOMETRIES "1d 2d 3d a1d a2d cube acube"

static struct image_desc *new_desc(struct decoder *d, struct insn *in)
{
    struct image_desc *x = decoder_alloc(d, 1, sizeof *x);
    for (int i = 0; i < IMAGE_REGISTERS; i++)
        x->reg[i] = REG_NONE;
    x->texel = decoder_alloc(d, 1, sizeof *x->texel);
    in->extra = x;
    return x;
}

/** A vector's elements, or the operand itself. */
static int parts_of(const struct ptx_operand *o, const struct ptx_operand **parts)
{
    bool vector = o->kind == OPERAND_VECTOR;
    *parts = vector ? o->element : o;
    return vector ? o->count : 1;
}

/** `n` parts of an operand from the first on, in registers of 4 bytes; of what pads it only the type is looked at. */
static bool decode_parts(struct decoder *d, const struct ptx_operand *o, int first, int n, uint32_t *reg)
{
    const struct ptx_operand *parts;
    int count = parts_of(o, &parts);
    if (count < first + n)
        return decode_fail(d, "%d coordinates are expected", first + n);
    if (count == 3 || count > 4)
        return decode_fail(d, "a vector has two or four elements: three coordinates need a fourth behind them");
    for (int i = 0; i < n; i++)
        if (!operand_source(d, &parts[first + i], 4, &reg[i]))
            return false;
    return true;
}

/** The type of the coordinates, PTX_NONE for integers; of layered images ptxas looks at the layer only. */
static bool coordinates_fit(struct decoder *d, const struct ptx_operand *o, const struct image_desc *x, enum ptx_type wanted)
{
    bool vector = o->kind == OPERAND_VECTOR;
    if (!vector && o->kind != OPERAND_REG)
        return decode_fail(d, "coordinates stand in braces");
    return vector && image_is_layered(x) ? operand_is(d, &o->element[0], PTX_NONE) : vector_is(d, o, wanted, true);
}

static bool reference_refused(struct decoder *d)
{
    return decode_fail(d, "texture and surface references are not supported: objects took their place");
}

/** An object's handle, in a register of 64 bits. */
static bool decode_object(struct decoder *d, const struct ptx_operand *o, uint32_t *reg)
{
    if (o->kind != OPERAND_REG)
        return reference_refused(d);
    return operand_source(d, o, 8, reg) && operand_is(d, o, PTX_U64);
}

/** `[object, coordinates]` */
static bool decode_place(struct decoder *d, const struct ptx_operand *o, struct image_desc *x, enum ptx_type wanted)
{
    if (o->kind != OPERAND_ADDRESS || o->count != 2 || o->offset)
        return decode_fail(d, "an object with coordinates is expected: a sampler of its own is not supported");
    bool layered = image_is_layered(x);
    return decode_object(d, &o->element[0], &x->reg[IMAGE_HANDLE]) &&
           (!layered || decode_parts(d, &o->element[1], 0, 1, &x->reg[IMAGE_LAYER])) &&
           decode_parts(d, &o->element[1], layered, (int)image_dimensions(x), &x->reg[IMAGE_COORDINATE]) &&
           coordinates_fit(d, &o->element[1], x, wanted);
}

static enum ptx_type coordinate_type(const struct image_desc *x)
{
    return x->whole ? PTX_S32 : PTX_F32;
}

/**
 * What a surface gives or takes, in registers of one width that may be wider than an element: what is loaded is extended with zeros, of what is stored the
 * lower bits count.
 */
static bool decode_elements(struct decoder *d, const struct ptx_operand *o, struct image_desc *x, bool target)
{
    const struct ptx_operand *parts;
    uint32_t *reg = &x->reg[target ? IMAGE_RESULT : IMAGE_STORED];
    unsigned least = width_of_type((enum ptx_type)x->type), width = 0;
    if (parts_of(o, &parts) != x->count)
        return decode_fail(d, "%d elements are expected", x->count);
    for (int i = 0; i < x->count; i++) {
        unsigned found = 0;
        bool sink = parts[i].kind == OPERAND_SINK, fits = true;
        if (target && (sink || parts[i].kind == OPERAND_REG))
            fits = operand_target_wide(d, &parts[i], least, &reg[i], &found);
        else if (target)
            fits = decode_fail(d, "the destination must be a register");
        else if (parts[i].kind == OPERAND_REG)
            fits = operand_source_wide(d, &parts[i], least, &reg[i], &found);
        if (!fits)
            return false;
        if (found > 8)
            return decode_fail(d, "an element of a surface has at most 64 bits");
        if (!sink && found && width && found != width)
            return decode_fail(d, "the registers of a vector must have one width");
        width = !sink && found ? found : width;
    }
    x->reg_bytes = (uint8_t)(width ? width : least);
    for (int i = 0; i < x->count && !target; i++)
        if (parts[i].kind != OPERAND_REG && !operand_source(d, &parts[i], x->reg_bytes, &reg[i]))
            return false;
    return true;
}

/** `{a, b, c, d}` or `{a, b, c, d}|p` */
static bool decode_result(struct decoder *d, const struct ptx_operand *o, int count, struct image_desc *x, struct insn *in)
{
    const struct ptx_operand *values = o, *parts;
    if (o->kind == OPERAND_PAIR && insn_row(in) == ROW_suld)
        return decode_fail(d, "suld has no predicate");
    if (o->kind == OPERAND_PAIR) {
        values = &o->element[0];
        if (!operand_target(d, &o->element[1], WIDTH_PRED, &in->dst2))
            return false;
    }
    if (parts_of(values, &parts) != count)
        return decode_fail(d, "%d results are expected", count);
    if (insn_row(in) == ROW_suld && !decode_elements(d, values, x, true))
        return false;
    for (int i = 0; i < count && insn_row(in) != ROW_suld; i++)
        if (!operand_target(d, &parts[i], x->reg_bytes, &x->reg[IMAGE_RESULT + i]))
            return false;
    if (parts[0].kind == OPERAND_SINK && count == 1)
        return decode_fail(d, "what is loaded cannot be thrown away");
    return vector_is(d, values, (enum ptx_type)x->type, true);
}

/** A value to compare depths with. It changes nothing: no sampler that CUDA makes compares (an H200: tests/runtime/image_facts.cu). */
static bool decode_compared(struct decoder *d, const struct ptx_operand *o, const struct image_desc *x)
{
    uint32_t ignored;
    if (x->geometry == IMAGE_3D)
        return decode_fail(d, "no depth is compared in three dimensions");
    if (x->whole)
        return decode_fail(d, "depths are compared at coordinates of .f32");
    return operand_source(d, o, 4, &ignored) && (o->kind == OPERAND_INT || operand_is(d, o, PTX_F32));
}

/** `, {offsets}`, `, depth`, or both. */
static bool decode_offsets(struct decoder *d, const struct ptx_instr *pi, int at, struct image_desc *x)
{
    bool offsets = pi->operand_count > at && pi->operands[at].kind == OPERAND_VECTOR;
    if (offsets && image_is_cube(x))
        return decode_fail(d, "a cube map has no offsets");
    if (offsets && (!decode_parts(d, &pi->operands[at], 0, (int)image_dimensions(x), &x->reg[IMAGE_OFFSET]) || !vector_is(d, &pi->operands[at], PTX_NONE, false)))
        return false;
    if (pi->operand_count > at + offsets + 1)
        return decode_fail(d, "behind the offsets only a depth is expected");
    return pi->operand_count == at + offsets || decode_compared(d, &pi->operands[at + offsets], x);
}

static void note_type(struct image_desc *x, struct insn *in, enum ptx_type type)
{
    x->type = (uint8_t)type;
    in->mem.space = SPACE_GLOBAL;
    in->mem.type = (uint8_t)type;
}

/** Result and coordinate types: four results of 32 bits, or two of f16x2. */
static bool take_types(struct decoder *d, const struct ptx_instr *pi, struct modifiers *m, struct image_desc *x, struct insn *in)
{
    int vector = modifier_of(m, "v4 v2");
    enum ptx_type result = modifier_type(m), coordinate = modifier_type(m);
    bool fits = vector == 1 ? result == PTX_F16X2 && !x->gathers : result == PTX_F32 || result == PTX_S32 || result == PTX_U32;
    if (vector < 0 || !fits || (coordinate != PTX_F32 && coordinate != PTX_S32))
        return decode_fail_form(d, pi);
    x->whole = coordinate == PTX_S32;
    x->reg_bytes = 4;
    note_type(x, in, result);
    return modifiers_end(d, m);
}

bool decode_tex(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    static const uint8_t levels[] = {LEVEL_BASE, LEVEL_GIVEN, LEVEL_GRADIENT};
    struct image_desc *x = new_desc(d, in);
    struct modifiers m = {pi, 0};
    int level = modifier_of(&m, "base level grad"), geometry = modifier_of(&m, GEOMETRIES);

    if (geometry < 0)
        return decode_fail_form(d, pi);
    x->level = levels[level < 0 ? 0 : level];
    x->geometry = (uint8_t)geometry;
    int more = level <= 0 ? 0 : level;
    if (!take_types(d, pi, &m, x, in) || !operand_count(d, pi, 2 + more, 4 + more) ||
        !decode_result(d, &pi->operands[0], x->type == PTX_F16X2 ? 2 : 4, x, in) || !decode_place(d, &pi->operands[1], x, coordinate_type(x)))
        return false;
    if (x->level == LEVEL_GIVEN && (!operand_source(d, &pi->operands[2], 4, &x->reg[IMAGE_LOD]) || !operand_is(d, &pi->operands[2], coordinate_type(x))))
        return false;
    int n = (int)image_dimensions(x);
    for (int i = 2; x->level == LEVEL_GRADIENT && i < 4; i++) {
        const struct ptx_operand *o = &pi->operands[i];
        if (o->kind != OPERAND_VECTOR || o->count != (n == 3 ? 4 : n))
            return decode_fail(d, "a gradient of %d elements is expected", n == 3 ? 4 : n);
        if (!decode_parts(d, o, 0, n, &x->reg[i == 2 ? IMAGE_DX : IMAGE_DY]) || !vector_is(d, o, coordinate_type(x), false))
            return false;
    }
    return decode_offsets(d, pi, 2 + more, x);
}

bool decode_tld4(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct image_desc *x = new_desc(d, in);
    struct modifiers m = {pi, 0};
    int component = modifier_of(&m, "r g b a"), geometry = modifier_of(&m, GEOMETRIES);

    if (component < 0 || (geometry != IMAGE_2D && geometry != IMAGE_A2D))
        return decode_fail(d, "tld4 is supported on 2d and a2d");
    x->gathers = true;
    x->component = (uint8_t)component;
    x->geometry = (uint8_t)geometry;
    return take_types(d, pi, &m, x, in) && operand_count(d, pi, 2, 4) && decode_result(d, &pi->operands[0], 4, x, in) &&
           decode_place(d, &pi->operands[1], x, coordinate_type(x)) && decode_offsets(d, pi, 2, x);
}

/**
 * Which types a reduction takes (9.7.11.3): by element of 4 bytes signed or unsigned, by bytes also of 8. By elements of 8
 * bytes (.p.b64) there is none: no array has channels so wide.
 */
static bool reduces(int op, enum ptx_type t, bool formatted)
{
    bool adds = op == ATOM_ADD, compares = op == ATOM_MIN || op == ATOM_MAX, bits = op == ATOM_AND || op == ATOM_OR;
    if (formatted)
        return t == PTX_B32;
    return (adds && (t == PTX_U32 || t == PTX_S32 || t == PTX_U64)) || (compares && (t == PTX_U32 || t == PTX_S32 || t == PTX_U64 || t == PTX_S64)) ||
           (bits && t == PTX_B32);
}

static bool decode_stored(struct decoder *d, const struct ptx_operand *o, struct image_desc *x)
{
    return decode_elements(d, o, x, false) && vector_is(d, o, (enum ptx_type)x->type, false);
}

bool decode_surface(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    static const uint8_t ops[] = {ATOM_ADD, ATOM_MIN, ATOM_MAX, ATOM_AND, ATOM_OR};
    struct image_desc *x = new_desc(d, in);
    struct modifiers m = {pi, 0};
    bool load = insn_row(in) == ROW_suld, reduction = insn_row(in) == ROW_sured;
    int form = modifier_of(&m, load ? "b" : "b p");
    int op = reduction ? modifier_of(&m, "add min max and or") : 0, geometry = modifier_of(&m, GEOMETRIES);

    if (form < 0 || op < 0 || geometry < 0 || geometry > (reduction ? IMAGE_3D : IMAGE_A2D))
        return decode_fail_form(d, pi);
    if (!reduction)
        modifier_of(&m, "ca cg cs cv wb wt");
    int vector = modifier_of(&m, "v2 v4");
    enum ptx_type type = modifier_type(&m);
    int boundary = modifier_of(&m, "trap clamp zero");
    x->formatted = form == 1;
    x->geometry = (uint8_t)geometry;
    x->whole = true;
    x->boundary = (uint8_t)boundary;
    x->count = (uint8_t)(vector < 0 ? 1 : 2 << vector);
    x->bytes = (uint8_t)ptx_type_bytes(type);
    x->atom = ops[op];
    if (type == PTX_NONE || boundary < 0 || !modifiers_end(d, &m))
        return decode_fail_form(d, pi);
    if (reduction ? !reduces(x->atom, type, x->formatted) || vector >= 0
                  : type > PTX_B64 || type == PTX_PRED || (x->formatted && type != PTX_B32))
        return decode_fail_form(d, pi);
    if (x->count * x->bytes > 16)
        return decode_fail_form(d, pi);
    if (reduction && pi->operand_count == 2 && pi->operands[1].kind == OPERAND_VECTOR)
        return decode_fail(d, "sured takes no vector");
    x->reg_bytes = (uint8_t)width_of_type(type);
    note_type(x, in, type);
    return operand_count(d, pi, 2, 2) && decode_place(d, &pi->operands[load ? 1 : 0], x, PTX_NONE) &&
           (load ? decode_result(d, &pi->operands[0], x->count, x, in) : decode_stored(d, &pi->operands[1], x));
}

/** What a driver of CUDA 13 loads no kernel for. */
static bool query_refused(struct decoder *d, const char *query)
{
    return decode_fail(d, "the query .%.40s has no answer in CUDA 13: no driver has a kernel with it (.width, .height and .depth have)", query);
}

/* txq.query d, [object]; txq.level.query d, [object], level; suq.query d, [object]; of them what an H200 answers */
bool decode_query(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    bool surface = insn_row(in) == ROW_suq, level = !surface && modifier_take(&m, "level");
    const char *named = m.at < pi->modifier_count ? pi->modifiers[m.at] : "";
    int query = modifier_of(&m, "width height depth");

    if (query < 0 && !level && modifier_of(&m, surface ? "array_size channel_data_type channel_order memory_layout"
                                                       : "array_size channel_data_type channel_order normalized_coords num_mipmap_levels num_samples "
                                                         "filter_mode addr_mode_0 addr_mode_1 addr_mode_2 memory_layout") >= 0)
        return query_refused(d, named);
    if (query < 0 || modifier_type(&m) != PTX_B32 || !modifiers_end(d, &m))
        return decode_fail_form(d, pi);
    in->imm = (uint64_t)query;
    in->src[1] = REG_NONE;
    if (!operand_count(d, pi, 2 + level, 2 + level) || !operand_result(d, &pi->operands[0], 4, &in->dst))
        return false;
    const struct ptx_operand *o = &pi->operands[1];
    if (o->kind != OPERAND_ADDRESS || o->count != 1 || o->offset)
        return decode_fail(d, "an object is expected");
    return decode_object(d, &o->element[0], &in->src[0]) &&
           (!level || (operand_source(d, &pi->operands[2], 4, &in->src[1]) && operand_is(d, &pi->operands[2], PTX_NONE)));
}

/* istypep.type p, a: an object is of no type of reference (an H200: tests/runtime/image_facts.cu) */
bool decode_istypep(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    if (modifier_of(&m, "texref samplerref surfref") < 0 || !modifiers_end(d, &m))
        return decode_fail_form(d, pi);
    return operand_count(d, pi, 2, 2) && operand_result(d, &pi->operands[0], WIDTH_PRED, &in->dst) &&
           (pi->operands[1].kind == OPERAND_REG || pi->operands[1].kind == OPERAND_INT || reference_refused(d)) &&
           operand_source(d, &pi->operands[1], 8, &in->src[0]) && operand_is(d, &pi->operands[1], PTX_U64);
}
