/**
 * @file rows_open.c
 * When rows of shared memory are told to all checkers at once.
 */
#include "check/checkers.h"
#include "check/rows/rows_vectors.h"
#include "execute/observer.h"

/** Does the observer hear of single loads or stores? */
static bool hears_accesses(const struct observer *o)
{
    return o->load || o->store || o->plain_load || o->plain_store || o->plain_idle || o->plain_untold;
}

void rows_open(struct observer_set *set)
{
    const struct plain_rows *v = rows_vectors();
    const struct observer *const whose[PLAIN_ROWS_WHO] = {
        [ROWS_RACE] = &race_checker, [ROWS_UNINIT] = &uninit_checker, [ROWS_DEADLOCK] = &deadlock_checker};
    struct plain_rows rows = v ? *v : (struct plain_rows){0};
    int known = 0;
    for (int i = 0; i < set->count; i++)
        if (hears_accesses(set->hooks[i])) {
            int which = 0;
            while (which < PLAIN_ROWS_WHO && whose[which] != set->hooks[i])
                which++;
            if (which == PLAIN_ROWS_WHO)
                return; /* somebody else wants to hear of each */
            rows.self[which] = set->self[i];
            rows.slot[which] = i;
            known++;
        }
    if (v && known == PLAIN_ROWS_WHO)
        observers_tell_rows(set, &rows);
}
