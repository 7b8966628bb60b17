/**
 * @file look_back.c
 * Decoupled look-back: the words of six tiles at some moment, and what the last of them adds up.
 */
#include "../svg.h"

int main(void)
{
    static const struct {
        const char *state, *sum, *color;
    } words[] = {{"prefix", "7", GREEN},     {"prefix", "12", GREEN},   {"aggregate", "4", BLUE},
                 {"prefix", "19", GREEN},    {"aggregate", "6", BLUE},  {"nothing", "", GREY}};
    static const char *const sums[] = {"7", "5", "4", "3", "6", "2"};
    const int left = 8, wide = 104, top = 66;
    svg_begin(368, "What tile 5 sees when it looks back");
    for (int t = 0; t < 6; t++) {
        int x = left + wide * t;
        svg_text(x + 47, 28, "middle", BLACK, "tile %d", t);
        svg_text(x + 47, 54, "middle", GREY, "sum %s", sums[t]);
        svg_rect(x, top, wide - 6, 66, PALE);
        svg_text(x + 47, top + 27, "middle", words[t].color, "%s", words[t].state);
        svg_text(x + 47, top + 54, "middle", words[t].color, "%s", words[t].sum);
    }
    // The search, from right to left.
    int mid = left + 47, row = 186;
    svg_arrow(mid + wide * 5, row, mid + wide * 4 + 4, row, BLUE);
    svg_line(mid + wide * 4, top + 72, mid + wide * 4, row + 24, BLUE);
    svg_text(mid + wide * 4, row + 44, "middle", BLUE, "add 6, go on");
    svg_arrow(mid + wide * 4 - 4, row, mid + wide * 3 + 4, row, BLUE);
    svg_line(mid + wide * 3, top + 72, mid + wide * 3, row + 60, GREEN);
    svg_text(mid + wide * 3, row + 80, "middle", GREEN, "add 19, done");
    svg_text(20, 318, "start", BLACK, "Before tile 5 come 19 + 6 = 25. It publishes the prefix 25 + 2 = 27.");
    svg_text(20, 348, "start", GREY, "Tile 2 is still looking: nobody waits for it.");
    svg_end();
}
