/**
 * @file oracle_relations.h
 * One execution that the oracle looks at: its events, and relations over them. A relation is a row of bits for each event.
 */
#ifndef TESTS_MODEL_ORACLE_RELATIONS_H
#define TESTS_MODEL_ORACLE_RELATIONS_H

#include "litmus.h"

#define EVENTS 48
#define VALUES 16          /* reads return 0 to 15 */
#define FIRST_REGISTER 4
#define FOR(i) for (int i = 0; i < o->count; i++)

typedef uint64_t relation[EVENTS];

struct event {
    char kind;             /* R, W, F, B */
    int thread;            /* -1: an initial write */
    int location, number;  /* number: of a barrier */
    uint64_t value;
    const struct litmus_statement *s;
    bool red;
};

struct oracle {
    const struct litmus *l;
    struct event event[EVENTS];
    int count, source[EVENTS];
    uint64_t highest;
    relation po, rmw, dep, strong, obs, fence_order, base, cause;
    uint64_t reg[LITMUS_REGISTERS], reg_dep[LITMUS_REGISTERS];
    struct litmus_lines lines;
};

static inline bool has(const relation r, int a, int b)
{
    return r[a] >> b & 1;
}

static inline void put(relation r, int a, int b)
{
    r[a] |= 1ull << b;
}

static inline bool is_write_to(const struct oracle *o, int w, int location)
{
    return o->event[w].kind == 'W' && o->event[w].location == location;
}

/** Which events are strong as pairs: they need only the text. */
void oracle_relate_strong(struct oracle *o);

/** Does a value, of the sources as chosen, depend on itself? */
bool oracle_out_of_thin_air(const struct oracle *o);

/** Observation, of the sources as chosen. */
void oracle_relate_observation(struct oracle *o);

/** Adds the outcomes of this execution, whose sources and order of fences are chosen: those that the axioms allow. */
void oracle_judge(struct oracle *o);

#endif
