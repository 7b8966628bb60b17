/**
 * @file shares.c
 * See shares.h. Alike are launches of the same kernels, in the same shape, whose natural runs take the same number of instructions.
 */
#include "rerun/shares.h"

#include "base/mix.h"
#include "report/reporter.h"
#include "rerun/rerun_state.h"

static uint64_t mix_shape(uint64_t h, const struct grid_config *c)
{
    h = mix_in(h, (uint64_t)(uintptr_t)c->kernel);
    for (int i = 0; i < 3; i++)
        h = mix_in(mix_in(mix_in(h, c->grid[i]), c->block[i]), c->cluster[i]);
    return mix_in(h, c->dynamic_shared);
}

static uint64_t likeness(const struct replay *replay, enum share share)
{
    uint64_t h = mix_in((uint64_t)share + 1, replay_instructions(replay));
    for (int i = 0; i < replay->count; i++)
        h = mix_shape(h, replay->configs[i]);
    return mix64(h);
}

bool share_is_left(const struct rerun *r, const struct replay *replay, enum share share, uint64_t used, uint64_t all)
{
    return used < all / 2 || (used < all && !hash_set_has(&r->looked_into, likeness(replay, share)));
}

void share_taken(struct rerun *r, const struct replay *replay, enum share share)
{
    hash_set_add(&r->looked_into, likeness(replay, share));
}

void share_missed(struct rerun *r, const struct replay *replay, enum share share)
{
    if (!hash_set_has(&r->looked_into, likeness(replay, share)))
        report_incomplete_of(machine_reporter(replay->machine), INCOMPLETE_SHARE, replay->configs[0]->kernel->name);
}
