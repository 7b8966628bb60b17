/* What a thread is known not to have heard of is known as long as it has observed nothing new, of these very events and of no others. */
#include <stdlib.h>

#include "check/race/observed_chains.h"
#include "check/race/unheard.h"
#include "unit.h"

static const struct unheard_question asked = {
    .run = 3, .places = {0x1000, 0x1003}, .agent = 2, .thread = 5, .observed = 7, .by_all = 1, .count = 2, .event = {{4, 0, 9}, {6, 31, 2}}};

static struct unheard *unheard_new(void)
{
    struct unheard *u = calloc(1, sizeof *u);
    CU_ASSERT_FATAL(u != NULL);
    return u;
}

static void test_noted(void)
{
    struct unheard *u = unheard_new();
    CU_ASSERT(!unheard_knows(u, &asked));
    unheard_note(u, &asked);
    CU_ASSERT(unheard_knows(u, &asked));
    free(u);
}

/* Each of these is another question. */
static void test_others(void)
{
    struct unheard *u = unheard_new();
    struct unheard_question other[] = {asked, asked, asked, asked, asked, asked, asked, asked, asked, asked};
    const int count = sizeof other / sizeof *other;
    other[0].run++, other[1].agent++, other[2].thread++, other[3].observed++, other[4].by_all++, other[5].only_heard = 1;
    other[6].event[0].time++, other[7].event[1].time++, other[8].places.last++, other[9].count = 1;
    unheard_note(u, &asked);
    for (int i = 0; i < count; i++)
        CU_ASSERT(!unheard_knows(u, &other[i]));
    for (int i = 0; i < count; i++) {
        unheard_note(u, &other[i]);
        CU_ASSERT(unheard_knows(u, &other[i]));
    }
    free(u);
}

/* A look that finds what the thread has seen there changes nothing, whenever it comes; a newer write, another place and a value that is used do. */
static void test_changes(void)
{
    struct observed_list list = {0};
    struct release_chain *a = chain_new(), *b = chain_new();
    const struct observed look[] = {{.chain = a, .upto = 1, .thread = 5, .time = 1, .moment = 1},
                                    {.chain = a, .upto = 1, .thread = 5, .time = 9, .moment = 8},
                                    {.chain = a, .upto = 0, .thread = 5, .time = 9, .moment = 8},
                                    {.chain = a, .upto = 1, .heard = 2, .thread = 5, .time = 10, .moment = 9},
                                    {.chain = a, .upto = 2, .heard = 2, .thread = 5, .time = 11, .moment = 12},
                                    {.chain = b, .upto = 0, .thread = 5, .time = 11, .moment = 12}};
    const uint32_t changes[] = {1, 1, 1, 2, 3, 4};
    a->place = 0x1000, b->place = 0x2000;
    for (size_t i = 0; i < sizeof look / sizeof *look; i++) {
        observed_note(&list, &look[i]);
        CU_ASSERT(list.changes == changes[i]);
    }
    observed_drop(&list);
    chain_drop(a);
    chain_drop(b);
}

UNIT_MAIN("what has not been heard", {"noted", test_noted}, {"others", test_others}, {"changes", test_changes})
