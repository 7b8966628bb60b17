/**
 * @file swaps.c
 * See swaps.h. Ways are followed with what holds the value on each; those of one branch once, if the same holds it. What is written on any of them
 * counts as written on all.
 */
#include "analyse/swaps.h"

#include "analyse/decided.h"
#include "analyse/flow.h"
#include "analyse/loops.h"
#include "analyse/origin.h"
#include "analyse/paths.h"
#include "code/descriptions.h"
#include "code/operands.h"

#define MAX_WAYS 16
#define MAX_BRANCHES 32
#define MAX_WRITTEN 64

struct swap_way {
    const struct insn *at;
    struct carried value;
};

struct swap_ways {
    struct swap_way list[MAX_WAYS], been[MAX_BRANCHES];
    int count, places;
    const struct insn *made;   /**< makes the location's address, anew where a way passes it again; NULL: nothing does */
    bool may_end;   /**< the way: the thread leaves, or looks there again; and it stores nothing before that */
    const struct insn *meet;   /**< where a way may end, too: who gets another value goes there at once; NULL: nowhere. Nothing is stored before. */
    bool met, is_number;
    uint64_t number;           /**< is_number: what the load has returned */
    uint32_t written[MAX_WRITTEN];
    int written_count;
};

enum end { GOES_ON, ENDS_WELL, ENDS_BADLY };

static bool holds_same(const struct carried *a, const struct carried *b)
{
    bool same = a->count == b->count;
    for (int i = 0; i < a->count && same; i++)
        same = carried_in(b, a->reg[i]);
    return same;
}

/** Ways part there. */
static enum end part(const struct function *f, struct swap_ways *ways, const struct swap_way *w, const struct insn *branch)
{
    for (int i = 0; i < ways->places; i++)
        if (ways->been[i].at == branch && holds_same(&ways->been[i].value, &w->value))
            return ENDS_WELL; /* what lies behind is asked already */
    if (ways->places == MAX_BRANCHES || ways->count == MAX_WAYS || !flow_holds(f, branch->target))
        return ENDS_BADLY;
    if (ways->meet && branch->target <= branch && branch->target != ways->meet)
        return ENDS_BADLY; /* goes round, perhaps for long */
    ways->been[ways->places] = *w;
    ways->been[ways->places++].at = branch;
    ways->list[ways->count] = *w;
    ways->list[ways->count++].at = branch->target;
    return insn_is_guarded(branch) ? GOES_ON : ENDS_WELL;
}

/** Another look at the location, and nothing made of the value is read from there on: a turn of the loop, unrolled. */
static bool looks_anew(const struct function *f, const struct insn *load, const struct insn *in, const struct carried *value)
{
    if (insn_class(in) != INSN_LOAD || insn_is_guarded(in) || !order_is_strong(&in->mem) || !origins_agree(f, load, in))
        return false;
    for (int i = 0; i < value->count; i++)
        if (path_reads(f, in, value->reg[i]))
            return false;
    return true;
}

/** The load's location, by the text, or by the register that both take its address from and nobody has written in between. */
static bool is_same_place(const struct function *f, const struct insn *load, const struct insn *in, const struct swap_ways *ways)
{
    bool same = ways->meet && load->mem.address_bytes && in->src[0] == load->src[0] && in->offset == load->offset &&
                in->mem.space == load->mem.space && in->mem.bytes == load->mem.bytes;
    for (int i = 0; same && i < ways->written_count; i++)
        same = ways->written[i] != load->src[0];
    return same || origins_agree(f, load, in);
}

static bool expects(const struct function *f, const struct insn *swap, const struct swap_ways *ways, const struct carried *value)
{
    uint32_t reg = element_operand(swap, 0);
    uint64_t number;
    return carried_in(value, reg) || (ways->is_number && origin_number(f, swap, reg, swap->mem.bytes, &number) && number == ways->number);
}

static enum end end_at(const struct function *f, const struct insn *load, const struct insn *in, const struct carried *value, struct swap_ways *ways)
{
    bool is_swap = insn_class(in) == INSN_ATOMIC && in->mem.atom == ATOM_CAS && in->mem.count == 1;
    if (in == ways->meet)
        ways->met = true;
    if (in == load || in == ways->meet || (ways->may_end && looks_anew(f, load, in, value)))
        return ENDS_WELL;
    if (ways->may_end && insn_class(in) == INSN_EXIT)
        return insn_is_guarded(in) ? GOES_ON : ENDS_WELL;
    if (is_swap && !insn_is_guarded(in) && expects(f, in, ways, value) && is_same_place(f, load, in, ways))
        return ENDS_WELL;
    if (insn_class(in) == INSN_STORE && !ways->may_end && !ways->meet)
        return in->mem.address_bytes && carried_in(value, in->src[0]) ? ENDS_BADLY : GOES_ON;
    return insn_is_idle(f, in) ? GOES_ON : ENDS_BADLY;
}

/** @return false if it has no room */
static bool note_written(struct swap_ways *ways, const struct insn *in)
{
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);) {
        int i = 0;
        while (o.write && i < ways->written_count && ways->written[i] != o.reg)
            i++;
        if (o.write && i == MAX_WRITTEN)
            return false;
        if (o.write && i == ways->written_count)
            ways->written[ways->written_count++] = o.reg;
    }
    return true;
}

static enum end follow(const struct function *f, const struct insn *load, struct swap_ways *ways, struct swap_way *w)
{
    for (const struct insn *in = w->at; flow_holds(f, in); in++) {
        enum end end = in == ways->made ? ENDS_BADLY : end_at(f, load, in, &w->value, ways);
        if (end == GOES_ON && insn_class(in) == INSN_BRANCH)
            end = part(f, ways, w, in);
        if (end != GOES_ON)
            return end;
        carried_compute(&w->value, in);
        if (ways->meet && !note_written(ways, in))
            return ENDS_BADLY;
    }
    return ENDS_BADLY;
}

static bool ways_end_well(const struct function *f, const struct insn *load, struct swap_ways *ways)
{
    struct origin place;
    bool known = origin_of(f, load, &place);
    if (!known && !ways->meet)
        return false;
    ways->made = known ? place.made : NULL;
    while (ways->count) {
        struct swap_way w = ways->list[--ways->count];
        if (follow(f, load, ways, &w) == ENDS_BADLY)
            return false;
    }
    return true;
}

static bool all_end_well(const struct function *f, const struct insn *load, struct swap_ways ways)
{
    return ways_end_well(f, load, &ways);
}

bool leads_to_swap(const struct function *f, const struct insn *load, const struct insn *from, struct carried value)
{
    return all_end_well(f, load, (struct swap_ways){.list = {{from, value}}, .count = 1});
}

/** Does the branch lead to `from` where the load's value, which it has as it was, equals a number? */
static bool equals_number(const struct function *f, const struct insn *load, const struct insn *branch, const struct insn *from, uint64_t *number)
{
    struct decided d = decided_once(f, branch, from);
    struct carried same = carried_result(load);
    if (!d.compare || d.compare < load || (insn_row(d.compare) != ROW_is_eq_32 && insn_row(d.compare) != ROW_is_eq_64) ||
        d.holds == !!(d.compare->imm & PRED_INVERT))
        return false;
    for (const struct insn *in = load + 1; in < d.compare; in++)
        carried_copy(&same, in);
    for (int side = 0; side < 2; side++)
        if (carried_in(&same, d.compare->src[side]) && origin_number(f, d.compare, d.compare->src[!side], load->mem.bytes, number))
            return load->mem.bytes == (insn_row(d.compare) == ROW_is_eq_32 ? 4 : 8);
    return false;
}

bool leads_to_swap_or_back(const struct function *f, const struct insn *load, const struct insn *from, const struct insn *other, struct carried value)
{
    const struct insn *branch = load, *meet = other;
    while (!insn_ends_block(branch))
        branch++;
    for (int i = 0; i < MAX_WAYS && flow_holds(f, meet) && insn_class(meet) == INSN_BRANCH && !insn_is_guarded(meet); i++)
        meet = meet->target;
    struct swap_ways ways = {.list = {{from, value}}, .count = 1, .meet = meet};
    ways.is_number = equals_number(f, load, branch, from, &ways.number);
    for (const struct insn *in = load + 1; in < branch; in++)
        if (insn_writes(in, load->src[0]))
            return false;
    if (!flow_holds(f, meet) || !ways_end_well(f, load, &ways))
        return false;
    for (int i = 0; ways.met && i < ways.written_count; i++)
        if (path_reads(f, meet, ways.written[i]))
            return false;
    for (int i = 0; ways.met && i < value.count; i++)
        if (path_reads(f, meet, value.reg[i]))
            return false;
    return true;
}

static bool is_tried(const struct function *f, const struct insn *load)
{
    return all_end_well(f, load, (struct swap_ways){.list = {{load + 1, carried_result(load)}}, .count = 1, .may_end = true});
}

bool load_is_tried(const struct function *f, const struct insn *load)
{
    return f && flow_holds(f, load) && insn_class(load) == INSN_LOAD && load->mem.count == 1 && flow_answer(f, load, &flow_of(f)->tried, is_tried);
}
