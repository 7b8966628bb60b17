/**
 * @file constant_reads.c
 * One reader a word and launch is enough: what it is held against comes from the host, and so is ordered with all of a
 * launch or with none of it.
 */
#include <assert.h>
#include <stdlib.h>

#include "check/race/constant_reads.h"
#include "check/race/actor.h"
#include "memory/memory.h"

/** What one launch has read of one module's constants. */
struct constant_reads {
    uint32_t agent;                /**< the launch's first */
    const struct allocation *of;
    struct epoch reader[];         /**< a word each */
};

static struct constant_reads *reads_of(struct race *race, const struct launch *l, const struct allocation *of)
{
    for (int i = race->constants.count - 1; i >= 0; i--)
        if (race->constants.data[i]->of == of && race->constants.data[i]->agent == l->first_agent)
            return race->constants.data[i];
    struct constant_reads *r = calloc(1, sizeof *r + (of->bytes / 4 + 1) * sizeof *r->reader);
    assert(r);
    r->agent = l->first_agent;
    r->of = of;
    *LIST_PUSH(&race->constants) = r;
    return r;
}

void constants_load(struct race *race, const struct warp *w, const struct mem_access *a)
{
    if (a->space != SPACE_CONST)
        return;
    struct actor me = actor_at(race, w, a);
    const struct launch *launch = race->agents.data[me.agent].launch;
    struct constant_reads *r = NULL;
    unsigned bytes = (unsigned)a->insn->mem.bytes * a->insn->mem.count;
    for (uint32_t m = a->mask; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        if (!r || r->of != a->allocation[lane])
            r = reads_of(race, launch, a->allocation[lane]);
        uint64_t first = a->address[lane] - r->of->base;
        actor_set_lane(&me, lane);
        for (uint64_t word = first / 4; word <= (first + bytes - 1) / 4; word++)
            if (!r->reader[word].agent)
                r->reader[word] = epoch_of(&me, 0, 0);
    }
}

struct epoch constants_reader(const struct race *race, const struct allocation *a, uint64_t at, int *i)
{
    while (*i < race->constants.count) {
        const struct constant_reads *r = race->constants.data[(*i)++];
        if (r->of == a && r->reader[at / 4].agent)
            return r->reader[at / 4];
    }
    return (struct epoch){0};
}

void constants_forget(struct race *race)
{
    int kept = 0;
    for (int i = 0; i < race->constants.count; i++) {
        if (race->constants.data[i]->agent < race->explained)
            free(race->constants.data[i]);
        else
            race->constants.data[kept++] = race->constants.data[i];
    }
    race->constants.count = kept;
}

void constants_free(struct race *race)
{
    for (int i = 0; i < race->constants.count; i++)
        free(race->constants.data[i]);
    LIST_FREE(&race->constants);
}
