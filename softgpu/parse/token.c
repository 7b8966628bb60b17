/**
 * @file token.c
 * The parser's hold on the token stream: advance, test, expect, fail.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "parse/parser.h"
#include "parse/scope.h"

bool fail(struct parser *p, enum diag_kind kind, const char *format, ...)
{
    char message[256];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (p->t.kind == TOKEN_ERROR && kind == DIAG_SYNTAX)
        snprintf(message, sizeof message, "%s", p->t.message);
    diag_at(p->d, kind, p->m->text, p->m->text_len, (size_t)(p->t.start - p->m->text), "%s",
            message);
    return false;
}

void advance(struct parser *p)
{
    lexer_next(&p->lx, &p->t);
}

bool at_punct(const struct parser *p, int punct)
{
    return p->t.kind == TOKEN_PUNCT && p->t.punct == punct;
}

bool at_dot(const struct parser *p, const char *name)
{
    return p->t.kind == TOKEN_DOT && strlen(name) == p->t.len &&
           memcmp(p->t.start, name, p->t.len) == 0;
}

bool take_punct_if(struct parser *p, int punct)
{
    if (!at_punct(p, punct))
        return false;
    advance(p);
    return true;
}

bool expect_punct(struct parser *p, int punct, const char *where)
{
    return take_punct_if(p, punct) || fail(p, DIAG_SYNTAX, "'%c' is expected in %s", punct, where);
}

bool expect_name(struct parser *p, const char **name, const char *what)
{
    if (p->t.kind != TOKEN_NAME)
        return fail(p, DIAG_SYNTAX, "%s is expected here", what);
    if (p->t.len > 4096)
        return fail(p, DIAG_LIMIT, "this name is too long");
    *name = intern_token(p);
    advance(p);
    return true;
}

bool expect_int(struct parser *p, int64_t *value, const char *what)
{
    if (p->t.kind != TOKEN_INT)
        return fail(p, DIAG_SYNTAX, "%s is expected here", what);
    *value = (int64_t)p->t.bits;
    advance(p);
    return true;
}

bool expect_32(struct parser *p, int64_t *v, const char *what)
{
    if (p->t.kind == TOKEN_INT && p->t.bits >> 32)
        return fail(p, DIAG_SYNTAX, "%s has 32 bits", what);
    return expect_int(p, v, what);
}
