/**
 * @file oracle.h
 * The outcomes of a litmus test by the definitions of PTX ISA chapter 8 read off word by word: every value for every
 * read, every write of that value, every order of fences and of writes, and each axiom over plain relations. Slow; it
 * shares nothing with model/ but the litmus text, so that the two check each other.
 */
#ifndef TESTS_MODEL_ORACLE_H
#define TESTS_MODEL_ORACLE_H

#include "litmus.h"

/** The outcomes, as litmus_outcomes() writes them. No loops, no `arrive`; a block's barriers are passed by all its
 *  threads together, the n-th with the n-th. */
void oracle_outcomes(const struct litmus *l, char *out, size_t size);

#endif
