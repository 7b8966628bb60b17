/**
 * @file live.c
 * See live.h.
 */
#include "analyse/live.h"

#include "analyse/liveness.h"

#define MOST_WORDS (1u << 22)

struct live {
    size_t words;        /**< of a set */
    uint64_t *sets;      /**< by instruction; NULL: not known */
};

static void *make_live(struct arena *a, const void *function)
{
    const struct function *f = function;
    struct flow_source s = flow_source_of(f);
    struct live *live = arena_alloc(a, sizeof *live);
    live->words = ((size_t)s.registers + 63) / 64;
    size_t total = live->words * (size_t)s.count;
    if (!total || total > MOST_WORDS)
        return live;
    uint64_t *sets = arena_alloc(a, total * sizeof *sets);
    live->sets = liveness_sets(&s, sets) ? sets : NULL;
    return live;
}

const uint64_t *live_slots(const struct function *f, const struct insn *in)
{
    if (!flow_holds(f, in))
        return NULL;
    const struct live *live = FLOW_ONCE(f, &flow_of(f)->live, make_live, f);
    return live->sets ? &live->sets[(size_t)(in - f->entry) * live->words] : NULL;
}
