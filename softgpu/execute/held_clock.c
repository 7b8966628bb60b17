/**
 * @file held_clock.c
 * The device's clock, where all that runs only looks at memory and at the clock: moved far ahead, it lets all end that only waits for time to pass, and while
 * it stands still who goes round does so with nothing new.
 */
#include "execute/engine.h"

/** Clocks, 11 minutes at 1.6 GHz. The lower half alone is a long time, too, for who reads no more of the clock. */
#define CLOCKS_AHEAD ((1ull << 40) + 0x70000000u)

uint64_t machine_clock_reads(const struct machine *m)
{
    return m->held_clock.reads;
}

void machine_hold_clock(struct machine *m)
{
    uint64_t from = m->held_clock.on ? m->held_clock.at : m->held_clock.latest;
    m->held_clock.on = true;
    m->held_clock.at = from + CLOCKS_AHEAD;
}

void machine_release_clock(struct machine *m)
{
    if (!m->held_clock.on)
        return;
    m->held_clock.on = false;
    m->held_clock.ahead = m->held_clock.at; /* from there on, whatever a warp's own clock says */
}

uint64_t clock_shown(struct machine *m, uint64_t t)
{
    if (!m->checked)
        return t;
    t = m->held_clock.on ? m->held_clock.at : t + m->held_clock.ahead;
    m->held_clock.reads++;
    m->held_clock.latest = t > m->held_clock.latest ? t : m->held_clock.latest;
    return t;
}
