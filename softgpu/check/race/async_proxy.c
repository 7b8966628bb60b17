/**
 * @file async_proxy.c
 * Asynchronous copies, as the model has them (PTX ISA 8.9, 9.7.9.25).
 *
 * A copy is ordered after what its thread did before it, and is no part of that thread afterwards: it is an event of
 * an agent of its own, beside the block. The times of such an agent count each thread's copies, so that a wait
 * for groups, which end in order, is one time. Who has waited for a copy, and whoever comes after that thread, knows
 * that time; nobody else does, not even the thread itself. A bulk copy that tells an mbarrier ends by itself, and has
 * an agent of its own.
 *
 * So is what wgmma reads in shared memory, with groups of its own.
 *
 * Bulk copies and wgmma go through the async proxy: what plain accesses wrote must come to them through a proxy fence.
 */
#include "check/race/async_proxy.h"

#include <assert.h>
#include <stdlib.h>

#include "check/race/accesses.h"
#include "check/race/clusters.h"
#include "check/race/element.h"
#include "check/race/explain.h"
#include "check/race/host.h"
#include "check/race/sync.h"
#include "code/descriptions.h"
#include "execute/finding_place.h"
#include "execute/machine.h"
#include "memory/memory.h"
#include "report/finding.h"
#include "report/reporter.h"

/** One thread's copies of a kind: how many it has issued and waited for, and where its groups end. */
struct copy_groups {
    uint32_t issued, waited;
    LIST(uint32_t) ends;
};

struct async_state {
    uint32_t agent;               /**< of cp.async; 0 = none yet, as below */
    uint32_t bulk_reads, bulk_writes; /**< of bulk groups: their sources are free earlier */
    uint32_t matrix_reads;        /**< of wgmma: its groups are counted apart */
    uint32_t bulk;                /**< of the bulk copy issued last, if it tells an mbarrier */
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
    *LIST_PUSH(&race->agents) =
        (struct agent){.launch = launch, .block = bs->block->index, .copies_of = bs->agent, .bulk = bulk,
                       .cluster = bs->cluster ? bs->cluster->id : 0};
    return agent;
}

static void open_agent(struct block_state *bs, uint32_t *agent, bool bulk)
{
    if (!*agent)
        *agent = new_agent(bs, bulk);
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
    for (uint32_t i = 0; bs->async && i < bs->async->threads; i++)
        check_left(bs, b, i);
    for (uint32_t i = 0; bs->async && i < bs->async->threads; i++) {
        LIST_FREE(&bs->async->of[i].plain.ends);
        LIST_FREE(&bs->async->of[i].bulk.ends);
        LIST_FREE(&bs->async->of[i].matrix.ends);
    }
    if (bs->async)
        free(bs->async->of);
    free(bs->async);
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

/* ---- Pieces of a copy ---- */

/** A plain store that the bulk copy reads, and that only base causality puts before it. */
static void check_proxy(const struct actor *me, const struct mem_access *a, int element)
{
    struct unit unit[16];
    const struct lane_state *ls = actor_lane(me);
    const struct knowledge *know[2] = {me->bs->base, ls ? ls->extra : NULL};
    int n = units_of(me, a, me->lane, element, unit);
    for (int i = 0; i < n; i++) {
        const struct epoch *e = &unit[i].word->write;
        const struct agent *writer = &me->race->agents.data[e->agent];
        if (!e->agent || writer->bulk || writer->launch != me->race->agents.data[me->agent].launch ||
            !epoch_ordered(me, e))
            continue;
        bool fenced = false;
        for (int k = 0; k < 2; k++)
            fenced |= know[k] && clock_covers(me->race, know[k]->part[KNOW_PROXY], e->agent, e->thread, e->time);
        if (fenced)
            continue;
        uint64_t now = newest_value(a, me->lane, element);
        struct conflict_info info = {.conflict = WRITE_THEN_READ, .other = e, .space = (enum ptx_space)a->space,
                                     .address = a->address[me->lane] + (uint64_t)element * me->insn->mem.bytes,
                                     .has_value = true, .now = now, .before = now, .proxy_only = true};
        explain(me, &info);
        return;
    }
}

enum touch { TOUCH_READ, TOUCH_WRITE, TOUCH_UPDATE };

static void touch_element(struct actor *me, struct mem_access *a, int element, enum touch how)
{
    int l = me->lane;
    switch (how) {
    case TOUCH_READ:
        load_element(me, a, element);
        if (me->as_agent && me->race->agents.data[me->as_agent].bulk)
            check_proxy(me, a, element);
        break;
    case TOUCH_WRITE:
        store_element(me, a, element);
        break;
    case TOUCH_UPDATE:
        a->old[0][l] = newest_value(a, l, element);
        a->wrote = a->mask;
        atomic_element(me, a, element, false);
    }
}

/** Elements of one side, of whole words, or of the size that an atomic has, or a byte. */
static void touch(struct actor *me, const struct copy_side *side, const struct copy_side *from, uint32_t at,
                  uint32_t count, enum touch how)
{
    struct mem_access *a = &me->bs->async->piece;
    uint32_t size = me->insn->mem.bytes;
    int l = me->lane;
    a->insn = me->insn;
    a->mask = 1u << l;
    a->space = side->space;
    a->owner = side->owner ? side->owner : me->bs->block;
    a->address[l] = side->address[l] + at;
    a->host[l] = side->host[l] + at;
    a->allocation[l] = side->allocation[l];
    if (!access_is_shared(a))
        return;
    me->home = a->space == SPACE_SHARED ? a->owner->check[me->race->slot] : me->bs;
    if (at == 0)
        clusters_check_begun(me, a);
    for (uint32_t e = 0; e < count; e++) {
        uint32_t begin = at + e * size, left = from->bytes[l] > begin ? from->bytes[l] - begin : 0;
        a->value[e][l] = 0;
        if (left)
            memcpy(&a->value[e][l], from->host[l] + begin, left < size ? left : size);
    }
    host_check_access(me->race, me->warp, a, how != TOUCH_READ);
    for (uint32_t e = 0; e < count; e++)
        touch_element(me, a, (int)e, how);
}

static void touch_side(struct actor *me, const struct copy_side *side, const struct copy_side *from, enum touch how)
{
    const struct insn *whole = me->insn;
    struct insn piece = *side->at;
    uint32_t bytes = side->bytes[me->lane], update = ptx_type_bytes((enum ptx_type)piece.mem.type);
    me->insn = &piece;
    if (how == TOUCH_UPDATE) {
        piece.mem.order = ORDER_RELAXED;
        piece.mem.scope = SCOPE_GPU;
    }
    for (uint32_t at = 0; at < bytes;) {
        bool word = bytes - at >= 4 && !((side->address[me->lane] + at) & 3);
        uint32_t words = (bytes - at) / 4;
        piece.mem.bytes = (uint8_t)(how == TOUCH_UPDATE ? update : word ? 4 : 1);
        piece.mem.count = (uint8_t)(how == TOUCH_UPDATE || !word ? 1 : words < 4 ? words : 4);
        touch(me, side, from, at, piece.mem.count, how);
        at += (uint32_t)piece.mem.bytes * piece.mem.count;
    }
    me->insn = whole;
}

/* ---- Copies ---- */

static void copy(struct race *race, const struct warp *w, const struct async_event *e)
{
    struct actor me = actor_of(race, w, e->insn);
    struct async_state *s = state_of(me.bs);
    open_agent(me.bs, &s->agent, false);
    for (uint32_t m = e->mask; m; m &= m - 1) {
        actor_set_lane(&me, __builtin_ctz(m));
        me.as_agent = s->agent;
        me.as_time = ++s->of[me.thread].plain.issued;
        access_copy_writes(me.bs, &e->to, s->agent, me.lane);
        touch_side(&me, &e->from, &e->from, TOUCH_READ);
        touch_side(&me, &e->to, &e->from, TOUCH_WRITE);
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
            s->bulk = new_agent(me.bs, !e->plain);
        reads = writes = s->bulk;
        me.as_time = 1;
    }
    access_copy_writes(me.bs, &e->to, writes, me.lane);
    me.as_agent = reads;
    touch_side(&me, &e->from, &e->from, TOUCH_READ);
    me.as_agent = writes;
    touch_side(&me, &e->to, &e->from, e->reduces ? TOUCH_UPDATE : TOUCH_WRITE);
}

/** Pieces of a matrix, a lane's each. */
static void matrix_read(struct race *race, const struct warp *w, const struct async_event *e)
{
    struct actor me = actor_of(race, w, e->insn);
    struct async_state *s = state_of(me.bs);
    open_agent(me.bs, &s->matrix_reads, true);
    for (uint32_t m = e->mask; m; m &= m - 1) {
        actor_set_lane(&me, __builtin_ctz(m));
        me.as_agent = s->matrix_reads;
        me.as_time = ++s->of[me.thread].matrix.issued;
        touch_side(&me, &e->from, &e->from, TOUCH_READ);
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
        learn(bs, w, lane, s->matrix_reads, g->waited);
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

/** All that the thread knows now, bulk copies that come after it will see. */
static void fence_proxy(struct race *race, const struct warp *w, const struct async_event *e, int lane)
{
    struct actor me = actor_of(race, w, e->insn);
    struct vector_clock *causal = NULL;
    actor_set_lane(&me, lane);
    struct snapshot *now = snapshot_take(&me);
    snapshot_join(&causal, now, KNOW_CAUSAL);
    knowledge_join_part(&lane_open(me.ws, lane)->extra, KNOW_PROXY, causal);
    clock_drop(causal);
    snapshot_drop(now);
    me.ws->time[lane]++;
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
    if (e->kind == ASYNC_MATRIX) {
        matrix_read(race, w, e);
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
        else
            wait_for(bs, w, lane, e);
    }
}

/* ---- For mbarriers ---- */

void async_give_copies(const struct actor *me, struct knowledge **to)
{
    uint32_t issued = state_of(me->bs)->of[me->thread].plain.issued;
    if (issued)
        clock_add_key(&knowledge_writable(to)->part[KNOW_CAUSAL], me->bs->async->agent, clock_thread_key(me->thread),
                      issued);
}

void async_act_as_bulk(struct actor *me)
{
    me->as_agent = me->bs->async->bulk;
    me->as_time = 1;
}

void async_give_bulk(const struct actor *me, struct knowledge **to)
{
    clock_add_key(&knowledge_writable(to)->part[KNOW_CAUSAL], me->as_agent, clock_thread_key(me->thread), me->as_time);
}
