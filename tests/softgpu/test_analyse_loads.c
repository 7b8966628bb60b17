/**
 * @file test_analyse_loads.c
 * softgpu/analyse on loads of decoded functions: which poll, only look, are retried.
 */
#include "analyse/decides.h"
#include "analyse/flow.h"
#include "analyse/looks.h"
#include "analyse/loops.h"
#include "analyse/polls.h"
#include "analyse/thrown_away.h"
#include "analyse/varies.h"
#include "analyse_fixture.h"

/** A load whose value decides about the loop polls; one that is only added up does not. */
static void test_decided_by(void)
{
#define POLL(before, load, behind)                                                                 \
    KERNEL("ld.param.u64 %l1, [p]; mov.u32 %r2, 0; A:" before load behind "ret;\n")
#define LOAD "ld.volatile.global.u32 %r1, [%l1];"
    static const struct {
        const char *text;
        bool polls;
    } cases[] = {
        {POLL("", LOAD, "setp.eq.u32 %p1, %r1, 0; @%p1 bra A;"), true},
        {POLL("", LOAD, "set.eq.u32.u32 %r3, %r1, 0; setp.ne.u32 %p1, %r3, 0; @%p1 bra A;"), true},
        {POLL("", "ld.volatile.global.v2.u32 {%r4, %r1}, [%l1];", "setp.eq.u32 %p1, %r1, 0; @%p1 bra A;"), true},
        {POLL("", LOAD, "setp.ne.u32 %p1, %r1, 0; @%p1 bra E; bra A; E:"), true},
        {POLL("", "ld.volatile.global.u64 %l2, [%l1];", "mov.b64 {%r1, %r3}, %l2; setp.eq.u32 %p1, %r3, 0; @%p1 bra A;"), true},
        {POLL("", LOAD, "mov.b64 %l2, {%r3, %r1}; setp.eq.u64 %p1, %l2, 0; @%p1 bra A;"), true},
        {POLL("", LOAD, "set.eq.u32.u32 %r3, %r2, 0; setp.ne.u32 %p1, %r3, 0; @%p1 bra A;"), false},
        {POLL("", "atom.global.add.u32 %r1, [%l1], 0;", "setp.eq.u32 %p1, %r1, 0; @%p1 bra A;"), true},
        {POLL("", LOAD, "mov.u32 %r1, 5; setp.eq.u32 %p1, %r1, 0; @%p1 bra A;"), false},
        {POLL("add.u32 %r2, %r2, 1;", LOAD, "st.global.u32 [%l1], %r1; setp.lt.u32 %p1, %r2, 9; @%p1 bra A;"), false},
        {POLL("", LOAD, "setp.eq.u32 %p1, %r1, 0; @%p1 st.global.u32 [%l1], 1;"), false},
        {POLL("", LOAD, "setp.eq.u32 %p1, %r1, 0; @%p1 bra E; st.global.u32 [%l1], 1; E:"), false},
        /* what is read only chooses what the loop does with it */
        {POLL("", LOAD, "setp.lt.s32 %p1, %r1, 0; @%p1 bra C; add.u32 %r2, %r2, %r1; C: add.u32 %r4, %r4, 1;"
                        "setp.lt.u32 %p2, %r4, 9; @%p2 bra A;"), false},
        {POLL("", LOAD, "setp.lt.s32 %p1, %r1, 0; add.u64 %l1, %l1, 4; @%p1 bra A; add.u32 %r2, %r2, %r1;"
                        "setp.lt.u32 %p2, %r2, 9; @%p2 bra A;"), false},
        /* a search from place to place */
        {POLL("", LOAD, "add.u64 %l1, %l1, 4; setp.ne.u32 %p1, %r1, 7; @%p1 bra A;"), false},
        /* tries that are counted; work between them; an address computed anew; the exit in the middle */
        {POLL("", LOAD, "setp.eq.u32 %p1, %r1, 0; @!%p1 bra E; add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 9; @%p2 bra A; E:"), true},
        {POLL("", LOAD, "setp.ne.u32 %p1, %r1, 0; @%p1 bra E; atom.global.add.u32 %r3, [%l1+4], 1; bra A; E:"), true},
        {POLL("mul.wide.u32 %l2, %r2, 4; add.u64 %l3, %l1, %l2;", "ld.volatile.global.u32 %r1, [%l3];",
              "setp.eq.u32 %p1, %r1, 0; @%p1 bra A;"), true},
        {POLL("mul.wide.u32 %l2, %r2, 4; add.u64 %l3, %l1, %l2;", "ld.volatile.global.u32 %r1, [%l3];",
              "add.u32 %r2, %r2, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra A;"), false},
        /* a look-back: it stays where nothing is, goes on where a part is, ends where all is */
        {POLL("mul.wide.u32 %l2, %r2, 4; add.u64 %l3, %l1, %l2;", "ld.volatile.global.u32 %r1, [%l3];",
              "setp.eq.u32 %p1, %r1, 0; @%p1 bra A; add.u32 %r2, %r2, 1; setp.eq.u32 %p2, %r1, 1; @%p2 bra A;"), true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image *im = decode(cases[i].text);
        const struct function *f = kernel(im);
        const struct insn *load = f->entry;
        while (!insn_is_memory(load) || load->mem.space != SPACE_GLOBAL)
            load++;
        for (int twice = 0; twice < 2; twice++)
            CU_ASSERT_EQUAL(load_polls(f, load), cases[i].polls);
        image_free(im);
    }
}

/** A load whose stale value only leads to another look; what is touched in between, or looked at elsewhere,
 *  makes it one that matters. */
static void test_only_looks(void)
{
#define LOOK(text) KERNEL("ld.param.u64 %l1, [p]; mov.u64 %l5, %l1; mov.u32 %r2, 0;" text "ret;\n")
#define FIRST "ld.acquire.gpu.u32 %r1, [%l1]; setp.ne.u32 %p1, %r1, 0;"
#define AGAIN "A: ld.acquire.gpu.u32 %r3, [%l1]; setp.eq.u32 %p2, %r3, 0; @%p2 bra A;"
#define STORE "st.global.u32 [%l5+8], %r2;"
    static const struct {
        const char *text;
        bool looks;
    } cases[] = {
        {LOOK(FIRST "@%p1 bra E;" AGAIN "E:" STORE), true},
        {LOOK(FIRST "@%p1 bra E; fence.sc.gpu; nanosleep.u32 9;" AGAIN "E:" STORE), true},
        {LOOK(FIRST "@!%p1 bra A;" STORE "bra E;" AGAIN "E:" STORE), true},
        {LOOK(FIRST "@%p1 bra E; @%p3 bra B; nanosleep.u32 9; B:" AGAIN "E:" STORE), true},
        {LOOK("mov.u64 %l2, %l1; ld.acquire.gpu.u32 %r1, [%l2]; setp.ne.u32 %p1, %r1, 0; @%p1 bra E;"
              "mov.u64 %l3, %l1; ld.acquire.gpu.u32 %r3, [%l3]; setp.ne.u32 %p1, %r3, 0; @%p1 bra E;" AGAIN "E:" STORE), true},
        {LOOK(FIRST "@%p1 bra E;" STORE AGAIN "E:" STORE), false},
        {LOOK(FIRST "@%p1 bra E; add.u64 %l1, %l1, 4;" AGAIN "E:" STORE), false},
        {LOOK(FIRST "@%p1 bra E; @%p3 bra E;" AGAIN "E:" STORE), false},
        {LOOK(FIRST "@%p1 bra E; ld.acquire.gpu.u32 %r3, [%l1+4]; E:" STORE), false},
        {LOOK(FIRST STORE "@%p1 bra E;" AGAIN "E:" STORE), false},
        {LOOK("mov.u64 %l2, %l1; add.u64 %l1, %l1, 4; ld.acquire.gpu.u32 %r1, [%l2]; setp.ne.u32 %p1, %r1, 0;"
              "@%p1 bra E;" AGAIN "E:" STORE), false},
        {LOOK(FIRST "st.global.u32 [%l5+8], %r1;"), false},
        {LOOK("ld.volatile.global.u32 %r1, [%l1]; mov.u32 %r4, %r1; add.u32 %r5, %r1, 1;"
              "atom.global.cas.b32 %r6, [%l1], %r4, %r5;" STORE), true},
        {LOOK("ld.volatile.global.u32 %r1, [%l1]; A: mov.u32 %r4, %r1; st.global.u32 [%l5+8], %r4;"
              "atom.global.cas.b32 %r1, [%l1], %r4, %r2; setp.ne.u32 %p1, %r1, %r4; @%p1 bra A;"), true},
        {LOOK("ld.volatile.global.u32 %r1, [%l1]; atom.global.cas.b32 %r6, [%l1+4], %r1, 7;" STORE), false},
        {LOOK("ld.volatile.global.u32 %r1, [%l1]; and.b32 %r4, %r1, -2; atom.global.cas.b32 %r6, [%l1], %r4, 7;" STORE), true},
        {LOOK("ld.volatile.global.u32 %r1, [%l1]; atom.global.cas.b32 %r6, [%l1], 0, %r1;" STORE), false},
        /* the address as a sum; the swap on both ways; on one only; what others see, or where the value leads, before it */
        {LOOK("ld.volatile.global.u32 %r1, [%l1+8]; add.s64 %l2, %l1, 8; atom.global.cas.b32 %r6, [%l2], %r1, 7;" STORE), true},
        {LOOK("ld.volatile.global.u32 %r1, [%l1+8]; add.s64 %l2, %l1, 4; atom.global.cas.b32 %r6, [%l2], %r1, 7;" STORE), false},
        {LOOK("ld.volatile.global.u32 %r1, [%l1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra B; atom.global.cas.b32 %r6, [%l1], %r1, 7; bra E;"
              "B: atom.global.cas.b32 %r6, [%l1], %r1, 9; E:" STORE), true},
        {LOOK("ld.volatile.global.u32 %r1, [%l1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra E; atom.global.cas.b32 %r6, [%l1], %r1, 7; E:" STORE), false},
        {LOOK("ld.volatile.global.u32 %r1, [%l1]; atom.global.add.u32 %r6, [%l5+8], 1; atom.global.cas.b32 %r6, [%l1], %r1, 7;"), false},
        {LOOK("ld.volatile.global.u32 %r1, [%l1]; cvt.u64.u32 %l2, %r1; add.s64 %l3, %l5, %l2; st.global.u32 [%l3], 1;"
              "atom.global.cas.b32 %r6, [%l1], %r1, 7;"), false},
        {LOOK("ld.volatile.global.u32 %r1, [%l1]; cvt.u64.u32 %l2, %r1; add.s64 %l3, %l5, %l2; ld.volatile.global.u32 %r4, [%l3];"
              "atom.global.cas.b32 %r6, [%l1], %r1, %r4;"), true},
        /* a second look that is held against the first of this turn, or against the one before; not: against a ticket */
        {LOOK("A: ld.global.u32 %r3, [%l5]; B: mov.u64 %l2, %l1; atom.global.or.b32 %r2, [%l2], 0; ld.global.u32 %r4, [%l5+4];"
              "ld.volatile.global.u32 %r1, [%l2]; setp.ne.u32 %p1, %r1, %r2; @%p1 bra A;"), false},
        {LOOK("A: mov.u32 %r2, %r1; ld.volatile.global.u32 %r1, [%l1]; setp.ne.u32 %p1, %r1, %r2; @%p1 bra A;"), false},
        {LOOK("atom.global.add.u32 %r2, [%l1], 1; A: ld.volatile.global.u32 %r1, [%l1]; setp.eq.u32 %p1, %r1, %r2; @%p1 bra A;"), true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image *im = decode(cases[i].text);
        const struct function *f = kernel(im);
        const struct insn *load = f->entry;
        while (insn_class(load) != INSN_LOAD || load->mem.order == ORDER_WEAK)
            load++;
        for (int twice = 0; twice < 2; twice++)
            if (load_only_looks(f, load) != cases[i].looks) {
                fprintf(stderr, "%s\n", cases[i].text);
                CU_FAIL("load_only_looks");
            }
        image_free(im);
    }
}

/** Behind the look at a slot: the way back to it, where it does not stand as expected, is another try if all that is different then
 *  has been looked at. */
static void test_retry_ways(void)
{
#define SLOT(first, again)                                                                                                              \
    LOOK(first "A: mul.wide.u32 %l2, %r2, 4; add.s64 %l3, %l1, %l2; ld.acquire.gpu.u32 %r1, [%l3]; setp.eq.u32 %p1, %r1, %r2;"           \
         "@%p1 bra E;" again "bra A; E:" STORE "st.global.u32 [%l5], %r3;")
#define TAIL "ld.volatile.global.u32 %r2, [%l5+256];"
#define TWICE(again)                                                                                                                    \
    LOOK("ld.volatile.global.u32 %r4, [%l5+256]; A: mov.u32 %r2, %r4; mul.wide.u32 %l2, %r2, 4; add.s64 %l3, %l1, %l2;"                  \
         "ld.acquire.gpu.u32 %r1, [%l3]; setp.eq.u32 %p1, %r1, %r2; @%p1 bra E; ld.volatile.global.u32 %r4, [%l5+256];"                  \
         "setp.ne.u32 %p3, %r4, %r2;" again "@!%p2 bra E; bra A; E:" STORE "st.global.u32 [%l5], %r3;")
    static const struct {
        const char *text;
        bool looks;
    } cases[] = {
        {SLOT(TAIL, TAIL), true},
        {SLOT(TAIL, "fence.sc.gpu; ld.volatile.global.u32 %r4, [%l5+256]; mov.u32 %r2, %r4;"), true},
        {SLOT("add.s64 %l4, %l5, 252;" "ld.volatile.global.u32 %r2, [%l4+4];", TAIL), true},
        {SLOT(TAIL, ""), true},
        /* What was compared is gone before the branch. */
        {LOOK(TAIL "A: mul.wide.u32 %l2, %r2, 4; add.s64 %l3, %l1, %l2; ld.acquire.gpu.u32 %r1, [%l3]; setp.eq.u32 %p1, %r1, %r2; mov.u32 %r1, 0;"
              "mov.u32 %r4, 0; @%p1 bra E;" TAIL "bra A; E:" STORE "st.global.u32 [%l5], %r3;"), true},
        {SLOT("mov.u32 %r3, 0;" TAIL, "ld.volatile.global.u32 %r2, [%l5+256]; add.u32 %r3, %r3, 1;"), false},   /* tries are counted */
        {SLOT(TAIL, "ld.volatile.global.u32 %r2, [%l5+252];"), false},                                          /* elsewhere */
        {SLOT("mov.u32 %r2, 7;", TAIL), false},                                                                 /* was no look */
        {SLOT(TAIL, "ld.global.u32 %r2, [%l5+256];"), false},                                                   /* a weak one */
        {SLOT(TAIL, TAIL "st.global.u32 [%l5+8], 1;"), false},
        {SLOT(TAIL, TAIL "setp.eq.u32 %p2, %r1, 9; @%p2 bra E;"), false},
        {SLOT(TAIL STORE, TAIL), false},                                                        /* an effect since the first look */
        {TWICE("setp.ne.u32 %p2, %r1, %r2; or.pred %p2, %p2, %p3;"), true},                   /* what was compared decides again, */
        {TWICE("setp.eq.u32 %p2, %r1, %r2; and.pred %p2, %p2, !%p3; not.pred %p2, %p2;"), true},
        {TWICE("setp.eq.u32 %p2, %r2, 7; or.pred %p2, %p2, %p3;"), false},                     /* something else, */
        {TWICE("setp.eq.u32 %p2, %r1, %r2; or.pred %p2, %p2, %p3;"), false},                   /* the other way, */
        {TWICE("setp.ne.u32 %p2, %r1, %r2; and.pred %p2, %p2, %p3;"), false},                  /* not alone, */
        {SLOT(TAIL, TAIL "setp.eq.u32 %p2, %r1, %r2; @%p2 bra E;"), false},                                      /* after it has changed */
        {SLOT(TAIL, TAIL "add.s64 %l5, %l5, 4;"), false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image *im = decode(cases[i].text);
        const struct function *f = kernel(im);
        const struct insn *load = f->entry;
        while (insn_class(load) != INSN_LOAD || load->mem.order != ORDER_ACQUIRE)
            load++;
        const struct decision *d = load_decides(f, load);
        if ((d && d->side[0].looks) != cases[i].looks) {
            fprintf(stderr, "%s\n", cases[i].text);
            CU_FAIL("load_decides");
        }
        image_free(im);
    }
}

/** What one more turn drops, and what adds up or is acted on. */
static void test_retried(void)
{
#define TURNS(text, exit) LOOK("A: ld.volatile.global.u32 %r1, [%l1];" text "@%p1 bra A;" exit)
    static const struct {
        const char *text;
        bool retried;
    } cases[] = {
        {TURNS("setp.ne.u32 %p1, %r3, %r4;", "st.global.u32 [%l5], %r1;"), true},
        {TURNS("add.u32 %r2, %r1, 1; setp.ne.u32 %p1, %r3, %r4;", "st.global.u32 [%l5], %r2;"), true},
        {TURNS("add.u32 %r2, %r2, %r1; setp.ne.u32 %p1, %r3, %r4;", "st.global.u32 [%l5], %r2;"), false},
        {TURNS("setp.gt.u32 %p2, %r1, 9; @%p2 add.u32 %r2, %r2, 1; setp.ne.u32 %p1, %r3, %r4;", "st.global.u32 [%l5], %r2;"), false},
        {TURNS("st.global.u32 [%l5], %r1; setp.ne.u32 %p1, %r3, %r4;", ""), false},
        {TURNS("setp.ne.u32 %p1, %r1, %r4;", "st.global.u32 [%l5], %r1;"), false},
        {TURNS("setp.ne.u32 %p1, %r3, %r2; mov.u32 %r2, %r1;", "st.global.u32 [%l5], %r1;"), false},
        {LOOK("ld.volatile.global.u32 %r1, [%l1]; st.global.u32 [%l5], %r1;"), false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image *im = decode(cases[i].text);
        const struct function *f = kernel(im);
        const struct insn *load = f->entry;
        while (insn_class(load) != INSN_LOAD || load->mem.order == ORDER_WEAK)
            load++;
        if (load_is_retried(f, load) != cases[i].retried) {
            fprintf(stderr, "%s\n", cases[i].text);
            CU_FAIL("load_is_retried");
        }
        image_free(im);
    }
}

/** Of a vector that polls, the elements that decide, and those that nobody reads. */
static void test_elements(void)
{
#define PAIR(behind) POLL("", "ld.relaxed.gpu.global.v2.u32 {%r3, %r4}, [%l1];", behind)
    static const struct {
        const char *text;
        unsigned looks;
    } cases[] = {
        {PAIR("setp.eq.u32 %p1, %r4, 0; @%p1 bra A; st.global.u32 [%l1+8], %r3;"), 2},
        {PAIR("setp.eq.u32 %p1, %r3, 0; @%p1 bra A; st.global.u32 [%l1+8], %r4;"), 1},
        {PAIR("setp.eq.u32 %p1, %r4, 0; @%p1 bra A; st.global.u32 [%l1+8], %r4;"), 3},
        {PAIR("and.b32 %r5, %r3, %r4; setp.eq.u32 %p1, %r5, 0; @%p1 bra A; st.global.u32 [%l1+8], %r4;"), 3},
        {PAIR("st.global.u32 [%l1+8], %r3; st.global.u32 [%l1+8], %r4;"), 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image *im = decode(cases[i].text);
        const struct function *f = kernel(im);
        const struct insn *load = f->entry;
        while (insn_class(load) != INSN_LOAD || load->mem.count != 2)
            load++;
        for (unsigned e = 0; e < 2; e++)
            CU_ASSERT_EQUAL(element_only_looks(f, load, e), cases[i].looks >> e & 1);
        CU_ASSERT_EQUAL(load_only_looks(f, load), cases[i].looks != 0);
        image_free(im);
    }
}

/** What comes from a thread's number, through registers, a guard and a loop; not what comes from the block's, or from memory. */
static void test_varies(void)
{
    struct image *im = decode(KERNEL("ld.param.u64 %l1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, 4;\n"
                                     "shl.b32 %r4, %r1, 2; setp.lt.u32 %p1, %r4, 9; @%p1 bra A; mov.u32 %r5, 1;\n"
                                     "A: setp.lt.u32 %p2, %r2, 9; @%p2 bra B; mov.u32 %r6, 1;\n"
                                     "B: @%p1 add.u32 %r3, %r3, 1; sub.u32 %r3, %r3, 2; setp.ne.u32 %p3, %r3, 0; @%p3 bra B;\n"
                                     "ld.global.u32 %r7, [%l1]; setp.ne.u32 %p4, %r7, 0; @%p4 bra C; mov.u32 %r8, 1;\n"
                                     "C: atom.global.add.u32 %r9, [%l1], 1; setp.ne.u32 %p1, %r9, 0; @%p1 bra D; mov.u32 %r8, 2;\n"
                                     "D: mov.u32 %r1, 3; setp.ne.u32 %p2, %r1, 0; @%p2 bra E; mov.u32 %r8, 2;\n"
                                     "E: bra F; F: ret;\n"));
    const struct function *f = kernel(im);
    static const bool varies[] = {true, false, true, false, true, false, false};
    for (int i = 0; i < 7; i++)
        CU_ASSERT_EQUAL(branch_varies(f, nth(f, INSN_BRANCH, i)), varies[i]);
    image_free(im);
}

/** A load has a way to where its value may be dropped, but where every lane goes on with it, by one register or by both sides of a choice. */
static void test_may_be_dropped(void)
{
#define DROP(behind) KERNEL("ld.param.u64 %l1, [p]; mov.u32 %r2, 7; setp.lt.u32 %p1, %r2, 9; ld.global.u32 %r1, [%l1];" behind "ret;\n")
    static const struct {
        const char *text;
        bool may;
    } cases[] = {
        {DROP("selp.b32 %r3, %r1, 0, %p1; st.global.u32 [%l1], %r3;"), true},
        {DROP("selp.b32 %r3, 0, %r1, %p1; st.global.u32 [%l1], %r3;"), true},
        {DROP("selp.b32 %r3, %r1, 0, %p1; st.global.u32 [%l1], %r3; st.global.u32 [%l1+4], %r1;"), false},
        {DROP("selp.b32 %r3, %r1, 0, %p1; mov.u32 %r1, 0; st.global.u32 [%l1], %r3; st.global.u32 [%l1+4], %r1;"), true},
        {DROP("add.u32 %r4, %r1, 1; selp.b32 %r3, %r1, 0, %p1; st.global.u32 [%l1], %r3; st.global.u32 [%l1+4], %r4;"), false},
        {DROP("add.u32 %r4, %r1, 1; selp.b32 %r3, %r1, %r4, %p1; st.global.u32 [%l1], %r3;"), false},
        {DROP("add.u32 %r4, %r1, 1; selp.b32 %r3, %r1, 0, %p1; selp.b32 %r5, %r3, %r4, %p1; st.global.u32 [%l1], %r5;"), true},
        {DROP("selp.b32 %r3, %r1, 0, %p1; selp.b32 %r5, 0, %r1, %p1; st.global.u32 [%l1], %r3; st.global.u32 [%l1+4], %r5;"), true},
        {DROP("setp.gt.u32 %p2, %r1, 5; and.pred %p3, %p2, %p1; selp.u32 %r3, 1, 0, %p3; st.global.u32 [%l1], %r3;"), true},
        {DROP("setp.gt.u32 %p2, %r1, 5; and.pred %p3, %p2, %p1; selp.u32 %r3, 1, 0, %p3; st.global.u32 [%l1], %r3; @%p2 st.global.u32 [%l1], %r3;"), false},
        {DROP("setp.gt.u32 %p2, %r1, 5; setp.lt.u32 %p3, %r1, 5; selp.u32 %r3, -1, 0, %p2; selp.u32 %r4, -1, 0, %p3; selp.b32 %r5, %r3, %r4, %p1;"
              "st.global.u32 [%l1], %r5;"), false},
        {DROP("st.global.u32 [%l1], %r1;"), false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image *im = decode(cases[i].text);
        const struct function *f = kernel(im);
        CU_ASSERT_EQUAL(load_kept_way(f, nth(f, INSN_LOAD, 1)) != NULL, cases[i].may);
        image_free(im);
    }
}

UNIT_MAIN("analyse loads", {"loads that poll", test_decided_by}, {"loads that only look", test_only_looks}, {"ways of another try", test_retry_ways}, {"elements of a vector", test_elements},
          {"loads that are retried", test_retried},
          {"branches at which threads may part", test_varies}, {"values that may be dropped", test_may_be_dropped})
