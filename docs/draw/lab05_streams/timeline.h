/**
 * @file timeline.h
 * Draws runs on softgpu, one panel below the other: which engine was busy with which chunk, and when.
 *
 * A run is read from stdin (record.sh): "panel TITLE", then "ENGINE START TOOK WHAT" for each operation, in
 * microseconds. Times are told as parts of the first panel's. What the library did is a red line.
 */
#include "../svg.h"

#include <stdbool.h>
#include <string.h>

enum { COPY_IN = 1, COPY_OUT, KERNEL, ENGINES };
#define LEFT 106
#define LONGEST 458.0 /**< pixels of the longest run */
#define ROW 24
#define MAX_OPERATIONS 64
#define MAX_PANELS 4

struct operation {
    int engine, chunk;
    double start, took;
    bool library;
};

struct panel {
    char title[80];
    struct operation operations[MAX_OPERATIONS];
    int count;
    double begin, end; /**< of the chunks' work */
};

/** The nth operation of an engine is the nth chunk's; `table`: the first copy in is not a chunk's. */
static void number_chunks(struct panel *p, bool table)
{
    int seen[ENGINES] = {[COPY_IN] = table ? -1 : 0};
    p->begin = p->operations[0].start;
    for (int i = 0; i < p->count; i++) {
        struct operation *o = &p->operations[i];
        if (o->library)
            continue;
        o->chunk = seen[o->engine]++;
        if (o->start + o->took > p->end)
            p->end = o->start + o->took;
    }
}

static int read_panels(struct panel *panels, bool table)
{
    char line[128], what[32];
    int count = 0;
    while (fgets(line, sizeof line, stdin)) {
        struct operation o = {0};
        if (!strncmp(line, "panel ", 6)) {
            if (count == MAX_PANELS)
                return 0;
            snprintf(panels[count++].title, sizeof panels->title, "%.*s",
                     (int)strcspn(line + 6, "\n"), line + 6);
            continue;
        }
        int fields = sscanf(line, "%d %lf %lf %31s", &o.engine, &o.start, &o.took, what);
        struct panel *p = &panels[count - 1];
        if (fields < 3 || count == 0 || o.engine < COPY_IN || o.engine > KERNEL ||
            p->count == MAX_OPERATIONS)
            return 0;
        o.library = fields == 4;
        p->operations[p->count++] = o;
    }
    for (int i = 0; i < count; i++)
        number_chunks(&panels[i], table);
    return count;
}

static void draw_panel(const struct panel *p, double top, double unit, double whole)
{
    static const char *const names[ENGINES] = {[COPY_IN] = "copy in", "copy out", "kernel"};
    static const int rows[ENGINES] = {[COPY_IN] = 0, [KERNEL] = 1, [COPY_OUT] = 2};
    static const char *const colors[] = {BLUE, ORANGE, GREEN, GREY};
    svg_text(LEFT, top - 10, "start", BLACK, "%s", p->title);
    for (int e = COPY_IN; e < ENGINES; e++) {
        svg_text(LEFT - 10, top + ROW * rows[e] + 18, "end", BLACK, "%s", names[e]);
        svg_rect(LEFT, top + ROW * rows[e], LONGEST, ROW - 2, PALE);
    }
    for (int i = 0; i < p->count; i++) {
        const struct operation *o = &p->operations[i];
        double x = LEFT + unit * (o->start - p->begin), width = unit * o->took;
        if (o->library)
            svg_line(x, top - 5, x, top + ROW * 3 + 2, RED);
        else
            svg_rect(x, top + ROW * rows[o->engine], width, ROW - 2,
                     o->chunk < 0 ? BLACK : colors[o->chunk % 4]);
    }
    double end = LEFT + unit * (p->end - p->begin);
    svg_line(end, top - 5, end, top + ROW * 3 + 2, BLACK);
    svg_text(end + 8, top + ROW * 3 - 6, "start", BLACK, "%.2f", (p->end - p->begin) / whole);
}

/** @return how many panels there are, 0 where the run cannot be read */
static int draw_panels(int height, const char *title, double first, double apart, bool table)
{
    static struct panel panels[MAX_PANELS];
    int count = read_panels(panels, table);
    if (count == 0)
        return 0;
    double whole = panels[0].end - panels[0].begin;
    svg_begin(height, title);
    for (int i = 0; i < count; i++)
        draw_panel(&panels[i], first + apart * i, LONGEST / whole, whole);
    return count;
}
