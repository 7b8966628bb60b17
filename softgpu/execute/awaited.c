/**
 * @file awaited.c
 * Who is waited for: while the host may still do something, launches that only look at memory are not stuck, but stand still. And what the host looks at,
 * and how far what runs goes on beside it.
 */
#include <string.h>

#include "execute/engine.h"

/** A host that has looked so often at one place, and at nothing else, waits there. */
#define HOST_LOOKS 100

void machine_set_awaited(struct machine *m, bool awaited, bool others)
{
    m->may_stall = !awaited;
    m->others = others;
}

bool machine_stalls(struct machine *m, uint64_t host_looks)
{
    m->stalled = m->may_stall && (m->others || host_looks < HOST_LOOKS);
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

/* ---- Beside the host ---- */

#define PART 4096     /* instructions, behind which it is asked whether anything else is done */
#define TURNS_ASKED 4 /* in vain, of each resident */

enum step_result machine_step_beside(struct machine *m, uint64_t budget)
{
    enum step_result result = STEP_BUDGET;
    uint64_t vain = m->vain_turns;
    for (uint64_t end = m->clock + budget; result == STEP_BUDGET && m->clock < end;) {
        uint64_t left = end - m->clock;
        result = machine_step(m, left < PART ? left : PART);
        vain = m->vain_turns < vain ? 0 : vain; /* something was done in between */
        if (m->vain_turns - vain >= TURNS_ASKED * (uint64_t)(m->residents.count - m->first_resident + 1))
            break;
    }
    return result;
}
