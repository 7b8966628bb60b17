/**
 * @file result.c
 * Writes the result file. The machines that CUDA runs on are little-endian, as the format is.
 */
#include "result.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the result file is written as it lies");

size_t result_type_size(enum result_type type)
{
    static const size_t size[] = {
        [RESULT_I32] = 4, [RESULT_U32] = 4, [RESULT_I64] = 8, [RESULT_U64] = 8,
        [RESULT_F32] = 4, [RESULT_F64] = 8, [RESULT_U8] = 1,
    };
    return (unsigned)type < sizeof size / sizeof size[0] ? size[type] : 0;
}

void result_add(struct result *r, const char *name, enum result_type type, const void *data,
                size_t count)
{
    assert(r->count < RESULT_MAX_ARRAYS && result_type_size(type) > 0);
    struct result_array *a = &r->arrays[r->count++];
    assert(strlen(name) < sizeof a->name);
    strcpy(a->name, name);
    a->type = type;
    a->count = count;
    size_t bytes = count * result_type_size(type);
    a->data = malloc(bytes ? bytes : 1);
    if (!a->data)
        abort();
    if (bytes)
        memcpy(a->data, data, bytes);
}

static bool put(FILE *f, const void *data, size_t bytes)
{
    return bytes == 0 || fwrite(data, 1, bytes, f) == bytes;
}

static bool put_u32(FILE *f, uint32_t value)
{
    return put(f, &value, sizeof value);
}

static bool put_array(FILE *f, const struct result_array *a)
{
    uint32_t length = (uint32_t)strlen(a->name);
    return put_u32(f, length) && put(f, a->name, length) && put_u32(f, a->type) &&
           put(f, &a->count, sizeof a->count) &&
           put(f, a->data, a->count * result_type_size(a->type));
}

static bool put_all(FILE *f, const struct result *r)
{
    bool ok = put(f, "FPRESULT", 8) && put_u32(f, RESULT_VERSION) && put_u32(f, r->count);
    for (unsigned i = 0; ok && i < r->count; i++)
        ok = put_array(f, &r->arrays[i]);
    return ok && put_u32(f, RESULT_END);
}

bool result_write(const struct result *r, const char *path)
{
    FILE *f = fopen(path, "wb");
    if (!f)
        return false;
    bool ok = put_all(f, r);
    // fclose() may be the first to meet a full disk.
    return fclose(f) == 0 && ok;
}

void result_free(struct result *r)
{
    for (unsigned i = 0; i < r->count; i++)
        free(r->arrays[i].data);
    r->count = 0;
}
