/**
 * @file test_inline.c
 * Calls of a module made for debugging, or in haste: which become what they call, and where that comes from in the source.
 */
#include "inline_fixture.h"

static struct ptx_module *parsed(const char *target)
{
    return parsed_with(target, "");
}

static const struct ptx_function *kernel(const struct ptx_module *m)
{
    return &m->functions.data[m->functions.count - 1];
}

/** The nth atomic's lines, innermost first, as "9" or "107<9". */
static const char *lines(const struct ptx_module *m, int nth)
{
    static char text[64];
    const struct ptx_function *f = kernel(m);
    text[0] = 0;
    for (int i = 0; i < f->instrs.count; i++)
        if (!strcmp(f->instrs.data[i].mnemonic, "atom") && nth-- == 0)
            for (int l = f->instrs.data[i].loc; l >= 0; l = m->locs.data[l].inlined_at)
                snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d", *text ? "<" : "", m->locs.data[l].line);
    return text;
}

static void test_all(void)
{
    struct ptx_module *m = parsed("sm_75, debug");
    calls_inline(m, false);
    CU_ASSERT_EQUAL(count(kernel(m), "call"), 0);
    CU_ASSERT_EQUAL(count(kernel(m), "atom"), 2);
    CU_ASSERT_STRING_EQUAL(lines(m, 0), "105<9");
    CU_ASSERT_STRING_EQUAL(lines(m, 1), "3<10");
    module_free(m);
}

/* Parameters that pass whole values are registers now: of the kernel's own one is left to load. */
static void test_parameters(void)
{
    struct ptx_module *m = parsed("sm_75, debug");
    calls_inline(m, false);
    CU_ASSERT_EQUAL(count(kernel(m), "st"), 0);
    CU_ASSERT_EQUAL(count(kernel(m), "ld"), 1);
    module_free(m);
}

static void test_library_only(void)
{
    struct ptx_module *m = parsed("sm_75, debug");
    calls_inline(m, true);
    CU_ASSERT_EQUAL(count(kernel(m), "call"), 1);
    CU_ASSERT_EQUAL(count(kernel(m), "atom"), 1);
    CU_ASSERT_STRING_EQUAL(lines(m, 0), "105<9");
    module_free(m);
}

static void test_not_for_debugging(void)
{
    struct ptx_module *m = parsed("sm_75");
    calls_inline(m, false);
    CU_ASSERT_EQUAL(count(kernel(m), "call"), 2);
    CU_ASSERT_EQUAL(count(kernel(m), "atom"), 0);
    module_free(m);
}

/* A function of the user's that updates memory is none of the kernel's own; with checks it becomes so, whatever the module was made for. */
static void test_looks(void)
{
    struct ptx_module *m = parsed("sm_75");
    looks_inline(m);
    CU_ASSERT_EQUAL(count(kernel(m), "call"), 0);
    CU_ASSERT_EQUAL(count(kernel(m), "atom"), 2);
    CU_ASSERT_STRING_EQUAL(lines(m, 1), "3<10");
    module_free(m);
}

/* Where lanes meet, the call stays. */
static void test_looks_and_meets(void)
{
    char text[sizeof inlined_program];
    struct diag d = {0};
    memcpy(text, inlined_program, sizeof text);
    memcpy(strstr(text, "atom.add.u32 %r1, [%d1], 2;"), "bar.sync 0;                ", strlen("bar.sync 0;                "));
    char all[4096];
    snprintf(all, sizeof all, ".version 8.0\n.target sm_75\n.address_size 64\n%s", text);
    struct ptx_module *m = module_parse("test", all, strlen(all), &d);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    looks_inline(m);
    CU_ASSERT_EQUAL(count(kernel(m), "call"), 1);
    CU_ASSERT_EQUAL(count(kernel(m), "atom"), 1);
    module_free(m);
}

/* A branch to what comes next is nothing that nvcc leaves but in haste; a number that it copies to floating point is none for integers. */
static void test_in_haste(void)
{
    static const char hasty[] = ".visible .entry h(.param .u64 out)\n"
                                "{\n.reg .pred %p<3>; .reg .b32 %r<4>; .reg .f32 %f<2>; .reg .b64 %d<2>;\n"
                                "ld.param.u64 %d1, [out]; mov.u32 %r1, %tid.x; setp.eq.s32 %p1, %r1, 0; not.pred %p2, %p1;\n"
                                "@%p2 bra OUT;\nbra.uni NEXT;\nNEXT:\n"
                                "mov.b32 %f1, %r1; add.f32 %f1, %f1, %f1; mov.b32 %r2, %f1; shr.u32 %r3, %r2, 16; st.u32 [%d1], %r3;\n"
                                "OUT:\nret;\n}\n";
    struct ptx_module *m = parsed_with("sm_75", hasty);
    calls_inline(m, false);
    const struct ptx_function *h = &m->functions.data[0];
    CU_ASSERT_EQUAL(count(kernel(m), "call"), 0);
    CU_ASSERT_EQUAL(count(h, "bra"), 1);
    CU_ASSERT_EQUAL(count(h, "not"), 0);
    for (int i = 0; i < h->instrs.count; i++) {
        const struct ptx_instr *pi = &h->instrs.data[i];
        if (!strcmp(pi->mnemonic, "bra"))
            CU_ASSERT(pi->guard_negated && !strcmp(h->regs.data[pi->guard].name, "%p1"));
        if (!strcmp(pi->mnemonic, "shr"))
            CU_ASSERT_STRING_EQUAL(pi->operands[1].name, "%r2");
    }
    module_free(m);
}

/* What a source says twice is computed once, unless something it hangs on has changed, or it lies behind where another way comes in. */
static void test_computed_again(void)
{
    static const char again[] = ".visible .entry h(.param .u64 out)\n"
                                "{\n.reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<6>;\n"
                                "ld.param.u64 %d1, [out]; mov.u32 %r1, %tid.x; mul.lo.s32 %r2, %r1, 3; mul.wide.s32 %d2, %r2, 4; add.s64 %d3, %d1, %d2;\n"
                                "ld.u32 %r3, [%d3]; setp.eq.s32 %p1, %r3, 0; @%p1 bra OUT;\n"
                                "mov.u32 %r4, %tid.x; mul.lo.s32 %r5, %r4, 3; mul.wide.s32 %d4, %r5, 4; add.s64 %d5, %d1, %d4; st.u32 [%d5], %r5;\n"
                                "shl.b32 %r6, %r3, 2; add.s32 %r3, %r3, 1; shl.b32 %r7, %r3, 2; st.u32 [%d1], %r6; st.u32 [%d1], %r7;\n"
                                "OUT:\nmul.lo.s32 %r8, %r1, 3; st.u32 [%d1], %r8;\nret;\n}\n";
    struct ptx_module *m = parsed_with("sm_75, debug", again);
    calls_inline(m, false);
    const struct ptx_function *h = &m->functions.data[0];
    const char *loaded = NULL, *stored = NULL;
    CU_ASSERT_EQUAL(count(h, "mul"), 3); /* one of them wide, one behind OUT */
    CU_ASSERT_EQUAL(count(h, "add"), 2);
    CU_ASSERT_EQUAL(count(h, "shl"), 2);
    for (int i = 0; i < h->instrs.count; i++) {
        const struct ptx_instr *pi = &h->instrs.data[i];
        if (!strcmp(pi->mnemonic, "ld") && !strcmp(pi->modifiers[0], "u32"))
            loaded = pi->operands[1].element[0].name;
        if (!strcmp(pi->mnemonic, "st") && !stored)
            stored = pi->operands[0].element[0].name;
    }
    CU_ASSERT(loaded && stored && !strcmp(loaded, stored));
    module_free(m);
}

/* for (;;) asks a predicate that has just been set; one that is set again in between is asked in earnest. */
static void test_known(void)
{
    static const char loops[] = ".visible .entry h(.param .u64 out)\n"
                                "{\n.reg .pred %p<4>; .reg .b32 %r<3>; .reg .b64 %d<2>;\nld.param.u64 %d1, [out];\n"
                                "L:\nmov.pred %p1, 0;\n@%p1 bra OUT;\nld.volatile.u32 %r1, [%d1];\n"
                                "mov.pred %p2, 1;\nsetp.eq.s32 %p2, %r1, 0;\n@%p2 bra OUT;\nbra.uni L;\n"
                                "OUT:\nmov.pred %p3, 1;\n@%p3 bra END;\nst.u32 [%d1], 1;\nEND:\nret;\n}\n";
    struct ptx_module *m = parsed_with("sm_75, debug", loops);
    calls_inline(m, false);
    const struct ptx_function *h = &m->functions.data[0];
    int guarded = 0;
    for (int i = 0; i < h->instrs.count; i++)
        guarded += !strcmp(h->instrs.data[i].mnemonic, "bra") && h->instrs.data[i].guard >= 0;
    CU_ASSERT_EQUAL(guarded, 1);
    CU_ASSERT_EQUAL(count(h, "bra"), 1);
    CU_ASSERT_EQUAL(count(h, "st"), 0); /* no way leads there */
    module_free(m);
}

/* a && b && c: who fails the first question goes past both of the others; not where what is copied on the way is read elsewhere, too. */
static void test_all_of_three(void)
{
    static const char asks[] = ".visible .entry h(.param .u64 out)\n"
                               "{\n.reg .pred %p<9>; .reg .b32 %r<4>; .reg .b64 %d<2>;\nld.param.u64 %d1, [out];\n"
                               "ld.volatile.u32 %r1, [%d1];\nsetp.eq.s32 %p1, %r1, 0;\nmov.pred %p2, 0;\nmov.pred %p3, %p2;\n@!%p1 bra A;\n"
                               "ld.volatile.u32 %r2, [%d1+4];\nsetp.eq.s32 %p6, %r2, 0;\nmov.pred %p3, %p6;\n"
                               "A:\nmov.pred %p4, 0;\nmov.pred %p5, %p4;\n@!%p3 bra B;\n"
                               "ld.volatile.u32 %r3, [%d1+8];\nsetp.eq.s32 %p7, %r3, 0;\nmov.pred %p5, %p7;\n"
                               "B:\n@!%p5 bra C;\nst.u32 [%d1], 1;\nC:\n";
    for (int elsewhere = 0; elsewhere <= 1; elsewhere++) {
        char text[1024];
        snprintf(text, sizeof text, "%s%sret;\n}\n", asks, elsewhere ? "@%p5 bra D;\nst.u32 [%d1], 2;\nD:\n" : "");
        struct ptx_module *m = parsed_with("sm_75, debug", text);
        calls_inline(m, false);
        const struct ptx_function *h = &m->functions.data[0];
        const struct ptx_instr *first = &h->instrs.data[first_of(h, "bra")];
        CU_ASSERT_EQUAL(count(h, "bra"), 3 + elsewhere);
        CU_ASSERT_EQUAL(!strcmp(first->operands[0].name, "C"), !elsewhere);
        module_free(m);
    }
}

/* What a function returns on either way, a number, and its caller asks for: each way goes where the answer leads. Not where a loop comes back to
   the question, past what it asks. */
static void test_returned(void)
{
    static const char *const again[] = {"", "setp.ne.s32 %p4, %r1, 7;\nmov.b16 %s2, %s3;\n@%p4 bra ASK;\n"};
    for (int loop = 0; loop <= 1; loop++) {
        char text[1024];
        snprintf(text, sizeof text, ".visible .entry h(.param .u64 out)\n"
                                    "{\n.reg .pred %%p<5>; .reg .b16 %%s<4>; .reg .b32 %%r<2>; .reg .b64 %%d<2>;\nld.param.u64 %%d1, [out];\n"
                                    "ld.volatile.u32 %%r1, [%%d1];\nsetp.eq.s32 %%p1, %%r1, 0;\n@%%p1 bra NO;\nmov.b16 %%s1, 1;\nbra.uni BACK;\n"
                                    "NO:\nmov.b16 %%s1, 0;\nbra.uni BACK;\n"
                                    "BACK:\nand.b16 %%s2, %%s1, 1;\nASK:\nsetp.ne.s16 %%p2, %%s2, 0;\n@!%%p2 bra OUT;\nst.volatile.u32 [%%d1], 1;\n"
                                    "ld.volatile.u32 %%r1, [%%d1];\n%sOUT:\nret;\n}\n", again[loop]);
        struct ptx_module *m = parsed_with("sm_75, debug", text);
        calls_inline(m, false);
        const struct ptx_function *h = &m->functions.data[0];
        CU_ASSERT_EQUAL(count(h, "and"), loop);
        CU_ASSERT_EQUAL(count(h, "setp"), 1 + 2 * loop);
        CU_ASSERT_EQUAL(count(h, "st"), 1);
        module_free(m);
    }
}

/** Where the loop of the function begins: what its last branch leads to. */
static int loop_of(const struct ptx_function *h)
{
    const char *name = "";
    for (int i = 0; i < h->instrs.count; i++)
        if (!strcmp(h->instrs.data[i].mnemonic, "bra"))
            name = h->instrs.data[i].operands[0].name;
    for (int i = 0; i < h->labels.count; i++)
        if (!strcmp(h->labels.data[i].name, name))
            return h->labels.data[i].instr;
    return -1;
}

/* An address that a loop makes in each turn is made before it, whatever it hangs on; what hangs on what the loop changes, or is read where it may not
   have been made, is made where it was. */
static void test_invariant(void)
{
    static const char turns[] = ".visible .entry h(.param .u64 out)\n"
                                "{\n.reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %d<6>;\nld.param.u64 %d1, [out];\nmov.u32 %r1, 0;\n"
                                "L:\nmov.u32 %r2, %tid.x;\nmul.wide.u32 %d2, %r2, 4;\nmov.b64 %d3, %d1;\nadd.s64 %d4, %d3, %d2;\n"
                                "ld.volatile.u32 %r3, [%d4];\nshl.b32 %r4, %r1, 2;\nst.volatile.u32 [%d4], %r4;\nsetp.lt.s32 %p1, %r3, 5;\n@%p1 bra N;\n"
                                "xor.b32 %r5, %r2, 1;\nN:\nadd.s32 %r1, %r1, %r5;\nsetp.ne.s32 %p2, %r3, 0;\n@%p2 bra L;\nret;\n}\n";
    struct ptx_module *m = parsed_with("sm_75, debug", turns);
    calls_inline(m, false);
    const struct ptx_function *h = &m->functions.data[0];
    int loop = loop_of(h);
    CU_ASSERT(first_of(h, "mul") >= 0 && first_of(h, "mul") < loop);
    CU_ASSERT(first_of(h, "add") > first_of(h, "mul") && first_of(h, "add") < loop);
    CU_ASSERT(first_of(h, "shl") > loop);
    CU_ASSERT(first_of(h, "xor") > loop);
    CU_ASSERT_STRING_EQUAL(h->instrs.data[first_of(h, "add")].operands[1].name, "%d1");
    module_free(m);
}

/* What a loop makes as it was made before the loop is that: a look and the swaps behind it have one address. Not so where it hangs on what has changed since. */
static void test_made_before_the_loop(void)
{
    static const char text[] = ".visible .entry h(.param .u64 out)\n"
                               "{\n.reg .pred %%p<2>; .reg .b32 %%r<9>; .reg .b64 %%d<9>;\nld.param.u64 %%d1, [out];\nmov.u32 %%r1, %%tid.x;\n"
                               "mul.wide.u32 %%d2, %%r1, 4;\nadd.s64 %%d3, %%d1, %%d2;\nld.u32 %%r2, [%%d3];\n%s"
                               "L:\nmul.wide.u32 %%d4, %s, 4;\nadd.s64 %%d5, %%d1, %%d4;\nadd.s32 %%r3, %%r2, 1;\n"
                               "atom.cas.b32 %%r4, [%%d5], %%r2, %%r3;\nsetp.ne.s32 %%p1, %%r4, %%r2;\nmov.u32 %%r2, %%r4;\n@%%p1 bra L;\nret;\n}\n";
    for (int changed = 0; changed < 2; changed++) {
        char turns[sizeof text + 64];
        snprintf(turns, sizeof turns, text, changed ? "mov.u32 %r5, %ntid.x;\n" : "", changed ? "%r5" : "%r1");
        struct ptx_module *m = parsed_with("sm_75, debug", turns);
        calls_inline(m, false);
        const struct ptx_function *h = &m->functions.data[0];
        const char *looks = NULL, *swaps = h->instrs.data[first_of(h, "atom")].operands[1].element[0].name;
        for (int i = 0; i < first_of(h, "atom"); i++)
            if (!strcmp(h->instrs.data[i].mnemonic, "ld"))
                looks = h->instrs.data[i].operands[1].element[0].name;
        CU_ASSERT_PTR_NOT_NULL_FATAL(looks);
        CU_ASSERT_EQUAL(!strcmp(looks, swaps), !changed);
        module_free(m);
    }
}

UNIT_MAIN("inline", {"all", test_all}, {"parameters", test_parameters}, {"library only", test_library_only},
          {"not for debugging", test_not_for_debugging}, {"looks", test_looks}, {"looks and meets", test_looks_and_meets},
          {"in haste", test_in_haste},
          {"computed again", test_computed_again}, {"known", test_known}, {"all of three", test_all_of_three},
          {"returned", test_returned}, {"invariant", test_invariant}, {"made before the loop", test_made_before_the_loop})
