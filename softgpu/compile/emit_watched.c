/**
 * @file emit_watched.c
 * Loads and stores of plain words under the checks: the checkers are told from compiled code, whose registers stay where they are.
 */
#include "compile/emit_access.h"
#include "compile/way.h"

#include "execute/engine.h"
#include "execute/worker.h"

/** The lanes' values of 4 or 8 bytes go to a place in the worker. */
static void put_down(struct emit *e, struct value v, unsigned bits, int offset)
{
    struct value all = emit_spread(e, v, bits), at = emit_new(e, false);
    T(e, "  %s = getelementptr i8, ptr %%k, i64 %d\n", at.text, offset);
    T(e, "  store %s %s, ptr %s, align 4\n", emit_type(bits, true), all.text, at.text);
}

/** What all lanes have read, word by word. */
static void take_up_words(struct emit *e, const struct insn *in)
{
    for (unsigned i = 0; i < in->mem.count; i++)
        emit_define(e, in, element_target(in, i), emit_load(e, "i32", "%k", FIELD(worker, plain.value) + 4 * (int)i));
}

static void take_up(struct emit *e, const struct insn *in)
{
    struct value at = emit_new(e, false), v = emit_new(e, true);
    T(e, "  %s = getelementptr i8, ptr %%k, i64 %d\n", at.text, FIELD(worker, plain.value));
    T(e, "  %s = load <32 x i32>, ptr %s, align 4\n", v.text, at.text);
    emit_define(e, in, in->dst, v);
}

void emit_note_access(struct emit *e, const struct insn *in)
{
    if (!e->p->f->is_entry)
        return;
    struct value at = emit_new(e, false);
    T(e, "  %s = getelementptr i8, ptr %%w, i64 %d\n  store ptr ", at.text, FIELD(warp, accessed));
    emit_place(e, in, 0);
    T(e, ", ptr %s\n", at.text);
}

/** The handler does it. */
static void call(struct emit *e, const struct access *a)
{
    emit_call(e, a->in);
    T(e, "  br label %%we%d\n", a->id);
}

/** Where the lanes go through a row of shared memory, most are told at once (struct plain_rows), and it is done up to label weID; behind it stands what else there is. */
static void tell_row(struct emit *e, const struct access *a)
{
    struct access row = *a;
    int id = row.id = e->next++;
    access_split_by_order(e, &row);
    T(e, "o%d:\n", id);
    if (!a->load)
        put_down(e, a->stored, 32, FIELD(worker, plain.value));
    struct value machine = emit_load(e, "ptr", "%k", FIELD(worker, machine));
    struct value told = emit_load(e, "ptr", machine.text, a->load ? FIELD(machine, observers.rows.load) : FIELD(machine, observers.rows.store));
    T(e, "  %%rt%d = call zeroext i1 %s(ptr %%w, ptr ", id, told.text);
    emit_place(e, a->in, 0);
    T(e, ", i32 %%f%d, i32 %s)\n  br i1 %%rt%d, label %%ra%d, label %%s%d, !prof !0\nra%d:\n", id, a->active.text, id, id, id, id);
    emit_note_access(e, a->in);
    if (a->load) {
        T(e, "  %%rg%d = sext i32 %%f%d to i64\n  %%h%d = getelementptr i8, ptr %%shared, i64 %%rg%d\n", id, id, id, id);
        access_vector(e, &row, false);
    }
    T(e, "  br label %%we%d\ns%d:\n", a->id, id);
}

static void tell(struct emit *e, const struct access *a)
{
    const struct insn *in = a->in;
    struct value address = a->address;
    if (!a->counted && a->count == 1 && address.vector)
        tell_row(e, a);
    put_down(e, address, a->counted ? 64 : 32, FIELD(worker, places)); /* an absolute one of shared memory has no register */
    if (!a->load)
        put_down(e, a->stored, 32, FIELD(worker, plain.value));
    T(e, "  %%wt%d = call zeroext i1 @plain_%s_%s(ptr %%w, ptr ", a->id, a->load ? "load" : "store",
      a->counted ? "global" : a->count > 1 ? "broadcast" : "shared");
    emit_place(e, in, 0);
    T(e, ", i32 %u, i32 %s)\n  br i1 %%wt%d, label %%wd%d, label %%wc%d, !prof !0\nwc%d:\n", a->counted ? access_recent(e, in) : 0, a->active.text, a->id, a->id, a->id, a->id);
    call(e, a);
    T(e, "wd%d:\n", a->id);
    emit_note_access(e, in);
    if (a->load)
        (a->count > 1 ? take_up_words : take_up)(e, in);
    T(e, "  br label %%we%d\n", a->id);
}

void emit_watched(struct emit *e, const struct insn *in)
{
    struct access a = access_of(e, in);
    if (a.load && a.counted) {
        emit_quiet_global(e, &a);
        tell(e, &a);
        T(e, "d%d:\n", a.id);
        emit_note_access(e, in);
        T(e, "  br label %%we%d\nwe%d:\n", a.id, a.id);
        return;
    }
    if (a.load && emit_quiet_shared(e, &a)) {
        emit_note_access(e, in);
        T(e, "  br label %%we%d\nx%d:\n", a.id, a.id);
    }
    (way_is_told(in) ? tell : call)(e, &a);
    T(e, "we%d:\n", a.id);
}
