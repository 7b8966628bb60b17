/**
 * @file lab01_bitonic_sort.c
 * The bitonic sorting network for 8 values: each column a step, each arrow a pair that is put in
 * order, pointing to where the larger value goes.
 */
#include "svg.h"

#define VALUES 8
#define ROW 40
#define LEFT 60
#define TOP 70

/** Pairs of one step are drawn side by side where they overlap. */
static int draw_step(int k, int j, int x)
{
    int lanes = j;
    for (int i = 0; i < VALUES; i++) {
        int partner = i ^ j;
        if (partner < i)
            continue;
        int column = x + 18 * (i % j);
        int up = (i & k) == 0 || k == VALUES;
        double from = TOP + ROW * (up ? i : partner), to = TOP + ROW * (up ? partner : i);
        svg_arrow(column, from, column, to, up ? BLUE : ORANGE);
    }
    svg_text(x + 9 * (lanes - 1), TOP - 20, "middle", "black", "%d", j);
    return x + 18 * lanes + 26;
}

int main(void)
{
    int width = 560, bottom = TOP + ROW * (VALUES - 1);
    svg_begin(width, bottom + 60, "The bitonic sorting network for 8 values");
    for (int i = 0; i < VALUES; i++) {
        svg_line(LEFT - 20, TOP + ROW * i, width - 30, TOP + ROW * i, GREY);
        svg_text(LEFT - 30, TOP + ROW * i + 5, "end", "black", "%d", i);
    }
    svg_text(LEFT - 30, TOP - 45, "end", "black", "k");
    svg_text(LEFT - 30, TOP - 20, "end", "black", "j");
    int x = LEFT + 10;
    for (int k = 2; k <= VALUES; k *= 2) {
        int first = x;
        for (int j = k / 2; j > 0; j /= 2)
            x = draw_step(k, j, x);
        svg_text((first + x - 44) / 2.0, TOP - 45, "middle", "black", "%d", k);
        x += 24;
    }
    svg_text(LEFT, bottom + 40, "start", BLUE, "ascending: (i &amp; k) == 0");
    svg_text(LEFT + 230, bottom + 40, "start", ORANGE, "descending");
    svg_end();
}
