/**
 * @file redeclared.c
 * A name that is declared again (PTX ISA 5.4, 11.6): the second declaration must be what the first one says, as ptxas wants it.
 */
#include <string.h>

#include "parse/parser.h"
#include "parse/phases.h"
#include "parse/scope.h"

static struct name *name_of(struct parser *p, const char *text)
{
    return intern(p, text, (uint32_t)strlen(text));
}

static const char *variables_differ(const struct ptx_variable *a, const struct ptx_variable *b)
{
    if (a->space != b->space || a->in_register != b->in_register)
        return "in another state space";
    if (a->type != b->type || a->vector != b->vector || a->bytes != b->bytes || a->incomplete != b->incomplete)
        return "of another type or size";
    return a->align != b->align ? "of another alignment" : NULL;
}

const char *parameters_differ(const struct ptx_function *a, const struct ptx_function *b)
{
    const char *what = NULL;
    if (a->params.count != b->params.count || a->returns.count != b->returns.count)
        return "fewer or more";
    for (int i = 0; i < a->params.count && !what; i++)
        what = variables_differ(&a->params.data[i], &b->params.data[i]);
    for (int i = 0; i < a->returns.count && !what; i++)
        what = variables_differ(&a->returns.data[i], &b->returns.data[i]);
    return what;
}

/** The second may say nothing of linkage where the first one does, unless that was .extern. */
static bool linkage_agrees(const struct ptx_function *first, const struct ptx_function *f)
{
    bool says_nothing = !f->external && !f->visible && !f->weak;
    return says_nothing ? !first->external : f->external == first->external && f->visible == first->visible && f->weak == first->weak;
}

bool function_agrees(struct parser *p, const struct ptx_function *f)
{
    struct name *n = name_of(p, f->name);
    int earlier = n->function;

    n->function = p->m->functions.count;
    if (!earlier)
        return true;
    const struct ptx_function *first = &p->m->functions.data[earlier - 1];
    const char *what = parameters_differ(first, f);
    if (first->is_entry != f->is_entry)
        return fail(p, DIAG_SYNTAX, "'%.80s' is a kernel and a function", f->name);
    if (first->has_body)
        return fail(p, DIAG_SYNTAX, "'%.80s' has a body already: it is not declared again", f->name);
    if (what)
        return fail(p, DIAG_SYNTAX, "the parameters of '%.80s' are %s than where it was declared, in line %d", f->name, what, first->line);
    return (linkage_agrees(first, f) && first->noreturn == f->noreturn) ||
           fail(p, DIAG_SYNTAX, "'%.80s' is not linked, or does not return, as where it was declared, in line %d", f->name, first->line);
}

bool variable_agrees(struct parser *p, const struct ptx_variable *v)
{
    struct name *n = name_of(p, v->name);
    int earlier = n->variable;

    n->variable = p->m->variables.count;
    if (!earlier)
        return true;
    const struct ptx_variable *first = &p->m->variables.data[earlier - 1];
    bool sized = !first->incomplete && !v->incomplete;
    if (first->type != v->type || first->vector != v->vector || (sized && first->bytes != v->bytes))
        return fail(p, DIAG_SYNTAX, "'%.80s' is of another type or size than where it was declared, in line %d", v->name, first->line);
    return !first->external || v->external || v->visible || v->weak || v->common ||
           fail(p, DIAG_SYNTAX, "'%.80s' was declared .extern, in line %d: here it must be .visible, .weak or .common", v->name, first->line);
}
