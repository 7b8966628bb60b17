/**
 * @file test_parse.c
 * The parser: constants, initialisers, scopes, labels, locations, operands.
 */
#include <stdio.h>
#include <string.h>

#include "parse/module.h"
#include "unit.h"

#define HEAD ".version 9.0\n.target sm_75\n.address_size 64\n"

static struct ptx_module *parse(const char *text)
{
    struct diag d = {0};
    struct ptx_module *m = module_parse("test", text, strlen(text), &d);
    if (!m)
        diag_print(stdout, "test", &d);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    return m;
}

/* ---- Constants ---- */

static void test_integer_expressions(void)
{
    static const struct {
        const char *text;
        uint64_t bits;
    } cases[] = {
        {"1+2*3", 7}, {"(1+2)*3", 9}, {"10-4-3", 3}, {"-7/2", (uint64_t)-3}, {"-7%3", (uint64_t)-1},
        {"7 %3", 1}, {"0xffffffffffffffff/2", INT64_MAX}, {"(.s64)0xffffffffffffffff/2", 0},
        {"-1>>60", UINT64_MAX}, {"(.u64)-1>>60", 15}, {"1<<63", 1ull << 63}, {"1<<64", 0},
        {"-1<0", 1}, {"-1<0U", 0}, {"1<2==1", 1}, {"5&6|8^1", 13}, {"~0", UINT64_MAX}, {"!5", 0},
        {"!0", 1}, {"-(-3)", 3}, {"3>2?10:20", 10}, {"0?1:0?2:3", 3}, {"1&&0||1", 1}, {"2!=2", 0},
        {"WARP_SZ-1", 31}, {"1.5<2.0", 1}, {"-9223372036854775807-1", 1ull << 63},
        {"(-9223372036854775807-1)/-1", 1ull << 63}, {"((((((((7))))))))", 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, HEAD ".global .u64 x = %s;", cases[i].text);
        struct ptx_module *m = parse(text);
        CU_ASSERT_EQUAL(m->variables.data[0].init.data[0].bits, cases[i].bits);
        if (m->variables.data[0].init.data[0].bits != cases[i].bits)
            printf("    %s\n", cases[i].text);
        module_free(m);
    }
}

static void test_real_constants(void)
{
    struct ptx_module *m = parse(HEAD ".global .f32 a[5] = {1.0, 1.5, 0f40000000, -0.5, "
                                      "0d3FF0000000000000};\n"
                                      ".global .f64 b[4] = {1.0, 1.5+2, 0f40000000, 1.0/4};\n"
                                      ".global .b32 c = 0fBF800000;\n");
    static const uint32_t a[] = {0x3f800000, 0x3fc00000, 0x40000000, 0xbf000000, 0x3f800000};
    static const double b[] = {1, 3.5, 2, 0.25};
    for (int i = 0; i < 5; i++)
        CU_ASSERT_EQUAL(m->variables.data[0].init.data[i].bits, a[i]);
    for (int i = 0; i < 4; i++) {
        uint64_t bits;
        memcpy(&bits, &b[i], 8);
        CU_ASSERT_EQUAL(m->variables.data[1].init.data[i].bits, bits);
    }
    CU_ASSERT_EQUAL(m->variables.data[2].init.data[0].bits, 0xbf800000);
    module_free(m);
}

/* ---- Variables ---- */

/** Rows of an array that are given short are filled up, so that the next row lies where it should. */
static void test_rows(void)
{
    struct ptx_module *m = parse(HEAD ".global .u8 x[2][3] = {{1}, {2, 3}};\n"
                                      ".global .v2 .u8 v[3] = {{1, 0}, {2, 3}};\n"
                                      ".global .u16 open[][2] = {{1}, {2, 3}, {4}};\n"
                                      ".global .u8 flat[2][2] = {{1, 2}, {3, 4}};\n");
    static const uint64_t rows[3][6] = {{1, 0, 0, 2, 3, 0}, {1, 0, 2, 3}, {1, 0, 2, 3, 4, 0}};
    static const int counts[3] = {6, 4, 6};
    for (int v = 0; v < 3; v++) {
        CU_ASSERT_EQUAL(m->variables.data[v].init.count, counts[v]);
        for (int i = 0; i < counts[v]; i++)
            CU_ASSERT_EQUAL(m->variables.data[v].init.data[i].bits, rows[v][i]);
    }
    CU_ASSERT_EQUAL(m->variables.data[0].bytes, 6);
    CU_ASSERT_EQUAL(m->variables.data[1].bytes, 6);
    CU_ASSERT_EQUAL(m->variables.data[2].bytes, 12);
    CU_ASSERT_FALSE(m->variables.data[2].incomplete);
    CU_ASSERT_EQUAL(m->variables.data[3].init.count, 4);
    module_free(m);
}

static void test_addresses(void)
{
    struct ptx_module *m =
        parse(HEAD ".global .u32 a[4];\n.func f { ret; }\n"
                   ".global .u64 p[4] = {a, generic(a)+4, a+8+-4, f};\n"
                   ".global .u8 b[2] = {0xff(a), 0xff00(generic(a)+1)};\n");
    const struct ptx_init *p = m->variables.data[1].init.data;
    CU_ASSERT_STRING_EQUAL(p[0].symbol, "a");
    CU_ASSERT_FALSE(p[0].generic);
    CU_ASSERT_TRUE(p[1].generic);
    CU_ASSERT_EQUAL(p[1].bits, 4);
    CU_ASSERT_EQUAL(p[2].bits, 4);
    CU_ASSERT_STRING_EQUAL(p[3].symbol, "f");
    const struct ptx_init *b = m->variables.data[2].init.data;
    CU_ASSERT_EQUAL(b[0].mask_shift, 0);
    CU_ASSERT_EQUAL(b[0].bytes, 1);
    CU_ASSERT_EQUAL(b[1].mask_shift, 8);
    CU_ASSERT_EQUAL(b[1].bits, 1);
    CU_ASSERT_TRUE(b[1].generic);
    module_free(m);
}

static void test_sizes(void)
{
    struct ptx_module *m = parse(HEAD ".extern .shared .align 16 .b8 dyn[];\n"
                                      ".global .v4 .f32 v;\n.shared .f64 s[3][5];\n"
                                      ".global .b8 text[] = \"ab\\n\";\n.const .align 32 .b8 c;\n");
    static const struct {
        unsigned align;
        uint64_t bytes;
    } want[] = {{16, 0}, {16, 16}, {8, 120}, {1, 4}, {32, 1}};
    for (int i = 0; i < 5; i++) {
        CU_ASSERT_EQUAL(m->variables.data[i].align, want[i].align);
        CU_ASSERT_EQUAL(m->variables.data[i].bytes, want[i].bytes);
    }
    CU_ASSERT_TRUE(m->variables.data[0].external);
    CU_ASSERT_TRUE(m->variables.data[0].incomplete);
    CU_ASSERT_EQUAL(m->variables.data[3].init.data[2].bits, '\n');
    module_free(m);
}

/* ---- Scopes ---- */

static const struct ptx_operand *operand(const struct ptx_function *f, int instr, int i)
{
    return &f->instrs.data[instr].operands[i];
}

static void test_scopes(void)
{
    struct ptx_module *m = parse(HEAD ".func (.param .b32 r) f(.param .b32 a)\n{\n"
                                      ".reg .b32 %r<3>; .param .b32 x;\n"
                                      "mov.b32 %r1, 1;\n"
                                      "{ .reg .b64 %r1; .param .b64 x; mov.b64 %r1, x; }\n"
                                      "mov.b32 %r1, x;\n"
                                      "ld.param.b32 %r2, [a];\nst.param.b32 [r], %r2;\n}\n");
    const struct ptx_function *f = &m->functions.data[0];
    CU_ASSERT_EQUAL(f->regs.count, 4);
    CU_ASSERT_EQUAL(operand(f, 0, 0)->reg, 1);
    CU_ASSERT_EQUAL(operand(f, 1, 0)->reg, 3);
    CU_ASSERT_EQUAL(f->regs.data[3].type, PTX_B64);
    CU_ASSERT_NOT_EQUAL(f->regs.data[3].scope, f->regs.data[1].scope);
    CU_ASSERT_EQUAL(operand(f, 1, 1)->variable, 1);
    CU_ASSERT_EQUAL(operand(f, 2, 0)->reg, 1);
    CU_ASSERT_EQUAL(operand(f, 2, 1)->variable, 0);
    CU_ASSERT_EQUAL(operand(f, 3, 1)->element[0].variable, PARAM_BASE);
    CU_ASSERT_EQUAL(operand(f, 4, 0)->element[0].variable, RETURN_BASE);
    module_free(m);
}

/** The instruction that a branch operand names, by the function's labels. */
static int target(const struct ptx_function *f, const struct ptx_operand *o)
{
    int at = -1, found = 0;
    for (int i = 0; i < f->labels.count; i++)
        if (!strcmp(f->labels.data[i].name, o->name)) {
            at = f->labels.data[i].instr;
            found++;
        }
    CU_ASSERT_EQUAL(found, 1);
    return at;
}

/** Inline assembly with a label, expanded twice: each branch stays in its block. */
static void test_label_blocks(void)
{
    struct ptx_module *m = parse(HEAD ".func f\n{\n.reg .pred %p<2>; .reg .b32 %r<2>;\n"
                                      "bra DONE;\n"                                 /* 0 → 9 */
                                      "{ AGAIN: @%p1 bra AGAIN; bra DONE; }\n"      /* 1→1 2→9 */
                                      "{ AGAIN: @%p1 bra AGAIN; bra OUT; OUT: }\n"  /* 3→3 4→5 */
                                      "{ bra OUT; { bra AGAIN; } OUT: ret; AGAIN: ret; }\n"
                                      "DONE: ret;\n}\n");
    static const int want[] = {9, 1, 9, 3, 5, 7, 8};
    const struct ptx_function *f = &m->functions.data[0];
    for (int i = 0; i < 7; i++)
        CU_ASSERT_EQUAL(target(f, operand(f, i, 0)), want[i]);
    module_free(m);
}

static void test_prototypes_and_targets(void)
{
    struct ptx_module *m =
        parse(HEAD ".func g;\n.func f(.param .b64 p)\n{\n.reg .b64 %rd<3>; .reg .b32 %r<2>;\n"
                   "{ .param .b32 x; P: .callprototype (.param .b32 _) _ (.param .b64 _, .param .b32 "
                   "_);\n call (x), %rd1, (x, 3), P; }\n"
                   "{ .param .b32 x; P: .callprototype () _ ();\n call %rd1, (), P; }\n"
                   "T: .branchtargets A, B;\nbrx.idx %r1, T;\nA: ret;\nB: ret;\n"
                   "C: .calltargets f, g;\n}\n");
    const struct ptx_function *f = &m->functions.data[1];
    CU_ASSERT_EQUAL(f->prototypes.count, 2);
    CU_ASSERT_STRING_EQUAL(f->prototypes.data[0].label, operand(f, 0, 3)->name);
    CU_ASSERT_STRING_EQUAL(f->prototypes.data[1].label, operand(f, 1, 2)->name);
    CU_ASSERT_STRING_NOT_EQUAL(f->prototypes.data[0].label, f->prototypes.data[1].label);
    CU_ASSERT_EQUAL(f->prototypes.data[0].params.count, 2);
    CU_ASSERT_EQUAL(f->prototypes.data[0].returns.count, 1);
    CU_ASSERT_EQUAL(operand(f, 0, 0)->kind, OPERAND_LIST);
    CU_ASSERT_EQUAL(operand(f, 0, 2)->count, 2);
    CU_ASSERT_EQUAL(f->branch_targets.count, 2);
    CU_ASSERT_STRING_EQUAL(f->branch_targets.data[0].targets.data[1], "B");
    module_free(m);
}

static void test_aliases(void)
{
    struct ptx_module *m = parse(HEAD ".func f { ret; }\n.func a;\n.func b;\n.alias a, f;\n.alias b, a;\n"
                                      ".global .u64 t[2] = {a, b};\n"
                                      ".func g { call a; call.uni b, (); ret; }\n");
    CU_ASSERT_STRING_EQUAL(m->variables.data[0].init.data[0].symbol, "f");
    CU_ASSERT_STRING_EQUAL(m->variables.data[0].init.data[1].symbol, "f");
    CU_ASSERT_STRING_EQUAL(operand(&m->functions.data[3], 0, 0)->name, "f");
    CU_ASSERT_STRING_EQUAL(operand(&m->functions.data[3], 1, 0)->name, "f");
    module_free(m);
}

/* ---- Instructions ---- */

static void test_operands(void)
{
    struct ptx_module *m =
        parse(HEAD ".global .u32 g;\n.func f\n{\n.reg .b32 %r<4>; .reg .pred %p<3>; .reg .b64 %rd<2>;\n"
                   ".reg .v2 .b32 %v; .reg .v4 .f32 %q<2>;\n"
                   "@!%p1 setp.eq.and.s32 %p1|%p2, %r1, -5, !%p2;\n"
                   "ld.global.v2.u32 {%r1, _}, [%rd1+-8];\n"
                   "ld.global.u32 %r1, [g+4];\nld.global.u32 %r1, [64];\n"
                   "mov.u32 %r1, %ctaid.y;\nmov.b32 %r1, %v.y;\nmov.b64 %rd1, %v;\n"
                   "mov.f32 %q1.a, 0f3F800000;\nmov.u64 %rd1, g+12;\nmov.u32 %r1, (2+3);\n"
                   "mov.f32 %r1, -0f3F800000;\nneg.s32 %r1, -%r2;\n}\n");
    const struct ptx_function *f = &m->functions.data[0];
    const struct ptx_instr *in = f->instrs.data;
    CU_ASSERT_STRING_EQUAL(in[0].mnemonic, "setp");
    CU_ASSERT_EQUAL(in[0].modifier_count, 3);
    CU_ASSERT_STRING_EQUAL(in[0].modifiers[2], "s32");
    CU_ASSERT_TRUE(in[0].guard_negated);
    CU_ASSERT_STRING_EQUAL(f->regs.data[in[0].guard].name, "%p1");
    CU_ASSERT_EQUAL(operand(f, 0, 0)->kind, OPERAND_PAIR);
    CU_ASSERT_EQUAL(operand(f, 0, 2)->bits, (uint64_t)-5);
    CU_ASSERT_TRUE(operand(f, 0, 3)->negated);
    CU_ASSERT_EQUAL(operand(f, 1, 0)->element[1].kind, OPERAND_SINK);
    CU_ASSERT_EQUAL(operand(f, 1, 1)->offset, -8);
    CU_ASSERT_EQUAL(operand(f, 1, 1)->element[0].kind, OPERAND_REG);
    CU_ASSERT_EQUAL(operand(f, 2, 1)->offset, 4);
    CU_ASSERT_EQUAL(operand(f, 2, 1)->element[0].kind, OPERAND_SYMBOL);
    CU_ASSERT_EQUAL(operand(f, 3, 1)->element[0].kind, OPERAND_INT);
    CU_ASSERT_EQUAL(operand(f, 3, 1)->element[0].bits, 64);
    CU_ASSERT_EQUAL(operand(f, 4, 1)->kind, OPERAND_SPECIAL);
    CU_ASSERT_STRING_EQUAL(operand(f, 4, 1)->name, "%ctaid.y");
    CU_ASSERT_STRING_EQUAL(operand(f, 5, 1)->name, "%v.y");
    CU_ASSERT_EQUAL(operand(f, 6, 1)->kind, OPERAND_VECTOR);
    CU_ASSERT_EQUAL(operand(f, 6, 1)->count, 2);
    CU_ASSERT_STRING_EQUAL(operand(f, 7, 0)->name, "%q1.w");
    CU_ASSERT_EQUAL(operand(f, 8, 1)->offset, 12);
    CU_ASSERT_EQUAL(operand(f, 9, 1)->bits, 5);
    CU_ASSERT_EQUAL(operand(f, 10, 1)->bits, 0xbf800000);
    CU_ASSERT_TRUE(operand(f, 11, 1)->negated);
    module_free(m);
}

static void test_locations(void)
{
    struct ptx_module *m = parse(HEAD ".func f\n{\n.reg .b32 %r<2>;\nmov.b32 %r1, 0;\n"
                                      ".loc 1 10 3\nmov.b32 %r1, 1;\n"
                                      ".loc 2 20 5, function_name $L__info_string0, inlined_at 1 10 3\n"
                                      "mov.b32 %r1, 2;\n"
                                      ".loc 2 30 7, function_name $L__info_string0+16, inlined_at 2 20 5\n"
                                      "\n\nmov.b32 %r1, 3;\n}\n"
                                      ".file 1 \"a.cu\"\n.file 2 \"b.h\", 123, 456\n"
                                      ".section .debug_str\n{\n$L__info_string0:\n.b8 1,2\n}\n");
    const struct ptx_instr *in = m->functions.data[0].instrs.data;
    CU_ASSERT_EQUAL(in[0].loc, -1);
    const struct ptx_loc *inner = &m->locs.data[in[3].loc];
    CU_ASSERT_EQUAL(inner->file, 2);
    CU_ASSERT_EQUAL(inner->line, 30);
    CU_ASSERT_EQUAL(inner->inlined_at, in[2].loc);
    CU_ASSERT_EQUAL(m->locs.data[in[2].loc].inlined_at, in[1].loc);
    CU_ASSERT_EQUAL(m->locs.data[in[1].loc].inlined_at, -1);
    CU_ASSERT_EQUAL(in[3].line, 15);
    CU_ASSERT_EQUAL(m->files.count, 2);
    CU_ASSERT_STRING_EQUAL(m->files.data[1].path, "b.h");
    module_free(m);
}

static void test_headers(void)
{
    struct ptx_module *m =
        parse(".version 8.7\n.target sm_90a, debug\n.address_size 64\n"
              ".visible .entry k(.param .u64 .ptr .global .align 16 p, .param .align 8 .b8 s[24])\n"
              ".maxntid 128, 2\n.minnctapersm 3\n.maxnreg 32\n.explicitcluster\n"
              ".reqnctapercluster 2, 1, 1\n.pragma \"nounroll\";\n{ ret; }\n"
              ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
              ".weak .func .attribute(.unified(1, 2)) w .noreturn;\n"
              ".entry exact .reqntid 64\n{ ret; }\n");
    CU_ASSERT_EQUAL(m->version_major, 8);
    CU_ASSERT_EQUAL(m->version_minor, 7);
    CU_ASSERT_EQUAL(m->target_sm, 90);
    CU_ASSERT_TRUE(m->debug);
    const struct ptx_function *k = &m->functions.data[0];
    CU_ASSERT_TRUE(k->is_entry && k->visible && k->has_body);
    CU_ASSERT_EQUAL(k->params.data[1].bytes, 24);
    CU_ASSERT_EQUAL(k->max_threads[1], 2);
    CU_ASSERT_EQUAL(k->max_threads[2], 1);
    CU_ASSERT_EQUAL(k->req_threads[0], 0);
    CU_ASSERT_EQUAL(k->min_blocks, 3);
    CU_ASSERT_TRUE(m->functions.data[1].external && !m->functions.data[1].has_body);
    CU_ASSERT_EQUAL(m->functions.data[1].returns.count, 1);
    CU_ASSERT_TRUE(m->functions.data[2].weak && m->functions.data[2].noreturn);
    CU_ASSERT_EQUAL(m->functions.data[3].req_threads[0], 64);
    module_free(m);
}

/** Names are interned: equal ones are one pointer, which later phases may compare. */
static void test_interned(void)
{
    struct ptx_module *m = parse(HEAD ".func f { .reg .b32 %a; mov.b32 %a, 1; mov.b32 %a, 2; }\n");
    const struct ptx_instr *in = m->functions.data[0].instrs.data;
    CU_ASSERT_PTR_EQUAL(in[0].mnemonic, in[1].mnemonic);
    CU_ASSERT_PTR_EQUAL(in[0].modifiers[0], in[1].modifiers[0]);
    CU_ASSERT_PTR_EQUAL(in[0].operands[0].name, in[1].operands[0].name);
    module_free(m);
}

/** One function with so many lines, in each ten of them a label and a branch to it. @return bytes that the module takes */
static size_t parse_lines(int lines)
{
    char *text = malloc((size_t)lines * 64 + 1000);
    int used = sprintf(text, HEAD ".entry k(.param .u64 p)\n{\n.reg .b32 %%r<50000>;\n.reg .pred %%p<2>;\n");
    for (int i = 0; i < lines; i++)
        used += i % 10 == 0 ? sprintf(text + used, "L%d:\n", i)
                : i % 10 == 5
                    ? sprintf(text + used, "@%%p1 bra L%d;\n", i / 10 * 10)
                    : sprintf(text + used, "add.s32 %%r%d, %%r%d, %d;\n", i % 50000, i % 777, i);
    sprintf(text + used, "}\n");
    struct ptx_module *m = parse(text);
    const struct ptx_function *f = &m->functions.data[0];
    size_t bytes = m->arena.used;
    int wrong = 0;
    CU_ASSERT_EQUAL_FATAL(f->instrs.count, lines / 10 * 9);
    CU_ASSERT_EQUAL_FATAL(f->labels.count, lines / 10);
    for (int i = 0; i < f->labels.count; i++) {
        wrong += f->labels.data[i].instr != i * 9;
        wrong += strcmp(operand(f, i * 9 + 4, 0)->name, f->labels.data[i].name) != 0;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    module_free(m);
    free(text);
    return bytes;
}

/** A function longer than anybody writes: every label and branch is there, and ten times the lines take ten times the room. */
static void test_long_function(void)
{
    size_t few = parse_lines(20000), many = parse_lines(200000);
    CU_ASSERT(few > 0 && many < 11 * few);
}

UNIT_MAIN("parse", {"integer expressions", test_integer_expressions},
          {"real constants", test_real_constants}, {"rows", test_rows},
          {"addresses", test_addresses}, {"sizes", test_sizes}, {"scopes", test_scopes},
          {"labels in blocks", test_label_blocks},
          {"prototypes and targets", test_prototypes_and_targets}, {"aliases", test_aliases},
          {"operands", test_operands}, {"locations", test_locations}, {"headers", test_headers},
          {"interned names", test_interned}, {"a long function", test_long_function})
