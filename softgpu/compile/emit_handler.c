/**
 * @file emit_handler.c
 * What the interpreter's handlers do for compiled code, and how it is left: registers go to the frame, counts to the warp.
 */
#include "compile/emit.h"

#include "compile/emit_parting.h"
#include "compile/support.h"
#include "execute/engine.h"
#include "execute/warp_run.h"

/** The warp's mask becomes that of the lanes that run. */
static void fix_mask(struct emit *e)
{
    int id = e->next++;
    T(e, "  %%xm%d = load i32, ptr %%m\n  %%xw%d = load i32, ptr %%maskp\n  %%xe%d = icmp eq i32 %%xm%d, %%xw%d\n", id, id, id, id, id);
    T(e, "  br i1 %%xe%d, label %%xd%d, label %%xs%d\nxs%d:\n", id, id, id, id);
    T(e, "  call void @warp_set_mask(ptr %%w, i32 %%xm%d)\n  br label %%xd%d\nxd%d:\n", id, id, id);
}

static void flush_counts(struct emit *e)
{
    struct value n = emit_new(e, false), l = emit_new(e, false), s = emit_new(e, false);
    int id = e->next++;
    T(e, "  %s = load i64, ptr %%n\n  %s = load i64, ptr %%l\n  %s = load i64, ptr %%s\n", n.text, l.text, s.text);
    emit_add(e, n.text, "%w", FIELD(warp, instructions));
    emit_add(e, l.text, "%w", FIELD(warp, lane_instructions));
    T(e, "  %%xb%d = getelementptr i8, ptr @code, i64 %s\n  store ptr %%xb%d, ptr %%beginp\n", id, s.text, id);
    T(e, "  store i64 0, ptr %%n\n  store i64 0, ptr %%l\n");
}

/** Behind a handler: it has counted what it liked. */
static void read_counts(struct emit *e)
{
    struct value at = emit_new(e, false), s = emit_new(e, false);
    T(e, "  %s = load i64, ptr %%beginp\n  %s = sub i64 %s, ptrtoint (ptr @code to i64)\n  store i64 %s, ptr %%s\n", at.text, s.text, at.text,
      s.text);
}

static void spill_reads(struct emit *e, const struct insn *in)
{
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o) && !o.write;)
        if (!(o.reg & CONST_BIT))
            emit_spill(e, plan_web(e->p, emit_index(e, in), o.reg, false));
}

static void reload_writes(struct emit *e, const struct insn *in)
{
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);)
        if (o.write)
            emit_reload(e, in, o.reg);
}

static void call_handler(struct emit *e, const struct insn *in)
{
    T(e, "  call ptr @h%d(ptr %%w, ptr ", emit_index(e, in));
    e->handlers[emit_index(e, in)] = true;
    emit_place(e, in, 0);
    T(e, ")\n");
    emit_forget_ranges(e);
}

/** Calls the handler by `how`, a function of support.c, with what is to be counted and the lanes that run. `result`: what that gives. */
static void call_by(struct emit *e, const struct insn *in, const char *how, const char *result)
{
    struct value n = emit_new(e, false), l = emit_new(e, false), s = emit_new(e, false), begin = emit_new(e, false), m = emit_new(e, false);
    T(e, "  %s = load i64, ptr %%n\n  %s = load i64, ptr %%l\n  %s = load i64, ptr %%s\n  %s = load i32, ptr %%m\n", n.text, l.text, s.text, m.text);
    T(e, "  store i64 0, ptr %%n\n  store i64 0, ptr %%l\n  %s = getelementptr i8, ptr @code, i64 %s\n", begin.text, s.text);
    T(e, "  %s = call ptr @%s(ptr %%w, ptr ", result, how);
    e->handlers[emit_index(e, in)] = true;
    emit_place(e, in, 0);
    T(e, ", ptr @h%d, i64 %s, i64 %s, ptr %s, i32 %s)\n", emit_index(e, in), n.text, l.text, begin.text, m.text);
    emit_forget_ranges(e);
}

void emit_handler(struct emit *e, const struct insn *in)
{
    spill_reads(e, in);
    fix_mask(e);
    parting_ends(e);
    call_handler(e, in);
    reload_writes(e, in);
}

void emit_faulting(struct emit *e, const struct insn *in)
{
    int id = e->next++;
    char result[24];
    snprintf(result, sizeof result, "%%xr%d", id);
    spill_reads(e, in);
    call_by(e, in, "compiled_does", result);
    T(e, "  %%xn%d = icmp eq ptr %s, null\n  br i1 %%xn%d, label %%xf%d, label %%xg%d\nxf%d:\n  ret ptr null\nxg%d:\n", id, result, id,
      id, id, id, id);
    read_counts(e);
}

void emit_memory_call(struct emit *e, const struct insn *in)
{
    emit_faulting(e, in);
    reload_writes(e, in);
}

static bool written(const struct emit *e, int slot)
{
    for (int i = 0; i < e->p->count; i++)
        if (insn_writes(e->p->f->entry + i, (uint32_t)slot * FLOW_SLOT))
            return true;
    return false;
}

/** Is the register live in some place where lanes may wait? */
static bool live_elsewhere(const struct emit *e, int slot)
{
    return plan_keeps_others(e->p, e->block, slot);
}

/** Registers that are live before number `i`, and with `others` where lanes may wait elsewhere, go to the frame. */
static void flush_live(struct emit *e, int i, bool others)
{
    const struct plan *p = e->p;
    plan_live_before(p, i, e->live);
    plan_dirty_before(p, i, e->dirty);
    plan_webs_before(p, i, e->webs);
    for (int slot = 0; slot < p->slots; slot++) {
        bool mine = plan_bit(e->live, slot) && plan_bit(e->dirty, slot);
        if (mine || (others && live_elsewhere(e, slot) && written(e, slot)))
            emit_spill(e, e->webs[slot]);
    }
}

/** May lanes wait elsewhere while the block runs that is being written? */
static bool may_be_parted(const struct emit *e)
{
    const uint64_t *pending = e->p->pending + (size_t)e->block * e->p->block_words;
    for (uint32_t i = 0; i < e->p->block_words; i++)
        if (pending[i])
            return true;
    return false;
}

/** Everything is in the frame for the interpreter, at the instruction `i`; a warp that has parted leaves there. */
static void hand_over(struct emit *e, int i, int id)
{
    if (may_be_parted(e)) {
        e->leaves[i] = true;
        T(e, "  %%xa%d = load i32, ptr %%m\n  %%xb%d = icmp eq i32 %%xa%d, %%all\n", id, id, id);
        T(e, "  br i1 %%xb%d, label %%xo%d, label %%l%d\nxo%d:\n", id, id, i, id);
    }
    flush_live(e, i, false);
}

void emit_call(struct emit *e, const struct insn *in)
{
    int id = e->next++, i = emit_index(e, in);
    char result[24];
    snprintf(result, sizeof result, "%%xr%d", id);
    hand_over(e, i, id);
    call_by(e, in, "compiled_calls", result);
    T(e, "  %%xp%d = icmp eq ptr %s, inttoptr (i64 %d to ptr)\n  br i1 %%xp%d, label %%xg%d, label %%xf%d\nxf%d:\n  ret ptr %s\nxg%d:\n", id, result, CODE_GOES_ON,
      id, id, id, id, result, id);
    read_counts(e);
    if (e->p->way[i] == WAY_CALL && i + 1 < e->p->count && e->p->entry[i + 1]) { /* everything is in the frame: no need to keep it meanwhile */
        struct value rows = emit_new(e, false);
        T(e, "  %s = load i32, ptr %%rows\n  store i32 %s, ptr %%went\n  store ptr ", rows.text, rows.text);
        emit_place(e, in + 1, 0);
        T(e, ", ptr %%refusal\n  br label %%e%d\ndead%d:\n", emit_entry_number(e, i + 1), id);
        return;
    }
    reload_writes(e, in);
}

void emit_barrier(struct emit *e, const struct insn *in)
{
    int id = e->next++, i = emit_index(e, in);
    struct value rows = emit_new(e, false), byte = emit_new(e, false);
    hand_over(e, i, id);
    emit_count(e, i + 1, i + 1);
    flush_counts(e);
    fix_mask(e);
    parting_ends(e);
    T(e, "  %s = load i32, ptr %%rows\n  %s = trunc i32 %s to i8\n", rows.text, byte.text, rows.text);
    emit_store(e, "i8", byte.text, "%w", FIELD(warp, rows));
    T(e, "  ret ptr ");
    emit_place(e, in, MACHINE_CODE_WAITS);
    T(e, "\n");
}

/** Lanes that wait elsewhere become groups of their own. */
static void park(struct emit *e, int block)
{
    const struct plan *p = e->p;
    const uint64_t *pending = p->pending + (size_t)block * p->block_words;
    for (int c = block + 1; c < p->blocks->count; c++) {
        if (!plan_bit(pending, c))
            continue;
        struct value waiting = emit_new(e, false);
        T(e, "  %s = load i32, ptr %%p%d\n  call void @compiled_park(ptr %%w, ptr ", waiting.text, c);
        emit_place(e, p->f->entry + p->blocks->first[c], 0);
        T(e, ", i32 %s)\n", waiting.text);
    }
}

void emit_leave(struct emit *e, int i)
{
    const struct plan *p = e->p;
    const struct insn *in = p->f->entry + i;
    e->block = p->blocks->of[i];
    T(e, "l%d:\n", i);
    flush_live(e, i, true);
    flush_counts(e);
    if (parting_told(e)) {
        parting_leaves(e, in);
        fix_mask(e);
    } else if (may_be_parted(e)) {
        struct value m = emit_new(e, false);
        T(e, "  %s = load i32, ptr %%m\n  call void @compiled_leave(ptr %%w, ptr ", m.text);
        emit_place(e, in, 0);
        T(e, ", i32 %s)\n", m.text);
        park(e, e->block);
    } else
        fix_mask(e);
    T(e, "  ret ptr ");
    emit_place(e, in, 0);
    T(e, "\n");
}
