/**
 * @file checkers.h
 * Every checker's observer, for the registry.
 */
#ifndef SOFTGPU_CHECK_CHECKERS_H
#define SOFTGPU_CHECK_CHECKERS_H

#include "check/observer.h"

#define CHECKER(name, symbol) extern const struct observer symbol;
#include "options/check_names.def"
#undef CHECKER

#endif
