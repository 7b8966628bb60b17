/**
 * @file chain_host.c
 * What the program on the host acquires of a chain, and what it has told of fences.
 */
#include "check/race/clock/chain_passed.h"

void chain_sc_system(const struct release_chain *m, int upto, struct vector_clock **dst)
{
    if (!m->any_sc)
        return;
    FOR_PASSED(p, m, 0, upto)
        if (chain_giver(m, p)->reach == REACH_SYSTEM)
            clock_join(dst, chain_given(m, p)->sc_sys);
}

void chain_acquire_host(const struct release_chain *m, int upto, struct knowledge **dst)
{
    FOR_PASSED(p, m, 0, upto)
        if (chain_given(m, p)->system && chain_giver(m, p)->reach == REACH_SYSTEM)
            snapshot_give(dst, chain_given(m, p)->system, SAME_DEVICE);
    struct vector_clock *sc = NULL;
    chain_sc_system(m, upto, &sc);
    knowledge_join_part(dst, KNOW_CAUSAL, sc);
    clock_drop(sc);
}
