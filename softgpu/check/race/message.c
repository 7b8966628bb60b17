/**
 * @file message.c
 * Contributions and their running joins: a chain of n writes that are all acquired costs about n
 * joins, not n * n, as long as readers come in order.
 */
#include "check/race/message.h"

#include <assert.h>
#include <stdlib.h>

struct message *message_new(void)
{
    struct message *m = calloc(1, sizeof *m);
    assert(m);
    m->refs = 1;
    return m;
}

struct message *message_ref(struct message *m)
{
    if (m)
        m->refs++;
    return m;
}

void message_drop(struct message *m)
{
    if (!m || --m->refs > 0)
        return;
    for (int i = 0; i < m->from.count; i++) {
        struct contribution *c = &m->from.data[i];
        snapshot_drop(c->system);
        snapshot_drop(c->device);
        snapshot_drop(c->block);
        view_drop(c->sc);
        view_drop(c->sc_cta);
    }
    LIST_FREE(&m->from);
    know_drop(m->joined);
    view_drop(m->joined_sc);
    free(m);
}

int message_add(struct message *m, const struct contribution *c)
{
    *LIST_PUSH(&m->from) = *c;
    m->any_release |= c->device || c->block || c->host;
    m->any_block_only |= c->block && (c->block != c->device || c->reach < REACH_DEVICE);
    m->any_host |= c->host;
    m->any_sc |= c->sc || c->sc_cta;
    return m->from.count - 1;
}

/** What contributions of the acquirer's own block add to the device-wide part. */
static void join_own_block(const struct message *m, int upto, uint32_t agent, struct know **dst)
{
    for (int i = 0; i <= upto; i++) {
        const struct contribution *c = &m->from.data[i];
        if (c->agent == agent && c->block)
            snapshot_give(dst, c->block, true);
    }
}

void message_acquire(struct message *m, int upto, uint32_t agent, enum reach reach, struct know **dst)
{
    if (!m->any_release)
        return;
    if (reach >= REACH_DEVICE) {
        struct know *fresh = NULL, **to = upto >= m->joined_count - 1 ? &m->joined : &fresh;
        int i = to == &fresh ? 0 : m->joined_count;
        for (; i <= upto; i++)
            if (m->from.data[i].device && m->from.data[i].reach >= REACH_DEVICE)
                snapshot_give(to, m->from.data[i].device, false);
        if (to != &fresh)
            m->joined_count = upto + 1;
        know_join(dst, *to);
        know_drop(fresh);
    }
    for (int i = 0; reach == REACH_SYSTEM && m->any_host && i <= upto; i++)
        if (m->from.data[i].host)
            snapshot_give(dst, m->from.data[i].system, false);
    if (reach < REACH_DEVICE || m->any_block_only)
        join_own_block(m, upto, agent, dst);
}

void message_acquire_host(const struct message *m, int upto, struct know **dst)
{
    for (int i = 0; i <= upto; i++)
        if (m->from.data[i].system && m->from.data[i].reach == REACH_SYSTEM)
            snapshot_give(dst, m->from.data[i].system, false);
}

void message_sc(struct message *m, int upto, uint32_t agent, bool wide, struct view **dst)
{
    if (!m->any_sc)
        return;
    if (!wide) {
        for (int i = 0; i <= upto; i++)
            if (m->from.data[i].agent == agent)
                view_join(dst, m->from.data[i].sc_cta);
        return;
    }
    if (upto < m->joined_sc_count - 1) {
        for (int i = 0; i <= upto; i++)
            if (m->from.data[i].reach >= REACH_DEVICE)
                view_join(dst, m->from.data[i].sc);
        return;
    }
    for (int i = m->joined_sc_count; i <= upto; i++)
        if (m->from.data[i].reach >= REACH_DEVICE)
            view_join(&m->joined_sc, m->from.data[i].sc);
    m->joined_sc_count = upto + 1;
    view_join(dst, m->joined_sc);
}
