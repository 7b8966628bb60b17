/**
 * @file emit_parting.c
 * See emit_parting.h.
 */
#include "compile/emit_parting.h"

#include "analyse/loops.h"
#include "execute/grid.h"
#include "execute/warp.h"

static const struct insn *first_of(const struct emit *e, int block)
{
    return e->p->f->entry + e->p->blocks->first[block];
}

/** Where the running group stands. */
static void stand(struct emit *e, const struct insn *in)
{
    T(e, "  call void @compiled_stands(ptr %%w, ptr ");
    emit_place(e, in, 0);
    T(e, ")\n");
}

void parting_parts(struct emit *e, const struct insn *in, const char *running, const char *waiting)
{
    T(e, "  call void @warp_part(ptr %%w, ptr ");
    emit_place(e, in, 0);
    T(e, ", i32 %s, i32 %s)\n", running, waiting);
}

void parting_waits(struct emit *e, int block)
{
    if (parting_told(e))
        stand(e, first_of(e, block));
}

void parting_meets(struct emit *e, int block, const char *running)
{
    if (!parting_told(e))
        return;
    T(e, "  call void @compiled_meets(ptr %%w, ptr ");
    emit_place(e, first_of(e, block), 0);
    T(e, ", i32 %s)\n", running);
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
    stand(e, in);
}
