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

const struct function *image_function_at(const struct image *im, const struct insn *in)
{
    for (int i = 0; i < im->function_count; i++)
        if (im->functions[i]->entry && in >= im->functions[i]->entry && in < im->functions[i]->end)
            return im->functions[i];
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
