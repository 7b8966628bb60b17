/**
 * @file result_file.c
 * Parsing a result file; see result_file.h. Every length is checked against what is left.
 */
#include "compare/result_file.h"

#include <stdlib.h>
#include <string.h>

#define VERSION 1
#define END_MARK 0x21444e45u

struct cursor {
    const unsigned char *at;
    size_t left;
    bool short_read;
};

static const unsigned char *take(struct cursor *c, uint64_t bytes)
{
    if (c->short_read || bytes > c->left) {
        c->short_read = true;
        return NULL;
    }
    const unsigned char *p = c->at;
    c->at += bytes;
    c->left -= bytes;
    return p;
}

static uint64_t take_number(struct cursor *c, int bytes)
{
    uint64_t v = 0;
    const unsigned char *p = take(c, (uint64_t)bytes);
    for (int i = 0; p && i < bytes; i++)
        v |= (uint64_t)p[i] << (8 * i);
    return v;
}

size_t array_type_size(int type)
{
    static const size_t sizes[] = {0, 4, 4, 8, 8, 4, 8, 1};
    return type >= ARRAY_I32 && type <= ARRAY_U8 ? sizes[type] : 0;
}

static const char *take_array(struct cursor *c, struct result_file_array *a)
{
    uint64_t name_len = take_number(c, 4);
    const unsigned char *name = take(c, name_len);
    uint64_t type = take_number(c, 4);
    a->count = take_number(c, 8);
    if (c->short_read)
        return "was cut short";
    if (name_len >= sizeof a->name || memchr(name, 0, name_len))
        return "has a bad name";
    memcpy(a->name, name, name_len);
    a->name[name_len] = 0;
    text_clean(a->name);
    size_t size = array_type_size(type > ARRAY_U8 ? 0 : (int)type);
    if (!size)
        return "has an unknown type";
    a->type = (enum array_type)type;
    if (a->count > c->left / size)
        return "was cut short";
    a->data = take(c, a->count * size);
    return NULL;
}

const char *result_file_parse(struct result_file *r, char *bytes, size_t len)
{
    struct cursor c = {(unsigned char *)bytes, len, false};
    *r = (struct result_file){.bytes = bytes};
    const unsigned char *magic = take(&c, 8);
    if (!magic || memcmp(magic, "FPRESULT", 8))
        return "is not a result file";
    if (take_number(&c, 4) != VERSION)
        return "has another version";
    uint64_t count = take_number(&c, 4);
    if (c.short_read)
        return "was cut short";
    if (count > RESULT_FILE_MAX_ARRAYS)
        return "holds too many arrays";
    for (; r->count < (int)count; r->count++) {
        const char *why = take_array(&c, &r->arrays[r->count]);
        if (why)
            return why;
    }
    if (take_number(&c, 4) != END_MARK)
        return "was cut short";
    return c.left ? "goes on after its end" : NULL;
}

const char *result_file_open(struct result_file *r, const char *path, size_t max_bytes)
{
    const char *why;
    size_t len;
    char *bytes = text_read_file(path, max_bytes, &len, &why);
    *r = (struct result_file){0};
    return bytes ? result_file_parse(r, bytes, len) : why;
}

void result_file_close(struct result_file *r)
{
    free(r->bytes);
    r->bytes = NULL;
    r->count = 0;
}
