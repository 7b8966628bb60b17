/**
 * @file emit_halves.c
 * Lanes whose places make two rows: what a block of 16 × 16 threads does to a tile. Each half of a full warp touches 16 elements one
 * after another, or all the same one.
 */
#include "compile/emit_access.h"

/** `<16 x iN>` of the half that begins at `lane`, of a vector of 32. */
static struct value half_of(struct emit *e, struct value v, unsigned bits, int lane)
{
    struct value half = emit_new(e, true);
    T(e, "  %s = shufflevector %s %s, %s poison, <16 x i32> <", half.text, emit_type(bits, true), v.text, emit_type(bits, true));
    for (int i = 0; i < WARP_LANES / 2; i++)
        T(e, "%si32 %d", i ? ", " : "", lane + i);
    T(e, ">\n");
    return half;
}

/** A vector of the two halves; of scalars, each one repeated. */
static struct value joined(struct emit *e, struct value low, struct value high, unsigned bits, bool scalars)
{
    struct value v = emit_new(e, true);
    const char *type = emit_type(bits, true);
    if (scalars) {
        struct value first = emit_new(e, true), both = emit_new(e, true);
        T(e, "  %s = insertelement %s poison, i%u %s, i64 0\n", first.text, type, bits, low.text);
        T(e, "  %s = insertelement %s %s, i%u %s, i64 1\n", both.text, type, first.text, bits, high.text);
        T(e, "  %s = shufflevector %s %s, %s poison, <32 x i32> <", v.text, type, both.text, type);
    } else
        T(e, "  %s = shufflevector <16 x i%u> %s, <16 x i%u> %s, <32 x i32> <", v.text, bits, low.text, bits, high.text);
    for (int i = 0; i < WARP_LANES; i++)
        T(e, "%si32 %d", i ? ", " : "", !scalars ? i : i < WARP_LANES / 2 ? 0 : 1);
    T(e, ">\n");
    return v;
}

/** Branches to `yes`ID where each address is that of its half's first lane, `step` bytes on for each lane, else to `no`ID. */
static void split(struct emit *e, const struct access *a, const char *addresses, unsigned bits, unsigned step, const char *yes, const char *no)
{
    struct value first = emit_new(e, true), even = emit_new(e, true), unlike = emit_new(e, true), word = emit_new(e, false),
                 like = emit_new(e, false);
    const char *type = emit_type(bits, true);
    T(e, "  %s = shufflevector %s %s, %s poison, <32 x i32> <", first.text, type, addresses, type);
    for (int i = 0; i < WARP_LANES; i++)
        T(e, "%si32 %d", i ? ", " : "", i & WARP_LANES / 2);
    T(e, ">\n  %s = add %s %s, <", even.text, type, first.text);
    for (unsigned i = 0; i < WARP_LANES; i++)
        T(e, "%si%u %u", i ? ", " : "", bits, i % (WARP_LANES / 2) * step);
    T(e, ">\n  %s = icmp ne %s %s, %s\n  %s = bitcast <32 x i1> %s to i32\n", unlike.text, type, addresses, even.text, word.text, unlike.text);
    T(e, "  %s = icmp eq i32 %s, 0\n  br i1 %s, label %%%s%d, label %%%s%d\n", like.text, word.text, like.text, yes, a->id, no, a->id);
}

/** The place of lane 0 and of lane 16 on the host. */
static void find_places(struct emit *e, const char *addresses, unsigned bits, const char *base, struct value place[2])
{
    for (int h = 0; h < 2; h++) {
        struct value at = emit_new(e, false);
        place[h] = emit_new(e, false);
        T(e, "  %s = extractelement %s %s, i64 %d\n", at.text, emit_type(bits, true), addresses, h * WARP_LANES / 2);
        T(e, "  %s = getelementptr i8, ptr %s, i%u %s\n", place[h].text, base, bits, at.text);
    }
}

void access_two_rows(struct emit *e, const struct access *a, const struct value at[2])
{
    access_fetch_next_block(e, a, at);
    struct value half[2], stored = a->load ? a->stored : emit_spread(e, a->stored, a->bits);
    for (int h = 0; h < 2; h++) {
        half[h] = a->load ? emit_new(e, true) : half_of(e, stored, a->bits, h * WARP_LANES / 2);
        if (a->load)
            T(e, "  %s = load <16 x i%u>, ptr %s, align %u\n", half[h].text, a->bits, at[h].text, a->bytes);
        else
            T(e, "  store <16 x i%u> %s, ptr %s, align %u\n", a->bits, half[h].text, at[h].text, a->bytes);
    }
    if (a->load)
        emit_define(e, a->in, element_target(a->in, 0), joined(e, half[0], half[1], a->bits, false));
}

void access_two_words(struct emit *e, const struct access *a, const struct value at[2])
{
    for (unsigned i = 0; i < a->count; i++) {
        struct value half[2];
        for (int h = 0; h < 2; h++) {
            struct value on = emit_new(e, false);
            half[h] = emit_new(e, false);
            T(e, "  %s = getelementptr i8, ptr %s, i64 %u\n", on.text, at[h].text, i * a->bytes);
            T(e, "  %s = load i%u, ptr %s, align %u\n", half[h].text, a->bits, on.text, a->bytes);
        }
        emit_define(e, a->in, element_target(a->in, i), joined(e, half[0], half[1], a->bits, true));
    }
}

/** Most accesses that are no rows are told by two lanes: to label qt`ID` where the second one's place is the first one's or the next. */
void access_split_by_two(struct emit *e, const struct access *a, const char *addresses, unsigned bits, unsigned step)
{
    struct value lane[2] = {emit_new(e, false), emit_new(e, false)}, on = emit_new(e, false), rest = emit_new(e, false), may = emit_new(e, false);
    for (int i = 0; i < 2; i++)
        T(e, "  %s = extractelement %s %s, i64 %d\n", lane[i].text, emit_type(bits, true), addresses, i);
    T(e, "  %s = sub i%u %s, %s\n  %s = and i%u %s, %lld\n", on.text, bits, lane[1].text, lane[0].text, rest.text, bits, on.text,
      ~(long long)step);
    T(e, "  %s = icmp eq i%u %s, 0\n  br i1 %s, label %%qt%d, label %%qs%d\nqt%d:\n", may.text, bits, rest.text, may.text, a->id, a->id, a->id);
}

void access_halves(struct emit *e, struct access *a, const char *addresses, unsigned bits, const char *base)
{
    int id = a->id;
    struct value at[2];
    access_split_by_mask(e, a, "qa", "qs");
    T(e, "qa%d:\n", id);
    access_split_by_two(e, a, addresses, bits, a->count == 1 ? a->bytes : 0);
    if (a->count == 1) {
        split(e, a, addresses, bits, a->bytes, "qr", a->load ? "qb" : "qs");
        T(e, "qr%d:\n", id);
        find_places(e, addresses, bits, base, at);
        access_two_rows(e, a, at);
        T(e, "  br label %%d%d\n", id);
        if (a->load)
            T(e, "qb%d:\n", id);
    }
    if (a->load) {
        split(e, a, addresses, bits, 0, "qo", "qs");
        T(e, "qo%d:\n", id);
        find_places(e, addresses, bits, base, at);
        access_two_words(e, a, at);
        T(e, "  br label %%d%d\n", id);
    }
    T(e, "qs%d:\n", id);
}
