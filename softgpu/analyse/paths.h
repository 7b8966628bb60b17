/**
 * @file paths.h
 * Ways through a function's code, from one instruction to another. Calls are passed over, and what a
 * guard decides is taken both ways.
 */
#ifndef SOFTGPU_ANALYSE_PATHS_H
#define SOFTGPU_ANALYSE_PATHS_H

#include "code/image.h"

enum path {
    PATH_NONE,
    PATH_AHEAD,  /**< without a branch backwards */
    PATH_ROUND,  /**< only by way of one: a loop comes round */
};

/** Ends a way at this instruction; `from` is not asked. */
typedef bool (*path_end_fn)(const struct insn *in, const void *context);

/** Is there a way from behind `from` to `to` that does not pass an instruction at which it ends? Both
 *  are of `f`. `ends` NULL: it ends nowhere. */
enum path path_find(const struct function *f, const struct insn *from, const struct insn *to,
                    path_end_fn ends, const void *context);

/** May what a register holds when the thread comes to `from` be read, there or later? */
bool path_reads(const struct function *f, const struct insn *from, uint32_t reg);

/**
 * Is the barrier inside one way of a branch, and do both ways meet behind it? That is: there is a place,
 * not just the function's end, that every way from the branch passes; `way` leads to the barrier before
 * it, and the other way does not.
 * @param way  where some lanes go from `branch`: its target, or the instruction behind it
 * @param ends if not NULL, the other way must lead there without one at which it ends (its context is NULL)
 * @param goes_on the function has been called, and at its end threads have more to do: they meet there, too
 */
bool path_passes_by(const struct function *f, const struct insn *branch, const struct insn *way,
                    const struct insn *barrier, path_end_fn ends, bool goes_on);

/** Does a branch lead to the barrier on one of its ways only, and does all that comes to `behind` come through where
 *  both its ways meet? So who has been at `behind` has left the barrier out, or behind him. `ends` as for path_passes_by().
 *  @return the first such branch; NULL: none */
const struct insn *path_leaves_out(const struct function *f, const struct insn *barrier, const struct insn *behind, path_end_fn ends);

/** Who is at `where`, and comes to the barrier no more: a branch that leads to the barrier on one of its ways only, and both meet at a place
 *  that is ahead on every way from there, or behind as for path_leaves_out().
 *  @param leave_out branches that are none, such as branch_is_uniform(); NULL: no such
 *  @return the first; NULL: none */
const struct insn *path_gone_round(const struct function *f, const struct insn *barrier, const struct insn *where,
                                   bool (*leave_out)(const struct function *f, const struct insn *branch));

#endif
