/**
 * @file starting.c
 * The beginning and the end of a session.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug/dap/adapter.h"
#include "debug/talk.h"

void on_initialize(struct adapter *a, const json_t *arguments, struct reply *r)
{
    static const char *const can[] = {"supportsConfigurationDoneRequest", "supportsFunctionBreakpoints",
                                      "supportsConditionalBreakpoints", "supportsEvaluateForHovers", "supportsStepBack",
                                      "supportsExceptionInfoRequest", "supportsTerminateRequest", "supportsDataBreakpoints",
                                      "supportsReadMemoryRequest", "supportTerminateDebuggee"};
    static const char *const filters[][3] = {{"findings", "Findings", "stop where softgpu finds something"},
                                             {"launches", "Launches", "stop where a kernel's run begins"},
                                             {"barriers", "Barriers", "stop where threads come to a block's barrier"},
                                             {"host", "Host operations", "stop at copies and other operations of streams"}};
    (void)a, (void)arguments;
    r->body = json_object();
    for (size_t i = 0; i < sizeof can / sizeof can[0]; i++)
        json_object_set_new(r->body, can[i], json_true());
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++)
        json_array_append_new(list, json_pack("{s:s,s:s,s:s,s:b}", "filter", filters[i][0], "label", filters[i][1],
                                              "description", filters[i][2], "default", i == 0));
    json_object_set_new(r->body, "exceptionBreakpointFilters", list);
}

/** What the client wants to run, else what the command line names. */
static bool take_program(struct adapter *a, const json_t *arguments, struct reply *r)
{
    const char *program = talk_text(arguments, "program", NULL);
    const json_t *list = json_object_get(arguments, "args");
    size_t n = json_array_size(list);
    if (!program) {
        if (!a->program[0])
            fail_reply(r, "launch needs \"program\"");
        return a->program[0] != NULL;
    }
    a->started = calloc(n + 2, sizeof *a->started);
    if (!a->started)
        abort();
    a->started[0] = strdup(program);
    for (size_t i = 0; i < n; i++) {
        const json_t *one = json_array_get(list, i);
        if (!json_is_string(one)) {
            fail_reply(r, "\"args\" is to be a list of strings");
            return false;
        }
        a->started[i + 1] = strdup(json_string_value(one));
    }
    a->session.program = a->started;
    return true;
}

/** softgpu's options, by the names of its command line. */
static void take_options(const json_t *arguments)
{
    static const char *const names[][2] = {{"seed", "SOFTGPU_SEED"}, {"schedules", "SOFTGPU_SCHEDULES"},
                                           {"device", "SOFTGPU_DEVICE"}, {"json", "SOFTGPU_JSON"}};
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)json_object_get(arguments, "env"), key, value)
        if (json_is_string(value))
            setenv(key, json_string_value(value), 1);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char number[32];
        value = json_object_get(arguments, names[i][0]);
        snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
        if (json_is_string(value) || json_is_integer(value))
            setenv(names[i][1], json_is_string(value) ? json_string_value(value) : number, 1);
    }
}

static bool begin(struct adapter *a)
{
    struct session *s = &a->session;
    bool launches = s->launches;
    s->launches |= a->stop_on_entry;
    bool ok = session_start(s);
    int *ours[] = {&s->output, &s->errors};
    for (int i = 0; i < 2; i++) { /* so that its pipes end with it */
        close(*ours[i]);
        *ours[i] = -1;
    }
    ok = ok && (s->exited || session_continue(s));
    s->launches = launches;
    return ok;
}

void on_launch(struct adapter *a, const json_t *arguments, struct reply *r)
{
    const char *folder = talk_text(arguments, "cwd", NULL);
    if (a->launched) {
        fail_reply(r, "one program a session");
        return;
    }
    if (!take_program(a, arguments, r))
        return;
    if (a->started)
        take_options(arguments); /* else they are the command line's, as the program is */
    a->session.folder = folder ? strdup(folder) : NULL;
    a->stop_on_entry = talk_true(arguments, "stopOnEntry");
    a->stop_at_end = talk_true(arguments, "stopAtEnd");
    a->launched = true;
    if (a->configured)
        r->move = begin;
}

void on_configuration_done(struct adapter *a, const json_t *arguments, struct reply *r)
{
    (void)arguments;
    a->configured = true;
    if (a->launched)
        r->move = begin;
}

void on_terminate(struct adapter *a, const json_t *arguments, struct reply *r)
{
    (void)arguments, (void)r;
    a->over = true;
}

void on_disconnect(struct adapter *a, const json_t *arguments, struct reply *r)
{
    (void)arguments, (void)r;
    a->over = true;
}
