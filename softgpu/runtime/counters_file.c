/**
 * @file counters_file.c
 * Counters of a whole run: one flat JSON object with the sums over all launches, one object a
 * kernel under "kernels", one an object of global memory under "objects". Of a launch that
 * is run in several schedules, the natural run counts.
 */
#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "memory/memory.h"
#include "report/words/words.h"
#include "runtime/code/kernel.h"
#include "runtime/state/runtime.h"
#include "runtime/time/record.h"

static const char *const names[COUNTER_COUNT] = {
    [COUNT_GLOBAL_LOAD_REQUESTS] = "global_load_requests",
    [COUNT_GLOBAL_LOAD_SECTORS] = "global_load_sectors",
    [COUNT_GLOBAL_STORE_REQUESTS] = "global_store_requests",
    [COUNT_GLOBAL_STORE_SECTORS] = "global_store_sectors",
    [COUNT_GLOBAL_BYTES] = "global_bytes",
    [COUNT_SHARED_REQUESTS] = "shared_requests",
    [COUNT_SHARED_WAVEFRONTS] = "shared_wavefronts",
    [COUNT_BARRIERS] = "barriers",
    [COUNT_ATOMICS] = "atomics",
    [COUNT_FENCES] = "fences",
    [COUNT_BRANCHES] = "branches",
    [COUNT_DIVERGENT_BRANCHES] = "divergent_branches",
    [COUNT_LONGEST_WARP] = "longest_warp",
    [COUNT_BLOCK_BARRIERS] = "block_barriers",
    [COUNT_WORKING_BLOCKS] = "working_blocks",
    [COUNT_WORKING_THREADS] = "working_threads",
    [COUNT_ASYNC_COPIES] = "async_copies",
    [COUNT_ASYNC_BYTES] = "async_bytes",
    [COUNT_BYTES_IN_FLIGHT] = "bytes_in_flight",
    [COUNT_BARRIER_PHASES] = "barrier_phases",
    [COUNT_GRID_BARRIERS] = "grid_barriers",
};

struct sums {
    char *kernel;              /**< NULL for the whole run */
    uint64_t launches, blocks, threads, instructions, lane_instructions, peer_accesses;
    uint64_t counters[COUNTER_COUNT];
};

/** What all launches did to the allocations of one name. */
struct object_sums {
    char *name;
    struct object_use use;
    uint64_t peer_accesses;
};

static LIST(struct object_sums) objects;
static struct sums total;
static LIST(struct sums) kernels;
static uint64_t copies[COPY_PATHS], copy_bytes[COPY_PATHS];

/** Accesses, one for each thread, to another device's memory; what the host shares is no device's. */
static uint64_t peer_accesses(const struct grid *g, const struct object_use *u)
{
    const struct allocation *a = u->allocation;
    return (a->kind == ALLOC_DEVICE || a->kind == ALLOC_VARIABLE) && a->device != g->config.device ? u->uses : 0;
}

static void add(struct sums *s, const struct grid *g)
{
    s->launches++;
    s->blocks += g->blocks;
    s->threads += g->blocks * g->threads_per_block;
    s->instructions += g->instructions;
    s->lane_instructions += g->lane_instructions;
    for (int i = 0; i < g->use_count; i++)
        s->peer_accesses += peer_accesses(g, &g->uses[i]);
    for (int i = 0; i < COUNTER_COUNT; i++)
        if (i != COUNT_BYTES_IN_FLIGHT)
            s->counters[i] += g->counters[i];
        else if (g->counters[i] > s->counters[i]) /* of the launch with the most */
            s->counters[i] = g->counters[i];
}

static struct object_sums *of_object(const struct allocation *a)
{
    char number[32];
    snprintf(number, sizeof number, "alloc%d", a->number);
    const char *name = a->name ? a->name : a->label ? a->label : number;
    for (int i = 0; i < objects.count; i++)
        if (!strcmp(objects.data[i].name, name))
            return &objects.data[i];
    struct object_sums *o = LIST_PUSH(&objects);
    *o = (struct object_sums){.name = strdup(name),
                              .use = {.first_reader = UINT64_MAX, .first_writer = UINT64_MAX}};
    if (!o->name)
        abort();
    return o;
}

/** The two threads that are farthest apart of all who did it. */
static void widen(uint64_t *first, uint64_t *last, uint64_t other_first, uint64_t other_last)
{
    *first = other_first < *first ? other_first : *first;
    *last = other_last > *last ? other_last : *last;
}

static void add_objects(const struct grid *g)
{
    for (int i = 0; i < g->use_count; i++) {
        const struct object_use *u = &g->uses[i];
        struct object_sums *sums = of_object(u->allocation);
        struct object_use *o = &sums->use;
        sums->peer_accesses += peer_accesses(g, u);
        o->loaded_bytes += u->loaded_bytes;
        o->stored_bytes += u->stored_bytes;
        o->atomics += u->atomics;
        o->zeroings += u->zeroings;
        o->reading_blocks += u->reading_blocks;
        o->writing_blocks += u->writing_blocks;
        o->uses += u->uses;
        o->busiest_uses += u->busiest_uses;
        o->busiest_warp += u->busiest_warp;
        o->requests += u->requests;
        widen(&o->first_reader, &o->last_reader, u->first_reader, u->last_reader);
        widen(&o->first_writer, &o->last_writer, u->first_writer, u->last_writer);
    }
}

static struct sums *of_kernel(const char *name)
{
    for (int i = 0; i < kernels.count; i++)
        if (!strcmp(kernels.data[i].kernel, name))
            return &kernels.data[i];
    struct sums *s = LIST_PUSH(&kernels);
    *s = (struct sums){.kernel = strdup(name)};
    if (!s->kernel)
        abort();
    return s;
}

void counters_add(const struct operation *op)
{
    if (!runtime.options.counters)
        return;
    if (op->kind == OP_KERNEL && op->grid) {
        add(&total, op->grid);
        add(of_kernel(op->kernel->name), op->grid);
        add_objects(op->grid);
    } else if (op->kind == OP_COPY) {
        copies[op->copy.path]++;
        copy_bytes[op->copy.path] +=
            (uint64_t)op->copy.width * op->copy.height * op->copy.depth;
    }
}

/* ---- writing ---- */

static void set(json_t *o, const char *name, uint64_t value)
{
    json_object_set_new(o, name, json_integer((json_int_t)value));
}

static void set_ratio(json_t *o, const char *name, uint64_t part, uint64_t whole)
{
    if (whole)
        json_object_set_new(o, name, json_real((double)part / (double)whole));
}

static json_t *to_json(const struct sums *s)
{
    const uint64_t *c = s->counters;
    json_t *o = json_object();
    set(o, "launches", s->launches);
    set(o, "blocks", s->blocks);
    set(o, "threads", s->threads);
    set(o, "instructions", s->instructions);
    set(o, "lane_instructions", s->lane_instructions);
    set(o, "peer_accesses", s->peer_accesses);
    for (int i = 0; i < COUNTER_COUNT; i++)
        set(o, names[i], c[i]);
    /* A shared request that takes one wavefront has no conflict; each further one is a replay. */
    set(o, "bank_conflicts", c[COUNT_SHARED_WAVEFRONTS] > c[COUNT_SHARED_REQUESTS]
                                 ? c[COUNT_SHARED_WAVEFRONTS] - c[COUNT_SHARED_REQUESTS] : 0);
    set_ratio(o, "sectors_per_load", c[COUNT_GLOBAL_LOAD_SECTORS], c[COUNT_GLOBAL_LOAD_REQUESTS]);
    set_ratio(o, "sectors_per_store", c[COUNT_GLOBAL_STORE_SECTORS],
              c[COUNT_GLOBAL_STORE_REQUESTS]);
    set_ratio(o, "wavefronts_per_request", c[COUNT_SHARED_WAVEFRONTS], c[COUNT_SHARED_REQUESTS]);
    set_ratio(o, "lanes_per_instruction", s->lane_instructions, s->instructions);
    return o;
}

/** Thread numbers stand there only where somebody read or wrote. */
static json_t *object_to_json(const struct object_sums *s)
{
    const struct object_use *u = &s->use;
    json_t *o = json_object();
    set(o, "loaded_bytes", u->loaded_bytes);
    set(o, "stored_bytes", u->stored_bytes);
    set(o, "atomics", u->atomics);
    set(o, "zeroings", u->zeroings);
    set(o, "requests", u->requests);
    set(o, "peer_accesses", s->peer_accesses);
    set(o, "reading_blocks", u->reading_blocks);
    set(o, "writing_blocks", u->writing_blocks);
    set_ratio(o, "busiest_share", u->busiest_uses, u->uses);
    set(o, "busiest_warp", u->busiest_warp);
    if (u->reading_blocks) {
        set(o, "first_reader", u->first_reader);
        set(o, "last_reader", u->last_reader);
    }
    if (u->writing_blocks) {
        set(o, "first_writer", u->first_writer);
        set(o, "last_writer", u->last_writer);
    }
    return o;
}

static void write_file(json_t *o, const char *path)
{
    if (json_dump_file(o, path, JSON_INDENT(2)) != 0)
        runtime_say("cannot write the counters to %s: %s", path, strerror(errno));
}

static void write_table(const json_t *o, const char *title)
{
    char plain[160];
    put_plain(plain, sizeof plain, title);
    fprintf(stderr, "softgpu: counters of %s\n", plain);
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)o, key, value) {
        if (json_is_integer(value))
            fprintf(stderr, "  %-24s %20lld\n", key, (long long)json_integer_value(value));
        else if (json_is_real(value))
            fprintf(stderr, "  %-24s %20.3f\n", key, json_real_value(value));
    }
}

void counters_write(void)
{
    if (!runtime.options.counters)
        return;
    static const char *const paths[] = {"h2d", "d2h", "d2d", "h2h", "peer"};
    json_t *o = to_json(&total), *each = json_object();
    for (int i = 0; i < COPY_PATHS; i++) {
        char name[32];
        snprintf(name, sizeof name, "copies_%s", paths[i]);
        set(o, name, copies[i]);
        snprintf(name, sizeof name, "copy_bytes_%s", paths[i]);
        set(o, name, copy_bytes[i]);
    }
    set(o, "host_threads", (uint64_t)runtime.host_threads_seen);
    struct busy b = busy_times();
    set(o, "makespan_ns", b.makespan_ns);
    set(o, "copy_in_ns", b.copy_in_ns);
    set(o, "copy_out_ns", b.copy_out_ns);
    set(o, "kernel_ns", b.kernel_ns);
    set(o, "bound_ns", b.bound_ns);
    set_ratio(o, "makespan_over_bound", b.makespan_ns, b.bound_ns);
    for (int i = 0; i < kernels.count; i++)
        json_object_set_new(each, kernels.data[i].kernel, to_json(&kernels.data[i]));
    if (runtime.options.counters_path) {
        json_object_set(o, "kernels", each);
        json_t *by_name = json_object();
        for (int i = 0; i < objects.count; i++)
            json_object_set_new(by_name, objects.data[i].name, object_to_json(&objects.data[i]));
        json_object_set_new(o, "objects", by_name);
        write_file(o, runtime.options.counters_path);
    } else {
        for (int i = 0; i < kernels.count; i++)
            write_table(json_object_get(each, kernels.data[i].kernel), kernels.data[i].kernel);
        write_table(o, "the run");
    }
    json_decref(each);
    json_decref(o);
}
