/**
 * @file events.c
 * From a run to the graph. As chooser, the explorer makes each access an event and gives it the value, or
 * the place in coherence order, that this run has decided on; as observer, it sees fences and barriers.
 */
#include <string.h>

#include "base/mix.h"
#include "code/ops.h"
#include "execute/async_copy.h"
#include "execute/chooser.h"
#include "execute/grid.h"
#include "rerun/explore/explore.h"
#include "rerun/explore/place_key.h"

/* ---- Locations ---- */

/** Notes who touches a location. When a second thread does, the runs so far have treated it as
 *  private: all begins again (x->restart). */
static void note_toucher(struct explorer *x, uint64_t key, uint64_t block, uint32_t thread)
{
    for (int i = 0; i < x->known.count; i++) {
        struct known_location *k = &x->known.data[i];
        if (k->key != key)
            continue;
        if (!k->shared && (k->block != block || k->thread != thread)) {
            k->shared = true;
            x->restart = true;
        }
        return;
    }
    *LIST_PUSH(&x->known) = (struct known_location){.key = key, .block = block, .thread = thread};
}

static bool is_shared(const struct explorer *x, uint64_t key)
{
    for (int i = 0; i < x->known.count; i++)
        if (x->known.data[i].key == key)
            return x->known.data[i].shared;
    return false;
}

static void note_written(struct explorer *x, const struct mem_access *a, int lane)
{
    if (a->space == SPACE_GLOBAL)
        outcomes_note_written(&x->outcomes, a->allocation[lane], a->address[lane] - a->allocation[lane]->base,
                              (uint64_t)a->insn->mem.bytes * a->insn->mem.count);
}

/** The plan of one lane's access to one element. @return false on overflow: the run is of no use */
static bool plan(struct explorer *x, const struct warp *w, const struct mem_access *a, int lane,
                 int element, uint8_t kind, uint64_t initial, struct event_plan *p)
{
    const struct mem_desc *mem = &a->insn->mem;
    uint32_t thread = (uint32_t)(w->index * WARP_LANES + lane);
    uint64_t key = place_key(a->owner ? a->owner : w->block, (enum ptx_space)a->space,
                             a->address[lane] + (uint64_t)element * mem->bytes);
    note_toucher(x, key, w->block->index, thread);
    p->kind = kind;
    p->strong = order_is_strong(mem);
    p->order = mem->order;
    p->scope = order_scope(mem);
    p->thread = graph_thread(&x->graph, w->block->index, thread);
    p->location = p->thread < 0 || mem->bytes > 8
                      ? -1 : graph_location(&x->graph, key, mem->bytes, initial);
    if (mem->bytes > 8)
        x->graph.overflow = INCOMPLETE_WIDE;
    return p->location >= 0;
}

static uint64_t contents(const struct mem_access *a, int lane, int element)
{
    uint64_t v = 0;
    unsigned bytes = a->insn->mem.bytes;
    memcpy(&v, a->host[lane] + (size_t)element * bytes, bytes < 8 ? bytes : 8);
    return v;
}

static bool explore_load(void *self, const struct warp *w, struct mem_access *a)
{
    struct explorer *x = self;
    int at[GRAPH_EVENTS + 1];
    for (uint32_t m = access_is_shared(a) ? a->mask : 0; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        for (int e = 0; e < a->insn->mem.count; e++) {
            struct event_plan p;
            if (!plan(x, w, a, lane, e, EVENT_READ, a->value[e][lane], &p))
                return false;
            int n = graph_read_choices(&x->graph, &p, at);
            int position = at[explore_choose(x, n)];
            if (a->insn->mem.order == ORDER_NC && x->graph.locations[p.location].count)
                x->incomplete = INCOMPLETE_NC;
            a->value[e][lane] = graph_value_at(&x->graph, p.location, position);
            if (position != x->graph.locations[p.location].count)
                a->older[e] |= 1u << lane;
            graph_add(&x->graph, &p, position, 0);
        }
    }
    return !x->restart;
}

static bool explore_store(void *self, const struct warp *w, const struct mem_access *a,
                          uint32_t hidden[MAX_ELEMENTS])
{
    struct explorer *x = self;
    int at[GRAPH_EVENTS + 1];
    for (uint32_t m = access_is_shared(a) ? a->mask : 0; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        note_written(x, a, lane);
        for (int e = 0; e < a->insn->mem.count; e++) {
            struct event_plan p;
            if (!plan(x, w, a, lane, e, EVENT_WRITE, contents(a, lane, e), &p))
                return false;
            int n = graph_write_choices(&x->graph, &p, at);
            int position = at[explore_choose(x, n)];
            if (position != x->graph.locations[p.location].count)
                hidden[e] |= 1u << lane; /* memory holds the last write in coherence order */
            graph_add(&x->graph, &p, position, a->value[e][lane]);
        }
    }
    return !x->restart;
}

/** Chooses the write that a read-modify-write reads. Whether a compare-and-swap will write shows only
 *  afterwards. */
static bool explore_rmw_read(void *self, const struct warp *w, const struct element_of_access *which,
                             uint64_t *value)
{
    struct explorer *x = self;
    const struct mem_access *a = which->access;
    int at[GRAPH_EVENTS + 1], fit = 0;
    struct event_plan p;
    x->rmw.planned = false;
    if (!access_is_shared(a))
        return true;
    if (!plan(x, w, a, which->lane, which->element, EVENT_RMW, *value, &p))
        return false;
    int n = graph_read_choices(&x->graph, &p, at);
    for (int i = 0; i < n; i++)
        if (a->insn->mem.atom == ATOM_CAS || graph_rmw_fits(&x->graph, &p, at[i]))
            at[fit++] = at[i];
    x->rmw.planned = true;
    x->rmw.plan = p;
    x->rmw.position = at[explore_choose(x, fit)];
    *value = graph_value_at(&x->graph, p.location, x->rmw.position);
    return !x->restart;
}

static bool explore_rmw_write(void *self, const struct warp *w, const struct element_of_access *which,
                              bool wrote, uint64_t value, bool *stays)
{
    struct explorer *x = self;
    int position = x->rmw.position;
    (void)w;
    if (!x->rmw.planned)
        return true;
    if (wrote && !graph_rmw_fits(&x->graph, &x->rmw.plan, position)) {
        x->pruned = true; /* another read-modify-write has read that value: no such execution */
        return false;
    }
    note_written(x, which->access, which->lane);
    x->rmw.plan.kind = wrote ? EVENT_RMW : EVENT_READ;
    *stays = position == x->graph.locations[x->rmw.plan.location].count;
    graph_add(&x->graph, &x->rmw.plan, position, value);
    return true;
}

/* ---- Fences ---- */

static void explore_fence(void *self, const struct warp *w, const struct insn *in, enum mem_order order,
                          enum mem_scope scope)
{
    struct explorer *x = self;
    (void)in;
    for (uint32_t m = w->mask; m; m &= m - 1) {
        struct event_plan p = {.kind = EVENT_FENCE, .order = (uint8_t)order,
                               .scope = (uint8_t)scope, .strong = true};
        p.thread = graph_thread(&x->graph, w->block->index,
                                (uint32_t)(w->index * WARP_LANES + __builtin_ctz(m)));
        if (p.thread >= 0)
            graph_add(&x->graph, &p, 0, 0);
    }
}

/* ---- Barriers ---- */

static void explore_barrier_arrive(void *self, const struct warp *w, const struct insn *in, int barrier,
                                   enum barrier_kind kind)
{
    struct explorer *x = self;
    (void)in;
    for (uint32_t m = w->mask; m; m &= m - 1) {
        uint32_t thread = (uint32_t)(w->index * WARP_LANES + __builtin_ctz(m));
        int number = graph_thread(&x->graph, w->block->index, thread);
        if (number >= 0)
            *LIST_PUSH(&x->parties) = (struct barrier_party){
                .block = w->block->index, .barrier = barrier, .thread = number,
                .waits = kind != BARRIER_ARRIVE};
    }
}

static void explore_barrier_complete(void *self, const struct block *b, int barrier)
{
    struct explorer *x = self;
    int givers[GRAPH_THREADS], takers[GRAPH_THREADS], give = 0, take = 0, kept = 0;
    for (int i = 0; i < x->parties.count; i++) {
        struct barrier_party p = x->parties.data[i];
        if (p.block != b->index || p.barrier != barrier || give == GRAPH_THREADS) {
            x->parties.data[kept++] = p;
            continue;
        }
        givers[give++] = p.thread;
        if (p.waits)
            takers[take++] = p.thread;
    }
    x->parties.count = kept;
    graph_join(&x->graph, givers, give, takers, take);
}

static void explore_warp_sync(void *self, const struct warp *w, const struct insn *in, uint32_t members)
{
    struct explorer *x = self;
    int threads[WARP_LANES], n = 0;
    (void)in;
    for (uint32_t m = members; m; m &= m - 1) {
        threads[n] = graph_thread(&x->graph, w->block->index,
                                  (uint32_t)(w->index * WARP_LANES + __builtin_ctz(m)));
        n += threads[n] >= 0;
    }
    graph_join(&x->graph, threads, n, threads, n);
}

/* ---- What the schedule asks ---- */

static uint64_t number_of(const struct warp *w, uint32_t mask)
{
    return w->block->index << 16 | (uint64_t)(w->index * WARP_LANES + __builtin_ctz(mask));
}

/** What is not in the graph but makes a state another one: an operation of these lanes. */
static void note_beside(struct explorer *x, const struct warp *w)
{
    if (x->incomplete != INCOMPLETE_NC) /* which says more */
        x->incomplete = INCOMPLETE_ASYNC;
    for (uint32_t m = w->mask; m; m &= m - 1)
        x->beside += mix64(number_of(w, m));
}

static bool is_visible(struct explorer *x, const struct warp *w, const struct group *g)
{
    const struct insn *in = g->pc;
    uint64_t key;
    if (insn_class(in) == INSN_IMAGE) {
        x->incomplete = INCOMPLETE_TEXTURES;
        return true;
    }
    if (insn_class(in) == INSN_FENCE || insn_class(in) == INSN_COPY || insn_class(in) == INSN_MBARRIER ||
        insn_class(in) == INSN_TENSOR)
        return true;
    if (insn_is_memory(in) && w->block->grid->cluster_blocks > 1)
        return true; /* it may go to another block's shared memory */
    if (!insn_is_memory(in) || !place_key_next(w, g, &key))
        return false;
    for (int e = 0; e < in->mem.count; e++)
        if (is_shared(x, key + (uint64_t)e * in->mem.bytes))
            return true;
    return false;
}

/** A lane that does nothing which others notice has so many turns, and the run ends: it may wait for ever. */
#define MAX_TURNS 1000000

/** Where lanes stand at such instructions is a part of the state, too: not all of these are in the graph. */
static bool explore_visible(void *self, const struct warp *w, const struct group *g)
{
    struct explorer *x = self;
    bool visible = is_visible(x, w, g);
    x->standing = visible ? x->standing + mix_in(mix64(number_of(w, g->mask)), (uint64_t)(uintptr_t)g->pc) : 0;
    if (++x->turns <= MAX_TURNS)
        return visible;
    x->graph.overflow = INCOMPLETE_LONG;
    return true;
}

static int explore_next_group(void *self, int count, bool more)
{
    struct explorer *x = self;
    if (more)
        x->incomplete = INCOMPLETE_THREADS;
    return x->turns > MAX_TURNS ? -1 : explore_schedule(x, count);
}

const struct chooser explore_chooser = {
    .name = "explorer",
    .load = explore_load,
    .store = explore_store,
    .rmw_read = explore_rmw_read,
    .rmw_write = explore_rmw_write,
    .visible = explore_visible,
    .next = explore_next_group,
};

/** Their order is not in the graph. */
static void explore_async(void *self, const struct warp *w, const struct async_event *e)
{
    struct explorer *x = self;
    (void)e;
    note_beside(x, w);
}

static void explore_mbarrier(void *self, const struct warp *w, const struct mbarrier_event *e)
{
    struct explorer *x = self;
    if (e->kind != MBARRIER_WAIT)
        note_beside(x, w);
}

const struct observer explore_observer = {
    .name = "explorer",
    .fence = explore_fence,
    .barrier_arrive = explore_barrier_arrive,
    .barrier_complete = explore_barrier_complete,
    .warp_sync = explore_warp_sync,
    .async = explore_async,
    .mbarrier = explore_mbarrier,
};
