/**
 * @file vain_looks.c
 * See vain_looks.h.
 */
#include "execute/vain_looks.h"

#include <string.h>

#include "execute/access.h"
#include "execute/block.h"
#include "execute/lane_values.h"
#include "execute/warp_run.h"

#define LONGEST_LOOK 12         /* instructions of a turn */
#define MOST_REGISTERS (1 << 14) /* bytes that are put aside meanwhile */

/** The branch back that ends what stands at `in`, if it is a short loop of one block. */
static const struct insn *branch_behind(const struct insn *in)
{
    const struct insn *from = in;
    for (int i = 0; i < LONGEST_LOOK && !insn_ends_block(in); i++)
        in++;
    if (insn_class(in) != INSN_BRANCH || !insn_is_guarded(in) || in->target > from || in - in->target >= LONGEST_LOOK)
        return NULL;
    return in;
}

/** Does it nothing but write its register? Special registers count what has been issued, and the clock passes as it is read. */
static bool only_computes(const struct insn *in)
{
    return insn_class(in) == INSN_COMPUTE && insn_row(in) != ROW_special && !in->op->flags;
}

/** The only load of the loop, all else being arithmetic. */
static const struct insn *only_load(const struct insn *branch)
{
    const struct insn *load = NULL;
    for (const struct insn *in = branch->target; in < branch; in++) {
        if (only_computes(in))
            continue;
        if (load || insn_class(in) != INSN_LOAD || insn_is_guarded(in))
            return NULL;
        load = in;
    }
    if (!load || load->mem.count != 1 || load->mem.bytes < 4 || load->mem.bytes != load->mem.reg_bytes || load->mem.bytes > 8)
        return NULL;
    return load;
}

const struct insn *only_look(const struct insn *branch)
{
    return insn_class(branch) == INSN_BRANCH && insn_is_guarded(branch) && branch_behind(branch->target) == branch ? only_load(branch) : NULL;
}

/** A turn of the loop. @return the lanes that go back */
static uint32_t turn_with(struct warp *w, const struct insn *branch, const struct insn *load, uint64_t value)
{
    for (const struct insn *in = branch->target; in < branch; in++) {
        if (in != load) {
            in->run(w, in);
            continue;
        }
        FOR_LANES(lane, w->mask) reg_write(w, element_target(load, 0), load->mem.reg_bytes, (int)lane, value);
    }
    uint32_t holds = *(const uint32_t *)warp_reg(w, branch->guard);
    return (branch->guard_negated ? ~holds : holds) & w->mask;
}

bool looks_in_vain(struct warp *w, int group, uint64_t place, uint64_t value)
{
    static _Thread_local uint8_t kept[MOST_REGISTERS];
    const struct insn *branch = branch_behind(w->groups[group].pc), *load = branch ? only_load(branch) : NULL;
    if (!load || element_target(load, 0) == REG_NONE || w->activation_count != 1 || w->activations[0].bytes > sizeof kept || w->unwatched)
        return false;
    warp_load_group(w, group);
    bool there = true;
    FOR_LANES(lane, w->mask) there &= lane_address(w, load, (int)lane) == place;
    memcpy(kept, w->frame, w->activations[0].bytes);
    bool vain = there && turn_with(w, branch, load, value) == w->mask;
    memcpy(w->frame, kept, w->activations[0].bytes);
    w->current = -1;
    return vain;
}
