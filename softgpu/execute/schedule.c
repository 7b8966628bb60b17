/**
 * @file schedule.c
 * The order in which resident blocks, warps and groups of lanes take turns.
 *
 *   natural  blocks in order, each to its end unless it waits or spins, or has come through a wait and is about to signal; cache-friendly
 *   random   every turn a random ready warp of a random resident block, for a random number of instructions (most turns short, some long), a
 *            random group of its lanes, sometimes only a part of it
 *   fine     random, with a new turn before half of all strong accesses and fences: for short launches
 *   pct      the ready warp of highest priority runs until it waits or spins; priorities are random, and fall at random points (Burckhardt et al., ASPLOS 2010)
 *   backward  the last warp of the last block (of the last kernel) first, each until it waits or spins; the same for every seed. With
 *            natural, of any two threads each comes first once; also where a ticket says who is first
 *   patient  in backward order, or in that of the blocks: each until it waits, or has polled 4,096 times and not four, so that loops
 *            which give up do. Behind a barrier it is the first by number that goes on, not the last to come
 *   strict   in the same orders, and whoever is first by number goes on before anybody else's next atomic or strong store as soon as it can. Which
 *            number a thread draws by an atomic is then the first block's to choose, or the last one's, though that had to wait in between. Or a
 *            block that is named comes last
 *
 *   in step  in the same orders, each warp one strong access, or fence, in its turn: warps of the same way go in step
 *
 * All but natural, patient and strict also take turns between two atomics of a warp; backward also between two strong stores, so that who waits for the
 * first comes on before the second: of a warp's first 64, then of every sixteenth.
 *
 * All draw on nothing but the seed and what has run before: a seed replays.
 */
#include "analyse/flow.h"
#include "analyse/polls.h"
#include "base/mix.h"
#include "execute/engine.h"
#include "execute/grid_run.h"
#include "execute/schedule.h"
#include "execute/warp_run.h"
#include "execute/worker.h"

#include <stddef.h>

#define PCT_WINDOW 32
/** Acts of a warp between which, in backward order, all others have their turn; of later ones, every so many. */
#define ALL_GIVE_WAY 64
#define THEN_EVERY 16
#define BACKWARD_WINDOW 512
/** Change points lie up to 2^18 instructions apart. */
#define PCT_LENGTH_BITS 18
/** More than a block has warps: the last block's are below all others' that have not spun. */
#define WARPS_OF_LAST 64
/** So many priorities are kept for warps that have drawn a ticket. */
#define PARKED_PRIORITIES (1ll << 32)

static uint64_t mix(uint64_t x)
{
    return mix64(x + MIX_STEP);
}

uint64_t schedule_random(struct machine *m)
{
    m->random += MIX_STEP;
    return mix(m->random);
}

int schedule_group(struct machine *m, int count)
{
    return (int)(schedule_random(m) % (uint64_t)count);
}

static bool natural_pick(struct machine *m, struct turn *t)
{
    int count = m->residents.count - m->first_resident;
    for (int i = 0; i < count; i++) {
        if (m->cursor >= m->residents.count)
            m->cursor = m->first_resident;
        if (!m->residents.data[m->cursor].stuck) {
            *t = (struct turn){.resident = m->cursor, .warp = -1};
            return true;
        }
        m->cursor++;
    }
    return false;
}

/** A ready warp of the block, `nth` (counted around) among them; -1 if there is none. */
static int ready_warp(const struct resident *r, uint64_t draw)
{
    if (!r->block)
        return (int)(draw % r->run->grid.warps_per_block);
    int ready = 0;
    for (int i = 0; i < r->block->warp_count; i++)
        ready += r->block->warps[i].live && warp_ready(&r->block->warps[i]);
    if (!ready)
        return -1;
    int nth = (int)(draw % (uint64_t)ready);
    for (int i = 0; i < r->block->warp_count; i++)
        if (r->block->warps[i].live && warp_ready(&r->block->warps[i]) && nth-- == 0)
            return i;
    return -1;
}

static bool random_pick(struct machine *m, struct turn *t)
{
    int count = m->residents.count - m->first_resident;
    if (count == 0)
        return false;
    uint64_t at = schedule_random(m) % (uint64_t)count;
    for (int i = 0; i < count; i++) {
        int resident = m->first_resident + (int)((at + (uint64_t)i) % (uint64_t)count);
        struct resident *r = &m->residents.data[resident];
        int warp = r->stuck ? -1 : ready_warp(r, schedule_random(m));
        if (warp < 0)
            continue;
        int64_t quantum = (int64_t)1 << schedule_random(m) % 12;
        *t = (struct turn){.resident = resident, .warp = warp, .quantum = quantum};
        return true;
    }
    return false;
}

/** How many operations after the first of those that run at once its kernel was issued. */
static uint64_t later_kernel(const struct resident *r)
{
    const struct grid_config *config = &r->run->grid.config;
    return config->together ? (config->op - config->together) & 0x3ffff : 0;
}

/** Does who comes first follow from the numbers of blocks and warps? */
static bool by_number(const struct machine *m)
{
    return m->schedule == SCHEDULE_BACKWARD || m->schedule == SCHEDULE_PATIENT || m->schedule == SCHEDULE_STRICT ||
           m->schedule == SCHEDULE_IN_STEP;
}

static int64_t initial_priority(const struct machine *m, const struct resident *r, int warp)
{
    if (m->schedule == SCHEDULE_STRICT && m->schedule_seed == STRICT_LAST + r->index)
        return WARPS_OF_LAST - warp;
    if (by_number(m)) {
        int64_t backward = (int64_t)(later_kernel(r) << 44 | r->index << 8 | (uint64_t)warp) + 1;
        return m->schedule != SCHEDULE_BACKWARD && m->schedule_seed ? INT64_MAX - backward : backward;
    }
    uint64_t key = mix(m->schedule_seed ^ mix(r->run->number)) ^ r->index << 8 ^ (uint64_t)warp;
    return (int64_t)(mix(key) >> 2) + 1;
}

/** The warp of highest priority in the block; its priority in `best`. */
static int pct_warp(const struct machine *m, struct resident *r, int64_t *best)
{
    int chosen = -1;
    int count = (int)r->run->grid.warps_per_block;
    for (int i = 0; i < count; i++) {
        struct warp *w = r->block ? &r->block->warps[i] : NULL;
        if (w && (!w->live || !warp_ready(w)))
            continue;
        if (w && w->priority == 0)
            w->priority = initial_priority(m, r, i);
        int64_t priority = w ? w->priority : initial_priority(m, r, i);
        if (chosen < 0 || priority > *best) {
            chosen = i;
            *best = priority;
        }
    }
    return chosen;
}

/** Draws when the running warp's priority falls next: soon or late with equal probability. */
static void draw_change_point(struct machine *m)
{
    if (by_number(m)) {
        m->change_at = INT64_MAX;
        return;
    }
    uint64_t bits = schedule_random(m) % PCT_LENGTH_BITS;
    m->change_at = m->clock + 1 + (schedule_random(m) & ((2ull << bits) - 1));
}

/** Ranks a resident block's warps anew if it has run since it was ranked. */
static void pct_rank(const struct machine *m, struct resident *r)
{
    if (r->ranked)
        return;
    r->priority = INT64_MIN;
    r->best = r->stuck ? -1 : pct_warp(m, r, &r->priority);
    r->ranked = true;
}

static bool pct_pick(struct machine *m, struct turn *t)
{
    int seen = 0, chosen = -1, window = by_number(m) ? BACKWARD_WINDOW : PCT_WINDOW;
    for (int i = m->first_resident; i < m->residents.count && seen < window; i++) {
        struct resident *r = &m->residents.data[i];
        pct_rank(m, r);
        if (r->best < 0)
            continue;
        seen++;
        if (chosen < 0 || r->priority > m->residents.data[chosen].priority)
            chosen = i;
    }
    if (chosen < 0)
        return false;
    if (m->change_at <= m->clock)
        draw_change_point(m);
    *t = (struct turn){.resident = chosen, .warp = m->residents.data[chosen].best,
                       .quantum = (int64_t)(m->change_at - m->clock)};
    m->residents.data[chosen].ranked = false;
    return true;
}

/* ---- Strict order ---- */

/** Those that have spun are below all others, until somebody has come on. */
static void strict_come_on(struct machine *m)
{
    for (int i = m->first_resident; i < m->residents.count && m->lowest_priority < -1; i++) {
        struct resident *r = &m->residents.data[i];
        for (int j = 0; r->block && j < r->block->warp_count; j++)
            if (r->block->warps[j].priority < 0)
                r->block->warps[j].priority = 0, r->ranked = false;
    }
    m->lowest_priority = -1;
}

/** Can a warp of higher priority run, and would it be taken? Of the blocks that pct_pick() does not look at, itself among those it does, nobody would: who waited for one would wait for ever. */
static bool strict_is_behind(struct machine *m, const struct warp *w)
{
    bool behind = false;
    for (int i = m->first_resident, seen = 0; i < m->residents.count && seen < BACKWARD_WINDOW - 1 && !behind; i++) {
        struct resident *r = &m->residents.data[i];
        pct_rank(m, r);
        seen += r->best >= 0;
        behind = r->best >= 0 && r->priority > w->priority;
        r->ranked &= r->block != w->block;
    }
    return behind;
}

/** Before an atomic or a strong store: does somebody else come first, now or perhaps by what the warp has just done? A poll has done nothing. */
static bool strict_preempts(struct machine *m, struct warp *w)
{
    bool acted = w->acted && !w->awaits.times && m->lowest_priority < -1;
    w->acted = !acted;
    w->preempted |= acted || strict_is_behind(m, w);
    if (acted)
        strict_come_on(m);
    return w->preempted;
}

/** A warp that spins, or runs at a change point, falls below all others. A block whose warps all spin makes room in the window for one that has not run yet. */
static void pct_done(struct machine *m, const struct turn *t, bool spun)
{
    struct resident *r = &m->residents.data[t->resident];
    struct warp *w = &r->block->warps[t->warp];
    if (m->schedule == SCHEDULE_STRICT && !spun && !w->preempted) /* it has come to a barrier, or its end */
        strict_come_on(m);
    if (m->parks) {
        m->parks = w->acted = false;
        w->priority = m->next_parked++;
        return;
    }
    if (!spun && m->clock < m->change_at) {
        w->acted &= m->schedule != SCHEDULE_IN_STEP; /* it waits at a barrier, and has its next access when that opens */
        return;
    }
    w->acted = false;
    w->priority = m->lowest_priority--;
    int beyond = m->residents.count - m->first_resident - PCT_WINDOW;
    if (spun && beyond > 0) {
        int other = m->first_resident + PCT_WINDOW + (int)(schedule_random(m) % (uint64_t)beyond);
        struct resident swap = *r;
        *r = m->residents.data[other];
        m->residents.data[other] = swap;
    }
}

/* ---- Natural order ---- */

/** A barrier's word says that all have come, and with the next atomic that somebody has come to the next barrier. Who looks only then has heard of all that lies
 *  between, by chance. So who has come through a wait, and sees others who wait for the same, lets them look before it writes anything by which they would hear of it. */
static bool natural_preempts(struct warp *w, const struct insn *in)
{
    uint64_t address = w->through.address;
    if (!w->through.poll || w->through.poll == in)
        return false;
    w->through.poll = NULL;
    bool stops = schedule_lets_go(warp_machine(w), w, address);
    w->preempted |= stops;
    return stops;
}

void schedule_looked(struct warp *w, const struct insn *in, bool left_it)
{
    if (warp_machine(w)->schedule != SCHEDULE_NATURAL)
        return;
    const struct function *f = w->block->grid->config.kernel;
    if (!flow_holds(f, in)) /* a module may have hundreds */
        f = image_function_at(f->image, in);
    if (!left_it) /* a lock that it has got is no wait that it has come through */
        w->through.poll = NULL;
    else if (w->through.poll == in || load_polls(f, in))
        w->through = (struct warp_through){in, w->awaits.address};
}

/** Of n threads that all try for one word until they get it each would try n times, if all others came between two tries for ever: n * n tries in all. */
static bool gives_way(struct warp *w)
{
    w->gave_way = w->gave_way < ALL_GIVE_WAY + THEN_EVERY ? w->gave_way + 1 : ALL_GIVE_WAY + 1;
    return w->gave_way <= ALL_GIVE_WAY || w->gave_way == ALL_GIVE_WAY + THEN_EVERY;
}

/**
 * Between two atomics of a thread others may come: what decides by one and acts by another is wrong. Turns are long beside the few instructions that lie
 * between, so half of the second atomics begin a new one. Drawn from the turn, not from the generator, so that nothing else is drawn otherwise. From the last to the
 * first it does not matter how many turns lie between them: one that ends at a barrier lets the others of the block come on, and perhaps nobody who waits elsewhere.
 */
bool schedule_preempts(struct warp *w, const struct insn *in)
{
    struct machine *m = warp_machine(w);
    if (machine_has_found(m))
        return w->preempted = true;
    if (m->schedule == SCHEDULE_NATURAL)
        return natural_preempts(w, in);
    if (m->schedule == SCHEDULE_STRICT)
        return strict_preempts(m, w);
    if (m->schedule == SCHEDULE_BACKWARD || m->schedule == SCHEDULE_IN_STEP) {
        if (m->schedule_seed == BACKWARD_UNDRAWN && in && in->dst != REG_NONE && in->mem.space == SPACE_GLOBAL && schedule_parks(w))
            return true;
        if (m->schedule == SCHEDULE_BACKWARD && w->acted && !gives_way(w))
            return w->preempted;
        w->preempted |= w->acted;
        m->change_at = w->acted ? 0 : m->change_at;
        w->acted = true;
        return w->preempted;
    }
    if (m->schedule == SCHEDULE_CHOSEN || m->schedule == SCHEDULE_PATIENT || w->turn_atomics++ == 0)
        return false;
    w->preempted = mix(m->schedule_seed ^ mix(w->worker->turn_clock) ^ w->turn_atomics) & 1 && gives_way(w);
    if (w->preempted && m->schedule != SCHEDULE_RANDOM && m->schedule != SCHEDULE_FINE)
        m->change_at = 0; /* a change point: the others first */
    return w->preempted;
}

bool schedule_preempts_store(struct warp *w, const struct insn *in)
{
    enum schedule_kind kind = warp_machine(w)->schedule;
    return (machine_has_found(warp_machine(w)) || kind == SCHEDULE_NATURAL || kind == SCHEDULE_FINE || kind == SCHEDULE_BACKWARD || kind == SCHEDULE_STRICT || kind == SCHEDULE_IN_STEP) && schedule_preempts(w, in);
}

bool schedule_preempts_finely(struct warp *w)
{
    const struct machine *m = warp_machine(w);
    return (m->schedule == SCHEDULE_FINE || m->schedule == SCHEDULE_IN_STEP || machine_has_found(m)) && schedule_preempts(w, NULL);
}

void schedule_barrier_open(struct warp *w)
{
    w->preempted |= warp_machine(w)->schedule == SCHEDULE_PATIENT;
}

/** What a thread gets from its first atomic often says whose turn it is. In backward order it stops there until all others have drawn theirs (BACKWARD_UNDRAWN:
 *  come to theirs), and whoever came last goes on first: nobody with a lower number has done anything yet. */
bool schedule_parks(struct warp *w)
{
    struct machine *m = warp_machine(w);
    if (m->schedule != SCHEDULE_BACKWARD || w->parked)
        return false;
    if (!m->next_parked) {
        m->next_parked = m->lowest_priority - PARKED_PRIORITIES;
        m->lowest_priority = m->next_parked - 1;
    }
    m->parks = w->parked = w->preempted = true;
    m->change_at = 0;
    return true;
}

bool machine_has_parked(const struct machine *m)
{
    return m->next_parked != 0;
}

bool schedule_pick(struct machine *m, struct turn *t)
{
    switch (m->schedule) {
    case SCHEDULE_RANDOM:
    case SCHEDULE_FINE:
        return random_pick(m, t);
    case SCHEDULE_PCT:
    case SCHEDULE_BACKWARD:
    case SCHEDULE_PATIENT:
    case SCHEDULE_STRICT:
    case SCHEDULE_IN_STEP:
        return pct_pick(m, t);
    case SCHEDULE_CHOSEN:
        return chosen_pick(m, t);
    default:
        return natural_pick(m, t);
    }
}

void schedule_done(struct machine *m, const struct turn *t, bool spun)
{
    if (m->schedule == SCHEDULE_PCT || by_number(m))
        pct_done(m, t, spun);
    else if (m->schedule == SCHEDULE_NATURAL)
        m->cursor++; /* the block waits or spins: the next one's turn */
}
