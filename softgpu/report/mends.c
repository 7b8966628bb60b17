/**
 * @file mends.c
 * See mends.h.
 */
#include "report/mends.h"

#include <string.h>

#include "report/words/words.h"

/** A barrier that all threads of the block come to, or the warp's lanes. */
static bool is_barrier(enum race_advice a)
{
    return a == TRY_BARRIER || a == TRY_BARRIER_WITHIN_LINE || a == TRY_BARRIER_IN_LOOP || a == TRY_BARRIER_BEFORE_BRANCH || a == TRY_BARRIER_IN_PARTS ||
           a == TRY_BARRIER_BEHIND_BRANCH || a == TRY_BARRIER_AFTER_BRANCH;
}

static bool is_fence(enum race_advice a)
{
    return a == TRY_FENCE_AFTER_READ || a == TRY_FENCE_BEFORE_SIGNAL || a == TRY_BOTH_FENCES || a == TRY_FENCES;
}

static bool is_line_of(const struct finding_mend *m, int line)
{
    return line && (line == m->lines[0] || line == m->lines[1]);
}

/** Fences: is there one wherever the other wants it? */
static bool has_all(const struct finding_mend *m, const struct finding_mend *other)
{
    return is_line_of(m, other->lines[0]) && (!other->lines[1] || is_line_of(m, other->lines[1]));
}

/** A barrier behind the one line and before the other, of a block, a cluster or a grid; in a loop that is before the loop comes there. */
static bool is_between(enum race_advice a)
{
    return is_barrier(a) ? a != TRY_BARRIER_WITHIN_LINE : a == TRY_GRID_BARRIER || a == TRY_CLUSTER_BARRIER;
}

/** Where the one barrier may stand the other may, too, as far as lines tell: they have one end together, and the other comes later, or the first earlier. */
static bool is_within(const struct finding_mend *m, const struct finding_mend *wider)
{
    bool straight[2] = {m->lines[0] < m->lines[1], wider->lines[0] < wider->lines[1]}, together = false;
    for (int i = 0; i < 2; i++)
        together |= m->lines[i] == wider->lines[i];
    bool alike = m->advice == wider->advice ||
                 ((m->advice == TRY_BARRIER || m->advice == TRY_BARRIER_BEFORE_BRANCH) && (wider->advice == TRY_BARRIER || wider->advice == TRY_BARRIER_BEFORE_BRANCH));
    if (m->advice == TRY_BARRIER_BEHIND_BRANCH && wider->advice == m->advice)
        return m->parted_line == wider->parted_line; /* right behind it */
    bool in_branch = m->advice == TRY_BARRIER_IN_PARTS || m->advice == TRY_BARRIER_AFTER_BRANCH;
    return alike && together && straight[0] == straight[1] && (!in_branch || m->parted_line == wider->parted_line) && wider->lines[0] <= m->lines[0] &&
           m->lines[1] <= wider->lines[1];
}

/** A launch that begins with the first one's later line: do the other's earlier line stand before that, and its later one behind? */
static bool is_parted(const struct finding_mend *m, const struct finding_mend *other)
{
    return m->lines[1] < m->lines[0] && other->lines[1] < m->lines[0] && m->lines[0] <= other->lines[0];
}

/** Are both wanted: barriers on the ways there and back, or fences at other lines? */
static bool are_two(const struct finding_mend *a, const struct finding_mend *b)
{
    if (is_barrier(a->advice) && is_barrier(b->advice))
        return a->read_first != b->read_first && !is_within(a, b) && !is_within(b, a);
    return is_fence(a->advice) && is_fence(b->advice) && !has_all(a, b);
}

/** Does the advice of `from` do for what that of `to` mends? An atomic, say, is the same for all that come. */
static bool is_more(const struct finding_mend *from, const struct finding_mend *to)
{
    bool reaches = is_barrier(to->advice) || is_fence(to->advice) || from->advice == to->advice;
    return (reaches && from->apart > to->apart) || to->advice == TRY_NOTHING ||
           (from->apart == to->apart && is_fence(from->advice) && is_fence(to->advice) && has_all(from, to) && !has_all(to, from));
}

void mend_both(struct finding *f, const struct finding *other)
{
    const struct finding_mend *to = &f->mend, *from = &other->mend;
    if (from->advice == TRY_NOTHING || other->level < f->level || strstr(f->suggestion, other->suggestion))
        return;
    if (is_more(from, to)) {
        memcpy(f->suggestion, other->suggestion, sizeof f->suggestion);
        f->mend = other->mend;
        return;
    }
    if (from->apart == to->apart && are_two(to, from) && !to->twice)
        f->mend.twice = say_try_also(f, other);
}

void mend_as_wide(struct finding *f, const struct finding *other)
{
    const struct finding_mend *to = &f->mend, *from = &other->mend;
    const char *wide = strstr(other->suggestion, "__threadfence_system()") ? "__threadfence_system()" : "__threadfence()";
    if (from->apart > to->apart && strstr(other->suggestion, wide) && (is_line_of(to, from->lines[0]) || is_line_of(to, from->lines[1])))
        say_try_with(f, "__threadfence_block()", wide);
}

/** Are all four places known, and in one file? A finding of one place has none for its second. */
static bool same_files(const struct finding *a, const struct finding *b)
{
    const char *files[] = {a->accesses[0].file, a->accesses[1].file, b->accesses[0].file, b->accesses[1].file};
    for (int i = 0; i < 4; i++)
        if (!files[0] || !files[i] || strcmp(files[i], files[0]) != 0)
            return false;
    return true;
}

/** Who goes by what its count returns does not look: then nobody's look comes before another's count either. */
static bool is_look_at_count(const struct finding *f, const struct finding *other)
{
    bool same = f->accesses[0].line == other->accesses[0].line && f->accesses[1].line == other->accesses[1].line;
    return f->mend.by_result && same && f->level >= other->level && (other->cause == CAUSE_SAME_PHASE || other->cause == CAUSE_TURN_AHEAD) && same_files(f, other);
}

bool mend_does_for(const struct finding *f, const struct finding *other)
{
    const struct finding_mend *m = &f->mend, *theirs = &other->mend;
    if (is_look_at_count(f, other))
        return true;
    if (m->advice == TRY_NOTHING || theirs->advice == TRY_NOTHING || theirs->twice || m->apart < theirs->apart || f->level < other->level || !same_files(f, other))
        return false;
    if (is_fence(m->advice) && is_fence(theirs->advice))
        return has_all(m, theirs);
    if (is_between(m->advice) && is_between(theirs->advice))
        return is_within(m, theirs);
    if (m->advice == TRY_OTHER_LAUNCH && theirs->advice == m->advice)
        return is_parted(m, theirs);
    return m->advice == theirs->advice && m->lines[0] && m->lines[0] == theirs->lines[0] && m->lines[1] == theirs->lines[1];
}
