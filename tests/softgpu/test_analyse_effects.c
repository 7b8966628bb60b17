/**
 * @file test_analyse_effects.c
 * softgpu/analyse/effects.h on decoded kernels: what one may do besides computing.
 */
#include "analyse/effects.h"
#include "analyse_fixture.h"

#define EFFECT(body) KERNEL("ld.param.u64 %l1, [p];" body "ret;\n")
#define CALLS(f) EFFECT("call " f ";")

/** Registers share slots: those of values that are read at other times, too. */
static void test_order_free(void)
{
    static const struct {
        const char *text;
        bool free;
    } cases[] = {
        {EFFECT("ld.global.u32 %r1, [%l1]; st.global.u32 [%l1], %r1;"), true},
        {EFFECT("ld.volatile.global.u32 %r1, [%l1];"), false},
        {EFFECT("@%p1 ld.volatile.global.u32 %r1, [%l1];"), false},
        {EFFECT("ld.volatile.shared.u32 %r1, [%r2];"), true},
        {EFFECT("atom.global.add.u32 %r1, [%l1], 1;"), true},
        {EFFECT("red.global.add.u32 [%l1], 1;"), true},
        {EFFECT("red.global.add.f32 [%l1], 0f3f800000;"), false},
        {EFFECT("atom.global.exch.b32 %r1, [%l1], 1;"), false},
        {EFFECT("atom.global.add.u32 %r1, [%l1], 1; st.global.u32 [%l1], %r1;"), false},
        {EFFECT("atom.global.add.u32 %r1, [%l1], 1; set.lt.u32.u32 %r2, %r1, 9; st.global.u32 [%l1], %r2;"), false},
        {EFFECT("mov.u32 %r3, %tid.x; atom.global.add.u32 %r1, [%l1], 1; set.lt.u32.u32 %r2, %r3, 9;\n"
                "st.global.u32 [%l1], %r3;"), true},
        {EFFECT("atom.global.add.u32 %r1, [%l1], 1; cvt.u16.u32 %h1, %r1;\n"
                "mov.b64 %l2, {%h2, %h3, %h4, %h1}; st.global.u64 [%l1+8], %l2;"), false},
        {EFFECT("atom.global.add.u64 %l2, [%l1], 1; mov.b64 {%h1, %h2, %h3, %h4}, %l2;"), false},
        {EFFECT("atom.global.add.u32 %r1, [%l1], 1; add.cc.u32 %r2, %r1, 1;"), false},
        {EFFECT("atom.global.add.u32 %r1, [%l1], 1; st.global.v2.u32 [%l1+8], {%r2, %r1};"), false},
        {EFFECT("atom.shared.add.u32 %r1, [%r2], 1; st.global.u32 [%l1], %r1;"), true},
        /* The result's register holds other values before and after; of what it holds then, somebody may hear. */
        {EFFECT("mov.u32 %r1, %tid.x; st.global.u32 [%l1], %r1; atom.global.add.u32 %r1, [%l1+4], 1; mov.u32 %r1, 3; st.global.u32 [%l1], %r1;"), true},
        {EFFECT("L: atom.global.add.u32 %r1, [%l1], 1; mov.u32 %r1, %tid.x; st.global.u32 [%l1+4], %r1; @%p1 bra L;"), true},
        {EFFECT("L: st.global.u32 [%l1+4], %r1; atom.global.add.u32 %r1, [%l1], 1; @%p1 bra L;"), false},
        {EFFECT("atom.global.add.u32 %r1, [%l1], 1; @%p1 mov.u32 %r1, 3; st.global.u32 [%l1+4], %r1;"), false},
        {EFFECT("@%p1 atom.global.add.u32 %r1, [%l1], 1; mov.u32 %r1, 3; st.global.u32 [%l1+4], %r1;"), true},
        {".global .u32 g;\n.func (.param .b32 v) f() { .reg .b32 %r<2>; atom.global.add.u32 %r1, [g], 1; st.param.b32 [v], %r1; ret; }\n"
         EFFECT("{ .param .b32 w; call (w), f; ld.param.b32 %r1, [w]; st.global.u32 [%l1], %r1; }"), false},
        /* Weak loads that are waited for; a bound that is read anew in every turn is not, as the turns are counted. */
        {EFFECT("L: ld.global.cg.u32 %r1, [%l1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra L;"), false},
        {EFFECT("L: membar.cta; ld.u32 %r1, [%l1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra L;"), false},
        {EFFECT("L: ld.shared.u32 %r1, [%r2]; setp.eq.u32 %p1, %r1, 0; @%p1 bra L;"), true},
        {EFFECT("L: st.global.u32 [%l1+4], %r2; ld.global.u32 %r1, [%l1]; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r1; @%p1 bra L;"), true},
        {EFFECT("L: ld.global.u64 %l1, [%l1]; setp.ne.u64 %p1, %l1, 0; @%p1 bra L;"), true},
        {EFFECT("mov.u32 %r1, %clock;"), false},
        {EFFECT("mov.u32 %r1, %smid;"), false},
        {EFFECT("mov.u32 %r1, %tid.x;"), true},
        {EFFECT("setp.eq.u64 %p1, %l1, 0; @%p1 nanosleep.u32 9;"), false},
        {".func f() { call f; ret; }\n" CALLS("f"), true},
        {".func g() { .reg .b32 %r<2>; mov.u32 %r1, %clock; ret; }\n.func f() { call g; ret; }\n" CALLS("f"), false},
        {".func g() { .reg .b32 %r<2>; mov.u32 %r1, %clock; ret; }\n" EFFECT(""), true},
        {EFFECT("prototype: .callprototype _ (); call %l1, (), prototype;"), false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image *im = decode(cases[i].text);
        if (kernel_is_order_free(kernel(im)) != cases[i].free)
            fprintf(stderr, "order free: not %d: %s", cases[i].free, cases[i].text);
        CU_ASSERT_EQUAL(kernel_is_order_free(kernel(im)), cases[i].free);
        image_free(im);
    }
}

/** What may be carried out again. */
static void test_looks_again(void)
{
    static const struct {
        const char *text;
        bool again;
    } cases[] = {
        {EFFECT("ld.global.u32 %r1, [%l1]; L: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 99; @%p1 bra L; st.global.u32 [%l1], %r1;"), false},
        {EFFECT("L: ld.shared.u32 %r1, [%r2]; setp.lt.u32 %p1, %r1, 99; @%p1 bra L;"), false},
        {EFFECT("L: ld.global.u32 %r1, [%l1]; setp.lt.u32 %p1, %r1, 99; @%p1 bra L;"), true},
        {EFFECT("L: ld.u32 %r1, [%l1]; setp.lt.u32 %p1, %r1, 99; @%p1 bra L;"), true},
        {".global .u32 g;\n.func f() { .reg .b32 %r<2>; ld.global.u32 %r1, [g]; ret; }\n" CALLS("f"), true},
        {".func f() { ret; }\n" CALLS("f"), false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image *im = decode(cases[i].text);
        if (kernel_may_look_again(kernel(im)) != cases[i].again)
            fprintf(stderr, "looks again: not %d: %s", cases[i].again, cases[i].text);
        CU_ASSERT_EQUAL(kernel_may_look_again(kernel(im)), cases[i].again);
        image_free(im);
    }
}

/** What one run without a race settles. */
static void test_determined(void)
{
    static const struct {
        const char *text;
        bool determined;
    } cases[] = {
        {EFFECT("ld.global.u32 %r1, [%l1]; bar.sync 0; st.global.u32 [%l1], %r1;"), true},
        {EFFECT("ld.global.nc.u32 %r1, [%l1]; barrier.sync.aligned 1; st.shared.u32 [%r2], %r1;"), true},
        {EFFECT("bar.warp.sync -1; shfl.sync.idx.b32 %r1, %r2, 0, 31, -1; vote.sync.any.pred %p1, %p1, -1;"), true},
        {EFFECT("red.shared.add.u32 [%r2], 1; red.global.add.u32 [%l1], 2;"), true},
        {EFFECT("atom.shared.add.u32 %r1, [%r2], 1;"), true},
        {EFFECT("L: atom.shared.add.u32 %r1, [%r2], 1; mov.u32 %r1, %tid.x; st.global.u32 [%l1], %r1; @%p1 bra L;"), true},
        {EFFECT("L: st.global.u32 [%l1], %r1; atom.shared.add.u32 %r1, [%r2], 1; @%p1 bra L;"), false},
        {".func f() { bar.sync 0; ret; }\n" CALLS("f"), true},
        {EFFECT("red.shared.add.u32 [%r2], 1; red.shared.max.u32 [%r2], 2;"), false},
        {EFFECT("red.shared.add.u32 [%r2], 1; red.shared.add.u64 [%r2], %l1;"), false},
        {".func f() { .reg .b32 %r<2>; red.shared.or.b32 [%r1], 1; ret; }\n" EFFECT("red.shared.and.b32 [%r2], 1; call f;"), false},
        {EFFECT("red.shared.add.f32 [%r2], 0f3f800000;"), false},
        {EFFECT("red.release.gpu.global.add.u32 [%l1], 1;"), false},
        {EFFECT("atom.shared.add.u32 %r1, [%r2], 1; st.global.u32 [%l1], %r1;"), false},
        {EFFECT("atom.shared.cas.b32 %r1, [%r2], 0, 1;"), false},
        {EFFECT("ld.volatile.shared.u32 %r1, [%r2];"), false},
        {EFFECT("st.relaxed.gpu.global.u32 [%l1], 1;"), false},
        {EFFECT("fence.acq_rel.gpu;"), false},
        {EFFECT("bar.sync 0, 64;"), false},
        {EFFECT("bar.arrive 0, 64;"), false},
        {EFFECT("barrier.sync 0;"), false},
        {EFFECT("activemask.b32 %r1; st.global.u32 [%l1], %r1;"), false},
        {EFFECT("mov.u32 %r1, %clock;"), false},
        {".func f() { .reg .b32 %r<2>; ld.volatile.shared.u32 %r1, [%r1]; ret; }\n" CALLS("f"), false},
        {EFFECT("prototype: .callprototype _ (); call %l1, (), prototype;"), false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image *im = decode(cases[i].text);
        if (kernel_is_determined(kernel(im)) != cases[i].determined)
            fprintf(stderr, "determined: not %d: %s", cases[i].determined, cases[i].text);
        CU_ASSERT_EQUAL(kernel_is_determined(kernel(im)), cases[i].determined);
        image_free(im);
    }
}

/** Where a thread learns nothing by an atomic. */
static void test_hears_nothing(void)
{
    static const struct {
        const char *text;
        bool deaf;
    } cases[] = {
        {EFFECT("atom.shared.add.u32 %r1, [%r2], 1; atom.shared.max.u32 %r1, [%r2], 2; bar.sync 0;"), true},
        {EFFECT("red.shared.add.f32 [%r2], 0f3f800000; atom.shared.cas.b32 %r1, [%r2], 0, 1;"), true},
        {EFFECT("atom.shared.exch.b32 %r1, [%r2], 1; st.global.u32 [%l1], %r1;"), false},
        {EFFECT("atom.shared.add.u32 %r1, [%r2], 1; fence.acq_rel.gpu;"), false},
        {EFFECT("atom.acquire.gpu.global.add.u32 %r1, [%l1], 1;"), false},
        {EFFECT("atom.shared.add.u32 %r1, [%r2], 1; ld.volatile.shared.u32 %r1, [%r2];"), false},
        {EFFECT("atom.shared.add.u32 %r1, [%r2], 1; bar.sync 0, 64;"), false},
        {".func f() { fence.acq_rel.gpu; ret; }\n" CALLS("f"), false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image *im = decode(cases[i].text);
        if (kernel_hears_nothing(kernel(im)) != cases[i].deaf)
            fprintf(stderr, "hears nothing: not %d: %s", cases[i].deaf, cases[i].text);
        CU_ASSERT_EQUAL(kernel_hears_nothing(kernel(im)), cases[i].deaf);
        image_free(im);
    }
}

/** The same in a kernel of clusters. */
static void test_hears_at_barriers(void)
{
#define CLUSTERED "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; "
    static const struct {
        const char *text;
        bool deaf;
    } cases[] = {
        {EFFECT("atom.shared.add.u32 %r1, [%r2], 1; bar.sync 0;"), true},
        {EFFECT(CLUSTERED "mapa.shared::cluster.u32 %r1, %r2, 0; red.relaxed.cluster.shared::cluster.add.u32 [%r1], 1;"), true},
        {EFFECT(CLUSTERED "ld.shared::cluster.u32 %r1, [%r2]; st.global.u32 [%l1], %r1;"), true},
        {EFFECT(CLUSTERED "atom.relaxed.cluster.shared::cluster.add.u32 %r1, [%r2], 1; st.global.u32 [%l1], %r1;"), false},
        {EFFECT(CLUSTERED "red.release.cluster.shared::cluster.add.u32 [%r2], 1;"), false},
        {EFFECT(CLUSTERED "ld.relaxed.cluster.shared::cluster.u32 %r1, [%r2];"), false},
        {EFFECT("barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;"), false},
        {EFFECT(CLUSTERED "fence.acq_rel.cluster;"), false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image *im = decode(cases[i].text);
        if (kernel_hears_at_barriers(kernel(im)) != cases[i].deaf)
            fprintf(stderr, "hears at barriers: not %d: %s", cases[i].deaf, cases[i].text);
        CU_ASSERT_EQUAL(kernel_hears_at_barriers(kernel(im)), cases[i].deaf);
        image_free(im);
    }
}

static void test_convergence(void)
{
#define ASKS ".reg .b32 %r<2>; activemask.b32 %r1; ret; }\n"
    static const struct {
        const char *text;
        bool asks;
    } cases[] = {
        {EFFECT(""), false},
        {EFFECT("activemask.b32 %r1;"), true},
        {EFFECT("setp.eq.u64 %p1, %l1, 0; @%p1 activemask.b32 %r1;"), true},
        {".func f() {" ASKS EFFECT(""), true},
        {".visible .entry other() {" ASKS EFFECT(""), false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image *im = decode(cases[i].text);
        CU_ASSERT_EQUAL(kernel_asks_for_convergence(kernel(im)), cases[i].asks);
        image_free(im);
    }
}

UNIT_MAIN("effects", {"free of order", test_order_free}, {"looks again", test_looks_again}, {"the same in every schedule", test_determined},
          {"hears nothing", test_hears_nothing},
          {"hears at barriers", test_hears_at_barriers}, {"convergence", test_convergence})
