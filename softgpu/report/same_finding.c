/**
 * @file same_finding.c
 * See same_finding.h.
 */
#include "report/same_finding.h"

#include <string.h>

static bool same_line(const struct finding_access *a, const struct finding_access *b)
{
    if ((a->file == NULL) != (b->file == NULL) || a->line != b->line)
        return false;
    if (!a->file)
        return a->ptx_line == b->ptx_line;
    return strcmp(a->file, b->file) == 0;
}

/** A finding of its own whatever else is said of its lines. */
static bool stands_apart(enum finding_cause c)
{
    return c == CAUSE_ACTED_LATE || c == CAUSE_LANDS_LATER;
}

bool same_kernel(const struct finding *a, const struct finding *b)
{
    return (a->kernel == NULL) == (b->kernel == NULL) && (!a->kernel || strcmp(a->kernel, b->kernel) == 0);
}

bool same_finding(const struct finding *a, const struct finding *b)
{
    if (a->kind != b->kind || a->access_count != b->access_count || 
        ((stands_apart(a->cause) || stands_apart(b->cause)) && a->cause != b->cause))
        return false;
    if (!same_kernel(a, b))
        return false;
    switch (a->access_count) {
    case 0:
        return strcmp(a->message, b->message) == 0;
    case 1:
        return same_line(&a->accesses[0], &b->accesses[0]);
    default:
        return (same_line(&a->accesses[0], &b->accesses[0]) &&
                same_line(&a->accesses[1], &b->accesses[1])) ||
               (same_line(&a->accesses[0], &b->accesses[1]) &&
                same_line(&a->accesses[1], &b->accesses[0]));
    }
}

bool same_trail(const struct finding_trail *a, const struct finding_trail *b)
{
    return a->known && b->known && a->shown == b->shown && a->op == b->op &&
           a->launch[0] == b->launch[0] && a->launch[1] == b->launch[1] &&
           a->space == b->space && a->address == b->address && a->block[0] == b->block[0] &&
           a->block[1] == b->block[1] && a->thread[0] == b->thread[0] &&
           a->thread[1] == b->thread[1] && a->site[0] == b->site[0] && a->site[1] == b->site[1];
}

bool finding_is_wider(const struct finding *f, const struct finding *first)
{
    const struct finding_trail *t = &f->trail, *was = &first->trail;
    return t->known && was->known && t->shown == was->shown && t->op == was->op && t->launch[0] == t->launch[1] &&
           t->block[0] != t->block[1] && was->block[0] == was->block[1] && was->launch[0] == was->launch[1] &&
           f->level >= first->level;
}

bool finding_is_one_of(const struct finding *f, enum doubts which)
{
    return f->kind == FIND_ORDERING && f->level == LEVEL_WARNING && f->cause != CAUSE_ACTED_LATE &&
           (which == DOUBTS_ALL || (which == DOUBTS_RETRIED ? f->trail.retried : f->trail.only_if_bites));
}

bool finding_is_doubt(const struct finding *f, uint64_t op, enum finding_cause cause)
{
    return f->kind == FIND_ORDERING && f->cause == cause && f->level == LEVEL_WARNING && f->trail.known && f->trail.op == op;
}
