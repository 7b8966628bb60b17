/**
 * @file parallel.c
 * Several host threads for one grid, where no result can depend on the order of its blocks.
 * Which kernels those are says analyse/effects.h: blocks of a race-free one cannot observe each other.
 * Everything else runs on one.
 */
#include "analyse/effects.h"
#include "base/crew.h"
#include "execute/block.h"
#include "execute/engine.h"
#include "execute/fault.h"
#include "execute/grid_run.h"
#include "execute/schedule.h"
#include "execute/sm_part.h"
#include "execute/warp_run.h"
#include "execute/worker.h"

/** Warp instructions that one thread executes before others are asked: as long as waking one takes, as machine code. */
#define ALONE 8192

/** Times that a block uses up its fuel before it is taken for one that waits for others, in a way that the kernel's text does not tell
 *  (it races): the grid then goes on by turns, on one thread. Seconds, for a block that only computes. */
#define PATIENCE 256

/** What the workers share during one parallel_run(). */
struct shared_run {
    struct grid_run *run;
    uint64_t limit;           /**< step limit of the launch, 0 = none */
    uint64_t until;           /**< no block begins once so many are issued */
    uint64_t issued;          /**< instructions of the launch, by all workers, */
    uint64_t ended;           /**< and its blocks that have ended by then */
    int waits;                /**< a block seems to wait: no other begins; */
    bool may_wait;            /**< else none does */
};

struct share {
    struct shared_run *shared;
    struct worker *worker;
    uint64_t finished;
    LIST(struct block *) blocked, waiting;
};

static void run_one(struct share *s, uint64_t index)
{
    struct grid_run *run = s->shared->run;
    struct worker *k = s->worker;
    int sms = k->machine->options.device->sms;
    const struct sm_part *part = run->grid.config.part;
    int turn = (int)(index % (uint64_t)sm_part_count(part, sms));
    struct block *b = block_start(k, run, index, run->grid.config.device * sms + (part ? part->sms[turn] : turn), NULL, 0);
    uint64_t before = k->instructions;
    uint64_t ended = __atomic_load_n(&s->shared->ended, __ATOMIC_RELAXED);
    if (ended && s->shared->limit && __atomic_load_n(&s->shared->issued, __ATOMIC_RELAXED) > s->shared->limit)
        block_cut_before(b, s->shared->limit, ended);
    for (int turns = 1; grid_running(&run->grid); turns++) {
        enum warp_result r = block_run(b, warp_fuel());
        uint64_t issued = __atomic_add_fetch(&s->shared->issued, k->instructions - before,
                                             __ATOMIC_RELAXED);
        if (k->machine->compiler)
            k->machine->compiler->ran(k->machine, run->grid.config.kernel, k->instructions - before);
        before = k->instructions;
        if (r == WARP_DONE) {
            s->finished++;
            __atomic_add_fetch(&s->shared->ended, 1, __ATOMIC_RELAXED);
            break;
        }
        if (r == WARP_BLOCKED) {
            *LIST_PUSH(&s->blocked) = b;
            return;
        }
        if (s->shared->limit && issued > s->shared->limit)
            block_cut(b, s->shared->limit);
        else if ((turns >= PATIENCE && s->shared->may_wait) || __atomic_load_n(&s->shared->waits, __ATOMIC_RELAXED)) {
            __atomic_store_n(&s->shared->waits, 1, __ATOMIC_RELAXED);
            *LIST_PUSH(&s->waiting) = b;
            return;
        }
    }
    block_finish(k, b);
}

static void work(void *shares, int number)
{
    struct share *s = (struct share *)shares + number;
    struct grid_run *run = s->shared->run;
    struct worker *k = s->worker;
    worker_forget(k);
    k->device = run->grid.config.device;
    k->parallel = true;
    while (grid_running(&run->grid) && __atomic_load_n(&s->shared->issued, __ATOMIC_RELAXED) < s->shared->until &&
           !__atomic_load_n(&s->shared->waits, __ATOMIC_RELAXED)) {
        uint64_t index = __atomic_fetch_add(&run->next_block, 1, __ATOMIC_RELAXED);
        if (index >= run->grid.blocks)
            break;
        run_one(s, index);
    }
    k->parallel = false;
}

static void keep(struct machine *m, struct grid_run *run, struct block *b, bool stuck)
{
    run->parallel = false;
    step_add_resident(m, (struct resident){.run = run, .index = b->index, .sm = b->sm, .block = b, .stuck = stuck});
}

/** A block that waits for ever stays resident, for machine_step() to find nothing else to run; and so does one that seems to wait for others. */
static void keep_resident(struct machine *m, struct grid_run *run, struct share *s)
{
    for (int i = 0; i < s->blocked.count; i++)
        keep(m, run, s->blocked.data[i], true);
    for (int i = 0; i < s->waiting.count; i++)
        keep(m, run, s->waiting.data[i], false);
    LIST_FREE(&s->blocked);
    LIST_FREE(&s->waiting);
}

void parallel_run(struct machine *m, struct grid_run *run, uint64_t budget)
{
    struct grid *g = &run->grid;
    struct share shares[64] = {{0}};
    struct shared_run shared = {.run = run, .issued = g->instructions, .ended = g->finished,
                                .limit = m->options.step_limit, .may_wait = kernel_may_look_again(g->config.kernel)};
    int count = m->worker_count < 64 ? m->worker_count : 64;
    /* The budget is one of time, so it is for each worker; one account for all, so that none waits for a slower one. */
    shared.until = budget ? g->instructions + budget * (uint64_t)count : UINT64_MAX;
    for (int i = 0; i < count; i++)
        shares[i] = (struct share){.shared = &shared, .worker = &m->workers[i]};
    uint64_t until = shared.until;
    shared.until = until - g->instructions > ALONE ? g->instructions + ALONE : until;
    work(shares, 0);
    shared.until = until;
    int started = 1;
    if (run->next_block < g->blocks && grid_running(g) && !shared.waits) {
        struct crew_work helped = {.run = work, .self = shares, .count = count};
        crew_ask(&helped);
        work(shares, 0);
        started = crew_close(&helped);
    }
    if (run->next_block > g->blocks)
        run->next_block = g->blocks;
    g->started = run->next_block;
    for (int i = 0; i < started; i++) {
        g->finished += shares[i].finished;
        step_account(m, shares[i].worker, g);
        keep_resident(m, run, &shares[i]);
    }
    if (grid_running(g) && g->finished == g->blocks)
        g->status = GRID_DONE;
}
