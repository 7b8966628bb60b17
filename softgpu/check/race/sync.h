/**
 * @file sync.h
 * What fences, strong accesses and barriers pass from thread to thread.
 */
#ifndef SOFTGPU_CHECK_RACE_SYNC_H
#define SOFTGPU_CHECK_RACE_SYNC_H

#include "check/race/race.h"

struct snapshot *snapshot_take(const struct actor *me);
void sync_fence(struct actor *me, enum mem_order order, enum mem_scope scope);
/** The thread has initialised one: what it does from now on comes later. */
void sync_inited(struct actor *me);
/** `me` has read from chain `m` up to contribution `upto`. */
void sync_observe(struct actor *me, struct release_chain *m, int upto, const struct mem_desc *mem);
/** Adds what `me` publishes by a strong write of kind `mem` to `m`; `before` is the location's chain
 *  so far (may be `m` or NULL); `unseen`: it left the value as it was. Ticks the clock. */
int sync_publish(struct actor *me, struct release_chain *m, const struct release_chain *before,
                 const struct mem_desc *mem, bool unseen);
/** What the next sc fence of `me` learns: of those who wrote to a location it writes to, and of those who read it. */
void sync_learn_chain(struct actor *me, struct release_chain *m, int upto);
void sync_learn_reads(struct actor *me, const struct sync *s);
/** `me` reads the location: whoever writes there is to learn of it. */
void sync_read_sc(const struct actor *me, struct sync *s);
/* barriers.c */
void sync_barrier_arrive(struct block_state *bs, const struct warp *w, int barrier,
                         enum barrier_kind kind);
void sync_barrier_complete(struct block_state *bs, int barrier);
/** All threads of the block have arrived there, in no other way than to wait, and none is left from before. */
void sync_barrier_met(struct block_state *bs, int barrier);
/** What is remembered of who has arrived is of no more use. */
void sync_block_end(struct block_state *bs);
/** Adds to *all what one lane knows, and its own time. */
void sync_give(struct block_state *bs, int warp, int lane, struct knowledge **all);
/* grid_waits.c */
/** griddepcontrol of the lanes in w->mask, in a launch that awaits others. */
void sync_grid_dependency(struct block_state *bs, const struct warp *w, const struct insn *in);
/** Does the lane come after a griddepcontrol.wait of its launch? `ls`: what it knows beyond its block; NULL: nothing. */
bool sync_knows_grid_wait(const struct block_state *bs, const struct lane_state *ls);
/** The launch awaits others: what has ended before all of these had triggered it? */
void launch_begins_behind(const struct race *race, struct launch *mine);
/** The block's end is its trigger, if it had none. */
void sync_grid_block_end(struct block_state *bs);
void launch_free(struct launch *launch);
void sync_warp(struct block_state *bs, const struct warp *w, uint32_t members);

#endif
