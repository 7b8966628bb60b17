/**
 * @file lab02_memory_fences.c
 * Four litmus tests as graphs: an outcome is impossible where its arrows make a circle.
 *
 * An arrow says "comes before": a store before the load that returns it, a load that returned 0
 * before the store, and, along a thread, what a fence keeps in order.
 */
#include <stdbool.h>
#include <string.h>

#include "svg.h"

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

#define WIDTH 330
#define HEIGHT 210

static void draw(const struct test *t, int left, int top)
{
    int x[] = {left + 75, left + 240}, y[] = {top + 60, top + 128};
    svg_text(left + 20, top + 24, "start", "black", "%s:  %s", t->name, t->outcome);
    bool circle = true;
    for (int thread = 0; thread < 2; thread++) {
        bool kept = is_kept(t, thread);
        circle &= kept;
        for (int i = 0; i < 2; i++)
            svg_text(x[thread], y[i], "middle", "black", "%s", t->access[thread][i]);
        if (kept)
            svg_arrow(x[thread], y[0] + 8, x[thread], y[1] - 16, GREEN);
        svg_text(x[thread] + (kept ? 6 : 0), (y[0] + y[1]) / 2 + 1, kept ? "start" : "middle",
                 kept ? GREEN : GREY, "%s", *t->fence ? t->fence : "nothing");
    }
    for (int i = 0; i < 2; i++) {
        int from = t->arrows[i][0], to = t->arrows[i][1], right = from / 2 == 0 ? 1 : -1;
        svg_arrow(x[from / 2] + right * 30, y[from % 2] - 5, x[to / 2] - right * 30, y[to % 2] - 5,
                  is_store(t->access[from / 2][from % 2]) ? BLUE : ORANGE);
    }
    svg_text(left + 20, top + 168, "start", circle ? RED : GREEN, "%s",
             circle ? "cannot be: the arrows make a circle" : "can be");
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
    svg_begin(2 * WIDTH, 2 * HEIGHT - 10, "Which outcomes do fences forbid?");
    for (int i = 0; i < 4; i++)
        draw(&tests[i], i % 2 * WIDTH, i / 2 * HEIGHT - (i / 2) * 20);
    svg_line(WIDTH, 10, WIDTH, 2 * HEIGHT - 46, PALE);
    svg_text(20, 2 * HEIGHT - 22, "start", BLUE, "the load sees the store");
    svg_text(220, 2 * HEIGHT - 22, "start", ORANGE, "the load misses the store");
    svg_text(430, 2 * HEIGHT - 22, "start", GREEN, "a fence keeps the order");
    svg_end();
}
