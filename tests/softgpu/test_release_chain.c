/* Release chains are used again: one that begins knows nothing of those that were dropped, however many there were and however long. */
#include <stdlib.h>

#include "check/race/clock/knowledge.h"
#include "check/race/clock/release_chain.h"
#include "unit.h"

#define CHAINS 5000            /* more than are put by */

static void fill(struct release_chain *m, int writes)
{
    const struct passed nothing = {0};
    m->place = 7;
    for (int i = 0; i < writes; i++)
        chain_add(m, &(struct contribution){.agent = 1, .time = 1 + (uint32_t)i, .reach = REACH_DEVICE, .carries = i % 3 == 0}, &nothing);
    *chain_add_signal(m) = (struct contribution){.agent = 2, .time = 5, .reach = REACH_DEVICE};
}

static bool is_new(struct release_chain *m)
{
    struct knowledge *into = NULL;
    chain_acquire(m, m->from.count - 1, (struct acquirer){.agent = 3}, REACH_DEVICE, &into);
    bool nothing = !into;
    knowledge_drop(into);
    return nothing && m->refs == 1 && !m->place && !m->from.count && !m->passed.count && !m->near.count && !m->far.count && !m->joined &&
           !m->any_release && !m->any_sc && !m->any_host && !m->devices && !m->carriers.count && !chain_carried(m, 1, 0);
}

static void test_used_again(void)
{
    static struct release_chain *chain[CHAINS];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < CHAINS; i++) {
            chain[i] = chain_new();
            CU_ASSERT_FATAL(is_new(chain[i]));
            fill(chain[i], (i + round) % 7 ? i % 5 : 200);
        }
        for (int i = 0; i < CHAINS; i++)
            chain_drop(chain[i]);
    }
}

static void test_references_keep_it(void)
{
    struct release_chain *a = chain_new();
    fill(a, 3);
    struct release_chain *same = chain_ref(a);
    chain_drop(a);
    struct release_chain *other = chain_new();
    CU_ASSERT_PTR_NOT_EQUAL(other, same);
    CU_ASSERT(same->from.count == 4 && same->place == 7 && is_new(other));
    chain_drop(same);
    chain_drop(other);
}

UNIT_MAIN("release chains", {"used again", test_used_again}, {"references keep it", test_references_keep_it})
