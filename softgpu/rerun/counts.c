/**
 * @file counts.c
 * See counts.h.
 */
#include "rerun/counts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void counts_copy(struct grid *to, const struct grid *from)
{
    to->instructions = from->instructions;
    to->lane_instructions = from->lane_instructions;
    memcpy(to->counters, from->counters, sizeof to->counters);
    if (from->use_count) {
        to->uses = realloc(to->uses, MAX_OBJECT_USES * sizeof *to->uses);
        assert(to->uses);
        memcpy(to->uses, from->uses, (size_t)from->use_count * sizeof *to->uses);
    }
    to->use_count = from->use_count;
    to->loads = from->loads;
    to->moved = from->moved;
    to->waited_clocks = from->waited_clocks;
}

void counts_begin(struct grid *to, const struct grid *from)
{
    *to = *from;
    to->uses = NULL;
    counts_copy(to, from);
}

/** Is the work shared out more evenly? */
static bool is_more_even(const struct object_use *o, const struct object_use *than)
{
    return o->uses && (double)o->busiest_uses * (double)than->uses < (double)than->busiest_uses * (double)o->uses;
}

void counts_keep_most(struct grid *kept, const struct grid *other)
{
    for (int i = 0; i < kept->use_count; i++)
        for (int k = 0; k < other->use_count; k++) {
            struct object_use *u = &kept->uses[i];
            const struct object_use *o = &other->uses[k];
            if (u->allocation != o->allocation)
                continue;
            u->writing_blocks = o->writing_blocks > u->writing_blocks ? o->writing_blocks
                                                                      : u->writing_blocks;
            u->zeroings = o->zeroings > u->zeroings ? o->zeroings : u->zeroings;
            if (o->uses && o->busiest_warp < u->busiest_warp)
                u->busiest_warp = o->busiest_warp;
            if (is_more_even(o, u)) {
                u->uses = o->uses;
                u->busiest_uses = o->busiest_uses;
            }
        }
}
