/**
 * @file async_proxy.h
 * Asynchronous copies and barriers in shared memory.
 */
#ifndef SOFTGPU_CHECK_RACE_ASYNC_PROXY_H
#define SOFTGPU_CHECK_RACE_ASYNC_PROXY_H

#include "check/race/race.h"
#include "execute/async_copy.h"

/** Hooks of the observer. */
void race_async(void *self, const struct warp *w, const struct async_event *e);
void race_mbarrier(void *self, const struct warp *w, const struct mbarrier_event *e);
void async_block_end(struct block_state *bs, const struct block *b);
void phases_block_end(struct block_state *bs);
/** Adds to *to that the actor's thread's cp.async so far are complete. */
void async_give_copies(const struct actor *me, struct knowledge **to);
/** What the actor does next is done by the bulk copy that its block issued last, */
void async_act_as_bulk(struct actor *me);
/** whose completion this adds to *to. */
void async_give_bulk(const struct actor *me, struct knowledge **to);
/** How many of its copies by cp.async the block's thread has waited for. */
uint32_t async_copies_waited(const struct block_state *bs, uint32_t thread);
/** Has the thread that issued the copy waited for it? */
bool async_waited(const struct race *race, const struct epoch *e);

/** Is this the agent of some block's asynchronous copies? */
static inline bool agent_copies(const struct race *race, uint32_t agent)
{
    return race->agents.data[agent].copies_of != 0;
}

#endif
