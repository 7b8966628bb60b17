/**
 * @file oracle.c
 * See oracle.h. A relation is a row of bits for each event.
 */
#include "oracle.h"

#include <string.h>

#define EVENTS 48
#define VALUES 8           /* reads return 0 to 7 */
#define FIRST_REGISTER 4
#define FOR(i) for (int i = 0; i < o->count; i++)

typedef uint64_t relation[EVENTS];

struct event {
    char kind;             /* R, W, F, B */
    int thread;            /* -1: an initial write */
    int location, number;  /* number: of a barrier */
    uint64_t value;
    const struct litmus_statement *s;
    bool red;
};

struct oracle {
    const struct litmus *l;
    struct event event[EVENTS];
    int count, source[EVENTS];
    uint64_t highest;
    relation po, rmw, dep, strong, obs, fence_order, base, cause;
    uint64_t reg[LITMUS_REGISTERS], reg_dep[LITMUS_REGISTERS];
    struct litmus_lines lines;
};

static bool has(const relation r, int a, int b)
{
    return r[a] >> b & 1;
}

static void put(relation r, int a, int b)
{
    r[a] |= 1ull << b;
}

static void close_over(relation r, int count)
{
    for (int k = 0; k < count; k++)
        for (int i = 0; i < count; i++)
            if (has(r, i, k))
                r[i] |= r[k];
}

static bool is_acyclic(const relation r, int count)
{
    relation all;
    memcpy(all, r, sizeof all);
    close_over(all, count);
    for (int i = 0; i < count; i++)
        if (has(all, i, i))
            return false;
    return true;
}

/* ---- Relations of an execution ---- */

static bool is_memory(const struct event *e)
{
    return e->kind == 'R' || e->kind == 'W';
}

static bool includes(const struct oracle *o, const struct event *e, const struct event *other)
{
    return e->s->scope != MODEL_CTA || o->l->place[e->thread].block == o->l->place[other->thread].block;
}

static void relate_strong(struct oracle *o)
{
    memset(o->strong, 0, sizeof o->strong);
    FOR(a) FOR(b)
    {
        const struct event *e = &o->event[a], *f = &o->event[b];
        if (a == b || e->thread < 0 || f->thread < 0 || e->kind == 'B' || f->kind == 'B' ||
            (is_memory(e) && is_memory(f) && e->location != f->location))
            continue;
        bool both = (e->kind == 'F' || e->s->strong) && (f->kind == 'F' || f->s->strong) && includes(o, e, f) &&
                    includes(o, f, e);
        if (e->thread == f->thread || both)
            put(o->strong, a, b);
    }
}

static void relate_observation(struct oracle *o)
{
    memset(o->obs, 0, sizeof o->obs);
    FOR(r) if (o->event[r].kind == 'R' && has(o->strong, o->source[r], r)) put(o->obs, o->source[r], r);
    for (bool grew = true; grew;) {
        grew = false;
        FOR(w) FOR(r) FOR(v) FOR(q)
        if (has(o->obs, w, r) && has(o->rmw, r, v) && has(o->obs, v, q) && !has(o->obs, w, q)) {
            put(o->obs, w, q);
            grew = true;
        }
    }
}

/** First and last operations of patterns: a release, or a fence, and then a strong write; a strong read and then an
 *  acquire of the location, or a fence. */
static bool begins_release(const struct oracle *o, int a, int w)
{
    const struct event *e = &o->event[a], *f = &o->event[w];
    if (f->kind != 'W' || f->thread < 0 || !f->s->strong || (a != w && !has(o->po, a, w)))
        return false;
    return e->kind == 'F' || (e->kind == 'W' && e->s->release && e->location == f->location);
}

static bool ends_acquire(const struct oracle *o, int r, int a)
{
    const struct event *e = &o->event[r], *f = &o->event[a];
    if (e->kind != 'R' || e->red || !e->s->strong || (a != r && !has(o->po, r, a)))
        return false;
    return f->kind == 'F' || (f->kind == 'R' && !f->red && f->s->acquire && f->location == e->location);
}

static void relate_causality(struct oracle *o)
{
    memcpy(o->base, o->po, sizeof o->base);
    FOR(w) FOR(r)
    {
        if (!has(o->obs, w, r))
            continue;
        FOR(a) FOR(b)
        if (has(o->strong, a, b) && begins_release(o, a, w) && ends_acquire(o, r, b))
            put(o->base, a, b);
    }
    FOR(a) FOR(b)
    {
        const struct event *e = &o->event[a], *f = &o->event[b];
        if (e->kind == 'B' && f->kind == 'B' && e->thread != f->thread && e->number == f->number &&
            o->l->place[e->thread].block == o->l->place[f->thread].block)
            for (int c = 0; c < o->count; c++)    /* what follows that one in its thread */
                if (has(o->po, b, c))
                    put(o->base, a, c);
    }
    FOR(a) o->base[a] |= o->fence_order[a];
    close_over(o->base, o->count);
    FOR(a)
    {
        o->cause[a] = o->base[a];
        FOR(r) if (has(o->obs, a, r)) o->cause[a] |= o->base[r];
    }
}

/* ---- Axioms ---- */

static bool fences_agree(const struct oracle *o)
{
    FOR(f) FOR(g)
    if (o->event[f].kind == 'F' && o->event[g].kind == 'F' && o->event[f].s->sc && o->event[g].s->sc &&
        has(o->strong, f, g) && has(o->cause, f, g) && !has(o->fence_order, f, g))
        return false;
    return true;
}

static bool out_of_thin_air(const struct oracle *o)
{
    relation all;
    memcpy(all, o->dep, sizeof all);
    FOR(r) if (o->event[r].kind == 'R') put(all, o->source[r], r);
    return !is_acyclic(all, o->count);
}

static bool is_write_to(const struct oracle *o, int w, int location)
{
    return o->event[w].kind == 'W' && o->event[w].location == location;
}

/** Atomicity, SC per location, causality at one location. */
static bool location_allows(const struct oracle *o, int location, const relation co)
{
    relation fr = {0}, per_location = {0};
    FOR(r) if (o->event[r].kind == 'R' && o->event[r].location == location) fr[r] = co[o->source[r]];
    FOR(a)
    {
        const struct event *e = &o->event[a];
        if (!is_memory(e) || e->location != location)
            continue;
        uint64_t rf = 0;
        FOR(b)
        {
            const struct event *f = &o->event[b];
            if (!is_memory(f) || f->location != location)
                continue;
            if (f->kind == 'R' && o->source[b] == a)
                rf |= 1ull << b;
            if (has(o->po, a, b))
                put(per_location, a, b);
            if (has(o->rmw, a, b))
                FOR(w) if (has(fr, a, w) && has(o->strong, a, w) && has(co, w, b) && has(o->strong, w, b)) return false;
        }
        per_location[a] |= (rf | co[a] | fr[a]) & o->strong[a];
        FOR(b) if (((rf | fr[a]) >> b & 1) && has(o->cause, b, a)) return false;
    }
    return is_acyclic(per_location, o->count);
}

/** Every coherence order of a location: the writes that may be its last, as bits. */
static uint64_t last_writes(struct oracle *o, int location, relation co)
{
    uint64_t last = 0;
    close_over(co, o->count);
    FOR(w) if (has(co, w, w)) return 0;
    FOR(v) FOR(w)
    {
        if (v >= w || !is_write_to(o, v, location) || !is_write_to(o, w, location) || !has(o->strong, v, w) ||
            has(co, v, w) || has(co, w, v))
            continue;
        relation next;
        memcpy(next, co, sizeof next);
        put(next, v, w);
        last |= last_writes(o, location, next);
        memcpy(next, co, sizeof next);
        put(next, w, v);
        return last | last_writes(o, location, next);
    }
    if (!location_allows(o, location, co))
        return 0;
    FOR(w) if (is_write_to(o, w, location) && !co[w]) last |= 1ull << w;
    return last;
}

static void tell_finals(struct oracle *o, const uint64_t last[4], int location, uint64_t *final)
{
    if (location == 4) {
        memcpy(final + FIRST_REGISTER, o->reg, sizeof o->reg);
        litmus_add(&o->lines, o->l, final, false);
        return;
    }
    FOR(w) if (last[location] >> w & 1)
    {
        final[location] = o->event[w].value;
        tell_finals(o, last, location + 1, final);
    }
}

static void judge(struct oracle *o)
{
    uint64_t last[4], final[FIRST_REGISTER + LITMUS_REGISTERS] = {0};
    relate_causality(o);
    if (!fences_agree(o))
        return;
    for (int x = 0; x < 4; x++) {
        relation co = {0};
        FOR(v) FOR(w)
        if (v != w && is_write_to(o, v, x) && is_write_to(o, w, x) && (o->event[v].thread < 0 || has(o->cause, v, w)))
            put(co, v, w);
        FOR(w) if (is_write_to(o, w, x) && has(o->cause, w, w)) return;
        last[x] = last_writes(o, x, co);
        if (!last[x])
            return;
    }
    tell_finals(o, last, 0, final);
}

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
        judge(o);
}

static void choose_sources(struct oracle *o, int r)
{
    while (r < o->count && o->event[r].kind != 'R')
        r++;
    if (r == o->count) {
        if (out_of_thin_air(o))
            return;
        relate_observation(o);
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
    bool loads = !strcmp(s->op, "R"), adds = !strcmp(s->op, "add") || !strcmp(s->op, "red");
    uint64_t by = s->from < 0 ? s->value : o->reg[s->from], by_dep = s->from < 0 ? 0 : o->reg_dep[s->from];
    uint64_t reg = s->into < 0 ? 0 : o->reg[s->into], reg_dep = s->into < 0 ? 0 : o->reg_dep[s->into];
    int count = o->count;
    for (uint64_t v = 0; v <= o->highest; v++) {
        o->count = count;
        int r = add(o, 'R', thread, s, v, control);
        if (!loads && (strcmp(s->op, "cas") != 0 || v == s->compare)) {
            int w = add(o, 'W', thread, s, adds ? v + by : by, control | by_dep | 1ull << r);
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
        relate_strong(o);
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
            if (!strcmp(s->op, "add") || !strcmp(s->op, "red"))
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
