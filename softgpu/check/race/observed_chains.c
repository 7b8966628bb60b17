/**
 * @file observed_chains.c
 * Lists of observed chains: an array of entries, a chained hash over it, and rings through it.
 */
#include "check/race/observed_chains.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mix.h"
#include "check/race/order.h"

#define KEEP_OBSERVED 64   /* acquired or passed-on chains kept for telling what is missing, in shared memory and elsewhere */
#define SHORT_LIST 8       /* searched without a hash */
#define ACQUIRED REACH_SYSTEM /* the level of what has nothing left to acquire */

/* ---- Rings ---- */

static void ring_push(struct observed_list *l, struct observed_ends *ends, enum observed_ring ring, int i)
{
    l->at[i].link[ring].older = ends->newest;
    l->at[i].link[ring].newer = 0;
    if (ends->newest)
        l->at[ends->newest].link[ring].newer = i;
    else
        ends->oldest = i;
    ends->newest = i;
}

static void ring_remove(struct observed_list *l, struct observed_ends *ends, enum observed_ring ring, int i)
{
    int older = l->at[i].link[ring].older, newer = l->at[i].link[ring].newer;
    *(older ? &l->at[older].link[ring].newer : &ends->oldest) = newer;
    *(newer ? &l->at[newer].link[ring].older : &ends->newest) = older;
}

static uint8_t level_of(const struct observed *o)
{
    return o->acquired >= o->reach ? ACQUIRED : o->acquired;
}

/** The ring of those that lie where it does, and of which as much has been acquired. */
static struct observed_ends *level_ring(struct observed_list *l, const struct observed *o)
{
    return &l->level[o->where][o->level];
}

/** After a change of what is acquired. */
static void settle(struct observed_list *l, int i)
{
    struct observed *o = &l->at[i];
    uint8_t level = level_of(o);
    if (level == o->level)
        return;
    ring_remove(l, level_ring(l, o), BY_LEVEL, i);
    o->level = level;
    ring_push(l, level_ring(l, o), BY_LEVEL, i);
}

static void mark_changed(struct observed_list *l, int i)
{
    if (l->at[i].changed)
        return;
    l->at[i].changed = true;
    ring_push(l, &l->change, BY_CHANGE, i);
}

/* ---- Finding ---- */

static int *head_of(const struct observed_list *l, const struct release_chain *chain, uint32_t thread)
{
    return &l->heads[mix64((uintptr_t)chain + thread) & l->head_mask];
}

static int find(const struct observed_list *l, const struct release_chain *chain, uint32_t thread)
{
    int i = l->heads ? *head_of(l, chain, thread) : l->age.newest;
    while (i && (l->at[i].chain != chain || l->at[i].thread != thread))
        i = l->heads ? l->at[i].same_hash : l->at[i].link[BY_AGE].older;
    return i;
}

const struct observed *observed_find(const struct observed_list *l, const struct release_chain *chain,
                                     uint32_t thread)
{
    int i = find(l, chain, thread);
    return i ? &l->at[i] : NULL;
}

static void hash_in(struct observed_list *l, int i)
{
    int *head = head_of(l, l->at[i].chain, l->at[i].thread);
    l->at[i].same_hash = *head;
    *head = i;
}

static void hash_out(struct observed_list *l, int i)
{
    int *at = head_of(l, l->at[i].chain, l->at[i].thread);
    while (*at != i)
        at = &l->at[*at].same_hash;
    *at = l->at[i].same_hash;
}

/** The hash has at least as many heads as there are entries. */
static void hash_fit(struct observed_list *l)
{
    if (l->count <= SHORT_LIST || (l->heads && (uint32_t)l->count <= l->head_mask))
        return;
    l->head_mask = l->heads ? l->head_mask * 2 + 1 : 4 * SHORT_LIST - 1;
    free(l->heads);
    l->heads = calloc((size_t)l->head_mask + 1, sizeof *l->heads);
    assert(l->heads);
    for (int i = l->age.oldest; i; i = l->at[i].link[BY_AGE].newer)
        hash_in(l, i);
}

/* ---- Entries ---- */

static int take_slot(struct observed_list *l)
{
    int i = l->unused;
    if (i) {
        l->unused = l->at[i].same_hash;
        return i;
    }
    if (l->used + 1 >= l->cap) {
        l->cap = l->cap ? 2 * l->cap : 4;
        l->at = realloc(l->at, (size_t)l->cap * sizeof *l->at);
        assert(l->at);
    }
    return ++l->used;
}

static void forget(struct observed_list *l, int i)
{
    struct observed *o = &l->at[i];
    if (l->heads)
        hash_out(l, i);
    ring_remove(l, &l->age, BY_AGE, i);
    ring_remove(l, level_ring(l, o), BY_LEVEL, i);
    if (o->changed)
        ring_remove(l, &l->change, BY_CHANGE, i);
    chain_drop(o->chain);
    o->same_hash = l->unused;
    l->unused = i;
    l->count--;
    l->counts[o->where]--;
}

/** The oldest that lies there and has done its work: it has been acquired, at device scope at least where there is more. */
static void forget_oldest(struct observed_list *l, enum observed_where where)
{
    int a = l->level[where][REACH_DEVICE].oldest, b = l->level[where][ACQUIRED].oldest;
    if (a && (!b || l->at[a].number < l->at[b].number))
        forget(l, a);
    else if (b)
        forget(l, b);
}

static void renew(struct observed_list *l, int i, const struct observed *o)
{
    struct observed *have = &l->at[i];
    l->changes += o->upto > have->upto || o->heard > have->heard;
    if (o->upto >= have->upto) {
        have->upto = o->upto;
        have->site = o->site;
        have->time = o->time;
        have->acquired = o->acquired;
        have->left = o->left;
        mark_changed(l, i);
    }
    if (o->moment > have->moment)
        have->moment = o->moment;
    if (o->reach > have->reach)
        have->reach = o->reach;
    if (o->heard > have->heard) {
        have->heard = o->heard;
        mark_changed(l, i);
    }
    settle(l, i);
}

void observed_note(struct observed_list *l, const struct observed *o)
{
    int i = find(l, o->chain, o->thread);
    if (o->moment > l->latest)
        l->latest = o->moment;
    if (i) {
        renew(l, i, o);
        return;
    }
    enum observed_where where = place_is_shared(o->chain->place) ? IN_SHARED : IN_GLOBAL;
    if (l->counts[where] >= KEEP_OBSERVED)
        forget_oldest(l, where);
    i = take_slot(l);
    l->at[i] = *o;
    l->at[i].number = l->noted++;
    l->changes++;
    l->at[i].level = level_of(o);
    l->at[i].where = (uint8_t)where;
    l->at[i].changed = false;
    chain_ref(o->chain);
    l->count++;
    l->counts[where]++;
    if (l->heads)
        hash_in(l, i);
    ring_push(l, &l->age, BY_AGE, i);
    ring_push(l, level_ring(l, &l->at[i]), BY_LEVEL, i);
    mark_changed(l, i);
    hash_fit(l);
}

void observed_drop(struct observed_list *l)
{
    if (!l->at && !l->noted)
        return; /* there has never been anything */
    for (int i = l->age.oldest; i; i = l->at[i].link[BY_AGE].newer)
        chain_drop(l->at[i].chain);
    free(l->at);
    free(l->heads);
    *l = (struct observed_list){0};
}

void observed_free(struct observed_list **l)
{
    if (!*l)
        return;
    observed_drop(*l);
    free(*l);
    *l = NULL;
}

void observed_leave_shared(struct observed_list *l, uint32_t passed)
{
    struct observed_list kept = {0};
    if (!l->counts[IN_SHARED] || !passed)
        return;
    for (int i = l->age.oldest; i; i = l->at[i].link[BY_AGE].newer) {
        const struct observed *o = &l->at[i];
        bool passed_on = !o->changed || o->thread == EVERY_THREAD || passed == UINT32_MAX;
        if (o->where != IN_SHARED || o->time > passed || !passed_on)
            observed_note(&kept, o);
    }
    kept.latest = l->latest;
    kept.changes = l->changes;
    observed_drop(l);
    *l = kept;
}

/* ---- Fences and barriers ---- */

static void acquire(struct observed_list *l, const struct observed *read, struct acquirer who, enum reach reach, struct knowledge **into)
{
    for (int k = 0; k < (int)reach * OBSERVED_WHERES; k++) {
        for (int i = l->level[k % OBSERVED_WHERES][k / OBSERVED_WHERES].oldest, next; i; i = next) {
            struct observed *o = &l->at[i];
            next = o->link[BY_LEVEL].newer;
            if (read && o->chain->place != read->chain->place)
                continue;
            o->acquired = reach < o->reach ? (uint8_t)reach : o->reach;
            if (!read || o->chain != read->chain || o->upto > read->upto || o->acquired != reach)
                chain_acquire(o->chain, o->upto, who, (enum reach)o->acquired, into);
            settle(l, i);
        }
    }
}

void observed_acquire(struct observed_list *l, struct acquirer who, enum reach reach, struct knowledge **into)
{
    acquire(l, NULL, who, reach, into);
}

void observed_acquire_place(struct observed_list *l, const struct observed *read, struct acquirer who, enum reach reach,
                            struct knowledge **into)
{
    acquire(l, read, who, reach, into);
}

void observed_pass_on(struct observed_list **to, struct observed_list *from, uint32_t time)
{
    if (from->change.oldest && !*to && !(*to = calloc(1, sizeof **to)))
        abort();
    for (int i = from->change.oldest; i; i = from->at[i].link[BY_CHANGE].newer) {
        struct observed o = from->at[i];
        from->at[i].changed = false;
        o.left = !o.acquired;
        o.acquired = REACH_DEVICE;
        o.time = time;
        o.thread = EVERY_THREAD;
        observed_note(*to, &o);
    }
    from->change = (struct observed_ends){0};
}
