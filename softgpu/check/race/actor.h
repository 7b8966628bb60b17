/**
 * @file actor.h
 * Private to the race checker: whoever acts in an access, lane by lane, and how its accesses are remembered.
 */
#ifndef SOFTGPU_CHECK_RACE_ACTOR_H
#define SOFTGPU_CHECK_RACE_ACTOR_H

#include "check/race/race.h"
#include "execute/run_events.h"

static inline uint8_t flags_of(const struct mem_desc *mem, bool rmw)
{
    uint8_t flags = rmw ? EPOCH_RMW : 0;
    if (mem->order == ORDER_NC)
        flags |= (uint8_t)(mem->texture ? EPOCH_NC | EPOCH_TEXTURE : EPOCH_NC);
    if (order_is_strong(mem))
        flags |= (uint8_t)(EPOCH_STRONG | order_scope(mem) << EPOCH_SCOPE_SHIFT);
    return flags;
}

/** The function that holds what the warp executes: mostly the kernel itself. NULL: none does. */
static inline const struct function *function_around(const struct warp *w, const struct insn *in)
{
    const struct function *f = w->block->grid->config.kernel;
    return in < f->entry || in >= f->end ? image_function_at(f->image, in) : f;
}

/** The code that it runs. */
static inline const struct image *actor_image(const struct actor *me)
{
    return me->bs->block->grid->config.kernel->image;
}

/** What its accesses are remembered as. */
static inline uint32_t actor_agent(const struct actor *me)
{
    return me->as_agent ? me->as_agent : me->agent;
}

static inline struct epoch epoch_of(const struct actor *me, uint8_t flags, uint8_t unit)
{
    return (struct epoch){.agent = actor_agent(me),
                          .time = me->as_agent ? me->as_time : me->time, .site = me->insn->site,
                          .thread = (uint16_t)me->thread, .flags = flags, .unit = unit};
}

/** The warp as it acts; actor_set_lane() says which of its threads. */
static inline struct actor actor_of(struct race *race, const struct warp *w, const struct insn *in)
{
    struct block_state *bs = w->block->check[race->slot];
    return (struct actor){.race = race, .bs = bs, .ws = &bs->warps[w->index], .warp = w,
                          .insn = in, .agent = bs->agent, .home = bs};
}

/** The same for an access to memory of its own block, or in an allocation. Filled in where it stays: a copy would wait for what has
 *  just been stored piece by piece. */
static inline void actor_begin_plain(struct actor *me, struct race *race, const struct warp *w, const struct insn *in)
{
    struct block_state *bs = w->block->check[race->slot];
    me->race = race;
    me->bs = bs;
    me->ws = &bs->warps[w->index];
    me->warp = w;
    me->insn = in;
    me->lane = 0;
    me->agent = bs->agent;
    me->thread = me->time = 0;
    me->home = bs;
    me->as_agent = me->as_time = 0;
    me->together = NULL;
}

/** The same for any access. */
static inline void actor_begin(struct actor *me, struct race *race, const struct warp *w, const struct mem_access *a)
{
    actor_begin_plain(me, race, w, a->insn);
    if (a->space == SPACE_SHARED && a->owner)
        me->home = a->owner->check[race->slot];
}

static inline struct actor actor_at(struct race *race, const struct warp *w, const struct mem_access *a)
{
    struct actor me;
    actor_begin(&me, race, w, a);
    return me;
}

static inline void actor_set_lane(struct actor *me, int lane)
{
    me->lane = lane;
    me->thread = (uint32_t)(me->warp->index * WARP_LANES + lane);
    me->time = me->ws->time[lane];
}

/** For relies_on_step() of older.c: the lane's last strong store or exchange, behind which its time is what it is. */
static inline void lane_has_stored(struct warp_state *ws, int lane, const struct mem_access *a)
{
    ws->stored[lane] = a->insn->site + 1;
    ws->stored_at[lane] = a->address[lane];
    ws->stored_time[lane] = ws->time[lane];
}

/** The same with the instruction as the code has it, where a piece of it acts: of a matrix, or of a copy. */
static inline struct actor actor_whole(const struct actor *piece)
{
    struct actor whole = *piece;
    const struct insn *in = image_site_insn(actor_image(piece), piece->insn->site);
    whole.insn = in ? in : piece->insn;
    return whole;
}

/** Was the word written before the block's last barrier, in a block that no thread has left? */
static inline bool epoch_is_behind_barrier(const struct actor *me, const struct epoch *write)
{
    return (write->agent == me->agent && write->time <= me->bs->uniform) || (write->flags & EPOCH_PASSED);
}

#endif
