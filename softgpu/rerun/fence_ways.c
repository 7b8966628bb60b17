/**
 * @file fence_ways.c
 * See fence_ways.h. The fences are bits of a word: two may share one, and are then taken for the same.
 */
#include "rerun/fence_ways.h"

#include <assert.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/mix.h"
#include "execute/grid.h"
#include "execute/observer.h"

struct fence_ways {
    struct machine *machine;
    uint64_t blocks;
    uint64_t *now;              /**< fences of each block in the present run, */
    uint64_t *before;           /**< and in an earlier one, in which it was not the last */
    LIST(uint64_t) lasts;       /**< blocks that have been the last */
};

static void on_fence(void *self, const struct warp *w, const struct insn *in, enum mem_order order, enum mem_scope scope)
{
    struct fence_ways *f = self;
    (void)order, (void)scope;
    if (w->block->index < f->blocks)
        f->now[w->block->index] |= 1ull << mix64(in->site) % 64;
}

static const struct observer ways_observer = {.name = "fence ways", .fence = on_fence};

struct fence_ways *fence_ways_begin(struct machine *m, uint64_t blocks)
{
    struct fence_ways *f = calloc(1, sizeof *f);
    assert(f);
    f->machine = m;
    f->blocks = blocks;
    f->now = calloc(blocks, sizeof *f->now);
    f->before = calloc(blocks, sizeof *f->before);
    assert(f->now && f->before);
    observers_add(machine_observers(m), &ways_observer, f);
    return f;
}

void fence_ways_had_last(struct fence_ways *f, uint64_t last)
{
    for (uint64_t b = 0; b < f->blocks; b++) {
        if (b != last)
            f->before[b] = f->now[b];
        f->now[b] = 0;
    }
    *LIST_PUSH(&f->lasts) = last;
}

bool fence_ways_next(const struct fence_ways *f, uint64_t *block)
{
    for (uint64_t b = 0; b < f->blocks; b++) {
        bool known = false;
        for (int i = 0; i < f->lasts.count; i++)
            known |= f->before[f->lasts.data[i]] == f->before[b];
        if (!known) {
            *block = b;
            return true;
        }
    }
    return false;
}

void fence_ways_end(struct fence_ways *f)
{
    observers_remove(machine_observers(f->machine));
    LIST_FREE(&f->lasts);
    free(f->now);
    free(f->before);
    free(f);
}
