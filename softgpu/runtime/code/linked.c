/**
 * @file linked.c
 * See linked.h. Object files are not read as such: a fat binary begins with a number that tells it.
 */
#include "runtime/code/linked.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/code/register_bound.h"

#define MAX_BYTES (256u << 20)

enum fatbin_status linked_add(struct linked *l, const char *ptx, size_t bytes, struct diag *d)
{
    if (bytes > MAX_BYTES || l->bytes > MAX_BYTES - bytes) {
        diag_at(d, DIAG_SYNTAX, NULL, 0, 0, "the modules to link have more than %u MiB of PTX", MAX_BYTES >> 20);
        return FATBIN_BROKEN;
    }
    l->text = realloc(l->text, l->bytes + bytes + 2);
    if (!l->text)
        abort();
    memcpy(l->text + l->bytes, ptx, bytes);
    l->bytes += bytes;
    l->text[l->bytes++] = '\n';
    l->text[l->bytes] = 0;
    return FATBIN_OK;
}

enum fatbin_status linked_add_fatbin(struct linked *l, const void *data, size_t limit, int sm, struct diag *d)
{
    struct fatbin_ptx one;
    if (fatbin_is_device_runtime(data, limit))
        return FATBIN_OK;
    enum fatbin_status status = fatbin_find_ptx(data, limit, sm, &one, d);
    if (status)
        return status;
    status = linked_add(l, one.text, one.bytes, d);
    free(one.text);
    return status;
}

enum fatbin_status linked_add_object(struct linked *l, const void *data, size_t bytes, int sm, struct diag *d)
{
    static const uint8_t begin[] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0}; /* FATBIN_MAGIC, version, header */
    const uint8_t *at = data, *end = at + bytes;
    int count = 0;
    for (; (at = memmem(at, (size_t)(end - at), begin, sizeof begin)); at += sizeof begin, count++) {
        enum fatbin_status status = linked_add_fatbin(l, at, (size_t)(end - at), sm, d);
        if (status)
            return status;
    }
    if (count)
        return FATBIN_OK;
    diag_at(d, DIAG_SYNTAX, NULL, 0, 0, "no device code in the object file or library");
    return FATBIN_BROKEN;
}

enum fatbin_status linked_add_parts(struct linked *l, const void *const *parts, int sm, struct diag *d)
{
    for (int i = 0; parts && parts[i]; i++) {
        enum fatbin_status status = linked_add_fatbin(l, parts[i], SIZE_MAX, sm, d);
        if (status)
            return status;
    }
    return FATBIN_OK;
}

enum fatbin_status linked_one(struct linked *l, const char *ptx, size_t bytes, unsigned most_registers, bool whole, struct diag *d)
{
    static const char declaration[] = ".extern";
    char bound[REGISTER_BOUND_BYTES];
    whole = whole && memmem(ptx, bytes, declaration, sizeof declaration - 1);
    if (!most_registers && !whole)
        return FATBIN_OK;
    enum fatbin_status status = linked_add(l, ptx, bytes, d);
    if (status)
        return status;
    if (most_registers) {
        register_bound_text(bound, most_registers);
        linked_add(l, bound, strlen(bound), d);
    }
    if (whole)
        linked_end(l);
    return FATBIN_OK;
}

void linked_end(struct linked *l)
{
    static const char nothing[] = ".version 6.0\n.target sm_30\n.address_size 64\n";
    struct diag unused = {0};
    linked_add(l, nothing, sizeof nothing - 1, &unused);
}
