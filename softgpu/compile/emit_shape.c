/**
 * @file emit_shape.c
 * How the lanes of an access lie, told by the register that all accesses to a tile have in common, or by the index in it; and, for processors
 * without AVX-512, tiles of two rows, found and held against the bounds by two numbers in place of vectors.
 */
#include "compile/emit_access.h"

#include "execute/traffic.h"

struct value access_and(struct emit *e, struct value one, struct value other)
{
    struct value both = emit_new(e, false);
    T(e, "  %s = and i1 %s, %s\n", both.text, one.text, other.text);
    return both;
}

struct value access_first(struct emit *e, const struct access *a, int lane)
{
    struct value first = emit_new(e, false), wide = emit_new(e, false), sum = emit_new(e, false), moved = emit_new(e, false);
    T(e, "  %s = extractelement %s %s, i64 %d\n", first.text, emit_type(a->shape_bits, true), a->shape.text, lane);
    if (a->x) {
        struct value at = emit_new(e, false);
        T(e, "  %s = %cext i32 %s to i64\n  %s = shl i64 %s, %u\n", wide.text, a->x->is_signed ? 's' : 'z', first.text, moved.text, wide.text,
          a->x->shift);
        T(e, "  %s = add i64 %s, %s\n  %s = add i64 %s, %lld\n", at.text, moved.text, a->begin.text, sum.text, at.text,
          a->offset);
        return sum;
    }
    T(e, "  %s = add i%u %s, %lld\n", moved.text, a->shape_bits, first.text,
      a->shape_bits == 32 ? (long long)(int32_t)a->offset : a->offset);
    if (a->shape_bits == 64)
        return moved;
    T(e, "  %s = zext i32 %s to i64\n", sum.text, moved.text);
    return sum;
}

struct value access_goes_on(struct emit *e, const struct access *a, struct value first, int lanes)
{
    struct value fits = {.text = "true"};
    if (!a->x)
        return fits;
    fits = emit_new(e, false);
    T(e, "  %s = icmp %s i32 %s, %u\n", fits.text, a->x->is_signed ? "sle" : "ule", first.text,
      (a->x->is_signed ? (unsigned)INT32_MAX : UINT32_MAX) - (unsigned)(lanes - 1));
    return access_and(e, fits, a->same);
}

struct value access_one_base(struct emit *e, struct value base, struct value *same)
{
    *same = (struct value){.text = "true"};
    if (!base.vector)
        return base;
    struct value first = emit_new(e, false), unlike = emit_new(e, true), any = emit_new(e, false);
    *same = emit_new(e, false);
    T(e, "  %s = extractelement <32 x i64> %s, i64 0\n", first.text, base.text);
    struct value all = emit_spread(e, first, 64);
    if (e->wide)
        T(e, "  %s = icmp ne <32 x i64> %s, %s\n  %s = bitcast <32 x i1> %s to i32\n  %s = icmp eq i32 %s, 0\n", unlike.text, base.text, all.text,
          any.text, unlike.text, same->text, any.text);
    else
        T(e, "  %s = xor <32 x i64> %s, %s\n  %s = call i64 @llvm.vector.reduce.or.v32i64(<32 x i64> %s)\n  %s = icmp eq i64 %s, 0\n", unlike.text,
          base.text, all.text, any.text, unlike.text, same->text, any.text);
    return first;
}

void access_by_index(struct emit *e, struct access *a, struct indexed *x)
{
    if (a->bytes != 1u << x->shift)
        return;
    a->begin = access_one_base(e, x->base, &a->same);
    a->x = x, a->shape = x->index, a->shape_bits = 32, a->step = 1, a->form = x->form;
}

/** Branches to `yes`ID where the shape of each lane is that of its half's first one, `step` on for each lane, else to `no`ID. */
static void split(struct emit *e, const struct access *a, unsigned step, const char *yes, const char *no)
{
    struct value first = emit_new(e, true), even = emit_new(e, true), unlike = emit_new(e, true), all = emit_new(e, false), like = emit_new(e, false);
    const char *type = emit_type(a->shape_bits, true);
    T(e, "  %s = shufflevector %s %s, %s poison, <32 x i32> <", first.text, type, a->shape.text, type);
    for (int i = 0; i < WARP_LANES; i++)
        T(e, "%si32 %d", i ? ", " : "", i & WARP_LANES / 2);
    T(e, ">\n  %s = add %s %s, <", even.text, type, first.text);
    for (unsigned i = 0; i < WARP_LANES; i++)
        T(e, "%si%u %u", i ? ", " : "", a->shape_bits, i % (WARP_LANES / 2) * step);
    T(e, ">\n  %s = xor %s %s, %s\n  %s = call i%u @llvm.vector.reduce.or.v32i%u(%s %s)\n", unlike.text, type, a->shape.text, even.text, all.text,
      a->shape_bits, a->shape_bits, type, unlike.text);
    T(e, "  %s = icmp eq i%u %s, 0\n", like.text, a->shape_bits, all.text);
    for (int h = 0; h < 2 && a->x; h++) {
        struct value lane = emit_new(e, false);
        T(e, "  %s = extractelement %s %s, i64 %d\n", lane.text, type, a->shape.text, h * WARP_LANES / 2);
        like = access_and(e, like, access_goes_on(e, a, lane, step ? WARP_LANES / 2 : 1));
    }
    T(e, "  br i1 %s, label %%%s%d, label %%%s%d\n", like.text, yes, a->id, no, a->id);
}

/** The sectors of two halves, `bytes` of each from `at[h]` on (numbers): as many as there are where lanes are compared with their neighbours. */
static void count_sectors(struct emit *e, const struct access *a, const struct value at[2], unsigned bytes)
{
    struct value edge[2][2], moved[2], far = emit_new(e, false), one = emit_new(e, false), both = emit_new(e, false), sum = emit_new(e, false),
                 sectors = emit_new(e, false);
    if (!a->counted)
        return;
    for (int h = 0; h < 2; h++) {
        struct value last = emit_new(e, false);
        edge[h][0] = emit_new(e, false), edge[h][1] = emit_new(e, false), moved[h] = emit_new(e, false);
        T(e, "  %s = add i64 %s, %u\n  %s = lshr i64 %s, %d\n  %s = lshr i64 %s, %d\n  %s = sub i64 %s, %s\n", last.text, at[h].text, bytes - 1,
          edge[h][0].text, at[h].text, SECTOR_BITS, edge[h][1].text, last.text, SECTOR_BITS, moved[h].text, edge[h][1].text, edge[h][0].text);
    }
    T(e, "  %s = icmp ne i64 %s, %s\n  %s = zext i1 %s to i64\n", far.text, edge[1][0].text, edge[0][1].text, one.text, far.text);
    T(e, "  %s = add i64 %s, %s\n  %s = add i64 %s, %s\n  %s = add i64 %s, 1\n", both.text, moved[0].text, moved[1].text, sum.text, both.text,
      one.text, sectors.text, sum.text);
    access_count_traffic(e, a, sectors.text);
}

/** `place[h]`: on the host, of `bytes` bytes from `before` bytes before each half's first address on, where they are within bounds and aligned. Else on to label qsID. */
static void places(struct emit *e, const struct access *a, unsigned before, unsigned bytes, unsigned align, const char *way, struct value place[2])
{
    int id = a->id;
    bool global = a->in->mem.space == SPACE_GLOBAL;
    struct value at[2], on[2], number[2], any = emit_new(e, false), low = emit_new(e, false), good = emit_new(e, false), base, size, host;
    if (global)
        access_recent_range(e, a, &base, &size, &host);
    else {
        size = emit_new(e, false);
        T(e, "  %s = zext i32 %s to i64\n", size.text, a->room.text);
    }
    for (int h = 0; h < 2; h++) {
        at[h] = on[h] = access_first(e, a, h * WARP_LANES / 2);
        if (before) {
            on[h] = emit_new(e, false);
            T(e, "  %s = sub i64 %s, %u\n", on[h].text, at[h].text, before);
            at[h] = on[h];
        }
    }
    T(e, "  %s = or i64 %s, %s\n  %s = and i64 %s, %u\n  %s = icmp eq i64 %s, 0\n", any.text, at[0].text, at[1].text, low.text, any.text, align - 1,
      good.text, low.text);
    for (int h = 0; h < 2; h++) {
        struct value within = emit_new(e, false), rest = emit_new(e, false), room = emit_new(e, false);
        if (global) {
            on[h] = emit_new(e, false);
            T(e, "  %s = sub i64 %s, %s\n", on[h].text, at[h].text, base.text);
        }
        T(e, "  %s = icmp ult i64 %s, %s\n  %s = sub i64 %s, %s\n  %s = icmp uge i64 %s, %u\n", within.text, on[h].text, size.text, rest.text, size.text,
          on[h].text, room.text, rest.text, bytes);
        good = access_and(e, access_and(e, good, within), room);
    }
    T(e, "  br i1 %s, label %%%s%d, label %%qs%d, !prof !0\n%s%d:\n", good.text, way, id, id, way, id);
    for (int h = 0; h < 2; h++) {
        place[h] = emit_new(e, false);
        T(e, "  %s = getelementptr i8, ptr %s, i64 %s\n", place[h].text, global ? host.text : a->memory.text, on[h].text);
        number[h] = emit_new(e, false);
        T(e, "  %s = ptrtoint ptr %s to i64\n", number[h].text, place[h].text);
    }
    count_sectors(e, a, number, bytes);
}

/** The farthest that an element may lie from its half's first one. */
#define MOST_APART 65536

/** Each lane's element lies `form.step` bytes on from the one before, in each half: places in shared memory are numbers in the code. */
static void each_apart(struct emit *e, struct access *a)
{
    int64_t step = a->form.step, from = step < 0 ? -step * (WARP_LANES / 2 - 1) : 0;
    unsigned span = (unsigned)((step < 0 ? -step : step) * (WARP_LANES / 2 - 1)) + a->bytes;
    struct value place[2], v = a->load ? (struct value){.text = "poison", .vector = true} : emit_spread(e, a->stored, a->bits);
    places(e, a, (unsigned)from, span, a->bytes, "qcv", place);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        struct value at = emit_new(e, false), one = emit_new(e, false), next = emit_new(e, true);
        int64_t on = from + step * (lane % (WARP_LANES / 2));
        T(e, "  %s = getelementptr i8, ptr %s, i64 %lld\n", at.text, place[lane / (WARP_LANES / 2)].text, (long long)on);
        if (!a->load) {
            T(e, "  %s = extractelement %s %s, i64 %d\n  store i%u %s, ptr %s, align %u\n", one.text, emit_type(a->bits, true), v.text, lane, a->bits,
              one.text, at.text, a->bytes);
            continue;
        }
        T(e, "  %s = load i%u, ptr %s, align %u\n", one.text, a->bits, at.text, a->bytes);
        T(e, "  %s = insertelement %s %s, i%u %s, i64 %d\n", next.text, emit_type(a->bits, true), v.text, a->bits, one.text, lane);
        v = next;
    }
    if (a->load)
        emit_define(e, a->in, a->in->dst, v);
}

/** What the form makes of each half of a warp: a row, one word, or words apart. */
enum tile {
    TILE_UNKNOWN,
    TILE_ROWS,
    TILE_WORDS,
    TILE_APART
};

static enum tile tile_of(const struct access *a)
{
    int64_t step = a->form.step;
    if (a->form.kind != FORM_EVEN || a->form.wraps)
        return TILE_UNKNOWN;
    if (a->count == 1 && step == a->step)
        return TILE_ROWS;
    if (step == 0)
        return a->load ? TILE_WORDS : TILE_UNKNOWN;
    bool apart = a->in->mem.space == SPACE_SHARED && !a->x && a->count == 1 && step % a->bytes == 0 && step <= MOST_APART && step >= -MOST_APART;
    return apart ? TILE_APART : TILE_UNKNOWN;
}

/** Where the warp is rows of its block, the form says which way to go: labels qrID, qoID, or done; else on to qgID. */
static void tile_by_form(struct emit *e, struct access *a)
{
    int id = a->id;
    enum tile tile = tile_of(a);
    bool rows = tile == TILE_ROWS, words = tile == TILE_WORDS;
    struct value like = emit_new(e, false), known = emit_new(e, false);
    if (tile == TILE_UNKNOWN)
        return;
    T(e, "  %s = load i32, ptr %%rows\n  %s = icmp ne i32 %s, 0\n", known.text, like.text, known.text);
    for (int h = 0; h < 2 && a->x; h++) {
        struct value lane = emit_new(e, false);
        T(e, "  %s = extractelement %s %s, i64 %d\n", lane.text, emit_type(a->shape_bits, true), a->shape.text, h * WARP_LANES / 2);
        like = access_and(e, like, access_goes_on(e, a, lane, rows ? WARP_LANES / 2 : 1));
    }
    T(e, "  br i1 %s, label %%%s%d, label %%qg%d, !prof !0\n", like.text, rows ? "qr" : words ? "qo" : "qc", id, id);
    if (tile == TILE_APART) {
        T(e, "qc%d:\n", id);
        each_apart(e, a);
        T(e, "  br label %%d%d\n", id);
    }
    T(e, "qg%d:\n", id);
}

/** Label qrID: each half is a row. */
static void tile_rows(struct emit *e, struct access *a)
{
    struct value place[2];
    T(e, "qr%d:\n", a->id);
    places(e, a, 0, WARP_LANES / 2 * a->bytes, a->bytes, "qrv", place);
    access_two_rows(e, a, place);
    T(e, "  br label %%d%d\n", a->id);
}

/** Label qoID: each half loads one place. */
static void tile_words(struct emit *e, struct access *a)
{
    struct value place[2];
    T(e, "qo%d:\n", a->id);
    places(e, a, 0, a->count * a->bytes, a->count * a->bytes, "qov", place);
    access_two_words(e, a, place);
    T(e, "  br label %%d%d\n", a->id);
}

bool access_known_tile(struct emit *e, struct access *a)
{
    int id = a->id;
    enum tile tile = tile_of(a);
    if (tile == TILE_UNKNOWN)
        return false;
    if (tile == TILE_ROWS) { /* where the warp is one row, the mask need not be asked about */
        struct value known = emit_new(e, false), two = emit_new(e, false);
        T(e, "  %s = load i32, ptr %%rows\n  %s = icmp eq i32 %s, 2\n  br i1 %s, label %%qk%d, label %%qs%d\nqk%d:\n", known.text, two.text, known.text,
          two.text, id, id, id);
    }
    access_split_by_mask(e, a, "qa", "qs");
    T(e, "qa%d:\n", id);
    tile_by_form(e, a);
    T(e, "  br label %%qs%d\n", id);
    if (tile == TILE_ROWS)
        tile_rows(e, a);
    if (tile == TILE_WORDS)
        tile_words(e, a);
    T(e, "qs%d:\n", id);
    return true;
}

void access_tile(struct emit *e, struct access *a)
{
    int id = a->id;
    access_split_by_mask(e, a, "qa", "qs");
    T(e, "qa%d:\n", id);
    tile_by_form(e, a);
    access_split_by_two(e, a, a->shape.text, a->shape_bits, a->count == 1 ? a->step : 0);
    if (a->count == 1) {
        split(e, a, a->step, "qr", a->load ? "qb" : "qs");
        tile_rows(e, a);
        if (a->load)
            T(e, "qb%d:\n", id);
    }
    if (a->load) {
        split(e, a, 0, "qo", "qs");
        tile_words(e, a);
    }
    T(e, "qs%d:\n", id);
}
