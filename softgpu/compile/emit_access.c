/**
 * @file emit_access.c
 * See emit_access.h: what loads and stores of global and of shared memory have in common.
 */
#include "compile/emit_access.h"

struct access access_of(struct emit *e, const struct insn *in)
{
    struct access a = {.in = in, .id = e->next++, .bytes = in->mem.bytes, .bits = in->mem.bytes * 8u, .count = in->mem.count,
                       .load = insn_class(in) == INSN_LOAD, .counted = in->mem.space == SPACE_GLOBAL,
                       .offset = in->offset, .memory.text = "%shared", .room.text = "%size"};
    a.address_bits = in->mem.address_bytes == 4 ? 32 : 64;
    if (in->mem.address_bytes == 0) {
        snprintf(a.address.text, sizeof a.address.text, "%lld", (long long)in->offset);
    } else {
        a.address = a.shape = emit_use_as(e, in->src[0], a.address_bits);
        a.shape_bits = a.address_bits, a.step = a.bytes, a.form = form_of(e->p, e->at, in->src[0]);
        struct value sum = emit_new(e, a.address.vector);
        const char *type = emit_type(a.address_bits, a.address.vector);
        long long offset = a.address_bits == 32 ? (long long)(int32_t)in->offset : (long long)in->offset;
        if (a.address.vector)
            T(e, "  %s = add %s %s, splat (i%u %lld)\n", sum.text, type, a.address.text, a.address_bits, offset);
        else
            T(e, "  %s = add %s %s, %lld\n", sum.text, type, a.address.text, offset);
        a.address = sum;
    }
    if (!a.load)
        a.stored = emit_use_as(e, in->src[1], a.bits);
    a.active = emit_active(e, in);
    return a;
}

void access_vector(struct emit *e, struct access *a, bool all)
{
    const char *type = emit_type(a->bits, true);
    struct value v = a->load ? emit_new(e, true) : emit_spread(e, a->stored, a->bits);
    struct value mask = all ? v : emit_mask(e, a->active.text);
    if (a->load && all)
        T(e, "  %s = load %s, ptr %%h%d, align %u\n", v.text, type, a->id, a->bytes);
    else if (a->load)
        T(e, "  %s = call %s @llvm.masked.load.v32i%u.p0(ptr %%h%d, i32 %u, <32 x i1> %s, %s zeroinitializer)\n", v.text, type,
          a->bits, a->id, a->bytes, mask.text, type);
    else if (all)
        T(e, "  store %s %s, ptr %%h%d, align %u\n", type, v.text, a->id, a->bytes);
    else
        T(e, "  call void @llvm.masked.store.v32i%u.p0(%s %s, ptr %%h%d, i32 %u, <32 x i1> %s)\n", a->bits, type, v.text, a->id,
          a->bytes, mask.text);
    if (a->load)
        emit_define(e, a->in, a->in->dst, v);
}

/** Other elements of a vector load lie behind the first one. */
static void load_others(struct emit *e, const struct access *a, const char *place, struct value mask)
{
    const char *type = emit_type(a->bits, mask.vector);
    for (unsigned i = 1; i < a->count; i++) {
        struct value at = emit_new(e, mask.vector), v = emit_new(e, mask.vector);
        T(e, "  %s = getelementptr i8, %s %s, i64 %u\n", at.text, mask.vector ? "<32 x ptr>" : "ptr", place, i * a->bytes);
        if (mask.vector)
            T(e, "  %s = call %s @llvm.masked.gather.v32i%u.v32p0(<32 x ptr> %s, i32 %u, <32 x i1> %s, %s zeroinitializer)\n", v.text,
              type, a->bits, at.text, a->bytes, mask.text, type);
        else
            T(e, "  %s = load %s, ptr %s, align %u\n", v.text, type, at.text, a->bytes);
        emit_define(e, a->in, element_target(a->in, i), v);
    }
}

void access_lanes(struct emit *e, struct access *a, struct value ptrs)
{
    const char *type = emit_type(a->bits, true);
    struct value v = a->load ? emit_new(e, true) : emit_spread(e, a->stored, a->bits), mask = emit_new(e, true);
    T(e, "  %s = bitcast i32 %s to <32 x i1>\n", mask.text, a->active.text); /* whose bits are looked at one by one without AVX-512 */
    if (a->load)
        T(e, "  %s = call %s @llvm.masked.gather.v32i%u.v32p0(<32 x ptr> %s, i32 %u, <32 x i1> %s, %s zeroinitializer)\n", v.text,
          type, a->bits, ptrs.text, a->bytes, mask.text, type);
    else
        T(e, "  call void @llvm.masked.scatter.v32i%u.v32p0(%s %s, <32 x ptr> %s, i32 %u, <32 x i1> %s)\n", a->bits, type, v.text,
          ptrs.text, a->bytes, mask.text);
    if (a->load) {
        emit_define(e, a->in, element_target(a->in, 0), v);
        load_others(e, a, ptrs.text, mask);
    }
}

void access_one(struct emit *e, struct access *a)
{
    const char *type = emit_type(a->bits, false);
    struct value v = emit_new(e, false);
    if (a->load) {
        char place[24];
        snprintf(place, sizeof place, "%%h%d", a->id);
        T(e, "  %s = load %s, ptr %s, align %u\n", v.text, type, place, a->bytes);
        emit_define(e, a->in, element_target(a->in, 0), v);
        load_others(e, a, place, v);
        return;
    }
    if (a->stored.vector) {
        struct value zeros = emit_new(e, false), lane = emit_new(e, false);
        T(e, "  %s = call i32 @llvm.ctlz.i32(i32 %s, i1 true)\n  %s = sub i32 31, %s\n", zeros.text, a->active.text, lane.text,
          zeros.text);
        T(e, "  %s = extractelement %s %s, i32 %s\n", v.text, emit_type(a->bits, true), a->stored.text, lane.text);
    } else
        v = a->stored;
    T(e, "  store %s %s, ptr %%h%d, align %u\n", type, v.text, a->id, a->bytes);
}

/** Part `part` of four of a vector of 32 numbers of 64 bits. */
static struct value quarter(struct emit *e, const char *all, int part)
{
    struct value v = emit_new(e, true);
    T(e, "  %s = shufflevector <32 x i64> %s, <32 x i64> poison, <8 x i32> <", v.text, all);
    for (int i = 0; i < 8; i++)
        T(e, "%si32 %d", i ? ", " : "", 8 * part + i);
    T(e, ">\n");
    return v;
}

void access_low_words(struct emit *e, int id, const char *of, const char *low, const char *bits)
{
    struct value part[4], words[4], half[2], any[2];
    char all[24];
    snprintf(all, sizeof all, "%%%s%d", of, id);
    for (int i = 0; i < 4; i++) {
        part[i] = quarter(e, all, i), words[i] = emit_new(e, true);
        T(e, "  %s = bitcast <8 x i64> %s to <16 x i32>\n", words[i].text, part[i].text);
    }
    for (int i = 0; i < 2; i++) {
        half[i] = emit_new(e, true), any[i] = emit_new(e, true);
        T(e, "  %s = call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(<16 x i32> %s, <16 x i32> <", half[i].text, words[2 * i].text);
        for (int lane = 0; lane < 16; lane++)
            T(e, "%si32 %d", lane ? ", " : "", 2 * lane);
        T(e, ">, <16 x i32> %s)\n  %s = or <8 x i64> %s, %s\n", words[2 * i + 1].text, any[i].text, part[2 * i].text, part[2 * i + 1].text);
    }
    T(e, "  %%%s%d = shufflevector <16 x i32> %s, <16 x i32> %s, <32 x i32> <", low, id, half[0].text, half[1].text);
    for (int lane = 0; lane < WARP_LANES; lane++)
        T(e, "%si32 %d", lane ? ", " : "", lane);
    T(e, ">\n  %%%s%d = or <8 x i64> %s, %s\n", bits, id, any[0].text, any[1].text);
}

struct value access_have_none(struct emit *e, int id, const char *numbers, long long bits)
{
    struct value of = emit_new(e, true), some = emit_new(e, true), number = emit_new(e, false), none = emit_new(e, false);
    T(e, "  %s = and <8 x i64> %%%s%d, splat (i64 %lld)\n  %s = icmp ne <8 x i64> %s, zeroinitializer\n", of.text, numbers, id, bits, some.text, of.text);
    T(e, "  %s = bitcast <8 x i1> %s to i8\n  %s = icmp eq i8 %s, 0\n", number.text, some.text, none.text, number.text);
    return none;
}

struct value access_lie_apart(struct emit *e, const char *places, struct value active, unsigned step)
{
    struct value next = emit_new(e, true), on = emit_new(e, true), off = emit_new(e, true), unlike = emit_new(e, true), bits = emit_new(e, false), moved = emit_new(e, false),
                 pairs = emit_new(e, false), bad = emit_new(e, false), some = emit_new(e, false), none = emit_new(e, false), apart = emit_new(e, false);
    T(e, "  %s = shufflevector <32 x i32> %s, <32 x i32> poison, <32 x i32> <", next.text, places);
    for (int lane = 0; lane < WARP_LANES; lane++)
        T(e, "%si32 %d", lane ? ", " : "", lane + (lane < WARP_LANES - 1));
    T(e, ">\n  %s = sub <32 x i32> %s, %s\n  %s = and <32 x i32> %s, splat (i32 %d)\n", on.text, next.text, places, off.text, on.text, (int)~step);
    T(e, "  %s = icmp ne <32 x i32> %s, zeroinitializer\n  %s = bitcast <32 x i1> %s to i32\n", unlike.text, off.text, bits.text, unlike.text);
    T(e, "  %s = lshr i32 %s, 1\n  %s = and i32 %s, %s\n  %s = and i32 %s, %s\n", moved.text, active.text, pairs.text, moved.text, active.text, bad.text, bits.text,
      pairs.text);
    T(e, "  %s = icmp ne i32 %s, 0\n  %s = icmp eq i32 %s, 0\n  %s = or i1 %s, %s\n", some.text, bad.text, none.text, pairs.text, apart.text, some.text, none.text);
    return apart;
}

/** Words stored at once: loads from the upper half of a store of 64 bytes wait long on processors with AVX-512 (docs/speed_log.md). */
#define PUT_DOWN 8

void access_put_down(struct emit *e, const char *places)
{
    for (int first = 0; first < WARP_LANES; first += PUT_DOWN) {
        struct value part = emit_new(e, true), at = emit_new(e, false);
        T(e, "  %s = shufflevector <32 x i32> %s, <32 x i32> poison, <%d x i32> <", part.text, places, PUT_DOWN);
        for (int i = 0; i < PUT_DOWN; i++)
            T(e, "%si32 %d", i ? ", " : "", first + i);
        T(e, ">\n  %s = getelementptr i32, ptr %%places, i64 %d\n  store volatile <%d x i32> %s, ptr %s, align 32\n", at.text, first, PUT_DOWN, part.text,
          at.text);
    }
}

struct value access_take_up(struct emit *e, int lane)
{
    struct value at = emit_new(e, false), place = emit_new(e, false);
    T(e, "  %s = getelementptr i32, ptr %%places, i64 %d\n  %s = load volatile i32, ptr %s\n", at.text, lane, place.text, at.text);
    return place;
}

/** Are all lanes a row, where the warp is one and the register's form says so? `lane`: what lane 0 has of it. */
static struct value is_row(struct emit *e, const struct access *a, struct value lane)
{
    struct value row = emit_new(e, false), last = emit_new(e, false), span = emit_new(e, false), whole = emit_new(e, false);
    T(e, "  %s = icmp eq i32 %%fa%d, 1\n", row.text, a->id);
    if (a->x)
        row = access_and(e, row, access_goes_on(e, a, lane, WARP_LANES));
    if (!a->form.wraps)
        return row;
    T(e, "  %s = extractelement <32 x i64> %s, i64 %d\n  %s = sub i64 %s, %s\n  %s = icmp eq i64 %s, %lld\n", last.text, a->shape.text, WARP_LANES - 1, span.text, last.text,
      lane.text, whole.text, span.text, (long long)a->form.step * (WARP_LANES - 1));
    return access_and(e, row, whole);
}

/** Where the warp is rows of its block, the register's form says how the lanes lie: on to label oID or sID; else to frID. */
static void split_by_form(struct emit *e, const struct access *a, struct value lane)
{
    int id = a->id;
    T(e, "  %%fa%d = load i32, ptr %%rows\n", id);
    if (e->wide) {
        T(e, "  br i1 %s, label %%o%d, label %%fr%d\nfr%d:\n", is_row(e, a, lane).text, id, id, id);
        return;
    }
    T(e, "  %%fb%d = icmp eq i32 %%fa%d, 0\n  br i1 %%fb%d, label %%fr%d, label %%ft%d, !prof !1\nft%d:\n", id, id, id, id, id, id);
    if (a->form.step == a->step)
        T(e, "  br i1 %s, label %%o%d, label %%s%d\n", is_row(e, a, lane).text, id, id);
    else
        T(e, "  br label %%%s%d\n", a->form.wraps ? "fr" : "s", id);
    T(e, "fr%d:\n", id);
}

void access_split_by_order(struct emit *e, const struct access *a)
{
    struct value lane = emit_new(e, false), even = emit_new(e, true), like = emit_new(e, true), bits = emit_new(e, false),
                 some = emit_new(e, false), order = emit_new(e, false), first = access_first(e, a, 0);
    const char *type = emit_type(a->shape_bits, true);
    if (a->address_bits == 32)
        T(e, "  %%f%d = trunc i64 %s to i32\n", a->id, first.text);
    else
        T(e, "  %%f%d = add i64 %s, 0\n", a->id, first.text);
    T(e, "  %s = extractelement %s %s, i64 0\n", lane.text, type, a->shape.text);
    if (access_is_even(e, a))
        split_by_form(e, a, lane);
    struct value all = emit_spread(e, lane, a->shape_bits);
    T(e, "  %s = add %s %s, <", even.text, type, all.text);
    for (unsigned i = 0; i < WARP_LANES; i++)
        T(e, "%si%u %u", i ? ", " : "", a->shape_bits, i * a->step);
    T(e, ">\n  %s = icmp eq %s %s, %s\n  %s = bitcast <32 x i1> %s to i32\n", like.text, type, a->shape.text, even.text, bits.text,
      like.text);
    T(e, "  %s = and i32 %s, %s\n  %s = icmp eq i32 %s, %s\n", some.text, bits.text, a->active.text, order.text, some.text, a->active.text);
    if (a->x)
        order = access_and(e, order, access_goes_on(e, a, lane, WARP_LANES));
    T(e, "  br i1 %s, label %%o%d, label %%s%d\n", order.text, a->id, a->id);
}

void access_split_by_mask(struct emit *e, const struct access *a, const char *yes, const char *no)
{
    struct value all = emit_new(e, false);
    T(e, "  %s = icmp eq i32 %s, -1\n  br i1 %s, label %%%s%d, label %%%s%d\n", all.text, a->active.text, all.text, yes, a->id, no,
      a->id);
}

void access_otherwise(struct emit *e, const struct access *a)
{
    T(e, "x%d:\n", a->id);
    emit_faulting(e, a->in);
    for (unsigned i = 0; a->load && i < a->count; i++)
        emit_reload(e, a->in, element_target(a->in, i));
    T(e, "  br label %%d%d\nd%d:\n", a->id, a->id);
}

void access_skip_if_none(struct emit *e, const struct access *a)
{
    if (a->in->guard == REG_NONE)
        return;
    struct value any = emit_new(e, false);
    T(e, "  %s = icmp ne i32 %s, 0\n  br i1 %s, label %%a%d, label %%d%d\na%d:\n", any.text, a->active.text, any.text, a->id, a->id,
      a->id);
}
