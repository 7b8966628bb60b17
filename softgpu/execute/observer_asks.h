/**
 * @file observer_asks.h
 * Hooks that answer: each asks every observer that has the hook. And hooks that are called often.
 */
#ifndef SOFTGPU_EXECUTE_OBSERVER_ASKS_H
#define SOFTGPU_EXECUTE_OBSERVER_ASKS_H

#include "execute/observer.h"

/** OBSERVE() of a hook of which it is noted who has it. */
#define OBSERVE_THOSE(set, who, hook, ...)                                                         \
    do {                                                                                           \
        for (uint32_t who_ = (set)->who; who_; who_ &= who_ - 1)                                   \
            (set)->hooks[__builtin_ctz(who_)]->hook((set)->self[__builtin_ctz(who_)], __VA_ARGS__); \
    } while (0)

/** @return whether one said true */
bool observers_host_touch(const struct observer_set *set, const struct host_touch *t);
/** The program reads memory that it shares with the device and that nothing outstanding uses. @return whether it is undefined, which is told */
bool observers_host_look(const struct observer_set *set, const struct host_touch *t);
/** @return whether all said true */
bool observers_written(const struct observer_set *set, struct allocation *a, uint64_t from, uint64_t bytes);

#endif
