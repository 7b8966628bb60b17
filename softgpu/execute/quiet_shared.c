/**
 * @file quiet_shared.c
 * See quiet_shared.h.
 */
#include "execute/quiet_shared.h"

#include "analyse/quiet.h"
#include "execute/engine.h"
#include "execute/plain_steps.h"
#include "execute/worker.h"

/** So many bytes of the block's shared memory, from the first on, may be read without telling anybody; `*but_asked`: or anybody but those who are asked at each load. */
static uint32_t quiet_bytes(const struct observer_set *set, const struct block *b, uint32_t *but_asked)
{
    uint32_t asked = b->shared_bytes;
    *but_asked = b->shared_bytes;
    for (uint32_t who = set->at_loads; who && *but_asked; who &= who - 1) {
        int i = __builtin_ctz(who);
        const struct observer *o = set->hooks[i];
        uint32_t so_many = o->quiet_shared ? o->quiet_shared(set->self[i], b) : 0, *least = o->plain_idle ? &asked : but_asked;
        *least = so_many < *least ? so_many : *least;
    }
    return asked < *but_asked ? asked : *but_asked;
}

uint64_t *quiet_untold(struct worker *k)
{
    uint64_t *untold = k->machine->observers.plain_loads.untold;
    k->never_told = UINT64_MAX;
    return untold ? untold : &k->never_told;
}

void quiet_shared_begin(struct block *b, const struct insn *barrier)
{
    struct worker *k = b->warps[0].worker;
    const struct machine *m = k->machine;
    const struct function *kernel = b->grid->config.kernel;
    uint32_t but_asked;
    b->quiet = 0;
    b->calm = false;
    if (!barrier || !is_usual(m) || !(kernel->image->machine_code || quiet_matrices(kernel)) || !quiet_behind(kernel, barrier))
        return;
    k->untold_shared = quiet_untold(k);
    b->quiet = quiet_bytes(&m->observers, b, &but_asked);
    b->calm = but_asked && but_asked == b->shared_bytes;
}
