/**
 * @file fault.h
 * Private to execute/: device faults, which end the grid with a finding.
 */
#ifndef SOFTGPU_EXECUTE_FAULT_H
#define SOFTGPU_EXECUTE_FAULT_H

#include "parse/types.h"
#include "report/facts.h"

struct block;
struct insn;
struct warp;

/** What went wrong: kind and the grid's status follow from the cause. */
struct fault {
    enum finding_cause cause;
    enum ptx_space space;    /**< SPACE_GENERIC: it has no place */
    uint64_t address;
    struct fault_facts facts;
};

/** Ends the grid with a finding about `lane` at `in`; returns NULL for the handler. */
const struct insn *fault_at(struct warp *w, const struct insn *in, int lane, const struct fault *fault);
/** Says the same of what a GPU goes on from: the grid does not end. */
void fault_note(struct warp *w, const struct insn *in, int lane, const struct fault *fault);
/** Ends the grid: `lane` uses the shared memory of block `rank` of its cluster, which has ended. */
void fault_after_exit(struct warp *w, const struct insn *in, int lane, uint32_t rank);
/** Ends the grid: of one warp some threads come to a barrier at `in`, and others wait at another one, at `theirs`. `who`: these, and who comes. */
void fault_two_barriers(struct warp *w, const struct insn *in, const struct insn *theirs, const struct parted_facts *who);
/** fault_at() where there is nothing more to say. */
static inline const struct insn *fault_plain(struct warp *w, const struct insn *in, int lane,
                                             enum finding_cause cause)
{
    return fault_at(w, in, lane, &(struct fault){.cause = cause});
}

/** Ends the launch with a step-limit finding that names the line where the block is busy. */
void block_cut(struct block *b, uint64_t limit);
/** … of a block whose turn comes when others, `ended` of which have come to their ends, have used the steps. */
void block_cut_before(struct block *b, uint64_t limit, uint64_t ended);
/** … where the host's memory is short (host_memory_short()). Nothing happens where none of its threads can go on: then it is another block's turn. */
void block_cut_for_memory(struct block *b);

/** What an instruction does to memory, in one word: "load", "store", "atomic"… */
const char *memory_operation_name(const struct insn *in);

#endif
