/**
 * @file watch.c
 * The explorer's hooks: each access becomes an event of the graph, and gets the value, or the place
 * in coherence order, that this run has decided on.
 */
#include <string.h>

#include "check/explore/explore.h"
#include "code/ops.h"
#include "execute/engine.h"

#define SHARED_KEY (1ull << 63)

static struct explorer *explorer_of(void *self)
{
    struct machine *m = self;
    return m->explorer;
}

static void *explore_create(struct machine *m, int slot)
{
    (void)slot;
    return m;
}

static void explore_grid_begin(void *self, struct grid *g)
{
    struct explorer *x = explorer_of(self);
    if (x)
        x->grid = g;
}

/* ---- Locations ---- */

static uint64_t key_of(const struct warp *w, enum ptx_space space, uint64_t address)
{
    return space == SPACE_SHARED ? SHARED_KEY | w->block->index << 32 | address : address;
}

/** Notes who touches a location. When a second thread does, the runs so far have treated it as
 *  private: all begins again. */
static void note_toucher(struct explorer *x, uint64_t key, uint64_t block, uint32_t thread)
{
    for (int i = 0; i < x->known.count; i++) {
        struct known_location *k = &x->known.data[i];
        if (k->key != key)
            continue;
        if (!k->shared && (k->block != block || k->thread != thread)) {
            k->shared = true;
            x->restart = true;
            x->grid->status = GRID_CANCELLED;
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
    for (int i = 0; a->space == SPACE_GLOBAL && i < x->objects.count; i++)
        if (x->objects.data[i].allocation == a->allocation[lane])
            x->objects.data[i].written = true;
}

static bool watched(const struct explorer *x, const struct mem_access *a)
{
    return x && (a->space == SPACE_GLOBAL || a->space == SPACE_SHARED);
}

/** The plan of one lane's access to one element. @return false on overflow */
static bool plan(struct explorer *x, const struct warp *w, const struct mem_access *a, int lane,
                 int element, uint8_t kind, uint64_t initial, struct event_plan *p)
{
    const struct mem_desc *mem = &a->insn->mem;
    uint32_t thread = (uint32_t)(w->index * WARP_LANES + lane);
    uint64_t key = key_of(w, (enum ptx_space)a->space,
                          a->address[lane] + (uint64_t)element * mem->bytes);
    note_toucher(x, key, w->block->index, thread);
    p->kind = kind;
    p->strong = order_is_strong(mem);
    p->order = mem->order;
    p->scope = mem->order == ORDER_VOLATILE || mem->order == ORDER_MMIO ? SCOPE_SYS
               : mem->scope ? mem->scope : SCOPE_GPU;
    p->thread = graph_thread(&x->graph, w->block->index, thread);
    p->location = p->thread < 0 || mem->bytes > 8
                      ? -1 : graph_location(&x->graph, key, mem->bytes, initial);
    if (mem->bytes > 8)
        x->graph.overflow = "accesses of 16 bytes cannot be enumerated";
    if (p->location < 0)
        x->grid->status = GRID_CANCELLED;
    return p->location >= 0;
}

static uint64_t contents(const struct mem_access *a, int lane, int element)
{
    uint64_t v = 0;
    unsigned bytes = a->insn->mem.bytes;
    memcpy(&v, a->host[lane] + (size_t)element * bytes, bytes < 8 ? bytes : 8);
    return v;
}

static void explore_load(void *self, struct warp *w, struct mem_access *a)
{
    struct explorer *x = explorer_of(self);
    int at[GRAPH_EVENTS + 1];
    if (!watched(x, a))
        return;
    for (uint32_t m = a->mask; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        for (int e = 0; e < a->insn->mem.count; e++) {
            struct event_plan p;
            if (!plan(x, w, a, lane, e, EVENT_READ, a->value[e][lane], &p))
                return;
            int n = graph_read_choices(&x->graph, &p, at);
            int position = at[explore_choose(x, n)];
            a->value[e][lane] = graph_value_at(&x->graph, p.location, position);
            graph_add(&x->graph, &p, position, 0);
        }
    }
}

static void explore_store(void *self, struct warp *w, struct mem_access *a)
{
    struct explorer *x = explorer_of(self);
    int at[GRAPH_EVENTS + 1];
    if (!watched(x, a))
        return;
    for (uint32_t m = a->mask; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        note_written(x, a, lane);
        for (int e = 0; e < a->insn->mem.count; e++) {
            struct event_plan p;
            uint64_t before = contents(a, lane, e);
            if (!plan(x, w, a, lane, e, EVENT_WRITE, before, &p))
                return;
            int n = graph_write_choices(&x->graph, &p, at);
            int position = at[explore_choose(x, n)];
            bool last = position == x->graph.locations[p.location].count;
            graph_add(&x->graph, &p, position, a->value[e][lane]);
            if (!last) /* memory holds the last write in coherence order: another one stays */
                a->value[e][lane] = before;
        }
    }
}

static void set_contents(const struct mem_access *a, int lane, uint64_t value)
{
    memcpy(a->host[lane], &value, a->insn->mem.bytes < 8 ? a->insn->mem.bytes : 8);
}

/** Chooses the write that a read-modify-write reads, and puts its value where it will look. Lanes
 *  come one at a time. Whether a compare-and-swap will write shows only afterwards. */
static void explore_atomic_begin(void *self, struct warp *w, struct mem_access *a)
{
    struct explorer *x = explorer_of(self);
    int at[GRAPH_EVENTS + 1], fit = 0;
    if (!watched(x, a))
        return;
    int lane = __builtin_ctz(a->mask);
    uint64_t newest = contents(a, lane, 0);
    struct event_plan p;
    x->rmw.planned = plan(x, w, a, lane, 0, EVENT_RMW, newest, &p);
    if (!x->rmw.planned)
        return;
    int n = graph_read_choices(&x->graph, &p, at);
    for (int i = 0; i < n; i++)
        if (a->insn->mem.atom == ATOM_CAS || graph_rmw_fits(&x->graph, &p, at[i]))
            at[fit++] = at[i];
    x->rmw.plan = p;
    x->rmw.newest = newest;
    x->rmw.position = at[explore_choose(x, fit)];
    set_contents(a, lane, graph_value_at(&x->graph, p.location, x->rmw.position));
}

static void explore_atomic(void *self, struct warp *w, struct mem_access *a)
{
    struct explorer *x = explorer_of(self);
    (void)w;
    if (!watched(x, a) || !x->rmw.planned)
        return;
    int lane = __builtin_ctz(a->mask), position = x->rmw.position;
    bool wrote = a->wrote >> lane & 1;
    if (wrote && !graph_rmw_fits(&x->graph, &x->rmw.plan, position)) {
        x->pruned = true; /* another read-modify-write has read that value: no such execution */
        x->grid->status = GRID_CANCELLED;
        return;
    }
    note_written(x, a, lane);
    x->rmw.plan.kind = wrote ? EVENT_RMW : EVENT_READ;
    bool last = position == x->graph.locations[x->rmw.plan.location].count;
    graph_add(&x->graph, &x->rmw.plan, position, a->value[0][lane]);
    if (!wrote || !last)
        set_contents(a, lane, x->rmw.newest);
}

static void explore_fence(void *self, struct warp *w, const struct insn *in, enum mem_order order,
                          enum mem_scope scope)
{
    struct explorer *x = explorer_of(self);
    (void)in;
    for (uint32_t m = x ? w->mask : 0; m; m &= m - 1) {
        struct event_plan p = {.kind = EVENT_FENCE, .order = (uint8_t)order,
                               .scope = (uint8_t)scope, .strong = true};
        p.thread = graph_thread(&x->graph, w->block->index,
                                (uint32_t)(w->index * WARP_LANES + __builtin_ctz(m)));
        if (p.thread >= 0)
            graph_add(&x->graph, &p, 0, 0);
    }
}

/* ---- Barriers ---- */

static void explore_barrier_arrive(void *self, struct warp *w, const struct insn *in, int barrier,
                                   enum barrier_kind kind)
{
    struct explorer *x = explorer_of(self);
    (void)in;
    for (uint32_t m = x ? w->mask : 0; m; m &= m - 1) {
        uint32_t thread = (uint32_t)(w->index * WARP_LANES + __builtin_ctz(m));
        int number = graph_thread(&x->graph, w->block->index, thread);
        if (number >= 0)
            *LIST_PUSH(&x->parties) = (struct barrier_party){
                .block = w->block->index, .barrier = barrier, .thread = number,
                .waits = kind != BARRIER_ARRIVE};
    }
}

static void explore_barrier_complete(void *self, struct block *b, int barrier)
{
    struct explorer *x = explorer_of(self);
    int givers[GRAPH_THREADS], takers[GRAPH_THREADS], give = 0, take = 0, kept = 0;
    for (int i = 0; x && i < x->parties.count; i++) {
        struct barrier_party p = x->parties.data[i];
        if (p.block != b->index || p.barrier != barrier || give == GRAPH_THREADS) {
            x->parties.data[kept++] = p;
            continue;
        }
        givers[give++] = p.thread;
        if (p.waits)
            takers[take++] = p.thread;
    }
    if (!x)
        return;
    x->parties.count = kept;
    graph_join(&x->graph, givers, give, takers, take);
}

static void explore_warp_sync(void *self, struct warp *w, const struct insn *in, uint32_t members)
{
    struct explorer *x = explorer_of(self);
    int threads[WARP_LANES], n = 0;
    (void)in;
    for (uint32_t m = x ? members : 0; m; m &= m - 1) {
        threads[n] = graph_thread(&x->graph, w->block->index,
                                  (uint32_t)(w->index * WARP_LANES + __builtin_ctz(m)));
        n += threads[n] >= 0;
    }
    if (x)
        graph_join(&x->graph, threads, n, threads, n);
}

/* ---- What the schedule asks ---- */

/** The state space of an access, and its key, before it is executed. */
static bool next_key(const struct warp *w, const struct group *g, uint64_t *key)
{
    const struct insn *in = g->pc;
    int lane = __builtin_ctz(g->mask);
    const uint8_t *base = in->src[0] & CONST_BIT ? w->constants + (in->src[0] & ~CONST_BIT)
                                                 : w->file + g->frame + in->src[0];
    uint64_t address = (uint64_t)in->offset;
    if (in->mem.address_bytes == 4)
        address += ((const uint32_t *)base)[lane];
    else if (in->mem.address_bytes == 8)
        address += ((const uint64_t *)base)[lane];
    uint8_t space = in->mem.space;
    if (space == SPACE_GENERIC) {
        space = address - SHARED_WINDOW < SHARED_WINDOW_BYTES  ? SPACE_SHARED
                : address - LOCAL_WINDOW < LOCAL_WINDOW_BYTES ? SPACE_LOCAL
                                                               : SPACE_GLOBAL;
        if (space == SPACE_SHARED)
            address -= SHARED_WINDOW;
    }
    if (space != SPACE_GLOBAL && space != SPACE_SHARED)
        return false;
    *key = key_of(w, (enum ptx_space)space, address);
    return true;
}

bool explore_visible(struct explorer *x, const struct warp *w, const struct group *g)
{
    const struct insn *in = g->pc;
    uint64_t key;
    if (insn_class(in) == INSN_FENCE)
        return true;
    if (!insn_is_memory(in) || !next_key(w, g, &key))
        return false;
    for (int e = 0; e < in->mem.count; e++)
        if (is_shared(x, key + (uint64_t)e * in->mem.bytes))
            return true;
    return false;
}

const struct observer explore_observer = {
    .name = "explore",
    .create = explore_create,
    .grid_begin = explore_grid_begin,
    .load = explore_load,
    .store = explore_store,
    .atomic_begin = explore_atomic_begin,
    .atomic = explore_atomic,
    .fence = explore_fence,
    .barrier_arrive = explore_barrier_arrive,
    .barrier_complete = explore_barrier_complete,
    .warp_sync = explore_warp_sync,
};
