/**
 * @file flow_layout.c
 * See flow_layout.h. What asks whether something is in a loop, or comes before something else (analyse/), asks the text for it, and the schedules
 * run what comes first in it; a compiler may lay out the same loop with its exits in its midst, its latch first, or a piece of it at the function's end.
 *
 * The order: of the blocks to which nothing leads any more that does not stand there, within the innermost loop that has been begun and
 * not ended, the one that the last block goes on to, else the first in the text. Where none is such, as in loops with two ways in, the
 * first of the loop.
 */
#include "decode/flow_layout.h"

#include <stdlib.h>
#include <string.h>

#include "analyse/nests.h"
#include "decode/decoder.h"
#include "decode/inline_parts.h"
#include "decode/stages.h"

#define MOST_BLOCKS 65536 /* of a function; a longer one stays as it is */

LIST_TYPE(laid_out, struct ptx_instr);

struct layout {
    struct ptx_module *m;
    struct ptx_function *f;
    struct flow_source source;
    struct blocks b;
    struct nests n;
    int *waits;         /**< by block: ways to it from blocks that do not stand yet */
    int *first, *place; /**< by loop: its first place; by block: its place, among those of its loop in the order of the text. A loop's head has one in the loop around */
    int *at;            /**< by place: its block */
    char *ready;        /**< by place: it may stand next */
    char *left;         /**< by place: it does not stand yet */
    int *left_in;       /**< by loop: how many of its blocks do not stand yet */
    int *order;         /**< the blocks */
};

static void *zeros(int count, size_t bytes)
{
    void *p = calloc((size_t)count + 1, bytes);
    if (!p)
        abort();
    return p;
}

/** The loop among whose blocks it is put: a head stands for its loop in the one around. */
static int place_in(const struct layout *l, int block)
{
    int loop = l->n.of[block];
    return loop != NEST_NONE && l->n.head[loop] == block ? l->n.around[loop] : loop;
}

/** Does the way lead back to the head of a loop that it comes from? */
static bool leads_back(const struct layout *l, int from, int to)
{
    int loop = l->n.of[to];
    return loop != NEST_NONE && l->n.head[loop] == to && nest_within(&l->n, l->n.of[from], loop);
}

/** Does the one wait for the other? A second way into a loop is not waited for. */
static bool counts(const struct layout *l, int from, int to)
{
    return !leads_back(l, from, to) && nest_within(&l->n, l->n.of[from], place_in(l, to));
}

static void find_places(struct layout *l)
{
    int count = l->b.count, loops = l->n.count;
    l->waits = zeros(count, sizeof *l->waits);
    l->first = zeros(loops + 1, sizeof *l->first);
    l->place = zeros(count, sizeof *l->place);
    l->at = zeros(count, sizeof *l->at);
    l->ready = zeros(count, 1);
    l->left = zeros(count, 1);
    l->left_in = zeros(loops, sizeof *l->left_in);
    l->order = zeros(count, sizeof *l->order);
    int *next = zeros(loops, sizeof *next);
    for (int block = 0; block < count; block++)
        l->left_in[place_in(l, block)]++;
    for (int loop = 0; loop < loops; loop++)
        l->first[loop + 1] = l->first[loop] + l->left_in[loop];
    for (int block = 0; block < count; block++) {
        int loop = place_in(l, block);
        l->place[block] = l->first[loop] + next[loop]++;
        l->at[l->place[block]] = block;
        l->left[l->place[block]] = 1;
        for (int e = l->b.before_from[block]; e < l->b.before_from[block + 1]; e++)
            l->waits[block] += counts(l, l->b.before[e], block);
        l->ready[l->place[block]] = !l->waits[block];
    }
    free(next);
}

/** The block stands next: those that it leads to may be ready. */
static void put(struct layout *l, int block, int place)
{
    l->order[place] = block;
    l->ready[l->place[block]] = l->left[l->place[block]] = 0;
    l->left_in[place_in(l, block)]--;
    for (int e = l->b.next_from[block]; e < l->b.next_from[block + 1]; e++) {
        int to = l->b.next[e];
        if (counts(l, block, to) && !--l->waits[to])
            l->ready[l->place[to]] = l->left[l->place[to]];
    }
}

static bool block_falls(const struct layout *l, int block)
{
    return l->source.falls(l->source.self, l->b.first[block + 1] - 1);
}

/** The block to stand next in the loop, behind block `last` (-1: none). */
static int next_in(const struct layout *l, int loop, int last)
{
    int first = l->first[loop];
    size_t count = (size_t)(l->first[loop + 1] - first);
    if (last >= 0 && last + 1 < l->b.count && block_falls(l, last) && place_in(l, last + 1) == loop && l->ready[l->place[last + 1]])
        return last + 1;
    const char *list = memchr(l->ready + first, 1, count) ? l->ready : l->left;
    return l->at[(const char *)memchr(list + first, 1, count) - list];
}

/** @return whether any block stands elsewhere than in the text */
static bool find_order(struct layout *l)
{
    bool moved = false;
    for (int i = 0, loop = NEST_NONE, last = -1; i < l->b.count; i++) {
        while (!l->left_in[loop])
            loop = l->n.around[loop];
        last = i ? next_in(l, loop, last) : 0;
        put(l, last, i);
        loop = l->n.of[last];
        moved |= last != i;
    }
    return moved;
}

/* ---- The text in that order */

/** Where the block goes on to without a branch: a block, `b.count` for the function's end; -1: it does not. */
static int goes_on_to(const struct layout *l, int block)
{
    return block_falls(l, block) ? block + 1 : -1;
}

static bool is_branch_to(const struct layout *l, int at, int block)
{
    return instr_is(&l->f->instrs.data[at], "bra") && l->source.target(l->source.self, at, 0) == l->b.first[block];
}

static struct ptx_instr branch_to(struct layout *l, const struct ptx_instr *like, const char *label)
{
    struct ptx_operand *to = arena_alloc(&l->m->arena, sizeof *to);
    *to = (struct ptx_operand){.kind = OPERAND_SYMBOL, .name = label, .reg = -1, .variable = -1};
    return (struct ptx_instr){.mnemonic = "bra", .operands = to, .operand_count = 1, .guard = -1, .loc = like->loc, .line = like->line, .column = like->column};
}

/** Writes a block, behind which `next` will stand (-1: none), so that it leads where it did. */
static void write_block(struct layout *l, struct laid_out *made, int block, int next, int *moved_to)
{
    int on = goes_on_to(l, block), last = l->b.first[block + 1] - 1;
    for (int i = l->b.first[block]; i <= last; i++) {
        moved_to[i] = made->count;
        if (i == last && on < 0 && next >= 0 && is_branch_to(l, i, next))
            return;
        *LIST_PUSH(made) = l->f->instrs.data[i];
    }
    if (on < 0 || on == next || (on == l->b.count && next < 0))
        return;
    struct ptx_instr *ends = &made->data[made->count - 1], jump;
    int end = l->b.first[on];
    jump = branch_to(l, ends, label_here(l->m, l->f, end));
    if (next >= 0 && ends->guard >= 0 && is_branch_to(l, last, next)) {
        ends->guard_negated = !ends->guard_negated;
        ends->operands = jump.operands;
    } else {
        *LIST_PUSH(made) = jump;
    }
}

static void write_all(struct layout *l)
{
    struct ptx_function *f = l->f;
    struct laid_out made = {0};
    int count = f->instrs.count, *moved_to = zeros(count, sizeof *moved_to);
    for (int i = 0; i < l->b.count; i++)
        write_block(l, &made, l->order[i], i + 1 < l->b.count ? l->order[i + 1] : -1, moved_to);
    moved_to[count] = made.count;
    for (int i = 0; i < f->labels.count; i++)
        f->labels.data[i].instr = moved_to[f->labels.data[i].instr];
    free(f->instrs.data);
    f->instrs.data = made.data;
    f->instrs.count = made.count;
    f->instrs.cap = made.cap;
    free(moved_to);
}

/** The names that branches go by, as the decoder has them. */
static void names_of(struct function_info *info, const struct ptx_function *f)
{
    *info = (struct function_info){.source = f, .labels = labels_of(f)};
    info->branch_lists.entries = zeros(f->branch_targets.count, sizeof *info->branch_lists.entries);
    for (int i = 0; i < f->branch_targets.count; i++)
        info->branch_lists.entries[info->branch_lists.count++] = (struct name_entry){f->branch_targets.data[i].label, i};
    name_table_sort(&info->branch_lists);
}

static bool has_way_back(const struct layout *l)
{
    for (int block = 0; block < l->b.count; block++)
        for (int e = l->b.next_from[block]; e < l->b.next_from[block + 1]; e++)
            if (l->b.next[e] <= block)
                return true;
    return false;
}

static void lay_out(struct ptx_module *m, struct ptx_function *f)
{
    struct function_info info;
    struct decoder d = {.info = &info};
    struct arena arena = {0};
    struct layout l = {.m = m, .f = f};
    names_of(&info, f);
    l.source = parsed_flow(&d);
    blocks_build(&l.b, &l.source, &arena);
    if (l.b.count <= MOST_BLOCKS && has_way_back(&l)) {
        nests_find(&l.n, &l.b);
        find_places(&l);
        if (find_order(&l))
            write_all(&l);
        nests_free(&l.n);
        void *const lists[] = {l.waits, l.first, l.place, l.at, l.ready, l.left, l.left_in, l.order};
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            free(lists[i]);
    }
    arena_free(&arena);
    free(info.labels.entries);
    free(info.branch_lists.entries);
}

void layout_by_flow(struct ptx_module *m)
{
    for (int i = 0; i < m->functions.count; i++)
        if (m->functions.data[i].has_body && m->functions.data[i].instrs.count)
            lay_out(m, &m->functions.data[i]);
}
