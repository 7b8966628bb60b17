/**
 * @file decode_tensor.c
 * Copies of boxes of a tensor that a tensor map describes (PTX ISA 9.7.9.27.1).
 */
#include "code/descriptions.h"
#include "decode/decode_async.h"
#include "decode/decode_operands.h"
#include "decode/find_row.h"
#include "decode/stages.h"

/** `[map, {coordinates}]` */
static bool decode_box(struct decoder *d, const struct ptx_operand *o, int rank, const struct insn *in,
                       struct copy_desc *c)
{
    if (o->kind != OPERAND_ADDRESS || o->count != 2 ||
        (o->element[1].kind == OPERAND_VECTOR ? o->element[1].count : 1) != rank)
        return decode_fail(d, "a tensor map with %d coordinates is expected", rank);
    const struct ptx_operand *at = o->element[1].kind == OPERAND_VECTOR ? o->element[1].element : &o->element[1];
    for (int i = 0; i < rank; i++)
        if (!operand_source(d, &at[i], 4, &c->coordinate[i]))
            return false;
    if (!vector_is(d, &o->element[1], PTX_NONE, false))
        return false;
    c->map = *in;
    c->map.mem = (struct mem_desc){.space = SPACE_GENERIC, .bytes = 8, .count = 1, .type = PTX_B64};
    c->rank = (uint8_t)rank;
    struct ptx_operand map = *o;
    map.count = 1;
    if (map.element[0].kind == OPERAND_SYMBOL) {
        enum ptx_space space = operand_symbol(d, &map.element[0]).space;
        if (space == SPACE_SHARED || space == SPACE_LOCAL)
            return decode_fail(d, "a tensor map lies in global or constant memory, or in a parameter");
    }
    return o->offset ? decode_fail(d, "the address of a tensor map has no offset here") : decode_address(d, &map, &c->map);
}

static bool decode_shared(struct decoder *d, const struct ptx_operand *o, const struct insn *in, bool cluster, struct insn *side)
{
    *side = *in;
    side->mem = (struct mem_desc){.space = SPACE_SHARED, .cluster = cluster, .bytes = 16, .count = 1, .type = PTX_B32};
    return decode_address(d, o, side);
}

/** The side in global memory: its addresses are the tensor map's. */
static struct insn global_side(const struct insn *in)
{
    struct insn side = *in;
    side.mem = (struct mem_desc){.space = SPACE_GLOBAL, .bytes = 1, .count = 1, .type = PTX_B32, .address_bytes = 8};
    return side;
}

/** `.tile`, which is also what none says, or im2col's word; that is for tensors of three dimensions and up. */
static bool take_mode(struct modifiers *m, const char *im2col, int rank, struct copy_desc *c)
{
    c->im2col = modifier_take(m, im2col);
    if (!c->im2col)
        modifier_take(m, "tile");
    return !c->im2col || rank >= 3;
}

/** `{offsets}`, one for each dimension of a picture */
static bool decode_offsets(struct decoder *d, const struct ptx_operand *o, int count, struct copy_desc *c)
{
    if ((o->kind == OPERAND_VECTOR ? o->count : 1) != count)
        return decode_fail(d, "im2col with %d offsets is expected", count);
    for (int i = 0; i < count; i++)
        if (!operand_source(d, o->kind == OPERAND_VECTOR ? &o->element[i] : o, 2, &c->offset[i]))
            return false;
    return true;
}

static bool decode_to_shared(struct decoder *d, const struct ptx_instr *pi, struct modifiers *m, int rank, bool cluster,
                             struct insn *in, struct copy_desc *c)
{
    bool policy, multicast;
    if (!take_mode(m, "im2col", rank, c) || !modifier_take(m, "mbarrier::complete_tx::bytes"))
        return decode_fail_form(d, pi);
    multicast = cluster && modifier_take(m, "multicast::cluster");
    decode_cache_hints(m, &policy);
    c->from = global_side(in);
    c->barrier = *in;
    int count = 3 + c->im2col + multicast + policy;
    return modifiers_end(d, m) && operand_count(d, pi, count, count) &&
           decode_shared(d, &pi->operands[0], in, cluster, &c->to) && decode_box(d, &pi->operands[1], rank, in, c) &&
           decode_mbarrier_object(d, &pi->operands[2], cluster ? OBJECT_IN_CLUSTER : OBJECT_IN_BLOCK, &c->barrier) &&
           (!c->im2col || decode_offsets(d, &pi->operands[3], rank - 2, c)) &&
           (!multicast || (operand_source(d, &pi->operands[3 + c->im2col], 2, &c->multicast) && operand_is(d, &pi->operands[3 + c->im2col], PTX_U16))) &&
           (!policy || decode_policy(d, &pi->operands[count - 1]));
}

static bool decode_to_global(struct decoder *d, const struct ptx_instr *pi, struct modifiers *m, int rank, struct insn *in,
                             struct copy_desc *c)
{
    bool policy, mode = take_mode(m, "im2col_no_offs", rank, c);
    c->grouped = modifier_take(m, "bulk_group");
    if (!mode || !c->grouped)
        return decode_fail_form(d, pi);
    decode_cache_hints(m, &policy);
    uint8_t atom = c->to.mem.atom;
    c->to = global_side(in);
    c->to.mem.atom = atom;
    return modifiers_end(d, m) && operand_count(d, pi, 2 + policy, 2 + policy) &&
           decode_box(d, &pi->operands[0], rank, in, c) && decode_shared(d, &pi->operands[1], in, false, &c->from) &&
           (!policy || decode_policy(d, &pi->operands[2]));
}

/** `prefetch.tensor.DIM.L2.global … [map, {coordinates}] {, {offsets}} {, policy}`, which changes nothing */
static bool decode_tensor_prefetch(struct decoder *d, const struct ptx_instr *pi, struct modifiers *m, struct insn *in)
{
    struct copy_desc *c = decoder_alloc(d, 1, sizeof *c);
    bool policy, tensor = modifier_take(m, "tensor");
    int rank = tensor ? modifier_of(m, "1d 2d 3d 4d 5d") + 1 : 0;
    bool level = modifier_take(m, "L2"), global = modifier_take(m, "global");
    level |= modifier_take(m, "L2");
    if (!rank || !level || !global || !take_mode(m, "im2col", rank, c))
        return decode_fail_form(d, pi);
    decode_cache_hints(m, &policy);
    int count = 1 + c->im2col + policy;
    if (!modifiers_end(d, m) || !operand_count(d, pi, count, count) || !decode_box(d, &pi->operands[0], rank, in, c) ||
        (c->im2col && !decode_offsets(d, &pi->operands[1], rank - 2, c)) || (policy && !decode_policy(d, &pi->operands[count - 1])))
        return false;
    insn_choose(in, ROW_nop);
    return true;
}

bool decode_cp_tensor(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct copy_desc *c = decoder_alloc(d, 1, sizeof *c);
    struct modifiers m = {pi, 0};
    bool fine;

    c->reduces = modifier_take(&m, "reduce");
    if (!modifier_take(&m, "async") || !modifier_take(&m, "bulk"))
        return decode_fail_form(d, pi);
    if (modifier_take(&m, "prefetch"))
        return decode_tensor_prefetch(d, pi, &m, in);
    int rank = modifier_take(&m, "tensor") ? modifier_of(&m, "1d 2d 3d 4d 5d") + 1 : 0;
    bool out = modifier_take(&m, "global"), cluster;
    int shared = rank ? modifier_of(&m, "shared::cta shared::cluster") : -1;
    cluster = shared == 1;
    if (shared < 0 || (out ? cluster : c->reduces || !modifier_take(&m, "global")))
        return decode_fail_form(d, pi);
    int op = c->reduces ? modifier_of(&m, "add min max inc dec and or xor") : 0;
    if (op < 0)
        return decode_fail_form(d, pi);
    c->size = c->ignore = c->multicast = c->byte_mask = REG_NONE;
    c->to.mem.atom = (uint8_t)op;
    fine = out ? decode_to_global(d, pi, &m, rank, in, c) : decode_to_shared(d, pi, &m, rank, cluster, in, c);
    in->src[0] = out ? c->from.src[0] : c->to.src[0];
    in->src[1] = c->map.src[0];
    in->src[2] = c->coordinate[0];
    in->src[3] = c->grouped ? REG_NONE : c->barrier.src[0];
    in->extra = c;
    return fine;
}
