/**
 * @file host_unwatched.c
 * What host_watch.h declares, for processors whose instructions nobody here reads: nothing is watched.
 */
#include "runtime/memory/host_watch.h"

#if !defined __x86_64__

int host_watch_closed(uint64_t *bases, int room)
{
    (void)bases, (void)room;
    return 0;
}

bool host_watch_poll(uint64_t address, bool loads)
{
    (void)address, (void)loads;
    return false;
}

const uint8_t *host_watch_before(uint64_t address, uint64_t *left)
{
    (void)address, (void)left;
    return NULL;
}

bool host_watch_touched(uint64_t address, uint64_t bytes, enum instruction_access access, uint64_t pc, bool *conflict)
{
    (void)address, (void)bytes, (void)access, (void)pc, (void)conflict;
    return false;
}

void host_watch_issued(const struct operation *op)
{
    (void)op;
}

void host_watch_update(void)
{
}

void host_watch_start(void)
{
}

void host_watch_stop(void)
{
}

#endif
