/**
 * @file litmus_ptx.h
 * A litmus test (litmus.h) as a PTX kernel: locations are the words of its first parameter, registers are left in
 * those of its second.
 */
#ifndef TESTS_MODEL_LITMUS_PTX_H
#define TESTS_MODEL_LITMUS_PTX_H

#include "litmus.h"

#define LITMUS_PTX_HEADER ".version 8.0\n.target sm_90\n.address_size 64\n"

/** How threads of one block stand there. */
enum litmus_layout { LITMUS_LANES, LITMUS_WARPS };

/** The launch's shape. */
void litmus_shape(const struct litmus *l, enum litmus_layout layout, uint32_t *blocks, uint32_t *threads);
/** Writes an entry of the given name. */
void litmus_ptx(FILE *out, const struct litmus *l, enum litmus_layout layout, const char *name);

#endif
