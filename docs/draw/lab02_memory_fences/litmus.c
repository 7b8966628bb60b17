/**
 * @file litmus.c
 * Four litmus tests as graphs: an outcome is impossible where its arrows make a circle.
 *
 * An arrow says "comes before": a store before the load that returns it, a load that returned 0
 * before the store, and, along a thread, what a fence keeps in order.
 */
#include <stdbool.h>
#include <string.h>

#include "../svg.h"

struct test {
    const char *name, *outcome;
    const char *access[2][2]; /**< of each thread */
    const char *fence;        /**< between them, "" for none */
    int arrows[2][2];         /**< between threads, as numbers 2 * thread + access */
};

static bool is_store(const char *access)
{
    return strstr(access, "= 1") != NULL;
}

/** Whether the fence keeps the two accesses of a thread in order, as the other thread sees them. */
static bool is_kept(const struct test *t, int thread)
{
    bool store_then_load = is_store(t->access[thread][0]) && !is_store(t->access[thread][1]);
    return !strcmp(t->fence, "fence") || (!strcmp(t->fence, "fence_acq_rel") && !store_then_load);
}

#define PANEL_WIDTH (WIDTH / 2)
#define PANEL 196

static void draw(const struct test *t, int left, int top)
{
    int x[] = {left + 66, left + 230}, y[] = {top + 66, top + 138};
    svg_text(left + 14, top + 28, "start", BLACK, "%s:  %s", t->name, t->outcome);
    bool circle = true;
    for (int thread = 0; thread < 2; thread++) {
        bool kept = is_kept(t, thread);
        circle &= kept;
        for (int i = 0; i < 2; i++)
            svg_text(x[thread], y[i], "middle", BLACK, "%s", t->access[thread][i]);
        if (kept)
            svg_arrow(x[thread], y[0] + 8, x[thread], y[1] - 18, GREEN);
        else
            svg_dashes(x[thread], y[0] + 10, x[thread], y[1] - 20, GREY);
    }
    for (int i = 0; i < 2; i++) {
        int from = t->arrows[i][0], to = t->arrows[i][1], right = from / 2 == 0 ? 1 : -1;
        svg_arrow(x[from / 2] + right * 34, y[from % 2] - 6, x[to / 2] - right * 34, y[to % 2] - 6,
                  is_store(t->access[from / 2][from % 2]) ? BLUE : ORANGE);
    }
    svg_text(left + 14, top + 172, "start", circle ? RED : GREEN, "%s",
             circle      ? "cannot be: they make a circle"
             : *t->fence ? "can be, fence_acq_rel or not"
                         : "can be");
}

int main(void)
{
    static const struct test tests[] = {
        {"mp", "a = 1, b = 0", {{"x = 1", "y = 1"}, {"a = y", "b = x"}}, "", {{1, 2}, {3, 0}}},
        {"mp_fences",
         "a = 1, b = 0",
         {{"x = 1", "y = 1"}, {"a = y", "b = x"}},
         "fence",
         {{1, 2}, {3, 0}}},
        {"sb_acq_rel",
         "a = 0, b = 0",
         {{"x = 1", "a = y"}, {"y = 1", "b = x"}},
         "fence_acq_rel",
         {{1, 2}, {3, 0}}},
        {"sb_fences",
         "a = 0, b = 0",
         {{"x = 1", "a = y"}, {"y = 1", "b = x"}},
         "fence",
         {{1, 2}, {3, 0}}},
    };
    svg_begin(2 * PANEL + 50, "Which outcomes do fences forbid?");
    for (int i = 0; i < 4; i++)
        draw(&tests[i], i % 2 * PANEL_WIDTH, i / 2 * PANEL);
    svg_line(PANEL_WIDTH - 8, 10, PANEL_WIDTH - 8, 2 * PANEL - 16, PALE);
    svg_line(10, PANEL - 8, WIDTH - 10, PANEL - 8, PALE);
    svg_text(14, 2 * PANEL + 24, "start", BLUE, "load sees store");
    svg_text(208, 2 * PANEL + 24, "start", ORANGE, "load misses store");
    svg_text(430, 2 * PANEL + 24, "start", GREEN, "fence keeps order");
    svg_end();
}
