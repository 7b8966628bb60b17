/**
 * @file chain_passed.c
 * See chain_passed.h.
 */
#include "check/race/clock/chain_passed.h"

void passed_ref(const struct passed *p)
{
    snapshot_ref(p->system);
    snapshot_ref(p->device);
    snapshot_ref(p->cluster_wide);
    snapshot_ref(p->block);
    clock_ref(p->sc);
    clock_ref(p->sc_cluster);
    clock_ref(p->sc_cta);
    clock_ref(p->sc_sys);
}

void passed_drop(const struct passed *p)
{
    snapshot_drop(p->system);
    snapshot_drop(p->device);
    snapshot_drop(p->cluster_wide);
    snapshot_drop(p->block);
    clock_drop(p->sc);
    clock_drop(p->sc_cluster);
    clock_drop(p->sc_cta);
    clock_drop(p->sc_sys);
}

static bool is_anything(const struct passed *p)
{
    return p->system || p->device || p->cluster_wide || p->block || p->sc || p->sc_cluster || p->sc_cta || p->sc_sys || p->copies;
}

static bool is_same(const struct passed *a, const struct passed *b)
{
    return a->system == b->system && a->device == b->device && a->cluster_wide == b->cluster_wide && a->block == b->block && a->sc == b->sc &&
           a->sc_cluster == b->sc_cluster && a->sc_cta == b->sc_cta && a->sc_sys == b->sc_sys && a->copies == b->copies && a->copy_time == b->copy_time;
}

/** The place in m->kept of what is just that, and has come from the same fence last; -1: there is none. */
static int kept_before(const struct release_chain *m, const struct passed *p)
{
    const struct snapshot *s = p->block;
    return s && s->kept_in == m->number && is_same(&m->kept.data[s->kept_at], p) ? (int)s->kept_at : -1;
}

/** Takes over the references. @return its place in m->kept */
static uint32_t keep(struct release_chain *m, const struct passed *p)
{
    uint32_t at = (uint32_t)m->kept.count;
    int before = kept_before(m, p);
    if (before >= 0) {
        passed_drop(p);
        return (uint32_t)before;
    }
    *LIST_PUSH(&m->kept) = *p;
    if (p->block)
        p->block->kept_in = m->number, p->block->kept_at = at;
    return at;
}

bool chain_pass(struct release_chain *m, int by, const struct passed *p)
{
    if (!is_anything(p))
        return false;
    uint32_t what = keep(m, p);
    *LIST_PUSH(&m->passed) = (struct passing){.by = by, .what = what};
    m->from.data[by].passed = (uint32_t)m->passed.count;
    return true;
}

const struct passed *chain_passed(const struct release_chain *m, int i)
{
    static const struct passed nothing;
    uint32_t at = m->from.data[i].passed;
    return at ? chain_given(m, &m->passed.data[at - 1]) : &nothing;
}

int chain_passed_from(const struct release_chain *m, int from)
{
    int low = 0, high = from > 0 ? m->passed.count : 0;
    while (low < high) {
        int middle = (low + high) / 2;
        if (m->passed.data[middle].by < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
