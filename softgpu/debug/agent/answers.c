/**
 * @file answers.c
 * While the machine is stopped: answers the debugger until it says to go on.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug/agent/state.h"
#include "debug/talk.h"

/** What one stop looks like to the debugger. */
static json_t *describe(const struct stop *stop)
{
    json_t *m = json_pack("{s:s,s:s,s:I,s:I,s:i,s:s,s:o}", "event", "stopped", "reason", stop->reason, "at",
                          (json_int_t)agent.count, "runs", (json_int_t)agent.runs, "id", stop->id, "text", stop->text,
                          "run", where_run());
    if (stop->has_thread) {
        json_object_set_new(m, "block", json_integer((json_int_t)stop->thread.block));
        json_object_set_new(m, "thread", json_integer(stop->thread.thread));
    } else if (agent.insn && agent.warp) {
        json_object_set_new(m, "block", json_integer((json_int_t)agent.warp->block->index));
        json_object_set_new(m, "thread",
                            json_integer(agent.warp->index * WARP_LANES + __builtin_ctz(agent.warp->mask)));
    }
    if (stop->finding)
        json_object_set(m, "finding", stop->finding);
    return m;
}

static json_t *answer(const json_t *order, const char *what)
{
    struct thread_at t = {(uint64_t)talk_number(order, "block", 0), (uint32_t)talk_number(order, "thread", 0)};
    int frame = (int)talk_number(order, "frame", 0);
    if (!strcmp(what, "threads"))
        return where_threads(json_object_get(order, "wanted"));
    if (!strcmp(what, "stack"))
        return where_stack(t);
    if (!strcmp(what, "places"))
        return conditions_places(json_object_get(order, "breaks"));
    if (!strcmp(what, "could"))
        return could_read(t);
    if (!strcmp(what, "host"))
        return where_host();
    if (!strcmp(what, "base"))
        return where_base(t);
    if (!strcmp(what, "registers"))
        return where_registers(t, frame);
    if (!strcmp(what, "evaluate"))
        return values_evaluate(t, frame, talk_text(order, "text", ""), talk_text(order, "format", ""));
    if (!strcmp(what, "buffers"))
        return values_buffers();
    if (!strcmp(what, "memory"))
        return values_memory(order);
    if (!strcmp(what, "digest"))
        return json_pack("{s:I}", "digest", (json_int_t)where_digest());
    return json_pack("{s:s}", "error", "an unknown question");
}

/** Until it is told to go on. */
static void serve(void)
{
    for (;;) {
        json_t *order = talk_receive(agent.fd, NULL);
        if (!order)
            agent_give_up();
        const char *what = talk_text(order, "do", "");
        if (!strcmp(what, "run")) {
            conditions_read(&agent.conditions, order);
            ahead_begin(json_object_get(order, "ahead"));
            if (agent.is_copy)
                agent.next_copy = (uint64_t)talk_number(order, "keep", -1);
            json_decref(order);
            return;
        }
        if (strcmp(what, "pause")) { /* came too late */
            json_t *reply = answer(order, what);
            json_object_set_new(reply, "reply", json_true());
            if (!talk_send(agent.fd, reply, -1) &&
                !talk_send(agent.fd, json_pack("{s:b,s:s}", "reply", 1, "error", "the answer is too long"), -1))
                agent_give_up();
        }
        json_decref(order);
    }
}

void agent_stop(const struct stop *stop)
{
    struct conditions *c = &agent.conditions;
    if (c->scan) {
        json_decref(c->last);
        c->last = describe(stop);
        return;
    }
    json_t *m = describe(stop);
    if (c->last)
        json_object_set(m, "last", c->last);
    json_object_set_new(m, "whole", json_boolean(c->step.whole));
    json_object_set_new(m, "seen", json_boolean(c->step.any_before));
    if (ahead_looks())
        json_object_set_new(m, "ahead", ahead_tell(!strcmp(stop->reason, "ahead")));
    if (!talk_send(agent.fd, m, -1))
        agent_give_up();
    serve();
}

void agent_wait_as_copy(void)
{
    for (;;) {
        int fd;
        json_t *order = talk_receive(agent.fd, &fd);
        if (!order)
            _exit(0);
        json_decref(order);
        if (fd < 0)
            continue;
        if (copy_awake(fd)) {
            serve();
            return;
        }
    }
}
