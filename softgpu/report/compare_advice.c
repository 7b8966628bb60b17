/**
 * @file compare_advice.c
 * What findings advise, one beside the other: see reporter_state.h.
 */
#include <stddef.h>

#include "report/mends.h"
#include "report/reporter_state.h"
#include "report/same_finding.h"

/** Of two that count: are they of one kernel? */
static bool are_together(const struct entry *a, const struct entry *b)
{
    return a != b && a->count && b->count && same_kernel(&a->finding, &b->finding);
}

/** Who does for it: the first, of those that do for each other. NULL: nobody. */
static const struct entry *who_mends(const struct reporter *r, const struct entry *e)
{
    for (const struct entry *by = r->entries.data; by < r->entries.data + r->entries.count; by++)
        if (are_together(by, e) && mend_does_for(&by->finding, &e->finding) && (by < e || !mend_does_for(&e->finding, &by->finding)))
            return by;
    return NULL;
}

/** Its number among the lines of the findings file. */
static int line_in_file(const struct reporter *r, const struct entry *e)
{
    int line = 1;
    for (const struct entry *before = r->entries.data; before < e; before++)
        line += before->count != 0;
    return line;
}

void compare_advice(struct reporter *r)
{
    struct entry *first = r->entries.data, *end = first + r->entries.count;
    for (struct entry *e = first; e < end; e++)
        for (const struct entry *other = first; other < end; other++)
            if (are_together(e, other))
                mend_as_wide(&e->finding, &other->finding);
    for (struct entry *e = first; e < end; e++) {
        const struct entry *by = NULL;
        const struct entry *next = who_mends(r, e);
        for (int steps = 0; next && steps < r->entries.count; steps++, next = who_mends(r, next)) /* more would go round */
            by = next;
        e->finding.mended_by = by ? line_in_file(r, by) : 0;
    }
}
