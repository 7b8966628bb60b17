/**
 * @file decode_control.c
 * Branches, calls, the stack, and instructions that end or pause a thread (PTX ISA 9.7.12, 9.7.17, 9.7.19).
 */
#include <string.h>

#include "code/specials.h"
#include "decode/call_types.h"
#include "decode/decode_operands.h"
#include "decode/decoder.h"
#include "decode/find_row.h"
#include "decode/modifiers.h"

static const struct insn *label_target(struct decoder *d, const char *name)
{
    int at = name_table_find(&d->info->labels, name);

    if (at < 0) {
        decode_fail(d, "unknown label %.80s", name);
        return NULL;
    }
    return &d->im->code[d->info->first_insn + (uint32_t)at];
}

/** Modifiers of control instructions: at most `.uni`, which promises what we find out anyway. */
static bool only_uni(struct decoder *d, const struct ptx_instr *pi)
{
    struct modifiers m = {pi, 0};

    modifier_take(&m, "uni");
    return modifiers_end(d, &m);
}

bool decode_bra(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    if (!only_uni(d, pi) || !operand_count(d, pi, 1, 1))
        return false;
    if (pi->operands[0].kind != OPERAND_SYMBOL || pi->operands[0].offset)
        return decode_fail(d, "bra needs a label");
    in->target = label_target(d, pi->operands[0].name);
    return in->target != NULL;
}

bool decode_brx(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    const struct ptx_function *f = d->info->source;
    struct modifiers m = {pi, 0};
    struct branch_table *table = decoder_alloc(d, 1, sizeof *table);

    if (!modifier_take(&m, "idx"))
        return decode_fail_form(d, pi);
    modifier_take(&m, "uni");
    if (!modifiers_end(d, &m) || !operand_count(d, pi, 2, 2) ||
        !operand_source(d, &pi->operands[0], 4, &in->src[0]) || !operand_is(d, &pi->operands[0], PTX_NONE))
        return false;
    if (pi->operands[1].kind != OPERAND_SYMBOL)
        return decode_fail(d, "brx needs a list of branch targets");
    int list = name_table_find(&d->info->branch_lists, pi->operands[1].name);
    if (list < 0)
        return decode_fail(d, "unknown list of branch targets %.80s", pi->operands[1].name);
    const struct ptx_branch_targets *t = &f->branch_targets.data[list];
    table->targets = decoder_alloc(d, (size_t)t->targets.count, sizeof *table->targets);
    table->count = (uint32_t)t->targets.count;
    for (int k = 0; k < t->targets.count; k++)
        if (!(table->targets[k] = label_target(d, t->targets.data[k])))
            return false;
    in->extra = table;
    return true;
}

/* ---- calls */

/** A call's operands, sorted out. */
struct call_form {
    const struct ptx_operand *results, *callee, *args, *prototype;
};

static bool split_call(struct decoder *d, const struct ptx_instr *pi, struct call_form *c)
{
    int i = 0;

    *c = (struct call_form){0};
    if (i < pi->operand_count && pi->operands[i].kind == OPERAND_LIST)
        c->results = &pi->operands[i++];
    if (i >= pi->operand_count)
        return decode_fail(d, "call needs a function");
    c->callee = &pi->operands[i++];
    if (i < pi->operand_count && pi->operands[i].kind == OPERAND_LIST)
        c->args = &pi->operands[i++];
    if (i < pi->operand_count)
        c->prototype = &pi->operands[i++];
    return i == pi->operand_count || decode_fail(d, "this form of call is not supported");
}

/** One argument or result: a .param variable, a register or a literal of the formal's type. */
static bool call_slot_of(struct decoder *d, const struct ptx_operand *o,
                         const struct ptx_variable *formal, struct call_slot *slot)
{
    unsigned width;

    if (o->kind == OPERAND_SYMBOL) {
        const struct ptx_function *f = d->info->source;
        if (o->variable < 0 || o->variable >= f->variables.count ||
            d->info->variables[o->variable].space != SPACE_LOCAL)
            return decode_fail(d, "%.80s is no parameter variable", o->name);
        uint64_t offset = d->info->variables[o->variable].offset;
        *slot = (struct call_slot){(uint32_t)offset, (uint32_t)f->variables.data[o->variable].bytes,
                                   false};
        return true;
    }
    unsigned least = formal ? width_of_type(formal->type) : 4;
    slot->is_register = true;
    if (!operand_source_wide(d, o, least < 2 ? 4 : least, &slot->offset, &width))
        return false;
    slot->bytes = width;
    return true;
}

static bool call_slots(struct decoder *d, const struct call_form *c,
                       const struct ptx_variable *params, int param_count,
                       const struct ptx_variable *result, struct call_desc *desc)
{
    int n = c->args ? c->args->count : 0;
    struct call_slot *slots = decoder_alloc(d, (size_t)n, sizeof *slots);

    for (int i = 0; i < n; i++)
        if (!call_slot_of(d, &c->args->element[i], i < param_count ? &params[i] : NULL, &slots[i]))
            return false;
    desc->args = slots;
    desc->arg_count = n;
    if (!c->results || c->results->count == 0)
        return true;
    if (c->results->count > 1)
        return decode_fail(d, "a call has at most one result");
    const struct ptx_operand *o = &c->results->element[0];
    if (o->kind == OPERAND_SINK)
        return true;
    if (o->kind != OPERAND_SYMBOL && o->kind != OPERAND_REG)
        return decode_fail(d, "the result of a call goes to a parameter variable or a register");
    return call_slot_of(d, o, result, &desc->result);
}

/** Does the call give and take what a function of these parameters does? */
static bool call_fits(struct decoder *d, const struct call_form *c, const char *name, const struct ptx_variable *params, int param_count,
                      const struct ptx_variable *returns, int return_count)
{
    const struct ptx_function *f = d->info->source;
    int given = c->args ? c->args->count : 0, taken = c->results ? c->results->count : 0;

    if (given != param_count)
        return decode_fail(d, "%.80s takes %d arguments, not %d", name, param_count, given);
    if (taken != return_count)
        return decode_fail(d, "%.80s returns %d values, not %d", name, return_count, taken);
    for (int i = 0; i < given; i++)
        if (!call_operand_fits(f, &c->args->element[i], &params[i]))
            return decode_fail(d, "argument %d of %.80s is not of its parameter's type, size and alignment", i + 1, name);
    return !taken || call_operand_fits(f, &c->results->element[0], &returns[0]) ||
           decode_fail(d, "the result of %.80s is not of its parameter's type, size and alignment", name);
}

static bool direct_call(struct decoder *d, const struct call_form *c, struct call_desc *desc)
{
    int f = name_table_find(&d->functions, c->callee->name);

    if (c->prototype && c->prototype->kind != OPERAND_SYMBOL)
        return decode_fail(d, "the arguments of a call stand in parentheses");
    if (f < 0)
        return decode_fail(d, "call of unknown function %.80s", c->callee->name);
    const struct function_info *g = &d->infos[f];
    const struct ptx_function *pf = g->source;
    if (pf->is_entry)
        return decode_fail(d, "kernel %.80s cannot be called", pf->name);
    if (!pf->has_body && !builtin_exists(pf->name) && !d->undefined)
        d->undefined = pf;
    if (!pf->has_body && !builtin_exists(pf->name))
        return decode_fail(d, "function %.120s is declared, but not defined in this module", pf->name);
    if (pf->has_body && !call_fits(d, c, pf->name, pf->params.data, pf->params.count, pf->returns.data, pf->returns.count))
        return false;
    desc->callee = g->function;
    return call_slots(d, c, pf->params.data, pf->params.count,
                      pf->returns.count ? &pf->returns.data[0] : NULL, desc);
}

/** A call by a list of the functions that it may reach, all of which it must fit. */
static bool listed_call(struct decoder *d, const struct call_form *c, struct call_desc *desc)
{
    int list = name_table_find(&d->info->branch_lists, c->prototype->name);

    if (list < 0)
        return decode_fail(d, "unknown prototype or list of targets %.80s", c->prototype->name);
    const struct ptx_branch_targets *t = &d->info->source->branch_targets.data[list];
    const struct ptx_function *pf = NULL;
    for (int i = 0; i < t->targets.count; i++) {
        int f = name_table_find(&d->functions, t->targets.data[i]);
        if (f < 0)
            return decode_fail(d, "%.80s is no function that a call can reach", t->targets.data[i]);
        pf = d->infos[f].source;
        if (!call_fits(d, c, pf->name, pf->params.data, pf->params.count, pf->returns.data, pf->returns.count))
            return false;
    }
    return call_slots(d, c, pf ? pf->params.data : NULL, pf ? pf->params.count : 0, pf && pf->returns.count ? &pf->returns.data[0] : NULL, desc);
}

static bool indirect_call(struct decoder *d, const struct call_form *c, struct insn *in,
                          struct call_desc *desc)
{
    if (c->callee->kind == OPERAND_REG && !register_addresses(d, c->callee))
        return false;
    if (c->callee->kind != OPERAND_REG)
        return decode_fail(d, "a call is of a function or through a register");
    if (!operand_source(d, c->callee, 8, &in->src[0]))
        return false;
    if (!c->prototype || c->prototype->kind != OPERAND_SYMBOL)
        return decode_fail(d, "a call through a register names a prototype or a list of targets");
    int list = name_table_find(&d->info->prototypes, c->prototype->name);
    if (list < 0)
        return listed_call(d, c, desc);
    const struct ptx_prototype *p = &d->info->source->prototypes.data[list];
    return call_fits(d, c, "the prototype", p->params.data, p->params.count, p->returns.data, p->returns.count) &&
           call_slots(d, c, p->params.data, p->params.count, p->returns.count ? &p->returns.data[0] : NULL, desc);
}

bool decode_call(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct call_desc *desc = decoder_alloc(d, 1, sizeof *desc);
    struct call_form c;

    if (!only_uni(d, pi) || !split_call(d, pi, &c))
        return false;
    in->extra = desc;
    return c.callee->kind == OPERAND_SYMBOL ? direct_call(d, &c, desc)
                                            : indirect_call(d, &c, in, desc);
}

bool decode_ret(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    insn_choose(in, d->info->function->is_entry ? ROW_exit : ROW_ret);
    return only_uni(d, pi) && operand_count(d, pi, 0, 0);
}

/* ---- the rest */

static bool bare(struct decoder *d, const struct ptx_instr *pi)
{
    struct modifiers m = {pi, 0};

    return modifiers_end(d, &m) && operand_count(d, pi, 0, 0);
}

bool decode_exit(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    (void)in;
    return bare(d, pi);
}

bool decode_trap(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    (void)in;
    return bare(d, pi);
}

bool decode_brkpt(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    (void)in;
    return bare(d, pi);
}

bool decode_nanosleep(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};

    if (modifier_type(&m) != PTX_U32)
        return decode_fail(d, "nanosleep takes .u32");
    return modifiers_end(d, &m) && operand_count(d, pi, 1, 1) &&
           operand_source(d, &pi->operands[0], 4, &in->src[0]);
}

/** Performance monitor events have no effect on a program. */
bool decode_pmevent(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    int64_t ignored;

    (void)in;
    modifier_take(&m, "mask");
    return modifiers_end(d, &m) && operand_count(d, pi, 1, 1) &&
           operand_literal(d, &pi->operands[0], &ignored);
}

bool decode_griddepcontrol(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    int what = modifier_of(&m, "wait launch_dependents");

    if (what < 0)
        return decode_fail_form(d, pi);
    insn_choose(in, what ? ROW_griddep_launch : ROW_griddep_wait);
    return modifiers_end(d, &m) && operand_count(d, pi, 0, 0);
}

/** The width of alloca, stacksave, stackrestore; 0 if the form is wrong. */
static unsigned stack_width(struct decoder *d, const struct ptx_instr *pi)
{
    struct modifiers m = {pi, 0};
    enum ptx_type type = modifier_type(&m);

    if (type != PTX_U32 && type != PTX_U64) {
        decode_fail(d, "this form of %.40s is not supported", pi->mnemonic);
        return 0;
    }
    return modifiers_end(d, &m) ? ptx_type_bytes(type) : 0;
}

bool decode_alloca(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    int64_t align = 8;

    in->mem.reg_bytes = (uint8_t)stack_width(d, pi);
    if (!in->mem.reg_bytes || !operand_count(d, pi, 2, 3) ||
        !operand_target(d, &pi->operands[0], in->mem.reg_bytes, &in->dst) ||
        !operand_source(d, &pi->operands[1], in->mem.reg_bytes, &in->src[0]) ||
        (pi->operand_count == 3 && !operand_literal(d, &pi->operands[2], &align)))
        return false;
    if (in->dst == REG_NONE || align <= 0 || align > 1 << 16 || (align & (align - 1)))
        return decode_fail_form(d, pi);
    in->imm = (uint64_t)align;
    return true;
}

bool decode_stacksave(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    in->mem.reg_bytes = (uint8_t)stack_width(d, pi);
    return in->mem.reg_bytes && operand_count(d, pi, 1, 1) &&
           operand_target(d, &pi->operands[0], in->mem.reg_bytes, &in->dst) &&
           (in->dst != REG_NONE || decode_fail(d, "stacksave needs a destination"));
}

bool decode_stackrestore(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    in->mem.reg_bytes = (uint8_t)stack_width(d, pi);
    return in->mem.reg_bytes && operand_count(d, pi, 1, 1) &&
           (pi->operands[0].kind == OPERAND_REG || decode_fail(d, "stackrestore takes what stacksave has left in a register")) &&
           operand_source(d, &pi->operands[0], in->mem.reg_bytes, &in->src[0]);
}
