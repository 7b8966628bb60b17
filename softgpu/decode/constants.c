/**
 * @file constants.c
 * The constant area: every literal of the module once, as a register of 32 equal lanes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "decode/decode_operands.h"
#include "decode/decoder.h"
#include "decode/stages.h"

#define MAX_CONSTANT_BYTES (1u << 28)

static unsigned constant_hash(unsigned width, uint64_t low, uint64_t high)
{
    return (unsigned)(mix_in(mix_in(width, low), high) >> 32);
}

static void constants_grow(struct decoder *d)
{
    uint32_t slots = d->constant_slots ? d->constant_slots * 2 : 256;
    struct constant_slot *old = d->constants;
    struct constant_slot *new = calloc(slots, sizeof *new);
    if (!new)
        abort();
    for (uint32_t i = 0; i < d->constant_slots; i++) {
        if (!old[i].width)
            continue;
        uint32_t at = constant_hash(old[i].width, old[i].low, old[i].high) & (slots - 1);
        while (new[at].width)
            at = (at + 1) & (slots - 1);
        new[at] = old[i];
    }
    free(old);
    d->constants = new;
    d->constant_slots = slots;
}

uint32_t constant_slot(struct decoder *d, unsigned width, uint64_t low, uint64_t high)
{
    if (width == WIDTH_PRED)
        low = low ? UINT32_MAX : 0;
    else if (width < 8)
        low &= (1ull << 8 * width) - 1;
    if (2 * d->constant_count >= d->constant_slots)
        constants_grow(d);
    uint32_t at = constant_hash(width, low, high) & (d->constant_slots - 1);
    for (; d->constants[at].width; at = (at + 1) & (d->constant_slots - 1)) {
        const struct constant_slot *c = &d->constants[at];
        if (c->width == width && c->low == low && c->high == high)
            return c->offset | CONST_BIT;
    }
    uint32_t bytes = width == WIDTH_PRED ? 64 : width * WARP_LANES;
    d->constants[at] = (struct constant_slot){low, high, d->constant_bytes, (uint8_t)width};
    d->constant_count++;
    d->constant_bytes += bytes;
    return d->constants[at].offset | CONST_BIT;
}

static void fill_lanes(uint8_t *at, const struct constant_slot *c)
{
    for (int i = 0; i < WARP_LANES; i++) {
        switch (c->width) {
        case 2: ((uint16_t *)at)[i] = (uint16_t)c->low; break;
        case 4: ((uint32_t *)at)[i] = (uint32_t)c->low; break;
        case 8: ((uint64_t *)at)[i] = c->low; break;
        case 16:
            ((uint64_t *)at)[i] = c->low;
            ((uint64_t *)at)[WARP_LANES + i] = c->high;
            break;
        default: break;
        }
    }
    if (c->width == WIDTH_PRED)
        *(uint32_t *)at = (uint32_t)c->low;
}

bool constants_write(struct decoder *d)
{
    struct image *im = d->im;

    if (d->constant_bytes > MAX_CONSTANT_BYTES) {
        diag_line(d->diag, DIAG_LIMIT, 0, "the module has too many different constants");
        return false;
    }
    im->constant_bytes = d->constant_bytes;
    im->constants = aligned_alloc(64, d->constant_bytes + 64);
    if (!im->constants)
        abort();
    memset(im->constants, 0, d->constant_bytes + 64);
    for (uint32_t i = 0; i < d->constant_slots; i++)
        if (d->constants[i].width)
            fill_lanes(im->constants + d->constants[i].offset, &d->constants[i]);
    return true;
}
