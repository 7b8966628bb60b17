/**
 * @file accesses.h
 * Each access against the shadow words that it touches.
 */
#ifndef SOFTGPU_CHECK_RACE_ACCESSES_H
#define SOFTGPU_CHECK_RACE_ACCESSES_H

#include "check/race/race.h"
#include "execute/async_copy.h"

void access_load(struct race *race, const struct warp *w, const struct mem_access *a);
void access_store(struct race *race, const struct warp *w, const struct mem_access *a);
/** The same of plain ones. */
void access_plain_load(struct race *race, const struct warp *w, struct plain_access *p);
void access_plain_store(struct race *race, const struct warp *w, struct plain_access *p);
void access_atomic(struct race *race, const struct warp *w, const struct mem_access *a);
/** The same of some lanes of an atomic of global or shared memory. */
void access_atomics(struct race *race, const struct warp *w, const struct mem_access *a, uint32_t lanes);

struct actor;
/** The actor is about to write to some of the allocation's words: for the quick look of older.c, and the end of ranges. */
void note_written_to(const struct actor *me, struct allocation *al);

/** Hooks of the observer for plain accesses. (told_plain.c) */
/** Is nobody who wrote the allocation, or may write it, unordered with the grid, which will not? */
bool told_quiet_global(void *self, const struct grid *g, const struct allocation *a);
uint32_t told_quiet_shared(void *self, const struct block *b);
void told_plain_load(void *self, const struct warp *w, struct plain_access *p);
void told_plain_store(void *self, const struct warp *w, struct plain_access *p);
void told_plain_atomic(void *self, const struct warp *w, struct plain_access *p);

/** A copy of `agent`'s is about to write there: for the quick look of older.c. */
void access_copy_writes(struct block_state *bs, const struct copy_side *to, uint32_t agent, int lane);

#endif
