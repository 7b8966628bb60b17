/**
 * @file execution_events.c
 * See execution_events.h.
 */
#include "rerun/explore/execution_events.h"

#include <stdio.h>

#include "code/image.h"
#include "memory/memory.h"

const char *execution_event_name(const struct model_event *e)
{
    switch (e->kind) {
    case EVENT_READ:
        return e->pair >= 0 ? "atomic" : "load";
    case EVENT_WRITE:
        return "store";
    case EVENT_FENCE:
        return "fence";
    case EVENT_EXCHANGE:
        return "exchange";
    default:
        return "barrier";
    }
}

void execution_event_order(const struct model_event *e, char *out, size_t size)
{
    static const char *const scopes[] = {"cta", "cluster", "gpu", "sys"};
    const char *order = e->sc ? "sc" : e->acquire && e->release ? "acq_rel" : e->acquire ? "acquire"
                        : e->release ? "release" : "relaxed";
    out[0] = 0;
    if (e->kind == EVENT_FENCE || (e->kind != EVENT_BARRIER && e->strong))
        snprintf(out, size, "%s.%s", order, scopes[e->scope]);
}

static json_t *triple(const uint32_t v[3])
{
    return json_pack("[i,i,i]", (int)v[0], (int)v[1], (int)v[2]);
}

static void add_who(json_t *event, const struct lone *l, uint64_t thread)
{
    const struct grid_config *c = l->configs[0]; /* several launches are not told so */
    uint64_t in_block = (uint64_t)c->block[0] * c->block[1] * c->block[2], block = thread / in_block;
    uint64_t at = thread % in_block;
    uint32_t b[3] = {(uint32_t)(block % c->grid[0]), (uint32_t)(block / c->grid[0] % c->grid[1]),
                     (uint32_t)(block / c->grid[0] / c->grid[1])};
    uint32_t t[3] = {(uint32_t)(at % c->block[0]), (uint32_t)(at / c->block[0] % c->block[1]),
                     (uint32_t)(at / c->block[0] / c->block[1])};
    json_object_set_new(event, "block", triple(b));
    json_object_set_new(event, "thread", triple(t));
}

static void add_what(json_t *event, const struct lone *l, const struct model_event *e)
{
    const struct lone_location *at = &l->locations.data[l->shared[e->location]];
    char name[96];
    if (at->allocation && at->allocation->name)
        snprintf(name, sizeof name, "%s", at->allocation->name);
    else if (at->allocation)
        snprintf(name, sizeof name, "alloc%d", at->allocation->number);
    else
        snprintf(name, sizeof name, "shared memory");
    json_object_set_new(event, "object", json_string(name));
    json_object_set_new(event, "offset",
                        json_integer((json_int_t)(at->allocation ? at->offset : at->key & UINT32_MAX)));
    if (at->allocation)
        memory_part(at->allocation, at->offset, name, sizeof name);
    if (at->allocation && name[0])
        json_object_set_new(event, "part", json_string(name));
    json_object_set_new(event, "value", json_integer((json_int_t)e->value));
}

/** Is it where a thread goes on behind a barrier? */
static bool passes(const struct execution *x, int event)
{
    for (int e = x->locations; e < event; e++)
        if (x->event[e].kind == EVENT_BARRIER && event_in(x->barrier[e], event))
            return true;
    return false;
}

/** The next event in time after those in `placed`: the lowest whose predecessors are there, and its source. Where there is none (load
 *  buffering), one whose source is not. */
static int next_in_time(const struct execution *x, event_set placed)
{
    int without = -1;
    for (int i = x->locations; i < x->count; i++) {
        bool ready = !event_in(placed, i) && !(x->before[i] & ~placed);
        for (int e = x->locations; e < x->count && ready; e++)
            ready = event_in(placed, e) || !event_in(x->barrier[e] | x->meets[e], i);
        if (ready && (x->source[i] < 0 || event_in(placed, x->source[i])))
            return i;
        if (ready && without < 0)
            without = i;
    }
    return without;
}

/** Events in the order of time: the search may have added a read before its source. */
static void order_in_time(const struct execution *x, int *order, int *number)
{
    event_set placed = event_bit(x->locations) - 1;
    for (int n = 0; n < x->count - x->locations; n++) {
        order[n] = next_in_time(x, placed);
        number[order[n]] = n;
        placed |= event_bit(order[n]);
    }
}

json_t *execution_events(const struct lone *l, const uint64_t *threads, const struct execution *x)
{
    json_t *list = json_array();
    const struct image *im = l->configs[0]->kernel->image;
    int in_time[MODEL_EVENTS], number[MODEL_EVENTS];
    order_in_time(x, in_time, number);
    for (int n = 0; n < x->count - x->locations; n++) {
        int i = in_time[n];
        const struct model_event *e = &x->event[i];
        char order[32];
        json_t *event = json_object();
        execution_event_order(e, order, sizeof order);
        json_object_set_new(event, "op", json_string(execution_event_name(e)));
        if (order[0])
            json_object_set_new(event, "order", json_string(order));
        if (e->cookie && e->cookie <= im->site_count && im->sites[e->cookie - 1].file) {
            json_object_set_new(event, "file", json_string(im->sites[e->cookie - 1].file));
            json_object_set_new(event, "line", json_integer(im->sites[e->cookie - 1].line));
        }
        add_who(event, l, threads[e->thread]);
        if (e->kind == EVENT_READ || e->kind == EVENT_WRITE)
            add_what(event, l, e);
        if (e->kind == EVENT_BARRIER && passes(x, i))
            json_object_set_new(event, "passes", json_true());
        if (e->kind == EVENT_READ)
            json_object_set_new(event, "from", json_integer(x->source[i] < x->locations ? -1 : number[x->source[i]]));
        json_array_append_new(list, event);
    }
    return list;
}
