/**
 * @file emit_gather.c
 * Loads of `x[i]` where `i` differs anyhow from lane to lane: the address is what is the same in all lanes and an index of 32 bits. Where
 * all lanes run, the index alone says whether each element lies in the allocation: in place of vectors of 64 bits there are half as many.
 * Everything else (rows, one word for all, another allocation) is left to emit_global.c's way.
 */
#include "compile/emit_elements.h"

#include <string.h>

#include "execute/traffic.h"
#include "execute/worker.h"

#define MOST_ELEMENTS (1ll << 30) /* of an allocation, and between its begin and element 0: so no difference of indices wraps */

/** The instruction before `i` in its block that has left in `reg` what `i` finds there, and that nobody comes in behind; -1: none. */
static int definition(const struct emit *e, int i, uint32_t reg)
{
    const struct insn *code = e->p->f->entry;
    int begin = e->p->blocks->first[e->block];
    for (int at = i - 1; at >= begin && !(reg & CONST_BIT) && !e->p->entry[at + 1]; at--)
        if (insn_writes(code + at, reg))
            return e->p->way[at] == WAY_ROW && code[at].guard == REG_NONE ? at : -1;
    return -1;
}

/** Instruction `at` multiplies an index by a power of two. */
static bool take_index(const struct emit *e, struct indexed_text *t, int at)
{
    const struct insn *product = e->p->f->entry + at;
    enum op_row row = insn_row(product);
    uint32_t factor;
    t->is_signed = row == ROW_mul_wide_s32 || row == ROW_mad_wide_s32;
    if ((!t->is_signed && row != ROW_mul_wide_u32 && row != ROW_mad_wide_u32) || product->src[0] & CONST_BIT ||
        !(product->src[1] & CONST_BIT) || !e->p->varying[plan_web(e->p, at, product->src[0], false)])
        return false;
    memcpy(&factor, e->p->f->image->constants + (product->src[1] & ~CONST_BIT), sizeof factor);
    t->product = at;
    t->index = product->src[0];
    t->shift = (unsigned)__builtin_ctz(factor | 1u << 31);
    return factor == 1u << t->shift && t->shift < 16;
}

bool access_find_indexed(const struct emit *e, const struct insn *in, struct indexed_text *t)
{
    const struct insn *code = e->p->f->entry;
    int i = emit_index(e, in), sum = in->mem.address_bytes == 8 ? definition(e, i, in->src[0]) : -1;
    if (sum < 0 || in->mem.count != 1)
        return false;
    const struct insn *s = code + sum;
    bool found = false;
    t->sum = sum;
    if (insn_row(s) == ROW_mad_wide_s32 || insn_row(s) == ROW_mad_wide_u32) {
        t->base_source = 2;
        found = take_index(e, t, sum);
    } else if (insn_row(s) == ROW_add_64) {
        for (int one = 0; one < 2 && !found; one++) {
            int product = definition(e, sum, s->src[one]);
            t->base_source = 1 - one;
            found = product >= 0 && (insn_row(code + product) == ROW_mul_wide_s32 || insn_row(code + product) == ROW_mul_wide_u32) && take_index(e, t, product);
        }
    }
    t->base = found ? s->src[t->base_source] : 0;
    return found && (1u << t->shift) >= in->mem.bytes;
}

bool access_indexed(const struct emit *e, const struct insn *in, struct indexed *x)
{
    struct indexed_text t;
    if (!access_find_indexed(e, in, &t))
        return false;
    x->base = e->sources[t.sum][t.base_source];
    x->base_web = t.base & CONST_BIT ? -1 : plan_web(e->p, t.sum, t.base, false);
    x->index = e->sources[t.product][0];
    x->form = form_of(e->p, t.product, t.index);
    x->shift = t.shift, x->is_signed = t.is_signed;
    return true;
}

void access_load_elements(struct emit *e, const struct access *a, unsigned shift)
{
    int id = a->id;
    struct value v = {.text = "poison", .vector = true};
    char places[24];
    snprintf(places, sizeof places, "%%Exu%d", id);
    if (e->gathers) {
        struct value ptrs = emit_new(e, true);
        v = emit_new(e, true);
        T(e, "  %s = getelementptr [%u x i8], ptr %%Exh%d, <32 x i32> %s\n", ptrs.text, 1u << shift, id, places);
        T(e, "  %s = call %s @llvm.masked.gather.v32i%u.v32p0(<32 x ptr> %s, i32 %u, <32 x i1> %s, %s zeroinitializer)\n", v.text,
          emit_type(a->bits, true), a->bits, ptrs.text, a->bytes, emit_mask(e, a->active.text).text, emit_type(a->bits, true));
        emit_define(e, a->in, a->in->dst, v);
        return;
    }
    access_put_down(e, places);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        struct value next = emit_new(e, true), place = access_take_up(e, lane);
        T(e, "  %%Exm%d_%d = zext i32 %s to i64\n", id, lane, place.text);
        T(e, "  %%Exo%d_%d = getelementptr [%u x i8], ptr %%Exh%d, i64 %%Exm%d_%d\n  %%Exp%d_%d = load i%u, ptr %%Exo%d_%d, align %u\n", id, lane,
          1u << shift, id, id, lane, id, lane, a->bits, id, lane, a->bytes);
        T(e, "  %s = insertelement %s %s, i%u %%Exp%d_%d, i64 %d\n", next.text, emit_type(a->bits, true), v.text, a->bits, id, lane, lane);
        v = next;
    }
    emit_define(e, a->in, a->in->dst, v);
}

void emit_ranges(struct emit *e)
{
    for (int n = 0; n < KNOWN_RANGES; n++) {
        T(e, "  %%Kv%d = alloca i1\n  store i1 false, ptr %%Kv%d\n  %%Kb%d = alloca i64\n  store i64 0, ptr %%Kb%d\n  %%Kf%d = alloca i32\n", n, n, n, n, n);
        T(e, "  store i32 0, ptr %%Kf%d\n  %%Ko%d = alloca i32\n  store i32 0, ptr %%Ko%d\n  %%Kg%d = alloca ptr\n  store ptr null, ptr %%Kg%d\n", n, n, n, n, n);
    }
}

void emit_forget_ranges(struct emit *e)
{
    for (int n = 0; n < KNOWN_RANGES; n++)
        T(e, "  store i1 false, ptr %%Kv%d\n", n);
}

int access_range_number(struct emit *e, const struct access *a, const struct indexed *x)
{
    struct known_range range = {x->base_web, a->offset, x->shift, a->bytes, x->is_signed}, *at = e->ranges;
    for (int n = 0; n < e->range_count; n++, at++)
        if (at->web == range.web && at->offset == range.offset && at->shift == range.shift && at->bytes == range.bytes && at->is_signed == range.is_signed)
            return n;
    if (x->base_web >= 0 && e->range_count < KNOWN_RANGES - 1) {
        *at = range;
        return e->range_count++;
    }
    T(e, "  store i1 false, ptr %%Kv%d\n", KNOWN_RANGES - 1);
    return KNOWN_RANGES - 1;
}

/** Range `n` is that of the allocation found last, where all lanes' base is the `same` and element 0 is not too far from it; else on to label ExzID. */
static void find_range(struct emit *e, const struct access *a, const struct indexed *x, int n, struct value begin, struct value same)
{
    int id = a->id, at = FIELD(worker, recent) + (int)(access_recent(e, a->in) * sizeof(struct recent_range));
    bool whole = x->shift > 0 && a->bytes == 1u << x->shift; /* aligned, elements lie a whole number apart, and are fewer than half of 2 GB */
    struct value base = emit_load(e, "i64", "%k", at + FIELD(recent_range, base)), size = emit_load(e, "i64", "%k", at + FIELD(recent_range, bytes)),
                 host = emit_load(e, "ptr", "%k", at + FIELD(recent_range, host)), first = emit_new(e, false), most = emit_new(e, false);
    T(e, "  %%Exb%d = add i64 %s, %lld\n  %%Exd%d = sub i64 %%Exb%d, %s\n", id, begin.text, a->offset, id, id, base.text);
    T(e, "  %%Exf%d = ashr i64 %%Exd%d, %u\n  %%Exq%d = sub i64 0, %%Exf%d\n  %%Exr%d = and i64 %%Exd%d, %u\n", id, id, x->shift, id, id, id, id,
      whole ? 0 : (1u << x->shift) - 1);
    T(e, "  %%Exe%d = sub i64 %s, %u\n  %%Exg%d = sub i64 %%Exe%d, %%Exr%d\n  %%Exn%d = ashr i64 %%Exg%d, %u\n", id, size.text, a->bytes, id, id,
      id, id, id, x->shift);
    T(e, "  %%Exca%d = icmp ult i64 %s%d, %lld\n  %%Excb%d = icmp ult i64 %%Exe%d, 2147483647\n", id, whole ? "%Exe" : "%Exn", id, whole ? 2147483647 : MOST_ELEMENTS, id, id);
    T(e, "  %%Excc%d = add i64 %%Exq%d, %lld\n  %%Excd%d = icmp ult i64 %%Excc%d, %lld\n", id, id, x->is_signed ? MOST_ELEMENTS : 0, id, id,
      x->is_signed ? 2 * MOST_ELEMENTS : MOST_ELEMENTS);
    T(e, "  %%Exce%d = or i64 %%Exb%d, %s\n  %%Excf%d = and i64 %%Exce%d, %u\n  %%Excg%d = icmp eq i64 %%Excf%d, 0\n", id, id, base.text, id, id,
      a->bytes - 1, id, id);
    T(e, "  %%Exch%d = and i1 %%Exca%d, %%Excb%d\n  %%Excz%d = and i1 %%Excd%d, %%Excg%d\n  %%Exci%d = and i1 %%Excz%d, %s\n  %%Excj%d = and i1 %%Exch%d, %%Exci%d\n", id, id, id, id,
      id, id, id, id, same.text, id, id, id);
    T(e, "  br i1 %%Excj%d, label %%Exgl%d, label %%Exz%d, !prof !0\nExgl%d:\n", id, id, id, id);
    T(e, "  %s = trunc i64 %%Exq%d to i32\n  %s = trunc i64 %%Exn%d to i32\n  %%Exho%d = getelementptr i8, ptr %s, i64 %%Exr%d\n", first.text, id, most.text, id,
      id, host.text, id);
    T(e, "  store i1 true, ptr %%Kv%d\n  store i64 %s, ptr %%Kb%d\n  store i32 %s, ptr %%Kf%d\n", n, begin.text, n, first.text, n);
    T(e, "  store i32 %s, ptr %%Ko%d\n  store ptr %%Exho%d, ptr %%Kg%d\n", most.text, n, id, n);
}

void access_know_range(struct emit *e, const struct access *a, const struct indexed *x, int n, struct value begin, struct value same)
{
    int id = a->id;
    T(e, "  %%Exka%d = load i1, ptr %%Kv%d\n  %%Exkb%d = load i64, ptr %%Kb%d\n  %%Exkc%d = icmp eq i64 %%Exkb%d, %s\n  %%Exkd%d = and i1 %%Exka%d, %%Exkc%d\n", id, n, id, n,
      id, id, begin.text, id, id, id);
    T(e, "  %%Exke%d = and i1 %%Exkd%d, %s\n  br i1 %%Exke%d, label %%Exgk%d, label %%Exgm%d\nExgm%d:\n", id, id, same.text, id, id, id, id);
    find_range(e, a, x, n, begin, same);
    T(e, "  br label %%Exgk%d\nExgk%d:\n", id, id);
}

/** %ExyID: all elements lie in range `n`, %ExuID of them (a vector) behind the place %ExhID. */
static void find_elements(struct emit *e, const struct access *a, const struct indexed *x, int n)
{
    int id = a->id;
    struct value first = emit_new(e, false), most = emit_new(e, false);
    T(e, "  %s = load i32, ptr %%Kf%d\n  %s = load i32, ptr %%Ko%d\n  %%Exh%d = load ptr, ptr %%Kg%d\n", first.text, n, most.text, n, id, n);
    struct value firsts = emit_spread(e, first, 32);
    T(e, "  %%Exu%s%d = sub <32 x i32> %s, %s\n", e->wide ? "a" : "", id, x->index.text, firsts.text);
    if (e->wide) { /* lanes that do not run have the first one */
        T(e, "  %%Exu%d = select <32 x i1> %s, <32 x i32> %%Exua%d, <32 x i32> zeroinitializer\n", id, emit_mask(e, a->active.text).text, id);
        struct value mosts = emit_spread(e, most, 32);
        T(e, "  %%Exv%d = icmp ugt <32 x i32> %%Exu%d, %s\n  %%Exw%d = bitcast <32 x i1> %%Exv%d to i32\n  %%Exy%d = icmp eq i32 %%Exw%d, 0\n", id, id,
          mosts.text, id, id, id, id);
    } else
        T(e, "  %%Exw%d = call i32 @llvm.vector.reduce.umax.v32i32(<32 x i32> %%Exu%d)\n  %%Exy%d = icmp ule i32 %%Exw%d, %s\n", id, id, id, id, most.text);
}

struct value access_element_places(struct emit *e, const struct access *a, unsigned shift)
{
    int id = a->id;
    struct value low = emit_new(e, false), places = {.vector = true};
    T(e, "  %%Exla%d = ptrtoint ptr %%Exh%d to i64\n  %%Exlb%d = trunc i64 %%Exla%d to i32\n  %s = and i32 %%Exlb%d, %d\n", id, id, id, id, low.text,
      id, (1 << SECTOR_BITS) - 1);
    struct value lows = emit_spread(e, low, 32);
    T(e, "  %%Exlc%d = shl <32 x i32> %%Exu%d, splat (i32 %u)\n  %%Exld%d = add <32 x i32> %%Exlc%d, %s\n", id, id, shift, id, id, lows.text);
    snprintf(places.text, sizeof places.text, "%%Exld%d", id);
    return places;
}

void access_gather(struct emit *e, struct access *a, const struct indexed *x)
{
    int id = a->id, n = access_range_number(e, a, x);
    struct value same, begin = access_one_base(e, x->base, &same);
    unsigned rows = a->bytes == 1u << x->shift ? 1 : 0;
    char places[40];
    access_split_by_mask(e, a, "Exi", e->wide ? "Exo" : "Exz");
    T(e, "Exi%d:\n  %%Exs%d_0 = extractelement <32 x i32> %s, i64 0\n  %%Exs%d_1 = extractelement <32 x i32> %s, i64 1\n", id, id, x->index.text, id,
      x->index.text);
    T(e, "  %%Exs%d = sub i32 %%Exs%d_1, %%Exs%d_0\n  %%Ext%d = and i32 %%Exs%d, %d\n  %%Exk%d = icmp eq i32 %%Ext%d, 0\n", id, id, id, id, id,
      (int)~rows, id, id);
    T(e, "  br i1 %%Exk%d, label %%Exz%d, label %%Exj%d\n", id, id, id);
    if (e->wide)
        T(e, "  br i1 %s, label %%Exj%d, label %%Exz%d\n", (T(e, "Exo%d:\n", id), access_lie_apart(e, x->index.text, a->active, rows)).text, id, id);
    T(e, "Exj%d:\n", id);
    access_know_range(e, a, x, n, begin, same);
    find_elements(e, a, x, n);
    T(e, "  br i1 %%Exy%d, label %%Exa%d, label %%Exz%d, !prof !0\nExa%d:\n", id, id, id, id);
    snprintf(places, sizeof places, "%s", access_element_places(e, a, x->shift).text);
    if (e->wide)
        access_count_traffic(e, a, access_running_sectors(e, places, a->active).text);
    else
        access_count_sectors(e, a, places);
    if (e->wide)
        access_load_elements(e, a, x->shift);
    else {
        char host[24];
        snprintf(host, sizeof host, "%%Exh%d", id);
        snprintf(places, sizeof places, "%%Exlc%d", id);
        emit_define(e, a->in, a->in->dst, access_load_all(e, a, host, places));
    }
    T(e, "  br label %%d%d\nExz%d:\n", id, id);
}
