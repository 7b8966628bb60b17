/**
 * @file svg.c
 * The timeline as a picture: a row a stream, a row an engine, a bar an operation, an arrow a wait,
 * a red line a race, over an axis of virtual time. It opens in any browser, and prints.
 *
 * The same timeline gives the same bytes.
 */
#include <string.h>

#include "timeline/pen.h"

/** 1, 2 or 5 times a power of ten, so that at most eight ticks are needed. */
static uint64_t tick_step(uint64_t end_ns)
{
    uint64_t step = 1;
    for (int i = 0; end_ns / step > 8; i++)
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    return step;
}

static void axis(struct picture *p)
{
    uint64_t unit = pen_unit(p->end_ns), step = tick_step(p->end_ns);
    for (uint64_t at = 0; at <= p->end_ns; at += step) {
        int x = pen_x(p, at);
        pen_put(p, "<path class=\"grid\" stroke=\"#dfe3e8\" d=\"M", x, "");
        fprintf(p->f, " %dV", TOP - 4);
        pen_put(p, "", p->rows.bottom, "\"/>");
        pen_put(p, "<text class=\"dim\" fill=\"#57606a\" text-anchor=\"middle\" x=\"", x, "\" y=\"");
        fprintf(p->f, "%d\">", TOP - 9);
        pen_time(p, at, unit, step);
        fprintf(p->f, at + step > p->end_ns ? " %s</text>\n" : "</text>\n", pen_unit_name(unit));
    }
}

static void row_names(struct picture *p)
{
    for (int i = 0; i < p->rows.count; i++) {
        const struct row *r = &p->rows.list[i];
        pen_put(p, "<path class=\"grid\" stroke=\"#dfe3e8\" d=\"M80 ", r->y + r->height + p->rows.gap / 2,
            "H");
        fprintf(p->f, "%d\"/>", LEFT + PLOT);
        fprintf(p->f, "<text class=\"%s\" fill=\"%s\" text-anchor=\"end\" x=\"%d\"",
                r->engine ? "dim" : "ink", r->engine ? "#57606a" : "#1b1f24", LEFT - 8);
        if (strlen(r->name) * ADVANCE > (LEFT - 10) * 10) /* as wide as there is room, whatever the font */
            fprintf(p->f, " textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\"", LEFT - 12);
        pen_put(p, " y=\"", r->y + r->height / 2 + 40, "\">");
        pen_string(p, r->name);
        fputs("</text>\n", p->f);
    }
    if (p->rows.engines_from < p->rows.count && p->rows.engines_from > 0) {
        int y = p->rows.list[p->rows.engines_from].y - p->rows.gap * 2;
        pen_put(p, "<path class=\"dim-line\" stroke=\"#57606a\" d=\"M8 ", y, "H");
        fprintf(p->f, "%d\"/>\n", LEFT + PLOT);
    }
}

static int legend_item(struct picture *p, int x, int y, const char *shape, const char *name)
{
    fprintf(p->f, "<g transform=\"translate(%d %d)\">%s<text class=\"ink\" fill=\"#1b1f24\" x=\"30\" "
                  "y=\"4\">%s</text></g>\n", x, y, shape, name);
    return x + 46 + (int)strlen(name) * ADVANCE / 10;
}

static void legend(struct picture *p, int y)
{
    static const char *const wait_names[] = {"waits for an event", "the default stream's rule",
                                             "the host waits", "an edge of a graph"};
    bool kinds[BAR_KIND_COUNT] = {0}, waits[WAIT_KIND_COUNT] = {0};
    char shape[256];
    int x = 8;
    for (int i = 0; i < p->t->bars.count; i++)
        kinds[p->t->bars.data[i].kind] = true;
    for (int i = 0; i < p->t->waits.count; i++)
        waits[p->t->waits.data[i].kind] = true;
    for (int k = 0; k < BAR_KIND_COUNT; k++) {
        if (!kinds[k])
            continue;
        snprintf(shape, sizeof shape, "<rect fill=\"%s\" x=\"4\" y=\"-6\" width=\"20\" height=\"12\"/>",
                 bar_colors[k]);
        const char *name = k == BAR_CALL ? "a call that waits" : timeline_kind_name((enum bar_kind)k);
        x = legend_item(p, x, y, shape, name);
    }
    x = 8;
    for (int k = 0; k < WAIT_KIND_COUNT; k++) {
        if (!waits[k])
            continue;
        snprintf(shape, sizeof shape, "<path %s d=\"M0 0H25\"/>", wait_styles[k]);
        x = legend_item(p, x, y + 20, shape, wait_names[k]);
    }
    if (p->t->races.count)
        legend_item(p, x, y + 20, "<path " RACE_STYLE " d=\"M0 0H25\"/>", "race: nothing orders the two");
}

/** The races' sentences, as far as a line goes. @return where the text below may begin */
static int race_list(struct picture *p, int y)
{
    const size_t room = (WIDTH - 40) / 6; /* sentences run narrower than labels */
    for (int i = 0; i < p->t->races.count && i < MAX_LABELS; i++, y += 16) {
        const char *message = p->t->races.data[i].message ? p->t->races.data[i].message : "";
        size_t len = strlen(message), n = len <= room ? len : room - 1;
        while (n < len && n && ((unsigned char)message[n] & 0xc0) == 0x80)
            n--;
        fprintf(p->f, "<text class=\"bad\" fill=\"#d1242f\" font-weight=\"bold\" x=\"8\" y=\"%d\">%d</text>"
                      "<text class=\"ink\" fill=\"#1b1f24\" x=\"26\" y=\"%d\">", y, i + 1, y);
        pen_text(p, message, n);
        fputs(n < len ? "…</text>\n" : "</text>\n", p->f);
    }
    return y;
}

/** What the picture leaves out, in words. */
static void foot(struct picture *p, int y)
{
    fprintf(p->f, "<text class=\"dim\" fill=\"#57606a\" x=\"8\" y=\"%d\">", y);
    if (p->merged)
        fprintf(p->f, "Where there are more bars than pixels, colours share a cell as the time was shared (%ld bars). ", p->merged);
    if (p->arrows_left_out)
        fprintf(p->f, "%ld arrows that lie on others are left out. ", p->arrows_left_out);
    if (p->t->cut)
        fputs("The run went on: later operations were not kept.", p->f);
    fputs("</text>\n", p->f);
}

static void begin(struct picture *p, const char *title, int height)
{
    uint64_t unit = pen_unit(p->end_ns);
    fprintf(p->f, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
                  "role=\"img\" font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"11\">\n<title>",
            WIDTH, height, WIDTH, height);
    pen_string(p, title);
    fputs("</title>\n<style>@media(prefers-color-scheme:dark){.page{fill:#0d1117}.ink{fill:#e6edf3}"
          ".dim{fill:#9aa4b0}.grid{stroke:#30363d}.wait{stroke:#e6edf3}.dim-line{stroke:#9aa4b0}"
          ".bad{fill:#ff7b72}.race{stroke:#ff7b72}.tip{fill:#e6edf3}}</style>\n"
          "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
          "markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"tip\" "
          "fill=\"#1b1f24\" d=\"M0 0L8 4L0 8z\"/></marker><marker id=\"pale\" viewBox=\"0 0 8 8\" refX=\"7\" "
          "refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
          "<path class=\"dim\" fill=\"#57606a\" d=\"M0 0L8 4L0 8z\"/></marker></defs>\n"
          "<rect class=\"page\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n", p->f);
    fputs("<text class=\"ink\" fill=\"#1b1f24\" font-size=\"13\" font-weight=\"bold\" x=\"8\" y=\"18\">", p->f);
    pen_string(p, title);
    fprintf(p->f, "</text><text class=\"dim\" fill=\"#57606a\" text-anchor=\"end\" x=\"%d\" y=\"18\">",
            LEFT + PLOT);
    pen_time(p, p->t->end_ns, unit, unit / 100);
    fprintf(p->f, " %s of virtual time, %s</text>\n", pen_unit_name(unit), p->t->device ? p->t->device : "");
}

bool timeline_write_svg(const struct timeline *t, uint64_t end_ns, const char *title, FILE *f)
{
    struct picture p = {.f = f, .t = t, .end_ns = end_ns > t->end_ns ? end_ns : t->end_ns};
    p.end_ns = p.end_ns ? p.end_ns : 1000;
    rows_make(&p.rows, t, TOP * 10);
    int bottom = p.rows.bottom / 10, races = t->races.count < MAX_LABELS ? t->races.count : MAX_LABELS;
    begin(&p, title, bottom + 74 + 16 * races);
    axis(&p);
    row_names(&p);
    draw_bars(&p);
    draw_waits(&p);
    draw_races(&p);
    legend(&p, bottom + 20);
    foot(&p, race_list(&p, bottom + 66));
    fputs("</svg>\n", f);
    rows_free(&p.rows);
    return fflush(f) == 0 && !ferror(f);
}
