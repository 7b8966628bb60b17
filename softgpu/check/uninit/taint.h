/**
 * @file taint.h
 * What is undefined in a warp's registers, lane by lane: whole bytes, or some of their bits.
 */
#ifndef SOFTGPU_CHECK_UNINIT_TAINT_H
#define SOFTGPU_CHECK_UNINIT_TAINT_H

#include "execute/warp.h"

/** Marks a `site` as a number in `deferred`, from 0 on. */
#define DEFERRED 0x80000000u

/** What is not defined in one register. */
struct taint {
    uint32_t lanes;          /**< with undefined bytes */
    uint32_t derived;        /**< of them, results of arithmetic on undefined bytes */
    uint32_t beside;         /**< of them, loaded from beside bytes that hold something: padding, it may be */
    uint32_t site;           /**< of the load it came from; or DEFERRED and the number of a finding that is told where it is used */
    bool shuffled;           /**< by a shuffle, from a lane that takes no part; `site` is the shuffle's */
    uint8_t bytes[WARP_LANES];
    uint8_t origin[WARP_LANES]; /**< the lane that loaded or shuffled it */
    uint32_t partly;         /**< of `lanes`, with bytes of which not all bits are undefined: `bits` tells */
    uint64_t *bits;          /**< a word a lane; owned by a register's, NULL until it is needed */
};

struct warp_taint {
    uint64_t block;               /**< a number that no other block has */
    struct taint *slots;
    uint32_t count;
    bool any, closely;            /**< closely: each instruction matters: any, or something in flight */
    uint32_t local_bytes;         /**< of memory that each of `local` covers */
    uint8_t local_widest;         /**< store to local memory, in bytes */
    bool any_line;                /**< of `lines` */
    struct flight *flying;        /**< registers that wgmma has yet to fill (flight.c) */
    int flying_count, flying_capacity;
    bool fenced;                  /**< it has come by a wgmma.fence */
    const struct insn *met_at;    /**< where lanes of it wait for the others, to execute one of wgmma's instructions together, */
    uint32_t met;                 /**< and which */
    uint32_t group;               /**< of wgmma's that is not committed yet */
    struct passed *passed;        /**< undefined bytes among arguments and results of calls (passed.c); NULL: none yet */
    uint32_t *computed;           /**< of a block's first warp, for its shared memory: a `site` a word, of DEFERRED ones; 0: none; NULL: none at all */
    uint8_t *local[WARP_LANES];   /**< a bit a byte of local memory; NULL until it is used. From here on all is 0 while local_bytes and any_line are */
    bool lines[2][256];           /**< of a and b of the wgmma at hand, with undefined bytes in shared memory */
};

/** All bits of the bytes that a mask of 8 names. */
static inline uint64_t bits_of_bytes(uint8_t bytes)
{
    uint64_t spread = bytes * 0x0101010101010101u & 0x8040201008040201u;
    spread = (spread + 0x7f7f7f7f7f7f7f7fu) & 0x8080808080808080u;
    return (spread >> 7) * 0xff;
}
/** The bytes that have one of these bits. */
static inline uint8_t bytes_of_bits(uint64_t bits)
{
    uint8_t bytes = 0;
    for (int b = 0; b < 8; b++)
        bytes |= (uint8_t)((bits >> 8 * b & 0xff) != 0) << b;
    return bytes;
}
/** The undefined bits of a lane that has some. */
static inline uint64_t taint_bits(const struct taint *t, int lane)
{
    return t->partly >> lane & 1 ? t->bits[lane] : bits_of_bytes(t->bytes[lane]);
}
/** Notes the exact undefined bits of a lane that has some. */
void taint_set_bits(struct taint *t, int lane, uint64_t bits);
/** A register's becomes this, which knows whole bytes only. */
static inline void taint_put(struct taint *to, struct taint from)
{
    from.bits = to->bits;
    *to = from;
}

/** The taint of a register of the running frame; NULL for constants and where nothing is tainted. */
struct taint *reg_taint(const struct warp *w, const struct warp_taint *t, uint32_t reg);
/** The same, made if it is not there yet. */
struct taint *reg_taint_open(const struct warp *w, struct warp_taint *t, uint32_t reg);
/** The same of a frame at that offset of the register file; NULL also where there is no room for taints yet. */
struct taint *frame_taint(const struct warp_taint *t, uint32_t frame, uint32_t reg);
/** Lanes of a register, which may be NULL, hold something from now on. */
void taint_clear(struct taint *t, uint32_t lanes);
/** Room for the taint of every register of the warp. */
void uninit_open(const struct warp *w, struct warp_taint *t);
/** The lanes of which one of the register's first so many bytes is undefined: those that are stored. */
uint32_t lanes_within(const struct taint *t, uint32_t lanes, unsigned bytes);

#endif
