/**
 * @file held_back.c
 * See held_back.h. The way is the text from the load on, through branches that everybody takes, past barriers and other accesses: a lane's
 * registers are its own, so what others do meanwhile changes nothing about where its value goes.
 */
#include "analyse/held_back.h"

#include "analyse/carried.h"
#include "analyse/flow.h"
#include "analyse/paths.h"
#include "code/operands.h"

#define HELD_BRANCHES 4

struct held_way {
    const struct insn *at[HELD_WAY];
    bool uses[HELD_WAY], makes[HELD_WAY];   /**< as in struct held_step */
    int count;
    struct carried value;
};

static bool reads_value(const struct held_way *way, const struct insn *in)
{
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);)
        if (!o.write && carried_in(&way->value, o.reg))
            return true;
    return false;
}

/** Results that are made of the value join, others leave, where all lanes write them. @return false if there are too many */
static bool put_results(struct held_way *way, const struct insn *in, bool of_value)
{
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);) {
        if (o.write && of_value)
            carried_put(&way->value, o.reg);
        else if (o.write && !insn_is_guarded(in))
            carried_drop(&way->value, o.reg);
    }
    return way->value.count < MAX_CARRIED;
}

/** Marks what makes the register, before the way's instruction `before`. @return false if that cannot be computed ahead */
static bool mark_makers(struct held_way *way, uint32_t reg, int before)
{
    int i = before;
    while (i > 0 && !insn_writes(way->at[i - 1], reg))
        i--;
    if (i == 0 || way->makes[i - 1])
        return true; /* as it is at the load; or marked */
    const struct insn *in = way->at[--i];
    if (insn_class(in) != INSN_COMPUTE || in->op->flags || insn_is_guarded(in))
        return false;
    way->makes[i] = true;
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);)
        if (!o.write && !(o.reg & CONST_BIT) && !mark_makers(way, o.reg, i))
            return false;
    return true;
}

/** May a guard hold the instruction back, with all that it does outside of the lane's registers? */
static bool is_held(const struct insn *in)
{
    enum insn_class c = insn_class(in);
    return insn_is_guarded(in) && (c == INSN_LOAD || c == INSN_STORE || c == INSN_ATOMIC || c == INSN_COPY || c == INSN_HINT);
}

/** Past the way's last instruction. @return false if it takes the value elsewhere */
static bool go_past(struct held_way *way)
{
    int last = way->count - 1;
    const struct insn *in = way->at[last];
    bool of_value = reads_value(way, in);
    if (!of_value)
        return put_results(way, in, false);
    if (carried_in(&way->value, in->guard))
        return false;
    if (insn_class(in) == INSN_COMPUTE && !in->op->flags)
        return put_results(way, in, true);
    way->uses[last] = true;
    return is_held(in) && mark_makers(way, in->guard, last);
}

/** Does the way end before the instruction? */
static bool ends_before(const struct insn *in)
{
    return insn_ends_block(in) || insn_class(in) == INSN_CALL || insn_class(in) == INSN_UNSUPPORTED;
}

/** @return where it ends; NULL: outside of the function, too far, or the value goes elsewhere on it */
static const struct insn *walk(const struct function *f, const struct insn *load, struct held_way *way)
{
    int branches = 0;
    for (const struct insn *in = load + 1; flow_holds(f, in); in++) {
        while (insn_class(in) == INSN_BRANCH && !insn_is_guarded(in) && flow_holds(f, in->target) && branches++ < HELD_BRANCHES)
            in = in->target;
        if (ends_before(in))
            return in;
        if (way->count == HELD_WAY)
            return NULL;
        way->at[way->count++] = in;
        if (!go_past(way))
            return NULL;
    }
    return NULL;
}

/** Does a guard hold any access back? nvcc writes branches instead. */
static void *look_for_guards(struct arena *a, const void *function)
{
    const struct function *f = function;
    bool *any = arena_alloc(a, sizeof *any);
    for (const struct insn *in = f->entry; in < f->end && !*any; in++)
        *any = is_held(in) && insn_class(in) != INSN_LOAD;
    return any;
}

/** Fills in the uses. @return false if the value goes elsewhere, or nowhere at all */
static bool follow(const struct function *f, const struct insn *load, void *found)
{
    struct held_uses *held = found;
    struct held_way way;
    if (insn_class(load) != INSN_LOAD || order_is_strong(&load->mem) || !f->is_entry ||
        !*FLOW_ONCE(f, &flow_of(f)->holds_back, look_for_guards, f))
        return false;
    way.count = 0;
    way.value = carried_result(load);
    for (int i = 0; i < HELD_WAY; i++)
        way.uses[i] = way.makes[i] = false;
    const struct insn *end = walk(f, load, &way);
    bool used = false;
    for (int i = 0; end && i < way.value.count; i++)
        if (path_reads(f, end, way.value.reg[i]))
            return false;
    for (int i = 0; end && i < way.count; i++) {
        used |= way.uses[i];
        if (!way.uses[i] && !way.makes[i])
            continue;
        if (held->count == HELD_STEPS)
            return false;
        held->step[held->count++] = (struct held_step){way.at[i], way.uses[i]};
    }
    return used;
}

const struct held_uses *load_held_uses(const struct function *f, const struct insn *load)
{
    return f && flow_holds(f, load) ? flow_of_insn(f, load, &flow_of(f)->held_uses, follow, sizeof(struct held_uses)) : NULL;
}
