/**
 * @file clocks.h
 * Which acts happen before which, by definition (PTX ISA 8.8 and 8.9, for barriers, fences, flags and asynchronous copies): a vector clock for
 * each thread, in the simplest form. Acts are told in an order that they could have come in.
 *
 * Each thread is two actors: itself, and its copies that go on by themselves.
 */
#ifndef TESTS_CLOCKS_H
#define TESTS_CLOCKS_H

#include "random_kernel.h"

struct clocks;

/** A moment of an actor. */
struct moment {
    uint32_t actor, time;
};

struct clocks *clocks_new(uint32_t blocks, uint32_t threads_a_block);
void clocks_free(struct clocks *c);

/** What the thread does now; the copy that it issues now. */
struct moment clocks_now(const struct clocks *c, uint32_t thread);
struct moment clocks_copy(struct clocks *c, uint32_t thread);
/** Does the moment happen before what the thread does now? */
bool clocks_before(const struct clocks *c, struct moment m, uint32_t thread);

/** Threads meet at a barrier: those for which `comes` says so; of them only those that `waits` says come to know what the others did. */
void clocks_meet(struct clocks *c, const bool *comes, const bool *waits);
/** All meet, but tell each other, if `relaxed`, no more than what lies before their last fence of the GPU's scope. */
void clocks_meet_all(struct clocks *c, bool relaxed);
/** The copies that the thread has issued are a group; all groups but the last `but` are done; all copies are. */
void clocks_commit(struct clocks *c, uint32_t thread);
void clocks_groups_done(struct clocks *c, uint32_t thread, uint32_t but);
void clocks_copies_done(struct clocks *c, uint32_t thread);
/** `sc`: of fence.sc, which come in one order: behind all of a scope that has this thread in it, as this one's has theirs, with which the thread has had to do. */
void clocks_fence(struct clocks *c, uint32_t thread, bool wide, bool sc);

/** A flag that threads of `threads_a_block` signal by, and wait for. @return false: accesses to it conflict (a scope has not both in it) */
struct flag_clock;
struct flag_clock *flag_clock_new(const struct clocks *c);
void flag_clock_free(struct flag_clock *f);
bool clocks_signal(struct clocks *c, struct flag_clock *f, uint32_t thread, const struct step *s);
bool clocks_wait(struct clocks *c, struct flag_clock *f, uint32_t thread, const struct step *s);

#endif
