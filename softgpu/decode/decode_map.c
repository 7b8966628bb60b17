/**
 * @file decode_map.c
 * Tensor maps that kernels change, and the fence of the tensormap proxy (PTX ISA 9.7.9.28, 9.7.13.16, 9.7.13.4).
 */
#include "code/descriptions.h"
#include "code/tensor_map.h"
#include "decode/decode_async.h"
#include "decode/decode_operands.h"
#include "decode/find_row.h"
#include "decode/stages.h"

static bool decode_scope(struct modifiers *m, struct insn *in)
{
    static const uint8_t scopes[] = {SCOPE_CTA, SCOPE_CLUSTER, SCOPE_GPU, SCOPE_SYS};
    int scope = modifier_of(m, "cta cluster gpu sys");
    in->mem.scope = scope < 0 ? SCOPE_NONE : scopes[scope];
    return scope >= 0;
}

static bool is_whole_map(struct decoder *d, const struct ptx_operand *o)
{
    int64_t bytes;
    return operand_literal(d, o, &bytes) && (bytes == TENSOR_MAP_BYTES || decode_fail(d, "a tensor map has 128 bytes"));
}

bool decode_map_fence(struct decoder *d, const struct ptx_instr *pi, struct modifiers *m, struct insn *in)
{
    int order = modifier_of(m, "release acquire");
    insn_choose(in, ROW_map_fence);
    if (order < 0 || !decode_scope(m, in))
        return decode_fail_form(d, pi);
    in->mem.order = order ? ORDER_ACQUIRE : ORDER_RELEASE;
    if (!order)
        return modifiers_end(d, m) && operand_count(d, pi, 0, 0);
    in->mem.space = SPACE_GENERIC;
    return modifiers_end(d, m) && operand_count(d, pi, 2, 2) && decode_address(d, &pi->operands[0], in) &&
           is_whole_map(d, &pi->operands[1]);
}

bool decode_map_replace(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    int64_t ord = 0;

    int field = modifier_take(&m, "replace") && modifier_take(&m, "tile")
                    ? modifier_of(&m, "global_address rank box_dim global_dim global_stride element_stride elemtype "
                                      "interleave_layout swizzle_mode fill_mode")
                    : -1;
    int space = field < 0 ? -1 : modifier_of(&m, "global shared::cta");
    bool of_dimension = field >= MAP_BOX_DIM && field <= MAP_ELEMENT_STRIDE;
    bool wide = field == MAP_GLOBAL_ADDRESS || field == MAP_GLOBAL_STRIDE;
    if (field < 0 || !modifier_take(&m, "b1024") || !modifier_take(&m, wide ? "b64" : "b32"))
        return decode_fail_form(d, pi);
    in->mem.space = space < 0 ? SPACE_GENERIC : space ? SPACE_SHARED : SPACE_GLOBAL;
    in->mem.reg_bytes = wide ? 8 : 4;
    if (!modifiers_end(d, &m) || !operand_count(d, pi, 2 + of_dimension, 2 + of_dimension) ||
        !decode_address(d, &pi->operands[0], in) ||
        (of_dimension && !operand_literal(d, &pi->operands[1], &ord)) ||
        !operand_source(d, &pi->operands[1 + of_dimension], wide ? 8 : 4, &in->src[1]))
        return false;
    if (ord < 0 || ord >= TENSOR_RANK - (field == MAP_GLOBAL_STRIDE))
        return decode_fail(d, "a tensor map has 5 dimensions, and 4 strides");
    if (of_dimension && !wide && !operand_is(d, &pi->operands[2], PTX_U32))
        return false;
    struct map_desc *x = decoder_alloc(d, 1, sizeof *x);
    *x = (struct map_desc){(enum map_field)field, (unsigned)ord};
    in->extra = x;
    return true;
}

bool decode_map_copy(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct copy_desc *c = decoder_alloc(d, 1, sizeof *c);
    struct modifiers m = {pi, 0};

    if (!modifier_take(&m, "cp_fenceproxy") || !modifier_take(&m, "global") || !modifier_take(&m, "shared::cta") ||
        !modifier_take(&m, "tensormap::generic") || !modifier_take(&m, "release") || !decode_scope(&m, in) ||
        !modifier_take(&m, "sync") || !modifier_take(&m, "aligned"))
        return decode_fail_form(d, pi);
    uint8_t scope = in->mem.scope;
    c->to = c->from = *in;
    c->to.mem = (struct mem_desc){.space = SPACE_GLOBAL};
    c->from.mem = (struct mem_desc){.space = SPACE_SHARED};
    if (!modifiers_end(d, &m) || !operand_count(d, pi, 3, 3) || !decode_address(d, &pi->operands[0], &c->to) ||
        !decode_address(d, &pi->operands[1], &c->from) || !is_whole_map(d, &pi->operands[2]))
        return false;
    in->mem = c->to.mem;
    in->mem.order = ORDER_RELEASE;
    in->mem.scope = scope;
    in->mem.reg_bytes = c->from.mem.address_bytes;
    in->offset = c->to.offset;
    in->src[0] = c->to.src[0];
    in->src[1] = c->from.src[0];
    in->extra = c;
    return true;
}
