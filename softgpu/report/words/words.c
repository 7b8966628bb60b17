/**
 * @file words.c
 * Which family phrases a cause, and what the families share; see words.h.
 */
#include "report/words/words.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "host/call_site.h"
#include "report/finding.h"
#include "report/ptx_line.h"

static void (*const families[CAUSE_COUNT])(struct finding *f) = {
#define CAUSE(name, family) [CAUSE_##name] = words_##family,
#include "report/causes.def"
};

/* "line 1073741834" becomes "PTX line 10", "lines … and …" likewise. */
static void name_ptx_lines(char *text, size_t size)
{
    if (!strstr(text, "line"))
        return;
    char out[sizeof((struct finding *)0)->message + 64];
    size_t used = 0;
    for (const char *at = text; *at && used + 48 < sizeof out;) {
        int first = 0, second = 0, length = 0;
        if (strncmp(at, "line", 4) != 0) {
            out[used++] = *at++;
        } else if (sscanf(at, "lines %d and %d%n", &first, &second, &length) == 2 && first > PTX_LINE_BASE && length) {
            used += (size_t)snprintf(out + used, sizeof out - used, "PTX lines %d and %d", first - PTX_LINE_BASE,
                                     second > PTX_LINE_BASE ? second - PTX_LINE_BASE : second);
            at += length;
        } else if (sscanf(at, "line %d%n", &first, &length) == 1 && first > PTX_LINE_BASE) {
            used += (size_t)snprintf(out + used, sizeof out - used, "PTX line %d", first - PTX_LINE_BASE);
            at += length;
        } else {
            out[used++] = *at++;
        }
    }
    out[used] = '\0';
    put(text, size, "%s", out);
}

void finding_phrase(struct finding *f)
{
    int lines[sizeof f->accesses / sizeof f->accesses[0]];
    f->message[0] = f->suggestion[0] = '\0';
    say_rule(f, finding_kinds[f->kind].rule);
    if (!families[f->cause])
        return;
    for (int i = 0; i < f->access_count; i++) {
        struct finding_access *a = &f->accesses[i];
        lines[i] = a->line;
        a->line = line_to_say(a->file, a->line, a->ptx_line);
    }
    families[f->cause](f);
    words_library_advice(f);
    for (int i = 0; i < f->access_count; i++)
        f->accesses[i].line = lines[i];
    name_ptx_lines(f->message, sizeof f->message);
    name_ptx_lines(f->suggestion, sizeof f->suggestion);
}

void put(char *out, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(out, size, format, args);
    va_end(args);
}

void say(struct finding *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(f->message, sizeof f->message, format, args);
    va_end(args);
}

void say_on(struct finding *f, const char *format, ...)
{
    size_t used = strlen(f->message);
    va_list args;
    va_start(args, format);
    vsnprintf(f->message + used, sizeof f->message - used, format, args);
    va_end(args);
}

void say_try(struct finding *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(f->suggestion, sizeof f->suggestion, format, args);
    va_end(args);
}

bool say_try_also(struct finding *f, const struct finding *other)
{
    static const char also[] = ". Also: ";
    size_t used = strlen(f->suggestion);
    if (used + strlen(also) + strlen(other->suggestion) >= sizeof f->suggestion)
        return false;
    put(f->suggestion + used, sizeof f->suggestion - used, "%s%s", also, other->suggestion);
    return true;
}

void say_try_with(struct finding *f, const char *word, const char *by)
{
    size_t old = strlen(word), new = strlen(by);
    for (char *at = f->suggestion; (at = strstr(at, word)) && strlen(f->suggestion) + new < sizeof f->suggestion + old; at += new) {
        memmove(at + new, at + old, strlen(at + old) + 1);
        memcpy(at, by, new);
    }
}

void say_capital(struct finding *f)
{
    f->message[0] = (char)toupper((unsigned char)f->message[0]);
}

void say_rule(struct finding *f, const char *rule)
{
    put(f->rule, sizeof f->rule, "%s", rule);
}

static void put_coordinates(char *out, size_t size, const uint32_t at[3], bool row)
{
    if (row)
        put(out, size, "%u", at[0]);
    else
        put(out, size, "(%u,%u,%u)", at[0], at[1], at[2]);
}

void put_thread(char *out, size_t size, const struct finding_access *a)
{
    put_coordinates(out, size, a->thread, a->row_of_threads);
}

void put_block(char *out, size_t size, const struct finding_access *a)
{
    put_coordinates(out, size, a->block, a->row_of_blocks);
}

void put_place(char *out, size_t size, const struct finding *f)
{
    const char *quote = f->named ? "\"" : "";
    char object[sizeof f->object];
    unsigned element = finding_element(f);
    put_plain(object, sizeof object, f->object);
    if (!object[0])
        put(out, size, "%s memory (byte %llu)", f->space ? f->space : "global", (unsigned long long)f->offset);
    else if (f->part[0])
        put(out, size, "%s%s%s%s", quote, object, f->part, quote);
    else if (!element)
        put(out, size, "%s%s%s (byte %llu)", quote, object, quote, (unsigned long long)f->offset);
    else if (f->object_bytes == element)
        put(out, size, "%s%s%s", quote, object, quote);
    else
        put(out, size, "%s%s[%llu]%s", quote, object, (unsigned long long)f->offset / element, quote);
}

void put_site(char *out, size_t size, const struct call_site *at)
{
    char line[200] = "";
    if (at)
        call_site_words(at, line, sizeof line);
    put(out, size, line[0] ? " (%s)" : "%s", line);
}
