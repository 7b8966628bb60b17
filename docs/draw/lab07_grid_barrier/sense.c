/**
 * @file sense.c
 * Two rounds of a sense-reversing barrier: three blocks come, the last sets the count back and changes the sense.
 */
#include "../svg.h"

#define LEFT 96
#define UNIT 26

static int at(int time)
{
    return LEFT + UNIT * time;
}

/** A block works from `from` to `to`, and waits until `until`. */
static void stay(int row, int from, int to, int until)
{
    int y = 64 + 44 * row;
    svg_rect(at(from), y, UNIT * (to - from), 30, BLUE);
    if (until > to)
        svg_rect(at(to), y, UNIT * (until - to), 30, PALE);
}

/** What a word says from `from` to `to`. */
static void says(int row, int from, int to, const char *color, int value)
{
    int y = 64 + 44 * row;
    svg_rect(at(from), y, UNIT * (to - from), 30, PALE);
    svg_text((at(from) + at(to)) / 2.0, y + 22, "middle", color, "%d", value);
}

int main(void)
{
    static const int come[2][3] = {{3, 8, 5}, {12, 14, 17}}, opens[2] = {8, 17};
    svg_begin(374, "Two rounds of a sense-reversing barrier");
    svg_text(LEFT, 36, "start", BLUE, "works");
    svg_text(LEFT + 90, 36, "start", GREY, "waits for the sense");
    for (int b = 0; b < 3; b++) {
        svg_text(LEFT - 12, 64 + 44 * b + 21, "end", BLACK, "block %d", b);
        for (int r = 0; r < 2; r++)
            stay(b, r ? opens[0] : 0, come[r][b], opens[r]);
        stay(b, opens[1], 20, 20);
    }
    svg_text(LEFT - 12, 64 + 44 * 3 + 21, "end", BLACK, "count");
    static const int counts[][3] = {{0, 3, 0}, {3, 5, 1}, {5, 8, 2}, {8, 12, 0}, {12, 14, 1}, {14, 17, 2}, {17, 20, 0}};
    for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++)
        says(3, counts[i][0], counts[i][1], BLACK, counts[i][2]);
    svg_text(LEFT - 12, 64 + 44 * 4 + 21, "end", BLACK, "sense");
    says(4, 0, 8, GREEN, 0);
    says(4, 8, 17, ORANGE, 1);
    says(4, 17, 20, GREEN, 2);
    for (int r = 0; r < 2; r++)
        svg_line(at(opens[r]), 56, at(opens[r]), 64 + 44 * 5, RED);
    svg_text(20, 318, "start", BLACK, "The last one to come sets the count back to 0,");
    svg_text(20, 346, "start", BLACK, "and then changes the sense: the others may go on.");
    svg_end();
}
