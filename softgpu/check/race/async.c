/**
 * @file async.c
 * Asynchronous copies and barriers in shared memory, as the model has them (PTX ISA 8.9, 9.7.9.25, 9.7.13.15).
 *
 * A copy is ordered after what its thread did before it, and is no part of that thread afterwards: it is an event of
 * an agent of its own, beside the block, whose times count each thread's copies. Who has waited for a copy,
 * and whoever comes after that thread, knows that time; nobody else does, not even the thread itself.
 *
 * A phase of an mbarrier is what those who arrived in it knew, and the copies that arrived for their thread; it is
 * known to those whose wait it ends.
 */
#include "check/race/async.h"

#include <assert.h>
#include <stdlib.h>

#include "check/race/accesses.h"
#include "check/race/element.h"
#include "check/race/host.h"
#include "check/race/sync.h"
#include "code/descriptions.h"

/** One thread's copies: how many it has issued, and of these, where its groups end. */
struct thread_copies {
    uint32_t issued, waited;
    LIST(uint32_t) ends;
};

struct async_state {
    uint32_t agent;
    uint32_t threads;
    struct thread_copies *copies;
};

static struct async_state *state_of(struct block_state *bs)
{
    if (bs->async)
        return bs->async;
    struct async_state *s = bs->async = calloc(1, sizeof *s);
    assert(s);
    s->threads = (uint32_t)bs->warp_count * WARP_LANES;
    s->copies = calloc(s->threads, sizeof *s->copies);
    assert(s->copies);
    s->agent = (uint32_t)bs->race->agents.count;
    struct launch *launch = bs->race->agents.data[bs->agent].launch;
    *LIST_PUSH(&bs->race->agents) = (struct agent){.launch = launch, .block = bs->block->index, .copies_of = bs->agent};
    return s;
}

void async_block_end(struct block_state *bs)
{
    for (uint32_t i = 0; bs->async && i < bs->async->threads; i++)
        LIST_FREE(&bs->async->copies[i].ends);
    if (bs->async)
        free(bs->async->copies);
    free(bs->async);
    for (int i = 0; i < bs->phases.count; i++) {
        knowledge_drop(bs->phases.data[i].gathering);
        knowledge_drop(bs->phases.data[i].completed);
    }
    LIST_FREE(&bs->phases);
}

bool async_waited(const struct race *race, const struct epoch *e)
{
    const struct block_state *bs = race->agents.data[race->agents.data[e->agent].copies_of].live;
    return bs && bs->async && bs->async->copies[e->thread].waited >= e->time;
}

/* ---- Copies ---- */

/** One piece of a side, of whole words or a byte, as the access that it is. */
static void touch(struct actor *me, const struct copy_side *side, const struct copy_side *from, uint32_t at,
                  uint32_t count, bool write)
{
    struct mem_access a = {.insn = me->insn, .mask = 1u << me->lane, .space = side->space};
    const struct mem_desc *d = &me->insn->mem;
    int l = me->lane;
    a.address[l] = side->address[l] + at;
    a.host[l] = side->host[l] + at;
    a.allocation[l] = side->allocation[l];
    if (!access_is_shared(&a))
        return;
    for (uint32_t e = 0; e < count; e++) {
        uint32_t begin = at + e * d->bytes, left = from->bytes[l] > begin ? from->bytes[l] - begin : 0;
        memcpy(&a.value[e][l], from->host[l] + begin, left < d->bytes ? left : d->bytes);
    }
    host_check_access(me->race, me->warp, &a, write);
    for (uint32_t e = 0; e < count; e++)
        if (write)
            store_element(me, &a, (int)e);
        else
            load_element(me, &a, (int)e);
}

static void touch_side(struct actor *me, const struct copy_side *side, const struct copy_side *from, bool write)
{
    const struct insn *whole = me->insn;
    struct insn piece = *side->at;
    uint32_t bytes = side->bytes[me->lane];
    me->insn = &piece;
    for (uint32_t at = 0; at < bytes;) {
        bool word = bytes - at >= 4 && !((side->address[me->lane] + at) & 3);
        uint32_t words = (bytes - at) / 4;
        piece.mem.bytes = word ? 4 : 1;
        piece.mem.count = (uint8_t)(!word ? 1 : words < 4 ? words : 4);
        touch(me, side, from, at, piece.mem.count, write);
        at += (uint32_t)piece.mem.bytes * piece.mem.count;
    }
    me->insn = whole;
}

static void note_written(struct block_state *bs, const struct copy_side *to, uint32_t agent, int lane)
{
    if (to->space == SPACE_SHARED) {
        bs->shared_written = true;
        return;
    }
    if (!to->allocation[lane]->shadow)
        to->allocation[lane]->shadow = shadow_new(to->allocation[lane]->bytes + 8);
    shadow_wrote(to->allocation[lane]->shadow, agent);
}

static void copy(struct race *race, const struct warp *w, const struct async_event *e)
{
    struct actor me = actor_of(race, w, e->insn);
    struct async_state *s = state_of(me.bs);
    for (uint32_t m = e->mask; m; m &= m - 1) {
        actor_set_lane(&me, __builtin_ctz(m));
        me.as_agent = s->agent;
        me.as_time = ++s->copies[me.thread].issued;
        note_written(me.bs, &e->to, s->agent, me.lane);
        touch_side(&me, &e->from, &e->from, false);
        touch_side(&me, &e->to, &e->from, true);
    }
}

/** The lane knows that its thread's copies up to `time` are complete. */
static void learn(struct block_state *bs, const struct warp *w, int lane, uint32_t time)
{
    uint32_t thread = (uint32_t)(w->index * WARP_LANES + lane);
    struct lane_state *ls = lane_open(&bs->warps[w->index], lane);
    if (!time)
        return;
    clock_add_key(&knowledge_writable(&ls->extra)->part[KNOW_CAUSAL], bs->async->agent, clock_thread_key(thread), time);
    ls->learned = bs->race->moment;
}

static void wait_for_copies(struct block_state *bs, const struct warp *w, int lane, uint64_t left)
{
    struct thread_copies *c = &state_of(bs)->copies[w->index * WARP_LANES + lane];
    uint32_t upto = 0;
    if (left == COPY_WAIT_ALL) {
        upto = c->issued;
        c->ends.count = 0;
    } else if ((uint64_t)c->ends.count > left) {
        int done = c->ends.count - (int)left;
        upto = c->ends.data[done - 1];
        memmove(c->ends.data, c->ends.data + done, (size_t)left * sizeof *c->ends.data);
        c->ends.count = (int)left;
    }
    if (upto > c->waited)
        c->waited = upto;
    learn(bs, w, lane, c->waited);
}

void race_async(void *self, const struct warp *w, const struct async_event *e)
{
    struct race *race = self;
    struct block_state *bs = w->block->check[race->slot];
    if (e->kind == ASYNC_COPY) {
        copy(race, w, e);
        return;
    }
    for (uint32_t m = e->mask; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        struct thread_copies *c = &state_of(bs)->copies[w->index * WARP_LANES + lane];
        if (e->kind == ASYNC_COMMIT)
            *LIST_PUSH(&c->ends) = c->issued;
        else
            wait_for_copies(bs, w, lane, e->left);
    }
}

/* ---- Barriers in shared memory ---- */

static struct phase_knowledge *phase_of(struct block_state *bs, uint32_t offset)
{
    for (int i = 0; i < bs->phases.count; i++)
        if (bs->phases.data[i].offset == offset)
            return &bs->phases.data[i];
    struct phase_knowledge *p = LIST_PUSH(&bs->phases);
    *p = (struct phase_knowledge){.offset = offset};
    return p;
}

static void forget(struct phase_knowledge *p)
{
    knowledge_drop(p->gathering);
    knowledge_drop(p->completed);
    p->gathering = p->completed = NULL;
}

static void arrive(struct actor *me, struct phase_knowledge *p, bool relaxed)
{
    const struct lane_state *ls = actor_lane(me);
    if (!relaxed)
        sync_give(me->bs, me->warp->index, me->lane, &p->gathering);
    else if (ls && ls->block_fence)
        snapshot_give(&p->gathering, ls->block_fence, true);
    me->ws->time[me->lane]++;
}

/** The thread's copies arrive when they are complete: of the thread itself this says nothing. */
static void arrive_copies(struct actor *me, struct phase_knowledge *p)
{
    struct thread_copies *c = &state_of(me->bs)->copies[me->thread];
    if (c->issued)
        clock_add_key(&knowledge_writable(&p->gathering)->part[KNOW_CAUSAL], me->bs->async->agent,
                      clock_thread_key(me->thread), c->issued);
}

static void pass(struct actor *me, const struct phase_knowledge *p, bool relaxed)
{
    struct lane_state *ls = lane_open(me->ws, me->lane);
    knowledge_join(relaxed ? &ls->noted : &ls->extra, p->completed);
    if (!relaxed)
        ls->learned = me->race->moment;
}

void race_mbarrier(void *self, const struct warp *w, const struct mbarrier_event *e)
{
    struct race *race = self;
    struct actor me = actor_of(race, w, e->access->insn);
    struct phase_knowledge *p = phase_of(me.bs, e->barrier->offset);
    struct mem_access a = *e->access;
    a.mask = 1u << e->lane;
    actor_set_lane(&me, e->lane);
    if (e->kind == MBARRIER_INIT) {
        me.bs->shared_written = true;
        store_element(&me, &a, 0);
        forget(p);
        return;
    }
    /* The end of an object is a use like others: whoever uses it later is told so when it happens. cuda::pipeline
     * leaves to one lane of a warp what its lanes have used, and orders them by match.sync only. */
    load_element(&me, &a, 0);
    if (e->kind == MBARRIER_INVAL)
        forget(p);
    if (e->kind == MBARRIER_ARRIVE)
        arrive(&me, p, e->relaxed);
    else if (e->kind == MBARRIER_COPIES)
        arrive_copies(&me, p);
    else if (e->passes)
        pass(&me, p, e->relaxed);
    if (e->completes) {
        knowledge_join(&p->completed, p->gathering);
        knowledge_drop(p->gathering);
        p->gathering = NULL;
    }
}
