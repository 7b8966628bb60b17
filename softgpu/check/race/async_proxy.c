/**
 * @file async_proxy.c
 * Asynchronous copies, as the model has them (PTX ISA 8.9, 9.7.9.25).
 *
 * A copy is ordered after what its thread did before it, and is no part of that thread afterwards: it is an event of
 * an agent of its own, beside the block. The times of such an agent count each thread's copies, so that a wait
 * for groups, which end in order, is one time. Who has waited for a copy, and whoever comes after that thread, knows
 * that time; nobody else does, not even the thread itself. A bulk copy that tells an mbarrier ends by itself: those that tell one
 * share an agent as long as it is there, for who has waited for a phase knows of those before.
 *
 * So is what wgmma reads in shared memory, with groups of its own. A product is one operation of four warps, so who has waited for it knows of all that
 * it reads, for whichever of them; its number among a thread's is its time, for the others, too.
 *
 * Bulk copies and wgmma go through the async proxy: what plain accesses wrote must come to them through a proxy fence.
 */
#include "check/race/async_proxy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check/race/accesses.h"
#include "check/race/actor.h"
#include "check/race/async_touch.h"
#include "check/race/clusters.h"
#include "check/race/copied_words.h"
#include "check/race/map_proxy.h"
#include "check/race/sync.h"
#include "code/descriptions.h"
#include "execute/finding_place.h"
#include "execute/machine.h"
#include "memory/memory.h"
#include "report/finding.h"
#include "report/reporter.h"

#define COPY_BYTES 16 /* of one lane's cp.async, at most */

/** One thread's copies of a kind: how many it has issued and waited for, and where its groups end. */
struct copy_groups {
    uint32_t issued, waited;
    LIST(uint32_t) ends;
};

/** Copies of a block that tell one mbarrier: `told` as in their events. */
struct told_copies {
    uint64_t told;
    bool plain;
    uint32_t agent, issued, objects; /**< race.objects then */
};

struct async_state {
    uint32_t agent;               /**< of cp.async; 0 = none yet, as below */
    uint32_t bulk_reads, bulk_writes; /**< of bulk groups: their sources are free earlier */
    uint32_t matrix_reads;        /**< of wgmma: its groups are counted apart */
    uint32_t bulk, bulk_time;     /**< of the bulk copy issued last, if it tells an mbarrier; */
    LIST(struct told_copies) told; /**< by mbarrier */
    struct mem_access piece;      /**< scratch: too large to be made anew for each piece */
    uint32_t threads;
    struct thread_copies {
        struct copy_groups plain, bulk, matrix;
        uint32_t read;            /**< bulk copies whose sources are known to have been read */
        const struct insn *from;  /**< the last one that reads shared memory */
        uint32_t from_time, from_offset;
    } *of;
};

static struct async_state *state_of(struct block_state *bs)
{
    if (bs->async)
        return bs->async;
    struct async_state *s = bs->async = calloc(1, sizeof *s);
    assert(s);
    s->threads = (uint32_t)bs->warp_count * WARP_LANES;
    s->of = calloc(s->threads, sizeof *s->of);
    assert(s->of);
    return s;
}

static uint32_t new_agent(struct block_state *bs, bool bulk)
{
    struct race *race = bs->race;
    struct launch *launch = race->agents.data[bs->agent].launch;
    uint32_t agent = (uint32_t)race->agents.count;
    race->copies = true;
    *LIST_PUSH(&race->agents) = (struct agent){.launch = launch, .block = bs->block->index, .copies_of = bs->agent, .bulk = bulk,
                                               .cluster = bs->cluster ? bs->cluster->id : 0};
    return agent;
}

static void open_agent(struct block_state *bs, uint32_t *agent, bool bulk)
{
    if (!*agent)
        *agent = new_agent(bs, bulk);
}

static void issue_told(struct block_state *bs, struct async_state *s, const struct async_event *e)
{
    struct told_copies *t = s->told.data, *end = t + s->told.count;
    while (t < end && (t->told != e->told || t->plain != e->plain))
        t++;
    if (t == end)
        *(t = LIST_PUSH(&s->told)) = (struct told_copies){.told = e->told, .plain = e->plain};
    if (!t->agent || !e->told || t->objects != bs->race->objects)
        *t = (struct told_copies){e->told, e->plain, new_agent(bs, !e->plain), 0, bs->race->objects};
    s->bulk = t->agent, s->bulk_time = ++t->issued;
}

/** Shared memory ends with the block: copies that read it have been waited for. */
static void check_left(const struct block_state *bs, const struct block *b, uint32_t thread)
{
    const struct thread_copies *of = &bs->async->of[thread];
    struct finding f = {.kind = FIND_USE_AFTER_FREE, .level = LEVEL_ERROR, .cause = CAUSE_COPY_LEFT,
                        .kernel = b->grid->config.kernel->name, .access_count = 1};
    if (!of->from || of->read >= of->from_time)
        return;
    finding_access_fill(&f.accesses[0], &b->warps[thread / WARP_LANES], (int)(thread % WARP_LANES), of->from, "copy");
    finding_place(&f, bs->race->machine, b, SPACE_SHARED, of->from_offset);
    report_finding(machine_reporter(bs->race->machine), &f);
}

void async_block_end(struct block_state *bs, const struct block *b)
{
    bool by_itself = b->grid->status == GRID_RUNNING; /* else a thread may have been on its way to its wait */
    for (uint32_t i = 0; bs->async && by_itself && i < bs->async->threads; i++)
        check_left(bs, b, i);
    for (uint32_t i = 0; bs->async && i < bs->async->threads; i++) {
        LIST_FREE(&bs->async->of[i].plain.ends);
        LIST_FREE(&bs->async->of[i].bulk.ends);
        LIST_FREE(&bs->async->of[i].matrix.ends);
    }
    if (bs->async) {
        LIST_FREE(&bs->async->told);
        free(bs->async->of);
    }
    free(bs->async);
}

uint32_t async_copies_waited(const struct block_state *bs, uint32_t thread)
{
    return bs->async->of[thread].plain.waited;
}

bool async_waited(const struct race *race, const struct epoch *e)
{
    const struct block_state *bs = race->agents.data[race->agents.data[e->agent].copies_of].live;
    const struct async_state *s = bs ? bs->async : NULL;
    if (!s || (e->agent != s->agent && e->agent != s->bulk_writes))
        return false;
    const struct copy_groups *g = e->agent == s->agent ? &s->of[e->thread].plain : &s->of[e->thread].bulk;
    return g->waited >= e->time;
}

/* ---- Copies ---- */

/** Lanes that have issued as many copies so far read at once. @return those whose reads are remembered */
static uint32_t read_together(struct actor *me, struct async_state *s, const struct async_event *e)
{
    uint32_t first = (uint32_t)me->warp->index * WARP_LANES, issued = s->of[first + (uint32_t)__builtin_ctz(e->mask)].plain.issued;
    for (uint32_t m = e->mask; m; m &= m - 1)
        if (s->of[first + (uint32_t)__builtin_ctz(m)].plain.issued != issued)
            return 0;
    me->as_time = issued + 1;
    return touch_source(me, &s->piece, &e->from, e->mask);
}

/** What the lane's copy finds where an earlier lane's of this instruction goes, too: that one's bytes, which are not in memory yet.
 *  @return the copy's destination with the bytes in `found`, or as it is */
static struct copy_side behind_lanes(const struct async_event *e, int lane, uint8_t found[COPY_BYTES])
{
    struct copy_side to = e->to;
    int other = lane - 1;
    while (other >= 0 && !((e->mask >> other & 1) && to.address[other] == to.address[lane]))
        other--;
    if (other < 0)
        return to;
    memset(found, 0, COPY_BYTES);
    if (e->from.bytes[other])
        memcpy(found, e->from.host[other], e->from.bytes[other]);
    to.host[lane] = found;
    return to;
}

static void copy(struct race *race, const struct warp *w, const struct async_event *e)
{
    struct actor me = actor_of(race, w, e->insn);
    struct async_state *s = state_of(me.bs);
    uint8_t found[COPY_BYTES];
    open_agent(me.bs, &s->agent, false);
    me.as_agent = s->agent;
    uint32_t read = read_together(&me, s, e);
    for (uint32_t m = e->mask; m; m &= m - 1) {
        actor_set_lane(&me, __builtin_ctz(m));
        me.as_time = ++s->of[me.thread].plain.issued;
        access_copy_writes(me.bs, &e->to, s->agent, me.lane);
        if (!(read >> me.lane & 1))
            touch_side(&me, &s->piece, &e->from, &e->from, TOUCH_READ);
        if (copied_put(&me, &e->to))
            continue;
        struct copy_side to = behind_lanes(e, me.lane, found);
        touch_side(&me, &s->piece, &to, &e->from, TOUCH_WRITE);
    }
}

static void bulk_copy(struct race *race, const struct warp *w, const struct async_event *e)
{
    struct actor me = actor_of(race, w, e->insn);
    struct async_state *s = state_of(me.bs);
    actor_set_lane(&me, __builtin_ctz(e->mask));
    uint32_t reads, writes;
    if (e->grouped) {
        open_agent(me.bs, &s->bulk_reads, true);
        open_agent(me.bs, &s->bulk_writes, true);
        reads = s->bulk_reads, writes = s->bulk_writes;
        s->of[me.thread].bulk.issued += !e->continues;
        me.as_time = s->of[me.thread].bulk.issued;
        if (e->from.space == SPACE_SHARED) {
            s->of[me.thread].from = e->insn;
            s->of[me.thread].from_time = me.as_time;
            s->of[me.thread].from_offset = (uint32_t)e->from.address[me.lane];
        }
    } else {
        if (!e->continues)
            issue_told(me.bs, s, e);
        reads = writes = s->bulk;
        me.as_time = s->bulk_time;
    }
    access_copy_writes(me.bs, &e->to, writes, me.lane);
    me.as_agent = reads;
    touch_side(&me, &s->piece, &e->from, &e->from, TOUCH_READ);
    me.as_agent = writes;
    touch_side(&me, &s->piece, &e->to, &e->from, e->reduces ? TOUCH_UPDATE : TOUCH_WRITE);
}

/** The tensor map of the copy that was issued last: read when that reads its source. */
static void map_read(struct race *race, const struct warp *w, const struct async_event *e)
{
    struct actor me = actor_of(race, w, e->insn);
    struct async_state *s = state_of(me.bs);
    actor_set_lane(&me, __builtin_ctz(e->mask));
    me.as_agent = e->grouped ? s->bulk_reads : s->bulk;
    me.as_time = !me.as_agent ? 0 : e->grouped ? s->of[me.thread].bulk.issued : s->bulk_time;
    touch_side(&me, &s->piece, &e->from, &e->from, TOUCH_MAP);
    map_proxy_check(&me, &s->piece, &e->from);
}

/** Pieces of a matrix, a lane's each. */
static void matrix_read(struct race *race, const struct warp *w, const struct async_event *e)
{
    struct actor me = actor_of(race, w, e->insn);
    struct async_state *s = state_of(me.bs);
    open_agent(me.bs, &s->matrix_reads, true);
    for (int lane = 0; lane < WARP_LANES && !e->continues; lane++)
        s->of[me.warp->index * WARP_LANES + lane].matrix.issued++;
    for (uint32_t m = e->mask; m; m &= m - 1) {
        actor_set_lane(&me, __builtin_ctz(m));
        me.as_agent = s->matrix_reads;
        me.as_time = s->of[me.thread].matrix.issued;
        touch_side(&me, &s->piece, &e->from, &e->from, TOUCH_READ);
    }
}

/** The lane knows that its thread's copies up to `time` are complete. */
static void learn(struct block_state *bs, const struct warp *w, int lane, uint32_t agent, uint32_t time)
{
    uint32_t thread = (uint32_t)(w->index * WARP_LANES + lane);
    struct lane_state *ls = lane_open(&bs->warps[w->index], lane);
    if (!time || !agent)
        return;
    clock_add_key(&knowledge_writable(&ls->extra)->part[KNOW_CAUSAL], agent, clock_thread_key(thread), time);
    ls->learned = bs->race->moment;
}

/** The same of products, and of those of all warps of its group. */
static void learn_products(struct block_state *bs, const struct warp *w, int lane, uint32_t agent, uint32_t time)
{
    struct lane_state *ls = lane_open(&bs->warps[w->index], lane);
    uint32_t first = (uint32_t)w->index / WARPS_OF_GROUP * WARPS_OF_GROUP;
    for (uint32_t i = 0; i < WARPS_OF_GROUP && time && agent; i++)
        clock_add_key(&knowledge_writable(&ls->extra)->part[KNOW_CAUSAL], agent, clock_warp_key(first + i), time);
    if (time && agent)
        ls->learned = bs->race->moment;
}

/** How many of the thread's copies are complete once all its groups but `left` are. */
static uint32_t complete_upto(struct copy_groups *g, uint64_t left)
{
    return left == COPY_WAIT_ALL               ? g->issued
           : (uint64_t)g->ends.count > left ? g->ends.data[g->ends.count - 1 - (int)left]
                                             : g->waited;
}

/** Forgets the groups that are complete. */
static void keep_groups(struct copy_groups *g, uint64_t left)
{
    int keep = left == COPY_WAIT_ALL ? 0 : (uint64_t)g->ends.count > left ? (int)left : g->ends.count;
    if (keep)
        memmove(g->ends.data, g->ends.data + g->ends.count - keep, (size_t)keep * sizeof *g->ends.data);
    g->ends.count = keep;
}

static void wait_for(struct block_state *bs, const struct warp *w, int lane, const struct async_event *e)
{
    struct async_state *s = bs->async;
    struct thread_copies *of = &s->of[w->index * WARP_LANES + lane];
    struct copy_groups *g = e->kind == ASYNC_WAIT ? &of->plain : e->kind == ASYNC_BULK_WAIT ? &of->bulk : &of->matrix;
    uint32_t upto = complete_upto(g, e->left);
    if (e->kind == ASYNC_MATRIX_WAIT) {
        g->waited = upto > g->waited ? upto : g->waited;
        keep_groups(g, e->left);
        learn_products(bs, w, lane, s->matrix_reads, g->waited);
        return;
    }
    if (e->kind == ASYNC_BULK_WAIT) {
        learn(bs, w, lane, s->bulk_reads, upto);
        of->read = upto > of->read ? upto : of->read;
    }
    if (e->reads_only)
        return;
    g->waited = upto > g->waited ? upto : g->waited;
    keep_groups(g, e->left);
    learn(bs, w, lane, e->kind == ASYNC_WAIT ? s->agent : s->bulk_writes, g->waited);
}

/** All that the thread knows now, bulk copies that come after it will see, in the state spaces that the fence is for. */
static void fence_proxy(struct race *race, const struct warp *w, const struct async_event *e, int lane)
{
    struct actor me = actor_of(race, w, e->insn);
    struct vector_clock *causal = NULL;
    actor_set_lane(&me, lane);
    struct snapshot *now = snapshot_take(&me);
    snapshot_join(&causal, now, KNOW_CAUSAL);
    if (e->insn->imm & PROXY_GLOBAL)
        knowledge_join_part(&lane_open(me.ws, lane)->extra, KNOW_PROXY_GLOBAL, causal);
    if (e->insn->imm & PROXY_SHARED)
        knowledge_join_part(&lane_open(me.ws, lane)->extra, KNOW_PROXY_SHARED, causal);
    clock_drop(causal);
    snapshot_drop(now);
    lane_goes_on(me.ws, lane);
}

static void map_fence(struct race *race, const struct warp *w, const struct async_event *e, int lane)
{
    struct actor me = actor_of(race, w, e->insn);
    actor_set_lane(&me, lane);
    if (e->insn->mem.order == ORDER_RELEASE)
        map_proxy_release(&me, (enum mem_scope)e->insn->mem.scope);
    else
        map_proxy_acquire(&me, &state_of(me.bs)->piece, &e->from, (enum mem_scope)e->insn->mem.scope);
}

void race_async(void *self, const struct warp *w, const struct async_event *e)
{
    struct race *race = self;
    struct block_state *bs = w->block->check[race->slot];
    struct async_state *s = state_of(bs);
    if (e->kind == ASYNC_COPY || e->kind == ASYNC_BULK) {
        (e->kind == ASYNC_COPY ? copy : bulk_copy)(race, w, e);
        return;
    }
    if (e->kind == ASYNC_MATRIX || e->kind == ASYNC_MAP) {
        (e->kind == ASYNC_MATRIX ? matrix_read : map_read)(race, w, e);
        return;
    }
    for (uint32_t m = e->mask; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        struct thread_copies *of = &s->of[w->index * WARP_LANES + lane];
        if (e->kind == ASYNC_COMMIT)
            *LIST_PUSH(&of->plain.ends) = of->plain.issued;
        else if (e->kind == ASYNC_MATRIX_COMMIT)
            *LIST_PUSH(&of->matrix.ends) = of->matrix.issued;
        else if (e->kind == ASYNC_BULK_COMMIT)
            *LIST_PUSH(&of->bulk.ends) = of->bulk.issued;
        else if (e->kind == ASYNC_PROXY_FENCE)
            fence_proxy(race, w, e, lane);
        else if (e->kind == ASYNC_MAP_FENCE)
            map_fence(race, w, e, lane);
        else
            wait_for(bs, w, lane, e);
    }
}

/* ---- For mbarriers ---- */

void async_give_copies(const struct actor *me, struct knowledge **to)
{
    uint32_t issued = state_of(me->bs)->of[me->thread].plain.issued;
    if (issued)
        clock_add_key(&knowledge_writable(to)->part[KNOW_CAUSAL], me->bs->async->agent, clock_thread_key(me->thread), issued);
}

void async_act_as_bulk(struct actor *me)
{
    me->as_agent = me->bs->async->bulk;
    me->as_time = me->bs->async->bulk_time;
}

void async_give_bulk(const struct actor *me, struct knowledge **to)
{
    clock_add_key(&knowledge_writable(to)->part[KNOW_CAUSAL], me->as_agent, clock_thread_key(me->thread), me->as_time);
}
