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

/** What the launch has read of the lane's allocation. */
static struct constant_reads *reads_at(struct race *race, const struct actor *me, const struct allocation *of)
{
    return reads_of(race, race->agents.data[me->agent].launch, of);
}

/** Has the launch read all of it before? */
static bool has_readers(const struct constant_reads *r, uint64_t first, unsigned bytes)
{
    bool all = true;
    for (uint64_t word = first / 4; word <= (first + bytes - 1) / 4; word++)
        all &= r->reader[word].agent != 0;
    return all;
}

void constants_load(struct race *race, const struct warp *w, const struct mem_access *a)
{
    if (a->space != SPACE_CONST)
        return;
    struct actor me = actor_at(race, w, a);
    struct constant_reads *r = NULL;
    unsigned bytes = (unsigned)a->insn->mem.bytes * a->insn->mem.count;
    uint64_t last = 0; /* no lane's: constants lie at none */
    for (uint32_t m = a->mask; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        if (a->address[lane] == last)
            continue;
        last = a->address[lane];
        if (!r || r->of != a->allocation[lane])
            r = reads_at(race, &me, a->allocation[lane]);
        uint64_t first = last - r->of->base;
        if (has_readers(r, first, bytes))
            continue;
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
