/**
 * @file sum.c
 * A sum by two blocks of eight threads, as it ran (sum.run): each thread of the grid has a column,
 * and each row is one thing that a block's threads did together. Reads the run from stdin.
 */
#include "../svg.h"

#include <string.h>

#define BLOCKS 2
#define THREADS 8
#define CELL 31
#define ROW 34
#define LEFT 112
#define GAP 12 /**< between the blocks */
#define MAX_ROWS 16
// Where the rows of loads, the tree and the sum begin.
#define LOADS 62
#define TREE 172
#define OUT 364

struct row {
    char what[16];
    unsigned mask;
};

struct block {
    struct row rows[MAX_ROWS];
    int count;
};

static double column(int block, int thread)
{
    return LEFT + block * (THREADS * CELL + GAP) + thread * CELL;
}

static int read_run(struct block *blocks)
{
    unsigned block, mask;
    char what[16];
    while (scanf("%u %15s %x", &block, what, &mask) == 3) {
        if (block >= BLOCKS || blocks[block].count == MAX_ROWS)
            return -1;
        struct row *row = &blocks[block].rows[blocks[block].count++];
        strcpy(row->what, what);
        row->mask = mask;
    }
    return blocks[0].count ? 0 : -1;
}

/** One cell for each active thread, with a number: `first` for thread 0, behind `sign`. */
static void draw_cells(int block, unsigned mask, double y, const char *sign, int first)
{
    for (int t = 0; t < THREADS; t++)
        if (mask >> t & 1) {
            svg_rect(column(block, t), y, CELL, ROW - 6, block ? ORANGE : BLUE);
            svg_text(column(block, t) + CELL / 2.0, y + 20, "middle", "white", "%s%d", sign,
                     first + t);
        }
}

/** The rows of loads: which elements each thread adds to its own sum. @return how many rows */
static int draw_loads(int block, const struct block *run)
{
    int round = 0;
    for (; !strcmp(run->rows[round].what, "load"); round++)
        draw_cells(block, run->rows[round].mask, LOADS + round * ROW, "",
                   (round * BLOCKS + block) * THREADS);
    return round;
}

/** From the first store on: of N active threads each adds what stands N places further on. */
static void draw_tree(int block, const struct block *run, int at)
{
    double y = TREE;
    for (; at < run->count; at++) {
        unsigned mask = run->rows[at].mask;
        int active = __builtin_popcount(mask);
        if (!strcmp(run->rows[at].what, "barrier")) {
            svg_line(column(block, 0), y, column(block, THREADS), y, RED);
            y += 8;
        } else if (!strcmp(run->rows[at].what, "store")) {
            draw_cells(block, mask, y, active < THREADS ? "+" : "", active < THREADS ? active : 0);
            y += ROW - 2;
        } else {
            double x = column(block, 0) + CELL / 2.0;
            svg_arrow(x, y - 4, x, y + 26, block ? ORANGE : BLUE);
        }
    }
}

static void label(double y, const char *text)
{
    svg_text(LEFT - 10, y + 20, "end", BLACK, "%s", text);
}

int main(void)
{
    static struct block blocks[BLOCKS];
    if (read_run(blocks))
        return 1;
    svg_begin(402, "A sum by two blocks of eight threads");
    for (int b = 0; b < BLOCKS; b++) {
        svg_text(column(b, 0), 24, "start", BLACK, "block %d", b);
        for (int t = 0; t < THREADS; t++)
            svg_text(column(b, t) + CELL / 2.0, 50, "middle", GREY, "%d", t);
        draw_tree(b, &blocks[b], draw_loads(b, &blocks[b]));
    }
    label(30, "thread");
    label(LOADS, "elements");
    label(TREE, "shared");
    static const char *const steps[] = {"4 add", "2 add", "1 adds"};
    for (int i = 0; i < 3; i++)
        label(TREE + (i + 1) * (ROW + 6), steps[i]);
    label(OUT, "atomicAdd");
    svg_rect(LEFT, OUT, 2 * THREADS * CELL + GAP, ROW - 6, PALE);
    svg_text((LEFT + column(1, THREADS)) / 2, OUT + 20, "middle", BLACK, "out");
    svg_text(column(1, THREADS), OUT - 12, "end", RED, "red: __syncthreads()");
    svg_end();
}
