/**
 * @file reach.c
 * See reach.h.
 */
#include "mutants/reach.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void reach_start(struct reach *r, int cases)
{
    *r = (struct reach){text_zalloc((size_t)cases, sizeof *r->cases), cases};
}

static bool launches(const struct reach_case *c, const char *kernel)
{
    for (int i = 0; i < c->count; i++)
        if (!strcmp(c->kernels[i], kernel))
            return true;
    return false;
}

void reach_note(struct reach *r, int number, const char *counters)
{
    struct reach_case *c = &r->cases[number];
    json_t *run = json_load_file(counters, 0, NULL), *each;
    const char *name;
    json_t *kernels = json_object_get(run, "kernels");
    if (kernels)
        c->known = true;
    json_object_foreach(kernels, name, each) {
        if (launches(c, name))
            continue;
        c->kernels = realloc(c->kernels, ((size_t)c->count + 1) * sizeof *c->kernels);
        if (!c->kernels)
            abort();
        c->kernels[c->count++] = text_dup(name);
    }
    json_decref(run);
}

bool reach_shows(const struct reach *r, int number, const char *function)
{
    bool any = false;
    for (int i = 0; i < r->count; i++)
        any |= launches(&r->cases[i], function);
    return !any || !r->cases[number].known || launches(&r->cases[number], function);
}

void reach_free(struct reach *r)
{
    for (int i = 0; i < r->count; i++) {
        for (int k = 0; k < r->cases[i].count; k++)
            free(r->cases[i].kernels[k]);
        free(r->cases[i].kernels);
    }
    free(r->cases);
    *r = (struct reach){0};
}
