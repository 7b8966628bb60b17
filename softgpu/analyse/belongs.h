/**
 * @file belongs.h
 * What belongs to a minimum, or a maximum: a thread that has made the better value stay, by an atomic, notes something of its own beside it, by a store. That is another
 * location, and which of two threads' stores stays there has nothing to do with which of their values does.
 */
#ifndef SOFTGPU_ANALYSE_BELONGS_H
#define SOFTGPU_ANALYSE_BELONGS_H

#include "code/image.h"

struct belonging {
    const struct insn *update;  /**< an atomic minimum or maximum; or a compare-and-swap, of what is better by a comparison; strong */
    const struct insn *store;   /**< a strong store, or an exchange whose result nobody uses, which a thread comes to only by the comparison */
    uint32_t put, stored;       /**< registers: what the update puts there; what is stored */
    bool store_first;           /**< the thread looks, stores, and then updates */
};

struct belongings {
    int count;
    struct belonging *list;
};

/** All of a function with a body; never NULL. */
const struct belongings *belongings_of(const struct function *f);

/** What is put there by the pair's update or store, when it runs. */
static inline uint32_t belonging_operand(const struct insn *in)
{
    bool atomic = insn_class(in) == INSN_ATOMIC;
    return atomic && in->mem.atom == ATOM_CAS ? in->src[2] : atomic ? element_operand(in, 0) : in->src[1];
}

#endif
