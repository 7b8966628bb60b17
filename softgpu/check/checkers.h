/**
 * @file checkers.h
 * Every checker's observer, for the registry.
 */
#ifndef SOFTGPU_CHECK_CHECKERS_H
#define SOFTGPU_CHECK_CHECKERS_H

#include "check/observer.h"

extern const struct observer race_checker;
extern const struct observer divergence_checker;
extern const struct observer deadlock_checker;
extern const struct observer leak_checker;
extern const struct observer explore_observer;   /**< opened by --exhaustive only */
extern const struct observer uninit_checker;

/** Name of the i-th registered checker, NULL past the last (for `--help`). */
const char *observer_name_at(int i);

#endif
