/**
 * @file emit_quiet_shared.c
 * Loads of shared memory that nobody can store to meanwhile (execute/quiet_shared.h), under the checks: as without them, but that what is found there must be known to hold something,
 * and lie within the variable that the address is made of. Else the checkers are told, as ever.
 */
#include "compile/emit_access.h"

#include "analyse/quiet.h"
#include "execute/grid.h"
#include "execute/worker.h"

/** The access as one to what may be read untold of its variable: `first` bytes on from where shared memory begins. */
static struct access access_within(struct emit *e, const struct access *a, uint32_t first)
{
    struct access q = *a;
    q.offset -= first;
    q.memory = emit_new(e, false);
    T(e, "  %s = getelementptr i8, ptr %%shared, i64 %u\n", q.memory.text, first);
    if (a->in->mem.address_bytes == 0) {
        snprintf(q.address.text, sizeof q.address.text, "%lld", q.offset);
        return q;
    }
    const char *type = emit_type(a->address_bits, a->address.vector);
    q.address = emit_new(e, a->address.vector);
    if (a->address.vector)
        T(e, "  %s = sub %s %s, splat (i%u %u)\n", q.address.text, type, a->address.text, a->address_bits, first);
    else
        T(e, "  %s = sub %s %s, %u\n", q.address.text, type, a->address.text, first);
    return q;
}

/** How many bytes of the variable may be read untold. */
static struct value room_of(struct emit *e, const struct insn *in, uint32_t first)
{
    struct value all = emit_load(e, "i32", "%block", FIELD(block, quiet)), end = emit_new(e, false), room = emit_new(e, false);
    if (!in->mem.object_bytes)
        return all;
    T(e, "  %s = call i32 @llvm.umin.i32(i32 %s, i32 %u)\n", end.text, all.text, first + in->mem.object_bytes);
    T(e, "  %s = call i32 @llvm.usub.sat.i32(i32 %s, i32 %u)\n", room.text, end.text, first);
    return room;
}

bool emit_quiet_shared(struct emit *e, const struct access *a)
{
    const struct insn *in = a->in;
    uint32_t first = in->mem.object_bytes ? in->object : 0;
    int id = a->id;
    if (!quiet_load(e->p->f, in) || first % (a->bytes * a->count))
        return false;
    struct value room = room_of(e, in, first), any = emit_new(e, false), told = emit_new(e, false), left = emit_new(e, false);
    T(e, "  %s = icmp ne i32 %s, 0\n  br i1 %s, label %%ta%d, label %%x%d, !prof !0\nta%d:\n", any.text, room.text, any.text, id, id, id);
    struct value untold = emit_load(e, "ptr", "%k", FIELD(worker, untold_shared)), count = emit_load(e, "i64", untold.text, 0);
    T(e, "  %s = icmp eq i64 %s, 0\n  br i1 %s, label %%x%d, label %%tb%d, !prof !1\ntb%d:\n", told.text, count.text, told.text, id, id, id);
    struct access q = access_within(e, a, first);
    q.room = room;
    access_shared(e, &q);
    T(e, "d%d:\n  %s = sub i64 %s, 1\n", id, left.text, count.text);
    emit_store(e, "i64", left.text, untold.text, 0);
    return true;
}
