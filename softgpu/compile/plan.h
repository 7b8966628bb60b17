/**
 * @file plan.h
 * What the compiler has to know of a function before it writes any code.
 *
 * Compiled code follows the natural schedule of execute/warp_run.c to the letter: the lowest program counter runs first,
 * lanes that stand further on wait there. So lanes that part never part for the compiler: each place where lanes may wait
 * has a mask, and a block runs under the mask of those that are in it.
 *
 *   wait       lanes may wait where the block begins
 *   pending    blocks (later in the text) where lanes may wait while this block runs
 *   web        writes of one register and what reads them, apart from its other ones, which have nothing to do with them: decoding gives a register
 *              to many values
 *   varying    webs that may differ among the lanes of a group; all others are computed once
 *
 * A register that is dead wherever lanes may wait is written for all lanes; else the lanes that wait keep theirs.
 */
#ifndef SOFTGPU_COMPILE_PLAN_H
#define SOFTGPU_COMPILE_PLAN_H

#include "analyse/flow.h"
#include "code/operands.h"

/** How an instruction is compiled. */
enum plan_way {
    WAY_ROW,       /**< by its row of llvm_rows.def */
    WAY_LOGIC,     /**< predicate logic */
    WAY_PARAM,     /**< a kernel parameter */
    WAY_SPECIAL,   /**< a special register that is read from the warp or the grid */
    WAY_GLOBAL, WAY_SHARED, /**< load or store of 4 or 8 bytes */
    WAY_HANDLER,   /**< the interpreter's handler, which can neither stop nor fault */
    WAY_MEMORY,    /**< the interpreter's handler, which can fault, under any mask */
    WAY_WATCHED,   /**< a load or store of plain words under the checks, under any mask: told with the registers where they are, or as follows; or told to nobody (emit_quiet_*.c) */
    WAY_OBSERVED,  /**< the same under the checks: only where no lane waits elsewhere, all that is live in the frame */
    WAY_QUIET,     /**< so a load of global memory that is not WAY_WATCHED, but where it reads quiet memory: then as WAY_GLOBAL */
    WAY_CALL,      /**< the interpreter's handler, which can stop: only where no lane waits elsewhere */
    WAY_BARRIER,   /**< a whole warp waits at a barrier of the block: its code is left, all that is live in the frame */
    WAY_BRANCH,
    WAY_LEAVE,     /**< the interpreter goes on */
    WAY_NOTHING    /**< a hint */
};

struct plan {
    const struct function *f;
    const struct blocks *blocks;
    int count;                /**< instructions */
    int slots;                /**< of 64 bytes: registers by the first one */
    uint32_t slot_words, block_words;
    uint8_t *way;             /**< enum plan_way, by instruction */
    bool *entry;              /**< by instruction: the interpreter may enter */
    bool *varying;            /**< by web */
    bool *in_memory;          /**< by slot: the frame is its only place */
    struct form *forms;       /**< by web: form.h */
    int webs;
    int *slot_of_web;
    int *parent;              /**< by web: another one that it has become one with, or itself */
    int *first_operand;       /**< by instruction, and one behind: where it begins in the next */
    int *operand_web;         /**< by operand, in operands_next()'s order; no literal's */
    int *entry_web;           /**< by block and slot: what is live where the block begins, or -1 */
    bool *parts;              /**< by block: its branch may part a group */
    bool *waits;              /**< by block: lanes may wait at its beginning */
    uint64_t *pending;        /**< by block, block_words each */
    uint64_t *live_in, *live_out; /**< by block, slot_words each */
    uint64_t *dirty_in;       /**< by block, slot_words each: registers that may be newer than their place in the frame */
    struct arena arena;
};

/** @return false where the function is too large or holds what no plan can be made for */
bool plan_make(struct plan *p, const struct function *f);
void plan_free(struct plan *p);

/** Fills `live` (slot_words words) with the registers that are live before instruction `i`. */
void plan_live_before(const struct plan *p, int i, uint64_t *live);
/** The same with the registers that may be newer there than their place in the frame. */
void plan_dirty_before(const struct plan *p, int i, uint64_t *dirty);
/** Is no register read before it is written? */
bool plan_writes_first(const struct plan *p);
/** The web of a register that instruction `i` reads, or writes. */
int plan_web(const struct plan *p, int i, uint32_t reg, bool write);
/** By slot: the webs of the registers that are live before instruction `i`, there or where lanes wait. Others are anything, or -1. */
void plan_webs_before(const struct plan *p, int i, int *webs);
/** Finds the webs once it is known what is live; `varying` begins with those that others have written. (web.c) */
void web_find(struct plan *p);
/** Where lanes wait, they need what they hold in the place where those that run have it. @return true if webs became one */
bool web_join_waiting(struct plan *p);
/** Numbers the webs that are left from 0 on. */
void web_number(struct plan *p);
/** Must a write in block `b` leave the lanes that wait their old value? */
bool plan_keeps_others(const struct plan *p, int b, int slot);

static inline bool plan_bit(const uint64_t *set, int i)
{
    return set[i / 64] >> (i % 64) & 1;
}

static inline int plan_slot(uint32_t reg)
{
    return (int)(reg / FLOW_SLOT);
}

#endif
