/**
 * @file decode_warp.c
 * Barriers and what lanes of a warp do together (PTX ISA 9.7.9.6 and 9.7.13).
 */
#include <string.h>

#include "decode/decode_operands.h"
#include "decode/decoder.h"
#include "decode/find_row.h"
#include "decode/modifiers.h"
#include "memory/windows.h"

/** A block's barriers are 0 to 15; those that take part are whole warps, and where `some` is set not none. */
static bool barrier_exists(struct decoder *d, const struct ptx_operand *o, int count, bool some)
{
    if (o[0].kind == OPERAND_INT && o[0].bits > 15)
        return decode_fail(d, "a barrier is one of 0 to 15");
    if (count < 2 || o[1].kind != OPERAND_INT || (o[1].bits % WARP_LANES == 0 && (o[1].bits || !some)))
        return true;
    return decode_fail(d, "the threads of a barrier are a multiple of the warp's %d%s", WARP_LANES, some ? ", and not none" : "");
}

/** Barrier number and, if given, thread count. */
static bool barrier_operands(struct decoder *d, const struct ptx_operand *o, int count,
                             struct insn *in)
{
    for (int i = 0; i < count; i++)
        if (!operand_source(d, &o[i], 4, &in->src[i]))
            return false;
    return true;
}

bool decode_bar_warp(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};

    if (!modifier_take(&m, "warp") || !modifier_take(&m, "sync"))
        return decode_fail_form(d, pi);
    return modifiers_end(d, &m) && operand_count(d, pi, 1, 1) &&
           barrier_operands(d, pi->operands, 1, in);
}

/** `bar` is `barrier` with .aligned. */
static bool read_aligned(struct modifiers *m)
{
    return modifier_take(m, "aligned") || strcmp(m->pi->mnemonic, "bar") == 0;
}

/** barrier.cluster.arrive, .wait: the one releases unless it is relaxed, the other acquires. */
bool decode_cluster_barrier(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 1};
    int kind = modifier_of(&m, "arrive wait"), order = modifier_of(&m, kind ? "acquire" : "release relaxed");

    if (kind < 0)
        return decode_fail_form(d, pi);
    in->imm = modifier_take(&m, "aligned");
    in->mem.order = kind ? ORDER_ACQUIRE : order == 1 ? ORDER_RELAXED : ORDER_RELEASE;
    in->mem.scope = SCOPE_CLUSTER;
    if (kind)
        insn_choose(in, ROW_cluster_wait);
    return modifiers_end(d, &m) && operand_count(d, pi, 0, 0);
}

/** mapa and getctarank: an address in the block's own shared memory or that of its cluster, or a generic one. Of that a word is the part that lies in
 *  the window, whatever space is named. */
bool decode_mapa(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    bool shared = modifier_take(&m, "shared::cluster"), maps = insn_row(in) == ROW_mapa;
    enum ptx_type type = modifier_type(&m);
    bool is_signed = type == PTX_S64 || type == PTX_S32; /* ptxas takes it, with no other meaning */
    unsigned bytes = type == PTX_U64 || type == PTX_S64 ? 8 : 4;

    if (type != PTX_U64 && type != PTX_U32 && !is_signed)
        return decode_fail_form(d, pi);
    in->mem = (struct mem_desc){.bytes = (uint8_t)bytes};
    in->imm = shared || bytes == 4 ? 0 : SHARED_WINDOW;
    if (pi->operand_count > 1 && !symbol_lies_in(d, &pi->operands[1], SPACE_SHARED))
        return false;
    if (maps && pi->operand_count > 2 && pi->operands[2].kind == OPERAND_SYMBOL && !pi->operands[2].offset && strcmp(pi->operands[2].name, "WARP_SZ") != 0)
        return decode_fail(d, "an address is no rank");
    return modifiers_end(d, &m) && operand_count(d, pi, 2 + maps, 2 + maps) &&
           operand_result(d, &pi->operands[0], maps ? bytes : 4, &in->dst) &&
           operand_source(d, &pi->operands[1], bytes, &in->src[0]) &&
           (!maps || operand_source(d, &pi->operands[2], 4, &in->src[1]));
}

bool decode_bar(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};

    modifier_take(&m, "cta");
    int kind = modifier_of(&m, "sync arrive");
    if (kind < 0)
        return decode_fail_form(d, pi);
    in->imm = read_aligned(&m);
    if (kind)
        insn_choose(in, ROW_bar_arrive);
    return modifiers_end(d, &m) && operand_count(d, pi, kind ? 2 : 1, 2) && barrier_exists(d, pi->operands, pi->operand_count, kind) &&
           barrier_operands(d, pi->operands, pi->operand_count, in);
}

bool decode_bar_red(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    bool negated;

    modifier_take(&m, "cta");
    if (!modifier_take(&m, "red"))
        return decode_fail_form(d, pi);
    int operation = modifier_of(&m, "popc and or");
    bool aligned = read_aligned(&m);
    enum ptx_type type = modifier_type(&m);
    if (operation < 0 || type != (operation ? PTX_PRED : PTX_U32) || !modifiers_end(d, &m))
        return decode_fail_form(d, pi);
    if (!operand_count(d, pi, 3, 4) ||
        !operand_target(d, &pi->operands[0], operation ? WIDTH_PRED : 4, &in->dst) ||
        !barrier_exists(d, &pi->operands[1], pi->operand_count - 2, false) || !barrier_operands(d, &pi->operands[1], pi->operand_count - 2, in) ||
        !operand_pred(d, &pi->operands[pi->operand_count - 1], &in->src[2], &negated))
        return false;
    in->imm = (uint64_t)operation << 8 | (negated ? 2 : 0) | aligned;
    return in->dst != REG_NONE || decode_fail_form(d, pi);
}

bool decode_shfl(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    bool sync = modifier_take(&m, "sync");
    int mode = modifier_of(&m, "up down bfly idx");

    if (mode < 0 || modifier_type(&m) != PTX_B32 || !modifiers_end(d, &m))
        return decode_fail_form(d, pi);
    in->imm = (uint64_t)mode;
    if (!operand_count(d, pi, 4 + sync, 4 + sync) ||
        !operand_target_pair(d, &pi->operands[0], 4, WIDTH_PRED, &in->dst, &in->dst2))
        return false;
    for (int i = 0; i < 3 + sync; i++)
        if (!operand_source(d, &pi->operands[1 + i], 4, &in->src[i]))
            return false;
    return in->dst != REG_NONE || decode_fail_form(d, pi);
}

bool decode_vote(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    bool sync = modifier_take(&m, "sync"), negated;
    int mode = modifier_of(&m, "all any uni ballot");

    sync |= modifier_take(&m, "sync"); /* vote.ballot.sync is written too */
    if (mode < 0 || modifier_type(&m) != (mode == 3 ? PTX_B32 : PTX_PRED) || !modifiers_end(d, &m))
        return decode_fail_form(d, pi);
    if (!operand_count(d, pi, 2 + sync, 2 + sync) ||
        !operand_target(d, &pi->operands[0], mode == 3 ? 4 : WIDTH_PRED, &in->dst) ||
        !operand_pred(d, &pi->operands[1], &in->src[0], &negated) ||
        (sync && !operand_source(d, &pi->operands[2], 4, &in->src[3])))
        return false;
    in->imm = (uint64_t)mode | (negated ? 8 : 0);
    return in->dst != REG_NONE || decode_fail_form(d, pi);
}

bool decode_match(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    int mode = modifier_of(&m, "any all");

    if (mode < 0 || !modifier_take(&m, "sync"))
        return decode_fail_form(d, pi);
    enum ptx_type type = modifier_type(&m);
    if ((type != PTX_B32 && type != PTX_B64) || !modifiers_end(d, &m))
        return decode_fail_form(d, pi);
    in->imm = (uint64_t)mode;
    in->mem.bytes = (uint8_t)ptx_type_bytes(type);
    if (mode == 0 && pi->operand_count && pi->operands[0].kind != OPERAND_REG)
        return decode_fail(d, "match.any has one result, and no predicate");
    return operand_count(d, pi, 3, 3) &&
           operand_target_pair(d, &pi->operands[0], 4, WIDTH_PRED, &in->dst, &in->dst2) &&
           operand_source(d, &pi->operands[1], in->mem.bytes, &in->src[0]) &&
           operand_source(d, &pi->operands[2], 4, &in->src[3]);
}

bool decode_redux(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    static const uint8_t operations[] = {ATOM_ADD, ATOM_MIN, ATOM_MAX, ATOM_AND, ATOM_OR, ATOM_XOR};
    struct modifiers m = {pi, 0};

    if (!modifier_take(&m, "sync"))
        return decode_fail_form(d, pi);
    int operation = modifier_of(&m, "add min max and or xor");
    if (operation < 0)
        return decode_fail_form(d, pi);
    in->imm = modifier_take(&m, "abs") ? 1 : 0;
    in->imm |= modifier_take(&m, "NaN") ? 2 : 0;
    enum ptx_type type = modifier_type(&m);
    bool integer = type == PTX_U32 || type == PTX_S32;
    bool fits = operation >= 3 ? type == PTX_B32
                               : integer || (type == PTX_F32 && operation > 0);
    if (!fits || (in->imm && type != PTX_F32) || !modifiers_end(d, &m))
        return decode_fail_form(d, pi);
    in->mem.atom = operations[operation];
    in->mem.type = (uint8_t)type;
    return operand_count(d, pi, 3, 3) && operand_target(d, &pi->operands[0], 4, &in->dst) &&
           operand_source(d, &pi->operands[1], 4, &in->src[0]) &&
           operand_source(d, &pi->operands[2], 4, &in->src[3]) &&
           (in->dst != REG_NONE || decode_fail_form(d, pi));
}

bool decode_activemask(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};

    if (modifier_type(&m) != PTX_B32)
        return decode_fail_form(d, pi);
    return modifiers_end(d, &m) && operand_count(d, pi, 1, 1) &&
           operand_target(d, &pi->operands[0], 4, &in->dst) &&
           (in->dst != REG_NONE || decode_fail_form(d, pi));
}

bool decode_elect(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};

    if (!modifier_take(&m, "sync"))
        return decode_fail_form(d, pi);
    return modifiers_end(d, &m) && operand_count(d, pi, 2, 2) &&
           operand_target_pair(d, &pi->operands[0], 4, WIDTH_PRED, &in->dst, &in->dst2) &&
           operand_source(d, &pi->operands[1], 4, &in->src[3]) &&
           (in->dst2 != REG_NONE || decode_fail_form(d, pi));
}
