/**
 * @file checkers.h
 * Every checker's observer, for the registry.
 */
#ifndef SOFTGPU_CHECK_CHECKERS_H
#define SOFTGPU_CHECK_CHECKERS_H

#include "execute/observer.h"

#define CHECKER(name, symbol) extern const struct observer symbol;
#include "options/check_names.def"
#undef CHECKER

/** Rows of shared memory are told to all of them at once, where all watch that hear of accesses. (rows/) */
void rows_open(struct observer_set *set);
/** Lets the checkers that the machine's options name watch it. Before anything is allocated or run. */
void checkers_open(struct machine *m);

#endif
