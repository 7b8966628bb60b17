/**
 * @file taint.c
 * See taint.h.
 */
#include "check/uninit/taint.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check/uninit/elements.h"

#define SLOT_BYTES 64   /* register offsets are multiples of it */

struct taint *frame_taint(const struct warp_taint *t, uint32_t frame, uint32_t reg)
{
    if (reg == REG_NONE || (reg & CONST_BIT) || !t->slots)
        return NULL;
    uint32_t i = (frame + reg) / SLOT_BYTES;
    return i < t->count ? &t->slots[i] : NULL;
}

struct taint *reg_taint(const struct warp *w, const struct warp_taint *t, uint32_t reg)
{
    return frame_taint(t, w->frame_offset, reg);
}

void uninit_open(const struct warp *w, struct warp_taint *t)
{
    uint32_t need = w->file_bytes / SLOT_BYTES + 1;
    if (need > t->count) {
        t->slots = realloc(t->slots, need * sizeof *t->slots);
        assert(t->slots);
        memset(t->slots + t->count, 0, (need - t->count) * sizeof *t->slots);
        t->count = need;
    }
    t->any = t->closely = true;
}

struct taint *reg_taint_open(const struct warp *w, struct warp_taint *t, uint32_t reg)
{
    uninit_open(w, t);
    return reg_taint(w, t, reg);
}

void taint_clear(struct taint *t, uint32_t lanes)
{
    if (!t)
        return;
    t->lanes &= ~lanes;
    t->derived &= ~lanes;
    t->beside &= ~lanes;
    t->partly &= ~lanes;
}

void taint_set_bits(struct taint *t, int lane, uint64_t bits)
{
    t->bytes[lane] = bytes_of_bits(bits);
    if (bits == bits_of_bytes(t->bytes[lane])) {
        t->partly &= ~(1u << lane);
        return;
    }
    if (!t->bits)
        t->bits = calloc(WARP_LANES, sizeof *t->bits);
    assert(t->bits);
    t->bits[lane] = bits;
    t->partly |= 1u << lane;
}

uint32_t lanes_within(const struct taint *t, uint32_t lanes, unsigned bytes)
{
    uint32_t within = 0;
    for (uint32_t m = lanes & t->lanes; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        within |= (uint32_t)((t->bytes[l] & low_bits(bytes)) != 0) << l;
    }
    return within;
}
