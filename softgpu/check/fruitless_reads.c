/**
 * @file fruitless_reads.c
 * A set of reads that have been made since memory changed last; see fruitless_reads.h.
 */
#include "check/fruitless_reads.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_set.h"
#include "base/mix.h"
#include "check/loop_state.h"
#include "execute/grid.h"

/** Of the one warp: so many reads of its own it may make before it has to repeat itself. */
#define PERIOD 65536u
/** Reads of all warps that are kept. */
#define MAX_READS (1u << 21)

enum stage { WAITING, ONE_WARP, ALL_WARPS };

struct fruitless_reads {
    enum stage stage;
    uint64_t unchanged;       /**< reads since memory changed, or since the last look */
    const struct warp *one;
    uint64_t repeated;        /**< reads in a row that had been made before */
    struct hash_set reads;    /**< that have been made */
};

struct fruitless_reads *fruitless_reads_new(void)
{
    struct fruitless_reads *p = calloc(1, sizeof *p);
    assert(p);
    return p;
}

void fruitless_reads_free(struct fruitless_reads *p)
{
    hash_set_free(&p->reads);
    free(p);
}

static void forget(struct fruitless_reads *p)
{
    hash_set_free(&p->reads);
    p->repeated = 0;
}

void fruitless_reads_changed(struct fruitless_reads *p)
{
    p->unchanged = 0;
    if (p->stage == WAITING)
        return;
    p->stage = WAITING;
    forget(p);
}

/* ---- Reads ---- */

/** The next look comes after as many reads again. */
static enum fruitless_verdict give_up(struct fruitless_reads *p)
{
    fruitless_reads_changed(p);
    return READ_NEW;
}

enum fruitless_verdict fruitless_reads_read(struct fruitless_reads *p, const struct warp *w, const struct read_by *by, uint64_t digest,
                                            uint64_t patience)
{
    if (++p->unchanged < patience)
        return READ_NEW;
    if (p->stage == WAITING) {
        p->stage = ONE_WARP;
        p->one = w;
    }
    if (p->stage == ONE_WARP && w != p->one)
        return READ_NEW;
    uint64_t state = loop_state(w, by->insn, by->mask, LOOP_OUTERMOST);
    if (!state || p->reads.count >= (p->stage == ONE_WARP ? PERIOD : MAX_READS))
        return give_up(p);
    if (hash_set_add(&p->reads, mix_in(mix_in(mix_in(digest, state), (uintptr_t)by->insn), (uintptr_t)w))) {
        p->repeated = 0;
        return READ_NEW;
    }
    p->repeated++;
    if (p->stage == ONE_WARP) {
        if (p->repeated > 2 * p->reads.count + 16) {
            p->stage = ALL_WARPS;
            p->repeated = 0;
        }
        return READ_NEW;
    }
    if (p->repeated < patience / 8)
        return READ_KNOWN;
    p->repeated = 0;
    return READ_ENOUGH;
}

enum fruitless_verdict fruitless_waits_read(struct fruitless_reads *p, const struct warp *w, const struct mem_access *a, uint64_t patience)
{
    enum fruitless_verdict found = READ_KNOWN;
    for (uint32_t m = a->mask; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        uint64_t digest = mix_in(mix_in(0, a->address[lane]), a->value[0][lane]);
        enum fruitless_verdict of_lane = fruitless_reads_read(p, w, &(struct read_by){a->insn, m & -m}, digest, patience);
        if (of_lane == READ_NEW || (of_lane == READ_ENOUGH && found == READ_KNOWN))
            found = of_lane;
    }
    return found;
}
