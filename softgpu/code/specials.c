/**
 * @file specials.c
 * See specials.h.
 */
#include "code/specials.h"

#include <string.h>

static const struct special_name {
    const char *name;
    bool ordered;
} specials[] = {
#define SPECIAL(name, reader, argument, ordered) {name, ordered},
#include "code/specials.def"
};

#define SPECIAL_COUNT (sizeof specials / sizeof specials[0])

/** %envreg0 … %envreg31 and %pm0 … %pm7_64: a name with a number. */
static bool numbered(const char *name, const char *prefix, int limit, int *number)
{
    size_t n = strlen(prefix);
    if (strncmp(name, prefix, n) != 0 || name[n] < '0' || name[n] > '9')
        return false;
    *number = name[n] - '0';
    const char *rest = name + n + 1;
    if (*rest >= '0' && *rest <= '9')
        *number = *number * 10 + (*rest++ - '0');
    return *number < limit && (*rest == 0 || strcmp(rest, "_64") == 0);
}

enum op_row special_row(const char *name, uint64_t *imm)
{
    int number;
    if (numbered(name, "%envreg", 32, &number) || numbered(name, "%pm", 8, &number)) {
        *imm = name[1] == 'e' ? (uint64_t)number : 0;
        return ROW_envreg;
    }
    for (size_t i = 0; i < SPECIAL_COUNT; i++)
        if (strcmp(specials[i].name, name) == 0) {
            *imm = i;
            return specials[i].ordered ? ROW_special_ordered : ROW_special;
        }
    return ROW_COUNT;
}

bool builtin_exists(const char *name)
{
    static const char *const names[] = {
#define BUILTIN(name, run) #name,
#include "code/builtins.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}
