/**
 * @file mends.c
 * See mends.h.
 */
#include "report/mends.h"

#include <stdio.h>
#include <string.h>

#define ALSO ". Also: "

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

/** Are both wanted: barriers on the ways there and back, or fences at other lines? */
static bool are_two(const struct finding_mend *a, const struct finding_mend *b)
{
    if (is_barrier(a->advice) && is_barrier(b->advice))
        return a->read_first != b->read_first;
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
    size_t used = strlen(f->suggestion);
    bool fits = used + strlen(ALSO) + strlen(other->suggestion) < sizeof f->suggestion;
    if (from->apart == to->apart && are_two(to, from) && fits && !strstr(f->suggestion, ALSO))
        snprintf(f->suggestion + used, sizeof f->suggestion - used, ALSO "%s", other->suggestion);
}

/** Puts one word for another wherever it stands. */
static void exchange(struct finding *f, const char *word, const char *by)
{
    size_t old = strlen(word), new = strlen(by);
    for (char *at = f->suggestion; (at = strstr(at, word)) && strlen(f->suggestion) + new < sizeof f->suggestion + old; at += new) {
        memmove(at + new, at + old, strlen(at + old) + 1);
        memcpy(at, by, new);
    }
}

void mend_as_wide(struct finding *f, const struct finding *other)
{
    const struct finding_mend *to = &f->mend, *from = &other->mend;
    const char *wide = strstr(other->suggestion, "__threadfence_system()") ? "__threadfence_system()" : "__threadfence()";
    if (from->apart > to->apart && strstr(other->suggestion, wide) && (is_line_of(to, from->lines[0]) || is_line_of(to, from->lines[1])))
        exchange(f, "__threadfence_block()", wide);
}
