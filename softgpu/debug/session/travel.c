/**
 * @file travel.c
 * Forwards and back between places in a run.
 *
 * Backwards is forwards: a copy from before is awakened and run up to the present place, remembering the last time
 * that it came by what is looked for; then another one up to there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug/session/session.h"
#include "debug/talk.h"

/** Where the last copy lies farther back than this another one is made on the way, for the next step. */
#define NEAR 20000

static bool fail(struct session *s, const char *why)
{
    snprintf(s->error, sizeof s->error, "%s", why);
    return false;
}

static json_t *plain_order(void)
{
    return json_pack("{s:s}", "do", "run");
}

/** To run to the next of what there is to stop at. */
static json_t *order_to_stop(const struct session *s)
{
    return json_pack("{s:s,s:O,s:O,s:b,s:b,s:b,s:b}", "do", "run", "breaks", s->breaks, "watches", s->watches, "findings",
                     s->findings, "launches", s->launches, "barriers", s->barriers, "host", s->host);
}

static void set(json_t *order, const char *key, json_t *value)
{
    json_object_set_new(order, key, value);
}

static bool stopped_for(const json_t *stop, const char *reason)
{
    return stop && !strcmp(talk_text(stop, "reason", ""), reason);
}

static uint64_t place_of(const json_t *stop)
{
    return (uint64_t)talk_number(stop, "at", 0);
}

static void leave_copy(struct session *s)
{
    if (s->copy >= 0)
        close(s->copy);
    s->copy = -1;
}

/** The program itself, where it stands. */
static bool to_frontier(struct session *s)
{
    leave_copy(s);
    session_stopped(s, json_incref(s->frontier_stop));
    return true;
}

int session_copy_before(const struct session *s, uint64_t at)
{
    int found = -1;
    for (int i = 0; i < s->copies.count; i++)
        if (s->copies.data[i].at <= at)
            found = i;
    return found;
}

static bool has_id(const json_t *list, long long id)
{
    size_t i;
    json_t *m;
    json_array_foreach((json_t *)list, i, m)
        if (talk_number(m, "id", 0) == id)
            return true;
    return false;
}

/** Would the program stop again for what it has stopped at, in the middle of an instruction or outside of a launch? */
static bool frontier_holds(const struct session *s)
{
    const json_t *stop = s->frontier_stop;
    return s->exited || stopped_for(stop, "end") || (stopped_for(stop, "finding") && s->findings) ||
           (stopped_for(stop, "barrier") && s->barriers) || (stopped_for(stop, "host") && s->host) ||
           (stopped_for(stop, "watch") && has_id(s->watches, talk_number(stop, "id", 0)));
}

static bool run_program(struct session *s, json_t *order)
{
    json_object_del(order, "until");
    session_stopped(s, session_run(s, s->root, order));
    return true;
}

/** A copy has come to where the program stands, which takes its place: on, unless there is something to stop at. */
static bool pass_frontier(struct session *s, json_t *order, json_t *stop)
{
    leave_copy(s);
    if (stopped_for(stop, "there") && !frontier_holds(s)) {
        json_decref(stop);
        return run_program(s, order);
    }
    json_decref(order);
    if (stopped_for(stop, "there")) {
        json_decref(stop);
        stop = json_incref(s->frontier_stop);
    }
    session_stopped(s, stop);
    return true;
}

/** Runs what is looked at; a copy that comes to the frontier gives way to the program. */
static bool run_forwards(struct session *s, json_t *order)
{
    if (s->copy < 0)
        return run_program(s, order);
    for (;;) {
        set(order, "until", json_integer((json_int_t)s->frontier));
        json_t *stop = session_run(s, s->copy, json_incref(order));
        bool edge = stopped_for(stop, "edge");
        if (stop && !edge && place_of(stop) >= s->frontier)
            return pass_frontier(s, order, stop);
        if (!edge) {
            json_decref(order);
            session_stopped(s, stop);
            return true;
        }
        /* The program has threads that a copy has not: on from the next launch. */
        int next = session_copy_before(s, place_of(stop)) + 1;
        json_decref(stop);
        leave_copy(s);
        s->copy = next < s->copies.count ? session_awake(s, &s->copies.data[next]) : -1;
        set(order, "here", json_true());
        if (s->copy < 0)
            return pass_frontier(s, order, json_pack("{s:s}", "reason", "there"));
    }
}

bool session_continue(struct session *s)
{
    if (s->root < 0 && s->copy < 0)
        return fail(s, s->exited ? "the program has ended; you can go back" : "the program does not run");
    return run_forwards(s, order_to_stop(s));
}

/** Where the thread stands, with the way to go; NULL with s->error. */
static json_t *step_of(struct session *s, enum step_way way)
{
    static const char *const ways[] = {"instruction", "line", "over", "out"};
    if (s->root < 0 && s->copy < 0) {
        fail(s, "the program does not run");
        return NULL;
    }
    json_t *step = session_ask(s, session_question(s, "base"));
    const char *error = talk_text(step, "error", NULL);
    if (error) {
        fail(s, error);
        json_decref(step);
        return NULL;
    }
    set(step, "kind", json_string(ways[way]));
    return step;
}

bool session_step(struct session *s, enum step_way way)
{
    json_t *step = step_of(s, way);
    if (!step)
        return false;
    json_t *order = order_to_stop(s);
    set(order, "step", step);
    return run_forwards(s, order);
}

json_t *session_order_until(const struct copy *from, uint64_t at)
{
    json_t *order = json_pack("{s:s,s:I}", "do", "run", "until", (json_int_t)at);
    if (at - from->at > NEAR)
        set(order, "keep", json_integer((json_int_t)(at - NEAR / 2)));
    return order;
}

/** Awakens a copy from before and runs it up to `at`: it is what is looked at. `stop`, which it takes over, says why; NULL:
 *  because of the place alone. */
static bool look_at(struct session *s, uint64_t at, json_t *stop)
{
    const struct copy *from = &s->copies.data[session_copy_before(s, at)];
    int fd = session_awake(s, from);
    json_t *order = session_order_until(from, at), *there;
    there = fd < 0 ? (json_decref(order), NULL) : session_run(s, fd, order);
    if (!stopped_for(there, "there") || (uint64_t)talk_number(there, "at", 0) != at) {
        if (fd >= 0)
            close(fd);
        json_decref(stop);
        fail(s, stopped_for(there, "pause") ? "interrupted" : "the program's copy did not come to that place");
        json_decref(there);
        return false;
    }
    leave_copy(s);
    s->copy = fd;
    if (stop)
        json_decref(there);
    session_stopped(s, stop ? stop : there);
    return true;
}

bool session_go(struct session *s, uint64_t at)
{
    if (at >= s->frontier)
        return s->frontier_stop ? to_frontier(s) : fail(s, "the program does not run");
    if (session_copy_before(s, at) < 0)
        return fail(s, "that lies before the first launch");
    return look_at(s, at, NULL);
}

/** Runs copy `i` up to `until`, as the order, which it takes over, says; copies may be made and dropped meanwhile.
 *  @return how it ended, with the "last" that it looks for if it came by; NULL if it could not */
static json_t *scan(struct session *s, int i, uint64_t until, json_t *looks)
{
    const struct copy *from = &s->copies.data[i];
    json_t *order = session_order_until(from, until);
    int fd = session_awake(s, from);
    json_object_update(order, looks);
    json_decref(looks);
    if (fd < 0) {
        json_decref(order);
        return NULL;
    }
    set(order, "scan", json_true());
    set(order, "here", json_true());
    json_t *stop = session_run(s, fd, order);
    if (stopped_for(stop, "pause"))
        s->interrupted = true;
    close(fd);
    return stop;
}

/** Looks at where a scan, which it takes over, has found something. */
static bool look_at_found(struct session *s, json_t *scanned)
{
    json_t *found = json_incref(json_object_get(scanned, "last"));
    json_decref(scanned);
    return look_at(s, place_of(found), found);
}

/** Back to the last place before the present one that `order`, which it takes over, looks for.
 *  @return 1 there, 0 there is none, -1 with s->error */
static int search_back(struct session *s, json_t *order)
{
    uint64_t end = s->at, begin;
    s->interrupted = false;
    for (int i; end && (i = session_copy_before(s, end - 1)) >= 0; end = begin) {
        begin = s->copies.data[i].at;
        json_t *end_of = scan(s, i, end, json_deep_copy(order));
        if (s->interrupted) {
            json_decref(end_of);
            json_decref(order);
            return fail(s, "interrupted") - 1;
        }
        if (json_object_get(end_of, "last")) {
            json_decref(order);
            return look_at_found(s, end_of) ? 1 : -1;
        }
        json_decref(end_of);
    }
    json_decref(order);
    return 0;
}

bool session_back(struct session *s)
{
    int found = search_back(s, order_to_stop(s));
    if (found)
        return found > 0;
    if (!s->copies.count)
        return fail(s, "nothing has run yet");
    return look_at(s, s->copies.data[0].at, NULL) && json_object_set_new(s->stop, "reason", json_string("start")) == 0;
}

bool session_find_back(struct session *s, json_t *watches)
{
    json_t *order = plain_order();
    set(order, "watches", watches);
    int found = search_back(s, order);
    return found ? found > 0 : fail(s, "there is none before this place");
}

bool session_step_back(struct session *s, enum step_way way)
{
    json_t *step = step_of(s, way);
    if (!step)
        return false;
    long long run = talk_number(step, "run", 0);
    uint64_t end = s->at, begin = end;
    s->interrupted = false;
    /* A line that began before the copy is not seen to begin: hence on from there up to the end, if the thread has come by. */
    for (bool more = true; more && begin;) {
        int i = session_copy_before(s, begin - 1);
        if (i < 0)
            break;
        json_t *order = plain_order(), *mine = json_deep_copy(step);
        begin = s->copies.data[i].at;
        bool before = s->copies.data[i].runs < run; /* the run has none at its beginning */
        more = !before && !s->copies.data[i].begins;
        set(mine, "fresh", json_boolean(!more));
        set(order, "step", mine);
        json_t *end_of = scan(s, i, end, order);
        if (s->interrupted) {
            json_decref(end_of);
            json_decref(step);
            return fail(s, "interrupted");
        }
        if (json_object_get(end_of, "last")) {
            json_decref(step);
            return look_at_found(s, end_of);
        }
        more &= !talk_true(end_of, "whole");
        end = talk_true(end_of, "seen") ? end : begin; /* it has not come by since the copy */
        json_decref(end_of);
    }
    json_decref(step);
    return fail(s, "this is where the thread begins in this run; reverse-continue goes on to what ran before");
}
