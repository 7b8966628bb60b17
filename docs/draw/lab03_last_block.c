/**
 * @file lab03_last_block.c
 * The last-block guard as two columns: what the writer does, what the reader does, and the two
 * halves between which the ticket carries the order.
 */
#include "svg.h"

struct event {
    int column, row;
    const char *text, *color;
};

int main(void)
{
    static const struct event events[] = {
        {0, 0, "partial[3] = 97", "black"},
        {0, 1, "__threadfence()   release", GREEN},
        {0, 2, "ticket: 6", BLUE},
        {1, 3, "ticket: 7, the last", BLUE},
        {1, 4, "__threadfence()   acquire", GREEN},
        {1, 5, "reads partial[3]: 97", "black"},
    };
    const int left[] = {40, 340}, top = 80, row = 44;
    svg_begin(640, 400, "The two halves of the last-block guard");
    svg_text(left[0], 36, "start", "black", "block 3, thread 0");
    svg_text(left[1], 36, "start", "black", "block 7, thread 0");
    for (int i = 0; i < 2; i++)
        svg_line(left[i] - 14, 50, left[i] - 14, top + row * 5 + 20, GREY);
    for (unsigned i = 0; i < sizeof events / sizeof events[0]; i++)
        svg_text(left[events[i].column], top + row * events[i].row + 5, "start", events[i].color,
                 "%s", events[i].text);
    // The ticket is where the two meet.
    svg_arrow(left[0] + 80, top + row * 2, left[1] - 18, top + row * 3 - 2, BLUE);
    svg_text(40, 350, "start", RED, "Without the release, the ticket may arrive before the 97.");
    svg_text(40, 374, "start", RED,
             "Without the acquire, partial[3] may be read before the ticket.");
    svg_end();
}
