/**
 * @file diag.c
 * Diagnostics with a place: filled by libraries, printed by their callers.
 *
 * Interface: diag.h. Invariant: what comes from the input is made printable before it is stored, so
 * that a hostile file cannot write control sequences to a student's terminal.
 */
#include "base/diag.h"

#include <stdarg.h>
#include <string.h>

static void make_printable(char *s)
{
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '\t')
            *s = ' ';
        else if (c < 0x20 || c == 0x7f)
            *s = '?';
    }
}

static void set_message(struct diag *d, enum diag_kind kind, const char *format, va_list args)
{
    d->kind = kind;
    vsnprintf(d->message, sizeof d->message, format, args);
    make_printable(d->message);
}

/** Finds the line that holds offset `at` and copies it, cut to fit. */
static void set_place(struct diag *d, const char *text, size_t len, size_t at)
{
    if (at > len)
        at = len;
    size_t start = 0;
    d->line = 1;
    for (const char *p = text; (p = memchr(p, '\n', at - (size_t)(p - text))) != NULL; p++) {
        d->line++;
        start = (size_t)(p - text) + 1;
    }
    d->column = (int)(at - start) + 1;
    const char *end = memchr(text + start, '\n', len - start);
    size_t n = end ? (size_t)(end - (text + start)) : len - start;
    if (n > sizeof d->source_line - 1)
        n = sizeof d->source_line - 1;
    memcpy(d->source_line, text + start, n);
    d->source_line[n] = '\0';
    if (n > 0 && d->source_line[n - 1] == '\r')
        d->source_line[n - 1] = '\0';
    make_printable(d->source_line);
}

void diag_at(struct diag *d, enum diag_kind kind, const char *text, size_t len, size_t at,
             const char *format, ...)
{
    if (d->kind != DIAG_NONE)
        return;
    va_list args;
    va_start(args, format);
    set_message(d, kind, format, args);
    va_end(args);
    d->line = d->column = 0;
    d->source_line[0] = '\0';
    if (text)
        set_place(d, text, len, at);
}

void diag_line(struct diag *d, enum diag_kind kind, int line, const char *format, ...)
{
    if (d->kind != DIAG_NONE)
        return;
    va_list args;
    va_start(args, format);
    set_message(d, kind, format, args);
    va_end(args);
    d->line = line;
    d->column = 0;
    d->source_line[0] = '\0';
}

void diag_print(FILE *out, const char *name, const struct diag *d)
{
    fprintf(out, "%s:", name);
    if (d->line > 0)
        fprintf(out, "%d:", d->line);
    if (d->line > 0 && d->column > 0)
        fprintf(out, "%d:", d->column);
    fprintf(out, " error: %s\n", d->message);
    if (d->source_line[0]) {
        fprintf(out, "  %s\n", d->source_line);
        if (d->column > 0 && (size_t)d->column <= strlen(d->source_line) + 1)
            fprintf(out, "  %*s^\n", d->column - 1, "");
    }
}
