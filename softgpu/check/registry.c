/**
 * @file registry.c
 * Which of the checkers in options/check_names.def a run uses. A new checker is one file and one row there.
 */
#include <string.h>

#include "check/checkers.h"
#include "execute/machine.h"
#include "options/options.h"

static const struct observer *const registry[] = {
#define CHECKER(name, symbol) &symbol,
#include "options/check_names.def"
#undef CHECKER
};

#define REGISTERED ((int)(sizeof registry / sizeof registry[0]))

static bool listed(const char *list, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == len && strncmp(at, name, len) == 0)
            return true;
    return false;
}

void checkers_open(struct machine *m)
{
    const struct options *o = machine_options(m);
    for (int i = 0; o->check && i < REGISTERED; i++)
        if (listed(o->check_list, "all") || listed(o->check_list, registry[i]->name))
            observers_open(machine_observers(m), m, registry[i]);
    rows_open(machine_observers(m));
}
