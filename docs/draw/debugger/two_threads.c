/**
 * @file two_threads.c
 * Lab 03's published guard: what the first threads of both blocks come by, in the order of the run, and where the fence is missing.
 */
#include <stdlib.h>
#include <string.h>

#include "../svg.h"

#define ROW 41
#define TOP 84
#define GAP 26 /* where the fence would stand */

static const int column[] = {20, 338};

static const char *color_of(const char *text)
{
    return strstr(text, "atomicAdd") ? BLUE : strstr(text, "__threadfence") ? GREEN : BLACK;
}

int main(void)
{
    char line[300], op[16], text[200], written[64] = "", read[64] = "";
    int block, number, row = 0, ticket[2] = {-1, -1}, load = -1;
    svg_begin(450, "The published guard: the two threads of the finding");
    for (int i = 0; i < 2; i++) {
        svg_text(column[i], 36, "start", GREY, "block %d, thread 0", i);
        svg_line(column[i] - 14, 52, column[i] - 14, TOP + ROW * 6 + GAP + 6, GREY);
    }
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "stop %d %d %199[^\n]", &block, &number, text) == 3) {
            int y = TOP + ROW * row++ + (strstr(text, "[b]") ? GAP : 0);
            svg_text(column[block & 1], y, "start", color_of(text), "%d  %s", number, text);
            if (strstr(text, "atomicAdd"))
                ticket[block & 1] = y;
            load = y;
        } else if (sscanf(line, "%15s %d %63[^\n]", op, &block, text) == 3) {
            strcpy(strcmp(op, "store") ? read : written, text);
        }
    }
    svg_arrow(column[0] + 150, ticket[0] + 8, column[1] - 18, ticket[1] - 6, BLUE);
    svg_dashes(column[1] + 16, ticket[1] + 10, column[1] + 16, load - 20, RED);
    svg_text(column[1] - 30, (ticket[1] + load) / 2 + 5, "end", RED, "a fence is missing here");
    svg_line(column[1] - 22, (ticket[1] + load) / 2, column[1] + 8, (ticket[1] + load) / 2, RED);
    svg_text(20, 400, "start", RED, "Block 0 wrote %s. Block 1 has seen its ticket,", written);
    svg_text(20, 428, "start", RED, "and reads %s.", read);
    svg_end();
}
