/**
 * @file test_search.c
 * The search against plain enumeration: thousands of random small programs, for which every sequence of values
 * that reads could return, and every write with that value, is tried and judged. Both meet the same executions, each once, also those
 * with circles of program order and reads-from (load buffering).
 */
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "litmus.h"
#include "unit.h"

#define VALUES 6          /**< reads return 0 to 5: two writes of 2, then three additions at most */
#define PROGRAMS 1500

static uint64_t state;

static int draw(int below)
{
    state += MIX_STEP;
    return (int)(mix64(state) % (uint64_t)below);
}

static const char *pick(const char *const *words, int count)
{
    return words[draw(count)];
}

/* ---- Programs ---- */

static void random_program(char *text, size_t size)
{
    static const char *const places[] = {"", "B 0 0 1: ", "B 0 0 0: ", "B 0 1 1: "};
    static const char *const reads[] = {"weak", "rlx.cta", "rlx.gpu", "acq.cta", "acq.gpu", "rlx.sys", "nc"};
    static const char *const writes[] = {"weak", "rlx.cta", "rlx.gpu", "rel.cta", "rel.gpu", "rlx.sys"};
    static const char *const atomics[] = {"rlx.cta", "rlx.gpu", "acq.gpu", "rel.gpu", "acq_rel.gpu"};
    static const char *const fences[] = {"sc.gpu", "sc.cta", "acq_rel.gpu", "acq_rel.cta"};
    int threads = 2 + draw(2), registers = 0, n = snprintf(text, size, "%s", pick(places, 4));
    for (int t = 0; t < threads; t++) {
        int statements = 1 + draw(threads == 2 ? 4 : 3), own = 0;
        for (int i = 0; i < statements; i++) {
            char x = (char)('x' + draw(2)), into = (char)('a' + registers);
            n += snprintf(text + n, size - (size_t)n, "%s", i ? "; " : t ? " | " : "");
            int kind = draw(own == 2 ? 3 : 6);
            if (own && i + 1 < statements && draw(5) == 0)
                n += snprintf(text + n, size - (size_t)n, "if %c 1; ", into - 1);
            if (kind == 0)
                n += snprintf(text + n, size - (size_t)n, "F %s", pick(fences, 4));
            else if (kind <= 2 && own && draw(3) == 0)
                n += snprintf(text + n, size - (size_t)n, "W %c %c %s", x, into - 1, pick(writes, 6));
            else if (kind <= 2)
                n += snprintf(text + n, size - (size_t)n, "W %c %d %s", x, 1 + draw(2), pick(writes, 6));
            else if (kind <= 4)
                n += snprintf(text + n, size - (size_t)n, "R %c %c %s", x, into, pick(reads, 7));
            else if (draw(2))
                n += snprintf(text + n, size - (size_t)n, "add %c 1 %c %s", x, into, pick(atomics, 5));
            else
                n += snprintf(text + n, size - (size_t)n, "cas %c %d 2 %c %s", x, draw(2), into, pick(atomics, 5));
            if (kind >= 3) {
                own++;
                registers++;
            }
        }
    }
}

/* ---- Plain enumeration ---- */

struct plain {
    struct model_program program;
    struct execution x;
    int last_read[MODEL_THREADS];
    char line[512][96];
    int count, executions, circles;
    bool allowed;
    const struct litmus *l;
};

static void note(struct plain *p, const uint64_t *final)
{
    char line[96];
    int n = 0;
    for (int r = 0; r < LITMUS_REGISTERS; r++)
        if (p->l->used[r])
            n += snprintf(line + n, sizeof line - (size_t)n, "%c=%d ", 'a' + r, (int)final[4 + r]);
    for (int x = 0; x < 4; x++)
        if (p->l->shared[x])
            n += snprintf(line + n, sizeof line - (size_t)n, "%c=%d ", "xyzw"[x], (int)final[x]);
    line[n ? n - 1 : 0] = 0; /* a program may have nothing to show */
    for (int i = 0; i < p->count; i++)
        if (!strcmp(p->line[i], line))
            return;
    strcpy(p->line[p->count++], line);
}

static void combine(struct plain *p, const event_set *last, int location, uint64_t *final)
{
    if (location == p->x.locations) {
        note(p, final);
        return;
    }
    FOR_EVENTS(w, last[location]) {
        final[location] = p->x.event[w].value;
        combine(p, last, location + 1, final);
    }
}

static void allowed(void *self, const struct execution *x, const struct axioms *relations, const event_set *last)
{
    uint64_t final[MODEL_LOCATIONS];
    struct plain *p = self;
    (void)x;
    (void)relations;
    p->allowed = true;
    combine(p, last, 0, final);
}

/** Do program order and reads-from make a circle? */
static bool has_circle(const struct execution *x)
{
    event_set earlier[MODEL_EVENTS] = {0};
    for (bool grew = true; grew;) {
        grew = false;
        for (int e = x->locations; e < x->count; e++) {
            event_set all = earlier[e] | x->before[e] | (x->source[e] >= 0 ? event_bit(x->source[e]) : 0);
            FOR_EVENTS(b, all)
                all |= earlier[b];
            grew |= all != earlier[e];
            earlier[e] = all;
        }
    }
    for (int e = x->locations; e < x->count; e++)
        if (event_in(earlier[e], e))
            return true;
    return false;
}

/** Every write of the right value for the reads from `e` on. */
static void choose_writes(struct plain *p, int e)
{
    while (e < p->x.count && p->x.event[e].kind != EVENT_READ)
        e++;
    if (e == p->x.count) {
        p->allowed = false;
        execution_judge(&p->x, UINT64_MAX, allowed, p);
        p->executions += p->allowed;
        p->circles += p->allowed && has_circle(&p->x);
        return;
    }
    FOR_EVENTS(w, p->x.of_location[p->x.event[e].location] & p->x.writes) {
        if (p->x.event[w].value != p->x.event[e].value || p->x.event[e].pair == w)
            continue;
        p->x.source[e] = w;
        choose_writes(p, e + 1);
    }
    p->x.source[e] = SOURCE_LATER;
}

static void choose_values(struct plain *p, int thread, uint64_t *values, int *reads, int count)
{
    struct model_step step;
    if (thread == p->program.threads) {
        choose_writes(p, p->x.locations);
        return;
    }
    struct execution before = p->x;
    p->program.next(p->program.self, thread, values, count, 0, &step);
    for (int i = 0; i < step.count; i++) {
        struct model_event e = step.event[i];
        event_set depends = 0;
        for (int v = 0; v < count; v++)
            if (event_in(e.depends, v))
                depends |= event_bit(reads[v]);
        e.thread = thread;
        e.depends = depends;
        e.pair = e.pair >= 0 ? reads[count - 1] : -1;
        execution_add(&p->x, &e, SOURCE_NONE);
    }
    if (step.stop == STOP_END) {
        uint64_t next_values[8];
        int next_reads[8];
        choose_values(p, thread + 1, next_values, next_reads, 0);
    } else {
        struct execution here = p->x;
        for (int v = 0; v < VALUES; v++) {
            struct model_event e = step.read;
            p->x = here;
            e.kind = EVENT_READ;
            e.thread = thread;
            e.value = values[count] = (uint64_t)v;
            e.pair = -1;
            e.depends = 0;
            reads[count] = execution_add(&p->x, &e, SOURCE_LATER);
            choose_values(p, thread, values, reads, count + 1);
        }
    }
    p->x = before;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/** @return executions */
static int plain_outcomes(struct litmus *l, char *out, size_t size, int *circles)
{
    static struct plain p;
    uint64_t values[8];
    int reads[8];
    memset(&p, 0, sizeof p);
    p.l = l;
    p.program = litmus_program(l);
    execution_begin(&p.x, p.program.locations, p.program.initial, p.program.threads, p.program.place);
    choose_values(&p, 0, values, reads, 0);
    qsort(p.line, (size_t)p.count, sizeof p.line[0], by_text);
    size_t n = 0;
    for (int i = 0; i < p.count && n < size; i++)
        n += (size_t)snprintf(out + n, size - n, "%s%s", i ? "\n" : "", p.line[i]);
    *circles = p.circles;
    return p.executions;
}

struct executions {
    int count, circles;
    uint64_t serial;
};

static void count_executions(void *self, const struct model_outcome *o)
{
    struct executions *e = self;
    if (o->serial != e->serial)
        e->count++, e->circles += has_circle(o->execution);
    e->serial = o->serial;
}

static void test_random(void)
{
    static struct litmus l;
    static char got[65536], by_value[65536], expected[65536], text[1024];
    int wrong = 0, all = 0, all_circles = 0;
    for (int i = 0; i < PROGRAMS && wrong < 3; i++) {
        state = (uint64_t)i << 20;
        random_program(text, sizeof text);
        litmus_parse(&l, text);
        int executions = litmus_outcomes(&l, got, sizeof got);
        int circles, plain = plain_outcomes(&l, expected, sizeof expected, &circles);
        struct executions e = {0};
        struct model_program p = litmus_program(&l);
        model_enumerate(&p, &(struct model_limits){0}, count_executions, &e);
        all += executions, all_circles += circles;
        litmus_outcomes_within(&l, &(struct model_limits){.by_outcome = true, .by_value = true}, by_value, sizeof by_value);
        if (executions == plain && e.count == plain && e.circles == circles && !strcmp(got, expected) && !strcmp(by_value, expected))
            continue;
        wrong++;
        fprintf(stderr, "\n%d: %s\nplain (%d, %d with circles):\n%s\nsearch (%d, %d):\n%s\nby value:\n%s\n", i, text, plain, circles, expected,
                executions, e.circles, got, by_value);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(all > 5 * PROGRAMS);
    CU_ASSERT(all_circles > PROGRAMS / 10);
}

/* ---- How far it goes ---- */

static void ignore(void *self, const struct model_outcome *o)
{
    ++*(int *)self;
    (void)o;
}

/** Four threads: candidates that no coherence order allows are left as soon as that shows, not when all of them is there; so are
 *  reads that wait for what nobody writes any more, and guesses that cannot come true. */
static void test_bounds(void)
{
    static const struct { const char *text; uint64_t points; int outcomes; } programs[] = {
        {"add x 1 a rlx.gpu; add x 1 b rlx.gpu | add x 1 c rlx.gpu; add x 1 d rlx.gpu | "
         "add x 1 e rlx.gpu; add x 1 f rlx.gpu | add x 1 g rlx.gpu; add x 1 h rlx.gpu", 20000, 2520},
        {"W x 1 rlx.gpu; R x a rlx.gpu; R x b rlx.gpu | W x 2 rlx.gpu; R x c rlx.gpu; R x d rlx.gpu | "
         "W x 3 rlx.gpu; R x e rlx.gpu; R x f rlx.gpu | W x 4 rlx.gpu", 5000, 810},
        {"W x 1 rlx.gpu; W y 1 rlx.gpu; R y a rlx.gpu; R x b rlx.gpu | W x 2 rlx.gpu; W y 2 rlx.gpu; R y c rlx.gpu; R x d rlx.gpu | "
         "W x 3 rlx.gpu; W y 3 rlx.gpu; R y e rlx.gpu; R x f rlx.gpu | W x 4 rlx.gpu; W y 4 rlx.gpu; R y g rlx.gpu; R x h rlx.gpu",
         50000, 40000},
        {"add x 1 a rlx.gpu; add y 1 b rlx.gpu | add y 1 c rlx.gpu; add x 1 d rlx.gpu | "
         "add x 1 e rlx.gpu; add y 1 f rlx.gpu | add y 1 g rlx.gpu; add x 1 h rlx.gpu", 400000, 576},
    };
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        static struct litmus l;
        int outcomes = 0;
        litmus_parse(&l, programs[i].text);
        struct model_program p = litmus_program(&l);
        CU_ASSERT_EQUAL(model_enumerate(&p, &(struct model_limits){.points = programs[i].points}, ignore, &outcomes), INCOMPLETE_NOT);
        CU_ASSERT_EQUAL(outcomes, programs[i].outcomes);
    }
}

/** Load buffering in four threads: a thread that goes on without a value tries none, also where it will write or not, or take a branch. The
 *  first three were given up after 10 s when reads guessed: 3 million ways led to nothing. */
static void test_circles(void)
{
    static const struct { const char *text; uint64_t points; } programs[] = {
        {"B 0 0 0 0: red x 2; add x 2 a rel.gpu; bar 0; cas y 1 2 b rlx.gpu; R x c rlx.gpu | red x 2; red w 1; bar 0; R z d rlx.cta; add w 2 e rlx.cta | "
         "add y 0 f rel.cta; bar 0; cas x 1 1 g acq.gpu; add w 2 - rel.cta; red w 1 | add y 0 h acq_rel.gpu; add x 2 - rel.gpu; bar 0; red x 1; W z 1 rel.sys",
         20000},
        {"B 0 0 0 0: R z a rlx.gpu; add y 2 -; red x 2; bar 0; red y 1 | cas z 0 1 b rlx.gpu; bar 0; add x 2 c acq_rel.gpu; R z d rlx.sys; F sc.gpu; add y 2 - rel.sys | "
         "red y 2 rel.gpu; red y 2 rel.gpu; add y 2 - acq_rel.sys; bar 0; F acq_rel.gpu; R y e weak | "
         "R y f rlx.gpu; F sc.gpu; red y 1 rel.gpu; bar 0; R x g rlx.gpu; add y 1 - acq_rel.gpu", 60000},
        {"xchg x 2 a acq.cta; cas x 0 3 b rlx.gpu; R x c rlx.cta; R y d rlx.cta | R x e rlx.gpu; R y f rlx.cta; W y 2 rlx.sys; R y g rlx.sys | "
         "W y 3 rlx.gpu; F acq_rel.gpu; W x 2 rlx.gpu; W y 2 rlx.sys | R x e rlx.cta; F sc.gpu; W y 2 rel.sys; W x 2 rlx.cta; cas y 0 2 h rlx.gpu", 500000},
        {"red x 1; red x 2; R x a rlx.gpu; F sc.gpu; R x b rlx.gpu | red x 2; R x c rlx.gpu; R x d rlx.gpu; red x 1 | "
         "R y e rlx.gpu; R y f rlx.gpu; red y 1; F sc.gpu; red y 1 | R x g rlx.gpu; red x 1; R x h rlx.gpu; R y h rlx.gpu", 40000},
        {"B 0 1 2 1: red x 1; R y a rlx.gpu; R x b rlx.gpu; F sc.gpu; red y 2 | R y c rlx.gpu; F sc.gpu; R y d rlx.gpu; red x 1; red x 2 | "
         "R y e acq.gpu; red x 1; F sc.gpu; R z f acq.gpu; R z g rlx.gpu | R x g rlx.gpu; F sc.gpu; red x 1; F sc.gpu; R x h rlx.gpu", 80000},
        {"R x a acq.gpu; R x b rlx.gpu; W y 2 rel.gpu; R y c rlx.gpu | R x d rlx.gpu; red x 1; red x 1; R x e acq.gpu | "
         "red x 2; add x 1 - rlx.gpu; R y f rlx.gpu; R x g rlx.gpu | W y 2 rlx.gpu; F sc.gpu; red x 1 rlx.sys; W y 1; R x h rlx.gpu", 500000},
    };
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        static struct litmus l;
        int outcomes = 0;
        litmus_parse(&l, programs[i].text);
        struct model_program p = litmus_program(&l);
        struct model_limits limits = {.by_outcome = true, .points = programs[i].points};
        CU_ASSERT_EQUAL(model_enumerate(&p, &limits, ignore, &outcomes), INCOMPLETE_NOT);
        CU_ASSERT(outcomes > 0);
    }
}

/** Eight fences in four threads: 2520 orders of them, of which an execution leaves few that differ in what they allow. */
static void test_fences(void)
{
    static const struct { const char *text; uint64_t points; int executions; } programs[] = {
        {"W x 1 rlx.gpu; F sc.gpu; R y a rlx.gpu; F sc.gpu; R z b rlx.gpu | W y 1 rlx.gpu; F sc.gpu; R z c rlx.gpu; F sc.gpu; R w d rlx.gpu | "
         "W z 1 rlx.gpu; F sc.gpu; R w e rlx.gpu; F sc.gpu; R x f rlx.gpu | W w 1 rlx.gpu; F sc.gpu; R x g rlx.gpu; F sc.gpu; R y h rlx.gpu",
         2000, 99},
        {"W x 1 rlx.gpu; F sc.gpu; R y a rlx.gpu; F sc.gpu; R z b rlx.gpu; R w c rlx.gpu | "
         "W y 1 rlx.gpu; F sc.gpu; R x d rlx.gpu; F sc.gpu; R z e rlx.gpu; W w 1 rlx.gpu | "
         "W z 1 rlx.gpu; F sc.gpu; W x 2 rlx.gpu; F sc.gpu; R y f rlx.gpu; W w 2 rlx.gpu | "
         "W w 3 rlx.gpu; F sc.gpu; W z 2 rlx.gpu; F sc.gpu; R y g rlx.gpu; R x h rlx.gpu", 100000, 855},
        /* Weak accesses, which fences alone keep from races. */
        {"W x 1; F sc.gpu; R y a; F sc.gpu; W z 1 | W y 1; F sc.gpu; R z b; F sc.gpu; W w 1 | "
         "W z 2; F sc.gpu; R w c; F sc.gpu; W x 2 | W w 2; F sc.gpu; R x d; F sc.gpu; W y 2", 20000, 79},
    };
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        static struct litmus l;
        struct executions e = {0};
        litmus_parse(&l, programs[i].text);
        struct model_program p = litmus_program(&l);
        CU_ASSERT_EQUAL(model_enumerate(&p, &(struct model_limits){.points = programs[i].points}, count_executions, &e), INCOMPLETE_NOT);
        CU_ASSERT_EQUAL(e.count, programs[i].executions);
    }
}

UNIT_MAIN("model: search", {"random programs", test_random}, {"bounds", test_bounds}, {"circles", test_circles}, {"fences", test_fences})
