/**
 * @file test_shapes.c
 * The classic shapes of litmus tests, with every order, scope and fence that PTX knows, against the definitions of the
 * memory model read off word by word (oracle.h): the same outcomes, no more and no fewer.
 *
 * In a shape `@` stands for the order of an access, `~` for a fence or none. Uniform variants give all accesses of a
 * kind the same order and all places for fences the same fence; mixed ones draw each. SHAPES_STEP=1 tries all uniform
 * variants, SHAPES_MIXED=N so many mixed ones of each shape, SHAPES_RANDOM=N so many random programs.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "litmus.h"
#include "oracle.h"
#include "random_program.h"
#include "unit.h"

#define MAX_TEXT 1024

static const char *const shapes[] = {
    /* One location. */
    "W x 1 @ | R x a @; ~ R x b @",
    "W x 1 @; ~ W x 2 @ | R x a @",
    "W x 1 @; ~ W x 2 @ | R x a @; ~ R x b @",
    "R x a @; ~ W x 1 @ | W x 2 @",
    "W x 1 @; ~ R x a @ | W x 2 @",
    "W x 1 @ | W x 2 @ | R x a @; ~ R x b @",
    "W x 1 @ | W x 2 @ | R x a @; ~ R x b @ | R x c @; ~ R x d @",
    "W x 1 @ | R x a @; W x 2 @ | R x b @; ~ R x c @",
    "add x 1 a @ | add x 1 b @",
    "add x 1 a @ | W x 2 @; ~ R x b @",
    "red x 1 @ | red x 1 @ | R x a @; ~ R x b @",
    "add x 1 a @ | add x 1 b @ | add x 1 c @",
    "cas x 0 1 a @ | cas x 0 2 b @ | R x c @",
    "cas x 0 1 a @; W x 0 @ | cas x 0 2 b @",
    "xchg x 1 a @; ~ R x b @ | xchg x 2 c @; ~ R x d @",
    /* Two threads. */
    "W x 1 @; ~ W y 1 @ | R y a @; ~ R x b @",
    "W x 1 @; ~ R y a @ | W y 1 @; ~ R x b @",
    "R x a @; ~ W y 1 @ | R y b @; ~ W x 1 @",
    "W x 2 @; ~ W y 1 @ | R y a @; ~ W x 1 @",
    "W x 1 @; ~ W y 1 @ | W y 2 @; ~ R x a @",
    "W x 1 @; ~ W y 2 @ | W y 1 @; ~ W x 2 @",
    "R x a @; W y a @ | R y b @; ~ W x 1 @",
    "R x a @; W y a @ | R y b @; W x b @",
    "R x a @; if a 1; W y 1 @ | R y b @; W x 1 @",
    "R x a @; if a 1; W y 1 @ | R y b @; if b 1; W x 1 @",
    "W x 1 weak; ~ red y 1 @ | R y a @; ~ R x b weak",
    "W x 1 weak; ~ W y 1 @ | add y 0 a @; ~ R x b weak",
    "W x 1 weak; ~ W y 1 @ | red y 1 @; ~ R x a weak",
    "W x 1 @; ~ xchg y 1 a @ | xchg y 2 b @; ~ R x c @",
    "add x 1 c @; ~ add y 0 a @ | add y 1 d @; ~ add x 0 b @",
    "xchg x 1 c @; ~ R y a @ | xchg y 1 d @; ~ R x b @",
    "W x 1 @; ~ add y 0 a @ | W y 1 @; ~ add x 0 b @",
    "W y 1 weak; W x 1 @; W x 2 @ | R x a @; ~ R y b weak",
    "W y 1 weak; W x 1 @; red x 1 @ | R x a @; ~ R y b weak",
    "W y 1 weak; ~ W x 1 @ | R x a @; R x b @; R y c weak",
    "R y a weak; ~ W x 1 @ | R x b @; ~ W y 1 weak",
    "cas x 0 1 a @; ~ W y 1 weak | cas x 1 2 b @; ~ R y c weak",
    /* Three threads. */
    "W x 1 @ | R x a @; ~ W y 1 @ | R y b @; ~ R x c @",
    "W x 1 @ | R x a @; ~ R y b @ | W y 1 @; ~ R x c @",
    "add x 1 d @ | add x 0 a @; ~ add y 0 b @ | add y 1 e @; ~ add x 0 c @",
    "W x 2 @ | R x a @; ~ W y 1 @ | R y b @; ~ W x 1 @",
    "W x 1 @ | R x a @; ~ W y 1 @ | W y 2 @; ~ R x b @",
    "W x 1 @ | R x a @; ~ W y 1 @ | W y 2 @; ~ W x 2 @",
    "W x 2 @ | R x a @; ~ R y b @ | W y 1 @; ~ W x 1 @",
    "W x 1 @; ~ W y 1 @ | R y a @; ~ W z 1 @ | R z b @; ~ R x c @",
    "W x 1 @; ~ W z 1 @ | R z a @; ~ R y b @ | W y 1 @; ~ R x c @",
    "W x 1 @; ~ W y 1 @ | R y a @; ~ W z 1 @ | W z 2 @; ~ R x b @",
    "W x 1 @; ~ W y 1 @ | W y 2 @; ~ W z 1 @ | R z a @; ~ W x 2 @",
    "W x 2 @; ~ W y 1 @ | R y a @; ~ W z 1 @ | R z b @; ~ W x 1 @",
    "W x 1 @; ~ W y 1 @ | W y 2 @; ~ W z 1 @ | R z a @; ~ R x b @",
    "W x 1 @; ~ W y 1 @ | W y 2 @; ~ R z a @ | W z 1 @; ~ R x b @",
    "W x 1 @; ~ W y 1 @ | W y 2 @; ~ W z 1 @ | W z 2 @; ~ R x a @",
    "W x 1 @; ~ R y a @ | W y 1 @; ~ R z b @ | W z 1 @; ~ R x c @",
    "R x a @; ~ W y 1 @ | R y b @; ~ W z 1 @ | R z c @; ~ W x 1 @",
    "W x 1 @; ~ W y 2 @ | W y 1 @; ~ W z 2 @ | W z 1 @; ~ W x 2 @",
    "W x 1 weak; ~ W y 1 @ | add y 1 a @ | R y b @; ~ R x c weak",
    "W x 1 weak; ~ red y 1 @ | red y 1 @ | R y b @; ~ R x c weak",
    "W x 1 weak; ~ W y 1 @ | add y 1 a @; ~ W z 1 @ | R z b @; ~ R x c weak",
    "cas y 0 1 a @; W x 1 weak; W y 2 @ | cas y 2 3 b @; ~ R x c weak | R y d @",
    /* Four threads. */
    "W x 1 @ | W y 1 @ | R x a @; ~ R y b @ | R y c @; ~ R x d @",
    "W x 1 @ | R x a @; ~ R y b @ | W y 1 @ | R y c @; ~ W x 2 @",
    "W x 1 @ | R x a @; ~ W y 1 @ | R y b @; ~ W z 1 @ | R z c @; ~ R x d @",
    "add x 1 a @ | W y 1 @ | R x b @; ~ R y c @ | R y d @; ~ add x 0 e @",
    /* Barriers. */
    "W x 1 @; bar 0; R y a @ | W y 1 @; bar 0; R x b @",
    "W x 1 weak; ~ W y 1 @; bar 0 | R y a @; bar 0; R x b weak",
    "W x 1 weak; ~ W y 1 @ | R y a @; bar 0; ~ R z c @ | bar 0; ~ R x b weak",
};
#define SHAPES (int)(sizeof shapes / sizeof shapes[0])

static uint64_t state;

static unsigned draw(unsigned below)
{
    state += MIX_STEP;
    return (unsigned)(mix64(state) % below);
}

/* ---- Variants ---- */

static const char *const scopes[] = {"cta", "gpu", "sys"};
static const char *const layouts[] = {"", "B 0 0 0 0: ", "B 0 0 1 1: ", "B 0 1 1 0: "};
#define LEVELS 7     /* weak; relaxed, and acquire or release, of each scope */
#define FENCES 7     /* none; acq_rel, and sc, of each scope */

/** The order of an access of a statement that begins with `op`. Read-modify-writes are never weak. */
static void put_order(char *text, size_t *n, const char *op, unsigned level, bool mixed)
{
    bool load = op[0] == 'R', store = op[0] == 'W';
    const char *scope = scopes[(level + 2) % 3], *order = "rlx";
    if (level > 3)
        order = load ? "acq" : store || !strncmp(op, "red", 3) ? "rel" : "acq_rel";
    if (mixed && !load && !store && strncmp(op, "red", 3) && level > 3)
        order = (const char *const[]){"acq", "rel", "acq_rel"}[draw(3)];
    if (level == 0 && (load || store))
        *n += (size_t)sprintf(text + *n, "weak");
    else
        *n += (size_t)sprintf(text + *n, "%s.%s", order, scope);
}

static void put_fence(char *text, size_t *n, unsigned fence)
{
    if (fence)
        *n += (size_t)sprintf(text + *n, "F %s.%s;", fence > 3 ? "sc" : "acq_rel", scopes[(fence + 2) % 3]);
}

/** Writes a variant. `level`, `fence` beyond the last: each place draws its own. */
static void expand(char *text, const char *shape, const char *layout, unsigned level, unsigned fence)
{
    size_t n = (size_t)sprintf(text, "%s", layout);
    const char *statement = shape;
    for (const char *s = shape; *s; s++) {
        if (*s == '@')
            put_order(text, &n, statement, level < LEVELS ? level : draw(LEVELS), level >= LEVELS);
        else if (*s == '~')
            put_fence(text, &n, fence < FENCES ? fence : draw(FENCES));
        else
            text[n++] = *s;
        if (*s == ';' || *s == '|' || *s == '~')
            statement = s + 1 + strspn(s + 1, " ~");
    }
    text[n] = 0;
}

/* ---- The comparison ---- */

static int failures, compared;

static void compare(const char *text)
{
    static struct litmus l;
    static char got[1 << 18], expected[1 << 18];
    litmus_parse(&l, text);
    int executions = litmus_outcomes(&l, got, sizeof got);
    oracle_outcomes(&l, expected, sizeof expected);
    compared++;
    if (executions >= 0 && !strcmp(got, expected))
        return;
    if (failures++ < 4)
        fprintf(stderr, "\n%s\nby the definitions:\n%s\nby the search (%d executions):\n%s\n", text, expected, executions,
                got);
}

static unsigned setting(const char *name, unsigned otherwise)
{
    const char *text = getenv(name);
    return text ? (unsigned)atoi(text) : otherwise;
}

/** With a barrier all threads stand in one block. */
static int layouts_of(const char *shape)
{
    return strstr(shape, "bar") ? 1 : 4;
}

static void test_uniform(void)
{
    char text[MAX_TEXT];
    unsigned step = setting("SHAPES_STEP", 5), turn = 0;
    for (int s = 0; s < SHAPES; s++)
        for (int where = 0; where < layouts_of(shapes[s]); where++)
            for (unsigned level = 0; level < LEVELS; level++)
                for (unsigned fence = 0; fence < (strchr(shapes[s], '~') ? FENCES : 1); fence++) {
                    if (turn++ % step)
                        continue;
                    expand(text, shapes[s], layouts[layouts_of(shapes[s]) == 1 ? 1 : where], level, fence);
                    compare(text);
                }
    CU_ASSERT_EQUAL(failures, 0);
    CU_ASSERT(compared > 1500);
}

static void test_mixed(void)
{
    char text[MAX_TEXT];
    unsigned count = setting("SHAPES_MIXED", 12);
    failures = 0;
    for (int s = 0; s < SHAPES; s++)
        for (unsigned i = 0; i < count; i++) {
            state = (uint64_t)(s * 1000 + (int)i) << 24;
            unsigned where = layouts_of(shapes[s]) == 1 ? 1 : draw(4);
            expand(text, shapes[s], layouts[where], LEVELS, FENCES);
            compare(text);
        }
    CU_ASSERT_EQUAL(failures, 0);
}

/** Several fences a thread, some of which others do not see: their orders are told apart only where that matters. */
static void test_fences(void)
{
    static const char *const programs[] = {
        "W x 1 rlx.gpu; F sc.gpu; R y a rlx.gpu; F sc.gpu; R z b rlx.gpu | W y 1 rlx.gpu; F sc.gpu; W z 1 rlx.gpu; F sc.gpu; W x 2 rlx.gpu",
        "W x 1; F sc.gpu; R y a; F sc.gpu; W z 1 | W y 1; F sc.gpu; R z b; F sc.gpu; W x 2",
        "B 0 0 1: W x 1 rlx.gpu; F sc.cta; R y a rlx.gpu | W y 1 rlx.gpu; F sc.gpu; R z b rlx.gpu | W z 1 rlx.gpu; F sc.cta; R x c rlx.gpu",
        "B 0 0 1: W x 1 rlx.gpu; F sc.cta; F sc.gpu; R y a rlx.gpu | W y 1 rlx.gpu; F sc.gpu; R z b rlx.gpu | W z 1 rlx.gpu; F sc.gpu; R x c rlx.gpu",
        "B 0 0 1: W x 1 rlx.gpu; F sc.cta; W y 1 rlx.gpu; F sc.gpu; W z 1 rlx.gpu | R y a rlx.gpu; F sc.cta; W x 2 rlx.gpu | R z b rlx.gpu; F sc.gpu; W x 3 rlx.gpu",
        "W x 1 rlx.gpu; F sc.gpu; R y a rlx.gpu; F sc.gpu; R z b rlx.gpu | W y 1 rlx.gpu; F sc.gpu; W z 1 rlx.gpu | W z 2 rlx.gpu; F sc.gpu; R x c rlx.gpu",
    };
    failures = 0;
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        compare(programs[i]);
    CU_ASSERT_EQUAL(failures, 0);
}

/** Three and four threads in blocks of clusters, each operation with a scope of its own. */
static void test_scopes(void)
{
    char text[1024];
    enum litmus_layout layout;
    failures = 0;
    for (unsigned i = 0; i < setting("SHAPES_SCOPES", 60); i++) {
        random_scopes(i, text, sizeof text, &layout);
        compare(text);
    }
    CU_ASSERT_EQUAL(failures, 0);
}

#define READS 4         /* programs with more take the definitions too long */

/** The program of that number; of those that meet, with barriers. */
static void draw_program(unsigned i, char *text, size_t size)
{
    enum litmus_layout layout;
    if (i % 3 == 0)
        random_program(i, text, size, &layout);
    else if (i % 3 == 1)
        random_reductions(i, text, size);
    else
        random_meeting(i, MEET_AT_BARRIER, text, size, &layout);
}

/** Loads and atomics: all but these begin otherwise. */
static int count_reads(const char *text)
{
    static const char *const words[] = {"R ", "add ", "red ", "cas ", "xchg "};
    int count = 0;
    for (int w = 0; w < 5; w++)
        for (const char *s = text; (s = strstr(s, words[w])); s++)
            count++;
    return count;
}

/** Branches, barriers, reductions, load buffering through all of these; and with orders of reductions, and writes of one value, left out. */
static void test_random(void)
{
    static char text[2 * MAX_TEXT], all[1 << 18], some[1 << 18];
    static struct litmus l;
    failures = compared = 0;
    for (unsigned i = 0; i < setting("SHAPES_RANDOM", 240); i++) {
        draw_program(i, text, sizeof text);
        if (strstr(text, "again") || strstr(text, "any") || strstr(text, "first") || strstr(text, "carr"))
            continue; /* those the definitions' reader does not know */
        if (count_reads(text) > READS)
            continue;
        compare(text);
        litmus_parse(&l, text);
        litmus_outcomes(&l, all, sizeof all);
        litmus_outcomes_within(&l, &(struct model_limits){.by_outcome = true}, some, sizeof some);
        failures += strcmp(all, some) != 0;
        litmus_outcomes_within(&l, &(struct model_limits){.by_outcome = true, .by_value = true}, some, sizeof some);
        failures += strcmp(all, some) != 0;
    }
    CU_ASSERT_EQUAL(failures, 0);
    CU_ASSERT(compared > 60);
}

UNIT_MAIN("model: shapes", {"random", test_random}, {"uniform", test_uniform}, {"mixed", test_mixed}, {"fences", test_fences}, {"scopes", test_scopes})
