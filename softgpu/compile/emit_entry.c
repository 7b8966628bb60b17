/**
 * @file emit_entry.c
 * Registers between compiled code and their frame, and the ways in by which they come from there.
 */
#include "compile/emit.h"

#include "execute/grid.h"

static struct value frame_place(struct emit *e, int slot)
{
    struct value at = emit_new(e, false);
    T(e, "  %s = getelementptr i8, ptr %%frame, i64 %d\n", at.text, slot * (int)FLOW_SLOT);
    return at;
}

void emit_spill(struct emit *e, int web)
{
    int slot = e->p->slot_of_web[web];
    uint32_t reg = (uint32_t)slot * FLOW_SLOT;
    unsigned bits = emit_bits(e, reg);
    if (e->p->in_memory[slot])
        return;
    struct value v = emit_web(e, web), at = frame_place(e, slot);
    if (bits > 1) {
        v = emit_spread(e, v, bits);
        T(e, "  store %s %s, ptr %s, align 64\n", emit_type(bits, true), v.text, at.text);
        return;
    }
    struct value word = emit_new(e, false);
    if (v.vector)
        T(e, "  %s = bitcast <32 x i1> %s to i32\n", word.text, v.text);
    else
        T(e, "  %s = sext i1 %s to i32\n", word.text, v.text);
    T(e, "  store i32 %s, ptr %s, align 64\n", word.text, at.text);
}

/** What the frame holds for the register, as a value. */
static struct value frame_value(struct emit *e, int slot, bool varies)
{
    unsigned bits = emit_bits(e, (uint32_t)slot * FLOW_SLOT);
    struct value at = frame_place(e, slot), v = emit_new(e, varies);
    if (varies && bits > 1) {
        T(e, "  %s = load %s, ptr %s, align 64\n", v.text, emit_type(bits, true), at.text);
        return v;
    }
    struct value m = emit_new(e, false), lane = emit_new(e, false), element = emit_new(e, false);
    if (varies) {
        T(e, "  %s = load i32, ptr %s\n", m.text, at.text);
        return emit_mask(e, m.text);
    }
    T(e, "  %s = load i32, ptr %%m\n  %s = call i32 @llvm.cttz.i32(i32 %s, i1 true)\n", m.text, lane.text, m.text);
    if (bits > 1) {
        T(e, "  %s = getelementptr %s, ptr %s, i32 %s\n  %s = load %s, ptr %s\n", element.text, emit_type(bits, false), at.text,
          lane.text, v.text, emit_type(bits, false), element.text);
        return v;
    }
    struct value word = emit_new(e, false);
    T(e, "  %s = load i32, ptr %s\n  %s = lshr i32 %s, %s\n  %s = trunc i32 %s to i1\n", word.text, at.text, element.text,
      word.text, lane.text, v.text, element.text);
    return v;
}

/** What is the same in all lanes, of lane 0. */
static struct value kept_value(struct emit *e, int slot)
{
    unsigned bits = emit_bits(e, (uint32_t)slot * FLOW_SLOT);
    struct value at = frame_place(e, slot), v = emit_new(e, false);
    const char *type = emit_type(bits == 1 ? 32 : bits, false);
    T(e, "  %s = load %s, ptr %s, align 64\n", v.text, type, at.text);
    if (bits > 1)
        return v;
    struct value bit = emit_new(e, false);
    T(e, "  %s = trunc i32 %s to i1\n", bit.text, v.text);
    return bit;
}

void emit_reload(struct emit *e, const struct insn *in, uint32_t reg)
{
    if (!e->p->in_memory[plan_slot(reg)])
        emit_define(e, in, reg, frame_value(e, plan_slot(reg), emit_varies(e, reg)));
}

/* ---- The ways in */

/** A uniform register must be what it is called: lanes that met by other ways than the plan's may differ. */
static struct value check_uniform(struct emit *e, int web, struct value differing)
{
    int slot = e->p->slot_of_web[web];
    uint32_t reg = (uint32_t)slot * FLOW_SLOT;
    unsigned bits = emit_bits(e, reg);
    struct value v = emit_web(e, web), at = frame_place(e, slot), here = emit_new(e, true), unlike = emit_new(e, true);
    struct value word = emit_new(e, false), all = emit_new(e, false);
    if (bits > 1) {
        T(e, "  %s = load %s, ptr %s, align 64\n", here.text, emit_type(bits, true), at.text);
        v = emit_spread(e, v, bits);
        T(e, "  %s = icmp ne %s %s, %s\n", unlike.text, emit_type(bits, true), here.text, v.text);
        T(e, "  %s = bitcast <32 x i1> %s to i32\n", word.text, unlike.text);
    } else {
        T(e, "  %s = load i32, ptr %s\n  %s = sext i1 %s to i32\n", here.text, at.text, unlike.text, v.text);
        T(e, "  %s = xor i32 %s, %s\n", word.text, here.text, unlike.text);
    }
    T(e, "  %s = or i32 %s, %s\n", all.text, differing.text, word.text);
    return all;
}

/** Is there a way into instruction `i` for a warp that has left its registers as compiled code has them? */
static bool emit_kept_entry(const struct emit *e, int i)
{
    return e->p->entry[i] && (i == 0 || e->p->way[i - 1] == WAY_BARRIER);
}

int emit_entry_number(const struct emit *e, int i)
{
    int number = 0;
    for (int at = 0; at < i; at++)
        number += e->p->entry[at];
    return number;
}

/** %rows: at the function's beginning by the block's shape (execute/block.c's slot_fit_shape()), behind a barrier what the code has left, and
 *  elsewhere nothing is known, for lanes may have come by different ways. */
static void emit_rows(struct emit *e, int i, bool kept)
{
    int id = e->next++;
    if (i == 0) {
        struct value x = emit_load(e, "i32", "%grid", FIELD(grid, config.block)), y = emit_load(e, "i32", "%grid", FIELD(grid, config.block) + 4);
        T(e, "  %%ra%d = and i32 %s, %d\n  %%rb%d = icmp eq i32 %%ra%d, 0\n  %%rc%d = icmp eq i32 %s, %d\n", id, x.text, WARP_LANES - 1, id, id, id,
          x.text, WARP_LANES / 2);
        T(e, "  %%rd%d = and i32 %s, 1\n  %%re%d = icmp eq i32 %%rd%d, 0\n  %%rf%d = and i1 %%rc%d, %%re%d\n", id, y.text, id, id, id, id, id);
        T(e, "  %%rg%d = select i1 %%rf%d, i32 2, i32 0\n  %%rh%d = select i1 %%rb%d, i32 1, i32 %%rg%d\n", id, id, id, id, id);
    } else if (kept) {
        struct value left = emit_load(e, "i8", "%w", FIELD(warp, rows));
        T(e, "  %%rh%d = zext i8 %s to i32\n", id, left.text);
    } else
        T(e, "  %%rh%d = load i32, ptr %%went\n", id);
    T(e, "  store i32 %%rh%d, ptr %%rows\n", id);
}

/** The way in at instruction `i`; `kept`: what is the same in all lanes is so in the frame. */
static void emit_entry(struct emit *e, int number, int i, bool kept)
{
    const struct plan *p = e->p;
    int b = p->blocks->of[i];
    struct value differing = {.text = "0"};
    T(e, "%c%d:\n", kept ? 'k' : 'e', number);
    emit_rows(e, i, kept);
    plan_live_before(p, i, e->live);
    plan_webs_before(p, i, e->webs);
    for (int slot = 0; slot < p->slots; slot++) {
        if (!plan_bit(e->live, slot) || p->in_memory[slot])
            continue;
        int web = e->webs[slot];
        struct value v = kept && !p->varying[web] ? kept_value(e, slot) : frame_value(e, slot, p->varying[web]);
        T(e, "  store %s %s, ptr %%r%d\n", emit_type(emit_bits(e, (uint32_t)slot * FLOW_SLOT), p->varying[web]), v.text, web);
        if (!p->varying[web] && !kept)
            differing = check_uniform(e, web, differing);
    }
    if (!kept) {
        struct value active = emit_new(e, false), any = emit_new(e, false), begin = emit_new(e, false), on = emit_new(e, false);
        T(e, "  %s = load i64, ptr %%beginp\n  %s = sub i64 %s, ptrtoint (ptr @code to i64)\n  store i64 %s, ptr %%s\n", begin.text, on.text,
          begin.text, on.text);
        T(e, "  %s = and i32 %s, %%all\n  %s = icmp ne i32 %s, 0\n", active.text, differing.text, any.text, active.text);
        T(e, "  br i1 %s, label %%refuse, label %%g%d\ng%d:\n", any.text, e->next, e->next);
        e->next++;
    } else
        T(e, "  store i64 %llu, ptr %%s\n", emit_offset(i));
    T(e, "  br label %%%c%d\n", i == p->blocks->first[b] ? 'b' : 'i', i == p->blocks->first[b] ? b : i);
}

void emit_ways_in(struct emit *e)
{
    const struct plan *p = e->p;
    for (int i = 0, number = 0; i < p->count; i++) {
        if (!p->entry[i])
            continue;
        T(e, " i32 %d, label %%e%d", 2 * number, number);
        if (emit_kept_entry(e, i))
            T(e, " i32 %d, label %%k%d", 2 * number + 1, number);
        number++;
    }
    T(e, " ]\n");
    for (int i = 0, number = 0; i < p->count; i++) {
        if (!p->entry[i])
            continue;
        emit_entry(e, number, i, false);
        if (emit_kept_entry(e, i))
            emit_entry(e, number, i, true);
        number++;
    }
}
