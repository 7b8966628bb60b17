/**
 * @file swaps.c
 * See swaps.h. Ways are followed with what holds the value on each; those of one branch once, if the same holds it.
 */
#include "analyse/swaps.h"

#include "analyse/flow.h"
#include "analyse/loops.h"
#include "analyse/origin.h"
#include "analyse/paths.h"
#include "code/operands.h"

#define MAX_WAYS 16
#define MAX_BRANCHES 32

struct swap_way {
    const struct insn *at;
    struct carried value;
};

struct swap_ways {
    struct swap_way list[MAX_WAYS], been[MAX_BRANCHES];
    int count, places;
    const struct insn *made;   /**< makes the location's address, anew where a way passes it again; NULL: nothing does */
    bool may_end;   /**< the way: the thread leaves, or looks there again; and it stores nothing before that */
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

static enum end end_at(const struct function *f, const struct insn *load, const struct insn *in, const struct carried *value, bool may_end)
{
    bool is_swap = insn_class(in) == INSN_ATOMIC && in->mem.atom == ATOM_CAS && in->mem.count == 1;
    if (in == load || (may_end && looks_anew(f, load, in, value)))
        return ENDS_WELL;
    if (may_end && insn_class(in) == INSN_EXIT)
        return insn_is_guarded(in) ? GOES_ON : ENDS_WELL;
    if (is_swap && !insn_is_guarded(in) && carried_in(value, element_operand(in, 0)) && origins_agree(f, load, in))
        return ENDS_WELL;
    if (insn_class(in) == INSN_STORE && !may_end)
        return in->mem.address_bytes && carried_in(value, in->src[0]) ? ENDS_BADLY : GOES_ON;
    return insn_is_idle(f, in) ? GOES_ON : ENDS_BADLY;
}

static enum end follow(const struct function *f, const struct insn *load, struct swap_ways *ways, struct swap_way *w)
{
    for (const struct insn *in = w->at; flow_holds(f, in); in++) {
        enum end end = in == ways->made ? ENDS_BADLY : end_at(f, load, in, &w->value, ways->may_end);
        if (end == GOES_ON && insn_class(in) == INSN_BRANCH)
            end = part(f, ways, w, in);
        if (end != GOES_ON)
            return end;
        carried_compute(&w->value, in);
    }
    return ENDS_BADLY;
}

static bool all_end_well(const struct function *f, const struct insn *load, struct swap_ways ways)
{
    struct origin place;
    if (!origin_of(f, load, &place))
        return false;
    ways.made = place.made;
    while (ways.count) {
        struct swap_way w = ways.list[--ways.count];
        if (follow(f, load, &ways, &w) == ENDS_BADLY)
            return false;
    }
    return true;
}

bool leads_to_swap(const struct function *f, const struct insn *load, const struct insn *from, struct carried value)
{
    return all_end_well(f, load, (struct swap_ways){.list = {{from, value}}, .count = 1});
}

bool load_is_tried(const struct function *f, const struct insn *load)
{
    return f && flow_holds(f, load) && insn_class(load) == INSN_LOAD && load->mem.count == 1 &&
           all_end_well(f, load, (struct swap_ways){.list = {{load + 1, carried_result(load)}}, .count = 1, .may_end = true});
}
