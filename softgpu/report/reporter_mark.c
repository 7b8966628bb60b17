/**
 * @file reporter_mark.c
 * What a run that is made once more has told is counted once.
 */
#include "report/reporter.h"
#include "report/reporter_state.h"

#include <assert.h>
#include <stdlib.h>

struct reporter_mark {
    uint64_t conflicts, told_count;
    int entries;
    uint64_t count[];      /**< of each */
};

struct reporter_mark *reporter_mark(const struct reporter *r)
{
    struct reporter_mark *m = malloc(sizeof *m + (size_t)r->entries.count * sizeof m->count[0]);
    assert(m);
    *m = (struct reporter_mark){r->conflicts, r->told_count, r->entries.count};
    for (int i = 0; i < m->entries; i++)
        m->count[i] = r->entries.data[i].count;
    return m;
}

void reporter_unmark(struct reporter *r, struct reporter_mark *mark, bool back)
{
    if (back) {
        pthread_mutex_lock(&r->lock);
        r->conflicts = mark->conflicts;
        r->told_count = mark->told_count;
        for (int i = 0; i < r->entries.count; i++)
            r->entries.data[i].count = i < mark->entries ? mark->count[i] : 0;
        pthread_mutex_unlock(&r->lock);
    }
    free(mark);
}
