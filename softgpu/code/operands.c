/**
 * @file operands.c
 * See operands.h. Positions of the iterator: the guard, four sources, the carry flag, what the
 * descriptor reads, what it writes, dst, dst2.
 */
#include "code/operands.h"

#include "code/descriptions.h"
#include "code/fragment.h"
#include "code/image_descriptions.h"

#define SOURCES 4

enum { AT_DST2 = -2, AT_DST, AT_GUARD, AT_SOURCE, AT_CARRY = AT_SOURCE + SOURCES, AT_EXTRA };

static bool reads_carry(const struct insn *in)
{
    return !(in->op->flags & OP_CARRY) || (in->imm & CARRY_IN);
}

static bool writes_carry(const struct insn *in)
{
    return !(in->op->flags & OP_CARRY) || (in->imm & CARRY_OUT);
}

static struct operand source(const struct insn *in, int i)
{
    struct operand o = {.reg = in->src[i], .role = ROLE_SOURCE, .index = (uint8_t)i};
    o.width = (uint8_t)operand_class_bytes((enum operand_class)in->op->src[i]);
    if (insn_is_memory(in)) {
        o.width = i ? in->mem.reg_bytes : in->mem.address_bytes;
        o.role = i ? ROLE_SOURCE : ROLE_ADDRESS;
    } else if (insn_class(in) == INSN_CALL) {
        o.width = 8;
        o.role = ROLE_ADDRESS;
    } else if (insn_class(in) == INSN_TENSOR) {
        bool group = insn_row(in) == ROW_wgmma_mma;
        bool copy = insn_row(in) == ROW_map_copy; /* of two addresses */
        o.width = group ? (i == 2 ? 1 : 8) : copy && i ? in->mem.reg_bytes : i ? 4 : in->mem.address_bytes;
        o.role = i && !group && !copy ? ROLE_SOURCE : ROLE_ADDRESS;
    }
    return o;
}

/** Element `i` of a vector access: an atomic's operands come before its results. */
static bool element(const struct insn *in, int i, struct operand *o)
{
    int n = in->mem.count, lists = insn_class(in) == INSN_ATOMIC ? 2 : 1;
    if (n <= 1 || i >= n * lists)
        return false;
    bool write = insn_class(in) == INSN_LOAD || i >= (lists - 1) * n;
    write &= insn_class(in) != INSN_STORE;
    unsigned e = (unsigned)(i % n);
    *o = (struct operand){.width = in->mem.reg_bytes, .index = (uint8_t)e, .write = write};
    o->role = write ? ROLE_RESULT : ROLE_SOURCE;
    o->reg = lists == 2 && !write ? element_operand(in, e) : element_target(in, e);
    return true;
}

static bool call_operand(const struct call_desc *d, int i, struct operand *o)
{
    if (i > d->arg_count)
        return false;
    bool write = i == d->arg_count;
    const struct call_slot *slot = write ? &d->result : &d->args[i];
    *o = (struct operand){.reg = slot->is_register && slot->bytes ? slot->offset : REG_NONE,
                          .width = (uint8_t)slot->bytes, .write = write,
                          .role = write ? ROLE_RESULT : ROLE_ARGUMENT, .index = (uint8_t)i};
    return true;
}

static bool packed(const struct insn *in, int i, struct operand *o)
{
    const struct pack_desc *p = in->extra;
    if (i >= p->count)
        return false;
    bool write = in->op->extra == EXTRA_UNPACK;
    *o = (struct operand){.reg = p->element[i], .index = (uint8_t)i, .write = write,
                          .width = p->element_bytes < 2 ? 2 : p->element_bytes,
                          .role = write ? ROLE_RESULT : ROLE_SOURCE};
    return true;
}

static bool of_fragment(const struct tensor_desc *t, int i, struct operand *o)
{
    if (i >= t->read + t->written)
        return false;
    bool write = i >= t->read;
    *o = (struct operand){.reg = t->reg[write ? i - t->read : t->written + i], .width = t->width, .index = (uint8_t)i,
                          .write = write, .role = write ? ROLE_RESULT : ROLE_SOURCE};
    return true;
}

static bool image_operand(const struct image_desc *d, int i, struct operand *o)
{
    if (i >= IMAGE_REGISTERS)
        return false;
    bool write = i >= IMAGE_RESULT, data = i >= IMAGE_STORED;
    *o = (struct operand){.reg = d->reg[i], .index = (uint8_t)i, .write = write, .width = data ? d->reg_bytes : 4,
                          .role = write ? ROLE_RESULT : ROLE_SOURCE};
    if (i == IMAGE_HANDLE) {
        o->width = 8;
        o->role = ROLE_ADDRESS;
    }
    return true;
}

/** Of a copy what src[] has no room for: coordinates and values behind the first, offsets, the blocks that it goes to, its mask. */
static bool of_copy(const struct copy_desc *c, int i, struct operand *o)
{
    int coordinates = c->rank ? c->rank - 1 : 0, offsets = c->im2col && !c->grouped ? c->rank - 2 : 0;
    int values = c->to.mem.count ? c->to.mem.count - 1 : 0, at = i;
    *o = (struct operand){.role = ROLE_SOURCE, .index = (uint8_t)(SOURCES + i), .width = 2};
    if (at < coordinates) {
        o->reg = c->coordinate[at + 1];
        o->width = 4;
        return true;
    }
    at -= coordinates;
    if (at < offsets) {
        o->reg = c->offset[at];
        return true;
    }
    at -= offsets;
    if (at < values) {
        o->reg = c->value[at + 1];
        o->width = c->to.mem.bytes;
        return true;
    }
    o->reg = at == values ? c->multicast : c->byte_mask;
    return at - values <= 1;
}

/** What the descriptor holds, by number. @return false behind the last */
static bool extra_operand(const struct insn *in, int i, struct operand *o)
{
    switch ((enum insn_extra)in->op->extra) {
    case EXTRA_ELEMENTS:
        return element(in, i, o);
    case EXTRA_CALL:
        return call_operand(in->extra, i, o);
    case EXTRA_PACK:
    case EXTRA_UNPACK:
        return packed(in, i, o);
    case EXTRA_COPY:
        return of_copy(in->extra, i, o);
    case EXTRA_TENSOR:
        return of_fragment(in->extra, i, o);
    case EXTRA_COMPARE:
        if (i < SOURCES)
            *o = source(&((const struct set_desc *)in->extra)->compare, i);
        return i < SOURCES;
    case EXTRA_IMAGE:
        return image_operand(in->extra, i, o);
    default:
        return false;
    }
}

static struct operand result(const struct insn *in, uint32_t reg)
{
    struct operand o = {.reg = reg, .role = ROLE_RESULT, .write = true};
    if (insn_is_memory(in))
        o.width = in->mem.reg_bytes;
    else if (reg == in->dst)
        o.width = (uint8_t)operand_class_bytes((enum operand_class)in->op->dst);
    else
        o.width = 1; /* every second result is a predicate */
    return o;
}

/** The operand at the next position, perhaps REG_NONE; behind the last that is read, or that a descriptor
 *  holds, the position becomes AT_DST. */
static void operand_at(struct operand_iter *it, struct operand *o)
{
    const struct insn *in = it->in;
    int at = it->at++;
    o->reg = REG_NONE;
    if (at == AT_GUARD)
        *o = (struct operand){.reg = in->guard, .width = 1, .role = ROLE_GUARD};
    else if (at < AT_CARRY)
        *o = source(in, at - AT_SOURCE);
    else if (at == AT_CARRY && (in->op->flags & OP_CARRY) && reads_carry(in))
        *o = (struct operand){.reg = in->dst2, .width = 1, .role = ROLE_SOURCE, .index = SOURCES};
    else if (at >= AT_EXTRA && !extra_operand(in, at - AT_EXTRA, o))
        it->at = AT_DST;
}

bool operands_next(struct operand_iter *it, struct operand *o)
{
    const struct insn *in = it->in;
    while (it->at >= 0) {
        while (it->at < AT_CARRY && (it->at == AT_GUARD ? in->guard : in->src[it->at - AT_SOURCE]) == REG_NONE)
            it->at++;
        operand_at(it, o);
        if (o->reg != REG_NONE)
            return true;
    }
    while (it->at >= AT_DST2) {
        uint32_t reg = it->at-- == AT_DST ? in->dst : writes_carry(in) ? in->dst2 : REG_NONE;
        *o = result(in, reg);
        if (reg != REG_NONE)
            return true;
    }
    return false;
}

bool insn_reads(const struct insn *in, uint32_t reg)
{
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o) && !o.write;)
        if (o.reg == reg)
            return true;
    return false;
}

bool insn_writes(const struct insn *in, uint32_t reg)
{
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);)
        if (o.write && o.reg == reg)
            return true;
    return false;
}

bool insns_write(const struct insn *from, const struct insn *to, uint32_t reg)
{
    for (const struct insn *in = from; in < to && !(reg & CONST_BIT); in++)
        if (insn_writes(in, reg))
            return true;
    return false;
}

bool atomic_keeps(const struct mem_desc *d, uint64_t operand)
{
    uint64_t ones = d->bytes >= 8 ? UINT64_MAX : (1ull << 8 * d->bytes) - 1, top = ones ^ ones >> 1;
    bool is_signed = d->type == PTX_S32 || d->type == PTX_S64, whole = is_signed || d->type == PTX_U32 || d->type == PTX_U64;
    switch (d->atom) {
    case ATOM_ADD:
    case ATOM_OR:
    case ATOM_XOR:
        return !operand;
    case ATOM_AND:
        return operand == ones;
    case ATOM_MAX:
        return whole && operand == (is_signed ? top : 0);
    case ATOM_MIN:
        return whole && operand == (is_signed ? top - 1 : ones);
    default:
        return false;
    }
}
