/**
 * @file litmus.c
 * See litmus.h.
 */
#include "litmus.h"

#include <stdlib.h>

#include "litmus_modify.h"

#define FIRST_REGISTER 4

static void wrong(const char *text, const char *at)
{
    fprintf(stderr, "litmus: cannot read '%.20s' in '%s'\n", at, text);
    abort();
}

/* ---- Text ---- */

static void read_order(struct litmus_statement *s, const char *word)
{
    char order[16] = "", scope[8] = "sys";
    sscanf(word, "%15[a-z_].%7s", order, scope);
    s->is_volatile = !strcmp(order, "vol"), s->is_nc = !strcmp(order, "nc");
    s->strong = strcmp(order, "weak") != 0 && !s->is_nc;
    s->acquire = !strcmp(order, "acq") || !strcmp(order, "acq_rel");
    s->release = !strcmp(order, "rel") || !strcmp(order, "acq_rel");
    s->sc = !strcmp(order, "sc");
    s->scope = !strcmp(scope, "cta") ? MODEL_CTA : !strcmp(scope, "cluster") ? MODEL_CLUSTER : !strcmp(scope, "gpu") ? MODEL_GPU : MODEL_SYS;
}

static int location_of(struct litmus *l, const char *word)
{
    int n = word[0] == 'w' ? 3 : word[0] - 'x';
    l->shared[n] = true;
    return n;
}

static int register_of(struct litmus *l, const char *word)
{
    if (word[0] < 'a' || word[0] > 'h')
        return -1;
    l->used[word[0] - 'a'] = true;
    return word[0] - 'a';
}

static void operand(struct litmus *l, const char *word, int *reg, uint64_t *value)
{
    *reg = register_of(l, word);
    *value = *reg < 0 ? strtoull(word, NULL, 0) : 0;
}

static void parse_statement(struct litmus *l, struct litmus_statement *s, char *text)
{
    char *word[6] = {"", "", "", "", "", ""}, *save = NULL;
    int n = 0;
    for (char *w = strtok_r(text, " ", &save); w && n < 6; w = strtok_r(NULL, " ", &save))
        word[n++] = w;
    *s = (struct litmus_statement){.from = -1, .into = -1};
    snprintf(s->op, sizeof s->op, "%s", word[0]);
    if (!strcmp(s->op, "F")) {
        read_order(s, word[1]);
    } else if (!strcmp(s->op, "any") || !strcmp(s->op, "first")) {
        operand(l, word[1], &s->from, &s->value);
        s->into = register_of(l, word[2]);
        for (int t = 0; t < MODEL_THREADS; t++)
            l->place[t].warp = 0; /* each of its block */
    } else if (!strcmp(s->op, "carr") || !strcmp(s->op, "cwait")) {
        s->strong = strcmp(word[1], "rlx") != 0; /* it releases */
    } else if (!strcmp(s->op, "bar") || !strcmp(s->op, "arrive")) {
        s->number = atoi(word[1]);
        s->expected = atoi(word[2]);
    } else if (!strcmp(s->op, "if") || !strcmp(s->op, "again")) {
        s->from = register_of(l, word[1]);
        s->number = atoi(word[2]);
    } else {
        s->location = location_of(l, word[1]);
        bool load = !strcmp(s->op, "R"), cas = !strcmp(s->op, "cas");
        int next = 2;
        if (cas)
            s->compare = strtoull(word[next++], NULL, 0);
        if (!load)
            operand(l, word[next++], &s->from, &s->value);
        if (strcmp(s->op, "W") != 0 && strcmp(s->op, "red") != 0)
            s->into = register_of(l, word[next++]);
        read_order(s, next < n ? word[next] : load || !strcmp(s->op, "W") ? "weak" : "rlx.gpu");
    }
}

void litmus_parse(struct litmus *l, const char *text)
{
    char copy[1024], *save = NULL, *inner = NULL;
    memset(l, 0, sizeof *l);
    snprintf(copy, sizeof copy, "%s", text);
    for (int t = 0; t < MODEL_THREADS; t++)
        l->place[t] = (struct model_place){.block = t, .cluster = t, .warp = t};
    char *body = copy;
    l->cluster_blocks = copy[0] == 'D' ? 2 : 1;
    if (copy[0] >= 'B' && copy[0] <= 'D') {
        body = strchr(copy, ':');
        if (!body)
            wrong(text, copy);
        *body++ = 0;
        int t = 0;
        for (char *w = strtok_r(copy + 1, " ", &save); w; w = strtok_r(NULL, " ", &save))
            l->place[t++].block = atoi(w);
        for (int o = 0; o < t && copy[0] == 'C'; o++)
            l->cluster_blocks = l->place[o].block + 1 > l->cluster_blocks ? l->place[o].block + 1 : l->cluster_blocks;
        for (int o = 0; o < t; o++)
            l->place[o].cluster = l->place[o].block / l->cluster_blocks;
    }
    for (char *thread = strtok_r(body, "|", &save); thread; thread = strtok_r(NULL, "|", &save)) {
        int t = l->threads++;
        for (char *s = strtok_r(thread, ";", &inner); s; s = strtok_r(NULL, ";", &inner))
            parse_statement(l, &l->thread[t].s[l->thread[t].count++], s);
        for (int o = 0; o < t; o++)
            l->place[t].lane += l->place[o].block == l->place[t].block;
    }
}

/* ---- The program that the enumeration asks ---- */

struct run {
    uint64_t value[LITMUS_REGISTERS];
    event_set depends[LITMUS_REGISTERS], control;
    const uint64_t *given;
    event_set unknown;            /**< of those */
    int taken, count;
    int last_load;                /**< statement of the latest read */
    bool changed;                 /**< something was written since */
    int phases;                   /**< of the cluster's barrier */
    struct model_step *step;
};

static struct model_event event_of(const struct litmus_statement *s, enum event_kind kind, event_set depends)
{
    return (struct model_event){.kind = kind, .location = s->location, .strong = s->strong, .scope = s->scope,
                                .acquire = s->acquire || kind == EVENT_FENCE,
                                .release = s->release || kind == EVENT_FENCE, .sc = s->sc,
                                .pair = -1, .depends = depends};
}

static void emit(struct run *r, struct model_event e)
{
    if (r->taken == r->count)
        r->step->event[r->step->count++] = e;
}

/** @return true, and the step ends here, if what the thread does rests on values that are not known */
static bool needs(struct run *r, event_set values, bool binds)
{
    values &= r->unknown;
    if (!values)
        return false;
    r->step->stop = STOP_NEEDS;
    r->step->needs = values;
    r->step->binds = binds;
    return true;
}

/** @return true if the read's value is not known yet: the step ends here */
static bool needs_value(struct run *r, const struct litmus_statement *s, int at)
{
    if (r->taken < r->count) {
        r->last_load = at;
        return false;
    }
    r->step->stop = STOP_READ;
    r->step->read = event_of(s, EVENT_READ, r->control);
    r->step->read.silent = !strcmp(s->op, "red");
    r->step->read.commutes = r->step->read.drops = r->step->read.silent || (!strcmp(s->op, "add") && s->into < 0);
    r->step->read.cookie = (uint32_t)at + 1;
    r->step->read.release = false, r->step->read.outside = s->is_nc;
    r->step->swaps = !strcmp(s->op, "cas");
    r->step->expects = s->compare;
    return true;
}

static void modify(struct run *r, const struct litmus_statement *s, int at)
{
    uint64_t old = r->given[r->taken++], by = s->from < 0 ? s->value : r->value[s->from];
    event_set read = event_bit(r->taken - 1);
    bool writes = strcmp(s->op, "cas") != 0 || old == s->compare;
    struct model_event e = event_of(s, EVENT_WRITE, r->control | read | (s->from < 0 ? 0 : r->depends[s->from]));
    e.value = litmus_modified(s, old, by);
    e.acquire = false;
    e.pair = 0;
    e.cookie = (uint32_t)at + 1;
    if (writes)
        emit(r, e);
    r->changed |= writes && e.value != old;
    if (s->into >= 0) {
        r->value[s->into] = old;
        r->depends[s->into] = read;
    }
}

/** Numbers of barriers: blocks' first. */
enum { VOTE = 100, CLUSTER = 200 };

/** A vote or a shuffle of the thread's whole block. @return as needs_value() */
static bool exchange(const struct litmus *l, struct run *r, const struct litmus_statement *s, int thread)
{
    struct model_step *step = r->step;
    if (s->from >= 0 && needs(r, r->depends[s->from], false)) /* what the others get */
        return true;
    if (r->taken < r->count) {
        uint64_t value = r->given[r->taken++];
        if (s->into >= 0) {
            r->value[s->into] = value;
            r->depends[s->into] = event_bit(r->taken - 1);
        }
        return false;
    }
    step->stop = STOP_BARRIER;
    step->exchanges = true;
    step->barrier = VOTE;
    step->what = s->op[0] == 'f';
    for (int t = 0; t < l->threads; t++)
        if (l->place[t].block == l->place[thread].block)
            step->members |= 1u << l->place[t].lane;
    step->brings[0] = s->from < 0 ? s->value : r->value[s->from];
    step->rests = r->control | (s->from < 0 ? 0 : r->depends[s->from]);
    return true;
}

static uint64_t exchanged(void *self, const struct model_exchange *e, int lane)
{
    bool any = false;
    (void)self, (void)lane;
    for (int i = 0; i < 32; i++)
        any |= e->lanes >> i & 1 && e->brings[i][0];
    return e->what ? e->brings[__builtin_ctz(e->lanes)][0] : any;
}

/** @return as needs_value() */
static bool cluster_barrier(struct run *r, const struct litmus_statement *s)
{
    struct model_step *step = r->step;
    bool arrives = s->op[1] == 'a';
    r->phases += arrives;
    if (r->taken < r->count) {
        r->taken++;
        return false;
    }
    step->stop = STOP_BARRIER;
    step->cluster = true;
    step->barrier = CLUSTER + r->phases;
    step->arrive_only = arrives, step->wait_only = !arrives;
    step->relaxed = arrives && !s->strong;
    return true;
}

/** Runs the thread to where it needs something. */
static void run_on(struct litmus *l, int thread, struct run *r)
{
    struct model_step *step = r->step;
    int at = 0;
    for (; at < l->thread[thread].count; at++) {
        const struct litmus_statement *s = &l->thread[thread].s[at];
        if (!strcmp(s->op, "F")) {
            emit(r, event_of(s, EVENT_FENCE, 0));
        } else if (!strcmp(s->op, "W")) {
            struct model_event e = event_of(s, EVENT_WRITE, r->control | (s->from < 0 ? 0 : r->depends[s->from]));
            e.value = s->from < 0 ? s->value : r->value[s->from];
            e.cookie = (uint32_t)at + 1;
            emit(r, e);
            r->changed = true;
        } else if (!strcmp(s->op, "R")) {
            if (needs_value(r, s, at))
                return;
            r->value[s->into] = r->given[r->taken++];
            r->depends[s->into] = event_bit(r->taken - 1);
            r->changed = false;
        } else if (!strcmp(s->op, "bar") || !strcmp(s->op, "arrive")) {
            if (r->taken == r->count) {
                step->stop = STOP_BARRIER;
                step->barrier = s->number, step->expected = s->expected;
                step->arrive_only = s->op[0] == 'a';
                return;
            }
            r->taken++;
        } else if (!strcmp(s->op, "any") || !strcmp(s->op, "first")) {
            if (exchange(l, r, s, thread))
                return;
        } else if (!strcmp(s->op, "carr") || !strcmp(s->op, "cwait")) {
            if (cluster_barrier(r, s))
                return;
        } else if (!strcmp(s->op, "if")) {
            if (needs(r, r->control |= r->depends[s->from], true))
                return;
            at += r->value[s->from] ? 0 : s->number;
        } else if (!strcmp(s->op, "again")) {
            if (needs(r, r->control |= r->depends[s->from], true))
                return;
            if (!r->value[s->from]) {
                if (r->taken == r->count && !r->changed) {
                    step->stop = STOP_AGAIN;
                    return;
                }
                at = r->last_load - 1;
            }
        } else {
            if (needs_value(r, s, at))
                return;
            r->changed = false;
            modify(r, s, at);
        }
    }
    for (int reg = 0; reg < LITMUS_REGISTERS; reg++)
        if (r->depends[reg])
            emit(r, (struct model_event){.kind = EVENT_WRITE, .location = FIRST_REGISTER + reg, .pair = -1,
                                          .value = r->value[reg], .depends = r->depends[reg]});
    step->stop = STOP_END;
}

static bool next_step(void *self, int thread, const uint64_t *values, int count, event_set unknown, struct model_step *step)
{
    struct run r = {.given = values, .count = count, .unknown = unknown, .step = step};
    memset(step, 0, sizeof *step);
    run_on(self, thread, &r);
    return true;
}

struct model_program litmus_program(struct litmus *l)
{
    return (struct model_program){.threads = l->threads, .locations = FIRST_REGISTER + LITMUS_REGISTERS,
                                  .place = l->place, .initial = l->initial, .next = next_step, .exchange = exchanged, .self = l};
}

/* ---- Outcomes ---- */

struct list {
    const struct litmus *l;
    struct litmus_lines lines;
    int executions;
    uint64_t serial;
};

void litmus_add(struct litmus_lines *lines, const struct litmus *l, const uint64_t *final, bool hangs)
{
    char line[LITMUS_LINE];
    int n = 0;
    for (int r = 0; r < LITMUS_REGISTERS; r++)
        if (l->used[r])
            n += snprintf(line + n, sizeof line - (size_t)n, "%c=%d ", 'a' + r, (int)final[FIRST_REGISTER + r]);
    for (int x = 0; x < 4; x++)
        if (l->shared[x])
            n += snprintf(line + n, sizeof line - (size_t)n, "%c=%d ", "xyzw"[x], (int)final[x]);
    snprintf(line + n, sizeof line - (size_t)n, "%s", hangs ? "hangs " : "");
    n = (int)strlen(line);
    line[n ? n - 1 : 0] = 0; /* a program may have nothing to show */
    for (int i = 0; i < lines->count; i++)
        if (!strcmp(lines->line[i], line))
            return;
    if (lines->count < LITMUS_LINES)
        strcpy(lines->line[lines->count++], line);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

void litmus_lines_write(struct litmus_lines *lines, char *out, size_t size)
{
    size_t n = 0;
    qsort(lines->line, (size_t)lines->count, sizeof lines->line[0], by_text);
    out[0] = 0;
    for (int i = 0; i < lines->count && n < size; i++)
        n += (size_t)snprintf(out + n, size - n, "%s%s", i ? "\n" : "", lines->line[i]);
}

static void found(void *self, const struct model_outcome *o)
{
    struct list *list = self;
    list->executions += o->serial != list->serial;
    list->serial = o->serial;
    litmus_add(&list->lines, list->l, o->final, o->hangs);
}

int litmus_outcomes_within(struct litmus *l, const struct model_limits *limits, char *out, size_t size)
{
    static struct list list;
    struct model_program p = litmus_program(l);
    memset(&list, 0, sizeof list);
    list.l = l;
    enum incomplete_cause incomplete = model_enumerate(&p, limits, found, &list);
    litmus_lines_write(&list.lines, out, size);
    return incomplete ? -1 : list.executions;
}

int litmus_outcomes(struct litmus *l, char *out, size_t size)
{
    int executions = litmus_outcomes_within(l, &(struct model_limits){.seconds = 20}, out, size);
    if (executions < 0)
        fprintf(stderr, "litmus: incomplete\n");
    return executions;
}
