/**
 * @file spread.c
 * A sparse a as a dense one: what is stored stands where the metadata says, and zeros, which neither add nor align anything, stand between. A word of
 * what is stored becomes two, whatever its elements are: half of each four units are stored (of tf32, of each two elements).
 */
#include "execute/tensor/tile.h"

/** Two of each eight units of `bits` bits: one pair at the places that four bits of metadata name. */
static uint64_t pair_of(uint32_t two, unsigned bits, unsigned nibble)
{
    uint64_t low = two & ((1u << bits) - 1), high = two >> bits;
    return low << bits * (nibble & 3) | high << bits * (nibble >> 2);
}

/** Both elements of a pair at one place: no metadata that there is. */
static bool is_one_place(unsigned nibble)
{
    return (nibble & 3) == nibble >> 2;
}

/** A stored word of `type`, its metadata from bit 0 of `row` on, as two. */
static bool spread_word(unsigned bits, uint32_t word, uint64_t row, uint64_t *out)
{
    unsigned first = row & 15, second = row >> 4 & 15;
    if (bits == 32) {
        *out = (uint64_t)word << 32 * (first >> 1 & 1);
        return true;
    }
    if (bits == 16) {
        *out = pair_of(word, 16, first);
        return !is_one_place(first);
    }
    *out = pair_of(word & 0xffff, 8, first) | pair_of(word >> 16, 8, second) << 32;
    return !is_one_place(first) && !is_one_place(second);
}

bool tiles_spread(struct tiles *x, const void *const *stored, const uint32_t *metadata)
{
    const struct tensor_desc *t = x->form;
    unsigned bits = tensor_type_bits((enum tensor_type)t->type[PART_A]), each = bits <= 8 ? 8 : 4;   /* bits of metadata a word */
    bool valid = true;
    for (unsigned line = 0; line < 8u * x->halves; line++) {
        uint64_t row = sparse_row(t, metadata, line);
        unsigned half = line / 8, lane = line % 8 * 4;
        for (unsigned s = 0; s < 2u * x->blocks; s++) {
            uint64_t two;
            valid &= spread_word(bits, ((const uint32_t *)stored[s / 4 * x->halves + half])[lane + s % 4], row >> each * s, &two);
            uint32_t *to = x->spread[s / 2 * x->halves + half] + lane + s % 2 * 2;
            to[0] = (uint32_t)two;
            to[1] = (uint32_t)(two >> 32);
        }
    }
    for (unsigned i = 0; i < (unsigned)x->blocks * x->halves; i++)
        x->wide[i] = x->spread[i];
    return valid;
}
