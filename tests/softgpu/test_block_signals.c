/* What a block's strong writes can tell: of what a thread did before its own, and of others only where it knew of them. Nobody is ruled out who may have signalled. */
#include "check/race/block_signals.h"
#include "unit.h"

#define HERE 0x1000
#define THERE 0x2000

static void write_by(struct block_signals *s, uint16_t thread, uint32_t time, uint64_t place)
{
    signals_note(s, place, &(struct contribution){.agent = 1, .thread = thread, .time = time}, true);
}

/** … at another place than HERE. */
static bool tells(const struct block_signals *s, uint32_t thread, uint32_t time)
{
    return signals_may_tell(s, thread, time, HERE, HERE + 3);
}

static void test_nobody(void)
{
    const struct block_signals s = {0};
    CU_ASSERT(!tells(&s, 0, 1));
}

static void test_one_thread(void)
{
    struct block_signals s = {0};
    write_by(&s, 7, 5, THERE);
    CU_ASSERT(tells(&s, 7, 5));
    CU_ASSERT(!tells(&s, 7, 6));
    CU_ASSERT(!tells(&s, 6, 1));
    CU_ASSERT(!s.warps);
}

static void test_several(void)
{
    struct block_signals s = {0};
    write_by(&s, 7, 5, THERE);
    write_by(&s, 8, 9, THERE);
    write_by(&s, 300, 20, THERE);
    CU_ASSERT(tells(&s, 7, 5) && tells(&s, 8, 9) && tells(&s, 300, 20));
    CU_ASSERT(!tells(&s, 7, 6) && !tells(&s, 8, 10) && !tells(&s, 9, 1) && !tells(&s, 100, 1));
    signals_forget(&s);
    CU_ASSERT(tells(&s, 7, 6) && tells(&s, 9, 1)); /* it is not known any more */
    CU_ASSERT(!tells(&s, 9, 21));
    write_by(&s, 9, 21, THERE);
    CU_ASSERT(tells(&s, 9, 21));
    signals_forget(&s);
}

/* Before anybody asks, no room is taken for each thread's; then none is ruled out. */
static void test_not_kept(void)
{
    struct block_signals s = {0};
    for (uint16_t thread = 1; thread < 4; thread++)
        signals_note(&s, THERE, &(struct contribution){.agent = 1, .thread = thread, .time = 5}, false);
    CU_ASSERT(!s.warps);
    write_by(&s, 4, 6, THERE);
    CU_ASSERT(!s.warps && tells(&s, 9, 6) && !tells(&s, 9, 7));
}

/* A write to the place in question is none; one before it, elsewhere, tells of what came before that. */
static void test_places(void)
{
    struct block_signals s = {0};
    write_by(&s, 1, 3, THERE);
    write_by(&s, 1, 8, HERE);
    write_by(&s, 2, 8, HERE);
    CU_ASSERT(tells(&s, 1, 3));
    CU_ASSERT(!tells(&s, 1, 4) && !tells(&s, 2, 1));
    write_by(&s, 2, 9, THERE);
    CU_ASSERT(tells(&s, 2, 9) && !tells(&s, 1, 4));
    signals_forget(&s);
}

/* Behind a barrier a thread tells of all others. */
static void test_barriers(void)
{
    struct block_signals s = {0};
    write_by(&s, 1, 3, THERE);
    CU_ASSERT(!tells(&s, 2, 1));
    signals_note(&s, THERE, &(struct contribution){.agent = 1, .thread = 3, .time = 12, .uniform = 10}, true);
    CU_ASSERT(tells(&s, 2, 10) && tells(&s, 3, 12));
    CU_ASSERT(!tells(&s, 2, 11) && !tells(&s, 1, 11));
    signals_note(&s, THERE, &(struct contribution){.agent = 1, .thread = 3, .time = 20, .warp_uniform = 18}, true);
    CU_ASSERT(tells(&s, 2, 18) && !tells(&s, 2, 19));
    signals_forget(&s);
}

/* A row is each of its lanes', which are not told apart. */
static void test_rows(void)
{
    struct block_signals s = {0};
    write_by(&s, 1, 3, THERE);
    signals_note_row(&s, THERE, THERE + 60, &(struct contribution){.agent = 1, .thread = 32, .time = 6});
    CU_ASSERT(tells(&s, 40, 6) && tells(&s, 1, 6));
    CU_ASSERT(!tells(&s, 40, 7));
    CU_ASSERT(!s.warps);
    signals_forget(&s);
}

UNIT_MAIN("a block's signals", {"nobody", test_nobody}, {"one thread", test_one_thread}, {"several threads", test_several}, {"not kept", test_not_kept}, {"places", test_places},
          {"barriers", test_barriers}, {"rows", test_rows})
