/**
 * @file stand_in.h
 * What the parts of the stand-in for a harness share.
 */
#ifndef TESTS_KIT_STAND_IN_H
#define TESTS_KIT_STAND_IN_H

#include <stdbool.h>

extern char kernel_ptx[1 << 20];
extern long n; /**< the case's parameter */

/** Does the PTX whose turn it is have this word? */
bool has(const char *word);

/** Hangs, crashes, or takes all there is of something, as the PTX says. */
void misbehave(void);

/** What a submission must not get at; each success is told on stdout, and fails the test. */
void attack(void);

#endif
