/**
 * @file breaks.c
 * Commands that say what to stop at.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/session/trail.h"
#include "debug/talk.h"
#include "debug/terminal/commands.h"

/** "kernel.cu:41" or "41" in the file that is looked at, else a function. */
static void read_place(struct terminal *t, json_t *b, const char *place)
{
    const char *colon = strrchr(place, ':');
    const char *digits = colon ? colon + 1 : place;
    bool line = *digits && strspn(digits, "0123456789") == strlen(digits);
    if (line && colon) {
        json_object_set_new(b, "file", json_stringn(place, (size_t)(colon - place)));
        json_object_set_new(b, "line", json_integer(atoi(digits)));
    } else if (line) {
        json_t *m = session_ask(&t->session, session_question(&t->session, "stack"));
        const char *file = talk_text(json_array_get(json_object_get(m, "frames"), 0), "file", "");
        json_object_set_new(b, "file", json_string(file));
        json_object_set_new(b, "line", json_integer(atoi(digits)));
        json_decref(m);
    } else {
        json_object_set_new(b, "function", json_string(place));
    }
}

static void add_break(struct terminal *t, const char *rest, bool once)
{
    char place[256], word[16];
    long long number;
    int used = 0;
    if (sscanf(rest, "%255s%n", place, &used) != 1) {
        printf("break FILE:LINE | LINE | FUNCTION  [block N] [warp N] [thread N] [if CONDITION]\n");
        return;
    }
    json_t *b = json_pack("{s:i,s:b}", "id", t->next_id, "once", once);
    read_place(t, b, place);
    for (rest += used; sscanf(rest, " %15[a-z] %lld%n", word, &number, &used) == 2; rest += used)
        if (strcmp(word, "block") && strcmp(word, "warp") && strcmp(word, "thread"))
            break;
        else
            json_object_set_new(b, word, json_integer(number));
    rest += strspn(rest, " ,");
    if (!strncmp(rest, "if ", 3))
        json_object_set_new(b, "condition", json_string(rest + 3));
    else if (*rest) {
        printf("not understood: %s\n", rest);
        json_decref(b);
        return;
    }
    json_array_append_new(t->session.breaks, b);
    printf("%s %d at %s\n", once ? "Temporary breakpoint" : "Breakpoint", t->next_id++, place);
    session_place(&t->session);
    show_breakpoint(b);
}

void do_break(struct terminal *t, const char *rest)
{
    add_break(t, rest, false);
}

void do_tbreak(struct terminal *t, const char *rest)
{
    add_break(t, rest, true);
}

static size_t find_id(const json_t *list, int id)
{
    size_t i = 0;
    while (i < json_array_size(list) && talk_number(json_array_get(list, i), "id", 0) != id)
        i++;
    return i;
}

static bool remove_id(json_t *list, int id)
{
    return json_array_remove(list, find_id(list, id)) == 0;
}

bool breaks_advance(struct terminal *t, const char *place)
{
    struct session *s = &t->session;
    int id = t->next_id++;
    json_t *b = json_pack("{s:i,s:I,s:I}", "id", id, "block", (json_int_t)s->block, "thread", (json_int_t)s->thread);
    read_place(t, b, place);
    json_array_append_new(s->breaks, b);
    bool ok = session_continue(s);
    if (ok && s->stop && talk_number(s->stop, "id", 0) == id)
        json_object_set_new(s->stop, "reason", json_string("step"));
    remove_id(s->breaks, id);
    return ok;
}

void breaks_settle(struct terminal *t)
{
    struct session *s = &t->session;
    size_t i = find_id(s->breaks, (int)talk_number(s->stop, "id", 0));
    if (!strcmp(talk_text(s->stop, "reason", ""), "breakpoint") && talk_true(json_array_get(s->breaks, i), "once"))
        json_array_remove(s->breaks, i);
}

/** From one list to the other: breakpoint `rest`, or all. */
static void move_breaks(json_t *from, json_t *to, const char *rest)
{
    size_t i = find_id(from, atoi(rest));
    if (!*rest) {
        json_array_extend(to, from);
        json_array_clear(from);
    } else if (i < json_array_size(from)) {
        json_array_append(to, json_array_get(from, i));
        json_array_remove(from, i);
    } else {
        printf("there is no such breakpoint: %s\n", rest);
    }
}

void do_disable(struct terminal *t, const char *rest)
{
    move_breaks(t->session.breaks, t->off, rest);
}

void do_enable(struct terminal *t, const char *rest)
{
    move_breaks(t->off, t->session.breaks, rest);
    session_place(&t->session);
}

void do_condition(struct terminal *t, const char *rest)
{
    int used = 0, id;
    json_t *b = NULL;
    if (sscanf(rest, "%d %n", &id, &used) == 1)
        b = json_array_get(t->session.breaks, find_id(t->session.breaks, id));
    if (!b)
        printf("condition N [EXPRESSION]: N is a breakpoint's number\n");
    else if (rest[used])
        json_object_set_new(b, "condition", json_string(rest + used));
    else
        json_object_del(b, "condition");
}

void do_delete(struct terminal *t, const char *rest)
{
    int id = atoi(rest);
    if (!*rest) {
        json_array_clear(t->session.breaks);
        json_array_clear(t->off);
        json_array_clear(t->session.watches);
    } else if (!remove_id(t->session.breaks, id) && !remove_id(t->session.watches, id) && !remove_id(t->off, id)) {
        printf("there is no breakpoint %s\n", rest);
    }
}

static void add_watch(struct terminal *t, const char *text, bool reads, bool writes)
{
    json_t *watch = session_watch(&t->session, text, reads, writes);
    if (!watch) {
        printf("%s\n", t->session.error);
        return;
    }
    json_object_set_new(watch, "id", json_integer(t->next_id));
    json_array_append_new(t->session.watches, watch);
    printf("Watchpoint %d: %s\n", t->next_id++, text);
}

void do_watch(struct terminal *t, const char *rest)
{
    add_watch(t, rest, false, true);
}

void do_rwatch(struct terminal *t, const char *rest)
{
    add_watch(t, rest, true, false);
}

void do_awatch(struct terminal *t, const char *rest)
{
    add_watch(t, rest, true, true);
}

void do_catch(struct terminal *t, const char *rest)
{
    struct session *s = &t->session;
    bool on = strncmp(rest, "no ", 3) != 0;
    const char *what = on ? rest : rest + 3;
    bool *flag = !strcmp(what, "findings")   ? &s->findings
                 : !strcmp(what, "launches") ? &s->launches
                 : !strcmp(what, "barriers") ? &s->barriers
                 : !strcmp(what, "host")     ? &s->host
                                             : NULL;
    if (flag)
        *flag = on;
    else
        printf("catch [no] findings | launches | barriers | host\n");
}

static void tell_break(const json_t *b, const char *state)
{
    static const char *const words[] = {"block", "warp", "thread"};
    printf("%lld  ", talk_number(b, "id", 0));
    if (json_object_get(b, "file"))
        printf("%s:%lld", talk_text(b, "file", ""), talk_number(b, "line", 0));
    else
        printf("%s", talk_text(b, "function", ""));
    for (int i = 0; i < 3; i++)
        if (json_object_get(b, words[i]))
            printf(" %s %lld", words[i], talk_number(b, words[i], 0));
    printf("%s%s%s\n", json_object_get(b, "condition") ? " if " : "", talk_text(b, "condition", ""), state);
}

void info_breaks(struct terminal *t)
{
    size_t i;
    json_t *b;
    json_array_foreach(t->session.breaks, i, b) {
        tell_break(b, talk_true(b, "once") ? " (once)" : "");
        show_breakpoint(b);
    }
    json_array_foreach(t->off, i, b)
        tell_break(b, " (disabled)");
    json_array_foreach(t->session.watches, i, b)
        printf("%lld  %s%s of %s\n", talk_number(b, "id", 0), talk_true(b, "reads") ? "reads" : "",
               talk_true(b, "writes") ? talk_true(b, "reads") ? " and writes" : "writes" : "", talk_text(b, "text", ""));
}
