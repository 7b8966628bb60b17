/**
 * @file decode_video.c
 * Video instructions (PTX ISA 9.7.18): on one part of each register, or on two halves or four bytes of them at once.
 */
#include <string.h>

#include "code/descriptions.h"
#include "decode/decode_operands.h"
#include "decode/decoder.h"
#include "decode/find_row.h"
#include "decode/modifiers.h"
#include "execute/numerics/modes.h"

/** Takes .u32 or .s32. @return 0, 1 or -1 */
static int signedness(struct modifiers *m)
{
    return modifier_of(m, "u32 s32");
}

/** "b3210": the elements of a source, or those of the result that a mask names, from the last to the first. @return their number; 0: none such */
static int digits(const char *part, unsigned bits, int limit, uint8_t *out)
{
    int n = (int)strlen(part) - 1;
    if (n < 1 || n > 4 || *part != (bits == 8 ? 'b' : 'h'))
        return 0;
    for (int i = 0; i < n; i++) {
        out[i] = (uint8_t)(part[n - i] - '0');
        if (out[i] >= limit)
            return 0;
    }
    return n;
}

/** The part of a register that one element is ("b2", "h1"; none: all of it), `beside` words from the first. */
static bool read_part(const struct ptx_operand *o, int beside, uint8_t *bits, uint8_t *pick)
{
    *bits = !o->part ? 32 : *o->part == 'b' ? 8 : 16;
    *pick = 0;
    if (o->part && digits(o->part, *bits, 32 / *bits, pick) != 1)
        return false;
    *pick = (uint8_t)(*pick + beside * (32 / *bits));
    return true;
}

/** A source's elements: of a SIMD instruction each of either register, by default (`beside` 0 or 1) those of its own. */
static bool read_source(const struct ptx_operand *o, const struct video *v, int beside, struct video_source *s)
{
    s->negated = o->negated;
    if (v->count == 1)
        return read_part(o, beside, &s->bits, &s->pick[0]);
    s->bits = v->bits;
    for (int i = 0; i < v->count; i++)
        s->pick[i] = (uint8_t)(i + beside * v->count);
    return !o->negated && (!o->part || digits(o->part, v->bits, 2 * v->count, s->pick) == v->count);
}

/** Which elements of the result are written. */
static bool read_mask(const struct ptx_operand *o, struct video *v)
{
    uint8_t named[4];
    if (v->count == 1) {
        v->mask = 1;
        return read_part(o, 0, &v->bits, &v->first);
    }
    v->mask = (uint8_t)((1 << v->count) - 1);
    if (!o->part)
        return true;
    int n = digits(o->part, v->bits, v->count, named);
    v->mask = 0;
    for (int i = 0; i < n; i++)
        v->mask |= (uint8_t)(1 << named[i]);
    return n > 0;
}

/** The operand without what video instructions alone know of. */
static struct ptx_operand whole(const struct ptx_operand *o)
{
    struct ptx_operand plain = *o;
    plain.negated = false;
    if (plain.part)
        plain.kind = OPERAND_REG;
    return plain;
}

static bool read_modifiers(struct video *v, struct modifiers *m)
{
    int compare = 0, wrap = 0;
    int d_signed = v->operation == VIDEO_SET ? 0 : signedness(m), a_signed = signedness(m), b_signed = signedness(m);
    if (v->operation == VIDEO_SET)
        compare = modifier_of(m, "eq ne lt le gt ge");
    v->plus_one = v->operation == VIDEO_MAD && modifier_take(m, "po");
    v->saturate = v->operation != VIDEO_SET && modifier_take(m, "sat");
    bool shifts = v->operation == VIDEO_SHL || v->operation == VIDEO_SHR;
    if (shifts)
        wrap = modifier_of(m, "clamp wrap");
    if (v->operation == VIDEO_MAD)
        v->scale = modifier_take(m, "shr7") ? 7 : modifier_take(m, "shr15") ? 15 : 0;
    else if (v->count == 1)
        v->second = (uint8_t)(1 + modifier_of(m, "add min max"));
    else
        v->second = !v->saturate && modifier_take(m, "add") ? VIDEO_PLUS : VIDEO_MERGE;
    if (d_signed < 0 || a_signed < 0 || b_signed < 0 || compare < 0 || wrap < 0 || (shifts && b_signed))
        return false;
    v->is_signed = d_signed, v->a.is_signed = a_signed, v->b.is_signed = b_signed;
    v->compare = (uint8_t)compare, v->wrap = wrap;
    return true;
}

/** Three sources, but for a scalar operation that leaves nothing of the result as it is and adds nothing. */
static int sources_of(const struct video *v, const struct ptx_instr *pi)
{
    return v->count > 1 || v->operation == VIDEO_MAD || v->second || pi->operands[0].part ? 3 : 2;
}

bool decode_video(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    static const char *const names[] = {"vadd", "vsub", "vabsdiff", "vmin", "vmax", "vavrg", "vset", "vshl", "vshr", "vmad"};
    struct modifiers m = {pi, 0};
    struct video *v = decoder_alloc(d, 1, sizeof *v);
    size_t length = strcspn(pi->mnemonic, "24");

    while (strlen(names[v->operation]) != length || strncmp(names[v->operation], pi->mnemonic, length) != 0)
        v->operation++;
    v->count = pi->mnemonic[length] == '4' ? 4 : pi->mnemonic[length] == '2' ? 2 : 1;
    v->bits = (uint8_t)(32 / v->count);
    in->extra = v;
    if (!read_modifiers(v, &m))
        return decode_fail_form(d, pi);
    if (!modifiers_end(d, &m) || !operand_count(d, pi, 3, 4))
        return false;
    int sources = sources_of(v, pi);
    if (!operand_count(d, pi, 1 + sources, 1 + sources))
        return false;
    struct ptx_operand to = whole(&pi->operands[0]);
    bool negates = v->operation == VIDEO_MAD && !v->plus_one;
    v->c_negated = sources == 3 && pi->operands[3].negated;
    if (!read_mask(&pi->operands[0], v) || !read_source(&pi->operands[1], v, 0, &v->a) ||
        !read_source(&pi->operands[2], v, 1, &v->b) || (sources == 3 && pi->operands[3].part) ||
        pi->operands[0].negated || (!negates && (v->a.negated || v->b.negated || v->c_negated)) || (negates && (pi->operands[0].part || v->second)) ||
        (v->second && v->count == 1 && pi->operands[0].part))
        return decode_fail(d, "operands of %.40s are not supported as they are written", pi->mnemonic);
    if (!operand_result(d, &to, 4, &in->dst))
        return false;
    for (int i = 0; i < sources; i++) {
        struct ptx_operand from = whole(&pi->operands[1 + i]);
        if (v->count > 1 && from.kind != OPERAND_REG)
            return decode_fail(d, "%.40s takes registers only", pi->mnemonic);
        if (!operand_source(d, &from, 4, &in->src[i]))
            return false;
    }
    return true;
}
