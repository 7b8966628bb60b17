/**
 * @file launch_start.c
 * Kept are the rows whose last writer is not ordered before the launch. All others tell it nothing: what its own earlier runs
 * have left there never happened, and everybody else is ordered before it.
 */
#include "check/race/launch_start.h"

#include <stdlib.h>

#include "analyse/effects.h"
#include "check/race/shadow/read_ranges.h"
#include "check/race/shadow/shadow_copy.h"
#include "execute/machine.h"
#include "memory/memory.h"

/** Rows that are kept, so that launches of many streams do not copy all that lies beside them: those with strong writes, which
 *  are signals, and others, where a run's own writes hide from the next what a launch beside it has written. */
#define MAX_STRONG_ROWS 512
#define MAX_PLAIN_ROWS 256

struct keeping {
    struct race *race;
    uint32_t floor;
    int strong, plain;
};

static void keep_rows(void *self, struct allocation *a)
{
    struct keeping *k = self;
    struct shadow *s = a->shadow;
    bool strongly;
    if (a->freed || shadow_is_older(s, k->floor))
        return;
    shadow_settle(s, k->floor, k->race->readers);
    for (uint64_t i = 0; i < s->chunks; i++)
        for (uint64_t j = 0; s->chunk[i] && j < CHUNK_ROWS; j++) {
            const struct shadow_row *row = shadow_row_settled(&s->chunk[i][j]);
            if (!shadow_row_written_since(row, k->floor, &strongly) ||
                (strongly ? k->strong++ >= MAX_STRONG_ROWS : k->plain++ >= MAX_PLAIN_ROWS))
                continue;
            struct kept_row *kept = LIST_PUSH(&k->race->start.rows);
            *kept = (struct kept_row){.of = a, .offset = (i * CHUNK_ROWS + j) * ROW_BYTES, .row = {.row.old_at = ROW_ALONE}};
            shadow_row_copy(&kept->row.row, row);
        }
}

static void put_back(struct race *race, uint32_t floor)
{
    struct allocation *settled = NULL;
    for (int i = 0; i < race->start.rows.count; i++) {
        const struct kept_row *kept = &race->start.rows.data[i];
        struct allocation *a = kept->of;
        struct shadow *s = shadow_of(a); /* it may have been freed in between */
        if (a != settled)
            shadow_settle(s, floor, race->readers);
        settled = a;
        shadow_row_copy(shadow_row_at(s, kept->offset), &kept->row.row);
        shadow_wrote(s, floor);
    }
}

void launch_start_forget(struct race *race)
{
    for (int i = 0; i < race->start.rows.count; i++)
        shadow_row_clear(&race->start.rows.data[i].row.row);
    LIST_FREE(&race->start.rows);
    race->start.set = 0;
}

void launch_start(struct race *race, const struct launch *launch)
{
    if (race->start.set == launch->set) {
        put_back(race, launch->floor);
        return;
    }
    launch_start_forget(race);
    race->start.set = launch->set;
    bool hears = launch->grid.config.together || !kernel_is_determined(launch->grid.config.kernel);
    if (launch->floor < launch->first_agent && hears)
        memory_each(machine_memory(race->machine), keep_rows, &(struct keeping){race, launch->floor, 0, 0});
}

uint64_t launch_start_each_set(struct race *race, uint32_t (*fn)(void *self, uint32_t set), void *self)
{
    uint64_t words = 0;
    for (int i = 0; i < race->start.rows.count; i++) {
        struct shadow_word *row = race->start.rows.data[i].row.row.words;
        if (row)
            words += words_each_set(row, ROW_WORDS, race->floor, fn, self);
    }
    return words;
}
