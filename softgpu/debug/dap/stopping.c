/**
 * @file stopping.c
 * What to stop at, as the client sets it: always whole lists, which take the place of the ones before.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/dap/adapter.h"
#include "debug/talk.h"
#include "memory/windows.h"

/** The program runs: it stops for a moment to hear of the change. */
static void changed(struct adapter *a)
{
    if (!a->running)
        return;
    a->again = true;
    session_pause(&a->session);
}

/** Removes those of the list that are this file's (NULL: all that have no file). */
static void remove_of(json_t *list, const char *file)
{
    for (size_t i = json_array_size(list); i-- > 0;) {
        const char *own = talk_text(json_array_get(list, i), "file", NULL);
        if ((own == NULL) == (file == NULL) && (!own || !strcmp(own, file)))
            json_array_remove(list, i);
    }
}

static void copy_condition(json_t *to, const json_t *from)
{
    const char *condition = talk_text(from, "condition", "");
    if (*condition)
        json_object_set_new(to, "condition", json_string(condition));
}

/** As the protocol has it. */
static json_t *breakpoint(const json_t *b)
{
    bool stands = talk_true(b, "stands");
    long long asked = talk_number(b, "line", 0), line = stands ? talk_number(b, "at", asked) : asked;
    json_t *m = json_pack("{s:I,s:b}", "id", (json_int_t)talk_number(b, "id", 0), "verified", stands);
    char words[80];
    if (line)
        json_object_set_new(m, "line", json_integer((json_int_t)line));
    if (!stands)
        json_object_set_new(m, "message", json_string(talk_text(b, "message", "this waits for the program")));
    else if (line != asked) {
        snprintf(words, sizeof words, "line %lld has no code: this stands on line %lld", asked, line);
        json_object_set_new(m, "message", json_string(words));
    }
    return m;
}

void tell_breakpoint(struct session *s, const json_t *b)
{
    tell(s->self, "breakpoint", json_pack("{s:s,s:o}", "reason", "changed", "breakpoint", breakpoint(b)));
}

/** Those of the session's from the `first` on, in the order in which they were asked for. */
static json_t *breakpoints(struct adapter *a, size_t first)
{
    json_t *list = json_array();
    session_place(&a->session);
    for (size_t i = first; i < json_array_size(a->session.breaks); i++)
        json_array_append_new(list, breakpoint(json_array_get(a->session.breaks, i)));
    return list;
}

static void answer_list(struct adapter *a, struct reply *r, json_t *list)
{
    r->body = json_pack("{s:o}", "breakpoints", list);
    changed(a);
}

void on_set_breakpoints(struct adapter *a, const json_t *arguments, struct reply *r)
{
    const char *path = talk_text(json_object_get(arguments, "source"), "path", NULL);
    json_t *m;
    size_t i;
    if (!path) {
        fail_reply(r, "softgpu knows sources by their path");
        return;
    }
    remove_of(a->session.breaks, path);
    size_t first = json_array_size(a->session.breaks);
    json_array_foreach(json_object_get(arguments, "breakpoints"), i, m) {
        int line = (int)talk_number(m, "line", 0);
        json_t *b = json_pack("{s:i,s:s,s:i}", "id", a->next_id++, "file", path, "line", line);
        copy_condition(b, m);
        json_array_append_new(a->session.breaks, b);
    }
    answer_list(a, r, breakpoints(a, first));
}

void on_set_function_breakpoints(struct adapter *a, const json_t *arguments, struct reply *r)
{
    json_t *m;
    size_t i;
    remove_of(a->session.breaks, NULL);
    size_t first = json_array_size(a->session.breaks);
    json_array_foreach(json_object_get(arguments, "breakpoints"), i, m) {
        json_t *b = json_pack("{s:i,s:s}", "id", a->next_id++, "function", talk_text(m, "name", ""));
        copy_condition(b, m);
        json_array_append_new(a->session.breaks, b);
    }
    answer_list(a, r, breakpoints(a, first));
}

void on_set_exception_breakpoints(struct adapter *a, const json_t *arguments, struct reply *r)
{
    struct session *s = &a->session;
    json_t *m;
    size_t i;
    (void)r;
    s->findings = s->launches = s->barriers = s->host = false;
    json_array_foreach(json_object_get(arguments, "filters"), i, m) {
        const char *name = json_is_string(m) ? json_string_value(m) : "";
        s->findings |= !strcmp(name, "findings");
        s->launches |= !strcmp(name, "launches");
        s->barriers |= !strcmp(name, "barriers");
        s->host |= !strcmp(name, "host");
    }
    changed(a);
}

/** The expression behind a name in a list of variables. */
static const char *whole_name(const struct adapter *a, const json_t *arguments, char *out, size_t size)
{
    const char *name = talk_text(arguments, "name", "");
    long long n = talk_number(arguments, "variablesReference", 0);
    const struct handle *h = n > 0 && n <= a->handles.count ? &a->handles.data[n - 1] : NULL;
    if (h && h->kind == HANDLE_VALUE)
        snprintf(out, size, name[0] == '[' ? "(%s)%s" : "(%s).%s", h->expression, name);
    else
        snprintf(out, size, "%s", name);
    return out;
}

void on_data_breakpoint_info(struct adapter *a, const json_t *arguments, struct reply *r)
{
    char name[400];
    json_t *question = session_question(&a->session, "evaluate");
    json_object_set_new(question, "text", json_string(whole_name(a, arguments, name, sizeof name)));
    json_t *m = session_ask(&a->session, question);
    if (!talk_true(m, "placed")) {
        r->body = json_pack("{s:n,s:s}", "dataId", "description", talk_text(m, "error", "this lies in no memory"));
    } else {
        unsigned long long address = (unsigned long long)talk_number(m, "address", 0);
        uint64_t within = address;
        bool shared = generic_resolve(&within) == SPACE_SHARED;
        char id[128];
        snprintf(id, sizeof id, "%d %llu %lld %lld", shared, shared ? within % SHARED_WINDOW_BYTES : address, talk_number(m, "bytes", 4),
                 a->session.block);
        r->body = json_pack("{s:s,s:s,s:[s,s,s]}", "dataId", id, "description", name, "accessTypes", "write", "read",
                            "readWrite");
    }
    json_decref(m);
}

void on_set_data_breakpoints(struct adapter *a, const json_t *arguments, struct reply *r)
{
    json_t *list = json_array(), *m;
    size_t i;
    json_array_clear(a->session.watches);
    json_array_foreach(json_object_get(arguments, "breakpoints"), i, m) {
        int shared;
        unsigned long long address;
        long long bytes, owner;
        bool known = sscanf(talk_text(m, "dataId", ""), "%d %llu %lld %lld", &shared, &address, &bytes, &owner) == 4;
        const char *how = talk_text(m, "accessType", "write");
        if (known)
            json_array_append_new(a->session.watches,
                                  json_pack("{s:i,s:b,s:I,s:I,s:I,s:b,s:b}", "id", a->next_id, "shared", shared, "address",
                                            (json_int_t)address, "bytes", (json_int_t)bytes, "owner", (json_int_t)owner,
                                            "reads", strcmp(how, "write") != 0, "writes", strcmp(how, "read") != 0));
        json_array_append_new(list, json_pack("{s:i,s:b}", "id", a->next_id++, "verified", known));
    }
    answer_list(a, r, list);
}
