/**
 * @file inspect.c
 * Commands that look.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/talk.h"
#include "debug/terminal/commands.h"

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

static void show_type(struct terminal *t, const char *text, bool members)
{
    size_t i;
    json_t *part, *m = evaluate(t, text, "+");
    if (!show_answer(m))
        return;
    const json_t *parts = json_object_get(m, "children");
    bool whole = members && json_array_size(parts) && !strchr(talk_text(m, "type", ""), '[');
    printf("type = %s%s\n", talk_text(m, "type", ""), whole ? " {" : "");
    json_array_foreach(parts, i, part)
        if (whole)
            printf("    %s %s;\n", talk_text(part, "type", ""), talk_text(part, "name", ""));
    printf("%s", whole ? "}\n" : "");
    json_decref(m);
}

void do_type(struct terminal *t, const char *rest)
{
    show_type(t, rest, true);
}

void do_type_name(struct terminal *t, const char *rest)
{
    show_type(t, rest, false);
}

void do_display(struct terminal *t, const char *rest)
{
    if (*rest)
        json_array_append_new(t->displays, json_string(rest));
    show_displays(t);
}

void do_undisplay(struct terminal *t, const char *rest)
{
    int n = atoi(rest);
    if (!*rest)
        json_array_clear(t->displays);
    else if (n < 1 || json_array_remove(t->displays, (size_t)n - 1) != 0)
        printf("there is no display %s\n", rest);
}

void do_set(struct terminal *t, const char *rest)
{
    if (!strncmp(rest, "trace-commands ", 15))
        t->traces = !strcmp(rest + 15, "on");
    else
        printf("nothing can be changed: a place is a state, and whoever comes to it again finds the same\n");
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

static void info_variables(struct terminal *t, bool all)
{
    size_t i;
    json_t *v, *m = evaluate(t, "", "");
    if (!show_answer(m))
        return;
    json_t *list = json_object_get(m, "children");
    json_array_foreach(list, i, v)
        if (all || talk_true(v, "parameter"))
            printf("%s = %s\n", talk_text(v, "name", ""), talk_text(v, "value", ""));
    if (!json_array_size(list))
        printf("No variables by name: the kernel was compiled without -G. See: info registers\n");
    json_decref(m);
}

static void info_locals(struct terminal *t)
{
    info_variables(t, true);
}

static void info_args(struct terminal *t)
{
    info_variables(t, false);
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

static void info_frame(struct terminal *t)
{
    char name[120];
    const struct session *s = &t->session;
    const json_t *run = json_object_get(s->stop, "run");
    show_thread_name(run, s->block, s->thread, name, sizeof name);
    printf("%s of %s, place %llu, frame %d\n", name, talk_text(run, "kernel", "no kernel"), (unsigned long long)s->at, s->frame);
    do_stack(t, "");
}

void do_info(struct terminal *t, const char *rest)
{
    static const struct {
        const char *name;
        void (*show)(struct terminal *t);
    } topics[] = {{"threads", show_threads}, {"locals", info_locals},         {"args", info_args},
                  {"registers", info_registers}, {"breakpoints", info_breaks}, {"watchpoints", info_breaks},
                  {"buffers", info_buffers}, {"display", show_displays},      {"frame", info_frame},
                  {"run", info_run}};
    for (size_t i = 0; *rest && i < sizeof topics / sizeof topics[0]; i++)
        if (!strncmp(topics[i].name, rest, strlen(rest))) {
            topics[i].show(t);
            return;
        }
    printf("info " INFO_TOPICS "\n");
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

/** Where it stands, a line that is given, or what follows the last that was listed. */
void do_list(struct terminal *t, const char *rest)
{
    json_t *m = session_ask(&t->session, session_question(&t->session, "stack"));
    if (!show_answer(m))
        return;
    json_t *f = json_array_get(json_object_get(m, "frames"), (size_t)t->session.frame);
    const char *file = talk_text(f, "file", "");
    int line = (int)talk_number(f, "line", 0);
    if (*rest)
        t->listed = atoi(rest);
    else if (t->listed && t->listed_at == t->session.at)
        t->listed += 11;
    else
        t->listed = line;
    t->listed_at = t->session.at;
    show_source(file, t->listed, 5, line);
    json_decref(m);
}

void do_finding(struct terminal *t, const char *rest)
{
    (void)rest;
    show_finding(t->finding);
}
