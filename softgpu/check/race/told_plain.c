/**
 * @file told_plain.c
 * The race checker's hooks for plain accesses (plain_access.h): what stamps can tell first, then as of any access.
 */
#include "check/race/accesses.h"
#include "check/race/chained_atomics.h"
#include "check/race/collect.h"
#include "check/race/host.h"
#include "check/race/late.h"
#include "check/race/overlooked.h"
#include "check/race/shadow/readers.h"
#include "check/race/stamps.h"
#include "execute/plain_access.h"
#include "memory/memory.h"

bool told_quiet_global(void *self, const struct grid *g, const struct allocation *a)
{
    const struct race *race = self;
    const struct launch *launch = g->check[race->slot];
    (void)a;
    return launch->floor == launch->first_agent && launch->root == launch && !launch->wait_agent && !launch->inherited && !race->any_unordered_range &&
           race->running == 1 && !race->several;
}

/** All is ordered before what is read, but where others may come by, or where a word has to be looked at closer. */
uint32_t told_quiet_shared(void *self, const struct block *b)
{
    const struct block_state *bs = b->check[((const struct race *)self)->slot];
    bool all = bs->stamps && !bs->stamps->stays_open && !bs->any_left && !bs->cluster && !bs->async && !bs->phases.count;
    return all ? b->shared_bytes : 0;
}

void told_plain_load(void *self, const struct warp *w, struct plain_access *p)
{
    struct race *race = self;
    if (readers_want_collection(race->readers))
        collect_readers(race);
    if (p->space == SPACE_SHARED ? stamps_take_load(race, w, p) : p->allocation->quiet)
        return;
    if (host_may_meet(race, w, p))
        host_check_access(race, w, plain_full(w, p), 0);
    if (!is_overlooked(race, w, p->insn))
        access_plain_load(race, w, p);
}

void told_plain_store(void *self, const struct warp *w, struct plain_access *p)
{
    if (p->space == SPACE_SHARED && stamps_take_store(self, w, p))
        return;
    if (host_may_meet(self, w, p))
        host_check_access(self, w, plain_full(w, p), p->mask);
    if (!is_overlooked(self, w, p->insn))
        access_plain_store(self, w, p);
}

void told_plain_atomic(void *self, const struct warp *w, struct plain_access *p)
{
    bool late = late_concerns(w, p->insn);
    if (late)
        late_atomic_ahead(self, w, plain_full(w, p));
    uint32_t left = p->space == SPACE_SHARED ? stamps_atomic(self, w, p) : p->mask;
    if (p->space == SPACE_GLOBAL && host_may_meet(self, w, p))
        host_check_access(self, w, plain_full(w, p), p->mask);
    if (left)
        access_plain_atomics(self, w, p, left);
    if (late)
        late_atomic(self, w, plain_full(w, p));
}
