/**
 * @file litmus.h
 * Litmus tests as text, for the model's own tests: threads stand between `|`, statements between `;`.
 *
 *   W x 1 rel.sys     a store; `weak` or no order: weak          R x a acq.gpu    a load into register a; `vol`: volatile; `nc`: not coherent
 *   W x a             a store of a register                      F sc.gpu         a fence: sc, acq_rel
 *   add x 1 a rlx.gpu   fetch-and-add; also xchg, cas (`cas x 0 1 a`), red (no register); `add x 1 -` drops the value
 *   max, min, or, and, inc, dec stand where add does
 *   bar 0 2           a barrier for 2 threads, 0 = the block     arrive 0 2
 *   any a b           a vote of the block, which is a warp: b = is any a not 0?    first a b   a shuffle: b = the first lane's a
 *   carr rel          arrives at the cluster's barrier; or rlx   cwait
 *   if a N            skips the next N statements where a is 0   again a         goes back to the last load if a is 0
 *
 * Locations and registers are single letters, x y z w and a to h. `B` before the text puts the threads named
 * into blocks: "B 0 0 1" gives the block of each thread; without it each thread is its own block.
 * `C` instead of `B`: the blocks are one cluster; `D`: each two are.
 * An outcome is written `a=1 b=0 x=2`: the registers of all threads in order of their names, then locations.
 */
#ifndef TESTS_MODEL_LITMUS_H
#define TESTS_MODEL_LITMUS_H

#include <stdio.h>

#include "model/enumerate.h"

#define LITMUS_STATEMENTS 32
#define LITMUS_REGISTERS 8

struct litmus_statement {
    char op[8];
    int location, from, into;      /**< registers, -1 = none */
    uint64_t value, compare;
    bool strong, acquire, release, sc, is_volatile, is_nc;
    enum model_scope scope;
    int number, expected;
};

struct litmus {
    struct { struct litmus_statement s[LITMUS_STATEMENTS]; int count; } thread[MODEL_THREADS];
    int threads;
    struct model_place place[MODEL_THREADS];
    int cluster_blocks;            /**< of each cluster; 1: there are none */
    uint64_t initial[MODEL_LOCATIONS];
    bool used[LITMUS_REGISTERS], shared[4];
};

/** Parses; aborts with a line on stderr where the text is wrong. */
void litmus_parse(struct litmus *l, const char *text);
/** Makes the program that the enumeration asks. Registers are locations 4 to 11. */
struct model_program litmus_program(struct litmus *l);

/** Distinct outcomes, a line each. */
#define LITMUS_LINES 16384
#define LITMUS_LINE 96
struct litmus_lines {
    char line[LITMUS_LINES][LITMUS_LINE];
    int count;
};
/** Adds an outcome: the values of locations, then of registers. */
void litmus_add(struct litmus_lines *lines, const struct litmus *l, const uint64_t *final, bool hangs);
/** Sorts them, and writes them one below the other. */
void litmus_lines_write(struct litmus_lines *lines, char *out, size_t size);
/** The outcomes within limits, sorted, one a line; hangs end with " hangs". @return number of executions, -1 if incomplete */
int litmus_outcomes_within(struct litmus *l, const struct model_limits *limits, char *out, size_t size);
/** Those of all executions. */
int litmus_outcomes(struct litmus *l, char *out, size_t size);

#endif
