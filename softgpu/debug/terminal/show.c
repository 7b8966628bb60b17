/**
 * @file show.c
 * What is printed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/talk.h"
#include "debug/terminal/commands.h"

bool show_answer(json_t *answer)
{
    const char *error = talk_text(answer, "error", NULL);
    if (!error)
        return true;
    printf("%s\n", error);
    json_decref(answer);
    return false;
}

/* ---- Source ---- */

static const char *base_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

void show_source(const char *file, int line, int around, int mark)
{
    char *text = NULL;
    size_t room = 0;
    FILE *f = fopen(file, "r");
    int first = line - around, at = 0;
    if (!f) {
        printf("%s cannot be read here\n", file);
        return;
    }
    while (getline(&text, &room, f) > 0 && at < line + around)
        if (++at >= first)
            printf("%5d%c %s%s", at, around && at == mark ? '>' : ' ', text, strchr(text, '\n') ? "" : "\n");
    free(text);
    fclose(f);
}

void show_place(const json_t *place)
{
    const char *file = talk_text(place, "file", NULL);
    int line = (int)talk_number(place, "line", 0);
    if (!file || !line) {
        printf("PTX line %d: %s\n", (int)talk_number(place, "ptx", 0), talk_text(place, "text", ""));
        return;
    }
    printf("%s() at %s:%d\n", talk_text(place, "function", "?"), base_name(file), line);
    FILE *f = fopen(file, "r");
    if (f) {
        fclose(f);
        show_source(file, line, 0, line);
    }
}

/* ---- Threads ---- */

static void put_coordinates(char *out, size_t size, long long n, const json_t *shape)
{
    long long x = json_integer_value(json_array_get(shape, 0)), y = json_integer_value(json_array_get(shape, 1)),
              z = json_integer_value(json_array_get(shape, 2));
    if (x < 1 || y < 1 || (y == 1 && z <= 1))
        snprintf(out, size, "%lld", n);
    else
        snprintf(out, size, "(%lld,%lld,%lld)", n % x, n / x % y, n / x / y);
}

void show_thread_name(const json_t *run, long long block, long long thread, char *out, size_t size)
{
    char b[48], t[48];
    put_coordinates(b, sizeof b, block, json_object_get(run, "grid"));
    put_coordinates(t, sizeof t, thread, json_object_get(run, "shape"));
    snprintf(out, size, "block %s thread %s", b, t);
}

/** "0-31", "3, 5-7" of warp `w`. */
static void put_lanes(char *out, size_t size, unsigned long mask, long long warp)
{
    size_t n = 0;
    out[0] = '\0';
    for (int lane = 0; lane < 32 && n + 40 < size; lane++) {
        int end = lane;
        if (!(mask >> lane & 1))
            continue;
        while (end < 31 && (mask >> (end + 1) & 1))
            end++;
        n += (size_t)snprintf(out + n, size - n, end > lane ? "%s%lld-%lld" : "%s%lld", n ? ", " : "", warp * 32 + lane,
                              warp * 32 + end);
        lane = end;
    }
}

/** Do the two groups stand together? */
static bool together(const json_t *a, const json_t *b)
{
    return talk_number(a, "ptx", 0) == talk_number(b, "ptx", 0) && talk_number(a, "mask", 0) == talk_number(b, "mask", 0) &&
           !strcmp(talk_text(a, "state", ""), talk_text(b, "state", ""));
}

static void show_group(const struct terminal *t, const json_t *first, int more)
{
    char lanes[120];
    long long block = talk_number(first, "block", 0), warp = talk_number(first, "warp", 0);
    unsigned long mask = (unsigned long)talk_number(first, "mask", 0);
    const char *file = talk_text(first, "file", NULL);
    bool mine = block == t->session.block && warp == t->session.thread / 32 && (mask >> t->session.thread % 32 & 1);
    put_lanes(lanes, sizeof lanes, mask, warp);
    printf("%c block %lld threads %s", mine ? '*' : ' ', block, lanes);
    if (more)
        printf(" and %d more warps", more);
    if (file)
        printf("  %s:%lld", base_name(file), talk_number(first, "line", 0));
    printf("  %s\n", talk_text(first, "state", ""));
}

void show_threads(struct terminal *t)
{
    struct session *s = &t->session;
    json_t *question = session_question(s, "threads"), *wanted = json_array();
    json_array_append_new(wanted, json_integer(s->block));
    for (size_t i = 0; i < 2; i++) {
        json_t *b = json_array_get(json_object_get(json_object_get(t->finding, "trail"), "block"), i);
        if (b)
            json_array_append(wanted, b);
    }
    json_object_set_new(question, "wanted", wanted);
    json_t *m = session_ask(s, question);
    if (!show_answer(m))
        return;
    const json_t *groups = json_object_get(m, "groups"), *first = NULL;
    const json_t *run = json_object_get(m, "run");
    int more = 0;
    for (size_t i = 0; i <= json_array_size(groups); i++) {
        const json_t *g = json_array_get(groups, i);
        bool mine = g && talk_number(g, "block", 0) == s->block && talk_number(g, "warp", 0) == s->thread / 32;
        if (first && g && !mine && together(first, g)) {
            more++;
            continue;
        }
        if (first)
            show_group(t, first, more);
        first = g;
        more = 0;
    }
    printf("%s: %lld of %lld blocks have ended, %lld run, %lld have not begun\n", talk_text(run, "kernel", "no kernel runs"),
           talk_number(run, "finished", 0), talk_number(run, "blocks", 0), talk_number(m, "running", 0),
           talk_number(run, "blocks", 0) - talk_number(run, "finished", 0) - talk_number(m, "running", 0));
    json_decref(m);
}

/* ---- Stops ---- */

void show_displays(struct terminal *t)
{
    size_t i;
    json_t *text;
    json_array_foreach(t->displays, i, text) {
        json_t *question = session_question(&t->session, "evaluate");
        json_object_set(question, "text", text);
        json_t *m = session_ask(&t->session, question);
        printf("%zu: %s = %s\n", i + 1, json_string_value(text), talk_text(m, "value", talk_text(m, "error", "")));
        json_decref(m);
    }
}

void show_breakpoint(const json_t *b)
{
    long long id = talk_number(b, "id", 0), line = talk_number(b, "line", 0), at = talk_number(b, "at", line);
    if (talk_text(b, "message", NULL))
        printf("Breakpoint %lld waits: %s\n", id, talk_text(b, "message", ""));
    else if (talk_true(b, "stands") && at != line)
        printf("Breakpoint %lld stands on line %lld: line %lld has no code\n", id, at, line);
}

static void show_access(const json_t *a)
{
    const char *file = talk_text(a, "file", NULL);
    const json_t *b = json_object_get(a, "block"), *th = json_object_get(a, "thread");
    printf("  %s:%lld  %s", file ? base_name(file) : "?", talk_number(a, "line", 0), talk_text(a, "op", ""));
    if (b)
        printf(" by block %lld thread %lld", (long long)json_integer_value(json_array_get(b, 0)),
               (long long)json_integer_value(json_array_get(th, 0)));
    const json_t *value = json_object_get(a, "value");
    char *text = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    if (text)
        printf(", value %s", text);
    free(text);
    printf("\n");
}

void show_finding(const json_t *f)
{
    size_t i;
    json_t *a;
    if (!f) {
        printf("There has been no finding.\n");
        return;
    }
    printf("Finding: %s (%s): %s\n", talk_text(f, "kind", ""), talk_text(f, "level", ""), talk_text(f, "message", ""));
    json_array_foreach(json_object_get(f, "accesses"), i, a)
        show_access(a);
}

/** A watchpoint's number; 0: what a command has looked for. */
static void show_watch(const char *what, long long id)
{
    if (id)
        printf("%s of what is watched (%lld), ", what, id);
    else
        printf("%s of what is watched, ", what);
}

static void show_reason(struct terminal *t)
{
    const json_t *stop = t->session.stop;
    const char *why = talk_text(stop, "reason", ""), *text = talk_text(stop, "text", "");
    if (!strcmp(why, "breakpoint"))
        printf("Breakpoint %lld, %s%s", talk_number(stop, "id", 0), text, *text ? ", " : "");
    else if (!strcmp(why, "watch"))
        show_watch(text, talk_number(stop, "id", 0));
    else if (!strcmp(why, "launch"))
        printf("Launch of %s, ", talk_text(json_object_get(stop, "run"), "kernel", text));
    else if (!strcmp(why, "barrier") || !strcmp(why, "host"))
        printf("%s, ", text);
    else if (!strcmp(why, "step") && *text)
        printf("%s, ", text);
    else if (!strcmp(why, "pause"))
        printf("Interrupted, ");
    else if (!strcmp(why, "start"))
        printf("The first instruction of the first launch, ");
    else if (!strcmp(why, "edge"))
        printf("The end of this launch, ");
}

void show_stop(struct terminal *t)
{
    struct session *s = &t->session;
    const json_t *stop = s->stop, *run = json_object_get(stop, "run");
    const char *why = talk_text(stop, "reason", "");
    char name[120];
    if (!strcmp(why, "exited")) {
        printf("The program has ended with status %d. You can go back: rc, goto.\n", s->status);
        return;
    }
    if (!strcmp(why, "end")) {
        printf("The program is at its end, place %llu. You can go back: rc, goto.\n", (unsigned long long)s->at);
        return;
    }
    if (!strcmp(why, "lost")) {
        printf("The copy of the program that was looked at has ended.\n");
        return;
    }
    if (json_object_get(stop, "finding")) {
        json_decref(t->finding);
        t->finding = json_incref(json_object_get(stop, "finding"));
        show_finding(t->finding);
    }
    show_reason(t);
    if (!json_object_get(stop, "block")) {
        printf("the program on the host, place %llu\n", (unsigned long long)s->at);
        json_t *m = session_ask(s, session_question(s, "host"));
        const json_t *frame = json_array_get(json_object_get(m, "frames"), 0);
        if (frame)
            show_place(frame);
        json_decref(m);
        return;
    }
    show_thread_name(run, s->block, s->thread, name, sizeof name);
    const char *words = talk_text(run, "words", "");
    printf("%s%s%s, place %llu\n", name, *words ? ", " : "", words, (unsigned long long)s->at);
    json_t *m = session_ask(s, session_question(s, "stack"));
    if (!talk_text(m, "error", NULL))
        show_place(json_array_get(json_object_get(m, "frames"), 0));
    json_decref(m);
    show_displays(t);
}
