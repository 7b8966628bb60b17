/**
 * @file observer_asks.h
 * Hooks that answer: each asks every observer that has the hook.
 */
#ifndef SOFTGPU_EXECUTE_OBSERVER_ASKS_H
#define SOFTGPU_EXECUTE_OBSERVER_ASKS_H

#include "execute/observer.h"

/** @return whether one said true */
bool observers_host_touch(const struct observer_set *set, const struct host_touch *t);
/** The program reads memory that it shares with the device and that nothing outstanding uses. @return whether it is undefined, which is told */
bool observers_host_look(const struct observer_set *set, const struct host_touch *t);
/** @return whether all said true */
bool observers_written(const struct observer_set *set, struct allocation *a, uint64_t from, uint64_t bytes);

#endif
