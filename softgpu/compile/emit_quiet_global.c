/**
 * @file emit_quiet_global.c
 * Loads of quiet memory (execute/quiet_global.h) under the checks: as without them, for nobody is told.
 */
#include "compile/emit_access.h"

#include "execute/worker.h"

void emit_quiet_count(struct emit *e, const struct access *a)
{
    struct value lanes = emit_new(e, false), wide = emit_new(e, false), bytes = emit_new(e, false), left = emit_new(e, false);
    T(e, "  %s = call i32 @llvm.ctpop.i32(i32 %s)\n  %s = zext i32 %s to i64\n  %s = mul i64 %s, %u\n", lanes.text, a->active.text, wide.text, lanes.text,
      bytes.text, wide.text, a->bytes);
    emit_add(e, bytes.text, "%k", FIELD(worker, read_bytes));
    T(e, "  %s = sub i64 %%qul%d, 1\n  store i64 %s, ptr %%qup%d\n", left.text, a->id, left.text, a->id);
}

void emit_quiet_global(struct emit *e, struct access *a)
{
    int id = a->id;
    struct value untold = emit_load(e, "ptr", "%k", FIELD(worker, untold));
    a->quiet = true;
    T(e, "  %%qup%d = getelementptr i8, ptr %s, i64 0\n  %%qun%d = icmp eq ptr %%qup%d, null\n", id, untold.text, id, id);
    T(e, "  br i1 %%qun%d, label %%x%d, label %%qut%d\nqut%d:\n  %%qul%d = load i64, ptr %%qup%d\n", id, id, id, id, id, id);
    T(e, "  %%quz%d = icmp eq i64 %%qul%d, 0\n  br i1 %%quz%d, label %%x%d, label %%quy%d, !prof !1\nquy%d:\n", id, id, id, id, id, id);
    access_global(e, a);
    T(e, "x%d:\n", id);
}

void emit_perhaps_quiet(struct emit *e, const struct insn *in)
{
    struct access a = access_of(e, in);
    if (in->guard != REG_NONE) {
        struct value any = emit_new(e, false);
        T(e, "  %s = icmp ne i32 %s, 0\n  br i1 %s, label %%qug%d, label %%we%d\nqug%d:\n", any.text, a.active.text, any.text, a.id, a.id, a.id);
    }
    emit_quiet_global(e, &a);
    emit_call(e, in);
    T(e, "  call void @compiled_quiet(ptr %%k, i32 %u)\n  br label %%we%d\nd%d:\n", access_recent(e, in), a.id, a.id);
    emit_note_access(e, in);
    T(e, "  br label %%we%d\nwe%d:\n", a.id, a.id);
}
