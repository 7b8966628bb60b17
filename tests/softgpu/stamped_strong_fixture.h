/* For test_stamped_strong.c: a block of four warps that the race checker judges by itself, with stamps or with shadow words alone. */
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "check/race/accesses.h"
#include "check/race/element.h"
#include "check/race/shadow/reader_group.h"
#include "check/race/stamps.h"
#include "check/race/sync.h"
#include "execute/plain_access.h"
#include "execute/worker.h"
#include "unit.h"

#define WARPS 4
#define THREADS (WARPS * WARP_LANES)
#define WORDS 192
#define AGENT 1
#define MOST 4096

static uint32_t memory[WORDS];
static uint64_t seed;
static struct worker *worker;

static uint32_t draw(uint32_t below)
{
    return (uint32_t)(mix64(++seed) % below);
}

/** A block of four warps, checked by itself. */
struct checked_block {
    struct race race;
    struct launch launch;
    struct grid grid;
    struct block block;
    struct block_state *bs;
    struct warp warp[WARPS];
};

static struct checked_block *block_new(bool stamped_words)
{
    static struct function kernel;
    struct checked_block *b = calloc(1, sizeof *b);
    CU_ASSERT_PTR_NOT_NULL_FATAL(b);
    struct block_state *bs = b->bs = calloc(1, sizeof *bs);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bs);
    b->race.readers = readers_new();
    b->launch.root = &b->launch;
    b->grid.config.kernel = &kernel;
    b->launch.grid = b->grid;
    *LIST_PUSH(&b->race.agents) = (struct agent){0};
    *LIST_PUSH(&b->race.agents) = (struct agent){.launch = &b->launch, .live = bs};
    b->block.grid = &b->grid;
    b->block.check[0] = bs;
    b->block.live_threads = THREADS;
    b->block.warps = b->warp;
    b->block.warp_count = WARPS;
    bs->race = &b->race;
    bs->block = &b->block;
    bs->agent = bs->floor = AGENT;
    bs->threads = THREADS;
    bs->warp_count = WARPS;
    bs->shared_words = WORDS;
    warp_states_begin(bs);
    if (stamped_words)
        stamps_begin(bs);
    else
        bs->shared = calloc(WORDS, sizeof *bs->shared);
    for (int i = 0; i < WARPS; i++)
        b->warp[i] = (struct warp){.block = &b->block, .worker = worker, .index = i, .live = UINT32_MAX, .full = UINT32_MAX, .mask = UINT32_MAX};
    return b;
}

static void block_drop(struct checked_block *b)
{
    struct block_state *bs = b->bs;
    stamps_end(bs);
    warp_states_end(bs);
    sync_block_end(bs);
    knowledge_drop(bs->base);
    struct agent *agent = &b->race.agents.data[AGENT];
    for (uint32_t i = 0; i < agent->thread_count; i++)
        observed_drop(&agent->threads[i]);
    free(agent->threads);
    observed_free(&agent->observed);
    signals_forget(&agent->signals);
    stamps_free(b->race.spare.stamps);
    free(b->race.spare.warps);
    readers_free(b->race.readers);
    LIST_FREE(&b->race.agents);
    free(bs);
    free(b);
}
