/**
 * @file ahead.c
 * What a load could return, of later writes too: a copy from before is run up to the present place, and on to the launch's end.
 */
#include <string.h>
#include <unistd.h>

#include "debug/session/session.h"
#include "debug/talk.h"

/** Runs on from the present place in the process at `fd`, which has been made of a copy; `order`, which it takes over, leads there.
 *  @return the stop; NULL with `why` */
static json_t *look(struct session *s, int fd, json_t *order, const char **why)
{
    json_t *there = session_run(s, fd, order);
    bool arrived = !strcmp(talk_text(there, "reason", ""), "there") && (uint64_t)talk_number(there, "at", 0) == s->at;
    json_decref(there);
    *why = s->interrupted ? "interrupted" : "the program's copy did not come to this place";
    if (!arrived)
        return NULL;
    order = json_pack("{s:s,s:I}", "do", "run", "until", (json_int_t)(s->at + AHEAD_MOST));
    json_object_set_new(order, "ahead", json_pack("{s:I,s:I}", "block", (json_int_t)s->block, "thread", (json_int_t)s->thread));
    there = session_run(s, fd, order);
    *why = "this thread stands elsewhere before this instruction";
    return there;
}

json_t *session_could(struct session *s)
{
    json_t *m = session_ask(s, session_question(s, "could"));
    if (talk_text(m, "error", NULL))
        return m;
    int from = session_copy_before(s, s->at), listen = s->listen;
    bool (*heard)(struct session *) = s->heard;
    int fd = from < 0 ? -1 : session_awake(s, &s->copies.data[from]);
    const char *why = "there is no copy of the program from before this place";
    s->listen = -1; /* a client's next request waits for this one's answer */
    s->heard = NULL;
    json_t *stop = fd < 0 ? NULL : look(s, fd, session_order_until(&s->copies.data[from], s->at), &why);
    json_t *seen = json_object_get(stop, "ahead");
    s->listen = listen;
    s->heard = heard;
    if (seen) {
        json_object_set_new(seen, "looked", json_integer(talk_number(stop, "at", 0) - (json_int_t)s->at));
        json_object_set(m, "ahead", seen);
    } else {
        json_object_set_new(m, "unseen", json_string(why));
    }
    json_decref(stop);
    if (fd >= 0)
        close(fd);
    return m;
}
