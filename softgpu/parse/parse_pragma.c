/**
 * @file parse_pragma.c
 * `.pragma` (PTX ISA 11.4, 14): hints, of which softgpu follows none; which strings stand where is ptxas's rule. One is softgpu's own.
 */
#include <stdlib.h>
#include <string.h>

#include "parse/parser.h"
#include "parse/phases.h"

static bool is_string(const struct token *t, const char *text)
{
    return t->len == strlen(text) + 2 && !memcmp(t->start + 1, text, t->len - 2);
}

/** What stands behind `word` and a blank, or behind `word` alone; NULL: the string begins otherwise. */
static const char *behind(const struct token *t, const char *word)
{
    size_t len = strlen(word);
    if (t->len < len + 2 || memcmp(t->start + 1, word, len) ||
        (t->start[1 + len] != ' ' && t->start[1 + len] != '"'))
        return NULL;
    return t->start + 1 + len;
}

/** One number, which for a frequency is not 0, and the string's end. */
static bool has_number(const char *at, bool positive)
{
    char *end;
    unsigned long long v = strtoull(at, &end, 0);
    return end != at && *end == '"' && (!positive || (v && !strchr("-", at[strspn(at, " ")])));
}

/* `.pragma "softgpu max_registers N"` ends what a just-in-time compiler was to give at most N registers: of the kernels before it
 * those that say nothing themselves. */
static void bound_registers(struct parser *p, const char *number)
{
    unsigned most = (unsigned)strtoul(number, NULL, 10);
    for (; p->bounded < p->m->functions.count; p->bounded++) {
        struct ptx_function *f = &p->m->functions.data[p->bounded];
        if (!f->max_registers && !f->max_threads[0] && !f->req_threads[0])
            f->max_registers = most;
    }
}

static bool string_has_place(struct parser *p, enum pragma_place place)
{
    const char *frequency = behind(&p->t, "frequency"), *mask = behind(&p->t, "used_bytes_mask"),
               *spilling = behind(&p->t, "enable_smem_spilling");
    const char *ours = behind(&p->t, "softgpu max_registers");
    if ((frequency || mask || spilling) && place != PRAGMA_IN_BODY)
        return fail(p, DIAG_SYNTAX, "this pragma stands in a function's body");
    if ((frequency && !has_number(frequency, true)) || (mask && !has_number(mask, false)))
        return fail(p, DIAG_SYNTAX, "this pragma needs one number");
    if (spilling && !p->f->is_entry)
        return fail(p, DIAG_SYNTAX, "this pragma is a kernel's");
    if (place != PRAGMA_OF_MODULE)
        return true;
    if (ours)
        bound_registers(p, ours);
    return ours || is_string(&p->t, "nounroll") ||
           fail(p, DIAG_SYNTAX, "no such pragma is a module's");
}

/* pragma = .pragma string { ',' string } ';' */
bool parse_pragma(struct parser *p, enum pragma_place place)
{
    advance(p);
    do {
        if (p->t.kind != TOKEN_STRING)
            return fail(p, DIAG_SYNTAX, "a string is expected here");
        if (!string_has_place(p, place))
            return false;
        advance(p);
    } while (take_punct_if(p, ','));
    return expect_punct(p, ';', ".pragma");
}
