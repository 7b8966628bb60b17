/**
 * @file random_kernel.h
 * Random kernels of whole blocks: plain loads and stores of all widths, atomics, barriers, loops and guards, over three arrays of
 * global memory and two of shared; and such as order their threads by all else that orders: fences, flags, counters, barriers of some
 * lanes or warps, mbarriers, also of the next block, tickets, locks, copies that go on by themselves, alone or in groups, fence.sc, barriers of a cluster. Half of them are meant to be right. Each is PTX text, as nvcc would have made it.
 */
#ifndef TESTS_RANDOM_KERNEL_H
#define TESTS_RANDOM_KERNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define GLOBAL_ARRAYS 3
#define SHARED_ARRAYS 2
#define GLOBAL_BYTES 16384u      /* of each array, as of the next: powers of two, indices wrap */
#define SHARED_BYTES 2048u
#define TABLE_WORDS 1024u        /* a permutation, for indices that come from memory */
#define MAX_STEPS 96
#define LINES_A_KERNEL 100       /* kernel n has the lines from n * LINES_A_KERNEL on */

enum act {
    ACT_LOAD, ACT_STORE, ACT_ADD,
    ACT_COPY,        /**< cp.async into shared memory, from the element x of the array `source` of global memory */
    ACT_BARRIER, ACT_WARP_BARRIER, ACT_LOOP, ACT_LOOP_END,
    /* only in kernels of random_signals() */
    ACT_COPIES_WAIT, /**< cp.async.wait_all; with `until` cp.async.wait_group, for all groups but the last `until` - 1 */
    ACT_COMMIT,      /**< cp.async.commit_group */
    ACT_SHUFFLE,     /**< of whole warps: orders nothing */
    ACT_SOME_LANES,  /**< bar.warp.sync of the lanes in `mask` */
    ACT_SOME_WARPS,  /**< bar.sync of the threads that the guard takes: whole warps */
    ACT_HAND_OVER,   /**< those that the guard takes arrive, the others wait for them */
    ACT_CLUSTER_BARRIER, /**< of all blocks, which are a cluster; its arrival may be RELAXED */
    ACT_FENCE, ACT_SIGNAL, ACT_WAIT,
    ACT_TICKET,      /**< an addition to the flag, by which the block learns whether it is the last of all; its threads know it behind a barrier and ACT_LEARN */
    ACT_LEARN,
    ACT_LOCK,        /**< the flag is a lock; up to ACT_UNLOCK those that the guard takes go on one after another */
    ACT_UNLOCK,
    ACT_CLAIM,       /**< each gets a number of its own by the flag, for FORM_CLAIMED */
    ACT_ARRIVE, ACT_AWAIT /**< of an mbarrier of the block, `flag`, that `until` threads arrive at; `remote`: those of the block before, and both may be RELAXED, and name a scope */
};
#define IS_ACCESS(act) ((act) <= ACT_COPY)

/** Which element: made of x (the thread's number in the grid, or in its block for shared memory), t, the block b and the loop's turn i. */
enum form {
    FORM_OWN,      /**< x + d */
    FORM_REVERSED, /**< all - 1 - x */
    FORM_XOR,      /**< x ^ d */
    FORM_AFFINE,   /**< a t + b block + c i + d */
    FORM_SHARED,   /**< (t >> a) + b block + d: neighbours have the same */
    FORM_TABLE,    /**< table[(x + d) % TABLE_WORDS] */
    FORM_FIXED,    /**< d */
    FORM_CLAIMED   /**< the number that ACT_CLAIM got */
};

/** How strong a signal or a wait is; a signal that all blocks give is an addition, a wait for it waits for all of them. */
enum strength { RELAXED, ORDERED, VOLATILE };
#define MAX_FLAGS 16           /* of one kernel */
#define ANY_BLOCK UINT32_MAX

enum guard { GUARD_NONE, GUARD_BELOW, GUARD_FROM, GUARD_EVERY, GUARD_BLOCK, GUARD_WARP, GUARD_LAST }; /* LAST: the block that came last to ACT_TICKET, its threads below `bound` */

struct step {
    enum act act;
    bool shared;               /**< memory */
    int array;
    unsigned unit, count;      /**< bytes of an element of its vector, and how many */
    enum form form;
    uint32_t a, b, c, d;
    uint32_t base;             /**< the element that is added to what the form says */
    enum guard guard;
    uint32_t bound;            /**< of the guard: which thread, warp, block or multiple */
    bool predicated;           /**< by a predicate, not a branch */
    bool same;                 /**< a store: all threads' value is one */
    int source;                /**< of a copy */
    uint32_t block;            /**< whose threads take part; ANY_BLOCK: those of each */
    uint32_t mask;             /**< of some lanes */
    uint32_t flag, until;      /**< of a signal, and of a wait: what it waits for */
    enum strength strength;
    bool wide;                 /**< the scope of a signal, a wait, or a fence: the GPU, otherwise the block */
    bool strong, volatile_;    /**< a load or a store: relaxed, or with `strength` ORDERED acquire or release, at the scope of an atomic; or volatile */
    bool sc;                   /**< a fence */
    bool remote;               /**< to shared memory: that of the cluster's next block; of an arrival: at its mbarrier */
    bool generic;              /**< by a generic address */
    uint32_t spelled;          /**< which of several spellings */
    bool near, used, largest;  /**< of an atomic: its scope is the block; its result is summed up; it leaves the maximum, not the sum */
    uint32_t turns;            /**< of a loop; what is in it stands between it and its end */
};

struct random_kernel {
    int number;
    uint32_t blocks, threads;
    bool clustered;            /**< all blocks are one cluster; else each is one, so that the scope of a cluster is always another word for one of the other two */
    bool has_shared, unwritten; /**< does it use shared memory, and without clearing it before? */
    int count;
    struct step step[MAX_STEPS];
};

/** The kernel with this number; `arrays` seeds what kind of accesses an array gets, so that two kernels can agree on it. */
void random_kernel(struct random_kernel *k, int number, uint64_t seed, uint64_t arrays);

/** The same kernel in other words: by generic addresses, `red`, other barriers of all, vectors of other elements. But some fences are fence.sc, and but for STRENGTH_NONE
 *  some loads and stores strong. */
enum strengthened { STRENGTH_NONE, STRENGTH_RELAXED, STRENGTH_ANY };
void random_variant(struct random_kernel *k, uint64_t seed, enum strengthened strong);

/** One that orders its threads by more than whole barriers, also in loops; it clears what it uses. */
void random_signals(struct random_kernel *k, int number, uint64_t seed);

/** Its text: entry kNUMBER with pointers to the arrays, the table, a word of output for each thread, and flags, which are zero. */
void random_kernel_ptx(FILE *out, const struct random_kernel *k);
#define PARAMETERS (GLOBAL_ARRAYS + 3)
#define RANDOM_KERNEL_HEADER ".version 8.0\n.target sm_90\n.address_size 64\n.file 1 \"random.cu\"\n"

/** What two strong accesses to one byte need to be morally strong (PTX ISA 8.7): they overlap completely, and each scope has the other's thread. */
struct atom {
    uint32_t from, block;      /**< the element's first byte */
    int kernel;
    unsigned unit;
    bool strong, near;
    bool may_agree;            /**< it may leave what a store does, by no chance: a warning then */
};
struct atom atom_of(const struct step *s, int kernel, uint32_t block, uint32_t place);
bool atoms_together(const struct atom *a, const struct atom *b);

/** Does the thread take part, and at which byte of the array does its access begin? */
/** Whose shared memory it is, of an access by a thread of `block`. */
uint32_t step_owner(const struct random_kernel *k, const struct step *s, uint32_t block);
bool step_taken(const struct random_kernel *k, const struct step *s, uint32_t block, uint32_t thread);
uint32_t step_place(const struct random_kernel *k, const struct step *s, uint32_t block, uint32_t thread, uint32_t turn);
/** What a thread stores in each element of the vector; atomics add it. */
uint32_t step_value(const struct random_kernel *k, const struct step *s, uint32_t block, uint32_t thread);
int step_line(const struct random_kernel *k, const struct step *s);
uint32_t table_word(uint32_t at);
/** A copy's source. */
struct step copy_source(const struct step *s);

/** The next of a sequence that hangs on *state alone, below `below`. */
uint32_t random_below(uint64_t *state, uint32_t below);

#define PICK(r, ...)                                                                                                   \
    ((const uint32_t[]){__VA_ARGS__}[random_below(r, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))])

/** Adds an access; of a hundred, `calm` are to an element of the thread's own. */
struct step *random_access(uint64_t *r, struct random_kernel *k, uint64_t arrays, uint32_t calm);

#endif
