/**
 * @file svg.h
 * The few shapes that the course's pictures are made of, written to stdout.
 *
 * A picture is 640 wide and at most 450 high, and its text 18: then it can be read on a slide, in a
 * handout and on a phone. Sizes are in pixels. The font is one that every machine has, so that
 * pictures are the same everywhere: they are committed, and a test draws them again.
 */
#ifndef DOCS_DRAW_SVG_H
#define DOCS_DRAW_SVG_H

#include <stdarg.h>
#include <stdio.h>

#define WIDTH 640
#define BLACK "#16191f"
#define BLUE "#1f5fa8"
#define ORANGE "#c2570c"
#define GREEN "#2c7a3f"
#define RED "#b3261e"
#define GREY "#6b7380"
#define PALE "#e4e8ee"

static inline void svg_begin(int height, const char *title)
{
    static const char *const colors[] = {BLACK, BLUE, ORANGE, GREEN, RED, GREY};
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
           "height=\"%d\" role=\"img\" font-family=\"DejaVu Sans, Verdana, sans-serif\" "
           "font-size=\"18\">\n<title>%s</title>\n<defs>",
           WIDTH, height, WIDTH, height, title);
    for (unsigned i = 0; i < sizeof colors / sizeof colors[0]; i++)
        printf(
            "<marker id=\"tip%s\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"6\" "
            "markerHeight=\"6\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"%s\"/></marker>",
            colors[i] + 1, colors[i]);
    puts("</defs>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
}

static inline void svg_end(void)
{
    puts("</svg>");
}

static inline void svg_line(double x1, double y1, double x2, double y2, const char *color)
{
    printf("<line x1=\"%g\" y1=\"%g\" x2=\"%g\" y2=\"%g\" stroke=\"%s\" stroke-width=\"2\"/>\n", x1,
           y1, x2, y2, color);
}

static inline void svg_dashes(double x1, double y1, double x2, double y2, const char *color)
{
    printf("<line x1=\"%g\" y1=\"%g\" x2=\"%g\" y2=\"%g\" stroke=\"%s\" stroke-width=\"2\" "
           "stroke-dasharray=\"4 5\"/>\n",
           x1, y1, x2, y2, color);
}

static inline void svg_arrow(double x1, double y1, double x2, double y2, const char *color)
{
    printf("<line x1=\"%g\" y1=\"%g\" x2=\"%g\" y2=\"%g\" stroke=\"%s\" stroke-width=\"2\" "
           "marker-end=\"url(#tip%s)\"/>\n",
           x1, y1, x2, y2, color, color + 1);
}

static inline void svg_rect(double x, double y, double w, double h, const char *fill)
{
    printf("<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"%s\" stroke=\"white\"/>\n", x,
           y, w, h, fill);
}

/** `anchor` is "start", "middle" or "end"; the text has no characters that XML would mind. */
__attribute__((format(printf, 5, 6))) static inline void
svg_text(double x, double y, const char *anchor, const char *color, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("<text x=\"%g\" y=\"%g\" text-anchor=\"%s\" fill=\"%s\">", x, y, anchor, color);
    vprintf(format, args);
    puts("</text>");
    va_end(args);
}

#endif
