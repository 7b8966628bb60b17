/**
 * @file reader_store.h
 * Private to readers.c: the store of interned sets. An array of elements, an array of branches, a hash table over each,
 * and the cache of what was added to what.
 */
#ifndef SOFTGPU_CHECK_RACE_SHADOW_READER_STORE_H
#define SOFTGPU_CHECK_RACE_SHADOW_READER_STORE_H

#include "base/list.h"
#include "check/race/shadow/readers.h"

#define MAX_KEPT (1u << 26)      /* elements, and branches: 2 GB each */
#define COLLECT_AFTER (1u << 18) /* elements and branches: some 12 MB. Twelve times as many took twice the time: they did not fit the processor's cache */
#define BRANCH 0x80000000u       /* marks the number of a branch, */
#define PUT_OFF 0x40000000u      /* of an addition that has not been made yet; never both */
#define PUT_OFF_MOST 32          /* such additions to one set */
#define KINDS 15                 /* kinds of elements, by flags and unit, with a bit each; */
#define OTHER_KINDS (1u << KINDS) /* all that come later share this one */
#define CACHE_SLOTS 32768
#define MAX_REPLACED 64          /* elements of one warp looked at for one to leave out */

/** Two sets of warps whose keys first differ, from the top, in bit `bit`. */
struct branch {
    uint32_t low, high;          /**< warps with that bit 0, and 1 */
    uint64_t highest, lowest;    /**< keys in it */
    uint32_t seq;                /**< the highest in it */
    uint16_t kinds;              /**< of its elements: a bit each */
    uint8_t bit;
    bool weak;                   /**< some element is not strong */
};

/** Numbers of things in an array, found by their hash; 0 is free. */
struct table {
    uint32_t *at;
    uint32_t mask, count;
};

/** What a newer read replaces; PRUNE_BETWEEN: also reads of the older writes above `upto` and below `from`. */
struct prune {
    enum readers_prune how;
    uint32_t upto, from;
};

/** What is to be added to a set, once somebody asks for what that makes. */
struct put_off {
    struct reader element;       /**< `rest` counts: this one and those below it that are put off, too */
    uint32_t warps;              /**< as below */
    uint32_t set, result;        /**< 0: not made yet */
    struct prune prune;
};

struct added {
    struct reader element;
    uint32_t warps;              /**< of the element, if not just one */
    uint32_t set, result;
    struct prune prune;
};

struct readers {
    struct reader *at;           /* at[0] is unused: set 0 is empty */
    struct branch *branches;     /* likewise */
    uint32_t count, cap, branch_count, branch_cap;
    struct table elements, joins;
    struct added *cache;
    LIST(uint32_t) copied;       /* elements of a list that another one is made of */
    struct put_off *put_off;     /* [0] is unused */
    uint32_t put_off_count, put_off_cap;
    LIST(uint32_t) waiting;      /* those of one set, the newest first */
    LIST(void *) outgrown;       /* arrays of elements that a walk may still point into */
    uint64_t collect_at;         /* elements and branches */
    struct readers *old;         /* while collecting: what is copied from */
    uint32_t *moved, *moved_branches;
    uint16_t kind[KINDS];        /* flags and unit of those that have a bit */
    int kinds;
    uint16_t weak_kinds;
    uint32_t settled;            /* readers_settle() */
    bool overflowed;
};

void *reader_store_checked(void *p);
/** Tables with room for so many elements and branches. */
void reader_store_open(struct readers *rs, uint32_t elements, uint32_t branches);
/** The bit of the element's kind, 0 if no branch has any of it. */
uint16_t reader_kind(const struct readers *rs, const struct reader *r);
uint32_t reader_intern(struct readers *rs, struct reader r);
bool set_is_branch(uint32_t set);
bool set_is_put_off(uint32_t set);
const struct branch *set_branch(const struct readers *rs, uint32_t set);
uint64_t reader_key(uint32_t agent, uint32_t warp);
uint64_t element_key(const struct reader *r);
uint64_t set_highest(const struct readers *rs, uint32_t set);
uint64_t set_lowest(const struct readers *rs, uint32_t set);
uint32_t branch_intern(struct readers *rs, uint32_t low, uint32_t high, uint8_t bit);
/** readers.c: makes the addition. */
uint32_t readers_make(struct readers *rs, uint32_t set, const struct put_off *p);
/** put_off.c: the set with that addition, to be made when somebody asks. */
uint32_t readers_put_off(struct readers *rs, uint32_t set, const struct put_off *p);
/** Makes what is put off. @return the set, which is none that is put off */
uint32_t readers_made(struct readers *rs, uint32_t set);
/** readers_keep() of one that is put off. */
uint32_t readers_keep_put_off(struct readers *rs, uint32_t set);
/** Of all its fields. */
uint64_t element_hash(const struct reader *r);
/** May `b` take up `a`? Same time, same kind of access from the same line. */
bool reader_mergeable(const struct reader *a, const struct reader *b);
bool element_same(const struct reader *a, const struct reader *b);

#endif
