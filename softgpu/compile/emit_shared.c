/**
 * @file emit_shared.c
 * Loads and stores of shared memory; parameters.
 */
#include "compile/emit_access.h"

/** The address of one element lies in the block's shared memory: on to label gID with %hID, else to xID. */
static void shared_one(struct emit *e, struct access *a)
{
    int id = a->id;
    const char *type = emit_type(a->address_bits, false);
    if (a->address_bits == 64)
        T(e, "  %%ga%d = zext i32 %%size to i64\n", id);
    else
        T(e, "  %%ga%d = add i32 %%size, 0\n", id);
    T(e, "  %%gb%d = sub %s %%ga%d, %u\n  %%gc%d = icmp ule %s %s, %%gb%d\n", id, type, id, a->bytes * a->count, id, type, a->address.text, id);
    T(e, "  %%gd%d = icmp uge i32 %%size, %u\n  %%ge%d = and %s %s, %u\n  %%gf%d = icmp eq %s %%ge%d, 0\n", id, a->bytes * a->count, id, type,
      a->address.text, a->bytes * a->count - 1, id, type, id);
    T(e, "  %%gg%d = and i1 %%gc%d, %%gd%d\n  %%gh%d = and i1 %%gg%d, %%gf%d\n", id, id, id, id, id, id);
    T(e, "  br i1 %%gh%d, label %%g%d, label %%x%d, !prof !0\ng%d:\n", id, id, id, id);
    if (a->address_bits == 64)
        T(e, "  %%gi%d = add i64 %s, 0\n", id, a->address.text);
    else
        T(e, "  %%gi%d = zext i32 %s to i64\n", id, a->address.text);
    T(e, "  %%h%d = getelementptr i8, ptr %%shared, i64 %%gi%d\n", id, id);
}

/** All lanes' addresses lie there, or on to xID. */
static void shared_all(struct emit *e, struct access *a)
{
    int id = a->id;
    const char *type = emit_type(a->address_bits, true);
    struct value size = emit_new(e, false), last = emit_new(e, false);
    if (a->address_bits == 64)
        T(e, "  %s = zext i32 %%size to i64\n", size.text);
    else
        T(e, "  %s = add i32 %%size, 0\n", size.text);
    T(e, "  %s = sub i%u %s, %u\n", last.text, a->address_bits, size.text, a->bytes * a->count);
    struct value lasts = emit_spread(e, last, a->address_bits);
    T(e, "  %%sa%d = icmp ugt %s %s, %s\n", id, type, a->address.text, lasts.text);
    T(e, "  %%sb%d = and %s %s, splat (i%u %u)\n  %%sc%d = icmp ne %s %%sb%d, zeroinitializer\n", id, type, a->address.text,
      a->address_bits, a->bytes * a->count - 1, id, type, id);
    T(e, "  %%sd%d = or <32 x i1> %%sa%d, %%sc%d\n  %%se%d = bitcast <32 x i1> %%sd%d to i32\n", id, id, id, id, id);
    T(e, "  %%sf%d = and i32 %%se%d, %s\n  %%sg%d = icmp eq i32 %%sf%d, 0\n", id, id, a->active.text, id, id);
    T(e, "  %%sh%d = icmp uge i32 %%size, %u\n  %%si%d = and i1 %%sg%d, %%sh%d\n", id, a->bytes * a->count, id, id, id);
    T(e, "  br i1 %%si%d, label %%v%d, label %%x%d, !prof !0\nv%d:\n", id, id, id, id);
}

/** Each lane has its own place. */
static void shared_scattered(struct emit *e, struct access *a)
{
    struct value ptrs = emit_new(e, true);
    access_halves(e, a, a->address.text, a->address_bits, "%shared");
    T(e, "  %s = getelementptr i8, ptr %%shared, %s %s\n", ptrs.text, emit_type(a->address_bits, true), a->address.text);
    access_lanes(e, a, ptrs);
    T(e, "  br label %%d%d\n", a->id);
}

void emit_shared(struct emit *e, const struct insn *in)
{
    struct access a = access_of(e, in);
    int id = a.id;
    access_skip_if_none(e, &a);
    if (!a.address.vector) {
        shared_one(e, &a);
        access_one(e, &a);
        T(e, "  br label %%d%d\n", id);
        access_otherwise(e, &a);
        return;
    }
    shared_all(e, &a);
    if (a.count > 1) {
        shared_scattered(e, &a);
        access_otherwise(e, &a);
        return;
    }
    access_split_by_order(e, &a);
    T(e, "o%d:\n", id);
    if (a.address_bits == 64)
        T(e, "  %%gi%d = add i64 %%f%d, 0\n", id, id);
    else /* lane 0 may not run and stand before the first element */
        T(e, "  %%gi%d = sext i32 %%f%d to i64\n", id, id);
    T(e, "  %%h%d = getelementptr i8, ptr %%shared, i64 %%gi%d\n", id, id);
    access_split_by_mask(e, &a, "w", "u");
    T(e, "w%d:\n", id);
    access_vector(e, &a, true);
    T(e, "  br label %%d%d\nu%d:\n", id, id);
    access_vector(e, &a, false);
    T(e, "  br label %%d%d\ns%d:\n", id, id);
    shared_scattered(e, &a);
    access_otherwise(e, &a);
}

void emit_param(struct emit *e, const struct insn *in)
{
    struct value at = emit_new(e, false), v = emit_new(e, false);
    T(e, "  %s = getelementptr i8, ptr %%params, i64 %lld\n  %s = load i%u, ptr %s, align 1\n", at.text, (long long)in->offset,
      v.text, in->mem.bytes * 8u, at.text);
    emit_define(e, in, in->dst, v);
}
