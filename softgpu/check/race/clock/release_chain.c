/**
 * @file release_chain.c
 * Contributions and their running joins: a chain of n writes that are all acquired costs about n
 * joins, not n * n, as long as readers come in order.
 */
#include "check/race/clock/release_chain.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mix.h"

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
        clock_drop(c->sc_sys);
    }
    for (int i = 0; i < m->blocks.count; i++) {
        knowledge_drop(m->blocks.data[i].joined);
        clock_drop(m->blocks.data[i].joined_sc);
    }
    for (int i = 0; i < m->far.count; i++) {
        knowledge_drop(m->far.data[i].joined);
        clock_drop(m->far.data[i].joined_sc);
    }
    LIST_FREE(&m->from);
    LIST_FREE(&m->far);
    LIST_FREE(&m->blocks);
    free(m->block_of.at);
    free(m->carriers.at);
    knowledge_drop(m->joined);
    clock_drop(m->joined_sc);
    free(m);
}

/** Where the index keeps a key, or would. */
static uint32_t index_slot(const struct chain_index *x, uint64_t key)
{
    uint32_t h = (uint32_t)mix64(key) & x->mask;
    while (x->at[h].key && x->at[h].key != key)
        h = (h + 1) & x->mask;
    return h;
}

/** @return -1 if the key is not there */
static int index_get(const struct chain_index *x, uint64_t key)
{
    uint32_t h = x->count ? index_slot(x, key) : 0;
    return x->count && x->at[h].key ? x->at[h].value : -1;
}

static void index_put(struct chain_index *x, uint64_t key, int value)
{
    if (x->count * 2 >= x->mask) {
        struct chain_index wide = {.mask = x->mask ? x->mask * 2 + 1 : 7, .count = x->count};
        wide.at = calloc((size_t)wide.mask + 1, sizeof *wide.at);
        assert(wide.at);
        for (uint32_t i = 0; x->at && i <= x->mask; i++)
            if (x->at[i].key)
                wide.at[index_slot(&wide, x->at[i].key)] = x->at[i];
        free(x->at);
        *x = wide;
    }
    uint32_t h = index_slot(x, key);
    x->count += !x->at[h].key;
    x->at[h].key = key;
    x->at[h].value = value;
}

static uint64_t thread_key(uint32_t agent, uint32_t thread)
{
    return (uint64_t)agent << 32 | thread;
}

const struct contribution *chain_carried(const struct release_chain *m, uint32_t agent, uint32_t thread)
{
    int i = index_get(&m->carriers, thread_key(agent, thread));
    return i < 0 ? NULL : &m->from.data[i];
}

static struct chain_block *block_of(struct release_chain *m, uint32_t agent)
{
    int i = index_get(&m->block_of, agent);
    return i < 0 ? NULL : &m->blocks.data[i];
}

/** Hangs contribution `i` in with those of its block. */
static void add_to_block(struct release_chain *m, int i)
{
    struct contribution *c = &m->from.data[i];
    struct chain_block *b = block_of(m, c->agent);
    if (!b) {
        index_put(&m->block_of, c->agent, m->blocks.count);
        b = LIST_PUSH(&m->blocks);
        *b = (struct chain_block){.agent = c->agent, .last = -1, .joined_upto = -1, .joined_sc_upto = -1};
    }
    c->same_block = b->last;
    b->last = i;
}

int chain_add(struct release_chain *m, const struct contribution *c)
{
    int i = m->from.count;
    *LIST_PUSH(&m->from) = *c;
    m->any_release |= c->device || c->block || c->host;
    m->any_block_only |= c->block && (c->block != c->device || c->reach < REACH_DEVICE);
    m->any_host |= c->host;
    if (!c->host)
        m->devices |= (uint8_t)(1u << c->on);
    m->any_sc |= c->sc || c->sc_cta || c->sc_sys;
    if (c->carries && !c->host)
        index_put(&m->carriers, thread_key(c->agent, c->thread), i);
    if (c->block || c->sc_cta)
        add_to_block(m, i);
    return i;
}

/** The block's last contribution up to `upto`; -1 if there is none. */
static int last_upto(const struct release_chain *m, const struct chain_block *b, int upto)
{
    int i = b ? b->last : -1;
    while (i > upto)
        i = m->from.data[i].same_block;
    return i;
}

/** What contributions of the acquirer's own block add to the device-wide part. */
static void join_own_block(struct release_chain *m, int upto, uint32_t agent, struct knowledge **dst)
{
    struct chain_block *b = block_of(m, agent);
    int last = last_upto(m, b, upto);
    if (last < 0)
        return;
    bool stale = last < b->joined_upto;
    struct knowledge *fresh = NULL, **to = stale ? &fresh : &b->joined;
    for (int i = last; i > (stale ? -1 : b->joined_upto); i = m->from.data[i].same_block)
        if (m->from.data[i].block)
            snapshot_give(to, m->from.data[i].block, SAME_BLOCK);
    if (!stale)
        b->joined_upto = last;
    knowledge_join(dst, *to);
    knowledge_drop(fresh);
}

static void join_own_sc(struct release_chain *m, int upto, uint32_t agent, struct vector_clock **dst)
{
    struct chain_block *b = block_of(m, agent);
    int last = last_upto(m, b, upto);
    if (last < 0)
        return;
    bool stale = last < b->joined_sc_upto;
    struct vector_clock *fresh = NULL, **to = stale ? &fresh : &b->joined_sc;
    for (int i = last; i > (stale ? -1 : b->joined_sc_upto); i = m->from.data[i].same_block)
        clock_join(to, m->from.data[i].sc_cta);
    if (!stale)
        b->joined_sc_upto = last;
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
static void give_across(const struct contribution *c, uint8_t device, bool system, struct knowledge **dst)
{
    if (c->host)
        return;
    if (c->on == device && c->device && c->reach >= REACH_DEVICE)
        snapshot_give(dst, c->device, SAME_DEVICE);
    else if (c->on != device && system && c->system && c->reach == REACH_SYSTEM)
        snapshot_give(dst, c->system, OTHER_DEVICE);
}

static void acquire_across(struct release_chain *m, int upto, uint8_t device, enum reach reach, struct knowledge **dst)
{
    struct chain_device *f = far_of(m, device, reach == REACH_SYSTEM);
    struct knowledge *fresh = NULL, **to = upto >= f->joined_count - 1 ? &f->joined : &fresh;
    for (int i = to == &fresh ? 0 : f->joined_count; i <= upto; i++)
        give_across(&m->from.data[i], device, f->system, to);
    if (to != &fresh)
        f->joined_count = upto + 1;
    knowledge_join(dst, *to);
    knowledge_drop(fresh);
}

static void sc_across(struct release_chain *m, int upto, uint8_t device, struct vector_clock **dst)
{
    struct chain_device *f = far_of(m, device, false);
    struct vector_clock *fresh = NULL, **to = upto >= f->joined_sc_count - 1 ? &f->joined_sc : &fresh;
    for (int i = to == &fresh ? 0 : f->joined_sc_count; i <= upto; i++)
        if (m->from.data[i].on == device && m->from.data[i].reach >= REACH_DEVICE)
            clock_join(to, m->from.data[i].sc);
    if (to != &fresh)
        f->joined_sc_count = upto + 1;
    clock_join(dst, *to);
    clock_drop(fresh);
}

void chain_sc_system(const struct release_chain *m, int upto, struct vector_clock **dst)
{
    for (int i = 0; m->any_sc && i <= upto; i++)
        if (m->from.data[i].reach == REACH_SYSTEM)
            clock_join(dst, m->from.data[i].sc_sys);
}

/* ---- Acquiring ---- */

void chain_acquire(struct release_chain *m, int upto, struct acquirer who, enum reach reach, struct knowledge **dst)
{
    if (!m->any_release)
        return;
    if (reach >= REACH_DEVICE && !is_near(m, who.device)) {
        acquire_across(m, upto, who.device, reach, dst);
    } else if (reach >= REACH_DEVICE) {
        struct knowledge *fresh = NULL, **to = upto >= m->joined_count - 1 ? &m->joined : &fresh;
        int i = to == &fresh ? 0 : m->joined_count;
        for (; i <= upto; i++)
            if (m->from.data[i].device && m->from.data[i].reach >= REACH_DEVICE)
                snapshot_give(to, m->from.data[i].device, SAME_DEVICE);
        if (to != &fresh)
            m->joined_count = upto + 1;
        knowledge_join(dst, *to);
        knowledge_drop(fresh);
    }
    for (int i = 0; reach == REACH_SYSTEM && m->any_host && i <= upto; i++)
        if (m->from.data[i].host)
            snapshot_give(dst, m->from.data[i].system, SAME_DEVICE);
    if (reach < REACH_DEVICE || m->any_block_only)
        join_own_block(m, upto, who.agent, dst);
}

void chain_acquire_host(const struct release_chain *m, int upto, struct knowledge **dst)
{
    for (int i = 0; i <= upto; i++)
        if (m->from.data[i].system && m->from.data[i].reach == REACH_SYSTEM)
            snapshot_give(dst, m->from.data[i].system, SAME_DEVICE);
}

void chain_sc(struct release_chain *m, int upto, struct acquirer who, bool wide, struct vector_clock **dst)
{
    if (!m->any_sc)
        return;
    if (!wide) {
        join_own_sc(m, upto, who.agent, dst);
        return;
    }
    if (!is_near(m, who.device)) {
        sc_across(m, upto, who.device, dst);
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
