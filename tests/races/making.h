/**
 * @file making.h
 * Between the files that make random_signals(): what is being made, and the pieces that its exchanges are made of.
 */
#ifndef TESTS_MAKING_H
#define TESTS_MAKING_H

#include "random_kernel.h"

/** What is being made. */
struct making {
    uint64_t r;
    struct random_kernel *k;
    uint32_t faults;               /**< of a hundred steps that order, so many are left out */
    int shared_parts, global_parts, flags, met;
    struct part {
        bool shared;
        int array;
        uint32_t base;
    } part;                        /**< of the exchange that is made */
};

/** How a message is sent. */
struct message {
    uint32_t from, to;             /**< blocks; ANY_BLOCK: from all, or to all */
    uint32_t flag;
    enum strength strength;
    bool fenced, wide;
};

bool one_in(struct making *m, uint32_t n);
bool faulty(struct making *m);
/** One of n, in kernels with faults. */
bool slips(struct making *m, uint32_t n);

struct step *add(struct making *m, enum act act);
/** A step that orders, or not. */
struct step *order(struct making *m, enum act act);
void add_fence(struct making *m, bool wide);
/** An access to the element that FORM_OWN, or another form with `d`, says. */
struct step *access_part(struct making *m, enum act act, enum form form, uint32_t d);
/** @return the step, for those threads */
struct step *guarded(struct step *s, enum guard guard, uint32_t bound);
/** Room of its own for one exchange. @return false: there is none left */
bool take_part(struct making *m, bool shared);
/** How all blocks tell all; the flag is new. */
struct message to_all(struct making *m);

/** The block's threads, then one of them, say that all before is done. */
void send(struct making *m, const struct message *msg);
/** One waits, or some or all; a barrier lets the others know. */
void receive(struct making *m, const struct message *msg);

/* ---- Exchanges in which who is last, first, or gets which, comes out in the run (random_turns.c) ---- */

void exchange_by_ticket(struct making *m);
void exchange_by_lock(struct making *m);
void exchange_claimed(struct making *m);
void exchange_by_mbarrier(struct making *m);
void exchange_by_far_mbarrier(struct making *m);

#endif
