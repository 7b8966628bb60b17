/**
 * @file bound.h
 * How long a fuzzer goes on: "5000", so many inputs, which are the same on every machine; or "600s", so much time.
 */
#ifndef TESTS_FUZZ_BOUND_H
#define TESTS_FUZZ_BOUND_H

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

struct bound {
    unsigned long inputs; /**< 0: until `end` */
    time_t end;
};

static inline struct bound bound_of(const char *text)
{
    char *unit;
    unsigned long n = strtoul(text, &unit, 10);
    return *unit == 's' ? (struct bound){.end = time(NULL) + (time_t)n} : (struct bound){.inputs = n};
}

/** @return false when `tried` inputs are enough */
static inline bool bound_more(const struct bound *b, unsigned long tried)
{
    return b->inputs ? tried < b->inputs : time(NULL) < b->end;
}

#endif
