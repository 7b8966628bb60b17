/**
 * @file moves.c
 * Commands that run the program, forwards or back.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/talk.h"
#include "debug/terminal/commands.h"

/** After a move: where it is, or why it is not. */
static void tell(struct terminal *t, bool moved)
{
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

static void repeat(struct terminal *t, const char *rest, bool (*move)(struct session *s, enum step_way way), enum step_way way)
{
    bool ok = true;
    for (int n = times(rest); ok && n > 0; n--) {
        ok = move(&t->session, way);
        if (ok && strcmp(talk_text(t->session.stop, "reason", ""), "step"))
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

/* ---- From a value to its write ---- */

static json_t *watches_of(json_t *one)
{
    json_t *list = json_array();
    json_array_append_new(list, one);
    return list;
}

void do_who(struct terminal *t, const char *rest)
{
    json_t *watch = watch_on(t, rest, false, true);
    if (watch)
        tell(t, session_find_back(&t->session, watches_of(watch)));
}

/** The last finding's trail; NULL after a message. */
static const json_t *trail(const struct terminal *t)
{
    const json_t *trail = json_object_get(t->finding, "trail");
    if (!trail)
        printf(t->finding ? "This finding has no second access in the launch.\n" : "There has been no finding.\n");
    return trail;
}

static long long item(const json_t *trail, const char *key, size_t i)
{
    return (long long)json_integer_value(json_array_get(json_object_get(trail, key), i));
}

/** What the finding is about, touched by anybody. */
static json_t *watch_place(const json_t *trail, bool reads, bool writes)
{
    return json_pack("{s:i,s:I,s:I,s:b,s:I,s:b,s:b}", "id", 0, "address", (json_int_t)talk_number(trail, "address", 0), "bytes",
                     (json_int_t)talk_number(trail, "bytes", 4), "shared", talk_true(trail, "shared"), "owner",
                     (json_int_t)item(trail, "block", 0), "reads", reads, "writes", writes);
}

void do_other(struct terminal *t, const char *rest)
{
    const json_t *where = trail(t);
    (void)rest;
    if (!where)
        return;
    /* From the later access to the earlier one, which is the first. */
    json_t *watch = watch_place(where, true, true);
    json_object_set_new(watch, "block", json_integer(item(where, "block", 0)));
    json_object_set_new(watch, "thread", json_integer(item(where, "thread", 0)));
    json_object_set_new(watch, "site", json_integer(item(where, "site", 0)));
    tell(t, session_find_back(&t->session, watches_of(watch)));
}

void do_write_of(struct terminal *t, const char *rest)
{
    const json_t *where = trail(t);
    (void)rest;
    if (where)
        tell(t, session_find_back(&t->session, watches_of(watch_place(where, false, true))));
}

void do_signal_of(struct terminal *t, const char *rest)
{
    const json_t *where = trail(t);
    (void)rest;
    if (!where)
        return;
    long long site = talk_number(where, "signal", 0);
    if (!site) {
        printf("No signal is known: nothing that this thread has read was written after the other access.\n");
        return;
    }
    json_t *watch = json_pack("{s:i,s:i,s:I,s:b,s:b,s:I,s:I}", "id", 0, "address", 0, "bytes", (json_int_t)INT64_MAX, "reads", 1,
                              "writes", 1, "site", (json_int_t)site, "block", (json_int_t)item(where, "block", 0));
    tell(t, session_find_back(&t->session, watches_of(watch)));
}
