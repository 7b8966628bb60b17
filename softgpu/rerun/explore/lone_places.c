/**
 * @file lone_places.c
 * Which memory threads share: found out as they run.
 */
#include <string.h>

#include "base/mix.h"
#include "execute/engine.h"
#include "rerun/explore/lone_run.h"
#include "rerun/explore/place_key.h"

/** Adds a user of a location, or nobody (-1); several (-2) once there are two. */
static int add_user(int present, int thread)
{
    return thread == -1 ? present : present == -1 || present == thread ? thread : -2;
}

static int only_user(const struct lone_location *at)
{
    return add_user(at->reader, at->writer);
}

static bool is_shared(const struct lone_location *at)
{
    bool written = at->writer != -1;
    return written && (at->writer == -2 || at->reader == -2 || (at->reader != -1 && at->reader != at->writer));
}

/** Have two locations of different addresses bytes in common: memory that is mapped twice (cuMemMap)? */
static bool is_alias(const struct lone_location *a, const struct lone_location *b)
{
    return a->host && b->host && a->host < b->host + b->bytes && b->host < a->host + a->bytes;
}

/** Accesses of other sizes to the same bytes cannot be told apart as locations, nor those by another address. */
static void check_overlap(struct lone *l, int number)
{
    const struct lone_location *at = &l->locations.data[number];
    for (int i = 0; i < l->locations.count; i++) {
        const struct lone_location *o = &l->locations.data[i];
        bool overlaps = i != number && o->key < at->key + at->bytes && at->key < o->key + o->bytes;
        int users = add_user(add_user(only_user(at), o->reader), o->writer);
        bool in_memory = users != -2 && at->model < 0 && o->model < 0; /* which has one user's values, whatever their sizes */
        bool aliases = i != number && !overlaps && is_alias(at, o);
        if ((overlaps || aliases) && !in_memory && (at->writer != -1 || o->writer != -1))
            l->why = overlaps ? INCOMPLETE_OVERLAP : INCOMPLETE_ALIAS;
    }
}

/** Gives a location that has become shared its number in the model: all begins again. */
static void share(struct lone *l, int number)
{
    struct lone_location *at = &l->locations.data[number];
    if (at->model >= 0 || !(at->polled || is_shared(at)))
        return;
    if (l->shared_count == MODEL_LOCATIONS) {
        l->why = INCOMPLETE_LOCATIONS;
        return;
    }
    at->model = l->shared_count;
    check_overlap(l, number);
    l->initial[at->model] = at->initial;
    l->shared[l->shared_count++] = number;
    l->stale = true;
}

int lone_location(struct lone_watch *r, const struct warp *w, const struct mem_access *a, int lane, int element,
                       bool write)
{
    struct lone *l = r->lone;
    uint32_t bytes = a->insn->mem.bytes;
    uint64_t address = a->address[lane] + (uint64_t)element * bytes;
    uint64_t key = place_key(a->owner ? a->owner : w->block, (enum ptx_space)a->space, address) +
                   (a->space == SPACE_SHARED ? r->first_block << 32 : 0);
    int number = 0;
    while (number < l->locations.count &&
           (l->locations.data[number].key != key || l->locations.data[number].bytes != bytes))
        number++;
    if (number == l->locations.count) {
        struct lone_location fresh = {.key = key, .bytes = bytes, .reader = -1, .writer = -1, .model = -1};
        memcpy(&fresh.initial, a->host[lane] + (size_t)element * bytes, bytes < 8 ? bytes : 8);
        if (a->space == SPACE_GLOBAL) {
            fresh.allocation = a->allocation[lane];
            fresh.offset = address - fresh.allocation->base;
            fresh.host = a->host[lane] + (size_t)element * bytes;
        }
        *LIST_PUSH(&l->locations) = fresh;
    }
    struct lone_location *at = &l->locations.data[number];
    int *user = write ? &at->writer : &at->reader, before = *user;
    *user = add_user(before, (int)r->thread);
    if (*user != before) {
        check_overlap(l, number);
        share(l, number);
    }
    return number;
}

/** A private location is read. A thread that comes to where it read it some looks ago, with nothing changed in between, would wait for
 *  ever: somebody else must write it. A look is kept, a later one each time that twice as many have been made (Brent's way to find a
 *  cycle). */
void lone_note_poll(struct lone_watch *r, const struct warp *w, const struct insn *in, int number)
{
    struct lone *l = r->lone;
    struct lone_location *at = &l->locations.data[number];
    if (!l->loops)
        return;
    uint64_t state = mix_in(lone_state(w, in), r->thread);
    if (at->run != l->runs)
        at->run = l->runs, at->looks = 0;
    at->polled = at->looks && at->state == state && at->changes == r->node->changes;
    if (!(at->looks & (at->looks - 1)))
        at->state = state, at->changes = r->node->changes;
    at->looks++;
    share(l, number);
}

bool lone_share_looked_at(struct lone *l)
{
    int looked_at = 0;
    for (int i = 0; i < l->locations.count; i++) {
        const struct lone_location *at = &l->locations.data[i];
        looked_at += at->model < 0 && at->run == l->runs && at->looks > 1;
    }
    if (!looked_at || l->shared_count + looked_at > MODEL_LOCATIONS)
        return false;
    for (int i = 0; i < l->locations.count; i++) {
        struct lone_location *at = &l->locations.data[i];
        at->polled |= at->model < 0 && at->run == l->runs && at->looks > 1;
        share(l, i);
    }
    return true;
}
