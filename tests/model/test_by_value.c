/**
 * @file test_by_value.c
 * The search by values (model/by_value.c) leaves what the enumeration of all executions leaves: random programs of every form, with
 * barriers, votes, clusters, waits and reductions. MODEL_KERNELS=N tries N of each form, MODEL_FIRST=N begins at the N-th.
 */
#include <string.h>

#include "compared.h"
#include "random_program.h"
#include "unit.h"

#define PROGRAMS 150
#define TEXT 1024
#define LINES 262144

/** Programs about which something is known. */
static long compared;

static void make_program(long number, char *text)
{
    enum litmus_layout layout;
    random_program(number, text, TEXT, &layout);
}

static void make_meeting(long number, char *text)
{
    enum litmus_layout layout;
    random_meeting(number, (enum random_meeting)(number % 4), text, TEXT, &layout);
}

static void make_scopes(long number, char *text)
{
    enum litmus_layout layout;
    random_scopes(number, text, TEXT, &layout);
}

static void make_waits(long number, char *text)
{
    enum litmus_layout layout;
    random_waits(number, text, TEXT, &layout);
}

static void make_reductions(long number, char *text)
{
    random_reductions(number, text, TEXT);
}

static int lines_of(const char *text)
{
    int lines = 1;
    for (const char *s = text; *s; s++)
        lines += *s == '\n';
    return lines;
}

/** @return true if it leaves the same by values, or what is left is not known without */
static bool is_same(const char *text)
{
    static char plain[LINES], by_value[LINES];
    static struct litmus l;
    litmus_parse(&l, text);
    if (litmus_outcomes_within(&l, &(struct model_limits){.points = 30000}, plain, sizeof plain) < 0 || lines_of(plain) == LITMUS_LINES)
        return true;
    ++compared;
    bool complete = litmus_outcomes_within(&l, &(struct model_limits){.by_outcome = true, .by_value = true, .seconds = 20}, by_value,
                                           sizeof by_value) >= 0;
    if (complete && !strcmp(plain, by_value))
        return true;
    fprintf(stderr, "\n%s\nall executions:\n%s\nby value%s:\n%s\n", text, plain, complete ? "" : ", incomplete", by_value);
    return false;
}

static void compare(void (*make)(long number, char *text))
{
    char text[TEXT];
    long count = compared_setting("MODEL_KERNELS", PROGRAMS), first = compared_setting("MODEL_FIRST", 0);
    int wrong = 0;
    compared = 0;
    for (long i = 0; i < count && wrong < 3; i++) {
        text[0] = 0;
        make(first + i, text);
        wrong += !is_same(text);
    }
    CU_ASSERT(compared > count / 2);
    CU_ASSERT_EQUAL(wrong, 0);
}

static void test_programs(void)
{
    compare(make_program);
}

static void test_meetings(void)
{
    compare(make_meeting);
}

static void test_scopes(void)
{
    compare(make_scopes);
}

static void test_waits(void)
{
    compare(make_waits);
}

static void test_reductions(void)
{
    compare(make_reductions);
}

/** A thread that waits for ever sees the last write in every read of its loop, though another write of that value would do. */
static void test_endless(void)
{
    static const char *const programs[] = {
        "R x a rlx.gpu; again a | W x 0 rlx.gpu; W x 1 rlx.gpu; W x 0 rlx.gpu",
        "R y b rlx.gpu; R x a rlx.gpu; again a; R y c rlx.gpu | W y 1 rlx.gpu; W x 0 rlx.gpu; W y 1 rlx.gpu | W y 0 rlx.gpu; W x 1 rlx.gpu",
        "R x a; again a | W x 0; W x 1 | W x 0 rlx.gpu",
    };
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        CU_ASSERT(is_same(programs[i]));
}

/** Four threads with four accesses each, which took longer than can be waited for: ways that differ only in which write of a value a
 *  read saw were all followed. */
static void test_sixteen(void)
{
    static const struct { const char *text; uint64_t points; int outcomes; } programs[] = {
        {"xchg x 1 a acq.gpu; cas x 0 2 b acq_rel.gpu; R x c acq.gpu; W x 2 rel.gpu | add x 2 d rlx.gpu; W x 2 rel.gpu; xchg x 0 - acq_rel.gpu; W x 1 rlx.gpu | "
         "W x 2 rlx.cta; F sc.gpu; R x e weak; cas x 1 2 - rlx.gpu; R x f rlx.gpu | W x 1 rel.gpu; F acq_rel.gpu; W x 1 weak; W x 2 rlx.gpu; F sc.cta; R x g rlx.gpu",
         300000, 0},
    };
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        static char lines[LINES];
        static struct litmus l;
        litmus_parse(&l, programs[i].text);
        CU_ASSERT(litmus_outcomes_within(&l, &(struct model_limits){.by_outcome = true, .by_value = true, .points = programs[i].points},
                                         lines, sizeof lines) > programs[i].outcomes);
    }
}

UNIT_MAIN("model: by value", {"random programs", test_programs}, {"that meet", test_meetings}, {"scopes", test_scopes}, {"waits", test_waits},
          {"reductions", test_reductions}, {"endless", test_endless}, {"sixteen accesses", test_sixteen})
