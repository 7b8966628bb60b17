/**
 * @file later.h
 * For the debugger: which writes that come later in the run a load may return all the same. Begun where the load is about to
 * be made; then it is shown the run's accesses from there on.
 *
 * A later write may be returned unless it comes after the load: by causality or the order of this run's fence.sc (PTX ISA 8.10:
 * causality), or because it overwrites, or was made behind a strong read of, something here that does (coherence).
 */
#ifndef SOFTGPU_CHECK_RACE_LATER_H
#define SOFTGPU_CHECK_RACE_LATER_H

#include "check/race/readable.h"

struct image;

#define LATER_MOST 24

/** A write that comes later, and that the load may return. */
struct later_write {
    uint64_t value, block;
    uint32_t thread, site;
    const struct image *image;  /**< the writer's */
    /** What is missing that would have put it behind the load; the sites of the writer's read of a signal of the loading thread,
     *  and of that signal, 0 if there was none. */
    enum readable_cause cause;
    uint32_t via, signal;
};

struct later_writes {
    int count;
    struct later_write at[LATER_MOST]; /**< in the order in which they were made */
    bool more;                  /**< than there is room for */
    bool gaps;                  /**< others were made by accesses of another size */
    uint64_t behind;            /**< writes that come after the load */
};

struct later;
/** For the first element of one lane's load. The caller's, for later_free(). */
struct later *later_new(struct race *race, const struct warp *w, const struct mem_access *a, int lane);
void later_free(struct later *l);
const struct later_writes *later_found(const struct later *l);

/** From the observer's hooks of these names, behind the race checker's. */
void later_load(struct later *l, struct race *race, const struct warp *w, const struct mem_access *a);
void later_store(struct later *l, struct race *race, const struct warp *w, const struct mem_access *a);
void later_atomic(struct later *l, struct race *race, const struct warp *w, const struct mem_access *a);

#endif
