/**
 * @file moves.c
 * Commands that run the program, forwards or back.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/session/could_words.h"
#include "debug/session/trail.h"
#include "debug/talk.h"
#include "debug/terminal/commands.h"

/** Steps that one `until` takes, at most. */
#define UNTIL_MOST 100000

/** After a move: where it is, or why it is not. */
static void tell(struct terminal *t, bool moved)
{
    if (moved)
        breaks_settle(t);
    if (moved)
        show_stop(t);
    else
        printf("%s\n", t->session.error);
}

/** So many times, as gdb does it: until something else stops it. */
static int times(const char *rest)
{
    int n = atoi(rest);
    return n > 0 ? n : 1;
}

void do_run(struct terminal *t, const char *rest)
{
    (void)rest;
    bool ok = session_start(&t->session);
    if (ok && !t->session.exited)
        ok = session_continue(&t->session);
    tell(t, ok);
}

/** Up to the first launch. */
void do_start(struct terminal *t, const char *rest)
{
    bool before = t->session.launches;
    t->session.launches = true;
    do_run(t, rest);
    t->session.launches = before;
}

void do_advance(struct terminal *t, const char *rest)
{
    if (*rest)
        tell(t, breaks_advance(t, rest));
    else
        printf("advance LINE | FILE:LINE | FUNCTION: on until this thread comes there\n");
}

/** Of the frame that is stood in; 0: none. The function's name goes to `function`. */
static int line_here(struct terminal *t, char *function, size_t size)
{
    json_t *m = session_ask(&t->session, session_question(&t->session, "stack"));
    const json_t *f = json_array_get(json_object_get(m, "frames"), 0);
    int line = (int)talk_number(f, "line", 0);
    snprintf(function, size, "%s", talk_text(f, "function", ""));
    json_decref(m);
    return line;
}

/** A line further, and out of loops: not back to a line before. */
void do_until(struct terminal *t, const char *rest)
{
    char function[160], now[160];
    int begin = line_here(t, function, sizeof function);
    bool ok = true;
    if (*rest) {
        do_advance(t, rest);
        return;
    }
    for (int n = 0; ok && n < UNTIL_MOST; n++) {
        ok = session_step(&t->session, WAY_OVER);
        if (ok && (strcmp(talk_text(t->session.stop, "reason", ""), "step") || *talk_text(t->session.stop, "text", "")))
            break;
        int line = ok ? line_here(t, now, sizeof now) : 0;
        if (ok && (line > begin || strcmp(now, function)))
            break;
    }
    tell(t, ok);
}

static void repeat(struct terminal *t, const char *rest, bool (*move)(struct session *s, enum step_way way), enum step_way way)
{
    bool ok = true;
    for (int n = times(rest); ok && n > 0; n--) {
        ok = move(&t->session, way);
        if (ok && (strcmp(talk_text(t->session.stop, "reason", ""), "step") || *talk_text(t->session.stop, "text", "")))
            break;
    }
    tell(t, ok);
}

void do_continue(struct terminal *t, const char *rest)
{
    bool ok = true;
    for (int n = times(rest); ok && n > 0; n--)
        ok = session_continue(&t->session);
    tell(t, ok);
}

void do_back(struct terminal *t, const char *rest)
{
    bool ok = true;
    for (int n = times(rest); ok && n > 0; n--)
        ok = session_back(&t->session);
    tell(t, ok);
}

void do_step(struct terminal *t, const char *rest)
{
    repeat(t, rest, session_step, WAY_LINE);
}

void do_next(struct terminal *t, const char *rest)
{
    repeat(t, rest, session_step, WAY_OVER);
}

void do_stepi(struct terminal *t, const char *rest)
{
    repeat(t, rest, session_step, WAY_INSTRUCTION);
}

void do_finish(struct terminal *t, const char *rest)
{
    repeat(t, rest, session_step, WAY_OUT);
}

void do_step_back(struct terminal *t, const char *rest)
{
    repeat(t, rest, session_step_back, WAY_LINE);
}

void do_next_back(struct terminal *t, const char *rest)
{
    repeat(t, rest, session_step_back, WAY_OVER);
}

void do_stepi_back(struct terminal *t, const char *rest)
{
    repeat(t, rest, session_step_back, WAY_INSTRUCTION);
}

void do_finish_back(struct terminal *t, const char *rest)
{
    repeat(t, rest, session_step_back, WAY_OUT);
}

void do_goto(struct terminal *t, const char *rest)
{
    char *end;
    unsigned long long at = strtoull(rest, &end, 10);
    if (end == rest)
        printf("goto PLACE: a number, as each stop tells it\n");
    else
        tell(t, session_go(&t->session, at));
}

void do_could(struct terminal *t, const char *rest)
{
    (void)rest;
    json_t *m = session_could(&t->session);
    if (!show_answer(m))
        return;
    char *words = could_words(m);
    fputs(words, stdout);
    free(words);
    json_decref(m);
}

/* ---- From a value to its write ---- */

static void find_back(struct terminal *t, json_t *watch, const char *why)
{
    json_t *list = json_array();
    if (!watch) {
        printf("%s\n", why);
        json_decref(list);
        return;
    }
    json_array_append_new(list, watch);
    tell(t, session_find_back(&t->session, list));
}

void do_who(struct terminal *t, const char *rest)
{
    find_back(t, session_watch(&t->session, rest, false, true), t->session.error);
}

void do_other(struct terminal *t, const char *rest)
{
    const char *why;
    (void)rest;
    json_t *watch = trail_other(json_object_get(t->finding, "trail"), &why);
    find_back(t, watch, why);
}

void do_write_of(struct terminal *t, const char *rest)
{
    const char *why;
    (void)rest;
    json_t *watch = trail_write(json_object_get(t->finding, "trail"), &why);
    find_back(t, watch, why);
}

void do_signal_of(struct terminal *t, const char *rest)
{
    const char *why;
    (void)rest;
    json_t *watch = trail_signal(json_object_get(t->finding, "trail"), &why);
    find_back(t, watch, why);
}
