/**
 * @file test_result.c
 * The result file, byte by byte.
 */
#include "result.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

static char path[] = "/tmp/fencepost_result_XXXXXX";

static size_t read_back(unsigned char *bytes, size_t max)
{
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(bytes, 1, max, f) : 0;
    if (f)
        fclose(f);
    return n;
}

static void test_layout(void)
{
    struct result r = {0};
    int32_t ints[] = {-1, 2};
    result_add(&r, "ab", RESULT_I32, ints, 2);
    ints[0] = 77; // copied, so no longer seen
    double none = 0;
    result_add(&r, "", RESULT_F64, &none, 0);
    CU_ASSERT(result_write(&r, path));
    result_free(&r);
    static const unsigned char expected[] = {
        'F', 'P', 'R',  'E',  'S',  'U',  'L', 'T', 1, 0, 0,    0,    2,    0,    0, 0,
        2,   0,   0,    0,    'a',  'b',  1,   0,   0, 0, 2,    0,    0,    0,    0, 0,
        0,   0,   0xff, 0xff, 0xff, 0xff, 2,   0,   0, 0, 0,    0,    0,    0,    6, 0,
        0,   0,   0,    0,    0,    0,    0,   0,   0, 0, 0x45, 0x4e, 0x44, 0x21,
    };
    unsigned char bytes[256];
    CU_ASSERT_EQUAL_FATAL(read_back(bytes, sizeof bytes), sizeof expected);
    CU_ASSERT_EQUAL(memcmp(bytes, expected, sizeof expected), 0);
}

static void test_empty_result_is_whole(void)
{
    struct result r = {0};
    CU_ASSERT(result_write(&r, path));
    unsigned char bytes[64];
    CU_ASSERT_EQUAL(read_back(bytes, sizeof bytes), 8 + 4 + 4 + 4);
}

static void test_unwritable(void)
{
    struct result r = {0};
    errno = 0;
    CU_ASSERT_FALSE(result_write(&r, "/nonexistent/folder/file"));
    CU_ASSERT_EQUAL(errno, ENOENT);
    // A device that is always full: the error may only show when the file is closed.
    CU_ASSERT_FALSE(result_write(&r, "/dev/full"));
    CU_ASSERT_EQUAL(errno, ENOSPC);
}

static void test_type_sizes(void)
{
    CU_ASSERT_EQUAL(result_type_size(RESULT_I32), 4);
    CU_ASSERT_EQUAL(result_type_size(RESULT_F64), 8);
    CU_ASSERT_EQUAL(result_type_size(RESULT_U8), 1);
    CU_ASSERT_EQUAL(result_type_size((enum result_type)0), 0);
    CU_ASSERT_EQUAL(result_type_size((enum result_type)99), 0);
}

int main(void)
{
    int fd = mkstemp(path);
    if (fd < 0)
        return 2;
    close(fd);
    static const struct unit_test tests[] = {
        {"layout", test_layout},
        {"empty", test_empty_result_is_whole},
        {"unwritable", test_unwritable},
        {"type sizes", test_type_sizes},
    };
    int status = unit_main("result file", tests, 4);
    unlink(path);
    return status;
}
