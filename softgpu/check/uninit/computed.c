/**
 * @file computed.c
 * Results computed from undefined values and stored to shared memory. Tiles are often computed as a whole, and what lies beyond the
 * matrix is left out when they go to global memory: so that is no finding before somebody uses the result, as an address, in a
 * branch, or in what goes to global memory. Then the finding is the one of the first read and the store, as if it had been told at once.
 */
#include <assert.h>
#include <stdlib.h>

#include "check/uninit/uninit.h"

/** Findings that are kept; what comes then is told at once. Of alike ones only the last few are looked for. */
#define MAX_DEFERRED (1 << 16)
#define LOOKED_BACK 64

static struct warp_taint *first_warp(const struct uninit *u, const struct block *b)
{
    return b->warps[0].check[u->slot];
}

static const struct block *owner_of(const struct warp *w, const struct mem_access *a)
{
    return a->owner ? a->owner : w->block;
}

static uint64_t words_of(const struct block *b)
{
    return reserved_end(b->shared_bytes) / 4 + 1;
}

static bool is_alike(const struct pending *a, const struct pending *b)
{
    return a->load.image == b->load.image && a->load.site == b->load.site && a->use == b->use &&
           a->finding.facts.undefined.block == b->finding.facts.undefined.block &&
           a->finding.facts.undefined.reader == b->finding.facts.undefined.reader;
}

/** @return DEFERRED and a number; 0 where there is no room: it has been told */
static uint32_t deferred_site(struct uninit *u, const struct warp *w, int lane, const struct taint *from, const struct insn *store)
{
    if (from->site & DEFERRED)
        return from->site;
    struct pending p = uninit_finding(w, lane, from, store, "store");
    int n = u->deferred.count;
    for (int i = n - 1; i >= 0 && i >= n - LOOKED_BACK; i--)
        if (is_alike(&u->deferred.data[i], &p))
            return DEFERRED | (uint32_t)i;
    if (n == MAX_DEFERRED) {
        uninit_report(u, &p);
        return 0;
    }
    *LIST_PUSH(&u->deferred) = p;
    return DEFERRED | (uint32_t)n;
}

void computed_store(struct uninit *u, const struct warp *w, const struct mem_access *a, int lane, unsigned at, unsigned bytes,
                    const struct taint *from)
{
    if (a->space != SPACE_SHARED)
        return;
    const struct block *b = owner_of(w, a);
    struct warp_taint *t = first_warp(u, b);
    uint32_t site = is_result_in_shared(a, from, lane) ? deferred_site(u, w, lane, from, a->insn) : 0;
    if (!t->computed && !site)
        return;
    if (!t->computed)
        t->computed = calloc(words_of(b), sizeof *t->computed);
    assert(t->computed);
    uint64_t first = (a->address[lane] + at) / 4, last = (a->address[lane] + at + bytes - 1) / 4;
    for (uint64_t i = first; i <= last && i < words_of(b); i++)
        t->computed[i] = site;
}

uint32_t computed_site(const struct uninit *u, const struct warp *w, const struct mem_access *a, int lane, unsigned at, uint8_t missing)
{
    const struct block *b = owner_of(w, a);
    const struct warp_taint *t = a->space == SPACE_SHARED ? first_warp(u, b) : NULL;
    uint64_t word = (a->address[lane] + at + (unsigned)__builtin_ctz(missing)) / 4;
    return t && t->computed && word < words_of(b) && t->computed[word] ? t->computed[word] : a->insn->site;
}

/** The entry of a byte of a block's shared memory; NULL if there is none. */
static uint32_t *entry_of(const struct uninit *u, const struct block *b, uint64_t byte)
{
    const struct warp_taint *t = first_warp(u, b);
    return t->computed && byte / 4 < words_of(b) ? &t->computed[byte / 4] : NULL;
}

void computed_copied(struct uninit *u, const struct warp *w, const struct copy_side *to, const struct copy_side *from, int lane, uint32_t byte)
{
    const struct block *source = from->owner ? from->owner : w->block, *target = to->owner ? to->owner : w->block;
    const uint32_t *of = from->space == SPACE_SHARED ? entry_of(u, source, from->address[lane] + byte) : NULL;
    uint32_t site = of ? *of : 0;
    if (to->space != SPACE_SHARED) {
        if (site)
            computed_told(u, site);
        return;
    }
    struct warp_taint *t = first_warp(u, target);
    if (!t->computed && site)
        t->computed = calloc(words_of(target), sizeof *t->computed);
    assert(t->computed || !site);
    uint32_t *here = entry_of(u, target, to->address[lane] + byte);
    if (here)
        *here = site;
}

void computed_told(struct uninit *u, uint32_t site)
{
    struct pending p = u->deferred.data[site & ~DEFERRED];
    uninit_report(u, &p);
}

void computed_block(struct uninit *u, const struct block *b, bool begins)
{
    u->running += begins ? 1 : (uint64_t)-1;
    if (!begins)
        free(first_warp(u, b)->computed);
    if (!u->running)
        u->deferred.count = 0;
}
