/**
 * @file lab05_streams.c
 * The same work in one, two and four streams, and in four with an operation in the default stream in
 * the middle: which engine is busy with which chunk, and when. Times as on an H200 for 280 MB in, as
 * much out, and a kernel of 4.4 ms.
 */
#include "svg.h"

#define LEFT 130
#define ROW 22
#define UNIT 32.0 /**< pixels a millisecond */
#define PANEL 118

enum engine { IN, KERNEL, OUT, ENGINES };
static const char *const names[] = {"copy in", "kernel", "copy out"};
static const double whole[] = {5.3, 4.4, 5.3};
static const char *const colors[] = {BLUE, ORANGE, GREEN, GREY};

static double later(double a, double b)
{
    return a > b ? a : b;
}

/** Draws the panel; `middle`: all chunks from that one on wait for all before it. @return the end */
static double draw(int top, const char *title, int chunks, int middle)
{
    double free_at[ENGINES] = {0}, end = 0, held = 0;
    svg_text(LEFT, top - 8, "start", "black", "%s", title);
    for (int e = 0; e < ENGINES; e++) {
        svg_text(LEFT - 10, top + ROW * e + 15, "end", "black", "%s", names[e]);
        svg_rect(LEFT, top + ROW * e, 15.0 * UNIT, ROW - 3, PALE);
    }
    for (int c = 0; c < chunks; c++) {
        double at = 0;
        if (c == middle)
            held = end;
        for (int e = 0; e < ENGINES; e++) {
            double start = later(later(free_at[e], at), held), took = whole[e] / chunks;
            svg_rect(LEFT + UNIT * start, top + ROW * e, UNIT * took, ROW - 3, colors[c % 4]);
            at = free_at[e] = start + took;
        }
        end = at;
    }
    if (middle)
        svg_line(LEFT + UNIT * held, top - 3, LEFT + UNIT * held, top + ROW * ENGINES, RED);
    svg_line(LEFT + UNIT * end, top - 3, LEFT + UNIT * end, top + ROW * ENGINES, "black");
    svg_text(LEFT + UNIT * end + 6, top + ROW * ENGINES - 8, "start", "black", "%.1f ms", end);
    return end;
}

int main(void)
{
    int top = 40;
    svg_begin(700, top + 4 * PANEL, "Copies and kernels in one, two and four streams");
    draw(top, "one stream: one thing at a time", 1, 0);
    draw(top + PANEL, "two streams: while one half is computed, the other comes in", 2, 0);
    draw(top + 2 * PANEL, "four streams", 4, 0);
    draw(top + 3 * PANEL, "four ordinary streams, and something in the default stream in the middle", 4,
         2);
    svg_end();
}
