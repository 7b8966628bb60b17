/**
 * @file run_events.h
 * What happens in a run, as observers and choosers are told of it: accesses of a warp, operations of the host's, their
 * order, values that go from lane to lane.
 */
#ifndef SOFTGPU_EXECUTE_RUN_EVENTS_H
#define SOFTGPU_EXECUTE_RUN_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/issuer.h"
#include "base/op_set.h"
#include "code/image.h"

struct allocation;
struct plain_access;

#define MAX_ELEMENTS 8

/**
 * One memory operation of one warp, in one state space, after bounds and alignment have been
 * checked: every lane in `mask` may be accessed through `host[lane]`.
 */
struct mem_access {
    const struct insn *insn;           /**< insn->mem describes order, scope, size, type */
    uint32_t mask;
    bool row;                          /**< all lanes, one word each (count 1, 4 bytes, aligned), one after another in one
                                          allocation or block; false does not say that it is none */
    bool even;                         /**< the same of whatever each lane accesses: all lanes, one behind the other, as many bytes each. So is a row */
    bool again;                        /**< load: a strong one that the warp has just made, and since then nobody has done anything, but it may have
                                          computed: where it reads the same, nothing is new */
    uint8_t space;                     /**< SPACE_GLOBAL, _SHARED, _LOCAL, _CONST or _PARAM */
    struct block *owner;               /**< shared: the block whose shared memory it is; else the lanes' own */
    uint64_t address[WARP_LANES];      /**< device address; shared, local: offset in its area */
    uint8_t *host[WARP_LANES];         /**< where the bytes are */
    struct allocation *allocation[WARP_LANES];  /**< global and const only, else NULL */
    /** [element][lane], zero-extended: load: the value read; store: the value to be written; atomic: the
     *  value after the operation. 16-byte elements use two rows each. */
    uint64_t value[2 * MAX_ELEMENTS][WARP_LANES];
    uint32_t thrown_away;              /**< load: lanes that drop what they get: the compiler's reads, none of the program's */
    uint32_t older[MAX_ELEMENTS];      /**< load, or atomic that did not write: lanes that read an older write, not what `host` holds */
    uint64_t old[2][WARP_LANES];       /**< atomic: the value before the operation */
    uint32_t wrote;                    /**< atomic: lanes that wrote (a failed cas does not) */
};

/** Is it memory that threads can share? */
static inline bool access_is_shared(const struct mem_access *a)
{
    return a->space == SPACE_GLOBAL || a->space == SPACE_SHARED;
}

/** An instruction, by its number in the image. */
struct code_site {
    const struct image *image;
    uint32_t site;
};

enum barrier_kind { BARRIER_SYNC, BARRIER_ARRIVE, BARRIER_RED };

/** What a host-issued operation other than a kernel touches. */
struct host_op {
    uint64_t op;
    const char *name;                  /**< "cudaMemcpyAsync", … */
    const struct op_set *before;
    const struct op_set *read_after;   /**< NULL, or what its reads come after, where that is less */
    const struct op_set *waited;       /**< what the host has waited for by now */
    uint64_t write_base, write_bytes;  /**< device or mapped addresses; 0 bytes = none */
    uint64_t read_base, read_bytes;
    struct issuer by;
    bool defines;                      /**< false: an allocation, whose contents are undefined */
    bool value;                        /**< a stream waits for a value, or writes one: strong, at system scope */
    struct op_set *learned;            /**< of such a wait: kernels whose signal it is are added */
};

/** A step by which the host orders streams: what a finding can say about a missing one. */
struct order_note {
    enum { NOTE_RECORD, NOTE_WAIT, NOTE_SYNC /**< the host waits */,
           NOTE_TRIGGER /**< `op` waits for a point within the kernel `record`, not for its end: of its blocks' triggers, */,
           NOTE_BEGUN /**< … or beginnings */ } kind;
    uint64_t op;                       /**< its place in the order of issue */
    uint64_t record;                   /**< the event record waited for; 0 = none had been made, or
                                            NOTE_SYNC waits for all of a stream */
    struct issuer by;                  /**< NOTE_SYNC: the stream that was waited for */
};

/** The program's own load or store of memory that it shares with the device, while operations are
 *  outstanding. */
struct host_touch {
    uint64_t address;                  /**< the first byte touched */
    uint64_t bytes;                    /**< written, from there on; loads: 1, the size is not known, but for host_look() */
    bool write;
    bool updates;                      /**< writes, and has read what was there: one operation */
    uint64_t pc;                       /**< the instruction's address in this process */
    const struct op_set *done;         /**< operations that the host has waited for */
    const struct issuer *function;     /**< the host function that does it; NULL: the program itself */
};

/** Values that go from lane to lane. */
struct warp_exchange {
    uint32_t lanes;                    /**< that take part */
    bool combines;                     /**< a result is computed from the values, not one of them */
    const struct insn *in[32];         /**< each lane's instruction */
    uint32_t frame[32];                /**< the offset of its registers in the warp's file */
    uint32_t from[32];                 /**< lanes whose values it gets; 0: of a lane that takes no part */
};

/** Who has copied between a call and the function that it calls. */
enum passed_how {
    PASSED_IN,    /**< the call, an argument */
    PASSED_BACK,  /**< the return, the result: the function's activation ends */
    PASSED_MADE   /**< a built-in function, its result, which it has made */
};

/** Bytes of one lane that a call passes. */
struct lane_passed {
    enum passed_how how;
    int lane;
    const struct call_slot *slot;      /**< the caller's place for them; NULL where there are no bytes */
    uint32_t caller_frame;             /**< offset of its registers in the warp's file */
    uint32_t slot_at;                  /**< the address of the place in local memory, unless it is a register */
    uint32_t at;                       /**< the callee's place for them, an address in local memory; not for PASSED_MADE */
    uint32_t bytes;                    /**< 0: nothing is passed */
    uint32_t gone_from;                /**< PASSED_BACK: the lane's local memory from here on is nobody's any more */
};

#endif
