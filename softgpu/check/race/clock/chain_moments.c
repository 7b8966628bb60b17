/**
 * @file chain_moments.c
 * See chain_moments.h.
 */
#include "check/race/clock/chain_moments.h"

#define MARK_EVERY 8

void chain_mark(struct release_chain *m, int at, uint64_t moment)
{
    int last = m->marks.count ? m->marks.data[m->marks.count - 1].at : 0;
    if (at == 0)
        m->begun = moment;
    else if (m->begun && at >= last + MARK_EVERY)
        *LIST_PUSH(&m->marks) = (struct chain_mark){at, moment};
}

uint64_t chain_moment(const struct release_chain *m, int at)
{
    int low = 0, high = m ? m->marks.count : 0;
    while (low < high) { /* the first mark behind it */
        int middle = low + (high - low) / 2;
        if (m->marks.data[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    if (!m || m->moved)
        return 0;
    return low ? m->marks.data[low - 1].moment : m->begun;
}

int chain_older_than(const struct release_chain *m, uint64_t moment)
{
    int low = 0, high = m->marks.count;
    while (low < high) { /* the first mark that is not older */
        int middle = low + (high - low) / 2;
        if (m->marks.data[middle].moment < moment)
            low = middle + 1;
        else
            high = middle;
    }
    if (low)
        return m->marks.data[low - 1].at + 1;
    return m->begun && m->begun < moment;
}
