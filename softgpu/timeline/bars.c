/**
 * @file bars.c
 * A bar an operation, on its stream's row and on its engine's. Where there are more operations than
 * pixels, labels go first, then neighbours share a cell, each kind by the time that it took.
 */
#include <stdlib.h>
#include <string.h>

#include "report/words/words.h"
#include "timeline/pen.h"

/** Bars shorter than this, in tenths of a pixel, are drawn this long; several of them in one cell share it. */
#define NARROW 15
#define CELL 40

static void put_bytes(char *out, size_t size, const char *before, uint64_t bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    uint64_t tenths = bytes * 10;
    for (; tenths >= 10240 && unit < 4; unit++)
        tenths /= 1024;
    if (tenths % 10 && tenths < 1000)
        snprintf(out, size, "%s%d.%d %s", before, (int)(tenths / 10), (int)(tenths % 10), units[unit]);
    else
        snprintf(out, size, "%s%d %s", before, (int)(tenths / 10), units[unit]);
}

/** What stands on a bar: on a stream's row what it is, on an engine's whose. */
static void label_of(const struct picture *p, const struct timeline_bar *b, bool engine, char *out,
                     size_t size)
{
    if (engine)
        snprintf(out, size, "%s", rows_name(p->t, b->stream));
    else if (b->kind == BAR_COPY_H2D || b->kind == BAR_COPY_D2H || b->kind == BAR_COPY_D2D ||
             b->kind == BAR_COPY_H2H || b->kind == BAR_COPY_PEER)
        put_bytes(out, size, b->kind == BAR_COPY_H2D ? "in " : b->kind == BAR_COPY_D2H ? "out " : "copy ",
                  b->bytes);
    else if (b->kind == BAR_KERNEL)
        put_plain(out, size, b->label ? b->label : "");
    else if (b->kind == BAR_SET)
        put_bytes(out, size, "set ", b->bytes);
    else
        snprintf(out, size, "%s", b->label ? b->label : "");
}

static void put_title(struct picture *p, const struct timeline_bar *b)
{
    uint64_t unit = pen_unit(p->end_ns);
    char name[160];
    put_plain(name, sizeof name, b->label ? b->label : "");
    fputs("<title>", p->f);
    pen_string(p, name);
    fprintf(p->f, " (%s), ", timeline_kind_name(b->kind));
    pen_string(p, rows_name(p->t, b->stream));
    fputs(", ", p->f);
    pen_time(p, b->start_ns, unit, 1);
    fputs("–", p->f);
    pen_time(p, b->end_ns, unit, 1);
    fprintf(p->f, " %s", pen_unit_name(unit));
    if (b->file) {
        fputs(", ", p->f);
        pen_string(p, strrchr(b->file, '/') ? strrchr(b->file, '/') + 1 : b->file);
        fprintf(p->f, ":%d", b->line);
    }
    fputs("</title>", p->f);
}

/** The label, whole or cut, if three characters of it fit. */
static void put_label(struct picture *p, const char *label, int x, int width, int y)
{
    size_t room = width > 80 ? (size_t)(width - 60) / ADVANCE : 0, len = strlen(label);
    if (p->rows.bar_height < 140 || room < 3 || !len)
        return;
    pen_put(p, "<text class=\"label\" fill=\"#fff\" x=\"", x + 30, "\"");
    pen_put(p, " y=\"", y + p->rows.bar_height / 2 + 40, "\">");
    size_t n = len <= room ? len : room - 1;
    while (n < len && n && ((unsigned char)label[n] & 0xc0) == 0x80)
        n--;
    pen_text(p, label, n);
    fputs(n < len ? "…</text>\n" : "</text>\n", p->f);
}

static void rect(struct picture *p, enum bar_kind kind, int x, int y, int width, int height)
{
    fprintf(p->f, "<rect fill=\"%s\"", bar_colors[kind]);
    pen_put(p, " x=\"", x, "\"");
    pen_put(p, " y=\"", y, "\"");
    pen_put(p, " width=\"", width, "\"");
    pen_put(p, " height=\"", height, "\"");
}

static void wide_bar(struct picture *p, const struct timeline_bar *b, bool engine, int y)
{
    int x = pen_x(p, b->start_ns), width = pen_x(p, b->end_ns) - x;
    rect(p, b->kind, x, y, width > 30 ? width - 5 : width, p->rows.bar_height);
    fputs(">", p->f);
    put_title(p, b);
    fputs("</rect>\n", p->f);
    char label[96];
    label_of(p, b, engine, label, sizeof label);
    put_label(p, label, x, width, y);
}

/** Launches of graphs that get a frame. */
#define MAX_FRAMES 200

/** Where a launch's nodes lie. */
struct frame {
    uint64_t graph, from_ns, to_ns;
    int first, last; /* rows */
};

static void put_frame(struct picture *p, const struct frame *f)
{
    const struct row *top = &p->rows.list[f->first], *bottom = &p->rows.list[f->last];
    int x = pen_x(p, f->from_ns) - 15, width = pen_x(p, f->to_ns) + 10 - x;
    pen_put(p, "<rect fill=\"#1f5fa8\" fill-opacity=\"0.08\" stroke=\"#1f5fa8\" stroke-opacity=\"0.6\" rx=\"3\" x=\"",
            x, "\"");
    pen_put(p, " y=\"", top->y - 20, "\"");
    pen_put(p, " width=\"", width, "\"");
    pen_put(p, " height=\"", bottom->y + bottom->height - top->y + 40, "\"><title>a graph</title></rect>\n");
}

/** A frame around the nodes of each launch of a graph. */
static void draw_graphs(struct picture *p)
{
    static struct frame frames[MAX_FRAMES];
    int count = 0;
    for (int i = 0; i < p->t->bars.count; i++) {
        const struct timeline_bar *b = &p->t->bars.data[i];
        int row = p->rows.places[i].row[0], k = count - 1;
        if (!b->graph || row < 0)
            continue;
        while (k >= 0 && frames[k].graph != b->graph)
            k--;
        if (k < 0 && count == MAX_FRAMES)
            break;
        if (k < 0)
            frames[k = count++] = (struct frame){b->graph, b->start_ns, b->end_ns, row, row};
        struct frame *f = &frames[k];
        f->to_ns = b->end_ns > f->to_ns ? b->end_ns : f->to_ns;
        f->first = row < f->first ? row : f->first;
        f->last = row > f->last ? row : f->last;
    }
    for (int k = 0; k < count; k++)
        put_frame(p, &frames[k]);
}

/** Narrow bars of one lane in one cell, waiting to be drawn. */
struct cell {
    int number, y, count;
    const struct timeline_bar *first;
    uint64_t ns[BAR_KIND_COUNT];
};

/** One bar is drawn as it is; several as a cell that their kinds share by the time they took. */
static void flush(struct picture *p, struct cell *c)
{
    if (c->count == 1)
        rect(p, c->first->kind, pen_x(p, c->first->start_ns), c->y, NARROW, p->rows.bar_height),
            fputs("/>\n", p->f);
    uint64_t sum = 0, before = 0;
    for (int k = 0; k < BAR_KIND_COUNT; k++)
        sum += c->ns[k];
    for (int k = 0; k < BAR_KIND_COUNT && c->count > 1; k++) {
        int from = (int)((double)before / (double)sum * p->rows.bar_height);
        before += c->ns[k];
        int to = (int)((double)before / (double)sum * p->rows.bar_height);
        if (to > from)
            rect(p, (enum bar_kind)k, c->number * CELL, c->y + from, CELL, to - from), fputs("/>\n", p->f);
    }
    p->merged += c->count > 1 ? c->count : 0;
    *c = (struct cell){0};
}

static void bar(struct picture *p, const struct timeline_bar *b, const struct row *r, int lane,
                bool engine, struct cell *c)
{
    int x = pen_x(p, b->start_ns);
    int y = r->y + lane * (p->rows.bar_height + p->rows.gap / 2);
    bool narrow = pen_x(p, b->end_ns) < x + NARROW;
    if (c->count && (!narrow || c->number != x / CELL))
        flush(p, c);
    if (!narrow) {
        wide_bar(p, b, engine, y);
        return;
    }
    if (!c->count++)
        *c = (struct cell){.number = x / CELL, .y = y, .count = 1, .first = b};
    c->ns[b->kind] += b->end_ns - b->start_ns + 1; /* what takes no time is there, too */
}

void draw_bars(struct picture *p)
{
    struct cell *cells = calloc((size_t)p->rows.count * MAX_LANES + 1, sizeof *cells);
    if (!cells)
        abort();
    draw_graphs(p);
    for (int i = 0; i < p->t->bars.count; i++) {
        const struct timeline_bar *b = &p->t->bars.data[i];
        const struct place *at = &p->rows.places[i];
        for (int k = 0; k < 2; k++)
            if (at->row[k] >= 0)
                bar(p, b, &p->rows.list[at->row[k]], at->lane[k], k == 1,
                    &cells[at->row[k] * MAX_LANES + at->lane[k]]);
    }
    for (int i = 0; i < p->rows.count * MAX_LANES; i++)
        if (cells[i].count)
            flush(p, &cells[i]);
    free(cells);
}
