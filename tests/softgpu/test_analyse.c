/**
 * @file test_analyse.c
 * softgpu/analyse on decoded functions: ways, uses, loops.
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "analyse/effects.h"
#include "analyse/flow.h"
#include "analyse/liveness.h"
#include "analyse/loops.h"
#include "analyse/paths.h"
#include "analyse/reach.h"
#include "analyse/uses.h"
#include "analyse_fixture.h"

/* ---- Ways */

static bool is_barrier(const struct insn *in, const void *context)
{
    (void)context;
    return insn_class(in) == INSN_BARRIER;
}

static bool nothing(const struct insn *in, const void *context)
{
    (void)in, (void)context;
    return false;
}

/** A store, a barrier, a load in a loop: onward only past the barrier, back only around the loop. */
static void test_path_around(void)
{
    struct image *im = decode(KERNEL("ld.param.u64 %l1, [p]; mov.u32 %r1, 0;\n"
                                     "L: st.global.u32 [%l1], %r1; bar.sync 0;\n"
                                     "ld.global.u32 %r2, [%l1]; add.u32 %r1, %r1, %r2;\n"
                                     "setp.lt.u32 %p1, %r1, 9; @%p1 bra L; ret;\n"));
    const struct function *f = kernel(im);
    const struct insn *st = nth(f, INSN_STORE, 0), *ld = nth(f, INSN_LOAD, 1);
    CU_ASSERT_EQUAL(path_find(f, st, ld, is_barrier, NULL), PATH_NONE);
    CU_ASSERT_EQUAL(path_find(f, st, ld, nothing, NULL), PATH_AHEAD);
    CU_ASSERT_EQUAL(path_find(f, ld, st, is_barrier, NULL), PATH_ROUND);
    CU_ASSERT_EQUAL(path_find(f, st, st, is_barrier, NULL), PATH_NONE);
    CU_ASSERT_EQUAL(path_find(f, st, st, nothing, NULL), PATH_ROUND);
    CU_ASSERT_EQUAL(path_find(f, ld, nth(f, INSN_LOAD, 0), nothing, NULL), PATH_NONE);
    image_free(im);
}

/** What is kept of blocks tells of every two instructions what a walk tells. */
static void test_reach(void)
{
    static const char *const text[] = {
        KERNEL("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 9; setp.lt.u32 %p2, %r1, 5;\n"
               "L: ld.shared.u32 %r2, [%r1]; @%p1 bra M; bar.sync 0; bra N;\n"
               "M: st.shared.u32 [%r1], %r2; @%p2 bra L; add.u32 %r1, %r1, 1;\n"
               "N: bar.sync 0; st.shared.u32 [%r1], %r2; @!%p2 bra M; ret;\n"),
        KERNEL("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 9;\n"
               "L: add.u32 %r1, %r1, 1; @%p1 bra L; @%p1 exit; ret;\n")};
    for (int t = 0; t < 2; t++) {
        struct image *im = decode(text[t]);
        const struct function *f = kernel(im);
        struct reached *kept[2] = {NULL, NULL};
        for (const struct insn *a = f->entry; a < f->end; a++)
            for (const struct insn *b = f->entry; b < f->end; b++) {
                CU_ASSERT_EQUAL(reach_find(f, &kept[0], a, b, nothing, NULL), path_find(f, a, b, nothing, NULL));
                CU_ASSERT_EQUAL(reach_find(f, &kept[1], a, b, is_barrier, NULL), path_find(f, a, b, is_barrier, NULL));
            }
        image_free(im);
    }
}

/** Through a table of targets; a guarded exit lets through, an exit and a trap do not. */
static void test_path_ends(void)
{
    struct image *im = decode(KERNEL("ld.param.u64 %l1, [p]; mov.u32 %r1, %tid.x;\n"
                                     "setp.lt.u32 %p1, %r1, 9; T: .branchtargets A, B, C;\n"
                                     "brx.idx %r1, T;\n"
                                     "A: st.global.u32 [%l1], 1; exit;\n"
                                     "B: st.global.u32 [%l1], 2; trap;\n"
                                     "C: st.global.u32 [%l1], 3; @%p1 exit;\n"
                                     "st.global.u32 [%l1], 4; ret;\n"));
    const struct function *f = kernel(im);
    const struct insn *brx = nth(f, INSN_SWITCH, 0), *st[4];
    for (int i = 0; i < 4; i++) {
        st[i] = nth(f, INSN_STORE, i);
        CU_ASSERT_EQUAL(path_find(f, brx, st[i], nothing, NULL), PATH_AHEAD);
    }
    CU_ASSERT_EQUAL(path_find(f, st[0], st[1], nothing, NULL), PATH_NONE);
    CU_ASSERT_EQUAL(path_find(f, st[1], st[2], nothing, NULL), PATH_NONE);
    CU_ASSERT_EQUAL(path_find(f, st[2], st[3], nothing, NULL), PATH_AHEAD);
    image_free(im);
}

/** A barrier in one way of a branch whose ways meet; behind the meeting; where the other way leaves. */
static void test_passes_by(void)
{
#define BRANCH(inside, between, behind)                                                            \
    KERNEL("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 9; @%p1 bra L;\n" inside between            \
           "L: mov.u32 %r2, %r1; st.shared.u32 [%r2], %r1;\n" behind "ret;\n")
    static const char *const text[] = {BRANCH("bar.sync 0;", "", ""), BRANCH("", "", "bar.sync 0;"),
                                       BRANCH("bar.sync 0;", "ret;", ""),
                                       BRANCH("M: bar.sync 0; @%p1 bra M;", "", "")};
    static const bool by[] = {true, false, false, true};
    for (int i = 0; i < 4; i++) {
        struct image *im = decode(text[i]);
        const struct function *f = kernel(im);
        const struct insn *bra = nth(f, INSN_BRANCH, 0), *bar = nth(f, INSN_BARRIER, 0);
        CU_ASSERT_EQUAL(path_passes_by(f, bra, bra + 1, bar, NULL, false), by[i]);
        CU_ASSERT_EQUAL(path_passes_by(f, bra, bra + 1, bar, is_barrier, false), by[i]);
        CU_ASSERT_FALSE(path_passes_by(f, bra, bra->target, bar, NULL, false));
        image_free(im);
    }
}

/** Ways that meet at the end: of a kernel they do not, of a function that has been called they do. */
static void test_passes_by_to_the_end(void)
{
    struct image *im = decode(KERNEL("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 9; @%p1 bra L; bar.sync 0; L: ret;\n"));
    const struct function *f = kernel(im);
    const struct insn *bra = nth(f, INSN_BRANCH, 0), *bar = nth(f, INSN_BARRIER, 0);
    CU_ASSERT_FALSE(path_passes_by(f, bra, bra + 1, bar, NULL, false));
    CU_ASSERT_TRUE(path_passes_by(f, bra, bra + 1, bar, NULL, true));
    image_free(im);
}

/** A barrier in both ways of a branch, and where one of the two has a way round it; who has been behind. */
static void test_another_barrier(void)
{
#define BOTH_WAYS(second)                                                                          \
    KERNEL("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 9; setp.lt.u32 %p2, %r1, 5; @%p1 bra L;\n"  \
           "barrier.sync 0; bra M;\n"                                                              \
           "L: " second "M: mov.u32 %r2, %r1; st.shared.u32 [%r2], %r1; ret;\n")
    static const char *const text[] = {BOTH_WAYS("barrier.sync 0;"), BOTH_WAYS("@%p2 bra M; barrier.sync 0;")};
    for (int i = 0; i < 2; i++) {
        struct image *im = decode(text[i]);
        const struct function *f = kernel(im);
        const struct insn *bra = nth(f, INSN_BRANCH, 0), *bar = nth(f, INSN_BARRIER, 0), *st = nth(f, INSN_STORE, 0);
        CU_ASSERT_TRUE(path_passes_by(f, bra, bra + 1, bar, NULL, false));
        CU_ASSERT_EQUAL(path_passes_by(f, bra, bra + 1, bar, is_barrier, false), i == 1);
        CU_ASSERT_PTR_NOT_NULL(path_leaves_out(f, bar, st, NULL));
        CU_ASSERT_EQUAL(path_leaves_out(f, bar, st, is_barrier) != NULL, i == 1);
        image_free(im);
    }
}

/** Who stands on another way, or behind where the ways have met, and comes to the place no more; and who leaves. */
static void test_gone_round(void)
{
    struct image *im = decode(KERNEL("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 9; setp.lt.u32 %p2, %r1, 5; @%p2 bra N; @%p1 bra L;\n"
                                     "barrier.sync 0; bra M;\n"
                                     "N: st.shared.u32 [%r1], %r1; ret;\n"
                                     "L: st.shared.u32 [%r1], %r1;\n"
                                     "M: mov.u32 %r2, %r1; st.shared.u32 [%r2], %r1; ret;\n"));
    const struct function *f = kernel(im);
    const struct insn *bar = nth(f, INSN_BARRIER, 0), *leaves = nth(f, INSN_STORE, 0);
    CU_ASSERT_PTR_EQUAL(path_gone_round(f, bar, nth(f, INSN_STORE, 1), NULL), nth(f, INSN_BRANCH, 1));
    CU_ASSERT_PTR_EQUAL(path_gone_round(f, bar, nth(f, INSN_STORE, 2), NULL), nth(f, INSN_BRANCH, 1));
    CU_ASSERT_PTR_NULL(path_gone_round(f, bar, leaves, NULL));
    image_free(im);
}

/** A large function is looked at once for each place where ways may meet, not for each branch and each such place. */
static void test_many_branches(void)
{
    enum { BRANCHES = 1000 };
    static char text[1 << 16];
    size_t n = 0;
#define ADD(...) n += (size_t)snprintf(text + n, sizeof text - n, __VA_ARGS__)
    ADD(".visible .entry k(.param .u64 p) { .reg .b32 %%r<9>; .reg .pred %%p<9>;\n"
        "mov.u32 %%r1, %%tid.x; setp.lt.u32 %%p1, %%r1, 9;\n");
    for (int i = 0; i < BRANCHES; i++)
        ADD("@%%p1 bra L%d;\n%s\nL%d:\n", i, i == BRANCHES / 2 ? "bar.sync 0;" : "mov.u32 %r2, 1;", i);
    ADD("st.shared.u32 [%%r1], %%r1; bar.sync 0; ret; }\n");
#undef ADD
    struct image *im = decode(text);
    const struct function *f = kernel(im);
    const struct insn *one = nth(f, INSN_BARRIER, 0), *all = nth(f, INSN_BARRIER, 1), *st = nth(f, INSN_STORE, 0);
    clock_t start = clock();
    CU_ASSERT_PTR_NOT_NULL(path_leaves_out(f, one, st, NULL));
    CU_ASSERT_PTR_NOT_NULL(path_leaves_out(f, one, st, is_barrier));
    CU_ASSERT_PTR_NULL(path_leaves_out(f, all, st, NULL));
    CU_ASSERT_TRUE((double)(clock() - start) / CLOCKS_PER_SEC < 2);
    image_free(im);
}

/* ---- Uses */

static bool listed(const struct function *f, struct insn_list l, const struct insn *in)
{
    for (int i = 0; i < l.count; i++)
        if (f->entry + l.at[i] == in)
            return true;
    return false;
}

/** Guards, elements of vectors, arguments of calls and what `set` keeps in its descriptor are read. */
static void test_uses(void)
{
    struct image *im = decode(
        ".func (.param .b32 o) g(.param .b32 i) { ret; }\n"
        KERNEL("{ .param .b32 a; .param .b32 b; ld.param.u64 %l1, [p];\n"
               "ld.global.v2.u32 {%r1, %r2}, [%l1]; setp.lt.u32 %p1, %r1, 9;\n"
               "@%p1 st.global.v2.u32 [%l1], {%r1, %r2};\n"
               "set.lt.u32.u32 %r3, %r1, %r2; @%p1 mov.u32 %r3, 7; st.global.u32 [%l1], %r3;\n"
               "call (b), g, (%r1); } ret;\n"));
    const struct function *f = kernel(im);
    const struct insn *ld = nth(f, INSN_LOAD, 1), *st = nth(f, INSN_STORE, 0);
    const struct insn *set = st + 1, *mov = st + 2, *call = nth(f, INSN_CALL, 0);
    uint32_t first = element_target(ld, 0), second = element_target(ld, 1);
    CU_ASSERT(listed(f, register_writers(f, first), ld));
    CU_ASSERT(listed(f, register_writers(f, second), ld));
    CU_ASSERT(listed(f, register_readers(f, first), st));
    CU_ASSERT(listed(f, register_readers(f, first), set));
    CU_ASSERT(listed(f, register_readers(f, second), set));
    CU_ASSERT(listed(f, register_readers(f, first), call));
    CU_ASSERT(listed(f, register_readers(f, st->guard), st));
    CU_ASSERT(listed(f, register_readers(f, ld->src[0]), ld));
    CU_ASSERT_FALSE(listed(f, register_readers(f, first), ld));
    CU_ASSERT(listed(f, register_writers(f, mov->dst), mov));
    CU_ASSERT_FALSE(listed(f, register_readers(f, mov->dst), mov));
    image_free(im);
}

/** Liveness of a decoded function: what a loop carries, and what a guarded write leaves, lives on. */
static void test_live(void)
{
    struct image *im = decode(KERNEL("mov.u32 %r1, %tid.x; mov.u32 %r2, 0; setp.lt.u32 %p1, %r1, 9;\n"
                                     "L: add.u32 %r2, %r2, %r1; @%p1 mov.u32 %r3, 4;\n"
                                     "setp.lt.u32 %p2, %r2, 99; @%p2 bra L; st.shared.u32 [%r2], %r3; ret;\n"));
    const struct function *f = kernel(im);
    const struct insn *in = f->entry;
    struct flow_source s = flow_source_of(f);
    struct interval *live = calloc((size_t)s.registers, sizeof *live);
    CU_ASSERT_PTR_NOT_NULL_FATAL(live);
    liveness_intervals(&s, live);
    CU_ASSERT_EQUAL(live[in[0].dst / FLOW_SLOT].start, 1);
    CU_ASSERT_EQUAL(live[in[0].dst / FLOW_SLOT].end, 13);   /* the loop's end: instruction 6 */
    CU_ASSERT_EQUAL(live[in[4].dst / FLOW_SLOT].start, 0);  /* some lanes never write it */
    CU_ASSERT_EQUAL(live[in[4].dst / FLOW_SLOT].end, 15);   /* a store reads late */
    CU_ASSERT_EQUAL(live[in[5].dst / FLOW_SLOT].start, 11);
    CU_ASSERT_EQUAL(live[in[5].dst / FLOW_SLOT].end, 13);   /* a branch reads late */
    free(live);
    image_free(im);
}

/* ---- Loops */

static void test_loop_around(void)
{
    struct image *im = decode(KERNEL("mov.u32 %r1, 0;\n"
                                     "A: mov.u32 %r2, 0;\n"
                                     "B: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 9; @%p1 bra B;\n"
                                     "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 9; @%p1 bra A; ret;\n"));
    const struct function *f = kernel(im);
    const struct insn *inner = nth(f, INSN_BRANCH, 0), *outer = nth(f, INSN_BRANCH, 1);
    CU_ASSERT_PTR_NULL(loop_around(f, f->entry, LOOP_INNERMOST));
    CU_ASSERT_PTR_NULL(loop_around(f, outer + 1, LOOP_OUTERMOST));
    CU_ASSERT_PTR_NULL(loop_around(f, f->end, LOOP_OUTERMOST));
    for (int twice = 0; twice < 2; twice++) {
        CU_ASSERT_PTR_EQUAL(loop_around(f, inner - 1, LOOP_INNERMOST)->last, inner);
        CU_ASSERT_PTR_EQUAL(loop_around(f, inner - 1, LOOP_OUTERMOST)->last, outer);
        CU_ASSERT_PTR_EQUAL(loop_around(f, inner + 1, LOOP_INNERMOST)->last, outer);
        CU_ASSERT_PTR_EQUAL(loop_around(f, inner + 1, LOOP_OUTERMOST)->first, f->entry + 1);
    }
    image_free(im);
}

static bool decided(const struct deciders *d, uint32_t reg)
{
    for (int i = 0; i < d->count; i++)
        if (d->reg[i] == reg)
            return true;
    return false;
}

/** A counter decides, through `set` as well; what is only summed up does not. */
static void test_deciders(void)
{
    struct image *im = decode(KERNEL("mov.u32 %r1, 0; mov.u32 %r2, 0; mov.u32 %r3, %tid.x;\n"
                                     "A: add.u32 %r1, %r1, 1; add.u32 %r2, %r2, %r3;\n"
                                     "set.lt.u32.u32 %r4, %r1, %r3; setp.ne.u32 %p1, %r4, 0;\n"
                                     "@%p1 bra A; st.shared.u32 [%r1], %r2; ret;\n"));
    const struct function *f = kernel(im);
    const struct insn *in = f->entry;
    const struct deciders *d = loop_deciders(f, loop_around(f, in + 4, LOOP_INNERMOST));
    CU_ASSERT(decided(d, in[0].dst));
    CU_ASSERT(decided(d, in[2].dst));
    CU_ASSERT(decided(d, in[5].dst));
    CU_ASSERT(decided(d, nth(f, INSN_BRANCH, 0)->guard));
    CU_ASSERT_FALSE(decided(d, in[1].dst));
    CU_ASSERT_FALSE(d->too_many);
    image_free(im);
}

static void test_too_many_deciders(void)
{
    static char body[1 << 14];
    for (int most = 50; most <= 70; most += 20) {
        strcpy(body, ".visible .entry k() { .reg .b32 %r<90>; .reg .pred %p<2>;\n");
        for (int i = 0; i < most; i++)
            sprintf(body + strlen(body), "mov.u32 %%r%d, %%tid.x;\n", i);
        strcat(body, "A:\n");
        for (int i = 0; i < most; i++)
            sprintf(body + strlen(body), "add.u32 %%r89, %%r89, %%r%d;\n", i);
        strcat(body, "setp.lt.u32 %p1, %r89, 9; @%p1 bra A; ret; }\n");
        struct image *im = decode(body);
        const struct function *f = kernel(im);
        const struct insn *bra = nth(f, INSN_BRANCH, 0);
        CU_ASSERT_EQUAL(loop_deciders(f, loop_around(f, bra, LOOP_INNERMOST))->too_many, most == 70);
        image_free(im);
    }
}

/** A loop that only computes, fences or sleeps never ends; one that may leave, or look, might. */
static void test_endless(void)
{
#define LOOP(inside, guard)                                                                        \
    KERNEL("mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 9; A: " inside guard " bra A; E: ret;\n")
    static const struct {
        const char *text;
        bool endless;
    } cases[] = {
        {LOOP("", ""), true},
        {LOOP("add.u32 %r1, %r1, 1; max.u32 %r2, %r1, 3; fence.acq_rel.gpu; nanosleep.u32 9;", ""), true},
        {LOOP("bra B; B:", ""), true},
        {LOOP("", "@%p1"), false},
        {LOOP("@%p1 bra E;", ""), false},
        {LOOP("@%p1 exit;", ""), false},
        {LOOP("ld.shared.u32 %r2, [%r1];", ""), false},
        {LOOP("bar.sync 0;", ""), false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image *im = decode(cases[i].text);
        const struct function *f = kernel(im);
        const struct insn *back = NULL;
        for (const struct insn *in = f->entry; in < f->end; in++)
            if (insn_class(in) == INSN_BRANCH && in->target <= in)
                back = in;
        CU_ASSERT_EQUAL(loop_is_endless(back), cases[i].endless);
        image_free(im);
    }
}

/* ---- Once, whoever asks */

static void *ask(void *function)
{
    const struct function *f = function;
    kernel_is_order_free(f);
    return loop_around(f, f->entry, LOOP_INNERMOST);
}

static void test_threads(void)
{
    struct image *im = decode(KERNEL("A: atom.shared.add.u32 %r1, [%r2], 1; bra A; ret;\n"));
    struct function *f = image_function(im, "k");
    pthread_t threads[4];
    void *found[4];
    for (int i = 0; i < 4; i++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, ask, f), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], &found[i]);
    for (int i = 0; i < 4; i++) {
        CU_ASSERT_PTR_NOT_NULL(found[i]);
        CU_ASSERT_PTR_EQUAL(found[i], found[0]);
    }
    CU_ASSERT_PTR_EQUAL(flow_of(f), flow_of(f));
    image_free(im);
}

UNIT_MAIN("analyse", {"ways around", test_path_around}, {"ways that end", test_path_ends},
          {"barriers passed by", test_passes_by}, {"ways that meet at the end", test_passes_by_to_the_end}, {"barriers on both ways", test_another_barrier}, {"gone round", test_gone_round}, {"many branches", test_many_branches}, {"ways kept", test_reach}, {"uses", test_uses}, {"live", test_live}, {"loops", test_loop_around},
          {"what decides a loop", test_deciders}, {"too much decides", test_too_many_deciders},
          {"endless loops", test_endless},
          {"asked by several threads", test_threads})
