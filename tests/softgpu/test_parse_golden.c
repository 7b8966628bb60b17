/**
 * @file test_parse_golden.c
 * Each tests/ptx/X.ptx parses into what tests/ptx/X.module shows.
 * UPDATE=1 writes the .module files anew.
 */
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "parse/dump.h"
#include "unit.h"

static char *read_file(const char *path, size_t *len)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return NULL;
    char *text = NULL;
    FILE *copy = open_memstream(&text, len);
    for (int c; (c = fgetc(f)) != EOF;)
        fputc(c, copy);
    fclose(f);
    fclose(copy);
    return text;
}

/** The dump of a file's module, or of its diagnostic. */
static char *dump_of(const char *path)
{
    size_t len = 0, size = 0;
    char *text = read_file(path, &len), *out = NULL;
    struct diag d = {0};
    FILE *f = open_memstream(&out, &size);
    struct ptx_module *m = module_parse(path, text, len, &d);
    if (m)
        module_dump(f, m);
    else
        diag_print(f, "ptx", &d);
    fclose(f);
    module_free(m);
    free(text);
    return out;
}

static void check(const char *path)
{
    char expected_path[512];
    size_t len;
    snprintf(expected_path, sizeof expected_path, "%.*s.module", (int)strlen(path) - 4, path);
    char *got = dump_of(path);
    if (getenv("UPDATE")) {
        FILE *f = fopen(expected_path, "w");
        CU_ASSERT_PTR_NOT_NULL_FATAL(f);
        fputs(got, f);
        fclose(f);
    }
    char *want = read_file(expected_path, &len);
    CU_ASSERT_PTR_NOT_NULL_FATAL(want);
    if (strcmp(got, want)) {
        size_t same = 0;
        while (got[same] == want[same])
            same++;
        printf("\n    %s differs from byte %zu: %.60s\n", expected_path, same, got + same);
        CU_FAIL("dump differs");
    }
    free(got);
    free(want);
}

static void test_files(void)
{
    glob_t g;
    CU_ASSERT_EQUAL_FATAL(glob("tests/ptx/*.ptx", 0, NULL, &g), 0);
    CU_ASSERT(g.gl_pathc >= 4);
    for (size_t i = 0; i < g.gl_pathc; i++)
        check(g.gl_pathv[i]);
    globfree(&g);
}

UNIT_MAIN("parse golden", {"tests/ptx", test_files})
