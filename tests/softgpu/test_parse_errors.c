/**
 * @file test_parse_errors.c
 * What is not PTX, what is not supported, what is too much: each with its line, kind and words.
 */
#include <stdio.h>
#include <string.h>

#include "parse/module.h"
#include "unit.h"

#define HEAD ".version 9.0\n.target sm_75\n.address_size 64\n"
#define BODY HEAD ".func f\n{\n.reg .b32 %r<4>; .reg .pred %p<3>; .reg .v2 .b32 %v;\n"

struct bad {
    const char *text;
    enum diag_kind kind;
    int line;
    const char *words;
};

static const struct bad module_level[] = {
    {"", DIAG_SYNTAX, 1, ".version"},
    {"\n\nhello", DIAG_SYNTAX, 3, ".version"},
    {".version 9", DIAG_SYNTAX, 1, "version"},
    {".version 9.0.1", DIAG_SYNTAX, 1, ".target"},
    {".version 99999999999.0", DIAG_SYNTAX, 1, "version"},
    {".version 10.0\n", DIAG_UNSUPPORTED, 1, "newer"},
    {".version 9.0\n.target sm_75\n.address_size 32", DIAG_UNSUPPORTED, 3, "64-bit"},
    {HEAD ".include \"x\"", DIAG_UNSUPPORTED, 4, "include"},
    {HEAD "#include \"x\"", DIAG_SYNTAX, 4, "preprocess"},
    {HEAD ".nonsense 1", DIAG_SYNTAX, 4, "directive"},
    {HEAD "mov.u32 %r1, 1;", DIAG_SYNTAX, 4, "directive"},
    {HEAD "/* open", DIAG_SYNTAX, 4, "comment"},
    {HEAD ".global .u32 a", DIAG_SYNTAX, 4, "';'"},
    {HEAD ".global .u33 a;", DIAG_SYNTAX, 4, "type"},
    {HEAD ".global .align 3 .u32 a;", DIAG_SYNTAX, 4, "power of two"},
    {HEAD ".global .u32 a;\n.global .u32 a;", DIAG_SYNTAX, 5, "twice"},
    {HEAD ".global .u32 a;\n.func a { ret; }", DIAG_SYNTAX, 5, "both"},
    {HEAD ".func a { ret; }\n.func a { ret; }", DIAG_SYNTAX, 5, "twice"},
    {HEAD ".global .u32 a[-1];", DIAG_SYNTAX, 4, "number of elements"},
    {HEAD ".global .u32 a[9999999999999];", DIAG_LIMIT, 4, "range"},
    {HEAD ".global .u32 a[1048576][1048576][1048576];", DIAG_LIMIT, 4, "larger"},
    {HEAD ".global .u32 a[][1099511627776][1099511627776] = {{{1}}};", DIAG_LIMIT, 4, "larger"},
    {HEAD ".global .u32 a[][4000000][2] = {{{1}}};", DIAG_LIMIT, 4, "initialisers"},
    {HEAD ".global .u32 a[1][1][1][1][1][1][1][1][1];", DIAG_LIMIT, 4, "dimensions"},
    {HEAD ".global .u32 a[2] = {1, 2, 3};", DIAG_SYNTAX, 4, "more initial values"},
    {HEAD ".global .u32 a[2][2] = {{1, 2, 3}};", DIAG_SYNTAX, 4, "more initial values"},
    {HEAD ".global .u32 a[2][2] = {1, {2, 3}};", DIAG_SYNTAX, 4, "braces"},
    {HEAD ".global .u32 a[2] = {{{{{{{1}}}}}}};", DIAG_SYNTAX, 4, "braces"},
    {HEAD ".global .u32 a = 1/0;", DIAG_SYNTAX, 4, "zero"},
    {HEAD ".global .u32 a = 1.5;", DIAG_SYNTAX, 4, "integer"},
    {HEAD ".global .f16 a = 1.5;", DIAG_SYNTAX, 4, "f16"},
    {HEAD ".global .f32 a = 0f3F800000+1;", DIAG_SYNTAX, 4, "0f"},
    {HEAD ".global .u64 a = b;", DIAG_SYNTAX, 4, "not declared"},
    {HEAD ".global .u32 b;\n.global .u8 a = 0xf0(b);", DIAG_SYNTAX, 5, "mask"},
    {HEAD ".global .f32 a = 1;", DIAG_SYNTAX, 4, "real number"},
    {HEAD ".global .f64 a[2] = {1.0, 2};", DIAG_SYNTAX, 4, "real number"},
    {HEAD ".global .u8 b[4];\n.global .b64 a = b;", DIAG_SYNTAX, 5, "address"},
    {HEAD ".global .u8 b[4];\n.global .u8 a[2] = {b, 0};", DIAG_SYNTAX, 5, "address"},
    {HEAD ".global .u8 b[4];\n.global .b8 a = 0xff(b);", DIAG_SYNTAX, 5, "mask"},
    {HEAD ".global .u32 a = {1};", DIAG_SYNTAX, 4, "without braces"},
    {HEAD ".global .u32 a[2] = 1;", DIAG_SYNTAX, 4, "with braces"},
    {HEAD ".global .u32 a[2][2] = {1, 2, 3, 4};", DIAG_SYNTAX, 4, "braces"},
    {HEAD ".global .v2 .u32 a = 1;", DIAG_SYNTAX, 4, "with braces"},
    {HEAD ".global .v2 .u32 a[2] = {1, 2, 3, 4};", DIAG_SYNTAX, 4, "braces"},
    {HEAD ".global .v2 .u32 a[2] = {{1}, {2}};", DIAG_SYNTAX, 4, "vector"},
    {HEAD ".global .u32 a[0];", DIAG_SYNTAX, 4, "no elements"},
    {HEAD ".global .pred a;", DIAG_SYNTAX, 4, "predicate"},
    {HEAD ".shared .u32 a = 1;", DIAG_SYNTAX, 4, "no initialiser"},
    {HEAD ".const .b32 a[];", DIAG_SYNTAX, 4, ".extern"},
    {HEAD ".func f() { .shared .b32 a[]; ret; }", DIAG_SYNTAX, 4, ".extern"},
    {HEAD ".global .texref t;", DIAG_UNSUPPORTED, 4, "textures"},
    {HEAD ".func f {", DIAG_SYNTAX, 4, "no end"},
    {HEAD ".func f ret;", DIAG_SYNTAX, 4, "';'"},
    {HEAD ".func f(.param .b32 a, .param .b32 a) { ret; }", DIAG_SYNTAX, 4, "twice"},
    {HEAD ".func f(.global .b32 a) { ret; }", DIAG_SYNTAX, 4, ".param"},
    {HEAD ".entry f .maxwhat 3 { ret; }", DIAG_SYNTAX, 4, "maxwhat"},
    {HEAD ".section .debug_str {", DIAG_SYNTAX, 4, "no end"},
    {HEAD ".file x", DIAG_SYNTAX, 4, "file number"},
    {HEAD ".alias a, b;", DIAG_SYNTAX, 4, "not declared"},
    {HEAD ".func a();\n.alias a, b;", DIAG_SYNTAX, 5, "not a function"},
    {HEAD ".func a()\n{\nbra L;\nret;\n}", DIAG_SYNTAX, 6, "not declared"},
    {HEAD ".func a()\n{\n{ L: ret; }\nbra L;\nret;\n}", DIAG_SYNTAX, 7, "not declared"},
    {HEAD ".func a()\n{\nT: .branchtargets L;\nret;\n}", DIAG_SYNTAX, 6, "no label"},
    {HEAD ".func f(.param .b32 a);\n.func f() { ret; }", DIAG_SYNTAX, 5, "line 4"},
};

static const struct bad bodies[] = {
    {"mov.u32 %r4, 1;\n}", DIAG_SYNTAX, 7, "%r4"},
    {"\nmov.u32 %foo.x, 1;\n}", DIAG_SYNTAX, 8, "%foo.x"},
    {"mov.u32 %r1, %tid.q;\n}", DIAG_SYNTAX, 7, "%tid.q"},
    {"mov.u32 %r1 1;\n}", DIAG_SYNTAX, 7, "';'"},
    {"mov.u32 %r1, 1\n}", DIAG_SYNTAX, 8, "';'"},
    {"mov.u32 %r1, ;\n}", DIAG_SYNTAX, 7, "constant"},
    {"mov.u32 %r1, 1+;\n}", DIAG_SYNTAX, 7, "constant"},
    {"mov.u32 %r1, -x;\n}", DIAG_SYNTAX, 7, "sign"},
    {"mov.u32 %v.z, 1;\n}", DIAG_SYNTAX, 7, "element"},
    {"ld.global.u32 %r1, [%r2;\n}", DIAG_SYNTAX, 7, "']'"},
    {"ld.global.u32 %r1, [%r2+%r3];\n}", DIAG_SYNTAX, 7, "constant"},
    {"ld.global.u32 %r1, [0f00000000];\n}", DIAG_SYNTAX, 7, "address"},
    {"ld.global.u32 %r1, a[3];\n}", DIAG_UNSUPPORTED, 7, "[name+bytes]"},
    {"mov.b32 {%r1, %r2, %r3;\n}", DIAG_SYNTAX, 7, "'}'"},
    {"@%r1 ret;\n}", DIAG_SYNTAX, 7, "predicate"},
    {"@5 ret;\n}", DIAG_SYNTAX, 7, "predicate"},
    {"a: ret;\na: ret;\n}", DIAG_SYNTAX, 8, "twice"},
    {".reg .b32 %r1;\n}", DIAG_SYNTAX, 7, "twice"},
    {".reg .b32 %x<999999999>;\n}", DIAG_LIMIT, 7, "registers"},
    {".reg .b32 %x<-1>;\n}", DIAG_SYNTAX, 7, "count"},
    {".reg .q32 %x;\n}", DIAG_SYNTAX, 7, "type"},
    {".loc 1 x 2\n}", DIAG_SYNTAX, 7, "line"},
    {".loc 1 2 3, nonsense\n;;\n}", DIAG_SYNTAX, 7, "function_name"},
    {".maxntid 3\n}", DIAG_UNSUPPORTED, 7, "maxntid"},
    {"call (%r1, f, ();\n}", DIAG_SYNTAX, 7, "operand list"},
    {"ret;\n}\n}", DIAG_SYNTAX, 9, "module scope"},
    {"ret;", DIAG_SYNTAX, 7, "no end"},
};

static void check(const char *text, const struct bad *b)
{
    struct diag d = {0};
    struct ptx_module *m = module_parse("test", text, strlen(text), &d);
    bool good = !m && d.kind == b->kind && d.line == b->line && strstr(d.message, b->words) &&
                d.column > 0;
    /* A diagnostic about the module as a whole knows its line only. */
    good |= !m && d.kind == b->kind && d.line == b->line && d.column == 0 &&
            strstr(d.message, b->words);
    if (!good) {
        printf("\n    for: %s\n", b->text);
        diag_print(stdout, "    got", &d);
    }
    CU_ASSERT_TRUE(good);
    module_free(m);
}

static void test_module_level(void)
{
    for (size_t i = 0; i < sizeof module_level / sizeof module_level[0]; i++)
        check(module_level[i].text, &module_level[i]);
}

static void test_bodies(void)
{
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        char text[1000];
        snprintf(text, sizeof text, "%s%s", BODY, bodies[i].text);
        check(text, &bodies[i]);
    }
}

/** `prefix`, then `unit` many times, then `suffix`: must end in a diagnostic, soon. */
static void check_repeated(const char *prefix, const char *unit, int times, const char *suffix,
                           const char *words)
{
    size_t len = strlen(unit);
    char *text = malloc(strlen(prefix) + len * (size_t)times + strlen(suffix) + 1);
    char *at = stpcpy(text, prefix);
    for (int i = 0; i < times; i++)
        at = stpcpy(at, unit);
    strcpy(at, suffix);
    struct diag d = {0};
    struct ptx_module *m = module_parse("test", text, strlen(text), &d);
    CU_ASSERT_PTR_NULL(m);
    CU_ASSERT_EQUAL(d.kind, DIAG_LIMIT);
    CU_ASSERT_PTR_NOT_NULL(strstr(d.message, words));
    if (d.kind != DIAG_LIMIT)
        diag_print(stdout, unit, &d);
    module_free(m);
    free(text);
}

static void test_depth(void)
{
    check_repeated(BODY, "{", 100000, "", "nest");
    check_repeated(HEAD ".global .u32 a = ", "(", 100000, "", "nests");
    check_repeated(HEAD ".global .u32 a = ", "-", 100000, "", "nests");
    check_repeated(HEAD ".global .u32 a = ", "1?", 100000, "", "nests");
    check_repeated(HEAD ".global .u32 a = ", "(.u64)", 100000, "", "nests");
    check_repeated(BODY "mov.b32 ", "{", 100000, "", "nest");
    check_repeated(BODY "mov.b32 ", "[", 100000, "", "nest");
    check_repeated(BODY "call ", "(", 100000, "", "nest");
}

static void test_counts(void)
{
    check_repeated(BODY "mov.b32 {%r1", ",%r1", 100000, "}", "operands");
    check_repeated(BODY "mov.b32 %r1", ",%r1", 100000, ";", "operands");
    check_repeated(BODY "mov", ".b32", 100000, " %r1;", "modifiers");
    check_repeated(HEAD ".func f(.param .b32 _", ",.param .b32 _", 100000, ")", "parameters");
    check_repeated(BODY "T: .branchtargets a", ",a", 100000, ";", "targets");
}

UNIT_MAIN("parse errors", {"module level", test_module_level}, {"bodies", test_bodies},
          {"depth", test_depth}, {"counts", test_counts})
