/**
 * @file warp_groups.c
 * What the four warps of a group execute together. Who asks for more registers (setmaxnreg) waits until the block's pool has them: into that comes
 * what others give back, out of what the block began with.
 */
#include "check/warp_groups.h"

#include <assert.h>
#include <stdlib.h>

#include "base/list.h"
#include "code/fragment.h"
#include "execute/machine.h"
#include "execute/occupancy.h"

/** Steps of the search for an order in which all come to what they ask for; behind them one is taken to exist. */
#define MOST_STEPS 20000

/** The setmaxnreg that a warp has executed, in order. */
LIST_TYPE(register_changes, const struct insn *);

static unsigned registers_of(const struct insn *in)
{
    return in->imm & REGISTERS_COUNT;
}

/** What a group has behind it that has `has` before: who gives back has no more than that. */
static unsigned registers_after(const struct insn *in, unsigned has)
{
    unsigned count = registers_of(in);
    return in->imm & REGISTERS_MORE || count < has ? count : has;
}

/** How often a warp has executed wgmma, and where last. */
struct products {
    uint64_t count;
    const struct insn *last;
};

struct warp_groups {
    int warps;
    struct register_changes *changes; /**< NULL: none */
    struct products products[];
};

void warp_groups_note(struct warp_groups **groups, const struct warp *w, const struct insn *in)
{
    int warps = w->block->warp_count;
    bool changes = insn_row(in) == ROW_setmaxnreg;
    if (insn_row(in) != ROW_wgmma_mma && !changes)
        return;
    struct warp_groups *g = *groups ? *groups : calloc(1, sizeof *g + (size_t)warps * sizeof *g->products);
    assert(g);
    g->warps = warps;
    *groups = g;
    if (changes) {
        g->changes = g->changes ? g->changes : calloc((size_t)warps, sizeof *g->changes);
        assert(g->changes);
        *LIST_PUSH(&g->changes[w->index]) = in;
        return;
    }
    g->products[w->index].count++;
    g->products[w->index].last = in;
}

void warp_groups_free(struct warp_groups *groups)
{
    for (int i = 0; groups && groups->changes && i < groups->warps; i++)
        LIST_FREE(&groups->changes[i]);
    if (groups)
        free(groups->changes);
    free(groups);
}

/* ---- Products ---- */

/** The four warps of a group have executed as many. @return false: they have not */
static bool products_are_whole(const struct block *b, const struct products *p, int first, struct group_misuse *out)
{
    int most = first;
    for (int i = first; i < first + WARPS_OF_GROUP && i < b->warp_count; i++)
        most = p[i].count > p[most].count ? i : most;
    for (int i = first; i < first + WARPS_OF_GROUP && p[most].count; i++)
        if (i >= b->warp_count || p[i].count < p[most].count) {
            *out = (struct group_misuse){GROUP_IS_NOT_WHOLE, p[most].last, NULL, most, i, 0};
            return false;
        }
    return true;
}

/* ---- Registers ---- */

/** How far each group has come, and what it has. */
struct standing {
    const struct register_changes *changes[MOST_GROUPS];
    int done[MOST_GROUPS];
    unsigned has[MOST_GROUPS], left;
    int groups;
};

static bool next_of(const struct standing *s, int group, unsigned *count)
{
    const struct register_changes *c = s->changes[group];
    if (s->done[group] == c->count)
        return false;
    *count = registers_after(c->data[s->done[group]], s->has[group]);
    return true;
}

static void take(struct standing *s, int group, unsigned count)
{
    s->left = s->left + s->has[group] - count;
    s->has[group] = count;
    s->done[group]++;
}

/** Is there an order in which all groups come to their ends? Giving back can only help: that is done at once. */
static bool comes_to_end(struct standing s, int *steps)
{
    unsigned count;
    bool waits = false;
    for (int g = 0; g < s.groups; g++)
        while (next_of(&s, g, &count) && count <= s.has[g])
            take(&s, g, count);
    for (int g = 0; g < s.groups; g++) {
        if (!next_of(&s, g, &count))
            continue;
        waits = true;
        struct standing then = s;
        if (count - s.has[g] > s.left)
            continue;
        take(&then, g, count);
        if (--*steps <= 0 || comes_to_end(then, steps))
            return true;
    }
    return !waits;
}

/** The largest number that a group but `not` asks for. @return its group; -1: none */
static int largest(const struct standing *s, int not, const struct insn **in)
{
    int found = -1;
    for (int g = 0; g < s->groups; g++)
        for (int i = 0; g != not && i < s->changes[g]->count; i++)
            if (found < 0 || registers_of(s->changes[g]->data[i]) > registers_of(*in)) {
                found = g;
                *in = s->changes[g]->data[i];
            }
    return found;
}

/** Do the groups come to the registers that they ask for? */
static bool pool_suffices(const struct machine *m, const struct block *b, const struct register_changes *changes, struct group_misuse *out)
{
    struct standing s = {.groups = (b->warp_count + WARPS_OF_GROUP - 1) / WARPS_OF_GROUP};
    unsigned each = (occupancy_fixed_registers(m->options.device, b->grid->config.kernel) + 7) / 8 * 8, last = 0;
    int steps = MOST_STEPS;
    bool asks = false;
    each = each > 256 ? 256 : each;
    for (int g = 0; g < s.groups; g++) {
        const struct register_changes *c = s.changes[g] = &changes[g * WARPS_OF_GROUP];
        unsigned has = s.has[g] = each;
        for (int i = 0; i < c->count; has = registers_after(c->data[i++], has))
            asks |= (c->data[i]->imm & REGISTERS_MORE) && registers_of(c->data[i]) > has;
        last += has;
    }
    if (!asks || (each && last <= each * (unsigned)s.groups && comes_to_end(s, &steps)))
        return true;
    *out = (struct group_misuse){.kind = GROUP_UNKNOWN};
    if (!each)
        return false;
    out->kind = GROUP_LACKS;
    out->together = each * (unsigned)s.groups;
    int first = largest(&s, -1, &out->in), second = largest(&s, first, &out->other);
    out->first = first * WARPS_OF_GROUP;
    out->second = second * WARPS_OF_GROUP;
    return false;
}

/** The four warps of a group have executed the same. */
static bool changes_are_whole(const struct block *b, const struct register_changes *changes, int first, struct group_misuse *out)
{
    int most = first, least = first, there = b->warp_count - first < WARPS_OF_GROUP ? b->warp_count - first : WARPS_OF_GROUP;
    for (int i = first; i < first + there; i++) {
        most = changes[i].count > changes[most].count ? i : most;
        least = changes[i].count < changes[least].count ? i : least;
        for (int k = 0; k < changes[i].count && k < changes[first].count; k++) {
            const struct insn *x = changes[first].data[k], *y = changes[i].data[k];
            *out = (struct group_misuse){GROUP_DIFFERS, x, y, first, i, 0};
            if (x->imm != y->imm)
                return false;
        }
    }
    int count = changes[most].count, less = changes[least].count;
    if (!count || (there == WARPS_OF_GROUP && count == less))
        return true;
    *out = (struct group_misuse){GROUP_IS_NOT_WHOLE, changes[most].data[count > less ? less : 0], NULL, most,
                                 count > less ? least : b->warp_count, 0};
    return false;
}

int warp_groups_misused(const struct machine *m, const struct block *b, const struct warp_groups *groups, struct group_misuse out[MOST_GROUPS + 1])
{
    int count = 0;
    bool whole = true;
    for (int i = 0; i < b->warp_count; i += WARPS_OF_GROUP)
        count += !products_are_whole(b, groups->products, i, &out[count]);
    for (int i = 0; groups->changes && whole && i < b->warp_count; i += WARPS_OF_GROUP)
        whole = changes_are_whole(b, groups->changes, i, &out[count]);
    return count + (groups->changes && (!whole || !pool_suffices(m, b, groups->changes, &out[count])));
}
