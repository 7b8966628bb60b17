/**
 * @file adversary.c
 * Draws, for each read that need not return the newest value, whether it does.
 */
#include "rerun/adversary.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mix.h"
#include "check/checkers.h"
#include "check/race/earlier.h"
#include "check/race/older.h"
#include "execute/chooser.h"
#include "execute/machine.h"

#define MAX_OLDER 64   /* older values shown to one thread in one launch, so that spins end */

/** How often a thread has been shown an older value. */
struct shown {
    uint64_t thread;           /**< 1 + its number in the grid; 0 = free */
    uint32_t count;
};

struct adversary {
    struct machine *machine;
    struct race *race;
    uint64_t random;
    enum shows relied_on;
    struct earlier earlier;    /**< of the read-modify-write that is being made */
    struct shown *shown;       /**< an open-addressing hash table */
    uint64_t shown_mask, shown_count;
};

static uint64_t next_random(struct adversary *a)
{
    return mix64(a->random += MIX_STEP);
}

/* ---- How often ---- */

static struct shown *place_of_thread(const struct adversary *a, uint64_t thread)
{
    uint64_t h = mix64(thread) & a->shown_mask;
    while (a->shown[h].thread && a->shown[h].thread != thread)
        h = (h + 1) & a->shown_mask;
    return &a->shown[h];
}

static void make_table(struct adversary *a, uint64_t size)
{
    a->shown = calloc(size, sizeof *a->shown);
    assert(a->shown);
    a->shown_mask = size - 1;
}

static void grow_table(struct adversary *a)
{
    struct shown *old = a->shown;
    uint64_t size = a->shown_mask + 1;
    make_table(a, size * 2);
    for (uint64_t i = 0; i < size; i++)
        if (old[i].thread)
            *place_of_thread(a, old[i].thread) = old[i];
    free(old);
}

static uint32_t *times_shown(struct adversary *a, const struct warp *w, int lane)
{
    if (a->shown_count * 2 > a->shown_mask)
        grow_table(a);
    uint64_t thread = w->block->index * w->block->grid->threads_per_block +
                      (uint64_t)w->index * WARP_LANES + (uint64_t)lane + 1;
    struct shown *s = place_of_thread(a, thread);
    a->shown_count += !s->thread;
    s->thread = thread;
    return &s->count;
}

/* ---- Choosing ---- */

/** A strong read looks again soon and is misled one time in three, a plain one every other time. */
static bool misleads(struct adversary *a, const struct warp *w, int lane, const struct older *older)
{
    uint32_t *times = times_shown(a, w, lane);
    if (!older->strong)
        return next_random(a) % 2 && (*times)++ < MAX_OLDER;
    bool misled = !(next_random(a) % 3);
    if (a->relied_on == SHOWS_OLDER)
        misled = older->relied_on || older->short_fence;
    else if (a->relied_on == SHOWS_MOSTLY_OLDER && older->relied_on)
        misled = next_random(a) % 4;
    if (*times >= MAX_OLDER || !misled || (older->relied_on && a->relied_on == SHOWS_NEWEST))
        return false;
    (*times)++;
    return true;
}

static void show(struct mem_access *access, int lane, int element, const struct older *older)
{
    access->value[element][lane] = older->value;
    access->older[element] |= 1u << lane;
}

/** A strong vector is read whole: every GPU so far moves its 8 or 16 aligned bytes in one piece, and NVIDIA's own libraries
 *  keep a value and its state in one (their look-back). The model lets each element be of another write (PTX ISA 8.2.2):
 *  --exhaustive does, a run does not. */
static void mislead_whole(struct adversary *a, const struct warp *w, struct mem_access *access, int lane)
{
    struct older older[MAX_ELEMENTS];
    int count = access->insn->mem.count;
    for (int e = 0; e < count; e++)
        if (!race_older(a->race, w, access, lane, e, &older[e]))
            return;
    if (!misleads(a, w, lane, &older[0]))
        return;
    for (int e = 0; e < count; e++)
        show(access, lane, e, &older[e]);
}

static bool adversary_load(void *self, const struct warp *w, struct mem_access *access)
{
    struct adversary *a = self;
    const struct mem_desc *mem = &access->insn->mem;
    for (uint32_t m = race_unsettled(a->race, w, access, access->mask); m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        if (mem->count > 1 && order_is_strong(mem)) {
            mislead_whole(a, w, access, lane);
            continue;
        }
        for (int e = 0; e < mem->count; e++) {
            struct older older;
            if (race_older(a->race, w, access, lane, e, &older) && misleads(a, w, lane, &older))
                show(access, lane, e, &older);
        }
    }
    return true;
}

static bool adversary_newest(void *self, const struct warp *w, const struct plain_access *p)
{
    const struct adversary *a = self;
    return race_plain_settled(a->race, w, p);
}

static bool adversary_rmw_newest(void *self)
{
    const struct adversary *a = self;
    return !race_atomics_matter(a->race);
}

static bool adversary_rmw_older(void *self, const struct warp *w, const struct element_of_access *at, uint64_t *value)
{
    struct adversary *a = self;
    struct older older;
    if (!race_atomics_matter(a->race) || !race_unsettled(a->race, w, at->access, 1u << at->lane) ||
        !race_older(a->race, w, at->access, at->lane, at->element, &older) || !older.strong || !misleads(a, w, at->lane, &older))
        return false;
    *value = older.value;
    return true;
}

/** Only where the program relies on an order: else it is one of the schedules. */
static bool adversary_rmw_before(void *self, const struct warp *w, const struct element_of_access *at, uint64_t *value)
{
    static const struct older relied_on = {.strong = true, .relied_on = true};
    struct adversary *a = self;
    if (a->relied_on == SHOWS_NEWEST || /* and asking costs what all have heard of each other */
        !race_atomics_matter(a->race) || !race_unsettled(a->race, w, at->access, 1u << at->lane) || !race_earlier(a->race, w, at->access, at->lane, &a->earlier) ||
        !misleads(a, w, at->lane, &relied_on))
        return false;
    *value = a->earlier.reads;
    return true;
}

static uint64_t adversary_rmw_again(void *self, const struct warp *w, const struct element_of_access *at, uint64_t value)
{
    const struct adversary *a = self;
    (void)w;
    return earlier_again(&a->earlier, value, at->access->space == SPACE_GLOBAL);
}

static const struct chooser adversary_chooser = {.name = "adversary", .load = adversary_load, .newest = adversary_newest,
                                                 .rmw_newest = adversary_rmw_newest,
                                                 .rmw_older = adversary_rmw_older,
                                                 .rmw_before = adversary_rmw_before, .rmw_again = adversary_rmw_again};

/* ---- A run ---- */

struct adversary *adversary_new(struct machine *m)
{
    struct race *race = observers_find(machine_observers(m), &race_checker);
    if (!race)
        return NULL;
    struct adversary *a = calloc(1, sizeof *a);
    assert(a);
    a->machine = m;
    a->race = race;
    make_table(a, 64);
    return a;
}

void adversary_free(struct adversary *a)
{
    if (!a)
        return;
    free(a->shown);
    free(a);
}

bool adversary_passed_over(const struct adversary *a, uint64_t op)
{
    return a && race_passed_over(a->race, op);
}

void adversary_begin(struct adversary *a, uint64_t seed, uint64_t op, enum shows relied_on)
{
    if (!a)
        return;
    a->random = seed ^ op * MIX_STEP;
    a->relied_on = relied_on;
    race_shows_relied_on(a->race, relied_on == SHOWS_OLDER);
    if (a->shown_count) {
        free(a->shown);
        make_table(a, 64);
        a->shown_count = 0;
    }
    machine_set_chooser(a->machine, &adversary_chooser, a);
}

void adversary_end(struct adversary *a)
{
    if (a)
        machine_set_chooser(a->machine, NULL, NULL);
}
