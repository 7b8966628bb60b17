/**
 * @file decides.c
 * See decides.h.
 */
#include "analyse/decides.h"

#include <stdlib.h>

#include "analyse/carried.h"
#include "analyse/flow.h"
#include "analyse/loops.h"
#include "analyse/origin.h"
#include "analyse/paths.h"
#include "analyse/retries.h"
#include "analyse/swaps.h"
#include "code/operands.h"

#define MAX_WAYS 24

/** A way on one side of the branch. */
struct look_way {
    const struct insn *at;
    bool read;   /**< it has read something since */
};

/** Does every way from `from` come back to the load, or leave the loop behind another load, and one do come back? */
static bool only_looks(const struct function *f, const struct insn *load, const struct insn *from, struct loop turns)
{
    struct look_way ways[MAX_WAYS] = {{from, false}};
    const struct insn *been[MAX_WAYS];
    int count = 1, places = 0;
    bool back = false;
    while (count) {
        struct look_way w = ways[--count];
        const struct insn *in = w.at;
        for (; in != load; in++) {
            bool known = false;
            if (in < turns.first || in > turns.last) {
                if (!w.read)
                    return false;
                break;
            }
            if (!insn_is_idle(f, in))
                return false;
            w.read |= insn_class(in) == INSN_LOAD || insn_only_reads(f, in);
            if (insn_class(in) != INSN_BRANCH)
                continue;
            for (int i = 0; i < places; i++)
                known |= been[i] == in;
            if (known && w.read)
                break;
            if (places == MAX_WAYS || count == MAX_WAYS)
                return false;
            been[places++] = in;
            ways[count++] = (struct look_way){in->target, w.read};
            if (!insn_is_guarded(in))
                break;
        }
        back |= in == load;
    }
    return back;
}

/** The same location in every turn: its address comes from before the loop. */
static bool stays(const struct function *f, const struct insn *load, struct loop turns)
{
    struct origin place;
    bool written = false;
    for (const struct insn *in = turns.first; load->mem.address_bytes && in <= turns.last; in++)
        written |= insn_writes(in, load->src[0]);
    return !written || (origin_of(f, load, &place) && (place.made < turns.first || place.made > turns.last));
}

static bool is_unused(const struct function *f, const struct carried *value, const struct insn *from)
{
    for (int i = 0; i < value->count; i++)
        if (path_reads(f, from, value->reg[i]))
            return false;
    return true;
}

/** Only computes, or loads from where the value does not lead: what stands there now can be looked up. */
static bool is_on_the_way(const struct insn *in, const struct carried *value)
{
    if (insn_is_guarded(in))
        return false;
    if (insn_class(in) == INSN_FENCE)
        return true;
    if (insn_class(in) == INSN_COMPUTE)
        return !in->op->flags;
    return insn_class(in) == INSN_LOAD && in->mem.count == 1 && in->mem.bytes <= 8 && in->mem.space != SPACE_LOCAL && in->mem.space != SPACE_PARAM && !in->mem.cluster &&
           !(in->mem.address_bytes && carried_in(value, in->src[0]));
}

static bool decide(const struct function *f, const struct insn *load, void *found)
{
    struct decision *out = found;
    struct carried value = carried_result(load);
    const struct insn *in = load + 1;
    bool reads = insn_class(load) == INSN_LOAD || insn_only_reads(f, load);
    if (!reads || !order_is_strong(&load->mem) || insn_is_guarded(load) || load->mem.count != 1 || load->mem.bytes > 8)
        return false;
    for (; flow_holds(f, in) && is_on_the_way(in, &value); in++) {
        if (in - load > DECIDES_STEPS)
            return false;
        carried_compute(&value, in);
    }
    if (!flow_holds(f, in) || insn_class(in) != INSN_BRANCH || !insn_is_guarded(in) || !carried_in(&value, in->guard) ||
        !flow_holds(f, in->target) || !flow_holds(f, in + 1))
        return false;
    struct loop turns = loop_of_turns(f, load);
    out->branch = in;
    out->side[0].unused = is_unused(f, &value, in + 1);
    out->side[1].unused = is_unused(f, &value, in->target);
    for (int s = 0; s < 2; s++) {
        const struct insn *from = s ? in->target : in + 1, *other = s ? in + 1 : in->target;
        out->side[s].spared = out->side[!s].unused ? spared_update(f, from, other, value) : (struct spared){0};
        out->side[s].looks = (out->side[s].unused && turns.first && stays(f, load, turns) && only_looks(f, load, from, turns)) ||
                             leads_to_retry(f, load, from) || leads_to_swap(f, load, from, value) ||
                             leads_to_swap_or_back(f, load, from, other, value);
    }
    return out->side[0].unused || out->side[1].unused || out->side[0].looks || out->side[1].looks;
}

const struct decision *load_decides(const struct function *f, const struct insn *load)
{
    return f && flow_holds(f, load) ? flow_of_insn(f, load, &flow_of(f)->decisions, decide, sizeof(struct decision)) : NULL;
}
