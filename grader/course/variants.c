/**
 * @file variants.c
 * See variants.h.
 */
#include "course/variants.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_kernel(const struct dirent *e)
{
    size_t len = strlen(e->d_name);
    return len > 3 && !strcmp(e->d_name + len - 3, ".cu");
}

int variants_list(const struct kit *k, const char *lab, const char *name, struct dirent ***list)
{
    char *folder = kit_path(k, "solutions/%s/%s", lab, name);
    *list = NULL;
    int n = scandir(folder, list, is_kernel, by_name);
    free(folder);
    return n;
}
