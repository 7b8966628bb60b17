/**
 * @file test_link.c
 * Several modules in one text: what is linked, and what nvlink 13.0 says no to. The cases are those that it was tried with.
 */
#include <string.h>

#include "decode/decode.h"
#include "parse/module.h"
#include "unit.h"

#define PART ".version 9.0\n.target sm_90\n.address_size 64\n"
#define USES_F PART ".extern .func f;\n.visible .entry k() { call f; ret; }\n"
#define F PART ".visible .func f { ret; }\n"
#define OWN_F PART ".func f { ret; }\n.visible .entry kk() { call f; ret; }\n"
#define USES_X                                                                                     \
    PART ".extern .global .align 4 .u32 x;\n.visible .entry g() { .reg .b32 %r; ld.global.u32 %r, [x]; ret; }\n"

static uint64_t next_address;

static uint64_t place(void *self, const char *name, enum ptx_space space, uint64_t bytes, unsigned align, bool managed)
{
    uint64_t at = (next_address + align - 1) / align * align;
    (void)self, (void)name, (void)space, (void)managed;
    next_address = at + bytes;
    return at;
}

static uint8_t memory[4096];

static void fill(void *self, uint64_t address, const void *bytes, uint64_t count)
{
    (void)self;
    if (address - 4096 + count <= sizeof memory)
        memcpy(memory + (address - 4096), bytes, count);
}

static struct image *load(const char *text, struct diag *d)
{
    struct variable_placer placer = {place, fill, NULL};
    *d = (struct diag){0};
    next_address = 4096;
    struct ptx_module *m = module_parse("linked", text, strlen(text), d);
    return m ? image_decode(m, &placer, d) : NULL;
}

static struct image *linked(const char *text)
{
    struct diag d;
    struct image *im = load(text, &d);
    if (!im)
        fprintf(stderr, "line %d: %s\n", d.line, d.message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(im);
    return im;
}

static void links(const char *text)
{
    image_free(linked(text));
}

static void fails(const char *text, const char *word, int line)
{
    struct diag d;
    struct image *im = load(text, &d);
    CU_ASSERT_PTR_NULL(im);
    CU_ASSERT_EQUAL(d.kind, DIAG_SYNTAX);
    CU_ASSERT_EQUAL(d.line, line);
    CU_ASSERT_PTR_NOT_NULL(strstr(d.message, word));
    if (!strstr(d.message, word) || d.line != line)
        fprintf(stderr, "line %d: %s\n", d.line, d.message);
    image_free(im);
}

/* ---- functions ---- */

static void test_functions(void)
{
    links(USES_F F);
    links(F USES_F);
    links(F OWN_F);
    links(USES_F OWN_F F);
    fails(USES_F PART, "undefined reference to 'f'", 4);
    fails(USES_F OWN_F, "undefined reference to 'f'", 4);
    fails(USES_F F F, "multiple definition of 'f', first defined at line 9", 13);
    fails(USES_F F PART ".visible .entry k() { ret; }\n", "multiple definition of 'k'", 13);
    fails(USES_F PART ".visible .func (.param .b32 r) f (.param .b32 a) { ret; }\n", "prototype of 'f'", 9);
    fails(USES_F PART ".visible .global .align 4 .u32 f = 7;\n", "memory space of 'f'", 9);
    links(USES_X PART ".extern .func nowhere;\n.visible .global .align 4 .u32 x;\n"); /* which nobody calls */
    links(PART ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
               ".visible .entry k() { .param .b64 a; .param .b32 r; call (r), vprintf, (a, a); ret; }\n" PART);
    fails(PART ".extern .func f;\n.visible .global .u64 p = f;\n" PART, "undefined reference to 'f'", 4);
}

static void test_weak(void)
{
    /* The first of several weak ones counts, and any other before those. */
    static const char weak[] = PART ".weak .func f { ret; }\n", longer[] = PART ".weak .func f { exit; ret; }\n";
    const char *orders[][3] = {{weak, longer, ""}, {longer, weak, ""}, {longer, F, weak}, {longer, weak, F}};
    const int instructions[] = {1, 2, 1, 1};
    for (int i = 0; i < 4; i++) {
        char text[1024];
        snprintf(text, sizeof text, USES_F "%s%s%s", orders[i][0], orders[i][1], orders[i][2]);
        struct image *im = linked(text);
        const struct function *f = image_function(im, "f");
        CU_ASSERT_PTR_NOT_NULL_FATAL(f);
        CU_ASSERT_EQUAL(f->end - f->entry, instructions[i] + 1); /* and an implicit return */
        image_free(im);
    }
    links(PART ".weak .entry k() { ret; }\n" PART ".weak .entry k() { ret; }\n");
}

/* ---- variables ---- */

static uint32_t value(const char *text, const char *name, uint64_t bytes)
{
    struct image *im = linked(text);
    const struct image_variable *v = image_variable(im, name);
    uint32_t word = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(v);
    CU_ASSERT_EQUAL(v->bytes, bytes);
    memcpy(&word, memory + (v->address - 4096), sizeof word);
    image_free(im);
    return word;
}

static void test_variables(void)
{
#define X(linkage, type, init) PART linkage " .global .align 4 " type " x" init ";\n"
    CU_ASSERT_EQUAL(value(USES_X X(".visible", ".u32", "= 1"), "x", 4), 1);
    CU_ASSERT_EQUAL(value(X(".weak", ".u32", "= 7") X(".visible", ".u32", "= 1"), "x", 4), 1);
    CU_ASSERT_EQUAL(value(X(".weak", ".u32", "= 7") X(".weak", ".u32", "= 8"), "x", 4), 7);
    CU_ASSERT_EQUAL(value(X(".common", ".u32", "") X(".visible", ".u32", "= 5"), "x", 4), 5);
    memset(memory, 0, sizeof memory);
    CU_ASSERT_EQUAL(value(X(".common", ".u32", "") PART ".common .global .align 4 .b8 x[16];\n", "x", 16), 0);
    links(PART ".extern .global .align 4 .b8 x[];\n" PART ".visible .global .align 4 .b8 x[12];\n");
    fails(USES_X PART, "undefined reference to 'x'", 4);
    fails(PART ".extern .global .u32 x;\n" PART, "undefined reference to 'x'", 4);
    fails(X(".visible", ".u32", "") X(".visible", ".u32", ""), "multiple definition of 'x', first defined at line 4", 8);
    fails(USES_X PART ".visible .global .align 8 .u64 x = 1;\n", "size of 'x'", 9);
    fails(X(".visible", ".u32", "") PART ".common .global .align 4 .b8 x[16];\n", "size of 'x'", 8);
    fails(USES_X PART ".visible .const .align 4 .u32 x;\n", "memory space of 'x'", 9);
    links(PART ".extern .shared .align 4 .b8 d[];\n" PART ".extern .shared .align 16 .b8 d[];\n");
}

/* What modules keep for themselves has one name, but is two things, also where an initialiser has its address. */
static void test_own_names(void)
{
    struct image *im = linked(PART ".global .u32 own = 1;\n.visible .global .u64 a = own;\n.func g { ret; }\n"
                                   ".visible .global .u64 ga = g;\n" PART
                                   ".global .u32 own = 2;\n.visible .global .u64 b = own;\n.func g { ret; }\n"
                                   ".visible .global .u64 gb = g;\n");
    uint64_t at[4];
    const char *names[] = {"a", "b", "ga", "gb"};
    for (int i = 0; i < 4; i++)
        memcpy(&at[i], memory + (image_variable(im, names[i])->address - 4096), 8);
    CU_ASSERT_NOT_EQUAL(at[0], at[1]);
    CU_ASSERT_EQUAL(memory[at[0] - 4096], 1);
    CU_ASSERT_EQUAL(memory[at[1] - 4096], 2);
    CU_ASSERT_NOT_EQUAL(at[2], at[3]);
    image_free(im);
}

/* Each module counts its files from 1. */
static void test_places(void)
{
    struct image *im = linked(PART ".visible .entry k() {\n.loc 1 5 1\nret; }\n.file 1 \"a.cu\"\n" PART
                                   ".visible .entry l() {\n.loc 1 7 1\nret; }\n.file 1 \"b.cu\"\n");
    const struct site *k = insn_site(im, image_function(im, "k")->entry), *l = insn_site(im, image_function(im, "l")->entry);
    CU_ASSERT_STRING_EQUAL(k->file, "a.cu");
    CU_ASSERT_STRING_EQUAL(l->file, "b.cu");
    CU_ASSERT_EQUAL(l->line, 7);
    image_free(im);
}

UNIT_MAIN("link", {"functions", test_functions}, {"weak functions", test_weak}, {"variables", test_variables},
          {"own names", test_own_names}, {"places", test_places})
