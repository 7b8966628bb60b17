/**
 * @file ways.c
 * See ways.h.
 */
#include <string.h>

#include "check/race/ways.h"

#include "analyse/flow.h"
#include "analyse/goes.h"
#include "analyse/loops.h"
#include "analyse/polls.h"
#include "analyse/reach.h"
#include "analyse/varies.h"
#include "report/ptx_line.h"

/** For path_find(): a barrier of the block ends the way; of the warp, too, where *same_warp. */
static bool way_is_barrier(const struct insn *in, const void *same_warp)
{
    bool waits = insn_class(in) == INSN_BARRIER && !(in->op->flags & OP_ARRIVES);
    bool only_orders = insn_class(in) == INSN_MEETING && !in->op->defines; /* bar.warp.sync */
    return waits || (only_orders && *(const bool *)same_warp);
}

bool way_is(const struct insn *in, const void *that)
{
    return in == that;
}

static bool goes_on(const struct insn *in, const void *context)
{
    (void)in;
    (void)context;
    return false;
}

enum path way_find(const struct function *f, const struct insn *from, const struct insn *to, const bool *same_warp)
{
    struct flow *flow = flow_of(f);
    return same_warp ? reach_find(f, &flow->reached[1 + *same_warp], from, to, way_is_barrier, same_warp)
                     : reach_find(f, &flow->reached[0], from, to, goes_on, NULL);
}

bool ways_lead_past(const struct function *f, const struct insn *from, const struct insn *in, const struct insn *to)
{
    return way_find(f, from, in, NULL) == PATH_AHEAD && way_find(f, in, to, NULL) == PATH_AHEAD;
}

struct ways ways_find(const struct image *im, uint32_t earlier, const struct insn *later, bool same_warp)
{
    const struct insn *first = image_site_insn(im, earlier);
    const struct function *f = first ? image_function_at(im, first) : NULL;
    if (!f || !flow_holds(f, later))
        return (struct ways){PATH_AHEAD, PATH_NONE, false};
    return (struct ways){way_find(f, first, later, &same_warp),
                         way_find(f, later, first, &same_warp),
                         first != later && way_find(f, first, later, NULL) != PATH_AHEAD &&
                             way_find(f, later, first, NULL) != PATH_AHEAD};
}

static bool leads_to(const struct function *f, const struct insn *way, const struct insn *to, bool round)
{
    enum path p = way == to ? PATH_AHEAD : way_find(f, way, to, NULL);
    return p == PATH_AHEAD || (round && p == PATH_ROUND);
}

/** Does one way of the branch lead on to `then` and the other past it, still within the loop that the two are in? */
static bool goes_around(const struct function *f, const struct insn *branch, const struct insn *first, const struct insn *then)
{
    if (insn_class(branch) != INSN_BRANCH || !insn_is_guarded(branch) || !branch->target || !flow_holds(f, branch->target))
        return false;
    const struct insn *ways[2] = {branch + 1, branch->target};
    bool round = leads_to(f, then, first, true);
    for (int i = 0; i < 2; i++)
        if (leads_to(f, ways[i], then, false) && !leads_to(f, ways[!i], then, false) &&
            leads_to(f, ways[!i], first, true) == round)
            return true;
    return false;
}

const struct insn *ways_branch_around(const struct image *im, const struct insn *first, const struct insn *then,
                                      bool same_warp)
{
    const struct function *f = image_function_at(im, first);
    const struct insn *found = NULL;
    for (const struct insn *in = f && then && flow_holds(f, then) ? f->entry : NULL; in && in < f->end; in++)
        if (insn_class(in) == INSN_BRANCH && way_find(f, first, in, &same_warp) == PATH_AHEAD &&
            way_find(f, in, then, NULL) == PATH_AHEAD && goes_around(f, in, first, then) &&
            (!found || way_find(f, in, found, NULL) == PATH_AHEAD))
            found = in;
    return found;
}

/** Does one way of the branch, which leads forward, come to `first` and the other past it, and both on to `then`? */
static bool stands_around(const struct function *f, const struct insn *branch, const struct insn *first, const struct insn *then,
                          bool round)
{
    if (insn_class(branch) != INSN_BRANCH || !insn_is_guarded(branch) || !branch->target || branch->target <= branch ||
        !flow_holds(f, branch->target))
        return false;
    bool falls = leads_to(f, branch + 1, first, false), jumps = leads_to(f, branch->target, first, false);
    return falls != jumps && leads_to(f, branch + 1, then, round) && leads_to(f, branch->target, then, round);
}

const struct insn *ways_branch_with(const struct image *im, const struct insn *first, const struct insn *then, bool round)
{
    const struct function *f = image_function_at(im, first);
    if (!f || !flow_holds(f, then))
        return NULL;
    const struct insn *in = f->entry, *last = f->end - 1;
    for (int which = LOOP_INNERMOST; which <= LOOP_OUTERMOST; which++) {
        const struct loop *l = loop_around(f, first, which);
        if (l && then >= l->first && then <= l->last) {
            in = l->first;
            last = l->last;
            break;
        }
    }
    while (in <= last && !stands_around(f, in, first, then, round))
        in++;
    return in <= last ? in : NULL;
}

/** Does the way do nothing but end the thread? */
static bool only_ends(const struct function *f, const struct insn *way)
{
    while (way < f->end && insn_class(way) == INSN_COMPUTE)
        way++;
    return way < f->end && insn_class(way) == INSN_EXIT && !insn_is_guarded(way);
}

const struct insn *ways_branch_of_both(const struct image *im, const struct insn *first, const struct insn *then)
{
    const struct function *f = image_function_at(im, first);
    if (!f || !flow_holds(f, then))
        return NULL;
    for (const struct insn *in = f->entry; in < first && in < then; in++) {
        if (insn_class(in) != INSN_BRANCH || !insn_is_guarded(in) || !in->target || in->target <= in || !flow_holds(f, in->target))
            continue;
        const struct insn *ways[2] = {in + 1, in->target};
        for (int i = 0; i < 2; i++)
            if (leads_to(f, ways[i], first, false) && leads_to(f, ways[i], then, false) && !leads_to(f, ways[!i], first, false) &&
                !leads_to(f, ways[!i], then, false) && !only_ends(f, ways[!i]) && branch_varies(f, in))
                return in;
    }
    return NULL;
}

/** The place itself, then its callers' lines. */
static struct caller call_of(const struct site *s, int i)
{
    return i ? s->callers[i - 1] : (struct caller){s->file, s->line};
}

static bool same_call(struct caller a, struct caller b)
{
    return a.line == b.line && a.file && b.file && strcmp(a.file, b.file) == 0;
}

bool ways_lines_of_calls(const struct image *im, const struct insn *a, const struct insn *b, int lines[2])
{
    const struct site *first = insn_site(im, a), *second = insn_site(im, b);
    int i = first->caller_count, k = second->caller_count;
    while (i && k && same_call(call_of(first, i), call_of(second, k))) {
        i--;
        k--;
    }
    struct caller one = call_of(first, i), other = call_of(second, k);
    if (!(i || k) || !one.file || !other.file || strcmp(one.file, other.file) != 0)
        return false;
    lines[0] = one.line;
    lines[1] = other.line;
    return true;
}

bool ways_lead_round(const struct image *im, const struct insn *first, const struct insn *then, bool same_warp)
{
    const struct function *f = image_function_at(im, first);
    for (int which = LOOP_INNERMOST; f && which <= LOOP_OUTERMOST; which++) {
        const struct loop *l = loop_around(f, first, which);
        if (l && then >= l->first && then <= l->last && way_find(f, first, l->last, &same_warp) == PATH_AHEAD &&
            (l->first == then || way_find(f, l->first, then, &same_warp) == PATH_AHEAD))
            return true;
    }
    return false;
}

bool way_loops_with(const struct image *im, uint32_t site, const struct insn *other)
{
    const struct insn *read = image_site_insn(im, site);
    const struct function *f = read ? image_function_at(im, read) : NULL;
    const struct loop turns = f ? loop_of_turns(f, read) : (struct loop){0};
    if (!turns.first || !other)
        return false;
    /* What `do … while` holds the compiler may have moved out: then the way back is a line of its own. */
    return insn_line_to_say(im, turns.last) > insn_line_to_say(im, read) || (other >= turns.first && other <= turns.last);
}

static bool uses_memory(const struct insn *in, const void *context)
{
    (void)context;
    return insn_is_memory(in) || insn_class(in) == INSN_BARRIER;
}

bool way_waits_at(const struct image *im, uint32_t site)
{
    const struct insn *read = image_site_insn(im, site);
    const struct function *f = read ? image_function_at(im, read) : NULL;
    int line = read ? site_line_to_say(&im->sites[site]) : 0;
    /* A loop's first turn may stand before it: so any of the line's reads. */
    for (const struct insn *in = f ? f->entry : NULL; f && in < f->end; in++)
        if ((insn_class(in) == INSN_LOAD || insn_class(in) == INSN_ATOMIC) && insn_line_to_say(im, in) == line &&
            path_find(f, in, in, uses_memory, NULL) != PATH_NONE && load_polls(f, in))
            return true;
    return false;
}

bool ways_follow_links(const struct image *im, uint32_t stored, const struct insn *read)
{
    const struct insn *store = image_site_insn(im, stored);
    const struct function *f = store ? image_function_at(im, store) : NULL;
    return f && flow_holds(f, store) && flow_holds(f, read) && address_is_handed(f, store) && (address_is_handed(f, read) || value_leads_on(f, read));
}
