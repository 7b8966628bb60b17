/**
 * @file definedness.c
 * What is undefined in registers, and how instructions pass it on: copies keep it byte by byte (and bit by bit: bit_rules.h), arithmetic
 * makes a derived value of it, shuffles and reductions take it from lane to lane.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check/uninit/bit_rules.h"
#include "check/uninit/elements.h"
#include "check/uninit/settled.h"
#include "check/uninit/unset.h"
#include "code/descriptions.h"
#include "code/operands.h"
#include "execute/dropped_loads.h"
#include "execute/meeting.h"

/* ---- Instructions ---- */

/** The result's undefined bytes are those of the sources; else it is derived from them. */
static bool copies(const struct insn *in)
{
    enum definedness flow = (enum definedness)in->op->defined;
    return flow == DEFINED_COPIES || flow == DEFINED_CHOOSES || flow == DEFINED_FALSE_DECIDES || flow == DEFINED_TRUE_DECIDES;
}

/** The bytes of an operand of so many bytes; all 8 where the row does not tell, and of predicates, whose
 *  taint has the bytes of what they were made of. */
static uint8_t low_bytes(unsigned width)
{
    return width > 1 && width < 8 ? (uint8_t)((1u << width) - 1) : 0xff;
}

/** What `and` with a constant leaves of undefined bytes. */
static uint8_t masked_bytes(const struct warp *w, const struct insn *in, uint8_t bytes)
{
    unsigned width = operand_class_bytes(in->op->src[0]);
    for (int s = 0; s < 2; s++) {
        uint64_t c = 0;
        if (in->src[s] == REG_NONE || !(in->src[s] & CONST_BIT))
            continue;
        memcpy(&c, warp_reg(w, in->src[s]), width);
        for (unsigned b = 0; b < 8; b++)
            if (!(c >> 8 * b & 0xff))
                bytes &= (uint8_t)~(1u << b);
    }
    return bytes;
}

/** Lanes in which `and` or `or` of two predicates is what it is whatever source `index` holds: the other one, which is
 *  defined, decides. */
static uint32_t decided_lanes(const struct warp *w, const struct warp_taint *t, const struct insn *in, unsigned index)
{
    const struct taint *unknown = reg_taint(w, t, in->src[1 - index]);
    return lanes_dropping(w, in, index) & ~(unknown ? unknown->lanes : 0);
}

/** What a shift or a mask leaves of a source's undefined bytes; `known` is false where it cannot be told
 *  byte by byte. */
static uint8_t moved_bytes(const struct warp *w, const struct insn *in, uint8_t bytes, bool *known)
{
    bool left = in->op->defined == DEFINED_SHIFTS_UP;
    *known = in->op->defined == DEFINED_MASKS || left || in->op->defined == DEFINED_SHIFTS_DOWN;
    if (in->op->defined == DEFINED_MASKS)
        return masked_bytes(w, in, bytes);
    if (!*known)
        return bytes;
    *known = in->src[1] != REG_NONE && (in->src[1] & CONST_BIT);
    unsigned amount = *known ? *(const uint32_t *)warp_reg(w, in->src[1]) : 0;
    if (amount >= 64)
        return 0;
    if (left && amount && amount < 8) /* a multiplication; bytes and bit-fields move further */
        *known = false;
    unsigned whole = amount / 8;
    uint8_t moved = (uint8_t)(left ? bytes << whole : bytes >> whole);
    if (amount % 8) /* bits straddle two bytes */
        moved |= (uint8_t)(left ? moved << 1 : bytes >> (whole + 1));
    return moved;
}

/** Puts what the lanes of `result` hold into a register, which held something else so far. */
static void give(uint32_t lanes, struct taint *to, const struct taint *result)
{
    if (!to)
        return;
    taint_clear(to, lanes);
    to->lanes |= result->lanes;
    to->derived |= result->derived;
    to->beside |= result->beside;
    if (result->lanes) {
        to->site = result->site;
        to->shuffled = result->shuffled;
    }
    for (uint32_t m = result->lanes; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        to->bytes[l] = result->bytes[l];
        to->origin[l] = result->origin[l];
        if (result->partly >> l & 1)
            taint_set_bits(to, l, result->bits[l]);
    }
}

/** Adds the low `width` bits of `from`, moved up by `up` (or down), to what a result holds; `exact`: its bits so far. */
static void take_bits(uint32_t lanes, const struct taint *from, int up, uint64_t width, struct taint *result, uint64_t exact[WARP_LANES])
{
    for (uint32_t m = from ? from->lanes & lanes : 0; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        uint64_t bits = up > 0 ? (taint_bits(from, l) & low_bits(width)) << up : taint_bits(from, l) >> -up & low_bits(width);
        if (!bits)
            continue;
        result->lanes |= 1u << l;
        result->derived |= from->derived & 1u << l;
        result->beside |= from->beside & 1u << l;
        exact[l] |= bits;
        result->bytes[l] = bytes_of_bits(exact[l]);
        result->origin[l] = from->origin[l];
        result->site = from->site;
        result->shuffled = from->shuffled;
    }
    result->bits = exact;
    result->partly = result->lanes;
}

/** mov between a register and the elements of a vector. */
static void propagate_vector(const struct warp *w, struct warp_taint *t, const struct insn *in,
                             uint32_t lanes)
{
    const struct pack_desc *p = in->extra;
    int width = 8 * p->element_bytes;
    bool follow = p->count * width <= 64; /* 16 bytes count as defined */
    struct taint whole = {0};
    uint64_t of_whole[WARP_LANES] = {0};
    if (in->op->defined == DEFINED_PACKS) {
        for (int i = 0; follow && i < p->count; i++)
            take_bits(lanes, reg_taint(w, t, p->element[i]), i * width, (uint64_t)width, &whole, of_whole);
        give(lanes, reg_taint(w, t, in->dst), &whole);
        return;
    }
    if (follow)
        take_bits(lanes, reg_taint(w, t, in->src[0]), 0, 64, &whole, of_whole);
    for (int i = 0; i < p->count; i++) {
        struct taint part = {0};
        uint64_t of_part[WARP_LANES] = {0};
        take_bits(lanes, &whole, -i * width, (uint64_t)width, &part, of_part);
        give(lanes, reg_taint(w, t, p->element[i]), &part);
    }
}

/** What an instruction makes of its sources' undefined bits. */
struct result {
    struct taint taint;
    uint64_t exact[WARP_LANES];  /* its undefined bits so far */
    uint32_t altered;            /* lanes where these are not just bits of a source, perhaps elsewhere */
};

/** Adds what one source holds to what the result will hold. */
static void take_source(const struct warp *w, const struct warp_taint *t, const struct insn *in, uint32_t lanes,
                        const struct operand *o, const struct taint *from, struct result *r)
{
    struct taint *result = &r->taint;
    bool decides = in->op->defined == DEFINED_FALSE_DECIDES || in->op->defined == DEFINED_TRUE_DECIDES;
    lanes &= from ? from->lanes : 0;
    if (lanes && o->index < 2 && in->op->defined == DEFINED_CHOOSES)
        lanes &= ~lanes_dropping(w, in, o->index);
    if (lanes && decides && o->index < 2)
        lanes &= ~decided_lanes(w, t, in, o->index);
    if (!lanes)
        return;
    result->site = from->site;
    result->shuffled = from->shuffled;
    result->derived |= from->derived & lanes;
    result->beside |= from->beside & lanes;
    for (uint32_t m = lanes; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        uint8_t bytes = from->bytes[l] & low_bytes(o->width);
        bool first = o->index == 0 || in->op->defined == DEFINED_MASKS;
        result->origin[l] = from->origin[l];
        bool moves = false, same = false;
        bytes = first ? moved_bytes(w, in, bytes, &moves) : bytes;
        uint64_t bits = taint_bits(from, l) & bits_of_bytes(low_bytes(o->width));
        bool field = from->partly >> l & 1; /* of whole bytes that hold nothing each computation is one, whatever it adds */
        bool told = bits_pass(w, t, in, o->index, l, &bits, &same);
        r->exact[l] |= told ? bits : bits_of_bytes(bytes);
        r->altered |= (uint32_t)!(moves || (told && same && field && in->op->defined == DEFINED_COMPUTES)) << l;
        result->bytes[l] = bytes_of_bits(r->exact[l]);
        if (!result->bytes[l]) {
            lanes &= ~(1u << l);
            result->derived &= ~(1u << l);
            result->beside &= ~(1u << l);
        }
    }
    result->lanes |= lanes;
}

/** Is any register that the instruction reads or writes undefined in part? If not, nothing changes. */
static bool touches_taint(const struct warp *w, const struct warp_taint *t, const struct insn *in)
{
    const struct taint *of = NULL;
    struct operand_iter it = operands_of(in);
    for (struct operand o; !(of && of->lanes) && operands_next(&it, &o);)
        of = reg_taint(w, t, o.reg);
    return of && of->lanes;
}

/** Carries taint from the sources of an instruction that is no memory operation to its results. */
static void propagate(const struct uninit *u, const struct warp *w, struct warp_taint *t, const struct insn *in, uint32_t lanes)
{
    uint32_t known = lanes & ~unset_cancelled(u, w, t, in);
    struct result r = {.altered = 0};
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);) {
        if (!o.write && o.role != ROLE_GUARD && in->op->defined != DEFINED_NONE)
            take_source(w, t, in, known, &o, reg_taint(w, t, o.reg), &r);
        if (o.write) {
            r.taint.bits = r.exact;
            r.taint.partly = r.taint.lanes;
            if (!copies(in))
                r.taint.derived |= r.taint.lanes & r.altered;
            give(lanes, reg_taint(w, t, o.reg), &r.taint);
        }
    }
}

/** What is loaded comes over what the registers held: from kernel parameters, too, of which no hook tells. */
static void overwrite(const struct warp *w, const struct warp_taint *t, const struct insn *in,
                      uint32_t lanes)
{
    bool loads = insn_class(in) == INSN_LOAD || insn_class(in) == INSN_ATOMIC;
    for (unsigned e = 0; loads && e < in->mem.count; e++)
        taint_clear(reg_taint(w, t, element_target(in, e)), lanes);
}

/** A call through a pointer, or a branch by a table, goes where a value says. */
static void leads(struct uninit *u, const struct warp *w, const struct warp_taint *t, const struct insn *in, uint32_t lanes)
{
    bool calls = insn_class(in) == INSN_CALL;
    const struct taint *where = calls || insn_class(in) == INSN_SWITCH ? reg_taint(w, t, in->src[0]) : NULL;
    if (where)
        uninit_tell(u, w, where, where->lanes & lanes, in, calls ? "address" : "branch");
}

void uninit_issue(void *self, const struct warp *w, const struct insn *in)
{
    struct uninit *u = self;
    struct warp_taint *t = taint_of(u, w);
    if (t && (t->flying_count || insn_class(in) == INSN_TENSOR))
        uninit_flight(u, w, t, in);
    if (!t || !any_undefined(t, in))
        return;
    uint32_t lanes = w->mask;
    if (insn_is_guarded(in)) {
        const struct taint *g = reg_taint(w, t, in->guard);
        if (g)
            uninit_tell(u, w, g, g->lanes & w->mask, in, "branch");
        uint32_t p = *(const uint32_t *)warp_reg(w, in->guard);
        lanes &= in->guard_negated ? ~p : p;
    }
    leads(u, w, t, in, lanes);
    enum definedness flow = (enum definedness)in->op->defined;
    if (flow == DEFINED_PACKS || flow == DEFINED_UNPACKS)
        propagate_vector(w, t, in, lanes);
    else if (!insn_is_memory(in) && flow != DEFINED_LANES && touches_taint(w, t, in))
        propagate(u, w, t, in, lanes);
    if (!insn_is_memory(in) && insn_class(in) != INSN_TENSOR)
        return;
    const struct taint *base = in->mem.address_bytes ? reg_taint(w, t, in->src[0]) : NULL;
    if (base)
        uninit_tell(u, w, base, base->lanes & lanes, in, "address");
    overwrite(w, t, in, lanes);
}

/* ---- From lane to lane ---- */

/** What one lane receives. */
struct received {
    uint8_t bytes, origin;
    bool derived, shuffled, beside;
    uint32_t site;
};

static struct received receive(const struct warp_taint *t, const struct warp_exchange *x, int lane)
{
    struct received r = {0};
    if (!x->from[lane])
        return (struct received){.bytes = 0x0f, .origin = (uint8_t)lane, .derived = true, .shuffled = true,
                                 .site = x->in[lane]->site};
    for (uint32_t m = x->from[lane]; m; m &= m - 1) {
        int s = __builtin_ctz(m);
        const struct taint *from = frame_taint(t, x->frame[s], x->in[s]->src[0]);
        if (!from || !(from->lanes >> s & 1))
            continue;
        r.bytes |= from->bytes[s] & 0x0f;
        r.derived |= x->combines || (from->derived >> s & 1);
        r.beside |= from->beside >> s & 1;
        r.shuffled = from->shuffled;
        r.site = from->site;
        r.origin = from->origin[s];
    }
    return r;
}

static bool takes_from_nobody(const struct warp_exchange *x)
{
    bool any = false;
    EACH_LANE(l, x->lanes) any |= !x->from[l];
    return any;
}

/** Of the lanes those that execute what `first` does, in the same frame. */
static uint32_t alike(const struct warp_exchange *x, uint32_t lanes, int first)
{
    uint32_t same = 0;
    EACH_LANE(l, lanes) same |= (uint32_t)(x->in[l] == x->in[first] && x->frame[l] == x->frame[first]) << l;
    return same;
}

/** A register keeps what lanes of it have received. */
static void keep(struct taint *to, uint32_t lanes, const struct received got[WARP_LANES])
{
    EACH_LANE(l, lanes)
    {
        to->lanes |= 1u << l;
        to->derived |= (uint32_t)got[l].derived << l;
        to->beside |= (uint32_t)got[l].beside << l;
        to->bytes[l] = got[l].bytes;
        to->origin[l] = got[l].origin;
        to->site = got[l].site;
        to->shuffled = got[l].shuffled;
    }
}

void uninit_exchange(void *self, const struct warp *w, const struct warp_exchange *x)
{
    struct warp_taint *t = taint_of(self, w);
    struct received got[WARP_LANES];
    uint32_t undefined = 0;
    if (!t->any && !takes_from_nobody(x))
        return;
    for (uint32_t m = x->lanes; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        got[l] = receive(t, x, l);
        undefined |= (uint32_t)(got[l].bytes != 0) << l;
    }
    if (undefined)
        uninit_open(w, t);
    for (uint32_t left = x->lanes, done; left; left &= ~done) {
        int first = __builtin_ctz(left);
        struct taint *to = frame_taint(t, x->frame[first], x->in[first]->dst);
        done = alike(x, left, first);
        taint_clear(to, done);
        taint_clear(frame_taint(t, x->frame[first], x->in[first]->dst2), done); /* where from does not hang on a value */
        keep(to, to ? done & undefined : 0, got);
    }
}
