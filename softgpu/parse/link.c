/**
 * @file link.c
 * Several modules in one text become one, as nvlink makes one of the parts of an -rdc=true program: what each of them
 * keeps for itself is renamed where others use the name, what they share is found, and of several definitions the one
 * that counts stays. Rules and errors are nvlink 13.0's, as observed; the linking directives are PTX ISA 11.6.
 */
#include <stdio.h>
#include <string.h>

#include "parse/parser.h"
#include "parse/phases.h"
#include "parse/scope.h"

#define MAX_PARTS 4096

/** What a name stands for in all parts: its definition as far as one was found, or a declaration. */
struct link_symbol {
    struct ptx_function *function;   /**< one of these two */
    struct ptx_variable *variable;
};

/* ---- Where a part begins and ends ---- */

bool part_begin(struct parser *p)
{
    if (p->parts.count == MAX_PARTS)
        return fail(p, DIAG_LIMIT, "more than %d modules to link", MAX_PARTS);
    if (p->parts.count && !part_end(p))
        return false;
    if (p->parts.count)
        module_forget(p);
    p->aliases.count = 0;
    p->constant_bytes = 0;
    for (int i = 0; i < p->m->files.count; i++)
        if (p->m->files.data[i].number >= p->file_base)
            p->file_base = p->m->files.data[i].number + 1;
    *LIST_PUSH(&p->parts) = (struct part){p->m->functions.count, p->m->variables.count, p->t.line};
    p->m->parts = p->parts.count;
    return true;
}

bool part_end(struct parser *p)
{
    aliases_apply(p);
    return function_names_check(p);
}

/* The part `k` up to: */
static int functions_end(const struct parser *p, int k)
{
    return k + 1 < p->parts.count ? p->parts.data[k + 1].functions : p->m->functions.count;
}

static int variables_end(const struct parser *p, int k)
{
    return k + 1 < p->parts.count ? p->parts.data[k + 1].variables : p->m->variables.count;
}

/* ---- What a part keeps for itself ---- */

static struct name *name_of(struct parser *p, const char *text)
{
    return intern(p, text, (uint32_t)strlen(text));
}

static bool own_function(const struct ptx_function *f)
{
    return !f->external && !f->visible && !f->weak;
}

static bool own_variable(const struct ptx_variable *v)
{
    return !v->external && !v->visible && !v->weak && !v->common;
}

static void note_name(struct parser *p, const char *text, int part)
{
    struct name *n = name_of(p, text);
    n->in_several |= n->part && n->part != part;
    n->part = part;
}

LIST_TYPE(renames, struct name *);

static void rename_own(struct parser *p, const char *text, int part, struct renames *all)
{
    struct name *n = name_of(p, text);
    char longer[32];
    size_t more = (size_t)snprintf(longer, sizeof longer, "@%d", part);
    if (!n->in_several || n->renamed)
        return;
    char *to = arena_alloc(&p->m->arena, n->len + more + 1);
    memcpy(to, n->text, n->len);
    memcpy(to + n->len, longer, more);
    n->renamed = intern(p, to, (uint32_t)(n->len + more))->text;
    *LIST_PUSH(all) = n;
}

static void use(struct parser *p, const char **text)
{
    const char *renamed = name_of(p, *text)->renamed;
    if (renamed)
        *text = renamed;
}

static void use_operand(struct parser *p, struct ptx_operand *o)
{
    if (o->kind == OPERAND_SYMBOL && o->variable < 0)
        use(p, &o->name);
    for (int i = 0; i < o->count; i++)
        use_operand(p, &o->element[i]);
}

static void use_initialisers(struct parser *p, struct ptx_variable *v)
{
    for (int k = 0; k < v->init.count; k++)
        if (v->init.data[k].symbol)
            use(p, &v->init.data[k].symbol);
}

static void use_body(struct parser *p, struct ptx_function *f)
{
    for (int k = 0; k < f->variables.count; k++)
        use_initialisers(p, &f->variables.data[k]);
    for (int k = 0; k < f->instrs.count; k++)
        for (int o = 0; o < f->instrs.data[k].operand_count; o++)
            use_operand(p, &f->instrs.data[k].operands[o]);
    for (int b = 0; b < f->branch_targets.count; b++)
        for (int t = 0; t < f->branch_targets.data[b].targets.count; t++)
            use(p, &f->branch_targets.data[b].targets.data[t]);
}

/* Gives what part `k` keeps for itself names of its own. */
static void separate(struct parser *p, int k)
{
    struct ptx_function *functions = p->m->functions.data;
    struct ptx_variable *variables = p->m->variables.data;
    int f = p->parts.data[k].functions, f_end = functions_end(p, k);
    int v = p->parts.data[k].variables, v_end = variables_end(p, k);
    struct renames renames = {0};
    for (int i = f; i < f_end; i++)
        if (own_function(&functions[i]))
            rename_own(p, functions[i].name, k + 1, &renames);
    for (int i = v; i < v_end; i++)
        if (own_variable(&variables[i]))
            rename_own(p, variables[i].name, k + 1, &renames);
    for (int i = f; renames.count && i < f_end; i++) {
        use(p, &functions[i].name);
        use_body(p, &functions[i]);
    }
    for (int i = v; renames.count && i < v_end; i++) {
        use(p, &variables[i].name);
        use_initialisers(p, &variables[i]);
    }
    for (int i = 0; i < renames.count; i++)
        renames.data[i]->renamed = NULL;
    LIST_FREE(&renames);
}

static void separate_all(struct parser *p)
{
    for (int k = 0; k < p->parts.count; k++) {
        for (int i = p->parts.data[k].functions; i < functions_end(p, k); i++)
            note_name(p, p->m->functions.data[i].name, k + 1);
        for (int i = p->parts.data[k].variables; i < variables_end(p, k); i++)
            note_name(p, p->m->variables.data[i].name, k + 1);
    }
    for (int k = 0; k < p->parts.count; k++)
        separate(p, k);
}

/* ---- What they share ---- */

static bool mismatch(struct parser *p, int line, const char *what, const char *name)
{
    diag_line(p->d, DIAG_SYNTAX, line, "linking: %s of '%.80s' does not match between modules", what, name);
    return false;
}

static bool twice(struct parser *p, int line, int first, const char *name)
{
    diag_line(p->d, DIAG_SYNTAX, line, "linking: multiple definition of '%.80s', first defined at line %d", name, first);
    return false;
}

static struct link_symbol *symbol_of(struct parser *p, const char *text)
{
    struct name *n = name_of(p, text);
    if (!n->symbol)
        n->symbol = arena_alloc(&p->m->arena, sizeof *n->symbol);
    return n->symbol;
}

static bool same_parameters(const struct ptx_variable *a, int a_count, const struct ptx_variable *b, int b_count)
{
    for (int i = 0; i < a_count && i < b_count; i++)
        if (a[i].bytes != b[i].bytes)
            return false;
    return a_count == b_count;
}

/* One more declaration or definition of a function. The first of several weak ones counts. */
static bool join_function(struct parser *p, struct ptx_function *f)
{
    struct link_symbol *s = symbol_of(p, f->name);
    const struct ptx_function *have = s->function;
    if (s->variable)
        return mismatch(p, f->line, "memory space", f->name);
    if (have && (have->is_entry != f->is_entry ||
                 !same_parameters(have->params.data, have->params.count, f->params.data, f->params.count) ||
                 !same_parameters(have->returns.data, have->returns.count, f->returns.data, f->returns.count)))
        return mismatch(p, f->line, "prototype", f->name);
    if (have && have->has_body && !have->weak && f->has_body && !f->weak)
        return twice(p, f->line, have->line, f->name);
    if (!have || (f->has_body && (!have->has_body || (have->weak && !f->weak))))
        s->function = f;
    return true;
}

/* What a declaration of a variable is worth: definitions before weak ones before common ones. */
static int worth(const struct ptx_variable *v)
{
    return v->external ? 0 : v->common ? 1 : v->weak ? 2 : 3;
}

/* Common ones make room for the largest, but not beyond a definition. */
static bool sizes_agree(const struct ptx_variable *a, const struct ptx_variable *b)
{
    if (a->bytes == b->bytes || a->incomplete || b->incomplete || !a->bytes || !b->bytes)
        return true;
    if (a->bytes > b->bytes)
        return sizes_agree(b, a);
    return worth(a) == 1 && worth(b) >= 1;
}

static bool join_variable(struct parser *p, struct ptx_variable *v)
{
    struct link_symbol *s = symbol_of(p, v->name);
    struct ptx_variable *have = s->variable;
    if (s->function || (have && have->space != v->space))
        return mismatch(p, v->line, "memory space", v->name);
    if (have && !sizes_agree(have, v))
        return mismatch(p, v->line, "size", v->name);
    if (have && worth(have) == 3 && worth(v) == 3)
        return twice(p, v->line, have->line, v->name);
    if (have && worth(have) == worth(v)) {
        have->bytes = have->bytes < v->bytes ? v->bytes : have->bytes;
        have->align = have->align < v->align ? v->align : have->align;
    }
    if (!have || worth(v) > worth(have))
        s->variable = v;
    return true;
}

/* The definitions that count and the declarations without one stay. */
static void drop_others(struct parser *p)
{
    struct ptx_module *m = p->m;
    int kept = 0;
    for (int i = 0; i < m->functions.count; i++) {
        struct ptx_function f = m->functions.data[i];
        struct link_symbol *s = symbol_of(p, f.name);
        if (s->function == &m->functions.data[i])
            m->functions.data[kept++] = f;
        else
            function_free(&f);
    }
    m->functions.count = kept;
    kept = 0;
    for (int i = 0; i < m->variables.count; i++) {
        struct ptx_variable v = m->variables.data[i];
        struct link_symbol *s = symbol_of(p, v.name);
        if (s->variable == &m->variables.data[i])
            m->variables.data[kept++] = v;
        else
            LIST_FREE(&v.init);
    }
    m->variables.count = kept;
}

bool parts_link(struct parser *p)
{
    struct ptx_module *m = p->m;
    if (p->parts.count < 2)
        return true;
    separate_all(p);
    for (int i = 0; i < m->functions.count; i++)
        if (!join_function(p, &m->functions.data[i]))
            return false;
    for (int i = 0; i < m->variables.count; i++)
        if (!join_variable(p, &m->variables.data[i]))
            return false;
    for (int i = 0; i < m->variables.count; i++) {
        const struct ptx_variable *v = &m->variables.data[i];
        if (v->external && v->space != SPACE_SHARED && symbol_of(p, v->name)->variable == v) {
            diag_line(p->d, DIAG_SYNTAX, v->line, "linking: undefined reference to '%.80s'", v->name);
            return false;
        }
    }
    drop_others(p);
    return true;
}
