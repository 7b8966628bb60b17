/**
 * @file parse_register_parameter.c
 * Parameters of a `.func` in the register space (PTX ISA 5.1.6.2, 7.1), as text from before the ABI has them. Each is made a parameter
 * in memory of the same name, read into the register where the body begins, and written from it before each return: later
 * phases know one kind.
 */
#include <string.h>

#include "parse/parser.h"
#include "parse/phases.h"
#include "parse/scope.h"

/** The untyped type of so many bytes: what moves a value as it is. */
static const char *bits_of(enum ptx_type type)
{
    switch (ptx_type_bytes(type)) {
    case 1: return "b8";
    case 2: return "b16";
    case 4: return "b32";
    case 8: return "b64";
    default: return "b128";
    }
}

/** `ld.param.b32 register, [parameter];`, or the store; guarded as `like` is. */
static void push_move(struct parser *p, bool load, int parameter, int reg, const struct ptx_instr *like)
{
    const struct ptx_reg *r = &p->f->regs.data[reg];
    struct ptx_operand *base = arena_alloc(&p->m->arena, sizeof *base), *operands = arena_alloc(&p->m->arena, 2 * sizeof *operands);
    const char **modifiers = arena_alloc(&p->m->arena, 2 * sizeof *modifiers);
    struct ptx_instr in = *like;

    *base = (struct ptx_operand){.kind = OPERAND_SYMBOL, .name = r->name, .reg = -1, .variable = parameter};
    operands[!load] = (struct ptx_operand){.kind = OPERAND_REG, .name = r->name, .reg = reg, .variable = -1};
    operands[load] = (struct ptx_operand){.kind = OPERAND_ADDRESS, .reg = -1, .variable = -1, .element = base, .count = 1};
    modifiers[0] = intern(p, "param", 5)->text;
    modifiers[1] = intern(p, bits_of(r->type), (uint32_t)strlen(bits_of(r->type)))->text;
    in.mnemonic = intern(p, load ? "ld" : "st", 2)->text;
    in.modifiers = modifiers;
    in.operands = operands;
    in.modifier_count = in.operand_count = 2;
    *LIST_PUSH(&p->f->instrs) = in;
}

bool register_parameter_declare(struct parser *p, struct ptx_variable *v)
{
    if (v->type == PTX_PRED || p->f->is_entry)
        return fail(p, DIAG_UNSUPPORTED, "register parameters of '%s' that are predicates, or a kernel's, are not supported", p->f->name);
    v->space = SPACE_PARAM;
    v->in_register = true;
    return add_scalar(p, v->name, v->type);
}

/** The register that a parameter is kept in: the first of that name, in the outermost scope. */
static int register_of(const struct ptx_function *f, const char *name)
{
    int i = 0;
    while (f->regs.data[i].name != name)
        i++;
    return i;
}

void register_parameters_read(struct parser *p)
{
    const struct ptx_function *f = p->f;
    struct ptx_instr at = {.guard = -1, .loc = p->loc, .line = f->line};

    for (int i = 0; i < f->params.count; i++)
        if (f->params.data[i].in_register)
            push_move(p, true, i + PARAM_BASE, register_of(f, f->params.data[i].name), &at);
}

void register_results_write(struct parser *p, const struct ptx_instr *ret)
{
    const struct ptx_function *f = p->f;
    for (int i = 0; i < f->returns.count; i++)
        if (f->returns.data[i].in_register)
            push_move(p, false, i + RETURN_BASE, register_of(f, f->returns.data[i].name), ret);
}
