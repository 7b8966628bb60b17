/* The order of blocks and warps: natural, random and priority schedules, and that seeds replay. */
#include "unit.h"

#include "execute/engine.h"
#include "execute/grid_life.h"
#include "machine_fixture.h"

#define BLOCKS 64
#define THREADS 96

/* Each warp's first lane takes a ticket twice, with a barrier between. */
static const char tickets[] = PTX_HEADER
    ".visible .entry k(.param .u64 out, .param .u64 counter)\n{\n"
    "  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n"
    "  ld.param.u64 %d1, [out];\n  ld.param.u64 %d2, [counter];\n"
    "  mov.u32 %r1, %ctaid.x;\n  mov.u32 %r2, %tid.x;\n  shr.u32 %r3, %r2, 5;\n"
    "  and.b32 %r4, %r2, 31;\n  setp.eq.u32 %p1, %r4, 0;\n"
    "  mad.lo.u32 %r5, %r1, 3, %r3;\n  mul.wide.u32 %d3, %r5, 8;\n  add.u64 %d4, %d1, %d3;\n"
    "  @%p1 atom.global.add.u32 %r6, [%d2], 1;\n  @%p1 st.global.u32 [%d4], %r6;\n"
    "  bar.sync 0;\n"
    "  @%p1 atom.global.add.u32 %r6, [%d2], 1;\n  @%p1 st.global.u32 [%d4+4], %r6;\n"
    "  ret;\n}\n";

#define TICKETS (BLOCKS * THREADS / 32 * 2)

static void run_tickets(enum schedule_kind kind, uint64_t seed, uint32_t out[TICKETS])
{
    struct options o = {.check = true, .schedules = 1};
    struct fixture f = fixture_open(tickets, &o);
    uint64_t params[2];
    uint8_t *host = fixture_alloc(&f, TICKETS * 4, &params[0]);
    fixture_alloc(&f, 4, &params[1]);
    machine_set_schedule(f.machine, kind, seed);
    struct grid *g = fixture_start(&f, "k", BLOCKS, THREADS, params);
    fixture_run(&f, 1000);
    CU_ASSERT_EQUAL(g->status, GRID_DONE);
    memcpy(out, host, TICKETS * 4);
    grid_destroy(g);
    fixture_close(&f);
}

static void test_natural(void)
{
    uint32_t out[TICKETS];
    run_tickets(SCHEDULE_NATURAL, 0, out);
    for (uint32_t block = 0; block < BLOCKS; block++)
        for (uint32_t warp = 0; warp < 3; warp++) {
            CU_ASSERT_EQUAL(out[(block * 3 + warp) * 2], block * 6 + warp);
            CU_ASSERT_EQUAL(out[(block * 3 + warp) * 2 + 1] / 6, block);
        }
}

/** Every ticket is taken once, and a block's second tickets follow all its first ones. */
static bool is_fair(const uint32_t out[TICKETS])
{
    bool seen[TICKETS] = {false};
    for (int i = 0; i < TICKETS; i++) {
        if (out[i] >= TICKETS || seen[out[i]])
            return false;
        seen[out[i]] = true;
    }
    for (int block = 0; block < BLOCKS; block++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                if (out[(block * 3 + a) * 2] > out[(block * 3 + b) * 2 + 1])
                    return false;
    return true;
}

static void check_drawn(enum schedule_kind kind)
{
    uint32_t first[TICKETS], again[TICKETS], last_block = 0;
    bool last[BLOCKS] = {false};
    int different = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        run_tickets(kind, seed, first);
        run_tickets(kind, seed, again);
        CU_ASSERT_EQUAL(memcmp(first, again, sizeof first), 0);
        CU_ASSERT_TRUE(is_fair(first));
        for (uint32_t i = 0; i < TICKETS; i++)
            if (first[i] == TICKETS - 1)
                last_block = i / 6;
        different += !last[last_block];
        last[last_block] = true;
    }
    CU_ASSERT(different >= 5); /* the last block is another one from seed to seed */
}

static void test_random(void)
{
    check_drawn(SCHEDULE_RANDOM);
}

static void test_pct(void)
{
    check_drawn(SCHEDULE_PCT);
}

/** A warp exchanges values through shared memory, with or without a warp barrier between. */
static int wrong_exchanges(const char *between)
{
    char ptx[2048];
    int wrong = 0;
    snprintf(ptx, sizeof ptx,
             PTX_HEADER ".visible .entry k(.param .u64 out)\n{\n"
             "  .reg .b32 %%r<9>; .reg .b64 %%d<9>; .shared .align 4 .b8 s[128];\n"
             "  ld.param.u64 %%d1, [out];\n  mov.u32 %%r1, %%tid.x;\n  shl.b32 %%r2, %%r1, 2;\n"
             "  mov.u32 %%r3, s;\n  add.u32 %%r4, %%r3, %%r2;\n  st.shared.u32 [%%r4], %%r1;\n"
             "  %s\n  xor.b32 %%r2, %%r2, 4;\n  add.u32 %%r4, %%r3, %%r2;\n"
             "  ld.shared.u32 %%r5, [%%r4];\n  mul.wide.u32 %%d2, %%r1, 4;\n"
             "  add.u64 %%d3, %%d1, %%d2;\n  st.global.u32 [%%d3], %%r5;\n  ret;\n}\n", between);
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct options o = {.check = true, .schedules = 1};
        struct fixture f = fixture_open(ptx, &o);
        uint64_t out;
        uint32_t *host = (uint32_t *)fixture_alloc(&f, 128, &out);
        machine_set_schedule(f.machine, SCHEDULE_RANDOM, seed);
        struct grid *g = fixture_start(&f, "k", 1, 32, &out);
        fixture_run(&f, 0);
        for (uint32_t i = 0; i < 32; i++)
            wrong += host[i] != (i ^ 1);
        grid_destroy(g);
        fixture_close(&f);
    }
    return wrong;
}

static void test_lanes_stray(void)
{
    CU_ASSERT(wrong_exchanges("") > 0);
    CU_ASSERT_EQUAL(wrong_exchanges("bar.warp.sync 0xffffffff;"), 0);
}

/* Two grids: the first spins until the second has run. */
static const char two_grids[] = PTX_HEADER
    ".visible .entry wait(.param .u64 flag)\n{\n"
    "  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n  ld.param.u64 %d1, [flag];\n"
    "W: ld.volatile.global.u32 %r1, [%d1];\n  setp.eq.u32 %p1, %r1, 0;\n  @%p1 bra W;\n"
    "  st.global.u32 [%d1+4], 2;\n  ret;\n}\n"
    ".visible .entry set(.param .u64 flag)\n{\n"
    "  .reg .b64 %d<9>;\n  ld.param.u64 %d1, [flag];\n"
    "  st.volatile.global.u32 [%d1], 1;\n  ret;\n}\n";

static void test_two_grids(void)
{
    for (int kind = SCHEDULE_NATURAL; kind <= SCHEDULE_PCT; kind++) {
        struct fixture f = fixture_open(two_grids, NULL);
        uint64_t flag;
        uint32_t *host = (uint32_t *)fixture_alloc(&f, 8, &flag);
        machine_set_schedule(f.machine, kind, 3);
        struct grid *a = fixture_start(&f, "wait", 10, 64, &flag);
        CU_ASSERT_EQUAL(machine_step(f.machine, 100000), STEP_BUDGET);
        struct grid *b = fixture_start(&f, "set", 1, 1, &flag);
        CU_ASSERT_EQUAL(fixture_run(&f, 100000), STEP_IDLE);
        CU_ASSERT_EQUAL(a->status, GRID_DONE);
        CU_ASSERT_EQUAL(b->status, GRID_DONE);
        CU_ASSERT_EQUAL(host[1], 2);
        grid_destroy(a);
        grid_destroy(b);
        fixture_close(&f);
    }
}

/** A grid that is ended from outside leaves the device free for others. */
static void test_abort(void)
{
    struct fixture f = fixture_open(two_grids, NULL);
    uint64_t flag;
    fixture_alloc(&f, 8, &flag);
    struct grid *a = fixture_start(&f, "wait", 5000, 1024, &flag);
    CU_ASSERT_EQUAL(machine_step(f.machine, 100000), STEP_BUDGET);
    struct grid *b = fixture_start(&f, "set", 1, 1, &flag);
    CU_ASSERT_EQUAL(machine_step(f.machine, 100000), STEP_BUDGET); /* b finds no room */
    CU_ASSERT_EQUAL(b->started, 0);
    grid_abort(a, GRID_CANCELLED);
    CU_ASSERT_EQUAL(machine_step(f.machine, 0), STEP_GRID_ENDED);
    CU_ASSERT_EQUAL(b->status, GRID_DONE);
    CU_ASSERT_EQUAL(machine_step(f.machine, 0), STEP_IDLE);
    grid_destroy(a);
    grid_destroy(b);
    fixture_close(&f);
}

/* Each block comes to a barrier that waits for more threads than it has; or polls. */
static const char waiting[] = PTX_HEADER
    ".visible .entry at_barrier(.param .u64 flag)\n{\n  bar.sync 1, 64;\n  ret;\n}\n"
    ".visible .entry polling(.param .u64 flag)\n{\n"
    "  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n  ld.param.u64 %d1, [flag];\n"
    "W: ld.volatile.global.u32 %r1, [%d1];\n  setp.eq.u32 %p1, %r1, 0;\n  @%p1 bra W;\n  ret;\n}\n";

/** Turns in a row that came to nothing, once each of the blocks has had some. */
static uint64_t turns_in_vain(const char *kernel)
{
    struct options o = {.check = true, .schedules = 1};
    struct fixture f = fixture_open(waiting, &o);
    uint64_t flag;
    fixture_alloc(&f, 4, &flag);
    struct grid *g = fixture_start(&f, kernel, BLOCKS, 32, &flag);
    machine_step(f.machine, 20000);
    uint64_t turns = f.machine->vain_turns;
    grid_abort(g, GRID_CANCELLED);
    grid_destroy(g);
    fixture_close(&f);
    return turns;
}

static void test_turns_in_vain(void)
{
    CU_ASSERT(turns_in_vain("polling") >= BLOCKS);
    CU_ASSERT_EQUAL(turns_in_vain("at_barrier"), 0); /* each has come there in its turn */
}

/* Each block waits for its number, and gives the next one its own; or looks as often as that and then goes on. */
static const char in_a_row[] = PTX_HEADER
    ".visible .entry by_number(.param .u64 turn)\n{\n"
    "  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n  ld.param.u64 %d1, [turn];\n  mov.u32 %r2, %ctaid.x;\n"
    "W: ld.volatile.global.u32 %r1, [%d1];\n  setp.ne.u32 %p1, %r1, %r2;\n  @%p1 bra W;\n"
    "  add.u32 %r2, %r2, 1;\n  st.volatile.global.u32 [%d1], %r2;\n  ret;\n}\n"
    ".visible .entry by_special(.param .u64 turn)\n{\n"
    "  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n  ld.param.u64 %d1, [turn];\n"
    "W: ld.volatile.global.u32 %r1, [%d1];\n  mov.u32 %r2, %ctaid.x;\n  setp.ne.u32 %p1, %r1, %r2;\n  @%p1 bra W;\n"
    "  add.u32 %r2, %r2, 1;\n  st.volatile.global.u32 [%d1], %r2;\n  ret;\n}\n"
    ".visible .entry gives_up(.param .u64 turn)\n{\n"
    "  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n  ld.param.u64 %d1, [turn];\n  mov.u32 %r2, 0;\n"
    "W: ld.volatile.global.u32 %r1, [%d1];\n  add.u32 %r2, %r2, 1;\n  setp.eq.u32 %p1, %r1, 0;\n  setp.lt.and.u32 %p1, %r2, 300, %p1;\n"
    "  @%p1 bra W;\n  st.volatile.global.u32 [%d1+4], %r2;\n  ret;\n}\n";

/** @return the instructions of a run of so many blocks; `left`: the four words */
static uint64_t run_wide(const char *ptx, const char *kernel, enum schedule_kind kind, uint32_t blocks, uint32_t threads, uint32_t left[4])
{
    struct options o = {.check = true, .schedules = 1};
    struct fixture f = fixture_open(ptx, &o);
    uint64_t words;
    uint32_t *host = (uint32_t *)fixture_alloc(&f, 16, &words);
    machine_set_schedule(f.machine, kind, 3);
    struct grid *g = fixture_start(&f, kernel, blocks, threads, &words);
    CU_ASSERT_EQUAL(fixture_run(&f, 0), STEP_IDLE);
    CU_ASSERT_EQUAL(g->status, GRID_DONE);
    uint64_t instructions = g->instructions;
    memcpy(left, host, 16);
    grid_destroy(g);
    fixture_close(&f);
    return instructions;
}

static uint64_t run_blocks(const char *ptx, const char *kernel, enum schedule_kind kind, uint32_t blocks, uint32_t left[4])
{
    return run_wide(ptx, kernel, kind, blocks, 1, left);
}

static uint64_t run_in_a_row(const char *kernel, enum schedule_kind kind, uint32_t left[4])
{
    return run_blocks(in_a_row, kernel, kind, 300, left);
}

/** Who would only look again at whatever stands there is not asked to, or the time would grow with the square of the blocks; a loop that
 *  counts its looks comes to its end all the same. */
static void test_blocks_in_a_row(void)
{
    static const enum schedule_kind kinds[] = {SCHEDULE_RANDOM, SCHEDULE_PCT, SCHEDULE_BACKWARD, SCHEDULE_STRICT};
    for (int i = 0; i < 4; i++) {
        uint32_t left[4];
        CU_ASSERT(run_in_a_row("by_number", kinds[i], left) < 300 * 300);
        CU_ASSERT_EQUAL(left[0], 300);
        bool in_order = kinds[i] == SCHEDULE_STRICT; /* from the first on: it is always somebody's turn who comes next */
        CU_ASSERT(in_order == (run_in_a_row("by_special", kinds[i], left) < 300 * 300)); /* reading %ctaid is more than arithmetic here */
        CU_ASSERT_EQUAL(left[0], 300);
        run_in_a_row("gives_up", kinds[i], left);
        CU_ASSERT_EQUAL(left[1], 300);
    }
}

#define LONG_FIRST "  mov.u32 %r4, %ctaid.x;\n  setp.eq.u32 %p2, %r4, 0;\n  selp.u32 %r8, 1000, 10, %p2;\n" /* turns */
#define TICKET \
    "  mov.u32 %r4, %ctaid.x;\n  atom.global.add.u32 %r5, [%d1+4], 1;\n  setp.eq.u32 %p2, %r5, %r4;\n  @%p2 atom.global.add.u32 %r6, [%d1+12], 1;\n  ret;\n}\n"

/* Blocks wait by a weak load, with a fence behind it, for the last one to store. Or each goes round, the first one 1,000 times, adds up what it
   loads, or stores as often as that says, and takes a ticket. */
static const char weakly[] = PTX_HEADER
    ".visible .entry fenced(.param .u64 flag)\n{\n"
    "  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n  ld.param.u64 %d1, [flag];\n  mov.u32 %r2, %ctaid.x;\n  setp.eq.u32 %p2, %r2, 59;\n  @%p2 bra S;\n"
    "W: ld.global.u32 %r1, [%d1];\n  setp.ne.u32 %p1, %r1, 0;\n  @%p1 bra E;\n  fence.sc.gpu;\n  bra W;\nS: st.global.u32 [%d1], 1;\nE: ret;\n}\n"
    ".visible .entry counted(.param .u64 flag)\n{\n"
    "  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n  ld.param.u64 %d1, [flag];\n  mov.u32 %r2, 0;\n" LONG_FIRST
    "W: ld.global.u32 %r1, [%d1];\n  fence.sc.gpu;\n  add.u32 %r3, %r3, %r1;\n  add.u32 %r2, %r2, 1;\n  setp.lt.u32 %p1, %r2, %r8;\n  @%p1 bra W;\n"
    "  st.global.u32 [%d1+8], %r3;\n" TICKET
    ".visible .entry bounded(.param .u64 flag)\n{\n"
    "  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n  ld.param.u64 %d1, [flag];\n  mov.u32 %r2, 0;\n" LONG_FIRST
    "W: ld.global.u32 %r1, [%d1];\n  add.u32 %r1, %r1, %r8;\n  st.global.u32 [%d1+8], %r2;\n  fence.sc.gpu;\n  add.u32 %r2, %r2, 1;\n  setp.lt.u32 %p1, %r2, %r1;\n"
    "  @%p1 bra W;\n" TICKET;

/** A loop that waits so gives its turn away as one that polls; one that only goes round long keeps it. */
static void test_weak_polls(void)
{
    uint32_t left[4];
    CU_ASSERT(run_blocks(weakly, "fenced", SCHEDULE_NATURAL, 60, left) < 60 * 1000);
    CU_ASSERT_EQUAL(left[0], 1);
    run_blocks(weakly, "counted", SCHEDULE_NATURAL, 60, left);
    CU_ASSERT_EQUAL(left[3], 60); /* each has taken its ticket before the next one */
    run_blocks(weakly, "bounded", SCHEDULE_NATURAL, 60, left);
    CU_ASSERT_EQUAL(left[3], 60);
}

/* Each thread adds to a word eight times, by trying until nobody has come between its look and its swap. */
static const char tries[] = PTX_HEADER
    ".visible .entry k(.param .u64 sum)\n{\n"
    "  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n  ld.param.u64 %d1, [sum];\n  mov.u32 %r4, 0;\n  ld.volatile.global.u32 %r1, [%d1];\n"
    "T: add.u32 %r2, %r1, 1;\n  mov.u32 %r3, %r1;\n  atom.global.cas.b32 %r1, [%d1], %r3, %r2;\n  setp.ne.u32 %p1, %r1, %r3;\n  @%p1 bra T;\n"
    "  mov.u32 %r1, %r2;\n  add.u32 %r4, %r4, 1;\n  setp.lt.u32 %p1, %r4, 8;\n  @%p1 bra T;\n  ret;\n}\n";

/** Others come between two tries, but not between all of them: of n threads each would try n times. */
static void test_tries(void)
{
    static const enum schedule_kind kinds[] = {SCHEDULE_RANDOM, SCHEDULE_PCT, SCHEDULE_BACKWARD};
    uint32_t left[4];
    for (int i = 0; i < 3; i++) {
        uint64_t few = run_wide(tries, "k", kinds[i], 4, 32, left);
        CU_ASSERT(run_wide(tries, "k", kinds[i], 128, 32, left) < 40 * few);
        CU_ASSERT_EQUAL(left[0], 128 * 32 * 8);
    }
    CU_ASSERT(run_blocks(tries, "k", SCHEDULE_BACKWARD, 16, left) > 2 * run_blocks(tries, "k", SCHEDULE_NATURAL, 16, left));
}

/** @return the instructions of a round beside the host, of at most 100,000 */
static uint64_t steps_beside(struct fixture *f)
{
    uint64_t before = machine_steps(f->machine);
    CU_ASSERT_EQUAL(machine_step_beside(f->machine, 100000), STEP_BUDGET);
    return machine_steps(f->machine) - before;
}

/** Where all blocks only wait for the host a round is short; it is not where they work, and who has been let go goes on at once. */
static void test_beside_the_host(void)
{
    struct options o = {.check = true, .schedules = 1};
    struct fixture f = fixture_open(waiting, &o), busy = fixture_open(weakly, &o);
    uint64_t flag, words;
    uint32_t *host = (uint32_t *)fixture_alloc(&f, 4, &flag);
    fixture_alloc(&busy, 16, &words);
    struct grid *g = fixture_start(&f, "polling", 4, 32, &flag), *works = fixture_start(&busy, "counted", 6000, 1, &words);
    for (int i = 0; i < 5; i++)
        CU_ASSERT(steps_beside(&f) < 10000);
    CU_ASSERT(steps_beside(&busy) >= 100000);
    *host = 1;
    CU_ASSERT_EQUAL(machine_step_beside(f.machine, 100000), STEP_GRID_ENDED);
    CU_ASSERT_EQUAL(g->status, GRID_DONE);
    CU_ASSERT_EQUAL(fixture_run(&busy, 0), STEP_IDLE);
    grid_destroy(g);
    grid_destroy(works);
    fixture_close(&f);
    fixture_close(&busy);
}

/** How many of `count` looks at `places` places, one after another, in a row that holds others, are seen to be made again. */
static int seen_again(int places, int count, bool changes)
{
    struct polled row[POLLED_ROW];
    int again = 0;
    for (int i = 0; i < POLLED_ROW; i++)
        row[i] = (struct polled){1000 + (uint64_t)i, 0};
    for (int i = 0; i < count; i++)
        again += polled_again(row, 1 + (uint64_t)(i % places), changes ? (uint64_t)i : 7, 5 * (uint64_t)i);
    return again;
}

/* A spin over more places than a row keeps is one, whatever the places are; one that gets something else each time is none. */
static void test_polled_again(void)
{
    CU_ASSERT_EQUAL(seen_again(1, 100, false), 99);
    for (int places = 2; places < 16; places++) {
        CU_ASSERT(seen_again(places, 100 * places, false) > 10 * places);
        CU_ASSERT_EQUAL(seen_again(places, 100 * places, true), 0);
    }
}

UNIT_MAIN("schedule", {"natural", test_natural}, {"random", test_random}, {"pct", test_pct},
          {"lanes stray in random schedules", test_lanes_stray},
          {"two grids", test_two_grids}, {"abort", test_abort}, {"turns in vain", test_turns_in_vain},
          {"blocks in a row", test_blocks_in_a_row}, {"weak polls", test_weak_polls}, {"tries", test_tries}, {"beside the host", test_beside_the_host},
          {"polled again", test_polled_again})
