/**
 * @file registry.c
 * Which of the checkers in options/check_names.def a run uses. A new checker is one file and one row there.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/checkers.h"
#include "check/observer.h"
#include "execute/machine.h"
#include "options/options.h"

static const struct observer *const registry[] = {
#define CHECKER(name, symbol) &symbol,
#include "options/check_names.def"
#undef CHECKER
};

#define REGISTERED ((int)(sizeof registry / sizeof registry[0]))

static void open_one(struct observer_set *set, struct machine *m, const struct observer *o)
{
    assert(set->count < MAX_OBSERVERS);
    int slot = set->count++;
    set->hooks[slot] = o;
    set->self[slot] = o->create(m, slot);
    set->any_issue |= o->wants_issue;
}

static bool listed(const char *list, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == len && strncmp(at, name, len) == 0)
            return true;
    return false;
}

/** The first word of `list` that names no checker, copied to `bad`; false if all are known. */
static bool unknown_word(const char *list, char *bad)
{
    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',') {
        size_t len = strcspn(at, ",");
        bool known = len == 0 || (len == 3 && !strncmp(at, "all", 3)) ||
                     (len == 4 && !strncmp(at, "none", 4));
        for (int i = 0; i < REGISTERED && !known; i++)
            known = strlen(registry[i]->name) == len && !strncmp(at, registry[i]->name, len);
        if (!known) {
            snprintf(bad, 32, "%.*s", (int)len, at);
            return true;
        }
    }
    return false;
}

bool observers_open(struct observer_set *set, struct machine *m, const char *list, char *bad)
{
    memset(set, 0, sizeof *set);
    if (unknown_word(list, bad))
        return false;
    for (int i = 0; i < REGISTERED; i++)
        if (listed(list, "all") || listed(list, registry[i]->name))
            open_one(set, m, registry[i]);
    return true;
}

bool observers_add(struct observer_set *set, const struct observer *o, void *self)
{
    if (set->count == MAX_OBSERVERS)
        return false;
    set->hooks[set->count] = o;
    set->self[set->count++] = self;
    return true;
}

void observers_remove(struct observer_set *set)
{
    assert(set->count);
    set->count--;
}

void *observers_find(const struct observer_set *set, const struct observer *o)
{
    for (int i = 0; i < set->count; i++)
        if (set->hooks[i] == o)
            return set->self[i];
    return NULL;
}

void observers_close(struct observer_set *set)
{
    for (int i = 0; i < set->count; i++)
        if (set->hooks[i]->destroy)
            set->hooks[i]->destroy(set->self[i]);
    memset(set, 0, sizeof *set);
}
