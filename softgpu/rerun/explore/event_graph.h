/**
 * @file event_graph.h
 * One execution of a tiny program as a graph of events, and what the axioms of the PTX memory model
 * (PTX ISA 8.10) leave open for the next event: which writes a read may return, where in coherence
 * order a write may stand.
 *
 * Events are added in an order in which program order, reads-from and the order of fence.sc all point
 * forward. Executions that need a read to return a write that is added later (load buffering) are
 * therefore not made: that takes promises, which softgpu leaves out.
 */
#ifndef SOFTGPU_RERUN_EXPLORE_EVENT_GRAPH_H
#define SOFTGPU_RERUN_EXPLORE_EVENT_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "report/facts.h"

#define GRAPH_EVENTS 192
#define GRAPH_THREADS 64
#define GRAPH_LOCATIONS 64
#define GRAPH_WORDS (GRAPH_EVENTS / 64)

enum event_kind { EVENT_READ = 1, EVENT_WRITE = 2, EVENT_RMW = 3, EVENT_FENCE = 4, EVENT_JOIN = 8 };

struct event_set {
    uint64_t word[GRAPH_WORDS];
};

struct memory_event {
    uint8_t kind;             /**< enum event_kind */
    uint8_t order, scope;     /**< enum mem_order, enum mem_scope */
    bool strong;
    int thread;               /**< small number, see graph_thread() */
    int index;                /**< in its thread */
    int location;
    uint64_t value;           /**< written */
    int from;                 /**< read: the write it returns; -1 = the initial value */
    struct event_set before;  /**< base causality: everything ordered before it */
    struct event_set observed;/**< reads: writes that precede it in observation order */
};

struct location {
    uint64_t address;
    unsigned bytes;
    uint64_t initial;
    int order[GRAPH_EVENTS];  /**< writes in coherence order */
    int count;
};

struct graph {
    struct memory_event events[GRAPH_EVENTS];
    int count;
    struct location locations[GRAPH_LOCATIONS];
    int location_count;
    struct { uint64_t block; uint32_t thread; int last, length; } threads[GRAPH_THREADS];
    int thread_count;
    enum incomplete_cause overflow; /**< why the program is too large, 0 while it is not */
};

void graph_reset(struct graph *g);
/** The small number of a thread; -1 with `overflow` set when there are too many. */
int graph_thread(struct graph *g, uint64_t block, uint32_t thread);
/** The location, made with `initial` on first use; -1 with `overflow` set for overlapping accesses of
 *  different size, or when there are too many. */
int graph_location(struct graph *g, uint64_t address, unsigned bytes, uint64_t initial);

/** What a new access will be. */
struct event_plan {
    uint8_t kind, order, scope;
    bool strong;
    int thread, location;
};

/** Positions in coherence order (0 = the initial value, i = after order[i - 1]) of the writes that a
 *  read may return. @return how many were put into `at` */
int graph_read_choices(const struct graph *g, const struct event_plan *p, int *at);
/** Positions behind which a plain write may be put. */
int graph_write_choices(const struct graph *g, const struct event_plan *p, int *at);
/** May a read-modify-write read the write at `position`, with its own right behind (atomicity)? */
bool graph_rmw_fits(const struct graph *g, const struct event_plan *p, int position);
/** The value at a position. */
uint64_t graph_value_at(const struct graph *g, int location, int position);
/** Adds the event; `position` as chosen (fences: ignored). @return its number, -1 on overflow */
int graph_add(struct graph *g, const struct event_plan *p, int position, uint64_t value);
/** Threads meet: everything before `givers` is ordered before what `takers` do next. */
void graph_join(struct graph *g, const int *givers, int giver_count, const int *takers,
                int taker_count);
/** A number that two graphs share if they are the same execution so far, however interleaved. */
uint64_t graph_hash(const struct graph *g);

#endif
