/**
 * @file late_made.c
 * How a check comes out that computes something from what it has read, with another value. The instructions between the two are executed once more, for
 * one lane, and leave all registers as they were; what plain loads find stands there still, or is told as a race.
 */
#include <string.h>

#include "check/race/late_looks.h"
#include "execute/lane_ahead.h"
#include "execute/lane_values.h"

/** One register, of all lanes. */
struct kept {
    uint32_t reg;
    size_t bytes;
    uint8_t was[WARP_LANES * sizeof(uint64_t)];
};

static uint64_t value_of(const struct warp *w, uint32_t reg, unsigned width, int lane)
{
    return width == 1 ? *(const uint32_t *)warp_reg(w, reg) >> lane & 1 : reg_read(w, reg, width, lane);
}

static void set_value(const struct warp *w, uint32_t reg, unsigned width, int lane, uint64_t value)
{
    uint32_t *bits = warp_reg(w, reg);
    if (width == 1)
        *bits = (*bits & ~(1u << lane)) | (uint32_t)(value & 1) << lane;
    else
        reg_write(w, reg, width, lane, value);
}

void late_note_leaves(const struct warp *w, const struct act *act, struct read_by_lanes *c, int lane)
{
    for (int i = 0; i < act->made.leaves; i++)
        if (act->made.leaf[i].early)
            c->leaf[i][lane] = value_of(w, act->made.leaf[i].reg, act->made.leaf[i].width, lane);
}

uint64_t late_made(const struct warp *w, const struct act *act, const struct read_by_lanes *c, int lane, uint64_t value)
{
    const struct made *m = &act->made;
    struct kept kept[1 + MOST_STEPS + MOST_LEAVES];
    int count = 0;
    if (!m->steps)
        return value;
    kept[count++].reg = act->check->dst;
    for (int i = 0; i < m->steps; i++)
        kept[count++].reg = m->step[i]->dst;
    for (int i = 0; i < m->leaves; i++)
        kept[count++].reg = m->leaf[i].reg;
    for (int i = 0; i < count; i++) { /* as if all were as wide as the widest: what lies behind a narrower one is put back as it was */
        const uint8_t *at = warp_reg(w, kept[i].reg);
        size_t left = (size_t)(w->file + w->file_bytes - at);
        kept[i].bytes = left < sizeof kept[i].was ? left : sizeof kept[i].was;
        memcpy(kept[i].was, at, kept[i].bytes);
    }
    reg_write(w, act->check->dst, act->check->mem.reg_bytes, lane, value);
    for (int i = 0; i < m->leaves; i++)
        if (m->leaf[i].early)
            set_value(w, m->leaf[i].reg, m->leaf[i].width, lane, c->leaf[i][lane]);
    lane_executes((struct warp *)w, m->step, m->steps, lane);
    uint64_t made = value_of(w, m->reg, m->width, lane);
    while (--count >= 0)
        memcpy(warp_reg(w, kept[count].reg), kept[count].was, kept[count].bytes);
    return made;
}
