/**
 * @file made.h
 * What is computed from a value that was read, and of what else: `used + size <= all`, `min(all - used, 8)`, `used < all ? all - used : 0`.
 */
#ifndef SOFTGPU_ANALYSE_MADE_H
#define SOFTGPU_ANALYSE_MADE_H

#include "analyse/carried.h"

#define MOST_ON_WAY 64
#define MOST_STEPS 16
#define MOST_LEAVES 6

/** What a thread computes, or loads by plain loads, on its way from where the value was read. */
struct on_way {
    const struct insn *in[MOST_ON_WAY];
    int count;
    bool lost;                     /**< something is computed from the value that cannot be computed again */
};

/** How one register's value is made: by so many of these, in this order. */
struct made {
    const struct insn *step[MOST_STEPS];
    int steps;                     /**< 0: it is the value itself */
    uint32_t reg;                  /**< where they leave it, */
    uint8_t width;                 /**< in so many bytes; 1: a predicate */
    int leaves;
    struct leaf {
        uint32_t reg;              /**< another register that goes into it */
        uint8_t width;
        bool early;                /**< it holds that when the value is read already; else still when the thread acts */
    } leaf[MOST_LEAVES];
};

/** The thread comes to an instruction; `depends` holds what has been computed from the value before it. */
void way_note(struct on_way *way, const struct function *f, const struct carried *depends, const struct insn *in);

/** How `reg` is made, when the thread comes to `at`, from what `read` has got.
 *  @return false if that is not known, or it is not made from that */
bool made_of(const struct function *f, const struct on_way *way, const struct insn *read, const struct insn *at, uint32_t reg, struct made *out);
/** Does what is no early leaf stay as it is up to `act`? */
bool made_lasts(const struct made *m, const struct insn *act);

/** Does all that goes into it stand there when the value is read? */
static inline bool made_is_early(const struct made *m)
{
    bool early = true;
    for (int i = 0; i < m->leaves; i++)
        early &= m->leaf[i].early;
    return early;
}

#endif
