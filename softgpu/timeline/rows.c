/**
 * @file rows.c
 * See rows.h.
 */
#include "timeline/rows.h"

#include <stdio.h>
#include <stdlib.h>

#define DEVICES 8

static void *allocate(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    if (!p)
        abort();
    return p;
}

int rows_find(const struct rows *r, uint64_t stream)
{
    int low = 0, high = r->engines_from;
    while (low < high) {
        int middle = (low + high) / 2;
        if (timeline_row_before(r->list[middle].stream, stream))
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->engines_from && r->list[low].stream == stream ? low : -1;
}

const char *rows_name(const struct timeline *t, uint64_t stream)
{
    for (int i = 0; i < t->streams.count; i++)
        if (t->streams.data[i].id == stream)
            return t->streams.data[i].name;
    return stream ? "" : "host";
}

/** Whether something leads to the host, which need not have a bar. */
static bool host_takes_part(const struct timeline *t)
{
    for (int i = 0; i < t->races.count; i++)
        if (!t->races.data[i].first || !t->races.data[i].second)
            return true;
    for (int i = 0; i < t->waits.count; i++)
        if (!t->waits.data[i].to_stream)
            return true;
    return false;
}

static void add_engine(struct rows *r, enum timeline_engine engine, int device)
{
    struct row *row = &r->list[r->count++];
    *row = (struct row){.engine = engine, .device = device};
    if (device)
        snprintf(row->name, sizeof row->name, "%s of device %d", timeline_engine_name(engine), device);
    else
        snprintf(row->name, sizeof row->name, "%s", timeline_engine_name(engine));
}

/** Rows in their order: the streams as they are numbered, then the engines that something ran on. */
static void list_rows(struct rows *r, const struct timeline *t)
{
    bool used[DEVICES][ENGINE_COUNT] = {{0}};
    r->list = allocate((size_t)t->streams.count + DEVICES * ENGINE_COUNT, sizeof *r->list);
    if (host_takes_part(t) && (!t->streams.count || t->streams.data[0].id))
        r->list[r->count++] = (struct row){.name = "host"};
    for (int i = 0; i < t->streams.count; i++) {
        struct row *row = &r->list[r->count++];
        *row = (struct row){.stream = t->streams.data[i].id};
        snprintf(row->name, sizeof row->name, "%s", t->streams.data[i].name);
    }
    r->engines_from = r->count;
    for (int i = 0; i < t->bars.count; i++)
        used[t->bars.data[i].device % DEVICES][t->bars.data[i].engine] = true;
    static const enum timeline_engine order[] = {ENGINE_COPY_IN, ENGINE_SMS, ENGINE_COPY_OUT,
                                                 ENGINE_HOST};
    for (int d = 0; d < DEVICES; d++)
        for (size_t i = 0; i < sizeof order / sizeof *order; i++)
            if (used[d][order[i]])
                add_engine(r, order[i], d);
}

/** The first lane that is free at the bar's start. */
static int lane_for(struct row *row, uint64_t *ends, const struct timeline_bar *b)
{
    int lane = 0;
    while (lane < MAX_LANES - 1 && ends[lane] > b->start_ns)
        lane++;
    ends[lane] = b->end_ns > ends[lane] ? b->end_ns : ends[lane];
    row->lanes = lane + 1 > row->lanes ? lane + 1 : row->lanes;
    return lane;
}

static void place_bars(struct rows *r, const struct timeline *t)
{
    uint64_t(*ends)[MAX_LANES] = allocate((size_t)r->count, sizeof *ends);
    r->places = allocate((size_t)t->bars.count, sizeof *r->places);
    for (int i = 0; i < t->bars.count; i++) {
        const struct timeline_bar *b = &t->bars.data[i];
        struct place *at = &r->places[i];
        at->row[0] = rows_find(r, b->stream);
        at->row[1] = -1;
        for (int k = r->engines_from; k < r->count; k++)
            if (r->list[k].engine == b->engine && r->list[k].device == b->device)
                at->row[1] = k;
        for (int k = 0; k < 2; k++)
            if (at->row[k] >= 0)
                at->lane[k] = lane_for(&r->list[at->row[k]], ends[at->row[k]], b);
    }
    free(ends);
}

void rows_make(struct rows *r, const struct timeline *t, int top)
{
    *r = (struct rows){0};
    list_rows(r, t);
    place_bars(r, t);
    /* Many rows are lower, and lose their labels. */
    r->bar_height = r->count <= 16 ? 200 : r->count <= 32 ? 150 : 90;
    r->gap = r->count <= 16 ? 60 : r->count <= 32 ? 40 : 30;
    int y = top;
    for (int i = 0; i < r->count; i++) {
        struct row *row = &r->list[i];
        int lanes = row->lanes ? row->lanes : 1;
        y += i == r->engines_from && i ? r->gap * 4 : 0;
        row->y = y;
        row->height = lanes * r->bar_height + (lanes - 1) * (r->gap / 2);
        y += row->height + r->gap;
    }
    r->bottom = y;
}

void rows_free(struct rows *r)
{
    free(r->list);
    free(r->places);
    *r = (struct rows){0};
}
