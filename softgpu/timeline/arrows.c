/**
 * @file arrows.c
 * An arrow a wait, a red line a race. Arrows that would lie on others are left out, and counted.
 */
#include <stdlib.h>

#include "base/mix.h"
#include "timeline/pen.h"

#define MAX_ARROWS 2000

/** Where a number stands. */
struct spot {
    int x, y;
};

/** Whether an arrow of these ends was drawn before; a picture holds at most MAX_ARROWS. */
static bool is_new_arrow(uint64_t *seen, int *count, uint64_t key)
{
    size_t size = MAX_ARROWS * 2, at = (size_t)(key * MIX_STEP >> 32) % size;
    while (seen[at] && seen[at] != key)
        at = (at + 1) % size;
    if (seen[at] || *count == MAX_ARROWS)
        return false;
    seen[at] = key;
    ++*count;
    return true;
}

static void arrow(struct picture *p, const struct timeline_wait *w, const struct row *from,
                  const struct row *to)
{
    bool down = to->y > from->y;
    int x1 = pen_x(p, w->from_ns), x2 = pen_x(p, w->to_ns);
    int y1 = down ? from->y + from->height : from->y, y2 = down ? to->y : to->y + to->height;
    int bend = x2 - x1 < 120 ? (x2 - x1) / 2 + 20 : 80;
    fprintf(p->f, "<path fill=\"none\" %s", wait_styles[w->kind]);
    pen_put(p, " d=\"M", x1, " ");
    pen_put(p, "", y1, "C");
    pen_put(p, "", x1 + bend, " ");
    pen_put(p, "", y1 + (y2 - y1) / 3, " ");
    pen_put(p, "", x2 - bend, " ");
    pen_put(p, "", y2 - (y2 - y1) / 3, " ");
    pen_put(p, "", x2, " ");
    pen_put(p, "", y2, "\"><title>");
    pen_string(p, rows_name(p->t, w->to_stream));
    fputs(" waits for ", p->f);
    pen_string(p, rows_name(p->t, w->from_stream));
    fputs(w->label ? ": " : "", p->f);
    pen_string(p, w->label ? w->label : "");
    fputs("</title></path>\n", p->f);
}

void draw_waits(struct picture *p)
{
    uint64_t *seen = calloc(MAX_ARROWS * 2, sizeof *seen);
    int count = 0;
    if (!seen)
        abort();
    for (int i = 0; i < p->t->waits.count; i++) {
        const struct timeline_wait *w = &p->t->waits.data[i];
        int from = rows_find(&p->rows, w->from_stream), to = rows_find(&p->rows, w->to_stream);
        if (from < 0 || to < 0 || from == to)
            continue;
        uint64_t key = ((uint64_t)(pen_x(p, w->from_ns) / 40) << 48 | (uint64_t)(pen_x(p, w->to_ns) / 40) << 32 |
                        (uint64_t)from << 16 | (uint64_t)to) + 1;
        if (is_new_arrow(seen, &count, key))
            arrow(p, w, &p->rows.list[from], &p->rows.list[to]);
        else
            p->arrows_left_out++;
    }
    free(seen);
}

/** Where one side of a race stands; false where it has no bar. */
static bool race_end(struct picture *p, uint64_t op, uint64_t host_ns, int *x, int *y, int *row)
{
    const struct timeline_bar *b = op ? timeline_find(p->t, op) : NULL;
    *row = op && !b ? -1 : rows_find(&p->rows, b ? b->stream : 0);
    if (*row < 0)
        return false;
    int start = pen_x(p, b ? b->start_ns : host_ns), end = b ? pen_x(p, b->end_ns) : start;
    *x = (start + end) / 2;
    *y = p->rows.list[*row].y;
    if (!b)
        return true;
    pen_put(p, "<rect class=\"race\" fill=\"none\" stroke=\"#d1242f\" stroke-width=\"2\" x=\"", start - 10, "\"");
    pen_put(p, " y=\"", *y - 10, "\"");
    pen_put(p, " width=\"", end - start + 15, "\"");
    pen_put(p, " height=\"", p->rows.bar_height + 20, "\"/>\n");
    return true;
}

/** A number on a race's line, moved to the right of one that is there already. */
static void badge(struct picture *p, struct spot *spots, int number, int x, int y)
{
    for (int i = 0; i < number - 1; i++)
        if (abs(spots[i].x - x) < 150 && abs(spots[i].y - y) < 150) {
            x = spots[i].x + 155;
            y = spots[i].y;
            i = -1;
        }
    spots[number - 1] = (struct spot){x, y};
    pen_put(p, "<circle class=\"page\" fill=\"#fff\" stroke=\"#d1242f\" stroke-width=\"1.5\" r=\"7\" cx=\"", x,
            "\"");
    pen_put(p, " cy=\"", y, "\"/>");
    pen_put(p, "<text class=\"bad\" fill=\"#d1242f\" font-weight=\"bold\" text-anchor=\"middle\" x=\"", x,
            "\"");
    pen_put(p, " y=\"", y + 40, "\">");
    fprintf(p->f, "%d</text>\n", number);
}

static void race(struct picture *p, struct spot *spots, int number)
{
    const struct timeline_race *r = &p->t->races.data[number - 1];
    int x1, y1, row1, x2, y2, row2;
    bool first = race_end(p, r->first, r->host_ns, &x1, &y1, &row1);
    bool second = race_end(p, r->second, r->host_ns, &x2, &y2, &row2);
    if (!first || !second)
        return;
    bool down = row2 > row1;
    int height = p->rows.bar_height;
    y1 = row1 == row2 ? y1 + height / 2 : down ? y1 + height : y1;
    y2 = row1 == row2 ? y2 + height / 2 : down ? y2 : y2 + height;
    pen_put(p, "<path " RACE_STYLE " d=\"M", x1, " ");
    pen_put(p, "", y1, "L");
    pen_put(p, "", x2, " ");
    pen_put(p, "", y2, "\"><title>");
    pen_string(p, r->message ? r->message : "");
    fputs("</title></path>\n", p->f);
    if (number <= MAX_LABELS)
        badge(p, spots, number, (x1 + x2) / 2, (y1 + y2) / 2);
}

void draw_races(struct picture *p)
{
    struct spot spots[MAX_LABELS] = {0};
    for (int i = 0; i < p->t->races.count; i++)
        race(p, spots, i + 1);
}
