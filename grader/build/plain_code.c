/**
 * @file plain_code.c
 * See plain_code.h.
 */
#include "build/plain_code.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

/** Behind a line's end that a backslash takes away; `s` itself where there is none. */
static const char *skip_join(const char *s)
{
    return s[0] == '\\' && s[1] == '\n' ? s + 2 : s;
}

/** Behind a comment that begins here; `s` itself: none does; NULL: it does not end. */
static const char *skip_comment(const char *s)
{
    if (s[0] == '/' && s[1] == '*') {
        const char *end = strstr(s + 2, "*/");
        return end ? end + 2 : NULL;
    }
    if (s[0] != '/' || s[1] != '/')
        return s;
    while (*s && *s != '\n')
        s = skip_join(s) > s ? skip_join(s) : s + 1;
    return s;
}

/** Behind a literal in quotes; NULL: it does not end. */
static const char *skip_literal(const char *s)
{
    char quote = *s++;
    while (*s && *s != quote && *s != '\n')
        s += *s == '\\' && s[1] ? 2 : 1;
    return *s == quote ? s + 1 : NULL;
}

/** Behind R"mark(…)mark", of which `s` is the quote; NULL: it does not end. */
static const char *skip_raw(const char *s)
{
    int len = (int)strcspn(s + 1, "(");
    char *mark = text_format(")%.*s\"", len, s + 1);
    const char *end = len <= 16 ? strstr(s, mark) : NULL;
    end = end ? end + strlen(mark) : NULL;
    free(mark);
    return end;
}

/** Behind a name or a number, with the literal whose prefix it is. */
static const char *skip_word(const char *s)
{
    const char *end = s;
    bool number = isdigit((unsigned char)*s);
    while (is_name(*end) || (number && (*end == '.' || (*end == '\'' && is_name(end[1])))))
        end++;
    if (number || *end != '"' || end[-1] != 'R' || end - s > 3)
        return end;
    return skip_raw(end);
}

/** Behind the next piece of text that is no comment. */
static const char *skip_piece(const char *s)
{
    return is_name(*s) ? skip_word(s) : *s == '"' || *s == '\'' ? skip_literal(s) : s + 1;
}

static void copy(char *to, const char *source, const char *from, const char *end)
{
    memcpy(to + (from - source), from, (size_t)(end - from));
}

/** The pragmas stay with the code, since where they stand says what they are about. */
static bool is_pragma(const char *hash)
{
    const char *word = hash + 1 + strspn(hash + 1, " \t");
    return !strncmp(word, "pragma", 6) && !is_name(word[6]);
}

/** @return the line's end; NULL as above */
static const char *read_directive(struct plain_code *p, const char *source, const char *s)
{
    char *to = is_pragma(s) ? p->code : p->directives;
    while (*s && *s != '\n') {
        const char *behind = skip_join(s) > s ? skip_join(s) : skip_comment(s);
        if (behind == s) { /* `<file's name>` may hold anything */
            bool quote = *s == '"' || *s == '\'';
            behind = quote && skip_literal(s) ? skip_literal(s) : s + 1;
            copy(to, source, s, behind);
        }
        if (!behind)
            return NULL;
        s = behind;
    }
    return s;
}

static bool read_all(struct plain_code *p, const char *source)
{
    bool first = true; /* of its line */
    for (const char *s = source; *s;) {
        const char *end = skip_comment(s);
        if (end == s && first && *s == '#') {
            end = read_directive(p, source, s);
        } else if (end == s && (end = skip_piece(s)) != NULL) {
            copy(p->code, source, s, end);
            first = *s == '\n' || (first && isspace((unsigned char)*s));
        }
        if (!end)
            return false;
        s = end;
    }
    return true;
}

bool plain_code_read(struct plain_code *p, const char *source)
{
    size_t len = strlen(source);
    p->code = text_zalloc(len + 1, 1);
    p->directives = text_zalloc(len + 1, 1);
    for (size_t i = 0; i < len; i++)
        p->code[i] = p->directives[i] = source[i] == '\n' ? '\n' : ' ';
    return read_all(p, source);
}

void plain_code_free(struct plain_code *p)
{
    free(p->code);
    free(p->directives);
    *p = (struct plain_code){0};
}
