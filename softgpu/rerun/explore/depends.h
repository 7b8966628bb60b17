/**
 * @file depends.h
 * On which of its reads a thread's registers rest: syntactic dependencies (PTX ISA 8.10.4, no thin air). Memory
 * that is not shared counts as one cell, so that at most too much seems to depend, never too little.
 */
#ifndef SOFTGPU_RERUN_EXPLORE_DEPENDS_H
#define SOFTGPU_RERUN_EXPLORE_DEPENDS_H

#include "code/insn.h"
#include "execute/warp.h"
#include "model/candidate.h"

struct depends {
    event_set *reg;          /**< by what a register takes of the register file at least; bits are the thread's values */
    uint32_t regs;
    event_set control, memory;
    event_set decided;       /**< on which values it rested so far which way the thread goes, what it accesses, where it comes to */
    event_set address;       /**< of the instruction at hand: what it reads but for what it stores */
    event_set told;          /**< what it reads but for addresses */
    event_set data;          /**< all that it reads */
};

/** Before each instruction. */
void depends_issue(struct depends *d, const struct warp *w, const struct insn *in);
/** The results of the instruction at hand rest on these, too. */
void depends_result(struct depends *d, const struct warp *w, const struct insn *in, event_set on);
/** Those of one element of a vector rest on these: it is an access of its own (PTX ISA 8.2.2). */
void depends_element(struct depends *d, const struct warp *w, const struct insn *in, int element, event_set on);
/** On what an element rests that the store at hand writes. */
event_set depends_stored(struct depends *d, const struct warp *w, const struct insn *in, int element);
void depends_free(struct depends *d);

#endif
