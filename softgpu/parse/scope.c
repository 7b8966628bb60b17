/**
 * @file scope.c
 * Interned names and what they stand for, scope by scope.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "parse/parser.h"
#include "parse/phases.h"
#include "parse/scope.h"

static void grow(struct parser *p)
{
    uint32_t old_count = p->names ? p->name_mask + 1 : 0, mask = old_count ? old_count * 2 - 1 : 1023;
    struct name **table = calloc((size_t)mask + 1, sizeof *table);
    assert(table);
    for (uint32_t i = 0; i < old_count; i++) {
        if (!p->names[i])
            continue;
        uint32_t h = p->names[i]->hash & mask;
        while (table[h])
            h = (h + 1) & mask;
        table[h] = p->names[i];
    }
    free(p->names);
    p->names = table;
    p->name_mask = mask;
}

struct name *intern(struct parser *p, const char *text, uint32_t len)
{
    if (!p->names || p->name_count * 2 > p->name_mask)
        grow(p);
    uint32_t hash = mix_text(text, len), h = hash & p->name_mask;
    for (; p->names[h]; h = (h + 1) & p->name_mask)
        if (p->names[h]->hash == hash && p->names[h]->len == len &&
            memcmp(p->names[h]->text, text, len) == 0)
            return p->names[h];
    struct name *n = arena_alloc(&p->m->arena, sizeof *n);
    *n = (struct name){.text = arena_strndup(&p->m->arena, text, len), .len = len, .hash = hash};
    p->names[h] = n;
    p->name_count++;
    return n;
}

const char *intern_token(struct parser *p)
{
    return intern(p, p->t.start, p->t.len)->text;
}

struct binding *scope_bind(struct parser *p, const char *text, enum binding_kind kind, int index)
{
    struct name *n = intern(p, text, (uint32_t)strlen(text));
    if (n->binding && n->binding->scope == p->scope) {
        fail(p, DIAG_SYNTAX, "'%s' is declared twice in this scope", text);
        return NULL;
    }
    struct binding *b = arena_alloc(&p->m->arena, sizeof *b);
    *b = (struct binding){.kind = kind, .index = index, .scope = p->scope, .name = n,
                          .outer = n->binding, .next = p->bindings};
    n->binding = b;
    p->bindings = b;
    return b;
}

bool module_declare(struct parser *p, const char *text, unsigned kind, bool defined)
{
    struct name *n = intern(p, text, (uint32_t)strlen(text));
    if (n->module_uses & ~(kind | kind << 1))
        return fail(p, DIAG_SYNTAX, "'%.80s' is both a variable and a function", text);
    if (defined && n->module_uses & kind << 1)
        return fail(p, DIAG_SYNTAX, "'%.80s' is defined twice", text);
    n->module_uses |= kind | (defined ? kind << 1 : 0);
    return true;
}

void module_forget(struct parser *p)
{
    for (uint32_t i = 0; p->names && i <= p->name_mask; i++)
        if (p->names[i])
            p->names[i]->module_uses = 0, p->names[i]->function = p->names[i]->variable = 0;
}

bool is_reserved_name(const char *text)
{
    return !strcmp(text, "_") || !strcmp(text, "WARP_SZ");
}

const struct binding *lookup(struct parser *p, const char *text, uint32_t len)
{
    return intern(p, text, len)->binding;
}

bool scope_open(struct parser *p)
{
    if (p->nesting == MAX_NESTING)
        return fail(p, DIAG_LIMIT, "scopes nest more than %d deep", MAX_NESTING);
    p->open_uses[p->nesting] = p->label_uses.count;
    p->open_scope[p->nesting++] = p->scope;
    p->scope = ++p->scopes;
    return true;
}

static void unbind(struct parser *p, int scope)
{
    while (p->bindings && p->bindings->scope == scope) {
        p->bindings->name->binding = p->bindings->outer;
        p->bindings = p->bindings->next;
    }
}

bool scope_close(struct parser *p)
{
    labels_settle(p, p->open_uses[--p->nesting]);
    unbind(p, p->scope);
    p->scope = p->open_scope[p->nesting];
    return true;
}

void function_scope_end(struct parser *p)
{
    labels_settle(p, 0);
    p->label_uses.count = 0;
    for (; p->bindings; p->bindings = p->bindings->next)
        p->bindings->name->binding = p->bindings->outer;
    p->scope = p->scopes = p->nesting = 0;
}

void names_free(struct parser *p)
{
    free(p->names);
    LIST_FREE(&p->label_uses);
    LIST_FREE(&p->aliases);
    LIST_FREE(&p->function_names);
    LIST_FREE(&p->parts);
}
