/**
 * @file control.c
 * Branches, guards, exit, trap and the instructions that cannot run.
 */
#include "analyse/loops.h"
#include "execute/call.h"
#include "execute/cluster.h"
#include "execute/engine.h"
#include "execute/fault.h"
#include "execute/tensor/tensor.h"
#include "execute/vain_looks.h"
#include "execute/warp_run.h"
#include "execute/worker.h"

/** Lanes of the running group whose guard lets them execute. */
static inline uint32_t guard_lanes(const struct warp *w, const struct insn *in)
{
    uint32_t p = *(const uint32_t *)warp_reg(w, in->guard);
    return w->mask & (in->guard_negated ? ~p : p);
}

/** Burns fuel for a backward branch. @return true when none is left */
static inline bool burn(struct warp *w)
{
    int64_t cost = w->polled ? warp_machine(w)->poll_cost : 1;
    w->fuel -= cost;
    w->polled_away += w->polled ? cost : 0;
    w->polled = false;
    return w->fuel <= 0;
}

/** Some of a warp's lanes go back by themselves: in a loop with barriers they may come to one in another turn than the
 *  others. */
static __attribute__((noinline)) void go_back_apart(struct warp *w, const struct insn *in)
{
    struct grid *g = w->block->grid;
    const struct function *f = g->config.kernel;
    if (g->machine->checked && !g->came_apart)
        g->came_apart = in < f->entry || in >= f->end || loop_meets(f, in);
}

/** A loop that only looks goes round, from the look on without a step aside. */
static void note_look(struct warp *w, const struct insn *in)
{
    const struct insn *load = only_look(in);
    if (load == w->look.last && warp_count_before(w, in) - w->look.at == (uint64_t)(in - load))
        w->look.again = load;
}

/** Sends the whole running group to `target`. */
static inline const struct insn *jump(struct warp *w, const struct insn *in,
                                      const struct insn *target)
{
    if (target <= in && w->mask != w->full)
        go_back_apart(w, in);
    if (target <= in && w->polled && w->look.last)
        note_look(w, in);
    if (target <= in && burn(w)) {
        w->yielded_lanes |= w->mask;
        bool endless = insn_class(in) == INSN_BRANCH && loop_is_endless(in);
        return warp_stop(w, in, target, endless ? GROUP_ENDLESS : GROUP_READY);
    }
    warp_count(w, in, target);
    return target;
}

/** Lanes `taken` go to `target`, the rest falls through; the lower one runs on. */
static __attribute__((noinline)) const struct insn *diverge(struct warp *w, const struct insn *in, uint32_t taken)
{
    uint32_t rest = w->mask & ~taken;
    bool backward = in->target <= in;
    const struct insn *next = backward ? in->target : in + 1;
    uint32_t lanes = backward ? taken : rest;

    if (warp_machine(w)->checked)
        w->block->grid->counters[COUNT_DIVERGENT_BRANCHES]++;
    warp_count(w, in, next);
    warp_part(w, in, lanes, w->mask & ~lanes);
    warp_set_mask(w, lanes);
    if (backward)
        go_back_apart(w, in);
    bool spent = backward && burn(w);
    if (spent)
        w->yielded_lanes |= lanes;
    if (!spent && warp_machine(w)->schedule == SCHEDULE_NATURAL)
        return next;
    w->run_start = in + 1; /* counted above: warp_stop() adds none */
    return warp_stop(w, in, next, GROUP_READY);
}

const struct insn *op_bra(struct warp *w, const struct insn *in)
{
    if (in->guard == REG_NONE)
        return jump(w, in, in->target);
    uint32_t taken = guard_lanes(w, in);
    if (taken == 0)
        return in + 1;
    if (taken == w->mask)
        return jump(w, in, in->target);
    return diverge(w, in, taken);
}

/** The lanes of `mask` whose 32-bit register equals that of the first of them. */
static uint32_t same_as_first(const uint32_t *values, uint32_t mask)
{
    uint32_t same = 0;
    uint32_t value = values[__builtin_ctz(mask)];
    for (int i = 0; i < WARP_LANES; i++)
        if (mask >> i & 1 && values[i] == value)
            same |= 1u << i;
    return same;
}

const struct insn *op_brx(struct warp *w, const struct insn *in)
{
    const struct branch_table *table = in->extra;
    const uint32_t *index = warp_reg(w, in->src[0]);
    for (;;) {
        int lane = __builtin_ctz(w->mask);
        if (index[lane] >= table->count)
            return fault_at(w, in, lane,
                            &(struct fault){.cause = CAUSE_BRANCH_TABLE,
                                            .facts = {.number = index[lane], .size = table->count}});
        const struct insn *target = table->targets[index[lane]];
        uint32_t same = same_as_first(index, w->mask);
        if (same == w->mask)
            return jump(w, in, target);
        warp_split(w, in, same, target);
    }
}

const struct insn *op_guarded(struct warp *w, const struct insn *in)
{
    uint32_t all = w->mask;
    uint32_t lanes = guard_lanes(w, in);
    if (lanes == 0)
        return in + 1;
    if (lanes == all)
        return in->body(w, in);
    warp_set_mask(w, lanes);
    const struct insn *next = in->body(w, in);
    warp_set_mask(w, all);
    return next;
}

const struct insn *op_guarded_split(struct warp *w, const struct insn *in)
{
    uint32_t lanes = guard_lanes(w, in);
    if (lanes == 0)
        return in + 1;
    if (lanes != w->mask)
        warp_split(w, in, w->mask & ~lanes, in + 1);
    return in->body(w, in);
}

const struct insn *op_exit(struct warp *w, const struct insn *in)
{
    struct block *b = w->block;
    OBSERVE(&warp_machine(w)->observers, exit, w, w->mask);
    call_forget_lanes(w, w->mask);
    w->live &= ~w->mask;
    b->live_threads -= w->active;
    cluster_exit(w, in);
    warp_stop_removed(w, in);
    if (!w->live)
        b->live_warps--;
    else
        warp_sync_settle(w);
    if (!w->live && b->awaits_products)
        tensor_others_go_on(w);
    barrier_exited(w);
    cluster_exited(b);
    return NULL;
}

bool exits_whole(const struct insn *in)
{
    return in && insn_class(in) == INSN_EXIT && !insn_is_guarded(in);
}

bool may_exit_whole(const struct warp *w)
{
    const struct block *b = w->block;
    return w->group_count == 1 && w->mask == w->live && !b->cluster->arrived && !b->arrived_at && !b->awaits_products;
}

bool exit_whole(struct warp *w, const struct insn *in)
{
    struct block *b = w->block;
    struct cluster *c = b->cluster;
    if (!may_exit_whole(w))
        return false;
    warp_count(w, in, in);
    b->live_threads -= w->active;
    c->live_threads -= w->active;
    if (!b->live_threads)
        cluster_note_exit(w, in);
    w->live = 0;
    w->group_count = 0;
    w->current = -1;
    b->live_warps--;
    return true;
}

const struct insn *op_trap(struct warp *w, const struct insn *in)
{
    return fault_plain(w, in, __builtin_ctz(w->mask), CAUSE_TRAP);
}

const struct insn *op_brkpt(struct warp *w, const struct insn *in)
{
    return fault_plain(w, in, __builtin_ctz(w->mask), CAUSE_BREAKPOINT);
}

const struct insn *op_nop(struct warp *w, const struct insn *in)
{
    (void)w;
    return in + 1;
}

const struct insn *op_unsupported(struct warp *w, const struct insn *in)
{
    return fault_at(w, in, __builtin_ctz(w->mask),
                    &(struct fault){.cause = CAUSE_UNKNOWN_INSTRUCTION, .facts.text = in->extra});
}

/** A sleeper gives its turn away, and its clock moves on. */
const struct insn *op_nanosleep(struct warp *w, const struct insn *in)
{
    const uint32_t *ns = warp_reg(w, in->src[0]);
    w->waited += (uint64_t)ns[__builtin_ctz(w->mask)] *
                 (uint64_t)warp_machine(w)->options.device->sm_clock_khz / 1000000;
    w->reserve += w->fuel - warp_machine(w)->poll_cost * 8;
    w->fuel = 0;
    w->yielded_lanes |= w->mask;
    return warp_stop(w, in, in + 1, GROUP_READY);
}
