/**
 * @file barrier_red.c
 * See barrier_red.h.
 */
#include "execute/barrier_red.h"
#include "execute/engine.h"

#define RED_NEGATED 2u

enum red_op { RED_POPC, RED_AND, RED_OR };

static void write_predicate(uint32_t *p, uint32_t mask, bool value)
{
    *p = value ? *p | mask : *p & ~mask;
}

void barrier_red_deliver(struct warp *w, const struct group *g, const struct insn *in, const struct barrier_state *s)
{
    if (in->dst == REG_NONE)
        return;
    uint32_t *dst = (uint32_t *)(w->file + g->frame + in->dst);
    switch ((enum red_op)(in->imm >> 8)) {
    case RED_POPC:
        for (int i = 0; i < WARP_LANES; i++)
            if (g->mask >> i & 1)
                dst[i] = s->red_popc;
        break;
    case RED_AND:
        write_predicate(dst, g->mask, s->red_and != 0);
        break;
    case RED_OR:
        write_predicate(dst, g->mask, s->red_or != 0);
        break;
    }
}

void barrier_red_add(struct warp *w, const struct insn *in, struct barrier_state *s, bool first)
{
    uint32_t p = *(const uint32_t *)warp_reg(w, in->src[2]);
    if (in->imm & RED_NEGATED)
        p = ~p;
    p &= w->mask;
    s->red_and = (first || s->red_and) && p == w->mask;
    s->red_or |= p != 0;
    s->red_popc += (uint32_t)__builtin_popcount(p);
}
