/**
 * @file emit_parting.c
 * See emit_parting.h.
 */
#include "compile/emit_parting.h"

#include "analyse/loops.h"
#include "execute/grid.h"
#include "execute/worker.h"

static const struct insn *first_of(const struct emit *e, int block)
{
    return e->p->f->entry + e->p->blocks->first[block];
}

/** Calls `how` with where that is, and what else it takes. */
static void call_at(struct emit *e, const char *how, const struct insn *in, const char *more)
{
    T(e, "  call void @%s(ptr %%w, ptr ", how);
    emit_place(e, in, 0);
    T(e, "%s)\n", more);
}

void parting_parts(struct emit *e, const struct insn *in, const char *running, const char *waiting)
{
    char lanes[64];
    snprintf(lanes, sizeof lanes, ", i32 %s, i32 %s", running, waiting);
    call_at(e, "parting_part", in, lanes);
}

void parting_waits(struct emit *e, int block)
{
    if (parting_told(e))
        call_at(e, "parting_stand", first_of(e, block), "");
}

void parting_meets(struct emit *e, int block, const char *running, bool all)
{
    char lanes[32];
    snprintf(lanes, sizeof lanes, ", i32 %s", running);
    if (parting_told(e))
        call_at(e, all ? "parting_meet_all" : "parting_meet", first_of(e, block), lanes);
}

void parting_ends(struct emit *e)
{
    if (!parting_told(e))
        return;
    int id = e->next++;
    struct value count = emit_load(e, "i32", "%k", FIELD(worker, partings.count));
    T(e, "  %%tc%d = icmp eq i32 %s, 0\n  br i1 %%tc%d, label %%te%d, label %%td%d, !prof !0\ntd%d:\n", id, count.text, id, id, id, id);
    T(e, "  call void @parting_end(ptr %%w)\n  br label %%te%d\nte%d:\n", id, id);
}

void parting_goes_back(struct emit *e, const struct insn *in)
{
    const struct function *f = e->p->f;
    if (!parting_told(e) || (f->is_entry && !loop_meets(f, in)))
        return;
    struct value full = emit_load(e, "i32", "%w", FIELD(warp, full)), came = emit_load(e, "i8", "%grid", FIELD(grid, came_apart));
    struct value m = emit_new(e, false), apart = emit_new(e, false), byte = emit_new(e, false), both = emit_new(e, false);
    T(e, "  %s = load i32, ptr %%m\n  %s = icmp ne i32 %s, %s\n", m.text, apart.text, m.text, full.text);
    T(e, "  %s = zext i1 %s to i8\n  %s = or i8 %s, %s\n", byte.text, apart.text, both.text, byte.text, came.text);
    emit_store(e, "i8", both.text, "%grid", FIELD(grid, came_apart));
}

void parting_leaves(struct emit *e, const struct insn *in)
{
    call_at(e, "compiled_stands", in, "");
}
