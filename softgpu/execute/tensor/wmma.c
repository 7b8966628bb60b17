/**
 * @file wmma.c
 * wmma.load and wmma.store: matrices between memory and fragments (PTX ISA 9.7.14.4). Each lane accesses what its
 * registers hold, a whole register at a time where its elements are neighbours in memory.
 */
#include <string.h>

#include "execute/access.h"
#include "execute/engine.h"
#include "execute/handlers.h"
#include "execute/tensor/tensor.h"
#include "execute/traffic.h"
#include "execute/worker.h"

/** The lanes' addresses and strides, read before any register is written. */
struct origin {
    uint64_t address[WARP_LANES];
    uint32_t stride[WARP_LANES];
    bool is_one;   /* a whole warp that means one matrix */
};

static struct origin origin_of(const struct warp *w, const struct insn *in)
{
    const struct tensor_desc *t = in->extra;
    const uint32_t *stride = in->src[1] == REG_NONE ? NULL : warp_reg(w, in->src[1]);
    struct origin o = {.stride = {0}};
    FOR_LANES(lane, w->mask)
    {
        o.address[lane] = lane_address(w, in, (int)lane);
        o.stride[lane] = stride ? stride[lane] : t->stride;
    }
    o.is_one = w->mask == UINT32_MAX;
    for (unsigned lane = 1; lane < WARP_LANES; lane++)
        o.is_one &= o.address[lane] == o.address[0] && o.stride[lane] == o.stride[0];
    return o;
}

/** Bits from the matrix's first element to this one. */
static uint64_t offset_bits(const struct tensor_desc *t, struct cell at, uint32_t stride)
{
    enum tensor_type type = (enum tensor_type)t->type[t->part];
    bool lines_are_rows = t->part != PART_B;
    uint64_t row = lines_are_rows ? at.line : at.along, column = lines_are_rows ? at.along : at.line;
    uint64_t major = t->by_column ? column : row, minor = t->by_column ? row : column;
    unsigned unit = type == TENSOR_B1 ? 1 : tensor_type_bits(type); /* strides of bits count bits */
    return major * stride * unit + minor * tensor_type_bits(type);
}

/** Are a register's elements neighbours in memory? The same for all lanes. */
static bool is_whole(const struct tensor_desc *t)
{
    enum tensor_part p = (enum tensor_part)t->part;
    if (tensor_packed(t, p) == 1)
        return true;
    uint64_t first = offset_bits(t, fragment_cell(t, p, 0, 0), 1u << 16);
    return offset_bits(t, fragment_cell(t, p, 0, 1), 1u << 16) - first == tensor_type_bits((enum tensor_type)t->type[p]);
}

/** Where lanes lie beside the first one, in bits: four that are neighbours in a line, and eight lines. The same for every register. */
struct steps {
    uint64_t within, lines;
};

static struct steps steps_of(const struct tensor_desc *t, uint32_t stride)
{
    enum tensor_part p = (enum tensor_part)t->part;
    uint64_t first = offset_bits(t, fragment_cell(t, p, 0, 0), stride);
    return (struct steps){offset_bits(t, fragment_cell(t, p, 1, 0), stride) - first, offset_bits(t, fragment_cell(t, p, 4, 0), stride) - first};
}

/** Bytes from the matrix's first element to each lane's, all lanes with one stride. */
static void offsets(const struct tensor_desc *t, struct steps s, uint32_t stride, unsigned element, uint64_t out[WARP_LANES])
{
    uint64_t first = offset_bits(t, fragment_cell(t, (enum tensor_part)t->part, 0, element), stride);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        out[lane] = (first + lane % 4 * s.within + lane / 4 * s.lines) / 8;
}

static void addresses(const struct warp *w, const struct tensor_desc *t, const struct origin *o, unsigned element,
                      uint64_t out[WARP_LANES])
{
    if (o->is_one) {
        offsets(t, steps_of(t, o->stride[0]), o->stride[0], element, out);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            out[lane] += o->address[0];
        return;
    }
    FOR_LANES(lane, w->mask)
    {
        struct cell at = fragment_cell(t, (enum tensor_part)t->part, (int)lane, element);
        out[lane] = o->address[lane] + offset_bits(t, at, o->stride[lane]) / 8;
    }
}

/** How many registers hold different elements: fragments of halves hold theirs several times. */
static unsigned distinct(const struct tensor_desc *t)
{
    enum tensor_part p = (enum tensor_part)t->part;
    unsigned along = p == PART_C || p == PART_D ? t->n : tensor_length(t, p);
    return fragment_lines(t, p) * along / (WARP_LANES * tensor_packed(t, p));
}

/** Where the whole matrix lies, nobody being told; else NULL. */
static uint8_t *place_whole(struct warp *w, const struct tensor_desc *t, const struct origin *o, const struct insn *piece, bool load)
{
    enum tensor_part p = (enum tensor_part)t->part;
    struct cell last = {(uint16_t)(fragment_lines(t, p) - 1), (uint16_t)((p == PART_C || p == PART_D ? t->n : tensor_length(t, p)) - 1)};
    uint64_t bits = offset_bits(t, last, o->stride[0]) + tensor_type_bits((enum tensor_type)t->type[p]), align = 8 * piece->mem.bytes - 1;
    struct steps s = steps_of(t, o->stride[0]);
    if (!o->is_one || ((s.within | s.lines) & align) || !(load ? tensor_reads_directly(w, piece) : tensor_is_direct(w)))
        return NULL;
    return tensor_place(w, piece, o->address[0], (bits + 7) / 8, piece->mem.bytes);
}

#define EACH_WIDTH(bytes, step)                                                                    \
    switch (bytes) {                                                                               \
    case 1:                                                                                        \
        step(uint8_t) break;                                                                       \
    case 2:                                                                                        \
        step(uint16_t) break;                                                                      \
    case 4:                                                                                        \
        step(uint32_t) break;                                                                      \
    default:                                                                                       \
        step(uint64_t)                                                                             \
    }

static void load_elements(const uint8_t *from, const uint64_t at[WARP_LANES], unsigned bytes, unsigned shift, uint64_t words[WARP_LANES])
{
#define LOAD(type)                                                                                 \
    for (int lane = 0; lane < WARP_LANES; lane++) {                                                \
        type v;                                                                                    \
        memcpy(&v, from + at[lane], sizeof v);                                                     \
        words[lane] |= (uint64_t)v << shift;                                                       \
    }
    EACH_WIDTH(bytes, LOAD)
#undef LOAD
}

static void store_elements(uint8_t *to, const uint64_t at[WARP_LANES], unsigned bytes, const uint64_t words[WARP_LANES])
{
#define STORE(type)                                                                                \
    for (int lane = 0; lane < WARP_LANES; lane++) {                                                \
        type v = (type)words[lane];                                                                \
        memcpy(to + at[lane], &v, sizeof v);                                                       \
    }
    EACH_WIDTH(bytes, STORE)
#undef STORE
}

/** All at once. @return false: lane by lane */
static bool load_directly(struct warp *w, const struct tensor_desc *t, const struct origin *o, const struct insn *piece, unsigned pieces, unsigned own)
{
    unsigned packed = tensor_packed(t, (enum tensor_part)t->part), bytes = piece->mem.bytes;
    const uint8_t *from = place_whole(w, t, o, piece, true);
    struct steps s = steps_of(t, o->stride[0]);
    for (unsigned r = 0; from && r < own; r++) {
        uint64_t words[WARP_LANES] = {0}, at[WARP_LANES];
        for (unsigned e = 0; e < pieces; e++) {
            offsets(t, s, o->stride[0], r * packed + e, at);
            if (is_global_traffic(&piece->mem))
                note_elements(w, from, at, true);
            load_elements(from, at, bytes, 8 * e * bytes, words);
        }
        for (unsigned copy = r; copy < t->written; copy += own)
            tensor_put(w, t, t->reg[copy], words);
    }
    return from != NULL;
}

static bool store_directly(struct warp *w, const struct tensor_desc *t, const struct origin *o, const struct insn *piece, unsigned pieces)
{
    unsigned packed = tensor_packed(t, (enum tensor_part)t->part), bytes = piece->mem.bytes;
    uint8_t *to = place_whole(w, t, o, piece, false);
    struct steps s = steps_of(t, o->stride[0]);
    for (unsigned r = 0; to && r < t->read; r++)
        for (unsigned e = 0; e < pieces; e++) {
            uint64_t words[WARP_LANES], at[WARP_LANES];
            offsets(t, s, o->stride[0], r * packed + e, at);
            for (int lane = 0; lane < WARP_LANES; lane++)
                words[lane] = tensor_get(w, t, t->reg[r], lane) >> 8 * e * bytes;
            if (is_global_traffic(&piece->mem))
                note_elements(w, to, at, false);
            store_elements(to, at, bytes, words);
        }
    return to != NULL;
}

const struct insn *tensor_wmma_load(struct warp *w, const struct insn *in)
{
    const struct tensor_desc *t = in->extra;
    struct origin o = origin_of(w, in);
    unsigned packed = tensor_packed(t, (enum tensor_part)t->part), pieces = is_whole(t) ? 1 : packed, own = distinct(t);
    const struct insn *piece = &t->piece[pieces > 1];
    if (load_directly(w, t, &o, piece, pieces, own))
        return in + 1;
    for (unsigned r = 0; r < own; r++) {
        uint64_t words[WARP_LANES] = {0}, from[WARP_LANES], got[2][WARP_LANES];
        for (unsigned e = 0; e < pieces; e++) {
            unsigned at = e * piece->mem.bytes;
            addresses(w, t, &o, r * packed + e, from);
            if (!access_load_at(w, piece, w->mask, from, got))
                return NULL;
            for (unsigned copy = r; copy < t->written; copy += own)
                OBSERVE(&warp_machine(w)->observers, received, w, &w->worker->access, t->reg[copy], at);
            FOR_LANES(lane, w->mask)
            {
                words[lane] |= got[0][lane] << 8 * at;
            }
        }
        for (unsigned copy = r; copy < t->written; copy += own)
            tensor_put(w, t, t->reg[copy], words);
    }
    return in + 1;
}

const struct insn *tensor_wmma_store(struct warp *w, const struct insn *in)
{
    const struct tensor_desc *t = in->extra;
    struct origin o = origin_of(w, in);
    unsigned packed = tensor_packed(t, (enum tensor_part)t->part), pieces = is_whole(t) ? 1 : packed;
    const struct insn *piece = &t->piece[pieces > 1];
    if (store_directly(w, t, &o, piece, pieces))
        return in + 1;
    for (unsigned r = 0; r < t->read; r++)
        for (unsigned e = 0; e < pieces; e++) {
            uint64_t to[WARP_LANES], put[2][WARP_LANES];
            unsigned at = e * piece->mem.bytes;
            addresses(w, t, &o, r * packed + e, to);
            FOR_LANES(lane, w->mask)
            {
                put[0][lane] = tensor_get(w, t, t->reg[r], (int)lane) >> 8 * at;
            }
            if (!access_store_at(w, piece, w->mask, to, put))
                return NULL;
            OBSERVE(&warp_machine(w)->observers, sent, w, &w->worker->access, t->reg[r], at);
        }
    return in + 1;
}
