/**
 * @file plain_called.c
 * Plain accesses in checked mode (plain_access.h), called by compiled code, whose registers are not in the frame: observed_plain.c, lane by lane; where vectors help, plain_at_once.h
 * has all steps in one function for each kind.
 */
#include "execute/plain_called.h"

#include "execute/plain_steps.h"
#include "execute/plain_vectors.h"

static bool load_any(struct warp *w, const struct insn *in, uint32_t recent, uint32_t mask)
{
    struct machine *m = warp_machine(w);
    struct plain_access *p = &w->worker->plain;
    run_lanes(w, mask);
    if (!is_usual(m) || !plain_place(w, in, w->worker->places, 0, p) || !are_ready(&m->observers.plain_loads, w, p))
        return false;
    keep_quiet(w->worker, p, recent);
    fetch_ahead(w, p);
    plain_fetch(p);
    note_plain(w, p, true);
    tell_load(&m->observers.plain_loads, w, p);
    return true;
}

static bool store_any(struct warp *w, const struct insn *in, uint32_t recent, uint32_t mask)
{
    (void)recent;
    struct machine *m = warp_machine(w);
    struct plain_access *p = &w->worker->plain;
    run_lanes(w, mask);
    if (!is_usual(m) || !plain_place(w, in, w->worker->places, 0, p) || goes_to_quiet(p) || !are_ready(&m->observers.plain_stores, w, p))
        return false;
    note_plain(w, p, false);
    tell(&m->observers.plain_stores, w, p);
    plain_write(p);
    return true;
}

static bool load_none(struct warp *w, const struct insn *in, uint32_t recent, uint32_t mask)
{
    (void)in, (void)recent;
    run_lanes(w, mask);
    return false;
}

/* ---- Which ---- */

plain_called_fn plain_called(bool is_load, bool is_shared)
{
    const struct plain_vectors *v = plain_vectors();
    if (!v)
        return is_load ? load_any : store_any;
    return (is_load ? v->load : v->store)[is_shared];
}

plain_called_fn plain_called_broadcast(void)
{
    const struct plain_vectors *v = plain_vectors();
    return v ? v->load_broadcast : load_none;
}
