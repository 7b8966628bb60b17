/**
 * @file form.c
 * See form.h: all registers begin unwritten, and each write can only make their form worse.
 */
#include "compile/form.h"

#include <string.h>

#include "compile/way.h"

#define MOST_NARROW_STEP (1ll << 26) /* of what is extended: 31 of them wrap at most once */

static const struct form same = {.kind = FORM_EVEN}, any = {.kind = FORM_ANY};

struct form form_of(const struct plan *p, int i, uint32_t reg)
{
    int web = reg & CONST_BIT ? -1 : plan_web(p, i, reg, false);
    return web < 0 || !p->varying[web] ? same : p->forms[web];
}

static struct form source(const struct plan *p, const struct insn *in, int n)
{
    return form_of(p, (int)(in - p->f->entry), in->src[n]);
}

static int64_t literal(const struct plan *p, uint32_t reg, bool wide)
{
    int64_t word = 0;
    int32_t half;
    memcpy(wide ? (void *)&word : (void *)&half, p->f->image->constants + (reg & ~CONST_BIT), wide ? 8 : 4);
    return wide ? word : half;
}

static struct form even(int64_t step, bool wide)
{
    return (struct form){.kind = FORM_EVEN, .step = wide ? step : (int32_t)step};
}

/** The same that may have a jump. */
static struct form jumping(int64_t step, bool wide, bool wraps)
{
    struct form f = even(step, wide);
    if (wraps && f.step == 0) /* lanes before the jump are alike, and so are those behind it, but no lane is a step from the next */
        return any;
    f.wraps = wraps;
    return f;
}

static struct form sum(struct form a, struct form b, bool wide)
{
    if (a.kind != FORM_EVEN || b.kind != FORM_EVEN || (a.wraps && b.wraps)) /* two jumps may make up for each other in the last lane */
        return any;
    return jumping((int64_t)((uint64_t)a.step + (uint64_t)b.step), wide, a.wraps || b.wraps);
}

static struct form product(const struct plan *p, const struct insn *in, bool wide)
{
    struct form a = source(p, in, 0), b = source(p, in, 1);
    if (a.step == 0 && b.step == 0)
        return same;
    if (in->src[1] & CONST_BIT)
        return jumping((int64_t)((uint64_t)a.step * (uint64_t)literal(p, in->src[1], wide)), wide, a.wraps);
    if (in->src[0] & CONST_BIT)
        return jumping((int64_t)((uint64_t)b.step * (uint64_t)literal(p, in->src[0], wide)), wide, b.wraps);
    return any;
}

/** Of 32 bits, extended and multiplied. */
static struct form extended(struct form narrow, int64_t factor)
{
    if (narrow.wraps || narrow.step > MOST_NARROW_STEP || narrow.step < -MOST_NARROW_STEP)
        return any;
    return jumping((int64_t)((uint64_t)narrow.step * (uint64_t)factor), true, narrow.step != 0);
}

static struct form wide_product(const struct plan *p, const struct insn *in, bool is_signed)
{
    struct form a = source(p, in, 0), b = source(p, in, 1);
    if (a.step == 0 && b.step == 0)
        return same;
    if (!((in->src[0] | in->src[1]) & CONST_BIT))
        return any;
    int64_t factor = literal(p, in->src[1] & CONST_BIT ? in->src[1] : in->src[0], false);
    return extended(in->src[1] & CONST_BIT ? a : b, is_signed ? factor : (int64_t)(uint32_t)factor);
}

static struct form shifted(const struct plan *p, const struct insn *in, bool wide)
{
    struct form a = source(p, in, 0);
    int64_t by = in->src[1] & CONST_BIT ? literal(p, in->src[1], false) : -1;
    return by >= 0 && by < (wide ? 64 : 32) ? jumping((int64_t)((uint64_t)a.step << by), wide, a.wraps) : any;
}

/** What a row makes of sources of which each has a form, one at least another one than `same`. */
static struct form combined(const struct plan *p, const struct insn *in)
{
    struct form a = source(p, in, 0), b = same, product_of;
    switch (insn_row(in)) {
    case ROW_mov_32: case ROW_mov_64:
        return a;
    case ROW_add_32: case ROW_add_64: case ROW_cvta_window:
        return sum(a, source(p, in, 1), insn_row(in) != ROW_add_32);
    case ROW_sub_32: case ROW_sub_64:
        b = source(p, in, 1);
        b.step = (int64_t)(0 - (uint64_t)b.step);
        return sum(a, b, insn_row(in) == ROW_sub_64);
    case ROW_neg_s32: case ROW_neg_s64:
        return jumping((int64_t)(0 - (uint64_t)a.step), insn_row(in) == ROW_neg_s64, a.wraps);
    case ROW_mul_lo_32: case ROW_mul_lo_64:
        return product(p, in, insn_row(in) == ROW_mul_lo_64);
    case ROW_mad_lo_32: case ROW_mad_lo_64:
        product_of = product(p, in, insn_row(in) == ROW_mad_lo_64);
        return sum(product_of, source(p, in, 2), insn_row(in) == ROW_mad_lo_64);
    case ROW_ext_s32_32_64: case ROW_ext_u32_32_64:
        return extended(a, 1);
    case ROW_mul_wide_s32: case ROW_mul_wide_u32:
        return wide_product(p, in, insn_row(in) == ROW_mul_wide_s32);
    case ROW_mad_wide_s32: case ROW_mad_wide_u32:
        return sum(wide_product(p, in, insn_row(in) == ROW_mad_wide_s32), source(p, in, 2), true);
    case ROW_shl_32: case ROW_shl_64:
        return shifted(p, in, insn_row(in) == ROW_shl_64);
    default:
        return any;
    }
}

/** A row's result: without a text for vectors its handler writes it, for the lanes that run. */
static struct form of_row(const struct plan *p, const struct insn *in)
{
    bool all_same = true;
    if (p->way[in - p->f->entry] != WAY_LOGIC && insn_row(in) != ROW_lop3_lut && (!way_row_text(in, false) || way_directed(in)))
        return any;
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o) && !o.write;) {
        struct form f = form_of(p, (int)(in - p->f->entry), o.reg);
        if (f.kind != FORM_EVEN)
            return f;
        all_same &= f.step == 0;
    }
    return all_same ? same : combined(p, in);
}

/** What instruction `i` writes. */
static struct form written(const struct plan *p, int i)
{
    const struct insn *in = p->f->entry + i;
    int axis = 0;
    if (insn_is_guarded(in) && p->varying[plan_web(p, i, in->guard, false)])
        return any;
    switch ((enum plan_way)p->way[i]) {
    case WAY_PARAM:
        return same;
    case WAY_SPECIAL:
        switch (way_special(in, &axis)) {
        case SPECIAL_TID: return even(axis == 0, false);
        case SPECIAL_LANEID: return even(1, false);
        default: return same;
        }
    case WAY_ROW: case WAY_LOGIC:
        return of_row(p, in);
    default:
        return any;
    }
}

/** @return true if the register's form has changed */
static bool join(struct form *now, struct form more)
{
    struct form was = *now;
    if (more.kind == FORM_UNWRITTEN || was.kind == FORM_ANY)
        return false;
    if (was.kind == FORM_UNWRITTEN)
        *now = more;
    else if (more.kind == FORM_ANY || more.step != was.step)
        *now = any;
    else
        now->wraps |= more.wraps;
    return now->kind != was.kind || now->wraps != was.wraps;
}

void form_find(struct plan *p)
{
    p->forms = arena_alloc(&p->arena, ((size_t)p->webs + 1) * sizeof *p->forms);
    memset(p->forms, 0, ((size_t)p->webs + 1) * sizeof *p->forms);
    for (int web = 0; web < p->webs; web++)
        if (p->in_memory[p->slot_of_web[web]])
            p->forms[web] = any;
    for (int slot = 0; slot < p->slots; slot++)
        if (plan_bit(p->live_in, slot)) /* somebody else has written it */
            p->forms[p->entry_web[slot]] = any;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < p->count; i++) {
            struct operand_iter it = operands_of(p->f->entry + i);
            for (struct operand o; operands_next(&it, &o);) {
                if (!o.write || o.reg & CONST_BIT)
                    continue;
                struct form f = plan_keeps_others(p, p->blocks->of[i], plan_slot(o.reg)) ? any : written(p, i);
                changed |= join(&p->forms[plan_web(p, i, o.reg, true)], f);
            }
        }
    }
}
