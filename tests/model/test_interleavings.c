/**
 * @file test_interleavings.c
 * Every interleaving, twice: by states of the program that the model's search asks (model/interleavings.h), and by a plain
 * interpreter of the text (sequential.h); races that they have, twice: by what may come next, and by the axioms; and programs that have nothing else. MODEL_KERNELS=N tries N programs of each form.
 */
#include <stdlib.h>
#include <string.h>

#include "compared.h"
#include "model/axioms.h"
#include "model/interleavings.h"
#include "random_program.h"
#include "sequential.h"
#include "unit.h"

#define PROGRAMS 400
#define MAX_TEXT (1 << 18)

struct ends {
    const struct litmus *litmus;
    struct litmus_lines lines;
};

static void found(void *self, const struct model_outcome *o)
{
    struct ends *e = self;
    litmus_add(&e->lines, e->litmus, o->final, o->hangs);
}

/** The lines but for ends in which a thread waits for ever. */
static void without_hangs(const char *text, char *out, size_t size)
{
    size_t n = 0;
    out[0] = 0;
    for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        if (end - line < 5 || strncmp(end - 5, "hangs", 5) != 0)
            n += (size_t)snprintf(out + n, size - n, "%s%.*s", n ? "\n" : "", (int)(end - line), line);
    }
}

/** @param waits  where nobody goes on, too. @return false where the walk is not complete */
static bool same(const char *text, bool waits)
{
    static struct litmus litmus;
    static struct ends ends;
    static char walked[MAX_TEXT], all[MAX_TEXT], sequential[MAX_TEXT];
    litmus_parse(&litmus, text);
    memset(&ends, 0, sizeof ends);
    ends.litmus = &litmus;
    struct model_program p = litmus_program(&litmus);
    if (!model_interleavings(&p, &(struct interleavings){.points = 1 << 20, .waits = waits}, found, &ends))
        return false;
    litmus_lines_write(&ends.lines, walked, sizeof walked);
    sequential_outcomes(&litmus, all, sizeof all);
    if (waits)
        strcpy(sequential, all);
    else
        without_hangs(all, sequential, sizeof sequential);
    if (strcmp(walked, sequential) != 0)
        fprintf(stderr, "%s\nwalked:\n%s\nsequential:\n%s\n", text, walked, sequential);
    CU_ASSERT_STRING_EQUAL(walked, sequential);
    return true;
}

static void make(int form, long number, char *text, size_t size)
{
    enum litmus_layout layout;
    if (form == 0)
        random_program(number, text, size, &layout);
    else if (form == 1)
        random_meeting(number, (enum random_meeting)(number % 4), text, size, &layout);
    else if (form == 2)
        random_scopes(number, text, size, &layout);
    else
        random_waits(number, text, size, &layout);
}

/** But for barriers with a count, which are not followed, every random program is walked to its end. */
static void test_random(void)
{
    long programs = compared_setting("MODEL_KERNELS", PROGRAMS);
    for (int form = 0; form < 4; form++) {
        int complete = 0, counted = 0;
        for (long n = 0; n < programs; n++) {
            char text[1024];
            make(form, n, text, sizeof text);
            counted += strstr(text, " 1 2") != NULL || strstr(text, " 1 3") != NULL;
            complete += same(text, n % 2);
        }
        CU_ASSERT(complete >= programs - counted);
    }
}

static void test_bound(void)
{
    static struct litmus litmus;
    struct ends ends = {.litmus = &litmus};
    litmus_parse(&litmus, "W x 1; W x 2 | W x 3; R x a"); /* ten states */
    struct model_program p = litmus_program(&litmus);
    CU_ASSERT_FALSE(model_interleavings(&p, &(struct interleavings){.points = 5}, found, &ends));
}

/** Is the walk complete within so many states? */
static bool fits(const char *text, uint64_t points, bool waits)
{
    static struct litmus litmus;
    static struct ends ends;
    litmus_parse(&litmus, text);
    memset(&ends, 0, sizeof ends);
    ends.litmus = &litmus;
    struct model_program p = litmus_program(&litmus);
    return model_interleavings(&p, &(struct interleavings){.points = points, .waits = waits}, found, &ends);
}

/** Threads that keep out of each other's way up to a barrier need one order there, not 2^12 sets of those that have gone on. */
static void test_apart(void)
{
#define ADD "add x 1 -; bar 0 0"
#define TWELVE(own) "B 0 0 0 0 0 0 0 0 0 0 0 0 : " own " | " ADD " | " ADD " | " ADD " | " ADD " | " ADD " | " ADD " | " ADD " | " ADD " | " ADD " | " ADD " | " ADD
    CU_ASSERT(fits(TWELVE(ADD "; R x a"), 100, true));
    CU_ASSERT_FALSE(fits(TWELVE("R x a; " ADD), 100, true)); /* it sees how many have come */
    CU_ASSERT_FALSE(fits(TWELVE("add x 1 a; bar 0 0"), 100, true));
    for (int waits = 0; waits < 2; waits++) {
        CU_ASSERT(same("B 0 0 0 0 : " ADD "; R x a | " ADD " | R x b; " ADD " | " ADD, waits));
        CU_ASSERT(same("B 0 0 0 : " ADD "; R x a | W y 1; " ADD "; R y b | " ADD "; W y 2", waits));
        CU_ASSERT(same("B 0 0 1 : " ADD "; R x a | " ADD " | add x 1 b", waits)); /* another block comes between */
        CU_ASSERT(same("B 0 0 0 : " ADD "; R x a | " ADD "; W x 7 | add x 1 -", waits)); /* one ends, and is not waited for */
        CU_ASSERT(same("B 0 0 0 : " ADD "; R x a | xchg x 5 -; bar 0 0 | " ADD, waits));
    }
    for (long n = 0; n < compared_setting("MODEL_KERNELS", PROGRAMS); n++) {
        char text[1024];
        random_sums(n, text, sizeof text);
        CU_ASSERT(same(text, n % 2) || strstr(text, " 1 2") || strstr(text, " 1 3"));
    }
}

/* ---- Races ---- */

struct races {
    int told, wrong;          /**< those that no order of the fences makes one */
};

struct asked_pair {
    struct model_pair pair;
    bool races;
};

static void note_race(void *self, const struct execution *x, const struct axioms *a, const event_set *last)
{
    struct asked_pair *asked = self;
    int first = asked->pair.first, second = asked->pair.second;
    (void)x, (void)last;
    asked->races |= !event_in(a->morally_strong[first], second) && !event_in(a->cause[first], second) && !event_in(a->cause[second], first);
}

static bool raced(void *self, const struct execution *x, struct model_pair pair)
{
    struct races *r = self;
    struct asked_pair asked = {.pair = pair};
    execution_judge(x, 100000, note_race, &asked);
    r->told++;
    r->wrong += !asked.races || x->event[pair.first].thread == x->event[pair.second].thread || x->event[pair.first].location != x->event[pair.second].location;
    return false;
}

static void drop(void *self, const struct model_outcome *o)
{
    (void)self, (void)o;
}

static struct races races_of(const char *text)
{
    static struct litmus litmus;
    struct races r = {0, 0};
    litmus_parse(&litmus, text);
    struct model_program p = litmus_program(&litmus);
    model_interleavings(&p, &(struct interleavings){.points = 1 << 20, .raced = raced}, drop, &r);
    if (r.wrong)
        fprintf(stderr, "%s: %d of %d races are none\n", text, r.wrong, r.told);
    return r;
}

/** The axioms say so, too. */
static void test_races(void)
{
    long programs = compared_setting("MODEL_KERNELS", PROGRAMS);
    int told = 0;
    for (int form = 0; form < 4; form++)
        for (long n = 0; n < programs; n++) {
            char text[1024];
            make(form, n, text, sizeof text);
            struct races r = races_of(text);
            CU_ASSERT_EQUAL(r.wrong, 0);
            told += r.told > 0;
        }
    CU_ASSERT(told > programs);
}

static void test_known_races(void)
{
    CU_ASSERT(races_of("W x 1 | R x a").told > 0);
    CU_ASSERT(races_of("W x 1 rlx.gpu | R x a rlx.gpu").told == 0);
    CU_ASSERT(races_of("W x 1 rlx.cta | R x a rlx.gpu").told > 0);
    CU_ASSERT(races_of("B 0 0: W x 1 rlx.cta | R x a rlx.cta").told == 0);
    CU_ASSERT(races_of("add x 1 a rlx.gpu | R x b").told > 0);
    CU_ASSERT(races_of("R x a | R x b").told == 0);
    CU_ASSERT(races_of("B 0 0: W x 1; bar 0 2 | bar 0 2; R x a").told == 0);
    CU_ASSERT(races_of("W x 1; W y 1 rel.gpu | R y a acq.gpu; if a 1; R x b").told == 0);
    CU_ASSERT(races_of("W x 1; W y 1 rel.gpu | R y a acq.gpu; R x b").told > 0);
}

/* ---- Nothing but interleavings ---- */

/** @return is it said that there are no others? Then the enumeration has none. */
static bool only(const char *text)
{
    static struct litmus litmus;
    static struct ends ends;
    static char walked[MAX_TEXT], all[MAX_TEXT];
    litmus_parse(&litmus, text);
    memset(&ends, 0, sizeof ends);
    ends.litmus = &litmus;
    struct model_program p = litmus_program(&litmus);
    if (!model_interleavings(&p, &(struct interleavings){.points = 1 << 20, .waits = true, .only = true}, found, &ends))
        return false;
    litmus_lines_write(&ends.lines, walked, sizeof walked);
    if (litmus_outcomes(&litmus, all, sizeof all) >= 0) {
        if (strcmp(walked, all) != 0)
            fprintf(stderr, "%s\nwalked:\n%s\nenumerated:\n%s\n", text, walked, all);
        CU_ASSERT_STRING_EQUAL(walked, all);
    }
    return true;
}

static void test_only(void)
{
    long programs = compared_setting("MODEL_KERNELS", PROGRAMS);
    int said = 0;
    for (int form = 0; form < 4; form++)
        for (long n = 0; n < programs; n++) {
            char text[1024];
            make(form, n, text, sizeof text);
            said += only(text);
        }
    CU_ASSERT(said > 0);
    CU_ASSERT(only("xchg x 1 a rlx.gpu; R x b rlx.gpu | W x 2 rlx.gpu; add x 1 c rlx.gpu | R x d rlx.gpu; R x e rlx.gpu"));
    CU_ASSERT(only("W x 1 rlx.gpu; W y 1 rlx.gpu | R x a rlx.gpu; R x b rlx.gpu | W y 2 rlx.gpu; R y c rlx.gpu"));
    CU_ASSERT_FALSE(only("W x 1 rlx.gpu; W y 1 rlx.gpu | R y a rlx.gpu; R x b rlx.gpu"));
    CU_ASSERT_FALSE(only("W x 1 rlx.gpu; W y 1 rlx.gpu | R y a rlx.gpu; W z 1 rlx.gpu | R z b rlx.gpu; R x c rlx.gpu"));
    CU_ASSERT_FALSE(only("W x 1; W x 2 | R x a rlx.gpu; R x b rlx.gpu"));
    CU_ASSERT_FALSE(only("W x 1 rlx.cta; W x 2 rlx.gpu | R x a rlx.gpu; R x b rlx.gpu"));
}

UNIT_MAIN("model: interleavings", {"threads apart until they meet", test_apart}, {"nothing but interleavings", test_only}, {"races that interleavings have", test_races}, {"known races", test_known_races}, {"random programs", test_random}, {"a bound on states", test_bound})
