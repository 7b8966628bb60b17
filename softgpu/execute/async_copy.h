/**
 * @file async_copy.h
 * Asynchronous copies and barriers in shared memory (mbarrier), as those who watch are told of them.
 *
 * A copy is carried out where it is issued, which is one of the times that it may take effect; what a thread may
 * rely on before it has waited is the race checker's to judge.
 */
#ifndef SOFTGPU_EXECUTE_ASYNC_COPY_H
#define SOFTGPU_EXECUTE_ASYNC_COPY_H

#include "execute/run_events.h"

/** What a copy reads or writes: for each lane that takes part `bytes` bytes, perhaps 0. */
struct copy_side {
    const struct insn *at;             /**< the address and the space, as of a load or store */
    uint8_t space;                     /**< SPACE_GLOBAL or SPACE_SHARED */
    uint32_t bytes[WARP_LANES];
    struct block *owner;               /**< shared: whose memory it is */
    uint64_t address[WARP_LANES];      /**< as in struct mem_access */
    uint8_t *host[WARP_LANES];
    struct allocation *allocation[WARP_LANES];
};

/** Copies of the lanes in `mask`, and what they do about those that they have issued. */
struct async_event {
    enum {
        ASYNC_COPY,                    /**< before the bytes are written; what `from` has too few of is zero */
        ASYNC_COMMIT,                  /**< the copies since the last commit become a group */
        ASYNC_BULK,                    /**< one lane's bulk copy or reduction, before the bytes are written */
        ASYNC_BULK_COMMIT,
        ASYNC_BULK_WAIT,               /**< as ASYNC_WAIT; `reads_only`: until their sources have been read */
        ASYNC_PROXY_FENCE,             /**< between plain accesses and bulk copies */
        ASYNC_MAP,                     /**< the tensor copy that the lane has issued reads its map, `from` */
        ASYNC_MAP_FENCE,               /**< fence.proxy.tensormap; an acquire's map is `from` */
        ASYNC_MATRIX,                  /**< wgmma reads shared memory, lanes' pieces of its a or b; `to` is empty */
        ASYNC_MATRIX_COMMIT, ASYNC_MATRIX_WAIT,
        ASYNC_WAIT,                    /**< until at most `left` groups are not complete; COPY_WAIT_ALL: all copies */
    } kind;
    const struct insn *insn;
    uint32_t mask;
    uint64_t left;
    bool reads_only;
    bool continues;                    /**< ASYNC_BULK, ASYNC_MATRIX: more of the lane's last one */
    bool plain;                        /**< ASYNC_BULK: st.async, red.async, which are no copies of the async proxy: `from` is
                                            no memory */
    uint64_t told;                     /**< ASYNC_BULK: 1 + the address of the mbarrier that it tells, as the lane gives it; 0: not said */
    bool grouped, reduces;             /**< ASYNC_BULK: completion is a bulk group's; `to` is updated */
    uint8_t part;                      /**< ASYNC_MATRIX: enum tensor_part, and the first lane's piece */
    unsigned first_piece;
    struct copy_side from, to;
};

/** A barrier object in a block's shared memory. */
struct mbarrier {
    uint32_t offset;
    bool valid;                        /**< initialised and not invalidated since */
    uint32_t expected, pending;        /**< arrivals: of each phase, and left in this one */
    int32_t tx;                        /**< bytes that asynchronous copies have still to bring */
    uint64_t phase;                    /**< completed so far */
    uint64_t earlier;                  /**< phases completed by objects that were here before */
};

/** One lane's operation on one, after it has been carried out. */
struct mbarrier_event {
    enum {
        MBARRIER_INIT, MBARRIER_INVAL,
        MBARRIER_ARRIVE,
        MBARRIER_COPIES,               /**< an arrival once the thread's copies so far are complete */
        MBARRIER_BULK,                 /**< the bulk copy that was issued last has brought its bytes */
        MBARRIER_TX,                   /**< bytes expected, or said to have come */
        MBARRIER_WAIT,
    } kind;
    const struct mem_access *access;   /**< of all lanes; value[0]: WAIT: phases completed */
    int lane;
    uint32_t same;                     /**< this lane, and if all of the instruction's lanes go to one object those that come after it */
    const struct mbarrier *barrier;
    enum mem_scope scope;              /**< SCOPE_NONE: none is written */
    bool relaxed;                      /**< releases and acquires nothing by itself */
    bool again;                        /**< INIT: there was a sound object in use */
    bool completes;                    /**< the phase is complete by this operation */
    bool passes;                       /**< WAIT: the phase that was asked for is complete */
};

/* mbarrier.c */

/** The lane's copy `in` has brought `bytes` bytes, to the mbarrier at `address`, in the space that `at` says.
 *  @return false after a fault */
bool mbarrier_complete_bytes(struct warp *w, const struct insn *in, const struct insn *at, int lane, uint64_t address, uint32_t bytes);

#endif
