/**
 * @file advised.c
 * See advised.h.
 */
#include "run/advised.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/** The first word with "(" behind it; its length in `len`. NULL: there is none. */
static const char *first_call(const char *text, size_t *len)
{
    for (const char *p = strchr(text, '('); p; p = strchr(p + 1, '(')) {
        const char *from = p;
        while (from > text && is_word(from[-1]))
            from--;
        *len = (size_t)(p - from);
        if (*len && !isdigit((unsigned char)*from))
            return from;
    }
    return NULL;
}

/** Behind a comment that begins here; the same place if none does. */
static const char *skip_comment(const char *p)
{
    if (p[0] == '/' && p[1] == '/')
        return p + strcspn(p, "\n");
    if (p[0] != '/' || p[1] != '*')
        return p;
    const char *end = strstr(p + 2, "*/");
    return end ? end + 2 : p + strlen(p);
}

int advised_calls(const char *advice, const char *source)
{
    size_t len;
    const char *name = first_call(advice, &len);
    int count = name ? 0 : -1;
    char before = ' ';
    for (const char *p = source; name && *p;) {
        const char *behind = skip_comment(p);
        if (behind != p) {
            p = behind;
            before = ' ';
            continue;
        }
        count += !is_word(before) && !strncmp(p, name, len) && p[len + strspn(p + len, " \t")] == '(';
        before = *p++;
    }
    return count;
}
