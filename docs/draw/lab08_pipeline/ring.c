/**
 * @file ring.c
 * Four stages over time: three tiles are on their way while one is computed, and a stage is filled again when it is empty.
 */
#include "../svg.h"

#define LEFT 90
#define UNIT 34
#define STAGES 4
#define TILES 8

static int at(double time)
{
    return (int)(LEFT + UNIT * time);
}

int main(void)
{
    svg_begin(348, "A ring of four stages: three tiles on their way");
    svg_text(LEFT, 34, "start", GREY, "on its way");
    svg_text(LEFT + 120, 34, "start", BLUE, "computed");
    svg_text(at(16), 34, "end", GREY, "time");
    svg_arrow(at(14) - 60, 28, at(14) + 18, 28, GREY);
    for (int s = 0; s < STAGES; s++)
        svg_text(LEFT - 12, 64 + 48 * s + 22, "end", BLACK, "stage %d", s);
    for (int k = 0; k < TILES; k++) {
        /* asked for when tile k - 4 is done, there three tiles later */
        double ask = k < STAGES - 1 ? 0 : 1.5 * (k - 2) + 1.5, full = 3 + 1.5 * k;
        int y = 64 + 48 * (k % STAGES);
        svg_rect(at(ask), y, at(full) - at(ask), 32, PALE);
        svg_text((at(ask) + at(full)) / 2.0, y + 22, "middle", GREY, "%d", k);
        svg_rect(at(full), y, UNIT * 3 / 2, 32, BLUE);
        svg_text(at(full + 0.75), y + 22, "middle", "white", "%d", k);
    }
    svg_text(20, 292, "start", BLACK, "Tile 3 is asked for when tile 0 begins to be computed,");
    svg_text(20, 320, "start", BLACK, "tile 4, into the stage of tile 0, when that is done.");
    svg_end();
}
