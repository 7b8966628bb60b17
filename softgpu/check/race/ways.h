/**
 * @file ways.h
 * Ways through a kernel's code from one access to another, as the advice against a race needs them.
 */
#ifndef SOFTGPU_CHECK_RACE_WAYS_H
#define SOFTGPU_CHECK_RACE_WAYS_H

#include "analyse/paths.h"
#include "code/image.h"

struct ways {
    enum path onward, back;   /**< without a barrier: from the earlier access to the later, and back */
    bool apart;               /**< no thread comes to both, or only when a loop has come round */
};

/** For path_find(): that instruction ends the way. */
bool way_is(const struct insn *in, const void *that);
/** path_find() to which a barrier ends the way, of the warp, too, where *same_warp; NULL: nothing does. */
enum path way_find(const struct function *f, const struct insn *from, const struct insn *to, const bool *same_warp);
struct ways ways_find(const struct image *im, uint32_t earlier, const struct insn *later, bool same_warp);

/** The outermost branch on the way from `first` on to `then` of which only one way leads to `then`, and to which no
 *  barrier stands on the way: a barrier before it is one between the two that all threads come to, where a
 *  barrier right before `then` may not be. The way out of a loop in which both stand is none. NULL if there is none. */
const struct insn *ways_branch_around(const struct image *im, const struct insn *first, const struct insn *then,
                                      bool same_warp);

/** Of two accesses that a loop has between it and its next turn: the outermost branch of that loop (of the function, where the compiler has
 *  unrolled it) of which only one way leads to `first`, while both go on to `then`. Behind that branch a barrier is one that all
 *  threads come to. NULL if there is none. `round`: they may go
 *  on by way of the loop's next turn. */
const struct insn *ways_branch_with(const struct image *im, const struct insn *first, const struct insn *then, bool round);

/** The first branch at which threads of a block may part and of which one way only leads on to both, while threads that go the other way
 *  have more to do than to end: a barrier between the two is none that all threads come to. NULL if there is none. */
const struct insn *ways_branch_of_both(const struct image *im, const struct insn *first, const struct insn *then);

/** Of two of which one, or both, stand in functions that the compiler has inlined: the lines, of the innermost function that holds both, in which they
 *  do; one line, if that is so. @return false where these are their own */
bool ways_lines_of_calls(const struct image *im, const struct insn *a, const struct insn *b, int lines[2]);

/** Is there a way without a barrier from `first` round a loop that holds both, to `then` in its next turn? */
bool ways_lead_round(const struct image *im, const struct insn *first, const struct insn *then, bool same_warp);

/** May the turns of the read's innermost loop, a `continue` too, hold the other one, in the source or as compiled? Then it does not stand
 *  behind that loop. */
bool way_loops_with(const struct image *im, uint32_t site, const struct insn *other);

/** Does the read at this site only wait: is there a loop that does nothing else with memory, until what it reads ends it?
 *  What is to come after the read then stands behind that loop. */
bool way_waits_at(const struct image *im, uint32_t site);

/** Does the way from the one to the other lead past `in`? */
bool ways_lead_past(const struct function *f, const struct insn *from, const struct insn *in, const struct insn *to);

/** Do links lead to what the site stores, and to what is read? Then neither is a place of somebody's own: who follows links takes them as they come. */
bool ways_follow_links(const struct image *im, uint32_t stored, const struct insn *read);

#endif
