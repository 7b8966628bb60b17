/**
 * @file looks.c
 * See looks.h. Two loads are of one location if their addresses are copies of one register, as far as they
 * can be followed.
 */
#include "analyse/looks.h"

#include "analyse/carried.h"
#include "analyse/flow.h"
#include "analyse/loops.h"
#include "analyse/origin.h"
#include "analyse/paths.h"
#include "analyse/polls.h"
#include "analyse/swaps.h"
#include "code/operands.h"

#define WINDOW 96
#define MAX_WAYS 16

static bool same_location(const struct insn *load, const struct insn *in, const struct carried *address)
{
    return insn_is_memory(in) && in->offset == load->offset &&
           in->mem.address_bytes == load->mem.address_bytes && in->mem.bytes == load->mem.bytes &&
           (load->mem.address_bytes ? carried_in(address, in->src[0]) : in->mem.space == load->mem.space);
}

/** May it read and change nothing, whatever it finds? */
static bool is_look(const struct insn *in)
{
    return insn_class(in) == INSN_LOAD || (insn_class(in) == INSN_ATOMIC && in->mem.atom != ATOM_CAS);
}

/** Nobody else sees that it was executed. */
static bool is_private(const struct insn *in)
{
    enum insn_class c = insn_class(in);
    return c == INSN_COMPUTE || c == INSN_FENCE || c == INSN_SLEEP || c == INSN_HINT;
}

/* ---- A branch, and then another look */

struct way {
    const struct insn *at;
    struct carried address;
};

/** Does it look as the load does? An atomic that makes something else of the location, such as the maximum which a look by adding 0 spares, acts. */
static bool is_alike(const struct function *f, const struct insn *load, const struct insn *in)
{
    uint64_t one, other;
    if (insn_class(in) != insn_class(load) || insn_class(load) != INSN_ATOMIC)
        return insn_class(in) == insn_class(load);
    uint32_t a = element_operand(load, 0), b = element_operand(in, 0);
    return in->mem.atom == load->mem.atom && (a == b || (origin_number(f, load, a, load->mem.bytes, &one) && origin_number(f, in, b, in->mem.bytes, &other) && one == other));
}

/** Does every way from `w.at` come to a read of the load's location before anything else is touched? */
static bool looks_again(const struct function *f, const struct insn *load, struct way w)
{
    struct way ways[MAX_WAYS] = {w};
    const struct insn *been[MAX_WAYS];
    int count = 1, places = 0, steps = 0;
    while (count) {
        w = ways[--count];
        for (const struct insn *in = w.at;; in++) {
            if (!flow_holds(f, in) || steps++ > 4 * WINDOW)
                return false;
            if (same_location(load, in, &w.address) && is_alike(f, load, in) && !insn_is_guarded(in))
                break;
            bool known = false;
            if (insn_class(in) == INSN_BRANCH) {
                for (int i = 0; i < places; i++)
                    known |= been[i] == in;
                if (known)
                    break;
                if (places == MAX_WAYS || count + 1 >= MAX_WAYS)
                    return false;
                been[places++] = in;
                ways[count++] = (struct way){in->target, w.address};
                if (!insn_is_guarded(in))
                    break;
                continue;
            }
            if (!is_private(in))
                return false;
            carried_copy(&w.address, in);
        }
    }
    return true;
}

static bool is_first_turn(const struct function *f, const struct insn *load)
{
    uint32_t origin;
    struct carried address = carried_address(f, load, &origin), value = carried_result(load);
    carried_copy(&address, load);
    for (const struct insn *in = load + 1; in < load + WINDOW && in < f->end; in++) {
        if (insn_class(in) == INSN_BRANCH)
            return insn_is_guarded(in) && carried_in(&value, in->guard) &&
                   (looks_again(f, load, (struct way){in + 1, address}) ||
                    looks_again(f, load, (struct way){in->target, address}));
        if (!is_private(in))
            return false;
        carried_copy(&address, in);
        carried_compute(&value, in);
    }
    return false;
}

/* ---- A compare-and-swap that would fail: swaps.c; and one whose failure leads to the next, which expects what this one has found */

/** Does the text from `in` on lead to such a swap, which expects what has been made of the value? */
static bool comes_to_swap(const struct function *f, const struct insn *swap, const struct insn *in, struct way w, struct carried value,
                          bool may_part)
{
    for (int steps = 0; steps < WINDOW && flow_holds(f, in); steps++, in++) {
        if (insn_class(in) == INSN_ATOMIC && in->mem.atom == ATOM_CAS && same_location(swap, in, &w.address))
            return carried_in(&value, element_operand(in, 0));
        if (may_part && insn_class(in) == INSN_BRANCH && insn_is_guarded(in) && carried_in(&value, in->guard))
            return comes_to_swap(f, swap, in + 1, w, value, false) || comes_to_swap(f, swap, in->target, w, value, false);
        if (!insn_falls_through(in))
            return false;
        carried_copy(&w.address, in);
        carried_compute(&value, in);
    }
    return false;
}

static bool is_compared(const struct function *f, const struct insn *load)
{
    uint32_t origin;
    struct way w = {.address = carried_address(f, load, &origin)};
    if (insn_class(load) != INSN_ATOMIC)
        return leads_to_swap(f, load, load + 1, carried_result(load));
    carried_copy(&w.address, load);
    return comes_to_swap(f, load, load + 1, w, carried_result(load), true);
}

/* ---- A second look that confirms the first */

/** Where both stand: their loop, or what is near. */
struct stretch {
    const struct insn *first, *last;
    bool turns;
};

/** Does a branch decide on what the load gets and on what `earlier` has got before it, in this turn or the last? */
static bool meet(const struct insn *earlier, const struct insn *load, struct stretch s)
{
    struct carried before = carried_result(earlier), value = {0};
    const struct insn *in = earlier;
    for (long left = 2 * (s.last - s.first + 1); left > 0 && before.count; left--) {
        if (in == s.last && !s.turns)
            return false;
        in = in == s.last ? s.first : in + 1;
        if (insn_is_guarded(in) && insn_ends_block(in) && carried_in(&before, in->guard) && carried_in(&value, in->guard))
            return true;
        if (insn_ends_block(in))
            continue;
        carried_compute(&before, in);
        carried_compute(&value, in);
        if (in == load)
            value = carried_result(load);
    }
    return false;
}

/** Is the value held against an earlier one of the same location, as a sequence lock's second look is? A stale value that
 *  agrees with it ends the wait. */
static bool confirms(const struct function *f, const struct insn *load)
{
    struct loop turns = loop_of_turns(f, load);
    struct stretch s = {turns.first, turns.last, true};
    uint32_t origin, other;
    if (!s.first)
        s = (struct stretch){load - f->entry > WINDOW ? load - WINDOW : f->entry,
                             f->end - load > WINDOW ? load + WINDOW : f->end - 1, false};
    carried_address(f, load, &origin);
    for (const struct insn *in = s.first; in <= s.last; in++) {
        if (!insn_is_memory(in) || !is_look(in) || in->offset != load->offset || in->mem.bytes != load->mem.bytes ||
            in->mem.space != load->mem.space)
            continue;
        carried_address(f, in, &other);
        if (other == origin && meet(in, load, s))
            return true;
    }
    return false;
}

/* ---- A value that one more turn drops */

/** Does the instruction use the value; not counting, in the turn that has read it, computations? */
static bool uses(const struct carried *value, const struct insn *in, bool next_turn)
{
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);)
        if (!o.write && carried_in(value, o.reg) && (next_turn || insn_class(in) != INSN_COMPUTE || o.role == ROLE_GUARD))
            return true;
    return false;
}

bool load_is_retried(const struct function *f, const struct insn *load)
{
    if (!f || !flow_holds(f, load) || !is_look(load))
        return false;
    struct loop turns = loop_of_turns(f, load);
    struct carried value = carried_result(load);
    const struct insn *in = load;
    if (!turns.first)
        return false;
    for (int turn = 0; turn < 2; turn++)
        do { /* in the order of the text, from the load round to the load */
            in = in == turns.last ? turns.first : in + 1;
            if (uses(&value, in, turn || in == load))
                return false;
            if (!insn_ends_block(in))
                carried_compute(&value, in);
        } while (in != load && value.count);
    return true;
}

struct looks {
    uint16_t *known;   /**< by instruction: a bit for each element, and ASKED. Any thread that finds it out finds the same */
};
#define ASKED 0x8000u

static void *make_looks(struct arena *a, const void *function)
{
    const struct function *f = function;
    struct looks *l = arena_alloc(a, sizeof *l);
    l->known = arena_alloc(a, (size_t)(f->end - f->entry) * sizeof *l->known);
    return l;
}

/** Elements that only look, a bit each. */
static uint16_t find_looks(const struct function *f, const struct insn *load)
{
    bool single = load->mem.count == 1;
    bool again = load_polls(f, load) || (single && is_look(load) && is_first_turn(f, load));
    uint16_t bits = 0;
    again = again && !(is_look(load) && confirms(f, load));
    if (single)
        return again || is_compared(f, load);
    for (unsigned e = 0; e < load->mem.count; e++) /* one that nobody reads does less than look */
        bits |= (uint16_t)(((again && element_polls(f, load, e)) || !path_reads(f, load + 1, element_target(load, e))) << e);
    return bits;
}

bool element_only_looks(const struct function *f, const struct insn *load, unsigned element)
{
    if (!f || !flow_holds(f, load))
        return false;
    uint16_t *known = &FLOW_ONCE(f, &flow_of(f)->looks, make_looks, f)->known[load - f->entry];
    uint16_t found = __atomic_load_n(known, __ATOMIC_RELAXED);
    if (!found) {
        found = find_looks(f, load) | ASKED;
        __atomic_store_n(known, found, __ATOMIC_RELAXED);
    }
    return found >> element & 1;
}

bool load_only_looks(const struct function *f, const struct insn *load)
{
    for (unsigned e = 0; e < load->mem.count; e++)
        if (element_only_looks(f, load, e))
            return true;
    return false;
}
