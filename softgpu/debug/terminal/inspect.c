/**
 * @file inspect.c
 * Commands that look, and those that say what to stop at.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/session/trail.h"
#include "debug/talk.h"
#include "debug/terminal/commands.h"

/* ---- What to stop at ---- */

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

void do_break(struct terminal *t, const char *rest)
{
    char place[256], word[16];
    long long number;
    int used = 0;
    if (sscanf(rest, "%255s%n", place, &used) != 1) {
        printf("break FILE:LINE | LINE | FUNCTION  [block N] [warp N] [thread N] [if CONDITION]\n");
        return;
    }
    json_t *b = json_pack("{s:i}", "id", t->next_id);
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
    printf("Breakpoint %d at %s\n", t->next_id++, place);
    session_place(&t->session);
    show_breakpoint(b);
}

static bool remove_id(json_t *list, int id)
{
    size_t i;
    json_t *m;
    json_array_foreach(list, i, m)
        if (talk_number(m, "id", 0) == id) {
            json_array_remove(list, i);
            return true;
        }
    return false;
}

void do_delete(struct terminal *t, const char *rest)
{
    int id = atoi(rest);
    if (!*rest) {
        json_array_clear(t->session.breaks);
        json_array_clear(t->session.watches);
    } else if (!remove_id(t->session.breaks, id) && !remove_id(t->session.watches, id)) {
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

/* ---- Values ---- */

static json_t *evaluate(struct terminal *t, const char *text, const char *format)
{
    json_t *question = session_question(&t->session, "evaluate");
    json_object_set_new(question, "text", json_string(text));
    json_object_set_new(question, "format", json_string(format));
    return session_ask(&t->session, question);
}

/** "/x" before the expression. */
static const char *take_format(const char *rest, char format[8])
{
    format[0] = '\0';
    if (*rest != '/')
        return rest;
    size_t n = strcspn(++rest, " ");
    snprintf(format, 8, "%.*s", (int)n, rest);
    return rest + n + strspn(rest + n, " ");
}

void do_print(struct terminal *t, const char *rest)
{
    char format[8];
    const char *text = take_format(rest, format);
    json_t *m = evaluate(t, *text ? text : "threadIdx", format);
    if (!show_answer(m))
        return;
    printf("%s = %s\n", *text ? text : "threadIdx", talk_text(m, "value", ""));
    json_decref(m);
}

void do_examine(struct terminal *t, const char *rest)
{
    char format[8], shown[2] = "";
    const char *text = take_format(rest, format);
    int count = atoi(format) > 0 ? atoi(format) : 8;
    shown[0] = format[strspn(format, "0123456789")];
    for (int i = 0; i < count && i < 256; i++) {
        char one[400];
        snprintf(one, sizeof one, "(%s)[%d]", text, i);
        json_t *m = evaluate(t, one, shown);
        if (!show_answer(m))
            return;
        printf("  %s", talk_text(m, "value", ""));
        if (i % 8 == 7 || i + 1 == count)
            printf("\n");
        json_decref(m);
    }
}

static void info_locals(struct terminal *t)
{
    size_t i;
    json_t *v, *m = evaluate(t, "", "");
    if (!show_answer(m))
        return;
    json_t *list = json_object_get(m, "children");
    json_array_foreach(list, i, v)
        printf("%s = %s\n", talk_text(v, "name", ""), talk_text(v, "value", ""));
    if (!json_array_size(list))
        printf("No variables by name: the kernel was compiled without -G. See: info registers\n");
    json_decref(m);
}

static void info_registers(struct terminal *t)
{
    size_t i;
    json_t *r, *m = session_ask(&t->session, session_question(&t->session, "registers"));
    if (!show_answer(m))
        return;
    json_array_foreach(json_object_get(m, "registers"), i, r) {
        long long v = talk_number(r, "value", 0);
        const char *type = talk_text(r, "type", "");
        float f;
        unsigned low = (unsigned)v;
        memcpy(&f, &low, sizeof f);
        if (!strcmp(type, "f32"))
            printf("%-8s %-5s %.9g\n", talk_text(r, "name", ""), type, (double)f);
        else
            printf("%-8s %-5s 0x%llx %lld\n", talk_text(r, "name", ""), type, (unsigned long long)v,
                   strcmp(type, "b32") && strcmp(type, "s32") ? v : (long long)(int)v);
    }
    json_decref(m);
}

static void info_buffers(struct terminal *t)
{
    size_t i;
    json_t *b, *m = session_ask(&t->session, session_question(&t->session, "buffers"));
    if (!show_answer(m))
        return;
    json_array_foreach(json_object_get(m, "buffers"), i, b)
        printf("%-20s %-9s %8lld bytes at 0x%llx\n", talk_text(b, "name", ""), talk_text(b, "kind", ""),
               talk_number(b, "bytes", 0), (unsigned long long)talk_number(b, "address", 0));
    json_decref(m);
}

static void info_breaks(struct terminal *t)
{
    size_t i;
    json_t *b;
    json_array_foreach(t->session.breaks, i, b) {
        printf("%lld  ", talk_number(b, "id", 0));
        if (json_object_get(b, "file"))
            printf("%s:%lld", talk_text(b, "file", ""), talk_number(b, "line", 0));
        else
            printf("%s", talk_text(b, "function", ""));
        printf("%s%s\n", json_object_get(b, "condition") ? " if " : "", talk_text(b, "condition", ""));
        show_breakpoint(b);
    }
    json_array_foreach(t->session.watches, i, b)
        printf("%lld  %s%s of %s\n", talk_number(b, "id", 0), talk_true(b, "reads") ? "reads" : "",
               talk_true(b, "writes") ? talk_true(b, "reads") ? " and writes" : "writes" : "", talk_text(b, "text", ""));
}

static void info_run(struct terminal *t)
{
    const struct session *s = &t->session;
    json_t *m = session_ask(&t->session, session_question(s, "digest"));
    printf("place %llu of %llu so far; %d copies to go back to (at most %d, and %llu MiB)\n", (unsigned long long)s->at,
           (unsigned long long)s->frontier, s->copies.count, COPIES_MOST, COPIES_BYTES >> 20);
    if (json_object_get(m, "digest"))
        printf("state %llx\n", (unsigned long long)talk_number(m, "digest", 0));
    json_decref(m);
}

void do_info(struct terminal *t, const char *rest)
{
    static const struct {
        const char *name;
        void (*show)(struct terminal *t);
    } topics[] = {{"threads", show_threads},    {"locals", info_locals},     {"registers", info_registers},
                  {"buffers", info_buffers},    {"breakpoints", info_breaks}, {"run", info_run}};
    for (size_t i = 0; *rest && i < sizeof topics / sizeof topics[0]; i++)
        if (!strncmp(topics[i].name, rest, strlen(rest))) {
            topics[i].show(t);
            return;
        }
    printf("info threads | locals | registers | buffers | breakpoints | run\n");
}

/* ---- Where ---- */

void do_stack(struct terminal *t, const char *rest)
{
    size_t i;
    bool host = !json_object_get(t->session.stop, "block");
    json_t *f, *m = session_ask(&t->session, session_question(&t->session, host ? "host" : "stack"));
    (void)rest;
    if (!show_answer(m))
        return;
    json_array_foreach(json_object_get(m, "frames"), i, f) {
        const char *file = talk_text(f, "file", "?"), *slash = strrchr(file, '/');
        printf("%c%zu  %s() at %s:%lld\n", (int)i == t->session.frame ? '*' : ' ', i, talk_text(f, "function", ""),
               slash ? slash + 1 : file, talk_number(f, "line", 0));
    }
    json_decref(m);
}

void do_frame(struct terminal *t, const char *rest)
{
    int wanted = atoi(rest);
    json_t *m = session_ask(&t->session, session_question(&t->session, "stack"));
    if (!show_answer(m))
        return;
    json_t *f = wanted >= 0 ? json_array_get(json_object_get(m, "frames"), (size_t)wanted) : NULL;
    if (f) {
        t->session.frame = wanted;
        show_place(f);
    } else {
        printf("there is no frame %d\n", wanted);
    }
    json_decref(m);
}

static void move_frame(struct terminal *t, int by)
{
    char number[16];
    snprintf(number, sizeof number, "%d", t->session.frame + by);
    do_frame(t, number);
}

void do_up(struct terminal *t, const char *rest)
{
    (void)rest;
    move_frame(t, 1);
}

void do_down(struct terminal *t, const char *rest)
{
    (void)rest;
    move_frame(t, -1);
}

void do_thread(struct terminal *t, const char *rest)
{
    long long block, thread;
    if (sscanf(rest, " block %lld thread %lld", &block, &thread) == 2 || sscanf(rest, "%lld %lld", &block, &thread) == 2 ||
        sscanf(rest, "%lld,%lld", &block, &thread) == 2) {
        t->session.block = block;
        t->session.thread = thread;
    } else if (*rest) {
        printf("thread BLOCK THREAD: by their numbers, x counted first\n");
        return;
    }
    t->session.frame = 0;
    do_frame(t, "0");
}

void do_list(struct terminal *t, const char *rest)
{
    json_t *m = session_ask(&t->session, session_question(&t->session, "stack"));
    if (!show_answer(m))
        return;
    json_t *f = json_array_get(json_object_get(m, "frames"), (size_t)t->session.frame);
    int line = *rest ? atoi(rest) : (int)talk_number(f, "line", 0);
    show_source(talk_text(f, "file", ""), line, 5);
    json_decref(m);
}

void do_finding(struct terminal *t, const char *rest)
{
    (void)rest;
    show_finding(t->finding);
}
