/**
 * @file row_atomics.c
 * See row_atomics.h.
 */
#include "check/race/shadow/row_atomics.h"

#include <assert.h>
#include <string.h>

#define SOON 4   /* fewer are not worth it */

void push_past(struct shadow_word *c, uint64_t value)
{
    struct sync *s = c->sync;
    bool full = s->pasts == MAX_PAST, same = full && s->past[0].chain == s->chain; /* so is the reference */
    if (full) {
        if (!same)
            chain_drop(s->past[0].chain);
        memmove(&s->past[0], &s->past[1], (MAX_PAST - 1) * sizeof s->past[0]);
        s->pasts--;
    }
    s->past[s->pasts++] = (struct past){.write = c->write, .value = value,
                                        .chain = same ? s->chain : chain_ref(s->chain), .upto = s->upto,
                                        .seq = s->seq, .operand = s->operand, .has_operand = s->has_operand,
                                        .was_read = c->read.agent && (c->read.flags & EPOCH_LIST)};
    s->past[s->pasts - 1].write.flags &= (uint8_t)~EPOCH_KEPT;
}

/** The word's last write, which goes on with the one before. */
static void written(struct shadow_word *w, const struct contribution *by, uint8_t flags, uint32_t before)
{
    w->old = before;
    w->flags |= WORD_OLD;
    w->write = (struct epoch){.agent = by->agent, .time = by->time, .site = by->site, .thread = by->thread,
                              .flags = flags | (w->write.flags & EPOCH_READ), .unit = 2u << 4};
}

/** All of word_goes_on() but what is kept of the write before. */
static void go_on(struct shadow_word *w, const struct contribution *by, uint8_t flags, uint64_t moment, uint64_t before)
{
    struct sync *s = w->sync;
    s->seq++;
    s->written = moment;
    s->operand = 0;
    s->has_operand = false;
    written(w, by, flags, (uint32_t)before);
    *chain_add_signal(s->chain, by->agent) = *by;
    s->upto = s->chain->from.count - 1;
    s->chain->devices |= (uint8_t)(1u << by->on);
}

void word_goes_on(struct shadow_word *w, const struct contribution *by, uint8_t flags, uint64_t moment, uint64_t before)
{
    w->read.agent = 0; /* an earlier launch's */
    push_past(w, before);
    go_on(w, by, flags, moment, before);
}

/* ---- Whole rows ---- */

/** Does nobody else hold the word's chain, and is nothing of it known that one more could change? */
static bool is_alone(const struct shadow_word *c)
{
    const struct sync *s = c->sync;
    const struct release_chain *m = s->chain;
    uint32_t refs = 1;
    if (!m || s->tips || s->read_sc || s->read_sc_sys || m->any_sc || m->narrow || m->carriers.count || m->from.count < 2)
        return false;
    for (int i = 0; i < s->pasts; i++)
        refs += s->past[i].chain == m;
    return refs == m->refs;
}

static uint8_t kind_of(const struct shadow_word *c)
{
    return c->write.flags & (uint8_t)~(EPOCH_READ | EPOCH_KEPT);
}

void row_atomics_begin(struct shadow_row *row)
{
    const struct shadow_word *words = row->words;
    if (row->owes || !words || row->under || row->asked >= ROW_ASKED_MOST)
        return;
    for (int i = 0; i < ROW_WORDS; i++) {
        const struct shadow_word *c = &words[i];
        if ((c->flags & (WORD_SYNC | WORD_SPLIT | WORD_LOGGED)) != WORD_SYNC || c->read.agent || !(c->write.flags & EPOCH_RMW) || kind_of(c) != kind_of(words) ||
            c->write.agent != words->write.agent || c->write.unit != 2u << 4 || !is_alone(c))
            return;
    }
    struct row_atomics *r = calloc(1, sizeof *r);
    assert(r);
    r->last = words->write.agent;
    r->flags = kind_of(words);
    row->atomics = r;
    row->owes = true;
}

struct row_atomic *row_atomics_add(struct shadow_row *row)
{
    return LIST_PUSH(&row->atomics->of);
}

void row_atomics_free(struct shadow_row *row)
{
    if (!row->owes)
        return;
    struct row_atomics *r = row->atomics;
    LIST_FREE(&r->of);
    free(r);
    row->read = row->write = (struct epoch){0};
    row->owes = false;
}

/** What one of them is to word `i`. */
static struct contribution part_of(const struct row_atomic *u, int i)
{
    struct contribution by = u->by;
    by.thread = (uint16_t)(by.thread + i);
    by.unseen = u->unseen >> i & 1;
    return by;
}

void row_atomics_told(struct shadow_row *row)
{
    const struct row_atomics *r = row->atomics;
    for (int i = 0; i < ROW_WORDS; i++)
        for (int k = 0; k < r->of.count; k++) {
            const struct row_atomic *u = &r->of.data[k];
            const struct contribution by = part_of(u, i);
            if (k >= r->of.count - MAX_PAST) /* the others are no longer kept */
                push_past(&row->words[i], u->before[i]);
            go_on(&row->words[i], &by, u->flags, u->moment + (uint64_t)i + 1, u->before[i]);
        }
    row->asked += r->of.count < SOON && row->asked < ROW_ASKED_MOST;
    row_atomics_free(row);
}

bool row_atomics_over(struct shadow_row *row, uint32_t floor)
{
    const struct row_atomics *r = row->atomics;
    if (r->last >= floor)
        return false;
    for (int i = 0; i < ROW_WORDS && r->of.count; i++) {
        const struct row_atomic *u = &r->of.data[r->of.count - 1];
        const struct contribution by = part_of(u, i);
        written(&row->words[i], &by, u->flags, u->before[i]);
    }
    row_atomics_free(row);
    return true;
}
