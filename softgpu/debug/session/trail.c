/**
 * @file trail.c
 * See trail.h.
 */
#include "debug/session/trail.h"

#include <stdio.h>
#include <string.h>

#include "debug/talk.h"
#include "memory/windows.h"

static json_int_t item(const json_t *trail, const char *key, size_t i)
{
    return json_integer_value(json_array_get(json_object_get(trail, key), i));
}

static bool is_there(const json_t *trail, const char **why)
{
    *why = trail ? NULL : "there has been no finding about two accesses of one launch";
    return trail != NULL;
}

/** What the finding is about, touched by anybody. */
static json_t *place(const json_t *trail, bool reads)
{
    return json_pack("{s:i,s:I,s:I,s:b,s:I,s:b,s:b}", "id", 0, "address", (json_int_t)talk_number(trail, "address", 0), "bytes",
                     (json_int_t)talk_number(trail, "bytes", 4), "shared", talk_true(trail, "shared"), "owner",
                     item(trail, "block", 0), "reads", reads, "writes", 1);
}

json_t *trail_other(const json_t *trail, const char **why)
{
    if (!is_there(trail, why))
        return NULL;
    json_t *watch = place(trail, true);
    json_object_set_new(watch, "block", json_integer(item(trail, "block", 0)));
    json_object_set_new(watch, "thread", json_integer(item(trail, "thread", 0)));
    json_object_set_new(watch, "site", json_integer(item(trail, "site", 0)));
    return watch;
}

json_t *trail_write(const json_t *trail, const char **why)
{
    return is_there(trail, why) ? place(trail, false) : NULL;
}

json_t *trail_signal(const json_t *trail, const char **why)
{
    if (!is_there(trail, why))
        return NULL;
    if (!talk_true(trail, "signalled")) {
        *why = "no signal is known: nothing that the second thread has read was written after the first access";
        return NULL;
    }
    return json_pack("{s:i,s:i,s:I,s:b,s:b,s:I,s:I}", "id", 0, "address", 0, "bytes", (json_int_t)INT64_MAX, "reads", 1,
                     "writes", 1, "site", (json_int_t)talk_number(trail, "signal", 0), "block", item(trail, "block", 0));
}

json_t *session_watch(struct session *s, const char *text, bool reads, bool writes)
{
    json_t *question = session_question(s, "evaluate"), *watch = NULL;
    json_object_set_new(question, "text", json_string(text));
    json_t *m = session_ask(s, question);
    const char *error = talk_text(m, "error", NULL);
    unsigned long long address = (unsigned long long)talk_number(m, "address", 0);
    uint64_t within = address;
    bool shared = generic_resolve(&within) == SPACE_SHARED;
    if (error)
        snprintf(s->error, sizeof s->error, "%s", error);
    else if (!talk_true(m, "placed"))
        snprintf(s->error, sizeof s->error, "\"%.80s\" lies in no memory", text);
    else
        watch = json_pack("{s:i,s:I,s:I,s:b,s:I,s:b,s:b,s:s}", "id", 0, "address",
                          (json_int_t)(shared ? within % SHARED_WINDOW_BYTES : address), "bytes",
                          (json_int_t)talk_number(m, "bytes", 4), "shared", shared, "owner", (json_int_t)s->block, "reads",
                          reads, "writes", writes, "text", text);
    json_decref(m);
    return watch;
}
