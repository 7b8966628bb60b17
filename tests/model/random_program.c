/**
 * @file random_program.c
 * See random_program.h.
 */
#include "random_program.h"

#include <string.h>

#include "base/mix.h"

static uint64_t state;

static int draw(int below)
{
    state += MIX_STEP;
    return (int)(mix64(state) % (uint64_t)below);
}

static const char *pick(const char *const *words)
{
    int n = 0;
    while (words[n])
        n++;
    return words[draw(n)];
}

struct writing {
    char *text;
    size_t size, used;
    int registers, locations;
    bool barriers;
    enum random_meeting meeting;
    enum random_meeting other[4];   /**< how a thread meets in place of that; MEET_AS_ALL: it does not */
    int comers;                     /**< at the barrier with a count */
};

#define PUT(w, ...) ((w)->used += (size_t)snprintf((w)->text + (w)->used, (w)->size - (w)->used, __VA_ARGS__))

static void put_statement(struct writing *w, int *own, int left)
{
    static const char *const reads[] = {"weak", "rlx.cta", "rlx.gpu", "acq.gpu", "rlx.sys", "rlx.gpu", NULL};
    static const char *const writes[] = {"weak", "rlx.cta", "rlx.gpu", "rel.gpu", "rlx.sys", "rlx.gpu", NULL};
    static const char *const atomics[] = {"rlx.cta", "rlx.gpu", "acq.gpu", "rel.gpu", "acq_rel.gpu", "rlx.gpu", NULL};
    static const char *const fences[] = {"sc.gpu", "sc.gpu", "sc.cta", "acq_rel.gpu", "acq_rel.cta", NULL};
    char x = (char)('x' + draw(w->locations)), into = (char)('a' + w->registers);
    bool full = *own == 2 || w->registers == LITMUS_REGISTERS;
    int kind = draw(full ? 5 : 10);
    if (kind == 0 && left > 0 && *own && draw(2)) {
        PUT(w, "if %c 1", into - 1);
    } else if (kind == 0) {
        PUT(w, "F %s", pick(fences));
    } else if (kind == 1) {
        PUT(w, "red %c %d %s", x, 1 + draw(2), draw(2) ? "rlx.gpu" : "rel.gpu");
    } else if (kind <= 4) {
        if (*own && draw(3) == 0)
            PUT(w, "W %c %c %s", x, into - 1, pick(writes));
        else
            PUT(w, "W %c %d %s", x, 1 + draw(2), pick(writes));
    } else {
        if (kind <= 7)
            PUT(w, "R %c %c %s", x, into, pick(reads));
        else if (kind == 8)
            PUT(w, "add %c %d %c %s", x, draw(2), into, pick(atomics));
        else if (draw(2))
            PUT(w, "xchg %c %d %c %s", x, draw(3), into, pick(atomics));
        else
            PUT(w, "cas %c %d 2 %c %s", x, draw(2), into, pick(atomics));
        w->registers++;
        ++*own;
    }
}

/** The thread comes to where all meet. */
static void put_meeting(struct writing *w, enum random_meeting how, int *own)
{
    static const char *const polls[] = {"rlx.gpu", "rlx.gpu", "acq.gpu", "acq.gpu", "vol", "rlx.cta", "weak", NULL};
    bool into = w->registers < LITMUS_REGISTERS && *own < 2;
    char from = *own ? (char)('a' + w->registers - 1) : (char)('0' + draw(2));
    if (how == MEET_AT_BARRIER) {
        PUT(w, "bar 0");
    } else if (how == MEET_IN_CLUSTER) {
        PUT(w, "carr %s; cwait", draw(3) ? "rlx" : "rel");
    } else if (how == MEET_AT_COUNT) {
        PUT(w, "%s 1 %d", draw(3) ? "bar" : "arrive", w->comers);
    } else if (how == MEET_IN_POLL) {
        char x = (char)('x' + draw(w->locations)), polled = (char)('a' + w->registers++);
        PUT(w, "R %c %c %s; again %c", x, polled, pick(polls), polled);
        ++*own;
    } else {
        PUT(w, "%s %c %c", how == MEET_IN_VOTE ? "any" : "first", from, into ? 'a' + w->registers : '-');
        w->registers += into;
        *own += into;
    }
}

static void put_threads(struct writing *w, int threads)
{
    for (int t = 0; t < threads; t++) {
        enum random_meeting how = w->other[t] == MEET_AS_ALL ? w->meeting : w->other[t];
        int statements = 1 + draw(6 - threads), own = 0, barrier = w->barriers && how != MEET_NOWHERE ? draw(statements + 1) : -1;
        PUT(w, "%s", t ? " | " : "");
        for (int i = 0; i < statements; i++) {
            PUT(w, "%s", i ? "; " : "");
            if (i == barrier) {
                put_meeting(w, how, &own);
                PUT(w, "; ");
            }
            put_statement(w, &own, i == barrier - 1 ? 0 : statements - 1 - i);
        }
        if (barrier == statements) {
            PUT(w, "; ");
            put_meeting(w, how, &own);
        }
    }
}

void random_meeting(long number, enum random_meeting how, char *text, size_t size, enum litmus_layout *layout)
{
    static const char *const clusters[] = {"C 0 1", "C 0 1 0", "C 0 1 1 0"};
    state = (uint64_t)number << 24 | (uint64_t)how << 20;
    struct writing w = {.text = text, .size = size, .locations = 1 + draw(2), .barriers = true, .meeting = how};
    int threads = 2 + (draw(3) == 0) + (draw(8) == 0);
    *layout = how == MEET_IN_CLUSTER && draw(2) ? LITMUS_WARPS : LITMUS_LANES;
    PUT(&w, "%s: ", how == MEET_IN_CLUSTER ? clusters[threads - 2] : threads == 2 ? "B 0 0" : threads == 3 ? "B 0 0 0" : "B 0 0 0 0");
    put_threads(&w, threads);
}

void random_program(long number, char *text, size_t size, enum litmus_layout *layout)
{
    static const char *const places[] = {"", "", "B 0 0 1 1: ", "B 0 0 0 0: ", "B 0 1 1 0: ", NULL};
    state = (uint64_t)number << 24;
    struct writing w = {.text = text, .size = size, .locations = 1 + draw(3)};
    int threads = 2 + (draw(3) == 0) + (draw(8) == 0);
    const char *place = pick(places);
    w.barriers = !strncmp(place, "B 0 0 0", 7) && draw(2);
    *layout = w.barriers || draw(2) ? LITMUS_WARPS : LITMUS_LANES;
    PUT(&w, "%.*s%s", place[0] ? 1 + 2 * threads : 0, place, place[0] ? ": " : "");
    put_threads(&w, threads);
}

void random_scopes(long number, char *text, size_t size, enum litmus_layout *layout)
{
    static const char *const places[] = {"D 0 1 2 3", "D 0 1 1 2", "D 0 0 1 2", "D 0 2 1 3", "C 0 1 1 2", "C 0 1 2 3", NULL};
    static const char *const scopes[] = {"cta", "cluster", "cluster", "gpu", "gpu", "sys", NULL};
    char draft[1024];
    state = (uint64_t)number << 24 | 1 << 23;
    struct writing w = {.text = draft, .size = sizeof draft, .locations = 1 + draw(2)};
    int threads = 3 + (draw(3) == 0);
    *layout = draw(2) ? LITMUS_WARPS : LITMUS_LANES;
    PUT(&w, "%.*s: ", 1 + 2 * threads, pick(places));
    put_threads(&w, threads);
    w = (struct writing){.text = text, .size = size};
    for (const char *s = draft; *s; s++) {
        PUT(&w, "%c", *s);
        if (*s == '.') {
            PUT(&w, "%s", pick(scopes));
            s += 3;
        }
    }
}

/** Rewrites a statement: half of the stores of a number become reductions. @return true if it did */
static bool reduces(struct writing *w, const char *statement, size_t length)
{
    char copy[64], x, order[16], value;
    snprintf(copy, sizeof copy, "%.*s", (int)length, statement);
    if (sscanf(copy, " W %c %c %15s", &x, &value, order) != 3 || value > '9' || draw(2))
        return false;
    if (draw(2))
        PUT(w, "red %c %c %s", x, value, strcmp(order, "weak") ? order : "rlx.gpu");
    else
        PUT(w, "add %c %c - %s", x, value, draw(2) ? "rlx.gpu" : draw(2) ? "acq_rel.gpu" : "acq.gpu");
    return true;
}

void random_reductions(long number, char *text, size_t size)
{
    char draft[1024];
    enum litmus_layout layout;
    if (number % 4 == 0)
        random_program(number, draft, sizeof draft, &layout);
    else if (number % 4 == 1)
        random_meeting(number, (enum random_meeting)(number / 4 % 4), draft, sizeof draft, &layout);
    else
        random_scopes(number, draft, sizeof draft, &layout);
    struct writing w = {.text = text, .size = size};
    const char *s = strchr(draft, ':');
    s = s ? s + 1 : draft;
    PUT(&w, "%.*s", (int)(s - draft), draft);
    for (bool first = true; *s; first = false) {
        size_t length = strcspn(s, ";|");
        bool atom = draw(2);
        if ((first || s[-1] == '|') && draw(6) == 0 && !strstr(draft, " h ") && !strstr(text, " h "))
            PUT(&w, " R %c h rlx.gpu; again h 0;", 'x' + draw(2));
        if ((first || s[-1] == '|') && draw(3))
            PUT(&w, " %s %c %d%s %s;", atom ? "add" : "red", 'x' + (draw(4) == 0), 1 + draw(2), atom ? " -" : "", draw(4) ? "rlx.gpu" : draw(2) ? "rel.gpu" : "rlx.cta");
        if (!reduces(&w, s, length))
            PUT(&w, "%.*s", (int)length, s);
        PUT(&w, "%.1s", s + length);
        s += length + (s[length] != 0);
    }
}

void random_sums(long number, char *text, size_t size)
{
    static const char *const places[] = {"", "B 0 0 0: ", "B 0 0 0: ", "B 0 0 1: ", NULL};
    static const char *const adds[] = {"red z %d rlx.gpu", "red z %d rlx.gpu", "add z %d - rlx.gpu", "red z %d rel.gpu", "red z %d rlx.cta", NULL};
    state = (uint64_t)number << 24 | 1 << 22;
    struct writing w = {.text = text, .size = size, .locations = 2};
    const char *place = pick(places);
    bool begins = place[0] && draw(3), ends = place[0] && draw(3);
    PUT(&w, "%s", place);
    for (int t = 0; t < 3; t++) {
        int own = 0;
        PUT(&w, "%s", t ? " | " : "");
        if (draw(4) == 0)
            PUT(&w, "W z %d %s; ", draw(3), draw(2) ? "weak" : "rlx.gpu");
        PUT(&w, "%s", begins ? "bar 0; " : "");
        for (int i = draw(3); i; i--) {
            put_statement(&w, &own, 0);
            PUT(&w, "; ");
        }
        PUT(&w, draw(8) ? pick(adds) : "xchg z %d - rlx.gpu", 1 + draw(2));
        if (draw(2)) {
            PUT(&w, "; ");
            put_statement(&w, &own, 0);
        }
        PUT(&w, "%s", ends ? "; bar 0" : "");
        if (draw(3) == 0)
            PUT(&w, "; R z %c %s", 'a' + w.registers++, draw(2) ? "weak" : "rlx.gpu");
    }
}

void random_waits(long number, char *text, size_t size, enum litmus_layout *layout)
{
    static const char *const places[] = {"", "", "B 0 0 0: ", "B 0 1 1: ", NULL};
    state = (uint64_t)number << 24 | 3 << 22;
    struct writing w = {.text = text, .size = size, .locations = 1 + draw(2), .barriers = true, .meeting = MEET_NOWHERE};
    int threads = 2 + (draw(3) == 0);
    bool counted = draw(3) == 0;
    const char *place = counted ? places[2] : pick(places);
    for (int t = 0; t < threads && counted; t++) {
        w.other[t] = w.comers < 2 || draw(2) ? MEET_AT_COUNT : MEET_NOWHERE;
        w.comers += w.other[t] == MEET_AT_COUNT;
    }
    if (!counted || draw(2))
        w.other[draw(threads)] = MEET_IN_POLL;    /* in the place of a barrier: who waits there may wait for ever */
    *layout = counted || draw(2) ? LITMUS_WARPS : LITMUS_LANES;
    PUT(&w, "%.*s%s", place[0] ? 1 + 2 * threads : 0, place, place[0] ? ": " : "");
    put_threads(&w, threads);
}

/** A store or two of a thread's own, perhaps a fence, and a look at another's. */
static void put_buffers(struct writing *w, int thread, int accesses)
{
    static const char *const stores[] = {"rlx.gpu", "rlx.gpu", "rlx.cta", "rel.gpu", "weak", NULL};
    static const char *const atomics[] = {"add %c 1 %c rlx.gpu", "xchg %c 2 %c acq_rel.gpu", "cas %c 0 1 %c acq.gpu", "add %c 0 %c rlx.cta", NULL};
    static const char *const fences[] = {"sc.gpu", "sc.cta", "acq_rel.gpu", "acq_rel.cta", NULL};
    for (int i = 0; i < accesses; i++) {
        char own = (char)('x' + thread % w->locations), x = draw(4) ? own : (char)('x' + draw(w->locations)), into = (char)('a' + w->registers);
        bool reads = w->registers < LITMUS_REGISTERS && draw(5) < (i ? 2 : 1);
        PUT(w, "%s", i ? "; " : "");
        if (draw(6) == 0)
            PUT(w, "F %s; ", pick(fences));
        if (reads && draw(4))
            PUT(w, "R %c %c %s", draw(4) ? 'x' + (thread + 1 + draw(2)) % w->locations : own, into, draw(4) ? "rlx.gpu" : "acq.gpu");
        else if (reads)
            PUT(w, pick(atomics), x, into);
        else
            PUT(w, "W %c %d %s", x, 1 + draw(3), pick(stores));
        w->registers += reads;
        if (reads && i < accesses - 1 && draw(5) == 0)
            PUT(w, "; if %c 1", into);
    }
}

void random_buffers(long number, char *text, size_t size)
{
    static const char *const places[] = {"", "", "B 0 0 1 1: ", "B 0 1 1 0: ", NULL};
    state = (uint64_t)number << 24 | 5 << 21;
    struct writing w = {.text = text, .size = size, .locations = 2 + draw(2)};
    int threads = 2 + (draw(2) == 0) + (draw(6) == 0), most = 10 / threads;
    const char *place = pick(places);
    PUT(&w, "%.*s%s", place[0] ? 1 + 2 * threads : 0, place, place[0] ? ": " : "");
    for (int t = 0; t < threads; t++) {
        PUT(&w, "%s", t ? " | " : "");
        put_buffers(&w, t, most - draw(most));
    }
}

/** Rewrites a statement: another operation, or a volatile access. @return true if it did */
static bool updates(struct writing *w, const char *statement, size_t length)
{
    static const char *const operations[] = {"max", "min", "inc", "dec", "or", "and", NULL};
    char copy[64], op[8], x, value, more[24] = "";
    snprintf(copy, sizeof copy, "%.*s", (int)length, statement);
    if (sscanf(copy, " %7s %c %c %23[^\n]", op, &x, &value, more) != 4 && sscanf(copy, " %7s %c %c", op, &x, &value) != 3)
        return false;
    if ((!strcmp(op, "add") || !strcmp(op, "xchg")) && draw(3)) {
        PUT(w, " %s %c %c %s", pick(operations), x, value, more);
        return true;
    }
    bool plain = (!strcmp(op, "R") || !strcmp(op, "W")) && !strncmp(more, "rlx", 3) && draw(4) == 0;
    if (plain)
        PUT(w, " %s %c %c vol", op, x, value);
    return plain;
}

void random_updates(long number, char *text, size_t size, enum litmus_layout *layout)
{
    char draft[1024];
    *layout = LITMUS_WARPS;
    if (number % 4 == 0)
        random_program(number, draft, sizeof draft, layout);
    else if (number % 4 == 1)
        random_meeting(number, MEET_AT_BARRIER, draft, sizeof draft, layout);
    else if (number % 4 == 2)
        random_waits(number, draft, sizeof draft, layout);
    else
        random_buffers(number, draft, sizeof draft);
    struct writing w = {.text = text, .size = size};
    const char *s = strchr(draft, ':');
    s = s ? s + 1 : draft;
    PUT(&w, "%.*s", (int)(s - draft), draft);
    while (*s) {
        size_t length = strcspn(s, ";|");
        if (!updates(&w, s, length))
            PUT(&w, "%.*s", (int)length, s);
        PUT(&w, "%.1s", s + length);
        s += length + (s[length] != 0);
    }
}
