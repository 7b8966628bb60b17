/**
 * @file emit_turns.c
 * A loop that is one block as emit_straight.c finds it, and of which it can be foreseen whether all lanes go round again: nothing but its loads and its sum hangs on what has
 * been loaded. Then its other registers run ahead, and if all lanes go round TURNS times, all those turns' loads are looked at, and each lane's sum is made, at once. Fuel and
 * instructions are counted as if each turn had run by itself.
 */
#include "compile/emit_straight.h"
#include "compile/way.h"

#include <stdlib.h>
#include <string.h>

#include "execute/engine.h"

#define TURNS STRAIGHT_TURNS
#define MOST_STEP 4096

/** Does the instruction read what has been loaded, or the sum? */
static bool hangs_on_loads(const struct emit *e, const struct straight *s, int i, const bool *hangs)
{
    struct operand_iter it = operands_of(e->p->f->entry + i);
    for (struct operand o; operands_next(&it, &o);) {
        if (o.write || (o.reg & CONST_BIT))
            continue;
        int at = straight_loaded_by(e, s, i, o.reg);
        if (at >= 0 ? hangs[at - s->first] : plan_slot(o.reg) == e->p->slot_of_web[s->web])
            return true;
    }
    return false;
}

/** The group's address is one register, to which a number is added once. */
static bool find_step(const struct emit *e, struct straight *s, int g)
{
    const struct insn *code = e->p->f->entry;
    uint32_t reg = code[s->groups[g].first].src[0];
    int writer = straight_loaded_by(e, s, s->last, reg);
    long long step;
    if (writer < 0 || straight_loaded_by(e, s, writer, reg) >= 0 || insn_row(code + writer) != ROW_add_64 || code[writer].src[0] != reg || !(code[writer].src[1] & CONST_BIT))
        return false;
    memcpy(&step, e->p->f->image->constants + (code[writer].src[1] & ~CONST_BIT), sizeof step);
    s->step[g] = (int)step;
    return step > 0 && step <= MOST_STEP;
}

/** What is not done by itself in a turn that runs ahead; @return false: there is something that the next turn or others need */
static bool find_hanging(const struct emit *e, const struct straight *s, bool *hangs)
{
    const struct plan *p = e->p;
    const struct insn *code = p->f->entry;
    for (int i = s->first; i < s->last; i++) {
        if (code[i].guard != REG_NONE)
            return false;
        if (p->way[i] == WAY_ROW && insn_row(code + i) != ROW_lop3_lut && (way_directed(code + i) || !way_row_text(code + i, true) || !way_row_text(code + i, false)))
            return false;
        hangs[i - s->first] = insn_class(code + i) == INSN_LOAD || hangs_on_loads(e, s, i, hangs);
        struct operand_iter it = operands_of(code + i);
        for (struct operand o; operands_next(&it, &o);) {
            if (!o.write)
                continue;
            if (p->in_memory[plan_slot(o.reg)] || (hangs[i - s->first] && !lanes_does(s, i) && plan_bit(p->live_in + (size_t)e->block * p->slot_words, plan_slot(o.reg))))
                return false;
        }
    }
    return !hangs_on_loads(e, s, s->last, hangs);
}

bool turns_find(const struct emit *e, struct straight *s)
{
    const struct insn *code = e->p->f->entry, *branch = code + s->last;
    bool *hangs = calloc((size_t)(s->last - s->first) + 1, sizeof *hangs);
    if (!hangs)
        abort();
    bool found = branch->guard != REG_NONE && branch->target == code + s->first && straight_loaded_by(e, s, s->last, s->elements[0].text.base) < 0 &&
                 find_hanging(e, s, hangs);
    free(hangs);
    for (int g = 0; g < s->group_count && found; g++)
        found = find_step(e, s, g);
    for (int n = 0; n < s->element_count && found; n++) /* the indices of all turns are one vector */
        found = s->elements[n].group == s->elements[0].group && s->step[s->elements[n].group] == 4 * GROUP_WORDS;
    if (!found)
        memset(s->step, 0, sizeof s->step);
    return found;
}

bool *turns_hanging(const struct emit *e, const struct straight *s)
{
    bool *hangs = calloc((size_t)(s->last - s->first) + 1, sizeof *hangs);
    if (!hangs)
        abort();
    find_hanging(e, s, hangs);
    return hangs;
}

void turns_ahead(struct emit *e, const struct straight *s, const bool *hangs, struct value *kept, char what)
{
    const struct insn *code = e->p->f->entry;
    for (int i = s->first; i < s->last; i++) {
        if (hangs[i - s->first])
            continue;
        if (what == 'w') {
            emit_insn(e, code + i);
            continue;
        }
        struct operand_iter it = operands_of(code + i);
        for (struct operand o; operands_next(&it, &o);) {
            if (!o.write)
                continue;
            int web = plan_web(e->p, i, o.reg, true);
            if (what == 'k')
                kept[i - s->first] = emit_web(e, web);
            else
                T(e, "  store %s %s, ptr %%r%d\n", emit_type(emit_bits(e, (uint32_t)e->p->slot_of_web[web] * FLOW_SLOT), e->p->varying[web]), kept[i - s->first].text, web);
        }
    }
}

/** The later turns' places of the groups, of the first one's. */
static void place_groups(struct emit *e, const struct straight *s)
{
    for (int n = 0; n < s->turns * s->group_count; n++) {
        int g = n % s->group_count, turn = n / s->group_count, from = e->p->count + s->groups[g].first, to = straight_group_id(e, s, g, turn);
        T(e, "  %%GvxZ%d = getelementptr i8, ptr %%GvxZ%d, i64 %d\n  %%GvsZ%d = add i64 %%GvsZ%d, 0\n  %%GvoZ%d = add i64 %%GvoZ%d, %d\n", to, from, turn * s->step[g], to, from, to, from,
          turn * s->step[g]);
        T(e, "  %%GvlaZ%d = getelementptr i8, ptr %%GvlaZ%d, i64 0\n", to, from);
    }
}

/** All lanes go round after each turn but the last one, and fuel and rows reach as far: to label ZwaID, else to ZwsID. */
static void look_ahead(struct emit *e, const struct straight *s, int id, const bool *hangs, struct value *kept)
{
    const struct insn *branch = e->p->f->entry + s->last;
    struct value fuel = emit_load(e, "i64", "%w", FIELD(warp, fuel)), polled = emit_load(e, "i8", "%w", FIELD(warp, polled));
    T(e, "  %%Zwf%d = icmp sgt i64 %s, %d\n  %%Zwp%d = icmp eq i8 %s, 0\n  %%Zwg%d_0 = and i1 %%Zwf%d, %%Zwp%d\n", id, fuel.text, TURNS, id, polled.text, id, id, id);
    for (int g = 0; g < s->group_count; g++) {
        int from = e->p->count + s->groups[g].first;
        T(e, "  %%Zwh%d_%d = add i64 %%GviZ%d, %d\n  %%Zwi%d_%d = icmp uge i64 %%GvkZ%d, %%Zwh%d_%d\n  %%Zwg%d_%d = and i1 %%Zwg%d_%d, %%Zwi%d_%d\n", id, g, from,
          (TURNS - 1) * s->step[g], id, g, from, id, g, id, g + 1, id, g, id, g);
    }
    T(e, "  %%Zwt%d_0 = and i32 -1, -1\n", id);
    for (int turn = 1; turn < TURNS; turn++) {
        turns_ahead(e, s, hangs, kept, 'w');
        e->at = s->last;
        T(e, "  %%Zwt%d_%d = and i32 %%Zwt%d_%d, %s\n", id, turn, id, turn - 1, emit_active(e, branch).text);
    }
    T(e, "  %%Zwu%d = icmp eq i32 %%Zwt%d_%d, -1\n  %%Zwv%d = and i1 %%Zwu%d, %%Zwg%d_%d\n", id, id, TURNS - 1, id, id, id, s->group_count);
}

/** What the branches of the turns but the last would have counted. */
static void count_turns(struct emit *e, const struct straight *s, int id)
{
    int instructions = (TURNS - 1) * (s->last + 1 - s->first);
    T(e, "  %%Zwn%d = load i64, ptr %%n\n  %%Zwna%d = add i64 %%Zwn%d, %d\n  store i64 %%Zwna%d, ptr %%n\n", id, id, id, instructions, id);
    T(e, "  %%Zwl%d = load i64, ptr %%l\n  %%Zwla%d = add i64 %%Zwl%d, %d\n  store i64 %%Zwla%d, ptr %%l\n", id, id, id, instructions * WARP_LANES, id);
    char burnt[12];
    snprintf(burnt, sizeof burnt, "%d", 1 - TURNS);
    emit_add(e, burnt, "%w", FIELD(warp, fuel));
}

void turns_emit(struct emit *e, struct straight *s, int id)
{
    size_t length = (size_t)(s->last - s->first) + 1;
    bool *hangs = turns_hanging(e, s);
    struct value *before = calloc(length, sizeof *before), *then = calloc(length, sizeof *then);
    if (!before || !then)
        abort();
    turns_ahead(e, s, hangs, before, 'k');
    look_ahead(e, s, id, hangs, then);
    turns_ahead(e, s, hangs, then, 'k');
    turns_ahead(e, s, hangs, before, 'b');
    emit_forget_raw(e);
    T(e, "  br i1 %%Zwv%d, label %%Zwa%d, label %%Zws%d, !prof !2\nZwa%d:\n", id, id, id, id);
    struct straight turns = *s;
    turns.turns = TURNS, turns.text = 2, turns.id = e->next++;
    place_groups(e, &turns);
    struct value sums = emit_web(e, s->web);
    lanes_add(e, &turns);
    T(e, "  br label %%Zwz%d\nYj%d:\n  store <32 x i32> %s, ptr %%r%d\n  br label %%Zws%d\nZwz%d:\n", id, turns.id, sums.text, s->web, id, id);
    straight_count(e, &turns);
    count_turns(e, s, id);
    turns_ahead(e, s, hangs, then, 'b');
    for (int g = 0; g < s->group_count; g++) {
        access_load_even_rows(e, straight_group_id(e, &turns, g, TURNS - 1), false);
        access_turn_group(e, &s->groups[g], straight_group_id(e, &turns, g, TURNS - 1));
    }
    straight_rest(e, &turns);
    emit_forget_raw(e);
    T(e, "  br label %%Ze%d\nZws%d:\n", id, id);
    free(hangs);
    free(before);
    free(then);
}
