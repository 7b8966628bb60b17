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
                        bool cluster, struct insn *side)
{
    *side = *in;
    side->mem = (struct mem_desc){.space = (uint8_t)space, .cluster = cluster, .bytes = PIECE, .count = 1, .type = PTX_B32};
    return decode_address(d, o, side);
}

/** The two spaces, and how completion is told. @return false if there is no such copy */
static bool take_way(struct modifiers *m, struct copy_desc *c, enum ptx_space *to, enum ptx_space *from, bool *cluster)
{
    static const enum ptx_space spaces[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_SHARED};
    int dst = modifier_of(m, "global shared::cta shared::cluster");
    int src = dst < 0 ? -1 : modifier_of(m, "global shared::cta");
    if (src < 0)
        return false;
    *to = spaces[dst];
    *from = spaces[src];
    *cluster = dst == 2;
    c->grouped = modifier_take(m, "bulk_group");
    if (!c->grouped && !modifier_take(m, "mbarrier::complete_tx::bytes"))
        return false;
    bool way = dst == 0 ? src == 1 : src == 0 || dst == 2;
    return way && c->grouped == (dst == 0);
}

/** What the text says of a copy besides its form. */
struct bulk_text {
    enum ptx_space to, from;
    bool cluster, multicast, policy, masked;
};

/** `[to], [from], size {, [mbarrier]} {, blocks} {, policy} {, byte mask}` */
static bool decode_operands(struct decoder *d, const struct ptx_instr *pi, struct insn *in, struct copy_desc *c,
                            const struct bulk_text *t)
{
    int count = 3 + !c->grouped + t->multicast + t->policy + t->masked;
    c->multicast = c->ignore = c->byte_mask = REG_NONE;
    if (!operand_count(d, pi, count, count) || !decode_side(d, &pi->operands[0], in, t->to, t->cluster, &c->to) ||
        !decode_side(d, &pi->operands[1], in, t->from, false, &c->from) || !operand_source(d, &pi->operands[2], 4, &c->size) ||
        (t->multicast && (!operand_source(d, &pi->operands[4], 2, &c->multicast) || !operand_is(d, &pi->operands[4], PTX_U16))) ||
        (t->policy && !decode_policy(d, &pi->operands[count - 1 - t->masked])) ||
        (t->masked && !operand_source(d, &pi->operands[count - 1], 2, &c->byte_mask)))
        return false;
    c->barrier = *in;
    if (!c->grouped && !decode_mbarrier_object(d, &pi->operands[3], t->cluster ? OBJECT_IN_CLUSTER : OBJECT_IN_BLOCK, &c->barrier))
        return false;
    in->src[0] = c->to.src[0];
    in->src[1] = c->from.src[0];
    in->src[2] = c->size;
    in->src[3] = c->grouped ? REG_NONE : c->barrier.src[0];
    in->extra = c;
    return true;
}

/** `prefetch.L2.global [from], size {, policy}`, which changes nothing */
static bool decode_prefetched(struct decoder *d, const struct ptx_instr *pi, struct modifiers *m, struct insn *in)
{
    struct insn side;
    uint32_t size;
    bool policy, level = modifier_take(m, "L2"), global = modifier_take(m, "global");
    level |= modifier_take(m, "L2");
    decode_cache_hints(m, &policy);
    if (!level || !global)
        return decode_fail_form(d, pi);
    if (!modifiers_end(d, m) || !operand_count(d, pi, 2 + policy, 2 + policy) ||
        !decode_side(d, &pi->operands[0], in, SPACE_GLOBAL, false, &side) || !operand_source(d, &pi->operands[1], 4, &size) ||
        (policy && !decode_policy(d, &pi->operands[2])))
        return false;
    insn_choose(in, ROW_nop);
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
    return modifier_take(m, "prefetch") ? decode_prefetched(d, pi, m, in) : decode_fail_form(d, pi);
}

bool decode_cp_bulk(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct copy_desc *c = decoder_alloc(d, 1, sizeof *c);
    struct modifiers m = {pi, 2};
    struct bulk_text t = {0};

    if (pi->modifier_count < 3)
        return decode_fail_form(d, pi);
    if (!take_way(&m, c, &t.to, &t.from, &t.cluster)) {
        m.at = 2;
        return decode_other(d, pi, &m, in);
    }
    t.multicast = t.cluster && t.from == SPACE_GLOBAL && modifier_take(&m, "multicast::cluster");
    if (t.to == SPACE_GLOBAL || t.from == SPACE_GLOBAL)
        decode_cache_hints(&m, &t.policy);
    t.masked = t.to == SPACE_GLOBAL && modifier_take(&m, "cp_mask");
    return modifiers_end(d, &m) && decode_operands(d, pi, in, c, &t);
}

/** In another block's shared memory words are reduced, and sums of eight bytes made. */
static bool reduces_in_cluster(int op, enum ptx_type type)
{
    return atom_reduces(op, type) && type != PTX_F32 && (ptx_type_bytes(type) == 4 || (op == ATOM_ADD && type != PTX_F64 && ptx_type_bytes(type) == 8));
}

bool decode_cp_bulk_reduce(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct copy_desc *c = decoder_alloc(d, 1, sizeof *c);
    struct modifiers m = {pi, 0};
    struct bulk_text t = {0};

    if (!modifier_take(&m, "reduce") || !modifier_take(&m, "async") || !modifier_take(&m, "bulk") ||
        !take_way(&m, c, &t.to, &t.from, &t.cluster) || t.from != SPACE_SHARED)
        return decode_fail_form(d, pi);
    if (t.to == SPACE_GLOBAL)
        decode_cache_hints(&m, &t.policy);
    int op = modifier_of(&m, ATOM_NAMES);
    bool noftz = modifier_take(&m, "noftz");
    enum ptx_type type = modifier_type(&m);
    if (op < 0 || type == PTX_NONE || !(t.cluster ? reduces_in_cluster : atom_reduces)(op, type))
        return decode_fail_form(d, pi);
    if (!modifiers_end(d, &m) || !decode_operands(d, pi, in, c, &t))
        return false;
    c->reduces = true;
    c->to.mem.type = (uint8_t)type;
    c->to.mem.atom = (uint8_t)op;
    c->to.mem.noftz = noftz;
    return true;
}

/** The values of st.async and red.async: as many registers as there are elements. */
static bool decode_values(struct decoder *d, const struct ptx_operand *o, int count, unsigned width, struct copy_desc *c)
{
    if ((o->kind == OPERAND_VECTOR ? o->count : 1) != count)
        return decode_fail(d, "%d elements are expected", count);
    for (int i = 0; i < count; i++)
        if (!operand_source(d, o->kind == OPERAND_VECTOR ? &o->element[i] : o, width, &c->value[i]))
            return false;
    return true;
}

bool decode_st_async(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct copy_desc *c = decoder_alloc(d, 1, sizeof *c);
    struct modifiers m = {pi, 0};
    bool red = insn_row(in) == ROW_red_async;

    if (!modifier_take(&m, "async") || (red && (!modifier_take(&m, "relaxed") || !modifier_take(&m, "cluster"))))
        return decode_fail_form(d, pi);
    bool scoped = !red && modifier_of(&m, "weak cluster") == 1, own = !red && !scoped && modifier_of(&m, "shared shared::cta") >= 0;
    bool cluster = !own && modifier_take(&m, "shared::cluster"), shared = own || cluster;
    if (!modifier_take(&m, "mbarrier::complete_tx::bytes"))
        return decode_fail_form(d, pi);
    int vector = red ? -1 : modifier_of(&m, "v2 v4"), op = red ? modifier_of(&m, ATOM_NAMES) : 0;
    enum ptx_type type = modifier_type(&m);
    unsigned width = type == PTX_NONE ? 0 : ptx_type_bytes(type);
    int count = vector < 0 ? 1 : 2 << vector;
    if (op < 0 || (width != 4 && width != 8) || width * (unsigned)count > 16 || (red && !reduces_in_cluster(op, type)))
        return decode_fail_form(d, pi);
    if (!modifiers_end(d, &m) || !operand_count(d, pi, 3, 3) ||
        !decode_side(d, &pi->operands[0], in, shared ? SPACE_SHARED : SPACE_GENERIC, cluster, &c->to) ||
        !decode_values(d, &pi->operands[1], count, width, c))
        return false;
    c->barrier = *in;
    if (!decode_mbarrier_object(d, &pi->operands[2], cluster ? OBJECT_IN_CLUSTER : own ? OBJECT_IN_BLOCK : OBJECT_GENERIC, &c->barrier))
        return false;
    c->multicast = c->ignore = c->size = c->byte_mask = REG_NONE;
    c->reduces = red;
    c->to.mem.bytes = (uint8_t)width;
    c->to.mem.count = (uint8_t)count;
    c->to.mem.type = (uint8_t)type;
    c->to.mem.atom = (uint8_t)op;
    in->src[0] = c->to.src[0];
    in->src[1] = c->value[0];
    in->src[2] = c->barrier.src[0];
    in->extra = c;
    return true;
}

/** discard{.global}.L2 [address], 128 (PTX ISA 9.7.9.17) */
bool decode_discard(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    int64_t bytes;

    in->mem = (struct mem_desc){.space = modifier_take(&m, "global") ? SPACE_GLOBAL : SPACE_GENERIC, .bytes = 8, .count = 1,
                                .type = PTX_B64, .reg_bytes = 8, .discards = true};
    if (!modifier_take(&m, "L2"))
        return decode_fail_form(d, pi);
    return modifiers_end(d, &m) && operand_count(d, pi, 2, 2) && decode_address(d, &pi->operands[0], in) &&
           operand_literal(d, &pi->operands[1], &bytes) && (bytes == 128 || decode_fail(d, "discard takes 128 bytes"));
}

/** st.bulk{.weak}{.shared::cta} [address], bytes, 0 (PTX ISA 9.7.9.13) */
bool decode_st_bulk(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    int64_t value;

    if (!modifier_take(&m, "bulk"))
        return decode_fail_form(d, pi);
    modifier_take(&m, "weak");
    in->mem = (struct mem_desc){.space = modifier_take(&m, "shared::cta") ? SPACE_SHARED : SPACE_GENERIC, .bytes = 8, .count = 1,
                                .type = PTX_B64, .reg_bytes = 8};
    return modifiers_end(d, &m) && operand_count(d, pi, 3, 3) && decode_address(d, &pi->operands[0], in) &&
           operand_source(d, &pi->operands[1], 8, &in->src[1]) && operand_literal(d, &pi->operands[2], &value) &&
           (!value || decode_fail(d, "st.bulk stores 0"));
}
