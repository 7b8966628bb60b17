/**
 * @file goes.c
 * See goes.h.
 */
#include "analyse/goes.h"

#include "analyse/flow.h"
#include "analyse/looked_at.h"
#include "analyse/origin.h"
#include "code/descriptions.h"
#include "code/operands.h"

#define MOST_MAKERS 16   /* instructions that make an address */

static bool is_store(const struct insn *in)
{
    return insn_class(in) == INSN_STORE && in->mem.space != SPACE_LOCAL && in->mem.space != SPACE_PARAM && !in->mem.call_slot;
}

const struct insn *value_kept_next(const struct function *f, const struct insn *check, const struct insn *in, struct carried *kept, bool copies)
{
    for (in++; in < f->end && in <= check + MOST_FOLLOWED && kept->count; in++) {
        bool atomic = insn_class(in) == INSN_ATOMIC, writes = atomic || insn_class(in) == INSN_STORE;
        bool keeps = writes && in->mem.count == 1 && carried_in(kept, atomic ? element_operand(in, 0) : in->src[1]) && !origins_agree(f, in, check);
        value_follow(kept, in, copies);
        if (keeps)
            return in;
    }
    return NULL;
}

static bool ask_goes(const struct function *f, const struct insn *check)
{
    struct carried depends = carried_result(check);
    return value_kept_next(f, check, check, &depends, false);
}

bool value_goes_elsewhere(const struct function *f, const struct insn *check)
{
    return flow_holds(f, check) ? flow_answer(f, check, &flow_of(f)->goes, ask_goes) : ask_goes(f, check);
}

static bool ask_leads(const struct function *f, const struct insn *read)
{
    struct carried depends = {0};
    carried_put(&depends, read->dst);
    for (const struct insn *in = read + 1; in < f->end && in <= read + MOST_FOLLOWED && depends.count; in++) {
        if (insn_is_memory(in) && in->mem.address_bytes && carried_in(&depends, in->src[0]))
            return true;
        value_follow(&depends, in, false);
    }
    return false;
}

bool value_leads_on(const struct function *f, const struct insn *read)
{
    return flow_holds(f, read) && flow_answer(f, read, &flow_of(f)->leads, ask_leads);
}

/** What a register holds when the thread comes to `at`, and where it was made. */
struct held {
    const struct insn *at;
    uint32_t reg;
    const struct insn *made;   /**< NULL: by several, such as a loop's counter */
};

/** Copies are followed back, and sums with numbers: who names a node by one more than its number names it. */
static struct held held_at(const struct function *f, const struct insn *at, uint32_t reg)
{
    for (int links = 0;; links++) {
        const struct insn *made = reg & CONST_BIT ? NULL : register_writer(f, at, reg);
        uint32_t from = made ? insn_adds_to(made) : REG_NONE;
        if (from == REG_NONE || from & CONST_BIT || links == MOST_MAKERS) {
            made = made ? first_such_sum(f, made) : NULL;
            return (struct held){at, made && insn_row(made) == ROW_add_64 ? made->dst : reg, made};
        }
        at = made;
        reg = from;
    }
}

static bool is_held(const struct held *a, const struct held *b)
{
    const struct insn *first = a->at < b->at ? a->at : b->at, *last = a->at < b->at ? b->at : a->at;
    return a->reg == b->reg && a->made == b->made && !(a->reg & CONST_BIT) && (a->made || !insns_write(first, last, a->reg));
}

/** Is the register's value at `at` made of that, too? */
static bool is_made_of(const struct function *f, const struct insn *at, uint32_t reg, const struct held *of)
{
    struct held todo[MOST_MAKERS] = {held_at(f, at, reg)};
    for (int i = 0, count = 1; i < count; i++) {
        const struct insn *made = todo[i].made;
        struct operand_iter it;
        if (is_held(&todo[i], of))
            return true;
        if (!made || insn_is_memory(made))
            continue;
        it = operands_of(made);
        for (struct operand o; operands_next(&it, &o);)
            if (!o.write && o.role == ROLE_SOURCE && !(o.reg & CONST_BIT) && count < MOST_MAKERS)
                todo[count++] = held_at(f, made, o.reg);
    }
    return false;
}

bool value_is_linked(const struct function *f, const struct insn *check, const struct insn *act)
{
    struct held put = held_at(f, act, insn_class(act) == INSN_ATOMIC ? element_operand(act, 0) : act->src[1]);
    struct carried same = carried_result(check), depends = same;
    for (const struct insn *in = check + 1; in < f->end && in <= check + MOST_FOLLOWED && depends.count && !(put.reg & CONST_BIT); in++) {
        for (unsigned e = 0; is_store(in) && in != act && e < in->mem.count; e++) {
            if (carried_in(&same, element_stored(in, e)) && is_made_of(f, in, in->src[0], &put))
                return true;
            struct held stored = held_at(f, in, element_stored(in, e));
            if (carried_in(&depends, in->src[0]) && is_held(&stored, &put))
                return true;
        }
        value_follow(&same, in, true);
        value_follow(&depends, in, false);
    }
    return false;
}
