/**
 * @file sites.c
 * The source line of each instruction, as the user would name it.
 *
 * `.loc` gives the innermost place. Where that lies in a header of the CUDA toolkit, the user never
 * wrote it: the call sites of inlined code are followed outwards to the first place that is not, and the header's
 * line is kept beside it. The call sites of that place, where it is inlined itself, are the callers.
 */
#include <string.h>

#include "decode/decoder.h"
#include "decode/stages.h"

#define MAX_INLINING 64
/** How far behind a load its value's user is looked for. */
#define MAX_USE_AWAY 64

static const char *path_of(const struct decoder *d, const struct ptx_loc *loc)
{
    return loc->file > 0 && loc->file < d->file_count ? d->files[loc->file] : NULL;
}

static const struct ptx_loc *loc_at(const struct ptx_module *m, int index)
{
    return index >= 0 && index < m->locs.count ? &m->locs.data[index] : NULL;
}

/** The user's lines from which the function of `l` was called. */
static void find_callers(const struct decoder *d, const struct ptx_loc *l, struct site *s)
{
    for (int depth = 0; (l = loc_at(d->m, l->inlined_at)) && depth < MAX_INLINING; depth++) {
        const char *path = path_of(d, l);
        if (!path || l->line <= 0 || d->library_files[l->file])
            continue;
        int i = s->caller_count < MAX_CALLERS ? s->caller_count++ : MAX_CALLERS - 1;
        s->callers[i] = (struct caller){path, l->line};
    }
}

static void locate(const struct decoder *d, int index, struct site *s)
{
    const struct ptx_module *m = d->m;
    const struct ptx_loc *best = NULL, *innermost = NULL;
    bool library = true;
    int depth = 0;

    for (const struct ptx_loc *l = loc_at(m, index); l && depth < MAX_INLINING;
         l = loc_at(m, l->inlined_at), depth++) {
        const char *path = path_of(d, l);
        if (!path || l->line <= 0)
            continue;
        best = l;
        innermost = innermost ? innermost : l;
        library = d->library_files[l->file];
        if (!library)
            break;
    }
    if (!best)
        return;
    s->in_library = library;
    if (best != innermost)
        s->inside = (struct caller){path_of(d, innermost), innermost->line};
    s->file = path_of(d, best);
    s->line = best->line;
    s->column = best->column;
    find_callers(d, best, s);
}

/** Does the operand name the register? */
static bool names(const struct ptx_operand *o, int reg)
{
    bool found = (o->kind == OPERAND_REG || o->part) && o->reg == reg;
    for (int e = 0; !found && o->element && e < (o->count ? o->count : 1); e++)
        found = names(&o->element[e], reg);
    return found;
}

static bool uses(const struct ptx_instr *pi, int reg)
{
    bool found = false;
    for (int k = strcmp(pi->mnemonic, "st") == 0 ? 0 : 1; !found && k < pi->operand_count; k++)
        found = names(&pi->operands[k], reg);
    return found;
}

/** Where a guarded branch ahead leads to; -1: it is none. */
static int leads_ahead(const struct ptx_function *pf, int at)
{
    const struct ptx_instr *pi = &pf->instrs.data[at];
    if (pi->guard < 0 || strcmp(pi->mnemonic, "bra") || pi->operand_count != 1 || !pi->operands[0].name)
        return -1;
    for (int i = 0; i < pf->labels.count; i++)
        if (strcmp(pf->labels.data[i].name, pi->operands[0].name) == 0)
            return pf->labels.data[i].instr > at ? pf->labels.data[i].instr : -1;
    return -1;
}

/**
 * A load that the compiler has made of two, on different lines, has neither's (`.loc F 0 C`). Whoever uses its value says more than what
 * stands before it: the first that all threads come to, and be it behind a branch.
 * @return that place in the text, or -1
 */
static int used_at(const struct decoder *d, const struct ptx_function *pf, int load)
{
    const struct ptx_instr *pi = &pf->instrs.data[load];
    if (strcmp(pi->mnemonic, "ld") || pi->operand_count < 1 || pi->operands[0].kind != OPERAND_REG)
        return -1;
    int reg = pi->operands[0].reg, inside_until = 0, inside = -1;
    for (int i = load + 1; i < pf->instrs.count && i < load + MAX_USE_AWAY; i++) {
        struct site at = {0};
        if (uses(&pf->instrs.data[i], reg))
            locate(d, pf->instrs.data[i].loc, &at);
        if (at.file && i >= inside_until)
            return i;
        if (at.file && inside < 0)
            inside = i;
        int to = leads_ahead(pf, i);
        inside_until = to > inside_until ? to : inside_until;
    }
    return inside;
}

void sites_fill(struct decoder *d, struct function_info *f)
{
    const struct ptx_function *pf = f->source;

    for (int i = 0; i <= pf->instrs.count; i++) {
        uint32_t at = f->first_insn + (uint32_t)i;
        struct site *s = &d->im->sites[at];
        int from = i < pf->instrs.count ? i : i - 1;
        s->function = pf->name;
        s->ptx_line = from < 0 ? pf->line : pf->instrs.data[from].line;
        if (from >= 0)
            locate(d, pf->instrs.data[from].loc, s);
        int user = from < 0 || s->file || pf->instrs.data[from].loc < 0 ? -1 : used_at(d, pf, from);
        if (user >= 0)
            locate(d, pf->instrs.data[user].loc, s);
        /* `.loc F 0 C` means "compiler generated": the line before it is the best there is. */
        if (!s->file && i > 0) {
            const struct site *before = s - 1;
            s->file = before->file;
            s->line = before->line;
            s->column = before->column;
            memcpy(s->callers, before->callers, sizeof s->callers);
            s->caller_count = before->caller_count;
            s->inside = before->inside;
            s->in_library = before->in_library;
        }
        d->im->code[at].site = at;
    }
}
