/**
 * @file small_objects.c
 * `cuda::atomic_ref<char>` and `<short>`: PTX has hardly any atomic of less than four bytes, so the library loads, and compares and swaps, the
 * aligned word around the object. By the memory model these would race with accesses of the object itself, and they reach beyond the end of
 * what is allocated. As their author has written an atomic of that object, and cannot write another, each becomes one:
 *
 *     and.b64 %word, %object, -4;           // the object itself: -1
 *     cvt.u32.u64 %low, %object;
 *     shl.b32 %bits, %low, 3;
 *     and.b32 %shift, %bits, 24;            // 0
 *     mov.u32 %ones, 255;                   // so many bytes has the object
 *     shl.b32 %mask, %ones, %shift;
 *     ld.relaxed.gpu.b32 %old, [%word];     // of the object
 *     atom.cas.relaxed.gpu.b32 …, [%word], %old, …;
 *
 * (-2 and 8 with loads of two bytes alone.) Only where the word's address serves strong loads and compare-and-swaps, and the shift only shifts.
 */
#include "decode/inline_parts.h"
#include "decode/small_objects.h"

/** One function, and an object in it whose address is rounded down to a multiple of `width`. */
struct small_object {
    struct ptx_function *f;
    int object;     /**< the register that holds its address */
    int64_t width;  /**< 4, or 2 */
};

static bool has_modifier(const struct ptx_instr *pi, const char *name)
{
    for (int i = 0; i < pi->modifier_count; i++)
        if (!strcmp(pi->modifiers[i], name))
            return true;
    return false;
}

static bool is_register(const struct ptx_operand *o, int reg)
{
    return o->kind == OPERAND_REG && o->reg == reg && !o->negated;
}

static bool is_number(const struct ptx_operand *o, int64_t number)
{
    return o->kind == OPERAND_INT && (int64_t)o->bits == number;
}

/** `OP.b… result, register, something` without a guard. */
static bool is_of_two(const struct ptx_instr *pi, const char *mnemonic)
{
    return instr_is(pi, mnemonic) && pi->operand_count == 3 && pi->guard < 0 && pi->operands[0].kind == OPERAND_REG && pi->operands[1].kind == OPERAND_REG;
}

static int uses_in(const struct ptx_operand *o, int count, int reg)
{
    int n = 0;
    for (int i = 0; i < count; i++) {
        n += (o[i].kind == OPERAND_REG || o[i].part) && o[i].reg == reg;
        if (o[i].element)
            n += uses_in(o[i].element, o[i].count ? o[i].count : 1, reg);
    }
    return n;
}

/** Is each instruction that names the register, but the one that sets it, such a use? */
static bool all_uses(const struct small_object *s, int setter, bool (*is_such)(const struct small_object *s, const struct ptx_instr *pi, int reg))
{
    int reg = s->f->instrs.data[setter].operands[0].reg, found = 0;
    for (int i = 0; i < s->f->instrs.count; i++) {
        const struct ptx_instr *pi = &s->f->instrs.data[i];
        if (i == setter || !uses_in(pi->operands, pi->operand_count, reg))
            continue;
        if (!is_such(s, pi, reg))
            return false;
        found++;
    }
    return found;
}

static bool is_strong_access(const struct small_object *s, const struct ptx_instr *pi, int reg)
{
    bool loads = instr_is(pi, "ld") && (has_modifier(pi, "relaxed") || has_modifier(pi, "acquire")) && has_modifier(pi, s->width == 4 ? "b32" : "b16");
    bool swaps = s->width == 4 && instr_is(pi, "atom") && has_modifier(pi, "cas") && has_modifier(pi, "b32");
    return (loads || swaps) && pi->operand_count >= 2 && pi->operands[1].kind == OPERAND_ADDRESS && !pi->operands[1].offset &&
           is_register(&pi->operands[1].element[0], reg) && uses_in(pi->operands, pi->operand_count, reg) == 1;
}

static bool is_shift(const struct small_object *s, const struct ptx_instr *pi, int reg)
{
    (void)s;
    return (is_of_two(pi, "shl") || is_of_two(pi, "shr")) && is_register(&pi->operands[2], reg) && uses_in(pi->operands, pi->operand_count, reg) == 1;
}

static const struct ptx_instr *set_by(const struct ptx_function *f, int reg, const char *mnemonic)
{
    for (int i = 0; i < f->instrs.count; i++) {
        const struct ptx_instr *pi = &f->instrs.data[i];
        if (instr_is(pi, mnemonic) && pi->operand_count >= 2 && is_register(&pi->operands[0], reg))
            return pi;
    }
    return NULL;
}

static bool rounds(const struct small_object *s, const struct ptx_instr *pi)
{
    return is_of_two(pi, "and") && has_modifier(pi, "b64") && is_register(&pi->operands[1], s->object) && is_number(&pi->operands[2], -s->width);
}

/** How far into the word, in bits, the object lies. */
static bool is_place(const struct small_object *s, const struct ptx_instr *pi)
{
    if (!is_of_two(pi, "and") || !has_modifier(pi, "b32") || !is_number(&pi->operands[2], 8 * (s->width - 1)))
        return false;
    const struct ptx_instr *bits = set_by(s->f, pi->operands[1].reg, "shl");
    const struct ptx_instr *low = bits && bits->operands[1].kind == OPERAND_REG && is_number(&bits->operands[2], 3) ? set_by(s->f, bits->operands[1].reg, "cvt") : NULL;
    return low && is_register(&low->operands[1], s->object);
}

/** The bytes of the object that is shifted to its place in the word by the register; 0: not known. */
static int bytes_by(const struct small_object *s, int shift)
{
    int bytes = 0;
    for (int i = 0; i < s->f->instrs.count; i++) {
        const struct ptx_instr *pi = &s->f->instrs.data[i];
        if (!is_of_two(pi, "shl") || !is_register(&pi->operands[2], shift))
            continue;
        const struct ptx_instr *ones = set_by(s->f, pi->operands[1].reg, "mov");
        if (ones && is_number(&ones->operands[1], 0xffff))
            bytes = 2;
        else if (ones && is_number(&ones->operands[1], 0xff) && !bytes)
            bytes = 1;
    }
    return bytes;
}

/** @return how many bytes the object has; 0: what is rounded down is none */
static int bytes_of(const struct small_object *s)
{
    int bytes = 0;
    for (int i = 0; i < s->f->instrs.count; i++) {
        const struct ptx_instr *pi = &s->f->instrs.data[i];
        bool place = is_place(s, pi);
        if ((rounds(s, pi) && !all_uses(s, i, is_strong_access)) || (place && !all_uses(s, i, is_shift)))
            return 0;
        if (place)
            bytes = s->width == 2 ? 1 : bytes_by(s, pi->operands[0].reg);
        if (place && !bytes)
            return 0;
    }
    return bytes;
}

static void narrow_accesses(const struct small_object *s, int word, int bytes)
{
    for (int i = 0; i < s->f->instrs.count; i++) {
        struct ptx_instr *pi = &s->f->instrs.data[i];
        if (pi->operand_count < 2 || pi->operands[1].kind != OPERAND_ADDRESS || !is_register(&pi->operands[1].element[0], word))
            continue;
        if (instr_is(pi, "atom"))
            pi->narrow = bytes;
        else
            pi->modifiers[pi->modifier_count - 1] = bytes == 1 ? "b8" : "b16";
    }
}

/** `at`: where its address is rounded down. */
static void take_object(const struct small_object *s, int at)
{
    int bytes = all_uses(s, at, is_strong_access) ? bytes_of(s) : 0;
    for (int i = 0; bytes && i < s->f->instrs.count; i++) {
        struct ptx_instr *pi = &s->f->instrs.data[i];
        if (rounds(s, pi)) {
            pi->operands[2].bits = UINT64_MAX;
            narrow_accesses(s, pi->operands[0].reg, bytes);
        } else if (is_place(s, pi)) {
            pi->operands[2].bits = 0;
        }
    }
}

void small_objects_take(struct ptx_module *m)
{
    for (int k = 0; k < m->functions.count; k++) {
        struct ptx_function *f = &m->functions.data[k];
        for (int i = 0; i < f->instrs.count; i++) {
            const struct ptx_instr *pi = &f->instrs.data[i];
            if (!is_of_two(pi, "and") || !has_modifier(pi, "b64"))
                continue;
            for (int64_t width = 2; width <= 4; width += 2)
                if (is_number(&pi->operands[2], -width))
                    take_object(&(struct small_object){f, pi->operands[1].reg, width}, i);
        }
    }
}
