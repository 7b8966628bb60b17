/**
 * @file acts.h
 * Check, then act: a thread reads a location, and what it read decides whether, or with what value, a second
 * instruction updates it. Between the two another thread may come.
 */
#ifndef SOFTGPU_ANALYSE_ACTS_H
#define SOFTGPU_ANALYSE_ACTS_H

#include "analyse/made.h"
#include "code/image.h"

enum act_kind {
    ACT_STORES,     /**< a store or an exchange of something computed from what was read, or linked with it: an update in between is lost */
    ACT_SWAPS,      /**< a compare-and-swap that expects what was read, and whose failure nobody looks at */
    ACT_ADDS,       /**< an addition, also within bounds or of bits, if a comparison of what was read says so; its own result is not checked */
    ACT_PICKS,      /**< a store or an exchange of what was compared with what was read: a maximum by hand */
    ACT_CLAIMS,     /**< a store or an exchange of something else, if what was read equals something: a test-and-set by hand */
    ACT_MOVES,      /**< an addition of an amount, or an `or` or `and` of bits, that is computed from what was read; its own result is not checked */
    ACT_TAKES,      /**< a store or an exchange of something else, where what was read goes on to elsewhere: what others add in between is lost */
    ACT_RESETS,     /**< a store or an exchange of something else, if what an addition returned equals something: what others add in between is lost */
};

/** When does a thread that has checked come to the act? */
enum act_way {
    ACT_PERHAPS,    /**< that is not known: another branch lies between */
    ACT_ALWAYS,
    ACT_IF,         /**< if, and only if, the comparison holds, */
    ACT_UNLESS      /**< if it does not */
};

/** Whether both are of one location shows when they run. */
struct act {
    const struct insn *check, *act;
    enum act_kind kind;
    enum act_way way;
    const struct insn *compare;   /**< ACT_ADDS, ACT_PICKS, ACT_CLAIMS: what decides, a comparison of the value read with
                                       a register that, but for ACT_PICKS, still holds it when `act` runs, or (`early`) holds it when `check` does.
                                       Of others it need not decide, nor be there (NULL) */
    int side;                     /**< its source that is the value read */
    struct made made;             /**< ACT_MOVES: how the amount is made of the value read. ACT_ADDS: if it has steps, `compare` makes the predicate that decides, in these steps, of the value read and
                                       others: there is no `other` then, and the predicate stands for the value */
    bool early;                   /**< that register holds it when `check` runs already: `act` may overwrite it */
    const struct insn *compared;  /**< the strong load behind `check` that gives what is compared with; NULL: it is another value */
    const struct insn *branch, *other_side; /**< ahead by that comparison, NULL: by none; where `act` is on the side that it leads to, that side's end */
    bool same;                    /**< both are of one location by the text, for who comes to `act` by that branch */
    uint32_t stored;              /**< a store or an exchange: the register that holds what it puts there when `check` runs already; else REG_NONE */
    uint64_t more;                /**< ACT_PICKS: what is stored, less what is compared */
    bool locks;                   /**< ACT_CLAIMS: the function puts back there what the check looks for */
    bool links;                   /**< ACT_STORES: what is stored leads to what was read, or what was read to it (goes.h) */
    bool replaces;                /**< ACT_TAKES: what is put there instead differs from thread to thread: an exchange by hand, which another such exchange is lost to */
    bool jumps;                   /**< ACT_SWAPS, ACT_PICKS: write_jumps(): whoever comes next may do it again */
    bool told;                    /**< ACT_PICKS: the thread also says that it has updated (tells.h): who is told may look again */
    bool counts;                  /**< … or does something by an atomic that it does if, and as often as, the check holds */
};

struct acts {
    int count;
    struct act *list;             /**< in order of the text by `check` */
};

/** All of a function with a body; never NULL. Both are strong accesses of one element of 4 or 8 bytes. */
const struct acts *acts_of(const struct function *f);

/** Is it an atomic that changes twice if it is made twice: an addition, also within bounds, or of bits? */
bool insn_is_step(const struct insn *in);

/** Is it an atomic that sets bits, or clears them? */
bool insn_sets_bits(const struct insn *in);
/** ACT_MOVES that sets or clears bits, with `operand`: are some that stood there as the thread has `seen` them no more so `now`? Then another has taken them. */
bool act_bits_taken(const struct act *a, uint64_t operand, uint64_t seen, uint64_t now);

/** Is it a compare-and-swap that gives something to one thread only, which sees that by what it returns? */
bool insn_claims_by_swap(const struct function *f, const struct insn *in);

/** ACT_ADDS, ACT_PICKS: would the comparison, with `other`, come out otherwise had the check returned what leads to `now` there, not to `seen`? */
bool act_turns(const struct act *a, uint64_t other, uint64_t seen, uint64_t now);
/** What it compares with, if that is one number by the text. @return false if not */
bool act_compares_with(const struct function *f, const struct act *a, uint64_t *other);

/** The act's `way`, */
enum act_way act_way(const struct function *f, const struct act *a);
/** its `compared`, */
const struct insn *act_compared(const struct act *a);
/** and its `stored`. */
uint32_t act_stored(const struct act *a);
/** Does the comparison hold, of `value` with `other`? */
bool act_holds(const struct act *a, uint64_t other, uint64_t value);

/** The store by which the function updates the location that `look` reads in two steps (ACT_STORES), a sum, so that an update in between is lost;
 *  NULL: none, as far as can be told. */
const struct insn *acts_losing(const struct function *f, const struct insn *look);

#endif
