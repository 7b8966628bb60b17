/* Release chains are used again: one that begins knows nothing of those that were dropped, however many there were and however long. And what a
   thread takes in of those that it has read from. */
#include <stdlib.h>
#include <time.h>

#include "check/race/clock/knowledge.h"
#include "check/race/clock/release_chain.h"
#include "check/race/observed_chains.h"
#include "unit.h"

#define CHAINS 5000            /* more than are put by */

static void fill(struct release_chain *m, int writes)
{
    const struct passed nothing = {0};
    m->place = 7;
    for (int i = 0; i < writes; i++)
        chain_add(m, &(struct contribution){.agent = 1, .time = 1 + (uint32_t)i, .reach = REACH_DEVICE, .carries = i % 3 == 0}, &nothing);
    *chain_add_signal(m, 2) = (struct contribution){.agent = 2, .time = 5, .reach = REACH_DEVICE};
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

/* ---- What an acquire of a place takes in ---- */

/** A chain to which four threads of agents 10, 11, … have written, each releasing what it did. */
static struct release_chain *released(uint64_t place, uint32_t base)
{
    struct release_chain *m = chain_new();
    m->place = place;
    for (uint32_t i = 0; i < 4; i++) {
        struct snapshot *s = calloc(1, sizeof *s);
        CU_ASSERT_PTR_NOT_NULL_FATAL(s);
        *s = (struct snapshot){.refs = 2, .agent = base + i, .time = 3, .uniform = 2};
        chain_add(m, &(struct contribution){.agent = base + i, .time = 3, .reach = REACH_DEVICE, .carries = true},
                  &(struct passed){.block = s, .device = s});
    }
    return m;
}

/** Does it know of contribution `i` of released(…, base)? */
static bool knows_of(const struct knowledge *k, uint32_t base, uint32_t i)
{
    return k && clock_has(k->part[KNOW_CAUSAL], base + i);
}

/* A relaxed read-modify-write has read as far as contribution `noted` of `a`, and contribution 1 of another chain there and of one
   elsewhere; then an acquiring read at that place sees contribution 2 of `a`. All at the place is taken in, nothing else. */
static void test_acquires_at_a_place(void)
{
    for (int noted = 0; noted < 4; noted++) {
        struct release_chain *a = released(7, 10), *same_place = released(7, 20), *elsewhere = released(8, 30);
        struct acquirer who = {.agent = 1};
        struct observed_list list = {0};
        struct knowledge *into = NULL;
        struct observed read = {.chain = a, .upto = 2, .thread = 5, .reach = REACH_DEVICE, .acquired = REACH_DEVICE};
        observed_note(&list, &(struct observed){.chain = a, .upto = noted, .thread = 5, .reach = REACH_DEVICE});
        observed_note(&list, &(struct observed){.chain = same_place, .upto = 1, .thread = 5, .reach = REACH_DEVICE});
        observed_note(&list, &(struct observed){.chain = elsewhere, .upto = 1, .thread = 5, .reach = REACH_DEVICE});
        chain_acquire(a, read.upto, who, REACH_DEVICE, &into);
        observed_acquire_place(&list, &read, who, REACH_DEVICE, &into);
        for (int i = 0; i < 4; i++) {
            CU_ASSERT_EQUAL(knows_of(into, 10, (uint32_t)i), i <= 2 || i <= noted);
            CU_ASSERT_EQUAL(knows_of(into, 20, (uint32_t)i), i <= 1);
            CU_ASSERT_EQUAL(knows_of(into, 30, (uint32_t)i), false);
        }
        CU_ASSERT_EQUAL(observed_find(&list, a, 5)->acquired, REACH_DEVICE);
        CU_ASSERT_EQUAL(observed_find(&list, elsewhere, 5)->acquired, 0);
        observed_drop(&list);
        knowledge_drop(into);
        chain_drop(a);
        chain_drop(same_place);
        chain_drop(elsewhere);
    }
}

/* ---- Who comes late to a chain that is polled ---- */

#define POLLS 200000
#define LATE 20000

/** Signals that pass nothing on, `polls` of them after each of the releases by agents from 10 on. */
static struct release_chain *polled(uint32_t releases, int polls)
{
    struct release_chain *m = chain_new();
    for (uint32_t i = 0; i < releases; i++) {
        struct snapshot *s = calloc(1, sizeof *s);
        struct vector_clock *sc = NULL;
        CU_ASSERT_PTR_NOT_NULL_FATAL(s);
        *s = (struct snapshot){.refs = 2, .agent = 10 + i, .time = 3, .uniform = 2};
        clock_add(&sc, 10 + i, 2);
        chain_add(m, &(struct contribution){.agent = 10 + i, .time = 3, .reach = REACH_DEVICE}, &(struct passed){.block = s, .device = s, .sc = sc});
        for (int k = 0; k < polls; k++)
            *chain_add_signal(m, 2) =
                (struct contribution){.agent = 2, .time = 5, .reach = REACH_DEVICE};
    }
    return m;
}

/* All has been joined by the first acquire; each of the others read from an earlier contribution, and gets what was released up to there. */
static void test_late(void)
{
    struct release_chain *m = polled(4, 2);
    struct acquirer who = {.agent = 1};
    for (int upto = m->from.count - 1; upto >= 0; upto--) {
        struct knowledge *into = NULL;
        struct vector_clock *sc = NULL;
        chain_acquire(m, upto, who, REACH_DEVICE, &into);
        chain_sc(m, upto, who, &sc);
        for (int i = 0; i < 4; i++) {
            CU_ASSERT_EQUAL(knows_of(into, 10, (uint32_t)i), 3 * i <= upto);
            CU_ASSERT_EQUAL(clock_has(sc, 10 + (uint32_t)i), 3 * i <= upto);
        }
        knowledge_drop(into);
        clock_drop(sc);
    }
    chain_drop(m);
}

/* So it is in whatever order they come, and however many. */
static void test_late_in_any_order(void)
{
    struct release_chain *m = polled(60, 1);
    struct acquirer who = {.agent = 1};
    uint64_t random = 1;
    for (int k = 0; k < 2000; k++) {
        struct knowledge *into = NULL;
        struct vector_clock *sc = NULL;
        int upto = k % 40 == 0 ? 80 + k / 40 % 40 : (int)((random = random * 6364136223846793005u + 1442695040888963407u) >> 33) % 120;
        chain_acquire(m, upto, who, REACH_DEVICE, &into);
        chain_sc(m, upto, who, &sc);
        for (int i = 0; i < 60; i++) {
            CU_ASSERT_EQUAL(knows_of(into, 10, (uint32_t)i), 2 * i <= upto);
            CU_ASSERT_EQUAL(clock_has(sc, 10 + (uint32_t)i), 2 * i <= upto);
        }
        knowledge_drop(into);
        clock_drop(sc);
    }
    chain_drop(m);
}

/* What that takes does not grow with the polls. */
static void test_late_is_cheap(void)
{
    struct release_chain *m = polled(4, POLLS / 4);
    struct acquirer who = {.agent = 1};
    struct knowledge *into = NULL;
    chain_acquire(m, m->from.count - 1, who, REACH_DEVICE, &into);
    clock_t begin = clock();
    for (int i = 0; i < LATE; i++)
        chain_acquire(m, m->from.count - 2 - i % 7, who, REACH_DEVICE, &into);
    CU_ASSERT(clock() - begin < CLOCKS_PER_SEC);
    knowledge_drop(into);
    chain_drop(m);
}

/* ---- Threads that poll by atomics, and pass on the same each time ---- */

#define POLLERS 40

/** A round of polls, each with what its thread knew at its fence, and the fences of `by` besides. */
static void poll_by_atomics(struct release_chain *m, struct snapshot *shot[POLLERS], enum reach reach, uint32_t by)
{
    for (uint32_t i = 0; i < POLLERS; i++) {
        struct vector_clock *sc = NULL;
        clock_add(&sc, by, 1);
        chain_add(m, &(struct contribution){.agent = 10 + i, .time = 3, .reach = reach},
                  &(struct passed){.block = snapshot_ref(shot[i]), .device = reach == REACH_DEVICE ? snapshot_ref(shot[i]) : NULL, .sc = sc});
    }
}

/* However many the rounds are, a reader goes through no more than one of each; but what is new in one, or the first that reaches so far, is none of these. */
static void test_same_passed_on(void)
{
    struct release_chain *m = chain_new(), *other = chain_new();
    struct snapshot *shot[POLLERS];
    struct acquirer who = {.agent = 1};
    for (uint32_t i = 0; i < POLLERS; i++) {
        shot[i] = snapshot_new();
        shot[i]->agent = 10 + i, shot[i]->time = 3, shot[i]->uniform = 2;
    }
    struct vector_clock *sc = NULL;
    clock_add(&sc, 7, 1);
    for (int round = 0; round < 30; round++) {
        if (round == 1)
            poll_by_atomics(other, shot, REACH_DEVICE, 7); /* somewhere else they have passed it on */
        for (uint32_t i = 0; i < POLLERS; i++)
            chain_add(m, &(struct contribution){.agent = 10 + i, .time = 3, .reach = round ? REACH_DEVICE : REACH_BLOCK},
                      &(struct passed){.block = snapshot_ref(shot[i]), .device = round ? snapshot_ref(shot[i]) : NULL, .sc = round < 20 ? clock_ref(sc) : NULL});
    }
    CU_ASSERT_EQUAL(m->news.count, POLLERS);
    CU_ASSERT_EQUAL(m->passed.count, 30 * POLLERS);
    CU_ASSERT_EQUAL(m->kept.count, 3 * POLLERS);
    poll_by_atomics(m, shot, REACH_DEVICE, 9);
    CU_ASSERT_EQUAL(m->news.count, 2 * POLLERS);
    for (int upto = m->from.count - 1; upto >= 0; upto -= upto > 3 * POLLERS ? 17 : 1) {
        struct knowledge *into = NULL;
        struct vector_clock *fences = NULL;
        chain_acquire(m, upto, who, REACH_DEVICE, &into);
        chain_sc(m, upto, who, &fences);
        for (int i = 0; i < POLLERS; i++)
            CU_ASSERT_EQUAL(knows_of(into, 10, (uint32_t)i), POLLERS + i <= upto);
        CU_ASSERT_EQUAL(clock_has(fences, 7), upto >= POLLERS);
        CU_ASSERT_EQUAL(clock_has(fences, 9), upto >= 30 * POLLERS);
        knowledge_drop(into);
        clock_drop(fences);
    }
    for (uint32_t i = 0; i < POLLERS; i++)
        snapshot_drop(shot[i]);
    clock_drop(sc);
    chain_drop(m);
    chain_drop(other);
}

UNIT_MAIN("release chains", {"the same passed on", test_same_passed_on}, {"used again", test_used_again}, {"references keep it", test_references_keep_it},
          {"what an acquire of a place takes in", test_acquires_at_a_place},
          {"who comes late", test_late}, {"in any order", test_late_in_any_order}, {"who comes late to many polls", test_late_is_cheap})
