/**
 * @file inline.c
 * Calls of a module made for debugging become what they call (`.target …, debug`: nvcc -G).
 *
 * Such a module calls what any other has inlined: atomicAdd(), a fence, a shuffle are functions of a line, each of which calls another one
 * that has no line at all. What a kernel does with an atomic's result can only be seen where both stand in one function, and a finding
 * names the user's line. So the body of a callee takes the call's place, innermost calls first, as inlined code has it elsewhere: its
 * places in the source lead on to the call's. Its parameters, of which nothing but whole values is stored and loaded, become registers.
 *
 * So it is with what nvcc has made in haste (`--Ofast-compile`), which is known by branches that lead to the very next instruction.
 *
 * What is left as it is: calls through pointers and of what has no body, recursion, guarded calls, functions with variables of another space, and those too long.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/call_types.h"
#include "decode/inline.h"
#include "decode/inline_parts.h"
#include "host/library_code.h"

#define MOST_OF_CALLEE 4000   /* instructions */
#define MOST_OF_CALLER 200000
#define MOST_NESTED 64        /* calls within calls */

enum progress { UNTOUCHED, AT_WORK, DONE };

LIST_TYPE(instruction_list, struct ptx_instr);

/** A callee's place in the source, and what it has become behind the call at hand. */
struct moved_loc {
    int from, to;
};

struct inlining {
    struct ptx_module *m;
    bool library_only, looks_only;
    struct named {
        const char *name;
        int function;
    } *bodies;                /**< functions with a body, by the address of their name: names are interned */
    int body_count;
    enum progress *progress;  /**< by function */
    int depth;

    /* The function at hand. */
    struct ptx_function *f;
    struct instruction_list made;
    int scopes, calls;        /**< the next scope's number, and the next call's */

    /* The call at hand. */
    const struct ptx_function *callee;
    const struct ptx_operand *args, *result;
    int first_reg, first_variable, scope;
    int call, at;             /**< its number, and its place in the source */
    const char *end;          /**< the label behind the body */
    LIST(struct moved_loc) locs;
};

/* ---- What is called ---- */

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    return (x->name > y->name) - (x->name < y->name);
}

static void collect_bodies(struct inlining *in)
{
    in->bodies = calloc((size_t)in->m->functions.count + 1, sizeof *in->bodies);
    in->progress = calloc((size_t)in->m->functions.count + 1, sizeof *in->progress);
    if (!in->bodies || !in->progress)
        abort();
    for (int i = 0; i < in->m->functions.count; i++)
        if (in->m->functions.data[i].has_body)
            in->bodies[in->body_count++] = (struct named){in->m->functions.data[i].name, i};
    qsort(in->bodies, (size_t)in->body_count, sizeof *in->bodies, by_name);
}

/** The function of a direct call of one that has a body here; -1: it is none. */
static int called(const struct inlining *in, const struct ptx_instr *pi)
{
    if (strcmp(pi->mnemonic, "call") || pi->operand_count < 1)
        return -1;
    const struct ptx_operand *o = &pi->operands[pi->operands[0].kind == OPERAND_LIST];
    if (o >= pi->operands + pi->operand_count || o->kind != OPERAND_SYMBOL || o->variable >= 0)
        return -1;
    const struct named *found = bsearch(&(struct named){o->name, 0}, in->bodies, (size_t)in->body_count, sizeof *found, by_name);
    return found ? found->function : -1;
}

static bool of_library(const struct inlining *in, const struct ptx_instr *pi)
{
    const struct ptx_loc *l = pi->loc >= 0 ? &in->m->locs.data[pi->loc] : NULL;
    for (int i = 0; l && i < in->m->files.count; i++)
        if (in->m->files.data[i].number == l->file)
            return library_file(in->m->files.data[i].path);
    return true;
}

/** Has the user written nothing of it? */
static bool is_library(const struct inlining *in, const struct ptx_function *g)
{
    for (int i = 0; i < g->instrs.count; i++)
        if (!of_library(in, &g->instrs.data[i]))
            return false;
    return true;
}

static bool body_fits(const struct inlining *in, const struct ptx_function *g)
{
    if (g->is_entry || g->instrs.count > MOST_OF_CALLEE || in->made.count > MOST_OF_CALLER)
        return false;
    for (int i = 0; i < g->variables.count; i++)
        if (g->variables.data[i].space != SPACE_LOCAL && g->variables.data[i].space != SPACE_PARAM)
            return false;
    return in->looks_only ? function_looks(g) : !in->library_only || is_library(in, g);
}

/** A variable of the function at hand that takes a parameter of this size. */
static bool is_slot(const struct inlining *in, const struct ptx_operand *o, const struct ptx_variable *formal)
{
    return o->kind == OPERAND_SYMBOL && o->offset == 0 && o->variable >= 0 && o->variable < in->f->variables.count &&
           in->f->variables.data[o->variable].space == SPACE_PARAM && in->f->variables.data[o->variable].bytes == formal->bytes &&
           call_operand_fits(in->f, o, formal);
}

/** Notes the call's arguments and result. @return whether they are what the callee takes */
static bool split(struct inlining *in, const struct ptx_instr *pi, const struct ptx_function *g)
{
    bool gives = pi->operands[0].kind == OPERAND_LIST;
    const struct ptx_operand *results = gives ? &pi->operands[0] : NULL, *args = &pi->operands[gives + 1];
    if (pi->guard >= 0 || pi->operand_count > gives + 2)
        return false;
    if (pi->operand_count == gives + 1)
        args = NULL;
    if ((args && args->kind != OPERAND_LIST) || (args ? args->count : 0) != g->params.count || g->returns.count > 1)
        return false;
    in->args = args ? args->element : NULL;
    in->result = results && results->count == 1 && g->returns.count ? results->element : NULL;
    if ((results ? results->count : 0) != g->returns.count || (in->result && !is_slot(in, in->result, &g->returns.data[0])))
        return false;
    for (int k = 0; k < g->params.count; k++)
        if (!is_slot(in, &in->args[k], &g->params.data[k]))
            return false;
    return true;
}

/* ---- The body in its place ---- */

static struct ptx_variable *push_variable(struct inlining *in, const struct ptx_variable *like)
{
    struct ptx_variable *v = LIST_PUSH(&in->f->variables);
    *v = *like;
    memset(&v->init, 0, sizeof v->init);
    v->scope = in->scope + (like->scope > 0 ? like->scope : 0);
    in->scopes = v->scope >= in->scopes ? v->scope + 1 : in->scopes;
    return v;
}

/** The callee's registers and variables become the caller's, in scopes of their own. */
static void take_declarations(struct inlining *in)
{
    const struct ptx_function *g = in->callee;
    in->first_reg = in->f->regs.count;
    in->first_variable = in->f->variables.count;
    in->scope = in->scopes++;
    for (int i = 0; i < g->regs.count; i++) {
        struct ptx_reg r = g->regs.data[i];
        r.scope += in->scope;
        in->scopes = r.scope >= in->scopes ? r.scope + 1 : in->scopes;
        *LIST_PUSH(&in->f->regs) = r;
    }
    for (int i = 0; i < g->variables.count; i++)
        push_variable(in, &g->variables.data[i]);
}

/** A name that no text can spell, for the callee's label, branch list or prototype of this number, or for the end. */
static const char *name_here(struct inlining *in, const char *what, int number)
{
    char text[64];
    int n = snprintf(text, sizeof text, "%s%d@call%d", what, number, in->call);
    return arena_strndup(&in->m->arena, text, (size_t)n);
}

/** What the callee's label, branch list or prototype is called here; NULL: that is neither. */
static const char *renamed(struct inlining *in, const char *name)
{
    const struct ptx_function *g = in->callee;
    for (int i = 0; i < g->labels.count; i++)
        if (!strcmp(g->labels.data[i].name, name))
            return name_here(in, "label", i);
    for (int i = 0; i < g->branch_targets.count; i++)
        if (!strcmp(g->branch_targets.data[i].label, name))
            return name_here(in, "list", i);
    for (int i = 0; i < g->prototypes.count; i++)
        if (!strcmp(g->prototypes.data[i].label, name))
            return name_here(in, "type", i);
    return NULL;
}

/** The variable of the caller that a name of the callee's stands for. */
static void name_variable(const struct inlining *in, struct ptx_operand *o)
{
    const struct ptx_operand *slot = o->variable >= RETURN_BASE ? in->result : o->variable >= PARAM_BASE ? &in->args[o->variable - PARAM_BASE] : NULL;
    o->variable = slot ? slot->variable : o->variable + in->first_variable;
    o->name = in->f->variables.data[o->variable].name;
}

static struct ptx_operand *moved_operands(struct inlining *in, const struct ptx_operand *from, int count)
{
    struct ptx_operand *to = arena_alloc(&in->m->arena, (size_t)count * sizeof *to);
    for (int i = 0; i < count; i++) {
        struct ptx_operand *o = &to[i];
        *o = from[i];
        const char *name = o->kind == OPERAND_SYMBOL && o->variable < 0 && !o->part ? renamed(in, o->name) : NULL;
        o->name = name ? name : o->name;
        if (o->kind == OPERAND_REG || o->part)
            o->reg += in->first_reg;
        else if (o->kind == OPERAND_SYMBOL && o->variable >= 0)
            name_variable(in, o);
        if (o->element)
            o->element = moved_operands(in, o->element, o->count ? o->count : 1);
    }
    return to;
}

/** The callee's place in the source, as inlined code has it: it leads on to the call's. */
static int moved_loc(struct inlining *in, int from)
{
    if (from < 0)
        return in->at;
    for (int i = in->locs.count - 1; i >= 0; i--)
        if (in->locs.data[i].from == from)
            return in->locs.data[i].to;
    struct ptx_loc l = in->m->locs.data[from];
    l.inlined_at = moved_loc(in, l.inlined_at);
    l.function = l.function ? l.function : in->callee->name;
    *LIST_PUSH(&in->m->locs) = l;
    *LIST_PUSH(&in->locs) = (struct moved_loc){from, in->m->locs.count - 1};
    return in->m->locs.count - 1;
}

/** Where the callee returns the way leads behind its body: it is there already at the end of it. */
static void make_return(struct inlining *in, struct ptx_instr *pi, bool at_end)
{
    if (at_end) {
        instruction_vanishes(pi);
        return;
    }
    pi->mnemonic = "bra";
    pi->modifier_count = 0;
    pi->operands = arena_alloc(&in->m->arena, sizeof *pi->operands);
    pi->operands[0] = (struct ptx_operand){.kind = OPERAND_SYMBOL, .name = in->end, .reg = -1, .variable = -1};
    pi->operand_count = 1;
}

static void take_lists(struct inlining *in)
{
    const struct ptx_function *g = in->callee;
    for (int i = 0; i < g->prototypes.count; i++)
        call_prototype_copy(in->f, &g->prototypes.data[i], name_here(in, "type", i));
    for (int i = 0; i < g->branch_targets.count; i++) {
        const struct ptx_branch_targets *from = &g->branch_targets.data[i];
        struct ptx_branch_targets *to = LIST_PUSH(&in->f->branch_targets);
        *to = (struct ptx_branch_targets){.label = name_here(in, "list", i)};
        for (int k = 0; k < from->targets.count; k++) {
            const char *name = renamed(in, from->targets.data[k]);
            *LIST_PUSH(&to->targets) = name ? name : from->targets.data[k];
        }
    }
}

static void take_body(struct inlining *in)
{
    const struct ptx_function *g = in->callee;
    int first = in->made.count;
    for (int i = 0; i < g->labels.count; i++)
        *LIST_PUSH(&in->f->labels) = (struct ptx_label){name_here(in, "label", i), first + g->labels.data[i].instr};
    take_lists(in);
    for (int i = 0; i < g->instrs.count; i++) {
        struct ptx_instr pi = g->instrs.data[i];
        pi.loc = moved_loc(in, pi.loc);
        pi.guard += pi.guard >= 0 ? in->first_reg : 0;
        if (!strcmp(pi.mnemonic, "ret"))
            make_return(in, &pi, i == g->instrs.count - 1);
        else
            pi.operands = moved_operands(in, pi.operands, pi.operand_count);
        *LIST_PUSH(&in->made) = pi;
    }
    *LIST_PUSH(&in->f->labels) = (struct ptx_label){in->end, in->made.count};
}

/** A result that the call throws away has a variable all the same. */
static void take_result(struct inlining *in)
{
    if (in->result || !in->callee->returns.count)
        return;
    struct ptx_operand *o = arena_alloc(&in->m->arena, sizeof *o);
    push_variable(in, &in->callee->returns.data[0])->scope = in->scope;
    *o = (struct ptx_operand){.kind = OPERAND_SYMBOL, .reg = -1, .variable = in->f->variables.count - 1};
    o->name = in->f->variables.data[o->variable].name;
    in->result = o;
}

/** Puts the body in the call's place. @return whether it did */
static bool paste(struct inlining *in, const struct ptx_instr *pi)
{
    int g = called(in, pi);
    if (g < 0 || in->progress[g] != DONE || !body_fits(in, &in->m->functions.data[g]) || !split(in, pi, &in->m->functions.data[g]))
        return false;
    in->callee = &in->m->functions.data[g];
    in->call = in->calls++;
    in->at = pi->loc;
    in->end = name_here(in, "end", 0);
    take_declarations(in);
    take_result(in);
    take_body(in);
    LIST_FREE(&in->locs);
    return true;
}

static void remake(struct inlining *in, struct ptx_function *f)
{
    struct instruction_list before = {f->instrs.data, f->instrs.count, f->instrs.cap};
    int own_labels = f->labels.count, own_regs = f->regs.count, variables = f->variables.count, *place = calloc((size_t)before.count + 1, sizeof *place);
    if (!place)
        abort();
    in->f = f;
    in->scopes = in->calls = 0;
    memset(&in->made, 0, sizeof in->made);
    for (int i = 0; i < f->regs.count; i++)
        in->scopes = f->regs.data[i].scope >= in->scopes ? f->regs.data[i].scope + 1 : in->scopes;
    for (int i = 0; i < variables; i++)
        in->scopes = f->variables.data[i].scope >= in->scopes ? f->variables.data[i].scope + 1 : in->scopes;
    in->scopes += !in->scopes;
    for (int i = 0; i < before.count; i++) {
        place[i] = in->made.count;
        if (!paste(in, &before.data[i]))
            *LIST_PUSH(&in->made) = before.data[i];
    }
    place[before.count] = in->made.count;
    for (int i = 0; i < own_labels; i++)
        f->labels.data[i].instr = place[f->labels.data[i].instr];
    f->instrs.data = in->made.data, f->instrs.count = in->made.count, f->instrs.cap = in->made.cap;
    free(before.data);
    free(place);
    if (!in->calls)
        return;
    slots_become_registers(in->m, f);
    if (in->library_only || in->looks_only)
        function_tidy(in->m, f, own_regs);
}

/** What a function calls is expanded before it; a call that leads back is left. */
static void expand(struct inlining *in, int number)
{
    struct ptx_function *f = &in->m->functions.data[number];
    bool calls = false;
    in->progress[number] = AT_WORK;
    in->depth++;
    for (int i = 0; i < f->instrs.count; i++) {
        int g = called(in, &f->instrs.data[i]);
        calls |= g >= 0;
        if (g >= 0 && in->progress[g] == UNTOUCHED && in->depth < MOST_NESTED)
            expand(in, g);
    }
    in->depth--;
    if (calls)
        remake(in, f);
    if (!in->library_only && !in->looks_only)
        function_tidy(in->m, f, 0);
    in->progress[number] = DONE;
}

static void expand_all(struct inlining *in)
{
    collect_bodies(in);
    for (int i = 0; i < in->m->functions.count; i++)
        if (in->m->functions.data[i].has_body && in->progress[i] == UNTOUCHED)
            expand(in, i);
    free(in->bodies);
    free(in->progress);
}

void calls_inline(struct ptx_module *m, bool library_only)
{
    if (m->debug || module_in_haste(m))
        expand_all(&(struct inlining){.m = m, .library_only = library_only});
}

void looks_inline(struct ptx_module *m)
{
    expand_all(&(struct inlining){.m = m, .looks_only = true});
}
