/**
 * @file network.c
 * The bitonic sorting network for 8 values: each column a step, each arrow a pair that is put in
 * order, pointing to where the larger value goes.
 */
#include "../svg.h"

#define VALUES 8
#define ROW 40
#define LANE 22 /**< between pairs of one step */
#define STEP 46 /**< from one step to the next */
#define LEFT 56
#define TOP 76

/** Pairs of one step are drawn side by side where they overlap. @return where the next step begins */
static int draw_step(int k, int j, int x)
{
    for (int i = 0; i < VALUES; i++) {
        int partner = i ^ j;
        if (partner < i)
            continue;
        int column = x + LANE * (i % j);
        int up = (i & k) == 0 || k == VALUES;
        double from = TOP + ROW * (up ? i : partner), to = TOP + ROW * (up ? partner : i);
        svg_arrow(column, from, column, to, up ? BLUE : ORANGE);
    }
    svg_text(x + LANE * (j - 1) / 2.0, TOP - 22, "middle", BLACK, "%d", j);
    return x + LANE * (j - 1) + STEP;
}

int main(void)
{
    int bottom = TOP + ROW * (VALUES - 1);
    svg_begin(bottom + 54, "The bitonic sorting network for 8 values");
    for (int i = 0; i < VALUES; i++) {
        svg_line(LEFT - 14, TOP + ROW * i, WIDTH - 20, TOP + ROW * i, PALE);
        svg_text(LEFT - 24, TOP + ROW * i + 6, "end", BLACK, "%d", i);
    }
    svg_text(LEFT - 24, TOP - 50, "end", GREY, "k");
    svg_text(LEFT - 24, TOP - 22, "end", GREY, "j");
    int x = LEFT + 24;
    for (int k = 2; k <= VALUES; k *= 2) {
        int first = x;
        for (int j = k / 2; j > 0; j /= 2)
            x = draw_step(k, j, x);
        svg_text((first + x - STEP) / 2.0, TOP - 50, "middle", BLACK, "%d", k);
        x += 56;
    }
    svg_text(LEFT, bottom + 40, "start", BLUE, "ascending: (i &amp; k) == 0");
    svg_text(LEFT + 320, bottom + 40, "start", ORANGE, "descending");
    svg_end();
}
