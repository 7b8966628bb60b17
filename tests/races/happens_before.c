/**
 * @file happens_before.c
 * See happens_before.h.
 */
#include "happens_before.h"

#include <stdlib.h>

#include "base/list.h"

/** An access to one byte. */
struct touch {
    uint64_t byte;                  /**< which */
    int agent;                      /**< which kernel, or behind them the range */
    uint32_t block, thread;
    uint32_t barriers, warp_barriers; /**< that the thread has passed, both kinds in the second */
    int number;                     /**< those of a thread in its order */
    enum act act;
    struct atom atom;
    uint8_t value;
};

LIST_TYPE(touches, struct touch);

/** Bytes of all arrays in one numbering: those of global memory, then each block's. */
static uint64_t byte_number(const struct step *s, int agent, uint32_t block)
{
    return s->shared ? ((1ull + (uint64_t)agent) << 40) + ((uint64_t)block << 20) + (uint64_t)s->array * SHARED_BYTES
                     : (uint64_t)s->array * GLOBAL_BYTES;
}

static void add_access(struct touches *all, const struct random_kernel *k, const struct step *s, uint32_t turn, struct touch by)
{
    if (!step_taken(k, s, by.block, by.thread))
        return;
    uint32_t place = step_place(k, s, by.block, by.thread, turn);
    uint64_t from = byte_number(s, by.agent, by.block) + place, value = step_value(k, s, by.block, by.thread);
    by.act = s->act;
    by.atom = atom_of(s, by.agent, by.block, place);
    for (unsigned i = 0; i < s->unit * s->count; i++) {
        by.byte = from + i;
        by.atom.from = place + i - i % s->unit;
        by.value = (uint8_t)(value >> 8 * (i % s->unit));
        by.number = all->count;
        *LIST_PUSH(all) = by;
    }
}

/** All that one thread does. */
static void walk(struct touches *all, const struct random_kernel *k, struct touch by)
{
    int loop = 0;
    uint32_t turn = 0;
    for (int i = 0; i < k->count; i++) {
        const struct step *s = &k->step[i];
        switch (s->act) {
        case ACT_LOAD:
        case ACT_STORE:
        case ACT_ADD: add_access(all, k, s, turn, by); break;
        case ACT_BARRIER: by.barriers++, by.warp_barriers++; break;
        case ACT_WARP_BARRIER: by.warp_barriers++; break;
        case ACT_LOOP: loop = i; break;
        case ACT_LOOP_END:
            if (++turn < k->step[loop].turns)
                i = loop;
            else
                turn = 0;
            break;
        default: break; /* of random_signals() */
        }
    }
}

static bool are_ordered(const struct touch *p, const struct touch *q, bool agents)
{
    if (p->agent != q->agent)
        return agents;
    if (p->block != q->block)
        return false;
    return p->thread == q->thread || p->barriers != q->barriers ||
           (p->thread / 32 == q->thread / 32 && p->warp_barriers != q->warp_barriers);
}

static enum race_verdict verdict_of(const struct touch *p, const struct touch *q, bool agents)
{
    if ((p->act == ACT_LOAD && q->act == ACT_LOAD) || atoms_together(&p->atom, &q->atom) || are_ordered(p, q, agents))
        return RACE_NONE;
    if ((p->act == ACT_STORE && q->atom.may_agree) || (q->act == ACT_STORE && p->atom.may_agree))
        return RACE_EITHER;
    return p->act == ACT_STORE && q->act == ACT_STORE && p->value == q->value ? RACE_SAME_VALUE : RACE_ERROR;
}

/** A thread that has read a strong write strongly, and those that it tells, come behind that write: of threads that do either to a byte that depends on the run. */
static enum race_verdict verdict_beside(const struct touch *p, const struct touch *q, bool agents, bool looked)
{
    bool strong_write = (p->atom.strong && p->act != ACT_LOAD) || (q->atom.strong && q->act != ACT_LOAD);
    enum race_verdict v = verdict_of(p, q, agents);
    return v && looked && strong_write ? RACE_MAYBE : v;
}

/** Does p's thread itself store what q has stored, later, and as unordered with q? Then nothing else can stay: which of the two stores of p's thread is
 *  seen beside q's is chance, a race or a warning of one. */
static bool is_made_good(const struct touch *p, const struct touch *q, const struct touch *all, int count, bool agents)
{
    for (int i = 0; i < count; i++)
        if (all[i].agent == p->agent && all[i].block == p->block && all[i].thread == p->thread && all[i].number > p->number && all[i].act == ACT_STORE &&
            all[i].value == q->value && !are_ordered(&all[i], q, agents))
            return p->act == ACT_STORE && q->act == ACT_STORE;
    return false;
}

static int compare_bytes(const void *a, const void *b)
{
    const struct touch *p = a, *q = b;
    return (p->byte > q->byte) - (p->byte < q->byte);
}

enum race_verdict races_of(const struct random_kernel *const *kernels, int count, const struct range_access *range, bool ordered)
{
    struct touches all = {0};
    enum race_verdict worst = RACE_NONE;
    for (int n = 0; n < count; n++)
        for (uint32_t b = 0; b < kernels[n]->blocks; b++)
            for (uint32_t t = 0; t < kernels[n]->threads; t++)
                walk(&all, kernels[n], (struct touch){.agent = n, .block = b, .thread = t});
    for (uint32_t i = 0; range && i < range->bytes; i++)
        *LIST_PUSH(&all) = (struct touch){.byte = (uint64_t)range->array * GLOBAL_BYTES + range->from + i, .agent = count,
                                          .act = range->stores ? ACT_STORE : ACT_LOAD, .value = range->value};
    if (all.count)
        qsort(all.data, (size_t)all.count, sizeof *all.data, compare_bytes);
    for (int from = 0, end; from < all.count && worst < RACE_ERROR; from = end) {
        bool looked = false;
        for (end = from; end < all.count && all.data[end].byte == all.data[from].byte; end++)
            looked |= all.data[end].atom.strong && all.data[end].act == ACT_LOAD;
        for (int i = from; i < end && worst < RACE_ERROR; i++)
            for (int j = i + 1; j < end && worst < RACE_ERROR; j++) {
                const struct touch *p = &all.data[i], *q = &all.data[j], *here = &all.data[from];
                enum race_verdict v = verdict_beside(p, q, ordered, looked);
                if (v == RACE_ERROR && (is_made_good(p, q, here, end - from, ordered) || is_made_good(q, p, here, end - from, ordered)))
                    v = RACE_EITHER;
                worst = v > worst ? v : worst;
            }
    }
    LIST_FREE(&all);
    return worst;
}
