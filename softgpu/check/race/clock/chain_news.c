/**
 * @file chain_news.c
 * See chain_news.h.
 */
#include "check/race/clock/chain_news.h"

/** Does it pass on what has not come here from the same fence yet? Notes that it has. */
static bool is_news(const struct release_chain *m, const struct contribution *c, const struct passed *p)
{
    struct snapshot *s = p->device;
    if (c->reach < REACH_DEVICE || (!s && !p->sc))
        return false;
    bool again = s && s->given_to == m->number && (!p->sc || s->given_sc == p->sc);
    if (s && !again) {
        s->given_to = m->number;
        s->given_sc = p->sc;
    }
    return !again;
}

void chain_note_news(struct release_chain *m, int by)
{
    const struct contribution *c = &m->from.data[by];
    if (is_news(m, c, chain_passed(m, by)))
        *LIST_PUSH(&m->news) = (struct chain_news){.by = by, .at = c->passed - 1};
}

int chain_news_from(const struct release_chain *m, int from)
{
    int low = 0, high = from > 0 ? m->news.count : 0;
    for (int step = 1; high > 0 && step <= m->news.count; step *= 2) { /* mostly the last few are asked for */
        int at = m->news.count - step;
        if (m->news.data[at].by < from) {
            low = at + 1;
            break;
        }
        high = at;
    }
    while (low < high) {
        int middle = (low + high) / 2;
        if (m->news.data[middle].by < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
