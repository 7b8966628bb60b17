/**
 * @file image.c
 * Looking things up in a decoded program, and its end.
 */
#include "code/image.h"
#include "parse/module.h"

#include <stdlib.h>
#include <string.h>

struct function *image_function(const struct image *im, const char *name)
{
    for (int i = 0; i < im->function_count; i++)
        if (strcmp(im->functions[i]->name, name) == 0)
            return im->functions[i];
    return NULL;
}

struct image_variable *image_variable(const struct image *im, const char *name)
{
    for (int i = 0; i < im->variable_count; i++)
        if (strcmp(im->variables[i].name, name) == 0)
            return &im->variables[i];
    return NULL;
}

static bool holds(const struct function *f, const struct insn *in)
{
    return f->entry && in >= f->entry && in < f->end;
}

const struct function *image_function_at(const struct image *im, const struct insn *in)
{
    int *last = &((struct image *)im)->asked_last, at = __atomic_load_n(last, __ATOMIC_RELAXED); /* several threads may ask */
    if (at < im->function_count && holds(im->functions[at], in))
        return im->functions[at];
    for (int i = 0; i < im->function_count; i++)
        if (holds(im->functions[i], in)) {
            __atomic_store_n(last, i, __ATOMIC_RELAXED);
            return im->functions[i];
        }
    return NULL;
}

void image_free(struct image *im)
{
    if (!im)
        return;
    free(im->constants);
    arena_free(&im->arena);
    module_free(im->module);
    free(im);
}
