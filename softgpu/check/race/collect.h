/**
 * @file collect.h
 * Sets of readers (shadow/readers.h) that nothing refers to any more go.
 */
#ifndef SOFTGPU_CHECK_RACE_COLLECT_H
#define SOFTGPU_CHECK_RACE_COLLECT_H

#include "check/race/race.h"

void collect_readers(struct race *race);

#endif
