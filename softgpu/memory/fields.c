/**
 * @file fields.c
 * What a program calls its allocations, and the fields of their elements; see memory.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"

void memory_label(struct memory *m, uint64_t address, const char *label)
{
    struct allocation *a = memory_find(m, address);
    if (!a)
        return;
    size_t name = strcspn(label, "{"), rest = label[name] ? strcspn(label + name + 1, "}") : 0;
    free(a->label);
    free(a->fields);
    a->label = strndup(label, name);
    a->fields = rest ? strndup(label + name + 1, rest) : NULL;
}

/** The next field of a list, its bytes in `bytes`. @return its name's length, 0 at the end */
static size_t next_field(const char **at, const char **name, uint64_t *bytes)
{
    *name = *at + strspn(*at, " ");
    size_t length = strcspn(*name, " :");
    char *end = (char *)*name + length;
    *bytes = *end == ':' ? strtoul(end + 1, &end, 10) : 4;
    *at = end;
    return *bytes ? length : 0;
}

void memory_part(const struct allocation *a, uint64_t offset, char *out, size_t size)
{
    uint64_t stride = 0, bytes;
    const char *name, *at = a->fields;
    out[0] = '\0';
    while (at && next_field(&at, &name, &bytes))
        stride += bytes;
    if (!stride)
        return;
    uint64_t left = offset % stride;
    size_t length;
    for (at = a->fields; (length = next_field(&at, &name, &bytes)) && left >= bytes;)
        left -= bytes;
    if (left || !length)
        return;
    if (a->bytes == stride)
        snprintf(out, size, ".%.*s", (int)length, name);
    else
        snprintf(out, size, "[%" PRIu64 "].%.*s", offset / stride, (int)length, name);
}
