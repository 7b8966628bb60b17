/**
 * @file test_fatbin.c
 * The fat-binary reader: containers built here byte by byte, good, unsuitable and damaged.
 */
#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "runtime/code/fatbin.h"
#include "unit.h"

enum packing { RAW, LZ4, ZSTD };

struct buffer {
    uint8_t bytes[65536];
    size_t used;
};

static void put(uint8_t *p, uint64_t value, int bytes)
{
    memcpy(p, &value, (size_t)bytes);
}

static void begin(struct buffer *b)
{
    memset(b, 0, sizeof *b);
    put(b->bytes, FATBIN_MAGIC, 4);
    put(b->bytes + 4, 1, 2);
    put(b->bytes + 6, 16, 2);
    b->used = 16;
}

/* Appends an entry; @return its offset */
static size_t add(struct buffer *b, int kind, unsigned sm, const char *text, enum packing packing)
{
    size_t at = b->used, bytes = strlen(text) + 1, packed = 0;
    uint8_t *e = b->bytes + at, *payload = e + 0x40;
    if (packing == LZ4)
        packed = (size_t)LZ4_compress_default(text, (char *)payload, (int)bytes, 16384);
    else if (packing == ZSTD)
        packed = ZSTD_compress(payload, 16384, text, bytes, 3);
    else
        memcpy(payload, text, bytes);
    size_t padded = ((packed ? packed : bytes) + 7) / 8 * 8;
    put(e, (uint64_t)kind, 2);
    put(e + 0x04, 0x40, 4);
    put(e + 0x08, padded, 8);
    put(e + 0x10, packed, 4);
    put(e + 0x18, 0, 2);
    put(e + 0x1a, 9, 2);
    put(e + 0x1c, sm, 4);
    put(e + 0x28, packing == LZ4 ? 0x2011 : packing == ZSTD ? 0x8011 : 0x11, 8);
    put(e + 0x38, packed ? bytes : 0, 8);
    b->used += 0x40 + padded;
    put(b->bytes + 8, b->used - 16, 8);
    return at;
}

/* The same of plain text, with a header of `header` bytes, which are zero behind the first 0x40. */
static size_t add_behind(struct buffer *b, int kind, unsigned sm, const char *text, size_t header)
{
    size_t at = add(b, kind, sm, text, RAW), payload = b->used - at - 0x40;
    memmove(b->bytes + at + header, b->bytes + at + 0x40, payload);
    memset(b->bytes + at + 0x40, 0, header - 0x40);
    put(b->bytes + at + 0x04, header, 4);
    b->used += header - 0x40;
    put(b->bytes + 8, b->used - 16, 8);
    return at;
}

/* Reads from a copy of exactly the bytes that are there, so that a sanitizer sees any overrun. */
static enum fatbin_status read_ptx(const struct buffer *b, int sm, struct fatbin_ptx *out,
                                   struct diag *d)
{
    void *exact = malloc(b->used);
    memcpy(exact, b->bytes, b->used);
    memset(d, 0, sizeof *d);
    memset(out, 0, sizeof *out);
    enum fatbin_status s = fatbin_find_ptx(exact, b->used, sm, out, d);
    free(exact);
    return s;
}

static void expect_text(const struct buffer *b, int sm, const char *text)
{
    struct fatbin_ptx ptx;
    struct diag d;
    CU_ASSERT_EQUAL(read_ptx(b, sm, &ptx, &d), FATBIN_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(ptx.text);
    CU_ASSERT_STRING_EQUAL(ptx.text, text);
    CU_ASSERT_EQUAL(ptx.bytes, strlen(text));
    CU_ASSERT_EQUAL(ptx.major, 9);
    free(ptx.text);
}

static void expect_failure(const struct buffer *b, int sm, enum fatbin_status want,
                           const char *word)
{
    struct fatbin_ptx ptx;
    struct diag d;
    CU_ASSERT_EQUAL(read_ptx(b, sm, &ptx, &d), want);
    CU_ASSERT_PTR_NULL(ptx.text);
    CU_ASSERT_NOT_EQUAL(d.kind, DIAG_NONE);
    CU_ASSERT_PTR_NOT_NULL(strstr(d.message, word));
}

static const char text_75[] = ".version 9.0\n.target sm_75\n.address_size 64\n";
static const char text_80[] = ".version 9.0\n.target sm_80\n.address_size 64\n// eighty\n";
static const char text_100[] = ".version 9.0\n.target sm_100\n.address_size 64\n";

static void test_packings(void)
{
    for (enum packing p = RAW; p <= ZSTD; p++) {
        struct buffer b;
        begin(&b);
        add(&b, 2, 90, "machine code", RAW);
        add(&b, 1, 75, text_75, p);
        expect_text(&b, 90, text_75);
    }
}

static void test_best_architecture(void)
{
    struct buffer b;
    begin(&b);
    add(&b, 1, 80, text_80, ZSTD);
    add(&b, 1, 75, text_75, LZ4);
    add(&b, 1, 100, text_100, RAW);
    expect_text(&b, 90, text_80);
    expect_text(&b, 75, text_75);
    expect_text(&b, 100, text_100);
    expect_failure(&b, 70, FATBIN_TOO_NEW, "newer devices");
    begin(&b);
    add(&b, 1, 103, text_100, RAW);
    expect_failure(&b, 100, FATBIN_TOO_NEW, "newer devices than sm_100");
    expect_text(&b, 103, text_100);
}

/* nvcc's -maxrregcount stands in the entry's header; a place that lies outside of it, or a length that leads there, is none. */
static void test_register_option(void)
{
    static const struct { const char *options; unsigned most; uint32_t place, bytes; } cases[] = {
        {"-v   -maxrregcount=40 ", 40, 0, 0}, {" -maxrregcount 33", 33, 0, 0}, {" --maxrregcount=8 ", 24, 0, 0},
        {"-maxrregcount=256 ", 0, 0, 0}, {"-maxrregcount=0", 0, 0, 0}, {"-v ", 0, 0, 0}, {"-maxrregcount", 0, 0, 0},
        {"-maxrregcount=40 -maxrregcount=48", 48, 0, 0}, {"-maxrregcount=40", 0, 0x7c, 0}, {"-maxrregcount=40", 0, 0xfffffff8u, 0},
        {"-maxrregcount=40", 0, 0, 0x100}, {"-maxrregcount=40", 0, 0, UINT32_MAX},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buffer b;
        char want[256];
        begin(&b);
        uint8_t *e = b.bytes + add_behind(&b, 1, 75, text_75, 0x80);
        put(e + 0x14, cases[i].place ? cases[i].place : 0x40, 4);
        put(e + 0x40, 0x48, 4);
        put(e + 0x44, cases[i].bytes ? cases[i].bytes : strlen(cases[i].options), 4);
        memcpy(e + 0x48, cases[i].options, strlen(cases[i].options));
        snprintf(want, sizeof want, cases[i].most ? "%s\n.pragma \"softgpu max_registers %u\";\n" : "%s", text_75, cases[i].most);
        expect_text(&b, 90, want);
    }
}

/* .target sm_90a runs on sm_90 alone, sm_100f on sm_100 and sm_103; the flags are nvcc's. */
static void test_suffixes(void)
{
    struct buffer b;
    begin(&b);
    add(&b, 1, 80, text_80, RAW);
    put(b.bytes + add(&b, 1, 90, text_75, RAW) + 0x28, 0x100011, 8);
    put(b.bytes + add(&b, 1, 100, text_100, RAW) + 0x28, 0x200011, 8);
    expect_text(&b, 90, text_75);
    expect_text(&b, 95, text_80);
    expect_text(&b, 103, text_100);
    expect_text(&b, 120, text_80);
    begin(&b);
    put(b.bytes + add(&b, 1, 90, text_75, RAW) + 0x28, 0x100011, 8);
    expect_failure(&b, 100, FATBIN_TOO_NEW, "other devices than sm_100");
    expect_failure(&b, 80, FATBIN_TOO_NEW, "newer devices");
}

static void test_no_ptx(void)
{
    struct buffer b;
    begin(&b);
    add(&b, 2, 80, "machine code", RAW);
    expect_failure(&b, 90, FATBIN_NO_PTX, "-arch=compute_75");
}

static void test_damage(void)
{
    struct buffer b;
    begin(&b);
    size_t at = add(&b, 1, 75, text_75, ZSTD);
    struct buffer c = b;
    put(c.bytes, 0, 4);
    expect_failure(&c, 90, FATBIN_BROKEN, "header");
    c = b;
    put(c.bytes + 8, 1 << 30, 8);
    expect_failure(&c, 90, FATBIN_BROKEN, "shorter");
    c = b;
    put(c.bytes + at + 0x08, UINT64_MAX - 32, 8);
    expect_failure(&c, 90, FATBIN_BROKEN, "past its end");
    c = b;
    put(c.bytes + at + 0x04, 0xffffffff, 4);
    expect_failure(&c, 90, FATBIN_BROKEN, "past its end");
    c = b;
    put(c.bytes + at + 0x10, 0x7fffffff, 4);
    expect_failure(&c, 90, FATBIN_BROKEN, "past its entry");
    c = b;
    put(c.bytes + at + 0x38, 1ull << 40, 8);
    expect_failure(&c, 90, FATBIN_BROKEN, "256 MiB");
    c = b;
    put(c.bytes + at + 0x38, strlen(text_75) + 9, 8);
    expect_failure(&c, 90, FATBIN_BROKEN, "damaged");
    c = b;
    c.used = 12;
    expect_failure(&c, 90, FATBIN_BROKEN, "header");
}

/* Every single byte of a container set to every of a few values: no crash, and an answer. */
static void test_flipped_bytes(void)
{
    static const uint8_t values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
    struct buffer b;
    begin(&b);
    add(&b, 1, 75, text_75, ZSTD);
    add(&b, 1, 80, text_80, LZ4);
    int good = 0, bad = 0;
    for (size_t i = 0; i < b.used; i++)
        for (unsigned v = 0; v < sizeof values; v++) {
            struct buffer c = b;
            c.bytes[i] = values[v];
            struct fatbin_ptx ptx;
            struct diag d;
            enum fatbin_status s = read_ptx(&c, 90, &ptx, &d);
            good += s == FATBIN_OK;
            bad += s != FATBIN_OK;
            CU_ASSERT_EQUAL(s == FATBIN_OK, ptx.text != NULL);
            CU_ASSERT_EQUAL(s == FATBIN_OK, d.kind == DIAG_NONE);
            free(ptx.text);
        }
    CU_ASSERT(good > 0 && bad > 0);
}

static void test_truncated(void)
{
    struct buffer b;
    begin(&b);
    add(&b, 1, 75, text_75, RAW);
    for (size_t n = 1; n < b.used; n++) {
        struct buffer c = b;
        c.used = n;
        expect_failure(&c, 90, FATBIN_BROKEN, "broken");
    }
}

UNIT_MAIN("fat binary", {"packings", test_packings},
          {"best architecture", test_best_architecture}, {"suffixes", test_suffixes}, {"register option", test_register_option},
          {"no PTX", test_no_ptx},
          {"damage", test_damage}, {"flipped bytes", test_flipped_bytes},
          {"truncated", test_truncated})
