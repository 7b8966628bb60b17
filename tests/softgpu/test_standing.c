/**
 * @file test_standing.c
 * Launches of very many threads that all wait for what never comes: how many instructions pass before that is told, and that none is given up which only
 * tries for long.
 */
#include "unit.h"

#include "check/checkers.h"
#include "execute/chooser.h"
#include "execute/engine.h"
#include "machine_fixture.h"

#define LAUNCH_BLOCKS 264u
#define LAUNCH_WARPS (LAUNCH_BLOCKS * 32)
#define TRIES "9000" /* more than are asked first, fewer than those after which a loop is given up that may get somewhere */

/* All poll, or so in a loop in which the lanes meet, too; or the first thread of all sets a flag after so many tries, and counts on for a while, which decides nothing else: the one that all poll, or another. */
static const char kernels[] = PTX_HEADER
    ".visible .entry polling(.param .u64 flag)\n{\n"
    "  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n  ld.param.u64 %d1, [flag];\n"
    "W: ld.volatile.global.u32 %r1, [%d1];\n  setp.eq.u32 %p1, %r1, 0;\n  @%p1 bra W;\n  ret;\n}\n"
    ".visible .entry in_rounds(.param .u64 flag)\n{\n"
    "  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n  ld.param.u64 %d1, [flag];\n  mov.u32 %r2, 0;\n"
    "R: bar.warp.sync -1;\nW: ld.volatile.global.u32 %r1, [%d1];\n  setp.eq.u32 %p1, %r1, 0;\n  @%p1 bra W;\n"
    "  add.u32 %r2, %r2, 1;\n  setp.lt.u32 %p2, %r2, 3;\n  @%p2 bra R;\n  ret;\n}\n"
#define TRYING(name, other)                                                                                                    \
    ".visible .entry " name "(.param .u64 flag)\n{\n"                                                                          \
    "  .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n  ld.param.u64 %d1, [flag];\n"                                     \
    "  mov.u32 %r2, 0;\n  mov.u32 %r3, %ctaid.x;\n  mov.u32 %r4, %tid.x;\n  or.b32 %r3, %r3, %r4;\n  setp.eq.u32 %p2, %r3, 0;\n" \
    "W: ld.volatile.global.u32 %r1, [%d1];\n  add.u32 %r2, %r2, 1;\n  min.u32 %r2, %r2, 9999;\n  setp.eq.and.u32 %p3, %r2, " TRIES ", %p2;\n"               \
    "  @!%p3 bra N;\n  st.volatile.global.u32 [%d1" other "], 1;\n"                                                             \
    "N: setp.eq.u32 %p1, %r1, 0;\n  @%p1 bra W;\n  ret;\n}\n"
    TRYING("sets", "") TRYING("sets_another", "+4");

struct standing {
    enum grid_status status;
    uint64_t instructions;
};

/** It lets all loads return the newest. */
static bool newest_load(void *self, const struct warp *w, struct mem_access *a)
{
    (void)self, (void)w, (void)a;
    return true;
}

static struct standing run(const char *kernel, uint32_t blocks, uint32_t threads, bool chosen)
{
    const struct chooser newest = {.load = newest_load};
    struct options o = {.device = device_model_at(0), .check = true, .schedules = 1, .max_findings = 100};
    struct diag d = {0};
    strcpy(o.check_list, "deadlock");
    struct fixture f = {.machine = machine_create(&o)};
    checkers_open(f.machine);
    f.image = machine_load(f.machine, "test", kernels, strlen(kernels), &d);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f.image);
    machine_set_awaited(f.machine, true, false);
    if (chosen)
        machine_set_chooser(f.machine, &newest, NULL);
    uint64_t flag;
    fixture_alloc(&f, 8, &flag);
    struct grid *g = fixture_start(&f, kernel, blocks, threads, &flag);
    fixture_run(&f, 100000);
    struct standing s = {g->status, g->instructions};
    grid_destroy(g);
    fixture_close(&f);
    return s;
}

/** All that stand still are asked when each warp has looked a few times. */
static void test_crowd(void)
{
    struct standing s = run("polling", LAUNCH_BLOCKS, 1024, false);
    CU_ASSERT_NOT_EQUAL(s.status, GRID_DONE);
    CU_ASSERT(s.instructions < 90 * LAUNCH_WARPS);
    s = run("in_rounds", LAUNCH_BLOCKS, 1024, false);
    CU_ASSERT_NOT_EQUAL(s.status, GRID_DONE);
    CU_ASSERT(s.instructions < 90 * LAUNCH_WARPS);
    s = run("polling", 1, 32, false);
    CU_ASSERT_NOT_EQUAL(s.status, GRID_DONE);
    CU_ASSERT(s.instructions < 100000);
}

/** Where a chooser says what loads return they may yet return something else: for long. */
static void test_chosen(void)
{
    struct standing s = run("polling", 1, 32, true);
    CU_ASSERT_NOT_EQUAL(s.status, GRID_DONE);
    CU_ASSERT(s.instructions > 400000);
}

static void test_tries(void)
{
    CU_ASSERT_EQUAL(run("sets", 1, 32, false).status, GRID_DONE);
    CU_ASSERT_EQUAL(run("sets", 40, 64, false).status, GRID_DONE);
    CU_ASSERT_NOT_EQUAL(run("sets_another", 1, 32, false).status, GRID_DONE);
}

UNIT_MAIN("standing still", {"a crowd", test_crowd}, {"chosen loads", test_chosen}, {"long tries", test_tries})
