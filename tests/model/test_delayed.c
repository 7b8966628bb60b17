/**
 * @file test_delayed.c
 * The walk in which writes reach memory late (model/delayed.h), about random programs: each end that it finds is one that the axioms allow, by the
 * execution that it gives; it finds what every interleaving leaves, and what every execution leaves that buffers of writes explain (buffered.h).
 * MODEL_KERNELS=N tries N programs of each form.
 */
#include <stdlib.h>
#include <string.h>

#include "buffered.h"
#include "compared.h"
#include "model/delayed.h"
#include "random_program.h"
#include "unit.h"

#define PROGRAMS 400
#define MOST_POINTS (1 << 18)
#define MAX_TEXT (1 << 18)

/** Ends of a program: of the walk, those that the model allows, and of these those that buffers explain. */
struct ends {
    struct litmus litmus;
    struct litmus_lines walked, allowed, buffered;
    bool wrong;                    /**< an execution that the walk gave is none, or leaves something else */
    const uint64_t *final;         /**< of the end at hand; NULL: the execution leaves it */
};

static bool has(const struct litmus_lines *lines, const char *line)
{
    for (int i = 0; i < lines->count; i++)
        if (!strcmp(lines->line[i], line))
            return true;
    return false;
}

static void judged(void *self, const struct execution *x, const struct axioms *relations, const event_set *last)
{
    struct ends *e = self;
    bool leaves = true;
    (void)relations;
    for (int l = 0; l < x->locations && e->final; l++) {
        bool found = false;
        FOR_EVENTS(w, last[l])
            found |= x->event[w].value == e->final[l];
        leaves &= found;
    }
    e->final = leaves ? NULL : e->final;
}

static void walked(void *self, const struct model_outcome *o)
{
    struct ends *e = self;
    litmus_add(&e->walked, &e->litmus, o->final, o->hangs);
    e->final = o->final;
    if (o->execution)
        execution_judge(o->execution, 1 << 20, judged, e);
    e->wrong |= !o->execution || e->final;
}

static void allowed(void *self, const struct model_outcome *o)
{
    struct ends *e = self;
    struct litmus_lines one = {.count = 0};
    litmus_add(&e->allowed, &e->litmus, o->final, o->hangs);
    litmus_add(&one, &e->litmus, o->final, o->hangs);
    if (!o->hangs && !has(&e->buffered, one.line[0]) && execution_is_buffered(o->execution, o->final))
        litmus_add(&e->buffered, &e->litmus, o->final, false);
}

static bool never_waits(void *self, int thread, const struct model_event *read)
{
    (void)self, (void)thread, (void)read;
    return false;
}

static void make(int form, long number, char *text, size_t size)
{
    enum litmus_layout layout;
    if (form == 0)
        random_program(number, text, size, &layout);
    else if (form == 1)
        random_buffers(number, text, size);
    else if (form == 2)
        random_scopes(number, text, size, &layout);
    else if (form == 3)
        random_waits(number, text, size, &layout);
    else
        random_meeting(number, (enum random_meeting)(number % 4), text, size, &layout);
}

/** @return false where the walk, or the enumeration, was not complete */
static bool agrees(const char *text)
{
    static struct ends e;
    memset(&e, 0, sizeof e);
    litmus_parse(&e.litmus, text);
    bool enough = false;
    struct model_program p = litmus_program(&e.litmus);
    struct delayed_walk how = {.points = MOST_POINTS, .enough = &enough, .waits = never_waits};
    if (!model_delayed(&p, &how, walked, &e) ||
        model_enumerate(&p, &(struct model_limits){.points = MOST_POINTS}, allowed, &e))
        return false;
    bool right = !e.wrong;
    for (int i = 0; i < e.walked.count; i++)
        right &= has(&e.allowed, e.walked.line[i]);
    for (int i = 0; i < e.buffered.count; i++)
        right &= has(&e.walked, e.buffered.line[i]);
    if (!right) {
        static char lines[3][MAX_TEXT];
        litmus_lines_write(&e.walked, lines[0], MAX_TEXT);
        litmus_lines_write(&e.buffered, lines[1], MAX_TEXT);
        litmus_lines_write(&e.allowed, lines[2], MAX_TEXT);
        fprintf(stderr, "%s%s\nwalked:\n%s\nbuffers explain:\n%s\nallowed:\n%s\n", text, e.wrong ? " (a wrong execution)" : "", lines[0],
                lines[1], lines[2]);
    }
    CU_ASSERT(right);
    return true;
}

/** Almost every program without barriers that count is compared. */
static void test_random(void)
{
    long programs = compared_setting("MODEL_KERNELS", PROGRAMS);
    for (int form = 0; form < 5; form++) {
        int complete = 0, counted = 0;
        for (long n = 0; n < programs; n++) {
            char text[1024];
            make(form, n, text, sizeof text);
            counted += strstr(text, "bar 1") != NULL || strstr(text, "arrive 1") != NULL;
            complete += agrees(text);
        }
        CU_ASSERT(complete >= (programs - counted) * 95 / 100);
        if (getenv("MODEL_KERNELS"))
            fprintf(stderr, "form %d: %d of %ld compared\n", form, complete, programs - counted);
    }
}

/** More events than an execution has: what was done before anything was late is left out of it. */
static void test_long(void)
{
    static struct ends e;
    char text[1024], fences[400];
    size_t n = 0;
    for (int i = 0; i < 28; i++)
        n += (size_t)snprintf(fences + n, sizeof fences - n, i % 7 < 6 ? "F acq_rel; " : "R w d; ");
    snprintf(text, sizeof text, "%s W z 1 rlx.gpu; W x 1 rlx.gpu; R y a rlx.gpu | %s W y 1 rlx.gpu; R x b rlx.gpu; R z c acq.gpu", fences, fences);
    memset(&e, 0, sizeof e);
    litmus_parse(&e.litmus, text);
    for (int t = 2; t < 4; t++)
        e.litmus.thread[t] = e.litmus.thread[0], e.litmus.thread[t].count = 28;
    e.litmus.threads = 4;
    bool enough = false;
    struct model_program p = litmus_program(&e.litmus);
    struct delayed_walk how = {.points = MOST_POINTS, .enough = &enough, .waits = never_waits};
    CU_ASSERT(model_delayed(&p, &how, walked, &e));
    CU_ASSERT(how.mirrored);
    CU_ASSERT_FALSE(e.wrong);
    CU_ASSERT(has(&e.walked, "a=0 b=0 c=0 d=0 x=1 y=1 z=1 w=0"));
    CU_ASSERT(has(&e.walked, "a=0 b=0 c=1 d=0 x=1 y=1 z=1 w=0"));
}

/** Walks that end early say so. */
static void test_bounds(void)
{
    static struct ends e;
    memset(&e, 0, sizeof e);
    litmus_parse(&e.litmus, "W x 1 rlx.gpu; R y a rlx.gpu | W y 1 rlx.gpu; R x b rlx.gpu");
    bool enough = false;
    struct model_program p = litmus_program(&e.litmus);
    struct delayed_walk how = {.points = 5, .enough = &enough, .waits = never_waits};
    CU_ASSERT_FALSE(model_delayed(&p, &how, walked, &e));
    how.points = MOST_POINTS;
    CU_ASSERT(model_delayed(&p, &how, walked, &e));
    enough = true;
    CU_ASSERT_FALSE(model_delayed(&p, &how, walked, &e));
}

UNIT_MAIN("model: writes that reach memory late", {"random programs", test_random}, {"a long trail", test_long}, {"bounds", test_bounds})
