/**
 * @file paths.c
 * See paths.h. A walk looks at the instructions of one block in order, then enters the blocks behind it,
 * each once.
 */
#include "analyse/paths.h"

#include <stdlib.h>
#include <string.h>

#include "analyse/flow.h"
#include "code/operands.h"

enum look { LOOK_ON, LOOK_ENDS, LOOK_FOUND };
typedef enum look look_fn(const struct insn *in, const void *context);

struct walk {
    const struct flow *flow;
    bool rounds;          /**< branches backwards are taken, too */
    look_fn *look;
    const void *context;
    bool *entered;        /**< by block */
    int *next, count;     /**< blocks still to be looked at */
};

static void enter_successors(struct walk *w, int block)
{
    const struct blocks *b = &w->flow->blocks;
    for (int e = b->next_from[block]; e < b->next_from[block + 1]; e++) {
        int to = b->next[e];
        if (w->entered[to] || (to <= block && !w->rounds))
            continue;
        w->entered[to] = true;
        w->next[w->count++] = to;
    }
}

/** Looks at one block from instruction `i` on. @return true if what is sought was found */
static bool look_through(struct walk *w, int block, int i)
{
    const struct insn *first = w->flow->function->entry;
    for (; i < w->flow->blocks.first[block + 1]; i++) {
        enum look seen = w->look(&first[i], w->context);
        if (seen != LOOK_ON)
            return seen == LOOK_FOUND;
    }
    enter_successors(w, block);
    return false;
}

/** Does a way from behind `from` lead to what `look` seeks? */
static bool leads(const struct function *f, const struct insn *from, bool rounds, look_fn *look,
                  const void *context)
{
    struct walk w = {.flow = flow_of(f), .rounds = rounds, .look = look, .context = context};
    const struct blocks *b = &w.flow->blocks;
    int i = (int)(from - f->entry);
    w.entered = calloc((size_t)b->count, sizeof *w.entered);
    w.next = calloc((size_t)b->count, sizeof *w.next);
    if (!w.entered || !w.next)
        abort();
    bool found = look_through(&w, b->of[i], i + 1);
    while (!found && w.count) {
        int block = w.next[--w.count];
        found = look_through(&w, block, b->first[block]);
    }
    free(w.entered);
    free(w.next);
    return found;
}

struct sought {
    const struct insn *to;
    path_end_fn ends;
    const void *context;
};

static enum look look_for(const struct insn *in, const void *context)
{
    const struct sought *s = context;
    return in == s->to ? LOOK_FOUND : s->ends && s->ends(in, s->context) ? LOOK_ENDS : LOOK_ON;
}

enum path path_find(const struct function *f, const struct insn *from, const struct insn *to,
                    path_end_fn ends, const void *context)
{
    struct sought s = {to, ends, context};
    return leads(f, from, false, look_for, &s)  ? PATH_AHEAD
           : leads(f, from, true, look_for, &s) ? PATH_ROUND
                                                : PATH_NONE;
}

static enum look look_for_read(const struct insn *in, const void *reg)
{
    uint32_t r = *(const uint32_t *)reg;
    return insn_reads(in, r) ? LOOK_FOUND : insn_writes(in, r) && !insn_is_guarded(in) ? LOOK_ENDS : LOOK_ON;
}

bool path_reads(const struct function *f, const struct insn *from, uint32_t reg)
{
    enum look here = look_for_read(from, &reg);
    return here == LOOK_FOUND || (here == LOOK_ON && leads(f, from, true, look_for_read, &reg));
}

/* ---- Where the ways of a branch meet: asked of each place once, for all blocks from whose beginning a way may come there */

static bool is_end(const struct insn *in)
{
    return !insn_is_guarded(in) && (insn_class(in) == INSN_RETURN || insn_class(in) == INSN_EXIT);
}

struct meeting_places {
    const struct function *f;
    const struct blocks *b;
    const struct insn *barrier;
    path_end_fn ends;
    bool goes_on;
    bool *holds_ends, *holds_end;           /**< by block: one of `ends`; the function's end */
    bool *to_barrier, *to_end, *to_place;   /**< … from its beginning a way leads there; the first two do not pass the place */
    int *queue;
};

static void *by_block(const struct blocks *b, size_t bytes)
{
    void *p = calloc((size_t)b->count + 1, bytes);
    if (!p)
        abort();
    return p;
}

static struct meeting_places places_begin(const struct function *f, const struct insn *barrier, path_end_fn ends)
{
    const struct blocks *b = &flow_of(f)->blocks;
    struct meeting_places p = {.f = f, .b = b, .barrier = barrier, .ends = ends, .queue = by_block(b, sizeof(int))};
    bool **lists[] = {&p.holds_ends, &p.holds_end, &p.to_barrier, &p.to_end, &p.to_place};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        *lists[i] = by_block(b, sizeof(bool));
    for (int block = 0; block < b->count; block++)
        for (int i = b->first[block]; i < b->first[block + 1]; i++) {
            p.holds_ends[block] |= ends && ends(&f->entry[i], NULL);
            p.holds_end[block] |= is_end(&f->entry[i]);
        }
    return p;
}

static void places_end(const struct meeting_places *p)
{
    void *const lists[] = {p->holds_ends, p->holds_end, p->to_barrier, p->to_end, p->to_place, p->queue};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        free(lists[i]);
}

/** From the blocks that are marked, marks those from which a way leads there; it passes no block of `shut` (NULL: none), and
 *  not block `without` (-1: none). */
static void mark_before(const struct meeting_places *p, bool *mark, const bool *shut, int without)
{
    const struct blocks *b = p->b;
    int count = 0;
    for (int block = 0; block < b->count; block++)
        if (mark[block])
            p->queue[count++] = block;
    while (count) {
        int block = p->queue[--count];
        for (int e = b->before_from[block]; e < b->before_from[block + 1]; e++) {
            int from = b->before[e];
            if (mark[from] || from == without || (shut && shut[from]))
                continue;
            mark[from] = true;
            p->queue[count++] = from;
        }
    }
}

/** Fills `mark` with the blocks from which a way leads to what block `to` holds, not by way of block `without`. */
static void mark_ways(const struct meeting_places *p, bool *mark, int to, int without)
{
    memset(mark, 0, (size_t)p->b->count);
    mark[to] = to != without;
    mark_before(p, mark, NULL, without);
}

/** Does the block hold one of `ends` before instruction `i`, or there? */
static bool ends_until(const struct meeting_places *p, int block, int i)
{
    for (int at = p->b->first[block]; p->ends && at <= i; at++)
        if (p->ends(&p->f->entry[at], NULL))
            return true;
    return false;
}

/** Looks at the ways to block `block`, or to the instruction behind the barrier, which is in that block. @return false if none meet there */
static bool place_at(struct meeting_places *p, int block, bool behind_barrier)
{
    const struct insn *place = behind_barrier ? p->barrier + 1 : &p->f->entry[p->b->first[block]];
    int barrier = (int)(p->barrier - p->f->entry);
    if ((is_end(place) && !p->goes_on) || place == p->barrier)
        return false;
    mark_ways(p, p->to_barrier, p->b->of[barrier], behind_barrier ? -1 : block);
    memcpy(p->to_end, p->holds_end, (size_t)p->b->count);
    p->to_end[block] = false;
    mark_before(p, p->to_end, NULL, block);
    memset(p->to_place, 0, (size_t)p->b->count);
    p->to_place[block] = !behind_barrier || !ends_until(p, block, barrier);
    mark_before(p, p->to_place, p->holds_ends, -1);
    return true;
}

/** Where the way goes on without the barrier: the place comes behind that on both, and, if `ends` is given, one way there has none of those. */
static bool goes_round(const struct meeting_places *p, int way, int other, int block, bool behind_barrier)
{
    bool there = other == block && !behind_barrier;
    return p->to_barrier[way] && !p->to_barrier[other] && !p->to_end[way] && (there || !p->to_end[other]) &&
           (there || !p->ends || p->to_place[other]);
}

/** A way from block `start` to one of `goal`: its blocks in `way`, and their positions in `at` (-1: not of it). @return how many */
static int find_way(const struct blocks *b, int start, const bool *goal, int *way, int *at)
{
    int *from = by_block(b, sizeof *from), head = 0, tail = 1, count = 0;
    for (int block = 0; block < b->count; block++)
        at[block] = from[block] = -1;
    way[0] = from[start] = start;
    while (head < tail && !goal[way[head]])
        for (int block = way[head++], e = b->next_from[block]; e < b->next_from[block + 1]; e++)
            if (from[b->next[e]] < 0) {
                from[b->next[e]] = block;
                way[tail++] = b->next[e];
            }
    int block = head < tail ? way[head] : -1;
    for (int back = block; back >= 0; back = back == start ? -1 : from[back])
        count++;
    for (int i = count - 1; i >= 0; block = from[block])
        at[block] = i, way[i--] = block;
    free(from);
    return count;
}

/** Marks the blocks that all ways from block `start` to those of `goal` pass: those of one such way that no other goes round. */
static void mark_passed(const struct meeting_places *p, bool *mark, int start, const bool *goal)
{
    const struct blocks *b = p->b;
    int *way = by_block(b, sizeof *way), *at = by_block(b, sizeof *at), length = find_way(b, start, goal, way, at), far = 0;
    bool *seen = by_block(b, sizeof *seen);
    memset(mark, !length, (size_t)b->count);
    for (int i = 0; i < length; i++) {
        int count = 0;
        mark[way[i]] = far <= i;
        for (p->queue[count++] = way[i]; count;) {
            int block = p->queue[--count];
            far = goal[block] ? length : far;
            for (int e = b->next_from[block]; e < b->next_from[block + 1]; e++) {
                int next = b->next[e];
                far = at[next] > far ? at[next] : far;
                if (at[next] < 0 && !seen[next])
                    seen[next] = true, p->queue[count++] = next;
            }
        }
    }
    free(way);
    free(at);
    free(seen);
}

/** The block that begins with the instruction; -1: none. */
static int block_from(const struct meeting_places *p, const struct insn *in)
{
    int block = flow_holds(p->f, in) ? p->b->of[in - p->f->entry] : -1;
    return block >= 0 && &p->f->entry[p->b->first[block]] == in ? block : -1;
}

bool path_passes_by(const struct function *f, const struct insn *branch, const struct insn *way,
                    const struct insn *barrier, path_end_fn ends, bool goes_on)
{
    struct meeting_places p = places_begin(f, barrier, ends);
    int from = block_from(&p, way), other = block_from(&p, way == branch + 1 ? branch->target : branch + 1);
    int of_barrier = p.b->of[barrier - f->entry];
    p.goes_on = goes_on;
    bool round = false, known = from >= 0 && other >= 0, *passed = by_block(p.b, sizeof *passed);
    if (known)
        mark_passed(&p, passed, other, p.holds_end);
    for (int block = 0; block < p.b->count && !round; block++)
        round = passed[block] && place_at(&p, block, false) && goes_round(&p, from, other, block, false);
    if (!round && known && barrier + 1 < f->end && block_from(&p, barrier + 1) < 0)
        round = place_at(&p, of_barrier, true) && goes_round(&p, from, other, of_barrier, true);
    free(passed);
    places_end(&p);
    return round;
}

typedef bool branch_fn(const struct function *f, const struct insn *branch);

/** The first branch that leads to the barrier on one of its ways only, and both meet at the block; NULL: none. */
static const struct insn *first_round(const struct meeting_places *p, int block, branch_fn *leave_out)
{
    const struct function *f = p->f;
    for (int at = 0; at < p->b->count; at++) {
        const struct insn *in = &f->entry[p->b->first[at + 1] - 1];
        if (in + 1 >= f->end || insn_class(in) != INSN_BRANCH || !insn_is_guarded(in) || !flow_holds(f, in->target))
            continue;
        int ahead = p->b->of[in + 1 - f->entry], jump = p->b->of[in->target - f->entry];
        bool round = goes_round(p, ahead, jump, block, false) || goes_round(p, jump, ahead, block, false);
        if (round && !(leave_out && leave_out(f, in)))
            return in;
    }
    return NULL;
}

/** The first of those for blocks through which all come that are asked about. */
static const struct insn *round_among(struct meeting_places *p, const bool *passed, branch_fn *leave_out)
{
    const struct insn *branch = NULL;
    for (int block = 0; block < p->b->count && !branch; block++)
        branch = passed[block] && place_at(p, block, false) ? first_round(p, block, leave_out) : NULL;
    return branch;
}

/** path_leaves_out(), but for some branches. */
static const struct insn *round_before(const struct function *f, const struct insn *barrier, const struct insn *behind, path_end_fn ends,
                                       branch_fn *leave_out)
{
    struct meeting_places p = places_begin(f, barrier, ends);
    bool *passed = by_block(p.b, sizeof *passed), *goal = by_block(p.b, sizeof *goal);
    goal[p.b->of[behind - f->entry]] = true;
    mark_passed(&p, passed, 0, goal);
    const struct insn *out = round_among(&p, passed, leave_out);
    free(goal);
    free(passed);
    places_end(&p);
    return out;
}

const struct insn *path_leaves_out(const struct function *f, const struct insn *barrier, const struct insn *behind, path_end_fn ends)
{
    return round_before(f, barrier, behind, ends, NULL);
}

const struct insn *path_gone_round(const struct function *f, const struct insn *barrier, const struct insn *where, branch_fn *leave_out)
{
    const struct insn *branch = round_before(f, barrier, where, NULL, leave_out);
    if (branch)
        return branch;
    struct meeting_places p = places_begin(f, barrier, NULL);
    bool *passed = by_block(p.b, sizeof *passed);
    mark_passed(&p, passed, p.b->of[where - f->entry], p.holds_end);
    branch = round_among(&p, passed, leave_out);
    free(passed);
    places_end(&p);
    return branch;
}
