/**
 * @file assignment.c
 * The same uneven items, dealt out in advance and fetched from a queue.
 */
#include "../svg.h"

#define BLOCKS 4
#define ITEMS 20
#define UNIT 5
#define ROW 36
#define LEFT 100

static const int lengths[ITEMS] = {40, 3, 5, 2, 30, 4, 6, 3, 2, 5, 8, 4, 20, 3, 2, 6, 4, 5, 3, 2};
static const char *const colors[] = {BLUE, ORANGE, GREEN, GREY};

static void draw_item(int top, int block, int start, int item)
{
    svg_rect(LEFT + UNIT * start, top + ROW * block, UNIT * lengths[item], ROW - 6,
             colors[item % 4]);
}

/** Gives each item to block item % BLOCKS (`queue` 0) or to the block that is free first. */
static int draw(int top, const char *title, int queue)
{
    int busy[BLOCKS] = {0}, end = 0;
    svg_text(LEFT, top - 14, "start", BLACK, "%s", title);
    for (int b = 0; b < BLOCKS; b++)
        svg_text(LEFT - 12, top + ROW * b + 21, "end", BLACK, "block %d", b);
    for (int i = 0; i < ITEMS; i++) {
        int block = i % BLOCKS;
        if (queue)
            for (int b = block = 0; b < BLOCKS; b++)
                block = busy[b] < busy[block] ? b : block;
        draw_item(top, block, busy[block], i);
        busy[block] += lengths[i];
        end = busy[block] > end ? busy[block] : end;
    }
    int x = LEFT + UNIT * end;
    svg_line(x, top - 4, x, top + ROW * BLOCKS, RED);
    svg_text(x + 8, top + ROW * BLOCKS - 12, "start", RED, "%d", end);
    return end;
}

int main(void)
{
    svg_begin(398, "Static assignment and a work queue");
    draw(44, "static: item i to block i % 4", 0);
    draw(244, "queue: the next item to whoever is free", 1);
    svg_end();
}
