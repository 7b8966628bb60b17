/**
 * @file round_states.h
 * Private to no_way_out.c: the states of a launch that goes on a lane at a time, and which ways out of them have been tried.
 */
#ifndef SOFTGPU_RERUN_ROUND_STATES_H
#define SOFTGPU_RERUN_ROUND_STATES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"

struct machine;
struct mem_access;

/** The states. Begins as all zero. */
struct round_states {
    struct round_state { uint64_t hash; uint32_t ways, tried; } *at;  /**< open addressing; ways 0: free */
    uint64_t size, count;
    uint64_t ways, untried;                  /**< ways out of all of them; those that have not been taken */
    uint64_t turns;                          /**< by ways that had been taken before */
    uint64_t met, known;                     /**< states that were new, whatever has been forgotten since; turns in a row that have neither met nor tried anything new */
    LIST(struct written { const uint8_t *host; unsigned bytes; }) written;  /**< memory that has changed; the rest is as it was */
};

/** Memory is written: the states met so far do not know it as a part of them. @return false if there is too much of it */
bool round_states_write(struct round_states *s, const struct mem_access *a, uint32_t lanes);
/** The state that the machine is in is left by one of `ways` threads. Where no way was untried, and it is not new, all states that there are lead
 *  to each other. @return which: each once, then any */
uint32_t round_states_leave(struct round_states *s, const struct machine *m, uint32_t ways);
void round_states_free(struct round_states *s);

#endif
