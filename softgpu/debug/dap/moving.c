/**
 * @file moving.c
 * Requests that run the program; the answer comes first, the stop is an event.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/dap/adapter.h"
#include "debug/session/could_words.h"
#include "debug/session/trail.h"
#include "debug/talk.h"

/** Looks at the thread that the client names. */
static void look_at_thread(struct adapter *a, const json_t *arguments)
{
    struct session *s = &a->session;
    long long n = talk_number(arguments, "threadId", 0) - FIRST_THREAD;
    const json_t *shape = json_object_get(json_object_get(s->stop, "run"), "shape");
    long long threads = 1;
    for (size_t i = 0; i < 3 && shape; i++)
        threads *= json_integer_value(json_array_get(shape, i));
    if (n < 0 || !shape || threads < 1)
        return;
    s->block = n / threads;
    s->thread = n % threads;
    s->frame = 0;
}

static bool go_on(struct adapter *a)
{
    return session_continue(&a->session);
}

static bool go_back(struct adapter *a)
{
    return session_back(&a->session);
}

static bool over(struct adapter *a)
{
    return session_step(&a->session, WAY_OVER);
}

static bool into(struct adapter *a)
{
    return session_step(&a->session, WAY_LINE);
}

static bool out(struct adapter *a)
{
    return session_step(&a->session, WAY_OUT);
}

static bool instruction(struct adapter *a)
{
    return session_step(&a->session, WAY_INSTRUCTION);
}

static bool over_back(struct adapter *a)
{
    return session_step_back(&a->session, WAY_OVER);
}

static bool instruction_back(struct adapter *a)
{
    return session_step_back(&a->session, WAY_INSTRUCTION);
}

static bool by_instruction(const json_t *arguments)
{
    return !strcmp(talk_text(arguments, "granularity", ""), "instruction");
}

void on_continue(struct adapter *a, const json_t *arguments, struct reply *r)
{
    look_at_thread(a, arguments);
    r->body = json_pack("{s:b}", "allThreadsContinued", 1);
    r->move = go_on;
}

void on_reverse_continue(struct adapter *a, const json_t *arguments, struct reply *r)
{
    look_at_thread(a, arguments);
    r->move = go_back;
}

void on_next(struct adapter *a, const json_t *arguments, struct reply *r)
{
    look_at_thread(a, arguments);
    r->move = by_instruction(arguments) ? instruction : over;
}

void on_step_in(struct adapter *a, const json_t *arguments, struct reply *r)
{
    look_at_thread(a, arguments);
    r->move = by_instruction(arguments) ? instruction : into;
}

void on_step_out(struct adapter *a, const json_t *arguments, struct reply *r)
{
    look_at_thread(a, arguments);
    r->move = out;
}

void on_step_back(struct adapter *a, const json_t *arguments, struct reply *r)
{
    look_at_thread(a, arguments);
    r->move = by_instruction(arguments) ? instruction_back : over_back;
}

void on_pause(struct adapter *a, const json_t *arguments, struct reply *r)
{
    (void)arguments;
    if (a->running)
        session_pause(&a->session);
    else
        fail_reply(r, "the program stands already");
}

/* ---- What the console can ask besides expressions ---- */

static json_t *asked;    /**< the watches, or the place, of the command that is to be done */

static bool find_back(struct adapter *a)
{
    json_t *watches = asked;
    asked = NULL;
    return session_find_back(&a->session, watches);
}

static bool go_to(struct adapter *a)
{
    uint64_t at = (uint64_t)json_integer_value(asked);
    json_decref(asked);
    asked = NULL;
    return session_go(&a->session, at);
}

/** What the thread's next load may return. */
static void say_could(struct adapter *a, struct reply *r)
{
    json_t *m = session_could(&a->session);
    const char *error = talk_text(m, "error", NULL);
    char *words = error ? NULL : could_words(m);
    if (error)
        fail_reply(r, "%s", error);
    else
        r->body = json_pack("{s:s,s:i}", "result", words, "variablesReference", 0);
    free(words);
    json_decref(m);
}

bool on_console(struct adapter *a, const char *text, struct reply *r)
{
    const json_t *trail = json_object_get(a->finding, "trail");
    const char *why = NULL;
    unsigned long long place;
    json_decref(asked);
    asked = NULL;
    if (!strcmp(text, "could")) {
        say_could(a, r);
        return true;
    }
    if (!strncmp(text, "who ", 4))
        asked = session_watch(&a->session, text + 4, false, true);
    else if (!strcmp(text, "other"))
        asked = trail_other(trail, &why);
    else if (!strcmp(text, "write"))
        asked = trail_write(trail, &why);
    else if (!strcmp(text, "signal"))
        asked = trail_signal(trail, &why);
    else if (sscanf(text, "goto %llu", &place) == 1)
        asked = json_integer((json_int_t)place);
    else
        return false;
    if (!asked)
        fail_reply(r, "%s", why ? why : a->session.error);
    else if (json_is_integer(asked))
        r->move = go_to;
    else {
        json_t *list = json_array();
        json_array_append_new(list, asked);
        asked = list;
        r->move = find_back;
    }
    r->body = asked ? json_pack("{s:s,s:i}", "result", "", "variablesReference", 0) : NULL;
    return true;
}

/** The commands that go somewhere from a finding, as requests of their own. */
static void go_from_finding(struct adapter *a, const char *where, struct reply *r)
{
    on_console(a, where, r);
    json_decref(r->body);
    r->body = NULL;
}

void on_other_access(struct adapter *a, const json_t *arguments, struct reply *r)
{
    (void)arguments;
    go_from_finding(a, "other", r);
}

void on_last_write(struct adapter *a, const json_t *arguments, struct reply *r)
{
    (void)arguments;
    go_from_finding(a, "write", r);
}

void on_signal(struct adapter *a, const json_t *arguments, struct reply *r)
{
    (void)arguments;
    go_from_finding(a, "signal", r);
}

/** In words, for a reader of the model: see could_words.h. */
void on_could_read(struct adapter *a, const json_t *arguments, struct reply *r)
{
    look_at_thread(a, arguments);
    say_could(a, r);
}

/* ---- Stops ---- */

/** What a program has printed is in its pipes when it ends: looks for the rest, and how long each takes at most. */
#define REST_LOOKS 1000
#define REST_MS 20

static json_t *stop_event(struct adapter *a, const char *why)
{
    const json_t *stop = a->session.stop, *finding = json_object_get(stop, "finding");
    const char *shown = finding                      ? "exception"
                        : !strcmp(why, "watch")      ? "data breakpoint"
                        : !strcmp(why, "breakpoint") ? "breakpoint"
                        : !strcmp(why, "there")      ? "goto"
                        : !strcmp(why, "launch") || !strcmp(why, "start") ? "entry"
                        : !strcmp(why, "pause")      ? "pause"
                                                     : "step";
    json_t *m = json_pack("{s:s,s:I,s:b}", "reason", shown, "threadId", (json_int_t)thread_number(a), "allThreadsStopped", 1);
    char words[300];
    if (finding) {
        json_object_set(m, "text", json_object_get(finding, "message"));
        json_object_set_new(m, "description", json_string(talk_text(finding, "kind", "finding")));
    } else {
        const char *text = talk_text(stop, "text", "");
        const char *run = talk_text(json_object_get(stop, "run"), "words", "before the first launch");
        snprintf(words, sizeof words, "%s%splace %llu%s%s", text, *text ? ", " : "", (unsigned long long)a->session.at,
                 *run ? ", " : "", run);
        json_object_set_new(m, "description", json_string(words));
    }
    if (!strcmp(why, "breakpoint") || !strcmp(why, "watch"))
        json_object_set_new(m, "hitBreakpointIds", json_pack("[I]", (json_int_t)talk_number(stop, "id", 0)));
    return m;
}

void tell_stop(struct adapter *a)
{
    struct session *s = &a->session;
    const char *why = talk_text(s->stop, "reason", "exited");
    if (!strcmp(why, "end") && !a->stop_at_end && s->copy < 0) {
        a->running = true;
        bool ok = session_continue(s);
        a->running = false;
        if (a->over)
            return;
        why = ok ? talk_text(s->stop, "reason", "exited") : "exited";
    }
    if (!strcmp(why, "exited") || !strcmp(why, "lost") || !s->stop) {
        a->running = true;
        for (int i = 0; i < REST_LOOKS && (a->pipes[0] >= 0 || a->pipes[1] >= 0) && adapter_hear(a, REST_MS); i++)
            ;
        a->running = false;
        if (a->over)
            return;
        tell(a, "exited", json_pack("{s:i}", "exitCode", s->status));
        tell(a, "terminated", NULL);
        return;
    }
    if (json_object_get(s->stop, "finding")) {
        json_decref(a->finding);
        a->finding = json_incref(json_object_get(s->stop, "finding"));
    }
    tell(a, "stopped", stop_event(a, why));
}
