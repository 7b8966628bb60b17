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

/** A matrix that a whole warp means. */
struct matrix {
    uint64_t address;
    uint32_t stride;
    uint64_t within, lines;   /* bytes from lane to lane: four that are neighbours in a line, and eight lines; the same for every register */
    struct place place;       /* where it lies; of nobody told: the host's bytes alone */
};

/** @return false: the lanes' addresses or strides differ, or elements do not lie as they should */
static bool take_matrix(const struct warp *w, const struct insn *in, const struct insn *piece, struct matrix *m)
{
    const struct tensor_desc *t = in->extra;
    if (!tensor_is_one_matrix(w, in, &m->address, &m->stride))
        return false;
    uint64_t within = memory_cell_bits(t, t->lies[LIES_NEXT], m->stride), lines = memory_cell_bits(t, t->lies[LIES_LINE], m->stride);
    m->within = within / 8;
    m->lines = lines / 8;
    return !((within | lines) & (8u * piece->mem.bytes - 1));
}

static uint64_t matrix_bytes(const struct tensor_desc *t, const struct matrix *m)
{
    return (memory_cell_bits(t, t->lies[LIES_LAST], m->stride) + tensor_type_bits((enum tensor_type)t->type[t->part]) + 7) / 8;
}

/** Bytes from the matrix's first element to lane 0's. */
static uint64_t first_of(const struct tensor_desc *t, const struct matrix *m, unsigned element)
{
    return memory_cell_bits(t, t->lies[LIES_ELEMENTS + element], m->stride) / 8;
}

static void offsets(const struct matrix *m, uint64_t first, uint64_t out[WARP_LANES])
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        out[lane] = first + lane % 4 * m->within + lane / 4 * m->lines;
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

/** Lanes' own addresses and strides, read before any register is written. */
struct origin {
    uint64_t address[WARP_LANES];
    uint32_t stride[WARP_LANES];
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
    return o;
}

static void addresses(const struct warp *w, const struct tensor_desc *t, const struct origin *o, unsigned element,
                      uint64_t out[WARP_LANES])
{
    FOR_LANES(lane, w->mask)
    {
        struct cell at = fragment_cell(t, (enum tensor_part)t->part, (int)lane, element);
        out[lane] = o->address[lane] + offset_bits(t, at, o->stride[lane]) / 8;
    }
}

/** Do lanes that are neighbours in a line follow one another without a gap, a line's four within one sector? */
static bool is_in_fours(const struct matrix *m, const uint8_t *first, unsigned bytes)
{
    return m->within == bytes && !(((uintptr_t)first | m->lines) & (4u * bytes - 1));
}

/** note_elements() of a register's elements from `first` on. */
static void note_lanes(struct warp *w, const struct insn *piece, const struct matrix *m, const uint8_t *first, bool load)
{
    uint64_t at[WARP_LANES];
    if (!is_global_traffic(&piece->mem))
        return;
    if (is_in_fours(m, first, piece->mem.bytes)) {
        note_lines(w, first, m->lines, load);
        return;
    }
    offsets(m, 0, at);
    note_elements(w, first, at, load);
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

/** A register's part of all lanes from `from` on, at bit `shift`. */
static void load_elements(const struct matrix *m, const uint8_t *from, unsigned bytes, unsigned shift, uint64_t words[WARP_LANES])
{
#define LOAD(type)                                                                                 \
    for (int lane = 0; lane < WARP_LANES; lane++) {                                                \
        type v;                                                                                    \
        memcpy(&v, from + (unsigned)lane / 4 * m->lines + (unsigned)lane % 4 * m->within, sizeof v); \
        words[lane] |= (uint64_t)v << shift;                                                       \
    }
    EACH_WIDTH(bytes, LOAD)
#undef LOAD
}

static void store_elements(const struct matrix *m, uint8_t *to, unsigned bytes, const uint64_t words[WARP_LANES])
{
#define STORE(type)                                                                                \
    for (int lane = 0; lane < WARP_LANES; lane++) {                                                \
        type v = (type)words[lane];                                                                \
        memcpy(to + (unsigned)lane / 4 * m->lines + (unsigned)lane % 4 * m->within, &v, sizeof v); \
    }
    EACH_WIDTH(bytes, STORE)
#undef STORE
}

/** A whole register from eight lines of four neighbours. */
static void load_fours(const struct matrix *m, const uint8_t *from, unsigned bytes, uint8_t *reg)
{
    for (unsigned line = 0; line < 8; line++)
        if (bytes == 8)
            memcpy(reg + 32 * line, from + line * m->lines, 32);
        else
            memcpy(reg + 16 * line, from + line * m->lines, 16);
}

/** All at once, nobody being told. */
static void load_directly(struct warp *w, const struct tensor_desc *t, const struct matrix *m, const struct insn *piece, unsigned pieces)
{
    unsigned bytes = piece->mem.bytes, own = t->distinct, packed = tensor_packed(t, (enum tensor_part)t->part);
    for (unsigned r = 0; r < own; r++) {
        uint64_t words[WARP_LANES] = {0};
        const uint8_t *from = m->place.host;
        bool fours = pieces == 1 && bytes == t->width && m->within == bytes;
        for (unsigned e = 0; e < pieces; e++) {
            from = m->place.host + first_of(t, m, r * packed + e);
            note_lanes(w, piece, m, from, true);
            if (!fours)
                load_elements(m, from, bytes, 8 * e * bytes, words);
        }
        for (unsigned copy = r; copy < t->written; copy += own)
            if (!fours)
                tensor_put(w, t, t->reg[copy], words);
            else if (t->reg[copy] != REG_NONE)
                load_fours(m, from, bytes, warp_reg(w, t->reg[copy]));
    }
}

static void store_directly(struct warp *w, const struct tensor_desc *t, const struct matrix *m, const struct insn *piece, unsigned pieces)
{
    unsigned bytes = piece->mem.bytes, packed = tensor_packed(t, (enum tensor_part)t->part);
    for (unsigned r = 0; r < t->read; r++)
        for (unsigned e = 0; e < pieces; e++) {
            uint64_t words[WARP_LANES];
            uint8_t *to = m->place.host + first_of(t, m, r * packed + e);
            for (int lane = 0; lane < WARP_LANES; lane++)
                words[lane] = tensor_get(w, t, t->reg[r], lane) >> 8 * e * bytes;
            note_lanes(w, piece, m, to, false);
            store_elements(m, to, bytes, words);
        }
}

/** How the lanes of one instruction find theirs: a matrix that lies as a whole where it may, or each lane its own. */
struct way {
    bool is_one, is_told;
    struct matrix matrix;
    struct origin origin;
};

static void find_way(struct warp *w, const struct insn *in, const struct insn *piece, bool load, struct way *out)
{
    const struct tensor_desc *t = in->extra;
    struct matrix *m = &out->matrix;
    unsigned bytes = piece->mem.bytes;
    out->is_told = false;
    out->is_one = take_matrix(w, in, piece, m);
    if (out->is_one && (load ? tensor_reads_directly(w, piece) : tensor_is_direct(w))) {
        m->place.host = tensor_place(w, piece, m->address, matrix_bytes(t, m), bytes);
        if (m->place.host)
            return;
    }
    out->is_told = true;
    out->is_one = out->is_one && tensor_place_told(w, piece, m->address, matrix_bytes(t, m), bytes, &m->place);
    if (!out->is_one)
        out->origin = origin_of(w, in);
}

/** One element of each lane, told. @return false after a fault */
static bool load_told(struct warp *w, const struct tensor_desc *t, const struct way *way, const struct insn *piece, unsigned element, uint64_t got[2][WARP_LANES])
{
    uint64_t from[WARP_LANES];
    if (way->is_one) {
        offsets(&way->matrix, first_of(t, &way->matrix, element), from);
        return access_load_within(w, piece, &way->matrix.place, from, got);
    }
    addresses(w, t, &way->origin, element, from);
    return access_load_at(w, piece, w->mask, from, got);
}

static bool store_told(struct warp *w, const struct tensor_desc *t, const struct way *way, const struct insn *piece, unsigned element, uint64_t put[2][WARP_LANES])
{
    uint64_t to[WARP_LANES];
    if (way->is_one) {
        offsets(&way->matrix, first_of(t, &way->matrix, element), to);
        return access_store_within(w, piece, &way->matrix.place, to, put);
    }
    addresses(w, t, &way->origin, element, to);
    return access_store_at(w, piece, w->mask, to, put);
}

/** Registers that are whole words of shared memory, told. @return how many have been loaded */
static unsigned load_words(struct warp *w, const struct tensor_desc *t, const struct way *way, const struct insn *piece)
{
    const struct matrix *m = &way->matrix;
    uint32_t at[WARP_LANES];
    unsigned r = 0, packed = tensor_packed(t, (enum tensor_part)t->part);
    if (!way->is_one || m->place.space != SPACE_SHARED || !t->whole || piece->mem.bytes != 4)
        return 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        at[lane] = (uint32_t)(m->place.address + lane % 4 * m->within + lane / 4 * m->lines);
    for (; r < t->distinct; r++) {
        uint64_t first = first_of(t, m, r * packed);
        bool heard = false;
        const uint32_t *words = tensor_load_words(w, piece, (uint32_t)first, at, r > 0, &heard);
        if (!words)
            break;
        note_lanes(w, piece, m, m->place.host + first, true);
        for (unsigned copy = r; heard && copy < t->written; copy += t->distinct)
            tensor_received_words(w, t->reg[copy]);
        for (unsigned copy = r; copy < t->written; copy += t->distinct)
            if (t->reg[copy] != REG_NONE)
                memcpy(warp_reg(w, t->reg[copy]), words, WARP_LANES * sizeof *words);
    }
    return r;
}

const struct insn *tensor_wmma_load(struct warp *w, const struct insn *in)
{
    const struct tensor_desc *t = in->extra;
    unsigned packed = tensor_packed(t, (enum tensor_part)t->part), pieces = t->whole ? 1 : packed, own = t->distinct;
    const struct insn *piece = &t->piece[pieces > 1];
    struct way way;
    find_way(w, in, piece, true, &way);
    if (!way.is_told) {
        load_directly(w, t, &way.matrix, piece, pieces);
        return in + 1;
    }
    for (unsigned r = load_words(w, t, &way, piece); r < own; r++) {
        uint64_t words[WARP_LANES] = {0}, got[2][WARP_LANES];
        for (unsigned e = 0; e < pieces; e++) {
            unsigned at = e * piece->mem.bytes;
            if (!load_told(w, t, &way, piece, r * packed + e, got))
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
    unsigned packed = tensor_packed(t, (enum tensor_part)t->part), pieces = t->whole ? 1 : packed;
    const struct insn *piece = &t->piece[pieces > 1];
    struct way way;
    find_way(w, in, piece, false, &way);
    if (!way.is_told) {
        store_directly(w, t, &way.matrix, piece, pieces);
        return in + 1;
    }
    for (unsigned r = 0; r < t->read; r++)
        for (unsigned e = 0; e < pieces; e++) {
            uint64_t put[2][WARP_LANES];
            unsigned at = e * piece->mem.bytes;
            FOR_LANES(lane, w->mask)
            {
                put[0][lane] = tensor_get(w, t, t->reg[r], (int)lane) >> 8 * at;
            }
            if (!store_told(w, t, &way, piece, r * packed + e, put))
                return NULL;
            OBSERVE(&warp_machine(w)->observers, sent, w, &w->worker->access, t->reg[r], at);
        }
    return in + 1;
}
