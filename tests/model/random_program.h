/**
 * @file random_program.h
 * Small random programs as litmus texts (litmus.h): 2 to 4 threads in one block or several, 1 to 3 locations, every
 * order and scope, fences, read-modify-writes, branches on what was read, barriers of a block.
 */
#ifndef TESTS_MODEL_RANDOM_PROGRAM_H
#define TESTS_MODEL_RANDOM_PROGRAM_H

#include "litmus_ptx.h"

/** What stands in the place of a block's barrier. */
enum random_meeting { MEET_AT_BARRIER, MEET_IN_VOTE, MEET_IN_SHUFFLE, MEET_IN_CLUSTER, MEET_AT_COUNT, MEET_IN_POLL, MEET_NOWHERE,
                      MEET_AS_ALL = MEET_AT_BARRIER };

/** Like random_program(), where all threads meet once: in one warp, or in one cluster. */
void random_meeting(long number, enum random_meeting how, char *text, size_t size, enum litmus_layout *layout);
/** Like random_program(): three or four threads in blocks of clusters, every access of a scope of its own. */
void random_scopes(long number, char *text, size_t size, enum litmus_layout *layout);
/** Like the others, with many reductions, and at times a thread that waits in a loop. */
void random_reductions(long number, char *text, size_t size);
/** Threads add to a location that, at times, one initialises before a barrier and others read behind one; and do something else besides. */
void random_sums(long number, char *text, size_t size);
/** Like random_program(), in one block or several: threads that poll, barriers with a count, volatile accesses. */
void random_waits(long number, char *text, size_t size, enum litmus_layout *layout);
/** Like the others, but atomics are of every operation, and some accesses volatile. */
void random_updates(long number, char *text, size_t size, enum litmus_layout *layout);
/** Like random_program(), of up to ten accesses, most of them stores before a look elsewhere, without barriers. */
void random_buffers(long number, char *text, size_t size);
/** The program of that number, the same at every call, and how its threads stand in a block. */
void random_program(long number, char *text, size_t size, enum litmus_layout *layout);

#endif
