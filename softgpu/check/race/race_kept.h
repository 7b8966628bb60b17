/**
 * @file race_kept.h
 * What struct race keeps for single files of the checker.
 */
#ifndef SOFTGPU_CHECK_RACE_RACE_KEPT_H
#define SOFTGPU_CHECK_RACE_RACE_KEPT_H

#include "analyse/same_phase.h"
#include "check/race/doubted.h"
#include "check/race/shadow/shadow_rows.h"

struct allocation;
struct insn;
struct warp;

/** An order of fence.sc that has been put aside. */
struct past_order {
    int device;                      /**< MAX_DEVICES: of scope sys, on any */
    struct vector_clock *clock;
};

/** earlier.c: is the result of an atomic unused? */
struct known_use {
    const struct insn *in;
    bool unused;
};

/** block_phases.c: how does a write stand to a read? */
struct known_phase {
    const struct insn *write, *read;
    enum phase phase;
    bool once;                       /**< the read is made once in a phase */
    bool leads_on;                /**< phase_leads_on(), by the write or another turn's */
    uint32_t waits;                  /**< so often phase_look_waits() has been asked of them, */
    bool acts;                       /**< and it has been false */
    uint32_t waits_by_signal;        /**< the same of signal_look_waits() */
    bool acts_by_signal;
};

/** earlier.c: of a location's last writes, how many a lane's read-modify-write has been asked about, which of them it may come before,
 *  and what the location held. */
struct asked_earlier {
    int among;
    uint32_t missed;
    uint64_t now;
};

/** launch_start.c: what is remembered of a row of words, apart. */
struct kept_row {
    struct allocation *of;
    uint64_t offset;
    struct lone_row row;
};

/** A load at one place by lanes of a warp, to which it was nothing new (looked.h). */
struct look {
    const struct warp *warp; /**< NULL: it was, or there is none */
    uint64_t address;
    uint32_t mask;
};

#endif
