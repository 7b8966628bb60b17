/**
 * @file release_chain.c
 * Contributions and their running joins: a chain of n writes that are all acquired costs about n
 * joins, not n * n, as long as readers come in order.
 */
#include "check/race/clock/release_chain.h"

#include <assert.h>
#include <stdlib.h>

struct release_chain *chain_new(void)
{
    struct release_chain *m = calloc(1, sizeof *m);
    assert(m);
    m->refs = 1;
    return m;
}

struct release_chain *chain_ref(struct release_chain *m)
{
    if (m)
        m->refs++;
    return m;
}

void chain_drop(struct release_chain *m)
{
    if (!m || --m->refs > 0)
        return;
    for (int i = 0; i < m->from.count; i++) {
        struct contribution *c = &m->from.data[i];
        snapshot_drop(c->system);
        snapshot_drop(c->device);
        snapshot_drop(c->block);
        clock_drop(c->sc);
        clock_drop(c->sc_cta);
    }
    LIST_FREE(&m->from);
    knowledge_drop(m->joined);
    clock_drop(m->joined_sc);
    free(m);
}

int chain_add(struct release_chain *m, const struct contribution *c)
{
    *LIST_PUSH(&m->from) = *c;
    m->any_release |= c->device || c->block || c->host;
    m->any_block_only |= c->block && (c->block != c->device || c->reach < REACH_DEVICE);
    m->any_host |= c->host;
    m->any_sc |= c->sc || c->sc_cta;
    return m->from.count - 1;
}

/** What contributions of the acquirer's own block add to the device-wide part. */
static void join_own_block(const struct release_chain *m, int upto, uint32_t agent, struct knowledge **dst)
{
    for (int i = 0; i <= upto; i++) {
        const struct contribution *c = &m->from.data[i];
        if (c->agent == agent && c->block)
            snapshot_give(dst, c->block, true);
    }
}

void chain_acquire(struct release_chain *m, int upto, uint32_t agent, enum reach reach, struct knowledge **dst)
{
    if (!m->any_release)
        return;
    if (reach >= REACH_DEVICE) {
        struct knowledge *fresh = NULL, **to = upto >= m->joined_count - 1 ? &m->joined : &fresh;
        int i = to == &fresh ? 0 : m->joined_count;
        for (; i <= upto; i++)
            if (m->from.data[i].device && m->from.data[i].reach >= REACH_DEVICE)
                snapshot_give(to, m->from.data[i].device, false);
        if (to != &fresh)
            m->joined_count = upto + 1;
        knowledge_join(dst, *to);
        knowledge_drop(fresh);
    }
    for (int i = 0; reach == REACH_SYSTEM && m->any_host && i <= upto; i++)
        if (m->from.data[i].host)
            snapshot_give(dst, m->from.data[i].system, false);
    if (reach < REACH_DEVICE || m->any_block_only)
        join_own_block(m, upto, agent, dst);
}

void chain_acquire_host(const struct release_chain *m, int upto, struct knowledge **dst)
{
    for (int i = 0; i <= upto; i++)
        if (m->from.data[i].system && m->from.data[i].reach == REACH_SYSTEM)
            snapshot_give(dst, m->from.data[i].system, false);
}

void chain_sc(struct release_chain *m, int upto, uint32_t agent, bool wide, struct vector_clock **dst)
{
    if (!m->any_sc)
        return;
    if (!wide) {
        for (int i = 0; i <= upto; i++)
            if (m->from.data[i].agent == agent)
                clock_join(dst, m->from.data[i].sc_cta);
        return;
    }
    if (upto < m->joined_sc_count - 1) {
        for (int i = 0; i <= upto; i++)
            if (m->from.data[i].reach >= REACH_DEVICE)
                clock_join(dst, m->from.data[i].sc);
        return;
    }
    for (int i = m->joined_sc_count; i <= upto; i++)
        if (m->from.data[i].reach >= REACH_DEVICE)
            clock_join(&m->joined_sc, m->from.data[i].sc);
    m->joined_sc_count = upto + 1;
    clock_join(dst, m->joined_sc);
}
