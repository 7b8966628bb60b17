/**
 * @file halo.c
 * A row of cells on two devices: each keeps a copy of the other's edge beside its own cells.
 */
#include "../svg.h"

#define SIZE 44
#define CELLS 5

static void cell(int x, int y, const char *fill, const char *color, const char *text)
{
    svg_rect(x, y, SIZE, SIZE, fill);
    svg_text(x + SIZE / 2.0, y + 29, "middle", color, "%s", text);
}

int main(void)
{
    static const char *const left[] = {"1", "2", "3", "4", "n"}, *const right[] = {"1", "2", "3", "4", "n"};
    svg_begin(280, "Two rows, each with the other's edge beside it");
    int y = 70, first = 24, second = 24 + (CELLS + 2) * SIZE;
    svg_text(first, 44, "start", BLUE, "device 0");
    svg_text(second + 12, 44, "start", ORANGE, "device 1");
    for (int i = 0; i < CELLS; i++)
        cell(first + i * SIZE, y, i == CELLS - 1 ? BLUE : PALE, i == CELLS - 1 ? "white" : BLACK, left[i]);
    cell(first + CELLS * SIZE, y, "#f6d9c4", BLACK, "n+1");
    cell(second + 12, y, "#c9dcf2", BLACK, "0");
    for (int i = 0; i < CELLS; i++)
        cell(second + 12 + (i + 1) * SIZE, y, i == 0 ? ORANGE : PALE, i == 0 ? "white" : BLACK, right[i]);
    int low = y + SIZE + 8;
    svg_arrow(first + (CELLS - 0.5) * SIZE, low, second + 12 + 0.5 * SIZE, low + 36, BLUE);
    svg_arrow(second + 12 + 1.5 * SIZE, low, first + (CELLS + 0.5) * SIZE, low + 36, ORANGE);
    svg_text(20, 206, "start", BLACK, "Before each step the edge goes to the neighbour.");
    svg_text(20, 234, "start", BLACK, "It must be there before it is read,");
    svg_text(20, 262, "start", BLACK, "and read before its place is written again.");
    svg_end();
}
