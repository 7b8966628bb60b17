/**
 * @file parse_alias.c
 * `.alias name, target;` (PTX ISA 11.6.6): another name for a function of this module.
 *
 * Later phases never see an alias: once the module is read, its uses are renamed.
 */
#include <string.h>

#include "parse/parser.h"
#include "parse/phases.h"
#include "parse/scope.h"

#define MAX_ALIASES 256 /* each costs a look at every operand */

/* alias = '.alias' name ',' name ';' */
bool parse_alias(struct parser *p)
{
    const char *name, *target;
    advance(p);
    if (!expect_name(p, &name, "an alias") || !expect_punct(p, ',', "an alias") ||
        !expect_name(p, &target, "a function"))
        return false;
    struct name *from = intern(p, name, (uint32_t)strlen(name));
    struct name *to = intern(p, target, (uint32_t)strlen(target));
    if (!from->function)
        return fail(p, DIAG_SYNTAX, "'%.80s' is not declared before", name);
    if (from->module_uses & MODULE_FUNCTION_DEFINED)
        return fail(p, DIAG_SYNTAX, "'%.80s' has a body of its own", name);
    if (!(to->module_uses & MODULE_FUNCTION_DEFINED))
        return fail(p, DIAG_SYNTAX, "'%.80s' is not a function defined before", target);
    const struct ptx_function *f = &p->m->functions.data[from->function - 1], *g = &p->m->functions.data[to->function - 1];
    if (f->is_entry)
        return fail(p, DIAG_SYNTAX, "'%.80s' is a kernel, and no alias", name);
    if (g->weak)
        return fail(p, DIAG_SYNTAX, "'%.80s' is .weak, and has no alias", target);
    if (f->noreturn != g->noreturn)
        return fail(p, DIAG_SYNTAX, "only one of '%.80s' and '%.80s' is .noreturn", name, target);
    const char *what = parameters_differ(f, g);
    if (what)
        return fail(p, DIAG_SYNTAX, "the parameters of '%.80s' are %s than those of '%.80s'", name, what, target);
    if (p->aliases.count == MAX_ALIASES)
        return fail(p, DIAG_LIMIT, "more than %d aliases", MAX_ALIASES);
    for (int i = 0; i < p->aliases.count; i++) /* an alias of an alias */
        if (p->aliases.data[i].name == to)
            to = p->aliases.data[i].target;
    from->module_uses |= MODULE_FUNCTION | MODULE_FUNCTION_DEFINED;
    *LIST_PUSH(&p->aliases) = (struct alias){from, to};
    return expect_punct(p, ';', "an alias");
}

static void rename_use(const struct parser *p, const char **name)
{
    for (int i = 0; i < p->aliases.count; i++)
        if (*name == p->aliases.data[i].name->text) {
            *name = p->aliases.data[i].target->text;
            return;
        }
}

static void rename_operand(const struct parser *p, struct ptx_operand *o)
{
    if (o->kind == OPERAND_SYMBOL && o->variable < 0)
        rename_use(p, &o->name);
    for (int i = 0; i < o->count; i++)
        rename_operand(p, &o->element[i]);
}

void aliases_apply(struct parser *p)
{
    if (!p->aliases.count)
        return;
    const struct part *part = &p->parts.data[p->parts.count - 1];
    for (int i = part->variables; i < p->m->variables.count; i++) {
        struct ptx_variable *v = &p->m->variables.data[i];
        for (int k = 0; k < v->init.count; k++)
            if (v->init.data[k].symbol)
                rename_use(p, &v->init.data[k].symbol);
    }
    for (int i = part->functions; i < p->m->functions.count; i++) {
        struct ptx_function *f = &p->m->functions.data[i];
        for (int k = 0; k < f->instrs.count; k++)
            for (int o = 0; o < f->instrs.data[k].operand_count; o++)
                rename_operand(p, &f->instrs.data[k].operands[o]);
        for (int b = 0; b < f->branch_targets.count; b++)
            for (int t = 0; t < f->branch_targets.data[b].targets.count; t++)
                rename_use(p, &f->branch_targets.data[b].targets.data[t]);
    }
}
