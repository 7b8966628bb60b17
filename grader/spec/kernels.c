/**
 * @file kernels.c
 * Whether a source defines a kernel or a function: a light scan, since nvcc is the judge of everything
 * else. It gives a clear message before the harness would fail to find the kernel.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "spec/spec.h"

/** A copy with comments, strings and character constants blanked; newlines stay. */
static char *code_only(const char *s)
{
    char *out = text_dup(s);
    for (char *p = out; *p;) {
        if (p[0] == '/' && p[1] == '/') {
            while (*p && *p != '\n')
                *p++ = ' ';
        } else if (p[0] == '/' && p[1] == '*') {
            *p++ = ' ';
            *p++ = ' ';
            while (*p && !(p[0] == '*' && p[1] == '/')) {
                *p = *p == '\n' ? '\n' : ' ';
                p++;
            }
            for (int i = 0; i < 2 && *p; i++)
                *p++ = ' ';
        } else if (*p == '"' || *p == '\'') {
            char quote = *p++;
            while (*p && *p != quote && *p != '\n') {
                bool escape = *p == '\\' && p[1] && p[1] != '\n';
                *p++ = ' ';
                if (escape)
                    *p++ = ' ';
            }
            p += *p == quote;
        } else {
            p++;
        }
    }
    return out;
}

static bool word_at(const char *code, const char *p, size_t len)
{
    bool before = p > code && (isalnum((unsigned char)p[-1]) || p[-1] == '_');
    bool after = isalnum((unsigned char)p[len]) || p[len] == '_';
    return !before && !after;
}

/** `__global__ … name (` with no `;`, `{` or `}` between. */
static bool defines(const char *code, const char *name)
{
    for (const char *g = code; (g = strstr(g, "__global__")); g++) {
        const char *stop = g + strcspn(g, ";{}");
        for (const char *p = g; (p = strstr(p, name)) && p < stop; p++) {
            const char *after = p + strlen(name);
            after += strspn(after, " \t\r\n");
            if (word_at(code, p, strlen(name)) && *after == '(')
                return true;
        }
    }
    return false;
}

const struct spec_kernel *spec_missing_kernel(const struct spec *s, const char *source)
{
    char *code = code_only(source);
    const struct spec_kernel *missing = NULL;
    for (unsigned i = 0; !missing && i < s->kernels_count; i++)
        if (!defines(code, s->kernels[i].name))
            missing = &s->kernels[i];
    free(code);
    return missing;
}

/** `name (`: good enough for a skeleton, whose definition the linker checks. */
static bool mentions(const char *code, const char *name)
{
    for (const char *p = code; (p = strstr(p, name)); p++) {
        const char *after = p + strlen(name);
        if (word_at(code, p, strlen(name)) && after[strspn(after, " \t\r\n")] == '(')
            return true;
    }
    return false;
}

const struct spec_kernel *spec_missing_function(const struct spec *s, const char *source)
{
    char *code = code_only(source);
    const struct spec_kernel *missing = NULL;
    for (unsigned i = 0; !missing && i < s->functions_count; i++)
        if (!mentions(code, s->functions[i].name))
            missing = &s->functions[i];
    free(code);
    return missing;
}
