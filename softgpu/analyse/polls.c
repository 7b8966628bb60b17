/**
 * @file polls.c
 * See polls.h. Ways through the loop are followed with a name for what each register holds: two addresses are one
 * if they have been computed in the same way from the same names.
 */
#include "analyse/polls.h"

#include <stdlib.h>

#include "analyse/carried.h"
#include "analyse/flow.h"
#include "analyse/loops.h"
#include "base/mix.h"
#include "code/operands.h"

#define MAX_NAMES 160
#define MAX_WAYS 24
#define MAX_STEPS 4096
#define MAX_VISITS 3      /* of one branch, by all ways together */
#define MAX_BRANCHES 64

/* ---- Names of what registers hold */

struct names {
    uint32_t reg[MAX_NAMES];
    uint64_t name[MAX_NAMES];
    int count;
    uint64_t memory;   /**< of what plain loads find: another where it may have changed. What others change meanwhile races */
};

/** On a way from the loop's start. */
struct way {
    const struct insn *at;
    struct names names;
    int side;              /**< of the branch in question: 0 not taken yet, 1 its target, 2 what is behind it */
    bool looked;           /**< the load has been passed */
    uint64_t address;      /**< its address then */
};

static uint64_t name_of(const struct names *n, uint32_t reg)
{
    for (int i = 0; i < n->count; i++)
        if (n->reg[i] == reg)
            return n->name[i];
    return mix64(reg + 1ull);
}

/** @return false where there are too many */
static bool give_name(struct names *n, uint32_t reg, uint64_t name)
{
    int i = 0;
    while (i < n->count && n->reg[i] != reg)
        i++;
    if (i == MAX_NAMES)
        return false;
    n->count += i == n->count;
    n->reg[i] = reg;
    n->name[i] = name;
    return true;
}

/** What it computes follows from its operands: no memory that others write, no other lanes. */
static bool is_function_of_operands(const struct insn *in)
{
    bool parameter = insn_class(in) == INSN_LOAD && (in->mem.space == SPACE_PARAM || in->mem.space == SPACE_CONST);
    return parameter || (insn_class(in) == INSN_COMPUTE && in->op->defined != DEFINED_LANES);
}

/** Between two plain loads of one place that nothing of the kind stands between, nobody may store there. */
static bool may_change_memory(const struct function *f, const struct insn *in)
{
    bool acquires = insn_class(in) == INSN_LOAD && (in->mem.order == ORDER_ACQUIRE || in->mem.order == ORDER_ACQ_REL);
    return acquires || insn_class(in) == INSN_FENCE || !insn_is_idle(f, in);
}

static bool is_plain_load(const struct insn *in)
{
    return insn_class(in) == INSN_LOAD && !order_is_strong(&in->mem) && !in->mem.texture && in->mem.address_bytes;
}

/** @param fresh  differs from call to call */
static bool name_results(const struct function *f, struct names *n, const struct insn *in, uint64_t fresh)
{
    bool computes = is_function_of_operands(in) || is_plain_load(in), copies = in->op->defined == DEFINED_COPIES && !insn_is_guarded(in);
    uint64_t name = mix64((uintptr_t)in->op + in->imm) + (is_plain_load(in) ? n->memory : 0), source = 0;
    n->memory = may_change_memory(f, in) ? fresh * MIX_STEP : n->memory;
    int sources = 0, results = 0;
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);) {
        if (!o.write) {
            source = name_of(n, o.reg);
            sources++;
            name = mix64(name + MIX_STEP) ^ source;
            continue;
        }
        uint64_t old = insn_is_guarded(in) ? name_of(n, o.reg) : 0;
        uint64_t result = !computes ? mix64((uintptr_t)in ^ fresh * MIX_STEP) : mix64(name + old);
        if (!give_name(n, o.reg, computes && copies && sources == 1 ? source : result + (uint64_t)results++))
            return false;
    }
    return true;
}

static uint64_t address_of(const struct names *n, const struct insn *load)
{
    return load->mem.address_bytes ? name_of(n, load->src[0]) : 0;
}

/* ---- Ways round the loop */

struct round {
    const struct function *function;
    const struct insn *load, *branch;   /**< the branch in question */
    struct loop turns;
    struct way *ways;
    int count, steps;
    const struct insn *been[MAX_BRANCHES];
    int visits[MAX_BRANCHES], places;
    bool back[3];                       /**< by side: a way of that side comes back */
};

static bool may_visit(struct round *r, const struct insn *branch)
{
    int i = 0;
    while (i < r->places && r->been[i] != branch)
        i++;
    if (i == MAX_BRANCHES)
        return false;
    r->places += i == r->places;
    r->been[i] = branch;
    return r->visits[i]++ < 2 * MAX_VISITS;
}

static void push(struct round *r, const struct way *w, const struct insn *at, int side)
{
    if (r->count == MAX_WAYS || at < r->turns.first || at > r->turns.last)
        return;
    r->ways[r->count] = *w;
    r->ways[r->count].at = at;
    r->ways[r->count++].side = side;
}

/** Where a guarded or an unguarded end of a basic block leads. */
static void part(struct round *r, const struct way *w, const struct insn *in)
{
    bool asked = in == r->branch && w->looked, jumps = insn_class(in) == INSN_BRANCH;
    if (!may_visit(r, in))
        return;
    if (jumps)
        push(r, w, in->target, asked ? 1 : w->side);
    if (insn_falls_through(in))
        push(r, w, in + 1, asked ? 2 : w->side);
}

static void go_round(struct round *r, struct way w)
{
    for (const struct insn *in = w.at; in <= r->turns.last && r->steps++ < MAX_STEPS; in++) {
        if (in == r->load && w.looked) {
            r->back[w.side] |= w.address == address_of(&w.names, in);
            return;
        }
        if (in == r->load) {
            w.looked = true;
            w.address = address_of(&w.names, in);
        }
        if (insn_ends_block(in)) {
            part(r, &w, in);
            return;
        }
        if (!name_results(r->function, &w.names, in, (uint64_t)r->steps))
            return;
    }
}

/** Does one way of the branch come back to the same location, and the other not? */
static bool is_asked_again(const struct function *f, const struct insn *load, const struct insn *branch, struct loop turns)
{
    struct round r = {.function = f, .load = load, .branch = branch, .turns = turns, .ways = malloc(MAX_WAYS * sizeof *r.ways)};
    if (!r.ways)
        abort();
    push(&r, &(struct way){0}, turns.first, 0);
    while (r.count) {
        struct way w = r.ways[--r.count];
        go_round(&r, w);
    }
    free(r.ways);
    return r.back[1] != r.back[2];
}

static bool polls_by(const struct function *f, const struct insn *load, struct carried value)
{
    struct loop turns = loop_of_turns(f, load);
    if (!turns.first)
        return false;
    const struct insn *in = load;
    do { /* in the order of the text, from the load round to the load */
        in = in == turns.last ? turns.first : in + 1;
        bool guarded = insn_is_guarded(in) && insn_ends_block(in);
        if (guarded && carried_in(&value, in->guard) && is_asked_again(f, load, in, turns))
            return true;
        if (!insn_ends_block(in))
            carried_compute(&value, in);
    } while (in != load && value.count);
    return false;
}

static bool result_polls(const struct function *f, const struct insn *load)
{
    return polls_by(f, load, carried_result(load));
}

bool load_polls(const struct function *f, const struct insn *load)
{
    return f && flow_holds(f, load) && flow_answer(f, load, &flow_of(f)->polled, result_polls);
}

bool element_polls(const struct function *f, const struct insn *load, unsigned element)
{
    uint32_t reg = element_target(load, element);
    return reg != REG_NONE && polls_by(f, load, (struct carried){.reg = {reg}, .count = 1});
}
