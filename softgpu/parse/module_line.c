/**
 * @file module_line.c
 * Lines of a module's text, for those who show them.
 */
#include <string.h>

#include "parse/module.h"

int module_line(const struct ptx_module *m, int line, const char **text)
{
    const char *at = line > 0 ? m->text : m->text + m->text_len, *end = m->text + m->text_len;
    for (int i = 1; i < line && at < end; i++) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        at = next ? next + 1 : end;
    }
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    *text = at;
    return (int)((stop ? stop : end) - at);
}
