/**
 * @file words.c
 * See words.h.
 */
#include "report/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 80

int words_width(const char *s)
{
    int width = 0;
    for (; *s; s++)
        width += ((unsigned char)*s & 0xc0) != 0x80;
    return width;
}

static void spaces(struct text *out, int n)
{
    for (int i = 0; i < n; i++)
        text_add(out, " ", 1);
}

/** How much of a line fits into a width: to the last space in it, else cut. */
static size_t fitting(const char *s, size_t len, int width)
{
    size_t bytes = 0, space = 0;
    for (int columns = 0; bytes < len && columns < width; columns++) {
        space = s[bytes] == ' ' ? bytes : space;
        do
            bytes++;
        while (bytes < len && ((unsigned char)s[bytes] & 0xc0) == 0x80);
    }
    return bytes < len && space > 8 ? space : bytes;
}

void words_wrap(struct text *out, const char *s, int indent)
{
    int column = 0;
    while (*s) {
        s += strspn(s, " \n");
        size_t len = strcspn(s, " \n");
        if (!len)
            break;
        len = fitting(s, len, COLUMNS - indent); /* a word that no line holds goes on in the next */
        char *word = text_format("%.*s", (int)len, s);
        int width = words_width(word);
        if (column && column + 1 + width > COLUMNS) {
            text_puts(out, "\n");
            column = 0;
        }
        if (!column)
            spaces(out, indent);
        else
            text_puts(out, " ");
        column = (column ? column + 1 : indent) + width;
        text_puts(out, word);
        free(word);
        s += len;
    }
    text_puts(out, "\n");
}

/** Bytes up to a space that is not escaped. */
static size_t command_word(const char *s)
{
    size_t n = 0;
    while (s[n] && s[n] != ' ')
        n += s[n] == '\\' && s[n + 1] ? 2 : 1;
    return n;
}

/** Bytes of what should stay on one line: a word, or an option with its value. */
static size_t command_unit(const char *s)
{
    size_t n = command_word(s);
    bool has_value = *s == '-' && s[n] == ' ' && s[n + 1] && s[n + 1] != '-';
    return has_value ? n + 1 + command_word(s + n + 1) : n;
}

/** A word that no line can hold goes on at the next line's start. */
static int long_word(struct text *out, const char *s, size_t len, int column)
{
    for (size_t i = 0; i < len;) {
        size_t n = s[i] == '\\' ? 2 : 1;
        while (i + n < len && ((unsigned char)s[i + n] & 0xc0) == 0x80)
            n++;
        if (column + 2 >= COLUMNS) {
            text_puts(out, "\\\n");
            column = 0;
        }
        text_add(out, s + i, n);
        column += n > 1 && s[i] == '\\' ? 2 : 1;
        i += n;
    }
    return column;
}

void words_command(struct text *out, const char *label, const char *command, int indent)
{
    int column = indent + words_width(label);
    spaces(out, indent);
    text_puts(out, label);
    for (const char *s = command; *s;) {
        size_t len = command_unit(s);
        char *word = text_format("%.*s", (int)len, s);
        int width = words_width(word) + (s > command);
        if (s > command && column + width + 2 > COLUMNS) {
            text_puts(out, " \\\n");
            spaces(out, indent + 4);
            column = indent + 4;
        } else if (s > command) {
            text_puts(out, " ");
            column++;
        }
        column = long_word(out, word, len, column);
        free(word);
        s += len + (s[len] == ' ');
    }
    text_puts(out, "\n");
}

void words_indent(struct text *out, const char *s, int indent)
{
    while (*s) {
        size_t len = strcspn(s, "\n");
        const char *rest = s;
        for (int more = 0; rest < s + len; more = 2) {
            size_t left = (size_t)(s + len - rest), n = fitting(rest, left, COLUMNS - indent - more);
            spaces(out, indent + more);
            text_add(out, rest, n);
            text_puts(out, "\n");
            rest += n;
            rest += rest < s + len && *rest == ' ';
        }
        if (!len)
            text_puts(out, "\n");
        s += len + (s[len] == '\n');
    }
}

void words_hang(struct text *out, const char *s, int left, int columns)
{
    size_t len = strlen(s);
    for (int more = 0; len; more = 2) {
        size_t n = fitting(s, len, columns - left - more);
        if (more)
            spaces(out, left + more);
        text_add(out, s, n);
        text_puts(out, "\n");
        n += n < len && s[n] == ' ';
        s += n;
        len -= n;
    }
}

static void position(struct text *out, const char *what, const int p[3])
{
    if (p[1] || p[2])
        text_printf(out, "%s (%d,%d,%d)", what, p[0], p[1], p[2]);
    else
        text_printf(out, "%s %d", what, p[0]);
}

void words_thread(struct text *out, const struct record_access *a)
{
    if (!a->has_thread) {
        text_puts(out, "the host");
        return;
    }
    position(out, "block", a->block);
    position(out, " thread", a->thread);
}

void words_value(struct text *out, const struct record_access *a)
{
    bool reads = !strncmp(a->op, "load", 4), writes = !strncmp(a->op, "store", 5);
    if (!a->value)
        text_printf(out, "%s", a->op);
    else
        text_printf(out, "%s %s", writes ? "wrote" : reads ? "saw" : a->op, a->value);
    if (a->missed && (!a->value || strcmp(a->missed, a->value)))
        text_printf(out, ", not %s", a->missed);
}

void words_place(struct text *out, const struct record_access *a)
{
    if (a->file && a->line)
        text_printf(out, "%s:%d", a->file, a->line);
    else
        text_puts(out, a->op);
}

void words_object(struct text *out, const char *object, const char *part, int64_t offset, int element)
{
    if (part)
        text_printf(out, "%s%s", object, part);
    else if (element > 0 && offset % element == 0)
        text_printf(out, "%s[%" PRId64 "]", object, offset / element);
    else
        text_printf(out, "%s at byte %" PRId64, object, offset);
}

/** Whom an order of "acquire.gpu" and the like reaches. */
static const char *reach(const char *order)
{
    return strstr(order, ".cta")   ? ", own block"
           : strstr(order, ".gpu") ? ", whole GPU"
           : strstr(order, ".sys") ? ", GPU and host"
                                   : "";
}

void words_step(struct text *out, const struct record_access *a)
{
    if (!strcmp(a->op, "fence"))
        text_printf(out, "fence%s", a->order ? reach(a->order) : "");
    else if (a->old && a->value)
        text_printf(out, "took %s, left %s", a->old, a->value);
    else if (a->old)
        text_printf(out, "took %s", a->old);
    else
        words_value(out, a);
    if (a->times > 1)
        text_printf(out, " (%d times in a row)", a->times);
}
