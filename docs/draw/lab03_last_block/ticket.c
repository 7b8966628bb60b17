/**
 * @file ticket.c
 * The last-block guard as two columns: what the writer does, what the reader does, and the two
 * halves between which the ticket carries the order.
 */
#include "../svg.h"

struct event {
    int column, row;
    const char *text, *color;
};

int main(void)
{
    static const struct event events[] = {
        {0, 0, "partial[3] = 97", BLACK},
        {0, 1, "__threadfence()   release", GREEN},
        {0, 2, "ticket: 6", BLUE},
        {1, 3, "ticket: 7, the last", BLUE},
        {1, 4, "__threadfence()   acquire", GREEN},
        {1, 5, "reads partial[3]: 97", BLACK},
    };
    const int left[] = {30, 340}, top = 76, row = 44;
    svg_begin(404, "The two halves of the last-block guard");
    svg_text(left[0], 32, "start", GREY, "block 3, thread 0");
    svg_text(left[1], 32, "start", GREY, "block 7, thread 0");
    for (int i = 0; i < 2; i++)
        svg_line(left[i] - 14, 46, left[i] - 14, top + row * 5 + 16, GREY);
    for (unsigned i = 0; i < sizeof events / sizeof events[0]; i++)
        svg_text(left[events[i].column], top + row * events[i].row + 6, "start", events[i].color,
                 "%s", events[i].text);
    // The ticket is where the two meet.
    svg_arrow(left[0] + 88, top + row * 2, left[1] - 18, top + row * 3 - 2, BLUE);
    svg_text(left[0], 350, "start", RED, "No release: the ticket may arrive before the 97.");
    svg_text(left[0], 382, "start", RED, "No acquire: partial[3] may be read before the ticket.");
    svg_end();
}
