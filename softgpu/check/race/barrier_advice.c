/**
 * @file barrier_advice.c
 * See barrier_advice.h. Where the code tells it the ways through it decide, not where the warp happens to have parted.
 */
#include "check/race/barrier_advice.h"

#include <limits.h>

#include "analyse/flow.h"
#include "analyse/loops.h"
#include "analyse/paths.h"
#include "analyse/varies.h"
#include "check/race/actor.h"
#include "check/race/updates.h"
#include "check/race/ways.h"
#include "execute/grid.h"
#include "report/ptx_line.h"

/** The load of the same line to which a thread comes from the store without a barrier, or NULL. Loops may be unrolled: so
 *  any of them. */
static const struct insn *comes_again(const struct image *im, const struct insn *store, bool same_warp)
{
    const struct function *f = image_function_at(im, store);
    for (const struct insn *in = f ? f->entry : NULL; f && in < f->end; in++)
        if (insn_class(in) == INSN_LOAD && in->mem.space == store->mem.space &&
            insn_line_to_say(im, in) == insn_line_to_say(im, store) &&
            way_find(f, store, in, &same_warp))
            return in;
    return NULL;
}

/** Is there a way ahead from the branch at which the acting warp has parted to `to`? */
static bool is_behind_parting(const struct actor *me, const struct image *im, const struct insn *to)
{
    const struct insn *parted = warp_parted_at(me->warp);
    const struct function *f = parted ? image_function_at(im, parted) : NULL;
    return f && to && flow_holds(f, to) && way_find(f, parted, to, NULL) == PATH_AHEAD;
}

/** Is `later` behind the branch at which the acting warp has parted: do both ways lead to it? */
static bool is_behind_both_ways(const struct actor *me, const struct image *im, const struct insn *later)
{
    const struct insn *parted = warp_parted_at(me->warp);
    const struct function *f = parted ? image_function_at(im, parted) : NULL;
    if (!f || !later || !flow_holds(f, later) || insn_class(parted) != INSN_BRANCH || !parted->target || !flow_holds(f, parted->target))
        return false;
    const struct insn *ways[2] = {parted->target, parted + 1};
    for (int i = 0; i < 2; i++)
        if (ways[i] != later && way_find(f, ways[i], later, NULL) != PATH_AHEAD)
            return false;
    return true;
}

/** The line of the loop that both stand in: of its branch back, which stands before its body; 0 where that is another one, a `continue`, say;
 *  INT_MAX where the compiler has unrolled it. */
static int line_of_loop(const struct image *im, const struct insn *first, const struct insn *then, const int lines[2])
{
    const struct function *f = image_function_at(im, first);
    for (int which = LOOP_INNERMOST; f && which <= LOOP_OUTERMOST; which++) {
        const struct loop *l = loop_around(f, first, which);
        if (!l || then < l->first || then > l->last)
            continue;
        int line = insn_line_to_say(im, l->last);
        return line <= lines[0] && line <= lines[1] ? line : 0;
    }
    return INT_MAX;
}

/** Does some loop of the function begin on that line? Its turns that the compiler has made apart, behind it, have a branch on the same one each. */
static bool begins_a_loop(const struct image *im, const struct insn *of, int line)
{
    const struct function *f = image_function_at(im, of);
    for (const struct insn *in = f ? f->entry : NULL; in && in < f->end; in++)
        if (insn_class(in) == INSN_BRANCH && in->target && in->target <= in && insn_line_to_say(im, in) == line)
            return true;
    return false;
}

/** What is written in a branch and read behind it, by all, before the loop comes round: a barrier before that branch does for all who read.
 *  The line of the branch; 0 where it is not so. */
static int line_before_write(const struct image *im, const struct insn *first, const struct insn *then, const int lines[2])
{
    bool written = first && then && insn_class(first) == INSN_LOAD && insn_class(then) == INSN_STORE;
    const struct insn *around = written ? ways_branch_with(im, then, first, false) : NULL;
    int line = around ? insn_line_to_say(im, around) : 0;
    return line > line_of_loop(im, first, then, lines) && line < lines[0] && line <= lines[1] ? line : 0;
}

/** Round a loop: behind the branch in which the earlier one stands, if it stands in one; or before that of the later. */
static void advise_in_loop(struct finding *f, const struct image *im, const struct insn *first, const struct insn *then, int lines[2])
{
    int before = line_before_write(im, first, then, lines);
    if (before) {
        advise(f, TRY_BARRIER_BEFORE_BRANCH, lines[0], before);
        return;
    }
    const struct insn *around = first && then ? ways_branch_with(im, first, then, true) : NULL;
    int line = around ? insn_line_to_say(im, around) : 0;
    int loop = around ? line_of_loop(im, first, then, lines) : 0;
    bool own = line < lines[0] && line < lines[1] && around && (loop == INT_MAX ? begins_a_loop(im, first, line) : line <= loop); /* the loop's: it is unrolled */
    f->facts.race.parted_line = own ? 0 : line;
    advise(f, f->facts.race.parted_line ? TRY_BARRIER_BEHIND_BRANCH : TRY_BARRIER_IN_LOOP, lines[0], lines[1]);
}

/** Behind the branch that the line is in by the code, or, where the loop is unrolled, in which the warp has parted. */
static void advise_line_in_loop(struct finding *f, const struct image *im, const struct insn *store, const struct insn *load, int line)
{
    int parted = f->facts.race.parted_line;
    advise_in_loop(f, im, store, load, (int[2]){line, line});
    if (!parted || f->facts.race.parted_line)
        return;
    f->facts.race.parted_line = parted;
    advise(f, TRY_BARRIER_BEHIND_BRANCH, line, line);
}

/** Do threads that come to the line's store in one turn of a loop come to different elements each? Then the other was there in another turn. @return a load by which the store's
 *  thread comes to the line again; NULL: it is not so */
static const struct insn *meets_in_another_turn(const struct image *im, const struct actor *me, const struct insn *other)
{
    const struct insn *store = other && insn_class(other) == INSN_STORE ? other : me->insn;
    const uint32_t *block = me->warp->block->grid->config.block;
    const struct function *f = other && insn_class(store) == INSN_STORE && is_update(im, store) && update_in_place(im, other, me->insn) && block[1] == 1 && block[2] == 1 ? image_function_at(im, store) : NULL;
    return f && address_is_spread(f, store) ? comes_again(im, store, false) : NULL;
}

/** One line that reads and writes, executed by many threads. */
static void advise_line(struct finding *f, const struct image *im, const struct insn *other,
                        const struct insn *mine, int line)
{
    const struct insn *store = other && insn_class(other) == INSN_STORE ? other : mine, *load;
    if (update_in_place(im, other, mine))
        advise(f, TRY_ONE_UPDATE, line, 0);
    else if (stores_first(im, other, mine))
        advise(f, TRY_BARRIER_WITHIN_LINE, line, 0);
    else if ((load = comes_again(im, store, f->facts.race.same_warp)))
        advise_line_in_loop(f, im, store, load, line);
    else
        advise(f, TRY_READ_FIRST, line, 0);
}

/** Does the thread come to something on a later line first, in the loop? */
static bool is_late(const struct image *im, const struct loop *l, const struct insn *in, int line)
{
    const struct insn *before = l->first;
    while (before < in && insn_line_to_say(im, before) <= line)
        before++;
    return before < in;
}

/** Does a barrier stand on a line behind `above`, and not behind `last`? Looks are moved over branches, as compiled, and lines tell where they stood. */
static bool barrier_on_lines(const struct image *im, const struct function *f, int above, int last)
{
    for (const struct insn *in = f->entry; in < f->end; in++)
        if (insn_class(in) == INSN_BARRIER && insn_line_to_say(im, in) > above && insn_line_to_say(im, in) <= last)
            return true;
    return false;
}

/** Does one stand behind that line in the innermost loop around `in`? */
static bool barrier_below_in_loop(const struct image *im, const struct insn *in)
{
    const struct function *f = in ? image_function_at(im, in) : NULL;
    const struct loop *l = f ? loop_around(f, in, LOOP_INNERMOST) : NULL;
    int last = 0;
    for (const struct insn *i = l ? l->first : NULL; i && i <= l->last; i++)
        last = insn_line_to_say(im, i) > last ? insn_line_to_say(im, i) : last;
    return last && barrier_on_lines(im, f, insn_line_to_say(im, in), last);
}

/**
 * A loop's condition, say, which a thread changes in a branch at the loop's end: the compiler takes the next turn's look in front of that branch, or
 * beside it. By its line it stands before all that the turn does.
 * @return the branch, or NULL where it is not so
 */
static const struct insn *branch_before_next_look(const struct image *im, const struct insn *look, const struct insn *write)
{
    const struct function *f = image_function_at(im, look);
    if (!f || insn_class(look) != INSN_LOAD || insn_class(write) != INSN_STORE || !flow_holds(f, write))
        return NULL;
    int line = insn_line_to_say(im, look), written = insn_line_to_say(im, write);
    const struct loop *l = loop_around(f, look, LOOP_INNERMOST);
    if (!l || write < l->first || write > l->last || line >= written || insn_line_to_say(im, l->last) != line ||
        !is_late(im, l, look, line))
        return NULL;
    const struct insn *branch = ways_branch_with(im, write, look, true);
    int parted = branch ? insn_line_to_say(im, branch) : 0;
    return parted > line && parted <= written ? branch : NULL;
}

/** The innermost loop around `in` whose branch back stands on that line, as that of a `while` does on its condition's; NULL: there is none. */
static const struct loop *loop_with_head(const struct image *im, const struct function *f, const struct insn *in, int line)
{
    for (int which = LOOP_INNERMOST; which <= LOOP_OUTERMOST; which++) {
        const struct loop *l = loop_around(f, in, which);
        if (l && insn_line_to_say(im, l->last) == line)
            return l;
    }
    return NULL;
}

/**
 * The condition of a loop, at its head, is changed in a branch of the turn, before all have looked: nothing stands between this turn's look and the
 * change, while a barrier does before the next turn's.
 * @return that branch's line; 0 where it is not so
 */
static int branch_behind_look(const struct image *im, const struct insn *look, const struct insn *write, bool same_warp)
{
    const struct function *f = image_function_at(im, look);
    if (!f || insn_class(look) != INSN_LOAD || insn_class(write) != INSN_STORE || !flow_holds(f, write))
        return 0;
    int line = insn_line_to_say(im, look);
    const struct loop *l = loop_with_head(im, f, write, line);
    if (!l || way_find(f, look, write, &same_warp) == PATH_NONE)
        return 0;
    const struct insn *next = look >= l->first && look <= l->last ? look : l->last; /* the first turn's look may stand before the loop */
    const struct insn *branch = way_find(f, write, next, &same_warp) == PATH_NONE ? ways_branch_with(im, write, next, true) : NULL;
    int parted = branch ? insn_line_to_say(im, branch) : 0;
    return parted > line && parted <= insn_line_to_say(im, write) && !barrier_on_lines(im, f, line, parted) ? parted : 0;
}

bool advise_look(struct finding *f, const struct actor *me, const struct conflict_info *info)
{
    const struct image *im = actor_image(me);
    const struct insn *other = image_site_insn(im, info->other->site);
    for (int mine = 0; mine < 2 && other; mine++) {
        const struct insn *look = mine ? me->insn : other;
        int line = branch_behind_look(im, look, mine ? other : me->insn, f->facts.race.same_warp);
        if (line) {
            advise(f, TRY_BARRIER_BEFORE_BRANCH, insn_line_to_say(im, look), line);
            return true;
        }
    }
    return false;
}

/** Both stand where not all threads come to: the barrier has to stand outside, or where the next turn of the loop begins. */
static void advise_inside(struct finding *f, const struct image *im, const struct insn *first, const struct insn *then,
                          const struct insn *branch, int lines[2])
{
    f->facts.race.parted_line = insn_line_to_say(im, branch);
    bool round = ways_lead_round(im, first, then, f->facts.race.same_warp);
    advise(f, round ? TRY_BARRIER_BEHIND_BRANCH : TRY_BARRIER_IN_PARTS, lines[0], lines[1]);
}

/** Two lines of the same threads' way: never a barrier where not all threads come by. */
static void advise_between(struct finding *f, enum path way, bool turned, bool other_inside, bool behind)
{
    int first = f->accesses[turned].line, second = f->accesses[!turned].line, parted = f->facts.race.parted_line;
    bool loop = way == PATH_ROUND || (parted && !other_inside && parted <= first); /* round, if unrolled */
    if (!way)
        advise(f, TRY_BARRIER_FOR_ALL, first, second);
    else if (parted && other_inside && behind && !loop)
        advise(f, TRY_BARRIER_AFTER_BRANCH, first, second);
    else if (parted && other_inside)
        advise(f, loop ? TRY_BARRIER_BEHIND_BRANCH : TRY_BARRIER_IN_PARTS, first, second);
    else if (parted && !turned && !loop)
        advise(f, TRY_BARRIER_BEFORE_BRANCH, first, parted);
    else
        advise(f, loop ? TRY_BARRIER_IN_LOOP : TRY_BARRIER, first, second);
}

/** In functions that the compiler has put inline: by the lines of their calls, outside of a branch in which the first stands. @return false if it is not so */
static bool advise_calls(struct finding *f, const struct image *im, const struct insn *first, const struct insn *then, enum path way)
{
    int calls[2];
    const struct insn *with = ways_branch_with(im, first, then, way == PATH_ROUND);
    if (!ways_lines_of_calls(im, first, then, calls) || (way == PATH_ROUND ? with != NULL : calls[0] == calls[1]))
        return false;
    if (with)
        f->facts.race.parted_line = insn_line_to_say(im, with);
    advise(f, with ? TRY_BARRIER_AFTER_BRANCH : way == PATH_ROUND || calls[0] > calls[1] ? TRY_BARRIER_IN_LOOP : TRY_BARRIER, calls[0], calls[1]);
    return true;
}

/** Two copies of a line that writes: two rounds of a loop. */
static void advise_copies(struct finding *f, const struct image *im, const struct insn *first, const struct insn *then, enum path way, int lines[2])
{
    int parted = f->facts.race.parted_line;
    if (way != PATH_NONE && first && then)
        advise_in_loop(f, im, first, then, lines);
    if (f->facts.race.advice == TRY_BARRIER_BEHIND_BRANCH)
        return;
    f->facts.race.parted_line = parted;
    advise_between(f, way, false, false, false);
}

/** The line of a branch before or behind which a barrier is to stand; 0: there is none, or the warp has parted before it. */
static int line_of(const struct actor *me, const struct insn *branch)
{
    const struct image *im = actor_image(me);
    const struct insn *parted = warp_parted_at(me->warp);
    bool parted_before = branch && parted && parted != branch && is_behind_parting(me, im, branch) &&
                         !is_behind_both_ways(me, im, branch);
    return branch && !parted_before ? insn_line_to_say(im, branch) : 0;
}

static bool in_a_loop(const struct image *im, const struct insn *in)
{
    return in && image_function_at(im, in) && loop_around(image_function_at(im, in), in, LOOP_OUTERMOST);
}

/** The loop is unrolled, wholly: what is on the later line is behind the earlier one, and another of its kind before. */
static bool is_copied(const struct image *im, const struct insn *earlier, const struct insn *later)
{
    const struct function *f = image_function_at(im, earlier);
    for (const struct insn *in = f && flow_holds(f, later) ? f->entry : NULL; in && in < earlier; in++)
        if (insn_class(in) == insn_class(later) && insn_line_to_say(im, in) == insn_line_to_say(im, later) &&
            way_find(f, in, earlier, NULL) == PATH_AHEAD)
            return true;
    return false;
}

void advise_writer(struct finding *f, const struct image *im, const struct insn *writes, int line)
{
    const struct function *function = image_function_at(im, writes);
    const struct insn *counter = function ? address_atomic(function, writes) : NULL;
    if (counter && !f->facts.race.same_block && counter->mem.space == SPACE_SHARED)
        counter = NULL; /* each block has its own */
    advise(f, counter ? TRY_COUNTER : TRY_ONE_WRITER, line, counter ? insn_line_to_say(im, counter) : 0);
}

void advise_ahead(struct finding *f, const struct image *im, const struct insn *first, const struct insn *then)
{
    const struct function *function = image_function_at(im, first);
    bool same_warp = f->facts.race.same_warp, ahead = function && flow_holds(function, then) && way_find(function, first, then, &same_warp) == PATH_AHEAD;
    int lines[2] = {insn_line_to_say(im, first), insn_line_to_say(im, then)};
    const struct insn *around = ahead ? ways_branch_around(im, first, then, same_warp) : NULL;
    const struct insn *with = ahead ? ways_branch_with(im, first, then, false) : NULL;
    int before = around ? insn_line_to_say(im, around) : 0, behind = with ? insn_line_to_say(im, with) : 0;
    advise(f, TRY_BARRIER, lines[0], lines[1]);
    if (before > lines[0] && before <= lines[1]) {
        advise(f, TRY_BARRIER_BEFORE_BRANCH, lines[0], before);
    } else if (behind && behind <= lines[0] && lines[0] < lines[1]) {
        f->facts.race.parted_line = behind;
        advise(f, TRY_BARRIER_AFTER_BRANCH, lines[0], lines[1]);
    }
}

void advise_barrier(struct finding *f, const struct actor *me, const struct conflict_info *info)
{
    if (advise_look(f, me, info))
        return;
    int first = f->accesses[0].line, second = f->accesses[1].line;
    const struct image *im = actor_image(me);
    const struct insn *other = image_site_insn(im, info->other->site);
    struct ways w = ways_find(im, info->other->site, me->insn, f->facts.race.same_warp);
    bool turned = !w.onward && w.back; /* the one that came second here is the earlier one in the code */
    enum path way = turned ? w.back : w.onward;
    const struct insn *parted = warp_parted_at(me->warp);
    /* Behind the branch both ways have met, though the lanes may go on in parts. */
    bool met = other && is_behind_both_ways(me, im, other) && is_behind_both_ways(me, im, me->insn);
    f->facts.race.parted_line = parted && !met ? insn_line_to_say(im, parted) : 0;
    const struct insn *earlier = turned ? me->insn : other, *later = turned ? other : me->insn;
    const struct insn *apart, *again;
    int branch, lines[2] = {turned ? second : first, turned ? first : second};
    /* Ahead to a line that stands before it, in a loop: the compiler has unrolled that. */
    f->facts.race.unrolled = way == PATH_AHEAD && lines[0] > lines[1] && !in_a_loop(im, earlier) && other && is_copied(im, earlier, later);
    bool round = way == PATH_ROUND || f->facts.race.unrolled || (way == PATH_AHEAD && lines[0] > lines[1] && in_a_loop(im, earlier));
    /* Barriers stand on both ways, and these two came to different ones. As compiled they do, too, where the next turn's look has been moved. */
    const struct insn *writer = insn_class(me->insn) == INSN_STORE ? me->insn : other;
    bool met_wrongly = !w.onward && !w.back && barrier_below_in_loop(im, writer);
    const struct insn *next = other && !met_wrongly ? branch_before_next_look(im, other, me->insn) : NULL;
    bool came_first = next;
    if (other && !next && !met_wrongly)
        next = branch_before_next_look(im, me->insn, other);
    if (next) {
        f->facts.race.parted_line = insn_line_to_say(im, next);
        advise(f, TRY_BARRIER_BEHIND_BRANCH, came_first ? second : first, came_first ? first : second);
    } else if (w.apart)
        advise(f, TRY_BARRIER_BETWEEN_BRANCHES, first < second ? first : second, first < second ? second : first);
    else if (first == second && (again = meets_in_another_turn(im, me, other)))
        advise_line_in_loop(f, im, insn_class(me->insn) == INSN_STORE ? me->insn : other, again, first);
    else if (first == second && info->conflict == WRITE_THEN_WRITE && other == me->insn)
        advise_writer(f, im, other, first);
    else if (first == second && info->conflict == WRITE_THEN_WRITE && other && update_in_place(im, other, me->insn))
        advise(f, TRY_ONE_UPDATE, first, 0);
    else if (first == second && info->conflict == WRITE_THEN_WRITE)
        advise_copies(f, im, earlier, later, way, lines);
    else if (first == second)
        advise_line(f, im, other, me->insn, first);
    else if (way == PATH_AHEAD && other && !round && (apart = ways_branch_of_both(im, earlier, later)))
        advise_inside(f, im, earlier, later, apart, lines);
    else if (way == PATH_AHEAD && other && (branch = line_of(me, ways_branch_around(im, earlier, later, f->facts.race.same_warp))) &&
             (branch >= first || branch >= second)) /* else a loop's own, unrolled: before both */
        advise(f, TRY_BARRIER_BEFORE_BRANCH, lines[0], branch);
    else if (way != PATH_NONE && other && advise_calls(f, im, earlier, later, way))
        return;
    else if (round)
        advise_in_loop(f, im, earlier, later, lines);
    else if (way == PATH_AHEAD && other && (branch = line_of(me, ways_branch_with(im, earlier, later, false))) &&
             (branch <= lines[0] || lines[0] < lines[1])) { /* a branch of another line: the compiler has made one of two */
        f->facts.race.parted_line = branch;
        again = ways_branch_around(im, earlier, later, f->facts.race.same_warp);
        f->facts.race.unrolled = again && insn_line_to_say(im, again) == branch && branch < lines[1]; /* the branch of the next turn */
        advise(f, f->facts.race.unrolled ? TRY_BARRIER_BEHIND_BRANCH : TRY_BARRIER_AFTER_BRANCH, lines[0], lines[1]);
    } else
        advise_between(f, way, turned, is_behind_parting(me, im, other),
                       is_behind_both_ways(me, im, later));
}
