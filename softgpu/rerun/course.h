/**
 * @file course.h
 * What the threads of a run did to the memory that they share, by strong accesses, and in which order an interleaving of them would
 * have to do the same: each read behind the write that it returns and before the next one of that place (reads-from,
 * coherence and from-reads together with program order; Lamport's sequential consistency is that they have no circle).
 */
#ifndef SOFTGPU_RERUN_COURSE_H
#define SOFTGPU_RERUN_COURSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "execute/warp.h"

struct course;
struct machine;

/** One lane's access, or what several threads came together at (`in` NULL). In the order of the run. */
struct course_step {
    const struct insn *in;
    uint64_t place;        /**< place_key() of its first element */
    int thread;
    int next;              /**< of the same thread; -1: none */
    bool writes;
    bool given_up;         /**< it was shown an older value that the arrangement has no room for */
    int rank;              /**< in the interleaving that course_arrange() has made */
};
LIST_TYPE(course_steps, struct course_step);

/** Watches the machine's runs from now on. */
struct course *course_begin(struct machine *m);
/** Watches no longer. @return false: it was too long to be kept, and says nothing */
bool course_end(struct course *c);
void course_free(struct course *c);

/** Ranks the steps so that they are an interleaving, as close to the run as it may be. Where there is none with every older value that
 *  a read returned, some of them are given up: which ones depends on `variant`, 0 and up.
 *  @return how many were given up */
int course_arrange(struct course *c, unsigned variant);

const struct course_steps *course_steps(const struct course *c);
/** The number of a thread that the run had, else -1. */
int course_thread(const struct course *c, const struct warp *w, int lane);
/** The first step of a thread; -1: none. */
int course_first(const struct course *c, int thread);
int course_threads(const struct course *c);

#endif
