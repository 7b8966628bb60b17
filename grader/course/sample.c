/**
 * @file sample.c
 * A file is taken when it shows something new; see sample.h.
 */
#include "course/sample.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "course/expect.h"

/* CUDA's names, and what begins a string as a PTX instruction does ("ld.acquire.gpu"). */
#define TOOL                                                                                       \
    "\\<(__[a-z]|atomic[A-Z]|cuda|cg::|volatile|thread_scope|memory_order)[A-Za-z0-9_:]*"          \
    "|\"[ {]*[a-z]+\\.[a-z0-9_.:]+"

/** False if it has been seen. Takes the word. */
static bool is_new(struct sample *s, char *word)
{
    for (int i = 0; i < s->count; i++)
        if (!strcmp(s->seen[i], word)) {
            free(word);
            return false;
        }
    char **more = text_zalloc((size_t)s->count + 1, sizeof *more);
    if (s->count)
        memcpy(more, s->seen, (size_t)s->count * sizeof *more);
    free(s->seen);
    s->seen = more;
    s->seen[s->count++] = word;
    return true;
}

bool sample_takes_answer(struct sample *s, const char *source)
{
    regex_t tool;
    bool takes = false;
    if (regcomp(&tool, TOOL, REG_EXTENDED))
        return true;
    for (const char *line = source; *line;) {
        size_t len = strcspn(line, "\n");
        char *code = text_format("%.*s", (int)len, line), *comment = strstr(code, "//");
        if (comment)
            *comment = '\0';
        regmatch_t m;
        for (const char *at = code; !regexec(&tool, at, 1, &m, 0); at += m.rm_eo)
            takes |= is_new(s, text_format("%.*s", (int)(m.rm_eo - m.rm_so), at + m.rm_so));
        free(code);
        line += len + (line[len] == '\n');
    }
    regfree(&tool);
    return takes;
}

bool sample_takes_wrong(struct sample *s, const char *source)
{
    return is_new(s, expect_kinds(source));
}

void sample_free(struct sample *s)
{
    for (int i = 0; i < s->count; i++)
        free(s->seen[i]);
    free(s->seen);
    *s = (struct sample){0};
}
