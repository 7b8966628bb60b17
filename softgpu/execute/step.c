/**
 * @file step.c
 * machine_step(): blocks become resident, take their turns, and end.
 *
 * Blocks are placed on SMs in order, grid after grid, as long as the device model has room. Which
 * of the resident ones runs is the schedule's choice; a resident block costs nothing until it
 * first runs, so that a device may be full of blocks without as many register files.
 */
#include "base/host_memory.h"
#include "execute/block.h"
#include "execute/cluster.h"
#include "execute/engine.h"
#include "execute/fault.h"
#include "execute/grid_run.h"
#include "execute/grid_life.h"
#include "execute/nested.h"
#include "execute/quiet_global.h"
#include "execute/schedule.h"
#include "execute/sm_part.h"
#include "execute/warp_run.h"
#include "execute/worker.h"

#include <assert.h>
#include <string.h>

static bool sm_has_room(const struct device_model *d, const struct sm_use *use,
                        const struct sm_use *need)
{
    return use->threads + need->threads <= d->max_threads_per_sm &&
           use->blocks + 1 <= d->max_blocks_per_sm &&
           use->registers + need->registers <= d->registers_per_sm &&
           use->shared + need->shared <= d->shared_per_sm;
}

static void sm_add(struct sm_use *use, const struct sm_use *need, int sign)
{
    use->threads += sign * need->threads;
    use->blocks += sign * need->blocks;
    use->registers += sign * need->registers;
    use->shared += sign * need->shared;
}

/** Some SM of the device, or of the grid's part of it, with room, looked for from where its last block went; -1 if all are full. */
static int find_sm(struct machine *m, const struct grid_config *config, const struct sm_use *need)
{
    const struct device_model *d = m->options.device;
    int device = config->device;
    for (int i = 0; i < d->sms; i++) {
        int sm = (m->next_sm[device] + i) % d->sms;
        if (sm_part_has(config->part, sm) && sm_has_room(d, &m->sms[device * d->sms + sm], need)) {
            m->next_sm[device] = (sm + 1) % d->sms;
            return device * d->sms + sm;
        }
    }
    return -1;
}

/** Where the next block of a grid without clusters goes, or -1. Once all SMs have been found full for it, only one that a block
 *  has left since can have room. */
static int place_for(struct machine *m, struct grid_run *run)
{
    int sms = m->options.device->sms, device = run->grid.config.device, sm = -1;
    if (run->room == ROOM_NONE)
        return -1;
    if (run->room == ROOM_ANYWHERE)
        sm = find_sm(m, &run->grid.config, &run->need);
    else if (sm_has_room(m->options.device, &m->sms[run->room], &run->need)) {
        sm = run->room;
        m->next_sm[device] = (sm % sms + 1) % sms;
    }
    if (sm < 0)
        run->room = ROOM_NONE;
    return sm;
}

/** A block has left an SM. */
static void note_room(struct machine *m, int sm)
{
    for (int i = 0; i < m->grids.count; i++) {
        int *room = &m->grids.data[i]->room, all = m->options.device->sms;
        const struct grid_config *config = &m->grids.data[i]->grid.config;
        if (config->device != sm / all || !sm_part_has(config->part, sm % all))
            continue;
        *room = *room == ROOM_NONE || *room == sm ? sm : ROOM_ANYWHERE;
    }
}

/** Makes the next cluster resident, all of its blocks or none. @return false if there is no room */
static bool admit_cluster(struct machine *m, struct grid_run *run)
{
    uint32_t size = run->grid.cluster_blocks;
    uint64_t number = run->next_block / size;
    int sms[CLUSTER_BLOCKS];
    for (uint32_t i = 0; i < size; i++) {
        sms[i] = find_sm(m, &run->grid.config, &run->need);
        if (sms[i] >= 0) {
            sm_add(&m->sms[sms[i]], &run->need, 1);
            continue;
        }
        while (i-- > 0)
            sm_add(&m->sms[sms[i]], &run->need, -1);
        return false;
    }
    for (uint32_t i = 0; i < size; i++)
        *LIST_PUSH(&m->residents) =
            (struct resident){.run = run, .index = cluster_block(&run->grid, number, i), .sm = sms[i], .cluster = number, .rank = i};
    run->next_block += size;
    run->grid.started += size;
    return true;
}

/** May another cluster begin? Blocks that take others over find some even in a small grid where a drawn schedule lets few begin. */
static bool may_begin(const struct grid_run *run)
{
    const struct grid *g = &run->grid;
    return run->next_block < g->blocks && (!run->few_begin || g->started - g->finished < 2 * (uint64_t)g->cluster_blocks);
}

/** Makes blocks resident, in order, until each device is full. */
static void admit(struct machine *m)
{
    bool full[MAX_DEVICES] = {0};
    for (int i = 0; i < m->grids.count; i++) {
        struct grid_run *run = m->grids.data[i];
        int device = run->grid.config.device;
        if (!grid_running(&run->grid))
            continue;
        bool fits = !full[device], before_all = grid_has_begun(&run->grid);
        while (run->grid.cluster_blocks > 1 && may_begin(run) && fits)
            fits = admit_cluster(m, run);
        while (may_begin(run) && fits) {
            int sm = place_for(m, run);
            fits = sm >= 0;
            if (sm < 0)
                break;
            sm_add(&m->sms[sm], &run->need, 1);
            *LIST_PUSH(&m->residents) =
                (struct resident){.run = run, .index = run->next_block++, .sm = sm};
            run->grid.started++;
        }
        m->opened |= run->grid.config.tells_start && grid_has_begun(&run->grid) && !before_all;
        full[device] |= !fits && !run->grid.config.part; /* a full part is nothing to those beside it */
    }
}

void step_add_resident(struct machine *m, struct resident r)
{
    sm_add(&m->sms[r.sm], &r.run->need, 1);
    *LIST_PUSH(&m->residents) = r;
}

static int resident_count(const struct machine *m)
{
    return m->residents.count - m->first_resident;
}

/** Takes resident `i` off its SM; its slot has been returned. */
static void remove_resident(struct machine *m, int i)
{
    struct resident *r = &m->residents.data[i];
    sm_add(&m->sms[r->sm], &r->run->need, -1);
    note_room(m, r->sm);
    m->next_sm[r->sm / m->options.device->sms] = r->sm % m->options.device->sms;
    if (i == m->first_resident) {
        m->first_resident++;
    } else {
        memmove(r, r + 1, (size_t)(m->residents.count - i - 1) * sizeof *r);
        m->residents.count--;
    }
    if (m->cursor > i)
        m->cursor--;
    if (m->first_resident == m->residents.count) {
        m->first_resident = m->residents.count = m->cursor = 0;
    } else if (m->first_resident > 4096 && m->first_resident > m->residents.count / 2) {
        memmove(m->residents.data, m->residents.data + m->first_resident,
                (size_t)resident_count(m) * sizeof *m->residents.data);
        m->cursor -= m->first_resident;
        m->residents.count -= m->first_resident;
        m->first_resident = 0;
    }
    if (m->cursor < m->first_resident)
        m->cursor = m->first_resident;
}

static void drop_residents(struct machine *m, const struct grid_run *run)
{
    for (int i = m->residents.count - 1; i >= m->first_resident; i--) {
        struct resident *r = &m->residents.data[i];
        if (r->run != run)
            continue;
        if (r->block)
            block_finish(&m->workers[0], r->block);
        remove_resident(m, i);
        if (i > m->residents.count)
            i = m->residents.count;
    }
}

void step_end_grid(struct machine *m, struct grid_run *run)
{
    if (run->ended_reported)
        return;
    run->ended_reported = true;
    nested_close(m, run);
    drop_residents(m, run);
    quiet_global_end(m);
    OBSERVE(&m->observers, grid_end, &run->grid);
}

void grid_abort(struct grid *g, enum grid_status status)
{
    if (!grid_running(g) || status == GRID_RUNNING)
        return;
    g->status = status;
    step_end_grid(g->machine, grid_run(g));
}

void step_account(struct machine *m, struct worker *k, struct grid *g)
{
    g->instructions += k->instructions;
    g->lane_instructions += k->lane_instructions;
    m->clock += k->instructions;
    g->loads += k->loads;
    g->moved += k->moved;
    k->instructions = k->lane_instructions = 0;
    g->counters[COUNT_GLOBAL_BYTES] += k->read_bytes;
    k->loads = k->moved = k->read_bytes = 0;
}

static enum warp_result run_warp(struct worker *k, struct warp *w, int64_t fuel, int64_t quantum)
{
    uint64_t issued = w->instructions, lanes = w->lane_instructions;
    w->block->fresh = false;
    enum warp_result r = may_go_on(w) ? warp_go_on(w, fuel) : warp_run(w, fuel, quantum);
    k->instructions += w->instructions - issued;
    k->lane_instructions += w->lane_instructions - lanes;
    return r;
}

enum warp_result block_run(struct block *b, int64_t fuel)
{
    struct worker *k = b->warps[0].worker;
    /* Warps that meet at barriers for ever never use up their own fuel. */
    uint64_t end = k->instructions + (uint64_t)fuel * (uint64_t)b->warp_count;
    for (;;) {
        bool ran = false, spun = false;
        for (int i = 0; i < b->warp_count; i++) {
            struct warp *w = &b->warps[i];
            if (!w->live || !warp_ready(w))
                continue;
            enum warp_result r;
            if (spun || !block_go_round(b, &i, fuel, end, &r))
                r = run_warp(k, w, fuel, 0);
            if (r == WARP_ABORTED)
                return r;
            if (host_memory_short())
                return WARP_YIELDED; /* and is cut */
            ran = true;
            spun |= r == WARP_YIELDED;
        }
        if (b->live_warps == 0)
            return WARP_DONE;
        if (spun || (ran && k->instructions > end))
            return WARP_YIELDED;
        if (!ran)
            return WARP_BLOCKED;
    }
}

/** A single warp's turn, seen as its block's. */
static enum warp_result warp_turn(struct worker *k, struct block *b, const struct turn *t)
{
    struct warp *w = &b->warps[t->warp];
    enum warp_result r = run_warp(k, w, warp_fuel() / 16, t->quantum);
    if (r == WARP_ABORTED || (r == WARP_DONE && b->live_warps == 0))
        return r;
    if (r == WARP_YIELDED && w->reserve <= 0)
        return WARP_YIELDED;
    for (int i = 0; i < b->warp_count; i++)
        if (b->warps[i].live && warp_ready(&b->warps[i]))
            return WARP_DONE; /* the warp, not the block: live_warps tells */
    return WARP_BLOCKED;
}

/** Begins a resident block, and with it all blocks of its cluster. */
static void begin(struct machine *m, struct resident *first)
{
    struct grid_run *run = first->run;
    if (run->grid.cluster_blocks == 1) {
        first->block = block_start(&m->workers[0], run, first->index, first->sm, NULL, 0);
        return;
    }
    struct cluster *c = cluster_new(&run->grid);
    for (int i = m->first_resident; i < m->residents.count; i++) {
        struct resident *r = &m->residents.data[i];
        if (r->run == run && r->cluster == first->cluster)
            r->block = block_start(&m->workers[0], run, r->index, r->sm, c, r->rank);
    }
}

static bool is_past_limit(const struct machine *m, const struct grid *g)
{
    return m->options.step_limit && g->instructions > m->options.step_limit;
}

/** One turn. @return true if a grid ended in it */
static bool take_turn(struct machine *m, const struct turn *t)
{
    struct worker *k = &m->workers[0];
    struct resident *r = &m->residents.data[t->resident];
    struct grid_run *run = r->run;
    struct grid *g = &run->grid;
    k->turn_clock = m->clock;
    if (k->device != g->config.device) {
        k->device = g->config.device;
        worker_forget(k);
    }
    if (!r->block)
        begin(m, r);
    struct block *b = r->block;
    schedule_begins_turn(m, g);
    if (host_memory_short())
        block_cut_for_memory(b);
    else if (g->finished && is_past_limit(m, g)) /* by blocks that each end within a turn */
        block_cut_before(b, m->options.step_limit, g->finished);
    enum warp_result result = !grid_running(g)  ? WARP_ABORTED
                              : t->warp < 0     ? block_run(b, warp_fuel())
                                                : warp_turn(k, b, t);
    if (m->compiler)
        m->compiler->ran(m, g->config.kernel, k->instructions);
    step_account(m, k, g);
    if (result != WARP_ABORTED && b->live_warps && is_past_limit(m, g))
        block_cut(b, m->options.step_limit);
    if (!grid_running(g)) {
        step_end_grid(m, nested_failed(run));
        return true;
    }
    if (b->live_warps == 0) {
        block_finish(k, b);
        remove_resident(m, t->resident);
        schedule_went(m, NULL, t);
        return ++g->finished == g->blocks && nested_ran(m, run);
    }
    r->stuck = result == WARP_BLOCKED;
    schedule_went(m, b, t);
    schedule_done(m, t, result == WARP_YIELDED);
    return false;
}

static struct grid_run *first_running(struct machine *m)
{
    for (int i = 0; i < m->grids.count; i++)
        if (grid_running(&m->grids.data[i]->grid))
            return m->grids.data[i];
    return NULL;
}

static bool only_grid(struct machine *m, const struct grid_run *run)
{
    for (int i = 0; i < m->grids.count; i++)
        if (m->grids.data[i] != run && grid_running(&m->grids.data[i]->grid))
            return false;
    return true;
}

enum step_result machine_step(struct machine *m, uint64_t budget)
{
    struct grid_run *run = first_running(m);
    uint64_t end = budget ? m->clock + budget : UINT64_MAX;
    if (!run)
        return STEP_IDLE;
    for (int i = 0; i < m->worker_count; i++)
        worker_forget(&m->workers[i]);
    if (run->parallel && only_grid(m, run) && resident_count(m) == 0) {
        parallel_run(m, run, budget);
        if (grid_running(&run->grid))
            return STEP_BUDGET;
        step_end_grid(m, run);
        return STEP_GRID_ENDED;
    }
    while (m->clock < end) {
        struct turn t;
        admit(m);
        if (!schedule_pick(m, &t)) {
            OBSERVE(&m->observers, stuck, m);
            return STEP_STUCK;
        }
        if (schedule_passes_over(m, &t))
            continue;
        if (take_turn(m, &t))
            return STEP_GRID_ENDED;
        if (m->opened) {
            m->opened = false;
            return STEP_OPENED;
        }
        if (machine_has_found(m))
            return STEP_FOUND;
    }
    return STEP_BUDGET;
}
