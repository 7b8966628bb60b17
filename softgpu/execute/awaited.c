/**
 * @file awaited.c
 * Who is waited for: while the host may still do something, launches that only look at memory are not stuck, but stand still. And what the host looks at.
 */
#include <string.h>

#include "execute/engine.h"

/** A host that has looked so often at one place, and at nothing else, waits there. */
#define HOST_LOOKS 100

void machine_set_awaited(struct machine *m, bool awaited)
{
    m->may_stall = !awaited;
}

bool machine_stalls(struct machine *m, uint64_t host_looks)
{
    m->stalled = m->may_stall && host_looks < HOST_LOOKS;
    return m->stalled;
}

void machine_goes_on(struct machine *m)
{
    m->stalled = false;
}

bool machine_is_stalled(const struct machine *m)
{
    return m->stalled;
}

/* ---- What the host looks at ---- */

static uint64_t stands_at(const struct looked_for *l)
{
    uint64_t v = 0;
    memcpy(&v, l->at, l->bytes);
    return v;
}

void machine_look_for(struct machine *m, const uint8_t *at, uint64_t bytes)
{
    m->looked_for = (struct looked_for){.at = at, .bytes = bytes < sizeof(uint64_t) ? (unsigned)bytes : sizeof(uint64_t)};
    if (at)
        m->looked_for.was = stands_at(&m->looked_for);
}

bool machine_has_found(const struct machine *m)
{
    return m->looked_for.at && stands_at(&m->looked_for) != m->looked_for.was;
}
