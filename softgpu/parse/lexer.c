/**
 * @file lexer.c
 * PTX tokens: white space and comments, names, directives, strings and operators.
 *
 * Interface: lexer.h; numbers are in number.c. Invariant: every read is at or before `end`, where
 * a NUL stands, so a class test stops each loop without a bounds test.
 */
#include "parse/lexer.h"

#include <string.h>

#include "parse/number.h"

enum { LETTER = 1, DIGIT = 2, FOLLOW = 4, BLANK = 8, PUNCT = 16 };

static const uint8_t class_of[256] = {
    ['a' ... 'z'] = LETTER | FOLLOW,
    ['A' ... 'Z'] = LETTER | FOLLOW,
    ['0' ... '9'] = DIGIT | FOLLOW,
    ['_'] = FOLLOW, ['$'] = FOLLOW,
    [' '] = BLANK, ['\t'] = BLANK, ['\r'] = BLANK, ['\f'] = BLANK, ['\v'] = BLANK, ['\n'] = BLANK,
    [','] = PUNCT, [';'] = PUNCT, [':'] = PUNCT, ['('] = PUNCT, [')'] = PUNCT, ['['] = PUNCT,
    [']'] = PUNCT, ['{'] = PUNCT, ['}'] = PUNCT, ['@'] = PUNCT, ['!'] = PUNCT, ['|'] = PUNCT,
    ['+'] = PUNCT, ['-'] = PUNCT, ['*'] = PUNCT, ['/'] = PUNCT, ['%'] = PUNCT, ['&'] = PUNCT,
    ['^'] = PUNCT, ['~'] = PUNCT, ['<'] = PUNCT, ['>'] = PUNCT, ['='] = PUNCT, ['?'] = PUNCT,
};

static bool is_class(char c, int mask)
{
    return (class_of[(unsigned char)c] & mask) != 0;
}

void lexer_init(struct lexer *lx, const char *text, size_t len)
{
    *lx = (struct lexer){.text = text, .end = text + len, .at = text, .line_start = text,
                         .line = 1};
}

static void token_error(struct lexer *lx, struct token *t, const char *message)
{
    t->kind = TOKEN_ERROR;
    t->message = message;
    lx->at = t->start;
}

static void new_line(struct lexer *lx)
{
    lx->at++;
    lx->line++;
    lx->line_start = lx->at;
}

/** A block comment; false when it never ends. */
static bool skip_block_comment(struct lexer *lx)
{
    const char *open = lx->at;
    for (lx->at += 2; lx->at < lx->end;) {
        if (lx->at[0] == '*' && lx->at[1] == '/') {
            lx->at += 2;
            return true;
        }
        if (*lx->at == '\n')
            new_line(lx);
        else
            lx->at++;
    }
    lx->at = open;
    return false;
}

static void skip_line(struct lexer *lx)
{
    const char *newline = memchr(lx->at, '\n', (size_t)(lx->end - lx->at));
    lx->at = newline ? newline : lx->end;
}

/** Line markers that a preprocessor leaves ("# 12 "a.cu"", "#line") say nothing that we use. */
static bool is_line_marker(const char *at)
{
    at++;
    while (*at == ' ' || *at == '\t')
        at++;
    return is_class(*at, DIGIT) || strncmp(at, "line", 4) == 0 || strncmp(at, "pragma", 6) == 0 ||
           *at == '\n' || *at == '\r' || *at == '\0';
}

static bool at_line_start(const struct lexer *lx)
{
    for (const char *p = lx->at; p > lx->line_start; p--)
        if (p[-1] != ' ' && p[-1] != '\t')
            return false;
    return true;
}

/** Skips blanks, comments and line markers; false with `message` when the text is malformed. */
static bool skip_blank(struct lexer *lx, const char **message)
{
    for (;;) {
        char c = *lx->at;
        if (c == '\n') {
            new_line(lx);
        } else if (is_class(c, BLANK)) {
            lx->at++;
        } else if (c == '/' && lx->at[1] == '/') {
            skip_line(lx);
        } else if (c == '/' && lx->at[1] == '*') {
            *message = "this comment never ends";
            if (!skip_block_comment(lx))
                return false;
        } else if (c == '#' && at_line_start(lx)) {
            *message = "preprocessor directives are not supported: preprocess the file first";
            if (!is_line_marker(lx->at))
                return false;
            skip_line(lx);
        } else {
            return true;
        }
    }
}

static void take_name(struct lexer *lx, struct token *t)
{
    t->kind = TOKEN_NAME;
    lx->at++;
    while (is_class(*lx->at, FOLLOW))
        lx->at++;
    t->len = (uint32_t)(lx->at - t->start);
    lx->value_before = true;
}

/** ".name", ".name::part", ".2d". */
static void take_dot(struct lexer *lx, struct token *t)
{
    t->kind = TOKEN_DOT;
    t->start++;
    lx->at++;
    while (is_class(*lx->at, FOLLOW) ||
           (lx->at[0] == ':' && lx->at[1] == ':' && is_class(lx->at[2], FOLLOW)))
        lx->at += *lx->at == ':' ? 2 : 1;
    t->len = (uint32_t)(lx->at - t->start);
    lx->value_before = true;
}

static void take_string(struct lexer *lx, struct token *t)
{
    t->kind = TOKEN_STRING;
    for (lx->at++; *lx->at != '"'; lx->at++) {
        if (*lx->at == '\\' && lx->at + 1 < lx->end && lx->at[1] != '\n')
            lx->at++;
        if (lx->at >= lx->end || *lx->at == '\n') {
            token_error(lx, t, "this string has no closing quote on its line");
            return;
        }
    }
    lx->at++;
    t->len = (uint32_t)(lx->at - t->start);
    lx->value_before = true;
}

static void take_punct(struct lexer *lx, struct token *t)
{
    static const char pairs[][3] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
    t->kind = TOKEN_PUNCT;
    t->punct = *lx->at;
    t->len = 1;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (lx->at[0] == pairs[i][0] && lx->at[1] == pairs[i][1]) {
            t->punct = PUNCT2(pairs[i][0], pairs[i][1]);
            t->len = 2;
        }
    }
    lx->at += t->len;
    lx->value_before = t->punct == ')' || t->punct == ']';
}

/** A name may begin with a letter, or with `_`, `$` or `%` (PTX ISA 4.4). */
static bool starts_name(const struct lexer *lx)
{
    char c = *lx->at, next = lx->at[1];
    if (is_class(c, LETTER) || c == '_')
        return true;
    if (c == '$')
        return is_class(next, FOLLOW);
    /* "7 %3" is a remainder, "add %3" a register. */
    return c == '%' && is_class(next, FOLLOW) && !(lx->value_before && is_class(next, DIGIT));
}

void lexer_next(struct lexer *lx, struct token *t)
{
    const char *before = lx->at, *message = NULL;
    bool good = skip_blank(lx, &message);
    *t = (struct token){.start = lx->at, .line = lx->line,
                        .column = (int)(lx->at - lx->line_start) + 1,
                        .adjacent = lx->at == before};
    char c = *lx->at;
    if (!good)
        token_error(lx, t, message);
    else if (lx->at >= lx->end)
        t->kind = TOKEN_END;
    else if (starts_name(lx))
        take_name(lx, t);
    else if (is_class(c, DIGIT) ||
             (c == '.' && is_class(lx->at[1], DIGIT) && !(t->adjacent && lx->value_before))) {
        t->message = number_lex(&lx->at, t);
        lx->value_before = true;
        if (t->message)
            token_error(lx, t, t->message);
    } else if (c == '.' && is_class(lx->at[1], FOLLOW))
        take_dot(lx, t);
    else if (c == '"')
        take_string(lx, t);
    else if (is_class(c, PUNCT))
        take_punct(lx, t);
    else
        token_error(lx, t, "this character has no place in PTX");
}

const char *token_kind_name(enum token_kind kind)
{
    static const char *const names[] = {
        [TOKEN_END] = "end",         [TOKEN_NAME] = "name",       [TOKEN_DOT] = "directive",
        [TOKEN_INT] = "integer",     [TOKEN_FLOAT32] = "float32", [TOKEN_FLOAT64] = "float64",
        [TOKEN_STRING] = "string",   [TOKEN_PUNCT] = "operator",  [TOKEN_ERROR] = "error",
    };
    return names[kind];
}
