/**
 * @file decode_memory.c
 * Loads, stores, atomics, fences (PTX ISA 9.7.9.8 to 9.7.9.18 and 9.7.13.4 to 9.7.13.6).
 */
#include <string.h>

#include "code/descriptions.h"
#include "decode/decode_async.h"
#include "decode/decode_operands.h"
#include "decode/decoder.h"
#include "decode/find_row.h"
#include "decode/modifiers.h"
#include "decode/stages.h"

/** What the modifiers of a memory instruction say. The grammar fixes their order; we do not. */
struct access {
    int order, scope;             /* enum mem_order, enum mem_scope; -1 = not given */
    enum ptx_space space;
    int count, atom, narrow;
    bool nc, mmio, hint, noftz, cluster, again;
    enum ptx_type type;
};

static bool is_cache_hint(const char *modifier)
{
    return strncmp(modifier, "L1::", 4) == 0 || strncmp(modifier, "L2::", 4) == 0;
}

/** Takes one modifier into `a`. */
static bool take_modifier(struct modifiers *m, struct access *a)
{
    static const int8_t orders[] = {ORDER_WEAK, ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE,
                                    ORDER_ACQ_REL, ORDER_VOLATILE};
    static const int8_t scopes[] = {SCOPE_CTA, SCOPE_CLUSTER, SCOPE_GPU, SCOPE_SYS};
    static const int8_t spaces[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_SHARED, SPACE_SHARED,
                                    SPACE_LOCAL, SPACE_CONST, SPACE_PARAM, SPACE_PARAM, SPACE_PARAM};
    int i;

    if ((i = modifier_of(m, "weak relaxed acquire release acq_rel volatile")) >= 0)
        a->order = orders[i];
    else if ((i = modifier_of(m, "cta cluster gpu sys")) >= 0)
        a->scope = scopes[i];
    else if ((i = modifier_of(m, "global shared shared::cta shared::cluster local const param "
                                 "param::entry param::func")) >= 0)
        a->space = (enum ptx_space)spaces[i], a->cluster = i == 3;
    else if ((i = modifier_of(m, "v2 v4 v8")) >= 0)
        a->count = 2 << i;
    else if (modifier_take(m, "nc"))
        a->nc = true;
    else if (modifier_take(m, "mmio"))
        a->mmio = true;
    else if (modifier_take(m, "noftz"))
        a->noftz = true;
    else if ((i = modifier_of(m, ATOM_NAMES)) >= 0)
        a->atom = i;
    else if (modifier_take(m, "cv"))
        a->again = true;
    else if (modifier_of(m, "ca cg cs lu wb wt") >= 0)
        ;
    else if (is_cache_hint(m->pi->modifiers[m->at])) {
        a->hint |= strcmp(m->pi->modifiers[m->at], "L2::cache_hint") == 0;
        m->at++;
    } else
        return false;
    return true;
}

static bool read_access(struct decoder *d, const struct ptx_instr *pi, struct access *a)
{
    struct modifiers m = {pi, 0};

    *a = (struct access){.order = -1, .scope = -1, .count = 1, .atom = -1, .narrow = pi->narrow};
    a->type = PTX_NONE;
    while (m.at < pi->modifier_count && ((a->type == PTX_NONE && (a->type = modifier_type(&m)) != PTX_NONE) || take_modifier(&m, a)))
        ;
    if (!modifiers_end(d, &m))
        return false;
    if (a->type == PTX_NONE || a->type == PTX_PRED || a->type == PTX_TF32)
        return decode_fail(d, "%.40s needs the type of what it accesses", pi->mnemonic);
    return true;
}

/** Order and scope of a load or store; the old forms mean weak. */
static bool set_order(struct decoder *d, const struct access *a, struct mem_desc *mem)
{
    mem->again = a->again;
    mem->order = (uint8_t)(a->order < 0 ? ORDER_WEAK : a->order);
    mem->scope = (uint8_t)(a->scope < 0 ? SCOPE_NONE : a->scope);
    if (a->nc)
        mem->order = ORDER_NC;
    if (a->mmio)
        mem->order = ORDER_MMIO;
    if (a->space == SPACE_LOCAL && mem->order == ORDER_VOLATILE)
        mem->order = ORDER_WEAK; /* PTX ISA 9.1: nobody else sees it */
    if (mem->order == ORDER_VOLATILE || mem->order == ORDER_MMIO)
        mem->scope = SCOPE_SYS;
    if (order_is_strong(mem) != (mem->scope != SCOPE_NONE))
        return decode_fail(d, "an access has a scope if and only if it is strong");
    return true;
}

/** A symbol as an address: its own space decides, and must be the one that the text names. */
static bool symbol_address(struct decoder *d, const struct ptx_operand *o, struct insn *in)
{
    struct symbol s = operand_symbol(d, o);
    enum ptx_space named = (enum ptx_space)in->mem.space;

    if (s.kind != SYMBOL_VARIABLE)
        return decode_fail(d, "unknown variable %.80s", o->name);
    bool own_param = named == SPACE_PARAM && s.space == SPACE_LOCAL && !symbol_is_local(d, o);
    if (named == SPACE_GENERIC && (s.space == SPACE_CONST || s.space == SPACE_PARAM))
        return decode_fail(d, "%.80s is no generic address: its state space must be named", o->name);
    if (named != SPACE_GENERIC && named != s.space && !own_param)
        return decode_fail(d, "%.80s does not lie in the state space that is named", o->name);
    in->mem.space = (uint8_t)s.space;
    in->mem.frame_relative = s.space == SPACE_LOCAL;
    in->mem.call_slot = own_param;
    in->offset += (int64_t)s.address;
    return true;
}

/** `[base + offset]`: fills mem.space, mem.address_bytes, src[0], offset. */
bool decode_address(struct decoder *d, const struct ptx_operand *o, struct insn *in)
{
    unsigned width;

    if (o->kind != OPERAND_ADDRESS || !o->element)
        return decode_fail(d, "an address in brackets is expected");
    if (o->count != 1)
        return decode_fail(d, "an address here is one register or variable, and an offset");
    const struct ptx_operand *base = &o->element[0];
    in->offset = o->offset;
    base_variable_note(d, base, in);
    switch (base->kind) {
    case OPERAND_REG:
        if (!operand_source_wide(d, base, 4, &in->src[0], &width) || !register_addresses(d, base))
            return false;
        if (width > 8)
            return decode_fail(d, "an address has 32 or 64 bits");
        in->mem.address_bytes = (uint8_t)width;
        /* Parameters of a function are lane-local storage; so is the address mov takes of one. */
        if (in->mem.space == SPACE_PARAM && !d->info->function->is_entry) {
            in->mem.space = SPACE_LOCAL;
            in->mem.call_slot = true;
        }
        return true;
    case OPERAND_SYMBOL:
        return symbol_address(d, base, in);
    case OPERAND_INT:
        if (in->mem.space != SPACE_LOCAL)
            return decode_fail(d, "only an address in local memory may be a number");
        in->offset = (int64_t)((uint64_t)in->offset + base->bits);
        return true;
    default:
        return decode_fail(d, "this kind of address is not supported");
    }
}

/** Type, element count and state space into the instruction. */
static bool set_shape(struct decoder *d, const struct access *a, struct insn *in)
{
    in->mem.type = (uint8_t)a->type;
    in->mem.bytes = (uint8_t)(a->narrow ? a->narrow : (int)ptx_type_bytes(a->type));
    in->mem.count = (uint8_t)a->count;
    in->mem.space = (uint8_t)a->space;
    in->mem.cluster = a->cluster;
    if (in->mem.bytes * in->mem.count > 32)
        return decode_fail(d, "a vector has at most 32 bytes");
    return true;
}

/** The elements of a load's destination or a store's source, all of one register width. */
static bool decode_elements(struct decoder *d, const struct ptx_operand *o, struct insn *in,
                            bool target, uint32_t *single)
{
    unsigned least = width_of_type((enum ptx_type)in->mem.type), width = least;
    int n = in->mem.count;
    uint32_t *regs = single;

    if ((o->kind == OPERAND_VECTOR ? o->count : 1) != n)
        return decode_fail(d, "%d elements are expected", n);
    if (n > 1) {
        regs = decoder_alloc(d, (size_t)n, sizeof *regs);
        in->extra = regs;
    }
    const struct ptx_operand *elements = o->kind == OPERAND_VECTOR ? o->element : o;
    in->mem.reg_bytes = 0;
    for (int i = 0; i < n; i++) {
        if (target ? !operand_target_wide(d, &elements[i], least, &regs[i], &width)
                   : !operand_source_wide(d, &elements[i], least, &regs[i], &width))
            return false;
        if (regs[i] == REG_NONE)
            continue;
        if (elements[i].kind != OPERAND_REG && in->mem.reg_bytes > width)
            regs[i] = constant_slot(d, width = in->mem.reg_bytes, elements[i].bits, 0);
        if (in->mem.reg_bytes && in->mem.reg_bytes != width)
            return decode_fail(d, "the registers of a vector must have one width");
        in->mem.reg_bytes = (uint8_t)width;
    }
    if (!in->mem.reg_bytes)
        in->mem.reg_bytes = (uint8_t)least;
    return true;
}

bool decode_load(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct access a;

    if (!read_access(d, pi, &a) || !set_shape(d, &a, in) || !set_order(d, &a, &in->mem) ||
        !operand_count(d, pi, 2 + a.hint, 2 + a.hint) || (a.hint && !decode_policy(d, &pi->operands[2])))
        return false;
    if (a.atom >= 0 || a.order == ORDER_RELEASE || a.order == ORDER_ACQ_REL)
        return decode_fail_form(d, pi);
    if (!decode_elements(d, &pi->operands[0], in, true, &in->dst) ||
        !decode_address(d, &pi->operands[1], in))
        return false;
    in->mem.sign_extend = a.type >= PTX_S8 && a.type <= PTX_S32;
    if (pi->operands[0].kind == OPERAND_SINK)
        return decode_fail(d, "what is loaded cannot be thrown away");
    return true;
}

bool decode_store(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct access a;

    if (!read_access(d, pi, &a) || !set_shape(d, &a, in) || !set_order(d, &a, &in->mem) ||
        !operand_count(d, pi, 2 + a.hint, 2 + a.hint) || (a.hint && !decode_policy(d, &pi->operands[2])))
        return false;
    if (a.atom >= 0 || a.nc || a.space == SPACE_CONST || a.order == ORDER_ACQUIRE ||
        a.order == ORDER_ACQ_REL)
        return decode_fail_form(d, pi);
    if (!decode_elements(d, &pi->operands[1], in, false, &in->src[1]) ||
        !decode_address(d, &pi->operands[0], in))
        return false;
    if (in->mem.space == SPACE_PARAM || in->mem.space == SPACE_CONST)
        return decode_fail(d, "a kernel cannot store to its parameters or to constant memory");
    return true;
}

/** Which types an atomic operation takes (tables of 9.7.13.5 and 9.7.13.6). */
static bool atom_takes(int op, enum ptx_type t, int count)
{
    bool u32 = t == PTX_U32, s32 = t == PTX_S32, u64 = t == PTX_U64, s64 = t == PTX_S64;
    bool half = t == PTX_F16 || t == PTX_F16X2 || t == PTX_BF16 || t == PTX_BF16X2;

    if (count > 1)
        return (op == ATOM_ADD && (t == PTX_F32 || half)) ||
               ((op == ATOM_MIN || op == ATOM_MAX) && half);
    switch (op) {
    case ATOM_ADD: return u32 || s32 || u64 || s64 || t == PTX_F32 || t == PTX_F64 || half;
    case ATOM_MIN: case ATOM_MAX: return u32 || s32 || u64 || s64;
    case ATOM_INC: case ATOM_DEC: return u32;
    case ATOM_AND: case ATOM_OR: case ATOM_XOR: return t == PTX_B32 || t == PTX_B64;
    case ATOM_EXCH:
        return t == PTX_B32 || t == PTX_B64 || t == PTX_B128 || u32 || s32 || u64 || t == PTX_F32;
    case ATOM_CAS:
        return t == PTX_B16 || t == PTX_B32 || t == PTX_B64 || t == PTX_B128 || u32 || s32 || u64;
    default: return false;
    }
}

/** Registers of an atomic on several elements: destinations, then operands; of two halves in one register that for each. */
static bool decode_vector_atom(struct decoder *d, const struct ptx_operand *to,
                               const struct ptx_operand *from, int listed, struct insn *in)
{
    int n = in->mem.count, each = n / listed;
    uint32_t *regs = decoder_alloc(d, 2 * (size_t)n, sizeof *regs);

    if (to && to->kind == OPERAND_SINK)
        to = NULL;
    if (listed > 1 && ((to && (to->kind != OPERAND_VECTOR || to->count != listed)) || from->kind != OPERAND_VECTOR ||
                       from->count != listed))
        return decode_fail(d, "%d elements are expected", listed);
    for (int i = 0; i < n; i++) {
        regs[i] = REG_NONE;
        if ((to && !operand_target(d, listed > 1 ? &to->element[i / each] : to, in->mem.reg_bytes, &regs[i])) ||
            !operand_source(d, listed > 1 ? &from->element[i / each] : from, in->mem.reg_bytes, &regs[n + i]))
            return false;
    }
    in->extra = regs;
    return true;
}

/** Packed types are two elements, each atomic by itself (PTX ISA 8.2.3, 9.7.13.5): two of two bytes in a register of four. */
static void take_halves(struct insn *in, enum ptx_type type)
{
    if (type != PTX_F16X2 && type != PTX_BF16X2)
        return;
    in->mem.type = type == PTX_F16X2 ? PTX_F16 : PTX_BF16;
    in->mem.bytes = 2;
    in->mem.count = (uint8_t)(in->mem.count * 2);
}

bool atom_reduces(int op, enum ptx_type t)
{
    return op != ATOM_EXCH && op != ATOM_CAS && (atom_takes(op, t, 1) ||
           ((op == ATOM_MIN || op == ATOM_MAX) && (t == PTX_F16 || t == PTX_BF16)));
}

bool decode_atom(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct access a;
    bool red = strcmp(pi->mnemonic, "red") == 0;
    int first = red ? 0 : 1;

    if (!read_access(d, pi, &a) || !set_shape(d, &a, in))
        return false;
    int sources = a.atom == ATOM_CAS ? 2 : 1;
    if (a.atom < 0 || a.nc || a.mmio || !atom_takes(a.atom, a.type, a.count) ||
        a.order == ORDER_WEAK || a.order == ORDER_VOLATILE ||
        (red && (a.atom == ATOM_CAS || a.atom == ATOM_EXCH || a.order == ORDER_ACQUIRE)))
        return decode_fail_form(d, pi);
    if (a.space != SPACE_GENERIC && a.space != SPACE_GLOBAL && a.space != SPACE_SHARED)
        return decode_fail(d, "atomics work on global and shared memory");
    in->mem.atom = (uint8_t)a.atom;
    in->mem.order = (uint8_t)(a.order < 0 ? ORDER_RELAXED : a.order);
    in->mem.scope = (uint8_t)(a.scope < 0 ? SCOPE_GPU : a.scope);
    in->mem.noftz = a.noftz;
    in->mem.reg_bytes = (uint8_t)width_of_type(a.type);
    if (!operand_count(d, pi, first + 1 + sources + a.hint, first + 1 + sources + a.hint) ||
        (a.hint && !decode_policy(d, &pi->operands[first + 1 + sources])) || !decode_address(d, &pi->operands[first], in))
        return false;
    const struct ptx_operand *from = &pi->operands[first + 1];
    take_halves(in, a.type);
    if (in->mem.count > 1) {
        if (!decode_vector_atom(d, red ? NULL : &pi->operands[0], from, a.count, in))
            return false;
    } else {
        if (!red && !operand_target(d, &pi->operands[0], in->mem.reg_bytes, &in->dst))
            return false;
        for (int i = 0; i < sources; i++)
            if (!operand_source(d, &from[i], in->mem.reg_bytes, &in->src[1 + i]))
                return false;
    }
    return true;
}

/** `.sync_restrict::shared::cluster.cluster` of an acquiring fence, `.sync_restrict::shared::cta.cluster` of a releasing one. */
static bool decode_restricted(struct decoder *d, const struct ptx_instr *pi, struct modifiers *m, struct insn *in, bool acquires)
{
    if (!modifier_take(m, acquires ? "sync_restrict::shared::cluster" : "sync_restrict::shared::cta") || !modifier_take(m, "cluster"))
        return decode_fail_form(d, pi);
    in->mem.order = acquires ? ORDER_ACQUIRE : ORDER_RELEASE;
    in->mem.scope = SCOPE_CLUSTER;
    in->mem.restricted = true;
    return modifiers_end(d, m) && operand_count(d, pi, 0, 0);
}

bool decode_fence(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    static const uint8_t orders[] = {ORDER_SC, ORDER_ACQ_REL, ORDER_ACQUIRE, ORDER_RELEASE};
    static const uint8_t scopes[] = {SCOPE_CTA, SCOPE_CLUSTER, SCOPE_GPU, SCOPE_SYS};
    struct modifiers m = {pi, 0};
    int scope;

    bool proxy = modifier_take(&m, "proxy"); /* membar.proxy is fence.proxy */
    if (!proxy && strcmp(pi->mnemonic, "membar") == 0) {
        static const uint8_t levels[] = {SCOPE_CTA, SCOPE_GPU, SCOPE_SYS};
        if ((scope = modifier_of(&m, "cta gl sys")) < 0)
            return decode_fail_form(d, pi);
        in->mem.order = ORDER_SC;
        in->mem.scope = levels[scope];
        return modifiers_end(d, &m) && operand_count(d, pi, 0, 0);
    }
    if (proxy) {
        /* Aliased addresses do not exist here: nothing to wait for. */
        if (modifier_take(&m, "tensormap::generic"))
            return decode_map_fence(d, pi, &m, in);
        if (modifier_take(&m, "async::generic")) {
            int one = modifier_of(&m, "acquire release");
            insn_choose(in, ROW_fence_proxy);
            in->imm = PROXY_SHARED;
            return one < 0 ? decode_fail_form(d, pi) : decode_restricted(d, pi, &m, in, !one);
        }
        bool async = modifier_take(&m, "async");
        insn_choose(in, async ? ROW_fence_proxy : ROW_nop);
        int space = async ? modifier_of(&m, "global shared::cta shared::cluster") : -1;
        if (async)
            in->imm = space < 0 ? PROXY_GLOBAL | PROXY_SHARED : space ? PROXY_SHARED : PROXY_GLOBAL;
        return (async || modifier_take(&m, "alias") || decode_fail(d, "fences of this proxy are not supported")) &&
               modifiers_end(d, &m) && operand_count(d, pi, 0, 0);
    }
    if (modifier_take(&m, "mbarrier_init")) {
        in->imm = FENCE_OF_INITS;
        in->mem.order = ORDER_RELEASE;
        in->mem.scope = SCOPE_CLUSTER;
        return ((modifier_take(&m, "release") && modifier_take(&m, "cluster")) || decode_fail_form(d, pi)) &&
               modifiers_end(d, &m) && operand_count(d, pi, 0, 0);
    }
    int order = modifier_of(&m, "sc acq_rel acquire release");
    if (order > 1 && m.at < pi->modifier_count && !strncmp(pi->modifiers[m.at], "sync_restrict", 13))
        return decode_restricted(d, pi, &m, in, order == 2);
    if ((scope = modifier_of(&m, "cta cluster gpu sys")) < 0)
        return decode_fail_form(d, pi);
    in->mem.order = orders[order < 0 ? 1 : order];
    in->mem.scope = scopes[scope];
    return modifiers_end(d, &m) && operand_count(d, pi, 0, 0);
}
