/**
 * @file shared_matrix.c
 * Where wgmma's matrices lie in shared memory: canonical layouts (PTX ISA 9.7.15.5.1). A piece of 16 bytes is a part of a
 * line along k, or of eight lines at one k; eight pieces of neighbouring lines (of neighbouring k) make a core matrix.
 * Confirmed on an H200 by tests/runtime/wgmma_facts.cu.
 */
#include "code/fragment.h"

struct shared_matrix shared_matrix_of(uint64_t d)
{
    return (struct shared_matrix){.start = (uint32_t)(d & 0x3fff) << 4, .leading = (uint32_t)(d >> 16 & 0x3fff) << 4,
                                  .stride = (uint32_t)(d >> 32 & 0x3fff) << 4, .base = d >> 49 & 7,
                                  .swizzle = (uint8_t)(d >> 62)};
}

static bool goes_across(const struct tensor_desc *t, enum tensor_part p)
{
    return p == PART_A ? t->across_a : t->across_b;
}

/** Elements of a piece; a bit counts as a word of them. */
static unsigned in_piece(const struct tensor_desc *t, enum tensor_part p)
{
    return MATRIX_PIECE * 8 / tensor_type_bits((enum tensor_type)t->type[p]);
}

unsigned matrix_pieces(const struct tensor_desc *t, enum tensor_part p)
{
    return fragment_lines(t, p) * tensor_length(t, p) / in_piece(t, p);
}

struct cell matrix_piece_of(const struct tensor_desc *t, enum tensor_part p, unsigned line, unsigned along)
{
    unsigned each = in_piece(t, p), length = tensor_length(t, p), bytes = MATRIX_PIECE / each;
    if (goes_across(t, p))
        return (struct cell){(uint16_t)(line / each * length + along), (uint16_t)(line % each * bytes)};
    return (struct cell){(uint16_t)(line * (length / each) + along / each), (uint16_t)(along % each * bytes)};
}

unsigned matrix_piece_lines(const struct tensor_desc *t, enum tensor_part p, unsigned piece, unsigned *line)
{
    unsigned each = in_piece(t, p), length = tensor_length(t, p);
    *line = goes_across(t, p) ? piece / length * each : piece / (length / each);
    return goes_across(t, p) ? each : 1;
}

/** Pieces side by side under one swizzle: 1, 8, 4, 2. */
static unsigned width_of(const struct shared_matrix *m)
{
    return m->swizzle ? 16u >> m->swizzle : 1;
}

/** Bits 4 and up are exchanged by bits 7 and up, where the pattern begins at a multiple of its own size. */
static uint32_t swizzled(const struct shared_matrix *m, uint32_t address)
{
    uint32_t mask = width_of(m) - 1, phase = (address >> 7) - m->base;
    return address ^ (phase & mask) << 4;
}

uint32_t matrix_piece_address(const struct tensor_desc *t, enum tensor_part p, const struct shared_matrix *m, unsigned first,
                              unsigned piece)
{
    /* all of them powers of two */
    unsigned each = in_piece(t, p), by_each = (unsigned)__builtin_ctz(each), length = tensor_length(t, p), by_length = (unsigned)__builtin_ctz(length);
    unsigned width = width_of(m), by_width = (unsigned)__builtin_ctz(width);
    uint32_t at = m->start;
    if (goes_across(t, p)) {
        unsigned column = (piece >> by_length) + (first >> by_each), along = piece & (length - 1);
        at += along % 8 * (width * MATRIX_PIECE) + (column & (width - 1)) * MATRIX_PIECE;
        at += m->swizzle ? (column >> by_width) * m->leading + along / 8 * m->stride : column * m->stride + along / 8 * m->leading;
    } else {
        unsigned parts = by_length - by_each, line = (piece >> parts) + first, part = piece & ((1u << parts) - 1);
        at += line % 8 * (width * MATRIX_PIECE) + line / 8 * m->stride + part * (m->swizzle ? MATRIX_PIECE : m->leading);
    }
    return m->swizzle ? swizzled(m, at) : at;
}
