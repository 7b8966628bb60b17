/**
 * @file test_inline_places.c
 * Code made for debugging: what goes through local memory, what numbers say of predicates, and branches round copies have the form of other code.
 */
#include "inline_fixture.h"

/** Loads and stores of what %d1 does not point to. */
static int elsewhere(const struct ptx_function *h)
{
    int n = 0;
    for (int i = 0; i < h->instrs.count; i++) {
        const struct ptx_instr *pi = &h->instrs.data[i];
        bool loads = !strcmp(pi->mnemonic, "ld");
        n += (loads || !strcmp(pi->mnemonic, "st")) && pi->modifier_count == 1 && strcmp(pi->operands[loads].element[0].name, "%d1");
    }
    return n;
}

/* A function is given a pointer to an object that holds a pointer to where its result goes: all three are registers. What stays in memory has an address that
   is stored elsewhere, computed with what is not known, or one of two; or is taken in pieces that overlap. */
static void test_places(void)
{
    static const struct {
        const char *with;
        int local;
    } all[] = {
        {"", 0},
        {"st.u64 [%d1], %d4;\n", 4},                                   /* result is known to others, who may change it */
        {"mov.u32 %r5, %tid.x; cvt.u64.u32 %d7, %r5; add.s64 %d7, %d4, %d7; ld.u8 %h1, [%d7];\n", 5},
        {"@%p1 bra N; st.u64 [%d3+16], %d1;\nN:\n", 5},                /* which of two, nobody knows */
        {"ld.u16 %h1, [%d4+2];\n", 3},
        {"ld.s8 %h1, [%d4];\n", 0},
        {"ld.u32 %r5, [%d4+4]; st.u32 [%d1+4], %r5;\n", 0},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char text[2048];
        snprintf(text, sizeof text, ".visible .entry h(.param .u64 out)\n{\n.local .align 8 .b8 depot[24];\n"
                 ".reg .pred %%p<4>; .reg .b16 %%h<4>; .reg .b32 %%r<9>; .reg .b64 %%d<9>;\n"
                 "ld.param.u64 %%d1, [out]; mov.u64 %%d2, depot; cvta.local.u64 %%d3, %%d2; add.u64 %%d4, %%d3, 0;\n"
                 "setp.eq.s64 %%p1, %%d1, 0; setp.ne.s64 %%p2, %%d4, 0;\n"
                 "st.u64 [%%d3+16], %%d4;\n%sadd.u64 %%d5, %%d3, 16; ld.u64 %%d6, [%%d5]; @!%%p2 bra Z;\n"
                 "atom.add.u32 %%r1, [%%d1], 1; st.u32 [%%d6], %%r1;\nZ:\nld.u32 %%r2, [%%d4]; st.u32 [%%d1], %%r2; ret;\n}\n", all[i].with);
        struct ptx_module *m = parsed_with("sm_75, debug", text);
        calls_inline(m, false);
        const struct ptx_function *h = &m->functions.data[0];
        CU_ASSERT_EQUAL(elsewhere(h), all[i].local);
        module_free(m);
    }
}

/* A comparison whose result became a number, was made smaller, masked and compared, is what the branch asks for; that of another bit is never 1. */
static void test_answers(void)
{
    for (int bit = 1; bit < 3; bit++) {
        char text[1024];
        snprintf(text, sizeof text, ".visible .entry h(.param .u64 out)\n{\n.reg .pred %%p<4>; .reg .b16 %%h<4>; .reg .b32 %%r<9>; .reg .b64 %%d<2>;\n"
                 "ld.param.u64 %%d1, [out]; ld.u32 %%r1, [%%d1]; setp.lt.s32 %%p1, %%r1, 7; selp.u32 %%r2, 1, 0, %%p1; cvt.u16.u32 %%h1, %%r2;\n"
                 "cvt.s32.s8 %%r3, %%h1; and.b32 %%r4, %%r3, %d; setp.ne.s32 %%p2, %%r4, 0; @!%%p2 bra N; st.u32 [%%d1], 3;\nN:\nret;\n}\n", bit);
        struct ptx_module *m = parsed_with("sm_75, debug", text);
        calls_inline(m, false);
        const struct ptx_function *h = &m->functions.data[0];
        CU_ASSERT_EQUAL(count(h, "setp"), bit == 1);
        CU_ASSERT_EQUAL(count(h, "selp") + count(h, "cvt") + count(h, "and"), 0);
        CU_ASSERT_EQUAL(count(h, "st"), bit == 1);
        CU_ASSERT(bit > 1 || (first_of(h, "bra") >= 0 && !strcmp(h->regs.data[h->instrs.data[first_of(h, "bra")].guard].name, "%p1")));
        module_free(m);
    }
}

/* Of two copies a predicate chooses, and of one and what is there already; what is computed for one of them alone is computed for both. Not where a way
   stores, or makes what is computed there out of what it made the last time. */
static void test_choices(void)
{
    static const struct {
        const char *taken, *passed;
        int choices;
    } all[] = {
        {"mov.u32 %r3, %r1;", "mov.u32 %r3, %r2;", 1},
        {"", "mov.u32 %r3, 7;", 1},
        {"add.s32 %r4, %r1, 3; mov.u32 %r3, %r4;", "mov.u32 %r3, %r2; mov.u32 %r5, %r1;", 2},
        {"mov.u32 %r3, %r1;", "mov.u32 %r3, %r2; st.u32 [%d1+8], %r2;", 0},
        {"mov.u32 %r3, %r1;", "add.s32 %r6, %r6, 1; mul.lo.s32 %r7, %r6, 3; mov.u32 %r3, %r7;", 0},
        {"add.s32 %r5, %r5, 1;", "mov.u32 %r3, %r2;", 0},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char text[2048];
        snprintf(text, sizeof text, ".visible .entry h(.param .u64 out)\n{\n.reg .pred %%p<4>; .reg .b32 %%r<9>; .reg .b64 %%d<2>;\n"
                 "ld.param.u64 %%d1, [out]; mov.u32 %%r3, %%clock; mov.u32 %%r5, %%clock; mov.u32 %%r6, %%clock;\nL:\n"
                 "ld.volatile.u32 %%r1, [%%d1]; ld.volatile.u32 %%r2, [%%d1+4]; setp.lt.s32 %%p1, %%r1, %%r2; @%%p1 bra T;\n%s\nbra M;\n"
                 "T:\n%s\nM:\nst.volatile.u32 [%%d1+12], %%r3; st.volatile.u32 [%%d1+16], %%r5; setp.ne.s32 %%p2, %%r1, 9; @%%p2 bra L; ret;\n}\n",
                 all[i].passed, all[i].taken);
        struct ptx_module *m = parsed_with("sm_75, debug", text);
        calls_inline(m, false);
        const struct ptx_function *h = &m->functions.data[0];
        CU_ASSERT_EQUAL(count(h, "selp"), all[i].choices);
        CU_ASSERT_EQUAL(count(h, "bra"), all[i].choices ? 1 : 3);
        const struct ptx_instr *chosen = i == 0 ? &h->instrs.data[first_of(h, "selp")] : NULL;
        CU_ASSERT(!chosen || (!strcmp(chosen->operands[1].name, "%r1") && !strcmp(chosen->operands[2].name, "%r2")));
        module_free(m);
    }
}

UNIT_MAIN("inline: places", {"places", test_places}, {"answers", test_answers}, {"choices", test_choices})
