/**
 * @file uninit_findings.c
 * Findings of uninitialised reads: each pair of read and use once, at the end of the launch, and not where
 * the read turns out to race with the write that it missed.
 */
#include "check/uninit/held.h"
#include "check/uninit/unset.h"
#include "execute/finding_place.h"
#include "execute/machine.h"

static bool told_before(struct uninit *u, uint32_t load, uint32_t use)
{
    uint64_t key = (uint64_t)load << 32 | use;
    for (int i = 0; i < u->told.count; i++)
        if (u->told.data[i] == key)
            return true;
    *LIST_PUSH(&u->told) = key;
    return false;
}

struct pending uninit_finding(const struct warp *w, int lane, const struct taint *t, const struct insn *use, const char *how)
{
    const struct grid *g = w->block->grid;
    int thread = w->index * WARP_LANES + lane, reader = w->index * WARP_LANES + t->origin[lane];
    struct finding f = {.kind = FIND_UNINITIALIZED_READ, .kernel = g->config.kernel->name, .access_count = 2,
                        .cause = t->site == UNSET ? CAUSE_UNSET : t->shuffled ? CAUSE_NO_SUCH_LANE : CAUSE_UNWRITTEN};
    f.facts.undefined = (struct undefined_facts){.reader = reader, .user = thread, .block = w->block->index};
    if (t->site == UNSET) {
        f.access_count = 1;
        finding_access_fill(&f.accesses[0], w, lane, use, how);
        return (struct pending){{g->config.kernel->image, UNSET}, use->site, f};
    }
    finding_access_site(&f.accesses[0], g, w->block->index,
                        (uint32_t)reader, t->site, t->shuffled ? "shuffle" : "load");
    finding_access_fill(&f.accesses[1], w, lane, use, how);
    if (f.accesses[0].line == f.accesses[1].line && (f.accesses[0].line || f.accesses[0].ptx_line == f.accesses[1].ptx_line))
        f.access_count = 1;
    return (struct pending){{g->config.kernel->image, t->site}, use->site, f};
}

void uninit_report(struct uninit *u, const struct pending *p)
{
    if (!told_before(u, p->load.site, p->use))
        *LIST_PUSH(&u->pending) = *p;
}

void uninit_tell(struct uninit *u, const struct warp *w, const struct taint *t, uint32_t lanes,
                 const struct insn *use, const char *how)
{
    if (!lanes)
        return;
    if (t->site & DEFERRED) {
        computed_told(u, t->site);
        return;
    }
    struct pending p = uninit_finding(w, __builtin_ctz(lanes), t, use, how);
    uninit_report(u, &p);
}

/* ---- The launch's end ---- */

/** The launch runs again, and will tell it again. */
static void take_back(struct uninit *u)
{
    for (int i = 0; i < u->pending.count; i++) {
        uint64_t key = (uint64_t)u->pending.data[i].load.site << 32 | u->pending.data[i].use;
        for (int j = u->told.count - 1; j >= 0; j--)
            if (u->told.data[j] == key)
                u->told.data[j] = u->told.data[--u->told.count];
    }
}

/** Somebody writes the place in this launch, and nothing lets the read wait for it: that is the race's
 *  finding, and initialising the place would not help. */
void uninit_grid_end(void *self, const struct grid *g)
{
    struct uninit *u = self;
    if (g->status == GRID_AGAIN)
        take_back(u);
    for (int i = 0; i < u->pending.count && g->status != GRID_AGAIN; i++)
        if (!observers_know_race(machine_observers(u->machine), u->pending.data[i].load))
            held_tell(u, g, &u->pending.data[i]);
    u->pending.count = 0;
    held_settle(u, g->config.settled);
}
