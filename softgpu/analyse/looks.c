/**
 * @file looks.c
 * See looks.h. Two loads are of one location if their addresses are copies of one register, as far as they
 * can be followed.
 */
#include "analyse/looks.h"

#include "analyse/flow.h"
#include "analyse/polls.h"
#include "code/operands.h"

#define WINDOW 96
#define MAX_COPIES 8
#define MAX_WAYS 16

/** Registers that hold the same value. */
struct copies {
    uint32_t reg[MAX_COPIES];
    int count;
};

static bool holds(const struct copies *c, uint32_t reg)
{
    for (int i = 0; i < c->count; i++)
        if (c->reg[i] == reg)
            return true;
    return false;
}

static void put(struct copies *c, uint32_t reg)
{
    if (!holds(c, reg) && c->count < MAX_COPIES)
        c->reg[c->count++] = reg;
}

static void take(struct copies *c, uint32_t reg)
{
    for (int i = 0; i < c->count; i++)
        if (c->reg[i] == reg)
            c->reg[i--] = c->reg[--c->count];
}

/** The register whose value the instruction copies, cvta included; REG_NONE if it does not only copy one. */
static uint32_t copied_from(const struct insn *in)
{
    uint32_t from = REG_NONE;
    struct operand_iter it = operands_of(in);
    if (in->op->defined != DEFINED_COPIES || insn_is_guarded(in))
        return REG_NONE;
    for (struct operand o; operands_next(&it, &o) && !o.write;) {
        if (o.reg & CONST_BIT)
            continue;
        if (from != REG_NONE)
            return REG_NONE;
        from = o.reg;
    }
    return from;
}

/** Past one instruction: what it copies joins, what it overwrites leaves. */
static void go_on(struct copies *c, const struct insn *in)
{
    uint32_t from = copied_from(in);
    bool joins = from != REG_NONE && holds(c, from);
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);) {
        if (o.write && joins)
            put(c, o.reg);
        else if (o.write)
            take(c, o.reg);
    }
}

/** The registers that hold the load's address when it is executed: copies of one that the basic block has, or
 *  makes, and that is no copy itself. */
static struct copies copies_of_address(const struct function *f, const struct insn *load)
{
    const struct blocks *b = &flow_of(f)->blocks;
    const struct insn *first = f->entry + b->first[b->of[load - f->entry]], *in = load;
    uint32_t origin = load->src[0];
    while (in > first) {
        if (insn_writes(in - 1, origin)) {
            if (copied_from(in - 1) == REG_NONE)
                break;
            origin = copied_from(in - 1);
        }
        in--;
    }
    struct copies c = {0};
    put(&c, origin);
    for (; in < load; in++)
        go_on(&c, in);
    return c;
}

static bool same_location(const struct insn *load, const struct insn *in, const struct copies *address)
{
    return insn_is_memory(in) && in->offset == load->offset &&
           in->mem.address_bytes == load->mem.address_bytes && in->mem.bytes == load->mem.bytes &&
           (load->mem.address_bytes ? holds(address, in->src[0]) : in->mem.space == load->mem.space);
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
    struct copies address;
};

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
            if (same_location(load, in, &w.address) && insn_class(in) == INSN_LOAD && !insn_is_guarded(in))
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
            go_on(&w.address, in);
        }
    }
    return true;
}

/** Carries on what depends on the value. */
static void depend(struct copies *c, const struct insn *in)
{
    struct operand_iter it = operands_of(in);
    bool from = false;
    for (struct operand o; operands_next(&it, &o);) {
        if (!o.write)
            from |= o.role != ROLE_GUARD && holds(c, o.reg);
        else if (from)
            put(c, o.reg);
        else if (!insn_is_guarded(in))
            take(c, o.reg);
    }
}

static struct copies result_of(const struct insn *load)
{
    struct copies c = {0};
    struct operand_iter it = operands_of(load);
    for (struct operand o; operands_next(&it, &o);)
        if (o.write)
            put(&c, o.reg);
    return c;
}

static bool is_first_turn(const struct function *f, const struct insn *load)
{
    struct copies address = copies_of_address(f, load), value = result_of(load);
    go_on(&address, load);
    for (const struct insn *in = load + 1; in < load + WINDOW && in < f->end; in++) {
        if (insn_class(in) == INSN_BRANCH)
            return insn_is_guarded(in) && holds(&value, in->guard) &&
                   (looks_again(f, load, (struct way){in + 1, address}) ||
                    looks_again(f, load, (struct way){in->target, address}));
        if (!is_private(in))
            return false;
        go_on(&address, in);
        depend(&value, in);
    }
    return false;
}

/* ---- A compare-and-swap that would fail */

static bool is_compared(const struct function *f, const struct insn *load)
{
    struct copies address = copies_of_address(f, load), value = result_of(load);
    go_on(&address, load);
    for (const struct insn *in = load + 1; in < load + WINDOW && in < f->end; in++) {
        if (insn_class(in) == INSN_ATOMIC && in->mem.atom == ATOM_CAS && same_location(load, in, &address))
            return holds(&value, element_operand(in, 0));
        if (!insn_falls_through(in))
            return false;
        go_on(&address, in);
        depend(&value, in);
    }
    return false;
}

struct looks {
    int8_t *known;   /**< by instruction; 0: not asked for yet. Any thread that finds it out finds the same */
};
enum { NO = 1, YES };

static void *make_looks(struct arena *a, const void *function)
{
    const struct function *f = function;
    struct looks *l = arena_alloc(a, sizeof *l);
    l->known = arena_alloc(a, (size_t)(f->end - f->entry) * sizeof *l->known);
    return l;
}

bool load_only_looks(const struct function *f, const struct insn *load)
{
    if (!f || !flow_holds(f, load))
        return false;
    int8_t *known = &FLOW_ONCE(f, &flow_of(f)->looks, make_looks, f)->known[load - f->entry];
    int8_t found = __atomic_load_n(known, __ATOMIC_RELAXED);
    if (!found) {
        bool single = insn_class(load) == INSN_LOAD && load->mem.count == 1;
        found = load_polls(f, load) || (single && (is_first_turn(f, load) || is_compared(f, load))) ? YES : NO;
        __atomic_store_n(known, found, __ATOMIC_RELAXED);
    }
    return found == YES;
}
