/**
 * @file domain.h
 * Private to model/: what one walk of the search teaches the next (domain.c).
 */
#ifndef SOFTGPU_MODEL_DOMAIN_H
#define SOFTGPU_MODEL_DOMAIN_H

#include "model/candidate.h"

#define MAX_WRITTEN 64

/** What the rounds learn about load buffering. */
struct domain {
    /** Values that some execution writes to each location: guesses. */
    struct written { uint64_t value[MAX_WRITTEN]; int count; bool more; } written[MODEL_LOCATIONS];
    struct written tried[MODEL_LOCATIONS];  /**< values that ways with guesses write, whatever becomes of these */
    /** Reads that a later write of their thread does not rest on, by cookie; some only come back (STOP_AGAIN). */
    struct loose { int thread; uint32_t cookie; bool waits; } loose[256];
    int loose_count;
    int8_t meets[MODEL_THREADS];         /**< after how many values a thread was seen at a barrier the latest time, plus one */
    bool guessed;                        /**< some read took a value that is not there, since its thread could not go on without */
    uint32_t readers[MODEL_LOCATIONS], writers[MODEL_LOCATIONS];  /**< threads, one bit each */
    /** After how many returned values a thread was seen to write there the latest time, in an execution or on a way to none, plus
     *  one; 0: never. */
    int8_t latest[MODEL_LOCATIONS][MODEL_THREADS];
    bool racy;                           /**< some access is weak, or its scope is smaller than the launch */
    /** Threads that all accesses of a thread to a location are morally strong towards, as far as they were seen. */
    uint32_t reaches[MODEL_LOCATIONS][MODEL_THREADS], users[MODEL_LOCATIONS];
    uint32_t reduced;                    /**< locations: a way was left since its reductions may change places */
    uint32_t straight;                   /**< locations: reductions have been taken in one order for all, */
    uint32_t crossed;                    /**< and those where they may not be */
    uint32_t cut;                        /**< locations: a way was left since no thread writes there, as far as is known, what
                                              it waits for; */
    bool missed;                         /**< and now one does */
    bool grew;
    bool dropped;                        /**< some read that might have been late was not, or some guess was not tried */
};

/** Notes what an execution writes and which reads are loose; sets `grew`. */
void domain_learn(struct domain *d, const struct execution *x);
/** Notes that a thread writes, after so many returned values; sets `missed` where a way was left before. */
void domain_learn_write(struct domain *d, int thread, int values, int location);
/** Notes how a thread accesses a location; sets `missed` where a way was left since all had been morally strong. */
void domain_learn_access(struct domain *d, const struct execution *x, int thread, const struct model_event *e);
/** Are all accesses to it morally strong with each other, as far as is known, but for the initial write? */
bool domain_is_even(const struct domain *d, int location);
/** Notes what an execution with guesses writes so far, whatever becomes of it: some values are written in circles only. */
void domain_learn_tried(struct domain *d, const struct execution *x);
/** Guesses may be what was tried, too. @return false if that is nothing new */
bool domain_take_tried(struct domain *d);
/** Notes values that are written there. */
void domain_learn_values(struct domain *d, const struct execution *x, int location);
/** May the thread, which waits for a value after so many, still write there? */
bool domain_may_write(const struct domain *d, int thread, int values, int location);
/** Notes that a thread comes to a barrier, after so many values. */
void domain_learn_meeting(struct domain *d, int thread, int values);
/** NULL: a later write of the thread, as far as is known, rests on the read. */
struct loose *domain_loose(struct domain *d, int thread, uint32_t cookie);

#endif
