/**
 * @file decode_cancel.c
 * clusterlaunchcontrol: taking over blocks of the grid that have not begun (PTX ISA 9.7.13.17, 9.7.13.18).
 */
#include "code/descriptions.h"
#include "decode/decode_async.h"
#include "decode/decode_operands.h"
#include "decode/decoder.h"
#include "decode/find_row.h"
#include "decode/modifiers.h"
#include "decode/stages.h"

#define ANSWER_BYTES 16

/** try_cancel `[answer], [mbarrier]` */
bool decode_cancel(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct copy_desc *c = decoder_alloc(d, 1, sizeof *c);
    struct modifiers m = {pi, 0};

    if (!modifier_take(&m, "try_cancel") || !modifier_take(&m, "async"))
        return decode_fail_form(d, pi);
    bool shared = modifier_take(&m, "shared::cta");
    if (!modifier_take(&m, "mbarrier::complete_tx::bytes"))
        return decode_fail_form(d, pi);
    c->grouped = modifier_take(&m, "multicast::cluster::all");
    if ((c->grouped && !shared) || !modifier_take(&m, "b128") || !modifiers_end(d, &m) || !operand_count(d, pi, 2, 2))
        return decode_fail_form(d, pi);
    c->to = c->barrier = *in;
    c->to.mem = (struct mem_desc){.space = shared ? SPACE_SHARED : SPACE_GENERIC, .cluster = c->grouped, .bytes = ANSWER_BYTES, .count = 1,
                                  .type = PTX_B128};
    c->multicast = c->ignore = c->size = c->byte_mask = REG_NONE;
    if (!decode_address(d, &pi->operands[0], &c->to) ||
        !decode_mbarrier_object(d, &pi->operands[1], !shared ? OBJECT_GENERIC : c->grouped ? OBJECT_IN_CLUSTER : OBJECT_IN_BLOCK, &c->barrier))
        return false;
    in->src[0] = c->to.src[0];
    in->src[1] = c->barrier.src[0];
    in->extra = c;
    return true;
}

/** All dimensions at once: the answer's words as they lie. */
static bool decode_all(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct pack_desc *p = decoder_alloc(d, 1, sizeof *p);
    const struct ptx_operand *to = &pi->operands[0];

    if (to->kind != OPERAND_VECTOR || to->count != 4)
        return decode_fail(d, "4 elements are expected");
    p->count = 4;
    p->element_bytes = 4;
    for (int i = 0; i < 4; i++)
        if (!operand_target(d, &to->element[i], 4, &p->element[i]))
            return false;
    insn_choose(in, ROW_unpack);
    in->extra = p;
    in->mem.reg_bytes = ANSWER_BYTES;
    return true;
}

bool decode_cancel_query(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};

    if (!modifier_take(&m, "query_cancel"))
        return decode_fail_form(d, pi);
    bool asked = modifier_take(&m, "is_canceled");
    int which = asked ? 0 : modifier_of(&m, "get_first_ctaid::x get_first_ctaid::y get_first_ctaid::z get_first_ctaid");
    bool all = which == 3 && modifier_take(&m, "v4");
    if (which < 0 || (which == 3 && !all) || !modifier_take(&m, asked ? "pred" : "b32") || !modifier_take(&m, "b128"))
        return decode_fail_form(d, pi);
    in->imm = (uint64_t)which;
    if (!modifiers_end(d, &m) || !operand_count(d, pi, 2, 2) || !operand_source(d, &pi->operands[1], ANSWER_BYTES, &in->src[0]))
        return false;
    return all ? decode_all(d, pi, in) : operand_result(d, &pi->operands[0], asked ? WIDTH_PRED : 4, &in->dst);
}
