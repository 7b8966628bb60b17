/**
 * @file interrupt.c
 * See interrupt.h.
 */
#include "runtime/stream/interrupt.h"

#include "runtime/state/vtime.h"

/** So many queries in a row, before each of which nothing but what it asks for was issued, and the host has been interrupted once, for so long. */
#define QUERIES_TO_INTERRUPT 100
#define INTERRUPTED_US 1000

/* Who records an event anew before each query asks every time before the device can have come to it; on a computer it is held up, too, some time. */
void interrupt_host(const struct operation *op)
{
    static uint64_t latest;
    static int anew;
    anew = op->number == latest + 1 ? anew + 1 : 0;
    latest = op->number;
    if (anew % QUERIES_TO_INTERRUPT == QUERIES_TO_INTERRUPT - 1)
        vtime_host(INTERRUPTED_US);
}
