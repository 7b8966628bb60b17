/**
 * @file oracle.c
 * See oracle.h: every execution of the text.
 */
#include "oracle.h"

#include <string.h>

#include "litmus_modify.h"
#include "oracle_relations.h"

/** One fence.sc after another: `placed` come before all that follow. */
static void order_fences(struct oracle *o, uint64_t placed)
{
    bool any = false;
    FOR(f)
    {
        if (o->event[f].kind != 'F' || !o->event[f].s->sc || placed >> f & 1)
            continue;
        any = true;
        o->fence_order[f] = 0;
        FOR(g) if (o->event[g].kind == 'F' && o->event[g].s->sc && g != f && !(placed >> g & 1) && has(o->strong, f, g))
            put(o->fence_order, f, g);
        order_fences(o, placed | 1ull << f);
        o->fence_order[f] = 0;
    }
    if (!any)
        oracle_judge(o);
}

static void choose_sources(struct oracle *o, int r)
{
    while (r < o->count && o->event[r].kind != 'R')
        r++;
    if (r == o->count) {
        if (oracle_out_of_thin_air(o))
            return;
        oracle_relate_observation(o);
        memset(o->fence_order, 0, sizeof o->fence_order);
        order_fences(o, 0);
        return;
    }
    FOR(w) if (is_write_to(o, w, o->event[r].location) && o->event[w].value == o->event[r].value && !has(o->rmw, r, w))
    {
        o->source[r] = w;
        choose_sources(o, r + 1);
    }
}

/* ---- Executions of the text ---- */

static int add(struct oracle *o, char kind, int thread, const struct litmus_statement *s, uint64_t value, uint64_t dep)
{
    int n = o->count++;
    o->event[n] = (struct event){.kind = kind, .thread = thread, .s = s, .value = value,
                                 .location = s ? s->location : n, .red = s && !strcmp(s->op, "red")};
    o->po[n] = o->rmw[n] = o->dep[n] = 0;
    for (int e = 0; e < n; e++) {
        o->po[e] &= ~(1ull << n), o->rmw[e] &= ~(1ull << n), o->dep[e] &= ~(1ull << n);
        if (thread >= 0 && o->event[e].thread == thread)
            put(o->po, e, n);
        if (dep >> e & 1)
            put(o->dep, e, n);
    }
    return n;
}

static void run(struct oracle *o, int thread, int at, uint64_t control, int barriers);

/** A statement that reads: goes on with each value. */
static void run_read(struct oracle *o, int thread, int at, uint64_t control, int barriers)
{
    const struct litmus_statement *s = &o->l->thread[thread].s[at];
    bool loads = !strcmp(s->op, "R");
    uint64_t by = s->from < 0 ? s->value : o->reg[s->from], by_dep = s->from < 0 ? 0 : o->reg_dep[s->from];
    uint64_t reg = s->into < 0 ? 0 : o->reg[s->into], reg_dep = s->into < 0 ? 0 : o->reg_dep[s->into];
    int count = o->count;
    for (uint64_t v = 0; v <= o->highest; v++) {
        o->count = count;
        int r = add(o, 'R', thread, s, v, control);
        if (!loads && (strcmp(s->op, "cas") != 0 || v == s->compare)) {
            int w = add(o, 'W', thread, s, litmus_modified(s, v, by), control | by_dep | 1ull << r);
            put(o->rmw, r, w);
        }
        if (s->into >= 0) {
            o->reg[s->into] = v;
            o->reg_dep[s->into] = 1ull << r;
        }
        run(o, thread, at + 1, control, barriers);
    }
    if (s->into >= 0) {
        o->reg[s->into] = reg;
        o->reg_dep[s->into] = reg_dep;
    }
    o->count = count;
}

static void run(struct oracle *o, int thread, int at, uint64_t control, int barriers)
{
    int count = o->count;
    for (; thread < o->l->threads && at < o->l->thread[thread].count; at++) {
        const struct litmus_statement *s = &o->l->thread[thread].s[at];
        if (!strcmp(s->op, "F")) {
            add(o, 'F', thread, s, 0, 0);
        } else if (!strcmp(s->op, "bar")) {
            o->event[add(o, 'B', thread, s, 0, 0)].number = barriers++;
        } else if (!strcmp(s->op, "W")) {
            add(o, 'W', thread, s, s->from < 0 ? s->value : o->reg[s->from],
                control | (s->from < 0 ? 0 : o->reg_dep[s->from]));
        } else if (!strcmp(s->op, "if")) {
            control |= o->reg_dep[s->from];
            at += o->reg[s->from] ? 0 : s->number;
        } else {
            run_read(o, thread, at, control, barriers);
            o->count = count;
            return;
        }
    }
    if (thread < o->l->threads) {
        run(o, thread + 1, 0, 0, 0);
    } else {
        oracle_relate_strong(o);
        choose_sources(o, 0);
    }
    o->count = count;
}

/** No value beyond the highest that is written, with all that is added. */
static uint64_t highest_value(const struct litmus *l)
{
    uint64_t constant = 0, sum = 0;
    for (int t = 0; t < l->threads; t++)
        for (int i = 0; i < l->thread[t].count; i++) {
            const struct litmus_statement *s = &l->thread[t].s[i];
            if (!strcmp(s->op, "add") || !strcmp(s->op, "red") || !strcmp(s->op, "or"))
                sum += s->value;
            else if (s->from < 0 && s->value > constant)
                constant = s->value;
        }
    return constant + sum < VALUES ? constant + sum : VALUES - 1;
}

void oracle_outcomes(const struct litmus *l, char *out, size_t size)
{
    static struct oracle o;
    memset(&o, 0, sizeof o);
    o.l = l;
    o.highest = highest_value(l);
    for (int x = 0; x < 4; x++)
        add(&o, 'W', -1, NULL, l->initial[x], 0);
    run(&o, 0, 0, 0, 0);
    litmus_lines_write(&o.lines, out, size);
}
