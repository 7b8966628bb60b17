/**
 * @file any_n.c
 * Six values in a network for eight, as they ran (any_n.run): with part B's descending pairs, and
 * mirrored. The values from n on are not there, and no pair with one of them does anything. Reads
 * the run from stdin.
 */
#include "../svg.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 8
#define VALUES 6
#define STATES 7
#define ROW 22
#define LEFT 12

struct network {
    bool mirrored;
    int states[STATES][VALUES];
};

/** A launch that changed nothing left nothing to record. */
static bool read_values(int *values, const int *before)
{
    char line[256], *at = line;
    if (!fgets(line, sizeof line, stdin) || strncmp(line, "values", 6))
        return false;
    at += 6;
    if (strspn(at, " \n") == strlen(at)) {
        memcpy(values, before, VALUES * sizeof *values);
        return before != values;
    }
    for (int i = 0; i < VALUES; i++)
        values[i] = (int)strtoll(at, &at, 10);
    return true;
}

static bool read_network(struct network *network)
{
    char line[64];
    if (!fgets(line, sizeof line, stdin) || strncmp(line, "network ", 8))
        return false;
    network->mirrored = !strcmp(line + 8, "mirrored\n");
    for (int s = 0; s < STATES; s++)
        if (!read_values(network->states[s], network->states[s ? s - 1 : 0]))
            return false;
    return true;
}

/** Values are shown by their rank, 1 to 6. */
static int rank_of(const int *values, int i)
{
    int rank = 1;
    for (int k = 0; k < VALUES; k++)
        rank += values[k] < values[i];
    return rank;
}

static bool is_sorted(const int *values)
{
    for (int i = 1; i < VALUES; i++)
        if (values[i - 1] > values[i])
            return false;
    return true;
}

static void draw_state(const int *values, double x, double top, bool last)
{
    for (int i = 0; i < SLOTS; i++)
        if (i < VALUES)
            svg_text(x, top + ROW * i + 6, "middle",
                     !last                         ? BLACK
                     : rank_of(values, i) == i + 1 ? GREEN
                                                   : RED,
                     "%d", rank_of(values, i));
        else
            svg_text(x, top + ROW * i + 6, "middle", GREY, "–");
}

static double draw_step(const struct network *network, int k, int j, double x, double top)
{
    bool mirror = network->mirrored && j == k / 2;
    for (int i = 0; i < SLOTS; i++) {
        int partner = mirror ? i ^ (k - 1) : i ^ j;
        if (partner < i)
            continue;
        bool down = network->mirrored || (i & k) == 0;
        double column = x + 12 * (i % j);
        double from = top + ROW * (down ? i : partner), to = top + ROW * (down ? partner : i);
        if (partner < VALUES)
            svg_arrow(column, from, column, to, down ? BLUE : ORANGE);
        else
            svg_dashes(column, from, column, to, down ? GREY : ORANGE);
    }
    return x + 12 * (j - 1);
}

static void draw(const struct network *network, double top, const char *title)
{
    svg_text(LEFT, top - 18, "start", BLACK, "%s", title);
    for (int i = 0; i < SLOTS; i++)
        (i < VALUES ? svg_line : svg_dashes)(LEFT, top + ROW * i, WIDTH - 16, top + ROW * i, PALE);
    double x = LEFT + 14;
    int state = 0;
    draw_state(network->states[state], x, top, false);
    for (int k = 2; k <= SLOTS; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            x = draw_step(network, k, j, x + 30, top) + 30;
            state++;
            draw_state(network->states[state], x, top, state == STATES - 1);
        }
    bool sorted = is_sorted(network->states[STATES - 1]);
    svg_text(x + 22, top + ROW * 3, "start", sorted ? GREEN : RED, sorted ? "sorted" : "wrong");
}

int main(void)
{
    struct network descending, mirrored;
    if (!read_network(&descending) || !read_network(&mirrored))
        return 1;
    svg_begin(450, "Six values in a network for eight");
    draw(&descending, 44, "part B’s network: orange pairs descend");
    draw(&mirrored, 252, "mirrored: all pairs ascend");
    svg_text(LEFT, 440, "start", GREY, "dashed: one of the pair is not there, and nothing is done");
    svg_end();
}
