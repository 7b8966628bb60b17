/**
 * @file tell.c
 * Findings of uninitialised reads: each pair of read and use once, at the end of the launch, and not where
 * the read turns out to race with the write that it missed.
 */
#include <stdio.h>
#include <string.h>

#include "check/uninit/uninit.h"
#include "execute/finding_place.h"

static bool told_before(struct uninit *u, uint32_t load, uint32_t use)
{
    uint64_t key = (uint64_t)load << 32 | use;
    for (int i = 0; i < u->told.count; i++)
        if (u->told.data[i] == key)
            return true;
    *LIST_PUSH(&u->told) = key;
    return false;
}

static const char *use_words(const char *how)
{
    return !strcmp(how, "branch")    ? "branches on the value"
           : !strcmp(how, "address") ? "uses the value as an address"
                                     : "stores a result computed from it";
}

static void report(struct uninit *u, const struct warp *w, int lane, const struct taint *t,
                   const struct insn *use, const char *how)
{
    if (told_before(u, t->site, use->site))
        return;
    const struct grid *g = w->block->grid;
    int thread = w->index * WARP_LANES + lane, reader = w->index * WARP_LANES + t->origin[lane];
    char user[24] = "";
    struct finding f = {.kind = FIND_UNINITIALIZED_READ, .level = LEVEL_ERROR, .access_count = 2};
    f.kernel = g->config.kernel->name;
    finding_access_site(&f.accesses[0], g, w->block->index,
                        (uint32_t)reader, t->site, t->shuffled ? "shuffle" : "load");
    finding_access_fill(&f.accesses[1], w, lane, use, how);
    if (f.accesses[0].line == f.accesses[1].line)
        f.access_count = 1;
    if (reader != thread)
        snprintf(user, sizeof user, "thread %d ", thread);
    snprintf(f.message, sizeof f.message, "Thread %d of block %llu %s (line %d) and %s%s (line %d).", reader,
             (unsigned long long)w->block->index,
             t->shuffled ? "takes a value by a shuffle from a lane that takes no part"
                         : "reads memory that nothing has written",
             f.accesses[0].line, user, use_words(how), f.accesses[1].line);
    snprintf(f.rule, sizeof f.rule, t->shuffled ? "what a shuffle gives from a lane that takes no part is undefined"
                                                : "memory is written before its value is used");
    snprintf(f.suggestion, sizeof f.suggestion,
             t->shuffled ? "let every lane that is read from reach line %d, with a neutral value if it has none"
                         : "initialise it before line %d", f.accesses[0].line);
    *LIST_PUSH(&u->pending) = (struct pending){{g->config.kernel->image, t->site}, f};
}

void uninit_tell(struct uninit *u, const struct warp *w, const struct taint *t, uint32_t lanes,
                 const struct insn *use, const char *how)
{
    if (lanes)
        report(u, w, __builtin_ctz(lanes), t, use, how);
}

/* ---- Races ---- */

static bool has_raced(const struct uninit *u, const struct load_site *l)
{
    for (int i = 0; i < u->raced.count; i++)
        if (u->raced.data[i].image == l->image && u->raced.data[i].site == l->site)
            return true;
    return false;
}

void uninit_raced(void *self, const struct grid *g, uint32_t site)
{
    struct uninit *u = self;
    struct load_site l = {g->config.kernel->image, site};
    if (!has_raced(u, &l))
        *LIST_PUSH(&u->raced) = l;
}

/** Somebody writes the place in this launch, and nothing lets the read wait for it: that is the race's
 *  finding, and initialising the place would not help. */
void uninit_grid_end(void *self, const struct grid *g)
{
    struct uninit *u = self;
    (void)g;
    for (int i = 0; i < u->pending.count; i++)
        if (!has_raced(u, &u->pending.data[i].load))
            report_finding(machine_reporter(u->machine), &u->pending.data[i].finding);
    u->pending.count = 0;
}
