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
        T(e, "  %%ga%d = zext i32 %s to i64\n", id, a->room.text);
    else
        T(e, "  %%ga%d = add i32 %s, 0\n", id, a->room.text);
    T(e, "  %%gb%d = sub %s %%ga%d, %u\n  %%gc%d = icmp ule %s %s, %%gb%d\n", id, type, id, a->bytes * a->count, id, type, a->address.text, id);
    T(e, "  %%gd%d = icmp uge i32 %s, %u\n  %%ge%d = and %s %s, %u\n  %%gf%d = icmp eq %s %%ge%d, 0\n", id, a->room.text, a->bytes * a->count, id, type,
      a->address.text, a->bytes * a->count - 1, id, type, id);
    T(e, "  %%gg%d = and i1 %%gc%d, %%gd%d\n  %%gh%d = and i1 %%gg%d, %%gf%d\n", id, id, id, id, id, id);
    T(e, "  br i1 %%gh%d, label %%g%d, label %%x%d, !prof !0\ng%d:\n", id, id, id, id);
    if (a->address_bits == 64)
        T(e, "  %%gi%d = add i64 %s, 0\n", id, a->address.text);
    else
        T(e, "  %%gi%d = zext i32 %s to i64\n", id, a->address.text);
    T(e, "  %%h%d = getelementptr i8, ptr %s, i64 %%gi%d\n", id, a->memory.text, id);
}

/** All lanes' addresses lie there, or on to xID. */
static void shared_all(struct emit *e, struct access *a)
{
    int id = a->id;
    const char *type = emit_type(a->address_bits, true);
    struct value size = emit_new(e, false), last = emit_new(e, false);
    if (a->address_bits == 64)
        T(e, "  %s = zext i32 %s to i64\n", size.text, a->room.text);
    else
        T(e, "  %s = add i32 %s, 0\n", size.text, a->room.text);
    T(e, "  %s = sub i%u %s, %u\n", last.text, a->address_bits, size.text, a->bytes * a->count);
    struct value lasts = emit_spread(e, last, a->address_bits);
    T(e, "  %%sa%d = icmp ugt %s %s, %s\n", id, type, a->address.text, lasts.text);
    T(e, "  %%sb%d = and %s %s, splat (i%u %u)\n  %%sc%d = icmp ne %s %%sb%d, zeroinitializer\n", id, type, a->address.text,
      a->address_bits, a->bytes * a->count - 1, id, type, id);
    T(e, "  %%sd%d = or <32 x i1> %%sa%d, %%sc%d\n  %%se%d = bitcast <32 x i1> %%sd%d to i32\n", id, id, id, id, id);
    T(e, "  %%sf%d = and i32 %%se%d, %s\n  %%sg%d = icmp eq i32 %%sf%d, 0\n", id, id, a->active.text, id, id);
    T(e, "  %%sh%d = icmp uge i32 %s, %u\n  %%si%d = and i1 %%sg%d, %%sh%d\n", id, a->room.text, a->bytes * a->count, id, id, id);
    T(e, "  br i1 %%si%d, label %%v%d, label %%x%d, !prof !0\nv%d:\n", id, id, id, id);
}

/** Each lane has its own place. `known`: access_known_tile() stands before it. */
static void shared_scattered(struct emit *e, struct access *a, bool known)
{
    struct value ptrs = emit_new(e, true);
    if (!known)
        access_halves(e, a, a->address.text, a->address_bits, a->memory.text);
    T(e, "  %s = getelementptr i8, ptr %s, %s %s\n", ptrs.text, a->memory.text, emit_type(a->address_bits, true), a->address.text);
    access_lanes(e, a, ptrs);
    T(e, "  br label %%d%d\n", a->id);
}

/** A row of the lanes that run, from the lowest one to the highest, lies in shared memory, %hID at lane 0's place; else on to sID.
 *  @return N: lane 0's place is %htN bytes from the beginning of %hzN */
static int shared_row(struct emit *e, const struct access *a)
{
    int n = e->next++, bits = (int)a->address_bits;
    T(e, "  %%hz%d = zext i32 %s to i64\n", n, a->room.text);
    T(e, "  %%he%d = call i32 @llvm.cttz.i32(i32 %s, i1 true)\n  %%hf%d = call i32 @llvm.ctlz.i32(i32 %s, i1 true)\n", n, a->active.text, n,
      a->active.text);
    T(e, "  %%hg%d = add i32 %%he%d, %%hf%d\n  %%hh%d = sub i32 %d, %%hg%d\n  %%hi%d = mul i32 %%hh%d, %u\n  %%hj%d = mul i32 %%he%d, %u\n", n, n, n, n,
      WARP_LANES, n, n, n, a->bytes, n, n, a->bytes);
    T(e, "  %%hb%d = zext i32 %%hi%d to i64\n  %%hc%d = zext i32 %%hj%d to i64\n", n, n, n, n);
    if (bits == 32)
        T(e, "  %%hk%d = add i32 %%f%d, %%hj%d\n  %%hd%d = zext i32 %%hk%d to i64\n", n, a->id, n, n, n);
    else
        T(e, "  %%hd%d = add i64 %%f%d, %%hc%d\n", n, a->id, n);
    T(e, "  %%hl%d = icmp ult i64 %%hd%d, %%hz%d\n  %%hm%d = sub i64 %%hz%d, %%hd%d\n  %%hn%d = icmp uge i64 %%hm%d, %%hb%d\n", n, n, n, n, n, n, n, n, n);
    T(e, "  %%ho%d = and i64 %%hd%d, %u\n  %%hp%d = icmp eq i64 %%ho%d, 0\n  %%hq%d = and i1 %%hl%d, %%hn%d\n  %%hr%d = and i1 %%hq%d, %%hp%d\n", n, n,
      a->bytes - 1, n, n, n, n, n, n, n, n);
    T(e, "  br i1 %%hr%d, label %%hs%d, label %%s%d, !prof !0\nhs%d:\n", n, n, a->id, n);
    T(e, "  %%ht%d = sub i64 %%hd%d, %%hc%d\n  %%h%d = getelementptr i8, ptr %s, i64 %%ht%d\n", n, n, n, a->id, a->memory.text, n);
    return n;
}

/** The row of a whole warp, which begins with lane 0's element, is held against the bounds by its ends, and loaded or stored; to label `otherwise`NUMBER where it
 *  lies elsewhere. */
static void shared_whole_row(struct emit *e, const struct access *a, const char *otherwise, int number)
{
    struct access row = *a;
    int n = row.id = e->next++;
    struct value first = access_first(e, a, 0);
    T(e, "  %%hz%d = zext i32 %s to i64\n  %%hm%d = call i64 @llvm.usub.sat.i64(i64 %%hz%d, i64 %u)\n  %%hl%d = icmp ult i64 %s, %%hm%d\n", n, a->room.text, n, n,
      WARP_LANES * a->bytes - 1, n, first.text, n);
    T(e, "  %%ho%d = and i64 %s, %u\n  %%hp%d = icmp eq i64 %%ho%d, 0\n  %%hr%d = and i1 %%hl%d, %%hp%d\n", n, first.text, a->bytes - 1, n, n, n, n, n);
    T(e, "  br i1 %%hr%d, label %%hs%d, label %%%s%d, !prof !0\nhs%d:\n  %%h%d = getelementptr i8, ptr %s, i64 %s\n", n, n, otherwise, number, n, n, a->memory.text, first.text);
    access_vector(e, &row, true);
}

/** Some lanes of a row store. Where all others' words are there, too, they are written as they were: a block's shared memory is nobody else's
 *  meanwhile (only one thread of the host runs it and its cluster), and processors without AVX-512 are slow at leaving words alone. */
static void store_some(struct emit *e, struct access *a, int row)
{
    int id = a->id, n = row;
    const char *type = emit_type(a->bits, true);
    struct value stored = emit_spread(e, a->stored, a->bits), mask = emit_mask(e, a->active.text), old = emit_new(e, true), v = emit_new(e, true);
    T(e, "  %%hv%d = icmp ult i64 %%ht%d, %%hz%d\n  %%hw%d = sub i64 %%hz%d, %%ht%d\n  %%hx%d = icmp uge i64 %%hw%d, %u\n  %%hy%d = and i1 %%hv%d, %%hx%d\n", n,
      n, n, n, n, n, n, n, WARP_LANES * a->bytes, n, n, n);
    T(e, "  br i1 %%hy%d, label %%ua%d, label %%ub%d\nua%d:\n", n, id, id, id);
    T(e, "  %s = load %s, ptr %%h%d, align %u\n  %s = select <32 x i1> %s, %s %s, %s %s\n", old.text, type, id, a->bytes, v.text, mask.text, type,
      stored.text, type, old.text);
    T(e, "  store %s %s, ptr %%h%d, align %u\n  br label %%d%d\nub%d:\n", type, v.text, id, a->bytes, id, id);
    access_vector(e, a, false);
}

/** Each lane that runs has its own place there; else on to xID. */
static void shared_each(struct emit *e, struct access *a)
{
    int id = a->id;
    long long offset = a->offset;
    unsigned all = a->bytes * a->count;
    struct value nothing = {.text = "0"};
    if (a->address_bits == 64) {
        struct value safe = access_safe(e, a, a->address, 64, nothing);
        T(e, "  %%sa%d = call i64 @llvm.vector.reduce.or.v32i64(<32 x i64> %s)\n  %%sb%d = lshr i64 %%sa%d, 32\n", id, safe.text, id, id);
        T(e, "  %%sc%d = trunc i64 %%sa%d to i32\n  %%pl%d = trunc <32 x i64> %s to <32 x i32>\n", id, id, id, safe.text);
        T(e, "  %%sd%d = call i32 @llvm.vector.reduce.umax.v32i32(<32 x i32> %%pl%d)\n  %%se%d = zext i32 %%sd%d to i64\n", id, id, id, id);
    } else if (offset >= 0 && offset < 1 << 20 && offset % all == 0) { /* asked of the register, once for all accesses by it */
        struct value safe = access_safe(e, a, a->shape, 32, nothing);
        T(e, "  %%sb%d = add i64 0, 0\n  %%sc%d = call i32 @llvm.vector.reduce.or.v32i32(<32 x i32> %s)\n", id, id, safe.text);
        T(e, "  %%sd%d = call i32 @llvm.vector.reduce.umax.v32i32(<32 x i32> %s)\n  %%sf%d = zext i32 %%sd%d to i64\n", id, safe.text, id, id);
        T(e, "  %%se%d = add i64 %%sf%d, %lld\n  %%pl%d = add <32 x i32> %s, splat (i32 %lld)\n", id, id, offset, id, safe.text, offset);
    } else {
        struct value safe = access_safe(e, a, a->address, 32, nothing);
        T(e, "  %%sb%d = add i64 0, 0\n  %%sc%d = call i32 @llvm.vector.reduce.or.v32i32(<32 x i32> %s)\n", id, id, safe.text);
        T(e, "  %%sd%d = call i32 @llvm.vector.reduce.umax.v32i32(<32 x i32> %s)\n  %%se%d = zext i32 %%sd%d to i64\n", id, safe.text, id, id);
        T(e, "  %%pl%d = add <32 x i32> %s, zeroinitializer\n", id, safe.text);
    }
    T(e, "  %%sg%d = zext i32 %s to i64\n  %%sh%d = add i64 %%se%d, %u\n  %%si%d = icmp ule i64 %%sh%d, %%sg%d\n", id, a->room.text, id, id, all, id, id, id);
    T(e, "  %%sj%d = and i32 %%sc%d, %u\n  %%sk%d = icmp eq i32 %%sj%d, 0\n  %%sl%d = icmp eq i64 %%sb%d, 0\n", id, id, all - 1, id, id, id, id);
    T(e, "  %%sm%d = and i1 %%si%d, %%sk%d\n  %%sn%d = and i1 %%sm%d, %%sl%d\n", id, id, id, id, id, id);
    T(e, "  br i1 %%sn%d, label %%v%d, label %%x%d, !prof !0\nv%d:\n", id, id, id, id);
    access_each(e, a, a->memory.text);
}

/** Without AVX-512: rows and tiles are held against the bounds by their ends, not lane by lane. */
static void shared_narrow(struct emit *e, struct access *a)
{
    int id = a->id;
    if (a->count == 1) {
        access_split_by_order(e, a);
        T(e, "o%d:\n", id);
        access_split_by_mask(e, a, "w", "u");
        T(e, "w%d:\n", id);
        shared_whole_row(e, a, "s", id);
        T(e, "  br label %%d%d\nu%d:\n", id, id);
        int row = shared_row(e, a);
        if (a->load)
            access_vector(e, a, false);
        else
            store_some(e, a, row);
        T(e, "  br label %%d%d\ns%d:\n", id, id);
    }
    access_tile(e, a);
    shared_each(e, a);
}

/** Lanes wait elsewhere, if at all, behind one branch alone while the block runs: most warps go there as a whole, or not at all. */
static bool parts_once(const struct emit *e)
{
    const uint64_t *pending = e->p->pending + (size_t)e->block * e->p->block_words;
    int waits = 0;
    for (uint32_t i = 0; i < e->p->block_words; i++)
        waits += __builtin_popcountll(pending[i]);
    return waits < 2;
}

/** With AVX-512: where the form says that the warp, which is a row of its block, is a row in shared memory, and all lanes run, that is done, up to label dID, if it lies
 *  within bounds; behind it stands what else there is. Where lanes part twice it is not asked: most warps would go the other way, in more code. */
static void shared_known_row(struct emit *e, const struct access *a)
{
    if (a->form.kind != FORM_EVEN || a->form.wraps || a->form.step != a->step || a->count != 1 || !parts_once(e))
        return;
    struct value rows = emit_new(e, false), one = emit_new(e, false), all = emit_new(e, false);
    int id = e->next++;
    T(e, "  %s = load i32, ptr %%rows\n  %s = icmp eq i32 %s, 1\n  %s = icmp eq i32 %s, -1\n", rows.text, one.text, rows.text, all.text, a->active.text);
    T(e, "  br i1 %s, label %%kr%d, label %%ks%d\nkr%d:\n", access_and(e, one, all).text, id, id, id);
    shared_whole_row(e, a, "ks", id);
    T(e, "  br label %%d%d\nks%d:\n", a->id, id);
}

void access_shared(struct emit *e, struct access *a)
{
    int id = a->id;
    if (!a->address.vector) {
        shared_one(e, a);
        access_one(e, a);
        T(e, "  br label %%d%d\n", id);
        return;
    }
    if (!e->wide) {
        shared_narrow(e, a);
        return;
    }
    shared_known_row(e, a);
    bool known = access_known_tile(e, a);
    shared_all(e, a);
    if (a->count > 1) {
        shared_scattered(e, a, known);
        return;
    }
    access_split_by_order(e, a);
    T(e, "o%d:\n", id);
    if (a->address_bits == 64)
        T(e, "  %%gi%d = add i64 %%f%d, 0\n", id, id);
    else /* lane 0 may not run and stand before the first element */
        T(e, "  %%gi%d = sext i32 %%f%d to i64\n", id, id);
    T(e, "  %%h%d = getelementptr i8, ptr %s, i64 %%gi%d\n", id, a->memory.text, id);
    access_split_by_mask(e, a, "w", "u");
    T(e, "w%d:\n", id);
    access_vector(e, a, true);
    T(e, "  br label %%d%d\nu%d:\n", id, id);
    access_vector(e, a, false);
    T(e, "  br label %%d%d\ns%d:\n", id, id);
    shared_scattered(e, a, known);
}

void emit_shared(struct emit *e, const struct insn *in)
{
    struct access a = access_of(e, in);
    access_skip_if_none(e, &a);
    access_shared(e, &a);
    access_otherwise(e, &a);
}

void emit_param(struct emit *e, const struct insn *in)
{
    struct value at = emit_new(e, false), v = emit_new(e, false);
    T(e, "  %s = getelementptr i8, ptr %%params, i64 %lld\n  %s = load i%u, ptr %s, align 1\n", at.text, (long long)in->offset,
      v.text, in->mem.bytes * 8u, at.text);
    emit_define(e, in, in->dst, v);
}
