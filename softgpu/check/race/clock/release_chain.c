/**
 * @file release_chain.c
 * Contributions and their running joins: a chain of n writes that are all acquired costs about n
 * joins, not n * n, as long as readers come in order. Who comes late goes through what has been passed on: most of a polled chain are polls.
 */
#include "check/race/clock/release_chain.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "check/race/clock/chain_late.h"
#include "check/race/clock/chain_news.h"
#include "check/race/clock/chain_passed.h"

/* Chains that nobody refers to any more, with their room for contributions: blocks, and launches, that count by atomics make and drop one a word. */
#define SPARE_MOST 4096
#define SPARE_ROOM 1024              /* contributions that one of them has room for, */
#define SPARE_ROOMS (64 * SPARE_MOST) /* and all of them: 8 MB */
static struct release_chain *spare[SPARE_MOST];
static int spares, spare_rooms;

static struct release_chain *make(void)
{
    struct release_chain *m = aligned_alloc(_Alignof(struct release_chain), sizeof *m);
    _Static_assert(offsetof(struct release_chain, passed) == _Alignof(struct release_chain), "one cache line");
    assert(m);
    return memset(m, 0, sizeof *m);
}

struct release_chain *chain_new(void)
{
    struct release_chain *m = spares ? spare[--spares] : make();
    static uint64_t last;
    spare_rooms -= m->from.cap;
    m->refs = 1;
    m->number = ++last;
    return m;
}

/** Puts it by as new, but for its room, or frees it. */
static void put_by(struct release_chain *m)
{
    if (spares == SPARE_MOST || m->from.cap > SPARE_ROOM || spare_rooms + m->from.cap > SPARE_ROOMS) {
        free(m->from.data);
        free(m);
        return;
    }
    void *data = m->from.data;
    int cap = m->from.cap;
    memset(m, 0, sizeof *m);
    m->from.data = data;
    m->from.cap = cap;
    spare[spares++] = m;
    spare_rooms += cap;
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
    for (int i = 0; i < m->kept.count; i++)
        passed_drop(&m->kept.data[i]);
    for (int i = 0; i < m->near.count; i++) {
        knowledge_drop(m->near.data[i].joined);
        clock_drop(m->near.data[i].joined_sc);
    }
    for (int i = 0; i < m->far.count; i++) {
        knowledge_drop(m->far.data[i].joined);
        clock_drop(m->far.data[i].joined_sc);
    }
    LIST_FREE(&m->passed);
    LIST_FREE(&m->kept);
    LIST_FREE(&m->news);
    LIST_FREE(&m->far);
    LIST_FREE(&m->near);
    LIST_FREE(&m->marks);
    free(m->near_of.at);
    free(m->carriers.at);
    knowledge_drop(m->joined);
    clock_drop(m->joined_sc);
    chain_late_drop(m->late);
    put_by(m);
}

static uint64_t thread_key(uint32_t agent, uint32_t thread)
{
    return (uint64_t)agent << 32 | thread;
}

const struct passed *chain_carried(const struct release_chain *m, uint32_t agent, uint32_t thread)
{
    int i = chain_index_get(&m->carriers, thread_key(agent, thread));
    return i < 0 ? NULL : chain_passed(m, i);
}

static uint64_t near_key(struct acquirer p, enum chain_near near)
{
    return near == NEAR_BLOCK ? p.agent : 1ull << 32 | p.cluster;
}

static struct chain_neighbours *neighbours_of(struct release_chain *m, struct acquirer p, enum chain_near near)
{
    int i = chain_index_get(&m->near_of, near_key(p, near));
    return i < 0 ? NULL : &m->near.data[i];
}

/** Hangs contribution `i` in with those of its block, or its cluster. */
static void add_near(struct release_chain *m, int i, enum chain_near near)
{
    struct contribution *c = &m->from.data[i];
    struct acquirer writer = {.agent = c->agent, .cluster = c->cluster};
    struct chain_neighbours *n = neighbours_of(m, writer, near);
    if (!n) {
        chain_index_put(&m->near_of, near_key(writer, near), m->near.count);
        n = LIST_PUSH(&m->near);
        *n = (struct chain_neighbours){.last = -1, .joined_upto = -1, .joined_sc_upto = -1};
    }
    m->passed.data[c->passed - 1].before[near] = n->last;
    n->last = i;
}

/** By half as much again: chains are most of what a histogram by atomics needs. */
static void make_room(struct release_chain *m)
{
    m->from.cap += m->from.cap / 2 + 4;
    m->from.data = realloc(m->from.data, (size_t)m->from.cap * sizeof *m->from.data);
    assert(m->from.data);
}

int chain_add(struct release_chain *m, const struct contribution *c, const struct passed *p)
{
    int i = m->from.count;
    if (i == m->from.cap)
        make_room(m);
    struct contribution *own = LIST_PUSH(&m->from);
    *own = *c;
    own->passed = 0;
    if (chain_pass(m, i, p))
        chain_note_news(m, i);
    m->only = i == 0 || m->only == c->agent ? c->agent : 0;
    m->narrow |= c->reach < REACH_DEVICE;
    m->any_release |= p->device || p->block || c->host;
    bool local = c->reach < REACH_DEVICE;
    m->any_near_only[NEAR_BLOCK] |= p->block && (p->block != p->device || local);
    m->any_near_only[NEAR_CLUSTER] |= p->cluster_wide && (p->cluster_wide != p->device || local);
    m->any_host |= c->host;
    if (!c->host)
        m->devices |= (uint8_t)(1u << c->on);
    m->any_sc |= p->sc || p->sc_cta || p->sc_cluster || p->sc_sys;
    if (c->carries && !c->host)
        chain_index_put(&m->carriers, thread_key(c->agent, c->thread), i);
    if (p->block || p->sc_cta)
        add_near(m, i, NEAR_BLOCK);
    if (c->cluster && c->reach >= REACH_CLUSTER && (p->cluster_wide || p->sc_cluster))
        add_near(m, i, NEAR_CLUSTER);
    return i;
}

struct contribution *chain_add_signal(struct release_chain *m, uint32_t agent)
{
    if (m->only != agent)
        m->only = 0;
    if (m->from.count == m->from.cap)
        make_room(m);
    return LIST_PUSH(&m->from);
}

struct release_chain *chain_copy(const struct release_chain *m)
{
    struct release_chain *copy = chain_new();
    copy->place = m->place;
    copy->heard = m->heard;
    for (int i = 0; i < m->from.count; i++) {
        const struct passed *p = chain_passed(m, i);
        passed_ref(p);
        chain_add(copy, &m->from.data[i], p);
    }
    return copy;
}

/** The last contribution of a block or cluster up to `upto`; -1 if there is none. */
static int last_upto(const struct release_chain *m, const struct chain_neighbours *n, enum chain_near near, int upto)
{
    int i = n ? n->last : -1;
    while (i > upto)
        i = chain_before(m, i, near);
    return i;
}

/** What contributions of the acquirer's own block, or cluster, add to the device-wide part. */
static void join_near(struct release_chain *m, int upto, struct acquirer reader, enum chain_near near, struct knowledge **dst)
{
    struct chain_neighbours *n = neighbours_of(m, reader, near);
    int last = last_upto(m, n, near, upto);
    if (last < 0)
        return;
    bool stale = last < n->joined_upto;
    struct knowledge *fresh = NULL, **to = stale ? &fresh : &n->joined;
    for (int i = last; i > (stale ? -1 : n->joined_upto); i = chain_before(m, i, near)) {
        const struct snapshot *s = near == NEAR_BLOCK ? chain_passed(m, i)->block : chain_passed(m, i)->cluster_wide;
        if (s)
            snapshot_give(to, s, near == NEAR_BLOCK ? SAME_BLOCK : SAME_CLUSTER);
    }
    if (!stale)
        n->joined_upto = last;
    knowledge_join(dst, *to);
    knowledge_drop(fresh);
}

void chain_sc_near(struct release_chain *m, int upto, struct acquirer reader, enum chain_near near, struct vector_clock **dst)
{
    struct chain_neighbours *n = m->any_sc ? neighbours_of(m, reader, near) : NULL;
    int last = last_upto(m, n, near, upto);
    if (last < 0)
        return;
    bool stale = last < n->joined_sc_upto;
    struct vector_clock *fresh = NULL, **to = stale ? &fresh : &n->joined_sc;
    for (int i = last; i > (stale ? -1 : n->joined_sc_upto); i = chain_before(m, i, near))
        clock_join(to, near == NEAR_BLOCK ? chain_passed(m, i)->sc_cta : chain_passed(m, i)->sc_cluster);
    if (!stale)
        n->joined_sc_upto = last;
    clock_join(dst, *to);
    clock_drop(fresh);
}

/* ---- Chains to which several devices have written ---- */

static bool is_near(const struct release_chain *m, uint8_t device)
{
    return !(m->devices & ~(1u << device));
}

static struct chain_device *far_of(struct release_chain *m, uint8_t device, bool system)
{
    for (int i = 0; i < m->far.count; i++)
        if (m->far.data[i].device == device && m->far.data[i].system == system)
            return &m->far.data[i];
    struct chain_device *f = LIST_PUSH(&m->far);
    *f = (struct chain_device){.device = device, .system = system};
    return f;
}

/** What one contribution releases to a thread of that device: gpu scope is enough for its own. */
static void give_across(const struct contribution *c, const struct passed *p, uint8_t device, bool system, struct knowledge **dst)
{
    if (c->host)
        return;
    if (c->on == device && p->device && c->reach >= REACH_DEVICE)
        snapshot_give(dst, p->device, SAME_DEVICE);
    else if (c->on != device && system && p->system && c->reach == REACH_SYSTEM)
        snapshot_give(dst, p->system, OTHER_DEVICE);
}

static void acquire_across(struct release_chain *m, int upto, uint8_t device, enum reach reach, struct knowledge **dst)
{
    struct chain_device *f = far_of(m, device, reach == REACH_SYSTEM);
    struct knowledge *fresh = NULL, **to = upto >= f->joined_count - 1 ? &f->joined : &fresh;
    FOR_PASSED(p, m, to == &fresh ? 0 : f->joined_count, upto)
        give_across(chain_giver(m, p), chain_given(m, p), device, f->system, to);
    if (to != &fresh)
        f->joined_count = upto + 1;
    knowledge_join(dst, *to);
    knowledge_drop(fresh);
}

static void sc_across(struct release_chain *m, int upto, uint8_t device, struct vector_clock **dst)
{
    struct chain_device *f = far_of(m, device, false);
    struct vector_clock *fresh = NULL, **to = upto >= f->joined_sc_count - 1 ? &f->joined_sc : &fresh;
    FOR_PASSED(p, m, to == &fresh ? 0 : f->joined_sc_count, upto)
        if (chain_giver(m, p)->on == device && chain_giver(m, p)->reach >= REACH_DEVICE)
            clock_join(to, chain_given(m, p)->sc);
    if (to != &fresh)
        f->joined_sc_count = upto + 1;
    clock_join(dst, *to);
    clock_drop(fresh);
}

/* ---- Acquiring ---- */

void chain_acquire(struct release_chain *m, int upto, struct acquirer who, enum reach reach, struct knowledge **dst)
{
    if (!m->any_release)
        return;
    if (reach >= REACH_DEVICE && !is_near(m, who.device)) {
        acquire_across(m, upto, who.device, reach, dst);
    } else if (reach >= REACH_DEVICE) {
        if (upto >= m->joined_count - 1) {
            FOR_NEWS(i, m, m->joined_count, upto)
                chain_give_device(m, chain_news_at(m, i), &m->joined);
            m->joined_count = upto + 1;
            knowledge_join(dst, m->joined);
        } else {
            chain_acquire_late(m, upto, dst);
        }
    }
    if (reach == REACH_SYSTEM && m->any_host)
        FOR_PASSED(p, m, 0, upto)
            if (chain_giver(m, p)->host)
                snapshot_give(dst, chain_given(m, p)->system, SAME_DEVICE);
    if (who.cluster && reach >= REACH_CLUSTER && (reach < REACH_DEVICE || m->any_near_only[NEAR_CLUSTER]))
        join_near(m, upto, who, NEAR_CLUSTER, dst);
    if (reach < REACH_DEVICE || m->any_near_only[NEAR_BLOCK])
        join_near(m, upto, who, NEAR_BLOCK, dst);
}

void chain_sc(struct release_chain *m, int upto, struct acquirer who, struct vector_clock **dst)
{
    if (!m->any_sc)
        return;
    if (!is_near(m, who.device)) {
        sc_across(m, upto, who.device, dst);
        return;
    }
    if (upto < m->joined_sc_count - 1) {
        chain_sc_late(m, upto, dst);
        return;
    }
    FOR_NEWS(i, m, m->joined_sc_count, upto)
        chain_give_sc(m, chain_news_at(m, i), &m->joined_sc);
    m->joined_sc_count = upto + 1;
    clock_join(dst, m->joined_sc);
}
