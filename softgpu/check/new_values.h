/**
 * @file new_values.h
 * Does a store, or an atomic, change what memory holds?
 */
#ifndef SOFTGPU_CHECK_NEW_VALUES_H
#define SOFTGPU_CHECK_NEW_VALUES_H

#include <stdbool.h>

#include "execute/plain_access.h"

/** Of a store that is about to be made: is some value another than what the place holds? */
bool has_new_values(const struct mem_access *a);
/** … what it changes, in one word: the same change back gives the same. 0: nothing. */
uint64_t changed_values(const struct mem_access *a);
/** Of a plain store: is some value another? */
bool plain_has_new_values(const struct plain_access *p);
/** Of an atomic that has been executed; and of a plain one. */
bool atomic_has_new_values(const struct mem_access *a);
bool plain_atomic_has_new_values(const struct plain_access *p);

#endif
