/**
 * @file uses.c
 * See uses.h. Two passes over the function: the first counts, the second fills in.
 */
#include "analyse/uses.h"

#include "analyse/flow.h"

/** Lists by slot: those of slot s lie in `at[from[s]]` up to `at[from[s + 1]]`. */
struct lists {
    int *from, *at;
};

struct uses {
    int slots;
    struct lists readers, writers;
};

static struct lists *lists_for(struct uses *u, enum register_use use)
{
    return use == USE_WRITE ? &u->writers : use == USE_READ || use == USE_READ_LATE ? &u->readers : NULL;
}

/** While counting, from[s + 2] is the number of slot s; while filling, from[s + 1] is where it goes on. */
static void count_use(void *context, int i, int slot, enum register_use use)
{
    struct lists *l = lists_for(context, use);
    (void)i;
    if (l)
        l->from[slot + 2]++;
}

static void add_use(void *context, int i, int slot, enum register_use use)
{
    struct lists *l = lists_for(context, use);
    if (l)
        l->at[l->from[slot + 1]++] = i;
}

static void add_up(struct lists *l, int slots, struct arena *a)
{
    for (int s = 0; s < slots; s++)
        l->from[s + 2] += l->from[s + 1];
    l->at = arena_alloc(a, ((size_t)l->from[slots + 1] + 1) * sizeof *l->at);
}

static void *make_uses(struct arena *a, const void *function)
{
    struct uses *u = arena_alloc(a, sizeof *u);
    struct flow_source s = flow_source_of(function);
    u->slots = s.registers;
    u->readers.from = arena_alloc(a, ((size_t)s.registers + 2) * sizeof *u->readers.from);
    u->writers.from = arena_alloc(a, ((size_t)s.registers + 2) * sizeof *u->writers.from);
    for (int i = 0; i < s.count; i++)
        s.uses(s.self, i, count_use, u);
    add_up(&u->readers, s.registers, a);
    add_up(&u->writers, s.registers, a);
    for (int i = 0; i < s.count; i++)
        s.uses(s.self, i, add_use, u);
    return u;
}

static const struct uses *uses_of(const struct function *f)
{
    return FLOW_ONCE(f, &flow_of(f)->uses, make_uses, f);
}

static struct insn_list list_at(const struct uses *u, const struct lists *l, uint32_t reg)
{
    int slot = (int)(reg / FLOW_SLOT);
    if (slot >= u->slots)
        return (struct insn_list){NULL, 0};
    return (struct insn_list){l->at + l->from[slot], l->from[slot + 1] - l->from[slot]};
}

struct insn_list register_readers(const struct function *f, uint32_t reg)
{
    const struct uses *u = uses_of(f);
    return list_at(u, &u->readers, reg);
}

struct insn_list register_writers(const struct function *f, uint32_t reg)
{
    const struct uses *u = uses_of(f);
    return list_at(u, &u->writers, reg);
}
