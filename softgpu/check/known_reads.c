/**
 * @file known_reads.c
 * See known_reads.h.
 */
#include "check/known_reads.h"

#include <assert.h>
#include <stdlib.h>

#include "analyse/flow.h"
#include "base/mix.h"
#include "check/loop_state.h"
#include "check/stuck.h"
#include "execute/grid.h"
#include "execute/machine.h"

struct known_reads *known_reads_begin(struct known_reads_room *room, int warps)
{
    struct known_reads *of = room->warps == warps ? room->of : calloc((size_t)warps, sizeof *of);
    assert(of);
    for (int i = 0; of == room->of && i < warps; i++)
        of[i].local = 0;
    if (of == room->of)
        *room = (struct known_reads_room){0};
    return of;
}

void known_reads_end(struct known_reads_room *room, struct known_reads *of, int warps)
{
    free(room->of);
    *room = (struct known_reads_room){of, warps};
}

bool known_reads_has(struct known_reads *r, const struct warp *w, const struct read_by *by, uint64_t digest, bool ask)
{
    int i = 0;
    while (i < KEPT_READS && r->insn[i] != by->insn)
        i++;
    bool first = i == KEPT_READS;
    if (first) {
        i = r->next;
        r->next = (i + 1) % KEPT_READS;
        r->insn[i] = by->insn;
    }
    if (first || r->seen[i] != digest) {
        r->seen[i] = digest;
        r->state[i] = r->whole[i] = 0;
        return false;
    }
    if (!ask) /* so far the answer does not matter */
        return true;
    uint64_t state = loop_state(w, by->insn, by->mask, LOOP_INNERMOST), before = r->state[i];
    state = state ? mix_in(state, r->local) | 1 : 0;
    r->state[i] = state;
    return !before || before == state;
}

bool known_reads_repeat(struct known_reads *r, const struct warp *w, const struct read_by *by)
{
    const struct function *kernel = w->block->grid->config.kernel;
    enum insn_class class = insn_class(by->insn);
    if ((class != INSN_LOAD && class != INSN_ATOMIC) || w->frame_offset || !flow_holds(kernel, by->insn) || loop_meets_unseen(kernel, by->insn))
        return false;
    int i = 0;
    while (r->insn[i] != by->insn)
        i++;
    uint64_t whole = loop_state(w, by->insn, by->mask, LOOP_OUTERMOST), before = r->whole[i];
    whole = whole ? mix_in(whole, r->local) | 1 : 0;
    r->whole[i] = whole;
    return whole && whole == before;
}

void known_reads_meet(struct known_reads *r)
{
    for (int i = 0; r && i < KEPT_READS; i++)
        r->whole[i] = 0;
}

bool known_reads_of_all(const struct machine *m, int slot, enum part part, uint64_t when)
{
    const struct block *b;
    bool stuck;
    for (int i = 0; machine_resident(m, i, &b, &stuck); i++) {
        if (!b && !stuck)
            return false;
        for (int j = 0; b && j < b->warp_count; j++) {
            const struct warp *w = &b->warps[j];
            uint32_t lanes = known_reads_lanes(w->check[slot], part, when);
            for (int k = 0; w->live && k < w->group_count; k++)
                if (stuck_can_run(&w->groups[k]) && w->groups[k].mask & ~lanes)
                    return false;
        }
    }
    return true;
}
