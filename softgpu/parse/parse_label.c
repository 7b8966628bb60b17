/**
 * @file parse_label.c
 * Labels and their scopes (PTX ISA 4.3.2 and 5.5: a label belongs to the block that holds it).
 *
 * A function's labels are one list of distinct names. So where two blocks have a label of the same
 * name, as inline assembly that is expanded twice has, all but the first are renamed to
 * "name@scope", which no text can spell, and with them the uses in their block. A use may stand
 * before its label: uses are settled when a block closes, by the labels it has, and what is left is
 * the enclosing block's to settle.
 */
#include <stdio.h>
#include <string.h>

#include "parse/parser.h"
#include "parse/phases.h"
#include "parse/scope.h"

bool label_declare(struct parser *p, const char *text, const char **name)
{
    struct binding *b = scope_bind(p, text, BIND_LABEL, -1);
    if (!b)
        return false;
    int function = p->m->functions.count;
    if (b->name->label_function == function) {
        char suffix[16];
        uint32_t len = b->name->len, more = (uint32_t)snprintf(suffix, sizeof suffix, "@%d", p->scope);
        char *unique = arena_alloc(&p->m->arena, len + more + 1);
        memcpy(unique, text, len);
        memcpy(unique + len, suffix, more);
        text = intern(p, unique, len + more)->text;
    }
    b->name->label_function = function;
    *name = b->label = text;
    return true;
}

void label_note_use(struct parser *p, const char **text, int line, bool label_only)
{
    struct name *n = intern(p, *text, (uint32_t)strlen(*text));
    *LIST_PUSH(&p->label_uses) = (struct label_use){.name = n, .text = text, .line = line, .label_only = label_only};
}

void label_note_uses(struct parser *p, struct ptx_operand *o, int line)
{
    if (o->kind == OPERAND_SYMBOL && o->variable < 0 && !o->part && !is_reserved_name(o->name))
        label_note_use(p, &o->name, line, false);
    for (int i = 0; i < o->count; i++)
        label_note_uses(p, &o->element[i], line);
}

void labels_settle(struct parser *p, int from)
{
    int left = from;
    for (int i = from; i < p->label_uses.count; i++) {
        struct label_use *use = &p->label_uses.data[i];
        const struct binding *b = use->name->binding;
        if (b && b->kind == BIND_LABEL && b->scope == p->scope)
            *use->text = b->label;
        else
            p->label_uses.data[left++] = *use;
    }
    p->label_uses.count = left;
}

bool labels_known(struct parser *p)
{
    labels_settle(p, 0);
    for (int i = 0; i < p->label_uses.count; i++) {
        const struct label_use *use = &p->label_uses.data[i];
        if (use->label_only || !use->name->module_uses) {
            diag_line(p->d, DIAG_SYNTAX, use->line, "'%.80s' is %s", use->name->text, use->label_only ? "no label that can be seen here" : "not declared before");
            return false;
        }
    }
    return true;
}
