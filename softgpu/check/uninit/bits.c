/**
 * @file bits.c
 * Fields of a few bits. Writing one is a load, `and`, `or` and a store of all the bytes that hold it: bits that nothing has
 * written go round and are written back beside the field. So where bits of a byte differ, they are followed one by one, through
 * what compilers make fields of: `and`, `or`, shifts, bfe, bfi, copies.
 *
 * Memory: a byte that counts as undefined may have bits that hold something; these stand in a table, which most programs
 * leave empty. It names memory by numbers that are never used again.
 */
#include <stdlib.h>

#include "base/mix.h"
#include "check/uninit/elements.h"
#include "check/uninit/uninit.h"
#include "execute/lane_values.h"

/* ---- Bytes of memory ---- */

struct part {
    uint64_t where, at;       /* `where` 0: a free place */
    uint8_t defined;          /* its bits that hold something */
};

static struct part *part_find(const struct parts *p, uint64_t where, uint64_t at)
{
    uint64_t i = mix64(mix_in(where, at));
    for (;; i++) {
        struct part *q = &p->at[i & (p->size - 1)];
        if (!q->where || (q->where == where && q->at == at))
            return q;
    }
}

static void grow(struct parts *p)
{
    struct parts old = *p;
    p->size = old.size ? 2 * old.size : 256;
    p->at = calloc(p->size, sizeof *p->at);
    if (!p->at)
        abort();
    for (uint64_t i = 0; i < old.size; i++)
        if (old.at[i].where)
            *part_find(p, old.at[i].where, old.at[i].at) = old.at[i];
    free(old.at);
}

/** What a lane's access names: the memory, and in *at its first byte there. 0: none that is followed. */
static uint64_t memory_of(const struct uninit *u, const struct warp *w, const struct mem_access *a, int lane, uint64_t *at)
{
    const struct block *b = a->space == SPACE_SHARED && a->owner ? a->owner : w->block;
    uint64_t block = taint_of(u, &b->warps[0])->block;
    *at = a->address[lane];
    switch (a->space) {
    case SPACE_LOCAL: return block << 12 | (uint64_t)w->index << 7 | (uint64_t)lane << 2 | 1;
    case SPACE_SHARED: return block << 12 | 2;
    case SPACE_GLOBAL:
        *at -= a->allocation[lane]->base;
        return (uint64_t)a->allocation[lane]->id << 12 | 3;
    default: return 0;
    }
}

uint64_t bits_missing(const struct uninit *u, const struct warp *w, const struct mem_access *a, int lane, unsigned from, uint8_t bytes)
{
    uint64_t at, where = u->parts.count ? memory_of(u, w, a, lane, &at) : 0, missing = bits_of_bytes(bytes);
    for (unsigned b = 0; where && b < 8; b++)
        if (bytes >> b & 1)
            missing &= ~((uint64_t)part_find(&u->parts, where, at + from + b)->defined << 8 * b);
    return missing;
}

void bits_store(struct uninit *u, const struct warp *w, const struct mem_access *a, int lane, unsigned from, uint8_t bytes, uint64_t missing)
{
    uint64_t at, where;
    if (!u->parts.count && missing == bits_of_bytes(bytes))
        return;
    where = memory_of(u, w, a, lane, &at);
    for (unsigned b = 0; where && b < 8; b++) {
        if (!(bytes >> b & 1))
            continue;
        if (2 * u->parts.count >= u->parts.size)
            grow(&u->parts);
        struct part *p = part_find(&u->parts, where, at + from + b);
        uint8_t defined = (uint8_t) ~(missing >> 8 * b);
        u->parts.count += !p->where && defined;
        if (p->where || defined)
            *p = (struct part){where, at + from + b, defined};
    }
}

/* ---- Registers ---- */

/** The lane's value of a source; false where some of it is undefined. */
static bool value_of(const struct warp *w, const struct warp_taint *t, const struct insn *in, int source, int lane, uint64_t *value)
{
    const struct taint *from = reg_taint(w, t, in->src[source]);
    if (in->src[source] == REG_NONE || (from && from->lanes >> lane & 1))
        return false;
    *value = reg_read(w, in->src[source], operand_class_bytes(in->op->src[source]), lane);
    return true;
}

/** Of a field's place and length, the bits there; false where they are undefined. */
static bool field_of(const struct warp *w, const struct warp_taint *t, const struct insn *in, int lane, int place, uint64_t *at, uint64_t *field)
{
    uint64_t bits;
    if (!value_of(w, t, in, place, lane, at) || !value_of(w, t, in, place + 1, lane, &bits))
        return false;
    *at &= 0xff;
    *field = low_bits(bits & 0xff);
    return true;
}

/** What of the other source's bits hides the bits of this one: where it is `hides`. */
static uint64_t seen_beside(const struct warp *w, const struct warp_taint *t, const struct insn *in, unsigned source, int lane, bool hides)
{
    const struct taint *other = reg_taint(w, t, in->src[1 - source]);
    uint64_t unknown = other && other->lanes >> lane & 1 ? taint_bits(other, lane) : 0;
    uint64_t value = reg_read(w, in->src[1 - source], operand_class_bytes(in->op->src[1 - source]), lane);
    return unknown | (hides ? ~value : value);
}

bool bits_pass(const struct warp *w, const struct warp_taint *t, const struct insn *in, unsigned source, int lane, uint64_t *bits)
{
    unsigned width = 8 * operand_class_bytes((enum operand_class)in->op->dst);
    uint64_t at, field;
    switch (insn_row(in)) {
    case ROW_and_16: case ROW_and_32: case ROW_and_64:
        *bits &= seen_beside(w, t, in, source, lane, false);
        break;
    case ROW_or_16: case ROW_or_32: case ROW_or_64:
        *bits &= seen_beside(w, t, in, source, lane, true);
        break;
    case ROW_shl_16: case ROW_shl_32: case ROW_shl_64:
        if (source || !value_of(w, t, in, 1, lane, &at))
            return false;
        *bits = at < width ? *bits << at : 0;
        break;
    case ROW_shr_u16: case ROW_shr_u32: case ROW_shr_u64: case ROW_shr_s16: case ROW_shr_s32: case ROW_shr_s64:
        if (source || !value_of(w, t, in, 1, lane, &at))
            return false;
        *bits = at < width ? *bits >> at : 0;
        break;
    case ROW_bfe_u32: case ROW_bfe_u64: case ROW_bfe_s32: case ROW_bfe_s64:
        if (source || !field_of(w, t, in, lane, 1, &at, &field))
            return false;
        *bits = at < width ? *bits >> at & field : 0;
        break;
    case ROW_bfi_32: case ROW_bfi_64:
        if (source > 1 || !field_of(w, t, in, lane, 2, &at, &field))
            return false;
        if (at >= width)
            *bits = source ? *bits : 0;
        else
            *bits = source ? *bits & ~(field << at) : (*bits & field) << at;
        break;
    default:
        if (elements_pass(in, source, bits))
            return true;
        if (insn_row(in) < ROW_mov_16 || insn_row(in) > ROW_ext_s32_64_64 || in->op->defined != DEFINED_COPIES)
            return in->op->defined == DEFINED_CHOOSES && source < 2;
        if (insn_row(in) > ROW_mov_64 && insn_row(in) < ROW_ext_u8_16_16)
            return false;
    }
    *bits &= low_bits(width);
    return true;
}

uint32_t lanes_within(const struct taint *t, uint32_t lanes, unsigned bytes)
{
    uint32_t within = 0;
    for (uint32_t m = lanes & t->lanes; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        within |= (uint32_t)((t->bytes[l] & low_bits(bytes)) != 0) << l;
    }
    return within;
}
