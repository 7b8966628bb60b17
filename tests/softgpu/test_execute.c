/* The machine around the instructions: occupancy, host threads, faults, images. */
#include "unit.h"

#include "execute/engine.h"
#include "execute/grid_run.h"
#include "execute/grid_life.h"
#include "machine_fixture.h"
#include "report/reporter.h"

static int occupancy(const char *device, int threads, int registers, int fixed, int dynamic)
{
    struct options o = {.device = device_model_find(device), .threads = 1};
    struct machine *m = machine_create(&o);
    struct function f = {.registers = (uint32_t)registers, .shared_bytes = (uint32_t)fixed};
    int blocks = machine_occupancy(m, &f, threads, (uint64_t)dynamic);
    machine_destroy(m);
    return blocks;
}

/* Expected values worked out by hand from the CUDA programming guide's tables. */
static void test_occupancy(void)
{
    CU_ASSERT_EQUAL(occupancy("h200", 256, 32, 0, 0), 8);       /* 2048 threads */
    CU_ASSERT_EQUAL(occupancy("t4", 256, 32, 0, 0), 4);         /* 1024 threads */
    CU_ASSERT_EQUAL(occupancy("h200", 32, 16, 0, 0), 32);       /* 32 blocks */
    CU_ASSERT_EQUAL(occupancy("t4", 32, 16, 0, 0), 16);
    CU_ASSERT_EQUAL(occupancy("h200", 256, 64, 0, 0), 4);       /* 65536 registers */
    CU_ASSERT_EQUAL(occupancy("h200", 1024, 65, 0, 0), 1);      /* an estimate refuses nothing */
    CU_ASSERT_EQUAL(occupancy("h200", 608, 255, 0, 0), 1);      /* … nor where warps do not come in fours */
    CU_ASSERT_EQUAL(occupancy("h200", 256, 32, 48 << 10, 0), 4);       /* 228 KB / 49 KB */
    CU_ASSERT_EQUAL(occupancy("h200", 256, 32, 0, 227 << 10), 1);
    CU_ASSERT_EQUAL(occupancy("h200", 256, 32, 1, 227 << 10), 0);
    CU_ASSERT_EQUAL(occupancy("t4", 256, 32, 32 << 10, 32 << 10), 1);
    CU_ASSERT_EQUAL(occupancy("rtx5090", 1024, 32, 0, 0), 1);
    CU_ASSERT_EQUAL(occupancy("a100", 1024, 32, 0, 0), 2);
    CU_ASSERT_EQUAL(occupancy("a100", 1025, 32, 0, 0), 0);
    CU_ASSERT_EQUAL(occupancy("a100", 0, 32, 0, 0), 0);
}

/* Registers that ptxas 13.0 gives a kernel with 64 values at once (-arch=sm_90, sm_75: its -v), where the launch bounds decide; where
 * it looks the second of them over, with a warning, the estimate stays as it is without. */
static void test_bounds_of_blocks(void)
{
    static const struct { const char *device, *bounds; unsigned most; } cases[] = {
        {"h200", ".maxntid 256 .minnctapersm 4", 64}, {"h200", ".maxntid 1024 .minnctapersm 2", 32},
        {"h200", ".maxntid 96, 1, 1 .minnctapersm 12", 56}, {"h200", ".maxntid 100 .minnctapersm 11", 40},
        {"h200", ".reqntid 64 .minnctapersm 32", 32}, {"h200", ".maxntid 65 .minnctapersm 21", 32},
        {"h200", ".maxntid 65 .minnctapersm 22", 0}, {"h200", ".maxntid 32 .minnctapersm 40", 0},
        {"h200", ".maxntid 256 .minnctapersm 16", 0}, {"h200", ".minnctapersm 16", 0},
        {"t4", ".maxntid 64 .minnctapersm 16", 64}, {"t4", ".maxntid 64 .minnctapersm 32", 0}, {"t4", ".maxntid 256 .minnctapersm 8", 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1 << 14], *at = text;
        struct options o = {.device = device_model_find(cases[i].device), .threads = 1};
        struct machine *m = machine_create(&o);
        struct diag d = {0};
        at += sprintf(at, PTX_HEADER ".visible .entry k(.param .u64 p) %s { .reg .b32 %%r<100>; .reg .b64 %%d; ld.param.u64 %%d, [p];\n",
                      cases[i].bounds);
        for (int r = 0; r < 100; r++)
            at += sprintf(at, "ld.volatile.u32 %%r%d, [%%d];\n", r);
        for (int r = 0; r < 100; r++)
            at += sprintf(at, "st.volatile.u32 [%%d], %%r%d;\n", r);
        at += sprintf(at, "ret; }\n");
        struct image *im = machine_load(m, "k.ptx", text, (size_t)(at - text), &d);
        CU_ASSERT_PTR_NOT_NULL_FATAL(im);
        unsigned registers = image_function(im, "k")->registers;
        CU_ASSERT(cases[i].most ? registers == cases[i].most : registers > 64 || !strstr(cases[i].bounds, "maxntid"));
        machine_destroy(m);
    }
}

static void test_device_models(void)
{
    int count = 0;
    for (const struct device_model *d; (d = device_model_at(count)); count++) {
        CU_ASSERT_PTR_EQUAL(device_model_find(d->key), d);
        CU_ASSERT(d->shared_per_block_optin <= d->shared_per_sm);
        CU_ASSERT(d->max_threads_per_sm >= 1024 && d->sms > 0 && d->memory_bytes > 1u << 30);
    }
    CU_ASSERT_EQUAL(count, 6);
    CU_ASSERT_STRING_EQUAL(device_model_at(0)->key, "h200");
    CU_ASSERT_PTR_NULL(device_model_find("h2000"));
    CU_ASSERT_PTR_NULL(device_model_at(-1));
}

/* A grid-stride sum whose threads add to one cell: integer, so order-free. */
static const char sum[] = PTX_HEADER
    ".visible .entry sum(.param .u64 in, .param .u32 n, .param .u64 out)\n{\n"
    "  .reg .pred %p<3>; .reg .b32 %r<12>; .reg .b64 %d<9>;\n"
    "  ld.param.u64 %d1, [in];\n  ld.param.u32 %r1, [n];\n  ld.param.u64 %d2, [out];\n"
    "  mov.u32 %r2, %ctaid.x;\n  mov.u32 %r3, %ntid.x;\n  mov.u32 %r4, %tid.x;\n"
    "  mad.lo.u32 %r5, %r2, %r3, %r4;\n  mov.u32 %r6, %nctaid.x;\n"
    "  mul.lo.u32 %r7, %r6, %r3;\n  mov.u32 %r8, 0;\n"
    "  setp.ge.u32 %p1, %r5, %r1;\n  @%p1 bra E;\n"
    "L: mul.wide.u32 %d3, %r5, 4;\n  add.u64 %d4, %d1, %d3;\n  ld.global.u32 %r9, [%d4];\n"
    "  add.u32 %r8, %r8, %r9;\n  add.u32 %r5, %r5, %r7;\n  setp.lt.u32 %p1, %r5, %r1;\n"
    "  @%p1 bra L;\n"
    "E: red.global.add.u32 [%d2], %r8;\n  ret;\n}\n";

static void test_threads(void)
{
    for (int threads = 1; threads <= 4; threads++) {
        struct options o = {.threads = threads};
        struct fixture f = fixture_open(sum, &o);
        struct { uint64_t in; uint32_t n; uint64_t out; } params = {.n = 100003};
        uint32_t *in = (uint32_t *)fixture_alloc(&f, params.n * 4, &params.in);
        uint32_t *out = (uint32_t *)fixture_alloc(&f, 4, &params.out), expected = 0;
        for (uint32_t i = 0; i < params.n; i++)
            expected += in[i] = i * 2654435761u;
        struct grid *g = fixture_start(&f, "sum", 300, 96, &params);
        CU_ASSERT_EQUAL(fixture_run(&f, threads % 2 ? 0 : 5000), STEP_IDLE);
        CU_ASSERT_EQUAL(g->status, GRID_DONE);
        CU_ASSERT_EQUAL(*out, expected);
        CU_ASSERT_EQUAL(g->finished, 300);
        grid_destroy(g);
        fixture_close(&f);
    }
}

/* Block 0 waits for all others by weak loads, and they for it: a race, which works on a GPU. In `plainly` the loop waits for one place; in `walks`
 * it goes on to the next by itself, so that its text does not tell that it waits. */
static const char waits[] = PTX_HEADER
    ".visible .entry plainly(.param .u64 p)\n{ .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n"
    "  ld.param.u64 %d1, [p];\n  mov.u32 %r1, %ctaid.x;\n  mov.u32 %r2, %nctaid.x;\n  mul.wide.u32 %d2, %r1, 4;\n  add.u64 %d3, %d1, %d2;\n"
    "  mov.u32 %r3, 1;\n  setp.eq.u32 %p1, %r1, 0;\n  @%p1 bra Z;\n"
    "  st.volatile.global.u32 [%d3], %r3;\n"
    "W: membar.cta;\n  ld.global.cg.u32 %r4, [%d1];\n  setp.eq.u32 %p1, %r4, 0;\n  @%p1 bra W;\n  ret;\n"
    "Z: add.u32 %r1, %r1, 1;\n  add.u64 %d3, %d3, 4;\n"
    "Y: membar.cta;\n  ld.global.cg.u32 %r4, [%d3];\n  setp.eq.u32 %p1, %r4, 0;\n  @%p1 bra Y;\n"
    "  add.u32 %r5, %r1, 1;\n  setp.lt.u32 %p1, %r5, %r2;\n  @%p1 bra Z;\n  st.volatile.global.u32 [%d1], %r3;\n  ret;\n}\n"
    ".visible .entry walks(.param .u64 p)\n{ .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n"
    "  ld.param.u64 %d1, [p];\n  mov.u32 %r1, %ctaid.x;\n  mov.u32 %r2, %nctaid.x;\n  mov.u32 %r3, 1;\n  setp.eq.u32 %p1, %r1, 0;\n"
    "  @%p1 bra Z;\n  mul.wide.u32 %d2, %r1, 4;\n  add.u64 %d3, %d1, %d2;\n  st.global.u32 [%d3], %r3;\n  ret;\n"
    "Z: mov.u32 %r5, 1;\n"
    "Y: mul.wide.u32 %d2, %r5, 4;\n  add.u64 %d3, %d1, %d2;\n  ld.global.cg.u32 %r4, [%d3];\n  setp.ne.u32 %p1, %r4, 0;\n  selp.u32 %r6, 1, 0, %p1;\n"
    "  add.u32 %r5, %r5, %r6;\n  setp.lt.u32 %p1, %r5, %r2;\n  @%p1 bra Y;\n  st.global.u32 [%d1], %r3;\n  ret;\n}\n";

/** Blocks that wait for each other in a race go on by turns. */
static void test_weak_waits(void)
{
    static const char *const names[] = {"plainly", "walks"};
    for (int i = 0; i < 4; i++) {
        struct options o = {.threads = 1 + i / 2 * 2, .step_limit = 1000000000};
        struct fixture f = fixture_open(waits, &o);
        uint64_t p;
        uint32_t *flags = (uint32_t *)fixture_alloc(&f, 400, &p);
        memset(flags, 0, 400);
        struct grid *g = fixture_start(&f, names[i % 2], 100, 32, &p);
        CU_ASSERT_EQUAL(fixture_run(&f, i == 3 ? 5000 : 0), STEP_IDLE);
        CU_ASSERT_EQUAL(g->status, GRID_DONE);
        CU_ASSERT_EQUAL(g->finished, 100);
        CU_ASSERT_EQUAL(flags[0], 1);
        grid_destroy(g);
        fixture_close(&f);
    }
}

/** Which kernels may run on several host threads: by what they could observe of each other. */
static void test_order_free(void)
{
    static const struct { const char *body; bool free; } cases[] = {
        {"ld.global.u32 %r1, [%d1]; add.u32 %r1, %r1, 1; st.global.u32 [%d1], %r1;", true},
        {"atom.global.add.u32 %r1, [%d1], 1;", true},
        {"red.global.max.u32 [%d1], 7;", true},
        {"atom.shared.add.f32 %r1, [s], 0f3F800000; st.global.u32 [%d1], %r1;", true},
        {"ld.volatile.shared.u32 %r1, [s];", true},
        {"{ .param .b32 a; st.param.b32 [a], %r1; call pure, (a); }", true},
        {"atom.global.add.u32 %r1, [%d1], 1; st.global.u32 [%d1+4], %r1;", false},
        {"atom.global.add.u32 %r1, [%d1], 1; setp.eq.u32 %p1, %r1, 5; @%p1 bra E; E:", false},
        {"red.global.add.f32 [%d1], 0f3F800000;", false},
        {"atom.global.exch.b32 %r1, [%d1], 1;", false},
        {"atom.add.u32 %r1, [%d1], 1; st.local.u32 [l], %r1;", false},
        {"ld.volatile.global.u32 %r1, [%d1];", false},
        {"ld.relaxed.gpu.global.u32 %r1, [%d1];", false},
        {"ld.acquire.gpu.u32 %r1, [%d1];", false},
        {"mov.u32 %r1, %clock;", false},
        {"mov.u32 %r1, %smid;", false},
        {"{ .param .b32 a; st.param.b32 [a], %r1; call polls, (a); }", false},
        {"mov.u64 %d2, pure; { .param .b32 a; st.param.b32 [a], %r1; "
         "P: .callprototype _ (.param .b32 _); call %d2, (a), P; }", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char ptx[4096];
        snprintf(ptx, sizeof ptx,
                 PTX_HEADER ".global .u32 g;\n.func pure(.param .b32 a) { ret; }\n"
                 ".func polls(.param .b32 a) { .reg .b32 %%r1; ld.volatile.global.u32 %%r1, [g]; "
                 "ret; }\n.visible .entry k(.param .u64 p)\n{ .reg .pred %%p<3>; .reg .b32 %%r<3>; "
                 ".reg .b64 %%d<3>; .shared .align 4 .u32 s; .local .align 4 .u32 l;\n"
                 "ld.param.u64 %%d1, [p];\n%s\nret; }\n", cases[i].body);
        struct options o = {.threads = 2};
        struct fixture f = fixture_open(ptx, &o);
        uint64_t p;
        fixture_alloc(&f, 64, &p);
        struct grid *g = fixture_start(&f, "k", 100, 64, &p);
        if (grid_run(g)->parallel != cases[i].free)
            printf("wrong for: %s\n", cases[i].body);
        CU_ASSERT_EQUAL(grid_run(g)->parallel, cases[i].free);
        fixture_run(&f, 0);
        CU_ASSERT_EQUAL(g->status, GRID_DONE);
        grid_destroy(g);
        fixture_close(&f);
    }
}

/** A fault names the thread and ends only its own grid. */
static void test_fault(void)
{
    struct fixture f = fixture_open(sum, NULL);
    struct { uint64_t in; uint32_t n; uint64_t out; } bad = {.n = 64}, good = {.n = 64};
    fixture_alloc(&f, 100, &bad.in);
    fixture_alloc(&f, 4, &bad.out);
    good = bad;
    good.n = 25;
    struct grid *a = fixture_start(&f, "sum", 2, 32, &bad);
    struct grid *b = fixture_start(&f, "sum", 2, 32, &good);
    CU_ASSERT_EQUAL(fixture_run(&f, 0), STEP_IDLE);
    CU_ASSERT_EQUAL(a->status, GRID_ILLEGAL_ADDRESS);
    CU_ASSERT_EQUAL(b->status, GRID_DONE);
    CU_ASSERT_STRING_EQUAL(grid_fault_message(a), "thread 25 of block 0 reads 4 bytes at offset "
                                                  "100 of alloc0, which holds 100 bytes");
    CU_ASSERT_STRING_EQUAL(grid_fault_message(b), "");
    CU_ASSERT_EQUAL(reporter_count(machine_reporter(f.machine), LEVEL_ERROR), 1);
    grid_destroy(a);
    grid_destroy(b);
    fixture_close(&f);
}

/** Blocks that wait for ever, found by several threads as by one. */
static void test_stuck(void)
{
    static const char ptx[] = PTX_HEADER
        ".visible .entry k()\n{\n  .reg .pred %p<3>; .reg .b32 %r<3>;\n"
        "  mov.u32 %r1, %tid.x;\n  setp.ge.u32 %p1, %r1, 32;\n  @%p1 bra E;\n"
        "  bar.sync 1, 96;\nE: ret;\n}\n";
    for (int threads = 1; threads <= 2; threads++) {
        struct options o = {.threads = threads};
        struct fixture f = fixture_open(ptx, &o);
        struct grid *g = fixture_start(&f, "k", 500, 64, NULL);
        enum step_result r = fixture_run(&f, 0);
        CU_ASSERT_EQUAL(r, STEP_STUCK);
        grid_abort(g, GRID_DEADLOCK);
        CU_ASSERT_EQUAL(machine_step(f.machine, 0), STEP_IDLE);
        grid_destroy(g);
        fixture_close(&f);
    }
}

static void test_unload(void)
{
    struct fixture f = fixture_open(PTX_HEADER ".global .align 4 .u32 v[1000];\n"
                                               ".visible .entry k() { ret; }\n", NULL);
    uint64_t used = memory_used(machine_memory(f.machine));
    CU_ASSERT(used >= 4000);
    machine_unload(f.machine, f.image);
    CU_ASSERT_EQUAL(memory_used(machine_memory(f.machine)), used - 4000);
    fixture_close(&f);
}

/** Whether all lanes of each warp come together to where they meet, and go round loops with barriers together. */
static void test_came_apart(void)
{
    static const struct { const char *body; bool apart; } cases[] = {
        {"bar.sync 0; bar.warp.sync -1; shfl.sync.idx.b32 %r2, %r1, 0, 31, -1;", false},
        {"@%p1 add.u32 %r2, %r1, 1; @%p1 bra A; add.u32 %r2, %r2, 1; A: bar.sync 0;", false},
        {"A: add.u32 %r1, %r1, 8; setp.lt.u32 %p1, %r1, 40; @%p1 bra A; bar.sync 0;", false},
        {"mov.u32 %r1, 0; A: bar.sync 0; add.u32 %r1, %r1, 8; setp.lt.u32 %p1, %r1, 40; @%p1 bra A;", false},
        {"A: add.u32 %r1, %r1, 8; setp.lt.u32 %p1, %r1, 40; @%p1 bra A; mov.u32 %r1, 99; bar.sync 0;"
         "setp.lt.u32 %p1, %r1, 9; @%p1 bra A;", true},
        {"@%p1 bra A; bar.sync 0; A:", true},
        {"@%p1 exit; bar.sync 0;", true},
        {"@%p1 bra A; bar.warp.sync 0xffff0000; A:", true},
        {"bar.warp.sync 0xffff;", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char ptx[4096];
        snprintf(ptx, sizeof ptx,
                 ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %%p<2>; .reg .b32 %%r<4>;\n"
                 "mov.u32 %%r1, %%tid.x; setp.lt.u32 %%p1, %%r1, 16;\n%s\nret;\n}\n", cases[i].body);
        struct options o = {.threads = 1, .check = true};
        struct fixture f = fixture_open(ptx, &o);
        struct grid *g = fixture_start(&f, "k", 1, 32, NULL);
        fixture_run(&f, 0);
        if (g->came_apart != cases[i].apart)
            fprintf(stderr, "apart: not %d: %s\n", cases[i].apart, cases[i].body);
        CU_ASSERT_EQUAL(g->came_apart, cases[i].apart);
        grid_destroy(g);
        fixture_close(&f);
    }
}

UNIT_MAIN("execute", {"occupancy", test_occupancy}, {"bounds of blocks", test_bounds_of_blocks}, {"device models", test_device_models},
          {"host threads", test_threads}, {"waits that race", test_weak_waits},
          {"order-free kernels", test_order_free}, {"fault", test_fault}, {"stuck", test_stuck},
          {"unload", test_unload}, {"lanes that come apart", test_came_apart})
