/**
 * @file gpu_record.h
 * Reads the results files of tests/gpu/record_numerics.cu, plain or zstd-compressed.
 */
#ifndef TESTS_SOFTGPU_GPU_RECORD_H
#define TESTS_SOFTGPU_GPU_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

/** One form's results; the pointers lie in the file's buffer. */
struct record {
    const char *name;        /**< not terminated */
    unsigned name_length;
    unsigned bytes;          /**< of a result */
    bool failed;             /**< ended in a device error */
    uint32_t stored, hashes;
    const uint8_t *results;  /**< stored * bytes, then hashes * 4 */
};

struct record_file {
    uint8_t *data;
    size_t size;
    char title[256];         /**< device, driver, date */
    struct record *records;
    unsigned count;
};

#define RECORD_FILE_LIMIT (64u << 20)

static inline bool record_file_load(struct record_file *f, const char *path)
{
    FILE *in = fopen(path, "rb");
    uint8_t *raw = in ? malloc(RECORD_FILE_LIMIT) : NULL;
    size_t size = raw ? fread(raw, 1, RECORD_FILE_LIMIT, in) : 0;
    if (in)
        fclose(in);
    unsigned long long plain = size ? ZSTD_getFrameContentSize(raw, size) : ZSTD_CONTENTSIZE_ERROR;
    if (plain == ZSTD_CONTENTSIZE_ERROR || plain == ZSTD_CONTENTSIZE_UNKNOWN) {
        f->data = raw;
        f->size = size;
        return size > 0;
    }
    f->data = plain <= RECORD_FILE_LIMIT ? malloc(plain) : NULL;
    f->size = f->data ? ZSTD_decompress(f->data, plain, raw, size) : 0;
    free(raw);
    return f->data && !ZSTD_isError(f->size);
}

static inline uint32_t record_u32(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/** @return false where the file is missing, cut short or not such a file */
static inline bool record_file_open(struct record_file *f, const char *path)
{
    static const char magic[] = "fencepost numerics 1\n";
    memset(f, 0, sizeof *f);
    if (!record_file_load(f, path) || f->size < sizeof magic ||
        memcmp(f->data, magic, sizeof magic - 1) != 0)
        return false;
    size_t at = sizeof magic - 1, start = at;
    while (at < f->size && f->data[at] != '\n')
        at++;
    snprintf(f->title, sizeof f->title, "%.*s", (int)(at - start), (const char *)f->data + start);
    at++;
    f->records = calloc(f->size / 12 + 1, sizeof *f->records);
    while (f->records && at < f->size) {
        struct record *r = &f->records[f->count];
        if (f->size - at < 2)
            return false;
        r->name_length = f->data[at] | f->data[at + 1] << 8;
        if (f->size - at < 12u + r->name_length)
            return false;
        r->name = (const char *)f->data + at + 2;
        at += 2 + r->name_length;
        r->bytes = f->data[at];
        r->failed = f->data[at + 1] != 0;
        r->stored = record_u32(f->data + at + 2);
        r->hashes = record_u32(f->data + at + 6);
        at += 10;
        r->results = f->data + at;
        uint64_t length = (uint64_t)r->stored * r->bytes + (uint64_t)r->hashes * 4;
        if (r->bytes > 8 || f->size - at < length)
            return false;
        at += (size_t)length;
        f->count++;
    }
    return f->count > 0;
}

/** The form's record, NULL if it has none. Forms stand in the table's order: `hint` is tried first. */
static inline const struct record *record_find(const struct record_file *f, const char *name,
                                               unsigned hint)
{
    size_t length = strlen(name);
    for (unsigned i = 0; i <= f->count; i++) {
        unsigned at = i == 0 ? hint : i - 1;
        if (at < f->count && f->records[at].name_length == length &&
            memcmp(f->records[at].name, name, length) == 0)
            return &f->records[at];
    }
    return NULL;
}

static inline uint64_t record_result(const struct record *r, uint32_t i)
{
    uint64_t v = 0;
    for (unsigned b = 0; b < r->bytes; b++)
        v |= (uint64_t)r->results[(size_t)i * r->bytes + b] << (8 * b);
    return v;
}

static inline uint32_t record_hash(const struct record *r, uint32_t i)
{
    return record_u32(r->results + (size_t)r->stored * r->bytes + (size_t)i * 4);
}

static inline void record_file_close(struct record_file *f)
{
    free(f->data);
    free(f->records);
}

#endif
