/**
 * @file fragment.c
 * See fragment.h. Lanes are eight rows (lane / 4) of four, and each of the four holds what neighbours in memory: that
 * is the pattern of all of them but m8n8k4 of halves, where eight lanes have a product of their own.
 */
#include "code/fragment.h"

/** Of eight lines (or so many blocks of eight), along k first. */
static struct cell narrow_cell(unsigned lines, unsigned blocks, unsigned packed, int lane, unsigned element)
{
    unsigned reg = element / packed, block = reg % blocks;
    return (struct cell){.line = (uint16_t)(lane / 4 + 8 * (reg / blocks % (lines / 8))),
                         .along = (uint16_t)((block * 4 + lane % 4) * packed + element % packed)};
}

/** Of sixteen lines (or two blocks of sixteen): two registers for the two eights, then along k. */
static struct cell wide_cell(unsigned lines, unsigned blocks, unsigned packed, int lane, unsigned element)
{
    unsigned reg = element / packed, block = reg / 2 % blocks;
    return (struct cell){.line = (uint16_t)(lane / 4 + 8 * (reg % 2) + 16 * (reg / (2 * blocks) % (lines / 16))),
                         .along = (uint16_t)((block * 4 + lane % 4) * packed + element % packed)};
}

/** d and c: pairs of neighbours in a row, but in m8n32, which is computed as its transposition. */
static struct cell result_cell(const struct tensor_desc *t, int lane, unsigned i)
{
    unsigned row = (unsigned)lane / 4 + 8 * (i / 2 % 2), column = (unsigned)lane % 4 * 2 + i % 2;
    if (t->group)
        return (struct cell){(uint16_t)row, (uint16_t)(column + 8 * (i / 4))};
    if (t->n == 16)
        column += 8 * (i / 4);
    else
        row += 16 * (i / 4);
    if (t->n == 32)
        return (struct cell){(uint16_t)column, (uint16_t)row};
    return (struct cell){(uint16_t)row, (uint16_t)column};
}

/** m8n8k4 of halves: lanes 0 to 3 and 16 to 19 have the first product, and so on. */
static struct cell quad_cell(const struct tensor_desc *t, enum tensor_part p, int lane, unsigned i)
{
    unsigned base = (unsigned)lane % 16 / 4 * 8, low = (unsigned)lane % 4, half = (unsigned)lane / 16 * 4;
    if (p == PART_A || p == PART_B) {
        bool spread = p == PART_A ? t->a_by_column : !t->b_by_column; /* lanes along k */
        return spread ? (struct cell){(uint16_t)(base + half + i), (uint16_t)low}
                      : (struct cell){(uint16_t)(base + half + low), (uint16_t)i};
    }
    if (t->type[p] == TENSOR_F16)
        return (struct cell){(uint16_t)(base + half + low), (uint16_t)(base + i)};
    return (struct cell){(uint16_t)(base + half + (low & 1) + (i & 2)),
                         (uint16_t)(base + (i & 4) + (low & 2) + (i & 1))};
}

struct cell fragment_cell(const struct tensor_desc *t, enum tensor_part p, int lane, unsigned element)
{
    if (t->quads)
        return quad_cell(t, p, lane, element);
    if (p == PART_C || p == PART_D)
        return result_cell(t, lane, element);
    unsigned packed = tensor_packed(t, p), blocks = tensor_length(t, p) / (4 * packed), lines = fragment_lines(t, p);
    bool wide = p == PART_A ? lines >= 16 : lines == 32;
    return wide ? wide_cell(lines, blocks, packed, lane, element) : narrow_cell(lines, blocks, packed, lane, element);
}

/** Elements of a line. */
static unsigned along_of(const struct tensor_desc *t, enum tensor_part p)
{
    return p == PART_A || p == PART_B ? tensor_length(t, p) : fragment_lines(t, PART_B);
}

void fragment_cells(const struct tensor_desc *t, enum tensor_part p, uint16_t *cell)
{
    unsigned along = along_of(t, p), count = t->count[p] * tensor_packed(t, p);
    for (unsigned i = 0; i < count; i++)
        for (int lane = 0; lane < WARP_LANES; lane++) {
            struct cell at = fragment_cell(t, p, lane, i);
            *cell++ = (uint16_t)(at.line * along + at.along);
        }
}

static struct memory_cell in_memory(const struct tensor_desc *t, struct cell at)
{
    bool lines_are_rows = t->part != PART_B, along_lines = t->by_column == lines_are_rows;
    uint16_t major = along_lines ? at.along : at.line, minor = along_lines ? at.line : at.along;
    return (struct memory_cell){major, (uint16_t)(minor * tensor_type_bits((enum tensor_type)t->type[t->part]))};
}

void fragment_lies(struct tensor_desc *t, struct memory_cell *lies)
{
    enum tensor_part p = (enum tensor_part)t->part;
    unsigned packed = tensor_packed(t, p);
    lies[LIES_LAST] = in_memory(t, (struct cell){(uint16_t)(fragment_lines(t, p) - 1), (uint16_t)(along_of(t, p) - 1)});
    lies[LIES_NEXT] = in_memory(t, fragment_cell(t, p, 1, 0));
    lies[LIES_LINE] = in_memory(t, fragment_cell(t, p, 4, 0));
    for (unsigned i = 0; i < t->count[p] * packed; i++)
        lies[LIES_ELEMENTS + i] = in_memory(t, fragment_cell(t, p, 0, i));
    t->lies = lies;
    t->distinct = (uint8_t)(fragment_lines(t, p) * along_of(t, p) / (WARP_LANES * packed));
    t->whole = packed == 1 || (lies[LIES_ELEMENTS + 1].strides == 0 && lies[LIES_ELEMENTS + 1].bits == tensor_type_bits((enum tensor_type)t->type[p]));
}

unsigned fragment_lines(const struct tensor_desc *t, enum tensor_part p)
{
    return t->quads ? 32 : p == PART_B ? t->n : t->m;
}

uint64_t sparse_row(const struct tensor_desc *t, const uint32_t metadata[WARP_LANES], unsigned row)
{
    const uint32_t *of_row = metadata + row % 8 * 4;
    unsigned high = row / 8, pairs = sparse_pairs(t);
    bool bytes = tensor_type_bits((enum tensor_type)t->type[PART_A]) <= 8;
    if (pairs == 4)
        return of_row[t->selector] >> 16 * high & 0xffff;
    if (!bytes)
        return (of_row[2 * t->selector] >> 16 * high & 0xffff) | (of_row[2 * t->selector + 1] >> 16 * high) << 16;
    return pairs == 8 ? of_row[2u * t->selector + high] : of_row[high] | (uint64_t)of_row[2 + high] << 32;
}

unsigned sparse_pairs(const struct tensor_desc *t)
{
    unsigned bits = tensor_type_bits((enum tensor_type)t->type[PART_A]);
    return (bits == 32 ? 2u * t->k : bits == 4 ? t->k / 2u : t->k) / 4;
}

unsigned sparse_place(const struct tensor_desc *t, const uint32_t metadata[WARP_LANES], unsigned row, unsigned s)
{
    unsigned bits = tensor_type_bits((enum tensor_type)t->type[PART_A]);
    unsigned unit = bits == 32 ? 2 * s : bits == 4 ? s / 2 : s;
    unsigned nibble = sparse_row(t, metadata, row) >> 4 * (unit / 2) & 15;
    unsigned place = unit / 2 * 4 + (nibble >> 2 * (unit % 2) & 3);
    return bits == 32 ? place / 2 : bits == 4 ? place * 2 + s % 2 : place;
}

struct cell matrix_cell(bool transposed, int lane, unsigned half)
{
    uint16_t eighth = (uint16_t)(lane / 4), pair = (uint16_t)(lane % 4 * 2 + (int)half);
    return transposed ? (struct cell){pair, eighth} : (struct cell){eighth, pair};
}
