/**
 * @file decode_bulk.c
 * Bulk copies and reductions (PTX ISA 9.7.9.25.4): contiguous bytes between global and shared memory.
 */
#include "code/descriptions.h"
#include "decode/decode_async.h"
#include "decode/decode_operands.h"
#include "decode/find_row.h"
#include "decode/stages.h"

/** Pieces that a bulk copy's addresses and size are multiples of. */
#define PIECE 16

static bool decode_side(struct decoder *d, const struct ptx_operand *o, const struct insn *in, enum ptx_space space,
                        struct insn *side)
{
    *side = *in;
    side->mem = (struct mem_desc){.space = (uint8_t)space, .bytes = PIECE, .count = 1, .type = PTX_B32};
    return decode_address(d, o, side);
}

/** The two spaces, and how completion is told. @return false if there is no such copy */
static bool take_way(struct modifiers *m, struct copy_desc *c, enum ptx_space *to, enum ptx_space *from)
{
    static const enum ptx_space spaces[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_SHARED};
    int dst = modifier_of(m, "global shared::cta shared::cluster");
    int src = dst < 0 ? -1 : modifier_of(m, "global shared::cta");
    if (src < 0)
        return false;
    *to = spaces[dst];
    *from = spaces[src];
    c->grouped = modifier_take(m, "bulk_group");
    if (!c->grouped && !modifier_take(m, "mbarrier::complete_tx::bytes"))
        return false;
    bool way = dst == 0 ? src == 1 : src == 0 || dst == 2; /* a block is its cluster's only one */
    return way && c->grouped == (dst == 0);
}

/** `[to], [from], size {, [mbarrier]} {, policy}` */
static bool decode_operands(struct decoder *d, const struct ptx_instr *pi, struct insn *in, struct copy_desc *c,
                            enum ptx_space to, enum ptx_space from, bool policy)
{
    int count = 3 + !c->grouped;
    if (!operand_count(d, pi, count + policy, count + policy) ||
        !decode_side(d, &pi->operands[0], in, to, &c->to) || !decode_side(d, &pi->operands[1], in, from, &c->from) ||
        !operand_source(d, &pi->operands[2], 4, &c->size))
        return false;
    c->ignore = REG_NONE;
    c->barrier = *in;
    if (!c->grouped && !decode_mbarrier_object(d, &pi->operands[3], true, &c->barrier))
        return false;
    in->src[0] = c->to.src[0];
    in->src[1] = c->from.src[0];
    in->src[2] = c->size;
    in->src[3] = c->grouped ? REG_NONE : c->barrier.src[0];
    in->extra = c;
    return true;
}

/** commit_group; wait_group{.read} N; prefetch, which changes nothing. */
static bool decode_other(struct decoder *d, const struct ptx_instr *pi, struct modifiers *m, struct insn *in)
{
    int64_t left;
    if (modifier_take(m, "commit_group")) {
        insn_choose(in, ROW_cp_bulk_commit);
        return modifiers_end(d, m) && operand_count(d, pi, 0, 0);
    }
    if (modifier_take(m, "wait_group")) {
        bool read = modifier_take(m, "read");
        insn_choose(in, ROW_cp_bulk_wait);
        if (!modifiers_end(d, m) || !operand_count(d, pi, 1, 1) || !operand_literal(d, &pi->operands[0], &left))
            return false;
        in->imm = (uint64_t)left | (read ? COPY_WAIT_READ : 0);
        return left >= 0 || decode_fail_form(d, pi);
    }
    if (modifier_take(m, "prefetch") && modifier_take(m, "L2") && modifier_take(m, "global")) {
        insn_choose(in, ROW_nop);
        return pi->operand_count >= 2;
    }
    return decode_fail_form(d, pi);
}

bool decode_cp_bulk(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct copy_desc *c = decoder_alloc(d, 1, sizeof *c);
    struct modifiers m = {pi, 2};
    enum ptx_space to, from;
    bool policy;

    if (pi->modifier_count < 3)
        return decode_fail_form(d, pi);
    if (!take_way(&m, c, &to, &from)) {
        m.at = 2;
        return decode_other(d, pi, &m, in);
    }
    decode_cache_hints(&m, &policy);
    return modifiers_end(d, &m) && decode_operands(d, pi, in, c, to, from, policy);
}

bool decode_cp_bulk_reduce(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct copy_desc *c = decoder_alloc(d, 1, sizeof *c);
    struct modifiers m = {pi, 0};
    enum ptx_space to, from;
    bool policy;

    if (!modifier_take(&m, "reduce") || !modifier_take(&m, "async") || !modifier_take(&m, "bulk") ||
        !take_way(&m, c, &to, &from) || from != SPACE_SHARED)
        return decode_fail_form(d, pi);
    decode_cache_hints(&m, &policy);
    int op = modifier_of(&m, ATOM_NAMES);
    bool noftz = modifier_take(&m, "noftz");
    enum ptx_type type = modifier_type(&m);
    if (op < 0 || type == PTX_NONE || !atom_reduces(op, type))
        return decode_fail_form(d, pi);
    if (!modifiers_end(d, &m) || !decode_operands(d, pi, in, c, to, from, policy))
        return false;
    c->reduces = true;
    c->to.mem.type = (uint8_t)type;
    c->to.mem.atom = (uint8_t)op;
    c->to.mem.noftz = noftz;
    return true;
}
