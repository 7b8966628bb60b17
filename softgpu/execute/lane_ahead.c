/**
 * @file lane_ahead.c
 * See lane_ahead.h. Instructions that go from registers to registers compute by themselves, for all lanes; the register file is put back.
 */
#include "execute/lane_ahead.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/loops.h"
#include "analyse/paths.h"
#include "code/operands.h"
#include "execute/access.h"
#include "execute/atomic_compute.h"
#include "execute/block.h"
#include "execute/warp_run.h"
#include "memory/windows.h"

#define AHEAD_STEPS 1024
/** Registers that are set on the way. */
#define AHEAD_SET 128

struct ahead_held;

struct ahead {
    const struct function *function;
    struct warp *w;
    int lane;
    const uint8_t *was;         /**< the register file at the load */
    uint32_t set[AHEAD_SET];
    int sets;
    struct lane_ahead *out;
    struct ahead_swap *swap;    /**< if not NULL, it goes on past fences, to the first compare-and-swap, */
    struct ahead_held *held;    /**< or to the first write */
};

/** A place that holds what was given to the load. */
struct ahead_held {
    const uint8_t *host;
    unsigned bytes;
    uint64_t value, puts;
    const struct insn *store;
};

/** @return false: of too many registers is it to be known */
static bool note_set(struct ahead *a, const struct insn *in)
{
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);) {
        int i = 0;
        while (o.write && i < a->sets && a->set[i] != o.reg)
            i++;
        if (!o.write || i < a->sets)
            continue;
        if (a->sets == AHEAD_SET)
            return false;
        a->set[a->sets++] = o.reg;
    }
    return true;
}

static bool passes_guard(const struct ahead *a, const struct insn *in)
{
    return !insn_is_guarded(in) || (*(const uint32_t *)warp_reg(a->w, in->guard) >> a->lane & 1) != in->guard_negated;
}

/** What the lane's access leads to; NULL: nothing that is followed. */
static const uint8_t *bytes_at(const struct warp *w, const struct insn *in, uint64_t address)
{
    const struct grid *g = w->block->grid;
    unsigned bytes = in->mem.bytes, params = g->config.kernel->param_bytes;
    enum ptx_space space = in->mem.space == SPACE_GENERIC ? generic_resolve(&address) : in->mem.space;
    if (address % bytes)
        return NULL;
    if (space == SPACE_PARAM)
        return address < params && bytes <= params - address ? g->params + address : NULL;
    return access_peek(w, space, address, bytes);
}

/** Are these bytes of the place that is held? *whole: they are the place. */
static bool is_held(const struct ahead_held *held, const uint8_t *host, unsigned bytes, bool *whole)
{
    *whole = held && host == held->host && bytes == held->bytes;
    return held && host < held->host + held->bytes && held->host < host + bytes;
}

/** The lane's register gets what stands now where the load looks. @return false where that is not followed: it gets 0 */
static bool lane_looks(struct warp *w, const struct insn *load, int lane, const struct ahead_held *held, uint64_t *value)
{
    uint64_t got[2] = {0};
    bool whole;
    const uint8_t *host = bytes_at(w, load, lane_address(w, load, lane));
    if (host && is_held(held, host, load->mem.bytes, &whole)) {
        host = whole ? host : NULL;
        got[0] = held->value;
    } else if (host) {
        memcpy(got, host, load->mem.bytes);
    }
    put_element(w, &load->mem, load->dst, lane, got);
    *value = got[0];
    return host;
}

static void note_look(struct ahead *a, const struct insn *in, uint64_t address, uint64_t got)
{
    a->out->looked++;
    if (a->out->looks < AHEAD_LOOKS)
        a->out->look[a->out->looks++] = (struct ahead_look){in, address, got};
}

/** A write where a place is held; @return true where it changes nothing, and the lane goes on. */
static bool comes_to_write(struct ahead *a, const struct insn *in, uint64_t address, const uint8_t *host)
{
    struct ahead_held *held = a->held;
    uint64_t got[2] = {0};
    bool atomic = insn_class(in) == INSN_ATOMIC, whole, is = is_held(held, host, in->mem.bytes, &whole);
    if (atomic && insn_only_reads(a->function, in) && (whole || !is)) {
        got[0] = held->value;
        if (!is)
            memcpy(got, host, in->mem.bytes);
        note_look(a, in, address, got[0]);
        put_element(a->w, &in->mem, element_target(in, 0), a->lane, got);
        return true;
    }
    if (whole && (!atomic || in->mem.atom == ATOM_EXCH)) {
        get_element(a->w, &in->mem, atomic ? element_operand(in, 0) : in->src[1], a->lane, got);
        held->puts = got[0];
        held->store = in;
    }
    return false;
}

/** A write, or an atomic that may change nothing. */
static bool change(struct ahead *a, const struct insn *in)
{
    uint64_t address = lane_address(a->w, in, a->lane), operand[2], got[2] = {0};
    bool atomic = insn_class(in) == INSN_ATOMIC;
    const uint8_t *host = bytes_at(a->w, in, address);
    if (host && a->held)
        return comes_to_write(a, in, address, host);
    if (host && a->swap && atomic && in->mem.atom == ATOM_CAS) {
        get_element(a->w, &in->mem, in->src[1], a->lane, operand);
        get_element(a->w, &in->mem, in->src[2], a->lane, got);
        *a->swap = (struct ahead_swap){in, host, operand[0], got[0]};
        return false;
    }
    if (!host || (atomic && in->mem.atom == ATOM_CAS) || a->out->count == AHEAD_CHANGES)
        return false;
    get_element(a->w, &in->mem, atomic ? element_operand(in, 0) : in->src[1], a->lane, operand);
    memcpy(got, host, in->mem.bytes);
    uint64_t after = atomic ? atomic_compute(&in->mem, got[0], operand[0], true) : operand[0];
    bool leaves = !memcmp(&after, got, in->mem.bytes);
    if (!insn_only_reads(a->function, in))
        a->out->change[a->out->count++] = (struct ahead_change){in, address, operand[0], leaves};
    if (atomic)
        put_element(a->w, &in->mem, element_target(in, 0), a->lane, got);
    return true;
}

static bool look(struct ahead *a, const struct insn *in)
{
    uint64_t got, address = lane_address(a->w, in, a->lane);
    bool found = lane_looks(a->w, in, a->lane, a->held, &got);
    if (order_is_strong(&in->mem))
        note_look(a, in, address, got);
    return found;
}

/** Does a register that was set hold something else than at the load, where what it holds is read behind the end? A barrier's result is set there itself. */
static bool carries(const struct ahead *a, const struct insn *end)
{
    for (int i = 0; i < a->sets; i++) {
        if (insn_writes(end, a->set[i]) && !insn_is_guarded(end))
            continue;
        const uint8_t *now = warp_reg(a->w, a->set[i]), *then = a->was + (now - a->w->file);
        unsigned width = function_register_width(a->function, a->set[i]);
        if (path_reads(a->function, end + 1, a->set[i]) && (width > 8 || warp_lane_word(now, width, a->lane) != warp_lane_word(then, width, a->lane)))
            return true;
    }
    return false;
}

/** bar.red: a predicate that was set on the way, true for `or` and `popc`, false for `and`. */
static bool brings(const struct ahead *a, const struct insn *end)
{
    bool is_set = false, is_and = end->imm >> 8 == 1, negated = end->imm & 2;
    if (insn_row(end) != ROW_bar_red && insn_row(end) != ROW_barrier_red)
        return false;
    for (int i = 0; i < a->sets; i++)
        is_set |= a->set[i] == end->src[2];
    return is_set && (warp_lane_word(warp_reg(a->w, end->src[2]), 1, a->lane) != negated) != is_and;
}

/** From registers to registers alone: special registers count what has been issued, and the clock passes as it is read. */
static bool only_computes(const struct insn *in)
{
    return insn_row(in) != ROW_special && !in->op->flags;
}

static bool accesses_one(const struct insn *in)
{
    return in->mem.count == 1 && in->mem.bytes <= 8 && in->mem.order != ORDER_ACQUIRE && in->mem.order != ORDER_RELEASE && in->mem.order != ORDER_ACQ_REL;
}

static bool follow(struct ahead *a, const struct insn *in)
{
    for (int steps = 0; steps < AHEAD_STEPS && in < a->function->end; steps++) {
        bool goes = passes_guard(a, in);
        switch (insn_class(in)) {
        case INSN_BRANCH:
            in = goes ? in->target : in + 1;
            continue;
        case INSN_COMPUTE:
            if (goes && (!only_computes(in) || !note_set(a, in)))
                return false;
            if (goes)
                in->body(a->w, in);
            break;
        case INSN_LOAD:
            if (goes && (!accesses_one(in) || !note_set(a, in) || !look(a, in)))
                return false;
            break;
        case INSN_STORE: case INSN_ATOMIC:
            if (goes && (!accesses_one(in) || !note_set(a, in) || !change(a, in)))
                return false;
            break;
        case INSN_HINT: case INSN_SLEEP:
            break;
        case INSN_FENCE:
            if (a->swap || a->held)
                break;
            /* fall through */
        case INSN_EXIT: case INSN_BARRIER: case INSN_MEETING:
            if (!goes)
                break;
            a->out->end = in;
            a->out->carries = insn_class(in) != INSN_EXIT && carries(a, in);
            a->out->brings = brings(a, in);
            return true;
        default:
            return false;
        }
        in++;
    }
    return false;
}

static uint8_t *registers_kept(const struct warp *w)
{
    uint8_t *was = malloc(w->file_bytes);
    assert(was);
    return memcpy(was, w->file, w->file_bytes);
}

static void registers_put_back(struct warp *w, uint8_t *was)
{
    memcpy(w->file, was, w->file_bytes);
    free(was);
}

static bool goes_ahead(const struct warp *watched, const struct insn *load, int lane, uint64_t value, struct lane_ahead *out, struct ahead_swap *swap, struct ahead_held *held)
{
    struct warp *w = (struct warp *)watched; /* nobody sees it changed */
    const struct function *f = image_function_at(w->block->grid->config.kernel->image, load);
    *out = (struct lane_ahead){0};
    if (!f || !accesses_one(load) || insn_class(load) == INSN_STORE)
        return false;
    uint8_t *was = registers_kept(w);
    struct ahead a = {.function = f, .w = w, .lane = lane, .was = was, .out = out, .swap = swap, .held = held};
    if (held)
        held->host = bytes_at(w, load, lane_address(w, load, lane));
    put_element(w, &load->mem, element_target(load, 0), lane, (const uint64_t[2]){value, 0});
    bool followed = note_set(&a, load) && follow(&a, load + 1);
    registers_put_back(w, was);
    return followed;
}

bool lane_goes_ahead(const struct warp *w, const struct insn *load, int lane, uint64_t value, struct lane_ahead *out)
{
    return goes_ahead(w, load, lane, value, out, NULL, NULL);
}

bool lane_goes_to_swap(const struct warp *w, const struct insn *load, int lane, uint64_t value, struct ahead_swap *out)
{
    struct lane_ahead ahead;
    *out = (struct ahead_swap){0};
    goes_ahead(w, load, lane, value, &ahead, out, NULL);
    return out->in && !ahead.looked;
}

const struct insn *lane_goes_to_store(const struct warp *w, const struct insn *load, int lane, uint64_t value, struct lane_ahead *out, uint64_t *puts)
{
    struct ahead_held held = {.bytes = load->mem.bytes, .value = value};
    goes_ahead(w, load, lane, value, out, NULL, &held);
    *puts = held.puts;
    return held.host && out->looked <= AHEAD_LOOKS ? held.store : NULL;
}

void lane_executes(struct warp *w, const struct insn *const *steps, int count, int lane)
{
    uint32_t mask = w->mask;
    uint64_t issued = w->instructions, lane_issued = w->lane_instructions, got; /* who reads a special register counts what has been issued */
    const struct insn *run_start = w->run_start;
    warp_set_mask(w, 1u << lane);
    for (int i = 0; i < count; i++)
        if (insn_class(steps[i]) == INSN_LOAD)
            lane_looks(w, steps[i], lane, NULL, &got);
        else
            steps[i]->body(w, steps[i]);
    warp_set_mask(w, mask);
    w->instructions = issued;
    w->lane_instructions = lane_issued;
    w->run_start = run_start;
}

uint64_t lane_would_hold(const struct warp *watched, const struct insn *const *steps, int count, int lane, uint32_t reg, unsigned bytes)
{
    struct warp *w = (struct warp *)watched; /* nobody sees it changed */
    uint8_t *was = count ? registers_kept(w) : NULL;
    lane_executes(w, steps, count, lane);
    uint64_t holds = reg_read(w, reg, bytes, lane);
    if (was)
        registers_put_back(w, was);
    return holds;
}
