/**
 * @file operators.c
 * The table of operators; see operators.h. Those on atomics are in atomics.c, on bounds in bounds.c.
 */
#include "mutants/operators.h"

#include <stdlib.h>
#include <string.h>

#include "mutants/rewrite.h"

/** A copy of `in` with another opcode. */
static bool with_opcode(struct text *out, const struct ptx_instruction *in, char *opcode)
{
    text_printf(out, "%s%s%s", in->guard, *in->guard ? " " : "", opcode);
    for (int i = 0; i < in->operands; i++)
        text_printf(out, "%s%s", i ? ", " : " ", in->operand[i]);
    text_puts(out, ";");
    free(opcode);
    return true;
}

static bool is_memory(const struct ptx_instruction *in)
{
    return ptx_is(in->opcode, "ld") || ptx_is(in->opcode, "st") || ptx_is(in->opcode, "atom") ||
           ptx_is(in->opcode, "red");
}

static bool is_atomic(const struct ptx_instruction *in)
{
    return ptx_is(in->opcode, "atom") || ptx_is(in->opcode, "red");
}

/** A barrier that also reduces a predicate must still give one: the thread's own. */
static bool own_vote(struct text *out, const struct ptx_instruction *in)
{
    const char *value = in->operand[in->operands - 1];
    const char *negated = *value == '!' ? value + 1 : NULL;
    if (ptx_has(in->opcode, ".popc"))
        text_printf(out, "%s selp.u32 %s, %d, %d, %s;", in->guard, in->operand[0], !negated,
                    negated != NULL, negated ? negated : value);
    else
        text_printf(out, "%s %s.pred %s, %s;", in->guard, negated ? "not" : "mov", in->operand[0],
                    negated ? negated : value);
    return true;
}

static bool delete_barrier(struct text *out, const struct rewrite *r)
{
    const struct ptx_instruction *in = r->in;
    if (!ptx_is(in->opcode, "bar") && !ptx_is(in->opcode, "barrier"))
        return false;
    if (ptx_has(in->opcode, ".warp"))
        return false;
    return ptx_has(in->opcode, ".red") && in->operands >= 3 ? own_vote(out, in) : true;
}

static bool delete_warp_barrier(struct text *out, const struct rewrite *r)
{
    (void)out;
    return ptx_is(r->in->opcode, "bar") && ptx_has(r->in->opcode, ".warp");
}

static bool delete_fence(struct text *out, const struct rewrite *r)
{
    (void)out;
    return ptx_is(r->in->opcode, "membar") || ptx_is(r->in->opcode, "fence");
}

static bool narrow_fence(struct text *out, const struct rewrite *r)
{
    static const char *const steps[][2] = {
        {".sys", ".gpu"}, {".gpu", ".cta"}, {".cluster", ".cta"}};
    const struct ptx_instruction *in = r->in;
    if (ptx_is(in->opcode, "membar") && ptx_has(in->opcode, ".sys"))
        return with_opcode(out, in, ptx_replace(in->opcode, ".sys", ".gl"));
    if (ptx_is(in->opcode, "membar") && ptx_has(in->opcode, ".gl"))
        return with_opcode(out, in, ptx_replace(in->opcode, ".gl", ".cta"));
    for (int i = 0; i < 3 && ptx_is(in->opcode, "fence"); i++)
        if (ptx_has(in->opcode, steps[i][0]))
            return with_opcode(out, in, ptx_replace(in->opcode, steps[i][0], steps[i][1]));
    return false;
}

/** membar is fence.sc (PTX ISA, "membar / fence"). */
static bool weaken_fence(struct text *out, const struct rewrite *r)
{
    static const char *const scopes[][2] = {{".cta", ".cta"}, {".gl", ".gpu"}, {".sys", ".sys"}};
    const struct ptx_instruction *in = r->in;
    for (int i = 0; i < 3 && ptx_is(in->opcode, "membar"); i++)
        if (ptx_has(in->opcode, scopes[i][0]))
            return with_opcode(out, in, text_format("fence.acq_rel%s", scopes[i][1]));
    return ptx_is(in->opcode, "fence") && ptx_has(in->opcode, ".sc") &&
           with_opcode(out, in, ptx_replace(in->opcode, ".sc", ".acq_rel"));
}

/** An atomic without a scope has .gpu; in shared memory a scope makes no difference. */
static bool narrow_scope(struct text *out, const struct rewrite *r)
{
    static const char *const steps[][2] = {
        {".sys", ".gpu"}, {".gpu", ".cta"}, {".cluster", ".cta"}};
    const struct ptx_instruction *in = r->in;
    if (!is_memory(in) || strstr(in->opcode, ".shared"))
        return false;
    for (int i = 0; i < 3; i++)
        if (ptx_has(in->opcode, steps[i][0]))
            return with_opcode(out, in, ptx_replace(in->opcode, steps[i][0], steps[i][1]));
    if (!is_atomic(in) || ptx_has(in->opcode, ".cta"))
        return false;
    static const char *const order[] = {".relaxed", ".acquire", ".release", ".acq_rel"};
    for (int i = 0; i < 4; i++)
        if (ptx_has(in->opcode, order[i])) {
            char *scoped = text_format("%s.cta", order[i]);
            with_opcode(out, in, ptx_replace(in->opcode, order[i], scoped));
            free(scoped);
            return true;
        }
    size_t name = strcspn(in->opcode, ".");
    return with_opcode(out, in,
                       text_format("%.*s.cta%s", (int)name, in->opcode, in->opcode + name));
}

static bool drop_acquire(struct text *out, const struct rewrite *r)
{
    const struct ptx_instruction *in = r->in;
    if (!is_memory(in))
        return false;
    if (ptx_has(in->opcode, ".acq_rel"))
        return with_opcode(out, in, ptx_replace(in->opcode, ".acq_rel", ".release"));
    return ptx_has(in->opcode, ".acquire") &&
           with_opcode(out, in, ptx_replace(in->opcode, ".acquire", ".relaxed"));
}

static bool drop_release(struct text *out, const struct rewrite *r)
{
    const struct ptx_instruction *in = r->in;
    if (!is_memory(in))
        return false;
    if (ptx_has(in->opcode, ".acq_rel"))
        return with_opcode(out, in, ptx_replace(in->opcode, ".acq_rel", ".acquire"));
    return ptx_has(in->opcode, ".release") &&
           with_opcode(out, in, ptx_replace(in->opcode, ".release", ".relaxed"));
}

/** A volatile or relaxed access becomes a weak one. */
static bool plain_access(struct text *out, const struct rewrite *r)
{
    static const char *const scopes[] = {".cta", ".cluster", ".gpu", ".sys"};
    const struct ptx_instruction *in = r->in;
    if (!ptx_is(in->opcode, "ld") && !ptx_is(in->opcode, "st"))
        return false;
    if (ptx_has(in->opcode, ".volatile"))
        return with_opcode(out, in, ptx_replace(in->opcode, ".volatile", ""));
    if (!ptx_has(in->opcode, ".relaxed"))
        return false;
    char *opcode = ptx_replace(in->opcode, ".relaxed", "");
    for (int i = 0; i < 4; i++) {
        char *less = ptx_replace(opcode, scopes[i], "");
        free(opcode);
        opcode = less;
    }
    return with_opcode(out, in, opcode);
}

static const struct {
    const char *name;
    /** Writes the replacement; false: the operator has nothing to do here. */
    bool (*rewrite)(struct text *out, const struct rewrite *r);
} operators[] = {
    {"delete-barrier", delete_barrier},
    {"delete-warp-barrier", delete_warp_barrier},
    {"delete-fence", delete_fence},
    {"narrow-fence", narrow_fence},
    {"weaken-fence", weaken_fence},
    {"split-atomic", rewrite_split_atomic},
    {"narrow-scope", narrow_scope},
    {"drop-acquire", drop_acquire},
    {"drop-release", drop_release},
    {"plain-access", plain_access},
    {"shift-bound", rewrite_shift_bound},
    {"delete-bound", rewrite_delete_bound},
    {"delete-reset", rewrite_delete_reset},
};

#define OPERATORS (sizeof operators / sizeof operators[0])

bool mutant_operator_exists(const char *name)
{
    for (size_t i = 0; i < OPERATORS; i++)
        if (!strcmp(operators[i].name, name))
            return true;
    return false;
}

void mutant_operator_names(struct text *out)
{
    for (size_t i = 0; i < OPERATORS; i++)
        text_printf(out, "%s%s", i ? ", " : "", operators[i].name);
}

static void add(struct mutant_list *m, const char *name, int statement, char *replacement)
{
    struct mutant *list = realloc(m->list, (size_t)(m->count + 1) * sizeof *list);
    if (!list)
        abort();
    m->list = list;
    list[m->count++] = (struct mutant){name, statement, 1, 1, replacement};
}

/** Tells apart mutants that have operator, function and place in common. */
static void number(struct mutant_list *m, const struct ptx_text *p)
{
    for (int i = 0; i < m->count; i++) {
        const struct ptx_statement *a = &p->list[m->list[i].statement];
        int before = 0, all = 0;
        for (int k = 0; k < m->count; k++) {
            const struct ptx_statement *b = &p->list[m->list[k].statement];
            bool same = m->list[i].operator== m->list[k].operator&& a->function == b->function &&
                        a->place.line == b->place.line && a->place.caller == b->place.caller;
            before += same && k < i;
            all += same;
        }
        m->list[i].number = before + 1;
        m->list[i].same = all;
    }
}

void mutants_make(struct mutant_list *out, const struct ptx_text *p)
{
    struct ptx_instruction in;
    *out = (struct mutant_list){0};
    for (int i = 0; i < p->count; i++) {
        if (p->list[i].label || p->list[i].function < 0 || !ptx_instruction_read(&in, p, i))
            continue;
        const struct rewrite r = {p, i, &in};
        for (size_t o = 0; o < OPERATORS; o++) {
            struct text t = {0};
            if (operators[o].rewrite(&t, &r))
                add(out, operators[o].name, i, text_dup(text_str(&t)));
            text_free(&t);
        }
    }
    number(out, p);
}

void mutants_free(struct mutant_list *m)
{
    for (int i = 0; i < m->count; i++)
        free(m->list[i].replacement);
    free(m->list);
    *m = (struct mutant_list){0};
}

char *mutant_text(const struct ptx_text *p, const struct mutant *m)
{
    const struct ptx_statement *s = &p->list[m->statement];
    return text_format("%.*s%s%s", (int)s->start, p->text, m->replacement, p->text + s->end);
}
