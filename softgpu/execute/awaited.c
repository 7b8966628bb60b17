/**
 * @file awaited.c
 * Who is waited for: while the host may still do something, launches that only look at memory are not stuck, but stand still.
 */
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
