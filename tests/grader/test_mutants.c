/**
 * @file test_mutants.c
 * Mutations of small PTX texts: which there are, what they become and where they come from.
 */
#include <stdlib.h>
#include <string.h>

#include "mutants/equivalents.h"
#include "mutants/operators.h"
#include "unit.h"

/** All mutants of one instruction in a kernel, as "operator -> replacement|…". */
static char *mutants_of(const char *instruction)
{
    char *text = text_format(".visible .entry k(\n\t.param .u32 n\n)\n{\n\t.loc\t1 7 3\n"
                             "ld.param.u32 %%r1, [n];\nmov.u32 %%r9, 0;\nmov.u32 %%r8, 3;\n%s\n$L__END:\nret;\n}\n",
                             instruction);
    struct ptx_text p;
    struct mutant_list m;
    struct text out = {0};
    ptx_text_split(&p, text);
    mutants_make(&m, &p);
    for (int i = 0; i < m.count; i++) {
        text_printf(&out, "%s%s -> %s", i ? "|" : "", m.list[i].operator, m.list[i].replacement);
        CU_ASSERT_EQUAL(p.list[m.list[i].statement].place.line, 7);
        CU_ASSERT_STRING_EQUAL(p.functions[p.list[m.list[i].statement].function], "k");
    }
    mutants_free(&m);
    ptx_text_free(&p);
    free(text);
    return out.data ? out.data : text_dup("");
}

static void check(const char *instruction, const char *expected)
{
    char *got = mutants_of(instruction);
    if (strcmp(got, expected))
        fprintf(stderr, "%s\n  gives    %s\n  expected %s\n", instruction, got, expected);
    CU_ASSERT_STRING_EQUAL(got, expected);
    free(got);
}

static void test_barriers(void)
{
    check("bar.sync 0;", "delete-barrier -> ");
    check("@%p1 barrier.sync 1, 64;", "delete-barrier -> ");
    check("bar.warp.sync %r2;", "delete-warp-barrier -> ");
    check("bar.red.and.pred %p1, 0, !%p2;", "delete-barrier ->  not.pred %p1, %p2;");
    check("bar.red.popc.u32 %r1, 0, %p2;", "delete-barrier ->  selp.u32 %r1, 1, 0, %p2;");
}

static void test_fences(void)
{
    check("membar.gl;", "delete-fence -> |narrow-fence -> membar.cta;|weaken-fence -> fence.acq_rel.gpu;");
    check("membar.cta;", "delete-fence -> |weaken-fence -> fence.acq_rel.cta;");
    check("fence.acq_rel.sys;", "delete-fence -> |narrow-fence -> fence.acq_rel.gpu;");
    check("fence.sc.gpu;",
          "delete-fence -> |narrow-fence -> fence.sc.cta;|weaken-fence -> fence.acq_rel.gpu;");
}

static void test_accesses(void)
{
    check("ld.volatile.global.u32 %r1, [%rd1+4];", "plain-access -> ld.global.u32 %r1, [%rd1+4];");
    check("st.volatile.shared.v2.u32 [%r1], {%r2, %r3};",
          "plain-access -> st.shared.v2.u32 [%r1], {%r2, %r3};");
    check("ld.acquire.gpu.u32 %r1, [%rd1];", "narrow-scope -> ld.acquire.cta.u32 %r1, [%rd1];|"
                                             "drop-acquire -> ld.relaxed.gpu.u32 %r1, [%rd1];");
    check("st.release.cta.u32 [%rd1], %r2;", "drop-release -> st.relaxed.cta.u32 [%rd1], %r2;");
    check("ld.relaxed.gpu.global.u32 %r1, [%rd1];",
          "narrow-scope -> ld.relaxed.cta.global.u32 %r1, [%rd1];|"
          "plain-access -> ld.global.u32 %r1, [%rd1];");
    check("ld.global.u32 %r1, [%rd1];", "");
}

static void test_atomics(void)
{
    check("red.release.gpu.global.add.u32 [%rd1], %r2;",
          "split-atomic -> {\n.reg .u32 %fp_old, %fp_new;\n.reg .pred %fp_p;\n"
          " ld.global.u32 %fp_old, [%rd1];\n add.u32 %fp_new, %fp_old, %r2;\n"
          " st.global.u32 [%rd1], %fp_new;\n}|"
          "narrow-scope -> red.release.cta.global.add.u32 [%rd1], %r2;|"
          "drop-release -> red.relaxed.gpu.global.add.u32 [%rd1], %r2;");
    check("@%p1 atom.shared.cas.b32 %r1, [%r2], %r3, %r4;",
          "split-atomic -> {\n.reg .b32 %fp_old, %fp_new;\n.reg .pred %fp_p;\n"
          "@%p1 ld.shared.b32 %fp_old, [%r2];\n@%p1 setp.eq.b32 %fp_p, %fp_old, %r3;\n"
          "@%p1 selp.b32 %fp_new, %r4, %fp_old, %fp_p;\n@%p1 st.shared.b32 [%r2], %fp_new;\n"
          "@%p1 mov.b32 %r1, %fp_old;\n}");
    char *inc = mutants_of("atom.global.inc.u32 %r1, [%rd1], %r2;");
    CU_ASSERT_PTR_NOT_NULL(strstr(inc, "narrow-scope -> atom.cta.global.inc.u32 %r1, [%rd1], %r2;"));
    CU_ASSERT_PTR_NOT_NULL(strstr(inc, "delete-reset ->  atom.global.add.u32 %r1, [%rd1], 1;"));
    free(inc);
    /* An operation that cannot be split is left out, not made wrong. */
    check("atom.shared.add.noftz.f16x2 %r1, [%r2], %r3;", "");
}

static void test_resets(void)
{
    check("st.global.u32 [%rd1], %r9;", "delete-reset -> ");
    check("st.global.v2.u32 [%rd1], {%r9, %r9};", "delete-reset -> ");
    check("st.global.v2.u32 [%rd1], {%r9, %r8};", "");
    check("st.global.u32 [%rd1], %r8;", "");
    check("st.global.u32 [%rd1], 0;", "delete-reset -> ");
}

static void test_bounds(void)
{
    check("setp.ge.u32 %p1, %r2, %r1;\n@%p1 bra $L__END;",
          "shift-bound -> setp.gt.u32 %p1, %r2, %r1;|delete-bound -> ");
    check("$L__LOOP:\nadd.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, %r1;\n@%p1 bra $L__LOOP;",
          "shift-bound -> setp.le.s32 %p1, %r2, %r1;");
    check("setp.lt.u32 %p1, %r2, %r1;\n@%p1 st.global.u32 [%rd1], %r2;",
          "shift-bound -> setp.le.u32 %p1, %r2, %r1;|"
          "delete-bound -> st.global.u32 [%rd1], %r2;");
    check("setp.eq.s32 %p1, %r1, 0;\n@%p1 bra $L__END;", "delete-bound -> ");
    check("setp.eq.s32 %p1, %r2, %r3;\n@%p1 bra $L__END;", "");
    check("setp.lt.f32 %p1, %f1, %f2;\n@%p1 bra $L__END;", "");
    check("setp.lt.u32 %p1, %r2, %r1;\nsetp.eq.s32 %p2, %r4, 0;\nand.pred %p3, %p1, %p2;\n"
          "@!%p3 bra $L__END;",
          "shift-bound -> setp.le.u32 %p1, %r2, %r1;|delete-bound -> ");
}

/** What was inlined is found by its own line and by that of the call in the kernel. */
static void test_places(void)
{
    static const char text[] =
        ".visible .entry a()\n{\n\t.loc\t1 84 5\n"
        "\t.loc\t1 30 5, function_name $L__info_string1, inlined_at 1 84 5\n"
        "\t.loc\t3 482 2, function_name $L__info_string4, inlined_at 1 30 5\n"
        "\tmembar.gl; // bar.sync 0;\n"
        "\t.loc\t1 0 9\n"
        "\t/* bar.sync 0; */ bar.sync \t0;\n}\n"
        ".func  (.param .b32 r) f(\n)\n{\nbar.sync 0; bar.sync 0;\n}\n"
        ".file 3 \"x.hpp\"\n.section\t.debug_str\n{\nL:\n.b8 95,0\n}\n";
    struct ptx_text p;
    struct mutant_list m;
    ptx_text_split(&p, text);
    mutants_make(&m, &p);
    CU_ASSERT_EQUAL_FATAL(m.count, 6);
    const struct ptx_statement *s = &p.list[m.list[0].statement];
    CU_ASSERT_EQUAL(s->place.line, 30);
    CU_ASSERT_EQUAL(s->place.caller, 84);
    CU_ASSERT_EQUAL(s->ptx_line, 6);
    s = &p.list[m.list[3].statement];
    CU_ASSERT_STRING_EQUAL(m.list[3].operator, "delete-barrier");
    CU_ASSERT_EQUAL(s->place.line, 30);
    CU_ASSERT_EQUAL(s->ptx_line, 8);
    s = &p.list[m.list[4].statement];
    CU_ASSERT_STRING_EQUAL(p.functions[s->function], "f");
    CU_ASSERT_EQUAL(s->place.line, 0);
    CU_ASSERT_EQUAL(m.list[4].number, 1);
    CU_ASSERT_EQUAL(m.list[5].number, 2);
    CU_ASSERT_EQUAL(m.list[5].same, 2);
    char *changed = mutant_text(&p, &m.list[3]);
    CU_ASSERT_EQUAL(strlen(changed), strlen(text) - strlen("bar.sync \t0;"));
    CU_ASSERT_PTR_NOT_NULL(strstr(changed, "/* bar.sync 0; */ \n}"));
    free(changed);
    mutants_free(&m);
    ptx_text_free(&p);
}

/** Texts that are no PTX make no mutants, and no trouble. */
static void test_hostile(void)
{
    static const char *const texts[] = {"", ";", "@", "@%p1", ".entry", ".entry (", "/*", "//", "{",
                                        "bar.sync 0", ".entry k(\n{\nbar.sync",
                                        ".func ((((\n.loc 1 1 1, inlined_at 1 1 1\nmembar.gl;",
                                        ".entry k(){\nsetp.lt.u32;\n@%p bra;\natom.add.u32;\nst.u32;\n"
                                        "@ bra x;\nbar.red.popc.u32;\nred.add.u32 a, b;\n}"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct ptx_text p;
        struct mutant_list m;
        ptx_text_split(&p, texts[i]);
        mutants_make(&m, &p);
        for (int k = 0; k < m.count; k++)
            free(mutant_text(&p, &m.list[k]));
        CU_ASSERT_TRUE(m.count <= 4);
        mutants_free(&m);
        ptx_text_free(&p);
    }
}

UNIT_MAIN("mutants", {"barriers", test_barriers}, {"fences", test_fences}, {"accesses", test_accesses},
          {"atomics", test_atomics}, {"resets", test_resets}, {"bounds", test_bounds},
          {"places", test_places}, {"hostile texts", test_hostile})
