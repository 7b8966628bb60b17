/**
 * @file test_headers.c
 * Heads of files that are kept: which text has one, and when it is made, taken and made anew (grader/build/headers.h).
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build/headers.h"
#include "unit.h"

static void test_head(void)
{
    static const struct {
        const char *text, *includes; /**< NULL: no head */
        unsigned line;
    } rows[] = {
        {"#include <a>\nint x;\n", "#include <a>\n", 2},
        {"// one\n/* two\n */\n#include <a/b.h>\n\n  #  include <c++> // three\nint x;\n", "#include <a/b.h>\n#include <c++>\n", 7},
        {"#include <a>\n// #include <b>\nint x;\n", "#include <a>\n", 2},
        {"#include <a>\n#define N 1\n#include <b>\n", NULL, 0},
        {"#include <a>\n#if 1\n#pragma unroll\n#endif\n#undef N\n", "#include <a>\n", 2},
        {"#include <a>\n#pragma once\n", NULL, 0},
        {"#include <a>\n#pragma push_macro(\"N\")\n", NULL, 0},
        {"#include <a>\n#line 7\n", NULL, 0},
        {"#include <a>\n#\\\ninclude <b>\n", NULL, 0},
        {"#include <a>\n%:include <b>\n", NULL, 0},
        {"#include <a>\n#import <b>\n", NULL, 0},
        {"#include <a>\nint x = __COUNTER__;\n", NULL, 0},
        {"#include <a>\n#if __has_include(<b>)\n#endif\n", NULL, 0},
        {"#include <a>\r\nint x;\r\n", NULL, 0},
        {"// \\\n#include <a>\nint x;\n", NULL, 0},
        {"#include <a> // \\\nint x;\n", NULL, 0},
        {"#include <a> int x;\n", NULL, 0},
        {"#include </etc/passwd>\n", NULL, 0},
        {"#include <../a>\n", NULL, 0},
        {"#include <a\"b>\n", NULL, 0},
        {"#include <a$b>\n", NULL, 0},
        {"#include \"a\"\n", NULL, 0},
        {"#include <a>", NULL, 0},
        {"/* #include <a>\n", "", 1},
        {"// one\nint x;\n", "", 1},
        {"int x;\n#include <a>\n", NULL, 0},
        {"", "", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct head h;
        bool has = head_read(&h, rows[i].text);
        CU_ASSERT_EQUAL(has, rows[i].includes != NULL);
        if (has) {
            CU_ASSERT_STRING_EQUAL(h.includes, rows[i].includes);
            CU_ASSERT_EQUAL(h.line, rows[i].line);
        }
        free(h.includes);
    }
}

/** A kit in a folder of its own, and one header. */
struct place {
    struct kit kit;
    char *root, *folder, *header;
    int made;     /**< how often a head was */
    bool refuses; /**< it cannot be made */
};

static void put(const char *folder, const char *name, const char *text)
{
    char *path = text_format("%s/%s", folder, name);
    CU_ASSERT_TRUE_FATAL(text_write_file(path, text, strlen(text)));
    free(path);
}

static bool make(void *ctx, const char *head)
{
    struct place *p = ctx;
    char *made = text_format("%s/head/" HEADERS_MADE, p->folder), *text = text_format("# 0 \"kernel.cu\"\n# 1 \"%s\" 1\n# 1 \"%s//\"\n", p->header, made);
    CU_ASSERT_STRING_EQUAL(head, "#include <a>\nint " HEADERS_END ";\n");
    p->made++;
    text_make_dirs(made);
    put(made, "device.ii", text);
    put(made, "device.macros", "");
    free(made);
    free(text);
    return !p->refuses;
}

static char *find(struct place *p, const char *text)
{
    static char *const argv[] = {"nvcc", "-ptx", NULL};
    return headers_find(&p->kit, argv, text, p->folder, make, p);
}

static void open_place(struct place *p)
{
    char name[] = "/tmp/headers.XXXXXX";
    *p = (struct place){.root = text_dup(mkdtemp(name))};
    p->kit.build = text_format("%s/build", p->root);
    p->kit.nvcc = text_format("%s/nvcc", p->root);
    p->folder = text_format("%s/compile", p->root);
    p->header = text_format("%s/header", p->root);
    text_make_dirs(p->folder);
    put(p->root, "header", "one");
}

static void close_place(struct place *p)
{
    text_remove_tree(p->root);
    free(p->root);
    free(p->kit.build);
    free(p->kit.nvcc);
    free(p->folder);
    free(p->header);
}

static const char text[] = "#include <a>\nint x;\n", other[] = "// another\n\n#include <a>\nint y;\n";

/** Is there a kept head, made so often so far? */
static void expect(struct place *p, const char *of, bool kept, int made)
{
    char *folder = find(p, of);
    CU_ASSERT_EQUAL(folder != NULL, kept);
    CU_ASSERT_EQUAL(p->made, made);
    free(folder);
}

static void test_kept(void)
{
    struct place p;
    const char *why;
    size_t len;
    open_place(&p);
    expect(&p, text, false, 0);
    expect(&p, text, true, 1);
    expect(&p, other, true, 1);
    char *path = text_format("%s/" HEADERS_REST, p.folder), *rest = text_read_file(path, 1000, &len, &why);
    CU_ASSERT_STRING_EQUAL(rest, "#line 4 \"kernel.cu\"\nint y;\n");
    expect(&p, "int x;\n", false, 1);
    put(p.root, "header", "three"); /* a header that is not what it was */
    expect(&p, text, true, 2);
    expect(&p, text, true, 2);
    unlink(p.header);
    expect(&p, text, true, 3);
    put(p.root, "nvcc", "another compiler");
    expect(&p, text, false, 3);
    free(path);
    free(rest);
    close_place(&p);
}

static void test_not_made(void)
{
    struct place p;
    open_place(&p);
    p.refuses = true;
    expect(&p, text, false, 0);
    expect(&p, text, false, 1);
    expect(&p, text, false, 1);
    close_place(&p);
}

UNIT_MAIN("headers", {"how a text begins", test_head}, {"made the second time, kept, made anew", test_kept}, {"what cannot be made", test_not_made})
