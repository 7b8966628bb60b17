/**
 * @file decode_async.c
 * Asynchronous copies and barriers in shared memory (PTX ISA 9.7.9.25, 9.7.13.15).
 */
#include "code/descriptions.h"
#include "decode/decode_async.h"
#include "decode/decode_operands.h"
#include "decode/decoder.h"
#include "decode/find_row.h"
#include "decode/modifiers.h"
#include "decode/stages.h"

/** Hints to the caches; `policy`: one more operand comes last. */
void decode_cache_hints(struct modifiers *m, bool *policy)
{
    *policy = modifier_take(m, "L2::cache_hint");
    modifier_of(m, "L2::64B L2::128B L2::256B");
    *policy |= modifier_take(m, "L2::cache_hint");
}

bool decode_policy(struct decoder *d, const struct ptx_operand *o)
{
    uint32_t policy;
    return operand_source(d, o, 8, &policy);
}

static bool is_shared(struct modifiers *m)
{
    return modifier_of(m, "shared shared::cta") >= 0;
}

/** One side's address, and what is accessed there as a whole. */
static bool decode_side(struct decoder *d, const struct ptx_operand *o, const struct insn *in, enum ptx_space space,
                        unsigned bytes, struct insn *side)
{
    *side = *in;
    side->mem = (struct mem_desc){.space = (uint8_t)space, .bytes = (uint8_t)bytes, .count = 1, .type = PTX_B32};
    return decode_address(d, o, side);
}

static bool operand_is_pred(const struct decoder *d, const struct ptx_operand *o)
{
    const struct ptx_function *f = d->info->source;
    return o->kind == OPERAND_REG && o->reg >= 0 && o->reg < f->regs.count && f->regs.data[o->reg].type == PTX_PRED;
}

/** The optional third operand: bytes to copy, or a predicate that says to copy nothing. */
static bool decode_fill(struct decoder *d, const struct ptx_operand *o, struct copy_desc *c, struct insn *in)
{
    if (operand_is_pred(d, o))
        return operand_pred(d, o, &c->ignore, &c->ignore_negated) && (in->src[2] = c->ignore, true);
    if (o->kind == OPERAND_INT && o->bits > c->to.mem.bytes)
        return decode_fail(d, "cp.async cannot read more bytes than it writes");
    return operand_source(d, o, 4, &c->size) && (in->src[2] = c->size, true);
}

bool decode_cp_async(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct copy_desc *c = decoder_alloc(d, 1, sizeof *c);
    struct modifiers m = {pi, 0};
    bool policy;
    int64_t bytes;

    int cache = modifier_take(&m, "async") ? modifier_of(&m, "ca cg") : -1;
    if (cache < 0 || !is_shared(&m) || !modifier_take(&m, "global"))
        return decode_fail_form(d, pi);
    decode_cache_hints(&m, &policy);
    if (!modifiers_end(d, &m) || !operand_count(d, pi, 3 + policy, 4 + policy) ||
        !operand_literal(d, &pi->operands[2], &bytes))
        return false;
    if (bytes != 16 && (cache == 1 || (bytes != 4 && bytes != 8)))
        return decode_fail(d, "cp.async copies 4, 8 or 16 bytes, with .cg 16");
    c->size = c->ignore = REG_NONE;
    if (!decode_side(d, &pi->operands[0], in, SPACE_SHARED, (unsigned)bytes, &c->to) ||
        !decode_side(d, &pi->operands[1], in, SPACE_GLOBAL, (unsigned)bytes, &c->from) ||
        (pi->operand_count == 4 + policy && !decode_fill(d, &pi->operands[3], c, in)) ||
        (policy && !decode_policy(d, &pi->operands[pi->operand_count - 1])))
        return false;
    in->src[0] = c->to.src[0];
    in->src[1] = c->from.src[0];
    in->extra = c;
    return true;
}

bool decode_cp_group(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 1};
    int which = modifier_of(&m, "commit_group wait_group wait_all");
    int64_t left = 0;

    if (!modifiers_end(d, &m) || !operand_count(d, pi, which == 1, which == 1) ||
        (which == 1 && !operand_literal(d, &pi->operands[0], &left)))
        return false;
    in->imm = which == 2 ? COPY_WAIT_ALL : (uint64_t)left;
    return left >= 0 || decode_fail_form(d, pi);
}

/* ---- mbarrier */

/** The object's address; operations are strong accesses of the block's scope, but for init. */
bool decode_mbarrier_object(struct decoder *d, const struct ptx_operand *o, enum object_in where, struct insn *in)
{
    bool strong = insn_row(in) != ROW_mbar_init;
    in->mem = (struct mem_desc){.space = (uint8_t)(where == OBJECT_GENERIC ? SPACE_GENERIC : SPACE_SHARED), .bytes = 8, .count = 1,
                                .cluster = where == OBJECT_IN_CLUSTER,
                                .type = PTX_B64, .reg_bytes = 8, .order = strong ? ORDER_RELAXED : ORDER_WEAK,
                                .scope = strong ? SCOPE_CTA : SCOPE_NONE};
    if (!decode_address(d, o, in))
        return false;
    return o->element[0].kind != OPERAND_SYMBOL || in->mem.space == SPACE_SHARED || decode_fail(d, "an mbarrier lies in shared memory");
}

bool decode_cp_mbarrier(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct mbarrier_desc *x = decoder_alloc(d, 1, sizeof *x);
    struct modifiers m = {pi, 0};

    if (!modifier_take(&m, "async") || !modifier_take(&m, "mbarrier") || !modifier_take(&m, "arrive"))
        return decode_fail_form(d, pi);
    x->noinc = modifier_take(&m, "noinc");
    bool shared = is_shared(&m);
    in->extra = x;
    return (modifier_take(&m, "b64") || decode_fail_form(d, pi)) && modifiers_end(d, &m) &&
           operand_count(d, pi, 1, 1) && decode_mbarrier_object(d, &pi->operands[0], shared ? OBJECT_IN_BLOCK : OBJECT_GENERIC, in);
}

/** Order and scope: the default is acquire or release, of the block; bytes are counted by relaxed operations. */
static bool take_order(struct decoder *d, struct modifiers *m, struct mbarrier_desc *x, const char *orders)
{
    int order = modifier_of(m, orders);
    x->relaxed = order == 0;
    int scope = modifier_of(m, "cta cluster");
    x->scope = scope < 0 ? SCOPE_NONE : scope ? SCOPE_CLUSTER : SCOPE_CTA;
    return (scope < 0) == (order < 0) || decode_fail(d, "an order comes with a scope");
}

/** `[addr] {, count} {, bytes}` behind the result, if the row has one. */
static bool decode_arrive(struct decoder *d, const struct ptx_instr *pi, struct insn *in, enum object_in where)
{
    const struct mbarrier_desc *x = in->extra;
    if (!operand_count(d, pi, 2 + (x->expects || x->no_complete), 3) ||
        !operand_target(d, &pi->operands[0], 8, &in->dst) || !decode_mbarrier_object(d, &pi->operands[1], where, in))
        return false;
    if (where == OBJECT_IN_CLUSTER && in->dst != REG_NONE)
        return decode_fail(d, "an arrival in the cluster returns no state");
    if (pi->operand_count == 2)
        return true;
    return operand_source(d, &pi->operands[2], 4, x->expects ? &in->src[2] : &in->src[1]);
}

/** `waitComplete, [addr], state or parity {, time}`: how long a try may last is the schedule's. */
static bool decode_wait(struct decoder *d, const struct ptx_instr *pi, struct insn *in, enum object_in where, bool try)
{
    const struct mbarrier_desc *x = in->extra;
    uint32_t time;
    return operand_count(d, pi, 3, 3 + try) && operand_result(d, &pi->operands[0], WIDTH_PRED, &in->dst) &&
           decode_mbarrier_object(d, &pi->operands[1], where, in) &&
           operand_source(d, &pi->operands[2], x->parity ? 4 : 8, &in->src[1]) &&
           (pi->operand_count == 3 || operand_source(d, &pi->operands[3], 4, &time));
}

bool decode_mbarrier(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct mbarrier_desc *x = decoder_alloc(d, 1, sizeof *x);
    struct modifiers m = {pi, 1};
    enum op_row row = insn_row(in);
    bool arrives = row == ROW_mbar_arrive || row == ROW_mbar_arrive_drop;
    bool waits = row == ROW_mbar_test_wait || row == ROW_mbar_try_wait;

    in->extra = x;
    x->expects = arrives && modifier_take(&m, "expect_tx");
    x->no_complete = arrives && modifier_take(&m, "noComplete");
    x->parity = waits && modifier_take(&m, "parity");
    const char *orders = arrives ? "relaxed release" : waits ? "relaxed acquire" : "relaxed";
    bool whole = row == ROW_mbar_init || row == ROW_mbar_inval;
    if (!whole && !take_order(d, &m, x, orders))
        return false;
    bool shared = is_shared(&m), cluster = !shared && !waits && !whole && modifier_take(&m, "shared::cluster");
    if (!modifier_take(&m, "b64"))
        return decode_fail_form(d, pi);
    if (!modifiers_end(d, &m))
        return false;
    enum object_in where = shared ? OBJECT_IN_BLOCK : cluster ? OBJECT_IN_CLUSTER : OBJECT_GENERIC;
    if (arrives)
        return decode_arrive(d, pi, in, where);
    if (waits)
        return decode_wait(d, pi, in, where, row == ROW_mbar_try_wait);
    bool count = row != ROW_mbar_inval;
    return operand_count(d, pi, 1 + count, 1 + count) && decode_mbarrier_object(d, &pi->operands[0], where, in) &&
           (!count || operand_source(d, &pi->operands[1], 4, row == ROW_mbar_init ? &in->src[1] : &in->src[2]));
}

bool decode_mbar_pending(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 1};

    return (modifier_take(&m, "b64") || decode_fail_form(d, pi)) && modifiers_end(d, &m) &&
           operand_count(d, pi, 2, 2) && operand_result(d, &pi->operands[0], 4, &in->dst) &&
           operand_source(d, &pi->operands[1], 8, &in->src[0]);
}
