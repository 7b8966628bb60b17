/**
 * @file collect.c
 * See collect.h: sets are kept that words of memory, of shared memory and of a launch's start refer to.
 */
#include "check/race/collect.h"

#include "check/race/launch_start.h"
#include "check/race/shadow/read_log.h"
#include "check/race/shadow/readers.h"
#include "execute/machine.h"
#include "memory/memory.h"

struct collection {
    struct race *race;
    uint64_t words;
};

static uint32_t keep_set(void *self, uint32_t set)
{
    return readers_keep(self, set);
}

static void keep_of_allocation(void *self, struct allocation *a)
{
    struct collection *c = self;
    c->words += shadow_each_set(a->shadow, c->race->floor, keep_set, c->race->readers);
}

static void settle_allocation(void *self, struct allocation *a)
{
    const struct race *race = self;
    if (a->shadow)
        read_log_settle(a->shadow, race->floor, race->readers);
}

void collect_readers(struct race *race)
{
    struct collection c = {.race = race};
    memory_each(machine_memory(race->machine), settle_allocation, race);
    readers_collect_begin(race->readers);
    memory_each(machine_memory(race->machine), keep_of_allocation, &c);
    for (int i = (int)race->floor; i < race->agents.count; i++) {
        struct block_state *bs = race->agents.data[i].live;
        if (bs)
            c.words += words_each_set(bs->shared, bs->shared ? bs->shared_words : 0, bs->cluster ? bs->cluster->id : bs->agent, keep_set, race->readers);
    }
    c.words += launch_start_each_set(race, keep_set, race->readers);
    readers_collect_end(race->readers, c.words);
}
