/**
 * @file observer.c
 * Who watches a machine.
 */
#include "execute/observer_asks.h"

#include <assert.h>
#include <string.h>

_Static_assert(MAX_OBSERVERS <= 32, "a bit each");

/** Of no row everything is usual. */
static bool no_row(struct warp *w, const struct insn *in, uint32_t at, uint32_t mask)
{
    (void)w, (void)in, (void)at, (void)mask;
    return false;
}

static bool no_halves(struct warp *w, struct plain_access *p)
{
    (void)w, (void)p;
    return false;
}

static bool not_calm(struct warp *w, const struct insn *in)
{
    (void)w, (void)in;
    return false;
}

static const struct plain_rows none = {.load = no_row, .store = no_row, .store_halves = no_halves, .load_calm = not_calm};

/** The observers have changed. */
static void list_hooks(struct observer_set *set)
{
    struct plain_list *loads = &set->plain_loads, *stores = &set->plain_stores;
    memset(loads, 0, sizeof *loads);
    memset(stores, 0, sizeof *stores);
    set->at_arrivals = set->at_completions = set->at_meetings = set->at_exits = set->at_loads = 0;
    for (int i = 0; i < set->count; i++) {
        const struct observer *o = set->hooks[i];
        void *self = set->self[i];
        set->at_arrivals |= (uint32_t)(o->barrier_arrive != NULL) << i;
        set->at_completions |= (uint32_t)(o->barrier_complete != NULL) << i;
        set->at_meetings |= (uint32_t)(o->barrier_met != NULL) << i;
        set->at_exits |= (uint32_t)(o->exit != NULL) << i;
        set->at_loads |= (uint32_t)((o->load || o->plain_load) && !o->plain_untold) << i;
        loads->others |= o->load && !o->plain_load;
        stores->others |= o->store && !o->plain_store;
        if (o->plain_store)
            stores->tell[stores->tells++] = (struct plain_hook){.tell = o->plain_store, .self = self};
        if (o->plain_untold)
            loads->untold = o->plain_untold(self);
        else if (o->plain_idle)
            loads->ask[loads->asks++] = (struct plain_hook){.idle = o->plain_idle, .self = self};
        else if (o->plain_load)
            loads->tell[loads->tells++] = (struct plain_hook){.tell = o->plain_load, .self = self};
    }
    set->rows = set->given.load && set->count == set->slots ? set->given : none;
    set->hear_meetings = !((set->at_arrivals | set->at_completions) & ~set->at_meetings);
}

void observers_tell_rows(struct observer_set *set, const struct plain_rows *rows)
{
    set->given = *rows;
    list_hooks(set);
}

void observers_open(struct observer_set *set, struct machine *m, const struct observer *o)
{
    assert(set->slots == set->count && "whoever has a slot comes before those who have none");
    assert(set->slots < OBSERVER_SLOTS && "every checker has a row in check_names.def");
    int slot = set->count++;
    set->slots = set->count;
    set->given = (struct plain_rows){0};
    set->hooks[slot] = o;
    set->self[slot] = o->create(m, slot);
    set->any_issue |= o->wants_issue;
    set->each_issue |= o->wants_issue && !o->only_closely;
    list_hooks(set);
}

void observers_add(struct observer_set *set, const struct observer *o, void *self)
{
    assert(set->count < MAX_OBSERVERS && "MAX_OBSERVERS says how many may be added at once");
    assert(!o->wants_issue);
    set->hooks[set->count] = o;
    set->self[set->count++] = self;
    list_hooks(set);
}

void observers_remove(struct observer_set *set)
{
    assert(set->count > set->slots);
    set->count--;
    list_hooks(set);
}

void *observers_find(const struct observer_set *set, const struct observer *o)
{
    for (int i = 0; i < set->count; i++)
        if (set->hooks[i] == o)
            return set->self[i];
    return NULL;
}

bool observers_know_race(const struct observer_set *set, struct code_site at)
{
    for (int i = 0; i < set->raced.count; i++)
        if (set->raced.data[i].image == at.image && set->raced.data[i].site == at.site)
            return true;
    return false;
}

void observers_note_race(struct observer_set *set, struct code_site at)
{
    if (!observers_know_race(set, at))
        *LIST_PUSH(&set->raced) = at;
}

bool observers_hopeless(const struct observer_set *set)
{
    bool any = false;
    for (int i = 0; i < set->count; i++)
        any |= set->hooks[i]->hopeless && set->hooks[i]->hopeless(set->self[i]);
    return any;
}

bool observers_host_touch(const struct observer_set *set, const struct host_touch *t)
{
    bool any = false;
    for (int i = 0; i < set->count; i++)
        any |= set->hooks[i]->host_touch && set->hooks[i]->host_touch(set->self[i], t);
    return any;
}

bool observers_host_look(const struct observer_set *set, const struct host_touch *t)
{
    bool any = false;
    for (int i = 0; i < set->count; i++)
        any |= set->hooks[i]->host_look && set->hooks[i]->host_look(set->self[i], t);
    return any;
}

bool observers_written(const struct observer_set *set, struct allocation *a, uint64_t from, uint64_t bytes)
{
    for (int i = 0; i < set->count; i++)
        if (set->hooks[i]->written && !set->hooks[i]->written(set->self[i], a, from, bytes))
            return false;
    return true;
}

void observers_close(struct observer_set *set)
{
    for (int i = 0; i < set->count; i++)
        if (set->hooks[i]->destroy)
            set->hooks[i]->destroy(set->self[i]);
    LIST_FREE(&set->raced);
    memset(set, 0, sizeof *set);
}
