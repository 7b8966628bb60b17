/**
 * @file scene.h
 * A random kernel and what is beside it: another one, a copy, memory that nothing has written; and what is so by definition.
 */
#ifndef TESTS_RACES_SCENE_H
#define TESTS_RACES_SCENE_H

#include "happens_before.h"
#include "random_kernel.h"

/* UNWRITTEN: alone, in memory that holds nothing yet, in part; SIGNALS: alone, a kernel of random_signals() */
enum company { ALONE, TWO_KERNELS, COPIED_FROM, COPIED_TO, CLEARED, UNWRITTEN, SIGNALS, COMPANY_COUNT };
enum tie { UNTIED, BY_EVENT, BY_STREAM, BY_HOST };

/** A kernel and what is beside it; two kernels have the numbers 2n and 2n + 1. */
struct scene {
    struct random_kernel first, second;
    enum company company;
    enum tie tie;
    bool company_first;
    int mapped;                  /**< one of the arrays is page-locked memory of the host's, which its address here leads to; -1: none */
    struct range_access range, written[GLOBAL_ARRAYS]; /**< the second: before */
};

/** What is so, or found. */
struct verdict {
    enum race_verdict races;
    bool undefined;
    bool ordering; /**< found: what is_undecided() */
};

#define FILL 0x5a

void make_scene(struct scene *s, int n, uint64_t seed);
/** Every sixth seed has one; -1: none. */
int mapped_array(uint64_t seed);
struct verdict verdict_of_scene(const struct scene *s);

#endif
