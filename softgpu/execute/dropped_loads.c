/**
 * @file dropped_loads.c
 * See dropped_loads.h. What the predicates on the way from the load will be is computed ahead, by the instructions themselves, and
 * undone: they go from registers to registers.
 */
#include "execute/dropped_loads.h"

#include <assert.h>
#include <string.h>

#include "analyse/held_back.h"
#include "analyse/spared.h"
#include "code/operands.h"
#include "execute/access.h"
#include "execute/atomic_compute.h"
#include "execute/block.h"
#include "memory/windows.h"

#define REGISTER_MOST (16 * WARP_LANES)   /* bytes */
#define MAX_SAVED (1 + 4 * (DECIDES_STEPS + 2 * SPARED_STEPS)) /* more than KEPT_RESULTS, and two of each of HELD_STEPS */

/** Registers as they were. */
struct saved {
    int count;
    struct { uint8_t *at; uint32_t bytes; uint8_t was[REGISTER_MOST]; } reg[MAX_SAVED];
};

/** Lanes in which each register holds what was made of the value. */
struct holders {
    int count;
    struct { uint32_t reg, lanes; } of[KEPT_RESULTS + KEPT_VALUES];
};

static uint32_t lanes_of(const struct holders *h, uint32_t reg)
{
    for (int i = 0; i < h->count; i++)
        if (h->of[i].reg == reg)
            return h->of[i].lanes;
    return 0;
}

static void put(struct holders *h, uint32_t reg, uint32_t lanes)
{
    for (int i = 0; i < h->count; i++)
        if (h->of[i].reg == reg) {
            h->of[i].lanes = lanes;
            return;
        }
    if (!lanes)
        return;
    assert(h->count < (int)(sizeof h->of / sizeof h->of[0]));
    h->of[h->count].reg = reg;
    h->of[h->count++].lanes = lanes;
}

uint32_t lanes_dropping(const struct warp *w, const struct insn *in, unsigned index)
{
    uint32_t by;
    if (!insn_may_drop(in, index, &by) || by == REG_NONE)
        return 0;
    uint32_t p = *(const uint32_t *)warp_reg(w, by);
    if (in->op->defined == DEFINED_CHOOSES)
        return index ? p : ~p;
    bool negated = in->imm & (index ? 16 : 32);
    return (in->op->defined == DEFINED_TRUE_DECIDES) != negated ? p : ~p;
}

/** lanes_dropping(), as far as what decides does not depend on what is loaded on the way. */
static uint32_t dropping(const struct warp *w, const struct insn *in, unsigned index, const struct holders *h, const struct holders *other)
{
    uint32_t by;
    if (!insn_may_drop(in, index, &by) || by == REG_NONE || lanes_of(other, by))
        return 0;
    return lanes_dropping(w, in, index) & ~lanes_of(h, by);
}

static void save_results(struct warp *w, const struct insn *in, struct saved *s)
{
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);) {
        uint8_t *at = o.write ? warp_reg(w, o.reg) : NULL;
        if (!at)
            continue;
        assert(s->count < MAX_SAVED);
        uint64_t room = (uint64_t)(w->file + w->file_bytes - at);
        uint32_t bytes = room < REGISTER_MOST ? (uint32_t)room : REGISTER_MOST;
        s->reg[s->count].at = at;
        s->reg[s->count].bytes = bytes;
        memcpy(s->reg[s->count++].was, at, bytes);
    }
}

static void restore(struct saved *s)
{
    while (s->count--)
        memcpy(s->reg[s->count].at, s->reg[s->count].was, s->reg[s->count].bytes);
}

/** Past an instruction that is not computed: where its results hold what was made of the value, and where of other loads. */
static void go_past(const struct warp *w, const struct insn *in, struct holders *h, struct holders *other)
{
    uint32_t lanes = 0, unknown = insn_class(in) == INSN_LOAD ? UINT32_MAX : 0;
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);) {
        if (!o.write) {
            lanes |= lanes_of(h, o.reg) & ~dropping(w, in, o.index, h, other);
            unknown |= lanes_of(other, o.reg);
            continue;
        }
        put(h, o.reg, lanes);
        put(other, o.reg, unknown);
    }
}

/** Past one that is. */
static void compute(struct warp *w, const struct insn *in, struct holders *h, struct holders *other, struct saved *s)
{
    struct operand_iter it = operands_of(in);
    save_results(w, in, s);
    in->body(w, in);
    for (struct operand o; operands_next(&it, &o);)
        if (o.write) {
            put(h, o.reg, 0);
            put(other, o.reg, 0);
        }
}

static const struct kept_way *way_of(const struct warp *w, const struct insn *load)
{
    return load_kept_way(image_function_at(w->block->grid->config.kernel->image, load), load);
}

static const struct held_uses *uses_of(const struct warp *w, const struct insn *load)
{
    return load_held_uses(image_function_at(w->block->grid->config.kernel->image, load), load);
}

bool load_may_be_dropped(const struct warp *w, const struct insn *load)
{
    return way_of(w, load) || uses_of(w, load);
}

/** The running lanes whose value no guard will let go anywhere. */
static uint32_t lanes_held_back(struct warp *w, const struct insn *load)
{
    const struct held_uses *held = uses_of(w, load);
    struct saved s;
    uint32_t used = 0;
    s.count = 0;
    if (!held)
        return 0;
    for (int i = 0; i < held->count; i++) {
        const struct insn *in = held->step[i].in;
        if (held->step[i].uses) {
            uint32_t p = *(const uint32_t *)warp_reg(w, in->guard);
            used |= in->guard_negated ? ~p : p;
            continue;
        }
        save_results(w, in, &s);
        in->body(w, in);
    }
    restore(&s);
    return w->mask & ~used;
}

static uint32_t lanes_on_way(struct warp *w, const struct insn *load)
{
    const struct kept_way *way = way_of(w, load);
    struct holders h = {0}, other = {0};
    struct saved s;
    uint32_t kept = 0;
    s.count = 0;
    if (!way)
        return 0;
    struct operand_iter it = operands_of(load);
    for (struct operand o; operands_next(&it, &o);)
        if (o.write)
            put(&h, o.reg, UINT32_MAX);
    for (int i = 0; i < way->count; i++) {
        if (way->step[i].known)
            compute(w, way->step[i].in, &h, &other, &s);
        else
            go_past(w, way->step[i].in, &h, &other);
    }
    restore(&s);
    for (int i = 0; i < way->values; i++)
        kept |= lanes_of(&h, way->value[i]);
    return w->mask & ~kept;
}

uint32_t lanes_throwing_away(struct warp *w, const struct insn *load)
{
    return lanes_on_way(w, load) | lanes_held_back(w, load);
}

/** What stands now where the lane's load leads; NULL: nothing that is followed. */
static const uint8_t *stands_at(const struct warp *w, const struct insn *in, int lane)
{
    uint64_t address = lane_address(w, in, lane), bytes = in->mem.bytes;
    enum ptx_space space = in->mem.space == SPACE_GENERIC ? generic_resolve(&address) : in->mem.space;
    if (space == SPACE_LOCAL)
        return address < w->local_top[lane] && bytes <= w->local_top[lane] - address ? w->local + (size_t)lane * w->local_stride + address : NULL;
    return access_peek(w, space, address, bytes);
}

/** A load on the way gets what stands there now. */
static void load_ahead(struct warp *w, const struct insn *in, int lane)
{
    uint64_t got[2] = {0};
    const uint8_t *host = stands_at(w, in, lane);
    if (host)
        memcpy(got, host, in->mem.bytes);
    put_element(w, &in->mem, in->dst, lane, got);
}

/** The load gets `value`, and the lane goes on to the branch. */
static void compute_ahead(struct warp *w, const struct insn *load, const struct decision *d, int lane, uint64_t value, struct saved *s)
{
    save_results(w, load, s);
    put_element(w, &load->mem, load->dst, lane, (const uint64_t[2]){value, 0});
    for (const struct insn *in = load + 1; in < d->branch; in++) {
        save_results(w, in, s);
        if (insn_class(in) == INSN_LOAD)
            load_ahead(w, in, lane);
        else
            in->body(w, in);
    }
}

static bool branches(const struct warp *w, const struct insn *branch, int lane)
{
    return (*(const uint32_t *)warp_reg(w, branch->guard) >> lane & 1) != branch->guard_negated;
}

bool lane_would_branch(const struct warp *watched, const struct insn *load, const struct decision *d, int lane, uint64_t value)
{
    struct warp *w = (struct warp *)watched; /* nobody sees it changed */
    struct saved s;
    s.count = 0;
    compute_ahead(w, load, d, lane, value, &s);
    bool way = branches(w, d->branch, lane);
    restore(&s);
    return way;
}

/** The nearest value that the update would change; `bound` itself, if there is none. */
static uint64_t next_changed(const struct mem_desc *d, uint64_t bound)
{
    uint64_t mask = d->bytes >= 8 ? UINT64_MAX : (1ull << 8 * d->bytes) - 1, next = (d->atom == ATOM_MIN ? bound + 1 : bound - 1) & mask;
    return atomic_compute(d, next, bound, true) == bound ? next : bound;
}

/** Does the update, with its one operand, leave what the place holds? */
static bool leaves_as_it_is(const struct insn *update, uint64_t holds, uint64_t operand)
{
    if (insn_class(update) == INSN_ATOMIC)
        return atomic_compute(&update->mem, holds, operand, true) == holds;
    return update->mem.bytes >= 8 ? operand == holds : (operand ^ holds) << (64 - 8 * update->mem.bytes) == 0;
}

/** One instruction beside the update. @return false: a load that gets something else than the register holds which it must keep, or from no memory */
static bool step(struct warp *w, const struct spared *spared, const struct insn *in, int lane, struct saved *s)
{
    save_results(w, in, s);
    if (insn_class(in) != INSN_LOAD) {
        in->body(w, in);
        return true;
    }
    const uint8_t *host = stands_at(w, in, lane);
    uint64_t got[2] = {0}, held = reg_read(w, in->dst, in->mem.reg_bytes, lane);
    bool again = false;
    if (!host)
        return false;
    memcpy(got, host, in->mem.bytes);
    put_element(w, &in->mem, in->dst, lane, got);
    for (int i = 0; i < spared->agains; i++)
        again |= spared->again[i] == in;
    return !again || held == reg_read(w, in->dst, in->mem.reg_bytes, lane);
}

/** Behind the update, which has returned `got`: does the thread go on to `other`, as if it had not made it? */
static bool goes_on(struct warp *w, const struct spared *spared, int lane, uint64_t got, const struct insn *other, struct saved *s)
{
    const struct insn *update = spared->update;
    if (element_target(update, 0) != REG_NONE && insn_class(update) == INSN_ATOMIC) {
        save_results(w, update, s);
        put_element(w, &update->mem, element_target(update, 0), lane, (const uint64_t[2]){got, 0});
    }
    for (const struct insn *in = update + 1; in != other;) {
        if (insn_class(in) == INSN_BRANCH) {
            bool jumps = in != spared->asks || branches(w, in, lane);
            if (in == spared->asks && jumps != spared->jumps)
                return false;
            in = jumps ? in->target : in + 1;
            continue;
        }
        if (!step(w, spared, in++, lane, s))
            return false;
    }
    return true;
}

bool lane_update_is_vain(const struct warp *watched, const struct insn *load, const struct decision *d, int lane, uint64_t older, uint64_t newest)
{
    struct warp *w = (struct warp *)watched; /* as above */
    bool way = lane_would_branch(w, load, d, lane, older), vain = true;
    const struct spared *spared = &d->side[way].spared;
    const struct insn *update = spared->update, *behind = d->branch + 1, *target = d->branch->target;
    uint64_t place = lane_address(w, load, lane), bound[2] = {0};
    struct saved s;
    s.count = 0;
    if (!update || update->mem.bytes != load->mem.bytes)
        return false;
    compute_ahead(w, load, d, lane, older, &s);
    for (const struct insn *in = way ? target : behind; vain && in < update; in++)
        vain = step(w, spared, in, lane, &s);
    vain = vain && lane_address(w, update, lane) == place;
    get_element(w, &update->mem, element_operand(update, 0), lane, bound);
    vain = vain && leaves_as_it_is(update, newest, bound[0]) && goes_on(w, spared, lane, newest, way ? behind : target, &s);
    restore(&s);
    return vain && (!insn_is_bound(update) || lane_would_branch(w, load, d, lane, next_changed(&update->mem, bound[0])) == way);
}
